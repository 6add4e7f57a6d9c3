// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_record: record into a file, once at the end or all the time.
 *
 * What a session knows only ever grows, so each snapshot has all that came before it,
 * and nothing is lost between two snapshots, nor if one of them could not be written
 * to a file; a pipe or a device ends with it. A new file begins with the last
 * snapshot of the file before, so that what a file is about can be told from it
 * alone. One thread, so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_record.h"
#include "print_files.h"
#include "profile.h"
#include "words.h"

#define DEFAULT_FILE	"schedprof.data"

struct file {
	const struct cli_options *o;
	const char *path;
	bool special;				/* no regular file: never replaced */
	bool stream;				/* what was written cannot be taken back */
	bool broken;				/* it ends with half a snapshot */
	bool unread;				/* nobody reads from the pipe any more */
	const struct cli_profile *profile;	/* what is recorded */
	struct schedprof_writer *writer;	/* NULL: could not be opened */
	struct schedprof_recording *last;	/* that was written */
	bool owes;				/* this file is to begin with it, and does not */
	uint64_t snapshots;			/* in this file, that are new */
	uint64_t all;				/* in all files */
};

/*
 * Renames the files that are in the way of a new one. Where one cannot be moved, it and those
 * that would come in its place stay. Return: is the name of the first one free?
 */
static bool move_files_away(const struct file *file)
{
	char from[4096], to[4096];
	uint64_t n;

	for (n = file->o->keep; n; n--) {
		snprintf(to, sizeof(to), "%s.%" PRIu64, file->path, n);
		snprintf(from, sizeof(from), "%s.%" PRIu64, file->path, n - 1);
		if (!rename(n > 1 ? from : file->path, to) || errno == ENOENT)
			continue;
		cli_error("cannot rename %s to %s: %s", n > 1 ? from : file->path, to,
			  strerror(errno));
		return false;
	}
	return true;
}

static int open_file(struct file *file)
{
	unsigned int flags = file->o->compress ? SCHEDPROF_WRITE_GZIP : 0;
	struct schedprof_error error;

	if (file->o->every_ns)
		flags |= SCHEDPROF_WRITE_APPEND;
	/* Its name was free: who may write to the directory may have put something there. */
	if (file->o->every_ns && !file->special)
		flags |= SCHEDPROF_WRITE_EXCLUSIVE;
	file->snapshots = 0;
	file->writer = schedprof_writer_open(file->path, flags, &error);
	return file->writer ? CLI_OK : cli_fail(&error);
}

/* Old snapshots are not added to: the file is renamed or replaced. */
static int begin_file(struct file *file)
{
	const struct cli_options *o = file->o;

	if (o->every_ns && !file->special) {
		if (o->rotate_bytes || o->rotate_count) {
			if (!move_files_away(file))
				return CLI_FAILED;
		} else if (unlink(file->path) && errno != ENOENT) {
			cli_error("cannot replace %s: %s", file->path,
				  strerror(errno));
			return CLI_FAILED;
		}
	}
	return open_file(file);
}

static int close_file(struct file *file)
{
	struct schedprof_writer *writer = file->writer;
	struct schedprof_error error;

	file->writer = NULL;
	if (!writer)
		return CLI_OK;
	return schedprof_writer_commit(writer, &error) ? cli_fail(&error) : CLI_OK;
}

/* Who reads from a pipe may do so when he likes, or never. */
static int write_snapshot(struct file *file, const struct schedprof_recording *recording,
			  struct schedprof_error *error)
{
	int result;

	if (file->stream)
		cli_profile_write(file->profile);
	result = schedprof_writer_add(file->writer, recording, error);
	if (file->stream)
		cli_profile_written();
	return result;
}

/* The last snapshot of the file before; tried again until there is room for it. */
static int add_beginning(struct file *file)
{
	struct schedprof_error error;

	if (!file->owes)
		return CLI_OK;
	if (write_snapshot(file, file->last, &error))
		return cli_fail(&error);
	file->owes = false;
	return CLI_OK;
}

/* Begins the next file with the last snapshot of this one. */
static int rotate_file(struct file *file)
{
	int err;

	/* It is not opened again, as that may be another one by now: it goes on. */
	if (!move_files_away(file)) {
		file->snapshots = 0;
		return CLI_OK;
	}
	err = close_file(file);
	file->owes = file->last;
	return open_file(file) ?: add_beginning(file) ?: err;
}

static bool is_full(const struct file *file)
{
	const struct cli_options *o = file->o;

	if (o->rotate_count && file->snapshots >= o->rotate_count)
		return true;
	return o->rotate_bytes && file->snapshots && file->writer &&
	       schedprof_writer_bytes(file->writer) >= o->rotate_bytes;
}

