// SPDX-License-Identifier: GPL-2.0-only
/*
 * screen: schedprof top on a terminal. ncurses has state of its own, and signals are held
 * back but where cli_await() waits; one thread, so nothing is locked.
 */
#include <curses.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "../words.h"
#include "screen.h"
#include "ui.h"

/* At first there is nothing to be seen: so soon there is. */
#define SOON_NS	(500 * CLI_NS_PER_MS)

/* Keys wait no longer than that, while unwind tables are made that are missing. */
#define KEYS_NS	(2 * CLI_NS_PER_S)

/* After an Escape, the rest of what a key sends takes no longer, over a network, too. */
#define ESCAPE_MS	100

static chtype looks[TOP_STYLES];

/*
 * Blue, orange and purple of like brightness: they can be told from each other, and from
 * the grey, by who sees no red, no green or no blue, on black as well as on white.
 */
static void choose_colors(void)
{
	static const struct {
		enum top_style style;
		short many, few;	/* of 256 colours, and of 8 */
	} colors[] = {
		{ TOP_CPU, 33, COLOR_CYAN },
		{ TOP_WAIT, 166, COLOR_YELLOW },
		{ TOP_DISK_SLEEP, 133, COLOR_MAGENTA },
		{ TOP_DIM, 245, -1 },
	};
	size_t i;

	if (!*cli_color(CLI_PLAIN) || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	for (i = 0; i < sizeof(colors) / sizeof(colors[0]); i++) {
		short color = COLORS >= 256 ? colors[i].many : colors[i].few;

		if (color < 0)
			continue;
		init_pair((short)(i + 1), color, -1);
		looks[colors[i].style] |= COLOR_PAIR(i + 1);
	}
}

/* What is told by a colour is told without it, too. */
static void choose_looks(void)
{
	memset(looks, 0, sizeof(looks));
	looks[TOP_BOLD] = A_BOLD;
	looks[TOP_TITLE] = A_BOLD;
	looks[TOP_SORTED] = A_BOLD | A_REVERSE;
	looks[TOP_KEY] = A_BOLD;
	looks[TOP_ALARM] = A_BOLD | A_REVERSE;
	choose_colors();
}

/* Ctrl-S would stop the output, and this program with it, session and all. */
static void keep_output_going(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes))
		return;
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	def_prog_mode();
}

static SCREEN *open_screen(const struct cli_options *o)
{
	SCREEN *screen = newterm(NULL, stdout, stdin);

	if (!screen)
		return NULL;
	cli_colors(o->color, stdout);
	choose_looks();
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		top_names_in_ascii();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	keep_output_going();
	return screen;
}

static void draw_line(int y, const struct top_line *line, chtype all, bool whole)
{
	size_t at = 0, end;

	move(y, 0);
	while (at < line->length) {
		for (end = at; end < line->length && line->style[end] == line->style[at]; end++)
			;
		/* A selected line has one look, so that it is easy to read. */
		attrset(whole ? all : looks[line->style[at]] | all);
		addnstr(line->text + at, (int)(end - at));
		at = end;
	}
	attrset(all);
	if (all) {
		int width = line->width;

		for (; width < COLS; width++)
			addch(' ');
	} else {
		clrtoeol();
	}
	attrset(0);
}

static int draw(struct top_ui *ui)
{
	struct top_line *lines;
	size_t selected;
	int i;

	getmaxyx(stdscr, ui->height, ui->width);
	if (ui->height < 1 || ui->width < 1)
		return CLI_OK;
	lines = calloc((size_t)ui->height, sizeof(*lines));
	if (!lines)
		return cli_no_memory();
	top_ui_draw(ui, lines, &selected);
	for (i = 0; i < ui->height; i++) {
		bool is_selected = (size_t)i == selected;

		draw_line(i, &lines[i], is_selected ? A_REVERSE : i == 2 ? A_UNDERLINE : 0,
			  is_selected);
	}
	refresh();
	free(lines);
	return CLI_OK;
}

