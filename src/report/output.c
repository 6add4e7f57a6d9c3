// SPDX-License-Identifier: GPL-2.0-only
/*
 * output: the files in debugfs.
 *
 * A file of results fixes its view when it is opened and prints it row by row.
 * debugfs keeps a session's files from being opened or read once they are
 * being removed, and removing waits for whoever is inside; a view that is
 * still open then has a reference to what it needs.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "hook/hook.h"
#include "lib/blob.h"
#include "report/output.h"
#include "lib/readers.h"
#include "report/report.h"
#include "session.h"

/* Names in the module's directory that are not sessions. */
static const char *const reserved[] = { "hooks", "selfcheck" };

static struct dentry *root;

/*
 * Who sleeps in poll() on a file. It is one queue for all, because it has to outlive
 * their sessions: an open file keeps the module.
 */
static DECLARE_WAIT_QUEUE_HEAD(pollers);

/* What an open file has. */
struct reading {
	const struct sp_report *report;
	struct sp_view *view;
	struct sp_blob first;	/* its first row, if the report keeps that */
};

/* What is printed between these two goes into the file's own buffer. */
static void results_begin(struct seq_file *m, struct seq_buf *s)
{
	char *room;
	size_t bytes = seq_get_buf(m, &room);

	seq_buf_init(s, room, bytes);
}

/* If it did not fit, it is asked for again with more room. */
static void results_end(struct seq_file *m, const struct seq_buf *s)
{
	seq_commit(m, s->len <= s->size ? s->len : -1);
}

static void *row_start(struct seq_file *m, loff_t *at)
{
	const struct reading *reading = m->private;
	int err = 0;

	if (*at >= reading->view->rows)
		return NULL;
	if (reading->report->reach)
		err = reading->report->reach(reading->view, *at);
	/* Many rows may print nothing. */
	sp_readers_yield();
	return err ? ERR_PTR(err) : at;
}

static void *row_next(struct seq_file *m, void *row, loff_t *at)
{
	++*at;
	return row_start(m, at);
}

static void row_stop(struct seq_file *m, void *row)
{
}

static int row_show(struct seq_file *m, void *row)
{
	const struct reading *reading = m->private;
	struct seq_buf s;

	if (!*(loff_t *)row && reading->first.used) {
		seq_write(m, reading->first.data, reading->first.used);
		return 0;
	}
	results_begin(m, &s);
	reading->report->show(&s, reading->view, *(loff_t *)row);
	results_end(m, &s);
	return 0;
}

static const struct seq_operations row_operations = {
	.start = row_start,
	.next = row_next,
	.stop = row_stop,
	.show = row_show,
};

static void print_first(struct seq_buf *s, void *data)
{
	const struct reading *reading = data;

	reading->report->show(s, reading->view, 0);
}

static int results_open(struct inode *inode, struct file *file)
{
	/* The file's is what it prints, and that of its directory is whose it is. */
	const struct sp_report *report = inode->i_private;
	struct sp_session *session = d_inode(file->f_path.dentry->d_parent)->i_private;
	struct reading *reading;
	int err;

	reading = __seq_open_private(file, &row_operations, sizeof(*reading));
	if (!reading)
		return -ENOMEM;
	reading->report = report;
	reading->view = sp_view_create(session, report->kind);
	if (IS_ERR(reading->view)) {
		err = PTR_ERR(reading->view);
		goto err_close;
	}
	err = report->prepare(reading->view) ?:
	      sp_names_take(reading->view, report->frames);
	if (!err && report->keeps_first)
		err = sp_blob_print(&reading->first, print_first, reading);
	if (err)
		goto err_free;
	return 0;

err_free:
	sp_blob_free(&reading->first);
	sp_view_free(reading->view);
err_close:
	seq_release_private(inode, file);
	return err;
}

static int results_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct reading *reading = m->private;

	sp_blob_free(&reading->first);
	sp_view_free(reading->view);
	return seq_release_private(inode, file);
}

/* Always ready, until the file is removed: from then on debugfs answers EPOLLHUP instead. */
static __poll_t results_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &pollers, wait);
	return EPOLLIN | EPOLLRDNORM;
}

