// SPDX-License-Identifier: GPL-2.0-only
/*
 * events: the event trace of a recording, in the kernel's own ring buffer, which
 * forgets the oldest.
 *
 * A hook writes to the buffer of its CPU: reserve, copy, commit. That is what the
 * tracepoint sched_switch does with ftrace's buffer in the same place, under a run
 * queue lock with interrupts off. It may, on PREEMPT_RT too, because there
 *
 * - reserving takes no lock, allocates nothing, and waits for nobody: it moves
 *   local counters, and where the tail enters the next page, that page's link is
 *   changed with a cmpxchg (rb_move_tail() in kernel/trace/ring_buffer.c). Locks
 *   are the readers' only (reader_lock and lock: raw and architecture's).
 * - what preempts a writer on its CPU, an interrupt, writes behind it: the one that
 *   began first commits last. One that comes in the same context is refused, which
 *   is counted (trace_recursive_lock()), so are those for which no page is left.
 * - committing wakes nobody: rb_wakeups() queues an irq_work only if somebody waits
 *   for data, and nobody ever waits for this buffer. Its preempt_enable_notrace()
 *   does not schedule while interrupts are off (preempt_schedule_notrace() asks).
 * - it stamps with trace_clock_local(), which is sched_clock(): no lock either. The
 *   stamp is not used, because intervals end by the recording's clock.
 *
 * Buffers are made for CPUs that are online, and for others as they come, before
 * any hook runs there (trace_rb_cpu_prepare()); they stay when a CPU goes.
 *
 * Readers use iterators: nothing is consumed, and writers go on. What a writer
 * overtakes is missed by the reader, and counted. The iterator copies an event before
 * it believes it (rb_iter_head_event()). When it ends, the links of the pages are
 * checked (rb_check_pages()); stable kernels before March 2023 change them meanwhile,
 * which can collide with a writer, as it can when ftrace's file trace is read there.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>

#include "compat/compat.h"
#include "record/events.h"
#include "lib/export.h"
#include "lib/readers.h"

/* What of a happening is in the trace. */
#define STORED_BYTES	offsetof(struct sp_trace_record, program)
/* What the kernel keeps of a page itself, and what it needs for each. */
#define PAGE_HEAD	16
#define PAGE_EXTRA	64
/* One that the writer overtakes is looked at again so often. */
#define TRIES		100

/**
 * sp_events_bytes() - memory that a trace will take
 * @kb: size for each CPU; 0 for none
 *
 * As the kernel rounds it: whole pages, at least two, and one for its reader.
 */
u64 sp_events_bytes(u32 kb)
{
	u64 pages = DIV_ROUND_UP_ULL((u64)kb * 1024, PAGE_SIZE - PAGE_HEAD);

	if (!kb)
		return 0;
	return num_possible_cpus() * (max_t(u64, pages, 2) + 1) *
	       (PAGE_SIZE + PAGE_EXTRA);
}
SP_EXPORT_FOR_KUNIT(sp_events_bytes);

/**
 * sp_events_init() - make an empty trace
 * @events: to be filled
 * @kb: size for each CPU; 0 for none
 *
 * Context: process, may sleep; takes the CPU hotplug lock.
 * Return: 0 or -ENOMEM.
 */
int sp_events_init(struct sp_events *events, u32 kb)
{
	events->ring = kb ? ring_buffer_alloc((unsigned long)kb * 1024,
					      RB_FL_OVERWRITE) : NULL;
	return kb && !events->ring ? -ENOMEM : 0;
}
SP_EXPORT_FOR_KUNIT(sp_events_init);

/**
 * sp_events_destroy() - give the memory back
 * @events: nobody uses it any more
 *
 * Context: process, may sleep; takes the CPU hotplug lock.
 */
void sp_events_destroy(struct sp_events *events)
{
	if (events->ring)
		ring_buffer_free(events->ring);
	events->ring = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_events_destroy);

