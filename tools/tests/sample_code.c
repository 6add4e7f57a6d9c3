// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_code: stops each thread of a process now and then, and says which functions of
 * generated code it is in: makes a recording, as the module would, and asks the library. For
 * tests of what real programs write. One thread.
 *
 * sample_code PID NUMBER [FILE] prints the frames, the innermost first: where the thread is,
 * and what on its stack could be a return address; as far as it is in memory that is of no
 * file. With a FILE, which it makes, once the process has ended after that.
 */
#include <dirent.h>
#include <elf.h>
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "raw_maker.h"
#include "schedprof.h"

#define MAX_MAPPINGS	4096
#define STACK_WORDS	8192
#define MAX_FRAMES	64

/* Code that a process has mapped. */
static struct sp_raw_mapping mappings[MAX_MAPPINGS];
static char paths[MAX_MAPPINGS][512];
static size_t mapping_count;

/* What was recorded, one after the other. */
static struct raw_maker made;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void read_mappings(pid_t pid)
{
	char name[64], line[1024];
	FILE *maps;

	mapping_count = 0;
	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	while (maps && mapping_count < MAX_MAPPINGS && fgets(line, sizeof(line), maps)) {
		struct sp_raw_mapping *mapping = &mappings[mapping_count];
		char *path = paths[mapping_count];

		*path = '\0';
		if (sscanf(line, "%llx-%llx %*2cx%*c %llx %*s %*s %511[^\n]",
			   &mapping->start, &mapping->end, &mapping->offset, path) < 3)
			continue;
		mapping->image = 1;
		mapping->kind = *path == '/' ? SP_RAW_MAPPING_FILE : SP_RAW_MAPPING_ANON;
		if (*path != '/') {
			mapping->offset = 0;
			*path = '\0';
		}
		mapping_count++;
	}
	if (maps)
		fclose(maps);
}

static bool is_generated(uint64_t address)
{
	size_t i;

	for (i = 0; i < mapping_count; i++)
		if (mappings[i].kind == SP_RAW_MAPPING_ANON &&
		    address >= mappings[i].start && address < mappings[i].end)
			return true;
	return false;
}

/* Reads registers and stack of a thread that is stopped. Return: how many frames. */
static uint32_t read_frames(pid_t tid, uint64_t *frames)
{
	static uint64_t words[STACK_WORDS];
	struct user_regs_struct registers;
	struct iovec all = { &registers, sizeof(registers) }, from, to;
	uint64_t counter, stack;
	uint32_t count = 0;
	ssize_t i, got;

	if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &all))
		return 0;
#ifdef __aarch64__
	counter = registers.pc;
	stack = registers.sp;
#else
	counter = registers.rip;
	stack = registers.rsp;
#endif
	read_mappings(tid);
	frames[count++] = counter;
	/* What is there in pages that are mapped, and no more. */
	for (got = 0, i = 0; i < STACK_WORDS * 8; i += got) {
		from.iov_base = (void *)(uintptr_t)(stack + (uint64_t)i);
		from.iov_len = 4096 - (stack + (uint64_t)i) % 4096;
		if (from.iov_len > (size_t)(STACK_WORDS * 8 - i))
			from.iov_len = (size_t)(STACK_WORDS * 8 - i);
		to = (struct iovec){ (char *)words + i, from.iov_len };
		got = process_vm_readv(tid, &to, 1, &from, 1, 0);
		if (got <= 0)
			break;
	}
	for (got = 0; got < i / 8 && count < MAX_FRAMES; got++)
		if (is_generated(words[got]))
			frames[count++] = words[got];
	return count > 1 || is_generated(counter) ? count : 0;
}

/* Return: how many frames; 0: none, or the thread has ended. */
static uint32_t stop_and_read(pid_t tid, uint64_t *frames)
{
	uint32_t count = 0;
	int status;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL))
		return 0;
	if (!ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) &&
	    waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status))
		count = read_frames(tid, frames);
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
	return count;
}

static void print_frames(const struct schedprof_recording *recording,
			 const struct schedprof_names *names)
{
	struct schedprof_frame frame;
	char text[4096];
	size_t i;

	for (i = 0; schedprof_frame(recording, schedprof_task_at(recording, 0),
				    schedprof_stack_at(recording, 0), i, names, &frame,
				    sizeof(frame)); i++) {
		schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_PLAIN, text,
				     sizeof(text));
		puts(text);
	}
}

static void print_names(void)
{
	struct schedprof_names names = { .size = sizeof(names) };
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct schedprof_reader *reader;
	int result;

	names.user = schedprof_symbolizer_open(&error);
	reader = schedprof_read_memory(made.at, made.size, &error);
	if (!names.user || !reader)
		errx(2, "%s", error.message);
	while ((result = schedprof_next(reader, &recording, &error)) == 1) {
		print_frames(recording, &names);
		schedprof_recording_free(recording);
	}
	if (result)
		errx(1, "%s", error.message);
	schedprof_reader_close(reader);
	schedprof_symbolizer_close(names.user);
}

static void sample(pid_t pid, pid_t tid)
{
	struct sp_raw_task task = {
		.number = 1, .tid = tid, .tgid = pid, .image = 1, .comm = "sampled",
	};
	uint64_t frames[MAX_FRAMES];
	uint32_t count = stop_and_read(tid, frames);
	char text[512], host[65] = "";
	size_t i;

	if (!count)
		return;
	gethostname(host, sizeof(host) - 1);
	task.leader_start_ns = proc_start_ticks(pid) *
			       (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
	task.start_ns = task.leader_start_ns;
	snprintf(text, sizeof(text),
		 "hostname %s\ntaken_at_ns %" PRIu64 "\ntaken_at_boot_ns %" PRIu64
		 "\ntaken_at_realtime_ns %" PRIu64 "\n", host, now(CLOCK_MONOTONIC),
		 now(CLOCK_BOOTTIME), now(CLOCK_REALTIME));
	raw_begin(&made);
	raw_text(&made, SP_RAW_META, text);
	for (i = 0; i < mapping_count; i++)
		raw_mapping(&made, &mappings[i], paths[i]);
	raw_stack(&made, 1, SP_RAW_STACK_USER, NULL, frames, count);
	raw_put(&made, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	raw_end(&made);
}

static void sample_all(pid_t pid)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	const struct dirent *entry;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	if (!tasks)
		err(1, "%s", path);
	while ((entry = readdir(tasks)))
		if (*entry->d_name != '.')
			sample(pid, atoi(entry->d_name));
	closedir(tasks);
	nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	pid_t pid;
	int i;

	if (argc < 3)
		errx(2, "usage: sample_code PID NUMBER [FILE]");
	pid = atoi(argv[1]);
	for (i = 0; i < atoi(argv[2]); i++)
		sample_all(pid);
	if (argc > 3) {
		FILE *file = fopen(argv[3], "we");

		if (!file || fclose(file))
			err(1, "%s", argv[3]);
		while (proc_start_ticks(pid))
			nanosleep(&pause, NULL);
	}
	if (made.size)
		print_names();
	raw_free(&made);
	return 0;
}
