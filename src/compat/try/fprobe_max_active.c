// SPDX-License-Identifier: GPL-2.0-only
/* Until 6.13: an fprobe has room for so many activations. */
#include <linux/fprobe.h>

struct fprobe sp_try = { .nr_maxactive = 1 };
