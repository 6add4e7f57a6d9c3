// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers: gives texts numbers, from 0 on, in the order in which they are asked for. One
 * thread, so nothing is locked.
 */
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

/* What a failure gives, so that only the end asks whether there was one. */
static struct cli_numbered nothing = { .text = "" };

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct cli_numbered *)a)->text,
		      ((const struct cli_numbered *)b)->text);
}

static struct cli_numbered *fail(struct cli_numbers *numbers)
{
	numbers->failed = true;
	nothing.data = NULL;
	return &nothing;
}

/**
 * cli_number() - which number a text has
 * @numbers: a text that is not in it gets the next number
 * @text: copied
 *
 * Return: the text and its number; something to go on with if there is no memory.
 */
struct cli_numbered *cli_number(struct cli_numbers *numbers, const char *text)
{
	const struct cli_numbered key = { .text = text };
	struct cli_numbered **found = tfind(&key, &numbers->tree, by_text), *added;
	size_t length = strlen(text) + 1;

	if (found)
		return *found;
	added = calloc(1, sizeof(*added) + length);
	if (!added)
		return fail(numbers);
	added->text = memcpy(added + 1, text, length);
	added->number = numbers->count;
	if (!tsearch(added, &numbers->tree, by_text)) {
		free(added);
		return fail(numbers);
	}
	if (numbers->last)
		numbers->last->next = added;
	else
		numbers->first = added;
	numbers->last = added;
	numbers->count++;
	return added;
}

/**
 * cli_number_known() - a text that has a number, if it has
 * @numbers: as for cli_number()
 * @text: gets none
 *
 * Return: the text and its number, or NULL.
 */
struct cli_numbered *cli_number_known(const struct cli_numbers *numbers, const char *text)
{
	const struct cli_numbered key = { .text = text };
	struct cli_numbered **found = tfind(&key, &numbers->tree, by_text);

	return found ? *found : NULL;
}

/**
 * cli_number_of() - which number a text has that is made of parts
 * @numbers: as for cli_number()
 * @format: of the text
 *
 * Return: as cli_number().
 */
struct cli_numbered *cli_number_of(struct cli_numbers *numbers, const char *format, ...)
{
	struct cli_numbered *numbered;
	va_list list;
	char *text;
	int length;

	va_start(list, format);
	length = vasprintf(&text, format, list);
	va_end(list);
	if (length < 0)
		return fail(numbers);
	numbered = cli_number(numbers, text);
	free(text);
	return numbered;
}

/* Frees the texts, and what their data point to. */
void cli_numbers_free(struct cli_numbers *numbers)
{
	struct cli_numbered *next;

	while (numbers->first) {
		next = numbers->first->next;
		tdelete(numbers->first, &numbers->tree, by_text);
		free(numbers->first->data);
		free(numbers->first);
		numbers->first = next;
	}
}
