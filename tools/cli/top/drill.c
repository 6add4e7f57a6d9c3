// SPDX-License-Identifier: GPL-2.0-only
/*
 * drill: a second session, of the tasks of one row, for what the first one leaves out. One
 * thread, so nothing is locked.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "drill.h"

/* Somebody looks at the screen, which waits no longer for unwind tables, whatever is mapped. */
#define TABLES_NS	(5 * CLI_NS_PER_S)

static const struct {
	const char *mode, *words;
} modes[TOP_MODES] = {
	[TOP_OFFCPU] = { "offcpu", "off the CPU" },
	[TOP_BLOCKED] = { "blocked", "asleep" },
	[TOP_WAITING] = { "runqueue", "waiting for a CPU" },
	[TOP_RUNNING] = { "oncpu", "on a CPU" },
};

/**
 * top_mode_word() - which time it is, in words
 * @mode: the mode
 */
const char *top_mode_word(enum top_mode mode)
{
	return modes[mode].words;
}

/**
 * top_drill_possible() - is there anything to be seen of it
 * @look: what is shown
 * @mode: of that time
 *
 * Return: false of who woke a task that is on a CPU.
 */
bool top_drill_possible(enum top_look look, enum top_mode mode)
{
	return look != TOP_LOOK_WAKERS || mode != TOP_RUNNING;
}

/* Both lists of numbers would let in who is in either. */
static void drop_lists(struct cli_options *o)
{
	unsigned int i, n = 0;

	for (i = 0; i < o->setting_count; i++)
		if (strcmp(o->settings[i].attribute, "pids") &&
		    strcmp(o->settings[i].attribute, "tids"))
			o->settings[n++] = o->settings[i];
	o->setting_count = n;
}

/* A pattern that this name matches, and hardly another. */
static const char *pattern_of(char pattern[TOP_VALUE], const char *name)
{
	size_t n = 0;

	for (; *name && n < TOP_VALUE - 2; name++) {
		if (strchr("*?[\\", *name))
			pattern[n++] = '\\';
		/* An attribute has no control characters, and no blanks around it. */
		pattern[n++] = iscntrl((unsigned char)*name) || *name == ' ' ? '?' : *name;
	}
	pattern[n] = '\0';
	return pattern;
}

/* Sets the attribute that lets in the tasks of a scope. Return: is there one? */
static bool aim_at(struct top_drill *drill, const struct top_view *view, unsigned int i)
{
	const struct top_scope *scope = &view->scopes[i];
	struct cli_options *o = &drill->o;

	if (scope->party.mark) {
		cli_error("these have ended: there is nothing to be seen of them any more");
		return false;
	}
	switch (scope->by) {
	case SCHEDPROF_BY_COMM:
		if (*scope->party.name)
			return cli_set(o, "comm", pattern_of(drill->texts[i], scope->party.name));
		/* An empty pattern lets everybody in. One thread is found by its number. */
		if (view->scopes[view->scope_count - 1].by == SCHEDPROF_BY_THREAD)
			return true;
		cli_error("no filter finds tasks without a name; Enter leads to each of them");
		return false;
	case SCHEDPROF_BY_CGROUP:
		if (*scope->party.name == '/')
			return cli_set(o, "cgroup", scope->party.name);
		cli_error("nobody knows their control group");
		return false;
	default:
		if (!top_numbers_are_ours()) {
			cli_error("numbers of tasks are those of the initial PID namespace; start top there");
			return false;
		}
		drop_lists(o);
		snprintf(drill->texts[i], sizeof(drill->texts[i]), "%d", scope->party.tid);
		return cli_set(o, scope->by == SCHEDPROF_BY_THREAD ? "tids" : "pids",
			       drill->texts[i]);
	}
}

static bool aim(struct top_drill *drill, const struct top_view *view)
{
	unsigned int i;

	for (i = 0; i < view->scope_count; i++)
		if (!aim_at(drill, view, i))
			return false;
	return true;
}

