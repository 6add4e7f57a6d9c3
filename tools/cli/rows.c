// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows: what is printed of a snapshot, ranked. Rows are grouped by the texts of
 * stacks and functions, because the same stack may stand in a snapshot once for
 * every program; and they are named before, by what is known of each task. One thread, so
 * nothing is locked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "rows.h"
#include "say.h"
#include "working.h"

#define FRAME	4096

/**
 * cli_meta() - a number that a snapshot tells
 * @recording: the snapshot
 * @name: for example "stats.recorded"
 *
 * Return: it; 0 if it is not there.
 */
uint64_t cli_meta(const struct schedprof_recording *recording, const char *name)
{
	uint64_t value;

	return schedprof_meta_number(recording, name, &value) ? value : 0;
}

/**
 * cli_mode() - which time a snapshot is about
 * @recording: the snapshot
 *
 * The attribute may have been changed since the session was enabled.
 *
 * Return: the mode, or "?".
 */
const char *cli_mode(const struct schedprof_recording *recording)
{
	const char *mode = schedprof_meta(recording, "mode");

	if (!mode)
		mode = schedprof_meta(recording, "config.mode");
	return mode ? mode : "?";
}

/* What the host's administrator says of waits, unless the user says something else. */
#define IDLE_WAITS	"/etc/schedprof/idle-waits"

/* A file that was asked for has to be good; without the other one, it goes on. */
static int load_idle_waits(struct schedprof_names *names, const struct cli_options *o)
{
	struct schedprof_error error;

	names->idle_waits = schedprof_idle_waits_load(o->idle_waits ? o->idle_waits : IDLE_WAITS,
						      &error);
	if (names->idle_waits)
		return CLI_OK;
	if (o->idle_waits)
		return cli_fail(&error);
	if (error.system_errno != ENOENT && !o->quiet)
		cli_note("it goes on without functions of yours that wait for work: %s",
			 error.message);
	return CLI_OK;
}

/**
 * cli_splits_interrupts() - do the books tell what of the time on CPUs was not the tasks' own?
 * @recording: the snapshot
 */
bool cli_splits_interrupts(const struct schedprof_recording *recording)
{
	return cli_meta(recording, "config.interrupts");
}

/**
 * cli_names_open() - get ready to find names of frames
 * @names: filled in
 * @o: the options
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_names_open(struct schedprof_names *names, const struct cli_options *o)
{
	struct schedprof_error error;

	memset(names, 0, sizeof(*names));
	names->size = sizeof(*names);
	if (load_idle_waits(names, o))
		return CLI_FAILED;
	if (o->kallsyms) {
		names->kernel = schedprof_kernel_load(o->kallsyms, &error);
		if (!names->kernel)
			return cli_fail(&error);
	}
	if (o->raw_frames)
		return CLI_OK;
	names->user = schedprof_symbolizer_open(&error);
	if (!names->user && error.code != SCHEDPROF_UNSUPPORTED)
		return cli_fail(&error);
	if (!names->user && !o->quiet)
		cli_note("user frames have no names: %s", error.message);
	if (names->user && o->symfs &&
	    schedprof_symbolizer_set_root(names->user, o->symfs, &error))
		return cli_fail(&error);
	if (names->user && o->servers &&
	    schedprof_symbolizer_set_servers(names->user, true, &error))
		return cli_fail(&error);
	return CLI_OK;
}

/* So many missing files are named. */
#define MISSING_SHOWN 5

static void tell_missing(const char *path, int why, const char *build_id)
{
	char *shown = NULL;
	size_t size;
	FILE *text = open_memstream(&shown, &size);

	if (!text)
		return;
	cli_print_plain(text, path);
	fclose(text);
	if (why == SCHEDPROF_MISSING_OTHER_FILE)
		cli_note("%s is another file now than the one that ran (upgraded?), so its functions have no names%s%s",
			 shown, build_id ? "; wanted is build-id " : "",
			 build_id ? build_id : "");
	else if (why == SCHEDPROF_MISSING_TOO_LARGE)
		cli_note("%s may be changed by others, or by root of a container, and is too large to be copied, so its functions have no names; put a copy of it below a directory of yours, and name that with --symfs",
			 shown);
	else
		cli_note("%s is not there any more, or not here, so its functions have no names%s%s",
			 shown, build_id ? "; wanted is build-id " : "",
			 build_id ? build_id : "");
	free(shown);
}

