// SPDX-License-Identifier: GPL-2.0-only
/*
 * command_line: parsing, help and what completion needs, all from the table of
 * options. getopt_long(3) has state of its own, so one thread parses, once.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "export/formats.h"
#include "option_table.h"
#include "words.h"

#define MAX_OPTIONS	80
#define HELP		1000	/* beyond all letters and rows */

/**
 * cli_takes() - does a command have an option
 * @command: the command
 * @option: a row of the table
 */
bool cli_takes(const struct cli_command *command, const struct cli_option *option)
{
	return !option->takes || (option->takes & command->takes);
}

/* What getopt_long() needs: letters, and long names whose value is HELP or a row. */
struct tables {
	char letters[2 * MAX_OPTIONS + 4];
	struct option names[MAX_OPTIONS + 2];
};

static void make_tables(const struct cli_command *command, struct tables *t)
{
	char *letter = t->letters;
	unsigned int i, n = 0;

	memset(t, 0, sizeof(*t));
	/* Options behind a COMMAND are those of the COMMAND. */
	if (command->takes & CLI_TAKES_COMMAND)
		*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	t->names[n++] = (struct option){ "help", no_argument, NULL, HELP };
	for (i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_option_table[i];

		if (!cli_takes(command, option))
			continue;
		t->names[n++] = (struct option){
			option->name,
			option->argument ? required_argument : no_argument,
			NULL, HELP + 1 + (int)i
		};
		if (!option->letter)
			continue;
		*letter++ = (char)option->letter;
		if (option->argument)
			*letter++ = ':';
	}
}

static const struct cli_option *find_option(const struct cli_command *command, int opt)
{
	unsigned int i;

	if (opt > HELP)
		return &cli_option_table[opt - HELP - 1];
	for (i = 0; i < cli_option_count; i++)
		if (cli_option_table[i].letter == opt &&
		    cli_takes(command, &cli_option_table[i]))
			return &cli_option_table[i];
	return NULL;
}

