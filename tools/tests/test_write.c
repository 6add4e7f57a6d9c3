// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_write: files of snapshots, in a directory that is made for it. What is written
 * is compared with the bytes that were read. One thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <signal.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";
static struct raw_maker maker;
static struct schedprof_recording *recording;

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static char *contents(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	*size = file ? fread(text, 1, 1 << 20, file) : 0;
	if (file)
		fclose(file);
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (CHECK(file)) {
		fputs(text, file);
		fclose(file);
	}
}

/* How many snapshots are in the file; the last one is as it should be. */
static size_t snapshots(const char *path)
{
	struct schedprof_error error = { };
	struct schedprof_reader *reader = schedprof_read_path(path, &error);
	struct schedprof_recording *one;
	size_t n = 0;

	while (reader && schedprof_next(reader, &one, &error) == 1) {
		CHECK_NUMBER(schedprof_entry_count(one), 5);
		schedprof_recording_free(one);
		n++;
	}
	if (error.code)
		check_failed(__FILE__, __LINE__, "%s", error.message);
	schedprof_reader_close(reader);
	return n;
}

static struct schedprof_writer *open_it(const char *path, unsigned int flags)
{
	struct schedprof_error error = { };
	struct schedprof_writer *writer = schedprof_writer_open(path, flags, &error);

	if (!writer)
		check_failed(__FILE__, __LINE__, "%s", error.message);
	return writer;
}

static void the_same_bytes(void)
{
	const char *path = path_of("same");
	struct schedprof_writer *writer = open_it(path, 0);
	struct stat status;
	size_t size;
	char *text;

	if (!writer)
		return;
	CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
	CHECK_NUMBER(schedprof_writer_bytes(writer), maker.size);
	CHECK(access(path, F_OK));
	CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
	text = contents(path, &size);
	CHECK_NUMBER(size, maker.size);
	CHECK(!memcmp(text, maker.at, size));
	CHECK(!stat(path, &status));
	CHECK_NUMBER(status.st_mode & 0777, 0600);
	free(text);
}

static void one_step(void)
{
	const char *path = path_of("step");
	struct schedprof_writer *writer;
	size_t size;
	char *text;

	put(path, "old");
	writer = open_it(path, SCHEDPROF_WRITE_GZIP);
	if (!writer)
		return;
	CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
	text = contents(path, &size);
	CHECK_TEXT(text, "old");
	free(text);
	schedprof_writer_abort(writer);
	text = contents(path, &size);
	CHECK_TEXT(text, "old");
	free(text);
	writer = open_it(path, SCHEDPROF_WRITE_GZIP);
	if (!writer)
		return;
	schedprof_writer_add(writer, recording, NULL);
	schedprof_writer_add(writer, recording, NULL);
	CHECK(schedprof_writer_bytes(writer) < 2 * maker.size);
	CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
	CHECK_NUMBER(snapshots(path), 2);
	text = contents(path, &size);
	CHECK_NUMBER((unsigned char)text[0], 0x1f);
	free(text);
}

static void added_to(unsigned int flags, const char *name)
{
	const char *path = path_of(name);
	struct schedprof_error error = { };
	struct schedprof_writer *writer, *second;
	int i;

	for (i = 1; i <= 2; i++) {
		writer = open_it(path, flags | SCHEDPROF_WRITE_APPEND);
		if (!writer)
			return;
		second = schedprof_writer_open(path, flags | SCHEDPROF_WRITE_APPEND,
					       &error);
		CHECK(!second && strstr(error.message, "another process writes"));
		CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
		/* It is there at once. */
		CHECK_NUMBER(snapshots(path), 2 * i - 1);
		CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
		CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
		CHECK_NUMBER(snapshots(path), 2 * i);
	}
}

static void add(void)
{
	added_to(0, "added");
	added_to(SCHEDPROF_WRITE_GZIP, "added.gz");
}

