// SPDX-License-Identifier: GPL-2.0-only
/*
 * tau: files profile.N.0.T, which pprof and paraprof of TAU read: a file for each
 * thread, N being the process and T the thread in it. In mode function a file has
 * the functions and their call paths, below a timer for the whole life of the
 * thread; in other modes, four timers share that life: on a CPU, waiting for one,
 * asleep, in disk sleep. What else the ledger of a task knows is in the metadata.
 *
 * A file is lines of text: how many timers there are and of what metric, the names
 * of the columns and metadata, the timers, then "0 aggregates" and "0 userevents".
 * Times are in us. State: the profile that is being printed. One thread, so nothing
 * is locked.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "names.h"
#include "output.h"
#include "say.h"
#include "tau.h"

#define WHOLE	".TAU application"
#define ARROW	" => "
#define PROFILE	"profile.%zu.0.%zu"

struct timer {
	char *name;
	uint64_t calls, subrs, exclusive, inclusive;
	bool path;
};

/*
 * An entry, and whose it is. A TID may come again; what is merged is of all that had the numbers
 * and the name.
 */
struct call {
	int32_t tgid, tid;
	uint64_t start_ns;		/* merged: 0 */
	const char *comm;		/* merged; else "" */
	const struct schedprof_entry *entry;
	bool told;
};

/* All of a recording, sorted by by_task(). */
struct calls {
	struct call *list;
	size_t count;
	bool merged;
};

/* The profile of one thread. */
struct profile {
	const struct cli_report *report;
	const struct schedprof_ledger *books;
	const struct calls *calls;
	void *tree;		/* of timers, by name */
	size_t count;
	FILE *out;
	bool failed;
};

static int by_timer_name(const void *a, const void *b)
{
	return strcmp(((const struct timer *)a)->name,
		      ((const struct timer *)b)->name);
}

static struct timer *timer_of(struct profile *profile, const char *name)
{
	struct timer key = { .name = (char *)name }, **found, *timer;

	found = tfind(&key, &profile->tree, by_timer_name);
	if (found)
		return *found;
	timer = calloc(1, sizeof(*timer));
	if (timer)
		timer->name = strdup(name);
	if (!timer || !timer->name || !tsearch(timer, &profile->tree, by_timer_name)) {
		profile->failed = true;
		free(timer);
		return NULL;
	}
	profile->count++;
	return timer;
}

static void free_timer(void *node)
{
	struct timer *timer = node;

	free(timer->name);
	free(timer);
}

static void charge_timer(struct timer *timer, const struct schedprof_entry *entry)
{
	if (!timer)
		return;
	timer->calls += entry->count;
	timer->exclusive += entry->total;
	timer->inclusive += entry->inclusive;
}

static void count_callee(struct timer *timer, const struct schedprof_entry *entry)
{
	if (timer)
		timer->subrs += entry->count;
}

static const char *function_name(const struct profile *profile,
				 const struct schedprof_entry *entry, size_t index)
{
	struct schedprof_frame frame;

	if (!schedprof_frame(profile->report->recording, entry->task,
			     entry->kernel, index, &profile->report->names, &frame,
			     sizeof(frame)))
		return "?";
	return frame.function ? frame.function : "?";
}

/* The call path down to the frame @innermost: "outer => inner". */
static char *call_path(const struct profile *profile,
		       const struct schedprof_entry *entry, size_t innermost)
{
	size_t i, size;
	char *path;
	FILE *out = open_memstream(&path, &size);

	if (!out)
		return NULL;
	fputs(WHOLE, out);
	for (i = entry->kernel->frame_count; i-- > innermost; )
		fprintf(out, ARROW "%s", function_name(profile, entry, i));
	return fclose(out) ? NULL : path;
}

static void add_path(struct profile *profile, const struct schedprof_entry *entry,
		     size_t innermost, void (*add)(struct timer *timer,
						   const struct schedprof_entry *entry))
{
	char *path = call_path(profile, entry, innermost);
	struct timer *timer = path ? timer_of(profile, path) : NULL;

	if (timer)
		timer->path = true;
	else
		profile->failed = true;
	add(timer, entry);
	free(path);
}

/* An entry is a call path; its last function is charged. */
static void add_entry(struct profile *profile, const struct schedprof_entry *entry)
{
	struct timer *whole = timer_of(profile, WHOLE);

	if (!entry->kernel || !entry->kernel->frame_count)
		return;
	charge_timer(timer_of(profile, function_name(profile, entry, 0)), entry);
	add_path(profile, entry, 0, charge_timer);
	if (entry->kernel->frame_count > 1) {
		count_callee(timer_of(profile, function_name(profile, entry, 1)), entry);
		add_path(profile, entry, 1, count_callee);
	} else {
		count_callee(whole, entry);
		/* The timer of the whole life keeps what is left of the life. */
		if (whole)
			whole->exclusive -= entry->inclusive < whole->exclusive ?
					    entry->inclusive : whole->exclusive;
	}
}

static struct call call_of(const struct calls *calls, int32_t tgid, int32_t tid,
			   uint64_t start_ns, const char *comm)
{
	return (struct call){
		.tgid = tgid, .tid = tid, .start_ns = calls->merged ? 0 : start_ns,
		.comm = calls->merged ? comm : "",
	};
}

