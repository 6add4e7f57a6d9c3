// SPDX-License-Identifier: GPL-2.0-only
/*
 * racers: eight processes that make, write, start, read, reset and remove sessions of the
 * same few names, each whenever it likes.
 *
 * racers CONFIGFS DEBUGFS SEED NUMBER HOOK...
 *
 * There is a session `stays` that the caller made. It is enabled in nine of ten fifties of
 * operations, so that hooks are armed then, and off in the tenth, so that others
 * arm and disarm them. Each process also has a session of its own, of which it knows exactly
 * what must come of what it does; of those that are shared, each operation has errnos that
 * are possible there.
 *
 * Prints "bad ..." for whatever else happens, at most 20 of a process, and last what was
 * counted. What each process does follows from SEED, not when. The counts are shared, and
 * atomic.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RACERS		8
#define SHARED		3	/* names */
#define MAX_BAD		20
#define PERIOD		500	/* operations from one start of `stays` to the next */
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

enum { MAKE, REMOVE, START, STOP, RESET, WRITE, SPOIL, SHOW, READ, HOOK, KINDS };

static const char *const kind_names[KINDS] = {
	"mkdir", "rmdir", "enable", "disable", "reset", "write", "bad_write", "show", "read",
	"hook"
};

static struct counts {
	unsigned long long begun, bad;
	unsigned long long done[KINDS], other[KINDS];	/* succeeded, or not */
	unsigned long long books, tables;
} *counts;

static const char *configfs, *debugfs;
static char **hook_words;
static unsigned int hook_count;
static int racer;
static unsigned int bad;
static char doing[512];

/* The racer's own session. */
static struct {
	bool exists, on;
	char min_us[32];
} own;

static uint64_t dice_state;

static uint32_t dice(uint32_t sides)
{
	dice_state ^= dice_state << 13;
	dice_state ^= dice_state >> 7;
	dice_state ^= dice_state << 17;
	return (uint32_t)((dice_state * 0x2545f4914f6cdd1dULL) >> 32) % sides;
}

__attribute__((format(printf, 1, 2)))
static void wrong_is(const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	__atomic_add_fetch(&counts->bad, 1, __ATOMIC_RELAXED);
	if (bad++ >= MAX_BAD)
		return;
	va_start(args, format);
	n = snprintf(text, sizeof(text), "bad racer %d, %s: ", racer, doing);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
	va_end(args);
	/* At once, so that lines of several are not mixed. */
	strcpy(text + strlen(text) - (strlen(text) == sizeof(text) - 1), "\n");
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		_exit(3);
}

/* Errnos that are possible, and 0 where success is; -1 ends them. */
struct possible {
	int errors[6];
};

#define ONLY(...)	(&(const struct possible){ { __VA_ARGS__, -1 } })

static bool check(int kind, int error, const struct possible *possible)
{
	const int *p;

	__atomic_add_fetch(error ? &counts->other[kind] : &counts->done[kind], 1,
			   __ATOMIC_RELAXED);
	for (p = possible->errors; *p >= 0; p++)
		if (*p == error)
			return true;
	wrong_is("%s", error ? strerrorname_np(error) : "success");
	return false;
}

static const char *path_of(const char *where, const char *name, const char *file)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s/%s", where, name, file);
	return path;
}

/* 0 or an errno; *opened tells of which call. */
static int put(const char *name, const char *file, const char *text, bool *opened)
{
	int fd = open(path_of(configfs, name, file), O_WRONLY), error;
	ssize_t n;

	*opened = fd >= 0;
	if (fd < 0)
		return errno;
	/* Others have time to remove it. */
	if (!dice(4))
		usleep(dice(2000));
	n = write(fd, text, strlen(text));
	error = n < 0 ? errno : 0;
	close(fd);
	if (n >= 0 && (size_t)n != strlen(text))
		wrong_is("%zd bytes were taken", n);
	return error;
}

