// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_generated_unwind: unwind tables of code that programs generate, of what they tell of
 * it in a file jit-PID.dump: each row beside what was meant; code that was replaced or moved;
 * lies; more of the same code in memory; and what the provider does of processes. The
 * process is this program. One thread, and where it is asked for by its number a second one.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <table_format.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "check.h"
#include "dump_maker.h"
#include "fake_module.h"
#include "unwind_generated.h"

#define CODE	0x7f0012345000ULL
#define ALL	(sizeof(rules) / sizeof(rules[0]))

static char directory[32] = "/tmp/schedprof-test-XXXXXX";
static char configfs[64], debugfs[64];
static struct schedprof *handle;

/* sub $24,%rsp; call *%rdi; add $24,%rsp; ret */
static const unsigned char trampoline[] = {
	0x48, 0x83, 0xec, 0x18, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x18, 0xc3,
};

static const struct dump_rule rules[] = { { 0, 8 }, { 4, 32 }, { 10, 8 } };

static int file_of(const struct dump *dump)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);

	if (CHECK(fd >= 0))
		CHECK(write(fd, dump->bytes, dump->size) == (ssize_t)dump->size);
	return fd;
}

/* Return: as libsp_unwind_of_dump(), of process 0, in whose memory nobody looks. */
static int make_of(const struct dump *dump, struct libsp_generated_unwind *made,
		   struct schedprof_error *error)
{
	static const struct sp_unwind_process process = { .start = 77 };
	int fd = file_of(dump), result;

	*error = (struct schedprof_error){ };
	result = libsp_unwind_of_dump(fd, "the dump", &process, made, error);
	CHECK(result ? -result == error->code && *error->message : made->count);
	close(fd);
	return result;
}

struct meant {
	uint32_t offset;
	int kind;
	unsigned int cfa;
};

#define UNTOLD	SCHEDPROF_UNWIND_UNTOLD
#define SP	SCHEDPROF_UNWIND_SP

static void check_rows(const struct schedprof_unwind *table, const struct meant *meant,
		       size_t count)
{
	struct schedprof_unwind_row row;
	size_t i;

	if (!CHECK_NUMBER(schedprof_unwind_row_count(table), count))
		return;
	for (i = 0; i < count; i++) {
		schedprof_unwind_row_at(table, i, &row, sizeof(row));
		CHECK_NUMBER(row.offset, meant[i].offset);
		CHECK_NUMBER(row.kind, meant[i].kind);
		CHECK_NUMBER(row.cfa, meant[i].cfa);
		CHECK_NUMBER(row.saved, 0);
	}
}

static void check_table(const struct dump *dump, const struct meant *meant, size_t count)
{
	struct libsp_generated_unwind made;
	struct schedprof_error error;

	make_of(dump, &made, &error);
	CHECK_TEXT(error.message, "");
	if (CHECK_NUMBER(made.count, 1)) {
		CHECK_TEXT(schedprof_unwind_build_id(made.table[0]), "process-0-77-7f00");
		check_rows(made.table[0], meant, count);
	}
	libsp_generated_unwind_free(&made);
}

static void told_function(void)
{
	static const struct meant meant[] = {
		{ 0, UNTOLD, 0 }, { 0x12345000, SP, 1 }, { 0x12345004, SP, 4 },
		{ 0x1234500a, SP, 1 }, { 0x1234500b, UNTOLD, 0 },
	};
	struct dump dump = { };

	dump_begin(&dump, 0);
	dump_unwinding(&dump, 11, rules, ALL);
	dump_load(&dump, 1, CODE, 11, 1, "one");
	check_table(&dump, meant, sizeof(meant) / sizeof(meant[0]));
}

