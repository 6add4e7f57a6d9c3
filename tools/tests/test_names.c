// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_names: names of kernel addresses, of user frames, and how they read. What this
 * program knows of itself is the truth. One thread.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <linux/fs.h>
#include <time.h>
#include <unistd.h>

#include "alive.h"
#include "check.h"
#include "elf_image.h"
#include "open_file.h"
#include "raw_maker.h"
#include "schedprof.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";

static const char *put(const char *name, const char *text)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	check_write(path, text);
	return path;
}

static void check_kernel(const struct schedprof_kernel *kernel, uint64_t address,
			 const char *function, uint64_t offset, uint64_t size,
			 const char *module)
{
	struct schedprof_symbol symbol = { };

	if (!CHECK(schedprof_kernel_find(kernel, address, &symbol, sizeof(symbol))))
		return;
	CHECK_TEXT(symbol.function, function);
	CHECK_NUMBER(symbol.offset, offset);
	CHECK_NUMBER(symbol.size, size);
	CHECK_TEXT(symbol.module, module);
	CHECK_NUMBER(symbol.address, address);
}

static void kernel_table(void)
{
	struct schedprof_error error = { };
	struct schedprof_symbol symbol;
	struct schedprof_kernel *kernel = schedprof_kernel_load(put("map",
		"0000000000000000 A fixed_percpu_data\n"
		"ffffffff81000000 T _stext\n"
		"ffffffff81000000 T first\n"
		/* The file need not be sorted. */
		"ffffffff81000200 t third\n"
		"ffffffff81000100 W second\n"
		"ffffffff81000100 t $x\n"
		"ffffffff81000300 D data\n"
		"ffffffffc0000000 t in_module\t[my_mod]\n"
		"ffffffffc0000080 t also\t[my_mod]\n"), &error);

	if (!CHECK(kernel))
		return;
	check_kernel(kernel, 0xffffffff81000000, "_stext", 0, 0x100, NULL);
	check_kernel(kernel, 0xffffffff810000ff, "_stext", 0xff, 0x100, NULL);
	check_kernel(kernel, 0xffffffff81000100, "second", 0, 0x100, NULL);
	check_kernel(kernel, 0xffffffff81000234, "third", 0x34, 0x100, NULL);
	check_kernel(kernel, 0xffffffffc0000010, "in_module", 0x10, 0x80, "my_mod");
	check_kernel(kernel, 0xffffffffc0000090, "also", 0x10, 0, "my_mod");
	CHECK(!schedprof_kernel_find(kernel, 0xffffffff80ffffff, &symbol, sizeof(symbol)));
	CHECK(!schedprof_kernel_find(kernel, 0xffffffff81000310, &symbol, sizeof(symbol)));
	CHECK(!schedprof_kernel_find(kernel, 0xffffffffd0000000, &symbol, sizeof(symbol)));
	CHECK(!schedprof_kernel_find(kernel, 0, &symbol, sizeof(symbol)));
	CHECK(!schedprof_kernel_find(kernel, UINT64_MAX, &symbol, sizeof(symbol)));
	schedprof_kernel_free(kernel);
}

