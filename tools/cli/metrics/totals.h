/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * totals: all counters of all sessions, as they go on from one recording to the next. Used by
 * one thread.
 */
#ifndef CLI_METRICS_TOTALS_H
#define CLI_METRICS_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "book.h"

/* Those that are gone are forgotten, if there are more; those that are there all have room. */
#define CLI_TOTALS_SESSIONS	64

/* Bounds of the histogram: every power of two from 4 us to 2.1 s, and all. */
#define CLI_WAIT_FIRST_US	4
#define CLI_WAIT_BOUNDS		20

/* Figures of the file stats, by the number of their row in cli_figures. */
#define CLI_FIGURES		14

struct cli_figure {
	const char *stat;	/* in the file stats */
	const char *metric;
	const char *help;
	bool time;		/* in ns; else a number */
};

extern const struct cli_figure cli_figures[CLI_FIGURES];

/* A figure that only grows, of a recording, and over all recordings. */
struct cli_meter {
	uint64_t last;
	uint64_t total;
};

enum cli_waits {
	CLI_WAITS_ALL = CLI_WAIT_BOUNDS,	/* behind those of the bounds */
	CLI_WAITS_SUM,				/* ns */
	CLI_WAITS
};

enum cli_fact { CLI_FACT_VERSION, CLI_FACT_KERNEL, CLI_FACT_HOOK, CLI_FACT_MODE, CLI_FACTS };

/* Names are as the text format has them between quotes. */
struct cli_session_totals {
	char *name;
	char *recording;	/* tells that of the session from others; NULL: not known yet */
	bool here;		/* there is such a session now, and its counters are of now */
	bool kept;		/* there is one, so it is not forgotten; its turn may be to come */
	char *facts[CLI_FACTS];	/* about the recording; not kept */
	struct cli_book tasks;	/* ns in each state */
	struct cli_book blame;	/* ns */
	struct cli_meter figures[CLI_FIGURES];
	struct cli_meter waits[CLI_WAITS];	/* up to each bound, cumulative */
};

/* All zero at first. */
struct cli_totals {
	struct cli_session_totals **sessions;
	size_t count, room;
};

struct cli_session_totals *cli_totals_session(struct cli_totals *totals, const char *name);
void cli_totals_keep(struct cli_totals *totals, const char *name);
void cli_totals_restart(struct cli_session_totals *session);
void cli_meter_set(struct cli_meter *meter, uint64_t now);
void cli_totals_free(struct cli_totals *totals);

#endif
