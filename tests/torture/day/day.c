// SPDX-License-Identifier: GPL-2.0-only
/*
 * day: random lives of tasks, on a machine whose clocks do all that clocks do, told to
 * the module's own clocks and ledgers; and a naive model of the same beside it.
 *
 * day SEED SWITCHES
 *
 * The module's: src/task/clock.c, src/lib/task_clock.c, src/lib/ledger.c and
 * src/record/interval.h, built in user space (shim.h), and called as its hooks do.
 * The machine: some CPUs whose counters may be apart, or step, forward and backwards; a
 * clock that runs a little faster or slower than they do; a kernel that trusts the counter
 * or not; and suspends. Tasks come in, leave in all states, are woken too early, too late,
 * several times, by wakers that were not sure, or unseen; are wanted by a session, or
 * not for a while; are born, and exit; and now and then one of their switches is missed.
 *
 * The model: for each task, when it came and left last, in each session's clock at that very
 * moment, and sums of 128 bits. What must hold, for sessions by each clock, at looks from
 * time to time and at the end of each task and session: all of a task's books are what the
 * model has; they add up to what it was observed; sums and numbers of intervals of each kind
 * are those of the model; and sp_time() is as far on as the machine's clocks say.
 *
 * Prints "# count SWITCHES" and figures; ends with 1, and says what differs, at the
 * first difference.
 */
#include "shim.h"

#include "record/interval.h"

#define CPUS		8
#define TASKS		256
#define SESSIONS	4
#define MAX_SKEW_NS	100000
#define TICK_NS		(4 * NSEC_PER_MSEC)
#define LOOK_NS		(250 * NSEC_PER_MSEC)

/* ---- dice */

static u64 seed;

static u64 dice(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1dULL >> 16;
}

static u64 below(u64 n)
{
	return (u64)((u128)(dice() << 16) * n >> 64);
}

static bool one_in(u64 n)
{
	return !below(n);
}

/* ---- the machine */

unsigned int tsc_khz;

static unsigned int cpu;	/* which one runs */
static s64 skew[CPUS];		/* cycles */
static u64 active;		/* ns that the machine was awake */
static u64 cycles, cycles_rest;
static u64 mono, drift;		/* ns; parts of 10^9 by which it is faster than "active" */
static u64 mono_rest;
static u64 ahead;		/* of boot time, ns */
static bool trusted, used;	/* the counter, by the kernel; and is it the clocksource? */
static u64 ticked, looked, jumped;	/* when, by "active" */

u64 rdtsc(void)
{
	return cycles + (u64)skew[cpu];
}

u64 ktime_get_mono_fast_ns(void)
{
	return mono;
}

u64 ktime_get_boot_fast_ns(void)
{
	return mono + ahead;
}

bool check_tsc_unstable(void)
{
	return !trusted;
}

static void pass(u64 ns)
{
	active += ns;
	cycles_rest += ns * tsc_khz;
	cycles += cycles_rest / 1000000;
	cycles_rest %= 1000000;
	mono_rest += ns * drift;
	mono += ns + mono_rest / 1000000000;
	mono_rest %= 1000000000;
}

/* ---- the model of time */

static bool by_counter;
static __int128 counter_ns, counter_base;	/* what time it was, and what was counted */
static __int128 kernel_offset, last_naive, last_kernel;
static bool stepped;		/* the counter, while it was read, since the last tick */
static bool known_as_used;	/* as of the last tick */
static u64 changes;
static u64 farthest;

static __int128 naive_time(void)
{
	if (!by_counter)
		return mono + kernel_offset;
	return counter_ns + ((__int128)rdtsc() - counter_base) * 1000000 / tsc_khz;
}

static void naive_tick(void)
{
	__int128 ns = naive_time();

	if (by_counter && (!used || stepped)) {
		kernel_offset = last_naive - last_kernel;
		by_counter = false;
		changes++;
		ns = naive_time();
	}
	stepped = false;
	known_as_used = used;
	last_naive = ns;
	last_kernel = mono;
}

static void naive_look(void)
{
	if (by_counter || !known_as_used || !trusted)
		return;
	counter_ns = naive_time();
	counter_base = rdtsc();
	by_counter = true;
	changes++;
}

