// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * elf_image: parts of an ELF file, or of one that is in memory, by its headers. Only those
 * of x86-64 are read. Section headers need not be there: programs run without them. No
 * state but the image, which one thread uses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "elf_image.h"
#include "error.h"

/* Programs have a dozen; each function is looked for in all of them. */
#define MAX_SEGMENTS	128
#define MAX_SECTIONS	262144
#define MAX_NAMES	16777216
#define MAX_NOTES	65536

static int damaged(const struct libsp_elf *elf, uint64_t offset, const char *what,
		   struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, offset,
			     "%s is damaged: %s; install it again", elf->name, what);
}

static bool is_inside(const struct libsp_elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->size && size <= elf->size - offset;
}

static int read_at(const struct libsp_elf *elf, uint64_t offset, void *to, size_t size,
		   struct schedprof_error *error)
{
	size_t done = 0;
	ssize_t got;

	if (!is_inside(elf, offset, size))
		return damaged(elf, offset, "it ends too early", error);
	if (elf->fd < 0) {
		memcpy(to, elf->memory + offset, size);
		return 0;
	}
	while (done < size) {
		got = pread(elf->fd, (char *)to + done, size - done,
			    (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return libsp_fail_errno(error, SCHEDPROF_IO, errno,
						"cannot read %s", elf->name);
		if (!got)
			return damaged(elf, offset + done, "it ends too early", error);
		done += (size_t)got;
	}
	return 0;
}

/* Return: 0 and the bytes, to be freed; or a negative code. */
static int read_part(const struct libsp_elf *elf, uint64_t offset, size_t size,
		     void **bytes, struct schedprof_error *error)
{
	int result;

	if (!is_inside(elf, offset, size))
		return damaged(elf, offset, "it ends too early", error);
	*bytes = malloc(size ? size : 1);
	if (!*bytes)
		return libsp_no_memory(error);
	result = read_at(elf, offset, *bytes, size, error);
	if (result) {
		free(*bytes);
		*bytes = NULL;
	}
	return result;
}

static int check_header(const struct libsp_elf *elf, struct schedprof_error *error)
{
	const Elf64_Ehdr *header = &elf->header;
	static const uint16_t one = 1;
	unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s is no ELF file; name a program or a library",
				  elf->name);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != order ||
	    header->e_machine != EM_X86_64)
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s is of another machine; unwind tables are made for x86-64 only",
				  elf->name);
	if (header->e_phnum == PN_XNUM ||
	    (header->e_phnum && header->e_phentsize != sizeof(Elf64_Phdr)))
		return damaged(elf, 0, "its program headers are not as they should be", error);
	if (header->e_phnum > MAX_SEGMENTS)
		return libsp_fail(error, SCHEDPROF_TOO_LARGE,
				  "%s has %u program headers, which no program needs; tables are made of files with up to %d",
				  elf->name, header->e_phnum, MAX_SEGMENTS);
	return 0;
}

/* What is wrong with section headers is no failure: they are not used then. */
static int read_sections(struct libsp_elf *elf, struct schedprof_error *error)
{
	const Elf64_Ehdr *header = &elf->header;
	uint64_t count = header->e_shnum, strings = header->e_shstrndx;
	Elf64_Shdr first;
	void *bytes;
	int result;

	if (!header->e_shoff || header->e_shentsize != sizeof(first) ||
	    !is_inside(elf, header->e_shoff, sizeof(first)))
		return 0;
	result = read_at(elf, header->e_shoff, &first, sizeof(first), error);
	if (result)
		return result;
	if (!count)
		count = first.sh_size;
	if (strings == SHN_XINDEX)
		strings = first.sh_link;
	if (count > MAX_SECTIONS || strings >= count ||
	    !is_inside(elf, header->e_shoff, count * sizeof(first)))
		return 0;
	result = read_part(elf, header->e_shoff, count * sizeof(first), &bytes, error);
	if (result)
		return result;
	elf->sections = bytes;
	elf->section_count = (unsigned int)count;
	elf->names_size = elf->sections[strings].sh_size;
	if (elf->names_size > MAX_NAMES ||
	    !is_inside(elf, elf->sections[strings].sh_offset, elf->names_size)) {
		elf->names_size = 0;
		elf->section_count = 0;
		return 0;
	}
	elf->names = calloc(1, elf->names_size + 1);
	if (!elf->names)
		return libsp_no_memory(error);
	return read_at(elf, elf->sections[strings].sh_offset, elf->names, elf->names_size,
		       error);
}

