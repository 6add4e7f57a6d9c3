/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control groups that tasks of a recording are in, by number, and what they are called.
 */
#ifndef SP_RECORD_CGROUPS_H
#define SP_RECORD_CGROUPS_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct cgroup;
struct task_struct;

/* A power of two. */
#define SP_CGROUPS		1024U

struct sp_cgroup {
	u64 id;			/* 0: free; else it stays */
	struct cgroup *cgroup;	/* reference, until its path is known */
	const char *path;	/* as after 0:: in /proc/PID/cgroup; NULL: not known (yet) */
};

struct sp_cgroups {
	struct sp_cgroup *list;
	bool unnamed;		/* one has a reference and no path; READ_ONCE */
	atomic_t missed;	/* tasks whose group found no place, or has no path */
	struct mutex mutex;	/* of who looks for paths */
};

u64 sp_cgroups_bytes(void);
int sp_cgroups_init(struct sp_cgroups *cgroups);
void sp_cgroups_destroy(struct sp_cgroups *cgroups);
u64 sp_cgroup_of(struct task_struct *task);
bool sp_cgroups_note(struct sp_cgroups *cgroups, struct task_struct *task);
void sp_cgroups_find_paths(struct sp_cgroups *cgroups);
u32 sp_cgroups_number(const struct sp_cgroups *cgroups, u64 id);
const struct sp_cgroup *sp_cgroups_at(const struct sp_cgroups *cgroups, u32 number);
const char *sp_cgroups_path(const struct sp_cgroups *cgroups, u64 id);

#endif
