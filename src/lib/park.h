/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes that cannot be removed while ftrace is off, until it is on again. */
#ifndef SP_LIB_PARK_H
#define SP_LIB_PARK_H

#include <linux/list.h>

/* Part of whatever has the probes. */
struct sp_parked {
	struct list_head node;
	void (*remove)(struct sp_parked *parked);
};

void sp_park(struct sp_parked *parked, const char *what, const char *where);
void sp_unpark(void);
void sp_park_exit(void);

#endif
