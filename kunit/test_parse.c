// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the parsers: what is good gives the value that it says, what is
 * bad gives the right errno and a sentence, and no value.
 *
 * Run: make kunit
 */
#include <linux/ctype.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "parse.h"
#include "suites.h"
#include "lib/why.h"

#define UNTOUCHED 0xaaaaaaaa

#define OVER_PID_MAX_LIMIT	((u32)PID_MAX_LIMIT + 1)

struct fixture {
	struct sp_why why;
	struct sp_pids_text pids;
	struct rnd_state random;
	char page[3 * SP_PARSE_TOO_LONG];
};

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	return f ? 0 : -ENOMEM;
}

/* Forget what was said before. */
static struct sp_why *ask(struct fixture *f)
{
	memset(&f->why, 0, sizeof(f->why));
	return &f->why;
}

/* One line of visible characters that fits, with something in it. */
static bool is_sentence(const struct sp_why *why)
{
	size_t len = strnlen(why->text, sizeof(why->text));
	size_t i;

	if (len < 20 || len == sizeof(why->text))
		return false;
	for (i = 0; i < len; i++)
		if (!isprint(why->text[i]))
			return false;
	return true;
}

static void expect_refusal(struct kunit *test, int err, int expected,
			   const char *text)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, err, expected, "for '%s'", text);
	KUNIT_EXPECT_TRUE_MSG(test, is_sentence(&f->why), "for '%s': '%s'",
			      text, f->why.text);
}

/* Any bytes, but mostly such as a parser has to look at. */
static void make_any(struct fixture *f, char *text, size_t len)
{
	static const char likely[] = "0123456789+-, \tallnone";
	size_t i;

	for (i = 0; i < len; i++)
		text[i] = sp_random_below(&f->random, 8) ?
			  likely[sp_random_below(&f->random, sizeof(likely) - 1)] :
			  sp_random_below(&f->random, 255) + 1;
	text[len] = '\0';
}

static void refusal_fits(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, sp_refuse(ask(f), -EBUSY, "%s is %d", "it", 5),
			-EBUSY);
	KUNIT_EXPECT_STREQ(test, f->why.text, "it is 5");
	memset(f->page, 'x', SP_ERROR_LEN);
	KUNIT_EXPECT_EQ(test, sp_refuse(ask(f), -EINVAL, "%s", f->page), -EINVAL);
	KUNIT_EXPECT_EQ(test, strlen(f->why.text), SP_ERROR_LEN - 1);
}

static void text_is_stripped(struct kunit *test)
{
	static const struct {
		const char *page, *text;
	} texts[] = {
		{ "", "" },
		{ "\n", "" },
		{ " \t\r\n \v\f", "" },
		{ "a", "a" },
		{ "a\n", "a" },
		{ "a\n\n", "a" },
		{ "\n a", "a" },
		{ "\t a b,\tc \r\n", "a b,\tc" },
		/* The last byte of a letter, and a blank only in Latin-1. */
		{ "voil\xc3\xa0\n", "voil\xc3\xa0" },
		{ "\xa0 x", "\xa0 x" },
	};
	struct fixture *f = test->priv;
	unsigned int i;
	char *text;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		text = NULL;
		strscpy(f->page, texts[i].page, sizeof(f->page));
		KUNIT_EXPECT_EQ(test, sp_parse_text(f->page,
						    strlen(texts[i].page), &text,
						    ask(f)), 0);
		KUNIT_ASSERT_NOT_NULL(test, text);
		KUNIT_EXPECT_STREQ(test, text, texts[i].text);
		KUNIT_EXPECT_EQ(test, f->why.text[0], '\0');
	}
}

