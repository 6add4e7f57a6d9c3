// SPDX-License-Identifier: GPL-2.0-only
/*
 * find: from names, globs and groups to functions that can be
 * instrumented.
 *
 * The kernel does not let modules enumerate its symbols. But it names the symbol
 * of any address, and tells how long it is; so all of them are found by stepping
 * from one to the next, from a function that is exported to both ends of the
 * text. One pass does for all globs of a write.
 *
 * Whether a function can be instrumented is asked of the kernel: a disabled
 * kprobe is registered on it, which changes no code, and removed again.
 *
 * Process context only; what is here belongs to one caller, so no lock.
 */
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "func/list.h"
#include "func/probe.h"
#include "lib/limits.h"
#include "lib/memory.h"
#include "lib/symbol.h"
#include "lib/why.h"

/* Many of what globs match cannot be instrumented. */
#define MAX_FOUND	(8 * SP_MAX_FUNCTIONS)
/* Probes that are tried before they are removed, all with one grace period. */
#define MAX_TRIED	256
/* Characters of what a user wrote, in a sentence. */
#define QUOTED		48
#define QUOTE(word)	(int)min_t(size_t, strlen(word), QUOTED), (word)

/*
 * What runs under locks that our handlers take, or is a part of how functions
 * are instrumented.
 */
static const char *const never[] = {
	"_raw_*", "__raw_*", "*queued_spin_lock*", "*queued_read_lock*",
	"*queued_write_lock*", "do_raw_*", "__rcu_read_*", "rcu_is_watching",
	"lock_acquire*", "lock_release*", "mem[cs]*", "memmove*", "__mem*",
	"ktime_get_*fast_ns", "preempt_count_*", "*kprobe*", "*rethook*",
	"*kretprobe*", "*fprobe*", "ftrace_*", "*fgraph*", "function_graph_*",
	"objpool_*", "__switch_to*", "irq_work_queue*",
};

/* Names that one and the same system call without arguments may have. */
static const struct {
	const char *seen, *meant;
} twins[] = {
	{ "__do_sys_", "__x64_sys_" }, { "__ia32_sys_", "__x64_sys_" },
	{ "__se_sys_", "__x64_sys_" }, { "__do_sys_", "__arm64_sys_" },
	{ "__se_sys_", "__arm64_sys_" },
};

/* A symbol, as the kernel tells about an address in it. */
struct symbol {
	unsigned long start, size;
	const char *module;	/* in text; "": the kernel itself */
	char text[KSYM_SYMBOL_LEN];	/* begins with its name */
};

/* A word that a user wrote, or a glob of a group that he wrote. */
struct want {
	const char *pattern;	/* without the module */
	char module[MODULE_NAME_LEN + 1];	/* "": the kernel itself */
	const char *word;	/* as it was written */
	bool glob;
	u32 matched;
	u32 usable;
};

struct found {
	unsigned long address;
	unsigned long probe;	/* 0: cannot be instrumented */
	struct want *by;	/* first that matched */
	char *name;		/* owned, as the next; NULL for a copy */
	char *module;
};

struct search {
	struct sp_why *why;
	const struct sp_function_list *old;	/* what is known already; or NULL */
	struct want *wants;
	u32 want_count;
	struct found *found;
	u32 found_count;
	struct symbol symbol;
	char cut[KSYM_SYMBOL_LEN];	/* a name without its suffix */
	struct kprobe probes[MAX_TRIED];
	struct kprobe *tried[MAX_TRIED];
};

/* Returns false if there is no symbol at the address. */
static bool look_up(struct symbol *symbol, unsigned long address)
{
	unsigned long offset;
	char *numbers, *module;

	sprint_symbol(symbol->text, address);
	/* As in name+0x10/0x20 [module] */
	numbers = strrchr(symbol->text, '+');
	if (!numbers || sscanf(numbers, "+%lx/%lx", &offset, &symbol->size) != 2 ||
	    offset >= symbol->size)
		return false;
	symbol->start = address - offset;
	*numbers = '\0';
	symbol->module = "";
	module = strchr(numbers + 1, '[');
	if (module) {
		module[strcspn(module, " ]")] = '\0';
		symbol->module = module + 1;
	}
	return true;
}

static bool is_never(const struct symbol *symbol)
{
	unsigned int i;

	if (!strcmp(symbol->module, KBUILD_MODNAME))
		return true;
	for (i = 0; i < ARRAY_SIZE(never); i++)
		if (glob_match(never[i], symbol->text))
			return true;
	return false;
}

/*
 * Where a name is that the kernel does not tell of the address, because
 * another one is there, too.
 */
static bool is_at(const char *name, unsigned long address)
{
	unsigned long at = sp_symbol_find(name);

	return at && at - address < 16;
}

