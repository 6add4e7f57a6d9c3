// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals: which ones are held back while there is a session, and what becomes of them before and
 * then. One thread, so nothing is locked.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "say.h"
#include "signals.h"

/*
 * Those that who started this program had it ignore, as nohup(1) has SIGHUP, once that is known.
 * Shells do so with SIGINT of what they start in the background, but scripts send it to that, as
 * they do to perf: it ends a recording in any case, and so does SIGTERM.
 */
static sigset_t ignored;
static bool knows_ignored;

/* What a signal that ends the program removes before, and which ones do. */
static char unneeded[4096];
static sigset_t removing;

/* Those that people send to end a program. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define ENDS	(sizeof(ends) / sizeof(ends[0]))

/* While cli_signals_twice(): the first of them, and what is needed when another one comes. */
static struct {
	volatile sig_atomic_t came;
	siginfo_t info;			/* to be seen by cli_await(); si_signo is 0: none is */
	struct timespec at;
	pid_t command;			/* 0: none */
	bool passed_on;			/* to that */
} first;

/* Before the first cli_signals_twice(). */
static struct sigaction actions[ENDS];
static bool knows_actions;

static void find_ignored(void)
{
	struct sigaction action;
	int number;

	if (knows_ignored)
		return;
	knows_ignored = true;
	sigemptyset(&ignored);
	for (number = 1; number <= SIGRTMAX; number++)
		if (!sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN)
			sigaddset(&ignored, number);
}

static bool is_ignored(int number)
{
	return sigismember(&ignored, number) > 0;
}

/**
 * cli_signals_held() - which signals are held back
 * @set: filled with those that end a program, are not ignored and can be held back, but for
 *	those that tell of its own faults; SIGPIPE and SIGXFSZ end nothing here. SIGINT, SIGTERM and
 *	SIGCHLD are wanted in any case
 */
void cli_signals_held(sigset_t *set)
{
	static const int signals[] = {
		SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
		SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT,
	};
	size_t i;
	int number;

	sigemptyset(set);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!is_ignored(signals[i]))
			sigaddset(set, signals[i]);
	for (number = SIGRTMIN; number <= SIGRTMAX; number++)
		if (!is_ignored(number))
			sigaddset(set, number);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
}

/* A reader that goes away ends the program, or it does not, as who started it has chosen. */
static void heed_pipes(void)
{
	signal(SIGPIPE, is_ignored(SIGPIPE) ? SIG_IGN : SIG_DFL);
}

/* Nothing is to be removed any more. */
static void remove_nothing(void)
{
	int number;

	for (number = 1; number <= SIGRTMAX; number++)
		if (sigismember(&removing, number) > 0)
			signal(number, SIG_DFL);
	sigemptyset(&removing);
}

/**
 * cli_signals_hold() - from now on, only cli_await() sees signals
 * @before: filled with the mask to go back to
 *
 * A session exists from now on, which nobody but this process removes: it must
 * not die of a reader that goes away, either.
 */
void cli_signals_hold(sigset_t *before)
{
	sigset_t set;

	find_ignored();
	cli_signals_held(&set);
	sigprocmask(SIG_BLOCK, &set, before);
	remove_nothing();
	signal(SIGPIPE, SIG_IGN);
	/* The process that started this one may have chosen to ignore SIGCHLD. */
	signal(SIGCHLD, SIG_DFL);
}

/* Those that came meanwhile wanted what has happened. */
static void let_signals_in(const sigset_t *before)
{
	static const struct timespec at_once;
	sigset_t set;
	size_t i;

	cli_signals_held(&set);
	while (sigtimedwait(&set, NULL, &at_once) > 0)
		;
	for (i = 0; knows_actions && i < ENDS; i++)
		sigaction(ends[i], &actions[i], NULL);
	knows_actions = false;
	sigprocmask(SIG_SETMASK, before, NULL);
}

/**
 * cli_signals_release() - the session is gone: signals are as usual
 * @before: as filled by cli_signals_hold()
 */
void cli_signals_release(const sigset_t *before)
{
	remove_nothing();
	heed_pipes();
	let_signals_in(before);
}

/**
 * cli_signals_restore() - in a child: signals are as this program got them
 * @before: as filled by cli_signals_hold()
 */
