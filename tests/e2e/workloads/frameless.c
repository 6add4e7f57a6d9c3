// SPDX-License-Identifier: GPL-2.0-only
/*
 * frameless: a program without frame pointers, as distributions build them, that sleeps
 * where only an unwind table leads up from.
 *
 * frameless COUNT MICROSECONDS [odd | maps | FILE TEXT]
 *
 *	straight	outer, middle, inner, nap
 *	alloca		outer, on_the_stack, inner, nap: one whose frame is as large as it is asked
 *	library		outer, by_library, (the C library's qsort), compare, nap
 *	deep		outer, recurse 40 times, inner, nap
 *	signal		outer, by_signal, (the C library's raise), (the kernel), handler, nap
 *	last		outer, by_last_call, last_call, which ends in the system call: behind it is
 *			another function, whose rule says something else, also to whoever is
 *			interrupted there; if odd ones are wanted
 *	stopped		outer, by_stopping, (the C library and the kernel), at_once, where it is
 *			stopped before the first instruction; the same
 *	write		outer, by_writing, put, (the C library's write): TEXT to FILE, if given
 *
 * Gates: "ready" before, "end" after; "maps" after a hundred rounds, where it maps a page of code,
 * if that is wanted. For each path it prints what it measured itself.
 */
#include <alloca.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "work.h"

#define FUNCTION	__attribute__((noinline, noclone, noipa))

static struct timespec pause_of;
static uint64_t round_of;
static const char *file, *text;
/* What is added behind each call, so that it is no jump. */
static volatile uint64_t after;

static FUNCTION void nap(void)
{
	struct timespec left = pause_of;

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left))
		;
	after++;
}

static FUNCTION void inner(void)
{
	nap();
	after++;
}

static FUNCTION void middle(void)
{
	volatile char room[200];

	room[after % sizeof(room)] = 1;
	inner();
	after += room[after % sizeof(room)];
}

static FUNCTION void on_the_stack(void)
{
	/* Of the same size when the same path is gone again, but for the compiler. */
	volatile char *room = alloca(16 + 64 * (round_of % 2));

	room[0] = 1;
	inner();
	after += room[0];
}

static FUNCTION int compare(const void *a, const void *b)
{
	nap();
	after++;
	return *(const int *)a - *(const int *)b;
}

static FUNCTION void by_library(void)
{
	int two[] = { 2, 1 };

	qsort(two, 2, sizeof(two[0]), compare);
	after++;
}

static FUNCTION void recurse(unsigned int times)
{
	volatile char room[24];

	room[times % sizeof(room)] = 1;
	if (times > 1)
		recurse(times - 1);
	else
		inner();
	after += room[times % sizeof(room)];
}

static FUNCTION void handler(int signal)
{
	nap();
	after++;
}

static FUNCTION void by_signal(void)
{
	raise(SIGUSR1);
	after++;
}

/* Goes on into what is behind it: who knows only where it goes on takes it for the next one. */
#ifdef __x86_64__
void last_call(const struct timespec *pause);
__asm__(".pushsection .text\n"
	".type last_call, @function\n"
	"last_call:\n"
	".cfi_startproc\n"
	"	mov	%rdi, %rdx\n"
	"	mov	%rdi, %r10\n"
	"	mov	$1, %edi\n"		/* CLOCK_MONOTONIC */
	"	xor	%esi, %esi\n"
	"	mov	$230, %eax\n"		/* clock_nanosleep */
	"	syscall\n"
	".cfi_endproc\n"
	".size last_call, . - last_call\n"
	".type behind_it, @function\n"
	"behind_it:\n"
	".cfi_startproc\n"
	".cfi_def_cfa_offset 264\n"
	"	ret\n"
	".cfi_endproc\n"
	".size behind_it, . - behind_it\n"
	".popsection\n");
#else
static FUNCTION void last_call(const struct timespec *pause)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, pause, NULL);
	after++;
}
#endif

static FUNCTION void by_last_call(void)
{
	struct timespec left = pause_of;

	last_call(&left);
	after++;
}

static FUNCTION void at_once(int signal)
{
	after++;
}

/* Both are dealt with on one way out of the kernel: the lower one first. */
static FUNCTION void by_stopping(void)
{
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGUSR2);
	sigaddset(&both, SIGTSTP);
	sigprocmask(SIG_BLOCK, &both, NULL);
	raise(SIGUSR2);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &both, NULL);
	after++;
}

/* Who is stopped goes on soon. A group without anybody beside it would not be stopped. */
static void never_stop_for_long(void)
{
	pid_t it = getpid();

	setpgid(0, 0);
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == it) {
		usleep(1000);
		kill(it, SIGCONT);
	}
	_exit(0);
}

static FUNCTION void put(int fd)
{
	if (write(fd, text, strlen(text)) < 0)
		die("cannot write");
	after++;
}

static FUNCTION void by_writing(void)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0)
		die("cannot open");
	put(fd);
	close(fd);
	after++;
}

static FUNCTION void deep(void)
{
	recurse(40);
	after++;
}

static FUNCTION void outer(void (*path)(void))
{
	path();
	after++;
}

int main(int argc, char **argv)
{
	struct {
		const char *name;
		void (*path)(void);
	} paths[] = {
		{ "straight", middle },
		{ "alloca", on_the_stack },
		{ "library", by_library },
		{ "deep", deep },
		{ "signal", by_signal },
		{ "last", by_last_call },
		{ "stopped", by_stopping },
	};
	unsigned int n = sizeof(paths) / sizeof(paths[0]);
	struct clocks spent[sizeof(paths) / sizeof(paths[0])] = { };
	struct clocks start, c;
	unsigned int i;
	bool maps = false;
	uint64_t count;

	if (argc == 5) {
		file = argv[3];
		text = argv[4];
		n--;
		paths[n - 1].name = "write";
		paths[n - 1].path = by_writing;
	} else if (argc == 4 && !strcmp(argv[3], "odd")) {
		never_stop_for_long();
	} else if (argc == 3 || (argc == 4 && !strcmp(argv[3], "maps"))) {
		maps = argc == 4;
		n -= 2;
	} else {
		die("expected COUNT MICROSECONDS [odd | maps | FILE TEXT]");
	}
	count = number(argv[1], UINT32_MAX);
	pause_of.tv_nsec = (long)number(argv[2], 999999) * 1000;
	signal(SIGUSR1, handler);
	signal(SIGUSR2, at_once);
	wait_at_gate("ready");
	for (round_of = 0; round_of < count; round_of++) {
		if (maps && round_of == 100) {
			wait_at_gate("maps");
			if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0) == MAP_FAILED)
				die("cannot map a page of code");
		}
		for (i = 0; i < n; i++) {
			start = read_clocks();
			outer(paths[i].path);
			c = clocks_since(start);
			spent[i].wall += c.wall;
			spent[i].cpu += c.cpu;
			spent[i].voluntary += c.voluntary;
			spent[i].involuntary += c.involuntary;
		}
	}
	for (i = 0; i < n; i++)
		print_clocks("path", paths[i].name, spent[i]);
	wait_at_gate("end");
	return 0;
}
