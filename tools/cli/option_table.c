// SPDX-License-Identifier: GPL-2.0-only
/*
 * option_table: the options there are. One row is one option, in the order of the
 * help. The table never changes, so nothing is locked.
 */
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <schedprof.h>

#include "export/formats.h"
#include "option_table.h"
#include "top/columns.h"
#include "words.h"

#define ANY_NUMBER	UINT64_MAX

static void *word_of(struct cli_options *o, const struct cli_option *option)
{
	return (char *)o + option->offset;
}

/* Sets an attribute to a number that was written in another way. */
static bool set_number(struct cli_options *o, const char *attribute,
		       uint64_t number)
{
	char *text = malloc(CLI_WORD);

	if (!text)
		return false;
	snprintf(text, CLI_WORD, "%" PRIu64, number);
	return cli_set(o, attribute, text);
}

static bool take_text(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	return cli_set(o, option->attribute, value);
}

/* Two options make one list. */
static bool take_list(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	const char *before = cli_value(o, option->attribute);
	char *all;

	if (!*value)
		return false;
	if (!before)
		return cli_set(o, option->attribute, value);
	if (asprintf(&all, "%s %s", before, value) < 0)
		return false;
	return cli_set(o, option->attribute, all);
}

static bool take_functions(struct cli_options *o, const struct cli_option *option,
			   const char *value)
{
	return cli_set(o, "mode", "function") && take_list(o, option, value);
}

static bool take_one(struct cli_options *o, const struct cli_option *option,
		     const char *value)
{
	(void)value;
	return cli_set(o, option->attribute, "1");
}

/* -w may come before or behind, and adds the stack of the waker to all others, or to none. */
static bool take_stack(struct cli_options *o, const struct cli_option *option,
		       const char *value)
{
	char *both;

	if (!o->waker || strstr(value, "waker"))
		return cli_set(o, option->attribute, value);
	if (!strcmp(value, "none"))
		return cli_set(o, option->attribute, "waker");
	if (asprintf(&both, "%s waker", value) < 0)
		return false;
	return cli_set(o, option->attribute, both);
}

/* One kind of stacks only; the member expects names the kind. */
static bool take_only(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	(void)value;
	return take_stack(o, option, option->expects);
}

static bool take_us(struct cli_options *o, const struct cli_option *option,
		    const char *value)
{
	uint64_t ns;

	/* The bound would be another one: of less than a microsecond none at all. */
	return cli_parse_time(value, CLI_NS_PER_US, &ns) && ns % CLI_NS_PER_US == 0 &&
	       set_number(o, option->attribute, ns / CLI_NS_PER_US);
}

static bool take_kb(struct cli_options *o, const struct cli_option *option,
		    const char *value)
{
	uint64_t bytes;
	bool has_unit;

	if (!cli_parse_size(value, &bytes, &has_unit))
		return false;
	return set_number(o, option->attribute,
			  has_unit ? (bytes + 1023) / 1024 : bytes);
}

static bool take_user(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	uint64_t number;
	struct passwd *user;

	if (cli_parse_number(value, 0, UINT32_MAX - 1, &number))
		return set_number(o, option->attribute, number);
	user = getpwnam(value);
	return user && set_number(o, option->attribute, user->pw_uid);
}

static bool take_set(struct cli_options *o, const struct cli_option *option,
		     const char *value)
{
	char *copy = strdup(value), *equals = copy ? strchr(copy, '=') : NULL;

	(void)option;
	if (!equals || equals == copy)
		return false;
	*equals = '\0';
	return cli_set(o, copy, equals + 1);
}

static bool take_waker(struct cli_options *o, const struct cli_option *option,
		       const char *value)
{
	const char *stack = cli_value(o, option->attribute);

	(void)value;
	o->waker = true;
	return take_stack(o, option, stack ? stack : "kernel user");
}

static bool take_flag(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	(void)value;
	*(bool *)word_of(o, option) = true;
	return true;
}

static bool take_string(struct cli_options *o, const struct cli_option *option,
			const char *value)
{
	*(const char **)word_of(o, option) = value;
	return *value;
}

static bool take_number(struct cli_options *o, const struct cli_option *option,
			const char *value)
{
	return cli_parse_number(value, 1, ANY_NUMBER, word_of(o, option));
}

/*
 * Each old file is renamed whenever a file is full; each value of a label is a series for
 * whoever collects them.
 */
static bool take_thousands(struct cli_options *o, const struct cli_option *option,
			   const char *value)
{
	return cli_parse_number(value, 1, 10000, word_of(o, option));
}

