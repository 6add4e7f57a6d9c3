// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the unwind tables: rows are those that a search from the first one finds; what is
 * damaged, cut off or out of order is refused and changes nothing; memory is bounded and
 * comes back; files are named that have no table; and a table of generated code is for one
 * process, and takes nothing that files need.
 *
 * Run: make kunit
 */
#include <linux/bitmap.h>
#include <linux/crc32.h>
#include <linux/elf.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "lib/memory.h"
#include "lib/why.h"
#include "suites.h"
#include "unwind/tables.h"

#define MAX_ROWS	3000
#define TEXT		8192

struct fixture {
	struct rnd_state random;
	struct sp_unwind_header *blob;	/* of @rows rows */
	u32 rows;
	struct sp_why why;
	char text[TEXT];
};

static struct sp_unwind_row *rows_of(struct sp_unwind_header *blob)
{
	return (void *)(blob + 1);
}

static size_t bytes_of(u32 rows)
{
	return sizeof(struct sp_unwind_header) + rows * sizeof(struct sp_unwind_row);
}

/* Whatever was changed, it says what it is. */
static void seal(struct sp_unwind_header *blob)
{
	const u8 *from = (const void *)&blob->machine;

	blob->crc = ~crc32_le(~0, from, blob->bytes - (from - (const u8 *)blob));
}

static void begin_blob(struct sp_unwind_header *blob, u32 rows, u8 name)
{
	memset(blob, 0, sizeof(*blob));
	memcpy(blob->magic, SP_UNWIND_MAGIC, sizeof(blob->magic));
	blob->version = SP_UNWIND_VERSION;
	blob->bytes = bytes_of(rows);
	blob->machine = EM_X86_64;
	blob->rows = rows;
	blob->build_id_bytes = SP_UNWIND_BUILD_ID_MAX;
	memset(blob->build_id, name, SP_UNWIND_BUILD_ID_MAX);
}

static u16 any_rule(struct rnd_state *random, u16 *cfa)
{
	*cfa = 1 + sp_random_below(random, U16_MAX);
	switch (sp_random_below(random, 4)) {
	case 0:
		return sp_unwind_rule(SP_UNWIND_SP, 2 + sp_random_below(random, 8000));
	case 1:
		return sp_unwind_rule(SP_UNWIND_FP, 0);
	case 2:
		return sp_unwind_rule(SP_UNWIND_PLT, sp_random_below(random, 16));
	}
	*cfa = 0;
	return sp_unwind_rule(SP_UNWIND_NONE, 0);
}

/* Rows that lie close together here, and far apart there. */
static void make_blob(struct fixture *f, u32 rows, u8 name)
{
	struct sp_unwind_row *row = rows_of(f->blob);
	u64 offset = sp_random_below(&f->random, 5000);
	u32 i;

	f->rows = rows;
	begin_blob(f->blob, rows, name);
	for (i = 0; i < rows; i++) {
		row[i].offset = offset;
		row[i].rule = any_rule(&f->random, &row[i].cfa);
		offset += 1 + sp_random_below(&f->random, sp_random_below(&f->random, 20) ?
					      30 : 1000000);
	}
	seal(f->blob);
}

static int add(struct fixture *f)
{
	return sp_unwind_table_add(f->blob, bytes_of(f->rows), &f->why);
}

static int drop(struct fixture *f, u8 name)
{
	char hex[2 * SP_UNWIND_BUILD_ID_MAX + 1];
	unsigned int i;

	for (i = 0; i < SP_UNWIND_BUILD_ID_MAX; i++)
		snprintf(hex + 2 * i, 3, "%02x", name);
	return sp_unwind_table_remove(hex, &f->why);
}

static struct sp_unwind_file *file_of(u8 name)
{
	u8 build_id[SP_UNWIND_BUILD_ID_MAX];

	memset(build_id, name, sizeof(build_id));
	return sp_unwind_file_get(build_id, sizeof(build_id), "/a file");
}

static u64 value_of(struct fixture *f, const char *name)
{
	struct seq_buf s;
	char *at;
	u64 value = 0;

	seq_buf_init(&s, f->text, TEXT - 1);
	sp_unwind_tables_status(&s);
	f->text[seq_buf_used(&s)] = '\0';
	at = strstr(f->text, name);
	if (at)
		sscanf(at + strlen(name), " %llu", &value);
	return value;
}

