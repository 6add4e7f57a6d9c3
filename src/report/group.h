/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_GROUP_H
#define SP_REPORT_GROUP_H

struct sp_view;

/* What shares one row. */
enum sp_group {
	SP_GROUP_THREAD,
	SP_GROUP_PROCESS,
	SP_GROUP_COMM,
};

/* The TID of a row of many processes with one name. */
#define SP_TID_COMM (-1)

int sp_group(struct sp_view *view, enum sp_group by);

#endif
