// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbolize: names of user frames, by elfutils' libdwfl: symbol tables, debug
 * information in the file, and separate debug files by build id or link.
 *
 * What was found, and that nothing was found, is remembered. A symbolizer's mutex
 * protects all of it.
 */
#include <elfutils/libdwfl.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize.h"

#define DEBUG_PATH "/usr/lib/debug"

/* An offset of a file, and what is there. */
struct known_place {
	uint64_t offset;
	bool known;
	struct schedprof_place place;
};

/* A file that is open, under whatever names. */
struct known_file {
	dev_t device;
	ino_t inode;
	Dwfl *dwfl;
	Dwfl_Module *module;	/* NULL: this is no ELF file */
	Dwfl_Callbacks callbacks;
	char *debug_path;
	const char *build_id;	/* NULL: has none */
	void *places;		/* tree of struct known_place */
};

/* A path, and the file that is there. */
struct known_name {
	int pid;
	const char *path;
	struct known_file *file;	/* NULL: there is none */
};

struct schedprof_symbolizer {
	pthread_mutex_t mutex;	/* protects the rest */
	struct sp_arena arena;
	char *root;		/* NULL: not set */
	char *debug_path;
	void *names;		/* tree of struct known_name */
	void *files;		/* tree of struct known_file */
};

static int by_name(const void *a, const void *b)
{
	const struct known_name *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int by_inode(const void *a, const void *b)
{
	const struct known_file *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->inode < y->inode ? -1 : x->inode > y->inode;
}

static int by_offset(const void *a, const void *b)
{
	const struct known_place *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

SP_EXPORT struct schedprof_symbolizer *
schedprof_symbolizer_open(struct schedprof_error *error)
{
	struct schedprof_symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));

	if (!symbolizer) {
		sp_no_memory(error);
		return NULL;
	}
	symbolizer->debug_path = strdup(DEBUG_PATH);
	if (!symbolizer->debug_path || pthread_mutex_init(&symbolizer->mutex, NULL)) {
		free(symbolizer->debug_path);
		free(symbolizer);
		sp_no_memory(error);
		return NULL;
	}
	return symbolizer;
}

/* What the arena has is given back with it. */
static void keep(void *node)
{
	(void)node;
}

static void free_file(void *node)
{
	struct known_file *file = node;

	tdestroy(file->places, keep);
	if (file->dwfl)
		dwfl_end(file->dwfl);
	free(file->debug_path);
}

static void forget(struct schedprof_symbolizer *symbolizer)
{
	tdestroy(symbolizer->names, keep);
	tdestroy(symbolizer->files, free_file);
	symbolizer->names = NULL;
	symbolizer->files = NULL;
}

SP_EXPORT void schedprof_symbolizer_close(struct schedprof_symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	forget(symbolizer);
	sp_arena_free(&symbolizer->arena);
	pthread_mutex_destroy(&symbolizer->mutex);
	free(symbolizer->root);
	free(symbolizer->debug_path);
	free(symbolizer);
}

/* What was found so far was found elsewhere. Its strings stay, in the arena. */
static int change(struct schedprof_symbolizer *symbolizer, char **setting,
		  const char *value, struct schedprof_error *error)
{
	char *copy = strdup(value);

	if (!copy)
		return sp_no_memory(error);
	pthread_mutex_lock(&symbolizer->mutex);
	forget(symbolizer);
	free(*setting);
	*setting = copy;
	pthread_mutex_unlock(&symbolizer->mutex);
	return 0;
}

SP_EXPORT int schedprof_symbolizer_set_root(struct schedprof_symbolizer *symbolizer,
					    const char *root,
					    struct schedprof_error *error)
{
	return change(symbolizer, &symbolizer->root, root, error);
}

SP_EXPORT int
schedprof_symbolizer_set_debug_path(struct schedprof_symbolizer *symbolizer,
				    const char *path, struct schedprof_error *error)
{
	return change(symbolizer, &symbolizer->debug_path, path, error);
}

static const char *build_id_of(struct schedprof_symbolizer *symbolizer,
			       Dwfl_Module *module)
{
	const unsigned char *bits;
	GElf_Addr where;
	int i, length;
	char *text;

	length = dwfl_module_build_id(module, &bits, &where);
	if (length <= 0)
		return NULL;
	text = sp_arena_get(&symbolizer->arena, (size_t)length * 2 + 1);
	for (i = 0; text && i < length; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	return text;
}

/* Takes found over. A file that is no ELF file is no failure, but has no module. */
static void open_file(struct schedprof_symbolizer *symbolizer,
		      struct known_file *file, struct sp_found *found,
		      const char *path)
{
	GElf_Addr bias;

	file->debug_path = found->debug_path;
	file->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &file->debug_path,
	};
	file->dwfl = dwfl_begin(&file->callbacks);
	if (!file->dwfl) {
		close(found->fd);
		return;
	}
	dwfl_report_begin(file->dwfl);
	/* The name is also where it looks for debug files, below those directories. */
	file->module = dwfl_report_offline(file->dwfl, path, path, found->fd);
	if (!file->module)
		close(found->fd);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (!file->module)
		return;
	if (dwfl_module_getelf(file->module, &bias))
		file->build_id = build_id_of(symbolizer, file->module);
	else
		file->module = NULL;
}

