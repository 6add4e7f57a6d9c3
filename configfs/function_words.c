// SPDX-License-Identifier: GPL-2.0-only
/*
 * function_words: from names, globs and groups that a user writes to functions,
 * and back. What was written is kept, and is what later writes add to.
 *
 * The caller holds the session's mutex.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "func/list.h"
#include "control.h"
#include "lib/limits.h"
#include "session.h"
#include "lib/why.h"

#define SEPARATORS	" \t\n\v\f\r,"
/* What a word is made of: symbols, globs, MODULE:, and @group. */
#define LETTERS								\
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$:@*?[]!^-"

/**
 * sp_function_words_show() - what was written
 * @s: where to
 * @session: the caller holds its mutex
 */
void sp_function_words_show(struct seq_buf *s, const struct sp_session *session)
{
	if (session->functions)
		sp_puts(s, session->functions->text);
}

/* Where a word is among others with a blank behind each; or NULL. */
static char *find_word(char *text, const char *word, size_t len)
{
	char *at;

	for (at = text; *at; at += strcspn(at, " ") + 1)
		if (strcspn(at, " ") == len && !memcmp(at, word, len))
			return at;
	return NULL;
}

static int check_word(const char *word, size_t len, struct sp_why *why)
{
	if (!len || strspn(word, LETTERS) < len)
		return sp_refuse(why, -EINVAL, "'%*pEhp' is no name of a function; write names, globs such as 'tcp_*', groups such as @sched, or MODULE:NAME",
				 (int)min_t(size_t, len, 32), word);
	return 0;
}

/* One word, with its sign if it has one. Changes @words, which has room. */
static int apply_words(char *words, const char *word, size_t len, struct sp_why *why)
{
	char sign = *word == '+' || *word == '-' ? *word : 0;
	size_t end;
	char *at;
	int err;

	word += !!sign;
	len -= !!sign;
	err = check_word(word, len, why);
	if (err)
		return err;
	at = find_word(words, word, len);
	if (sign == '-' && !at)
		return sp_refuse(why, -ENOENT, "'%.*s' is not in the list; read functions to see what is",
				 (int)min_t(size_t, len, 48), word);
	if (sign == '-') {
		memmove(at, at + len + 1, strlen(at + len + 1) + 1);
	} else if (!at) {
		end = strlen(words);
		memcpy(words + end, word, len);
		strcpy(words + end + len, " ");
	}
	return 0;
}

/* Returns 0, or an errno if some have a sign and others have not. */
static int look_at_signs(const char *text, bool *change, struct sp_why *why)
{
	u32 signs = 0, words = 0;

	for (text += strspn(text, SEPARATORS); *text;
	     text += strcspn(text, SEPARATORS), text += strspn(text, SEPARATORS)) {
		words++;
		signs += *text == '+' || *text == '-';
	}
	if (signs && signs != words)
		return sp_refuse(why, -EINVAL, "some words have a sign and some have not: plain ones replace the list, signed ones change it, so write only one kind");
	*change = signs;
	return 0;
}

static int instrument_list(struct sp_session *session, char *words, struct sp_why *why)
{
	struct sp_function_list *list = NULL;
	u32 i, n = 0;

	for (i = 0; words[i]; i++)
		n += words[i] == ' ';
	/* Between words there is one, and none behind the last. */
	if (n)
		words[i - 1] = '\0';
	if (n > SP_MAX_FUNCTIONS)
		return sp_refuse(why, -ENOSPC, "a list holds at most %d words; write globs, or use a second session",
				 SP_MAX_FUNCTIONS);
	if (*words)
		list = sp_function_list_make(words, session->functions, why);
	if (IS_ERR(list))
		return PTR_ERR(list);
	sp_session_instrument(session, list);
	return 0;
}

/**
 * sp_function_words_store() - change which functions are profiled
 * @session: the caller holds its mutex; it is disabled
 * @text: names, globs and groups; with a sign they change the list, without they
 *	replace it; nothing empties it
 * @why: filled on failure
 *
 * Context: process, may sleep; a glob takes a second.
 * Return: 0, -EINVAL, -ENOENT, -ENOSPC or -ENOMEM.
 */
int sp_function_words_store(struct sp_session *session, const char *text,
			    struct sp_why *why)
{
	const char *old = session->functions ? session->functions->text : "";
	char *words = kvmalloc(strlen(old) + strlen(text) + 3, GFP_KERNEL);
	bool change = false;
	int err;

	if (!words)
		return sp_refuse(why, -ENOMEM, "there is not enough memory for the list of functions; try again");
	err = look_at_signs(text, &change, why);
	sprintf(words, "%s%s", change ? old : "", change && *old ? " " : "");
	text += strspn(text, SEPARATORS);
	while (!err && *text) {
		size_t len = strcspn(text, SEPARATORS);

		err = apply_words(words, text, len, why);
		text += len;
		text += strspn(text, SEPARATORS);
	}
	if (!err)
		err = instrument_list(session, words, why);
	kvfree(words);
	return err;
}
