// SPDX-License-Identifier: GPL-2.0-only
/*
 * session_dir: a session's directory in configfs, from mkdir to rmdir.
 *
 * At rmdir configfs waits for whoever is in an attribute, and lets nobody in any more, also
 * who has one open: an open file holds no reference to the item. Then drop stops the session,
 * and release, with the last reference, frees it.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "control.h"
#include "report/output.h"
#include "session.h"

struct session_dir {
	struct config_group group;
	struct sp_session *session;
	struct dentry *output;	/* directory of its results */
};

static struct session_dir *to_dir(struct config_item *item)
{
	return container_of(to_config_group(item), struct session_dir, group);
}

/* The session of a directory. Context: process, while the item is held. */
struct sp_session *sp_session_of(struct config_item *item)
{
	return to_dir(item)->session;
}

static void session_dir_release(struct config_item *item)
{
	struct session_dir *dir = to_dir(item);

	sp_session_free(dir->session);
	kfree(dir);
}

static struct configfs_item_operations operations = {
	.release = session_dir_release,
};

static const struct config_item_type type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &operations,
	.ct_attrs = sp_attributes,
};

/**
 * sp_session_dir_make() - mkdir
 * @name: of the directory
 *
 * Context: process, under the subsystem's mutex.
 * Return: the group, or an ERR_PTR() that mkdir fails with.
 */
struct config_group *sp_session_dir_make(const char *name)
{
	struct session_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err = -ENOMEM;

	if (!dir)
		return ERR_PTR(err);
	dir->session = sp_session_create(name, sp_attributes_show_all);
	if (IS_ERR(dir->session)) {
		err = PTR_ERR(dir->session);
		goto err_dir;
	}
	dir->output = sp_output_create(dir->session);
	if (IS_ERR(dir->output)) {
		err = PTR_ERR(dir->output);
		goto err_session;
	}
	config_group_init_type_name(&dir->group, name, &type);
	return &dir->group;

err_session:
	sp_session_free(dir->session);
err_dir:
	kfree(dir);
	return ERR_PTR(err);
}

/**
 * sp_session_dir_drop() - rmdir
 * @group: where the directory is
 * @item: of the directory
 *
 * Context: process, under the subsystem's mutex; waits for readers of the
 * results that are inside a system call, and for a grace period.
 */
void sp_session_dir_drop(struct config_group *group, struct config_item *item)
{
	/* Results vanish first, with no lock held that a reader takes. */
	sp_output_remove(to_dir(item)->output);
	sp_session_drop(sp_session_of(item));
	config_item_put(item);
}