/**
 * sp_events_add() - something happened
 * @events: with a ring
 * @record: copied, but for the program
 *
 * Context: any, also a hook.
 * Return: false if it is lost, for the caller to count.
 */
bool sp_events_add(struct sp_events *events, const struct sp_trace_record *record)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(events->ring, STORED_BYTES);
	if (!event)
		return false;
	memcpy(ring_buffer_event_data(event), record, STORED_BYTES);
	sp_ring_buffer_commit(events->ring, event);
	return true;
}
SP_EXPORT_FOR_KUNIT(sp_events_add);

/**
 * sp_events_overwritten() - how many were forgotten for newer ones
 * @events: with a ring or without
 */
u64 sp_events_overwritten(const struct sp_events *events)
{
	u64 sum = 0;
	int cpu;

	if (!events->ring)
		return 0;
	for_each_possible_cpu(cpu)
		sum += ring_buffer_overrun_cpu(events->ring, cpu);
	return sum;
}
SP_EXPORT_FOR_KUNIT(sp_events_overwritten);

/* A page that the writer enters just now tells nothing, but the next one will. */
static struct ring_buffer_event *next_of(struct ring_buffer_iter *iter)
{
	unsigned int tries;

	for (tries = 0; tries < TRIES; tries++) {
		struct ring_buffer_event *event = ring_buffer_iter_peek(iter, NULL);

		if (event || ring_buffer_iter_empty(iter))
			return event;
		cpu_relax();
	}
	return NULL;
}

/* As many as there were when the reader came: no writer can keep it here. */
static int visit_cpu(const struct sp_events *events, int cpu, u32 most,
		     void (*visit)(const struct sp_trace_record *record, void *data),
		     void *data, u64 *missing)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct sp_trace_record record = { };
	u32 count;

	iter = sp_ring_buffer_read_start(events->ring, cpu, GFP_KERNEL);
	if (!iter)
		return -ENOMEM;
	for (count = 0; count < most; count++) {
		event = next_of(iter);
		if (!event)
			break;
		memcpy(&record, ring_buffer_event_data(event), STORED_BYTES);
		visit(&record, data);
		ring_buffer_iter_advance(iter);
		sp_readers_yield();
	}
	ring_buffer_read_finish(iter);
	*missing += most - count;
	return 0;
}

/**
 * sp_events_extent() - how much there is now, of all CPUs at one moment
 * @events: with a ring
 * @all: set to the number of events
 * @missing: set to how many were forgotten
 *
 * Return: for sp_events_visit(), and kfree(); or NULL.
 */
u32 *sp_events_extent(const struct sp_events *events, u64 *all, u64 *missing)
{
	u32 *extent = kcalloc(nr_cpu_ids, sizeof(*extent), GFP_KERNEL_ACCOUNT);
	int cpu;

	*all = 0;
	*missing = 0;
	if (!extent)
		return NULL;
	for_each_possible_cpu(cpu) {
		/* Before what is there, or an event would be in neither. */
		*missing += ring_buffer_overrun_cpu(events->ring, cpu);
		extent[cpu] = ring_buffer_entries_cpu(events->ring, cpu);
		*all += extent[cpu];
	}
	return extent;
}
SP_EXPORT_FOR_KUNIT(sp_events_extent);

/**
 * sp_events_visit() - look at what there is, CPU by CPU, the oldest first
 * @events: with a ring
 * @extent: how many to look at
 * @visit: called for each; gets a copy
 * @data: for @visit
 * @missing: gains how many are not there any more
 *
 * Return: 0 or -ENOMEM.
 */
int sp_events_visit(const struct sp_events *events, const u32 *extent,
		    void (*visit)(const struct sp_trace_record *record, void *data),
		    void *data, u64 *missing)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu)
		if (!err && extent[cpu])
			err = visit_cpu(events, cpu, extent[cpu], visit, data, missing);
	return err;
}