/* What compilers append may have been left out of the name. */
static bool is_called(const struct symbol *symbol, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(symbol->text, name, length) &&
	       (!symbol->text[length] || symbol->text[length] == '.');
}

/**
 * sp_function_check() - is a function where it was found?
 * @function: the function
 *
 * Its module may have been unloaded, and another one be there.
 *
 * Return: 0, -ENOENT if it is not there, or -ENOMEM if that cannot be told.
 */
int sp_function_check(const struct sp_function *function)
{
	struct symbol *symbol = kmalloc(sizeof(*symbol), GFP_KERNEL);
	bool there;

	if (!symbol)
		return -ENOMEM;
	there = look_up(symbol, function->address) &&
		symbol->start == function->address &&
		!strcmp(symbol->module, function->module) &&
		(is_called(symbol, function->name) ||
		 is_at(function->name, function->address));
	kfree(symbol);
	return there ? 0 : -ENOENT;
}

/* Parts of functions, which are no functions of their own. */
static bool is_part(const char *name)
{
	return !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6) ||
	       strstr(name, ".cold") || strstr(name, ".part.");
}

static int no_memory(struct sp_why *why)
{
	return sp_refuse(why, -ENOMEM, "there is not enough memory for the list of functions; try again");
}

static int add_function(struct search *search, struct want *want, const char *name,
			unsigned long probe)
{
	struct symbol *symbol = &search->symbol;
	struct found *found = &search->found[search->found_count];

	want->matched++;
	if (search->found_count == MAX_FOUND)
		return sp_refuse(search->why, -ENOSPC, "'%*pEhp' and the rest match more than %d functions, and a session instruments at most %d; write less",
				 QUOTE(want->word), MAX_FOUND, SP_MAX_FUNCTIONS);
	*found = (struct found) {
		.address = symbol->start, .probe = probe, .by = want,
		.name = kstrdup(name, GFP_KERNEL),
		.module = kstrdup(symbol->module, GFP_KERNEL),
	};
	search->found_count++;
	return found->name && found->module ? 0 : no_memory(search->why);
}

/* Compilers append .isra.0 and the like. */
static const char *without_suffix(struct search *search, const char *name)
{
	strscpy(search->cut, name, sizeof(search->cut));
	search->cut[strcspn(search->cut, ".")] = '\0';
	return search->cut;
}

/* Returns the name under which it matches, or NULL. */
static const char *matching_name(struct search *search, const struct want *want)
{
	const struct symbol *symbol = &search->symbol;
	unsigned int i;

	if (strcmp(symbol->module, want->module))
		return NULL;
	if (glob_match(want->pattern, symbol->text) ||
	    (strchr(symbol->text, '.') &&
	     glob_match(want->pattern, without_suffix(search, symbol->text))))
		return symbol->text;
	for (i = 0; i < ARRAY_SIZE(twins); i++) {
		size_t len = strlen(twins[i].seen);

		if (strncmp(symbol->text, twins[i].seen, len))
			continue;
		snprintf(search->cut, sizeof(search->cut), "%s%s", twins[i].meant,
			 symbol->text + len);
		if (glob_match(want->pattern, search->cut) &&
		    is_at(search->cut, symbol->start))
			return search->cut;
	}
	return NULL;
}

/* Returns 0, an errno, or 1 where the text ends. */
static int visit_symbol(struct search *search)
{
	const struct symbol *symbol = &search->symbol;
	int err = 0;
	u32 i;

	if (!strcmp(symbol->text, "_etext") || !strcmp(symbol->text, "__start_rodata"))
		return 1;
	if (is_part(symbol->text))
		return 0;
	for (i = 0; i < search->want_count && !err; i++) {
		const char *name;

		if (!search->wants[i].glob)
			continue;
		name = matching_name(search, &search->wants[i]);
		if (name)
			err = add_function(search, &search->wants[i], name, 0);
	}
	return err;
}

/* One symbol after the other, as long as they are of the module. */
static int walk_symbols(struct search *search, const char *module, unsigned long at,
			bool down)
{
	struct symbol *symbol = &search->symbol;
	unsigned int steps = 0;
	int err = 0;

	while (!err && look_up(symbol, at) && !strcmp(symbol->module, module)) {
		at = down ? symbol->start - 1 : symbol->start + symbol->size;
		err = visit_symbol(search);
		if (!(++steps % 64))
			cond_resched();
	}
	return min(err, 0);
}

/* All symbols around an address, up to both ends. */
static int visit_around(struct search *search, const char *module, unsigned long from)
{
	int err = walk_symbols(search, module, from, false);

	if (err || !look_up(&search->symbol, from))
		return err;
	return walk_symbols(search, module, search->symbol.start - 1, true);
}

