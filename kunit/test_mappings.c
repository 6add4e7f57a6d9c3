// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the mappings: which program has what mapped where. It is held against
 * the mappings of programs that run, as the kernel has them.
 *
 * Where the suites are built into the kernel, they run before the first program,
 * and the cases that want one are skipped.
 *
 * Run: make kunit
 */
#include <linux/bitmap.h>
#include <linux/dcache.h>
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mmap_lock.h>
#include <linux/pid.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/shmem_fs.h>

#include "lib/file_id.h"
#include "record/mappings.h"
#include "lib/limits.h"
#include "lib/readers.h"
#include "record/threads.h"
#include "report/names.h"
#include "suites.h"

/* A process that no machine of a test has. */
#define NOBODY		4194303
#define SECONDS_LATER	(100ULL * NSEC_PER_SEC)
/* Of the memory of a program, for code that comes and goes. */
#define AREA_PAGES	256

struct fixture {
	struct sp_mappings mappings;
	struct task_struct *task;	/* a program, and */
	struct mm_struct *mm;		/* what it has mapped; or NULL */
	struct sp_who who;
	u32 exec_id;
	unsigned long area;		/* in mm, see take_area(); 0: none */
	struct sp_mapped *copy;		/* the last one, of so many mappings */
	u32 copied;
};

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	/* So that it can be destroyed, whatever a case does. */
	return f ? sp_mappings_init(&f->mappings, 0, false) : -ENOMEM;
}

static void forget_program(struct fixture *f)
{
	/* What is left of a case that failed, which is another thread then, stays. */
	if (f->area && current->flags & PF_KTHREAD) {
		kthread_use_mm(f->mm);
		vm_munmap(f->area, AREA_PAGES * PAGE_SIZE);
		kthread_unuse_mm(f->mm);
	}
	f->area = 0;
	if (f->mm)
		mmput(f->mm);
	if (f->task)
		put_task_struct(f->task);
	f->mm = NULL;
	f->task = NULL;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	forget_program(f);
	sp_readers_free(f->copy);
	sp_mappings_destroy(&f->mappings);
}

static void start_for(struct kunit *test, u32 tasks, bool wakers)
{
	struct fixture *f = test->priv;

	sp_mappings_destroy(&f->mappings);
	KUNIT_ASSERT_EQ(test, sp_mappings_init(&f->mappings, tasks, wakers), 0);
}

static void start(struct kunit *test, u32 tasks)
{
	start_for(test, tasks, false);
}

/* A process with a program, the first whose number is above @after. */
static struct task_struct *get_program(pid_t after)
{
	struct task_struct *task, *found = NULL;

	rcu_read_lock();
	for_each_process(task) {
		if (task_pid_nr(task) <= after || task->flags & PF_KTHREAD ||
		    !READ_ONCE(task->mm))
			continue;
		if (!found || task_pid_nr(task) < task_pid_nr(found))
			found = task;
	}
	if (found)
		get_task_struct(found);
	rcu_read_unlock();
	return found;
}

/* Take the next program; without one, the case is skipped. */
static void next_program(struct kunit *test)
{
	struct fixture *f = test->priv;
	pid_t after = f->task ? task_pid_nr(f->task) : 0;

	forget_program(f);
	do {
		if (f->task) {
			after = task_pid_nr(f->task);
			put_task_struct(f->task);
		}
		f->task = get_program(after);
		if (!f->task)
			kunit_skip(test, "there are not enough processes with a program here");
		f->mm = get_task_mm(f->task);
	} while (!f->mm);
	sp_who_is(&f->who, f->task);
	f->exec_id = (u32)READ_ONCE(f->task->self_exec_id);
}

/* However long ago another look began. */
static const struct sp_look_times always = { .since = U64_MAX };

/* A look since then at it, which may have to be tried again while it maps something. */
static u32 look_since(struct kunit *test, u64 since)
{
	const struct sp_look_times times = { .since = since };
	struct fixture *f = test->priv;
	u32 program = 77;
	unsigned int tries;

	for (tries = 0; tries < 100; tries++)
		if (sp_mappings_look(&f->mappings, task_pid(f->task), &f->who, f->exec_id,
				     &times, &program) == SP_LOOK_DONE)
			break;
	KUNIT_ASSERT_LT(test, tries, 100U);
	return program;
}

static u32 look(struct kunit *test)
{
	return look_since(test, U64_MAX);
}

/* The same, as one that woke somebody. */
static void look_at_waker(struct kunit *test, bool counts)
{
	struct fixture *f = test->priv;
	unsigned int tries;

	for (tries = 0; tries < 100; tries++)
		if (sp_mappings_look_at_waker(&f->mappings, task_pid(f->task), &f->who,
					      f->exec_id, &always, counts) == SP_LOOK_DONE)
			break;
	KUNIT_ASSERT_LT(test, tries, 100U);
}

static void expect_counts(struct kunit *test, u32 missed, u32 lost)
{
	struct fixture *f = test->priv;
	u32 is_missed = 77, is_lost = 77;

	sp_mappings_counts(&f->mappings, &is_missed, &is_lost);
	KUNIT_EXPECT_EQ(test, is_missed, missed);
	KUNIT_EXPECT_EQ(test, is_lost, lost);
}

/* What the store knows of one program. */
static u32 copy_of(struct kunit *test, u32 program)
{
	struct fixture *f = test->priv;
	unsigned long *which;
	u32 count = 77;

	which = kunit_kzalloc(test, BITS_TO_LONGS(f->mappings.max_programs + 1) * sizeof(long),
			      GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, which);
	if (program)
		__set_bit(program, which);
	sp_readers_free(f->copy);
	f->copy = NULL;
	KUNIT_ASSERT_EQ(test, sp_mappings_copy(&f->mappings, which, &f->copy, &count), 0);
	KUNIT_EXPECT_EQ(test, !count, !f->copy);
	f->copied = count;
	return count;
}