static void fail(const char *what)
{
	printf("# after %llu ns awake: %s\n", (unsigned long long)active, what);
	exit(1);
}

/* The module multiplies by a number of 32 bits behind the point: that is its error. */
static void check_time(void)
{
	__int128 apart = (__int128)sp_time() - naive_time();
	u64 far = (u64)(apart < 0 ? -apart : apart);

	if (far > farthest)
		farthest = far;
	if (far > (active >> 29) + 4 * changes + 4)
		fail("sp_time() is not what the clocks say");
	if (by_counter != !strcmp(sp_clock_source(), "tsc"))
		fail("the time is taken from another clock");
}

static void tick(void)
{
	struct sp_kernel_time kernel = { .tsc = used, .boot_offset = ahead };

	cpu = (unsigned int)below(CPUS);
	kernel.cycles = rdtsc();
	kernel.mono = mono;
	sp_clock_follow(&kernel);
	naive_tick();
	ticked = active;
}

/* ---- sessions, and what is booked in them */

/* Sums of the model. */
struct naive_books {
	u128 account[SP_ACCOUNTS];
	u64 until;			/* in the session's clock: what was before is booked */
	u64 voluntary, involuntary;
};

struct session {
	struct sp_recording recording;
	struct sp_recording_cpu part;
	u64 begin;
	u64 begin_by;			/* in its clock */
	u64 sum[SP_CLOCK_TIMES], count[SP_CLOCK_TIMES];	/* the module's */
	u128 naive_sum[SP_CLOCK_TIMES];
	u64 naive_count[SP_CLOCK_TIMES];
};

/* A moment as told to the module, and in each session's clock. */
struct stamp {
	u64 ns;				/* 0: none */
	u64 by[SP_CLOCKS];
};

struct task {
	bool alive;
	bool on_cpu;			/* in truth */
	bool wanted[SESSIONS];
	struct stamp wanted_since[SESSIONS];
	/* The module's. */
	struct sp_clock clock;
	struct sp_ledger ledger[SESSIONS];
	/* The model's. */
	bool is_on, is_off;		/* as far as it was told */
	bool asleep;
	enum sp_state state;
	bool voluntarily;
	struct stamp came, left, woken, tried;
	struct naive_books books[SESSIONS];
};

static struct session sessions[SESSIONS];
static struct task tasks[TASKS];
static u64 cycles_mult;
static u64 steps_back, looks, lives, suspends, missed, recordings;

static u64 naive_by(enum sp_clock_id id, u64 ns)
{
	switch (id) {
	case SP_CLOCK_BOOT:
		return ns + ahead;
	case SP_CLOCK_TSC:
		return (u64)((u128)ns * cycles_mult / ((u128)1 << 32));
	default:
		return ns;
	}
}

static struct stamp stamp_of(u64 ns)
{
	struct stamp stamp = { .ns = ns };
	unsigned int i;

	for (i = 0; i < SP_CLOCKS; i++)
		stamp.by[i] = naive_by(i, ns);
	return stamp;
}

static struct stamp later_of(const struct stamp *a, const struct stamp *b)
{
	return a->ns >= b->ns ? *a : *b;
}

static struct stamp none;

/* When it was woken, as the model sees it: not before it left, not after it came. */
static struct stamp woken_when(const struct task *task, const struct stamp *woken,
			       const struct stamp *now)
{
	struct stamp when;

	if (!woken->ns)
		return *now;
	when = later_of(woken, &task->left);
	return when.ns < now->ns ? when : *now;
}

/* From when on a session looks at a task, in its own clock. */
static u64 begin_by(const struct task *task, unsigned int number)
{
	const struct session *session = &sessions[number];

	return max(session->begin_by,
		   task->wanted_since[number].by[session->recording.config.clock]);
}

static u64 length_within(const struct session *session, u64 begin, const struct stamp *from,
			 const struct stamp *to)
{
	enum sp_clock_id id = session->recording.config.clock;
	u64 start = max(from->by[id], begin);

	return to->by[id] > start ? to->by[id] - start : 0;
}

