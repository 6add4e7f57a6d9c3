/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blamed: who waited for a CPU and because of whom, as rows are grouped. Functions
 * without state; names are those of the rows they were made from.
 */
#ifndef CLI_BLAMED_H
#define CLI_BLAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <schedprof.h>

#include "names.h"

/* A waiter or a culprit. */
struct cli_party {
	const char *name;
	bool mark;		/* as [idle]: no task */
	bool word;		/* the name is one of ours, as that of all that are none */
	int32_t tid;		/* 0: of no single task or process */
	uint64_t start_ns;
};

/* What a waiter waited for a culprit, and what it waited in all. */
struct cli_blamed {
	struct cli_party waiter, culprit;
	bool self;
	uint64_t total, count, longest;
	uint64_t waited;
};

struct cli_party cli_party_of(int by, bool task, const char *comm, const char *leader_comm,
			      const char *cgroup, int32_t tid, int32_t tgid,
			      uint64_t start_ns);
int cli_party_compare(const struct cli_party *x, const struct cli_party *y);
const char *cli_party_name(const struct cli_party *party, char text[CLI_NAME]);
const char *cli_party_as_is(const struct cli_party *party, char text[CLI_NAME]);
void cli_print_party(const struct cli_party *party, FILE *out);

struct cli_blamed cli_blamed_of(const struct schedprof_blame *row, int by);
size_t cli_blamed_group(struct cli_blamed *rows, size_t n);
struct cli_blamed *cli_blamed_rows(const struct schedprof_recording *recording, int by, size_t *n);

#endif
