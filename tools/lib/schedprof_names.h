/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of kernel addresses and user frames. Part of schedprof.h: include that.
 */
#ifndef SCHEDPROF_NAMES_H
#define SCHEDPROF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <schedprof_snapshot.h>

struct schedprof_error;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Names of kernel addresses from elsewhere ---- */

/* A table of the kernel's symbols. Never changes once it is there. */
struct schedprof_kernel;

/**
 * schedprof_kernel_load() - read a table of symbols
 * @path: a System.map, or a copy of /proc/kallsyms; NULL: /proc/kallsyms itself
 * @error: why not, or NULL
 *
 * Return: the table, for schedprof_kernel_free(); or NULL: SCHEDPROF_NOT_ROOT if the
 * kernel hides the addresses, SCHEDPROF_DAMAGED if it is no such file.
 */
struct schedprof_kernel *schedprof_kernel_load(const char *path,
					       struct schedprof_error *error);

/**
 * schedprof_kernel_free() - give a table back
 * @kernel: or NULL
 */
void schedprof_kernel_free(struct schedprof_kernel *kernel);

/**
 * schedprof_kernel_find() - the function that an address is in
 * @kernel: the table
 * @address: exactly that; of a return address, look up the byte before it
 * @symbol: filled in but for text, which becomes NULL; its size is the distance to the
 *	next symbol
 * @size: sizeof(*symbol)
 *
 * Return: false if it is in none.
 */
bool schedprof_kernel_find(const struct schedprof_kernel *kernel, uint64_t address,
			   struct schedprof_symbol *symbol, size_t size);

/* ---- Names of user frames ---- */

/*
 * Looks into programs, libraries and their separate debug files, each opened once.
 * Several threads may use one at once: it has a lock.
 */
struct schedprof_symbolizer;

/* Where in a program a file offset is. */
struct schedprof_place {
	const char *function;	/* demangled; NULL: not known */
	const char *linkage_name;	/* as in the symbol table; NULL: not known */
	uint64_t offset;	/* in the function */
	const char *source;	/* path of the source file; NULL: not known */
	unsigned int line;	/* 0: not known */
	unsigned int reserved0;
	const char *build_id;	/* in hexadecimal; NULL: has none */
};

/**
 * schedprof_symbolizer_open() - make a symbolizer
 * @error: why not, or NULL
 *
 * Return: it, or NULL; SCHEDPROF_UNSUPPORTED if the library was built without libdw.
 */
struct schedprof_symbolizer *
schedprof_symbolizer_open(struct schedprof_error *error);

/**
 * schedprof_symbolizer_close() - give a symbolizer back
 * @symbolizer: or NULL. What it returned is gone then.
 */
void schedprof_symbolizer_close(struct schedprof_symbolizer *symbolizer);

/**
 * schedprof_symbolizer_set_root() - look for all files below a directory
 * @symbolizer: the symbolizer
 * @root: for example a copy of another machine's files, "/"; copied
 * @error: why not, or NULL
 *
 * Files are no longer looked for through /proc/PID/root then.
 *
 * Return: 0, or a negative code.
 */
int schedprof_symbolizer_set_root(struct schedprof_symbolizer *symbolizer,
				  const char *root, struct schedprof_error *error);

/**
 * schedprof_symbolizer_set_debug_path() - where separate debug files are
 * @symbolizer: the symbolizer
 * @path: directories, separated by colons; the default is /usr/lib/debug; copied
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_symbolizer_set_debug_path(struct schedprof_symbolizer *symbolizer,
					const char *path,
					struct schedprof_error *error);

/**
 * schedprof_symbolizer_set_servers() - whether servers are asked for debug files
 * @symbolizer: the symbolizer
 * @asked: those of DEBUGINFOD_URLS, with the build-ids of files whose debug files are not
 *	here; at first, nobody is asked
 * @error: why not, or NULL
 *
 * What a server gives counts if it has the build-id that was asked for.
 *
 * Return: 0, or a negative code.
 */
int schedprof_symbolizer_set_servers(struct schedprof_symbolizer *symbolizer, bool asked,
				     struct schedprof_error *error);

/**
 * schedprof_symbolize() - find the function at an offset of a file
 * @symbolizer: the symbolizer
 * @pid: a process that mapped it: the file is looked for through /proc/PID/root (so
 *	that those of containers are found) as long as that process lives; 0: none
 * @path: of the file, as that process sees it
 * @offset: in the file; exactly that: of a return address, the byte before it
 * @place: filled in; the strings are valid as long as the symbolizer
 * @size: sizeof(*place)
 * @error: why not, or NULL
 *
 * The file is the one that has that path now. Whoever has a recording asks
 * schedprof_frame(), which takes no other file than the one that ran. A file that others
 * than root and the caller may change is copied into memory, so that nobody cuts it
 * meanwhile: up to 1 GiB of all of them together.
 *
 * Return: 0, or a negative code; SCHEDPROF_NOT_FOUND if there is no file, it is not an
 * ELF file, or nothing is known of that offset; SCHEDPROF_TOO_LARGE if it cannot be copied,
 * or there is no room, see schedprof_symbolizer_is_full().
 */