/* Each is believed of its own function only, and neighbours with the same rule are one. */
static void more_functions(void)
{
	static const struct dump_rule same[] = { { 0, 8 } };
	static const struct meant meant[] = {
		{ 0, UNTOLD, 0 }, { 0x12345000, SP, 1 }, { 0x12345030, UNTOLD, 0 },
		{ 0x12346000, SP, 1 }, { 0x12346004, SP, 4 }, { 0x1234600a, SP, 1 },
		{ 0x12346010, UNTOLD, 0 },
	};
	struct dump dump = { };

	dump_begin(&dump, 0);
	/* Not in the order of addresses. */
	dump_unwinding(&dump, 0x10, rules, ALL);
	dump_load(&dump, 1, CODE + 0x1000, 0x10, 1, "behind");
	dump_load(&dump, 1, CODE + 0x1010, 0x10, 2, "nothing is told of it");
	dump_unwinding(&dump, 0x20, same, 1);
	dump_load(&dump, 1, CODE, 0x20, 3, "first");
	dump_unwinding(&dump, 0x10, same, 1);
	dump_load(&dump, 1, CODE + 0x20, 0x10, 4, "second");
	check_table(&dump, meant, sizeof(meant) / sizeof(meant[0]));
}

static void replaced_and_moved(void)
{
	static const struct meant meant[] = {
		{ 0, UNTOLD, 0 }, { 0x12345000, SP, 1 }, { 0x12345004, SP, 4 },
		{ 0x12345008, UNTOLD, 0 }, { 0x12347000, SP, 1 }, { 0x12347004, SP, 4 },
		{ 0x1234700a, SP, 1 }, { 0x12347020, UNTOLD, 0 },
	};
	struct dump dump = { };

	dump_begin(&dump, 0);
	dump_unwinding(&dump, 0x40, rules, ALL);
	dump_load(&dump, 1, CODE, 0x40, 1, "in part");
	dump_load(&dump, 2, CODE + 8, 0x38, 2, "over it");
	dump_unwinding(&dump, 0x20, rules, ALL);
	dump_load(&dump, 3, CODE + 0x1000, 0x20, 3, "goes");
	dump_move(&dump, 4, CODE + 0x1000, CODE + 0x2000, 0x20, 3);
	check_table(&dump, meant, sizeof(meant) / sizeof(meant[0]));
}

static void far_apart(void)
{
	static const struct meant first[] = {
		{ 0, UNTOLD, 0 }, { 0xfffffff8, SP, 1 }, { 0xfffffffc, SP, 4 },
		{ 0xffffffff, UNTOLD, 0 },
	};
	static const struct meant second[] = {
		{ 0, SP, 1 }, { 4, SP, 4 }, { 10, SP, 1 }, { 16, UNTOLD, 0 },
	};
	struct libsp_generated_unwind made;
	struct schedprof_error error;
	struct dump dump = { };
	unsigned int i;

	dump_begin(&dump, 0);
	dump_unwinding(&dump, 8, rules, 2);
	dump_load(&dump, 1, 0x1fffffff8, 8, 1, "at the end of 4 GB");
	dump_unwinding(&dump, 16, rules, ALL);
	dump_load(&dump, 1, 0x300000000, 16, 2, "at the begin of others");
	make_of(&dump, &made, &error);
	CHECK_TEXT(error.message, "");
	if (CHECK_NUMBER(made.count, 2)) {
		CHECK_TEXT(schedprof_unwind_build_id(made.table[0]), "process-0-77-1");
		check_rows(made.table[0], first, 4);
		CHECK_TEXT(schedprof_unwind_build_id(made.table[1]), "process-0-77-3");
		check_rows(made.table[1], second, 4);
	}
	libsp_generated_unwind_free(&made);

	/* Code all over the place: so many tables, and no more. */
	dump = (struct dump){ };
	dump_begin(&dump, 0);
	for (i = 0; i < 20; i++) {
		dump_unwinding(&dump, 16, rules, ALL);
		dump_load(&dump, 1, (uint64_t)i << 32, 16, i, "one of many");
	}
	make_of(&dump, &made, &error);
	CHECK_NUMBER(made.count, LIBSP_MAX_WINDOWS);
	libsp_generated_unwind_free(&made);
}

