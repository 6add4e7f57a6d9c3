// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw: everything, for programs. report/raw_format.h says what is in the file; a
 * row of the report is one record.
 *
 * Reads views only, and what was gathered when the file was opened; no lock. A row
 * that is asked for again is the same to the byte.
 */
#include <linux/bsearch.h>
#include <linux/build_bug.h>
#include <linux/crc32.h>
#include <linux/kdev_t.h>

#include "report/raw_format.h"
#include "report/raw_view.h"
#include "report/report.h"
#include "lib/run_ring.h"
#include "record/ledger_snapshot.h"

/* A text is cut into records of whole lines, about that long. */
#define TEXT_BYTES	65536

/* Of which files so many mappings are is one record. */
#define FILES_AT_ONCE	16384

/* The kernel's flags are the format's. */
static_assert(SP_RAW_STACK_USER == (int)SP_STACK_USER);
static_assert(SP_RAW_STACK_CUT == (int)SP_STACK_CUT);
static_assert(SP_RAW_STACK_NO_FP == (int)SP_STACK_NO_FP);
static_assert(SP_RAW_STACK_COMPAT == (int)SP_STACK_COMPAT);
static_assert(SP_RAW_STACK_MOVED == (int)SP_STACK_MOVED);
static_assert(SP_RAW_STACK_UNSEEN == (int)SP_STACK_UNSEEN);
static_assert(SP_RAW_STACK_RUNNING == (int)SP_STACK_RUNNING);
static_assert(SP_RAW_STACK_EXITED == (int)SP_STACK_EXITED);
static_assert(SP_RAW_STACK_WAKER == (int)SP_STACK_WAKER);
static_assert(SP_RAW_STACK_IRQ == (int)SP_STACK_IRQ);
static_assert(SP_RAW_STACK_SOFTIRQ == (int)SP_STACK_SOFTIRQ);
static_assert(SP_RAW_STACK_IRQS_OFF == (int)SP_STACK_IRQS_OFF);
static_assert(SP_RAW_STACK_CALLS == (int)SP_STACK_CALLS);
static_assert(SP_RAW_STACK_IDLE > (int)SP_STACK_KEY);
static_assert(SP_RAW_STACK_END_NOT == (int)SP_STACK_END_NOT);
static_assert(SP_RAW_STACK_END_COMPLETE == (int)SP_STACK_END_COMPLETE);
static_assert(SP_RAW_STACK_END_TABLE == (int)SP_STACK_END_TABLE);
static_assert(SP_RAW_STACK_END_RULE == (int)SP_STACK_END_RULE);
static_assert(SP_RAW_STACK_END_MEMORY == (int)SP_STACK_END_MEMORY);
static_assert(SP_RAW_STACK_END_GUESSED == (int)SP_STACK_END_GUESSED);
static_assert(SP_RAW_MAPPING_FILE == (int)SP_MAPPING_FILE);
static_assert(SP_RAW_MAPPING_VDSO == (int)SP_MAPPING_VDSO);
static_assert(SP_RAW_MAPPING_ANON == (int)SP_MAPPING_ANON);
static_assert(SP_RAW_MAPPING_LOST == (int)SP_MAPPING_LOST);
static_assert(sizeof_field(struct sp_raw_file, build_id) == SP_BUILD_ID_MAX);

/* One record: its fields, and what follows them. */
static void put_record(struct seq_buf *s, enum sp_raw_kind kind,
		       const void *fields, size_t fields_bytes,
		       const void *rest, size_t rest_bytes)
{
	static const char filling[sizeof(u64)];
	struct sp_raw_record head = {
		.kind = kind,
		.bytes = fields_bytes + rest_bytes,
	};
	u32 crc = ~0;

	crc = crc32_le(crc, (const u8 *)&head, sizeof(head));
	crc = crc32_le(crc, fields, fields_bytes);
	head.crc = ~crc32_le(crc, rest, rest_bytes);
	sp_put(s, &head, sizeof(head));
	sp_put(s, fields, fields_bytes);
	sp_put(s, rest, rest_bytes);
	sp_put(s, filling, -head.bytes % sizeof(filling));
}

#define PUT(s, kind, fields) put_record(s, kind, &(fields), sizeof(fields), NULL, 0)

static void show_begin(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	struct sp_raw_begin begin = {
		.byte_order = SP_RAW_BYTE_ORDER,
		.version = SP_RAW_VERSION,
	};

	memcpy(begin.magic, SP_RAW_MAGIC, sizeof(begin.magic));
	PUT(s, SP_RAW_BEGIN, begin);
}

