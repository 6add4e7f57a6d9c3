// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * kernel: names of kernel addresses, from the running kernel or a file. A table
 * does not change once it is loaded, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "error.h"
#include "files.h"
#include "schedprof.h"

#define KALLSYMS "/proc/kallsyms"
/* No function is that long: an address so far behind a symbol is in no function. */
#define MAX_DISTANCE 0x100000

struct line {
	uint64_t address;
	const char *name;
	const char *module;	/* NULL: the kernel itself */
	bool code;
};

struct schedprof_kernel {
	char *text;		/* of the file, cut up */
	struct line *lines;	/* sorted by address, one line for each address */
	size_t count;
};

LIBSP_EXPORT void schedprof_kernel_free(struct schedprof_kernel *kernel)
{
	if (!kernel)
		return;
	free(kernel->lines);
	free(kernel->text);
	free(kernel);
}

/* Marks of the compiler and of the architecture, which are no names. */
static bool is_mark(const char *name)
{
	return *name == '$' || (name[0] == '.' && name[1] == 'L');
}

/*
 * Parses "ffffffff81000000 T name", which a tab and "[module]" follow in kallsyms.
 * Return: 1; 0 for a symbol that is left out; or -1 for what is no such line.
 */
static int parse_line(char *text, struct line *line)
{
	char *end, *blank;

	line->address = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return -1;
	line->code = strchr("tTwW", end[1]);
	line->name = end + 3;
	line->module = NULL;
	blank = end + 3 + strcspn(end + 3, " \t");
	if (*blank) {
		*blank++ = '\0';
		blank += strspn(blank, " \t[");
		blank[strcspn(blank, " ]")] = '\0';
		if (*blank)
			line->module = blank;
	}
	/* Per-CPU variables have addresses from 0 on. */
	return !is_mark(line->name) && !strchr("aA", end[1]);
}

static int by_line_address(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* The names are in memory in the order of the file. */
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Of several names of one address the kernel takes the first function. */
static void drop_aliases(struct schedprof_kernel *kernel)
{
	size_t i, n = 0;

	for (i = 0; i < kernel->count; i++) {
		struct line *line = &kernel->lines[i], *last;

		last = n ? &kernel->lines[n - 1] : NULL;
		if (!last || last->address != line->address)
			kernel->lines[n++] = *line;
		else if (!last->code)
			*last = *line;
	}
	kernel->count = n;
}

static int no_table(const char *path, size_t number, struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, number,
			     "line %zu of %s is no symbol; give a System.map or a copy of /proc/kallsyms",
			     number, path);
}

static int parse_table(struct schedprof_kernel *kernel, const char *path,
		       struct schedprof_error *error)
{
	size_t number = 0, lines = 1;
	uint64_t highest = 0;
	char *c, *rest;
	int result;

	for (c = kernel->text; *c; c++)
		lines += *c == '\n';
	kernel->lines = calloc(lines, sizeof(*kernel->lines));
	if (!kernel->lines)
		return libsp_no_memory(error);
	for (c = strtok_r(kernel->text, "\n", &rest); c;
	     c = strtok_r(NULL, "\n", &rest)) {
		struct line *line = &kernel->lines[kernel->count];

		number++;
		result = parse_line(c, line);
		if (result < 0)
			return no_table(path, number, error);
		if (!result)
			continue;
		kernel->count++;
		if (line->address > highest)
			highest = line->address;
	}
	if (!kernel->count)
		return no_table(path, 1, error);
	if (!highest)
		return libsp_fail(error, SCHEDPROF_NOT_ROOT,
				  "the kernel hides its addresses in %s; read it as root, or after: sysctl kernel.kptr_restrict=0",
				  path);
	qsort(kernel->lines, kernel->count, sizeof(*kernel->lines), by_line_address);
	drop_aliases(kernel);
	return 0;
}

LIBSP_EXPORT struct schedprof_kernel *
schedprof_kernel_load(const char *path, struct schedprof_error *error)
{
	struct schedprof_kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel) {
		libsp_no_memory(error);
		return NULL;
	}
	if (!path)
		path = KALLSYMS;
	kernel->text = libsp_read_file(path, NULL, error);
	if (!kernel->text || parse_table(kernel, path, error)) {
		schedprof_kernel_free(kernel);
		return NULL;
	}
	return kernel;
}

/* An address that is looked for, and the end of the lines. */
struct wanted_address {
	uint64_t address;
	const struct line *end;
};

/* A line stands for all addresses up to the next line. */
static int compare_address(const void *key, const void *element)
{
	const struct wanted_address *wanted = key;
	const struct line *line = element;

	if (wanted->address < line->address)
		return -1;
	return line + 1 < wanted->end && wanted->address >= line[1].address;
}

LIBSP_EXPORT bool schedprof_kernel_find(const struct schedprof_kernel *kernel,
					uint64_t address,
					struct schedprof_symbol *symbol, size_t size)
{
	struct wanted_address wanted = { address, kernel->lines + kernel->count };
	struct schedprof_symbol found = { .address = address };
	const struct line *line;

	line = bsearch(&wanted, kernel->lines, kernel->count, sizeof(*line),
		       compare_address);
	if (!line || !line->code || address - line->address >= MAX_DISTANCE)
		return false;
	found.function = line->name;
	found.module = line->module;
	found.offset = address - line->address;
	if (line + 1 < wanted.end && line[1].address - line->address < MAX_DISTANCE)
		found.size = line[1].address - line->address;
	libsp_copy_struct(symbol, size, &found, sizeof(found));
	return true;
}
