// SPDX-License-Identifier: GPL-2.0-only
/*
 * generator: a program without frame pointers that generates code at run time, without frame
 * pointers, too, and sleeps below it. It tells how that is unwound in a file jit-PID.dump, as
 * programs do for perf.
 *
 * generator COUNT MICROSECONDS DIRECTORY [again]
 *
 *	told		outer, (24 bytes of stack), through, (72), inner, nap: both are told before
 *	met, later	outer, (40 bytes), inner, nap: it is told just before the first one
 *	untold		outer, (56 bytes), inner, nap: it is not told at all
 *	other		outer, (200 bytes), inner, nap: see below
 *
 * Gates: "ready" before, and one behind each path, of its name. With `again` the program then
 * becomes itself anew, which tells nothing, and has the function of the path "other"
 * where the first one of "told" was; before it is the gate "begun".
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "work.h"

#define FUNCTION	__attribute__((noinline, noclone, noipa))
/* Where nothing else is, and tests find it; a function each 256 bytes. */
#define CODE		((unsigned char *)0x600000000000)
#define CODE_BYTES	8192

/* Takes stack, calls what it is given, gives the stack back. */
typedef void (*generated_fn)(void (*next)(void));

static struct timespec pause_of;
static const char *directory;
static int dump = -1;
static volatile uint64_t after;
static generated_fn first, second;

static FUNCTION void nap(void)
{
	struct timespec left = pause_of;

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left))
		;
	after++;
}

static FUNCTION void inner(void)
{
	volatile char room[104];

	room[after % sizeof(room)] = 1;
	nap();
	after += room[after % sizeof(room)];
}

static FUNCTION void through(void)
{
	second(inner);
	after++;
}

static FUNCTION void outer(generated_fn generated, void (*next)(void))
{
	generated(next);
	after++;
}

/* sub $bytes,%rsp; call *%rdi; add $bytes,%rsp; ret. Return: how long it is. */
static unsigned int put_code(unsigned char *at, uint32_t bytes)
{
	static const unsigned char sub[] = { 0x48, 0x81, 0xec }, call[] = { 0xff, 0xd7 };
	static const unsigned char add[] = { 0x48, 0x81, 0xc4 };
	unsigned char *to = at;

	to = mempcpy(to, sub, sizeof(sub));
	to = mempcpy(to, &bytes, sizeof(bytes));
	to = mempcpy(to, call, sizeof(call));
	to = mempcpy(to, add, sizeof(add));
	to = mempcpy(to, &bytes, sizeof(bytes));
	*to++ = 0xc3;
	return (unsigned int)(to - at);
}

static void put(const void *bytes, size_t size)
{
	if (write(dump, bytes, size) != (ssize_t)size)
		die("cannot write the dump");
}

static void put_head(uint32_t id, uint32_t bytes)
{
	struct {
		uint32_t id, bytes;
		uint64_t time;
	} head = { id, bytes, clock_ns(CLOCK_MONOTONIC) };

	put(&head, sizeof(head));
}

/* Of such a function: what perf's jitdump-specification.txt calls unwinding info. */
static void tell_unwinding(unsigned int size, uint32_t bytes)
{
	unsigned char frame[] = {
		/* Length, 0, version 1, "zR", code 1, data -8, return address 16. */
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16,
		/* Addresses of 4 bytes, relative; the CFA is rsp + 8, the return address there. */
		1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0,
		/* Length, where the other one is; from, how long. */
		28, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		/* 7 bytes on the CFA is rsp + bytes + 8, 9 bytes on rsp + 8. */
		0, 0x47, 0x0e, 0, 0, 0x49, 0x0e, 8, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	unsigned char no_table[20] = { 1, 0xff, 0xff, 0xff };
	uint64_t sizes[] = { sizeof(frame) + sizeof(no_table), sizeof(no_table),
			     (sizeof(frame) + sizeof(no_table) + 15) & ~15 };
	int32_t from = -(int)((size + 7) & ~7) - 32;

	memcpy(frame + 32, &from, 4);
	memcpy(frame + 36, &size, 4);
	frame[43] = (unsigned char)((bytes + 8) | 0x80);
	frame[44] = (unsigned char)((bytes + 8) >> 7);
	put_head(4, 16 + sizeof(sizes) + sizeof(frame) + sizeof(no_table));
	put(sizes, sizeof(sizes));
	put(frame, sizeof(frame));
	put(no_table, sizeof(no_table));
}

static void tell(const unsigned char *at, unsigned int size, uint32_t bytes)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, address, size, index;
	} load = { (uint32_t)getpid(), (uint32_t)getpid(), (uintptr_t)at, (uintptr_t)at,
		   size, (uintptr_t)at };
	static const char name[] = "generated";

	tell_unwinding(size, bytes);
	put_head(0, 16 + sizeof(load) + sizeof(name) + size);
	put(&load, sizeof(load));
	put(name, sizeof(name));
	put(at, size);
}

static generated_fn generate(unsigned int number, uint32_t bytes, bool told)
{
	unsigned char *at = CODE + 256 * number;
	unsigned int size = put_code(at, bytes);

	if (told)
		tell(at, size, bytes);
	return (generated_fn)(uintptr_t)at;
}

static void begin_dump(void)
{
	const struct {
		uint32_t magic, version, size, machine, reserved, pid;
		uint64_t time, flags;
	} head = { 0x4a695444, 1, sizeof(head), 62, 0, (uint32_t)getpid(), 0, 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid());
	dump = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (dump < 0)
		die("cannot make %s", path);
	put(&head, sizeof(head));
	/* By this it is found. */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		die("cannot map %s", path);
}

static void go_path(const char *name, generated_fn generated, void (*next)(void), uint64_t count)
{
	struct clocks spent = { }, start, c;
	uint64_t i;

	for (i = 0; i < count; i++) {
		start = read_clocks();
		outer(generated, next);
		c = clocks_since(start);
		spent.wall += c.wall;
		spent.cpu += c.cpu;
		spent.voluntary += c.voluntary;
		spent.involuntary += c.involuntary;
	}
	print_clocks("path", name, spent);
	wait_at_gate(name);
}

int main(int argc, char **argv)
{
	bool again = argc == 5 && !strcmp(argv[4], "again");
	bool other = argc == 5 && !strcmp(argv[4], "other");
	uint64_t count;

	if (argc != 4 && !again && !other)
		die("expected COUNT MICROSECONDS DIRECTORY [again]");
	count = number(argv[1], UINT32_MAX);
	pause_of.tv_nsec = (long)number(argv[2], 999999) * 1000;
	directory = argv[3];
	if (mmap(CODE, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != CODE)
		die("cannot map code");
	if (other) {
		first = generate(0, 200, false);
		wait_at_gate("begun");
		go_path("other", first, inner, count);
		return 0;
	}
	begin_dump();
	first = generate(0, 24, true);
	second = generate(1, 72, true);
	wait_at_gate("ready");
	go_path("told", first, through, count);
	first = generate(2, 40, true);
	go_path("met", first, inner, count);
	go_path("later", first, inner, count);
	first = generate(3, 56, false);
	go_path("untold", first, inner, count);
	if (again) {
		argv[4] = "other";
		execv("/proc/self/exe", argv);
		die("cannot begin again");
	}
	return 0;
}