static void no_kernel_table(void)
{
	struct schedprof_error error = { };

	CHECK(!schedprof_kernel_load(put("text", "nothing of that kind\n"), &error));
	CHECK_NUMBER(error.code, SCHEDPROF_DAMAGED);
	CHECK_NUMBER(error.offset, 1);
	CHECK(!schedprof_kernel_load(put("none", ""), &error));
	CHECK_NUMBER(error.code, SCHEDPROF_DAMAGED);
	CHECK(!schedprof_kernel_load(put("zeros", "0000000000000000 T a\n"
					 "0000000000000000 T b\n"), &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_ROOT);
	CHECK(strstr(error.message, "kptr_restrict"));
	CHECK(!schedprof_kernel_load("/nonexistent", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_IO);
}

static void check_frame(const struct schedprof_frame *frame, int style,
			const char *wanted)
{
	char text[256];
	size_t length = schedprof_frame_text(frame, sizeof(*frame), style, text, sizeof(text));

	CHECK_TEXT(text, wanted);
	CHECK_NUMBER(length, strlen(wanted));
	/* Too short a room: cut, but ended. */
	CHECK_NUMBER(schedprof_frame_text(frame, sizeof(*frame), style, text, 4), strlen(wanted));
	CHECK_NUMBER(strlen(text), strlen(wanted) < 3 ? strlen(wanted) : 3);
	CHECK_NUMBER(schedprof_frame_text(frame, sizeof(*frame), style, NULL, 0), strlen(wanted));
}

static void texts(void)
{
	struct schedprof_frame frame = {
		.kind = SCHEDPROF_FRAME_KERNEL, .function = "vfs_read", .offset = 0x20,
		.size = 0x1a0, .module = "ext4",
	};

	check_frame(&frame, SCHEDPROF_PLAIN, "vfs_read+0x20/0x1a0 [ext4]");
	check_frame(&frame, SCHEDPROF_FOLDED, "vfs_read_[k]");
	frame.function = NULL;
	check_frame(&frame, SCHEDPROF_PLAIN, "[unknown]");
	check_frame(&frame, SCHEDPROF_FOLDED, "[unknown]_[k]");
	frame = (struct schedprof_frame){
		.kind = SCHEDPROF_FRAME_FILE, .path = "/bin/my app", .file_offset = 0x10,
	};
	check_frame(&frame, SCHEDPROF_PLAIN, "/bin/my app+0x10");
	check_frame(&frame, SCHEDPROF_FOLDED, "/bin/my_app+0x10");
	frame.function = "ns::run(int, char)";
	frame.offset = 3;
	check_frame(&frame, SCHEDPROF_PLAIN, "ns::run(int, char)+0x3 [/bin/my app]");
	check_frame(&frame, SCHEDPROF_FOLDED, "ns::run(int,_char)");
	frame = (struct schedprof_frame){
		.kind = SCHEDPROF_FRAME_UNKNOWN, .address = 0x1234,
	};
	check_frame(&frame, SCHEDPROF_PLAIN, "[exited]+0x1234");
}

/* Nobody who names files or functions can forge lines, frames or colours. */
static void hostile_names(void)
{
	struct schedprof_frame frame = {
		.kind = SCHEDPROF_FRAME_FILE,
		.path = "/a\n;b\033[31m\177\302\233c\377\303\244 d",
	};

	check_frame(&frame, SCHEDPROF_PLAIN,
		    "/a\\x0a;b\\x1b[31m\\x7f\\xc2\\x9bc\\xff\303\244 d+0x0");
	check_frame(&frame, SCHEDPROF_FOLDED, "/a__b_[31m___c_\303\244_d+0x0");
	/* Of a sequence for terminals of eight bits, of a letter that is cut, and of whole ones. */
	frame.path = "/a\2332J\303;\303\233\342\202";
	check_frame(&frame, SCHEDPROF_FOLDED, "/a_2J__\303\233__+0x0");
	frame.function = "[waiting_for_work]";
	check_frame(&frame, SCHEDPROF_FOLDED, "(waiting_for_work]");
	check_frame(&frame, SCHEDPROF_NAMED, "(waiting_for_work]");
	frame.function = "schedule [k]";
	check_frame(&frame, SCHEDPROF_FOLDED, "schedule_(k]");
	frame.function = "a::operator[](int [3])";
	check_frame(&frame, SCHEDPROF_FOLDED, "a::operator[](int_[3])");
	frame.function = "--";
	check_frame(&frame, SCHEDPROF_FOLDED, "(-");
	frame.function = "--i";
	check_frame(&frame, SCHEDPROF_FOLDED, "--i");
}

static void demangled(void)
{
	static const char *const names[][2] = {
		{ "_ZN2ns3runEic", "ns::run(int, char)" },
		{ "_Z3foov", "foo()" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function" },
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_ZN", NULL },
		{ "_Rxyz", NULL },
	};
	char *text;
	size_t i;

#ifndef LIBSP_HAVE_LIBIBERTY
	return;
#endif
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text = schedprof_demangle(names[i][0]);
		CHECK_TEXT(text, names[i][1]);
		free(text);
	}
}

/*
 * A name that says "the one before, twice" again and again: of each of its 36 arguments, what is
 * printed is twice as long as of the one before.
 */
static void long_names(void)
{
	char name[1024] = "_Z1f1aIiiE";
	size_t length = strlen(name);
	char *text;
	int i;

#ifndef LIBSP_HAVE_LIBIBERTY
	return;
#endif
	for (i = 0; i < 36; i++) {
		const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

		length += (size_t)snprintf(name + length, sizeof(name) - length,
					   "S_IS%c_S%c_E", digits[i], digits[i]);
		/* Short ones are told, and far longer ones than programs have. */
		text = schedprof_demangle(name);
		CHECK(i > 8 || (text && !strncmp(text, "f(a<int, int>, a<a<int, int>, ", 30)));
		CHECK(i < 16 || !text);
		CHECK(!text || strlen(text) < 65536);
		free(text);
	}
}

/* By what is mapped into this process. */
static bool place_of(const void *address, char path[256], uint64_t *offset)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uint64_t start, end, at;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		*path = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %255s",
			   &start, &end, &at, path) >= 3 &&
		    (uintptr_t)address >= start && (uintptr_t)address < end) {
			*offset = (uintptr_t)address - start + at;
			fclose(maps);
			return true;
		}
	}
	if (maps)
		fclose(maps);
	return false;
}

enum { MARKED_LINE = __LINE__ };

static int __attribute__((noinline)) marked_function(int number)
{
	return number * 3;
}

static void own_functions(void)
{
	struct schedprof_symbolizer *symbolizer;
	struct schedprof_error error = { };
	struct schedprof_place place;
	char path[256];
	uint64_t offset;
	void *qsort_here = dlsym(RTLD_DEFAULT, "qsort");

	symbolizer = schedprof_symbolizer_open(&error);
	if (!symbolizer) {
		CHECK_NUMBER(error.code, SCHEDPROF_UNSUPPORTED);
		return;
	}
	CHECK_NUMBER(marked_function(2), 6);
	CHECK(place_of(marked_function, path, &offset));
	CHECK_NUMBER(schedprof_symbolize(symbolizer, getpid(), path, offset + 1, &place,
					 sizeof(place), &error), 0);
	CHECK_TEXT(place.function, "marked_function");
	CHECK_NUMBER(place.offset, 1);
	CHECK(place.source && strstr(place.source, "test_names.c"));
	CHECK(place.line > MARKED_LINE && place.line <= MARKED_LINE + 4);
	CHECK(place.build_id && strlen(place.build_id) == 40);
	CHECK(place_of(qsort_here, path, &offset));
	CHECK_NUMBER(schedprof_symbolize(symbolizer, 0, path, offset, &place,
					 sizeof(place), &error), 0);
	CHECK(place.function && strstr(place.function, "qsort"));
	CHECK_NUMBER(place.offset, 0);
	schedprof_symbolizer_close(symbolizer);
}

