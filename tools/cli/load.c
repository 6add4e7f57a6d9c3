// SPDX-License-Identifier: GPL-2.0-only
/*
 * load: the snapshots of a file that are asked for. Only those are kept, because a
 * file may be longer than memory. One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>

#include "load.h"
#include "say.h"
#include "working.h"

static int no_such_snapshot(const char *path, uint64_t wanted, uint64_t there)
{
	if (!there)
		cli_error("%s has no complete snapshot", path);
	else
		cli_error("%s has %" PRIu64 " %s, and no number %" PRIu64, path,
			  there, there == 1 ? "snapshot" : "snapshots", wanted);
	return CLI_FAILED;
}

static void tell_damage(const struct schedprof_reader *reader, const char *path)
{
	const struct schedprof_error *damage = schedprof_reader_damage(reader);

	if (damage)
		cli_note("%s is damaged; what follows was before that: %s", path,
			 damage->message);
}

/* Reads a snapshot, and keeps it if it may be asked for. Return: as schedprof_next() */
static int keep_snapshot(struct cli_loaded *loaded, struct schedprof_reader *reader,
			 const struct cli_options *o, uint64_t *n,
			 struct schedprof_error *error)
{
	struct schedprof_recording *next;
	int got = schedprof_next(reader, &next, error);

	if (got <= 0) {
		cli_progress_over();
		return got;
	}
	cli_working(o, "reading snapshots", ++*n, 0);
	if (o->since && *n == o->since) {
		loaded->since = next;
		return got;
	}
	schedprof_recording_free(loaded->recording);
	loaded->recording = next;
	return got;
}

static int pick_snapshots(struct cli_loaded *loaded, struct schedprof_reader *reader,
			  const char *path, const struct cli_options *o)
{
	struct schedprof_error error;
	uint64_t n = 0;
	int got;

	if (o->forgiving)
		schedprof_reader_be_lenient(reader);
	if (o->limit)
		schedprof_reader_limit(reader, o->limit);
	do {
		got = keep_snapshot(loaded, reader, o, &n, &error);
	} while (got > 0 && (!o->snapshot || n < o->snapshot));
	if (got < 0) {
		cli_fail(&error);
		if (error.code == SCHEDPROF_TOO_LARGE)
			cli_note("if you trust the file: schedprof %s --limit SIZE",
				 o->command->name);
		else if (n)
			cli_note("%" PRIu64 " complete %s before that; to read: schedprof %s --force",
				 n, n == 1 ? "snapshot is" : "snapshots are",
				 o->command->name);
		return CLI_FAILED;
	}
	if (o->forgiving)
		tell_damage(reader, path);
	if (o->snapshot && n < o->snapshot)
		return no_such_snapshot(path, o->snapshot, n);
	if (o->since && !loaded->since)
		return no_such_snapshot(path, o->since, n);
	/* With --since the last snapshot, nothing came after it. */
	if (!loaded->recording || (o->since && n <= o->since))
		return no_such_snapshot(path, o->since ? o->since + 1 : 1, n);
	return CLI_OK;
}

/**
 * cli_load() - read a file
 * @loaded: filled in; both snapshots are to be freed
 * @path: of the file; - is standard input
 * @o: which snapshots
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_load(struct cli_loaded *loaded, const char *path,
	     const struct cli_options *o)
{
	struct schedprof_error error;
	struct schedprof_reader *reader;
	const char *state;
	int err;

	memset(loaded, 0, sizeof(*loaded));
	if (o->since && o->snapshot && o->since >= o->snapshot) {
		cli_error("--since must be a snapshot before --snapshot");
		return CLI_USAGE;
	}
	reader = schedprof_read_path(path, &error);
	if (!reader)
		return cli_fail(&error);
	err = pick_snapshots(loaded, reader, path, o);
	schedprof_reader_close(reader);
	state = err ? NULL : schedprof_meta(loaded->recording, "state");
	if (state && !strcmp(state, "none")) {
		cli_error("nothing was recorded when %s was written", path);
		err = CLI_FAILED;
	}
	if (err) {
		schedprof_recording_free(loaded->recording);
		schedprof_recording_free(loaded->since);
	}
	return err;
}