int schedprof_symbolize(struct schedprof_symbolizer *symbolizer, int pid,
			const char *path, uint64_t offset,
			struct schedprof_place *place, size_t size,
			struct schedprof_error *error);

/* Why a frame has no name. */
enum schedprof_missing {
	SCHEDPROF_MISSING_NOTHING = 0,
	SCHEDPROF_MISSING_FILE	= 1,	/* it is not there; of generated code, none
					 * that tells of it is
					 */
	SCHEDPROF_MISSING_OTHER_FILE = 2, /* what is there is not what ran */
	SCHEDPROF_MISSING_IDENTITY = 3,	/* the snapshot does not say which file it was */
	SCHEDPROF_MISSING_SYMBOLS = 4,	/* the file is there, but does not have the name */
	SCHEDPROF_MISSING_TOO_LARGE = 5, /* others may change the file, and it cannot be copied;
					  * or there is no room, see
					  * schedprof_symbolizer_is_full()
					  */
};

/**
 * schedprof_symbolizer_missing_at() - files whose functions could not be named so far
 * @symbolizer: the symbolizer
 * @index: from 0
 * @why: filled in: SCHEDPROF_MISSING_FILE, SCHEDPROF_MISSING_OTHER_FILE or
 *	SCHEDPROF_MISSING_TOO_LARGE
 * @build_id: filled in with that of the file that ran, in hexadecimal; NULL: it is not
 *	known; may be NULL
 *
 * Return: the path, valid as long as the symbolizer; NULL if there are no more.
 */
const char *
schedprof_symbolizer_missing_at(struct schedprof_symbolizer *symbolizer, size_t index,
				int *why, const char **build_id);

/**
 * schedprof_symbolizer_is_full() - is there code without names for want of room?
 * @symbolizer: the symbolizer
 *
 * Whoever runs programs chooses how much they tell. Of what they tell of the code that they
 * generated 1 GiB is kept, and of names and paths of sources 256 MiB, of all of a recording
 * together; a name has less than 64 KiB. Of one perf-PID.map or jit-PID.dump it is a million
 * functions (1,048,576) with 256 MiB of names and lines of sources, and of a map 1 GiB is read: one
 * with more is not used at all, or, if it tells times, up to where it is too much. Of files that
 * others may change, as may root of a container, 1 GiB is copied, and eight thousand million
 * symbols are looked at: all of a file for each address. For checksums of separate debug files
 * (of programs without a build-id) 4 GiB are read, and so many debug files are open as leave a
 * sixteenth of RLIMIT_NOFILE. Frames beyond that have SCHEDPROF_MISSING_TOO_LARGE.
 *
 * Return: true if there was such a frame so far.
 */
bool schedprof_symbolizer_is_full(struct schedprof_symbolizer *symbolizer);

/**
 * schedprof_demangle() - the name of a C++ or Rust function as its author wrote it
 * @name: as in the symbol table
 *
 * Return: the name to be freed; or NULL if it is not mangled, in a way that the library
 * does not know, or so that it has 64 KiB and more: a few hundred bytes can mean gigabytes.
 */
char *schedprof_demangle(const char *name);

/* ---- Frames: what a stack says ---- */

/* Where names come from, beside the snapshot, and what they mean. Each may be NULL. */
struct schedprof_names {
	size_t size;		/* sizeof(struct schedprof_names) */
	const struct schedprof_kernel *kernel;	/* if the snapshot has no name */
	struct schedprof_symbolizer *user;	/* NULL: path+0xoffset only */
	const struct schedprof_idle_waits *idle_waits;	/* NULL: as the module says */
};

/*
 * Code that a program generated is named by what the program told: in
 * /tmp/perf-PID.map, or in a file jit-PID.dump. These count if they are of the user of the
 * process, or root's, and were written to since the process began; of one that has ended,
 * if they are of the user who asks, or root's.
 */
enum schedprof_frame_kind {
	SCHEDPROF_FRAME_KERNEL	= 0,
	SCHEDPROF_FRAME_FILE	= 1,	/* user: path and file_offset */
	SCHEDPROF_FRAME_VDSO	= 2,	/* user: file_offset in it */
	SCHEDPROF_FRAME_ANON	= 3,	/* user: generated code; file_offset in it */
	SCHEDPROF_FRAME_UNKNOWN	= 4,	/* user: no mapping is known: it exited */
};