static bool is_told(struct fixture *f, void (*show)(struct seq_buf *s), const char *what)
{
	struct seq_buf s;

	seq_buf_init(&s, f->text, TEXT - 1);
	show(&s);
	f->text[seq_buf_used(&s)] = '\0';
	return strstr(f->text, what);
}

static void show_missing(struct seq_buf *s)
{
	sp_unwind_missing_show(s, "", '\t', true);
}

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	test->priv = f;
	f->blob = sp_alloc(bytes_of(MAX_ROWS));
	sp_random_start(test, &f->random);
	/* In a kernel tree, where the module does not. */
	if (!value_of(f, "files"))
		sp_unwind_tables_init();
	return f->blob ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int name;

	if (!f || !f->blob)
		return;
	for (name = 0; name < 8; name++)
		drop(f, name);
	vfree(f->blob);
}

static const struct sp_unwind_row *searched(struct fixture *f, u32 offset)
{
	const struct sp_unwind_row *row = rows_of(f->blob), *found = NULL;
	u32 i;

	for (i = 0; i < f->rows && row[i].offset <= offset; i++)
		found = &row[i];
	return found;
}

static void rows_are_found(struct kunit *test)
{
	static const u32 counts[] = { 1, 2, 3, 8, 9, 100, 1023, MAX_ROWS };
	const struct sp_unwind_row *found, *expected;
	struct fixture *f = test->priv;
	struct sp_unwind_file *file;
	unsigned int i, j;
	u32 offset, last;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		make_blob(f, counts[i], 1);
		KUNIT_ASSERT_EQ_MSG(test, add(f), 0, "%s", f->why.text);
		file = file_of(1);
		KUNIT_ASSERT_NOT_NULL(test, file);
		last = rows_of(f->blob)[f->rows - 1].offset;
		rcu_read_lock();
		for (j = 0; j < 4000; j++) {
			/* Anywhere, at a row, beside one, and beyond the last. */
			offset = sp_random_below(&f->random, last + 100);
			if (j % 4 == 1)
				offset = rows_of(f->blob)[sp_random_below(&f->random,
									  f->rows)].offset;
			else if (j % 4 == 2)
				offset = rows_of(f->blob)[sp_random_below(&f->random,
									  f->rows)].offset - 1;
			else if (j % 400 == 3)
				offset = U32_MAX - j;
			found = sp_unwind_row_of(rcu_dereference(file->table), offset);
			expected = searched(f, offset);
			if (!found != !expected ||
			    (found && memcmp(found, expected, sizeof(*found))))
				break;
		}
		rcu_read_unlock();
		KUNIT_EXPECT_EQ_MSG(test, j, 4000U, "of %u rows, offset %u", f->rows, offset);
		sp_unwind_file_put(file);
	}
}

/* Few rows, far apart. */
static void far_rows_are_found(struct kunit *test)
{
	static const u32 offsets[] = { 0, 5, 0x70000000, 0x80000000, 0xfffffff0 };
	struct fixture *f = test->priv;
	const struct sp_unwind_row *row;
	struct sp_unwind_file *file;
	unsigned int i;

	make_blob(f, ARRAY_SIZE(offsets), 1);
	for (i = 0; i < ARRAY_SIZE(offsets); i++)
		rows_of(f->blob)[i].offset = offsets[i];
	seal(f->blob);
	KUNIT_ASSERT_EQ_MSG(test, add(f), 0, "%s", f->why.text);
	file = file_of(1);
	KUNIT_ASSERT_NOT_NULL(test, file);
	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		row = sp_unwind_row_of(rcu_dereference(file->table), offsets[i] + 4);
		KUNIT_EXPECT_EQ_MSG(test, row ? row->offset : 1, offsets[i], "row %u", i);
	}
	rcu_read_unlock();
	sp_unwind_file_put(file);
}

