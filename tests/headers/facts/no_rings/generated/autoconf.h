/* SPDX-License-Identifier: GPL-2.0-only */
/* Nobody traces: of the base's options, those that bring the rings. */
#include_next <generated/autoconf.h>
#undef CONFIG_RING_BUFFER
