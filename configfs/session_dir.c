// SPDX-License-Identifier: GPL-2.0-only
/*
 * session_dir: a session's directory in configfs, from mkdir to rmdir.
 *
 * The item's reference count decides when the memory goes: files that are
 * open at rmdir hold one. drop stops the session, release frees it.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "control.h"
#include "session.h"

struct session_dir {
	struct config_group group;
	struct sp_session *session;
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

static void release(struct config_item *item)
{
	struct session_dir *dir = to_dir(item);

	sp_session_free(dir->session);
	kfree(dir);
}

static struct configfs_item_operations operations = {
	.release = release,
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

	if (!dir)
		return ERR_PTR(-ENOMEM);
	dir->session = sp_session_create(name, sp_attributes_show_all);
	if (IS_ERR(dir->session)) {
		int err = PTR_ERR(dir->session);

		kfree(dir);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&dir->group, name, &type);
	return &dir->group;
}

/**
 * sp_session_dir_drop() - rmdir
 * @item: of the directory
 *
 * Context: process, under the subsystem's mutex; waits for readers of the
 * results that are inside a system call, and for a grace period.
 */
void sp_session_dir_drop(struct config_item *item)
{
	sp_session_drop(sp_session_of(item));
	config_item_put(item);
}
