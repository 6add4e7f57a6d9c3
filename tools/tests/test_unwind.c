// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_unwind: tables of the programs that this machine has, each row beside what libdw makes
 * of the same call frame information; files that are damaged or of another kind; the cache;
 * and the provider, with files that stand in for the module's. One thread.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <gelf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <table_format.h>
#include <unistd.h>

#include "check.h"
#include "fake_module.h"
#include "schedprof.h"
#include "unwind_cache.h"

#define PLACES	2000	/* at random, in each file */

static char directory[32] = "/tmp/schedprof-test-XXXXXX";
static char configfs[64], debugfs[64], cache[64];
static struct schedprof *handle;

static uint64_t dice = 1;

static uint64_t roll(uint64_t below)
{
	dice = dice * 6364136223846793005 + 1442695040888963407;
	return (dice >> 33) % below;
}

/* ---- What libdw says ---- */

/* As the table has it, of the operations that libdw makes of a frame. */
static struct schedprof_unwind_row none(void)
{
	return (struct schedprof_unwind_row){ .kind = SCHEDPROF_UNWIND_NONE };
}

static bool at_cfa(Dwarf_Op *ops, size_t count, int64_t *offset)
{
	if (!count || ops[0].atom != DW_OP_call_frame_cfa || count > 2 ||
	    (count == 2 && ops[1].atom != DW_OP_plus_uconst))
		return false;
	*offset = count == 2 ? (int64_t)ops[1].number : 0;
	return true;
}

/* The expression of a register begins with the CFA, that of the CFA does not. */
static bool above_sp(Dwarf_Op *ops, size_t count, int64_t offset, bool deref)
{
	if (count && ops[0].atom == DW_OP_call_frame_cfa) {
		ops++;
		count--;
	}
	return count == (deref ? 2 : 1) && ops[0].atom == DW_OP_breg7 &&
	       (int64_t)ops[0].number == offset && (!deref || ops[1].atom == DW_OP_deref);
}

static struct schedprof_unwind_row linkage(Dwarf_Op *ops, size_t count)
{
	static const uint8_t atoms[] = {
		DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus,
	};
	struct schedprof_unwind_row row = { .kind = SCHEDPROF_UNWIND_PLT };
	size_t i;

	if (count != sizeof(atoms) || ops[4].atom < DW_OP_lit0 || ops[4].atom > DW_OP_lit15)
		return none();
	for (i = 0; i < count; i++)
		if (i != 4 && ops[i].atom != atoms[i])
			return none();
	if (ops[1].number || ops[0].number % 8 || (int64_t)ops[0].number <= 0)
		return none();
	row.cfa = (unsigned int)(ops[0].number / 8);
	row.saved = ops[4].atom - DW_OP_lit0;
	return row;
}

static struct schedprof_unwind_row by_libdw(Dwarf_Frame *frame)
{
	Dwarf_Op *cfa, *rip, *rbp, rip_room[3], rbp_room[3];
	struct schedprof_unwind_row row = none();
	size_t cfa_count, rip_count, rbp_count;
	int64_t offset;
	bool signal;

	dwarf_frame_info(frame, NULL, NULL, &signal);
	if (dwarf_frame_register(frame, 16, rip_room, &rip, &rip_count) ||
	    dwarf_frame_register(frame, 6, rbp_room, &rbp, &rbp_count))
		return row;
	if (!rip_count && rip == rip_room) {
		row.kind = SCHEDPROF_UNWIND_OUTERMOST;
		return row;
	}
	if (dwarf_frame_cfa(frame, &cfa, &cfa_count))
		return row;
	if (signal) {
		if (above_sp(cfa, cfa_count, 160, true) && above_sp(rip, rip_count, 168, false) &&
		    above_sp(rbp, rbp_count, 120, false))
			row.kind = SCHEDPROF_UNWIND_SIGNAL;
		return row;
	}
	if (!at_cfa(rip, rip_count, &offset) || offset != -8)
		return row;
	if (rbp_count) {
		if (!at_cfa(rbp, rbp_count, &offset) || offset >= -8 || offset % 8)
			return row;
		row.saved = (unsigned int)(-offset / 8);
	} else if (rbp == rbp_room) {
		return row;
	}
	if (cfa_count != 1)
		return row.saved ? none() : linkage(cfa, cfa_count);
	offset = (int64_t)cfa[0].number2;
	if (cfa[0].atom != DW_OP_bregx || (cfa[0].number != 6 && cfa[0].number != 7) ||
	    offset <= 0 || offset % 8)
		return none();
	row.kind = cfa[0].number == 7 ? SCHEDPROF_UNWIND_SP : SCHEDPROF_UNWIND_FP;
	row.cfa = (unsigned int)(offset / 8);
	return row;
}

