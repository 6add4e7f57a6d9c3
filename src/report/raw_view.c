// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_view: gathers what the file raw has to tell beside its entries and events:
 * the stacks, tasks, programs and symbols that they refer to, each once.
 *
 * Tasks and stacks have numbers already, so that a bit for each is enough to find
 * those that are needed. All of it is copied, because mappings and names of functions
 * may change while somebody reads, but the file may not.
 *
 * Process context, when the file is opened; no lock but that of the mappings.
 */
#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/utsname.h>

#include "report/raw_view.h"
#include "lib/readers.h"
#include "report/report.h"

static int add_u32(struct sp_blob *list, u32 value)
{
	return sp_blob_add(list, &value, sizeof(value));
}

/**
 * sp_raw_address() - what a kernel address is called
 * @raw: what was gathered
 * @address: one that is in a stack, or of an instrumented function
 */
u64 sp_raw_address(const struct sp_raw *raw, u64 address)
{
	return raw->hidden ? sp_names_number(&raw->names, address) : address;
}

/* Bits of what is referred to, by number, and where it goes. */
struct gathering {
	struct sp_view *view;
	struct sp_raw *raw;
	unsigned long *tasks;
	unsigned long *stacks;
	unsigned long *programs;
	int err;			/* of events, which come one by one */
};

static int gather_stack(struct gathering *gathering, const struct sp_stack *stack)
{
	struct sp_raw *raw = gathering->raw;
	u32 number = sp_view_stack_number(gathering->view, stack);
	const struct sp_raw_numbered numbered = { stack, number };
	int err = 0;
	u32 i;

	if (!stack || __test_and_set_bit(number, gathering->stacks))
		return 0;
	if (!(stack->flags & SP_STACK_USER))
		for (i = 0; i < stack->n && !err; i++)
			err = sp_names_add(&raw->names,
					   sp_frame_kernel(stack->frame[i]));
	return err ?: sp_blob_add(&raw->stacks, &numbered, sizeof(numbered));
}

/* And where it is in its program. */
static int gather_waker(struct gathering *gathering, const struct sp_stack *waker)
{
	const struct sp_stack *user;
	u32 program;

	user = sp_view_waker_user(gathering->view, waker, &program);
	if (user && !test_bit(sp_view_stack_number(gathering->view, waker), gathering->stacks)) {
		const struct sp_raw_woke woke = { waker, user, program };
		int err = sp_blob_add(&gathering->raw->wakers, &woke, sizeof(woke));

		if (err)
			return err;
		if (program)
			__set_bit(program, gathering->programs);
	}
	return gather_stack(gathering, user) ?: gather_stack(gathering, waker);
}

static int gather_line(struct gathering *gathering, u32 number)
{
	const struct sp_report_entry *line = &gathering->view->lines[number];
	int err = add_u32(&gathering->raw->entries, number);

	if (!err && !__test_and_set_bit(line->task, gathering->tasks))
		err = add_u32(&gathering->raw->tasks, number);
	if (line->who.program)
		__set_bit(line->who.program, gathering->programs);
	return err ?: gather_stack(gathering, line->kernel) ?:
	       gather_stack(gathering, line->user) ?:
	       gather_waker(gathering, line->waker);
}

/* All that are in the trace, which is told in parts. */
static void gather_event(const struct sp_trace_record *record, void *data)
{
	struct gathering *gathering = data;
	const struct sp_stack_table *table = &gathering->view->recording->stacks;
	const u32 stacks[] = { record->kernel, record->user };
	u32 i, program = sp_view_program(gathering->view, record);

	if (program)
		__set_bit(program, gathering->programs);
	for (i = 0; i < ARRAY_SIZE(stacks) && !gathering->err; i++)
		gathering->err = gather_stack(gathering,
					      sp_stack_table_known(table, stacks[i]));
	if (!gathering->err)
		gathering->err = gather_waker(gathering,
					      sp_stack_table_known(table, record->waker));
}