/* Says which option is near to one that the command does not have. */
static int unknown_option(const struct cli_command *command, const char *word,
			  int letter)
{
	const char *known[MAX_OPTIONS], *nearest;
	char name[CLI_WORD];
	unsigned int i, n = 0;

	if (letter) {
		cli_error("there is no option -%c for '%s'; see: schedprof %s --help",
			  letter, command->name, command->name);
		return CLI_USAGE;
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	for (i = 0; i < cli_option_count; i++)
		if (cli_takes(command, &cli_option_table[i]))
			known[n++] = cli_option_table[i].name;
	nearest = cli_nearest(name, known, n);
	if (nearest)
		cli_error("there is no option --%s for '%s'; did you mean --%s?",
			  name, command->name, nearest);
	else
		cli_error("there is no option --%s for '%s'; see: schedprof %s --help",
			  name, command->name, command->name);
	return CLI_USAGE;
}

static int take_option(struct cli_options *o, const struct cli_option *option)
{
	if (option->take(o, option, optarg))
		return CLI_OK;
	if (option->argument)
		cli_error("--%s expects %s, not '%s'", option->name,
			  option->choices ? option->choices :
			  option->expects ? option->expects : "something else",
			  optarg);
	else
		cli_error("there are too many options");
	return CLI_USAGE;
}

static int wrong_option(const struct cli_options *o, char **argv, int opt,
			const struct tables *t)
{
	const char *word = argv[optind - 1];
	unsigned int i;

	if (opt == ':') {
		cli_error("the option %s needs a value; see: schedprof %s --help",
			  word, o->command->name);
		return CLI_USAGE;
	}
	/* A long option that takes no value, but was given one. */
	for (i = 0; t->names[i].name; i++)
		if (optopt == t->names[i].val) {
			cli_error("the option --%s takes no value",
				  t->names[i].name);
			return CLI_USAGE;
		}
	return unknown_option(o->command, word, optopt);
}

/* Takes the arguments behind the options. */
static int take_arguments(struct cli_options *o, int argc, char **argv, int behind)
{
	o->names = argv + optind;
	o->name_count = (unsigned int)(argc - optind);
	if (o->command->takes & CLI_TAKES_COMMAND) {
		o->program = o->name_count ? o->names : NULL;
		o->name_count = 0;
	} else if (behind) {
		o->program = argv + behind;
	}
	return CLI_OK;
}

static unsigned int is_standard_output(const char *path)
{
	return path && !strcmp(path, "-");
}

/* What is not named goes there, but that of a COMMAND is its own, and --tau stands for a report. */
static unsigned int prints_unnamed(const struct cli_options *o)
{
	if (!(o->command->takes & CLI_TAKES_FORMAT))
		return o->format == CLI_JSON;
	return !o->file && !o->tau && strcmp(o->command->name, "run");
}

/* Standard output has one thing only. */
static int check_outputs(const struct cli_options *o)
{
	const char *other = "";

	if (prints_unnamed(o) + is_standard_output(o->file) + is_standard_output(o->flame) +
	    is_standard_output(o->svg) <= 1)
		return CLI_OK;
	if (o->flame || o->svg)
		other = o->flame ? " or --flame" : " or --svg";
	cli_error("two things would be mixed on standard output; name a file with -o%s", other);
	return CLI_USAGE;
}

/**
 * cli_parse() - take what stands on the command line
 * @o: its command is set, the rest is zero
 * @argc: of the command: argv[0] is its name
 * @argv: reordered
 *
 * Return: CLI_OK, CLI_USAGE after saying why, or -1 if help was printed.
 */
int cli_parse(struct cli_options *o, int argc, char **argv)
{
	int opt, err, behind = 0, i;
	struct tables t;

	o->keep = 4;
	make_tables(o->command, &t);
	/* getopt_long() would not tell the names from the COMMAND behind them. */
	if (o->command->takes & CLI_TAKES_NAMES)
		for (i = 1; i < argc; i++)
			if (!strcmp(argv[i], "--")) {
				behind = i + 1 < argc ? i + 1 : 0;
				argc = i;
				break;
			}
	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, t.letters, t.names, NULL)) != -1) {
		if (opt == 'h' || opt == HELP) {
			cli_usage(o->command, stdout);
			return -1;
		}
		if (opt == '?' || opt == ':')
			return wrong_option(o, argv, opt, &t);
		err = take_option(o, find_option(o->command, opt));
		if (err)
			return err;
	}
	err = take_arguments(o, argc, argv, behind);
	if (!err)
		err = check_outputs(o);
	return err ? err : cli_format_check(o);
}

/**
 * cli_usage() - the help for one command
 * @command: the command
 * @out: where to
 */
void cli_usage(const struct cli_command *command, FILE *out)
{
	unsigned int i;
	char name[CLI_WORD];

	fprintf(out, "Usage: schedprof %s %s\n\n%s.\n\nOptions:\n", command->name,
		command->arguments, command->summary);
	for (i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_option_table[i];

		if (!cli_takes(command, option))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", option->name,
			 option->argument ? " " : "",
			 option->argument ? option->argument : "");
		if (option->letter)
			fprintf(out, "  -%c, ", option->letter);
		else
			fputs("      ", out);
		fprintf(out, "%-22s  %s\n", name, option->help);
	}
	fputs("  -h, --help                  this text\n", out);
	/* What help does, the page of schedprof itself has. */
	if (strcmp(command->name, "help"))
		fprintf(out, "\nSee schedprof-%s(1).\n", command->name);
	else
		fputs("\nSee schedprof(1).\n", out);
}

/**
 * cli_list_options() - for completion
 * @command: the command
 * @out: gets a line for each option: its name, and = if it takes a value
 */
void cli_list_options(const struct cli_command *command, FILE *out)
{
	unsigned int i;

	for (i = 0; i < cli_option_count; i++)
		if (cli_takes(command, &cli_option_table[i]))
			fprintf(out, "--%s%s\n", cli_option_table[i].name,
				cli_option_table[i].argument ? "=" : "");
	fputs("--help\n", out);
}
