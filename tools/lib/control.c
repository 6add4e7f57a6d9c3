// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * control: the handle, and sessions as directories in configfs. A handle does not
 * change once it is open, so nothing is locked: what is shared is in the kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"
#include "control.h"
#include "error.h"
#include "files.h"
#include "schedprof.h"

#define TRIES 10000	/* to find a name that no session has */

/* The directory of the module in a file system that may be mounted anywhere. */
static char *find_directory(const char *type, const char *command,
			    struct schedprof_error *error)
{
	struct schedprof_error why;
	char *directory, *path;

	directory = libsp_mount_of(type, "/proc/self/mounts", &why);
	if (!directory) {
		if (why.code == SCHEDPROF_OK)
			libsp_fail(&why, SCHEDPROF_NOT_MOUNTED,
				   "%s is not mounted; mount it with: %s", type, command);
		if (error)
			*error = why;
		return NULL;
	}
	if (asprintf(&path, "%s/schedprof", directory) < 0) {
		path = NULL;
		libsp_no_memory(error);
	}
	free(directory);
	return path;
}

static char *find_or_copy_directory(const char *given, const char *type,
				    const char *command, struct schedprof_error *error)
{
	char *copy;

	if (!given)
		return find_directory(type, command, error);
	copy = strdup(given);
	if (!copy)
		libsp_no_memory(error);
	return copy;
}

/* Is the directory there, and may this process do @how? */
static int check_directory(const char *path, int how, struct schedprof_error *error)
{
	if (!faccessat(AT_FDCWD, path, how, AT_EACCESS))
		return 0;
	if (errno == EACCES || errno == EPERM || errno == EROFS)
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, errno,
					"only root may use schedprof, for example with sudo; %s",
					path);
	if (errno == ENOENT)
		return libsp_fail_errno(error, SCHEDPROF_NO_MODULE, errno,
					"the kernel module schedprof is not loaded; load it with: modprobe schedprof; %s",
					path);
	return libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot use %s", path);
}

LIBSP_EXPORT void schedprof_close(struct schedprof *handle)
{
	if (!handle)
		return;
	free(handle->configfs);
	free(handle->debugfs);
	free(handle);
}

LIBSP_EXPORT struct schedprof *schedprof_open(const char *configfs,
					      const char *debugfs,
					      struct schedprof_error *error)
{
	struct schedprof *handle;

	/* Any user can see this, while it may not help to know where file systems are. */
	if ((!configfs || !debugfs) && access("/sys/module/schedprof", F_OK)) {
		libsp_fail(error, SCHEDPROF_NO_MODULE,
			   "the kernel module schedprof is not loaded; load it with: modprobe schedprof");
		return NULL;
	}
	handle = calloc(1, sizeof(*handle));
	if (!handle) {
		libsp_no_memory(error);
		return NULL;
	}
	handle->configfs = find_or_copy_directory(configfs, "configfs",
						  "mount -t configfs none /sys/kernel/config",
						  error);
	handle->debugfs = !handle->configfs ? NULL :
			  find_or_copy_directory(debugfs, "debugfs",
						 "mount -t debugfs none /sys/kernel/debug",
						 error);
	if (handle->debugfs && !check_directory(handle->configfs, W_OK | X_OK, error) &&
	    !check_directory(handle->debugfs, R_OK | X_OK, error))
		return handle;
	schedprof_close(handle);
	return NULL;
}

LIBSP_EXPORT const char *schedprof_configfs(const struct schedprof *handle)
{
	return handle->configfs;
}

LIBSP_EXPORT const char *schedprof_debugfs(const struct schedprof *handle)
{
	return handle->debugfs;
}

/* A name of a file or a session must not lead elsewhere. */
static bool is_plain_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') &&
	       strlen(name) < SCHEDPROF_NAME_SIZE;
}

static int check_name(const char *name, const char *what, struct schedprof_error *error)
{
	if (is_plain_name(name))
		return 0;
	return libsp_fail(error, SCHEDPROF_INVALID,
			  "'%.70s' cannot be the name of %s; give one of 1 to %d characters that does not begin with a dot and has no slash in it",
			  name, what, SCHEDPROF_NAME_SIZE - 1);
}

/*
 * The path of a file of the module in configfs or debugfs. @session: NULL if the file
 * is of no session; @what: the kind of file, for people. Return: 0 and the path, to be
 * freed; or a negative code.
 */
int libsp_file_path(const char *directory, const char *session, const char *file,
		    const char *what, char **path, struct schedprof_error *error)
{
	int result = check_name(file, what, error);

	if (!result && session)
		result = check_name(session, "a session", error);
	if (!result && asprintf(path, "%s/%s%s%s", directory, session ? session : "",
				session ? "/" : "", file) < 0)
		result = libsp_no_memory(error);
	return result;
}

/* Return: 0 and the path of a session in configfs, to be freed; or a negative code. */
static int session_path(const struct schedprof *handle, const char *session, char **path,
			struct schedprof_error *error)
{
	return libsp_file_path(handle->configfs, NULL, session, "a session", path, error);
}

/*
 * The directory of a session is not there. If that is because the module is not
 * loaded any more, that is what is said. Return: a negative code.
 */
static int session_is_gone(const struct schedprof *handle, const char *session,
			   struct schedprof_error *error)
{
	int result = check_directory(handle->configfs, X_OK, error);

