// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * jitdump: reads files jit-PID.dump, in which programs that generate code tell what they
 * put where, when, of which lines of source it is, and how it is unwound.
 * linux/tools/perf has the format, in Documentation/jitdump-specification.txt.
 *
 * The code itself is in the file, too, and stepped over. The program may be writing just
 * now, and some write whole pages only: what is not whole at the end is left out. State is
 * that of a reading, which one thread does; nothing is locked.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitdump.h"

#define MAGIC		0x4a695444	/* "JiTD" as a number */
#define ARCH_TIMESTAMP	1		/* of the flags: times are cycles */
/* No description of a function is longer, nor are its lines. */
#define MAX_RECORD	((size_t)16 << 20)
/* Nor is it more that tells how one is unwound. */
#define MAX_FRAMES	((size_t)1 << 20)
/* Nor are all lines, nor all of these, which may be holes of a file that takes no room. */
#define MAX_ALL_INFOS	((uint64_t)256 << 20)
/* Of all kinds. */
#define MAX_RECORDS	(4 * LIBSP_MAX_CODE)
/* What V8 counts before the code, as if it were in an ELF file already. */
#define ELF_HEADER	64
#define MACHINE_X86_64	62

enum record_id {
	CODE_LOAD	= 0,
	CODE_MOVE	= 1,
	DEBUG_INFO	= 2,
	CODE_CLOSE	= 3,
	UNWINDING_INFO	= 4,
};

struct file_header {
	uint32_t magic;
	uint32_t version;
	uint32_t total_size;
	uint32_t elf_machine;
	uint32_t reserved;
	uint32_t pid;
	uint64_t timestamp;
	uint64_t flags;
};

struct record_header {
	uint32_t id;
	uint32_t total_size;	/* with this header */
	uint64_t timestamp;
};

/* What follows the header of a record; a name, and code, after that. */
struct code_load {
	uint32_t pid;
	uint32_t tid;
	uint64_t vma;
	uint64_t address;
	uint64_t size;
	uint64_t index;
};

struct code_move {
	uint32_t pid;
	uint32_t tid;
	uint64_t vma;
	uint64_t from;
	uint64_t to;
	uint64_t size;
	uint64_t index;
};

/* Of the function that is loaded next; so many entries follow, each with a name. */
struct debug_info {
	uint64_t address;
	uint64_t count;
};

struct debug_entry {
	uint64_t address;
	uint32_t line;
	uint32_t discriminator;
};

/*
 * Of the function that is loaded next: .eh_frame, and .eh_frame_hdr behind it. The one is as
 * if it were behind the code, at the next multiple of eight bytes.
 */
struct unwinding_info {
	uint64_t size;		/* of both */
	uint64_t hdr_size;
	uint64_t mapped_size;
};

/* A function by the number that the program gave to it. */
struct loaded {
	uint64_t index;
	struct libsp_code code;
};

struct reading {
	int fd;
	bool swap;		/* the other byte order */
	bool timed;
	bool failed;		/* something of it could not be read */
	bool whole;		/* all records were taken */
	uint32_t machine;	/* EM_... */
	uint64_t at;		/* in the file */
	uint64_t time;		/* of the last record */
	uint32_t records;
	struct libsp_code_table *table;
	void *by_index;		/* tree of struct loaded */
	/* The lines of the function that is loaded next. */
	const struct libsp_code_line *lines;
	size_t line_count;
	uint64_t lines_address;
	bool unwinds;		/* frames are wanted, and no names */
	bool framed;		/* frames are of the function that is loaded next */
	const unsigned char *frames;
	size_t frames_size;
	uint64_t infos_read;	/* bytes of all records that tell of lines or frames */
	struct libsp_buffer room;	/* of a record, without its header */
	size_t size;		/* of what was read of it */
};

static uint64_t number8(const struct reading *reading, uint64_t number)
{
	return reading->swap ? __builtin_bswap64(number) : number;
}

