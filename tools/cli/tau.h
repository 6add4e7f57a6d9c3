/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tau: profiles as the tools of TAU read them. One thread, so nothing is locked.
 */
#ifndef CLI_TAU_H
#define CLI_TAU_H

#include "program.h"
#include "rows.h"

int cli_tau_prepare(const char *directory);
int cli_tau_write(const struct cli_report *report, const struct cli_ran *ran,
		  const char *directory);

#endif
