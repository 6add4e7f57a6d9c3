// SPDX-License-Identifier: GPL-2.0-only
/*
 * json: writing JSON as it goes, since no value is needed twice. No state but that of
 * the lists, each of which is used by one thread.
 */
#include <inttypes.h>

#include "json.h"
#include "names.h"

/**
 * cli_json_next() - write what goes before another member or element
 * @list: gets a comma before all but the first
 * @indent: goes behind the comma
 */
void cli_json_next(struct cli_json *list, const char *indent)
{
	fprintf(list->out, "%s%s", list->more ? "," : "", indent);
	list->more = true;
}

/**
 * cli_json_key() - write the name of a member, whose value the caller writes
 * @list: the object
 * @indent: goes before the name
 * @name: becomes a string of JSON
 */
void cli_json_key(struct cli_json *list, const char *indent, const char *name)
{
	cli_json_next(list, indent);
	cli_print_quoted(list->out, name);
	fputs(": ", list->out);
}

/**
 * cli_json_text() - write a member that is a string, on the same line
 * @list: the object
 * @name: of the member
 * @value: becomes a string of JSON
 */
void cli_json_text(struct cli_json *list, const char *name, const char *value)
{
	cli_json_key(list, " ", name);
	cli_print_quoted(list->out, value);
}

/**
 * cli_json_number() - write a member that is a number, on the same line
 * @list: the object
 * @name: of the member
 * @value: of the member
 */
void cli_json_number(struct cli_json *list, const char *name, uint64_t value)
{
	cli_json_key(list, " ", name);
	fprintf(list->out, "%" PRIu64, value);
}

/**
 * cli_json_time() - write a member that is a time, on the same line
 * @list: the object
 * @name: of the member, without the unit, which becomes a part of it
 * @value: of the member
 */
void cli_json_time(struct cli_json *list, const char *name, uint64_t value)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "%s_%s", name, list->cycles ? "cycles" : "ns");
	cli_json_number(list, whole, value);
}

/**
 * cli_json_truth() - write a member that is true or false, on the same line
 * @list: the object
 * @name: of the member
 * @value: of the member
 */
void cli_json_truth(struct cli_json *list, const char *name, bool value)
{
	cli_json_key(list, " ", name);
	fputs(value ? "true" : "false", list->out);
}

/**
 * cli_json_open() - begin a member of the outermost object, on a line of its own
 * @top: the outermost object
 * @name: of the member
 * @bracket: of an object or an array
 *
 * Return: the list, whose elements have lines of their own; for cli_json_close().
 */
struct cli_json cli_json_open(struct cli_json *top, const char *name, char bracket)
{
	cli_json_key(top, "\n  ", name);
	fputc(bracket, top->out);
	return (struct cli_json){ .out = top->out, .cycles = top->cycles };
}

/**
 * cli_json_close() - end a member of the outermost object
 * @list: from cli_json_open()
 * @bracket: of an object or an array
 */
void cli_json_close(struct cli_json *list, char bracket)
{
	fprintf(list->out, "%s%c", list->more ? "\n  " : "", bracket);
}
