/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the library share. Nothing of it is visible outside: names
 * begin with sp_, and only what schedprof.h declares is exported.
 */
#ifndef SP_INTERNAL_H
#define SP_INTERNAL_H

#include <stdatomic.h>
#include <string.h>

#include "raw_format.h"
#include "schedprof.h"

#define SP_EXPORT	__attribute__((visibility("default")))
#define SP_PRINTF(a, b)	__attribute__((format(printf, a, b)))

/* error.c */
int sp_fail(struct schedprof_error *error, int code, const char *format, ...)
	SP_PRINTF(3, 4);
int sp_fail_errno(struct schedprof_error *error, int code, int number,
		  const char *format, ...) SP_PRINTF(4, 5);
int sp_fail_at(struct schedprof_error *error, int code, uint64_t offset,
	       const char *format, ...) SP_PRINTF(4, 5);
int sp_no_memory(struct schedprof_error *error);

/*
 * arena.c: memory that is given back all at once. One thread at a time.
 */
struct sp_chunk;

struct sp_arena {
	struct sp_chunk *chunks;	/* the newest first */
	size_t left;			/* of the newest */
};

void *sp_arena_get(struct sp_arena *arena, size_t size);
char *sp_arena_text(struct sp_arena *arena, const void *text, size_t length);
void sp_arena_free(struct sp_arena *arena);

/*
 * buffer.c: bytes that grow. After a failure to get memory, failed is set, and
 * adding does nothing any more: it is enough to look once, in the end.
 */
struct sp_buffer {
	unsigned char *at;
	size_t size;
	size_t room;
	bool failed;
};

void *sp_buffer_grow(struct sp_buffer *buffer, size_t size);
void sp_buffer_add(struct sp_buffer *buffer, const void *bytes, size_t size);
void sp_buffer_text(struct sp_buffer *buffer, const char *text);
void sp_buffer_print(struct sp_buffer *buffer, const char *format, ...)
	SP_PRINTF(2, 3);
char *sp_buffer_take(struct sp_buffer *buffer, size_t *size,
		     struct schedprof_error *error);
void sp_buffer_free(struct sp_buffer *buffer);

/* files.c */
char *sp_read_fd(int fd, size_t *size, const char *path,
		 struct schedprof_error *error);
char *sp_read_file(const char *path, size_t *size, struct schedprof_error *error);
char *sp_mount_of(const char *type, const char *mounts,
		  struct schedprof_error *error);

struct sp_meta {
	const char *name;
	const char *value;
};

/* Of an array that is allocated in a recording's arena. */
struct sp_list {
	void *at;
	size_t count;
};

struct schedprof_recording {
	unsigned char *bytes;		/* of the sequence, as they were read */
	size_t size;
	struct sp_arena arena;
	const char *schema;
	struct sp_list meta;		/* struct sp_meta */
	struct sp_list symbols;		/* sorted by address */
	struct sp_list mappings;	/* as they came */
	struct sp_list files;
	const struct schedprof_mapping **by_image;	/* sorted, stable */
	struct sp_list stacks;
	struct sp_list tasks;
	const struct schedprof_task **by_tid;		/* sorted */
	atomic_schar *alive;		/* enum sp_alive of each task, and then
					 * of the machine that it is from
					 */
	struct sp_list entries;
	struct sp_list ledgers;
	struct sp_list histogram;
	struct sp_list functions;
	struct sp_list events;
};

/*
 * What the caller has room for of a struct, which may have grown since the caller was
 * compiled, or not yet have.
 */
static inline void sp_copy_struct(void *to, size_t room, const void *from, size_t size)
{
	size_t both = room < size ? room : size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, room - both);
}

/* Has the caller's struct, of @size, this member? */
#define SP_HAS(size, type, member)					\
	((size) >= offsetof(type, member) + sizeof(((type *)0)->member))

/* record.c: from bytes to one record after the other. */
struct sp_record {
	uint32_t kind;
	uint32_t bytes;		/* of the body */
	bool swap;		/* the writer's byte order is not ours */
	const unsigned char *body;
	uint64_t offset;	/* of the header, in the data */
};

#define SP_HEADER	sizeof(struct sp_raw_record)

uint32_t sp_u32(const struct sp_record *record, size_t offset);
uint64_t sp_u64(const struct sp_record *record, size_t offset);
size_t sp_padded(uint32_t bytes);
int sp_record_order(const unsigned char *header, size_t size, uint64_t offset,
		    bool *swap, struct schedprof_error *error);
int sp_record_header(struct sp_record *record, const unsigned char *header,
		     struct schedprof_error *error);
int sp_record_check(struct sp_record *record, const unsigned char *header,
		    struct schedprof_error *error);
int sp_record_begin(const struct sp_record *record, struct schedprof_error *error);

/* parse.c: from the bytes of a whole sequence to a recording. */
struct schedprof_recording *sp_parse(unsigned char *bytes, size_t size,
				     uint64_t offset,
				     struct schedprof_error *error);

/* symbolize.c */
int sp_symbolize_mapping(struct schedprof_symbolizer *symbolizer, int pid,
			 const struct schedprof_mapping *mapping, uint64_t offset,
			 struct schedprof_place *place);

/* frame.c: those of a caller whose struct may be shorter or longer. */
const struct schedprof_kernel *sp_names_kernel(const struct schedprof_names *names);
struct schedprof_symbolizer *sp_names_user(const struct schedprof_names *names);
const struct schedprof_task *sp_find_task(const struct schedprof_recording *recording,
					  int32_t tid, uint64_t start_ns,
					  uint32_t exec_id);
const struct schedprof_mapping *
sp_mapping_at(const struct schedprof_recording *recording, uint32_t image,
	      uint64_t address);

/* group.c: who has a row, if several share one. */
struct sp_who {
	const char *comm;
	int32_t tid;		/* 0: not one */
	int32_t tgid;
	uint32_t special;	/* SCHEDPROF_TASK_FOLDED or _LOST: nobody's */
};

void sp_who_of(const struct schedprof_task *task, int by, struct sp_who *who);

/* frame_text.c */
void sp_put_stacks(struct sp_buffer *buffer,
		   const struct schedprof_recording *recording,
		   const struct schedprof_entry *entry,
		   const struct schedprof_names *names);

/* alive.c */
enum sp_alive {
	SP_ALIVE_UNKNOWN = 0,
	SP_ALIVE_NO,
	SP_ALIVE_YES,
};

int sp_living_pid(const struct schedprof_recording *recording,
		  const struct schedprof_task *task);

#endif
