/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * error: filling in the struct schedprof_error of a caller, who may have passed NULL.
 * All functions return the negative code. No state.
 */
#ifndef LIBSP_ERROR_H
#define LIBSP_ERROR_H

#include "schedprof.h"

int libsp_fail(struct schedprof_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int libsp_fail_errno(struct schedprof_error *error, int code, int number,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));
int libsp_fail_at(struct schedprof_error *error, int code, uint64_t offset,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));
int libsp_no_memory(struct schedprof_error *error);

#endif
