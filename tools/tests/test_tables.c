// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tables: how long the command line makes unwind tables before it records, and while it
 * does, with a provider whose files take a tenth of a second each, by a clock that only they
 * move. Linked with --wrap of the provider's functions and of cli_now(). One thread.
 */
#include <stdlib.h>

#include <schedprof.h>

#include "../cli/tables.h"
#include "../cli/words.h"
#include "check.h"

#define FILE_NS	(100 * CLI_NS_PER_MS)
#define BEGIN	(1000 * CLI_NS_PER_S)

static struct {
	uint64_t now_ns;
	unsigned int mapped;	/* files, by each process */
	schedprof_provider_ask_fn ask;
	void *data;
	unsigned int processes, all, missing, files, programs;	/* that were provided */
	unsigned int closed;
	int code;		/* what providing what is missing fails with, negated */
} fake;

uint64_t __wrap_cli_now(void);
struct schedprof_provider *
__wrap_schedprof_provider_open(const struct schedprof *handle, schedprof_provider_fn fn,
			       void *data, struct schedprof_error *error);
void __wrap_schedprof_provider_close(struct schedprof_provider *p);
void __wrap_schedprof_provider_set_ask(struct schedprof_provider *p,
				       schedprof_provider_ask_fn ask);
int __wrap_schedprof_provide_process(struct schedprof_provider *p, int pid,
				     struct schedprof_error *error);
int __wrap_schedprof_provide_all(struct schedprof_provider *p, struct schedprof_error *error);
int __wrap_schedprof_provide_missing(struct schedprof_provider *p,
				     struct schedprof_error *error);
int __wrap_schedprof_provide_file(struct schedprof_provider *p, const char *path,
				  struct schedprof_error *error);

uint64_t __wrap_cli_now(void)
{
	return fake.now_ns;
}

struct schedprof_provider *
__wrap_schedprof_provider_open(const struct schedprof *handle, schedprof_provider_fn fn,
			       void *data, struct schedprof_error *error)
{
	(void)handle;
	(void)fn;
	(void)error;
	fake.data = data;
	return (struct schedprof_provider *)&fake;
}

void __wrap_schedprof_provider_close(struct schedprof_provider *p)
{
	fake.closed += !!p;
}

void __wrap_schedprof_provider_set_ask(struct schedprof_provider *p,
				       schedprof_provider_ask_fn ask)
{
	(void)p;
	fake.ask = ask;
}

static int make_files(void)
{
	unsigned int i;

	for (i = 0; i < fake.mapped && fake.ask(fake.data); i++) {
		fake.files++;
		fake.now_ns += FILE_NS;
	}
	return 0;
}

int __wrap_schedprof_provide_process(struct schedprof_provider *p, int pid,
				     struct schedprof_error *error)
{
	(void)p;
	(void)pid;
	(void)error;
	fake.processes++;
	return make_files();
}

int __wrap_schedprof_provide_all(struct schedprof_provider *p, struct schedprof_error *error)
{
	(void)p;
	(void)error;
	fake.all++;
	return make_files();
}

int __wrap_schedprof_provide_missing(struct schedprof_provider *p,
				     struct schedprof_error *error)
{
	(void)p;
	(void)error;
	fake.missing++;
	return make_files() ?: fake.code;
}

int __wrap_schedprof_provide_file(struct schedprof_provider *p, const char *path,
				  struct schedprof_error *error)
{
	(void)p;
	(void)path;
	(void)error;
	fake.programs++;
	return 0;
}

static void begin(unsigned int mapped)
{
	memset(&fake, 0, sizeof(fake));
	fake.now_ns = BEGIN;
	fake.mapped = mapped;
}

static void all_of_few(void)
{
	struct cli_options o = { .quiet = true };
	struct cli_tables tables;

	begin(3);
	cli_set(&o, "pids", "11 12");
	cli_set(&o, "tids", "13");
	cli_tables_begin(&tables, NULL, &o);
	CHECK_NUMBER(fake.processes, 3);
	CHECK_NUMBER(fake.files, 9);
	CHECK_NUMBER(fake.all, 0);
	cli_tables_end(&tables);
}