static const struct file_operations results_operations = {
	.owner = THIS_MODULE,
	.open = results_open,
	.read = seq_read,
	.poll = results_poll,
	.llseek = seq_lseek,
	.release = results_release,
};

static int config_show(struct seq_file *m, void *data)
{
	const struct sp_blob *text = m->private;

	seq_write(m, text->data, text->used);
	return 0;
}

static void print_config(struct seq_buf *s, void *data)
{
	struct sp_session *session = data;

	session->show_config(s, session);
}

static void free_config(struct sp_blob *text)
{
	sp_blob_free(text);
	kfree(text);
}

/* Fixed at open as results are, or a reader in pieces would get parts of two. */
static int config_open(struct inode *inode, struct file *file)
{
	struct sp_blob *text = kzalloc(sizeof(*text), GFP_KERNEL_ACCOUNT);
	struct sp_session *session = inode->i_private;
	int err;

	if (!text)
		return -ENOMEM;
	mutex_lock(&session->mutex);
	err = sp_blob_print(text, print_config, session);
	mutex_unlock(&session->mutex);
	/* With as much room at once, it is printed once. */
	err = err ?: single_open_size(file, config_show, text, text->used + 1);
	if (err)
		free_config(text);
	return err;
}

static int config_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	free_config(m->private);
	return single_release(inode, file);
}

static const struct file_operations config_operations = {
	.owner = THIS_MODULE,
	.open = config_open,
	.read = seq_read,
	.poll = results_poll,
	.llseek = seq_lseek,
	.release = config_release,
};

static int hooks_show(struct seq_file *m, void *data)
{
	struct seq_buf s;

	results_begin(m, &s);
	sp_hook_status(&s);
	sp_hook_counts(&s);
	results_end(m, &s);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(hooks);

static int selfcheck_show(struct seq_file *m, void *data)
{
	struct seq_buf s;

	results_begin(m, &s);
	sp_selfcheck_show(&s);
	results_end(m, &s);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(selfcheck);

/**
 * sp_output_init() - the module's directory
 *
 * Context: process, at load.
 * Return: 0, or what debugfs says; -ENODEV if the kernel has none.
 */
int sp_output_init(void)
{
	struct dentry *file;

	root = debugfs_create_dir("schedprof", NULL);
	/* Fails as its directory did, if that did; so below, too. */
	file = debugfs_create_file("hooks", 0400, root, NULL, &hooks_fops);
	if (!IS_ERR(file))
		file = debugfs_create_file("selfcheck", 0400, root, NULL,
					   &selfcheck_fops);
	if (IS_ERR(file)) {
		debugfs_remove(root);
		return PTR_ERR(file);
	}
	return 0;
}

/* Context: process, at unload: no session is left. */
void sp_output_exit(void)
{
	debugfs_remove(root);
}

/**
 * sp_output_create() - the files of a session
 * @session: outlives them
 *
 * Return: their directory, or ERR_PTR(): -EINVAL for a name that is taken by a file
 * of the module's own, or what debugfs says.
 */
struct dentry *sp_output_create(struct sp_session *session)
{
	struct dentry *dir, *file;
	unsigned int i;

	if (match_string(reserved, ARRAY_SIZE(reserved), session->name) >= 0)
		return ERR_PTR(-EINVAL);
	dir = debugfs_create_dir(session->name, root);
	if (!IS_ERR(dir))
		d_inode(dir)->i_private = session;
	/* Results are what a session is for, so each file has to be there. */
	file = debugfs_create_file("config", 0400, dir, session, &config_operations);
	for (i = 0; i < sp_report_count && !IS_ERR(file); i++)
		file = debugfs_create_file(sp_reports[i].name, 0400, dir,
					   (void *)&sp_reports[i], &results_operations);
	if (IS_ERR(file)) {
		sp_output_remove(dir);
		return file;
	}
	return dir;
}

/**
 * sp_output_remove() - take a session's files away
 * @dir: their directory
 *
 * Waits for whoever is opening or reading one, so no lock that they take may
 * be held. On return nobody reaches the session through them, and who polls an open
 * one was woken, to be told so.
 */
void sp_output_remove(struct dentry *dir)
{
	debugfs_remove(dir);
	wake_up_interruptible_all(&pollers);
}
