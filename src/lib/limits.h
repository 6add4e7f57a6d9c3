/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every bound that users meet.
 */
#ifndef SP_LIB_LIMITS_H
#define SP_LIB_LIMITS_H

/* Frames a walk can hold; also the upper end of the stack_depth attribute. */
#define SP_MAX_DEPTH		127
/* Sessions that may record at the same time; a task has one bit for each. */
#define SP_MAX_ENABLED		256
/* Upper end of max_tasks, max_stacks and max_entries. */
#define SP_MAX_TABLE		4194304
/* Upper end of top_n. */
#define SP_MAX_TOP		100000
/* Processes or threads that one list may name. */
#define SP_MAX_PIDS		65536
/* Microseconds that still fit an s64 of nanoseconds. */
#define SP_MAX_US		9223372036854775ULL
/* Records looked at in one chain of a hash table before giving up. */
#define SP_MAX_CHAIN		64
/* What is too long in mode nosched, unless min_us says it. */
#define SP_NOSCHED_US		50000
/* Upper end of trace_kb; and what mode nosched has where it is 0. */
#define SP_MAX_TRACE_KB		1048576
#define SP_NOSCHED_TRACE_KB	128
/* Functions that one session instruments. */
#define SP_MAX_FUNCTIONS	1024
/*
 * Length of a name in idle_waits, with its NUL, and of all of them, with a blank behind
 * each: what is shown can be written again at once.
 */
#define SP_IDLE_NAME		128
#define SP_IDLE_BYTES		4000
/* Length of a session's name, with its NUL; programs have as much room. */
#define SP_NAME_LEN		64
/* Length of a sentence in last_error, with its NUL. */
#define SP_ERROR_LEN		256

#endif
