// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes: random and mutated texts to every attribute of a session, to the root's hook, and
 * to mkdir.
 *
 * writes CONFIGFS DEBUGFS SEED NUMBER HOOK...
 *
 * Which attributes there are tells the session's directory; which values are good is
 * known here, from README.md, and an attribute of which nothing is known is an error.
 * The file config is compared with what it must say after each write: one that is taken
 * changes its attribute and nothing else, one that is refused changes nothing, and leaves a
 * sentence in last_error. What an attribute reads is written back, and is the same then.
 *
 * Prints "bad ..." for what is wrong, at most 20 times, and last what was counted. One
 * thread; all that is random follows from SEED.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attribute_table.h"

#define SESSION		"writes"
#define BLANKS		" \t\n\v\f\r"
#define SEPARATORS	BLANKS ","
/* A write of so many bytes or more is refused. */
#define TOO_LONG	4095
#define MAX_TEXT	8192
#define MAX_PID		4194304
#define CHILDREN	12
#define MAX_LIST	4096
#define MAX_BAD		20
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

enum kind {
	NUMBER, CHOICE, STACK, STATE, PIDS, TIDS, COMM, UID, CGROUP, FUNCTIONS, IDLE_WAITS,
	ENABLE, RESET, READ_ONLY
};

struct model {
	const char *name;
	const struct attribute *of;	/* words and numbers */
	enum kind kind;
	bool live;
	unsigned int weight;
	char value[MAX_TEXT];		/* as config must have it */
	bool seen;			/* in the directory; in config */
	/* Of lists. */
	bool all;
	unsigned int count;
	int list[MAX_LIST];
};

/* What a write may come to. */
struct verdict {
	bool taken;
	unsigned int errors;
	int error[8];
	char value[MAX_TEXT];
	bool all;
	unsigned int count;
	int list[MAX_LIST];
};

/* Attributes that are neither words nor numbers, or mean more. */
static const struct {
	const char *name, *initial;
	enum kind kind;
	bool live;
	unsigned int weight;
} others[] = {
	{ "pids", "all", PIDS, true, 60 },
	{ "tids", "all", TIDS, true, 60 },
	{ "comm", "", COMM, true, 60 },
	{ "uid", "-1", UID, true, 60 },
	{ "cgroup", "", CGROUP, true, 60 },
	{ "functions", "", FUNCTIONS, false, 3 },
	{ "idle_waits", NULL, IDLE_WAITS, true, 60 },
	{ "enable", "0", ENABLE, true, 4 },
	{ "reset", NULL, RESET, true, 8 },
	{ "status", NULL, READ_ONLY, false, 2 },
	{ "last_error", NULL, READ_ONLY, false, 2 },
};

static struct model models[64];
static unsigned int model_count, weights;
static const char *configfs;
static char dir_path[512], config_path[512], last_error[2 * PAGE];
static char **hook_words;
static pid_t children[CHILDREN];
static char *edge;			/* behind it is no memory */
static bool pieces_apart;		/* writev() is several writes */
static unsigned long long writes, taken, refused, fixed_points, faults, names;
static unsigned int bad;
static char idle_default[MAX_TEXT];	/* what idle_waits says at first */
static char trouble[2048];		/* what is being written, for messages */

/* ---- chance ---- */

static uint64_t dice_state;

static uint32_t dice(uint32_t sides)
{
	dice_state ^= dice_state << 13;
	dice_state ^= dice_state >> 7;
	dice_state ^= dice_state << 17;
	return (uint32_t)((dice_state * 0x2545f4914f6cdd1dULL) >> 32) % sides;
}

static bool one_in(uint32_t sides)
{
	return !dice(sides);
}

/* ---- telling ---- */