static void text_is_too_long(struct kunit *test)
{
	struct fixture *f = test->priv;
	char *text = NULL;
	int err;

	memset(f->page, '1', SP_PARSE_TOO_LONG);
	err = sp_parse_text(f->page, SP_PARSE_TOO_LONG, &text, ask(f));
	expect_refusal(test, err, -E2BIG, "4095 bytes");
	KUNIT_EXPECT_NOT_NULL(test, strchr(f->why.text, '+'));
	KUNIT_EXPECT_NULL(test, text);

	/* Whatever is in it: it may have been cut anywhere. */
	memset(f->page, '\n', SP_PARSE_TOO_LONG);
	f->page[7] = '\0';
	err = sp_parse_text(f->page, SP_PARSE_TOO_LONG, &text, ask(f));
	expect_refusal(test, err, -E2BIG, "4095 newlines");

	memset(f->page, '1', SP_PARSE_TOO_LONG - 1);
	f->page[SP_PARSE_TOO_LONG - 1] = '\0';
	KUNIT_EXPECT_EQ(test, sp_parse_text(f->page, SP_PARSE_TOO_LONG - 1,
					    &text, ask(f)), 0);
	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_EXPECT_EQ(test, strlen(text), SP_PARSE_TOO_LONG - 1);
}

static void text_holds_a_nul(struct kunit *test)
{
	static const size_t places[] = { 0, 1, 5, 8, 9 };
	struct fixture *f = test->priv;
	char *text = NULL;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		strscpy(f->page, "123456789\n", sizeof(f->page));
		f->page[places[i]] = '\0';
		err = sp_parse_text(f->page, 10, &text, ask(f));
		expect_refusal(test, err, -EINVAL, "a NUL");
		KUNIT_EXPECT_NULL(test, text);
	}
}

static void good_numbers(struct kunit *test)
{
	static const struct {
		const char *text;
		u64 min, max, value;
	} texts[] = {
		{ "0", 0, 1, 0 },
		{ "1", 0, 1, 1 },
		{ "7", 7, 7, 7 },
		{ "127", 1, 127, 127 },
		{ "007", 0, 10, 7 },
		{ "9223372036854775", 0, 9223372036854775ULL,
		  9223372036854775ULL },
		{ "18446744073709551615", 0, U64_MAX, U64_MAX },
		{ "0000000000000000000000000000000000000000000000000000001",
		  1, 1, 1 },
	};
	struct fixture *f = test->priv;
	unsigned int i;
	u64 value;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		value = UNTOUCHED;
		KUNIT_EXPECT_EQ_MSG(test, sp_parse_number(texts[i].text,
							  texts[i].min,
							  texts[i].max, &value,
							  ask(f)), 0,
				    "for '%s'", texts[i].text);
		KUNIT_EXPECT_EQ(test, value, texts[i].value);
		KUNIT_EXPECT_EQ(test, f->why.text[0], '\0');
	}
}

static void bad_numbers(struct kunit *test)
{
	static const struct {
		const char *text;
		int err;
	} texts[] = {
		{ "", -EINVAL },
		{ "-", -EINVAL },
		{ "--5", -EINVAL },
		{ "+5", -EINVAL },
		{ "0x10", -EINVAL },
		{ "1e3", -EINVAL },
		{ "1.5", -EINVAL },
		{ "12 13", -EINVAL },
		{ "12,13", -EINVAL },
		{ "12\n", -EINVAL },
		{ " 12", -EINVAL },
		{ "12k", -EINVAL },
		{ "-5x", -EINVAL },
		{ "twelve", -EINVAL },
		{ "\xd9\xa1", -EINVAL },
		{ "1\x1b[31m", -EINVAL },
		{ "-1", -ERANGE },
		{ "-0", -ERANGE },
		{ "-99999999999999999999999", -ERANGE },
		{ "0", -ERANGE },
		{ "9", -ERANGE },
		{ "101", -ERANGE },
		{ "4294967306", -ERANGE },
		{ "18446744073709551615", -ERANGE },
		{ "18446744073709551616", -ERANGE },
		{ "18446744073709551626", -ERANGE },
		{ "99999999999999999999999999999999999999999", -ERANGE },
	};
	struct fixture *f = test->priv;
	u64 value = UNTOUCHED;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		err = sp_parse_number(texts[i].text, 10, 100, &value, ask(f));
		expect_refusal(test, err, texts[i].err, texts[i].text);
		KUNIT_EXPECT_NOT_NULL_MSG(test,
					  strstr(f->why.text, "from 10 to 100"),
					  "%s", f->why.text);
		KUNIT_EXPECT_EQ(test, value, UNTOUCHED);
	}
	/* Too great for 64 bits is out of every range. */
	err = sp_parse_number("18446744073709551616", 0, U64_MAX, &value, ask(f));
	expect_refusal(test, err, -ERANGE, "2^64");
	KUNIT_EXPECT_EQ(test, value, UNTOUCHED);
}