static int gather_files(struct sp_view *view, struct sp_raw *raw)
{
	int err = 0;
	u32 i;

	for (i = 0; i < raw->mapping_count && !err; i++)
		err = add_u32(&raw->file_of, raw->mappings[i].file);
	return err ?: sp_mappings_files(&view->recording->mappings, raw->mappings,
					raw->mapping_count, &raw->files,
					&raw->file_count);
}

/* All whose paths are known, in order. */
static int gather_cgroups(const struct sp_view *view, struct sp_raw *raw)
{
	u32 number;
	int err = 0;

	for (number = 1; number <= SP_CGROUPS && !err; number++)
		if (sp_cgroups_at(&view->recording->cgroups, number))
			err = add_u32(&raw->cgroups, number);
	return err;
}

static int gather_referred(struct gathering *gathering)
{
	struct sp_view *view = gathering->view;
	struct sp_raw *raw = gathering->raw;
	struct sp_recording *recording = view->recording;
	int err = 0;
	u32 i;

	gathering->tasks = sp_view_bits(recording->threads.pool.max + SP_THREAD_FIRST +
					view->strangers);
	gathering->stacks = sp_view_bits(recording->stacks.max + 1 + view->own_stacks);
	gathering->programs = sp_view_bits(recording->mappings.max_programs + 1);
	if (!gathering->tasks || !gathering->stacks || !gathering->programs)
		return -ENOMEM;
	for (i = 0; i < view->count && !err; i++) {
		if (view->lines[i].sum.count)
			err = gather_line(gathering, i);
		sp_readers_yield();
	}
	err = err ?: sp_events_each(&view->events, gather_event, gathering) ?:
	      gathering->err;
	return err ?: sp_mappings_copy(&recording->mappings, gathering->programs,
				       &raw->mappings, &raw->mapping_count) ?:
	       gather_files(view, raw) ?: gather_cgroups(view, raw);
}

/* Addresses of functions too, which may not have been called yet. */
static int gather_functions(const struct sp_view *view, struct sp_raw *raw)
{
	const struct sp_functions *functions = view->recording->functions;
	enum sp_clock_id clock_id = view->recording->config.clock;
	struct sp_raw_called called;
	int err = 0;
	u32 i;

	for (i = 0; functions && i < functions->list->count && !err; i++) {
		called.function = &functions->list->function[i];
		sp_functions_distort(functions, i, clock_id, &called.use);
		called.throttled = test_bit(i, functions->throttled);
		err = sp_names_add(&raw->names, called.function->address) ?:
		      sp_blob_add(&raw->functions, &called, sizeof(called));
	}
	return err;
}

/*
 * As /proc/kallsyms decides for whoever opens it; of what may not be asked for, %pK
 * prints zeros. Not where the kernel shall keep its secrets from root.
 */
static bool addresses_are_hidden(void)
{
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", sp_raw_gather);
	return !text[strspn(text, "0")] || !capable(CAP_SYSLOG) ||
	       security_locked_down(LOCKDOWN_KPROBES);
}

static const char *state_of(const struct sp_view *view)
{
	if (!view->recording)
		return "none";
	return view->over ? "ended" : "live";
}

/* Each line of a text, with a word before it. */
static void print_lines(struct seq_buf *s, const char *before,
			const struct sp_blob *text)
{
	size_t at, next;

	for (at = 0; at < text->used; at = next) {
		const char *end = memchr(text->data + at, '\n', text->used - at);

		next = end ? end + 1 - text->data : text->used;
		seq_buf_printf(s, "%s.", before);
		sp_put(s, text->data + at, next - at);
	}
}

struct telling {
	struct sp_view *view;
	const struct sp_raw *raw;
	struct sp_blob stats;
};

static void print_stats(struct seq_buf *s, void *data)
{
	struct telling *telling = data;

	sp_report_stats(s, telling->view, 0);
}

