// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces: which files programs have mapped where, and where they have code that they
 * generated, for walks by tables.
 *
 * A walk that comes to a program which is not known, or which mapped something since, says
 * so in a few words that all processors share, and a worker looks. Until it has, the walk is
 * one by frame pointers, or is not remembered. What the worker finds is published by RCU; a
 * reference to the mm_struct, not to what is mapped, keeps its address from being another
 * one's.
 *
 * Any user can have programs that map and unmap all the time: one that asks is looked at
 * again soon after the first time, as it may just begin, and then less and less often, down
 * to ten times a second, or four if it has tens of thousands of mappings; programs that share
 * a place of `looked` once in a jiffy. Processes may share their memory, any number of them: who
 * looks at all that there are does so once for all of these. Readers look no more often, and keep
 * off the mutex if nothing is to be looked at. What all of them take is bounded, by half of
 * unwind_mb.
 *
 * One mutex for all that workers do; hooks look up without a lock. Whoever asks does not wait
 * for the grace period of what others no longer are: freeing is a work of its own.
 */
#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "lib/address_space.h"
#include "lib/export.h"
#include "lib/file_id.h"
#include "lib/limits.h"
#include "lib/memory.h"
#include "lib/widen.h"
#include "unwind/spaces.h"

/* Mappings of code that one program may have, and programs that are known. */
#define MAX_RANGES	1024
#define MAX_SPACES	32768
#define SPACE_BITS	12
/* Of generated code, so many times 4 GB of a program's addresses may have tables. */
#define MAX_WINDOWS	8
/* Programs that may want to be looked at together; another one asks again. */
#define WANTED_BITS	10
/*
 * How soon a program is looked at again, at most; and from when on it is at once, as if it
 * were new.
 */
#define AGAIN_JIFFIES	(HZ / 10)
#define NEW_JIFFIES	HZ
/* For how many times what its looks took the worker rests behind them, and the longest rest. */
#define RESTS		3UL
#define MAX_REST_JIFFIES	(5UL * HZ)
/* How often programs that are gone are looked for. */
#define REAP_JIFFIES	(5 * HZ)

static DEFINE_MUTEX(mutex);	/* protects what follows, but for what hooks read */
static struct hlist_head spaces[1 << SPACE_BITS];	/* RCU */
static u32 count, refused, missed;
static u32 users;		/* recordings that take user stacks */
static bool all_known;		/* since there are tables and users, all were looked at */
static u64 bytes;		/* of all spaces */
static char *path;		/* PATH_MAX */
static void *head;		/* SP_FILE_HEAD */

u32 sp_unwind_spaces_gen;

/* Threads whose programs shall be looked at: set by hooks, taken by the worker; 0: none. */
static pid_t wanted[1 << WANTED_BITS];
/*
 * Which program was looked at last, when, and how long it is not again: 32 bits, 24 bits of
 * jiffies, 8 of them. Set under the mutex, READ_ONCE.
 */
static u64 looked[1 << WANTED_BITS];
static u64 impatient_until;	/* see sp_lock_mm() */
static bool stopping;		/* set under the mutex, READ_ONCE */
static bool kicked;		/* the worker was asked and has not begun */
static bool held;		/* something is wanted for which nobody asked it */
DEFINE_PER_CPU(bool, sp_unwind_spaces_hold);
static struct irq_work kick;
static struct delayed_work look;
static unsigned long rest_ends = INITIAL_JIFFIES;	/* until when the worker rests; its own */
static struct delayed_work reaping;
/* Off their chains: those whose grace period is under way, and those that come behind them. */
static struct sp_unwind_space *being_freed, *to_free;	/* mutex */
static struct rcu_work freeing;
static bool freeing_queued;	/* and has not begun; mutex */

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
		sp_window();
		if (++steps == SP_MAX_CHAIN)
			break;
	}
	return NULL;
}

/**
 * sp_unwind_space_is_old() - did its program map code since?
 * @space: the space
 *
 * What has as many pages as what was there before, or is writable and executable at once,
 * which the kernel does not count as code, is seen when the program is looked at the next
 * time, after SP_UNWIND_OLD_JIFFIES.
 *
 * Context: any; its mm_struct is not freed meanwhile.
 */