static bool take_seconds(struct cli_options *o, const struct cli_option *option,
			 const char *value)
{
	uint64_t *ns = word_of(o, option);

	/* The bounds are those of duration_ms. */
	return cli_parse_time(value, CLI_NS_PER_S, ns) && *ns >= CLI_NS_PER_MS &&
	       *ns / CLI_NS_PER_MS <= INT32_MAX;
}

static bool take_rotate(struct cli_options *o, const struct cli_option *option,
			const char *value)
{
	uint64_t amount;
	bool has_unit;

	(void)option;
	if (!cli_parse_size(value, &amount, &has_unit))
		return false;
	o->rotate_bytes = has_unit ? amount : 0;
	o->rotate_count = has_unit ? 0 : amount;
	return true;
}

static bool take_size(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	bool has_unit;

	return cli_parse_size(value, word_of(o, option), &has_unit);
}

static bool take_format(struct cli_options *o, const struct cli_option *option,
			const char *value)
{
	(void)value;
	o->format = (enum cli_format)option->constant;
	return true;
}

static bool take_format_name(struct cli_options *o, const struct cli_option *option,
			     const char *value)
{
	(void)option;
	return cli_format_find(value, &o->format);
}

static bool take_view(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	(void)value;
	o->view = (enum cli_view)option->constant;
	return true;
}

