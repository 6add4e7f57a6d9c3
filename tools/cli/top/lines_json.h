/* SPDX-License-Identifier: GPL-2.0-only */
/* lines_json: a look of schedprof top as one line of JSON. Functions without state. */
#ifndef CLI_TOP_LINES_JSON_H
#define CLI_TOP_LINES_JSON_H

#include <stdio.h>

#include "live.h"

void top_lines_json(const struct top_live *live, const struct top_rows *rows, int by,
		    uint64_t limit, FILE *out);

#endif
