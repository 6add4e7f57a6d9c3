// SPDX-License-Identifier: GPL-2.0-only
/*
 * names: what the frames of a view are called. It is found out when a file is opened,
 * because symbols and mappings may change while somebody reads, but the file may not.
 *
 * Addresses are sorted, and what is there twice is dropped as often as the list has
 * doubled: it never takes more than a few times what is left of it.
 *
 * Process context; owned by one reader, so there is no lock but that of the mappings.
 */
#include <linux/bitmap.h>
#include <linux/bsearch.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "lib/export.h"
#include "report/names.h"
#include "lib/readers.h"
#include "lib/text.h"
#include "report/view.h"

static u32 count_of(const struct sp_names *names)
{
	return names->addresses.used / sizeof(u64);
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	sp_readers_yield();
	return x < y ? -1 : x > y;
}

/* Sorted, each once. */
static void tidy_names(struct sp_names *names)
{
	u64 *list = (u64 *)names->addresses.data;
	u32 i, n = 0, count = count_of(names);

	sort(list, count, sizeof(*list), by_value, NULL);
	for (i = 0; i < count; i++)
		if (!n || list[n - 1] != list[i])
			list[n++] = list[i];
	names->addresses.used = n * sizeof(*list);
}

/**
 * sp_names_add() - one more address that shall have a name
 * @names: all 0, or in use
 * @address: of a kernel frame
 *
 * Return: 0 or -ENOMEM.
 */
int sp_names_add(struct sp_names *names, u64 address)
{
	struct sp_blob *addresses = &names->addresses;

	if (addresses->room - addresses->used < sizeof(address)) {
		tidy_names(names);
		/* Else the next time would come too soon. */
		if (addresses->used > addresses->room / 2 &&
		    sp_blob_grow(addresses, addresses->room))
			return -ENOMEM;
	}
	return sp_blob_add(addresses, &address, sizeof(address));
}
SP_EXPORT_FOR_KUNIT(sp_names_add);

struct printing {
	void (*print)(struct seq_buf *s, const struct sp_view *view,
		      unsigned long address);
	const struct sp_view *view;
	unsigned long address;
};

static void print_one(struct seq_buf *s, void *data)
{
	const struct printing *printing = data;

	printing->print(s, printing->view, printing->address);
}

/**
 * sp_names_print() - name all addresses, once they are complete
 * @names: whose
 * @print: prints a name
 * @view: for @print
 *
 * Return: 0 or -ENOMEM.
 */
int sp_names_print(struct sp_names *names,
		   void (*print)(struct seq_buf *s, const struct sp_view *view,
				 unsigned long address),
		   const struct sp_view *view)
{
	struct printing printing = { .print = print, .view = view };
	u32 i, end, count;
	int err = 0;

	tidy_names(names);
	count = count_of(names);
	for (i = 0; i < count && !err; i++) {
		printing.address = ((const u64 *)names->addresses.data)[i];
		err = sp_blob_print(&names->text, print_one, &printing);
		end = names->text.used;
		if (!err)
			err = sp_blob_add(&names->ends, &end, sizeof(end));
		sp_readers_yield();
	}
	return err;
}
SP_EXPORT_FOR_KUNIT(sp_names_print);

/**
 * sp_names_number() - which of the addresses is it?
 * @names: complete
 * @address: one of them, or not
 *
 * Return: its number, counted from 1; 0 if it is not among them.
 */
u32 sp_names_number(const struct sp_names *names, u64 address)
{
	const u64 *list = (const u64 *)names->addresses.data, *found;

	found = bsearch(&address, list, count_of(names), sizeof(*list), by_value);
	return found ? found - list + 1 : 0;
}
SP_EXPORT_FOR_KUNIT(sp_names_number);

/**
 * sp_names_of() - the name of an address
 * @names: printed
 * @number: of it, as sp_names_number() says
 * @bytes: set to its length
 */
const char *sp_names_of(const struct sp_names *names, u32 number, u32 *bytes)
{
	const u32 *ends = (const u32 *)names->ends.data;
	u32 start = number > 1 ? ends[number - 2] : 0;

	*bytes = ends[number - 1] - start;
	return names->text.data + start;
}
SP_EXPORT_FOR_KUNIT(sp_names_of);

