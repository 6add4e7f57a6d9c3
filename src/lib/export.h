/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Internals are exported only where the KUnit suites, a module of their own,
 * have to reach them; a packaged module exports nothing.
 */
#ifndef SP_LIB_EXPORT_H
#define SP_LIB_EXPORT_H

#ifdef SCHEDPROF_KUNIT
#include <linux/export.h>
#define SP_EXPORT_FOR_KUNIT(symbol) EXPORT_SYMBOL_GPL(symbol)
#else
#define SP_EXPORT_FOR_KUNIT(symbol)
#endif

#endif
