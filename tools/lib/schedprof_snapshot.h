/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is in a snapshot. Part of schedprof.h: include that.
 */
#ifndef SCHEDPROF_SNAPSHOT_H
#define SCHEDPROF_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedprof_recording;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * schedprof_meta() - a fact about a snapshot
 * @recording: the snapshot
 * @name: for example "version", "kernel", "session", "hook", "clock", "addresses",
 *	"taken_at_ns", "taken_at_realtime_ns", "begin_ns", "duration_ns", "config.mode",
 *	"stats.lost_entries"; doc/raw.md has all of them
 *
 * Return: the value, or NULL.
 */
const char *schedprof_meta(const struct schedprof_recording *recording,
			   const char *name);

/**
 * schedprof_meta_number() - a fact that is a number
 * @recording: the snapshot
 * @name: for example "stats.enabled_ns"
 * @value: filled in if it is there
 *
 * Return: false if it is not there or no number.
 */
bool schedprof_meta_number(const struct schedprof_recording *recording,
			   const char *name, uint64_t *value);

/**
 * schedprof_meta_at() - the facts about a snapshot, one by one
 * @recording: the snapshot
 * @index: from 0
 * @name: filled in
 * @value: filled in
 *
 * Return: false if there are no more.
 */
bool schedprof_meta_at(const struct schedprof_recording *recording, size_t index,
		       const char **name, const char **value);

/**
 * schedprof_unit() - what times are in
 * @recording: the snapshot
 *
 * Return: "ns", or "cycles" with the clock tsc.
 */
const char *schedprof_unit(const struct schedprof_recording *recording);

/**
 * schedprof_schema() - how the writer describes the records
 * @recording: the snapshot
 *
 * Return: text; "" if there is none.
 */
const char *schedprof_schema(const struct schedprof_recording *recording);

/* A kernel address. */
struct schedprof_symbol {
	uint64_t address;	/* as in stacks */
	const char *text;	/* "vfs_read+0x9b/0x1a0 [module]" */
	const char *function;	/* "vfs_read" */
	const char *module;	/* NULL: the kernel itself */
	uint64_t offset;	/* of the address in the function */
	uint64_t size;		/* of the function; 0: not known */
};

enum schedprof_mapping_kind {
	SCHEDPROF_MAPPING_FILE	= 0,
	SCHEDPROF_MAPPING_VDSO	= 1,
	SCHEDPROF_MAPPING_ANON	= 2,	/* generated code */
	SCHEDPROF_MAPPING_LOST	= 3,	/* the module had no room for its name */
};

/*
 * Which file it was, on the machine that was recorded. What has the same build-id is
 * the same; where that is not known, what has the same in all of the rest.
 */
struct schedprof_file {
	const char *build_id;	/* in hexadecimal; NULL: not known */
	uint64_t inode;
	int64_t mtime_ns;	/* of the last change, since 1970 */
	uint32_t device_major;	/* as stat(2) has it */
	uint32_t device_minor;
	uint32_t generation;	/* as FS_IOC_GETVERSION has it */
};

/* Code that a program had mapped. */
struct schedprof_mapping {
	uint64_t start;
	uint64_t end;		/* exclusive */
	uint64_t offset;	/* of start, in the file */
	uint32_t image;		/* which program */
	uint32_t kind;		/* enum schedprof_mapping_kind */
	const char *path;	/* as the program's mount namespace sees it; "" */
	const struct schedprof_file *file;	/* NULL: not known, or no file */
};

enum schedprof_stack_flags {
	SCHEDPROF_STACK_USER	= 1 << 0,	/* else a kernel stack */
	SCHEDPROF_STACK_CUT	= 1 << 1,	/* deeper than what was kept */
	SCHEDPROF_STACK_NO_FP	= 1 << 2,	/* user: no frame pointers */
	SCHEDPROF_STACK_COMPAT	= 1 << 3,	/* user: a 32-bit task */
	SCHEDPROF_STACK_MOVED	= 1 << 4,	/* the task ran while it was looked at */
	SCHEDPROF_STACK_UNSEEN	= 1 << 5,	/* nobody looked in time */
	SCHEDPROF_STACK_RUNNING	= 1 << 6,	/* on a CPU; waker: who ran while the task waited */
	SCHEDPROF_STACK_EXITED	= 1 << 7,	/* the task ended there */
	SCHEDPROF_STACK_WAKER	= 1 << 8,	/* of whoever woke the task */
	SCHEDPROF_STACK_IRQ	= 1 << 9,	/* waker: a hard interrupt */
	SCHEDPROF_STACK_SOFTIRQ	= 1 << 10,	/* waker: a softirq */
	SCHEDPROF_STACK_IRQS_OFF = 1 << 11,	/* interrupts were off until there */
	SCHEDPROF_STACK_CALLS	= 1 << 12,	/* instrumented functions, no returns */
	SCHEDPROF_STACK_IDLE	= 1 << 13,	/* kernel: where tasks wait for work */
	SCHEDPROF_STACK_ON_CPU	= 1 << 14,	/* kernel, mode wall: on a CPU there, */
	SCHEDPROF_STACK_QUEUED	= 1 << 15,	/* or waiting for one; both: interrupts */
	SCHEDPROF_STACK_END	= 7 << 16,	/* user: why it ends where it does: */
	SCHEDPROF_STACK_COMPLETE = 1 << 16,	/* nobody called the outermost function */
	SCHEDPROF_STACK_NO_TABLE = 2 << 16,	/* there was no unwind table for it */
	SCHEDPROF_STACK_NO_RULE	= 3 << 16,	/* there was one, but no rule in it */
	SCHEDPROF_STACK_ABSENT	= 4 << 16,	/* its caller was not in memory */
	SCHEDPROF_STACK_GUESSED	= 5 << 16,	/* complete, by frame pointers in part */
};

