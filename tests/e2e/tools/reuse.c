// SPDX-License-Identifier: GPL-2.0-only
/*
 * reuse: runs a program under a process number that was another's before.
 *
 * reuse PID PROGRAM [ARGUMENT...]
 *
 * Waits for the program and ends as it did.
 */
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	pid_t wanted, pid;
	int status;

	if (argc < 3)
		return 2;
	wanted = atoi(argv[1]);
	args.set_tid = (uint64_t)(uintptr_t)&wanted;
	args.set_tid_size = 1;
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid < 0) {
		perror("reuse: clone3");
		return 1;
	}
	if (!pid) {
		execv(argv[2], argv + 2);
		perror("reuse: execv");
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
