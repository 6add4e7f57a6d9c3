/* SPDX-License-Identifier: GPL-2.0-only */
/* Since 6.7 an inode's time of modification is asked for. */
#include_next <linux/fs.h>

#ifndef FACT_INODE_GET_MTIME
#define FACT_INODE_GET_MTIME

static inline struct timespec64 inode_get_mtime(const struct inode *inode)
{
	return inode->i_mtime;
}

#endif
