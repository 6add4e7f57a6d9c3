// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * symbolize: names of user frames, by libdwfl of elfutils: symbol tables, debug
 * information in the file, and separate debug files by build-id or link.
 *
 * A frame of a recording is named by the very file that ran, or not at all. What was
 * found, and that nothing was found, is remembered, protected by the mutex of the
 * symbolizer.
 *
 * libdwfl opens no file itself, because whoever runs programs chooses the paths, and maps
 * none that others may cut.
 */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "abi.h"
#include "arena.h"
#include "buffer.h"
#include "debug_path.h"
#include "elf_image.h"
#include "error.h"
#include "find_debug.h"
#include "find_file.h"
#include "generated.h"
#include "hex.h"
#include "keys.h"
#include "open_file.h"
#include "schedprof.h"
#include "symbolize.h"

#define DEBUG_PATH "/usr/lib/debug"
/* Of files that others may change, together; a browser with its debug information has it. */
#define MAX_COPIED ((uint64_t)1 << 30)
/* Read for checksums of debug files without a build-id, together: some seconds. */
#define MAX_CHECKED ((uint64_t)4 << 30)
/* Names and paths of sources, together, and one of them. */
#define MAX_TEXTS ((uint64_t)1 << 28)
#define MAX_TEXT 65536
/* Symbols of files that others may change, each time that one is looked at: some minutes. */
#define MAX_SYMBOLS ((uint64_t)8 << 30)

/* An offset of a file, and what is known of it. */
struct known_place {
	uint64_t offset;
	bool known;
	bool no_room;		/* something would be known */
	struct schedprof_place place;
};

/* A file that is open, under whatever names. */
struct known_file {
	struct stat status;
	struct schedprof_symbolizer *symbolizer;
	const char *path;	/* the one by which the file was found first */
	const char *root;	/* below which its debug files are, too; "": here */
	bool here;		/* debug files of this machine count as well */
	bool no_alternate;	/* the debug file needs another one, which is not there */
	bool too_large;		/* to be copied, so that there is no module */
	bool no_debug_room;	/* for the debug file that there may be */
	bool copied;		/* it, or its debug file: others may have made it */
	Dwfl *dwfl;
	Dwfl_Module *module;	/* NULL: the file is no ELF file */
	Dwfl_Callbacks callbacks;
	const char *build_id;	/* NULL: the file has none */
	void *places;		/* tree of struct known_place */
};

/* A path, which file it was, and the file that was found. */
struct known_name {
	int pid;
	const char *path;
	const char *identity;		/* "": whatever is there */
	struct known_file *file;	/* NULL: there is none */
	enum schedprof_missing missing;
	const char *build_id;		/* that is wanted; NULL: not known */
};

struct schedprof_symbolizer {
	pthread_mutex_t mutex;	/* protects the rest */
	struct libsp_arena arena;
	char *root;		/* "": not set */
	char *debug_path;
	bool servers;		/* may be asked for debug files */
	uint64_t room;		/* for copies of files */
	uint64_t check_room;	/* for reading debug files */
	uint64_t text_room;	/* for texts */
	uint64_t symbol_room;	/* for looking at symbols of files that were copied */
	void *texts;		/* tree of char *: each is kept once */
	void *names;		/* tree of struct known_name */
	void *files;		/* tree of struct known_file */
	struct libsp_rows missing;	/* struct known_name *: whose file is not there */
	void *missing_paths;	/* tree of these */
	bool full;		/* for want of room some code has no names */
	struct libsp_generated generated;
};

/*
 * libdwfl looks for debug files itself in this directory, which is not there and cannot be
 * made. It asks a server only if there is no such file; another error ends its search.
 */
static const char nowhere[] = "/proc/nowhere";

static int by_known_name(const void *a, const void *b)
{
	const struct known_name *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return strcmp(x->path, y->path) ?: strcmp(x->identity, y->identity);
}

