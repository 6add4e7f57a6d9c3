// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle_waits: which functions of the kernel a task waits for work in, and whether a frame is
 * of one: the table that every session begins with, and how a user changes it.
 *
 * Text in; a list, or an errno and a sentence, out. Lists do not change once they are made,
 * so there is no lock. Process context.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "lib/export.h"
#include "lib/idle_waits.h"
#include "lib/limits.h"
#include "lib/print.h"
#include "lib/sleepers.h"
#include "lib/why.h"

#define SEPARATORS	" \t\n\v\f\r,"
#define LETTERS								\
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
/* Bytes of what a user wrote, in a sentence. */
#define QUOTED		48

/*
 * The table. What is static may be inlined into its caller, differently in each kernel, so
 * that callers are in it, too, if they wait for nothing else.
 */
#define N(name)	#name " "

static struct sp_idle_waits builtin = {
	.refs = REFCOUNT_INIT(1),
	.names =
	/* Programs: for events, for clients, for children, for signals. */
	N(ep_poll) N(do_epoll_wait) N(do_sys_poll) N(do_poll) N(do_select) N(core_sys_select)
	N(inet_csk_accept) N(inet_csk_wait_for_connect) N(unix_accept) N(vsock_accept)
	N(do_wait) N(kernel_wait4) N(kernel_waitid) N(do_sigtimedwait) N(sigsuspend)
	N(__do_sys_pause) N(__x64_sys_pause) N(__ia32_sys_pause)
	/* For who types, for requests to file systems and of machines, for messages. */
	N(n_tty_read) N(evdev_read) N(signalfd_read) N(signalfd_read_iter) N(inotify_read)
	N(fanotify_read) N(fuse_dev_do_read) N(userfaultfd_ctx_read) N(devkmsg_read)
	N(do_syslog) N(syslog_print) N(kvm_vcpu_block) N(vhost_worker) N(vhost_task_fn)
	N(io_wqe_worker) N(io_wq_worker) N(io_sq_thread)
	/* Kernel threads that serve whoever queues something for them. */
	N(worker_thread) N(rescuer_thread) N(kthread_worker_fn) N(kthreadd) N(kthread)
	N(smpboot_thread_fn) N(irq_thread) N(irq_wait_for_interrupt) N(napi_threaded_poll)
	N(napi_thread_wait) N(cpu_map_kthread_run) N(devtmpfsd) N(devtmpfs_work_loop)
	N(kauditd_thread) N(prune_tree_thread) N(md_thread) N(svc_recv) N(scsi_error_handler)
	N(svc_get_next_xprt) N(add_hwgenerator_randomness) N(drm_sched_main)
	N(nbcon_kthread_func) N(kprobe_optimizer_thread) N(watch_thread) N(watch_nap)
	/* Those that wait until there is something to clean up, or for the next time. */
	N(kswapd) N(kswapd_try_to_sleep) N(kcompactd) N(khugepaged) N(khugepaged_wait_work)
	N(ksm_scan_thread) N(oom_reaper) N(watchdog) N(psi_poll_worker) N(psi_rtpoll_worker)
	N(kjournald2) N(ext4_lazyinit_thread) N(xfsaild) N(cleaner_kthread)
	N(transaction_kthread) N(kdamond_fn)
	/* RCU's, for somebody to ask for a grace period, and for the end of one. */
	N(rcu_gp_kthread) N(rcu_gp_fqs_loop) N(rcu_tasks_kthread) N(rcu_tasks_one_gp)
	N(rcu_boost_kthread) N(rcu_nocb_gp_kthread) N(nocb_gp_wait) N(nocb_gp_sleep)
	N(rcu_nocb_cb_kthread) N(nocb_cb_wait),
};

#undef N

static const char *const sleepers[] = {
#define N(name)	name,
	SP_SLEEPERS(N)
#undef N
	NULL
};

/**
 * sp_idle_waits_default() - the list that a session begins with
 *
 * Return: it, with a reference; never NULL.
 */
