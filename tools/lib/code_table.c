// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * code_table: which generated function was at an address, at a time. Code is thrown away
 * and other code takes its place, perhaps only in part, so that what came last counts.
 *
 * The addresses are cut at all starts and ends, and a tree of these pieces has each code
 * in a few nodes that are just the pieces of it. Whoever looks for an address goes from its
 * piece to the root. However a file was made, that takes no longer than the logarithm.
 *
 * One thread fills a table; once it is ready it does not change. Nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../shared/utf8.h"
#include "code_table.h"

static size_t code_count(const struct libsp_code_table *table)
{
	return table->codes.size / sizeof(struct libsp_code);
}

static struct libsp_code *code_at(const struct libsp_code_table *table, size_t index)
{
	return (struct libsp_code *)table->codes.at + index;
}

/**
 * libsp_code_room() - memory that lives as long as a table
 * @table: the table
 * @size: in bytes
 *
 * Return: it, all zero; or NULL if a table has all that it may have, which full tells then, or
 * there is none.
 */
void *libsp_code_room(struct libsp_code_table *table, size_t size)
{
	if (size > LIBSP_MAX_CODE_BYTES - table->arena_bytes) {
		table->full = true;
		return NULL;
	}
	table->arena_bytes += size;
	return libsp_arena_get(&table->arena, size);
}

/**
 * libsp_code_text() - a name as it may be shown
 * @table: of whose memory it is
 * @text: whatever a file has; a NUL ends it
 * @length: of @text at most
 *
 * Return: a copy, cut if it is too long, with a question mark for all that is no character
 * that may be printed; or NULL.
 */
