/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_SESSION_H
#define SP_SESSION_H

#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "task/config.h"
#include "task/filter.h"
#include "lib/print.h"
#include "lib/why.h"

struct sp_function_list;
struct sp_idle_waits;
struct sp_pid_set;
struct sp_recording;

/* Room for what the headline says of the filter, with a NUL. */
#define SP_ABOUT_FILTER	512

/* How a session was set up when its recording ended. Immutable. */
struct sp_about {
	char filter[SP_ABOUT_FILTER];	/* for people */
	char *config;			/* all attributes, a line each */
	size_t bytes;			/* of them */
};

/* One session: how it is set up, and what it recorded last. */
struct sp_session {
	/* Protects all below, and switching on and off; never taken in hooks. */
	struct mutex mutex;
	struct sp_config config;
	struct sp_filter filter;	/* read by hooks while enabled */
	struct sp_function_list *functions;	/* reference; NULL: none */
	struct sp_idle_waits *idle_waits;	/* reference; for readers */
	bool enabled;
	bool expired;			/* it disabled itself */
	unsigned long deadline;		/* jiffies; when it will */
	struct delayed_work expiry;
	struct sp_recording *recording;	/* reference; NULL: nothing recorded */
	unsigned long misses;		/* of probes while it recorded; enabled: before that */
	const char *hook;		/* that it recorded with, once it is disabled */
	struct sp_about *about;		/* it, if attributes changed since it ended */
	struct sp_why why;		/* of the last refusal; "": none */
	/* Immutable. */
	void (*show_config)(struct seq_buf *s, struct sp_session *session);
	char name[];
};

struct sp_traits;

void sp_session_ask(struct sp_session *session, struct sp_traits *traits);
const struct sp_traits *sp_session_asked(const struct sp_session *session);
struct sp_session *sp_session_create(const char *name,
				     void (*show_config)(struct seq_buf *s,
							 struct sp_session *session));
void sp_session_drop(struct sp_session *session);
void sp_session_free(struct sp_session *session);

/* The caller holds the session's mutex. */
int sp_session_enable(struct sp_session *session, bool on, struct sp_why *why);
int sp_session_reset(struct sp_session *session, struct sp_why *why);
unsigned long sp_session_misses(const struct sp_session *session);
const char *sp_session_hook(const struct sp_session *session);
void sp_session_configured(struct sp_session *session);
void sp_session_list(struct sp_session *session,
		     struct sp_pid_set __rcu **which, struct sp_pid_set *set);
struct sp_pid_set *sp_session_listed(struct sp_session *session,
				     struct sp_pid_set __rcu *const *which);
void sp_session_instrument(struct sp_session *session,
			   struct sp_function_list *functions);
void sp_session_status(struct seq_buf *s, const struct sp_session *session);

#endif
