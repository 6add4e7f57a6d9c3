// SPDX-License-Identifier: GPL-2.0-only
/*
 * mappings: the executable mappings of programs, by address, as a worker found
 * them while the program ran.
 *
 * A look adds what it finds to what earlier looks found, so that code which is
 * mapped later is known too, and code that was unmapped since still resolves.
 * What stands comes first, by address, and is not asked for its name again; then
 * what is gone, newest first. Of that, what a newer one hides completely is
 * dropped: a program that maps the same again and again takes no more room.
 * Paths are stored once for all programs, each with what tells the file from
 * another one of that path: after an upgrade, there are two. Those that no program has any
 * more go with the programs that are given back, and others take their place.
 *
 * Nothing here may wait for the programs that are looked at. A task that waits
 * for a file system in user space, say, can hold its mmap_lock for as long as
 * its owner likes, and the last user of an address space waits for its
 * asynchronous I/O: so the lock is only tried for, and the address space given
 * back by mmput_async().
 *
 * How much there is to look at is up to the programs' users. So one look does for all that
 * asked before it began, and behind one that asked for many names the program is not looked at
 * again for a while; nor are very many mappings, for whatever process: any number may share them.
 * Readers, and who ends a recording, are in a hurry, for a second.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat/compat.h"
#include "lib/address_space.h"
#include "lib/export.h"
#include "record/mappings.h"
#include "lib/limits.h"
#include "lib/memory.h"
#include "lib/readers.h"
#include "record/threads.h"

/*
 * Bounds. There are at most as many programs as tasks at a time, and far fewer on a host
 * with many threads. A dynamic program has 4 executable mappings (itself, the
 * C library, the loader, the vdso) and one more per library. Different paths
 * are few, as programs share libraries; what tells which file it is takes half of
 * their room. For the default of 16384 tasks this makes 5.4 MB, for one task 180 KB,
 * and never more than 84 MB. Programs that only wake those tasks are anybody's: they have
 * room of their own, an eighth of that or for 16, and take none of theirs.
 */
#define MAX_PROGRAMS		262144
#define MIN_MAPPINGS		1024
#define MAPPINGS_PER_PROGRAM	6
#define MIN_PATH_BYTES		131072
#define PATH_BYTES_PER_PROGRAM	64
#define MIN_WAKERS		16
#define MAX_WAKERS		1024
/* One program cannot take all the room, nor make its look-ups slow. */
#define MAX_PER_PROGRAM		1024
#define MIN_PATH_BYTES_EACH	32768
#define PROGRAMS_FILL_PATHS	16
/*
 * What it takes to ask for a name, where a mapping without one takes 1, and what names one look
 * asks for: as many as a program may have mappings, of 256 bytes.
 */
#define NAMING			16
#define NAMING_BYTES		8
#define MAX_NAMING		(MAX_PER_PROGRAM * (NAMING + 256 / NAMING_BYTES))
/* Bytes of paths per chain of their hash. */
#define PATH_BYTES_PER_CHAIN	128

/* Which program is looked for. */
struct wanted {
	pid_t tgid;
	u32 exec_id;
	bool alive;
	bool of_waker;		/* of who is not recorded, but woke somebody */
	bool quiet;		/* what comes too late, or has no room, was counted */
	u64 start_time;		/* of the process if alive, else of a thread */
};

/* Room for the programs of so many tasks. */
static struct sp_mappings_room room_for(u32 tasks)
{
	u32 programs = min_t(u32, tasks, MAX_PROGRAMS);

	return (struct sp_mappings_room) {
		.programs = programs,
		.mappings = MIN_MAPPINGS + MAPPINGS_PER_PROGRAM * programs,
		.path_bytes = MIN_PATH_BYTES + PATH_BYTES_PER_PROGRAM * programs,
	};
}

/* And for those of who wakes them. */
static struct sp_mappings_room room_for_wakers(u32 tasks, bool wakers)
{
	if (!wakers)
		return (struct sp_mappings_room) { };
	return room_for(clamp_t(u32, tasks / 8, MIN_WAKERS, MAX_WAKERS));
}

static struct sp_mappings_room room_for_all(u32 tasks, bool wakers)
{
	const struct sp_mappings_room more = room_for_wakers(tasks, wakers);
	struct sp_mappings_room room = room_for(tasks);

	room.programs += more.programs;
	room.mappings += more.mappings;
	room.path_bytes += more.path_bytes;
	return room;
}

static u32 program_chains_of(const struct sp_mappings_room *room)
{
	return roundup_pow_of_two(room->programs);
}

static u32 path_chains_of(const struct sp_mappings_room *room)
{
	return roundup_pow_of_two(room->path_bytes / PATH_BYTES_PER_CHAIN);
}

/**
 * sp_mappings_bytes() - memory that the store will take
 * @tasks: tasks of the recording, or 0 if it takes no user stacks
 * @wakers: are there programs of who wakes them, too?
 */
