// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces: which files programs have mapped where, for walks by tables.
 *
 * A walk that comes to a program which is not known, or which mapped something since, says
 * so in a few words that all processors share, and a worker looks. Until it has, the walk is
 * one by frame pointers. What the worker finds is published by RCU, and never changed; a
 * reference to the mm_struct, not to what is mapped, keeps its address from being another
 * one's.
 *
 * Nothing here waits for the programs that are looked at, as in record/mappings.c: the
 * mmap_lock is tried for, and the address space is given back by mmput_async().
 *
 * One mutex for all that the worker does; hooks look up without a lock.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/file_id.h"
#include "lib/limits.h"
#include "lib/memory.h"
#include "unwind/spaces.h"

/* Mappings of code that one program may have, and programs that are known. */
#define MAX_RANGES	1024
#define MAX_SPACES	32768
#define SPACE_BITS	12
/* Programs that may want to be looked at at the same time; another one asks again. */
#define WANTED_BITS	8
/* How often the mmap_lock is tried for: some 10 ms. */
#define TRIES		20
#define TRY_AGAIN_MIN_US	100
#define TRY_AGAIN_MAX_US	300
/* Programs that are gone are looked for when the machine is awake anyway. */
#define REAP_JIFFIES	(5 * HZ)
#define RETRY_JIFFIES	(HZ / 20)

static DEFINE_MUTEX(mutex);	/* protects what follows, but for what hooks read */
static struct hlist_head spaces[1 << SPACE_BITS];	/* RCU */
static u32 count, lost, missed;
static char *path;		/* PATH_MAX */
static void *head;		/* SP_FILE_HEAD */

static pid_t wanted[1 << WANTED_BITS];	/* set by hooks, taken by the worker; 0: none */
static bool want_all;
static bool kicked;		/* the worker was asked and has not begun */
static struct irq_work kick;
static struct delayed_work work, reaping;

static struct hlist_head *chain_of(const struct mm_struct *mm)
{
	return &spaces[hash_ptr(mm, SPACE_BITS)];
}

/**
 * sp_unwind_space_of() - what is known of an address space
 * @mm: the address space
 *
 * Context: hooks, in an RCU read side section.
 * Return: what is known, or NULL: nothing, or it is behind too many others.
 */
const struct sp_unwind_space *sp_unwind_space_of(struct mm_struct *mm)
{
	const struct sp_unwind_space *space;
	unsigned int steps = 0;

	hlist_for_each_entry_rcu(space, chain_of(mm), node, true) {
		if (space->mm == mm)
			return space;
		if (++steps == SP_MAX_CHAIN)
			break;
	}
	return NULL;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_space_of);

/* As in record/account.c: an interrupt that comes when the hook is over wakes the worker. */
static void ask_worker(void)
{
	/* Either it is seen here that the worker has begun, or it sees what is wanted. */
	smp_mb();
	if (READ_ONCE(kicked))
		return;
	WRITE_ONCE(kicked, true);
	irq_work_queue(&kick);
}

/**
 * sp_unwind_spaces_want() - a program is not known, or not as it is now
 * @tgid: its process
 *
 * Context: hooks.
 */
void sp_unwind_spaces_want(pid_t tgid)
{
	pid_t *place = &wanted[hash_32(tgid, WANTED_BITS)];

	if (READ_ONCE(*place) == tgid)
		return;
	WRITE_ONCE(*place, tgid);
	ask_worker();
}

/**
 * sp_unwind_spaces_want_all() - look at all programs that there are
 *
 * As soon as there is a table.
 *
 * Context: process.
 */
void sp_unwind_spaces_want_all(void)
{
	WRITE_ONCE(want_all, true);
	ask_worker();
}

/**
 * sp_unwind_spaces_table_came() - it may be the first one
 *
 * Context: process.
 */
void sp_unwind_spaces_table_came(void)
{
	if (READ_ONCE(want_all))
		ask_worker();
}

static size_t bytes_of(u32 ranges)
{
	return sizeof(struct sp_unwind_space) + ranges * sizeof(struct sp_unwind_range);
}

/* No hook reaches it any more. */
static void free_space_locked(struct sp_unwind_space *space)
{
	u32 i;

	for (i = 0; i < space->ranges; i++)
		sp_unwind_file_put(space->range[i].file);
	sp_unwind_room_give(bytes_of(space->room));
	mmdrop(space->mm);
	kvfree(space);
}

