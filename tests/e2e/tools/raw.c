// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw: reads a file raw as its header describes it, without anything of the
 * module, and looks at each record as far as one can.
 *
 * raw check FILE		the same whatever it is read with? each record right?
 * raw folded FILE		what the file folded should say
 * raw threads FILE		TID COUNT TOTAL of the entries, by thread
 * raw events FILE		the same of the events
 * raw tasks FILE		the rows of the file tasks, without a head
 * raw blame FILE		the same of blame, by thread
 * raw keep FILE TO		a copy, read in one go
 *
 * A line "bad ..." for whatever is wrong (at most 20). After check, lines "name
 * value": what the records add up to, and the lines of the meta record.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raw_format.h"

#define MAX_BAD		20
#define NUMBERS		16777216

struct record {
	struct sp_raw_record head;
	const void *data;
};

static char *image;
static size_t image_bytes;
static unsigned int bad;
static struct record *records;
static size_t record_count;
/* By number. */
static const struct sp_raw_task **tasks;
static const struct record **stacks;

static void complain(const char *what, unsigned long long where)
{
	if (bad++ < MAX_BAD)
		printf("bad %s: %llu\n", what, where);
}

static void die(const char *what)
{
	printf("bad %s: %s\n", what, strerror(errno));
	exit(1);
}

/* A fresh buffer with what is there up to a limit, read in pieces of one size. */
static char *read_some(int fd, size_t piece, size_t limit, size_t *bytes)
{
	size_t room = 1 << 16;
	char *data = malloc(room);
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		die("lseek");
	for (*bytes = 0; data; *bytes += (size_t)n) {
		if (room - *bytes < piece) {
			room = 2 * room + piece;
			data = realloc(data, room);
			if (!data)
				break;
		}
		n = read(fd, data + *bytes, piece);
		if (n < 0)
			die("read");
		if (!n || *bytes + (size_t)n >= limit)
			break;
	}
	if (!data)
		die("memory");
	*bytes += (size_t)n;
	return data;
}

static char *read_all(int fd, size_t piece, size_t *bytes)
{
	return read_some(fd, piece, SIZE_MAX, bytes);
}

