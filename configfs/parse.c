// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse: from the text of a write to a value.
 *
 * Text in; a value, or an errno and a sentence, out. Nothing here knows of
 * sessions or tasks, takes a lock, or allocates memory, so that it can be
 * tested whole. A value is stored only if the whole text is good.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <asm/page.h>

#include "lib/export.h"
#include "parse.h"
#include "lib/why.h"

#define DIGITS		"0123456789"
/* Not isspace(): to it, the last byte of many UTF-8 letters is a blank. */
#define BLANKS		" \t\n\v\f\r"
#define SEPARATORS	BLANKS ","

#define MAX_PID		((u32)PID_MAX_LIMIT)

/* A part of a text, without a NUL behind it. */
struct word {
	const char *text;
	size_t len;
};

/* What a user wrote, harmless and short enough for a sentence. */
struct quote {
	char text[41];
};

static const char *quote_text(struct quote *quote, const char *text, size_t len)
{
	const size_t room = sizeof(quote->text);
	size_t wanted;

	wanted = snprintf(quote->text, room, "%*pEhp", (int)min(len, room), text);
	if (wanted >= room)
		strscpy(quote->text + room - sizeof("..."), "...", sizeof("..."));
	return quote->text;
}

static bool next_word(const char **rest, struct word *word)
{
	word->text = *rest + strspn(*rest, SEPARATORS);
	word->len = strcspn(word->text, SEPARATORS);
	*rest = word->text + word->len;
	return word->len;
}

static bool is_word(const struct word *word, const char *text)
{
	return strlen(text) == word->len && !memcmp(text, word->text, word->len);
}

/* The possible words, for a sentence. */
struct list {
	char text[128];
};

static const char *list_words(struct list *list, const char *const *names)
{
	size_t len = 0;
	unsigned int i;

	list->text[0] = '\0';
	for (i = 0; names[i]; i++)
		len += scnprintf(list->text + len, sizeof(list->text) - len,
				 "%s%s", i ? ", " : "", names[i]);
	return list->text;
}

/**
 * sp_parse_text() - check a write as a whole, and strip it
 * @page: what configfs hands over; a NUL follows it
 * @count: its length
 * @text: becomes the text in @page, without blanks and newlines at both ends;
 *	it may be empty
 * @why: gets the reason of a refusal
 *
 * configfs passes on at most SP_PARSE_TOO_LONG bytes at a time, and the rest
 * as if it were another write. So a write of that length may have been cut
 * inside of a number, and nobody can tell.
 *
 * Return: 0, -E2BIG, or -EINVAL for a NUL in the text.
 */
int sp_parse_text(char *page, size_t count, char **text, struct sp_why *why)
{
	char *end = page + count;

	if (count >= SP_PARSE_TOO_LONG)
		return sp_refuse(why, -E2BIG,
				 "more than %d bytes were written at once: write a long list in parts, the later ones with '+' before every word",
				 SP_PARSE_TOO_LONG - 1);
	if (memchr(page, '\0', count))
		return sp_refuse(why, -EINVAL,
				 "there is a NUL byte in what was written: write plain text");
	page += strspn(page, BLANKS);
	while (end > page && strchr(BLANKS, end[-1]))
		end--;
	*end = '\0';
	*text = page;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_parse_text);

/**
 * sp_parse_number() - a number of decimal digits
 * @text: as from sp_parse_text()
 * @min: the smallest that is allowed
 * @max: the greatest that is allowed
 * @value: set on success
 * @why: gets the reason of a refusal
 *
 * Return: 0, -ERANGE for a number that is not allowed, be it negative or too
 * long for 64 bits, or -EINVAL for what is no number.
 */
int sp_parse_number(const char *text, u64 min, u64 max, u64 *value,
		    struct sp_why *why)
{
	const char *digits = text + (*text == '-');
	struct quote quoted;
	u64 number;

	if (!*text)
		return sp_refuse(why, -EINVAL,
				 "nothing was written: write a number from %llu to %llu",
				 min, max);
	/* kstrtoull() alone would take a '+', and not tell "-5" from "x". */
	if (!*digits || digits[strspn(digits, DIGITS)])
		return sp_refuse(why, -EINVAL,
				 "'%s' is no number: write decimal digits, from %llu to %llu",
				 quote_text(&quoted, text, strlen(text)), min, max);
	if (digits != text || kstrtoull(digits, 10, &number) ||
	    number < min || number > max)
		return sp_refuse(why, -ERANGE,
				 "'%s' is out of range: write a number from %llu to %llu",
				 quote_text(&quoted, text, strlen(text)), min, max);
	*value = number;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_parse_number);

/**
 * sp_parse_choice() - one word out of several
 * @text: as from sp_parse_text()
 * @names: the words, with a NULL behind them
 * @value: set to the word's index on success
 * @why: gets the reason of a refusal
 *
 * Return: 0 or -EINVAL.
 */