void cli_signals_restore(const sigset_t *before)
{
	heed_pipes();
	if (is_ignored(SIGCHLD))
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/*
 * What is called may be called here. SA_RESETHAND: the second signal ends the program, but not
 * the first process of a PID namespace.
 */
static void remove_and_end(int number)
{
	sigset_t set;

	rmdir(unneeded);
	raise(number);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(CLI_KILLED + number);
}

/**
 * cli_signals_remove() - the session waits for nothing but that it is removed
 * @before: as filled by cli_signals_hold()
 * @directory: of the session
 *
 * Signals are as usual, up to cli_signals_hold(), but one that ends the program removes the
 * session before.
 */
void cli_signals_remove(const sigset_t *before, const char *directory)
{
	struct sigaction action = { .sa_handler = remove_and_end, .sa_flags = SA_RESETHAND };
	struct sigaction old;
	int number;

	snprintf(unneeded, sizeof(unneeded), "%s", directory);
	cli_signals_held(&removing);
	sigdelset(&removing, SIGCHLD);
	sigaddset(&removing, SIGPIPE);
	heed_pipes();
	for (number = 1; number <= SIGRTMAX; number++) {
		if (sigismember(&removing, number) <= 0)
			continue;
		if (!sigaction(number, NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(number, &action, NULL);
		else
			sigdelset(&removing, number);
	}
	let_signals_in(before);
}

/* What comes within a second of the first one is the same wish, sent in several ways. */
static bool is_another(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > first.at.tv_sec + 1 ||
	       (now.tv_sec == first.at.tv_sec + 1 && now.tv_nsec >= first.at.tv_nsec);
}

/* As remove_and_end(). */
static void note_or_end(int number, siginfo_t *info, void *context)
{
	(void)context;
	/* As of cli_await(): what a COMMAND tells is nobody's wish. */
	if (first.command && info->si_code <= 0 && info->si_pid == first.command)
		return;
	if (!first.came) {
		first.info = *info;
		clock_gettime(CLOCK_MONOTONIC, &first.at);
		first.came = 1;
		return;
	}
	if (!is_another()) {
		/* The first one came before: cli_await() is to see this one. */
		if (!first.info.si_signo)
			first.info = *info;
		return;
	}
	if (first.command && !first.passed_on && first.info.si_code <= 0)
		kill(first.command, first.info.si_signo);
	signal(number, SIG_DFL);
	remove_and_end(number);
}

static void wanted_ends(sigset_t *set)
{
	sigset_t held;
	size_t i;

	cli_signals_held(&held);
	sigemptyset(set);
	for (i = 0; i < ENDS; i++)
		if (sigismember(&held, ends[i]) > 0)
			sigaddset(set, ends[i]);
}

/**
 * cli_signals_twice() - what comes may take as long as somebody else likes
 * @directory: of the session
 * @command: that runs and has its own signals; 0: none
 * @came: the first one came already
 *
 * Signals are held, but of those that people send to end a program the second one removes
 * the session and ends it, up to cli_signals_once().
 */
void cli_signals_twice(const char *directory, pid_t command, bool came)
{
	struct sigaction action = {
		.sa_sigaction = note_or_end, .sa_flags = SA_SIGINFO | SA_RESTART,
	};
	sigset_t set;
	size_t i;

	snprintf(unneeded, sizeof(unneeded), "%s", directory);
	first.command = command;
	first.passed_on = came;
	first.came = came;
	first.info.si_signo = 0;
	clock_gettime(CLOCK_MONOTONIC, &first.at);
	wanted_ends(&set);
	action.sa_mask = set;
	for (i = 0; i < ENDS; i++) {
		if (!knows_actions)
			sigaction(ends[i], NULL, &actions[i]);
		if (sigismember(&set, ends[i]) > 0)
			sigaction(ends[i], &action, NULL);
	}
	knows_actions = true;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/**
 * cli_signals_once() - all signals are held again
 *
 * cli_await() sees the one that came meanwhile, as it came.
 */
void cli_signals_once(void)
{
	sigset_t set;
	size_t i;

	wanted_ends(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* SIG_IGN would drop one that is held. */
	for (i = 0; i < ENDS; i++)
		if (sigismember(&set, ends[i]) > 0)
			signal(ends[i], SIG_DFL);
	if (first.info.si_signo)
		syscall(SYS_rt_sigqueueinfo, getpid(), first.info.si_signo, &first.info);
}
