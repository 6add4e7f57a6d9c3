/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check: for programs of tests. Each test is a function that checks; the program
 * prints "ok NAME" or "not ok NAME: why" for each. One thread checks.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct test {
	const char *name;
	void (*run)(void);
};

/* The first thing that was wrong in the test that runs; "": nothing. */
extern char check_why[512];

bool check_failed(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void check_write(const char *path, const char *text);
double check_time(void);
int check_run(const char *suite, const struct test *tests, size_t count);

/* Whether it is so; if not, the test has failed. */
#define CHECK(what)							\
	((what) ? true : check_failed(__FILE__, __LINE__, "%s", #what))

#define CHECK_NUMBER(is, wanted)					\
	check_number(__FILE__, __LINE__, #is, (uint64_t)(is), (uint64_t)(wanted))

#define CHECK_TEXT(is, wanted)						\
	check_text(__FILE__, __LINE__, #is, is, wanted)

bool check_number(const char *file, int line, const char *what, uint64_t is,
		  uint64_t wanted);
bool check_text(const char *file, int line, const char *what, const char *is,
		const char *wanted);

#endif
