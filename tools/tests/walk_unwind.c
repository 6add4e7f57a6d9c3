// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk_unwind [-e EVERY] [-a] PROGRAM ARGUMENT...: runs a program that stops itself, from
 * there on instruction by instruction, and walks its stack by unwind tables and by libdwfl
 * of elfutils, as eu-stack does. Frame by frame both must be the same, until the table says
 * that it has no rule; -a: that may be in one walk of 100, as there are instructions of
 * which nothing is said (_fini). -e: about one instruction of so many. At each of the vdso the
 * stack is walked some times only. Says how many walks there were, how many were complete,
 * frames, and rows of each kind.
 *
 * walk_unwind PID: prints the frames of a process by tables. One thread.
 */
#include <elfutils/libdwfl.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "schedprof.h"

#define MAX_FRAMES	256
#define MAX_MAPPINGS	256
/*
 * The stack is walked so often at each instruction of the vdso: code there that reads a clock
 * begins again if the kernel changed that meanwhile, which is each tick, and so it would never
 * end where walks take longer than a tick.
 */
#define VDSO_WALKS	16
#define MAX_VDSO	16384		/* bytes; more of it is walked each time */

struct mapping {
	uint64_t start, end, offset;
	struct schedprof_unwind *table;	/* NULL: there is none */
};

static struct mapping mappings[MAX_MAPPINGS];
static unsigned int mapping_count;
static const struct mapping *vdso;
static unsigned char vdso_walks[MAX_VDSO];
static pid_t pid;
static unsigned long kinds[6];

struct frames {
	uint64_t at[MAX_FRAMES];
	unsigned int count;
	bool complete;
};

/* Tables of all that the process has mapped as code by now. */
static void read_mappings(void)
{
	char path[64], flags[5], line[4096], name[4096];
	struct schedprof_error error;
	FILE *maps;

	vdso = NULL;
	for (; mapping_count; mapping_count--)
		schedprof_unwind_free(mappings[mapping_count - 1].table);
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps) && mapping_count < MAX_MAPPINGS) {
		struct mapping *mapping = &mappings[mapping_count];
		int fd;

		*name = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %4095s",
			   &mapping->start, &mapping->end, flags, &mapping->offset, name) < 4 ||
		    flags[2] != 'x')
			continue;
		mapping->table = NULL;
		fd = *name == '/' ? open(name, O_RDONLY) : -1;
		if (fd >= 0) {
			mapping->table = schedprof_unwind_make(fd, name, &error);
		} else if (!strcmp(name, "[vdso]")) {
			mapping->table = schedprof_unwind_make_vdso(&error);
			vdso = mapping;
		}
		if (fd >= 0)
			close(fd);
		mapping_count++;
	}
	if (!maps)
		err(1, "%s", path);
	fclose(maps);
}

static bool find_row(uint64_t ip, struct schedprof_unwind_row *row)
{
	unsigned int i;

	for (i = 0; i < mapping_count; i++)
		if (ip >= mappings[i].start && ip < mappings[i].end)
			return mappings[i].table &&
			       schedprof_unwind_find(mappings[i].table,
						     ip - mappings[i].start +
						     mappings[i].offset, row, sizeof(*row));
	return false;
}

static bool read_word(uint64_t address, uint64_t *word)
{
	struct iovec here = { word, sizeof(*word) }, there = { (void *)address, sizeof(*word) };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == sizeof(*word);
}

/* The caller's registers. Return: false if there is none, or no rule. */
static bool step(uint64_t *ip, uint64_t *sp, uint64_t *fp, bool called, bool *complete,
		 bool *signal)
{
	struct schedprof_unwind_row row;
	uint64_t cfa;

	*signal = false;
	if (!find_row(*ip - called, &row))
		return false;
	kinds[row.kind]++;
	switch (row.kind) {
	case SCHEDPROF_UNWIND_OUTERMOST:
		*complete = true;
		return false;
	case SCHEDPROF_UNWIND_SP:
		cfa = *sp + 8 * row.cfa;
		break;
	case SCHEDPROF_UNWIND_FP:
		cfa = *fp + 8 * row.cfa;
		break;
	case SCHEDPROF_UNWIND_PLT:
		cfa = *sp + 8 * row.cfa + 8 * ((*ip & 15) >= row.saved);
		row.saved = 0;
		break;
	case SCHEDPROF_UNWIND_SIGNAL:
		*signal = true;
		cfa = *sp;
		return read_word(cfa + 168, ip) && read_word(cfa + 160, sp) &&
		       read_word(cfa + 120, fp);
	default:
		return false;
	}
	if (cfa <= *sp || !read_word(cfa - 8, ip) ||
	    (row.saved && !read_word(cfa - 8 * row.saved, fp)))
		return false;
	*sp = cfa;
	return true;
}

