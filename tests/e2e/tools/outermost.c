// SPDX-License-Identifier: GPL-2.0-only
/*
 * outermost BUILD_ID | PID START WINDOW: prints an unwind table that says of all code of that
 * file, or that the process generated there, that nobody called it. It lies, and is right in
 * form.
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table_crc.h"
#include "table_format.h"

int main(int argc, char **argv)
{
	struct {
		struct sp_unwind_header head;
		struct sp_unwind_row row;
	} table = {
		.head = {
			.magic = { 's', 'p', 'u', 'n', 'w', 'i', 'n', 'd' },
			.version = SP_UNWIND_VERSION, .bytes = sizeof(table),
			.machine = EM_X86_64, .rows = 1,
		},
		.row = { .rule = sp_unwind_rule(SP_UNWIND_OUTERMOST, 0) },
	};
	const size_t begin = offsetof(struct sp_unwind_header, machine);
	struct sp_unwind_process process;
	const char *hex;

	if (argc == 4) {
		process.pid = (uint32_t)atoi(argv[1]);
		process.start = strtoull(argv[2], NULL, 10);
		process.window = (uint32_t)strtoull(argv[3], NULL, 16);
		table.head.flags = SP_UNWIND_PROCESS;
		table.head.build_id_bytes = sizeof(process);
		memcpy(table.head.build_id, &process, sizeof(process));
		argv[1] = "";
	} else if (argc != 2 || strlen(argv[1]) > 2 * SP_UNWIND_BUILD_ID_MAX) {
		fprintf(stderr, "usage: outermost BUILD_ID | PID START WINDOW\n");
		return 2;
	}
	for (hex = argv[1]; *hex && hex[1]; hex += 2) {
		const char byte[] = { hex[0], hex[1], '\0' };

		table.head.build_id[table.head.build_id_bytes++] =
			(unsigned char)strtoul(byte, NULL, 16);
	}
	table.head.crc = table_crc((char *)&table + begin, sizeof(table) - begin);
	return fwrite(&table, sizeof(table), 1, stdout) != 1;
}
