/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libschedprof: control the kernel module schedprof and read what it recorded.
 *
 * There is no global state. Different handles may be used by different threads at
 * the same time; one handle by one thread at a time, but for functions that take a
 * pointer to const: those may be called at once on the same handle.
 *
 * Functions that can fail return 0 or a pointer, and a negative enum schedprof_code
 * or NULL if they failed. They then fill in what their last argument points to,
 * unless it is NULL: why, in one sentence that also says what to do.
 *
 * A char * that is returned belongs to the caller, who calls free(). A const pointer
 * belongs to the handle that it was asked of and is valid as long as that, unless it
 * is said otherwise. No function but those of struct schedprof changes anything in
 * the kernel.
 *
 * Structs only ever grow at their end. Of those that the caller allocates, the
 * functions are told the size: a library that knows less sets what it does not know to
 * zero, and one that knows more leaves alone what is behind. struct schedprof_error
 * stays as it is.
 */
#ifndef SCHEDPROF_H
#define SCHEDPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <schedprof_names.h>
#include <schedprof_snapshot.h>
#include <schedprof_unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCHEDPROF_VERSION	"0.1.0"	/* as the module's */

/* What a call can fail with, negated. */
enum schedprof_code {
	SCHEDPROF_OK		= 0,
	SCHEDPROF_NO_MODULE	= 1,	/* it is not loaded */
	SCHEDPROF_NOT_MOUNTED	= 2,	/* configfs or debugfs */
	SCHEDPROF_NOT_ROOT	= 3,
	SCHEDPROF_NO_SESSION	= 4,	/* of that name */
	SCHEDPROF_EXISTS	= 5,	/* a session of that name, or a file */
	SCHEDPROF_REFUSED	= 6,	/* by the module; message is its last_error */
	SCHEDPROF_BUSY		= 7,	/* the same, and it would do after a stop */
	SCHEDPROF_DAMAGED	= 8,	/* a recording, at offset */
	SCHEDPROF_TRUNCATED	= 9,	/* a recording ends too early, at offset */
	SCHEDPROF_NEWER		= 10,	/* a recording that needs a newer library */
	SCHEDPROF_INVALID	= 11,	/* an argument */
	SCHEDPROF_NO_MEMORY	= 12,
	SCHEDPROF_IO		= 13,	/* a system call failed: system_errno */
	SCHEDPROF_UNSUPPORTED	= 14,	/* the library was built without it */
	SCHEDPROF_NOT_FOUND	= 15,	/* an attribute, statistic, file or symbol */
	SCHEDPROF_OTHER_FILE	= 16,	/* what has the path now is not what ran */
	SCHEDPROF_TOO_LARGE	= 17,	/* a recording or a program, for what may be taken of it */
};

/* Why a call failed. Allocated by the caller; need not be initialized. Never grows. */
struct schedprof_error {
	int code;		/* enum schedprof_code, not negated */
	int system_errno;	/* 0: no system call failed */
	uint64_t offset;	/* of damage, in bytes; if the packing is damaged, of the file */
	char message[1000];	/* one sentence, no newline */
};

/**
 * schedprof_version() - the version of the library in use
 *
 * Return: for example "0.1.0".
 */
const char *schedprof_version(void);

/* ---- Control: sessions of the running kernel ---- */

struct schedprof;

#define SCHEDPROF_NAME_SIZE	64	/* of a session's name, with the NUL */

enum schedprof_state {
	SCHEDPROF_DISABLED	= 0,
	SCHEDPROF_ENABLED	= 1,
	SCHEDPROF_EXPIRED	= 2,	/* disabled by duration_ms */
};

struct schedprof_status {
	int state;		/* enum schedprof_state */
	double seconds;		/* recorded */
	uint64_t memory_bytes;	/* held */
};

