// SPDX-License-Identifier: GPL-2.0-only
/*
 * attributes: the one table of a session's attributes. From a row of it come
 * the file in configfs, its show and its store, and its line in the results'
 * config file.
 *
 * Every access holds the session's mutex. A refused write changes nothing but
 * last_error.
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "control.h"
#include "report/view.h"
#include "lib/idle_waits.h"
#include "lib/limits.h"
#include "task/mode.h"
#include "parse.h"
#include "record/recording.h"
#include "session.h"
#include "task/clock.h"
#include "task/traits.h"

/* Bytes of what a user wrote, in a sentence that is whole if none can be printed. */
#define QUOTED	32

struct knob {
	const char *name;
	bool live;		/* may change while the session is enabled */
	bool restarts;		/* clears what was recorded, or leaves all as it is */
	void (*show)(struct seq_buf *s, struct sp_session *session,
		     const struct knob *knob);
	int (*store)(struct sp_session *session, const char *text,
		     const struct knob *knob, struct sp_why *why);
	/* Of plain values: a u64 in struct sp_config. */
	size_t offset;
	u64 min, max;
	const char *const *words;
	enum pid_type type;	/* of lists: processes or threads */
};

static u64 *value_of(struct sp_session *session, const struct knob *knob)
{
	return (void *)&session->config + knob->offset;
}

static void show_number(struct seq_buf *s, struct sp_session *session,
			const struct knob *knob)
{
	seq_buf_printf(s, "%llu", *value_of(session, knob));
}

static int store_number(struct sp_session *session, const char *text,
			const struct knob *knob, struct sp_why *why)
{
	return sp_parse_number(text, knob->min, knob->max,
			       value_of(session, knob), why);
}

static void show_choice(struct seq_buf *s, struct sp_session *session,
			const struct knob *knob)
{
	sp_puts(s, knob->words[*value_of(session, knob)]);
}

static int store_choice(struct sp_session *session, const char *text,
			const struct knob *knob, struct sp_why *why)
{
	return sp_parse_choice(text, knob->words, value_of(session, knob), why);
}

static void show_set(struct seq_buf *s, struct sp_session *session,
		     const struct knob *knob)
{
	u64 bits = *value_of(session, knob);
	const char *blank = "";
	unsigned int i;

	if (!bits)
		sp_puts(s, "none");
	for (i = 0; knob->words[i]; i++) {
		if (!(bits & BIT_ULL(i)))
			continue;
		seq_buf_printf(s, "%s%s", blank, knob->words[i]);
		blank = " ";
	}
}

static int store_set(struct sp_session *session, const char *text,
		     const struct knob *knob, struct sp_why *why)
{
	return sp_parse_set(text, knob->words, value_of(session, knob), why);
}

static struct sp_pid_set __rcu **list_of(struct sp_session *session, const struct knob *knob)
{
	return knob->type == PIDTYPE_TGID ? &session->filter.pids : &session->filter.tids;
}

static void show_list(struct seq_buf *s, struct sp_session *session,
		      const struct knob *knob)
{
	sp_pid_list_show(s, sp_session_listed(session, list_of(session, knob)));
}

static int store_list(struct sp_session *session, const char *text,
		      const struct knob *knob, struct sp_why *why)
{
	return sp_pid_list_store(session, list_of(session, knob), knob->type, text, why);
}

/* A copy of what is asked now, with one answer to be changed. */
static struct sp_traits *copy_traits(struct sp_session *session, struct sp_why *why)
{
	struct sp_traits *traits = sp_traits_make(sp_session_asked(session));

	if (!traits)
		sp_refuse(why, -ENOMEM, "there is not enough memory for the filter; try again");
	return traits;
}

static void show_comm(struct seq_buf *s, struct sp_session *session,
		      const struct knob *knob)
{
	sp_puts(s, sp_session_asked(session)->comm);
}

/* It is a line of config. */
static bool has_control(const char *text)
{
	while (*text && !iscntrl(*text))
		text++;
	return *text;
}

static int store_comm(struct sp_session *session, const char *text,
		      const struct knob *knob, struct sp_why *why)
{
	struct sp_traits *traits;

	if (strlen(text) >= SP_COMM_PATTERN)
		return sp_refuse(why, -E2BIG, "a pattern for names has at most %d characters, and names have 15",
				 SP_COMM_PATTERN - 1);
	if (has_control(text))
		return sp_refuse(why, -EINVAL, "'%*pEhp' has a control character in it; write ? where names have one",
				 (int)min_t(size_t, strlen(text), QUOTED), text);
	traits = copy_traits(session, why);
	if (!traits)
		return -ENOMEM;
	strscpy(traits->comm, text, sizeof(traits->comm));
	sp_session_ask(session, traits);
	return 0;
}

