/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keeper: a process that removes the sessions of this one if it is killed. One thread.
 */
#ifndef CLI_TOP_KEEPER_H
#define CLI_TOP_KEEPER_H

#include <sys/types.h>

struct top_keeper {
	pid_t pid;	/* 0: there is none */
	int pipe;	/* that tells it; -1 */
};

void top_keeper_begin(struct top_keeper *keeper);
void top_keeper_end(struct top_keeper *keeper);

#endif