static uint32_t number4(const struct reading *reading, uint32_t number)
{
	return reading->swap ? __builtin_bswap32(number) : number;
}

/* Return: how many bytes are there, @size at most. */
static size_t get_bytes(struct reading *reading, uint64_t at, void *to, size_t size)
{
	size_t all = 0;
	ssize_t got;

	while (all < size) {
		do
			got = at > INT64_MAX - size ? -1 :
			      pread(reading->fd, (char *)to + all, size - all,
				    (off_t)(at + all));
		while (got < 0 && errno == EINTR);
		reading->failed |= got < 0;
		if (got <= 0)
			break;
		all += (size_t)got;
	}
	return all;
}

static const char *body_of(const struct reading *reading)
{
	return (const char *)reading->room.at;
}

/* Reads what is wanted of a record, as far as it is there. Return: false if no memory. */
static bool read_body(struct reading *reading, uint64_t at, size_t wanted)
{
	if (wanted > reading->room.size &&
	    !libsp_buffer_grow(&reading->room, wanted - reading->room.size))
		return false;
	reading->size = get_bytes(reading, at, reading->room.at, wanted);
	return true;
}

static bool take_header(struct reading *reading)
{
	struct file_header header;

	if (get_bytes(reading, 0, &header, sizeof(header)) < sizeof(header))
		return false;
	reading->swap = header.magic == __builtin_bswap32(MAGIC);
	if ((header.magic != MAGIC && !reading->swap) ||
	    number4(reading, header.version) != 1 ||
	    number4(reading, header.total_size) < sizeof(header))
		return false;
	reading->timed = !(number8(reading, header.flags) & ARCH_TIMESTAMP);
	reading->machine = number4(reading, header.elf_machine);
	reading->at = number4(reading, header.total_size);
	return true;
}

