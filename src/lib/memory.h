/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Large zeroed allocations that fail instead of waking the OOM killer.
 */
#ifndef SP_LIB_MEMORY_H
#define SP_LIB_MEMORY_H

#include <linux/mm.h>
#include <linux/vmalloc.h>

/* What is asked of sleeping allocations beside GFP_KERNEL or GFP_KERNEL_ACCOUNT. */
#define SP_ALLOC_FLAGS	(__GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * sp_alloc() - a zeroed table
 * @bytes: its size; 0 is an error of the caller
 *
 * Context: process, may sleep. Free with vfree().
 * Return: the memory, or NULL.
 */
static inline void *sp_alloc(size_t bytes)
{
	return __vmalloc(bytes, GFP_KERNEL | SP_ALLOC_FLAGS);
}

#endif
