/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model: what schedprof top shows: what happened between two snapshots of a session that
 * keeps books and blames. By task first, then as rows are grouped. Functions without
 * state; each struct is used by one thread. Names are those of the snapshots, which must
 * outlive what is made from them.
 */
#ifndef CLI_TOP_MODEL_H
#define CLI_TOP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <schedprof.h>

#include "../blamed.h"

/*
 * The times of a task, which add up to how long it was observed. Those on a CPU are its own;
 * what else was there meanwhile is interrupts, if the session tells them apart.
 */
enum top_time { TOP_ONCPU, TOP_IRQ, TOP_RUNQUEUE, TOP_SLEEP, TOP_DISK, TOP_TIMES };

/* The figures of a task, since the session began or between two snapshots; in ns. */
struct top_figures {
	uint64_t time[TOP_TIMES];
	uint64_t switches;
	uint64_t wakeups;
	uint64_t waits;		/* for a CPU */
	uint64_t waited;	/* in these */
};

struct top_task {
	int32_t tid;		/* 0: of those that exited, together */
	int32_t tgid;
	uint64_t start_ns;
	const char *comm;
	const char *leader_comm;
	const char *cgroup;	/* NULL: not known */
	const struct schedprof_task *record;	/* that tells these two; NULL: none does */
	struct top_figures figures;
	uint64_t longest;	/* wait for a CPU, since the session began */
	bool longest_is_new;	/* it ended between the snapshots */
};

/* What of a snapshot is compared with the next one. */
struct top_snapshot {
	struct schedprof_recording *recording;	/* NULL: nothing was before */
	struct top_task *tasks;		/* sorted by TID and start */
	size_t task_count;
	struct schedprof_blame *blame;	/* sorted by waiter and culprit */
	size_t blame_count;
	uint64_t enabled_ns;		/* for how long it was recorded */
	bool splits;			/* interrupts are told apart */
};

/* Where else to ask for what a snapshot does not tell of a task; NULL if nobody knows. */
struct top_names {
	const char *(*cgroup)(void *data, int32_t tid, uint64_t start_ns);
	void *data;
};

/* What happened between two of them. */
struct top_change {
	uint64_t wall_ns;
	bool splits;		/* interrupts are told apart */
	struct top_task *tasks;
	size_t task_count;
	struct schedprof_blame *blame;
	size_t blame_count;
};

#define TOP_SCOPES	6

/* Which rows are wanted. */
struct top_scope {
	int by;			/* enum schedprof_by */
	struct cli_party party;	/* of which tasks must be; its name is to be freed */
};

struct top_view {
	int by;			/* enum schedprof_by: what is a row */
	struct top_scope scopes[TOP_SCOPES];
	unsigned int scope_count;
	bool whole;		/* all in the last of them is one row */
	const char *filter;	/* a part of the name, or the PID; "": all */
	unsigned int column;	/* enum top_column: what rows are sorted by */
	bool reverse;
	bool busy;		/* only what ran or wanted to */
};

struct top_row {
	struct cli_party who;
	int32_t pid;		/* of a task or process; 0: of none or several */
	uint64_t tasks;
	struct top_figures figures;
	uint64_t longest;
	bool longest_is_new;
	const struct cli_blamed *blamed;	/* the greatest culprit comes first */
	size_t blamed_count;
};

struct top_rows {
	struct top_row *rows;
	size_t count;
	size_t beyond;		/* that are left out, as no more are wanted */
	size_t resting;		/* that are left out, as they neither ran nor wanted to */
	struct cli_blamed *blamed;	/* of all of them */
	uint64_t wall_ns;
	bool splits;		/* interrupts are told apart */
};

uint64_t top_observed(const struct top_figures *figures);
void top_figures_add(struct top_figures *to, const struct top_figures *from);
void top_figures_take_off(struct top_figures *to, const struct top_figures *from);
uint64_t top_less(uint64_t a, uint64_t b);

int top_by_task(const void *a, const void *b);
int top_by_pair(const void *a, const void *b);
struct top_task *top_find_task(const struct top_task *tasks, size_t n, int32_t tid,
			       uint64_t start_ns);

bool top_snapshot_make(struct top_snapshot *snapshot, struct schedprof_recording *recording);
void top_snapshot_free(struct top_snapshot *snapshot);

bool top_change_make(struct top_change *change, const struct top_snapshot *before,
		     const struct top_snapshot *now, const struct top_names *names);
uint64_t top_waited(const struct top_change *change);
void top_change_free(struct top_change *change);

bool top_rows_make(struct top_rows *rows, const struct top_change *change,
		   const struct top_view *view);
bool top_needs_cgroups(const struct top_view *view);
bool top_has_those_below(const struct top_scope *scope);
bool top_is_within(const struct top_view *view, const struct top_task *task);
void top_rows_free(struct top_rows *rows);

#endif
