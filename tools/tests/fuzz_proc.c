// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_proc: anything at all where the library and the command line expect what a kernel
 * says: /proc/PID/stat, /proc/self/mounts, /proc/kallsyms, and attributes and results of a
 * session; and a list of functions that wait for work. For clang's libFuzzer; one thread.
 * The first byte says which of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../shared/proc_start.h"
#include "files.h"
#include "fuzz_file.h"
#include "schedprof.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mounts(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file("mounts", data, size);
	static const char *const types[] = { "configfs", "debugfs", "" };
	struct schedprof_error error = { };
	unsigned int i;
	char *found;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		found = libsp_mount_of(types[i], path, &error);
		if (found && strlen(found) > size)
			abort();
		free(found);
	}
}

static void start_time(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	proc_start_of(text);
	free(text);
}

static void kallsyms(const uint8_t *data, size_t size)
{
	struct schedprof_error error = { };
	struct schedprof_kernel *kernel;
	struct schedprof_symbol symbol;
	uint64_t address = 0;
	unsigned int i;

	kernel = schedprof_kernel_load(fuzz_file("kallsyms", data, size), &error);
	if (!kernel) {
		if (!*error.message || !error.code)
			abort();
		return;
	}
	for (i = 0; i < 64; i++) {
		/* Places all over, and those of the first lines of a real one. */
		address = i < 32 ? 1ULL << (2 * i) : 0xffffffff81000000ULL + 0x40 * (i - 32);
		if (schedprof_kernel_find(kernel, address, &symbol, sizeof(symbol)) &&
		    (symbol.offset > address || strlen(symbol.function) > size ||
		     (symbol.module && strlen(symbol.module) > size)))
			abort();
	}
	schedprof_kernel_free(kernel);
}

/* A text for all that a session is asked. */
static void session(const uint8_t *data, size_t size)
{
	static const char *const files[] = { "status", "last_error", "config", "stats", "pids" };
	static struct schedprof *handle;
	struct schedprof_status status;
	struct schedprof_error error = { };
	char path[512];
	uint64_t value;
	unsigned int i;
	char *text;

	if (!handle) {
		snprintf(path, sizeof(path), "%s/one", fuzz_directory());
		if (mkdir(path, 0700))
			abort();
		handle = schedprof_open(fuzz_directory(), fuzz_directory(), &error);
		if (!handle)
			abort();
	}
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "one/%s", files[i]);
		fuzz_file(path, data, size);
	}
	schedprof_status(handle, "one", &status, sizeof(status), &error);
	schedprof_stat(handle, "one", "recorded", &value, &error);
	text = schedprof_get(handle, "one", "pids", &error);
	if (text && strlen(text) > size)
		abort();
	free(text);
	schedprof_set(handle, "one", "no_such_attribute", "1", &error);
}

static void idle_waits(const uint8_t *data, size_t size)
{
	struct schedprof_error error = { };
	struct schedprof_idle_waits *list;

	list = schedprof_idle_waits_load(fuzz_file("idle-waits", data, size), &error);
	if (!list && (!*error.message || !error.code))
		abort();
	schedprof_idle_waits_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const takers[])(const uint8_t *data, size_t size) = {
		start_time, mounts, kallsyms, session, idle_waits,
	};

	if (size)
		takers[data[0] % 5](data + 1, size - 1);
	return 0;
}
