// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * alive: does a task of a recording still run, on this machine? Only then is
 * /proc/PID that of the task. The answer is found out once for each task and kept in
 * an atomic variable; threads that find it out at the same time come to the same
 * answer.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "alive.h"
#include "recording.h"
#include "schedprof.h"

#define NS 1000000000LL
/* CLOCK_REALTIME is adjusted now and then, but not by that much. */
#define MAX_ADJUSTED (10 * NS)
/* Two clocks that are read within that are of one moment. */
#define MOMENT_NS (NS / 1000)
#define MOMENT_TRIES 20

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS + now.tv_nsec;
}

/*
 * When this machine booted, since 1970. Who is stopped between two clocks has read them at two
 * moments; the shortest of some tries is taken.
 */
static int64_t booted_realtime(void)
{
	int64_t shortest = INT64_MAX, booted = 0, before, realtime, took;
	int i;

	for (i = 0; i < MOMENT_TRIES && shortest > MOMENT_NS; i++) {
		before = clock_ns(CLOCK_BOOTTIME);
		realtime = clock_ns(CLOCK_REALTIME);
		took = clock_ns(CLOCK_BOOTTIME) - before;
		if (took < shortest) {
			shortest = took;
			booted = realtime - before;
		}
	}
	return booted;
}

/* Was the recording made on this machine, and since it booted? */
static bool is_same_boot(const struct schedprof_recording *recording)
{
	const char *there = schedprof_meta(recording, "hostname");
	uint64_t boot, realtime;
	int64_t difference;
	char here[65];

	if (gethostname(here, sizeof(here)) || !there || strcmp(here, there) ||
	    !schedprof_meta_number(recording, "taken_at_boot_ns", &boot) ||
	    !schedprof_meta_number(recording, "taken_at_realtime_ns", &realtime))
		return false;
	difference = (int64_t)(realtime - boot) - booted_realtime();
	return difference < MAX_ADJUSTED && difference > -MAX_ADJUSTED;
}

/*
 * Of when a process began, as /proc tells it, and of when a file was written to. The clock of
 * files stands still for longer where a host keeps the processor that moves it; but a
 * container that begins again has a PID again at once.
 */
static int64_t inexact(void)
{
	return 2 * NS / sysconf(_SC_CLK_TCK);
}

/* When that process began, since 1970. */
static int64_t began_realtime(uint64_t ticks)
{
	return booted_realtime() + (int64_t)ticks * (NS / sysconf(_SC_CLK_TCK));
}

static bool is_alive(const struct schedprof_recording *recording,
		     const struct schedprof_task *task)
{
	uint64_t tick = NS / sysconf(_SC_CLK_TCK);
	uint64_t start, mono, boot, suspended = 0;

	if (task->tgid <= 0 || task->flags & (SCHEDPROF_TASK_EXITED |
					      SCHEDPROF_TASK_FOLDED |
					      SCHEDPROF_TASK_LOST |
					      SCHEDPROF_TASK_GROUP))
		return false;
	if (schedprof_meta_number(recording, "taken_at_ns", &mono) &&
	    schedprof_meta_number(recording, "taken_at_boot_ns", &boot) && boot > mono)
		suspended = boot - mono;
	start = proc_start_ticks(task->tgid) * tick;
	/* /proc counts whole ticks, and the time suspended before the process began. */
	return start && start + 2 * tick > task->leader_start_ns &&
	       start <= task->leader_start_ns + suspended + 2 * tick;
}

static bool is_among(const struct libsp_list *list, const struct schedprof_task *task,
		     size_t *index)
{
	const struct schedprof_task *tasks = list->at;

	if (!task || task < tasks || task >= tasks + list->count)
		return false;
	*index += (size_t)(task - tasks);
	return true;
}

/* Wakers come behind tasks. */
static bool index_of(const struct schedprof_recording *recording,
		     const struct schedprof_task *task, size_t *index)
{
	*index = 0;
	if (is_among(&recording->tasks, task, index))
		return true;
	*index = recording->tasks.count;
	return is_among(&recording->wakers, task, index);
}

/* Return: the PID of the process of a task that still runs here; or 0. */
int libsp_living_pid(const struct schedprof_recording *recording,
		     const struct schedprof_task *task)
{
	atomic_schar *boot = &recording->alive[recording->tasks.count + recording->wakers.count];
	atomic_schar *alive;
	size_t index;

	if (!index_of(recording, task, &index))
		return 0;
	if (*boot == LIBSP_ALIVE_UNKNOWN)
		*boot = is_same_boot(recording) ? LIBSP_ALIVE_YES : LIBSP_ALIVE_NO;
	if (*boot == LIBSP_ALIVE_NO)
		return 0;
	alive = &recording->alive[index];
	if (*alive == LIBSP_ALIVE_UNKNOWN)
		*alive = is_alive(recording, task) ? LIBSP_ALIVE_YES : LIBSP_ALIVE_NO;
	return *alive == LIBSP_ALIVE_YES ? task->tgid : 0;
}

/**
 * libsp_process_of() - what is known of the process of a task
 * @recording: the snapshot
 * @task: one of its tasks; may be NULL
 * @process: filled in; pid is 0 if nothing is known
 */
void libsp_process_of(const struct schedprof_recording *recording,
		      const struct schedprof_task *task, struct libsp_process *process)
{
	uint64_t realtime, ticks;

	*process = (struct libsp_process){ .next_realtime_ns = INT64_MAX };
	if (!task || task->tgid <= 0 ||
	    task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST |
			   SCHEDPROF_TASK_GROUP) ||
	    !schedprof_meta_number(recording, "taken_at_ns", &process->taken_ns) ||
	    !schedprof_meta_number(recording, "taken_at_realtime_ns", &realtime))
		return;
	process->lives = libsp_living_pid(recording, task);
	process->here = process->lives || is_same_boot(recording);
	process->pid = task->tgid;
	process->start_ns = task->leader_start_ns;
	/* If the machine slept since then, it was earlier, and nobody knows by how much. */
	process->began_realtime_ns = (int64_t)(realtime - process->taken_ns +
					       task->leader_start_ns) - inexact();
	ticks = process->here ? proc_start_ticks(task->tgid) : 0;
	if (!ticks)
		return;
	if (process->lives)
		process->began_realtime_ns = began_realtime(ticks) - inexact();
	else
		process->next_realtime_ns = began_realtime(ticks) - inexact();
}

/**
 * libsp_process_now() - what is known of a process that runs
 * @pid: its number
 * @process: filled in
 *
 * Return: false if there is no such process.
 */
bool libsp_process_now(int pid, struct libsp_process *process)
{
	uint64_t ticks = proc_start_ticks(pid);

	*process = (struct libsp_process){
		.pid = pid, .lives = ticks, .here = ticks,
		.began_realtime_ns = began_realtime(ticks) - inexact(),
		.next_realtime_ns = INT64_MAX,
	};
	return ticks;
}
