// SPDX-License-Identifier: GPL-2.0-only
/*
 * tables: unwind tables, by the build-id of their files; or, of generated code, by the
 * process, found when the table comes and from then on known by its address space: what
 * runs under the same PID later, or in the same process, has another one.
 *
 * A table is checked when it comes, and published by RCU when it is whole: a walk takes all
 * of it or none. What it says is not believed even so: a walk reads no memory by it that is
 * not the program's own, and ends (unwind/by_table_x86.c). Its room is part of unwind_mb.
 *
 * One mutex for files and tables; walks read without a lock. Process context, but for
 * sp_unwind_row_of().
 */
#include <linux/crc32.h>
#include <linux/elf.h>
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/file_id.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "lib/why.h"
#include "unwind/tables.h"

/* Rows of a bucket, on average. */
#define ROWS_PER_BUCKET	4
/* Files without a table that are known at the same time, and those of them that are told. */
#define MAX_FILES	16384
#define MAX_MISSING	256
#define QUOTED		60
/* The same of generated code, of which any user can have much: it takes no file's place. */
#define MAX_GENERATED	4096
/*
 * Of unwind_mb, tables of generated code may take one part in so many, and as much those of
 * files that others than root made: both stay as long as somebody likes. One more is left for
 * where programs have mapped their files, without which no table is of use.
 */
#define ROOM_PARTS	4
/* What a file takes with its path, of which as much is kept. */
#define PATH_BYTES	256
#define FILE_BYTES	(sizeof(struct sp_unwind_file) + PATH_BYTES)
/* Chains of files. */
#define FILE_BITS	10

static unsigned int unwind_mb = 64;
module_param(unwind_mb, uint, 0644);
MODULE_PARM_DESC(unwind_mb, "MiB of memory for unwind tables, and for where programs have mapped their files (64)");

static_assert(SP_UNWIND_BUILD_ID_MAX == SP_BUILD_ID_MAX);
static_assert(sizeof(struct sp_unwind_row) == sizeof(u64));
static_assert(sizeof(struct sp_unwind_header) % sizeof(struct sp_unwind_row) == 0);
static_assert(sizeof(struct sp_unwind_process) <= SP_UNWIND_BUILD_ID_MAX);

static DEFINE_MUTEX(mutex);	/* protects all below */
/*
 * By build-id; behind them the vdso, which is known before its build-id is; and generated
 * code, by address space.
 */
static struct list_head files[(2 << FILE_BITS) + 1];
static struct list_head *const vdso = &files[1 << FILE_BITS];
static struct list_head *const generated = &files[(1 << FILE_BITS) + 1];
static u32 file_count, kept_count, lost_files;
static u32 unkept_count;	/* met, without room among those that are kept */
static unsigned int told_from;	/* first chain of files to be told that were met */
static u32 generated_count, generated_tables;	/* of these; and of the tables */
/* Whoever builds programs chooses their build-ids, so not one that is known. */
static u32 seed;

u32 sp_unwind_tables __read_mostly;
u32 sp_unwind_tables_gone;
SP_EXPORT_FOR_KUNIT(sp_unwind_tables_gone);

static atomic64_t room_taken = ATOMIC64_INIT(0);	/* bytes; without the mutex */
static atomic64_t tables_taken = ATOMIC64_INIT(0);	/* of these, by tables */
static atomic64_t others_taken = ATOMIC64_INIT(0);	/* of these, of files of others than root */
static atomic64_t generated_taken = ATOMIC64_INIT(0);	/* and of generated code */

/* Context: any. Return: the bytes that all of it may take. */
u64 sp_unwind_room(void)
{
	return (u64)READ_ONCE(unwind_mb) << 20;
}

/**
 * sp_unwind_room_take() - some of the memory that unwinding may take
 * @bytes: how much
 *
 * Return: is there as much? Then it is taken, until sp_unwind_room_give().
 */
bool sp_unwind_room_take(u64 bytes)
{
	if (atomic64_add_return(bytes, &room_taken) <= sp_unwind_room())
		return true;
	atomic64_sub(bytes, &room_taken);
	return false;
}