static void damage_is_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	u8 *byte = (void *)f->blob;
	unsigned int i, at;
	u8 flip;

	make_blob(f, 50, 2);
	for (i = 0; i < 8 * bytes_of(50); i++) {
		at = i / 8;
		flip = BIT(i % 8);
		byte[at] ^= flip;
		f->why.text[0] = '\0';
		KUNIT_EXPECT_LT_MSG(test, add(f), 0, "bit %u", i);
		KUNIT_EXPECT_NE_MSG(test, (int)f->why.text[0], 0, "bit %u", i);
		byte[at] ^= flip;
	}
	/* Of what is written and is nothing, there is not even an address. */
	KUNIT_EXPECT_EQ(test, sp_unwind_table_add(NULL, 0, &f->why), -EINVAL);
	for (i = 0; i < bytes_of(50); i++)
		KUNIT_EXPECT_EQ_MSG(test, sp_unwind_table_add(f->blob, i, &f->why), -EINVAL,
				    "%u bytes", i);
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 0ULL);
	KUNIT_EXPECT_EQ(test, add(f), 0);
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 1ULL);
}

static void same_offset(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[7].offset = row[6].offset;
}

static void out_of_order(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[7].offset = row[6].offset - 1;
}

static void unknown_kind(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[49].rule = sp_unwind_rule(7, 0);
}

static void untold_with_words(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[49].cfa = 1;
	row[49].rule = SP_UNWIND_UNTOLD;
}

static void last_kind(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[0].rule = sp_unwind_rule(7, 0);
}

static void no_way_up(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[5] = (struct sp_unwind_row){ row[5].offset, 0, SP_UNWIND_SP };
}

static void no_way_up_by_frame(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[5] = (struct sp_unwind_row){ row[5].offset, 0, SP_UNWIND_FP };
}

static void saved_over_the_return(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[5].cfa = 1;
	row[5].rule = sp_unwind_rule(SP_UNWIND_SP, 1);
}

static void no_byte_of_a_stub(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[5].cfa = 1;
	row[5].rule = sp_unwind_rule(SP_UNWIND_PLT, 16);
}

static void no_rule_with_words(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	row[5].cfa = 1;
	row[5].rule = SP_UNWIND_NONE;
}

static void another_machine(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->machine = EM_AARCH64;
}

static void unknown_flag(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->flags = 8;
}

static void process_of_root(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->flags = SP_UNWIND_PROCESS | SP_UNWIND_OF_ROOT;
	blob->build_id_bytes = sizeof(struct sp_unwind_process);
	memset(blob->build_id, 0, SP_UNWIND_BUILD_ID_MAX);
}

static void vdso_of_a_process(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->flags = SP_UNWIND_VDSO | SP_UNWIND_PROCESS;
	blob->build_id_bytes = sizeof(struct sp_unwind_process);
	memset(blob->build_id, 0, SP_UNWIND_BUILD_ID_MAX);
}

static void process_as_long_as_a_build_id(struct sp_unwind_header *blob,
					  struct sp_unwind_row *row)
{
	blob->flags = SP_UNWIND_PROCESS;
}

static void no_build_id(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->build_id_bytes = 0;
}

static void more_than_the_build_id(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->build_id_bytes = 8;
}

static void something_reserved(struct sp_unwind_header *blob, struct sp_unwind_row *row)
{
	blob->reserved = 1;
}

static void (*const nonsense[])(struct sp_unwind_header *blob, struct sp_unwind_row *row) = {
	same_offset, out_of_order, unknown_kind, untold_with_words, last_kind, no_way_up,
	no_way_up_by_frame, saved_over_the_return, no_byte_of_a_stub,
	no_rule_with_words, another_machine, unknown_flag, process_of_root, vdso_of_a_process,
	process_as_long_as_a_build_id, no_build_id, more_than_the_build_id,
	something_reserved,
};

/* The checksum is right, what it says is not. */
static void nonsense_is_refused(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_unwind_row *row = rows_of(f->blob);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nonsense); i++) {
		make_blob(f, 50, 3);
		nonsense[i](f->blob, row);
		seal(f->blob);
		KUNIT_EXPECT_LT_MSG(test, add(f), 0, "case %u", i);
	}
	make_blob(f, 50, 3);
	f->blob->version++;
	KUNIT_EXPECT_EQ(test, add(f), -EINVAL);
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 0ULL);
}

