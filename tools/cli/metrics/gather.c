// SPDX-License-Identifier: GPL-2.0-only
/*
 * gather: from what a session recorded to its counters. Nothing but names of programs and
 * control groups is taken. A pure function on the counters, which are used by one thread, so
 * nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../names.h"
#include "../rows.h"
#include "../words.h"
#include "gather.h"

#define UNKNOWN		"[unknown]"
#define GONE		"[exited]"

/* In which control group a task is. */
struct place {
	int32_t tid;
	uint64_t start_ns;
	const char *cgroup;	/* NULL: not known */
	bool over;		/* of a program that it runs no more; */
	uint32_t exec_id;	/* of these, which one */
};

struct places {
	struct place *at;	/* sorted; of each task one */
	size_t count;
};

static int by_task(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

/* What is right of a task comes first: books have the name of the last program. */
static int by_task_and_truth(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = by_task(a, b);

	if (order)
		return order;
	if (x->over != y->over)
		return x->over ? 1 : -1;
	if (x->exec_id != y->exec_id)
		return x->exec_id > y->exec_id ? -1 : 1;
	return !x->cgroup - !y->cgroup;
}

static void add_place(struct places *places, int32_t tid, uint64_t start_ns,
		      const char *cgroup)
{
	if (tid)
		places->at[places->count++] = (struct place){
			.tid = tid, .start_ns = start_ns, .cgroup = cgroup,
		};
}

/* One from before an exec has the group of then. */
static void add_task(struct places *places, const struct schedprof_task *task)
{
	struct place *place = &places->at[places->count];

	add_place(places, task->tid, task->start_ns, task->cgroup);
	if (!(task->flags & SCHEDPROF_TASK_EXITED))
		return;
	place->over = true;
	place->exec_id = task->exec_id;
}

static void sort_places(struct places *places)
{
	size_t i, kept = 0;

	qsort(places->at, places->count, sizeof(*places->at), by_task_and_truth);
	for (i = 0; i < places->count; i++)
		if (!kept || by_task(&places->at[kept - 1], &places->at[i]))
			places->at[kept++] = places->at[i];
	places->count = kept;
}

/* Books do not tell it, but entries and blame of the same task do. */
static bool find_places(struct places *places, const struct schedprof_recording *recording)
{
	size_t tasks = schedprof_task_count(recording), i;
	size_t blames = schedprof_blame_count(recording);
	const struct schedprof_blame *blame;

	places->at = calloc(tasks + 2 * blames + 1, sizeof(*places->at));
	for (i = 0; places->at && i < tasks; i++)
		add_task(places, schedprof_task_at(recording, i));
	for (i = 0; places->at && i < blames; i++) {
		blame = schedprof_blame_at(recording, i);
		add_place(places, blame->tid, blame->start_ns, blame->cgroup);
		add_place(places, blame->culprit_tid, blame->culprit_start_ns,
			  blame->culprit_cgroup);
	}
	if (places->at)
		sort_places(places);
	return places->at;
}

static const char *place_of(const struct places *places, int32_t tid, uint64_t start_ns)
{
	const struct place wanted = { .tid = tid, .start_ns = start_ns };
	const struct place *found = bsearch(&wanted, places->at, places->count,
					    sizeof(*places->at), by_task);

	return found && found->cgroup ? found->cgroup : UNKNOWN;
}

/**
 * cli_label() - a name as the text format has it between quotes
 * @name: anything
 *
 * Return: the label, to be freed, without tabs and newlines; or NULL if there is no memory.
 */
char *cli_label(const char *name)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	cli_print_label(out, name);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* The label of a row: one of many rows has it, so each text is there once. */
static const char *label_of(struct cli_numbers *labels, const char *first, const char *second)
{
	char *a = cli_label(first), *b = cli_label(second);
	const char *text = a && b ? cli_number_of(labels, "%s\t%s", a, b)->text : NULL;

	free(a);
	free(b);
	return text && !labels->failed ? text : NULL;
}

/* Return: what cli_book_update() takes, or NULL if there is no memory. */
static struct cli_book_row *task_rows(const struct schedprof_recording *recording,
				      struct cli_numbers *labels)
{
	size_t count = schedprof_ledger_count(recording), i;
	struct cli_book_row *rows = calloc(count + 1, sizeof(*rows)), *row = rows;
	const struct schedprof_ledger *ledger;
	struct places places = { };
	struct schedprof_task task;
	char name[CLI_NAME];
	bool good = rows && find_places(&places, recording);

	for (i = 0; good && i < count; i++, row++) {
		ledger = schedprof_ledger_at(recording, i);
		task = cli_ledger_task(ledger);
		*row = (struct cli_book_row){
			.key = { (uint32_t)ledger->tid, ledger->tid ? ledger->start_ns : 0 },
			.value = { ledger->oncpu, ledger->runqueue, ledger->sleep, ledger->disk },
			/* All sleep, whoever is there for long the longest. */
			.rank = ledger->oncpu + ledger->runqueue + ledger->disk,
			.label = label_of(labels, cli_row_name(&task, SCHEDPROF_BY_THREAD, name),
					  place_of(&places, ledger->tid, ledger->start_ns)),
		};
		good = row->label;
	}
	free(places.at);
	if (good)
		return rows;
	free(rows);
	return NULL;
}

static const char *waiter_of(const struct schedprof_blame *blame)
{
	if (!blame->tid)
		return GONE;
	return blame->cgroup ? blame->cgroup : UNKNOWN;
}

static const char *culprit_of(const struct schedprof_blame *blame)
{
	if (blame->culprit != SCHEDPROF_CULPRIT_TASK)
		return blame->culprit_comm;
	return blame->culprit_cgroup ? blame->culprit_cgroup : UNKNOWN;
}

static struct cli_book_row *blame_rows(const struct schedprof_recording *recording,
				       struct cli_numbers *labels)
{
	size_t count = schedprof_blame_count(recording), i;
	struct cli_book_row *rows = calloc(count + 1, sizeof(*rows)), *row = rows;
	const struct schedprof_blame *blame;

	for (i = 0; rows && i < count; i++, row++) {
		blame = schedprof_blame_at(recording, i);
		*row = (struct cli_book_row){
			.key = {
				(uint32_t)blame->tid, blame->tid ? blame->start_ns : 0,
				blame->culprit, (uint32_t)blame->culprit_tid,
				blame->culprit_start_ns,
			},
			.value = { blame->total },
			.rank = blame->total,
			.label = label_of(labels, waiter_of(blame), culprit_of(blame)),
		};
		if (!row->label) {
			free(rows);
			return NULL;
		}
	}
	return rows;
}

/* How many waits were at most that long, and how long they were together. */
static void set_waits(struct cli_session_totals *session,
		      const struct schedprof_recording *recording)
{
	uint64_t counts[CLI_WAITS] = { };
	const struct schedprof_histogram *row;
	size_t i;
	int n;

	for (i = 0; i < schedprof_histogram_count(recording); i++) {
		row = schedprof_histogram_at(recording, i);
		/* The bounds are edges of rows, so none is in two. */
		for (n = 0; n < CLI_WAIT_BOUNDS; n++)
			if (row->high <= (uint64_t)CLI_WAIT_FIRST_US << n)
				counts[n] += row->count;
		counts[CLI_WAITS_ALL] += row->count;
	}
	for (i = 0; i < schedprof_entry_count(recording); i++)
		counts[CLI_WAITS_SUM] += schedprof_entry_at(recording, i)->total;
	for (n = 0; n < CLI_WAITS; n++)
		cli_meter_set(&session->waits[n], counts[n]);
}

static void set_figures(struct cli_session_totals *session,
			const struct schedprof_recording *recording)
{
	char name[CLI_WORD];
	uint64_t value;
	int i;

	for (i = 0; i < CLI_FIGURES; i++) {
		snprintf(name, sizeof(name), "stats.%s", cli_figures[i].stat);
		if (schedprof_meta_number(recording, name, &value))
			cli_meter_set(&session->figures[i], value);
	}
}

static bool set_facts(struct cli_session_totals *session,
		      const struct schedprof_recording *recording)
{
	static const char *const names[CLI_FACTS] = {
		[CLI_FACT_VERSION] = "version",
		[CLI_FACT_KERNEL] = "kernel",
		[CLI_FACT_HOOK] = "hook",
		[CLI_FACT_MODE] = "mode",
	};
	const char *value;
	int i;

	for (i = 0; i < CLI_FACTS; i++) {
		value = schedprof_meta(recording, names[i]);
		free(session->facts[i]);
		session->facts[i] = cli_label(value ? value : "");
		if (!session->facts[i])
			return false;
	}
	return true;
}

/* Is it the recording of the last time? If not, its figures begin with nothing. */
static bool set_recording(struct cli_session_totals *session,
			  const struct schedprof_recording *recording, const char *boot)
{
	uint64_t begin = 0;
	char *name;

	schedprof_meta_number(recording, "begin_ns", &begin);
	if (asprintf(&name, "%s/%" PRIu64, boot, begin) < 0)
		return false;
	if (!session->recording || strcmp(session->recording, name))
		cli_totals_restart(session);
	free(session->recording);
	session->recording = name;
	return true;
}

static bool update_book(struct cli_book *book, struct cli_book_row *rows, size_t count,
			size_t most)
{
	return rows && cli_book_update(book, rows, count, most);
}

/**
 * cli_gather() - add what a session has recorded since the last time
 * @session: its counters
 * @recording: in ns
 * @boot: of the machine, which tells recordings of two boots apart
 * @most: labels that have counters of their own
 *
 * Return: false if there is no memory; then the counters are to be thrown away.
 */
bool cli_gather(struct cli_session_totals *session,
		const struct schedprof_recording *recording, const char *boot, size_t most)
{
	const char *mode = schedprof_meta(recording, "mode");
	struct cli_numbers labels = { };
	bool good;

	session->here = true;
	good = set_recording(session, recording, boot) && set_facts(session, recording) &&
	       update_book(&session->tasks, task_rows(recording, &labels),
			   schedprof_ledger_count(recording), most) &&
	       update_book(&session->blame, blame_rows(recording, &labels),
			   schedprof_blame_count(recording), most);
	cli_numbers_free(&labels);
	if (!good)
		return false;
	if (mode && !strcmp(mode, "runqueue"))
		set_waits(session, recording);
	set_figures(session, recording);
	return true;
}
