/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * book: what tasks spent, as counters by label that never fall. A book knows the rows of the
 * recording that it saw last, so that what each one has more than then goes to its label,
 * wherever rows go meanwhile. Pure functions on a book, which is used by one thread.
 */
#ifndef CLI_METRICS_BOOK_H
#define CLI_METRICS_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../export/numbers.h"

#define CLI_BOOK_VALUES	4

/* What a row is known by. Of the books of a task, only the first two are not 0. */
enum cli_book_key {
	CLI_BOOK_TID, CLI_BOOK_START, CLI_BOOK_KIND, CLI_BOOK_CULPRIT, CLI_BOOK_CULPRIT_START,
	CLI_BOOK_KEYS
};

struct cli_book_row {
	uint64_t key[CLI_BOOK_KEYS];
	uint64_t value[CLI_BOOK_VALUES];	/* in a book: what was counted of it */
	const char *label;	/* of a row that comes in: two names and a tab between them */
	uint64_t rank;		/* the same: what makes its label a great one */
};

/* The data of a label with a row of its own. */
struct cli_book_label {
	uint64_t value[CLI_BOOK_VALUES];
};

/* All zero at first, but for what is said. */
struct cli_book {
	unsigned int values;		/* of a row; set by whoever makes the book */
	struct cli_book_row *rows;	/* of the recording, sorted by key */
	size_t count;
	uint64_t debt[CLI_BOOK_VALUES];	/* of rows that are gone, and are in no other yet */
	struct cli_numbers labels;	/* with rows of their own */
	uint64_t other[CLI_BOOK_VALUES];	/* of all others */
	size_t others;			/* labels that were in that the last time */
};

bool cli_book_update(struct cli_book *book, struct cli_book_row *rows, size_t count,
		     size_t most);
void cli_book_restart(struct cli_book *book);
uint64_t *cli_book_own(struct cli_book *book, const char *label);
bool cli_book_is_empty(const struct cli_book *book);
void cli_book_free(struct cli_book *book);

#endif
