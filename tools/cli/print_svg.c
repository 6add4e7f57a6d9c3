// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_svg: a flame graph as SVG for documents: what is outermost is on top, as in the
 * page. No script and no style sheet, so that every program for documents can show it.
 * What would be narrower than LEAST is left out, and told below. Reads trees and has no
 * state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../shared/utf8.h"
#include "names.h"
#include "print_page.h"
#include "words.h"

#define WIDTH	1200.0
#define MARGIN	10.0
#define ROW	18.0
#define LETTER	6.7	/* how wide one is, of 11 px and fixed width */
#define LEAST	0.5	/* of a frame, in px */
#define HEAD	30.0	/* height, with the title */
#define FOOT	46.0	/* with the legend and what was left out */

struct svg {
	const struct cli_picture *picture;
	const struct cli_flame *flame;
	double *left;		/* of each node */
	uint64_t all;
	uint64_t greatest_change;
	uint32_t depth;		/* of what is drawn */
	uint32_t drawn, left_out;
	uint64_t time_left_out;
	bool kinds[CLI_FLAME_KINDS];
	FILE *out;
};

/* Of a comparison, frames are as wide as they are after. */
static uint64_t width_of(const struct svg *svg, uint32_t node)
{
	return svg->flame->nodes[node].total.now;
}

static double pixels(const struct svg *svg, uint64_t time)
{
	return svg->all ? (WIDTH - 2 * MARGIN) * (double)time / (double)svg->all : 0;
}

static bool is_drawn(const struct svg *svg, uint32_t node)
{
	return !node || pixels(svg, width_of(svg, node)) >= LEAST;
}

/* Counts a node that is drawn, and places what is inside of it. */
static void place_inside(struct svg *svg, uint32_t node)
{
	const struct cli_flame_node *nodes = svg->flame->nodes;
	double at = svg->left[node];
	uint32_t child;

	svg->drawn++;
	if (node)
		svg->kinds[svg->flame->names[nodes[node].name].kind] = true;
	if (nodes[node].depth > svg->depth)
		svg->depth = nodes[node].depth;
	for (child = nodes[node].first; child; child = nodes[child].next) {
		svg->left[child] = at;
		at += pixels(svg, width_of(svg, child));
	}
}

/* Places all nodes, and counts which of them are drawn. */
static void place_nodes(struct svg *svg)
{
	uint32_t node = 0;

	svg->left[0] = MARGIN;
	do {
		if (is_drawn(svg, node))
			place_inside(svg, node);
		else
			svg->time_left_out += width_of(svg, node);
		node = cli_flame_next(svg->flame, node, is_drawn(svg, node));
	} while (node);
	svg->left_out = svg->flame->node_count - svg->drawn;
}

/* Prints as many letters as there is room for. */
static void print_label(const struct svg *svg, const char *name, double width)
{
	size_t room = width > 2 * LETTER ? (size_t)((width - 6) / LETTER) : 0, n = 0, letters = 0;
	char *cut;

	while (name[n] && letters < room) {
		n += utf8_printable(name + n) ?: 1;
		letters++;
	}
	if (name[n] && letters < 4)
		return;
	/* The last letters make room for two dots. */
	for (; name[n] && letters > room - 2; letters--)
		do
			n--;
		while (n && (name[n] & 0xc0) == 0x80);
	cut = strndup(name, n);
	if (!cut)
		return;
	cli_print_xml(svg->out, cut);
	fputs(name[n] ? ".." : "", svg->out);
	free(cut);
}

static void print_figures(const struct svg *svg, struct cli_flame_times times)
{
	char time[CLI_WORD], share[CLI_WORD];
	const char *unit = svg->picture->cycles ? "cycles" : "ns";

	fprintf(svg->out, "%s (%s), %" PRIu64 " %s",
		cli_length(time, times.now, svg->picture->cycles),
		cli_share(share, times.now, svg->all), times.now, unit);
	if (svg->picture->difference)
		fprintf(svg->out, "; before: %s, %" PRIu64 " %s",
			cli_length(time, times.before, svg->picture->cycles), times.before, unit);
}

static const char *color_of(const struct svg *svg, uint32_t node)
{
	const struct cli_flame_node *at = &svg->flame->nodes[node];

	if (svg->picture->difference)
		return cli_flame_change_color(at->total, svg->greatest_change);
	return node ? cli_flame_kinds[svg->flame->names[at->name].kind].colors.light : "#d9dce0";
}

