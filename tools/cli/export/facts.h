/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * facts: what formats say of a whole report: which time it is about, since when, and what
 * was lost. Reads reports and has no state, so nothing is locked.
 */
#ifndef CLI_EXPORT_FACTS_H
#define CLI_EXPORT_FACTS_H

#include "../rows.h"

/* Of the times, for programs: "off_cpu"; and of what is counted: "intervals". */
const char *cli_time_name(const struct cli_report *report);
const char *cli_count_name(const struct cli_report *report);

/* In ns since 1970, and ns; 0: not known. */
uint64_t cli_begin_time(const struct cli_report *report);
uint64_t cli_duration(const struct cli_report *report);

/* Facts that people may want to know; an @index that is too large gives NULL. */
char *cli_fact(const struct cli_report *report, size_t index);

char *cli_plain(const char *name);

#endif