/* @bytes: that were taken */
void sp_unwind_room_give(u64 bytes)
{
	atomic64_sub(bytes, &room_taken);
}

/* ---- files ---- */

static struct list_head *chain_of(const u8 *build_id, u32 bytes)
{
	return &files[jhash(build_id, bytes, seed) >> (32 - FILE_BITS)];
}

static struct sp_unwind_file *find_in_locked(struct list_head *chain, const u8 *build_id,
					     u32 bytes)
{
	struct sp_unwind_file *file;

	lockdep_assert_held(&mutex);
	list_for_each_entry(file, chain, link)
		if (file->build_id_bytes == bytes && !memcmp(file->build_id, build_id, bytes))
			return file;
	return NULL;
}

static struct sp_unwind_file *find_file_locked(const u8 *build_id, u32 bytes)
{
	return find_in_locked(vdso, build_id, bytes) ?:
	       find_in_locked(chain_of(build_id, bytes), build_id, bytes);
}

static struct sp_unwind_file *make_file_locked(struct list_head *chain)
{
	struct sp_unwind_file *file;

	lockdep_assert_held(&mutex);
	if (!sp_unwind_room_take(FILE_BYTES))
		return NULL;
	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file) {
		sp_unwind_room_give(FILE_BYTES);
		return NULL;
	}
	list_add(&file->link, chain);
	file_count++;
	return file;
}

static void name_file(struct sp_unwind_file *file, const u8 *build_id, u32 bytes)
{
	file->build_id_bytes = bytes;
	memcpy(file->build_id, build_id, bytes);
}

static struct sp_unwind_file *get_file_locked(const u8 *build_id, u32 bytes)
{
	struct list_head *chain = chain_of(build_id, bytes);
	struct sp_unwind_file *file = find_in_locked(chain, build_id, bytes);

	if (file)
		return file;
	file = make_file_locked(chain);
	if (file)
		name_file(file, build_id, bytes);
	return file;
}

/* There is one for all programs. */
static struct sp_unwind_file *get_vdso_locked(void)
{
	return list_first_entry_or_null(vdso, struct sp_unwind_file, link) ?:
	       make_file_locked(vdso);
}

/* Code that a program generated in 4 GB of its addresses. */
static struct sp_unwind_file *find_generated_locked(struct mm_struct *mm, u32 window)
{
	struct sp_unwind_file *file;

	lockdep_assert_held(&mutex);
	list_for_each_entry(file, &generated[hash_ptr(mm, FILE_BITS)], link)
		if (file->mm == mm && file->process.window == window)
			return file;
	return NULL;
}

static struct sp_unwind_file *get_generated_locked(struct mm_struct *mm,
						   const struct sp_unwind_process *process)
{
	struct sp_unwind_file *file = find_generated_locked(mm, process->window);

	if (!file) {
		file = make_file_locked(&generated[hash_ptr(mm, FILE_BITS)]);
		if (!file)
			return NULL;
		file->mm = mm;
		generated_count++;
	}
	/* Several processes may share it: with a table it is the one that this names. */
	if (!rcu_access_pointer(file->table))
		file->process = *process;
	return file;
}

/* Whoever could reach it in a hook is gone for a grace period. */
static void drop_file_locked(struct sp_unwind_file *file)
{
	lockdep_assert_held(&mutex);
	if (file->users || rcu_access_pointer(file->table))
		return;
	if (!file->mm && file->met && (file->kept || kept_count < MAX_MISSING)) {
		kept_count += !file->kept;
		file->kept = true;
		return;
	}
	unkept_count += !file->mm && file->met;
	kept_count -= file->kept;
	generated_count -= !!file->mm;
	list_del(&file->link);
	file_count--;
	sp_unwind_room_give(FILE_BYTES);
	kfree(file->path);
	kfree(file);
}