/* ---- Each row beside it ---- */

struct beside {
	Elf *elf;
	Dwarf_CFI *frames;
	const struct schedprof_unwind *table;
	size_t same, rules;
};

/* Compares at an offset of the file, if there is code. */
static void compare_at(struct beside *beside, uint64_t offset)
{
	struct schedprof_unwind_row wanted = none(), is;
	Dwarf_Frame *frame = NULL;
	bool code = false;
	GElf_Phdr header;
	size_t i, count;

	elf_getphdrnum(beside->elf, &count);
	for (i = 0; i < count && !code; i++)
		code = gelf_getphdr(beside->elf, (int)i, &header) &&
		       header.p_type == PT_LOAD && header.p_flags & PF_X &&
		       offset >= header.p_offset && offset - header.p_offset < header.p_filesz;
	if (!code)
		return;
	if (!dwarf_cfi_addrframe(beside->frames, offset - header.p_offset + header.p_vaddr,
				 &frame))
		wanted = by_libdw(frame);
	free(frame);
	if (!schedprof_unwind_find(beside->table, offset, &is, sizeof(is)))
		is = none();
	if (is.kind != wanted.kind || is.cfa != wanted.cfa || is.saved != wanted.saved)
		check_failed(__FILE__, __LINE__,
			     "at %#" PRIx64 " it is %d %u %u, and libdw says %d %u %u", offset,
			     is.kind, is.cfa, is.saved, wanted.kind, wanted.cfa, wanted.saved);
	beside->same++;
	beside->rules += wanted.kind != SCHEDPROF_UNWIND_NONE;
}

static void compare_rows(struct beside *beside)
{
	struct schedprof_unwind_row first, row;
	uint64_t last = 0;
	size_t i, count = schedprof_unwind_row_count(beside->table), step;

	if (!CHECK(beside->frames) ||
	    !CHECK(schedprof_unwind_row_at(beside->table, 0, &first, sizeof(first))))
		return;
	/* Some rows of large files, and all of small ones. */
	step = count / 20000 + 1;
	for (i = 0; i < count; i += step) {
		schedprof_unwind_row_at(beside->table, i, &row, sizeof(row));
		compare_at(beside, row.offset);
		if (row.offset)
			compare_at(beside, row.offset - 1);
		last = row.offset;
	}
	for (i = 0; i < PLACES; i++)
		compare_at(beside, first.offset + roll(last - first.offset + 64));
	CHECK(beside->same > count / step / 2);
	CHECK(beside->rules > beside->same / 2);
}

/* Return: is there such a file? */
static bool compare_file(const char *path)
{
	struct schedprof_error error = { };
	struct schedprof_unwind *table;
	struct beside beside = { };
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return false;
	table = schedprof_unwind_make(fd, path, &error);
	CHECK_TEXT(error.message, "");
	if (CHECK(table)) {
		beside.table = table;
		beside.elf = elf_begin(fd, ELF_C_READ, NULL);
		beside.frames = dwarf_getcfi_elf(beside.elf);
		compare_rows(&beside);
		dwarf_cfi_end(beside.frames);
		elf_end(beside.elf);
	}
	schedprof_unwind_free(table);
	close(fd);
	return true;
}

static void real_files(void)
{
	static const char *const paths[] = {
		"/proc/self/exe", "/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/bin/bash", "/usr/bin/perl",
		"/usr/bin/python3", "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0",
		"/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "/usr/lib/x86_64-linux-gnu/libdw.so.1",
	};
	unsigned int found = 0;
	size_t i;

	elf_version(EV_CURRENT);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		found += compare_file(paths[i]);
	CHECK(found > 4);
}

static void the_vdso(void)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	struct schedprof_error error = { };
	struct schedprof_unwind *table = schedprof_unwind_make_vdso(&error);
	const struct sp_unwind_header *header;
	struct beside beside = { .table = table };
	size_t size;

	/* valgrind hides it from the programs that it runs. */
	if (!image) {
		CHECK_NUMBER(error.code, SCHEDPROF_NOT_FOUND);
		return;
	}
	CHECK_TEXT(error.message, "");
	if (!CHECK(table))
		return;
	header = schedprof_unwind_data(table, &size);
	CHECK_NUMBER(header->flags, SP_UNWIND_VDSO | SP_UNWIND_OF_ROOT);
	/* It is of two pages at least, and all of it is read. */
	beside.elf = elf_memory(image, 8192);
	beside.frames = dwarf_getcfi_elf(beside.elf);
	compare_rows(&beside);
	dwarf_cfi_end(beside.frames);
	elf_end(beside.elf);
	schedprof_unwind_free(table);
}

/* ---- Files that are no good ---- */

static unsigned char *own;
static size_t own_size;

