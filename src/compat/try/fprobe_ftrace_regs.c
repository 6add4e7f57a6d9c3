// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.14: an fprobe hands over ftrace's registers. */
#include <linux/fprobe.h>

static int enters(struct fprobe *fprobe, unsigned long entry, unsigned long ret,
		  struct ftrace_regs *regs, void *data)
{
	return 0;
}

struct fprobe sp_try = { .entry_handler = enters };