/**
 * sp_unwind_file_get() - a file that a program has mapped
 * @build_id: its build-id, or NULL: it is the vdso
 * @build_id_bytes: of that
 * @path: where it is, for people
 *
 * Return: the file, for sp_unwind_file_put(), or NULL: it cannot be kept, and is counted.
 */
struct sp_unwind_file *sp_unwind_file_get(const u8 *build_id, u32 build_id_bytes,
					  const char *path)
{
	struct sp_unwind_file *file = NULL;

	mutex_lock(&mutex);
	if (!build_id)
		file = get_vdso_locked();
	else if (file_count - generated_count < MAX_FILES + sp_unwind_tables ||
		 find_file_locked(build_id, build_id_bytes))
		file = get_file_locked(build_id, build_id_bytes);
	if (file) {
		file->users++;
		if (!file->path)
			file->path = kstrndup(path, PATH_BYTES - 1, GFP_KERNEL);
	} else {
		lost_files++;
	}
	mutex_unlock(&mutex);
	return file;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_file_get);

/**
 * sp_unwind_generated_get() - code that a program generated
 * @mm: its memory; whoever calls keeps the structure until sp_unwind_file_put()
 * @process: the program, and where the code is
 *
 * Return: as sp_unwind_file_get().
 */
struct sp_unwind_file *sp_unwind_generated_get(struct mm_struct *mm,
					       const struct sp_unwind_process *process)
{
	struct sp_unwind_file *file = NULL;

	mutex_lock(&mutex);
	if (generated_count < MAX_GENERATED + generated_tables ||
	    find_generated_locked(mm, process->window))
		file = get_generated_locked(mm, process);
	if (file)
		file->users++;
	else
		lost_files++;
	mutex_unlock(&mutex);
	return file;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_generated_get);

/**
 * sp_unwind_file_put() - a mapping of it is gone
 * @file: the file; no hook has reached it by that mapping for a grace period
 */
void sp_unwind_file_put(struct sp_unwind_file *file)
{
	mutex_lock(&mutex);
	file->users--;
	drop_file_locked(file);
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_file_put);

/**
 * sp_unwind_files_forget() - what was met without a table by recordings that are over
 *
 * Until then it is told, also when the program is gone.
 */
void sp_unwind_files_forget(void)
{
	struct sp_unwind_file *file, *next;
	unsigned int i;

	mutex_lock(&mutex);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		list_for_each_entry_safe(file, next, &files[i], link)
			if (file->kept || file->mm) {
				WRITE_ONCE(file->met, false);
				drop_file_locked(file);
			}
	unkept_count = 0;
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_files_forget);

/* ---- a table comes ---- */

static int check_header(const struct sp_unwind_header *header, size_t bytes, struct sp_why *why)
{
	static const u8 zeros[SP_UNWIND_BUILD_ID_MAX];
	const u8 *covered = (const void *)&header->machine;
	u16 kind;

	if (bytes < sizeof(*header) || memcmp(header->magic, SP_UNWIND_MAGIC, 8))
		return sp_refuse(why, -EINVAL, "what was written is no unwind table: they are made by schedprof unwind");
	if (header->version != SP_UNWIND_VERSION)
		return sp_refuse(why, -EINVAL, "the unwind table has version %u, and this module knows %u: install the program and the module of the same release",
				 header->version, SP_UNWIND_VERSION);
	if (header->bytes != bytes ||
	    header->rows != (bytes - sizeof(*header)) / sizeof(struct sp_unwind_row) ||
	    header->rows * sizeof(struct sp_unwind_row) != bytes - sizeof(*header))
		return sp_refuse(why, -EINVAL, "the unwind table says that it has %u bytes and %u rows, and %zu bytes were written: write it anew, in one piece",
				 header->bytes, header->rows, bytes);
	if (~crc32_le(~0, covered, bytes - (covered - (const u8 *)header)) != header->crc)
		return sp_refuse(why, -EINVAL, "the unwind table is damaged: its checksum is wrong; make it anew");
	if (header->machine != ELF_ARCH || !IS_ENABLED(CONFIG_X86_64))
		return sp_refuse(why, -EOPNOTSUPP, "the unwind table is for machine %u of ELF: only those of x86-64 programs are followed, on x86-64",
				 header->machine);
	kind = header->flags & ~SP_UNWIND_OF_ROOT;
	if ((kind && kind != SP_UNWIND_VDSO && kind != SP_UNWIND_PROCESS) ||
	    (kind == SP_UNWIND_PROCESS &&
	     (header->flags != kind ||
	      header->build_id_bytes != sizeof(struct sp_unwind_process))) ||
	    header->reserved || !header->rows ||
	    !header->build_id_bytes || header->build_id_bytes > SP_UNWIND_BUILD_ID_MAX ||
	    memcmp(header->build_id + header->build_id_bytes, zeros,
		   SP_UNWIND_BUILD_ID_MAX - header->build_id_bytes))
		return sp_refuse(why, -EINVAL, "the unwind table has a head that this module does not know: install the program and the module of the same release");
	return 0;
}