static void show_schema(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	put_record(s, SP_RAW_SCHEMA, view->raw->schema.data, view->raw->schema.used, NULL, 0);
}

/* Where the record ends that begins there. */
static size_t end_of_text(const struct sp_blob *text, size_t at)
{
	const char *end;

	if (text->used - at <= TEXT_BYTES)
		return text->used;
	end = memchr(text->data + at + TEXT_BYTES, '\n', text->used - at - TEXT_BYTES);
	return end ? end + 1 - text->data : text->used;
}

static u32 meta_count(const struct sp_view *view)
{
	const struct sp_blob *text = &view->raw->meta;
	size_t at;
	u32 count = 0;

	for (at = 0; at < text->used; at = end_of_text(text, at))
		count++;
	return count;
}

static void show_meta(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_blob *text = &view->raw->meta;
	size_t at = 0;

	while (number--)
		at = end_of_text(text, at);
	put_record(s, SP_RAW_META, text->data + at, end_of_text(text, at) - at, NULL, 0);
}

static void show_symbol(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_raw *raw = view->raw;
	struct sp_raw_symbol symbol = {
		.address = raw->hidden ? number + 1 :
				((const u64 *)raw->names.addresses.data)[number],
	};
	u32 bytes;
	const char *name = sp_names_of(&raw->names, number + 1, &bytes);

	put_record(s, SP_RAW_SYMBOL, &symbol, sizeof(symbol), name, bytes);
}

static void show_file(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_mapped_file *from = &view->raw->files[number];
	struct sp_raw_file file = {
		.number = from->number,
		.generation = from->id.generation,
		.inode = from->id.inode,
		.mtime_ns = from->id.mtime_ns,
		.device_major = MAJOR(from->id.device),
		.device_minor = MINOR(from->id.device),
		.build_id_bytes = from->id.build_id_bytes,
	};

	memcpy(file.build_id, from->id.build_id, sizeof(file.build_id));
	PUT(s, SP_RAW_FILE, file);
}

static void show_mapping(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_mapped *from = &view->raw->mappings[number];
	struct sp_raw_mapping mapping = {
		.start = from->start,
		.end = from->end,
		.offset = from->offset,
		.image = from->program,
		.kind = from->kind,
	};

	put_record(s, SP_RAW_MAPPING, &mapping, sizeof(mapping), from->path,
		   from->path ? strlen(from->path) : 0);
}

static void show_files(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const u32 *numbers = (const u32 *)view->raw->file_of.data;
	struct sp_raw_files files = { .first = number * FILES_AT_ONCE };

	files.count = min_t(u32, view->raw->mapping_count - files.first, FILES_AT_ONCE);
	put_record(s, SP_RAW_FILES, &files, sizeof(files), numbers + files.first,
		   files.count * sizeof(*numbers));
}

/* Some bits mean something else in a user stack, and one is of the view's. */
static u32 stack_flags(const struct sp_view *view, const struct sp_stack *stack)
{
	u16 flags = stack->flags & SP_STACK_KEY;

	if (!(flags & (SP_STACK_USER | SP_STACK_WAKER)))
		return (flags & ~(SP_STACK_ON_CPU | SP_STACK_QUEUED)) |
		       (flags & SP_STACK_ON_CPU ? SP_RAW_STACK_ON_CPU : 0) |
		       (flags & SP_STACK_QUEUED ? SP_RAW_STACK_QUEUED : 0) |
		       (sp_view_is_idle(view, stack) ? SP_RAW_STACK_IDLE : 0);
	if (flags & SP_STACK_WAKER)
		return flags;
	return (flags & ~SP_STACK_END) | (u32)sp_stack_end(flags) << SP_RAW_STACK_END_SHIFT;
}

static void show_stack(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_raw_numbered *from =
		(const struct sp_raw_numbered *)view->raw->stacks.data + number;
	const struct sp_stack *stack = from->stack;
	struct sp_raw_stack to = {
		.number = from->number,
		.flags = stack_flags(view, stack),
		.frames = stack->n,
	};
	u64 address[SP_MAX_DEPTH];
	unsigned int i;

	if (stack->flags & SP_STACK_WAKER)
		memcpy(to.waker, sp_stack_waker(stack)->comm, sizeof(to.waker));
	for (i = 0; i < stack->n; i++) {
		if (stack->flags & SP_STACK_USER) {
			address[i] = sp_frame_user(stack->frame[i]);
			if (stack->frame[i] & SP_FRAME_GUESSED && !to.guessed)
				to.guessed = i + 1;
		}
		if (!(stack->flags & SP_STACK_USER))
			address[i] = sp_raw_address(view->raw,
						    sp_frame_kernel(stack->frame[i]));
	}
	put_record(s, SP_RAW_STACK, &to, sizeof(to), address, stack->n * sizeof(*address));
}

