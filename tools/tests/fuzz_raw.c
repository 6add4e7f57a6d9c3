// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_raw: anything at all for the reader, and what it takes for all that is done
 * with recordings. For clang's libFuzzer; one thread.
 *
 * Checksums would keep the fuzzer out, so it gets data whose checksums have been set
 * right (unless the first byte says otherwise), as far as there are records in them.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_file.h"
#include "schedprof.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_events(const struct schedprof_recording *recording)
{
	const struct schedprof_event *event;
	struct schedprof_frame frame;
	size_t i, j;

	for (i = 0; (event = schedprof_event_at(recording, i)); i++)
		for (j = 0; event->user &&
		     schedprof_event_frame(recording, event, event->user, j, NULL, &frame,
					   sizeof(frame));
		     j++)
			;
}

/* Every byte that is handed out is read. */
static uint64_t look_at(const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entry;
	uint64_t total = 0;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		char *text = schedprof_entry_folded(recording, entry, (int)(i % 3), NULL,
						    NULL);

		if (text)
			total += strlen(text);
		free(text);
		total += entry->total;
	}
	look_at_events(recording);
	return total + strlen(schedprof_schema(recording));
}

static uint64_t sum(const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entry;
	uint64_t total = 0;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++)
		total += entry->total;
	return total;
}

/* What can be read can be merged and compared, and nothing gets lost. */
static void combine(const struct schedprof_recording *recording)
{
	const struct schedprof_recording *const list[] = { recording, recording };
	struct schedprof_recording *merged;
	struct schedprof_error error = { };
	struct schedprof_diff *diff;
	int by;

	for (by = SCHEDPROF_BY_THREAD; by <= SCHEDPROF_BY_CGROUP; by++) {
		merged = schedprof_merge(list, 2, by, &error);
		diff = schedprof_diff(recording, merged ? merged : recording, by, NULL,
				      NULL);
		if (!merged || !diff || sum(merged) != 2 * sum(recording)) {
			fprintf(stderr, "by %d: %s\n", by, error.message);
			abort();
		}
		look_at(merged);
		schedprof_diff_free(diff);
		schedprof_recording_free(merged);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct schedprof_recording *recording;
	struct schedprof_reader *reader;
	struct schedprof_error error = { };
	uint8_t *copy;
	int result;

	if (!size)
		return 0;
	copy = malloc(size);
	memcpy(copy, data, size);
	if (data[0] % 4)
		fuzz_checksums(copy + 1, size - 1);
	reader = schedprof_read_memory(copy + 1, size - 1, &error);
	if (data[0] & 0x80)
		schedprof_reader_be_lenient(reader);
	while ((result = schedprof_next(reader, &recording, &error)) == 1) {
		look_at(recording);
		combine(recording);
		schedprof_recording_free(recording);
	}
	if (recording || (result < 0 && (!*error.message || error.code != -result)))
		abort();
	schedprof_reader_close(reader);
	free(copy);
	return 0;
}
