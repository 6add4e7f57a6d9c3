// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.17: the unbound work queue's new name; the old one warns later. */
#include <linux/workqueue.h>

bool sp_try(struct work_struct *work)
{
	return queue_work(system_dfl_wq, work);
}
