// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * attributes: reads and writes files in configfs, and turns the refusals of the
 * module into errors. No state but that of the kernel, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"
#include "control.h"
#include "error.h"
#include "files.h"
#include "schedprof.h"

/* configfs takes 4,094 bytes at once; what is left is room for a sign and a word. */
#define MAX_WRITE 4000
#define TOO_LONG "too long for this file"

static int attribute_path(const struct schedprof *handle, const char *session,
			  const char *attribute, char **path,
			  struct schedprof_error *error)
{
	return libsp_file_path(handle->configfs, session, attribute, "an attribute", path,
			       error);
}

/* Why a file of an attribute could not be opened. */
static int no_attribute(const struct schedprof *handle, const char *session,
			const char *attribute, int number,
			struct schedprof_error *error)
{
	int result;

	if (number == ENOENT) {
		result = session ? libsp_check_session(handle, session, error) : 0;
		return result ?: libsp_fail(error, SCHEDPROF_NOT_FOUND,
					    "there is no attribute '%s'; %s/%s has all that there are",
					    attribute, handle->configfs,
					    session ? session : "");
	}
	if ((number == EACCES || number == EPERM) && geteuid())
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, number,
					"only root may use '%s', for example with sudo",
					attribute);
	if (number == EACCES || number == EPERM)
		return libsp_fail_errno(error, SCHEDPROF_REFUSED, number,
					"'%s' cannot be used in this way", attribute);
	return libsp_fail_errno(error, SCHEDPROF_IO, number, "cannot open '%s'",
				attribute);
}

static char *get_short(const struct schedprof *handle, const char *session,
		       const char *attribute, struct schedprof_error *error)
{
	char *path, *text;
	size_t size;
	int fd;

	if (attribute_path(handle, session, attribute, &path, error))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		no_attribute(handle, session, attribute, errno, error);
		free(path);
		return NULL;
	}
	text = libsp_read_fd(fd, &size, path, error);
	close(fd);
	free(path);
	if (text && size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

/* Moves the value of the line "attribute value" of the file config to its start. */
static bool pick_line(char *text, const char *attribute)
{
	size_t length = strlen(attribute);
	char *line, *end;

	for (line = text; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (strncmp(line, attribute, length) || line[length] != ' ')
			continue;
		if (end)
			*end = '\0';
		memmove(text, line + length + 1, strlen(line + length + 1) + 1);
		return true;
	}
	return false;
}

LIBSP_EXPORT char *schedprof_get(const struct schedprof *handle, const char *session,
				 const char *attribute, struct schedprof_error *error)
{
	char *text = get_short(handle, session, attribute, error);

	if (!text || !session || strncmp(text, TOO_LONG, strlen(TOO_LONG)))
		return text;
	free(text);
	text = schedprof_read_text(handle, session, "config", NULL, error);
	if (text && !pick_line(text, attribute)) {
		libsp_fail(error, SCHEDPROF_NOT_FOUND,
			   "the file config of session '%s' does not have '%s'; load the module that fits this library",
			   session, attribute);
		free(text);
		text = NULL;
	}
	return text;
}

/*
 * Says why the module refused what was asked last of @session (NULL: of itself), in its own
 * sentence. Return: false, and @error as it was, if it left none.
 */
bool libsp_fail_why(const struct schedprof *handle, const char *session, int code,
		    int number, struct schedprof_error *error)
{
	char *why = get_short(handle, session, "last_error", NULL);
	bool said = why && *why;

	if (said) {
		why[strcspn(why, "\n")] = '\0';
		libsp_fail(error, code, "%s", why);
		if (error)
			error->system_errno = number;
	}
	free(why);
	return said;
}

static int refused_write(const struct schedprof *handle, const char *session,
			 const char *attribute, const char *value, int number,
			 struct schedprof_error *error)
{
	int code = number == EBUSY ? SCHEDPROF_BUSY :
		   number == ENOMEM ? SCHEDPROF_NO_MEMORY : SCHEDPROF_REFUSED;

	if (libsp_fail_why(handle, session, code, number, error))
		return -code;
	return libsp_fail_errno(error, code, number, "'%.200s' is refused for '%s'",
				value, attribute);
}

static int put_value(const struct schedprof *handle, const char *session,
		     const char *attribute, const char *value, size_t length,
		     struct schedprof_error *error)
{
	int fd, number, result;
	ssize_t done;
	char *path;

	result = attribute_path(handle, session, attribute, &path, error);
	if (result)
		return result;
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	number = errno;
	free(path);
	if (fd < 0)
		return no_attribute(handle, session, attribute, number, error);
	/* A write of no bytes does not arrive: a newline is an empty value, too. */
	do
		done = length ? write(fd, value, length) : write(fd, "\n", 1);
	while (done < 0 && errno == EINTR);
	number = errno;
	close(fd);
	if (done < 0)
		return refused_write(handle, session, attribute, value, number, error);
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == ',' || c == '\t' || c == '\n';
}

/* The next word of a list: where it begins, and how long it is. */
static const char *next_word(const char *text, size_t *length)
{
	while (is_blank(*text))
		text++;
	for (*length = 0; text[*length] && !is_blank(text[*length]); )
		++*length;
	return *length ? text : NULL;
}

/* The first write replaces, if the list says so; the others add. */
static int put_list(const struct schedprof *handle, const char *session,
		    const char *attribute, const char *value,
		    struct schedprof_error *error)
{
	char piece[MAX_WRITE + SCHEDPROF_NAME_SIZE];
	const char *word = value;
	bool first = true;
	int result = 0;
	size_t length;

	word = next_word(value, &length);
	while (word && !result) {
		size_t used = 0;

		for (; word; word = next_word(word + length, &length)) {
			bool sign = *word == '+' || *word == '-';

			if (length > MAX_WRITE / 2)
				return libsp_fail(error, SCHEDPROF_INVALID,
						  "'%.70s...' is too long for a word of '%s'",
						  word, attribute);
			if (used + length + 2 > MAX_WRITE)
				break;
			if (used)
				piece[used++] = ' ';
			if (!first && !sign)
				piece[used++] = '+';
			memcpy(piece + used, word, length);
			used += length;
		}
		piece[used] = '\0';
		result = put_value(handle, session, attribute, piece, used, error);
		first = false;
	}
	return result;
}

LIBSP_EXPORT int schedprof_set(const struct schedprof *handle, const char *session,
			       const char *attribute, const char *value,
			       struct schedprof_error *error)
{
	size_t length = strlen(value);

	if (length > MAX_WRITE)
		return put_list(handle, session, attribute, value, error);
	return put_value(handle, session, attribute, value, length, error);
}

LIBSP_EXPORT int schedprof_start(const struct schedprof *handle, const char *session,
				 struct schedprof_error *error)
{
	return schedprof_set(handle, session, "enable", "1", error);
}

LIBSP_EXPORT int schedprof_stop(const struct schedprof *handle, const char *session,
				struct schedprof_error *error)
{
	return schedprof_set(handle, session, "enable", "0", error);
}

LIBSP_EXPORT int schedprof_reset(const struct schedprof *handle, const char *session,
				 struct schedprof_error *error)
{
	return schedprof_set(handle, session, "reset", "1", error);
}
