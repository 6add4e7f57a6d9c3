/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How functions are instrumented: by what the kernel offers, of which one file
 * is in the module.
 */
#ifndef SP_FUNC_PROBE_H
#define SP_FUNC_PROBE_H

#include <linux/types.h>

#include "lib/canary.h"

struct kretprobe;
struct sp_functions;
struct sp_probes;
struct sp_why;

/* One word for people. */
extern const char *const sp_probes_name;

/* Can the function at this address be one of them? May sleep. */
bool sp_probes_take(unsigned long address);
/* All of the functions, or an ERR_PTR(). From its return on, hooks run. */
struct sp_probes *sp_probes_arm(struct sp_functions *functions, struct sp_why *why);
/* On return no hook of them runs any more; false: they are kept for good. */
bool sp_probes_disarm(struct sp_probes *probes);
/* What keeps all of them from seeing anything now? Context: process, may sleep. */
enum sp_silence sp_probes_ask(void);
/* Activations that the kernel did not hand on. Context: any. */
unsigned long sp_probes_missed(const struct sp_probes *probes);
#ifdef SCHEDPROF_KUNIT
/* Where they are kretprobes: those that are armed. */
struct kretprobe **sp_probes_armed(struct sp_probes *probes);
void sp_probes_fault(struct sp_probes *probes, u32 number);
#endif

#endif