/* Hooks may go on over it, so its node is left as it is. */
static void take_off_locked(struct sp_unwind_space *space, struct sp_unwind_space **gone)
{
	lockdep_assert_held(&mutex);
	hlist_del_rcu(&space->node);
	space->gone = *gone;
	*gone = space;
	count--;
}

static void free_gone_locked(struct sp_unwind_space *gone)
{
	struct sp_unwind_space *space;

	if (!gone)
		return;
	synchronize_rcu();
	while ((space = gone)) {
		gone = space->gone;
		free_space_locked(space);
	}
}

/* Whose memory nobody has any more, or all of them. */
static void reap_locked(bool all)
{
	struct sp_unwind_space *space, *gone = NULL;
	struct hlist_node *next;
	unsigned int i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < ARRAY_SIZE(spaces); i++)
		hlist_for_each_entry_safe(space, next, &spaces[i], node)
			if (all || !atomic_read(&space->mm->mm_users))
				take_off_locked(space, &gone);
	free_gone_locked(gone);
}

static void reap_work(struct work_struct *unused)
{
	mutex_lock(&mutex);
	reap_locked(!READ_ONCE(sp_unwind_tables));
	if (count)
		queue_delayed_work(system_dfl_wq, &reaping, REAP_JIFFIES);
	mutex_unlock(&mutex);
}

static bool is_vdso(const struct vm_area_struct *vma)
{
#ifdef CONFIG_X86
	return (void __user *)vma->vm_start == vma->vm_mm->context.vdso;
#else
	return false;
#endif
}

static struct sp_unwind_file *file_of_locked(const struct vm_area_struct *vma)
{
	struct sp_file_id id;
	const char *name;

	lockdep_assert_held(&mutex);
	if (!vma->vm_file)
		return is_vdso(vma) ? sp_unwind_file_get(NULL, 0, NULL) : NULL;
	sp_file_id(vma->vm_file, head, &id);
	if (!id.build_id_bytes)
		return NULL;
	name = d_path(sp_file_path(vma->vm_file), path, PATH_MAX);
	return sp_unwind_file_get(id.build_id, id.build_id_bytes, IS_ERR(name) ? "" : name);
}

/* What is mapped now; the caller keeps it from being changed. NULL: there is no room. */
static struct sp_unwind_space *make_space_locked(struct mm_struct *mm)
{
	struct sp_unwind_space *space;
	struct vm_area_struct *vma;
	u32 max = 0;

	for (vma = find_vma(mm, 0); vma && max < MAX_RANGES; vma = find_vma(mm, vma->vm_end))
		max += !!(vma->vm_flags & VM_EXEC);
	/* What it turns out not to need is taken, too: there are few without a file. */
	if (count >= MAX_SPACES || !sp_unwind_room_take(bytes_of(max)))
		return NULL;
	space = kvzalloc(bytes_of(max), GFP_KERNEL);
	if (!space) {
		sp_unwind_room_give(bytes_of(max));
		return NULL;
	}
	space->map_count = mm->map_count;
	space->exec_vm = mm->exec_vm;
	space->room = max;
	for (vma = find_vma(mm, 0); vma && space->ranges < max; vma = find_vma(mm, vma->vm_end)) {
		struct sp_unwind_range *range = &space->range[space->ranges];

		if (!(vma->vm_flags & VM_EXEC))
			continue;
		range->file = file_of_locked(vma);
		if (!range->file)
			continue;
		range->start = vma->vm_start;
		range->end = vma->vm_end;
		range->offset = vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0;
		space->ranges++;
		cond_resched();
	}
	mmgrab(mm);
	space->mm = mm;
	return space;
}

static bool lock_mm(struct mm_struct *mm)
{
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		if (mmap_read_trylock(mm))
			return true;
		usleep_range(TRY_AGAIN_MIN_US, TRY_AGAIN_MAX_US);
	}
	return false;
}

/* Hooks find the new one, the old one or none. */
static void publish_locked(struct sp_unwind_space *space)
{
	struct sp_unwind_space *before = NULL, *old;

	hlist_for_each_entry(old, chain_of(space->mm), node)
		if (old->mm == space->mm)
			before = old;
	hlist_add_head_rcu(&space->node, chain_of(space->mm));
	count++;
	if (!before)
		return;
	old = NULL;
	take_off_locked(before, &old);
	free_gone_locked(old);
}

static struct mm_struct *mm_of(pid_t tgid)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid = find_get_pid(tgid);

	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return NULL;
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm;
}