u64 sp_mappings_bytes(u32 tasks, bool wakers)
{
	const struct sp_mappings_room room = room_for_all(tasks, wakers);

	if (!tasks)
		return 0;
	return (room.programs + 1ULL) * sizeof(struct sp_program) +
	       (room.mappings + 1ULL) * sizeof(struct sp_mapping) +
	       room.path_bytes + PATH_MAX + SP_FILE_HEAD +
	       (program_chains_of(&room) + (u64)path_chains_of(&room)) * sizeof(u32) +
	       sp_parts_bytes();
}
SP_EXPORT_FOR_KUNIT(sp_mappings_bytes);

/* Numbers count from 1: 0 is none. */
#define POOL_OF(store)	SP_POOL_OF((store)->mappings + 1, next_free)

/**
 * sp_mappings_init() - make a store that knows no program
 * @mappings: to be filled
 * @tasks: tasks of the recording, up to SP_MAX_TABLE; 0: the store takes no
 *	memory and never knows a program
 * @wakers: are there programs of who wakes them, too?
 *
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_mappings_init(struct sp_mappings *mappings, u32 tasks, bool wakers)
{
	const struct sp_mappings_room room = room_for_all(tasks, wakers);

	memset(mappings, 0, sizeof(*mappings));
	mutex_init(&mappings->mutex);
	if (!tasks)
		return 0;
	mappings->max_programs = room.programs;
	mappings->max_path_bytes = room.path_bytes;
	mappings->max_program_path_bytes = max_t(u32, MIN_PATH_BYTES_EACH,
						 room.path_bytes / PROGRAMS_FILL_PATHS);
	mappings->left[false] = room_for(tasks);
	mappings->left[true] = room_for_wakers(tasks, wakers);
	mappings->program_mask = program_chains_of(&room) - 1;
	mappings->path_mask = path_chains_of(&room) - 1;
	get_random_bytes(&mappings->seed, sizeof(mappings->seed));
	mappings->programs = sp_alloc((room.programs + 1UL) * sizeof(*mappings->programs));
	mappings->mappings = sp_alloc((room.mappings + 1UL) * sizeof(*mappings->mappings));
	mappings->paths = sp_alloc(room.path_bytes);
	mappings->program_chains = sp_alloc(program_chains_of(&room) * sizeof(u32));
	mappings->path_chains = sp_alloc(path_chains_of(&room) * sizeof(u32));
	mappings->scratch = sp_alloc(PATH_MAX);
	mappings->head = sp_alloc(SP_FILE_HEAD);
	if (sp_pool_init(&mappings->pool, room.mappings, POOL_OF(mappings)) ||
	    !mappings->programs || !mappings->mappings || !mappings->paths ||
	    !mappings->program_chains || !mappings->path_chains ||
	    !mappings->scratch || !mappings->head) {
		sp_mappings_destroy(mappings);
		return -ENOMEM;
	}
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_mappings_init);

/**
 * sp_mappings_destroy() - give the memory back
 * @mappings: no worker and no reader may use it any more
 */
void sp_mappings_destroy(struct sp_mappings *mappings)
{
	sp_pool_destroy(&mappings->pool);
	vfree(mappings->programs);
	vfree(mappings->mappings);
	vfree(mappings->paths);
	vfree(mappings->program_chains);
	vfree(mappings->path_chains);
	vfree(mappings->scratch);
	vfree(mappings->head);
	mutex_destroy(&mappings->mutex);
	memset(mappings, 0, sizeof(*mappings));
}
SP_EXPORT_FOR_KUNIT(sp_mappings_destroy);

static u32 *chain_of(struct sp_mappings *mappings, const struct wanted *wanted)
{
	u32 hash = jhash_2words(wanted->tgid, wanted->exec_id, mappings->seed);

	return &mappings->program_chains[hash & mappings->program_mask];
}

/*
 * Of a thread that is gone only the numbers are left, and its process's may be
 * in use again. But it was not free between the start of the process and the
 * last time the process was seen to exist, so a thread that started in between
 * is one of its own.
 */
static bool is_program(const struct sp_program *program, const struct wanted *wanted)
{
	if (program->tgid != wanted->tgid || program->exec_id != wanted->exec_id)
		return false;
	if (wanted->alive)
		return program->start_time == wanted->start_time;
	return program->start_time <= wanted->start_time &&
	       program->alive >= wanted->start_time;
}

static u32 find_locked(struct sp_mappings *mappings, const struct wanted *wanted)
{
	unsigned int steps = 0;
	u32 i;

	lockdep_assert_held(&mappings->mutex);
	for (i = *chain_of(mappings, wanted); i; i = mappings->programs[i].next)
		if (is_program(&mappings->programs[i], wanted) || ++steps == SP_MAX_CHAIN)
			break;
	return steps == SP_MAX_CHAIN ? 0 : i;
}

