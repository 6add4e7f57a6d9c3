/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * call_frames: what .eh_frame or .debug_frame says of the frames of functions, row by row.
 * No state.
 */
#ifndef LIBSP_CALL_FRAMES_H
#define LIBSP_CALL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedprof.h"

/* DWARF's numbers of the registers of x86-64 that are followed. */
#define LIBSP_RBP	6
#define LIBSP_RSP	7
#define LIBSP_RIP	16	/* the return address */

/* Where the caller's value of a register, or the CFA, is. */
enum libsp_where {
	LIBSP_UNSPECIFIED,
	LIBSP_UNDEFINED,
	LIBSP_SAME,
	LIBSP_AT_CFA,		/* in memory, at CFA + offset */
	LIBSP_IS_CFA,		/* CFA + offset */
	LIBSP_REGISTER,		/* reg + offset */
	LIBSP_AT_EXPRESSION,	/* in memory, where an expression says */
	LIBSP_IS_EXPRESSION,
};

struct libsp_rule {
	enum libsp_where where;
	uint64_t reg;
	int64_t offset;
	const unsigned char *expression;
	size_t size;		/* of the expression */
};

struct libsp_call_frame {
	struct libsp_rule cfa;	/* LIBSP_REGISTER, LIBSP_IS_EXPRESSION, or not specified */
	struct libsp_rule rbp, rsp, rip;
	bool signal;		/* of a handler's frame, which was not called */
};

/* What wants to know. Of each FDE first function() is called, then row() for each row. */
struct libsp_call_frames_sink {
	/* Return: 1: its rows are wanted; 0: they are not; or a negative code. */
	int (*function)(void *data, uint64_t start, uint64_t end,
			struct schedprof_error *error);
	/* @frame: NULL: it cannot be known. Return: 0 or a negative code. */
	int (*row)(void *data, uint64_t start, uint64_t end,
		   const struct libsp_call_frame *frame, struct schedprof_error *error);
	void *data;
	const char *name;	/* of the file, for messages */
};

int libsp_call_frames(const unsigned char *bytes, size_t size, uint64_t address,
		      bool eh_frame, const struct libsp_call_frames_sink *sink,
		      struct schedprof_error *error);

#endif
