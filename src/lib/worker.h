/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_WORKER_H
#define SP_LIB_WORKER_H

int sp_in_worker(int (*function)(void *data), void *data);

#endif
