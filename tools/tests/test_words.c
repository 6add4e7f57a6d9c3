// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_words: what the command line does with words: times, sizes, near misses, and
 * names that were chosen to do harm. tests/jobs/cli builds and runs it. One thread.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "words.h"

static int failed;

static void check(bool good, const char *what, const char *got)
{
	if (good)
		return;
	printf("not ok words %s: got %s\n", what, got);
	failed = 1;
}

static void times(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "5", 5000000000 }, { "0.5", 500000000 }, { "1.000000001", 1000000001 },
		{ "20ms", 20000000 }, { "1.5us", 1500 }, { "7ns", 7 }, { "3min", 180000000000 },
		{ "2h", 7200000000000 }, { "0", 0 }, { "9223372036", 9223372036000000000 },
	};
	static const char *const bad[] = {
		"", "x", "-1", "1.", ".5", "5 s", "1e3", "9223372037", "5sec", "+1",
		"99999999999999999999",
	};
	char text[32];
	uint64_t ns;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!cli_parse_time(good[i].text, CLI_NS_PER_S, &ns))
			ns = UINT64_MAX;
		snprintf(text, sizeof(text), "%" PRIu64, ns);
		check(ns == good[i].ns, good[i].text, text);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check(!cli_parse_time(bad[i], CLI_NS_PER_S, &ns), bad[i], "a time");
}

static void sizes(void)
{
	static const char *const bad[] = { "", "0", "10X", "10MB", "M", "17179869184G" };
	uint64_t bytes = 0;
	bool unit;
	size_t i;

	check(cli_parse_size("10M", &bytes, &unit) && bytes == 10485760 && unit,
	      "10M", "something else");
	check(cli_parse_size("60", &bytes, &unit) && bytes == 60 && !unit,
	      "60", "something else");
	check(cli_parse_size("512k", &bytes, &unit) && bytes == 524288 && unit,
	      "512k", "something else");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check(!cli_parse_size(bad[i], &bytes, &unit), bad[i], "a size");
}

static void lengths(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.000 us" },
		{ 999999, "999.999 us" }, { 1000000, "1.000 ms" },
		{ 61234567890, "61.234 s" }, { UINT64_MAX, "18446744073.709 s" },
	};
	char word[CLI_WORD];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(!strcmp(cli_time(word, rows[i].ns), rows[i].text),
		      rows[i].text, word);
	check(!strcmp(cli_length(word, 12, true), "12 cycles"), "12 cycles", word);
	check(!strcmp(cli_share(word, 1, 3), "33.3%"), "33.3%", word);
	check(!strcmp(cli_share(word, 1, 0), "0.0%"), "0.0%", word);
}

static void nearest(void)
{
	static const char *const known[] = { "offcpu", "oncpu", "record", "report" };
	static const struct {
		const char *word, *meant;
	} rows[] = {
		{ "ofcpu", "offcpu" }, { "recoord", "record" }, { "rep", "report" },
		{ "xyzzy", NULL }, { "", NULL },
		{ "a-word-that-is-much-longer-than-all-of-those-that-are-known", NULL },
	};
	const char *got;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = cli_nearest(rows[i].word, known, 4);
		check(got == rows[i].meant ||
		      (got && rows[i].meant && !strcmp(got, rows[i].meant)),
		      rows[i].word, got ? got : "nothing");
	}
}

static void name(void (*print)(FILE *out, const char *name), const char *what,
		 const char *given, const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		exit(2);
	print(out, given);
	if (fclose(out))
		exit(2);
	check(!strcmp(text, expected), what, text);
	free(text);
}

static void names(void)
{
	name(cli_print_plain, "a terminal's sequence", "a\033[2Jb", "a\\x1b[2Jb");
	name(cli_print_plain, "a sequence of one byte", "a\2332J", "a\\x9b2J");
	name(cli_print_plain, "the same in UTF-8", "a\302\2332J", "a\\xc2\\x9b2J");
	name(cli_print_plain, "letters", "\303\244\342\202\254", "\303\244\342\202\254");
	name(cli_print_plain, "a backslash", "a\\x", "a\\x5cx");
	name(cli_print_sentence, "a sentence", "no a\\x1b\033b\n", "no a\\x1b\\x1bb\\x0a");
	name(cli_print_folded, "a forged line", "a;b c\nd", "a_b_c_d");
	name(cli_print_folded, "a folded sequence of one byte", "a\2332J", "a_2J");
	name(cli_print_folded, "the same, folded, in UTF-8", "a\302\2332J", "a__2J");
	name(cli_print_folded, "folded for no XML", "\357\277\276", "\357\277\276");
	name(cli_print_folded, "folded letters", "\303\233\342\202\254\303", "\303\233\342\202\254_");
	name(cli_print_quoted, "a string", "a\"b\\c\n\001", "\"a\\\"b\\\\c\\u000a\\u0001\"");
	name(cli_print_quoted, "no UTF-8", "a\377\300\200b", "\"a\\ufffd\\ufffd\\ufffdb\"");
	name(cli_print_quoted, "a cut letter", "a\342\202", "\"a\\ufffd\\ufffd\"");
	name(cli_print_quoted, "half of a pair", "\355\240\200", "\"\\ufffd\\ufffd\\ufffd\"");
	name(cli_print_xml, "an element", "<a>&\"\n", "&lt;a&gt;&amp;&quot;?");
	name(cli_print_xml, "no characters", "\357\277\275\357\277\276\357\277\277",
	     "\357\277\275??????");
	name(cli_print_timer, "a timer", "a\"b\n=> c", "a?b?=> c");
}

int main(void)
{
	times();
	sizes();
	lengths();
	nearest();
	names();
	if (!failed)
		puts("ok words");
	return failed;
}