bool sp_unwind_space_is_old(const struct sp_unwind_space *space)
{
	return READ_ONCE(space->mm->exec_vm) != READ_ONCE(space->exec_vm);
}

/*
 * As sp_recording_kick(): an interrupt that comes when the hook is over wakes the worker, and
 * there are none on a CPU that goes offline.
 */
static void ask_worker(void)
{
	/* Either it is seen here that the worker has begun, or it sees what is wanted. */
	smp_mb();
	if (READ_ONCE(kicked))
		return;
	if (unlikely(!cpu_active(raw_smp_processor_id()))) {
		/* The thread that watches the hooks does, or whoever comes first. */
		WRITE_ONCE(held, true);
		return;
	}
	WRITE_ONCE(kicked, true);
	irq_work_queue(&kick);
}

/*
 * A program: another one than before its process called exec(). Processes that share their
 * memory are one where @tgid is 0, and where a look at their mappings takes long.
 */
static u32 program_of(const struct mm_struct *mm, pid_t tgid)
{
	u64 process = sp_mm_pause_ms(mm) ? 0 : tgid;

	return hash_64((unsigned long)mm + (process << 40), 32);
}

/* Where it is in `looked`. */
static u64 *last_look(u32 program)
{
	return &looked[program >> (32 - WANTED_BITS)];
}

static u32 jiffies_since(u64 last)
{
	return ((u32)jiffies - (u32)(last >> 8)) & GENMASK(23, 0);
}

/* Is it too soon to look again? */
static bool looked_just_now(u32 program)
{
	u64 last = READ_ONCE(*last_look(program));

	return last >> 32 == program && jiffies_since(last) < (u8)last;
}

/* Of programs that share a place, one comes in each jiffy. */
static bool place_is_taken(u32 program)
{
	return !jiffies_since(READ_ONCE(*last_look(program)));
}

/**
 * sp_unwind_spaces_want() - the running program is not known, or not as it is now
 *
 * A word that somebody waits with is not taken from him. He may not have asked the worker.
 *
 * Context: hooks, interrupts off; or a walk of sp_unwind_user() elsewhere. The task has an
 * address space.
 */
void sp_unwind_spaces_want(void)
{
	u32 i = hash_32(current->pid, WANTED_BITS), program;

	if (!READ_ONCE(wanted[i])) {
		program = program_of(current->mm, current->tgid);
		if (looked_just_now(program) || place_is_taken(program))
			return;
		sp_window();
		WRITE_ONCE(wanted[i], current->pid);
	}
	if (likely(!this_cpu_read(sp_unwind_spaces_hold))) {
		ask_worker();
		return;
	}
	/* Either it is seen here that somebody has asked, or he asks for this one, too. */
	smp_mb();
	if (!READ_ONCE(held))
		WRITE_ONCE(held, true);
}

/**
 * sp_unwind_spaces_ask() - ask the worker for what was wanted where that could not be
 *
 * Context: hooks of switches, and the thread that watches the hooks.
 */
void sp_unwind_spaces_ask(void)
{
	if (likely(!READ_ONCE(held)))
		return;
	sp_window();
	WRITE_ONCE(held, false);
	ask_worker();
}

static size_t bytes_of(u32 ranges)
{
	/* One more: see sp_unwind_range_at(). Behind it their hashes. */
	return sizeof(struct sp_unwind_space) + (ranges + 1) * sizeof(struct sp_unwind_range) +
	       ranges * sizeof(u32);
}

static bool has_room_locked(u64 wish)
{
	lockdep_assert_held(&mutex);
	return count < MAX_SPACES && bytes + wish <= sp_unwind_room() / 2;
}

static bool take_room_locked(u64 wish)
{
	lockdep_assert_held(&mutex);
	if (!has_room_locked(wish) || !sp_unwind_room_take(wish))
		return false;
	bytes += wish;
	count++;
	return true;
}

static void give_room_locked(u64 had)
{
	sp_unwind_room_give(had);
	bytes -= had;
	count--;
}

