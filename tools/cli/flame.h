/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame: stacks as a tree, whose nodes share the frames that stacks have in common, for
 * flame graphs. A tree is made and read by one thread.
 */
#ifndef CLI_FLAME_H
#define CLI_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "export/numbers.h"

/* What a frame is, which its colour tells. */
enum cli_flame_kind {
	CLI_FLAME_TASK,
	CLI_FLAME_USER,
	CLI_FLAME_KERNEL,
	CLI_FLAME_WAKER,
	CLI_FLAME_IDLE,		/* a wait for work, and all that is inside of it */
	CLI_FLAME_MARK,		/* no function, but what is to be said of the stack */
	CLI_FLAME_KINDS
};

/* How much a frame grew or shrank: a colour for each step, from none on. */
#define CLI_FLAME_STEPS	5

struct cli_flame_colors {
	const char *light, *dark;
};

struct cli_flame_kind_row {
	const char *name;
	const char *about;
	struct cli_flame_colors colors;
};

extern const struct cli_flame_kind_row cli_flame_kinds[CLI_FLAME_KINDS];
extern const struct cli_flame_colors cli_flame_more[CLI_FLAME_STEPS];
extern const struct cli_flame_colors cli_flame_less[CLI_FLAME_STEPS];

/* Of two recordings that are compared; of one, before is 0. */
struct cli_flame_times {
	uint64_t now;
	uint64_t before;
};

/* A stack that was added. */
struct cli_flame_line {
	char *folded;
	struct cli_flame_times times;
};

struct cli_flame_name {
	const char *text;
	enum cli_flame_kind kind;
};

/* A frame inside of the same callers. Number 0 is all of it, and has no name. */
struct cli_flame_node {
	uint32_t name;			/* index of the name */
	uint32_t parent;
	uint32_t first, next;		/* child and sibling, the greatest first; 0: none */
	uint32_t depth;			/* 0: all of it */
	struct cli_flame_times self;	/* with nothing inside */
	struct cli_flame_times total;
};

struct cli_flame {
	bool tasks;			/* the outermost frames are tasks */
	struct cli_flame_line *lines;
	size_t line_count;
	struct cli_numbers texts;	/* of names, with the kind as a digit before */
	struct cli_flame_name *names;
	uint32_t name_count;
	struct cli_flame_node *nodes;
	uint32_t node_count;
};

bool cli_flame_add(struct cli_flame *flame, char *folded, struct cli_flame_times times);
bool cli_flame_grow(struct cli_flame *flame);
void cli_flame_free(struct cli_flame *flame);

uint32_t cli_flame_next(const struct cli_flame *flame, uint32_t node, bool inside);
size_t cli_flame_greatest(const struct cli_flame *flame, size_t count,
			  const struct cli_flame_line **lines);
uint64_t cli_flame_greatest_change(const struct cli_flame *flame);
const char *cli_flame_change_color(struct cli_flame_times times, uint64_t greatest);

#endif
