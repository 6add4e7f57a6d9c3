// SPDX-License-Identifier: GPL-2.0-only
/*
 * json: counters as JSON, which doc/json-schema/metrics.json describes. It is made of
 * Prometheus's text format, so that both say the same: what is escaped in a label there is what
 * JSON wants to be escaped. A pure function on what it is given, which is used by one thread, so
 * nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../json.h"
#include "../names.h"
#include "../say.h"
#include "format.h"
#include "json.h"

struct converting {
	FILE *out;
	struct cli_json metrics, samples;
	bool open;		/* a metric is */
};

static void close_metric(struct converting *c)
{
	if (c->open)
		fprintf(c->out, "%s] }", c->samples.more ? "\n    " : "");
	c->open = false;
}

/* "# HELP name text" begins a metric, "# TYPE name type" is the next line. */
static void convert_head(struct converting *c, char *line)
{
	struct cli_json metric = { .out = c->out };
	char *name = line + strlen("# HELP "), *text = name + strcspn(name, " ");
	bool begins = !strncmp(line, "# HELP ", strlen("# HELP "));

	if (*text)
		*text++ = '\0';
	if (begins) {
		close_metric(c);
		cli_json_next(&c->metrics, "\n    ");
		fputc('{', c->out);
		cli_json_text(&metric, "name", name);
		cli_json_text(&metric, "help", text);
		return;
	}
	metric.more = true;
	cli_json_text(&metric, "type", text);
	cli_json_key(&metric, " ", "samples");
	fputc('[', c->out);
	c->samples = (struct cli_json){ .out = c->out };
	c->open = true;
}

/* The labels of name{label="value",...} value. Return: what stands behind them. */
static const char *convert_labels(struct converting *c, const char *at)
{
	const char *end;

	for (at++; *at && *at != '}'; at += *at == ',') {
		end = at + strcspn(at, "=");
		fprintf(c->out, " \"%.*s\": ", (int)(end - at), at);
		at = end + 1;
		for (end = at + 1; *end && *end != '"'; end++)
			end += *end == '\\' && end[1];
		fwrite(at, 1, (size_t)(end + 1 - at), c->out);
		at = end + 1;
		if (*at == ',')
			fputc(',', c->out);
	}
	return at;
}

static void convert_sample(struct converting *c, const char *line)
{
	size_t length = strcspn(line, "{");

	cli_json_next(&c->samples, "\n      ");
	fprintf(c->out, "{ \"name\": \"%.*s\", \"labels\": {", (int)length, line);
	line = convert_labels(c, line + length);
	fprintf(c->out, " }, \"value\": %s }", line + strlen("} "));
}

/**
 * cli_metrics_print_json() - all counters of the sessions that are there
 * @totals: the counters
 * @out: where to; whoever closes it learns of errors
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_metrics_print_json(const struct cli_totals *totals, FILE *out)
{
	struct converting c = { .out = out };
	struct cli_json top = { .out = out };
	char *text = NULL, *line, *next;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	bool whole;

	if (!memory)
		return cli_no_memory();
	cli_metrics_print(totals, memory);
	whole = !ferror(memory);
	if (fclose(memory) || !whole) {
		free(text);
		return cli_no_memory();
	}
	fputc('{', out);
	cli_json_key(&top, "\n  ", "schedprof_metrics");
	fputc('1', out);
	c.metrics = cli_json_open(&top, "metrics", '[');
	for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		if (*line == '#')
			convert_head(&c, line);
		else
			convert_sample(&c, line);
	}
	close_metric(&c);
	cli_json_close(&c.metrics, ']');
	fputs("\n}\n", out);
	free(text);
	return CLI_OK;
}
