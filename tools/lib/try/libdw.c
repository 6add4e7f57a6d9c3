// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles if elfutils' libdw is there, for the names of user functions. */
#include <elfutils/libdwfl.h>

int main(void)
{
	return !dwfl_begin || !elf_getphdrnum;
}