/**
 * schedprof_open() - a handle for control
 * @configfs: the module's directory there; NULL: found by /proc/self/mounts
 * @debugfs: the module's directory there; NULL: the same
 * @error: why not, or NULL
 *
 * Return: the handle, or NULL with SCHEDPROF_NO_MODULE, SCHEDPROF_NOT_MOUNTED (each
 * says which command helps), SCHEDPROF_NOT_ROOT or SCHEDPROF_NO_MEMORY.
 */
struct schedprof *schedprof_open(const char *configfs, const char *debugfs,
				 struct schedprof_error *error);

/**
 * schedprof_close() - give a handle back
 * @handle: or NULL. Sessions stay.
 */
void schedprof_close(struct schedprof *handle);

/**
 * schedprof_configfs() - where control is
 * @handle: the handle
 *
 * Return: for example "/sys/kernel/config/schedprof".
 */
const char *schedprof_configfs(const struct schedprof *handle);

/**
 * schedprof_debugfs() - where results are
 * @handle: the handle
 *
 * Return: for example "/sys/kernel/debug/schedprof".
 */
const char *schedprof_debugfs(const struct schedprof *handle);

/**
 * schedprof_create() - make a session, as mkdir does
 * @handle: the handle
 * @session: its name: no slash, shorter than SCHEDPROF_NAME_SIZE
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code; SCHEDPROF_EXISTS among them.
 */
int schedprof_create(const struct schedprof *handle, const char *session,
		     struct schedprof_error *error);

/**
 * schedprof_create_unique() - make a session with a name that nobody has
 * @handle: the handle
 * @prefix: the name begins with; a dash, the caller's PID and a number follow:
 *	"run" gives for example "run-4711-0"
 * @session: filled with the name
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_create_unique(const struct schedprof *handle, const char *prefix,
			    char session[SCHEDPROF_NAME_SIZE],
			    struct schedprof_error *error);

/**
 * schedprof_remove() - stop a session and free it, as rmdir does
 * @handle: the handle
 * @session: its name
 * @error: why not, or NULL
 *
 * May be called in a signal handler's wake, but not in the handler.
 *
 * Return: 0, or a negative code.
 */
int schedprof_remove(const struct schedprof *handle, const char *session,
		     struct schedprof_error *error);

/**
 * schedprof_list() - the names of all sessions, sorted
 * @handle: the handle
 * @count: filled with their number
 * @error: why not, or NULL
 *
 * Return: as many names and a NULL, for schedprof_list_free(); or NULL.
 */
char **schedprof_list(const struct schedprof *handle, size_t *count,
		      struct schedprof_error *error);

/**
 * schedprof_list_free() - give back what schedprof_list() returned
 * @names: or NULL
 */
void schedprof_list_free(char **names);

/**
 * schedprof_get() - read an attribute
 * @handle: the handle
 * @session: its name; NULL: an attribute of the module itself, such as "version"
 * @attribute: for example "mode"
 * @error: why not, or NULL
 *
 * Values that are too long for the attribute's file are read from the session's
 * file config.
 *
 * Return: the full value without a newline at its end, to be freed; or NULL.
 */
char *schedprof_get(const struct schedprof *handle, const char *session,
		    const char *attribute, struct schedprof_error *error);

/**
 * schedprof_set() - write an attribute
 * @handle: the handle
 * @session: its name; NULL: an attribute of the module itself, such as "hook"
 * @attribute: for example "pids"
 * @value: for example "12 34"; lists of any length: what does not fit in one write
 *	is added with "+" in as many as it takes
 * @error: why not, or NULL
 *
 * A value that is refused changes nothing (of a list that takes several writes, what
 * was written before stays), and the message is what the module says in last_error.
 *
 * Return: 0, or a negative code: SCHEDPROF_BUSY if the attribute cannot change while
 * the session is enabled, SCHEDPROF_REFUSED, SCHEDPROF_NOT_FOUND, ...
 */
int schedprof_set(const struct schedprof *handle, const char *session,
		  const char *attribute, const char *value,
		  struct schedprof_error *error);