struct sp_idle_waits *sp_idle_waits_default(void)
{
	return sp_idle_waits_get(&builtin);
}
SP_EXPORT_FOR_KUNIT(sp_idle_waits_default);

/* One more reference. */
struct sp_idle_waits *sp_idle_waits_get(struct sp_idle_waits *list)
{
	refcount_inc(&list->refs);
	return list;
}

/* Gives a reference back. The table keeps one of its own. */
void sp_idle_waits_put(struct sp_idle_waits *list)
{
	if (list && refcount_dec_and_test(&list->refs))
		kfree(list);
}
SP_EXPORT_FOR_KUNIT(sp_idle_waits_put);

/* Where a name is among others with a blank behind each; or NULL. */
static const char *find_name(const char *names, const char *name, size_t len)
{
	size_t n;

	for (; *names; names += n + 1) {
		n = strcspn(names, " ");
		if (n == len && !memcmp(names, name, len))
			return names;
	}
	return NULL;
}

static bool is_sleeper(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; sleepers[i]; i++)
		if (strlen(sleepers[i]) == len && !memcmp(sleepers[i], name, len))
			return true;
	return false;
}

/**
 * sp_idle_waits_frame() - what a frame of a kernel stack tells of the wait
 * @list: of functions
 * @symbol: name of the frame's function; what a compiler added behind a dot, and what
 *	follows a blank or a plus, does not count
 */
enum sp_idle_frame sp_idle_waits_frame(const struct sp_idle_waits *list, const char *symbol)
{
	size_t len = strcspn(symbol, ".+ ");

	if (is_sleeper(symbol, len))
		return SP_IDLE_CALLER;
	return find_name(list->names, symbol, len) ? SP_IDLE_YES : SP_IDLE_NO;
}
SP_EXPORT_FOR_KUNIT(sp_idle_waits_frame);

/**
 * sp_idle_waits_show() - the names, as they can be written again
 * @s: where to
 * @list: the list
 */
void sp_idle_waits_show(struct seq_buf *s, const struct sp_idle_waits *list)
{
	size_t len = strlen(list->names);

	if (len)
		sp_put(s, list->names, len - 1);
	else
		sp_puts(s, "none");
}
SP_EXPORT_FOR_KUNIT(sp_idle_waits_show);

/* A list that is being made. There is room for a word more than it may have. */
struct draft {
	size_t len;
	struct sp_idle_waits *list;
	struct sp_why *why;
};

/* A word as a user wrote it, without a NUL behind it. */
struct word {
	const char *text;
	size_t len;
	char sign;		/* 0: none */
};

static bool next_word(const char **rest, struct word *word)
{
	const char *text = *rest + strspn(*rest, SEPARATORS);
	size_t len = strcspn(text, SEPARATORS);

	*rest = text + len;
	word->sign = *text == '+' || *text == '-' ? *text : 0;
	word->text = text + !!word->sign;
	word->len = len - !!word->sign;
	return len;
}

static bool is_word(const struct word *word, const char *text)
{
	return strlen(text) == word->len && !memcmp(text, word->text, word->len);
}

static int check_name(const struct word *word, struct sp_why *why)
{
	int quoted = min_t(size_t, word->len, QUOTED);

	if (!word->len || strspn(word->text, LETTERS) < word->len)
		return sp_refuse(why, -EINVAL, "'%*pEhp' is no name of a function; write names as ep_poll, without what compilers add behind a dot",
				 quoted, word->text);
	if (word->len >= SP_IDLE_NAME)
		return sp_refuse(why, -E2BIG, "'%*pEhp...' is too long: a name has at most %d characters",
				 quoted, word->text, SP_IDLE_NAME - 1);
	if (strnstr(word->text, "futex", word->len))
		return sp_refuse(why, -EINVAL, "'%*pEhp': a futex may be a lock as well; name the program's function in /etc/schedprof/idle-waits",
				 quoted, word->text);
	if (is_sleeper(word->text, word->len))
		return sp_refuse(why, -EINVAL, "'%*pEhp' only sleeps for its callers, whatever they wait for; name the caller",
				 quoted, word->text);
	return 0;
}

