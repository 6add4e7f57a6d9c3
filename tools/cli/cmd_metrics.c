// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_metrics: what sessions count, in Prometheus's text format: on standard output, or in a
 * file that node_exporter reads. Beside that file are the counters as they were, so that the
 * next run goes on with them, whatever became of rows and recordings meanwhile.
 *
 * The directory may belong to somebody else than root, so no link in it is followed, and
 * what is read there is checked. One thread, so nothing is locked; two processes that write
 * to one directory are kept apart by flock(2).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../shared/replace.h"
#include "cmd_metrics.h"
#include "metrics/format.h"
#include "metrics/gather.h"
#include "metrics/json.h"
#include "metrics/state.h"
#include "output.h"
#include "say.h"
#include "session.h"

#define LABELS		50
#define FILE_NAME	"schedprof.prom"
#define STATE_NAME	".schedprof.state"
/* Both are called so, with a dot and six letters more, until they are on disk. */
#define NEW_NAME	".schedprof.new"

/* Of a state file: what as many rows as a session may have take, and more. */
#define MAX_STATE	(INT64_C(1) << 30)

/* It is written to by one process at a time. Return: a descriptor, or -1 after saying why. */
static int lock_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0) {
		cli_error("cannot write to the directory %s: %s", directory, strerror(errno));
		return -1;
	}
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (errno == EWOULDBLOCK)
		cli_error("another schedprof writes to %s now; try again, or take another directory",
			  directory);
	else
		cli_error("cannot lock the directory %s: %s", directory, strerror(errno));
	close(fd);
	return -1;
}

static bool is_leftover(int directory, const char *name)
{
	struct stat status;

	return !fnmatch(NEW_NAME ".??????", name, 0) &&
	       !fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(status.st_mode);
}

/* What a run left that was killed while it wrote: nobody else writes here now. */
static void remove_leftovers(int directory)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *names = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	while (names && (entry = readdir(names)))
		if (is_leftover(directory, entry->d_name))
			unlinkat(directory, entry->d_name, 0);
	if (names)
		closedir(names);
	else if (copy >= 0)
		close(copy);
}

/* Return: all of a file, with a NUL behind it, to be freed; or NULL with errno. */
static char *read_all(int fd, size_t *size)
{
	struct stat status;
	ssize_t got = 1;
	char *text;

	if (fstat(fd, &status))
		return NULL;
	if (!S_ISREG(status.st_mode) || status.st_size > MAX_STATE ||
	    status.st_uid != geteuid()) {
		errno = EFBIG;
		return NULL;
	}
	text = malloc((size_t)status.st_size + 1);
	for (*size = 0; text && got > 0 && *size < (size_t)status.st_size; *size += (size_t)got)
		got = read(fd, text + *size, (size_t)status.st_size - *size);
	if (text && got < 0) {
		free(text);
		return NULL;
	}
	if (text)
		text[*size] = '\0';
	return text;
}

/* Counters that cannot be gone on with begin at 0, as after a restart. */
static void start_anew(const char *path, const char *why)
{
	cli_note("%s is not used, as %s; all counters begin at 0", path, why);
}

static void read_state(struct cli_totals *totals, const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *why;
	char *text = NULL;
	size_t size;

	if (fd >= 0)
		text = read_all(fd, &size);
	if (text) {
		if (!cli_state_parse(totals, text, size, &why))
			start_anew(path, why);
	} else if (errno == EFBIG || errno == ELOOP) {
		start_anew(path, "it is not what this program wrote");
	} else if (errno != ENOENT) {
		start_anew(path, strerror(errno));
	}
	free(text);
	if (fd >= 0)
		close(fd);
}

/* Prints to a file. Return: 0 or a negative errno. */
static int print_to(int fd, const struct cli_totals *totals, bool state)
{
	FILE *out = fdopen(fd, "w");
	int number = 0;

	if (!out) {
		number = -errno;
		close(fd);
		return number;
	}
	errno = 0;
	if (!state)
		cli_metrics_print(totals, out);
	else if (!cli_state_print(totals, out))
		number = -ENOMEM;
	/*
	 * It takes the place of a good one only when all of it is on disk. What could not be
	 * written while it was printed, only the stream tells, and errno is still of that.
	 */
	if (!number && (fflush(out) || ferror(out) || fchmod(fd, state ? 0600 : 0644) ||
			fsync(fd)))
		number = errno ? -errno : -EIO;
	if (fclose(out) && !number)
		number = -errno;
	return number;
}

/* Paths of all that is written to a directory. */
struct paths {
	char *metrics;
	char *state;
	char *new;	/* and more behind it */
};

/* Return: CLI_OK, or CLI_FAILED after saying why; then an old file is as it was. */
static int write_file(const struct paths *paths, const struct cli_totals *totals, bool state)
{
	const char *path = state ? paths->state : paths->metrics;
	struct replace file;
	int number = replace_open(&file, paths->new);

	if (!number) {
		number = print_to(fcntl(file.fd, F_DUPFD_CLOEXEC, 0), totals, state);
		if (!number)
			number = replace_take_name(&file, path, false);
		replace_close(&file);
	}
	if (!number)
		return CLI_OK;
	cli_error("cannot write %s: %s", path, strerror(-number));
	return CLI_FAILED;
}

/* Sessions of other boots began at times that say nothing here. */
static void find_boot(char boot[64])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	if (!file || fscanf(file, "%63[-0-9a-f]", boot) != 1)
		strcpy(boot, "-");
	if (file)
		fclose(file);
}

