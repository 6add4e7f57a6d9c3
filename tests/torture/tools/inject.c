// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject: does a thing again and again, lets another one of its allocations and copies of
 * user memory fail each time, and looks whether what was refused left everything as it was.
 *
 * inject FIRST STEP write FILE TEXT UNDO	one write(); if that succeeded, then FILE says
 *						TEXT, unless it cannot be read, and UNDO is
 *						written, unless it is "-"
 * inject FIRST STEP read FILE			what succeeds must have read it to its end
 * inject FIRST STEP same FILE			and the same as without a failure
 * inject FIRST STEP mkdir DIRECTORY		it is removed again
 * inject FIRST STEP rmdir DIRECTORY		CHECK makes it again
 * inject FIRST STEP insmod FILE MODULE [PARAMETERS]	MODULE is unloaded again
 * inject FIRST STEP table FILE TABLE LIST ID	TABLE's bytes are written to FILE, and LIST has ID
 *						then; it is removed by LIST again
 * inject FIRST STEP untable FILE TABLE LIST ID	the other way round
 *
 * The first one that fails is FIRST, then each STEP further, until all is done without a
 * failure. FIRST:LAST counts so that the last LAST ones are the first, as far as there are so
 * many: how many there are is seen once before. With CHECK set, that is a shell's command that
 * must succeed after each success (before UNDO). STATE has paths of files, and of directories,
 * whose names and readable
 * files are compared before and after what was refused; VARIES has first words of lines,
 * and names of files, that differ by themselves. Prints "tried N refused N passed N used N of
 * N": attempts, those that were refused, those that were done in spite of a failure, failures, and
 * how many things there were that could fail when none did.
 * What is wrong is a line that begins with "bad".
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail_nth.h"

#define MAX_BAD		5
#define MAX_TRIES	100000

struct text {
	char *at;
	size_t size, room;
};

static const char *state, *varies, *check;
static struct text before, after, wanted, got;
static unsigned int bad;

