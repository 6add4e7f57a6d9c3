// SPDX-License-Identifier: GPL-2.0-only
/*
 * picture: files with flame graphs, of all stacks of a report or of a comparison, also of
 * those that its rows do not show. A file takes its name when all of it is on disk. One
 * thread, so nothing is locked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../shared/replace.h"
#include "names.h"
#include "picture.h"
#include "print_diff.h"
#include "print_page.h"
#include "print_text.h"
#include "say.h"
#include "working.h"

/* A file that is being written. */
struct new_file {
	char *path;
	struct replace new;
	bool replaces;		/* else the file itself is written, as a pipe or a device is */
};

static int fail_write(const char *path, int number)
{
	if (number == EPERM)
		cli_error("cannot write %s: it is somebody else's, in a directory where others make files, or may not be changed; remove it, or take another name",
			  path);
	else
		cli_error("cannot write %s: %s", path, strerror(number));
	return CLI_FAILED;
}

/* Who may read the @old file may read the new one; NULL: there is none. */
static mode_t mode_of(const struct stat *old)
{
	mode_t mask;

	if (old)
		return old->st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* What is not replaced stays as it is, unless @how has O_TRUNC. Return: 0 or a negative errno. */
static int open_new_file(struct new_file *file, int how)
{
	struct stat status;
	int fd, number;
	bool old;

	if (!strcmp(file->path, "-")) {
		file->new.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return file->new.fd < 0 ? -errno : 0;
	}
	file->replaces = replace_find(&file->path);
	if (file->replaces) {
		old = !lstat(file->path, &status) && S_ISREG(status.st_mode);
		if (old && replace_is_foreign(file->path, &status))
			return -EPERM;
		number = replace_open(&file->new, file->path);
		if (!number)
			fchmod(file->new.fd, mode_of(old ? &status : NULL));
		return number;
	}
	/* O_NONBLOCK: a reader of a pipe is not waited for. */
	fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | how);
	if (fd < 0)
		return -errno;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	file->new.fd = fd;
	return 0;
}

static int begin_file(struct new_file *file, const char *path, int how)
{
	int number;

	*file = (struct new_file){ .path = strdup(path), .new.fd = -1 };
	number = file->path ? open_new_file(file, how) : -ENOMEM;
	if (!number)
		return CLI_OK;
	free(file->path);
	return fail_write(path, -number);
}

/* Return: 0 or an errno. */
static int write_bytes(int fd, const char *at, size_t size)
{
	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		at += done;
		size -= (size_t)done;
	}
	return 0;
}

/* Of a file that does not get its name, nothing stays. */
static int end_file(struct new_file *file, int number)
{
	int closed, err = CLI_OK;

	/* What is no file on a disk cannot be synced. */
	if (!number && file->replaces && fsync(file->new.fd))
		number = errno;
	if (!number && file->replaces)
		number = -replace_take_name(&file->new, file->path, false);
	/* Network file systems may say only now that the disk is full. */
	closed = replace_close(&file->new);
	if (!number)
		number = -closed;
	if (number)
		err = fail_write(file->path, number);
	free(file->path);
	return err;
}

static int check_file(const char *path)
{
	struct new_file file;
	struct stat status;

	/* The reader of a pipe would take a close for the end of the data. */
	if (!path || !strcmp(path, "-") || (!stat(path, &status) && !S_ISREG(status.st_mode)))
		return CLI_OK;
	if (begin_file(&file, path, 0))
		return CLI_FAILED;
	replace_close(&file.new);
	free(file.path);
	return CLI_OK;
}

/**
 * cli_picture_check() - could pictures be written, before anybody waits for them
 * @o: the options
 *
 * Return: CLI_OK, or CLI_FAILED after saying why not.
 */
int cli_picture_check(const struct cli_options *o)
{
	return check_file(o->flame) || check_file(o->svg) ? CLI_FAILED : CLI_OK;
}

/* Made in memory first, so that it is known why it cannot be written. */
static int write_picture(const struct cli_picture *picture, const char *path,
			 bool (*print)(const struct cli_picture *picture, FILE *out))
{
	struct new_file file;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool printed = out && print(picture, out);
	int err = CLI_FAILED;

	if ((out && fclose(out)) || !printed)
		fail_write(path, ENOMEM);
	else if (!begin_file(&file, path, O_TRUNC))
		err = end_file(&file, write_bytes(file.new.fd, text, size));
	free(text);
	return err;
}

