// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_command: anything at all as a command line: its options, what they are worth, and
 * the attributes of a session that follow from them; and as the name of a session, which
 * tells whose it is. For clang's libFuzzer; one thread.
 *
 * The first byte is the command; arguments end with a newline. What is said is thrown away.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../cli/command_line.h"
#include "../cli/commands.h"
#include "../cli/session.h"
#include "../cli/words.h"
#include "fuzz_file.h"

#define MAX_ARGUMENTS	64

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct schedprof *handle;

/* Beside the fuzzer's own words, which go to the file that it is told to close last. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct schedprof_error error;
	char path[512];

	(void)argc;
	(void)argv;
	snprintf(path, sizeof(path), "%s/one", fuzz_directory());
	if (mkdir(path, 0700))
		abort();
	handle = schedprof_open(fuzz_directory(), fuzz_directory(), &error);
	if (!handle || !freopen("/dev/null", "w", stdout))
		abort();
	return 0;
}

/* Else it leads elsewhere. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < SCHEDPROF_NAME_SIZE;
}

/* What a session would be set to is what is found then. */
static void settings(const struct cli_options *o)
{
	struct schedprof_error error;
	bool plain = true;
	unsigned int i;
	char *is;

	for (i = 0; i < o->setting_count; i++) {
		const struct cli_setting *setting = &o->settings[i];
		char path[512];

		if (!setting->value || cli_value(o, setting->attribute) != setting->value)
			abort();
		if (!is_plain(setting->attribute)) {
			plain = false;
			continue;
		}
		snprintf(path, sizeof(path), "one/%s", setting->attribute);
		fuzz_file(path, (const uint8_t *)"", 0);
	}
	if (cli_configure(handle, "one", o))
		return;
	if (!plain)
		abort();
	for (i = 0; i < o->setting_count; i++) {
		const struct cli_setting *setting = &o->settings[i];

		/* Long lists are written in parts; and what begins so is said elsewhere. */
		if (strlen(setting->value) > 3000 ||
		    !strncmp(setting->value, "too long for this file", 22))
			continue;
		is = schedprof_get(handle, "one", setting->attribute, &error);
		if (!is)
			abort();
		free(is);
	}
}

static void words(const char *text)
{
	uint64_t number, ns, bytes;
	char word[CLI_WORD];
	bool has_unit;
	pid_t pid;

	if (cli_parse_number(text, 5, 1000, &number) && (number < 5 || number > 1000))
		abort();
	if (cli_parse_time(text, CLI_NS_PER_S, &ns) && ns > INT64_MAX)
		abort();
	if (cli_parse_size(text, &bytes, &has_unit) && !bytes)
		abort();
	cli_time(word, ns);
	cli_owner(text, &pid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "schedprof", *nothing[] = { name, NULL };
	char *argv[MAX_ARGUMENTS + 1], *text, *at, *end;
	struct cli_options o = { 0 };
	int argc = 1;

	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	o.command = &cli_commands[data[0] % cli_command_count];
	argv[0] = (char *)o.command->name;
	words(text);
	for (at = text; *at && argc < MAX_ARGUMENTS; at = end) {
		end = at + strcspn(at, "\n");
		if (*end)
			*end++ = '\0';
		argv[argc++] = at;
	}
	argv[argc] = NULL;
	/* A program parses once: what getopt remembers of the last run is gone. */
	optind = 0;
	getopt_long(1, nothing, "", (struct option[]){ { 0 } }, NULL);
	if (!cli_parse(&o, argc, argv)) {
		if (o.setting_count > CLI_MAX_SETTINGS || o.name_count >= MAX_ARGUMENTS)
			abort();
		settings(&o);
	}
	free(text);
	return 0;
}