const char *libsp_code_text(struct libsp_code_table *table, const char *text,
			    size_t length)
{
	size_t at, step;
	char *copy;

	length = strnlen(text, length < LIBSP_MAX_CODE_NAME ? length : LIBSP_MAX_CODE_NAME);
	copy = libsp_code_room(table, length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	for (at = 0; at < length; at += step ? step : 1) {
		step = utf8_printable(copy + at);
		if (!step)
			copy[at] = '?';
	}
	return copy;
}

/**
 * libsp_code_add() - note what came to an address
 * @table: the table
 * @code: copied; its strings are of libsp_code_text()
 *
 * Return: false if the table is full, as full tells then, or there is no memory.
 */
bool libsp_code_add(struct libsp_code_table *table, const struct libsp_code *code)
{
	/* What is empty, or goes around the end of all addresses, holds none. */
	if (code->end <= code->start)
		return true;
	if (code_count(table) == LIBSP_MAX_CODE) {
		table->full = true;
		return false;
	}
	libsp_buffer_add(&table->codes, code, sizeof(*code));
	return !table->codes.failed;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* What came later in the file is later, also if the clock has not moved. */
static int by_time(const void *a, const void *b)
{
	const struct libsp_code *x = *(const struct libsp_code *const *)a;
	const struct libsp_code *y = *(const struct libsp_code *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool sort_codes(struct libsp_code_table *table)
{
	size_t i, n = code_count(table);
	const struct libsp_code **order = calloc(n, sizeof(*order));
	struct libsp_buffer sorted = { };

	if (!order)
		return false;
	for (i = 0; i < n; i++)
		order[i] = code_at(table, i);
	qsort(order, n, sizeof(*order), by_time);
	for (i = 0; i < n; i++)
		libsp_buffer_add(&sorted, order[i], sizeof(**order));
	free(order);
	libsp_buffer_free(&table->codes);
	table->codes = sorted;
	return !sorted.failed;
}

static bool make_bounds(struct libsp_code_table *table)
{
	size_t i, n = code_count(table), kept = 0;

	table->bounds = calloc(2 * n, sizeof(*table->bounds));
	if (!table->bounds)
		return false;
	for (i = 0; i < n; i++) {
		table->bounds[2 * i] = code_at(table, i)->start;
		table->bounds[2 * i + 1] = code_at(table, i)->end;
	}
	qsort(table->bounds, 2 * n, sizeof(*table->bounds), by_number);
	for (i = 0; i < 2 * n; i++)
		if (!kept || table->bounds[kept - 1] != table->bounds[i])
			table->bounds[kept++] = table->bounds[i];
	table->bound_count = kept;
	return true;
}

/* The number of the piece that the address is in: how many bounds up to it, less one. */
static size_t piece_of(const struct libsp_code_table *table, uint64_t address)
{
	size_t low = 0, high = table->bound_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (table->bounds[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/*
 * The nodes of the tree that a code is in, at most two on each level: node 1 is the root,
 * 2 * i and 2 * i + 1 are below i, and the pieces are the nodes from bound_count on.
 */
static size_t nodes_of(const struct libsp_code_table *table, const struct libsp_code *code,
		       uint32_t nodes[128])
{
	size_t left = piece_of(table, code->start) + table->bound_count;
	size_t right = piece_of(table, code->end) + table->bound_count, n = 0;

	for (; left < right; left /= 2, right /= 2) {
		if (left & 1)
			nodes[n++] = (uint32_t)left++;
		if (right & 1)
			nodes[n++] = (uint32_t)(--right);
	}
	return n;
}

/* Counts first, and puts the numbers of codes where they belong then. */
static bool make_tree(struct libsp_code_table *table)
{
	size_t i, j, used, count = code_count(table), nodes = 2 * table->bound_count;
	uint32_t of[128], *fill;
	uint64_t sum = 0;

	table->first = calloc(nodes + 1, sizeof(*table->first));
	fill = calloc(nodes + 1, sizeof(*fill));
	if (!table->first || !fill)
		goto err;
	for (i = 0; i < count; i++)
		for (j = 0, used = nodes_of(table, code_at(table, i), of); j < used; j++)
			fill[of[j]]++;
	for (i = 0; i < nodes; i++) {
		table->first[i] = (uint32_t)sum;
		sum += fill[i];
		fill[i] = table->first[i];
	}
	table->first[nodes] = (uint32_t)sum;
	table->of_node = calloc(sum, sizeof(*table->of_node));
	if (!table->of_node)
		goto err;
	for (i = 0; i < count; i++)
		for (j = 0, used = nodes_of(table, code_at(table, i), of); j < used; j++)
			table->of_node[fill[of[j]]++] = (uint32_t)i;
	free(fill);
	return true;

err:
	free(fill);
	return false;
}

/**
 * libsp_code_ready() - make a table ready to be searched, once all is added
 * @table: the table
 *
 * Return: false if there is no memory.
 */
bool libsp_code_ready(struct libsp_code_table *table)
{
	if (table->codes.failed)
		return false;
	if (!code_count(table))
		return true;
	return sort_codes(table) && make_bounds(table) && make_tree(table);
}

/* The last one of a node that came up to @time; its number, or -1. */
static int64_t last_of_node(const struct libsp_code_table *table, size_t node, uint64_t time)
{
	uint32_t low = table->first[node], high = table->first[node + 1], middle;
	uint32_t begin = low;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (code_at(table, table->of_node[middle])->time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low > begin ? (int64_t)table->of_node[low - 1] : -1;
}

/**
 * libsp_code_find() - what is at an address
 * @table: ready
 * @address: exactly that
 * @time: what came later does not count
 *
 * Return: it, or NULL.
 */
const struct libsp_code *libsp_code_find(const struct libsp_code_table *table,
					 uint64_t address, uint64_t time)
{
	const struct libsp_code *code;
	int64_t last = -1, number;
	size_t node;

	if (!table->of_node || address < table->bounds[0] ||
	    address >= table->bounds[table->bound_count - 1])
		return NULL;
	for (node = piece_of(table, address) + table->bound_count; node; node /= 2) {
		number = last_of_node(table, node, time);
		if (number > last)
			last = number;
	}
	code = last < 0 ? NULL : code_at(table, (size_t)last);
	return code && code->name ? code : NULL;
}

/**
 * libsp_code_line_find() - the line of a source that an address is of
 * @code: that holds the address
 * @address: exactly that
 *
 * Return: it, or NULL.
 */
const struct libsp_code_line *libsp_code_line_find(const struct libsp_code *code,
						   uint64_t address)
{
	size_t low = 0, high = code->line_count, middle;

	/* Code that was moved has its lines where it was. */
	address = address - code->start + code->lines_start;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (code->lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &code->lines[low - 1] : NULL;
}

/**
 * libsp_code_bytes() - how much memory a table has
 * @table: ready, or empty
 */
size_t libsp_code_bytes(const struct libsp_code_table *table)
{
	size_t bytes = table->arena_bytes + table->codes.room;
	size_t nodes = 2 * table->bound_count;

	if (!nodes)
		return bytes;
	return bytes + 2 * code_count(table) * sizeof(*table->bounds) +
	       (nodes + 1) * sizeof(*table->first) +
	       table->first[nodes] * sizeof(*table->of_node);
}

/**
 * libsp_code_free() - give back what a table has
 * @table: empty after that
 */
void libsp_code_free(struct libsp_code_table *table)
{
	libsp_arena_free(&table->arena);
	libsp_buffer_free(&table->codes);
	free(table->bounds);
	free(table->first);
	free(table->of_node);
	*table = (struct libsp_code_table){ };
}
