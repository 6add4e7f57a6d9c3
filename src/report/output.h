/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_OUTPUT_H
#define SP_REPORT_OUTPUT_H

struct dentry;
struct sp_session;

int sp_output_init(void);
void sp_output_exit(void);
struct dentry *sp_output_create(struct sp_session *session);
void sp_output_remove(struct dentry *dir);

#endif
