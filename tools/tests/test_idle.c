// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_idle: which entries are waits for work: as the module's flags say, and as a list of
 * functions does. One thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";

static const char *put(const char *text)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/list", directory);
	check_write(path, text);
	return path;
}

/* Where the stacks of the recording are; the innermost function comes first. */
enum place { EPOLL, MINE, PREEMPTED, LOCKED, FUTEX, SLEEPS, MOVED, NO_STACK, PLACES };

#define SCHEDULE	0xffffffff81000100
#define TIMEOUT		0xffffffff81000200
#define EP_POLL		0xffffffff81000300
#define MY_WAIT		0xffffffff81000400
#define PREEMPT		0xffffffff81000500
#define MUTEX		0xffffffff81000600
#define FUTEX_WAIT	0xffffffff81000700

static void make_stacks(struct raw_maker *maker)
{
	static const uint64_t stacks[][3] = {
		[EPOLL] = { SCHEDULE, TIMEOUT, EP_POLL },
		[MINE] = { SCHEDULE, MY_WAIT, EP_POLL },
		[PREEMPTED] = { PREEMPT, MY_WAIT, EP_POLL },
		[LOCKED] = { SCHEDULE, MUTEX, MY_WAIT },
		[FUTEX] = { SCHEDULE, FUTEX_WAIT, MY_WAIT },
		[SLEEPS] = { SCHEDULE, TIMEOUT, SCHEDULE },
		[MOVED] = { SCHEDULE, TIMEOUT, MY_WAIT },
	};
	uint32_t i;

	raw_symbol(maker, SCHEDULE, "schedule+0x10/0x80");
	raw_symbol(maker, TIMEOUT, "schedule_hrtimeout_range_clock+0x10/0x80");
	raw_symbol(maker, EP_POLL, "ep_poll.isra.0+0x10/0x80");
	raw_symbol(maker, MY_WAIT, "my_wait+0x10/0x80 [mine]");
	raw_symbol(maker, PREEMPT, "preempt_schedule_irq+0x10/0x80");
	raw_symbol(maker, MUTEX, "__mutex_lock.constprop.0+0x10/0x80");
	raw_symbol(maker, FUTEX_WAIT, "futex_wait_queue+0x10/0x80");
	for (i = 0; i <= MOVED; i++)
		raw_stack(maker, i + 1, i == EPOLL ? SP_RAW_STACK_IDLE :
			  i == MOVED ? SP_RAW_STACK_MOVED : 0, NULL, stacks[i], 3);
}

/* An entry and an event for each place, in their order. */
static struct schedprof_recording *make_recording(const char *mode)
{
	struct sp_raw_event event = {
		.at = 1, .length = 1, .start_ns = 1000007, .tid = 7, .tgid = 7, .comm = "task",
	};
	struct schedprof_recording *recording = NULL;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	char meta[128];
	uint32_t i;

