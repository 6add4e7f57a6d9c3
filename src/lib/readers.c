// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers: the memory of all open results together. It is accounted to the control
 * group of whoever opens a file, and bounded, because a reader can open as many as
 * it likes.
 *
 * Each piece has its size in front of it. One atomic sum; no lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/printk.h>

#include "lib/export.h"
#include "lib/memory.h"
#include "lib/readers.h"

static unsigned int readers_mb;
module_param(readers_mb, uint, 0644);
MODULE_PARM_DESC(readers_mb, "MiB of memory that all open results may hold together; 0: a quarter of the machine's (0)");

static atomic64_t held = ATOMIC64_INIT(0);

#ifdef SCHEDPROF_KUNIT
atomic_long_t sp_readers_yields;
SP_EXPORT_FOR_KUNIT(sp_readers_yields);
#endif

/* In front of each piece, which stays aligned as it would be without. */
struct head {
	u64 bytes;
} __aligned(16);

static u64 readers_bound(void)
{
	u64 mb = READ_ONCE(readers_mb);

	return mb ? mb << 20 : (u64)totalram_pages() * PAGE_SIZE / 4;
}

/**
 * sp_readers_alloc() - zeroed memory for a reader
 * @bytes: how much; 0 is an error of the caller
 *
 * Context: process, may sleep, on behalf of the reader. Free with
 * sp_readers_free().
 * Return: the memory, or NULL: there is none, or all readers have too much.
 */
void *sp_readers_alloc(size_t bytes)
{
	struct head *head;
	u64 whole = bytes + sizeof(*head), most = readers_bound();

	if (atomic64_add_return(whole, &held) > most) {
		pr_info_ratelimited("a result cannot be opened: all that are open hold %llu MiB, and with %llu KiB more it would be beyond readers_mb, which is %llu now; close some, or write more to /sys/module/schedprof/parameters/readers_mb\n",
				    (sp_readers_bytes() - whole) >> 20, whole >> 10, most >> 20);
		goto err;
	}
	head = __vmalloc(whole, GFP_KERNEL_ACCOUNT | SP_ALLOC_FLAGS);
	if (!head)
		goto err;
	head->bytes = whole;
	return head + 1;

err:
	atomic64_sub(whole, &held);
	return NULL;
}
SP_EXPORT_FOR_KUNIT(sp_readers_alloc);

/**
 * sp_readers_free() - give it back
 * @memory: from sp_readers_alloc(), or NULL
 */
void sp_readers_free(const void *memory)
{
	const struct head *head = memory;

	if (!head)
		return;
	head--;
	atomic64_sub(head->bytes, &held);
	vfree(head);
}
SP_EXPORT_FOR_KUNIT(sp_readers_free);

/* What could still be had. */
u64 sp_readers_room(void)
{
	u64 most = readers_bound(), now = sp_readers_bytes();

	return now < most ? most - now : 0;
}
SP_EXPORT_FOR_KUNIT(sp_readers_room);

/* What all of them have now. */
u64 sp_readers_bytes(void)
{
	return atomic64_read(&held);
}
SP_EXPORT_FOR_KUNIT(sp_readers_bytes);

const struct sp_memory sp_module_memory = { sp_alloc, vfree };
const struct sp_memory sp_reader_memory = { sp_readers_alloc, sp_readers_free };
