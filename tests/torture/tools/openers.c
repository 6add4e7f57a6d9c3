// SPDX-License-Identifier: GPL-2.0-only
/*
 * openers: files of sessions that are open while the session changes and goes: read in
 * pieces, duplicated, and handed to another process.
 *
 * openers CONFIGFS DEBUGFS SEED NUMBER
 *
 * What a file is said to be: fixed when it is opened; that is what it has, to the byte,
 * however and how often it is read, until its session is removed. From then on a read
 * fails with EIO; nothing of another session of the same name is ever in it. An attribute is
 * what it was at the first read of that file; what was not read before the session went
 * answers ENOENT. Files can be read, sought in and polled, at which they are always ready, until
 * the session goes: a file of results hangs up then, and wakes who sleeps in poll() or in
 * epoll_wait(), by level or by edge. They refuse what else there is, before and then. As long as
 * one is open, the module stays.
 *
 * Prints "bad ..." for what is wrong, at most 20 times, and last what was counted. All that
 * is random follows from SEED; texts are in memory that both processes share, and one waits
 * for the other.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SESSION		"openers"
#define FILES		8		/* at the same time */
#define ROOM		2097152		/* bytes for a text */
#define MAX_BAD		20
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct held {
	char path[256];
	bool attribute, seen;	/* seen: of an attribute, that it was read before */
	bool cut;		/* longer than there is room for */
	int fd, twin;		/* the twin is a duplicate, or -1 */
	bool sent;		/* the other process has it, too */
	size_t size, at;	/* of the text; where the file is */
	char *text;
};

/* What the other process is asked to do with a file that it was sent. */
enum order { KEEP, COMPARE, EXPECT_GONE, RACE, CLOSE, END };

struct message {
	enum order order;
	int file;
	bool attribute, seen;
	size_t size;
};

static const char *const results[] = {
	"top", "by_task", "folded", "tasks", "blame", "functions", "events", "histogram", "stats",
	"config", "raw"
};

static const char *const shown[] = {
	"mode", "pids", "min_us", "stack", "status", "last_error", "comm", "top_n", "blame",
	"interrupts", "idle_waits", "period_us"
};

static const char *configfs, *debugfs;
static struct held held[FILES];
static char *texts;
static int wire;
static unsigned long long *bad;	/* of both processes */
static unsigned long long opened, reads, gone, handed, refusals, raced, hung_up, unloads;
static char doing[512];

static uint64_t dice_state;

static uint32_t dice(uint32_t sides)
{
	dice_state ^= dice_state << 13;
	dice_state ^= dice_state >> 7;
	dice_state ^= dice_state << 17;
	return (uint32_t)((dice_state * 0x2545f4914f6cdd1dULL) >> 32) % sides;
}

__attribute__((format(printf, 1, 2)))
static void wrong_is(const char *format, ...)
{
	va_list args;

	if (__atomic_fetch_add(bad, 1, __ATOMIC_RELAXED) >= MAX_BAD)
		return;
	printf("bad %s: ", doing);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

__attribute__((format(printf, 1, 2)))
static void die(const char *format, ...)
{
	va_list args;
	int error = errno;

	printf("bad %s: ", doing);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerrorname_np(error));
	fflush(stdout);
	_exit(2);
}

static const char *named(long result)
{
	return result < 0 ? strerrorname_np(errno) : "success";
}

static void expect(const char *what, long result, int error)
{
	refusals++;
	if (result >= 0 || errno != error)
		wrong_is("%s: %s, expected %s", what, named(result), strerrorname_np(error));
}

/* ---- the session ---- */

static void put(const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/" SESSION "/%s", configfs, name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		die("cannot open %s", path);
	/* Some are refused while it is enabled. */
	if (write(fd, text, strlen(text)) < 0 && errno != EBUSY)
		die("cannot write '%s' to %s", text, path);
	close(fd);
}

static void make_session(void)
{
	static const char *const modes[] = {
		"offcpu", "oncpu", "runqueue", "blocked", "nosched", "wall"
	};
	char path[256];

	snprintf(path, sizeof(path), "%s/" SESSION, configfs);
	if (mkdir(path, 0755))
		die("cannot make the session");
	put("max_tasks", "2000");
	put("max_stacks", "1000");
	put("max_entries", "2000");
	put("top_n", dice(2) ? "1000" : "3");
	put("mode", modes[dice(COUNT(modes))]);
	put("ledger", dice(2) ? "1" : "0");
	put("blame", dice(2) ? "1" : "0");
	put("interrupts", dice(2) ? "1" : "0");
	put("group_by", dice(2) ? "thread" : "cgroup");
	put("trace_kb", dice(3) ? "0" : "16");
	put("clock", dice(2) ? "mono" : "boot");
	if (!dice(6))
		return;
	put("enable", "1");
	usleep(dice(20000));
	if (!dice(3))
		put("enable", "0");
}

