/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The file raw: what a session recorded, for programs. The module writes it
 * (report/raw.c), tools/ read it; this is the only description of it.
 *
 * It is a sequence of records, each a struct sp_raw_record and what follows it,
 * filled up with zeros to a multiple of eight bytes. The first one is
 * SP_RAW_BEGIN, which also tells the byte order and the version; the last one is
 * SP_RAW_END. Numbers are in the writer's byte order. A reader skips kinds of
 * records that it does not know, and what is longer than it knows (unless text
 * or a list follows what is known): both are how the format grows. The version
 * changes when that is not enough.
 *
 * Records that others refer to by number come before them: symbols, files, mappings,
 * stacks, control groups and tasks before entries and events. Several of these sequences, one
 * after the other, are a recording over time.
 *
 * Times are in ns, or in cycles if SP_RAW_META says "unit cycles"; start_ns and
 * leader_start_ns are always in ns. Figures are by thread, whatever group_by says.
 *
 * SP_RAW_SCHEMA and SP_RAW_META may each be several records of whole lines, and
 * are read as one text. A line of SP_RAW_META is a name, a blank, and the value,
 * which may be empty:
 *
 *   version		of the module
 *   kernel hostname	where it ran: release, name of the machine
 *   session mode	the session's name; its mode when it was enabled
 *   hook		what scheduler events are observed with
 *   clock unit		mono, boot or tsc; ns or cycles
 *   addresses		shown or hidden
 *   state		none: nothing was recorded yet; live; ended
 *   taken_at_ns taken_at_boot_ns taken_at_realtime_ns
 *			when the file was opened: monotonic, with the time suspended,
 *			since 1970
 *   begin_ns		when recording began, by its clock and in its unit
 *   duration_ns	for how long it went on, monotonic, in ns
 *   config.NAME	an attribute, as it was when the recording ended, or when the file was
 *			opened, if that was before; idle_waits: always the latter
 *   stats.NAME		a line of the file stats
 */
#ifndef SP_REPORT_RAW_FORMAT_H
#define SP_REPORT_RAW_FORMAT_H

#include <linux/types.h>

#define SP_RAW_MAGIC		"schedprf"	/* eight bytes, no NUL */
#define SP_RAW_VERSION		1
#define SP_RAW_BYTE_ORDER	0x01020304
/* No record is longer, by what it says in bytes. */
#define SP_RAW_MAX_BYTES	2097152

enum sp_raw_kind {
	SP_RAW_BEGIN		= 1,
	SP_RAW_SCHEMA		= 2,	/* text: see report/raw_schema.c */
	SP_RAW_META		= 3,	/* text: "name value" lines */
	SP_RAW_SYMBOL		= 4,
	SP_RAW_MAPPING		= 5,
	SP_RAW_STACK		= 6,
	SP_RAW_TASK		= 7,
	SP_RAW_ENTRY		= 8,
	SP_RAW_LEDGER		= 9,
	SP_RAW_HISTOGRAM	= 10,
	SP_RAW_FUNCTION		= 11,
	SP_RAW_EVENT		= 12,
	SP_RAW_END		= 13,
	SP_RAW_FILE		= 14,
	SP_RAW_FILES		= 15,
	SP_RAW_WAKER		= 16,
	SP_RAW_BLAME		= 17,
	SP_RAW_CGROUP		= 18,
};

/* Before every record. */
struct sp_raw_record {
	__u32 kind;		/* enum sp_raw_kind */
	__u32 bytes;		/* of what follows, without filling */
	__u32 crc;		/* crc32 (as zlib's) of this, with 0 here, and of what
				 * follows, without filling
				 */
	__u32 reserved;		/* 0 */
};

struct sp_raw_begin {
	char magic[8];		/* SP_RAW_MAGIC */
	__u32 byte_order;	/* SP_RAW_BYTE_ORDER */
	__u32 version;		/* SP_RAW_VERSION */
};

/*
 * Where a kernel address is: "function+0xoff/0xsize [module]" follows, without a
 * NUL; "[unknown]" if nobody knows. Of a return address it is the call before it.
 * What it is called by in stacks is the address itself, or, if addresses are
 * hidden ("addresses hidden" in the meta record), a number in its place.
 */
