/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files that talk to the module share: the handle, and what is said of
 * names that are wrong.
 */
#ifndef LIBSP_CONTROL_H
#define LIBSP_CONTROL_H

#include "internal.h"

/* Immutable once it is open. */
struct schedprof {
	char *configfs;
	char *debugfs;
};

int libsp_check_name(const char *name, const char *what, struct schedprof_error *error);
int libsp_check_session(const struct schedprof *handle, const char *session,
			struct schedprof_error *error);
int libsp_no_session(const char *session, struct schedprof_error *error);
int libsp_open_result(const struct schedprof *handle, const char *session,
		      const char *file, char **path, struct schedprof_error *error);

#endif
