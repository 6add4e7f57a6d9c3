// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_table: makes an unwind table of what .eh_frame or .debug_frame says. A row is
 * made for each stretch of instructions that have the same rule; a rule that the module
 * does not know becomes none, and nothing is guessed. No state, so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <zlib.h>

#include "abi.h"
#include "buffer.h"
#include "call_frames.h"
#include "error.h"
#include "unwind_table.h"

#define WORD 8
/* Rows before neighbours in different functions are merged, and functions. */
#define MAX_ROWS	(2 * SP_UNWIND_MAX_BYTES / sizeof(struct sp_unwind_row))

/* Operations of expressions (DW_OP_*). */
enum {
	OP_DEREF = 0x06, OP_AND = 0x1a, OP_PLUS = 0x22, OP_SHL = 0x24, OP_GE = 0x2a,
	OP_LIT0 = 0x30, OP_LIT3 = 0x33, OP_LIT15 = 0x3f, OP_BREG7 = 0x77, OP_BREG16 = 0x80,
};

/* Where the kernel's frame of a signal has registers: bytes above the stack pointer. */
enum {
	SIGNAL_RBP = 120, SIGNAL_RSP = 160, SIGNAL_RIP = 168,
};

/* A function, and its rows. */
struct piece {
	uint32_t start, end;	/* offsets in the file */
	uint32_t first, count;	/* rows */
};

struct making {
	const struct libsp_elf *elf;
	struct libsp_buffer pieces, rows;
	struct piece *piece;	/* the last one */
	uint64_t bias;		/* of its addresses over offsets */
};

/* Takes the number behind an operation off an expression, in one or two bytes. */
static bool take_operand(const unsigned char **at, const unsigned char *end, int *value)
{
	int number;

	if (*at == end)
		return false;
	number = *(*at)++;
	if (number & 0x80) {
		if (*at == end || **at & 0x80)
			return false;
		number = (number & 0x7f) | *(*at)++ << 7;
		*value = number & 0x2000 ? number - 0x4000 : number;
	} else {
		*value = number & 0x40 ? number - 0x80 : number;
	}
	return true;
}

/* Is it the stack pointer and @offset, and with @deref what is in memory there? */
static bool is_above_sp(const struct libsp_rule *rule, int offset, bool deref)
{
	const unsigned char *at = rule->expression, *end = at + rule->size;
	int is;

	if (at == end || *at++ != OP_BREG7 || !take_operand(&at, end, &is) || is != offset)
		return false;
	if (deref)
		return end - at == 1 && *at == OP_DEREF;
	return at == end;
}

/*
 * The expression of a procedure linkage table: rsp + cfa + ((rip & 15) >= from) << 3.
 */
static bool is_linkage(const struct libsp_rule *rule, int *cfa, unsigned int *from)
{
	static const unsigned char behind[] = { OP_GE, OP_LIT3, OP_SHL, OP_PLUS };
	const unsigned char *at = rule->expression, *end = at + rule->size;
	int zero;

	if (at == end || *at++ != OP_BREG7 || !take_operand(&at, end, cfa))
		return false;
	if (at == end || *at++ != OP_BREG16 || !take_operand(&at, end, &zero) || zero)
		return false;
	if ((size_t)(end - at) != 3 + sizeof(behind) || at[0] != OP_LIT15 ||
	    at[1] != OP_AND || at[2] < OP_LIT0 || at[2] > OP_LIT15 ||
	    memcmp(at + 3, behind, sizeof(behind)))
		return false;
	*from = at[2] - OP_LIT0;
	return true;
}

/*
 * The caller's frame pointer: unchanged, or words below the CFA, of which the first one is
 * the return address.
 */
static bool saved_rbp(const struct libsp_rule *rbp, unsigned int *saved)
{
	*saved = 0;
	if (rbp->where == LIBSP_UNSPECIFIED || rbp->where == LIBSP_SAME)
		return true;
	if (rbp->where != LIBSP_AT_CFA || rbp->offset >= 0 || rbp->offset % WORD ||
	    rbp->offset == -WORD || rbp->offset < -WORD * SP_UNWIND_MAX_SAVED)
		return false;
	*saved = (unsigned int)(-rbp->offset / WORD);
	return true;
}

static bool in_words(int64_t offset, uint16_t *words)
{
	/* Less than a word would leave no room for the return address. */
	if (offset < WORD || offset % WORD || offset / WORD > UINT16_MAX)
		return false;
	*words = (uint16_t)(offset / WORD);
	return true;
}

