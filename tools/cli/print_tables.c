// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_tables: what is a table rather than rows with stacks: the histogram, the
 * ledgers of tasks, calls of functions, events, statistics. Columns are separated by
 * tabs, and the first line has their names. Reads reports and has no state, so
 * nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blamed.h"
#include "events.h"
#include "names.h"
#include "print_tables.h"
#include "print_text.h"
#include "say.h"

#define FRAME	4096
#define BAR	40

static const char *unit_of(const struct cli_report *report)
{
	return schedprof_unit(report->recording);
}

/* Not cli_report_limit(): without -n, a table has all of its rows. */
static size_t limit_of(const struct cli_report *report, size_t rows)
{
	return report->o->top && report->o->top < rows ? report->o->top : rows;
}

static void print_histogram_table(const struct cli_report *report, FILE *out)
{
	const struct schedprof_histogram *row;
	uint64_t most = 1, bar;
	size_t i;

	for (i = 0; (row = schedprof_histogram_at(report->recording, i)); i++)
		if (row->count > most)
			most = row->count;
	fputs(report->cycles ? "low_cycles\thigh_cycles\tcount\n" :
			       "low_us\thigh_us\tcount\n", out);
	for (i = 0; (row = schedprof_histogram_at(report->recording, i)); i++) {
		fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s", row->low,
			row->high, row->count, cli_color(CLI_GREEN));
		bar = (uint64_t)((double)row->count * BAR / (double)most + 0.5);
		for (bar += row->count && !bar; bar; bar--)
			fputc('#', out);
		fprintf(out, "%s\n", cli_color(CLI_PLAIN));
	}
}

static int print_tasks_table(const struct cli_report *report, FILE *out)
{
	size_t i, n = limit_of(report, schedprof_ledger_count(report->recording));
	bool splits = cli_splits_interrupts(report->recording);
	const struct schedprof_ledger *row;
	struct schedprof_task task;
	char name[CLI_NAME];

	if (!n) {
		cli_error("there are no books in this recording; record with --ledger, --interrupts or --blame");
		return CLI_FAILED;
	}
	fprintf(out,
		"tid\ttgid\tcomm\toncpu_%s\trunqueue_%s\tsleep_%s\tdisk_%s\tswitches_vol\tswitches_invol\twakeups\tmigrations",
		unit_of(report), unit_of(report), unit_of(report), unit_of(report));
	if (splits)
		fprintf(out, "\tirq_%s\tsoftirq_%s\tstolen_%s", unit_of(report),
			unit_of(report), unit_of(report));
	fputc('\n', out);
	for (i = 0; i < n; i++) {
		row = schedprof_ledger_at(report->recording, i);
		task = cli_ledger_task(row);
		fprintf(out, "%d\t%d\t", row->tid, row->tgid);
		cli_print_folded(out, cli_row_name(&task, SCHEDPROF_BY_THREAD, name));
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
			row->oncpu, row->runqueue, row->sleep, row->disk);
		fprintf(out, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32,
			row->switches_vol, row->switches_invol, row->wakeups,
			row->migrations);
		if (splits)
			fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, row->irq,
				row->softirq, row->stolen);
		fputc('\n', out);
	}
	return CLI_OK;
}

static bool has_blame(const struct cli_report *report)
{
	if (schedprof_blame_count(report->recording))
		return true;
	cli_error("nobody is blamed in this recording; record with --blame");
	return false;
}

/* Grouped and sorted, as many as are wanted; NULL after saying why. To be freed. */
static struct cli_blamed *sort_blame(const struct cli_report *report, size_t *n)
{
	struct cli_blamed *rows;

	if (!has_blame(report))
		return NULL;
	rows = cli_blamed_rows(report->recording, report->o->group, n);
	if (rows)
		*n = limit_of(report, *n);
	return rows;
}

