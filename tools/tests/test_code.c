// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_code: names of code that programs generate: what is in files perf-PID.map and
 * jit-PID.dump, and what of it was where, and when. What the files say is written here, by
 * their specifications. One thread.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "code_table.h"
#include "dump_maker.h"
#include "jitdump.h"
#include "perf_map.h"

#define ANY UINT64_MAX

/* A file of these bytes, open, and without a name. */
static int file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && !lseek(fd, 0, SEEK_SET));
	return fd;
}

static void check_name(const struct libsp_code_table *table, uint64_t address, uint64_t time,
		       const char *name, uint64_t offset)
{
	const struct libsp_code *code = libsp_code_find(table, address, time);

	CHECK_TEXT(code ? code->name : NULL, name);
	if (code)
		CHECK_NUMBER(address - code->start, offset);
}

static struct libsp_code_table read_map(const char *text, size_t size)
{
	struct libsp_code_table table = { };
	int fd = file_of(text, size);

	CHECK(libsp_perf_map_read(fd, &table) && libsp_code_ready(&table));
	close(fd);
	return table;
}

static void maps(void)
{
	static const char text[] =
		"1000 20 first\n"
		"0x2000 0X10 LazyCompile:*with blanks /a b.js:1:2\n"
		"3000 100 old\n"
		"3040 20 new\n"
		"4000 10 whole\n3ff8 10 later, and before it\n"
		"5000 10 dos\r\n"
		"6000 0 empty\n"
		"\n# nothing\n7000\n7000 10\n7000 10 " "\nzz 10 name\n7000 zz name\n"
		"7000x 10 name\n10000000000000000 10 name\n"
		"ffffffffffffffff 2 around the end\n"
		"ffffffffffffff00 ff last\n"
		"8000 10 a\033[31m\tb\001c\177d\302\233e\303\244\n"
		"9000 10 nobody has written the end of it";
	struct libsp_code_table table = read_map(text, sizeof(text) - 1);

	check_name(&table, 0xfff, ANY, NULL, 0);
	check_name(&table, 0x1000, ANY, "first", 0);
	check_name(&table, 0x101f, ANY, "first", 0x1f);
	check_name(&table, 0x1020, ANY, NULL, 0);
	check_name(&table, 0x200f, ANY, "LazyCompile:*with blanks /a b.js:1:2", 0xf);
	check_name(&table, 0x303f, ANY, "old", 0x3f);
	check_name(&table, 0x3040, ANY, "new", 0);
	check_name(&table, 0x305f, ANY, "new", 0x1f);
	check_name(&table, 0x3060, ANY, "old", 0x60);
	check_name(&table, 0x4007, ANY, "later, and before it", 0xf);
	check_name(&table, 0x4008, ANY, "whole", 8);
	check_name(&table, 0x5000, ANY, "dos", 0);
	check_name(&table, 0x6000, ANY, NULL, 0);
	check_name(&table, 0x7000, ANY, NULL, 0);
	check_name(&table, 0, ANY, NULL, 0);
	check_name(&table, UINT64_MAX, ANY, NULL, 0);
	check_name(&table, UINT64_MAX - 2, ANY, "last", 0xfd);
	check_name(&table, 0x8001, ANY, "a?[31m?b?c?d??e\303\244", 1);
	check_name(&table, 0x9000, ANY, NULL, 0);
	libsp_code_free(&table);
	table = read_map("", 0);
	check_name(&table, 0, ANY, NULL, 0);
	libsp_code_free(&table);
}

static size_t padding_of(size_t line)
{
	return line * 1237 % 8000;
}

/* Lines of all lengths, over what is read at a time, and one that is longer than that. */
static void long_lines(void)
{
	enum { LINES = 100, TOO_LONG = 200000 };
	struct libsp_code_table table;
	char *text = NULL, name[32];
	size_t i, size;
	FILE *out = open_memstream(&text, &size);

	for (i = 1; i <= LINES; i++)
		fprintf(out, "%zx 8 n%zu,%*s\n", i * 8, i, (int)padding_of(i), "x");
	/* One that seems to begin where its first part ends does not, either. */
	fprintf(out, "8 8 never%*s\n", TOO_LONG, "8 8 nor this");
	fprintf(out, "1000 8 after it\n");
	fclose(out);
	table = read_map(text, size);
	for (i = 1; i <= LINES; i++) {
		const struct libsp_code *code = libsp_code_find(&table, i * 8, ANY);
		int length = snprintf(name, sizeof(name), "n%zu,", i);
		size_t wanted = (size_t)length + (padding_of(i) ? padding_of(i) : 1);

		if (!CHECK(code))
			break;
		CHECK(!strncmp(code->name, name, (size_t)length));
		CHECK_NUMBER(strlen(code->name), wanted < 4096 ? wanted : 4096);
	}
	check_name(&table, 0x1000, ANY, "after it", 0);
	libsp_code_free(&table);
	free(text);
}

