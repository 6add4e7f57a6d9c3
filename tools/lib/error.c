// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * error: says why a call failed, in the memory of the caller. No state, so nothing
 * is locked.
 */
#include <stdarg.h>
#include <string.h>

#include "abi.h"
#include "error.h"
#include "schedprof.h"

static void fill_error(struct schedprof_error *error, int code, int number,
		       uint64_t offset, const char *format, va_list arguments)
{
	char text[128];
	size_t length;

	if (!error)
		return;
	error->code = code;
	error->system_errno = number;
	error->offset = offset;
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	if (!number)
		return;
	length = strlen(error->message);
	snprintf(error->message + length, sizeof(error->message) - length, ": %s",
		 strerror_r(number, text, sizeof(text)));
}

/* Says that a call failed for a reason of the library. Return: the code, negated. */
int libsp_fail(struct schedprof_error *error, int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill_error(error, code, 0, 0, format, arguments);
	va_end(arguments);
	return -code;
}

/* Says that a call failed because a system call did; adds the text of @number. */
int libsp_fail_errno(struct schedprof_error *error, int code, int number,
		     const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill_error(error, code, number, 0, format, arguments);
	va_end(arguments);
	return -code;
}

/* Says that a call failed because of what stands at @offset of the data. */
int libsp_fail_at(struct schedprof_error *error, int code, uint64_t offset,
		  const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill_error(error, code, 0, offset, format, arguments);
	va_end(arguments);
	return -code;
}

int libsp_no_memory(struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_NO_MEMORY,
			  "there is not enough memory; close other programs, or take a machine with more");
}

LIBSP_EXPORT const char *schedprof_version(void)
{
	return SCHEDPROF_VERSION;
}
