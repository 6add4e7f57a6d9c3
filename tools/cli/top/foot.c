// SPDX-License-Identifier: GPL-2.0-only
/*
 * foot: the last line of the screen: which keys there are, what is being typed, or what went
 * wrong. Functions without state, so nothing is locked.
 */
#include <string.h>

#include "ui.h"

/* What is typed is in brackets. */
struct hint {
	const char *before, *key, *after;
};

/* A hint that would be cut is left out. */
static void put_hints(const struct hint *hints, struct top_line *line)
{
	int width;

	for (; hints->key; hints++) {
		width = (int)(strlen(hints->before) + strlen(hints->key) +
			      strlen(hints->after)) + 3;
		if (!top_line_fits(line, width))
			continue;
		top_line_put(line, TOP_PLAIN, "%s%s[", line->width ? " " : "", hints->before);
		top_line_put(line, TOP_KEY, "%s", hints->key);
		top_line_put(line, TOP_PLAIN, "]%s", hints->after);
	}
}

/**
 * top_foot() - the last line: keys that matter where the user is, or what is said
 * @ui: begun
 * @line: begun
 */
void top_foot(const struct top_ui *ui, struct top_line *line)
{
	static const struct hint list[] = {
		{ "", "Enter", "in" }, { "", "b", "lame" }, { "", "w", "akers" },
		{ "", "g", "roup" }, { "", "s", "ort" }, { "", "/", "find" }, { "", "f", "reeze" },
		{ "", "?", "help" }, { "", "q", "uit" }, { "", "h", "istogram" },
		{ "", "i", "dle off" }, { "s", "t", "acks" }, { "", "c", "groups" }, { 0 },
	};
	static const struct hint stacks[] = {
		{ "", "Esc", "back" }, { "", "Enter", "whole" }, { "", "m", "other time" },
		{ "", "i", "dle" }, { "", "w", "akers" },
		{ "", "h", "istogram" }, { "", "b", "lame" },
		{ "", "?", "help" }, { "s", "t", "acks" }, { "", "f", "reeze" }, { "", "q", "uit" },
		{ 0 },
	};
	static const struct hint page[] = {
		{ "", "Esc", "back" }, { "s", "t", "acks" }, { "", "w", "akers" },
		{ "", "h", "istogram" }, { "", "b", "lame" }, { "", "m", "other time" },
		{ "", "?", "help" }, { "", "f", "reeze" }, { "", "q", "uit" }, { 0 },
	};
	static const struct hint help[] = {
		{ "", "Esc", "back" }, { "", "Up Down", "scroll" }, { "", "q", "uit" }, { 0 },
	};

	if (ui->typing) {
		top_line_put(line, TOP_KEY, "find: ");
		top_line_name(line, TOP_BOLD, ui->filter, TOP_ANY_WIDTH, true);
		top_line_put(line, TOP_KEY, "_");
		top_line_put(line, TOP_PLAIN, "   Enter keeps it, Esc leaves it");
		return;
	}
	if (ui->message[0]) {
		top_line_name(line, TOP_ALARM, ui->message, TOP_ANY_WIDTH, false);
		return;
	}
	switch (ui->page) {
	case TOP_PAGE_LIST:
		put_hints(list, line);
		break;
	case TOP_PAGE_STACKS:
	case TOP_PAGE_WAKERS:
		put_hints(stacks, line);
		break;
	case TOP_PAGE_HELP:
		put_hints(help, line);
		break;
	default:
		put_hints(page, line);
	}
}
