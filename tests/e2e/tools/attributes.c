// SPDX-License-Identifier: GPL-2.0-only
/*
 * attributes: every attribute of a session and of the root, with every kind
 * of good and of bad value, written with write() so that nothing between the
 * test and the kernel repairs it.
 *
 * attributes CONFIGFS-DIRECTORY
 *
 * Makes a session of its own there. A good value must read back, and clear
 * last_error. A bad one must be refused with the errno that is told here,
 * leave the value as it was, and one sentence in last_error. Prints a line for
 * each attribute and each state: ok NAME, or what is wrong.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attribute_bad.h"
#include "attribute_check.h"
#include "attribute_table.h"

#define SESSION	"attributes"

static void refuses_number(const char *name, uint64_t value)
{
	struct bad bad = { .err = ERANGE };
	char text[32];

	bad.text.size = (size_t)sprintf(text, "%llu", (unsigned long long)value);
	bad.text.bytes = text;
	refuses(dir, name, &bad, true);
}

static void accepts_number(const char *name, uint64_t value)
{
	char text[32], reads[32];
	int n = sprintf(text, "%llu\n", (unsigned long long)value);

	snprintf(reads, sizeof(reads), "%llu", (unsigned long long)value);
	accepts(dir, name, (struct text){ text, (size_t)n }, reads);
	/* The newline is optional. */
	accepts(dir, name, (struct text){ text, (size_t)n - 1 }, reads);
}

static void test_number(const struct attribute *a)
{
	static const char octal[] = "0100";
	uint64_t n;

	for (n = 1; n && n < a->max; n *= 10)
		if (n >= a->min)
			accepts_number(a->name, n);
	accepts_number(a->name, a->min);
	accepts_number(a->name, a->min + 1);
	accepts_number(a->name, a->max - 1);
	accepts_number(a->name, a->max);
	/* Refused or a hundred, but never the octal number. */
	if (!put(dir, a->name, (struct text)TEXT(octal)))
		expect_value(dir, a->name, "100", octal);
	accepts_number(a->name, a->min + 1);
	if (a->min)
		refuses_number(a->name, a->min - 1);
	refuses_number(a->name, a->max + 1);
	refuses_number(a->name, UINT32_MAX * (a->max < UINT32_MAX ? 1ULL : a->max));
	refuses_all(dir, a->name, bad_number, true);
}

static void test_words(const struct attribute *a)
{
	const char *const *good;

	for (good = a->good; *good; good++) {
		char text[128], *reads;
		size_t n;

		strcpy(text, *good);
		reads = strchr(text, '=');
		if (reads)
			*reads++ = '\0';
		n = strlen(text);
		accepts(dir, a->name, (struct text){ text, n }, reads ?: text);
		/* The newline is optional. */
		text[n] = '\n';
		accepts(dir, a->name, (struct text){ text, n + 1 }, NULL);
	}
	refuses_all(dir, a->name, a->bad, true);
	refuses_all(dir, a->name, bad_word, true);
}

static void test_attribute(const struct attribute *a)
{
	char name[64];

	snprintf(name, sizeof(name), "attribute %s", a->name);
	begin(name);
	expect_value(dir, a->name, a->initial, "a new session");
	if (a->is_number)
		test_number(a);
	else
		test_words(a);
	refuses_all(dir, a->name, bad_everywhere, true);
	accepts(dir, a->name, (struct text){ a->initial, strlen(a->initial) },
		a->initial);
	end();
}

/* ---- pids and tids ---- */

static pid_t make_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Does the list name exactly these? Their order is not promised. */
static void expect_list(const char *name, const char *why, int n, ...)
{
	char *text = get(dir, name), *word, *rest = text, copy[PAGE];
	bool found[8] = { };
	va_list args;
	int i, words = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strsep(&rest, " ,"))) {
		if (!*word)
			continue;
		words++;
		va_start(args, n);
		for (i = 0; i < n; i++)
			if (va_arg(args, int) == atoi(word))
				found[i] = true;
		va_end(args);
	}
	for (i = 0; i < n; i++)
		if (!found[i])
			words = -1;
	if (words != n)
		complain("%s: %s reads '%s', expected %d others", why, name, copy, n);
}

