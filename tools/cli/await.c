// SPDX-License-Identifier: GPL-2.0-only
/*
 * await: waiting for the end of what is recorded. Signals, which are held back, are taken one by
 * one where nothing can be left half done. One thread, so nothing is locked.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "await.h"
#include "signals.h"
#include "words.h"

/* How often the progress line is new, and other processes are looked at. */
#define LOOK_NS	(200 * CLI_NS_PER_MS)

/**
 * cli_await_begin() - from now on, know the processes of --pid
 * @await: with its options
 *
 * Others may get their PIDs later. With their children, others may go on when they have ended.
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_await_begin(struct cli_await *await)
{
	const struct cli_options *o = await->o;
	const char *at = cli_value(o, "pids");
	char *end;

	if (!at || cli_value(o, "tids") || cli_value(o, "inherit"))
		return CLI_OK;
	at += strcspn(at, "0123456789");
	if (!*at)
		return CLI_OK;
	/* It has no more numbers than letters. */
	await->processes = calloc(strlen(at), sizeof(*await->processes));
	if (!await->processes)
		return cli_no_memory();
	for (; *at; at = end + strcspn(end, "0123456789")) {
		pid_t pid = (pid_t)strtol(at, &end, 10);
		int fd = (int)syscall(SYS_pidfd_open, pid, 0);

		if (fd >= 0 || errno != ESRCH)
			await->processes[await->process_count++] =
				(struct cli_awaited){ .pid = pid, .fd = fd };
	}
	return CLI_OK;
}

/**
 * cli_await_end() - wait for processes no more
 * @await: begun, or zero
 */
void cli_await_end(struct cli_await *await)
{
	size_t i;

	for (i = 0; i < await->process_count; i++)
		if (await->processes[i].fd >= 0)
			close(await->processes[i].fd);
	free(await->processes);
	await->processes = NULL;
	await->process_count = 0;
}

/* A zombie is; one of which only the first thread has ended is not. */
static bool is_gone(const struct cli_awaited *process)
{
	struct pollfd fd = { .fd = process->fd, .events = POLLIN };

	if (process->fd < 0)
		return kill(process->pid, 0) && errno == ESRCH;
	return poll(&fd, 1, 0) > 0;
}

static bool all_processes_gone(const struct cli_await *await)
{
	size_t i;

	for (i = 0; i < await->process_count; i++)
		if (!is_gone(&await->processes[i]))
			return false;
	return await->processes;
}

/*
 * The COMMAND gets signals from the keyboard itself, but not those that were sent
 * to this process.
 */
static void pass_on(struct cli_await *await, const siginfo_t *info)
{
	if (info->si_code <= 0)
		kill(await->program->pid, info->si_signo);
}

/* Some tell who started them that they are ready, by a signal. */
static bool is_of_command(const struct cli_await *await, const siginfo_t *info)
{
	return info->si_code <= 0 && await->program && await->program->pid &&
	       info->si_pid == await->program->pid;
}

/* Return: is the waiting over? */
static bool take_signal(struct cli_await *await, const siginfo_t *info,
			enum cli_event *event)
{
	*event = CLI_EVENT_END;
	switch (info->si_signo) {
	case SIGCHLD:
		return await->program && cli_program_ended(await->program, false);
	case SIGUSR1:
	case SIGUSR2:
		if (!await->on_request) {
			if (await->program && await->program->pid && !is_of_command(await, info))
				pass_on(await, info);
			return false;
		}
		*event = info->si_signo == SIGUSR1 ? CLI_EVENT_NOW : CLI_EVENT_ROTATE;
		return true;
	default:
		if (is_of_command(await, info))
			return false;
		/* The second signal is for this program. */
		if (await->program && await->program->pid && !await->signal) {
			pass_on(await, info);
			await->signal = info->si_signo;
			return false;
		}
		await->signal = info->si_signo;
		return true;
	}
}

/**
 * cli_await_rest() - nothing is waited for any more, but a COMMAND may go on
 * @await: begun
 *
 * It gets what was sent to this process since the last cli_await().
 */
void cli_await_rest(struct cli_await *await)
{
	static const struct timespec at_once;
	enum cli_event event;
	siginfo_t info;
	sigset_t set;

	cli_signals_held(&set);
	while (await->program && await->program->pid && sigtimedwait(&set, &info, &at_once) > 0)
		take_signal(await, &info, &event);
}

static void show_progress(const struct cli_await *await, uint64_t now)
{
	if (!await->o->quiet)
		cli_progress(await->what, now - await->begin_ns,
			     await->o->duration_ns);
}

/**
 * cli_await_input() - from now on, also wait for what is typed
 * @await: begun
 *
 * SIGWINCH, too, is seen by cli_await() only, so that none comes between a look at the
 * size of the terminal and the wait.
 *
 * Return: can it.
 */
bool cli_await_input(struct cli_await *await)
{
	sigset_t set;

	cli_signals_held(&set);
	await->signals = signalfd(-1, &set, SFD_CLOEXEC);
	await->reads = await->signals >= 0;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return await->reads;
}

/**
 * cli_await_no_input() - wait for what is typed no more
 * @await: begun
 */
void cli_await_no_input(struct cli_await *await)
{
	sigset_t set;

	if (!await->reads)
		return;
	close(await->signals);
	await->reads = false;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Return: is there something to be read; or the terminal is gone, and event says so. */
static bool poll_input(const struct cli_await *await, const struct timespec *rest,
		       enum cli_event *event)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = await->signals, .events = POLLIN },
	};
	sigset_t mask;
	int n;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGWINCH);
	n = ppoll(fds, 2, rest, &mask);
	*event = fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) ? CLI_EVENT_END :
								   CLI_EVENT_INPUT;
	/* After a handler has run, whoever reads input looks what that was about. */
	return n < 0 || (n > 0 && fds[0].revents);
}

/* Return: is the waiting over? */
static bool await_once(struct cli_await *await, const sigset_t *set,
		       const struct timespec *rest, enum cli_event *event)
{
	static const struct timespec at_once;
	siginfo_t info;
	bool input = await->reads && poll_input(await, rest, event);

	/* A signal comes first. */
	if (sigtimedwait(set, &info, await->reads ? &at_once : rest) > 0) {
		enum cli_event told;

		if (take_signal(await, &info, &told)) {
			*event = told;
			return true;
		}
	}
	return input;
}

/**
 * cli_await() - wait until something happens
 * @await: what for
 * @tick_ns: monotonic; CLI_EVENT_TICK at that time; 0: never
 */
enum cli_event cli_await(struct cli_await *await, uint64_t tick_ns)
{
	uint64_t end = UINT64_MAX, next, now;
	enum cli_event event;
	struct timespec rest;
	sigset_t set;

	if (await->o->duration_ns)
		end = await->begin_ns + await->o->duration_ns;
	cli_signals_held(&set);
	for (;;) {
		now = cli_now();
		if (now >= end)
			return CLI_EVENT_END;
		if (tick_ns && now >= tick_ns)
			return CLI_EVENT_TICK;
		if (all_processes_gone(await))
			return CLI_EVENT_END;
		cli_tables_look(&await->tables, now, tick_ns && tick_ns < end ? tick_ns : end);
		show_progress(await, now);
		next = now + LOOK_NS;
		if (next > end)
			next = end;
		if (tick_ns && next > tick_ns)
			next = tick_ns;
		rest.tv_sec = (time_t)((next - now) / CLI_NS_PER_S);
		rest.tv_nsec = (long)((next - now) % CLI_NS_PER_S);
		if (await_once(await, &set, &rest, &event))
			return event;
	}
}
