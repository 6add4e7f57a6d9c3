// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * debug_path: the directories of debug files, as a list with colons. Pure function.
 */
#include <string.h>

#include "debug_path.h"

/*
 * Takes the first directory off @list. Return: where it begins, and its @length; NULL
 * if there is none. A name without characters is no directory.
 */
const char *libsp_next_directory(const char **list, size_t *length)
{
	const char *directory = *list + strspn(*list, ":");

	*length = strcspn(directory, ":");
	*list = directory + *length;
	return *length ? directory : NULL;
}
