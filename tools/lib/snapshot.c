// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * snapshot: what programs ask of a recording. A recording does not change once it is
 * parsed, so nothing is locked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "arena.h"
#include "recording.h"
#include "schedprof.h"

LIBSP_EXPORT void schedprof_recording_free(struct schedprof_recording *recording)
{
	if (!recording)
		return;
	libsp_arena_free(&recording->arena);
	free(recording->bytes);
	free(recording);
}

LIBSP_EXPORT const char *schedprof_meta(const struct schedprof_recording *recording,
					const char *name)
{
	const struct libsp_meta wanted = { .name = name }, *found;

	/* There is one for each name, and they may be asked for at each frame. */
	found = bsearch(&wanted, recording->by_name.at, recording->by_name.count,
			sizeof(wanted), libsp_by_name);
	return found ? found->value : NULL;
}

LIBSP_EXPORT bool schedprof_meta_number(const struct schedprof_recording *recording,
					const char *name, uint64_t *value)
{
	const char *text = schedprof_meta(recording, name);
	uint64_t number;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end)
		return false;
	*value = number;
	return true;
}

LIBSP_EXPORT bool schedprof_meta_at(const struct schedprof_recording *recording,
				    size_t index, const char **name,
				    const char **value)
{
	const struct libsp_meta *meta = recording->meta.at;

	if (index >= recording->meta.count)
		return false;
	*name = meta[index].name;
	*value = meta[index].value;
	return true;
}

LIBSP_EXPORT const char *schedprof_unit(const struct schedprof_recording *recording)
{
	const char *unit = schedprof_meta(recording, "unit");

	return unit && !strcmp(unit, "cycles") ? "cycles" : "ns";
}

LIBSP_EXPORT const char *schedprof_schema(const struct schedprof_recording *recording)
{
	return recording->schema;
}

/* The array at @offset of the recording. */
static const struct libsp_list *list_at(const struct schedprof_recording *recording,
					size_t offset)
{
	return (const void *)((const char *)recording + offset);
}

/* The functions that tell how many elements an array has, and one of them. */
#define LIST(type, list)						\
LIBSP_EXPORT size_t schedprof_##type##_count(const struct schedprof_recording *recording) \
{									\
	return list_at(recording,					\
		       offsetof(struct schedprof_recording, list))->count; \
}									\
									\
LIBSP_EXPORT const struct schedprof_##type *				\
schedprof_##type##_at(const struct schedprof_recording *recording, size_t index) \
{									\
	const struct libsp_list *of = list_at(recording,		\
			offsetof(struct schedprof_recording, list));	\
	const struct schedprof_##type *first = of->at;			\
									\
	return index < of->count ? &first[index] : NULL;		\
}

LIST(task, tasks)
LIST(stack, stacks)
LIST(entry, entries)
LIST(ledger, ledgers)
LIST(blame, blames)
LIST(histogram, histogram)
LIST(function, functions)
LIST(event, events)
LIST(symbol, symbols)
LIST(mapping, mappings)

LIBSP_EXPORT const struct schedprof_symbol *
schedprof_symbol_find(const struct schedprof_recording *recording, uint64_t address)
{
	const struct schedprof_symbol wanted = { .address = address };

	/* Without symbols there is no array of them. */
	if (!recording->symbols.count)
		return NULL;
	return bsearch(&wanted, recording->symbols.at, recording->symbols.count,
		       sizeof(wanted), libsp_by_address);
}
