// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * find_generated: where a process wrote what the code is that it generated: in
 * /tmp/perf-PID.map, and in a file jit-PID.dump that it has mapped for being found, or that
 * is in /tmp; as the process itself sees these.
 *
 * Everybody may write into /tmp, and PIDs come again. So a file counts only if it is the
 * process's user's, or root's; and if the process has it mapped, or it was written to since
 * the process began. Where the process is gone, nobody knows whose it was: then it must be
 * the user's who asks, or be the very file that was mapped when it was recorded. No link is
 * followed to the file. No state, so nothing is locked.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "files.h"
#include "find_file.h"
#include "find_generated.h"
#include "maps.h"
#include "open_file.h"
#include "recording.h"
#include "schedprof.h"

#define DELETED " (deleted)"

/* What is known of a process by now. */
struct who {
	int pid;		/* as the process sees it itself */
	uid_t user;		/* whose files are believed, beside root's */
	char root[32];		/* "": this machine's */
};

/* A number of a line of /proc/PID/status: the one at @index, or the last one before that. */
static bool status_number(const char *text, const char *line, unsigned int index,
			  unsigned long *number)
{
	const char *at = strstr(text, line);
	char *end;
	bool found = false;

	for (at = at ? at + strlen(line) : ""; *at == '\t' || *at == ' '; at = end) {
		unsigned long value = strtoul(at, &end, 10);

		if (end == at)
			break;
		*number = value;
		found = true;
		if (!index--)
			break;
	}
	return found;
}

static char *read_status(int pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return libsp_read_file(path, NULL, NULL);
}

/* Return: the process of a thread; @tid itself if that is not known any more. */
int libsp_process_of_thread(int tid)
{
	unsigned long process = (unsigned long)tid;
	char *text = read_status(tid);

	if (text)
		status_number(text, "\nTgid:", 0, &process);
	free(text);
	return (int)process;
}

/* Of a process that lives. Its effective user is whose files it makes. */
static bool who_lives(int pid, struct who *who)
{
	unsigned long inside, user = 0;
	char *text = read_status(pid);
	bool found;

	if (!text)
		return false;
	inside = (unsigned long)pid;
	/* A PID namespace has a number in this line for each around it, and its own last. */
	status_number(text, "\nNSpid:", UINT32_MAX, &inside);
	found = status_number(text, "\nUid:", 1, &user);
	free(text);
	who->pid = (int)inside;
	who->user = (uid_t)user;
	snprintf(who->root, sizeof(who->root), "/proc/%d/root", pid);
	return found;
}

static bool who_is(const struct libsp_generator *generator, struct who *who)
{
	if (generator->process->lives && !*generator->root)
		return who_lives(generator->process->pid, who);
	*who = (struct who){ .pid = generator->process->pid, .user = geteuid() };
	/* Of another machine, or another time, only a copy of its files tells. */
	return generator->process->pid > 0 && (*generator->root || generator->process->here);
}

static bool is_timely(const struct libsp_process *process, const struct stat *status)
{
	int64_t mtime = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;

	return mtime >= process->began_realtime_ns && mtime < process->next_realtime_ns;
}

static bool is_users(const struct who *who, const struct stat *status)
{
	return !status->st_uid || status->st_uid == who->user;
}

/* Return: @fd if what it is of is believed, else -1, and it is closed. */
static int believe(int fd, bool is_believed)
{
	if (fd < 0 || is_believed)
		return fd;
	close(fd);
	return -1;
}

