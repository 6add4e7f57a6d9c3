/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formats: the formats of other programs that a report can be written in, and how they
 * are called. The table never changes, so nothing is locked.
 */
#ifndef CLI_EXPORT_FORMATS_H
#define CLI_EXPORT_FORMATS_H

#include "../rows.h"

#ifdef CLI_HAVE_NANOPB
#define CLI_PROTOBUF_FORMATS	"pprof, otlp, perfetto, "
#else
#define CLI_PROTOBUF_FORMATS
#endif

/* As a sentence has them. */
#define CLI_FORMATS \
	CLI_PROTOBUF_FORMATS "speedscope, firefox, callgrind, csv, folded or json"

bool cli_format_find(const char *name, enum cli_format *format);
int cli_format_check(const struct cli_options *o);
int cli_format_write(const struct cli_report *report, FILE *out);

/* The writers. Return: CLI_OK, or what the program ends with, after saying why. */
int cli_write_folded(const struct cli_report *report, FILE *out);
int cli_write_pprof(const struct cli_report *report, FILE *out);
int cli_write_otlp(const struct cli_report *report, FILE *out);
int cli_write_perfetto(const struct cli_report *report, FILE *out);
int cli_write_speedscope(const struct cli_report *report, FILE *out);
int cli_write_firefox(const struct cli_report *report, FILE *out);
int cli_write_callgrind(const struct cli_report *report, FILE *out);
int cli_write_csv(const struct cli_report *report, FILE *out);

#endif