/* The number of a word in a list, -1: not in it. */
static int find_word(const char *const *words, const char *word)
{
	int i;

	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

static bool take_by(struct cli_options *o, const struct cli_option *option,
		    const char *value)
{
	static const char *const words[] = {
		[CLI_BY_ENTRY] = "entry",
		[CLI_BY_TASK] = "task",
		[CLI_BY_STACK] = "stack",
		[CLI_BY_FUNCTION] = "function",
		NULL
	};
	int by = find_word(words, value);

	(void)option;
	o->by = (enum cli_by)by;
	return by >= 0;
}

static bool take_group(struct cli_options *o, const struct cli_option *option,
		       const char *value)
{
	static const char *const words[] = {
		[SCHEDPROF_BY_THREAD] = "thread",
		[SCHEDPROF_BY_PROCESS] = "process",
		[SCHEDPROF_BY_COMM] = "comm",
		[SCHEDPROF_BY_CGROUP] = "cgroup",
		NULL
	};

	(void)option;
	o->group = find_word(words, value);
	return o->group >= 0;
}

static bool take_color(struct cli_options *o, const struct cli_option *option,
		       const char *value)
{
	static const char *const words[] = {
		[CLI_AUTO] = "auto",
		[CLI_ALWAYS] = "always",
		[CLI_NEVER] = "never",
		NULL
	};
	int when = find_word(words, value);

	(void)option;
	o->color = (enum cli_when)when;
	return when >= 0;
}

static bool take_sort(struct cli_options *o, const struct cli_option *option,
		      const char *value)
{
	unsigned int column;

	(void)option;
	o->sort = value;
	return top_column_find(value, &column);
}

#define ATTRIBUTE(id)	.attribute = #id
#define WORD(id)	.offset = offsetof(struct cli_options, id)
#define A_TIME		"a time, as in 500, 20ms or 1.5s, of whole microseconds"
#define SECONDS		"a time from 1ms to 24 days, as in 10, 0.5, 200ms or 3min"
#define A_NUMBER	"a number above 0"

const struct cli_option cli_option_table[] = {
	{ "mode", 'm', "MODE", CLI_TAKES_MODE, take_text, ATTRIBUTE(mode),
	  .choices = "offcpu, blocked, runqueue, oncpu, wall, nosched or function",
	  .help = "offcpu (default), blocked, runqueue, oncpu, wall, nosched or function" },
	{ "function", 'f', "NAMES", CLI_TAKES_MODE, take_functions, ATTRIBUTE(functions),
	  .expects = "names of kernel functions",
	  .help = "kernel functions, globs or @groups, for mode function, which it chooses" },
	{ "pid", 'p', "PID,...", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_list, ATTRIBUTE(pids),
	  .expects = "a list of numbers, as in 12,34",
	  .help = "these processes, with all their threads" },
	{ "tid", 't', "TID,...", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_list, ATTRIBUTE(tids),
	  .expects = "a list of numbers, as in 12,34",
	  .help = "these threads" },
	{ "comm", 'c', "GLOB", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_text, ATTRIBUTE(comm),
	  .help = "threads with such a name" },
	{ "uid", 'u', "USER", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_user, ATTRIBUTE(uid),
	  .expects = "the number or the name of a user",
	  .help = "tasks of this user" },
	{ "cgroup", 'g', "PATH", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_text, ATTRIBUTE(cgroup),
	  .help = "tasks in this control group, or below; as after 0:: in /proc/PID/cgroup" },
	{ "tasks", 0, "KIND", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_text, ATTRIBUTE(tasks_kind),
	  .choices = "all, user or kernel",
	  .help = "all (default), user or kernel" },
	{ "inherit", 'i', NULL, CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_one, ATTRIBUTE(inherit),
	  .help = "and what they fork" },
	{ "state", 0, "STATES", CLI_TAKES_SESSION, take_text, ATTRIBUTE(state),
	  .choices = "S, D, I, T, R or all",
	  .help = "how they left the CPU: any of S D I T R, as in \"D R\"" },
	{ "min", 0, "TIME", CLI_TAKES_SESSION, take_us, ATTRIBUTE(min_us),
	  .expects = A_TIME,
	  .help = "only intervals of at least that; in us, or as in 20ms" },
	{ "max", 0, "TIME", CLI_TAKES_SESSION, take_us, ATTRIBUTE(max_us),
	  .expects = A_TIME,
	  .help = "only intervals of at most that" },
	{ "stack", 0, "STACKS", CLI_TAKES_SESSION, take_stack, ATTRIBUTE(stack),
	  .choices = "kernel, user, waker or none",
	  .help = "any of kernel, user, waker, as in \"kernel waker\"; or none" },
	{ "kernel-stack", 'K', NULL, CLI_TAKES_SESSION, take_only, ATTRIBUTE(stack),
	  .expects = "kernel",
	  .help = "kernel stacks only" },
	{ "user-stack", 'U', NULL, CLI_TAKES_SESSION, take_only, ATTRIBUTE(stack),
	  .expects = "user",
	  .help = "user stacks only" },
	{ "waker", 'w', NULL, CLI_TAKES_SESSION, take_waker, ATTRIBUTE(stack),
	  .help = "also who woke them, and from where" },
	{ "depth", 0, "FRAMES", CLI_TAKES_SESSION, take_text, ATTRIBUTE(stack_depth),
	  .help = "frames that are kept of a stack (64)" },
	{ "ledger", 'l', NULL, CLI_TAKES_SESSION, take_one, ATTRIBUTE(ledger),
	  .help = "keep the books of every task, for --tasks-table" },
	{ "interrupts", 0, NULL, CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_one,
	  ATTRIBUTE(interrupts),
	  .help = "tell interrupts and softirqs apart from what tasks run themselves" },
	{ "blame", 0, NULL, CLI_TAKES_SESSION, take_one, ATTRIBUTE(blame),
	  .help = "and who ran while they waited for a CPU, for --blame-table" },
	{ "clock", 0, "CLOCK", CLI_TAKES_SESSION, take_text, ATTRIBUTE(clock),
	  .choices = "mono, boot or tsc",
	  .help = "mono (default), boot or tsc" },
	{ "period", 0, "TIME", CLI_TAKES_SESSION, take_us, ATTRIBUTE(period_us),
	  .expects = A_TIME,
	  .help = "oncpu, wall, nosched: how often a CPU is looked at; in us, or as in 1ms" },
	{ "throttle", 0, NULL, CLI_TAKES_SESSION, take_one, ATTRIBUTE(throttle),
	  .help = "function: switch off what is called too often" },
	{ "trace", 0, "SIZE", CLI_TAKES_SESSION, take_kb, ATTRIBUTE(trace_kb),
	  .expects = "a size in KiB, or as in 512k or 4M",
	  .help = "keep an event trace of that size per CPU, for --events" },
	{ "max-tasks", 0, "COUNT", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_text,
	  ATTRIBUTE(max_tasks),
	  .help = "room for so many tasks (16384)" },
	{ "max-stacks", 0, "COUNT", CLI_TAKES_SESSION, take_text, ATTRIBUTE(max_stacks),
	  .help = "room for so many stacks (16384)" },
	{ "max-entries", 0, "COUNT", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_text,
	  ATTRIBUTE(max_entries),
	  .help = "room for so many entries (65536)" },
	{ "set", 0, "NAME=VALUE", CLI_TAKES_SESSION | CLI_TAKES_WHOM, take_set,
	  .expects = "an attribute and its value, as in stack_depth=20",
	  .help = "any attribute of the module, see schedprof(4)" },

	{ "duration", 'd', "SECONDS", CLI_TAKES_DURATION, take_seconds, WORD(duration_ns),
	  .expects = SECONDS,
	  .help = "record so long; else until Ctrl-C, stop, or COMMAND or -p ends (not -t, -i)" },

	{ "output", 'o', "FILE", CLI_TAKES_FILE, take_string, WORD(file),
	  .expects = "a file",
	  .help = "write there" },
	{ "every", 0, "SECONDS", CLI_TAKES_RECORD, take_seconds, WORD(every_ns),
	  .expects = SECONDS,
	  .help = "add a snapshot to the file so often, and one at the end" },
	{ "every", 0, "SECONDS", CLI_TAKES_TOP, take_seconds, WORD(every_ns),
	  .expects = SECONDS,
	  .help = "look so often (2)" },
	{ "rotate", 0, "COUNT|SIZE", CLI_TAKES_RECORD, take_rotate,
	  .expects = "a number of snapshots, or a size as in 512k or 10M",
	  .help = "begin a new file after so many snapshots, or so much (as in 10M)" },
	{ "keep", 0, "COUNT", CLI_TAKES_RECORD, take_thousands, WORD(keep),
	  .expects = "a number from 1 to 10000",
	  .help = "how many old files stay, FILE.1 being the youngest (4)" },
	{ "gzip", 'z', NULL, CLI_TAKES_GZIP, take_flag, WORD(compress),
	  .help = "pack the file" },

	{ "tau", 0, "DIR", CLI_TAKES_TAU, take_string, WORD(tau),
	  .expects = "a directory",
	  .help = "write profile.N.0.T files there, which TAU's pprof reads" },

	{ "snapshot", 0, "N", CLI_TAKES_SNAPSHOT, take_number, WORD(snapshot),
	  .expects = A_NUMBER,
	  .help = "the N-th snapshot of the file, instead of the last one" },
	{ "since", 0, "N", CLI_TAKES_SINCE, take_number, WORD(since),
	  .expects = A_NUMBER,
	  .help = "only what came after the N-th snapshot" },
	{ "limit", 0, "SIZE", CLI_TAKES_SNAPSHOT, take_size, WORD(limit),
	  .expects = "a size as in 512M or 10G",
	  .help = "a snapshot in a packed file may be so large when it is unpacked" },
	{ "force", 0, NULL, CLI_TAKES_SNAPSHOT, take_flag, WORD(forgiving),
	  .help = "read a damaged file up to the damage" },

	{ "format", 0, "FORMAT", CLI_TAKES_FORMAT, take_format_name,
	  .choices = CLI_FORMATS,
	  .help = CLI_FORMATS },
	{ "folded", 0, NULL, CLI_TAKES_FORMAT, take_format, .constant = CLI_FOLDED,
	  .help = "folded stacks, for programs that draw flame graphs" },
	{ "flame", 0, "FILE", CLI_TAKES_FORMAT, take_string, WORD(flame),
	  .expects = "a file",
	  .help = "also draw a flame graph: a page for browsers, which needs nothing else" },
	{ "svg", 0, "FILE", CLI_TAKES_FORMAT | CLI_TAKES_PICTURE, take_string, WORD(svg),
	  .expects = "a file",
	  .help = "a flame graph as SVG, a picture for documents" },
	{ "json", 0, NULL, CLI_TAKES_FORMAT | CLI_TAKES_JSON, take_format, .constant = CLI_JSON,
	  .help = "JSON, with all there is" },
	{ "json", 0, NULL, CLI_TAKES_TOP, take_format, .constant = CLI_JSON,
	  .help = "no screen: a line of JSON each time" },
	{ "histogram", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_HISTOGRAM,
	  .help = "how many intervals were how long" },
	{ "tasks-table", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_TASKS,
	  .help = "the books of every task, with --ledger, --interrupts or --blame" },
	{ "blame-table", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_BLAME,
	  .help = "who ran while tasks waited for a CPU, with --blame" },
	{ "functions-table", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_FUNCTIONS,
	  .help = "function: calls and times by task and function" },
	{ "events", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_EVENTS,
	  .help = "single intervals, the oldest first; with --trace, or nosched" },
	{ "stats", 0, NULL, CLI_TAKES_VIEW, take_view, .constant = CLI_VIEW_STATS,
	  .help = "what was counted, and what was lost and why" },
	{ "by", 'b', "WHAT", CLI_TAKES_VIEW, take_by,
	  .choices = "entry, task, stack or function",
	  .help = "what is a row: entry (a task in a place; default), task, stack, function" },
	{ "by", 'b', "WHAT", CLI_TAKES_PICTURE, take_by,
	  .choices = "entry or stack",
	  .help = "what is a row: entry (a task in a place; default), stack" },
	{ "group-by", 0, "WHAT", CLI_TAKES_FORMAT | CLI_TAKES_GROUP, take_group,
	  .choices = "thread, process, comm or cgroup",
	  .help = "what is a task: thread (default), process, comm, cgroup" },
	{ "batch", 0, NULL, CLI_TAKES_TOP, take_flag, WORD(batch),
	  .help = "no screen: print a table each time" },
	{ "iterations", 0, "COUNT", CLI_TAKES_TOP, take_number, WORD(iterations),
	  .expects = A_NUMBER,
	  .help = "end after so many times" },
	{ "sort", 0, "COLUMN", CLI_TAKES_TOP, take_sort,
	  .choices = TOP_SORTS,
	  .help = TOP_SORTS },
	{ "reverse", 0, NULL, CLI_TAKES_TOP, take_flag, WORD(reverse),
	  .help = "the other way round" },
	{ "filter", 0, "TEXT", CLI_TAKES_TOP, take_string, WORD(filter),
	  .expects = "a text",
	  .help = "only rows with that in their name, or with that number" },
	{ "top", 'n', "COUNT", CLI_TAKES_FORMAT, take_number, WORD(top),
	  .expects = A_NUMBER,
	  .help = "rows that are printed (20, of run 10; folded and JSON: all)" },
	{ "top", 'n', "COUNT", CLI_TAKES_TOP, take_number, WORD(top),
	  .expects = A_NUMBER,
	  .help = "rows that are shown (as many as fit; --batch: 20)" },
	{ "idle", 0, NULL, CLI_TAKES_FORMAT, take_flag, WORD(idle),
	  .help = "show waits for work, too, which are one line else" },
	{ "idle-waits", 0, "FILE", CLI_TAKES_FORMAT | CLI_TAKES_FRAMES, take_string,
	  WORD(idle_waits),
	  .expects = "a file",
	  .help = "functions that wait for work, one on a line (/etc/schedprof/idle-waits)" },
	{ "raw-frames", 0, NULL, CLI_TAKES_FORMAT | CLI_TAKES_FRAMES, take_flag, WORD(raw_frames),
	  .help = "user frames as path+0xoffset, without looking into the files" },
	{ "kallsyms", 0, "FILE", CLI_TAKES_FORMAT | CLI_TAKES_FRAMES, take_string, WORD(kallsyms),
	  .expects = "a file",
	  .help = "a System.map or a copy of /proc/kallsyms, for kernel frames without names" },
	{ "symfs", 0, "DIR", CLI_TAKES_FORMAT | CLI_TAKES_FRAMES, take_string, WORD(symfs),
	  .expects = "a directory",
	  .help = "look for the files of user frames below this directory" },
	{ "debuginfod", 0, NULL, CLI_TAKES_FORMAT | CLI_TAKES_FRAMES, take_flag, WORD(servers),
	  .help = "ask the servers of DEBUGINFOD_URLS for debug files that are not here" },

	{ "textfile", 0, "DIR", CLI_TAKES_METRICS, take_string, WORD(textfile),
	  .expects = "a directory",
	  .help = "write DIR/schedprof.prom, for node_exporter, with counters that never fall" },
	{ "labels", 0, "COUNT", CLI_TAKES_METRICS, take_thousands, WORD(labels),
	  .expects = "a number from 1 to 10000",
	  .help = "so many labels of a metric, of a session; the rest is 'other' (50)" },

	{ "stale", 0, NULL, CLI_TAKES_RM, take_flag, WORD(stale),
	  .help = "those whose schedprof is gone, with what they recorded" },
	{ "config", 0, NULL, CLI_TAKES_SHOW, take_flag, WORD(config),
	  .help = "its attributes instead" },

	{ "color", 0, "WHEN", 0, take_color,
	  .choices = "auto, always or never",
	  .help = "auto (default: on a terminal), always or never" },
	{ "quiet", 'q', NULL, 0, take_flag, WORD(quiet),
	  .help = "no progress line, no note of what was written or lost" },
};

const unsigned int cli_option_count =
	sizeof(cli_option_table) / sizeof(cli_option_table[0]);
