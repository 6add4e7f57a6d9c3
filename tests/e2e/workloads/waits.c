// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits: threads that wait in known ways, each woken a known number of times.
 *
 * waits COUNT MICROSECONDS
 *
 * Threads are called as the way in which they wait: for work in epoll, poll, select, accept,
 * unix (accept() of a Unix domain socket), child (wait4()), signal (sigtimedwait()); and for
 * something else in cond (pthread_cond_wait(), called by worker_loop()), futex, pipe and
 * nap. The main thread makes there be work every MICROSECONDS, COUNT times, one way
 * after the other; with all asleep in between.
 *
 * Gates: "ready" before, with all of them asleep, and "end" after. For each way, what it
 * measured itself around each of its waits: "way NAME tid TID wall_ns W cpu_ns C vol V
 * invol I". A wait was off the CPU for at most wall_ns, and at least that without cpu_ns.
 * And of its whole life, as it may also sleep between its waits, as in fork(): "life NAME
 * wall_ns W cpu_ns C vol V invol I", where wall_ns is when it ended.
 */
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "work.h"

struct way {
	const char *name;
	void (*prepare)(struct way *way);
	void (*wait)(struct way *way);
	void (*wake)(struct way *way);
	int read, write;		/* ends of a pipe; listening and connecting */
	volatile uint32_t word;		/* how often it was woken */
	pid_t tid;
	struct clocks clocks;		/* of its waits */
	struct clocks life;		/* of its life */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	struct sockaddr_storage address;
	socklen_t length;
};

static uint64_t count, us;

static void sleep_us(uint64_t length_us)
{
	struct timespec t = {
		.tv_sec = (time_t)(length_us / 1000000),
		.tv_nsec = (long)(length_us % 1000000) * 1000,
	};

	nanosleep(&t, NULL);
}

/* ---- ways that end when there is a byte in a pipe */

static void make_pipe(struct way *way)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("cannot make a pipe");
	way->read = ends[0];
	way->write = ends[1];
}

static void write_byte(struct way *way)
{
	if (write(way->write, "x", 1) != 1)
		die("cannot write to a pipe");
}

static FRAME void read_byte(struct way *way)
{
	char byte;

	if (read(way->read, &byte, 1) != 1)
		die("cannot read from a pipe");
	RETURNS_HERE();
}

static void prepare_epoll(struct way *way)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd;

	make_pipe(way);
	fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, way->read, &event))
		die("cannot make an epoll file");
	way->word = (uint32_t)fd;
}

static FRAME void wait_in_epoll(struct way *way)
{
	struct epoll_event event;

	if (epoll_wait((int)way->word, &event, 1, -1) != 1)
		die("cannot wait in epoll");
	RETURNS_HERE();
}

static FRAME void wait_in_poll(struct way *way)
{
	struct pollfd one = { .fd = way->read, .events = POLLIN };

	if (poll(&one, 1, -1) != 1)
		die("cannot wait in poll");
	RETURNS_HERE();
}

static FRAME void wait_in_select(struct way *way)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(way->read, &set);
	if (select(way->read + 1, &set, NULL, NULL, NULL) != 1)
		die("cannot wait in select");
	RETURNS_HERE();
}

/* ---- clients */

static void listen_at(struct way *way, int family)
{
	struct sockaddr *address = (struct sockaddr *)&way->address;

	way->read = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (way->read < 0 || bind(way->read, address, way->length) || listen(way->read, 8))
		die("cannot listen");
	way->length = sizeof(way->address);
	if (getsockname(way->read, address, &way->length))
		die("cannot listen");
}

/* A guest may have a loopback that nobody has brought up. */
static void bring_up_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		ioctl(fd, SIOCSIFFLAGS, &request);
		close(fd);
	}
}

static void prepare_accept(struct way *way)
{
	struct sockaddr_in *in = (struct sockaddr_in *)&way->address;

	bring_up_loopback();
	in->sin_family = AF_INET;
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	way->length = sizeof(*in);
	listen_at(way, AF_INET);
}

/* In the abstract name space, with a name that the kernel chooses. */
static void prepare_unix(struct way *way)
{
	way->address.ss_family = AF_UNIX;
	way->length = sizeof(sa_family_t);
	listen_at(way, AF_UNIX);
}

static FRAME void wait_in_accept(struct way *way)
{
	int fd = accept4(way->read, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		die("cannot accept");
	close(fd);
	RETURNS_HERE();
}

static void connect_to(struct way *way)
{
	int fd = socket(way->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&way->address, way->length))
		die("cannot connect to %s", way->name);
	close(fd);
}

/* ---- children, signals */

/* A child that ends when there is a byte. */
static void prepare_child(struct way *way)
{
	make_pipe(way);
}

static FRAME void wait_in_wait4(struct way *way)
{
	while (waitpid((pid_t)way->word, NULL, 0) < 0)
		if (errno != EINTR)
			die("cannot wait for a child");
	RETURNS_HERE();
}