__attribute__((format(printf, 1, 2)))
static void wrong_is(const char *format, ...)
{
	va_list args;

	if (bad++ >= MAX_BAD)
		return;
	printf("bad write %llu, %s: ", writes, trouble);
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

	printf("bad ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerrorname_np(errno));
	exit(2);
}

static void set_trouble(const char *name, const char *bytes, size_t n)
{
	size_t i, at;

	at = (size_t)snprintf(trouble, sizeof(trouble), "%s, %zu bytes '", name, n);
	for (i = 0; i < n && at < 400; i++)
		at += (size_t)sprintf(trouble + at, isprint((unsigned char)bytes[i]) ?
				      "%c" : "\\%03o", (unsigned char)bytes[i]);
	strcpy(trouble + at, i < n ? "...'" : "'");
}

/* ---- what a text means ---- */

/* Each error once: a text may break one rule with each of a thousand words. */
static void may_fail(struct verdict *v, int error)
{
	unsigned int i;

	for (i = 0; i < v->errors; i++)
		if (v->error[i] == error)
			return;
	v->error[v->errors++] = error;
}

static void must_fail(struct verdict *v, int error)
{
	v->taken = false;
	may_fail(v, error);
}

static struct model *named(const char *name)
{
	unsigned int i;

	for (i = 0; i < model_count; i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}

static bool is_on(void)
{
	return named("enable")->value[0] == '1';
}

/* Its time may be over at any moment. */
static bool may_be_off(void)
{
	return strcmp(named("duration_ms")->value, "0");
}

static bool next_word(const char **rest, char *word)
{
	size_t n;

	*rest += strspn(*rest, SEPARATORS);
	n = strcspn(*rest, SEPARATORS);
	memcpy(word, *rest, n);
	word[n] = '\0';
	*rest += n;
	return n;
}

/* Digits, perhaps with a sign; -1 if it is out of what is allowed. */
static void judge_number(struct verdict *v, const char *text, uint64_t min, uint64_t max)
{
	const char *digits = text + (*text == '-');
	uint64_t number = 0;
	const char *p;

	if (!*digits || digits[strspn(digits, "0123456789")]) {
		must_fail(v, EINVAL);
		return;
	}
	for (p = digits; *p; p++) {
		if (number > (UINT64_MAX - (uint64_t)(*p - '0')) / 10) {
			must_fail(v, ERANGE);
			return;
		}
		number = number * 10 + (uint64_t)(*p - '0');
	}
	if (digits != text || number < min || number > max)
		must_fail(v, ERANGE);
	else
		sprintf(v->value, "%llu", (unsigned long long)number);
}

static void judge_choice(struct verdict *v, const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(*words, text))
			break;
	if (*words)
		strcpy(v->value, text);
	else
		must_fail(v, EINVAL);
}

static void judge_set(struct verdict *v, const char *text, const char *const *names_of)
{
	unsigned int found = 0, i;
	bool none = false;
	char word[MAX_TEXT];

	while (next_word(&text, word)) {
		if (!strcmp(word, "none")) {
			none = true;
			continue;
		}
		for (i = 0; names_of[i] && strcmp(names_of[i], word); i++)
			;
		if (!names_of[i])
			must_fail(v, EINVAL);
		else
			found |= 1U << i;
	}
	if (none == !!found)
		must_fail(v, EINVAL);
	strcpy(v->value, none ? "none" : "");
	for (i = 0; names_of[i]; i++)
		if (found & 1U << i)
			sprintf(v->value + strlen(v->value), "%s%s", *v->value ? " " : "",
				names_of[i]);
}

static void judge_state(struct verdict *v, const char *text)
{
	static const char *const states[] = { "S", "D", "I", "T", "R", NULL };

	if (!strcmp(text, "all")) {
		strcpy(v->value, "all");
		return;
	}
	judge_set(v, text, states);
	if (!strcmp(v->value, "none"))
		must_fail(v, EINVAL);
	if (!strcmp(v->value, "S D I T R"))
		strcpy(v->value, "all");
}

static bool has(const struct verdict *v, int number)
{
	unsigned int i;

	for (i = 0; i < v->count; i++)
		if (v->list[i] == number)
			return true;
	return false;
}

static void add(struct verdict *v, int number)
{
	unsigned int i;

	if (has(v, number))
		return;
	for (i = v->count++; i && v->list[i - 1] > number; i--)
		v->list[i] = v->list[i - 1];
	v->list[i] = number;
}

static void drop(struct verdict *v, int number)
{
	unsigned int i;

	for (i = 0; i < v->count && v->list[i] != number; i++)
		;
	if (i == v->count)
		return;
	memmove(&v->list[i], &v->list[i + 1], (--v->count - i) * sizeof(v->list[0]));
}

/* Those that live as long as this program, at least; of others nothing is said. */
static bool lives(int number)
{
	int i;

	for (i = 0; i < CHILDREN; i++)
		if (children[i] == number)
			return true;
	return number == 1 || number == getpid();
}

static void print_list(struct verdict *v)
{
	char *to = v->value;
	unsigned int i;

	if (v->all || !v->count)
		strcpy(to, v->all ? "all" : "none");
	else
		for (i = 0; i < v->count; i++)
			to += sprintf(to, "%s%d", i ? " " : "", v->list[i]);
}

static void judge_list(struct verdict *v, const struct model *m, const char *text)
{
	bool first = true, change = false;
	char word[MAX_TEXT];

	v->all = !strcmp(text, "all");
	if (v->all || !strcmp(text, "none")) {
		print_list(v);
		return;
	}
	while (next_word(&text, word)) {
		bool sign = *word == '+' || *word == '-';
		const char *digits = word + sign;
		long long number = 0;

		if (first && sign) {
			change = true;
			v->all = m->all;
			v->count = m->count;
			memcpy(v->list, m->list, m->count * sizeof(m->list[0]));
		}
		first = false;
		if (!*digits || digits[strspn(digits, "0123456789")]) {
			must_fail(v, EINVAL);
			continue;
		}
		for (; *digits; digits++)
			if (number <= MAX_PID)
				number = number * 10 + *digits - '0';
		/* Of two mistakes in one word either may be told. */
		if (!number || number > MAX_PID)
			must_fail(v, ERANGE);
		if (sign != change)
			must_fail(v, EINVAL);
		if (sign != change || !number || number > MAX_PID)
			continue;
		if (*word == '-' && v->all) {
			must_fail(v, EINVAL);
			continue;
		}
		if (!(*word == '-' && has(v, (int)number)) && !lives((int)number))
			may_fail(v, ESRCH);
		if (*word == '-')
			drop(v, (int)number);
		else
			add(v, (int)number);
		if (*word == '+')
			v->all = false;
	}
	if (first)
		must_fail(v, EINVAL);
	print_list(v);
}

/* It is a line of config. */
static void judge_line(struct verdict *v, const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	if (*text)
		must_fail(v, EINVAL);
}

static void judge_comm(struct verdict *v, const char *text)
{
	if (strlen(text) > 63)
		must_fail(v, E2BIG);
	judge_line(v, text);
	snprintf(v->value, sizeof(v->value), "%s", text);
}

static void judge_cgroup(struct verdict *v, const char *text)
{
	char path[MAX_TEXT + 32], part[MAX_TEXT], *rest = part, *name;
	struct stat found;

	strcpy(v->value, text);
	if (strlen(text) > 1023) {
		must_fail(v, E2BIG);
		return;
	}
	judge_line(v, text);
	if (*text && *text != '/')
		must_fail(v, EINVAL);
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s", text);
	if (*text && (stat(path, &found) || !S_ISDIR(found.st_mode)))
		must_fail(v, ENOENT);
	/* Control groups have no such names. */
	strcpy(part, text);
	while ((name = strsep(&rest, "/")))
		if (!strcmp(name, ".") || !strcmp(name, ".."))
			must_fail(v, ENOENT);
}

static char *find_word(char *words, const char *word)
{
	size_t n = strlen(word);
	char *at = words;

	while (*at) {
		if (strcspn(at, " ") == n && !memcmp(at, word, n))
			return at;
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	return NULL;
}

static const char *const known_functions[] = {
	"vfs_read", "vfs_write", "vfs_fsync", "vfs_statx", NULL
};

static bool is_known(const char *word)
{
	const char *const *known;

	for (known = known_functions; *known; known++)
		if (!strcmp(*known, word))
			return true;
	return false;
}

/* Which functions there are, and can be instrumented, only the kernel knows. */
static void judge_functions(struct verdict *v, const struct model *m, const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$:@*?[]!^-";
	static char words[4 * MAX_TEXT];
	bool first = true, change = false;
	char word[MAX_TEXT], *at;

	words[0] = '\0';
	while (next_word(&text, word)) {
		char sign = *word == '+' || *word == '-' ? *word : 0;
		const char *name = word + !!sign;

		if (first && sign) {
			change = true;
			strcpy(words, m->value);
		}
		first = false;
		if (!!sign != change || !*name || name[strspn(name, letters)]) {
			must_fail(v, EINVAL);
			continue;
		}
		at = find_word(words, name);
		if (sign == '-' && !at) {
			must_fail(v, ENOENT);
		} else if (sign == '-') {
			size_t n = strlen(name) + (at[strlen(name)] == ' ');

			memmove(at, at + n, strlen(at + n) + 1);
			if (*words && words[strlen(words) - 1] == ' ')
				words[strlen(words) - 1] = '\0';
		} else if (!at) {
			sprintf(words + strlen(words), "%s%s", *words ? " " : "", name);
		}
	}
	snprintf(v->value, sizeof(v->value), "%.*s", (int)sizeof(v->value) - 1, words);
	text = words;
	while (next_word(&text, word)) {
		if (is_known(word) || !strcmp(word, "@tcp"))
			continue;
		may_fail(v, ENOENT);
		may_fail(v, EINVAL);
		may_fail(v, ENOSPC);
		break;
	}
}

/* Adds a name of a list that has a blank between names, or takes it out. */
static void change_words(struct verdict *v, char *words, const char *name, bool remove)
{
	char *at = strcmp(words, "none") ? find_word(words, name) : NULL;
	size_t n = strlen(name);

	if (remove && !at) {
		must_fail(v, ENOENT);
	} else if (remove) {
		n += at[n] == ' ';
		memmove(at, at + n, strlen(at + n) + 1);
		if (*words && words[strlen(words) - 1] == ' ')
			words[strlen(words) - 1] = '\0';
	} else if (!at) {
		/* With a blank behind each. */
		if (strlen(words) + !!*words + n + 1 > 4000)
			must_fail(v, ENOSPC);
		else
			sprintf(words + strlen(words), "%s%s", *words ? " " : "", name);
	}
}

static bool only_sleeps(const char *name)
{
	static const char *const some[] = {
		"schedule", "schedule_timeout", "wait_for_completion", NULL
	};
	const char *const *one;

	for (one = some; *one; one++)
		if (!strcmp(*one, name))
			return true;
	return false;
}

static void judge_idle_waits(struct verdict *v, const struct model *m, const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
	bool first = true, change = false, alone = !strcmp(text, "none");
	char word[MAX_TEXT], *words = v->value, copy[MAX_TEXT], *rest, *one;

	words[0] = '\0';
	while (!alone && next_word(&text, word)) {
		char sign = *word == '+' || *word == '-' ? *word : 0;
		const char *name = word + !!sign;

		if (first && sign) {
			change = true;
			strcpy(words, strcmp(m->value, "none") ? m->value : "");
		}
		first = false;
		if (!!sign != change) {
			must_fail(v, EINVAL);
		} else if (!sign && !strcmp(name, "default")) {
			strcpy(copy, idle_default);
			for (rest = copy; (one = strsep(&rest, " ")); )
				change_words(v, words, one, false);
		} else if (!*name || name[strspn(name, letters)] || strstr(name, "futex") ||
			   only_sleeps(name) || !strcmp(name, "none") ||
			   !strcmp(name, "default")) {
			must_fail(v, EINVAL);
			/* Of two mistakes in one word either may be told. */
			if (strlen(name) > 127)
				may_fail(v, E2BIG);
		} else if (strlen(name) > 127) {
			must_fail(v, E2BIG);
		} else {
			change_words(v, words, name, sign == '-');
		}
	}
	if (first && !alone)
		must_fail(v, EINVAL);
	if (!*words)
		strcpy(words, "none");
}

static void judge_enable(struct verdict *v, const char *text)
{
	const char *mode = named("mode")->value;

	judge_number(v, text, 0, 1);
	if (!v->taken || v->value[0] == '0' || (is_on() && !may_be_off()))
		return;
	if (!strcmp(mode, "function") && !named("functions")->value[0])
		must_fail(v, EINVAL);
	if (strstr(named("stack")->value, "waker") &&
	    (!strcmp(mode, "function") || !strcmp(mode, "nosched") || !strcmp(mode, "oncpu")))
		must_fail(v, EINVAL);
	if (!strcmp(named("clock")->value, "tsc"))
		may_fail(v, EOPNOTSUPP);
	/* It is on already, if its time is not over. */
	if (is_on())
		v->taken = true;
}

static void judge(struct verdict *v, const struct model *m, const char *bytes, size_t n)
{
	static const char *const stacks[] = { "kernel", "user", "waker", NULL };
	char text[MAX_TEXT], *from = text;

	memset(v, 0, offsetof(struct verdict, list));
	v->taken = true;
	if (m->kind == READ_ONLY) {
		must_fail(v, EACCES);
		return;
	}
	if (n >= TOO_LONG) {
		must_fail(v, E2BIG);
		return;
	}
	if (memchr(bytes, '\0', n)) {
		must_fail(v, EINVAL);
		return;
	}
	while (n && strchr(BLANKS, bytes[n - 1]))
		n--;
	memcpy(text, bytes, n);
	text[n] = '\0';
	from += strspn(from, BLANKS);
	if (is_on() && !m->live) {
		may_fail(v, EBUSY);
		if (!may_be_off()) {
			v->taken = false;
			return;
		}
	}
	switch (m->kind) {
	case NUMBER:
		judge_number(v, from, m->of->min, m->of->max);
		break;
	case CHOICE:
		judge_choice(v, from, m->of->good);
		break;
	case STACK:
		judge_set(v, from, stacks);
		break;
	case STATE:
		judge_state(v, from);
		break;
	case PIDS:
	case TIDS:
		judge_list(v, m, from);
		break;
	case COMM:
		judge_comm(v, from);
		break;
	case UID:
		if (strcmp(from, "-1"))
			judge_number(v, from, 0, UINT32_MAX - 1);
		else
			strcpy(v->value, "-1");
		break;
	case CGROUP:
		judge_cgroup(v, from);
		break;
	case FUNCTIONS:
		judge_functions(v, m, from);
		break;
	case IDLE_WAITS:
		judge_idle_waits(v, m, from);
		break;
	case ENABLE:
		judge_enable(v, from);
		break;
	case RESET:
		judge_number(v, from, 1, 1);
		break;
	case READ_ONLY:
		break;
	}
}

/* ---- what the session says ---- */

static char config[1 << 17];

static void slurp(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY);
	size_t at = 0;
	ssize_t n;

	if (fd < 0)
		die("cannot open %s", path);
	while ((n = read(fd, to + at, room - 1 - at)) > 0)
		at += (size_t)n;
	if (n < 0)
		die("cannot read %s", path);
	close(fd);
	to[at] = '\0';
	if (strlen(to) != at)
		wrong_is("%s has a NUL in it", path);
}

static void slurp_attribute(const char *name, char *to, size_t room)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", dir_path, name);
	slurp(path, to, room);
	to[strcspn(to, "\n")] = '\0';
}

