// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_table: makes an unwind table of what a file's .eh_frame or .debug_frame says. No
 * state, so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "abi.h"
#include "call_frames.h"
#include "error.h"
#include "unwind_go.h"
#include "unwind_rows.h"
#include "unwind_table.h"

#define WORD 8

struct making {
	const struct libsp_elf *elf;
	struct libsp_making rows;
	struct libsp_go go;
	uint64_t bias;		/* of its addresses over offsets */
	bool switches;		/* the function changes to another stack */
};

/* Begins a function, if it is in the file's code. */
static int begin_function(void *data, uint64_t start, uint64_t end,
			  struct schedprof_error *error)
{
	struct making *m = data;
	const Elf64_Phdr *segment = libsp_elf_code_at(m->elf, start);
	uint64_t segment_end;
	int result;

	if (!segment)
		return 0;
	segment_end = segment->p_vaddr + segment->p_filesz;
	if (end > segment_end)
		end = segment_end;
	m->bias = segment->p_vaddr - segment->p_offset;
	m->switches = libsp_go_switches(&m->go, start);
	if (segment->p_offset > UINT32_MAX || end - m->bias > UINT32_MAX)
		return libsp_fail(error, SCHEDPROF_TOO_LARGE,
				  "%s has code beyond 4 GB, so no unwind table is made of it",
				  m->elf->name);
	result = libsp_making_begin(&m->rows, start - m->bias, end - m->bias, error);
	return result ? result : 1;
}

static int add_row(void *data, uint64_t start, uint64_t end,
		   const struct libsp_call_frame *frame, struct schedprof_error *error)
{
	struct making *m = data;

	(void)end;
	return libsp_making_row(&m->rows, start - m->bias, m->switches ? NULL : frame, error);
}

static int read_frames(struct making *m, const struct libsp_section *section,
		       bool eh_frame, struct schedprof_error *error)
{
	struct libsp_call_frames_sink sink = {
		.function = begin_function,
		.row = add_row,
		.data = m,
		.name = m->elf->name,
	};

	return libsp_call_frames(section->bytes, section->size, section->address, eh_frame,
				 &sink, error);
}

/*
 * Reads what there is: .eh_frame, where it is at run time, or .debug_frame. A program with Go
 * in it has the functions of C in the first, and those of Go in the last.
 */
static int read_any_frames(struct making *m, struct schedprof_error *error)
{
	struct libsp_section section;
	size_t before = 0;
	int result, i;

	for (i = 0; i < 3; i++) {
		before = libsp_making_count(&m->rows);
		if (before && !(m->go.is && i == 2))
			continue;
		switch (i) {
		case 0:
			result = libsp_elf_section(m->elf, ".eh_frame", &section, error);
			break;
		case 1:
			result = libsp_elf_unwind_segment(m->elf, &section, error);
			break;
		default:
			result = libsp_elf_section(m->elf, ".debug_frame", &section, error);
		}
		if (!result && section.bytes)
			result = read_frames(m, &section, i < 2, error);
		free(section.bytes);
		if (result)
			return result;
	}
	/* Frame pointers, which Go has, lead on where there is no table, but not out of one. */
	if (m->go.is && libsp_making_count(&m->rows) == before)
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "%s has Go in it without .debug_frame, so no unwind table can be made, and frame pointers are followed instead; link it without -s and -w",
				  m->elf->name);
	if (libsp_making_count(&m->rows))
		return 0;
	return libsp_fail(error, SCHEDPROF_NOT_FOUND,
			  "%s has neither .eh_frame nor .debug_frame for its code, so no unwind table can be made; build it with -fasynchronous-unwind-tables",
			  m->elf->name);
}

/* Of how many bytes a stub is that does nothing but jump to where a word says; 0: not one. */
static size_t jump_at(const unsigned char *at, size_t size)
{
	static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
	static const unsigned char jump[] = { 0xff, 0x25 };

	if (size >= 16 && !memcmp(at, landing, sizeof(landing)) &&
	    (!memcmp(at + sizeof(landing), jump, sizeof(jump)) ||
	     (at[sizeof(landing)] == 0xf2 &&
	      !memcmp(at + sizeof(landing) + 1, jump, sizeof(jump)))))
		return 16;
	return size >= 8 && !memcmp(at, jump, sizeof(jump)) ? 8 : 0;
}