/* Numbers that are the same each time. */
static uint64_t dice(uint64_t sides)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % sides;
}

/* Code comes to places at random: what is at each address at each time, by painting it. */
static void later_wins(void)
{
	enum { SPACE = 200, TIMES = 40 };
	static int painted[TIMES][SPACE];
	struct libsp_code_table table;
	char names[TIMES][8];
	unsigned int round, time, at;

	for (round = 0; round < 50; round++) {
		table = (struct libsp_code_table){ };
		memset(painted, 0xff, sizeof(painted));
		for (time = 0; time < TIMES; time++) {
			struct libsp_code code = { .time = 10 + time / 2 * 10 };

			code.start = dice(SPACE);
			code.end = code.start + dice(SPACE - code.start);
			snprintf(names[time], sizeof(names[time]), "%u", time);
			/* Some of it only goes. */
			if (dice(8))
				code.name = names[time];
			if (time)
				memcpy(painted[time], painted[time - 1], sizeof(painted[0]));
			for (at = (unsigned int)code.start; at < code.end; at++)
				painted[time][at] = code.name ? (int)time : -1;
			CHECK(libsp_code_add(&table, &code));
		}
		CHECK(libsp_code_ready(&table));
		for (time = 1; time < TIMES; time += 2)
			for (at = 0; at < SPACE; at++) {
				int is = painted[time][at];
				const struct libsp_code *code;

				code = libsp_code_find(&table, at, 10 + time / 2 * 10 + 9);
				CHECK_TEXT(code ? code->name : NULL,
					   is < 0 ? NULL : names[is]);
			}
		CHECK(!libsp_code_find(&table, 5, 9));
		libsp_code_free(&table);
	}
}

/* Lines 10, 20, 30 of @name, every 8 bytes from @from on; of the function at @address. */
static void put_lines(struct dump *dump, uint64_t address, uint64_t from, const char *name)
{
	size_t at = dump_record(dump, 2, 0);
	unsigned int i;

	dump_put(dump, address, 8);
	dump_put(dump, 3, 8);
	for (i = 0; i < 3; i++) {
		dump_put(dump, from + 8 * i, 8);
		dump_put(dump, 10 + 10 * i, 4);
		dump_put(dump, 0, 4);
		dump_put_text(dump, i == 1 ? "\xff" : name);
	}
	dump_end_record(dump, at);
}

static void put_other(struct dump *dump, uint32_t id)
{
	size_t at = dump_record(dump, id, 0);

	dump_put(dump, 0x123456789, 8);
	dump_end_record(dump, at);
}

static struct libsp_code_table read_dump(const struct dump *dump, size_t size, bool *timed)
{
	struct libsp_code_table table = { };
	int fd = file_of(dump->bytes, size);
	uint64_t until;

	CHECK(libsp_jitdump_read(fd, &table, timed, &until) && libsp_code_ready(&table));
	CHECK_NUMBER(until, ANY);
	close(fd);
	return table;
}

static void put_all(struct dump *dump, uint64_t flags)
{
	dump_begin(dump, flags);
	dump_load(dump, 100, 0x1000, 0x20, 1, "first");
	put_other(dump, 4);
	dump_load(dump, 200, 0x2000, 0x20, 2, "second");
	put_other(dump, 77);
	/* Something else takes the place of the first one. */
	dump_load(dump, 300, 0x1000, 0x10, 3, "third\nline");
	dump_move(dump, 400, 0x2000, 0x3000, 0x20, 2);
	/* Nobody knows that number, or it is elsewhere. */
	dump_move(dump, 500, 0x1000, 0x4000, 0x10, 99);
	dump_move(dump, 500, 0x9000, 0x4000, 0x10, 3);
	dump_load(dump, 600, UINT64_MAX - 8, 0x20, 4, "around the end");
	dump_load(dump, 700, 0x5000, 0x20, 5, "last");
}

