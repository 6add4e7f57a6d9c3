/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TEXT_H
#define SP_TEXT_H

#include <linux/seq_file.h>

void sp_text_plain(struct seq_file *m, const char *name);
void sp_text_folded(struct seq_file *m, const char *name);
void sp_text_time(struct seq_file *m, u64 ns);
void sp_text_share(struct seq_file *m, u64 part, u64 whole);
void sp_text_bar(struct seq_file *m, u64 part, u64 whole);
void sp_text_symbol(struct seq_file *m, unsigned long address);
void sp_text_function(struct seq_file *m, unsigned long address);

#endif
