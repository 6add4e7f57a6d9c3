/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What loads of the benchmark share. They stand alone: each is one file and this, in a guest
 * without libraries.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The load ends; @what failed, for the reason in errno. */
static inline void __attribute__((noreturn)) die(const char *what)
{
	perror(what);
	exit(1);
}

/* Nanoseconds of the monotonic clock, which are instructions where the guest runs by them. */
static inline uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
