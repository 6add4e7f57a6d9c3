/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * results: files of the module in debugfs. No state but that of the kernel.
 */
#ifndef LIBSP_RESULTS_H
#define LIBSP_RESULTS_H

#include "schedprof.h"

int libsp_open_result(const struct schedprof *handle, const char *session,
		      const char *file, char **path, struct schedprof_error *error);

#endif
