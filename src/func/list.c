// SPDX-License-Identifier: GPL-2.0-only
/*
 * list: the functions that a session instruments, and their names.
 *
 * A list never changes, so there is no lock: whoever has a reference reads it.
 * func/find.c makes it.
 */
#include <linux/bsearch.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "func/list.h"
#include "lib/memory.h"

/**
 * sp_function_list_alloc() - a list to be filled
 * @text: what it is made of; copied
 * @count: of functions
 *
 * Return: the list with one reference, its functions all zero; or NULL.
 */
struct sp_function_list *sp_function_list_alloc(const char *text, u32 count)
{
	struct sp_function_list *list;

	list = sp_alloc(struct_size(list, function, count));
	if (!list)
		return NULL;
	kref_init(&list->kref);
	list->count = count;
	list->text = kstrdup(text, GFP_KERNEL);
	if (!list->text) {
		sp_function_list_put(list);
		return NULL;
	}
	return list;
}

struct sp_function_list *sp_function_list_get(struct sp_function_list *list)
{
	kref_get(&list->kref);
	return list;
}

static void list_release(struct kref *kref)
{
	struct sp_function_list *list =
		container_of(kref, struct sp_function_list, kref);
	u32 i;

	for (i = 0; i < list->count; i++) {
		kfree(list->function[i].name);
		kfree(list->function[i].module);
	}
	kfree(list->text);
	vfree(list);
}

/**
 * sp_function_list_put() - drop a reference
 * @list: the list, or NULL
 */
void sp_function_list_put(struct sp_function_list *list)
{
	if (list)
		kref_put(&list->kref, list_release);
}

static int by_address(const void *key, const void *element)
{
	unsigned long address = *(const unsigned long *)key;
	const struct sp_function *function = element;

	return address < function->address ? -1 : address > function->address;
}

/**
 * sp_function_at() - which function is it?
 * @list: the list
 * @address: of its symbol, as far as a frame keeps it
 *
 * Return: the function, or NULL if it is not in the list.
 */
const struct sp_function *sp_function_at(const struct sp_function_list *list,
					 unsigned long address)
{
	return bsearch(&address, list->function, list->count,
		       sizeof(*list->function), by_address);
}