struct schedprof_stack {
	uint32_t number;	/* in this snapshot */
	uint32_t flags;		/* enum schedprof_stack_flags */
	const uint64_t *frames;	/* addresses, innermost first; all but those of
				 * SCHEDPROF_STACK_CALLS, and the innermost one of a program,
				 * are return addresses
				 */
	size_t frame_count;
	const char *waker;	/* with SCHEDPROF_STACK_WAKER: its name; "" */
	/* Of a waker, where it was in its program, if that was recorded; else both NULL. */
	const struct schedprof_stack *user;
	const struct schedprof_task *program;	/* whose user is, as for schedprof_frame() */
	uint32_t guessed;	/* user: of frames, from 1 on: the first one that was found by a
				 * frame pointer, where no table said it; 0: none
				 */
};

enum schedprof_task_flags {
	SCHEDPROF_TASK_KTHREAD	= 1 << 0,
	SCHEDPROF_TASK_EXITED	= 1 << 1,	/* gone, or runs another program */
	SCHEDPROF_TASK_FOLDED	= 1 << 2,	/* [exited]: many that are gone */
	SCHEDPROF_TASK_LOST	= 1 << 3,	/* [lost]: there was no room for a row */
	/* Made by schedprof_merge(), not by the module: */
	SCHEDPROF_TASK_GROUP	= 1 << 30,	/* stands for several; tid may be 0 */
};

/* A task, running one program; after exec it is another. */
struct schedprof_task {
	uint32_t number;	/* in this snapshot */
	int32_t tid;		/* as the initial PID namespace sees it */
	int32_t tgid;
	uint32_t flags;		/* enum schedprof_task_flags */
	uint64_t start_ns;	/* monotonic; tells tasks with the same tid apart */
	uint64_t leader_start_ns;
	uint32_t image;		/* in mappings; 0: not known */
	uint32_t exec_id;	/* tells programs of one task apart */
	const char *comm;
	const char *leader_comm;
	const char *cgroup;	/* path of its control group of version 2, as after 0:: in
				 * /proc/PID/cgroup; NULL: not known
				 */
};

enum schedprof_entry_flags {
	SCHEDPROF_ENTRY_OPEN	= 1 << 0,	/* an interval that goes on is in it */
	SCHEDPROF_ENTRY_LOST_STACK = 1 << 1,	/* no room for its stacks */
};

/* The figures of one key: a task and its stacks. Times in schedprof_unit(). */
struct schedprof_entry {
	const struct schedprof_task *task;
	const struct schedprof_stack *kernel;	/* NULL: none */
	const struct schedprof_stack *user;
	const struct schedprof_stack *waker;
	uint64_t total;		/* mode function: without functions called */
	uint64_t count;
	uint64_t max;		/* the longest */
	uint64_t max_at;	/* when it ended, by the session's clock */
	uint64_t inclusive;	/* mode function: with functions called */
	uint32_t max_cpu;
	uint32_t flags;		/* enum schedprof_entry_flags */
};

/* The books of a task. Times in schedprof_unit(). */
struct schedprof_ledger {
	int32_t tid;		/* 0: of those that exited, together */
	int32_t tgid;
	uint64_t oncpu;
	uint64_t runqueue;
	uint64_t sleep;
	uint64_t disk;
	uint32_t switches_vol;
	uint32_t switches_invol;
	uint32_t wakeups;
	uint32_t migrations;
	const char *comm;	/* if tid is 0, only those that exited are "[exited]" */
	uint64_t start_ns;	/* as of the task */
	/* Of oncpu what was not its own; all 0 unless "config.interrupts" is 1. */
	uint64_t irq;
	uint64_t softirq;
	uint64_t stolen;
};