/* All that is known until now, into the model's books of one session. */
static void naive_book(const struct task *task, unsigned int number,
		       const struct stamp *woken, const struct stamp *now,
		       struct naive_books *books)
{
	const struct session *session = &sessions[number];
	const struct stamp *until = task->is_off ? &task->left : now;
	enum sp_clock_id id = session->recording.config.clock;
	u64 begin = begin_by(task, number), from = max(begin, books->until);
	struct stamp when;

	books->until = max(from, now->by[id]);
	if (task->came.ns)
		books->account[SP_ACCOUNT_ON_CPU] +=
			length_within(session, from, &task->came, until);
	if (!task->is_off)
		return;
	if (task->asleep)
		when = woken_when(task, woken, now);
	else
		when = task->left;
	books->account[task->state == SP_STATE_D ? SP_ACCOUNT_DISK : SP_ACCOUNT_SLEEP] +=
		length_within(session, from, &task->left, &when);
	books->account[SP_ACCOUNT_RUN_QUEUE] +=
		length_within(session, from, &when, now);
	if (task->left.by[id] < begin)
		return;
	books->voluntary += task->voluntarily;
	books->involuntary += !task->voluntarily;
}

static void naive_interval(struct session *session, const struct task *task,
			   unsigned int number, enum sp_time time, const struct stamp *from,
			   const struct stamp *to)
{
	u64 begin = max(session->begin, task->wanted_since[number].ns);

	/* Over before anybody looked. */
	if (to->ns <= begin)
		return;
	session->naive_sum[time] += length_within(session, begin_by(task, number), from, to);
	session->naive_count[time]++;
}

static void naive_intervals(struct task *task, unsigned int number,
			    const struct stamp *woken, const struct stamp *now)
{
	struct session *session = &sessions[number];
	struct stamp when;

	if (task->came.ns)
		naive_interval(session, task, number, SP_TIME_ON_CPU, &task->came, &task->left);
	naive_interval(session, task, number, SP_TIME_OFF_CPU, &task->left, now);
	if (!task->asleep) {
		naive_interval(session, task, number, SP_TIME_RUN_QUEUE, &task->left, now);
		return;
	}
	when = woken_when(task, woken, now);
	naive_interval(session, task, number, SP_TIME_BLOCKED, &task->left, &when);
	if (woken->ns)
		naive_interval(session, task, number, SP_TIME_RUN_QUEUE, &when, now);
}

/* ---- what hooks do */

/* As record_interval() */
static void deliver(struct session *session, const struct sp_clock *before, u64 begin,
		    u64 now, unsigned int times)
{
	struct sp_interval interval;
	unsigned int time;

	for (time = 0; time < SP_CLOCK_TIMES; time++) {
		if (!(times & BIT(time)))
			continue;
		if (!sp_clock_time(before, time, now, &interval))
			fail("a time that ended has no interval");
		if (interval.end <= begin)
			continue;
		interval = sp_interval_by(&session->recording, &interval, begin);
		session->sum[time] += interval.end - interval.start;
		session->count[time]++;
		sp_record_length(&session->recording, &session->part,
				 interval.end - interval.start);
	}
}

/* Hands on what the task's clock tells, before it comes in or ends. */
static void hand_on(struct task *task, u64 ns)
{
	struct stamp now = stamp_of(ns), sure = task->woken;
	u64 woken = sp_clock_woken(&task->clock);
	unsigned int times = sp_clock_times(&task->clock, woken), i;
	struct sp_clock before = task->clock;

	if (now.ns < task->left.ns)
		now = task->left;
	/* Nobody was sure: whoever tried. */
	if (!sure.ns && task->asleep)
		sure = task->tried;
	before.woken = woken;
	for (i = 0; i < SESSIONS; i++) {
		u64 begin = max(sessions[i].begin, task->wanted_since[i].ns);

		if (!task->wanted[i])
			continue;
		deliver(&sessions[i], &before, begin, max(ns, task->clock.out_ts), times);
		sp_record_account_time(&sessions[i].recording, &task->ledger[i], &before,
				       woken, max(ns, task->clock.out_ts), false, begin);
		naive_intervals(task, i, &sure, &now);
		naive_book(task, i, &sure, &now, &task->books[i]);
	}
}