__attribute__((format(printf, 2, 3)))
static void set_list(const char *name, const char *format, ...)
{
	char text[PAGE];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	accepts(dir, name, (struct text){ text, (size_t)n }, NULL);
}

__attribute__((format(printf, 3, 4)))
static void refuse_list(const char *name, int err, const char *format, ...)
{
	struct bad bad = { .err = err };
	char text[PAGE];
	va_list args;

	va_start(args, format);
	bad.text.size = (size_t)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	bad.text.bytes = text;
	refuses(dir, name, &bad, true);
}

static const struct bad bad_list[] = {
	{ TEXT("all 1"), EINVAL }, { TEXT("1 all"), EINVAL },
	{ TEXT("none 1"), EINVAL }, { TEXT("1 none"), EINVAL },
	{ TEXT("all none"), EINVAL }, { TEXT("+all"), EINVAL },
	{ TEXT("-none"), EINVAL }, { TEXT("+"), EINVAL },
	{ TEXT("-"), EINVAL }, { TEXT("+ 1"), EINVAL },
	{ TEXT("--1"), EINVAL }, { TEXT("++1"), EINVAL },
	{ TEXT("+-1"), EINVAL }, { TEXT("1;1"), EINVAL },
	{ TEXT("1.1"), EINVAL }, { TEXT("1" "\0" "1"), EINVAL },
	{ TEXT("self"), EINVAL }, { TEXT("1-1"), EINVAL },
	{ TEXT("ALL"), EINVAL }, { TEXT("1:1"), EINVAL },
	{ TEXT("2147483648"), ERANGE, ESRCH },
	{ TEXT("4294967297"), ERANGE },
	{ TEXT("18446744073709551617"), ERANGE },
	{ TEXT("99999999999999999999"), ERANGE },
	{ TEXT("1 99999999999999999999"), ERANGE },
	{ TEXT("2147483647"), ESRCH, ERANGE },
	{ TEXT("4194303"), ESRCH },
	{ TEXT("1 4194303"), ESRCH },
	{ TEXT("+4194303"), ESRCH },
	{ TEXT("+1 +4194303"), ESRCH },
	{ TEXT("0"), ESRCH, ERANGE },
	{ }
};

static void test_list(const char *name)
{
	static char padded[PAGE];
	pid_t a = make_child(), b = make_child(), c = make_child(), gone;
	char title[64];

	snprintf(title, sizeof(title), "attribute %s", name);
	begin(title);
	expect_value(dir, name, "all", "a new session");
	accepts(dir, name, (struct text)TEXT("none"), "none");
	accepts(dir, name, (struct text)TEXT("all\n"), "all");

	set_list(name, "%d", a);
	expect_list(name, "one", 1, a);
	set_list(name, "%d %d,%d\n", a, b, c);
	expect_list(name, "three", 3, a, b, c);
	set_list(name, "%d %d", b, b);
	expect_list(name, "one twice", 1, b);
	set_list(name, "+%d", c);
	expect_list(name, "one added", 2, b, c);
	set_list(name, "+%d\n", c);
	expect_list(name, "one added again", 2, b, c);
	set_list(name, "-%d", b);
	expect_list(name, "one removed", 1, c);
	set_list(name, "+%d +%d", a, b);
	expect_list(name, "two added", 3, a, b, c);
	set_list(name, "-%d,+%d -%d", a, a, b);
	expect_list(name, "one after the other", 2, a, c);
	set_list(name, "-%d -%d", a, c);
	expect_value(dir, name, "none", "an emptied list");
	set_list(name, "+%d", a);
	expect_list(name, "one added to none", 1, a);
	set_list(name, "all");
	set_list(name, "+%d", b);
	expect_list(name, "one added to all", 1, b);

	/* All or nothing. */
	set_list(name, "%d", a);
	refuses_all(dir, name, bad_list, true);
	refuses_all(dir, name, bad_everywhere, true);
	refuse_list(name, ESRCH, "%d 4194303", b);
	refuse_list(name, ESRCH, "+%d +4194303", b);
	refuse_list(name, EINVAL, "%d %d x", b, c);
	expect_list(name, "after many refusals", 1, a);

	gone = make_child();
	end_child(gone);
	refuse_list(name, ESRCH, "%d", gone);
	refuse_list(name, ESRCH, "+%d", gone);
	/* Who is in the list may leave it, dead or alive. */
	set_list(name, "%d %d", a, b);
	end_child(b);
	set_list(name, "-%d", b);
	expect_list(name, "a dead one removed", 1, a);

	/* A list of the greatest length that is taken, and one byte more. */
	memset(padded, ' ', sizeof(padded));
	sprintf(padded, "%d", a);
	padded[strlen(padded)] = ' ';
	sprintf(padded + 4094 - 8, "%8d", c);
	accepts(dir, name, (struct text){ padded, 4094 }, NULL);
	expect_list(name, "a long list", 2, a, c);
	set_list(name, "%d", a);
	padded[4094] = ' ';
	refuses(dir, name, &(struct bad){ { padded, 4095 }, E2BIG, 0 }, true);
	if (!strchr(get(dir, "last_error"), '+'))
		complain("last_error does not say to use +: %s",
			 get(dir, "last_error"));

	set_list(name, "all");
	end_child(a);
	end_child(c);
	end();
}

