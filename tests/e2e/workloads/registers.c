// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers: sleeps on two paths in turn whose stacks are alike in all that is looked at,
 * but for where the frame pointer points to.
 *
 * registers COUNT MICROSECONDS
 *
 *	outermost, either, far_way, without_frame, common, nap_by_register
 *	outermost, either, near_way, common, nap_by_register
 *
 * The chain of frames ends there: where it leads to what is no frame, nothing is remembered.
 * Only either, far_way and near_way have frames. The stack pointer, the innermost return
 * address and all return addresses beside frame pointers are the same on both paths; that
 * of without_frame lies below the frame of far_way, and above that of near_way. near_way
 * calls through a pointer, as no caller without a frame can be known by.
 *
 * Gates: "ready" before, "end" after. For each path it prints what it measured itself.
 */
#include "work.h"

#ifdef __x86_64__
/* By hand, as where everything lies is all that matters. */
void outermost(void (*way)(void), long padding, const struct timespec *nap);
void far_way(void);
void near_way(void);

#define FUNCTION(name, code)						\
	__asm__(".text\n.globl " #name "\n.type " #name ", @function\n"	\
		#name ":\n" code ".size " #name ", . - " #name "\n")

/* Words that were not written would be what an earlier call left there. */
#define WORDS(n)	".rept " #n "\npush $0\n.endr\n"
/* What is on the one path more: seven words, and two addresses, less one frame. */
#define PADDING		64

FUNCTION(nap_by_register,
	 "mov %rdx, %rdi\n"
	 "xor %esi, %esi\n"
	 "mov $35, %eax\n"
	 "syscall\n"
	 "ret\n");

FUNCTION(common,
	 WORDS(1)
	 "call nap_by_register\n"
	 "add $8, %rsp\n"
	 "ret\n");

FUNCTION(without_frame,
	 WORDS(7)
	 "call common\n"
	 "add $56, %rsp\n"
	 "ret\n");

FUNCTION(far_way,
	 "push %rbp\n"
	 "mov %rsp, %rbp\n"
	 "call without_frame\n"
	 "pop %rbp\n"
	 "ret\n");

FUNCTION(near_way,
	 "push %rbp\n"
	 "mov %rsp, %rbp\n"
	 "lea common(%rip), %rax\n"
	 "nop\nnop\nnop\nnop\n"
	 "call *%rax\n"
	 "pop %rbp\n"
	 "ret\n");

FUNCTION(either,
	 "push %rbp\n"
	 "mov %rsp, %rbp\n"
	 "sub %rsi, %rsp\n"
	 "call *%rdi\n"
	 "leave\n"
	 "ret\n");

FUNCTION(outermost,
	 "push %rbp\n"
	 "xor %ebp, %ebp\n"
	 "call either\n"
	 "pop %rbp\n"
	 "ret\n");

static void add(struct clocks *sum, struct clocks start)
{
	struct clocks c = clocks_since(start);

	sum->wall += c.wall;
	sum->cpu += c.cpu;
	sum->voluntary += c.voluntary;
	sum->involuntary += c.involuntary;
}

int main(int argc, char **argv)
{
	struct clocks near = { 0 }, far = { 0 }, start;
	struct timespec nap = { 0 };
	uint64_t count;

	if (argc != 3)
		die("expected COUNT MICROSECONDS");
	count = number(argv[1], UINT32_MAX);
	nap.tv_nsec = (long)number(argv[2], 999999) * 1000;
	wait_at_gate("ready");
	while (count--) {
		start = read_clocks();
		outermost(near_way, PADDING, &nap);
		add(&near, start);
		start = read_clocks();
		outermost(far_way, 0, &nap);
		add(&far, start);
	}
	print_clocks("path", "near", near);
	print_clocks("path", "far", far);
	wait_at_gate("end");
	return 0;
}
#else
int main(void)
{
	die("it is written for x86-64");
}
#endif