static u32 make_locked(struct sp_mappings *mappings, const struct wanted *wanted)
{
	u32 *chain = chain_of(mappings, wanted);
	struct sp_program *program;
	u32 number;

	lockdep_assert_held(&mappings->mutex);
	if (!mappings->left[wanted->of_waker].programs) {
		mappings->lost += !wanted->quiet && !mappings->ended;
		return 0;
	}
	mappings->left[wanted->of_waker].programs--;
	number = mappings->programs_free;
	if (number)
		mappings->programs_free = mappings->programs[number].next;
	else
		number = ++mappings->programs_used;
	program = &mappings->programs[number];
	*program = (struct sp_program) {
		.start_time = wanted->start_time,
		.tgid = wanted->tgid,
		.exec_id = wanted->exec_id,
		.of_waker = wanted->of_waker,
		.next = *chain,
	};
	*chain = number;
	return number;
}

/* A program that woke somebody is recorded itself now. Names stay whose they are. */
static void adopt_locked(struct sp_mappings *mappings, struct sp_program *program)
{
	struct sp_mappings_room *left = &mappings->left[false];

	lockdep_assert_held(&mappings->mutex);
	if (!left->programs || left->mappings < program->count)
		return;
	left->programs--;
	left->mappings -= program->count;
	mappings->left[true].programs++;
	mappings->left[true].mappings += program->count;
	program->of_waker = false;
}

/* The build-id is not always at hand: once it was, it is known. */
static void learn_build_id(struct sp_file_id *id, const struct sp_file_id *seen)
{
	if (!id->build_id_bytes)
		*id = *seen;
}

static u32 path_bytes_of(const char *name)
{
	return ALIGN(sizeof(struct sp_path_entry) + strlen(name) + 1, sizeof(u64));
}

static u32 *path_chain_of(struct sp_mappings *mappings, const char *name)
{
	u32 hash = jhash(name, strlen(name), mappings->seed);

	return &mappings->path_chains[hash & mappings->path_mask];
}

/* Where the name of that file is stored, or 0 if it does not fit. */
static u32 put_path_locked(struct sp_mappings *mappings, struct sp_program *program,
			   const char *name, const struct sp_file_id *id)
{
	u32 bytes = path_bytes_of(name);
	u32 *chain = path_chain_of(mappings, name);
	struct sp_path_entry *entry;
	unsigned int steps = 0;
	u32 i;

	lockdep_assert_held(&mappings->mutex);
	for (i = *chain; i && steps < SP_MAX_CHAIN; i = entry->next, steps++) {
		entry = sp_path_entry(mappings, i);
		/* There may be many of a long name. */
		if (sp_file_id_same(&entry->id, id) && !strcmp(entry->name, name)) {
			learn_build_id(&entry->id, id);
			return i;
		}
	}
	if (bytes > mappings->left[program->of_waker].path_bytes ||
	    program->path_bytes + bytes > mappings->max_program_path_bytes)
		return 0;
	mappings->left[program->of_waker].path_bytes -= bytes;
	program->path_bytes += bytes;
	i = mappings->path_bytes_used + sizeof(*entry);
	mappings->path_bytes_used += bytes;
	entry = sp_path_entry(mappings, i);
	*entry = (struct sp_path_entry) {
		.id = *id, .next = *chain, .of_waker = program->of_waker,
	};
	strcpy(entry->name, name);
	*chain = i;
	return i;
}

/* @mapping: in no list any more */
static void drop_locked(struct sp_mappings *mappings, struct sp_program *program,
			const struct sp_mapping *mapping)
{
	lockdep_assert_held(&mappings->mutex);
	sp_pool_put(&mappings->pool, 0, mapping - mappings->mappings - 1);
	mappings->left[program->of_waker].mappings++;
	program->count--;
}

/* @before: in the program's list; NULL: at its head */
static void put_behind(struct sp_mappings *mappings, struct sp_program *program,
		       struct sp_mapping *before, struct sp_mapping *mapping)
{
	u32 i = mapping - mappings->mappings;

	if (before) {
		mapping->next = before->next;
		before->next = i;
	} else {
		mapping->next = program->mappings;
		program->mappings = i;
	}
}

/* A mapping that is in no list yet, or NULL if there is no room. */
static struct sp_mapping *make_mapping_locked(struct sp_mappings *mappings,
					      struct sp_program *program)
{
	u32 i;

	lockdep_assert_held(&mappings->mutex);
	if (program->count == MAX_PER_PROGRAM || !mappings->left[program->of_waker].mappings)
		return NULL;
	/* Of one part, because there is one mutex. */
	i = sp_pool_take(&mappings->pool, 0);
	if (i == SP_POOL_NONE)
		return NULL;
	mappings->left[program->of_waker].mappings--;
	program->count++;
	return &mappings->mappings[i + 1];
}

