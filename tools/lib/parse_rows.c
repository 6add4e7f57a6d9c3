// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * parse_rows: one function for each kind of record that becomes an element of an
 * array. The arrays are large enough, because the records were counted. A parser is
 * used by one thread.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "error.h"
#include "hex.h"
#include "parse_rows.h"
#include "raw_format.h"
#include "record.h"
#include "recording.h"
#include "schedprof.h"

/* The format and the interface have the same bits for these flags. */
_Static_assert((int)SCHEDPROF_STACK_CALLS == SP_RAW_STACK_CALLS, "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_WAKER == SP_RAW_STACK_WAKER, "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_IRQS_OFF == SP_RAW_STACK_IRQS_OFF,
	       "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_IDLE == SP_RAW_STACK_IDLE, "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_ON_CPU == SP_RAW_STACK_ON_CPU, "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_QUEUED == SP_RAW_STACK_QUEUED, "flags of stacks");
_Static_assert((int)SCHEDPROF_STACK_END == SP_RAW_STACK_END, "ends of stacks");
_Static_assert(SCHEDPROF_STACK_GUESSED >> SP_RAW_STACK_END_SHIFT == (int)SP_RAW_STACK_END_GUESSED,
	       "ends of stacks");
_Static_assert((int)SCHEDPROF_TASK_LOST == SP_RAW_TASK_LOST, "flags of tasks");
_Static_assert((int)SCHEDPROF_ENTRY_LOST_STACK == SP_RAW_ENTRY_LOST_STACK,
	       "flags of entries");
_Static_assert((int)SCHEDPROF_FUNCTION_THROTTLED == SP_RAW_FUNCTION_THROTTLED,
	       "flags of functions");
_Static_assert((int)SCHEDPROF_EVENT_LOST_STACK == SP_RAW_EVENT_LOST_STACK,
	       "flags of events");
_Static_assert((int)SCHEDPROF_MAPPING_LOST == SP_RAW_MAPPING_LOST,
	       "kinds of mappings");

#define U32(type, member) libsp_u32(record, offsetof(struct sp_raw_##type, member))
#define S32(type, member) ((int32_t)U32(type, member))
#define U64(type, member) libsp_u64(record, offsetof(struct sp_raw_##type, member))
/* Of a member that a record of an older module does not have; then 0. */
#define U32_IF(type, member)						\
	(record->bytes < offsetof(struct sp_raw_##type, member) + 4 ? 0 :	\
	 U32(type, member))
#define BODY(type, member) (record->body + offsetof(struct sp_raw_##type, member))
#define sizeof_build_id sizeof(((struct sp_raw_file *)0)->build_id)
/* What follows the struct in a record. */
#define REST(type) (record->body + sizeof(struct sp_raw_##type))
#define REST_BYTES(type) (record->bytes - sizeof(struct sp_raw_##type))

static bool numbers_init(struct libsp_numbers *numbers, size_t count)
{
	size_t places = 2;

	while (places < count * 2)
		places *= 2;
	numbers->table = calloc(places, sizeof(*numbers->table));
	numbers->mask = places - 1;
	/* Without such a number a hostile file may take long, and others do not. */
	if (getentropy(&numbers->factor, sizeof(numbers->factor)))
		numbers->factor = 0x9e3779b97f4a7c15ULL;
	numbers->factor |= 1;
	return numbers->table;
}

int libsp_parser_init(struct libsp_parser *parser, const size_t counts[LIBSP_KINDS],
		      struct schedprof_error *error)
{
	if (numbers_init(&parser->tasks, counts[SP_RAW_TASK]) &&
	    numbers_init(&parser->stacks, counts[SP_RAW_STACK]) &&
	    numbers_init(&parser->files, counts[SP_RAW_FILE]) &&
	    numbers_init(&parser->cgroups, counts[SP_RAW_CGROUP]))
		return 0;
	return libsp_no_memory(error);
}

void libsp_parser_free(struct libsp_parser *parser)
{
	free(parser->tasks.table);
	free(parser->stacks.table);
	free(parser->files.table);
	free(parser->cgroups.table);
}

/* The place of a number, or the free place for it; half of the table is free. */
static struct libsp_number *place_of(const struct libsp_numbers *numbers, uint32_t number)
{
	size_t i = number * numbers->factor >> 32;

	for (;; i++) {
		struct libsp_number *place = &numbers->table[i & numbers->mask];

		if (!place->number || place->number == number)
			return place;
	}
}

static int add_number(const struct libsp_record *record, struct libsp_numbers *numbers,
		      uint32_t number, size_t index, struct schedprof_error *error)
{
	struct libsp_number *place;

	if (!number)
		return libsp_record_damaged(record, "its number is 0", error);
	place = place_of(numbers, number);
	if (place->number)
		return libsp_record_damaged(record, "another one has its number", error);
	place->number = number;
	place->index = (uint32_t)index;
	return 0;
}

/* The next element of the array at @offset of the recording. */
static void *next_of(struct libsp_parser *parser, size_t offset, size_t size)
{
	struct libsp_list *list = (void *)((char *)parser->recording + offset);

	return (char *)list->at + list->count++ * size;
}

#define NEXT(which, type)						\
	((struct schedprof_##type *)next_of(parser,			\
		offsetof(struct schedprof_recording, which),		\
		sizeof(struct schedprof_##type)))

/* Copies a name or a path, which ends with the record. */
static int get_text(struct libsp_parser *parser, const struct libsp_record *record,
		    const unsigned char *text, size_t length, const char **to,
		    struct schedprof_error *error)
{
	if (length > LIBSP_MAX_TEXT)
		return libsp_record_damaged(record,
					    "its text is longer than a name or a path can be",
					    error);
	if (memchr(text, '\0', length))
		return libsp_record_damaged(record, "its text has a NUL", error);
	*to = libsp_arena_text(&parser->recording->arena, text, length);
	return *to ? 0 : libsp_no_memory(error);
}

/* Copies a name from a field of fixed size. */
static int get_name(struct libsp_parser *parser, const struct libsp_record *record,
		    const unsigned char *name, const char **to,
		    struct schedprof_error *error)
{
	size_t length = strnlen((const char *)name, 16);

	if (length == 16)
		return libsp_record_damaged(record, "a name in it does not end", error);
	*to = libsp_arena_text(&parser->recording->arena, name, length);
	return *to ? 0 : libsp_no_memory(error);
}

static int get_stack(struct libsp_parser *parser, const struct libsp_record *record,
		     uint32_t number, const struct schedprof_stack **to,
		     struct schedprof_error *error)
{
	const struct schedprof_stack *stacks = parser->recording->stacks.at;
	const struct libsp_number *place;

	if (!number)
		return 0;
	place = place_of(&parser->stacks, number);
	if (!place->number)
		return libsp_record_damaged(record,
					    "it has a stack that did not come before it", error);
	*to = &stacks[place->index];
	return 0;
}

/* Cuts "function+0xoff/0xsize [module]" up; any other text is the function. */
static int cut_symbol(struct libsp_parser *parser, struct schedprof_symbol *symbol,
		      struct schedprof_error *error)
{
	struct libsp_arena *arena = &parser->recording->arena;
	const char *plus = strstr(symbol->text, "+0x");
	const char *bracket;
	char *end;

	if (symbol->text[0] == '[')
		return 0;
	symbol->function = symbol->text;
	if (!plus)
		return 0;
	symbol->function = libsp_arena_text(arena, symbol->text,
					    (size_t)(plus - symbol->text));
	if (!symbol->function)
		return libsp_no_memory(error);
	symbol->offset = strtoull(plus + 1, &end, 16);
	if (*end == '/')
		symbol->size = strtoull(end + 1, &end, 16);
	bracket = strchr(end, '[');
	if (bracket) {
		/* A build id may follow the name. */
		symbol->module = libsp_arena_text(arena, bracket + 1,
						  strcspn(bracket + 1, " ]"));
		if (!symbol->module)
			return libsp_no_memory(error);
	}
	return 0;
}

static int symbol_row(struct libsp_parser *parser, const struct libsp_record *record,
		      struct schedprof_error *error)
{
	struct schedprof_symbol *symbol = NEXT(symbols, symbol);

	symbol->address = U64(symbol, address);
	return get_text(parser, record, REST(symbol), REST_BYTES(symbol),
			&symbol->text, error) ?:
	       cut_symbol(parser, symbol, error);
}

static int mapping_row(struct libsp_parser *parser, const struct libsp_record *record,
		       struct schedprof_error *error)
{
	struct schedprof_mapping *mapping = NEXT(mappings, mapping);

	mapping->start = U64(mapping, start);
	mapping->end = U64(mapping, end);
	mapping->offset = U64(mapping, offset);
	mapping->image = U32(mapping, image);
	mapping->kind = U32(mapping, kind);
	if (mapping->end < mapping->start)
		return libsp_record_damaged(record, "it ends before it starts", error);
	if (!mapping->image)
		return libsp_record_damaged(record, "it is of no program", error);
	return get_text(parser, record, REST(mapping), REST_BYTES(mapping),
			&mapping->path, error);
}

/* Makes a text of the build-id; NULL if there is none. */
static int get_build_id(struct libsp_parser *parser, const struct libsp_record *record,
			const char **to, struct schedprof_error *error)
{
	uint32_t bytes = U32(file, build_id_bytes);
	char *text;

	if (bytes > sizeof_build_id)
		return libsp_record_damaged(record, "its build-id is too long", error);
	if (!bytes)
		return 0;
	text = libsp_arena_get(&parser->recording->arena, 2 * bytes + 1);
	if (!text)
		return libsp_no_memory(error);
	libsp_hex(text, BODY(file, build_id), bytes);
	*to = text;
	return 0;
}

static int file_row(struct libsp_parser *parser, const struct libsp_record *record,
		    struct schedprof_error *error)
{
	size_t index = parser->recording->files.count;
	struct schedprof_file *file = NEXT(files, file);

	file->inode = U64(file, inode);
	file->mtime_ns = (int64_t)U64(file, mtime_ns);
	file->device_major = U32(file, device_major);
	file->device_minor = U32(file, device_minor);
	file->generation = U32(file, generation);
	return get_build_id(parser, record, &file->build_id, error) ?:
	       add_number(record, &parser->files, U32(file, number), index, error);
}

/* The record makes no element, but says the files of mappings that are there. */
static int files_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	const struct schedprof_file *files = parser->recording->files.at;
	struct schedprof_mapping *mappings = parser->recording->mappings.at;
	uint64_t i, first = U32(files, first), count = U32(files, count);
	const struct libsp_number *place;
	uint32_t number;

	if (REST_BYTES(files) != count * sizeof(uint32_t))
		return libsp_record_damaged(record,
					    "it has more or fewer files than it says", error);
	if (first + count > parser->recording->mappings.count)
		return libsp_record_damaged(record,
					    "it is about a mapping that did not come before it",
					    error);
	for (i = 0; i < count; i++) {
		number = libsp_u32(record, sizeof(struct sp_raw_files) + i * 4);
		if (!number)
			continue;
		place = place_of(&parser->files, number);
		if (!place->number)
			return libsp_record_damaged(record,
						    "it has a file that did not come before it",
						    error);
		mappings[first + i].file = &files[place->index];
	}
	return 0;
}

static int stack_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	size_t i, index = parser->recording->stacks.count;
	struct schedprof_stack *stack = NEXT(stacks, stack);
	uint64_t *frames;

	stack->number = U32(stack, number);
	stack->flags = U32(stack, flags);
	stack->frame_count = U32(stack, frames);
	stack->guessed = U32(stack, guessed);
	/* Whatever is printed of an entry may be as long as its stack. */
	if (stack->frame_count > LIBSP_MAX_FRAMES)
		return libsp_record_damaged(record, "it has more frames than a stack can have",
					    error);
	if (REST_BYTES(stack) != (uint64_t)stack->frame_count * sizeof(uint64_t))
		return libsp_record_damaged(record,
					    "it has more or fewer frames than it says", error);
	frames = libsp_arena_get(&parser->recording->arena, REST_BYTES(stack));
	if (!frames)
		return libsp_no_memory(error);
	for (i = 0; i < stack->frame_count; i++)
		frames[i] = libsp_u64(record, sizeof(struct sp_raw_stack) + i * 8);
	stack->frames = frames;
	return get_name(parser, record, BODY(stack, waker), &stack->waker, error) ?:
	       add_number(record, &parser->stacks, stack->number, index, error);
}

/* The process becomes a task of its own, beside those that have entries. */
static int waker_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	struct schedprof_task *task = NEXT(wakers, task);
	struct schedprof_stack *stacks = parser->recording->stacks.at, *stack;
	const struct libsp_number *place = place_of(&parser->stacks, U32(waker, stack));

	if (!U32(waker, stack) || !place->number ||
	    !(stacks[place->index].flags & SCHEDPROF_STACK_WAKER))
		return libsp_record_damaged(record,
					    "its stack is not one of a waker that came before it",
					    error);
	stack = &stacks[place->index];
	place = place_of(&parser->stacks, U32(waker, user));
	if (!U32(waker, user) || !place->number ||
	    (stacks[place->index].flags & (SCHEDPROF_STACK_USER | SCHEDPROF_STACK_WAKER)) !=
	    SCHEDPROF_STACK_USER)
		return libsp_record_damaged(record,
					    "it has no user stack that came before it", error);
	task->tid = S32(waker, tgid);
	task->tgid = task->tid;
	task->start_ns = U64(waker, start_ns);
	task->leader_start_ns = task->start_ns;
	task->image = U32(waker, image);
	task->exec_id = U32(waker, exec_id);
	task->comm = stack->waker;
	task->leader_comm = stack->waker;
	stack->user = &stacks[place->index];
	stack->program = task;
	return 0;
}

/* A string of an array: the element is the path. */
static int cgroup_row(struct libsp_parser *parser, const struct libsp_record *record,
		      struct schedprof_error *error)
{
	size_t index = parser->recording->cgroups.count++;
	const char **path = (const char **)parser->recording->cgroups.at + index;

	return get_text(parser, record, REST(cgroup), REST_BYTES(cgroup), path, error) ?:
	       add_number(record, &parser->cgroups, U32(cgroup, number), index, error);
}

static int get_cgroup(struct libsp_parser *parser, const struct libsp_record *record,
		      uint32_t number, const char **to, struct schedprof_error *error)
{
	const char **paths = parser->recording->cgroups.at;
	const struct libsp_number *place;

	if (!number)
		return 0;
	place = place_of(&parser->cgroups, number);
	if (!place->number)
		return libsp_record_damaged(record,
					    "it has a control group that did not come before it",
					    error);
	*to = paths[place->index];
	return 0;
}

static int task_row(struct libsp_parser *parser, const struct libsp_record *record,
		    struct schedprof_error *error)
{
	size_t index = parser->recording->tasks.count;
	struct schedprof_task *task = NEXT(tasks, task);

	task->number = U32(task, number);
	task->tid = S32(task, tid);
	task->tgid = S32(task, tgid);
	task->flags = U32(task, flags);
	task->start_ns = U64(task, start_ns);
	task->leader_start_ns = U64(task, leader_start_ns);
	task->image = U32(task, image);
	task->exec_id = U32(task, exec_id);
	return get_name(parser, record, BODY(task, comm), &task->comm, error) ?:
	       get_name(parser, record, BODY(task, leader_comm), &task->leader_comm,
			error) ?:
	       get_cgroup(parser, record, U32_IF(task, cgroup), &task->cgroup, error) ?:
	       add_number(record, &parser->tasks, task->number, index, error);
}

static int entry_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	const struct schedprof_task *tasks = parser->recording->tasks.at;
	struct schedprof_entry *entry = NEXT(entries, entry);
	uint32_t number = U32(entry, task);
	const struct libsp_number *place = place_of(&parser->tasks, number);

	if (!number || !place->number)
		return libsp_record_damaged(record,
					    "it has a task that did not come before it", error);
	entry->task = &tasks[place->index];
	entry->total = U64(entry, total);
	entry->count = U64(entry, count);
	entry->max = U64(entry, max);
	entry->max_at = U64(entry, max_at);
	entry->max_cpu = U32(entry, max_cpu);
	entry->flags = U32(entry, flags);
	entry->inclusive = U64(entry, inclusive);
	return get_stack(parser, record, U32(entry, kernel), &entry->kernel, error) ?:
	       get_stack(parser, record, U32(entry, user), &entry->user, error) ?:
	       get_stack(parser, record, U32(entry, waker), &entry->waker, error);
}

static int ledger_row(struct libsp_parser *parser, const struct libsp_record *record,
		      struct schedprof_error *error)
{
	struct schedprof_ledger *ledger = NEXT(ledgers, ledger);

	ledger->tid = S32(ledger, tid);
	ledger->tgid = S32(ledger, tgid);
	ledger->start_ns = U64(ledger, start_ns);
	ledger->oncpu = U64(ledger, oncpu);
	ledger->runqueue = U64(ledger, runqueue);
	ledger->sleep = U64(ledger, sleep);
	ledger->disk = U64(ledger, disk);
	ledger->switches_vol = U32(ledger, switches_vol);
	ledger->switches_invol = U32(ledger, switches_invol);
	ledger->wakeups = U32(ledger, wakeups);
	ledger->migrations = U32(ledger, migrations);
	/* Files of versions before do not have them. */
	if (record->bytes >= sizeof(struct sp_raw_ledger)) {
		ledger->irq = U64(ledger, irq);
		ledger->softirq = U64(ledger, softirq);
		ledger->stolen = U64(ledger, stolen);
	}
	return get_name(parser, record, BODY(ledger, comm), &ledger->comm, error);
}

/* What culprits are called that are no tasks. */
static const char *const culprits[] = {
	[SCHEDPROF_CULPRIT_IDLE] = "[idle]",
	[SCHEDPROF_CULPRIT_INTERRUPTS] = "[interrupts]",
	[SCHEDPROF_CULPRIT_OTHER_CPU] = "[other cpu]",
	[SCHEDPROF_CULPRIT_THROTTLED] = "[throttled]",
	[SCHEDPROF_CULPRIT_EARLIER] = "[earlier]",
	[SCHEDPROF_CULPRIT_EXITED] = "[exited]",
	[SCHEDPROF_CULPRIT_LOST] = "[lost]",
};

static int blame_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	struct schedprof_blame *blame = NEXT(blames, blame);
	int err;

	blame->tid = S32(blame, tid);
	blame->tgid = S32(blame, tgid);
	blame->start_ns = U64(blame, start_ns);
	blame->culprit = U32(blame, culprit);
	/* What a newer module tells apart. */
	if (blame->culprit > SCHEDPROF_CULPRIT_LOST)
		blame->culprit = SCHEDPROF_CULPRIT_LOST;
	blame->self = U32(blame, flags) & SP_RAW_BLAME_SELF;
	blame->group = U32(blame, flags) & SP_RAW_BLAME_GROUP;
	blame->culprit_tid = S32(blame, culprit_tid);
	blame->culprit_tgid = S32(blame, culprit_tgid);
	blame->culprit_start_ns = U64(blame, culprit_start_ns);
	blame->total = U64(blame, total);
	blame->count = U64(blame, count);
	blame->longest = U64(blame, longest);
	err = get_name(parser, record, BODY(blame, comm), &blame->comm, error) ?:
	      get_name(parser, record, BODY(blame, leader_comm), &blame->leader_comm, error) ?:
	      get_cgroup(parser, record, U32(blame, cgroup), &blame->cgroup, error);
	if (blame->culprit != SCHEDPROF_CULPRIT_TASK) {
		blame->culprit_comm = culprits[blame->culprit];
		blame->culprit_leader_comm = blame->culprit_comm;
		return err;
	}
	return err ?: get_name(parser, record, BODY(blame, culprit_comm),
			       &blame->culprit_comm, error) ?:
	       get_name(parser, record, BODY(blame, culprit_leader_comm),
			&blame->culprit_leader_comm, error) ?:
	       get_cgroup(parser, record, U32(blame, culprit_cgroup), &blame->culprit_cgroup,
			  error);
}

