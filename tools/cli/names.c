// SPDX-License-Identifier: GPL-2.0-only
/*
 * names: see the header. No state, no locks.
 */
#include <string.h>

#include "names.h"

/*
 * How many bytes from here on are one character of UTF-8 that may be printed;
 * 0: none. Control characters are none, neither those above 0x7f.
 */
static size_t printable(const char *name)
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

/**
 * cli_print_plain() - for people
 * @out: where to
 * @name: what cannot be printed becomes \xHH
 */
void cli_print_plain(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = *name == '\\' ? 0 : printable(name);
		if (n)
			fwrite(name, 1, n, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*name);
	}
}

/**
 * cli_print_folded() - a frame of a folded stack
 * @out: where to
 * @name: blanks, semicolons and control characters become underscores, as in
 *	the module's own file
 */
void cli_print_folded(FILE *out, const char *name)
{
	unsigned char c;

	while ((c = (unsigned char)*name++))
		fputc(c <= ' ' || c == ';' || c == 0x7f ? '_' : c, out);
}

/**
 * cli_print_quoted() - a string of JSON
 * @out: where to
 * @name: bytes that are no UTF-8 become U+FFFD
 */
void cli_print_quoted(FILE *out, const char *name)
{
	size_t n;

	fputc('"', out);
	for (; *name; name += n ? n : 1) {
		n = printable(name);
		if (*name == '"' || *name == '\\')
			fprintf(out, "\\%c", *name);
		else if (n)
			fwrite(name, 1, n, out);
		else if ((unsigned char)*name < 0x80)
			fprintf(out, "\\u%04x", (unsigned char)*name);
		else
			fputs("\\ufffd", out);
	}
	fputc('"', out);
}

/**
 * cli_print_xml() - text in a file of TAU, which is also a line and a string
 * @out: where to
 * @name: what would end the element, the string or the line is replaced
 */
void cli_print_xml(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = printable(name);
		switch (*name) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			if (n)
				fwrite(name, 1, n, out);
			else
				fputc('?', out);
		}
	}
}

/**
 * cli_print_timer() - the name of a timer in a file of TAU
 * @out: where to
 * @name: what would end the string or the line is replaced
 */
void cli_print_timer(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = *name == '"' ? 0 : printable(name);
		if (n)
			fwrite(name, 1, n, out);
		else
			fputc('?', out);
	}
}
