/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_table: the options there are, and which commands take them. One table says
 * that and which attribute of a session an option sets; parsing, help and completion
 * come from the table, which never changes.
 */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "options.h"

struct cli_option {
	const char *name;
	int letter;		/* 0: none */
	const char *argument;	/* for help; NULL: takes none */
	unsigned int takes;	/* of which commands; 0: of all */
	/*
	 * Takes the option, which sets an attribute, or a word in o. Return: was the
	 * value a good one; if not, expects says what was expected.
	 */
	bool (*take)(struct cli_options *o, const struct cli_option *option,
		     const char *value);
	const char *attribute;
	size_t offset;		/* of the word in o */
	int constant;		/* for the word */
	const char *expects;	/* said when the value is none */
	const char *choices;	/* as in "one, two or three", instead, if that is all */
	const char *help;
};

extern const struct cli_option cli_option_table[];
extern const unsigned int cli_option_count;

#endif
