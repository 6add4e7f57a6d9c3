// SPDX-License-Identifier: GPL-2.0-only
/*
 * state: counters as text, to go on with them the next time.
 *
 * The first line has a version and a checksum of all that follows, so that half a file, or
 * one that somebody wrote to, is not taken for numbers. Then a line for each session, and
 * lines of what it has; tabs separate the fields. Names are as in the text format, which has
 * no tabs and newlines.
 *
 * Pure functions on what they are given, which is used by one thread, so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "state.h"

#define HEAD		"schedprof-metrics 1 "
#define MAX_FIELDS	(1 + CLI_BOOK_KEYS + CLI_BOOK_VALUES)

static void print_values(FILE *out, const uint64_t *values, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		fprintf(out, "\t%" PRIu64, values[i]);
}

static void print_line(FILE *out, const char *word, const uint64_t *values, unsigned int count)
{
	fputs(word, out);
	print_values(out, values, count);
	fputc('\n', out);
}

static void print_book(const struct cli_book *book, const char *name, FILE *out)
{
	const struct cli_numbered *label;
	const struct cli_book_row *row;

	print_line(out, name, book->debt, book->values);
	print_line(out, "other", book->other, book->values);
	for (label = book->labels.first; label; label = label->next) {
		fprintf(out, "label\t%s", label->text);
		print_values(out, ((const struct cli_book_label *)label->data)->value,
			     book->values);
		fputc('\n', out);
	}
	for (row = book->rows; row < book->rows + book->count; row++) {
		fputs("row", out);
		print_values(out, row->key, CLI_BOOK_KEYS);
		print_values(out, row->value, book->values);
		fputc('\n', out);
	}
}

static void print_session(const struct cli_session_totals *session, FILE *out)
{
	const struct cli_meter *meter;
	int i;

	fprintf(out, "session\t%s\t%s\n", session->name,
		session->recording ? session->recording : "-");
	for (i = 0; i < CLI_FIGURES; i++) {
		meter = &session->figures[i];
		if (meter->total)
			fprintf(out, "stat\t%s\t%" PRIu64 "\t%" PRIu64 "\n",
				cli_figures[i].stat, meter->last, meter->total);
	}
	for (i = 0; i < CLI_WAITS; i++) {
		meter = &session->waits[i];
		if (meter->total)
			fprintf(out, "wait\t%d\t%" PRIu64 "\t%" PRIu64 "\n", i, meter->last,
				meter->total);
	}
	print_book(&session->tasks, "tasks", out);
	print_book(&session->blame, "blame", out);
}

static uint32_t sum_of(const char *text, size_t size)
{
	return (uint32_t)crc32_z(crc32(0, NULL, 0), (const unsigned char *)text, size);
}

/**
 * cli_state_print() - write down all counters
 * @totals: the counters
 * @out: where to; whoever closes it learns of its errors
 *
 * Return: false if there is no memory; then nothing was written.
 */
bool cli_state_print(const struct cli_totals *totals, FILE *out)
{
	size_t size, i;
	char *text;
	FILE *body = open_memstream(&text, &size);
	bool good;

	if (!body)
		return false;
	for (i = 0; i < totals->count; i++)
		print_session(totals->sessions[i], body);
	good = !fclose(body);
	if (good) {
		fprintf(out, HEAD "%08" PRIx32 "\n", sum_of(text, size));
		fwrite(text, 1, size, out);
	}
	free(text);
	return good;
}

/* What lines are about. */
struct reading {
	struct cli_totals *totals;
	struct cli_session_totals *session;
	struct cli_book *book;
	size_t room;		/* rows of the book that there is memory for */
	char *fields[MAX_FIELDS];
	unsigned int count;
};

static bool number_at(const struct reading *reading, unsigned int field, uint64_t *number)
{
	const char *text = reading->fields[field];
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return !*end && !errno;
}

/* Are there just as many numbers from a field on? */
static bool numbers_at(const struct reading *reading, unsigned int field, uint64_t *numbers,
		       unsigned int count)
{
	unsigned int i;

	if (reading->count != field + count)
		return false;
	for (i = 0; i < count; i++)
		if (!number_at(reading, field + i, &numbers[i]))
			return false;
	return true;
}

static bool take_session(struct reading *reading)
{
	if (reading->count != 3)
		return false;
	reading->session = cli_totals_session(reading->totals, reading->fields[1]);
	if (!reading->session || reading->session->recording)
		return false;
	reading->session->recording = strdup(reading->fields[2]);
	/* So that none is forgotten for one that is read later. */
	reading->session->here = true;
	reading->book = NULL;
	return reading->session->recording;
}

