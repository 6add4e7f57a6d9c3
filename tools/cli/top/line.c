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

/* Columns, and bytes beyond one for each of these. */
struct room {
	int width, beyond;
};

/* What one character of a name becomes: itself, or \xHH. */
struct glyph {
	char text[8];
	size_t bytes;
	struct room room;
};

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
static size_t next_glyph(const char *at, struct glyph *glyph)
{
	size_t n = *at == '\\' ? 0 : utf8_printable(at);

	if (!*at)
		return 0;
	if (!n || (n > 1 && only_ascii)) {
		glyph->bytes = (size_t)snprintf(glyph->text, sizeof(glyph->text), "\\x%02x",
						(unsigned char)*at);
		glyph->room = (struct room) { (int)glyph->bytes, 0 };
		return 1;
	}
	memcpy(glyph->text, at, n);
	glyph->bytes = n;
	glyph->room.width = columns_of(at, n);
	glyph->room.beyond = (int)n - glyph->room.width;
	return n;
}

static bool has_room(struct room room, struct room need)
{
	return need.width <= room.width && need.beyond <= room.beyond;
}

static void take_off(struct room *room, const struct glyph *glyph)
{
	room->width -= glyph->room.width;
	room->beyond -= glyph->room.beyond;
}

static struct room room_of_name(const char *name)
{
	struct room all = { 0 };
	struct glyph glyph;
	size_t n;

	while ((n = next_glyph(name, &glyph))) {
		all.width += glyph.room.width;
		all.beyond += glyph.room.beyond;
		name += n;
	}
	return all;
}

/**
 * top_name_width() - of a name, as it is shown
 * @name: the name
 *
 * Return: in columns.
 */
int top_name_width(const char *name)
{
	return room_of_name(name).width;
}

/*
 * What a name may take that is so wide at most. A character may take no column, so that there
 * may be any number of them: a byte is left for each column that is not the name's.
 */
static struct room room_for_name(const struct top_line *line, int width)
{
	int bytes = TOP_NAME;

	if (line->most != TOP_ANY_WIDTH)
		bytes = TOP_LINE - 1 - (int)line->length - (line->most - line->width - width);
	return (struct room) { width, bytes > width ? bytes - width : 0 };
}

/* Leaves out the beginning of a name, so that there is room for the rest. */
static const char *end_of_name(const char *name, struct room room)
{
	struct room rest = room_of_name(name);
	struct glyph glyph;

	while (!has_room(room, rest)) {
		name += next_glyph(name, &glyph);
		take_off(&rest, &glyph);
	}
	return name;
}

static void add_name(struct top_line *line, enum top_style style, const char *name,
		     struct room room)
{
	struct glyph glyph;
	size_t n;

	while ((n = next_glyph(name, &glyph))) {
		if (!has_room(room, glyph.room) ||
		    !add_glyph(line, style, glyph.text, glyph.bytes, glyph.room.width))
			return;
		take_off(&room, &glyph);
		name += n;
	}
}

/* How wide a name may be where nobody has said so. */
static int widest(const struct top_line *line, const char *name)
{
	int width = top_name_width(name);

	if (line->most != TOP_ANY_WIDTH)
		return line->most - line->width;
	return width < TOP_NAME ? width : TOP_NAME;
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
	struct room room;

	room = room_for_name(line, width == TOP_ANY_WIDTH ? widest(line, name) : width);
	if (has_room(room, room_of_name(name))) {
		add_name(line, style, name, room);
		return;
	}
	if (room.width < 1)
		return;
	room.width--;
	if (keep_end) {
		add_glyph(line, TOP_DIM, &cut, 1, 1);
		add_name(line, style, end_of_name(name, room), room);
	} else {
		add_name(line, style, name, room);
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
 * top_line_fill() - one character up to a column
 * @line: is continued as far as there is room, if it is not that wide already
 * @style: enum top_style
 * @column: from 0
 * @character: of ASCII
 */
void top_line_fill(struct top_line *line, enum top_style style, int column, char character)
{
	while (line->width < column && add_glyph(line, style, &character, 1, 1))
		;
}

/**
 * top_line_to() - blanks up to a column
 * @line: is continued, if it is not that wide already
 * @column: from 0
 */
void top_line_to(struct top_line *line, int column)
{
	top_line_fill(line, TOP_PLAIN, column, ' ');
}
