// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_module: gives unwind tables to the module, lists and removes them. No state but
 * that of the kernel, so nothing is locked.
 *
 * The module looks at a table when its file is closed, and configfs drops the result of
 * that: what the module has is what it lists.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"
#include "buffer.h"
#include "control.h"
#include "error.h"
#include "unwind_made.h"
#include "unwind_module.h"

#define TABLE	"unwind_table"
#define TABLES	"unwind_tables"

struct schedprof_unwind_list {
	struct libsp_buffer rows;	/* struct schedprof_unwind_loaded */
	char *text;			/* that the build-ids are in */
};

/* Hexadecimal, and as long as one can be? */
bool libsp_is_build_id(const char *text)
{
	size_t length = strlen(text);

	return length && length % 2 == 0 && length <= 2 * SP_UNWIND_BUILD_ID_MAX &&
	       strspn(text, "0123456789abcdef") == length;
}

/* Takes the line "build_id bytes rows users of_root" apart. */
static bool parse_line(char *line, struct schedprof_unwind_loaded *row)
{
	char *end = line + strcspn(line, "\t ");
	int used = 0, of_root;

	if (!*end || sscanf(end, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%d%n", &row->bytes,
			    &row->rows, &row->users, &of_root, &used) != 4 || !used)
		return false;
	row->of_root = of_root;
	*end = '\0';
	row->build_id = line;
	return libsp_is_table_name(line);
}

static int parse_tables(struct schedprof_unwind_list *list, struct schedprof_error *error)
{
	struct schedprof_unwind_loaded row;
	char *line, *next;
	bool head = true;

	for (line = list->text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (head) {
			head = false;
			continue;
		}
		/* What has gone while it was read. */
		if (!*line)
			continue;
		if (!parse_line(line, &row))
			return libsp_fail(error, SCHEDPROF_NEWER,
					  "the list of unwind tables is not understood: '%.100s'; install the library that fits the module",
					  line);
		libsp_buffer_add(&list->rows, &row, sizeof(row));
	}
	return list->rows.failed ? libsp_no_memory(error) : 0;
}

LIBSP_EXPORT struct schedprof_unwind_list *
schedprof_unwind_list(const struct schedprof *handle, struct schedprof_error *error)
{
	struct schedprof_unwind_list *list = calloc(1, sizeof(*list));

	if (!list) {
		libsp_no_memory(error);
		return NULL;
	}
	list->text = schedprof_get(handle, NULL, TABLES, error);
	if (list->text && !parse_tables(list, error))
		return list;
	schedprof_unwind_list_free(list);
	return NULL;
}

LIBSP_EXPORT void schedprof_unwind_list_free(struct schedprof_unwind_list *list)
{
	if (!list)
		return;
	libsp_buffer_free(&list->rows);
	free(list->text);
	free(list);
}

LIBSP_EXPORT size_t schedprof_unwind_list_count(const struct schedprof_unwind_list *list)
{
	return list->rows.size / sizeof(struct schedprof_unwind_loaded);
}

LIBSP_EXPORT const struct schedprof_unwind_loaded *
schedprof_unwind_list_at(const struct schedprof_unwind_list *list, size_t index)
{
	const struct schedprof_unwind_loaded *rows =
		(const struct schedprof_unwind_loaded *)list->rows.at;

	return index < schedprof_unwind_list_count(list) ? &rows[index] : NULL;
}

/*
 * @rows: of the table; 0: however many. Return: 1 if the module has the table, 0 if it does
 * not, or a negative code.
 */
static int module_has(const struct schedprof *handle, const char *build_id, uint64_t rows,
		      struct schedprof_error *error)
{
	struct schedprof_error why;
	struct schedprof_unwind_list *list = schedprof_unwind_list(handle, &why);
	const struct schedprof_unwind_loaded *row;
	int found = 0;
	size_t i;

	if (!list) {
		if (error)
			*error = why;
		return -why.code;
	}
	for (i = 0; !found && (row = schedprof_unwind_list_at(list, i)); i++)
		found = !strcmp(row->build_id, build_id) && (!rows || row->rows == rows);
	schedprof_unwind_list_free(list);
	return found;
}

/* The module did not do it: it says why, but without the result of a close. */
static int not_taken(const struct schedprof *handle, int number, const char *what,
		     struct schedprof_error *error)
{
	int code = number == ENOMEM ? SCHEDPROF_NO_MEMORY : SCHEDPROF_REFUSED;

	if (libsp_fail_why(handle, NULL, code, number, error))
		return -code;
	if (number)
		return libsp_fail_errno(error, code, number, "the module %s", what);
	return libsp_fail(error, code,
			  "the module %s, and does not say why; load the module that fits this library",
			  what);
}

