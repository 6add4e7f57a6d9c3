// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind_files: the module's attributes for unwind tables. They are here, as debugfs cannot
 * be written where the kernel is locked down.
 *
 * configfs hands over what was written to a binary attribute when it is closed, and drops
 * what comes of it: so last_error says it, and who writes looks there. Locked by what is
 * behind, in unwind/; last_error by the root's mutex.
 */
#include <linux/configfs.h>
#include <linux/module.h>
#include <linux/string.h>

#include "binary_text.h"
#include "control.h"
#include "lib/limits.h"
#include "lib/why.h"
#include "record/live.h"
#include "unwind/spaces.h"
#include "unwind/tables.h"

/* How much of what was written is quoted. */
#define QUOTED		60
/* What is written to unwind_tables: '-', a build-id or a process, and the end of the line. */
#define MAX_WORD_BYTES	(SP_UNWIND_NAME_ROOM + 2)

static void show_tables(struct seq_buf *s, void *unused)
{
	sp_unwind_tables_show(s);
}

static void show_missing(struct seq_buf *s, void *unused)
{
	sp_unwind_missing_show(s, "", '\t', true);
}

static ssize_t unwind_tables_read(struct config_item *item, void *to, size_t room)
{
	return sp_binary_text_read(show_tables, to, room);
}

static ssize_t unwind_missing_read(struct config_item *item, void *to, size_t room)
{
	return sp_binary_text_read(show_missing, to, room);
}

/*
 * Stacks that a table found are remembered; with another one, or none, they may be others.
 * @gone: sp_unwind_tables_gone, before the change. @from, @last: as for sp_live_walk_anew()
 */
static void tables_changed(u32 gone, u64 from, u64 last)
{
	if (READ_ONCE(sp_unwind_tables_gone) != gone)
		sp_live_walk_anew(from, last);
	sp_unwind_spaces_tables_changed();
}

/*
 * A table was taken, which may have replaced one. A file may be mapped anywhere. But generated
 * code is where its table says, and programs that make more of it all the time need not cost
 * others their stacks.
 */
static void table_was_taken(const struct sp_unwind_header *header, u32 gone)
{
	struct sp_unwind_process process;
	u64 from;

	if (!(header->flags & SP_UNWIND_PROCESS)) {
		tables_changed(gone, 0, U64_MAX);
		return;
	}
	memcpy(&process, header->build_id, sizeof(process));
	from = (u64)process.window << 32;
	tables_changed(gone, from, from + BIT_ULL(32));
}

/* What was written may be nothing at all: then it is NULL. */
static ssize_t unwind_table_write(struct config_item *item, const void *blob, size_t bytes)
{
	struct sp_why *why = sp_control_why_lock();
	u32 gone = READ_ONCE(sp_unwind_tables_gone);
	int err = sp_unwind_table_add(blob, bytes, why);

	sp_control_why_unlock();
	if (!err)
		table_was_taken(blob, gone);
	return err ?: bytes;
}

static ssize_t unwind_tables_write(struct config_item *item, const void *text, size_t bytes)
{
	struct sp_why *why = sp_control_why_lock();
	size_t n = min_t(size_t, bytes, MAX_WORD_BYTES);
	u32 gone = READ_ONCE(sp_unwind_tables_gone);
	char word[MAX_WORD_BYTES + 1];
	int err;

	if (n)
		memcpy(word, text, n);
	word[n] = '\0';
	if (n && word[n - 1] == '\n')
		word[n - 1] = '\0';
	if (word[0] == '-' && bytes == n)
		err = sp_unwind_table_remove(word + 1, why);
	else
		err = sp_refuse(why, -EINVAL, "'%*pEhp' is no change of the unwind tables: write '-' and the build-id of one that is to go; new ones are written to unwind_table",
				(int)strnlen(word, QUOTED), word);
	sp_control_why_unlock();
	if (!err)
		tables_changed(gone, 0, U64_MAX);
	return err ?: bytes;
}

/* For root alone: what others run is not everybody's business. */
#define BINARY(_name, _mode, _max, _read, _write)				\
static struct configfs_bin_attribute _name = {					\
	.cb_attr = {								\
		.ca_name = #_name, .ca_mode = _mode, .ca_owner = THIS_MODULE,	\
	},									\
	.cb_max_size = _max, .read = _read, .write = _write,			\
}

BINARY(unwind_table, 0200, SP_UNWIND_MAX_BYTES, NULL, unwind_table_write);
BINARY(unwind_tables, 0600, SP_UNWIND_MAX_BYTES, unwind_tables_read, unwind_tables_write);
BINARY(unwind_missing, 0400, SP_UNWIND_MAX_BYTES, unwind_missing_read, NULL);

struct configfs_bin_attribute *sp_unwind_attributes[] = {
	&unwind_table,
	&unwind_tables,
	&unwind_missing,
	NULL
};
