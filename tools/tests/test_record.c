// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_record: record in a directory where somebody else may write, who puts something in the
 * place of the file at the moment when that was removed or renamed. Nothing is recorded: linked
 * with --wrap of what cmd_record.c has of a session, and of unlink() and rename(). One thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <schedprof.h>

#include "../cli/cmd_record.h"
#include "../cli/print_files.h"
#include "../cli/profile.h"
#include "../cli/words.h"
#include "check.h"
#include "raw_maker.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";
static char path[64], old[64], target[64];
static struct raw_maker maker;
static char said[4096];

enum plant { NOTHING, A_LINK, A_LINK_TO_NOTHING, A_FILE };

static struct {
	enum plant what;
	unsigned int when;	/* how many times it was not done before */
	unsigned int ticks;	/* that are to come */
	unsigned int clear;	/* before the one of that number what was planted goes */
	bool kept;		/* the session stays, as what it has is nowhere else */
} plan;

int __real_unlink(const char *name);
int __wrap_unlink(const char *name);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_cli_profile_begin(struct cli_profile *profile, struct cli_options *o);
int __wrap_cli_profile_stop(struct cli_profile *profile,
			    struct schedprof_recording **recording);
int __wrap_cli_profile_end(struct cli_profile *profile, int status);
int __wrap_cli_profile_status(struct cli_profile *profile, int status);
enum cli_event __wrap_cli_await(struct cli_await *await, uint64_t tick_ns);
int __wrap_cli_session_snapshot(const struct schedprof *handle, const char *name,
				struct schedprof_recording **recording);
int __wrap_schedprof_status(const struct schedprof *handle, const char *session,
			    struct schedprof_status *status, size_t size,
			    struct schedprof_error *error);
int __wrap_cli_print_files(const struct cli_options *o, const struct cli_written *files,
			   unsigned int count);

static void put(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	if (CHECK(file)) {
		fputs(text, file);
		fclose(file);
	}
}

static void plant_it(const char *name)
{
	int number = errno;

	if (strcmp(name, path) || plan.what == NOTHING || plan.when--)
		return;
	__real_unlink(path);
	if (plan.what == A_FILE)
		put(path, "");
	else
		CHECK(!symlink(target, path));
	if (plan.what == A_LINK)
		put(target, "");
	plan.what = NOTHING;
	errno = number;
}

int __wrap_unlink(const char *name)
{
	int result = __real_unlink(name);

	plant_it(name);
	return result;
}

int __wrap_rename(const char *from, const char *to)
{
	int result = __real_rename(from, to);

	plant_it(from);
	return result;
}

int __wrap_cli_profile_begin(struct cli_profile *profile, struct cli_options *o)
{
	memset(profile, 0, sizeof(*profile));
	profile->o = o;
	return CLI_OK;
}

static struct schedprof_recording *snapshot(void)
{
	struct schedprof_reader *reader = schedprof_read_memory(maker.at, maker.size, NULL);
	struct schedprof_recording *recording = NULL;

	schedprof_next(reader, &recording, NULL);
	schedprof_reader_close(reader);
	return recording;
}

int __wrap_cli_profile_stop(struct cli_profile *profile,
			    struct schedprof_recording **recording)
{
	(void)profile;
	*recording = snapshot();
	return CLI_OK;
}

int __wrap_cli_profile_end(struct cli_profile *profile, int status)
{
	plan.kept = profile->keep;
	return status;
}

int __wrap_cli_profile_status(struct cli_profile *profile, int status)
{
	(void)profile;
	return status;
}

enum cli_event __wrap_cli_await(struct cli_await *await, uint64_t tick_ns)
{
	(void)await;
	(void)tick_ns;
	if (!plan.ticks)
		return CLI_EVENT_END;
	if (plan.ticks-- == plan.clear)
		__real_unlink(path);
	return CLI_EVENT_TICK;
}

int __wrap_cli_session_snapshot(const struct schedprof *handle, const char *name,
				struct schedprof_recording **recording)
{
	(void)handle;
	(void)name;
	*recording = snapshot();
	return CLI_OK;
}

int __wrap_schedprof_status(const struct schedprof *handle, const char *session,
			    struct schedprof_status *status, size_t size,
			    struct schedprof_error *error)
{
	(void)handle;
	(void)session;
	(void)error;
	memset(status, 0, size);
	return 0;
}

int __wrap_cli_print_files(const struct cli_options *o, const struct cli_written *files,
			   unsigned int count)
{
	(void)o;
	(void)files;
	(void)count;
	return CLI_OK;
}

static void listen(const char *sentence)
{
	size_t length = strlen(said);

	snprintf(said + length, sizeof(said) - length, "%s\n", sentence);
}

/* How many whole snapshots are in a file; 0: it is not there, or has none. */
static size_t snapshots(const char *name)
{
	struct schedprof_reader *reader = schedprof_read_path(name, NULL);
	struct schedprof_recording *one;
	size_t n = 0;

	while (reader && schedprof_next(reader, &one, NULL) == 1) {
		schedprof_recording_free(one);
		n++;
	}
	schedprof_reader_close(reader);
	return n;
}

static uint64_t size_of(const char *name)
{
	struct stat status;

	return stat(name, &status) ? UINT64_MAX : (uint64_t)status.st_size;
}

