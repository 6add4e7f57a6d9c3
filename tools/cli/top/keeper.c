// SPDX-License-Identifier: GPL-2.0-only
/*
 * keeper: a process that removes the sessions of this one if it is killed, as nobody can
 * hold back SIGKILL. It sleeps at a pipe, which is closed when this process ends, however
 * that happens. Without it all goes on as usual, so what goes wrong here is not said. Each
 * process has one thread, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <schedprof.h>

#include "../session.h"
#include "keeper.h"

/* The owner may not be reaped yet, so its PID is what tells. */
static void remove_sessions_of(pid_t owner)
{
	struct schedprof *handle = schedprof_open(NULL, NULL, NULL);
	char **names;
	size_t i, count;
	pid_t pid;

	if (!handle)
		return;
	names = schedprof_list(handle, &count, NULL);
	for (i = 0; names && i < count; i++) {
		enum cli_owner kind = cli_owner(names[i], &pid);

		if ((kind == CLI_OWNER_ALIVE || kind == CLI_OWNER_GONE) && pid == owner)
			schedprof_remove(handle, names[i], NULL);
	}
	schedprof_list_free(names);
	schedprof_close(handle);
}

/* It belongs to no terminal and keeps none open, and only ends by itself. */
static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "schedprof-keep");
	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

static void keep(int fd, pid_t owner)
{
	ssize_t got;
	char byte;

	leave_terminal();
	do
		got = read(fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	/* A byte says that the owner has cleaned up itself. */
	if (got <= 0)
		remove_sessions_of(owner);
	_exit(0);
}

/**
 * top_keeper_begin() - before there is a session
 * @keeper: filled in
 */
void top_keeper_begin(struct top_keeper *keeper)
{
	pid_t owner = getpid();
	int fds[2];

	*keeper = (struct top_keeper) { .pipe = -1 };
	if (pipe2(fds, O_CLOEXEC))
		return;
	keeper->pid = fork();
	if (!keeper->pid) {
		close(fds[1]);
		keep(fds[0], owner);
	}
	close(fds[0]);
	keeper->pipe = fds[1];
	if (keeper->pid > 0)
		return;
	close(keeper->pipe);
	*keeper = (struct top_keeper) { .pipe = -1 };
}

/**
 * top_keeper_end() - when the sessions are gone
 * @keeper: begun; zero afterwards
 */
void top_keeper_end(struct top_keeper *keeper)
{
	static const char byte = '.';

	if (!keeper->pid)
		return;
	/* If it is gone, nobody is there to read that, and nothing is lost. */
	if (write(keeper->pipe, &byte, 1) < 0 && errno != EPIPE)
		kill(keeper->pid, SIGKILL);
	close(keeper->pipe);
	while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*keeper = (struct top_keeper) { .pipe = -1 };
}
