/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_ABOUT_H
#define SP_REPORT_ABOUT_H

#include <linux/types.h>

struct seq_buf;
struct sp_session;

/* Room for what the headline says of the filter, with a NUL. */
#define SP_ABOUT_FILTER	512

/* How a session was set up when its recording ended. Immutable. */
struct sp_about {
	char filter[SP_ABOUT_FILTER];	/* for people */
	char *config;			/* all attributes, a line each */
	size_t bytes;			/* of them */
};

void sp_about_filter(struct seq_buf *s, struct sp_session *session);
int sp_about_keep(struct sp_session *session);
void sp_about_forget(struct sp_session *session);

#endif
