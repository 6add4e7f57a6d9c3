/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all text is printed into, be it for a file, an attribute or a buffer: the
 * kernel's seq_buf. Of its functions kernels before 6.12 export only
 * seq_buf_printf() to modules; these do the rest with those that are inline.
 */
#ifndef SP_LIB_PRINT_H
#define SP_LIB_PRINT_H

#include <linux/seq_buf.h>
#include <linux/string.h>

/**
 * sp_put() - some bytes, or none of them if there is no room for all
 * @s: where to
 * @data: copied
 * @bytes: how many
 */
static inline void sp_put(struct seq_buf *s, const void *data, size_t bytes)
{
	char *room;

	/* Nothing fits, too, where something did not. */
	if (!bytes)
		return;
	if (seq_buf_get_buf(s, &room) < bytes) {
		seq_buf_commit(s, -1);
		return;
	}
	memcpy(room, data, bytes);
	seq_buf_commit(s, bytes);
}

/* A text. */
static inline void sp_puts(struct seq_buf *s, const char *text)
{
	sp_put(s, text, strlen(text));
}

/* A sign. */
static inline void sp_putc(struct seq_buf *s, char c)
{
	sp_put(s, &c, 1);
}

#endif
