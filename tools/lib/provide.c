// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * provide: makes unwind tables and gives them to the module: of files, of what processes
 * have mapped as code, of what they tell of code that they generate, and of what the module
 * has met without a table. A provider knows what the module has and which files it has looked
 * at, and is used by one thread.
 *
 * A table is known by the build-id, and who makes a program chooses that: a table that
 * lies is one of somebody's own program, unless it comes before that of the file whose
 * build-id it has. So of all that runs the files of root come first, and only those (and
 * the caller's own) are kept in the cache.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "abi.h"
#include "code_files.h"
#include "elf_image.h"
#include "error.h"
#include "find_generated.h"
#include "hex.h"
#include "open_file.h"
#include "unwind_cache.h"
#include "unwind_generated.h"
#include "unwind_module.h"
#include "unwind_table.h"

/* Files in a row that do not fit; then the others are not even looked at. */
#define MAX_MISFITS	16
/* Of whole pages, for a table and what finds rows in it. */
#define MODULE_BYTES	8192
#define HEX_ROOM	(2 * LIBSP_ELF_MAX_BUILD_ID + 1)
#define NS		1000000000ULL
/*
 * How long nothing is made anew of a process's generated code: at least; if it was made
 * without anything new in it, twice as long as before, up to that; and as many times as long
 * as it took, so that no process keeps whoever provides busy.
 */
#define AGAIN_NS	(NS / 5)
#define MAX_AGAIN_NS	(60 * NS)
#define TAKES_TIMES	20

/* What is known of a build-id. */
struct known_id {
	uint64_t rows, bytes;	/* of the table that the module has; bytes 0: it has none */
	bool missing;		/* the module has met it without a table */
};

/* What is known of a file that some process has mapped. */
struct known_code {
	bool provided;		/* or cannot be */
	bool looked;		/* id is known */
	uint32_t id;		/* number of its build-id; 0: it has none */
};

/* What is known of a process that generates code. */
struct known_generator {
	uint64_t next_ns, wait_ns;	/* when to look again, by CLOCK_MONOTONIC; 0: never yet */
	uint32_t given;			/* checksum of what the module was given; 0: nothing */
};

struct schedprof_provider {
	const struct schedprof *handle;
	schedprof_provider_fn fn;
	void *data;
	char *cache;			/* directory; "": none */
	struct libsp_arena arena;
	struct libsp_keys id_keys;	/* build-ids as text */
	struct libsp_rows ids;		/* struct known_id */
	struct libsp_keys code_keys;	/* struct libsp_code_key */
	struct libsp_rows codes;	/* struct known_code */
	struct libsp_keys generator_keys;	/* struct sp_unwind_process */
	struct libsp_rows generators;	/* struct known_generator */
	bool vdso;			/* was provided, or could not be */
	bool ended;			/* by fn */
	unsigned int misfits;
};

/* A file that is worked at. */
struct work {
	int fd;
	const struct stat *status;
	const char *path;
	struct schedprof_provided result;
	struct schedprof_error error;
	char build_id[SP_UNWIND_NAME_ROOM];
};

/* Return: what is known of a build-id; or NULL: no memory. */
static struct known_id *know_id(struct schedprof_provider *p, const char *build_id)
{
	bool fresh;

	return libsp_key_row(&p->id_keys, &p->ids, build_id, strlen(build_id), &fresh);
}

/* Return: what is known of a file; or NULL: no memory. */
static struct known_code *know_code(struct schedprof_provider *p,
				    const struct libsp_code_file *file)
{
	bool fresh;

	return libsp_key_row(&p->code_keys, &p->codes, &file->key, sizeof(file->key),
			     &fresh);
}

/* Remembers that the module has a table. */
static int note_have(struct schedprof_provider *p, const char *build_id, uint64_t rows,
		     uint64_t bytes, struct schedprof_error *error)
{
	struct known_id *id = know_id(p, build_id);

	if (!id)
		return libsp_no_memory(error);
	id->rows = rows;
	id->bytes = bytes;
	return 0;
}

static int read_have(struct schedprof_provider *p, struct schedprof_error *error)
{
	struct schedprof_unwind_list *list = schedprof_unwind_list(p->handle, error);
	const struct schedprof_unwind_loaded *row;
	int result = 0;
	size_t i;

	if (!list)
		return -SCHEDPROF_IO;
	for (i = 0; !result && (row = schedprof_unwind_list_at(list, i)); i++)
		result = note_have(p, row->build_id, row->rows, row->bytes, error);
	schedprof_unwind_list_free(list);
	return result;
}

LIBSP_EXPORT struct schedprof_provider *
schedprof_provider_open(const struct schedprof *handle, schedprof_provider_fn fn,
			void *data, struct schedprof_error *error)
{
	struct schedprof_provider *p = calloc(1, sizeof(*p));

	if (!p) {
		libsp_no_memory(error);
		return NULL;
	}
	p->handle = handle;
	p->fn = fn;
	p->data = data;
	p->ids.size = sizeof(struct known_id);
	p->id_keys.arena = &p->arena;
	p->codes.size = sizeof(struct known_code);
	p->code_keys.arena = &p->arena;
	p->generators.size = sizeof(struct known_generator);
	p->generator_keys.arena = &p->arena;
	p->cache = libsp_cache_default();
	if (!p->cache)
		libsp_no_memory(error);
	else if (!read_have(p, error))
		return p;
	schedprof_provider_close(p);
	return NULL;
}

LIBSP_EXPORT void schedprof_provider_close(struct schedprof_provider *p)
{
	if (!p)
		return;
	libsp_keys_free(&p->id_keys);
	libsp_keys_free(&p->code_keys);
	libsp_keys_free(&p->generator_keys);
	libsp_buffer_free(&p->ids.buffer);
	libsp_buffer_free(&p->codes.buffer);
	libsp_buffer_free(&p->generators.buffer);
	libsp_arena_free(&p->arena);
	free(p->cache);
	free(p);
}

LIBSP_EXPORT int schedprof_provider_set_cache(struct schedprof_provider *p,
					      const char *directory,
					      struct schedprof_error *error)
{
	char *copy = strdup(directory);

	if (!copy)
		return libsp_no_memory(error);
	free(p->cache);
	p->cache = copy;
	return 0;
}

/* Tells of what became of a file. */
static void tell(struct schedprof_provider *p, struct work *work, int state)
{
	work->result.path = work->path;
	work->result.build_id = *work->build_id ? work->build_id : NULL;
	work->result.state = state;
	work->result.error = state >= SCHEDPROF_PROVIDED_FULL ? &work->error : NULL;
	p->misfits = state == SCHEDPROF_PROVIDED_FULL ? p->misfits + 1 : 0;
	if (p->fn && !p->fn(&work->result, p->data))
		p->ended = true;
}

/* Is the table in the module already? Then that was told. */
static bool is_there(struct schedprof_provider *p, struct work *work)
{
	const struct known_id *id = know_id(p, work->build_id);

	if (!id || !id->bytes)
		return false;
	work->result.rows = id->rows;
	work->result.bytes = id->bytes;
	tell(p, work, SCHEDPROF_PROVIDED_BEFORE);
	return true;
}

/* Gives a table to the module, if there is room. Return: the state. */
static int give(struct schedprof_provider *p, struct work *work,
		const struct schedprof_unwind *table)
{
	uint64_t room;
	size_t bytes;

	schedprof_unwind_data(table, &bytes);
	work->result.bytes = bytes;
	work->result.rows = schedprof_unwind_row_count(table);
	if (libsp_unwind_room(p->handle, &room, &work->error))
		return SCHEDPROF_PROVIDED_NOT;
	/* The module adds to each table what finds rows in it. */
	if (bytes + bytes / 16 + MODULE_BYTES > room) {
		libsp_fail(&work->error, SCHEDPROF_TOO_LARGE,
			   "the unwind table of %s has %zu bytes, and there is room for %" PRIu64 "; remove others, or load the module with a larger bound",
			   work->path, bytes, room);
		return SCHEDPROF_PROVIDED_FULL;
	}
	if (schedprof_unwind_load(p->handle, table, &work->error) ||
	    note_have(p, work->build_id, work->result.rows, bytes, &work->error))
		return SCHEDPROF_PROVIDED_NOT;
	return SCHEDPROF_PROVIDED_NOW;
}

/* Nobody but root and the caller can have chosen what is in it. */
static bool is_trusted(const struct stat *status)
{
	return (!status->st_uid || status->st_uid == geteuid()) &&
	       !(status->st_mode & 0022);
}

/* Provides the table of an open file. */
static void provide_fd(struct schedprof_provider *p, struct work *work)
{
	struct libsp_elf elf = {
		.fd = work->fd,
		.name = work->path,
		.size = (uint64_t)work->status->st_size,
	};
	unsigned char id[LIBSP_ELF_MAX_BUILD_ID];
	struct schedprof_unwind *table = NULL;
	bool trusted = is_trusted(work->status);
	int state = SCHEDPROF_PROVIDED_NOT;
	uint32_t bytes;

	if (libsp_elf_open(&elf, &work->error)) {
		tell(p, work, state);
		return;
	}
	if (!libsp_elf_build_id(&elf, id, &bytes, &work->error)) {
		libsp_hex(work->build_id, id, bytes);
		if (is_there(p, work)) {
			libsp_elf_close(&elf);
			return;
		}
		table = libsp_cache_find(p->cache, work->build_id);
		work->result.cached = table;
		if (!table)
			table = libsp_unwind_of(&elf, 0, &work->error);
		if (table)
			state = give(p, work, table);
		if (table && trusted && !work->result.cached)
			libsp_cache_keep(p->cache, table);
	}
	libsp_elf_close(&elf);
	schedprof_unwind_free(table);
	tell(p, work, state);
}

static int result_of(const struct work *work, struct schedprof_error *error)
{
	if (work->result.state < SCHEDPROF_PROVIDED_FULL)
		return 0;
	if (error)
		*error = work->error;
	return -work->error.code;
}

LIBSP_EXPORT int schedprof_provide_file(struct schedprof_provider *p, const char *path,
					struct schedprof_error *error)
{
	struct stat status;
	struct work work = { .path = path, .status = &status };
	int handle, number;

	/* Whoever names it may name a link. */
	handle = open(path, O_PATH | O_CLOEXEC);
	number = errno;
	work.fd = libsp_open_regular_handle(handle, &status);
	if (handle < 0)
		libsp_fail_errno(&work.error, SCHEDPROF_NOT_FOUND, number,
				 "there is no file %s", path);
	else if (work.fd < 0)
		libsp_fail(&work.error, SCHEDPROF_INVALID,
			   "%s is no regular file that can be read; name a program or a library",
			   path);
	if (work.fd >= 0) {
		provide_fd(p, &work);
		close(work.fd);
	} else {
		tell(p, &work, SCHEDPROF_PROVIDED_NOT);
	}
	return result_of(&work, error);
}

static void provide_vdso(struct schedprof_provider *p)
{
	struct work work = { .path = "[vdso]" };
	struct schedprof_unwind *table;
	int state = SCHEDPROF_PROVIDED_NOT;

	if (p->vdso)
		return;
	p->vdso = true;
	table = schedprof_unwind_make_vdso(&work.error);
	if (table) {
		snprintf(work.build_id, sizeof(work.build_id), "%s",
			 schedprof_unwind_build_id(table));
		if (is_there(p, &work)) {
			schedprof_unwind_free(table);
			return;
		}
		state = give(p, &work, table);
	}
	schedprof_unwind_free(table);
	tell(p, &work, state);
}

static bool is_over(const struct schedprof_provider *p)
{
	return p->ended || p->misfits >= MAX_MISFITS;
}

/* Provides the table of a file that a process has mapped, once. */
static void provide_mapped(struct schedprof_provider *p, const struct libsp_code_file *file)
{
	struct stat status;
	struct work work = { .path = file->path, .status = &status };
	struct known_code *known = know_code(p, file);

	if (!known || known->provided)
		return;
	work.fd = libsp_code_file_open(file, &status);
	/* The process has ended, or has something else there by now. */
	if (work.fd < 0)
		return;
	known->provided = true;
	provide_fd(p, &work);
	close(work.fd);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

/* Says when to look again. @fresh: there was something new */
static void set_wait(struct known_generator *known, bool fresh, uint64_t took)
{
	known->wait_ns = fresh || !known->wait_ns ? AGAIN_NS : 2 * known->wait_ns;
	if (known->wait_ns > MAX_AGAIN_NS)
		known->wait_ns = MAX_AGAIN_NS;
	if (known->wait_ns < TAKES_TIMES * took)
		known->wait_ns = TAKES_TIMES * took;
	known->next_ns = now_ns() + known->wait_ns;
}

/* Does the process run what wrote that file? Then it has mapped it. */
static bool runs_still(const struct libsp_generator *generator, const struct stat *status)
{
	int fd = libsp_open_mapped_jitdump(generator);
	struct stat now;
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(fd, &now) && now.st_dev == status->st_dev && now.st_ino == status->st_ino;
	close(fd);
	return same;
}

/*
 * Gives the module what was made of a process's generated code, also if it gave that before:
 * the module may have it no more.
 */
static void give_generated(struct schedprof_provider *p, struct work *work,
			   const struct libsp_generated_unwind *made, bool fresh)
{
	unsigned int i;
	int state;

	for (i = 0; i < made->count && !is_over(p); i++) {
		snprintf(work->build_id, sizeof(work->build_id), "%s",
			 schedprof_unwind_build_id(made->table[i]));
		state = give(p, work, made->table[i]);
		if (fresh)
			tell(p, work, state);
	}
}

/* Tells them from those that were made before. */
static uint32_t sum_of(const struct libsp_generated_unwind *made)
{
	uint32_t sum = 1;
	unsigned int i;

	for (i = 0; i < made->count; i++)
		sum = sum * 31 + made->table[i]->header->crc;
	return sum;
}

static void take_back(struct schedprof_provider *p, const struct libsp_generated_unwind *made)
{
	unsigned int i;

	for (i = 0; i < made->count; i++)
		schedprof_unwind_remove(p->handle, schedprof_unwind_build_id(made->table[i]),
					NULL);
}

/*
 * Provides tables of what is in a file jit-PID.dump. The module knows the process by when
 * it began, and not what it runs: if that is another program by now, it is not for that.
 */
static void provide_dump(struct schedprof_provider *p, struct known_generator *known,
			 const struct libsp_generator *generator,
			 const struct sp_unwind_process *process, struct work *work)
{
	struct libsp_generated_unwind made;
	uint64_t begin = now_ns();
	bool first = !known->wait_ns, fresh;
	int result;

	result = libsp_unwind_of_dump(work->fd, work->path, process, &made, &work->error);
	fresh = !result && sum_of(&made) != known->given;
	set_wait(known, fresh, now_ns() - begin);
	if (!result)
		known->given = sum_of(&made);
	if (runs_still(generator, work->status)) {
		if (!result)
			give_generated(p, work, &made, fresh);
		else if (first)
			tell(p, work, SCHEDPROF_PROVIDED_NOT);
		if (!result && !runs_still(generator, work->status))
			take_back(p, &made);
	}
	libsp_generated_unwind_free(&made);
}

/*
 * Provides the table of code that a process generates, if it tells of it.
 * @again: the module met code of it that it knows nothing of
 */
static void provide_generated(struct schedprof_provider *p, int pid, bool again)
{
	struct libsp_process process;
	struct libsp_generator generator = { .process = &process, .root = "" };
	struct sp_unwind_process key = { };
	struct known_generator *known;
	struct stat status;
	struct work work = { .status = &status };
	char path[4096], link[32];
	ssize_t length;
	bool fresh;

	key.pid = (uint32_t)pid;
	key.start = proc_start_ticks(pid);
	if (!libsp_process_now(pid, &process))
		return;
	known = libsp_key_row(&p->generator_keys, &p->generators, &key, sizeof(key), &fresh);
	if (!known || (again && now_ns() < known->next_ns))
		return;
	work.fd = libsp_open_mapped_jitdump(&generator);
	if (work.fd < 0) {
		set_wait(known, false, 0);
		return;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", work.fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	work.path = path;
	if (!fstat(work.fd, &status))
		provide_dump(p, known, &generator, &key, &work);
	close(work.fd);
}

/* Of all that were found. */
static void provide_generators(struct schedprof_provider *p,
			       const struct libsp_code_files *files)
{
	size_t i;
	pid_t pid;

	for (i = 0; !is_over(p) && (pid = libsp_code_generator_at(files, i)); i++)
		provide_generated(p, pid, false);
}

LIBSP_EXPORT int schedprof_provide_process(struct schedprof_provider *p, int pid,
					   struct schedprof_error *error)
{
	struct libsp_code_files files;
	struct libsp_code_file *file;
	uint32_t i;
	int result;

	p->ended = false;
	p->misfits = 0;
	libsp_code_files_init(&files);
	result = libsp_code_of_process(&files, pid, error);
	if (!result)
		provide_vdso(p);
	for (i = 0; !result && !is_over(p) && (file = libsp_code_file_at(&files, i)); i++)
		provide_mapped(p, file);
	if (!result)
		provide_generators(p, &files);
	libsp_code_files_free(&files);
	return result;
}

static int by_processes(const void *a, const void *b)
{
	const struct libsp_code_file *x = *(struct libsp_code_file *const *)a;
	const struct libsp_code_file *y = *(struct libsp_code_file *const *)b;

	if (x->processes != y->processes)
		return x->processes > y->processes ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Whose file is it? Then those of root come before others. */
static bool is_of_root(const struct libsp_code_file *file)
{
	struct stat status;
	int fd = libsp_code_file_open(file, &status);

	if (fd < 0)
		return false;
	close(fd);
	return !status.st_uid && !(status.st_mode & 0022);
}

/* Provides those that most processes have first. Return: 0, or a negative code. */
static int provide_in_order(struct schedprof_provider *p, struct libsp_code_files *files,
			    struct schedprof_error *error)
{
	uint32_t count = libsp_row_count(&files->rows), i, later = 0;
	struct libsp_code_file **order;

	order = calloc(count ? count : 1, sizeof(struct libsp_code_file *));
	if (!order)
		return libsp_no_memory(error);
	for (i = 0; i < count; i++)
		order[i] = libsp_code_file_at(files, i);
	qsort(order, count, sizeof(struct libsp_code_file *), by_processes);
	for (i = 0; i < count && !is_over(p); i++) {
		if (is_of_root(order[i]))
			provide_mapped(p, order[i]);
		else
			order[later++] = order[i];
	}
	for (i = 0; i < later && !is_over(p); i++)
		provide_mapped(p, order[i]);
	free(order);
	return 0;
}

LIBSP_EXPORT int schedprof_provide_all(struct schedprof_provider *p,
				       struct schedprof_error *error)
{
	struct libsp_code_files files;
	int result;

	p->ended = false;
	p->misfits = 0;
	libsp_code_files_init(&files);
	result = libsp_code_of_all(&files, error);
	if (!result) {
		provide_vdso(p);
		result = provide_in_order(p, &files, error);
		provide_generators(p, &files);
	}
	libsp_code_files_free(&files);
	return result;
}

/* The build-id of a file that is open; "": none is known. */
static void read_build_id(int fd, const struct stat *status, char text[HEX_ROOM])
{
	struct libsp_elf elf = {
		.fd = fd, .name = "", .size = (uint64_t)status->st_size,
	};
	unsigned char id[LIBSP_ELF_MAX_BUILD_ID];
	uint32_t bytes;

	*text = '\0';
	if (libsp_elf_open(&elf, NULL))
		return;
	if (!libsp_elf_build_id(&elf, id, &bytes, NULL))
		libsp_hex(text, id, bytes);
	libsp_elf_close(&elf);
}

/* Provides the table of a file that is here, by its path, if it is the one. */
static bool provide_here(struct schedprof_provider *p, const char *path,
			 const char *build_id)
{
	char is[HEX_ROOM] = "";
	struct stat status;
	struct work work = { .path = path, .status = &status };

	work.fd = *path == '/' ? libsp_open_regular("", path, &status) : -1;
	if (work.fd < 0)
		return false;
	read_build_id(work.fd, &status, is);
	if (!strcmp(is, build_id))
		provide_fd(p, &work);
	close(work.fd);
	return !strcmp(is, build_id);
}

/* Is it a file whose build-id is missing? Each is opened once to find out. */
static bool is_missing(struct schedprof_provider *p, const struct libsp_code_file *file)
{
	struct known_code *known = know_code(p, file);
	const struct known_id *id;
	char text[HEX_ROOM];
	struct stat status;
	bool fresh;
	int fd;

	if (!known || known->provided)
		return false;
	if (!known->looked) {
		fd = libsp_code_file_open(file, &status);
		if (fd < 0)
			return false;
		read_build_id(fd, &status, text);
		close(fd);
		known->looked = true;
		if (*text && know_id(p, text))
			known->id = libsp_key_number(&p->id_keys, text, strlen(text),
						     &fresh);
	}
	id = known->id ? libsp_row(&p->ids, known->id) : NULL;
	return id && id->missing && !id->bytes;
}

/* Of files in containers, deleted ones and so on, those that are missing. */
static int provide_elsewhere(struct schedprof_provider *p, struct schedprof_error *error)
{
	struct libsp_code_files files;
	struct libsp_code_file *file;
	uint32_t i;
	int result;

	libsp_code_files_init(&files);
	result = libsp_code_of_all(&files, error);
	for (i = 0; !result && !is_over(p) && (file = libsp_code_file_at(&files, i)); i++)
		if (is_missing(p, file))
			provide_mapped(p, file);
	libsp_code_files_free(&files);
	return result;
}

/* Provides what a line names, once. Return: must it be looked for elsewhere? */
static bool provide_line(struct schedprof_provider *p, char *line)
{
	char *path = line + strcspn(line, "\t");
	struct sp_unwind_process of;
	unsigned long long start;
	struct known_id *id;

	if (*path)
		*path++ = '\0';
	/* Its build-id is known once there is a table of it. */
	if (!*line && !strcmp(path, "[vdso]"))
		provide_vdso(p);
	if (sscanf(line, SP_UNWIND_PROCESS_FORMAT, &of.pid, &start, &of.window) == 3 &&
	    of.pid <= INT32_MAX && proc_start_ticks((pid_t)of.pid) == start)
		provide_generated(p, (int)of.pid, true);
	if (!libsp_is_build_id(line))
		return false;
	id = know_id(p, line);
	if (!id || id->missing || id->bytes)
		return false;
	id->missing = true;
	return !provide_here(p, path, line);
}

LIBSP_EXPORT int schedprof_provide_missing(struct schedprof_provider *p,
					   struct schedprof_error *error)
{
	struct schedprof_error why;
	char *text = schedprof_get(p->handle, NULL, "unwind_missing", &why);
	bool elsewhere = false;
	char *line, *next;
	int result = 0;

	if (!text) {
		if (error)
			*error = why;
		return -why.code;
	}
	p->ended = false;
	p->misfits = 0;
	for (line = text; *line && !is_over(p); line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (provide_line(p, line))
			elsewhere = true;
	}
	free(text);
	if (elsewhere && !is_over(p))
		result = provide_elsewhere(p, error);
	return result;
}