/* Reads in pieces; the text, or NULL with an errno. */
static char *slurp(const char *path, size_t *size, int *error)
{
	static char *text;
	static size_t room;
	size_t piece = 1 + dice(dice(2) ? 200 : 20000);
	int fd = open(path, O_RDONLY);
	ssize_t n = 0;

	*size = 0;
	*error = fd < 0 ? errno : 0;
	if (fd < 0)
		return NULL;
	for (;;) {
		if (room < *size + piece + 1) {
			room = 2 * (*size + piece + 1);
			text = realloc(text, room);
			if (!text)
				_exit(3);
		}
		if (!dice(50))
			usleep(dice(1000));
		n = read(fd, text + *size, piece);
		if (n <= 0)
			break;
		*size += (size_t)n;
	}
	*error = n < 0 ? errno : 0;
	close(fd);
	text[*size] = '\0';
	return n < 0 ? NULL : text;
}

/* ---- operations ---- */

static void make(const char *name, bool mine)
{
	char path[512];
	int error;

	snprintf(path, sizeof(path), "%s/%s", configfs, name);
	error = mkdir(path, 0755) ? errno : 0;
	if (!mine) {
		check(MAKE, error, ONLY(0, EEXIST));
		return;
	}
	check(MAKE, error, own.exists ? ONLY(EEXIST) : ONLY(0));
	if (!error) {
		own.exists = true;
		own.on = false;
		strcpy(own.min_us, "0");
	}
}

static void remove_it(const char *name, bool mine)
{
	char path[512];
	int error;

	snprintf(path, sizeof(path), "%s/%s", configfs, name);
	error = rmdir(path) ? errno : 0;
	if (!mine) {
		check(REMOVE, error, ONLY(0, ENOENT));
		return;
	}
	check(REMOVE, error, own.exists ? ONLY(0) : ONLY(ENOENT));
	own.exists = false;
}

static void start(const char *name, bool mine)
{
	bool opened;
	int error = put(name, "enable", "1\n", &opened);

	/* Some have stacks of wakers in a mode that has none, or no functions. */
	if (!mine)
		check(START, error, opened ? ONLY(0, ENOENT, EINVAL) : ONLY(ENOENT));
	else
		check(START, error, own.exists ? ONLY(0) : ONLY(ENOENT));
	if (mine && !error)
		own.on = true;
}

static void stop(const char *name, bool mine)
{
	bool opened;
	int error = put(name, "enable", "0\n", &opened);

	check(STOP, error, !mine || !own.exists ? mine ? ONLY(ENOENT) : ONLY(0, ENOENT) : ONLY(0));
	if (mine)
		own.on = false;
}

static void reset(const char *name, bool mine)
{
	bool opened;
	int error = put(name, "reset", "1\n", &opened);

	check(RESET, error, !mine || !own.exists ? mine ? ONLY(ENOENT) : ONLY(0, ENOENT) : ONLY(0));
}

static const struct {
	const char *file, *text;
	bool live;
} good[] = {
	{ "mode", "blocked" }, { "mode", "offcpu" }, { "mode", "oncpu" }, { "mode", "runqueue" },
	{ "mode", "nosched" }, { "mode", "wall" }, { "mode", "function" },
	{ "functions", "vfs_read" },
	{ "functions", "+vfs_write" }, { "pids", "1", true }, { "pids", "all", true },
	{ "tids", "+1", true }, { "tids", "none", true }, { "tids", "all", true },
	{ "tasks_kind", "user" }, { "tasks_kind", "all" }, { "inherit", "1" },
	{ "inherit", "0" }, { "comm", "r*", true }, { "comm", "", true }, { "uid", "0", true },
	{ "uid", "-1", true }, { "cgroup", "/", true }, { "cgroup", "", true },
	{ "state", "S D" }, { "state", "all" }, { "min_us", "100", true },
	{ "min_us", "0", true }, { "max_us", "5000", true }, { "max_us", "0", true },
	{ "stack", "none" }, { "stack", "kernel user" }, { "stack", "kernel waker" },
	{ "stack_depth", "3" }, { "stack_depth", "127" }, { "ledger", "1" }, { "ledger", "0" },
	{ "blame", "1" }, { "blame", "1" }, { "blame", "0" }, { "interrupts", "1" },
	{ "interrupts", "1" }, { "interrupts", "0" }, { "clock", "boot" }, { "clock", "mono" },
	{ "group_by", "comm" }, { "group_by", "cgroup" }, { "group_by", "thread" },
	{ "period_us", "5000" }, { "period_us", "20000" }, { "trace_kb", "16" },
	{ "trace_kb", "0" }, { "throttle", "1" }, { "top_n", "3", true },
	{ "idle_waits", "+my_wait -ep_poll", true }, { "idle_waits", "none", true },
	{ "idle_waits", "default", true },
	{ "duration_ms", "1", true }, { "duration_ms", "30", true }, { "duration_ms", "0", true },
	{ "max_tasks", "30" }, { "max_tasks", "3000" }, { "max_stacks", "50" },
	{ "max_stacks", "3000" }, { "max_entries", "40" }, { "max_entries", "6000" },
};