/* What of it no file that is open may show. */
static void disturb(void)
{
	static const char *const changes[][2] = {
		{ "reset", "1" }, { "enable", "0" }, { "enable", "1" }, { "min_us", "77" },
		{ "pids", "1" }, { "comm", "nobody*" }, { "top_n", "1" }, { "mode", "blocked" },
		{ "stack", "none" }, { "group_by", "comm" }, { "ledger", "1" },
		{ "trace_kb", "8" }, { "max_us", "5" }, { "blame", "1" }, { "blame", "0" },
		{ "interrupts", "1" }, { "idle_waits", "none" }, { "period_us", "5000" },
		{ "group_by", "process" }
	};
	unsigned int i, n = 1 + dice(4);

	while (n--) {
		i = dice(COUNT(changes));
		put(changes[i][0], changes[i][1]);
	}
}

#define PATIENCE_MS	600000

static bool hears_by_poll(int fd)
{
	struct pollfd poller = { .fd = fd };

	return poll(&poller, 1, PATIENCE_MS) == 1 && poller.revents == POLLHUP;
}

/* EPOLLHUP needs not be asked for. */
static bool hears_by_level(int fd)
{
	struct epoll_event event = { .events = 0 };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	return !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) &&
	       epoll_wait(epoll, &event, 1, PATIENCE_MS) == 1 && event.events == EPOLLHUP;
}

/* Told once that there is something to read, unless the session is gone by then. */
static bool hears_by_edge(int fd)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ||
	    epoll_wait(epoll, &event, 1, PATIENCE_MS) != 1)
		return false;
	if (event.events == EPOLLIN && epoll_wait(epoll, &event, 1, PATIENCE_MS) != 1)
		return false;
	return event.events == EPOLLHUP;
}

/* Who sleeps until a file hangs up: its number; that exits with what it was told. */
static pid_t sleep_on(const struct held *h)
{
	static bool (*const hears[])(int fd) = { hears_by_poll, hears_by_level, hears_by_edge };
	uint32_t how = dice(COUNT(hears));
	pid_t pid = fork();

	if (pid < 0)
		die("cannot fork");
	if (!pid)
		_exit(hears[how](h->fd) ? 0 : (int)how + 1);
	return pid;
}

static void remove_session(void)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/" SESSION, configfs);
	if (rmdir(path))
		die("cannot remove the session");
}

/* While somebody may sleep on one of its files, which are the first n. */
static void remove_beside_sleeper(int n)
{
	pid_t sleeper = 0;
	int i, status;

	for (i = 0; i < n && !sleeper; i++)
		if (held[i].fd >= 0 && !held[i].attribute && dice(2))
			sleeper = sleep_on(&held[i]);
	if (sleeper)
		usleep(dice(3000));
	remove_session();
	if (!sleeper)
		return;
	hung_up++;
	if (waitpid(sleeper, &status, 0) != sleeper || status)
		wrong_is("who sleeps was not told that the session has gone: %x",
			 (unsigned int)status);
}

/* ---- one file ---- */

/* A piece of it, by file or by offset, which must be what the text has there. */
static void compare_piece(const struct held *h, const char *piece, ssize_t n, size_t at)
{
	size_t rest = at < h->size ? h->size - at : 0;

	reads++;
	if (n < 0)
		wrong_is("%s: reading at %zu: %s", h->path, at, strerrorname_np(errno));
	else if ((size_t)n > rest || (!n && rest))
		wrong_is("%s: %zd bytes at %zu, but it has %zu", h->path, n, at, h->size);
	else if (memcmp(piece, h->text + at, (size_t)n))
		wrong_is("%s: another text at %zu: '%.*s', but it was '%.*s'", h->path, at,
			 n > 80 ? 80 : (int)n, piece, n > 80 ? 80 : (int)n, h->text + at);
}

static void compare_at(const struct held *h, int fd)
{
	static char piece[70000];
	size_t asked = 1 + dice(dice(4) ? 300 : sizeof(piece) - 1);
	size_t at = dice((uint32_t)h->size + 2);

	compare_piece(h, piece, pread(fd, piece, asked, (off_t)at), at);
}

