/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signals: which ones are held back while there is a session. One thread, so nothing is locked.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

void cli_signals_held(sigset_t *set);
void cli_signals_hold(sigset_t *before);
void cli_signals_remove(const sigset_t *before, const char *directory);
void cli_signals_twice(const char *directory, pid_t command, bool came);
void cli_signals_once(void);
void cli_signals_release(const sigset_t *before);
void cli_signals_restore(const sigset_t *before);

#endif
