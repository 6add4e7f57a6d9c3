// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedprof: the command line. Finds the command, and lets it run; see schedprof(1).
 * One thread, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <schedprof.h>

#include "command_line.h"
#include "commands.h"
#include "complete.h"
#include "program.h"
#include "say.h"
#include "words.h"

static int unknown_command(const char *word)
{
	const char *names[32], *nearest;
	unsigned int i;

	for (i = 0; i < cli_command_count; i++)
		names[i] = cli_commands[i].name;
	nearest = cli_nearest(word, names, cli_command_count);
	if (*word == '-')
		cli_error("the command comes before its options, as in: schedprof offcpu %s",
			  word);
	else if (nearest)
		cli_error("there is no command '%s'; did you mean '%s'?", word, nearest);
	else
		cli_error("there is no command '%s'; see: schedprof help", word);
	return CLI_USAGE;
}

/* Lists commands or options for completion. */
static int list_words(const char *what)
{
	const struct cli_command *command = cli_find_command(what);
	unsigned int i;

	if (command) {
		cli_list_options(command, stdout);
		return CLI_OK;
	}
	for (i = 0; i < cli_command_count; i++)
		puts(cli_commands[i].name);
	return CLI_OK;
}

/*
 * A file that gets too large is an error that is told, as a full disk is. A handler, as a COMMAND
 * has none: there the signal does what it did.
 */
static void go_on(int signal)
{
	(void)signal;
}

/*
 * Of those that are closed: a file would have that number, and what is told would go there. To
 * read it, to write to it and to open it again for that are still errors.
 */
static void open_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) < 0)
			return;
}

int main(int argc, char **argv)
{
	struct cli_options o = { 0 };
	const char *word = argc > 1 ? argv[1] : "";
	int err;

	open_standard();
	cli_program_open_many();
	/* Lines stay whole, though a COMMAND may write there as well. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	if (signal(SIGXFSZ, go_on) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		o.command = cli_find_command("help");
		cli_cmd_help(&o);
		return CLI_USAGE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		printf("schedprof %s, libschedprof %s\n", SCHEDPROF_VERSION,
		       schedprof_version());
		return CLI_OK;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		word = "help";
	if (!strcmp(word, "--list"))
		return list_words(argc > 2 ? argv[2] : "");
	if (!strcmp(word, "--complete"))
		return cli_complete(argc - 2, argv + 2);
	o.command = cli_find_command(word);
	if (!o.command)
		return unknown_command(word);
	err = cli_parse(&o, argc - 1, argv + 1);
	if (err)
		return err < 0 ? CLI_OK : err;
	return o.command->run(&o);
}