static void compare_next(struct held *h, int fd)
{
	static char piece[70000];
	size_t asked = 1 + dice(dice(4) ? 300 : sizeof(piece) - 1);
	ssize_t n = read(fd, piece, asked);

	compare_piece(h, piece, n, h->at);
	h->at += n > 0 ? (size_t)n : 0;
}

static void compare_all(const struct held *h, int fd)
{
	static char again[ROOM];
	size_t at = 0;
	ssize_t n;

	while ((n = pread(fd, again + at, sizeof(again) - at, (off_t)at)) > 0)
		at += (size_t)n;
	if (n < 0)
		wrong_is("%s: reading all of it: %s", h->path, strerrorname_np(errno));
	else if (at != h->size || memcmp(again, h->text, at))
		wrong_is("%s: read again, it is another one, of %zu bytes, not %zu", h->path, at,
			 h->size);
}

/* A pipe, for what is not to come into it. */
static int pipe_fds[2];

/* What no file does, of a session or of none. */
static void refuse(int fd)
{
	loff_t at = 0;
	void *map;
	int got;

	map = mmap(NULL, 4096, PROT_READ, dice(2) ? MAP_SHARED : MAP_PRIVATE, fd, 0);
	expect("mmap", map == MAP_FAILED ? -1 : 0, ENODEV);
	expect("splice", splice(fd, &at, pipe_fds[1], NULL, 100, SPLICE_F_NONBLOCK), EINVAL);
	expect("sendfile", sendfile(pipe_fds[1], fd, NULL, 100), EINVAL);
	expect("ioctl", ioctl(fd, FIONREAD + 0x100, &got), ENOTTY);
	expect("write", write(fd, "1", 1), EBADF);
	expect("ftruncate", ftruncate(fd, 0), EINVAL);
}

/* Once its session is gone. */
static void check_gone(const struct held *h, int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct stat stat_buf;
	char byte[16];
	ssize_t n;

	gone++;
	if (h->attribute && h->seen) {
		/* It has been read, as a whole. */
		compare_at(h, fd);
		return;
	}
	n = dice(2) ? pread(fd, byte, sizeof(byte), (off_t)dice(100)) :
	    read(fd, byte, sizeof(byte));
	if (n >= 0 || errno != (h->attribute ? ENOENT : EIO))
		wrong_is("%s: read when the session is gone: %zd, %s", h->path, n, named(n));
	if (!h->attribute)
		expect("lseek when the session is gone", lseek(fd, 0, SEEK_SET), EIO);
	if (!h->attribute && (poll(&poller, 1, 0) != 1 || poller.revents != POLLHUP))
		wrong_is("%s: poll tells %x when the session is gone", h->path,
			 (unsigned int)poller.revents);
	if (fstat(fd, &stat_buf))
		wrong_is("%s: fstat: %s", h->path, strerrorname_np(errno));
	refuse(fd);
}

static void check_refusals(const struct held *h)
{
	struct pollfd poller = { .fd = h->fd, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0);

	snprintf(doing, sizeof(doing), "%s", h->path);
	refuse(h->fd);
	/* configfs knows no poll. */
	if (h->attribute)
		expect("epoll_ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, h->fd, &event), EPERM);
	else if (epoll_ctl(epoll, EPOLL_CTL_ADD, h->fd, &event) ||
		 epoll_wait(epoll, &event, 1, 0) != 1 || event.events != EPOLLIN)
		wrong_is("epoll tells %x", (unsigned int)event.events);
	close(epoll);
	if (poll(&poller, 1, 0) != 1 || !(poller.revents & POLLIN) ||
	    poller.revents & (POLLERR | POLLHUP | POLLNVAL))
		wrong_is("poll tells %x", (unsigned int)poller.revents);
}

/* Half of them are read before anything changes, in which case the truth is what that gave. */
static bool open_one(struct held *h, int number)
{
	size_t at = 0;
	ssize_t n;

	*h = (struct held){ .twin = -1, .text = texts + (size_t)number * ROOM };
	h->attribute = !dice(5);
	if (h->attribute)
		snprintf(h->path, sizeof(h->path), "%s/" SESSION "/%s", configfs,
			 shown[dice(COUNT(shown))]);
	else
		snprintf(h->path, sizeof(h->path), "%s/" SESSION "/%s", debugfs,
			 results[dice(COUNT(results))]);
	snprintf(doing, sizeof(doing), "opening %s", h->path);
	h->fd = open(h->path, O_RDONLY | O_CLOEXEC);
	if (h->fd < 0)
		die("cannot open");
	/* Some attributes are not looked at before the session is gone. */
	if (h->attribute && dice(2))
		return true;
	h->seen = true;
	while ((n = pread(h->fd, h->text + at, ROOM - at, (off_t)at)) > 0)
		at += (size_t)n;
	if (n < 0)
		die("cannot read");
	if (at == ROOM)
		die("it is longer than there is room for");
	h->size = at;
	return true;
}

/* Another file of the same moment: nothing changes between them in a session that is off. */
static void compare_twins(int number)
{
	struct held other = held[number];

	if (other.attribute || strstr(other.path, "/raw") || strstr(other.path, "/events"))
		return;
	other.fd = open(other.path, O_RDONLY | O_CLOEXEC);
	if (other.fd < 0)
		die("cannot open");
	disturb();
	snprintf(doing, sizeof(doing), "another one, read when the session had changed");
	compare_all(&other, other.fd);
	close(other.fd);
}

/* ---- the other process ---- */

static void send_order(const struct held *h, enum order order)
{
	struct message message = { .order = order };
	char room[CMSG_SPACE(sizeof(int))] = "";
	struct iovec vec = { &message, sizeof(message) };
	struct msghdr header = { .msg_iov = &vec, .msg_iovlen = 1 };
	struct cmsghdr *control;

	if (h) {
		message.file = (int)(h - held);
		message.attribute = h->attribute;
		message.seen = h->seen;
		message.size = h->size;
	}
	if (order == KEEP) {
		header.msg_control = room;
		header.msg_controllen = sizeof(room);
		control = CMSG_FIRSTHDR(&header);
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(control), &h->fd, sizeof(int));
	}
	if (sendmsg(wire, &header, 0) != (ssize_t)sizeof(message))
		die("cannot send");
}