static void walk(struct frames *frames)
{
	struct user_regs_struct regs;
	bool called = false, signal;
	uint64_t ip, sp, fp;

	*frames = (struct frames){ };
	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		err(1, "registers");
	ip = regs.rip;
	sp = regs.rsp;
	fp = regs.rbp;
	do {
		frames->at[frames->count++] = ip;
		if (!step(&ip, &sp, &fp, called, &frames->complete, &signal))
			break;
		called = !signal;
	} while (frames->count < MAX_FRAMES);
}

static int take_frame(Dwfl_Frame *frame, void *data)
{
	struct frames *frames = data;
	Dwarf_Addr at;
	bool exact;

	if (frames->count == MAX_FRAMES || !dwfl_frame_pc(frame, &at, &exact))
		return DWARF_CB_ABORT;
	frames->at[frames->count++] = at;
	return DWARF_CB_OK;
}

static Dwfl *attach(void)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl || dwfl_linux_proc_report(dwfl, pid) ||
	    dwfl_report_end(dwfl, NULL, NULL) || dwfl_linux_proc_attach(dwfl, pid, true))
		errx(1, "libdwfl: %s", dwfl_errmsg(-1));
	return dwfl;
}

/* Return: are both the same, as far as tables go? */
static bool same(const struct frames *tables, const struct frames *dwfl)
{
	unsigned int i;

	if (tables->complete ? tables->count != dwfl->count : tables->count > dwfl->count)
		return false;
	for (i = 0; i < tables->count; i++)
		if (tables->at[i] != dwfl->at[i])
			return false;
	return true;
}

static void show(const char *what, const struct frames *frames)
{
	unsigned int i;

	printf("%s:%s", what, frames->complete ? " (complete)" : "");
	for (i = 0; i < frames->count; i++)
		printf(" %#" PRIx64, frames->at[i]);
	putchar('\n');
}

static void next_instruction(int *status)
{
	int signal = WIFSTOPPED(*status) && WSTOPSIG(*status) != SIGTRAP &&
		     WSTOPSIG(*status) != SIGSTOP ? WSTOPSIG(*status) : 0;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, signal) || waitpid(pid, status, 0) != pid)
		err(1, "step");
}

/* Not where it often was in the vdso: that may be in a loop for as long as it is walked. */
static bool to_be_walked(void)
{
	struct user_regs_struct regs;
	unsigned char *walks;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		err(1, "registers");
	if (!vdso || regs.rip < vdso->start || regs.rip >= vdso->end ||
	    regs.rip - vdso->start >= MAX_VDSO)
		return true;
	walks = &vdso_walks[regs.rip - vdso->start];
	if (*walks == VDSO_WALKS)
		return false;
	++*walks;
	return true;
}

static int compare_all(unsigned int every, bool all)
{
	unsigned long walks = 0, complete = 0, frames = 0;
	struct frames tables, dwfl;
	unsigned int dice = 1;
	Dwfl *session;
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(1, "wait");
	/* From where it stops itself on, all libraries are there. */
	while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP)
		if (ptrace(PTRACE_CONT, pid, NULL, 0) || waitpid(pid, &status, 0) != pid)
			err(1, "begin");
	read_mappings();
	session = attach();
	while (WIFSTOPPED(status)) {
		next_instruction(&status);
		dice = dice * 1103515245 + 12345;
		if (!WIFSTOPPED(status) || (dice >> 16) % every || !to_be_walked())
			continue;
		walk(&tables);
		dwfl = (struct frames){ };
		dwfl_getthread_frames(session, pid, take_frame, &dwfl);
		walks++;
		complete += tables.complete;
		frames += tables.count;
		if (!same(&tables, &dwfl)) {
			show("tables", &tables);
			show("libdwfl", &dwfl);
			kill(pid, SIGKILL);
			return 1;
		}
	}
	dwfl_end(session);
	printf("walks %lu complete %lu frames %lu sp %lu fp %lu plt %lu signal %lu\n", walks,
	       complete, frames, kinds[SCHEDPROF_UNWIND_SP], kinds[SCHEDPROF_UNWIND_FP],
	       kinds[SCHEDPROF_UNWIND_PLT], kinds[SCHEDPROF_UNWIND_SIGNAL]);
	return !WIFEXITED(status) || WEXITSTATUS(status) || !complete ||
	       (all && walks - complete > walks / 100);
}

/* The frames of a process that runs. */
static int print_frames(void)
{
	struct frames frames;
	unsigned int i;
	int status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
		err(1, "attach");
	read_mappings();
	walk(&frames);
	for (i = 0; i < frames.count; i++)
		printf("0x%016" PRIx64 "\n", frames.at[i]);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return !frames.complete;
}

int main(int count, char **arguments)
{
	unsigned int every = 1;
	bool all = false;
	int option;

	while ((option = getopt(count, arguments, "+e:a")) != -1) {
		if (option == 'e')
			every = (unsigned int)atoi(optarg);
		else if (option == 'a')
			all = true;
		else
			return 2;
	}
	if (optind == count || !every)
		return 2;
	pid = atoi(arguments[optind]);
	if (pid > 0)
		return print_frames();
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(arguments[optind], arguments + optind);
		err(127, "%s", arguments[optind]);
	}
	return compare_all(every, all);
}
