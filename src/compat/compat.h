/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows that kernels differ. The rest is written for the
 * newest kernel; what an older one lacks is made up for here. What a kernel has
 * is asked of its headers when the module is built (features.mk).
 */
#ifndef SP_COMPAT_H
#define SP_COMPAT_H

#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rbtree.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#ifdef SP_HAS_hex_header
#include <linux/hex.h>
#endif

#ifdef SP_HAS_task___state
#define sp_task_state(task)	READ_ONCE((task)->__state)
#define sp_task_set_state(task, value)	((task)->__state = (value))
#else
#define sp_task_state(task)	READ_ONCE((task)->state)
#define sp_task_set_state(task, value)	((task)->state = (value))
#endif

/* Does the task have a CPU, or has it not left it yet? Where there is one CPU, it is current's. */
#ifdef CONFIG_SMP
#define sp_task_on_cpu(task)	READ_ONCE((task)->on_cpu)
#else
#define sp_task_on_cpu(task)	((task) == current)
#endif

/* Does a task of a throttled control group leave when it returns to its program, and not before? */
#ifdef SP_HAS_throttled_tasks
#define SP_TASKS_ARE_THROTTLED	true
#else
#define SP_TASKS_ARE_THROTTLED	false
#endif

/* Newer states that count as waiting for a disk: locks of PREEMPT_RT, freezing. */
#ifndef TASK_RTLOCK_WAIT
#define TASK_RTLOCK_WAIT	0
#endif
#ifndef TASK_FREEZABLE
#define TASK_FREEZABLE		0
#endif
#ifndef TASK_FROZEN
#define TASK_FROZEN		0
#endif

#ifdef SP_HAS_switch_tells_state
#define SP_SWITCH_PROBE_ARGS						\
	void *data, bool preempt, struct task_struct *prev,		\
	struct task_struct *next, unsigned int prev_state
#else
#define SP_SWITCH_PROBE_ARGS						\
	void *data, bool preempt, struct task_struct *prev,		\
	struct task_struct *next
#endif

/*
 * What ftrace hands over at the entry of a function. On x86-64 it saves arguments,
 * instruction, stack and frame pointer for everybody (save_mcount_regs in
 * arch/x86/kernel/ftrace_64.S); kernels before 5.11 do so for those who want all
 * registers, and guard whoever does not forbid it against recursion.
 */
#ifdef SP_HAS_ftrace_regs
#define SP_FTRACE_REGS		struct ftrace_regs
#define SP_FTRACE_FLAGS		0
#ifdef SP_HAS_arch_ftrace_regs
#define sp_ftrace_pt_regs(fregs)	(&arch_ftrace_regs(fregs)->regs)
#else
#define sp_ftrace_pt_regs(fregs)	(&(fregs)->regs)
#endif
#else
#define SP_FTRACE_REGS		struct pt_regs
#define SP_FTRACE_FLAGS		(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_RECURSION_SAFE)
#define sp_ftrace_pt_regs(fregs)	(fregs)
#endif

static inline void sp_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*look)(struct hrtimer *timer),
				    clockid_t clock, enum hrtimer_mode mode)
{
#ifdef SP_HAS_hrtimer_setup
	hrtimer_setup(timer, look, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = look;
#endif
}

/* In the hard interrupt on PREEMPT_RT, too. */
static inline void sp_irq_work_init_hard(struct irq_work *work,
					 void (*run)(struct irq_work *work))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(run);
#else
	init_irq_work(work, run);
	atomic_or(IRQ_WORK_HARD_IRQ, &work->flags);
#endif
}

/*
 * A thread of the kernel's, which has a program's memory (of io_uring since 5.12, of vhost since
 * 6.4) or none: it never was where it could have a user stack.
 */
static inline bool sp_runs_no_program(const struct task_struct *task)
{
	unsigned int flags = PF_KTHREAD;

#ifdef PF_IO_WORKER
	flags |= PF_IO_WORKER;
#endif
#ifdef PF_USER_WORKER
	flags |= PF_USER_WORKER;
#endif
	return task->flags & flags;
}

/* A file below an overlay is one of another file system, with a path of its own. */
static inline const struct path *sp_file_path(const struct file *file)
{
#ifdef SP_HAS_file_user_path
	return file_user_path((struct file *)file);
#else
	return &file->f_path;
#endif
}

