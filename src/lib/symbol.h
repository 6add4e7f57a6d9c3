/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the kernel by name. No lock. */
#ifndef SP_LIB_SYMBOL_H
#define SP_LIB_SYMBOL_H

unsigned long sp_symbol_find(const char *name);
unsigned long sp_symbol_behind_ftrace(const char *name);

#endif
