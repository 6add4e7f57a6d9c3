// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if elfutils' libdw is there, for the names of user functions. */
#include <elfutils/libdwfl.h>

int main(void)
{
	return !dwfl_begin || !elf_getphdrnum;
}