/* Values that are small, so that starting takes no time. */
static void write_good(const char *name, bool mine)
{
	unsigned int i = dice(COUNT(good));
	char text[64];
	bool opened;
	int error;

	if (mine) {
		/* What is read afterwards is this, and nobody else's. */
		snprintf(text, sizeof(text), "%u", dice(100000));
		snprintf(doing, sizeof(doing), "min_us of its own %s '%s'", name, text);
		error = put(name, "min_us", text, &opened);
		check(WRITE, error, own.exists ? ONLY(0) : ONLY(ENOENT));
		if (!error)
			strcpy(own.min_us, text);
		error = put(name, "stack_depth", "9", &opened);
		strcpy(doing + strlen(doing), " and stack_depth");
		check(WRITE, error, !own.exists ? ONLY(ENOENT) : own.on ? ONLY(EBUSY) : ONLY(0));
		return;
	}
	snprintf(text, sizeof(text), "%s\n", good[i].text);
	snprintf(doing, sizeof(doing), "%s of %s '%s'", good[i].file, name, good[i].text);
	error = put(name, good[i].file, text, &opened);
	if (!opened)
		check(WRITE, error, ONLY(ENOENT));
	else
		check(WRITE, error, good[i].live ? ONLY(0, ENOENT) : ONLY(0, ENOENT, EBUSY));
}

static const struct {
	const char *file, *text;
	int error;
	bool live;
} spoilt[] = {
	{ "mode", "nonsense", EINVAL }, { "pids", "1 x", EINVAL, true },
	{ "pids", "4194304", ESRCH, true }, { "tids", "0", ERANGE, true },
	{ "stack_depth", "128", ERANGE }, { "top_n", "0", ERANGE, true },
	{ "min_us", "-1", ERANGE, true }, { "enable", "2", ERANGE, true },
	{ "enable", "x", EINVAL, true }, { "reset", "0", ERANGE, true },
	{ "cgroup", "/there/is/none", ENOENT, true }, { "functions", "+;", EINVAL },
	{ "state", "none", EINVAL }, { "idle_waits", "+futex_wait", EINVAL, true },
	{ "blame", "2", ERANGE }, { "interrupts", "yes", EINVAL }, { "period_us", "99", ERANGE },
};

static void write_bad(const char *name, bool mine)
{
	unsigned int i = dice(COUNT(spoilt));
	bool opened;
	int error;

	snprintf(doing, sizeof(doing), "%s of %s '%s'", spoilt[i].file, name, spoilt[i].text);
	error = put(name, spoilt[i].file, spoilt[i].text, &opened);
	if (!opened)
		check(SPOIL, error, mine && own.exists ? ONLY(-1) : ONLY(ENOENT));
	else if (mine)
		check(SPOIL, error, own.on && !spoilt[i].live ? ONLY(EBUSY) :
		      ONLY(spoilt[i].error));
	else
		check(SPOIL, error, spoilt[i].live ? ONLY(spoilt[i].error, ENOENT) :
		      ONLY(spoilt[i].error, ENOENT, EBUSY));
}

