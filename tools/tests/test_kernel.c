// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_kernel [WHAT]: the library with a real kernel; as root, in a virtual machine.
 * Without WHAT the module is loaded; "unloaded" and "unmounted" (debugfs) are about
 * what is said then. The truth is what the kernel told the sleeping child, the
 * module's text files, and /proc/kallsyms.
 *
 * The child is one process, and says and hears through pipes. One thread in each.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "schedprof.h"

#define NAPS 50

static struct schedprof *handle;
static char session[SCHEDPROF_NAME_SIZE];

static void check_refusal(const char *attribute, const char *value, int code,
			  const char *message)
{
	struct schedprof_error error = { };

	CHECK_NUMBER(-schedprof_set(handle, session, attribute, value, &error), code);
	CHECK_NUMBER(error.code, code);
	if (!strstr(error.message, message))
		check_failed(__FILE__, __LINE__, "%s: '%s' is not in '%s'", attribute,
			     message, error.message);
}

static void sessions(void)
{
	struct schedprof_error error = { };
	size_t count;
	char **names;

	CHECK_NUMBER(schedprof_create_unique(handle, "test", session, &error), 0);
	CHECK_NUMBER(-schedprof_create(handle, session, &error), SCHEDPROF_EXISTS);
	/* The module has a file of that name where sessions have their results. */
	CHECK_NUMBER(-schedprof_create(handle, "hooks", &error), SCHEDPROF_REFUSED);
	CHECK(strstr(error.message, "'hooks' is the name of a file of the module's own"));
	CHECK_NUMBER(-schedprof_create(handle, "a\nb", &error), SCHEDPROF_REFUSED);
	CHECK(strstr(error.message, "'a\\x0ab' has a control character in it"));
	CHECK_NUMBER(-schedprof_remove(handle, "none", &error), SCHEDPROF_NO_SESSION);
	names = schedprof_list(handle, &count, &error);
	if (CHECK(names)) {
		CHECK_NUMBER(count, 1);
		CHECK_TEXT(names[0], session);
	}
	schedprof_list_free(names);
}

static void values(void)
{
	struct schedprof_error error = { };
	char *text;

	check_refusal("mode", "nothing", SCHEDPROF_REFUSED,
		      "'nothing' is not known here: write one of offcpu");
	check_refusal("stack_depth", "200", SCHEDPROF_REFUSED, "out of range");
	check_refusal("status", "1", SCHEDPROF_REFUSED, "cannot be used in this way");
	check_refusal("unknown", "1", SCHEDPROF_NOT_FOUND, "no attribute 'unknown'");
	CHECK_NUMBER(schedprof_set(handle, session, "comm", "a*", &error), 0);
	text = schedprof_get(handle, session, "comm", &error);
	CHECK_TEXT(text, "a*");
	free(text);
	CHECK_NUMBER(schedprof_set(handle, session, "comm", "", &error), 0);
	text = schedprof_get(handle, session, "comm", &error);
	CHECK_TEXT(text, "");
	free(text);
	text = schedprof_get(handle, NULL, "version", &error);
	CHECK(text && *text);
	free(text);
	CHECK_NUMBER(-schedprof_set(handle, NULL, "hook", "magic", &error),
		     SCHEDPROF_REFUSED);
	CHECK(strstr(error.message, "'magic' is no way"));
}

