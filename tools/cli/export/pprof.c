// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof: profile.proto, packed by gzip, which `go tool pprof` and servers of profiles
 * read. A sample is a row: how many intervals and how much time, to the ns; who it was
 * is in labels. If there are books, each task has one more sample, with its thread as
 * the only frame and a sample type for each state.
 * One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "facts.h"
#include "formats.h"
#include "message.h"
#include "numbers.h"
#include "places.h"
#include "walk.h"

/* The numbers of fields in profile.proto. */
enum profile {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5, PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9, PROFILE_DURATION_NANOS = 10, PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12, PROFILE_COMMENT = 13, PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};

enum value_type { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum label { LABEL_KEY = 1, LABEL_STR = 2, LABEL_NUM = 3 };

enum mapping {
	MAPPING_ID = 1, MAPPING_MEMORY_LIMIT = 3, MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6, MAPPING_HAS_FUNCTIONS = 7,
};

enum location {
	LOCATION_ID = 1, LOCATION_MAPPING_ID = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4,
};

enum line { LINE_FUNCTION_ID = 1, LINE_LINE = 2 };
enum function {
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILENAME = 4,
};

/* What is known of a mapping. */
struct mapping_data {
	uint64_t path, build_id;	/* strings */
	uint64_t limit;			/* all addresses are below */
};

#define BOOKS	4	/* states in the books */

struct pprof {
	const struct cli_report *report;
	struct cli_message profile, part, list;	/* the whole, a part, and a part of that */
	struct cli_numbers strings, functions, locations, mappings;
	size_t books;		/* sample types: 0 or BOOKS */
	bool failed;
};

static uint64_t string(struct pprof *p, const char *text)
{
	return cli_number(&p->strings, text)->number;
}

/* Ids begin with 1. */
static uint64_t function_id(struct pprof *p, const char *name, const char *file)
{
	size_t before = p->functions.count;
	uint64_t id = cli_number_of(&p->functions, "%s\n%s", name, file)->number + 1;

	if (p->functions.count == before)
		return id;
	cli_put_number(&p->part, FUNCTION_ID, id);
	cli_put_number(&p->part, FUNCTION_NAME, string(p, name));
	cli_put_number(&p->part, FUNCTION_SYSTEM_NAME, string(p, name));
	cli_put_number(&p->part, FUNCTION_FILENAME, string(p, file));
	cli_put_message(&p->profile, PROFILE_FUNCTION, &p->part);
	return id;
}

static struct mapping_data *new_mapping(struct pprof *p, const char *path,
					const char *build_id)
{
	struct mapping_data *data = calloc(1, sizeof(*data));
	char *plain = cli_plain(path);

	if (data && plain) {
		data->path = string(p, plain);
		data->build_id = string(p, build_id);
	} else {
		p->failed = true;
	}
	free(plain);
	return data;
}

static uint64_t mapping_id(struct pprof *p, const struct schedprof_frame *frame,
			   uint64_t address)
{
	const char *path = cli_place_object(frame), *build_id = frame->build_id;
	struct cli_numbered *mapping;
	struct mapping_data *data;

	if (!path)
		return 0;
	mapping = cli_number_of(&p->mappings, "%s\n%s", build_id ? build_id : "", path);
	if (!mapping->data)
		mapping->data = new_mapping(p, path, build_id ? build_id : "");
	data = mapping->data;
	if (data && data->limit <= address && address < UINT64_MAX)
		data->limit = address + 1;
	return mapping->number + 1;
}

static uint64_t location_id(struct pprof *p, const struct cli_level *level)
{
	const struct schedprof_frame *frame = &level->frame;
	uint64_t id, mapping = 0, address = 0, function;
	size_t before = p->locations.count;
	char *file;

	if (level->is_frame) {
		address = cli_place_address(frame);
		mapping = mapping_id(p, frame, address);
	}
	file = cli_plain(frame->source ? frame->source : "");
	function = function_id(p, level->name, file ? file : "");
	p->failed |= !file;
	free(file);
	id = cli_number_of(&p->locations, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %u", mapping,
			   address, function, frame->line)->number + 1;
	if (p->locations.count == before)
		return id;
	cli_put_number(&p->list, LINE_FUNCTION_ID, function);
	cli_put_number(&p->list, LINE_LINE, frame->line);
	cli_put_number(&p->part, LOCATION_ID, id);
	cli_put_number(&p->part, LOCATION_MAPPING_ID, mapping);
	cli_put_number(&p->part, LOCATION_ADDRESS, address);
	cli_put_message(&p->part, LOCATION_LINE, &p->list);
	cli_put_message(&p->profile, PROFILE_LOCATION, &p->part);
	return id;
}

static uint64_t text_location_id(struct pprof *p, const char *text)
{
	const struct cli_level level = { .name = (char *)text };

	return location_id(p, &level);
}

static void put_label(struct pprof *p, struct cli_message *sample, const char *key,
		      const char *text, int64_t number)
{
	if (!text && number <= 0)
		return;
	cli_put_number(&p->list, LABEL_KEY, string(p, key));
	if (text)
		cli_put_number(&p->list, LABEL_STR, string(p, text));
	else
		cli_put_number(&p->list, LABEL_NUM, (uint64_t)number);
	cli_put_message(sample, SAMPLE_LABEL, &p->list);
}

static void put_values(struct pprof *p, struct cli_message *sample, const uint64_t *values)
{
	size_t i;

	for (i = 0; i < 2 + p->books; i++)
		cli_put_plain_number(&p->list, values[i]);
	cli_put_message(sample, SAMPLE_VALUE, &p->list);
}

static int write_sample(const struct cli_report *report, const struct cli_stack *stack,
			void *data)
{
	const uint64_t values[2 + BOOKS] = { stack->row->count, stack->row->total };
	struct cli_message sample = { }, ids = { };
	struct pprof *p = data;
	size_t i;

	/* The innermost first. What has none is not shown. */
	for (i = stack->count; i--; )
		cli_put_plain_number(&ids, location_id(p, &stack->levels[i]));
	if (!stack->count)
		cli_put_plain_number(&ids, text_location_id(p, stack->thread ? stack->thread :
							    "[no stack]"));
	cli_put_message(&sample, SAMPLE_LOCATION_ID, &ids);
	put_values(p, &sample, values);
	if (stack->task) {
		put_label(p, &sample, "thread", stack->comm, 0);
		put_label(p, &sample, "pid", NULL, stack->task->tgid);
		put_label(p, &sample, "tid", NULL,
			  report->o->group == SCHEDPROF_BY_THREAD ? stack->task->tid : 0);
	}
	put_label(p, &sample, "state", cli_time_name(report), 0);
	cli_put_message(&p->profile, PROFILE_SAMPLE, &sample);
	cli_message_free(&sample);
	cli_message_free(&ids);
	return CLI_OK;
}

static void write_task_books(struct pprof *p, const struct schedprof_ledger *ledger,
			     const char *comm, const char *name)
{
	const uint64_t values[2 + BOOKS] = {
		0, 0, ledger->oncpu, ledger->runqueue, ledger->sleep, ledger->disk,
	};
	struct cli_message sample = { };
	uint64_t id = text_location_id(p, name);

	cli_put_plain_number(&p->list, id);
	cli_put_message(&sample, SAMPLE_LOCATION_ID, &p->list);
	put_values(p, &sample, values);
	put_label(p, &sample, "thread", comm, 0);
	put_label(p, &sample, "pid", NULL, ledger->tgid);
	put_label(p, &sample, "tid", NULL, ledger->tid);
	cli_put_message(&p->profile, PROFILE_SAMPLE, &sample);
	cli_message_free(&sample);
}

/* A sample of its own for each task, since the books know of no stacks. */
static void write_books(struct pprof *p)
{
	const struct schedprof_ledger *ledger;
	size_t i;

	for (i = 0; (ledger = schedprof_ledger_at(p->report->recording, i)); i++) {
		const struct schedprof_task task = cli_ledger_task(ledger);
		char *name = cli_task_name(&task, SCHEDPROF_BY_THREAD, SCHEDPROF_NAMED);
		char *comm = cli_task_name(&task, SCHEDPROF_BY_COMM, SCHEDPROF_NAMED);

		if (name && comm)
			write_task_books(p, ledger, comm, name);
		else
			p->failed = true;
		free(name);
		free(comm);
	}
}

static void put_value_type(struct pprof *p, uint32_t field, const char *type,
			   const char *unit)
{
	cli_put_number(&p->part, VALUE_TYPE_TYPE, string(p, type));
	cli_put_number(&p->part, VALUE_TYPE_UNIT, string(p, unit));
	cli_put_message(&p->profile, field, &p->part);
}

static const char *unit_of(const struct pprof *p)
{
	return p->report->cycles ? "cycles" : "nanoseconds";
}

static void put_types(struct pprof *p)
{
	static const char *const books[BOOKS] = {
		"task_oncpu", "task_runqueue", "task_sleep", "task_disk",
	};
	const char *time = cli_time_name(p->report);
	size_t i;

	put_value_type(p, PROFILE_SAMPLE_TYPE, cli_count_name(p->report), "count");
	put_value_type(p, PROFILE_SAMPLE_TYPE, time, unit_of(p));
	for (i = 0; i < p->books; i++)
		put_value_type(p, PROFILE_SAMPLE_TYPE, books[i], unit_of(p));
	/* Nothing is sampled: each value is exact. */
	put_value_type(p, PROFILE_PERIOD_TYPE, time, unit_of(p));
	cli_put_number(&p->profile, PROFILE_PERIOD, 1);
	cli_put_number(&p->profile, PROFILE_DEFAULT_SAMPLE_TYPE, string(p, time));
}

static void put_facts(struct pprof *p)
{
	char *fact;
	size_t i;

	cli_put_number(&p->profile, PROFILE_TIME_NANOS, cli_begin_time(p->report));
	cli_put_number(&p->profile, PROFILE_DURATION_NANOS, cli_duration(p->report));
	for (i = 0; (fact = cli_fact(p->report, i)); i++) {
		if (*fact)
			cli_put_number(&p->profile, PROFILE_COMMENT, string(p, fact));
		free(fact);
	}
}

static void put_mappings(struct pprof *p)
{
	const struct cli_numbered *mapping;

	for (mapping = p->mappings.first; mapping; mapping = mapping->next) {
		struct mapping_data *data = mapping->data;

		if (!data)
			continue;
		cli_put_number(&p->part, MAPPING_ID, mapping->number + 1);
		cli_put_number(&p->part, MAPPING_MEMORY_LIMIT, data->limit);
		cli_put_number(&p->part, MAPPING_FILENAME, data->path);
		cli_put_number(&p->part, MAPPING_BUILD_ID, data->build_id);
		cli_put_number(&p->part, MAPPING_HAS_FUNCTIONS, 1);
		cli_put_message(&p->profile, PROFILE_MAPPING, &p->part);
	}
}

static void put_strings(struct pprof *p)
{
	const struct cli_numbered *text;

	for (text = p->strings.first; text; text = text->next)
		cli_put_text(&p->profile, PROFILE_STRING_TABLE, text->text);
}

/* Return: CLI_OK, or CLI_FAILED after saying why. What cannot be written, out knows. */
static int write_packed(const struct cli_message *message, FILE *out)
{
	unsigned char room[65536];
	size_t left = message->size;
	z_stream zip = { .next_in = message->at };
	int result = Z_OK;

	/* 16: in the format of gzip. */
	if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return cli_no_memory();
	while (result != Z_STREAM_END) {
		/* zlib counts with an int. */
		if (!zip.avail_in) {
			zip.avail_in = left < 1 << 30 ? (uInt)left : 1 << 30;
			left -= zip.avail_in;
		}
		zip.next_out = room;
		zip.avail_out = sizeof(room);
		result = deflate(&zip, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(room, 1, sizeof(room) - zip.avail_out, out);
	}
	deflateEnd(&zip);
	return CLI_OK;
}

static void free_pprof(struct pprof *p)
{
	cli_message_free(&p->profile);
	cli_message_free(&p->part);
	cli_message_free(&p->list);
	cli_numbers_free(&p->strings);
	cli_numbers_free(&p->functions);
	cli_numbers_free(&p->locations);
	cli_numbers_free(&p->mappings);
}

/* A profile of pprof. */
int cli_write_pprof(const struct cli_report *report, FILE *out)
{
	/* The first mapping gives the whole its name, so let it be the kernel. */
	static const struct schedprof_frame kernel = { .kind = SCHEDPROF_FRAME_KERNEL };
	struct pprof p = { .report = report };
	int err;

	p.books = schedprof_ledger_count(report->recording) ? BOOKS : 0;
	/* The first string has to be the empty one. */
	string(&p, "");
	mapping_id(&p, &kernel, 0);
	put_types(&p);
	put_facts(&p);
	err = cli_walk(report, SCHEDPROF_NAMED, write_sample, &p);
	if (!err) {
		write_books(&p);
		put_mappings(&p);
		put_strings(&p);
		if (p.failed || p.profile.failed || p.part.failed || p.list.failed ||
		    p.strings.failed || p.functions.failed || p.locations.failed ||
		    p.mappings.failed)
			err = cli_no_memory();
		else
			err = write_packed(&p.profile, out);
	}
	free_pprof(&p);
	return err;
}
