/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_PID_LIST_H
#define SP_PID_LIST_H

#include <linux/pid.h>

#include "lib/print.h"

struct sp_pid_set;
struct sp_session;
struct sp_why;

void sp_pid_list_show(struct seq_buf *s, const struct sp_pid_set *set);
int sp_pid_list_store(struct sp_session *session,
		      struct sp_pid_set __rcu **which, enum pid_type type,
		      const char *text, struct sp_why *why);

#endif
