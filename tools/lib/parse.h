/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * parse: from the bytes of a whole sequence of records to a recording. No state.
 */
#ifndef LIBSP_PARSE_H
#define LIBSP_PARSE_H

#include "schedprof.h"

struct schedprof_recording *libsp_parse(unsigned char *bytes, size_t size,
					uint64_t offset,
					struct schedprof_error *error);

#endif
