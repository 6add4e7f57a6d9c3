/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_PARSE_H
#define SP_PARSE_H

#include <linux/types.h>

struct sp_why;

/* configfs hands over at most this much at a time; see sp_parse_text(). */
#define SP_PARSE_TOO_LONG	4095
/* More words than a text of that length can hold. */
#define SP_PARSE_PIDS		2048

enum sp_pids_verb {
	SP_PIDS_ALL,		/* "all" */
	SP_PIDS_SET,		/* "12 34,56", or "none": just these */
	SP_PIDS_CHANGE,		/* "+78 -12": one after the other */
};

struct sp_pids_word {
	pid_t nr;
	bool remove;
};

struct sp_pids_text {
	enum sp_pids_verb verb;
	u32 count;
	struct sp_pids_word word[SP_PARSE_PIDS];
};

int sp_parse_text(char *page, size_t count, char **text, struct sp_why *why);
int sp_parse_number(const char *text, u64 min, u64 max, u64 *value,
		    struct sp_why *why);
int sp_parse_choice(const char *text, const char *const *names, u64 *value,
		    struct sp_why *why);
int sp_parse_set(const char *text, const char *const *names, u64 *bits,
		 struct sp_why *why);
int sp_parse_pids(const char *text, struct sp_pids_text *pids,
		  struct sp_why *why);

#endif
