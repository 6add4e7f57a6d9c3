/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the library share. Nothing of it is visible outside: names
 * begin with sp_, and only what schedprof.h declares is exported.
 */
#ifndef LIBSP_INTERNAL_H
#define LIBSP_INTERNAL_H

#include <stdatomic.h>
#include <string.h>

#include "raw_format.h"
#include "schedprof.h"

#define LIBSP_EXPORT	__attribute__((visibility("default")))
#define LIBSP_PRINTF(a, b)	__attribute__((format(printf, a, b)))

/* error.c */
int libsp_fail(struct schedprof_error *error, int code, const char *format, ...)
	LIBSP_PRINTF(3, 4);
int libsp_fail_errno(struct schedprof_error *error, int code, int number,
		     const char *format, ...) LIBSP_PRINTF(4, 5);
int libsp_fail_at(struct schedprof_error *error, int code, uint64_t offset,
		  const char *format, ...) LIBSP_PRINTF(4, 5);
int libsp_no_memory(struct schedprof_error *error);

/*
 * arena.c: memory that is given back all at once. One thread at a time.
 */
struct libsp_chunk;

struct libsp_arena {
	struct libsp_chunk *chunks;	/* the newest first */
	size_t left;			/* of the newest */
};

void *libsp_arena_get(struct libsp_arena *arena, size_t size);
char *libsp_arena_text(struct libsp_arena *arena, const void *text, size_t length);
void libsp_arena_free(struct libsp_arena *arena);

/*
 * buffer.c: bytes that grow. After a failure to get memory, failed is set, and
 * adding does nothing any more: it is enough to look once, in the end.
 */
struct libsp_buffer {
	unsigned char *at;
	size_t size;
	size_t room;
	bool failed;
};

void *libsp_buffer_grow(struct libsp_buffer *buffer, size_t size);
void libsp_buffer_add(struct libsp_buffer *buffer, const void *bytes, size_t size);
void libsp_buffer_text(struct libsp_buffer *buffer, const char *text);
void libsp_buffer_print(struct libsp_buffer *buffer, const char *format, ...)
	LIBSP_PRINTF(2, 3);
char *libsp_buffer_take(struct libsp_buffer *buffer, size_t *size,
			struct schedprof_error *error);
void libsp_buffer_free(struct libsp_buffer *buffer);

/* files.c */
char *libsp_read_fd(int fd, size_t *size, const char *path,
		    struct schedprof_error *error);
char *libsp_read_file(const char *path, size_t *size, struct schedprof_error *error);
char *libsp_mount_of(const char *type, const char *mounts,
		     struct schedprof_error *error);

struct libsp_meta {
	const char *name;
	const char *value;
};

/* Of an array that is allocated in a recording's arena. */
struct libsp_list {
	void *at;
	size_t count;
};

struct schedprof_recording {
	unsigned char *bytes;		/* of the sequence, as they were read */
	size_t size;
	struct libsp_arena arena;
	const char *schema;
	struct libsp_list meta;		/* struct libsp_meta */
	struct libsp_list symbols;	/* sorted by address */
	struct libsp_list mappings;	/* as they came */
	struct libsp_list files;
	const struct schedprof_mapping **by_image;	/* sorted, stable */
	struct libsp_list stacks;
	struct libsp_list tasks;
	const struct schedprof_task **by_tid;		/* sorted */
	atomic_schar *alive;		/* enum libsp_alive of each task, and then
					 * of the machine that it is from
					 */
	struct libsp_list entries;
	struct libsp_list ledgers;
	struct libsp_list histogram;
	struct libsp_list functions;
	struct libsp_list events;
};

/*
 * What the caller has room for of a struct, which may have grown since the caller was
 * compiled, or not yet have.
 */
static inline void libsp_copy_struct(void *to, size_t room, const void *from, size_t size)
{
	size_t both = room < size ? room : size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, room - both);
}

/* Has the caller's struct, of @size, this member? */
#define LIBSP_HAS(size, type, member)					\
	((size) >= offsetof(type, member) + sizeof(((type *)0)->member))

/* record.c: from bytes to one record after the other. */
struct libsp_record {
	uint32_t kind;
	uint32_t bytes;		/* of the body */
	bool swap;		/* the writer's byte order is not ours */
	const unsigned char *body;
	uint64_t offset;	/* of the header, in the data */
};

#define LIBSP_HEADER	sizeof(struct sp_raw_record)

uint32_t libsp_u32(const struct libsp_record *record, size_t offset);
uint64_t libsp_u64(const struct libsp_record *record, size_t offset);
size_t libsp_padded(uint32_t bytes);
int libsp_record_order(const unsigned char *header, size_t size, uint64_t offset,
		       bool *swap, struct schedprof_error *error);
int libsp_record_header(struct libsp_record *record, const unsigned char *header,
			struct schedprof_error *error);
int libsp_record_check(struct libsp_record *record, const unsigned char *header,
		       struct schedprof_error *error);
int libsp_record_begin(const struct libsp_record *record, struct schedprof_error *error);

/* parse.c: from the bytes of a whole sequence to a recording. */
struct schedprof_recording *libsp_parse(unsigned char *bytes, size_t size,
					uint64_t offset,
					struct schedprof_error *error);

/* symbolize.c */
int libsp_symbolize_mapping(struct schedprof_symbolizer *symbolizer, int pid,
			    const struct schedprof_mapping *mapping, uint64_t offset,
			    struct schedprof_place *place);

/* frame.c: those of a caller whose struct may be shorter or longer. */
const struct schedprof_kernel *libsp_names_kernel(const struct schedprof_names *names);
struct schedprof_symbolizer *libsp_names_user(const struct schedprof_names *names);
const struct schedprof_task *libsp_find_task(const struct schedprof_recording *recording,
					     int32_t tid, uint64_t start_ns,
					     uint32_t exec_id);
const struct schedprof_mapping *
libsp_mapping_at(const struct schedprof_recording *recording, uint32_t image,
		 uint64_t address);

/* group.c: who has a row, if several share one. */
struct libsp_who {
	const char *comm;
	int32_t tid;		/* 0: not one */
	int32_t tgid;
	uint32_t special;	/* SCHEDPROF_TASK_FOLDED or _LOST: nobody's */
};

void libsp_who_of(const struct schedprof_task *task, int by, struct libsp_who *who);

/* frame_text.c */
void libsp_put_stacks(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_names *names);

/* alive.c */
enum libsp_alive {
	LIBSP_ALIVE_UNKNOWN = 0,
	LIBSP_ALIVE_NO,
	LIBSP_ALIVE_YES,
};

int libsp_living_pid(const struct schedprof_recording *recording,
		     const struct schedprof_task *task);

#endif
