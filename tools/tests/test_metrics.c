// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_metrics: counters by label, how they are kept, and how they are printed, case by case.
 * tests/jobs/metrics has whole recordings. One thread.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

#include <schedprof.h>

#include "../cli/metrics/format.h"
#include "../cli/metrics/gather.h"
#include "../cli/metrics/state.h"
#include "check.h"

/* A row to be told: two numbers of its key, a value, and a label. */
struct told {
	uint64_t tid, kind, culprit, value;
	const char *label;
};

#define END	{ 0, 0, 0, 0, NULL }

static void tell(struct cli_book *book, size_t most, const struct told *told)
{
	struct cli_book_row *rows = calloc(20, sizeof(*rows));
	size_t n;

	if (!CHECK(rows))
		return;
	for (n = 0; told[n].label; n++) {
		rows[n].key[CLI_BOOK_TID] = told[n].tid;
		rows[n].key[CLI_BOOK_KIND] = told[n].kind;
		rows[n].key[CLI_BOOK_CULPRIT] = told[n].culprit;
		rows[n].value[0] = told[n].value;
		rows[n].rank = told[n].value;
		rows[n].label = told[n].label;
	}
	CHECK(cli_book_update(book, rows, n, most));
}

#define TELL(book, most, ...)	tell(book, most, (const struct told []){ __VA_ARGS__, END })

/* The counter of a label; of those that have none: that of all others. */
static uint64_t counter(const struct cli_book *book, const char *label)
{
	const struct cli_numbered *own = cli_number_known(&book->labels, label);

	return own ? ((const struct cli_book_label *)own->data)->value[0] : book->other[0];
}