static void show_waker(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_raw_woke *woke =
		(const struct sp_raw_woke *)view->raw->wakers.data + number;
	const struct sp_waker *from = sp_stack_waker(woke->stack);
	struct sp_raw_waker waker = {
		.stack = sp_view_stack_number(view, woke->stack),
		.user = sp_view_stack_number(view, woke->user),
		.image = woke->program,
		.exec_id = from->exec_id,
		.start_ns = from->start_time,
		.tgid = from->tgid,
	};

	PUT(s, SP_RAW_WAKER, waker);
}

static void show_cgroup(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_cgroup *from;
	struct sp_raw_cgroup cgroup = {
		.number = ((const u32 *)view->raw->cgroups.data)[number],
	};

	from = sp_cgroups_at(&view->recording->cgroups, cgroup.number);
	cgroup.id = from->id;
	put_record(s, SP_RAW_CGROUP, &cgroup, sizeof(cgroup), from->path, strlen(from->path));
}

static int by_number(const void *a, const void *b)
{
	return cmp_int(*(const u32 *)a, *(const u32 *)b);
}

/* One whose path was found since then has no record. */
static u32 cgroup_of(const struct sp_view *view, const struct sp_who *who)
{
	const struct sp_blob *known = &view->raw->cgroups;
	u32 number = sp_cgroups_number(&view->recording->cgroups, who->cgroup);

	return number && bsearch(&number, known->data, known->used / sizeof(u32), sizeof(u32),
				 by_number) ? number : 0;
}

static u32 task_flags(const struct sp_report_entry *line)
{
	u32 flags = line->who.kthread ? SP_RAW_TASK_KTHREAD : 0;

	if (line->over)
		flags |= SP_RAW_TASK_EXITED;
	if (line->task == SP_THREAD_EXITED)
		flags |= SP_RAW_TASK_FOLDED;
	else if (!line->who.tid)
		flags |= SP_RAW_TASK_LOST;
	return flags;
}

static void show_task(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_report_entry *line =
		&view->lines[((const u32 *)view->raw->tasks.data)[number]];
	struct sp_raw_task task = {
		.number = line->task,
		.tid = line->who.tid,
		.tgid = line->who.tgid,
		.flags = task_flags(line),
		.start_ns = line->who.start_time,
		.leader_start_ns = line->who.leader_start,
		.image = line->who.program,
		.exec_id = line->exec_id,
		.cgroup = cgroup_of(view, &line->who),
	};

	memcpy(task.comm, line->who.comm, sizeof(task.comm));
	memcpy(task.leader_comm, line->who.leader_comm, sizeof(task.leader_comm));
	PUT(s, SP_RAW_TASK, task);
}

static void show_entry(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_report_entry *line =
		&view->lines[((const u32 *)view->raw->entries.data)[number]];
	const struct sp_sum *sum = &line->sum;
	struct sp_raw_entry entry = {
		.task = line->task,
		.kernel = sp_view_stack_number(view, line->kernel),
		.user = sp_view_stack_number(view, line->user),
		.waker = sp_view_stack_number(view, line->waker),
		.total = sum->total,
		.count = sum->count,
		.max = view->recording->functions ? sum->longest : sum->max,
		.inclusive = sum->inclusive,
		.max_at = sp_view_moment(view, sum->max_at),
		.max_cpu = sum->max_cpu,
		.flags = (line->open ? SP_RAW_ENTRY_OPEN : 0) |
			 (line->lost ? SP_RAW_ENTRY_LOST_STACK : 0),
	};

	PUT(s, SP_RAW_ENTRY, entry);
}

