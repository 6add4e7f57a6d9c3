/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking at the mappings of programs without waiting for them. A task that waits for a
 * file system in user space, say, can hold its mmap_lock for as long as its owner likes: so
 * the lock is only tried for.
 *
 * What is read without that lock is one word of memory that the caller keeps.
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
/* Most programs have some hundreds. Of 256, a look takes less than a tenth of a millisecond. */
#define SP_MANY_MAPPINGS	4096
#define SP_MAPPINGS_PER_PAUSE_MS 256

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

/**
 * sp_mm_has_begun() - does its program run in it?
 * @mm: of a task
 *
 * exec() gives a task new memory and a new name, maps files, for which it may wait long, and
 * only then sets its registers: meanwhile they are those of the program before. Shortly before
 * that, load_elf_binary() tells where the code ends, which nothing else does first. What is left
 * is some microseconds, in which nothing is waited for.
 *
 * Context: any.
 */
static inline bool sp_mm_has_begun(const struct mm_struct *mm)
{
	return READ_ONCE(mm->end_code);
}

/**
 * sp_mm_pause_ms() - for how long shall a program not be looked at again?
 * @mm: its memory
 *
 * A look at so many mappings takes milliseconds, and their user can want one all the time.
 *
 * Context: any.
 */
static inline u32 sp_mm_pause_ms(const struct mm_struct *mm)
{
	u32 mappings = READ_ONCE(mm->map_count);

	return mappings < SP_MANY_MAPPINGS ? 0 : mappings / SP_MAPPINGS_PER_PAUSE_MS;
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
