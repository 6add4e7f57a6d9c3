// SPDX-License-Identifier: GPL-2.0-only
/*
 * complete: what may follow on a command line. tools/completion asks for it with
 * `schedprof --complete WORD...`: the words behind the program up to the cursor, of which the
 * last one may be empty. Each line of the answer is a word that begins like it, and, behind
 * a tab, what it is; or one of these, for what a shell knows better:
 *
 *	:files BEFORE		files; BEFORE is what stands before the name in this word
 *	:directories BEFORE
 *	:command N		words from the N-th on, the first being 0, are a command
 *
 * Names that others have chosen are left out unless they mean the same to all shells. One
 * thread, so nothing is locked.
 */
#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "commands.h"
#include "complete.h"
#include "names.h"
#include "option_table.h"

#define PLAIN_NAME	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@%+-/"
#define CGROUPS		"/sys/fs/cgroup"

/* The word that is completed. */
struct word {
	const char *before;	/* stays as it is: --option=, or what is in a list already */
	size_t before_length;
	const char *rest;	/* what a candidate begins with */
};

static void offer(const struct word *word, const char *text, const char *sign,
		  const char *help)
{
	if (strncmp(text, word->rest, strlen(word->rest)))
		return;
	printf("%.*s%s%s\t", (int)word->before_length, word->before, text, sign);
	cli_print_plain(stdout, help);
	putchar('\n');
}

/* A name that somebody has chosen. */
static void offer_name(const struct word *word, const char *text, const char *help)
{
	if (*text && *text != '-' && !text[strspn(text, PLAIN_NAME)])
		offer(word, text, "", help);
}

/* Words of a sentence as in "one, two or three". */
static void offer_choices(const struct word *word, const char *sentence)
{
	char *copy = strdup(sentence), *next, *one;

	for (one = copy ? strtok_r(copy, ", ", &next) : NULL; one;
	     one = strtok_r(NULL, ", ", &next))
		if (strcmp(one, "or"))
			offer(word, one, "", "");
	free(copy);
}

/* What comes behind the last comma. */
static void split_list(struct word *word)
{
	const char *comma = strrchr(word->rest, ',');

	if (!comma)
		return;
	word->before_length = (size_t)(comma + 1 - word->before);
	word->rest = comma + 1;
}

static void offer_pids(struct word *word)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	char path[300], comm[32];
	FILE *file;

	split_list(word);
	while (proc && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		file = fopen(path, "re");
		if (file && fgets(comm, sizeof(comm), file)) {
			comm[strcspn(comm, "\n")] = '\0';
			offer(word, entry->d_name, "", comm);
		}
		if (file)
			fclose(file);
	}
	if (proc)
		closedir(proc);
}

static void offer_users(const struct word *word)
{
	const struct passwd *user;

	while ((user = getpwent()))
		offer_name(word, user->pw_name, "");
	endpwent();
}

/* Directories in one: sessions, or control groups. */
static void offer_directories(const struct word *word, const char *path, const char *within)
{
	DIR *all = opendir(path);
	const struct dirent *entry;
	char text[600];

	while (all && (entry = readdir(all))) {
		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		snprintf(text, sizeof(text), "%s%s", within, entry->d_name);
		offer_name(word, text, "");
	}
	if (all)
		closedir(all);
}

static void offer_cgroups(const struct word *word)
{
	const char *slash = strrchr(word->rest, '/');
	char within[256], path[300];

	snprintf(within, sizeof(within), "%.*s",
		 slash ? (int)(slash + 1 - word->rest) : 1, slash ? word->rest : "/");
	snprintf(path, sizeof(path), CGROUPS "%s", within);
	offer_directories(word, path, within);
}

/* Where the module is; tests have another place. */
static const char *configfs(void)
{
	const char *path = getenv("SCHEDPROF_CONFIGFS");

	return path ? path : "/sys/kernel/config/schedprof";
}