/* Links in the directory's path lead to what is below the root; one as the file is none. */
static int open_no_link(const char *root, const char *path, struct stat *status)
{
	const char *name = strrchr(path, '/');
	int top, directory, handle = -1;
	char parent[4096];

	if (!name || (size_t)(name - path) >= sizeof(parent) - 1)
		return -1;
	snprintf(parent, sizeof(parent), "%.*s/", (int)(name - path), path);
	top = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -1;
	directory = libsp_open_in(top, parent);
	close(top);
	if (directory < 0)
		return -1;
	handle = openat(directory, name + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	close(directory);
	return libsp_open_regular_handle(handle, status);
}

static int open_by_name(const struct libsp_generator *generator, const char *format)
{
	struct stat status;
	char path[64];
	struct who who;
	int fd;

	if (!who_is(generator, &who))
		return -1;
	snprintf(path, sizeof(path), format, who.pid);
	fd = open_no_link(*generator->root ? generator->root : who.root, path, &status);
	return believe(fd, fd >= 0 && is_users(&who, &status) &&
			   is_timely(generator->process, &status));
}

/**
 * libsp_open_perf_map() - open a file perf-PID.map
 * @generator: of which process
 *
 * Return: a file to be read, or -1: there is none that is believed.
 */
int libsp_open_perf_map(const struct libsp_generator *generator)
{
	return open_by_name(generator, "/tmp/perf-%d.map");
}

/* Is it jit-NUMBER.dump, in whatever directory? */
bool libsp_is_jitdump(const char *path)
{
	const char *name = strrchr(path, '/'), *end;

	if (!name || strncmp(name, "/jit-", 5))
		return false;
	end = name + 5 + strspn(name + 5, "0123456789");
	if (end == name + 5 || strncmp(end, ".dump", 5))
		return false;
	return !end[5] || !strcmp(end + 5, DELETED);
}

/* What is mapped, whatever its name is by now; or what has the name, if it is the same. */
static int open_mapped(const struct who *who, int pid, const char *line, struct stat *status)
{
	unsigned long long inode = 0;
	char link[128], range[64];
	int fd, path = 0;

	if (sscanf(line, "%40s %*s %*s %*s %llu %n", range, &inode, &path) < 2 || !path)
		return -1;
	snprintf(link, sizeof(link), "/proc/%d/map_files/%s", pid, range);
	fd = libsp_open_regular_handle(open(link, O_PATH | O_CLOEXEC), status);
	if (fd >= 0)
		return fd;
	/* That takes a capability. */
	fd = open_no_link(who->root, line + path, status);
	if (fd >= 0 && status->st_ino != inode) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/**
 * libsp_open_mapped_jitdump() - open a file jit-PID.dump that a process has mapped now
 * @generator: of which process; one that lives
 *
 * Programs map it as code, so that it is found. What a program wrote that this process ran
 * before is not mapped any more. So one that seems older than the process counts, too; the
 * clock of files may have stood still. But a child has its parent's, beside its own.
 *
 * Return: a file to be read, or -1: there is none that is believed.
 */
int libsp_open_mapped_jitdump(const struct libsp_generator *generator)
{
	struct libsp_maps maps;
	struct stat status;
	const char *line;
	struct who who;
	int fd, found = -1;
	bool timely;

	if (!generator->process->lives || *generator->root || !who_is(generator, &who) ||
	    !libsp_maps_open(&maps, generator->process->pid))
		return -1;
	while ((line = libsp_maps_next(&maps))) {
		const char *rights = strchr(line, ' ');

		if (!rights || strnlen(rights, 4) < 4 || rights[3] != 'x' ||
		    !libsp_is_jitdump(line))
			continue;
		fd = open_mapped(&who, generator->process->pid, line, &status);
		if (fd < 0)
			continue;
		timely = is_timely(generator->process, &status);
		if (!is_users(&who, &status) || (found >= 0 && !timely)) {
			close(fd);
			continue;
		}
		if (found >= 0)
			close(found);
		found = fd;
		if (timely)
			break;
	}
	libsp_maps_close(&maps);
	return found;
}

static bool is_recorded(const struct stat *status, const struct schedprof_file *file)
{
	/* It is written to all the time, so that its time tells nothing. */
	return file && file->inode == status->st_ino &&
	       file->device_major == major(status->st_dev) &&
	       file->device_minor == minor(status->st_dev);
}

/* Of one that is gone: the recording tells which file it was. */
static int open_jitdump_of_recording(const struct libsp_generator *generator)
{
	const struct schedprof_mapping *mapping;
	struct stat status;
	struct who who;
	bool whose;
	size_t i;
	int fd = -1;

	if (!generator->image || generator->process->lives || !who_is(generator, &who))
		return -1;
	for (i = 0; fd < 0 && (mapping = schedprof_mapping_at(generator->recording, i)); i++) {
		if (mapping->image != generator->image ||
		    mapping->kind != SCHEDPROF_MAPPING_FILE || !libsp_is_jitdump(mapping->path))
			continue;
		fd = open_no_link(generator->root, mapping->path, &status);
		whose = fd >= 0 && (is_users(&who, &status) || is_recorded(&status, mapping->file));
		fd = believe(fd, whose && is_timely(generator->process, &status));
	}
	return fd;
}

/**
 * libsp_open_jitdump() - open a file jit-PID.dump
 * @generator: of which process
 *
 * Return: a file to be read, or -1: there is none that is believed.
 */
int libsp_open_jitdump(const struct libsp_generator *generator)
{
	int fd = libsp_open_mapped_jitdump(generator);

	if (fd < 0)
		fd = open_jitdump_of_recording(generator);
	return fd < 0 ? open_by_name(generator, "/tmp/jit-%d.dump") : fd;
}
