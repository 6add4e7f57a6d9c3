// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_unwind: add, follow, ls and rm: the unwind tables that the module has. One thread,
 * so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd_unwind.h"
#include "json.h"
#include "names.h"
#include "output.h"
#include "session.h"
#include "tables.h"
#include "words.h"

/* How often what is missing is looked at: while there is something, and else. */
#define SOON_NS		(200 * CLI_NS_PER_MS)
#define LATER_NS	CLI_NS_PER_S

/* What is printed of files, as it goes. */
struct listing {
	const struct cli_options *o;
	struct cli_json top, files;	/* with --json */
	bool any;			/* file was printed */
};

static const char *state_of(int state)
{
	switch (state) {
	case SCHEDPROF_PROVIDED_NOW:
		return "added";
	case SCHEDPROF_PROVIDED_BEFORE:
		return "there";
	case SCHEDPROF_PROVIDED_FULL:
		return "full";
	default:
		return "none";
	}
}

static void print_file_json(struct listing *listing, const struct schedprof_provided *file)
{
	struct cli_json object = { .out = stdout };

	cli_json_next(&listing->files, "\n    ");
	putchar('{');
	cli_json_text(&object, "path", file->path);
	if (file->build_id)
		cli_json_text(&object, "build_id", file->build_id);
	cli_json_text(&object, "state", state_of(file->state));
	cli_json_number(&object, "rows", file->rows);
	cli_json_number(&object, "bytes", file->bytes);
	cli_json_truth(&object, "cached", file->cached);
	if (file->error)
		cli_json_text(&object, "error", file->error->message);
	fputs(" }", stdout);
}

/* Called for each file. */
static bool print_file(const struct schedprof_provided *file, void *data)
{
	struct listing *listing = data;

	listing->any = true;
	if (listing->o->format == CLI_JSON) {
		print_file_json(listing, file);
		return true;
	}
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t", state_of(file->state), file->rows,
	       file->bytes, file->build_id ? file->build_id : "-");
	cli_print_plain(stdout, file->path);
	putchar('\n');
	if (file->error && !listing->o->quiet) {
		fflush(stdout);
		cli_note("%s", file->error->message);
	}
	return true;
}

/* Begins an object of JSON with a list in it. */
static void open_json(struct cli_json *top, struct cli_json *list, const char *name)
{
	*top = (struct cli_json){ .out = stdout };
	putchar('{');
	cli_json_key(top, "\n  ", "schedprof_unwind");
	putchar('1');
	*list = cli_json_open(top, name, '[');
}

static void close_json(struct cli_json *list)
{
	cli_json_close(list, ']');
	puts("\n}");
}

/* A number is a process, unless a slash says that it is a file. */
static bool is_pid(const char *word, int *pid)
{
	uint64_t number;

	if (!cli_parse_number(word, 1, INT32_MAX, &number))
		return false;
	*pid = (int)number;
	return true;
}

static int add_each(const struct cli_options *o, const struct schedprof *handle)
{
	struct listing listing = { .o = o };
	struct schedprof_provider *provider;
	struct schedprof_error error;
	int err = CLI_OK, result, pid;
	unsigned int i;

	provider = schedprof_provider_open(handle, print_file, &listing, &error);
	if (!provider)
		return cli_fail(&error);
	if (o->format == CLI_JSON)
		open_json(&listing.top, &listing.files, "files");
	else
		puts("state\trows\tbytes\tbuild_id\tpath");
	for (i = 1; i < o->name_count; i++) {
		if (!is_pid(o->names[i], &pid)) {
			/* What became of it was printed. */
			if (schedprof_provide_file(provider, o->names[i], &error))
				err = CLI_FAILED;
			continue;
		}
		result = schedprof_provide_process(provider, pid, &error);
		if (result) {
			fflush(stdout);
			err = cli_fail(&error);
		}
	}
	if (o->format == CLI_JSON)
		close_json(&listing.files);
	schedprof_provider_close(provider);
	return cli_output_close(stdout) ? CLI_FAILED : err;
}

/* Called for each file. Each is told when it is known, as an object of its own. */
static bool tell_file(const struct schedprof_provided *file, void *data)
{
	struct listing *listing = data;

	if (listing->o->quiet)
		return true;
	if (listing->o->format == CLI_JSON)
		open_json(&listing->top, &listing->files, "files");
	print_file(file, data);
	if (listing->o->format == CLI_JSON)
		close_json(&listing->files);
	return !fflush(stdout);
}

