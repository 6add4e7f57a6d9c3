/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * generated: names of code that programs generated. Whoever has a struct libsp_generated
 * lets one thread at a time use it.
 */
#ifndef LIBSP_GENERATED_H
#define LIBSP_GENERATED_H

#include "arena.h"
#include "find_generated.h"

/*
 * So many bytes are kept of the files of all processes; the last one may go beyond that. A test
 * has less.
 */
#ifndef LIBSP_MAX_GENERATED
#define LIBSP_MAX_GENERATED	((uint64_t)1 << 30)
#endif

struct libsp_generated {
	struct libsp_arena *arena;	/* of the texts */
	uint64_t room;			/* bytes that may still be kept of files */
	uint64_t taken;			/* and those that programs have of them */
	uint64_t taken_ns;		/* of the latest recording so far */
	void *texts;			/* tree of char[] */
	void *programs;			/* tree of struct program */
};

/* Where an address is; strings are of the arena. */
struct libsp_generated_place {
	const char *name;
	uint64_t offset;
	uint64_t size;
	const char *source;	/* NULL: not known */
	unsigned int line;	/* 0: not known */
};

int libsp_generated_find(struct libsp_generated *generated,
			 const struct libsp_generator *generator, uint64_t address,
			 uint64_t time, struct libsp_generated_place *place);
void libsp_generated_forget(struct libsp_generated *generated);

#endif
