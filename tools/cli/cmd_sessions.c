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
#include "print_sessions.h"
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

/* Sessions that a command has done something with, for programs that ask. */
static int tell(const struct cli_options *o, const struct schedprof *handle,
		unsigned int count)
{
	if (o->format != CLI_JSON)
		return CLI_OK;
	cli_print_sessions_json(handle, o->names, count, stdout);
	return cli_output_close(stdout);
}

static int tell_removed(const struct cli_options *o, char **names, size_t count)
{
	if (o->format != CLI_JSON)
		return CLI_OK;
	cli_print_removed_json(names, count, stdout);
	return cli_output_close(stdout);
}

/* schedprof ls */
int cli_cmd_ls(struct cli_options *o)
{
	struct schedprof_error error;
	struct schedprof *handle;
	size_t count;
	char **names;
	int err = connect_with_names(o, 0, 0, &handle);

	if (err)
		return err;
	names = schedprof_list(handle, &count, &error);
	if (!names) {
		schedprof_close(handle);
		return cli_fail(&error);
	}
	if (o->format == CLI_JSON)
		cli_print_sessions_json(handle, names, count, stdout);
	else
		cli_print_sessions(handle, names, count);
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
	if (out && o->format == CLI_JSON)
		cli_print_config_json(handle, name, text, out);
	else if (out)
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
	struct cli_tables tables;
	struct schedprof *handle;
	int err = connect_with_names(o, 1, 1, &handle);

	if (err)
		return err;
	cli_tables_begin(&tables, handle, o);
	cli_tables_end(&tables);
	err = cli_session_limit(o) ?: start_one(handle, o->names[0], o);
	if (!err)
		err = tell(o, handle, 1);
	schedprof_close(handle);
	return err;
}

/* Removes or stops each session that is named; goes on after a failure. */
static int remove_or_stop(struct cli_options *o, bool remove)
{
	struct schedprof_error error;
	struct schedprof *handle;
	int err = connect_with_names(o, 1, UINT32_MAX, &handle);
	unsigned int i, done = 0;

	if (err)
		return err;
	for (i = 0; i < o->name_count; i++)
		if (remove ? schedprof_remove(handle, o->names[i], &error) :
			     schedprof_stop(handle, o->names[i], &error))
			err = cli_fail(&error);
		else
			o->names[done++] = o->names[i];
	if (remove ? tell_removed(o, o->names, done) : tell(o, handle, done))
		err = CLI_FAILED;
	schedprof_close(handle);
	return err;
}

/* schedprof stop NAME... */
int cli_cmd_stop(struct cli_options *o)
{
	return remove_or_stop(o, false);
}

static int remove_stale(const struct cli_options *o, const struct schedprof *handle)
{
	struct schedprof_error error;
	size_t i, count, done = 0;
	char *name, **names = schedprof_list(handle, &count, &error);
	int err = CLI_OK;
	pid_t pid;

	if (!names)
		return cli_fail(&error);
	for (i = 0; i < count; i++) {
		if (cli_owner(names[i], &pid) != CLI_OWNER_GONE)
			continue;
		if (schedprof_remove(handle, names[i], &error)) {
			err = cli_fail(&error);
			continue;
		}
		if (o->format != CLI_JSON)
			printf("removed %s\n", names[i]);
		/* Those that are removed come first; all of them are freed. */
		name = names[done];
		names[done++] = names[i];
		names[i] = name;
	}
	if (tell_removed(o, names, done))
		err = CLI_FAILED;
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
	err = remove_stale(o, handle);
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
	if (!err)
		err = tell(o, handle, 1);
	schedprof_close(handle);
	return err;
}
