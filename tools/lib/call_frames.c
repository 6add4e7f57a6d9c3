// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * call_frames: evaluates .eh_frame or .debug_frame once, from its begin to its end. In
 * libdw each question executes a function's instructions from their first one on, which
 * takes the square of their number; here each is executed once, so that a file that
 * somebody made to take long does not. Each entry (FDE) refers to one that several have in
 * common (CIE), whose instructions come first.
 *
 * Anybody may have made what is read: nothing is read beyond its end, and the whole takes
 * no more steps than a multiple of its size. No state, so nothing is locked.
 */
#include <string.h>

#include "call_frames.h"
#include "error.h"

/* Frames that are remembered within each other; compilers need one. */
#define MAX_REMEMBERED	16
/* Bytes that are executed or read again for each byte of the section; of programs, below 1. */
#define EFFORT		4

/* How a pointer is written (DW_EH_PE_*). */
enum {
	FORMAT		= 0x0f,
	ABSOLUTE	= 0x00,	/* 8 bytes */
	UDATA2		= 0x02,
	UDATA4		= 0x03,
	UDATA8		= 0x04,
	SDATA2		= 0x0a,
	SDATA4		= 0x0b,
	SDATA8		= 0x0c,
	RELATION	= 0x70,
	RELATIVE	= 0x10,	/* to where it stands */
	INDIRECT	= 0x80,
	OMITTED		= 0xff,
};

