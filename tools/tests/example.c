// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * example FILE: the tasks of a recording with how long they were off the CPU, and the
 * innermost function of each stack. As in libschedprof(3). One thread.
 */
#include <inttypes.h>
#include <schedprof.h>

static void print_entry(const struct schedprof_recording *recording,
			const struct schedprof_entry *entry)
{
	const struct schedprof_stack *stack = entry->kernel;
	struct schedprof_frame frame;
	char text[256] = "-";

	if (stack && schedprof_frame(recording, entry->task, stack, 0, NULL, &frame,
				     sizeof(frame)))
		schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_PLAIN, text,
				     sizeof(text));
	printf("%s %d %" PRIu64 " %s %s\n", entry->task->comm, entry->task->tid,
	       entry->total, schedprof_unit(recording), text);
}

int main(int count, char **arguments)
{
	const struct schedprof_entry *entry;
	struct schedprof_recording *recording;
	struct schedprof_error error;
	size_t i;

	if (count != 2) {
		fprintf(stderr, "usage: example FILE\n");
		return 2;
	}
	recording = schedprof_load(arguments[1], &error);
	if (!recording) {
		fprintf(stderr, "example: %s\n", error.message);
		return 1;
	}
	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++)
		print_entry(recording, entry);
	schedprof_recording_free(recording);
	return 0;
}
