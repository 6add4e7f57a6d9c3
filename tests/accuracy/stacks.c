// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks FILE: the user stacks of a snapshot, one a line, for tests/accuracy/compare:
 *
 *	TGID TID OPEN END NS ADDRESS...
 *
 * OPEN is 1 if the interval goes on, END why the stack ends (enum schedprof_stack_flags; 0:
 * not said, -1: nobody could look), NS all intervals of the task with it, and
 * innermost first where each function goes on. One thread.
 */
#include <inttypes.h>
#include <schedprof.h>
#include <stdio.h>

static void print_entry(const struct schedprof_entry *entry)
{
	const struct schedprof_stack *user = entry->user;
	const uint32_t unknown = SCHEDPROF_STACK_MOVED | SCHEDPROF_STACK_UNSEEN |
				 SCHEDPROF_STACK_RUNNING | SCHEDPROF_STACK_EXITED;
	size_t i;

	if (!user || entry->task->flags & SCHEDPROF_TASK_KTHREAD)
		return;
	printf("%d %d %d %d %" PRIu64, entry->task->tgid, entry->task->tid,
	       !!(entry->flags & SCHEDPROF_ENTRY_OPEN),
	       user->flags & unknown ? -1 : (int)(user->flags & SCHEDPROF_STACK_END) >> 16,
	       entry->total);
	for (i = 0; i < user->frame_count; i++)
		printf(" %" PRIx64, user->frames[i]);
	printf("\n");
}

int main(int count, char **arguments)
{
	const struct schedprof_entry *entry;
	struct schedprof_recording *recording;
	struct schedprof_error error;
	size_t i;

	if (count != 2) {
		fprintf(stderr, "usage: stacks FILE\n");
		return 2;
	}
	recording = schedprof_load(arguments[1], &error);
	if (!recording) {
		fprintf(stderr, "stacks: %s\n", error.message);
		return 1;
	}
	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++)
		print_entry(entry);
	schedprof_recording_free(recording);
	return 0;
}