static int as_file(const void *bytes, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (CHECK(fd >= 0))
		CHECK(write(fd, bytes, size) == (ssize_t)size);
	return fd;
}

static struct schedprof_unwind *make_of(const void *bytes, size_t size,
					struct schedprof_error *error)
{
	int fd = as_file(bytes, size);
	struct schedprof_unwind *table;

	memset(error, 0, sizeof(*error));
	table = schedprof_unwind_make(fd, "program", error);
	CHECK(table ? !error->code : error->code && *error->message);
	close(fd);
	return table;
}

/* Changes a copy of this program, of which there is no table then. */
static void refuses(void (*change)(unsigned char *copy), size_t size, int code,
		    const char *words)
{
	unsigned char *copy = malloc(own_size);
	struct schedprof_unwind *table;
	struct schedprof_error error;

	memcpy(copy, own, own_size);
	if (change)
		change(copy);
	table = make_of(copy, size, &error);
	CHECK(!table);
	CHECK_NUMBER(error.code, code);
	if (!strstr(error.message, words))
		CHECK_TEXT(error.message, words);
	schedprof_unwind_free(table);
	free(copy);
}

static void other_machine(unsigned char *copy)
{
	((Elf64_Ehdr *)copy)->e_machine = EM_AARCH64;
}

static Elf64_Phdr *segments(unsigned char *copy)
{
	return (Elf64_Phdr *)(copy + ((Elf64_Ehdr *)copy)->e_phoff);
}

static void without_notes(unsigned char *copy)
{
	int i;

	for (i = 0; i < ((Elf64_Ehdr *)copy)->e_phnum; i++)
		if (segments(copy)[i].p_type == PT_NOTE)
			segments(copy)[i].p_type = PT_NULL;
}

static void code_beyond_4_gb(unsigned char *copy)
{
	int i;

	for (i = 0; i < ((Elf64_Ehdr *)copy)->e_phnum; i++)
		if (segments(copy)[i].p_type == PT_LOAD && segments(copy)[i].p_flags & PF_X)
			segments(copy)[i].p_offset += 1ULL << 32;
}

static Elf64_Shdr *section(unsigned char *copy, const char *name)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)copy;
	Elf64_Shdr *all = (Elf64_Shdr *)(copy + header->e_shoff);
	int i;

	for (i = 0; i < header->e_shnum; i++)
		if (!strcmp((char *)copy + all[header->e_shstrndx].sh_offset + all[i].sh_name,
			    name))
			return &all[i];
	abort();
}

static void huge_frames(unsigned char *copy)
{
	section(copy, ".eh_frame")->sh_size = 1ULL << 40;
}

static void frames_behind_the_end(unsigned char *copy)
{
	section(copy, ".eh_frame")->sh_offset = own_size;
}

static void wild_length(unsigned char *copy)
{
	uint32_t *length = (uint32_t *)(copy + section(copy, ".eh_frame")->sh_offset);

	*length = 0x7fffffff;
}

static void nothing_in_common(unsigned char *copy)
{
	uint32_t *entry = (uint32_t *)(copy + section(copy, ".eh_frame")->sh_offset);

	/* The first one is what others have in common, and now refers to itself. */
	entry[1] = 4;
}

static void many_segments(unsigned char *copy)
{
	((Elf64_Ehdr *)copy)->e_phnum = 129;
}

static void no_good_files(void)
{
	refuses(NULL, 0, SCHEDPROF_INVALID, "is no ELF file");
	refuses(NULL, 40, SCHEDPROF_DAMAGED, "ends too early");
	refuses(NULL, 100, SCHEDPROF_DAMAGED, "ends too early");
	refuses(other_machine, own_size, SCHEDPROF_INVALID, "of another machine");
	refuses(many_segments, own_size, SCHEDPROF_TOO_LARGE, "129 program headers");
	refuses(without_notes, own_size, SCHEDPROF_NOT_FOUND, "no build-id");
	refuses(code_beyond_4_gb, own_size, SCHEDPROF_TOO_LARGE, "beyond 4 GB");
	refuses(huge_frames, own_size, SCHEDPROF_TOO_LARGE, "no unwind table is made");
	refuses(frames_behind_the_end, own_size, SCHEDPROF_DAMAGED, "ends too early");
	refuses(wild_length, own_size, SCHEDPROF_DAMAGED, "longer than what is left");
	refuses(nothing_in_common, own_size, SCHEDPROF_DAMAGED, "in common");
}

/* However it is cut, there is a table or a sentence. */
static void cut_files(void)
{
	struct schedprof_error error;
	size_t size;

	for (size = 0; size < own_size; size += 1 + roll(own_size / 50))
		schedprof_unwind_free(make_of(own, size, &error));
}

