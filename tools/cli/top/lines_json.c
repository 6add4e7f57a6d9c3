// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines_json: a look of schedprof top as one line of JSON, with all rows and exact figures.
 * The schema is doc/json-schema/top.json. Functions without state, so nothing is locked.
 */
#include "../json.h"
#include "../names.h"
#include "lines_json.h"

static void put_blamed(struct cli_json *list, const struct cli_blamed *blamed, int by)
{
	struct cli_json object = { .out = list->out };
	char name[CLI_NAME];

	cli_json_next(list, " {");
	cli_json_text(&object, "culprit", cli_party_as_is(&blamed->culprit, name));
	if (blamed->culprit.tid)
		cli_json_number(&object, by == SCHEDPROF_BY_PROCESS ? "culprit_pid" :
				"culprit_tid", (uint64_t)blamed->culprit.tid);
	cli_json_truth(&object, "self", blamed->self);
	cli_json_time(&object, "total", blamed->total);
	cli_json_number(&object, "count", blamed->count);
	fputs(" }", object.out);
}

static void put_row(struct cli_json *list, const struct top_rows *rows,
		    const struct top_row *row, int by)
{
	struct cli_json object = { .out = list->out }, blame = { .out = list->out };
	char name[CLI_NAME];
	size_t i;

	cli_json_next(list, " {");
	cli_json_text(&object, "name", cli_party_as_is(&row->who, name));
	if (row->who.tid)
		cli_json_number(&object, by == SCHEDPROF_BY_PROCESS ? "pid" : "tid",
				(uint64_t)row->who.tid);
	cli_json_number(&object, "threads", row->tasks);
	cli_json_time(&object, "oncpu", row->figures.time[TOP_ONCPU]);
	if (rows->splits)
		cli_json_time(&object, "irq", row->figures.time[TOP_IRQ]);
	cli_json_time(&object, "runqueue", row->figures.time[TOP_RUNQUEUE]);
	cli_json_time(&object, "sleep", row->figures.time[TOP_SLEEP]);
	cli_json_time(&object, "disk", row->figures.time[TOP_DISK]);
	cli_json_number(&object, "switches", row->figures.switches);
	cli_json_number(&object, "wakeups", row->figures.wakeups);
	cli_json_number(&object, "waits", row->figures.waits);
	cli_json_time(&object, "waited", row->figures.waited);
	cli_json_time(&object, "longest", row->longest);
	cli_json_truth(&object, "longest_is_new", row->longest_is_new);
	cli_json_key(&object, " ", "blame");
	fputc('[', object.out);
	for (i = 0; i < row->blamed_count; i++)
		put_blamed(&blame, &row->blamed[i], by);
	fputs(" ] }", object.out);
}

/**
 * top_lines_json() - write a look
 * @live: read
 * @rows: of it
 * @by: enum schedprof_by: what is a row
 * @limit: of rows
 * @out: where to
 */
void top_lines_json(const struct top_live *live, const struct top_rows *rows, int by,
		    uint64_t limit, FILE *out)
{
	static const char *const words[] = {
		[SCHEDPROF_BY_THREAD] = "thread", [SCHEDPROF_BY_PROCESS] = "process",
		[SCHEDPROF_BY_COMM] = "comm", [SCHEDPROF_BY_CGROUP] = "cgroup",
	};
	const struct top_facts *facts = &live->facts;
	struct cli_json look = { .out = out }, list = { .out = out };
	size_t i;

	fputc('{', out);
	cli_json_number(&look, "schedprof_top", 1);
	cli_json_text(&look, "hostname", facts->host);
	cli_json_text(&look, "kernel", facts->kernel);
	cli_json_number(&look, "cpus", facts->cpus);
	cli_json_text(&look, "group_by", words[by]);
	cli_json_time(&look, "wall", rows->wall_ns);
	cli_json_number(&look, "switches", facts->switches);
	cli_json_time(&look, "overhead", facts->overhead_ns);
	cli_json_time(&look, "lost", facts->lost_ns);
	cli_json_number(&look, "unbooked", facts->unbooked);
	cli_json_time(&look, "blind", facts->blind_ns);
	cli_json_number(&look, "row_count", rows->count);
	cli_json_key(&look, " ", "rows");
	fputc('[', out);
	for (i = 0; i < rows->count && i < limit; i++)
		put_row(&list, rows, &rows->rows[i], by);
	fputs(" ] }\n", out);
}
