// SPDX-License-Identifier: GPL-2.0-only
/*
 * otlp: profiles of OpenTelemetry's protocol, as 1.11.0 has them in its development
 * stage: the message that is posted to /v1development/profiles. A process is a resource,
 * and has a profile for what is counted and one for the time; if there are books, also one
 * for each state in them, with the thread as the only frame.
 *
 * Tables are shared by all profiles, and their first elements stand for nothing. One
 * thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "formats.h"
#include "message.h"
#include "numbers.h"
#include "places.h"
#include "walk.h"

/* The numbers of fields in profiles.proto, resource.proto and common.proto. */
enum request { REQUEST_RESOURCE_PROFILES = 1, REQUEST_DICTIONARY = 2 };

enum dictionary {
	DICTIONARY_MAPPING = 1, DICTIONARY_LOCATION = 2, DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4, DICTIONARY_STRING = 5, DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,
};

enum resource_profiles { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE = 2 };
enum scope_profiles { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILE = 2 };
enum scope { SCOPE_NAME = 1, SCOPE_VERSION = 2 };
enum resource { RESOURCE_ATTRIBUTE = 1 };
enum key_value { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum any_value { ANY_VALUE_STRING = 1, ANY_VALUE_INT = 3 };

enum profile {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_TIME = 3, PROFILE_DURATION = 4,
	PROFILE_PERIOD_TYPE = 5, PROFILE_PERIOD = 6,
};

enum value_type { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES = 2, SAMPLE_VALUES = 4 };
enum mapping { MAPPING_LIMIT = 2, MAPPING_FILENAME = 4, MAPPING_ATTRIBUTES = 5 };

enum location {
	LOCATION_MAPPING = 1, LOCATION_ADDRESS = 2, LOCATION_LINE = 3,
	LOCATION_ATTRIBUTES = 4,
};

enum line { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum function { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME = 2, FUNCTION_FILENAME = 3 };
enum stack { STACK_LOCATIONS = 1 };
enum attribute { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE = 2 };

/* What a profile is about. */
enum kind { KIND_COUNT, KIND_TIME, KIND_ONCPU, KIND_RUNQUEUE, KIND_SLEEP, KIND_DISK, KINDS };

/* The samples of a process, as fields of their profiles. */
struct process {
	int32_t pid;
	struct cli_message samples[KINDS];
};

struct mapping_data {
	uint64_t filename;	/* string */
	uint64_t build_id;	/* attribute; 0: not known */
	uint64_t limit;		/* all addresses are below */
};

struct otlp {
	const struct cli_report *report;
	struct cli_message dictionary, request;
	struct cli_message part, list, value;	/* ever smaller parts */
	struct cli_message ids, labels;		/* locations; attributes of samples */
	struct cli_numbers strings, attributes, functions, locations, mappings, stacks;
	struct cli_numbers processes;
	bool failed;
};

static uint64_t string(struct otlp *o, const char *text)
{
	return cli_number(&o->strings, text)->number;
}

static void put_value(struct otlp *o, struct cli_message *message, uint32_t field,
		      const char *text, uint64_t number)
{
	if (text)
		cli_put_text(&o->value, ANY_VALUE_STRING, text);
	else
		cli_put_number(&o->value, ANY_VALUE_INT, number);
	cli_put_message(message, field, &o->value);
}

/* The number of an attribute in the table; text is NULL if it is a number. */
static uint64_t attribute(struct otlp *o, const char *key, const char *text, uint64_t number)
{
	size_t before = o->attributes.count, index;

	index = cli_number_of(&o->attributes, "%s=%s%" PRIu64, key, text ? text : "",
			      number)->number;
	if (o->attributes.count == before)
		return index;
	cli_put_number(&o->list, ATTRIBUTE_KEY, string(o, key));
	put_value(o, &o->list, ATTRIBUTE_VALUE, text, number);
	cli_put_message(&o->dictionary, DICTIONARY_ATTRIBUTE, &o->list);
	return index;
}

static void put_index(struct otlp *o, struct cli_message *message, uint32_t field,
		      uint64_t index)
{
	if (!index)
		return;
	cli_put_plain_number(&o->value, index);
	cli_put_message(message, field, &o->value);
}

static uint64_t function_index(struct otlp *o, const char *name, const char *file)
{
	size_t before = o->functions.count, index;

	index = cli_number_of(&o->functions, "%s\n%s", name, file)->number;
	if (o->functions.count == before)
		return index;
	cli_put_number(&o->list, FUNCTION_NAME, string(o, name));
	cli_put_number(&o->list, FUNCTION_SYSTEM_NAME, string(o, name));
	cli_put_number(&o->list, FUNCTION_FILENAME, string(o, file));
	cli_put_message(&o->dictionary, DICTIONARY_FUNCTION, &o->list);
	return index;
}

static struct mapping_data *new_mapping(struct otlp *o, const char *path,
					const char *build_id)
{
	struct mapping_data *data = calloc(1, sizeof(*data));
	char *plain = cli_plain(path);

	if (data && plain) {
		data->filename = string(o, plain);
		if (*build_id)
			data->build_id = attribute(o, "process.executable.build_id.gnu",
						   build_id, 0);
	} else {
		o->failed = true;
	}
	free(plain);
	return data;
}

static uint64_t mapping_index(struct otlp *o, const struct schedprof_frame *frame,
			      uint64_t address)
{
	const char *path = cli_place_object(frame);
	const char *build_id = frame->build_id ? frame->build_id : "";
	struct cli_numbered *mapping;
	struct mapping_data *data;

	if (!path)
		return 0;
	mapping = cli_number_of(&o->mappings, "%s\n%s", build_id, path);
	if (!mapping->data)
		mapping->data = new_mapping(o, path, build_id);
	data = mapping->data;
	if (data && data->limit <= address && address < UINT64_MAX)
		data->limit = address + 1;
	return mapping->number;
}

static uint64_t frame_type(struct otlp *o, const struct cli_level *level)
{
	if (!level->is_frame)
		return 0;
	return attribute(o, "profile.frame.type",
			 level->frame.kind == SCHEDPROF_FRAME_KERNEL ? "kernel" : "native", 0);
}

static uint64_t location_index(struct otlp *o, const struct cli_level *level)
{
	const struct schedprof_frame *frame = &level->frame;
	size_t before = o->locations.count;
	uint64_t index, mapping = 0, address = 0, function, type;
	char *file = cli_plain(frame->source ? frame->source : "");

	if (level->is_frame) {
		address = cli_place_address(frame);
		mapping = mapping_index(o, frame, address);
	}
	function = function_index(o, level->name, file ? file : "");
	o->failed |= !file;
	free(file);
	type = frame_type(o, level);
	index = cli_number_of(&o->locations, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %u",
			      mapping, address, function, frame->line)->number;
	if (o->locations.count == before)
		return index;
	cli_put_number(&o->list, LINE_FUNCTION, function);
	cli_put_number(&o->list, LINE_LINE, frame->line);
	cli_put_number(&o->part, LOCATION_MAPPING, mapping);
	cli_put_number(&o->part, LOCATION_ADDRESS, address);
	cli_put_message(&o->part, LOCATION_LINE, &o->list);
	put_index(o, &o->part, LOCATION_ATTRIBUTES, type);
	cli_put_message(&o->dictionary, DICTIONARY_LOCATION, &o->part);
	return index;
}

static void add_location(struct otlp *o, const struct cli_level *level)
{
	uint64_t index = location_index(o, level);

	cli_put_plain_number(&o->ids, index);
}

/* Of the locations that were added, the innermost first. */
static uint64_t stack_index(struct otlp *o)
{
	size_t before = o->stacks.count, index;

	/* No number is 0, so no byte of them is, and they are a text. */
	cli_put_plain_number(&o->ids, 0);
	if (o->ids.failed) {
		o->ids.size = 0;
		return 0;
	}
	index = cli_number(&o->stacks, (const char *)o->ids.at)->number;
	o->ids.size--;
	if (o->stacks.count > before) {
		cli_put_message(&o->list, STACK_LOCATIONS, &o->ids);
		cli_put_message(&o->dictionary, DICTIONARY_STACK, &o->list);
	}
	o->ids.size = 0;
	return index;
}

static struct process *process_of(struct otlp *o, int32_t pid)
{
	struct cli_numbered *numbered = cli_number_of(&o->processes, "%" PRId32, pid);
	struct process *process = numbered->data;

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process || o->processes.failed) {
		free(process);
		o->failed = true;
		return NULL;
	}
	process->pid = pid;
	numbered->data = process;
	return process;
}

/* Makes the attributes of samples that follow. */
static void set_thread(struct otlp *o, const char *comm, int32_t tid)
{
	uint64_t index;

	o->labels.size = 0;
	if (comm && *comm) {
		index = attribute(o, "thread.name", comm, 0);
		cli_put_plain_number(&o->labels, index);
	}
	if (tid > 0) {
		index = attribute(o, "thread.id", NULL, (uint64_t)tid);
		cli_put_plain_number(&o->labels, index);
	}
}

static void add_sample(struct otlp *o, struct process *process, enum kind kind,
		       uint64_t stack, uint64_t value)
{
	cli_put_number(&o->part, SAMPLE_STACK, stack);
	if (o->labels.size)
		cli_put_bytes(&o->part, SAMPLE_ATTRIBUTES, o->labels.at, o->labels.size);
	cli_put_plain_number(&o->list, value);
	cli_put_message(&o->part, SAMPLE_VALUES, &o->list);
	cli_put_message(&process->samples[kind], PROFILE_SAMPLE, &o->part);
}

static int take_row(const struct cli_report *report, const struct cli_stack *stack,
		    void *data)
{
	const struct schedprof_task *task = stack->task;
	const struct cli_level whole = {
		.name = (char *)(stack->thread ? stack->thread : "[no stack]"),
	};
	struct otlp *o = data;
	struct process *process = process_of(o, task && task->tgid > 0 ? task->tgid : 0);
	uint64_t index;
	size_t i;

	if (!process)
		return cli_no_memory();
	for (i = stack->count; i--; )
		add_location(o, &stack->levels[i]);
	if (!stack->count)
		add_location(o, &whole);
	index = stack_index(o);
	set_thread(o, stack->comm, task && report->o->group == SCHEDPROF_BY_THREAD ?
		   task->tid : 0);
	add_sample(o, process, KIND_COUNT, index, stack->row->count);
	add_sample(o, process, KIND_TIME, index, stack->row->total);
	return CLI_OK;
}

static void take_task_books(struct otlp *o, const struct schedprof_ledger *ledger)
{
	const struct schedprof_task task = cli_ledger_task(ledger);
	char *name = cli_task_name(&task, SCHEDPROF_BY_THREAD, SCHEDPROF_NAMED);
	char *comm = cli_task_name(&task, SCHEDPROF_BY_COMM, SCHEDPROF_NAMED);
	struct process *process = process_of(o, ledger->tgid > 0 ? ledger->tgid : 0);
	const struct cli_level level = { .name = name };
	uint64_t index;

	if (name && comm && process) {
		add_location(o, &level);
		index = stack_index(o);
		set_thread(o, comm, ledger->tid);
		add_sample(o, process, KIND_ONCPU, index, ledger->oncpu);
		add_sample(o, process, KIND_RUNQUEUE, index, ledger->runqueue);
		add_sample(o, process, KIND_SLEEP, index, ledger->sleep);
		add_sample(o, process, KIND_DISK, index, ledger->disk);
	} else {
		o->failed = true;
	}
	free(name);
	free(comm);
}

static void take_books(struct otlp *o)
{
	const struct schedprof_ledger *ledger;
	size_t i;

	for (i = 0; (ledger = schedprof_ledger_at(o->report->recording, i)); i++)
		take_task_books(o, ledger);
}

static const char *kind_name(const struct otlp *o, enum kind kind)
{
	static const char *const books[KINDS] = {
		[KIND_ONCPU] = "task_oncpu",
		[KIND_RUNQUEUE] = "task_runqueue",
		[KIND_SLEEP] = "task_sleep",
		[KIND_DISK] = "task_disk",
	};

	if (kind == KIND_COUNT)
		return cli_count_name(o->report);
	return kind == KIND_TIME ? cli_time_name(o->report) : books[kind];
}

static void put_value_type(struct otlp *o, struct cli_message *profile, uint32_t field,
			   enum kind kind)
{
	const char *unit = o->report->cycles ? "cycles" : "nanoseconds";