static void nothing_behind_damage(void)
{
	const char *path = path_of("damaged");
	struct schedprof_error error = { };

	put(path, "something else");
	CHECK(!schedprof_writer_open(path, SCHEDPROF_WRITE_APPEND, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_DAMAGED);
	CHECK(strstr(error.message, "nothing can be added to"));
}

/* What reads one kind would take the other one for damage. */
static void refuse(const char *path, unsigned int flags, const char *message)
{
	struct schedprof_error error = { };
	size_t before, after;
	char *text = contents(path, &before);

	free(text);
	CHECK(!schedprof_writer_open(path, flags | SCHEDPROF_WRITE_APPEND, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_INVALID);
	CHECK(strstr(error.message, message));
	text = contents(path, &after);
	free(text);
	CHECK_NUMBER(after, before);
	CHECK_NUMBER(snapshots(path), 4);
}

static void kinds_do_not_mix(void)
{
	refuse(path_of("added"), SCHEDPROF_WRITE_GZIP, "is not packed, so nothing packed");
	refuse(path_of("added.gz"), 0, "is packed, so nothing not packed");
}

/* Nobody reads: an error, and no waiting. Somebody does: it is for them. */
static void pipes(void)
{
	static const unsigned int ways[] = { 0, SCHEDPROF_WRITE_APPEND };
	const char *path = path_of("pipe");
	struct schedprof_error error = { };
	struct schedprof_writer *writer;
	unsigned char *text = malloc(maker.size);
	unsigned int i;
	int fd;

	CHECK(!mkfifo(path, 0600));
	for (i = 0; i < 2; i++) {
		alarm(10);
		CHECK(!schedprof_writer_open(path, ways[i], &error));
		CHECK_NUMBER(error.code, SCHEDPROF_IO);
		CHECK(strstr(error.message, "nobody reads from the pipe"));
		fd = open(path, O_RDONLY | O_NONBLOCK);
		writer = open_it(path, ways[i]);
		if (writer && CHECK(maker.size < 65536)) {
			CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
			CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
			CHECK_NUMBER(read(fd, text, maker.size), maker.size);
			CHECK(!memcmp(text, maker.at, maker.size));
		}
		close(fd);
		alarm(0);
	}
	free(text);
}

static void only_if_new(void)
{
	const char *path = path_of("new");
	struct schedprof_error error = { };
	struct schedprof_writer *writer, *late;
	size_t size;
	char *text;

	late = open_it(path, SCHEDPROF_WRITE_EXCLUSIVE);
	writer = open_it(path, SCHEDPROF_WRITE_EXCLUSIVE);
	if (!writer || !late)
		return;
	schedprof_writer_add(writer, recording, NULL);
	CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
	CHECK(!schedprof_writer_open(path, SCHEDPROF_WRITE_EXCLUSIVE, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_EXISTS);
	CHECK(!schedprof_writer_open(path, SCHEDPROF_WRITE_EXCLUSIVE |
				     SCHEDPROF_WRITE_APPEND, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_EXISTS);
	/* Somebody was faster. */
	CHECK_NUMBER(-schedprof_writer_commit(late, &error), SCHEDPROF_EXISTS);
	text = contents(path, &size);
	CHECK_NUMBER(size, maker.size);
	free(text);
}

/* Who may write to the directory does not choose what is written to. */
static void no_links_if_new(void)
{
	static const unsigned int ways[] = {
		SCHEDPROF_WRITE_EXCLUSIVE, SCHEDPROF_WRITE_EXCLUSIVE | SCHEDPROF_WRITE_APPEND,
	};
	struct schedprof_error error = { };
	struct schedprof_writer *writer;
	char link[128];
	unsigned int i;

	snprintf(link, sizeof(link), "%s/planted", directory);
	CHECK(!symlink("nothing", link));
	for (i = 0; i < 2; i++) {
		writer = schedprof_writer_open(link, ways[i], &error);
		/* One that takes its name at the end finds out then. */
		if (writer)
			CHECK_NUMBER(-schedprof_writer_commit(writer, &error),
				     SCHEDPROF_EXISTS);
		CHECK_NUMBER(error.code, SCHEDPROF_EXISTS);
		CHECK(access(path_of("nothing"), F_OK));
	}
}

static void links_stay(void)
{
	char link[128];
	struct schedprof_writer *writer;
	struct stat status;

	snprintf(link, sizeof(link), "%s/link", directory);
	put(path_of("target"), "old");
	CHECK(!symlink("target", link));
	writer = open_it(link, 0);
	if (!writer)
		return;
	schedprof_writer_add(writer, recording, NULL);
	CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
	CHECK(!lstat(link, &status) && S_ISLNK(status.st_mode));
	CHECK_NUMBER(snapshots(path_of("target")), 1);
}

/*
 * A file that was deleted is reached through a descriptor only: it is written itself. What is
 * called as the kernel calls it then is another file.
 */
static void what_has_no_name(void)
{
	char link[128], target[32], *text = malloc(maker.size + 1);
	int fd = open(path_of("unnamed"), O_RDWR | O_CREAT | O_EXCL, 0600);
	struct schedprof_writer *writer;
	struct stat status;
	size_t size;
	int i;

	snprintf(link, sizeof(link), "%s/stdout", directory);
	snprintf(target, sizeof(target), "/proc/self/fd/%d", fd);
	CHECK(!unlink(path_of("unnamed")) && !symlink(target, link));
	CHECK(!ftruncate(fd, (off_t)maker.size * 2));
	for (i = 0; i < 2; i++) {
		if (i)
			put(path_of("unnamed (deleted)"), "another");
		writer = open_it(link, 0);
		if (!writer)
			break;
		CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
		CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
		CHECK(!lstat(link, &status) && S_ISLNK(status.st_mode));
		CHECK_NUMBER(pread(fd, text, maker.size + 1, 0), maker.size);
		CHECK(!memcmp(text, maker.at, maker.size));
	}
	free(text);
	close(fd);
	text = contents(path_of("unnamed (deleted)"), &size);
	CHECK_TEXT(text, "another");
	free(text);
	CHECK(!unlink(path_of("unnamed (deleted)")));
}

static void devices_stay(void)
{
	struct schedprof_error error = { };
	struct schedprof_writer *writer;
	struct stat status;

	writer = open_it("/dev/full", 0);
	if (!writer)
		return;
	CHECK_NUMBER(-schedprof_writer_add(writer, recording, &error), SCHEDPROF_IO);
	CHECK_NUMBER(error.system_errno, ENOSPC);
	CHECK_TEXT(error.message, "cannot write /dev/full: No space left on device");
	schedprof_writer_abort(writer);
	CHECK(!stat("/dev/full", &status) && S_ISCHR(status.st_mode));
	CHECK(!schedprof_writer_open("/nonexistent/file", 0, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_IO);
	CHECK(!schedprof_writer_open(directory, 0, &error));
}

/* A limit of size is met in the middle of the second one. */
static void half_ones_are_taken_back(void)
{
	struct rlimit old, limit = { maker.size * 3 / 2, RLIM_INFINITY };
	const char *path = path_of("limited");
	struct schedprof_error error = { };
	struct schedprof_writer *writer = open_it(path, SCHEDPROF_WRITE_APPEND);

	if (!writer)
		return;
	getrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
	CHECK_NUMBER(-schedprof_writer_add(writer, recording, &error), SCHEDPROF_IO);
	CHECK_NUMBER(error.system_errno, EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	CHECK_NUMBER(snapshots(path), 1);
	CHECK_NUMBER(schedprof_writer_bytes(writer), maker.size);
	CHECK_NUMBER(schedprof_writer_add(writer, recording, NULL), 0);
	CHECK_NUMBER(schedprof_writer_commit(writer, NULL), 0);
	CHECK_NUMBER(snapshots(path), 2);
}

/* Return: 0, or which step of it was wrong. */
static int write_as(uid_t user, const char *path)
{
	struct schedprof_writer *writer;
	int added;

	/* Root may read all directories. */
	if (!geteuid() && (setgid(user) || setuid(user)))
		return 1;
	writer = schedprof_writer_open(path, 0, NULL);
	if (!writer)
		return 2;
	added = schedprof_writer_add(writer, recording, NULL);
	/* Of a process that ends, valgrind wants everything back. */
	schedprof_recording_free(recording);
	raw_free(&maker);
	return schedprof_writer_commit(writer, NULL) || added ? 3 : 0;
}

/* Where files may be put, and nobody may look what is there. */
static void directories_without_a_list(void)
{
	const char *path = path_of("unlisted/file");
	char in[64];
	int status = 0;
	pid_t pid;

	snprintf(in, sizeof(in), "%s/unlisted", directory);
	CHECK(!chmod(directory, 0711) && !mkdir(in, 0700) && !chmod(in, 0333));
	pid = fork();
	if (!pid)
		_exit(write_as(65534, path));
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK_NUMBER(status, 0);
	CHECK(!chmod(in, 0700) && !chmod(directory, 0700));
	CHECK_NUMBER(snapshots(path), 1);
}

/* Nothing but what was asked for is left. */
static void no_traces(void)
{
	char command[256];
	FILE *list;
	char names[256] = "";

	snprintf(command, sizeof(command), "ls %s | grep -v '^[a-z.]*$'", directory);
	list = popen(command, "r");
	if (CHECK(list)) {
		CHECK_NUMBER(fread(names, 1, sizeof(names) - 1, list), 0);
		CHECK_TEXT(names, "");
		pclose(list);
	}
}

static const struct test tests[] = {
	{ "the same bytes", the_same_bytes },
	{ "in one step", one_step },
	{ "added to", add },
	{ "kinds do not mix", kinds_do_not_mix },
	{ "pipes", pipes },
	{ "nothing behind damage", nothing_behind_damage },
	{ "only if new", only_if_new },
	{ "no links if new", no_links_if_new },
	{ "links stay links", links_stay },
	{ "what has no name is written itself", what_has_no_name },
	{ "devices stay devices", devices_stay },
	{ "half ones are taken back", half_ones_are_taken_back },
	{ "directories without a list", directories_without_a_list },
	{ "no traces", no_traces },
};

int main(void)
{
	struct schedprof_reader *reader;
	char command[64];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	raw_standard(&maker, 1000);
	reader = schedprof_read_memory(maker.at, maker.size, NULL);
	schedprof_next(reader, &recording, NULL);
	schedprof_reader_close(reader);
	bad = check_run("write", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_recording_free(recording);
	raw_free(&maker);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