static void without_section_headers(unsigned char *copy)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)copy;

	header->e_shoff = 0;
	header->e_shnum = 0;
	header->e_shstrndx = 0;
}

/* The same table comes of what a program has when it runs. */
static void without_sections(void)
{
	struct schedprof_error error;
	struct schedprof_unwind *with, *without;
	unsigned char *copy = malloc(own_size);
	size_t size, other;

	memcpy(copy, own, own_size);
	with = make_of(copy, own_size, &error);
	without_section_headers(copy);
	without = make_of(copy, own_size, &error);
	CHECK_TEXT(error.message, "");
	if (CHECK(with && without)) {
		const void *a = schedprof_unwind_data(with, &size);
		const void *b = schedprof_unwind_data(without, &other);

		CHECK(size == other && !memcmp(a, b, size));
	}
	schedprof_unwind_free(with);
	schedprof_unwind_free(without);
	free(copy);
}

/* ---- Tables that were made before ---- */

static struct schedprof_unwind *own_table(void)
{
	struct schedprof_error error;
	struct schedprof_unwind *table = make_of(own, own_size, &error);

	if (!CHECK(table))
		exit(1);
	return table;
}

static void is_refused(unsigned char *copy, size_t size, int code)
{
	struct schedprof_unwind *table;
	struct schedprof_error error = { };

	table = schedprof_unwind_read(copy, size, &error);
	CHECK(!table);
	CHECK_NUMBER(error.code, code);
	schedprof_unwind_free(table);
}

static void damaged_tables(void)
{
	struct schedprof_unwind *table = own_table(), *again;
	struct schedprof_error error = { };
	unsigned char *copy, was;
	const void *data;
	size_t size, i, other;

	data = schedprof_unwind_data(table, &size);
	copy = malloc(size + 8);
	memcpy(copy, data, size);
	again = schedprof_unwind_read(copy, size, &error);
	if (CHECK(again)) {
		CHECK(!memcmp(schedprof_unwind_data(again, &other), data, size));
		CHECK_TEXT(schedprof_unwind_build_id(again), schedprof_unwind_build_id(table));
	}
	schedprof_unwind_free(again);
	for (i = 0; i < size; i += i < 80 ? 1 : 1 + roll(size / 20)) {
		was = copy[i];
		copy[i] ^= 1 << roll(8);
		is_refused(copy, size, i >= 8 && i < 12 ? SCHEDPROF_NEWER : SCHEDPROF_DAMAGED);
		copy[i] = was;
	}
	memset(copy + size, 0, 8);
	is_refused(copy, size + 8, SCHEDPROF_DAMAGED);
	is_refused(copy, size - 8, SCHEDPROF_DAMAGED);
	is_refused(copy, 20, SCHEDPROF_DAMAGED);
	is_refused(copy, 0, SCHEDPROF_DAMAGED);
	free(copy);
	schedprof_unwind_free(table);
}

/* ---- The cache ---- */

static unsigned int count_files(const char *path)
{
	char command[128];
	unsigned int count = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", path);
	pipe = popen(command, "r");
	if (CHECK(pipe))
		CHECK(fscanf(pipe, "%u", &count) == 1);
	pclose(pipe);
	return count;
}

static void path_in_cache(char path[256], const char *build_id)
{
	snprintf(path, 256, "%s/%s.%d", cache, build_id, LIBSP_CACHE_MAKER);
}

static void kept_tables(void)
{
	struct schedprof_unwind *table = own_table(), *found;
	const char *build_id = schedprof_unwind_build_id(table);
	struct stat status;
	size_t size, other;
	char path[256];
	FILE *file;

	CHECK(!libsp_cache_find(cache, build_id));
	libsp_cache_keep(cache, table);
	/* What runs here is not everybody's business. */
	CHECK(!stat(cache, &status));
	CHECK_NUMBER(status.st_mode & 0777, 0700);
	found = libsp_cache_find(cache, build_id);
	if (CHECK(found)) {
		const void *a = schedprof_unwind_data(table, &size);
		const void *b = schedprof_unwind_data(found, &other);

		CHECK(size == other && !memcmp(a, b, size));
	}
	schedprof_unwind_free(found);
	CHECK_NUMBER(count_files(cache), 1);

	/* What was damaged is not believed, and made again. */
	path_in_cache(path, schedprof_unwind_build_id(table));
	file = fopen(path, "r+");
	if (CHECK(file)) {
		fseek(file, 100, SEEK_SET);
		fputs("damage", file);
		fclose(file);
	}
	CHECK(!libsp_cache_find(cache, build_id));
	libsp_cache_keep(cache, table);
	found = libsp_cache_find(cache, build_id);
	CHECK(found);
	schedprof_unwind_free(found);

	/* Nor what others can write, or what is of another file. */
	CHECK(!chmod(path, 0666));
	CHECK(!libsp_cache_find(cache, build_id));
	CHECK(!chmod(path, 0644));
	CHECK(!chmod(cache, 0777));
	CHECK(!libsp_cache_find(cache, build_id));
	CHECK(!chmod(cache, 0755));
	libsp_cache_keep(cache, table);
	CHECK(!libsp_cache_find(cache, "00"));
	CHECK(!libsp_cache_find("", build_id));
	schedprof_unwind_free(table);
}