static void await_answer(void)
{
	char byte;

	if (read(wire, &byte, 1) != 1)
		die("the other process is gone");
}

static void order(const struct held *h, enum order what)
{
	send_order(h, what);
	await_answer();
}

/* Reads on and on while the session is being removed. */
static void race(const struct held *h, int fd)
{
	unsigned long long before = *bad;
	char byte[64], answer = 'r';
	bool removed = false;
	ssize_t n;

	/* The removal begins. */
	if (write(wire, &answer, 1) != 1)
		_exit(2);
	while (!removed && *bad == before) {
		size_t at = dice((uint32_t)h->size + 1);

		n = pread(fd, byte, sizeof(byte), (off_t)at);
		removed = n < 0 && errno == (h->attribute ? ENOENT : EIO);
		if (!removed)
			compare_piece(h, byte, n, at);
		/* One that was read before goes on for ever. */
		if (h->attribute && reads % 1000 == 999)
			break;
	}
}

static void other_process(void)
{
	static struct held kept[FILES];
	struct message message;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		char room[CMSG_SPACE(sizeof(int))];
		struct iovec vec = { &message, sizeof(message) };
		struct msghdr header = {
			.msg_iov = &vec, .msg_iovlen = 1,
			.msg_control = room, .msg_controllen = sizeof(room),
		};
		struct cmsghdr *control;
		struct held *h;
		char answer = 'a';

		if (recvmsg(wire, &header, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof(message))
			_exit(0);
		h = &kept[message.file];
		h->text = texts + (size_t)message.file * ROOM;
		h->size = message.size;
		h->attribute = message.attribute;
		h->seen = message.seen;
		snprintf(h->path, sizeof(h->path), "file %d in the other process", message.file);
		snprintf(doing, sizeof(doing), "the other process, order %d", message.order);
		switch (message.order) {
		case KEEP:
			control = CMSG_FIRSTHDR(&header);
			if (!control)
				_exit(2);
			memcpy(&h->fd, CMSG_DATA(control), sizeof(int));
			break;
		case COMPARE:
			compare_at(h, h->fd);
			compare_all(h, h->fd);
			break;
		case EXPECT_GONE:
			check_gone(h, h->fd);
			break;
		case RACE:
			race(h, h->fd);
			break;
		case CLOSE:
			close(h->fd);
			break;
		case END:
			_exit(0);
		}
		if (write(wire, &answer, 1) != 1)
			_exit(2);
	}
}

/* ---- the module ---- */

static void must_not_unload(const char *when)
{
	long result = syscall(SYS_delete_module, "schedprof", O_NONBLOCK);

	refusals++;
	if (result >= 0 || (errno != EAGAIN && errno != EBUSY))
		wrong_is("the module is unloaded %s: %s", when, named(result));
	unloads++;
	if (!result)
		die("there is no module any more");
}

/* ---- a round ---- */