/* What a wait for a CPU is put down to. */
enum schedprof_culprit {
	SCHEDPROF_CULPRIT_TASK,
	SCHEDPROF_CULPRIT_IDLE,		/* the CPU idled all the same */
	SCHEDPROF_CULPRIT_INTERRUPTS,
	SCHEDPROF_CULPRIT_OTHER_CPU,	/* before the task was moved to where it ran */
	SCHEDPROF_CULPRIT_THROTTLED,
	SCHEDPROF_CULPRIT_EARLIER,	/* nobody remembers who ran then */
	SCHEDPROF_CULPRIT_EXITED,	/* many that are gone */
	SCHEDPROF_CULPRIT_LOST,		/* there was no room */
};

/*
 * What a task waited for a CPU while that culprit ran there, if the session had blame. Times
 * in schedprof_unit(); all of a task add up to runqueue of its books.
 */
struct schedprof_blame {
	int32_t tid;		/* who waited */
	int32_t tgid;
	uint64_t start_ns;	/* as of the task */
	const char *comm;
	uint32_t culprit;	/* enum schedprof_culprit */
	bool self;		/* it is of the same process */
	int32_t culprit_tid;	/* of a task; else 0 */
	int32_t culprit_tgid;
	uint64_t culprit_start_ns;
	const char *culprit_comm;	/* as [idle] where it is no task */
	uint64_t total;
	uint64_t count;		/* pieces of waits */
	uint64_t longest;	/* of these */
	const char *leader_comm;	/* of the process of who waited */
	const char *culprit_leader_comm;
	const char *cgroup;	/* as of a task; NULL: not known */
	const char *culprit_cgroup;
	bool group;		/* as SCHEDPROF_TASK_GROUP, of who waited; else tid 0 is [exited] */
};

/* One row: intervals of low up to below high, in us or in cycles. */
struct schedprof_histogram {
	uint64_t low;
	uint64_t high;
	uint64_t count;
};

enum schedprof_function_flags {
	SCHEDPROF_FUNCTION_THROTTLED = 1 << 0,	/* called too often: switched off */
};

/* An instrumented function. */
struct schedprof_function {
	uint64_t address;	/* of its entry, as in stacks */
	uint64_t calls;		/* that were timed */
	uint64_t missed;	/* that were not */
	uint32_t flags;		/* enum schedprof_function_flags */
	const char *name;
};

enum schedprof_event_flags {
	SCHEDPROF_EVENT_IRQS_OFF = 1 << 0,	/* mode nosched: interrupts were off */
	SCHEDPROF_EVENT_LOST_STACK = 1 << 1,	/* no room for its stacks */
};

/* One interval. Times in schedprof_unit(). */
struct schedprof_event {
	uint64_t at;		/* when it ended, by the session's clock */
	uint64_t length;
	uint64_t function;	/* mode function: address of its entry; else 0 */
	int32_t tid;
	int32_t tgid;
	uint32_t cpu;
	uint32_t depth;		/* mode function: functions around it */
	uint32_t flags;		/* enum schedprof_event_flags */
	const struct schedprof_stack *kernel;	/* NULL: none */
	const struct schedprof_stack *user;
	const char *comm;
	const struct schedprof_stack *waker;
	uint64_t start_ns;	/* as of the task, which need not have a record */
	uint32_t exec_id;
	uint32_t image;		/* in mappings; 0: not known */
};

/*
 * What there is of each: how many, and one of them. The order is that of the
 * snapshot (events: the one that ended first), but symbols are sorted by address. An
 * index that is too large gives NULL.
 */
size_t schedprof_task_count(const struct schedprof_recording *recording);
size_t schedprof_stack_count(const struct schedprof_recording *recording);
size_t schedprof_entry_count(const struct schedprof_recording *recording);
size_t schedprof_ledger_count(const struct schedprof_recording *recording);
size_t schedprof_blame_count(const struct schedprof_recording *recording);
size_t schedprof_histogram_count(const struct schedprof_recording *recording);
size_t schedprof_function_count(const struct schedprof_recording *recording);
size_t schedprof_event_count(const struct schedprof_recording *recording);
size_t schedprof_symbol_count(const struct schedprof_recording *recording);
size_t schedprof_mapping_count(const struct schedprof_recording *recording);

const struct schedprof_task *
schedprof_task_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_stack *
schedprof_stack_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_entry *
schedprof_entry_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_ledger *
schedprof_ledger_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_blame *
schedprof_blame_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_histogram *
schedprof_histogram_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_function *
schedprof_function_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_event *
schedprof_event_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_symbol *
schedprof_symbol_at(const struct schedprof_recording *recording, size_t index);
const struct schedprof_mapping *
schedprof_mapping_at(const struct schedprof_recording *recording, size_t index);

/**
 * schedprof_symbol_find() - what the snapshot itself knows of a kernel address
 * @recording: the snapshot
 * @address: of a frame or a function
 *
 * Return: the symbol, or NULL.
 */
const struct schedprof_symbol *
schedprof_symbol_find(const struct schedprof_recording *recording,
		      uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