/* There is a file of before. Return: what record ends with. */
static int record(uint64_t rotate, enum plant what, unsigned int when, unsigned int ticks)
{
	struct cli_options o = {
		.file = path, .every_ns = CLI_NS_PER_S, .rotate_count = rotate, .keep = 1,
		.quiet = true,
	};

	__real_unlink(path);
	__real_unlink(old);
	__real_unlink(target);
	put(path, "of before");
	plan.what = what;
	plan.when = when;
	plan.ticks = ticks;
	*said = '\0';
	return cli_cmd_record(&o);
}

static void nobody_is_there(void)
{
	plan.clear = 0;
	CHECK_NUMBER(record(0, NOTHING, 0, 2), CLI_OK);
	CHECK_NUMBER(snapshots(path), 3);
	CHECK_NUMBER(record(2, NOTHING, 0, 3), CLI_OK);
	/* And the one that the file before ended with. */
	CHECK_NUMBER(snapshots(old), 2);
	CHECK_NUMBER(snapshots(path), 3);
	CHECK_TEXT(said, "");
	CHECK(!plan.kept);
}

static void check_untouched(enum plant what)
{
	CHECK_NUMBER(size_of(target), what == A_LINK ? 0 : UINT64_MAX);
	if (what == A_FILE)
		CHECK_NUMBER(size_of(path), 0);
}

static void not_at_the_beginning(void)
{
	uint64_t rotate;
	enum plant what;

	plan.clear = 0;
	for (rotate = 0; rotate <= 2; rotate += 2)
		for (what = A_LINK; what <= A_FILE; what++) {
			CHECK_NUMBER(record(rotate, what, 0, 2), CLI_FAILED);
			CHECK(strstr(said, "is there already"));
			check_untouched(what);
		}
}

/* The next snapshot has all, and there may be room for it by then. */
static void not_in_the_middle(void)
{
	enum plant what;

	for (what = A_LINK; what <= A_FILE; what++) {
		plan.clear = 0;
		CHECK_NUMBER(record(2, what, 1, 4), CLI_FAILED);
		CHECK(strstr(said, "is there already"));
		check_untouched(what);
		CHECK_NUMBER(snapshots(old), 2);
		CHECK(plan.kept);
		plan.clear = 1;
		CHECK_NUMBER(record(2, what, 1, 4), CLI_OK);
		CHECK_NUMBER(snapshots(old), 2);
		/* The one before, the last tick's, and the one at the end. */
		CHECK_NUMBER(snapshots(path), 3);
		CHECK(!plan.kept);
	}
}

/* Somebody keeps the file from being renamed, and takes its place meanwhile. */
static void not_where_it_cannot_be_moved(void)
{
	static const enum plant what[] = { A_LINK, A_LINK_TO_NOTHING, A_FILE };
	struct cli_options o = {
		.file = path, .every_ns = CLI_NS_PER_S, .rotate_count = 1, .keep = 1,
		.quiet = true,
	};
	unsigned int i;

	plan.clear = 0;
	for (i = 0; i < 3; i++) {
		__real_unlink(path);
		__real_unlink(target);
		__real_unlink(old);
		CHECK(!mkdir(old, 0700));
		/* Nothing is to be renamed yet. */
		plan.what = what[i];
		plan.when = 1;
		plan.ticks = 2;
		*said = '\0';
		CHECK_NUMBER(cli_cmd_record(&o), CLI_OK);
		CHECK(strstr(said, "cannot rename"));
		check_untouched(what[i]);
		/* Nor is a file of before added to. */
		__real_unlink(path);
		put(path, "of before");
		*said = '\0';
		CHECK_NUMBER(cli_cmd_record(&o), CLI_FAILED);
		CHECK(strstr(said, "cannot rename"));
		CHECK(!rmdir(old));
	}
}

/* What cannot be moved is not lost to what would come in its place. */
static void older_ones_stay(void)
{
	struct cli_options o = {
		.file = path, .every_ns = CLI_NS_PER_S, .rotate_count = 1, .keep = 3,
		.quiet = true,
	};
	char oldest[80], second[80];

	snprintf(oldest, sizeof(oldest), "%s/data.3", directory);
	snprintf(second, sizeof(second), "%s/data.2", directory);
	__real_unlink(path);
	put(old, "of before");
	put(second, "before that");
	CHECK(!mkdir(oldest, 0700));
	plan.what = NOTHING;
	plan.ticks = 0;
	*said = '\0';
	CHECK_NUMBER(cli_cmd_record(&o), CLI_FAILED);
	CHECK(strstr(said, "cannot rename"));
	CHECK_NUMBER(size_of(old), strlen("of before"));
	CHECK_NUMBER(size_of(second), strlen("before that"));
	CHECK(!rmdir(oldest));
	CHECK_NUMBER(cli_cmd_record(&o), CLI_OK);
	CHECK_NUMBER(size_of(oldest), strlen("before that"));
	__real_unlink(oldest);
	__real_unlink(second);
}

static const struct test tests[] = {
	{ "nobody is there", nobody_is_there },
	{ "nothing planted at the beginning", not_at_the_beginning },
	{ "nothing planted in the middle", not_in_the_middle },
	{ "nothing planted where it cannot be moved", not_where_it_cannot_be_moved },
	{ "older ones stay where they cannot be moved", older_ones_stay },
};

int main(void)
{
	char command[64];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	snprintf(path, sizeof(path), "%s/data", directory);
	snprintf(old, sizeof(old), "%s/data.1", directory);
	snprintf(target, sizeof(target), "%s/target", directory);
	raw_standard(&maker, 1000);
	cli_say_to(listen);
	bad = check_run("record", tests, sizeof(tests) / sizeof(tests[0]));
	raw_free(&maker);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