struct sp_raw_symbol {
	__u64 address;
};

enum sp_raw_mapping_kind {
	SP_RAW_MAPPING_FILE	= 0,
	SP_RAW_MAPPING_VDSO	= 1,
	SP_RAW_MAPPING_ANON	= 2,
	SP_RAW_MAPPING_LOST	= 3,	/* there was no room for its name */
};

/*
 * Code that a program had mapped; the path of the file follows, without a NUL. Of
 * a program, what it mapped last comes first: the first one that holds an address
 * counts. The place in the file is address - start + offset; offset is 0 in what is
 * no file. An address that none of its program's holds, or only a lost one, is of
 * code that nobody looked at in time.
 */
struct sp_raw_mapping {
	__u64 start;
	__u64 end;
	__u64 offset;		/* of start, in the file */
	__u32 image;		/* which program; never 0 */
	__u32 kind;		/* enum sp_raw_mapping_kind */
};

/*
 * Which file was mapped, in the machine that was recorded. Where the build-id is
 * known, it is all that counts; else it is the same file, unchanged, if all the rest is
 * the same. Device and inode are as stat(2) has them, but for btrfs and overlays of
 * several file systems, where stat(2) makes up devices; the generation is that of
 * FS_IOC_GETVERSION, where the file system has that. Two of them may have the same
 * path: a file and what took its place.
 */
struct sp_raw_file {
	__u32 number;		/* never 0 */
	__u32 generation;
	__u64 inode;
	__u64 mtime_ns;		/* since 1970; of two's complement */
	__u32 device_major;
	__u32 device_minor;
	__u32 build_id_bytes;	/* 0: not known */
	__u8 build_id[20];
};

/*
 * Of which files mappings are: as many numbers of files follow, for as many mappings,
 * in the order of their records; the first one is for mapping number first, from 0.
 * 0: it is not known which file it was, or it is no file.
 */
struct sp_raw_files {
	__u32 first;
	__u32 count;
};

enum sp_raw_stack_flags {
	SP_RAW_STACK_USER	= 1 << 0,	/* else a kernel stack */
	SP_RAW_STACK_CUT	= 1 << 1,	/* deeper than what was kept */
	SP_RAW_STACK_NO_FP	= 1 << 2,	/* user: no frame pointers */
	SP_RAW_STACK_COMPAT	= 1 << 3,	/* user: a 32-bit task */
	SP_RAW_STACK_MOVED	= 1 << 4,	/* the task ran while it was looked at */
	SP_RAW_STACK_UNSEEN	= 1 << 5,	/* nobody looked in time */
	SP_RAW_STACK_RUNNING	= 1 << 6,	/* the task is on a CPU; waker: it did not wake
						 * the task, but ran while that waited
						 */
	SP_RAW_STACK_EXITED	= 1 << 7,	/* the task ended there */
	SP_RAW_STACK_WAKER	= 1 << 8,	/* of whoever woke the task */
	SP_RAW_STACK_IRQ	= 1 << 9,	/* waker: a hard interrupt */
	SP_RAW_STACK_SOFTIRQ	= 1 << 10,	/* waker: a softirq */
	SP_RAW_STACK_IRQS_OFF	= 1 << 11,	/* interrupts were off until there */
	SP_RAW_STACK_CALLS	= 1 << 12,	/* instrumented functions, not return
						 * addresses: mode function
						 */
	SP_RAW_STACK_IDLE	= 1 << 13,	/* kernel: a task that waits for work: its
						 * function is one of config.idle_waits
						 */
	SP_RAW_STACK_ON_CPU	= 1 << 14,	/* kernel, mode wall: on a CPU there, */
	SP_RAW_STACK_QUEUED	= 1 << 15,	/* or waiting for one; both: interrupts had its
						 * time there; else asleep
						 */
	/* User: three bits, a number of enum sp_raw_stack_end. */
	SP_RAW_STACK_END	= 7 << 16,
};

#define SP_RAW_STACK_END_SHIFT	16