/* A file of another build-id under a name is not what is looked for. */
static void renamed_table(void)
{
	struct schedprof_unwind *table = own_table();
	char path[256], wrong[256];

	path_in_cache(path, schedprof_unwind_build_id(table));
	path_in_cache(wrong, "0123");
	CHECK(!link(path, wrong));
	CHECK(!libsp_cache_find(cache, "0123"));
	CHECK(!unlink(wrong));
	CHECK(!unlink(path));
	schedprof_unwind_free(table);
}

static void full_disk(void)
{
	struct rlimit limit, small;
	struct schedprof_unwind *table = own_table();

	CHECK_NUMBER(count_files(cache), 0);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 100;
	signal(SIGXFSZ, SIG_IGN);
	CHECK(!setrlimit(RLIMIT_FSIZE, &small));
	libsp_cache_keep(cache, table);
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_NUMBER(count_files(cache), 0);
	CHECK(!libsp_cache_find(cache, schedprof_unwind_build_id(table)));
	schedprof_unwind_free(table);
}

/* ---- The provider, with a module that is made of files ---- */

/* What was told, by state. */
struct told {
	unsigned int states[4], cached, vdso, all;
	unsigned int end_after;	/* 0: never */
	char message[1000];	/* of the last failure */
};

static bool take_file(const struct schedprof_provided *file, void *data)
{
	struct told *told = data;

	told->states[file->state]++;
	told->cached += file->cached;
	told->vdso += !strcmp(file->path, "[vdso]");
	CHECK(!file->bytes == !file->rows);
	CHECK(!file->error == (file->state < SCHEDPROF_PROVIDED_FULL));
	if (file->error)
		snprintf(told->message, sizeof(told->message), "%s", file->error->message);
	return ++told->all != told->end_after;
}

static struct schedprof_provider *provider(struct told *told)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;

	*told = (struct told){ };
	p = schedprof_provider_open(handle, take_file, told, &error);
	CHECK_TEXT(error.message, "");
	if (!CHECK(p))
		exit(1);
	CHECK_NUMBER(schedprof_provider_set_cache(p, cache, &error), 0);
	return p;
}

static void own_path(char path[256])
{
	ssize_t length = readlink("/proc/self/exe", path, 255);

	CHECK(length > 0);
	path[length < 0 ? 0 : length] = '\0';
}

static void provide_files(void)
{
	struct schedprof_error error = { };
	struct schedprof_unwind_list *list;
	struct schedprof_provider *p;
	char path[256];
	struct told told;

	own_path(path);
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, path, &error), 0);
	CHECK_NUMBER(schedprof_provide_file(p, path, &error), 0);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_NOW], 1);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_BEFORE], 1);
	CHECK_NUMBER(told.cached, 0);
	CHECK_NUMBER(-schedprof_provide_file(p, "/dev/null", &error), SCHEDPROF_INVALID);
	CHECK_NUMBER(-schedprof_provide_file(p, "/none/none", &error), SCHEDPROF_NOT_FOUND);
	CHECK_NUMBER(-schedprof_provide_file(p, "/etc/passwd", &error), SCHEDPROF_INVALID);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_NOT], 3);
	schedprof_provider_close(p);
	list = schedprof_unwind_list(handle, &error);
	if (CHECK(list)) {
		CHECK_NUMBER(schedprof_unwind_list_count(list), 1);
		CHECK_NUMBER(schedprof_unwind_list_at(list, 0)->bytes, fake_module.bytes);
		CHECK(!schedprof_unwind_list_at(list, 1));
	}
	schedprof_unwind_list_free(list);

	/* The module lost it, the cache has it. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, path, &error), 0);
	CHECK_NUMBER(told.cached, 1);
	CHECK_NUMBER(fake_module.tables, 1);
	schedprof_provider_close(p);
}

static void provide_processes(void)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	unsigned int all;
	struct told told;

	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	/* This program, libc, libdw, ... and the vdso. */
	CHECK(told.states[SCHEDPROF_PROVIDED_NOW] > 4);
	CHECK_NUMBER(told.vdso, 1);
	CHECK_NUMBER(fake_module.tables, told.states[SCHEDPROF_PROVIDED_NOW]);
	all = told.all;
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	CHECK_NUMBER(told.all, all);
	CHECK_NUMBER(-schedprof_provide_process(p, 0x7ffffffe, &error), SCHEDPROF_NOT_FOUND);
	schedprof_provider_close(p);

	/* Who had enough is not told of more. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	told.end_after = 2;
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	CHECK_NUMBER(told.all, 2);
	schedprof_provider_close(p);
}

static void provide_what_fits(void)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	struct told told;

	fake_module_begin(configfs, 100);
	p = provider(&told);
	CHECK_NUMBER(-schedprof_provide_file(p, "/proc/self/exe", &error),
		     SCHEDPROF_TOO_LARGE);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_FULL], 1);
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_NOW], 0);
	CHECK_NUMBER(fake_module.tables, 0);
	schedprof_provider_close(p);
}

static void provide_to_one_that_refuses(void)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	char path[256];
	struct told told;

	fake_module_begin(configfs, 40000000);
	fake_module.refuses = true;
	p = provider(&told);
	CHECK_NUMBER(-schedprof_provide_file(p, "/proc/self/exe", &error), SCHEDPROF_REFUSED);
	CHECK_TEXT(error.message, "this one is not taken");
	CHECK_TEXT(told.message, "this one is not taken");
	schedprof_provider_close(p);
	/* A module without tables. */
	snprintf(path, sizeof(path), "%s/unwind_tables", configfs);
	CHECK(!unlink(path));
	CHECK(!schedprof_provider_open(handle, NULL, NULL, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_FOUND);
	CHECK_NUMBER(-schedprof_unwind_remove(handle, "../x", &error), SCHEDPROF_INVALID);
}

