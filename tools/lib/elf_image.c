// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * elf_image: parts of an ELF file, or of one that is in memory, by its headers. Of other
 * machines than x86-64, only the build-id is read. Section headers need not be there:
 * programs run without them. No state but the image, which one thread uses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf_image.h"
#include "error.h"
#include "hex.h"

/* Programs have a dozen; each function is looked for in all of them. */
#define MAX_SEGMENTS	128
#define MAX_SECTIONS	262144
#define MAX_NAMES	16777216
#define MAX_NOTES	65536
/* Sections of notes; that of the build-id is one of the first ones. */
#define MAX_NOTE_SECTIONS	64
/* Bytes of one that is compared; of separate debug files, it may be longer than the kernel's. */
#define MAX_BUILD_ID	64

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

/* Headers of 32-bit programs are read as if these were of 64 bits. */
static bool is_narrow(const struct libsp_elf *elf)
{
	return elf->header.e_ident[EI_CLASS] == ELFCLASS32;
}

static void widen_header(Elf64_Ehdr *header)
{
	Elf32_Ehdr narrow;

	memcpy(&narrow, header, sizeof(narrow));
	header->e_phoff = narrow.e_phoff;
	header->e_shoff = narrow.e_shoff;
	header->e_phentsize = narrow.e_phentsize;
	header->e_phnum = narrow.e_phnum;
	header->e_shentsize = narrow.e_shentsize;
	header->e_shnum = narrow.e_shnum;
	header->e_shstrndx = narrow.e_shstrndx;
}

static void widen_segment(void *to, const void *from)
{
	const Elf32_Phdr *narrow = from;

	*(Elf64_Phdr *)to = (Elf64_Phdr){
		.p_type = narrow->p_type, .p_flags = narrow->p_flags,
		.p_offset = narrow->p_offset, .p_vaddr = narrow->p_vaddr,
		.p_filesz = narrow->p_filesz, .p_memsz = narrow->p_memsz,
		.p_align = narrow->p_align,
	};
}

static void widen_section(void *to, const void *from)
{
	const Elf32_Shdr *narrow = from;

	*(Elf64_Shdr *)to = (Elf64_Shdr){
		.sh_name = narrow->sh_name, .sh_type = narrow->sh_type,
		.sh_flags = narrow->sh_flags, .sh_addr = narrow->sh_addr,
		.sh_offset = narrow->sh_offset, .sh_size = narrow->sh_size,
		.sh_link = narrow->sh_link, .sh_addralign = narrow->sh_addralign,
	};
}

/* What a table of headers consists of. */
static const struct entry {
	size_t wide;
	size_t narrow;
	void (*widen)(void *to, const void *from);
} segment_entry = {
	sizeof(Elf64_Phdr), sizeof(Elf32_Phdr), widen_segment,
}, section_entry = {
	sizeof(Elf64_Shdr), sizeof(Elf32_Shdr), widen_section,
};

static size_t size_in_file(const struct libsp_elf *elf, const struct entry *entry)
{
	return is_narrow(elf) ? entry->narrow : entry->wide;
}

/* Return: 0 and the entries, of 64 bits, to be freed; or a negative code. */
static int read_entries(const struct libsp_elf *elf, const struct entry *entry,
			uint64_t offset, size_t count, void **entries,
			struct schedprof_error *error)
{
	int result = read_part(elf, offset, count * size_in_file(elf, entry), entries, error);
	char *narrow;
	size_t i;

	if (result || !is_narrow(elf))
		return result;
	narrow = *entries;
	*entries = malloc(count ? count * entry->wide : 1);
	for (i = 0; *entries && i < count; i++)
		entry->widen((char *)*entries + i * entry->wide, narrow + i * entry->narrow);
	free(narrow);
	return *entries ? 0 : libsp_no_memory(error);
}