/* Until it is stopped, or the module is gone. Nothing is left to do after a signal. */
static int follow_missing(const struct cli_options *o, const struct schedprof *handle)
{
	struct listing listing = { .o = o };
	struct schedprof_provider *provider;
	struct schedprof_error error;
	struct timespec pause;
	bool failed = false;
	uint64_t ns;
	int result;

	provider = schedprof_provider_open(handle, tell_file, &listing, &error);
	if (!provider)
		return cli_fail(&error);
	if (!o->quiet && o->format != CLI_JSON)
		puts("state\trows\tbytes\tbuild_id\tpath");
	for (;;) {
		listing.any = false;
		result = schedprof_provide_missing(provider, &error);
		if (cli_tables_are_over(-result) || fflush(stdout))
			break;
		/* Said once, until it has been well again. */
		if (result && !failed)
			cli_error("%s; it is tried again", error.message);
		failed = result;
		ns = listing.any ? SOON_NS : LATER_NS;
		pause.tv_sec = (time_t)(ns / CLI_NS_PER_S);
		pause.tv_nsec = (long)(ns % CLI_NS_PER_S);
		nanosleep(&pause, NULL);
	}
	schedprof_provider_close(provider);
	return cli_tables_are_over(-result) ? cli_fail(&error) : cli_output_close(stdout);
}

static void print_table(const struct schedprof_unwind_loaded *row)
{
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\n", row->build_id,
	       row->bytes, row->rows, row->users, row->of_root);
}

static void print_table_json(struct cli_json *tables,
			     const struct schedprof_unwind_loaded *row)
{
	struct cli_json object = { .out = stdout };

	cli_json_next(tables, "\n    ");
	putchar('{');
	cli_json_text(&object, "build_id", row->build_id);
	cli_json_number(&object, "bytes", row->bytes);
	cli_json_number(&object, "rows", row->rows);
	cli_json_number(&object, "users", row->users);
	cli_json_truth(&object, "of_root", row->of_root);
	fputs(" }", stdout);
}

static int list_tables(const struct cli_options *o, const struct schedprof *handle)
{
	const struct schedprof_unwind_loaded *row;
	struct schedprof_unwind_list *list;
	struct schedprof_error error;
	struct cli_json top, tables;
	size_t i;

	list = schedprof_unwind_list(handle, &error);
	if (!list)
		return cli_fail(&error);
	if (o->format == CLI_JSON)
		open_json(&top, &tables, "tables");
	else
		puts("build_id\tbytes\trows\tusers\tof_root");
	for (i = 0; (row = schedprof_unwind_list_at(list, i)); i++) {
		if (o->format == CLI_JSON)
			print_table_json(&tables, row);
		else
			print_table(row);
	}
	if (o->format == CLI_JSON)
		close_json(&tables);
	schedprof_unwind_list_free(list);
	return cli_output_close(stdout);
}

static int remove_each(const struct cli_options *o, const struct schedprof *handle)
{
	struct schedprof_error error;
	struct cli_json top, removed;
	int err = CLI_OK;
	unsigned int i;

	if (o->format == CLI_JSON)
		open_json(&top, &removed, "removed");
	for (i = 1; i < o->name_count; i++) {
		if (schedprof_unwind_remove(handle, o->names[i], &error)) {
			err = cli_fail(&error);
		} else if (o->format == CLI_JSON) {
			cli_json_next(&removed, "\n    ");
			cli_print_quoted(stdout, o->names[i]);
		}
	}
	if (o->format == CLI_JSON)
		close_json(&removed);
	return cli_output_close(stdout) ? CLI_FAILED : err;
}

/* schedprof unwind add PID|FILE..., follow, ls, rm BUILDID... */
int cli_cmd_unwind(struct cli_options *o)
{
	static const struct {
		const char *name;
		unsigned int least;	/* words, of which 2 are any number */
		int (*run)(const struct cli_options *o, const struct schedprof *handle);
	} verbs[] = {
		{ "add", 2, add_each },
		{ "follow", 1, follow_missing },
		{ "ls", 1, list_tables },
		{ "rm", 2, remove_each },
	};
	const char *verb = o->name_count ? o->names[0] : "";
	struct schedprof *handle;
	unsigned int i;
	int err;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verb, verbs[i].name) &&
		    verbs[i].least == (o->name_count < 2 ? o->name_count : 2))
			break;
	if (i == sizeof(verbs) / sizeof(verbs[0])) {
		cli_error("usage: schedprof %s %s", o->command->name,
			  o->command->arguments);
		return CLI_USAGE;
	}
	err = cli_connect(&handle);
	if (err)
		return err;
	err = verbs[i].run(o, handle);
	schedprof_close(handle);
	return err;
}
