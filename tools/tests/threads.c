// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: what the interface promises of threads, for whoever watches for races
 * (ThreadSanitizer, helgrind): each with handles of its own, and all with one
 * recording, one table of the kernel's symbols and one symbolizer.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

#define THREADS 4
#define ROUNDS 20

static struct raw_maker maker;
static struct schedprof_recording *shared;
static struct schedprof_names names = { .size = sizeof(names) };
static char *wanted[5];
static char program[4096];

static bool same(const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entry;
	bool all = true;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		char *text = schedprof_entry_folded(recording, entry, SCHEDPROF_BY_THREAD,
						    &names, NULL);

		all &= text && !strcmp(text, wanted[i]);
		free(text);
	}
	return all && i == 5;
}

static bool merges(const struct schedprof_recording *own)
{
	const struct schedprof_recording *list[] = { own, shared };
	struct schedprof_recording *merged;
	struct schedprof_diff *diff;
	bool fine;

	merged = schedprof_merge(list, 2, SCHEDPROF_BY_THREAD, NULL);
	diff = schedprof_diff(own, shared, SCHEDPROF_BY_COMM, &names, NULL);
	fine = merged && schedprof_entry_count(merged) == 5 && diff &&
	       schedprof_diff_count(diff) == 4;
	schedprof_diff_free(diff);
	schedprof_recording_free(merged);
	return fine;
}

static void *work(void *argument)
{
	const char *wrong = NULL;
	int i;

	(void)argument;
	for (i = 0; i < ROUNDS && !wrong; i++) {
		struct schedprof_recording *own = NULL;
		struct schedprof_reader *reader;
		struct schedprof_error error;
		struct schedprof_place place;

		reader = schedprof_read_memory(maker.at, maker.size, &error);
		if (schedprof_next(reader, &own, &error) != 1)
			wrong = "reading";
		else if (!same(own) || !same(shared))
			wrong = "frames";
		else if (!merges(own))
			wrong = "merging";
		else if (names.user &&
			 schedprof_symbolize(names.user, getpid(), program,
					     (uint64_t)i * 64, &place,
					     sizeof(place), &error) &&
			 error.code != SCHEDPROF_NOT_FOUND)
			wrong = "symbols";
		else if (!schedprof_load("/nonexistent", &error) &&
			 error.code != SCHEDPROF_IO)
			wrong = "errors";
		schedprof_recording_free(own);
		schedprof_reader_close(reader);
	}
	return (void *)wrong;
}

static void all_at_once(void)
{
	pthread_t threads[THREADS];
	void *wrong;
	int i;

	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, work, NULL));
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			check_failed(__FILE__, __LINE__, "%s went wrong",
				     (const char *)wrong);
	}
}

int main(void)
{
	static const struct test test = { "all at once", all_at_once };
	struct schedprof_reader *reader;
	const struct schedprof_entry *entry;
	ssize_t length;
	size_t i;
	int bad;

	length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[length > 0 ? length : 0] = '\0';
	raw_standard(&maker, 1000);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	schedprof_next(reader, &shared, NULL);
	schedprof_reader_close(reader);
	if (!shared)
		return 2;
	names.user = schedprof_symbolizer_open(NULL);
	for (i = 0; (entry = schedprof_entry_at(shared, i)); i++)
		wanted[i] = schedprof_entry_folded(shared, entry, 0, NULL, NULL);
	bad = check_run("threads", &test, 1);
	for (i = 0; i < 5; i++)
		free(wanted[i]);
	schedprof_symbolizer_close(names.user);
	schedprof_recording_free(shared);
	raw_free(&maker);
	return bad;
}
