/* SPDX-License-Identifier: GPL-2.0-only */
/* Rethooks came with 5.18; kretprobes were without. */
#include_next <generated/autoconf.h>
#undef CONFIG_RETHOOK
#undef CONFIG_KRETPROBE_ON_RETHOOK
