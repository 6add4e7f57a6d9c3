// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_generated: makes unwind tables of what a process tells of its generated code, in a
 * file jit-PID.dump. What came last to an address counts, and what was not told is as if
 * there were no table. What is damaged is left out, function by function, and so is what would
 * take long because somebody made it so.
 *
 * A program writes such a file when it has a few kilobytes for it, and what it sleeps in may
 * be in the rest. Where all that it told is one and the same function, again and again, as
 * python's are, its memory is searched for more of them. No state, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"
#include "code_table.h"
#include "error.h"
#include "jitdump.h"
#include "same_code.h"
#include "unwind_generated.h"
#include "unwind_rows.h"

/* So many bytes are evaluated, also of functions of which only pieces are left. */
#define MAX_EVALUATED	((uint64_t)32 << 20)

struct making {
	struct libsp_making rows;
	uint64_t evaluated;		/* bytes */
	uint64_t start, end;		/* of what is left of the function */
	const struct libsp_code *code;	/* the first one */
	bool alike;			/* all are like it */
	struct libsp_buffer told;	/* uint64_t, where functions begin */
};

static int begin_function(void *data, uint64_t start, uint64_t end,
			  struct schedprof_error *error)
{
	struct making *m = data;
	int result;

	if (start < m->start)
		start = m->start;
	if (end > m->end)
		end = m->end;
	if (start >= end)
		return 0;
	result = libsp_making_begin(&m->rows, start, end, error);
	return result ? result : 1;
}

static int add_row(void *data, uint64_t start, uint64_t end,
		   const struct libsp_call_frame *frame, struct schedprof_error *error)
{
	struct making *m = data;

	if (end <= m->start)
		return 0;
	return libsp_making_row(&m->rows, start < m->start ? m->start : start, frame, error);
}

static bool are_alike(const struct libsp_code *a, const struct libsp_code *b)
{
	return a->frames == b->frames && a->frames_size == b->frames_size &&
	       a->end - a->start == b->end - b->start;
}

/* Adds what is told of a function, from @start up to @end, which are in it. */
static int add_function(struct making *m, const struct libsp_code *code, uint64_t start,
			uint64_t end, struct schedprof_error *error)
{
	struct libsp_call_frames_sink sink = {
		.function = begin_function, .row = add_row, .data = m, .name = m->rows.name,
	};
	struct libsp_making_mark mark;
	struct schedprof_error why;
	int result;

	if (!m->code)
		m->code = code;
	m->alike &= start == code->start && end == code->end && are_alike(code, m->code);
	/* None is as long as that. */
	if (!code->frames || code->end - code->start > UINT32_MAX)
		return 0;
	m->evaluated += code->frames_size;
	if (m->evaluated > MAX_EVALUATED) {
		m->alike = false;
		return 0;
	}
	libsp_buffer_add(&m->told, &start, sizeof(start));
	m->start = start;
	m->end = end;
	libsp_making_mark(&m->rows, &mark);
	result = libsp_call_frames(code->frames, code->frames_size,
				   code->start + ((code->end - code->start + 7) & ~7ULL),
				   true, &sink, &why);
	if (result == -SCHEDPROF_DAMAGED) {
		libsp_making_back(&m->rows, &mark);
		m->alike = false;
		return 0;
	}
	if (result && error)
		*error = why;
	return result;
}

/* Goes over all pieces of addresses, each of which has one function. */
static int add_functions(struct making *m, const struct libsp_code_table *codes,
			 struct schedprof_error *error)
{
	const struct libsp_code *code, *next;
	uint64_t start;
	int result = 0;
	size_t i;

	for (i = 0; !result && i + 1 < codes->bound_count; i++) {
		start = codes->bounds[i];
		code = libsp_code_find(codes, start, LIBSP_CODE_LAST);
		for (; i + 2 < codes->bound_count; i++) {
			next = libsp_code_find(codes, codes->bounds[i + 1], LIBSP_CODE_LAST);
			if (next != code)
				break;
		}
		if (code)
			result = add_function(m, code, start, codes->bounds[i + 1], error);
	}
	return result;
}

/* Called for each that was found. */
static int add_same(void *data, uint64_t start, struct schedprof_error *error)
{
	struct making *m = data;

	return libsp_making_again(&m->rows, start, error);
}