static int histogram_row(struct libsp_parser *parser, const struct libsp_record *record,
			 struct schedprof_error *error)
{
	struct schedprof_histogram *row = NEXT(histogram, histogram);

	(void)error;
	row->low = U64(histogram, low);
	row->high = U64(histogram, high);
	row->count = U64(histogram, count);
	return 0;
}

static int function_row(struct libsp_parser *parser, const struct libsp_record *record,
			struct schedprof_error *error)
{
	struct schedprof_function *function = NEXT(functions, function);

	function->address = U64(function, address);
	function->calls = U64(function, calls);
	function->missed = U64(function, missed);
	function->flags = U32(function, flags);
	return get_text(parser, record, REST(function), REST_BYTES(function),
			&function->name, error);
}

static int event_row(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error)
{
	struct schedprof_event *event = NEXT(events, event);

	event->at = U64(event, at);
	event->length = U64(event, length);
	event->start_ns = U64(event, start_ns);
	event->function = U64(event, function);
	event->tid = S32(event, tid);
	event->tgid = S32(event, tgid);
	event->exec_id = U32(event, exec_id);
	event->image = U32(event, image);
	event->cpu = U32(event, cpu);
	event->flags = U32(event, flags);
	event->depth = U32(event, depth);
	return get_stack(parser, record, U32(event, kernel), &event->kernel, error) ?:
	       get_stack(parser, record, U32(event, user), &event->user, error) ?:
	       get_stack(parser, record, U32(event, waker), &event->waker, error) ?:
	       get_name(parser, record, BODY(event, comm), &event->comm, error);
}

