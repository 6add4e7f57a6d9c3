// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_export: recordings of anybody, written in each of the formats that the command line
 * has for other programs. For clang's libFuzzer; one thread.
 *
 * The first byte is the format, the second one what is a row; the rest is a recording. What
 * is written is thrown away, but JSON has to be UTF-8, and no line of folded stacks may be
 * without a value.
 */
#include <stdlib.h>
#include <string.h>

#include "../cli/export/formats.h"
#include "../cli/print.h"
#include "../shared/utf8.h"
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names come from anybody, and must not be able to leave a string. */
static void check_text(const char *text, size_t size)
{
	size_t i, n;

	for (i = 0; i < size; i += n ? n : 1) {
		n = utf8_printable(text + i);
		if (!n && text[i] != '\n' && text[i] != '\t')
			abort();
	}
}

static void check_lines(const char *text, size_t size)
{
	const char *end = text + size, *at, *line;

	for (line = text; line < end; line = at + 1) {
		at = memchr(line, '\n', (size_t)(end - line));
		if (!at || at == line || at[-1] < '0' || at[-1] > '9')
			abort();
	}
}

static void write_one(struct schedprof_recording *recording, const struct cli_options *o)
{
	struct cli_report report;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	if (!cli_report_make(&report, recording, o) && !cli_print(&report, out)) {
		fflush(out);
		if (o->format == CLI_FOLDED)
			check_lines(text, size);
		/* A name may have a newline in CSV, where quotes tell. */
		else if (o->format != CLI_PPROF && o->format != CLI_OTLP &&
			 o->format != CLI_PERFETTO && o->format != CLI_CSV)
			check_text(text, size);
	}
	cli_report_free(&report);
	fclose(out);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum cli_format formats[] = {
		CLI_FOLDED, CLI_JSON,
#ifdef CLI_HAVE_NANOPB
		CLI_PPROF, CLI_OTLP, CLI_PERFETTO,
#endif
		CLI_SPEEDSCOPE, CLI_FIREFOX, CLI_CALLGRIND, CLI_CSV,
	};
	struct schedprof_recording *recording;
	struct schedprof_reader *reader;
	uint8_t *copy;
	struct cli_options o = { .quiet = true, .raw_frames = true };

	if (size < 2)
		return 0;
	copy = malloc(size);
	if (!copy)
		abort();
	memcpy(copy, data, size);
	fuzz_checksums(copy + 2, size - 2);
	o.format = formats[data[0] % (sizeof(formats) / sizeof(formats[0]))];
	o.by = data[1] % (CLI_BY_FUNCTION + 1);
	o.group = data[1] / 16 % 3;
	reader = schedprof_read_memory(copy + 2, size - 2, NULL);
	if (!reader)
		abort();
	/* A packed file of some KB may unpack to a lot. */
	schedprof_reader_limit(reader, 1 << 20);
	if (schedprof_next(reader, &recording, NULL) == 1)
		write_one(recording, &o);
	schedprof_reader_close(reader);
	free(copy);
	return 0;
}
