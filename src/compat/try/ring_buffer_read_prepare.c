// SPDX-License-Identifier: GPL-2.0-only
/* Until 2025, and in stable kernels until 2026: a reader of a ring is made, then started. */
#include <linux/ring_buffer.h>

#ifndef CONFIG_RING_BUFFER
#error "no rings"
#endif

void sp_try(struct trace_buffer *ring)
{
	struct ring_buffer_iter *iter = ring_buffer_read_prepare(ring, 0, GFP_KERNEL);

	ring_buffer_read_start(iter);
}
