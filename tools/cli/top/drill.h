/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drill: a second session, of the tasks of one row and with what the first one leaves out:
 * stacks, wakers, how long intervals were. It is there as long as that is shown. Used by one
 * thread.
 */
#ifndef CLI_TOP_DRILL_H
#define CLI_TOP_DRILL_H

#include "../rows.h"
#include "../session.h"
#include "live.h"
#include "model.h"

/* What is shown of the tasks; each needs a session of its own. */
enum top_look {
	TOP_LOOK_STACKS,
	TOP_LOOK_WAKERS,
	TOP_LOOK_HISTOGRAM,
};

/* In bytes; a name has 15, each of which may need another one before it. */
#define TOP_VALUE	40

/* Which time. */
enum top_mode { TOP_OFFCPU, TOP_BLOCKED, TOP_WAITING, TOP_RUNNING, TOP_MODES };

struct top_drill {
	struct cli_session session;	/* name "": there is none */
	struct cli_options o;		/* of the session and the report */
	struct cli_options tables;	/* whose unwind tables */
	struct cli_report report;
	bool read;			/* there is a report */
	bool missed;			/* the last time there was no memory for one */
	struct schedprof_names names;
	bool named;			/* they are opened */
	enum top_look look;
	enum top_mode mode;
	char texts[TOP_SCOPES][TOP_VALUE];	/* values of settings */
	char *pids;			/* the same */
};

const char *top_mode_word(enum top_mode mode);
bool top_drill_possible(enum top_look look, enum top_mode mode);
int top_drill_begin(struct top_drill *drill, struct top_live *live, const struct top_view *view,
		    enum top_look look, enum top_mode mode, const struct cli_options *o);
int top_drill_read(struct top_drill *drill);
int top_drill_rank(struct top_drill *drill);
void top_drill_end(struct top_drill *drill, struct top_live *live);
void top_drill_close(struct top_drill *drill);

#endif
