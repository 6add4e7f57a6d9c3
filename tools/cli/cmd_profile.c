// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_profile: offcpu, blocked, runqueue, oncpu, wall, nosched and functions: record, then
 * print. One thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd_profile.h"
#include "export/formats.h"
#include "output.h"
#include "print.h"
#include "profile.h"
#include "words.h"

static int record_and_print(struct cli_options *o)
{
	struct schedprof_recording *recording;
	struct cli_profile profile;
	int err = cli_output_check(o);

	if (!err)
		err = cli_names_check(o);
	if (!err)
		err = cli_profile_record(&profile, o, stdout, &recording);
	if (err)
		return err;
	err = cli_profile_printed(&profile, cli_print_recording(o, recording));
	return cli_profile_status(&profile, err);
}

/* The tools of bcc take a number of seconds in that place. */
static bool seconds_as_command(const struct cli_options *o)
{
	uint64_t ns;

	if (!o->program || o->program[1] ||
	    !cli_parse_time(o->program[0], CLI_NS_PER_S, &ns))
		return false;
	cli_error("'%s' is taken for a command; for so many seconds: schedprof %s -d %s",
		  o->program[0], o->command->name, o->program[0]);
	return true;
}

/* schedprof offcpu and the like: the name of the command is the mode. */
int cli_cmd_profile(struct cli_options *o)
{
	if (seconds_as_command(o))
		return CLI_USAGE;
	cli_set(o, "mode", o->command->name);
	return record_and_print(o);
}

/* schedprof blame: as runqueue, and what is shown is because of whom. */
int cli_cmd_blame(struct cli_options *o)
{
	int err;

	if (seconds_as_command(o))
		return CLI_USAGE;
	cli_set(o, "mode", "runqueue");
	cli_set(o, "blame", "1");
	if (o->view == CLI_VIEW_ENTRIES)
		o->view = CLI_VIEW_BLAME;
	err = cli_format_check(o);
	if (err)
		return err;
	return record_and_print(o);
}

/* schedprof functions NAME... [-- COMMAND] */
int cli_cmd_functions(struct cli_options *o)
{
	size_t size = 1;
	unsigned int i;
	char *all;
	int err;

	if (!o->name_count) {
		cli_error("name functions, globs or groups, as in: schedprof functions 'vfs_*' @sched");
		return CLI_USAGE;
	}
	for (i = 0; i < o->name_count; i++)
		size += strlen(o->names[i]) + 1;
	all = calloc(1, size);
	if (!all)
		return CLI_FAILED;
	for (i = 0; i < o->name_count; i++) {
		strcat(all, o->names[i]);
		strcat(all, " ");
	}
	cli_set(o, "mode", "function");
	cli_set(o, "functions", all);
	err = record_and_print(o);
	free(all);
	return err;
}
