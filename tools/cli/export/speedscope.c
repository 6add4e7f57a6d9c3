// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope: the JSON that speedscope reads: a profile of samples with weights in ns,
 * each of which is a row, whose outermost frame is its thread. No state but that of one
 * call, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../json.h"
#include "../names.h"
#include "facts.h"
#include "formats.h"
#include "numbers.h"
#include "places.h"
#include "walk.h"

#define SCHEMA	"https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	struct cli_json samples;
	FILE *weights;		/* goes behind the samples */
	FILE *frames;		/* goes behind the profile */
	struct cli_numbers numbers;
	uint64_t total;
};

static size_t frame_number(struct speedscope *s, const char *name,
			   const struct schedprof_frame *frame)
{
	const char *file = frame ? cli_place_file(frame) : NULL;
	struct cli_json list = { .out = s->frames };
	size_t before = s->numbers.count, number;

	number = cli_number_of(&s->numbers, "%s\n%s\n%u", name, file ? file : "",
			       frame ? frame->line : 0)->number;
	if (s->numbers.count == before)
		return number;
	fprintf(s->frames, "%s\n    {", number ? "," : "");
	cli_json_text(&list, "name", name);
	if (file)
		cli_json_text(&list, "file", file);
	if (frame && frame->line)
		cli_json_number(&list, "line", frame->line);
	fputs(" }", s->frames);
	return number;
}

static int write_sample(const struct cli_report *report, const struct cli_stack *stack,
			void *data)
{
	struct speedscope *s = data;
	struct cli_json list = { .out = s->samples.out };
	size_t i, number;

	(void)report;
	fprintf(s->weights, "%s%" PRIu64, s->samples.more ? ", " : "", stack->row->total);
	cli_json_next(&s->samples, "\n      [");
	if (stack->thread) {
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", frame_number(s, stack->thread, NULL));
	}
	for (i = 0; i < stack->count; i++) {
		const struct cli_level *level = &stack->levels[i];

		number = frame_number(s, level->name, level->is_frame ? &level->frame : NULL);
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", number);
	}
	fputc(']', list.out);
	s->total += stack->row->total;
	return CLI_OK;
}

/* Return: what the walk returned. */
static int write_profile(const struct cli_report *report, struct speedscope *s,
			 char **weights, FILE *out)
{
	struct cli_json profile = { .out = out };
	int err;

	fputs("\n    {", out);
	cli_json_text(&profile, "type", "sampled");
	cli_json_text(&profile, "name", cli_time_name(report));
	cli_json_text(&profile, "unit", report->cycles ? "none" : "nanoseconds");
	cli_json_key(&profile, "\n      ", "samples");
	fputc('[', out);
	s->samples.out = out;
	err = cli_walk(report, SCHEDPROF_NAMED, write_sample, s);
	fputc(']', out);
	fflush(s->weights);
	cli_json_key(&profile, "\n      ", "weights");
	fprintf(out, "[%s]", *weights);
	cli_json_number(&profile, "startValue", 0);
	cli_json_number(&profile, "endValue", s->total);
	fputs(" }", out);
	return err;
}

static int write_file(const struct cli_report *report, struct speedscope *s,
		      char **weights, char **frames, FILE *out)
{
	struct cli_json top = { .out = out };
	struct cli_json list;
	int err;

	fputc('{', out);
	cli_json_text(&top, "$schema", SCHEMA);
	cli_json_text(&top, "exporter", "schedprof " SCHEDPROF_VERSION);
	cli_json_text(&top, "name", cli_time_name(report));
	list = cli_json_open(&top, "profiles", '[');
	err = write_profile(report, s, weights, out);
	cli_json_close(&list, ']');
	fflush(s->frames);
	cli_json_key(&top, "\n  ", "shared");
	fprintf(out, "{ \"frames\": [%s ] }\n}\n", *frames);
	if (!err && (s->numbers.failed || ferror(s->weights) || ferror(s->frames)))
		err = cli_no_memory();
	return err;
}

/* A file of speedscope. */
int cli_write_speedscope(const struct cli_report *report, FILE *out)
{
	char *weights = NULL, *frames = NULL;
	struct speedscope s = { };
	size_t weights_size, frames_size;
	int err;

	s.weights = open_memstream(&weights, &weights_size);
	s.frames = open_memstream(&frames, &frames_size);
	if (s.weights && s.frames)
		err = write_file(report, &s, &weights, &frames, out);
	else
		err = cli_no_memory();
	if (s.weights)
		fclose(s.weights);
	if (s.frames)
		fclose(s.frames);
	free(weights);
	free(frames);
	cli_numbers_free(&s.numbers);
	return err;
}
