// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_report: report, diff and merge: what is in files. One thread, so nothing is
 * locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_report.h"
#include "load.h"
#include "output.h"
#include "print.h"
#include "print_diff.h"
#include "say.h"
#include "tau.h"

static int print_changes(const struct cli_options *o,
			 const struct schedprof_recording *before,
			 const struct schedprof_recording *after, bool between)
{
	struct schedprof_names names;
	struct schedprof_error error;
	struct schedprof_diff *diff;
	FILE *out = NULL;
	int err;

	err = cli_names_open(&names, o);
	if (err)
		goto out;
	diff = schedprof_diff(before, after, o->group, &names, &error);
	if (!diff) {
		err = cli_fail(&error);
		goto out;
	}
	out = cli_output_open(o, stdout);
	err = CLI_FAILED;
	if (out) {
		cli_print_diff(diff, before, after, o, between, out);
		err = cli_output_close(out);
		cli_names_missing(&names, o);
	}
	schedprof_diff_free(diff);
out:
	cli_names_close(&names);
	return err;
}

static int write_tau(const struct cli_options *o,
		     struct schedprof_recording *recording)
{
	struct cli_report report;
	int err = cli_report_make(&report, recording, o);

	if (!err)
		err = cli_tau_prepare(o->tau);
	if (!err)
		err = cli_tau_write(&report, NULL, o->tau);
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
		err = print_changes(o, loaded.since, loaded.recording, true);
		schedprof_recording_free(loaded.recording);
	} else if (o->tau) {
		err = write_tau(o, loaded.recording);
	} else {
		err = cli_print_recording(o, loaded.recording);
	}
	schedprof_recording_free(loaded.since);
	return err;
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
		err = print_changes(o, before.recording, after.recording, false);
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
	return err;
}