static int check_rows(const struct sp_unwind_row *row, u32 rows, struct sp_why *why)
{
	u32 i;

	for (i = 0; i < rows; i++) {
		if (i && row[i].offset <= row[i - 1].offset)
			return sp_refuse(why, -EINVAL, "row %u of the unwind table does not come behind the one before: make it anew",
					 i);
		if (!sp_unwind_row_is_known(&row[i]))
			return sp_refuse(why, -EINVAL, "row %u of the unwind table has a rule that this module does not know: install the program and the module of the same release",
					 i);
	}
	return 0;
}

/* Of whom tables have a bound of their own, and what they take; NULL: of root. */
static atomic64_t *bounded_with(const struct sp_unwind_table *table)
{
	if (table->generated)
		return &generated_taken;
	return table->of_root ? NULL : &others_taken;
}

static void give_table_room(const struct sp_unwind_table *table)
{
	atomic64_t *taken = bounded_with(table);

	sp_unwind_room_give(table->bytes);
	atomic64_sub(table->bytes, &tables_taken);
	if (taken)
		atomic64_sub(table->bytes, taken);
}

static bool take_table_room(const struct sp_unwind_table *table)
{
	u64 part = sp_unwind_room() / ROOM_PARTS, bytes = table->bytes;
	atomic64_t *taken = bounded_with(table);
	bool fits = atomic64_add_return(bytes, &room_taken) <= sp_unwind_room();

	fits &= atomic64_add_return(bytes, &tables_taken) <= sp_unwind_room() - part;
	fits &= !taken || atomic64_add_return(bytes, taken) <= part;
	if (!fits)
		give_table_room(table);
	return fits;
}

static void free_table(struct sp_unwind_table *table)
{
	if (!table)
		return;
	give_table_room(table);
	vfree(table->bucket);
	vfree(table->row);
	kfree(table);
}

/* Buckets as large as that they have few rows, but at least one. */
static void choose_buckets(struct sp_unwind_table *table, u32 last)
{
	u64 buckets;

	for (table->shift = 6; ; table->shift++) {
		/* With few rows that lie far apart, there is one for all offsets. */
		buckets = ((u64)last >> table->shift) + 1;
		if (buckets <= table->rows / ROWS_PER_BUCKET + 1)
			break;
	}
	table->buckets = buckets;
}

static void fill_buckets(struct sp_unwind_table *table)
{
	u32 bucket, row = 0;

	for (bucket = 0; bucket <= table->buckets; bucket++) {
		while (row < table->rows &&
		       (u64)table->row[row].offset >> table->shift < bucket)
			row++;
		table->bucket[bucket] = row;
	}
}

/* If it is of generated code, it keeps an mm_struct, too. */
static struct sp_unwind_table *make_table(const struct sp_unwind_header *header,
					  struct sp_why *why)
{
	struct sp_unwind_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	const struct sp_unwind_row *rows = (const void *)(header + 1);
	size_t row_bytes = array_size(header->rows, sizeof(*rows)), bucket_bytes;

