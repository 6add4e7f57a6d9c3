// SPDX-License-Identifier: GPL-2.0-only
/*
 * flooded: the same loop twice, of as many instructions; the second time a timer
 * interrupts its CPU all the time. Gates: "ready", "quiet", "end". It prints how much longer
 * the loop took, for each interrupt: "ns_per_interrupt 1234.5".
 *
 * flooded CPU MILLIONS PERIOD_US [LISTENERS]
 *
 * The timer is that of a software event of perf, which nobody reads: a hard interrupt on every
 * kernel, and nothing is woken. With 0 MILLIONS it sends itself packets instead, as
 * many as PERIOD_US says, so that softirqs run in its system calls; with LISTENERS each goes to so
 * many sockets, which nobody reads: the more, the longer a softirq takes. With a period of 0 it
 * is the loop five times, without gates, and prints of the shortest "ns_per_loop 1234": what a
 * kernel does now and then is not in it.
 */
#include <arpa/inet.h>
#include <linux/perf_event.h>
#include <sys/socket.h>

#include "work.h"

/* Returns how long it took, in ns. */
static uint64_t loop(uint64_t millions)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	for (uint64_t n = millions * 1000000; n; n--)
		__asm__ __volatile__("" ::: "memory");
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

static uint64_t shortest_loop(uint64_t millions)
{
	uint64_t ns, shortest = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		ns = loop(millions);
		if (ns < shortest)
			shortest = ns;
	}
	return shortest;
}

static int open_timer(int cpu, uint64_t period_us)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_us * 1000,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

	if (fd < 0)
		die("no timer of perf");
	return fd;
}

static void send_packets(uint64_t packets)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t length = sizeof(to);
	char word[64] = "";
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(fd, (struct sockaddr *)&to, &length))
		die("no socket");
	while (packets--)
		if (sendto(fd, word, sizeof(word), 0, (struct sockaddr *)&to, sizeof(to)) < 0 ||
		    recv(fd, word, sizeof(word), 0) < 0)
			die("no packet");
	close(fd);
}

/* All that are bound to a port get what is sent to all of the network. */
static int open_listener(struct sockaddr_in *at)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
	socklen_t length = sizeof(*at);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof(yes)) ||
	    bind(fd, (struct sockaddr *)at, sizeof(*at)) ||
	    getsockname(fd, (struct sockaddr *)at, &length))
		die("no socket that listens");
	return fd;
}

static void send_to_all(uint64_t packets, uint64_t listeners)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	char word[64] = "";
	int fd = -1;

	while (listeners--)
		fd = open_listener(&at);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK | 0xffffff);
	while (packets--)
		if (sendto(fd, word, sizeof(word), 0, (struct sockaddr *)&at, sizeof(at)) < 0)
			die("no packet to all");
}

int main(int argc, char **argv)
{
	uint64_t millions, period_us, quiet, took;
	int cpu, timer;

	if (argc != 4 && argc != 5)
		die("expected a CPU, millions of loops, a period, and perhaps listeners");
	cpu = (int)number(argv[1], 1023);
	millions = number(argv[2], 1000000);
	period_us = number(argv[3], 1000000);
	pin(cpu);
	if (millions && !period_us) {
		printf("ns_per_loop %llu\n", (unsigned long long)shortest_loop(millions));
		return 0;
	}
	wait_at_gate("ready");
	if (!millions) {
		if (argc == 5)
			send_to_all(period_us, number(argv[4], 1000));
		else
			send_packets(period_us);
		wait_at_gate("end");
		return 0;
	}
	quiet = loop(millions);
	wait_at_gate("quiet");
	timer = open_timer(cpu, period_us);
	took = loop(millions);
	close(timer);
	wait_at_gate("end");
	/* One in each period. */
	printf("ns_per_interrupt %.1f\n", (double)period_us * 1000 *
	       ((double)took - (double)quiet) / (double)took);
	return 0;
}