static void offer_sessions(const struct word *word)
{
	offer_directories(word, configfs(), "");
}

static void offer_attributes(const struct word *word)
{
	static const char *const names[] = {
		"mode", "pids", "tids", "tasks_kind", "inherit", "comm", "uid", "cgroup",
		"state", "min_us", "max_us", "stack", "stack_depth", "ledger", "interrupts",
		"blame", "clock", "group_by", "period_us", "trace_kb", "functions",
		"idle_waits", "throttle", "top_n", "duration_ms", "max_tasks", "max_stacks",
		"max_entries", "enable", "reset",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		offer(word, names[i], "=", "");
}

/* Build-ids of the tables that the module has. */
static void offer_tables(const struct word *word)
{
	char path[4096], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/unwind_tables", configfs());
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\t\n")] = '\0';
		if (strcmp(line, "build_id"))
			offer_name(word, line, "");
	}
	if (file)
		fclose(file);
}

static void offer_commands(const struct word *word)
{
	unsigned int i;

	for (i = 0; i < cli_command_count; i++)
		offer(word, cli_commands[i].name, "", cli_commands[i].summary);
}

static void offer_options(const struct word *word, const struct cli_command *command)
{
	unsigned int i;
	char name[64];

	for (i = 0; i < cli_option_count; i++) {
		const struct cli_option *option = &cli_option_table[i];

		if (!cli_takes(command, option))
			continue;
		snprintf(name, sizeof(name), "--%s", option->name);
		offer(word, name, option->argument ? "=" : "", option->help);
	}
	offer(word, "--help", "", "this command's options");
}

static void offer_groups(const struct word *word)
{
	offer_choices(word, "@sched, @irq, @syscall, @tcp or @signal");
}

static void ask_shell(const char *what, const struct word *word)
{
	printf(":%s %.*s\n", what, (int)word->before_length, word->before);
}

/* By what the help calls its argument. */
static void offer_values(struct word *word, const struct cli_option *option)
{
	static const struct {
		const char *argument;
		void (*offer)(const struct word *word);
	} kinds[] = {
		{ "USER", offer_users },
		{ "PATH", offer_cgroups },
		{ "NAME=VALUE", offer_attributes },
		{ "NAMES", offer_groups },
	};
	const char *argument = option->argument;
	unsigned int i;

	if (option->choices)
		offer_choices(word, option->choices);
	else if (!strcmp(argument, "FILE"))
		ask_shell("files", word);
	else if (!strcmp(argument, "DIR"))
		ask_shell("directories", word);
	else if (!strcmp(argument, "PID,...") || !strcmp(argument, "TID,..."))
		offer_pids(word);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argument, kinds[i].argument))
			kinds[i].offer(word);
}

/* The place of the word among those that are no options, from 0; @first of them. */
static void offer_unwind(struct word *word, unsigned int place, const char *first)
{
	if (!place) {
		offer_choices(word, "add, follow, ls, rm");
	} else if (!strcmp(first, "rm")) {
		offer_tables(word);
	} else if (!strcmp(first, "add")) {
		if (isdigit((unsigned char)*word->rest))
			offer_pids(word);
		else
			ask_shell("files", word);
	}
}

static void offer_argument(struct word *word, const struct cli_command *command,
			   unsigned int place, const char *first)
{
	static const char *const of_sessions[] = { "show", "start", "stop", "rm", "metrics" };
	static const char *const of_files[] = { "report", "flame", "diff", "merge" };
	const char *name = command->name;
	unsigned int i;

	for (i = 0; i < sizeof(of_sessions) / sizeof(of_sessions[0]); i++)
		if (!strcmp(name, of_sessions[i]))
			offer_sessions(word);
	for (i = 0; i < sizeof(of_files) / sizeof(of_files[0]); i++)
		if (!strcmp(name, of_files[i]))
			ask_shell("files", word);
	if (!strcmp(name, "set") && !place)
		offer_sessions(word);
	else if (!strcmp(name, "set"))
		offer_attributes(word);
	else if (!strcmp(name, "unwind"))
		offer_unwind(word, place, first);
	else if (!strcmp(name, "functions"))
		offer_groups(word);
	else if (!strcmp(name, "help") && !place)
		offer_commands(word);
}