/**
 * schedprof_start() - enable a session, which clears what it recorded before
 * @handle: the handle
 * @session: its name
 * @error: why not, or NULL
 *
 * Return: 0, also if it is enabled already; or a negative code.
 */
int schedprof_start(const struct schedprof *handle, const char *session,
		    struct schedprof_error *error);

/**
 * schedprof_stop() - disable a session; its results stay
 * @handle: the handle
 * @session: its name
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_stop(const struct schedprof *handle, const char *session,
		   struct schedprof_error *error);

/**
 * schedprof_reset() - clear what a session recorded, and go on
 * @handle: the handle
 * @session: its name
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_reset(const struct schedprof *handle, const char *session,
		    struct schedprof_error *error);

/**
 * schedprof_status() - what a session does
 * @handle: the handle
 * @session: its name
 * @status: filled in
 * @size: sizeof(*status)
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_status(const struct schedprof *handle, const char *session,
		     struct schedprof_status *status, size_t size,
		     struct schedprof_error *error);

/**
 * schedprof_stat() - one figure of a session's file stats
 * @handle: the handle
 * @session: its name
 * @name: for example "lost_entries"; names ending in _ns are in nanoseconds
 * @value: filled in
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code; SCHEDPROF_NOT_FOUND if there is no such figure.
 */
int schedprof_stat(const struct schedprof *handle, const char *session,
		   const char *name, uint64_t *value,
		   struct schedprof_error *error);

/**
 * schedprof_read_text() - a whole result file of a session
 * @handle: the handle
 * @session: its name; NULL: a file of the module itself, such as "selfcheck"
 * @file: "top", "by_task", "folded", "tasks", "blame", "functions", "events", "histogram",
 *	"stats", "config"
 * @size: filled with the number of bytes, without the NUL; may be NULL
 * @error: why not, or NULL
 *
 * Return: the text with a NUL at its end, to be freed; or NULL.
 */
char *schedprof_read_text(const struct schedprof *handle, const char *session,
			  const char *file, size_t *size,
			  struct schedprof_error *error);

/* ---- Reading: snapshots from a session, a file, a stream, memory ---- */

/* What snapshots are read from, one after the other. */
struct schedprof_reader;

/* One snapshot: everything that a session knew at one moment. In memory. */
struct schedprof_recording;

/* Of one packed snapshot, in bytes; see schedprof_reader_limit(). */
#define SCHEDPROF_LIMIT	67108864

/**
 * schedprof_read_session() - read the file raw of a session
 * @handle: the handle; not needed any more once this returns
 * @session: its name
 * @error: why not, or NULL
 *
 * Return: a reader of one snapshot, of this moment; or NULL.
 */
struct schedprof_reader *schedprof_read_session(const struct schedprof *handle,
						const char *session,
						struct schedprof_error *error);

/**
 * schedprof_read_path() - read a file of snapshots, packed by gzip or not
 * @path: of the file; "-" is standard input
 * @error: why not, or NULL
 *
 * Return: a reader, or NULL.
 */
struct schedprof_reader *schedprof_read_path(const char *path,
					     struct schedprof_error *error);

/**
 * schedprof_read_stream() - read snapshots from a stream, from where it stands
 * @stream: read to its end, not closed; must outlive the reader. What it delivers
 *	may be packed by gzip
 * @error: why not, or NULL
 *
 * Return: a reader, or NULL.
 */
struct schedprof_reader *schedprof_read_stream(FILE *stream,
					       struct schedprof_error *error);

/**
 * schedprof_read_memory() - read snapshots that are in memory, packed or not
 * @data: must outlive the reader, but not the recordings
 * @size: in bytes
 * @error: why not, or NULL
 *
 * Return: a reader, or NULL.
 */
struct schedprof_reader *schedprof_read_memory(const void *data, size_t size,
					       struct schedprof_error *error);

/**
 * schedprof_reader_close() - give a reader back
 * @reader: or NULL. Recordings that it returned stay.
 */
