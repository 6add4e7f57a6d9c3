// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame: a tree of the stacks that `--folded` prints, and of their exact times. As the
 * stacks are sorted first, a stack has in common with the tree what it has in common with
 * the one before it, so that nothing has to be looked for. One thread, so nothing is
 * locked.
 */
#include <stdlib.h>
#include <string.h>

#include "flame.h"

/* That tell each other apart by lightness, too, for those who see fewer colours. */
const struct cli_flame_kind_row cli_flame_kinds[CLI_FLAME_KINDS] = {
	[CLI_FLAME_TASK] = { "task", "a task", { "#c3ccd6", "#4a5563" } },
	[CLI_FLAME_USER] = { "user", "a function of a program", { "#9ccbe8", "#265d80" } },
	[CLI_FLAME_KERNEL] = { "kernel", "a function of the kernel", { "#f3b873", "#8f5a17" } },
	[CLI_FLAME_WAKER] = { "waker", "who woke the task, and from where",
			      { "#bb9ad6", "#6b4a8a" } },
	[CLI_FLAME_IDLE] = { "waits for work", "a wait for work, which is no problem",
			     { "#e3e5e0", "#363b38" } },
	[CLI_FLAME_MARK] = { "mark", "no function: why a stack ends, or how it is known",
			     { "#f5ee9e", "#6e6a1f" } },
};

const struct cli_flame_colors cli_flame_more[CLI_FLAME_STEPS] = {
	{ "#e6e8eb", "#3a4048" }, { "#fbdcd0", "#573c3a" }, { "#f6b7a1", "#7a4039" },
	{ "#ec8d74", "#a34437" }, { "#dc6450", "#cc4f3d" },
};

const struct cli_flame_colors cli_flame_less[CLI_FLAME_STEPS] = {
	{ "#e6e8eb", "#3a4048" }, { "#d5e6f3", "#334a5e" }, { "#a9cfe8", "#2f5c7f" },
	{ "#77b2db", "#2a70a3" }, { "#4b93cb", "#2b86c8" },
};

/**
 * cli_flame_add() - add a stack
 * @flame: the tree, zeroed before the first one
 * @folded: frames as in --folded, without a time; belongs to the tree from now on
 * @times: of it
 *
 * Return: false if there was not enough memory.
 */
bool cli_flame_add(struct cli_flame *flame, char *folded, struct cli_flame_times times)
{
	struct cli_flame_line *more;
	size_t n = flame->line_count;

	/* Room doubles, and the count tells when it is used up. */
	if (!(n & (n - 1))) {
		more = realloc(flame->lines, (n ? 2 * n : 1) * sizeof(*more));
		if (!more) {
			free(folded);
			return false;
		}
		flame->lines = more;
	}
	flame->lines[flame->line_count++] = (struct cli_flame_line){ folded, times };
	return true;
}

/* The end of a frame comes before all letters, so that what is inside of it follows. */
static int letter_of(char c)
{
	return c == ';' ? 1 : c ? (unsigned char)c + 1 : 0;
}

static int by_frames(const void *a, const void *b)
{
	const char *x = ((const struct cli_flame_line *)a)->folded;
	const char *y = ((const struct cli_flame_line *)b)->folded;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	return letter_of(*x) - letter_of(*y);
}

/* The same stack may have been added for several rows. */
static void join_lines(struct cli_flame *flame)
{
	struct cli_flame_line *lines = flame->lines;
	size_t i, n = 0;

	for (i = 1; i < flame->line_count; i++) {
		if (strcmp(lines[n].folded, lines[i].folded)) {
			lines[++n] = lines[i];
			continue;
		}
		lines[n].times.now += lines[i].times.now;
		lines[n].times.before += lines[i].times.before;
		free(lines[i].folded);
	}
	flame->line_count = n + 1;
}

static size_t count_frames(const struct cli_flame *flame)
{
	size_t i, n = 0;
	const char *at;

	for (i = 0; i < flame->line_count; i++)
		for (n++, at = flame->lines[i].folded; *at; at++)
			n += *at == ';';
	return n;
}

/* What a stack has told up to some frame. */
struct place {
	enum cli_flame_kind kind;	/* of the frames from here on, if they say no other */
	bool first;
};

/* Takes the mark of kernel frames off. */
static bool cut_ending(char *text, const char *ending)
{
	size_t length = strlen(text), n = strlen(ending);

	if (length < n || strcmp(text + length - n, ending))
		return false;
	text[length - n] = '\0';
	return true;
}

/* Marks are in brackets; [anon]+0x10 is a place. */
static bool is_mark(const char *text)
{
	size_t length = strlen(text);

	return length > 1 && *text == '[' && text[length - 1] == ']';
}

