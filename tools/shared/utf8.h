/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * utf8: which bytes of a foreign name a terminal only prints. The library and the
 * command line both include it, since neither exports it to the other. Pure
 * functions: no state, so no lock.
 */
#ifndef SHARED_UTF8_H
#define SHARED_UTF8_H

#include <stddef.h>

/*
 * How many bytes at @name are one character of UTF-8. 0: the bytes are no character, or a control
 * character, which there are above 0x7f, too.
 */
static inline size_t utf8_character(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	size_t n, i;

	if (*at >= ' ' && *at < 0x7f)
		return 1;
	if (*at >= 0xc2 && *at < 0xe0)
		n = 2;
	else if (*at >= 0xe0 && *at < 0xf0)
		n = 3;
	else if (*at >= 0xf0 && *at < 0xf5)
		n = 4;
	else
		return 0;
	for (i = 1; i < n; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((*at == 0xc2 && at[1] < 0xa0) ||	/* control characters */
	    (*at == 0xe0 && at[1] < 0xa0) ||	/* longer than need be */
	    (*at == 0xf0 && at[1] < 0x90) ||
	    (*at == 0xed && at[1] >= 0xa0) ||	/* half of a pair */
	    (*at == 0xf4 && at[1] >= 0x90))	/* beyond the last one */
		return 0;
	return n;
}

/* The same of a character that may be printed: U+FFFE and U+FFFF stand for none, and not in XML. */
static inline size_t utf8_printable(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	size_t n = utf8_character(name);

	return *at == 0xef && n && at[1] == 0xbf && at[2] >= 0xbe ? 0 : n;
}

/*
 * The same of a character that a line and a frame may have in it. A byte that is in none would
 * be a control character for a terminal that knows no UTF-8.
 */
static inline size_t utf8_foldable(const char *name)
{
	return *name == ' ' || *name == ';' ? 0 : utf8_character(name);
}

#endif