/* Does the module have a table of that build-id, of so many rows? */
static bool is_loaded(const char *build_id, size_t rows)
{
	struct schedprof_unwind_list *list = schedprof_unwind_list(handle, NULL);
	const struct schedprof_unwind_loaded *row;
	bool found = false;
	size_t i;

	for (i = 0; list && (row = schedprof_unwind_list_at(list, i)); i++)
		found = found || (!strcmp(row->build_id, build_id) && row->rows == rows);
	schedprof_unwind_list_free(list);
	return found;
}

static void provide_missing(void)
{
	struct schedprof_unwind *table = own_table();
	const char *build_id = schedprof_unwind_build_id(table);
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	char text[512], path[256];
	unsigned int all;
	struct told told;

	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	/* A module without any table asks for none. */
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(told.states[SCHEDPROF_PROVIDED_NOW] > 4);
	schedprof_provider_close(p);

	/* Another file has its path; it is found in this process, and nothing else is. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	all = told.all;
	snprintf(text, sizeof(text), "%s\t/bin/sh\n0123456789\t/nowhere\n?\n\nmore\t7\n\n\n",
		 build_id);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(is_loaded(build_id, schedprof_unwind_row_count(table)));
	CHECK_NUMBER(told.all, all + 1);
	fake_module_put("unwind_missing", "");
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK_NUMBER(told.all, all + 1);
	schedprof_provider_close(p);

	/* The vdso has no build-id yet; and by its path. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	own_path(path);
	snprintf(text, sizeof(text), "\t[vdso]\n%s\t%s\n", build_id, path);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	/* valgrind hides the vdso. */
	CHECK_NUMBER(told.vdso, 1);
	CHECK_NUMBER(fake_module.tables, getauxval(AT_SYSINFO_EHDR) ? 3 : 2);
	schedprof_provider_close(p);
	schedprof_unwind_free(table);
}

/* A file with a build-id of its own, and so many functions in .eh_frame at most. */
static void write_like_own(const char *name, unsigned char last, unsigned int functions,
			   char path[256])
{
	unsigned char *copy = malloc(own_size);
	unsigned char *at, *end;
	uint32_t length;
	Elf64_Shdr *frames;
	FILE *file;

	memcpy(copy, own, own_size);
	at = memmem(copy, own_size, "\x14\0\0\0\x03\0\0\0GNU", 12);
	frames = section(copy, ".eh_frame");
	if (!CHECK(at && frames))
		exit(1);
	at[12 + 19] = last;
	at = copy + frames->sh_offset;
	end = at + frames->sh_size;
	for (; functions && at + sizeof(length) < end; functions--) {
		memcpy(&length, at, sizeof(length));
		at += sizeof(length) + length;
	}
	memset(at, 0, sizeof(length));
	snprintf(path, 256, "%s/%s", directory, name);
	file = fopen(path, "w");
	CHECK(file && fwrite(copy, 1, own_size, file) == own_size && !fclose(file));
	free(copy);
}

/* As code; it stays so. */
static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY);

	CHECK(fd >= 0 && mmap(NULL, own_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) !=
			 MAP_FAILED);
	close(fd);
}

