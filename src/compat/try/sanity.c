// SPDX-License-Identifier: GPL-2.0-only
/* What must compile on every kernel. */
#include <linux/module.h>

int sp_try(void)
{
	return 0;
}