/* Why a user stack ends where it does. */
enum sp_raw_stack_end {
	SP_RAW_STACK_END_NOT	= 0,	/* not said: no unwind tables were asked */
	SP_RAW_STACK_END_COMPLETE = 1,	/* nobody called the outermost function */
	SP_RAW_STACK_END_TABLE	= 2,	/* there was no unwind table for the outermost */
	SP_RAW_STACK_END_RULE	= 3,	/* there was one, but no rule in it */
	SP_RAW_STACK_END_MEMORY	= 4,	/* the caller's address was not in memory */
	SP_RAW_STACK_END_GUESSED = 5,	/* complete, but for frames that were guessed */
};

/*
 * frames addresses follow, innermost first. All but those of SP_RAW_STACK_CALLS are where calls
 * return to; of a program, the innermost one is where it goes on.
 */
struct sp_raw_stack {
	__u32 number;		/* never 0 */
	__u32 flags;		/* enum sp_raw_stack_flags */
	__u32 frames;
	__u32 guessed;		/* user: of frames, from 1 on: the first one that was found by
				 * a frame pointer, where no table said it; 0: none
				 */
	char waker[16];		/* with SP_RAW_STACK_WAKER: its name */
};

/*
 * Where in its program a waker was: of a stack with SP_RAW_STACK_WAKER, which came before, as
 * did the user stack. It is the one of the thread that woke; the process is told.
 */
struct sp_raw_waker {
	__u32 stack;		/* number of the waker's */
	__u32 user;		/* and of the user stack */
	__u32 image;		/* in mappings; 0: not known */
	__u32 exec_id;		/* tells programs of one process apart */
	__u64 start_ns;		/* of the process */
	__s32 tgid;		/* as the initial PID namespace sees it */
	__u32 reserved;
};

enum sp_raw_task_flags {
	SP_RAW_TASK_KTHREAD	= 1 << 0,
	SP_RAW_TASK_EXITED	= 1 << 1,	/* it is gone, or runs another program */
	SP_RAW_TASK_FOLDED	= 1 << 2,	/* [exited]: many that are gone */
	SP_RAW_TASK_LOST	= 1 << 3,	/* [lost]: no room for a row */
	/* Never by the module, but in files that were merged from several. */
	SP_RAW_TASK_GROUP	= 1 << 30,	/* it stands for several */
};

/*
 * A control group of version 2 that tasks are in, or were when they ended. Its path follows,
 * without a NUL, as after 0:: in /proc/PID/cgroup.
 */
struct sp_raw_cgroup {
	__u32 number;		/* never 0 */
	__u32 reserved;
	__u64 id;		/* as the kernel has it: its inode; 0: not known */
};

/* A task, running one program; after exec it is another. */
struct sp_raw_task {
	__u32 number;		/* never 0 */
	__s32 tid;		/* as the initial PID namespace sees it */
	__s32 tgid;
	__u32 flags;		/* enum sp_raw_task_flags */
	__u64 start_ns;		/* tells tasks with the same tid apart */
	__u64 leader_start_ns;	/* the same of the process */
	__u32 image;		/* in mappings; 0: not known */
	__u32 exec_id;		/* tells programs of one task apart */
	char comm[16];
	char leader_comm[16];
	__u32 cgroup;		/* number of its SP_RAW_CGROUP; 0: not known */
	__u32 reserved;
};

enum sp_raw_entry_flags {
	SP_RAW_ENTRY_OPEN	= 1 << 0,	/* an interval that goes on is in it */
	SP_RAW_ENTRY_LOST_STACK	= 1 << 1,	/* there was no room for its stacks */
};

/* The figures of one key: a task and its stacks. */
struct sp_raw_entry {
	__u32 task;
	__u32 kernel;		/* numbers of stacks; 0: none */
	__u32 user;
	__u32 waker;
	__u64 total;		/* mode function: without functions called */
	__u64 count;
	__u64 max;		/* the longest; mode function: with functions called */
	__u64 max_at;		/* when it ended */
	__u32 max_cpu;
	__u32 flags;		/* enum sp_raw_entry_flags */
	__u64 inclusive;	/* mode function: with functions called */
};

/*
 * The books of a task, with ledger, interrupts or blame; tid 0: of those that exited and were
 * folded. The four times add up to how long it was observed. The last three are of oncpu what
 * was not its own, with interrupts; versions before had no such fields.
 */
