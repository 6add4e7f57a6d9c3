// SPDX-License-Identifier: GPL-2.0-only
/* Since 5.11: an activation does not hold its kretprobe itself. */
#include <linux/kprobes.h>

struct kretprobe *sp_try(struct kretprobe_instance *instance)
{
	return get_kretprobe(instance);
}
