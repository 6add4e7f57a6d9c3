/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_FILE_ID_H
#define SP_LIB_FILE_ID_H

#include <linux/types.h>

struct file;

/* Linkers make build-ids of 8, 16 or 20 bytes. */
#define SP_BUILD_ID_MAX		20
/* Where one is looked for: at the beginning of the file. Divides every page size. */
#define SP_FILE_HEAD		4096

/* Which file it is: what tells it from another one that has its path later. */
struct sp_file_id {
	u64 inode;
	s64 mtime_ns;
	u32 device;		/* a dev_t; 0: this is no file that can be found */
	u32 generation;		/* of the inode's number, which may be used again */
	u32 build_id_bytes;	/* 0: has none, or it is not known */
	u8 build_id[SP_BUILD_ID_MAX];
};

void sp_file_id(struct file *file, void *scratch, struct sp_file_id *id);
void sp_build_id_in(const u8 *head, struct sp_file_id *id);
u32 sp_file_id_hash(const struct sp_file_id *id);
bool sp_file_id_same(const struct sp_file_id *a, const struct sp_file_id *b);

#endif