/* As readers do: in the last copy of what is known. */
static bool resolve(struct kunit *test, u32 program, u64 address, struct sp_resolved *resolved)
{
	struct fixture *f = test->priv;
	struct sp_names names = { .mappings = f->copy, .mapping_count = f->copied };

	return sp_names_resolve(&names, program, address, resolved);
}

static void no_user_stacks_no_memory(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_who who = { .tid = NOBODY, .tgid = NOBODY, .start_time = 5 };
	struct sp_resolved resolved;
	u32 program = 77;

	start(test, 0);
	KUNIT_EXPECT_EQ(test, sp_mappings_bytes(0, false), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &who, 0, &always,
					       &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 0U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, NOBODY, 0, 5), 0U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 0), 0U);
	KUNIT_EXPECT_FALSE(test, resolve(test, 0, 0x1000, &resolved));
	KUNIT_EXPECT_FALSE(test, resolve(test, 1, 0x1000, &resolved));
	expect_counts(test, 0, 0);
	/* Nothing is left to be given back twice. */
	sp_mappings_destroy(&f->mappings);
}

static void memory_grows_with_the_tasks(struct kunit *test)
{
	static const u32 tasks[] = { 1, 2, 3, 1000, 16384, 262144 };
	u64 before = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tasks); i++) {
		KUNIT_EXPECT_GT(test, sp_mappings_bytes(tasks[i], false), before);
		before = sp_mappings_bytes(tasks[i], false);
	}
	/* But there are not so many programs. */
	KUNIT_EXPECT_EQ(test, sp_mappings_bytes(SP_MAX_TABLE, false), before);
	for (i = 0; i < 4; i++)
		start(test, tasks[i]);
}

/* Each look counts: nothing is kept of a program that nobody knows. */
static void who_is_gone_is_missed(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_who who = { .tid = NOBODY, .tgid = NOBODY, .start_time = 5 };
	struct sp_resolved resolved;
	u32 program = 77;

	start(test, 10);
	expect_counts(test, 0, 0);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &who, 0, &always,
					       &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 0U);
	expect_counts(test, 1, 0);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &who, 0, &always,
					       &program), SP_LOOK_DONE);
	expect_counts(test, 2, 0);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, NOBODY, 0, 5), 0U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 0), 0U);
	KUNIT_EXPECT_FALSE(test, resolve(test, 0, 0x1000, &resolved));
	KUNIT_EXPECT_FALSE(test, resolve(test, 1, 0x1000, &resolved));
	KUNIT_EXPECT_FALSE(test, resolve(test, U32_MAX, 0x1000, &resolved));
}

static void expect_room(struct kunit *test, bool wakers, const struct sp_mappings_room *room)
{
	struct fixture *f = test->priv;
	const struct sp_mappings_room *left = &f->mappings.left[wakers];

	KUNIT_EXPECT_EQ(test, left->programs, room->programs);
	KUNIT_EXPECT_EQ(test, left->mappings, room->mappings);
	KUNIT_EXPECT_EQ(test, left->path_bytes, room->path_bytes);
}

/* Whoever wakes a task takes nothing of what is there for those that are recorded. */
static void wakers_have_room_of_their_own(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_mappings_room tasks, wakers;
	u32 program;

	next_program(test);
	start(test, 1);
	look_at_waker(test, false);
	expect_counts(test, 0, 0);
	look_at_waker(test, true);
	expect_counts(test, 0, 1);
	start_for(test, 2, true);
	tasks = f->mappings.left[false];
	wakers = f->mappings.left[true];
	look_at_waker(test, true);
	expect_counts(test, 0, 0);
	expect_room(test, false, &tasks);
	KUNIT_EXPECT_EQ(test, f->mappings.left[true].programs, wakers.programs - 1);
	KUNIT_EXPECT_LT(test, f->mappings.left[true].mappings, wakers.mappings);
	program = sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id, f->who.leader_start);
	KUNIT_EXPECT_EQ(test, program, 1U);
	KUNIT_EXPECT_GT(test, copy_of(test, program), 0U);
	/* It is recorded now: then it is one of those. */
	KUNIT_EXPECT_EQ(test, look(test), program);
	KUNIT_EXPECT_EQ(test, f->mappings.left[false].programs, tasks.programs - 1);
	KUNIT_EXPECT_EQ(test, f->mappings.left[true].programs, wakers.programs);
	KUNIT_EXPECT_EQ(test, f->mappings.left[true].mappings, wakers.mappings);
	KUNIT_EXPECT_EQ(test, f->mappings.left[false].mappings,
			tasks.mappings - copy_of(test, program));
	expect_counts(test, 0, 0);
}

/* This very thread: it lives, and has no program. */
static void who_has_no_program_is_missed(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_who who;
	u32 program = 77;

	if (current->mm)
		kunit_skip(test, "the tests run in a program here");
	start(test, 10);
	sp_who_is(&who, current);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, task_pid(current), &who,
					       (u32)current->self_exec_id, &always,
					       &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 0U);
	expect_counts(test, 1, 0);
}

