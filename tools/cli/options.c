// SPDX-License-Identifier: GPL-2.0-only
/*
 * options: the attributes of a session that are to be set, in the order in which
 * they were asked for. One thread, so nothing is locked.
 */
#include <string.h>

#include "options.h"

/**
 * cli_value() - what an attribute will be set to
 * @o: the options
 * @attribute: its name
 *
 * Return: the value, or NULL if it will not be.
 */
const char *cli_value(const struct cli_options *o, const char *attribute)
{
	unsigned int i;

	for (i = 0; i < o->setting_count; i++)
		if (!strcmp(o->settings[i].attribute, attribute))
			return o->settings[i].value;
	return NULL;
}

/**
 * cli_set() - let an attribute be set
 * @o: the options
 * @attribute: its name
 * @value: instead of what was asked for before
 *
 * Return: was there room.
 */
bool cli_set(struct cli_options *o, const char *attribute, const char *value)
{
	unsigned int i;

	for (i = 0; i < o->setting_count; i++)
		if (!strcmp(o->settings[i].attribute, attribute))
			break;
	if (i == CLI_MAX_SETTINGS)
		return false;
	o->settings[i].attribute = attribute;
	o->settings[i].value = value;
	if (i == o->setting_count)
		o->setting_count++;
	return true;
}