/* Whoever maps very many keeps nobody for longer, and what others have mapped is not read. */
static void named_for_a_while(void)
{
	char program[] = "/bin/true", *words[] = { program, NULL };
	struct cli_options o = { .quiet = true, .program = words };
	struct cli_tables tables;

	begin(60000);
	cli_set(&o, "pids", "11 12 13");
	cli_set(&o, "tids", "14");
	cli_tables_begin(&tables, NULL, &o);
	CHECK_NUMBER(fake.now_ns, BEGIN + 120 * CLI_NS_PER_S);
	CHECK_NUMBER(fake.processes, 1);
	CHECK_NUMBER(fake.all, 0);
	/* That is one file, and the command is what is profiled. */
	CHECK_NUMBER(fake.programs, 1);
	begin(60000);
	cli_tables_begin_within(&tables, NULL, &o, 5 * CLI_NS_PER_S);
	CHECK_NUMBER(fake.now_ns, BEGIN + 5 * CLI_NS_PER_S);
	CHECK_NUMBER(fake.processes, 1);
	cli_tables_end(&tables);
}

static void all_for_a_while(void)
{
	struct cli_options o = { .quiet = true };
	struct cli_tables tables;

	begin(60000);
	cli_tables_begin(&tables, NULL, &o);
	CHECK_NUMBER(fake.all, 1);
	CHECK_NUMBER(fake.now_ns, BEGIN + 30 * CLI_NS_PER_S);
	cli_tables_end(&tables);
}

/* What was left before, too, until somebody waits for something else. */
static void missing_until_a_tick(void)
{
	struct cli_options o = { .quiet = true };
	struct cli_tables tables;
	uint64_t end_ns;

	begin(60000);
	cli_set(&o, "pids", "11");
	cli_tables_begin(&tables, NULL, &o);
	end_ns = fake.now_ns + CLI_NS_PER_S;
	cli_tables_look(&tables, fake.now_ns, end_ns);
	CHECK_NUMBER(fake.missing, 1);
	CHECK_NUMBER(fake.now_ns, end_ns);
	cli_tables_end(&tables);
}

/* What may pass is tried again when it is time, and what cannot, as without the module, is not. */
static void missing_again(void)
{
	static const struct {
		int code;
		bool passes;
	} codes[] = {
		{ SCHEDPROF_NO_MEMORY, true },
		{ SCHEDPROF_IO, true },
		{ SCHEDPROF_NO_MODULE, false },
		{ SCHEDPROF_NOT_FOUND, false },
		{ SCHEDPROF_NOT_ROOT, false },
		{ SCHEDPROF_REFUSED, false },
		{ SCHEDPROF_NEWER, false },
	};
	struct cli_options o = { .quiet = true };
	struct cli_tables tables;
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		begin(0);
		cli_set(&o, "pids", "11");
		cli_tables_begin(&tables, NULL, &o);
		fake.code = -codes[i].code;
		cli_tables_look(&tables, fake.now_ns, UINT64_MAX);
		CHECK_NUMBER(fake.closed, !codes[i].passes);
		/* Not at once. */
		cli_tables_look(&tables, fake.now_ns, UINT64_MAX);
		CHECK_NUMBER(fake.missing, 1);
		fake.code = 0;
		fake.now_ns += CLI_NS_PER_S;
		cli_tables_look(&tables, fake.now_ns, UINT64_MAX);
		CHECK_NUMBER(fake.missing, 1 + codes[i].passes);
		cli_tables_end(&tables);
		CHECK_NUMBER(fake.closed, 1);
	}
}

static const struct test tests[] = {
	{ "all of few", all_of_few },
	{ "of named ones for a while", named_for_a_while },
	{ "of all for a while", all_for_a_while },
	{ "what is missing until a tick", missing_until_a_tick },
	{ "what is missing again", missing_again },
};

int main(void)
{
	return check_run("tables", tests, sizeof(tests) / sizeof(tests[0]));
}
