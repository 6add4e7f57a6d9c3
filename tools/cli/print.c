// SPDX-License-Identifier: GPL-2.0-only
/*
 * print: where output goes, which of the formats it is, and folded stacks. No
 * locks; one thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "print.h"
#include "say.h"
#include "session.h"

/* A pipe with a name that was opened by the check; -1: none was. */
static int pipe_to_keep = -1;

/* What is there already stays until there is something new: @how may have O_TRUNC. */
static int open_output(const struct cli_options *o, int how)
{
	/* Nobody waits here until somebody reads from a pipe. */
	int fd = open(o->file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | how, 0666);
	struct stat status;

	if (fd < 0 && errno == ENXIO && !stat(o->file, &status) &&
	    S_ISFIFO(status.st_mode))
		cli_error("nobody reads from the pipe %s; start who reads first",
			  o->file);
	else if (fd < 0)
		cli_error("cannot write to %s: %s", o->file, strerror(errno));
	else
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/**
 * cli_output_check() - could it be written, before anybody waits for it
 * @o: the options
 *
 * Return: CLI_OK, or CLI_FAILED after saying why not.
 */
int cli_output_check(const struct cli_options *o)
{
	struct stat status;
	int fd;

	if (!o->file || !strcmp(o->file, "-"))
		return CLI_OK;
	fd = open_output(o, 0);
	if (fd < 0)
		return CLI_FAILED;
	/* Who reads from a pipe takes a writer that goes for the end. */
	if (!fstat(fd, &status) && S_ISFIFO(status.st_mode))
		pipe_to_keep = fd;
	else
		close(fd);
	return CLI_OK;
}

/**
 * cli_output_open() - where the result goes
 * @o: the options; also decides about colours
 * @instead: where to without -o
 *
 * Return: a stream for cli_output_close(), or NULL after saying why.
 */
FILE *cli_output_open(const struct cli_options *o, FILE *instead)
{
	FILE *out = instead;
	int fd;

	if (o->file && strcmp(o->file, "-")) {
		fd = pipe_to_keep < 0 ? open_output(o, O_TRUNC) : pipe_to_keep;
		pipe_to_keep = -1;
		out = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (out)
		cli_colors(o->color, out);
	return out;
}

/**
 * cli_output_close() - all of it was written
 * @out: from cli_output_open()
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_output_close(FILE *out)
{
	int bad = ferror(out);

	errno = bad ? EIO : 0;
	if (out == stdout || out == stderr)
		bad |= fflush(out);
	else
		bad |= fclose(out);
	if (!bad)
		return CLI_OK;
	cli_error("the output is not complete: %s", strerror(errno));
	return CLI_FAILED;
}

/* In us, or in cycles, as in the module's own file. */
static uint64_t folded_value(const struct cli_report *report, uint64_t time)
{
	return report->cycles ? time : time / 1000;
}

static void print_task(const struct cli_row *row, int by, FILE *out)
{
	const struct schedprof_task *task = row->entry->task;

	cli_print_folded(out, task->comm);
	if (by != SCHEDPROF_BY_COMM && task->tid > 0)
		fprintf(out, "-%d", by == SCHEDPROF_BY_THREAD ? task->tid : task->tgid);
}

/**
 * cli_print_folded_report() - a line for each row
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_print_folded_report(const struct cli_report *report, FILE *out)
{
	size_t i, n = cli_report_limit(report);
	struct schedprof_error error;
	char *line;

	for (i = 0; i < n; i++) {
		const struct cli_row *row = &report->rows[i];

		if (row->key) {
			/* Of a stack, it is a folded line. */
			if (report->o->by == CLI_BY_FUNCTION)
				cli_print_folded(out, row->key);
			else
				fputs(row->key, out);
		} else if (report->o->by == CLI_BY_TASK) {
			print_task(row, report->o->group, out);
		} else {
			line = schedprof_entry_folded(report->shown, row->entry,
						      report->o->group,
						      &report->names, &error);
			if (!line)
				return cli_fail(&error);
			fputs(line, out);
			free(line);
		}
		fprintf(out, " %" PRIu64 "\n", folded_value(report, row->total));
	}
	return CLI_OK;
}

/**
 * cli_print() - a report as its options say
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_print(const struct cli_report *report, FILE *out)
{
	const struct cli_options *o = report->o;

	switch (o->format) {
	case CLI_FOLDED:
		return cli_print_folded_report(report, out);
	case CLI_JSON:
		cli_print_json(report, NULL, out);
		return CLI_OK;
	default:
		if (o->view != CLI_VIEW_ENTRIES)
			return cli_print_table(report, out);
		cli_print_text(report, out);
		return CLI_OK;
	}
}

/**
 * cli_print_recording() - make the report and print it
 * @o: the options
 * @recording: the snapshot; freed in any case
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_print_recording(const struct cli_options *o,
			struct schedprof_recording *recording)
{
	struct cli_report report;
	FILE *out = NULL;
	int err;

	err = cli_report_make(&report, recording, o);
	if (!err) {
		out = cli_output_open(o, stdout);
		err = out ? cli_print(&report, out) : CLI_FAILED;
	}
	if (out && cli_output_close(out))
		err = CLI_FAILED;
	if (!err)
		cli_names_missing(&report.names, o);
	cli_report_free(&report);
	return err;
}