/* ---- idle_waits ---- */

static bool lists(const char *name)
{
	char text[2 * PAGE], *rest = text, *word;

	strcpy(text, get(dir, "idle_waits"));
	while ((word = strsep(&rest, " ")))
		if (!strcmp(word, name))
			return true;
	return false;
}

static void expect_listed(const char *name, bool listed)
{
	if (lists(name) != listed)
		complain("idle_waits: %s is%s in it: '%s'", name, listed ? " not" : "",
			 get(dir, "idle_waits"));
}

static const struct bad bad_idle_waits[] = {
	{ TEXT("\n"), EINVAL }, { TEXT(" , "), EINVAL },
	{ TEXT("none ep_poll"), EINVAL }, { TEXT("ep_poll none"), EINVAL },
	{ TEXT("+none"), EINVAL }, { TEXT("-none"), EINVAL }, { TEXT("+default"), EINVAL },
	{ TEXT("-default"), EINVAL }, { TEXT("default +foo"), EINVAL },
	{ TEXT("foo +bar"), EINVAL }, { TEXT("+foo bar"), EINVAL },
	{ TEXT("+"), EINVAL }, { TEXT("-"), EINVAL }, { TEXT("+foo +"), EINVAL },
	{ TEXT("++foo"), EINVAL }, { TEXT("foo*"), EINVAL }, { TEXT("foo;bar"), EINVAL },
	{ TEXT("+ep_poll.isra.0"), EINVAL }, { TEXT("ext4:foo"), EINVAL },
	{ TEXT("foo\0bar"), EINVAL }, { TEXT("+foo\33"), EINVAL }, { TEXT("\377\376"), EINVAL },
	/* Never by its kernel frame alone. */
	{ TEXT("+futex_wait_queue"), EINVAL }, { TEXT("futex_wait"), EINVAL },
	{ TEXT("+do_futex"), EINVAL }, { TEXT("+__x64_sys_futex"), EINVAL },
	{ TEXT("+foo +__futex_wait"), EINVAL },
	/* Everybody sleeps there. */
	{ TEXT("+schedule"), EINVAL }, { TEXT("schedule_timeout"), EINVAL },
	{ TEXT("+wait_for_completion"), EINVAL },
	{ TEXT("-no_such_function"), ENOENT }, { TEXT("-ep_poll -ep_poll"), ENOENT },
	{ TEXT("+foo -bar_foo"), ENOENT },
	{ }
};