static void check_name(struct schedprof_symbolizer *symbolizer, const char *path,
		       const void *function, const char *name)
{
	struct schedprof_error error = { };
	struct schedprof_place place = { };
	char own[256];
	uint64_t offset;

	if (CHECK(place_of(function, own, &offset)) &&
	    schedprof_symbolize(symbolizer, 0, path, offset, &place, sizeof(place), &error))
		check_failed(__FILE__, __LINE__, "%s", error.message);
	CHECK_TEXT(place.function, name);
}

/* This program, which others may write. */
static void copy_own(const char *path, mode_t mode)
{
	char command[512], own[256];
	uint64_t offset;

	CHECK(place_of(marked_function, own, &offset));
	snprintf(command, sizeof(command), "cp %s %s", own, path);
	CHECK(!system(command) && !chmod(path, mode));
}

/* Without section headers, so that another file has to have its symbols. */
static void forget_sections(const char *path)
{
	ElfW(Ehdr) header;
	int fd;

	fd = open(path, O_RDWR);
	if (!CHECK(fd >= 0 && pread(fd, &header, sizeof(header), 0) == sizeof(header)))
		return;
	header.e_shoff = 0;
	header.e_shnum = 0;
	header.e_shstrndx = 0;
	CHECK(pwrite(fd, &header, sizeof(header), 0) == sizeof(header));
	close(fd);
}

/* Whoever owns a file may cut it while it is looked into. */
static void files_that_are_cut(void)
{
	struct schedprof_symbolizer *symbolizer = schedprof_symbolizer_open(NULL);
	char path[128], debug[128], file[256], own[256];
	struct schedprof_place place = { };
	uint64_t offset;

	if (!symbolizer)
		return;
	snprintf(path, sizeof(path), "%s/cut", directory);
	copy_own(path, 0666);
	check_name(symbolizer, path, marked_function, "marked_function");
	CHECK(!truncate(path, 0));
	check_name(symbolizer, path, place_of, "place_of");

	/* The same of its debug file. */
	CHECK(place_of(marked_function, own, &offset));
	CHECK(!schedprof_symbolize(symbolizer, 0, own, offset, &place, sizeof(place), NULL));
	if (!CHECK(place.build_id && strlen(place.build_id) > 2))
		return;
	snprintf(debug, sizeof(debug), "%s/debug", directory);
	snprintf(file, sizeof(file), "mkdir -p %s/.build-id/%.2s", debug, place.build_id);
	CHECK(!system(file));
	snprintf(file, sizeof(file), "%s/.build-id/%.2s/%s.debug", debug, place.build_id,
		 place.build_id + 2);
	copy_own(file, 0666);
	snprintf(path, sizeof(path), "%s/without", directory);
	copy_own(path, 0755);
	forget_sections(path);
	CHECK(!schedprof_symbolizer_set_debug_path(symbolizer, debug, NULL));
	check_name(symbolizer, path, marked_function, "marked_function");
	CHECK(!truncate(file, 0));
	check_name(symbolizer, path, place_of, "place_of");
	schedprof_symbolizer_close(symbolizer);
}

static void nothing_to_find(void)
{
	struct schedprof_symbolizer *symbolizer = schedprof_symbolizer_open(NULL);
	struct schedprof_error error = { };
	struct schedprof_place place;
	char pipe[128];
	int i;

	if (!symbolizer)
		return;
	snprintf(pipe, sizeof(pipe), "%s/pipe", directory);
	CHECK(!mkfifo(pipe, 0600));
	/* The second time it is remembered. */
	for (i = 0; i < 2; i++) {
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, 0, "/nonexistent", 1,
						  &place, sizeof(place), &error),
			     SCHEDPROF_NOT_FOUND);
		CHECK(strstr(error.message, "there is no file /nonexistent"));
		/* Nobody waits for a pipe, and no device is opened. */
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, 0, pipe, 1, &place,
						  sizeof(place), &error), SCHEDPROF_NOT_FOUND);
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, 0, "/dev/zero", 1, &place,
						  sizeof(place), &error), SCHEDPROF_NOT_FOUND);
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, 0, "/etc/passwd", 1,
						  &place, sizeof(place), &error),
			     SCHEDPROF_NOT_FOUND);
		CHECK_TEXT(error.message, "/etc/passwd is no ELF file");
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, 0, "relative", 1, &place,
						  sizeof(place), &error), SCHEDPROF_NOT_FOUND);
		CHECK_NUMBER(-schedprof_symbolize(symbolizer, getpid(), "/proc/self/exe",
						  UINT64_MAX, &place, sizeof(place),
						  &error),
			     SCHEDPROF_NOT_FOUND);
	}
	schedprof_symbolizer_close(symbolizer);
}

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* When this process began, to the tick. */
static uint64_t own_start(void)
{
	char text[1024] = "", *at;
	FILE *file = fopen("/proc/self/stat", "r");
	int field;

	if (file) {
		if (!fgets(text, sizeof(text), file))
			*text = '\0';
		fclose(file);
	}
	at = strrchr(text, ')');
	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) * (1000000000ULL / sysconf(_SC_CLK_TCK)) : 0;
}

