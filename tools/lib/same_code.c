// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * same_code: where in a process's memory there is more of one and the same function.
 *
 * Code that has no file is searched for the bytes that the function has in memory. If they
 * are not the same everywhere where it is known to be, there is nothing to search for. Some
 * of what is found may never be called: python fills memory with copies, and then uses every
 * so-manieth; so nothing is searched for between two that are as close as any. A process
 * that goes on meanwhile is no failure. No state, so nothing is locked.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "error.h"
#include "maps.h"
#include "same_code.h"

/* Shorter ones may be anything. */
#define LEAST_BYTES	8
#define MOST_BYTES	256
/* So much memory is searched; who has more of it has other functions, too. */
#define MAX_SEARCHED	(64 << 20)
/* Functions begin so, or more so. */
#define ROUND		16

struct search {
	const struct libsp_same_code *same;
	struct libsp_buffer memory;	/* of a mapping */
	uint64_t start;			/* of that */
	unsigned char bytes[MOST_BYTES];
	bool known;			/* bytes are those of the function */
	bool other;			/* some are not */
	uint64_t least;			/* from one of them to the next */
	struct libsp_buffer found;	/* uint64_t */
};

/* The number of the first one that is known to be there or behind. */
static size_t first_from(const struct libsp_same_code *same, uint64_t address)
{
	size_t low = 0, high = same->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (same->told[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Is it where it is said to be? */
static void check_told(struct search *search)
{
	const struct libsp_same_code *same = search->same;
	size_t i = first_from(same, search->start), size = (size_t)same->size;
	uint64_t end = search->start + search->memory.size;
	const unsigned char *at;

	for (; i < same->count && same->told[i] < end && end - same->told[i] >= size; i++) {
		at = search->memory.at + (same->told[i] - search->start);
		if (!search->known)
			memcpy(search->bytes, at, size);
		search->known = true;
		search->other |= memcmp(search->bytes, at, size) || same->told[i] % ROUND;
	}
}

/* No function begins between two that are as close as any. @told: the second one */
static bool is_between(const struct search *search, size_t told)
{
	const uint64_t *at = search->same->told;

	return told && told < search->same->count && at[told] - at[told - 1] == search->least;
}

static void find_least(struct search *search)
{
	const struct libsp_same_code *same = search->same;
	size_t i;

	search->least = UINT64_MAX;
	for (i = 1; i < same->count; i++)
		if (same->told[i] - same->told[i - 1] < search->least)
			search->least = same->told[i] - same->told[i - 1];
}

static void search_memory(struct search *search)
{
	const struct libsp_same_code *same = search->same;
	size_t size = (size_t)same->size, at, told;
	uint64_t address;

	for (at = 0; at + size <= search->memory.size; at += ROUND) {
		if (memcmp(search->memory.at + at, search->bytes, size))
			continue;
		address = search->start + at;
		told = first_from(same, address);
		if ((told == same->count || same->told[told] != address) &&
		    !is_between(search, told))
			libsp_buffer_add(&search->found, &address, sizeof(address));
	}
}

/* Return: is the line of code without a file? What has a name in brackets may be. */
static bool parse_line(const char *line, uint64_t *start, uint64_t *end)
{
	uint64_t inode;
	char flags[5];
	int at = 0;

	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64 " %n", start,
		      end, flags, &inode, &at) == 4 && flags[2] == 'x' && !inode && at &&
	       *start < *end && (!line[at] || !strncmp(line + at, "[anon:", 6));
}

/* Reads what is at those addresses. Return: is it all there? */
static bool read_memory(struct search *search, int fd, uint64_t start, uint64_t end)
{
	size_t size = (size_t)(end - start), all = 0;
	ssize_t got;

	search->memory.size = 0;
	search->start = start;
	if (!libsp_buffer_grow(&search->memory, size))
		return false;
	while (all < size) {
		got = pread(fd, search->memory.at + all, size - all, (off_t)(start + all));
		if (got <= 0)
			return false;
		all += (size_t)got;
	}
	return true;
}

/* Does it with all code without a file. */
static void for_each(struct search *search, int fd, void (*look)(struct search *search))
{
	size_t left = MAX_SEARCHED;
	struct libsp_maps maps;
	uint64_t start, end;
	const char *line;

	if (!libsp_maps_open(&maps, search->same->pid))
		return;
	while (!search->memory.failed && (line = libsp_maps_next(&maps))) {
		if (!parse_line(line, &start, &end))
			continue;
		if (end - start > left)
			break;
		left -= (size_t)(end - start);
		if (read_memory(search, fd, start, end))
			look(search);
	}
	libsp_maps_close(&maps);
}

static int tell(struct search *search, struct schedprof_error *error)
{
	const uint64_t *found = (const uint64_t *)search->found.at;
	size_t i, count = search->found.size / sizeof(*found);
	int result = 0;

	if (search->memory.failed || search->found.failed)
		return libsp_no_memory(error);
	for (i = 0; !result && i < count; i++)
		result = search->same->found(search->same->data, found[i], error);
	return result;
}

/**
 * libsp_same_code_find() - find more of one and the same function
 * @same: where it is, and what to do with others
 * @error: filled on failure
 *
 * Return: 0 or a negative code.
 */
int libsp_same_code_find(const struct libsp_same_code *same, struct schedprof_error *error)
{
	struct search search = { .same = same };
	char path[64];
	int fd, result;

	if (same->size < LEAST_BYTES || same->size > MOST_BYTES)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/mem", same->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	for_each(&search, fd, check_told);
	find_least(&search);
	if (search.known && !search.other)
		for_each(&search, fd, search_memory);
	close(fd);
	result = tell(&search, error);
	libsp_buffer_free(&search.memory);
	libsp_buffer_free(&search.found);
	return result;
}