/* No KUNIT_ASSERT_*, which would leave with the lock of the mappings. */
static void expect_address(struct kunit *test, u32 program,
			   const struct vm_area_struct *vma, u64 address)
{
	struct sp_resolved resolved = { };
	u64 offset = address - vma->vm_start;
	const char *name;
	bool known;

	known = resolve(test, program, address, &resolved);
	KUNIT_EXPECT_TRUE(test, known);
	if (!known)
		return;
	if (!vma->vm_file) {
		KUNIT_EXPECT_NE(test, (int)resolved.kind, (int)SP_MAPPING_FILE);
		KUNIT_EXPECT_NULL(test, resolved.path);
		KUNIT_EXPECT_EQ(test, resolved.offset, offset);
		return;
	}
	KUNIT_EXPECT_EQ(test, (int)resolved.kind, (int)SP_MAPPING_FILE);
	KUNIT_EXPECT_EQ(test, resolved.offset,
			offset + ((u64)vma->vm_pgoff << PAGE_SHIFT));
	name = resolved.path ? strrchr(resolved.path, '/') : NULL;
	KUNIT_EXPECT_NOT_NULL(test, name);
	/* Behind the name of a file that was removed since, it says so. */
	if (name)
		KUNIT_EXPECT_EQ(test, strncmp(name + 1,
					      vma->vm_file->f_path.dentry->d_name.name,
					      vma->vm_file->f_path.dentry->d_name.len), 0);
}

/* Every mapping of the program, as the kernel has it, is known, and no other. */
static u32 expect_mappings(struct kunit *test, u32 program)
{
	struct fixture *f = test->priv;
	struct vm_area_struct *vma;
	struct sp_resolved resolved;
	u32 count = 0;

	copy_of(test, program);
	mmap_read_lock(f->mm);
	for (vma = find_vma(f->mm, 0); vma; vma = find_vma(f->mm, vma->vm_end)) {
		if (!(vma->vm_flags & VM_EXEC)) {
			KUNIT_EXPECT_FALSE(test, resolve(test, program, vma->vm_start, &resolved));
			KUNIT_EXPECT_FALSE(test, resolve(test, program, vma->vm_end - 1,
							 &resolved));
			continue;
		}
		count++;
		expect_address(test, program, vma, vma->vm_start);
		expect_address(test, program, vma, vma->vm_start + PAGE_SIZE / 2);
		expect_address(test, program, vma, vma->vm_end - 1);
	}
	mmap_read_unlock(f->mm);
	return count;
}

static void a_program_as_the_kernel_has_it(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 program, count;

	start(test, 10);
	next_program(test);
	program = look(test);
	KUNIT_ASSERT_EQ(test, program, 1U);
	expect_counts(test, 0, 0);
	count = expect_mappings(test, program);
	KUNIT_EXPECT_GT(test, count, 0U);
	KUNIT_EXPECT_EQ(test, copy_of(test, program), count);
	kunit_info(test, "%s has %u mappings with code\n", f->who.comm, count);
}

static void looking_again_adds_nothing(struct kunit *test)
{
	u32 program, count, i;

	start(test, 10);
	next_program(test);
	program = look(test);
	count = copy_of(test, program);
	for (i = 0; i < 50; i++)
		KUNIT_EXPECT_EQ(test, look(test), program);
	KUNIT_EXPECT_EQ(test, copy_of(test, program), count);
	expect_mappings(test, program);
	expect_counts(test, 0, 0);
}

/* So that no name is found again: it is one of another file. */
static void change_names(struct kunit *test, u32 program)
{
	struct fixture *f = test->priv;
	u32 i, path, count = copy_of(test, program);

	for (i = 0; i < count; i++) {
		if (!f->copy[i].path)
			continue;
		path = f->copy[i].path - f->mappings.paths;
		f->mappings.paths[path] = '?';
		sp_path_entry(&f->mappings, path)->id.mtime_ns = -1;
	}
}

/* A file that is still there has the name and the build-id that it had. */
static void what_stands_is_not_asked_again(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, count;

	start(test, 10);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_GT(test, f->mappings.naming, 0U);
	count = copy_of(test, 1);
	for (i = 0; i < count; i++)
		if (f->copy[i].file)
			sp_path_entry(&f->mappings, f->copy[i].file)->id.build_id_bytes = 1;
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, f->mappings.naming, 0U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), expect_mappings(test, 1));
	change_names(test, 1);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_GT(test, f->mappings.naming, 0U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), expect_mappings(test, 1));
}

/* As the program would. @at: 0: wherever there is room. Return: where; or an error */
static unsigned long map_pages(struct fixture *f, unsigned long at, u32 pages,
			       unsigned long protection, struct file *file, u32 offset)
{
	unsigned long flags = MAP_PRIVATE | (at ? MAP_FIXED : 0);

	kthread_use_mm(f->mm);
	at = vm_mmap(file, at, pages * PAGE_SIZE, protection, flags, offset * PAGE_SIZE);
	kthread_unuse_mm(f->mm);
	return at;
}

/* A program, with memory that nobody has code in, until there is another program. */
static void take_area(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned long at;

	if (!(current->flags & PF_KTHREAD) || current->mm)
		kunit_skip(test, "the tests run in a program here");
	next_program(test);
	at = map_pages(f, 0, AREA_PAGES, PROT_NONE, NULL, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at));
	f->area = at;
}

static void put_pages(struct kunit *test, u32 page, u32 pages, unsigned long protection,
		      struct file *file, u32 offset)
{
	struct fixture *f = test->priv;
	unsigned long at = f->area + page * PAGE_SIZE;

	KUNIT_EXPECT_EQ(test, map_pages(f, at, pages, protection, file, offset), at);
}

/*
 * Code on these pages of the area, in place of what was there: of a file, from that page of it
 * on, or by NULL of none. Neighbours of one kind would become one mapping.
 */
static void put_code(struct kunit *test, u32 page, u32 pages, struct file *file, u32 offset)
{
	put_pages(test, page, pages, PROT_READ | PROT_EXEC, file, offset);
}

static void remove_code(struct kunit *test, u32 page, u32 pages)
{
	put_pages(test, page, pages, PROT_NONE, NULL, 0);
}

