/* SPDX-License-Identifier: GPL-2.0-only */
/* Room for new tasks in a recording that is full of dead ones. Runs in its worker. */
#ifndef SP_RECORD_COMPACT_H
#define SP_RECORD_COMPACT_H

#include "record/recording.h"

void sp_compact(struct sp_recording *recording);

#endif
