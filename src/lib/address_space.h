/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking at the mappings of programs without waiting for them. A task that waits for a
 * file system in user space, say, can hold its mmap_lock for as long as its owner likes: so
 * the lock is only tried for.
 */
#ifndef SP_LIB_ADDRESS_SPACE_H
#define SP_LIB_ADDRESS_SPACE_H

#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>

/* How often the mmap_lock is tried for: 2 to 6 ms. */
#define SP_LOCK_TRIES		20
#define SP_LOCK_AGAIN_MIN_US	100
#define SP_LOCK_AGAIN_MAX_US	300

/**
 * sp_lock_mm() - keep the mappings from being changed
 * @mm: of somebody, with a reference
 *
 * Context: process, may sleep.
 * Return: true, until mmap_read_unlock(); false if they were being changed all the time.
 */
static inline bool sp_lock_mm(struct mm_struct *mm)
{
	unsigned int i;

	for (i = 0; i < SP_LOCK_TRIES; i++) {
		if (mmap_read_trylock(mm))
			return true;
		usleep_range(SP_LOCK_AGAIN_MIN_US, SP_LOCK_AGAIN_MAX_US);
	}
	return false;
}

/* Is it the kernel's code for user space? */
static inline bool sp_vma_is_vdso(const struct vm_area_struct *vma)
{
#ifdef CONFIG_X86
	return (void __user *)vma->vm_start == vma->vm_mm->context.vdso;
#else
	return false;
#endif
}

#endif