static void check_sentence(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = strlen(text);

	if (n < 12 || n >= 255 || !strchr(text, ' ') || isspace(*p) || strchr(";:, ", text[n - 1]))
		wrong_is("last_error is no sentence, but %zu bytes: '%s'", n, text);
	for (; *p; p++)
		if (iscntrl(*p)) {
			wrong_is("last_error has the character %d in it", *p);
			return;
		}
}

static void check_line(char *line)
{
	char *value = strchr(line, ' ');
	struct model *m;

	if (!value) {
		wrong_is("config has the line '%s'", line);
		return;
	}
	*value++ = '\0';
	m = named(line);
	if (!m || m->seen || m->kind == RESET) {
		wrong_is("config has a line '%s %s'%s", line, value,
			 m ? " too many" : ", of which nothing is known");
		return;
	}
	m->seen = true;
	if (!strcmp(line, "last_error")) {
		snprintf(last_error, sizeof(last_error), "%s", value);
	} else if (!strcmp(line, "status")) {
		if (strncmp(value, "enabled ", 8) && strncmp(value, "disabled ", 9) &&
		    strncmp(value, "expired ", 8))
			wrong_is("status is '%s'", value);
		if (!strncmp(value, "enabled ", 8) != is_on())
			wrong_is("status is '%s', but enable '%s'", value,
				 named("enable")->value);
	} else if (m->kind == ENABLE && is_on() && may_be_off() && !strcmp(value, "0")) {
		strcpy(m->value, "0");
	} else if (strcmp(value, m->value)) {
		wrong_is("%s is '%s' afterwards, expected '%s'", line, value, m->value);
		/* What comes of that is no other error. */
		snprintf(m->value, sizeof(m->value), "%s", value);
		m->all = !strcmp(value, "all");
		m->count = 0;
		if (m->kind == PIDS || m->kind == TIDS)
			die("the list of %s is not known any more", m->name);
	}
}

