/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_COMPACT_H
#define SP_RECORD_COMPACT_H

#include "record/recording.h"

bool sp_compact_wanted(const struct sp_recording *recording);
void sp_compact(struct sp_recording *recording);

#endif
