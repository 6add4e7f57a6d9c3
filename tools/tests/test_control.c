// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_control: the control functions on directories that stand in for configfs and
 * debugfs; what a real kernel answers is tested in virtual machines. One thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "files.h"

static char directory[32] = "/tmp/schedprof-test-XXXXXX";
static char configfs[64], debugfs[64];
static struct schedprof *handle;

static void put(const char *root, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	check_write(path, text);
}

static void check_file(const char *name, const char *text)
{
	char path[256], is[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", configfs, name);
	file = fopen(path, "r");
	if (!CHECK(file))
		return;
	if (!fgets(is, sizeof(is), file))
		*is = '\0';
	fclose(file);
	CHECK_TEXT(is, text);
}

static void make_and_remove(void)
{
	struct schedprof_error error = { };
	char name[SCHEDPROF_NAME_SIZE];
	size_t count = 9;
	char **names;

	CHECK_NUMBER(schedprof_create(handle, "b", &error), 0);
	CHECK_NUMBER(schedprof_create(handle, "a", &error), 0);
	CHECK_NUMBER(-schedprof_create(handle, "a", &error), SCHEDPROF_EXISTS);
	CHECK_NUMBER(schedprof_create_unique(handle, "run", name, &error), 0);
	put(configfs, "version", "0.1.0\n");
	names = schedprof_list(handle, &count, &error);
	if (CHECK(names)) {
		CHECK_NUMBER(count, 3);
		CHECK_TEXT(names[0], "a");
		CHECK_TEXT(names[1], "b");
		CHECK_TEXT(names[2], name);
		CHECK(!names[3]);
	}
	schedprof_list_free(names);
	CHECK_NUMBER(schedprof_remove(handle, name, &error), 0);
	CHECK_NUMBER(schedprof_remove(handle, "a", &error), 0);
	CHECK_NUMBER(schedprof_remove(handle, "b", &error), 0);
	CHECK_NUMBER(-schedprof_remove(handle, "b", &error), SCHEDPROF_NO_SESSION);
	CHECK(strstr(error.message, "there is no session 'b'"));
}

static void names_lead_nowhere(void)
{
	static const char *const bad[] = {
		"", ".", "..", "../x", "/", "a/b", ".hidden",
		"a-name-of-64-characters-is-too-long-aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	struct schedprof_error error;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		error.code = 0;
		CHECK_NUMBER(-schedprof_create(handle, bad[i], &error),
			     SCHEDPROF_INVALID);
		CHECK_NUMBER(error.code, SCHEDPROF_INVALID);
		CHECK_NUMBER(-schedprof_remove(handle, bad[i], NULL),
			     SCHEDPROF_INVALID);
		CHECK_NUMBER(-schedprof_set(handle, "s", bad[i], "1", &error),
			     SCHEDPROF_INVALID);
		CHECK(!schedprof_get(handle, bad[i], "mode", &error));
		CHECK_NUMBER(error.code, SCHEDPROF_INVALID);
		CHECK(!schedprof_read_text(handle, "s", bad[i], NULL, &error));
		CHECK(!schedprof_read_session(handle, bad[i], &error));
	}
}

static void values(void)
{
	struct schedprof_error error = { };
	char *text;

	schedprof_create(handle, "s", NULL);
	put(configfs, "s/mode", "offcpu\n");
	text = schedprof_get(handle, "s", "mode", &error);
	CHECK_TEXT(text, "offcpu");
	free(text);
	CHECK_NUMBER(schedprof_set(handle, "s", "mode", "blocked", &error), 0);
	check_file("s/mode", "blocked");
	CHECK_NUMBER(schedprof_set(handle, "s", "mode", "", &error), 0);
	check_file("s/mode", "\n");
	put(configfs, "s/enable", "");
	CHECK_NUMBER(schedprof_start(handle, "s", &error), 0);
	check_file("s/enable", "1");
	CHECK_NUMBER(schedprof_stop(handle, "s", &error), 0);
	check_file("s/enable", "0");
	put(configfs, "s/reset", "");
	CHECK_NUMBER(schedprof_reset(handle, "s", &error), 0);
	check_file("s/reset", "1");
	text = schedprof_get(handle, NULL, "version", &error);
	CHECK_TEXT(text, "0.1.0");
	free(text);
	CHECK(!schedprof_get(handle, "s", "nothing", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_FOUND);
	CHECK(!schedprof_get(handle, "none", "mode", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NO_SESSION);
}

/* The module's own sentence is the message. */
static void refusals(void)
{
	struct schedprof_error error = { };
	char path[128];

	snprintf(path, sizeof(path), "%s/s/full", configfs);
	CHECK(!symlink("/dev/full", path));
	put(configfs, "s/last_error", "");
	CHECK_NUMBER(-schedprof_set(handle, "s", "full", "x", &error),
		     SCHEDPROF_REFUSED);
	CHECK_TEXT(error.message, "'x' is refused for 'full': No space left on device");
	put(configfs, "s/last_error", "'x' is nothing; write something\n");
	CHECK_NUMBER(-schedprof_set(handle, "s", "full", "x", &error),
		     SCHEDPROF_REFUSED);
	CHECK_TEXT(error.message, "'x' is nothing; write something");
	CHECK_NUMBER(error.system_errno, ENOSPC);
}

static void long_values(void)
{
	struct schedprof_error error = { };
	char *text;

	put(configfs, "s/pids", "too long for this file: see config in debugfs\n");
	put(debugfs, "s/config", "mode offcpu\npids 1 2 3\ntids all\ncomm\x20\n");
	text = schedprof_get(handle, "s", "pids", &error);
	CHECK_TEXT(text, "1 2 3");
	free(text);
	put(configfs, "s/tid", "too long for this file: see config in debugfs\n");
	CHECK(!schedprof_get(handle, "s", "tid", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_FOUND);
}

/* What was written since the list was made empty. The linker puts this in. */
static char written[1 << 17];
static size_t longest;

ssize_t __real_write(int fd, const void *bytes, size_t size);

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	size_t length = strlen(written);

	if (size > longest)
		longest = size;
	if (length + size + 2 <= sizeof(written)) {
		memcpy(written + length, bytes, size);
		strcpy(written + length + size, "|");
	}
	return __real_write(fd, bytes, size);
}

/* 3,000 numbers; what the module would make of the writes is that list. */
static void long_lists(void)
{
	char list[20000] = "", wanted[20000] = "", is[20000] = "";
	char *write, *rest, *at = list;
	bool first = true;
	int i;

	for (i = 10001; i <= 13000; i++) {
		at += sprintf(at, "%d%s", i, i % 3 ? " " : ", ");
		sprintf(wanted + strlen(wanted), "%d ", i);
	}
	put(configfs, "s/many", "");
	*written = '\0';
	longest = 0;
	CHECK_NUMBER(schedprof_set(handle, "s", "many", list, NULL), 0);
	CHECK(longest < 4095);
	for (write = strtok_r(written, "|", &rest); write;
	     write = strtok_r(NULL, "|", &rest)) {
		char *word, *words;

		for (word = strtok_r(write, " ", &words); word;
		     word = strtok_r(NULL, " ", &words)) {
			/* The first write begins the list, the others add to it. */
			CHECK_NUMBER(*word == '+', !first);
			strcat(is, word + (*word == '+'));
			strcat(is, " ");
		}
		first = false;
	}
	CHECK_TEXT(is, wanted);
}

static void figures(void)
{
	struct schedprof_error error = { };
	struct schedprof_status status;
	uint64_t value = 0;

	put(configfs, "s/status", "expired seconds=12.345 memory_bytes=678 (tsc)\n");
	CHECK_NUMBER(schedprof_status(handle, "s", &status, sizeof(status), &error), 0);
	CHECK_NUMBER(status.state, SCHEDPROF_EXPIRED);
	CHECK(status.seconds > 12.3449 && status.seconds < 12.3451);
	CHECK_NUMBER(status.memory_bytes, 678);
	put(configfs, "s/status", "resting\n");
	CHECK_NUMBER(-schedprof_status(handle, "s", &status, sizeof(status), &error),
		     SCHEDPROF_NEWER);
	/* Anybody may choose a path. */
	put(debugfs, "s/stats",
	    "recorded 5\nlost_ns 18446744073709551615\nlost 2\nno_table.ab /tmp/x irq_ns 77/p\n");
	CHECK_NUMBER(-schedprof_stat(handle, "s", "irq_ns", &value, &error),
		     SCHEDPROF_NOT_FOUND);
	CHECK_NUMBER(schedprof_stat(handle, "s", "lost_ns", &value, &error), 0);
	CHECK_NUMBER(value, UINT64_MAX);
	CHECK_NUMBER(schedprof_stat(handle, "s", "lost", &value, &error), 0);
	CHECK_NUMBER(value, 2);
	CHECK_NUMBER(-schedprof_stat(handle, "s", "los", &value, &error),
		     SCHEDPROF_NOT_FOUND);
	CHECK_NUMBER(-schedprof_stat(handle, "none", "lost", &value, &error),
		     SCHEDPROF_NO_SESSION);
	CHECK(!schedprof_read_session(handle, "s", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_FOUND);
}

static void mounts(void)
{
	struct schedprof_error error;
	char path[128], *where;

	put(directory, "mounts",
	    "none /proc proc rw 0 0\nnone /a\\040b/con configfs rw 0 0\nx /y debugfs rw 0 0\n");
	snprintf(path, sizeof(path), "%s/mounts", directory);
	where = libsp_mount_of("configfs", path, &error);
	CHECK_TEXT(where, "/a b/con");
	free(where);
	CHECK(!libsp_mount_of("tracefs", path, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_OK);
	CHECK(!libsp_mount_of("tracefs", "/nonexistent", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_IO);
}

static void not_there(void)
{
	struct schedprof_error error = { };

	CHECK(!schedprof_open("/nonexistent/schedprof", debugfs, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NO_MODULE);
	CHECK(strstr(error.message, "modprobe schedprof"));
	/* Nothing of this runs where the module is loaded. */
	CHECK(!schedprof_open(NULL, NULL, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NO_MODULE);
	CHECK(strstr(error.message, "modprobe schedprof"));
}

static void not_root(void)
{
	struct schedprof_error error = { };

	if (geteuid())
		return;
	CHECK(!chmod(debugfs, 0700));
	CHECK(!seteuid(65534));
	CHECK(!schedprof_open(configfs, debugfs, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_NOT_ROOT);
	CHECK(strstr(error.message, "only root"));
	CHECK(!seteuid(0));
}

static const struct test tests[] = {
	{ "make and remove", make_and_remove },
	{ "names lead nowhere", names_lead_nowhere },
	{ "values", values },
	{ "refusals", refusals },
	{ "long values", long_values },
	{ "long lists", long_lists },
	{ "figures", figures },
	{ "mounts", mounts },
	{ "not there", not_there },
	{ "not root", not_root },
};

int main(void)
{
	struct schedprof_error error;
	char command[64], path[128];
	int bad;

	if (!mkdtemp(directory))
		return 2;
	snprintf(configfs, sizeof(configfs), "%s/config", directory);
	snprintf(debugfs, sizeof(debugfs), "%s/debug", directory);
	snprintf(path, sizeof(path), "%s/s", debugfs);
	if (mkdir(configfs, 0755) || mkdir(debugfs, 0755) || mkdir(path, 0755))
		return 2;
	handle = schedprof_open(configfs, debugfs, &error);
	if (!handle) {
		printf("not ok control: %s\n", error.message);
		return 1;
	}
	bad = check_run("control", tests, sizeof(tests) / sizeof(tests[0]));
	schedprof_close(handle);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command) || bad;
}
