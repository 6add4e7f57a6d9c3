// SPDX-License-Identifier: GPL-2.0-only
/* Rings that are read while they are written; stable kernels have it, too. */
#include <linux/ring_buffer.h>

#ifndef CONFIG_RING_BUFFER
#error "no rings"
#endif

struct ring_buffer_iter *sp_try(struct trace_buffer *ring);
struct ring_buffer_iter *sp_try(struct trace_buffer *ring)
{
	return ring_buffer_read_start(ring, 0, GFP_KERNEL);
}