/* No hook reaches it any more. */
static void free_space_locked(struct sp_unwind_space *space)
{
	u32 i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < space->ranges; i++)
		sp_unwind_file_put(space->range[i].file);
	give_room_locked(space->bytes);
	if (space->mm)
		mmdrop(space->mm);
	kvfree(space);
}

/* Hooks may go on over it, so its node is left as it is. */
static void take_off_locked(struct sp_unwind_space *space)
{
	lockdep_assert_held(&mutex);
	hlist_del_rcu(&space->node);
	space->gone = to_free;
	to_free = space;
}

static void free_all_locked(struct sp_unwind_space **list)
{
	struct sp_unwind_space *space;

	while ((space = *list)) {
		*list = space->gone;
		free_space_locked(space);
		cond_resched();
	}
}

/* All that is off the chains, behind a grace period that is waited for. */
static void free_now_locked(void)
{
	if (!to_free && !being_freed)
		return;
	synchronize_rcu();
	free_all_locked(&to_free);
	free_all_locked(&being_freed);
}

/* Behind a grace period, or behind the one that is under way and another one. */
static void free_later_locked(void)
{
	lockdep_assert_held(&mutex);
	if (!to_free || freeing_queued || READ_ONCE(stopping))
		return;
	being_freed = to_free;
	to_free = NULL;
	freeing_queued = true;
	queue_rcu_work(system_dfl_wq, &freeing);
}

static void free_work(struct work_struct *unused)
{
	mutex_lock(&mutex);
	freeing_queued = false;
	free_all_locked(&being_freed);
	free_later_locked();
	mutex_unlock(&mutex);
}

/* Whose memory nobody has any more, or all of them. */
static void take_off_all_locked(bool all)
{
	struct sp_unwind_space *space;
	struct hlist_node *next;
	unsigned int i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < ARRAY_SIZE(spaces); i++)
		hlist_for_each_entry_safe(space, next, &spaces[i], node)
			if (all || !atomic_read(&space->mm->mm_users))
				take_off_locked(space);
}

static void forget_all_locked(void)
{
	unsigned int i;

	take_off_all_locked(true);
	free_now_locked();
	all_known = false;
	/* Whoever comes next has them looked at anew. */
	for (i = 0; i < ARRAY_SIZE(looked); i++)
		WRITE_ONCE(looked[i], 0);
}

static void reap_work(struct work_struct *unused)
{
	bool generated = sp_unwind_tables_reap();

	mutex_lock(&mutex);
	if (READ_ONCE(sp_unwind_tables) && users) {
		take_off_all_locked(false);
		free_later_locked();
	} else {
		forget_all_locked();
	}
	if ((count || generated) && !READ_ONCE(stopping))
		queue_delayed_work(system_dfl_wq, &reaping, REAP_JIFFIES);
	mutex_unlock(&mutex);
}

static bool has_code(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && (vma->vm_file || sp_vma_is_vdso(vma));
}

/* Nothing else has code without a file. */
static bool is_generated(struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && !vma->vm_file && vma_is_anonymous(vma);
}

static u32 window_of(u64 address)
{
	return address >> 32;
}

/* How many times 4 GB it has a part of. */
static u32 windows_of(const struct vm_area_struct *vma)
{
	return min_t(u32, window_of(vma->vm_end - 1) - window_of(vma->vm_start) + 1,
		     MAX_WINDOWS);
}

/* How many ranges there are at most. */
static u32 count_code(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	bool generated = false;
	u32 n = 0, window = 0;

	for (vma = find_vma(mm, 0); vma && n < MAX_RANGES; vma = find_vma(mm, vma->vm_end)) {
		cond_resched();
		if (is_generated(vma)) {
			/* As add_generated_locked() does it. */
			n += windows_of(vma) -
			     (generated && window == window_of(vma->vm_start));
			window = window_of(vma->vm_end - 1);
			generated = true;
		} else if (has_code(vma)) {
			n++;
			generated = false;
		}
	}
	return min_t(u32, n, MAX_RANGES);
}

/* A space that is being filled. */
struct filling {
	struct sp_unwind_space *space;
	const struct sp_unwind_space *before;	/* as it was; NULL: it was not known */
	struct mm_struct *mm;
	struct sp_unwind_process process;
	u32 max;		/* ranges */
	u32 files;		/* mappings of them so far, with and without a range */
	u32 windows;		/* of process so far; the last one is in it */
	bool parted;		/* the code that came last is a file's */
};

