/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_IMAGE_H
#define SP_IMAGE_H

#include <linux/mutex.h>
#include <linux/types.h>

struct pid;

/* Where a mapping's name came from. */
enum sp_mapping_kind {
	SP_MAPPING_FILE,
	SP_MAPPING_VDSO,
	SP_MAPPING_ANON,
};

/* One executable mapping of a program. */
struct sp_mapping {
	u64 start;
	u64 end;
	u64 offset;		/* of start, in the file */
	u32 path;		/* index of its NUL-terminated name */
	u16 kind;		/* enum sp_mapping_kind */
	u32 next;		/* of the same image; 0 ends */
};

/* One program that a process runs or ran. */
struct sp_image {
	struct pid *tgid;	/* reference */
	u32 exec_id;
	u32 mappings;		/* first of its list, newest first; 0: none */
	u32 next;		/* in its chain of the hash; 0 ends */
};

/*
 * The programs whose user stacks a recording holds, so that they resolve when
 * the process is long gone. Of fixed size; what does not fit is counted.
 */
struct sp_images {
	struct mutex mutex;	/* protects all below, never taken by hooks */
	u32 max_images, max_mappings, max_path_bytes;	/* immutable */
	u32 images_used, mappings_used, path_bytes_used;
	u32 lost;		/* mappings or programs that did not fit */
	u32 missed;		/* programs that were gone before a look */
	struct sp_image *images;
	struct sp_mapping *mappings;
	char *paths;
	u32 *chains;
	u32 mask;
	char *scratch;		/* PATH_MAX, for d_path() */
};

/* What an address in a program means. */
struct sp_resolved {
	enum sp_mapping_kind kind;
	u64 offset;		/* into the file or the mapping */
	const char *path;	/* stays valid as long as the images */
};

u64 sp_images_bytes(u32 tasks);
int sp_images_init(struct sp_images *images, u32 tasks);
void sp_images_destroy(struct sp_images *images);
u32 sp_images_look(struct sp_images *images, struct pid *pid, u32 exec_id);
bool sp_images_resolve(struct sp_images *images, u32 image, u64 address,
		       struct sp_resolved *resolved);

#endif
