// SPDX-License-Identifier: GPL-2.0-only
/*
 * nosched_span: the state machine that turns what a CPU was seen doing, sample by
 * sample, into spans in the kernel without a switch. It knows neither tasks nor timers.
 *
 * A span begins between two samples, the first of which did not see it, and
 * may end between two others: it is taken to do so in the middle, so that it is
 * right within one period. If the task came in between, it came in the kernel,
 * and a context switch is seen exactly.
 *
 * A sample that comes late waited for interrupts to be switched on: that gap is
 * a span of its own, even if user mode is seen after it.
 *
 * No lock: the memory is the CPU's own.
 */
#include "lib/export.h"
#include "lib/nosched_span.h"

static u64 middle_of_span(u64 from, u64 to)
{
	return from < to ? from + (to - from) / 2 : to;
}

/**
 * sp_nosched_span_irqs_off() - were interrupts off, most of the time?
 * @span: one that goes on, or ends
 * @until: ns; when it is looked at
 *
 * A sample may also come late for other reasons, in a virtual machine above all.
 *
 * Context: a hook or interrupt on the CPU.
 */
bool sp_nosched_span_irqs_off(const struct sp_nosched_span *span, u64 until)
{
	return span->since && 2 * span->gaps > until - span->since;
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_irqs_off);

static bool end_span(struct sp_nosched_span *span, u64 until, struct sp_nosched_span_end *ended)
{
	bool was = span->since;

	*ended = (struct sp_nosched_span_end) {
		span->since, until, sp_nosched_span_irqs_off(span, until),
	};
	span->since = 0;
	span->gaps = 0;
	return was;
}

/**
 * sp_nosched_span_sample() - a sample was taken
 * @span: of the CPU
 * @sample: what it found
 * @ended: filled if a span has ended
 *
 * Context: a timer's interrupt on that CPU.
 * Return: true if a span has ended.
 */
bool sp_nosched_span_sample(struct sp_nosched_span *span, const struct sp_sample *sample,
			    struct sp_nosched_span_end *ended)
{
	bool late = sample->now > sample->due + sample->period;
	/* Interrupts were still on shortly before the sample was due. */
	u64 then = late ? sample->due : sample->now;
	u64 looked = span->looked ?: then;

	if (sample->crowded && (sample->kernel || late)) {
		if (!span->since)
			span->since = span->looked ? middle_of_span(looked, then) :
					 span->in_ts ?: then;
		if (late)
			span->gaps += sample->now - sample->due;
	}
	span->looked = sample->now;
	if (sample->crowded && sample->kernel)
		return false;
	return end_span(span, late ? sample->now : middle_of_span(looked, sample->now), ended);
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_sample);

/**
 * sp_nosched_span_switch() - another task came in
 * @span: of the CPU
 * @now: ns
 * @ended: filled if a span has ended
 *
 * Context: a hook on that CPU.
 * Return: true if a span has ended.
 */
bool sp_nosched_span_switch(struct sp_nosched_span *span, u64 now,
			    struct sp_nosched_span_end *ended)
{
	span->in_ts = now;
	span->looked = 0;
	return end_span(span, now, ended);
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_switch);
