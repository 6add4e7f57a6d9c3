// SPDX-License-Identifier: GPL-2.0-only
/*
 * line: a line of the screen, whose width is known whatever is in it. State: whether the
 * terminal takes more than ASCII, set once. One thread, so nothing is locked.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "../../shared/utf8.h"
#include "line.h"

/* What one character of a name becomes: itself, or \xHH. */
#define GLYPH	8

static bool only_ascii;

/**
 * top_names_in_ascii() - from now on, what is no ASCII is written in hexadecimal
 */
void top_names_in_ascii(void)
{
	only_ascii = true;
}

/**
 * top_line_begin() - an empty line
 * @line: filled in
 * @most: how wide it may become; or TOP_ANY_WIDTH
 */
void top_line_begin(struct top_line *line, int most)
{
	line->length = 0;
	line->width = 0;
	line->most = most;
	line->text[0] = '\0';
}

/**
 * top_line_fits() - is there room for so much
 * @line: begun
 * @width: in columns
 */
bool top_line_fits(const struct top_line *line, int width)
{
	return line->most == TOP_ANY_WIDTH || line->width + width <= line->most;
}

/* Return: is there room for it. */
static bool add_glyph(struct top_line *line, enum top_style style, const char *glyph,
		      size_t bytes, int width)
{
	if (line->length + bytes >= TOP_LINE || !top_line_fits(line, width))
		return false;
	memcpy(line->text + line->length, glyph, bytes);
	memset(line->style + line->length, (int)style, bytes);
	line->length += bytes;
	line->text[line->length] = '\0';
	line->width += width;
	return true;
}

/**
 * top_line_put() - text of this program, which is ASCII
 * @line: is continued
 * @style: enum top_style
 * @format: as of printf(3)
 */
void top_line_put(struct top_line *line, enum top_style style, const char *format, ...)
{
	char text[TOP_LINE];
	const char *at = text;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	while (*at && add_glyph(line, style, at, 1, 1))
		at++;
}

/* How wide a character of UTF-8 is; 1 where the locale does not tell. */
static int columns_of(const char *at, size_t bytes)
{
	mbstate_t state = { 0 };
	wchar_t letter;
	int width;

	if (bytes == 1 || mbrtowc(&letter, at, bytes, &state) != bytes)
		return 1;
	width = wcwidth(letter);
	return width < 0 ? 1 : width;
}

/*
 * The next character of a name as it is shown. Return: how many bytes of the name it
 * takes; 0 at its end.
 */
static size_t next_glyph(const char *at, char glyph[GLYPH], size_t *bytes, int *width)
{
	size_t n = *at == '\\' ? 0 : utf8_printable(at);

	if (!*at)
		return 0;
	if (!n || (n > 1 && only_ascii)) {
		*bytes = (size_t)snprintf(glyph, GLYPH, "\\x%02x", (unsigned char)*at);
		*width = (int)*bytes;
		return 1;
	}
	memcpy(glyph, at, n);
	*bytes = n;
	*width = columns_of(at, n);
	return n;
}

/**
 * top_name_width() - of a name, as it is shown
 * @name: the name
 *
 * Return: in columns.
 */
int top_name_width(const char *name)
{
	char glyph[GLYPH];
	int width, all = 0;
	size_t n, bytes;

	while ((n = next_glyph(name, glyph, &bytes, &width))) {
		all += width;
		name += n;
	}
	return all;
}

/* Leaves out the beginning of a name, so that the rest is not wider. */
static const char *end_of_name(const char *name, int width)
{
	int rest = top_name_width(name), wide;
	char glyph[GLYPH];
	size_t bytes;

	while (rest > width) {
		name += next_glyph(name, glyph, &bytes, &wide);
		rest -= wide;
	}
	return name;
}

static void add_name(struct top_line *line, enum top_style style, const char *name, int most)
{
	char glyph[GLYPH];
	int width, used = 0;
	size_t n, bytes;

	while ((n = next_glyph(name, glyph, &bytes, &width))) {
		if (used + width > most || !add_glyph(line, style, glyph, bytes, width))
			return;
		used += width;
		name += n;
	}
}

/**
 * top_line_name() - what somebody else has chosen
 * @line: is continued
 * @style: enum top_style
 * @name: what cannot be printed becomes \xHH
 * @width: it is cut if it is wider; or TOP_ANY_WIDTH
 * @keep_end: cut off its beginning, as of a path
 */
void top_line_name(struct top_line *line, enum top_style style, const char *name, int width,
		   bool keep_end)
{
	static const char cut = TOP_CUT;

	if (width == TOP_ANY_WIDTH && line->most != TOP_ANY_WIDTH)
		width = line->most - line->width;
	if (width == TOP_ANY_WIDTH || top_name_width(name) <= width) {
		add_name(line, style, name, TOP_LINE);
		return;
	}
	if (width < 1)
		return;
	if (keep_end) {
		add_glyph(line, TOP_DIM, &cut, 1, 1);
		add_name(line, style, end_of_name(name, width - 1), width - 1);
	} else {
		add_name(line, style, name, width - 1);
		add_glyph(line, TOP_DIM, &cut, 1, 1);
	}
}

/**
 * top_line_party() - what a task, or a group of them, is called
 * @line: is continued
 * @style: enum top_style
 * @party: which one
 * @width: as of top_line_name()
 * @keep_end: as of top_line_name()
 */
void top_line_party(struct top_line *line, enum top_style style, const struct cli_party *party,
		    int width, bool keep_end)
{
	char text[CLI_NAME];

	top_line_name(line, style, cli_party_name(party, text), width, keep_end);
}

/**
 * top_line_to() - blanks up to a column
 * @line: is continued, if it is not that wide already
 * @column: from 0
 */
void top_line_to(struct top_line *line, int column)
{
	while (line->width < column && add_glyph(line, TOP_PLAIN, " ", 1, 1))
		;
}
