/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HOOK_H
#define SP_HOOK_H

#include <linux/seq_file.h>
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

/* One mechanism. Called under the hook mutex, in process context. */
struct sp_backend {
	const char *name;
	/* Names of the candidates for each role, best first, NULL-terminated. */
	const char *const *candidates[SP_ROLES];
	int (*arm)(enum sp_role role, const char *symbol);
	/* On return no handler of the role runs any more. */
	void (*disarm)(enum sp_role role);
	void (*describe)(enum sp_role role, struct sp_probe *probe);
};

extern const struct sp_backend sp_kprobe_backend;
extern const struct sp_backend sp_tracepoint_backend;

struct sp_why;

int sp_hook_request(const char *name, struct sp_why *why);
const char *sp_hook_requested(void);
const char *sp_hook_in_effect(void);
int sp_hook_get(struct sp_why *why);
void sp_hook_put(void);
void sp_hook_status(struct seq_file *m);
void sp_hook_counts(struct seq_file *m);
unsigned long sp_hook_misses(void);

/* hook_check.c */
#define SP_CHECK_SLEEPS 64

struct sp_verdict {
	bool passed;
	unsigned int seen;	/* events that the probe handed over */
	unsigned int real;	/* events that happened */
};

int sp_hook_check(enum sp_role role, struct sp_verdict *verdict);
void sp_check_wakeup(const struct task_struct *task);

#endif
