/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line: a line of the screen: text with a style for each byte, which never is wider than it
 * may be. What is put into it is cut, and names cannot have control characters in it. A line
 * is used by one thread.
 */
#ifndef CLI_TOP_LINE_H
#define CLI_TOP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../blamed.h"

/* How something looks; each is told by more than its colour. */
enum top_style {
	TOP_PLAIN,
	TOP_DIM,
	TOP_BOLD,
	TOP_TITLE,	/* of columns */
	TOP_SORTED,	/* of the column by which rows are sorted */
	TOP_CPU,	/* time on a CPU */
	TOP_WAIT,	/* time waiting for one */
	TOP_DISK_SLEEP,
	TOP_KEY,	/* to be typed */
	TOP_ALARM,	/* what the user should know */
	TOP_STYLES
};

/* In bytes; wider screens than that have nothing more to show. */
#define TOP_LINE	1024

/* No bound but the size. */
#define TOP_ANY_WIDTH	0

/*
 * Of a name in a line of any width, in columns as well as in bytes: there is room for two, and
 * for the numbers of a row.
 */
#define TOP_NAME	400

struct top_line {
	char text[TOP_LINE];		/* with a NUL */
	unsigned char style[TOP_LINE];	/* enum top_style, of each byte */
	size_t length;			/* in bytes */
	int width;			/* in columns of the screen */
	int most;			/* of these; TOP_ANY_WIDTH */
};

/* What stands where a name was cut. */
#define TOP_CUT	'+'

void top_line_begin(struct top_line *line, int most);
bool top_line_fits(const struct top_line *line, int width);
__attribute__((format(printf, 3, 4)))
void top_line_put(struct top_line *line, enum top_style style, const char *format, ...);
void top_line_name(struct top_line *line, enum top_style style, const char *name, int width,
		   bool keep_end);
void top_line_party(struct top_line *line, enum top_style style, const struct cli_party *party,
		    int width, bool keep_end);
void top_line_fill(struct top_line *line, enum top_style style, int column, char character);
void top_line_to(struct top_line *line, int column);
int top_name_width(const char *name);
void top_names_in_ascii(void);

#endif
