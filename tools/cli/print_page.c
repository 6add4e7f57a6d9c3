// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_page: a flame graph as one page, which needs nothing but itself: the script and
 * the style (the files in the directory page), the tree as JSON, and a table for who has
 * no JavaScript. The page allows itself no other script, style, or way to the network; the
 * hashes by which it does are made when the program is built.
 *
 * The tree is four lists, depth first: how many levels to go up from the node before to
 * the parent, the index of the name, and the times inside of which nothing else is. Reads
 * trees and has no state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "page_files.h"
#include "print_page.h"
#include "words.h"

/* Numbers of JavaScript are exact up to here. */
#define EXACT	(UINT64_C(1) << 53)

#define TABLE_ROWS	50

/* Prints the lines of the head, without their #. The first one is the title. */
static void print_head_lines(const struct cli_picture *picture, FILE *out)
{
	char *copy = strdup(picture->head), *rest = copy, *line;
	bool first = true;

	while (copy && (line = strsep(&rest, "\n"))) {
		line += strspn(line, "# ");
		if (!*line)
			continue;
		fputs(first ? "<h1>" : "<p>", out);
		cli_print_xml(out, line);
		fputs(first ? "</h1>\n" : "</p>\n", out);
		first = false;
	}
	free(copy);
}

static void print_title(const struct cli_picture *picture, FILE *out)
{
	const char *line = picture->head + strspn(picture->head, "# ");
	char *title = strndup(line, strcspn(line, "\n"));

	fputs("<title>", out);
	cli_print_xml(out, title ? title : "");
	fputs("</title>\n", out);
	free(title);
}

static void print_page_begin(const struct cli_picture *picture, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	fprintf(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
		"form-action 'none'\">\n", cli_page_script_hash, cli_page_style_hash);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"schedprof\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n", out);
	print_title(picture, out);
	fprintf(out, "<style>%s</style>\n</head>\n<body>\n<header>\n", cli_page_style);
	print_head_lines(picture, out);
	fputs("</header>\n", out);
}

static void print_cell(const struct cli_picture *picture, uint64_t time, uint64_t all, FILE *out)
{
	char word[CLI_WORD];

	fprintf(out, "<td>%s</td>", cli_length(word, time, picture->cycles));
	fprintf(out, "<td>%s</td>", cli_share(word, time, all));
}

static void print_table_row(const struct cli_picture *picture,
			    const struct cli_flame_line *line, FILE *out)
{
	const struct cli_flame_times *all = &picture->flame.nodes[0].total;

	fputs("<tr>", out);
	print_cell(picture, line->times.now, all->now, out);
	if (picture->difference)
		print_cell(picture, line->times.before, all->before, out);
	fputs("<td>", out);
	cli_print_xml(out, line->folded);
	fputs("</td></tr>\n", out);
}

/* For who has no JavaScript. */
static bool print_table(const struct cli_picture *picture, FILE *out)
{
	size_t i, n, all = picture->flame.line_count;
	const struct cli_flame_line **lines = calloc(all + 1, sizeof(*lines));

	if (!lines)
		return false;
	n = cli_flame_greatest(&picture->flame, TABLE_ROWS, lines);
	fputs("<noscript>\n<p>The picture is drawn by JavaScript, which is switched off here.",
	      out);
	fprintf(out, " These are the %zu greatest of %zu stacks:</p>\n<table>\n<tr>", n, all);
	fputs(picture->difference ? "<th>after</th><th></th><th>before</th><th></th>" :
				    "<th>time</th><th></th>", out);
	fputs("<th>stack, the outermost frame first</th></tr>\n", out);
	for (i = 0; i < n; i++)
		print_table_row(picture, lines[i], out);
	fputs("</table>\n</noscript>\n", out);
	free(lines);
	return true;
}

static void print_colors(const char *name, const struct cli_flame_colors *colors, size_t n,
			 FILE *out)
{
	size_t i;

	fprintf(out, ",\n\"%s\": [", name);
	for (i = 0; i < n; i++)
		fprintf(out, "%s[\"%s\", \"%s\"]", i ? ", " : "", colors[i].light,
			colors[i].dark);
	fputc(']', out);
}

