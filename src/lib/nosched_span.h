/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_NOSCHED_SPAN_H
#define SP_LIB_NOSCHED_SPAN_H

#include <linux/types.h>

/*
 * What one CPU does in the kernel on behalf of one task while others wait for
 * it. Written on its CPU alone, with interrupts off.
 */
struct sp_nosched_span {
	u64 since;		/* ns; 0: there is none */
	u64 looked;		/* ns; at the last sample, 0 if none since in_ts */
	u64 in_ts;		/* ns; when the task came in, 0 if not known */
	u64 gaps;		/* ns; that samples came late in it */
};

/* What a sample found. */
struct sp_sample {
	u64 now;		/* ns */
	u64 due;		/* ns; when it should have come */
	u64 period;		/* ns */
	bool kernel;		/* it interrupted the kernel, not user mode */
	bool crowded;		/* other tasks wait for the CPU */
};

/* A span that is over. */
struct sp_nosched_span_end {
	u64 since, until;	/* ns */
	bool irqs_off;		/* interrupts were, most of the time */
};

bool sp_nosched_span_sample(struct sp_nosched_span *span, const struct sp_sample *sample,
			    struct sp_nosched_span_end *ended);
bool sp_nosched_span_irqs_off(const struct sp_nosched_span *span, u64 until);
bool sp_nosched_span_switch(struct sp_nosched_span *span, u64 now,
			    struct sp_nosched_span_end *ended);

#endif