static void add_range_locked(struct filling *filling, struct sp_unwind_file *file, u64 start,
			     u64 end, u64 offset, u32 hash)
{
	struct sp_unwind_space *space = filling->space;

	lockdep_assert_held(&mutex);
	if (space->ranges == filling->max) {
		sp_unwind_file_put(file);
		return;
	}
	space->hash[space->ranges] = hash;
	space->range[space->ranges++] = (struct sp_unwind_range){
		.start = start, .end = end, .offset = offset, .file = file,
	};
}

/*
 * Programs may have very many mappings of it. Of those between which there is no code of a
 * file, there is one range for each 4 GB: what is between them is no code, or none that
 * anything is told of.
 */
static void add_generated_locked(struct filling *filling, const struct vm_area_struct *vma)
{
	struct sp_unwind_space *space = filling->space;
	struct sp_unwind_range *last;
	struct sp_unwind_file *file;
	u32 i, windows = windows_of(vma);
	u64 start = vma->vm_start, end;

	for (i = 0; i < windows; i++, start = end) {
		/* They come in order. */
		if (!filling->windows || filling->process.window != window_of(start)) {
			if (filling->windows == MAX_WINDOWS)
				return;
			filling->windows++;
			filling->process.window = window_of(start);
		}
		end = min_t(u64, vma->vm_end, (window_of(start) + 1ULL) << 32);
		file = sp_unwind_generated_get(filling->mm, &filling->process);
		last = space->ranges ? &space->range[space->ranges - 1] : NULL;
		if (file && !filling->parted && last && last->file == file) {
			sp_unwind_file_put(file);
			last->end = end;
		} else if (file) {
			add_range_locked(filling, file, start, end, (u32)start, 0);
		}
		filling->parted = false;
	}
}

/*
 * The build-id is not always at hand: the page where it is may have left the page cache. It is
 * what it was if the same file is still mapped there.
 */
static void recall_build_id_locked(const struct filling *filling, u64 start, u32 hash,
				   struct sp_file_id *id)
{
	const struct sp_unwind_space *before = filling->before;
	const struct sp_unwind_range *range;

	lockdep_assert_held(&mutex);
	range = before && !id->build_id_bytes ? sp_unwind_range_at(before, start) : NULL;
	if (!range || before->hash[range - before->range] != hash)
		return;
	id->build_id_bytes = range->file->build_id_bytes;
	memcpy(id->build_id, range->file->build_id, id->build_id_bytes);
}

static void add_vdso_locked(struct filling *filling, const struct vm_area_struct *vma)
{
	struct sp_unwind_file *file = sp_unwind_file_get(NULL, 0, "[vdso]");

	filling->parted = true;
	if (file)
		add_range_locked(filling, file, vma->vm_start, vma->vm_end, 0, 0);
}

static void add_file_locked(struct filling *filling, const struct vm_area_struct *vma)
{
	struct sp_unwind_file *file;
	struct sp_file_id id;
	const char *name;
	u32 hash;

	/* Also one that has no build-id, and so no range. */
	filling->parted = true;
	filling->files++;
	sp_file_id(vma->vm_file, head, &id);
	hash = sp_file_id_hash(&id);
	recall_build_id_locked(filling, vma->vm_start, hash, &id);
	if (!id.build_id_bytes)
		return;
	name = d_path(sp_file_path(vma->vm_file), path, PATH_MAX);
	file = sp_unwind_file_get(id.build_id, id.build_id_bytes, IS_ERR(name) ? "" : name);
	if (file)
		add_range_locked(filling, file, vma->vm_start, vma->vm_end,
				 (u64)vma->vm_pgoff << PAGE_SHIFT, hash);
}

/*
 * The caller keeps the mappings as they are. Those of files that have no range, as nothing is
 * known of them, or there is no room, count as well: a program has as many as its user likes.
 */