static void test_idle_waits(void)
{
	static const char *const by_default[] = {
		"ep_poll", "do_sys_poll", "do_select", "inet_csk_accept", "do_wait",
		"worker_thread", "rescuer_thread", "kthreadd", "rcu_gp_kthread", NULL
	};
	char before[2 * PAGE], text[2 * PAGE];
	unsigned int i, names = 0;

	begin("attribute idle_waits");
	strcpy(before, get(dir, "idle_waits"));
	for (i = 0; by_default[i]; i++)
		expect_listed(by_default[i], true);
	expect_listed("do_nanosleep", false);
	/* What it reads can be written. */
	accepts(dir, "idle_waits", (struct text){ before, strlen(before) }, before);
	refuses_all(dir, "idle_waits", bad_idle_waits, true);

	accepts(dir, "idle_waits", (struct text)TEXT("+foo -ep_poll\n"), NULL);
	expect_listed("foo", true);
	expect_listed("ep_poll", false);
	expect_listed("do_select", true);
	refuses_all(dir, "idle_waits", bad_idle_waits, true);
	accepts(dir, "idle_waits", (struct text)TEXT("default"), before);
	accepts(dir, "idle_waits", (struct text)TEXT("+ep_poll"), before);
	accepts(dir, "idle_waits", (struct text)TEXT("-ep_poll +foo +ep_poll,-foo"), NULL);
	expect_listed("ep_poll", true);
	expect_listed("foo", false);
	accepts(dir, "idle_waits", (struct text)TEXT("none"), "none");
	accepts(dir, "idle_waits", (struct text)TEXT("+foo +bar +foo"), "foo bar");
	accepts(dir, "idle_waits", (struct text)TEXT("-foo -bar"), "none");
	accepts(dir, "idle_waits", (struct text)TEXT("foo, bar foo"), "foo bar");
	accepts(dir, "idle_waits", (struct text)TEXT("nonsense"), "nonsense");
	accepts(dir, "idle_waits", (struct text)TEXT("default foo"), NULL);
	expect_listed("foo", true);
	expect_listed("ep_poll", true);

	/* Names of 127 characters, and as many as there is room for. */
	accepts(dir, "idle_waits", (struct text){ long_x, 127 }, NULL);
	refuses(dir, "idle_waits", &(struct bad){ { long_x, 128 }, E2BIG, 0 }, true);
	refuses(dir, "idle_waits", &(struct bad){ { long_x, 4094 }, E2BIG, 0 }, true);
	refuses(dir, "idle_waits", &(struct bad){ { long_x, 4095 }, E2BIG, 0 }, true);
	accepts(dir, "idle_waits", (struct text)TEXT("none"), "none");
	for (i = 0; i < 1000; i++) {
		sprintf(text, "+n%0124u", i);
		if (put_string(dir, "idle_waits", text))
			break;
		names++;
	}
	if (names != 4000 / 126)
		complain("idle_waits: %u names of 125 characters were taken", names);
	refuses(dir, "idle_waits", &(struct bad){ { text, strlen(text) }, ENOSPC, 0 }, true);
	strcpy(text, get(dir, "idle_waits"));
	accepts(dir, "idle_waits", (struct text){ text, strlen(text) }, text);

	accepts(dir, "idle_waits", (struct text)TEXT("default"), before);
	accepts(dir, "enable", (struct text)TEXT("1"), "1");
	accepts(dir, "idle_waits", (struct text)TEXT("-ep_poll"), NULL);
	refuses_all(dir, "idle_waits", bad_idle_waits, true);
	accepts(dir, "idle_waits", (struct text)TEXT("default"), before);
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	end();
}

/* ---- enable, reset, read-only files, the live session ---- */

static void test_switches(void)
{
	begin("attribute enable");
	expect_value(dir, "enable", "0", "a new session");
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	refuses_all(dir, "enable", bad_switch, true);
	refuses_all(dir, "enable", bad_everywhere, true);
	accepts(dir, "enable", (struct text)TEXT("1\n"), "1");
	accepts(dir, "enable", (struct text)TEXT("1"), "1");
	refuses_all(dir, "enable", bad_switch, true);
	refuses_all(dir, "enable", bad_everywhere, true);
	accepts(dir, "enable", (struct text)TEXT("0\n"), "0");
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	end();

	begin("attribute reset");
	accepts(dir, "reset", (struct text)TEXT("1"), NULL);
	accepts(dir, "reset", (struct text)TEXT("1\n"), NULL);
	refuses(dir, "reset", &(struct bad){ TEXT("0"), EINVAL, ERANGE }, false);
	refuses_all(dir, "reset", bad_switch, false);
	refuses_all(dir, "reset", bad_everywhere, false);
	accepts(dir, "enable", (struct text)TEXT("1"), "1");
	accepts(dir, "reset", (struct text)TEXT("1"), NULL);
	expect_value(dir, "enable", "1", "after reset");
	refuses_all(dir, "reset", bad_switch, false);
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	end();
}

