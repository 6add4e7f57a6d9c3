// SPDX-License-Identifier: GPL-2.0-only
/*
 * commands: the table of commands, and help for all of them. The table never changes,
 * so nothing is locked.
 */
#include <stdio.h>
#include <string.h>

#include "cmd_metrics.h"
#include "cmd_profile.h"
#include "cmd_record.h"
#include "cmd_report.h"
#include "cmd_run.h"
#include "cmd_sessions.h"
#include "cmd_top.h"
#include "cmd_unwind.h"
#include "command_line.h"
#include "commands.h"
#include "say.h"

#define PROFILES	(CLI_TAKES_SESSION | CLI_TAKES_DURATION | CLI_TAKES_OUTPUT)

const struct cli_command cli_commands[] = {
	{ "offcpu", "[options] [[--] COMMAND]",
	  "Where tasks spend their time off the CPU: asleep, or waiting for one",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "blocked", "[options] [[--] COMMAND]",
	  "Where tasks sleep, from leaving the CPU until they are woken",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "runqueue", "[options] [[--] COMMAND]",
	  "How long tasks wait for a CPU",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "blame", "[options] [[--] COMMAND]",
	  "Who ran while tasks waited for a CPU",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_blame },
	{ "oncpu", "[options] [[--] COMMAND]",
	  "How long tasks are on a CPU, and where",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "wall", "[options] [[--] COMMAND]",
	  "All of the time of tasks: on a CPU, by samples, waiting for one, and asleep",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "nosched", "[options] [[--] COMMAND]",
	  "Who stays in the kernel too long (--min, 50ms) while others wait for the CPU",
	  PROFILES | CLI_TAKES_COMMAND, cli_cmd_profile },
	{ "functions", "[options] NAME... [-- COMMAND]",
	  "Calls and times of kernel functions, named by name, glob or @group",
	  PROFILES | CLI_TAKES_NAMES, cli_cmd_functions },
	{ "run", "[options] [--] COMMAND",
	  "Run a command from start to end, like time(1), and say where its time went",
	  CLI_TAKES_SESSION | CLI_TAKES_MODE | CLI_TAKES_OUTPUT | CLI_TAKES_TAU |
	  CLI_TAKES_COMMAND, cli_cmd_run },
	{ "record", "[options] [[--] COMMAND]",
	  "Record into a file (schedprof.data), once or with a snapshot every so often",
	  CLI_TAKES_SESSION | CLI_TAKES_MODE | CLI_TAKES_DURATION | CLI_TAKES_FILE |
	  CLI_TAKES_RECORD | CLI_TAKES_GZIP | CLI_TAKES_JSON | CLI_TAKES_COMMAND,
	  cli_cmd_record },
	{ "report", "[options] [FILE]",
	  "Print what a file has (schedprof.data)",
	  CLI_TAKES_OUTPUT | CLI_TAKES_SNAPSHOT | CLI_TAKES_SINCE | CLI_TAKES_TAU,
	  cli_cmd_report },
	{ "flame", "[options] [FILE]",
	  "Draw what a file has (schedprof.data) as a flame graph (schedprof.html)",
	  CLI_TAKES_FILE | CLI_TAKES_PICTURE | CLI_TAKES_FRAMES | CLI_TAKES_GROUP |
	  CLI_TAKES_SNAPSHOT | CLI_TAKES_SINCE | CLI_TAKES_JSON, cli_cmd_flame },
	{ "diff", "[options] BEFORE AFTER",
	  "Compare two files: what takes more or less time, most first",
	  CLI_TAKES_FORMAT | CLI_TAKES_FILE | CLI_TAKES_SNAPSHOT, cli_cmd_diff },
	{ "merge", "-o OUT FILE...",
	  "Add files up into one",
	  CLI_TAKES_FILE | CLI_TAKES_GROUP | CLI_TAKES_GZIP | CLI_TAKES_SNAPSHOT |
	  CLI_TAKES_JSON,
	  cli_cmd_merge },
	{ "ls", "",
	  "List the sessions there are, and whose they are",
	  CLI_TAKES_JSON, cli_cmd_ls },
	{ "show", "[options] NAME",
	  "Print what a session has recorded until now",
	  CLI_TAKES_OUTPUT | CLI_TAKES_SHOW, cli_cmd_show },
	{ "start", "[options] NAME",
	  "Start a session that stays, and make it if there is none of that name",
	  CLI_TAKES_SESSION | CLI_TAKES_MODE | CLI_TAKES_DURATION | CLI_TAKES_JSON,
	  cli_cmd_start },
	{ "stop", "NAME...",
	  "Stop sessions; what they recorded stays",
	  CLI_TAKES_JSON, cli_cmd_stop },
	{ "rm", "NAME...|--stale",
	  "Remove sessions and what they recorded",
	  CLI_TAKES_RM | CLI_TAKES_JSON, cli_cmd_rm },
	{ "set", "NAME ATTRIBUTE=VALUE...",
	  "Write attributes of a session, see schedprof(4)",
	  CLI_TAKES_JSON, cli_cmd_set },
	{ "top", "[options]",
	  "Where tasks spend their time, live: on a screen, or a table each time",
	  CLI_TAKES_WHOM | CLI_TAKES_DURATION | CLI_TAKES_GROUP | CLI_TAKES_FRAMES |
	  CLI_TAKES_TOP, cli_cmd_top },
	{ "metrics", "[options] [NAME...]",
	  "Print what sessions count in Prometheus's text format, or keep a file of it",
	  CLI_TAKES_METRICS | CLI_TAKES_JSON, cli_cmd_metrics },
	{ "unwind", "add PID|FILE... | follow | ls | rm BUILD_ID...",
	  "The unwind tables that the module has, for programs without frame pointers",
	  CLI_TAKES_JSON, cli_cmd_unwind },
	{ "help", "[COMMAND]",
	  "Print the help for a command",
	  0, cli_cmd_help },
};

const unsigned int cli_command_count =
	sizeof(cli_commands) / sizeof(cli_commands[0]);

/**
 * cli_find_command() - look a command up
 * @name: its name
 *
 * Return: it, or NULL.
 */
const struct cli_command *cli_find_command(const char *name)
{
	unsigned int i;

	for (i = 0; i < cli_command_count; i++)
		if (!strcmp(cli_commands[i].name, name))
			return &cli_commands[i];
	return NULL;
}

static void print_commands(void)
{
	unsigned int i;

	puts("Usage: schedprof COMMAND [options] [arguments]\n\n"
	     "Where tasks spend their time, by the kernel module schedprof.\n\n"
	     "Commands:");
	for (i = 0; i < cli_command_count; i++)
		printf("  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
	puts("\n'schedprof COMMAND --help' lists its options; schedprof-COMMAND(1) explains them.\n"
	     "For example: schedprof offcpu -p 1234 -d 10");
}

/* schedprof help [COMMAND] */
int cli_cmd_help(struct cli_options *o)
{
	const struct cli_command *command;

	if (!o->name_count) {
		print_commands();
		return CLI_OK;
	}
	command = cli_find_command(o->names[0]);
	if (!command) {
		cli_error("there is no command '%s'; see: schedprof help",
			  o->names[0]);
		return CLI_USAGE;
	}
	cli_usage(command, stdout);
	return CLI_OK;
}
