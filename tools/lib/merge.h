/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * merge: several recordings become one. No state.
 */
#ifndef LIBSP_MERGE_H
#define LIBSP_MERGE_H

#include "schedprof.h"

int libsp_check_units(const struct schedprof_recording *a,
		      const struct schedprof_recording *b, int by,
		      struct schedprof_error *error);

#endif