static void come(struct task *task)
{
	u64 ns = sp_time();

	task->on_cpu = true;
	if (one_in(1 << 16)) {
		missed++;
		return;
	}
	if (task->is_off) {
		hand_on(task, ns);
		task->came = stamp_of(ns);
		if (ns < task->left.ns) {
			steps_back++;
			task->came = task->left;
		}
	} else {
		/* That it left was missed. */
		task->came = stamp_of(ns);
	}
	sp_clock_come(&task->clock, ns);
	task->is_on = true;
	task->is_off = false;
	task->woken = none;
	task->tried = none;
}

static void leave(struct task *task)
{
	enum sp_state state = below(SP_STATES);
	u64 ns = sp_time();

	task->on_cpu = false;
	if (one_in(1 << 16)) {
		missed++;
		return;
	}
	/* That it came was missed. */
	if (!task->is_on)
		task->came = none;
	task->left = stamp_of(ns);
	if (ns < task->came.ns) {
		steps_back++;
		task->left = task->came;
	}
	task->state = state;
	task->asleep = state != SP_STATE_R;
	task->voluntarily = task->asleep || one_in(4);
	task->is_on = false;
	task->is_off = true;
	sp_clock_leave(&task->clock, state, ns);
	task->clock.leaving = task->voluntarily ? SP_LEFT_VOLUNTARILY : SP_LEFT_INVOLUNTARILY;
}

static void wake(struct task *task)
{
	struct stamp now = stamp_of(sp_time());

	if (one_in(4)) {
		sp_clock_try_to_wake(&task->clock, now.ns);
		task->tried = now;
	} else {
		sp_clock_wake(&task->clock, now.ns);
		task->woken = now;
	}
}

/* The books of a task in a session, as a reader sees them now. */
static void look(const struct task *task, unsigned int number)
{
	const struct session *session = &sessions[number];
	struct naive_books books = task->books[number];
	struct sp_ledger ledger = task->ledger[number];
	u64 ns = sp_time(), begin = max(session->begin, task->wanted_since[number].ns);
	struct stamp now = stamp_of(ns);
	u64 sum = 0;
	unsigned int i;

	looks++;
	now = later_of(&now, &task->left);
	now = later_of(&now, &task->came);
	if (task->wanted[number] && (task->is_on || task->is_off)) {
		sp_record_account_time(&session->recording, &ledger, &task->clock,
				       task->clock.woken, ns, false, begin);
		naive_book(task, number, &task->woken, &now, &books);
	}
	for (i = 0; i < SP_ACCOUNTS; i++) {
		sum += ledger.ns[i];
		if (books.account[i] != ledger.ns[i]) {
			printf("# session %u, account %u: %llu, and %llu by the model\n", number,
			       i, (unsigned long long)ledger.ns[i],
			       (unsigned long long)books.account[i]);
			fail("a task's books are not those of the model");
		}
	}
	if (ledger.since && sum != sp_ledger_observed(&ledger)) {
		printf("# session %u: %llu in all accounts, observed for %llu\n", number,
		       (unsigned long long)sum,
		       (unsigned long long)sp_ledger_observed(&ledger));
		fail("a task's books do not add up");
	}
	if (books.voluntary != ledger.voluntary || books.involuntary != ledger.involuntary)
		fail("a task's switches are not those of the model");
}

static void check_session(const struct session *session)
{
	u64 rows = 0, all = 0;
	unsigned int i;

	for (i = 0; i < SP_CLOCK_TIMES; i++) {
		all += session->count[i];
		if (session->naive_sum[i] == session->sum[i] &&
		    session->naive_count[i] == session->count[i])
			continue;
		printf("# time %u: %llu in %llu intervals, and %llu in %llu by the model\n", i,
		       (unsigned long long)session->sum[i],
		       (unsigned long long)session->count[i],
		       (unsigned long long)session->naive_sum[i],
		       (unsigned long long)session->naive_count[i]);
		fail("a session's intervals are not those of the model");
	}
	for (i = 0; i < SP_HISTOGRAM_ROWS; i++)
		rows += session->part.histogram.count[i];
	if (rows != all)
		fail("a histogram has not each interval once");
}

