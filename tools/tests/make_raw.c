// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_raw WHICH: a file like the module's raw, on standard output. WHICH is
 *
 *	standard	something of every kind of record
 *	twice		two snapshots, the second one with twice the times
 *	large		10,000 tasks and 40,000 entries
 *	swapped		standard in the other byte order
 *	newer		standard with records that are longer than known
 *	cut		standard without its last 100 bytes
 *	damaged		two snapshots, with a wrong byte in the second one
 */
#include <stdio.h>
#include <string.h>

#include "raw_maker.h"

int main(int count, char **arguments)
{
	const char *which = count == 2 ? arguments[1] : "";
	struct raw_maker maker = { };

	maker.swap = !strcmp(which, "swapped");
	maker.longer = !strcmp(which, "newer") ? 12 : 0;
	if (!strcmp(which, "large")) {
		raw_large(&maker, 10000, 5000);
	} else if (!strcmp(which, "twice") || !strcmp(which, "damaged")) {
		raw_standard(&maker, 1000);
		raw_standard(&maker, 2000);
		if (!strcmp(which, "damaged"))
			maker.at[maker.size - 500] ^= 1;
	} else if (!strcmp(which, "standard") || !strcmp(which, "cut") ||
		   maker.swap || maker.longer) {
		raw_standard(&maker, 1000);
		if (!strcmp(which, "cut"))
			maker.size -= 100;
	} else {
		fputs("usage: make_raw standard|twice|large|swapped|newer|cut|damaged\n",
		      stderr);
		return 2;
	}
	if (fwrite(maker.at, 1, maker.size, stdout) != maker.size || fflush(stdout)) {
		perror("make_raw");
		return 1;
	}
	raw_free(&maker);
	return 0;
}
