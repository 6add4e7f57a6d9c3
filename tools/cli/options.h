/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options: what a command was asked to do. The strings are those of argv, or live as
 * long. One thread, so nothing is locked.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "say.h"

/* Which options and arguments a command takes. */
enum cli_takes {
	CLI_TAKES_SESSION	= 1 << 0,	/* what is recorded */
	CLI_TAKES_MODE		= 1 << 1,	/* --mode, --function */
	CLI_TAKES_DURATION	= 1 << 2,
	CLI_TAKES_FORMAT	= 1 << 3,	/* text, or one for programs */
	CLI_TAKES_VIEW		= 1 << 4,	/* what of it, and by what */
	CLI_TAKES_FILE		= 1 << 5,	/* -o */
	CLI_TAKES_RECORD	= 1 << 6,
	CLI_TAKES_SNAPSHOT	= 1 << 7,	/* of files with several */
	CLI_TAKES_TAU		= 1 << 8,
	CLI_TAKES_RM		= 1 << 9,
	CLI_TAKES_SHOW		= 1 << 10,
	CLI_TAKES_COMMAND	= 1 << 11,	/* the rest is a COMMAND */
	CLI_TAKES_NAMES		= 1 << 12,	/* names, and a COMMAND behind -- */
	CLI_TAKES_GZIP		= 1 << 13,
	CLI_TAKES_GROUP		= 1 << 14,
	CLI_TAKES_SINCE		= 1 << 15,
	CLI_TAKES_JSON		= 1 << 16,	/* --json */
	CLI_TAKES_FRAMES	= 1 << 17,	/* how frames get their names */
	CLI_TAKES_PICTURE	= 1 << 18,	/* --svg */
	CLI_TAKES_METRICS	= 1 << 19,
	CLI_TAKES_WHOM		= 1 << 20,	/* of CLI_TAKES_SESSION, what needs no stacks */
	CLI_TAKES_TOP		= 1 << 21,
};

#define CLI_TAKES_OUTPUT	(CLI_TAKES_FORMAT | CLI_TAKES_VIEW | CLI_TAKES_FILE)

/* Those of other programs come last. */
enum cli_format {
	CLI_TEXT, CLI_FOLDED, CLI_JSON,
	CLI_PPROF, CLI_OTLP, CLI_PERFETTO, CLI_SPEEDSCOPE, CLI_FIREFOX, CLI_CALLGRIND, CLI_CSV,
};

enum cli_view {
	CLI_VIEW_ENTRIES,	/* what took the time */
	CLI_VIEW_HISTOGRAM,
	CLI_VIEW_TASKS,		/* the books */
	CLI_VIEW_BLAME,		/* who ran while a task waited for a CPU */
	CLI_VIEW_FUNCTIONS,
	CLI_VIEW_EVENTS,
	CLI_VIEW_STATS,
};

/* What is a row. */
enum cli_by {
	CLI_BY_ENTRY,		/* a task in a place */
	CLI_BY_TASK,
	CLI_BY_STACK,		/* a place, whoever was there */
	CLI_BY_FUNCTION,	/* the innermost one */
};

struct cli_setting {
	const char *attribute;
	const char *value;
};

#define CLI_MAX_SETTINGS	64

struct cli_options;

struct cli_command {
	const char *name;
	const char *arguments;	/* for the usage line */
	const char *summary;
	unsigned int takes;	/* enum cli_takes */
	int (*run)(struct cli_options *o);
};

struct cli_options {
	const struct cli_command *command;
	struct cli_setting settings[CLI_MAX_SETTINGS];	/* in order */
	unsigned int setting_count;
	bool waker;		/* -w, whatever else is said of stacks */
	uint64_t top;		/* 0: not said */
	uint64_t duration_ns;	/* 0: until somebody ends it */
	enum cli_format format;
	enum cli_view view;
	enum cli_by by;
	int group;		/* enum schedprof_by */
	bool raw_frames;
	bool idle;		/* waits for work, too */
	const char *idle_waits;	/* functions of the user's; NULL: those of the system */
	bool quiet;
	enum cli_when color;
	const char *file;	/* NULL: standard output */
	const char *kallsyms;
	const char *symfs;
	bool servers;		/* are asked for debug files */
	uint64_t every_ns;	/* 0: once, at the end */
	uint64_t rotate_bytes;
	uint64_t rotate_count;	/* snapshots in a file */
	uint64_t keep;
	bool compress;
	uint64_t snapshot;	/* 0: the last one */
	uint64_t since;		/* 0: from the beginning */
	uint64_t limit;		/* of a snapshot in bytes; 0: not said */
	bool forgiving;		/* of damage at the end of a file */
	bool no_link;		/* nobody has named this file: a link is replaced */
	const char *tau;
	const char *flame;	/* a flame graph as a page; NULL: none */
	const char *svg;	/* the same as SVG */
	const char *textfile;	/* a directory; NULL: to standard output */
	uint64_t labels;	/* of a metric; 0: not said */
	bool batch;
	uint64_t iterations;	/* 0: until somebody ends it */
	const char *sort;	/* by which column; NULL: not said */
	bool reverse;
	const char *filter;	/* rows with that in their names; NULL: all */
	bool stale;
	bool config;
	char **names;		/* arguments that are no options */
	unsigned int name_count;
	char **program;		/* COMMAND, NULL-terminated; NULL: none */
};

bool cli_set(struct cli_options *o, const char *attribute, const char *value);
const char *cli_value(const struct cli_options *o, const char *attribute);

#endif