/* Another process may have mapped another file there, but people want one note. */
static int by_missing_path(const void *a, const void *b)
{
	const struct known_name *x = a, *y = b;

	return strcmp(x->path, y->path) ?: (int)x->missing - (int)y->missing;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_inode(const void *a, const void *b)
{
	const struct stat *x = &((const struct known_file *)a)->status;
	const struct stat *y = &((const struct known_file *)b)->status;

	return compare_numbers(x->st_dev, y->st_dev) ?:
	       compare_numbers(x->st_ino, y->st_ino) ?:
	       compare_numbers((uint64_t)x->st_mtim.tv_sec,
			       (uint64_t)y->st_mtim.tv_sec) ?:
	       compare_numbers((uint64_t)x->st_mtim.tv_nsec,
			       (uint64_t)y->st_mtim.tv_nsec);
}

static int by_offset(const void *a, const void *b)
{
	const struct known_place *x = a, *y = b;

	return compare_numbers(x->offset, y->offset);
}

LIBSP_EXPORT struct schedprof_symbolizer *
schedprof_symbolizer_open(struct schedprof_error *error)
{
	struct schedprof_symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));

	if (!symbolizer) {
		libsp_no_memory(error);
		return NULL;
	}
	elf_version(EV_CURRENT);
	symbolizer->missing.size = sizeof(struct known_name *);
	symbolizer->room = MAX_COPIED;
	symbolizer->check_room = MAX_CHECKED;
	symbolizer->text_room = MAX_TEXTS;
	symbolizer->symbol_room = MAX_SYMBOLS;
	symbolizer->generated.arena = &symbolizer->arena;
	symbolizer->generated.room = LIBSP_MAX_GENERATED;
	symbolizer->root = strdup("");
	symbolizer->debug_path = strdup(DEBUG_PATH);
	if (!symbolizer->root || !symbolizer->debug_path ||
	    pthread_mutex_init(&symbolizer->mutex, NULL)) {
		free(symbolizer->root);
		free(symbolizer->debug_path);
		free(symbolizer);
		libsp_no_memory(error);
		return NULL;
	}
	return symbolizer;
}

static void free_file(void *node)
{
	struct known_file *file = node;

	tdestroy(file->places, libsp_arena_keep);
	if (file->dwfl)
		dwfl_end(file->dwfl);
}

static void forget_names(struct schedprof_symbolizer *symbolizer)
{
	tdestroy(symbolizer->names, libsp_arena_keep);
	tdestroy(symbolizer->missing_paths, libsp_arena_keep);
	tdestroy(symbolizer->files, free_file);
	libsp_generated_forget(&symbolizer->generated);
	symbolizer->names = NULL;
	symbolizer->missing_paths = NULL;
	symbolizer->files = NULL;
	symbolizer->missing.buffer.size = 0;
	symbolizer->full = false;
	symbolizer->room = MAX_COPIED;
	symbolizer->check_room = MAX_CHECKED;
	symbolizer->symbol_room = MAX_SYMBOLS;
}

LIBSP_EXPORT void schedprof_symbolizer_close(struct schedprof_symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	forget_names(symbolizer);
	tdestroy(symbolizer->texts, libsp_arena_keep);
	libsp_buffer_free(&symbolizer->missing.buffer);
	libsp_arena_free(&symbolizer->arena);
	pthread_mutex_destroy(&symbolizer->mutex);
	free(symbolizer->root);
	free(symbolizer->debug_path);
	free(symbolizer);
}

/* What was found before the change is forgotten. The strings stay, in the arena. */
static int change_setting(struct schedprof_symbolizer *symbolizer, char **setting,
			  const char *value, struct schedprof_error *error)
{
	char *copy = strdup(value);

	if (!copy)
		return libsp_no_memory(error);
	pthread_mutex_lock(&symbolizer->mutex);
	forget_names(symbolizer);
	free(*setting);
	*setting = copy;
	pthread_mutex_unlock(&symbolizer->mutex);
	return 0;
}

LIBSP_EXPORT int schedprof_symbolizer_set_root(struct schedprof_symbolizer *symbolizer,
					       const char *root,
					       struct schedprof_error *error)
{
	return change_setting(symbolizer, &symbolizer->root, root, error);
}

LIBSP_EXPORT int
schedprof_symbolizer_set_debug_path(struct schedprof_symbolizer *symbolizer,
				    const char *path, struct schedprof_error *error)
{
	return change_setting(symbolizer, &symbolizer->debug_path, path, error);
}

