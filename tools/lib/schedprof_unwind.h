/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwind tables: where the callers of a program's functions are, so that the module finds
 * whole user stacks of programs that were built without frame pointers. x86-64 only. Part
 * of schedprof.h: include that.
 */
#ifndef SCHEDPROF_UNWIND_H
#define SCHEDPROF_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedprof;
struct schedprof_error;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tables ---- */

/*
 * A table, of a program, a library or the kernel's vdso, or of the code that a process
 * generated. Never changes once it is there.
 */
struct schedprof_unwind;

/* What is known of a caller; how it is found is in the module's table_format.h. */
enum schedprof_unwind_kind {
	SCHEDPROF_UNWIND_NONE		= 0,	/* nothing */
	SCHEDPROF_UNWIND_OUTERMOST	= 1,	/* there is none */
	SCHEDPROF_UNWIND_SP		= 2,	/* cfa words above the stack pointer */
	SCHEDPROF_UNWIND_FP		= 3,	/* cfa words above the frame pointer */
	SCHEDPROF_UNWIND_PLT		= 4,	/* a stub of the linkage table */
	SCHEDPROF_UNWIND_SIGNAL		= 5,	/* what a signal interrupted */
	SCHEDPROF_UNWIND_UNTOLD		= 6,	/* generated code that nobody told of */
};

struct schedprof_unwind_row {
	/* In the file, of the first instruction it is for; in 4 GB of addresses, of a process. */
	uint64_t offset;
	int kind;		/* enum schedprof_unwind_kind */
	unsigned int cfa;	/* words of eight bytes */
	/*
	 * Words between the caller's stack pointer and where its frame pointer is saved; 0:
	 * it is not. PLT: the byte of 16 from which on there is a word more.
	 */
	unsigned int saved;
};

/**
 * schedprof_unwind_make() - make a table of a program or a library
 * @fd: of the file, open for reading; stays open
 * @name: of the file, for messages
 * @error: why not, or NULL
 *
 * Made of .eh_frame, or else of .debug_frame, of that very file; with Go in it, of both.
 * Where there is no rule that the module knows, the table says that there is none.
 *
 * Return: the table, for schedprof_unwind_free(); or NULL: SCHEDPROF_INVALID (not ELF, or
 * of another machine), SCHEDPROF_NOT_FOUND (no build-id, nothing to make it of),
 * SCHEDPROF_DAMAGED, SCHEDPROF_TOO_LARGE, ...
 */
struct schedprof_unwind *schedprof_unwind_make(int fd, const char *name,
					       struct schedprof_error *error);

/**
 * schedprof_unwind_make_vdso() - make a table of the running kernel's vdso
 * @error: why not, or NULL
 *
 * Return: as schedprof_unwind_make().
 */
struct schedprof_unwind *schedprof_unwind_make_vdso(struct schedprof_error *error);

/**
 * schedprof_unwind_read() - check a table that was made before
 * @data: as schedprof_unwind_data() returned it; copied
 * @size: in bytes
 * @error: why not, or NULL
 *
 * Return: the table, for schedprof_unwind_free(); or NULL: SCHEDPROF_DAMAGED,
 * SCHEDPROF_NEWER.
 */
struct schedprof_unwind *schedprof_unwind_read(const void *data, size_t size,
					       struct schedprof_error *error);

/**
 * schedprof_unwind_free() - give a table back
 * @table: or NULL
 */
void schedprof_unwind_free(struct schedprof_unwind *table);

/**
 * schedprof_unwind_data() - a table as the module takes it
 * @table: the table
 * @size: filled with the number of bytes
 *
 * Return: the bytes.
 */
const void *schedprof_unwind_data(const struct schedprof_unwind *table, size_t *size);

/**
 * schedprof_unwind_build_id() - which file a table is of
 * @table: the table
 *
 * Return: in hexadecimal; or, of generated code, "process-PID-START-WINDOW": the process,
 * when it began, in clock ticks, and which 4 GB of its addresses.
 */
const char *schedprof_unwind_build_id(const struct schedprof_unwind *table);

/**
 * schedprof_unwind_row_count() - how many rows a table has
 * @table: the table
 */