static void fill_locked(struct filling *filling)
{
	struct mm_struct *mm = filling->mm;
	struct vm_area_struct *vma;

	for (vma = find_vma(mm, 0);
	     vma && filling->space->ranges < filling->max && filling->files < MAX_RANGES;
	     vma = find_vma(mm, vma->vm_end)) {
		cond_resched();
		if (is_generated(vma))
			add_generated_locked(filling, vma);
		else if (has_code(vma) && vma->vm_file)
			add_file_locked(filling, vma);
		else if (has_code(vma))
			add_vdso_locked(filling, vma);
	}
	filling->space->exec_vm = mm->exec_vm;
	filling->space->looked = jiffies;
}

/* What is mapped now, or NULL: there is no room. @before: what was, or NULL */
static struct sp_unwind_space *make_space_locked(struct task_struct *task,
						 struct mm_struct *mm,
						 const struct sp_unwind_space *before)
{
	struct sp_unwind_space *space;
	struct filling filling;
	u64 room;
	u32 max;

	/* There may be very many to be counted. */
	if (!has_room_locked(bytes_of(0) + SP_UNWIND_MM_BYTES))
		return NULL;
	max = count_code(mm);
	room = bytes_of(max) + SP_UNWIND_MM_BYTES;
	if (!take_room_locked(room))
		return NULL;
	space = kvzalloc(bytes_of(max), GFP_KERNEL | SP_ALLOC_FLAGS);
	if (!space) {
		give_room_locked(room);
		return NULL;
	}
	space->bytes = room;
	space->hash = (u32 *)&space->range[max + 1];
	filling = (struct filling){
		.space = space, .before = before, .mm = mm, .max = max,
	};
	sp_unwind_process_of(task, &filling.process);
	fill_locked(&filling);
	return space;
}

static struct sp_unwind_space *find_locked(struct mm_struct *mm)
{
	struct sp_unwind_space *space;

	lockdep_assert_held(&mutex);
	hlist_for_each_entry(space, chain_of(mm), node)
		if (space->mm == mm)
			return space;
	return NULL;
}

static bool are_same(const struct sp_unwind_space *a, const struct sp_unwind_space *b)
{
	return a->ranges == b->ranges &&
	       !memcmp(a->range, b->range, a->ranges * sizeof(a->range[0])) &&
	       !memcmp(a->hash, b->hash, a->ranges * sizeof(a->hash[0]));
}

/* Hooks find the new one, the old one or none. */
static void publish_locked(struct sp_unwind_space *space, struct mm_struct *mm)
{
	struct sp_unwind_space *before = find_locked(mm);

	if (before && are_same(before, space)) {
		WRITE_ONCE(before->exec_vm, space->exec_vm);
		WRITE_ONCE(before->looked, space->looked);
		free_space_locked(space);
		return;
	}
	mmgrab(mm);
	space->mm = mm;
	hlist_add_head_rcu(&space->node, chain_of(mm));
	if (before)
		take_off_locked(before);
	WRITE_ONCE(sp_unwind_spaces_gen, sp_unwind_spaces_gen + 1);
}

/* Does what is known of it do? */
static bool is_known(const struct sp_unwind_space *space)
{
	return space && !sp_unwind_space_is_old(space) &&
	       time_before(jiffies, READ_ONCE(space->looked) + SP_UNWIND_OLD_JIFFIES / 2);
}

/*
 * @task: a thread of it. @patient: wait a little for who changes his mappings, if nobody was
 * waited for just now
 * Return: was it looked at, or waited for? Else it is known, or was busy.
 */
static bool look_at_locked(struct task_struct *task, struct mm_struct *mm, bool patient)
{
	struct sp_unwind_space *space, *before = find_locked(mm);

	if (is_known(before))
		return false;
	if (patient ? !sp_lock_mm(mm, &impatient_until) : !mmap_read_trylock(mm)) {
		missed++;
		/* To try but once took no time. */
		return patient;
	}
	space = make_space_locked(task, mm, before);
	mmap_read_unlock(mm);
	if (space) {
		publish_locked(space, mm);
	} else {
		refused++;
		/* Better none than what it is no more. */
		if (before && (sp_unwind_space_is_old(before) ||
			       time_after(jiffies, before->looked + SP_UNWIND_OLD_JIFFIES))) {
			take_off_locked(before);
			WRITE_ONCE(sp_unwind_spaces_gen, sp_unwind_spaces_gen + 1);
		}
	}
	if (!READ_ONCE(stopping))
		queue_delayed_work(system_dfl_wq, &reaping, REAP_JIFFIES);
	return true;
}