LIBSP_EXPORT int
schedprof_symbolizer_set_servers(struct schedprof_symbolizer *symbolizer, bool asked,
				 struct schedprof_error *error)
{
	(void)error;
	pthread_mutex_lock(&symbolizer->mutex);
	forget_names(symbolizer);
	symbolizer->servers = asked;
	pthread_mutex_unlock(&symbolizer->mutex);
	return 0;
}

static const char *build_id_of(struct schedprof_symbolizer *symbolizer,
			       Dwfl_Module *module)
{
	const unsigned char *bits;
	GElf_Addr where;
	char *text;
	int length;

	length = dwfl_module_build_id(module, &bits, &where);
	if (length <= 0)
		return NULL;
	text = libsp_arena_get(&symbolizer->arena, (size_t)length * 2 + 1);
	if (text)
		libsp_hex(text, bits, (size_t)length);
	return text;
}

/* As libsp_open_to_map(), for libelf. */
static int open_to_map(struct known_file *file, int fd)
{
	uint64_t *room = &file->symbolizer->room, before = *room;

	fd = libsp_open_to_map(fd, room);
	file->copied |= *room != before;
	if (fd < 0 || libsp_elf_is_bounded(fd, *room != before))
		return fd;
	close(fd);
	errno = ENOEXEC;
	return -1;
}

/* The file is open already, and no other one is opened by its name. */
static int find_no_elf(Dwfl_Module *module, void **data, const char *name,
		       Dwarf_Addr base, char **path, Elf **elf)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)elf;
	return -1;
}

/*
 * As open_to_map(), of a debug file, which libdwfl keeps open: a sixteenth of what a process may
 * open is for all else.
 */
static int keep_open(struct known_file *file, int fd)
{
	struct rlimit limit;

	if (fd < 0)
		return -1;
	/* Another one, of that name, may have been refused before. */
	file->no_debug_room = false;
	if (getrlimit(RLIMIT_NOFILE, &limit) ||
	    (rlim_t)fd < limit.rlim_cur - limit.rlim_cur / 16) {
		fd = open_to_map(file, fd);
		file->no_debug_room = fd < 0 && errno == EFBIG;
		return fd;
	}
	close(fd);
	file->no_debug_room = true;
	return -1;
}

/*
 * The alternate debug file, which several debug files name, has what they have in
 * common. It is opened only in a directory of debug files.
 */
static int find_alternate(struct known_file *file, const char *path)
{
	const char *list = file->symbolizer->debug_path, *directory;
	struct stat status;
	size_t length;
	int fd = -1;

	while ((directory = libsp_next_directory(&list, &length)))
		if (!strncmp(path, directory, length) && path[length] == '/')
			break;
	/* Nor does it lead out of there. */
	if (strstr(path, "/../"))
		directory = NULL;
	if (directory)
		fd = libsp_open_regular(file->root, path, &status);
	if (directory && fd < 0 && file->here)
		fd = libsp_open_regular("", path, &status);
	fd = keep_open(file, fd);
	file->no_alternate = fd < 0;
	return fd;
}

/* Asks the servers of DEBUGINFOD_URLS, as libdwfl does. What they give is not believed. */
static int ask_servers(struct known_file *file, Dwfl_Module *module, void **data,
		       const char *name, Dwarf_Addr base, char **found)
{
	int fd = dwfl_standard_find_debuginfo(module, data, name, base, NULL, NULL, 0, found);

	if (fd < 0 || libsp_has_build_id(fd, file->build_id))
		return fd;
	close(fd);
	free(*found);
	*found = NULL;
	return -1;
}

/* Called by libdwfl. @link and @crc: as the program says; an alternate has no crc. */
static int find_debug_info(Dwfl_Module *module, void **data, const char *name,
			   Dwarf_Addr base, const char *path, const char *link,
			   GElf_Word crc, char **found)
{
	struct known_file *file = *data;
	const char *debug_path = file->symbolizer->debug_path;
	uint64_t *room = &file->symbolizer->check_room;
	int fd;

	(void)path;
	if (link && !crc)
		return find_alternate(file, link);
	fd = libsp_find_debug(file->root, debug_path, file->path, file->build_id, link,
			      crc, room, &file->no_debug_room);
	if (fd < 0 && *file->root && file->here)
		fd = libsp_find_debug("", debug_path, file->path, file->build_id, NULL,
				      0, room, &file->no_debug_room);
	/* The user may have named servers for other programs: that alone is no wish. */
	if (fd < 0 && file->build_id && file->symbolizer->servers)
		fd = ask_servers(file, module, data, name, base, found);
	return keep_open(file, fd);
}

