// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * results: the result files of a session in debugfs, as text. No state but that of
 * the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi.h"
#include "control.h"
#include "error.h"
#include "files.h"
#include "results.h"
#include "schedprof.h"

static int no_result(const struct schedprof *handle, const char *session,
		     const char *file, int number, struct schedprof_error *error)
{
	int result;

	if (number == ENOENT) {
		result = session ? libsp_check_session(handle, session, error) : 0;
		return result ?: libsp_fail(error, SCHEDPROF_NOT_FOUND,
					    "there is no file '%s' in %s/%s; load the module that fits this library",
					    file, handle->debugfs, session ? session : "");
	}
	if (number == EACCES || number == EPERM)
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, number,
					"only root may read '%s', and nobody in a locked down kernel",
					file);
	if (number == ENOMEM)
		return libsp_fail_errno(error, SCHEDPROF_NO_MEMORY, number,
					"the kernel has no memory to show '%s', or results that others have open take as much as they may; try again when those are closed",
					file);
	return libsp_fail_errno(error, SCHEDPROF_IO, number, "cannot open '%s'", file);
}

/* Return: a file descriptor, and the path, to be freed; or a negative code. */
int libsp_open_result(const struct schedprof *handle, const char *session,
		      const char *file, char **path, struct schedprof_error *error)
{
	int fd, result;

	result = libsp_file_path(handle->debugfs, session, file, "a result file", path,
				 error);
	if (result)
		return result;
	fd = open(*path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		result = no_result(handle, session, file, errno, error);
		free(*path);
		return result;
	}
	return fd;
}

LIBSP_EXPORT char *schedprof_read_text(const struct schedprof *handle,
				       const char *session, const char *file,
				       size_t *size, struct schedprof_error *error)
{
	char *path, *text;
	int fd = libsp_open_result(handle, session, file, &path, error);

	if (fd < 0)
		return NULL;
	text = libsp_read_fd(fd, size, path, error);
	close(fd);
	free(path);
	return text;
}