static void memory_is_bounded(struct kunit *test)
{
	const u32 rows = (SP_UNWIND_MAX_BYTES - sizeof(struct sp_unwind_header)) /
			 sizeof(struct sp_unwind_row);
	struct fixture *f = test->priv;
	struct sp_unwind_header *large = sp_alloc(bytes_of(rows));
	u64 before = value_of(f, "\nbytes"), most = value_of(f, "max_bytes");
	int err = 0;
	u8 name;
	u32 i;

	if (!large)
		kunit_skip(test, "there is no memory for tables of that size");
	for (name = 0; name < 8 && !err; name++) {
		begin_blob(large, rows, name);
		large->flags = SP_UNWIND_OF_ROOT;
		for (i = 0; i < rows; i++)
			rows_of(large)[i] = (struct sp_unwind_row){ i, 1, SP_UNWIND_SP };
		seal(large);
		err = sp_unwind_table_add(large, bytes_of(rows), &f->why);
		/* Something is left for where programs have mapped their files. */
		KUNIT_EXPECT_LE(test, value_of(f, "\nbytes"), most - most / 4);
	}
	vfree(large);
	KUNIT_EXPECT_TRUE_MSG(test, err == -ENOSPC || err == -ENOMEM, "error %d", err);
	KUNIT_EXPECT_GT(test, name, 2);
	while (name--)
		drop(f, name);
	KUNIT_EXPECT_EQ(test, value_of(f, "\nbytes"), before);
}

/* What anybody may build takes a part of the room, and root's files have the rest. */
static void others_room_is_bounded(struct kunit *test)
{
	const u32 rows = SP_UNWIND_MAX_BYTES / 4 / sizeof(struct sp_unwind_row);
	struct fixture *f = test->priv;
	struct sp_unwind_header *large = sp_alloc(bytes_of(rows));
	u64 most = value_of(f, "max_bytes");
	int err = 0;
	u8 name;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, large);
	for (name = 0; name < 7 && !err; name++) {
		begin_blob(large, rows, name);
		for (i = 0; i < rows; i++)
			rows_of(large)[i] = (struct sp_unwind_row){ i, 1, SP_UNWIND_SP };
		seal(large);
		err = sp_unwind_table_add(large, bytes_of(rows), &f->why);
		KUNIT_EXPECT_LE(test, value_of(f, "others_bytes"), most / 4);
	}
	KUNIT_EXPECT_EQ(test, err, -ENOSPC);
	KUNIT_EXPECT_GT(test, name, 2);
	begin_blob(large, rows, 7);
	large->flags = SP_UNWIND_OF_ROOT;
	seal(large);
	KUNIT_EXPECT_EQ_MSG(test, sp_unwind_table_add(large, bytes_of(rows), &f->why), 0, "%s",
			    f->why.text);
	vfree(large);
}

/* Of what root and somebody else have in the same build-id, also with the same rows. */
static void roots_table_is_known(struct kunit *test)
{
	struct fixture *f = test->priv;

	make_blob(f, 20, 3);
	KUNIT_ASSERT_EQ(test, add(f), 0);
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "\t20\t0\t0\n"));
	KUNIT_EXPECT_GT(test, value_of(f, "others_bytes"), 0ULL);
	f->blob->flags = SP_UNWIND_OF_ROOT;
	seal(f->blob);
	KUNIT_ASSERT_EQ(test, add(f), 0);
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "\t20\t0\t1\n"));
	KUNIT_EXPECT_EQ(test, value_of(f, "others_bytes"), 0ULL);
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 1ULL);
	KUNIT_EXPECT_EQ(test, drop(f, 3), 0);
	KUNIT_EXPECT_EQ(test, value_of(f, "others_bytes"), 0ULL);
	KUNIT_EXPECT_EQ(test, value_of(f, "table_bytes"), 0ULL);
}