static int print_blame_table(const struct cli_report *report, FILE *out)
{
	struct cli_blamed *rows;
	size_t i, n;

	rows = sort_blame(report, &n);
	if (!rows)
		return CLI_FAILED;
	fprintf(out, "tid\twaiter\tculprit_tid\tculprit\t%s\tcount\tlongest_%s\tself\n",
		unit_of(report), unit_of(report));
	for (i = 0; i < n; i++) {
		fprintf(out, "%d\t", rows[i].waiter.tid);
		cli_print_party(&rows[i].waiter, out);
		fprintf(out, "\t%d\t", rows[i].culprit.tid);
		cli_print_party(&rows[i].culprit, out);
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\n", rows[i].total,
			rows[i].count, rows[i].longest, rows[i].self);
	}
	free(rows);
	return CLI_OK;
}

static void print_party(const struct cli_party *party, FILE *out)
{
	cli_print_party(party, out);
	if (party->tid)
		fprintf(out, "-%d", party->tid);
}

/**
 * cli_print_blame_folded() - waiters and culprits as stacks of two frames
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why there is none.
 */
int cli_print_blame_folded(const struct cli_report *report, FILE *out)
{
	struct cli_blamed *rows;
	size_t i, n;

	rows = sort_blame(report, &n);
	if (!rows)
		return CLI_FAILED;
	for (i = 0; i < n; i++) {
		print_party(&rows[i].waiter, out);
		fputc(';', out);
		print_party(&rows[i].culprit, out);
		fprintf(out, " %" PRIu64 "\n",
			report->cycles ? rows[i].total : rows[i].total / 1000);
	}
	free(rows);
	cli_note_losses(report);
	return CLI_OK;
}

/* A row: the entries of a task in a function, by whatever path. */
struct calls {
	struct schedprof_task task;
	char *function;
	uint64_t count, inclusive, exclusive, max;
};

static int by_task_and_function(const void *a, const void *b)
{
	const struct calls *x = a, *y = b;

	return cli_task_compare(&x->task, &y->task) ?: strcmp(x->function, y->function);
}

static int by_exclusive(const void *a, const void *b)
{
	const struct calls *x = a, *y = b;

	if (x->exclusive != y->exclusive)
		return x->exclusive > y->exclusive ? -1 : 1;
	return by_task_and_function(a, b);
}

static size_t collect_calls(const struct cli_report *report, struct calls *rows)
{
	size_t i, n = 0, count = schedprof_entry_count(report->recording);
	char text[FRAME];

	for (i = 0; i < count; i++) {
		const struct schedprof_entry *entry =
			schedprof_entry_at(report->recording, i);

		rows[n].function = strdup(cli_function_of(report, entry, text,
							  sizeof(text)));
		if (!rows[n].function)
			continue;
		schedprof_task_group(entry->task, report->o->group, &rows[n].task,
				     sizeof(rows[n].task));
		rows[n].count = entry->count;
		rows[n].inclusive = entry->inclusive;
		rows[n].exclusive = entry->total;
		rows[n++].max = entry->max;
	}
	qsort(rows, n, sizeof(*rows), by_task_and_function);
	return n;
}

static size_t join_calls(struct calls *rows, size_t n)
{
	size_t i, last = 0;

	for (i = 1; i < n; i++) {
		if (by_task_and_function(&rows[last], &rows[i])) {
			rows[++last] = rows[i];
			continue;
		}
		rows[last].count += rows[i].count;
		rows[last].inclusive += rows[i].inclusive;
		rows[last].exclusive += rows[i].exclusive;
		if (rows[i].max > rows[last].max)
			rows[last].max = rows[i].max;
		free(rows[i].function);
	}
	return n ? last + 1 : 0;
}