static void any_number_comes_back(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	sp_random_start(test, &f->random);
	for (i = 0; i < 3000; i++) {
		u64 number = sp_random_u64(&f->random) >>
			     sp_random_below(&f->random, 64);
		u64 max = sp_random_u64(&f->random) >>
			  sp_random_below(&f->random, 64);
		u64 min = max >> sp_random_below(&f->random, 64);
		bool good = number >= min && number <= max;
		u64 value = UNTOUCHED;

		snprintf(f->page, sizeof(f->page), "%llu", number);
		KUNIT_ASSERT_EQ(test, sp_parse_number(f->page, min, max, &value,
						      ask(f)),
				good ? 0 : -ERANGE);
		KUNIT_ASSERT_EQ(test, value, good ? number : UNTOUCHED);
	}
}

static const char *const modes[] = { "offcpu", "blocked", "on", "onc", NULL };

static void choices(struct kunit *test)
{
	static const char *const bad[] = {
		"", "off", "offcpu ", " offcpu", "offcpux", "OFFCPU",
		"offcpu,blocked", "offcpu blocked", "0", "none", "all",
		"\xff\x80\x01", "o\nn",
	};
	struct fixture *f = test->priv;
	unsigned int i, j;
	u64 value;
	int err;

	for (i = 0; modes[i]; i++) {
		value = UNTOUCHED;
		KUNIT_EXPECT_EQ(test, sp_parse_choice(modes[i], modes, &value,
						      ask(f)), 0);
		KUNIT_EXPECT_EQ(test, value, i);
		KUNIT_EXPECT_EQ(test, f->why.text[0], '\0');
	}
	value = UNTOUCHED;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err = sp_parse_choice(bad[i], modes, &value, ask(f));
		expect_refusal(test, err, -EINVAL, bad[i]);
		KUNIT_EXPECT_EQ(test, value, UNTOUCHED);
		for (j = 0; modes[j]; j++)
			KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text,
							   modes[j]));
	}
}

static const char *const kinds[] = { "kernel", "user", "waker", NULL };

static void good_sets(struct kunit *test)
{
	static const struct {
		const char *text;
		u64 bits;
	} texts[] = {
		{ "none", 0 },
		{ "none none", 0 },
		{ "kernel", 1 },
		{ "user", 2 },
		{ "waker", 4 },
		{ "kernel user", 3 },
		{ "user kernel", 3 },
		{ "waker,user,kernel", 7 },
		{ "waker, user\t, kernel", 7 },
		{ "waker\nuser", 6 },
		{ ",user,,user, ", 2 },
	};
	struct fixture *f = test->priv;
	unsigned int i;
	u64 bits;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		bits = UNTOUCHED;
		KUNIT_EXPECT_EQ_MSG(test, sp_parse_set(texts[i].text, kinds,
						       &bits, ask(f)), 0,
				    "for '%s'", texts[i].text);
		KUNIT_EXPECT_EQ_MSG(test, bits, texts[i].bits, "for '%s'",
				    texts[i].text);
		KUNIT_EXPECT_EQ(test, f->why.text[0], '\0');
	}
}

