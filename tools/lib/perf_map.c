// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf_map: reads files perf-PID.map, in which programs that generate code say what is
 * where: a line "START SIZE NAME" for each function, the numbers in hexadecimal, and the
 * name is all the rest. A later line takes the place of an earlier one.
 *
 * The program may be writing just now: a last line without its end is left out, and so is
 * what is no such line. No state, so nothing is locked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_map.h"

/* Longer lines are left out; a name is cut before that. */
#define ROOM 65536
/* No file has more. */
#define MAX_BYTES ((size_t)1 << 30)

/* Takes a number and the blank after it off @text. Return: false if there is none. */
static bool take_number(const char **text, const char *end, uint64_t *number)
{
	const char *at = *text;
	unsigned int digits = 0;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	for (*number = 0; at < end; at++, digits++) {
		char c = *at;
		unsigned int digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned int)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			digit = (unsigned int)((c | 32) - 'a') + 10;
		else
			break;
		if (*number >> 60)
			return false;
		*number = *number << 4 | digit;
	}
	if (!digits || at == end || *at != ' ')
		return false;
	while (at < end && *at == ' ')
		at++;
	*text = at;
	return true;
}

/* Return: false if the table has no room for more. */
static bool take_line(const char *at, const char *end, struct libsp_code_table *table)
{
	struct libsp_code code = { };
	uint64_t size;

	if (end > at && end[-1] == '\r')
		end--;
	if (!take_number(&at, end, &code.start) || !take_number(&at, end, &size) ||
	    at == end || size > UINT64_MAX - code.start)
		return true;
	code.end = code.start + size;
	code.name = libsp_code_text(table, at, (size_t)(end - at));
	return code.name && libsp_code_add(table, &code);
}

/* Takes all whole lines. Return: how many bytes they have, or -1: there is no more room. */
static ssize_t take_lines(const char *room, size_t filled, bool *skip,
			  struct libsp_code_table *table)
{
	const char *at = room, *end;

	while ((end = memchr(at, '\n', filled - (size_t)(at - room)))) {
		/* The rest of a line that was too long. */
		if (!*skip && !take_line(at, end, table))
			return -1;
		*skip = false;
		at = end + 1;
	}
	return at - room;
}

/**
 * libsp_perf_map_read() - read such a file
 * @fd: of the file, from where it is; stays open
 * @table: gets what is in it
 *
 * Return: false if not all of it could be read, or there is no room for it in the table, which is
 * full then: a line that is missing may take the place of one that is there.
 */
bool libsp_perf_map_read(int fd, struct libsp_code_table *table)
{
	char *room = malloc(ROOM);
	size_t filled = 0, all = 0;
	bool skip = false, whole;
	ssize_t got, used;

	if (!room)
		return false;
	for (;;) {
		do
			got = read(fd, room + filled, ROOM - filled);
		while (got < 0 && errno == EINTR);
		all += got > 0 ? (size_t)got : 0;
		whole = !got;
		table->full |= all > MAX_BYTES;
		if (got <= 0 || table->full)
			break;
		filled += (size_t)got;
		used = take_lines(room, filled, &skip, table);
		if (used < 0)
			break;
		filled -= (size_t)used;
		memmove(room, room + used, filled);
		if (filled == ROOM) {
			filled = 0;
			skip = true;
		}
	}
	free(room);
	return whole;
}