	if (!table)
		goto err_memory;
	table->rows = header->rows;
	table->generated = header->flags & SP_UNWIND_PROCESS;
	table->of_root = header->flags & SP_UNWIND_OF_ROOT;
	choose_buckets(table, rows[header->rows - 1].offset);
	bucket_bytes = (table->buckets + 1) * sizeof(*table->bucket);
	table->bytes = PAGE_ALIGN(row_bytes) + PAGE_ALIGN(bucket_bytes) +
		       (table->generated ? SP_UNWIND_MM_BYTES : 0);
	if (!take_table_room(table)) {
		sp_refuse(why, -ENOSPC, "the unwind table needs %u KiB, and unwinding may take %u MiB, %s: free tables by writing -BUILDID to unwind_tables, or write more to /sys/module/schedprof/parameters/unwind_mb",
			  table->bytes >> 10, READ_ONCE(unwind_mb),
			  table->generated ? "a quarter of it for generated code" :
			  table->of_root ? "three quarters of it for tables" :
			  "a quarter of it for files that are not root's");
		kfree(table);
		return ERR_PTR(-ENOSPC);
	}
	table->row = sp_alloc(row_bytes);
	table->bucket = sp_alloc(bucket_bytes);
	if (!table->row || !table->bucket)
		goto err_memory;
	memcpy(table->row, rows, row_bytes);
	fill_buckets(table);
	return table;

err_memory:
	free_table(table);
	sp_refuse(why, -ENOMEM, "there is no memory for an unwind table of %zu KiB; try again",
		  row_bytes >> 10);
	return ERR_PTR(-ENOMEM);
}

/* Set or, by NULL, take away. Return: what there was, which hooks may still use. */
static struct sp_unwind_table *set_table_locked(struct sp_unwind_file *file,
						struct sp_unwind_table *table)
{
	struct sp_unwind_table *before;

	before = rcu_replace_pointer(file->table, table, lockdep_is_held(&mutex));
	WRITE_ONCE(sp_unwind_tables, sp_unwind_tables + !!table - !!before);
	if (table) {
		WRITE_ONCE(file->met, false);
		kept_count -= file->kept;
		file->kept = false;
	}
	if (before)
		WRITE_ONCE(sp_unwind_tables_gone, sp_unwind_tables_gone + 1);
	if (!file->mm)
		return before;
	generated_tables += !!table - !!before;
	if (table && !before)
		mmgrab(file->mm);
	else if (before && !table)
		mmdrop(file->mm);
	return before;
}

/**
 * sp_unwind_process_of() - how the table of a process's generated code calls the process
 * @task: any thread of it, with a reference
 * @process: filled in, but for the window; of a thread that was released, there is no start
 *
 * Context: any.
 */
void sp_unwind_process_of(struct task_struct *task, struct sp_unwind_process *process)
{
	*process = (struct sp_unwind_process){ .pid = task->tgid };
	rcu_read_lock();
	/* As /proc/PID/stat tells it. */
	if (pid_alive(task))
		process->start = div_u64(task->group_leader->start_boottime,
					 NSEC_PER_SEC / USER_HZ);
	rcu_read_unlock();
}
SP_EXPORT_FOR_KUNIT(sp_unwind_process_of);

/* Return: a reference to the structure of its memory, not to what is mapped; or NULL. */
static struct mm_struct *find_memory(const struct sp_unwind_process *process)
{
	struct pid *pid = find_get_pid(process->pid);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_TGID);
	struct mm_struct *mm = NULL;
	struct sp_unwind_process is;

	put_pid(pid);
	if (!task)
		return NULL;
	sp_unwind_process_of(task, &is);
	if (is.start == process->start)
		mm = get_task_mm(task);
	put_task_struct(task);
	if (!mm)
		return NULL;
	mmgrab(mm);
	mmput_async(mm);
	return mm;
}

