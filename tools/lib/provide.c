// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * provide: makes unwind tables and gives them to the module: of files, of what processes
 * have mapped as code, of what they tell of code that they generate, and of what the module
 * has met without a table. A provider knows what the module has and which files it has looked
 * at, and is used by one thread.
 *
 * A table is known by the build-id, and who makes a program chooses that: a table that
 * lies is one of somebody's own program, unless it comes in the place of that of the file
 * whose build-id it has. So files that only root can have made come first, their tables take
 * the place of others, and only these are kept in the cache.
 *
 * What cannot be provided now is tried again, after longer and longer pauses: the file may be
 * in a container that begins later, or the module may get room.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

/*
 * Files, build-ids and processes that are known. Users may come with new ones for ever; one
 * look at all that is mapped finds half as many at most.
 */
#define MAX_KNOWN	131072
/* Files in a row that do not fit; then the others are not even looked at. */
#define MAX_MISFITS	16
/* Of whole pages, for a table and what finds rows in it; or what it keeps of a process. */
#define MODULE_BYTES	16384
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
/*
 * The same for a build-id that was met without a table; and for looks whether root has files
 * of which the table is somebody else's, each of which opens all that is mapped.
 */
#define MISSING_AGAIN_NS	(NS / 5)
#define MISSING_MAX_NS		(600 * NS)
#define OTHERS_AGAIN_NS		(10 * NS)

/* When something is tried again. */
struct pause {
	uint64_t next_ns, wait_ns;	/* by CLOCK_MONOTONIC; 0: never tried yet */
};

/* What is known of a build-id. */
struct known_id {
	uint64_t rows, bytes;	/* of the table that the module has; bytes 0: it has none */
	bool of_root;		/* nobody else's file comes in its place */
	bool missing;		/* the module has met it without a table, and it is its turn */
	struct pause pause;
};

/* What is known of a file that some process has mapped. */
struct known_code {
	struct timespec changed;	/* its ctime: another file may get its number */
	bool looked;			/* id is known */
	bool hopeless;			/* no table can be made of it */
	uint32_t id;			/* number of its build-id; 0: it has none */
	int state;			/* enum schedprof_provided_state that was told; or NEVER */
};

#define NEVER	(-1)

/* What is known of a process that generates code. */
struct known_generator {
	struct pause pause;
	uint32_t given;		/* checksum of what the module was given; 0: nothing */
};

struct schedprof_provider {
	const struct schedprof *handle;
	schedprof_provider_fn fn;
	schedprof_provider_ask_fn ask;
	void *data;
	char *cache;			/* directory; "": none */
	struct libsp_arena arena;
	struct libsp_keys id_keys;	/* build-ids as text */
	struct libsp_rows ids;		/* struct known_id */
	struct libsp_keys code_keys;	/* struct libsp_code_key */
	struct libsp_rows codes;	/* struct known_code */
	struct libsp_keys generator_keys;	/* struct sp_unwind_process */
	struct libsp_rows generators;	/* struct known_generator */
	struct pause others;		/* looks for files of root */
	uint64_t next_scan_ns;		/* when all that is mapped may be looked at again */
	bool has_others;		/* there are tables of others */
	struct pause first;		/* tries to give the module any table */
	bool vdso;			/* was provided, or could not be */
	bool ended;			/* by fn or ask */
	unsigned int misfits;
};

