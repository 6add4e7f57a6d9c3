// SPDX-License-Identifier: GPL-2.0-only
/*
 * text: how names, times, shares and addresses read. No state, no lock.
 *
 * Names come from whoever runs programs on this machine: whatever could forge
 * a line, a frame or a terminal's control sequence is made visible.
 */
#include <linux/kallsyms.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "lib/export.h"
#include "lib/text.h"

#define BAR_WIDTH 40

/*
 * How many bytes there are a character of UTF-8 that a terminal only prints: control
 * characters are above 0x7f, too, and begin with 0xc2. 0: they are none.
 */
static unsigned int printable(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	unsigned int i, n;

	if (*at < 0x80)
		return *at >= ' ' && *at != 0x7f;
	if (*at < 0xc2 || *at > 0xf4)
		return 0;
	n = *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
	for (i = 1; i < n; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((*at == 0xc2 && at[1] < 0xa0) ||	/* control characters */
	    (*at == 0xe0 && at[1] < 0xa0) ||	/* longer than need be */
	    (*at == 0xf0 && at[1] < 0x90) ||
	    (*at == 0xed && at[1] >= 0xa0) ||	/* half of a pair */
	    (*at == 0xf4 && at[1] >= 0x90))	/* beyond the last one */
		return 0;
	return n;
}

/**
 * sp_text_plain() - a name for people
 * @s: where to
 * @name: printed with what cannot be printed as \xHH
 */
void sp_text_plain(struct seq_buf *s, const char *name)
{
	unsigned int n;

	for (; *name; name += n ?: 1) {
		n = printable(name);
		if (n)
			sp_put(s, name, n);
		else
			seq_buf_printf(s, "\\x%02x", (unsigned char)*name);
	}
}
SP_EXPORT_FOR_KUNIT(sp_text_plain);

/**
 * sp_text_folded() - a name in a folded stack
 * @s: where to
 * @name: blanks, semicolons, and bytes of what cannot be printed become underscores
 */
void sp_text_folded(struct seq_buf *s, const char *name)
{
	unsigned int n;

	for (; *name; name += n ?: 1) {
		n = *name == ' ' || *name == ';' ? 0 : printable(name);
		if (n)
			sp_put(s, name, n);
		else
			sp_putc(s, '_');
	}
}
SP_EXPORT_FOR_KUNIT(sp_text_folded);

/**
 * sp_text_name() - a name that anybody can choose, where words of ours and frames can be
 * @s: where to
 * @name: passes for none of them: an opening bracket becomes a parenthesis
 * @show: sp_text_plain() or sp_text_folded()
 */
void sp_text_name(struct seq_buf *s, const char *name,
		  void (*show)(struct seq_buf *s, const char *name))
{
	size_t at = s->len;

	show(s, name);
	for (; at < min_t(size_t, s->len, s->size); at++)
		if (s->buffer[at] == '[')
			s->buffer[at] = '(';
}

/**
 * sp_text_time() - a duration for people
 * @s: where to
 * @ns: nanoseconds; printed in ns, us, ms or s, with three decimals
 */
void sp_text_time(struct seq_buf *s, u64 ns)
{
	static const char *const units[] = { "us", "ms", "s" };
	u64 unit = 1000;
	unsigned int i;

	if (ns < 1000) {
		seq_buf_printf(s, "%llu ns", ns);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(units) - 1 && ns >= unit * 1000; i++)
		unit *= 1000;
	seq_buf_printf(s, "%llu.%03llu %s", div64_u64(ns, unit),
		       div64_u64(ns, unit / 1000) % 1000, units[i]);
}
SP_EXPORT_FOR_KUNIT(sp_text_time);

/* Part of the whole in units of 1/1000, rounded. */
static u64 permille(u64 part, u64 whole)
{
	/* Times 1000, and half of the whole: both must fit in 64 bits. */
	if (whole >> 53) {
		part >>= 11;
		whole >>= 11;
	}
	return whole ? div64_u64(part * 1000 + whole / 2, whole) : 0;
}

/**
 * sp_text_share() - a share in percent
 * @s: where to
 * @part: not more than @whole
 * @whole: 0 gives 0.0%
 */
void sp_text_share(struct seq_buf *s, u64 part, u64 whole)
{
	u64 share = permille(part, whole);

	seq_buf_printf(s, "%llu.%llu%%", div_u64(share, 10), share % 10);
}
SP_EXPORT_FOR_KUNIT(sp_text_share);

/**
 * sp_text_bar() - a share as a bar
 * @s: where to
 * @part: not more than @whole; more than 0 gives at least one sign
 * @whole: the longest bar
 */
void sp_text_bar(struct seq_buf *s, u64 part, u64 whole)
{
	u64 n = div_u64(permille(part, whole) * BAR_WIDTH, 1000);

	if (part && !n)
		n = 1;
	while (n--)
		sp_putc(s, '#');
}
SP_EXPORT_FOR_KUNIT(sp_text_bar);

/* A raw address, as the kernel prints what it knows no symbol for. */
static bool is_nameless(const char *symbol)
{
	return symbol[0] == '0' && symbol[1] == 'x';
}

/**
 * sp_text_symbol() - a kernel frame for people
 * @s: where to
 * @address: a return address; the call lies before it
 *
 * Context: process. An address without a symbol is not printed: it could tell
 * where the kernel lies.
 */
void sp_text_symbol(struct seq_buf *s, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];

	snprintf(symbol, sizeof(symbol), "%pB", (void *)address);
	sp_puts(s, is_nameless(symbol) ? "[unknown]" : symbol);
}
SP_EXPORT_FOR_KUNIT(sp_text_symbol);

/**
 * sp_text_function() - a kernel frame in a folded stack
 * @s: where to
 * @address: a return address; the call lies before it
 */
void sp_text_function(struct seq_buf *s, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];

	snprintf(symbol, sizeof(symbol), "%ps", (void *)(address - 1));
	/* What follows a blank is the name of the module. */
	symbol[strcspn(symbol, " ")] = '\0';
	seq_buf_printf(s, "%s_[k]", is_nameless(symbol) ? "[unknown]" : symbol);
}
SP_EXPORT_FOR_KUNIT(sp_text_function);