	cli_put_number(&o->value, VALUE_TYPE_TYPE, string(o, kind_name(o, kind)));
	cli_put_number(&o->value, VALUE_TYPE_UNIT,
		       string(o, kind == KIND_COUNT ? "count" : unit));
	cli_put_message(profile, field, &o->value);
}

/* The samples are fields of it already. */
static void put_profile(struct otlp *o, struct cli_message *scope, enum kind kind,
			const struct cli_message *samples)
{
	put_value_type(o, &o->list, PROFILE_SAMPLE_TYPE, kind);
	cli_put_fixed64(&o->list, PROFILE_TIME, cli_begin_time(o->report));
	cli_put_number(&o->list, PROFILE_DURATION, cli_duration(o->report));
	put_value_type(o, &o->list, PROFILE_PERIOD_TYPE, kind);
	/* Nothing is sampled: each value is exact. */
	cli_put_number(&o->list, PROFILE_PERIOD, 1);
	cli_add_message(&o->list, samples);
	cli_put_message(scope, SCOPE_PROFILES_PROFILE, &o->list);
}

static void put_resource_attribute(struct otlp *o, struct cli_message *resource,
				   const char *key, const char *text, uint64_t number)
{
	cli_put_text(&o->list, KEY_VALUE_KEY, key);
	put_value(o, &o->list, KEY_VALUE_VALUE, text, number);
	cli_put_message(resource, RESOURCE_ATTRIBUTE, &o->list);
}

static void put_resource(struct otlp *o, struct cli_message *profiles, int32_t pid)
{
	const char *host = schedprof_meta(o->report->recording, "hostname");
	char *plain = cli_plain(host ? host : "");
	struct cli_message resource = { };

	if (plain && *plain)
		put_resource_attribute(o, &resource, "host.name", plain, 0);
	if (pid)
		put_resource_attribute(o, &resource, "process.pid", NULL, (uint64_t)pid);
	cli_put_message(profiles, RESOURCE_PROFILES_RESOURCE, &resource);
	o->failed |= !plain;
	free(plain);
	cli_message_free(&resource);
}

static void put_process(struct otlp *o, struct process *process)
{
	struct cli_message profiles = { }, scope = { };
	enum kind kind;

	put_resource(o, &profiles, process->pid);
	cli_put_text(&o->list, SCOPE_NAME, "schedprof");
	cli_put_text(&o->list, SCOPE_VERSION, SCHEDPROF_VERSION);
	cli_put_message(&scope, SCOPE_PROFILES_SCOPE, &o->list);
	for (kind = 0; kind < KINDS; kind++)
		if (process->samples[kind].size)
			put_profile(o, &scope, kind, &process->samples[kind]);
	cli_put_message(&profiles, RESOURCE_PROFILES_SCOPE, &scope);
	cli_put_message(&o->request, REQUEST_RESOURCE_PROFILES, &profiles);
	cli_message_free(&scope);
	cli_message_free(&profiles);
}

/* What all tables begin with. */
static void put_nothing(struct otlp *o)
{
	static const uint32_t tables[] = {
		DICTIONARY_LOCATION, DICTIONARY_FUNCTION, DICTIONARY_LINK,
		DICTIONARY_ATTRIBUTE, DICTIONARY_STACK,
	};
	struct cli_numbers *const numbers[] = {
		&o->strings, &o->attributes, &o->functions, &o->locations, &o->mappings,
		&o->stacks,
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		cli_number(numbers[i], "");
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		cli_put_bytes(&o->dictionary, tables[i], "", 0);
}

static void put_mappings(struct otlp *o)
{
	const struct cli_numbered *mapping;

	for (mapping = o->mappings.first; mapping; mapping = mapping->next) {
		const struct mapping_data *data = mapping->data;

		if (data) {
			cli_put_number(&o->part, MAPPING_LIMIT, data->limit);
			cli_put_number(&o->part, MAPPING_FILENAME, data->filename);
			put_index(o, &o->part, MAPPING_ATTRIBUTES, data->build_id);
		}
		cli_put_message(&o->dictionary, DICTIONARY_MAPPING, &o->part);
	}
}

static void put_dictionary(struct otlp *o)
{
	const struct cli_numbered *text;

	put_mappings(o);
	for (text = o->strings.first; text; text = text->next)
		cli_put_text(&o->dictionary, DICTIONARY_STRING, text->text);
	cli_put_message(&o->request, REQUEST_DICTIONARY, &o->dictionary);
}

static bool has_failed(const struct otlp *o)
{
	return o->failed || o->request.failed || o->part.failed || o->list.failed ||
	       o->value.failed || o->ids.failed || o->labels.failed || o->strings.failed ||
	       o->attributes.failed || o->functions.failed || o->locations.failed ||
	       o->mappings.failed || o->stacks.failed || o->processes.failed;
}

static int write_request(struct otlp *o, FILE *out)
{
	const struct cli_numbered *process;

	for (process = o->processes.first; process; process = process->next)
		if (process->data)
			put_process(o, process->data);
	put_dictionary(o);
	if (has_failed(o))
		return cli_no_memory();
	fwrite(o->request.at, 1, o->request.size, out);
	return CLI_OK;
}

static void free_otlp(struct otlp *o)
{
	struct cli_message *const messages[] = {
		&o->dictionary, &o->request, &o->part, &o->list, &o->value, &o->ids,
		&o->labels,
	};
	struct cli_numbers *const numbers[] = {
		&o->strings, &o->attributes, &o->functions, &o->locations, &o->mappings,
		&o->stacks, &o->processes,
	};
	const struct cli_numbered *numbered;
	enum kind kind;
	size_t i;

	for (numbered = o->processes.first; numbered; numbered = numbered->next) {
		struct process *process = numbered->data;

		for (kind = 0; process && kind < KINDS; kind++)
			cli_message_free(&process->samples[kind]);
	}
	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		cli_message_free(messages[i]);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		cli_numbers_free(numbers[i]);
}

/* Profiles of OpenTelemetry. */
int cli_write_otlp(const struct cli_report *report, FILE *out)
{
	struct otlp o = { .report = report };
	int err;

	put_nothing(&o);
	err = cli_walk(report, SCHEDPROF_NAMED, take_row, &o);
	if (!err) {
		take_books(&o);
		err = write_request(&o, out);
	}
	free_otlp(&o);
	return err;
}