static void files_are_named(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 files = value_of(f, "files");
	struct sp_unwind_file *file = file_of(4), *again = file_of(4);

	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_EXPECT_PTR_EQ(test, file, again);
	KUNIT_EXPECT_FALSE(test, is_told(f, show_missing, "0404040404"));
	/* As a walk does. */
	WRITE_ONCE(file->met, true);
	KUNIT_EXPECT_TRUE(test, is_told(f, show_missing, "0404040404"));
	KUNIT_EXPECT_TRUE(test, is_told(f, show_missing, "\t/a file\n"));
	make_blob(f, 20, 4);
	KUNIT_EXPECT_EQ(test, add(f), 0);
	KUNIT_EXPECT_FALSE(test, is_told(f, show_missing, "0404040404"));
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "0404040404"));
	/* Replaced, it is still one. */
	make_blob(f, 30, 4);
	KUNIT_EXPECT_EQ(test, add(f), 0);
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "\t30\t2\t0\n"));
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 1ULL);
	KUNIT_EXPECT_EQ(test, drop(f, 4), 0);
	KUNIT_EXPECT_EQ(test, drop(f, 4), -ENOENT);
	KUNIT_EXPECT_EQ(test, sp_unwind_table_remove("xyz", &f->why), -EINVAL);
	KUNIT_EXPECT_FALSE(test, is_told(f, sp_unwind_tables_show, "0404040404"));
	sp_unwind_file_put(file);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files + 1);
	sp_unwind_file_put(again);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files);
}

/* Programs have the vdso mapped before anybody knows its build-id. */
static void vdso_is_one(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_unwind_file *before = sp_unwind_file_get(NULL, 0, "[vdso]"), *after;

	KUNIT_ASSERT_NOT_NULL(test, before);
	make_blob(f, 10, 5);
	f->blob->flags = SP_UNWIND_VDSO;
	seal(f->blob);
	KUNIT_EXPECT_EQ(test, add(f), 0);
	after = sp_unwind_file_get(NULL, 0, "[vdso]");
	KUNIT_EXPECT_PTR_EQ(test, before, after);
	KUNIT_EXPECT_TRUE(test, rcu_access_pointer(before->table));
	sp_unwind_file_put(before);
	sp_unwind_file_put(after);
	KUNIT_EXPECT_EQ(test, drop(f, 5), 0);
}

/* Some program that runs, with references. Return: NULL: there is none, so early. */
static struct task_struct *any_program(struct mm_struct **mm)
{
	struct task_struct *task, *found = NULL;