static void makes_none(const struct dump *dump)
{
	struct libsp_generated_unwind made;
	struct schedprof_error error;

	CHECK_NUMBER(-make_of(dump, &made, &error), SCHEDPROF_NOT_FOUND);
	CHECK_NUMBER(made.count, 0);
	libsp_generated_unwind_free(&made);
}

/* What is told of other addresses than the function's is not believed. */
static void lies(void)
{
	static const struct meant within[] = {
		{ 0, UNTOLD, 0 }, { 0x12345000, SP, 1 }, { 0x12345004, SP, 4 },
		{ 0x1234500a, SP, 1 }, { 0x12345010, UNTOLD, 0 },
	};
	static const struct meant behind[] = {
		{ 0, UNTOLD, 0 }, { 0x12345008, SP, 1 }, { 0x1234500c, SP, 4 },
		{ 0x12345010, UNTOLD, 0 },
	};
	static const struct meant before[] = {
		{ 0, UNTOLD, 0 }, { 0x12345000, SP, 4 }, { 0x12345002, SP, 1 },
		{ 0x12345010, UNTOLD, 0 },
	};
	struct dump dump = { };

	dump_begin(&dump, 0);
	dump_unwinding_of(&dump, 16, 0, 0x10000000, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "longer than it is");
	check_table(&dump, within, 5);

	dump = (struct dump){ };
	dump_begin(&dump, 0);
	dump_unwinding_of(&dump, 16, 8, 16, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "reaches behind");
	check_table(&dump, behind, 4);

	dump = (struct dump){ };
	dump_begin(&dump, 0);
	dump_unwinding_of(&dump, 16, -8, 24, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "begins before");
	check_table(&dump, before, 4);

	dump = (struct dump){ };
	dump_begin(&dump, 0);
	dump_unwinding_of(&dump, 16, 0x1000, 16, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "somewhere else");
	makes_none(&dump);
}

/* A function that is told at length, of which little is left, and that in many pieces. */
static void takes_long(void)
{
	static struct dump_rule many[100000];
	struct schedprof_unwind_row row = { };
	struct libsp_generated_unwind made;
	const unsigned int pieces = 300;
	struct schedprof_error error;
	static struct dump dump;
	unsigned int i;

	for (i = 0; i < sizeof(many) / sizeof(many[0]); i++)
		many[i].cfa = 8;
	dump_begin(&dump, 0);
	dump_unwinding(&dump, 2 * pieces, many, sizeof(many) / sizeof(many[0]));
	dump_load(&dump, 1, CODE, 2 * pieces, 1, "in pieces");
	for (i = 0; i < pieces; i++)
		dump_load(&dump, 2, CODE + 2 * i, 1, 2 + i, "without");
	if (!CHECK(dump.size < sizeof(dump.bytes)))
		return;
	CHECK_NUMBER(make_of(&dump, &made, &error), 0);
	if (CHECK_NUMBER(made.count, 1)) {
		CHECK(schedprof_unwind_find(made.table[0], (uint32_t)CODE + 1, &row,
					    sizeof(row)));
		CHECK_NUMBER(row.kind, SP);
		CHECK(schedprof_unwind_find(made.table[0], (uint32_t)CODE + 2 * pieces - 1,
					    &row, sizeof(row)));
		CHECK_NUMBER(row.kind, UNTOLD);
	}
	libsp_generated_unwind_free(&made);
}

