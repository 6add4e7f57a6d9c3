// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_elf: anything at all as a program, of which a frame shall have a name: its headers,
 * build-id, symbols, names of C++ and Rust, lines, and the debug file that it names. For
 * clang's libFuzzer; one thread.
 *
 * The first two bytes are an offset in the file, the third says how: as a program; as one
 * with a debug file, which is the rest from its middle on; or as a name alone.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_file.h"
#include "schedprof.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every byte that is handed out is read. */
static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static void look_up(const char *path, uint64_t offset)
{
	struct schedprof_symbolizer *symbolizer;
	struct schedprof_error error = { };
	struct schedprof_place place;
	size_t length = 0;
	unsigned int i;
	int result;

	symbolizer = schedprof_symbolizer_open(&error);
	if (!symbolizer || schedprof_symbolizer_set_debug_path(symbolizer, fuzz_directory(),
							       &error))
		abort();
	for (i = 0; i < 4; i++) {
		memset(&error, 0, sizeof(error));
		result = schedprof_symbolize(symbolizer, 0, path, offset << (3 * i), &place,
					     sizeof(place), &error);
		if (result && (!*error.message || error.code != -result))
			abort();
		if (!result)
			length += length_of(place.function) + length_of(place.linkage_name) +
				  length_of(place.source) + length_of(place.build_id);
	}
	if (length > SIZE_MAX / 2)
		abort();
	schedprof_symbolizer_close(symbolizer);
}

static void demangle(const uint8_t *data, size_t size)
{
	char *name = malloc(size + 1), *text;

	memcpy(name, data, size);
	name[size] = '\0';
	text = schedprof_demangle(name);
	length_of(text);
	free(text);
	free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t offset;
	uint8_t how;

	if (size < 4)
		return 0;
	offset = data[0] | data[1] << 8;
	how = data[2] % 4;
	data += 3;
	size -= 3;
	if (how == 3) {
		demangle(data, size);
		return 0;
	}
	fuzz_file("program.debug", data + size / 2 * (how == 2), size - size / 2 * (how == 2));
	look_up(fuzz_file("program", data, size), offset);
	return 0;
}