/* Many processes, in a list that takes several writes and more than a page to read. */
static void long_lists(void)
{
	enum { CHILDREN = 900 };
	static char wanted[16384], list[32768];
	static pid_t pids[CHILDREN];
	char *at = wanted, *to = list, *text;
	struct schedprof_error error = { };
	int i;

	for (i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			pause();
			_exit(0);
		}
		at += sprintf(at, "%s%d", i ? " " : "", pids[i]);
		/* As if names were long. */
		to += sprintf(to, "%s%10.7d", i ? ", " : "", pids[i]);
	}
	if (schedprof_set(handle, session, "pids", list, &error))
		check_failed(__FILE__, __LINE__, "%s", error.message);
	text = schedprof_get(handle, session, "pids", &error);
	CHECK_TEXT(text, wanted);
	free(text);
	CHECK_NUMBER(schedprof_set(handle, session, "pids", "all", &error), 0);
	for (i = 0; i < CHILDREN; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

static int to_child[2], from_child[2];

static int __attribute__((noinline)) nap_here(void)
{
	struct timespec nap = { .tv_nsec = 5000000 };

	return nanosleep(&nap, NULL);
}

/* Naps when it is told to, and says how often it really left the CPU. */
static void child(void)
{
	struct rusage before, after;
	long left;
	char c;
	int i;

	if (read(to_child[0], &c, 1) != 1)
		_exit(1);
	getrusage(RUSAGE_SELF, &before);
	for (i = 0; i < NAPS; i++)
		nap_here();
	getrusage(RUSAGE_SELF, &after);
	left = after.ru_nvcsw - before.ru_nvcsw + after.ru_nivcsw - before.ru_nivcsw;
	if (write(from_child[1], &left, sizeof(left)) != sizeof(left))
		_exit(1);
	if (read(to_child[0], &c, 1) != 1)
		_exit(1);
	_exit(0);
}

static struct schedprof_recording *snapshot(void)
{
	struct schedprof_recording *recording = NULL;
	struct schedprof_error error = { };
	struct schedprof_reader *reader;

	reader = schedprof_read_session(handle, session, &error);
	if (!reader || schedprof_next(reader, &recording, &error) != 1)
		check_failed(__FILE__, __LINE__, "%s", error.message);
	schedprof_reader_close(reader);
	return recording;
}

/* What the entries say of the naps. */
static void check_naps(const struct schedprof_recording *recording, pid_t pid, long left)
{
	struct schedprof_names names = {
		.size = sizeof(names), .user = schedprof_symbolizer_open(NULL),
	};
	const struct schedprof_entry *entry;
	uint64_t count = 0, total = 0;
	size_t i;

	CHECK(names.user);
	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		char *text = schedprof_entry_folded(recording, entry, SCHEDPROF_BY_THREAD,
						    &names, NULL);

		CHECK_NUMBER(entry->task->tid, pid);
		if (text && strstr(text, ";nap_here;") &&
		    strstr(text, ";do_nanosleep_[k];")) {
			count += entry->count;
			total += entry->total;
		}
		free(text);
	}
	/*
	 * It may have left the CPU elsewhere, too; and if the host stops the machine,
	 * a nap is over before it begins.
	 */
	CHECK(count >= NAPS / 2 && count <= (uint64_t)left);
	CHECK(total >= count * 2500000ULL);
	schedprof_symbolizer_close(names.user);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The module's own file, line by line; in any order. */
static void check_folded(const struct schedprof_recording *recording)
{
	char *text = schedprof_read_text(handle, session, "folded", NULL, NULL);
	const struct schedprof_entry *entry;
	char *ours[4096], *theirs[4096], *line, *rest;
	size_t i, n = 0, m = 0;

	for (i = 0; (entry = schedprof_entry_at(recording, i)) && n < 4096; i++) {
		char *key = schedprof_entry_folded(recording, entry, SCHEDPROF_BY_THREAD,
						   NULL, NULL);

		if (asprintf(&ours[n], "%s %" PRIu64, key, entry->total / 1000) > 0)
			n++;
		free(key);
	}
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line && m < 4096;
	     line = strtok_r(NULL, "\n", &rest))
		theirs[m++] = line;
	CHECK(n > 0);
	if (CHECK_NUMBER(n, m)) {
		qsort(ours, n, sizeof(*ours), by_text);
		qsort(theirs, n, sizeof(*theirs), by_text);
		for (i = 0; i < n; i++)
			CHECK_TEXT(ours[i], theirs[i]);
	}
	for (i = 0; i < n; i++)
		free(ours[i]);
	free(text);
}

static void check_symbols(const struct schedprof_recording *recording)
{
	struct schedprof_kernel *kernel = schedprof_kernel_load(NULL, NULL);
	const struct schedprof_symbol *symbol;
	struct schedprof_symbol found;
	size_t i;

	if (!CHECK(kernel))
		return;
	CHECK(schedprof_symbol_count(recording) > 5);
	for (i = 0; (symbol = schedprof_symbol_at(recording, i)); i++) {
		if (!CHECK(schedprof_kernel_find(kernel, symbol->address - 1, &found,
						 sizeof(found))))
			break;
		CHECK_TEXT(found.function, symbol->function);
		CHECK_NUMBER(found.offset + 1, symbol->offset);
		CHECK_TEXT(found.module, symbol->module);
	}
	schedprof_kernel_free(kernel);
}