static bool take_meter(const struct reading *reading, struct cli_meter *meter)
{
	uint64_t numbers[2];

	if (!numbers_at(reading, 2, numbers, 2))
		return false;
	*meter = (struct cli_meter){ numbers[0], numbers[1] };
	return true;
}

/* A figure that this version does not know is left out. */
static bool take_stat(const struct reading *reading)
{
	int i;

	for (i = 0; i < CLI_FIGURES; i++)
		if (!strcmp(cli_figures[i].stat, reading->fields[1]))
			return take_meter(reading, &reading->session->figures[i]);
	return true;
}

static bool take_wait(const struct reading *reading)
{
	uint64_t number;

	return number_at(reading, 1, &number) && number < CLI_WAITS &&
	       take_meter(reading, &reading->session->waits[number]);
}

/* Once for each book: there is memory for the rows that follow, and for no others. */
static bool begin_book(struct reading *reading, struct cli_book *book)
{
	if (book->rows)
		return false;
	reading->book = book;
	reading->room = 0;
	return numbers_at(reading, 1, book->debt, book->values);
}

static bool take_label(struct reading *reading)
{
	uint64_t *own;
	char *text;

	if (reading->count < 3 || asprintf(&text, "%s\t%s", reading->fields[1],
					   reading->fields[2]) < 0)
		return false;
	own = cli_book_own(reading->book, text);
	free(text);
	return own && numbers_at(reading, 3, own, reading->book->values);
}

static bool take_row(struct reading *reading)
{
	struct cli_book *book = reading->book;
	uint64_t numbers[CLI_BOOK_KEYS + CLI_BOOK_VALUES];
	struct cli_book_row row = { }, *more;

	if (!numbers_at(reading, 1, numbers, CLI_BOOK_KEYS + book->values))
		return false;
	if (book->count == reading->room) {
		reading->room = 2 * reading->room + 64;
		more = realloc(book->rows, reading->room * sizeof(*more));
		if (!more)
			return false;
		book->rows = more;
	}
	memcpy(row.key, numbers, sizeof(row.key));
	memcpy(row.value, numbers + CLI_BOOK_KEYS, book->values * sizeof(row.value[0]));
	book->rows[book->count++] = row;
	return true;
}

static bool take_line(struct reading *reading)
{
	const char *word = reading->fields[0];

	if (!strcmp(word, "session"))
		return take_session(reading);
	if (!reading->session || reading->count < 2)
		return false;
	if (!strcmp(word, "stat"))
		return take_stat(reading);
	if (!strcmp(word, "wait"))
		return take_wait(reading);
	if (!strcmp(word, "tasks"))
		return begin_book(reading, &reading->session->tasks);
	if (!strcmp(word, "blame"))
		return begin_book(reading, &reading->session->blame);
	if (!reading->book)
		return false;
	if (!strcmp(word, "other"))
		return numbers_at(reading, 1, reading->book->other, reading->book->values);
	if (!strcmp(word, "label"))
		return take_label(reading);
	return !strcmp(word, "row") && take_row(reading);
}

static bool take_lines(struct cli_totals *totals, char *text)
{
	struct reading reading = { .totals = totals };
	char *line, *field;
	size_t i;

	while ((line = strsep(&text, "\n")) && *line) {
		reading.count = 0;
		while ((field = strsep(&line, "\t"))) {
			if (reading.count == MAX_FIELDS)
				return false;
			reading.fields[reading.count++] = field;
		}
		if (!take_line(&reading))
			return false;
	}
	for (i = 0; i < totals->count; i++)
		totals->sessions[i]->here = false;
	return true;
}

/**
 * cli_state_parse() - go on with counters that were written down
 * @totals: all zero; filled in, or empty again
 * @text: with a NUL behind it; changed
 * @size: without the NUL
 * @why: filled in with a sentence's end if they cannot be understood
 *
 * Return: could they be.
 */
bool cli_state_parse(struct cli_totals *totals, char *text, size_t size, const char **why)
{
	char *body = memchr(text, '\n', size), head[sizeof(HEAD) + 8];

	*why = "it is damaged";
	if (strncmp(text, HEAD, strlen(HEAD))) {
		if (!strncmp(text, HEAD, strcspn(HEAD, " ") + 1))
			*why = "another version of this program wrote it";
		return false;
	}
	if (!body)
		return false;
	body++;
	snprintf(head, sizeof(head), HEAD "%08" PRIx32,
		 sum_of(body, size - (size_t)(body - text)));
	if (strlen(head) != (size_t)(body - text) - 1 || strncmp(text, head, strlen(head)) ||
	    memchr(body, '\0', size - (size_t)(body - text)))
		return false;
	if (take_lines(totals, body))
		return true;
	cli_totals_free(totals);
	return false;
}
