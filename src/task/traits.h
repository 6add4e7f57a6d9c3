/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_TRAITS_H
#define SP_TASK_TRAITS_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct cgroup;

#define SP_COMM_PATTERN	64
#define SP_CGROUP_PATH	1024

/* What a session asks of a task besides who it is. Immutable once it is used. */
struct sp_traits {
	char comm[SP_COMM_PATTERN];	/* glob; "" for any */
	kuid_t uid;			/* INVALID_UID for any */
	struct cgroup *cgroup;		/* reference; NULL for any */
	char cgroup_path[SP_CGROUP_PATH];
};

/*
 * What of a task may change the answer. Of its credentials and control groups this is no address:
 * others may lie there later.
 */
struct sp_look {
	char comm[TASK_COMM_LEN];
	u64 cgroup;		/* as cgroup_id() */
	kuid_t uid;
};

struct sp_traits *sp_traits_make(const struct sp_traits *like);
void sp_traits_free(struct sp_traits *traits);
struct cgroup *sp_traits_find_cgroup(const char *text);
bool sp_traits_cgroup_is_gone(const struct sp_traits *traits);
bool sp_traits_ask(const struct sp_traits *traits);
bool sp_traits_match(const struct sp_traits *traits, struct task_struct *task);
void sp_look_take(struct sp_look *look, struct task_struct *task);
bool sp_look_changed(const struct sp_look *look, struct task_struct *task);

#endif
