// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * code_files: the files that processes have mapped as code, by /proc/PID/maps. Processes
 * come and go meanwhile, which is no failure. What is found is used by one thread.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "code_files.h"
#include "error.h"
#include "find_file.h"
#include "find_generated.h"
#include "maps.h"

/* A user may run processes with very many; those that most have are found before that. */
#define MAX_FILES	65536

/* Makes it empty. */
void libsp_code_files_init(struct libsp_code_files *files)
{
	*files = (struct libsp_code_files){
		.rows.size = sizeof(struct libsp_code_file),
	};
	files->keys.arena = &files->arena;
}

static struct libsp_code_file *know_file(struct libsp_code_files *files,
					 const struct libsp_code_file *line)
{
	struct libsp_code_file *file;
	bool fresh;

	file = libsp_key_row(&files->keys, &files->rows, &line->key, sizeof(line->key),
			     &fresh);
	if (!file)
		return NULL;
	/* The newest process is the one that is most likely still there later. */
	if (fresh || file->pid != line->pid) {
		file->key = line->key;
		file->pid = line->pid;
		file->start = line->start;
		file->end = line->end;
		file->processes++;
	}
	if (!file->path)
		file->path = libsp_arena_text(&files->arena, line->path,
					      strlen(line->path));
	return file->path ? file : NULL;
}

/* Return: is the line of a file that is mapped as code? */
static bool parse_line(char *text, struct libsp_code_file *line)
{
	char flags[5];
	int at = 0;

	memset(&line->key, 0, sizeof(line->key));
	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s %*x %x:%x %" SCNu64 " %n", &line->start,
		   &line->end, flags, &line->key.major, &line->key.minor, &line->key.inode,
		   &at) != 6 || !at)
		return false;
	line->path = text + at;
	return flags[2] == 'x' && line->key.inode && *line->path == '/';
}

/* It maps the file so that it is found, and has no code in it. */
static void note_generator(struct libsp_code_files *files, pid_t pid)
{
	size_t count = files->generators.size / sizeof(pid);

	if (!count || ((const pid_t *)files->generators.at)[count - 1] != pid)
		libsp_buffer_add(&files->generators, &pid, sizeof(pid));
}

static int read_maps(struct libsp_code_files *files, pid_t pid, struct libsp_maps *maps,
		     struct schedprof_error *error)
{
	struct libsp_code_file line = { .pid = pid };
	int result = 0;
	char *text;

	while (!result && (text = libsp_maps_next(maps))) {
		if (!parse_line(text, &line))
			continue;
		if (libsp_row_count(&files->rows) >= MAX_FILES)
			break;
		if (libsp_is_jitdump(line.path))
			note_generator(files, pid);
		else if (!know_file(files, &line))
			result = libsp_no_memory(error);
	}
	return result;
}

/* Return: 0, or a negative code; SCHEDPROF_NOT_FOUND if there is no such process. */
int libsp_code_of_process(struct libsp_code_files *files, pid_t pid,
			  struct schedprof_error *error)
{
	struct libsp_maps maps;
	bool opened = libsp_maps_open(&maps, pid);
	int result;

	if (!opened && (errno == ENOENT || errno == ESRCH))
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "there is no process %d; look at the numbers that ps prints",
				  (int)pid);
	if (!opened)
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, errno,
					"cannot open /proc/%d/maps", (int)pid);
	result = read_maps(files, pid, &maps, error);
	libsp_maps_close(&maps);
	return result;
}

/* @goes_on: asked before each process; what was found counts. Return: 0 or a negative code. */
int libsp_code_of_all(struct libsp_code_files *files, bool (*goes_on)(void *data), void *data,
		      struct schedprof_error *error)
{
	DIR *directory = opendir("/proc");
	struct schedprof_error why;
	struct dirent *entry;
	int result = 0;
	char *end;
	long pid;

	if (!directory)
		return libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot list /proc");
	while (!result && (entry = readdir(directory))) {
		pid = strtol(entry->d_name, &end, 10);
		if (pid <= 0 || *end)
			continue;
		if (!goes_on(data))
			break;
		if (libsp_code_of_process(files, (pid_t)pid, &why) &&
		    why.code == SCHEDPROF_NO_MEMORY)
			result = libsp_no_memory(error);
	}
	closedir(directory);
	return result;
}

/* @index: from 0 on. Return: NULL if there are not so many. */
struct libsp_code_file *libsp_code_file_at(struct libsp_code_files *files, uint32_t index)
{
	return index < libsp_row_count(&files->rows) ? libsp_row(&files->rows, index + 1) :
						       NULL;
}

/* @index: from 0 on. Return: a process that tells of code, or 0 if there are not so many. */
pid_t libsp_code_generator_at(const struct libsp_code_files *files, size_t index)
{
	return index < files->generators.size / sizeof(pid_t) ?
	       ((const pid_t *)files->generators.at)[index] : 0;
}

void libsp_code_files_free(struct libsp_code_files *files)
{
	libsp_keys_free(&files->keys);
	libsp_buffer_free(&files->rows.buffer);
	libsp_buffer_free(&files->generators);
	libsp_arena_free(&files->arena);
}

/*
 * Opens the very file: by the mapping (the first step); or, where that is not allowed, by
 * the path below the process's root, if it has the same number on the same device. Return:
 * it, or -1.
 */
int libsp_code_file_open(const struct libsp_code_file *file, struct stat *status)
{
	struct schedprof_mapping mapping = { .start = file->start, .end = file->end };
	struct libsp_wanted wanted = {
		.root = "", .debug_path = "", .pid = file->pid, .path = file->path,
		.mapping = &mapping,
	};
	struct libsp_search search;
	struct libsp_found found;

	libsp_search_begin(&search, &wanted);
	while (libsp_search_next(&search, &found)) {
		/* Of an overlay or a subvolume, maps tells another number than fstat(). */
		if (search.step == 1 || (found.status.st_ino == file->key.inode &&
					 major(found.status.st_dev) == file->key.major &&
					 minor(found.status.st_dev) == file->key.minor)) {
			*status = found.status;
			return found.fd;
		}
		close(found.fd);
	}
	return -1;
}