/* A recording of this process on @host: frames of @address. Return: its PID, or 0. */
static int pid_of_self(const char *host, uint64_t start, uint64_t realtime_error)
{
	struct sp_raw_task task = {
		.number = 1, .tid = getpid(), .tgid = getpid(),
		.leader_start_ns = start, .image = 1, .comm = "self",
	};
	struct schedprof_recording *recording = NULL;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	char text[512];
	int pid = -1;

	raw_begin(&maker);
	snprintf(text, sizeof(text),
		 "hostname %s\ntaken_at_ns %" PRIu64 "\n"
		 "taken_at_boot_ns %" PRIu64 "\ntaken_at_realtime_ns %" PRIu64 "\n",
		 host, now(CLOCK_MONOTONIC), now(CLOCK_BOOTTIME),
		 now(CLOCK_REALTIME) + realtime_error);
	raw_text(&maker, SP_RAW_META, text);
	raw_put(&maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	if (schedprof_next(reader, &recording, NULL) == 1) {
		pid = libsp_living_pid(recording, schedprof_task_at(recording, 0));
		CHECK_NUMBER(libsp_living_pid(recording, schedprof_task_at(recording, 0)),
			     pid);
	}
	schedprof_recording_free(recording);
	schedprof_reader_close(reader);
	raw_free(&maker);
	return pid;
}

/* Only what is still the same process has a /proc that counts. */
static void who_lives(void)
{
	uint64_t start = own_start();
	uint64_t slept = now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC);
	char host[65] = "";

	gethostname(host, sizeof(host) - 1);
	/* The monotonic clock does not count what it slept, which may be anything. */
	CHECK_NUMBER(pid_of_self(host, start, 0), getpid());
	CHECK_NUMBER(pid_of_self(host, start + 5000000000ULL, 0), 0);
	CHECK_NUMBER(pid_of_self(host, start - slept - 5000000000ULL, 0), 0);
	CHECK_NUMBER(pid_of_self("elsewhere", start, 0), 0);
	CHECK_NUMBER(pid_of_self(host, start, 3600000000000ULL), 0);
}

static void kernel_frames(void)
{
	struct schedprof_recording *recording = NULL;
	struct schedprof_names names = { .size = sizeof(names) };
	struct schedprof_frame frame;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	uint64_t frames[] = { 0xffffffff81000100, 0xffffffff81000000 };

	const char *table = put("map2", "ffffffff81000000 T first\n"
				"ffffffff81000100 T second\n");

	names.kernel = schedprof_kernel_load(table, NULL);
	raw_begin(&maker);
	raw_symbol(&maker, 0xffffffff81000000, "[unknown]");
	raw_stack(&maker, 1, 0, NULL, frames, 2);
	raw_stack(&maker, 2, SP_RAW_STACK_CALLS, NULL, frames, 2);
	raw_task(&maker, 1, 1, 1, "a", "a");
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	schedprof_next(reader, &recording, NULL);
	if (CHECK(recording && names.kernel)) {
		const struct schedprof_task *task = schedprof_task_at(recording, 0);
		const struct schedprof_stack *stack = schedprof_stack_at(recording, 0);

		/* A return address right behind a function that does not return. */
		CHECK(schedprof_frame(recording, task, stack, 0, &names, &frame,
				      sizeof(frame)));
		CHECK_TEXT(frame.function, "first");
		CHECK_NUMBER(frame.offset, 0x100);
		/* The entry of a function is where it says. */
		stack = schedprof_stack_at(recording, 1);
		CHECK(schedprof_frame(recording, task, stack, 0, &names, &frame,
				      sizeof(frame)));
		CHECK_TEXT(frame.function, "second");
		CHECK(schedprof_frame(recording, task, stack, 1, &names, &frame,
				      sizeof(frame)));
		CHECK_TEXT(frame.function, "first");
		CHECK(!schedprof_frame(recording, task, stack, 2, &names, &frame,
				       sizeof(frame)));
	}
	schedprof_kernel_free((struct schedprof_kernel *)names.kernel);
	schedprof_recording_free(recording);
	schedprof_reader_close(reader);
	raw_free(&maker);
}

/* What is mapped where this function is, by /proc and stat(2). */
struct own {
	struct sp_raw_mapping mapping;
	struct sp_raw_file file;
	bool has_generation;	/* its file system tells that */
	char path[256];
};

static bool find_own(struct own *own)
{
	uint64_t start = 0, end = 0, offset = 0, address = (uintptr_t)marked_function;
	unsigned int version[2] = { };
	FILE *maps = fopen("/proc/self/maps", "r");
	struct stat status;
	char line[512];
	int fd;

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %255s",
			   &start, &end, &offset, own->path) == 4 &&
		    address >= start && address < end)
			break;
	if (maps)
		fclose(maps);
	fd = open(own->path, O_RDONLY);
	if (!CHECK(fd >= 0 && !fstat(fd, &status)))
		return false;
	own->has_generation = !ioctl(fd, FS_IOC_GETVERSION, version);
	close(fd);
	own->mapping = (struct sp_raw_mapping){
		.start = start, .end = end, .offset = offset, .image = 1,
	};
	own->file = (struct sp_raw_file){
		.number = 8, .inode = status.st_ino, .generation = version[0],
		.mtime_ns = status.st_mtim.tv_sec * 1000000000ULL +
			    (uint64_t)status.st_mtim.tv_nsec,
		.device_major = major(status.st_dev),
		.device_minor = minor(status.st_dev),
	};
	return true;
}