static void nothing_is_told(void)
{
	struct dump dump = { };
	size_t at, machine = 12;

	makes_none(&dump);
	dump_begin(&dump, 0);
	makes_none(&dump);
	dump_load(&dump, 1, CODE, 16, 1, "without");
	makes_none(&dump);
	/* One that is told twice is of the function behind it, and none is left for the next. */
	dump_unwinding(&dump, 16, rules, ALL);
	makes_none(&dump);

	dump = (struct dump){ };
	dump_begin(&dump, 0);
	dump_unwinding(&dump, 16, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "of another machine");
	dump.bytes[machine] = EM_AARCH64;
	makes_none(&dump);
	/* Some leave that out. */
	dump.bytes[machine] = 0;
	at = dump.size;
	check_table(&dump, (const struct meant[]){ { 0, UNTOLD, 0 }, { 0x12345000, SP, 1 },
		    { 0x12345004, SP, 4 }, { 0x1234500a, SP, 1 }, { 0x12345010, UNTOLD, 0 } }, 5);
	/* The program is writing just now: the code may be missing, but not the name. */
	for (dump.size = 41; dump.size + 34 < at; dump.size++)
		makes_none(&dump);

	dump = (struct dump){ .swap = true };
	dump_begin(&dump, 0);
	dump_unwinding(&dump, 16, rules, ALL);
	dump_load(&dump, 1, CODE, 16, 1, "of the other byte order");
	makes_none(&dump);
}

/* Whatever byte is another one, there are tables or a sentence, and good ones. */
static void damaged(void)
{
	struct libsp_generated_unwind made;
	struct schedprof_unwind *again;
	struct schedprof_error error;
	struct dump dump = { };
	unsigned int i, bit;
	const void *bytes;
	size_t at, size;

	dump_begin(&dump, 0);
	dump_unwinding(&dump, 11, rules, ALL);
	dump_load(&dump, 1, CODE, 11, 1, "one");
	dump_unwinding(&dump, 16, rules, ALL);
	dump_load(&dump, 1, CODE + 16, 16, 2, "two");
	for (at = 0; at < dump.size; at++)
		for (bit = 0; bit < 8; bit++) {
			dump.bytes[at] ^= 1 << bit;
			make_of(&dump, &made, &error);
			for (i = 0; i < made.count; i++) {
				bytes = schedprof_unwind_data(made.table[i], &size);
				again = schedprof_unwind_read(bytes, size, &error);
				CHECK_TEXT(error.message, "");
				schedprof_unwind_free(again);
			}
			libsp_generated_unwind_free(&made);
			dump.bytes[at] ^= 1 << bit;
		}
}

/* ---- The provider, for this process, with a module that is made of files ---- */

struct told {
	unsigned int states[4];
	char path[64], name[64];	/* of generated code */
};

static bool take_file(const struct schedprof_provided *file, void *data)
{
	const char *name = strrchr(file->path, '/');
	struct told *told = data;

	if (!name || strncmp(name, "/jit-", 5))
		return true;
	told->states[file->state]++;
	snprintf(told->path, sizeof(told->path), "%s", file->path);
	snprintf(told->name, sizeof(told->name), "%s", file->build_id ? file->build_id : "-");
	return true;
}

/* This program as one that generates code. */
struct generator {
	unsigned char *code;		/* four pages */
	char path[64];
	int fd;
	void *mapped;
	struct dump dump;
	struct schedprof_provider *provider;
	struct told told;
};

static void write_dump(struct generator *g)
{
	CHECK(pwrite(g->fd, g->dump.bytes, g->dump.size, 0) == (ssize_t)g->dump.size);
}

