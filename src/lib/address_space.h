/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking at the mappings of programs without waiting for them. A task that waits for a
 * file system in user space, say, can hold its mmap_lock for as long as its owner likes: so
 * the lock is only tried for, and mostly but once.
 *
 * What is read without that lock is one word of memory that the caller keeps.
 */
#ifndef SP_LIB_ADDRESS_SPACE_H
#define SP_LIB_ADDRESS_SPACE_H

#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>

/* How often the mmap_lock is tried for: 2 to 6 ms. */
#define SP_LOCK_TRIES		20
#define SP_LOCK_AGAIN_MIN_US	100
#define SP_LOCK_AGAIN_MAX_US	300
/* For so many times as long as somebody was waited for who changes his mappings, nobody is. */
#define SP_IMPATIENT_FOR	16
/* Most programs have some hundreds. Of 256, a look takes less than a tenth of a millisecond. */
#define SP_MANY_MAPPINGS	1024
#define SP_MAPPINGS_PER_PAUSE_MS 256

/**
 * sp_lock_mm() - keep the mappings from being changed
 * @mm: of somebody, with a reference
 * @impatient_until: ns of CLOCK_MONOTONIC, of the caller: nobody is waited for until then
 *
 * Who holds the lock is another user. There may be many more, and many threads of each, one
 * after the other: so all that are waited for have a small share of all time.
 *
 * Context: process, may sleep. Several may have the same @impatient_until.
 * Return: true, until mmap_read_unlock(); false if they were being changed all the time.
 */
static inline bool sp_lock_mm(struct mm_struct *mm, u64 *impatient_until)
{
	bool got = mmap_read_trylock(mm);
	unsigned int i;
	u64 begin, now;

	if (got)
		return true;
	begin = ktime_get_ns();
	if (begin < READ_ONCE(*impatient_until))
		return false;
	for (i = 1; i < SP_LOCK_TRIES && !got; i++) {
		usleep_range(SP_LOCK_AGAIN_MIN_US, SP_LOCK_AGAIN_MAX_US);
		got = mmap_read_trylock(mm);
	}
	now = ktime_get_ns();
	WRITE_ONCE(*impatient_until, now + SP_IMPATIENT_FOR * (now - begin));
	return got;
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
 * A look at very many mappings takes long, and their user can want one all the time.
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
#if defined(CONFIG_X86) || defined(CONFIG_ARM64)
	/* Of user space on some architectures, by its type, and not on others. */
	return vma->vm_start == (unsigned long)vma->vm_mm->context.vdso;
#else
	return false;
#endif
}

#endif