static int check_header(const struct libsp_elf *elf, bool any, struct schedprof_error *error)
{
	const Elf64_Ehdr *header = &elf->header;
	static const uint16_t one = 1;
	unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s is no ELF file; name a program or a library",
				  elf->name);
	if (header->e_ident[EI_DATA] != order ||
	    (header->e_ident[EI_CLASS] != ELFCLASS64 && !(any && is_narrow(elf))) ||
	    (header->e_machine != EM_X86_64 && !any))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s is of another machine; unwind tables are made for x86-64 only",
				  elf->name);
	if (header->e_phnum == PN_XNUM ||
	    (header->e_phnum && header->e_phentsize != size_in_file(elf, &segment_entry)))
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
	size_t size = size_in_file(elf, &section_entry);
	const Elf64_Ehdr *header = &elf->header;
	uint64_t count = header->e_shnum, strings = header->e_shstrndx;
	Elf64_Shdr *first;
	void *bytes;
	int result;

	if (!header->e_shoff || header->e_shentsize != size ||
	    !is_inside(elf, header->e_shoff, size))
		return 0;
	result = read_entries(elf, &section_entry, header->e_shoff, 1, &bytes, error);
	if (result)
		return result;
	first = bytes;
	if (!count)
		count = first->sh_size;
	if (strings == SHN_XINDEX)
		strings = first->sh_link;
	free(first);
	if (count > MAX_SECTIONS || strings >= count ||
	    !is_inside(elf, header->e_shoff, count * size))
		return 0;
	result = read_entries(elf, &section_entry, header->e_shoff, count, &bytes, error);
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

/* @any: of another machine, or of 32 bits, too */
static int open_image(struct libsp_elf *elf, bool any, struct schedprof_error *error)
{
	size_t size = sizeof(elf->header);
	void *bytes;
	int result;

	/* A short file is no ELF file. */
	if (elf->size < size)
		size = (size_t)elf->size;
	result = read_at(elf, 0, &elf->header, size, error);
	if (!result && is_narrow(elf))
		widen_header(&elf->header);
	if (!result)
		result = check_header(elf, any, error);
	if (!result && size < sizeof(elf->header))
		result = damaged(elf, size, "it ends too early", error);
	if (result)
		return result;
	result = read_entries(elf, &segment_entry, elf->header.e_phoff, elf->header.e_phnum,
			      &bytes, error);
	if (result)
		return result;
	elf->segments = bytes;
	elf->segment_count = elf->header.e_phnum;
	result = read_sections(elf, error);
	if (result)
		libsp_elf_close(elf);
	return result;
}

/*
 * @elf: fd or memory, size and name are set, the rest is zero. Return: 0, and the caller
 * calls libsp_elf_close(); or a negative code.
 */
int libsp_elf_open(struct libsp_elf *elf, struct schedprof_error *error)
{
	return open_image(elf, false, error);
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

/*
 * Looks for a build-id in a part of the file. Return: 0 and how many bytes it has, copied if
 * there is @room for them, or 0 if there is none; or a negative code.
 */
static int read_build_id(const struct libsp_elf *elf, uint64_t offset, uint64_t size,
			 uint64_t align, unsigned char *id, size_t room, size_t *bytes,
			 struct schedprof_error *error)
{
	const unsigned char *found;
	void *notes;
	int result;

	*bytes = 0;
	if (size > MAX_NOTES)
		return 0;
	result = read_part(elf, offset, size, &notes, error);
	if (result)
		return result;
	*bytes = find_build_id(notes, size, align == 8 ? 8 : 4, &found);
	if (*bytes && *bytes <= room)
		memcpy(id, found, *bytes);
	free(notes);
	return 0;
}

/* Goes over all segments of notes, up to one that has a build-id. As read_build_id(). */
static int id_of_segments(const struct libsp_elf *elf, unsigned char *id, size_t room,
			  size_t *bytes, struct schedprof_error *error)
{
	const Elf64_Phdr *segment = elf->segments;
	unsigned int i;
	int result = 0;

	*bytes = 0;
	for (i = 0; !result && !*bytes && i < elf->segment_count; i++, segment++)
		if (segment->p_type == PT_NOTE)
			result = read_build_id(elf, segment->p_offset, segment->p_filesz,
					       segment->p_align, id, room, bytes, error);
	return result;
}

/* The same of sections. */
static int id_of_sections(const struct libsp_elf *elf, unsigned char *id, size_t room,
			  size_t *bytes, struct schedprof_error *error)
{
	const Elf64_Shdr *section = elf->sections;
	unsigned int i, notes = 0;
	int result = 0;

	*bytes = 0;
	for (i = 0; !result && !*bytes && i < elf->section_count; i++, section++)
		if (section->sh_type == SHT_NOTE && notes++ < MAX_NOTE_SECTIONS)
			result = read_build_id(elf, section->sh_offset, section->sh_size,
					       section->sh_addralign, id, room, bytes, error);
	return result;
}

/* @id: has room for LIBSP_ELF_MAX_BUILD_ID. Return: 0 or a negative code. */
int libsp_elf_build_id(const struct libsp_elf *elf, unsigned char *id, uint32_t *bytes,
		       struct schedprof_error *error)
{
	size_t size;
	int result = id_of_segments(elf, id, LIBSP_ELF_MAX_BUILD_ID, &size, error);

	if (result)
		return result;
	if (size > LIBSP_ELF_MAX_BUILD_ID)
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "the build-id of %s has %zu bytes; link it again with --build-id=sha1",
				  elf->name, size);
	*bytes = (uint32_t)size;
	if (size)
		return 0;
	return libsp_fail(error, SCHEDPROF_NOT_FOUND,
			  "%s has no build-id, by which its unwind table would be found; link it with --build-id",
			  elf->name);
}