/* Takes @fd over. A file that is no ELF file is no failure, but has no module. */
static void open_known_file(struct schedprof_symbolizer *symbolizer,
			    struct known_file *file, int fd)
{
	static char *path = (char *)nowhere;
	GElf_Addr bias;
	void **data;

	file->callbacks = (Dwfl_Callbacks){
		.find_elf = find_no_elf,
		.find_debuginfo = find_debug_info,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &path,
	};
	fd = open_to_map(file, fd);
	if (fd < 0) {
		file->too_large = errno == EFBIG;
		return;
	}
	file->dwfl = dwfl_begin(&file->callbacks);
	if (!file->dwfl) {
		close(fd);
		return;
	}
	dwfl_report_begin(file->dwfl);
	file->module = dwfl_report_offline(file->dwfl, file->path, file->path, fd);
	if (!file->module)
		close(fd);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (!file->module)
		return;
	dwfl_module_info(file->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = file;
	if (dwfl_module_getelf(file->module, &bias))
		file->build_id = build_id_of(symbolizer, file->module);
	else
		file->module = NULL;
}

/* Takes found->fd over. Return: NULL if there is no memory. */
static struct known_file *know_file(struct schedprof_symbolizer *symbolizer,
				    const char *path, struct libsp_found *found)
{
	struct known_file *file, **old;

	file = libsp_arena_get(&symbolizer->arena, sizeof(*file));
	if (!file)
		goto err;
	file->status = found->status;
	file->symbolizer = symbolizer;
	file->here = !*symbolizer->root;
	file->root = libsp_arena_text(&symbolizer->arena, found->root,
				      strlen(found->root));
	file->path = libsp_arena_text(&symbolizer->arena, path, strlen(path));
	if (!file->root || !file->path)
		goto err;
	old = tsearch(file, &symbolizer->files, by_inode);
	if (!old)
		goto err;
	if (*old == file)
		open_known_file(symbolizer, file, found->fd);
	else
		close(found->fd);
	return *old;

err:
	close(found->fd);
	return NULL;
}

/* The very file that ran: by its build-id, or the inode where that is not known. */
static bool is_wanted(const struct libsp_found *found,
		      const struct schedprof_mapping *mapping)
{
	if (!mapping)
		return true;
	if (mapping->file->build_id)
		return libsp_has_build_id(found->fd, mapping->file->build_id);
	return libsp_is_inode(found->fd, &found->status, mapping->file);
}

/* Takes found->fd over. Return: 0 or a negative code. */
static int take_file(struct schedprof_symbolizer *symbolizer,
		     const struct libsp_wanted *wanted, struct libsp_found *found,
		     struct known_name *name, struct schedprof_error *error)
{
	struct known_file *file = know_file(symbolizer, wanted->path, found);

	if (!file)
		return libsp_no_memory(error);
	name->missing = file->too_large ? SCHEDPROF_MISSING_TOO_LARGE :
					  SCHEDPROF_MISSING_NOTHING;
	name->file = file->too_large ? NULL : file;
	return 0;
}

/* Return: 0 or a negative code; no file is no failure. */
static int find_known_file(struct schedprof_symbolizer *symbolizer,
			   const struct libsp_wanted *wanted, struct known_name *name,
			   struct schedprof_error *error)
{
	struct libsp_search search;
	struct libsp_found found;

	name->missing = SCHEDPROF_MISSING_FILE;
	libsp_search_begin(&search, wanted);
	while (libsp_search_next(&search, &found)) {
		if (is_wanted(&found, wanted->mapping))
			return take_file(symbolizer, wanted, &found, name, error);
		close(found.fd);
		name->missing = SCHEDPROF_MISSING_OTHER_FILE;
	}
	return 0;
}

/* Remembers a file that is not there, for schedprof_symbolizer_missing_at(). */
static bool note_missing(struct schedprof_symbolizer *symbolizer,
			 struct known_name *name)
{
	struct known_name **row, **noted;

