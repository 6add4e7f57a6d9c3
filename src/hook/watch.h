/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread that finds out when armed probes go blind. Under the hook mutex. */
#ifndef SP_HOOK_WATCH_H
#define SP_HOOK_WATCH_H

#include <linux/types.h>

/* What the thread asks for. */
struct sp_watch_ops {
	u64 (*hits)(void);		/* switches that the hooks saw, of all CPUs */
	/*
	 * ns; nothing is known since then. @blind: the hooks saw nothing; else the time is in
	 * doubt. Returns ns; until when that is told. 0: not now
	 */
	u64 (*rearm)(u64 since, bool blind);
	void (*settle)(void);		/* called each time */
};

int sp_watch_start(const struct sp_watch_ops *ops);
void sp_watch_stop(void);
u64 sp_watch_blind_since(bool silenced);

#endif
