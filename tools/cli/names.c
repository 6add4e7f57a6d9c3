// SPDX-License-Identifier: GPL-2.0-only
/*
 * names: names of tasks, files and functions on their way out, with what could forge
 * a line, a frame, a string or a control sequence of a terminal made visible.
 * Functions without state, so nothing is locked.
 */
#include <string.h>

#include "names.h"
#include "../shared/utf8.h"

/**
 * cli_chosen() - a name that anybody can choose, where words of ours can be
 * @name: the name
 * @text: room for it
 *
 * Return: what passes for none of them, as in the module's own files: an opening bracket is a
 * parenthesis.
 */
const char *cli_chosen(const char *name, char text[CLI_NAME])
{
	char *at = text;

	if (!strchr(name, '['))
		return name;
	snprintf(text, CLI_NAME, "%s", name);
	while ((at = strchr(at, '[')))
		*at = '(';
	return text;
}

/* What cannot be printed, and each of @others, becomes \xHH. */
static void print_visible(FILE *out, const char *text, const char *others)
{
	size_t n;

	for (; *text; text += n ? n : 1) {
		n = strchr(others, *text) ? 0 : utf8_printable(text);
		if (n)
			fwrite(text, 1, n, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*text);
	}
}

/**
 * cli_print_plain() - for people
 * @out: where to
 * @name: what cannot be printed becomes \xHH
 */
void cli_print_plain(FILE *out, const char *name)
{
	print_visible(out, name, "\\");
}

/**
 * cli_print_sentence() - a sentence with names in it, for people
 * @out: where to
 * @sentence: what cannot be printed becomes \xHH; backslashes stay, as the module's sentences
 *	have such names already
 */
void cli_print_sentence(FILE *out, const char *sentence)
{
	print_visible(out, sentence, "");
}

/**
 * cli_print_folded() - a frame of a folded stack
 * @out: where to
 * @name: blanks, semicolons, control characters and bytes that are no UTF-8 become
 *	underscores, as in the module's own file
 */
void cli_print_folded(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = utf8_foldable(name);
		fwrite(n ? name : "_", 1, n ? n : 1, out);
	}
}

/* Writes a string of JSON, with other letters for those of @others. */
static void print_quoted(FILE *out, const char *name, const char *others)
{
	size_t n;

	fputc('"', out);
	for (; *name; name += n ? n : 1) {
		n = utf8_printable(name);
		if (*name == '"' || *name == '\\')
			fprintf(out, "\\%c", *name);
		else if (strchr(others, *name))
			fprintf(out, "\\u%04x", (unsigned char)*name);
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
 * cli_print_quoted() - a string of JSON
 * @out: where to
 * @name: bytes that are no UTF-8 become U+FFFD
 */
void cli_print_quoted(FILE *out, const char *name)
{
	print_quoted(out, name, "");
}

/**
 * cli_print_page_quoted() - a string of JSON inside of a page
 * @out: where to
 * @name: cannot end the element that the JSON is in, nor begin one
 */
void cli_print_page_quoted(FILE *out, const char *name)
{
	print_quoted(out, name, "<>&");
}

/**
 * cli_print_xml() - text in XML and HTML, which is also a line and a string
 * @out: where to
 * @name: what would end the element, the string or the line is replaced
 */
void cli_print_xml(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = utf8_printable(name);
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
		n = *name == '"' ? 0 : utf8_printable(name);
		if (n)
			fwrite(name, 1, n, out);
		else
			fputc('?', out);
	}
}

/**
 * cli_print_label() - between the quotes of a label of Prometheus's text format
 * @out: where to
 * @name: bytes that are no UTF-8, and control characters, become U+FFFD
 */
void cli_print_label(FILE *out, const char *name)
{
	size_t n;

	for (; *name; name += n ? n : 1) {
		n = utf8_printable(name);
		if (*name == '\n')
			fputs("\\n", out);
		else if (*name == '"' || *name == '\\')
			fprintf(out, "\\%c", *name);
		else if (n)
			fwrite(name, 1, n, out);
		else
			fputs("\357\277\275", out);
	}
}
