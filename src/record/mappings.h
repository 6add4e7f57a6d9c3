/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_MAPPINGS_H
#define SP_RECORD_MAPPINGS_H

#include <linux/build_bug.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "lib/pool.h"
#include "lib/file_id.h"

struct pid;
struct sp_who;

/* Where a mapping's name came from. */
enum sp_mapping_kind {
	SP_MAPPING_FILE,
	SP_MAPPING_VDSO,
	SP_MAPPING_ANON,
	SP_MAPPING_LOST,	/* its name did not fit; resolves nothing */
};

/* One executable mapping of a program. */
struct sp_mapping {
	u64 start;
	u64 end;
	u64 offset;		/* of start, in the file */
	union {
		u32 path;	/* SP_MAPPING_FILE: where its name is */
		u32 next_free;	/* in the pool */
	};
	u32 kind : 2;		/* enum sp_mapping_kind */
	u32 gone : 1;		/* the last look did not find it any more */
	u32 next : 29;		/* of the same program; 0 ends */
};

/*
 * One program that a process runs or ran. The process is told by its number
 * and the time it started; every exec makes another program of it. Threads
 * share the program: exec ends all but one of them, so those that live together
 * have the same exec_id.
 */
struct sp_program {
	u64 start_time;		/* ns, mono: of the process */
	u64 alive;		/* ns, mono: last time it was seen to exist */
	u64 looked;		/* ns, mono: begin of the last look at what it has mapped */
	pid_t tgid;		/* as the initial PID namespace sees it */
	u32 exec_id;
	u32 mappings;		/* first of its list: what stands, then what is gone; 0: none */
	u32 count;		/* in that list */
	u32 misfits;		/* mappings that the last look had no room for */
	u32 path_bytes;		/* of names that were stored for it, and were needed since */
	u32 next;		/* in its chain of the hash, or of those given back; 0 ends */
	u32 pause_ms : 31;	/* it is not looked at again for so long */
	u32 of_waker : 1;	/* nobody who is recorded runs it */
};

/* What there is room for. */
struct sp_mappings_room {
	u32 programs, mappings, path_bytes;
};

/*
 * Programs with very many mappings are told apart by so many bits. A look at as many as there can
 * be takes some hundredths of the pause behind it, so all of them take some tenths of a processor.
 */
#define SP_CROWD_BITS	3

/*
 * The programs whose user stacks a recording holds, so that they resolve when
 * the process is long gone. Of fixed size; what does not fit is counted.
 *
 * The mutex is taken inside the mmap_lock of a program; inside it, only the raw locks of
 * the pool of programs are.
 */
struct sp_mappings {
	struct mutex mutex;	/* protects all below, never taken by hooks */
	u32 max_programs, max_path_bytes;	/* immutable */
	u32 max_program_path_bytes;	/* the same: of names that one program brings */
	u32 programs_used, path_bytes_used;
	u32 programs_free;	/* first one that was given back; 0: none */
	/* What is left for tasks that are recorded, and for those that only wake them. */
	struct sp_mappings_room left[2];
	struct sp_pool pool;	/* of mappings, but the first, which is none */
	bool hurries;		/* no program has a pause of its own, as no look comes later */
	bool ended;		/* that was the last one that counts */
	u64 impatient_until;	/* see sp_lock_mm(); without the mutex */
	/* ns: until then nobody is looked at who has very many mappings; by memory, READ_ONCE */
	u64 crowded_until[1 << SP_CROWD_BITS];
	u32 naming;		/* what it took to ask for names in the last look */
	u32 lost;		/* mappings, and looks at programs: no room */
	u32 missed;		/* looks that came too late */
	struct sp_program *programs;	/* by number, as mappings; 0 is none */
	struct sp_mapping *mappings;
	char *paths;		/* struct sp_path_entry, one behind the other */
	u32 *program_chains;
	u32 *path_chains;
	u32 program_mask, path_mask;
	u32 seed;
	char *scratch;		/* PATH_MAX, for d_path() */
	char *head;		/* SP_FILE_HEAD, for sp_file_id() */
};

/* A path, and which file had it. A multiple of 8 bytes, as is the room that it takes. */
struct sp_path_entry {
	struct sp_file_id id;
	u32 next;		/* in its chain of the hash; 0 ends */
	u32 moves_to : 31;	/* while names are given back: where its name will be; 0: it goes */
	u32 of_waker : 1;	/* whose room it takes */
	char name[];
};

static_assert(!(sizeof(struct sp_path_entry) % sizeof(u64)));

/* @name: where its name is. Context: any, with the mutex. */
static inline struct sp_path_entry *sp_path_entry(const struct sp_mappings *mappings,
						  u32 name)
{
	return (void *)mappings->paths + name - sizeof(struct sp_path_entry);
}

/* What an address in a program means. */
struct sp_resolved {
	enum sp_mapping_kind kind;
	u64 offset;		/* into the file or the mapping */
	const char *path;	/* SP_MAPPING_FILE; valid until programs are forgotten */
};

/* For how long at most somebody who waits has programs with very many mappings looked at. */
#define SP_EAGER_NS	NSEC_PER_SEC

/* When a program is to be looked at, in ns of CLOCK_MONOTONIC. */
struct sp_look_times {
	/* A look that began then, or later, does as well; U64_MAX: none does. */
	u64 since;
	/* Until then it is not put off because others have very many mappings, too. */
	u64 eager_until;
};

/* What came of a look at a program. */
enum sp_look_result {
	SP_LOOK_DONE,		/* it was looked at, or need not be, or cannot be */
	SP_LOOK_PUT_OFF,	/* it, or another one like it, was just now, and that takes long */
	SP_LOOK_WAITED,		/* its mappings were being changed all the time */
};

u64 sp_mappings_bytes(u32 tasks, bool wakers);
int sp_mappings_init(struct sp_mappings *mappings, u32 tasks, bool wakers);
void sp_mappings_destroy(struct sp_mappings *mappings);
enum sp_look_result sp_mappings_look(struct sp_mappings *mappings, struct pid *pid,
				     const struct sp_who *who, u32 exec_id,
				     const struct sp_look_times *times, u32 *program);
enum sp_look_result sp_mappings_look_at_waker(struct sp_mappings *mappings, struct pid *pid,
					      const struct sp_who *who, u32 exec_id,
					      const struct sp_look_times *times, bool counts);
void sp_mappings_hurry(struct sp_mappings *mappings);
void sp_mappings_end(struct sp_mappings *mappings, u32 left);
void sp_mappings_forget(struct sp_mappings *mappings, const unsigned long *needed);
void sp_mappings_counts(struct sp_mappings *mappings, u32 *missed, u32 *lost);

/* A mapping for programs that read all of them; of a program what stands is first, by address. */
struct sp_mapped {
	u64 start;
	u64 end;
	u64 offset;
	u32 program;
	enum sp_mapping_kind kind;
	const char *path;	/* as in struct sp_resolved */
	u32 file;		/* number of a file; 0: it is not known which one */
};

/* A file that was mapped, for programs that read all of them. */
struct sp_mapped_file {
	u32 number;
	struct sp_file_id id;
};

u32 sp_mappings_find(struct sp_mappings *mappings, pid_t tgid, u32 exec_id,
		     u64 start_time);
int sp_mappings_copy(struct sp_mappings *mappings, const unsigned long *which,
		     struct sp_mapped **copy, u32 *count);
int sp_mappings_files(struct sp_mappings *mappings, const struct sp_mapped *mapped,
		      u32 mapped_count, struct sp_mapped_file **files, u32 *count);

#endif
