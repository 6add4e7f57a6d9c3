// SPDX-License-Identifier: GPL-2.0-only
/*
 * binary_text: a text as the content of a binary attribute, of which there may be more than
 * a page.
 *
 * configfs asks twice, one call right after the other: without a buffer, how much there is;
 * then for as many bytes. The text may have grown in between, by a digit or by a line, and
 * would lose its end. So the first call makes the text, and the second one takes it.
 *
 * Locked by one mutex, which is not held while a text is made. Process context.
 */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "binary_text.h"
#include "lib/blob.h"
#include "lib/export.h"

/* Of whoever does not come for the second time, as configfs had no memory for it. */
#define MAX_AGE	(60 * HZ)

struct made_text {
	struct list_head link;
	const struct task_struct *reader;	/* compared only */
	unsigned long when;			/* jiffies */
	struct sp_blob text;
};

static DEFINE_MUTEX(mutex);
static LIST_HEAD(made_texts);	/* protected by the mutex */

static void free_text(struct made_text *made)
{
	sp_blob_free(&made->text);
	kfree(made);
}

/* What the reader's first call made, or NULL; texts that nobody took go. */
static struct made_text *take_text(const struct task_struct *reader)
{
	struct made_text *made, *next, *found = NULL;

	mutex_lock(&mutex);
	list_for_each_entry_safe(made, next, &made_texts, link) {
		if (made->reader != reader && time_before(jiffies, made->when + MAX_AGE))
			continue;
		list_del(&made->link);
		if (made->reader == reader)
			found = made;
		else
			free_text(made);
	}
	mutex_unlock(&mutex);
	return found;
}

/* Return: how many bytes the second call gets, or -ENOMEM. */
static ssize_t make_text(void (*show)(struct seq_buf *s, void *unused))
{
	struct made_text *made = take_text(current);
	ssize_t n;

	/* One that was not taken, or of a task that was at this address before. */
	if (made)
		free_text(made);
	made = kzalloc(sizeof(*made), GFP_KERNEL);
	if (!made)
		return -ENOMEM;
	n = sp_blob_print(&made->text, show, NULL) ?: made->text.used;
	if (n <= 0) {
		free_text(made);
		return n;
	}
	made->reader = current;
	made->when = jiffies;
	mutex_lock(&mutex);
	list_add(&made->link, &made_texts);
	mutex_unlock(&mutex);
	return n;
}

/**
 * sp_binary_text_read() - for configfs_bin_attribute.read
 * @show: prints the text
 * @to: NULL in the first call, or where the text goes
 * @room: what the first call returned
 *
 * Context: process, may sleep; both calls are of one task.
 * Return: the bytes of the text; -ENOMEM; -EAGAIN: the first call is too long ago.
 */
ssize_t sp_binary_text_read(void (*show)(struct seq_buf *s, void *unused), char *to, size_t room)
{
	struct made_text *made;
	ssize_t n;

	if (!to)
		return make_text(show);
	made = take_text(current);
	if (!made)
		return -EAGAIN;
	n = made->text.used == room ? room : -EAGAIN;
	if (n > 0)
		memcpy(to, made->text.data, room);
	free_text(made);
	return n;
}
SP_EXPORT_FOR_KUNIT(sp_binary_text_read);

/* Context: at unload, when nobody reads any more. */
void sp_binary_text_exit(void)
{
	struct made_text *made, *next;

	list_for_each_entry_safe(made, next, &made_texts, link) {
		list_del(&made->link);
		free_text(made);
	}
}