static void name_locked(struct sp_mappings *mappings, struct sp_program *program,
			struct sp_mapping *mapping, const struct vm_area_struct *vma)
{
	struct sp_file_id id;
	const char *name;

	lockdep_assert_held(&mappings->mutex);
	mapping->path = 0;
	mapping->offset = 0;
	if (!vma->vm_file) {
		mapping->kind = sp_vma_is_vdso(vma) ? SP_MAPPING_VDSO : SP_MAPPING_ANON;
		return;
	}
	mapping->offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	mapping->kind = SP_MAPPING_LOST;
	if (mappings->naming >= MAX_NAMING)
		return;
	name = d_path(sp_file_path(vma->vm_file), mappings->scratch, PATH_MAX);
	mappings->naming += NAMING + (IS_ERR(name) ? PATH_MAX : strlen(name)) / NAMING_BYTES;
	if (IS_ERR(name))
		return;
	sp_file_id(vma->vm_file, mappings->head, &id);
	mapping->path = put_path_locked(mappings, program, name, &id);
	if (mapping->path)
		mapping->kind = SP_MAPPING_FILE;
}

static bool is_of_file(struct sp_mappings *mappings, const struct sp_mapping *mapping,
		       const struct vm_area_struct *vma)
{
	struct sp_file_id id;

	if (!vma->vm_file || mapping->offset != (u64)vma->vm_pgoff << PAGE_SHIFT)
		return false;
	sp_file_id(vma->vm_file, NULL, &id);
	return sp_file_id_same(&id, &sp_path_entry(mappings, mapping->path)->id);
}

/* Is it what was there? @vma: the first one that ends behind its start */
static bool is_there(struct sp_mappings *mappings, const struct sp_mapping *mapping,
		     const struct vm_area_struct *vma)
{
	if (!vma || vma->vm_start != mapping->start || vma->vm_end != mapping->end ||
	    !(vma->vm_flags & VM_EXEC))
		return false;
	switch (mapping->kind) {
	case SP_MAPPING_VDSO:
		return !vma->vm_file && sp_vma_is_vdso(vma);
	case SP_MAPPING_ANON:
		return !vma->vm_file && !sp_vma_is_vdso(vma);
	case SP_MAPPING_FILE:
		return is_of_file(mappings, mapping, vma);
	default:
		return vma->vm_file;
	}
}

/*
 * What is not known of one that stands: a name for which there was no room or no time, or the
 * build-id. A name that is known stays, unless it may be any file's, without a device.
 */
static void ask_again_locked(struct sp_mappings *mappings, struct sp_program *program,
			     struct sp_mapping *mapping, const struct vm_area_struct *vma)
{
	struct sp_file_id id, *known = NULL;

	lockdep_assert_held(&mappings->mutex);
	if (mapping->kind == SP_MAPPING_FILE)
		known = &sp_path_entry(mappings, mapping->path)->id;
	if (mapping->kind == SP_MAPPING_LOST || (known && !known->device)) {
		name_locked(mappings, program, mapping, vma);
	} else if (known && !known->build_id_bytes && mappings->naming < MAX_NAMING) {
		mappings->naming += NAMING;
		sp_file_id(vma->vm_file, mappings->head, &id);
		learn_build_id(known, &id);
	}
}

/* Does what is there now hide it? @vma: as for is_there() */
static bool is_hidden(const struct sp_mapping *mapping, const struct vm_area_struct *vma)
{
	return vma && vma->vm_flags & VM_EXEC && vma->vm_start <= mapping->start &&
	       vma->vm_end >= mapping->end;
}

/* What stands first, then what is gone; what is hidden by what came since is dropped. */
static void sort_out_locked(struct sp_mappings *mappings, struct sp_program *program,
			    struct mm_struct *mm)
{
	struct sp_mapping *mapping, *stands = NULL, *gone = NULL;
	const struct vm_area_struct *vma;
	u32 i, first_gone = 0, next = program->mappings;

	lockdep_assert_held(&mappings->mutex);
	program->mappings = 0;
	while ((i = next)) {
		cond_resched();
		mapping = &mappings->mappings[i];
		next = mapping->next;
		vma = find_vma(mm, mapping->start);
		if (!mapping->gone && is_there(mappings, mapping, vma)) {
			put_behind(mappings, program, stands, mapping);
			stands = mapping;
		} else if (is_hidden(mapping, vma)) {
			drop_locked(mappings, program, mapping);
		} else {
			mapping->gone = true;
			mapping->next = 0;
			if (gone)
				gone->next = i;
			else
				first_gone = i;
			gone = mapping;
		}
	}
	if (stands)
		stands->next = first_gone;
	else
		program->mappings = first_gone;
}

