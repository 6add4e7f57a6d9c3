/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * An unwind table: where the caller of each instruction of a file is found on the stack, so
 * that programs without frame pointers can be unwound. libschedprof makes it from
 * .eh_frame or .debug_frame, the attribute unwind_table takes it; this is the only
 * description of it.
 *
 * Code that a process generates has no file. What it tells of that code makes a table, too:
 * one for each 4 GB of its addresses that have some, and for that process alone.
 *
 * It is a struct sp_unwind_header and its rows, sorted by offset. A row holds from its offset
 * up to that of the next one, the last one to the end of the file; before the first one
 * there is none. Numbers are in the machine's byte order.
 *
 * A caller's stack pointer (in DWARF's words: the CFA) is found by the row's rule. The return
 * address is in the word below it. The caller's frame pointer is the callee's, or lies
 * sp_unwind_saved() words below it.
 */
#ifndef SP_UNWIND_TABLE_FORMAT_H
#define SP_UNWIND_TABLE_FORMAT_H

#include <linux/types.h>

#define SP_UNWIND_MAGIC		"spunwind"	/* eight bytes, no NUL */
#define SP_UNWIND_VERSION	1
/* No table is longer: two million rows. */
#define SP_UNWIND_MAX_BYTES	16777216
#define SP_UNWIND_BUILD_ID_MAX	20

/* What the table is of the kernel's vdso, whose offsets are from its start. */
#define SP_UNWIND_VDSO		0x1
/* It is of generated code: a struct sp_unwind_process is in the place of the build-id. */
#define SP_UNWIND_PROCESS	0x2
/*
 * Nobody but root can have made the file: whoever builds another one chooses its build-id, so
 * a table of that kind takes the place of one that is not.
 */
#define SP_UNWIND_OF_ROOT	0x4

/*
 * Whose generated code it is, and where. In lists it is "process-PID-START-WINDOW", with the
 * window in hexadecimal.
 */
struct sp_unwind_process {
	__u64 start;		/* when it began, as /proc/PID/stat tells it */
	__u32 pid;		/* as whoever writes the table sees it */
	__u32 window;		/* offsets are from address window << 32 on */
};

#define SP_UNWIND_PROCESS_FORMAT	"process-%u-%llu-%x"
/* The longest of them, with a NUL. */
#define SP_UNWIND_NAME_ROOM		64

struct sp_unwind_header {
	char magic[8];
	__u32 version;
	__u32 bytes;		/* of all of it */
	__u32 crc;		/* zlib's crc32() of all that follows this number */
	__u16 machine;		/* EM_X86_64 */
	__u16 flags;		/* SP_UNWIND_VDSO or SP_UNWIND_PROCESS; SP_UNWIND_OF_ROOT */
	__u32 rows;
	__u32 build_id_bytes;	/* 1 to SP_UNWIND_BUILD_ID_MAX */
	__u8 build_id[SP_UNWIND_BUILD_ID_MAX];	/* the rest is 0 */
	__u32 reserved;		/* 0 */
};

enum sp_unwind_kind {
	SP_UNWIND_NONE	= 0,	/* there is no rule: a walk ends here, and says so */
	SP_UNWIND_OUTERMOST = 1, /* nobody called this: a walk is complete here */
	SP_UNWIND_SP	= 2,	/* the stack pointer and cfa words */
	SP_UNWIND_FP	= 3,	/* the frame pointer and cfa words */
	/*
	 * A stub of the procedure linkage table: the stack pointer and cfa words, and one
	 * word more from that byte of 16 on that sp_unwind_saved() is; the frame pointer is
	 * the caller's.
	 */
	SP_UNWIND_PLT	= 4,
	/* The kernel called a handler of a signal: all registers lie at the stack pointer. */
	SP_UNWIND_SIGNAL = 5,
	/* Generated code of which nothing was told: as if there were no table. */
	SP_UNWIND_UNTOLD = 6,
};

struct sp_unwind_row {
	__u32 offset;		/* of an instruction, in the file or the window */
	__u16 cfa;		/* words, of 8 bytes */
	__u16 rule;		/* see below */
};

#define SP_UNWIND_KIND_BITS	3
#define SP_UNWIND_MAX_SAVED	8191

static inline enum sp_unwind_kind sp_unwind_kind(const struct sp_unwind_row *row)
{
	return (enum sp_unwind_kind)(row->rule & ((1 << SP_UNWIND_KIND_BITS) - 1));
}

static inline unsigned int sp_unwind_saved(const struct sp_unwind_row *row)
{
	return row->rule >> SP_UNWIND_KIND_BITS;
}

static inline __u16 sp_unwind_rule(enum sp_unwind_kind kind, unsigned int saved)
{
	return (__u16)((unsigned int)kind | saved << SP_UNWIND_KIND_BITS);
}

/* Is it a rule that this version knows? Whoever reads a table asks, be it his own. */
static inline int sp_unwind_row_is_known(const struct sp_unwind_row *row)
{
	switch (sp_unwind_kind(row)) {
	case SP_UNWIND_NONE:
	case SP_UNWIND_OUTERMOST:
	case SP_UNWIND_SIGNAL:
	case SP_UNWIND_UNTOLD:
		return !row->cfa && !sp_unwind_saved(row);
	case SP_UNWIND_SP:
	case SP_UNWIND_FP:
		/* The return address is the first word below. */
		return row->cfa && sp_unwind_saved(row) != 1;
	case SP_UNWIND_PLT:
		return row->cfa && sp_unwind_saved(row) < 16;
	default:
		return 0;
	}
}

#endif