/* The build-id of this program, as binutils read it. */
static void own_build_id(const char *path, struct sp_raw_file *file)
{
	char command[512], digits[64] = "";
	FILE *readelf;
	unsigned int i, byte;

	snprintf(command, sizeof(command),
		 "readelf -n '%s' | sed -n 's/ *Build ID: //p'", path);
	readelf = popen(command, "r");
	if (!CHECK(readelf && fgets(digits, sizeof(digits), readelf)))
		return;
	pclose(readelf);
	for (i = 0; i < 20 && sscanf(digits + 2 * i, "%2x", &byte) == 1; i++)
		file->build_id[i] = (unsigned char)byte;
	file->build_id_bytes = i;
}

/* A recording of this process in marked_function(); @file NULL: it says no file. */
static struct schedprof_recording *record_own(const struct own *own,
					      const struct sp_raw_file *file)
{
	struct sp_raw_task task = {
		.number = 1, .tid = getpid(), .tgid = getpid(),
		.leader_start_ns = own_start(), .start_ns = own_start(), .image = 1,
		.comm = "self",
	};
	/* Interrupted at its first instruction, and called just there. */
	uint64_t frames[] = { (uintptr_t)marked_function, (uintptr_t)marked_function + 1 };
	struct schedprof_recording *recording = NULL;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	char text[512], host[65] = "";
	uint32_t number = 8;

	gethostname(host, sizeof(host));
	raw_begin(&maker);
	snprintf(text, sizeof(text),
		 "hostname %s\ntaken_at_ns %" PRIu64 "\n"
		 "taken_at_boot_ns %" PRIu64 "\ntaken_at_realtime_ns %" PRIu64 "\n",
		 host, now(CLOCK_MONOTONIC), now(CLOCK_BOOTTIME), now(CLOCK_REALTIME));
	raw_text(&maker, SP_RAW_META, text);
	if (file)
		raw_file(&maker, file);
	raw_mapping(&maker, &own->mapping, own->path);
	if (file)
		raw_files(&maker, 0, &number, 1);
	raw_stack(&maker, 1, SP_RAW_STACK_USER, NULL, frames, 2);
	raw_put(&maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	CHECK_NUMBER(schedprof_next(reader, &recording, NULL), 1);
	schedprof_reader_close(reader);
	raw_free(&maker);
	return recording;
}

/* One is where the task goes on, the other where a call returns to. */
static void check_own_frame(const struct schedprof_recording *recording,
			    const struct schedprof_names *names, size_t index, int missing)
{
	struct schedprof_frame frame = { };

	CHECK(schedprof_frame(recording, schedprof_task_at(recording, 0),
			      schedprof_stack_at(recording, 0), index, names, &frame,
			      sizeof(frame)));
	CHECK_NUMBER(frame.missing, missing);
	CHECK_TEXT(frame.function, missing ? NULL : "marked_function");
	CHECK_NUMBER(frame.offset, missing ? 0 : index);
	CHECK_NUMBER(frame.returns, index);
}

/* Are the frames named, and if not, why? */
static void check_own(const struct own *own, const struct sp_raw_file *file, int missing)
{
	struct schedprof_names names = { .size = sizeof(names) };
	struct schedprof_recording *recording = record_own(own, file);
	struct schedprof_frame frame = { };
	const char *build_id;
	int why = 0;

	names.user = schedprof_symbolizer_open(NULL);
	if (CHECK(recording && names.user &&
		  schedprof_frame(recording, schedprof_task_at(recording, 0),
				  schedprof_stack_at(recording, 0), 0, &names, &frame,
				  sizeof(frame)))) {
		check_own_frame(recording, &names, 0, missing);
		check_own_frame(recording, &names, 1, missing);
		CHECK_TEXT(frame.path, own->path);
		CHECK(!frame.build_id == !(file && file->build_id_bytes));
	}
	if (missing == SCHEDPROF_MISSING_FILE || missing == SCHEDPROF_MISSING_OTHER_FILE ||
	    missing == SCHEDPROF_MISSING_TOO_LARGE) {
		CHECK_TEXT(schedprof_symbolizer_missing_at(names.user, 0, &why, &build_id),
			   own->path);
		CHECK_NUMBER(why, missing);
	} else {
		CHECK(!schedprof_symbolizer_missing_at(names.user, 0, &why, NULL));
	}
	CHECK(!schedprof_symbolizer_missing_at(names.user, 1, &why, NULL));
	schedprof_symbolizer_close(names.user);
	schedprof_recording_free(recording);
}

/* What has the path is not asked for its functions unless it is what ran. */
static void that_very_file(void)
{
	struct own own = { }, elsewhere;
	struct sp_raw_file file;

	if (!find_own(&own))
		return;
	check_own(&own, &own.file, SCHEDPROF_MISSING_NOTHING);
	check_own(&own, NULL, SCHEDPROF_MISSING_IDENTITY);
	/* Of a process that is gone, what is looked into is what has the path. */
	own.mapping.start -= 4096;
	own.mapping.offset -= 4096;
	check_own(&own, &own.file, SCHEDPROF_MISSING_NOTHING);
	file = own.file;
	file.inode++;
	check_own(&own, &file, SCHEDPROF_MISSING_OTHER_FILE);
	file = own.file;
	file.mtime_ns++;
	check_own(&own, &file, SCHEDPROF_MISSING_OTHER_FILE);
	file = own.file;
	file.device_minor++;
	check_own(&own, &file, SCHEDPROF_MISSING_OTHER_FILE);
	/* The inode's number belongs to a file that was made later. */
	file = own.file;
	file.generation++;
	check_own(&own, &file, own.has_generation ? SCHEDPROF_MISSING_OTHER_FILE :
						    SCHEDPROF_MISSING_NOTHING);
	/* A build-id that is known is all that counts: it may be a copy. */
	own_build_id(own.path, &file);
	check_own(&own, &file, SCHEDPROF_MISSING_NOTHING);
	file.build_id[19] ^= 1;
	check_own(&own, &file, SCHEDPROF_MISSING_OTHER_FILE);
	/* One that others may change is copied, unless it is too large. */
	file.build_id[19] ^= 1;
	elsewhere = own;
	snprintf(elsewhere.path, sizeof(elsewhere.path), "%s/large", directory);
	copy_own(elsewhere.path, 0757);
	check_own(&elsewhere, &file, SCHEDPROF_MISSING_NOTHING);
	CHECK(!truncate(elsewhere.path, (off_t)1 << 31));
	check_own(&elsewhere, &file, SCHEDPROF_MISSING_TOO_LARGE);
	CHECK(!chmod(elsewhere.path, 0755));
	check_own(&elsewhere, &file, SCHEDPROF_MISSING_NOTHING);
	elsewhere = own;
	strcpy(elsewhere.path, "/nonexistent/file");
	check_own(&elsewhere, &own.file, SCHEDPROF_MISSING_FILE);
	/* What a process has mapped is found whatever its name is by now. */
	elsewhere.mapping.start += 4096;
	elsewhere.mapping.offset += 4096;
	if (!geteuid())
		check_own(&elsewhere, &own.file, SCHEDPROF_MISSING_NOTHING);
}

/* @format: of the path of a file that is not there, by its number */
static double name_missing(uint32_t count, const char *format)
{
	struct schedprof_names names = { .size = sizeof(names) };
	struct sp_raw_mapping mapping = { .image = 1, .kind = SP_RAW_MAPPING_FILE };
	struct schedprof_task task = { .image = 1 };
	struct schedprof_recording *recording = NULL;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	struct sp_raw_file file = { };
	struct schedprof_frame frame;
	char path[64];
	double begin;
	uint32_t i;
	int why;

	raw_begin(&maker);
	for (i = 0; i < count; i++) {
		file.number = i + 1;
		file.inode = i + 1;
		raw_file(&maker, &file);
		mapping.start = (uint64_t)i << 12;
		mapping.end = mapping.start + 4096;
		snprintf(path, sizeof(path), format, i);
		raw_mapping(&maker, &mapping, path);
		raw_files(&maker, i, &file.number, 1);
	}
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	CHECK_NUMBER(schedprof_next(reader, &recording, NULL), 1);
	schedprof_reader_close(reader);
	raw_free(&maker);
	names.user = schedprof_symbolizer_open(NULL);
	begin = check_time();
	for (i = 0; i < count; i++) {
		uint64_t address = ((uint64_t)i << 12) + 8;
		struct schedprof_stack stack = {
			.flags = SCHEDPROF_STACK_USER, .frames = &address, .frame_count = 1,
		};

		CHECK(schedprof_frame(recording, &task, &stack, 0, &names, &frame,
				      sizeof(frame)));
		CHECK_NUMBER(frame.missing, SCHEDPROF_MISSING_FILE);
	}
	begin = check_time() - begin;
	/* Those of one path are told once. */
	i = strchr(format, '%') ? count : 1;
	CHECK(schedprof_symbolizer_missing_at(names.user, i - 1, &why, NULL));
	CHECK(!schedprof_symbolizer_missing_at(names.user, i, &why, NULL));
	schedprof_symbolizer_close(names.user);
	schedprof_recording_free(recording);
	return begin;
}

/* However many files are not there, nobody waits for long. */
static void many_missing(void)
{
	enum { COUNT = 40000 };
	double plain = name_missing(COUNT, "/nowhere/file"), many;

	many = name_missing(COUNT, "/nowhere/%u");
	CHECK(many < 3 * plain + 1);
}

/* The kernel's way and the other one come to the same. */
static void check_way(const char *path, const char *wanted)
{
	int root = open(directory, O_PATH | O_DIRECTORY), fds[2], i;
	char target[512], there[512], link[64];
	ssize_t length;

	fds[0] = libsp_open_in(root, path);
	fds[1] = libsp_open_in_by_steps(root, path);
	for (i = 0; i < 2; i++) {
		if (!wanted) {
			if (fds[i] >= 0)
				check_failed(__FILE__, __LINE__, "%s is there", path);
			continue;
		}
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fds[i]);
		length = readlink(link, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		snprintf(there, sizeof(there), "%s/%s", directory, wanted);
		CHECK_TEXT(target, there);
	}
	for (i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	close(root);
}

/* To read what the kernel serves may take it from whoever waits for it. */
static void nothing_of_the_kernel(void)
{
	struct stat status;
	int fd = libsp_open_regular("", "/bin/sh", &status);

	CHECK(fd >= 0);
	close(fd);
	CHECK(libsp_open_regular("", "/proc/version", &status) < 0);
	CHECK(libsp_open_regular("", "/sys/kernel/uevent_seqnum", &status) < 0);
}

/* A file of root's in a mount namespace of its own. Return: as fork() does. */
static pid_t contain(const char *path, int ready)
{
	pid_t child = fork();
	int fd;

	if (child)
		return child;
	if (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", directory, "tmpfs", 0, NULL))
		_exit(1);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0 || ftruncate(fd, 4096) || fchmod(fd, 0755) || write(ready, "", 1) != 1)
		_exit(1);
	pause();
	_exit(0);
}

/* What root of a container may cut is copied, as is what others may; and root's is not. */
static void others_may_cut_it(void)
{
	uint64_t room = 1 << 20;
	char path[64], seen[128], byte;
	struct stat status;
	int ready[2], fd;
	pid_t child;

	if (geteuid())
		return;
	/* Where it is root's, and on no disk that somebody else serves. */
	fd = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	if (!fstat(fd, &status) && libsp_is_of_root(fd, &status)) {
		fd = libsp_open_to_map(fd, &room);
		CHECK(fd >= 0);
		CHECK_NUMBER(room, 1 << 20);
	}
	close(fd);
	snprintf(path, sizeof(path), "%s/program", directory);
	CHECK(!pipe(ready));
	child = contain(path, ready[1]);
	close(ready[1]);
	if (!CHECK(child > 0))
		return;
	/* Nothing comes where there are no namespaces. */
	if (read(ready[0], &byte, 1) == 1) {
		snprintf(seen, sizeof(seen), "/proc/%d/root%s", child, path);
		fd = libsp_open_to_map(open(seen, O_RDONLY | O_CLOEXEC), &room);
		CHECK(fd >= 0);
		CHECK_NUMBER(room, (1 << 20) - 4096);
		close(fd);
	}
	close(ready[0]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Texts that do not end make libelf look for their end, for each of them. */
static void texts_have_an_end(void)
{
	struct stat status;
	Elf64_Shdr *sections;
	Elf64_Ehdr *header;
	unsigned int i, tables = 0;
	char *program;
	int fd;

	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && !fstat(fd, &status));
	program = malloc((size_t)status.st_size);
	CHECK(program && read(fd, program, (size_t)status.st_size) == status.st_size);
	CHECK(libsp_elf_is_bounded(fd, true));
	close(fd);
	header = (Elf64_Ehdr *)program;
	sections = (Elf64_Shdr *)(program + header->e_shoff);
	for (i = 0; i < header->e_shnum; i++) {
		char *end = program + sections[i].sh_offset + sections[i].sh_size - 1;

		if (sections[i].sh_type != SHT_STRTAB)
			continue;
		tables++;
		*end = 'x';
		fd = memfd_create("texts", MFD_CLOEXEC);
		CHECK(write(fd, program, (size_t)status.st_size) == status.st_size);
		CHECK(!libsp_elf_is_bounded(fd, true));
		CHECK(libsp_elf_is_bounded(fd, false));
		close(fd);
		*end = '\0';
	}
	CHECK(tables > 1);
	free(program);
}

static void nothing_outside(void)
{
	/* What is there, and what it links to. */
	static const char *const links[][2] = {
		{ "absolute", "/a/b/file" }, { "a/b/deep", "/a/b/file" },
		{ "a/b/dots", "../../../../../../a/b/file" }, { "through", "a/b" },
		{ "a/b/twice", "../b/dots" }, { "out", "/etc/passwd" },
		{ "a/b/out", "/etc/passwd" }, { "self", "self" },
		{ "magic", "/proc/self/root/etc/passwd" },
	};
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), "mkdir -p %s/a/b && touch %s/a/b/file", directory,
		 directory);
	CHECK(!system(path));
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, links[i][0]);
		CHECK(!symlink(links[i][1], path));
	}
	check_way("/a/b/file", "a/b/file");
	check_way("a//b/./file", "a/b/file");
	check_way("absolute", "a/b/file");
	check_way("../../absolute", "a/b/file");
	check_way("a/b/dots", "a/b/file");
	check_way("through/twice", "a/b/file");
	check_way("through/../b/file", "a/b/file");
	check_way("a/b/deep", "a/b/file");
	check_way("out", NULL);
	check_way("a/b/out", NULL);
	check_way("/etc/passwd", NULL);
	check_way("self", NULL);
	check_way("magic", NULL);
	check_way("a/b/file/more", NULL);
	check_way("a/none", NULL);
}

