// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump_maker: makes files jit-PID.dump, independently of the code of the library that reads
 * them. A struct dump is used by one thread.
 */
#include <string.h>

#include "dump_maker.h"

void dump_put(struct dump *dump, uint64_t number, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		dump->bytes[dump->size++] =
			(unsigned char)(number >> 8 * (dump->swap ? size - 1 - i : i));
}

void dump_put_text(struct dump *dump, const char *text)
{
	memcpy(dump->bytes + dump->size, text, strlen(text) + 1);
	dump->size += strlen(text) + 1;
}

void dump_begin(struct dump *dump, uint64_t flags)
{
	dump_put(dump, 0x4a695444, 4);
	dump_put(dump, 1, 4);
	dump_put(dump, 40, 4);
	dump_put(dump, 62, 4);
	dump_put(dump, 0, 4);
	dump_put(dump, 1234, 4);
	dump_put(dump, 5, 8);
	dump_put(dump, flags, 8);
}

size_t dump_record(struct dump *dump, uint32_t id, uint64_t time)
{
	size_t at = dump->size;

	dump_put(dump, id, 4);
	dump_put(dump, 0, 4);
	dump_put(dump, time, 8);
	return at;
}

void dump_end_record(struct dump *dump, size_t at)
{
	size_t end = dump->size;

	dump->size = at + 4;
	dump_put(dump, end - at, 4);
	dump->size = end;
}

void dump_load(struct dump *dump, uint64_t time, uint64_t address, uint64_t size,
	       uint64_t index, const char *name)
{
	size_t at = dump_record(dump, 0, time);

	dump_put(dump, 1234, 4);
	dump_put(dump, 1235, 4);
	dump_put(dump, address, 8);
	dump_put(dump, address, 8);
	dump_put(dump, size, 8);
	dump_put(dump, index, 8);
	dump_put_text(dump, name);
	memset(dump->bytes + dump->size, 0xcc, size);
	dump->size += size;
	dump_end_record(dump, at);
}

void dump_move(struct dump *dump, uint64_t time, uint64_t from, uint64_t to, uint64_t size,
	       uint64_t index)
{
	size_t at = dump_record(dump, 1, time);

	dump_put(dump, 1234, 4);
	dump_put(dump, 1235, 4);
	dump_put(dump, from, 8);
	dump_put(dump, from, 8);
	dump_put(dump, to, 8);
	dump_put(dump, size, 8);
	dump_put(dump, index, 8);
	dump_end_record(dump, at);
}

/* Begins a length of four bytes. Return: where it is. */
static size_t begin_length(struct dump *dump)
{
	dump_put(dump, 0, 4);
	return dump->size - 4;
}

/* Fills up to a multiple of eight bytes with what does nothing, and says the length. */
static void end_length(struct dump *dump, size_t at, size_t begin)
{
	size_t end;

	while ((dump->size - begin) % 8)
		dump_put(dump, 0, 1);
	end = dump->size;
	dump->size = at;
	dump_put(dump, end - at - 4, 4);
	dump->size = end;
}

/* What follows is of the function that is loaded next. @start: how far behind its begin */
void dump_unwinding_of(struct dump *dump, uint64_t code_size, int start, uint64_t size,
		       const struct dump_rule *rules, unsigned int count)
{
	size_t record = dump_record(dump, 4, 0), head = dump->size, frames, at, end;
	uint32_t last = 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		dump_put(dump, 0, 8);
	frames = dump->size;
	at = begin_length(dump);
	dump_put(dump, 0, 4);
	dump_put(dump, 1, 1);
	dump_put_text(dump, "zR");
	/* Code in bytes, data in -8; return address 16; addresses relative, 4 bytes. */
	dump_put(dump, 0x1b01107801, 5);
	/* The stack pointer and 8, and there is the return address. */
	dump_put(dump, 0x019008070c, 5);
	end_length(dump, at, frames);
	at = begin_length(dump);
	dump_put(dump, dump->size - frames, 4);
	dump_put(dump, (uint64_t)(start - (int)((code_size + 7) & ~7ULL) -
				  (int)(dump->size - frames)), 4);
	dump_put(dump, size, 4);
	dump_put(dump, 0, 1);
	for (i = 0; i < count; i++) {
		/* So far on, and then so many bytes above the stack pointer. */
		if (rules[i].at > last)
			dump_put(dump, 0x40 | (rules[i].at - last), 1);
		last = rules[i].at;
		dump_put(dump, 0x0e, 1);
		dump_put(dump, rules[i].cfa, 1);
	}
	end_length(dump, at, frames);
	end = dump->size;
	/* A table to search in, which nobody here does. */
	dump_put_text(dump, "not looked at");
	dump->size = head;
	dump_put(dump, end - frames + 14, 8);
	dump_put(dump, 14, 8);
	dump_put(dump, (end - frames + 14 + 15) & ~15ULL, 8);
	dump->size = end + 14;
	dump_end_record(dump, record);
}

/* Of all of the function. */
void dump_unwinding(struct dump *dump, uint64_t code_size, const struct dump_rule *rules,
		    unsigned int count)
{
	dump_unwinding_of(dump, code_size, 0, code_size, rules, count);
}
