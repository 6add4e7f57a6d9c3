// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_module: files that stand in for the module's, as far as unwind tables go. Files have
 * no code that looks at what is written to them: write() does, which the linker puts in.
 * State: what the module has taken. One thread.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <table_format.h>

#include "fake_module.h"
#include "schedprof.h"

struct fake_module fake_module;

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);

static FILE *open_file(const char *name, const char *how)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", fake_module.directory, name);
	file = fopen(path, how);
	if (!file)
		err(2, "%s", path);
	return file;
}

/* Makes a file of that text. */
void fake_module_put(const char *name, const char *text)
{
	FILE *file = open_file(name, "w");

	fputs(text, file);
	if (fclose(file))
		err(2, "%s", name);
}

static void tell_status(void)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "tables %" PRIu64 "\nbytes %" PRIu64 "\ntable_bytes %" PRIu64
		 "\nothers_bytes %" PRIu64 "\ngenerated_bytes 0\nmax_bytes %" PRIu64 "\n",
		 fake_module.tables, fake_module.bytes, fake_module.bytes,
		 fake_module.others, fake_module.max_bytes);
	fake_module_put("unwind_status", text);
}

/* As after it was loaded. @directory: there must be one. */
void fake_module_begin(const char *directory, uint64_t max_bytes)
{
	schedprof_unwind_free(fake_module.generated);
	fake_module = (struct fake_module){
		.directory = directory, .max_bytes = max_bytes,
	};
	fake_module_put("unwind_table", "");
	fake_module_put("unwind_tables", "build_id\tbytes\trows\tusers\tof_root\n");
	fake_module_put("unwind_missing", "");
	fake_module_put("last_error", "\n");
	tell_status();
}

/* The list without the one that is called so. Return: there was one. */
static bool forget(const char *name)
{
	char before[65536], *line, *next;
	FILE *file = open_file("unwind_tables", "r");
	size_t size = fread(before, 1, sizeof(before) - 1, file), length = strlen(name);
	bool found = false;

	fclose(file);
	before[size] = '\0';
	file = open_file("unwind_tables", "w");
	for (line = before; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (!strncmp(line, name, length) && line[length] == '\t')
			found = true;
		else
			fwrite(line, 1, (size_t)(next - line), file);
	}
	fclose(file);
	return found;
}

static void take_table(const void *bytes, size_t size)
{
	const struct sp_unwind_header *header = bytes;
	struct schedprof_error error;
	struct schedprof_unwind *table;
	const char *name;
	FILE *file;

	table = schedprof_unwind_read(bytes, size, &error);
	if (!table)
		errx(2, "what the module got: %s", error.message);
	name = schedprof_unwind_build_id(table);
	fake_module.taken++;
	fake_module.bytes += size;
	fake_module.others += header->flags ? 0 : size;
	fake_module.tables += !forget(name);
	tell_status();
	file = open_file("unwind_tables", "a");
	fprintf(file, "%s\t%zu\t%zu\t0\t%d\n", name, size,
		schedprof_unwind_row_count(table), !!(header->flags & SP_UNWIND_OF_ROOT));
	fclose(file);
	if (!strncmp(name, "process-", 8)) {
		schedprof_unwind_free(fake_module.generated);
		fake_module.generated = table;
		if (fake_module.generated_fn)
			fake_module.generated_fn();
	} else {
		schedprof_unwind_free(table);
	}
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	char path[64], name[512];
	const char *base;
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = readlink(path, name, sizeof(name) - 1);
	name[length < 0 ? 0 : length] = '\0';
	base = strrchr(name, '/');
	if (!fake_module.directory || !base || strcmp(base, "/unwind_table"))
		return __real_write(fd, bytes, size);
	/* The result of its close, which would tell, does not arrive in a program. */
	if (fake_module.refuses)
		fake_module_put("last_error", "this one is not taken\nand more\n");
	else
		take_table(bytes, size);
	return (ssize_t)size;
}