static void build_id_of(const char *path, char build_id[64], size_t *rows)
{
	struct schedprof_error error;
	int fd = open(path, O_RDONLY);
	struct schedprof_unwind *table = schedprof_unwind_make(fd, path, &error);

	close(fd);
	if (!CHECK(table))
		exit(1);
	snprintf(build_id, 64, "%s", schedprof_unwind_build_id(table));
	*rows = schedprof_unwind_row_count(table);
	schedprof_unwind_free(table);
}

/* Looks again and again, as that is not tried at once. */
static bool comes(struct schedprof_provider *p, const char *build_id, size_t rows)
{
	struct schedprof_error error;
	unsigned int i;

	for (i = 0; i < 600 && !is_loaded(build_id, rows); i++) {
		usleep(50000);
		CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	}
	return is_loaded(build_id, rows);
}

/* Who builds a file chooses its build-id: what root has comes first, and in its place. */
static void provide_those_of_root(void)
{
	char evil[256], good[256], build_id[64], other[64], text[512];
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	size_t rows, lies;
	struct told told;

	if (geteuid()) {
		printf("# without root, there are no files of root to be made\n");
		return;
	}
	write_like_own("evil", 1, 40, evil);
	write_like_own("good", 1, UINT_MAX, good);
	CHECK(!chown(evil, 1, 1));
	build_id_of(evil, other, &lies);
	build_id_of(good, build_id, &rows);
	CHECK_TEXT(other, build_id);
	CHECK(lies < rows);
	map_file(evil);

	/* At first there is one only. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	snprintf(text, sizeof(text), "%s\t%s\n", build_id, evil);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(is_loaded(build_id, lies));
	fake_module_put("unwind_missing", "");
	/* Nobody misses a table when root runs his, and yet his comes. */
	map_file(good);
	schedprof_provider_close(p);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(is_loaded(build_id, rows));
	schedprof_provider_close(p);

	/* Both are there, and the wrong one was met first. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(is_loaded(build_id, rows));
	schedprof_provider_close(p);

	/* And of all that runs; nothing of the other one was kept. */
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_all(p, &error), 0);
	CHECK(is_loaded(build_id, rows));
	schedprof_provider_close(p);
}

/* What is not there now may be later; and what the module had, it may have lost. */
static void provide_later(void)
{
	struct schedprof_error error = { };
	char path[256], build_id[64], text[512];
	struct schedprof_provider *p;
	struct told told;
	size_t rows;

	write_like_own("later", 2, UINT_MAX, path);
	build_id_of(path, build_id, &rows);
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	snprintf(text, sizeof(text), "%s\t/nowhere\n", build_id);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(!is_loaded(build_id, rows));
	map_file(path);
	CHECK(comes(p, build_id, rows));

	/* Taken away, and met again. */
	fake_module_begin(configfs, 40000000);
	fake_module_put("unwind_missing", text);
	CHECK(comes(p, build_id, rows));

	/* No room now, and later. */
	fake_module_begin(configfs, 100);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	fake_module_begin(configfs, 40000000);
	fake_module_put("unwind_missing", text);
	CHECK(comes(p, build_id, rows));
	schedprof_provider_close(p);
}

/* Whatever runs. */
static void provide_all(void)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	struct told told;

	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_all(p, &error), 0);
	CHECK(told.states[SCHEDPROF_PROVIDED_NOW] > 4);
	CHECK_NUMBER(told.vdso, 1);
	schedprof_provider_close(p);
}

static unsigned int asked, asked_until;

static bool go_on(void *data)
{
	(void)data;
	return ++asked < asked_until;
}

/* Who waits is asked before whatever takes time, also where there is nothing to be told. */
static void provide_until_asked(void)
{
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	char text[512] = "";
	unsigned int i, all;
	struct told told;

	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	all = told.all;
	schedprof_provider_set_ask(p, go_on);
	asked_until = UINT_MAX;
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	CHECK(asked >= all - 1);
	asked = 0;
	asked_until = 3;
	CHECK_NUMBER(schedprof_provide_process(p, getpid(), &error), 0);
	CHECK_NUMBER(asked, 3);
	asked = 0;
	asked_until = 1;
	CHECK_NUMBER(schedprof_provide_all(p, &error), 0);
	CHECK_NUMBER(told.all, all);

	/* Processes that the module met, of which nothing can be known. */
	for (i = 0; i < 20; i++)
		sprintf(text + strlen(text), "process-%u-1-0\t\n", i + 1);
	fake_module_put("unwind_missing", text);
	asked = 0;
	asked_until = UINT_MAX;
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(asked >= 20);
	asked = 0;
	asked_until = 10;
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(asked >= 10 && asked < 20);
	CHECK_NUMBER(told.all, all);
	schedprof_provider_close(p);
}