/* ---- lives */

static void birth(struct task *task)
{
	static const enum sp_phase phases[] = {
		SP_PHASE_RUNNABLE, SP_PHASE_RUNNABLE, SP_PHASE_ASLEEP,
	};
	enum sp_phase phase = phases[below(3)];
	u64 ns = sp_time();
	unsigned int i;

	memset(task, 0, sizeof(*task));
	lives++;
	task->alive = true;
	task->is_off = true;
	task->left = stamp_of(ns);
	task->asleep = phase == SP_PHASE_ASLEEP;
	task->state = task->asleep ? SP_STATE_S : SP_STATE_R;
	sp_clock_start(&task->clock, phase, ns);
	/* It has not been seen to leave; the model knows two ways. */
	task->clock.leaving = SP_LEFT_INVOLUNTARILY;
	for (i = 0; i < SESSIONS; i++)
		task->wanted[i] = !one_in(8);
}

static void end(struct task *task)
{
	unsigned int i;

	if (task->is_off)
		hand_on(task, task->left.ns);
	task->is_off = false;
	task->is_on = false;
	task->alive = false;
	for (i = 0; i < SESSIONS; i++)
		look(task, i);
}

static void change_filter(struct task *task)
{
	unsigned int i = (unsigned int)below(SESSIONS);

	task->wanted[i] = !task->wanted[i];
	if (task->wanted[i])
		task->wanted_since[i] = stamp_of(sp_time());
}

static void begin_session(unsigned int number)
{
	struct session *session = &sessions[number];
	static const enum sp_clock_id ids[SESSIONS] = {
		SP_CLOCK_MONO, SP_CLOCK_BOOT, SP_CLOCK_TSC, SP_CLOCK_BOOT,
	};
	struct stamp now = stamp_of(sp_time());
	unsigned int i;

	memset(session, 0, sizeof(*session));
	session->recording.config.clock = ids[number];
	session->begin = now.ns;
	session->begin_by = now.by[ids[number]];
	for (i = 0; i < TASKS; i++) {
		memset(&tasks[i].ledger[number], 0, sizeof(tasks[i].ledger[number]));
		memset(&tasks[i].books[number], 0, sizeof(tasks[i].books[number]));
	}
	recordings++;
}

static void end_session(unsigned int number)
{
	unsigned int i;

	for (i = 0; i < TASKS; i++)
		if (tasks[i].alive)
			look(&tasks[i], number);
	check_session(&sessions[number]);
}

/* ---- what happens to clocks */

static void sleep_well(void)
{
	u64 ns = NSEC_PER_SEC + below(8 * 3600ULL * NSEC_PER_SEC);

	/* Tasks are frozen a while before; and nobody's stamp is of a later time. */
	if (active - jumped < 20ULL * NSEC_PER_SEC)
		return;
	pass(10 * NSEC_PER_MSEC);
	tick();
	ahead += ns;
	suspends++;
	stepped = by_counter;
	if (one_in(2))
		cycles = dice();
	else
		cycles += (u64)((u128)ns * tsc_khz / 1000000);
	tick();
	pass(10 * NSEC_PER_MSEC);
	tick();
}

static void upset_clocks(void)
{
	u64 far = (u64)tsc_khz * (20 + below(880));

	switch (below(8)) {
	case 0:
	case 1:
		skew[below(CPUS)] = (s64)below(2ULL * MAX_SKEW_NS * tsc_khz / 1000000) -
				    (s64)((u64)MAX_SKEW_NS * tsc_khz / 1000000);
		break;
	case 2:
		memset(skew, 0, sizeof(skew));
		break;
	case 3:
		/* Tasks see it before the kernel does. */
		cycles += one_in(2) ? far * 10 : -far;
		stepped = by_counter;
		jumped = active;
		break;
	case 4:
		trusted = !trusted;
		used = trusted;
		break;
	case 5:
		used = trusted && !used;
		break;
	default:
		sleep_well();
	}
}

