// SPDX-License-Identifier: GPL-2.0-only
/*
 * book: what tasks spent, as counters by label that never fall.
 *
 * A recording has a row for each task, or for each pair of tasks. Rows of tasks that ended
 * are merged some time into those of [exited], which grow by them: what was counted of them
 * already must not be counted again there. So whatever vanishes is taken from what the rows
 * of [exited] have more than the last time. All counters together are what all rows
 * together have, at any time.
 *
 * Open intervals may turn out to have been something else, which makes a row fall, and
 * another one grow: most often one of the same task. As long as a row has less than was
 * counted of it, as much is held back of those that grew; in the end each has its own.
 *
 * Pure functions on a book, which is used by one thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include <schedprof.h>

#include "book.h"

static int by_key(const void *a, const void *b)
{
	const struct cli_book_row *x = a, *y = b;
	int i;

	for (i = 0; i < CLI_BOOK_KEYS; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

/* Others are merged into it: it stands for tasks that are gone, or for no task. */
static bool is_sink(const struct cli_book_row *row)
{
	return !row->key[CLI_BOOK_TID] || row->key[CLI_BOOK_KIND] != SCHEDPROF_CULPRIT_TASK;
}

/* What rows have more than the last time, beside them. */
struct growth {
	uint64_t value[CLI_BOOK_VALUES];
	uint64_t fell[CLI_BOOK_VALUES];		/* below what was counted of them */
	uint64_t held_back[CLI_BOOK_VALUES];
};

/* A label in this round. */
struct gain {
	uint64_t value[CLI_BOOK_VALUES];
	uint64_t rank;
};

static size_t combine_same(struct cli_book_row *rows, size_t count, unsigned int values)
{
	size_t i, n = 0;
	unsigned int v;

	for (i = 0; i < count; i++) {
		if (!n || by_key(&rows[n - 1], &rows[i])) {
			rows[n++] = rows[i];
			continue;
		}
		for (v = 0; v < values; v++)
			rows[n - 1].value[v] += rows[i].value[v];
		rows[n - 1].rank += rows[i].rank;
	}
	return n;
}

static uint64_t take(uint64_t *from, uint64_t most)
{
	uint64_t taken = *from < most ? *from : most;

	*from -= taken;
	return taken;
}

/* How much more each row has than was counted of it, or less. */
static void find_growth(const struct cli_book *book, const struct cli_book_row *rows,
			size_t count, struct growth *growth)
{
	const struct cli_book_row *old = book->rows, *end = old + book->count;
	unsigned int v;
	size_t i;

	for (i = 0; i < count; i++) {
		while (old < end && by_key(old, &rows[i]) < 0)
			old++;
		for (v = 0; v < book->values; v++) {
			uint64_t before = old < end && !by_key(old, &rows[i]) ? old->value[v] : 0;
			uint64_t now = rows[i].value[v];

			growth[i].value[v] = now > before ? now - before : 0;
			growth[i].fell[v] = now < before ? before - now : 0;
		}
	}
}

/* Takes what a row had that is gone from what one grew that it may be in now. */
static void take_from(const uint64_t key[CLI_BOOK_KEYS], uint64_t gone[CLI_BOOK_VALUES],
		      const struct cli_book_row *rows, size_t count, struct growth *growth,
		      unsigned int values)
{
	const struct cli_book_row *found;
	struct cli_book_row wanted = { };
	unsigned int v;

	memcpy(wanted.key, key, sizeof(wanted.key));
	found = bsearch(&wanted, rows, count, sizeof(*rows), by_key);
	for (v = 0; found && v < values; v++)
		gone[v] -= take(&growth[found - rows].value[v], gone[v]);
}

