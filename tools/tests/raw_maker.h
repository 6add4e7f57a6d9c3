/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes files like the module's raw, from src/report/raw_format.h alone: nothing of the
 * library is used, so that what it reads can be compared with what was meant. Also
 * makes damaged ones, with right checksums. One thread.
 */
#ifndef RAW_MAKER_H
#define RAW_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raw_format.h"

struct raw_maker {
	unsigned char *at;
	size_t size;
	size_t room;		/* bytes that are allocated */
	uint64_t records;	/* of this sequence */
	bool swap;		/* to the other byte order */
	bool cycles;		/* raw_standard(): of a session with the clock tsc */
	uint32_t cgroup;	/* raw_task(): number of its */
	unsigned int longer;	/* bytes that records of fixed size are too long */
};

/* The whole program ends if there is no memory. */
size_t raw_put(struct raw_maker *maker, uint32_t kind, const void *body, size_t size,
	       const void *rest, size_t rest_size);
void raw_begin(struct raw_maker *maker);
size_t raw_end(struct raw_maker *maker);
void raw_text(struct raw_maker *maker, uint32_t kind, const char *text);
void raw_symbol(struct raw_maker *maker, uint64_t address, const char *text);
void raw_mapping(struct raw_maker *maker, const struct sp_raw_mapping *mapping,
		 const char *path);
void raw_file(struct raw_maker *maker, const struct sp_raw_file *file);
void raw_files(struct raw_maker *maker, uint32_t first, const uint32_t *numbers,
	       uint32_t count);
void raw_stack(struct raw_maker *maker, uint32_t number, uint32_t flags,
	       const char *waker, const uint64_t *frames, uint32_t count);
void raw_waker(struct raw_maker *maker, uint32_t stack, uint32_t user, uint32_t image);
void raw_task(struct raw_maker *maker, uint32_t number, int32_t tid, int32_t tgid,
	      const char *comm, const char *leader);
void raw_entry(struct raw_maker *maker, uint32_t task, uint32_t kernel, uint32_t user,
	       uint64_t total, uint64_t count);
void raw_free(struct raw_maker *maker);

/* A small sequence with something of every kind; @scale multiplies times. */
void raw_standard(struct raw_maker *maker, uint64_t scale);

/* One with that many tasks, stacks and entries. */
void raw_large(struct raw_maker *maker, uint32_t tasks, uint32_t stacks);

#endif