static int add_snapshot(struct file *file, struct schedprof_recording *recording)
{
	struct schedprof_error error;

	/* Why it is broken was said. */
	if (file->broken || (!file->writer && open_file(file)) || add_beginning(file)) {
		schedprof_recording_free(recording);
		return CLI_FAILED;
	}
	if (write_snapshot(file, recording, &error)) {
		schedprof_recording_free(recording);
		file->broken = file->stream;
		file->unread = error.system_errno == EPIPE;
		return cli_fail(&error);
	}
	schedprof_recording_free(file->last);
	file->last = recording;
	file->snapshots++;
	file->all++;
	return CLI_OK;
}

/* Has another process removed the session? */
static bool session_was_removed(const struct cli_session *session)
{
	struct schedprof_status status;
	struct schedprof_error error;

	return schedprof_status(session->handle, session->name, &status, sizeof(status),
				&error) &&
	       error.code == SCHEDPROF_NO_SESSION;
}

/*
 * Adds a snapshot while the session records: what fails now may work the next time, in a file.
 * Return: may there be a next time?
 */
static bool add_snapshot_now(struct file *file, struct cli_profile *profile, bool full)
{
	struct schedprof_recording *recording;
	int err;

	if (session_was_removed(&profile->session))
		return false;
	err = cli_session_snapshot(profile->session.handle, profile->session.name,
				   &recording);
	if (!err)
		err = add_snapshot(file, recording);
	if (!err && (full || is_full(file)))
		err = rotate_file(file);
	if (file->broken)
		return false;
	if (err)
		cli_note("going on; the next snapshot has all of it");
	return true;
}

static void record_snapshots(struct file *file, struct cli_profile *profile)
{
	uint64_t every = file->o->every_ns, now;
	uint64_t tick = every ? profile->await.begin_ns + every : 0;
	enum cli_event event;
	bool full;

	for (;;) {
		event = cli_await(&profile->await, tick);
		if (event == CLI_EVENT_END)
			return;
		full = event == CLI_EVENT_ROTATE && !file->special;
		if (!add_snapshot_now(file, profile, full))
			return;
		now = cli_now();
		while (tick <= now)
			tick += every;
	}
}

/*
 * Only regular files are removed or renamed: a device, a pipe or a link stays and is
 * written to.
 */
static bool is_special(const char *path)
{
	struct stat status;

	return !strcmp(path, "-") || (!lstat(path, &status) && !S_ISREG(status.st_mode));
}

static bool is_stream(const char *path)
{
	struct stat status;

	return !strcmp(path, "-") || (!stat(path, &status) && !S_ISREG(status.st_mode));
}

/* Called before anything is recorded, and before a COMMAND begins. */
static int check_place(const char *path)
{
	char *copy = strdup(path);
	const char *directory = copy ? dirname(copy) : ".";
	int err = CLI_OK;

	if (access(directory, W_OK | X_OK)) {
		cli_error("cannot write to %s: %s", directory, strerror(errno));
		err = CLI_FAILED;
	}
	free(copy);
	return err;
}

static int check_options(const struct cli_options *o, bool special)
{
	bool rotates = o->rotate_bytes || o->rotate_count;

	if (rotates && !o->every_ns) {
		cli_error("--rotate needs --every: without it there is one snapshot, at the end");
		return CLI_USAGE;
	}
	if (rotates && special) {
		cli_error("--rotate needs a file, and no device, pipe or link; name one with -o");
		return CLI_USAGE;
	}
	if (o->file && strlen(o->file) > 4000) {
		cli_error("the name of the file is too long");
		return CLI_USAGE;
	}
	return CLI_OK;
}

/* schedprof record [-o FILE] [-- COMMAND] */
int cli_cmd_record(struct cli_options *o)
{
	struct cli_profile profile;
	struct file file = {
		.o = o, .path = o->file ? o->file : DEFAULT_FILE, .profile = &profile,
	};
	struct schedprof_recording *recording;
	int err, closed;

	file.special = is_special(file.path);
	file.stream = is_stream(file.path);
	err = check_options(o, file.special);
	if (err)
		return err;
	/* An old file of several snapshots stays until the session records. */
	if (!o->every_ns)
		err = begin_file(&file);
	else if (!file.special)
		err = check_place(file.path);
	if (err)
		return err;
	err = cli_profile_begin(&profile, o);
	if (err) {
		schedprof_writer_abort(file.writer);
		return err;
	}
	profile.await.on_request = o->every_ns;
	if (o->every_ns)
		err = begin_file(&file);
	if (!err) {
		record_snapshots(&file, &profile);
		err = cli_profile_stop(&profile, &recording);
	}
	if (!err) {
		err = add_snapshot(&file, recording);
		profile.keep = err && !file.unread;
	}
	if (err && !o->every_ns) {
		schedprof_writer_abort(file.writer);
		file.writer = NULL;
	}
	closed = close_file(&file);
	profile.keep |= closed;
	err = cli_profile_end(&profile, err ? err : closed);
	schedprof_recording_free(file.last);
	if (!err && !o->quiet)
		cli_note("%" PRIu64 " %s written to %s", file.all,
			 file.all == 1 ? "snapshot" : "snapshots", file.path);
	if (!err)
		err = cli_print_files(o, &(struct cli_written){ file.path, file.all }, 1);
	return cli_profile_status(&profile, err);
}
