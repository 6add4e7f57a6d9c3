// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_sessions: ls, show, start, stop, rm and set: sessions that stay. One thread,
 * so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_sessions.h"
#include "names.h"
#include "output.h"
#include "print.h"
#include "session.h"
#include "tables.h"
#include "words.h"

static int need_names(const struct cli_options *o, unsigned int least,
		      unsigned int most)
{
	if (o->name_count >= least && o->name_count <= most)
		return CLI_OK;
	cli_error("usage: schedprof %s %s", o->command->name, o->command->arguments);
	return CLI_USAGE;
}

/*
 * A command with so many arguments finds the module. Return: CLI_OK and the handle, to
 * be closed; or what the program ends with, after saying why.
 */
static int connect_with_names(const struct cli_options *o, unsigned int least,
			      unsigned int most, struct schedprof **handle)
{
	int err = need_names(o, least, most);

	return err ? err : cli_connect(handle);
}

static const char *state_of(const struct schedprof_status *status)
{
	switch (status->state) {
	case SCHEDPROF_ENABLED:
		return "enabled";
	case SCHEDPROF_EXPIRED:
		return "expired";
	default:
		return "disabled";
	}
}

static void print_owner(const char *name)
{
	pid_t pid;

	switch (cli_owner(name, &pid)) {
	case CLI_OWNER_ALIVE:
		printf("%d", pid);
		break;
	case CLI_OWNER_GONE:
		printf("%d gone (stale)", pid);
		break;
	case CLI_OWNER_ELSEWHERE:
		printf("%d in another PID namespace", pid);
		break;
	default:
		putchar('-');
	}
}

static void print_session(const struct schedprof *handle, const char *name)
{
	struct schedprof_status status;
	char *mode, *pids;

	mode = schedprof_get(handle, name, "mode", NULL);
	pids = schedprof_get(handle, name, "pids", NULL);
	/* The session may be gone by now. */
	if (mode && pids && !schedprof_status(handle, name, &status, sizeof(status),
					      NULL)) {
		cli_print_plain(stdout, name);
		printf("\t%s\t%s\t%.3f\t%" PRIu64 "\t", mode, state_of(&status),
		       status.seconds, status.memory_bytes / 1024);
		print_owner(name);
		printf("\t%.60s\n", pids);
	}
	free(mode);
	free(pids);
}

/* schedprof ls */
int cli_cmd_ls(struct cli_options *o)
{
	struct schedprof_error error;
	struct schedprof *handle;
	size_t i, count;
	char **names;
	int err = connect_with_names(o, 0, 0, &handle);

	if (err)
		return err;
	names = schedprof_list(handle, &count, &error);
	if (!names) {
		schedprof_close(handle);
		return cli_fail(&error);
	}
	puts("session\tmode\tstate\tseconds\tmemory_kb\towner\tpids");
	for (i = 0; i < count; i++)
		print_session(handle, names[i]);
	schedprof_list_free(names);
	schedprof_close(handle);
	return cli_output_close(stdout);
}

static int show_config(const struct cli_options *o, const struct schedprof *handle,
		       const char *name)
{
	struct schedprof_error error;
	FILE *out;
	char *text = schedprof_read_text(handle, name, "config", NULL, &error);

	if (!text)
		return cli_fail(&error);
	out = cli_output_open(o, stdout);
	if (out)
		fputs(text, out);
	free(text);
	return out ? cli_output_close(out) : CLI_FAILED;
}

/* schedprof show NAME */
int cli_cmd_show(struct cli_options *o)
{
	struct schedprof_recording *recording;
	struct schedprof *handle;
	int err = connect_with_names(o, 1, 1, &handle);

	if (err)
		return err;
	if (o->config)
		err = show_config(o, handle, o->names[0]);
	else
		err = cli_session_snapshot(handle, o->names[0], &recording);
	schedprof_close(handle);
	if (err || o->config)
		return err;
	return cli_print_recording(o, recording);
}

static int start_one(const struct schedprof *handle, const char *name,
		     const struct cli_options *o)
{
	struct schedprof_error error;
	bool made = !schedprof_create(handle, name, &error);
	int err;

	if (!made && error.code != SCHEDPROF_EXISTS)
		return cli_fail(&error);
	err = cli_configure(handle, name, o);
	if (!err && schedprof_start(handle, name, &error))
		err = cli_fail(&error);
	if (err && made && schedprof_remove(handle, name, &error))
		cli_fail(&error);
	return err;
}

/* schedprof start NAME [options] */
int cli_cmd_start(struct cli_options *o)
{
	static char ms[CLI_WORD];
	struct cli_tables tables;
	struct schedprof *handle;
	int err = connect_with_names(o, 1, 1, &handle);

	if (err)
		return err;
	if (o->duration_ns) {
		snprintf(ms, sizeof(ms), "%" PRIu64, o->duration_ns / CLI_NS_PER_MS);
		cli_set(o, "duration_ms", ms);
	}
	cli_tables_begin(&tables, handle, o);
	cli_tables_end(&tables);
	err = start_one(handle, o->names[0], o);
	schedprof_close(handle);
	return err;
}

/* Removes or stops each session that is named; goes on after a failure. */
static int remove_or_stop(struct cli_options *o, bool remove)
{
	struct schedprof_error error;
	struct schedprof *handle;
	int err = connect_with_names(o, 1, UINT32_MAX, &handle);
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < o->name_count; i++)
		if (remove ? schedprof_remove(handle, o->names[i], &error) :
			     schedprof_stop(handle, o->names[i], &error))
			err = cli_fail(&error);
	schedprof_close(handle);
	return err;
}

/* schedprof stop NAME... */
int cli_cmd_stop(struct cli_options *o)
{
	return remove_or_stop(o, false);
}

static int remove_stale(const struct schedprof *handle)
{
	struct schedprof_error error;
	size_t i, count;
	char **names = schedprof_list(handle, &count, &error);
	int err = CLI_OK;
	pid_t pid;

	if (!names)
		return cli_fail(&error);
	for (i = 0; i < count; i++) {
		if (cli_owner(names[i], &pid) != CLI_OWNER_GONE)
			continue;
		if (schedprof_remove(handle, names[i], &error))
			err = cli_fail(&error);
		else
			printf("removed %s\n", names[i]);
	}
	schedprof_list_free(names);
	return err;
}

/* schedprof rm NAME..., or --stale */
int cli_cmd_rm(struct cli_options *o)
{
	struct schedprof *handle;
	int err;

	if (!o->stale)
		return remove_or_stop(o, true);
	err = connect_with_names(o, 0, 0, &handle);
	if (err)
		return err;
	err = remove_stale(handle);
	schedprof_close(handle);
	return err;
}

/* schedprof set NAME ATTRIBUTE=VALUE... */
int cli_cmd_set(struct cli_options *o)
{
	struct schedprof_error error;
	struct schedprof *handle;
	int err = need_names(o, 2, UINT32_MAX);
	unsigned int i;
	char *equals;

	for (i = 1; !err && i < o->name_count; i++) {
		equals = strchr(o->names[i], '=');
		if (!equals || equals == o->names[i]) {
			cli_error("'%s' is no ATTRIBUTE=VALUE", o->names[i]);
			err = CLI_USAGE;
		}
	}
	if (!err)
		err = cli_connect(&handle);
	if (err)
		return err;
	for (i = 1; !err && i < o->name_count; i++) {
		equals = strchr(o->names[i], '=');
		*equals = '\0';
		if (schedprof_set(handle, o->names[0], o->names[i], equals + 1,
				  &error))
			err = cli_fail(&error);
	}
	schedprof_close(handle);
	return err;
}
