// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * idle_waits: which entries are time that a task waited for work. The module says it of
 * kernel stacks; here is what a user adds, by the names of functions: of the kernel, as in the
 * module's attribute, and of programs, whose threads wait for a futex where they wait
 * for work. A list does not change once it is loaded, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "error.h"
#include "files.h"
#include "frame.h"
#include "schedprof.h"
#include "sleepers.h"

/* Nobody writes as much by hand. */
#define MAX_BYTES	65536
#define BLANKS		" \t\r\v\f"

struct name {
	const char *text;
	size_t length;
	bool remove;
};

struct schedprof_idle_waits {
	char *text;		/* of the file, cut up */
	struct name *names;	/* in its order: the last one counts */
	size_t count;
};

LIBSP_EXPORT void schedprof_idle_waits_free(struct schedprof_idle_waits *list)
{
	if (!list)
		return;
	free(list->names);
	free(list->text);
	free(list);
}

/* A function of the kernel that waits for a futex, which may be a lock as well. */
static bool is_futex(const char *function)
{
	return !strncmp(function, "futex_", 6) || !strncmp(function, "__futex_", 8) ||
	       !strncmp(function, "do_futex", 8) || strstr(function, "_sys_futex");
}

static bool is_sleeper(const char *function, size_t length)
{
	static const char *const sleepers[] = {
#define NAME(name)	name,
		SP_SLEEPERS(NAME)
#undef NAME
	};
	size_t i;

	for (i = 0; i < sizeof(sleepers) / sizeof(sleepers[0]); i++)
		if (strlen(sleepers[i]) == length &&
		    !memcmp(sleepers[i], function, length))
			return true;
	return false;
}

/* Cuts a line up. Return: 0, also if there is nothing in it, or a negative code. */
static int take_line(struct schedprof_idle_waits *list, char *line, const char *path,
		     size_t number, struct schedprof_error *error)
{
	struct name *name = &list->names[list->count];
	char *end;

	line[strcspn(line, "#")] = '\0';
	line += strspn(line, BLANKS);
	for (end = line + strlen(line); end > line && strchr(BLANKS, end[-1]); end--)
		;
	*end = '\0';
	if (!*line)
		return 0;
	name->remove = *line == '-';
	line += *line == '-' || *line == '+';
	line += strspn(line, BLANKS);
	if (!*line)
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s, line %zu: there is no name behind the sign; write one function on a line",
				  path, number);
	if (!name->remove && is_futex(line))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s, line %zu: a futex may be a lock as well; name the program's function that waits there for work",
				  path, number);
	if (is_sleeper(line, strlen(line)))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%s, line %zu: that function only sleeps for its callers, whatever they wait for; name the caller",
				  path, number);
	name->text = line;
	name->length = strlen(line);
	list->count++;
	return 0;
}

static int take_lines(struct schedprof_idle_waits *list, const char *path,
		      struct schedprof_error *error)
{
	char *rest = list->text, *line;
	size_t number = 0;
	int err = 0;

	while (!err && (line = strsep(&rest, "\n")))
		err = take_line(list, line, path, ++number, error);
	return err;
}

LIBSP_EXPORT struct schedprof_idle_waits *
schedprof_idle_waits_load(const char *path, struct schedprof_error *error)
{
	struct schedprof_idle_waits *list = calloc(1, sizeof(*list));
	size_t i, size, lines = 1;
	int err = 0;

	if (!list) {
		libsp_no_memory(error);
		return NULL;
	}
	list->text = libsp_read_file(path, &size, error);
	if (!list->text)
		goto err;
	if (size > MAX_BYTES || strlen(list->text) != size) {
		libsp_fail(error, SCHEDPROF_INVALID,
			   "%s is no list of functions: it is longer than %d bytes, or no text",
			   path, MAX_BYTES);
		goto err;
	}
	for (i = 0; i < size; i++)
		lines += list->text[i] == '\n';
	list->names = calloc(lines, sizeof(*list->names));
	if (!list->names)
		err = libsp_no_memory(error);
	err = err ? err : take_lines(list, path, error);
	if (!err)
		return list;
err:
	schedprof_idle_waits_free(list);
	return NULL;
}

/*
 * Is it that function? The name of a kernel function and of one in C is whole but for what
 * compilers add behind a dot; of one in C++ or Rust, arguments may be left out.
 */
static bool is_named(const struct name *name, const char *function)
{
	return !strncmp(name->text, function, name->length) &&
	       (!function[name->length] || strchr(".(@", function[name->length]));
}

/* The last line that is about the function; NULL: none is. */
static const struct name *find_name(const struct schedprof_idle_waits *list,
				    const char *function)
{
	size_t i;

	for (i = list->count; i--; )
		if (is_named(&list->names[i], function))
			return &list->names[i];
	return NULL;
}

static bool asked_for(const struct schedprof_idle_waits *list, const char *function)
{
	const struct name *name = find_name(list, function);

	return name && !name->remove;
}

