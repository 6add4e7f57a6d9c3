// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump_unwind FILE|vdso: the rows of its unwind table, one in a line: offset, kind, words
 * of the CFA, words of the frame pointer; before them a line with the build-id, the number
 * of rows, and bytes. One thread.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "schedprof.h"

int main(int count, char **arguments)
{
	static const char *const kinds[] = { "none", "outermost", "sp", "fp", "plt", "signal" };
	struct schedprof_unwind_row row;
	struct schedprof_unwind *table;
	struct schedprof_error error;
	size_t i, bytes;

	if (count != 2)
		return 2;
	if (!strcmp(arguments[1], "vdso"))
		table = schedprof_unwind_make_vdso(&error);
	else
		table = schedprof_unwind_make(open(arguments[1], O_RDONLY), arguments[1], &error);
	if (!table) {
		fprintf(stderr, "error %d: %s\n", error.code, error.message);
		return 1;
	}
	schedprof_unwind_data(table, &bytes);
	printf("%s %zu %zu\n", schedprof_unwind_build_id(table),
	       schedprof_unwind_row_count(table), bytes);
	for (i = 0; schedprof_unwind_row_at(table, i, &row, sizeof(row)); i++)
		printf("%" PRIx64 " %s %u %u\n", row.offset, kinds[row.kind], row.cfa, row.saved);
	schedprof_unwind_free(table);
	return 0;
}
