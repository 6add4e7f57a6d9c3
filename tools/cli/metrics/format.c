// SPDX-License-Identifier: GPL-2.0-only
/*
 * format: counters in Prometheus's text format, of the sessions that are there. Times are in
 * seconds with all decimals. All samples of a metric stand together, as the format wants it.
 * A pure function on what it is given, which is used by one thread, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>

#include "../words.h"
#include "format.h"

/* What is printed of one session. */
typedef void print_session(const struct cli_session_totals *session, FILE *out);

static void print_seconds(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64 "\n", ns / CLI_NS_PER_S, ns % CLI_NS_PER_S);
}

static void print_head(const char *name, const char *type, const char *help, FILE *out)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_all(const struct cli_totals *totals, print_session *print, FILE *out)
{
	size_t i;

	for (i = 0; i < totals->count; i++)
		if (totals->sessions[i]->here)
			print(totals->sessions[i], out);
}

static void print_info(const struct cli_session_totals *session, FILE *out)
{
	char *const *facts = session->facts;

	if (!facts[CLI_FACT_VERSION])
		return;
	fprintf(out,
		"schedprof_info{session=\"%s\",version=\"%s\",kernel=\"%s\",hook=\"%s\",mode=\"%s\"} 1\n",
		session->name, facts[CLI_FACT_VERSION], facts[CLI_FACT_KERNEL],
		facts[CLI_FACT_HOOK], facts[CLI_FACT_MODE]);
}

/* The two names of a label, which has a tab between them. */
#define FIRST(text)	(int)strcspn(text, "\t"), text
#define SECOND(text)	((text) + strcspn(text, "\t") + 1)

static void print_states(const struct cli_session_totals *session, const char *label,
			 const uint64_t *values, FILE *out)
{
	static const char *const states[CLI_BOOK_VALUES] = {
		"oncpu", "runqueue", "sleep", "disk",
	};
	int i;

	for (i = 0; i < CLI_BOOK_VALUES; i++) {
		fprintf(out,
			"schedprof_task_seconds_total{session=\"%s\",comm=\"%.*s\",cgroup=\"%s\",state=\"%s\"} ",
			session->name, FIRST(label), SECOND(label), states[i]);
		print_seconds(out, values[i]);
	}
}

/* No control group is called so, as its path begins with a slash. */
#define OTHER	"other\tother"

static void print_tasks(const struct cli_session_totals *session, FILE *out)
{
	const struct cli_numbered *label;

	if (cli_book_is_empty(&session->tasks))
		return;
	for (label = session->tasks.labels.first; label; label = label->next)
		print_states(session, label->text,
			     ((const struct cli_book_label *)label->data)->value, out);
	print_states(session, OTHER, session->tasks.other, out);
}

static void print_pair(const struct cli_session_totals *session, const char *label,
		       uint64_t value, FILE *out)
{
	fprintf(out,
		"schedprof_blame_seconds_total{session=\"%s\",waiter=\"%.*s\",culprit=\"%s\"} ",
		session->name, FIRST(label), SECOND(label));
	print_seconds(out, value);
}

static void print_blame(const struct cli_session_totals *session, FILE *out)
{
	const struct cli_numbered *label;

	if (cli_book_is_empty(&session->blame))
		return;
	for (label = session->blame.labels.first; label; label = label->next)
		print_pair(session, label->text,
			   ((const struct cli_book_label *)label->data)->value[0], out);
	print_pair(session, OTHER, session->blame.other[0], out);
}

#define WAITS	"schedprof_runqueue_wait_seconds"

static void print_waits(const struct cli_session_totals *session, FILE *out)
{
	const struct cli_meter *waits = session->waits;
	int i;

	if (!waits[CLI_WAITS_ALL].total)
		return;
	for (i = 0; i < CLI_WAIT_BOUNDS; i++)
		fprintf(out, WAITS "_bucket{session=\"%s\",le=\"%.7g\"} %" PRIu64 "\n",
			session->name, (double)((uint64_t)CLI_WAIT_FIRST_US << i) / 1e6,
			waits[i].total);
	fprintf(out, WAITS "_bucket{session=\"%s\",le=\"+Inf\"} %" PRIu64 "\n",
		session->name, waits[CLI_WAITS_ALL].total);
	fprintf(out, WAITS "_sum{session=\"%s\"} ", session->name);
	print_seconds(out, waits[CLI_WAITS_SUM].total);
	fprintf(out, WAITS "_count{session=\"%s\"} %" PRIu64 "\n",
		session->name, waits[CLI_WAITS_ALL].total);
}

static void print_others(const struct cli_session_totals *session, FILE *out)
{
	if (!cli_book_is_empty(&session->tasks))
		fprintf(out, "schedprof_other_labels{session=\"%s\",of=\"task\"} %zu\n",
			session->name, session->tasks.others);
	if (!cli_book_is_empty(&session->blame))
		fprintf(out, "schedprof_other_labels{session=\"%s\",of=\"blame\"} %zu\n",
			session->name, session->blame.others);
}

static void print_figure(const struct cli_totals *totals, int figure, FILE *out)
{
	const struct cli_figure *about = &cli_figures[figure];
	const struct cli_session_totals *session;
	size_t i;

	print_head(about->metric, "counter", about->help, out);
	for (i = 0; i < totals->count; i++) {
		session = totals->sessions[i];
		if (!session->here)
			continue;
		fprintf(out, "%s{session=\"%s\"} ", about->metric, session->name);
		if (about->time)
			print_seconds(out, session->figures[figure].total);
		else
			fprintf(out, "%" PRIu64 "\n", session->figures[figure].total);
	}
}

/**
 * cli_metrics_print() - all counters of the sessions that are there
 * @totals: the counters
 * @out: where to; whoever closes it learns of errors
 */
void cli_metrics_print(const struct cli_totals *totals, FILE *out)
{
	int i;

	print_head("schedprof_info", "gauge", "What records, in each session.", out);
	print_all(totals, print_info, out);
	print_head("schedprof_task_seconds_total", "counter",
		   "Time of tasks on a CPU, waiting for one, asleep, and in disk sleep.", out);
	print_all(totals, print_tasks, out);
	print_head("schedprof_blame_seconds_total", "counter",
		   "Time that tasks of one control group waited for a CPU while those of another ran there.",
		   out);
	print_all(totals, print_blame, out);
	print_head(WAITS, "histogram",
		   "How long tasks waited for a CPU.", out);
	print_all(totals, print_waits, out);
	print_head("schedprof_other_labels", "gauge",
		   "Labels without counters of their own, which are in 'other'.", out);
	print_all(totals, print_others, out);
	for (i = 0; i < CLI_FIGURES; i++)
		print_figure(totals, i, out);
}
