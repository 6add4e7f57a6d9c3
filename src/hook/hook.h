/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HOOK_HOOK_H
#define SP_HOOK_HOOK_H

#include <linux/types.h>

struct task_struct;

/* The kernel's events that the module must see; one probe for each. */
enum sp_role {
	SP_ROLE_SWITCH,		/* one task left a CPU, another came in */
	SP_ROLE_WAKEUP,		/* a task was woken */
	SP_ROLES
};

/* One way to see one role: a symbol, found or not, armed or not. */
struct sp_probe {
	const char *symbol;
	const char *how;	/* ftrace, optimized, int3, tracepoint */
	unsigned long misses;
};

/* Symbols for one role, best first; a module parameter. */
#define SP_MAX_CANDIDATES 8

struct sp_candidates {
	char *const *symbols;
	const unsigned int *count;
};

/* One mechanism. Called under the hook mutex, in process context. */
struct sp_backend {
	const char *name;
	/* When the module comes and goes. */
	void (*enter)(void);
	void (*leave)(void);
	/* NULL, or one word for why nothing would be seen. */
	const char *(*silenced)(void);
	struct sp_candidates candidates[SP_ROLES];
	int (*arm)(enum sp_role role, const char *symbol);
	/* On return no handler of the role runs any more. */
	void (*disarm)(enum sp_role role);
	void (*describe)(enum sp_role role, struct sp_probe *probe);
};

extern const struct sp_backend sp_kprobe_backend;
extern const struct sp_backend sp_tracepoint_backend;
#ifdef SP_FTRACE_HOOK	/* Kbuild knows where */
extern const struct sp_backend sp_ftrace_backend;
#define SP_BACKEND_NAMES "kprobe, tracepoint or ftrace"
#else
#define SP_BACKEND_NAMES "kprobe or tracepoint"
#endif

struct seq_buf;
struct sp_why;

int sp_hook_init(struct sp_why *why);
void sp_hook_exit(void);
int sp_hook_request(const char *name, struct sp_why *why);
const char *sp_hook_requested(void);
const char *sp_hook_in_effect(void);
int sp_hook_get(bool wakeups, struct sp_why *why);
void sp_hook_put(bool wakeups);
void sp_hook_status(struct seq_buf *s);
void sp_hook_counts(struct seq_buf *s);
unsigned long sp_hook_misses(void);
u64 sp_hook_hits(enum sp_role role);
/* For hook/watch.c: takes the mutex, unless somebody has it. */
bool sp_hook_rearm(u64 blind_ns);

/* hook/fork.c */
int sp_fork_get(struct sp_why *why);
void sp_fork_put(void);

/* hook/check.c */
#define SP_CHECK_SLEEPS 64

struct sp_verdict {
	bool passed;
	unsigned int seen;	/* events that the probe handed over */
	unsigned int real;	/* events that happened */
};

/* What a probe hands over is compared, and not followed, while this is set. */
extern bool sp_unproved[SP_ROLES];

void sp_check_begin(enum sp_role role);
int sp_check(enum sp_role role, struct sp_verdict *verdict);
void sp_check_end(enum sp_role role);
void sp_check_switch(const struct task_struct *prev,
		     const struct task_struct *next);
void sp_check_wakeup(const struct task_struct *task);

/* hook/watch.c */
int sp_watch_start(void);
void sp_watch_stop(void);

#endif