/* What a frame is, by the words of libschedprof. Takes off the text what the kind says. */
static enum cli_flame_kind kind_of(struct place *place, char *text)
{
	bool first = place->first, kernel;

	place->first = false;
	if (first && place->kind == CLI_FLAME_TASK) {
		place->kind = CLI_FLAME_USER;
		return CLI_FLAME_TASK;
	}
	if (place->kind == CLI_FLAME_USER && !strcmp(text, "[waiting_for_work]"))
		place->kind = CLI_FLAME_IDLE;
	kernel = cut_ending(text, "_[k]");
	if (!strcmp(text, "--") || !strcmp(text, "[because_of]"))
		place->kind = CLI_FLAME_WAKER;
	if (place->kind != CLI_FLAME_USER)
		return place->kind;
	if (is_mark(text) && strcmp(text, "[unknown]"))
		return CLI_FLAME_MARK;
	return kernel ? CLI_FLAME_KERNEL : CLI_FLAME_USER;
}

/* Where the tree grows. */
struct growth {
	uint32_t *path;		/* nodes of the stack before, by depth */
	uint32_t depth;
};

/* Return: the index of a name; UINT32_MAX: there is not enough memory. */
static uint32_t name_of(struct cli_flame *flame, enum cli_flame_kind kind, const char *text)
{
	const struct cli_numbered *name = cli_number_of(&flame->texts, "%d%s", kind, text);

	if (flame->texts.failed)
		return UINT32_MAX;
	if (name->number == flame->name_count)
		flame->names[flame->name_count++] =
			(struct cli_flame_name){ name->text + 1, kind };
	return (uint32_t)name->number;
}

static bool same_frame(const struct cli_flame *flame, const struct growth *growth,
		       uint32_t depth, uint32_t name)
{
	return depth <= growth->depth && flame->nodes[growth->path[depth]].name == name;
}

/* Adds one frame, if the stack before did not have it there. */
static bool grow_frame(struct cli_flame *flame, struct growth *growth, uint32_t depth,
		       struct place *place, char *text)
{
	enum cli_flame_kind kind = kind_of(place, text);
	bool wakes = kind == CLI_FLAME_WAKER && !strcmp(text, "--");
	uint32_t name = name_of(flame, kind, wakes ? "woken by" : text);

	if (name == UINT32_MAX)
		return false;
	if (same_frame(flame, growth, depth, name))
		return true;
	flame->nodes[flame->node_count] = (struct cli_flame_node){
		.name = name,
		.parent = growth->path[depth - 1],
		.depth = depth,
	};
	growth->path[depth] = flame->node_count++;
	growth->depth = depth;
	return true;
}

static bool grow_line(struct cli_flame *flame, struct growth *growth,
		      const struct cli_flame_line *line)
{
	struct place place = { flame->tasks ? CLI_FLAME_TASK : CLI_FLAME_USER, true };
	char *copy = strdup(line->folded), *frame, *rest = copy;
	struct cli_flame_times *self;
	uint32_t depth = 0;
	bool done = copy;

	while (done && (frame = strsep(&rest, ";")))
		if (*frame)
			done = grow_frame(flame, growth, ++depth, &place, frame);
	free(copy);
	self = &flame->nodes[growth->path[depth]].self;
	self->now += line->times.now;
	self->before += line->times.before;
	growth->depth = depth;
	return done;
}

static uint64_t weight_of(const struct cli_flame_node *node)
{
	return node->total.now > node->total.before ? node->total.now : node->total.before;
}

/* Children follow their parents, so each is complete when it is added. */
static void sum_up(struct cli_flame *flame)
{
	uint32_t i;

	for (i = flame->node_count; i-- > 0; ) {
		struct cli_flame_node *node = &flame->nodes[i];

		node->total.now += node->self.now;
		node->total.before += node->self.before;
		if (!i)
			break;
		flame->nodes[node->parent].total.now += node->total.now;
		flame->nodes[node->parent].total.before += node->total.before;
	}
}

static int by_place(const void *a, const void *b, void *data)
{
	const struct cli_flame *flame = data;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct cli_flame_node *x = &flame->nodes[i], *y = &flame->nodes[j];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (weight_of(x) != weight_of(y))
		return weight_of(x) > weight_of(y) ? -1 : 1;
	return i < j ? -1 : 1;
}