/* While somebody renames, the kernel's way may not be sure of where "up" leads. */
static void beside_renames(void)
{
	char one[128], other[128];
	unsigned int i;
	int status;
	pid_t child;

	snprintf(one, sizeof(one), "%s/a/one", directory);
	snprintf(other, sizeof(other), "%s/a/other", directory);
	CHECK(!mkdir(one, 0700));
	child = fork();
	if (!CHECK(child >= 0))
		return;
	if (!child)
		for (;;)
			if (rename(one, other) || rename(other, one))
				_exit(1);
	for (i = 0; i < 3000; i++)
		check_way("a/b/dots", "a/b/file");
	kill(child, SIGKILL);
	/* It renamed until then. */
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

enum { NOTE_AT = 1024, SECTIONS_AT = 4096 };

/* A file that has a build-id and nothing else. */
struct small {
	bool segment;		/* its program header tells where it is */
	bool section;		/* a section header does */
	uint64_t note_bytes;	/* as that tells; 0: as it is */
	uint64_t sections;	/* as the first section header tells; 0: as they are */
	uint64_t bytes;		/* of the file, most of which is a hole */
};

static const char small_id[] = "000102030405060708090a0b0c0d0e0f10111213";

/* Writes the headers of the ELF class. */
#define PUT_HEADERS(bits, class)						\
static void put_headers_##bits(int fd, const struct small *small)		\
{										\
	Elf##bits##_Ehdr header = {						\
		.e_ident = {							\
			ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, class,		\
			ELFDATA2LSB, EV_CURRENT,					\
		},								\
		.e_type = ET_DYN, .e_machine = EM_386, .e_version = EV_CURRENT,	\
		.e_ehsize = sizeof(header),					\
		.e_phoff = small->segment ? 256 : 0, .e_phnum = small->segment,	\
		.e_phentsize = sizeof(Elf##bits##_Phdr),			\
		.e_shoff = small->section ? SECTIONS_AT : 0,			\
		.e_shentsize = sizeof(Elf##bits##_Shdr),			\
		.e_shnum = small->section && !small->sections ? 3 : 0,		\
		.e_shstrndx = small->section ? 2 : 0,				\
	};									\
	Elf##bits##_Phdr segment = {						\
		.p_type = PT_NOTE, .p_offset = NOTE_AT, .p_filesz = 36, .p_align = 4,	\
	};									\
	Elf##bits##_Shdr sections[] = {						\
		{ .sh_size = small->sections },					\
		{ .sh_type = SHT_NOTE, .sh_offset = NOTE_AT, .sh_addralign = 4,	\
		  .sh_size = small->note_bytes ? small->note_bytes : 36 },	\
		{ .sh_type = SHT_STRTAB, .sh_offset = 512, .sh_size = 1 },	\
	};									\
										\
	CHECK(pwrite(fd, &header, sizeof(header), 0) == sizeof(header));	\
	CHECK(pwrite(fd, &segment, sizeof(segment), 256) == sizeof(segment));	\
	if (small->section)							\
		CHECK(pwrite(fd, sections, sizeof(sections), SECTIONS_AT) ==	\
		      sizeof(sections));					\
}