static void dumps(void)
{
	bool timed, swap;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct dump dump = { .swap = i };
		struct libsp_code_table table;

		put_all(&dump, 0);
		table = read_dump(&dump, dump.size, &timed);
		CHECK(timed);
		check_name(&table, 0x1008, 99, NULL, 0);
		check_name(&table, 0x1008, 100, "first", 8);
		check_name(&table, 0x1008, 299, "first", 8);
		check_name(&table, 0x1008, 300, "third?line", 8);
		check_name(&table, 0x1018, 300, "first", 0x18);
		check_name(&table, 0x2008, 399, "second", 8);
		check_name(&table, 0x2008, 400, NULL, 0);
		check_name(&table, 0x3008, 399, NULL, 0);
		check_name(&table, 0x3008, 400, "second", 8);
		check_name(&table, 0x4008, ANY, NULL, 0);
		check_name(&table, UINT64_MAX - 4, ANY, NULL, 0);
		check_name(&table, 0x501f, ANY, "last", 0x1f);
		check_name(&table, 0x5020, ANY, NULL, 0);
		libsp_code_free(&table);
	}
	/* Times that are cycles tell the order and nothing else. */
	for (swap = false; ; swap = true) {
		struct dump dump = { .swap = swap };
		struct libsp_code_table table;

		put_all(&dump, 1);
		table = read_dump(&dump, dump.size, &timed);
		CHECK(!timed);
		check_name(&table, 0x1008, ANY, "third?line", 8);
		check_name(&table, 0x3008, ANY, "second", 8);
		libsp_code_free(&table);
		if (swap)
			break;
	}
}

static void check_line(const struct libsp_code_table *table, uint64_t address,
		       unsigned int line, const char *source)
{
	const struct libsp_code *code = libsp_code_find(table, address, ANY);
	const struct libsp_code_line *found = code ? libsp_code_line_find(code, address) : NULL;

	CHECK_TEXT(found ? found->source : NULL, source);
	if (found)
		CHECK_NUMBER(found->line, line);
}

static void lines(void)
{
	struct libsp_code_table table;
	struct dump dump = { };
	bool timed;

	dump_begin(&dump, 0);
	put_lines(&dump, 0x1000, 0x1004, "/a b.js");
	dump_load(&dump, 1, 0x1000, 0x20, 1, "with lines");
	dump_load(&dump, 1, 0x2000, 0x20, 2, "without");
	put_lines(&dump, 0x1000, 0x1000, "/other.js");
	dump_load(&dump, 1, 0x3000, 0x20, 3, "of another one");
	/* What is not of the function, or no name of a file, as Node.js 20 writes it. */
	put_lines(&dump, 0x4000, 0x4040, "/shifted.js");
	dump_load(&dump, 1, 0x4000, 0x100, 4, "shifted");
	put_lines(&dump, 0x5000, 0x5000, "&\022\002");
	dump_load(&dump, 1, 0x5000, 0x20, 5, "no name");
	put_lines(&dump, 0x6000, 0x6010, "/too_far.js");
	dump_load(&dump, 1, 0x6000, 0x10, 6, "too far");
	put_lines(&dump, 0x7000, 0x6ff8, "/before.js");
	dump_load(&dump, 1, 0x7000, 0x20, 7, "before");
	put_lines(&dump, 0x8000, 0x8000, "/moved.js");
	dump_load(&dump, 1, 0x8000, 0x20, 8, "moved");
	dump_move(&dump, 2, 0x8000, 0x9000, 0x20, 8);
	table = read_dump(&dump, dump.size, &timed);
	check_line(&table, 0x1003, 0, NULL);
	check_line(&table, 0x1004, 10, "/a b.js");
	check_line(&table, 0x100b, 10, "/a b.js");
	check_line(&table, 0x100c, 20, "/a b.js");
	check_line(&table, 0x101f, 30, "/a b.js");
	check_line(&table, 0x2008, 0, NULL);
	check_line(&table, 0x3008, 0, NULL);
	check_line(&table, 0x4048, 0, NULL);
	check_line(&table, 0x5008, 0, NULL);
	check_line(&table, 0x600f, 0, NULL);
	check_line(&table, 0x7008, 0, NULL);
	check_line(&table, 0x9009, 20, "/moved.js");
	libsp_code_free(&table);
}

