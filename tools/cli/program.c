// SPDX-License-Identifier: GPL-2.0-only
/*
 * program: the COMMAND that is profiled. Two pipes lead to the child: it starts when
 * something comes through one of them, and what kept it from starting comes back
 * through the other one. One thread, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "say.h"
#include "signals.h"
#include "words.h"

/* Return: the time of CLOCK_MONOTONIC in ns. */
uint64_t cli_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * CLI_NS_PER_S + (uint64_t)t.tv_nsec;
}

/* How many files could be open, before cli_program_open_many(). */
static struct rlimit files_before;

/**
 * cli_program_open_many() - let this process open as many files as it may
 *
 * Debug files of programs are open as long as names are asked for. A COMMAND gets what there
 * was before, as select() knows no more.
 */
void cli_program_open_many(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files_before = files;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* Called in the child, which waits at the gate and becomes the COMMAND. */
static void become_command(char **argv, const sigset_t *mask, int gate, int trouble)
{
	char byte;
	int err;

	/* If the parent is gone, there is nothing to do. */
	while (read(gate, &byte, 1) != 1)
		if (errno != EINTR)
			_exit(CLI_FAILED);
	if (files_before.rlim_max)
		setrlimit(RLIMIT_NOFILE, &files_before);
	cli_signals_restore(mask);
	execvp(argv[0], argv);
	err = errno;
	/* If the parent does not listen, the exit code says it. */
	if (write(trouble, &err, sizeof(err)) != sizeof(err))
		_exit(CLI_FAILED);
	_exit(err == ENOENT ? CLI_NOT_FOUND : CLI_NOT_EXECUTABLE);
}

/**
 * cli_program_prepare() - make the process, which waits
 * @program: zero
 * @argv: what it is to run
 * @mask: of its signals, from cli_signals_hold()
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_program_prepare(struct cli_program *program, char **argv,
			const sigset_t *mask)
{
	int gate[2], trouble[2];
	pid_t pid;

	program->name = argv[0];
	program->gate = -1;
	if (pipe2(gate, O_CLOEXEC))
		goto err;
	if (pipe2(trouble, O_CLOEXEC))
		goto err_close_gate;
	/* What is buffered would be written by the child, too. */
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		goto err_close_trouble;
	if (!pid) {
		close(gate[1]);
		close(trouble[0]);
		become_command(argv, mask, gate[0], trouble[1]);
	}
	close(gate[0]);
	close(trouble[1]);
	program->pid = pid;
	program->gate = gate[1];
	program->trouble = trouble[0];
	return CLI_OK;

err_close_trouble:
	close(trouble[0]);
	close(trouble[1]);
err_close_gate:
	close(gate[0]);
	close(gate[1]);
err:
	cli_error("cannot make a process for %s: %s", argv[0], strerror(errno));
	return CLI_FAILED;
}

static void take_status(struct cli_program *program, int status)
{
	program->wall_ns = cli_now() - program->begin_ns;
	program->pid = 0;
	program->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	program->status = program->signal ? CLI_KILLED + program->signal : WEXITSTATUS(status);
}

/**
 * cli_program_go() - let it run
 * @program: prepared
 *
 * Return: CLI_OK once it runs; CLI_NOT_FOUND or CLI_NOT_EXECUTABLE after saying
 * why it cannot.
 */
int cli_program_go(struct cli_program *program)
{
	ssize_t n;
	int err;

	program->begin_ns = cli_now();
	n = write(program->gate, "", 1);
	close(program->gate);
	program->gate = -1;
	/* exec closes the pipe, or the child says why there was no exec. */
	if (n == 1)
		n = read(program->trouble, &err, sizeof(err));
	close(program->trouble);
	if (n <= 0)
		return CLI_OK;
	cli_program_ended(program, true);
	cli_error("cannot run %s: %s", program->name, strerror(err));
	return program->status;
}

/**
 * cli_program_ended() - has it ended
 * @program: let go
 * @wait: until it has
 *
 * Return: yes or no; if yes, status and wall_ns are known.
 */
bool cli_program_ended(struct cli_program *program, bool wait)
{
	int status;
	pid_t pid;

	if (!program->pid)
		return true;
	do {
		pid = waitpid(program->pid, &status, wait ? 0 : WNOHANG);
	} while (pid < 0 && errno == EINTR);
	if (!pid)
		return false;
	if (pid < 0)
		status = 0;
	take_status(program, status);
	return true;
}

/**
 * cli_program_cancel() - it is not to run after all
 * @program: prepared, perhaps let go, perhaps never made
 *
 * One that runs is left alone.
 */
void cli_program_cancel(struct cli_program *program)
{
	if (!program->pid || program->gate < 0)
		return;
	close(program->gate);
	close(program->trouble);
	program->gate = -1;
	cli_program_ended(program, true);
}
