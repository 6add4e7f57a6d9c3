/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's tracepoints by name. No lock. */
#ifndef SP_LIB_TRACEPOINT_H
#define SP_LIB_TRACEPOINT_H

struct tracepoint;

struct tracepoint *sp_tracepoint_find(const char *name);

#endif