	noted = tsearch(name, &symbolizer->missing_paths, by_missing_path);
	if (!noted || *noted != name)
		return noted;
	row = libsp_row_add(&symbolizer->missing);
	if (row)
		*row = name;
	return row;
}

/* Writes which file was mapped, as a text to compare. Return: false if no memory. */
static bool write_identity(const struct schedprof_mapping *mapping,
			   struct libsp_buffer *text)
{
	const struct schedprof_file *file = mapping ? mapping->file : NULL;

	if (file && file->build_id)
		libsp_buffer_text(text, file->build_id);
	else if (file)
		libsp_buffer_print(text, "%u:%u %" PRIu64 " %u %" PRId64,
				   file->device_major, file->device_minor, file->inode,
				   file->generation, file->mtime_ns);
	libsp_buffer_add(text, "", 1);
	return !text->failed;
}

static struct known_name *make_name(struct schedprof_symbolizer *symbolizer,
				    const struct known_name *key)
{
	struct libsp_arena *arena = &symbolizer->arena;
	struct known_name *name = libsp_arena_get(arena, sizeof(*name));

	if (!name)
		return NULL;
	name->pid = key->pid;
	name->path = libsp_arena_text(arena, key->path, strlen(key->path));
	name->identity = libsp_arena_text(arena, key->identity, strlen(key->identity));
	if (key->build_id)
		name->build_id = libsp_arena_text(arena, key->build_id,
						  strlen(key->build_id));
	return name->path && name->identity && !key->build_id == !name->build_id ?
	       name : NULL;
}

/* Return: 0 and the name, or a negative code. */
static int find_name(struct schedprof_symbolizer *symbolizer,
		     const struct libsp_wanted *wanted, const char *identity,
		     struct known_name **name, struct schedprof_error *error)
{
	const struct schedprof_mapping *mapping = wanted->mapping;
	struct known_name key = {
		.pid = wanted->pid,
		.path = wanted->path,
		.identity = identity,
		.build_id = mapping ? mapping->file->build_id : NULL,
	}, **old;
	int result;

	old = tfind(&key, &symbolizer->names, by_known_name);
	if (old) {
		*name = *old;
		return 0;
	}
	*name = make_name(symbolizer, &key);
	if (!*name)
		return libsp_no_memory(error);
	result = find_known_file(symbolizer, wanted, *name, error);
	if (result)
		return result;
	if (mapping && !(*name)->file && !note_missing(symbolizer, *name))
		return libsp_no_memory(error);
	if (!tsearch(*name, &symbolizer->names, by_known_name))
		return libsp_no_memory(error);
	return 0;
}

/* The address of an offset of a file, in the layout of libdwfl. */
static bool address_of(Dwfl_Module *module, uint64_t offset, GElf_Addr *address)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	size_t i, count;
	GElf_Phdr header;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X) || offset < header.p_offset ||
		    offset - header.p_offset >= header.p_filesz)
			continue;
		*address = offset - header.p_offset + header.p_vaddr + bias;
		return true;
	}
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Return: a text of a file, kept once; NULL: there is none, or, as @place tells, no room. */
static const char *keep_text(struct schedprof_symbolizer *symbolizer,
			     struct known_place *place, const char *text)
{
	char **known, *copy = NULL;
	size_t length;

	if (!text)
		return NULL;
	length = strnlen(text, MAX_TEXT);
	if (length < MAX_TEXT) {
		known = tfind(text, &symbolizer->texts, by_text);
		if (known)
			return *known;
	}
	if (length < MAX_TEXT && length < symbolizer->text_room)
		copy = libsp_arena_text(&symbolizer->arena, text, length);
	if (copy && tsearch(copy, &symbolizer->texts, by_text))
		symbolizer->text_room -= length + 1;
	else
		place->no_room = true;
	return copy;
}

/*
 * The line of a source file. libdw itself would open whatever is named as the alternate
 * debug file, so there are no lines of a file that needs an alternate and has none.
 */
static Dwfl_Line *line_of(struct known_file *file, GElf_Addr address)
{
	const void *build_id;
	const char *alternate;
	GElf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(file->module, &bias);

	if (!dwarf || (dwelf_dwarf_gnu_debugaltlink(dwarf, &alternate, &build_id) > 0 &&
		       file->no_alternate))
		return NULL;
	return dwfl_module_getsrc(file->module, address);
}