static void begin(struct generator *g)
{
	struct schedprof_error error = { };

	*g = (struct generator){ };
	g->code = mmap(NULL, 16384, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(g->path, sizeof(g->path), "%s/jit-%d.dump", directory, (int)getpid());
	g->fd = open(g->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	dump_begin(&g->dump, 0);
	write_dump(g);
	g->mapped = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, g->fd, 0);
	if (!CHECK(g->code != MAP_FAILED && g->mapped != MAP_FAILED))
		exit(1);
	fake_module_begin(configfs, 40000000);
	g->provider = schedprof_provider_open(handle, take_file, &g->told, &error);
	if (!CHECK(g->provider))
		exit(1);
	CHECK_NUMBER(schedprof_provider_set_cache(g->provider, "", &error), 0);
}

static void end(struct generator *g)
{
	schedprof_provider_close(g->provider);
	munmap(g->mapped, 4096);
	munmap(g->code, 16384);
	close(g->fd);
	unlink(g->path);
	fake_module_begin(configfs, 40000000);
}

static unsigned int provide_of(struct generator *g, int pid)
{
	struct schedprof_error error = { };
	unsigned int i, all = 0;

	g->told = (struct told){ };
	CHECK_NUMBER(schedprof_provide_process(g->provider, pid, &error), 0);
	for (i = 0; i < 4; i++)
		all += g->told.states[i];
	return all;
}

static unsigned int provide(struct generator *g)
{
	return provide_of(g, getpid());
}

/* The module met code that it knows nothing of. Return: how often it got a table then. */
static uint64_t provide_missing(struct generator *g, const char *name)
{
	uint64_t taken = fake_module.taken;
	struct schedprof_error error = { };
	char text[128];

	snprintf(text, sizeof(text), "%s\t[generated code]\n", name);
	fake_module_put("unwind_missing", text);
	CHECK_NUMBER(schedprof_provide_missing(g->provider, &error), 0);
	return fake_module.taken - taken;
}

/* Waits until the provider looks again. */
static uint64_t provide_missing_later(struct generator *g, const char *name)
{
	struct timespec pause = { .tv_nsec = 20000000 };
	unsigned int tries;
	uint64_t taken = 0;

	for (tries = 0; !taken && tries < 3000; tries++) {
		taken = provide_missing(g, name);
		nanosleep(&pause, NULL);
	}
	return taken;
}

static int kind_at(const void *address)
{
	struct schedprof_unwind_row row = { .kind = -1 };

	if (fake_module.generated)
		schedprof_unwind_find(fake_module.generated, (uint32_t)(uintptr_t)address,
				      &row, sizeof(row));
	return row.kind;
}

static void own_name(char name[64], const void *address)
{
	snprintf(name, 64, "process-%d-%" PRIu64 "-%x", (int)getpid(),
		 proc_start_ticks(getpid()), (unsigned int)((uintptr_t)address >> 32));
}

static void put_code(struct generator *g, size_t at, uint64_t index)
{
	memcpy(g->code + at, trampoline, sizeof(trampoline));
	dump_unwinding(&g->dump, sizeof(trampoline), rules, ALL);
	dump_load(&g->dump, index, (uintptr_t)g->code + at, sizeof(trampoline), index, "code");
}

static void provide_generated(void)
{
	struct generator g;
	char name[64];

	begin(&g);
	own_name(name, g.code);
	/* Nothing in it yet. */
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOT], 1);
	put_code(&g, 0, 1);
	/* Of another kind, so that no more of the same is searched for. */
	memset(g.code + 100, 0x90, 20);
	dump_unwinding(&g.dump, 20, rules, 1);
	dump_load(&g.dump, 2, (uintptr_t)g.code + 100, 20, 2, "code");
	write_dump(&g);
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOW], 1);
	CHECK_TEXT(g.told.path, g.path);
	CHECK_TEXT(g.told.name, name);
	CHECK_NUMBER(kind_at(g.code + 5), SP);
	CHECK_NUMBER(kind_at(g.code + 119), SP);
	CHECK_NUMBER(kind_at(g.code + 120), UNTOLD);
	/* Nothing new: nobody is told of it. */
	CHECK_NUMBER(provide(&g), 0);

	/* It grows, and the module meets what is new; and looks for no other process's. */
	memcpy(g.code + 256, trampoline, sizeof(trampoline));
	put_code(&g, 512, 3);
	write_dump(&g);
	g.told = (struct told){ };
	CHECK_NUMBER(provide_missing_later(&g, name), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOW], 1);
	CHECK_NUMBER(kind_at(g.code + 512), SP);
	CHECK_NUMBER(kind_at(g.code + 256), UNTOLD);
	snprintf(name, sizeof(name), "process-%d-%" PRIu64 "-0", (int)getpid(),
		 proc_start_ticks(getpid()) + 1);
	CHECK_NUMBER(provide_missing(&g, name), 0);
	end(&g);
}

/*
 * What a program has not written yet is found by what it has, if that is all the same. No
 * function begins between two that are as close as any.
 */