	raw_begin(&maker);
	snprintf(meta, sizeof(meta), "clock mono\nunit ns\naddresses shown\nmode %s\n", mode);
	raw_text(&maker, SP_RAW_META, meta);
	make_stacks(&maker);
	raw_task(&maker, 1, 7, 7, "task", "task");
	for (i = 0; i < PLACES; i++)
		raw_entry(&maker, 1, i == NO_STACK ? 0 : i + 1, 0, 1000 + i, 1);
	for (i = 0; i < PLACES; i++) {
		event.kernel = i == NO_STACK ? 0 : i + 1;
		raw_put(&maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	}
	raw_end(&maker);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	schedprof_next(reader, &recording, NULL);
	schedprof_reader_close(reader);
	raw_free(&maker);
	return recording;
}

/* A bit for each entry that is a wait for work, as the event there is. */
static unsigned int idle_of(const struct schedprof_recording *recording,
			    const struct schedprof_names *names)
{
	unsigned int i, idle = 0;

	for (i = 0; i < PLACES; i++) {
		const struct schedprof_event *event = schedprof_event_at(recording, i);

		if (schedprof_entry_is_idle(recording, schedprof_entry_at(recording, i), names))
			idle |= 1U << i;
		/* There is none in what was merged. */
		if (event)
			CHECK_NUMBER(schedprof_event_is_idle(recording, event, names),
				     idle >> i & 1);
	}
	return idle;
}

static unsigned int idle_with(const char *mode, const char *list)
{
	struct schedprof_recording *recording = make_recording(mode);
	struct schedprof_names names = { .size = sizeof(names) };
	struct schedprof_error error = { };
	struct schedprof_idle_waits *waits;
	unsigned int idle = ~0U;

	waits = schedprof_idle_waits_load(put(list), &error);
	names.idle_waits = waits;
	if (CHECK(recording) && CHECK_TEXT(error.message, "") && CHECK(waits))
		idle = idle_of(recording, &names);
	schedprof_idle_waits_free(waits);
	schedprof_recording_free(recording);
	return idle;
}

#define BIT(place)	(1U << (place))

static void module_says(void)
{
	struct schedprof_recording *recording = make_recording("offcpu");
	struct schedprof_names names = { .size = sizeof(names) };

	if (CHECK(recording)) {
		CHECK_NUMBER(schedprof_event_count(recording), PLACES);
		CHECK_NUMBER(idle_of(recording, NULL), BIT(EPOLL));
		CHECK_NUMBER(idle_of(recording, &names), BIT(EPOLL));
	}
	schedprof_recording_free(recording);
}

static void lists_add_and_remove(void)
{
	CHECK_NUMBER(idle_with("offcpu", ""), BIT(EPOLL));
	CHECK_NUMBER(idle_with("offcpu", "\n# nothing\n  \t# here\n"), BIT(EPOLL));
	/* Only where it is the function that waits. */
	CHECK_NUMBER(idle_with("offcpu", "my_wait"), BIT(EPOLL) | BIT(MINE));
	CHECK_NUMBER(idle_with("blocked", "  my_wait\t# mine\r\n"), BIT(EPOLL) | BIT(MINE));
	CHECK_NUMBER(idle_with("offcpu", "+my_wait\n-ep_poll\n"), BIT(MINE));
	CHECK_NUMBER(idle_with("offcpu", "- ep_poll"), 0);
	/* The last line counts. */
	CHECK_NUMBER(idle_with("offcpu", "-ep_poll\nmy_wait\n-my_wait\nep_poll\n"), BIT(EPOLL));
	/* A name is whole. */
	CHECK_NUMBER(idle_with("offcpu", "my_wai\nmy_wait_\ny_wait\n"), BIT(EPOLL));
	CHECK_NUMBER(idle_with("offcpu", "-ep_pol"), BIT(EPOLL));
	CHECK_NUMBER(idle_with("offcpu", "my_wait\nmutex_lock\n__mutex_lock\n"),
		     BIT(EPOLL) | BIT(MINE) | BIT(LOCKED));
	/* A futex only by functions of the program, and this one has no user stack. */
	CHECK_NUMBER(idle_with("offcpu", "worker_loop"), BIT(EPOLL));
}

static void only_time_off_the_cpu(void)
{
	CHECK_NUMBER(idle_with("runqueue", "my_wait"), BIT(EPOLL));
	CHECK_NUMBER(idle_with("oncpu", "my_wait"), BIT(EPOLL));
	CHECK_NUMBER(idle_with("function", "my_wait"), BIT(EPOLL));
}

static void refuses(const char *list, int code, const char *says)
{
	struct schedprof_error error = { };
	struct schedprof_idle_waits *waits = schedprof_idle_waits_load(put(list), &error);

	CHECK(!waits);
	CHECK_NUMBER(error.code, code);
	if (!strstr(error.message, says))
		check_failed(__FILE__, __LINE__, "'%s' does not say '%s'", error.message, says);
	schedprof_idle_waits_free(waits);
}

static void bad_lists(void)
{
	struct schedprof_error error = { };
	char *large = malloc(70000);

	refuses("a\nfutex_wait\n", SCHEDPROF_INVALID, "line 2: a futex");
	refuses("do_futex", SCHEDPROF_INVALID, "line 1: a futex");
	refuses("__x64_sys_futex", SCHEDPROF_INVALID, "line 1: a futex");
	refuses("a\n\n-\n", SCHEDPROF_INVALID, "line 3: there is no name");
	refuses("+ # comment", SCHEDPROF_INVALID, "line 1: there is no name");
	refuses("schedule", SCHEDPROF_INVALID, "line 1: that function only sleeps");
	memset(large, 'x', 70000);
	large[69999] = '\0';
	refuses(large, SCHEDPROF_INVALID, "longer than");
	free(large);
	CHECK(!schedprof_idle_waits_load("/no/such/file", &error));
	CHECK_NUMBER(error.system_errno, ENOENT);
	CHECK(!schedprof_idle_waits_load(directory, NULL));
	schedprof_idle_waits_free(NULL);
}

/* As the module's file has it, also in a comparison, and of what was merged. */
static void folded_has_a_root(void)
{
	struct schedprof_recording *recording = make_recording("offcpu");
	const struct schedprof_recording *one = recording;
	struct schedprof_recording *merged;
	struct schedprof_diff *diff;
	char *line;

	if (!CHECK(recording))
		return;
	line = schedprof_entry_folded(recording, schedprof_entry_at(recording, EPOLL),
				      SCHEDPROF_BY_THREAD, NULL, NULL);
	CHECK_TEXT(line, "task-7;[waiting_for_work];ep_poll.isra.0_[k];schedule_hrtimeout_range_clock_[k];schedule_[k]");
	free(line);
	line = schedprof_entry_folded(recording, schedprof_entry_at(recording, MINE),
				      SCHEDPROF_BY_THREAD, NULL, NULL);
	CHECK_TEXT(line, "task-7;ep_poll.isra.0_[k];my_wait_[k];schedule_[k]");
	free(line);
	merged = schedprof_merge(&one, 1, SCHEDPROF_BY_COMM, NULL);
	if (CHECK(merged))
		CHECK_NUMBER(idle_of(merged, NULL), BIT(EPOLL));
	diff = schedprof_diff(recording, recording, SCHEDPROF_BY_THREAD, NULL, NULL);
	if (CHECK(diff)) {
		const struct schedprof_diff_row *row;
		size_t i, n = 0;

		for (i = 0; (row = schedprof_diff_at(diff, i)); i++)
			n += !strncmp(row->stack, "[waiting_for_work];ep_poll", 26);
		CHECK_NUMBER(n, 1);
	}
	schedprof_diff_free(diff);
	schedprof_recording_free(merged);
	schedprof_recording_free(recording);
}

/* A program of before the member was there. */
static void old_names_have_no_list(void)
{
	struct schedprof_recording *recording = make_recording("offcpu");
	struct schedprof_names names = {
		.size = offsetof(struct schedprof_names, idle_waits),
		.idle_waits = (void *)1,
	};

	if (CHECK(recording))
		CHECK_NUMBER(idle_of(recording, &names), BIT(EPOLL));
	schedprof_recording_free(recording);
}

static const struct test tests[] = {
	{ "module_says", module_says },
	{ "lists_add_and_remove", lists_add_and_remove },
	{ "only_time_off_the_cpu", only_time_off_the_cpu },
	{ "bad_lists", bad_lists },
	{ "folded_has_a_root", folded_has_a_root },
	{ "old_names_have_no_list", old_names_have_no_list },
};

int main(void)
{
	char command[64];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	bad = check_run("idle", tests, sizeof(tests) / sizeof(tests[0]));
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
