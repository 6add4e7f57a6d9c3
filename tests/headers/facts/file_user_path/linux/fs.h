/* SPDX-License-Identifier: GPL-2.0-only */
/* Since 6.8 a file of an overlay tells the path that its user knows. */
#include_next <linux/fs.h>

#ifndef FACT_FILE_USER_PATH
#define FACT_FILE_USER_PATH

static inline const struct path *file_user_path(struct file *file)
{
	return &file->f_path;
}

#endif