size_t schedprof_unwind_row_count(const struct schedprof_unwind *table);

/**
 * schedprof_unwind_row_at() - a row of a table
 * @table: the table
 * @index: from 0 on, in the order of their offsets
 * @row: filled in
 * @size: sizeof(*row)
 *
 * Return: false if there are not so many.
 */
bool schedprof_unwind_row_at(const struct schedprof_unwind *table, size_t index,
			     struct schedprof_unwind_row *row, size_t size);

/**
 * schedprof_unwind_find() - the row that an instruction is in
 * @table: the table
 * @offset: in the file; of a return address, look up the byte before it
 * @row: filled in
 * @size: sizeof(*row)
 *
 * Return: false if it is before the first one.
 */
bool schedprof_unwind_find(const struct schedprof_unwind *table, uint64_t offset,
			   struct schedprof_unwind_row *row, size_t size);

/* ---- Tables that the module has ---- */

/* Those that it had at one moment. */
struct schedprof_unwind_list;

struct schedprof_unwind_loaded {
	const char *build_id;	/* as of schedprof_unwind_build_id() */
	uint64_t bytes;		/* of memory */
	uint64_t rows;
	uint64_t users;		/* mappings of programs that use it */
	bool of_root;		/* made of a file that nobody but root can have made */
};

/**
 * schedprof_unwind_list() - which tables the module has
 * @handle: the handle
 * @error: why not, or NULL
 *
 * Return: the list, for schedprof_unwind_list_free(); or NULL: SCHEDPROF_NOT_FOUND if the
 * module is one that takes no tables.
 */
struct schedprof_unwind_list *
schedprof_unwind_list(const struct schedprof *handle, struct schedprof_error *error);

/**
 * schedprof_unwind_list_free() - give a list back
 * @list: or NULL
 */
void schedprof_unwind_list_free(struct schedprof_unwind_list *list);

/**
 * schedprof_unwind_list_count() - how many there are
 * @list: the list
 */
size_t schedprof_unwind_list_count(const struct schedprof_unwind_list *list);

/**
 * schedprof_unwind_list_at() - one of them
 * @list: the list
 * @index: from 0 on
 *
 * Return: it, or NULL.
 */
const struct schedprof_unwind_loaded *
schedprof_unwind_list_at(const struct schedprof_unwind_list *list, size_t index);

/**
 * schedprof_unwind_load() - give a table to the module
 * @handle: the handle
 * @table: the table
 * @error: why not, or NULL
 *
 * Return: 0, and the module has it; or a negative code: SCHEDPROF_REFUSED, with the
 * module's reason.
 */
int schedprof_unwind_load(const struct schedprof *handle,
			  const struct schedprof_unwind *table,
			  struct schedprof_error *error);

/**
 * schedprof_unwind_remove() - let the module free a table
 * @handle: the handle
 * @build_id: as it is listed
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_unwind_remove(const struct schedprof *handle, const char *build_id,
			    struct schedprof_error *error);

/* ---- Providing the module with what it needs ---- */

/*
 * Makes tables and gives them to the module, each once. Whoever builds a program chooses its
 * build-id: of files that only root can have made, tables take the place of others'. These, and
 * for others than root those of the caller's own files, are kept in a cache:
 * /var/cache/schedprof/unwind, or, for others than root, $XDG_CACHE_HOME/schedprof/unwind.
 */
struct schedprof_provider;

enum schedprof_provided_state {
	SCHEDPROF_PROVIDED_NOW		= 0,	/* the module did not have it */
	SCHEDPROF_PROVIDED_BEFORE	= 1,	/* the module has it already */
	SCHEDPROF_PROVIDED_FULL		= 2,	/* it does not fit into the module's bound */
	SCHEDPROF_PROVIDED_NOT		= 3,	/* error says why */
};

/*
 * What became of a file, or of what a process told of the code that it generated. The
 * pointers are valid until the function returns.
 */