/* Instructions (DW_CFA_*). */
enum {
	ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0,	/* with a number in their low bits */
	NOP = 0, SET_LOC, ADVANCE1, ADVANCE2, ADVANCE4, OFFSET_EXTENDED, RESTORE_EXTENDED,
	UNDEFINED, SAME_VALUE, REGISTER, REMEMBER_STATE, RESTORE_STATE, DEF_CFA,
	DEF_CFA_REGISTER, DEF_CFA_OFFSET, DEF_CFA_EXPRESSION, EXPRESSION,
	OFFSET_EXTENDED_SF, DEF_CFA_SF, DEF_CFA_OFFSET_SF, VAL_OFFSET, VAL_OFFSET_SF,
	VAL_EXPRESSION,
	ARGS_SIZE = 0x2e, NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

/* What is read, from its begin to its end. */
struct cursor {
	const unsigned char *at, *end;
	bool bad;		/* it ended too early, from then on all is 0 */
};

struct entry {
	struct cursor rest;	/* behind the length and the number of the CIE */
	bool end;		/* the end of all entries */
	bool wide;		/* its numbers have 8 bytes */
	bool common;		/* it is a CIE */
	size_t cie;		/* else, where its CIE is */
};

/* What FDEs have in common. */
struct common {
	size_t at;		/* in the section */
	bool known;		/* at is one that was read */
	bool usable;
	bool sized;		/* each FDE tells how long its augmentation is */
	unsigned char encoding;	/* of addresses */
	uint64_t code_align;
	int64_t data_align;
	struct libsp_call_frame initial;
};

struct evaluation {
	const unsigned char *bytes;
	size_t size;
	uint64_t address;	/* of the section */
	bool eh_frame;
	const struct libsp_call_frames_sink *sink;
	struct common common;	/* that was used last */
	uint64_t left;		/* bytes that may yet be executed */
};

static bool has(struct cursor *cursor, uint64_t size)
{
	if (!cursor->bad && size <= (uint64_t)(cursor->end - cursor->at))
		return true;
	cursor->bad = true;
	cursor->at = cursor->end;
	return false;
}

static uint64_t take(struct cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if (!has(cursor, size))
		return 0;
	memcpy(&value, cursor->at, size);
	cursor->at += size;
	return value;
}

static int64_t take_signed(struct cursor *cursor, size_t size)
{
	unsigned int rest = 64 - 8 * (unsigned int)size;

	return (int64_t)(take(cursor, size) << rest) >> rest;
}

/* A number of any length, seven bits in each byte. */
static uint64_t take_number(struct cursor *cursor, bool is_signed)
{
	unsigned int shift = 0;
	uint64_t value = 0;
	unsigned char byte;

	do {
		byte = (unsigned char)take(cursor, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= UINT64_MAX << shift;
	return value;
}

static uint64_t take_unsigned(struct cursor *cursor)
{
	return take_number(cursor, false);
}

static struct cursor take_block(struct cursor *cursor, uint64_t size)
{
	struct cursor block = *cursor;

	if (has(cursor, size)) {
		block.end = block.at + size;
		cursor->at += size;
	} else {
		block = *cursor;
	}
	return block;
}

/* Return: false if it is written in a way that is not known here. */
static bool take_pointer(const struct evaluation *e, struct cursor *cursor,
			 unsigned char encoding, uint64_t *value)
{
	uint64_t here = e->address + (uint64_t)(cursor->at - e->bytes);

	switch (encoding & FORMAT) {
	case ABSOLUTE:
	case UDATA8:
	case SDATA8:
		*value = take(cursor, 8);
		break;
	case UDATA2:
		*value = take(cursor, 2);
		break;
	case UDATA4:
		*value = take(cursor, 4);
		break;
	case SDATA2:
		*value = (uint64_t)take_signed(cursor, 2);
		break;
	case SDATA4:
		*value = (uint64_t)take_signed(cursor, 4);
		break;
	default:
		return false;
	}
	if ((encoding & RELATION) == RELATIVE)
		*value += here;
	else if (encoding & RELATION)
		return false;
	return !(encoding & INDIRECT) && !cursor->bad;
}

/* Each instruction is of a register, of which few are followed. */
static struct libsp_rule *rule_of(struct libsp_call_frame *frame, uint64_t reg)
{
	switch (reg) {
	case LIBSP_RBP:
		return &frame->rbp;
	case LIBSP_RSP:
		return &frame->rsp;
	case LIBSP_RIP:
		return &frame->rip;
	default:
		return NULL;
	}
}

static void set_rule(struct libsp_call_frame *frame, uint64_t reg, enum libsp_where where,
		     int64_t offset)
{
	struct libsp_rule *rule = rule_of(frame, reg);

	if (rule)
		*rule = (struct libsp_rule){ .where = where, .offset = offset };
}

static void set_expression(struct libsp_rule *rule, enum libsp_where where,
			   struct cursor block)
{
	if (rule)
		*rule = (struct libsp_rule){
			.where = where,
			.expression = block.at,
			.size = (size_t)(block.end - block.at),
		};
}

/* A product that is too large is some other number, which is no rule then. */
static int64_t times(uint64_t a, int64_t b)
{
	return (int64_t)(a * (uint64_t)b);
}

/* A function, or the instructions that several have in common. */
struct program {
	struct cursor rest;
	const struct common *common;
	struct libsp_call_frame frame;
	struct libsp_call_frame remembered[MAX_REMEMBERED];
	unsigned int depth;
	uint64_t location, end;	/* both 0: in common */
};

static bool def_cfa(struct program *p, uint64_t reg, int64_t offset)
{
	p->frame.cfa = (struct libsp_rule){
		.where = LIBSP_REGISTER, .reg = reg, .offset = offset,
	};
	return true;
}

/* Changes the register of the CFA, or its offset. */
static bool change_cfa(struct program *p, bool reg, uint64_t value)
{
	if (p->frame.cfa.where != LIBSP_REGISTER)
		return false;
	if (reg)
		p->frame.cfa.reg = value;
	else
		p->frame.cfa.offset = (int64_t)value;
	return true;
}

static bool restore(struct program *p, uint64_t reg)
{
	struct libsp_call_frame initial = p->common->initial;
	struct libsp_rule *rule = rule_of(&p->frame, reg);

	if (rule)
		*rule = *rule_of(&initial, reg);
	return true;
}

static bool remember(struct program *p)
{
	if (p->depth == MAX_REMEMBERED)
		return false;
	p->remembered[p->depth++] = p->frame;
	return true;
}

static bool recall(struct program *p)
{
	if (!p->depth)
		return false;
	p->frame = p->remembered[--p->depth];
	return true;
}

static bool set_offset(struct program *p, uint64_t reg, enum libsp_where where,
		       int64_t offset)
{
	set_rule(&p->frame, reg, where, offset);
	return true;
}

/* Executes one instruction that does not move on. Return: is it known? */
static bool execute(struct program *p, unsigned char code)
{
	struct cursor *rest = &p->rest;
	int64_t align = p->common->data_align;
	uint64_t reg;

	switch (code & 0xc0) {
	case OFFSET:
		return set_offset(p, code & 0x3f, LIBSP_AT_CFA,
				  times(take_unsigned(rest), align));
	case RESTORE:
		return restore(p, code & 0x3f);
	}
	switch (code) {
	case NOP:
		return true;
	case REMEMBER_STATE:
		return remember(p);
	case RESTORE_STATE:
		return recall(p);
	case DEF_CFA_OFFSET:
		return change_cfa(p, false, take_unsigned(rest));
	case DEF_CFA_OFFSET_SF:
		return change_cfa(p, false, (uint64_t)times(take_number(rest, true), align));
	case DEF_CFA_EXPRESSION:
		set_expression(&p->frame.cfa, LIBSP_IS_EXPRESSION,
			       take_block(rest, take_unsigned(rest)));
		return true;
	case ARGS_SIZE:
		take_unsigned(rest);
		return true;
	}
	reg = take_unsigned(rest);
	switch (code) {
	case OFFSET_EXTENDED:
		return set_offset(p, reg, LIBSP_AT_CFA, times(take_unsigned(rest), align));
	case OFFSET_EXTENDED_SF:
		return set_offset(p, reg, LIBSP_AT_CFA, times(take_number(rest, true), align));
	case NEGATIVE_OFFSET_EXTENDED:
		return set_offset(p, reg, LIBSP_AT_CFA,
				  times(-take_unsigned(rest), align));
	case VAL_OFFSET:
		return set_offset(p, reg, LIBSP_IS_CFA, times(take_unsigned(rest), align));
	case VAL_OFFSET_SF:
		return set_offset(p, reg, LIBSP_IS_CFA, times(take_number(rest, true), align));
	case RESTORE_EXTENDED:
		return restore(p, reg);
	case UNDEFINED:
		return set_offset(p, reg, LIBSP_UNDEFINED, 0);
	case SAME_VALUE:
		return set_offset(p, reg, LIBSP_SAME, 0);
	case REGISTER:
		take_unsigned(rest);
		return set_offset(p, reg, LIBSP_REGISTER, 0);
	case DEF_CFA:
		return def_cfa(p, reg, (int64_t)take_unsigned(rest));
	case DEF_CFA_SF:
		return def_cfa(p, reg, times(take_number(rest, true), align));
	case DEF_CFA_REGISTER:
		return change_cfa(p, true, reg);
	case EXPRESSION:
		set_expression(rule_of(&p->frame, reg), LIBSP_AT_EXPRESSION,
			       take_block(rest, take_unsigned(rest)));
		return true;
	case VAL_EXPRESSION:
		set_expression(rule_of(&p->frame, reg), LIBSP_IS_EXPRESSION,
			       take_block(rest, take_unsigned(rest)));
		return true;
	default:
		return false;
	}
}

/* Where the instruction moves on to. Return: false if it does not move on. */
static bool moves_on(const struct evaluation *e, struct program *p, unsigned char code,
		     uint64_t *to)
{
	uint64_t distance;

	switch (code) {
	case SET_LOC:
		if (!take_pointer(e, &p->rest, p->common->encoding, to))
			p->rest.bad = true;
		return true;
	case ADVANCE1:
		distance = take(&p->rest, 1);
		break;
	case ADVANCE2:
		distance = take(&p->rest, 2);
		break;
	case ADVANCE4:
		distance = take(&p->rest, 4);
		break;
	default:
		if ((code & 0xc0) != ADVANCE)
			return false;
		distance = code & 0x3f;
	}
	*to = p->location + distance * p->common->code_align;
	return true;
}

/* The rows of a function. Return: 0, or the negative code of who wants to know. */
static int tell_rows(const struct evaluation *e, struct program *p,
		     struct schedprof_error *error)
{
	const struct libsp_call_frames_sink *sink = e->sink;
	bool good = true;
	unsigned char code;
	uint64_t to;
	int result;

	while (good && p->rest.at < p->rest.end) {
		code = (unsigned char)take(&p->rest, 1);
		if (!moves_on(e, p, code, &to)) {
			good = execute(p, code) && !p->rest.bad;
			continue;
		}
		if (p->rest.bad || to < p->location || to > p->end) {
			good = false;
			continue;
		}
		if (to == p->location)
			continue;
		result = sink->row(sink->data, p->location, to, &p->frame, error);
		if (result)
			return result;
		p->location = to;
	}
	if (p->location == p->end)
		return 0;
	/* From an instruction on that is not known, nothing is known of the function. */
	return sink->row(sink->data, p->location, p->end, good ? &p->frame : NULL, error);
}

static int damaged(const struct evaluation *e, size_t at, const char *what,
		   struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, at,
			     "%s of %s is damaged at byte %zu: %s; install the file again",
			     e->eh_frame ? ".eh_frame" : ".debug_frame", e->sink->name, at,
			     what);
}

/* Return: 0 and the entry at @at; or a negative code. */
static int take_entry(const struct evaluation *e, size_t at, struct entry *entry,
		      struct schedprof_error *error)
{
	struct cursor rest = { .at = e->bytes + at, .end = e->bytes + e->size };
	uint64_t length = take(&rest, 4), number;
	const unsigned char *place;

	*entry = (struct entry){ .wide = length == 0xffffffff };
	if (entry->wide)
		length = take(&rest, 8);
	entry->end = !length && e->eh_frame && !rest.bad;
	entry->rest = take_block(&rest, length);
	if (rest.bad)
		return damaged(e, at, "an entry is longer than what is left", error);
	if (!length)
		return 0;
	place = entry->rest.at;
	/* The number of the CIE has 4 bytes in .eh_frame, in any case. */
	entry->wide = entry->wide && !e->eh_frame;
	number = take(&entry->rest, entry->wide ? 8 : 4);
	if (entry->rest.bad)
		return damaged(e, at, "an entry is too short", error);
	if (e->eh_frame) {
		entry->common = !number;
		number = (uint64_t)(place - e->bytes) - number;
	} else {
		entry->common = number == (entry->wide ? UINT64_MAX : 0xffffffff);
	}
	if (!entry->common && number >= e->size)
		return damaged(e, at, "what it has in common with others is not there", error);
	entry->cie = (size_t)number;
	return 0;
}

/* What the letters of an augmentation say. Return: false if one is not known. */
static bool take_augmentation(const struct evaluation *e, struct common *common,
			      const char *letters, struct cursor *rest)
{
	struct cursor data;
	uint64_t ignored;

	if (!*letters)
		return true;
	if (*letters != 'z')
		return false;
	common->sized = true;
	data = take_block(rest, take_unsigned(rest));
	while (*++letters) {
		switch (*letters) {
		case 'L':
			take(&data, 1);
			break;
		case 'P':
			take_pointer(e, &data, (unsigned char)take(&data, 1) & FORMAT,
				     &ignored);
			break;
		case 'R':
			common->encoding = (unsigned char)take(&data, 1);
			break;
		case 'S':
			common->initial.signal = true;
			break;
		default:
			return false;
		}
	}
	return !data.bad;
}

/* Reads a CIE. One that is not understood is not usable, which is no failure. */
static int take_common(struct evaluation *e, size_t at, struct schedprof_error *error)
{
	struct common *common = &e->common;
	struct program p = { .common = common };
	unsigned char version, code;
	const char *letters;
	struct entry entry;
	int result;

	if (common->known && common->at == at)
		return 0;
	*common = (struct common){ };
	result = take_entry(e, at, &entry, error);
	if (result)
		return result;
	if (!entry.common)
		return damaged(e, at, "what functions have in common is not there", error);
	if ((size_t)(entry.rest.end - entry.rest.at) > e->left)
		return damaged(e, at, "it would take too long to read", error);
	e->left -= (size_t)(entry.rest.end - entry.rest.at);
	common->at = at;
	common->known = true;
	p.rest = entry.rest;
	version = (unsigned char)take(&p.rest, 1);
	letters = (const char *)p.rest.at;
	while (take(&p.rest, 1))
		;
	if (p.rest.bad || (version != 1 && version != 3 && version != 4))
		return 0;
	/* An address of eight bytes, without a segment before it. */
	if (version == 4 && take(&p.rest, 2) != 8)
		return 0;
	common->code_align = take_unsigned(&p.rest);
	common->data_align = (int64_t)take_number(&p.rest, true);
	if ((version == 1 ? take(&p.rest, 1) : take_unsigned(&p.rest)) != LIBSP_RIP ||
	    !take_augmentation(e, common, letters, &p.rest))
		return 0;
	p.frame = common->initial;
	while (p.rest.at < p.rest.end) {
		code = (unsigned char)take(&p.rest, 1);
		if (!execute(&p, code) || p.rest.bad)
			return 0;
	}
	common->initial = p.frame;
	common->usable = !p.rest.bad;
	return 0;
}

/* Reads an FDE and tells of its rows. Return: 0 or a negative code. */
static int take_function(struct evaluation *e, size_t at, const struct entry *entry,
			 struct schedprof_error *error)
{
	const struct libsp_call_frames_sink *sink = e->sink;
	struct program p = { .common = &e->common, .rest = entry->rest };
	uint64_t size;
	int result = take_common(e, entry->cie, error);

	if (result || !e->common.usable || e->common.encoding == OMITTED)
		return result;
	if (!take_pointer(e, &p.rest, e->common.encoding, &p.location) ||
	    !take_pointer(e, &p.rest, e->common.encoding & FORMAT, &size))
		return p.rest.bad ? damaged(e, at, "an entry is too short", error) : 0;
	if (e->common.sized)
		take_block(&p.rest, take_unsigned(&p.rest));
	if (p.rest.bad)
		return damaged(e, at, "an entry is too short", error);
	if ((size_t)(p.rest.end - p.rest.at) > e->left)
		return damaged(e, at, "it would take too long to read", error);
	e->left -= (size_t)(p.rest.end - p.rest.at);
	p.end = p.location + size;
	if (p.end <= p.location)
		return 0;
	result = sink->function(sink->data, p.location, p.end, error);
	if (result <= 0)
		return result;
	p.frame = e->common.initial;
	return tell_rows(e, &p, error);
}

/*
 * Tells @sink of all rows. @bytes: the section, of @size, at @address in memory. Return: 0
 * or a negative code.
 */
int libsp_call_frames(const unsigned char *bytes, size_t size, uint64_t address,
		      bool eh_frame, const struct libsp_call_frames_sink *sink,
		      struct schedprof_error *error)
{
	struct evaluation e = {
		.bytes = bytes,
		.size = size,
		.address = address,
		.eh_frame = eh_frame,
		.sink = sink,
		.left = (uint64_t)size * EFFORT,
	};
	struct entry entry;
	size_t at;
	int result;

	for (at = 0; at < size; at = (size_t)(entry.rest.end - bytes)) {
		result = take_entry(&e, at, &entry, error);
		if (result || entry.end)
			return result;
		if (entry.common || entry.rest.at == entry.rest.end)
			continue;
		result = take_function(&e, at, &entry, error);
		if (result)
			return result;
	}
	return 0;
}