/* A program writes on while it is read: what came before is there, wherever it is cut. */
static void cut_off(void)
{
	struct libsp_code_table table;
	struct dump dump = { };
	size_t size, before_last;
	uint64_t until;
	bool timed;
	int fd;

	put_all(&dump, 0);
	before_last = dump.size;
	put_lines(&dump, 0x6000, 0x6000, "/a.js");
	dump_load(&dump, 800, 0x6000, 0x20, 6, "end");
	for (size = 40; size <= dump.size; size++) {
		table = read_dump(&dump, size, &timed);
		/* The code itself, at the end of a record, is not needed. */
		check_name(&table, 0x1008, 250, size >= 40 + 16 + 40 + 6 ? "first" : NULL, 8);
		check_name(&table, 0x5008, ANY, size >= before_last ? "last" :
			   libsp_code_find(&table, 0x5008, ANY) ? "last" : NULL, 8);
		check_name(&table, 0x6008, ANY, size + 0x20 >= dump.size ? "end" : NULL, 8);
		libsp_code_free(&table);
	}
	for (size = 0; size < 40; size++) {
		table = (struct libsp_code_table){ };
		fd = file_of(dump.bytes, size);
		CHECK(!libsp_jitdump_read(fd, &table, &timed, &until));
		close(fd);
		libsp_code_free(&table);
	}
}

/* Whatever bytes are other ones: it ends, and what has a name is a name. */
static void damaged(void)
{
	struct dump good = { }, bad;
	unsigned int i, j;
	uint64_t until;
	bool timed;

	put_all(&good, 0);
	put_lines(&good, 0x6000, 0x6000, "/a.js");
	dump_load(&good, 800, 0x6000, 0x20, 6, "end");
	for (i = 0; i < 20000; i++) {
		struct libsp_code_table table = { };
		uint64_t address;
		int fd;

		bad = good;
		for (j = 0; j < 1 + i % 4; j++)
			bad.bytes[dice(bad.size)] = (unsigned char)dice(256);
		fd = file_of(bad.bytes, bad.size);
		if (libsp_jitdump_read(fd, &table, &timed, &until) &&
		    CHECK(libsp_code_ready(&table)))
			for (address = 0; address < 0x7000; address += 0x108) {
				const struct libsp_code *code;

				code = libsp_code_find(&table, address, ANY);
				CHECK(!code || (strlen(code->name) < 64 &&
						address - code->start < code->end - code->start));
				if (code)
					libsp_code_line_find(code, address);
			}
		close(fd);
		libsp_code_free(&table);
	}
}

/* What this process has read so far, in bytes; 0 where the kernel does not count that. */
static uint64_t bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	uint64_t bytes = 0;

	if (io && fscanf(io, "rchar: %" SCNu64, &bytes) != 1)
		bytes = 0;
	if (io)
		fclose(io);
	return bytes;
}

/* Descriptions that are holes of a file take no room, and are not all read. */
static void holes(void)
{
	enum { HOLES = 200, HOLE = 16 << 20 };
	static const uint32_t ids[] = { 2, 4 };
	unsigned int i, j;

	for (i = 0; i < 2; i++) {
		struct libsp_code_table table = { };
		struct dump dump = { };
		uint64_t before, until;
		bool timed, whole;
		int fd;

		dump_begin(&dump, 0);
		fd = file_of(dump.bytes, dump.size);
		for (j = 0; j < HOLES; j++) {
			uint32_t header[4] = { ids[i], HOLE };

			CHECK(pwrite(fd, header, sizeof(header),
				     (off_t)(dump.size + (uint64_t)j * HOLE)) ==
			      sizeof(header));
		}
		CHECK(!ftruncate(fd, (off_t)(dump.size + (uint64_t)HOLES * HOLE)));
		before = bytes_read();
		CHECK(libsp_jitdump_read(fd, &table, &timed, &until));
		CHECK(bytes_read() - before < (uint64_t)300 << 20);
		libsp_code_free(&table);
		CHECK(libsp_jitdump_frames(fd, &table, &whole) && whole);
		CHECK(bytes_read() - before < (uint64_t)600 << 20);
		libsp_code_free(&table);
		close(fd);
	}
}