static uint32_t crc_add(uint32_t crc, const void *data, size_t bytes)
{
	const unsigned char *at = data;
	int i;

	while (bytes--) {
		crc ^= *at++;
		for (i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return crc;
}

/* Of a record's head, with 0 for the checksum, and its data. */
static bool crc_holds(const struct record *record)
{
	struct sp_raw_record head = record->head;
	uint32_t crc;

	head.crc = 0;
	crc = crc_add(~0u, &head, sizeof(head));
	return ~crc_add(crc, record->data, record->head.bytes) == record->head.crc;
}

/* Splits the image into records. */
static void split(void)
{
	size_t at = 0, next, i;
	struct record *record;

	records = calloc(image_bytes / sizeof(struct sp_raw_record) + 1, sizeof(*records));
	if (!records)
		die("memory");
	while (at < image_bytes) {
		record = &records[record_count];
		if (image_bytes - at < sizeof(record->head)) {
			complain("half a record at", at);
			return;
		}
		memcpy(&record->head, image + at, sizeof(record->head));
		record->data = image + at + sizeof(record->head);
		next = at + sizeof(record->head) + ((record->head.bytes + 7ul) & ~7ul);
		if (record->head.bytes > SP_RAW_MAX_BYTES || next > image_bytes) {
			complain("a record that is too long at", at);
			return;
		}
		if (record->head.reserved || !crc_holds(record))
			complain("a record with a wrong checksum at", at);
		for (i = at + sizeof(record->head) + record->head.bytes; i < next; i++)
			if (image[i])
				complain("filling that is not zero at", i);
		record_count++;
		at = next;
	}
}

static const struct {
	const char *name;
	size_t bytes;		/* at least */
	bool exact;
} kinds[] = {
	[SP_RAW_BEGIN] = { "begin", sizeof(struct sp_raw_begin), true },
	[SP_RAW_SCHEMA] = { "schema", 1, false },
	[SP_RAW_META] = { "meta", 1, false },
	[SP_RAW_SYMBOL] = { "symbol", sizeof(struct sp_raw_symbol) + 1, false },
	[SP_RAW_MAPPING] = { "mapping", sizeof(struct sp_raw_mapping), false },
	[SP_RAW_STACK] = { "stack", sizeof(struct sp_raw_stack), false },
	[SP_RAW_TASK] = { "task", sizeof(struct sp_raw_task), true },
	[SP_RAW_ENTRY] = { "entry", sizeof(struct sp_raw_entry), true },
	[SP_RAW_LEDGER] = { "ledger", sizeof(struct sp_raw_ledger), true },
	[SP_RAW_HISTOGRAM] = { "histogram", sizeof(struct sp_raw_histogram), true },
	[SP_RAW_FUNCTION] = { "function", sizeof(struct sp_raw_function) + 1, false },
	[SP_RAW_EVENT] = { "event", sizeof(struct sp_raw_event), true },
	[SP_RAW_END] = { "end", sizeof(struct sp_raw_end), true },
	[SP_RAW_FILE] = { "file", sizeof(struct sp_raw_file), true },
	[SP_RAW_FILES] = { "files", sizeof(struct sp_raw_files), false },
	[SP_RAW_WAKER] = { "waker", sizeof(struct sp_raw_waker), true },
	[SP_RAW_CGROUP] = { "cgroup", sizeof(struct sp_raw_cgroup) + 1, false },
	[SP_RAW_BLAME] = { "blame", sizeof(struct sp_raw_blame), true },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Each record of a kind. */
#define for_each_record(r, wanted)					\
	for ((r) = records; (r) < records + record_count; (r)++)	\
		if ((r)->head.kind == (wanted))

/* What a frame's address is called; NULL if no record says. */
static const struct record *symbol_of(uint64_t address)
{
	static const struct record **sorted;
	static size_t count;
	size_t low = 0, high;
	struct record *r;

	if (!sorted) {
		sorted = calloc(record_count + 1, sizeof(*sorted));
		if (!sorted)
			die("memory");
		for_each_record(r, SP_RAW_SYMBOL)
			sorted[count++] = r;
	}
	/* They come in ascending order, which check_symbol() has seen. */
	for (high = count; low < high; ) {
		size_t middle = (low + high) / 2;
		const struct sp_raw_symbol *symbol = sorted[middle]->data;

		if (symbol->address == address)
			return sorted[middle];
		if (symbol->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static const struct record *mapping_of(uint32_t program, uint64_t address)
{
	const struct sp_raw_mapping *mapping;
	struct record *r;

	if (!program)
		return NULL;
	for_each_record(r, SP_RAW_MAPPING) {
		mapping = r->data;
		if (mapping->image == program && address >= mapping->start &&
		    address < mapping->end)
			return mapping->kind == SP_RAW_MAPPING_LOST ? NULL : r;
	}
	return NULL;
}

static void check_stack_number(uint32_t number, uint32_t set, uint32_t clear)
{
	const struct sp_raw_stack *stack;

	if (!number)
		return;
	if (number >= NUMBERS || !stacks[number]) {
		complain("a stack that is not there before it is used", number);
		return;
	}
	stack = stacks[number]->data;
	if ((stack->flags & set) != set || stack->flags & clear)
		complain("a stack of another kind", number);
}

static void check_stack(const struct record *record)
{
	static const char nobody[sizeof(((struct sp_raw_stack *)0)->waker)];
	const struct sp_raw_stack *stack = record->data;
	const uint64_t *address = (const void *)(stack + 1);
	uint32_t i, end;

	if (record->head.bytes != sizeof(*stack) + stack->frames * sizeof(*address)) {
		complain("a stack of another length", stack->number);
		return;
	}
	end = (stack->flags & SP_RAW_STACK_END) >> SP_RAW_STACK_END_SHIFT;
	if (end > SP_RAW_STACK_END_GUESSED || stack->guessed > stack->frames ||
	    ((end || stack->guessed) && !(stack->flags & SP_RAW_STACK_USER)) ||
	    (end == SP_RAW_STACK_END_GUESSED && !stack->guessed) ||
	    (end == SP_RAW_STACK_END_COMPLETE && stack->guessed))
		complain("an end that a stack cannot have", stack->number);
	if (stack->flags & SP_RAW_STACK_IDLE &&
	    (!stack->frames || stack->flags & (SP_RAW_STACK_USER | SP_RAW_STACK_WAKER |
					       SP_RAW_STACK_CALLS | SP_RAW_STACK_RUNNING)))
		complain("a stack where nobody waits for work, and it says so", stack->number);
	if (!(stack->flags & SP_RAW_STACK_WAKER) &&
	    memcmp(stack->waker, nobody, sizeof(nobody)))
		complain("bytes of a stack that mean nothing, and are not zero", stack->number);
	if (!stack->number || stack->number >= NUMBERS || stacks[stack->number])
		complain("a number of a stack that is taken", stack->number);
	else
		stacks[stack->number] = record;
	if (stack->flags & SP_RAW_STACK_USER)
		return;
	for (i = 0; i < stack->frames; i++)
		if (!symbol_of(address[i]))
			complain("an address without a symbol", stack->number);
}

static void check_symbol(const struct record *record)
{
	static uint64_t last;
	const struct sp_raw_symbol *symbol = record->data;

	if (symbol->address <= last)
		complain("symbols that are not in order", 0);
	last = symbol->address;
	if (memchr(symbol + 1, 0, record->head.bytes - sizeof(*symbol)))
		complain("a NUL in a symbol", 0);
}

static void check_task(const struct sp_raw_task *task)
{
	if (!task->number || task->number >= NUMBERS || tasks[task->number])
		complain("a number of a task that is taken", task->number);
	else
		tasks[task->number] = task;
	if (!task->comm[0] || task->comm[15] || task->leader_comm[15])
		complain("a name without an end", task->number);
	if (!task->tid != !!(task->flags & (SP_RAW_TASK_FOLDED | SP_RAW_TASK_LOST)))
		complain("a task without a tid", task->number);
}

static void check_entry(const struct sp_raw_entry *entry)
{
	if (entry->task >= NUMBERS || !tasks[entry->task])
		complain("a task that is not there before it is used", entry->task);
	check_stack_number(entry->kernel, 0, SP_RAW_STACK_USER | SP_RAW_STACK_WAKER);
	check_stack_number(entry->user, SP_RAW_STACK_USER, SP_RAW_STACK_WAKER);
	check_stack_number(entry->waker, SP_RAW_STACK_WAKER, SP_RAW_STACK_USER);
	if (!entry->count || entry->max > entry->total)
		complain("an entry of nothing", entry->task);
}

static void check_event(const struct sp_raw_event *event)
{
	static uint64_t last;

	if (event->at < last)
		complain("events that are not in order", event->at);
	last = event->at;
	if (event->length > event->at || event->tid <= 0 || event->comm[15])
		complain("an event that cannot be", event->at);
	check_stack_number(event->kernel, 0, SP_RAW_STACK_USER | SP_RAW_STACK_WAKER);
	check_stack_number(event->user, SP_RAW_STACK_USER, SP_RAW_STACK_WAKER);
	check_stack_number(event->waker, SP_RAW_STACK_WAKER, SP_RAW_STACK_USER);
}

/* The record of a file; NULL if there is none. */
static const struct sp_raw_file *file_of(uint32_t number)
{
	struct record *r;

	for_each_record(r, SP_RAW_FILE)
		if (((const struct sp_raw_file *)r->data)->number == number)
			return r->data;
	return NULL;
}

static void check_file(const struct sp_raw_file *file)
{
	if (!file->number || file_of(file->number) != file)
		complain("a number of a file that is taken", file->number);
	if (file->build_id_bytes > sizeof(file->build_id))
		complain("a build-id that is too long", file->number);
	if (!file->inode)
		complain("a file without an inode", file->number);
}

static void check_files(const struct record *record)
{
	static uint32_t next;
	const struct sp_raw_files *files = record->data;
	const uint32_t *numbers = (const void *)(files + 1);
	uint32_t i;

	if (record->head.bytes != sizeof(*files) + files->count * sizeof(*numbers)) {
		complain("files of another length", files->first);
		return;
	}
	if (files->first != next)
		complain("files that are not one after the other", files->first);
	next += files->count;
	for (i = 0; i < files->count; i++)
		if (numbers[i] && !file_of(numbers[i]))
			complain("a file that is not there before it is used", numbers[i]);
}

/* Where a waker was in its program; NULL if that is not told. */
static const struct sp_raw_waker *waker_of(uint32_t stack)
{
	struct record *r;

	for_each_record(r, SP_RAW_WAKER)
		if (((const struct sp_raw_waker *)r->data)->stack == stack)
			return r->data;
	return NULL;
}

static void check_waker(const struct sp_raw_waker *waker)
{
	if (!waker->stack || !waker->user || waker_of(waker->stack) != waker)
		complain("a waker without a stack, or with two", waker->stack);
	check_stack_number(waker->stack, SP_RAW_STACK_WAKER, SP_RAW_STACK_USER);
	check_stack_number(waker->user, SP_RAW_STACK_USER, SP_RAW_STACK_WAKER);
	if (waker->tgid <= 0 || !waker->start_ns || waker->reserved)
		complain("a waker without a process", waker->stack);
}

static void check_begin(const struct record *record)
{
	const struct sp_raw_begin *begin = record->data;

	if (record != records || memcmp(begin->magic, SP_RAW_MAGIC, sizeof(begin->magic)) ||
	    begin->byte_order != SP_RAW_BYTE_ORDER || begin->version != SP_RAW_VERSION)
		complain("a wrong beginning", begin->version);
}

static void check_end(const struct record *record)
{
	const struct sp_raw_end *end = record->data;

	if (record != records + record_count - 1 || end->records != record_count)
		complain("a wrong end", end->records);
}

static void check_record(const struct record *record)
{
	uint32_t kind = record->head.kind;

	if (!kind || kind >= KINDS || record->head.bytes < kinds[kind].bytes ||
	    (kinds[kind].exact && record->head.bytes != kinds[kind].bytes)) {
		complain("a record of an unknown kind or length", kind);
		return;
	}
	switch (kind) {
	case SP_RAW_BEGIN:
		check_begin(record);
		break;
	case SP_RAW_SYMBOL:
		check_symbol(record);
		break;
	case SP_RAW_STACK:
		check_stack(record);
		break;
	case SP_RAW_TASK:
		check_task(record->data);
		break;
	case SP_RAW_ENTRY:
		check_entry(record->data);
		break;
	case SP_RAW_EVENT:
		check_event(record->data);
		break;
	case SP_RAW_END:
		check_end(record);
		break;
	case SP_RAW_FILE:
		check_file(record->data);
		break;
	case SP_RAW_FILES:
		check_files(record);
		break;
	case SP_RAW_WAKER:
		check_waker(record->data);
		break;
	}
}

static void check_records(void)
{
	size_t i;

	tasks = calloc(NUMBERS, sizeof(*tasks));
	stacks = calloc(NUMBERS, sizeof(*stacks));
	if (!tasks || !stacks)
		die("memory");
	for (i = 0; i < record_count; i++)
		check_record(&records[i]);
	if (!record_count || records[0].head.kind != SP_RAW_BEGIN ||
	    records[record_count - 1].head.kind != SP_RAW_END)
		complain("no beginning or no end", record_count);
}

/* One open file is one result, however it is read. */
static void check_pieces(int fd)
{
	/* Emulated, a system call takes long: bytes, only of the beginning. */
	static const struct {
		size_t piece, limit;
	} ways[] = {
		{ 4095, SIZE_MAX }, { 1, 4200 }, { 1 << 20, SIZE_MAX }, { 7, 20000 },
	};
	char *again, piece[512];
	size_t bytes, i, at;
	ssize_t n;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		again = read_some(fd, ways[i].piece, ways[i].limit, &bytes);
		if (bytes < image_bytes ? bytes < ways[i].limit : bytes > image_bytes)
			complain("not as long when read in pieces of", ways[i].piece);
		else if (memcmp(again, image, bytes))
			complain("not the same when read in pieces of", ways[i].piece);
		free(again);
	}
	for (i = 0; i < 4; i++) {
		at = image_bytes * ((i * 3) % 4) / 4 + i;
		n = pread(fd, piece, sizeof(piece), (off_t)at);
		if (n <= 0 || memcmp(piece, image + at, (size_t)n))
			complain("not the same when read at", at);
	}
}

static void print_sums(void)
{
	uint64_t counts[KINDS] = { 0 }, intervals = 0, total = 0, events = 0, rows = 0;
	uint64_t lost_intervals = 0, lost_total = 0;
	struct record *r;
	size_t i;

	for (i = 0; i < record_count; i++)
		counts[records[i].head.kind]++;
	for_each_record(r, SP_RAW_ENTRY) {
		const struct sp_raw_entry *entry = r->data;

		intervals += entry->count;
		total += entry->total;
		if (entry->flags & SP_RAW_ENTRY_LOST_STACK) {
			lost_intervals += entry->count;
			lost_total += entry->total;
		}
	}
	for_each_record(r, SP_RAW_EVENT)
		events += ((const struct sp_raw_event *)r->data)->length;
	for_each_record(r, SP_RAW_HISTOGRAM)
		rows += ((const struct sp_raw_histogram *)r->data)->count;
	for (i = 1; i < KINDS; i++)
		printf("records.%s %" PRIu64 "\n", kinds[i].name, counts[i]);
	printf("sum.bytes %zu\nsum.intervals %" PRIu64 "\nsum.total %" PRIu64
	       "\nsum.lost_intervals %" PRIu64 "\nsum.lost_total %" PRIu64
	       "\nsum.events %" PRIu64 "\nsum.histogram %" PRIu64 "\n", image_bytes,
	       intervals, total, lost_intervals, lost_total, events, rows);
	for_each_record(r, SP_RAW_META)
		fwrite(r->data, 1, r->head.bytes, stdout);
}

/* As the README says names are written there. */
static void put_name(const char *name, size_t bytes)
{
	for (; bytes && *name; name++, bytes--) {
		unsigned char c = (unsigned char)*name;

		putchar(c <= ' ' || c == ';' || c == 0x7f ? '_' : c);
	}
}

static const char *says_no(uint32_t flags)
{
	return flags & SP_RAW_STACK_USER ? "user_stack_not_seen" : "not_seen";
}

static void put_flags(uint32_t flags, const char *mark)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} words[] = {
		{ SP_RAW_STACK_MOVED, "task_moved" },
		{ SP_RAW_STACK_RUNNING, "on_the_CPU_now" },
		{ SP_RAW_STACK_EXITED, "exit" },
		{ SP_RAW_STACK_ON_CPU, "on_a_CPU" },
		{ SP_RAW_STACK_QUEUED, "waiting_for_a_CPU" },
		{ SP_RAW_STACK_IRQS_OFF, "irqs_off" },
		{ SP_RAW_STACK_CUT, "cut" },
		{ SP_RAW_STACK_NO_FP, "no_frame_pointer" },
	};
	static const char *const ends[8] = {
		[SP_RAW_STACK_END_TABLE] = "no_unwind_table",
		[SP_RAW_STACK_END_RULE] = "no_unwind_rule",
		[SP_RAW_STACK_END_MEMORY] = "caller_not_in_memory",
	};
	const uint32_t interrupts = SP_RAW_STACK_ON_CPU | SP_RAW_STACK_QUEUED;
	const char *end = ends[(flags & SP_RAW_STACK_END) >> SP_RAW_STACK_END_SHIFT];
	size_t i;

	if (flags & SP_RAW_STACK_UNSEEN)
		printf(";[%s]%s", says_no(flags), mark);
	/* That says it already. */
	if (flags & SP_RAW_STACK_RUNNING)
		flags &= ~SP_RAW_STACK_ON_CPU;
	if ((flags & interrupts) == interrupts) {
		flags &= ~interrupts;
		printf(";[interrupts]%s", mark);
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (flags & words[i].flag)
			printf(";[%s]%s", words[i].text, mark);
	if (end)
		printf(";[%s]", end);
}

static void put_user_frame(uint32_t program, uint64_t address)
{
	const struct record *record = mapping_of(program, address);
	const struct sp_raw_mapping *mapping;

	putchar(';');
	if (!record) {
		printf("[exited]+0x%" PRIx64, address);
		return;
	}
	mapping = record->data;
	if (mapping->kind == SP_RAW_MAPPING_FILE)
		put_name((const char *)(mapping + 1), record->head.bytes - sizeof(*mapping));
	else
		printf("%s", mapping->kind == SP_RAW_MAPPING_VDSO ? "[vdso]" : "[anon]");
	printf("+0x%" PRIx64, (uint64_t)(address - mapping->start + mapping->offset));
}

static void put_kernel_frame(uint64_t address)
{
	const struct record *record = symbol_of(address);
	const char *name;
	size_t bytes;

	name = (const char *)record->data + sizeof(struct sp_raw_symbol);
	bytes = record->head.bytes - sizeof(struct sp_raw_symbol);
	putchar(';');
	while (bytes-- && *name != '+')
		putchar(*name++);
	printf("_[k]");
}

static void put_stack(const struct sp_raw_task *task, uint32_t number)
{
	const struct sp_raw_stack *stack;
	const uint64_t *address;
	uint32_t i;

	if (!number)
		return;
	stack = stacks[number]->data;
	address = (const void *)(stack + 1);
	put_flags(stack->flags, stack->flags & SP_RAW_STACK_USER ? "" : "_[k]");
	for (i = stack->frames; i--; ) {
		if (stack->flags & SP_RAW_STACK_USER)
			put_user_frame(task->image, address[i]);
		else
			put_kernel_frame(address[i]);
	}
}

/* Innermost first. */
static void put_user_of_waker(const struct sp_raw_waker *waker)
{
	const struct sp_raw_stack *user;
	uint32_t i;

	if (!waker)
		return;
	user = stacks[waker->user]->data;
	for (i = 0; i < user->frames; i++)
		put_user_frame(waker->image, ((const uint64_t *)(const void *)(user + 1))[i]);
	put_flags(user->flags, "");
}

static void put_waker(uint32_t number)
{
	const struct sp_raw_stack *stack;
	uint32_t i;

	if (!number)
		return;
	stack = stacks[number]->data;
	printf(stack->flags & SP_RAW_STACK_RUNNING ? ";[because_of]" : ";--");
	for (i = 0; i < stack->frames; i++)
		put_kernel_frame(((const uint64_t *)(const void *)(stack + 1))[i]);
	if (stack->flags & SP_RAW_STACK_CUT)
		printf(";[cut]_[k]");
	put_user_of_waker(waker_of(number));
	putchar(';');
	if (stack->flags & SP_RAW_STACK_UNSEEN)
		put_name("[not seen]", 16);
	else if (stack->flags & SP_RAW_STACK_IRQ)
		printf("[interrupt]");
	else if (stack->flags & SP_RAW_STACK_SOFTIRQ)
		printf("[softirq]");
	else
		put_name(stack->waker, sizeof(stack->waker));
}

static bool is_idle(uint32_t number)
{
	const struct sp_raw_stack *stack = number ? stacks[number]->data : NULL;

	return stack && stack->flags & SP_RAW_STACK_IDLE;
}

static void print_folded(void)
{
	struct record *r;

	for_each_record(r, SP_RAW_ENTRY) {
		const struct sp_raw_entry *entry = r->data;
		const struct sp_raw_task *task = tasks[entry->task];

		put_name(task->comm, sizeof(task->comm));
		if (task->tid)
			printf("-%d", task->tid);
		if (is_idle(entry->kernel))
			printf(";[waiting_for_work]");
		if (entry->flags & SP_RAW_ENTRY_LOST_STACK && task->tid)
			printf(";[lost_stack]");
		put_stack(task, entry->user);
		put_stack(task, entry->kernel);
		put_waker(entry->waker);
		printf(" %" PRIu64 "\n", (uint64_t)entry->total / 1000);
	}
}

struct thread {
	uint64_t count, total;
};

/* By TID, which is below 2^22. */
static struct thread *threads;

static void add_thread(int32_t tid, uint64_t count, uint64_t total)
{
	if (tid < 0 || tid >= 1 << 22) {
		complain("a tid that cannot be", (unsigned long long)tid);
		return;
	}
	threads[tid].count += count;
	threads[tid].total += total;
}

static void print_threads(uint32_t kind)
{
	struct record *r;
	int32_t tid;

	threads = calloc(1 << 22, sizeof(*threads));
	if (!threads)
		die("memory");
	for_each_record(r, kind) {
		const struct sp_raw_event *event = r->data;
		const struct sp_raw_entry *entry = r->data;

		if (kind == SP_RAW_EVENT)
			add_thread(event->tid, 1, event->length);
		else
			add_thread(tasks[entry->task]->tid, entry->count, entry->total);
	}
	for (tid = 0; tid < 1 << 22; tid++)
		if (threads[tid].count)
			printf("%d %" PRIu64 " %" PRIu64 "\n", tid,
			       threads[tid].count, threads[tid].total);
	free(threads);
}

/* One that is gone has no number, and only many of these are one. */
static void put_who(int32_t tid, const char *comm, size_t bytes)
{
	printf("%d\t", tid);
	if (tid)
		put_name(comm, bytes);
	else
		printf("[exited]");
}

static void print_tasks(void)
{
	bool interrupts = false;
	struct record *r;

	for_each_record(r, SP_RAW_META)
		if (memmem(r->data, r->head.bytes, "\nconfig.interrupts 1\n", 21))
			interrupts = true;
	for_each_record(r, SP_RAW_LEDGER) {
		const struct sp_raw_ledger *row = r->data;

		printf("%d\t", row->tid);
		put_who(row->tgid, row->comm, sizeof(row->comm));
		printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, (uint64_t)row->oncpu,
		       (uint64_t)row->runqueue, (uint64_t)row->sleep, (uint64_t)row->disk);
		printf("\t%u\t%u\t%u\t%u\t%" PRIu64, row->switches_vol, row->switches_invol,
		       row->wakeups, row->migrations,
		       (uint64_t)(row->oncpu + row->runqueue + row->sleep + row->disk));
		if (interrupts)
			printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, (uint64_t)row->irq,
			       (uint64_t)row->softirq, (uint64_t)row->stolen);
		putchar('\n');
	}
}

static void print_blame(void)
{
	static const char *const culprits[] = {
		[SP_RAW_CULPRIT_IDLE] = "[idle]",
		[SP_RAW_CULPRIT_INTERRUPTS] = "[interrupts]",
		[SP_RAW_CULPRIT_OTHER_CPU] = "[other cpu]",
		[SP_RAW_CULPRIT_THROTTLED] = "[throttled]",
		[SP_RAW_CULPRIT_EARLIER] = "[earlier]",
		[SP_RAW_CULPRIT_EXITED] = "[exited]",
		[SP_RAW_CULPRIT_LOST] = "[lost]",
	};
	struct record *r;

	for_each_record(r, SP_RAW_BLAME) {
		const struct sp_raw_blame *row = r->data;
		bool task = row->culprit == SP_RAW_CULPRIT_TASK;

		put_who(row->tid, row->comm, sizeof(row->comm));
		if (row->culprit > SP_RAW_CULPRIT_LOST || task != !!row->culprit_tid)
			complain("a culprit that cannot be", row->culprit);
		if (task) {
			putchar('\t');
			put_who(row->culprit_tid, row->culprit_comm, sizeof(row->culprit_comm));
		} else if (row->culprit <= SP_RAW_CULPRIT_LOST) {
			printf("\t0\t%s", culprits[row->culprit]);
		}
		printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\n", (uint64_t)row->total,
		       (uint64_t)row->count, (uint64_t)row->longest,
		       row->flags & SP_RAW_BLAME_SELF ? 1 : 0);
	}
}

static void keep(const char *path)
{
	FILE *to = fopen(path, "w");

	if (!to || fwrite(image, 1, image_bytes, to) != image_bytes || fclose(to))
		die(path);
}

int main(int argc, char **argv)
{
	int fd;

	if (argc < 3) {
		fputs("usage: raw check|folded|threads|events|tasks|blame|keep FILE [TO]\n",
		      stderr);
		return 2;
	}
	fd = open(argv[2], O_RDONLY);
	if (fd < 0)
		die(argv[2]);
	image = read_all(fd, 1 << 16, &image_bytes);
	split();
	if (!bad)
		check_records();
	if (!strcmp(argv[1], "check")) {
		check_pieces(fd);
		if (!bad)
			print_sums();
	} else if (!bad && !strcmp(argv[1], "folded")) {
		print_folded();
	} else if (!bad && !strcmp(argv[1], "events")) {
		print_threads(SP_RAW_EVENT);
	} else if (!bad && !strcmp(argv[1], "tasks")) {
		print_tasks();
	} else if (!bad && !strcmp(argv[1], "blame")) {
		print_blame();
	} else if (!bad && !strcmp(argv[1], "threads")) {
		print_threads(SP_RAW_ENTRY);
	} else if (!bad && argc > 3) {
		keep(argv[3]);
	}
	return bad != 0;
}
