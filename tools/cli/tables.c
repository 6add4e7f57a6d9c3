// SPDX-License-Identifier: GPL-2.0-only
/*
 * tables: unwind tables for what is profiled: of the processes that are asked for, or of
 * all that run, before the session is started; and while it records, of files that the
 * module met without a table. One thread, so nothing is locked.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "tables.h"
#include "words.h"

/* Before that, nobody is told that something goes on. */
#define PATIENCE_NS	CLI_NS_PER_S
/* How often what is missing is looked at: at first, as programs begin, and then. */
#define SOON_NS		(200 * CLI_NS_PER_MS)
#define LATER_NS	CLI_NS_PER_S
#define BEGINNING_NS	(2 * CLI_NS_PER_S)
/* A recording of all that runs waits no longer than that, whatever others run. */
#define ALL_NS		(30 * CLI_NS_PER_S)
/* One of processes that were asked for waits longer; but these, too, may be somebody else's. */
#define NAMED_NS	(120 * CLI_NS_PER_S)

/* Has somebody had enough, or the command ended? The signal stays for who waits for it. */
static bool is_wanted_no_more(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGCHLD };
	sigset_t set;
	size_t i;

	if (sigpending(&set))
		return false;
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&set, signals[i]) == 1)
			return true;
	return false;
}

/* Called before each file and process. Return: go on? */
static bool goes_on(void *data)
{
	struct cli_tables *tables = data;
	uint64_t now = cli_now();

	if (!tables->o->quiet && now - tables->begin_ns > PATIENCE_NS)
		cli_progress("unwind tables", now - tables->begin_ns, 0);
	return !is_wanted_no_more() && now < tables->end_ns;
}

/* Provides for each number of a list. Return: were there any? */
static bool provide_list(struct cli_tables *tables, const char *list)
{
	bool any = false;
	char *end;
	long pid;

	if (!list)
		return false;
	for (list += strcspn(list, "0123456789"); *list;
	     list = end + strcspn(end, "0123456789")) {
		pid = strtol(list, &end, 10);
		any = true;
		/* What each process has mapped is listed before the provider asks. */
		if (!goes_on(tables))
			break;
		/* Of -12, too: it does no harm. */
		if (pid > 0 && pid <= INT32_MAX)
			schedprof_provide_process(tables->provider, (int)pid, NULL);
	}
	return any;
}

/* The file that a COMMAND will run, as execvp(3) finds it. */
static void provide_program(struct cli_tables *tables, const char *name)
{
	const char *path = getenv("PATH");
	char place[4096];
	size_t length;

	if (strchr(name, '/')) {
		schedprof_provide_file(tables->provider, name, NULL);
		return;
	}
	for (; path && *path; path += length + (path[length] == ':')) {
		length = strcspn(path, ":");
		snprintf(place, sizeof(place), "%.*s/%s", (int)length, path, name);
		if (access(place, X_OK))
			continue;
		schedprof_provide_file(tables->provider, place, NULL);
		return;
	}
}

/**
 * cli_tables_begin_within() - provide what is known to be needed, for a while
 * @tables: filled in; for cli_tables_end()
 * @handle: the library's
 * @o: what will be recorded
 * @named_ns: how long at most, for processes that are listed there
 *
 * What is left then is provided while it records, see cli_tables_look().
 */
void cli_tables_begin_within(struct cli_tables *tables, const struct schedprof *handle,
			     const struct cli_options *o, uint64_t named_ns)
{
	const char *stack = cli_value(o, "stack");
	bool listed;

	*tables = (struct cli_tables){ .o = o, .begin_ns = cli_now() };
	if (stack && !strstr(stack, "user") && !strstr(stack, "waker"))
		return;
	tables->provider = schedprof_provider_open(handle, NULL, tables, NULL);
	if (!tables->provider)
		return;
	schedprof_provider_set_ask(tables->provider, goes_on);
	tables->end_ns = tables->begin_ns + named_ns;
	listed = provide_list(tables, cli_value(o, "pids"));
	listed |= provide_list(tables, cli_value(o, "tids"));
	if (o->program)
		provide_program(tables, o->program[0]);
	if (!listed) {
		tables->end_ns = tables->begin_ns + ALL_NS;
		schedprof_provide_all(tables->provider, NULL);
	}
	cli_progress_over();
}

/**
 * cli_tables_begin() - the same, for as long as a recording may wait
 * @tables: filled in; for cli_tables_end()
 * @handle: the library's
 * @o: what will be recorded
 */
void cli_tables_begin(struct cli_tables *tables, const struct schedprof *handle,
		      const struct cli_options *o)
{
	cli_tables_begin_within(tables, handle, o, NAMED_NS);
}

/**
 * cli_tables_are_over() - is there nothing to wait for?
 * @code: why what is missing was not provided
 *
 * Return: the module is gone, or another one, or takes no tables of this user.
 */
bool cli_tables_are_over(int code)
{
	return code == SCHEDPROF_NO_MODULE || code == SCHEDPROF_NOT_FOUND ||
	       code == SCHEDPROF_NOT_ROOT || code == SCHEDPROF_REFUSED ||
	       code == SCHEDPROF_NEWER;
}

/**
 * cli_tables_look() - provide what is missing, now and then
 * @tables: begun
 * @now_ns: monotonic
 * @end_ns: when nobody wants to wait any longer; UINT64_MAX: never
 */
void cli_tables_look(struct cli_tables *tables, uint64_t now_ns, uint64_t end_ns)
{
	int result;

	if (!tables->provider || now_ns < tables->next_ns)
		return;
	if (!tables->first_ns)
		tables->first_ns = now_ns;
	tables->begin_ns = now_ns;
	tables->end_ns = end_ns;
	result = schedprof_provide_missing(tables->provider, NULL);
	if (cli_tables_are_over(-result))
		cli_tables_end(tables);
	tables->next_ns = now_ns + (now_ns - tables->first_ns < BEGINNING_NS ? SOON_NS :
									       LATER_NS);
}

/**
 * cli_tables_end() - provide no more; what the module has stays there
 * @tables: begun, or zero
 */
void cli_tables_end(struct cli_tables *tables)
{
	schedprof_provider_close(tables->provider);
	tables->provider = NULL;
}
