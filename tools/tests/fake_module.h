/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_module: files that stand in for the module's, as far as unwind tables go: what is
 * written to unwind_table is checked and then listed. For programs that are linked with
 * --wrap=write. One thread.
 */
#ifndef FAKE_MODULE_H
#define FAKE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct fake_module {
	const char *directory;	/* that of the module in configfs */
	uint64_t max_bytes;
	uint64_t bytes, tables;	/* that it has taken */
	uint64_t others;	/* bytes, of these, of files that are not root's */
	uint64_t taken;		/* how often */
	struct schedprof_unwind *generated;	/* the last one of a process */
	bool refuses;		/* whatever comes, with a sentence */
	void (*generated_fn)(void);	/* NULL, or called when one of a process comes */
};

extern struct fake_module fake_module;

void fake_module_put(const char *name, const char *text);
void fake_module_begin(const char *directory, uint64_t max_bytes);

#endif