/* What is there already stays: nobody need walk anew for the same once more. */
static struct sp_unwind_table *take_table_locked(struct sp_unwind_file *file,
						 struct sp_unwind_table *table, bool *same)
{
	struct sp_unwind_table *is;

	is = rcu_dereference_protected(file->table, lockdep_is_held(&mutex));
	*same = is && is->rows == table->rows &&
		!memcmp(is->row, table->row, array_size(is->rows, sizeof(*is->row)));
	if (!*same)
		return set_table_locked(file, table);
	if (table->of_root && !is->of_root) {
		atomic64_sub(is->bytes, bounded_with(is));
		is->of_root = true;
	}
	WRITE_ONCE(file->met, false);
	return table;
}

/* The file of a table; NULL: there is no room. @mm: NULL, or whose generated code it is */
static struct sp_unwind_file *get_any_locked(const struct sp_unwind_header *header,
					     struct mm_struct *mm,
					     const struct sp_unwind_process *process)
{
	struct sp_unwind_file *file;

	if (mm) {
		file = get_generated_locked(mm, process);
		/* Whoever gave the table looks for it by the name that he gave to it. */
		if (file)
			file->process = *process;
		return file;
	}
	if (!(header->flags & SP_UNWIND_VDSO))
		return get_file_locked(header->build_id, header->build_id_bytes);
	file = get_vdso_locked();
	if (file)
		name_file(file, header->build_id, header->build_id_bytes);
	return file;
}

static int publish(const struct sp_unwind_header *header, struct sp_unwind_table *table,
		   struct mm_struct *mm, const struct sp_unwind_process *process,
		   struct sp_why *why)
{
	struct sp_unwind_table *gone = NULL;
	struct sp_unwind_file *file;
	bool same = false;

	mutex_lock(&mutex);
	file = get_any_locked(header, mm, process);
	if (file)
		gone = take_table_locked(file, table, &same);
	mutex_unlock(&mutex);
	if (!file) {
		free_table(table);
		return sp_refuse(why, -ENOMEM, "there is no room for one more unwind table: free some by writing -BUILDID to unwind_tables, or write more to /sys/module/schedprof/parameters/unwind_mb");
	}
	if (gone && !same)
		synchronize_rcu();
	free_table(gone);
	return 0;
}

/**
 * sp_unwind_table_add() - take a table over
 * @blob: as unwind/table_format.h says; copied
 * @bytes: of it
 * @why: filled on failure
 *
 * One that there was of that file, or of that process and its addresses, is replaced.
 *
 * Return: 0, or -EINVAL, -EOPNOTSUPP, -ESRCH, -ENOSPC, -ENOMEM; then nothing has changed.
 */
int sp_unwind_table_add(const void *blob, size_t bytes, struct sp_why *why)
{
	const struct sp_unwind_header *header = blob;
	const struct sp_unwind_row *rows = (const void *)(header + 1);
	struct sp_unwind_process process = { };
	struct sp_unwind_table *table;
	struct mm_struct *mm = NULL;
	int err;

	err = check_header(header, bytes, why);
	if (!err)
		err = check_rows(rows, header->rows, why);
	if (err)
		return err;
	if (header->flags & SP_UNWIND_PROCESS) {
		memcpy(&process, header->build_id, sizeof(process));
		mm = find_memory(&process);
		if (!mm)
			return sp_refuse(why, -ESRCH, "process %u, of whose generated code the unwind table is, has ended",
					 process.pid);
	}
	table = make_table(header, why);
	err = PTR_ERR_OR_ZERO(table);
	if (!err)
		err = publish(header, table, mm, &process, why);
	if (mm)
		mmdrop(mm);
	return err;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_table_add);

static void name_process(char *name, const struct sp_unwind_process *process)
{
	scnprintf(name, SP_UNWIND_NAME_ROOM, SP_UNWIND_PROCESS_FORMAT, process->pid,
		  process->start, process->window);
}

/*
 * The one that has a table, as names are given up with it. What the process ran before may
 * have one of the same name, for a few seconds.
 */