static void counts_what_is_new(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 5, { 2, 0, 0, 20, "b\t/" }, { 1, 0, 0, 10, "a\t/" }, { 3, 0, 0, 1, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 11);
	CHECK_NUMBER(counter(&book, "b\t/"), 20);
	TELL(&book, 5, { 1, 0, 0, 15, "a\t/" }, { 2, 0, 0, 20, "b\t/" }, { 3, 0, 0, 1, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 16);
	/* What comes after exec is another program's. */
	TELL(&book, 5, { 1, 0, 0, 25, "c\t/" }, { 2, 0, 0, 20, "b\t/" }, { 3, 0, 0, 1, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 16);
	CHECK_NUMBER(counter(&book, "c\t/"), 10);
	CHECK_NUMBER(counter(&book, "b\t/"), 20);
	cli_book_free(&book);
}

static void counts_the_ended_once(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 5, { 1, 0, 0, 10, "a\t/" }, { 2, 0, 0, 20, "b\t/" });
	/* It had 3 more when it ended. */
	TELL(&book, 5, { 0, 0, 0, 13, "[exited]\t-" }, { 2, 0, 0, 20, "b\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 10);
	CHECK_NUMBER(counter(&book, "[exited]\t-"), 3);
	TELL(&book, 5, { 0, 0, 0, 34, "[exited]\t-" });
	CHECK_NUMBER(counter(&book, "b\t/"), 20);
	CHECK_NUMBER(counter(&book, "[exited]\t-"), 4);
	cli_book_free(&book);
}

/* One that is gone before the row of [exited] has it is taken from that later. */
static void owes_what_is_gone(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 5, { 1, 0, 0, 10, "a\t/" }, { 2, 0, 0, 20, "b\t/" });
	TELL(&book, 5, { 2, 0, 0, 20, "b\t/" });
	CHECK_NUMBER(book.debt[0], 10);
	TELL(&book, 5, { 0, 0, 0, 12, "[exited]\t-" }, { 2, 0, 0, 20, "b\t/" });
	CHECK_NUMBER(book.debt[0], 0);
	CHECK_NUMBER(counter(&book, "[exited]\t-"), 2);
	cli_book_free(&book);
}

/* Of a pair either may end: where both were, and where one was, grows by it. */
static void merges_pairs(void)
{
	struct cli_book book = { .values = 1 };
	const uint64_t gone = SCHEDPROF_CULPRIT_EXITED, idle = SCHEDPROF_CULPRIT_IDLE;

	TELL(&book, 9, { 1, 0, 2, 100, "w1\tc2" }, { 1, 0, 3, 200, "w1\tc3" },
	     { 4, 0, 2, 400, "w4\tc2" }, { 4, 0, 3, 800, "w4\tc3" },
	     { 4, idle, 0, 1600, "w4\tidle" });
	/* 2, a culprit, and 4, a waiter, have ended; each pair had one more. */
	TELL(&book, 9, { 1, gone, 0, 101, "w1\tgone" }, { 1, 0, 3, 201, "w1\tc3" },
	     { 0, gone, 0, 401, "gone\tgone" }, { 0, 0, 3, 801, "gone\tc3" },
	     { 0, idle, 0, 1601, "gone\tidle" });
	CHECK_NUMBER(counter(&book, "w1\tc2"), 100);
	CHECK_NUMBER(counter(&book, "w1\tc3"), 201);
	CHECK_NUMBER(counter(&book, "w4\tc2"), 400);
	CHECK_NUMBER(counter(&book, "w4\tidle"), 1600);
	CHECK_NUMBER(counter(&book, "w1\tgone"), 1);
	CHECK_NUMBER(counter(&book, "gone\tgone") + counter(&book, "gone\tc3") +
		     counter(&book, "gone\tidle"), 3);
	CHECK_NUMBER(book.debt[0], 0);
	cli_book_free(&book);
}

static void never_falls(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 5, { 1, 0, 0, 10, "a\t/" });
	TELL(&book, 5, { 1, 0, 0, 7, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 10);
	TELL(&book, 5, { 1, 0, 0, 9, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 10);
	TELL(&book, 5, { 1, 0, 0, 12, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 12);
	/* The kernel had no memory to tell. */
	tell(&book, 5, (const struct told []){ END });
	TELL(&book, 5, { 1, 0, 0, 13, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 13);
	cli_book_restart(&book);
	TELL(&book, 5, { 1, 0, 0, 4, "a\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 17);
	cli_book_free(&book);
}

/* All together are what all rows have, and in the end each has its own. */
static void counts_what_moves_once(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 9, { 1, 0, 2, 100, "w1\tc2" }, { 1, 0, 3, 50, "w1\tc3" },
	     { 4, 0, 2, 10, "w4\tc2" });
	/* An open wait turns out to be because of 3, and goes on. */
	TELL(&book, 9, { 1, 0, 2, 70, "w1\tc2" }, { 1, 0, 3, 90, "w1\tc3" },
	     { 4, 0, 2, 11, "w4\tc2" });
	CHECK_NUMBER(counter(&book, "w1\tc2"), 100);
	CHECK_NUMBER(counter(&book, "w1\tc3"), 60);
	CHECK_NUMBER(counter(&book, "w4\tc2"), 11);
	TELL(&book, 9, { 1, 0, 2, 90, "w1\tc2" }, { 1, 0, 3, 90, "w1\tc3" },
	     { 4, 0, 2, 11, "w4\tc2" });
	CHECK_NUMBER(counter(&book, "w1\tc2"), 100);
	CHECK_NUMBER(counter(&book, "w1\tc3"), 80);
	/* Another one's grows meanwhile, if its own do not. */
	TELL(&book, 9, { 1, 0, 2, 60, "w1\tc2" }, { 1, 0, 3, 90, "w1\tc3" },
	     { 4, 0, 2, 61, "w4\tc2" });
	CHECK_NUMBER(counter(&book, "w1\tc2") + counter(&book, "w1\tc3") +
		     counter(&book, "w4\tc2"), 60 + 90 + 61);
	TELL(&book, 9, { 1, 0, 2, 105, "w1\tc2" }, { 1, 0, 3, 90, "w1\tc3" },
	     { 4, 0, 2, 61, "w4\tc2" });
	CHECK_NUMBER(counter(&book, "w1\tc2"), 105);
	CHECK_NUMBER(counter(&book, "w1\tc3"), 90);
	CHECK_NUMBER(counter(&book, "w4\tc2"), 61);
	cli_book_free(&book);
}

static void keeps_the_greatest(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 2, { 1, 0, 0, 1, "a\t/" }, { 2, 0, 0, 30, "b\t/" }, { 3, 0, 0, 20, "c\t/" },
	     { 4, 0, 0, 0, "d\t/" });
	CHECK_NUMBER(book.labels.count, 2);
	CHECK_NUMBER(book.others, 2);
	CHECK_NUMBER(counter(&book, "b\t/"), 30);
	CHECK_NUMBER(counter(&book, "c\t/"), 20);
	CHECK_NUMBER(book.other[0], 1);
	/* Whoever has a row keeps it, and others get none. */
	TELL(&book, 2, { 1, 0, 0, 100, "a\t/" }, { 2, 0, 0, 30, "b\t/" }, { 3, 0, 0, 20, "c\t/" });
	CHECK_NUMBER(book.labels.count, 2);
	CHECK_NUMBER(book.other[0], 100);
	/* With more of them it counts from then on. */
	TELL(&book, 3, { 1, 0, 0, 105, "a\t/" }, { 2, 0, 0, 30, "b\t/" }, { 3, 0, 0, 20, "c\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 5);
	CHECK_NUMBER(book.other[0], 100);
	CHECK_NUMBER(book.others, 0);
	/* And with less, nobody loses it. */
	TELL(&book, 1, { 1, 0, 0, 106, "a\t/" }, { 5, 0, 0, 7, "e\t/" });
	CHECK_NUMBER(counter(&book, "a\t/"), 6);
	CHECK_NUMBER(book.labels.count, 3);
	cli_book_free(&book);
}

/* Nobody has a row who only sleeps: those are not the greatest. */
static void sleepers_get_no_row(void)
{
	struct cli_book book = { .values = 1 };

	TELL(&book, 2, { 1, 0, 0, 0, "a\t/" });
	CHECK_NUMBER(book.labels.count, 0);
	CHECK(cli_book_is_empty(&book));
	cli_book_free(&book);
}

static void labels(void)
{
	static const struct {
		const char *name, *label;
	} rows[] = {
		{ "", "" },
		{ "nginx: worker", "nginx: worker" },
		{ "a\\b\"c\nd", "a\\\\b\\\"c\\nd" },
		{ "\303\244\342\202\254\360\237\230\200", "\303\244\342\202\254\360\237\230\200" },
		{ "a\377\300\200b", "a\357\277\275\357\277\275\357\277\275b" },
		{ "cut\342\202", "cut\357\277\275\357\277\275" },
		{ "half\355\240\200", "half\357\277\275\357\277\275\357\277\275" },
		{ "\033[2J\t\177", "\357\277\275[2J\357\277\275\357\277\275" },
	};
	char *label;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		label = cli_label(rows[i].name);
		CHECK_TEXT(label, rows[i].label);
		free(label);
	}
}

static void meters(void)
{
	struct cli_meter meter = { };

	cli_meter_set(&meter, 5);
	cli_meter_set(&meter, 3);
	CHECK_NUMBER(meter.total, 5);
	cli_meter_set(&meter, 6);
	CHECK_NUMBER(meter.total, 6);
	meter.last = 0;
	cli_meter_set(&meter, 2);
	CHECK_NUMBER(meter.total, 8);
}

static void fill(struct cli_totals *totals)
{
	struct cli_session_totals *session = cli_totals_session(totals, "one\\ntwo");

	if (!CHECK(session))
		return;
	session->recording = strdup("boot/5");
	session->here = true;
	cli_meter_set(&session->figures[3], UINT64_MAX);
	cli_meter_set(&session->waits[CLI_WAITS_ALL], 3);
	cli_meter_set(&session->waits[CLI_WAITS_SUM], 1000000001);
	TELL(&session->tasks, 1, { 1, 0, 0, 10, "a b\t/x" }, { 2, 0, 0, 5, "b\t/" });
	TELL(&session->blame, 2, { 1, 0, 2, 7, "/x\t[idle]" }, { 1, 0, 3, 0, "/x\t/" });
	TELL(&session->tasks, 1, { 1, 0, 0, 12, "a b\t/x" });
}

static char *text_of(const struct cli_totals *totals, bool state, size_t *size)
{
	char *text;
	FILE *out = open_memstream(&text, size);

	if (!CHECK(out))
		exit(2);
	if (state)
		CHECK(cli_state_print(totals, out));
	else
		cli_metrics_print(totals, out);
	CHECK(!fclose(out));
	return text;
}

static void goes_on(void)
{
	struct cli_totals totals = { }, again = { };
	char *text, *copy, *second;
	const char *why;
	size_t size;

	fill(&totals);
	text = text_of(&totals, true, &size);
	copy = strdup(text);
	CHECK(cli_state_parse(&again, copy, size, &why));
	second = text_of(&again, true, &size);
	CHECK_TEXT(second, text);
	if (CHECK_NUMBER(again.count, 1)) {
		CHECK(!again.sessions[0]->here);
		CHECK_NUMBER(again.sessions[0]->tasks.debt[0], 5);
		TELL(&again.sessions[0]->tasks, 1, { 1, 0, 0, 13, "a b\t/x" },
		     { 0, 0, 0, 6, "[exited]\t-" });
		CHECK_NUMBER(counter(&again.sessions[0]->tasks, "a b\t/x"), 13);
		CHECK_NUMBER(again.sessions[0]->tasks.other[0], 6);
	}
	free(second);
	free(copy);
	free(text);
	cli_totals_free(&again);
	cli_totals_free(&totals);
}

/* Each byte that is missing or another is seen, and nothing is left of it. */
static void refuses_damage(void)
{
	struct cli_totals totals = { }, again = { };
	const char *why;
	char *text, *copy;
	size_t size, i;

	fill(&totals);
	text = text_of(&totals, true, &size);
	copy = malloc(size + 1);
	for (i = 0; copy && i < 2 * size; i++) {
		memcpy(copy, text, size + 1);
		if (i < size)
			copy[i] ^= 1;
		else
			copy[i - size] = '\0';
		if (!CHECK(!cli_state_parse(&again, copy, i < size ? size : i - size, &why)) ||
		    !CHECK_NUMBER(again.count, 0))
			break;
	}
	free(copy);
	free(text);
	cli_totals_free(&totals);
}

/* The checksum is right, but what it is of is not. */
static void refuses_nonsense(void)
{
	static const char *const bodies[] = {
		"row\t1\t2\t3\t4\t5\t6\n", "session\ta\n", "tasks\t1\t2\t3\t4\n",
		"session\ta\t-\nsession\ta\t-\n", "session\ta\t-\ntasks\t1\n",
		"session\ta\t-\nrow\t1\t2\t3\t4\t5\t6\n", "session\ta\t-\nwait\t99\t1\t1\n",
		"session\ta\t-\nstat\tlost_ns\t-1\t1\n", "session\ta\t-\nwhat\tever\n",
		"session\ta\t-\ntasks\t1\t2\t3\t99999999999999999999\n",
		"session\ta\t-\nblame\t0\nlabel\ta\n", "session\ta\t-\nblame\t0\nlabel\ta\tb\n",
		"session\ta\t-\nblame\t0\nrow\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\n",
		/* There is no memory for rows of a book that begins twice. */
		"session\ta\t-\nblame\t0\nrow\t1\t2\t3\t4\t5\t6\nblame\t0\nrow\t2\t2\t3\t4\t5\t6\n",
	};
	struct cli_totals totals = { };
	const char *why;
	char text[300];
	size_t i;

	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		int size = snprintf(text, sizeof(text), "schedprof-metrics 1 %08lx\n%s",
				    crc32(0, (const unsigned char *)bodies[i],
					  (uInt)strlen(bodies[i])), bodies[i]);

		if (!CHECK(!cli_state_parse(&totals, text, (size_t)size, &why)))
			check_failed(__FILE__, __LINE__, "%zu", i);
		CHECK_NUMBER(totals.count, 0);
	}
	strcpy(text, "schedprof-metrics 2 00000000\n");
	CHECK(!cli_state_parse(&totals, text, strlen(text), &why));
	CHECK_TEXT(why, "another version of this program wrote it");
}

static void bounds_sessions(void)
{
	struct cli_totals totals = { };
	char name[20];
	int i;

	for (i = 0; i < 100; i++) {
		struct cli_session_totals *session;

		snprintf(name, sizeof(name), "s%d", i);
		session = cli_totals_session(&totals, name);
		if (!CHECK(session))
			break;
		session->here = i < 10;
	}
	CHECK_NUMBER(totals.count, CLI_TOTALS_SESSIONS);
	CHECK_TEXT(totals.sessions[0]->name, "s0");
	CHECK_TEXT(totals.sessions[10]->name, "s46");
	/* One that is there goes on, though others are looked at before it. */
	cli_totals_keep(&totals, "s46");
	cli_totals_keep(&totals, "nobody");
	CHECK(cli_totals_session(&totals, "one more"));
	CHECK_TEXT(totals.sessions[10]->name, "s46");
	CHECK_TEXT(totals.sessions[11]->name, "s48");
	/* All that are there have room, and what is too much goes once it is gone. */
	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		if (!CHECK(cli_totals_session(&totals, name)))
			break;
		cli_totals_keep(&totals, name);
	}
	CHECK_NUMBER(totals.count, 300 + 11);
	CHECK_TEXT(totals.sessions[10]->name, "s46");
	CHECK_TEXT(totals.sessions[310]->name, "t299");
	for (i = 0; i < 300; i++) {
		totals.sessions[i]->here = false;
		totals.sessions[i]->kept = false;
	}
	CHECK(cli_totals_session(&totals, "and another"));
	CHECK_NUMBER(totals.count, CLI_TOTALS_SESSIONS);
	cli_totals_free(&totals);
	CHECK_NUMBER(totals.count, 0);
}

static void prints(void)
{
	static const char *const lines[] = {
		"\nschedprof_task_seconds_total{session=\"one\\ntwo\",comm=\"a b\",cgroup=\"/x\",state=\"oncpu\"} 0.000000012\n",
		"\nschedprof_task_seconds_total{session=\"one\\ntwo\",comm=\"other\",cgroup=\"other\",state=\"oncpu\"} 0.000000005\n",
		"\nschedprof_blame_seconds_total{session=\"one\\ntwo\",waiter=\"/x\",culprit=\"[idle]\"} 0.000000007\n",
		"\nschedprof_lost_seconds_total{session=\"one\\ntwo\"} 18446744073.709551615\n",
		"_bucket{session=\"one\\ntwo\",le=\"4e-06\"} 0\n",
		"_bucket{session=\"one\\ntwo\",le=\"2.097152\"} 0\n",
		"_bucket{session=\"one\\ntwo\",le=\"+Inf\"} 3\n",
		"_sum{session=\"one\\ntwo\"} 1.000000001\n",
		"_count{session=\"one\\ntwo\"} 3\n",
		"\n# TYPE schedprof_runqueue_wait_seconds histogram\n",
	};
	struct cli_totals totals = { };
	size_t size, i;
	char *text;

	fill(&totals);
	text = text_of(&totals, false, &size);
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!strstr(text, lines[i]))
			check_failed(__FILE__, __LINE__, "there is no %s in %s", lines[i], text);
	free(text);
	/* Not of a session that is gone. */
	totals.sessions[0]->here = false;
	text = text_of(&totals, false, &size);
	CHECK(!strstr(text, "session="));
	free(text);
	cli_totals_free(&totals);
}

static const struct test tests[] = {
	{ "counts what is new", counts_what_is_new },
	{ "counts the ended once", counts_the_ended_once },
	{ "owes what is gone", owes_what_is_gone },
	{ "merges pairs", merges_pairs },
	{ "never falls", never_falls },
	{ "counts what moves once", counts_what_moves_once },
	{ "keeps the greatest", keeps_the_greatest },
	{ "sleepers get no row", sleepers_get_no_row },
	{ "labels", labels },
	{ "meters", meters },
	{ "goes on", goes_on },
	{ "refuses damage", refuses_damage },
	{ "refuses nonsense", refuses_nonsense },
	{ "bounds sessions", bounds_sessions },
	{ "prints", prints },
};

int main(void)
{
	return check_run("metrics", tests, sizeof(tests) / sizeof(tests[0]));
}
