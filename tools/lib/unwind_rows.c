// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_rows: the rows of an unwind table, of what call frames say. A row is made for each
 * stretch of instructions that have the same rule; a rule that the module does not know
 * becomes none, and nothing is guessed. What is being made is used by one thread.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "error.h"
#include "unwind_rows.h"

#define WORD 8
/* Rows before neighbours in different functions are merged, and functions. */
#define MAX_ROWS	(2 * SP_UNWIND_MAX_BYTES / sizeof(struct sp_unwind_row))
#define WINDOW_BITS	32

/* A function, and its rows, whose offsets are from its start. */
struct piece {
	uint64_t start, end;
	uint32_t first, count;	/* rows */
};

/* Operations of expressions (DW_OP_*). */
enum {
	OP_DEREF = 0x06, OP_AND = 0x1a, OP_PLUS = 0x22, OP_SHL = 0x24, OP_GE = 0x2a,
	OP_LIT0 = 0x30, OP_LIT3 = 0x33, OP_LIT15 = 0x3f, OP_BREG7 = 0x77, OP_BREG16 = 0x80,
};

/* Where the kernel's frame of a signal has registers: bytes above the stack pointer. */
enum {
	SIGNAL_RBP = 120, SIGNAL_RSP = 160, SIGNAL_RIP = 168,
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

static int too_many(const struct libsp_making *m, struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_TOO_LARGE,
			  "an unwind table of %s would have more than %d bytes, so none is made",
			  m->name, SP_UNWIND_MAX_BYTES);
}

static size_t piece_count(const struct libsp_making *m)
{
	return m->pieces.size / sizeof(struct piece);
}

static struct piece *piece_at(const struct libsp_making *m, size_t index)
{
	return (struct piece *)m->pieces.at + index;
}

static uint32_t row_count(const struct libsp_making *m)
{
	return (uint32_t)(m->rows.size / sizeof(struct sp_unwind_row));
}

/**
 * libsp_making_begin() - the next function
 * @m: what is being made
 * @start: offset or address of it
 * @end: behind it; less than 4 GB away
 * @error: filled on failure
 *
 * Return: 0 or a negative code.
 */
int libsp_making_begin(struct libsp_making *m, uint64_t start, uint64_t end,
		       struct schedprof_error *error)
{
	struct piece piece = { .start = start, .end = end, .first = row_count(m) };

	if (piece_count(m) >= MAX_ROWS)
		return too_many(m, error);
	libsp_buffer_add(&m->pieces, &piece, sizeof(piece));
	return m->pieces.failed ? libsp_no_memory(error) : 0;
}

/**
 * libsp_making_row() - a rule of the function that was begun
 * @m: what is being made
 * @at: from there on; not before the function
 * @frame: the rule, or NULL: it cannot be known
 * @error: filled on failure
 *
 * Return: 0 or a negative code.
 */
int libsp_making_row(struct libsp_making *m, uint64_t at,
		     const struct libsp_call_frame *frame, struct schedprof_error *error)
{
	struct piece *piece = piece_at(m, piece_count(m) - 1);
	struct sp_unwind_row row = row_of(frame), *last;

	if (at >= piece->end)
		return 0;
	row.offset = (uint32_t)(at - piece->start);
	if (piece->count) {
		last = (struct sp_unwind_row *)(m->rows.at + m->rows.size) - 1;
		if (is_same_rule(last, &row))
			return 0;
	}
	if (row_count(m) >= MAX_ROWS)
		return too_many(m, error);
	libsp_buffer_add(&m->rows, &row, sizeof(row));
	piece->count++;
	return m->rows.failed ? libsp_no_memory(error) : 0;
}

/**
 * libsp_making_again() - one more function that has the rows of the last one
 * @m: what is being made; there is one
 * @start: of it
 * @error: filled on failure
 *
 * Return: 0 or a negative code.
 */
int libsp_making_again(struct libsp_making *m, uint64_t start,
		       struct schedprof_error *error)
{
	struct piece piece = *piece_at(m, piece_count(m) - 1);

	if (piece_count(m) >= MAX_ROWS)
		return too_many(m, error);
	piece.end = start + (piece.end - piece.start);
	piece.start = start;
	libsp_buffer_add(&m->pieces, &piece, sizeof(piece));
	return m->pieces.failed ? libsp_no_memory(error) : 0;
}

/**
 * libsp_making_mark() - how much there is now
 * @m: what is being made
 * @mark: filled in, for libsp_making_back()
 */
void libsp_making_mark(const struct libsp_making *m, struct libsp_making_mark *mark)
{
	mark->pieces = m->pieces.size;
	mark->rows = m->rows.size;
}

/**
 * libsp_making_back() - forget the functions that came since
 * @m: what is being made
 * @mark: of what is kept
 */
void libsp_making_back(struct libsp_making *m, const struct libsp_making_mark *mark)
{
	m->pieces.size = mark->pieces;
	m->rows.size = mark->rows;
}