static void use(struct held *h)
{
	snprintf(doing, sizeof(doing), "using %s", h->path);
	switch (dice(8)) {
	case 0:
		check_refusals(h);
		break;
	case 1:
		if (h->twin >= 0)
			break;
		h->twin = dup(h->fd);
		if (h->twin < 0)
			die("dup");
		break;
	case 2:
		if (h->sent)
			break;
		h->sent = true;
		handed++;
		order(h, KEEP);
		break;
	case 3:
		if (h->sent && h->seen)
			order(h, COMPARE);
		break;
	case 4:
		if (h->seen)
			compare_all(h, h->fd);
		break;
	case 5:
		h->at = h->seen ? dice((uint32_t)h->size + 1) : 0;
		if (lseek(h->fd, (off_t)h->at, SEEK_SET) != (off_t)h->at)
			wrong_is("%s: lseek: %s", h->path, strerrorname_np(errno));
		break;
	default:
		/* The twin is where the file is. */
		if (h->seen && dice(2))
			compare_next(h, h->twin >= 0 && dice(2) ? h->twin : h->fd);
		else if (h->seen)
			compare_at(h, h->fd);
	}
}

static void close_one(struct held *h)
{
	if (h->twin >= 0)
		close(h->twin);
	if (h->fd >= 0)
		close(h->fd);
	if (h->sent)
		order(h, CLOSE);
}

static void look_when_gone(int n)
{
	int i;

	for (i = 0; i < n; i++) {
		struct held *h = &held[i];

		snprintf(doing, sizeof(doing), "%.300s, afterwards", h->path);
		if (h->fd >= 0)
			check_gone(h, h->fd);
		if (h->twin >= 0)
			check_gone(h, h->twin);
		if (h->sent)
			order(h, EXPECT_GONE);
	}
}

static void one_round(void)
{
	int i, n = 1 + (int)dice(FILES), uses, racer = -1;

	strcpy(doing, "a new session");
	make_session();
	for (i = 0; i < n; i++)
		open_one(&held[i], i);
	if (!dice(4)) {
		/* What has ended stays what it was. */
		put("enable", "0");
		close(held[0].fd);
		open_one(&held[0], 0);
		if (held[0].seen)
			compare_twins(0);
	}
	for (uses = 6 * n + (int)dice(20); uses; uses--) {
		use(&held[dice((uint32_t)n)]);
		if (!dice(6))
			disturb();
	}
	if (!dice(4))
		must_not_unload("while there is a session");
	for (i = 0; i < n && racer < 0; i++)
		if (held[i].sent && held[i].seen && dice(2))
			racer = i;
	/* Only the other one has it now. */
	for (i = 0; i < n; i++) {
		if (held[i].sent && !dice(3)) {
			close(held[i].fd);
			held[i].fd = -1;
		}
	}
	strcpy(doing, "removing the session");
	for (i = 0; i < n; i++)
		opened += held[i].fd >= 0 || held[i].twin >= 0 || held[i].sent;
	if (racer >= 0) {
		raced++;
		order(&held[racer], RACE);
		usleep(dice(3000));
	}
	remove_beside_sleeper(n);
	if (racer >= 0)
		await_answer();
	look_when_gone(n);
	must_not_unload("while files are open");
	if (dice(2)) {
		strcpy(doing, "another session of the same name");
		make_session();
		look_when_gone(n);
		remove_session();
	}
	for (i = 0; i < n; i++)
		close_one(&held[i]);
}

int main(int argc, char **argv)
{
	unsigned long long number;
	int pair[2], status;
	pid_t other;

	if (argc != 5)
		return 2;
	configfs = argv[1];
	debugfs = argv[2];
	dice_state = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	number = strtoull(argv[4], NULL, 10);
	texts = mmap(NULL, FILES * (size_t)ROOM + sizeof(*bad), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (texts == MAP_FAILED || pipe(pipe_fds) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return 2;
	bad = (void *)(texts + FILES * (size_t)ROOM);
	other = fork();
	if (other < 0)
		return 2;
	wire = pair[!other];
	close(pair[!!other]);
	if (!other)
		other_process();
	while (opened < number && *bad < MAX_BAD)
		one_round();
	send_order(NULL, END);
	if (waitpid(other, &status, 0) < 0 || status)
		wrong_is("the other process ended with status %x", (unsigned int)status);
	printf("files %llu\nreads %llu\ngone %llu\nhanded %llu\nrefusals %llu\nraced %llu\nhung_up %llu\nunloads %llu\n",
	       opened, reads, gone, handed, refusals, raced, hung_up, unloads);
	return *bad != 0;
}
