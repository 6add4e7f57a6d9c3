/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * control: the handle, by which the module is controlled. It does not change once it
 * is open, so nothing is locked.
 */
#ifndef LIBSP_CONTROL_H
#define LIBSP_CONTROL_H

#include "schedprof.h"

struct schedprof {
	char *configfs;		/* path of the directory of the module */
	char *debugfs;		/* the same */
};

int libsp_file_path(const char *directory, const char *session, const char *file,
		    const char *what, char **path, struct schedprof_error *error);
bool libsp_fail_why(const struct schedprof *handle, const char *session, int code,
		    int number, struct schedprof_error *error);
int libsp_check_session(const struct schedprof *handle, const char *session,
			struct schedprof_error *error);

#endif