static void check_config(void)
{
	char *rest = config, *line;
	unsigned int i;

	slurp(config_path, config, sizeof(config));
	for (i = 0; i < model_count; i++)
		models[i].seen = models[i].kind == RESET;
	while ((line = strsep(&rest, "\n")) && rest)
		check_line(line);
	if (line && *line)
		wrong_is("the last line of config has no end: '%s'", line);
	for (i = 0; i < model_count; i++)
		if (!models[i].seen)
			wrong_is("config does not have %s", models[i].name);
}

/* ---- one write ---- */

static bool is_expected(const struct verdict *v, int error)
{
	unsigned int i;

	for (i = 0; i < v->errors; i++)
		if (v->error[i] == error)
			return true;
	return false;
}

static const char *expectation(const struct verdict *v)
{
	static char text[256];
	unsigned int i;

	strcpy(text, v->taken ? "success" : "");
	for (i = 0; i < v->errors; i++)
		sprintf(text + strlen(text), "%s%s", *text ? " or " : "",
			strerrorname_np(v->error[i]));
	return text;
}

static void take(struct model *m, const struct verdict *v)
{
	taken++;
	if (m->kind == RESET)
		return;
	strcpy(m->value, v->value);
	m->all = v->all;
	m->count = v->count;
	memcpy(m->list, v->list, v->count * sizeof(v->list[0]));
}