/* The first mapping of an program, or of a later one. */
static u32 first_of(const struct sp_names *names, u32 program)
{
	u32 low = 0, high = names->mapping_count;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (names->mappings[middle].program < program)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * sp_names_resolve() - find out what a program's address means
 * @names: taken
 * @program: number of the program; may be 0
 * @address: of code
 * @resolved: filled. Offsets in generated code and in the vdso are from the
 *	start of the mapping, since its address differs from run to run
 *
 * Where the program mapped one thing after another, the last one counts.
 *
 * Return: false if no mapping is known to hold the address.
 */
bool sp_names_resolve(const struct sp_names *names, u32 program, u64 address,
		      struct sp_resolved *resolved)
{
	const struct sp_mapped *mapping;
	u32 i;

	for (i = first_of(names, program); i < names->mapping_count; i++) {
		mapping = &names->mappings[i];
		if (mapping->program != program)
			return false;
		if (address < mapping->start || address >= mapping->end)
			continue;
		resolved->kind = mapping->kind;
		resolved->offset = address - mapping->start + mapping->offset;
		resolved->path = mapping->path;
		return mapping->kind != SP_MAPPING_LOST;
	}
	return false;
}
SP_EXPORT_FOR_KUNIT(sp_names_resolve);

/* What a report prints: bits by number, and where their addresses go. */
struct gathering {
	struct sp_view *view;
	struct sp_names *names;
	unsigned long *stacks;
	unsigned long *programs;
	int err;
};

static void add_stack(struct gathering *gathering, const struct sp_stack *stack)
{
	u32 number, i;

	if (!stack || gathering->err)
		return;
	number = sp_view_stack_number(gathering->view, stack);
	if (stack->flags & SP_STACK_USER ||
	    __test_and_set_bit(number, gathering->stacks))
		return;
	for (i = 0; i < stack->n && !gathering->err; i++)
		gathering->err = sp_names_add(gathering->names,
					      sp_frame_kernel(stack->frame[i]));
}

static void add_waker(struct gathering *gathering, const struct sp_stack *waker)
{
	u32 program;

	add_stack(gathering, waker);
	sp_view_waker_user(gathering->view, waker, &program);
	if (program)
		__set_bit(program, gathering->programs);
}

static void add_line(struct gathering *gathering, const struct sp_report_entry *line)
{
	if (!line->sum.count)
		return;
	if (line->user && line->who.program)
		__set_bit(line->who.program, gathering->programs);
	add_stack(gathering, line->kernel);
	add_waker(gathering, line->waker);
}

static void add_event(const struct sp_trace_record *record, void *data)
{
	struct gathering *gathering = data;
	const struct sp_stack_table *table = &gathering->view->recording->stacks;
	u32 program = sp_view_program(gathering->view, record);

	if (program)
		__set_bit(program, gathering->programs);
	add_stack(gathering, sp_stack_table_known(table, record->kernel));
	add_waker(gathering, sp_stack_table_known(table, record->waker));
}

/* Of the lines that are rows; a head is a row, too. */
static void add_lines(struct gathering *gathering)
{
	const struct sp_view *view = gathering->view;
	u32 i, count = view->order ? view->rows - 1 : view->count;

	for (i = 0; i < count && !gathering->err; i++) {
		add_line(gathering, &view->lines[view->order ? view->order[i] : i]);
		sp_readers_yield();
	}
}

/* In mode function all kernel addresses are those of functions; else NULL. */
static const struct sp_function *function_at(const struct sp_view *view, unsigned long address)
{
	const struct sp_functions *functions = view->recording->functions;

	return functions ? sp_function_at(functions->list, address) : NULL;
}

/**
 * sp_names_symbol() - a kernel frame for people, for sp_names_print()
 * @s: where to
 * @view: the view
 * @address: of the frame
 */
void sp_names_symbol(struct seq_buf *s, const struct sp_view *view, unsigned long address)
{
	const struct sp_function *function = function_at(view, address);

	if (!function) {
		sp_text_symbol(s, address);
		return;
	}
	sp_puts(s, function->name);
	if (function->module[0])
		seq_buf_printf(s, " [%s]", function->module);
}

static void print_function(struct seq_buf *s, const struct sp_view *view,
			   unsigned long address)
{
	const struct sp_function *function = function_at(view, address);

	if (function)
		seq_buf_printf(s, "%s_[k]", function->name);
	else
		sp_text_function(s, address);
}

static int gather_frames(struct gathering *gathering)
{
	struct sp_view *view = gathering->view;
	struct sp_recording *recording = view->recording;
	int err;

	gathering->stacks = sp_view_bits(recording->stacks.max + 1 + view->own_stacks);
	gathering->programs = sp_view_bits(recording->mappings.max_programs + 1);
	if (!gathering->stacks || !gathering->programs)
		return -ENOMEM;
	add_lines(gathering);
	err = gathering->err ?: sp_events_each(&view->events, add_event, gathering);
	return err ?: gathering->err ?:
	       sp_mappings_copy(&recording->mappings, gathering->programs,
				&gathering->names->mappings,
				&gathering->names->mapping_count);
}

/**
 * sp_names_take() - what the rows of a view are called, as it is now
 * @view: prepared
 * @frames: how
 *
 * Return: 0 or -ENOMEM.
 */
int sp_names_take(struct sp_view *view, enum sp_frames frames)
{
	struct gathering gathering = { .view = view };
	int err;

	if (frames == SP_FRAMES_NONE || !view->recording)
		return 0;
	view->names = kzalloc(sizeof(*view->names), GFP_KERNEL_ACCOUNT);
	if (!view->names)
		return -ENOMEM;
	gathering.names = view->names;
	err = gather_frames(&gathering);
	sp_readers_free(gathering.stacks);
	sp_readers_free(gathering.programs);
	return err ?: sp_names_print(view->names, frames == SP_FRAMES_SYMBOLS ?
				     sp_names_symbol : print_function, view);
}

/* Gives the memory of what they have back. */
void sp_names_free(struct sp_names *names)
{
	sp_blob_free(&names->addresses);
	sp_blob_free(&names->ends);
	sp_blob_free(&names->text);
	sp_readers_free(names->mappings);
}
SP_EXPORT_FOR_KUNIT(sp_names_free);
