// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_open: the command line with files that stand in for the module's, in the directory that
 * SCHEDPROF_FAKE names; with SCHEDPROF_FAKE_MAX, as a module that has just been loaded and
 * takes so many bytes of tables. Linked with --wrap=schedprof_open. One thread.
 */
#include <stdlib.h>

#include "fake_module.h"
#include "schedprof.h"

struct schedprof *__real_schedprof_open(const char *configfs, const char *debugfs,
					struct schedprof_error *error);
struct schedprof *__wrap_schedprof_open(const char *configfs, const char *debugfs,
					struct schedprof_error *error);

struct schedprof *__wrap_schedprof_open(const char *configfs, const char *debugfs,
					struct schedprof_error *error)
{
	const char *directory = getenv("SCHEDPROF_FAKE"), *max = getenv("SCHEDPROF_FAKE_MAX");

	(void)configfs;
	(void)debugfs;
	if (max)
		fake_module_begin(directory, strtoull(max, NULL, 10));
	else
		fake_module.max_bytes = 10000000;
	fake_module.directory = directory;
	return __real_schedprof_open(directory, directory, error);
}