__attribute__((format(printf, 1, 2)))
static void complain(const char *format, ...)
{
	va_list args;

	if (bad++ >= MAX_BAD)
		return;
	printf("bad: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

static void append(struct text *text, const char *what, size_t size)
{
	if (text->size + size + 1 > text->room) {
		text->room = (text->size + size + 1) * 2;
		text->at = realloc(text->at, text->room);
		if (!text->at) {
			perror("inject");
			exit(2);
		}
	}
	memcpy(text->at + text->size, what, size);
	text->size += size;
	text->at[text->size] = '\0';
}

/* Whole, or an errno. */
static int read_into(struct text *text, const char *path)
{
	static char buffer[1 << 16];
	int fd = open(path, O_RDONLY);
	int err = 0;
	ssize_t n;

	if (fd < 0)
		return errno;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		append(text, buffer, (size_t)n);
	if (n < 0)
		err = errno;
	close(fd);
	return err;
}

static bool is_word(const char *list, const char *word, size_t length)
{
	const char *at = list;

	while (length && (at = strstr(at, word))) {
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
		at += length;
	}
	return false;
}

static bool is_varying(const char *line, size_t length)
{
	char word[64];
	size_t n = strcspn(line, " \t\n");

	if (n > length)
		n = length;
	if (n >= sizeof(word))
		return false;
	memcpy(word, line, n);
	word[n] = '\0';
	return is_word(varies, word, n);
}

static void take_file(struct text *text, const char *path)
{
	static struct text file;
	char *line, *end;
	int err;

	file.size = 0;
	append(&file, "", 0);
	err = read_into(&file, path);
	/* Some are only for writing. */
	if (err == EACCES || err == EPERM || err == EINVAL)
		return;
	if (err)
		complain("%s cannot be read: %s", path, strerror(err));
	for (line = file.at; *line; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (is_varying(line, (size_t)(end - line)))
			continue;
		append(text, path, strlen(path));
		append(text, ": ", 2);
		append(text, line, (size_t)(end - line));
		if (end[-1] != '\n')
			append(text, "\n", 1);
	}
}

static int is_entry(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void take_path(struct text *text, const char *path)
{
	struct dirent **entries;
	char below[4096];
	struct stat st;
	int i, n;

	if (stat(path, &st)) {
		append(text, path, strlen(path));
		append(text, " is not there\n", 14);
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		take_file(text, path);
		return;
	}
	n = scandir(path, &entries, is_entry, alphasort);
	for (i = 0; i < n; i++) {
		snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name);
		append(text, below, strlen(below));
		append(text, "\n", 1);
		if (!stat(below, &st) && S_ISREG(st.st_mode) && st.st_mode & 0444 &&
		    !is_word(varies, entries[i]->d_name, strlen(entries[i]->d_name)))
			take_file(text, below);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void take_state(struct text *text)
{
	char *paths = strdup(state), *rest = paths, *path;

	text->size = 0;
	append(text, "", 0);
	while ((path = strsep(&rest, " ")))
		if (*path)
			take_path(text, path);
	free(paths);
}

/* The first line that differs. */
static void tell_difference(unsigned int n)
{
	const char *a = before.at, *b = after.at;
	size_t i, line = 0;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	complain("refused with number %u failing, but '%.*s' became '%.*s'", n,
		 (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"), b + line);
}

static int write_once(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		return errno;
	/* To write no byte is an error to configfs. */
	if (!*text)
		text = "\n";
	n = write(fd, text, strlen(text));
	n = n < 0 ? errno : 0;
	close(fd);
	return (int)n;
}

static int load(const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY);
	long err;

	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return (int)err;
}

static int unload(const char *name)
{
	unsigned int tries;

	/* Somebody may look at it just now. */
	for (tries = 0; tries < 100; tries++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return 0;
		usleep(20000);
	}
	return errno;
}

static int write_bytes(const char *path, const char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY), err = 0;
	ssize_t n;

	if (fd < 0)
		return errno;
	while (!err && size) {
		n = write(fd, bytes, size);
		if (n < 0) {
			err = errno;
		} else {
			bytes += n;
			size -= (size_t)n;
		}
	}
	/* It is taken when it is closed; what becomes of it, close() does not tell. */
	close(fd);
	return err;
}

static int write_table(char **argv)
{
	return write_bytes(argv[1], wanted.at, wanted.size);
}

static int forget_table(char **argv)
{
	char line[128];

	snprintf(line, sizeof(line), "-%s\n", argv[4]);
	return write_bytes(argv[3], line, strlen(line));
}

/* Is the table among those that there are? */
static bool has_table(char **argv)
{
	got.size = 0;
	append(&got, "", 0);
	if (read_into(&got, argv[3]))
		complain("%s cannot be read", argv[3]);
	return strstr(got.at, argv[4]);
}

/* What is told of that by no errno. Return: as it would be. */
static int look_at_tables(char **argv, int err)
{
	if (!strcmp(argv[0], "table") && !err)
		return has_table(argv) ? 0 : ENOMEM;
	if (!strcmp(argv[0], "untable") && !err)
		return has_table(argv) ? ENOMEM : 0;
	return err;
}

static int do_it(char **argv)
{
	if (!strcmp(argv[0], "read") || !strcmp(argv[0], "same")) {
		got.size = 0;
		return read_into(&got, argv[1]);
	}
	if (!strcmp(argv[0], "mkdir"))
		return mkdir(argv[1], 0755) ? errno : 0;
	if (!strcmp(argv[0], "rmdir"))
		return rmdir(argv[1]) ? errno : 0;
	if (!strcmp(argv[0], "insmod"))
		return load(argv[1], argv[3]);
	if (!strcmp(argv[0], "table"))
		return write_table(argv);
	if (!strcmp(argv[0], "untable"))
		return forget_table(argv);
	return write_once(argv[1], argv[2]);
}

/* It was done; is it? */
static void look_at_success(char **argv, unsigned int n)
{
	if (!strcmp(argv[0], "same") &&
	    (got.size != wanted.size || memcmp(got.at, wanted.at, got.size)))
		complain("%s is another one with number %u failing (%zu bytes, not %zu)", argv[1],
			 n, got.size, wanted.size);
	if (!strcmp(argv[0], "write")) {
		got.size = 0;
		append(&got, "", 0);
		if (!read_into(&got, argv[1]) &&
		    (strncmp(got.at, argv[2], strlen(argv[2])) ||
		     got.at[strlen(argv[2])] != '\n'))
			complain("'%s' was written with number %u failing, but now it says %s",
				 argv[2], n, got.at);
	}
	if (check && system(check))
		complain("%s %s with number %u failing was done, but this fails: %s", argv[0],
			 argv[1], n, check);
}

/* So that it can be done again. */
static void undo(char **argv)
{
	int err = 0;

	if (!strcmp(argv[0], "write") && strcmp(argv[3], "-"))
		err = write_once(argv[1], argv[3]);
	if (!strcmp(argv[0], "mkdir"))
		err = rmdir(argv[1]) ? errno : 0;
	if (!strcmp(argv[0], "insmod"))
		err = unload(argv[2]);
	if (!strcmp(argv[0], "table"))
		err = forget_table(argv) ?: has_table(argv) ? EBUSY : 0;
	if (!strcmp(argv[0], "untable"))
		err = write_table(argv) ?: has_table(argv) ? 0 : EBUSY;
	if (err)
		complain("%s %s cannot be undone: %s", argv[0], argv[1], strerror(err));
}

/* How many there are, as far as it is done without a failure. */
static unsigned int count_all(char **argv)
{
	unsigned int left;
	int err;

	fail_nth(INT32_MAX);
	err = do_it(argv);
	fail_nth_end(&left);
	if (look_at_tables(argv, err)) {
		complain("%s %s: %s, although nothing failed", argv[0], argv[1], strerror(err));
		return 0;
	}
	look_at_success(argv, 0);
	undo(argv);
	return INT32_MAX - left;
}

int main(int argc, char **argv)
{
	const char *last;
	unsigned int n, first, step, tried = 0, refused = 0, passed = 0, used = 0, all = 0, left;
	bool failed = true;
	int err;

	if (argc < 5 || (!strcmp(argv[3], "write") && argc < 7) ||
	    (!strcmp(argv[3], "insmod") && argc < 7)) {
		fputs("inject: expects FIRST STEP OPERATION ARGUMENT...\n", stderr);
		return 2;
	}
	first = (unsigned int)atoi(argv[1]);
	last = strchr(argv[1], ':');
	step = (unsigned int)atoi(argv[2]);
	argv += 3;
	state = getenv("STATE") ?: "";
	varies = getenv("VARIES") ?: "";
	check = getenv("CHECK");
	if (!first || !step || !fail_nth_open()) {
		perror("inject: cannot let anything fail");
		return 2;
	}
	if (!strcmp(argv[0], "same")) {
		err = read_into(&wanted, argv[1]);
		if (err)
			complain("%s cannot be read: %s", argv[1], strerror(err));
		append(&got, "", 0);
	}
	if (strstr(argv[0], "table")) {
		err = read_into(&wanted, argv[2]);
		if (err)
			complain("%s cannot be read: %s", argv[2], strerror(err));
	}
	if (last) {
		n = count_all(argv);
		if (n > (unsigned int)atoi(last + 1))
			first += n - (unsigned int)atoi(last + 1);
	}
	take_state(&before);
	for (n = first; failed && n < MAX_TRIES && bad < MAX_BAD; n += step) {
		fail_nth(n);
		err = do_it(argv);
		failed = fail_nth_end(&left);
		all = n - left;
		err = look_at_tables(argv, err);
		tried++;
		used += failed;
		if (!err) {
			passed += failed;
			look_at_success(argv, n);
			undo(argv);
			take_state(&before);
			continue;
		}
		refused++;
		if (!failed)
			complain("%s %s: %s, although nothing failed", argv[0], argv[1],
				 strerror(err));
		else if (!is_refused_by_fail_nth(err))
			complain("%s %s with number %u failing: %s", argv[0], argv[1], n,
				 strerror(err));
		take_state(&after);
		if (before.size != after.size || memcmp(before.at, after.at, before.size))
			tell_difference(n);
	}
	printf("tried %u refused %u passed %u used %u of %u\n", tried, refused, passed, used, all);
	return bad > 0;
}