static struct known_file *find_file(struct schedprof_symbolizer *symbolizer, int pid,
				    const char *path, struct schedprof_error *error)
{
	struct known_file *file, **old;
	struct sp_found found;

	if (error)
		error->code = SCHEDPROF_OK;
	if (sp_find_file(symbolizer->root, symbolizer->debug_path, pid, path, &found,
			 error) || found.fd < 0)
		return NULL;
	file = sp_arena_get(&symbolizer->arena, sizeof(*file));
	if (!file)
		goto err;
	file->device = found.device;
	file->inode = found.inode;
	old = tsearch(file, &symbolizer->files, by_inode);
	if (!old)
		goto err;
	if (*old != file) {
		close(found.fd);
		free(found.debug_path);
		return *old;
	}
	open_file(symbolizer, file, &found, path);
	return file;

err:
	close(found.fd);
	free(found.debug_path);
	sp_no_memory(error);
	return NULL;
}

/* Return: 0 and the name, or a negative code. */
static int find_name(struct schedprof_symbolizer *symbolizer, int pid,
		     const char *path, struct known_name **name,
		     struct schedprof_error *error)
{
	struct known_name key = { .pid = pid, .path = path }, **old;
	struct schedprof_error why;

	old = tfind(&key, &symbolizer->names, by_name);
	if (old) {
		*name = *old;
		return 0;
	}
	*name = sp_arena_get(&symbolizer->arena, sizeof(**name));
	if (*name) {
		(*name)->pid = pid;
		(*name)->path = sp_arena_text(&symbolizer->arena, path, strlen(path));
	}
	if (!*name || !(*name)->path)
		return sp_no_memory(error);
	(*name)->file = find_file(symbolizer, pid, path, &why);
	if ((!(*name)->file && why.code == SCHEDPROF_NO_MEMORY) ||
	    !tsearch(*name, &symbolizer->names, by_name))
		return sp_no_memory(error);
	return 0;
}

/* Where the file's offset is in memory, as libdwfl has laid it out. */
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

static const char *copy(struct schedprof_symbolizer *symbolizer, const char *text)
{
	return text ? sp_arena_text(&symbolizer->arena, text, strlen(text)) : NULL;
}

static void look_up(struct schedprof_symbolizer *symbolizer, Dwfl_Module *module,
		    struct known_place *known)
{
	struct schedprof_place *place = &known->place;
	const char *name, *source;
	GElf_Addr address;
	Dwfl_Line *line;
	char *demangled;
	GElf_Sym symbol;
	GElf_Off within;

	if (!address_of(module, known->offset, &address))
		return;
	name = dwfl_module_addrinfo(module, address, &within, &symbol, NULL, NULL, NULL);
	if (name) {
		demangled = schedprof_demangle(name);
		place->linkage_name = copy(symbolizer, name);
		place->function = demangled ? copy(symbolizer, demangled) :
					      place->linkage_name;
		place->offset = within;
		free(demangled);
	}
	line = dwfl_module_getsrc(module, address);
	source = line ? dwfl_lineinfo(line, NULL, (int *)&place->line, NULL, NULL,
				      NULL) : NULL;
	place->source = copy(symbolizer, source);
	if (!place->source)
		place->line = 0;
	known->known = place->function || place->source;
}

static struct known_place *find_place(struct schedprof_symbolizer *symbolizer,
				      struct known_file *file, uint64_t offset)
{
	struct known_place key = { .offset = offset }, **old, *place;

	old = tfind(&key, &file->places, by_offset);
	if (old)
		return *old;
	place = sp_arena_get(&symbolizer->arena, sizeof(*place));
	if (!place)
		return NULL;
	place->offset = offset;
	place->place.build_id = file->build_id;
	look_up(symbolizer, file->module, place);
	return tsearch(place, &file->places, by_offset) ? place : NULL;
}

static int symbolize_locked(struct schedprof_symbolizer *symbolizer, int pid,
			    const char *path, uint64_t offset,
			    struct schedprof_place *place,
			    struct schedprof_error *error)
{
	struct known_place *known;
	struct known_name *name;
	int result = find_name(symbolizer, pid, path, &name, error);

	if (result)
		return result;
	if (!name->file)
		return sp_fail(error, SCHEDPROF_NOT_FOUND,
			       "there is no file %s; name the directory that has the files of the machine that was recorded",
			       path);
	if (!name->file->module)
		return sp_fail(error, SCHEDPROF_NOT_FOUND, "%s is no ELF file", path);
	known = find_place(symbolizer, name->file, offset);
	if (!known)
		return sp_no_memory(error);
	*place = known->place;
	if (!known->known)
		return sp_fail(error, SCHEDPROF_NOT_FOUND,
			       "nothing is known of offset 0x%llx of %s; install its debug symbols",
			       (unsigned long long)offset, path);
	return 0;
}

SP_EXPORT int schedprof_symbolize(struct schedprof_symbolizer *symbolizer, int pid,
				  const char *path, uint64_t offset,
				  struct schedprof_place *place,
				  struct schedprof_error *error)
{
	int result;

	memset(place, 0, sizeof(*place));
	pthread_mutex_lock(&symbolizer->mutex);
	result = symbolize_locked(symbolizer, pid, path, offset, place, error);
	pthread_mutex_unlock(&symbolizer->mutex);
	return result;
}
