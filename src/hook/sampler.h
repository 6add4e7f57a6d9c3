/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HOOK_SAMPLER_H
#define SP_HOOK_SAMPLER_H

#include <linux/compiler.h>
#include <linux/types.h>

struct pt_regs;
struct sp_sample;
struct sp_why;

/* What is done with a look; the same for all. */
typedef void sp_look_fn(const struct sp_sample *sample, struct pt_regs *regs);

int sp_sampler_get(u64 period_ns, bool spans, sp_look_fn *look, struct sp_why *why);
void sp_sampler_put(u64 period_ns, bool spans);

/* Are CPUs being sampled? */
extern bool sp_sampling;
/* And does each switch matter, as spans without one are looked for? Then none is plain. */
extern bool sp_sampling_spans;

/* For hook/switch.c: a task came in, and so this CPU is not idle. */
void sp_sampler_wake(void);

#endif