int sp_parse_choice(const char *text, const char *const *names, u64 *value,
		    struct sp_why *why)
{
	struct quote quoted;
	struct list words;
	int i = match_string(names, -1, text);

	if (i >= 0) {
		*value = i;
		return 0;
	}
	return sp_refuse(why, -EINVAL, "'%s' is not known here: write one of %s",
			 quote_text(&quoted, text, strlen(text)), list_words(&words, names));
}
SP_EXPORT_FOR_KUNIT(sp_parse_choice);

/**
 * sp_parse_set() - any of several words, or none
 * @text: as from sp_parse_text(); blanks or commas between the words
 * @names: at most 32 words, with a NULL behind them; "none" is not among them
 * @bits: set on success, bit i for names[i]
 * @why: gets the reason of a refusal
 *
 * Return: 0 or -EINVAL.
 */
int sp_parse_set(const char *text, const char *const *names, u64 *bits,
		 struct sp_why *why)
{
	struct quote quoted;
	struct list words;
	struct word word;
	bool none = false;
	u32 found = 0;
	u32 i;

	while (next_word(&text, &word)) {
		if (is_word(&word, "none")) {
			none = true;
			continue;
		}
		for (i = 0; names[i] && !is_word(&word, names[i]); i++)
			;
		if (!names[i])
			return sp_refuse(why, -EINVAL,
					 "'%s' is not known here: write any of %s, or none",
					 quote_text(&quoted, word.text, word.len),
					 list_words(&words, names));
		found |= BIT(i);
	}
	if (!none && !found)
		return sp_refuse(why, -EINVAL,
				 "nothing was written: write any of %s, or none",
				 list_words(&words, names));
	if (none && found)
		return sp_refuse(why, -EINVAL,
				 "'none' does not go with other words: write any of %s, or only none",
				 list_words(&words, names));
	*bits = found;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_parse_set);

static int parse_pid(const struct word *word, bool sign, u32 *nr,
		     struct sp_why *why)
{
	const char *digits = word->text + sign;
	size_t len = word->len - sign;
	struct quote quoted;
	u32 number = 0;

	if (is_word(word, "all") || is_word(word, "none"))
		return sp_refuse(why, -EINVAL,
				 "'%s' does not go with other words: write it alone, or only numbers",
				 quote_text(&quoted, word->text, word->len));
	if (!len || strspn(digits, DIGITS) < len)
		return sp_refuse(why, -EINVAL,
				 "'%s' is no number: write all, none, a list like 12 34, or changes like +78 -12",
				 quote_text(&quoted, word->text, word->len));
	/* Once it is too great, it stays so, however many digits follow. */
	for (; len; len--, digits++)
		number = min(number * 10 + (*digits - '0'), MAX_PID + 1);
	if (!number || number > MAX_PID)
		return sp_refuse(why, -ERANGE,
				 "'%s' is no process or thread: their numbers are 1 to %u",
				 quote_text(&quoted, word->text, word->len), MAX_PID);
	*nr = number;
	return 0;
}

/**
 * sp_parse_pids() - which processes or threads, or a change of that
 * @text: as from sp_parse_text(): "all", "none", numbers with blanks or commas
 *	between them, or such numbers with a sign before each
 * @pids: set on success; on failure its words may be overwritten, the rest is
 *	not
 * @why: gets the reason of a refusal
 *
 * Return: 0, -EINVAL, -ERANGE for a number that no process can have, or
 * -E2BIG beyond SP_PARSE_PIDS words.
 */
int sp_parse_pids(const char *text, struct sp_pids_text *pids,
		  struct sp_why *why)
{
	bool all = !strcmp(text, "all");
	struct word word;
	bool change = false;
	u32 count = 0;

	if (all || !strcmp(text, "none")) {
		pids->verb = all ? SP_PIDS_ALL : SP_PIDS_SET;
		pids->count = 0;
		return 0;
	}
	while (next_word(&text, &word)) {
		bool sign = *word.text == '+' || *word.text == '-';
		u32 nr;
		int err = parse_pid(&word, sign, &nr, why);

		if (err)
			return err;
		if (!count)
			change = sign;
		if (sign != change)
			return sp_refuse(why, -EINVAL,
					 "some numbers have a sign and some have not: plain ones replace the list, signed ones change it, so write only one kind");
		if (count == SP_PARSE_PIDS)
			return sp_refuse(why, -E2BIG,
					 "more than %d numbers were written at once: write the list in parts, the later ones with '+' before every number",
					 SP_PARSE_PIDS);
		pids->word[count].nr = nr;
		pids->word[count].remove = *word.text == '-';
		count++;
	}
	if (!count)
		return sp_refuse(why, -EINVAL,
				 "nothing was written: write all or none, or a list of numbers");
	pids->verb = change ? SP_PIDS_CHANGE : SP_PIDS_SET;
	pids->count = count;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_parse_pids);