static void show_uid(struct seq_buf *s, struct sp_session *session,
		     const struct knob *knob)
{
	kuid_t uid = sp_session_asked(session)->uid;

	if (uid_valid(uid))
		seq_buf_printf(s, "%u", from_kuid_munged(current_user_ns(), uid));
	else
		sp_puts(s, "-1");
}

static int store_uid(struct sp_session *session, const char *text,
		     const struct knob *knob, struct sp_why *why)
{
	struct sp_traits *traits;
	kuid_t uid = INVALID_UID;
	u64 number;
	int err;

	if (strcmp(text, "-1")) {
		err = sp_parse_number(text, 0, U32_MAX - 1, &number, why);
		if (err)
			return err;
		uid = make_kuid(current_user_ns(), number);
		if (!uid_valid(uid))
			return sp_refuse(why, -EINVAL, "user %llu is not known in this user namespace; write another one, or -1 for any",
					 number);
	}
	traits = copy_traits(session, why);
	if (!traits)
		return -ENOMEM;
	traits->uid = uid;
	sp_session_ask(session, traits);
	return 0;
}

static void show_cgroup(struct seq_buf *s, struct sp_session *session,
			const struct knob *knob)
{
	sp_puts(s, sp_session_asked(session)->cgroup_path);
}

static int store_cgroup(struct sp_session *session, const char *text,
			const struct knob *knob, struct sp_why *why)
{
	struct sp_traits *traits;
	struct cgroup *cgroup = NULL;

	if (strlen(text) >= SP_CGROUP_PATH)
		return sp_refuse(why, -E2BIG, "the path of a control group may have %d characters here",
				 SP_CGROUP_PATH - 1);
	if (has_control(text))
		return sp_refuse(why, -EINVAL, "'%*pEhp' has a control character in it; write a control group above, which has it in, too",
				 (int)min_t(size_t, strlen(text), QUOTED), text);
	if (text[0] && text[0] != '/')
		return sp_refuse(why, -EINVAL, "'%*pEhp' is no path; write it as after 0:: in /proc/PID/cgroup, as in /system.slice",
				 (int)min_t(size_t, strlen(text), QUOTED), text);
	if (text[0])
		cgroup = sp_traits_find_cgroup(text);
	if (cgroup == ERR_PTR(-ENOMEM))
		return sp_refuse(why, -ENOMEM, "there is not enough memory for the path; try again");
	/* What is there, but no directory, is none either. */
	if (IS_ERR(cgroup))
		return sp_refuse(why, -ENOENT, "there is no control group '%*pEhp'; write it as after 0:: in /proc/PID/cgroup",
				 (int)min_t(size_t, strlen(text), QUOTED), text);
	traits = copy_traits(session, why);
	if (!traits) {
		if (cgroup)
			cgroup_put(cgroup);
		return -ENOMEM;
	}
	if (traits->cgroup)
		cgroup_put(traits->cgroup);
	traits->cgroup = cgroup;
	strscpy(traits->cgroup_path, text, sizeof(traits->cgroup_path));
	sp_session_ask(session, traits);
	return 0;
}

static void show_state(struct seq_buf *s, struct sp_session *session,
		       const struct knob *knob)
{
	if (session->config.states == SP_STATES_ALL)
		sp_puts(s, "all");
	else
		show_set(s, session, knob);
}

static int store_state(struct sp_session *session, const char *text,
		       const struct knob *knob, struct sp_why *why)
{
	u64 bits = SP_STATES_ALL;
	int err = 0;

	if (strcmp(text, "all"))
		err = sp_parse_set(text, knob->words, &bits, why);
	if (!err && !bits)
		err = sp_refuse(why, -EINVAL, "'none' would match nothing; write all, or any of S D I T R");
	if (!err)
		session->config.states = bits;
	return err;
}

static int store_trace_kb(struct sp_session *session, const char *text,
			  const struct knob *knob, struct sp_why *why)
{
	u64 kb;
	int err = sp_parse_number(text, knob->min, knob->max, &kb, why);

	if (!err && kb && !SP_EVENTS_ARE_KEPT)
		err = sp_refuse(why, -EOPNOTSUPP, "this kernel has no ring buffers that can be read while they are written (hooks_status says what is missing), so there is no event trace; leave trace_kb at 0");
	if (!err)
		session->config.trace_kb = kb;
	return err;
}

static void show_functions(struct seq_buf *s, struct sp_session *session,
			   const struct knob *knob)
{
	sp_function_words_show(s, session);
}

static int store_functions(struct sp_session *session, const char *text,
			   const struct knob *knob, struct sp_why *why)
{
	return sp_function_words_store(session, text, why);
}