static void time_passes(void)
{
	u64 ns = below(170000);

	if (one_in(1 << 10))
		ns = below(20 * NSEC_PER_MSEC);
	else if (one_in(1 << 22))
		ns = below(60ULL * NSEC_PER_SEC);
	else if (one_in(1 << 4))
		ns = below(40);
	while (ns) {
		/* A step that is a small share of the time between two ticks would not be seen. */
		u64 most = stepped ? 20 * NSEC_PER_MSEC : NSEC_PER_SEC;
		u64 part = ns < most ? ns : most;

		pass(part);
		ns -= part;
		if (active - ticked >= TICK_NS)
			tick();
		if (active - looked < LOOK_NS)
			continue;
		looked = active;
		cpu = (unsigned int)below(CPUS);
		check_time();
		if (one_in(16))
			upset_clocks();
		sp_clock_settle();
		naive_look();
		check_time();
	}
}

static void switch_on_a_cpu(void)
{
	static struct task *running[CPUS], *last;
	unsigned int here = (unsigned int)below(CPUS), i;
	struct task *prev = running[here], *next;

	cpu = here;
	/* Wakers are on any CPU, and come at any time. */
	for (i = (unsigned int)below(3); i; i--) {
		struct task *task = &tasks[below(TASKS)];

		cpu = (unsigned int)below(CPUS);
		if (task->alive && (!task->on_cpu || one_in(8)))
			wake(task);
	}
	cpu = here;
	/* Mostly somebody who was away for long, and now and then whoever has just left. */
	next = last && one_in(4) ? last : &tasks[below(TASKS)];
	if (next->alive && next->on_cpu)
		next = NULL;
	if (prev) {
		leave(prev);
		last = prev;
		if (one_in(4096))
			end(prev);
	}
	running[here] = next;
	if (!next)
		return;
	if (!next->alive)
		birth(next);
	come(next);
	if (one_in(2000))
		look(next, (unsigned int)below(SESSIONS));
	if (one_in(10000))
		change_filter(&tasks[below(TASKS)]);
}

int main(int argc, char **argv)
{
	u64 i, switches;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	switches = strtoull(argv[2], NULL, 10);
	for (i = 0; i < 8; i++)
		dice();
	tsc_khz = 1000000 + (unsigned int)below(3000000);
	cycles_mult = (u64)(((u128)tsc_khz << 32) / 1000000);
	cycles = dice();
	/* Of a machine that has just started, or long ago. */
	mono = NSEC_PER_SEC + below(one_in(2) ? NSEC_PER_SEC : 1ULL << 58);
	ahead = one_in(2) ? 0 : below(1ULL << 56);
	drift = below(200000);
	used = true;
	trusted = true;
	/* Before the kernel's clock moves on, it has no offset. */
	tick();
	sp_clock_start_following();
	naive_look();
	for (i = 0; i < SESSIONS; i++)
		begin_session((unsigned int)i);
	for (i = 0; i < switches; i++) {
		time_passes();
		switch_on_a_cpu();
		if (one_in(1 << 19)) {
			unsigned int number = (unsigned int)below(SESSIONS);

			end_session(number);
			begin_session(number);
		}
	}
	for (i = 0; i < SESSIONS; i++)
		end_session((unsigned int)i);
	printf("# count %llu\n", (unsigned long long)switches);
	printf("# figure sum %llu seconds of the machine, awake\n",
	       (unsigned long long)(active / NSEC_PER_SEC));
	printf("# figure sum %llu lives of tasks\n", (unsigned long long)lives);
	printf("# figure sum %llu looks at a task's books, all equal to the model's, residual 0\n",
	       (unsigned long long)looks);
	printf("# figure sum %llu recordings whose intervals are the model's\n",
	       (unsigned long long)recordings);
	printf("# figure sum %llu switches at which a task's time stepped back\n",
	       (unsigned long long)steps_back);
	printf("# figure sum %llu suspends\n", (unsigned long long)suspends);
	printf("# figure sum %llu changes of what the time is taken from\n",
	       (unsigned long long)changes);
	printf("# figure sum %llu switches that were missed\n", (unsigned long long)missed);
	printf("# figure max %llu ns that sp_time() was from the exact one\n",
	       (unsigned long long)farthest);
	return 0;
}