/* Unwind tables are made of the processes that are there, of no others. */
static void name_processes(struct top_drill *drill, const struct top_change *change,
			   const struct top_view *view)
{
	size_t i, size, count = 0;
	int32_t last = 0;
	FILE *text;

	drill->tables = drill->o;
	drop_lists(&drill->tables);
	text = open_memstream(&drill->pids, &size);
	if (!text)
		return;
	for (i = 0; i < change->task_count; i++) {
		const struct top_task *task = &change->tasks[i];

		if (task->tgid <= 0 || task->tgid == last || !top_is_within(view, task))
			continue;
		last = task->tgid;
		fprintf(text, "%s%d", count++ ? " " : "", last);
	}
	fclose(text);
	/* Nothing but 0 is a list that nobody is in. */
	cli_set(&drill->tables, "pids", count ? drill->pids : "0");
}

static bool configure(struct top_drill *drill, enum top_look look, enum top_mode mode)
{
	static const char *const stacks[] = {
		[TOP_LOOK_STACKS] = "kernel user",
		[TOP_LOOK_WAKERS] = "waker",
		[TOP_LOOK_HISTOGRAM] = "none",
	};
	struct cli_options *o = &drill->o;

	drill->look = look;
	drill->mode = mode;
	o->duration_ns = 0;
	o->by = CLI_BY_STACK;
	o->group = SCHEDPROF_BY_THREAD;
	o->format = CLI_TEXT;
	return cli_set(o, "mode", modes[mode].mode) && cli_set(o, "stack", stacks[look]) &&
	       cli_set(o, "ledger", "0") && cli_set(o, "blame", "0") &&
	       (!cli_value(o, "interrupts") || cli_set(o, "interrupts", "0"));
}

/**
 * top_drill_begin() - record from now on
 * @drill: zero, or ended
 * @live: of the first session
 * @view: its scopes say whom
 * @look: what of them
 * @mode: of which time
 * @o: the options of the first session
 *
 * Return: CLI_OK, or CLI_FAILED after saying why; then there is no session.
 */
int top_drill_begin(struct top_drill *drill, struct top_live *live, const struct top_view *view,
		    enum top_look look, enum top_mode mode, const struct cli_options *o)
{
	bool idle = drill->o.idle;
	int err = CLI_OK;

	drill->o = *o;
	drill->o.idle = idle;
	if (!configure(drill, look, mode) || !aim(drill, view))
		return CLI_FAILED;
	drill->missed = false;
	if (!drill->named)
		err = cli_names_open(&drill->names, o);
	drill->named = true;
	if (!err)
		err = cli_session_make(&drill->session, &drill->o, 0);
	if (err)
		return err;
	name_processes(drill, &live->change, view);
	cli_tables_begin_within(&live->profile.await.tables, drill->session.handle,
				&drill->tables, TABLES_NS);
	err = cli_session_start(&drill->session);
	if (err)
		top_drill_end(drill, live);
	return err;
}

static void forget_report(struct top_drill *drill)
{
	if (drill->read)
		cli_report_free(&drill->report);
	drill->read = false;
}

/**
 * top_drill_read() - all that was recorded until now
 * @drill: begun; as it was before if there is no memory
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int top_drill_read(struct top_drill *drill)
{
	struct schedprof_recording *recording;
	int err = cli_session_try_snapshot(drill->session.handle, drill->session.name,
					   &recording, &drill->missed);

	if (err || drill->missed)
		return err;
	forget_report(drill);
	drill->read = true;
	return cli_report_make_named(&drill->report, recording, &drill->o, &drill->names);
}

/**
 * top_drill_rank() - the same once more, after options of the report have changed
 * @drill: begun
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int top_drill_rank(struct top_drill *drill)
{
	struct schedprof_recording *recording;

	if (!drill->read)
		return CLI_OK;
	recording = drill->report.recording;
	drill->report.recording = NULL;
	forget_report(drill);
	drill->read = true;
	return cli_report_make_named(&drill->report, recording, &drill->o, &drill->names);
}

/**
 * top_drill_end() - remove the session
 * @drill: begun, or not
 * @live: of the first session
 */
void top_drill_end(struct top_drill *drill, struct top_live *live)
{
	cli_tables_end(&live->profile.await.tables);
	forget_report(drill);
	if (drill->session.handle)
		cli_session_end(&drill->session, CLI_OK);
	free(drill->pids);
	drill->pids = NULL;
}

/**
 * top_drill_close() - close what names came from
 * @drill: ended
 */
void top_drill_close(struct top_drill *drill)
{
	if (drill->named)
		cli_names_close(&drill->names);
	drill->named = false;
}