/**
 * cli_names_missing() - say which files would have been needed, or more room
 * @names: opened, and used for all that was printed
 * @o: the options
 */
void cli_names_missing(const struct schedprof_names *names, const struct cli_options *o)
{
	const char *path, *build_id;
	size_t i;
	int why;

	if (!names->user || o->quiet)
		return;
	for (i = 0; (path = schedprof_symbolizer_missing_at(names->user, i, &why,
							    &build_id)); i++)
		if (i < MISSING_SHOWN)
			tell_missing(path, why, build_id);
	if (i > MISSING_SHOWN)
		cli_note("and so it is with %zu more files", i - MISSING_SHOWN);
	if (i)
		cli_note("frames of theirs are path+0xoffset; with --symfs DIR, files are looked for below a copy of how they were");
	if (schedprof_symbolizer_is_full(names->user))
		cli_note("programs have more names or debug files, or tell more of the code that they generate than there is room for, so some of it has no names; remove what is not needed of /tmp/perf-PID.map and jit-PID.dump, raise ulimit -n, or ask for one program at a time");
}

/* Closes what cli_names_open() has opened, also if that failed. */
void cli_names_close(struct schedprof_names *names)
{
	schedprof_idle_waits_free((struct schedprof_idle_waits *)names->idle_waits);
	schedprof_kernel_free((struct schedprof_kernel *)names->kernel);
	schedprof_symbolizer_close(names->user);
}

/**
 * cli_names_check() - can files that were named be read, before anybody waits for them
 * @o: the options
 *
 * Return: CLI_OK, or what the program ends with, after saying why not.
 */
int cli_names_check(const struct cli_options *o)
{
	struct schedprof_names names;
	int err;

	if (!o->kallsyms && !o->idle_waits)
		return CLI_OK;
	err = cli_names_open(&names, o);
	cli_names_close(&names);
	return err;
}

/**
 * cli_frame_waits() - is a frame one that says nothing
 * @frame: of a kernel stack
 *
 * All tasks that wait have these functions innermost: their callers are of interest.
 * As /proc/PID/wchan does it, but by the names.
 */