/*
 * @elf: fd or memory, size and name are set, the rest is zero. Return: 0, and the caller
 * calls libsp_elf_close(); or a negative code.
 */
int libsp_elf_open(struct libsp_elf *elf, struct schedprof_error *error)
{
	size_t size = sizeof(elf->header);
	void *bytes;
	int result;

	/* A short file is no ELF file. */
	if (elf->size < size)
		size = (size_t)elf->size;
	result = read_at(elf, 0, &elf->header, size, error);
	if (!result)
		result = check_header(elf, error);
	if (!result && size < sizeof(elf->header))
		result = damaged(elf, size, "it ends too early", error);
	if (result)
		return result;
	result = read_part(elf, elf->header.e_phoff,
			   elf->header.e_phnum * sizeof(Elf64_Phdr), &bytes, error);
	if (result)
		return result;
	elf->segments = bytes;
	elf->segment_count = elf->header.e_phnum;
	result = read_sections(elf, error);
	if (result)
		libsp_elf_close(elf);
	return result;
}

void libsp_elf_close(struct libsp_elf *elf)
{
	free(elf->segments);
	free(elf->sections);
	free(elf->names);
	elf->segments = NULL;
	elf->sections = NULL;
	elf->names = NULL;
}

/* Looks for a build-id among notes. Return: how many bytes it has; 0: there is none. */
static size_t find_build_id(const unsigned char *notes, size_t size, size_t align,
			    const unsigned char **id)
{
	Elf64_Nhdr note;
	size_t at = 0, name, next;

	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		if (note.n_namesz > size - at)
			return 0;
		name = at;
		at = (at + note.n_namesz + align - 1) & ~(align - 1);
		if (at > size || note.n_descsz > size - at)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU"))) {
			*id = notes + at;
			return note.n_descsz;
		}
		next = (at + note.n_descsz + align - 1) & ~(align - 1);
		if (next > size)
			return 0;
		at = next;
	}
	return 0;
}

/* @id: has room for LIBSP_ELF_MAX_BUILD_ID. Return: 0 or a negative code. */
int libsp_elf_build_id(const struct libsp_elf *elf, unsigned char *id, uint32_t *bytes,
		       struct schedprof_error *error)
{
	const unsigned char *found;
	unsigned int i;
	void *notes;
	size_t size;
	int result;

	for (i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		if (segment->p_type != PT_NOTE || segment->p_filesz > MAX_NOTES)
			continue;
		result = read_part(elf, segment->p_offset, segment->p_filesz, &notes, error);
		if (result)
			return result;
		size = find_build_id(notes, segment->p_filesz,
				     segment->p_align == 8 ? 8 : 4, &found);
		if (size && size <= LIBSP_ELF_MAX_BUILD_ID)
			memcpy(id, found, size);
		free(notes);
		if (size > LIBSP_ELF_MAX_BUILD_ID)
			return libsp_fail(error, SCHEDPROF_INVALID,
					  "the build-id of %s has %zu bytes; link it again with --build-id=sha1",
					  elf->name, size);
		*bytes = (uint32_t)size;
		if (size)
			return 0;
	}
	return libsp_fail(error, SCHEDPROF_NOT_FOUND,
			  "%s has no build-id, by which its unwind table would be found; link it with --build-id",
			  elf->name);
}

static const Elf64_Shdr *find_section(const struct libsp_elf *elf, const char *name)
{
	unsigned int i;

	for (i = 0; i < elf->section_count; i++)
		if (elf->sections[i].sh_name < elf->names_size &&
		    elf->sections[i].sh_type != SHT_NOBITS &&
		    !strcmp(elf->names + elf->sections[i].sh_name, name))
			return &elf->sections[i];
	return NULL;
}

static int too_large(const struct libsp_elf *elf, const char *name,
		     struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_TOO_LARGE,
			  "%s of %s has more than %d bytes, so no unwind table is made of it",
			  name, elf->name, LIBSP_ELF_MAX_SECTION);
}