static bool is_signal(const struct libsp_call_frame *frame)
{
	return frame->signal && frame->cfa.where == LIBSP_IS_EXPRESSION &&
	       frame->rbp.where == LIBSP_AT_EXPRESSION &&
	       frame->rip.where == LIBSP_AT_EXPRESSION &&
	       is_above_sp(&frame->cfa, SIGNAL_RSP, true) &&
	       is_above_sp(&frame->rbp, SIGNAL_RBP, false) &&
	       is_above_sp(&frame->rip, SIGNAL_RIP, false);
}

/* The caller's stack pointer is the CFA, which is where the return address ends. */
static bool is_called(const struct libsp_call_frame *frame)
{
	const struct libsp_rule *rsp = &frame->rsp;

	return !frame->signal && frame->rip.where == LIBSP_AT_CFA &&
	       frame->rip.offset == -WORD &&
	       (rsp->where == LIBSP_UNSPECIFIED ||
		(rsp->where == LIBSP_IS_CFA && !rsp->offset));
}

/* The row of a frame, but for its offset. */
static struct sp_unwind_row row_of(const struct libsp_call_frame *frame)
{
	struct sp_unwind_row row = { .rule = sp_unwind_rule(SP_UNWIND_NONE, 0) };
	enum sp_unwind_kind kind;
	unsigned int saved, from;
	uint16_t words;
	int cfa;

	if (!frame)
		return row;
	if (frame->rip.where == LIBSP_UNDEFINED) {
		row.rule = sp_unwind_rule(SP_UNWIND_OUTERMOST, 0);
		return row;
	}
	if (is_signal(frame)) {
		row.rule = sp_unwind_rule(SP_UNWIND_SIGNAL, 0);
		return row;
	}
	if (!is_called(frame) || !saved_rbp(&frame->rbp, &saved))
		return row;
	if (frame->cfa.where == LIBSP_REGISTER) {
		kind = frame->cfa.reg == LIBSP_RSP ? SP_UNWIND_SP :
		       frame->cfa.reg == LIBSP_RBP ? SP_UNWIND_FP : SP_UNWIND_NONE;
		if (kind == SP_UNWIND_NONE || !in_words(frame->cfa.offset, &words))
			return row;
	} else {
		if (frame->cfa.where != LIBSP_IS_EXPRESSION ||
		    !is_linkage(&frame->cfa, &cfa, &from) || saved || !in_words(cfa, &words))
			return row;
		kind = SP_UNWIND_PLT;
		saved = from;
	}
	row.cfa = words;
	row.rule = sp_unwind_rule(kind, saved);
	return row;
}

static bool is_same_rule(const struct sp_unwind_row *a, const struct sp_unwind_row *b)
{
	return a->cfa == b->cfa && a->rule == b->rule;
}

static int too_large(const struct making *m, struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_TOO_LARGE,
			  "an unwind table of %s would have more than %d bytes, so none is made",
			  m->elf->name, SP_UNWIND_MAX_BYTES);
}

/* Begins a function, if it is in the file's code. */
static int begin_function(void *data, uint64_t start, uint64_t end,
			  struct schedprof_error *error)
{
	struct making *m = data;
	const Elf64_Phdr *segment = libsp_elf_code_at(m->elf, start);
	uint64_t segment_end;

	if (!segment)
		return 0;
	segment_end = segment->p_vaddr + segment->p_filesz;
	if (end > segment_end)
		end = segment_end;
	m->bias = segment->p_vaddr - segment->p_offset;
	if (segment->p_offset > UINT32_MAX || end - m->bias > UINT32_MAX)
		return libsp_fail(error, SCHEDPROF_TOO_LARGE,
				  "%s has code beyond 4 GB, so no unwind table is made of it",
				  m->elf->name);
	if (m->pieces.size / sizeof(*m->piece) >= MAX_ROWS)
		return too_large(m, error);
	m->piece = libsp_buffer_grow(&m->pieces, sizeof(*m->piece));
	if (!m->piece)
		return libsp_no_memory(error);
	*m->piece = (struct piece){
		.start = (uint32_t)(start - m->bias),
		.end = (uint32_t)(end - m->bias),
		.first = (uint32_t)(m->rows.size / sizeof(struct sp_unwind_row)),
	};
	return 1;
}

static int add_row(void *data, uint64_t start, uint64_t end,
		   const struct libsp_call_frame *frame, struct schedprof_error *error)
{
	struct sp_unwind_row row = row_of(frame), *last;
	struct making *m = data;

	(void)end;
	if (start - m->bias >= m->piece->end)
		return 0;
	row.offset = (uint32_t)(start - m->bias);
	if (m->piece->count) {
		last = (struct sp_unwind_row *)(m->rows.at + m->rows.size) - 1;
		if (is_same_rule(last, &row))
			return 0;
	}
	if (m->rows.size / sizeof(row) >= MAX_ROWS)
		return too_large(m, error);
	libsp_buffer_add(&m->rows, &row, sizeof(row));
	m->piece->count++;
	return m->rows.failed ? libsp_no_memory(error) : 0;
}

