/* SPDX-License-Identifier: GPL-2.0-only */
#include_next <generated/autoconf.h>
#undef CONFIG_FPROBE
#define CONFIG_FPROBE 1
