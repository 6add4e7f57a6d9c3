// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_go: is there Go in a program, and where does its runtime go on with another stack?
 *
 * Goroutines have stacks of their own, and the scheduler and calls of C have that of the
 * thread. The functions that change from one to the other say nothing of it in .debug_frame: by
 * what they say, whoever called is whatever lies on the new stack. They are known by their
 * names, which are also those of what only calls them by another convention. A program
 * without symbols has no .debug_frame either, as the linker leaves out both (-s).
 *
 * Anybody may have made what is read. No state, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind_go.h"

static const char *const switches[] = {
	"runtime.asmcgocall", "runtime.asmcgocall_no_g", "runtime.cgocallback", "runtime.gogo",
	"runtime.mcall", "runtime.morestack", "runtime.systemstack",
};

/* How functions are called, which is behind the name of those in assembly. */
#define ABI	".abi0"

static bool is_named(const struct libsp_section *strings, size_t at, const char *name)
{
	const char *is = (const char *)strings->bytes + at;
	size_t left = strings->size - at, length = strlen(name);

	if (left <= length || memcmp(is, name, length))
		return false;
	return !is[length] || (left - length >= sizeof(ABI) &&
			       !memcmp(is + length, ABI, sizeof(ABI)));
}

static bool is_switch(const struct libsp_section *strings, size_t at)
{
	size_t i;

	for (i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (is_named(strings, at, switches[i]))
			return true;
	return false;
}

static void find_switches(const struct libsp_section *symbols,
			  const struct libsp_section *strings, struct libsp_go *go)
{
	Elf64_Sym symbol;
	size_t at;

	for (at = 0; symbols->size - at >= sizeof(symbol); at += sizeof(symbol)) {
		memcpy(&symbol, symbols->bytes + at, sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
		    symbol.st_name >= strings->size || !is_switch(strings, symbol.st_name))
			continue;
		if (go->count == LIBSP_GO_MAX_SWITCHES)
			return;
		go->switches[go->count++] = symbol.st_value;
	}
}

/* Return: 0 or a negative code. */
int libsp_go_of(const struct libsp_elf *elf, struct libsp_go *go,
		struct schedprof_error *error)
{
	struct libsp_section info, symbols = { }, strings = { };
	int result;

	*go = (struct libsp_go){ };
	/* What linkers for Go write into all of them. */
	result = libsp_elf_section(elf, ".go.buildinfo", &info, error);
	if (result)
		return result;
	go->is = info.bytes;
	free(info.bytes);
	if (!go->is)
		return 0;
	result = libsp_elf_section(elf, ".symtab", &symbols, error);
	if (!result)
		result = libsp_elf_section(elf, ".strtab", &strings, error);
	if (!result && symbols.bytes && strings.bytes)
		find_switches(&symbols, &strings, go);
	free(symbols.bytes);
	free(strings.bytes);
	return result;
}

/* Return: does the function at that address go on with another stack? */
bool libsp_go_switches(const struct libsp_go *go, uint64_t function)
{
	unsigned int i;

	for (i = 0; i < go->count; i++)
		if (go->switches[i] == function)
			return true;
	return false;
}