/* Of functions that begin at the same offset the one that came first is first. */
static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Adds a row to a table, unless the one before is the same. */
static void put_row(struct libsp_buffer *table, const struct sp_unwind_row *row)
{
	const struct sp_unwind_row *last;

	if (table->failed)
		return;
	if (table->size > sizeof(struct sp_unwind_header)) {
		last = (const struct sp_unwind_row *)(table->at + table->size) - 1;
		if (is_same_rule(last, row))
			return;
	}
	libsp_buffer_add(table, row, sizeof(*row));
}

static void put_gap(struct libsp_buffer *table, uint32_t offset)
{
	struct sp_unwind_row row = {
		.offset = offset,
		.rule = sp_unwind_rule(SP_UNWIND_NONE, 0),
	};

	put_row(table, &row);
}

/*
 * Puts the functions in order. One that reaches into the next one ends where that begins,
 * as for programs that unwind themselves, which search for the last one that begins before.
 */
static void put_rows(struct making *m, struct libsp_buffer *table)
{
	const struct sp_unwind_row *rows = (const struct sp_unwind_row *)m->rows.at;
	size_t count = m->pieces.size / sizeof(struct piece), i;
	struct piece *pieces = (struct piece *)m->pieces.at;
	uint32_t end = 0, j;

	qsort(pieces, count, sizeof(*pieces), by_start);
	for (i = 0; i < count; i++) {
		const struct piece *piece = &pieces[i];
		uint32_t limit = piece->end;

		if (i + 1 < count && pieces[i + 1].start < limit)
			limit = pieces[i + 1].start;
		if (limit == piece->start)
			continue;
		if (end && end < piece->start)
			put_gap(table, end);
		for (j = 0; j < piece->count; j++)
			if (rows[piece->first + j].offset < limit)
				put_row(table, &rows[piece->first + j]);
		end = limit;
	}
	if (end)
		put_gap(table, end);
}

static int read_frames(struct making *m, const struct libsp_section *section,
		       bool eh_frame, struct schedprof_error *error)
{
	struct libsp_call_frames_sink sink = {
		.function = begin_function,
		.row = add_row,
		.data = m,
		.name = m->elf->name,
	};

	return libsp_call_frames(section->bytes, section->size, section->address, eh_frame,
				 &sink, error);
}

/* Reads what there is: .eh_frame, where it is at run time, or .debug_frame. */
static int read_any_frames(struct making *m, struct schedprof_error *error)
{
	struct libsp_section section;
	int result, i;

	for (i = 0; i < 3 && !m->pieces.size; i++) {
		switch (i) {
		case 0:
			result = libsp_elf_section(m->elf, ".eh_frame", &section, error);
			break;
		case 1:
			result = libsp_elf_unwind_segment(m->elf, &section, error);
			break;
		default:
			result = libsp_elf_section(m->elf, ".debug_frame", &section, error);
		}
		if (!result && section.bytes)
			result = read_frames(m, &section, i < 2, error);
		free(section.bytes);
		if (result)
			return result;
	}
	if (m->pieces.size)
		return 0;
	return libsp_fail(error, SCHEDPROF_NOT_FOUND,
			  "%s has neither .eh_frame nor .debug_frame for its code, so no unwind table can be made; build it with -fasynchronous-unwind-tables",
			  m->elf->name);
}

/* Of how many bytes a stub is that does nothing but jump to where a word says; 0: not one. */
static size_t jump_at(const unsigned char *at, size_t size)
{
	static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
	static const unsigned char jump[] = { 0xff, 0x25 };

	if (size >= 16 && !memcmp(at, landing, sizeof(landing)) &&
	    (!memcmp(at + sizeof(landing), jump, sizeof(jump)) ||
	     (at[sizeof(landing)] == 0xf2 &&
	      !memcmp(at + sizeof(landing) + 1, jump, sizeof(jump)))))
		return 16;
	return size >= 8 && !memcmp(at, jump, sizeof(jump)) ? 8 : 0;
}

/*
 * Linkers write no frames for the linkage table of a static program, through which memcpy()
 * and its like are called. Its stubs only jump, so the return address is where they found
 * it. The table of a program that is linked at run time begins with a push, and has frames.
 */
static int add_static_linkage(struct making *m, struct schedprof_error *error)
{
	const struct libsp_call_frame as_called = {
		.cfa = { .where = LIBSP_REGISTER, .reg = LIBSP_RSP, .offset = WORD },
		.rip = { .where = LIBSP_AT_CFA, .offset = -WORD },
	};
	struct libsp_section plt;
	size_t bytes = 0, stub;
	int result;

	result = libsp_elf_section(m->elf, ".plt", &plt, error);
	if (result || !plt.bytes)
		return result;
	while ((stub = jump_at(plt.bytes + bytes, plt.size - bytes)) != 0)
		bytes += stub;
	free(plt.bytes);
	if (!bytes || bytes > UINT64_MAX - plt.address)
		return 0;
	result = begin_function(m, plt.address, plt.address + bytes, error);
	if (result <= 0)
		return result;
	return add_row(m, plt.address, plt.address + bytes, &as_called, error);
}

