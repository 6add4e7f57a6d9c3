// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * status: what a session does and what it has counted, as numbers, from the texts of
 * the module. No state but that of the kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "error.h"
#include "schedprof.h"

static const char *behind_one_of(const char *text, const char *ends)
{
	text = strpbrk(text, ends);
	return text ? text + 1 : NULL;
}

/*
 * The number behind "name=", which is a word, or behind "name ", which is a line: in others there
 * are paths, in which anybody may put words.
 */
static bool number_after(const char *text, const char *name, char sign,
			 uint64_t *value)
{
	const char *ends = sign == '=' ? "\n " : "\n";
	size_t length = strlen(name);
	char *end;

	for (; text; text = behind_one_of(text, ends)) {
		if (strncmp(text, name, length) || text[length] != sign)
			continue;
		errno = 0;
		*value = strtoull(text + length + 1, &end, 10);
		return end != text + length + 1 && !errno;
	}
	return false;
}

static int odd_status(const char *session, const char *text,
		      struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_NEWER,
			  "the status of session '%s' is not understood: '%.100s'; install the library that fits the module",
			  session, text);
}

static int parse_status(const char *session, const char *text,
			struct schedprof_status *status,
			struct schedprof_error *error)
{
	static const char *const states[] = { "disabled", "enabled", "expired" };
	size_t word = strcspn(text, " ");
	const char *seconds, *dot;
	uint64_t whole;
	unsigned int i;

	memset(status, 0, sizeof(*status));
	for (i = 0; i < 3; i++)
		if (strlen(states[i]) == word && !strncmp(text, states[i], word))
			break;
	seconds = strstr(text, "seconds=");
	if (i == 3 || !seconds || !number_after(text, "seconds", '=', &whole) ||
	    !number_after(text, "memory_bytes", '=', &status->memory_bytes))
		return odd_status(session, text, error);
	status->state = (int)i;
	status->seconds = (double)whole;
	/* Not strtod(), whose decimal point depends on the locale. */
	dot = seconds + strcspn(seconds, ". ");
	if (*dot == '.') {
		double place = 0.1;

		for (dot++; *dot >= '0' && *dot <= '9'; dot++, place /= 10)
			status->seconds += (*dot - '0') * place;
	}
	return 0;
}

LIBSP_EXPORT int schedprof_status(const struct schedprof *handle, const char *session,
				  struct schedprof_status *status, size_t size,
				  struct schedprof_error *error)
{
	struct schedprof_error why;
	char *text = schedprof_get(handle, session, "status", &why);
	struct schedprof_status parsed;
	int result;

	if (!text) {
		if (error)
			*error = why;
		return -why.code;
	}
	result = parse_status(session, text, &parsed, error);
	libsp_copy_struct(status, size, &parsed, sizeof(parsed));
	free(text);
	return result;
}

LIBSP_EXPORT int schedprof_stat(const struct schedprof *handle, const char *session,
				const char *name, uint64_t *value,
				struct schedprof_error *error)
{
	struct schedprof_error why;
	char *text = schedprof_read_text(handle, session, "stats", NULL, &why);
	int result = 0;

	if (!text) {
		if (error)
			*error = why;
		return -why.code;
	}
	if (!number_after(text, name, ' ', value))
		result = libsp_fail(error, SCHEDPROF_NOT_FOUND,
				    "there is no figure '%s' in the file stats of session '%s'; read that file to see all",
				    name, session);
	free(text);
	return result;
}
