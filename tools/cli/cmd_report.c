// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_report: report, flame, diff and merge: what is in files. One thread, so nothing
 * is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_report.h"
#include "load.h"
#include "output.h"
#include "picture.h"
#include "print.h"
#include "print_diff.h"
#include "print_files.h"
#include "say.h"
#include "tau.h"

/* What is done with a comparison. Return: CLI_OK, or CLI_FAILED after saying why. */
typedef int show_changes(const struct schedprof_diff *diff,
			 const struct schedprof_recording *before,
			 const struct schedprof_recording *after,
			 const struct cli_options *o, bool between);

static int print_changes(const struct schedprof_diff *diff,
			 const struct schedprof_recording *before,
			 const struct schedprof_recording *after,
			 const struct cli_options *o, bool between)
{
	FILE *out = cli_output_open(o, stdout);

	if (!out)
		return CLI_FAILED;
	cli_print_diff(diff, before, after, o, between, out);
	return cli_output_close(out) ? CLI_FAILED :
				       cli_picture_diff(diff, before, after, o, between);
}

static int compare(const struct cli_options *o, const struct schedprof_recording *before,
		   const struct schedprof_recording *after, bool between, show_changes *show)
{
	struct schedprof_names names;
	struct schedprof_error error;
	struct schedprof_diff *diff;
	int err;

	err = cli_names_open(&names, o);
	if (err)
		goto out;
	diff = schedprof_diff(before, after, o->group, &names, &error);
	if (!diff) {
		err = cli_fail(&error);
		goto out;
	}
	err = show(diff, before, after, o, between);
	if (!err)
		cli_names_missing(&names, o);
	schedprof_diff_free(diff);
out:
	cli_names_close(&names);
	return err;
}

/* The files that were asked for: TAU's, and pictures. */
static int write_files(const struct cli_options *o, struct schedprof_recording *recording)
{
	struct cli_report report;
	int err = cli_report_make(&report, recording, o);

	if (!err && o->tau)
		err = cli_tau_prepare(o->tau);
	if (!err && o->tau)
		err = cli_tau_write(&report, NULL, o->tau);
	if (!err)
		err = cli_picture_report(&report);
	if (!err)
		cli_names_missing(&report.names, o);
	cli_report_free(&report);
	return err;
}

static int say_usage(const struct cli_options *o)
{
	cli_error("usage: schedprof %s %s", o->command->name, o->command->arguments);
	return CLI_USAGE;
}

/* schedprof report [FILE] */
int cli_cmd_report(struct cli_options *o)
{
	struct cli_loaded loaded;
	int err;

	if (o->name_count > 1)
		return say_usage(o);
	if (o->since && (o->view != CLI_VIEW_ENTRIES || o->by != CLI_BY_ENTRY || o->tau)) {
		cli_error("--since does not go with tables, --by and --tau");
		return CLI_USAGE;
	}
	err = cli_load(&loaded, o->name_count ? o->names[0] : "schedprof.data", o);
	if (err)
		return err;
	if (o->since) {
		err = compare(o, loaded.since, loaded.recording, true, print_changes);
		schedprof_recording_free(loaded.recording);
	} else if (o->tau) {
		err = write_files(o, loaded.recording);
	} else {
		err = cli_print_recording(o, loaded.recording);
	}
	schedprof_recording_free(loaded.since);
	return err;
}

static int tell_pictures(const struct cli_options *o)
{
	const struct cli_written files[] = { { .path = o->flame }, { .path = o->svg } };

	return cli_print_files(o, files, 2);
}

/* schedprof flame [FILE] */
int cli_cmd_flame(struct cli_options *o)
{
	struct cli_loaded loaded;
	int err;

	if (o->name_count > 1)
		return say_usage(o);
	if (o->by == CLI_BY_TASK || o->by == CLI_BY_FUNCTION || (o->since && o->by)) {
		cli_error("a flame graph is drawn --by entry, or, without --since, --by stack");
		return CLI_USAGE;
	}
	o->flame = o->file;
	if (!o->flame && !o->svg)
		o->flame = "schedprof.html";
	err = cli_load(&loaded, o->name_count ? o->names[0] : "schedprof.data", o);
	if (err)
		return err;
	if (o->since) {
		err = compare(o, loaded.since, loaded.recording, true, cli_picture_diff);
		schedprof_recording_free(loaded.recording);
	} else {
		err = write_files(o, loaded.recording);
	}
	schedprof_recording_free(loaded.since);
	return err ? err : tell_pictures(o);
}

/* schedprof diff A B */
int cli_cmd_diff(struct cli_options *o)
{
	struct cli_loaded before, after;
	int err;

	if (o->name_count != 2)
		return say_usage(o);
	err = cli_load(&before, o->names[0], o);
	if (err)
		return err;
	err = cli_load(&after, o->names[1], o);
	if (!err) {
		err = compare(o, before.recording, after.recording, false, print_changes);
		schedprof_recording_free(after.recording);
	}
	schedprof_recording_free(before.recording);
	return err;
}

static int write_merged(const struct cli_options *o,
			const struct schedprof_recording *merged)
{
	struct schedprof_error error;
	struct schedprof_writer *writer;

	writer = schedprof_writer_open(o->file, o->compress ? SCHEDPROF_WRITE_GZIP : 0,
				       &error);
	if (!writer)
		return cli_fail(&error);
	if (schedprof_writer_add(writer, merged, &error)) {
		schedprof_writer_abort(writer);
		return cli_fail(&error);
	}
	return schedprof_writer_commit(writer, &error) ? cli_fail(&error) : CLI_OK;
}

/* schedprof merge -o OUT FILE... */
int cli_cmd_merge(struct cli_options *o)
{
	struct schedprof_recording *merged, **all;
	struct schedprof_error error;
	struct cli_loaded loaded;
	unsigned int i, n = 0;
	int err = CLI_OK;

	if (!o->name_count || !o->file)
		return say_usage(o);
	all = calloc(o->name_count, sizeof(*all));
	if (!all)
		return CLI_FAILED;
	while (!err && n < o->name_count) {
		err = cli_load(&loaded, o->names[n], o);
		if (!err)
			all[n++] = loaded.recording;
	}
	if (!err) {
		merged = schedprof_merge((const struct schedprof_recording *const *)all,
					 n, o->group, &error);
		err = merged ? write_merged(o, merged) : cli_fail(&error);
		schedprof_recording_free(merged);
	}
	for (i = 0; i < n; i++)
		schedprof_recording_free(all[i]);
	free(all);
	return err ? err : cli_print_files(o, &(struct cli_written){ o->file, 1 }, 1);
}
