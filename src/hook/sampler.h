/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HOOK_SAMPLER_H
#define SP_HOOK_SAMPLER_H

#include <linux/compiler.h>
#include <linux/types.h>

struct sp_why;

int sp_sampler_get(u64 period_ns, struct sp_why *why);
void sp_sampler_put(u64 period_ns);

/* Are CPUs being sampled? */
extern bool sp_sampling;

/* For hook/switch.c: a task came in, and so this CPU is not idle. */
void sp_sampler_wake(void);

#endif