static void show(const char *name, bool mine)
{
	static const char *const files[] = {
		"enable", "status", "last_error", "pids", "tids", "comm", "cgroup", "functions",
		"mode", "stack", "blame", "interrupts", "idle_waits", "period_us", "group_by"
	};
	const char *file = mine ? "min_us" : files[dice(COUNT(files))];
	size_t size;
	char *text;
	int error;

	snprintf(doing, sizeof(doing), "reading %s of %s", file, name);
	text = slurp(path_of(configfs, name, file), &size, &error);
	if (mine)
		check(SHOW, error, own.exists ? ONLY(0) : ONLY(ENOENT));
	else
		check(SHOW, error, ONLY(0, ENOENT));
	if (text && size && text[size - 1] != '\n')
		wrong_is("no end of the line: '%s'", text);
	text = text && mine ? strtok(text, "\n") : NULL;
	if (mine && own.exists && (!text || strcmp(text, own.min_us)))
		wrong_is("'%s', expected '%s'", text, own.min_us);
}

static long long value_of(const char *text, const char *name)
{
	size_t n = strlen(name);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, n) && line[n] == ' ')
			return atoll(line + n);
	}
	return -1;
}

/* Each interval is in one place, whoever reads, and whenever. */
static void check_books(const char *text)
{
	static const char *const parts[] = {
		"filtered", "below_min", "above_max", "lost_tasks", "lost_stacks", "lost_entries",
		"recorded"
	};
	long long sum = 0;
	unsigned int i;

	for (i = 0; i < COUNT(parts); i++)
		sum += value_of(text, parts[i]);
	if (value_of(text, "unaccounted") || sum != value_of(text, "intervals"))
		wrong_is("unaccounted %lld, intervals %lld, sum of its parts %lld",
			 value_of(text, "unaccounted"), value_of(text, "intervals"), sum);
	__atomic_add_fetch(&counts->books, 1, __ATOMIC_RELAXED);
}

/* All lines of a table have as many columns as its head; or it says why there is none. */
static void check_columns(const char *text)
{
	unsigned int columns = 0, n = 0;

	if (*text == '#')
		return;
	for (; *text; text++) {
		n += *text == '\t';
		if (*text != '\n')
			continue;
		columns = columns ?: n;
		if (!n || n != columns) {
			wrong_is("a line has %u tabs, and the head %u", n, columns);
			return;
		}
		n = 0;
	}
	__atomic_add_fetch(&counts->tables, 1, __ATOMIC_RELAXED);
}

static const char *const results[] = {
	"top", "by_task", "folded", "tasks", "blame", "functions", "events", "histogram", "stats",
	"config", "raw", "stats"
};

static void read_results(const char *name, const char *file, bool must)
{
	size_t size;
	char *text;
	int error;

	snprintf(doing, sizeof(doing), "reading %s of %s", file, name);
	text = slurp(path_of(debugfs, name, file), &size, &error);
	/* EIO is from debugfs: the session was removed under an open file. */
	if (must)
		check(READ, error, ONLY(0));
	else
		check(READ, error, ONLY(0, ENOENT, EIO));
	if (!text)
		return;
	if (strcmp(file, "raw") && size && text[size - 1] != '\n')
		wrong_is("the last line is cut: '%.100s'", size > 100 ? text + size - 100 : text);
	if (!strcmp(file, "stats"))
		check_books(text);
	if (!strcmp(file, "tasks") || !strcmp(file, "blame"))
		check_columns(text);
}

static void read_one(const char *name, bool mine)
{
	const char *file = results[dice(COUNT(results))];

	if (mine && !own.exists) {
		snprintf(doing, sizeof(doing), "opening %s of no session", file);
		check(READ, open(path_of(debugfs, name, file), O_RDONLY) < 0 ? errno : 0,
		      ONLY(ENOENT));
		return;
	}
	read_results(name, file, mine);
	if (!dice(20))
		read_results("stays", "stats", true);
}