bool cli_frame_waits(const struct schedprof_frame *frame)
{
	static const char *const names[] = {
		"schedule", "io_schedule", "preempt_schedule", "__cond_resched",
		"rt_spin_lock", "rtlock_", "irqentry_exit_cond_resched",
	};
	size_t i;

	if (frame->kind != SCHEDPROF_FRAME_KERNEL || !frame->function)
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(frame->function, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool find_function(const struct cli_report *report,
			  const struct schedprof_entry *entry,
			  struct schedprof_frame *frame)
{
	const struct schedprof_stack *stack = entry->kernel;
	struct schedprof_frame outer;
	size_t i;

	if (!stack || !stack->frame_count)
		stack = entry->user;
	if (!stack || !schedprof_frame(report->recording, entry->task, stack, 0,
				       &report->names, frame, sizeof(*frame)))
		return false;
	if (stack->flags & SCHEDPROF_STACK_CALLS)
		return true;
	for (i = 1; cli_frame_waits(frame); i++) {
		if (!schedprof_frame(report->recording, entry->task, stack, i,
				     &report->names, &outer, sizeof(outer)))
			break;
		*frame = outer;
	}
	return true;
}

/**
 * cli_frame_name() - a function where it stands alone, without an offset
 * @frame: the frame
 * @text: where to
 * @size: of it
 *
 * Offsets tell calls apart, not functions. What a program calls its own is no word of ours.
 *
 * Return: @text.
 */
const char *cli_frame_name(const struct schedprof_frame *frame, char *text, size_t size)
{
	if (frame->kind == SCHEDPROF_FRAME_KERNEL && frame->function)
		snprintf(text, size, "%s", frame->function);
	else
		schedprof_frame_text(frame, sizeof(*frame),
				     frame->function ? SCHEDPROF_NAMED : SCHEDPROF_PLAIN, text,
				     size);
	return text;
}

/*
 * Where a program's function lies, behind its name: the kernel and other programs have functions
 * of that name, too. Who chose the path does not make a module of it.
 */
static void add_file(const struct schedprof_frame *frame, char *text, size_t size)
{
	struct schedprof_frame file = *frame;
	size_t length = strlen(text);
	char place[FRAME], *begin, *at;

	file.function = "";
	schedprof_frame_text(&file, sizeof(file), SCHEDPROF_PLAIN, place, sizeof(place));
	begin = strstr(place, " [");
	for (at = begin; at && (at = strchr(at + 2, '[')); at -= 1)
		*at = '(';
	snprintf(text + length, size - length, "%s", begin ? begin : "");
}

/**
 * cli_function_of() - where an entry is charged: its innermost function that is
 *	none of the scheduler
 * @report: the report
 * @entry: one of its entries
 * @text: where to
 * @size: of it
 *
 * Behind a function of a module is that in brackets, and behind one of a program its file.
 *
 * Return: @text.
 */
const char *cli_function_of(const struct cli_report *report,
			    const struct schedprof_entry *entry,
			    char *text, size_t size)
{
	struct schedprof_frame frame;
	size_t length;

	if (!find_function(report, entry, &frame)) {
		snprintf(text, size, "%s",
			 entry->flags & SCHEDPROF_ENTRY_LOST_STACK ?
			 "[lost stack]" : "[no stack]");
		return text;
	}
	cli_frame_name(&frame, text, size);
	if (frame.module) {
		length = strlen(text);
		snprintf(text + length, size - length, " [%s]", frame.module);
	} else if (frame.kind != SCHEDPROF_FRAME_KERNEL && frame.function) {
		add_file(&frame, text, size);
	}
	return text;
}

/* Is a row of a task, or of several, rather than of a stack or a function? */
static bool is_of_tasks(const struct cli_options *o)
{
	return o->by == CLI_BY_ENTRY || o->by == CLI_BY_TASK;
}

static void put_level(const struct schedprof_level *level, size_t size, void *data)
{
	char text[FRAME];

	schedprof_level_text(level, size, SCHEDPROF_PLAIN, text, sizeof(text));
	fprintf(data, "%s;%s;", text,
		level->frame && level->frame->build_id ? level->frame->build_id : "");
}

/* All that can be told apart of the stacks of an entry. */
static char *stacks_of(const struct cli_report *report, const struct schedprof_entry *entry)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	schedprof_entry_levels(report->recording, entry, &report->names, put_level, out);
	return fclose(out) ? NULL : text;
}

/* The key of the row that an entry is a part of. */
static char *key_of(const struct cli_report *report,
		    const struct schedprof_entry *entry)
{
	char text[FRAME], *folded, *stack;

	if (is_of_tasks(report->o))
		return stacks_of(report, entry);
	if (report->o->by == CLI_BY_FUNCTION)
		return strdup(cli_function_of(report, entry, text, sizeof(text)));
	folded = schedprof_entry_folded(report->recording, entry, SCHEDPROF_BY_COMM,
					&report->names, NULL);
	if (!folded)
		return NULL;
	stack = strchr(folded, ';');
	stack = strdup(stack ? stack + 1 : "");
	free(folded);
	return stack;
}

static int compare(int64_t x, int64_t y)
{
	return x < y ? -1 : x > y;
}

/**
 * cli_task_compare() - do two have the same row? If not, which comes first
 * @x: one, as schedprof_task_group() makes it
 * @y: another
 *
 * Return: as strcmp(3).
 */
int cli_task_compare(const struct schedprof_task *x, const struct schedprof_task *y)
{
	const uint32_t special = SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST;

	return compare(x->number, y->number) ?: compare(x->tid, y->tid) ?:
	       compare(x->flags & special, y->flags & special) ?: strcmp(x->comm, y->comm) ?:
	       strcmp(x->cgroup ? x->cgroup : "", y->cgroup ? y->cgroup : "");
}

static int compare_row_keys(const struct cli_row *x, const struct cli_row *y)
{
	int order = x->task.comm ? cli_task_compare(&x->task, &y->task) : 0;

	return order || !x->key ? order : strcmp(x->key, y->key);
}

/* The rows of one group are neighbours then, the costliest first. */
static int by_row_key(const void *a, const void *b)
{
	const struct cli_row *x = a, *y = b;
	int order = compare_row_keys(x, y);

	if (order)
		return order;
	return x->total == y->total ? 0 : x->total > y->total ? -1 : 1;
}

static int by_total(const void *a, const void *b)
{
	const struct cli_row *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static void add_row(struct cli_row *row, const struct cli_row *more)
{
	row->total += more->total;
	row->count += more->count;
	row->inclusive += more->inclusive;
	row->idle += more->idle;
	row->entries += more->entries;
	row->open |= more->open;
	if (more->max > row->max) {
		row->max = more->max;
		row->max_at = more->max_at;
		row->max_cpu = more->max_cpu;
	}
}

static void join_rows(struct cli_report *report)
{
	size_t i, n = 0;

	if (!report->count)
		return;
	qsort(report->rows, report->count, sizeof(*report->rows), by_row_key);
	for (i = 1; i < report->count; i++) {
		if (!compare_row_keys(&report->rows[n], &report->rows[i])) {
			add_row(&report->rows[n], &report->rows[i]);
			free(report->rows[i].key);
		} else {
			report->rows[++n] = report->rows[i];
		}
	}
	report->count = n + 1;
}

/* What the rows of several tasks were told apart by is not what they are called. */
static void drop_keys(struct cli_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		struct cli_row *row = &report->rows[i];

		free(row->key);
		row->key = NULL;
		row->costliest = row->total;
		row->entries = 1;
	}
}

static void group_rows(struct cli_report *report)
{
	const struct cli_options *o = report->o;

	if (!is_of_tasks(o) || o->group != SCHEDPROF_BY_THREAD)
		join_rows(report);
	if (is_of_tasks(o))
		drop_keys(report);
	if (o->by == CLI_BY_TASK)
		join_rows(report);
}

/* People get one line for all waits for work; programs, and flame graphs, have them told. */
static bool is_hidden(const struct cli_report *report, const struct schedprof_entry *entry)
{
	return report->o->format == CLI_TEXT && !report->o->idle &&
	       schedprof_entry_is_idle(report->recording, entry, &report->names);
}

static bool make_row(const struct cli_report *report, struct cli_row *row,
		     const struct schedprof_entry *entry)
{
	const struct cli_options *o = report->o;

	*row = (struct cli_row){
		.entry = entry,
		.total = entry->total,
		.count = entry->count,
		.inclusive = entry->inclusive,
		.max = entry->max,
		.max_at = entry->max_at,
		.max_cpu = entry->max_cpu,
		.idle = schedprof_entry_is_idle(report->recording, entry, &report->names) ?
			entry->total : 0,
		.entries = 1,
		.open = entry->flags & SCHEDPROF_ENTRY_OPEN,
	};
	if (is_of_tasks(o)) {
		schedprof_task_group(entry->task, o->group, &row->task, sizeof(row->task));
		if (o->group == SCHEDPROF_BY_THREAD)
			return true;
	}
	row->key = key_of(report, entry);
	return row->key;
}

static bool make_rows(struct cli_report *report)
{
	size_t i, n = schedprof_entry_count(report->recording);

	report->rows = calloc(n + 1, sizeof(*report->rows));
	if (!report->rows)
		return false;
	for (i = 0; i < n; i++) {
		const struct schedprof_entry *entry =
			schedprof_entry_at(report->recording, i);

		cli_working(report->o, "reading rows", i, n);
		if (!entry->count)
			continue;
		report->total += entry->total;
		if (is_hidden(report, entry)) {
			report->hidden += entry->total;
			report->hidden_count += entry->count;
			continue;
		}
		if (!make_row(report, &report->rows[report->count], entry))
			return false;
		report->count++;
	}
	cli_working(report->o, "reading rows", n, n);
	group_rows(report);
	qsort(report->rows, report->count, sizeof(*report->rows), by_total);
	return true;
}

static void begin_report(struct cli_report *report, struct schedprof_recording *recording,
			 const struct cli_options *o)
{
	memset(report, 0, sizeof(*report));
	report->recording = recording;
	report->o = o;
	report->cycles = !strcmp(schedprof_unit(recording), "cycles");
	report->functions = !strcmp(cli_mode(recording), "function");
}

static int rank_report(struct cli_report *report)
{
	if (make_rows(report))
		return CLI_OK;
	cli_error("there is not enough memory for the report");
	return CLI_FAILED;
}

/**
 * cli_report_make() - rank what a snapshot has
 * @report: filled in; to be freed in any case
 * @recording: the snapshot; belongs to the report from now on
 * @o: the options; must outlive the report
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_report_make(struct cli_report *report,
		    struct schedprof_recording *recording,
		    const struct cli_options *o)
{
	int err;

	begin_report(report, recording, o);
	err = cli_names_open(&report->names, o);
	return err ? err : rank_report(report);
}

/**
 * cli_report_make_named() - the same, where files that were opened for names stay open
 * @report: filled in; to be freed in any case
 * @recording: the snapshot; belongs to the report from now on
 * @o: the options; must outlive the report
 * @names: opened; must outlive the report
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_report_make_named(struct cli_report *report,
			  struct schedprof_recording *recording, const struct cli_options *o,
			  const struct schedprof_names *names)
{
	begin_report(report, recording, o);
	report->names = *names;
	report->borrowed = true;
	return rank_report(report);
}

/**
 * cli_row_name() - what a row of a task, or of a group of them, is called
 * @task: of the row
 * @by: enum schedprof_by
 * @text: room for it
 */
const char *cli_row_name(const struct schedprof_task *task, int by, char text[CLI_NAME])
{
	if (task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST))
		return task->comm;
	if (by != SCHEDPROF_BY_CGROUP)
		return cli_chosen(task->comm, text);
	return task->cgroup ? cli_chosen(task->cgroup, text) : "[unknown]";
}

