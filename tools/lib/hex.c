// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * hex: build-ids as text, two digits for each byte, and back. Pure functions.
 */
#include <stdio.h>

#include "hex.h"

/* @text: has room for two digits for each byte, and a NUL */
void libsp_hex(char *text, const unsigned char *bytes, size_t count)
{
	size_t i;

	*text = '\0';
	for (i = 0; i < count; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* Return: how many bytes the text has, but not more than there is room for. */
size_t libsp_unhex(const char *text, unsigned char *bytes, size_t room)
{
	unsigned int byte;
	size_t n = 0;

	while (n < room && sscanf(text + 2 * n, "%2x", &byte) == 1)
		bytes[n++] = (unsigned char)byte;
	return n;
}
