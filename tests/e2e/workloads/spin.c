// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin: uses a CPU at the first instruction of spins_here(), which is its only one. Behind
 * ends_before() comes nothing but that.
 *
 * Gate: "ready", before it begins; it does not end.
 */
#include "work.h"

#ifdef __x86_64__
#define JUMP "jmp"
#else
#define JUMP "b"
#endif

__asm__(".text\n"
	".type ends_before, %function\n"
	"ends_before: ret\n"
	".size ends_before, . - ends_before\n"
	".type spins_here, %function\n"
	"spins_here: " JUMP " spins_here\n"
	".size spins_here, . - spins_here\n");

void spins_here(void);

int main(void)
{
	wait_at_gate("ready");
	spins_here();
	return 0;
}