static int add_name(struct draft *draft, const struct word *word)
{
	char *names = draft->list->names;

	if (find_name(names, word->text, word->len))
		return 0;
	if (draft->len + word->len + 1 > SP_IDLE_BYTES)
		return sp_refuse(draft->why, -ENOSPC, "the names have at most %d characters in all; take out some that you do not need",
				 SP_IDLE_BYTES - 1);
	memcpy(names + draft->len, word->text, word->len);
	draft->len += word->len;
	names[draft->len++] = ' ';
	names[draft->len] = '\0';
	return 0;
}

static int remove_name(struct draft *draft, const struct word *word)
{
	char *at = (char *)find_name(draft->list->names, word->text, word->len);

	if (!at)
		return sp_refuse(draft->why, -ENOENT, "'%.*s' is not in the list; read idle_waits to see what is",
				 (int)min_t(size_t, word->len, QUOTED), word->text);
	memmove(at, at + word->len + 1, strlen(at + word->len + 1) + 1);
	draft->len -= word->len + 1;
	return 0;
}

static int add_names(struct draft *draft, const char *names)
{
	struct word word;
	int err = 0;

	while (!err && next_word(&names, &word))
		err = add_name(draft, &word);
	return err;
}

static int apply_word(struct draft *draft, const struct word *word)
{
	int err;

	if (is_word(word, "default") && !word->sign)
		return add_names(draft, builtin.names);
	if (is_word(word, "none") || is_word(word, "default"))
		return sp_refuse(draft->why, -EINVAL, "'%.*s' does not go with a sign or with other words: write it alone",
				 (int)word->len, word->text);
	err = check_name(word, draft->why);
	if (err)
		return err;
	return word->sign == '-' ? remove_name(draft, word) : add_name(draft, word);
}

/* Returns 0, or an errno if there are none, or some have a sign and others have not. */
static int look_at_signs(const char *text, bool *change, struct sp_why *why)
{
	u32 words = 0, signs = 0;
	struct word word;

	for (; next_word(&text, &word); words++)
		signs += !!word.sign;
	if (!words)
		return sp_refuse(why, -EINVAL, "nothing was written: write default, none, names of kernel functions, or changes like +name -name");
	if (signs && signs != words)
		return sp_refuse(why, -EINVAL, "some words have a sign and some have not: plain ones replace the list, signed ones change it, so write only one kind");
	*change = signs;
	return 0;
}

/**
 * sp_idle_waits_change() - another list
 * @from: the list that there is
 * @text: what a user wrote, without blanks at both ends: "none", names that replace the list,
 *	"default" being those of the table, or names with a sign before each, which change it
 * @why: gets the reason of a refusal
 *
 * Return: the list, or an ERR_PTR(): -EINVAL, -ENOENT for a name to be taken out that is not
 * there, -E2BIG for one that is too long, -ENOSPC for too many, or -ENOMEM.
 */
struct sp_idle_waits *sp_idle_waits_change(const struct sp_idle_waits *from, const char *text,
					   struct sp_why *why)
{
	struct draft draft = { .why = why };
	bool change = false;
	struct word word;
	int err = look_at_signs(text, &change, why);

	if (err)
		return ERR_PTR(err);
	draft.list = kzalloc(sizeof(*draft.list) + SP_IDLE_BYTES + 1, GFP_KERNEL_ACCOUNT);
	if (!draft.list)
		return ERR_PTR(sp_refuse(why, -ENOMEM,
					 "there is not enough memory for the list; try again"));
	refcount_set(&draft.list->refs, 1);
	if (change)
		err = add_names(&draft, from->names);
	if (change || strcmp(text, "none"))
		while (!err && next_word(&text, &word))
			err = apply_word(&draft, &word);
	if (!err)
		return draft.list;
	kfree(draft.list);
	return ERR_PTR(err);
}
SP_EXPORT_FOR_KUNIT(sp_idle_waits_change);