/* A file that is worked at. */
struct work {
	int fd;
	const struct stat *status;
	const char *path;
	bool of_root;
	int told;		/* the state that was told before, or NEVER */
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

/* Return: what is known of a file, which is open; or NULL: no memory. */
static struct known_code *know_code(struct schedprof_provider *p,
				    const struct libsp_code_key *key,
				    const struct stat *status)
{
	struct known_code *known;
	bool fresh;

	known = libsp_key_row(&p->code_keys, &p->codes, key, sizeof(*key), &fresh);
	if (known && (fresh || known->changed.tv_sec != status->st_ctim.tv_sec ||
		      known->changed.tv_nsec != status->st_ctim.tv_nsec))
		*known = (struct known_code){ .changed = status->st_ctim, .state = NEVER };
	return known;
}

/* Remembers that the module has a table. */
static int note_have(struct schedprof_provider *p, const char *build_id, uint64_t rows,
		     uint64_t bytes, bool of_root, struct schedprof_error *error)
{
	struct known_id *id = know_id(p, build_id);

	if (!id)
		return libsp_no_memory(error);
	id->rows = rows;
	id->bytes = bytes;
	id->of_root = of_root;
	id->missing = false;
	if (!of_root) {
		p->has_others = true;
		p->others = (struct pause){ };
	}
	return 0;
}

static void forget(struct schedprof_provider *p)
{
	libsp_keys_free(&p->id_keys);
	libsp_keys_free(&p->code_keys);
	libsp_keys_free(&p->generator_keys);
	libsp_buffer_free(&p->ids.buffer);
	libsp_buffer_free(&p->codes.buffer);
	libsp_buffer_free(&p->generators.buffer);
	libsp_arena_free(&p->arena);
}

/* Knows what the module has, and nothing else. */
static int read_have(struct schedprof_provider *p, struct schedprof_error *error)
{
	struct schedprof_unwind_list *list = schedprof_unwind_list(p->handle, error);
	const struct schedprof_unwind_loaded *row;
	int result = 0;
	size_t i;

	if (!list)
		return -SCHEDPROF_IO;
	forget(p);
	for (i = 0; !result && (row = schedprof_unwind_list_at(list, i)); i++)
		result = note_have(p, row->build_id, row->rows, row->bytes,
				   row->of_root || !libsp_is_build_id(row->build_id), error);
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
	forget(p);
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

LIBSP_EXPORT void schedprof_provider_set_ask(struct schedprof_provider *p,
					     schedprof_provider_ask_fn ask)
{
	p->ask = ask;
}

/* Tells of what became of a file. */
static void tell(struct schedprof_provider *p, struct work *work, int state)
{
	work->result.path = work->path;
	work->result.build_id = *work->build_id ? work->build_id : NULL;
	work->result.state = state;
	work->result.error = state >= SCHEDPROF_PROVIDED_FULL ? &work->error : NULL;
	p->misfits = state == SCHEDPROF_PROVIDED_FULL ? p->misfits + 1 : 0;
	if (state >= SCHEDPROF_PROVIDED_FULL && state == work->told)
		return;
	work->told = state;
	if (p->fn && !p->fn(&work->result, p->data))
		p->ended = true;
}

/* Is the table in the module already, and of no worse a file? Then that was told. */
static bool is_there(struct schedprof_provider *p, struct work *work)
{
	const struct known_id *id = know_id(p, work->build_id);

	if (!id || !id->bytes || (work->of_root && !id->of_root))
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
	if (libsp_unwind_room(p->handle, table->header->flags, &room, &work->error))
		return SCHEDPROF_PROVIDED_NOT;
	/* The module adds to each table what finds rows in it: of four, one or two words. */
	if (bytes + bytes / 8 + MODULE_BYTES > room) {
		libsp_fail(&work->error, SCHEDPROF_TOO_LARGE,
			   "the unwind table of %s has %zu bytes, and there is room for %" PRIu64 "; remove others, or load the module with a larger bound",
			   work->path, bytes, room);
		return SCHEDPROF_PROVIDED_FULL;
	}
	if (schedprof_unwind_load(p->handle, table, &work->error) ||
	    note_have(p, work->build_id, work->result.rows, bytes,
		      table->header->flags, &work->error))
		return SCHEDPROF_PROVIDED_NOT;
	return SCHEDPROF_PROVIDED_NOW;
}

/* Who is not root has a cache of his own, for his own files. */
static bool may_be_kept(const struct work *work)
{
	return work->of_root || (geteuid() && work->status->st_uid == geteuid() &&
				 !(work->status->st_mode & 0022));
}

/* Return: the table that the cache has, of no worse a file; or NULL. */
static struct schedprof_unwind *find_kept(const struct schedprof_provider *p,
					  const struct work *work)
{
	struct schedprof_unwind *table = libsp_cache_find(p->cache, work->build_id);

	if (!table || !work->of_root || table->header->flags & SP_UNWIND_OF_ROOT)
		return table;
	schedprof_unwind_free(table);
	return NULL;
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
		table = find_kept(p, work);
		work->result.cached = table;
		if (!table)
			table = libsp_unwind_of(&elf, work->of_root ? SP_UNWIND_OF_ROOT : 0,
						&work->error);
		if (table)
			state = give(p, work, table);
		if (table && may_be_kept(work) && !work->result.cached)
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
	struct work work = { .path = path, .status = &status, .told = NEVER };
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
		work.of_root = libsp_is_of_root(work.fd, &status);
		provide_fd(p, &work);
		close(work.fd);
	} else {
		tell(p, &work, SCHEDPROF_PROVIDED_NOT);
	}
	return result_of(&work, error);
}

static void provide_vdso(struct schedprof_provider *p)
{
	struct work work = { .path = "[vdso]", .of_root = true, .told = NEVER };
	struct schedprof_unwind *table;
	int state = SCHEDPROF_PROVIDED_NOT;

	if (p->vdso)
		return;
	table = schedprof_unwind_make_vdso(&work.error);
	if (table) {
		snprintf(work.build_id, sizeof(work.build_id), "%s",
			 schedprof_unwind_build_id(table));
		p->vdso = is_there(p, &work);
		if (!p->vdso)
			state = give(p, &work, table);
	}
	schedprof_unwind_free(table);
	if (p->vdso)
		return;
	/* There may be room for it later. */
	p->vdso = state != SCHEDPROF_PROVIDED_FULL;
	tell(p, &work, state);
}

/* Asked before each file and process: nobody knows what that one takes. */
static bool is_over(struct schedprof_provider *p)
{
	if (!p->ended && p->ask && !p->ask(p->data))
		p->ended = true;
	return p->ended || p->misfits >= MAX_MISFITS;
}

static bool goes_on(void *data)
{
	return !is_over(data);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

/* The next one is twice as long, up to a bound. */
static void set_pause(struct pause *pause, uint64_t first, uint64_t longest)
{
	pause->wait_ns = pause->wait_ns ? 2 * pause->wait_ns : first;
	if (pause->wait_ns > longest)
		pause->wait_ns = longest;
	pause->next_ns = now_ns() + pause->wait_ns;
}

/* Says when to look again. @fresh: there was something new */
static void set_wait(struct known_generator *known, bool fresh, uint64_t took)
{
	struct pause *pause = &known->pause;

	if (fresh)
		*pause = (struct pause){ };
	set_pause(pause, AGAIN_NS, MAX_AGAIN_NS);
	if (pause->wait_ns < TAKES_TIMES * took)
		pause->wait_ns = TAKES_TIMES * took;
	pause->next_ns = now_ns() + pause->wait_ns;
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
		work->told = NEVER;
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
	bool first = !known->pause.wait_ns, fresh;
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
	struct work work = { .status = &status, .told = NEVER };
	char path[4096], link[32];
	ssize_t length;
	bool fresh;

	key.pid = (uint32_t)pid;
	key.start = proc_start_ticks(pid);
	if (!libsp_process_now(pid, &process))
		return;
	known = libsp_key_row(&p->generator_keys, &p->generators, &key, sizeof(key), &fresh);
	if (!known || (again && now_ns() < known->pause.next_ns))
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

/* Of all that were found, perhaps by a thread; the code is that of the process. */
static void provide_generators(struct schedprof_provider *p,
			       const struct libsp_code_files *files)
{
	size_t i;
	pid_t pid;

	for (i = 0; !is_over(p) && (pid = libsp_code_generator_at(files, i)); i++)
		provide_generated(p, libsp_process_of_thread(pid), false);
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

/* Return: what is known of the build-id of a file, which is open; or NULL: it has none. */
static struct known_id *id_of(struct schedprof_provider *p, struct known_code *known, int fd,
			      const struct stat *status)
{
	char text[HEX_ROOM];
	bool fresh;

	if (!known->looked) {
		read_build_id(fd, status, text);
		known->looked = true;
		if (*text && know_id(p, text))
			known->id = libsp_key_number(&p->id_keys, text, strlen(text),
						     &fresh);
	}
	return known->id ? libsp_row(&p->ids, known->id) : NULL;
}

/* Was all said of a file, and is it still so? */
static bool is_done(struct schedprof_provider *p, struct known_code *known,
		    const struct work *work)
{
	const struct known_id *id = id_of(p, known, work->fd, work->status);

	if (known->hopeless)
		return true;
	return known->state != NEVER && id && id->bytes && (id->of_root || !work->of_root);
}

/* Is it the file that is to blame? Else there may be memory, or room, another time. */
static bool is_hopeless(const struct work *work)
{
	int code = work->error.code;

	return work->result.state == SCHEDPROF_PROVIDED_NOT &&
	       (code == SCHEDPROF_INVALID || code == SCHEDPROF_NOT_FOUND ||
		code == SCHEDPROF_DAMAGED || code == SCHEDPROF_TOO_LARGE);
}

/* Provides the table of an open file of which @known tells. */
static void provide_known(struct schedprof_provider *p, struct known_code *known,
			  struct work *work)
{
	if (is_done(p, known, work))
		return;
	work->told = known->state;
	provide_fd(p, work);
	known->state = work->result.state;
	known->hopeless = is_hopeless(work);
}

/* Provides the table of a file that a process has mapped. */
static void provide_mapped(struct schedprof_provider *p, const struct libsp_code_file *file)
{
	struct stat status;
	struct work work = { .path = file->path, .status = &status };
	struct known_code *known;

	work.fd = libsp_code_file_open(file, &status);
	/* The process has ended, or has something else there by now. */
	if (work.fd < 0)
		return;
	work.of_root = libsp_is_of_root(work.fd, &status);
	known = know_code(p, &file->key, &status);
	if (known)
		provide_known(p, known, &work);
	close(work.fd);
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
static bool is_file_of_root(const struct libsp_code_file *file)
{
	struct stat status;
	int fd = libsp_code_file_open(file, &status);
	bool of_root = fd >= 0 && libsp_is_of_root(fd, &status);

	if (fd >= 0)
		close(fd);
	return of_root;
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
		if (is_file_of_root(order[i]))
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
	result = libsp_code_of_all(&files, goes_on, p, error);
	if (!result) {
		provide_vdso(p);
		result = provide_in_order(p, &files, error);
		provide_generators(p, &files);
	}
	libsp_code_files_free(&files);
	return result;
}

/* Is the table of a file wanted, because there is none, or only one of others? */
static bool is_wanted(const struct known_id *id, bool of_root)
{
	return id && (id->missing || (of_root && id->bytes && !id->of_root));
}

/*
 * Provides the table of the file that has a path here, if it is of that build-id, and wanted.
 * @of_root: only if it is root's
 */
static void provide_here(struct schedprof_provider *p, const char *path, uint32_t number,
			 bool of_root)
{
	struct stat status;
	struct work work = { .path = path, .status = &status };
	struct libsp_code_key key = { };
	struct known_code *known;

	work.fd = *path == '/' ? libsp_open_regular("", path, &status) : -1;
	if (work.fd < 0)
		return;
	work.of_root = libsp_is_of_root(work.fd, &status);
	key.major = major(status.st_dev);
	key.minor = minor(status.st_dev);
	key.inode = status.st_ino;
	known = know_code(p, &key, &status);
	if (known && (work.of_root || !of_root) &&
	    is_wanted(id_of(p, known, work.fd, &status), of_root) && known->id == number)
		provide_known(p, known, &work);
	close(work.fd);
}

enum wanted { NOT_WANTED, WANTED_OF_ROOT, WANTED_OF_OTHERS };

/* Is a file that is mapped wanted? */
static enum wanted look_at_file(struct schedprof_provider *p,
				const struct libsp_code_file *file)
{
	enum wanted wanted = NOT_WANTED;
	const struct known_id *id;
	struct known_code *known;
	struct stat status;
	int fd = libsp_code_file_open(file, &status);

	if (fd < 0)
		return NOT_WANTED;
	known = know_code(p, &file->key, &status);
	id = known && !known->hopeless ? id_of(p, known, fd, &status) : NULL;
	if (is_wanted(id, true) && libsp_is_of_root(fd, &status))
		wanted = WANTED_OF_ROOT;
	else if (is_wanted(id, false))
		wanted = WANTED_OF_OTHERS;
	close(fd);
	return wanted;
}

/* Of all that is mapped: files of root, and then others, as in containers, or deleted ones. */
static int provide_elsewhere(struct schedprof_provider *p, struct schedprof_error *error)
{
	struct libsp_buffer later = { };
	struct libsp_code_file *file;
	struct libsp_code_files files;
	uint64_t begin = now_ns();
	uint32_t i, *others;
	int result;
	size_t n;

	libsp_code_files_init(&files);
	result = libsp_code_of_all(&files, goes_on, p, error);
	for (i = 0; !result && !is_over(p) && (file = libsp_code_file_at(&files, i)); i++) {
		enum wanted wanted = look_at_file(p, file);

		if (wanted == WANTED_OF_ROOT)
			provide_mapped(p, file);
		else if (wanted == WANTED_OF_OTHERS)
			libsp_buffer_add(&later, &i, sizeof(i));
	}
	others = (uint32_t *)later.at;
	for (n = 0; n < later.size / sizeof(*others) && !is_over(p); n++) {
		file = libsp_code_file_at(&files, others[n]);
		/* Root's may have come. */
		if (look_at_file(p, file) != NOT_WANTED)
			provide_mapped(p, file);
	}
	libsp_buffer_free(&later);
	libsp_code_files_free(&files);
	set_pause(&p->others, OTHERS_AGAIN_NS, MISSING_MAX_NS);
	p->next_scan_ns = now_ns() + TAKES_TIMES * (now_ns() - begin);
	return result;
}

/* What the module has met without a table. */
struct met {
	uint32_t id;		/* number of its build-id; 0: it has none, as generated code */
	const char *name;	/* as it is listed */
	const char *path;
};

/* Notes that the module has no table of it. Return: is it its turn? */
static bool note_missing(struct schedprof_provider *p, const char *build_id)
{
	struct known_id *id = know_id(p, build_id);

	if (!id)
		return false;
	/* Somebody may have taken it away, or loaded another module. */
	id->bytes = 0;
	id->of_root = false;
	id->missing = now_ns() >= id->pause.next_ns;
	return id->missing;
}

/* Splits the list into what it tells of, without files whose turn it is not. */
static void read_met(struct schedprof_provider *p, char *text, struct libsp_buffer *met)
{
	char *line, *next;

	for (line = text; *line; line = next) {
		struct met file = { .name = line };
		bool fresh;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		file.path = line + strcspn(line, "\t");
		if (*file.path) {
			line[file.path - line] = '\0';
			file.path++;
		}
		if (libsp_is_build_id(line)) {
			if (!note_missing(p, line))
				continue;
			file.id = libsp_key_number(&p->id_keys, line, strlen(line), &fresh);
		}
		libsp_buffer_add(met, &file, sizeof(file));
	}
}

/* Those that are still missing are looked for by their paths. Return: are there others? */
static bool provide_met(struct schedprof_provider *p, const struct libsp_buffer *met,
			bool of_root)
{
	const struct met *file = (const struct met *)met->at;
	const struct met *end = file + met->size / sizeof(*file);
	bool left = false;

	for (; file < end; file++) {
		const struct known_id *id = file->id ? libsp_row(&p->ids, file->id) : NULL;

		if (!id || !id->missing)
			continue;
		if (!is_over(p))
			provide_here(p, file->path, file->id, of_root);
		id = libsp_row(&p->ids, file->id);
		left = left || id->missing;
	}
	return left;
}

/* What is missing still was tried, and waits for its next turn, unless this ended too early. */
static void end_turns(struct schedprof_provider *p, const struct libsp_buffer *met)
{
	const struct met *file = (const struct met *)met->at;
	const struct met *end = file + met->size / sizeof(*file);

	for (; file < end; file++) {
		struct known_id *id = file->id ? libsp_row(&p->ids, file->id) : NULL;

		if (id && id->missing && !p->ended)
			set_pause(&id->pause, MISSING_AGAIN_NS, MISSING_MAX_NS);
		if (id)
			id->missing = false;
	}
}

/* The vdso, and processes that generate code. */
static void provide_others_met(struct schedprof_provider *p, const struct libsp_buffer *met)
{
	const struct met *file = (const struct met *)met->at;
	const struct met *end = file + met->size / sizeof(*file);
	struct sp_unwind_process of;
	unsigned long long start;

	for (; file < end && !is_over(p); file++) {
		if (file->id)
			continue;
		/* Its build-id is known once there is a table of it. */
		if (!*file->name && !strcmp(file->path, "[vdso]"))
			provide_vdso(p);
		if (sscanf(file->name, SP_UNWIND_PROCESS_FORMAT, &of.pid, &start,
			   &of.window) == 3 &&
		    of.pid <= INT32_MAX && proc_start_ticks((pid_t)of.pid) == start)
			provide_generated(p, (int)of.pid, true);
	}
}

/* Files: those of root come first, wherever they are. */
static int provide_files_met(struct schedprof_provider *p, const struct libsp_buffer *met,
			     struct schedprof_error *error)
{
	bool left = provide_met(p, met, true), may = now_ns() >= p->next_scan_ns;
	int result = 0;

	if (may && !is_over(p) &&
	    (left || (p->has_others && now_ns() >= p->others.next_ns)))
		result = provide_elsewhere(p, error);
	/* Until then it is nobody's turn. */
	if (left && !may)
		return 0;
	if (!result && left)
		provide_met(p, met, false);
	end_turns(p, met);
	return result;
}

/*
 * Without any table the module asks for none: it was just loaded, perhaps while this ran, or
 * somebody took all away. What this process has mapped, others have, too.
 */
static void provide_first(struct schedprof_provider *p)
{
	uint64_t tables;
	uint32_t i;

	if (libsp_unwind_count(p->handle, &tables) || tables || now_ns() < p->first.next_ns)
		return;
	set_pause(&p->first, MISSING_AGAIN_NS, MISSING_MAX_NS);
	for (i = 1; i <= libsp_row_count(&p->ids); i++)
		((struct known_id *)libsp_row(&p->ids, i))->bytes = 0;
	p->vdso = false;
	schedprof_provide_process(p, (int)getpid(), NULL);
}

static bool knows_too_much(struct schedprof_provider *p)
{
	return libsp_row_count(&p->ids) > MAX_KNOWN || libsp_row_count(&p->codes) > MAX_KNOWN ||
	       libsp_row_count(&p->generators) > MAX_KNOWN;
}

LIBSP_EXPORT int schedprof_provide_missing(struct schedprof_provider *p,
					   struct schedprof_error *error)
{
	struct schedprof_error why;
	struct libsp_buffer met = { };
	char *text = NULL;
	int result;

	if (!knows_too_much(p) || !read_have(p, &why))
		text = schedprof_get(p->handle, NULL, "unwind_missing", &why);
	if (!text) {
		if (error)
			*error = why;
		return -why.code;
	}
	p->ended = false;
	provide_first(p);
	p->misfits = 0;
	read_met(p, text, &met);
	result = met.failed ? libsp_no_memory(error) : provide_files_met(p, &met, error);
	/* Whoever generates much has no part in what files get. */
	p->misfits = 0;
	if (!result)
		provide_others_met(p, &met);
	libsp_buffer_free(&met);
	free(text);
	return result;
}