/* One that the module saw as one: it wrote all (error 0), or failed with an errno. */
static void judge_outcome(struct model *m, const char *bytes, size_t n, int error)
{
	static struct verdict v;
	char why[2 * PAGE];

	judge(&v, m, bytes, n);
	if (!error && v.taken) {
		take(m, &v);
	} else if (!error) {
		wrong_is("taken, expected %s", expectation(&v));
	} else {
		refused++;
		if (!is_expected(&v, error)) {
			slurp_attribute("last_error", why, sizeof(why));
			wrong_is("%s, expected %s; last_error is '%s'", strerrorname_np(error),
				 expectation(&v), why);
		}
	}
}

static int open_attribute(const char *where, const char *name, int flags)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", where, name);
	return open(path, flags);
}

/* All at once, at an offset, or in pieces; *apart tells where they were cut. */
static ssize_t write_somehow(int fd, const char *bytes, size_t n, size_t *apart)
{
	struct iovec piece[4];
	unsigned int i, count = 1 + dice(4);
	size_t at = 0;

	*apart = n;
	switch (dice(4)) {
	case 0:
		return pwrite(fd, bytes, n, (off_t)dice(1 << 20) * (one_in(8) ? 1 << 20 : 1));
	case 1:
		for (i = 0; i < count; i++) {
			size_t rest = n - at;

			piece[i].iov_base = (char *)bytes + at;
			piece[i].iov_len = i == count - 1 ? rest : dice((uint32_t)rest + 1);
			at += piece[i].iov_len;
		}
		if (!pieces_apart)
			return writev(fd, piece, (int)count);
		/* Two, none of them empty. */
		if (n < 2)
			return write(fd, bytes, n);
		*apart = 1 + dice((uint32_t)n - 1);
		piece[0] = (struct iovec){ (char *)bytes, *apart };
		piece[1] = (struct iovec){ (char *)bytes + *apart, n - *apart };
		return writev(fd, piece, 2);
	default:
		return write(fd, bytes, n);
	}
}

static const int ways[] = {
	O_WRONLY, O_WRONLY, O_WRONLY | O_TRUNC, O_RDWR, O_WRONLY | O_APPEND,
	O_WRONLY | O_CREAT, O_WRONLY | O_SYNC, O_WRONLY | O_NONBLOCK
};

/* A text of which the end is in no memory: what comes of it is taken or refused as it is. */
static void write_over_the_edge(struct model *m, int fd, const char *bytes, size_t n)
{
	char before[sizeof(last_error)];
	ssize_t got;
	int error;

	faults++;
	strcpy(before, last_error);
	memcpy(edge - n, bytes, n);
	got = write(fd, edge - n, n + 1 + dice(100));
	error = got < 0 ? errno : 0;
	if (got > (ssize_t)n)
		wrong_is("%zd bytes were taken, of %zu that there were", got, n);
	if (got >= 0) {
		judge_outcome(m, bytes, (size_t)got, 0);
	} else {
		refused++;
		if (error != EFAULT && error != EINVAL && error != ERANGE && error != EBUSY &&
		    error != ESRCH && error != ENOENT && error != E2BIG && error != ENOSPC)
			wrong_is("%s where the memory ends", strerrorname_np(error));
	}
	check_config();
	if (!error && *last_error)
		wrong_is("was taken, but last_error is '%s'", last_error);
	if (error && error != EFAULT)
		check_sentence(last_error);
	if (error == EFAULT && strcmp(before, last_error))
		wrong_is("not even read, but last_error is '%s'", last_error);
}

static void write_text(struct model *m, const char *bytes, size_t n)
{
	char before[sizeof(last_error)];
	int error, fd, way = (int)dice(COUNT(ways));
	size_t apart;
	ssize_t got;

	writes++;
	set_trouble(m->name, bytes, n);
	strcpy(before, last_error);
	/* Nothing can be read of it. */
	if (m->kind == RESET && ways[way] == O_RDWR)
		way = 0;
	fd = open_attribute(dir_path, m->name, ways[way]);
	if (fd < 0) {
		error = errno;
		judge_outcome(m, bytes, n, error);
		if (m->kind != READ_ONLY)
			wrong_is("cannot be opened: %s", strerrorname_np(error));
		check_config();
		if (strcmp(before, last_error))
			wrong_is("not even opened, but last_error is '%s'", last_error);
		return;
	}
	if (n && n < TOO_LONG && one_in(40) && m->kind != ENABLE && m->kind != FUNCTIONS) {
		write_over_the_edge(m, fd, bytes, n);
		close(fd);
		return;
	}
	got = write_somehow(fd, bytes, n, &apart);
	error = got < 0 ? errno : 0;
	close(fd);
	if (!n) {
		/* Of nothing, the module is not told. */
		if (got > 0 || (error && error != EFAULT))
			wrong_is("an empty write: %zd, %s", got, strerrorname_np(error));
		check_config();
		if (strcmp(before, last_error))
			wrong_is("an empty write, and last_error is '%s'", last_error);
		return;
	}
	if (got >= 0 && (size_t)got != n && (size_t)got != apart)
		wrong_is("%zd bytes were taken", got);
	if (apart == n) {
		judge_outcome(m, bytes, n, error);
	} else {
		/* Two writes, of which the second one's errno nobody tells. */
		struct verdict second;

		judge_outcome(m, bytes, apart, error);
		judge(&second, m, bytes + apart, n - apart);
		if (!error && (size_t)got == n)
			judge_outcome(m, bytes + apart, n - apart, 0);
		else if (!error && !second.errors)
			wrong_is("the second piece was refused");
		if (!error && (size_t)got < n)
			error = EIO;
	}
	check_config();
	if (error)
		check_sentence(last_error);
	else if (*last_error)
		wrong_is("was taken, but last_error is '%s'", last_error);
}

