/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete: what may follow on a command line, for the completion of shells. No state. One
 * thread, so nothing is locked.
 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

int cli_complete(int count, char **words);

#endif