static int by_task(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return strcmp(x->comm, y->comm);
}

/* So that not all entries are looked at for each thread. Return: whether there was memory. */
static bool sort_calls(const struct schedprof_recording *recording, struct calls *calls)
{
	const struct schedprof_entry *entry;
	size_t i;

	calls->merged = schedprof_meta(recording, "merged");
	calls->list = calloc(schedprof_entry_count(recording) + 1, sizeof(*calls->list));
	if (!calls->list)
		return false;
	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		calls->list[i] = call_of(calls, entry->task->tgid, entry->task->tid,
					 entry->task->start_ns, entry->task->comm);
		calls->list[i].entry = entry;
	}
	calls->count = i;
	qsort(calls->list, calls->count, sizeof(*calls->list), by_task);
	return true;
}

/* The first one that is not before @key. */
static size_t first_call(const struct calls *calls, const struct call *key)
{
	size_t low = 0, high = calls->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_task(&calls->list[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* If other books have the same numbers and names, calls are told with the first ones only. */
static void add_functions(struct profile *profile)
{
	const struct schedprof_ledger *books = profile->books;
	const struct calls *calls = profile->calls;
	const struct call key = call_of(calls, books->tgid, books->tid, books->start_ns,
					books->comm);
	struct call *call;
	size_t i;

	for (i = first_call(calls, &key); i < calls->count; i++) {
		call = &calls->list[i];
		if (call->told || by_task(call, &key))
			break;
		call->told = true;
		add_entry(profile, call->entry);
	}
}

static void add_states(struct profile *profile)
{
	const struct schedprof_ledger *books = profile->books;
	const struct {
		const char *name;
		uint64_t time;
	} states[] = {
		{ "on a CPU", books->oncpu },
		{ "waiting for a CPU", books->runqueue },
		{ "asleep", books->sleep },
		{ "in disk sleep", books->disk },
	};
	struct timer *timer;
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		timer = timer_of(profile, states[i].name);
		if (!timer)
			return;
		timer->calls = 1;
		timer->exclusive = states[i].time;
		timer->inclusive = states[i].time;
	}
	timer = timer_of(profile, WHOLE);
	if (timer) {
		timer->subrs = i;
		timer->exclusive = 0;
	}
}

/* twalk() hands nothing over to its visitor, and not every C library has twalk_r(). */
static struct profile *printed;

static void print_time(uint64_t time)
{
	if (printed->report->cycles)
		fprintf(printed->out, " %" PRIu64, time);
	else
		fprintf(printed->out, " %" PRIu64 ".%03" PRIu64, time / 1000,
			time % 1000);
}

static void print_timer(const void *node, VISIT visit, int level)
{
	const struct timer *timer = *(const struct timer *const *)node;

	(void)level;
	if (visit != postorder && visit != leaf)
		return;
	fputc('"', printed->out);
	cli_print_timer(printed->out, timer->name);
	fprintf(printed->out, "\" %" PRIu64 " %" PRIu64, timer->calls,
		timer->subrs);
	print_time(timer->exclusive);
	print_time(timer->inclusive);
	fprintf(printed->out, " 0 GROUP=\"%s\"\n",
		timer->path ? "TAU_CALLPATH|KERNEL" : "KERNEL");
}

static void print_fact(FILE *out, const char *name, const char *value)
{
	fputs("<attribute><name>", out);
	cli_print_xml(out, name);
	fputs("</name><value>", out);
	cli_print_xml(out, value);
	fputs("</value></attribute>", out);
}

static void print_number_fact(FILE *out, const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	print_fact(out, name, text);
}

static void print_time_fact(const struct profile *profile, const char *name,
			    uint64_t time)
{
	char text[64];

	snprintf(text, sizeof(text), "%s (%s)", name,
		 profile->report->cycles ? "cycles" : "ns");
	print_number_fact(profile->out, text, time);
}

static void print_metadata(const struct profile *profile, const struct cli_ran *ran)
{
	const struct schedprof_ledger *books = profile->books;
	const struct schedprof_recording *recording = profile->report->recording;
	const char *const facts[] = { "hostname", "kernel", "mode", "clock" };
	FILE *out = profile->out;
	const char *value;
	size_t i;

	fputs("# Name Calls Subrs Excl Incl ProfileCalls # <metadata>", out);
	print_fact(out, "Metric Name", profile->report->cycles ? "CYCLES" : "TIME");
	if (ran)
		print_fact(out, "Executable", ran->program[0]);
	print_fact(out, "comm", books->comm);
	print_number_fact(out, "pid", (uint64_t)books->tgid);
	print_number_fact(out, "tid", (uint64_t)books->tid);
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		value = schedprof_meta(recording, facts[i]);
		if (value)
			print_fact(out, facts[i], value);
	}
	print_time_fact(profile, "on a CPU", books->oncpu);
	print_time_fact(profile, "waiting for a CPU", books->runqueue);
	print_time_fact(profile, "asleep", books->sleep);
	print_time_fact(profile, "in disk sleep", books->disk);
	print_number_fact(out, "voluntary switches", books->switches_vol);
	print_number_fact(out, "involuntary switches", books->switches_invol);
	print_number_fact(out, "wakeups", books->wakeups);
	print_number_fact(out, "migrations", books->migrations);
	fputs("</metadata>\n", out);
}

static void print_profile(struct profile *profile, const struct cli_ran *ran)
{
	fprintf(profile->out, "%zu templated_functions_MULTI_%s\n", profile->count,
		profile->report->cycles ? "CYCLES" : "TIME");
	print_metadata(profile, ran);
	printed = profile;
	twalk(profile->tree, print_timer);
	fputs("0 aggregates\n0 userevents\n", profile->out);
}

static int write_profile(struct profile *profile, const struct cli_ran *ran,
			 const char *path)
{
	const struct schedprof_ledger *books = profile->books;
	const struct cli_options to = { .file = path, .no_link = true };
	struct timer *whole = timer_of(profile, WHOLE);
	int err = CLI_FAILED;

	if (whole) {
		whole->calls = 1;
		whole->inclusive = books->oncpu + books->runqueue + books->sleep +
				   books->disk;
		whole->exclusive = whole->inclusive;
		if (profile->report->functions)
			add_functions(profile);
		else
			add_states(profile);
	}
	if (profile->failed) {
		cli_error("there is not enough memory to write %s", path);
		goto out;
	}
	profile->out = cli_output_open(&to, NULL);
	if (!profile->out)
		goto out;
	print_profile(profile, ran);
	err = cli_output_close(profile->out);
out:
	tdestroy(profile->tree, free_timer);
	return err;
}

/* Sorts threads of a process next to each other. */
static int by_process(const void *a, const void *b)
{
	const struct schedprof_ledger *x = *(const struct schedprof_ledger *const *)a;
	const struct schedprof_ledger *y = *(const struct schedprof_ledger *const *)b;

	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static bool is_profile(const char *name)
{
	size_t node, thread;
	char text[64];

	if (sscanf(name, PROFILE, &node, &thread) != 2)
		return false;
	snprintf(text, sizeof(text), PROFILE, node, thread);
	return !strcmp(name, text);
}

/*
 * Profiles of an earlier run would be read as threads of this one; and links of such names were
 * made by whoever wants this one to write somewhere else.
 */
static int remove_old(const char *directory)
{
	DIR *files = opendir(directory);
	const struct dirent *file;
	struct stat status;
	int err = CLI_OK;

	if (!files) {
		cli_error("cannot read the directory %s: %s", directory, strerror(errno));
		return CLI_FAILED;
	}
	while (!err && (file = readdir(files))) {
		if (!is_profile(file->d_name) ||
		    fstatat(dirfd(files), file->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
		    S_ISDIR(status.st_mode) || !unlinkat(dirfd(files), file->d_name, 0))
			continue;
		cli_error("cannot remove %s/%s: %s", directory, file->d_name, strerror(errno));
		err = CLI_FAILED;
	}
	closedir(files);
	return err;
}

static int write_all(const struct cli_report *report, const struct cli_ran *ran,
		     const char *directory, const struct calls *calls,
		     const struct schedprof_ledger **all, size_t n)
{
	size_t i, node = 0, thread = 0;
	char path[4096];
	int err = CLI_OK;

	qsort(all, n, sizeof(*all), by_process);
	for (i = 0; i < n && !err; i++) {
		struct profile profile = { .report = report, .books = all[i], .calls = calls };

		if (i && all[i]->tgid == all[i - 1]->tgid) {
			thread++;
		} else if (i) {
			node++;
			thread = 0;
		}
		snprintf(path, sizeof(path), "%s/" PROFILE, directory, node, thread);
		err = write_profile(&profile, ran, path);
	}
	return err;
}

/**
 * cli_tau_prepare() - make the directory, before anybody waits for it
 * @directory: may be there already
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_tau_prepare(const char *directory)
{
	if (!mkdir(directory, 0777) || errno == EEXIST)
		return CLI_OK;
	cli_error("cannot make the directory %s: %s", directory, strerror(errno));
	return CLI_FAILED;
}

/**
 * cli_tau_write() - write the profiles of a command
 * @report: of a session with a ledger
 * @ran: the command; NULL: not known
 * @directory: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_tau_write(const struct cli_report *report, const struct cli_ran *ran,
		  const char *directory)
{
	size_t i, n = schedprof_ledger_count(report->recording);
	const struct schedprof_ledger **all;
	struct calls calls = { };
	int err;

	if (!n) {
		cli_error("profiles for TAU need the books of the tasks; record with --ledger");
		return CLI_FAILED;
	}
	all = calloc(n + 1, sizeof(*all));
	if (!all || (report->functions && !sort_calls(report->recording, &calls))) {
		free(all);
		return cli_no_memory();
	}
	for (i = 0; i < n; i++)
		all[i] = schedprof_ledger_at(report->recording, i);
	err = remove_old(directory);
	if (!err)
		err = write_all(report, ran, directory, &calls, all, n);
	free(calls.list);
	free(all);
	return err;
}