/* For want of room: what is no longer true must at least not be believed. */
static void forget_gone_locked(struct sp_mappings *mappings, struct sp_program *program,
			       struct mm_struct *mm)
{
	struct sp_mapping *mapping, *before = NULL;
	const struct vm_area_struct *vma;
	u32 i, next;

	lockdep_assert_held(&mappings->mutex);
	for (i = program->mappings; i; i = next) {
		cond_resched();
		mapping = &mappings->mappings[i];
		next = mapping->next;
		vma = mapping->gone ? find_vma(mm, mapping->start) : NULL;
		if (!vma || vma->vm_start >= mapping->end ||
		    (!(vma->vm_flags & VM_EXEC) && vma->vm_end >= mapping->end)) {
			before = mapping;
			continue;
		}
		if (before)
			before->next = next;
		else
			program->mappings = next;
		drop_locked(mappings, program, mapping);
	}
}

/*
 * What stands where @vma is, or a new one: behind @before, as both come by address. NULL: there is
 * no room. @forgot: what was in the way of one is gone
 */
static struct sp_mapping *place_locked(struct sp_mappings *mappings, struct sp_program *program,
				       struct sp_mapping *before,
				       const struct vm_area_struct *vma, bool *forgot)
{
	u32 i = before ? before->next : program->mappings;
	struct sp_mapping *mapping = &mappings->mappings[i];

	lockdep_assert_held(&mappings->mutex);
	if (i && !mapping->gone && mapping->start == vma->vm_start) {
		ask_again_locked(mappings, program, mapping, vma);
		return mapping;
	}
	mapping = make_mapping_locked(mappings, program);
	if (!mapping && !*forgot) {
		forget_gone_locked(mappings, program, vma->vm_mm);
		*forgot = true;
		mapping = make_mapping_locked(mappings, program);
	}
	if (!mapping)
		return NULL;
	mapping->start = vma->vm_start;
	mapping->end = vma->vm_end;
	mapping->gone = false;
	put_behind(mappings, program, before, mapping);
	name_locked(mappings, program, mapping, vma);
	return mapping;
}

static void add_all_locked(struct sp_mappings *mappings, struct sp_program *program,
			   struct mm_struct *mm)
{
	struct sp_mapping *mapping, *before = NULL;
	struct vm_area_struct *vma;
	bool forgot = false;
	u32 misfits = 0;

	mappings->naming = 0;
	sort_out_locked(mappings, program, mm);
	for (vma = find_vma(mm, 0); vma; vma = find_vma(mm, vma->vm_end)) {
		cond_resched();
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		mapping = place_locked(mappings, program, before, vma, &forgot);
		if (mapping)
			before = mapping;
		if (!mapping || mapping->kind == SP_MAPPING_LOST)
			misfits++;
	}
	/* The same ones do not fit in every look, but are lost only once. */
	if (misfits > program->misfits && !mappings->ended)
		mappings->lost += misfits - program->misfits;
	program->misfits = misfits;
}

/* The task, with a reference, and what its process is called. */
static struct task_struct *get_task(struct pid *pid, struct wanted *wanted)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_PID);
	if (task) {
		get_task_struct(task);
		wanted->alive = true;
		wanted->tgid = task->tgid;
		wanted->start_time = task->group_leader->start_time;
	}
	rcu_read_unlock();
	return task;
}

/*
 * An exec that goes on meanwhile changes the address space first and the
 * number later, but before any file is mapped, which takes the mmap_lock that
 * the caller holds: so what is mapped now belongs to the number as it is now.
 */
static bool runs_program(const struct task_struct *task, u32 exec_id)
{
	return (u32)READ_ONCE(task->self_exec_id) == exec_id;
}

static u64 pause_ns(u32 ms)
{
	return ms * (u64)NSEC_PER_MSEC;
}

/* Others share a place, so that no number of address spaces makes all of them take long. */
static u64 *crowd_of(struct sp_mappings *mappings, const struct mm_struct *mm)
{
	return &mappings->crowded_until[hash_ptr(mm, SP_CROWD_BITS)];
}

static void begin_pause_locked(struct sp_mappings *mappings, const struct mm_struct *mm, u64 until)
{
	u64 *crowded_until = crowd_of(mappings, mm);

	lockdep_assert_held(&mappings->mutex);
	WRITE_ONCE(*crowded_until, max(*crowded_until, until));
}

static u32 look_locked(struct sp_mappings *mappings, const struct wanted *wanted,
		       u64 now, struct mm_struct *mm)
{
	u32 number = find_locked(mappings, wanted);
	struct sp_program *program;

	if (!number && !mm) {
		mappings->missed += !wanted->quiet && !mappings->ended;
		return 0;
	}
	if (!number)
		number = make_locked(mappings, wanted);
	if (!number)
		return 0;
	program = &mappings->programs[number];
	if (program->of_waker && !wanted->of_waker)
		adopt_locked(mappings, program);
	if (wanted->alive)
		program->alive = now;
	if (mm) {
		add_all_locked(mappings, program, mm);
		program->looked = now;
		program->pause_ms = sp_mm_pause_ms(mm);
		if (mappings->naming >= SP_MANY_MAPPINGS)
			program->pause_ms += mappings->naming / SP_MAPPINGS_PER_PAUSE_MS;
		/* Who has fewer is not asked there. */
		if (sp_mm_pause_ms(mm))
			begin_pause_locked(mappings, mm, now + pause_ns(program->pause_ms));
	}
	return number;
}