PUT_HEADERS(32, ELFCLASS32)
PUT_HEADERS(64, ELFCLASS64)

/* Return: such a file, open. */
static int make_small(const char *path, bool narrow, const struct small *small)
{
	static const uint32_t note[] = { 4, 20, NT_GNU_BUILD_ID };
	unsigned char id[20], i;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (i = 0; i < sizeof(id); i++)
		id[i] = i;
	CHECK(fd >= 0 && pwrite(fd, note, sizeof(note), NOTE_AT) == sizeof(note));
	CHECK(pwrite(fd, "GNU", 4, NOTE_AT + 12) == 4 &&
	      pwrite(fd, id, sizeof(id), NOTE_AT + 16) == sizeof(id));
	if (narrow)
		put_headers_32(fd, small);
	else
		put_headers_64(fd, small);
	if (small->bytes)
		CHECK(!ftruncate(fd, (off_t)small->bytes));
	return fd;
}

/* Where a program of any machine, and its debug file, have their build-ids. */
static void build_ids(void)
{
	static const struct small kinds[] = {
		{ .segment = true }, { .section = true }, { .segment = true, .section = true },
		{ },
	};
	char path[128], other[] = "000102030405060708090a0b0c0d0e0f10111214";
	unsigned int i, narrow;
	int fd;

	snprintf(path, sizeof(path), "%s/small", directory);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (narrow = 0; narrow < 2; narrow++) {
			fd = make_small(path, narrow, &kinds[i]);
			CHECK_NUMBER(libsp_has_build_id(fd, small_id),
				     kinds[i].segment || kinds[i].section);
			CHECK(!libsp_has_build_id(fd, other));
			CHECK(!libsp_has_build_id(fd, ""));
			close(fd);
		}
}

