// SPDX-License-Identifier: GPL-2.0-only
/*
 * about: what a recording is of, for its readers: the filter in words, and all
 * attributes.
 *
 * While a session records that is what its attributes say. Once it has ended they
 * may change for the next start; before the first change, what they say is kept.
 *
 * Process context, under the session's mutex.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "report/view.h"
#include "lib/idle_waits.h"
#include "lib/pid_set.h"
#include "lib/print.h"
#include "lib/text.h"
#include "session.h"
#include "task/traits.h"

/* Processes that the headline names one by one. */
#define FILTER_NAMES	8
#define FIRST_BYTES	4096

static void list_some(struct seq_buf *s, const char *what,
		      const struct sp_pid_set *set)
{
	u32 i;

	if (set->all)
		return;
	seq_buf_printf(s, "%s%s", s->len ? ", " : "", what);
	for (i = 0; i < min_t(u32, set->count, FILTER_NAMES); i++)
		seq_buf_printf(s, " %d", set->number[i]);
	if (!set->count)
		sp_puts(s, " none");
	if (set->count > FILTER_NAMES)
		seq_buf_printf(s, " and %u more", set->count - FILTER_NAMES);
}

static void describe_traits(struct seq_buf *s, const struct sp_traits *traits)
{
	if (traits->comm[0])
		seq_buf_printf(s, "%scomm %*pEp", s->len ? ", " : "",
			       (int)strlen(traits->comm), traits->comm);
	if (uid_valid(traits->uid))
		seq_buf_printf(s, "%suid %u", s->len ? ", " : "",
			       from_kuid_munged(&init_user_ns, traits->uid));
	if (traits->cgroup) {
		seq_buf_printf(s, "%scgroup ", s->len ? ", " : "");
		sp_text_plain(s, traits->cgroup_path);
	}
}

/**
 * sp_about_filter() - one line that tells the filter as it is now
 * @s: where to
 * @session: the caller holds its mutex
 */
void sp_about_filter(struct seq_buf *s, struct sp_session *session)
{
	const struct sp_config *config = &session->config;
	const struct sp_filter *filter = &session->filter;
	u64 min_us = sp_config_min_us(config);

	if (config->tasks_kind != SP_KIND_ALL)
		sp_puts(s, config->tasks_kind == SP_KIND_USER ? "user tasks" :
								 "kernel threads");
	describe_traits(s, sp_session_asked(session));
	list_some(s, "pids", sp_session_listed(session, &filter->pids));
	list_some(s, "tids", sp_session_listed(session, &filter->tids));
	if (!s->len)
		sp_puts(s, "all tasks");
	if (min_us)
		seq_buf_printf(s, ", from %llu us", min_us);
	if (config->max_us)
		seq_buf_printf(s, ", up to %llu us", config->max_us);
}

static int keep_config(struct sp_about *about, struct sp_session *session)
{
	size_t bytes = FIRST_BYTES;
	struct seq_buf s;

	for (;; bytes *= 2) {
		about->config = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
		if (!about->config)
			return -ENOMEM;
		seq_buf_init(&s, about->config, bytes);
		session->show_config(&s, session);
		if (!seq_buf_has_overflowed(&s))
			break;
		kvfree(about->config);
	}
	about->bytes = s.len;
	return 0;
}

/**
 * sp_about_config() - the attributes that a recording was made with
 * @s: where to
 * @session: the caller holds its mutex
 *
 * In idle_waits is what its results are told by now: it is about reading.
 */
void sp_about_config(struct seq_buf *s, struct sp_session *session)
{
	static const char name[] = "\nidle_waits ";
	const struct sp_about *about = session->about;
	const char *at, *end;

	lockdep_assert_held(&session->mutex);
	if (!about) {
		session->show_config(s, session);
		return;
	}
	end = about->config + about->bytes;
	at = strnstr(about->config, name, about->bytes);
	if (!at) {
		sp_put(s, about->config, about->bytes);
		return;
	}
	at += strlen(name);
	sp_put(s, about->config, at - about->config);
	sp_idle_waits_show(s, session->idle_waits);
	at = memchr(at, '\n', end - at);
	if (at)
		sp_put(s, at, end - at);
}

/**
 * sp_about_keep() - an attribute is about to change
 * @session: the caller holds its mutex
 *
 * Return: 0 or -ENOMEM, then it should stay as it is.
 */
int sp_about_keep(struct sp_session *session)
{
	struct sp_about *about;
	struct seq_buf s;

	lockdep_assert_held(&session->mutex);
	if (session->enabled || !session->recording || session->about)
		return 0;
	about = kzalloc(sizeof(*about), GFP_KERNEL_ACCOUNT);
	if (!about || keep_config(about, session)) {
		kfree(about);
		return -ENOMEM;
	}
	seq_buf_init(&s, about->filter, sizeof(about->filter) - 1);
	sp_about_filter(&s, session);
	session->about = about;
	return 0;
}
