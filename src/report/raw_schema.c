// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_schema: what the records of the file raw are made of, as text, for
 * programs that have no header at hand. A line for each kind of record:
 *
 *   KIND NAME BYTES FIELD:TYPE@OFFSET... [REST:TYPE]
 *
 * with REST for what follows the BYTES until the end of the record. Types are s32,
 * u32, u64, u8[N], and char[N] (text, ended by a NUL if it is shorter), text (without a
 * NUL), and u32[] and u64[] (as many as there are).
 *
 * The tables below are the text, and it does not compile if they do not cover the
 * structs: each field is taken by its name, and together they fill the struct.
 * Constant, so there is nothing to lock.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/stddef.h>

#include "report/raw_format.h"
#include "report/report.h"

#define HEAD_FIELDS(F, s)	F(s, kind) F(s, bytes) F(s, crc) F(s, reserved)
#define BEGIN_FIELDS(F, s)	F(s, magic) F(s, byte_order) F(s, version)
#define SYMBOL_FIELDS(F, s)	F(s, address)
#define MAPPING_FIELDS(F, s)						\
	F(s, start) F(s, end) F(s, offset) F(s, image) F(s, kind)
#define STACK_FIELDS(F, s)						\
	F(s, number) F(s, flags) F(s, frames) F(s, guessed) F(s, waker)
#define WAKER_FIELDS(F, s)						\
	F(s, stack) F(s, user) F(s, image) F(s, exec_id) F(s, start_ns)	\
	F(s, tgid) F(s, reserved)
#define TASK_FIELDS(F, s)						\
	F(s, number) F(s, tid) F(s, tgid) F(s, flags) F(s, start_ns)	\
	F(s, leader_start_ns) F(s, image) F(s, exec_id) F(s, comm)	\
	F(s, leader_comm) F(s, cgroup) F(s, reserved)
#define ENTRY_FIELDS(F, s)						\
	F(s, task) F(s, kernel) F(s, user) F(s, waker) F(s, total)	\
	F(s, count) F(s, max) F(s, max_at) F(s, max_cpu) F(s, flags)	\
	F(s, inclusive)
#define LEDGER_FIELDS(F, s)						\
	F(s, tid) F(s, tgid) F(s, start_ns) F(s, oncpu) F(s, runqueue)	\
	F(s, sleep) F(s, disk) F(s, switches_vol) F(s, switches_invol)	\
	F(s, wakeups) F(s, migrations) F(s, comm) F(s, irq)		\
	F(s, softirq) F(s, stolen)
#define BLAME_FIELDS(F, s)						\
	F(s, tid) F(s, tgid) F(s, start_ns) F(s, culprit) F(s, flags)	\
	F(s, culprit_tid) F(s, culprit_tgid) F(s, culprit_start_ns)	\
	F(s, total) F(s, count) F(s, longest) F(s, comm) F(s, leader_comm) \
	F(s, culprit_comm) F(s, culprit_leader_comm) F(s, cgroup)	\
	F(s, culprit_cgroup)
#define CGROUP_FIELDS(F, s)	F(s, number) F(s, reserved) F(s, id)
#define HISTOGRAM_FIELDS(F, s)	F(s, low) F(s, high) F(s, count)
#define FUNCTION_FIELDS(F, s)						\
	F(s, address) F(s, calls) F(s, missed) F(s, flags) F(s, reserved)
#define EVENT_FIELDS(F, s)						\
	F(s, at) F(s, length) F(s, start_ns) F(s, function) F(s, tid)	\
	F(s, tgid) F(s, exec_id) F(s, image) F(s, cpu) F(s, flags)	\
	F(s, kernel) F(s, user) F(s, waker) F(s, depth) F(s, comm)
#define END_FIELDS(F, s)	F(s, records)
#define FILE_FIELDS(F, s)						\
	F(s, number) F(s, generation) F(s, inode) F(s, mtime_ns)	\
	F(s, device_major) F(s, device_minor) F(s, build_id_bytes)	\
	F(s, build_id)
#define FILES_FIELDS(F, s)	F(s, first) F(s, count)