static inline struct timespec64 sp_inode_mtime(const struct inode *inode)
{
#ifdef SP_HAS_inode_get_mtime
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/* Since 6.16. */
#ifndef cmp_int
#define cmp_int(x, y)	(((x) > (y)) - ((x) < (y)))
#endif

#ifndef SP_HAS_system_dfl_wq
#define system_dfl_wq	system_unbound_wq
#endif

/*
 * Where a kernel calls a fault handler, it has counted the fault as a miss of
 * the probe (kprobe_fault_handler() in arch/). It returns 0: not handled.
 */
static inline void sp_kprobe_on_fault(struct kprobe *probe,
				      int (*handler)(struct kprobe *probe,
						     struct pt_regs *regs, int trap))
{
#ifdef SP_HAS_kprobe_fault_handler
	probe->fault_handler = handler;
#endif
}

/**
 * sp_kprobe_misses() - what a probe missed, without those that are none
 * @nmissed: as the kernel counts, read first
 * @faults: calls of its handler on faults
 *
 * The kernel may lose some where CPUs miss at the same time. And neither order is exact; this one
 * rather hides a miss for a moment.
 */
static inline unsigned long sp_kprobe_misses(unsigned long nmissed, unsigned long faults)
{
	return nmissed - min(nmissed, faults);
}

/* Functions whose returns are instrumented, and in which the task is. */
static inline bool sp_task_has_rethooks(const struct task_struct *task)
{
#ifdef CONFIG_RETHOOK
	return READ_ONCE(task->rethooks.first);
#else
	return false;
#endif
}

static inline void sp_ring_buffer_commit(struct trace_buffer *ring,
					 struct ring_buffer_event *event)
{
#ifdef SP_HAS_ring_buffer_commit_alone
	ring_buffer_unlock_commit(ring);
#else
	ring_buffer_unlock_commit(ring, event);
#endif
}

/*
 * Rings that are read while they are written. A reader is made and started at once,
 * or, before, in two steps, between which ring_buffer_read_prepare_sync() waited for
 * writers. That dates from when a reader stopped them (until 5.7); now they go on
 * anyway, so there is nothing to wait for, and the newer kernels do not wait either.
 */
#if defined(SP_HAS_ring_buffer_read_start) || defined(SP_HAS_ring_buffer_read_prepare)
#define SP_HAS_RINGS 1

static inline struct ring_buffer_iter *
sp_ring_buffer_read_start(struct trace_buffer *ring, int cpu, gfp_t flags)
{
#ifdef SP_HAS_ring_buffer_read_start
	return ring_buffer_read_start(ring, cpu, flags);
#else
	struct ring_buffer_iter *iter = ring_buffer_read_prepare(ring, cpu, flags);

	if (iter)
		ring_buffer_read_start(iter);
	return iter;
#endif
}
#else
#define SP_HAS_RINGS 0
#endif

#ifdef CONFIG_KRETPROBES
/* An activation's kretprobe, in its entry handler; NULL: another CPU just unregisters it. */
static inline struct kretprobe *sp_kretprobe_of(struct kretprobe_instance *instance)
{
#ifdef SP_HAS_get_kretprobe
	return get_kretprobe(instance);
#else
	return instance->rp;
#endif
}
#endif

#ifdef SP_HAS_fprobe_ftrace_regs
#define SP_FPROBE_REGS	struct ftrace_regs
#else
#define SP_FPROBE_REGS	struct pt_regs
#endif

/* A macro, because not every kernel has the type. */
#ifdef SP_HAS_fprobe_max_active
#define sp_fprobe_max_active(fprobe, max)	((fprobe)->nr_maxactive = (max))
#else
#define sp_fprobe_max_active(fprobe, max)	((void)(max))
#endif

#ifndef SP_HAS_rb_add_cached
/* As in Documentation/core-api/rbtree.rst: go down, link, rebalance. */
static inline void rb_add_cached(struct rb_node *node, struct rb_root_cached *tree,
				 bool (*less)(struct rb_node *, const struct rb_node *))
{
	struct rb_node **link = &tree->rb_root.rb_node, *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		if (less(node, parent)) {
			link = &parent->rb_left;
		} else {
			link = &parent->rb_right;
			leftmost = false;
		}
	}
	rb_link_node(node, parent, link);
	rb_insert_color_cached(node, tree, leftmost);
}
#endif

/* Where user memory ends, unless a program asks for more. */
#if defined(DEFAULT_MAP_WINDOW_64)
#define SP_USER_WINDOW	DEFAULT_MAP_WINDOW_64
#elif defined(DEFAULT_MAP_WINDOW)
#define SP_USER_WINDOW	DEFAULT_MAP_WINDOW
#else
#define SP_USER_WINDOW	TASK_SIZE
#endif

#endif
