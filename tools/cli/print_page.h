/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_page: a flame graph as one page for browsers, or as SVG. Reads trees and has no
 * state, so nothing is locked.
 */
#ifndef CLI_PRINT_PAGE_H
#define CLI_PRINT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "flame.h"

/* A tree, and what is said of it. */
struct cli_picture {
	struct cli_flame flame;
	char *head;		/* as reports begin: lines that begin with # */
	bool cycles;
	bool difference;	/* of two recordings */
};

bool cli_print_page(const struct cli_picture *picture, FILE *out);
bool cli_print_svg(const struct cli_picture *picture, FILE *out);

#endif