static void bad_sets(struct kunit *test)
{
	static const char *const bad[] = {
		"", " ", ",", "none kernel", "kernel,none", "kernel none user",
		"all", "Kernel", "kernels", "kern", "kernel+user", "kernel;user",
		"kernel use", "0", "-kernel", "kernel\x01", "\xc3\xa0",
	};
	struct fixture *f = test->priv;
	u64 bits = UNTOUCHED;
	unsigned int i, j;
	int err;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err = sp_parse_set(bad[i], kinds, &bits, ask(f));
		expect_refusal(test, err, -EINVAL, bad[i]);
		KUNIT_EXPECT_EQ(test, bits, UNTOUCHED);
		for (j = 0; kinds[j]; j++)
			KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text,
							   kinds[j]));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "none"));
	}
}

static void set_of_every_bit(struct kunit *test)
{
	static const char *const names[] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
		"m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x",
		"y", "z", "0", "1", "2", "3", "4", "5", NULL
	};
	struct fixture *f = test->priv;
	unsigned int step, i;

	sp_random_start(test, &f->random);
	for (step = 0; step < 500; step++) {
		u64 expected = prandom_u32_state(&f->random) | 1;
		size_t len = 0;
		u64 bits = 0;

		for (i = 0; i < 32; i++)
			if (expected >> i & 1)
				len += scnprintf(f->page + len,
						 sizeof(f->page) - len, "%s%c",
						 names[i], i & 1 ? ',' : ' ');
		KUNIT_ASSERT_EQ(test, sp_parse_set(f->page, names, &bits, ask(f)),
				0);
		KUNIT_ASSERT_EQ(test, bits, expected);
	}
}

static void all_and_none(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->pids.count = UNTOUCHED;
	KUNIT_EXPECT_EQ(test, sp_parse_pids("all", &f->pids, ask(f)), 0);
	KUNIT_EXPECT_EQ(test, f->pids.verb, SP_PIDS_ALL);
	KUNIT_EXPECT_EQ(test, f->pids.count, 0);

	f->pids.count = UNTOUCHED;
	KUNIT_EXPECT_EQ(test, sp_parse_pids("none", &f->pids, ask(f)), 0);
	KUNIT_EXPECT_EQ(test, f->pids.verb, SP_PIDS_SET);
	KUNIT_EXPECT_EQ(test, f->pids.count, 0);
	KUNIT_EXPECT_EQ(test, f->why.text[0], '\0');
}

static void bad_pids(struct kunit *test)
{
	static const struct {
		const char *text;
		int err;
	} texts[] = {
		{ "", -EINVAL },
		{ " ", -EINVAL },
		{ ",,", -EINVAL },
		{ "All", -EINVAL },
		{ "any", -EINVAL },
		{ "allx", -EINVAL },
		{ "all all", -EINVAL },
		{ "all 12", -EINVAL },
		{ "12 all", -EINVAL },
		{ "12,none", -EINVAL },
		{ "none 12", -EINVAL },
		{ "+12 all", -EINVAL },
		{ "+all", -EINVAL },
		{ "-none", -EINVAL },
		{ "12 +34", -EINVAL },
		{ "+12 34", -EINVAL },
		{ "-12 34", -EINVAL },
		{ "12 34 -34", -EINVAL },
		{ "+", -EINVAL },
		{ "-", -EINVAL },
		{ "+ 5", -EINVAL },
		{ "5 -", -EINVAL },
		{ "++5", -EINVAL },
		{ "+-5", -EINVAL },
		{ "--5", -EINVAL },
		{ "1-2", -EINVAL },
		{ "1+2", -EINVAL },
		{ "5x", -EINVAL },
		{ "x5", -EINVAL },
		{ "0x5", -EINVAL },
		{ "5.0", -EINVAL },
		{ "5;6", -EINVAL },
		{ "5/6", -EINVAL },
		{ "5:6", -EINVAL },
		{ "\xc2\xb2", -EINVAL },
		{ "5\x1b[2J", -EINVAL },
		{ "0", -ERANGE },
		{ "00", -ERANGE },
		{ "+0", -ERANGE },
		{ "-0", -ERANGE },
		{ "12 0", -ERANGE },
		{ "4294967297", -ERANGE },
		{ "-4294967297", -ERANGE },
		{ "18446744073709551617", -ERANGE },
		{ "12 99999999999999999999999999999999999999999999", -ERANGE },
	};
	struct fixture *f = test->priv;
	unsigned int i;
	int err;

	f->pids.verb = UNTOUCHED;
	f->pids.count = UNTOUCHED;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		err = sp_parse_pids(texts[i].text, &f->pids, ask(f));
		expect_refusal(test, err, texts[i].err, texts[i].text);
		KUNIT_EXPECT_EQ(test, (u32)f->pids.verb, UNTOUCHED);
		KUNIT_EXPECT_EQ(test, f->pids.count, UNTOUCHED);
	}

	sp_parse_pids("", &f->pids, ask(f));
	KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "all or none"));
	sp_parse_pids("12 +34", &f->pids, ask(f));
	KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "sign"));
}

