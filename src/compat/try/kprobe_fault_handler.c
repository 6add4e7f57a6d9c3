// SPDX-License-Identifier: GPL-2.0-only
/* Until 5.13; such kernels count faults within a handler as misses. */
#include <linux/kprobes.h>

int on_fault(struct kprobe *probe, struct pt_regs *regs, int trap);
struct kprobe probe = { .fault_handler = on_fault };
