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
