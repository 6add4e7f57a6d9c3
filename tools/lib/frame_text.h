/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * frame_text: how frames and stacks read. Pure functions.
 */
#ifndef LIBSP_FRAME_TEXT_H
#define LIBSP_FRAME_TEXT_H

#include "buffer.h"

void libsp_put_stacks(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_names *names);

#endif