static struct sp_unwind_file *find_process_locked(const char *name)
{
	struct sp_unwind_file *file, *found = NULL;
	char is[SP_UNWIND_NAME_ROOM];
	unsigned int i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < 1 << FILE_BITS; i++)
		list_for_each_entry(file, &generated[i], link) {
			name_process(is, &file->process);
			if (!rcu_access_pointer(file->table) || strcmp(is, name))
				continue;
			if (atomic_read(&file->mm->mm_users))
				return file;
			found = file;
		}
	return found;
}

/* @name: in hexadecimal. Return: of how many bytes it is; 0: it is no build-id. */
static u32 parse_build_id(const char *name, u8 bytes[SP_UNWIND_BUILD_ID_MAX])
{
	size_t length = strlen(name);

	return length % 2 || length / 2 > SP_UNWIND_BUILD_ID_MAX ||
	       hex2bin(bytes, name, length / 2) ? 0 : length / 2;
}

/**
 * sp_unwind_table_remove() - give a table's memory back
 * @name: a build-id in hexadecimal, or of a process, as it is listed
 * @why: filled on failure
 *
 * Return: 0, -EINVAL for what is no name, or -ENOENT: there is no such table.
 */
int sp_unwind_table_remove(const char *name, struct sp_why *why)
{
	bool process = strstarts(name, "process-");
	struct sp_unwind_table *table = NULL;
	struct sp_unwind_file *file;
	u8 bytes[SP_UNWIND_BUILD_ID_MAX];
	u32 length = parse_build_id(name, bytes);

	if (!length && !process)
		return sp_refuse(why, -EINVAL, "'%*pEhp' is no build-id: write '-' and one of those in unwind_tables",
				 (int)strnlen(name, QUOTED), name);
	mutex_lock(&mutex);
	file = process ? find_process_locked(name) : find_file_locked(bytes, length);
	if (file)
		table = set_table_locked(file, NULL);
	/* One that is like the vdso's has no other table. */
	if (table && list_first_entry_or_null(vdso, struct sp_unwind_file, link) == file)
		file->build_id_bytes = 0;
	/* Its address space may be another one's from now on. */
	if (table && process)
		drop_file_locked(file);
	mutex_unlock(&mutex);
	if (!table)
		return sp_refuse(why, -ENOENT, "there is no unwind table of build-id %*pEhp: unwind_tables has all",
				 (int)strnlen(name, QUOTED), name);
	synchronize_rcu();
	free_table(table);
	if (process)
		return 0;
	mutex_lock(&mutex);
	/* It may have gone, or come again, meanwhile; and of the vdso there is one. */
	file = find_file_locked(bytes, length);
	if (file)
		drop_file_locked(file);
	mutex_unlock(&mutex);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_table_remove);

/**
 * sp_unwind_tables_reap() - free tables of generated code whose processes are gone
 *
 * Nobody has their memory any more, so no walk needs them, nor is anything remembered.
 *
 * Context: process, may sleep.
 * Return: are there others?
 */
bool sp_unwind_tables_reap(void)
{
	struct sp_unwind_table *gone = NULL, *table;
	struct sp_unwind_file *file, *next;
	unsigned int i;
	bool left;

	mutex_lock(&mutex);
	for (i = 0; generated_tables && i < 1 << FILE_BITS; i++)
		list_for_each_entry_safe(file, next, &generated[i], link) {
			if (!rcu_access_pointer(file->table) ||
			    atomic_read(&file->mm->mm_users))
				continue;
			table = set_table_locked(file, NULL);
			table->gone = gone;
			gone = table;
			drop_file_locked(file);
		}
	left = generated_tables;
	mutex_unlock(&mutex);
	if (gone)
		synchronize_rcu();
	while ((table = gone)) {
		gone = table->gone;
		free_table(table);
	}
	return left;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_tables_reap);

/* Context: at load. */
void sp_unwind_tables_init(void)
{
	unsigned int i;

	get_random_bytes(&seed, sizeof(seed));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		INIT_LIST_HEAD(&files[i]);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_tables_init);

