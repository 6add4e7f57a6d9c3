/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_NAMES_H
#define SP_REPORT_NAMES_H

#include "lib/blob.h"
#include "record/mappings.h"

struct sp_report_entry;
struct sp_view;

/* How kernel frames are named. */
enum sp_frames {
	SP_FRAMES_NONE,			/* not at all */
	SP_FRAMES_SYMBOLS,		/* for people: sp_text_symbol() */
	SP_FRAMES_FUNCTIONS,		/* in folded stacks: sp_text_function() */
};

/*
 * What the frames of a view are called, as it was when it was opened: modules come
 * and go, and programs map other files. Owned by the view.
 */
struct sp_names {
	struct sp_blob addresses;	/* u64, of kernel frames, ascending */
	struct sp_blob ends;		/* u32: where each one's name ends, in text */
	struct sp_blob text;
	struct sp_mapped *mappings;	/* by program */
	u32 mapping_count;
};

int sp_names_add(struct sp_names *names, u64 address);
int sp_names_print(struct sp_names *names,
		   void (*print)(struct seq_buf *s, const struct sp_view *view,
				 unsigned long address),
		   const struct sp_view *view);
void sp_names_symbol(struct seq_buf *s, const struct sp_view *view, unsigned long address);
u32 sp_names_number(const struct sp_names *names, u64 address);
const char *sp_names_of(const struct sp_names *names, u32 number, u32 *bytes);
bool sp_names_resolve(const struct sp_names *names, u32 program, u64 address,
		      struct sp_resolved *resolved);
int sp_names_take(struct sp_view *view, enum sp_frames frames);
void sp_names_free(struct sp_names *names);

/* How many there are. */
static inline u32 sp_names_count(const struct sp_names *names)
{
	return names->ends.used / sizeof(u32);
}

#endif