/* Opens a file of any machine. Return: false if it is none. */
static bool open_any(struct libsp_elf *elf, int fd)
{
	struct stat status;

	*elf = (struct libsp_elf){ .fd = fd, .name = "" };
	if (fstat(fd, &status))
		return false;
	elf->size = (uint64_t)status.st_size;
	return !open_image(elf, true, NULL);
}

/*
 * Is the file one of that build-id? @wanted: in hexadecimal. In separate debug files, segments
 * need not be where their headers tell, and sections are; programs need have no sections.
 */
bool libsp_has_build_id(int fd, const char *wanted)
{
	char text[2 * MAX_BUILD_ID + 1] = "";
	unsigned char id[MAX_BUILD_ID];
	struct libsp_elf elf;
	size_t bytes;

	if (!open_any(&elf, fd))
		return false;
	if (id_of_sections(&elf, id, sizeof(id), &bytes, NULL) || !bytes)
		id_of_segments(&elf, id, sizeof(id), &bytes, NULL);
	libsp_elf_close(&elf);
	if (bytes && bytes <= sizeof(id))
		libsp_hex(text, id, bytes);
	return bytes && !strcmp(text, wanted);
}

/* Is the last byte of a table of texts a NUL? Only then the end of each text is near. */
static bool ends_in_text(const struct libsp_elf *elf, const Elf64_Shdr *section)
{
	char last = '\0';

	if (section->sh_flags & SHF_COMPRESSED)
		return false;
	/* What is not in the file is not read. */
	if (!section->sh_size || !is_inside(elf, section->sh_offset, section->sh_size))
		return true;
	return !read_at(elf, section->sh_offset + section->sh_size - 1, &last, 1, NULL) && !last;
}

/* The same of all, however they are named. */
static bool end_in_texts(const struct libsp_elf *elf)
{
	size_t size = size_in_file(elf, &section_entry), count = elf->header.e_shnum, i;
	const Elf64_Shdr *sections;
	void *bytes;

	if (!elf->header.e_shoff || !is_inside(elf, elf->header.e_shoff, count * size))
		return true;
	if (read_entries(elf, &section_entry, elf->header.e_shoff, count, &bytes, NULL))
		return false;
	sections = bytes;
	for (i = 0; i < count; i++)
		if (sections[i].sh_type == SHT_STRTAB && !ends_in_text(elf, &sections[i]))
			break;
	free(bytes);
	return i == count;
}

/*
 * May a file be given to libelf? That takes memory for all sections before it can be asked how
 * many there are. Only files that are no programs have so many that the header cannot tell. And
 * it looks for the end of each name from the end of all, if that is none: @of_others, not with
 * those.
 */
bool libsp_elf_is_bounded(int fd, bool of_others)
{
	struct libsp_elf elf;
	bool is;

	if (!open_any(&elf, fd))
		return false;
	is = (elf.header.e_shnum || !elf.header.e_shoff) && (!of_others || end_in_texts(&elf));
	libsp_elf_close(&elf);
	return is;
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