struct sp_raw_ledger {
	__s32 tid;
	__s32 tgid;
	__u64 start_ns;		/* as of the task */
	__u64 oncpu;
	__u64 runqueue;
	__u64 sleep;
	__u64 disk;
	__u32 switches_vol;	/* these four end at 2^32 - 1 */
	__u32 switches_invol;
	__u32 wakeups;
	__u32 migrations;
	char comm[16];
	__u64 irq;		/* hard interrupts */
	__u64 softirq;		/* but for those that a thread of their own ran */
	__u64 stolen;		/* by the hypervisor, as far as it tells */
};

/* What a wait for a CPU is put down to. */
enum sp_raw_culprit {
	SP_RAW_CULPRIT_TASK	= 0,
	SP_RAW_CULPRIT_IDLE	= 1,	/* the CPU idled all the same */
	SP_RAW_CULPRIT_INTERRUPTS = 2,
	SP_RAW_CULPRIT_OTHER_CPU = 3,	/* before the task was moved to the CPU where it ran */
	SP_RAW_CULPRIT_THROTTLED = 4,
	SP_RAW_CULPRIT_EARLIER	= 5,	/* nobody remembers who ran then */
	SP_RAW_CULPRIT_EXITED	= 6,	/* many that are gone */
	SP_RAW_CULPRIT_LOST	= 7,	/* there was no room */
};

enum sp_raw_blame_flags {
	SP_RAW_BLAME_SELF	= 1 << 0,	/* the culprit is of the same process */
	SP_RAW_BLAME_GROUP	= 1 << 1,	/* merged: who waited are several; tid may be 0 */
};

/*
 * What a task waited for a CPU while that culprit ran there, with blame. All of a task are
 * runqueue of its SP_RAW_LEDGER.
 */
struct sp_raw_blame {
	__s32 tid;		/* of who waited, as in its books */
	__s32 tgid;
	__u64 start_ns;
	__u32 culprit;		/* enum sp_raw_culprit; others: as SP_RAW_CULPRIT_LOST */
	__u32 flags;		/* enum sp_raw_blame_flags */
	__s32 culprit_tid;	/* of a task; else 0, as the next three */
	__s32 culprit_tgid;
	__u64 culprit_start_ns;
	__u64 total;
	__u64 count;		/* pieces of waits */
	__u64 longest;		/* of these */
	char comm[16];
	char leader_comm[16];	/* of the process */
	char culprit_comm[16];
	char culprit_leader_comm[16];
	__u32 cgroup;		/* numbers of their SP_RAW_CGROUP; 0: not known */
	__u32 culprit_cgroup;
};

/* How many intervals were at least so long, and shorter than that; in us or cycles. */
struct sp_raw_histogram {
	__u64 low;
	__u64 high;
	__u64 count;
};

enum sp_raw_function_flags {
	SP_RAW_FUNCTION_THROTTLED = 1 << 0,
};

/* An instrumented function; its name follows, without a NUL. */
struct sp_raw_function {
	__u64 address;		/* of its entry, as in stacks and symbols */
	__u64 calls;		/* timed */
	__u64 missed;		/* called, but not timed; 0: not known of one function */
	__u32 flags;		/* enum sp_raw_function_flags */
	__u32 reserved;
};

enum sp_raw_event_flags {
	SP_RAW_EVENT_IRQS_OFF	= 1 << 0,	/* mode nosched: interrupts were off */
	SP_RAW_EVENT_LOST_STACK	= 1 << 1,	/* there was no room for its stacks */
};

/*
 * One interval; the one that ended first comes first. Its task need not have a
 * record: it may have been folded into [exited].
 */
struct sp_raw_event {
	__u64 at;		/* when it ended */
	__u64 length;
	__u64 start_ns;		/* of the task, as in its record */
	__u64 function;		/* mode function: address of its entry; else 0 */
	__s32 tid;
	__s32 tgid;
	__u32 exec_id;		/* as of the task */
	__u32 image;		/* in mappings; 0: not known */
	__u32 cpu;
	__u32 flags;		/* enum sp_raw_event_flags */
	__u32 kernel;		/* numbers of stacks; 0: none */
	__u32 user;
	__u32 waker;
	__u32 depth;		/* mode function: functions around it */
	char comm[16];
};

struct sp_raw_end {
	__u64 records;		/* in this sequence, this one included */
};

#endif