static void show_idle_waits(struct seq_buf *s, struct sp_session *session,
			    const struct knob *knob)
{
	sp_idle_waits_show(s, session->idle_waits);
}

static int store_idle_waits(struct sp_session *session, const char *text,
			    const struct knob *knob, struct sp_why *why)
{
	struct sp_idle_waits *list = sp_idle_waits_change(session->idle_waits, text, why);

	if (IS_ERR(list))
		return PTR_ERR(list);
	sp_idle_waits_put(session->idle_waits);
	session->idle_waits = list;
	return 0;
}

static void show_enable(struct seq_buf *s, struct sp_session *session,
			const struct knob *knob)
{
	seq_buf_printf(s, "%d", session->enabled);
}

static int store_enable(struct sp_session *session, const char *text,
			const struct knob *knob, struct sp_why *why)
{
	u64 on;
	int err = sp_parse_number(text, 0, 1, &on, why);

	return err ?: sp_session_enable(session, on, why);
}

static int store_reset(struct sp_session *session, const char *text,
		       const struct knob *knob, struct sp_why *why)
{
	u64 one;
	int err = sp_parse_number(text, 1, 1, &one, why);

	return err ?: sp_session_reset(session, why);
}

static void show_status(struct seq_buf *s, struct sp_session *session,
			const struct knob *knob)
{
	sp_session_status(s, session);
}

static void show_last_error(struct seq_buf *s, struct sp_session *session,
			    const struct knob *knob)
{
	sp_puts(s, session->why.text);
}

/* In the order of the tables they index; NULL-terminated. */
static const char *const kinds[] = {
	[SP_KIND_ALL] = "all",
	[SP_KIND_USER] = "user",
	[SP_KIND_KERNEL] = "kernel",
	NULL
};

static const char *const groups[] = {
	[SP_GROUP_THREAD] = "thread",
	[SP_GROUP_PROCESS] = "process",
	[SP_GROUP_COMM] = "comm",
	[SP_GROUP_CGROUP] = "cgroup",
	NULL
};

/* Bits of enum sp_state. */
static const char *const states[] = { "S", "D", "I", "T", "R", NULL };

/* Bits of enum sp_stack_kinds. */
static const char *const stacks[] = { "kernel", "user", "waker", NULL };

#define OWN(what)		.show = show_##what, .store = store_##what
#define VALUE(member)		.offset = offsetof(struct sp_config, member)
#define RANGE(member, from, to)	VALUE(member), .min = (from), .max = (to)
#define WORDS(member, names)	VALUE(member), .words = (names)
#define NUMBER(member, from, to)	OWN(number), RANGE(member, from, to)
#define CHOICE(member, names)	OWN(choice), WORDS(member, names)
#define SET(member, names)	OWN(set), WORDS(member, names)
#define READ_ONLY(what)		.show = show_##what
#define WRITE_ONLY(what)	.store = store_##what

/* Name, permissions, may it change while enabled, and what it is. */
#define ATTRIBUTES(A)							\
	A(mode, 0644, false, CHOICE(mode, sp_mode_names))		\
	A(pids, 0644, true, OWN(list), .type = PIDTYPE_TGID)		\
	A(tids, 0644, true, OWN(list), .type = PIDTYPE_PID)		\
	A(tasks_kind, 0644, false, CHOICE(tasks_kind, kinds))		\
	A(inherit, 0644, false, NUMBER(inherit, 0, 1))			\
	A(comm, 0644, true, OWN(comm))					\
	A(uid, 0644, true, OWN(uid))					\
	A(cgroup, 0644, true, OWN(cgroup))				\
	A(state, 0644, false, OWN(state), WORDS(states, states))	\
	A(min_us, 0644, true, NUMBER(min_us, 0, SP_MAX_US))		\
	A(max_us, 0644, true, NUMBER(max_us, 0, SP_MAX_US))		\
	A(stack, 0644, false, SET(stack, stacks))			\
	A(stack_depth, 0644, false, NUMBER(stack_depth, 1, SP_MAX_DEPTH)) \
	A(ledger, 0644, false, NUMBER(ledger, 0, 1))			\
	A(interrupts, 0644, false, NUMBER(interrupts, 0, 1))		\
	A(blame, 0644, false, NUMBER(blame, 0, 1))			\
	A(clock, 0644, false, CHOICE(clock, sp_clock_id_names))		\
	A(group_by, 0644, false, CHOICE(group_by, groups))		\
	A(period_us, 0644, false, NUMBER(period_us, 100, 1000000))	\
	A(trace_kb, 0644, false, .show = show_number, .store = store_trace_kb, \
	  RANGE(trace_kb, 0, SP_MAX_TRACE_KB))				\
	A(functions, 0644, false, OWN(functions))			\
	A(throttle, 0644, false, NUMBER(throttle, 0, 1))		\
	A(idle_waits, 0644, true, OWN(idle_waits))			\
	A(top_n, 0644, true, NUMBER(top_n, 1, SP_MAX_TOP))		\
	A(duration_ms, 0644, true, NUMBER(duration_ms, 0, S32_MAX))	\
	A(max_tasks, 0644, false, NUMBER(max_tasks, 1, SP_MAX_TABLE))	\
	A(max_stacks, 0644, false, NUMBER(max_stacks, 1, SP_MAX_TABLE))	\
	A(max_entries, 0644, false, NUMBER(max_entries, 1, SP_MAX_TABLE)) \
	A(enable, 0644, true, OWN(enable), .restarts = true)		\
	A(reset, 0200, true, WRITE_ONLY(reset), .restarts = true)	\
	A(status, 0444, false, READ_ONLY(status))			\
	A(last_error, 0444, false, READ_ONLY(last_error))

