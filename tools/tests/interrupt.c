// SPDX-License-Identifier: GPL-2.0-only
/*
 * interrupt: SIGTERM comes when the program calls the function that INTERRUPT names. To be
 * preloaded. No state, so no lock.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void interrupt(const char *at)
{
	const char *name = getenv("INTERRUPT");

	if (name && !strcmp(name, at))
		raise(SIGTERM);
}

int fchmod(int fd, mode_t mode)
{
	interrupt("fchmod");
	return (int)syscall(SYS_fchmod, fd, mode);
}

int fsync(int fd)
{
	interrupt("fsync");
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	interrupt("rename");
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
