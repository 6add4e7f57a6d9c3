/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * symbolize: names of user frames. A symbolizer has a mutex of its own.
 */
#ifndef LIBSP_SYMBOLIZE_H
#define LIBSP_SYMBOLIZE_H

#include "find_generated.h"
#include "generated.h"
#include "schedprof.h"

int libsp_symbolize_generated(struct schedprof_symbolizer *symbolizer,
			      struct libsp_generator *generator, uint64_t address,
			      uint64_t time, struct libsp_generated_place *place);
int libsp_symbolize_mapping(struct schedprof_symbolizer *symbolizer, int pid,
			    const struct schedprof_mapping *mapping, uint64_t offset,
			    struct schedprof_place *place);

#endif
