// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_sessions: sessions as they are: a line for each, or JSON, which
 * doc/json-schema/sessions.json describes. One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "names.h"
#include "print_sessions.h"
#include "say.h"
#include "session.h"
#include "words.h"

/* What is told of a session. */
struct facts {
	char *mode, *pids;
	struct schedprof_status status;
};

static void free_facts(struct facts *facts)
{
	free(facts->mode);
	free(facts->pids);
}

/* Return: is it there? It may be gone by now. */
static bool get_facts(const struct schedprof *handle, const char *name,
		      struct facts *facts)
{
	facts->mode = schedprof_get(handle, name, "mode", NULL);
	facts->pids = schedprof_get(handle, name, "pids", NULL);
	if (facts->mode && facts->pids &&
	    !schedprof_status(handle, name, &facts->status, sizeof(facts->status), NULL))
		return true;
	free_facts(facts);
	return false;
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

/**
 * cli_print_sessions() - a table of sessions
 * @handle: where they are
 * @names: of those that are wanted
 * @count: how many
 */
void cli_print_sessions(const struct schedprof *handle, char **names, size_t count)
{
	struct facts facts;
	size_t i;

	puts("session\tmode\tstate\tseconds\tmemory_kb\towner\tpids");
	for (i = 0; i < count; i++) {
		if (!get_facts(handle, names[i], &facts))
			continue;
		cli_print_plain(stdout, names[i]);
		printf("\t%s\t%s\t%.3f\t%" PRIu64 "\t", facts.mode, state_of(&facts.status),
		       facts.status.seconds, facts.status.memory_bytes / 1024);
		print_owner(names[i]);
		printf("\t%.60s\n", facts.pids);
		free_facts(&facts);
	}
}

static void print_owner_json(struct cli_json *session, const char *name)
{
	static const char *const states[] = {
		[CLI_OWNER_ALIVE] = "alive",
		[CLI_OWNER_GONE] = "stale",
		[CLI_OWNER_ELSEWHERE] = "elsewhere",
	};
	struct cli_json owner = { .out = session->out };
	enum cli_owner state;
	pid_t pid;

	state = cli_owner(name, &pid);
	if (state == CLI_OWNER_NONE)
		return;
	cli_json_key(session, " ", "owner");
	fputc('{', session->out);
	cli_json_number(&owner, "pid", (uint64_t)pid);
	cli_json_text(&owner, "state", states[state]);
	fputs(" }", session->out);
}

/* @config: lines of attributes and their values, or NULL */
static void print_session_json(struct cli_json *list, const char *name,
			       const struct facts *facts, char *config)
{
	struct cli_json session = { .out = list->out }, attributes = { .out = list->out };
	char *line, *value, *end;

	cli_json_next(list, "\n    ");
	fputc('{', list->out);
	cli_json_text(&session, "name", name);
	cli_json_text(&session, "mode", facts->mode);
	cli_json_text(&session, "state", state_of(&facts->status));
	/* The module tells milliseconds. */
	cli_json_number(&session, "recorded_ns",
			(uint64_t)(facts->status.seconds * 1000 + 0.5) * CLI_NS_PER_MS);
	cli_json_number(&session, "memory_bytes", facts->status.memory_bytes);
	print_owner_json(&session, name);
	cli_json_text(&session, "pids", facts->pids);
	if (config) {
		cli_json_key(&session, " ", "config");
		fputc('{', list->out);
		for (line = strtok_r(config, "\n", &end); line;
		     line = strtok_r(NULL, "\n", &end)) {
			value = line + strcspn(line, " ");
			if (*value)
				*value++ = '\0';
			cli_json_key(&attributes, "\n      ", line);
			cli_print_quoted(list->out, value);
		}
		fputs("\n    }", list->out);
	}
	fputs(" }", list->out);
}

/* Begins the object, with a list in it. */
static struct cli_json open_list(struct cli_json *top, const char *name)
{
	fputc('{', top->out);
	cli_json_key(top, "\n  ", "schedprof_sessions");
	fputc('1', top->out);
	return cli_json_open(top, name, '[');
}

static void close_list(struct cli_json *list)
{
	cli_json_close(list, ']');
	fputs("\n}\n", list->out);
}

/**
 * cli_print_sessions_json() - sessions as JSON
 * @handle: where they are
 * @names: of those that are wanted; those that are gone are not in it
 * @count: how many
 * @out: where to
 */
void cli_print_sessions_json(const struct schedprof *handle, char **names, size_t count,
			     FILE *out)
{
	struct cli_json top = { .out = out }, list = open_list(&top, "sessions");
	struct facts facts;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!get_facts(handle, names[i], &facts))
			continue;
		print_session_json(&list, names[i], &facts, NULL);
		free_facts(&facts);
	}
	close_list(&list);
}

/**
 * cli_print_config_json() - a session with all its attributes, as JSON
 * @handle: where it is
 * @name: of the session
 * @config: its file of that name, which is cut to pieces
 * @out: where to
 */
void cli_print_config_json(const struct schedprof *handle, const char *name, char *config,
			   FILE *out)
{
	struct cli_json top = { .out = out }, list = open_list(&top, "sessions");
	struct facts facts;

	if (get_facts(handle, name, &facts)) {
		print_session_json(&list, name, &facts, config);
		free_facts(&facts);
	}
	close_list(&list);
}

/**
 * cli_print_removed_json() - sessions that are no more, as JSON
 * @names: of them
 * @count: how many
 * @out: where to
 */
void cli_print_removed_json(char **names, size_t count, FILE *out)
{
	struct cli_json top = { .out = out }, list = open_list(&top, "removed");
	size_t i;

	for (i = 0; i < count; i++) {
		cli_json_next(&list, "\n    ");
		cli_print_quoted(out, names[i]);
	}
	close_list(&list);
}
