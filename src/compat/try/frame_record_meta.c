// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.13, arm64: a record in pt_regs is empty, and says what it is the record of. */
#include <asm/ptrace.h>
#include <asm/stacktrace/frame.h>

bool sp_try(struct pt_regs *regs)
{
	return regs->stackframe.type == FRAME_META_TYPE_PT_REGS;
}