/* What it reads is what config says; written back, it is the same again. */
static void write_back(struct model *m)
{
	char path[1024], text[2 * PAGE];
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir_path, m->name);
	slurp(path, text, sizeof(text));
	n = strlen(text);
	if (n && text[n - 1] != '\n')
		wrong_is("reads '%s', without an end of the line", text);
	text[n ? n - 1 : 0] = '\0';
	if (strcmp(text, m->value) && !(m->kind == ENABLE && may_be_off())) {
		if (!strcmp(text, "too long for this file: see config in debugfs") &&
		    strlen(m->value) > PAGE - 2)
			return;
		wrong_is("reads '%s', but in config it is '%s'", text, m->value);
	}
	fixed_points++;
	strcpy(text + strlen(text), "\n");
	write_text(m, text, strlen(text));
}

/* ---- texts ---- */

static const char *const cgroups[] = {
	"", "/", "/w1", "/w1/w2", "//w1//w2/", "/w1/", "/w3", "/w1/w3", "/cgroup.procs",
	"/cgroup.procs/x", "/w1/cgroup.procs", "/w1/cgroup.events/w2", "/.", "/..", "/w1/..",
	"w1", "/w1/./w2", "/w1/\033[1m", "/w1\177"
};

static const char *const comms[] = {
	"", "*", "?", "sh", "writes*", "a?c", "k[a-z]*", "[", "]", "\\", "\\*", "[!a]", "a b",
	"%s%n", "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "\303\251"
};

static const char *const idle_words[] = {
	"ep_poll", "do_select", "worker_thread", "a", "my_wait", "schedule", "futex_wait",
	"default", "none"
};

static size_t good_text(const struct model *m, char *text)
{
	unsigned int i, n = 1 + dice(5);
	const char *const *words;
	char *equals;

	text[0] = '\0';
	switch (m->kind) {
	case NUMBER:
		switch (dice(4)) {
		case 0:
			return (size_t)sprintf(text, "%llu",
					       (unsigned long long)m->of->min + dice(3));
		case 1:
			return (size_t)sprintf(text, "%llu",
					       (unsigned long long)m->of->max - dice(3));
		case 2:
			return (size_t)sprintf(text, "%u", dice(2000));
		default:
			return (size_t)sprintf(text, "%llu",
					       ((unsigned long long)dice(UINT32_MAX) << 32 |
						dice(UINT32_MAX)) >> dice(64));
		}
	case CHOICE:
	case STACK:
	case STATE:
		for (words = m->of->good, i = 0; words[i]; i++)
			;
		strcpy(text, words[dice(i)]);
		equals = strchr(text, '=');
		if (equals)
			*equals = '\0';
		return strlen(text);
	case PIDS:
	case TIDS:
		if (one_in(5))
			return (size_t)sprintf(text, "%s", one_in(2) ? "all" : "none");
		words = (const char *const[]){ "", "+", "-" };
		i = dice(3);
		if (one_in(50))
			n = 400;
		while (n--)
			sprintf(text + strlen(text), "%s%s%d", *text ? one_in(2) ? " " : "," : "",
				i && one_in(2) ? words[3 - i] : words[i],
				one_in(20) ? (int)dice(MAX_PID + 5) : children[dice(CHILDREN)]);
		return strlen(text);
	case COMM:
		return (size_t)sprintf(text, "%s", comms[dice(COUNT(comms))]);
	case UID:
		if (one_in(3))
			return (size_t)sprintf(text, "-1");
		return (size_t)sprintf(text, "%u", one_in(2) ? dice(2000) :
				       one_in(2) ? UINT32_MAX - dice(3) : dice(UINT32_MAX));
	case CGROUP:
		return (size_t)sprintf(text, "%s", cgroups[dice(COUNT(cgroups))]);
	case FUNCTIONS:
		i = dice(3);
		while (n--)
			sprintf(text + strlen(text), "%s%s%s", *text ? " " : "",
				i == 1 ? "+" : i ? "-" : "",
				known_functions[dice(COUNT(known_functions) - 1)]);
		return strlen(text);
	case IDLE_WAITS:
		if (one_in(4))
			return (size_t)sprintf(text, "%s", one_in(2) ? "default" : "none");
		/* Long names, until there is no room. */
		if (one_in(4))
			return (size_t)sprintf(text, "%s%0*u", one_in(3) ? "" : "+n",
					       (int)dice(140), dice(1000));
		i = dice(3);
		while (n--)
			sprintf(text + strlen(text), "%s%s%s", *text ? " " : "",
				i == 1 ? "+" : i ? "-" : "", idle_words[dice(COUNT(idle_words))]);
		return strlen(text);
	default:
		return (size_t)sprintf(text, "%u", dice(2));
	}
}

static const char *const snippets[] = {
	"all", "none", "-1", "+", "-", "0", "00", "0x", " ", ",", "\n", "\t", "\r\n", "\v\f", "1 ",
	"18446744073709551616", "9223372036854775808", "4294967296", "2147483648", "kernel",
	"\33[31m", "\377\376", "\177", "%n", "*", "@", "/", "..", "\\", "'", "\"", ";"
};

/* Spoils it here and there; it stays below the room that there is. */
static size_t mutate(char *text, size_t n)
{
	size_t at = dice((uint32_t)n + 1), some;
	const char *snippet;

	switch (dice(12)) {
	case 0:
		if (n)
			text[dice((uint32_t)n)] = (char)dice(256);
		return n;
	case 1:
		if (n)
			text[dice((uint32_t)n)] ^= (char)(1 << dice(8));
		return n;
	case 2:
		return at;
	case 3:
		if (at < n)
			memmove(text + at, text + at + 1, n - at - 1);
		return n - (at < n);
	case 4:
	case 5:
		snippet = snippets[dice(COUNT(snippets))];
		some = strlen(snippet);
		memmove(text + at + some, text + at, n - at);
		memcpy(text + at, snippet, some);
		return n + some;
	case 6:
		memmove(text + at + 1, text + at, n - at);
		text[at] = one_in(3) ? '\0' : (char)dice(256);
		return n + 1;
	case 7:
		memcpy(text + n, text, n < 1000 ? n : 1000);
		return n + (n < 1000 ? n : 1000);
	case 8:
		text[n] = '\n';
		return n + 1;
	case 9:
		memmove(text + 1, text, n);
		text[0] = BLANKS ","[dice(sizeof(BLANKS))];
		return n + 1;
	case 10:
		if (n)
			text[dice((uint32_t)n)] ^= 0x20;
		return n;
	default:
		/* Around the length from which on writes are refused, or far beyond it. */
		if (!one_in(20))
			return n;
		some = one_in(4) ? 5000 + dice(1000) : TOO_LONG - 3 + dice(6);
		if (some <= n)
			return n;
		memset(text + n, " ,0x"[dice(4)], some - n);
		return some;
	}
}