/* libdwfl goes over all symbols for each address: of files of others, not without end. */
static bool may_look_for(struct known_file *file)
{
	uint64_t *room = &file->symbolizer->symbol_room;
	int count = file->copied ? dwfl_module_getsymtab(file->module) : 0;

	if (count <= 0)
		return true;
	if ((uint64_t)count > *room)
		return false;
	*room -= (uint64_t)count;
	return true;
}

static void look_up_place(struct schedprof_symbolizer *symbolizer,
			  struct known_file *file, struct known_place *known)
{
	struct schedprof_place *place = &known->place;
	Dwfl_Module *module = file->module;
	const char *name, *source;
	GElf_Addr address;
	Dwfl_Line *line;
	char *demangled;
	GElf_Sym symbol;
	GElf_Off within;

	if (!address_of(module, known->offset, &address))
		return;
	known->no_room = !may_look_for(file);
	name = known->no_room ? NULL :
	       dwfl_module_addrinfo(module, address, &within, &symbol, NULL, NULL, NULL);
	if (name) {
		demangled = schedprof_demangle(name);
		place->linkage_name = keep_text(symbolizer, known, name);
		place->function = keep_text(symbolizer, known, demangled) ?:
				  place->linkage_name;
		place->offset = within;
		free(demangled);
	}
	line = line_of(file, address);
	source = line ? dwfl_lineinfo(line, NULL, (int *)&place->line, NULL, NULL,
				      NULL) : NULL;
	place->source = keep_text(symbolizer, known, source);
	if (!place->source)
		place->line = 0;
	known->known = place->function || place->source;
	known->no_room |= !known->known && file->no_debug_room;
	symbolizer->full |= known->no_room;
}

static struct known_place *find_place(struct schedprof_symbolizer *symbolizer,
				      struct known_file *file, uint64_t offset)
{
	struct known_place key = { .offset = offset }, **old, *place;

	old = tfind(&key, &file->places, by_offset);
	if (old)
		return *old;
	place = libsp_arena_get(&symbolizer->arena, sizeof(*place));
	if (!place)
		return NULL;
	place->offset = offset;
	place->place.build_id = file->build_id;
	look_up_place(symbolizer, file, place);
	return tsearch(place, &file->places, by_offset) ? place : NULL;
}

static int no_known_file(const struct known_name *name, struct schedprof_error *error)
{
	if (name->missing == SCHEDPROF_MISSING_OTHER_FILE)
		return libsp_fail(error, SCHEDPROF_OTHER_FILE,
				  "%.700s is another file now than the one that ran; name the directory that has the files as they were",
				  name->path);
	if (name->missing == SCHEDPROF_MISSING_TOO_LARGE)
		return libsp_fail(error, SCHEDPROF_TOO_LARGE,
				  "%.700s may be changed by others, or by root of a container, and is too large to be copied; name a directory that has a copy of it",
				  name->path);
	return libsp_fail(error, SCHEDPROF_NOT_FOUND,
			  "there is no file %.700s; name the directory that has the files of the machine that was recorded",
			  name->path);
}

static int symbolize_locked(struct schedprof_symbolizer *symbolizer,
			    const struct libsp_wanted *wanted, const char *identity,
			    uint64_t offset, struct schedprof_place *place,
			    int *missing, struct schedprof_error *error)
{
	struct known_place *known;
	struct known_name *name;
	int result = find_name(symbolizer, wanted, identity, &name, error);

	*missing = SCHEDPROF_MISSING_FILE;
	if (result)
		return result;
	*missing = name->missing;
	if (!name->file)
		return no_known_file(name, error);
	*missing = SCHEDPROF_MISSING_SYMBOLS;
	if (!name->file->module)
		return libsp_fail(error, SCHEDPROF_NOT_FOUND, "%s is no ELF file",
				  wanted->path);
	known = find_place(symbolizer, name->file, offset);
	if (!known)
		return libsp_no_memory(error);
	*place = known->place;
	if (!known->known && known->no_room) {
		*missing = SCHEDPROF_MISSING_TOO_LARGE;
		return libsp_fail(error, SCHEDPROF_TOO_LARGE,
				  "there is no room for what is known of offset 0x%llx of %.600s, or for its debug file; see schedprof_symbolizer_is_full()",
				  (unsigned long long)offset, wanted->path);
	}
	if (!known->known)
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "nothing is known of offset 0x%llx of %s; install its debug symbols",
				  (unsigned long long)offset, wanted->path);
	*missing = SCHEDPROF_MISSING_NOTHING;
	return 0;
}

