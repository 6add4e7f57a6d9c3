// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program as the first process of new user and PID namespaces:
 * nest PROGRAM [ARGUMENT...]. Root inside is root outside. Prints what its
 * PID is outside, first.
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(2, "%s", path);
	close(fd);
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 2)
		errx(2, "expects a program");
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS))
		err(2, "no new namespaces");
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/uid_map", "0 0 1");
	write_file("/proc/self/gid_map", "0 0 1");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		execvp(argv[1], argv + 1);
		err(2, "%s", argv[1]);
	}
	printf("outside %d\n", pid);
	fflush(stdout);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