void schedprof_reader_close(struct schedprof_reader *reader);

/**
 * schedprof_reader_be_lenient() - be content with the snapshots before the damage
 * @reader: the reader
 *
 * From then on, damaged data are the end of the data for schedprof_next(), and
 * schedprof_reader_damage() tells. Only complete and correct snapshots are returned
 * in any case.
 */
void schedprof_reader_be_lenient(struct schedprof_reader *reader);

/**
 * schedprof_reader_limit() - how large snapshots may be
 * @reader: the reader
 * @bytes: of one snapshot, when it is unpacked; 0: as large as it is
 *
 * A packed file of some KB may unpack to more than there is memory. Unless this is
 * called, a packed snapshot may unpack to SCHEDPROF_LIMIT, or to 100 times its size,
 * whichever is more. schedprof_next() fails with SCHEDPROF_TOO_LARGE at a larger one.
 */
void schedprof_reader_limit(struct schedprof_reader *reader, uint64_t bytes);

/**
 * schedprof_reader_damage() - where a lenient reader stopped
 * @reader: the reader
 *
 * Return: why and where (SCHEDPROF_DAMAGED, SCHEDPROF_TRUNCATED or SCHEDPROF_NEWER),
 * or NULL if nothing was wrong.
 */
const struct schedprof_error *
schedprof_reader_damage(const struct schedprof_reader *reader);

/**
 * schedprof_next() - the next snapshot
 * @reader: the reader
 * @recording: filled with the snapshot, for schedprof_recording_free(); with NULL if
 *	there is none
 * @error: why not, or NULL
 *
 * Return: 1 if there is one, 0 at the end of the data, or a negative code. After a
 * failure the reader stays where it is: the next call fails the same way.
 */
int schedprof_next(struct schedprof_reader *reader,
		   struct schedprof_recording **recording,
		   struct schedprof_error *error);

/**
 * schedprof_load() - the last snapshot of a file, in one call
 * @path: as for schedprof_read_path()
 * @error: why not, or NULL
 *
 * Figures of a session only ever grow while it records, so the last snapshot of a
 * file has all of it.
 *
 * Return: the snapshot, for schedprof_recording_free(), or NULL; SCHEDPROF_TRUNCATED
 * if there is none.
 */
struct schedprof_recording *schedprof_load(const char *path,
					   struct schedprof_error *error);

/**
 * schedprof_recording_free() - give a snapshot back
 * @recording: or NULL
 */
void schedprof_recording_free(struct schedprof_recording *recording);

/* ---- Several snapshots: merge and diff ---- */

/**
 * schedprof_merge() - add snapshots up
 * @recordings: at least one; all in the same unit. Of snapshots of one session over
 *	time give the last only, since each has all that came before
 * @count: of them
 * @by: enum schedprof_by. By thread, tasks are the same if name, tid and tgid are; by
 *	process, if the leader's name and the tgid are; by comm, if the name is; by cgroup,
 *	if the path of the control group is, and then comm is "". So one snapshot
 *	and a @by make groups of its rows
 * @error: why not, or NULL
 *
 * Stacks are the same if their frames are the same functions and offsets, whatever the
 * addresses were. In the result numbers stand for addresses, and "addresses" is
 * "hidden". Statistics and histograms are added up; events are left out, and
 * "stats.lost_events" counts them.
 *
 * Return: a new snapshot, for schedprof_recording_free(); or NULL.
 */
struct schedprof_recording *
schedprof_merge(const struct schedprof_recording *const *recordings, size_t count,
		int by, struct schedprof_error *error);

/* Two snapshots side by side. */
struct schedprof_diff;

/* Never grows: rows have two of it. */
struct schedprof_figures {
	uint64_t total;		/* in schedprof_unit() */
	uint64_t count;
	uint64_t max;
	uint64_t inclusive;
};

