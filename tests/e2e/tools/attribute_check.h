/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing to attributes and looking at what comes of it. One test at a time:
 * attribute_begin() names it, attribute_end() tells that nothing was wrong.
 */
#ifndef ATTRIBUTE_CHECK_H
#define ATTRIBUTE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE	4096

struct text {
	const char *bytes;
	size_t size;
};

#define TEXT(literal)	{ literal, sizeof(literal) - 1 }

struct bad {
	struct text text;
	int err;
	int or;		/* where the contract leaves a choice */
};

extern const char *root;	/* the module's directory in configfs */
extern char dir[PAGE];		/* the session's */
extern unsigned int wrong;	/* so far */

__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);
void begin(const char *name);
void end(void);

int put(const char *where, const char *name, struct text text);
int put_string(const char *where, const char *name, const char *string);
const char *path_of(const char *where, const char *name);
char *get(const char *where, const char *name);

void expect_reason(const char *where, const char *what);
void expect_no_reason(const char *where, const char *what);
void expect_value(const char *where, const char *name, const char *expected,
		  const char *why);
void accepts(const char *where, const char *name, struct text text,
	     const char *reads);
void refuses(const char *where, const char *name, const struct bad *bad,
	     bool readable);
void refuses_all(const char *where, const char *name, const struct bad *bad,
		 bool readable);

#endif