static void show_ledger(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_task_ledger *task = &view->ledgers->list[number];
	const struct sp_ledger *from = &task->ledger;
	struct sp_raw_ledger to = {
		.tid = task->who.tid,
		.tgid = task->who.tgid,
		.start_ns = task->who.start_time,
		.oncpu = from->ns[SP_ACCOUNT_ON_CPU],
		.runqueue = from->ns[SP_ACCOUNT_RUN_QUEUE],
		.sleep = from->ns[SP_ACCOUNT_SLEEP],
		.disk = from->ns[SP_ACCOUNT_DISK],
		.switches_vol = min_t(u64, from->voluntary, U32_MAX),
		.switches_invol = min_t(u64, from->involuntary, U32_MAX),
		.wakeups = min_t(u64, from->wakeups, U32_MAX),
		.migrations = min_t(u64, from->migrations, U32_MAX),
		.irq = from->foreign[SP_FOREIGN_IRQ],
		.softirq = from->foreign[SP_FOREIGN_SOFTIRQ],
		.stolen = from->foreign[SP_FOREIGN_STOLEN],
	};

	memcpy(to.comm, task->who.comm, sizeof(to.comm));
	PUT(s, SP_RAW_LEDGER, to);
}

/* The kernel's numbers of culprits, in the format's. */
static const u32 culprits[] = {
	[SP_CULPRIT_IDLE] = SP_RAW_CULPRIT_IDLE,
	[SP_CULPRIT_INTERRUPTS] = SP_RAW_CULPRIT_INTERRUPTS,
	[SP_CULPRIT_OTHER_CPU] = SP_RAW_CULPRIT_OTHER_CPU,
	[SP_CULPRIT_THROTTLED] = SP_RAW_CULPRIT_THROTTLED,
	[SP_CULPRIT_EARLIER] = SP_RAW_CULPRIT_EARLIER,
	[SP_CULPRIT_EXITED] = SP_RAW_CULPRIT_EXITED,
	[SP_CULPRIT_LOST] = SP_RAW_CULPRIT_LOST,
};

static_assert(ARRAY_SIZE(culprits) == SP_CULPRITS);

static void show_blame(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_blame_row *row = &view->ledgers->blame[number];
	const struct sp_who *who = &view->ledgers->list[row->task].who;
	struct sp_raw_blame blame = {
		.tid = who->tid,
		.tgid = who->tgid,
		.start_ns = who->start_time,
		.culprit = row->who < SP_CULPRITS ? culprits[row->who] :
			   row->culprit.tid ? SP_RAW_CULPRIT_TASK : SP_RAW_CULPRIT_LOST,
		.flags = sp_blame_is_self(who, row) ? SP_RAW_BLAME_SELF : 0,
		.culprit_tid = row->culprit.tid,
		.culprit_tgid = row->culprit.tgid,
		.culprit_start_ns = row->culprit.start_time,
		.total = row->total,
		.count = row->count,
		.longest = row->longest,
		.cgroup = cgroup_of(view, who),
		.culprit_cgroup = cgroup_of(view, &row->culprit),
	};

	memcpy(blame.comm, who->comm, sizeof(blame.comm));
	memcpy(blame.leader_comm, who->leader_comm, sizeof(blame.leader_comm));
	memcpy(blame.culprit_comm, row->culprit.comm, sizeof(blame.culprit_comm));
	memcpy(blame.culprit_leader_comm, row->culprit.leader_comm,
	       sizeof(blame.culprit_leader_comm));
	PUT(s, SP_RAW_BLAME, blame);
}

static void show_histogram(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	u32 row = view->raw->first_thread + number;
	struct sp_raw_histogram histogram = {
		.low = sp_histogram_low(row),
		.high = sp_histogram_high(row),
		.count = view->totals.histogram.count[row],
	};

	PUT(s, SP_RAW_HISTOGRAM, histogram);
}

static void show_function(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_raw_called *called =
		(const struct sp_raw_called *)view->raw->functions.data + number;
	const char *name = called->function->name;
	struct sp_raw_function function = {
		.address = sp_raw_address(view->raw, called->function->address),
		.calls = called->use.calls,
		.flags = called->throttled ? SP_RAW_FUNCTION_THROTTLED : 0,
	};

	put_record(s, SP_RAW_FUNCTION, &function, sizeof(function), name, strlen(name));
}

static u32 told_stack(u32 stack)
{
	return stack == SP_STACK_LOST ? 0 : stack;
}

static void show_event(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	const struct sp_trace_record *record = sp_events_at(&view->events, number);
	struct sp_raw_event event = {
		.at = sp_view_moment(view, record->at),
		.length = record->length,
		.start_ns = record->start_time,
		.function = record->function ?
			    sp_raw_address(view->raw, record->function) : 0,
		.tid = record->tid,
		.tgid = record->tgid,
		.exec_id = record->exec_id,
		.image = record->program,
		.cpu = record->cpu,
		.flags = (record->flags & SP_HAPPENING_IRQS_OFF ? SP_RAW_EVENT_IRQS_OFF : 0) |
			 (record->kernel == SP_STACK_LOST ? SP_RAW_EVENT_LOST_STACK : 0),
		.kernel = told_stack(record->kernel),
		.user = told_stack(record->user),
		.waker = told_stack(record->waker),
		.depth = record->depth,
	};

	memcpy(event.comm, record->comm, sizeof(event.comm));
	PUT(s, SP_RAW_EVENT, event);
}

