/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_maker: makes files jit-PID.dump, by their specification alone. One thread.
 */
#ifndef DUMP_MAKER_H
#define DUMP_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero at first. */
struct dump {
	unsigned char bytes[524288];
	size_t size;
	bool swap;		/* to the other byte order */
};

/* From there on in a function, its caller's stack pointer is so many bytes above. */
struct dump_rule {
	uint32_t at;	/* less than 64 bytes behind the one before */
	uint8_t cfa;	/* less than 128 */
};

void dump_put(struct dump *dump, uint64_t number, unsigned int size);
void dump_put_text(struct dump *dump, const char *text);
void dump_begin(struct dump *dump, uint64_t flags);
size_t dump_record(struct dump *dump, uint32_t id, uint64_t time);
void dump_end_record(struct dump *dump, size_t at);
void dump_load(struct dump *dump, uint64_t time, uint64_t address, uint64_t size,
	       uint64_t index, const char *name);
void dump_move(struct dump *dump, uint64_t time, uint64_t from, uint64_t to, uint64_t size,
	       uint64_t index);
void dump_unwinding(struct dump *dump, uint64_t code_size, const struct dump_rule *rules,
		    unsigned int count);
void dump_unwinding_of(struct dump *dump, uint64_t code_size, int start, uint64_t size,
		       const struct dump_rule *rules, unsigned int count);

#endif