/* Unpacks a section. Return: 0 or a negative code. */
static int unpack(const struct libsp_elf *elf, const char *name,
		  struct libsp_section *section, struct schedprof_error *error)
{
	unsigned char *bytes;
	uLongf size;
	Elf64_Chdr header;
	int result;

	if (section->size < sizeof(header))
		return damaged(elf, 0, "a packed section is too short", error);
	memcpy(&header, section->bytes, sizeof(header));
	if (header.ch_type != ELFCOMPRESS_ZLIB)
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s of %s is packed in a way that is not known here; unpack it with: objcopy --decompress-debug-sections",
				  name, elf->name);
	if (header.ch_size > LIBSP_ELF_MAX_SECTION)
		return too_large(elf, name, error);
	bytes = malloc(header.ch_size ? header.ch_size : 1);
	if (!bytes)
		return libsp_no_memory(error);
	size = header.ch_size;
	result = uncompress(bytes, &size, section->bytes + sizeof(header),
			    section->size - sizeof(header));
	if (result != Z_OK || size != header.ch_size) {
		free(bytes);
		return damaged(elf, 0, "a packed section cannot be unpacked", error);
	}
	free(section->bytes);
	section->bytes = bytes;
	section->size = size;
	return 0;
}

/* Return: 0, with bytes that are NULL if there is no such section; or a negative code. */
int libsp_elf_section(const struct libsp_elf *elf, const char *name,
		      struct libsp_section *section, struct schedprof_error *error)
{
	const Elf64_Shdr *header = find_section(elf, name);
	void *bytes;
	int result;

	*section = (struct libsp_section){ };
	if (!header)
		return 0;
	if (header->sh_size > LIBSP_ELF_MAX_SECTION)
		return too_large(elf, name, error);
	result = read_part(elf, header->sh_offset, header->sh_size, &bytes, error);
	if (result)
		return result;
	section->bytes = bytes;
	section->size = header->sh_size;
	section->address = header->sh_addr;
	if (header->sh_flags & SHF_COMPRESSED)
		result = unpack(elf, name, section, error);
	if (result) {
		free(section->bytes);
		section->bytes = NULL;
	}
	return result;
}

/* The segment in whose part of the file an address is. */
static const Elf64_Phdr *segment_at(const struct libsp_elf *elf, uint64_t address,
				    uint32_t flags)
{
	unsigned int i;

	for (i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags &&
		    address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment;
	}
	return NULL;
}

/* Return: the segment of code that an address is in, or NULL. */
const Elf64_Phdr *libsp_elf_code_at(const struct libsp_elf *elf, uint64_t address)
{
	return segment_at(elf, address, PF_X);
}

#define PCREL_SDATA4	0x1b

/*
 * What .eh_frame_hdr, which programs have at run time, says to be .eh_frame: from there to
 * the end of its segment. Return: 0, with bytes that are NULL if nothing is said, or in
 * another way than all linkers do; or a negative code.
 */
int libsp_elf_unwind_segment(const struct libsp_elf *elf, struct libsp_section *section,
			     struct schedprof_error *error)
{
	const Elf64_Phdr *header = NULL, *segment;
	unsigned char bytes[8];
	uint64_t offset, size;
	int32_t distance;
	unsigned int i;
	void *all;
	int result;

	*section = (struct libsp_section){ };
	for (i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].p_type == PT_GNU_EH_FRAME)
			header = &elf->segments[i];
	if (!header)
		return 0;
	result = read_at(elf, header->p_offset, bytes, sizeof(bytes), error);
	if (result || bytes[0] != 1 || bytes[1] != PCREL_SDATA4)
		return result;
	memcpy(&distance, bytes + 4, sizeof(distance));
	section->address = header->p_vaddr + 4 + (uint64_t)(int64_t)distance;
	segment = segment_at(elf, section->address, 0);
	if (!segment)
		return damaged(elf, header->p_offset, ".eh_frame is nowhere", error);
	offset = section->address - segment->p_vaddr;
	size = segment->p_filesz - offset;
	if (size > LIBSP_ELF_MAX_SECTION)
		size = LIBSP_ELF_MAX_SECTION;
	result = read_part(elf, segment->p_offset + offset, size, &all, error);
	if (result)
		return result;
	section->bytes = all;
	section->size = size;
	return 0;
}