static void expect_mode(const char *where, const char *name, mode_t mode)
{
	struct stat stat_buf;

	if (stat(path_of(where, name), &stat_buf)) {
		complain("%s: %s", name, strerrorname_np(errno));
		return;
	}
	if ((stat_buf.st_mode & 07777) != mode)
		complain("%s has mode %o, expected %o", name,
			 stat_buf.st_mode & 07777, mode);
}

static void expect_read_only(const char *where, const char *name)
{
	char before[2 * PAGE];
	int err;

	strcpy(before, get(where, name));
	expect_mode(where, name, 0444);
	err = put_string(where, name, "1");
	if (err != EACCES && err != EPERM)
		complain("a write to %s: got %s, expected EACCES", name,
			 err ? strerrorname_np(err) : "success");
	expect_value(where, name, before, "a refused write");
}

static void test_read_only(void)
{
	int fd;

	begin("attributes for reading only");
	expect_read_only(dir, "status");
	expect_read_only(dir, "last_error");
	expect_read_only(root, "version");
	expect_read_only(root, "hooks_status");
	expect_read_only(root, "last_error");
	if (strncmp(get(dir, "status"), "disabled", 8))
		complain("status: '%s', expected disabled", get(dir, "status"));
	if (!isdigit((unsigned char)*get(root, "version")))
		complain("version: '%s'", get(root, "version"));
	/* And one for writing only. */
	fd = open(path_of(dir, "reset"), O_RDONLY);
	if (fd >= 0)
		complain("reset can be read");
	end();
}

static void refuses_live(const char *name, const char *other)
{
	struct bad bad = { { other, strlen(other) }, EBUSY, 0 };

	refuses(dir, name, &bad, true);
}

static void test_live(void)
{
	const struct attribute *a;
	pid_t child = make_child();

	begin("attributes of an enabled session");
	accepts(dir, "enable", (struct text)TEXT("1"), "1");
	if (strncmp(get(dir, "status"), "enabled", 7))
		complain("status: '%s', expected enabled", get(dir, "status"));
	refuses_live("tasks_kind", "user");
	refuses_live("stack", "kernel");
	refuses_live("stack", "none");
	refuses_live("stack_depth", "10");
	refuses_live("max_tasks", "100");
	refuses_live("max_stacks", "100");
	refuses_live("max_entries", "100");
	for (a = attributes; a->name; a++) {
		if (!a->live)
			continue;
		/* Not the shortest duration: it would be over at once. */
		accepts_number(a->name, a->max / 2);
		accepts_number(a->name, a->max);
		refuses_all(dir, a->name, bad_number, true);
		refuses_all(dir, a->name, bad_everywhere, true);
		accepts(dir, a->name,
			(struct text){ a->initial, strlen(a->initial) }, a->initial);
	}
	set_list("pids", "%d", child);
	expect_list("pids", "while enabled", 1, child);
	set_list("tids", "+%d", child);
	expect_list("tids", "while enabled", 1, child);
	refuses_all(dir, "pids", bad_list, true);
	refuses_all(dir, "tids", bad_list, true);
	set_list("pids", "all");
	set_list("tids", "all");
	expect_value(dir, "enable", "1", "after all this");

	/* The root's, while a session is enabled. */
	{
		const char *other = strcmp(get(root, "hook"), "kprobe") ?
				    "kprobe" : "tracepoint";
		struct bad bad = { { other, strlen(other) }, EBUSY, 0 };

		refuses(root, "hook", &bad, true);
	}
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	accepts(dir, "stack_depth", (struct text)TEXT("10"), "10");
	accepts(dir, "stack_depth", (struct text)TEXT("64"), "64");
	end_child(child);
	end();
}