static void show_end(struct seq_buf *s, const struct sp_view *view, u32 number)
{
	struct sp_raw_end end = { .records = view->rows };

	PUT(s, SP_RAW_END, end);
}

/* In the order of the file. */
static const struct section {
	enum sp_raw_kind kind;
	void (*show)(struct seq_buf *s, const struct sp_view *view, u32 number);
} sections[] = {
	{ SP_RAW_BEGIN, show_begin },
	{ SP_RAW_SCHEMA, show_schema },
	{ SP_RAW_META, show_meta },
	{ SP_RAW_SYMBOL, show_symbol },
	{ SP_RAW_FILE, show_file },
	{ SP_RAW_MAPPING, show_mapping },
	{ SP_RAW_FILES, show_files },
	{ SP_RAW_STACK, show_stack },
	{ SP_RAW_WAKER, show_waker },
	{ SP_RAW_CGROUP, show_cgroup },
	{ SP_RAW_TASK, show_task },
	{ SP_RAW_ENTRY, show_entry },
	{ SP_RAW_LEDGER, show_ledger },
	{ SP_RAW_BLAME, show_blame },
	{ SP_RAW_HISTOGRAM, show_histogram },
	{ SP_RAW_FUNCTION, show_function },
	{ SP_RAW_EVENT, show_event },
	{ SP_RAW_END, show_end },
};

static void count_records(const struct sp_view *view, u32 *records)
{
	const struct sp_raw *raw = view->raw;

	records[SP_RAW_BEGIN] = 1;
	records[SP_RAW_SCHEMA] = 1;
	records[SP_RAW_META] = meta_count(view);
	records[SP_RAW_SYMBOL] = sp_names_count(&raw->names);
	records[SP_RAW_FILE] = raw->file_count;
	records[SP_RAW_MAPPING] = raw->mapping_count;
	records[SP_RAW_FILES] = DIV_ROUND_UP(raw->mapping_count, FILES_AT_ONCE);
	records[SP_RAW_STACK] = sp_raw_count(&raw->stacks, struct sp_raw_numbered);
	records[SP_RAW_WAKER] = sp_raw_count(&raw->wakers, struct sp_raw_woke);
	records[SP_RAW_CGROUP] = sp_raw_count(&raw->cgroups, u32);
	records[SP_RAW_TASK] = sp_raw_count(&raw->tasks, u32);
	records[SP_RAW_ENTRY] = sp_raw_count(&raw->entries, u32);
	records[SP_RAW_LEDGER] = view->ledgers ? view->ledgers->count : 0;
	records[SP_RAW_BLAME] = view->ledgers ? view->ledgers->rows : 0;
	records[SP_RAW_HISTOGRAM] = raw->last_row - raw->first_thread;
	records[SP_RAW_FUNCTION] = sp_raw_count(&raw->functions, struct sp_raw_called);
	records[SP_RAW_EVENT] = view->events.total;
	records[SP_RAW_END] = 1;
}

/**
 * sp_raw_prepare() - every record is a row
 * @view: a fresh view of everything
 *
 * Return: 0 or -ENOMEM.
 */
int sp_raw_prepare(struct sp_view *view)
{
	unsigned int i;

	view->raw = sp_raw_gather(view);
	if (!view->raw)
		return -ENOMEM;
	count_records(view, view->raw->records);
	for (i = 0; i < ARRAY_SIZE(sections); i++)
		view->rows += view->raw->records[sections[i].kind];
	return 0;
}

/**
 * sp_raw_reach() - have what a record is made of at hand
 * @view: prepared
 * @row: below view->rows
 *
 * Return: 0, or -ENOMEM or -EIO.
 */
int sp_raw_reach(struct sp_view *view, u32 row)
{
	/* Events are the last but one section, and the last one has one record. */
	u32 first = view->rows - 1 - view->raw->records[SP_RAW_EVENT];

	return row < first ? 0 : sp_view_reach(view, row - first);
}

/**
 * sp_raw_show() - one record
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_raw_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const u32 *records = view->raw->records;
	const struct section *section = sections;

	for (; row >= records[section->kind]; section++)
		row -= records[section->kind];
	section->show(s, view, row);
}