static void same_code(void)
{
	struct generator g;

	begin(&g);
	put_code(&g, 0, 1);
	put_code(&g, 64, 2);
	memcpy(g.code + 32, trampoline, sizeof(trampoline));
	memcpy(g.code + 128, trampoline, sizeof(trampoline));
	memcpy(g.code + 200, trampoline, sizeof(trampoline));
	memcpy(g.code + 16384 - 16, trampoline, sizeof(trampoline));
	write_dump(&g);
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(kind_at(g.code), SP);
	CHECK_NUMBER(kind_at(g.code + 64), SP);
	CHECK_NUMBER(kind_at(g.code + 32), UNTOLD);
	CHECK_NUMBER(kind_at(g.code + 128 + 9), SP);
	CHECK_NUMBER(kind_at(g.code + 128 + sizeof(trampoline)), UNTOLD);
	/* Not as round as those that were told. */
	CHECK_NUMBER(kind_at(g.code + 200), UNTOLD);
	CHECK_NUMBER(kind_at(g.code + 16384 - 16), SP);

	/* Where it should be it is not: then nothing is like it. */
	g.code[64] ^= 1;
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(kind_at(g.code), SP);
	CHECK_NUMBER(kind_at(g.code + 128), UNTOLD);
	g.code[64] ^= 1;
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(kind_at(g.code + 128), SP);

	/* Nor if anything else is told. */
	dump_load(&g.dump, 3, (uintptr_t)g.code + 1024, 11, 3, "without");
	write_dump(&g);
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(kind_at(g.code + 128), UNTOLD);
	end(&g);
}

/* Whose it is; and it must be mapped, whenever it was written to. */
static void believed_dumps(void)
{
	struct timespec old[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1000000 } };
	struct generator g;
	char path[64];
	int copy;

	begin(&g);
	put_code(&g, 0, 1);
	write_dump(&g);
	CHECK(!futimens(g.fd, old));
	if (!geteuid()) {
		CHECK(!fchown(g.fd, 4711, 0));
		CHECK_NUMBER(provide(&g), 0);
		CHECK(!fchown(g.fd, 0, 0));
	}
	CHECK_NUMBER(provide(&g), 1);
	end(&g);

	/* By its name alone it may be of what ran here before. */
	begin(&g);
	munmap(g.mapped, 4096);
	put_code(&g, 0, 1);
	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", (int)getpid());
	copy = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(write(copy, g.dump.bytes, g.dump.size) == (ssize_t)g.dump.size);
	CHECK_NUMBER(provide(&g), 0);
	g.mapped = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, copy, 0);
	CHECK_NUMBER(provide(&g), 1);
	close(copy);
	unlink(path);
	end(&g);
}

/* The module had another one, and does not take this one. */
static void replacing_fails(void)
{
	struct generator g;

	begin(&g);
	put_code(&g, 0, 1);
	write_dump(&g);
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOW], 1);
	put_code(&g, 64, 2);
	write_dump(&g);
	fake_module.refuses = true;
	CHECK_NUMBER(provide(&g), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOT], 1);
	end(&g);
}

static struct generator *ending;

