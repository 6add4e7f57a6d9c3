/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows: what is printed of a snapshot: its entries, or groups of them, ranked by
 * time. A report owns what it makes, and is used by one thread.
 */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <schedprof.h>

#include "names.h"
#include "options.h"

struct cli_row {
	const struct schedprof_entry *entry;	/* the costliest one of it */
	struct schedprof_task task;	/* who: it stands for several if they are grouped */
	char *key;		/* by stack or function: its name, else NULL */
	uint64_t total;		/* in schedprof_unit() */
	uint64_t count;
	uint64_t inclusive;
	uint64_t max;
	uint64_t max_at;
	uint64_t idle;		/* of the total, waiting for work */
	uint64_t costliest;	/* of the total, in the stacks of that entry */
	uint32_t max_cpu;
	uint32_t entries;	/* by task: stacks, else entries that are in it */
	bool open;
};

/* A snapshot, as it is to be printed. */
struct cli_report {
	struct schedprof_recording *recording;
	struct schedprof_names names;
	bool borrowed;		/* the names are somebody else's */
	bool cycles;
	bool functions;		/* of mode function */
	struct cli_row *rows;
	size_t count;
	uint64_t total;		/* of all entries */
	uint64_t hidden;	/* of those that wait for work and are in no row */
	uint64_t hidden_count;	/* intervals of theirs */
	const struct cli_options *o;
};

int cli_report_make(struct cli_report *report,
		    struct schedprof_recording *recording,
		    const struct cli_options *o);
int cli_report_make_named(struct cli_report *report,
			  struct schedprof_recording *recording, const struct cli_options *o,
			  const struct schedprof_names *names);
void cli_report_free(struct cli_report *report);

int cli_names_open(struct schedprof_names *names, const struct cli_options *o);
int cli_names_check(const struct cli_options *o);
void cli_names_missing(const struct schedprof_names *names, const struct cli_options *o);
void cli_names_close(struct schedprof_names *names);

const char *cli_row_name(const struct schedprof_task *task, int by, char text[CLI_NAME]);
struct schedprof_task cli_ledger_task(const struct schedprof_ledger *ledger);
const char *cli_waker_name(const struct schedprof_stack *stack, char text[CLI_NAME]);
int cli_task_compare(const struct schedprof_task *x, const struct schedprof_task *y);
size_t cli_report_limit(const struct cli_report *report);
const char *cli_mode(const struct schedprof_recording *recording);
bool cli_frame_waits(const struct schedprof_frame *frame);
bool cli_splits_interrupts(const struct schedprof_recording *recording);
uint64_t cli_meta(const struct schedprof_recording *recording, const char *name);
const char *cli_frame_name(const struct schedprof_frame *frame, char *text, size_t size);
const char *cli_function_of(const struct cli_report *report,
			    const struct schedprof_entry *entry,
			    char *text, size_t size);

#endif
