/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pieces: which mapping of a program is at an address. They do not change once they are
 * made, so nothing is locked.
 */
#ifndef LIBSP_PIECES_H
#define LIBSP_PIECES_H

#include "recording.h"

int libsp_pieces_make(struct schedprof_recording *recording, struct schedprof_error *error);
const struct schedprof_mapping *
libsp_piece_find(const struct schedprof_recording *recording, uint32_t image,
		 uint64_t address);

#endif