static void greatest_pid(struct kunit *test)
{
	static const char *const signs[] = { "", "+", "-" };
	struct fixture *f = test->priv;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(signs); i++) {
		snprintf(f->page, sizeof(f->page), "%s%u", signs[i],
			 (u32)PID_MAX_LIMIT);
		KUNIT_EXPECT_EQ(test, sp_parse_pids(f->page, &f->pids, ask(f)),
				0);
		KUNIT_EXPECT_EQ(test, f->pids.count, 1);
		KUNIT_EXPECT_EQ(test, f->pids.word[0].nr, PID_MAX_LIMIT);
		snprintf(f->page, sizeof(f->page), "%s%u", signs[i],
			 OVER_PID_MAX_LIMIT);
		err = sp_parse_pids(f->page, &f->pids, ask(f));
		expect_refusal(test, err, -ERANGE, f->page);
	}
}

static void as_many_pids_as_fit(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;
	int err;

	/* The most that one write can hold. */
	for (i = 0; i < SP_PARSE_TOO_LONG - 1; i++)
		f->page[i] = i & 1 ? ',' : '9';
	f->page[i] = '\0';
	KUNIT_EXPECT_EQ(test, sp_parse_pids(f->page, &f->pids, ask(f)), 0);
	KUNIT_EXPECT_EQ(test, f->pids.count, (SP_PARSE_TOO_LONG - 1) / 2);

	for (i = 0; i < 2 * SP_PARSE_PIDS; i++)
		f->page[i] = i & 1 ? ' ' : '1' + i / 2 % 9;
	f->page[i] = '\0';
	KUNIT_EXPECT_EQ(test, sp_parse_pids(f->page, &f->pids, ask(f)), 0);
	KUNIT_EXPECT_EQ(test, f->pids.count, SP_PARSE_PIDS);
	for (i = 0; i < SP_PARSE_PIDS; i++)
		KUNIT_ASSERT_EQ(test, f->pids.word[i].nr, 1 + i % 9);

	f->page[2 * SP_PARSE_PIDS] = '1';
	f->page[2 * SP_PARSE_PIDS + 1] = '\0';
	err = sp_parse_pids(f->page, &f->pids, ask(f));
	expect_refusal(test, err, -E2BIG, "one more than fits");
}

/* The reference: the list that the text is made from. */
static void any_list_comes_back(struct kunit *test)
{
	static const char *const gaps[] = { " ", ",", ", ", "\n", "\t,, " };
	struct fixture *f = test->priv;
	struct sp_pids_word *word;
	unsigned int step;
	u32 i, count;
	size_t len;

	word = kunit_kzalloc(test, 100 * sizeof(*word), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, word);
	sp_random_start(test, &f->random);
	for (step = 0; step < 500; step++) {
		bool change = step & 1;

		count = 1 + sp_random_below(&f->random, 100);
		for (i = 0, len = 0; i < count; i++) {
			u32 nr = 1 + sp_random_below(&f->random, PID_MAX_LIMIT);
			bool remove = change && sp_random_below(&f->random, 2);
			u32 gap = sp_random_below(&f->random, ARRAY_SIZE(gaps));

			word[i].nr = nr;
			word[i].remove = remove;
			len += scnprintf(f->page + len, sizeof(f->page) - len,
					 "%s%s%u", i ? gaps[gap] : "",
					 remove ? "-" : change ? "+" : "", nr);
		}
		KUNIT_ASSERT_EQ(test, sp_parse_pids(f->page, &f->pids, ask(f)), 0);
		KUNIT_ASSERT_EQ(test, f->pids.verb,
				change ? SP_PIDS_CHANGE : SP_PIDS_SET);
		KUNIT_ASSERT_EQ(test, f->pids.count, count);
		for (i = 0; i < count; i++) {
			KUNIT_ASSERT_EQ(test, f->pids.word[i].nr, word[i].nr);
			KUNIT_ASSERT_EQ(test, f->pids.word[i].remove,
					word[i].remove);
		}
	}
}

