// SPDX-License-Identifier: GPL-2.0-only
/*
 * refault: a task that sleeps in page faults, out of user mode and within another fault:
 * refault ROUNDS
 *
 * Its memory is missing until a second thread brings it (userfaultfd), which that
 * does when the first one sleeps and the kernel's own walk of its stack was looked at. In each
 * round it writes to a page twice, then to one that it may not write to, and the kernel prepares
 * a signal on a stack that is missing as well.
 *
 * Gates: "ready" before, "end" after. Prints how many sleeps there were, and in how many
 * of them the kernel was about to deliver a signal: "sleeps 30 signals 10". Without that
 * system call it prints "no userfaultfd" and ends.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "work.h"

#define STACK	65536UL

static int faults;
static unsigned long page, sleeps, signals;
static unsigned long left;	/* voluntary switches before this sleep; of who runs */
static pid_t first;
static char *nobody;	/* has it, but for the handler */

static void read_of(const char *what, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", first, what);
	fd = open(path, O_RDONLY);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (n < 0)
		die("cannot read %s", path);
	text[n] = 0;
	close(fd);
}

/* Its state says so before it leaves the CPU, its count of switches does not. */
static bool is_asleep(void)
{
	static const char name[] = "\nvoluntary_ctxt_switches:";
	char text[4096], *state, *count;
	unsigned long now;

	read_of("status", text, sizeof(text));
	state = strstr(text, "\nState:\t");
	count = strstr(text, name);
	if (!state || !count)
		die("/proc/self/task/%d/status says too little", first);
	state += strlen("\nState:\t");
	now = strtoul(count + strlen(name), NULL, 10);
	if ((*state != 'S' && *state != 'D') || now == left)
		return false;
	left = now;
	return true;
}

static void *bring(void *unused)
{
	static char stack[16384];
	struct uffdio_zeropage zero;
	struct uffd_msg message;

	while (read(faults, &message, sizeof(message)) == sizeof(message)) {
		while (!is_asleep())
			usleep(1000);
		read_of("stack", stack, sizeof(stack));
		sleeps++;
		signals += !!strstr(stack, "do_signal");
		zero = (struct uffdio_zeropage) {
			.range = { message.arg.pagefault.address & ~(page - 1), page },
		};
		if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
			die("UFFDIO_ZEROPAGE");
	}
	return NULL;
}

static char *missing(size_t size)
{
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap");
	range.range.start = (uintptr_t)at;
	range.range.len = size;
	if (ioctl(faults, UFFDIO_REGISTER, &range))
		die("UFFDIO_REGISTER");
	return at;
}

static void drop(char *at, size_t size)
{
	if (madvise(at, size, MADV_DONTNEED))
		die("madvise");
}

static void handler(int signal)
{
	if (mprotect(nobody, page, PROT_READ | PROT_WRITE))
		die("mprotect");
}

static FRAME void touch(volatile char *at)
{
	struct rusage own;

	if (getrusage(RUSAGE_THREAD, &own))
		die("getrusage");
	left = (unsigned long)own.ru_nvcsw;
	/* As the kernel does for a signal. */
	*at = 1;
	RETURNS_HERE();
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	struct uffdio_api api = { .api = UFFD_API };
	stack_t stack = { .ss_size = STACK };
	uint64_t rounds;
	pthread_t thread;
	char *data;

	if (argc != 2)
		die("expected ROUNDS");
	rounds = number(argv[1], UINT32_MAX);
	page = (unsigned long)sysconf(_SC_PAGESIZE);
	first = getpid();
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (faults < 0) {
		printf("no userfaultfd\n");
		return 0;
	}
	if (ioctl(faults, UFFDIO_API, &api))
		die("UFFDIO_API");
	nobody = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	data = missing(page);
	stack.ss_sp = missing(STACK);
	if (nobody == MAP_FAILED || sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &action, NULL))
		die("cannot prepare");
	wait_at_gate("ready");
	if (pthread_create(&thread, NULL, bring, NULL))
		die("cannot create a thread");
	while (rounds--) {
		touch(data);
		drop(data, page);
		touch(data);
		drop(data, page);
		touch(nobody);
		drop(stack.ss_sp, STACK);
		if (mprotect(nobody, page, PROT_NONE))
			die("mprotect");
	}
	printf("sleeps %lu signals %lu\n", sleeps, signals);
	wait_at_gate("end");
	return 0;
}