/* Kind, name, and what follows the fields. */
#define RECORDS(R)							\
	R(0, record, HEAD_FIELDS, "")					\
	R(SP_RAW_BEGIN, begin, BEGIN_FIELDS, "")			\
	R(SP_RAW_SYMBOL, symbol, SYMBOL_FIELDS, " name:text")		\
	R(SP_RAW_MAPPING, mapping, MAPPING_FIELDS, " path:text")	\
	R(SP_RAW_STACK, stack, STACK_FIELDS, " addresses:u64[]")	\
	R(SP_RAW_TASK, task, TASK_FIELDS, "")				\
	R(SP_RAW_ENTRY, entry, ENTRY_FIELDS, "")			\
	R(SP_RAW_LEDGER, ledger, LEDGER_FIELDS, "")			\
	R(SP_RAW_HISTOGRAM, histogram, HISTOGRAM_FIELDS, "")		\
	R(SP_RAW_FUNCTION, function, FUNCTION_FIELDS, " name:text")	\
	R(SP_RAW_EVENT, event, EVENT_FIELDS, "")			\
	R(SP_RAW_END, end, END_FIELDS, "")				\
	R(SP_RAW_FILE, file, FILE_FIELDS, "")				\
	R(SP_RAW_FILES, files, FILES_FIELDS, " numbers:u32[]")		\
	R(SP_RAW_WAKER, waker, WAKER_FIELDS, "")			\
	R(SP_RAW_BLAME, blame, BLAME_FIELDS, "")			\
	R(SP_RAW_CGROUP, cgroup, CGROUP_FIELDS, " path:text")

/* 0 is none of them. */
enum type { TYPE_S32 = 1, TYPE_U32, TYPE_U64, TYPE_CHARS, TYPE_BYTES };

struct field {
	const char *name;
	enum type type;
	u16 offset;
	u16 bytes;
};

struct kind {
	unsigned int number;
	const char *name;
	size_t bytes;
	const char *rest;
	const struct field *fields;
	unsigned int count;
};

#define SIZE(s, f)	sizeof_field(struct sp_raw_##s, f)
#define IS(s, f, t)							\
	__builtin_types_compatible_p(typeof_member(struct sp_raw_##s, f), t)
#define TYPE_OF(s, f)							\
	(IS(s, f, __s32) * TYPE_S32 + IS(s, f, __u32) * TYPE_U32 +	\
	 IS(s, f, __u64) * TYPE_U64 + IS(s, f, char[]) * TYPE_CHARS +	\
	 IS(s, f, __u8[]) * TYPE_BYTES)
#define FIELD(s, f)							\
	{ #f, TYPE_OF(s, f) + BUILD_BUG_ON_ZERO(!TYPE_OF(s, f)),	\
	  offsetof(struct sp_raw_##s, f), SIZE(s, f) },
#define BYTES(s, f)	+ SIZE(s, f)
/* All fields of a struct, which they fill. */
#define KIND(id, s, list, after)					\
	{ .number = (id), .name = #s, .rest = (after),			\
	  .bytes = sizeof(struct sp_raw_##s) +				\
		   BUILD_BUG_ON_ZERO(sizeof(struct sp_raw_##s) !=	\
				     0 list(BYTES, s)),			\
	  .fields = (const struct field[]){ list(FIELD, s) },		\
	  .count = sizeof((struct field[]){ list(FIELD, s) }) /		\
		   sizeof(struct field) },

static const struct kind kinds[] = { RECORDS(KIND) };

static void show_field(struct seq_buf *s, const struct field *field)
{
	static const char *const names[] = {
		[TYPE_S32] = "s32", [TYPE_U32] = "u32", [TYPE_U64] = "u64",
	};

	seq_buf_printf(s, " %s:", field->name);
	if (field->type == TYPE_CHARS)
		seq_buf_printf(s, "char[%u]", field->bytes);
	else if (field->type == TYPE_BYTES)
		seq_buf_printf(s, "u8[%u]", field->bytes);
	else
		sp_puts(s, names[field->type]);
	seq_buf_printf(s, "@%u", field->offset);
}

/**
 * sp_raw_schema() - the text
 * @s: where to
 */
void sp_raw_schema(struct seq_buf *s)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		seq_buf_printf(s, "%u %s %zu", kinds[i].number, kinds[i].name,
			       kinds[i].bytes);
		for (j = 0; j < kinds[i].count; j++)
			show_field(s, &kinds[i].fields[j]);
		seq_buf_printf(s, "%s\n", kinds[i].rest);
	}
	seq_buf_printf(s, "%u schema 0 lines:text\n%u meta 0 lines:text\n",
		       SP_RAW_SCHEMA, SP_RAW_META);
}
