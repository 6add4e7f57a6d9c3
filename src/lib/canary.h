/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_CANARY_H
#define SP_LIB_CANARY_H

#include <linux/types.h>

/* What keeps probes from firing. */
enum sp_silence {
	SP_SILENCE_NONE,
	SP_SILENCE_KPROBES,	/* all kprobes */
	SP_SILENCE_FTRACE,	/* what is part of ftrace */
};

enum sp_silence sp_canary_ask(void);
bool sp_canary_ftrace_is_off(void);
void sp_canary_init(void);
void sp_canary_exit(void);

#endif