	rcu_read_lock();
	for_each_process(task) {
		*mm = get_task_mm(task);
		if (*mm) {
			get_task_struct(task);
			found = task;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

static void name_blob(struct sp_unwind_header *blob, const struct sp_unwind_process *process)
{
	blob->flags = SP_UNWIND_PROCESS;
	blob->build_id_bytes = sizeof(*process);
	memset(blob->build_id, 0, SP_UNWIND_BUILD_ID_MAX);
	memcpy(blob->build_id, process, sizeof(*process));
	seal(blob);
}

static int add_generated(struct fixture *f, u32 rows, const struct sp_unwind_process *process)
{
	make_blob(f, rows, 0);
	name_blob(f->blob, process);
	return add(f);
}

static int drop_generated(struct fixture *f, const struct sp_unwind_process *process)
{
	char name[SP_UNWIND_NAME_ROOM];

	snprintf(name, sizeof(name), SP_UNWIND_PROCESS_FORMAT, process->pid, process->start,
		 process->window);
	return sp_unwind_table_remove(name, &f->why);
}

static bool has_table(const struct sp_unwind_file *file)
{
	return rcu_access_pointer(file->table);
}

static void check_process(struct kunit *test, struct mm_struct *mm,
			  struct sp_unwind_process process)
{
	struct sp_unwind_process other = process;
	struct fixture *f = test->priv;
	u64 bytes = value_of(f, "\nbytes"), files = value_of(f, "files");
	struct sp_unwind_file *file, *beside;
	u32 gone = sp_unwind_tables_gone;

	process.window = 0x7fff;
	other.window = 0x7ffe;
	file = sp_unwind_generated_get(mm, &process);
	beside = sp_unwind_generated_get(mm, &other);
	KUNIT_ASSERT_TRUE(test, file && beside && file != beside);
	KUNIT_EXPECT_EQ(test, add_generated(f, 20, &process), 0);
	KUNIT_EXPECT_TRUE(test, has_table(file) && !has_table(beside));
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "-7fff\t"));
	KUNIT_EXPECT_FALSE(test, is_told(f, sp_unwind_tables_show, "-7ffe\t"));
	/* It goes with what is mapped, which is there. */
	KUNIT_EXPECT_TRUE(test, sp_unwind_tables_reap());
	KUNIT_EXPECT_TRUE(test, has_table(file));
	/* A walk came to what it does not tell. */
	WRITE_ONCE(file->met, true);
	KUNIT_EXPECT_TRUE(test, is_told(f, show_missing, "-7fff\t[generated code]\n"));
	/* The same once more is not another one. */
	KUNIT_EXPECT_EQ(test, add(f), 0);
	KUNIT_EXPECT_EQ(test, sp_unwind_tables_gone, gone);
	KUNIT_EXPECT_FALSE(test, is_told(f, show_missing, "-7fff\t"));
	KUNIT_EXPECT_EQ(test, add_generated(f, 30, &process), 0);
	KUNIT_EXPECT_EQ(test, sp_unwind_tables_gone, gone + 1);
	KUNIT_EXPECT_TRUE(test, is_told(f, sp_unwind_tables_show, "\t30\t1\t0\n"));
	KUNIT_EXPECT_EQ(test, value_of(f, "\ngenerated_tables"), 1ULL);
	KUNIT_EXPECT_EQ(test, drop_generated(f, &other), -ENOENT);
	KUNIT_EXPECT_EQ(test, drop_generated(f, &process), 0);
	KUNIT_EXPECT_EQ(test, drop_generated(f, &process), -ENOENT);
	KUNIT_EXPECT_FALSE(test, has_table(file));
	KUNIT_EXPECT_FALSE(test, sp_unwind_tables_reap());
	sp_unwind_file_put(file);
	sp_unwind_file_put(beside);
	/* Without anybody who has it mapped. */
	KUNIT_EXPECT_EQ(test, add_generated(f, 20, &process), 0);
	KUNIT_EXPECT_EQ(test, drop_generated(f, &process), 0);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files);
	KUNIT_EXPECT_EQ(test, value_of(f, "\nbytes"), bytes);
	KUNIT_EXPECT_EQ(test, value_of(f, "\ngenerated_bytes"), 0ULL);
	/* Another one had that number before, or has it later. */
	process.start++;
	KUNIT_EXPECT_EQ(test, add_generated(f, 20, &process), -ESRCH);
	process.start -= 2;
	KUNIT_EXPECT_EQ(test, add_generated(f, 20, &process), -ESRCH);
	process.pid = 0;
	KUNIT_EXPECT_EQ(test, add_generated(f, 20, &process), -ESRCH);
	KUNIT_EXPECT_EQ(test, value_of(f, "tables"), 0ULL);
}

/* @check: what is done with a program that runs */
static void with_program(struct kunit *test,
			 void (*check)(struct kunit *test, struct mm_struct *mm,
				       struct sp_unwind_process process))
{
	struct sp_unwind_process process;
	struct mm_struct *mm = NULL;
	struct task_struct *task;

	if (!IS_ENABLED(CONFIG_X86_64))
		kunit_skip(test, "unwind tables are followed on x86-64");
	task = any_program(&mm);
	if (!task)
		kunit_skip(test, "no program runs yet");
	sp_unwind_process_of(task, &process);
	check(test, mm, process);
	mmput(mm);
	put_task_struct(task);
}

static void generated_is_of_a_process(struct kunit *test)
{
	with_program(test, check_process);
}

/* Of generated code there is as much as anybody wants: files' tables keep their room. */
static void check_room(struct kunit *test, struct mm_struct *mm,
		       struct sp_unwind_process process)
{
	const u32 rows = SP_UNWIND_MAX_BYTES / 4 / sizeof(struct sp_unwind_row);
	struct fixture *f = test->priv;
	struct sp_unwind_header *large = sp_alloc(bytes_of(rows));
	u64 most = value_of(f, "max_bytes");
	int err = 0;
	u32 i, n;

