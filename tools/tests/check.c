// SPDX-License-Identifier: GPL-2.0-only
/*
 * check: what programs of tests report with. State: the first failure of the test that
 * runs. One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <time.h>

#include "check.h"

char check_why[512];

bool check_failed(const char *file, int line, const char *format, ...)
{
	va_list arguments;
	int length;

	if (*check_why)
		return false;
	length = snprintf(check_why, sizeof(check_why), "%s:%d: ", file, line);
	va_start(arguments, format);
	vsnprintf(check_why + length, sizeof(check_why) - (size_t)length, format,
		  arguments);
	va_end(arguments);
	return false;
}

bool check_number(const char *file, int line, const char *what, uint64_t is,
		  uint64_t wanted)
{
	if (is == wanted)
		return true;
	return check_failed(file, line, "%s is %" PRIu64 " and not %" PRIu64, what, is,
			    wanted);
}

bool check_text(const char *file, int line, const char *what, const char *is,
		const char *wanted)
{
	if (is == wanted || (is && wanted && !strcmp(is, wanted)))
		return true;
	return check_failed(file, line, "%s is '%s' and not '%s'", what,
			    is ? is : "(none)", wanted ? wanted : "(none)");
}

/* Makes a file of that text; the test fails if that does not work. */
void check_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!CHECK(file))
		return;
	fputs(text, file);
	fclose(file);
}

/* Of a processor, in seconds, also while others have it. */
double check_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int check_run(const char *suite, const struct test *tests, size_t count)
{
	size_t i;
	int bad = 0;

	for (i = 0; i < count; i++) {
		*check_why = '\0';
		tests[i].run();
		if (*check_why) {
			printf("not ok %s %s: %s\n", suite, tests[i].name, check_why);
			bad = 1;
		} else {
			printf("ok %s %s\n", suite, tests[i].name);
		}
	}
	return bad;
}