/* One that the program has code of, with a reference. */
static struct file *get_code_file(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct vm_area_struct *vma;
	struct file *file = NULL;

	mmap_read_lock(f->mm);
	for (vma = find_vma(f->mm, 0); vma && !file; vma = find_vma(f->mm, vma->vm_end))
		if (vma->vm_flags & VM_EXEC && vma->vm_file)
			file = get_file(vma->vm_file);
	mmap_read_unlock(f->mm);
	KUNIT_ASSERT_NOT_NULL(test, file);
	return file;
}

struct pages {
	u32 first, count;
};

static void expect_pages(struct kunit *test, u32 i, const struct pages *pages)
{
	struct fixture *f = test->priv;
	u64 start = f->area + pages->first * PAGE_SIZE;

	KUNIT_EXPECT_EQ(test, f->copy[i].start, start);
	KUNIT_EXPECT_EQ(test, f->copy[i].end, start + pages->count * PAGE_SIZE);
}

/*
 * After another look, all that the program has mapped is known, in the kernel's order, and behind
 * it what is gone of the area. All else was given back.
 */
static void expect_list(struct kunit *test, const struct pages *gone, u32 gone_count)
{
	struct fixture *f = test->priv;
	u32 i, count, stand = 0;
	struct vm_area_struct *vma;

	KUNIT_EXPECT_EQ(test, look(test), 1U);
	count = copy_of(test, 1);
	KUNIT_EXPECT_EQ(test, sp_pool_count(&f->mappings.pool), count);
	mmap_read_lock(f->mm);
	for (vma = find_vma(f->mm, 0); vma; vma = find_vma(f->mm, vma->vm_end)) {
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		if (stand < count) {
			KUNIT_EXPECT_EQ(test, f->copy[stand].start, (u64)vma->vm_start);
			KUNIT_EXPECT_EQ(test, f->copy[stand].end, (u64)vma->vm_end);
			KUNIT_EXPECT_EQ(test, !f->copy[stand].path, !vma->vm_file);
			KUNIT_EXPECT_EQ(test, f->copy[stand].offset,
					vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0);
		}
		stand++;
	}
	mmap_read_unlock(f->mm);
	KUNIT_ASSERT_EQ(test, count, stand + gone_count);
	for (i = 0; i < gone_count; i++)
		expect_pages(test, stand + i, &gone[i]);
}

/* That page of the area is known, as this one of what is, or was, mapped there. */
static void expect_code(struct kunit *test, u32 page, u32 offset)
{
	struct sp_resolved resolved = { };
	struct fixture *f = test->priv;
	u64 address = f->area + page * PAGE_SIZE;

	KUNIT_EXPECT_TRUE(test, resolve(test, 1, address, &resolved));
	KUNIT_EXPECT_EQ(test, resolved.offset, offset * PAGE_SIZE);
}

/* In whatever order it came. */
static void what_stands_comes_by_address(struct kunit *test)
{
	start(test, 10);
	take_area(test);
	put_code(test, 5, 1, NULL, 0);
	put_code(test, 1, 1, NULL, 0);
	expect_list(test, NULL, 0);
	/* Between two that stand, in front of all, and behind. */
	put_code(test, 3, 1, NULL, 0);
	expect_list(test, NULL, 0);
	put_code(test, 7, 2, NULL, 0);
	put_code(test, 10, 1, NULL, 0);
	expect_list(test, NULL, 0);
	expect_counts(test, 0, 0);
}

/* The newest first, as it was in the place of the others. */
static void what_is_gone_comes_behind_it(struct kunit *test)
{
	static const struct pages first[] = { { 5, 2 } };
	static const struct pages both[] = { { 1, 1 }, { 5, 2 } };
	static const struct pages overlaps[] = { { 6, 2 }, { 1, 1 }, { 5, 2 } };
	static const struct pages last[] = { { 6, 2 }, { 5, 2 } };

	start(test, 10);
	take_area(test);
	put_code(test, 1, 1, NULL, 0);
	put_code(test, 3, 1, NULL, 0);
	put_code(test, 5, 2, NULL, 0);
	expect_list(test, NULL, 0);
	remove_code(test, 5, 2);
	expect_list(test, first, ARRAY_SIZE(first));
	remove_code(test, 1, 1);
	expect_list(test, both, ARRAY_SIZE(both));
	expect_list(test, both, ARRAY_SIZE(both));
	expect_code(test, 1, 0);
	expect_code(test, 6, 1);
	/* Half of what was there. */
	put_code(test, 6, 2, NULL, 0);
	expect_list(test, both, ARRAY_SIZE(both));
	expect_code(test, 6, 0);
	remove_code(test, 6, 2);
	expect_list(test, overlaps, ARRAY_SIZE(overlaps));
	expect_code(test, 5, 0);
	expect_code(test, 6, 0);
	/* It stands again, in its place. */
	put_code(test, 1, 1, NULL, 0);
	expect_list(test, last, ARRAY_SIZE(last));
	expect_counts(test, 0, 0);
}

/* Nobody can be led there any more. Of what is hidden in part, the rest is known. */
static void what_is_hidden_is_dropped(struct kunit *test)
{
	static const struct pages gone[] = { { 2, 2 }, { 6, 2 }, { 11, 1 } };
	static const struct pages partly[] = { { 6, 2 }, { 11, 1 } };

	start(test, 10);
	take_area(test);
	put_code(test, 2, 2, NULL, 0);
	put_code(test, 6, 2, NULL, 0);
	put_code(test, 11, 1, NULL, 0);
	expect_list(test, NULL, 0);
	remove_code(test, 11, 1);
	expect_list(test, &gone[2], 1);
	remove_code(test, 6, 2);
	expect_list(test, &gone[1], 2);
	remove_code(test, 2, 2);
	expect_list(test, gone, ARRAY_SIZE(gone));
	/* From before it to behind it; and beside the others. */
	put_code(test, 1, 4, NULL, 0);
	put_code(test, 7, 2, NULL, 0);
	expect_list(test, partly, ARRAY_SIZE(partly));
	expect_code(test, 2, 1);
	expect_code(test, 6, 0);
	expect_code(test, 7, 0);
	expect_code(test, 11, 0);
	expect_counts(test, 0, 0);
}

