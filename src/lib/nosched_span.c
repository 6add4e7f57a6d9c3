// SPDX-License-Identifier: GPL-2.0-only
/*
 * nosched_span: the state machine that turns what a CPU was seen doing, sample by
 * sample, into stretches in the kernel. It knows neither tasks nor timers.
 *
 * A stretch begins between two samples, the first of which did not see it, and
 * may end between two others: it is taken to do so in the middle, so that it is
 * right within one period. If the task came in between, it came in the kernel,
 * and a context switch is seen exactly.
 *
 * A sample that comes late waited for interrupts to be switched on: that gap is
 * a stretch of its own, even if user mode is seen after it.
 *
 * No lock: the memory is the CPU's own.
 */
#include "lib/export.h"
#include "lib/nosched_span.h"

static u64 middle(u64 from, u64 to)
{
	return from < to ? from + (to - from) / 2 : to;
}

/**
 * sp_nosched_span_irqs_off() - were interrupts off, most of the time?
 * @stretch: one that goes on, or ends
 * @until: ns; when it is looked at
 *
 * A sample may also come late for other reasons, in a virtual machine above all.
 *
 * Context: a hook or interrupt on the CPU.
 */
bool sp_nosched_span_irqs_off(const struct sp_nosched_span *stretch, u64 until)
{
	return stretch->since && 2 * stretch->gaps > until - stretch->since;
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_irqs_off);

static bool end(struct sp_nosched_span *stretch, u64 until, struct sp_nosched_span_end *ended)
{
	bool was = stretch->since;

	*ended = (struct sp_nosched_span_end) {
		stretch->since, until, sp_nosched_span_irqs_off(stretch, until),
	};
	stretch->since = 0;
	stretch->gaps = 0;
	return was;
}

/**
 * sp_nosched_span_sample() - a sample was taken
 * @stretch: of the CPU
 * @sample: what it found
 * @ended: filled if a stretch has ended
 *
 * Context: a timer's interrupt on that CPU.
 * Return: true if a stretch has ended.
 */
bool sp_nosched_span_sample(struct sp_nosched_span *stretch, const struct sp_sample *sample,
			    struct sp_nosched_span_end *ended)
{
	bool late = sample->now > sample->due + sample->period;
	/* Interrupts were still on shortly before the sample was due. */
	u64 then = late ? sample->due : sample->now;
	u64 looked = stretch->looked ?: then;

	if (sample->crowded && (sample->kernel || late)) {
		if (!stretch->since)
			stretch->since = stretch->looked ? middle(looked, then) :
					 stretch->came ?: then;
		if (late)
			stretch->gaps += sample->now - sample->due;
	}
	stretch->looked = sample->now;
	if (sample->crowded && sample->kernel)
		return false;
	return end(stretch, late ? sample->now : middle(looked, sample->now), ended);
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_sample);

/**
 * sp_nosched_span_switch() - another task came in
 * @stretch: of the CPU
 * @now: ns
 * @ended: filled if a stretch has ended
 *
 * Context: a hook on that CPU.
 * Return: true if a stretch has ended.
 */
bool sp_nosched_span_switch(struct sp_nosched_span *stretch, u64 now,
			    struct sp_nosched_span_end *ended)
{
	stretch->came = now;
	stretch->looked = 0;
	return end(stretch, now, ended);
}
SP_EXPORT_FOR_KUNIT(sp_nosched_span_switch);
