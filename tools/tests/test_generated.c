// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_generated: names of code that programs generate: which files perf-PID.map and
 * jit-PID.dump are believed. The process that they are of is this program, or a child. One
 * thread.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "check.h"
#include "code_files.h"
#include "code_table.h"
#include "dump_maker.h"
#include "generated.h"
#include "raw_maker.h"
#include "schedprof.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* After so many clocks this program is stopped for a while, as others are by busy hosts. */
static int stop_after = -1;

/* The library's calls come here, too. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	if (stop_after >= 0 && !stop_after--)
		usleep(300000);
	return result;
}

/* A process that was recorded in code at 0x10001008. */
struct recorded {
	int pid;
	uint64_t start_ns;
	uint64_t taken_ns;
	const char *host;		/* NULL: this one */
	const char *jitdump;		/* path of one that was mapped; NULL: none */
	const struct stat *status;	/* of it */
	uint32_t kind;			/* of the code's mapping */
	const char *path;		/* of that */
};

static struct recorded recorded_now(int pid)
{
	return (struct recorded){
		.pid = pid,
		.start_ns = proc_start_ticks(pid) *
			    (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK)),
		.taken_ns = now(CLOCK_MONOTONIC),
		.kind = SP_RAW_MAPPING_ANON,
		.path = "",
	};
}

static void put_meta(struct raw_maker *maker, const struct recorded *recorded)
{
	char text[512], host[65] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(text, sizeof(text),
		 "hostname %s\nclock mono\ntaken_at_ns %" PRIu64 "\ntaken_at_boot_ns %" PRIu64
		 "\ntaken_at_realtime_ns %" PRIu64 "\n",
		 recorded->host ? recorded->host : host, recorded->taken_ns,
		 recorded->taken_ns + now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC),
		 recorded->taken_ns + now(CLOCK_REALTIME) - now(CLOCK_MONOTONIC));
	raw_text(maker, SP_RAW_META, text);
}

static struct schedprof_recording *record(const struct recorded *recorded)
{
	struct sp_raw_mapping code = { 0x10000000, 0x10100000, 0, 1, recorded->kind };
	struct sp_raw_mapping marker = { 0x20000000, 0x20001000, 0, 1, SP_RAW_MAPPING_FILE };
	struct sp_raw_task task = {
		.number = 1, .tid = recorded->pid, .tgid = recorded->pid, .image = 1,
		.leader_start_ns = recorded->start_ns, .start_ns = recorded->start_ns,
	};
	uint64_t frames[] = { 0, 0x10001009 };	/* the second one is called */
	uint32_t numbers[] = { 0, 1 };
	struct sp_raw_file file = { .number = 1 };
	struct schedprof_recording *recording = NULL;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };

	raw_begin(&maker);
	put_meta(&maker, recorded);
	if (recorded->status) {
		file.inode = recorded->status->st_ino;
		file.device_major = major(recorded->status->st_dev);
		file.device_minor = minor(recorded->status->st_dev);
		raw_file(&maker, &file);
	}
	raw_mapping(&maker, &code, recorded->path);
	if (recorded->jitdump)
		raw_mapping(&maker, &marker, recorded->jitdump);
	if (recorded->status)
		raw_files(&maker, 0, numbers, 2);
	raw_stack(&maker, 1, SP_RAW_STACK_USER, NULL, frames, 2);
	raw_put(&maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	CHECK_NUMBER(schedprof_next(reader, &recording, NULL), 1);
	schedprof_reader_close(reader);
	raw_free(&maker);
	return recording;
}

/* @name: as in folded; @root: NULL: none is set */
static void check_frame_below(const char *root, const struct recorded *recorded,
			      const char *name, int missing)
{
	struct schedprof_recording *recording = record(recorded);
	struct schedprof_names names = { .size = sizeof(names) };
	struct schedprof_frame frame = { };
	char text[256];

	names.user = schedprof_symbolizer_open(NULL);
	if (CHECK(recording && names.user &&
		  (!root || !schedprof_symbolizer_set_root(names.user, root, NULL)) &&
		  schedprof_frame(recording, schedprof_task_at(recording, 0),
				  schedprof_stack_at(recording, 0), 1, &names, &frame,
				  sizeof(frame)))) {
		schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_FOLDED, text,
				     sizeof(text));
		CHECK_TEXT(text, name);
		CHECK_NUMBER(frame.missing, missing);
	}
	schedprof_symbolizer_close(names.user);
	schedprof_recording_free(recording);
}