/* Another file, another part of it, more or less of it: nothing of that is what stood there. */
static void what_changes_in_its_place_is_new(struct kunit *test)
{
	static const struct pages gone[] = { { 7, 2 } };
	struct file *file;

	start(test, 10);
	take_area(test);
	file = get_code_file(test);
	put_code(test, 1, 1, NULL, 0);
	put_code(test, 3, 1, file, 0);
	put_code(test, 5, 1, file, 0);
	put_code(test, 7, 2, file, 0);
	put_code(test, 10, 1, file, 0);
	expect_list(test, NULL, 0);
	put_code(test, 1, 1, file, 0);
	put_code(test, 3, 1, NULL, 0);
	put_code(test, 5, 1, file, 1);
	remove_code(test, 7, 2);
	put_code(test, 7, 1, file, 1);
	put_code(test, 10, 2, file, 0);
	expect_list(test, gone, ARRAY_SIZE(gone));
	expect_code(test, 7, 1);
	expect_code(test, 8, 1);
	/* No name is needed once more, nor is there more than one. */
	expect_list(test, gone, ARRAY_SIZE(gone));
	fput(file);
	expect_counts(test, 0, 0);
}

/* What is stored of the code on that page of the area. */
static struct sp_mapping *stored_at(struct kunit *test, u32 page)
{
	struct fixture *f = test->priv;
	u32 i = f->mappings.programs[1].mappings;

	while (i && f->mappings.mappings[i].start != f->area + page * PAGE_SIZE)
		i = f->mappings.mappings[i].next;
	KUNIT_ASSERT_NE(test, i, 0U);
	return &f->mappings.mappings[i];
}

/* What is there as it was, but was said to be gone, or to be of another kind. */
static void what_is_told_falsely_is_new(struct kunit *test)
{
	struct file *file;

	start(test, 10);
	take_area(test);
	file = get_code_file(test);
	put_code(test, 1, 1, file, 0);
	put_code(test, 3, 1, NULL, 0);
	fput(file);
	expect_list(test, NULL, 0);
	stored_at(test, 1)->gone = true;
	stored_at(test, 3)->kind = SP_MAPPING_VDSO;
	expect_list(test, NULL, 0);
	KUNIT_EXPECT_FALSE(test, stored_at(test, 1)->gone);
	KUNIT_EXPECT_EQ(test, (int)stored_at(test, 3)->kind, (int)SP_MAPPING_ANON);
	expect_counts(test, 0, 0);
}

/* So many of such a name take more than the time that one look has for names. */
#define LONG_NAMES	200
#define LONG_NAME	2000

#ifdef EMPTY_VMA_FLAGS
#define NO_VMA_FLAGS	EMPTY_VMA_FLAGS
#else
#define NO_VMA_FLAGS	0
#endif

static void put_long_names(struct kunit *test)
{
	char *name = kunit_kzalloc(test, LONG_NAME + 1, GFP_KERNEL);
	struct file *file;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, name);
	memset(name, 'x', LONG_NAME);
	file = shmem_file_setup(name, PAGE_SIZE, NO_VMA_FLAGS);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	for (i = 0; i < LONG_NAMES; i++)
		put_code(test, i, 1, file, 0);
	fput(file);
}

/* Where a build-id is missing, and there is no room, or no time, to ask for it. */
static void a_name_that_is_known_stays(struct kunit *test)
{
	const u32 known = LONG_NAMES + 1, fresh = LONG_NAMES + 3;
	struct fixture *f = test->priv;
	struct sp_mapping *mapping;
	u32 path, room, looks;
	struct file *file;

	start(test, 10);
	take_area(test);
	file = get_code_file(test);
	put_code(test, known, 1, file, 0);
	expect_list(test, NULL, 0);
	mapping = stored_at(test, known);
	path = mapping->path;
	if (!sp_path_entry(&f->mappings, path)->id.device)
		kunit_skip(test, "the program is of no file that can be found");

	/* It is called otherwise now, and there is no room for that. */
	f->mappings.paths[path] = '?';
	sp_path_entry(&f->mappings, path)->id.build_id_bytes = 0;
	room = f->mappings.max_program_path_bytes;
	f->mappings.max_program_path_bytes = 8;
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, (int)mapping->kind, (int)SP_MAPPING_FILE);
	KUNIT_EXPECT_EQ(test, mapping->path, path);
	expect_counts(test, 0, 0);
	f->mappings.max_program_path_bytes = room;

	/* Names of others come first, and there is no time for what comes behind them. */
	put_long_names(test);
	put_code(test, fresh, 1, file, 1);
	sp_mappings_hurry(&f->mappings);
	for (looks = 0; looks < 2; looks++) {
		sp_path_entry(&f->mappings, path)->id.build_id_bytes = 0;
		KUNIT_EXPECT_EQ(test, look(test), 1U);
		KUNIT_EXPECT_EQ(test, (int)mapping->kind, (int)SP_MAPPING_FILE);
		KUNIT_EXPECT_EQ(test, mapping->path, path);
		KUNIT_EXPECT_EQ(test, (int)stored_at(test, fresh)->kind,
				(int)SP_MAPPING_LOST);
	}
	remove_code(test, 0, LONG_NAMES);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, mapping->path, path);
	KUNIT_EXPECT_EQ(test, (int)stored_at(test, fresh)->kind, (int)SP_MAPPING_FILE);
	fput(file);
}

#define LOOKS	100

