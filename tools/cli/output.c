// SPDX-License-Identifier: GPL-2.0-only
/*
 * output: where the result of a command goes: standard output, or the file or pipe
 * that -o names. State: a pipe that is kept open from the check on. One thread, so
 * nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "picture.h"
#include "say.h"

/* The named pipe that cli_output_check() has opened; -1: there is none. */
static int pipe_to_keep = -1;

/* An old file stays as it is, unless @how has O_TRUNC. */
static int open_output_file(const struct cli_options *o, int how)
{
	/* O_NONBLOCK: a reader of a pipe is not waited for. */
	int fd = open(o->file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | how, 0666);
	struct stat status;

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
	int fd;

	if (cli_picture_check(o))
		return CLI_FAILED;
	if (!o->file || !strcmp(o->file, "-"))
		return CLI_OK;
	fd = open_output_file(o, 0);
	if (fd < 0)
		return CLI_FAILED;
	/* The reader of a pipe would take a close for the end of the data. */
	if (!fstat(fd, &status) && S_ISFIFO(status.st_mode))
		pipe_to_keep = fd;
	else
		close(fd);
	return CLI_OK;
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
		fd = pipe_to_keep < 0 ? open_output_file(o, O_TRUNC) : pipe_to_keep;
		pipe_to_keep = -1;
		out = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (out)
		cli_colors(o->color, out);
	return out;
}

/**
 * cli_output_close() - all of it was written
 * @out: from cli_output_open()
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_output_close(FILE *out)
{
	int bad = ferror(out);

	errno = bad ? EIO : 0;
	if (out == stdout || out == stderr)
		bad |= fflush(out);
	else
		bad |= fclose(out);
	if (!bad)
		return CLI_OK;
	cli_error("the output is not complete: %s", strerror(errno));
	return CLI_FAILED;
}
