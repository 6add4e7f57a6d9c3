/* SPDX-License-Identifier: GPL-2.0-only */
/* A view of a session, taken when a file is opened. Process context. */
#ifndef SP_REPORT_TAKE_H
#define SP_REPORT_TAKE_H

#include "report/view.h"

struct sp_session;

struct sp_view *sp_view_create(struct sp_session *session, enum sp_view_kind kind);
void sp_view_free(struct sp_view *view);

#endif
