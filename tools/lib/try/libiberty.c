// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles if GNU libiberty is there, for names of C++ and Rust functions. */
#include <demangle.h>

int main(void)
{
	return !rust_demangle || !cplus_demangle_v3;
}