/* One frame. Strings are valid as long as the snapshot and the names. */
struct schedprof_frame {
	int kind;		/* enum schedprof_frame_kind */
	unsigned int line;	/* of source; 0: not known */
	uint64_t address;
	const char *function;	/* NULL: not known */
	uint64_t offset;	/* in the function */
	uint64_t size;		/* of the function; 0: not known */
	const char *module;	/* kernel: NULL is the kernel itself */
	const char *path;	/* SCHEDPROF_FRAME_FILE, else NULL */
	uint64_t file_offset;
	const char *source;	/* NULL: not known */
	const char *build_id;	/* SCHEDPROF_FRAME_FILE: of the file; NULL: not known */
	int missing;		/* enum schedprof_missing: why there is no function */
	unsigned int returns;	/* bytes from what runs there to address, where a call returns to */
};

/**
 * schedprof_frame() - what one frame of a stack is
 * @recording: the snapshot
 * @task: whose stack it is; tells which mappings count
 * @stack: one of the snapshot's
 * @index: of the frame, below frame_count; 0 is the innermost
 * @names: where else to look; may be NULL
 * @frame: filled in
 * @size: sizeof(*frame)
 *
 * A user frame is named by the very file that ran: its build-id tells, or, where that
 * is not known, device, inode, generation and time of its last change. It is looked for
 * in the process, if it still lives, by its path, and by its build-id. A frame that
 * nothing is known of is no failure: function is NULL then.
 *
 * Return: false if @index is too large.
 */
bool schedprof_frame(const struct schedprof_recording *recording,
		     const struct schedprof_task *task,
		     const struct schedprof_stack *stack, size_t index,
		     const struct schedprof_names *names,
		     struct schedprof_frame *frame, size_t size);

/**
 * schedprof_event_frame() - what one frame of an event's stack is
 * @recording: the snapshot
 * @event: one of its events
 * @stack: its kernel, user or waker
 * @index: of the frame, below frame_count; 0 is the innermost
 * @names: where else to look; may be NULL
 * @frame: filled in
 * @size: sizeof(*frame)
 *
 * As schedprof_frame(), for those whose task need not have a record.
 *
 * Return: false if @index is too large.
 */
bool schedprof_event_frame(const struct schedprof_recording *recording,
			   const struct schedprof_event *event,
			   const struct schedprof_stack *stack, size_t index,
			   const struct schedprof_names *names,
			   struct schedprof_frame *frame, size_t size);

enum schedprof_style {
	SCHEDPROF_PLAIN		= 0,	/* as in top: function+0xoff/0xsize [module] */
	SCHEDPROF_FOLDED	= 1,	/* as in folded: function_[k], no blanks */
	SCHEDPROF_NAMED		= 2,	/* as folded, but with what names have of blanks */
};

/**
 * schedprof_frame_text() - a frame as text
 * @frame: the frame
 * @frame_size: sizeof(*frame)
 * @style: enum schedprof_style. A user frame is its function's name (in plain with
 *	+0xoff and the path in brackets, or [anon]) if that is known, else path+0xoffset,
 *	[vdso]+0xoffset, [anon]+0xoffset or [exited]+0xaddress
 * @text: filled in, cut if need be, with a NUL; names cannot forge lines, frames or
 *	control sequences
 * @size: of @text in bytes; 0: only the length is wanted
 *
 * Return: the length that the whole text has, without the NUL, as snprintf().
 */
size_t schedprof_frame_text(const struct schedprof_frame *frame, size_t frame_size,
			    int style, char *text, size_t size);

/**
 * schedprof_stack_remark() - what is to be said of a stack beside its frames
 * @stack: the stack
 * @index: from 0
 *
 * Return: for example "[cut]", "[no frame pointer]", "[task moved]"; NULL if there is
 * no more.
 */
const char *schedprof_stack_remark(const struct schedprof_stack *stack,
				   size_t index);

/**
 * schedprof_waker_name() - who woke a task
 * @stack: one with SCHEDPROF_STACK_WAKER
 *
 * Return: a name, "[interrupt]", "[softirq]" or "[not seen]".
 */
const char *schedprof_waker_name(const struct schedprof_stack *stack);

/* ---- Waits for work: time that is no problem ---- */

/* Functions in which tasks wait for work, beside those that the module knows. */
struct schedprof_idle_waits;

/**
 * schedprof_idle_waits_load() - read a list of functions
 * @path: of a file with a name on each line; # begins a comment; "-name" says that a wait
 *	there is none for work, and the last line about a function counts
 * @error: why not, or NULL
 *
 * A name is that of a function of the kernel which waits, or of one of a program which
 * waits for a futex by the C library's pthread_cond_wait() and the like. Arguments of C++
 * functions may be left out.
 *
 * Return: the list, for struct schedprof_names; or NULL.
 */
