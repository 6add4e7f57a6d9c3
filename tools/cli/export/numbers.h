/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbers: gives texts numbers, for formats that have tables of strings, functions or
 * frames, and for labels of metrics. One thread, so nothing is locked.
 */
#ifndef CLI_EXPORT_NUMBERS_H
#define CLI_EXPORT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* A text that has a number; in the order of these. */
struct cli_numbered {
	const char *text;
	size_t number;
	struct cli_numbered *next;
	void *data;			/* of whoever asked first */
};

/* All zero at first. */
struct cli_numbers {
	void *tree;
	struct cli_numbered *first, *last;
	size_t count;
	bool failed;			/* there was no memory; numbers are wrong */
};

struct cli_numbered *cli_number(struct cli_numbers *numbers, const char *text);
struct cli_numbered *cli_number_known(const struct cli_numbers *numbers, const char *text);
__attribute__((format(printf, 2, 3)))
struct cli_numbered *cli_number_of(struct cli_numbers *numbers, const char *format, ...);
void cli_numbers_free(struct cli_numbers *numbers);

#endif