	KUNIT_ASSERT_NOT_NULL(test, large);
	for (n = 0; n < 16 && !err; n++) {
		begin_blob(large, rows, 1);
		for (i = 0; i < rows; i++)
			rows_of(large)[i] = (struct sp_unwind_row){ i, 1, SP_UNWIND_SP };
		process.window = n;
		name_blob(large, &process);
		err = sp_unwind_table_add(large, bytes_of(rows), &f->why);
		KUNIT_EXPECT_LE(test, value_of(f, "\ngenerated_bytes"), most / 4);
	}
	KUNIT_EXPECT_EQ(test, err, -ENOSPC);
	KUNIT_EXPECT_GT(test, n, 2U);
	/* A file's has room. */
	begin_blob(large, rows, 1);
	seal(large);
	KUNIT_EXPECT_EQ_MSG(test, sp_unwind_table_add(large, bytes_of(rows), &f->why), 0, "%s",
			    f->why.text);
	for (process.window = 0; process.window + 1 < n; process.window++)
		KUNIT_EXPECT_EQ(test, drop_generated(f, &process), 0);
	KUNIT_EXPECT_EQ(test, value_of(f, "\ngenerated_bytes"), 0ULL);
	vfree(large);
}

static void generated_room_is_bounded(struct kunit *test)
{
	with_program(test, check_room);
}

/*
 * Nor do programs with very much of it take the place of files. No table comes, so the
 * memory is only compared.
 */
static void generated_files_are_bounded(struct kunit *test)
{
	const u32 most = 5000;
	struct sp_unwind_process process = { .pid = 1 };
	struct sp_unwind_file **got = sp_alloc(most * sizeof(*got)), *file;
	struct fixture *f = test->priv;
	struct mm_struct *mm = (void *)f;
	u64 files = value_of(f, "files"), lost = value_of(f, "lost_files");
	u32 i, n = 0;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (i = 0; i < most; i++) {
		process.window = i;
		got[n] = sp_unwind_generated_get(mm, &process);
		n += !!got[n];
	}
	KUNIT_EXPECT_EQ(test, n, 4096U);
	KUNIT_EXPECT_EQ(test, value_of(f, "lost_files"), lost + most - n);
	/* Who is known stays so. */
	process.window = 0;
	KUNIT_EXPECT_PTR_EQ(test, sp_unwind_generated_get(mm, &process), got[0]);
	sp_unwind_file_put(got[0]);
	file = file_of(6);
	KUNIT_EXPECT_NOT_NULL(test, file);
	if (file)
		sp_unwind_file_put(file);
	while (n--)
		sp_unwind_file_put(got[n]);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files);
	vfree(got);
}

/* Any user can map as many as he likes. */
static void files_are_bounded(struct kunit *test)
{
	const u32 most = 16384 + 10;
	struct sp_unwind_file **got = sp_alloc(most * sizeof(*got));
	struct fixture *f = test->priv;
	u64 files = value_of(f, "files"), lost = value_of(f, "lost_files");
	u8 build_id[SP_UNWIND_BUILD_ID_MAX] = { };
	u32 i, n = 0;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (i = 0; i < most; i++) {
		memcpy(build_id, &i, sizeof(i));
		got[n] = sp_unwind_file_get(build_id, sizeof(build_id), "/a file");
		n += !!got[n];
	}
	KUNIT_EXPECT_EQ(test, n + (u32)files, 16384U);
	KUNIT_EXPECT_EQ(test, value_of(f, "lost_files"), lost + most - n);
	while (n--)
		sp_unwind_file_put(got[n]);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files);
	vfree(got);
}

/* Notes which of the missing files are told. */
static void note_missing(struct kunit *test, struct seq_buf *s, unsigned long *told)
{
	unsigned int low, high;
	char *at;

	seq_buf_clear(s);
	show_missing(s);
	KUNIT_ASSERT_FALSE(test, seq_buf_has_overflowed(s));
	s->buffer[seq_buf_used(s)] = '\0';
	for (at = s->buffer; (at = strchr(at, '\t')); at++)
		if (at - s->buffer >= 2 * SP_UNWIND_BUILD_ID_MAX &&
		    sscanf(at - 2 * SP_UNWIND_BUILD_ID_MAX + 2, "%2x%2x", &low, &high) == 2)
			set_bit(low | high << 8, told);
}

