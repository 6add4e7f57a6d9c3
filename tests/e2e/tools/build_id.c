// SPDX-License-Identifier: GPL-2.0-only
/*
 * build_id FILE: its build-id, found without knowing anything of ELF but how the note
 * begins: the length of "GNU", that of 20 bytes, type 3, and the name. "-" if there is
 * none, which also is so for one that stands behind the first page.
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const char note[16] = "\4\0\0\0\24\0\0\0\3\0\0\0GNU";
	static char text[4096];
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	size_t size, at, i;

	if (!file) {
		fprintf(stderr, "usage: build_id FILE\n");
		return 2;
	}
	size = fread(text, 1, sizeof(text), file);
	for (at = 0; at + sizeof(note) + 20 <= size; at++)
		if (!memcmp(text + at, note, sizeof(note)))
			break;
	if (at + sizeof(note) + 20 > size) {
		puts("-");
		return 0;
	}
	for (i = 0; i < 20; i++)
		printf("%02x", (unsigned char)text[at + sizeof(note) + i]);
	putchar('\n');
	return 0;
}