static bool can_be_probed(const struct kprobe *probe)
{
	/* Others are broken into, which does not nest in interrupts. */
	if (IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		return probe->flags & KPROBE_FLAG_FTRACE;
	return sp_probes_take((unsigned long)probe->addr);
}

/* Which of the found ones, from the first on, can be instrumented? */
static u32 try_some(struct search *search, u32 first)
{
	u32 i, n = 0, last = min_t(u32, search->found_count, first + MAX_TRIED);

	for (i = first; i < last; i++) {
		struct found *found = &search->found[i];
		struct kprobe *probe = &search->probes[n];
		const struct sp_function *known = NULL;

		if (search->old)
			known = sp_function_at(search->old, found->address);
		if (known)
			found->probe = known->probe;
		if (found->probe || !look_up(&search->symbol, found->address) ||
		    is_never(&search->symbol))
			continue;
		memset(probe, 0, sizeof(*probe));
		probe->addr = (kprobe_opcode_t *)found->address;
		probe->flags = KPROBE_FLAG_DISABLED;
		if (register_kprobe(probe))
			continue;
		if (can_be_probed(probe))
			found->probe = (unsigned long)probe->addr;
		search->tried[n++] = probe;
		cond_resched();
	}
	if (n)
		unregister_kprobes(search->tried, n);
	return last;
}

static int refuse_probe(struct search *search, const struct want *want)
{
	return sp_refuse(search->why, -EINVAL, "'%*pEhp' cannot be instrumented, because the kernel allows no probe at its entry, or needs it for this; leave it out",
			 QUOTE(want->word));
}

/* Names are looked up by the kernel, in modules, too. */
static int find_name(struct search *search, struct want *want)
{
	struct kprobe probe = {
		.symbol_name = want->word, .flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&probe);
	bool fit;

	if (err == -ENOENT)
		return sp_refuse(search->why, -ENOENT, "there is no function '%*pEhp'; look for it in /proc/kallsyms, and write MODULE:FUNCTION for one of a module",
				 QUOTE(want->word));
	if (err)
		return refuse_probe(search, want);
	fit = can_be_probed(&probe) && look_up(&search->symbol, (unsigned long)probe.addr) &&
	      !is_never(&search->symbol);
	unregister_kprobe(&probe);
	if (!fit)
		return refuse_probe(search, want);
	want->usable++;
	return add_function(search, want, want->pattern, (unsigned long)probe.addr);
}

/* Where a module is that has to be walked: nearly all can be unloaded. */
static unsigned long place_of(const char *module)
{
	char name[MODULE_NAME_LEN + 16];

	snprintf(name, sizeof(name), "%s:cleanup_module", module);
	return sp_symbol_find(name);
}

static bool walked_already(const struct search *search, const struct want *want)
{
	const struct want *other;

	for (other = search->wants; other < want; other++)
		if (other->glob && !strcmp(other->module, want->module))
			return true;
	return false;
}

static int find_all(struct search *search)
{
	struct want *want = search->wants;
	unsigned long from;
	int err = 0;

	for (; want < search->wants + search->want_count && !err; want++) {
		if (!want->glob) {
			err = find_name(search, want);
			continue;
		}
		if (walked_already(search, want))
			continue;
		from = want->module[0] ? place_of(want->module) :
					 (unsigned long)sprint_symbol;
		if (!from)
			err = sp_refuse(search->why, -ENOENT, "the functions of module '%*pEhp' cannot be listed; load it, or write their names in full",
					QUOTE(want->module));
		else
			err = visit_around(search, want->module, from);
	}
	return err;
}

static int by_address(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* Those that were named first. */
	return !x->probe - !y->probe;
}

static int refuse_unused(struct search *search)
{
	u32 i, j;

	for (i = 0; i < search->want_count; i++) {
		const struct want *want = &search->wants[i];
		u32 matched = 0, usable = 0;

		if (!want->glob)
			continue;
		/* Of the globs of a group, one is enough. */
		for (j = 0; j < search->want_count; j++) {
			if (search->wants[j].word != want->word)
				continue;
			matched += search->wants[j].matched;
			usable += search->wants[j].usable;
		}
		if (!matched)
			return sp_refuse(search->why, -ENOENT, "'%*pEhp' matches no function; look for them in /proc/kallsyms",
					 QUOTE(want->word));
		if (!usable)
			return sp_refuse(search->why, -EINVAL, "none of what '%*pEhp' matches can be instrumented, because the kernel allows no probes there; write other functions",
					 QUOTE(want->word));
	}
	return 0;
}

/* Sorts, and leaves each function once. Returns how many are left. */
static u32 sort_functions(struct search *search)
{
	struct found *found = search->found;
	u32 i, n = 0;

	sort(found, search->found_count, sizeof(*found), by_address, NULL);
	for (i = 0; i < search->found_count; i++) {
		found[i].by->usable += !!found[i].probe;
		if (n && found[i].address == found[n - 1].address)
			continue;
		swap(found[n], found[i]);
		n++;
	}
	return n;
}

static int to_list(struct search *search, const char *text,
		   struct sp_function_list **result)
{
	struct sp_function_list *list;
	u32 i, n = 0, count = sort_functions(search), left_out = 0;
	int err = refuse_unused(search);

	if (err)
		return err;
	for (i = 0; i < count; i++)
		left_out += !search->found[i].probe;
	count -= left_out;
	if (count > SP_MAX_FUNCTIONS)
		return sp_refuse(search->why, -ENOSPC, "these are %u functions, and a session instruments at most %d; write less, or use a second session",
				 count, SP_MAX_FUNCTIONS);
	list = sp_function_list_alloc(text, count);
	if (!list)
		return no_memory(search->why);
	list->left_out = left_out;
	for (i = 0; n < count; i++) {
		struct found *found = &search->found[i];

		if (!found->probe)
			continue;
		list->function[n++] = (struct sp_function) {
			.address = found->address, .probe = found->probe,
			.name = found->name, .module = found->module,
		};
		found->name = NULL;
		found->module = NULL;
	}
	*result = list;
	return 0;
}

/* "module:pattern" or "pattern"; both parts are cut to what fits. */
static void set_want(struct want *want, const char *word, const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	want->word = word;
	want->pattern = colon ? colon + 1 : pattern;
	if (colon)
		strscpy(want->module, pattern,
			min_t(size_t, sizeof(want->module), colon - pattern + 1));
	want->glob = strpbrk(want->pattern, "*?[");
}

/* How many wants a word is; 0: there is no such group. */
static u32 count_wants(const char *word)
{
	const char *const *globs;
	u32 n = 0;

	if (word[0] != '@')
		return 1;
	globs = sp_function_group(word);
	while (globs && globs[n])
		n++;
	return n;
}

static int set_wants(struct search *search, char *words)
{
	struct want *want;
	char *rest = words, *word;
	u32 count = 0;

	for (word = rest; *word; word += strlen(word) + 1) {
		u32 n = count_wants(word);

		if (!n)
			return sp_refuse(search->why, -ENOENT, "there is no group '%*pEhp'; there are%s",
					 QUOTE(word), sp_function_group_names);
		count += n;
	}
	search->wants = sp_alloc(count * sizeof(*search->wants));
	if (!search->wants)
		return no_memory(search->why);
	want = search->wants;
	for (word = rest; *word; word += strlen(word) + 1) {
		const char *const *globs;

		if (word[0] != '@') {
			set_want(want++, word, word);
			continue;
		}
		for (globs = sp_function_group(word); *globs; globs++) {
			want->word = word;
			want->pattern = *globs;
			want->glob = true;
			want++;
		}
	}
	search->want_count = count;
	return 0;
}

static void free_search(struct search *search)
{
	u32 i;

	for (i = 0; search->found && i < search->found_count; i++) {
		kfree(search->found[i].name);
		kfree(search->found[i].module);
	}
	vfree(search->found);
	vfree(search->wants);
	vfree(search);
}

/* Words end with a NUL each, the last one with two. */
static char *split_list(const char *text)
{
	char *words = kzalloc(strlen(text) + 2, GFP_KERNEL), *at;

	if (words) {
		strcpy(words, text);
		for (at = words; *at; at++)
			if (*at == ' ')
				*at = '\0';
	}
	return words;
}

/**
 * sp_function_list_make() - find what a user wants to be instrumented
 * @text: names, globs and groups, with one blank between them
 * @old: a list whose functions need not be tried again; or NULL
 * @why: filled on failure
 *
 * Takes a second for globs: the kernel has some hundred thousand symbols.
 *
 * Return: the list with one reference, or ERR_PTR(): -ENOENT for what is not
 * there, -EINVAL for what cannot be instrumented, -ENOSPC for too many
 * functions, or -ENOMEM.
 */
struct sp_function_list *sp_function_list_make(const char *text,
					       const struct sp_function_list *old,
					       struct sp_why *why)
{
	struct search *search = sp_alloc(sizeof(*search));
	struct sp_function_list *list = NULL;
	char *words = split_list(text);
	u32 next = 0;
	int err;

	if (!search || !words) {
		vfree(search);
		kfree(words);
		return ERR_PTR(no_memory(why));
	}
	search->why = why;
	search->old = old;
	search->found = sp_alloc(MAX_FOUND * sizeof(*search->found));
	err = search->found ? set_wants(search, words) : no_memory(why);
	if (!err)
		err = find_all(search);
	while (!err && next < search->found_count)
		next = try_some(search, next);
	if (!err)
		err = to_list(search, text, &list);
	free_search(search);
	kfree(words);
	return err ? ERR_PTR(err) : list;
}