static void recording(void)
{
	struct schedprof_recording *recorded;
	struct schedprof_status status;
	uint64_t figure = 0;
	char number[16];
	long left = 0;
	pid_t pid;

	CHECK(!pipe(to_child) && !pipe(from_child));
	pid = fork();
	if (!pid)
		child();
	snprintf(number, sizeof(number), "%d", pid);
	CHECK_NUMBER(schedprof_set(handle, session, "pids", number, NULL), 0);
	CHECK_NUMBER(schedprof_set(handle, session, "ledger", "1", NULL), 0);
	CHECK_NUMBER(schedprof_start(handle, session, NULL), 0);
	CHECK_NUMBER(schedprof_start(handle, session, NULL), 0);
	check_refusal("max_tasks", "77", SCHEDPROF_BUSY, "while the session is enabled");
	CHECK_NUMBER(write(to_child[1], "x", 1), 1);
	CHECK_NUMBER(read(from_child[0], &left, sizeof(left)), sizeof(left));
	CHECK_NUMBER(schedprof_status(handle, session, &status, sizeof(status), NULL), 0);
	CHECK_NUMBER(status.state, SCHEDPROF_ENABLED);
	CHECK(status.seconds > 0.25 && status.memory_bytes > 0);
	CHECK_NUMBER(schedprof_stop(handle, session, NULL), 0);
	recorded = snapshot();
	if (recorded) {
		CHECK_NUMBER(schedprof_stat(handle, session, "recorded", &figure, NULL),
			     0);
		snprintf(number, sizeof(number), "%" PRIu64, figure);
		CHECK_TEXT(schedprof_meta(recorded, "stats.recorded"), number);
		/* While it lives, so that it says where its program is. */
		check_naps(recorded, pid, left);
		check_folded(recorded);
		check_symbols(recorded);
		CHECK(schedprof_ledger_count(recorded) > 0);
	}
	schedprof_recording_free(recorded);
	CHECK_NUMBER(write(to_child[1], "x", 1), 1);
	waitpid(pid, NULL, 0);
	CHECK_NUMBER(schedprof_reset(handle, session, NULL), 0);
	recorded = snapshot();
	if (recorded)
		CHECK_NUMBER(schedprof_entry_count(recorded), 0);
	schedprof_recording_free(recorded);
}

static void removed(void)
{
	struct schedprof_error error = { };
	struct schedprof_status status;

	CHECK_NUMBER(schedprof_remove(handle, session, &error), 0);
	CHECK_NUMBER(-schedprof_remove(handle, session, &error), SCHEDPROF_NO_SESSION);
	CHECK_NUMBER(-schedprof_status(handle, session, &status, sizeof(status), &error),
		     SCHEDPROF_NO_SESSION);
	CHECK(!schedprof_read_session(handle, session, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NO_SESSION);
}

static void check_closed(int code, const char *message)
{
	struct schedprof_error error = { };

	CHECK(!schedprof_open(NULL, NULL, &error));
	CHECK_NUMBER(error.code, code);
	if (!strstr(error.message, message))
		check_failed(__FILE__, __LINE__, "'%s' is not in '%s'", message,
			     error.message);
}

static void not_root(void)
{
	CHECK(!seteuid(65534));
	check_closed(SCHEDPROF_NOT_ROOT, "only root may use schedprof");
	CHECK(!seteuid(0));
}

static void unloaded(void)
{
	check_closed(SCHEDPROF_NO_MODULE, "load it with: modprobe schedprof");
}

static void unmounted(void)
{
	check_closed(SCHEDPROF_NOT_MOUNTED, "mount -t debugfs none /sys/kernel/debug");
}

static const struct test tests[] = {
	{ "sessions", sessions },
	{ "values", values },
	{ "long lists", long_lists },
	{ "recording", recording },
	{ "removed", removed },
	{ "not root", not_root },
};

int main(int count, char **arguments)
{
	static const struct test test_unloaded = { "unloaded", unloaded };
	static const struct test test_unmounted = { "unmounted", unmounted };
	struct schedprof_error error;
	int bad;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (count > 1)
		return check_run("kernel", strcmp(arguments[1], "unloaded") ?
				 &test_unmounted : &test_unloaded, 1);
	handle = schedprof_open(NULL, NULL, &error);
	if (!handle) {
		printf("not ok kernel: %s\n", error.message);
		return 1;
	}
	bad = check_run("kernel", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_close(handle);
	return bad;
}