/**
 * cli_ledger_task() - whose books they are, for whatever takes a task
 * @ledger: the books, whose name it borrows
 *
 * What ended has no number, and what was merged by name neither.
 *
 * Return: what is known of it; the task need not have a record.
 */
struct schedprof_task cli_ledger_task(const struct schedprof_ledger *ledger)
{
	bool ended = !ledger->tid && !strcmp(ledger->comm, "[exited]");

	return (struct schedprof_task){
		.tid = ledger->tid, .tgid = ledger->tgid, .start_ns = ledger->start_ns,
		.flags = ended ? SCHEDPROF_TASK_FOLDED : 0, .comm = ledger->comm,
		.leader_comm = "",
	};
}

/**
 * cli_waker_name() - who woke a task, or what ran while it waited
 * @stack: of the waker
 * @text: room for it
 */
const char *cli_waker_name(const struct schedprof_stack *stack, char text[CLI_NAME])
{
	const char *name = schedprof_waker_name(stack);

	/* No culprit's own name begins so: the module takes care of that. */
	if (name != stack->waker || (stack->flags & SCHEDPROF_STACK_RUNNING && *name == '['))
		return name;
	return cli_chosen(name, text);
}

/* Frees all that a report has. */
void cli_report_free(struct cli_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		free(report->rows[i].key);
	free(report->rows);
	schedprof_recording_free(report->recording);
	if (!report->borrowed)
		cli_names_close(&report->names);
}

/**
 * cli_report_limit() - how many rows are printed
 * @report: the report
 *
 * People get 20 unless they ask for more, programs all unless they ask for less.
 *
 * Return: not more than there are.
 */
size_t cli_report_limit(const struct cli_report *report)
{
	size_t limit = report->o->top;

	if (!limit)
		limit = report->o->format == CLI_TEXT ? 20 : report->count;
	return limit < report->count ? limit : report->count;
}
