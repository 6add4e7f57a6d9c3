// SPDX-License-Identifier: GPL-2.0-only
/* hex2bin() has a header of its own. */
#include <linux/hex.h>
