// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_view: gathers what the file raw has to tell beside its entries and events:
 * the stacks, tasks, programs and symbols that they refer to, each once.
 *
 * Tasks and stacks have numbers already, so that a bit for each is enough to find
 * those that are needed. Addresses are sorted, and what is there twice is dropped
 * as often as the list has doubled: it never takes more than a few times what is
 * left of it. All of it is copied, because mappings and names of functions may
 * change while somebody reads, but the file may not.
 *
 * Process context, when the file is opened; no lock but that of the images.
 */
#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/utsname.h>

#include "memory.h"
#include "raw_view.h"
#include "report.h"
#include "text.h"

static int add_u32(struct sp_blob *list, u32 value)
{
	return sp_blob_add(list, &value, sizeof(value));
}

static unsigned long *make_bits(u32 count)
{
	return sp_alloc(BITS_TO_LONGS((size_t)count) * sizeof(long));
}

/**
 * sp_raw_number() - what a stack is called
 * @view: the view
 * @stack: one of its; may be NULL
 *
 * Context: any.
 * Return: its number; 0: there is none.
 */
u32 sp_raw_number(const struct sp_view *view, const struct sp_stack *stack)
{
	const struct sp_stack_table *table = &view->recording->stacks;

	if (!stack)
		return 0;
	return sp_stack_table_number(table, stack) ?: table->max + 1 + stack->hash;
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Sorted, each once. */
static void tidy(struct sp_blob *addresses)
{
	u64 *list = (u64 *)addresses->data;
	u32 i, n = 0, count = sp_raw_count(addresses, u64);

	sort(list, count, sizeof(*list), by_value, NULL);
	for (i = 0; i < count; i++)
		if (!n || list[n - 1] != list[i])
			list[n++] = list[i];
	addresses->used = n * sizeof(*list);
	cond_resched();
}

static int add_address(struct sp_blob *addresses, u64 address)
{
	if (addresses->room - addresses->used < sizeof(address)) {
		tidy(addresses);
		/* Else the next time would come too soon. */
		if (addresses->used > addresses->room / 2 &&
		    sp_blob_grow(addresses, addresses->room))
			return -ENOMEM;
	}
	return sp_blob_add(addresses, &address, sizeof(address));
}

/**
 * sp_raw_address() - what a kernel address is called
 * @raw: what was gathered
 * @address: one that is in a stack, or of an instrumented function
 *
 * Context: any.
 */
u64 sp_raw_address(const struct sp_raw *raw, u64 address)
{
	const u64 *list = (const u64 *)raw->addresses.data;
	u32 low = 0, high = sp_raw_count(&raw->addresses, u64);

	if (!raw->hidden)
		return address;
	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (list[middle] <= address)
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

/* Bits of what is referred to, by number. */
struct marks {
	unsigned long *tasks;
	unsigned long *stacks;
	unsigned long *images;
};

static void free_marks(struct marks *marks)
{
	vfree(marks->tasks);
	vfree(marks->stacks);
	vfree(marks->images);
}

static int make_marks(const struct sp_view *view, struct marks *marks)
{
	const struct sp_recording *recording = view->recording;

	marks->tasks = make_bits(recording->roster.max + SP_ROW_FIRST + view->strangers);
	marks->stacks = make_bits(recording->stacks.max + 1 + view->walks);
	marks->images = make_bits(recording->images.max_images + 1);
	return marks->tasks && marks->stacks && marks->images ? 0 : -ENOMEM;
}

static int gather_stack(const struct sp_view *view, struct sp_raw *raw,
			struct marks *marks, const struct sp_stack *stack)
{
	u32 number = sp_raw_number(view, stack);
	const struct sp_raw_numbered numbered = { stack, number };
	int err = 0;
	u32 i;

	if (!stack || __test_and_set_bit(number, marks->stacks))
		return 0;
	if (!(stack->flags & SP_STACK_USER))
		for (i = 0; i < stack->n && !err; i++)
			err = add_address(&raw->addresses,
					  sp_frame_kernel(stack->frame[i]));
	return err ?: sp_blob_add(&raw->stacks, &numbered, sizeof(numbered));
}

static int gather_line(const struct sp_view *view, struct sp_raw *raw,
		       struct marks *marks, u32 number)
{
	const struct sp_line *line = &view->lines[number];
	int err = add_u32(&raw->entries, number);

	if (!err && !__test_and_set_bit(line->task, marks->tasks))
		err = add_u32(&raw->tasks, number);
	if (line->who.image)
		__set_bit(line->who.image, marks->images);
	return err ?: gather_stack(view, raw, marks, line->kernel) ?:
	       gather_stack(view, raw, marks, line->user) ?:
	       gather_stack(view, raw, marks, line->waker);
}

static int gather_event(const struct sp_view *view, struct sp_raw *raw,
			struct marks *marks, const struct sp_happening *what)
{
	const struct sp_stack_table *table = &view->recording->stacks;

	if (what->image)
		__set_bit(what->image, marks->images);
	return gather_stack(view, raw, marks, sp_stack_table_known(table, what->kernel)) ?:
	       gather_stack(view, raw, marks, sp_stack_table_known(table, what->user)) ?:
	       gather_stack(view, raw, marks, sp_stack_table_known(table, what->waker));
}

static int gather_referred(struct sp_view *view, struct sp_raw *raw,
			   struct marks *marks)
{
	int err = 0;
	u32 i;

	for (i = 0; i < view->count && !err; i++) {
		if (view->lines[i].sum.count)
			err = gather_line(view, raw, marks, i);
		if (!(i % 1024))
			cond_resched();
	}
	for (i = 0; i < view->events.count && !err; i++) {
		err = gather_event(view, raw, marks, &view->events.list[i]);
		if (!(i % 1024))
			cond_resched();
	}
	return err ?: sp_images_copy(&view->recording->images, marks->images,
				     &raw->mappings, &raw->mapping_count);
}

/* Addresses of functions too, which may not have been called yet. */
static int gather_functions(const struct sp_view *view, struct sp_raw *raw)
{
	const struct sp_functions *functions = view->recording->functions;
	enum sp_source source = view->recording->settings.source;
	struct sp_raw_called called;
	int err = 0;
	u32 i;

	for (i = 0; functions && i < functions->list->count && !err; i++) {
		called.function = &functions->list->function[i];
		sp_functions_distort(functions, i, source, &called.use);
		called.throttled = test_bit(i, functions->throttled);
		err = add_address(&raw->addresses, called.function->address) ?:
		      sp_blob_add(&raw->functions, &called, sizeof(called));
	}
	return err;
}

struct symbol {
	const struct sp_view *view;
	unsigned long address;
};

/* In mode function all kernel addresses are those of functions. */
static void print_symbol(struct seq_buf *s, void *data)
{
	const struct symbol *symbol = data;

	if (symbol->view->recording->functions)
		sp_report_function(s, symbol->view, symbol->address);
	else
		sp_text_symbol(s, symbol->address);
}

static int gather_symbols(const struct sp_view *view, struct sp_raw *raw)
{
	const u64 *list;
	u32 i, count;
	int err = 0;

	if (!raw->addresses.used)
		return 0;
	tidy(&raw->addresses);
	list = (const u64 *)raw->addresses.data;
	count = sp_raw_count(&raw->addresses, u64);
	for (i = 0; i < count && !err; i++) {
		struct symbol symbol = { view, list[i] };

		err = sp_blob_print(&raw->names, print_symbol, &symbol);
		if (!err)
			err = add_u32(&raw->symbols, raw->names.used);
		cond_resched();
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
	enum sp_source source = recording ? recording->settings.source : SP_SOURCE_MONO;

	seq_buf_printf(s, "version %s\n", THIS_MODULE->version);
	seq_buf_printf(s, "kernel %s\nhostname %s\n", init_uts_ns.name.release,
		       init_uts_ns.name.nodename);
	seq_buf_printf(s, "session %s\n", view->session);
	seq_buf_printf(s, "mode %s\n", recording ? recording->settings.mode->name : "");
	seq_buf_printf(s, "hook %s\n", view->backend);
	seq_buf_printf(s, "clock %s\nunit %s\n", sp_source_names[source],
		       sp_source_unit(source));
	seq_buf_printf(s, "addresses %s\n", telling->raw->hidden ? "hidden" : "shown");
	seq_buf_printf(s, "state %s\n", state_of(view));
	seq_buf_printf(s, "taken_at_ns %llu\ntaken_at_boot_ns %llu\ntaken_at_realtime_ns %llu\n",
		       view->taken.at[SP_SOURCE_MONO], view->taken.at[SP_SOURCE_BOOT],
		       view->taken_realtime_ns);
	seq_buf_printf(s, "begin_ns %llu\nduration_ns %llu\n",
		       recording ? sp_recording_begin(recording) : 0,
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
	vfree(telling.stats.data);
	return err;
}

static void find_rows(const struct sp_view *view, struct sp_raw *raw)
{
	const u64 *count = view->totals.histogram.count;
	u32 i;

	for (i = SP_HISTOGRAM_ROWS; i--; ) {
		if (!count[i])
			continue;
		raw->first_row = i;
		if (!raw->last_row)
			raw->last_row = i + 1;
	}
}

static int gather_recorded(struct sp_view *view, struct sp_raw *raw)
{
	struct marks marks = { };
	int err = make_marks(view, &marks);

	if (!err)
		err = gather_referred(view, raw, &marks);
	free_marks(&marks);
	find_rows(view, raw);
	return err ?: gather_functions(view, raw) ?: gather_symbols(view, raw);
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
	struct sp_raw *raw = kzalloc(sizeof(*raw), GFP_KERNEL);
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
 *
 * Context: process, may sleep.
 */
void sp_raw_free(struct sp_raw *raw)
{
	if (!raw)
		return;
	vfree(raw->meta.data);
	vfree(raw->schema.data);
	vfree(raw->addresses.data);
	vfree(raw->symbols.data);
	vfree(raw->functions.data);
	vfree(raw->names.data);
	vfree(raw->mappings);
	vfree(raw->stacks.data);
	vfree(raw->tasks.data);
	vfree(raw->entries.data);
	kfree(raw);
}