static int by_index(const void *a, const void *b)
{
	const struct loaded *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

/* Return: false if there is no room for more. */
static bool note_index(struct reading *reading, uint64_t index,
		       const struct libsp_code *code)
{
	struct loaded key = { .index = index }, **old, *loaded;

	old = tfind(&key, &reading->by_index, by_index);
	loaded = old ? *old : libsp_code_room(reading->table, sizeof(*loaded));
	if (!loaded)
		return false;
	loaded->index = index;
	loaded->code = *code;
	return old || tsearch(loaded, &reading->by_index, by_index);
}

/*
 * The lines of a function, if they are believable: Node.js 20 writes what happened to be in
 * memory, and others of V8's descent count from elsewhere.
 */
static void take_lines_of(struct reading *reading, struct libsp_code *code)
{
	const struct libsp_code_line *lines = reading->lines;
	size_t n = reading->line_count;

	reading->line_count = 0;
	if (!n || reading->lines_address != code->start || lines[0].address < code->start ||
	    lines[0].address - code->start >= ELF_HEADER || lines[n - 1].address > code->end)
		return;
	code->lines = lines;
	code->line_count = n;
	code->lines_start = code->start;
}

/* Each of these takes a record: false if there is no room for more. */
static bool take_load(struct reading *reading, uint64_t time)
{
	struct libsp_code code = { .time = time };
	const char *name;
	struct code_load load;
	uint64_t size;

	if (reading->size <= sizeof(load))
		return true;
	/* Of the last one, the program may have written the name, and not all of the code. */
	name = body_of(reading) + sizeof(load);
	if (reading->size - sizeof(load) < LIBSP_MAX_CODE_NAME &&
	    !memchr(name, '\0', reading->size - sizeof(load)))
		return true;
	memcpy(&load, body_of(reading), sizeof(load));
	code.start = number8(reading, load.address);
	size = number8(reading, load.size);
	if (size > UINT64_MAX - code.start)
		return true;
	code.end = code.start + size;
	code.name = reading->unwinds ? "" :
		    libsp_code_text(reading->table, name, reading->size - sizeof(load));
	if (!code.name)
		return false;
	take_lines_of(reading, &code);
	if (reading->framed) {
		code.frames = reading->frames;
		code.frames_size = reading->frames_size;
		reading->framed = false;
	}
	return note_index(reading, number8(reading, load.index), &code) &&
	       libsp_code_add(reading->table, &code);
}

static bool take_move(struct reading *reading, uint64_t time)
{
	struct libsp_code gone = { .time = time }, code;
	struct loaded key, **found;
	struct code_move move;
	uint64_t to;

	if (reading->size < sizeof(move))
		return true;
	memcpy(&move, body_of(reading), sizeof(move));
	key.index = number8(reading, move.index);
	to = number8(reading, move.to);
	found = tfind(&key, &reading->by_index, by_index);
	/* Only what is where the record says can go from there. */
	if (!found || (*found)->code.start != number8(reading, move.from))
		return true;
	code = (*found)->code;
	if (code.end - code.start > UINT64_MAX - to)
		return true;
	gone.start = code.start;
	gone.end = code.end;
	code.end = to + (code.end - code.start);
	code.start = to;
	code.time = time;
	(*found)->code = code;
	return libsp_code_add(reading->table, &gone) &&
	       libsp_code_add(reading->table, &code);
}

static int by_address(const void *a, const void *b)
{
	const struct libsp_code_line *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Return: whether they are so many, and name files; or -1: there is no room for more. */
static int take_lines(struct reading *reading, struct libsp_code_line *lines, uint64_t count)
{
	size_t at = sizeof(struct debug_info), length, n;
	struct debug_entry entry;
	const char *name, *last = NULL;

	for (n = 0; n < count && reading->size - at > sizeof(entry); n++) {
		memcpy(&entry, body_of(reading) + at, sizeof(entry));
		at += sizeof(entry);
		name = body_of(reading) + at;
		length = strnlen(name, reading->size - at);
		if (length == reading->size - at)
			return false;
		at += length + 1;
		/* 0xff alone: the same file as before. */
		if (!last || strcmp(name, "\xff")) {
			last = libsp_code_text(reading->table, name, length);
			if (!last)
				return -1;
			if (strcmp(last, name))
				return false;
		}
		lines[n].address = number8(reading, entry.address);
		lines[n].line = number4(reading, entry.line);
		lines[n].source = last;
	}
	return n == count;
}

static bool take_debug_info(struct reading *reading)
{
	struct libsp_code_line *lines;
	struct debug_info info;
	uint64_t count;
	int good;

	reading->line_count = 0;
	if (reading->size < sizeof(info))
		return true;
	memcpy(&info, body_of(reading), sizeof(info));
	count = number8(reading, info.count);
	if (!count || count > reading->size / sizeof(struct debug_entry))
		return true;
	lines = libsp_code_room(reading->table, (size_t)count * sizeof(*lines));
	good = lines ? take_lines(reading, lines, count) : -1;
	if (good <= 0)
		return !good;
	qsort(lines, (size_t)count, sizeof(*lines), by_address);
	reading->lines = lines;
	reading->line_count = (size_t)count;
	reading->lines_address = number8(reading, info.address);
	return true;
}

/* Many functions have the very same. */
static bool take_unwinding_info(struct reading *reading)
{
	struct unwinding_info info;
	unsigned char *copy;
	size_t size;

	reading->framed = false;
	if (reading->size < sizeof(info))
		return true;
	memcpy(&info, body_of(reading), sizeof(info));
	if (info.size > reading->size - sizeof(info) || info.hdr_size >= info.size)
		return true;
	size = (size_t)(info.size - info.hdr_size);
	reading->framed = true;
	if (size == reading->frames_size &&
	    !memcmp(body_of(reading) + sizeof(info), reading->frames, size))
		return true;
	copy = libsp_code_room(reading->table, size);
	if (!copy)
		return false;
	memcpy(copy, body_of(reading) + sizeof(info), size);
	reading->frames = copy;
	reading->frames_size = size;
	return true;
}

/* Of code it is only read what is before it: the name ends with a NUL. */
static size_t wanted_bytes(struct reading *reading, uint32_t id, size_t size)
{
	size_t most = sizeof(struct code_load) + LIBSP_MAX_CODE_NAME;

	if (id == CODE_LOAD)
		return size < most ? size : most;
	if (id == CODE_MOVE)
		return size < sizeof(struct code_move) ? size : sizeof(struct code_move);
	if (id != (reading->unwinds ? UNWINDING_INFO : DEBUG_INFO) ||
	    size > (reading->unwinds ? MAX_FRAMES : MAX_RECORD) ||
	    reading->infos_read > MAX_ALL_INFOS)
		return 0;
	reading->infos_read += size;
	return size;
}

/* Return: whether to go on. */
static bool take_record(struct reading *reading)
{
	struct record_header header = { };
	uint64_t begin = reading->at, time;
	uint32_t id, size;

	if (reading->records++ == MAX_RECORDS) {
		reading->table->full = true;
		return false;
	}
	reading->whole = get_bytes(reading, begin, &header, sizeof(header)) < sizeof(header);
	id = number4(reading, header.id);
	size = number4(reading, header.total_size);
	reading->whole |= size < sizeof(header) || id == CODE_CLOSE;
	if (reading->whole)
		return false;
	time = reading->timed ? number8(reading, header.timestamp) : 0;
	reading->time = time;
	reading->at += size;
	if (!read_body(reading, begin + sizeof(header),
		       wanted_bytes(reading, id, size - sizeof(header))))
		return false;
	switch (id) {
	case CODE_LOAD:
		return take_load(reading, time);
	case CODE_MOVE:
		return take_move(reading, time);
	case DEBUG_INFO:
		return take_debug_info(reading);
	case UNWINDING_INFO:
		return take_unwinding_info(reading);
	default:
		return true;
	}
}

static void take_all(struct reading *reading)
{
	while (take_record(reading))
		;
	reading->whole &= !reading->failed;
	tdestroy(reading->by_index, libsp_arena_keep);
	libsp_buffer_free(&reading->room);
}

/**
 * libsp_jitdump_read() - read such a file
 * @fd: of the file; stays open
 * @table: gets what is in it
 * @timed: filled in: times are CLOCK_MONOTONIC, in ns; else nothing is known of them
 * @until: filled in: what was where before that time is known; LIBSP_CODE_LAST: always
 *
 * What is damaged ends it, and so does a table that is full: but then what is missing may have
 * taken the place of what is there. Of a file with more records than are read, the table is full,
 * too. Return: false if it is no such file, or if not all of it could be read and there are no
 * times.
 */
bool libsp_jitdump_read(int fd, struct libsp_code_table *table, bool *timed,
			uint64_t *until)
{
	struct reading reading = { .fd = fd, .table = table };

	*timed = false;
	if (!take_header(&reading))
		return false;
	take_all(&reading);
	*timed = reading.timed;
	*until = reading.whole ? LIBSP_CODE_LAST : reading.time;
	return reading.whole || reading.timed;
}

/**
 * libsp_jitdump_frames() - read how functions are unwound, and no names
 * @fd: of the file; stays open
 * @table: gets what is in it: functions without a name, and frames of those that have them
 * @whole: filled in: all of it was read; else what is missing may have taken the place of what
 *	is there
 *
 * Return: false if it is no such file, or of another machine.
 */
bool libsp_jitdump_frames(int fd, struct libsp_code_table *table, bool *whole)
{
	struct reading reading = { .fd = fd, .table = table, .unwinds = true };

	/* The first release of python that writes such a file leaves the machine out. */
	if (!take_header(&reading) || reading.swap ||
	    (reading.machine && reading.machine != MACHINE_X86_64))
		return false;
	take_all(&reading);
	*whole = reading.whole;
	return true;
}
