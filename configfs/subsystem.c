// SPDX-License-Identifier: GPL-2.0-only
/*
 * subsystem: /sys/kernel/config/schedprof, its attributes, mkdir and rmdir.
 */
#include <linux/configfs.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "binary_text.h"
#include "control.h"
#include "hook/hook.h"
#include "hook/irq.h"
#include "lib/limits.h"
#include "parse.h"
#include "lib/why.h"
#include "unwind/spaces.h"

static DEFINE_MUTEX(mutex);	/* protects why */
static struct sp_why why;	/* of the last refused write or mkdir; "": none */

/**
 * sp_control_why_lock() - begin something that may be refused
 *
 * Context: process, may sleep.
 * Return: for the reason; until sp_control_why_unlock().
 */
struct sp_why *sp_control_why_lock(void)
{
	mutex_lock(&mutex);
	why.text[0] = '\0';
	return &why;
}

/* Now last_error says what came of it. */
void sp_control_why_unlock(void)
{
	mutex_unlock(&mutex);
}

static ssize_t version_show(struct config_item *item, char *page)
{
	return sysfs_emit(page, "%s\n", THIS_MODULE->version);
}

static ssize_t hook_show(struct config_item *item, char *page)
{
	return sysfs_emit(page, "%s\n", sp_hook_requested());
}

static ssize_t hook_store(struct config_item *item, const char *page,
			  size_t count)
{
	char *text;
	int err;

	sp_control_why_lock();
	err = sp_parse_text((char *)page, count, &text, &why);
	if (!err)
		err = sp_hook_request(text, &why);
	sp_control_why_unlock();
	return err ?: count;
}

static ssize_t hooks_status_show(struct config_item *item, char *page)
{
	struct seq_buf s;

	seq_buf_init(&s, page, SP_SHOW_BYTES);
	sp_hook_status(&s);
	sp_irq_status(&s);
	return seq_buf_used(&s);
}

static ssize_t last_error_show(struct config_item *item, char *page)
{
	ssize_t n;

	mutex_lock(&mutex);
	n = why.text[0] ? sysfs_emit(page, "%s\n", why.text) : 0;
	mutex_unlock(&mutex);
	return n;
}

static ssize_t unwind_status_show(struct config_item *item, char *page)
{
	struct seq_buf s;

	seq_buf_init(&s, page, SP_SHOW_BYTES);
	sp_unwind_tables_status(&s);
	sp_unwind_spaces_status(&s);
	return seq_buf_used(&s);
}

CONFIGFS_ATTR_RO(, version);
CONFIGFS_ATTR(, hook);
CONFIGFS_ATTR_RO(, hooks_status);
CONFIGFS_ATTR_RO(, last_error);
CONFIGFS_ATTR_RO(, unwind_status);

static struct configfs_attribute *attributes[] = {
	&attr_version,
	&attr_hook,
	&attr_hooks_status,
	&attr_last_error,
	&attr_unwind_status,
	NULL
};

/* It is a line in results, and a word in what programs hand on. */
static int check_name_locked(const char *name)
{
	const char *at;

	lockdep_assert_held(&mutex);
	if (strlen(name) >= SP_NAME_LEN)
		return sp_refuse(&why, -ENAMETOOLONG, "the name of a session has at most %d bytes, and this one has %zu; choose a shorter one",
				 SP_NAME_LEN - 1, strlen(name));
	for (at = name; *at; at++)
		if (iscntrl(*at))
			return sp_refuse(&why, -EINVAL, "the name '%*pEhp' has a control character in it; choose one without",
					 min_t(int, strlen(name), 40), name);
	return 0;
}

static struct config_group *make_group(struct config_group *group,
				       const char *name)
{
	struct config_group *made;
	int err;

	sp_control_why_lock();
	err = check_name_locked(name);
	made = err ? ERR_PTR(err) : sp_session_dir_make(name);
	if (made == ERR_PTR(-EINVAL) && !err)
		sp_refuse(&why, -EINVAL, "'%s' is the name of a file of the module's own; choose another one",
			  name);
	sp_control_why_unlock();
	return made;
}

static struct configfs_group_operations operations = {
	.make_group = make_group,
	.drop_item = sp_session_dir_drop,
};

static const struct config_item_type type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &operations,
	.ct_attrs = attributes,
	.ct_bin_attrs = sp_unwind_attributes,
};

static struct configfs_subsystem subsystem = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "schedprof",
			.ci_type = &type,
		},
	},
};

/**
 * sp_control_init() - make the tree
 *
 * Context: process, at load; from its return on, users may write.
 * Return: 0, or what configfs says.
 */
int sp_control_init(void)
{
	config_group_init(&subsystem.su_group);
	mutex_init(&subsystem.su_mutex);
	return configfs_register_subsystem(&subsystem);
}

/* Context: process, at unload: a session would hold the module. */
void sp_control_exit(void)
{
	configfs_unregister_subsystem(&subsystem);
	sp_binary_text_exit();
	mutex_destroy(&subsystem.su_mutex);
}