/* What nobody had the time for is not put off as what was tried. */
static void provide_what_was_left(void)
{
	struct schedprof_unwind *table = own_table();
	const char *build_id = schedprof_unwind_build_id(table);
	struct schedprof_error error = { };
	struct schedprof_provider *p;
	char text[512], path[256];
	struct told told;

	own_path(path);
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", &error), 0);
	snprintf(text, sizeof(text), "%s\t%s\n", build_id, path);
	fake_module_put("unwind_missing", text);
	schedprof_provider_set_ask(p, go_on);
	asked = 0;
	asked_until = 1;
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(!is_loaded(build_id, schedprof_unwind_row_count(table)));
	asked_until = UINT_MAX;
	CHECK_NUMBER(schedprof_provide_missing(p, &error), 0);
	CHECK(is_loaded(build_id, schedprof_unwind_row_count(table)));
	schedprof_provider_close(p);
	schedprof_unwind_free(table);
}

/* Puts so many build-ids that no file has into the list of what is missing. */
static void put_many_missing(unsigned int count)
{
	char *text = malloc(count * 18 + 1), *at = text;
	unsigned int i;

	for (i = 0; i < count; i++)
		at += sprintf(at, "%016x\t\n", i);
	fake_module_put("unwind_missing", text);
	free(text);
}

/* Users may come with new files for ever: what is known of the old ones is forgotten then. */
static void provide_for_long(void)
{
	struct schedprof_provider *p, *other;
	struct told told, told_other;
	char path[256];

	own_path(path);
	fake_module_begin(configfs, 40000000);
	p = provider(&told);
	CHECK_NUMBER(schedprof_provide_file(p, path, NULL), 0);
	/* The module lost it, and has another one: as long as little is known, p knows its own. */
	fake_module_begin(configfs, 40000000);
	other = provider(&told_other);
	CHECK_NUMBER(schedprof_provide_file(other, "/bin/sh", NULL), 0);
	schedprof_provider_close(other);
	put_many_missing(1000);
	CHECK_NUMBER(schedprof_provide_missing(p, NULL), 0);
	CHECK_NUMBER(schedprof_provide_missing(p, NULL), 0);
	CHECK_NUMBER(schedprof_provide_file(p, path, NULL), 0);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_BEFORE], 1);
	put_many_missing(140000);
	CHECK_NUMBER(schedprof_provide_missing(p, NULL), 0);
	fake_module_put("unwind_missing", "");
	CHECK_NUMBER(schedprof_provide_missing(p, NULL), 0);
	CHECK_NUMBER(schedprof_provide_file(p, "/bin/sh", NULL), 0);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_BEFORE], 2);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_NOW], 1);
	CHECK_NUMBER(schedprof_provide_file(p, path, NULL), 0);
	CHECK_NUMBER(told.states[SCHEDPROF_PROVIDED_NOW], 2);
	schedprof_provider_close(p);
}

static const struct test tests[] = {
	{ "real files", real_files },
	{ "the vdso", the_vdso },
	{ "no good files", no_good_files },
	{ "cut files", cut_files },
	{ "without sections", without_sections },
	{ "damaged tables", damaged_tables },
	{ "kept tables", kept_tables },
	{ "renamed table", renamed_table },
	{ "full disk", full_disk },
	{ "provide files", provide_files },
	{ "provide processes", provide_processes },
	{ "provide what fits", provide_what_fits },
	{ "provide to one that refuses", provide_to_one_that_refuses },
	{ "provide missing", provide_missing },
	{ "provide those of root", provide_those_of_root },
	{ "provide later", provide_later },
	{ "provide for long", provide_for_long },
	{ "provide all", provide_all },
	{ "provide until asked", provide_until_asked },
	{ "provide what was left", provide_what_was_left },
};

static void read_own(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct stat status;

	if (fstat(fd, &status))
		exit(2);
	own_size = (size_t)status.st_size;
	own = malloc(own_size);
	if (pread(fd, own, own_size, 0) != (ssize_t)own_size)
		exit(2);
	close(fd);
}

int main(void)
{
	struct schedprof_error error;
	char command[64];
	int bad;

	umask(022);
	if (!mkdtemp(directory))
		return 2;
	snprintf(configfs, sizeof(configfs), "%s/config", directory);
	snprintf(debugfs, sizeof(debugfs), "%s/debug", directory);
	snprintf(cache, sizeof(cache), "%s/cache/a/b", directory);
	if (mkdir(configfs, 0755) || mkdir(debugfs, 0755))
		return 2;
	handle = schedprof_open(configfs, debugfs, &error);
	if (!handle) {
		printf("not ok unwind: %s\n", error.message);
		return 1;
	}
	read_own();
	bad = check_run("unwind", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_close(handle);
	free(own);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
