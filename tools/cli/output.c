// SPDX-License-Identifier: GPL-2.0-only
/*
 * output: where the result of a command goes: standard output, or the file or pipe
 * that -o names. A file takes the name when all of it is there, so that none is half
 * written. State: a pipe that is kept open from the check on, and the file that has no
 * name yet. One thread, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "picture.h"
#include "../shared/replace.h"
#include "say.h"

/* The named pipe that cli_output_check() has opened; -1: there is none. */
static int pipe_to_keep = -1;

/* The file that is being written; NULL: it has its name already, or there is none. */
static struct replace beside = { .fd = -1 };
static char *final;
static FILE *unnamed;

/*
 * What a new file is to replace, at a @path that replace_find() has found: @old is filled. As the
 * kernel does, with fs.protected_regular, to who opens such a file, those of others are refused.
 * Return: 1, or 0: there is none; or -1 after saying why.
 */
static int find_old(const char *path, struct stat *old)
{
	if (lstat(path, old) || !S_ISREG(old->st_mode))
		return 0;
	if (!replace_is_foreign(path, old))
		return 1;
	cli_error("cannot write to %s: it is somebody else's, in a directory where others make files; remove it, or take another name",
		  path);
	return -1;
}

/* An old file stays as it is, unless @how has O_TRUNC. */
static int open_output_file(const struct cli_options *o, int how)
{
	struct stat status;
	int fd;

	how |= O_WRONLY | O_CREAT | O_CLOEXEC | (o->no_link ? O_NOFOLLOW : 0);
	/* O_NONBLOCK: a reader of a pipe is not waited for. */
	fd = open(o->file, how | O_NONBLOCK, 0666);

	if (fd < 0 && errno == ENXIO && !stat(o->file, &status) &&
	    S_ISFIFO(status.st_mode))
		cli_error("nobody reads from the pipe %s; start who reads first",
			  o->file);
	else if (fd < 0)
		cli_error("cannot write to %s: %s", o->file, strerror(errno));
	else
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/**
 * cli_output_check() - could it be written, before anybody waits for it
 * @o: the options
 *
 * Return: CLI_OK, or CLI_FAILED after saying why not.
 */
int cli_output_check(const struct cli_options *o)
{
	struct stat status;
	bool old, refused;
	char *path;
	int fd;

	if (cli_picture_check(o))
		return CLI_FAILED;
	if (!o->file || !strcmp(o->file, "-"))
		return CLI_OK;
	path = strdup(o->file);
	refused = path && replace_find(&path) && find_old(path, &status) < 0;
	free(path);
	if (refused)
		return CLI_FAILED;
	old = !lstat(o->file, &status);
	fd = open_output_file(o, 0);
	if (fd < 0)
		return CLI_FAILED;
	if (!old)
		unlink(o->file);
	/* The reader of a pipe would take a close for the end of the data. */
	if (!fstat(fd, &status) && S_ISFIFO(status.st_mode))
		pipe_to_keep = fd;
	else
		close(fd);
	return CLI_OK;
}

/**
 * cli_output_is_kept() - does somebody count on a file?
 * @o: the options
 * @instead: where the result goes to without -o
 *
 * Standard output that is a terminal or a pipe is for somebody who sees that there is nothing.
 */
bool cli_output_is_kept(const struct cli_options *o, FILE *instead)
{
	struct stat status;

	if (o->flame || o->svg || o->tau || (o->file && strcmp(o->file, "-")))
		return true;
	return !fstat(fileno(instead), &status) && S_ISREG(status.st_mode);
}

/* As if the old file was written to, or as a new one is made. */
static void set_owner(int fd, const struct stat *old)
{
	mode_t mask;

	if (old) {
		/* The mode comes last, as a new owner may clear bits of it. */
		if (!fchown(fd, old->st_uid, old->st_gid))
			fchmod(fd, old->st_mode & 07777);
		return;
	}
	mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static void forget_beside(void)
{
	replace_close(&beside);
	free(final);
	final = NULL;
}

/* A file beside the one that is there; or -1: nothing can be made there. */
static int open_beside(const struct stat *old)
{
	if (replace_open(&beside, final))
		return -1;
	set_owner(beside.fd, old);
	return fcntl(beside.fd, F_DUPFD_CLOEXEC, 0);
}

static int open_file(const struct cli_options *o)
{
	int fd = pipe_to_keep, found = 0;
	struct stat old;

	pipe_to_keep = -1;
	if (fd >= 0)
		return fd;
	final = strdup(o->file);
	if (final && (o->no_link || replace_find(&final))) {
		found = o->no_link ? 0 : find_old(final, &old);
		if (found >= 0)
			fd = open_beside(found ? &old : NULL);
	}
	if (fd < 0)
		forget_beside();
	/* It cannot be replaced, or nothing can be made beside it. */
	return fd < 0 && found >= 0 ? open_output_file(o, O_TRUNC) : fd;
}

/**
 * cli_output_open() - where the result goes
 * @o: the options; also decides about colours
 * @instead: where to without -o
 *
 * Return: a stream for cli_output_close(), or NULL after saying why.
 */
FILE *cli_output_open(const struct cli_options *o, FILE *instead)
{
	FILE *out = instead;
	int fd;

	if (o->file && strcmp(o->file, "-")) {
		fd = open_file(o);
		out = fd < 0 ? NULL : fdopen(fd, "w");
		if (final)
			unnamed = out;
	}
	if (out)
		cli_colors(o->color, out);
	return out;
}

/* The file gets its name, or is removed. Return: 0 or a negative errno. */
static int name_file(FILE *out, bool bad)
{
	int number;

	if (!out || out != unnamed)
		return 0;
	number = bad ? 0 : replace_rename(&beside, final);
	forget_beside();
	unnamed = NULL;
	return number;
}

/**
 * cli_output_close() - all of it was written
 * @out: from cli_output_open()
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_output_close(FILE *out)
{
	int bad = ferror(out), number, named;

	errno = bad ? EIO : 0;
	if (out == stdout || out == stderr)
		bad |= fflush(out);
	else
		bad |= fclose(out);
	number = errno;
	named = name_file(out, bad);
	if (named) {
		bad = -1;
		number = -named;
	}
	if (!bad)
		return CLI_OK;
	cli_error("the output is not complete: %s", strerror(number));
	return CLI_FAILED;
}

/**
 * cli_output_drop() - it cannot be written, for a reason that was said
 * @out: from cli_output_open(), or NULL
 */
void cli_output_drop(FILE *out)
{
	if (!out)
		return;
	if (out == stdout || out == stderr)
		fflush(out);
	else
		fclose(out);
	name_file(out, true);
}
