// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_abi: structs of callers that were compiled with another version of the headers:
 * shorter, and longer than the library's. What is behind them is not touched, what the
 * library does not know is zero. One thread.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "frame.h"
#include "raw_maker.h"

#define PATTERN 0xa5
#define BEHIND 64	/* bytes that a newer caller's struct is longer */

/* Room for a struct and more, none of which is zero. */
static unsigned char room[1024];

static void prepare(void)
{
	memset(room, PATTERN, sizeof(room));
}

/* Bytes from there on are those that were there, or zero. */
static void check_bytes(size_t from, size_t to, unsigned char wanted)
{
	for (; from < to; from++)
		if (room[from] != wanted) {
			check_failed(__FILE__, __LINE__, "byte %zu is %02x", from,
				     room[from]);
			return;
		}
}

/* Those of a struct that has @size, and @known of which the library knows. */
static void check_filled(const void *whole, size_t known, size_t size)
{
	size_t both = size < known ? size : known;

	CHECK(!memcmp(room, whole, both));
	check_bytes(both, size, 0);
	check_bytes(size, sizeof(room), PATTERN);
}

static struct schedprof_recording *recording;

/* Calls a function with structs of several sizes. */
#define CHECK_SIZES(type, call_with_whole, call)			\
	do {								\
		size_t sizes[] = { 0, 4, sizeof(type) - 8, sizeof(type),\
				   sizeof(type) + BEHIND }, i_;		\
		type whole;						\
									\
		memset(&whole, 0, sizeof(whole));			\
		call_with_whole;					\
		for (i_ = 0; i_ < 5; i_++) {				\
			size_t size = sizes[i_];			\
									\
			prepare();					\
			call;						\
			check_filled(&whole, sizeof(whole), size);	\
		}							\
	} while (0)

static void frames(void)
{
	const struct schedprof_task *task = schedprof_task_at(recording, 0);
	const struct schedprof_stack *stack = schedprof_stack_at(recording, 0);

	CHECK_SIZES(struct schedprof_frame,
		    CHECK(schedprof_frame(recording, task, stack, 0, NULL, &whole,
					  sizeof(whole))),
		    CHECK(schedprof_frame(recording, task, stack, 0, NULL, (void *)room,
					  size)));
}

static void frames_of_events(void)
{
	const struct schedprof_event *event = schedprof_event_at(recording, 0);

	CHECK_SIZES(struct schedprof_frame,
		    CHECK(schedprof_event_frame(recording, event, event->user, 0, NULL,
						&whole, sizeof(whole))),
		    CHECK(schedprof_event_frame(recording, event, event->user, 0, NULL,
						(void *)room, size)));
}

static void symbols(void)
{
	char path[] = "/tmp/schedprof-abi-XXXXXX";
	int fd = mkstemp(path);
	struct schedprof_kernel *kernel;

	CHECK_NUMBER(write(fd, "ffffffff81000000 T first\n", 25), 25);
	close(fd);
	kernel = schedprof_kernel_load(path, NULL);
	unlink(path);
	if (!CHECK(kernel))
		return;
	CHECK_SIZES(struct schedprof_symbol,
		    CHECK(schedprof_kernel_find(kernel, 0xffffffff81000004, &whole,
						sizeof(whole))),
		    CHECK(schedprof_kernel_find(kernel, 0xffffffff81000004, (void *)room,
						size)));
	schedprof_kernel_free(kernel);
}

/* Also where there is nothing to say. */
static void places(void)
{
	struct schedprof_symbolizer *symbolizer = schedprof_symbolizer_open(NULL);

	if (!symbolizer)
		return;
	CHECK_SIZES(struct schedprof_place,
		    schedprof_symbolize(symbolizer, 0, "/nonexistent", 1, &whole,
					sizeof(whole), NULL),
		    schedprof_symbolize(symbolizer, 0, "/nonexistent", 1, (void *)room,
					size, NULL));
	schedprof_symbolizer_close(symbolizer);
}

