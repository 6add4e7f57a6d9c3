/* SPDX-License-Identifier: GPL-2.0-only */
/* From 6.5 to 6.13 handlers of an fprobe are told where it returns to, and get pt_regs. */
#ifndef FACT_FPROBE_TELLS_RETURN
#define FACT_FPROBE_TELLS_RETURN

#include <linux/ftrace.h>

struct fprobe {
	struct ftrace_ops ops;
	unsigned long nmissed;
	unsigned int flags;
	size_t entry_data_size;
	int nr_maxactive;
	int (*entry_handler)(struct fprobe *fprobe, unsigned long entry,
			     unsigned long ret, struct pt_regs *regs, void *data);
	void (*exit_handler)(struct fprobe *fprobe, unsigned long entry,
			     unsigned long ret, struct pt_regs *regs, void *data);
};

int register_fprobe_ips(struct fprobe *fprobe, unsigned long *addresses, int count);
int unregister_fprobe(struct fprobe *fprobe);

#endif
