// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * generated: names of code that programs generated, from the files that they wrote. What
 * files have is kept until a later recording comes, for which they are read anew: so nothing
 * takes room for ever of a program that nobody asks for any more.
 *
 * Whoever has a struct libsp_generated lets one thread at a time use it.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code_table.h"
#include "generated.h"
#include "jitdump.h"
#include "perf_map.h"
#include "schedprof.h"

/* A process, and what it has told. */
struct program {
	int pid;
	uint64_t start_ns;
	bool lives;		/* what a process ran before exec does not */
	bool found;		/* there is a file */
	bool map_too_large;	/* there is no room for all of it, and so nothing of it */
	bool dump_too_large;	/* the same, but with times some of it is there */
	bool timed;		/* the times of dump are the recording's */
	uint64_t until;		/* dump is known before that */
	struct libsp_code_table map;
	struct libsp_code_table dump;
};

static int by_process(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->lives - y->lives;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Many frames have the same name. Return: it, or NULL. */
static const char *keep_text(struct libsp_generated *generated, const char *text)
{
	char **old = tfind(text, &generated->texts, by_text), *copy;

	if (old)
		return *old;
	copy = libsp_arena_text(generated->arena, text, strlen(text));
	return copy && tsearch(copy, &generated->texts, by_text) ? copy : NULL;
}

static void free_program(void *node)
{
	struct program *program = node;

	libsp_code_free(&program->map);
	libsp_code_free(&program->dump);
	free(program);
}

/* The last one may have more than there is room for. */
static void take_room(struct libsp_generated *generated, const struct libsp_code_table *table)
{
	uint64_t bytes = libsp_code_bytes(table);

	if (bytes > generated->room)
		bytes = generated->room;
	generated->room -= bytes;
	generated->taken += bytes;
}

static void forget_programs(struct libsp_generated *generated)
{
	tdestroy(generated->programs, free_program);
	generated->programs = NULL;
	generated->room += generated->taken;
	generated->taken = 0;
}

/*
 * What cannot be read whole is not used at all: a later line may be what is missing. Files may be
 * as large as whoever runs programs likes.
 */
static bool read_map(struct libsp_generated *generated, const struct libsp_generator *generator,
		     struct program *program)
{
	int fd = libsp_open_perf_map(generator);
	bool good;

	if (fd < 0)
		return false;
	good = generated->room && libsp_perf_map_read(fd, &program->map);
	program->map_too_large = !generated->room || program->map.full;
	if (!good || !libsp_code_ready(&program->map))
		libsp_code_free(&program->map);
	take_room(generated, &program->map);
	close(fd);
	return true;
}

static bool read_dump(struct libsp_generated *generated, const struct libsp_generator *generator,
		      struct program *program)
{
	int fd = libsp_open_jitdump(generator);
	bool good;

	if (fd < 0)
		return false;
	good = generated->room &&
	       libsp_jitdump_read(fd, &program->dump, &program->timed, &program->until);
	program->dump_too_large = !generated->room || program->dump.full;
	if (!good || !libsp_code_ready(&program->dump))
		libsp_code_free(&program->dump);
	take_room(generated, &program->dump);
	close(fd);
	return true;
}

/* Return: the program, or NULL if there is no memory. */
static struct program *find_program(struct libsp_generated *generated,
				    const struct libsp_generator *generator)
{
	const struct libsp_process *process = generator->process;
	struct program key = {
		.pid = process->pid, .start_ns = process->start_ns, .lives = process->lives,
	};
	struct program **old, *program;

	if (process->taken_ns > generated->taken_ns) {
		forget_programs(generated);
		generated->taken_ns = process->taken_ns;
	}
	old = tfind(&key, &generated->programs, by_process);
	if (old)
		return *old;
	program = malloc(sizeof(*program));
	if (!program)
		return NULL;
	*program = key;
	if (!tsearch(program, &generated->programs, by_process)) {
		free(program);
		return NULL;
	}
	program->found = read_map(generated, generator, program);
	program->found |= read_dump(generated, generator, program);
	return program;
}

static bool fill_place(struct libsp_generated *generated, const struct libsp_code *code,
		       uint64_t address, struct libsp_generated_place *place)
{
	const struct libsp_code_line *line = libsp_code_line_find(code, address);

	place->name = keep_text(generated, code->name);
	place->offset = address - code->start;
	place->size = code->end - code->start;
	if (line) {
		place->source = keep_text(generated, line->source);
		place->line = place->source ? line->line : 0;
	}
	return place->name;
}

/* Would there be a name if there were more room? Of times before @until all is there. */
static bool wants_room(const struct program *program, uint64_t time)
{
	return program->map_too_large || (program->dump_too_large && time >= program->until);
}

/**
 * libsp_generated_find() - the function that an address of generated code is in
 * @generated: where names are kept
 * @generator: whose code it is
 * @address: exactly that
 * @time: when it was there, by CLOCK_MONOTONIC in ns
 * @place: filled in
 *
 * Return: what is missing, an enum schedprof_missing.
 */
int libsp_generated_find(struct libsp_generated *generated,
			 const struct libsp_generator *generator, uint64_t address,
			 uint64_t time, struct libsp_generated_place *place)
{
	const struct libsp_code *code = NULL;
	struct program *program;

	*place = (struct libsp_generated_place){ };
	program = find_program(generated, generator);
	if (!program || !program->found)
		return SCHEDPROF_MISSING_FILE;
	if (time < program->until)
		code = libsp_code_find(&program->dump, address,
				       program->timed ? time : LIBSP_CODE_LAST);
	if (!code)
		code = libsp_code_find(&program->map, address, LIBSP_CODE_LAST);
	if (!code || !fill_place(generated, code, address, place))
		return wants_room(program, time) ? SCHEDPROF_MISSING_TOO_LARGE :
						   SCHEDPROF_MISSING_SYMBOLS;
	return SCHEDPROF_MISSING_NOTHING;
}

/**
 * libsp_generated_forget() - forget what was found
 * @generated: can be used after that; the texts stay in the arena
 */
void libsp_generated_forget(struct libsp_generated *generated)
{
	forget_programs(generated);
	tdestroy(generated->texts, libsp_arena_keep);
	generated->texts = NULL;
}