/* Others come and go meanwhile, but not so many. */
static void looking_keeps_no_reference(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, task, users;

	start(test, 10);
	next_program(test);
	task = refcount_read(&f->task->usage);
	users = atomic_read(&f->mm->mm_users);
	for (i = 0; i < LOOKS; i++)
		look(test);
	KUNIT_EXPECT_LT(test, refcount_read(&f->task->usage), task + LOOKS / 2);
	KUNIT_EXPECT_LT(test, (unsigned int)atomic_read(&f->mm->mm_users), users + LOOKS / 2);
}

static void copies_name_the_program(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct vm_area_struct *vma;
	u32 program, count, i;

	start(test, 10);
	next_program(test);
	program = look(test);
	KUNIT_EXPECT_EQ(test, copy_of(test, 0), 0U);
	count = copy_of(test, program);
	mmap_read_lock(f->mm);
	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ(test, f->copy[i].program, program);
		vma = find_vma(f->mm, f->copy[i].start);
		KUNIT_EXPECT_NOT_NULL(test, vma);
		if (!vma)
			continue;
		KUNIT_EXPECT_EQ(test, f->copy[i].start, (u64)vma->vm_start);
		KUNIT_EXPECT_EQ(test, f->copy[i].end, (u64)vma->vm_end);
		KUNIT_EXPECT_EQ(test, !f->copy[i].path, !vma->vm_file);
	}
	mmap_read_unlock(f->mm);
}

static void another_exec_is_another_program(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 program = 77;

	start(test, 10);
	next_program(test);
	/* What it ran before, and nobody looked at in time. */
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, task_pid(f->task), &f->who,
					       f->exec_id - 1, &always, &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 0U);
	expect_counts(test, 1, 0);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, task_pid(f->task), &f->who,
					       f->exec_id - 1, &always, &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 0U);
	expect_counts(test, 2, 0);
}

/* A thread of it that is gone is told by its start: the process was there. */
static void known_when_it_is_gone(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 begin;
	u32 program = 77;

	start(test, 10);
	next_program(test);
	begin = f->who.leader_start;
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id, begin),
			1U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id + 1,
					       begin), 0U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid + 1, f->exec_id,
					       begin), 0U);
	/* Somebody else's, before the process began or after it was seen last. */
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id,
					       begin - 1), 0U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id,
					       ktime_get_ns() + SECONDS_LATER), 0U);
	/* A look that comes when it is gone finds what an earlier one saw. */
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &f->who, f->exec_id, &always,
					       &program), SP_LOOK_DONE);
	KUNIT_EXPECT_EQ(test, program, 1U);
	expect_counts(test, 0, 0);
}

/* Who asked before a look began needs no other one. */
static void one_look_does_for_all_before_it(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_program *program;
	u64 before, first;

	start(test, 10);
	next_program(test);
	before = ktime_get_ns();
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	program = &f->mappings.programs[1];
	first = program->looked;
	KUNIT_EXPECT_GE(test, first, before);
	KUNIT_EXPECT_EQ(test, look_since(test, before), 1U);
	KUNIT_EXPECT_EQ(test, look_since(test, first), 1U);
	KUNIT_EXPECT_EQ(test, program->looked, first);
	KUNIT_EXPECT_EQ(test, look_since(test, first + 1), 1U);
	KUNIT_EXPECT_GT(test, program->looked, first);
}

/* It is known, but not looked at again at once; nor is anything counted. */
static void very_many_mappings_have_a_pause(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_program *program;
	struct sp_who newborn;
	u32 number = 77;
	u64 first;

	start(test, 10);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	program = &f->mappings.programs[1];
	KUNIT_EXPECT_EQ(test, (u32)program->pause_ms, 0U);
	program->pause_ms = 1000000;
	first = program->looked;
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, task_pid(f->task), &f->who,
					       f->exec_id, &always, &number), SP_LOOK_PUT_OFF);
	KUNIT_EXPECT_EQ(test, number, 1U);
	/* Also for a thread that was born since. */
	newborn = f->who;
	newborn.start_time = ktime_get_ns();
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, task_pid(f->task), &newborn,
					       f->exec_id, &always, &number), SP_LOOK_PUT_OFF);
	KUNIT_EXPECT_EQ(test, number, 1U);
	KUNIT_EXPECT_EQ(test, program->looked, first);
	KUNIT_EXPECT_GE(test, program->alive, newborn.start_time);
	KUNIT_EXPECT_EQ(test, look_since(test, first), 1U);
	KUNIT_EXPECT_EQ(test, program->looked, first);
	/* At the end there is none. */
	sp_mappings_hurry(&f->mappings);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_GT(test, program->looked, first);
	expect_counts(test, 0, 0);
}

/* What was not looked at when the recording ended is told then, and once. */
static void who_is_left_is_missed_once(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 program;

	start(test, 10);
	next_program(test);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &f->who, f->exec_id, &always,
					       &program), SP_LOOK_DONE);
	expect_counts(test, 1, 0);
	sp_mappings_end(&f->mappings, 2);
	expect_counts(test, 3, 0);
	KUNIT_EXPECT_EQ(test, sp_mappings_look(&f->mappings, NULL, &f->who, f->exec_id, &always,
					       &program), SP_LOOK_DONE);
	expect_counts(test, 3, 0);
	/* What lives is known all the same. */
	KUNIT_EXPECT_EQ(test, look(test), 1U);
}

/* What was known when the recording ended is not looked at again, and nothing is lost since. */
static void who_is_known_at_the_end_stays(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 looked;

	start(test, 1);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	looked = f->mappings.programs[1].looked;
	sp_mappings_end(&f->mappings, 0);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, f->mappings.programs[1].looked, looked);
	/* There is no room for another one. */
	next_program(test);
	KUNIT_EXPECT_EQ(test, look(test), 0U);
	expect_counts(test, 0, 0);
}