/* As exec does: what was mapped is not. */
static void end_program(void)
{
	CHECK(mmap(ending->mapped, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == ending->mapped);
}

/*
 * The process runs another program when the table is there: it is taken back. What is
 * written takes the place of the list, in these files.
 */
static void another_program(void)
{
	char name[64], path[128], text[128] = "";
	struct generator g;
	FILE *file;

	begin(&g);
	own_name(name, g.code);
	put_code(&g, 0, 1);
	write_dump(&g);
	ending = &g;
	fake_module.generated_fn = end_program;
	provide(&g);
	CHECK_NUMBER(kind_at(g.code), SP);
	snprintf(path, sizeof(path), "%s/unwind_tables", configfs);
	file = fopen(path, "re");
	if (CHECK(file)) {
		CHECK(fgets(text, sizeof(text), file));
		fclose(file);
	}
	CHECK(*text == '-');
	CHECK_TEXT(text + 1, name);
	end(&g);
}

static int tid_of_thread[2];	/* a pipe */

static void *tell_tid(void *data)
{
	pid_t tid = gettid();
	char end;

	CHECK(write(tid_of_thread[1], &tid, sizeof(tid)) == sizeof(tid));
	/* Until the test closes its end. */
	while (read(*(int *)data, &end, 1) > 0)
		;
	return NULL;
}

/* Whoever names a thread means the code of its process. */
static void by_thread(void)
{
	pthread_t thread;
	struct generator g;
	char name[64];
	int until[2];
	pid_t tid;

	begin(&g);
	own_name(name, g.code);
	put_code(&g, 0, 1);
	write_dump(&g);
	if (!CHECK(!pipe(tid_of_thread) && !pipe(until) &&
		   !pthread_create(&thread, NULL, tell_tid, &until[0]) &&
		   read(tid_of_thread[0], &tid, sizeof(tid)) == sizeof(tid)))
		exit(1);
	CHECK_NUMBER(provide_of(&g, tid), 1);
	CHECK_NUMBER(g.told.states[SCHEDPROF_PROVIDED_NOW], 1);
	CHECK_TEXT(g.told.name, name);
	CHECK_NUMBER(kind_at(g.code + 5), SP);
	close(until[1]);
	pthread_join(thread, NULL);
	close(until[0]);
	close(tid_of_thread[0]);
	close(tid_of_thread[1]);
	end(&g);
}

/* It is listed and removed by its name. */
static void removed(void)
{
	struct schedprof_error error = { };
	struct schedprof_unwind_list *list;
	bool found = false;
	struct generator g;
	char name[64], elsewhere[64];
	size_t i;

	begin(&g);
	own_name(name, g.code);
	put_code(&g, 0, 1);
	write_dump(&g);
	CHECK_NUMBER(provide(&g), 1);
	list = schedprof_unwind_list(handle, &error);
	for (i = 0; list && i < schedprof_unwind_list_count(list); i++)
		found |= !strcmp(schedprof_unwind_list_at(list, i)->build_id, name);
	CHECK(found);
	schedprof_unwind_list_free(list);
	/* Where it has no code. */
	own_name(elsewhere, (void *)((uintptr_t)g.code ^ 1ULL << 40));
	CHECK_NUMBER(-schedprof_unwind_remove(handle, elsewhere, &error), SCHEDPROF_NOT_FOUND);
	/* What is written takes the place of the list, in these files. */
	CHECK_NUMBER(schedprof_unwind_remove(handle, name, &error), 0);
	own_name(name, (void *)((uintptr_t)g.code ^ 1ULL << 40));
	strcat(name, "-1");
	CHECK_NUMBER(-schedprof_unwind_remove(handle, name, &error), SCHEDPROF_INVALID);
	end(&g);
}

static const struct test tests[] = {
	{ "told function", told_function },
	{ "more functions", more_functions },
	{ "replaced and moved", replaced_and_moved },
	{ "far apart", far_apart },
	{ "lies", lies },
	{ "takes long", takes_long },
	{ "nothing is told", nothing_is_told },
	{ "damaged", damaged },
	{ "provide generated", provide_generated },
	{ "same code", same_code },
	{ "believed dumps", believed_dumps },
	{ "replacing fails", replacing_fails },
	{ "another program", another_program },
	{ "by thread", by_thread },
	{ "removed", removed },
};

int main(void)
{
	struct schedprof_error error;
	char command[64];
	int bad;

	umask(022);
	if (!mkdtemp(directory))
		return 2;
	snprintf(configfs, sizeof(configfs), "%s/config", directory);
	snprintf(debugfs, sizeof(debugfs), "%s/debug", directory);
	if (mkdir(configfs, 0755) || mkdir(debugfs, 0755))
		return 2;
	handle = schedprof_open(configfs, debugfs, &error);
	if (!handle) {
		printf("not ok generated unwind: %s\n", error.message);
		return 1;
	}
	bad = check_run("generated unwind", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_close(handle);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