static void say_where(const struct cli_options *o, const char *path)
{
	if (!o->quiet && strcmp(path, "-"))
		cli_note("the flame graph is in %s; open it in a browser, as in: xdg-open %s",
			 path, path);
}

static int write_pictures(struct cli_picture *picture, const struct cli_options *o)
{
	int err = CLI_OK;

	if (!cli_flame_grow(&picture->flame)) {
		cli_error("there is not enough memory for the flame graph");
		return CLI_FAILED;
	}
	if (o->flame)
		err = write_picture(picture, o->flame, cli_print_page);
	if (!err && o->flame)
		say_where(o, o->flame);
	if (!err && o->svg)
		err = write_picture(picture, o->svg, cli_print_svg);
	if (!err && o->svg)
		say_where(o, o->svg);
	return err;
}

/* What is the same whoever was there has no task as its outermost frame. */
static char *without_task(char *folded)
{
	char *stack = strchr(folded, ';');

	stack = strdup(stack ? stack + 1 : "");
	free(folded);
	return stack;
}

static bool add_entries(struct cli_picture *picture, const struct cli_report *report)
{
	const struct schedprof_entry *entry;
	struct cli_flame_times times = { };
	char *folded;
	size_t i, n = schedprof_entry_count(report->recording);

	picture->flame.tasks = report->o->by != CLI_BY_STACK;
	for (i = 0; i <= n; i++) {
		cli_working(report->o, "drawing rows", i, n);
		entry = schedprof_entry_at(report->recording, i);
		if (!entry)
			break;
		if (!entry->count || !entry->total)
			continue;
		folded = schedprof_entry_folded(report->recording, entry, report->o->group,
						&report->names, NULL);
		if (folded && !picture->flame.tasks)
			folded = without_task(folded);
		times.now = entry->total;
		if (!folded || !cli_flame_add(&picture->flame, folded, times))
			return false;
	}
	return true;
}

/* The head is in memory, as it would be on a terminal without colours. */
static FILE *begin_head(struct cli_picture *picture, size_t *size)
{
	FILE *out = open_memstream(&picture->head, size);

	if (out)
		cli_colors(CLI_NEVER, out);
	return out;
}

static int end_picture(struct cli_picture *picture, bool complete, const struct cli_options *o)
{
	int err = CLI_FAILED;

	if (complete)
		err = write_pictures(picture, o);
	else
		cli_error("there is not enough memory for the flame graph");
	cli_flame_free(&picture->flame);
	free(picture->head);
	return err;
}

/**
 * cli_picture_report() - write the pictures that are asked for
 * @report: what they show
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_picture_report(const struct cli_report *report)
{
	struct cli_picture picture = { .cycles = report->cycles };
	size_t size;
	FILE *head;

	if (!report->o->flame && !report->o->svg)
		return CLI_OK;
	head = begin_head(&picture, &size);
	if (head) {
		cli_print_facts(report, head);
		fclose(head);
	}
	return end_picture(&picture, picture.head && add_entries(&picture, report), report->o);
}

static bool add_changes(struct cli_picture *picture, const struct schedprof_diff *diff, int group)
{
	const struct schedprof_diff_row *row;
	struct cli_flame_times times;
	char *folded;
	size_t i;

	picture->flame.tasks = true;
	for (i = 0; (row = schedprof_diff_at(diff, i)); i++) {
		times = cli_diff_times(row, !picture->difference);
		if (!times.now && !times.before)
			continue;
		folded = cli_diff_folded(row, group);
		if (!folded || !cli_flame_add(&picture->flame, folded, times))
			return false;
	}
	return true;
}

/**
 * cli_picture_diff() - write the pictures of a comparison that are asked for
 * @diff: the comparison
 * @before: of what
 * @after: with what
 * @o: the options
 * @between: both are of one session, and what came between them is wanted
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_picture_diff(const struct schedprof_diff *diff,
		     const struct schedprof_recording *before,
		     const struct schedprof_recording *after,
		     const struct cli_options *o, bool between)
{
	struct cli_picture picture = {
		.cycles = !strcmp(schedprof_unit(after), "cycles"),
		.difference = !between,
	};
	size_t size;
	FILE *head;

	if (!o->flame && !o->svg)
		return CLI_OK;
	head = begin_head(&picture, &size);
	if (head) {
		cli_print_diff_head(before, after, between, head);
		fclose(head);
	}
	return end_picture(&picture, picture.head && add_changes(&picture, diff, o->group), o);
}
