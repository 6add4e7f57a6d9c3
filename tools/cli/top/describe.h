/* SPDX-License-Identifier: GPL-2.0-only */
/* describe: what is shown, in words. Functions without state. */
#ifndef CLI_TOP_DESCRIBE_H
#define CLI_TOP_DESCRIBE_H

#include "line.h"
#include "model.h"

void top_describe(const struct top_view *view, unsigned int first, const struct top_rows *rows,
		  struct top_line *line);
void top_describe_scopes(const struct top_view *view, unsigned int first,
			 struct top_line *line);

#endif