/*
 * @number: set to the program's, or 0. @result: set if it is not to be looked at
 * Return: is it?
 */
static bool needs_look(struct sp_mappings *mappings, const struct wanted *wanted, u64 now,
		       u64 since, u32 *number, enum sp_look_result *result)
{
	struct sp_program *program;
	bool needs = true;
	u64 until;

	mutex_lock(&mappings->mutex);
	*number = find_locked(mappings, wanted);
	program = &mappings->programs[*number];
	if (*number && wanted->alive)
		program->alive = now;
	if (*number && program->looked) {
		until = program->looked + pause_ns(program->pause_ms);
		/* Once all is over, another look can only change what was right. */
		if (program->looked >= since || mappings->ended) {
			*result = SP_LOOK_DONE;
			needs = false;
		} else if (now < until && !mappings->hurries) {
			*result = SP_LOOK_PUT_OFF;
			needs = false;
		}
	}
	mutex_unlock(&mappings->mutex);
	return needs;
}

/* Has it very many mappings, and were these, or as many others, looked at just now? */
static bool is_crowded(struct sp_mappings *mappings, const struct mm_struct *mm, u64 now,
		       const struct sp_look_times *times)
{
	return sp_mm_pause_ms(mm) && now < READ_ONCE(*crowd_of(mappings, mm)) &&
	       now >= times->eager_until;
}

static enum sp_look_result look(struct sp_mappings *mappings, struct pid *pid,
				struct wanted wanted, const struct sp_look_times *times,
				u32 *program)
{
	enum sp_look_result result = SP_LOOK_DONE;
	struct task_struct *task;
	struct mm_struct *mm = NULL;
	bool locked = false;
	u64 now;

	*program = 0;
	if (!mappings->max_programs)
		return SP_LOOK_DONE;
	/* Not later: at this time, the task is seen to exist. */
	now = ktime_get_ns();
	task = get_task(pid, &wanted);
	if (!needs_look(mappings, &wanted, now, times->since, program, &result))
		goto out;
	if (task)
		mm = get_task_mm(task);
	if (mm && is_crowded(mappings, mm, now, times)) {
		result = SP_LOOK_PUT_OFF;
		goto out;
	}
	if (mm) {
		locked = sp_lock_mm(mm, &mappings->impatient_until);
		if (!locked) {
			result = SP_LOOK_WAITED;
			goto out;
		}
	}
	mutex_lock(&mappings->mutex);
	*program = look_locked(mappings, &wanted, now,
			       mm && runs_program(task, wanted.exec_id) ? mm : NULL);
	mutex_unlock(&mappings->mutex);
out:
	if (locked)
		mmap_read_unlock(mm);
	if (mm)
		mmput_async(mm);
	if (task)
		put_task_struct(task);
	return result;
}

/**
 * sp_mappings_look() - remember what a program has mapped by now
 * @mappings: the store
 * @pid: of a thread that runs or ran the program; NULL if unknown
 * @who: that thread, which is no kernel thread
 * @exec_id: which program
 * @times: which looks do as well, and until when it is not put off because of what others have
 * @program: set to the program's number, or to 0 if it is not known. If it cannot be, that
 *	was counted, unless the store is one for no tasks
 *
 * Looking again at a program that is known adds what it mapped since.
 *
 * Context: process, may sleep, but not for long: the mmap_lock is tried for
 * some ms, or only once if somebody was waited for just now. Then the caller has to come
 * back later.
 * Return: SP_LOOK_DONE; else the caller shall, and nothing was counted.
 */
enum sp_look_result sp_mappings_look(struct sp_mappings *mappings, struct pid *pid,
				     const struct sp_who *who, u32 exec_id,
				     const struct sp_look_times *times, u32 *program)
{
	const struct wanted wanted = {
		.tgid = who->tgid,
		.exec_id = exec_id,
		.start_time = who->start_time,
	};

	return look(mappings, pid, wanted, times, program);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_look);

/**
 * sp_mappings_look_at_waker() - the same, of a program that wakes tasks
 * @mappings: the store
 * @pid: of a thread that runs it; NULL: there is none any more
 * @who: its process, by number and start
 * @exec_id: which program
 * @times: as for sp_mappings_look()
 * @counts: count it if it comes too late, or finds no room
 *
 * Return: as sp_mappings_look().
 */