/* Either side of a row may have become [exited], or both. */
static void settle_row(const struct cli_book_row *row, uint64_t gone[CLI_BOOK_VALUES],
		       const struct cli_book_row *rows, size_t count, struct growth *growth,
		       unsigned int values)
{
	const uint64_t *key = row->key;
	const uint64_t into[][CLI_BOOK_KEYS] = {
		{ key[CLI_BOOK_TID], key[CLI_BOOK_START], SCHEDPROF_CULPRIT_EXITED },
		{ 0, 0, key[CLI_BOOK_KIND], key[CLI_BOOK_CULPRIT], key[CLI_BOOK_CULPRIT_START] },
		{ 0, 0, SCHEDPROF_CULPRIT_EXITED },
	};
	size_t i;

	for (i = 0; i < sizeof(into) / sizeof(into[0]); i++)
		take_from(into[i], gone, rows, count, growth, values);
}

/* Sees to it that nothing of rows that are gone is counted twice. */
static void settle(struct cli_book *book, const struct cli_book_row *rows, size_t count,
		   struct growth *growth)
{
	const struct cli_book_row *old = book->rows, *end = old + book->count;
	uint64_t gone[CLI_BOOK_VALUES];
	unsigned int v;
	size_t i;

	for (i = 0; old < end; old++) {
		while (i < count && by_key(&rows[i], old) < 0)
			i++;
		if (i < count && !by_key(&rows[i], old))
			continue;
		memcpy(gone, old->value, sizeof(gone));
		settle_row(old, gone, rows, count, growth, book->values);
		for (v = 0; v < book->values; v++)
			book->debt[v] += gone[v];
	}
	for (i = 0; i < count; i++)
		for (v = 0; is_sink(&rows[i]) && v < book->values; v++)
			book->debt[v] -= take(&growth[i].value[v], book->debt[v]);
}

/* Of rows that grew, as much as others lack. Return: what that does not do for. */
static uint64_t hold_back(uint64_t lacking, struct growth *growth, size_t count, unsigned int v)
{
	uint64_t held;
	size_t i;

	for (i = 0; lacking && i < count; i++) {
		held = take(&growth[i].value[v], lacking);
		growth[i].held_back[v] += held;
		lacking -= held;
	}
	return lacking;
}

static bool of_same_task(const struct cli_book_row *a, const struct cli_book_row *b)
{
	return a->key[CLI_BOOK_TID] == b->key[CLI_BOOK_TID] &&
	       a->key[CLI_BOOK_START] == b->key[CLI_BOOK_START];
}

/*
 * Sees to it that what turned out to be another row's is not counted twice. Rows have what is
 * counted of them then.
 */
static void settle_falls(struct cli_book_row *rows, size_t count, struct growth *growth,
			 unsigned int values)
{
	uint64_t fell, lacking;
	size_t i, next;
	unsigned int v;

	for (v = 0; v < values; v++) {
		lacking = 0;
		for (i = 0; i < count; i = next) {
			fell = 0;
			for (next = i; next < count && of_same_task(&rows[i], &rows[next]); next++)
				fell += growth[next].fell[v];
			lacking += hold_back(fell, &growth[i], next - i, v);
		}
		hold_back(lacking, growth, count, v);
		for (i = 0; i < count; i++)
			rows[i].value[v] += growth[i].fell[v] - growth[i].held_back[v];
	}
}

/* The labels of all rows, and what they gain. Return: false if there is no memory. */
static bool gather_gains(struct cli_numbers *gains, const struct cli_book_row *rows,
			 size_t count, const struct growth *growth, unsigned int values)
{
	struct cli_numbered *label;
	struct gain *gain;
	unsigned int v;
	size_t i;

	for (i = 0; i < count; i++) {
		label = cli_number(gains, rows[i].label);
		if (gains->failed)
			return false;
		if (!label->data)
			label->data = calloc(1, sizeof(*gain));
		gain = label->data;
		if (!gain)
			return false;
		for (v = 0; v < values; v++)
			gain->value[v] += growth[i].value[v];
		gain->rank += rows[i].rank;
	}
	return true;
}

