// SPDX-License-Identifier: GPL-2.0-only
/*
 * on_terminal: runs a program on a terminal of 80x24, types there what comes on standard
 * input, prints what the program writes, and ends with its status.
 *
 * on_terminal PROGRAM [ARGUMENT...]
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(int terminal, char **argv)
{
	int slave;

	setsid();
	/* That of a session's leader becomes its terminal. */
	slave = open(ptsname(terminal), O_RDWR);
	if (slave < 0)
		err(127, "%s", ptsname(terminal));
	dup2(slave, STDIN_FILENO);
	dup2(slave, STDOUT_FILENO);
	close(slave);
	close(terminal);
	execvp(argv[0], argv);
	err(127, "%s", argv[0]);
}

/* Return: does it go on? */
static int copy(int from, int to)
{
	char bytes[4096];
	ssize_t n = read(from, bytes, sizeof(bytes));

	return n > 0 && write(to, bytes, (size_t)n) == n;
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_col = 80, .ws_row = 24 };
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status = 0;
	struct pollfd fds[] = { { .fd = terminal, .events = POLLIN }, { .events = POLLIN } };
	pid_t child;

	if (argc < 2)
		errx(127, "expected a program");
	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) ||
	    ioctl(terminal, TIOCSWINSZ, &size))
		err(127, "a terminal");
	child = fork();
	if (!child)
		run(terminal, argv + 1);
	/* The program may not have opened it yet: then there is nothing to be read, either. */
	while (poll(fds, 2, -1) > 0) {
		if (fds[0].revents && !copy(terminal, STDOUT_FILENO) &&
		    waitpid(child, &status, WNOHANG) == child)
			break;
		if (fds[1].revents && !copy(STDIN_FILENO, terminal))
			fds[1].fd = -1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