/* Of functions that begin at the same place the one that came first is first. */
static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* No more functions come. They are put in order. */
void libsp_making_sort(struct libsp_making *m)
{
	if (piece_count(m))
		qsort(m->pieces.at, piece_count(m), sizeof(struct piece), by_start);
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

static void put_gap(struct libsp_buffer *table, enum sp_unwind_kind kind, uint64_t offset)
{
	struct sp_unwind_row row = {
		.offset = (uint32_t)offset,
		.rule = sp_unwind_rule(kind, 0),
	};

	if (offset <= UINT32_MAX)
		put_row(table, &row);
}

/* Puts the rows of a function up to @limit, which is in the same 4 GB as its start. */
static void put_piece(const struct libsp_making *m, const struct piece *piece,
		      uint64_t limit, struct libsp_buffer *table)
{
	const struct sp_unwind_row *rows = (const struct sp_unwind_row *)m->rows.at;
	struct sp_unwind_row row;
	uint32_t i;

	for (i = 0; i < piece->count; i++) {
		row = rows[piece->first + i];
		if (row.offset >= limit - piece->start)
			break;
		row.offset += (uint32_t)piece->start;
		put_row(table, &row);
	}
}

/* Where the function ends, at most: where the next one begins, or the 4 GB do. */
static uint64_t limit_of(const struct libsp_making *m, size_t index)
{
	const struct piece *piece = piece_at(m, index);
	uint64_t limit = piece->end, window_end;

	if (index + 1 < piece_count(m) && piece[1].start < limit)
		limit = piece[1].start;
	window_end = piece->start | UINT32_MAX;
	return limit > window_end ? window_end : limit;
}

/**
 * libsp_making_put() - the rows of those functions that are in the same 4 GB
 * @m: what is being made, sorted
 * @first: number of the first one
 * @gap: the rule of what is between them; before the first one it is for SP_UNWIND_UNTOLD
 *	alone, for others there is none
 * @table: gets the rows, behind its head; failed if there is no memory
 *
 * A function that reaches into the next one ends where that begins, as for programs that
 * unwind themselves, which search for the last one that begins before.
 *
 * Return: the number of the function behind.
 */
size_t libsp_making_put(const struct libsp_making *m, size_t first, enum sp_unwind_kind gap,
			struct libsp_buffer *table)
{
	uint64_t window = piece_at(m, first)->start >> WINDOW_BITS, end, limit;
	bool any = gap == SP_UNWIND_UNTOLD;
	size_t i;

	end = window << WINDOW_BITS;
	for (i = first; i < piece_count(m); i++) {
		const struct piece *piece = piece_at(m, i);

		if (piece->start >> WINDOW_BITS != window)
			break;
		limit = limit_of(m, i);
		if (limit == piece->start)
			continue;
		if (any && end < piece->start)
			put_gap(table, gap, end - (window << WINDOW_BITS));
		put_piece(m, piece, limit, table);
		end = limit;
		any = true;
	}
	if (any)
		put_gap(table, gap, end - (window << WINDOW_BITS));
	return i;
}

/* Return: how many functions there are. */
size_t libsp_making_count(const struct libsp_making *m)
{
	return piece_count(m);
}

/* Return: where a function begins, of those that are sorted. */
uint64_t libsp_making_start(const struct libsp_making *m, size_t index)
{
	return piece_at(m, index)->start;
}

void libsp_making_free(struct libsp_making *m)
{
	libsp_buffer_free(&m->pieces);
	libsp_buffer_free(&m->rows);
}

/**
 * libsp_making_finish() - a table whose rows are all there
 * @m: what it was made of
 * @table: a head and rows; taken over, whatever happens
 * @error: filled on failure
 *
 * Return: the table, or NULL.
 */
struct schedprof_unwind *libsp_making_finish(const struct libsp_making *m,
					     struct libsp_buffer *table,
					     struct schedprof_error *error)
{
	size_t behind = offsetof(struct sp_unwind_header, crc) + sizeof(uint32_t);
	struct sp_unwind_header *header;

	if (table->failed || table->size > SP_UNWIND_MAX_BYTES) {
		if (table->failed)
			libsp_no_memory(error);
		else
			too_many(m, error);
		libsp_buffer_free(table);
		return NULL;
	}
	header = (struct sp_unwind_header *)table->at;
	memcpy(header->magic, SP_UNWIND_MAGIC, sizeof(header->magic));
	header->version = SP_UNWIND_VERSION;
	header->machine = EM_X86_64;
	header->bytes = (uint32_t)table->size;
	header->rows = (uint32_t)((table->size - sizeof(*header)) /
				  sizeof(struct sp_unwind_row));
	header->crc = (uint32_t)crc32(crc32(0, NULL, 0), table->at + behind,
				      (uInt)(table->size - behind));
	return libsp_unwind_wrap(table->at, error);
}
