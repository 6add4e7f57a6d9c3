// SPDX-License-Identifier: GPL-2.0-only
/*
 * attribute_check: writes to an attribute with one write() and looks at the
 * errno, the value and last_error. See attribute_check.h.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attribute_check.h"

const char *root;
char dir[PAGE];
unsigned int wrong;

static const char *testing = "attributes";
static unsigned int wrong_before;

void complain(const char *format, ...)
{
	va_list args;

	if (wrong++ - wrong_before >= 10)
		return;		/* the picture is clear */
	printf("not ok %s: ", testing);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void begin(const char *name)
{
	testing = name;
	wrong_before = wrong;
}

void end(void)
{
	if (wrong == wrong_before)
		printf("ok %s\n", testing);
	fflush(stdout);
}

/* For messages: what was written, made visible and short. */
static const char *visible(struct text text)
{
	static char out[4 * 48 + 32];
	size_t i, n = text.size < 48 ? text.size : 48;
	char *to = out;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text.bytes[i];

		if (isprint(c))
			*to++ = (char)c;
		else
			to += sprintf(to, "\\%03o", c);
	}
	*to = '\0';
	if (n < text.size)
		sprintf(to, "... (%zu bytes)", text.size);
	return out;
}

const char *path_of(const char *where, const char *name)
{
	static char path[2 * PAGE];

	snprintf(path, sizeof(path), "%s/%s", where, name);
	return path;
}

/* 0 or an errno. */
int put(const char *where, const char *name, struct text text)
{
	int fd = open(path_of(where, name), O_WRONLY);
	ssize_t n;
	int err;

	if (fd < 0)
		return errno;
	n = write(fd, text.bytes, text.size);
	err = n < 0 ? errno : 0;
	close(fd);
	if (n >= 0 && (size_t)n != text.size)
		complain("a write of '%s' took %zd bytes of %zu", visible(text),
			 n, text.size);
	return err;
}

int put_string(const char *where, const char *name, const char *string)
{
	return put(where, name, (struct text){ string, strlen(string) });
}

/* Without the newline at its end, which must be there. */
char *get(const char *where, const char *name)
{
	static char buffers[4][2 * PAGE];
	static unsigned int next;
	char *text = buffers[next++ % 4];
	ssize_t n;
	int fd;

	*text = '\0';
	fd = open(path_of(where, name), O_RDONLY);
	if (fd < 0) {
		complain("cannot open %s: %s", name, strerrorname_np(errno));
		return text;
	}
	n = read(fd, text, 2 * PAGE - 1);
	close(fd);
	if (n < 0) {
		complain("cannot read %s: %s", name, strerrorname_np(errno));
		n = 0;
	}
	text[n] = '\0';
	if (strlen(text) != (size_t)n)
		complain("%s reads a NUL", name);
	if (n && text[n - 1] == '\n')
		text[n - 1] = '\0';
	else if (n)
		complain("%s has no newline at its end", name);
	return text;
}

/* The sentence is for people, but it must be one. */
void expect_reason(const char *where, const char *what)
{
	const char *text = get(where, "last_error"), *p;

	if (strlen(text) < 12 || !strchr(text, ' ')) {
		complain("%s: last_error is no sentence: '%s'", what, text);
		return;
	}
	if (strlen(text) > 255)
		complain("%s: last_error is %zu bytes long", what, strlen(text));
	for (p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f) {
			complain("%s: last_error has the character %d in it",
				 what, *p);
			return;
		}
}

void expect_no_reason(const char *where, const char *what)
{
	const char *text = get(where, "last_error");

	if (*text)
		complain("after %s, which was accepted, last_error is '%s'",
			 what, text);
}

void expect_value(const char *where, const char *name,
		  const char *expected, const char *why)
{
	const char *value = get(where, name);

	if (strcmp(value, expected))
		complain("%s: %s reads '%s', expected '%s'", why, name, value,
			 expected);
}

void accepts(const char *where, const char *name, struct text text,
	     const char *reads)
{
	int err = put(where, name, text);

	if (err) {
		complain("'%s' refused with %s: %s", visible(text),
			 strerrorname_np(err), get(where, "last_error"));
		return;
	}
	expect_no_reason(where, visible(text));
	if (reads)
		expect_value(where, name, reads, visible(text));
}

void refuses(const char *where, const char *name, const struct bad *bad,
	     bool readable)
{
	char before[2 * PAGE] = "", what[512];
	int err;

	if (readable)
		strcpy(before, get(where, name));
	/* So that the sentence cannot be that of the refusal before. */
	if (strcmp(where, root))
		put_string(where, "top_n", get(where, "top_n"));
	snprintf(what, sizeof(what), "'%s'", visible(bad->text));
	err = put(where, name, bad->text);
	if (err != bad->err && (!bad->or || err != bad->or))
		complain("%s: got %s, expected %s", what,
			 err ? strerrorname_np(err) : "success",
			 strerrorname_np(bad->err));
	if (err)
		expect_reason(where, what);
	if (readable)
		expect_value(where, name, before, what);
}

void refuses_all(const char *where, const char *name,
		 const struct bad *bad, bool readable)
{
	for (; bad && bad->text.bytes; bad++)
		refuses(where, name, bad, readable);
}
