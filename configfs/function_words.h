/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_FUNCTION_WORDS_H
#define SP_FUNCTION_WORDS_H

#include "lib/print.h"

struct sp_session;
struct sp_why;

void sp_function_words_show(struct seq_buf *s, const struct sp_session *session);
int sp_function_words_store(struct sp_session *session, const char *text,
			    struct sp_why *why);

#endif
