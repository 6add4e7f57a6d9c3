/* SPDX-License-Identifier: GPL-2.0-only */
/* batch: schedprof top without a screen: a table each time. One thread. */
#ifndef CLI_TOP_BATCH_H
#define CLI_TOP_BATCH_H

#include "live.h"

int top_batch(struct top_live *live, struct top_view *view, const struct cli_options *o);

#endif