static void print_node(const struct svg *svg, uint32_t node)
{
	const struct cli_flame_node *at = &svg->flame->nodes[node];
	const struct cli_flame_name *name = &svg->flame->names[at->name];
	const char *text = node ? name->text : "all";
	double width = pixels(svg, width_of(svg, node)), top = HEAD + at->depth * ROW;
	FILE *out = svg->out;

	fputs("<g><title>", out);
	cli_print_xml(out, text);
	if (node)
		fprintf(out, " (%s)", cli_flame_kinds[name->kind].name);
	fputs("\n", out);
	print_figures(svg, at->total);
	/* A gap tells neighbours apart, unless there is no room for it. */
	fprintf(out, "</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\" fill=\"%s\"/>",
		svg->left[node], top, width > 2 ? width - 0.6 : width, ROW - 1,
		color_of(svg, node));
	if (width > 3 * LETTER) {
		fprintf(out, "<text x=\"%.2f\" y=\"%.0f\">", svg->left[node] + 3, top + 13);
		print_label(svg, text, width);
		fputs("</text>", out);
	}
	fputs("</g>\n", out);
}

static double print_swatch(const struct svg *svg, double x, double y, const char *color,
			   const char *text)
{
	fprintf(svg->out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\"/>",
		x, y - 10, color);
	fprintf(svg->out, "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 16, y, text);
	return x + 16 + LETTER * (double)(strlen(text) + 3);
}

static void print_legend(const struct svg *svg, double y)
{
	double x = MARGIN;
	size_t i;

	if (svg->picture->difference) {
		x = print_swatch(svg, x, y, cli_flame_more[CLI_FLAME_STEPS - 1].light, "more than before");
		print_swatch(svg, x, y, cli_flame_less[CLI_FLAME_STEPS - 1].light,
			     "less than before (as wide as after)");
		return;
	}
	for (i = 0; i < CLI_FLAME_KINDS; i++)
		if (svg->kinds[i])
			x = print_swatch(svg, x, y, cli_flame_kinds[i].colors.light,
					 cli_flame_kinds[i].name);
}

static void print_left_out(const struct svg *svg, double y)
{
	char share[CLI_WORD];

	fprintf(svg->out, "<text x=\"%.0f\" y=\"%.0f\" fill=\"#555\">", MARGIN, y);
	if (svg->left_out)
		fprintf(svg->out, "%" PRIu32 " frames narrower than %.1f px are left out, which are %s of the time.",
			svg->left_out, LEAST, cli_share(share, svg->time_left_out, svg->all));
	else
		fputs("All frames are there.", svg->out);
	fputs("</text>\n", svg->out);
}

static void print_picture(struct svg *svg)
{
	const char *title = svg->picture->head + strspn(svg->picture->head, "# ");
	char *line = strndup(title, strcspn(title, "\n"));
	double height = HEAD + (svg->depth + 1) * ROW + FOOT;
	uint32_t node = 0;
	FILE *out = svg->out;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" ",
		WIDTH, height, WIDTH, height);
	fputs("font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" ", out);
	fputs("font-size=\"11\" fill=\"#1b1f24\">\n", out);
	fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", WIDTH, height);
	fprintf(out, "<text x=\"%.0f\" y=\"19\" font-size=\"13\" font-weight=\"bold\">", MARGIN);
	cli_print_xml(out, line ? line : "");
	fputs("</text>\n", out);
	free(line);
	do {
		if (is_drawn(svg, node))
			print_node(svg, node);
		node = cli_flame_next(svg->flame, node, is_drawn(svg, node));
	} while (node);
	print_legend(svg, height - 26);
	print_left_out(svg, height - 8);
	fputs("</svg>\n", out);
}

/**
 * cli_print_svg() - a flame graph as SVG
 * @picture: what it shows
 * @out: where to
 *
 * Return: false if there was not enough memory.
 */
bool cli_print_svg(const struct cli_picture *picture, FILE *out)
{
	struct svg svg = {
		.picture = picture,
		.flame = &picture->flame,
		.left = calloc(picture->flame.node_count, sizeof(double)),
		.all = picture->flame.nodes[0].total.now,
		.out = out,
	};

	if (!svg.left)
		return false;
	if (picture->difference)
		svg.greatest_change = cli_flame_greatest_change(&picture->flame);
	place_nodes(&svg);
	print_picture(&svg);
	free(svg.left);
	return true;
}
