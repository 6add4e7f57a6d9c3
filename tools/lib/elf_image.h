/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * elf_image: parts of an ELF file, or of one that is in memory. Anybody may have made it,
 * so each size is checked, and nothing is mapped: a file that somebody cuts meanwhile is a
 * damaged one. An image is used by one thread.
 */
#ifndef LIBSP_ELF_IMAGE_H
#define LIBSP_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>

#include "schedprof.h"

/* Of a section; the largest programs (browsers, compilers) have a quarter of it. */
#define LIBSP_ELF_MAX_SECTION	67108864
#define LIBSP_ELF_MAX_BUILD_ID	20	/* as in the kernel */

struct libsp_elf {
	int fd;				/* -1: in memory; not closed */
	const unsigned char *memory;
	uint64_t size;
	const char *name;		/* for messages */
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	unsigned int segment_count;
	Elf64_Shdr *sections;		/* NULL: there are none that can be used */
	unsigned int section_count;
	char *names;			/* of sections, with a NUL behind */
	size_t names_size;
};

/* What is in a section. */
struct libsp_section {
	unsigned char *bytes;		/* NULL: there is no such section; to be freed */
	size_t size;
	uint64_t address;
};

int libsp_elf_open(struct libsp_elf *elf, struct schedprof_error *error);
void libsp_elf_close(struct libsp_elf *elf);
int libsp_elf_build_id(const struct libsp_elf *elf, unsigned char *id, uint32_t *bytes,
		       struct schedprof_error *error);
bool libsp_has_build_id(int fd, const char *wanted);
bool libsp_elf_is_bounded(int fd, bool of_others);
int libsp_elf_section(const struct libsp_elf *elf, const char *name,
		      struct libsp_section *section, struct schedprof_error *error);
int libsp_elf_unwind_segment(const struct libsp_elf *elf, struct libsp_section *section,
			     struct schedprof_error *error);
const Elf64_Phdr *libsp_elf_code_at(const struct libsp_elf *elf, uint64_t address);

#endif