/* Who changes his mappings is waited for, and then nobody for some time. */
static void one_wait_does_for_some_time(struct kunit *test)
{
	enum sp_look_result first, second;
	struct fixture *f = test->priv;
	u64 before, until;
	u32 number;

	start(test, 10);
	next_program(test);
	before = ktime_get_ns();
	mmap_write_lock(f->mm);
	first = sp_mappings_look(&f->mappings, task_pid(f->task), &f->who, f->exec_id, &always,
				 &number);
	until = f->mappings.impatient_until;
	f->mappings.impatient_until = U64_MAX;
	second = sp_mappings_look(&f->mappings, task_pid(f->task), &f->who, f->exec_id, &always,
				  &number);
	mmap_write_unlock(f->mm);
	KUNIT_EXPECT_EQ(test, first, SP_LOOK_WAITED);
	KUNIT_EXPECT_GT(test, until, before);
	KUNIT_EXPECT_EQ(test, second, SP_LOOK_WAITED);
	KUNIT_EXPECT_EQ(test, f->mappings.impatient_until, U64_MAX);
	expect_counts(test, 0, 0);
	f->mappings.impatient_until = 0;
	KUNIT_EXPECT_EQ(test, look(test), 1U);
}

/* Of names; what it has mapped without one resolves nothing. */
static void a_program_has_a_share_of_the_room(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 left;

	start(test, 10);
	f->mappings.max_program_path_bytes = 8;
	next_program(test);
	left = f->mappings.left[false].path_bytes;
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, f->mappings.left[false].path_bytes, left);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, 0U);
	KUNIT_EXPECT_GT(test, f->mappings.lost, 0U);
}

/* Who is not needed has its room, its number and its mappings given back. */
static void forgotten_programs_make_room(struct kunit *test)
{
	DECLARE_BITMAP(needed, 3) = { };
	struct fixture *f = test->priv;
	struct sp_mappings_room room;
	u32 count;

	start(test, 1);
	room = f->mappings.left[false];
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	count = copy_of(test, 1);
	__set_bit(1, needed);
	sp_mappings_forget(&f->mappings, needed);
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), count);
	__clear_bit(1, needed);
	sp_mappings_forget(&f->mappings, needed);
	sp_mappings_forget(&f->mappings, needed);
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), 0U);
	expect_room(test, false, &room);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, 0U);
	KUNIT_EXPECT_EQ(test, sp_mappings_find(&f->mappings, f->who.tgid, f->exec_id,
					       f->who.leader_start), 0U);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), expect_mappings(test, 1));
	expect_counts(test, 0, 0);
}

/* Names of those that stay take the place of others, and are found there. */
static void names_that_stay_move_up(struct kunit *test)
{
	DECLARE_BITMAP(needed, 11) = { };
	struct fixture *f = test->priv;
	u32 first, both;
	struct sp_mappings_room room;

	start(test, 10);
	room = f->mappings.left[false];
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	first = f->mappings.path_bytes_used;
	change_names(test, 1);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 2U);
	both = f->mappings.path_bytes_used;
	KUNIT_EXPECT_GT(test, both, first);
	__set_bit(2, needed);
	sp_mappings_forget(&f->mappings, needed);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, both - first);
	KUNIT_EXPECT_EQ(test, f->mappings.left[false].path_bytes,
			room.path_bytes - (both - first));
	KUNIT_EXPECT_EQ(test, copy_of(test, 2), expect_mappings(test, 2));
	/* The same ones are not stored once more. */
	KUNIT_EXPECT_EQ(test, look(test), 2U);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, both - first);
	__clear_bit(2, needed);
	sp_mappings_forget(&f->mappings, needed);
	expect_room(test, false, &room);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, 0U);
	expect_counts(test, 0, 0);
}

/* What a program has of its share is what is still needed of it. */
static void names_that_go_are_nobodys(struct kunit *test)
{
	DECLARE_BITMAP(needed, 11) = { };
	struct fixture *f = test->priv;
	u32 first;

	start(test, 10);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	first = f->mappings.path_bytes_used;
	KUNIT_EXPECT_EQ(test, f->mappings.programs[1].path_bytes, first);
	change_names(test, 1);
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	KUNIT_EXPECT_EQ(test, f->mappings.programs[1].path_bytes, 2 * first);
	/* Names are given back with programs. */
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 2U);
	__set_bit(1, needed);
	sp_mappings_forget(&f->mappings, needed);
	KUNIT_EXPECT_EQ(test, f->mappings.path_bytes_used, first);
	KUNIT_EXPECT_EQ(test, f->mappings.programs[1].path_bytes, first);
	expect_counts(test, 0, 0);
}

/* What has room again, and later has none, is lost once more. */
static void names_are_lost_as_often_as_they_are(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 room, lost;

	start(test, 10);
	room = f->mappings.max_program_path_bytes;
	f->mappings.max_program_path_bytes = 8;
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	lost = f->mappings.lost;
	KUNIT_ASSERT_GT(test, lost, 0U);
	/* Those are the same ones. */
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	expect_counts(test, 0, lost);
	f->mappings.max_program_path_bytes = room;
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	expect_counts(test, 0, lost);
	change_names(test, 1);
	f->mappings.max_program_path_bytes = 8;
	KUNIT_EXPECT_EQ(test, look(test), 1U);
	expect_counts(test, 0, 2 * lost);
}

static void programs_without_room_are_counted(struct kunit *test)
{
	struct sp_resolved resolved;
	struct fixture *f = test->priv;

	start(test, 1);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	next_program(test);
	KUNIT_EXPECT_EQ(test, look(test), 0U);
	expect_counts(test, 0, 1);
	KUNIT_EXPECT_EQ(test, look(test), 0U);
	expect_counts(test, 0, 2);
	copy_of(test, 0);
	KUNIT_EXPECT_FALSE(test, resolve(test, 0, f->mm->start_code, &resolved));
}

