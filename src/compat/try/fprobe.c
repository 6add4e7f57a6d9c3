// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.11, where configured: an fprobe hands over where it returns to. */
#include <linux/fprobe.h>

#ifndef CONFIG_FPROBE
#error not configured
#endif

static int enters(struct fprobe *fprobe, unsigned long entry, unsigned long ret,
		  void *regs, void *data)
{
	return 0;
}

int sp_try(struct fprobe *fprobe);
int sp_try(struct fprobe *fprobe)
{
	/* The registers are of different types; see fprobe_ftrace_regs. */
	fprobe->entry_handler = (fprobe_entry_cb)enters;
	return fprobe->entry_handler(fprobe, 0, 0, NULL, NULL);
}