/* @lines: of missing files, and what the last one says that there are @more */
static void expect_missing(struct kunit *test, struct seq_buf *s, unsigned int lines, u32 more)
{
	unsigned int n = 0;
	u32 told = 0;
	char *at;

	seq_buf_clear(s);
	show_missing(s);
	KUNIT_ASSERT_FALSE(test, seq_buf_has_overflowed(s));
	s->buffer[seq_buf_used(s)] = '\0';
	for (at = s->buffer; (at = strstr(at, "\tmissing")); at++)
		n++;
	at = strstr(s->buffer, "more\t");
	if (at)
		sscanf(at, "more\t%u", &told);
	KUNIT_EXPECT_EQ(test, n, lines);
	KUNIT_EXPECT_EQ(test, told, more);
}

/* A file that was met, and whose program is gone before its table comes. */
static void meet_and_end(struct kunit *test, u8 name)
{
	struct sp_unwind_file *file = file_of(name);

	KUNIT_ASSERT_NOT_NULL(test, file);
	WRITE_ONCE(file->met, true);
	sp_unwind_file_put(file);
}

/* As many as anybody builds are told up to a bound, and the others counted. */
static void missing_files_are_bounded(struct kunit *test)
{
	const unsigned int most = 300, told = 256, room = 64 << 10;
	struct sp_unwind_file **got = kunit_kcalloc(test, most, sizeof(*got), GFP_KERNEL);
	char *text = kunit_kzalloc(test, room, GFP_KERNEL);
	unsigned long *seen = kunit_kcalloc(test, BITS_TO_LONGS(U16_MAX + 1), sizeof(long),
					    GFP_KERNEL);
	u8 build_id[SP_UNWIND_BUILD_ID_MAX] = { 77 };
	struct fixture *f = test->priv;
	u64 files = value_of(f, "files");
	struct seq_buf s;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, got);
	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	seq_buf_init(&s, text, room - 1);
	for (i = 0; i < most; i++) {
		build_id[1] = i;
		build_id[2] = i >> 8;
		got[i] = sp_unwind_file_get(build_id, sizeof(build_id), "missing");
		KUNIT_ASSERT_NOT_NULL(test, got[i]);
	}
	expect_missing(test, &s, 0, 0);
	/* One that got its table since takes no room of those that have none. */
	meet_and_end(test, 7);
	make_blob(f, 10, 7);
	KUNIT_ASSERT_EQ(test, add(f), 0);
	/* As walks in hooks do. */
	for (i = 0; i < most; i++)
		WRITE_ONCE(got[i]->met, true);
	expect_missing(test, &s, told, most - told);
	/* Who asks again is told of the others. */
	note_missing(test, &s, seen);
	note_missing(test, &s, seen);
	KUNIT_EXPECT_EQ(test, bitmap_weight(seen, most), most);
	/* Their programs end: what is kept is bounded, and what is not is counted. */
	for (i = 0; i < most; i++)
		sp_unwind_file_put(got[i]);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files + told + 1);
	expect_missing(test, &s, told, most - told);
	/* The recordings that met them are over. */
	sp_unwind_files_forget();
	expect_missing(test, &s, 0, 0);
	KUNIT_EXPECT_EQ(test, drop(f, 7), 0);
	KUNIT_EXPECT_EQ(test, value_of(f, "files"), files);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(rows_are_found),
	KUNIT_CASE(far_rows_are_found),
	KUNIT_CASE(damage_is_refused),
	KUNIT_CASE(nonsense_is_refused),
	KUNIT_CASE(memory_is_bounded),
	KUNIT_CASE(others_room_is_bounded),
	KUNIT_CASE(roots_table_is_known),
	KUNIT_CASE(files_are_named),
	KUNIT_CASE(vdso_is_one),
	KUNIT_CASE(generated_is_of_a_process),
	KUNIT_CASE(generated_room_is_bounded),
	KUNIT_CASE(generated_files_are_bounded),
	KUNIT_CASE(files_are_bounded),
	KUNIT_CASE(missing_files_are_bounded),
	{}
};

struct kunit_suite sp_unwind_tables_suite = {
	.name = "unwind_tables",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};