/*
 * Linkers write no frames for the linkage table of a static program, through which memcpy()
 * and its like are called. Its stubs only jump, so the return address is where they found
 * it. The table of a program that is linked at run time begins with a push, and has frames.
 */
static int add_static_linkage(struct making *m, struct schedprof_error *error)
{
	const struct libsp_call_frame as_called = {
		.cfa = { .where = LIBSP_REGISTER, .reg = LIBSP_RSP, .offset = WORD },
		.rip = { .where = LIBSP_AT_CFA, .offset = -WORD },
	};
	struct libsp_section plt;
	size_t bytes = 0, stub;
	int result;

	result = libsp_elf_section(m->elf, ".plt", &plt, error);
	if (result || !plt.bytes)
		return result;
	while ((stub = jump_at(plt.bytes + bytes, plt.size - bytes)) != 0)
		bytes += stub;
	free(plt.bytes);
	if (!bytes || bytes > UINT64_MAX - plt.address)
		return 0;
	result = begin_function(m, plt.address, plt.address + bytes, error);
	if (result <= 0)
		return result;
	return add_row(m, plt.address, plt.address + bytes, &as_called, error);
}

static struct schedprof_unwind *make_table(struct making *m, unsigned int flags,
					   struct schedprof_error *error)
{
	struct sp_unwind_header header = { .flags = (uint16_t)flags };
	struct libsp_buffer table = { };

	if (libsp_elf_build_id(m->elf, header.build_id, &header.build_id_bytes, error) ||
	    libsp_go_of(m->elf, &m->go, error) || read_any_frames(m, error) ||
	    add_static_linkage(m, error))
		return NULL;
	libsp_buffer_add(&table, &header, sizeof(header));
	libsp_making_sort(&m->rows);
	libsp_making_put(&m->rows, 0, SP_UNWIND_NONE, &table);
	return libsp_making_finish(&m->rows, &table, error);
}

/* @flags: SP_UNWIND_VDSO, SP_UNWIND_OF_ROOT. Return: as schedprof_unwind_make(). */
struct schedprof_unwind *libsp_unwind_of(const struct libsp_elf *elf, unsigned int flags,
					 struct schedprof_error *error)
{
	struct making m = { .elf = elf, .rows.name = elf->name };
	struct schedprof_unwind *table = make_table(&m, flags, error);

	libsp_making_free(&m.rows);
	return table;
}

static struct schedprof_unwind *make_of_image(struct libsp_elf *elf, unsigned int flags,
					      struct schedprof_error *error)
{
	struct schedprof_unwind *table;

	if (libsp_elf_open(elf, error))
		return NULL;
	table = libsp_unwind_of(elf, flags, error);
	libsp_elf_close(elf);
	return table;
}

LIBSP_EXPORT struct schedprof_unwind *
schedprof_unwind_make(int fd, const char *name, struct schedprof_error *error)
{
	struct libsp_elf elf = { .fd = fd, .name = name };
	struct stat status;

	if (fstat(fd, &status)) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot look at %s", name);
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		libsp_fail(error, SCHEDPROF_INVALID,
			   "%s is no regular file; name a program or a library", name);
		return NULL;
	}
	elf.size = (uint64_t)status.st_size;
	return make_of_image(&elf, 0, error);
}

/* How much memory is mapped from an address on. Return: 0: that is not known. */
static uint64_t mapped_from(uint64_t address)
{
	FILE *file = fopen("/proc/self/maps", "re");
	uint64_t start, end, size = 0;
	char *line = NULL;
	size_t room = 0;

	while (file && !size && getline(&line, &room, file) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 &&
		    start == address)
			size = end - start;
	free(line);
	if (file)
		fclose(file);
	return size;
}

LIBSP_EXPORT struct schedprof_unwind *
schedprof_unwind_make_vdso(struct schedprof_error *error)
{
	uintptr_t address = getauxval(AT_SYSINFO_EHDR);
	struct libsp_elf elf = {
		.fd = -1,
		.memory = (const unsigned char *)address,
		.size = address ? mapped_from(address) : 0,
		.name = "the vdso",
	};

	if (!elf.size) {
		libsp_fail(error, SCHEDPROF_NOT_FOUND,
			   "the kernel gives no vdso to programs, so it needs no table");
		return NULL;
	}
	return make_of_image(&elf, SP_UNWIND_VDSO | SP_UNWIND_OF_ROOT, error);
}