static void print_meta(struct seq_buf *s, void *data)
{
	const struct telling *telling = data;
	const struct sp_view *view = telling->view;
	const struct sp_recording *recording = view->recording;
	enum sp_clock_id clock_id = recording ? recording->config.clock : SP_CLOCK_MONO;

	seq_buf_printf(s, "version %s\n", THIS_MODULE->version);
	seq_buf_printf(s, "kernel %s\nhostname %s\n", init_uts_ns.name.release,
		       init_uts_ns.name.nodename);
	seq_buf_printf(s, "session %s\n", view->session);
	seq_buf_printf(s, "mode %s\n", recording ? recording->mode->name : "");
	seq_buf_printf(s, "hook %s\n", view->backend);
	seq_buf_printf(s, "clock %s\nunit %s\n", sp_clock_id_names[clock_id],
		       sp_clock_id_unit(clock_id));
	seq_buf_printf(s, "addresses %s\n", telling->raw->hidden ? "hidden" : "shown");
	seq_buf_printf(s, "state %s\n", state_of(view));
	seq_buf_printf(s, "taken_at_ns %llu\ntaken_at_boot_ns %llu\ntaken_at_realtime_ns %llu\n",
		       view->taken.kernel[SP_CLOCK_MONO], view->taken.kernel[SP_CLOCK_BOOT],
		       view->taken_realtime_ns);
	seq_buf_printf(s, "begin_ns %llu\nduration_ns %llu\n",
		       recording ? recording->begin.kernel[clock_id] : 0,
		       view->totals.enabled_ns);
	print_lines(s, "config", &view->config);
	print_lines(s, "stats", &telling->stats);
}

static void print_schema(struct seq_buf *s, void *data)
{
	sp_raw_schema(s);
}

static int gather_text(struct sp_view *view, struct sp_raw *raw)
{
	struct telling telling = { .view = view, .raw = raw };
	int err = sp_blob_print(&telling.stats, print_stats, &telling);

	if (!err)
		err = sp_blob_print(&raw->meta, print_meta, &telling);
	if (!err)
		err = sp_blob_print(&raw->schema, print_schema, NULL);
	sp_blob_free(&telling.stats);
	return err;
}

static void find_rows(const struct sp_view *view, struct sp_raw *raw)
{
	const u64 *count = view->totals.histogram.count;
	u32 i;

	for (i = SP_HISTOGRAM_ROWS; i--; ) {
		if (!count[i])
			continue;
		raw->first_thread = i;
		if (!raw->last_row)
			raw->last_row = i + 1;
	}
}

static int gather_recorded(struct sp_view *view, struct sp_raw *raw)
{
	struct gathering gathering = { .view = view, .raw = raw };
	int err = gather_referred(&gathering);

	sp_readers_free(gathering.tasks);
	sp_readers_free(gathering.stacks);
	sp_readers_free(gathering.programs);
	find_rows(view, raw);
	return err ?: gather_functions(view, raw) ?:
	       sp_names_print(&raw->names, sp_names_symbol, view);
}

/**
 * sp_raw_gather() - what a view's entries and events refer to
 * @view: a fresh view of everything
 *
 * Context: process, may sleep, on behalf of whoever opens the file.
 * Return: it, for sp_raw_free(), or NULL if there is not enough memory.
 */
struct sp_raw *sp_raw_gather(struct sp_view *view)
{
	struct sp_raw *raw = kzalloc(sizeof(*raw), GFP_KERNEL_ACCOUNT);
	int err = 0;

	if (!raw)
		return NULL;
	raw->hidden = addresses_are_hidden();
	if (view->recording)
		err = gather_recorded(view, raw);
	if (!err)
		err = gather_text(view, raw);
	if (!err)
		return raw;
	sp_raw_free(raw);
	return NULL;
}

/**
 * sp_raw_free() - give the memory back
 * @raw: may be NULL
 */
void sp_raw_free(struct sp_raw *raw)
{
	if (!raw)
		return;
	sp_blob_free(&raw->meta);
	sp_blob_free(&raw->schema);
	sp_names_free(&raw->names);
	sp_blob_free(&raw->functions);
	sp_readers_free(raw->mappings);
	sp_blob_free(&raw->file_of);
	sp_readers_free(raw->files);
	sp_blob_free(&raw->stacks);
	sp_blob_free(&raw->wakers);
	sp_blob_free(&raw->cgroups);
	sp_blob_free(&raw->tasks);
	sp_blob_free(&raw->entries);
	kfree(raw);
}
