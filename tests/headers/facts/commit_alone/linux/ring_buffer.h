/* SPDX-License-Identifier: GPL-2.0-only */
/* Since 6.2 committing takes the ring alone. */
#ifndef FACT_COMMIT_ALONE
#define FACT_COMMIT_ALONE

#define ring_buffer_unlock_commit ring_buffer_unlock_commit_of_the_base
#include_next <linux/ring_buffer.h>
#undef ring_buffer_unlock_commit

int ring_buffer_unlock_commit(struct trace_buffer *ring);

#endif
