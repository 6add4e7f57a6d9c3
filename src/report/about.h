/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_ABOUT_H
#define SP_REPORT_ABOUT_H

struct seq_buf;
struct sp_session;

void sp_about_filter(struct seq_buf *s, struct sp_session *session);
int sp_about_keep(struct sp_session *session);

#endif
