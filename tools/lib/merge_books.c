// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * merge_books: adds up what is about no stack: the ledgers of tasks, whom they
 * blame, histograms, functions, and facts. The state of a merge is used by one thread.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "buffer.h"
#include "encode.h"
#include "keys.h"
#include "merge_books.h"
#include "merge_stacks.h"
#include "merge_state.h"
#include "raw_format.h"
#include "recording.h"
#include "schedprof.h"

/* 0: it is not known, or there is no memory, which the encoder remembers. */
uint32_t libsp_merge_cgroup(struct libsp_merge *merge, const char *path)
{
	struct sp_raw_cgroup raw = { };
	bool fresh;

	if (!path)
		return 0;
	raw.number = libsp_key_number(&merge->keys[LIBSP_MERGE_CGROUP], path, strlen(path),
				      &fresh);
	if (fresh)
		libsp_encode(&merge->cgroups, SP_RAW_CGROUP, &raw, sizeof(raw), path,
			     strlen(path));
	merge->cgroups.out.failed |= !raw.number;
	return raw.number;
}

static uint32_t add_saturating(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Names of processes. */
struct leaders {
	struct libsp_arena arena;
	struct libsp_keys tgids;
	struct libsp_rows names;	/* const char *; NULL: it is not known */
};

/* The first one counts. Return: where it is, or NULL if there is no memory. */
static const char **note_leader(struct leaders *leaders, int32_t tgid, const char *comm)
{
	const char **name;
	bool fresh;

	name = libsp_key_row(&leaders->tgids, &leaders->names, &tgid, sizeof(tgid), &fresh);
	if (name && fresh)
		*name = comm;
	return name;
}

/* What the books of a first thread tell counts more than what any thread does. */
static bool note_leaders(struct leaders *leaders, const struct schedprof_recording *recording)
{
	const struct schedprof_ledger *ledgers = recording->ledgers.at;
	const struct schedprof_task *tasks = recording->tasks.at;
	size_t i;

	for (i = 0; i < recording->ledgers.count; i++)
		if (!note_leader(leaders, ledgers[i].tid, ledgers[i].comm))
			return false;
	for (i = 0; i < recording->tasks.count; i++)
		if (tasks[i].leader_start_ns &&
		    !note_leader(leaders, tasks[i].tgid, tasks[i].leader_comm))
			return false;
	return true;
}

/* The name of the process that a row is of, as far as it is known; or NULL: no memory. */
static const char *leader_name(struct leaders *leaders, const struct schedprof_ledger *ledger)
{
	const char **name;

	if (ledger->tid == ledger->tgid)
		return ledger->comm;
	name = note_leader(leaders, ledger->tgid, NULL);
	if (!name)
		return NULL;
	return *name ? *name : ledger->comm;
}

static bool add_ledger(struct libsp_merge *merge, struct leaders *leaders,
		       const struct schedprof_ledger *ledger)
{
	const char *comm = ledger->comm;
	struct {
		int32_t tid, tgid;
		char comm[16];
	} key = { .tid = ledger->tid, .tgid = ledger->tgid };
	struct sp_raw_ledger *row;
	bool fresh;

	if (merge->by == SCHEDPROF_BY_PROCESS && ledger->tid) {
		comm = leader_name(leaders, ledger);
		if (!comm)
			return false;
		key.tid = ledger->tgid;
	} else if (merge->by == SCHEDPROF_BY_COMM) {
		/* Without its number, it would be one of those that ended. */
		if (ledger->tid && !strcmp(comm, "[exited]"))
			comm = "(exited]";
		key.tid = 0;
		key.tgid = 0;
	}
	memcpy(key.comm, comm, strlen(comm));
	row = libsp_key_row(&merge->keys[LIBSP_MERGE_LEDGER], &merge->ledgers, &key,
			    sizeof(key), &fresh);
	if (!row)
		return false;
	if (fresh && merge->by == SCHEDPROF_BY_THREAD)
		row->start_ns = ledger->start_ns;
	row->tid = key.tid;
	row->tgid = key.tgid;
	memcpy(row->comm, key.comm, sizeof(row->comm));
	row->oncpu += ledger->oncpu;
	row->runqueue += ledger->runqueue;
	row->sleep += ledger->sleep;
	row->disk += ledger->disk;
	row->irq += ledger->irq;
	row->softirq += ledger->softirq;
	row->stolen += ledger->stolen;
	row->switches_vol = add_saturating(row->switches_vol, ledger->switches_vol);
	row->switches_invol = add_saturating(row->switches_invol, ledger->switches_invol);
	row->wakeups = add_saturating(row->wakeups, ledger->wakeups);
	row->migrations = add_saturating(row->migrations, ledger->migrations);
	return true;
}

static bool add_ledgers(struct libsp_merge *merge,
			const struct schedprof_recording *recording)
{
	struct leaders leaders = {
		.tgids.arena = &leaders.arena, .names.size = sizeof(const char *),
	};
	const struct schedprof_ledger *ledgers = recording->ledgers.at;
	bool good = merge->by != SCHEDPROF_BY_PROCESS || note_leaders(&leaders, recording);
	size_t i;

	for (i = 0; good && i < recording->ledgers.count; i++)
		good = add_ledger(merge, &leaders, &ledgers[i]);
	libsp_keys_free(&leaders.tgids);
	libsp_buffer_free(&leaders.names.buffer);
	libsp_arena_free(&leaders.arena);
	return good;
}

static struct schedprof_task waiter_of(const struct libsp_merge *merge,
				       const struct schedprof_blame *blame)
{
	bool task = blame->tid || blame->group;
	struct schedprof_task who = {
		.tid = blame->tid, .tgid = blame->tgid, .start_ns = blame->start_ns,
		.comm = blame->comm, .leader_comm = blame->leader_comm,
		.cgroup = blame->cgroup, .leader_start_ns = task,
		.flags = blame->group ? SCHEDPROF_TASK_GROUP : task ? 0 : SCHEDPROF_TASK_FOLDED,
	};

	schedprof_task_group(&who, merge->by, &who, sizeof(who));
	return who;
}

/* What is no task has no names of its own. */
static struct schedprof_task culprit_of(const struct libsp_merge *merge,
					const struct schedprof_blame *blame)
{
	struct schedprof_task who = { .comm = "", .leader_comm = "" };

	if (blame->culprit != SCHEDPROF_CULPRIT_TASK)
		return who;
	who = (struct schedprof_task){
		.tid = blame->culprit_tid, .tgid = blame->culprit_tgid,
		.start_ns = blame->culprit_start_ns, .comm = blame->culprit_comm,
		.leader_comm = blame->culprit_leader_comm, .cgroup = blame->culprit_cgroup,
		.leader_start_ns = 1,
	};
	schedprof_task_group(&who, merge->by, &who, sizeof(who));
	return who;
}

static bool add_blame(struct libsp_merge *merge, const struct schedprof_blame *blame)
{
	struct schedprof_task waiter = waiter_of(merge, blame);
	struct schedprof_task culprit = culprit_of(merge, blame);
	struct sp_raw_blame key = {
		.tid = waiter.tid, .tgid = waiter.tgid, .start_ns = waiter.start_ns,
		.culprit = blame->culprit, .flags = blame->self ? SP_RAW_BLAME_SELF : 0,
		.culprit_tid = culprit.tid, .culprit_tgid = culprit.tgid,
		.culprit_start_ns = culprit.start_ns,
	}, *row;
	bool fresh;

	if (waiter.flags & SCHEDPROF_TASK_GROUP)
		key.flags |= SP_RAW_BLAME_GROUP;
	memcpy(key.comm, waiter.comm, strlen(waiter.comm));
	memcpy(key.culprit_comm, culprit.comm, strlen(culprit.comm));
	if (merge->by == SCHEDPROF_BY_CGROUP) {
		key.cgroup = libsp_merge_cgroup(merge, waiter.cgroup);
		key.culprit_cgroup = libsp_merge_cgroup(merge, culprit.cgroup);
	}
	row = libsp_key_row(&merge->keys[LIBSP_MERGE_BLAME], &merge->blames, &key, sizeof(key),
			    &fresh);
	if (!row)
		return false;
	if (fresh) {
		*row = key;
		row->cgroup = libsp_merge_cgroup(merge, waiter.cgroup);
		row->culprit_cgroup = libsp_merge_cgroup(merge, culprit.cgroup);
		memcpy(row->leader_comm, waiter.leader_comm, strlen(waiter.leader_comm));
		memcpy(row->culprit_leader_comm, culprit.leader_comm,
		       strlen(culprit.leader_comm));
	}
	row->total += blame->total;
	row->count += blame->count;
	if (blame->longest > row->longest)
		row->longest = blame->longest;
	return true;
}

static bool add_histogram(struct libsp_merge *merge,
			  const struct schedprof_histogram *histogram)
{
	uint64_t key[] = { histogram->low, histogram->high };
	struct sp_raw_histogram *row;
	bool fresh;

	row = libsp_key_row(&merge->keys[LIBSP_MERGE_HISTOGRAM], &merge->histogram, key,
			    sizeof(key), &fresh);
	if (!row)
		return false;
	row->low = histogram->low;
	row->high = histogram->high;
	row->count += histogram->count;
	return true;
}

static bool add_function(struct libsp_merge *merge,
			 const struct schedprof_recording *recording,
			 const struct schedprof_function *function)
{
	struct libsp_merged_function *row;
	uint64_t address;
	bool fresh;

	row = libsp_key_row(&merge->keys[LIBSP_MERGE_FUNCTION], &merge->functions,
			    function->name, strlen(function->name), &fresh);
	if (!row || !libsp_merge_symbol(merge, recording, function->address, &address))
		return false;
	if (fresh) {
		row->name = libsp_arena_text(&merge->arena, function->name,
					     strlen(function->name));
		row->raw.address = address;
		if (!row->name)
			return false;
	}
	row->raw.calls += function->calls;
	row->raw.missed += function->missed;
	row->raw.flags |= function->flags;
	return true;
}

bool libsp_merge_books(struct libsp_merge *merge,
		       const struct schedprof_recording *recording)
{
	const struct schedprof_histogram *histogram = recording->histogram.at;
	const struct schedprof_function *functions = recording->functions.at;
	const struct schedprof_blame *blames = recording->blames.at;
	size_t i;

	if (!add_ledgers(merge, recording))
		return false;
	for (i = 0; i < recording->blames.count; i++)
		if (!add_blame(merge, &blames[i]))
			return false;
	for (i = 0; i < recording->histogram.count; i++)
		if (!add_histogram(merge, &histogram[i]))
			return false;
	for (i = 0; i < recording->functions.count; i++)
		if (!add_function(merge, recording, &functions[i]))
			return false;
	return true;
}

/* Statistics are added up; other facts are kept if they are the same. */
static bool is_sum(const char *name)
{
	return !strncmp(name, "stats.", 6) || !strcmp(name, "duration_ns");
}

static bool add_meta(struct libsp_merge *merge,
		     const struct schedprof_recording *recording,
		     const char *name, const char *value)
{
	struct libsp_merged_meta *row;
	uint64_t figure = 0;
	bool fresh;

	row = libsp_key_row(&merge->keys[LIBSP_MERGE_META], &merge->meta, name,
			    strlen(name), &fresh);
	if (!row)
		return false;
	if (fresh) {
		row->name = name;
		row->value = value;
		row->number = is_sum(name);
	}
	if (row->number && schedprof_meta_number(recording, name, &figure))
		row->sum += figure;
	if (!strcmp(name, "stats.lost_events"))
		row->sum += recording->events.count;
	row->seen += !strcmp(row->value, value);
	return true;
}

/* What a merge says of its result itself. */
static bool is_of_result(const char *name)
{
	return !strcmp(name, "addresses") || !strcmp(name, "config.group_by") ||
	       !strcmp(name, "merged");
}

/* The names and values are not copied: they stay in the recordings. */
bool libsp_merge_meta(struct libsp_merge *merge,
		      const struct schedprof_recording *recording)
{
	const char *name, *value;
	size_t i;

	for (i = 0; schedprof_meta_at(recording, i, &name, &value); i++)
		if (!is_of_result(name) && !add_meta(merge, recording, name, value))
			return false;
	return true;
}

void libsp_merge_meta_text(struct libsp_merge *merge, size_t recordings,
			   struct libsp_buffer *text)
{
	static const char *const groups[] = { "thread", "process", "comm", "cgroup" };
	const struct libsp_merged_meta *row;
	uint32_t i;

	for (i = 1; i <= libsp_row_count(&merge->meta); i++) {
		row = libsp_row(&merge->meta, i);
		if (row->number)
			libsp_buffer_print(text, "%s %" PRIu64 "\n", row->name, row->sum);
		else if (row->seen == recordings)
			libsp_buffer_print(text, "%s %s\n", row->name, row->value);
	}
	libsp_buffer_print(text, "addresses hidden\nconfig.group_by %s\nmerged %zu\n",
			   groups[merge->by], recordings);
}
