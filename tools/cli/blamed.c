// SPDX-License-Identifier: GPL-2.0-only
/*
 * blamed: who waited for a CPU and because of whom, as rows are grouped. Functions
 * without state, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "blamed.h"
#include "say.h"

/**
 * cli_party_of() - what a task belongs to
 * @by: enum schedprof_by
 * @task: is it one? If not, @comm says what it is
 * @comm: its name
 * @leader_comm: that of its process
 * @cgroup: path of its control group; NULL: not known
 * @tid: its number
 * @tgid: that of its process
 * @start_ns: tells tasks with the same number apart
 *
 * Return: with names that are the caller's.
 */
struct cli_party cli_party_of(int by, bool task, const char *comm, const char *leader_comm,
			      const char *cgroup, int32_t tid, int32_t tgid, uint64_t start_ns)
{
	if (!task)
		return (struct cli_party) { .name = *comm ? comm : "[exited]",
					    .mark = true, .word = true };
	switch (by) {
	case SCHEDPROF_BY_PROCESS:
		return (struct cli_party) { .name = leader_comm, .tid = tgid };
	case SCHEDPROF_BY_COMM:
		return (struct cli_party) { .name = comm };
	case SCHEDPROF_BY_CGROUP:
		return (struct cli_party) { .name = cgroup ? cgroup : "[unknown]",
					    .word = !cgroup };
	default:
		return (struct cli_party) { .name = comm, .tid = tid, .start_ns = start_ns };
	}
}

/**
 * cli_blamed_of() - a row of a snapshot
 * @row: the row
 * @by: enum schedprof_by
 *
 * Return: with names that are those of the row; waited is not known yet.
 */
struct cli_blamed cli_blamed_of(const struct schedprof_blame *row, int by)
{
	bool task = row->culprit == SCHEDPROF_CULPRIT_TASK;
	bool waits = row->tid || row->group;

	return (struct cli_blamed) {
		.waiter = cli_party_of(by, waits, waits ? row->comm : "", row->leader_comm,
				       row->cgroup, row->tid, row->tgid, row->start_ns),
		.culprit = cli_party_of(by, task, row->culprit_comm, row->culprit_leader_comm,
					row->culprit_cgroup, row->culprit_tid,
					row->culprit_tgid, row->culprit_start_ns),
		.self = row->self,
		.total = row->total, .count = row->count, .longest = row->longest,
	};
}

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/**
 * cli_party_compare() - are two the same? If not, which comes first
 * @x: one
 * @y: another
 *
 * Return: as strcmp(3).
 */
int cli_party_compare(const struct cli_party *x, const struct cli_party *y)
{
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	/*
	 * The name of what has a number may have changed, and a task may be called as what is
	 * none.
	 */
	return compare(x->start_ns, y->start_ns) ?: compare(x->mark, y->mark) ?:
	       (x->tid ? 0 : strcmp(x->name, y->name));
}

static int by_pair(const void *a, const void *b)
{
	const struct cli_blamed *x = a, *y = b;

	return cli_party_compare(&x->waiter, &y->waiter) ?: compare(x->self, y->self) ?:
	       cli_party_compare(&x->culprit, &y->culprit);
}

/* Who waited most comes first, and of each the greatest culprit. */
static int by_wait(const void *a, const void *b)
{
	const struct cli_blamed *x = a, *y = b;

	return compare(y->waited, x->waited) ?: cli_party_compare(&x->waiter, &y->waiter) ?:
	       compare(y->total, x->total) ?: by_pair(a, b);
}

static size_t merge_pairs(struct cli_blamed *rows, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (!kept || by_pair(&rows[kept - 1], &rows[i])) {
			rows[kept++] = rows[i];
			continue;
		}
		rows[kept - 1].total += rows[i].total;
		rows[kept - 1].count += rows[i].count;
		if (rows[i].longest > rows[kept - 1].longest)
			rows[kept - 1].longest = rows[i].longest;
	}
	return kept;
}

static void add_up_waiters(struct cli_blamed *rows, size_t n)
{
	size_t i, j, first = 0;
	uint64_t waited = 0;

	for (i = 0; i < n; i++) {
		waited += rows[i].total;
		if (i + 1 < n && !cli_party_compare(&rows[i].waiter, &rows[i + 1].waiter))
			continue;
		for (j = first; j <= i; j++)
			rows[j].waited = waited;
		first = i + 1;
		waited = 0;
	}
}

/**
 * cli_blamed_group() - make one row of those with the same waiter and culprit
 * @rows: changed; then who waited most comes first, and of each the greatest culprit
 * @n: how many there are
 *
 * Return: how many there are left.
 */
size_t cli_blamed_group(struct cli_blamed *rows, size_t n)
{
	qsort(rows, n, sizeof(*rows), by_pair);
	n = merge_pairs(rows, n);
	add_up_waiters(rows, n);
	qsort(rows, n, sizeof(*rows), by_wait);
	return n;
}

/**
 * cli_blamed_rows() - all rows of a snapshot, grouped
 * @recording: the snapshot
 * @by: enum schedprof_by
 * @n: filled in: how many there are
 *
 * Return: as cli_blamed_group() leaves them, to be freed; NULL after saying that there is not
 * enough memory.
 */
struct cli_blamed *cli_blamed_rows(const struct schedprof_recording *recording, int by, size_t *n)
{
	size_t i, count = schedprof_blame_count(recording);
	struct cli_blamed *rows = calloc(count + 1, sizeof(*rows));

	if (!rows) {
		cli_no_memory();
		return NULL;
	}
	for (i = 0; i < count; i++)
		rows[i] = cli_blamed_of(schedprof_blame_at(recording, i), by);
	*n = cli_blamed_group(rows, count);
	return rows;
}

/**
 * cli_party_name() - what it is called
 * @party: the waiter or the culprit
 * @text: room for it
 */
const char *cli_party_name(const struct cli_party *party, char text[CLI_NAME])
{
	return party->word ? party->name : cli_chosen(party->name, text);
}

/**
 * cli_party_as_is() - what it is called, for programs
 * @party: the waiter or the culprit
 * @text: room for it
 *
 * Return: its own name, if a number or the slash of a path tells that this is no word of ours.
 */
const char *cli_party_as_is(const struct cli_party *party, char text[CLI_NAME])
{
	return party->tid || *party->name == '/' ? party->name : cli_party_name(party, text);
}

/**
 * cli_print_party() - a name that is one field and one word
 * @party: whose
 * @out: where to
 */
void cli_print_party(const struct cli_party *party, FILE *out)
{
	char text[CLI_NAME];

	if (party->word)
		fputs(party->name, out);
	else
		cli_print_folded(out, cli_chosen(party->name, text));
}