/* In the order of enum sp_raw_kind. */
static const struct row {
	size_t size;		/* a record may be longer */
	int (*parse)(struct libsp_parser *parser, const struct libsp_record *record,
		     struct schedprof_error *error);
} rows[LIBSP_KINDS] = {
	[SP_RAW_SYMBOL] = { sizeof(struct sp_raw_symbol), symbol_row },
	[SP_RAW_MAPPING] = { sizeof(struct sp_raw_mapping), mapping_row },
	[SP_RAW_STACK] = { sizeof(struct sp_raw_stack), stack_row },
	[SP_RAW_TASK] = { offsetof(struct sp_raw_task, cgroup), task_row },
	[SP_RAW_ENTRY] = { sizeof(struct sp_raw_entry), entry_row },
	[SP_RAW_LEDGER] = { offsetof(struct sp_raw_ledger, irq), ledger_row },
	[SP_RAW_BLAME] = { sizeof(struct sp_raw_blame), blame_row },
	[SP_RAW_HISTOGRAM] = { sizeof(struct sp_raw_histogram), histogram_row },
	[SP_RAW_FUNCTION] = { sizeof(struct sp_raw_function), function_row },
	[SP_RAW_EVENT] = { sizeof(struct sp_raw_event), event_row },
	[SP_RAW_FILE] = { sizeof(struct sp_raw_file), file_row },
	[SP_RAW_FILES] = { sizeof(struct sp_raw_files), files_row },
	[SP_RAW_CGROUP] = { sizeof(struct sp_raw_cgroup), cgroup_row },
	[SP_RAW_WAKER] = { sizeof(struct sp_raw_waker), waker_row },
};

/* Parses a record of a kind that has rows. Return: 0 or a negative code. */
int libsp_parse_row(struct libsp_parser *parser, const struct libsp_record *record,
		    struct schedprof_error *error)
{
	const struct row *row = &rows[record->kind];

	if (record->bytes < row->size)
		return libsp_record_damaged(record, "it is too short", error);
	return row->parse(parser, record, error);
}
