/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words: what people write on a command line and read on a terminal: times, sizes,
 * numbers, and which word was meant. Pure functions.
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_NS_PER_US	UINT64_C(1000)
#define CLI_NS_PER_MS	UINT64_C(1000000)
#define CLI_NS_PER_S	UINT64_C(1000000000)

bool cli_parse_number(const char *text, uint64_t min, uint64_t max,
		      uint64_t *number);
bool cli_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns);
bool cli_parse_size(const char *text, uint64_t *bytes, bool *has_unit);

/* The size of a buffer for what the functions below write. */
#define CLI_WORD	40

const char *cli_time(char word[CLI_WORD], uint64_t ns);
const char *cli_length(char word[CLI_WORD], uint64_t time, bool cycles);
const char *cli_share(char word[CLI_WORD], uint64_t part, uint64_t whole);

const char *cli_nearest(const char *word, const char *const *known, size_t n);

#endif