#define IN_TABLE(id, mode, may_live, ...)				\
	[AT_##id] = { .name = #id, .live = (may_live), __VA_ARGS__ },
#define IN_ENUM(id, ...)	AT_##id,

enum { ATTRIBUTES(IN_ENUM) };

static const struct knob table[] = { ATTRIBUTES(IN_TABLE) };

static ssize_t attribute_show(struct config_item *item, char *page,
			      const struct knob *knob)
{
	struct sp_session *session = sp_session_of(item);
	struct seq_buf s;

	/* Whoever owns the file may have changed its mode. */
	if (!knob->show)
		return -EACCES;
	seq_buf_init(&s, page, SP_SHOW_BYTES);
	mutex_lock(&session->mutex);
	knob->show(&s, session, knob);
	mutex_unlock(&session->mutex);
	if (s.len)
		sp_putc(&s, '\n');
	if (seq_buf_has_overflowed(&s))
		return sysfs_emit(page, "too long for this file: see config in debugfs\n");
	return s.len;
}

static ssize_t attribute_store(struct config_item *item, const char *page, size_t count,
			       const struct knob *knob)
{
	struct sp_session *session = sp_session_of(item);
	struct sp_why why = { };
	char *text;
	int err;

	if (!knob->store)
		return -EACCES;
	mutex_lock(&session->mutex);
	/* configfs hands over a buffer of its own, so it may be cut up. */
	err = sp_parse_text((char *)page, count, &text, &why);
	if (!err && session->enabled && !knob->live)
		err = sp_refuse(&why, -EBUSY, "%s cannot change while the session is enabled; write 0 to enable first",
				knob->name);
	/* Results go on telling how they were recorded. */
	if (!err && !knob->restarts && sp_about_keep(session))
		err = sp_refuse(&why, -ENOMEM, "there is not enough memory to keep what was recorded with other attributes; try again, or write 1 to reset first");
	if (!err)
		err = knob->store(session, text, knob, &why);
	if (!err)
		sp_session_configured(session);
	session->why = why;
	mutex_unlock(&session->mutex);
	return err ?: count;
}

/* configfs does not tell its callbacks which file they are called for. */
#define IN_CONFIGFS(id, mode, ...)					\
static ssize_t id##_show(struct config_item *item, char *page)		\
{									\
	return attribute_show(item, page, &table[AT_##id]);			\
}									\
static ssize_t id##_store(struct config_item *item, const char *page,	\
			  size_t count)					\
{									\
	return attribute_store(item, page, count, &table[AT_##id]);		\
}

#define AS_FILE(id, mode, ...)						\
	[AT_##id] = {							\
		.ca_name = #id, .ca_mode = (mode), .ca_owner = THIS_MODULE, \
		.show = id##_show, .store = id##_store,			\
	},
#define IN_ARRAY(id, ...)	&files[AT_##id],

ATTRIBUTES(IN_CONFIGFS)

static struct configfs_attribute files[] = { ATTRIBUTES(AS_FILE) };

struct configfs_attribute *sp_attributes[] = { ATTRIBUTES(IN_ARRAY) NULL };

/**
 * sp_attributes_show_all() - every attribute and its full value
 * @s: where to
 * @session: the caller holds its mutex
 */
void sp_attributes_show_all(struct seq_buf *s, struct sp_session *session)
{
	unsigned int i;

	lockdep_assert_held(&session->mutex);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (!table[i].show)
			continue;
		seq_buf_printf(s, "%s ", table[i].name);
		table[i].show(s, session, &table[i]);
		sp_putc(s, '\n');
	}
}