static int key_of(int key)
{
	static const struct {
		int from, to;
	} keys[] = {
		{ KEY_UP, TOP_KEY_UP }, { KEY_DOWN, TOP_KEY_DOWN }, { KEY_LEFT, TOP_KEY_LEFT },
		{ KEY_RIGHT, TOP_KEY_RIGHT }, { KEY_PPAGE, TOP_KEY_PAGE_UP },
		{ KEY_NPAGE, TOP_KEY_PAGE_DOWN }, { KEY_HOME, TOP_KEY_HOME },
		{ KEY_END, TOP_KEY_END }, { KEY_ENTER, TOP_KEY_ENTER }, { '\r', TOP_KEY_ENTER },
		{ '\n', TOP_KEY_ENTER }, { KEY_BACKSPACE, TOP_KEY_BACK }, { 0x7f, TOP_KEY_BACK },
		{ '\b', TOP_KEY_BACK }, { 0x1b, TOP_KEY_ESCAPE },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].from == key)
			return keys[i].to;
	return key > 0xff ? TOP_KEY_REDRAW : key;
}

/* Takes all that was typed. */
static int take_keys(struct top_ui *ui)
{
	int key, err = CLI_OK;

	while (!err && !ui->quit && (key = getch()) != ERR) {
		/* As after another program has written there. */
		if (key == 'L' - '@')
			clearok(curscr, TRUE);
		err = top_ui_key(ui, key_of(key));
	}
	return err;
}

/* What is missing is looked for until there is a tick: so one comes also while nothing is due. */
static uint64_t next_tick(const struct top_ui *ui)
{
	uint64_t soon = cli_now() + KEYS_NS;

	return ui->frozen || ui->live->next_ns > soon ? soon : ui->live->next_ns;
}

static bool is_due(const struct top_ui *ui)
{
	return !ui->frozen && cli_now() >= ui->live->next_ns;
}

static int run(struct top_ui *ui, const struct cli_options *o)
{
	struct top_live *live = ui->live;
	enum cli_event event;
	uint64_t done = 0;
	int err = draw(ui);

	while (!err && !ui->quit && !live->ended && (!o->iterations || done < o->iterations)) {
		event = cli_await(&live->profile.await, next_tick(ui));
		if (event == CLI_EVENT_TICK && !is_due(ui))
			continue;
		switch (event) {
		case CLI_EVENT_END:
			return CLI_OK;
		case CLI_EVENT_INPUT:
			err = take_keys(ui);
			break;
		case CLI_EVENT_TICK:
		case CLI_EVENT_NOW:
			top_live_schedule(live);
			err = top_ui_refresh(ui);
			done += !live->missed;
			break;
		default:
			break;
		}
		if (!err)
			err = draw(ui);
	}
	return err;
}

/**
 * top_screen() - until somebody ends it
 * @live: begun
 * @view: what is shown at first
 * @o: the options
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_screen(struct top_live *live, struct top_view *view, struct cli_options *o)
{
	struct top_ui ui;
	SCREEN *screen = open_screen(o);
	int err;

	if (!screen) {
		cli_error("the terminal of the kind '%s' (TERM) cannot be used", top_terminal());
		return CLI_FAILED;
	}
	top_ui_begin(&ui, live, view, o);
	if (live->every_ns > SOON_NS)
		live->next_ns = cli_now() + SOON_NS;
	if (cli_await_input(&live->profile.await)) {
		err = run(&ui, o);
	} else {
		cli_error("the system has no room for another file descriptor");
		err = CLI_FAILED;
	}
	cli_await_no_input(&live->profile.await);
	top_ui_end(&ui);
	endwin();
	delscreen(screen);
	/* What was said is not on the screen any more. */
	if (err)
		cli_error("%s", ui.message);
	return err;
}