static void check_named(const struct recorded *recorded, const char *name)
{
	check_frame_below(NULL, recorded, name, SCHEDPROF_MISSING_NOTHING);
}

static void check_nameless(const struct recorded *recorded)
{
	check_frame_below(NULL, recorded, "[anon]+0x1009", SCHEDPROF_MISSING_FILE);
}

static const char *map_path(int pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	return path;
}

/* The clock of files may stand still on a busy host. */
static void set_written(const char *path, uint64_t ns)
{
	struct timespec times[2];

	times[0] = (struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	times[1] = times[0];
	CHECK(!utimensat(AT_FDCWD, path, times, 0));
}

static void write_map(int pid, const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "10001000 100 %s\n", name);
	unlink(map_path(pid));
	check_write(map_path(pid), text);
	set_written(map_path(pid), now(CLOCK_REALTIME));
}

/* Sets when it was written to, so many seconds from now. */
static void set_age(const char *path, int64_t seconds)
{
	set_written(path, now(CLOCK_REALTIME) + (uint64_t)(seconds * 1000000000));
}

/* Files of a process that lives: this one. */
static void files_of_the_living(void)
{
	struct recorded recorded = recorded_now(getpid());
	char target[64];

	check_nameless(&recorded);
	write_map(getpid(), "its own; \033[31m");
	check_named(&recorded, "its_own__?[31m");
	/* The text that is not folded tells that it is no function of a file. */
	recorded.kind = SP_RAW_MAPPING_FILE;
	recorded.path = "/memfd:code (deleted)";
	check_named(&recorded, "its_own__?[31m");
	recorded.path = "/usr/lib/none.so";
	check_frame_below(NULL, &recorded, "/usr/lib/none.so+0x1009",
			  SCHEDPROF_MISSING_IDENTITY);
	recorded = recorded_now(getpid());
	check_frame_below(directory, &recorded, "[anon]+0x1009", SCHEDPROF_MISSING_FILE);
	/* Code that is not in it. */
	check_write(map_path(getpid()), "10001009 100 behind it\n");
	check_frame_below(NULL, &recorded, "[anon]+0x1009", SCHEDPROF_MISSING_SYMBOLS);
	/* Left behind by another one that had the PID. */
	write_map(getpid(), "old");
	set_age(map_path(getpid()), -86400 * 365);
	check_nameless(&recorded);
	if (!geteuid()) {
		write_map(getpid(), "of somebody else");
		CHECK(!chown(map_path(getpid()), 54321, 54321));
		check_nameless(&recorded);
	}
	/* A link, a pipe, a device, a directory. */
	unlink(map_path(getpid()));
	snprintf(target, sizeof(target), "%s/target", directory);
	check_write(target, "10001000 100 linked\n");
	CHECK(!symlink(target, map_path(getpid())));
	check_nameless(&recorded);
	unlink(map_path(getpid()));
	CHECK(!mkfifo(map_path(getpid()), 0600));
	check_nameless(&recorded);
	unlink(map_path(getpid()));
	CHECK(!mkdir(map_path(getpid()), 0700));
	check_nameless(&recorded);
	rmdir(map_path(getpid()));
}

/* A process that waits, and how to end it. */
struct child {
	pid_t pid;
	pid_t own;	/* of the child that ends with it */
	int until;	/* closed: it ends */
};

/* @user: whose it is; @root: NULL, or its root in a PID namespace of its own */
static struct child start_child(uid_t user, const char *root)
{
	int ready[2], until[2], inside[2];
	struct child child = { };
	pid_t pid;
	char byte;