/* How much memory this process had at most, in KiB. */
static long memory(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Return: 0, or what took so much memory. */
static int look_into(const char *path, int fd)
{
	struct schedprof_symbolizer *symbolizer;
	struct schedprof_place place;
	long before = memory();

	libsp_has_build_id(fd, small_id);
	if (memory() - before > 100000)
		return 1;
	symbolizer = schedprof_symbolizer_open(NULL);
	if (symbolizer)
		schedprof_symbolize(symbolizer, 0, path, NOTE_AT, &place, sizeof(place), NULL);
	schedprof_symbolizer_close(symbolizer);
	return memory() - before > 100000 ? 2 : 0;
}

/* Holes take no room on a disk, and are not to take memory. */
static void files_of_holes(void)
{
	static const struct small hostile[] = {
		{ .section = true, .note_bytes = 200 << 20, .bytes = 300 << 20 },
		{ .section = true, .sections = 1 << 20, .bytes = 80 << 20 },
	};
	char path[128];
	int fd, status = 0;
	unsigned int i;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/holes", directory);
	for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		fd = make_small(path, false, &hostile[i]);
		CHECK(!fchmod(fd, 0666));
		pid = fork();
		if (!pid)
			_exit(look_into(path, fd));
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
		CHECK_NUMBER(status, 0);
		close(fd);
	}
}

static const struct test tests[] = {
	{ "a table of the kernel", kernel_table },
	{ "no table of a kernel", no_kernel_table },
	{ "frames of the kernel", kernel_frames },
	{ "texts", texts },
	{ "hostile names", hostile_names },
	{ "demangled", demangled },
	{ "long names", long_names },
	{ "functions of its own", own_functions },
	{ "files that are cut", files_that_are_cut },
	{ "nothing to find", nothing_to_find },
	{ "who lives", who_lives },
	{ "that very file", that_very_file },
	{ "many missing", many_missing },
	{ "nothing of the kernel", nothing_of_the_kernel },
	{ "what others may cut", others_may_cut_it },
	{ "ends of texts", texts_have_an_end },
	{ "nothing outside", nothing_outside },
	{ "beside renames", beside_renames },
	{ "build-ids", build_ids },
	{ "files of holes", files_of_holes },
};

int main(void)
{
	char command[64];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	bad = check_run("names", tests, sizeof(tests) / sizeof(tests[0]));
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