static int by_rank(const void *a, const void *b)
{
	const struct cli_numbered *x = *(struct cli_numbered *const *)a;
	const struct cli_numbered *y = *(struct cli_numbered *const *)b;
	uint64_t of_x = ((const struct gain *)x->data)->rank;
	uint64_t of_y = ((const struct gain *)y->data)->rank;

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* The greatest that have no row yet get one, as long as there are any. */
static bool give_rows(struct cli_book *book, const struct cli_numbers *gains, size_t most)
{
	struct cli_numbered **sorted = calloc(gains->count + 1, sizeof(*sorted)), *label;
	size_t i, n = 0;
	bool good = sorted;

	for (label = gains->first; sorted && label; label = label->next)
		if (((const struct gain *)label->data)->rank &&
		    !cli_number_known(&book->labels, label->text))
			sorted[n++] = label;
	if (sorted)
		qsort(sorted, n, sizeof(*sorted), by_rank);
	for (i = 0; good && i < n && book->labels.count < most; i++)
		good = cli_book_own(book, sorted[i]->text);
	free(sorted);
	return good;
}

static void add_gains(struct cli_book *book, const struct cli_numbers *gains)
{
	const struct cli_numbered *label, *own;
	unsigned int v;
	uint64_t *to;

	book->others = 0;
	for (label = gains->first; label; label = label->next) {
		own = cli_number_known(&book->labels, label->text);
		to = own ? ((struct cli_book_label *)own->data)->value : book->other;
		book->others += !own;
		for (v = 0; v < book->values; v++)
			to[v] += ((const struct gain *)label->data)->value[v];
	}
}

/**
 * cli_book_update() - add what the rows of a recording have more than the last time
 * @book: the book
 * @rows: from malloc(); the book's afterwards. Labels need not stay
 * @count: of them. None where there were some before: they could not be told, for lack of
 *	memory in the kernel, and nothing is added
 * @most: so many labels have a counter of their own, and keep it for good
 *
 * Return: false if there is no memory; then the book is to be freed.
 */
bool cli_book_update(struct cli_book *book, struct cli_book_row *rows, size_t count,
		     size_t most)
{
	struct growth *growth = calloc(count + 1, sizeof(*growth));
	struct cli_numbers gains = { };
	bool good = growth;

	if (!count || !good) {
		free(growth);
		free(rows);
		return good;
	}
	qsort(rows, count, sizeof(*rows), by_key);
	count = combine_same(rows, count, book->values);
	find_growth(book, rows, count, growth);
	settle(book, rows, count, growth);
	settle_falls(rows, count, growth, book->values);
	good = gather_gains(&gains, rows, count, growth, book->values) &&
	       give_rows(book, &gains, most);
	if (good)
		add_gains(book, &gains);
	cli_numbers_free(&gains);
	free(growth);
	free(book->rows);
	book->rows = rows;
	book->count = count;
	return good;
}

/**
 * cli_book_restart() - what comes next is of another recording, which began with nothing
 * @book: keeps its counters
 */
void cli_book_restart(struct cli_book *book)
{
	free(book->rows);
	book->rows = NULL;
	book->count = 0;
	memset(book->debt, 0, sizeof(book->debt));
}

/**
 * cli_book_own() - the counters of a label, which has them from now on
 * @book: the book
 * @label: copied
 *
 * Return: CLI_BOOK_VALUES of them, or NULL if there is no memory.
 */
uint64_t *cli_book_own(struct cli_book *book, const char *label)
{
	struct cli_numbered *own = cli_number(&book->labels, label);

	if (book->labels.failed)
		return NULL;
	if (!own->data)
		own->data = calloc(1, sizeof(struct cli_book_label));
	return own->data ? ((struct cli_book_label *)own->data)->value : NULL;
}

/* Has it never had a row? */
bool cli_book_is_empty(const struct cli_book *book)
{
	static const uint64_t nothing[CLI_BOOK_VALUES];

	return !book->labels.count && !memcmp(book->other, nothing, sizeof(nothing));
}

void cli_book_free(struct cli_book *book)
{
	cli_book_restart(book);
	cli_numbers_free(&book->labels);
}