static bool is_answer(struct fixture *f, int err)
{
	if (!err)
		return !f->why.text[0];
	return (err == -EINVAL || err == -ERANGE || err == -E2BIG) &&
	       is_sentence(&f->why);
}

static void any_bytes_get_an_answer(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int step;
	u64 number;
	char *text;
	u64 value;

	sp_random_start(test, &f->random);
	for (step = 0; step < 3000; step++) {
		size_t len = sp_random_below(&f->random, step % 50 ? 12 :
					     SP_PARSE_TOO_LONG);

		make_any(f, f->page, len);
		KUNIT_ASSERT_EQ(test, sp_parse_text(f->page, len, &text, ask(f)),
				0);
		KUNIT_ASSERT_TRUE(test,
				  is_answer(f, sp_parse_number(text, 0, 99,
							       &number,
							       ask(f))));
		KUNIT_ASSERT_TRUE(test,
				  is_answer(f, sp_parse_choice(text, modes,
							       &value,
							       ask(f))));
		KUNIT_ASSERT_TRUE(test,
				  is_answer(f, sp_parse_set(text, kinds, &value,
							    ask(f))));
		KUNIT_ASSERT_TRUE(test,
				  is_answer(f, sp_parse_pids(text, &f->pids,
							     ask(f))));
	}
}

/* However long and odd the text, the sentence ends with what to do. */
static void long_text_is_cut(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;
	u64 number;
	u64 value;

	for (i = 0; i < 2; i++) {
		memset(f->page, i ? 0x01 : 'x', 1000);
		f->page[1000] = '\0';
		sp_parse_number(f->page, 1, 100000, &number, ask(f));
		KUNIT_EXPECT_TRUE(test, is_sentence(&f->why));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "1 to 100000"));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "..."));
		sp_parse_choice(f->page, modes, &value, ask(f));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "onc"));
		sp_parse_set(f->page, kinds, &value, ask(f));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "or none"));
		sp_parse_pids(f->page, &f->pids, ask(f));
		KUNIT_EXPECT_NOT_NULL(test, strstr(f->why.text, "+78 -12"));
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(refusal_fits),
	KUNIT_CASE(text_is_stripped),
	KUNIT_CASE(text_is_too_long),
	KUNIT_CASE(text_holds_a_nul),
	KUNIT_CASE(good_numbers),
	KUNIT_CASE(bad_numbers),
	KUNIT_CASE(any_number_comes_back),
	KUNIT_CASE(choices),
	KUNIT_CASE(good_sets),
	KUNIT_CASE(bad_sets),
	KUNIT_CASE(set_of_every_bit),
	KUNIT_CASE(all_and_none),
	KUNIT_CASE(bad_pids),
	KUNIT_CASE(greatest_pid),
	KUNIT_CASE(as_many_pids_as_fit),
	KUNIT_CASE(any_list_comes_back),
	KUNIT_CASE(any_bytes_get_an_answer),
	KUNIT_CASE(long_text_is_cut),
	{}
};

struct kunit_suite sp_parse_suite = {
	.name = "schedprof_parse",
	.init = set_up,
	.test_cases = cases,
};
