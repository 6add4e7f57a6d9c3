// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_files: files that a command has written, as JSON, which doc/json-schema/files.json
 * describes. One thread, so nothing is locked.
 */
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "output.h"
#include "print_files.h"

/**
 * cli_print_files() - tell what was written, if that is asked for
 * @o: the options
 * @files: that were written
 * @count: how many
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_print_files(const struct cli_options *o, const struct cli_written *files,
		    unsigned int count)
{
	struct cli_json top = { .out = stdout }, list, file;
	struct stat status;
	unsigned int i;

	if (o->format != CLI_JSON)
		return CLI_OK;
	putchar('{');
	cli_json_key(&top, "\n  ", "schedprof_files");
	putchar('1');
	list = cli_json_open(&top, "files", '[');
	for (i = 0; i < count; i++) {
		if (!files[i].path)
			continue;
		file = (struct cli_json){ .out = stdout };
		cli_json_next(&list, "\n    ");
		putchar('{');
		cli_json_text(&file, "path", files[i].path);
		/* Of a pipe or a device there is none. */
		if (!stat(files[i].path, &status) && S_ISREG(status.st_mode))
			cli_json_number(&file, "bytes", (uint64_t)status.st_size);
		if (files[i].snapshots)
			cli_json_number(&file, "snapshots", files[i].snapshots);
		fputs(" }", stdout);
	}
	cli_json_close(&list, ']');
	puts("\n}");
	return cli_output_close(stdout);
}
