/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_FUNC_LIST_H
#define SP_FUNC_LIST_H

#include <linux/kref.h>
#include <linux/types.h>

struct sp_why;

struct sp_function {
	unsigned long address;	/* where its symbol is */
	unsigned long probe;	/* where the kernel instruments it */
	const char *name;
	const char *module;	/* "": the kernel itself */
};

/* What a user wants to be instrumented; immutable. */
struct sp_function_list {
	struct kref kref;
	char *text;		/* as it was written, one blank between words */
	u32 count;
	u32 left_out;		/* of what globs matched: cannot be instrumented */
	struct sp_function function[];	/* by address, each once */
};

struct sp_function_list *sp_function_list_make(const char *text,
					       const struct sp_function_list *old,
					       struct sp_why *why);
struct sp_function_list *sp_function_list_alloc(const char *text, u32 count);
struct sp_function_list *sp_function_list_get(struct sp_function_list *list);
void sp_function_list_put(struct sp_function_list *list);
const struct sp_function *sp_function_at(const struct sp_function_list *list,
					 unsigned long address);
/* func/find.c */
int sp_function_check(const struct sp_function *function);

/* func/groups.c: "@name" to a list of globs that ends with NULL. */
const char *const *sp_function_group(const char *name);
/* All there are, for a sentence; a blank before each. */
extern const char sp_function_group_names[];

#endif
