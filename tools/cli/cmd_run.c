// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_run: like time(1): runs a command from its start to its end, with all its
 * children, and says where the time went. What is said goes to standard error,
 * because standard output belongs to the command. One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_run.h"
#include "names.h"
#include "output.h"
#include "picture.h"
#include "print.h"
#include "print_json.h"
#include "print_text.h"
#include "profile.h"
#include "tau.h"
#include "words.h"

#define MAX_ROWS	10

struct sums {
	uint64_t oncpu, runqueue, sleep, disk;
	uint64_t irq, softirq, stolen;
	uint64_t switches_vol, switches_invol, wakeups, migrations;
	size_t tasks;
	bool ended;	/* there are others, in one row */
};

static struct sums sum_up(const struct schedprof_recording *recording)
{
	const struct schedprof_ledger *ledger;
	struct sums sums = { 0 };
	size_t i;

	for (i = 0; (ledger = schedprof_ledger_at(recording, i)); i++) {
		sums.oncpu += ledger->oncpu;
		sums.runqueue += ledger->runqueue;
		sums.sleep += ledger->sleep;
		sums.disk += ledger->disk;
		sums.irq += ledger->irq;
		sums.softirq += ledger->softirq;
		sums.stolen += ledger->stolen;
		sums.switches_vol += ledger->switches_vol;
		sums.switches_invol += ledger->switches_invol;
		sums.wakeups += ledger->wakeups;
		sums.migrations += ledger->migrations;
		if (ledger->tid)
			sums.tasks++;
		else
			sums.ended = true;
	}
	return sums;
}

static void print_command(const struct cli_ran *ran, FILE *out)
{
	char word[CLI_WORD];
	size_t i;

	for (i = 0; ran->program[i]; i++) {
		fputs(i ? " " : "", out);
		cli_print_plain(out, ran->program[i]);
	}
	if (ran->running)
		fputs(": still runs after ", out);
	else if (ran->signal)
		fprintf(out, ": killed by signal %d after ", ran->signal);
	else
		fprintf(out, ": ended with %d after ", ran->status);
	fprintf(out, "%s\n\n", cli_time(word, ran->wall_ns));
}

static void print_sums(const struct cli_report *report, FILE *out)
{
	bool splits = cli_splits_interrupts(report->recording);
	struct sums sums = sum_up(report->recording);
	uint64_t all = sums.oncpu + sums.runqueue + sums.sleep + sums.disk;
	const struct {
		const char *name;
		uint64_t time;
		bool of_oncpu;
	} rows[] = {
		{ "on a CPU", sums.oncpu, false },
		{ "  its own", sums.oncpu - sums.irq - sums.softirq - sums.stolen, true },
		{ "  interrupts", sums.irq, true },
		{ "  softirqs", sums.softirq, true },
		{ "  stolen", sums.stolen, true },
		{ "waiting for a CPU", sums.runqueue, false },
		{ "asleep", sums.sleep, false },
		{ "in disk sleep", sums.disk, false },
	};
	char length[CLI_WORD], share[CLI_WORD];
	size_t i;

	fprintf(out, "%zu %s,%s of which each is always in one of these states:\n",
		sums.tasks, sums.tasks == 1 ? "task" : "tasks",
		sums.ended ? " and others that have ended," : "");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (splits || !rows[i].of_oncpu)
			fprintf(out, "    %-18s %16s  %6s\n", rows[i].name,
				cli_length(length, rows[i].time, report->cycles),
				cli_share(share, rows[i].time, all));
	fprintf(out, "    %-18s %16s\n", "sum", cli_length(length, all, report->cycles));
	fprintf(out, "\n    switches %" PRIu64 " voluntary and %" PRIu64 " involuntary",
		sums.switches_vol, sums.switches_invol);
	fprintf(out, ", wakeups %" PRIu64 ", migrations %" PRIu64 "\n\n",
		sums.wakeups, sums.migrations);
}

static void print_run_text(const struct cli_report *report, const struct cli_ran *ran,
			   FILE *out)
{
	size_t count = cli_report_limit(report);

	if (!report->o->top && count > MAX_ROWS)
		count = MAX_ROWS;
	print_command(ran, out);
	print_sums(report, out);
	cli_print_head(report, out);
	cli_print_rows(report, count, out);
}

static int print_run(struct cli_options *o, struct schedprof_recording *recording,
		     const struct cli_ran *ran)
{
	struct cli_report report;
	FILE *out = NULL;
	int err;

	err = cli_report_make(&report, recording, o);
	if (!err) {
		out = cli_output_open(o, stderr);
		err = out ? CLI_OK : CLI_FAILED;
	}
	if (!err && o->format == CLI_TEXT && o->view == CLI_VIEW_ENTRIES)
		print_run_text(&report, ran, out);
	else if (!err && o->format == CLI_JSON)
		err = cli_print_json(&report, ran, out);
	else if (!err)
		err = cli_print(&report, out);
	if (err)
		cli_output_drop(out);
	else
		err = cli_output_close(out);
	if (!err && o->tau)
		err = cli_tau_write(&report, ran, o->tau);
	if (!err)
		err = cli_picture_report(&report);
	cli_report_free(&report);
	return err;
}

/* schedprof run -- COMMAND */
int cli_cmd_run(struct cli_options *o)
{
	struct schedprof_recording *recording;
	struct cli_profile profile;
	struct cli_ran ran;
	int err;

	if (!o->program) {
		cli_error("name a command, as in: schedprof run -- make");
		return CLI_USAGE;
	}
	if (!cli_value(o, "mode"))
		cli_set(o, "mode", "offcpu");
	cli_set(o, "ledger", "1");
	err = cli_output_check(o);
	if (!err)
		err = cli_names_check(o);
	if (!err && o->tau)
		err = cli_tau_prepare(o->tau);
	if (!err)
		err = cli_profile_record(&profile, o, stderr, &recording);
	if (err)
		return err;
	ran.program = o->program;
	ran.status = cli_profile_status(&profile, CLI_OK);
	ran.signal = profile.program.signal;
	ran.running = profile.program.pid;
	ran.wall_ns = ran.running ? cli_now() - profile.program.begin_ns :
				    profile.program.wall_ns;
	err = cli_profile_printed(&profile, print_run(o, recording, &ran));
	return err ? err : ran.status;
}
