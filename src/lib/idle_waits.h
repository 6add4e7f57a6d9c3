/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the kernel in which a task waits for work: for somebody to come along with
 * some, not for the end of what it began itself.
 */
#ifndef SP_LIB_IDLE_WAITS_H
#define SP_LIB_IDLE_WAITS_H

#include <linux/refcount.h>
#include <linux/types.h>

struct seq_buf;
struct sp_why;

/* A list of names. Immutable, but for its count of references. */
struct sp_idle_waits {
	refcount_t refs;
	char names[];		/* a blank behind each */
};

/* What a frame of a kernel stack tells of the wait. */
enum sp_idle_frame {
	SP_IDLE_NO,		/* it is no wait for work */
	SP_IDLE_YES,
	SP_IDLE_CALLER,		/* ask the caller: this one only sleeps for it */
};

struct sp_idle_waits *sp_idle_waits_default(void);
struct sp_idle_waits *sp_idle_waits_get(struct sp_idle_waits *list);
void sp_idle_waits_put(struct sp_idle_waits *list);
struct sp_idle_waits *sp_idle_waits_change(const struct sp_idle_waits *from, const char *text,
					   struct sp_why *why);
void sp_idle_waits_show(struct seq_buf *s, const struct sp_idle_waits *list);
enum sp_idle_frame sp_idle_waits_frame(const struct sp_idle_waits *list, const char *symbol);

#endif