struct schedprof_provided {
	const char *path;	/* of generated code: of the file in which it is told */
	const char *build_id;	/* NULL: not known; as of schedprof_unwind_build_id() */
	uint64_t bytes;		/* of the table, before: of memory; 0: there is none */
	uint64_t rows;
	int state;		/* enum schedprof_provided_state */
	bool cached;		/* the table was in the cache */
	const struct schedprof_error *error;	/* NULL unless PROVIDED_NOT or _FULL */
};

/*
 * Called for each file, once it is done. Return: false: end here, with what was done;
 * what provides returns 0 then, too.
 */
typedef bool (*schedprof_provider_fn)(const struct schedprof_provided *file, void *data);

/**
 * schedprof_provider_open() - make a provider
 * @handle: the handle; must outlive the provider
 * @fn: told of each file; or NULL
 * @data: for @fn
 * @error: why not, or NULL
 *
 * Return: the provider, or NULL: SCHEDPROF_NOT_FOUND if the module is one that takes no
 * tables, SCHEDPROF_NOT_ROOT, ...
 */
struct schedprof_provider *
schedprof_provider_open(const struct schedprof *handle, schedprof_provider_fn fn,
			void *data, struct schedprof_error *error);

/**
 * schedprof_provider_close() - give a provider back
 * @provider: or NULL. Tables stay in the module.
 */
void schedprof_provider_close(struct schedprof_provider *provider);

/**
 * schedprof_provider_set_cache() - where tables are kept
 * @provider: the provider
 * @directory: made if it is not there; "": nowhere; copied
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code.
 */
int schedprof_provider_set_cache(struct schedprof_provider *provider,
				 const char *directory, struct schedprof_error *error);

/* Return: false: end here, with what was done; what provides returns 0 then, too. */
typedef bool (*schedprof_provider_ask_fn)(void *data);

/**
 * schedprof_provider_set_ask() - be asked whether it shall go on
 * @provider: the provider
 * @ask: is called before each file and each process that is looked at, also if nothing is to
 *	be told of it, with the data of schedprof_provider_open(); or NULL
 *
 * Anybody may run programs that take seconds each to look at.
 */
void schedprof_provider_set_ask(struct schedprof_provider *provider,
				schedprof_provider_ask_fn ask);

/**
 * schedprof_provide_file() - the table of a file
 * @provider: the provider
 * @path: of the file, as this process sees it
 * @error: why not, or NULL
 *
 * Return: 0, or a negative code if the module does not have a table of it now; @fn has
 * been told in any case.
 */
int schedprof_provide_file(struct schedprof_provider *provider, const char *path,
			   struct schedprof_error *error);

/**
 * schedprof_provide_process() - tables of all that a process has mapped as code, and of
 *	the vdso
 * @provider: the provider
 * @pid: the process, or a thread of it
 * @error: why not, or NULL
 *
 * What is mapped is opened by the mapping, so containers and deleted files are no
 * obstacle. A file of which there is no table is no failure; @fn is told. If the process
 * has mapped a file jit-PID.dump, in which it tells of code that it generates, there is a
 * table of that code, too, for this process alone; it is made anew with each call.
 *
 * Return: 0, or a negative code: SCHEDPROF_NOT_FOUND if there is no such process.
 */
int schedprof_provide_process(struct schedprof_provider *provider, int pid,
			      struct schedprof_error *error);

/**
 * schedprof_provide_all() - tables of all that runs
 * @provider: the provider
 * @error: why not, or NULL
 *
 * What most processes have mapped comes first, and files of root before others, until
 * the module's bound is reached.
 *
 * Return: 0, or a negative code.
 */
int schedprof_provide_all(struct schedprof_provider *provider,
			  struct schedprof_error *error);

/**
 * schedprof_provide_missing() - tables of files that the module has met without one
 * @provider: the provider
 * @error: why not, or NULL
 *
 * To be called now and then while a session records. What cannot be provided now is tried
 * again, after longer and longer pauses, up to ten minutes; @fn is told of it once. Of processes
 * in whose generated code the module met what it knows nothing of, the table is made anew.
 *
 * Return: 0, or a negative code.
 */
int schedprof_provide_missing(struct schedprof_provider *provider,
			      struct schedprof_error *error);

#ifdef __cplusplus
}
#endif

#endif
