// SPDX-License-Identifier: GPL-2.0-only
/*
 * help: the page that says what columns and keys are. Tables that never change, so nothing is
 * locked.
 */
#include "columns.h"
#include "ui.h"

static const struct {
	const char *key, *what;
} keys[] = {
	{ "k j", "up and down, as arrows, Page Up and Page Down, Home and End" },
	{ "Enter", "into the row: a control group, a process, the stacks of a thread" },
	{ "Esc", "one step back, on the way in the second line" },
	{ "t w h b", "of the row: stacks, wakers, histogram, blame" },
	{ "m", "there, another time: off the CPU, asleep, waiting, on a CPU" },
	{ "g c", "rows are threads, processes, names, or (c) control groups" },
	{ "s S r", "sort by the next column, by the one before; the other way round" },
	{ "/", "only rows with that in their name, or with that number" },
	{ "i", "with or without rows that rested; of stacks, waits for work" },
	{ "f", "freeze; the next numbers are of all the time since then" },
	{ "+ -", "look less often, more often" },
	{ "q", "quit" },
};

static const char *const remarks[] = {
	"on% + runq% + sleep% + disk% of a thread is 100%: the time that went by.",
	"Of several threads it is that often 100%. Time of interrupts is in on%, unless",
	"it has a column of its own: schedprof top --interrupts.",
	"In the first line, sw/s are switches of the machine; hook is what looking at",
	"them takes of the CPUs, and lost what of all waits had no room.",
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))
#define REMARKS	(sizeof(remarks) / sizeof(remarks[0]))

/**
 * top_help_count() - lines of the help
 */
size_t top_help_count(void)
{
	return KEYS + 1 + TOP_COLUMNS + 1 + REMARKS;
}

/**
 * top_help_line() - one of them
 * @index: of it
 * @line: begun
 */
void top_help_line(size_t index, struct top_line *line)
{
	if (index < KEYS) {
		top_line_put(line, TOP_KEY, "  %s", keys[index].key);
		top_line_to(line, 12);
		top_line_put(line, TOP_PLAIN, "%s", keys[index].what);
		return;
	}
	index -= KEYS;
	if (!index)
		return;
	index--;
	if (index < TOP_COLUMNS) {
		top_line_put(line, TOP_BOLD, "  %s", top_columns[index].heading);
		top_line_to(line, 12);
		top_line_put(line, TOP_PLAIN, "%s", top_columns[index].help);
		return;
	}
	index -= TOP_COLUMNS;
	if (index)
		top_line_put(line, TOP_PLAIN, "  %s", remarks[index - 1]);
}
