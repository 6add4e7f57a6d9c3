/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control plane: the tree that users write to.
 */
#ifndef SP_CONTROL_H
#define SP_CONTROL_H

#include <linux/build_bug.h>
#include <linux/configfs.h>
#include <linux/pid.h>

#include <asm/page.h>

#include "lib/print.h"

struct sp_pid_set;
struct sp_session;
struct sp_why;

/*
 * As much as a file in configfs may show, whatever the size of a page is:
 * SIMPLE_ATTR_SIZE in fs/configfs/file.c. More is a warning, and EIO.
 */
#define SP_SHOW_BYTES 4096
static_assert(SP_SHOW_BYTES <= 4096 && SP_SHOW_BYTES <= PAGE_SIZE);

int sp_control_init(void);
void sp_control_exit(void);

/* subsystem.c: last_error of the root, which begins empty. */
struct sp_why *sp_control_why_lock(void);
void sp_control_why_unlock(void);

/* unwind_files.c */
extern struct configfs_bin_attribute *sp_unwind_attributes[];

/* session_dir.c */
struct config_group *sp_session_dir_make(const char *name);
void sp_session_dir_drop(struct config_group *group, struct config_item *item);
struct sp_session *sp_session_of(struct config_item *item);

/* attributes.c */
extern struct configfs_attribute *sp_attributes[];
void sp_attributes_show_all(struct seq_buf *s, struct sp_session *session);

/* function_words.c */
void sp_function_words_show(struct seq_buf *s, const struct sp_session *session);
int sp_function_words_store(struct sp_session *session, const char *text,
			    struct sp_why *why);

/* pid_list.c */
void sp_pid_list_show(struct seq_buf *s, const struct sp_pid_set *set);
int sp_pid_list_store(struct sp_session *session,
		      struct sp_pid_set __rcu **which, enum pid_type type,
		      const char *text, struct sp_why *why);

#endif