enum sp_look_result sp_mappings_look_at_waker(struct sp_mappings *mappings, struct pid *pid,
					      const struct sp_who *who, u32 exec_id,
					      const struct sp_look_times *times, bool counts)
{
	const struct wanted wanted = {
		.tgid = who->tgid,
		.exec_id = exec_id,
		.start_time = who->start_time,
		.of_waker = true,
		.quiet = !counts,
	};
	u32 program;

	return look(mappings, pid, wanted, times, &program);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_look_at_waker);

/**
 * sp_mappings_hurry() - the recording ends, so no program has a pause of its own any more
 * @mappings: the store
 */
void sp_mappings_hurry(struct sp_mappings *mappings)
{
	mutex_lock(&mappings->mutex);
	mappings->hurries = true;
	WRITE_ONCE(mappings->impatient_until, 0);
	mutex_unlock(&mappings->mutex);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_hurry);

/**
 * sp_mappings_end() - the recording is over, and looks that come now are not counted
 * @mappings: the store
 * @left: looks that were asked for and not made: they are, as missed
 */
void sp_mappings_end(struct sp_mappings *mappings, u32 left)
{
	mutex_lock(&mappings->mutex);
	mappings->missed += left;
	mappings->ended = true;
	mutex_unlock(&mappings->mutex);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_end);

/*
 * Say of names that they are needed, and whose they are: of several, the first one's. Or have
 * the mappings follow them.
 */
static void go_over_paths_locked(struct sp_mappings *mappings, bool follow)
{
	struct sp_path_entry *entry;
	struct sp_program *program;
	struct sp_mapping *mapping;
	u32 number, i;

	lockdep_assert_held(&mappings->mutex);
	for (number = 1; number <= mappings->programs_used; number++) {
		program = &mappings->programs[number];
		if (!follow)
			program->path_bytes = 0;
		for (i = program->mappings; i; i = mapping->next) {
			mapping = &mappings->mappings[i];
			if (!mapping->path)
				continue;
			entry = sp_path_entry(mappings, mapping->path);
			if (follow) {
				mapping->path = entry->moves_to;
			} else if (!entry->moves_to) {
				entry->moves_to = 1;
				program->path_bytes += path_bytes_of(entry->name);
			}
		}
		cond_resched();
	}
}

/* Where those that are needed will be, without what is between them. */
static void place_paths_locked(struct sp_mappings *mappings)
{
	struct sp_path_entry *entry;
	u32 at, bytes, to = 0;

	lockdep_assert_held(&mappings->mutex);
	for (at = 0; at < mappings->path_bytes_used; at += bytes) {
		entry = (void *)mappings->paths + at;
		bytes = path_bytes_of(entry->name);
		if (entry->moves_to) {
			entry->moves_to = to + sizeof(*entry);
			to += bytes;
		} else {
			mappings->left[entry->of_waker].path_bytes += bytes;
		}
		cond_resched();
	}
}

static void move_paths_locked(struct sp_mappings *mappings)
{
	u32 at, bytes, to, end = mappings->path_bytes_used;
	struct sp_path_entry *entry;
	u32 *chain;

	lockdep_assert_held(&mappings->mutex);
	mappings->path_bytes_used = 0;
	memset(mappings->path_chains, 0, (mappings->path_mask + 1UL) * sizeof(u32));
	for (at = 0; at < end; at += bytes) {
		entry = (void *)mappings->paths + at;
		bytes = path_bytes_of(entry->name);
		to = entry->moves_to;
		cond_resched();
		if (!to)
			continue;
		mappings->path_bytes_used += bytes;
		entry = memmove(sp_path_entry(mappings, to), entry, bytes);
		chain = path_chain_of(mappings, entry->name);
		entry->moves_to = 0;
		entry->next = *chain;
		*chain = to;
	}
}

/* Nobody but programs knows where names are, as nobody has a copy. */
static void give_back_paths_locked(struct sp_mappings *mappings)
{
	go_over_paths_locked(mappings, false);
	place_paths_locked(mappings);
	go_over_paths_locked(mappings, true);
	move_paths_locked(mappings);
}

/* Its names stay: others may share them. */
static void give_back_locked(struct sp_mappings *mappings, u32 number)
{
	struct sp_program *program = &mappings->programs[number];
	const struct wanted wanted = { .tgid = program->tgid, .exec_id = program->exec_id };
	u32 *at = chain_of(mappings, &wanted);
	const struct sp_mapping *mapping;

	lockdep_assert_held(&mappings->mutex);
	while (*at != number)
		at = &mappings->programs[*at].next;
	*at = program->next;
	while (program->mappings) {
		mapping = &mappings->mappings[program->mappings];
		program->mappings = mapping->next;
		drop_locked(mappings, program, mapping);
	}
	program->exec_id = 0;
	program->tgid = 0;
	program->next = mappings->programs_free;
	mappings->programs_free = number;
	mappings->left[false].programs++;
}