	if (!CHECK(!pipe2(ready, O_CLOEXEC) && !pipe2(until, O_CLOEXEC) &&
		   !pipe2(inside, O_CLOEXEC)))
		return child;
	pid = fork();
	child.own = pid;
	if (!pid) {
		close(until[1]);
		if (root) {
			/* The namespace is that of its children. */
			pid = unshare(CLONE_NEWPID) ? -1 : fork();
			if (pid && (pid < 0 || write(ready[1], &pid, sizeof(pid)) < 0))
				_exit(1);
			if (pid)
				_exit(waitpid(pid, NULL, 0) != pid);
			/* Its parent has told its number by now, or does so next. */
			if (chroot(root) || chdir("/") || write(inside[1], "", 1) != 1)
				_exit(1);
		} else {
			pid = getpid();
			if (user && (setgid(user) || setuid(user)))
				_exit(1);
			if (write(ready[1], &pid, sizeof(pid)) < 0)
				_exit(1);
		}
		_exit(read(until[0], &byte, 1) != 0);
	}
	close(until[0]);
	close(ready[1]);
	close(inside[1]);
	if (read(ready[0], &child.pid, sizeof(child.pid)) != sizeof(child.pid) ||
	    (root && read(inside[0], &byte, 1) != 1))
		child.pid = 0;
	close(ready[0]);
	close(inside[0]);
	child.until = until[1];
	return child;
}

static void end_child(const struct child *child)
{
	close(child->until);
	waitpid(child->own, NULL, 0);
}

/* Of another user's process, it is that user's file that counts. */
static void files_of_other_users(void)
{
	struct recorded recorded;
	struct child child;

	if (geteuid())
		return;
	child = start_child(54321, NULL);
	recorded = recorded_now(child.pid);
	write_map(child.pid, "its_user's");
	check_named(&recorded, "its_user's");
	CHECK(!chown(map_path(child.pid), 54321, 54321));
	check_named(&recorded, "its_user's");
	CHECK(!chown(map_path(child.pid), 54322, 54322));
	check_nameless(&recorded);
	end_child(&child);
	/* It is gone, and nobody knows whose it was. */
	check_nameless(&recorded);
	CHECK(!chown(map_path(child.pid), 54321, 54321));
	check_nameless(&recorded);
	CHECK(!chown(map_path(child.pid), 0, 0));
	check_named(&recorded, "its_user's");
	unlink(map_path(child.pid));
}

static void files_of_the_dead(void)
{
	struct child child = start_child(0, NULL);
	struct recorded recorded = recorded_now(child.pid), elsewhere;
	char path[128];

	write_map(child.pid, "left_behind");
	end_child(&child);
	check_named(&recorded, "left_behind");
	set_age(map_path(child.pid), -86400 * 365);
	check_nameless(&recorded);
	/* On another machine, only below a copy of its files. */
	write_map(child.pid, "left_behind");
	elsewhere = recorded;
	elsewhere.host = "elsewhere";
	check_nameless(&elsewhere);
	snprintf(path, sizeof(path), "%s/tmp", directory);
	CHECK(!mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/tmp/perf-%d.map", directory, child.pid);
	check_write(path, "10001000 100 of_a_copy\n");
	check_frame_below(directory, &elsewhere, "of_a_copy", SCHEDPROF_MISSING_NOTHING);
	check_frame_below(directory, &recorded, "of_a_copy", SCHEDPROF_MISSING_NOTHING);
	unlink(path);
	snprintf(path, sizeof(path), "%s/tmp", directory);
	rmdir(path);
	unlink(map_path(child.pid));
}

/* The PID is another process's by now, which may have written the file anew. */
static void pid_again(void)
{
	struct child child = start_child(0, NULL);
	struct recorded recorded = recorded_now(child.pid);

	/* A machine that has just booted had nothing before. */
	if (recorded.start_ns < 200000000000) {
		end_child(&child);
		return;
	}
	recorded.start_ns -= 100000000000;
	recorded.taken_ns -= 50000000000;
	write_map(child.pid, "whose");
	check_nameless(&recorded);
	set_age(map_path(child.pid), -20);
	check_named(&recorded, "whose");
	set_age(map_path(child.pid), -200);
	check_nameless(&recorded);
	end_child(&child);
	unlink(map_path(child.pid));
}

/* In a container, the process has another number, and another /tmp. */
static void containers(void)
{
	struct recorded recorded;
	struct child child;
	char path[128], link[128];

	if (geteuid())
		return;
	snprintf(path, sizeof(path), "%s/tmp", directory);
	CHECK(!mkdir(path, 0700));
	child = start_child(0, directory);
	/* Some sandboxes have no PID namespaces. */
	if (child.pid > 0) {
		recorded = recorded_now(child.pid);
		check_nameless(&recorded);
		write_map(child.pid, "outside");
		check_nameless(&recorded);
		unlink(map_path(child.pid));
		snprintf(path, sizeof(path), "%s/tmp/perf-1.map", directory);
		check_write(path, "10001000 100 inside\n");
		check_named(&recorded, "inside");
		/* Its /tmp is a link that leads nowhere else. */
		snprintf(path, sizeof(path), "%s/tmp", directory);
		snprintf(link, sizeof(link), "%s/elsewhere", directory);
		CHECK(!rename(path, link) && !symlink("/elsewhere", path));
		check_named(&recorded, "inside");
		CHECK(!unlink(path) && !symlink("/tmp", path));
		write_map(1, "outside");
		check_nameless(&recorded);
		unlink(map_path(1));
		CHECK(!unlink(path) && !rename(link, path));
	}
	end_child(&child);
	snprintf(path, sizeof(path), "rm -r %s/tmp", directory);
	CHECK(!system(path));
}

/* Writes a file jit-@pid.dump with one function. Return: its path. */
static const char *write_dump(const char *in, int pid, uint64_t time, const char *name,
			      struct stat *status)
{
	static char path[128];
	struct dump dump = { };
	int fd;

	dump_begin(&dump, 0);
	dump_load(&dump, time, 0x10001000, 0x100, 1, name);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", in, pid);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, dump.bytes, dump.size) == (ssize_t)dump.size &&
	      !fstat(fd, status));
	close(fd);
	return path;
}