	if (result)
		return result;
	return libsp_fail(error, SCHEDPROF_NO_SESSION,
			  "there is no session '%s'; make it first, or look at the names that there are",
			  session);
}

/* Return: 0 if there is a session of that name, or a negative code. */
int libsp_check_session(const struct schedprof *handle, const char *session,
			struct schedprof_error *error)
{
	struct stat status;
	int result, number;
	char *path;

	result = session_path(handle, session, &path, error);
	if (result)
		return result;
	number = stat(path, &status) ? errno : 0;
	free(path);
	if (number == ENOENT)
		return session_is_gone(handle, session, error);
	if (number)
		return libsp_fail_errno(error, SCHEDPROF_IO, number,
					"cannot look at session '%s'", session);
	return 0;
}

LIBSP_EXPORT int schedprof_create(const struct schedprof *handle, const char *session,
				  struct schedprof_error *error)
{
	int result, number;
	char *path;

	result = session_path(handle, session, &path, error);
	if (result)
		return result;
	number = mkdir(path, 0755) ? errno : 0;
	free(path);
	switch (number) {
	case 0:
		return 0;
	case EEXIST:
		return libsp_fail_errno(error, SCHEDPROF_EXISTS, number,
					"there is a session '%s' already; take another name, or remove it",
					session);
	case ENOMEM:
		return libsp_fail_errno(error, SCHEDPROF_NO_MEMORY, number,
					"the kernel has no memory for session '%s'",
					session);
	case EINVAL:
		if (libsp_fail_why(handle, NULL, SCHEDPROF_REFUSED, number, error))
			return -SCHEDPROF_REFUSED;
		return libsp_fail_errno(error, SCHEDPROF_REFUSED, number,
					"the module keeps the name '%s' for itself; take another one",
					session);
	case EACCES:
	case EPERM:
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, number,
					"only root may make a session, for example with sudo");
	case ENOENT:
		return check_directory(handle->configfs, X_OK, error) ?:
		       libsp_fail_errno(error, SCHEDPROF_IO, number,
					"cannot make session '%s'", session);
	default:
		return libsp_fail_errno(error, SCHEDPROF_IO, number,
					"cannot make session '%s'", session);
	}
}

LIBSP_EXPORT int schedprof_create_unique(const struct schedprof *handle,
					 const char *prefix,
					 char session[SCHEDPROF_NAME_SIZE],
					 struct schedprof_error *error)
{
	unsigned int i;
	int result = 0, length;

	for (i = 0; i < TRIES; i++) {
		length = snprintf(session, SCHEDPROF_NAME_SIZE, "%s-%d-%u", prefix,
				  (int)getpid(), i);
		if (length >= SCHEDPROF_NAME_SIZE)
			return libsp_fail(error, SCHEDPROF_INVALID,
					  "'%.70s' is too long to begin a name with; take a shorter one",
					  prefix);
		result = schedprof_create(handle, session, error);
		if (result != -SCHEDPROF_EXISTS)
			break;
	}
	return result;
}

LIBSP_EXPORT int schedprof_remove(const struct schedprof *handle, const char *session,
				  struct schedprof_error *error)
{
	int result, number;
	char *path;

	result = session_path(handle, session, &path, error);
	if (result)
		return result;
	number = rmdir(path) ? errno : 0;
	free(path);
	if (number == ENOENT)
		return session_is_gone(handle, session, error);
	if (number == EACCES || number == EPERM)
		return libsp_fail_errno(error, SCHEDPROF_NOT_ROOT, number,
					"only root may remove a session, for example with sudo");
	if (number)
		return libsp_fail_errno(error, SCHEDPROF_IO, number,
					"cannot remove session '%s'", session);
	return 0;
}

static int by_session_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sessions are the only directories in the directory of the module. */
static bool is_session(DIR *directory, const struct dirent *entry)
{
	struct stat status;

	return entry->d_name[0] != '.' &&
	       !fstatat(dirfd(directory), entry->d_name, &status, 0) &&
	       S_ISDIR(status.st_mode);
}

LIBSP_EXPORT void schedprof_list_free(char **names)
{
	char **name;

	if (!names)
		return;
	for (name = names; *name; name++)
		free(*name);
	free(names);
}

LIBSP_EXPORT char **schedprof_list(const struct schedprof *handle, size_t *count,
				   struct schedprof_error *error)
{
	size_t room = 16, n = 0;
	char **names, **more;
	struct dirent *entry;
	DIR *directory;

	directory = opendir(handle->configfs);
	if (!directory) {
		if (!check_directory(handle->configfs, R_OK | X_OK, error))
			libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot list %s",
					 handle->configfs);
		return NULL;
	}
	names = calloc(room, sizeof(*names));
	while (names && (entry = readdir(directory))) {
		if (!is_session(directory, entry))
			continue;
		if (n + 1 == room) {
			more = reallocarray(names, room * 2, sizeof(*names));
			if (!more)
				goto err;
			names = more;
			room *= 2;
		}
		names[n] = strdup(entry->d_name);
		names[n + 1] = NULL;
		if (!names[n++])
			goto err;
	}
	if (!names)
		goto err;
	closedir(directory);
	qsort(names, n, sizeof(*names), by_session_name);
	*count = n;
	return names;

err:
	closedir(directory);
	schedprof_list_free(names);
	libsp_no_memory(error);
	return NULL;
}