/*
 * For how long a program is not looked at again: for twice as long as the last
 * time, if it was looked at and not known; or as long as that many mappings need.
 */
static void note_look_locked(u32 program, bool was_looked_at, u32 pause_ms)
{
	u64 *last = last_look(program), before = *last;
	u32 wait = 1;

	BUILD_BUG_ON(AGAIN_JIFFIES > U8_MAX);
	lockdep_assert_held(&mutex);
	if (before >> 32 == program && jiffies_since(before) < NEW_JIFFIES)
		wait = clamp_t(u32, (u8)before << was_looked_at, 1, AGAIN_JIFFIES);
	if (was_looked_at)
		wait = clamp_t(u32, msecs_to_jiffies(pause_ms), wait, U8_MAX);
	WRITE_ONCE(*last, (u64)program << 32 | (jiffies & GENMASK(23, 0)) << 8 | wait);
}

/*
 * @tgid: see program_of(). @patient: see look_at_locked()
 * Several of its threads may have asked together, or several processes have the same memory.
 */
static void look_if_it_is_time_locked(struct task_struct *task, struct mm_struct *mm, pid_t tgid,
				      bool patient)
{
	u32 program = program_of(mm, tgid);

	if (!looked_just_now(program))
		note_look_locked(program, look_at_locked(task, mm, patient), sp_mm_pause_ms(mm));
}

/* @pid: of a thread, as the initial PID namespace sees it. @asked: by its program */
static void look_at_thread_locked(pid_t pid, bool asked)
{
	struct task_struct *task;
	struct mm_struct *mm;

	rcu_read_lock();
	task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return;
	mm = get_task_mm(task);
	if (mm) {
		/* Who asked is waited for a little if it changes its mappings. */
		look_if_it_is_time_locked(task, mm, asked ? task->tgid : 0, asked);
		/* The last one who uses it does what may take long elsewhere. */
		mmput_async(mm);
	}
	put_task_struct(task);
}

/*
 * Those that are born meanwhile say themselves that they are not known. How many there are is up
 * to anybody, so whoever waits for that can be killed.
 */
static bool look_at_all_locked(void)
{
	struct task_struct *task;
	pid_t *pids;
	u32 room = 0, n = 0, i;

	rcu_read_lock();
	for_each_process(task)
		room++;
	rcu_read_unlock();
	pids = kvcalloc(room, sizeof(*pids), GFP_KERNEL | SP_ALLOC_FLAGS);
	if (!pids)
		return false;
	rcu_read_lock();
	for_each_process(task)
		if (n < room && !(task->flags & PF_KTHREAD))
			pids[n++] = task->pid;
	rcu_read_unlock();
	for (i = 0; i < n && !READ_ONCE(stopping) && !fatal_signal_pending(current); i++) {
		look_at_thread_locked(pids[i], false);
		cond_resched();
	}
	kvfree(pids);
	return i == n;
}

static void look_work(struct work_struct *unused)
{
	unsigned long begun = jiffies;
	unsigned int i;
	pid_t pid;

	/* Asked while it rests, or while it looked. */
	if (time_before(begun, rest_ends)) {
		queue_delayed_work(system_dfl_wq, &look, rest_ends - begun);
		return;
	}
	WRITE_ONCE(kicked, false);
	/* Pairs with ask_worker(). */
	smp_mb();
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		pid = READ_ONCE(wanted[i]) ? xchg(&wanted[i], 0) : 0;
		if (!pid)
			continue;
		/* Who changes his mappings all the time keeps nobody else waiting for long. */
		mutex_lock(&mutex);
		if (READ_ONCE(sp_unwind_tables) && users)
			look_at_thread_locked(pid, true);
		free_later_locked();
		mutex_unlock(&mutex);
	}
	/* Nothing, for what takes as long as most. */
	rest_ends = jiffies;
	rest_ends += min(RESTS * (rest_ends - begun), MAX_REST_JIFFIES);
}