/* Makes lists of children, the greatest first. */
static bool link_children(struct cli_flame *flame)
{
	uint32_t *order = calloc(flame->node_count, sizeof(*order)), i, n = flame->node_count;
	struct cli_flame_node *nodes = flame->nodes;

	if (!order)
		return false;
	for (i = 1; i < n; i++)
		order[i] = i;
	qsort_r(order + 1, n - 1, sizeof(*order), by_place, flame);
	for (i = 1; i < n; i++) {
		uint32_t parent = nodes[order[i]].parent;

		if (i == 1 || nodes[order[i - 1]].parent != parent)
			nodes[parent].first = order[i];
		else
			nodes[order[i - 1]].next = order[i];
	}
	free(order);
	return true;
}

/**
 * cli_flame_grow() - make the tree, once all stacks are there
 * @flame: the tree
 *
 * Return: false if there was not enough memory.
 */
bool cli_flame_grow(struct cli_flame *flame)
{
	size_t room = count_frames(flame) + 1, i;
	struct growth growth = { };
	bool done;

	if (room >= UINT32_MAX)
		return false;
	/* Without a stack there is no array, either. */
	if (flame->line_count) {
		qsort(flame->lines, flame->line_count, sizeof(*flame->lines), by_frames);
		join_lines(flame);
	}
	flame->nodes = calloc(room, sizeof(*flame->nodes));
	flame->names = calloc(room, sizeof(*flame->names));
	growth.path = calloc(room, sizeof(*growth.path));
	flame->node_count = 1;
	done = flame->nodes && flame->names && growth.path;
	for (i = 0; done && i < flame->line_count; i++)
		done = grow_line(flame, &growth, &flame->lines[i]);
	if (done)
		sum_up(flame);
	free(growth.path);
	return done && link_children(flame);
}

/* Frees all that a tree has. */
void cli_flame_free(struct cli_flame *flame)
{
	size_t n;

	for (n = 0; n < flame->line_count; n++)
		free(flame->lines[n].folded);
	cli_numbers_free(&flame->texts);
	free(flame->lines);
	free(flame->names);
	free(flame->nodes);
}

/**
 * cli_flame_next() - the node behind another one, depth first
 * @flame: the tree
 * @node: 0 is all of it
 * @inside: of @node is wanted, too
 *
 * Return: it; 0 if there is no more.
 */
uint32_t cli_flame_next(const struct cli_flame *flame, uint32_t node, bool inside)
{
	if (inside && flame->nodes[node].first)
		return flame->nodes[node].first;
	while (node && !flame->nodes[node].next)
		node = flame->nodes[node].parent;
	return flame->nodes[node].next;
}

static int by_time(const void *a, const void *b)
{
	const struct cli_flame_line *x = *(const struct cli_flame_line *const *)a;
	const struct cli_flame_line *y = *(const struct cli_flame_line *const *)b;

	if (x->times.now != y->times.now)
		return x->times.now > y->times.now ? -1 : 1;
	if (x->times.before != y->times.before)
		return x->times.before > y->times.before ? -1 : 1;
	return x < y ? -1 : x > y;
}

/**
 * cli_flame_greatest() - the stacks with the most time
 * @flame: the tree
 * @count: so many, if there are
 * @lines: filled with them; has room for so many as there are
 *
 * Return: how many they are.
 */
size_t cli_flame_greatest(const struct cli_flame *flame, size_t count,
			  const struct cli_flame_line **lines)
{
	size_t i;

	for (i = 0; i < flame->line_count; i++)
		lines[i] = &flame->lines[i];
	qsort(lines, flame->line_count, sizeof(*lines), by_time);
	return count < flame->line_count ? count : flame->line_count;
}

static uint64_t change_of(struct cli_flame_times times)
{
	return times.now > times.before ? times.now - times.before :
					  times.before - times.now;
}

/**
 * cli_flame_greatest_change() - how much the frame changed that changed most
 * @flame: the tree
 */
uint64_t cli_flame_greatest_change(const struct cli_flame *flame)
{
	uint64_t greatest = 0, change;
	uint32_t i;

	for (i = 1; i < flame->node_count; i++) {
		change = change_of(flame->nodes[i].total);
		if (change > greatest)
			greatest = change;
	}
	return greatest;
}

/**
 * cli_flame_change_color() - the colour of a frame that is compared
 * @times: of it
 * @greatest: as by cli_flame_greatest_change()
 *
 * The steps are those of the script of the page.
 *
 * Return: red if it grew, blue if it shrank, on a light background.
 */
const char *cli_flame_change_color(struct cli_flame_times times, uint64_t greatest)
{
	static const double least[CLI_FLAME_STEPS] = { 0, 0.002, 0.03, 0.15, 0.5 };
	double share = greatest ? (double)change_of(times) / (double)greatest : 0;
	size_t step = CLI_FLAME_STEPS - 1;

	while (share < least[step])
		step--;
	return (times.now > times.before ? cli_flame_more : cli_flame_less)[step].light;
}
