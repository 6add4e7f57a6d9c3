/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_BLOB_H
#define SP_LIB_BLOB_H

#include <linux/types.h>

#include "lib/print.h"

/* Bytes one after the other, as many as there is memory for. Owned by one user. */
struct sp_blob {
	char *data;		/* NULL as long as it is empty */
	size_t used;
	size_t room;
};

int sp_blob_grow(struct sp_blob *blob, size_t bytes);
int sp_blob_add(struct sp_blob *blob, const void *data, size_t bytes);
void sp_blob_free(struct sp_blob *blob);
int sp_blob_print(struct sp_blob *blob,
		  void (*print)(struct seq_buf *s, void *data), void *data);

#endif