static size_t any_text(const struct model *m, char *text)
{
	size_t n, i;

	if (one_in(25)) {
		n = dice(one_in(4) ? 300 : 20);
		for (i = 0; i < n; i++)
			text[i] = (char)dice(256);
		return n;
	}
	n = good_text(m, text);
	while (n < 6100 && one_in(2))
		n = mutate(text, n);
	return n;
}

/* ---- starts ---- */

static void bring_down(const char *name, unsigned long most)
{
	struct model *m = named(name);
	unsigned int tries;
	char text[32];

	/* Of those that are written over the edge of memory, some are refused. */
	for (tries = 0; tries < 20 && strtoul(m->value, NULL, 10) > most && !is_on(); tries++)
		write_text(m, text, (size_t)sprintf(text, "%lu", 1 + most / (1 + dice(50))));
}

/* More memory than there is would be refused; much of it takes its time. */
static void before_start(void)
{
	bring_down("max_tasks", 2000);
	bring_down("max_stacks", 2000);
	bring_down("max_entries", 4000);
	bring_down("trace_kb", 64);
}

static struct model *any_model(void)
{
	unsigned int i, at = dice(weights);

	/* What is enabled shall not be it for long. */
	if (is_on() && one_in(60))
		return named("enable");
	for (i = 0; at >= models[i].weight; i++)
		at -= models[i].weight;
	return &models[i];
}

static void write_one(void)
{
	static char text[2 * MAX_TEXT];
	struct model *m = any_model();
	static struct verdict v;
	size_t n = any_text(m, text);

	judge(&v, m, text, n);
	/* Where pieces are written apart, the first one may be good when the whole is not. */
	if (m->kind == ENABLE && (pieces_apart || (v.taken && v.value[0] == '1')))
		before_start();
	/* All of the kernel's symbols are looked at for a glob. */
	if (m->kind == FUNCTIONS && v.taken && strpbrk(v.value, "*?[@") && !one_in(300))
		return;
	write_text(m, text, n);
	if (m->kind != RESET && m->kind != READ_ONLY && (!is_on() || m->live) &&
	    one_in(m->kind == FUNCTIONS ? 20 : 8))
		write_back(m);
}

/* ---- of the root ---- */

static void root_error(int error, const char *what)
{
	char path[512], text[2 * PAGE], *end;

	snprintf(path, sizeof(path), "%s/last_error", configfs);
	slurp(path, text, sizeof(text));
	end = strchr(text, '\n');
	if (error && (!end || end[1]))
		wrong_is("%s: the root's last_error is no line: '%s'", what, text);
	if (end)
		*end = '\0';
	if (error)
		check_sentence(text);
	else if (*text)
		wrong_is("%s, but the root's last_error is '%s'", what, text);
}

static void write_hook(void)
{
	static char now[64], text[2 * MAX_TEXT], before[sizeof(last_error)], path[512];
	struct model hook = { .name = "hook", .kind = CHOICE, .live = true };
	struct attribute words = { .good = (const char *const *)hook_words };
	static struct verdict v;
	size_t n, apart;
	ssize_t got;
	int error, fd;

	writes++;
	strcpy(before, last_error);
	snprintf(path, sizeof(path), "%s/hook", configfs);
	slurp(path, now, sizeof(now));
	now[strcspn(now, "\n")] = '\0';
	hook.of = &words;
	n = any_text(&hook, text);
	set_trouble("hook", text, n);
	judge(&v, &hook, text, n);
	if (v.taken && is_on() && strcmp(v.value, now)) {
		may_fail(&v, EBUSY);
		v.taken = may_be_off();
	}
	fd = open(path, O_WRONLY);
	if (fd < 0)
		die("cannot open %s", path);
	got = write_somehow(fd, text, n, &apart);
	error = got < 0 ? errno : 0;
	close(fd);
	if (!n || apart != n)
		return;
	if (error ? !is_expected(&v, error) : !v.taken)
		wrong_is("%s, expected %s", error ? strerrorname_np(error) : "taken",
			 expectation(&v));
	error ? refused++ : taken++;
	if (!error)
		strcpy(now, v.value);
	slurp(path, text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, now))
		wrong_is("reads '%s' afterwards, expected '%s'", text, now);
	root_error(error, "hook");
	check_config();
	if (strcmp(before, last_error))
		wrong_is("a write to the root, and the session's last_error is '%s'", last_error);
}

static bool is_taken_name(const char *name)
{
	static const char *const in_use[] = {
		".", "..", SESSION, "version", "hook", "hooks_status", "last_error"
	};
	unsigned int i;

	for (i = 0; i < COUNT(in_use); i++)
		if (!strcmp(in_use[i], name))
			return true;
	return false;
}

