// SPDX-License-Identifier: GPL-2.0-only
/*
 * say: what goes to people rather than into files. State: whether colours are
 * wanted, whether the progress line is on the screen, and who shows sentences. One
 * thread, so nothing is locked.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"
#include "say.h"
#include "words.h"

static bool colored;
static bool line_open;	/* the progress line is on the screen */
static void (*listener_fn)(const char *sentence);	/* NULL: standard error */

/* Names in it may be anybody's choice. */
static void print_sentence(const char *before, const char *format, va_list args)
{
	char sentence[8192];	/* has room for two paths */

	vsnprintf(sentence, sizeof(sentence), format, args);
	if (listener_fn) {
		listener_fn(sentence);
		return;
	}
	cli_progress_over();
	fprintf(stderr, "schedprof: %s", before);
	cli_print_sentence(stderr, sentence);
	fputc('\n', stderr);
}

/* Says in one sentence what is wrong, and what to do. */
void cli_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_sentence("", format, args);
	va_end(args);
}

/* Says a sentence that is good to know, but no error. */
void cli_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_sentence("note: ", format, args);
	va_end(args);
}

/**
 * cli_say_to() - show sentences elsewhere than on standard error
 * @listener: gets each of them; NULL: as at first
 */
void cli_say_to(void (*listener)(const char *sentence))
{
	listener_fn = listener;
}

/**
 * cli_fail() - say why the library could not do something
 * @error: filled by the library
 *
 * Return: what the program ends with.
 */
int cli_fail(const struct schedprof_error *error)
{
	cli_error("%s", error->message);
	switch (error->code) {
	case SCHEDPROF_NO_MODULE:
	case SCHEDPROF_NOT_MOUNTED:
	case SCHEDPROF_NOT_ROOT:
		return CLI_NOT_READY;
	default:
		return CLI_FAILED;
	}
}

/**
 * cli_no_memory() - say that there is none
 *
 * Return: CLI_FAILED.
 */
int cli_no_memory(void)
{
	cli_error("there is not enough memory");
	return CLI_FAILED;
}

/**
 * cli_colors() - decide about colours, once
 * @when: what the user wants
 * @out: where colours would go
 */
void cli_colors(enum cli_when when, FILE *out)
{
	const char *term = getenv("TERM"), *never = getenv("NO_COLOR");

	colored = when == CLI_ALWAYS ||
		  (when == CLI_AUTO && isatty(fileno(out)) && term &&
		   strcmp(term, "dumb") && !(never && *never));
}

/* Return: the sequence that switches a colour on; "" if no colours are wanted. */
const char *cli_color(enum cli_color color)
{
	static const char *const sequences[] = {
		[CLI_PLAIN] = "\033[0m",
		[CLI_BOLD] = "\033[1m",
		[CLI_DIM] = "\033[2m",
		[CLI_RED] = "\033[31m",
		[CLI_GREEN] = "\033[32m",
	};

	return colored ? sequences[color] : "";
}

/**
 * cli_progress() - show that time goes by; nothing unless on a terminal
 * @what: goes on
 * @now_ns: for how long
 * @of_ns: out of; 0: until somebody ends it
 */
void cli_progress(const char *what, uint64_t now_ns, uint64_t of_ns)
{
	double now = (double)now_ns / (double)CLI_NS_PER_S;

	if (of_ns)
		cli_progress_line("%s: %.1f s of %.1f s (Ctrl-C ends it)", what, now,
				  (double)of_ns / (double)CLI_NS_PER_S);
	else
		cli_progress_line("%s: %.1f s (Ctrl-C ends it)", what, now);
}

/* A line that goes before anything else is said; nothing unless on a terminal. */
void cli_progress_line(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	fputc('\r', stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\033[K", stderr);
	fflush(stderr);
	line_open = true;
}

/* Takes the progress line away. */
void cli_progress_over(void)
{
	if (!line_open)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	line_open = false;
}