static void dumps_of_the_living(void)
{
	struct recorded recorded = recorded_now(getpid());
	struct stat status;
	const char *path;
	void *marker;
	int fd;

	/* By name, where it is for all. */
	path = write_dump("/tmp", getpid(), recorded.taken_ns, "in_tmp", &status);
	check_named(&recorded, "in_tmp");
	recorded.taken_ns--;
	check_frame_below(NULL, &recorded, "[anon]+0x1009", SCHEDPROF_MISSING_SYMBOLS);
	/* What has a time is more than what has none. */
	write_map(getpid(), "map");
	check_named(&recorded, "map");
	recorded.taken_ns++;
	check_named(&recorded, "in_tmp");
	unlink(map_path(getpid()));
	unlink(path);
	check_nameless(&recorded);
	/* By what is mapped. */
	path = write_dump(directory, getpid(), recorded.taken_ns, "mapped", &status);
	check_nameless(&recorded);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	marker = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	check_nameless(&recorded);
	CHECK(!mprotect(marker, 4096, PROT_READ | PROT_EXEC));
	close(fd);
	check_named(&recorded, "mapped");
	if (!geteuid()) {
		CHECK(!chown(path, 54321, 54321));
		check_nameless(&recorded);
	}
	munmap(marker, 4096);
	unlink(path);
}

static void map_dump(void *at, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *mapped = mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE,
			    fd, 0);

	close(fd);
	CHECK(mapped == at);
}

/* A child has what its parent mapped, too, wherever its own is. */
static void dumps_of_children(void)
{
	struct recorded recorded = recorded_now(getpid());
	void *low = (void *)0x50000000, *high = (void *)0x60000000;
	char of_parent[128], own[128];
	struct stat status;
	int i;

	strcpy(of_parent, write_dump(directory, getppid(), recorded.taken_ns, "of_parent",
				     &status));
	set_age(of_parent, -86400);
	strcpy(own, write_dump(directory, getpid(), recorded.taken_ns, "own", &status));
	set_written(own, now(CLOCK_REALTIME));
	for (i = 0; i < 2; i++) {
		map_dump(low, i ? own : of_parent);
		map_dump(high, i ? of_parent : own);
		check_named(&recorded, "own");
		munmap(i ? low : high, 4096);
		check_named(&recorded, "of_parent");
		munmap(i ? high : low, 4096);
	}
	check_nameless(&recorded);
	unlink(own);
	unlink(of_parent);
}

