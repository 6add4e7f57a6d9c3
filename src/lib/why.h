/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why something was refused: one sentence for people, beside the errno.
 */
#ifndef SP_LIB_WHY_H
#define SP_LIB_WHY_H

#include <linux/compiler.h>

#include "lib/limits.h"

struct sp_why {
	char text[SP_ERROR_LEN];
};

__printf(3, 4)
int sp_refuse(struct sp_why *why, int err, const char *format, ...);

#endif