/* Why the file that takes tables could not be opened. */
static int no_file(const struct schedprof *handle, int number,
		   struct schedprof_error *error)
{
	if (number == ENOENT)
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "the module takes no unwind tables: there is no %s/%s; load the module that fits this library",
				  handle->configfs, TABLE);
	if (number == EACCES || number == EPERM)
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, number,
					"only root may use '%s', for example with sudo",
					TABLE);
	return libsp_fail_errno(error, SCHEDPROF_IO, number, "cannot open '%s'", TABLE);
}

LIBSP_EXPORT int schedprof_unwind_load(const struct schedprof *handle,
				       const struct schedprof_unwind *table,
				       struct schedprof_error *error)
{
	const char *build_id = schedprof_unwind_build_id(table);
	int fd, number = 0, result;
	const void *data;
	ssize_t done;
	size_t size;
	char *path;

	result = libsp_file_path(handle->configfs, NULL, TABLE, "an attribute", &path, error);
	if (result)
		return result;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	number = errno;
	free(path);
	if (fd < 0)
		return no_file(handle, number, error);
	data = schedprof_unwind_data(table, &size);
	/* The module takes what is written at once. */
	do
		done = write(fd, data, size);
	while (done < 0 && errno == EINTR);
	number = done < 0 ? errno : 0;
	if (close(fd) && !number)
		number = errno;
	/* It may have had another one before. */
	result = number ? 0 : module_has(handle, build_id, table->header->rows, error);
	if (result)
		return result > 0 ? 0 : result;
	return not_taken(handle, number, "does not take the unwind table", error);
}

LIBSP_EXPORT int schedprof_unwind_remove(const struct schedprof *handle,
					 const char *build_id,
					 struct schedprof_error *error)
{
	char word[SP_UNWIND_NAME_ROOM + 1];
	int result;

	if (!libsp_is_table_name(build_id))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "'%.70s' is no build-id in hexadecimal; take one of those that are listed",
				  build_id);
	result = module_has(handle, build_id, 0, error);
	if (!result)
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "the module has no unwind table of build-id %s; look at those that are listed",
				  build_id);
	if (result < 0)
		return result;
	snprintf(word, sizeof(word), "-%s", build_id);
	result = schedprof_set(handle, NULL, TABLES, word, error);
	if (!result)
		result = module_has(handle, build_id, 0, error);
	return result > 0 ? not_taken(handle, 0, "keeps that table", error) : result;
}

/* The number behind the line's name. */
static bool number_of(const char *text, const char *name, uint64_t *value)
{
	size_t length = strlen(name);

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		if (!strncmp(text, name, length) && text[length] == ' ')
			return sscanf(text + length, "%" SCNu64, value) == 1;
	return false;
}

/* How many tables the module has. Return: 0 or a negative code. */
int libsp_unwind_count(const struct schedprof *handle, uint64_t *tables)
{
	char *text = schedprof_get(handle, NULL, "unwind_status", NULL);
	bool good = text && number_of(text, "tables", tables);

	free(text);
	return good ? 0 : -SCHEDPROF_IO;
}

/* What is left of @most, of which the line that is called so says how much is taken. */
static bool left_of(const char *text, const char *name, uint64_t most, uint64_t *room)
{
	uint64_t taken;

	if (!number_of(text, name, &taken))
		return false;
	if (*room > most - (taken < most ? taken : most))
		*room = most - (taken < most ? taken : most);
	return true;
}

/*
 * How many bytes of tables with such @flags the module would take yet: as it says where it
 * bounds them (src/unwind/tables.c). Return: 0 or a negative code.
 */
int libsp_unwind_room(const struct schedprof *handle, unsigned int flags, uint64_t *room,
		      struct schedprof_error *error)
{
	const char *bounded = flags & SP_UNWIND_PROCESS ? "generated_bytes" :
			      flags & SP_UNWIND_OF_ROOT ? NULL : "others_bytes";
	struct schedprof_error why;
	char *text = schedprof_get(handle, NULL, "unwind_status", &why);
	int result = 0;
	uint64_t most;

	if (!text) {
		if (error)
			*error = why;
		return -why.code;
	}
	*room = UINT64_MAX;
	if (!number_of(text, "max_bytes", &most) || !left_of(text, "bytes", most, room) ||
	    !left_of(text, "table_bytes", most - most / 4, room) ||
	    (bounded && !left_of(text, bounded, most / 4, room)))
		result = libsp_fail(error, SCHEDPROF_NEWER,
				    "unwind_status is not understood: '%.100s'; install the library that fits the module",
				    text);
	free(text);
	return result;
}
