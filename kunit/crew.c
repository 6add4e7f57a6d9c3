// SPDX-License-Identifier: GPL-2.0-only
/*
 * crew: the same work in several kernel threads at the same time.
 *
 * The threads are spread over the processors, so that neighbours run side by
 * side. One completion lets all of them go, and each waits until the last one
 * is there, because a thread may well be done before the next one wakes up.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <kunit/test.h>

#include "crew.h"

struct crew {
	struct completion start;
	struct completion done;
	atomic_t missing;	/* members that are not there yet */
	sp_crew_work work;
	void *shared;
};

struct member {
	struct crew *crew;
	unsigned int number;
	struct task_struct *task;
};

static int member_main(void *data)
{
	struct member *member = data;
	struct crew *crew = member->crew;

	wait_for_completion(&crew->start);
	atomic_dec(&crew->missing);
	while (atomic_read(&crew->missing)) {
		cpu_relax();
		cond_resched();
	}
	crew->work(member->number, crew->shared);
	complete(&crew->done);
	return 0;
}

/**
 * sp_crew_run() - do work in several threads that start together
 * @test: fails if there are not so many threads
 * @members: how many
 * @work: called in each with its number, from 0
 * @shared: what @work is given
 *
 * Neighbouring numbers run on different processors, if there are two.
 *
 * Context: process, sleeps until all have returned from @work and ended.
 */
void sp_crew_run(struct kunit *test, unsigned int members, sp_crew_work work,
		 void *shared)
{
	struct member *list = kunit_kzalloc(test, members * sizeof(*list),
					    GFP_KERNEL);
	struct crew crew = { .work = work, .shared = shared };
	unsigned int cpu = cpumask_first(cpu_online_mask);
	unsigned int made, i;

	KUNIT_ASSERT_NOT_NULL(test, list);
	init_completion(&crew.start);
	init_completion(&crew.done);
	atomic_set(&crew.missing, members);
	for (made = 0; made < members; made++) {
		struct member *member = &list[made];

		member->crew = &crew;
		member->number = made;
		member->task = kthread_create(member_main, member,
					      "sp_crew/%u", made);
		if (IS_ERR(member->task))
			break;
		kthread_bind(member->task, cpu);
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		/* One that has ended by itself is still to be stopped. */
		get_task_struct(member->task);
	}
	if (made == members) {
		for (i = 0; i < made; i++)
			wake_up_process(list[i].task);
		complete_all(&crew.start);
		for (i = 0; i < made; i++)
			wait_for_completion(&crew.done);
	}
	for (i = 0; i < made; i++) {
		kthread_stop(list[i].task);
		put_task_struct(list[i].task);
	}
	KUNIT_ASSERT_EQ(test, made, members);
}
