// SPDX-License-Identifier: GPL-2.0-only
/*
 * pid_list: from numbers that a user writes to tasks, and back. What is written are
 * numbers of the writer's PID namespace, what is shown those of the first one; the sets
 * hold the tasks' identity.
 *
 * The caller holds the session's mutex.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "parse.h"
#include "control.h"
#include "lib/pid_set.h"
#include "session.h"

/**
 * sp_pid_list_show() - the numbers of a set, ascending
 * @s: where to
 * @set: the set
 */
void sp_pid_list_show(struct seq_buf *s, const struct sp_pid_set *set)
{
	u32 i;

	if (set->all || !set->count) {
		sp_puts(s, set->all ? "all" : "none");
		return;
	}
	for (i = 0; i < set->count; i++)
		seq_buf_printf(s, i ? " %d" : "%d", set->number[i]);
}

static bool is_alive(struct pid *pid, enum pid_type type)
{
	struct task_struct *task;
	bool alive;

	rcu_read_lock();
	task = pid_task(pid, type);
	alive = task && (!READ_ONCE(task->exit_state) ||
			 (type == PIDTYPE_TGID && !thread_group_empty(task)));
	rcu_read_unlock();
	return alive;
}

/* With a reference, or an ERR_PTR(). */
static struct pid *find_alive(pid_t nr, enum pid_type type, struct sp_why *why)
{
	struct pid *pid = find_get_pid(nr);
	const char *advice = "look it up again with ps";

	if (pid && is_alive(pid, type))
		return pid;
	if (pid && type == PIDTYPE_TGID && is_alive(pid, PIDTYPE_PID))
		advice = "it is a thread: write it to tids";
	put_pid(pid);
	return ERR_PTR(sp_refuse(why, -ESRCH, "there is no %s %d; %s",
				 type == PIDTYPE_TGID ? "process" : "thread",
				 nr, advice));
}

/*
 * What is in the list may be removed when it is dead, too. If its number was used again, and
 * both are there, it is the one that lives. With a reference.
 */
static struct pid *find_listed(const struct sp_pid_set *set, pid_t nr)
{
	struct pid *now = find_get_pid(nr), *found = NULL;
	u32 i;

	for (i = 0; i < set->count && (!now || found != now); i++)
		if (pid_vnr(set->pid[i]) == nr)
			found = set->pid[i];
	get_pid(found);
	put_pid(now);
	return found;
}

struct change {
	struct sp_pids_text text;
	enum pid_type type;
	struct sp_why *why;
	struct pid *pids[SP_PARSE_PIDS];	/* references */
};

static void put_all(struct change *change, u32 count)
{
	while (count--)
		put_pid(change->pids[count]);
}

/* The tasks of words from..to. Returns how many, or an errno. */
static int find_words(struct change *change, const struct sp_pid_set *set,
		      u32 from, u32 to)
{
	u32 i, n = 0;

	for (i = from; i < to; i++) {
		const struct sp_pids_word *word = &change->text.word[i];
		struct pid *pid = NULL;

		if (word->remove)
			pid = find_listed(set, word->nr);
		if (!pid)
			pid = find_alive(word->nr, change->type, change->why);
		if (IS_ERR(pid)) {
			put_all(change, n);
			return PTR_ERR(pid);
		}
		change->pids[n++] = pid;
		cond_resched();
	}
	return n;
}

static struct sp_pid_set *with_why(struct sp_pid_set *set, struct sp_why *why)
{
	if (set == ERR_PTR(-ENOSPC))
		sp_refuse(why, -ENOSPC, "a list holds at most %d entries; use a second session",
			  SP_MAX_PIDS);
	else if (IS_ERR(set))
		sp_refuse(why, -ENOMEM, "there is no memory for the list; free some and write again");
	return set;
}

/* Words of the same sign at once; each step makes a new set. */
static struct sp_pid_set *make_set(struct change *change,
				   const struct sp_pid_set *base)
{
	const struct sp_pids_text *text = &change->text;
	struct sp_pid_set *set = NULL, *next;
	u32 from, to;
	int n;

	/* A whole list is added to what has nothing in it. */
	if (text->verb != SP_PIDS_CHANGE)
		set = with_why(sp_pid_set_make(text->verb == SP_PIDS_ALL, NULL, 0),
			       change->why);
	if (IS_ERR(set))
		return set;
	for (from = 0; from < text->count; from = to) {
		const struct sp_pid_set *now = set ?: base;
		bool remove = text->word[from].remove;

		for (to = from; to < text->count; to++)
			if (text->word[to].remove != remove)
				break;
		if (remove && now->all)
			n = sp_refuse(change->why, -EINVAL, "the list is 'all', so none can be taken out; write those that you want");
		else
			n = find_words(change, now, from, to);
		next = n < 0 ? ERR_PTR(n) :
		       with_why(sp_pid_set_change(now, change->pids, n, !remove),
				change->why);
		if (n > 0)
			put_all(change, n);
		sp_pid_set_free(set);
		if (IS_ERR(next))
			return next;
		set = next;
	}
	return set;
}

/**
 * sp_pid_list_store() - change a list as a user wrote
 * @session: the caller holds its mutex
 * @which: one of the lists in its filter
 * @type: PIDTYPE_TGID for processes, PIDTYPE_PID for threads
 * @text: see sp_parse_pids()
 * @why: filled on failure
 *
 * Return: 0, -EINVAL, -ERANGE, -ESRCH, -ENOSPC or -ENOMEM.
 */
int sp_pid_list_store(struct sp_session *session,
		      struct sp_pid_set __rcu **which, enum pid_type type,
		      const char *text, struct sp_why *why)
{
	struct change *change = kvmalloc(sizeof(*change), GFP_KERNEL);
	struct sp_pid_set *set;
	int err;

	if (!change)
		return sp_refuse(why, -ENOMEM, "there is no memory for the list; free some and write again");
	change->type = type;
	change->why = why;
	err = sp_parse_pids(text, &change->text, why);
	if (!err) {
		set = make_set(change, sp_session_listed(session, which));
		err = PTR_ERR_OR_ZERO(set);
	}
	if (!err)
		sp_session_list(session, which, set);
	kvfree(change);
	return err;
}
