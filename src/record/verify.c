// SPDX-License-Identifier: GPL-2.0-only
/*
 * verify: stacks that were recognised are walked, and compared; see record/verify.h, which
 * says how it is locked. Only in builds for tests.
 *
 * The walk is the one that finds stacks which are not recognised, and what it finds goes
 * where theirs does: it is the same, or this counts it.
 */
#include <linux/sched/task_stack.h>
#include <linux/seq_buf.h>

#include "record/verify.h"

static const char *const kinds[SP_VERIFIES] = { "kernel", "user", "waker" };

/* Of a deep stack, one that is kept may be the inner part. */
static bool is_same(const struct sp_stack *stack, const struct sp_callchain *callchain)
{
	bool cut = stack->flags & SP_STACK_CUT;
	u16 told = SP_STACK_KEY & ~SP_STACK_CUT;
	unsigned int i;

	/* Where a user stack ends is told of whole ones. */
	if (cut && stack->flags & SP_STACK_USER)
		told &= ~SP_STACK_END;

	if (cut && callchain->n <= stack->n && !(callchain->flags & SP_STACK_CUT))
		return false;
	if (cut ? callchain->n < stack->n : callchain->n != stack->n)
		return false;
	if ((stack->flags ^ callchain->flags) & told)
		return false;
	for (i = 0; i < stack->n; i++)
		if ((stack->frame[i] ^ callchain->frame[i]) & SP_FRAME_MASK)
			return false;
	return !(stack->flags & SP_STACK_WAKER) ||
	       !strncmp(sp_stack_waker(stack)->comm, callchain->waker.comm, TASK_COMM_LEN);
}

/* For whoever looks why: the last one on this CPU. */
static void keep(struct sp_mistake *mistake, enum sp_verify kind, const struct sp_stack *stack,
		 const struct sp_callchain *callchain)
{
	unsigned int i, n = min_t(unsigned int, stack->n, callchain->n);

	for (i = 0; i < n; i++)
		if ((stack->frame[i] ^ callchain->frame[i]) & SP_FRAME_MASK)
			break;
	mistake->kind = kind;
	mistake->pid = current->pid;
	mistake->known = stack->n;
	mistake->walked = callchain->n;
	mistake->known_flags = stack->flags;
	mistake->walked_flags = callchain->flags;
	mistake->at = i;
	mistake->ip = stack->frame[0];
	mistake->frame[0] = i < stack->n ? stack->frame[i] : 0;
	mistake->frame[1] = i < callchain->n ? callchain->frame[i] : 0;
}

static void verify(struct sp_cpu *cpu, enum sp_verify kind, const struct sp_stack *stack,
		   const struct sp_callchain *callchain)
{
	cpu->counts.verified[kind]++;
	if (likely(is_same(stack, callchain)))
		return;
	cpu->counts.mistaken[kind]++;
	keep(&cpu->mistake, kind, stack, callchain);
}

/**
 * sp_verify_kernel() - a task stands on a kernel stack that is known
 * @stack: that
 * @task: the task
 * @place: where it stands
 */
noinline void sp_verify_kernel(const struct sp_stack *stack, struct task_struct *task,
			       const struct sp_place *place)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (!stack)
		return;
	sp_unwind_kernel(&cpu->kernel, task, place);
	verify(cpu, SP_VERIFY_KERNEL, stack, &cpu->kernel);
}

/**
 * sp_verify_coming() - the same of one that comes in
 * @stack: its kernel stack
 * @task: the task
 * @regs: as for sp_hot_switch()
 */
noinline void sp_verify_coming(const struct sp_stack *stack, struct task_struct *task,
			       const struct pt_regs *regs)
{
	struct sp_place place;

	sp_place_of_coming(&place, task, regs);
	sp_verify_kernel(stack, task, &place);
}

/**
 * sp_verify_user() - a task stands on a user stack that is known
 * @stack: that
 * @regs: with which it left user mode
 *
 * A walk that meets what is not in memory tells nothing: it could not see now what
 * it saw then.
 */
noinline void sp_verify_user(const struct sp_stack *stack, const struct pt_regs *regs)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (!stack)
		return;
	sp_unwind_user(&cpu->user, regs);
	if (cpu->user.flags & SP_STACK_ABSENT)
		cpu->counts.absent++;
	else
		verify(cpu, SP_VERIFY_USER, stack, &cpu->user);
}

/**
 * sp_verify_waker() - who wakes a task is known
 * @stack: of that waker
 * @waking: where
 */
noinline void sp_verify_waker(const struct sp_stack *stack, const struct sp_waking *waking)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	sp_unwind_waker(&cpu->waker, waking, current);
	verify(cpu, SP_VERIFY_WAKER, stack, &cpu->waker);
}

static void show_frame(struct seq_buf *s, const char *name, u64 frame, bool user)
{
	if (user)
		seq_buf_printf(s, " %s=%llx", name, frame & SP_FRAME_MASK);
	else
		seq_buf_printf(s, " %s=%pS", name, (void *)sp_frame_kernel(frame));
}

static void show_mistake(struct seq_buf *s, const struct sp_mistake *mistake, int cpu)
{
	bool user = mistake->kind == SP_VERIFY_USER;

	seq_buf_printf(s, "mistake cpu=%d kind=%s pid=%d frames=%u/%u flags=%x/%x at=%u", cpu,
		       kinds[mistake->kind], mistake->pid, mistake->known, mistake->walked,
		       mistake->known_flags, mistake->walked_flags, mistake->at);
	show_frame(s, "innermost", mistake->ip, user);
	show_frame(s, "known", mistake->frame[0], user);
	show_frame(s, "walked", mistake->frame[1], user);
	seq_buf_printf(s, "\n");
}

/**
 * sp_verify_status() - how many there were, and the last that was another one
 * @s: where to
 */
void sp_verify_status(struct seq_buf *s)
{
	u64 verified[SP_VERIFIES] = { }, mistaken[SP_VERIFIES] = { }, all = 0, absent = 0;
	enum sp_verify kind;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct sp_counts *counts = &per_cpu_ptr(sp_cpu, cpu)->counts;

		for (kind = 0; kind < SP_VERIFIES; kind++) {
			verified[kind] += READ_ONCE(counts->verified[kind]);
			mistaken[kind] += READ_ONCE(counts->mistaken[kind]);
		}
		absent += READ_ONCE(counts->absent);
	}
	for (kind = 0; kind < SP_VERIFIES; kind++)
		all += verified[kind];
	seq_buf_printf(s, "stacks verified=%llu", all);
	for (kind = 0; kind < SP_VERIFIES; kind++)
		seq_buf_printf(s, " %s=%llu mistaken_%s=%llu", kinds[kind], verified[kind],
			       kinds[kind], mistaken[kind]);
	seq_buf_printf(s, " absent=%llu\n", absent);
	for_each_possible_cpu(cpu)
		if (per_cpu_ptr(sp_cpu, cpu)->mistake.known)
			show_mistake(s, &per_cpu_ptr(sp_cpu, cpu)->mistake, cpu);
}