static void print_kinds(FILE *out)
{
	size_t i;

	fputs(",\n\"kinds\": [", out);
	for (i = 0; i < CLI_FLAME_KINDS; i++) {
		const struct cli_flame_kind_row *row = &cli_flame_kinds[i];

		fprintf(out, "%s\n  {\"name\": \"%s\", \"about\": \"%s\", ", i ? "," : "",
			row->name, row->about);
		fprintf(out, "\"colors\": [\"%s\", \"%s\"]}", row->colors.light,
			row->colors.dark);
	}
	fputc(']', out);
}

static void print_names(const struct cli_flame *flame, FILE *out)
{
	uint32_t i;

	fputs(",\n\"names\": [", out);
	for (i = 0; i < flame->name_count; i++) {
		fputs(i ? ",\n" : "\n", out);
		cli_print_page_quoted(out, flame->names[i].text);
	}
	fputs("],\n\"kind\": \"", out);
	for (i = 0; i < flame->name_count; i++)
		fputc('0' + (int)flame->names[i].kind, out);
	fputc('"', out);
}

static uint64_t ups_of(const struct cli_flame *flame, uint32_t node, uint32_t before)
{
	return flame->nodes[before].depth + 1 - flame->nodes[node].depth;
}

static bool is_exact(struct cli_flame_times times)
{
	return times.now <= EXACT && times.before <= EXACT;
}

/* Prints one list, which has a number for each node. */
static void print_list(const struct cli_flame *flame, const char *name, const char *quote,
		       uint64_t (*number)(const struct cli_flame *flame, uint32_t node,
					  uint32_t before), FILE *out)
{
	uint32_t node, before = 0;

	fprintf(out, ",\n\"%s\": [", name);
	for (node = cli_flame_next(flame, 0, true); node;
	     node = cli_flame_next(flame, node, true)) {
		fprintf(out, "%s%s%" PRIu64 "%s", before ? "," : "", quote,
			number(flame, node, before), quote);
		before = node;
	}
	fputc(']', out);
}

static uint64_t name_of(const struct cli_flame *flame, uint32_t node, uint32_t before)
{
	(void)before;
	return flame->nodes[node].name;
}

static uint64_t self_of(const struct cli_flame *flame, uint32_t node, uint32_t before)
{
	(void)before;
	return flame->nodes[node].self.now;
}

static uint64_t self_before_of(const struct cli_flame *flame, uint32_t node, uint32_t before)
{
	(void)before;
	return flame->nodes[node].self.before;
}

static void print_data(const struct cli_picture *picture, FILE *out)
{
	const struct cli_flame *flame = &picture->flame;
	const char *quote = is_exact(flame->nodes[0].total) ? "" : "\"";

	fprintf(out, "{\"schedprof_flame\": 1,\n\"unit\": \"%s\",\n\"stacks\": %zu",
		picture->cycles ? "cycles" : "ns", flame->line_count);
	/* What belongs to no stack: of rows without one. */
	fprintf(out, ",\n\"self_of_all\": [\"%" PRIu64 "\", \"%" PRIu64 "\"]",
		flame->nodes[0].self.now, flame->nodes[0].self.before);
	fprintf(out, ",\n\"total\": [\"%" PRIu64 "\", \"%" PRIu64 "\"]",
		flame->nodes[0].total.now, flame->nodes[0].total.before);
	print_kinds(out);
	print_colors("more", cli_flame_more, CLI_FLAME_STEPS, out);
	print_colors("less", cli_flame_less, CLI_FLAME_STEPS, out);
	print_names(flame, out);
	print_list(flame, "up", "", ups_of, out);
	print_list(flame, "name", "", name_of, out);
	print_list(flame, "self", quote, self_of, out);
	if (picture->difference)
		print_list(flame, "before", quote, self_before_of, out);
	fputs("}\n", out);
}

/**
 * cli_print_page() - a flame graph as a page
 * @picture: what it shows
 * @out: where to
 *
 * Return: false if there was not enough memory.
 */
bool cli_print_page(const struct cli_picture *picture, FILE *out)
{
	print_page_begin(picture, out);
	if (!print_table(picture, out))
		return false;
	fputs("<script type=\"application/json\" id=\"data\">", out);
	print_data(picture, out);
	fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n", cli_page_script);
	return true;
}