struct schedprof_idle_waits *schedprof_idle_waits_load(const char *path,
						       struct schedprof_error *error);

/**
 * schedprof_idle_waits_free() - free a list
 * @list: or NULL
 */
void schedprof_idle_waits_free(struct schedprof_idle_waits *list);

/**
 * schedprof_entry_is_idle() - is an entry time that a task waited for work?
 * @recording: the snapshot
 * @entry: one of its entries
 * @names: with idle_waits, or NULL: then it is as SCHEDPROF_STACK_IDLE of its kernel
 *	stack says
 */
bool schedprof_entry_is_idle(const struct schedprof_recording *recording,
			     const struct schedprof_entry *entry,
			     const struct schedprof_names *names);

/**
 * schedprof_event_is_idle() - is an event a wait for work?
 * @recording: the snapshot
 * @event: one of its events
 * @names: as for schedprof_entry_is_idle()
 */
bool schedprof_event_is_idle(const struct schedprof_recording *recording,
			     const struct schedprof_event *event,
			     const struct schedprof_names *names);

/* What shares one row. */
enum schedprof_by {
	SCHEDPROF_BY_THREAD	= 0,
	SCHEDPROF_BY_PROCESS	= 1,
	SCHEDPROF_BY_COMM	= 2,
	SCHEDPROF_BY_CGROUP	= 3,
};

/**
 * schedprof_entry_folded() - an entry's key in one line, as in the file folded
 * @recording: the snapshot
 * @entry: one of its entries
 * @by: enum schedprof_by: comm-TID, comm-TGID or comm is how it begins
 * @names: where else to look for names; may be NULL
 * @error: why not, or NULL
 *
 * Return: "comm-TID;outermost;...;innermost_[k]" without a value, with
 * "[waiting_for_work]" before the outermost frame if schedprof_entry_is_idle(), to be
 * freed; or NULL with SCHEDPROF_NO_MEMORY.
 */
char *schedprof_entry_folded(const struct schedprof_recording *recording,
			     const struct schedprof_entry *entry, int by,
			     const struct schedprof_names *names,
			     struct schedprof_error *error);

/**
 * schedprof_task_text() - a task as text, as folded stacks begin
 * @task: one of a snapshot's, or of an entry's
 * @by: enum schedprof_by: comm-TID, comm-TGID or comm
 * @style: enum schedprof_style
 * @text: filled in, cut if need be, with a NUL
 * @size: of @text in bytes; 0: only the length is wanted
 *
 * Return: the length that the whole text has, without the NUL, as snprintf().
 */
size_t schedprof_task_text(const struct schedprof_task *task, int by, int style,
			   char *text, size_t size);

/**
 * schedprof_task_group() - what stands for a task in a row that it shares
 * @task: one of a snapshot's
 * @by: enum schedprof_by; by thread, it is the task itself
 * @group: filled in, with the names and numbers that all in the row have: those with the same
 *	tid, comm and cgroup, and the same of SCHEDPROF_TASK_FOLDED and SCHEDPROF_TASK_LOST
 * @size: sizeof(*group)
 *
 * As schedprof_merge() has it. Only the task itself tells what its frames are.
 */
void schedprof_task_group(const struct schedprof_task *task, int by,
			  struct schedprof_task *group, size_t size);

/*
 * One level of the stacks of an entry, as folded stacks have it between two semicolons: a
 * frame, or what is said of them, for example "[cut]". Valid while it is told.
 */
struct schedprof_level {
	const struct schedprof_frame *frame;	/* NULL: text is all there is */
	const char *text;	/* NULL: a frame */
	bool kernel;		/* of the kernel's part of the stacks */
};

/* Who is told of a level; @size is that of the struct. */
typedef void (*schedprof_level_visit)(const struct schedprof_level *level, size_t size,
				      void *data);

/**
 * schedprof_entry_levels() - tell of the stacks of an entry, from the outermost level on
 * @recording: the snapshot
 * @entry: one of its entries
 * @names: where else to look for names; may be NULL
 * @visit: is called with each level, in the order of folded stacks; the task is none
 * @data: is handed to it
 */
void schedprof_entry_levels(const struct schedprof_recording *recording,
			    const struct schedprof_entry *entry,
			    const struct schedprof_names *names,
			    schedprof_level_visit visit, void *data);

/**
 * schedprof_level_text() - a level as text
 * @level: the level
 * @level_size: its size, as it was told
 * @style: enum schedprof_style, as for schedprof_frame_text()
 * @text: filled in, cut if need be, with a NUL
 * @size: of @text in bytes; 0: only the length is wanted
 *
 * Return: the length that the whole text has, without the NUL, as snprintf().
 */
size_t schedprof_level_text(const struct schedprof_level *level, size_t level_size,
			    int style, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