static void test_hook(void)
{
	static const struct bad bad[] = {
		{ TEXT("Kprobe"), EINVAL }, { TEXT("kprobes"), EINVAL },
		{ TEXT("kprob"), EINVAL }, { TEXT("perf"), EINVAL },
		{ TEXT("kprobe tracepoint"), EINVAL },
		{ TEXT("kprobe,tracepoint"), EINVAL },
		{ TEXT("kprobe" "\0" "x"), EINVAL },
		{ TEXT("none"), EINVAL }, { TEXT("all"), EINVAL },
		{ }
	};

	begin("attribute hook");
	expect_value(root, "hook", "kprobe", "a new module");
	accepts(root, "hook", (struct text)TEXT("tracepoint"), "tracepoint");
	refuses_all(root, "hook", bad, true);
	accepts(root, "hook", (struct text)TEXT("kprobe\n"), "kprobe");
	refuses_all(root, "hook", bad, true);
	refuses_all(root, "hook", bad_word, true);
	refuses_all(root, "hook", bad_everywhere, true);
	/* Clear what the refusals left there. */
	accepts(root, "hook", (struct text)TEXT("kprobe"), "kprobe");
	end();
}

/* More memory than any test machine has: refused, with the amount. */
static void test_memory(void)
{
	const char *reason;
	int err;

	begin("too large bounds");
	accepts(dir, "max_stacks", (struct text)TEXT("4194304"), "4194304");
	accepts(dir, "max_entries", (struct text)TEXT("4194304"), "4194304");
	accepts(dir, "max_tasks", (struct text)TEXT("4194304"), "4194304");
	accepts(dir, "stack_depth", (struct text)TEXT("127"), "127");
	err = put_string(dir, "enable", "1");
	if (err != ENOMEM)
		complain("enable: got %s, expected ENOMEM",
			 err ? strerrorname_np(err) : "success");
	reason = get(dir, "last_error");
	expect_reason(dir, "enable");
	if (!strpbrk(reason, "0123456789"))
		complain("last_error names no amount: '%s'", reason);
	expect_value(dir, "enable", "0", "after it was refused");
	if (strncmp(get(dir, "status"), "disabled", 8))
		complain("status: '%s', expected disabled", get(dir, "status"));
	put_string(dir, "max_stacks", "16384");
	put_string(dir, "max_entries", "65536");
	put_string(dir, "max_tasks", "16384");
	put_string(dir, "stack_depth", "64");
	accepts(dir, "enable", (struct text)TEXT("1"), "1");
	accepts(dir, "enable", (struct text)TEXT("0"), "0");
	end();
}

/* What is refused in one session is no business of another or of the root. */
static void test_errors_apart(void)
{
	begin("last_error is each session's own");
	accepts(root, "hook", (struct text)TEXT("kprobe"), "kprobe");
	put_string(dir, "top_n", "0");
	expect_reason(dir, "top_n");
	expect_no_reason(root, "a write to a session");
	accepts(dir, "top_n", (struct text)TEXT("20"), "20");
	put_string(root, "hook", "nonsense");
	expect_reason(root, "hook");
	expect_no_reason(dir, "a write to the root");
	accepts(root, "hook", (struct text)TEXT("kprobe"), "kprobe");
	end();
}

int main(int argc, char **argv)
{
	const struct attribute *a;

	if (argc != 2)
		return 2;
	root = argv[1];
	memset(long_x, 'x', sizeof(long_x));
	memset(long_digits, '9', sizeof(long_digits));
	memset(long_blank, ' ', sizeof(long_blank));
	long_blank[0] = '1';
	snprintf(dir, sizeof(dir), "%s/" SESSION, root);
	if (mkdir(dir, 0755)) {
		printf("not ok attributes: cannot make %s: %s\n", dir,
		       strerrorname_np(errno));
		return 1;
	}
	begin("a new session has no error");
	expect_value(dir, "last_error", "", "a new session");
	end();
	for (a = attributes; a->name; a++)
		test_attribute(a);
	test_list("pids");
	test_list("tids");
	test_idle_waits();
	test_switches();
	test_read_only();
	test_hook();
	test_live();
	test_memory();
	test_errors_apart();
	if (rmdir(dir)) {
		begin("rmdir");
		complain("%s", strerrorname_np(errno));
	}
	return wrong != 0;
}