/* More lines than are kept, the last of which takes the place of the first one. */
static void too_many_lines(void)
{
	struct libsp_code_table table = { };
	char *text = NULL;
	size_t i, size;
	FILE *out = open_memstream(&text, &size);
	int fd;

	for (i = 0; i < LIBSP_MAX_CODE; i++)
		fprintf(out, "%zx 8 old\n", 0x1000 + i * 8);
	fflush(out);
	table = read_map(text, size);
	check_name(&table, 0x1000, ANY, "old", 0);
	libsp_code_free(&table);
	fprintf(out, "1000 8 new\n");
	fclose(out);
	fd = file_of(text, size);
	CHECK(!libsp_perf_map_read(fd, &table) && table.full);
	close(fd);
	libsp_code_free(&table);
	free(text);
}

/* A file that has more bytes than are read, and no more names than there is room for. */
static void too_many_bytes(void)
{
	struct libsp_code_table table = { };
	int fd = file_of("1000 8 name\n", 12);

	CHECK(!ftruncate(fd, (1 << 30) + 1) && !libsp_perf_map_read(fd, &table) && table.full);
	libsp_code_free(&table);
	close(fd);
	/* More names than are kept. */
	CHECK(libsp_code_room(&table, LIBSP_MAX_CODE_BYTES - 2) && !table.full);
	CHECK(libsp_code_text(&table, "a", 1) && !table.full);
	CHECK(!libsp_code_text(&table, "", 0) && table.full);
	libsp_code_free(&table);
}

/* Of what cannot be read, nobody knows what it takes the place of. */
static void unreadable(void)
{
	struct libsp_code_table table = { };
	uint64_t until;
	bool timed;
	int fd = open("/", O_RDONLY | O_CLOEXEC);

	CHECK(!libsp_perf_map_read(fd, &table));
	CHECK(!libsp_jitdump_read(fd, &table, &timed, &until));
	CHECK(!table.full);
	close(fd);
	libsp_code_free(&table);
}

/* So many functions, and another one where the first one is. Return: the file, open. */
static int many_loads(uint64_t flags, size_t count)
{
	struct dump dump = { };
	char *bytes = NULL;
	size_t i, size;
	FILE *out = open_memstream(&bytes, &size);
	int fd;

	dump_begin(&dump, flags);
	for (i = 0; i <= count; i++) {
		fwrite(dump.bytes, 1, dump.size, out);
		dump.size = 0;
		dump_load(&dump, 10 + i, 0x1000 + i % count * 8, 8, i % 4,
			  i < count ? "old" : "new");
	}
	fwrite(dump.bytes, 1, dump.size, out);
	fclose(out);
	fd = file_of(bytes, size);
	free(bytes);
	return fd;
}

/* Of times before the end of what was read, all is known; without times there is no before. */
static void too_many_loads(void)
{
	struct libsp_code_table table = { };
	uint64_t until;
	bool timed, whole;
	int fd = many_loads(0, LIBSP_MAX_CODE);

	CHECK(libsp_jitdump_read(fd, &table, &timed, &until) && libsp_code_ready(&table));
	CHECK(timed && table.full);
	CHECK_NUMBER(until, 10 + LIBSP_MAX_CODE);
	check_name(&table, 0x1000, until - 1, "old", 0);
	libsp_code_free(&table);
	CHECK(libsp_jitdump_frames(fd, &table, &whole) && !whole);
	libsp_code_free(&table);
	close(fd);
	fd = many_loads(1, LIBSP_MAX_CODE);
	CHECK(!libsp_jitdump_read(fd, &table, &timed, &until) && table.full);
	libsp_code_free(&table);
	close(fd);
}

static const struct test tests[] = {
	{ "maps", maps },
	{ "long lines", long_lines },
	{ "later code wins", later_wins },
	{ "dumps", dumps },
	{ "lines of source", lines },
	{ "dumps that are cut off", cut_off },
	{ "dumps that are damaged", damaged },
	{ "holes", holes },
	{ "too many lines", too_many_lines },
	{ "too many bytes", too_many_bytes },
	{ "too many loads", too_many_loads },
	{ "what cannot be read", unreadable },
};

int main(void)
{
	return check_run("code", tests, sizeof(tests) / sizeof(tests[0]));
}
