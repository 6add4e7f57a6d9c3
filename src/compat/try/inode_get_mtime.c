// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.7: times of an inode are read by functions. */
#include <linux/fs.h>

long long sp_try(const struct inode *inode)
{
	return inode_get_mtime(inode).tv_sec;
}