static void two_programs_are_told_apart(struct kunit *test)
{
	u32 first;

	start(test, 10);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 1U);
	first = copy_of(test, 1);
	next_program(test);
	KUNIT_ASSERT_EQ(test, look(test), 2U);
	KUNIT_EXPECT_EQ(test, copy_of(test, 2), expect_mappings(test, 2));
	KUNIT_EXPECT_EQ(test, copy_of(test, 1), first);
	expect_counts(test, 0, 0);
}

static void expect_same(struct kunit *test, bool same, const struct sp_file_id *one,
			const struct sp_file_id *other)
{
	KUNIT_EXPECT_EQ(test, sp_file_id_same(one, other), same);
	KUNIT_EXPECT_EQ(test, sp_file_id_hash(one) == sp_file_id_hash(other), same);
}

/* All that tells a file whose build-id nobody knew. */
static void files_differ_in_each_part(struct kunit *test)
{
	const struct sp_file_id one = {
		.inode = 7, .device = 8, .generation = 9, .mtime_ns = 10,
	};
	struct sp_file_id other = one;

	other.build_id_bytes = 1;
	other.build_id[0] = 1;
	expect_same(test, true, &one, &other);
	other.inode++;
	expect_same(test, false, &one, &other);
	other = one;
	other.device++;
	expect_same(test, false, &one, &other);
	other = one;
	other.generation++;
	expect_same(test, false, &one, &other);
	other = one;
	other.mtime_ns++;
	expect_same(test, false, &one, &other);
}

/* A head whose notes, as many empty ones and then the build-id, lie in two segments. */
static void make_head(u8 *head, u32 empty)
{
	static const struct elf32_note none, build_id = {
		.n_namesz = sizeof("GNU"), .n_descsz = 8, .n_type = 3,
	};
	struct elf64_hdr elf = {
		.e_phoff = sizeof(elf), .e_phentsize = sizeof(struct elf64_phdr), .e_phnum = 2,
	};
	struct elf64_phdr notes[2] = {
		{ .p_type = PT_NOTE, .p_filesz = empty * sizeof(none) },
		{ .p_type = PT_NOTE, .p_filesz = sizeof(build_id) + 4 + 8 },
	};
	u8 *at = head + sizeof(elf) + sizeof(notes);

	memset(head, 0, SP_FILE_HEAD);
	memcpy(elf.e_ident, ELFMAG, SELFMAG);
	elf.e_ident[EI_CLASS] = ELFCLASS64;
	elf.e_ident[EI_DATA] = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? ELFDATA2MSB : ELFDATA2LSB;
	notes[0].p_offset = at - head;
	notes[1].p_offset = notes[0].p_offset + notes[0].p_filesz;
	memcpy(head, &elf, sizeof(elf));
	memcpy(head + sizeof(elf), notes, sizeof(notes));
	at += notes[0].p_filesz;
	memcpy(at, &build_id, sizeof(build_id));
	memcpy(at + sizeof(build_id), "GNU\0abcdefgh", 12);
}

/* It is behind as many notes as a file may have, and not behind more. */
static void notes_are_bounded(struct kunit *test)
{
	u8 *head = kunit_kzalloc(test, SP_FILE_HEAD, GFP_KERNEL);
	struct sp_file_id id = { };

	KUNIT_ASSERT_NOT_NULL(test, head);
	make_head(head, 3);
	sp_build_id_in(head, &id);
	KUNIT_EXPECT_EQ(test, id.build_id_bytes, 8U);
	KUNIT_EXPECT_EQ(test, memcmp(id.build_id, "abcdefgh", 8), 0);
	id.build_id_bytes = 0;
	make_head(head, 200);
	sp_build_id_in(head, &id);
	KUNIT_EXPECT_EQ(test, id.build_id_bytes, 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(files_differ_in_each_part),
	KUNIT_CASE(notes_are_bounded),
	KUNIT_CASE(no_user_stacks_no_memory),
	KUNIT_CASE(memory_grows_with_the_tasks),
	KUNIT_CASE(who_is_gone_is_missed),
	KUNIT_CASE(who_has_no_program_is_missed),
	KUNIT_CASE(wakers_have_room_of_their_own),
	KUNIT_CASE(a_program_as_the_kernel_has_it),
	KUNIT_CASE(looking_again_adds_nothing),
	KUNIT_CASE(what_stands_is_not_asked_again),
	KUNIT_CASE(what_stands_comes_by_address),
	KUNIT_CASE(what_is_gone_comes_behind_it),
	KUNIT_CASE(what_is_hidden_is_dropped),
	KUNIT_CASE(what_changes_in_its_place_is_new),
	KUNIT_CASE(what_is_told_falsely_is_new),
	KUNIT_CASE(a_name_that_is_known_stays),
	KUNIT_CASE(looking_keeps_no_reference),
	KUNIT_CASE(copies_name_the_program),
	KUNIT_CASE(another_exec_is_another_program),
	KUNIT_CASE(known_when_it_is_gone),
	KUNIT_CASE(one_look_does_for_all_before_it),
	KUNIT_CASE(very_many_mappings_have_a_pause),
	KUNIT_CASE(who_is_left_is_missed_once),
	KUNIT_CASE(who_is_known_at_the_end_stays),
	KUNIT_CASE(one_wait_does_for_some_time),
	KUNIT_CASE(a_program_has_a_share_of_the_room),
	KUNIT_CASE(forgotten_programs_make_room),
	KUNIT_CASE(names_that_stay_move_up),
	KUNIT_CASE(names_that_go_are_nobodys),
	KUNIT_CASE(names_are_lost_as_often_as_they_are),
	KUNIT_CASE(programs_without_room_are_counted),
	KUNIT_CASE(two_programs_are_told_apart),
	{}
};

struct kunit_suite sp_mappings_suite = {
	.name = "schedprof_mappings",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};