/**
 * sp_mappings_forget() - give back programs that nobody asks for any more
 * @mappings: the store
 * @needed: a bit for each program that is kept, by its number
 *
 * Those that only wake are kept, too. Others get the numbers, and the room for names: the
 * caller sees to it that no reader has one of them.
 *
 * Context: process, may sleep.
 */
void sp_mappings_forget(struct sp_mappings *mappings, const unsigned long *needed)
{
	const struct sp_program *program;
	bool any = false;
	u32 number;

	mutex_lock(&mappings->mutex);
	for (number = 1; number <= mappings->programs_used; number++) {
		program = &mappings->programs[number];
		/* The numbers that were given back already have no process. */
		if (program->tgid && !program->of_waker && !test_bit(number, needed)) {
			give_back_locked(mappings, number);
			any = true;
		}
		cond_resched();
	}
	if (any)
		give_back_paths_locked(mappings);
	mutex_unlock(&mappings->mutex);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_forget);

/**
 * sp_mappings_counts() - what cannot be resolved
 * @mappings: the store
 * @missed: set to the number of looks that came too late
 * @lost: set to the number of mappings, and looks at programs, that did not fit
 */
void sp_mappings_counts(struct sp_mappings *mappings, u32 *missed, u32 *lost)
{
	mutex_lock(&mappings->mutex);
	*missed = mappings->missed;
	*lost = mappings->lost;
	mutex_unlock(&mappings->mutex);
}
SP_EXPORT_FOR_KUNIT(sp_mappings_counts);

/**
 * sp_mappings_find() - which program did a task run that may be gone?
 * @mappings: the store
 * @tgid: its process
 * @exec_id: which of its programs
 * @start_time: ns; of the task
 *
 * Return: its number; 0 if it is not known.
 */
u32 sp_mappings_find(struct sp_mappings *mappings, pid_t tgid, u32 exec_id,
		     u64 start_time)
{
	const struct wanted wanted = {
		.tgid = tgid, .exec_id = exec_id, .start_time = start_time,
	};
	u32 number;

	if (!mappings->max_programs)
		return 0;
	mutex_lock(&mappings->mutex);
	number = find_locked(mappings, &wanted);
	mutex_unlock(&mappings->mutex);
	return number;
}
SP_EXPORT_FOR_KUNIT(sp_mappings_find);

static u32 count_locked(struct sp_mappings *mappings, const unsigned long *which)
{
	u32 number, count = 0;

	lockdep_assert_held(&mappings->mutex);
	for (number = 1; number <= mappings->programs_used; number++) {
		if (test_bit(number, which))
			count += mappings->programs[number].count;
		sp_readers_yield();
	}
	return count;
}

static u32 file_of_locked(struct sp_mappings *mappings, const struct sp_mapping *mapping)
{
	return mapping->path && sp_path_entry(mappings, mapping->path)->id.device ?
	       mapping->path : 0;
}

static void copy_locked(struct sp_mappings *mappings, const unsigned long *which,
			struct sp_mapped *copy)
{
	const struct sp_mapping *mapping;
	u32 number, i;

	lockdep_assert_held(&mappings->mutex);
	for (number = 1; number <= mappings->programs_used; number++) {
		sp_readers_yield();
		if (!test_bit(number, which))
			continue;
		for (i = mappings->programs[number].mappings; i; i = mapping->next) {
			mapping = &mappings->mappings[i];
			*copy++ = (struct sp_mapped) {
				.start = mapping->start,
				.end = mapping->end,
				.offset = mapping->offset,
				.program = number,
				.kind = mapping->kind,
				.path = mapping->path ?
					mappings->paths + mapping->path : NULL,
				.file = file_of_locked(mappings, mapping),
			};
		}
	}
}

/**
 * sp_mappings_copy() - what some programs have mapped, as it is known now
 * @mappings: the store
 * @which: a bit for each program, by its number
 * @copy: set to a list, for sp_readers_free(); NULL if it is empty
 * @count: set to its length
 *
 * Return: 0 or -ENOMEM.
 */
int sp_mappings_copy(struct sp_mappings *mappings, const unsigned long *which,
		     struct sp_mapped **copy, u32 *count)
{
	u32 room = 0, want;

	*copy = NULL;
	*count = 0;
	/* Memory is not asked for under the mutex, as programs wait for it. */
	for (;;) {
		mutex_lock(&mappings->mutex);
		want = count_locked(mappings, which);
		if (want <= room)
			break;
		mutex_unlock(&mappings->mutex);
		sp_readers_free(*copy);
		room = want;
		*copy = sp_readers_alloc(room * sizeof(**copy));
		if (!*copy)
			return -ENOMEM;
	}
	copy_locked(mappings, which, *copy);
	*count = want;
	mutex_unlock(&mappings->mutex);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_mappings_copy);