static void choose_hook(void)
{
	const char *word = hook_words[dice(hook_count)];
	bool opened;

	snprintf(doing, sizeof(doing), "hook %s", word);
	check(HOOK, put(".", "hook", word, &opened), ONLY(0, EBUSY));
}

/* ---- the race ---- */

/* Nine of ten fifties with hooks, and one in which others arm and disarm them. */
static void keep_armed(unsigned long long number)
{
	bool opened;
	int error;

	number %= PERIOD;
	if (number && number != PERIOD / 10 * 9)
		return;
	snprintf(doing, sizeof(doing), "stays is %s", number ? "disabled" : "enabled");
	error = put("stays", "enable", number ? "0" : "1", &opened);
	if (error)
		wrong_is("%s", strerrorname_np(error));
	if (number)
		read_results("stays", "stats", true);
}

static void operate(void)
{
	/* How often which is done, of all. */
	static const unsigned int weights[KINDS] = { 12, 8, 12, 5, 5, 20, 8, 10, 19, 1 };
	bool mine = !dice(4);
	unsigned int at = dice(100);
	char name[32];
	int kind;

	if (mine)
		snprintf(name, sizeof(name), "own%d", racer);
	else
		snprintf(name, sizeof(name), "shared%u", dice(SHARED));
	for (kind = 0; at >= weights[kind]; kind++)
		at -= weights[kind];
	snprintf(doing, sizeof(doing), "%s of %s", kind_names[kind], name);
	switch (kind) {
	case MAKE:
		make(name, mine);
		break;
	case REMOVE:
		remove_it(name, mine);
		break;
	case START:
		start(name, mine);
		break;
	case STOP:
		stop(name, mine);
		break;
	case RESET:
		reset(name, mine);
		break;
	case WRITE:
		write_good(name, mine);
		break;
	case SPOIL:
		write_bad(name, mine);
		break;
	case SHOW:
		show(name, mine);
		break;
	case READ:
		read_one(name, mine);
		break;
	case HOOK:
		choose_hook();
		break;
	}
}

static void race(uint64_t seed, unsigned long long number)
{
	char name[32];

	dice_state = (seed * RACERS + (uint64_t)racer) * 0x9e3779b97f4a7c15ULL + 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		unsigned long long begun =
			__atomic_fetch_add(&counts->begun, 1, __ATOMIC_RELAXED);

		if (begun >= number)
			break;
		keep_armed(begun);
		operate();
	}
	if (own.exists) {
		snprintf(name, sizeof(name), "own%d", racer);
		strcpy(doing, "at the end, rmdir");
		remove_it(name, true);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	unsigned long long number;
	int i, status, wrong = 0;
	char path[512];

	if (argc < 6)
		return 2;
	configfs = argv[1];
	debugfs = argv[2];
	number = strtoull(argv[4], NULL, 10);
	hook_words = argv + 5;
	hook_count = (unsigned int)argc - 5;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		return 2;
	for (racer = 0; racer < RACERS; racer++) {
		pid_t pid = fork();

		if (pid < 0)
			return 2;
		if (!pid)
			race(strtoull(argv[3], NULL, 10), number);
	}
	for (i = 0; i < RACERS; i++) {
		if (wait(&status) < 0 || status) {
			printf("bad a racer ended with status %x\n", (unsigned int)status);
			wrong = 1;
		}
	}
	for (i = 0; i < SHARED; i++) {
		snprintf(path, sizeof(path), "%s/shared%d", configfs, i);
		if (rmdir(path) && errno != ENOENT) {
			printf("bad at the end, rmdir %s: %s\n", path, strerrorname_np(errno));
			wrong = 1;
		}
	}
	for (i = 0; i < KINDS; i++)
		printf("%s %llu %llu\n", kind_names[i], counts->done[i], counts->other[i]);
	printf("books %llu\ntables %llu\noperations %llu\n", counts->books, counts->tables,
	       number);
	return wrong || counts->bad;
}