/**
 * sp_unwind_tables_exit() - free all of them
 *
 * Context: at unload: no hook is left, and no file has users.
 */
void sp_unwind_tables_exit(void)
{
	struct sp_unwind_file *file, *next;
	unsigned int i;

	mutex_lock(&mutex);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		list_for_each_entry_safe(file, next, &files[i], link) {
			free_table(set_table_locked(file, NULL));
			file->met = false;
			drop_file_locked(file);
		}
	WARN_ON_ONCE(file_count);
	mutex_unlock(&mutex);
}

/* ---- what is told ---- */

static void show_file(struct seq_buf *s, const struct sp_unwind_file *file)
{
	char name[SP_UNWIND_NAME_ROOM];

	if (file->mm) {
		name_process(name, &file->process);
		sp_puts(s, name);
		return;
	}
	seq_buf_printf(s, "%*phN", (int)file->build_id_bytes, file->build_id);
}

/**
 * sp_unwind_tables_show() - the tables that there are
 * @s: where to
 */
void sp_unwind_tables_show(struct seq_buf *s)
{
	const struct sp_unwind_table *table;
	struct sp_unwind_file *file;
	unsigned int i;

	sp_puts(s, "build_id\tbytes\trows\tusers\tof_root\n");
	mutex_lock(&mutex);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		list_for_each_entry(file, &files[i], link) {
			table = rcu_dereference_protected(file->table, lockdep_is_held(&mutex));
			if (!table)
				continue;
			show_file(s, file);
			seq_buf_printf(s, "\t%u\t%u\t%u\t%d\n", table->bytes, table->rows,
				       file->users, table->of_root);
		}
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_tables_show);

/**
 * sp_unwind_missing_show() - files that walks came to without a table
 * @s: where to
 * @before: in front of each line
 * @between: a build-id and a path
 * @moves: whoever asks again is told of the others, if there are more than MAX_MISSING
 *
 * And processes in whose generated code they came to what no table tells of. Of MAX_MISSING
 * and more, the others are counted; a file whose programs ended, each time that it was met.
 */
void sp_unwind_missing_show(struct seq_buf *s, const char *before, char between, bool moves)
{
	unsigned int i, chain, last = 0, missing = 0;
	struct sp_unwind_file *file;

	mutex_lock(&mutex);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		chain = (told_from + i) % ARRAY_SIZE(files);
		list_for_each_entry(file, &files[chain], link) {
			if (!READ_ONCE(file->met) ||
			    (rcu_access_pointer(file->table) && !file->mm) ||
			    missing++ >= MAX_MISSING)
				continue;
			last = chain;
			sp_puts(s, before);
			show_file(s, file);
			sp_putc(s, between);
			sp_text_plain(s, file->mm ? "[generated code]" : file->path ?: "");
			sp_putc(s, '\n');
		}
	}
	/* What is cut is asked for again, with more room. */
	if (moves && missing > MAX_MISSING && !seq_buf_has_overflowed(s))
		told_from = last;
	missing = max_t(unsigned int, missing, MAX_MISSING) - MAX_MISSING + unkept_count;
	mutex_unlock(&mutex);
	if (missing)
		seq_buf_printf(s, "%smore%c%u\n", before, between, missing);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_missing_show);

/**
 * sp_unwind_tables_status() - how much there is
 * @s: where to
 */
void sp_unwind_tables_status(struct seq_buf *s)
{
	mutex_lock(&mutex);
	seq_buf_printf(s, "tables %u\ngenerated_tables %u\nfiles %u\nlost_files %u\nbytes %lld\ntable_bytes %lld\nothers_bytes %lld\ngenerated_bytes %lld\nmax_bytes %llu\n",
		       sp_unwind_tables, generated_tables, file_count, lost_files,
		       (s64)atomic64_read(&room_taken), (s64)atomic64_read(&tables_taken),
		       (s64)atomic64_read(&others_taken),
		       (s64)atomic64_read(&generated_taken), sp_unwind_room());
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_tables_status);