static void groups(void)
{
	const struct schedprof_task *task = schedprof_task_at(recording, 0);

	CHECK_SIZES(struct schedprof_task,
		    schedprof_task_group(task, SCHEDPROF_BY_CGROUP, &whole, sizeof(whole)),
		    schedprof_task_group(task, SCHEDPROF_BY_CGROUP, (void *)room, size));
}

static void unwind_rows(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct schedprof_unwind *table = schedprof_unwind_make(fd, "test_abi", NULL);

	close(fd);
	if (!CHECK(table))
		return;
	CHECK_SIZES(struct schedprof_unwind_row,
		    CHECK(schedprof_unwind_row_at(table, 1, &whole, sizeof(whole))),
		    CHECK(schedprof_unwind_row_at(table, 1, (void *)room, size)));
	CHECK_SIZES(struct schedprof_unwind_row,
		    CHECK(schedprof_unwind_find(table, UINT64_MAX, &whole, sizeof(whole))),
		    CHECK(schedprof_unwind_find(table, UINT64_MAX, (void *)room, size)));
	schedprof_unwind_free(table);
}

/* On a directory that stands in for those of the module, which has one session. */
static void statuses(void)
{
	char directory[] = "/tmp/schedprof-abi-XXXXXX", path[64];
	struct schedprof *handle;

	if (!CHECK(mkdtemp(directory)))
		return;
	snprintf(path, sizeof(path), "%s/version", directory);
	check_write(path, "0.1.0\n");
	snprintf(path, sizeof(path), "%s/one", directory);
	CHECK_NUMBER(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/one/status", directory);
	check_write(path, "enabled seconds=1.500 memory_bytes=4096\n");
	handle = schedprof_open(directory, directory, NULL);
	if (CHECK(handle))
		CHECK_SIZES(struct schedprof_status,
			    CHECK(!schedprof_status(handle, "one", &whole, sizeof(whole),
						    NULL)),
			    CHECK(!schedprof_status(handle, "one", (void *)room, size, NULL)));
	schedprof_close(handle);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	snprintf(path, sizeof(path), "%s/version", directory);
	unlink(path);
	rmdir(directory);
}

/* A frame that was made by a library that knew less. */
static void short_frames(void)
{
	struct schedprof_frame frame;
	size_t size = offsetof(struct schedprof_frame, source);
	char text[64];

	memset(&frame, PATTERN, sizeof(frame));
	CHECK(schedprof_frame(recording, schedprof_task_at(recording, 0),
			      schedprof_stack_at(recording, 0), 0, NULL, &frame, size));
	CHECK_NUMBER(schedprof_frame_text(&frame, size, SCHEDPROF_PLAIN, text,
					  sizeof(text)), 18);
	CHECK_TEXT(text, "schedule+0x10/0x80");
}

/* Names of a program that does not know of them, and of one that knows more. */
static void names(void)
{
	struct {
		struct schedprof_names names;
		void *more;
	} long_names = { .names = { .size = sizeof(long_names) } };
	struct schedprof_names none = { .size = sizeof(none.size) };

	none.kernel = (void *)room;	/* is not looked at */
	none.user = (void *)room;
	CHECK(!libsp_names_kernel(&none) && !libsp_names_user(&none));
	long_names.names.kernel = (void *)room;
	CHECK(libsp_names_kernel(&long_names.names) == (void *)room);
	CHECK(!libsp_names_kernel(NULL));
}

static const struct test tests[] = {
	{ "frames", frames },
	{ "frames of events", frames_of_events },
	{ "symbols", symbols },
	{ "places", places },
	{ "groups", groups },
	{ "unwind rows", unwind_rows },
	{ "statuses", statuses },
	{ "short frames", short_frames },
	{ "names", names },
};

int main(void)
{
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	int bad;

	raw_standard(&maker, 1000);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	schedprof_next(reader, &recording, NULL);
	schedprof_reader_close(reader);
	bad = check_run("abi", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_recording_free(recording);
	raw_free(&maker);
	return bad;
}