static int print_functions_table(const struct cli_report *report, FILE *out)
{
	struct calls *rows;
	char name[CLI_NAME];
	size_t i, n;

	if (!report->functions) {
		cli_error("this recording is not of mode function; record one with: schedprof functions NAME...");
		return CLI_FAILED;
	}
	rows = calloc(schedprof_entry_count(report->recording) + 1, sizeof(*rows));
	if (!rows) {
		cli_error("there is not enough memory for the table");
		return CLI_FAILED;
	}
	n = join_calls(rows, collect_calls(report, rows));
	qsort(rows, n, sizeof(*rows), by_exclusive);
	fprintf(out, "tid\tcomm\tfunction\tcount\tinclusive_%s\texclusive_%s\tmax_%s\n",
		unit_of(report), unit_of(report), unit_of(report));
	for (i = 0; i < limit_of(report, n); i++) {
		fprintf(out, "%d\t", rows[i].task.tid > 0 ? rows[i].task.tid : 0);
		cli_print_folded(out, cli_row_name(&rows[i].task, report->o->group, name));
		fputc('\t', out);
		cli_print_folded(out, rows[i].function);
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
			rows[i].count, rows[i].inclusive,
			rows[i].exclusive, rows[i].max);
	}
	for (i = 0; i < n; i++)
		free(rows[i].function);
	free(rows);
	return CLI_OK;
}

static void print_event_row(const struct cli_report *report,
			    const struct schedprof_event *event, FILE *out)
{
	const char *function = cli_event_function(report, event);
	char *stack = cli_event_stack(report, event);
	const char *irqs = event->flags & SCHEDPROF_EVENT_IRQS_OFF ? "off" : "on";
	char name[CLI_NAME];

	/* As in the file of the module: only mode nosched looks at interrupts. */
	if (strcmp(cli_mode(report->recording), "nosched"))
		irqs = "-";
	fprintf(out, "%" PRIu64 "\t%" PRIu32 "\t%d\t%d\t", event->at, event->cpu,
		event->tid, event->tgid);
	cli_print_folded(out, cli_chosen(event->comm, name));
	fprintf(out, "\t%" PRIu64 "\t%s\t", event->length, irqs);
	cli_print_folded(out, function ? function : "-");
	fprintf(out, "\t%s\n", stack ? stack : "");
	free(stack);
}

/* Was there a trace, even if nothing came into it? */
static bool has_trace(const struct schedprof_recording *recording)
{
	return cli_meta(recording, "config.trace_kb") ||
	       !strcmp(cli_mode(recording), "nosched");
}

static int print_events_table(const struct cli_report *report, FILE *out)
{
	size_t i, n = limit_of(report, schedprof_event_count(report->recording));

	if (!n && !cli_meta(report->recording, "stats.lost_events") &&
	    !has_trace(report->recording)) {
		cli_error("there are no events in this recording; record with --trace SIZE, or in mode nosched");
		return CLI_FAILED;
	}
	fprintf(out, "at_%s\tcpu\ttid\ttgid\tcomm\tlength_%s\tirqs\tfunction\tstack\n",
		unit_of(report), unit_of(report));
	for (i = 0; i < n; i++)
		print_event_row(report, schedprof_event_at(report->recording, i), out);
	return CLI_OK;
}

static void print_stats_table(const struct cli_report *report, FILE *out)
{
	const char *name, *value;
	size_t i;

	for (i = 0; schedprof_meta_at(report->recording, i, &name, &value); i++)
		if (!strncmp(name, "stats.", 6)) {
			cli_print_plain(out, name + 6);
			fputc(' ', out);
			cli_print_plain(out, value);
			fputc('\n', out);
		}
}

/**
 * cli_print_table() - the table that was asked for
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why there is none.
 */
int cli_print_table(const struct cli_report *report, FILE *out)
{
	int err = CLI_OK;

	switch (report->o->view) {
	case CLI_VIEW_HISTOGRAM:
		print_histogram_table(report, out);
		break;
	case CLI_VIEW_TASKS:
		err = print_tasks_table(report, out);
		break;
	case CLI_VIEW_BLAME:
		err = print_blame_table(report, out);
		break;
	case CLI_VIEW_FUNCTIONS:
		err = print_functions_table(report, out);
		break;
	case CLI_VIEW_EVENTS:
		err = print_events_table(report, out);
		break;
	default:
		print_stats_table(report, out);
		return CLI_OK;
	}
	if (!err)
		cli_note_losses(report);
	return err;
}