static int add_all(struct making *m, const struct libsp_code_table *codes,
		   const struct sp_unwind_process *process, struct schedprof_error *error)
{
	struct libsp_same_code same;
	int result;

	m->alike = true;
	result = add_functions(m, codes, error);
	if (!result && m->told.failed)
		return libsp_no_memory(error);
	/* Each has been one entry, of the whole function. */
	if (result || !process->pid || !m->alike ||
	    !libsp_making_count(&m->rows) ||
	    libsp_making_count(&m->rows) != m->told.size / sizeof(uint64_t))
		return result;
	same = (struct libsp_same_code){
		.pid = (int)process->pid,
		.told = (const uint64_t *)m->told.at,
		.count = m->told.size / sizeof(uint64_t),
		.size = m->code->end - m->code->start,
		.found = add_same,
		.data = m,
	};
	return libsp_same_code_find(&same, error);
}

static struct schedprof_unwind *make_window(const struct making *m, size_t *first,
					    const struct sp_unwind_process *process,
					    struct schedprof_error *error)
{
	struct sp_unwind_header header = {
		.flags = SP_UNWIND_PROCESS, .build_id_bytes = sizeof(*process),
	};
	struct sp_unwind_process of = *process;
	struct libsp_buffer table = { };

	of.window = (uint32_t)(libsp_making_start(&m->rows, *first) >> 32);
	memcpy(header.build_id, &of, sizeof(of));
	libsp_buffer_add(&table, &header, sizeof(header));
	*first = libsp_making_put(&m->rows, *first, SP_UNWIND_UNTOLD, &table);
	return libsp_making_finish(&m->rows, &table, error);
}

static int make_windows(struct making *m, const struct sp_unwind_process *process,
			struct libsp_generated_unwind *made, struct schedprof_error *error)
{
	size_t first = 0;

	if (!libsp_making_count(&m->rows))
		return libsp_fail(error, SCHEDPROF_NOT_FOUND,
				  "%s does not tell how generated code is unwound, so no unwind table can be made; python does with -X perf_jit, node with --perf-prof-unwinding-info",
				  m->rows.name);
	libsp_making_sort(&m->rows);
	while (first < libsp_making_count(&m->rows) && made->count < LIBSP_MAX_WINDOWS) {
		made->table[made->count] = make_window(m, &first, process, error);
		if (!made->table[made->count])
			return -SCHEDPROF_TOO_LARGE;
		made->count++;
	}
	return 0;
}

/**
 * libsp_unwind_of_dump() - make tables of what a process tells of its generated code
 * @fd: of the file jit-PID.dump; stays open
 * @name: of the file, for messages
 * @process: whose it is; its window does not matter. With PID 0 no memory is looked at
 * @made: filled in; to be given back in any case
 * @error: why not, or NULL
 *
 * Return: 0 or a negative code: SCHEDPROF_NOT_FOUND if nothing is told, or if it is no such
 * file, SCHEDPROF_TOO_LARGE, ...
 */
int libsp_unwind_of_dump(int fd, const char *name, const struct sp_unwind_process *process,
			 struct libsp_generated_unwind *made, struct schedprof_error *error)
{
	struct libsp_code_table codes = { };
	struct making m = { .rows.name = name };
	bool whole = true;
	int result = 0;

	*made = (struct libsp_generated_unwind){ };
	if (libsp_jitdump_frames(fd, &codes, &whole) && whole && libsp_code_ready(&codes))
		result = add_all(&m, &codes, process, error);
	if (!whole)
		result = libsp_fail(error, SCHEDPROF_TOO_LARGE,
				    "%s could not be read whole, so no unwind table is made of it: it tells of more than %d functions, or there is not enough memory",
				    name, LIBSP_MAX_CODE);
	if (!result)
		result = make_windows(&m, process, made, error);
	libsp_code_free(&codes);
	libsp_buffer_free(&m.told);
	libsp_making_free(&m.rows);
	return result;
}

/* @made: filled by libsp_unwind_of_dump() */
void libsp_generated_unwind_free(struct libsp_generated_unwind *made)
{
	while (made->count)
		schedprof_unwind_free(made->table[--made->count]);
}