/* @missing: filled in with an enum schedprof_missing */
static int symbolize_offset(struct schedprof_symbolizer *symbolizer,
			    struct libsp_wanted *wanted,
			    uint64_t offset, struct schedprof_place *place, int *missing,
			    struct schedprof_error *error)
{
	struct libsp_buffer identity = { };
	int result;

	*missing = SCHEDPROF_MISSING_FILE;
	memset(place, 0, sizeof(*place));
	if (!write_identity(wanted->mapping, &identity)) {
		libsp_buffer_free(&identity);
		return libsp_no_memory(error);
	}
	pthread_mutex_lock(&symbolizer->mutex);
	wanted->root = symbolizer->root;
	wanted->debug_path = symbolizer->debug_path;
	result = symbolize_locked(symbolizer, wanted, (const char *)identity.at, offset,
				  place, missing, error);
	pthread_mutex_unlock(&symbolizer->mutex);
	libsp_buffer_free(&identity);
	return result;
}

LIBSP_EXPORT int schedprof_symbolize(struct schedprof_symbolizer *symbolizer, int pid,
				     const char *path, uint64_t offset,
				     struct schedprof_place *place, size_t size,
				     struct schedprof_error *error)
{
	struct libsp_wanted wanted = { .pid = pid, .path = path };
	struct schedprof_place found;
	int missing, result;

	result = symbolize_offset(symbolizer, &wanted, offset, &found, &missing, error);

	libsp_copy_struct(place, size, &found, sizeof(found));
	return result;
}

/*
 * Names an offset by the very file that was mapped, which the mapping tells. Return:
 * what is missing, an enum schedprof_missing.
 */
int libsp_symbolize_mapping(struct schedprof_symbolizer *symbolizer, int pid,
			    const struct schedprof_mapping *mapping, uint64_t offset,
			    struct schedprof_place *place)
{
	struct libsp_wanted wanted = {
		.pid = pid, .path = mapping->path, .mapping = mapping,
	};
	int missing;

	symbolize_offset(symbolizer, &wanted, offset, place, &missing, NULL);
	return missing;
}

/*
 * Names an address of code that a process generated; as the process tells it. Return: what
 * is missing, an enum schedprof_missing.
 */
int libsp_symbolize_generated(struct schedprof_symbolizer *symbolizer,
			      struct libsp_generator *generator, uint64_t address,
			      uint64_t time, struct libsp_generated_place *place)
{
	int missing;

	pthread_mutex_lock(&symbolizer->mutex);
	generator->root = symbolizer->root;
	missing = libsp_generated_find(&symbolizer->generated, generator, address, time,
				       place);
	symbolizer->full |= missing == SCHEDPROF_MISSING_TOO_LARGE;
	pthread_mutex_unlock(&symbolizer->mutex);
	return missing;
}

LIBSP_EXPORT const char *
schedprof_symbolizer_missing_at(struct schedprof_symbolizer *symbolizer, size_t index,
				int *why, const char **build_id)
{
	const struct known_name *name = NULL;

	pthread_mutex_lock(&symbolizer->mutex);
	if (index < libsp_row_count(&symbolizer->missing))
		name = *(struct known_name **)libsp_row(&symbolizer->missing,
							(uint32_t)index + 1);
	pthread_mutex_unlock(&symbolizer->mutex);
	if (!name)
		return NULL;
	*why = name->missing;
	if (build_id)
		*build_id = name->build_id;
	return name->path;
}

LIBSP_EXPORT bool schedprof_symbolizer_is_full(struct schedprof_symbolizer *symbolizer)
{
	bool full;

	pthread_mutex_lock(&symbolizer->mutex);
	full = symbolizer->full;
	pthread_mutex_unlock(&symbolizer->mutex);
	return full;
}
