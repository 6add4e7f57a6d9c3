/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * merge_books: adding up what is about no stack. What returns false had no memory.
 */
#ifndef LIBSP_MERGE_BOOKS_H
#define LIBSP_MERGE_BOOKS_H

#include "merge_state.h"

uint32_t libsp_merge_cgroup(struct libsp_merge *merge, const char *path);
bool libsp_merge_books(struct libsp_merge *merge,
		       const struct schedprof_recording *recording);
bool libsp_merge_meta(struct libsp_merge *merge,
		      const struct schedprof_recording *recording);
void libsp_merge_meta_text(struct libsp_merge *merge, size_t recordings,
			   struct libsp_buffer *text);

#endif