static void fork_child(struct way *way)
{
	char byte;

	way->word = (uint32_t)fork();
	if (!way->word)
		_exit(read(way->read, &byte, 1) != 1);
	if ((int)way->word < 0)
		die("cannot fork");
}

static FRAME void wait_for_signal(struct way *way)
{
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigwaitinfo(&set, &info) != SIGUSR1)
		die("cannot wait for a signal");
	RETURNS_HERE();
}

static void send_signal(struct way *way)
{
	syscall(SYS_tgkill, getpid(), way->tid, SIGUSR1);
}

/* ---- what is not for work, as far as the kernel can tell */

static void prepare_cond(struct way *way)
{
	pthread_mutex_init(&way->mutex, NULL);
	pthread_cond_init(&way->cond, NULL);
}

static FRAME void worker_loop(struct way *way)
{
	uint32_t seen = way->word;

	pthread_mutex_lock(&way->mutex);
	while (way->word == seen)
		pthread_cond_wait(&way->cond, &way->mutex);
	pthread_mutex_unlock(&way->mutex);
	RETURNS_HERE();
}

static void signal_cond(struct way *way)
{
	pthread_mutex_lock(&way->mutex);
	way->word++;
	pthread_cond_signal(&way->cond);
	pthread_mutex_unlock(&way->mutex);
}

static FRAME void wait_in_futex(struct way *way)
{
	uint32_t seen = way->word;

	while (way->word == seen)
		futex_wait(&way->word, seen);
	RETURNS_HERE();
}

static void wake_futex(struct way *way)
{
	way->word++;
	futex_wake_all(&way->word);
}

static FRAME void nap(struct way *way)
{
	(void)way;
	sleep_us(us);
	RETURNS_HERE();
}

static struct way ways[] = {
	{ "epoll", prepare_epoll, wait_in_epoll, write_byte },
	{ "poll", make_pipe, wait_in_poll, write_byte },
	{ "select", make_pipe, wait_in_select, write_byte },
	{ "accept", prepare_accept, wait_in_accept, connect_to },
	{ "unix", prepare_unix, wait_in_accept, connect_to },
	{ "child", prepare_child, wait_in_wait4, write_byte },
	{ "signal", NULL, wait_for_signal, send_signal },
	{ "cond", prepare_cond, worker_loop, signal_cond },
	{ "futex", NULL, wait_in_futex, wake_futex },
	{ "pipe", make_pipe, read_byte, write_byte },
	{ "nap", NULL, nap, NULL },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

static void add_clocks(struct clocks *sum, struct clocks one)
{
	sum->wall += one.wall;
	sum->cpu += one.cpu;
	sum->voluntary += one.voluntary;
	sum->involuntary += one.involuntary;
}

static void *wait_often(void *arg)
{
	struct way *way = arg;
	struct clocks start;
	uint64_t i;

	prctl(PR_SET_NAME, way->name);
	__atomic_store_n(&way->tid, my_tid(), __ATOMIC_SEQ_CST);
	for (i = 0; i < count; i++) {
		if (way->wait == wait_in_wait4)
			fork_child(way);
		start = read_clocks();
		way->wait(way);
		add_clocks(&way->clocks, clocks_since(start));
		/* What made it wake is taken away outside of the measured wait. */
		if (way->wait == wait_in_epoll || way->wait == wait_in_poll ||
		    way->wait == wait_in_select)
			read_byte(way);
	}
	way->life = read_clocks();
	return NULL;
}

static char state_of(pid_t tid)
{
	char path[64], text[256], *end;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n < 0)
		return 'X';
	text[n] = '\0';
	end = strrchr(text, ')');
	return end ? end[2] : 'X';
}

static void await_sleep(const struct way *way)
{
	pid_t tid;

	for (;;) {
		tid = __atomic_load_n(&way->tid, __ATOMIC_SEQ_CST);
		if (tid && state_of(tid) != 'R')
			return;
		sleep_us(200);
	}
}

int main(int argc, char **argv)
{
	sigset_t set;
	uint64_t i;
	size_t w;

	if (argc != 3)
		die("expected COUNT MICROSECONDS");
	count = number(argv[1], 1000000);
	us = number(argv[2], UINT32_MAX);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	wait_at_gate("begin");
	for (w = 0; w < WAYS; w++) {
		if (ways[w].prepare)
			ways[w].prepare(&ways[w]);
		errno = pthread_create(&ways[w].thread, NULL, wait_often, &ways[w]);
		if (errno)
			die("cannot make a thread");
	}
	for (i = 0; i < count; i++) {
		sleep_us(us);
		for (w = 0; w < WAYS; w++) {
			if (!ways[w].wake)
				continue;
			await_sleep(&ways[w]);
			ways[w].wake(&ways[w]);
		}
	}
	for (w = 0; w < WAYS; w++)
		pthread_join(ways[w].thread, NULL);
	for (w = 0; w < WAYS; w++) {
		printf("way %s tid %d ", ways[w].name, ways[w].tid);
		print_clocks("waits", ways[w].name, ways[w].clocks);
		print_clocks("life", ways[w].name, ways[w].life);
	}
	wait_at_gate("end");
	return 0;
}