/* What a program calls when it waits for a futex until somebody says so: no locks. */
static bool is_user_sleeper(const struct schedprof_frame *frame)
{
	static const char *const beginnings[] = {
		"pthread_cond_", "__pthread_cond_", "___pthread_cond_", "cnd_wait",
		"cnd_timedwait", "sem_wait", "sem_timedwait", "sem_clockwait",
		"__new_sem_wait", "do_futex_wait", "futex_abstimed_wait", "futex_wait",
		"__futex_abstimed_wait", "__futex_wait", "syscall", "__syscall_cancel",
		"__internal_syscall_cancel", "std::condition_variable", "std::__condvar",
		"std::_V2::condition_variable", "std::sync::condvar::Condvar",
		"std::sys::sync::condvar", "runtime.futex", "runtime.notesleep",
		"runtime.notetsleep",
	};
	const char *file;
	size_t i;

	if (frame->function) {
		for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
			if (!strncmp(frame->function, beginnings[i], strlen(beginnings[i])))
				return true;
		return false;
	}
	/* Of a C library without debug information, inner functions have no names. */
	if (frame->kind != SCHEDPROF_FRAME_FILE || !frame->path)
		return false;
	file = strrchr(frame->path, '/');
	file = file ? file + 1 : frame->path;
	return !strncmp(file, "libc.", 5) || !strncmp(file, "libc-", 5) ||
	       !strncmp(file, "libpthread", 10) || !strncmp(file, "ld-musl-", 8);
}

/* Did a function of the program wait for a futex that was asked for? */
static bool user_waits(const struct schedprof_recording *recording,
		       const struct schedprof_entry *entry,
		       const struct schedprof_names *names,
		       const struct schedprof_idle_waits *list)
{
	struct schedprof_frame frame;
	size_t i;

	for (i = 0; entry->user && schedprof_frame(recording, entry->task, entry->user, i, names,
						   &frame, sizeof(frame)); i++) {
		if (frame.function && asked_for(list, frame.function))
			return i;
		if (!is_user_sleeper(&frame))
			return false;
	}
	return false;
}

/* The function of the kernel that a task sleeps in, on behalf of whatever called it. */
static bool kernel_function(const struct schedprof_recording *recording,
			    const struct schedprof_entry *entry,
			    const struct schedprof_names *names,
			    struct schedprof_frame *frame)
{
	size_t i;

	for (i = 0; schedprof_frame(recording, entry->task, entry->kernel, i, names, frame,
				    sizeof(*frame)); i++)
		if (!frame->function ||
		    !is_sleeper(frame->function, strcspn(frame->function, ".")))
			return frame->function;
	return false;
}

/* Only time off the CPU is waited. */
static bool has_waits(const struct schedprof_recording *recording)
{
	const char *mode = schedprof_meta(recording, "mode");

	return mode && (!strcmp(mode, "offcpu") || !strcmp(mode, "blocked") ||
			!strcmp(mode, "wall"));
}

#define NOT_ASLEEP	(SCHEDPROF_STACK_USER | SCHEDPROF_STACK_WAKER | SCHEDPROF_STACK_CALLS | \
			 SCHEDPROF_STACK_MOVED | SCHEDPROF_STACK_RUNNING |		\
			 SCHEDPROF_STACK_UNSEEN | SCHEDPROF_STACK_EXITED |		\
			 SCHEDPROF_STACK_ON_CPU | SCHEDPROF_STACK_QUEUED)

LIBSP_EXPORT bool schedprof_entry_is_idle(const struct schedprof_recording *recording,
					  const struct schedprof_entry *entry,
					  const struct schedprof_names *names)
{
	const struct schedprof_idle_waits *list = NULL;
	const struct name *name;
	struct schedprof_frame frame;
	bool idle;

	if (!entry->kernel || entry->kernel->flags & NOT_ASLEEP)
		return false;
	idle = entry->kernel->flags & SCHEDPROF_STACK_IDLE;
	if (names && LIBSP_HAS(names->size, struct schedprof_names, idle_waits))
		list = names->idle_waits;
	if (!list || !list->count || !has_waits(recording) ||
	    !kernel_function(recording, entry, names, &frame))
		return idle;
	name = find_name(list, frame.function);
	if (name)
		return !name->remove;
	if (!idle && is_futex(frame.function))
		return user_waits(recording, entry, names, list);
	return idle;
}

LIBSP_EXPORT bool schedprof_event_is_idle(const struct schedprof_recording *recording,
					  const struct schedprof_event *event,
					  const struct schedprof_names *names)
{
	const struct schedprof_task unknown = { .image = event->image };
	struct schedprof_entry entry = { .kernel = event->kernel, .user = event->user };

	entry.task = libsp_find_task(recording, event->tid, event->start_ns, event->exec_id);
	if (!entry.task)
		entry.task = &unknown;
	return schedprof_entry_is_idle(recording, &entry, names);
}
