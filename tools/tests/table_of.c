// SPDX-License-Identifier: GPL-2.0-only
/*
 * table_of FILE: its unwind table, as the module takes it, on standard output. One thread.
 */
#include <fcntl.h>
#include <stdio.h>

#include "schedprof.h"

int main(int count, char **arguments)
{
	struct schedprof_unwind *table;
	struct schedprof_error error;
	const void *data;
	size_t size;

	if (count != 2)
		return 2;
	table = schedprof_unwind_make(open(arguments[1], O_RDONLY), arguments[1], &error);
	if (!table) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	data = schedprof_unwind_data(table, &size);
	fwrite(data, 1, size, stdout);
	schedprof_unwind_free(table);
	return fflush(stdout) ? 1 : 0;
}
