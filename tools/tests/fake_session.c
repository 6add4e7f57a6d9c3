// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_session: sessions that a command makes, with directories that stand in for the
 * module's. If SCHEDPROF_FAKE_ROUNDS names a directory, a directory that is made for a session
 * has all attributes, and goes with them; and what is read from a session of mode M for the
 * N-th time, as raw, is the file M/N there, or the last one that there is; if nothing is in it,
 * there is no memory for it. Linked with --wrap=mkdir, --wrap=rmdir and
 * --wrap=schedprof_read_session. One thread.
 */
#include <dirent.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "schedprof.h"

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_rmdir(const char *path);
int __wrap_rmdir(const char *path);
struct schedprof_reader *__real_schedprof_read_session(const struct schedprof *handle,
						       const char *session,
						       struct schedprof_error *error);
struct schedprof_reader *__wrap_schedprof_read_session(const struct schedprof *handle,
						       const char *session,
						       struct schedprof_error *error);

static const char *rounds(void)
{
	return getenv("SCHEDPROF_FAKE_ROUNDS");
}

static void put(const char *directory, const char *name, const char *text)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file)
		err(2, "%s", path);
	fputs(text, file);
	if (fclose(file))
		err(2, "%s", path);
}

/* As after its mkdir; status is that of a session which records, whatever is written. */
int __wrap_mkdir(const char *path, mode_t mode)
{
	static const char *const attributes[] = {
		"mode", "pids", "tids", "inherit", "comm", "uid", "cgroup", "tasks_kind", "state",
		"min_us", "max_us", "stack", "stack_depth", "ledger", "blame", "interrupts", "clock",
		"trace_kb",
		"duration_ms", "max_tasks", "max_stacks", "max_entries", "enable", "reset",
	};
	int result = __real_mkdir(path, mode);
	size_t i;

	if (result || !rounds())
		return result;
	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		put(path, attributes[i], "");
	put(path, "status", "enabled seconds=1.000 memory_bytes=0\n");
	put(path, "last_error", "\n");
	put(path, "reads", "0");
	return 0;
}

int __wrap_rmdir(const char *path)
{
	struct dirent *entry;
	char name[4096];
	DIR *directory;

	directory = rounds() ? opendir(path) : NULL;
	while (directory && (entry = readdir(directory))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(name);
	}
	if (directory)
		closedir(directory);
	return __real_rmdir(path);
}

/* The first word of a file; "" if there is none. */
static void read_word(const char *directory, const char *session, const char *name,
		      char word[64])
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s", directory, session, name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%63s", word) != 1)
		word[0] = '\0';
	if (file)
		fclose(file);
}

static bool is_empty(const char *path)
{
	struct stat status;

	return !stat(path, &status) && !status.st_size;
}

struct schedprof_reader *__wrap_schedprof_read_session(const struct schedprof *handle,
						       const char *session,
						       struct schedprof_error *error)
{
	const char *from = rounds(), *directory = schedprof_configfs(handle);
	char mode[64], reads[64], next[64], path[4096], raw[4096];
	unsigned long n;

	if (from)
		read_word(directory, session, "mode", mode);
	/* The library says itself what is wrong with a session that is gone. */
	if (!from || !mode[0])
		return __real_schedprof_read_session(handle, session, error);
	read_word(directory, session, "reads", reads);
	n = strtoul(reads, NULL, 10) + 1;
	snprintf(path, sizeof(path), "%s/%s/%lu", from, mode, n);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "%s/%s/%lu", from, mode, --n);
	snprintf(next, sizeof(next), "%lu", n);
	snprintf(raw, sizeof(raw), "%s/%s", directory, session);
	put(raw, "reads", next);
	if (!is_empty(path))
		return schedprof_read_path(path, error);
	*error = (struct schedprof_error) {
		.code = SCHEDPROF_NO_MEMORY,
		.message = "the kernel has no memory to show 'raw'; try again later",
	};
	return NULL;
}