/* Right behind the hook, in a hard interrupt, as in record/lifecycle.c. */
static void kick_irq_work(struct irq_work *unused)
{
	queue_delayed_work(system_dfl_wq, &look, 0);
}

/**
 * sp_unwind_spaces_know() - look at a program now, if that is needed
 * @task: a thread of it, with a reference
 * @mm: its memory, with a reference
 *
 * Context: process, may sleep.
 */
void sp_unwind_spaces_know(struct task_struct *task, struct mm_struct *mm)
{
	bool known;

	if (!READ_ONCE(sp_unwind_tables))
		return;
	/* Of most threads that a reader meets: without waiting for looks at others. */
	rcu_read_lock();
	known = is_known(sp_unwind_space_of(mm));
	rcu_read_unlock();
	if (known)
		return;
	mutex_lock(&mutex);
	if (users)
		look_if_it_is_time_locked(task, mm, 0, true);
	free_later_locked();
	mutex_unlock(&mutex);
}

static void know_all_locked(void)
{
	if (!READ_ONCE(sp_unwind_tables) || !users)
		return;
	all_known = look_at_all_locked();
	free_later_locked();
}

/**
 * sp_unwind_spaces_begin() - a recording that takes user stacks is about to begin
 *
 * If there are tables, all programs that there are get known. Who changes his mappings just
 * now is looked at when he is met.
 *
 * Context: process, may sleep.
 */
void sp_unwind_spaces_begin(void)
{
	mutex_lock(&mutex);
	/* What was met before is of no interest to whoever begins now. */
	if (!users++)
		sp_unwind_files_forget();
	know_all_locked();
	mutex_unlock(&mutex);
}

/**
 * sp_unwind_spaces_end() - such a recording is over
 *
 * With the last one, what is known is forgotten: nobody would keep it as it is.
 *
 * Context: process, may sleep.
 */
void sp_unwind_spaces_end(void)
{
	mutex_lock(&mutex);
	if (!--users)
		forget_all_locked();
	mutex_unlock(&mutex);
}

/**
 * sp_unwind_spaces_tables_changed() - one came or went
 *
 * If it is the first one, all programs are looked at. And what tasks remember of code without
 * a table holds no more.
 *
 * Context: process, may sleep.
 */
void sp_unwind_spaces_tables_changed(void)
{
	mutex_lock(&mutex);
	WRITE_ONCE(sp_unwind_spaces_gen, sp_unwind_spaces_gen + 1);
	if (!READ_ONCE(sp_unwind_tables))
		forget_all_locked();
	else if (!all_known)
		know_all_locked();
	/* Of generated code it goes with its process. */
	if (!READ_ONCE(stopping))
		queue_delayed_work(system_dfl_wq, &reaping, REAP_JIFFIES);
	mutex_unlock(&mutex);
}

/**
 * sp_unwind_spaces_status() - how many there are
 * @s: where to
 */
void sp_unwind_spaces_status(struct seq_buf *s)
{
	mutex_lock(&mutex);
	seq_buf_printf(s, "programs %u\nprogram_bytes %llu\nrefused_looks %u\nmissed_looks %u\n",
		       count, bytes, refused, missed);
	mutex_unlock(&mutex);
}

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
	sp_irq_work_init_hard(&kick, kick_irq_work);
	INIT_DELAYED_WORK(&look, look_work);
	INIT_DELAYED_WORK(&reaping, reap_work);
	INIT_RCU_WORK(&freeing, free_work);
	return 0;
}

/* Context: process, at unload: no hook is left. */
void sp_unwind_spaces_exit(void)
{
	/* Whoever queues a work under the mutex has done so, or will not. */
	mutex_lock(&mutex);
	WRITE_ONCE(stopping, true);
	mutex_unlock(&mutex);
	irq_work_sync(&kick);
	cancel_delayed_work_sync(&look);
	cancel_delayed_work_sync(&reaping);
	flush_rcu_work(&freeing);
	mutex_lock(&mutex);
	forget_all_locked();
	mutex_unlock(&mutex);
	kfree(path);
	kfree(head);
}