/* One key that is in either. */
struct schedprof_diff_row {
	const char *comm;	/* by control group: its path */
	int32_t tid;		/* by process: the tgid; by comm or control group: 0 */
	uint32_t flags;		/* of enum schedprof_task_flags: SCHEDPROF_TASK_FOLDED and
				 * SCHEDPROF_TASK_LOST; else somebody has chosen the name
				 */
	const char *stack;	/* frames as in folded, without the first field; "" */
	struct schedprof_figures before;	/* zeros: not in it */
	struct schedprof_figures after;
};

/**
 * schedprof_diff() - compare two snapshots
 * @before: one of them
 * @after: the other; both in the same unit
 * @by: enum schedprof_by, as in schedprof_merge()
 * @names: where else to look for names; may be NULL
 * @error: why not, or NULL
 *
 * Rows are the same if their task and the functions in their stacks are the same (no
 * offsets), so that two builds can be compared. Also right for two snapshots of one
 * session: the differences are what happened in between.
 *
 * Return: the rows, those whose total changed most first; or NULL.
 */
struct schedprof_diff *schedprof_diff(const struct schedprof_recording *before,
				      const struct schedprof_recording *after,
				      int by, const struct schedprof_names *names,
				      struct schedprof_error *error);

/**
 * schedprof_diff_free() - give a comparison back
 * @diff: or NULL
 */
void schedprof_diff_free(struct schedprof_diff *diff);

size_t schedprof_diff_count(const struct schedprof_diff *diff);

const struct schedprof_diff_row *
schedprof_diff_at(const struct schedprof_diff *diff, size_t index);

/* ---- Writing ---- */

struct schedprof_writer;

enum schedprof_write_flags {
	SCHEDPROF_WRITE_GZIP	= 1 << 0,
	SCHEDPROF_WRITE_APPEND	= 1 << 1,	/* to the file itself, see below */
	SCHEDPROF_WRITE_EXCLUSIVE = 1 << 2,	/* SCHEDPROF_EXISTS if it is there */
};

/**
 * schedprof_writer_open() - begin a file of snapshots
 * @path: of the file, which has mode 0600; "-" is standard output
 * @flags: enum schedprof_write_flags
 * @error: why not, or NULL
 *
 * A file of that name is replaced by schedprof_writer_commit(), in one step; until
 * then nobody sees the new one. With SCHEDPROF_WRITE_APPEND, snapshots are added to
 * the file as they come, each complete on disk when schedprof_writer_add() returns; a
 * lenient reader copes if the machine stops in the middle of one. With
 * SCHEDPROF_WRITE_EXCLUSIVE the file is a new one, and no link of that name is followed,
 * whoever may write to the directory.
 *
 * Return: a writer, or NULL.
 */
struct schedprof_writer *schedprof_writer_open(const char *path, unsigned int flags,
					       struct schedprof_error *error);

/**
 * schedprof_writer_add() - write a snapshot
 * @writer: the writer
 * @recording: the snapshot; also what this library does not know in it is written
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_writer_add(struct schedprof_writer *writer,
			 const struct schedprof_recording *recording,
			 struct schedprof_error *error);

/**
 * schedprof_writer_bytes() - how large the file is
 * @writer: the writer
 *
 * Return: bytes on disk so far, in an appended file with what it had before.
 */
uint64_t schedprof_writer_bytes(const struct schedprof_writer *writer);

/**
 * schedprof_writer_commit() - finish the file and free the writer
 * @writer: gone in any case
 * @error: why not, or NULL
 *
 * Return: 0 once all of it is on disk under its name, or a negative code: then there
 * is no new file, and an old one is as it was; but if it is the disk that fails (EIO) at the
 * very end, the new file may be there, and not outlive a loss of power.
 */
int schedprof_writer_commit(struct schedprof_writer *writer,
			    struct schedprof_error *error);

/**
 * schedprof_writer_abort() - forget the file and free the writer
 * @writer: or NULL
 */
void schedprof_writer_abort(struct schedprof_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