static const struct cli_option *find_long(const struct cli_command *command,
					  const char *name)
{
	size_t length = strcspn(name, "=");
	unsigned int i;

	for (i = 0; i < cli_option_count; i++)
		if (cli_takes(command, &cli_option_table[i]) &&
		    strlen(cli_option_table[i].name) == length &&
		    !strncmp(cli_option_table[i].name, name, length))
			return &cli_option_table[i];
	return NULL;
}

/* The option of a word whose value is the next word; NULL: there is none. */
static const struct cli_option *wants_value(const struct cli_command *command,
					    const char *word)
{
	const struct cli_option *option;
	unsigned int i;

	if (word[1] == '-') {
		option = strchr(word, '=') ? NULL : find_long(command, word + 2);
		return option && option->argument ? option : NULL;
	}
	/* Of several letters, the first that takes a value has the rest for it. */
	for (word++; *word; word++)
		for (i = 0; i < cli_option_count; i++) {
			option = &cli_option_table[i];
			if (cli_takes(command, option) && option->letter == *word &&
			    option->argument)
				return word[1] ? NULL : option;
		}
	return NULL;
}

static void complete_word(const struct cli_command *command, char *text, bool options,
			  unsigned int place, const char *first)
{
	struct word word = { .before = text, .rest = text };
	const struct cli_option *option;

	if (!options || *text != '-') {
		offer_argument(&word, command, place, first);
	} else if (!strncmp(text, "--", 2) && strchr(text, '=')) {
		option = find_long(command, text + 2);
		word.rest = strchr(text, '=') + 1;
		word.before_length = (size_t)(word.rest - text);
		if (option && option->argument)
			offer_values(&word, option);
	} else {
		offer_options(&word, command);
	}
}

/* Return: is everything from that word on a command to run? It was said then. */
static bool begins_command(const struct cli_command *command, int number, bool behind_dashes)
{
	if (!(command->takes & (behind_dashes ? CLI_TAKES_COMMAND | CLI_TAKES_NAMES :
						CLI_TAKES_COMMAND)))
		return false;
	printf(":command %d\n", number);
	return true;
}

static void complete_arguments(const struct cli_command *command, int count, char **words)
{
	const struct cli_option *pending = NULL;
	const char *first = "";
	unsigned int place = 0;
	bool options = true;
	int i;

	for (i = 1; i < count - 1; i++) {
		if (pending) {
			pending = NULL;
		} else if (options && !strcmp(words[i], "--")) {
			if (begins_command(command, i + 1, true))
				return;
			options = false;
		} else if (options && words[i][0] == '-' && words[i][1]) {
			pending = wants_value(command, words[i]);
		} else {
			if (begins_command(command, i, false))
				return;
			if (!place++)
				first = words[i];
		}
	}
	if (pending) {
		struct word word = { .before = words[i], .rest = words[i] };

		offer_values(&word, pending);
	} else if ((options && *words[i] == '-') || !begins_command(command, i, false)) {
		complete_word(command, words[i], options, place, first);
	}
}

/**
 * cli_complete() - print what a word may become
 * @count: of words, the last of which is that one
 * @words: behind the name of the program
 *
 * Return: what the program ends with.
 */
int cli_complete(int count, char **words)
{
	const struct cli_command *command;

	if (count == 1) {
		struct word word = { .before = words[0], .rest = words[0] };

		offer_commands(&word);
		offer(&word, "--help", "", "the commands there are");
		offer(&word, "--version", "", "of the program and its library");
	} else if (count > 1) {
		command = cli_find_command(words[0]);
		if (command)
			complete_arguments(command, count, words);
	}
	return CLI_OK;
}