/* mkdir with whatever name. */
static void make_name(void)
{
	static const char *const some[] = {
		"a", "hooks", "selfcheck", "version", "..", SESSION, "a b", "x;y", "%s", "a\nb"
	};
	char name[2 * MAX_TEXT], path[3 * MAX_TEXT];
	size_t n, i;
	int expected = 0, error;

	writes++;
	names++;
	n = (size_t)sprintf(name, "%s", some[dice(COUNT(some))]);
	while (one_in(2))
		n = mutate(name, n);
	if (one_in(8)) {
		memset(name, 1 + (int)dice(255), 70);
		n = 60 + dice(6);
	}
	name[n] = '\0';
	n = strlen(name);
	for (i = 0; i < n; i++)
		if (name[i] == '/')
			name[i] = '_';
	if (!n)
		return;
	set_trouble("mkdir", name, n);
	if (n > 63)
		expected = ENAMETOOLONG;
	else if (is_taken_name(name))
		expected = EEXIST;
	else if (!strcmp(name, "hooks") || !strcmp(name, "selfcheck"))
		expected = EINVAL;
	for (i = 0; i < n && !expected; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			expected = EINVAL;
	snprintf(path, sizeof(path), "%s/%s", configfs, name);
	error = mkdir(path, 0755) ? errno : 0;
	if (error != expected)
		wrong_is("%s, expected %s", error ? strerrorname_np(error) : "made",
			 expected ? strerrorname_np(expected) : "to be made");
	/* Of others the module is not asked. */
	if (error != EEXIST && n < 256)
		root_error(error, "mkdir");
	if (!error && rmdir(path))
		wrong_is("cannot be removed: %s", strerrorname_np(errno));
}

/* ---- begin and end ---- */

static void learn(const char *name)
{
	struct model *m = &models[model_count];
	const struct attribute *a;
	unsigned int i;

	m->name = strdup(name);
	m->weight = 20;
	for (a = attributes; a->name; a++)
		if (!strcmp(a->name, name)) {
			m->of = a;
			m->live = a->live;
			m->kind = a->is_number ? NUMBER : !strcmp(name, "stack") ? STACK :
				  !strcmp(name, "state") ? STATE : CHOICE;
			strcpy(m->value, a->initial);
		}
	for (i = 0; i < COUNT(others); i++)
		if (!strcmp(others[i].name, name)) {
			m->of = attributes;
			m->live = others[i].live;
			m->kind = others[i].kind;
			m->weight = others[i].weight;
			strcpy(m->value, others[i].initial ?: "");
		}
	if (!m->of)
		wrong_is("there is an attribute '%s', of which nothing is known", name);
	if (m->kind == IDLE_WAITS) {
		/* What the table has is not told here; that it is the default, is. */
		slurp_attribute(name, idle_default, sizeof(idle_default));
		strcpy(m->value, idle_default);
	}
	m->all = m->kind == PIDS || m->kind == TIDS;
	model_count += !!m->of;
	weights += m->of ? m->weight : 0;
}

/* In the order of their names, as that of the directory may be another one each time. */
static void learn_all(void)
{
	const struct attribute *a;
	struct dirent **entry;
	unsigned int i;
	int n, j;

	n = scandir(dir_path, &entry, NULL, alphasort);
	if (n < 0)
		die("cannot list %s", dir_path);
	for (j = 0; j < n; j++)
		if (entry[j]->d_name[0] != '.')
			learn(entry[j]->d_name);
	for (a = attributes; a->name; a++)
		if (!named(a->name))
			wrong_is("there is no attribute '%s'", a->name);
	for (i = 0; i < COUNT(others); i++)
		if (!named(others[i].name))
			wrong_is("there is no attribute '%s'", others[i].name);
	if (bad)
		exit(1);
}

/* Older kernels hand over each piece by itself. */
static void ask_for_pieces(void)
{
	struct iovec piece[2] = { { "1", 1 }, { "27", 2 } };
	int fd = open_attribute(dir_path, "stack_depth", O_WRONLY);
	char path[1024], text[64];

	if (fd < 0 || writev(fd, piece, 2) != 3)
		die("cannot write in pieces");
	close(fd);
	snprintf(path, sizeof(path), "%s/stack_depth", dir_path);
	slurp(path, text, sizeof(text));
	pieces_apart = strcmp(text, "127\n");
	strcpy(named("stack_depth")->value, pieces_apart ? "27" : "127");
}

static void make_children(void)
{
	int i;

	for (i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		if (children[i] < 0)
			die("cannot fork");
		if (!children[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	}
}

int main(int argc, char **argv)
{
	unsigned long long number;
	char *memory;
	int i;

	if (argc < 6)
		return 2;
	configfs = argv[1];
	snprintf(dir_path, sizeof(dir_path), "%s/" SESSION, configfs);
	snprintf(config_path, sizeof(config_path), "%s/" SESSION "/config", argv[2]);
	dice_state = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	number = strtoull(argv[4], NULL, 10);
	hook_words = argv + 5;
	memory = mmap(NULL, 2 * MAX_TEXT + PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	edge = memory + 2 * MAX_TEXT;
	if (memory == MAP_FAILED || munmap(edge, PAGE))
		die("cannot map memory");
	make_children();
	if (mkdir(dir_path, 0755))
		die("cannot make %s", dir_path);
	strcpy(trouble, "a new session");
	learn_all();
	check_config();
	ask_for_pieces();
	while (writes < number && bad < MAX_BAD) {
		if (one_in(300))
			write_hook();
		else if (one_in(500))
			make_name();
		else
			write_one();
	}
	if (rmdir(dir_path))
		wrong_is("cannot be removed: %s", strerrorname_np(errno));
	for (i = 0; i < CHILDREN; i++)
		kill(children[i], SIGKILL);
	printf("writes %llu\ntaken %llu\nrefused %llu\nfixed_points %llu\nfaults %llu\nnames %llu\n",
	       writes, taken, refused, fixed_points, faults, names);
	return bad != 0;
}
