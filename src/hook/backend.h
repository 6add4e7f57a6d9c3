/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a way to see the scheduler (kprobe, tracepoint, ftrace) has to offer. Called under
 * the hook mutex.
 */
#ifndef SP_HOOK_BACKEND_H
#define SP_HOOK_BACKEND_H

#include <linux/types.h>

/* The kernel's events that the module must see; one probe for each. */
enum sp_role {
	SP_ROLE_SWITCH,		/* one task left a CPU, another came in */
	SP_ROLE_WAKEUP,		/* a task was woken */
	SP_ROLES
};

/* One way to see one role: a symbol, found or not, armed or not. */
struct sp_probe {
	const char *how;	/* jump, int3, ftrace, tracepoint */
	const char *remark;	/* a field more, with a space before it, or "" */
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
	const char *(*silenced)(enum sp_role role);
	struct sp_candidates candidates[SP_ROLES];
	int (*arm)(enum sp_role role, const char *symbol);
	/* On return no handler of the role runs any more. */
	void (*disarm)(enum sp_role role);
	/* Asked several times a second while a role is armed; NULL: nothing ever changes. */
	void (*settle)(enum sp_role role);
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

#endif
