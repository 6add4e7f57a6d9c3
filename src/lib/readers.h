/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_READERS_H
#define SP_LIB_READERS_H

#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/types.h>

void *sp_readers_alloc(size_t bytes);
void sp_readers_free(const void *memory);
u64 sp_readers_bytes(void);
u64 sp_readers_room(void);

/* Whose memory it is that something is made of, for what both may make. */
struct sp_memory {
	void *(*alloc)(size_t bytes);		/* zeroed, or NULL */
	void (*free)(const void *memory);
};

extern const struct sp_memory sp_module_memory;	/* sp_alloc() and vfree() */
extern const struct sp_memory sp_reader_memory;	/* sp_readers_alloc() and sp_readers_free() */

#ifdef SCHEDPROF_KUNIT
extern atomic_long_t sp_readers_yields;
#endif

/**
 * sp_readers_yield() - a place in a reader's loop where others may run
 *
 * There can be millions of entries, so no loop over them is without it, and no
 * sort without it where it compares.
 *
 * Context: process, with no lock held that spins, and not under RCU.
 */
static inline void sp_readers_yield(void)
{
#ifdef SCHEDPROF_KUNIT
	atomic_long_inc(&sp_readers_yields);
#endif
	cond_resched();
}

#endif
