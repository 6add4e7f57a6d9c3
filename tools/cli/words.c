// SPDX-License-Identifier: GPL-2.0-only
/*
 * words: what people write on a command line and read on a terminal: times, sizes,
 * numbers, and which word was meant. Pure functions.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

/**
 * cli_parse_number() - a whole number
 * @text: decimal digits and nothing else
 * @min: the least that is taken
 * @max: the most
 * @number: where to
 *
 * Return: was it one.
 */
bool cli_parse_number(const char *text, uint64_t min, uint64_t max,
		      uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return !*end && !errno && *number >= min && *number <= max;
}

static bool unit_of_time(const char *text, uint64_t *unit_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 0 },
		{ "ns", 1 },
		{ "us", CLI_NS_PER_US },
		{ "ms", CLI_NS_PER_MS },
		{ "s", CLI_NS_PER_S },
		{ "m", 60 * CLI_NS_PER_S },
		{ "min", 60 * CLI_NS_PER_S },
		{ "h", 3600 * CLI_NS_PER_S },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(text, units[i].name)) {
			if (units[i].ns)
				*unit_ns = units[i].ns;
			return true;
		}
	return false;
}

/**
 * cli_parse_time() - a length of time, as in 5, 0.5, 20ms, 3min
 * @text: a number, perhaps with a fraction, perhaps with a unit
 * @unit_ns: of a number without one
 * @ns: where to, in ns
 *
 * Fractions are taken digit by digit, as a double cannot hold all of 64 bits.
 *
 * Return: was it one, and below 2^63 ns.
 */
bool cli_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns)
{
	const char *digits;
	uint64_t whole, part;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	whole = strtoull(text, &end, 10);
	if (errno)
		return false;
	digits = *end == '.' ? end + 1 : end;
	end = (char *)digits + strspn(digits, "0123456789");
	if (digits[-1] == '.' && end == digits)
		return false;
	if (!unit_of_time(end, &unit_ns) || whole > INT64_MAX / unit_ns)
		return false;
	*ns = whole * unit_ns;
	for (part = unit_ns; digits < end; digits++) {
		part /= 10;
		*ns += part * (uint64_t)(*digits - '0');
	}
	return *ns <= INT64_MAX;
}

/**
 * cli_parse_size() - an amount of data, as in 512k, 10M, 1G, or a plain number
 * @text: a whole number, perhaps with a unit (of 1024)
 * @bytes: where to
 * @has_unit: was there one
 *
 * Return: was it one, and not 0.
 */
bool cli_parse_size(const char *text, uint64_t *bytes, bool *has_unit)
{
	static const char units[] = "kMGT";
	const char *unit;
	unsigned int shift;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	*has_unit = *end;
	if (errno || !*bytes)
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end == 'K' ? 'k' : *end);
	if (!unit || end[1])
		return false;
	shift = 10 * (unsigned int)(unit - units + 1);
	if (*bytes > UINT64_MAX >> shift)
		return false;
	*bytes <<= shift;
	return true;
}

/**
 * cli_time() - a length of time for people
 * @word: where to
 * @ns: printed in ns, us, ms or s, with three decimals
 *
 * Return: @word.
 */
const char *cli_time(char word[CLI_WORD], uint64_t ns)
{
	static const char *const units[] = { "us", "ms", "s" };
	uint64_t unit = 1000;
	unsigned int i;

	if (ns < 1000) {
		snprintf(word, CLI_WORD, "%" PRIu64 " ns", ns);
		return word;
	}
	for (i = 0; i < 2 && ns >= unit * 1000; i++)
		unit *= 1000;
	snprintf(word, CLI_WORD, "%" PRIu64 ".%03" PRIu64 " %s", ns / unit,
		 ns / (unit / 1000) % 1000, units[i]);
	return word;
}

/**
 * cli_length() - a length of time in the unit of a recording
 * @word: where to
 * @time: ns, or cycles
 * @cycles: which of them
 *
 * Return: @word.
 */
const char *cli_length(char word[CLI_WORD], uint64_t time, bool cycles)
{
	if (!cycles)
		return cli_time(word, time);
	snprintf(word, CLI_WORD, "%" PRIu64 " cycles", time);
	return word;
}

/**
 * cli_share() - a share in percent
 * @word: where to
 * @part: of @whole
 * @whole: 0 gives 0.0%
 *
 * Return: @word.
 */
const char *cli_share(char word[CLI_WORD], uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	snprintf(word, CLI_WORD, "%.1f%%", percent);
	return word;
}

static size_t least_of(size_t a, size_t b, size_t c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

/* How many letters must change, come or go to make one word the other. */
static size_t word_distance(const char *a, const char *b)
{
	size_t row[CLI_WORD], length = strlen(b), i, j, corner, above;

	if (length >= CLI_WORD)
		return SIZE_MAX;
	for (j = 0; j <= length; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		corner = row[0];
		row[0] = i + 1;
		for (j = 1; j <= length; j++) {
			above = row[j];
			row[j] = least_of(above + 1, row[j - 1] + 1,
					  corner + (a[i] != b[j - 1]));
			corner = above;
		}
	}
	return row[length];
}

/**
 * cli_nearest() - which of the known words was meant
 * @word: what was written
 * @known: what there is
 * @n: how many of them
 *
 * Return: the nearest; NULL if none is near.
 */
const char *cli_nearest(const char *word, const char *const *known, size_t n)
{
	size_t best = strlen(word) / 3 + 2, i, d;
	const char *nearest = NULL;

	for (i = 0; i < n; i++) {
		d = word_distance(word, known[i]);
		/* The beginning of a word says which one is meant. */
		if (*word && !strncmp(word, known[i], strlen(word)))
			d = 1;
		if (d < best) {
			best = d;
			nearest = known[i];
		}
	}
	return nearest;
}