/* A file whose path has 125,000 characters, open. */
static int open_deep(void)
{
	int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC), above = fd, i;
	char name[251];

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (i = 0; i < 500 && fd >= 0; i++) {
		fd = mkdirat(above, name, 0700) ? -1 :
		     openat(above, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(above);
		above = fd;
	}
	fd = openat(above, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	close(above);
	return fd;
}

/* Is this program found to tell of generated code? Return: its PID, or 0. */
static pid_t generator_of_files(void)
{
	struct libsp_code_files files;
	pid_t pid;

	libsp_code_files_init(&files);
	CHECK_NUMBER(libsp_code_of_process(&files, getpid(), NULL), 0);
	pid = libsp_code_generator_at(&files, 0);
	libsp_code_files_free(&files);
	return pid;
}

/* Whoever maps files chooses how long the list of them is. */
static void dumps_behind_much(void)
{
	struct recorded recorded = recorded_now(getpid());
	enum { MANY = 560, FEW = 400, PAGE = 4096 };
	int fd = open_deep(), i;
	struct stat status;
	const char *path;
	char *room;

	/* They are listed in the order of addresses, and those side by side as one. */
	room = mmap(NULL, (2 * MANY + 1) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(fd >= 0 && room != MAP_FAILED);
	for (i = 0; i < MANY; i++)
		CHECK(mmap(room + 2 * i * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd,
			   0) != MAP_FAILED);
	close(fd);
	path = write_dump(directory, getpid(), recorded.taken_ns, "mapped", &status);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(mmap(room + 2 * MANY * PAGE, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		   fd, 0) != MAP_FAILED);
	close(fd);
	check_nameless(&recorded);
	CHECK_NUMBER(generator_of_files(), 0);
	munmap(room, 2 * (MANY - FEW) * PAGE);
	/* Others may have got that. */
	room += 2 * (MANY - FEW) * PAGE;
	check_named(&recorded, "mapped");
	CHECK_NUMBER(generator_of_files(), getpid());
	munmap(room, (2 * FEW + 1) * PAGE);
	unlink(path);
}

/* The recording tells which file it was. */
static void dumps_of_the_dead(void)
{
	struct child child = start_child(0, NULL);
	struct recorded recorded = recorded_now(child.pid);
	struct stat status;
	const char *path;

	end_child(&child);
	path = write_dump(directory, child.pid, recorded.taken_ns, "mapped", &status);
	check_nameless(&recorded);
	recorded.jitdump = path;
	check_named(&recorded, "mapped");
	if (!geteuid()) {
		CHECK(!chown(path, 54321, 54321));
		check_nameless(&recorded);
		/* Whoever's it is, that very file was mapped. */
		recorded.status = &status;
		check_named(&recorded, "mapped");
		status.st_ino++;
		check_nameless(&recorded);
	}
	unlink(path);
	recorded.jitdump = "/tmp/nothing/jit-1.dump";
	check_nameless(&recorded);
}

/* Who asks again, with a later recording, gets what was written since. */
static void later_recordings(void)
{
	struct schedprof_names names = { .size = sizeof(names) };
	struct recorded recorded = recorded_now(getpid());
	struct schedprof_recording *recording;
	struct schedprof_frame frame = { };
	static const char *const wanted[] = { "one", "one", "two", "two" };
	const char *first = NULL;
	unsigned int i;

	names.user = schedprof_symbolizer_open(NULL);
	for (i = 0; i < 4 && names.user; i++) {
		write_map(getpid(), i ? "two" : "one");
		if (i == 2)
			recorded.taken_ns++;
		recording = record(&recorded);
		CHECK(schedprof_frame(recording, schedprof_task_at(recording, 0),
				      schedprof_stack_at(recording, 0), 1, &names, &frame,
				      sizeof(frame)));
		CHECK_TEXT(frame.function, wanted[i]);
		CHECK_NUMBER(frame.offset, 9);
		CHECK_NUMBER(frame.size, 0x100);
		CHECK_NUMBER(frame.kind, SCHEDPROF_FRAME_ANON);
		first = first ? first : frame.function;
		schedprof_recording_free(recording);
	}
	/* As long as the symbolizer lives. */
	CHECK_TEXT(first, "one");
	schedprof_symbolizer_close(names.user);
	unlink(map_path(getpid()));
}

static void find_at(struct libsp_generated *generated, struct libsp_process *process,
		    uint64_t time, const char *name, int missing)
{
	struct libsp_generator generator = { .process = process, .root = "" };
	struct libsp_generated_place place;

	CHECK_NUMBER(libsp_generated_find(generated, &generator, 0x10001009, time, &place),
		     missing);
	if (name)
		CHECK_TEXT(place.name, name);
}

static void check_found(struct libsp_generated *generated, struct libsp_process *process,
			const char *name, int missing)
{
	find_at(generated, process, 0, name, missing);
}

/* Whoever is stopped between two clocks knows when a process began all the same. */
static void stopped_between_clocks(void)
{
	struct libsp_process process;
	int64_t began;
	int i;

	CHECK(libsp_process_now(getpid(), &process));
	began = process.began_realtime_ns;
	for (i = 0; i < 3; i++) {
		stop_after = i;
		CHECK(libsp_process_now(getpid(), &process));
		stop_after = -1;
		CHECK(llabs(process.began_realtime_ns - began) < 100000000);
	}
}

/* A process that ran another program before: whichever is asked for first, each is itself. */
static void programs_of_one_process(void)
{
	struct libsp_process living, before;
	struct libsp_arena arena = { };
	struct libsp_generated generated = { .arena = &arena, .room = 1 << 20 };
	int i;

	CHECK(libsp_process_now(getpid(), &living));
	before = living;
	before.lives = false;
	before.next_realtime_ns = living.began_realtime_ns;
	write_map(getpid(), "living");
	for (i = 0; i < 2; i++) {
		if (i)
			check_found(&generated, &living, "living", SCHEDPROF_MISSING_NOTHING);
		check_found(&generated, &before, NULL, SCHEDPROF_MISSING_FILE);
		check_found(&generated, &living, "living", SCHEDPROF_MISSING_NOTHING);
		libsp_generated_forget(&generated);
	}
	unlink(map_path(getpid()));
	libsp_arena_free(&arena);
}

/* What is kept of all processes together has a bound; what is forgotten is given back. */
static void room_for_all(void)
{
	struct child child = start_child(0, NULL);
	struct libsp_process own, other;
	struct libsp_arena arena = { };
	struct libsp_generated generated = { .arena = &arena, .room = 1 };

	CHECK(libsp_process_now(getpid(), &own) && libsp_process_now(child.pid, &other));
	write_map(getpid(), "first");
	write_map(child.pid, "second");
	check_found(&generated, &own, "first", SCHEDPROF_MISSING_NOTHING);
	check_found(&generated, &other, NULL, SCHEDPROF_MISSING_TOO_LARGE);
	CHECK_NUMBER(generated.room, 0);
	/* Of a later recording. */
	unlink(map_path(getpid()));
	own.taken_ns++;
	other.taken_ns++;
	check_found(&generated, &own, NULL, SCHEDPROF_MISSING_FILE);
	CHECK_NUMBER(generated.room, 1);
	check_found(&generated, &other, "second", SCHEDPROF_MISSING_NOTHING);
	CHECK_NUMBER(generated.room, 0);
	/* And nobody asks for the other one any more. */
	write_map(getpid(), "third");
	own.taken_ns++;
	check_found(&generated, &own, "third", SCHEDPROF_MISSING_NOTHING);
	/* But of an earlier recording, which is asked for between two of a later one. */
	check_found(&generated, &other, NULL, SCHEDPROF_MISSING_TOO_LARGE);
	check_found(&generated, &own, "third", SCHEDPROF_MISSING_NOTHING);
	generated.room = 1 << 20;
	write_map(getpid(), "fourth");
	own.taken_ns++;
	check_found(&generated, &own, "fourth", SCHEDPROF_MISSING_NOTHING);
	CHECK(generated.room < 1 << 20);
	end_child(&child);
	unlink(map_path(child.pid));
	unlink(map_path(getpid()));
	libsp_generated_forget(&generated);
	libsp_arena_free(&arena);
}

/* @lines: so many, for which there is room, and one in the place of the first one */
static void write_lines(int pid, size_t lines)
{
	FILE *out;
	size_t i;

	unlink(map_path(pid));
	out = fopen(map_path(pid), "w");
	for (i = 0; out && i <= lines; i++)
		fprintf(out, "%zx 100 %s\n", 0x10001000 + i % lines * 0x100,
			i < lines ? "old" : "new");
	CHECK(out && !fclose(out));
	set_written(map_path(pid), now(CLOCK_REALTIME));
}

/*
 * A function, at time 1; lines of source, which take more room than there is from time 12 on and
 * most of which are holes of the file; and another one in the function's place.
 */
static void write_full_dump(const char *path, uint64_t flags)
{
	enum { RECORDS = 12, BODY = 16 << 20 };
	struct dump dump = { };
	size_t part = 0;
	off_t at = 0;
	unsigned int i;
	int fd;

	unlink(path);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	dump_begin(&dump, flags);
	dump_load(&dump, 1, 0x10001000, 0x100, 1, "old");
	for (i = 0; i < RECORDS; i++) {
		dump_put(&dump, 2, 4);
		dump_put(&dump, 16 + BODY, 4);
		dump_put(&dump, 2 + i, 8);
		part = dump.size;
		dump_put(&dump, 0x10001000, 8);
		dump_put(&dump, BODY / 16, 8);
		dump_put(&dump, 0x10001000, 8);
		dump_put(&dump, 7, 8);
		/* No name of a file, so no more entries are looked at. */
		dump_put_text(&dump, "\001");
		CHECK(pwrite(fd, dump.bytes, dump.size, at) == (ssize_t)dump.size);
		at += (off_t)part + BODY;
		dump.size = 0;
	}
	dump_load(&dump, 100, 0x10001000, 0x100, 2, "new");
	CHECK(pwrite(fd, dump.bytes, dump.size, at) == (ssize_t)dump.size);
	close(fd);
	set_written(path, now(CLOCK_REALTIME));
}

/* A file that tells more than is kept of one is told from one that does not have the name. */
static void too_large(void)
{
	struct schedprof_names names = { .size = sizeof(names) };
	struct recorded recorded = recorded_now(getpid());
	struct schedprof_recording *recording = record(&recorded);
	struct schedprof_frame frame = { };
	struct schedprof_symbolizer *user = schedprof_symbolizer_open(NULL);

	names.user = user;
	write_lines(getpid(), LIBSP_MAX_CODE);
	CHECK(user && !schedprof_symbolizer_is_full(user));
	CHECK(schedprof_frame(recording, schedprof_task_at(recording, 0),
			      schedprof_stack_at(recording, 0), 1, &names, &frame,
			      sizeof(frame)));
	CHECK_NUMBER(frame.missing, SCHEDPROF_MISSING_TOO_LARGE);
	CHECK(schedprof_symbolizer_is_full(user));
	schedprof_symbolizer_close(user);
	schedprof_recording_free(recording);
	unlink(map_path(getpid()));
}

/* What a dump with times tells of before it was full is all that there was. */
static void too_large_dumps(void)
{
	struct libsp_process process;
	struct libsp_arena arena = { };
	struct libsp_generated generated = { .arena = &arena, .room = (uint64_t)1 << 30 };
	char path[64];

	CHECK(libsp_process_now(getpid(), &process));
	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	write_full_dump(path, 0);
	find_at(&generated, &process, 0, NULL, SCHEDPROF_MISSING_SYMBOLS);
	find_at(&generated, &process, 1, "old", SCHEDPROF_MISSING_NOTHING);
	find_at(&generated, &process, 11, "old", SCHEDPROF_MISSING_NOTHING);
	find_at(&generated, &process, 12, NULL, SCHEDPROF_MISSING_TOO_LARGE);
	/* The map may tell it. */
	libsp_generated_forget(&generated);
	write_map(getpid(), "mapped");
	find_at(&generated, &process, 12, "mapped", SCHEDPROF_MISSING_NOTHING);
	unlink(map_path(getpid()));
	libsp_generated_forget(&generated);
	write_full_dump(path, 1);
	find_at(&generated, &process, 1, NULL, SCHEDPROF_MISSING_TOO_LARGE);
	unlink(path);
	/* What cannot be read for another reason is not too large. */
	libsp_generated_forget(&generated);
	check_write(path, "no dump");
	set_written(path, now(CLOCK_REALTIME));
	find_at(&generated, &process, 1, NULL, SCHEDPROF_MISSING_SYMBOLS);
	unlink(path);
	libsp_generated_forget(&generated);
	libsp_arena_free(&arena);
}

static const struct test tests[] = {
	{ "files of the living", files_of_the_living },
	{ "files of other users", files_of_other_users },
	{ "files of the dead", files_of_the_dead },
	{ "the same PID again", pid_again },
	{ "containers", containers },
	{ "dumps of the living", dumps_of_the_living },
	{ "dumps of children", dumps_of_children },
	{ "dumps behind much", dumps_behind_much },
	{ "dumps of the dead", dumps_of_the_dead },
	{ "later recordings", later_recordings },
	{ "stopped between clocks", stopped_between_clocks },
	{ "programs of one process", programs_of_one_process },
	{ "room for all", room_for_all },
	{ "too large", too_large },
	{ "too large dumps", too_large_dumps },
};

int main(void)
{
	char command[64];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	bad = check_run("generated", tests, sizeof(tests) / sizeof(tests[0]));
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