struct collecting {
	const struct cli_options *o;
	struct cli_totals *totals;
	const struct schedprof *handle;
	char boot[64];
	bool any;		/* sessions that could be read */
	int failed;		/* what others ended with, which was said */
};

static int take_recording(struct collecting *collecting, const char *name,
			  const struct schedprof_recording *recording)
{
	size_t most = collecting->o->labels ? collecting->o->labels : LABELS;
	struct cli_session_totals *session;
	char *label;

	if (strcmp(schedprof_unit(recording), "ns")) {
		cli_note("the session '%s' has no metrics, as its clock is tsc and its times are cycles; take mono or boot",
			 name);
		return CLI_OK;
	}
	label = cli_label(name);
	session = label ? cli_totals_session(collecting->totals, label) : NULL;
	free(label);
	if (!session || !cli_gather(session, recording, collecting->boot, most))
		return cli_no_memory();
	collecting->any = true;
	return CLI_OK;
}

/* Nobody asked for one by its name: has it recorded anything, and will it stay? */
static bool is_wanted(const struct schedprof *handle, const char *name)
{
	struct schedprof_status status;
	pid_t pid;

	return cli_owner(name, &pid) == CLI_OWNER_NONE &&
	       !schedprof_status(handle, name, &status, sizeof(status), NULL) &&
	       (status.state != SCHEDPROF_DISABLED || status.seconds > 0);
}

/* One that cannot be read, or is gone just now, does not keep the others from it. */
static int collect_session(struct collecting *collecting, const char *name)
{
	struct schedprof_recording *recording;
	int err = cli_session_snapshot(collecting->handle, name, &recording);

	if (err) {
		collecting->failed = err;
		return CLI_OK;
	}
	err = take_recording(collecting, name, recording);
	schedprof_recording_free(recording);
	return err;
}

/* None of those that are there is forgotten for one that is looked at before. */
static int keep_sessions(struct collecting *collecting, char *const *names, size_t count)
{
	char *label;
	size_t i;

	for (i = 0; i < count; i++) {
		label = cli_label(names[i]);
		if (!label)
			return cli_no_memory();
		cli_totals_keep(collecting->totals, label);
		free(label);
	}
	return CLI_OK;
}

static int collect_all(struct collecting *collecting)
{
	struct schedprof_error error;
	size_t i, count;
	char **names = schedprof_list(collecting->handle, &count, &error);
	int err;

	if (!names)
		return cli_fail(&error);
	err = keep_sessions(collecting, names, count);
	for (i = 0; !err && i < count; i++)
		if (is_wanted(collecting->handle, names[i]))
			err = collect_session(collecting, names[i]);
	schedprof_list_free(names);
	return err;
}

/*
 * Return: CLI_OK if there is something to write, and *failed is what the program ends with
 * then; or what it ends with, after saying why.
 */
static int collect(const struct cli_options *o, struct cli_totals *totals, int *failed)
{
	struct collecting collecting = { .o = o, .totals = totals };
	struct schedprof *handle;
	int err = cli_connect(&handle);
	unsigned int i;

	if (err)
		return err;
	collecting.handle = handle;
	find_boot(collecting.boot);
	err = keep_sessions(&collecting, o->names, o->name_count);
	for (i = 0; !err && i < o->name_count; i++)
		err = collect_session(&collecting, o->names[i]);
	if (!o->name_count)
		err = collect_all(&collecting);
	schedprof_close(handle);
	*failed = collecting.failed;
	return err || collecting.any ? err : collecting.failed;
}

/* Counters that were shown are written down before, so that none ever falls. */
static int keep_files(const struct cli_options *o, struct cli_totals *totals,
		      const struct paths *paths)
{
	int err, failed;

	read_state(totals, paths->state);
	err = collect(o, totals, &failed);
	if (!err)
		err = write_file(paths, totals, true);
	if (!err)
		err = write_file(paths, totals, false);
	return err ? err : failed;
}

/* Return: to be freed, or NULL. */
static char *path_in(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

static int keep_textfile(const struct cli_options *o, struct cli_totals *totals)
{
	struct paths paths;
	int lock = lock_directory(o->textfile), err = CLI_FAILED;

	if (lock < 0)
		return CLI_FAILED;
	remove_leftovers(lock);
	paths.metrics = path_in(o->textfile, FILE_NAME);
	paths.state = path_in(o->textfile, STATE_NAME);
	paths.new = path_in(o->textfile, NEW_NAME);
	err = paths.metrics && paths.state && paths.new ? keep_files(o, totals, &paths) :
							  cli_no_memory();
	free(paths.new);
	free(paths.state);
	free(paths.metrics);
	close(lock);
	return err;
}

/* schedprof metrics [NAME...] */
int cli_cmd_metrics(struct cli_options *o)
{
	struct cli_totals totals = { };
	int err, failed = CLI_OK;

	if (o->textfile && o->format == CLI_JSON) {
		cli_error("a file for node_exporter is no JSON; leave out --textfile or --json");
		return CLI_USAGE;
	}
	if (o->textfile) {
		err = keep_textfile(o, &totals);
	} else {
		err = collect(o, &totals, &failed);
		if (!err && o->format == CLI_JSON)
			err = cli_metrics_print_json(&totals, stdout);
		else if (!err)
			cli_metrics_print(&totals, stdout);
		if (!err)
			err = cli_output_close(stdout);
	}
	cli_totals_free(&totals);
	return err ? err : failed;
}