static void finish_header(struct libsp_buffer *table)
{
	struct sp_unwind_header *header = (struct sp_unwind_header *)table->at;
	size_t behind = offsetof(struct sp_unwind_header, crc) + sizeof(header->crc);

	header->bytes = (uint32_t)table->size;
	header->rows = (uint32_t)((table->size - sizeof(*header)) /
				  sizeof(struct sp_unwind_row));
	header->crc = (uint32_t)crc32(crc32(0, NULL, 0), table->at + behind,
				      (uInt)(table->size - behind));
}

static struct schedprof_unwind *make_table(struct making *m, unsigned int flags,
					   struct schedprof_error *error)
{
	struct sp_unwind_header header = {
		.magic = { SP_UNWIND_MAGIC[0], SP_UNWIND_MAGIC[1], SP_UNWIND_MAGIC[2],
			   SP_UNWIND_MAGIC[3], SP_UNWIND_MAGIC[4], SP_UNWIND_MAGIC[5],
			   SP_UNWIND_MAGIC[6], SP_UNWIND_MAGIC[7] },
		.version = SP_UNWIND_VERSION,
		.machine = EM_X86_64,
		.flags = (uint16_t)flags,
	};
	struct libsp_buffer table = { };

	if (libsp_elf_build_id(m->elf, header.build_id, &header.build_id_bytes, error) ||
	    read_any_frames(m, error) || add_static_linkage(m, error))
		return NULL;
	libsp_buffer_add(&table, &header, sizeof(header));
	put_rows(m, &table);
	if (table.failed) {
		libsp_buffer_free(&table);
		libsp_no_memory(error);
		return NULL;
	}
	if (table.size > SP_UNWIND_MAX_BYTES) {
		libsp_buffer_free(&table);
		too_large(m, error);
		return NULL;
	}
	finish_header(&table);
	return libsp_unwind_wrap(table.at, error);
}

/* @flags: SP_UNWIND_VDSO. Return: as schedprof_unwind_make(). */
struct schedprof_unwind *libsp_unwind_of(const struct libsp_elf *elf, unsigned int flags,
					 struct schedprof_error *error)
{
	struct making m = { .elf = elf };
	struct schedprof_unwind *table = make_table(&m, flags, error);

	libsp_buffer_free(&m.pieces);
	libsp_buffer_free(&m.rows);
	return table;
}

static struct schedprof_unwind *make_of_image(struct libsp_elf *elf, unsigned int flags,
					      struct schedprof_error *error)
{
	struct schedprof_unwind *table;

	if (libsp_elf_open(elf, error))
		return NULL;
	table = libsp_unwind_of(elf, flags, error);
	libsp_elf_close(elf);
	return table;
}

LIBSP_EXPORT struct schedprof_unwind *
schedprof_unwind_make(int fd, const char *name, struct schedprof_error *error)
{
	struct libsp_elf elf = { .fd = fd, .name = name };
	struct stat status;

	if (fstat(fd, &status)) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot look at %s", name);
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		libsp_fail(error, SCHEDPROF_INVALID,
			   "%s is no regular file; name a program or a library", name);
		return NULL;
	}
	elf.size = (uint64_t)status.st_size;
	return make_of_image(&elf, 0, error);
}

/* How much memory is mapped from an address on. Return: 0: that is not known. */
static uint64_t mapped_from(uint64_t address)
{
	FILE *file = fopen("/proc/self/maps", "re");
	uint64_t start, end, size = 0;
	char *line = NULL;
	size_t room = 0;

	while (file && !size && getline(&line, &room, file) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 &&
		    start == address)
			size = end - start;
	free(line);
	if (file)
		fclose(file);
	return size;
}

LIBSP_EXPORT struct schedprof_unwind *
schedprof_unwind_make_vdso(struct schedprof_error *error)
{
	uintptr_t address = getauxval(AT_SYSINFO_EHDR);
	struct libsp_elf elf = {
		.fd = -1,
		.memory = (const unsigned char *)address,
		.size = address ? mapped_from(address) : 0,
		.name = "the vdso",
	};

	if (!elf.size) {
		libsp_fail(error, SCHEDPROF_NOT_FOUND,
			   "the kernel gives no vdso to programs, so it needs no table");
		return NULL;
	}
	return make_of_image(&elf, SP_UNWIND_VDSO, error);
}