/**
 * sp_unwind_spaces_look() - learn what a program has mapped
 * @tgid: its process, as the initial PID namespace sees it
 *
 * Context: process, in the initial PID namespace, may sleep; for 10 ms at most if it
 * changes its mappings all the time.
 * Return: 0; -ESRCH: there is no such program; -EAGAIN: try later; -ENOSPC: there is no room,
 * which was counted.
 */
int sp_unwind_spaces_look(pid_t tgid)
{
	struct mm_struct *mm = mm_of(tgid);
	struct sp_unwind_space *space;
	int err = -EAGAIN;

	if (!mm)
		return -ESRCH;
	mutex_lock(&mutex);
	if (lock_mm(mm)) {
		space = make_space_locked(mm);
		mmap_read_unlock(mm);
		err = space ? 0 : -ENOSPC;
		lost += !space;
		if (space)
			publish_locked(space);
		if (!delayed_work_pending(&reaping))
			queue_delayed_work(system_dfl_wq, &reaping, REAP_JIFFIES);
	} else {
		missed++;
	}
	mutex_unlock(&mutex);
	mmput_async(mm);
	return err;
}
SP_EXPORT_FOR_KUNIT(sp_unwind_spaces_look);

static void mark_all(void)
{
	struct task_struct *task;
	pid_t *tgids, room = 0, n = 0, i;

	/* More may be born meanwhile: those say themselves that they are not known. */
	rcu_read_lock();
	for_each_process(task)
		room++;
	rcu_read_unlock();
	tgids = kvmalloc_array(room, sizeof(*tgids), GFP_KERNEL);
	if (!tgids)
		return;
	rcu_read_lock();
	for_each_process(task)
		if (n < room && !(task->flags & PF_KTHREAD))
			tgids[n++] = task->tgid;
	rcu_read_unlock();
	for (i = 0; i < n; i++) {
		sp_unwind_spaces_look(tgids[i]);
		cond_resched();
	}
	kvfree(tgids);
}

static void look_work(struct work_struct *unused)
{
	bool again = false;
	unsigned int i;
	pid_t tgid;

	WRITE_ONCE(kicked, false);
	/* Pairs with ask_worker(). */
	smp_mb();
	if (!READ_ONCE(sp_unwind_tables))
		return;
	if (xchg(&want_all, false))
		mark_all();
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!READ_ONCE(wanted[i]))
			continue;
		tgid = xchg(&wanted[i], 0);
		if (tgid && sp_unwind_spaces_look(tgid) == -EAGAIN) {
			cmpxchg(&wanted[i], 0, tgid);
			again = true;
		}
	}
	if (again)
		queue_delayed_work(system_dfl_wq, &work, RETRY_JIFFIES);
}

/* In a hard interrupt right behind the hook. */
static void kick_irq_work(struct irq_work *unused)
{
	queue_delayed_work(system_dfl_wq, &work, 0);
}

/**
 * sp_unwind_spaces_forget() - give all of it back
 *
 * Context: process. Programs that are met again are looked at again.
 */
void sp_unwind_spaces_forget(void)
{
	mutex_lock(&mutex);
	reap_locked(true);
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_spaces_forget);

/**
 * sp_unwind_spaces_status() - how many there are
 * @s: where to
 */
void sp_unwind_spaces_status(struct seq_buf *s)
{
	mutex_lock(&mutex);
	seq_buf_printf(s, "programs %u\nlost_programs %u\nmissed_programs %u\n", count, lost,
		       missed);
	mutex_unlock(&mutex);
}
SP_EXPORT_FOR_KUNIT(sp_unwind_spaces_status);

/* Context: process, at load. Return: 0 or -ENOMEM. */
int sp_unwind_spaces_init(void)
{
	path = kmalloc(PATH_MAX, GFP_KERNEL);
	head = kmalloc(SP_FILE_HEAD, GFP_KERNEL);
	if (!path || !head) {
		kfree(path);
		kfree(head);
		return -ENOMEM;
	}
	init_irq_work(&kick, kick_irq_work);
	INIT_DELAYED_WORK(&work, look_work);
	INIT_DEFERRABLE_WORK(&reaping, reap_work);
	return 0;
}

/* Context: process, at unload: no hook is left. */
void sp_unwind_spaces_exit(void)
{
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&work);
	mutex_lock(&mutex);
	reap_locked(true);
	mutex_unlock(&mutex);
	/* It queues itself only while there are some. */
	cancel_delayed_work_sync(&reaping);
	kfree(path);
	kfree(head);
}
