// SPDX-License-Identifier: GPL-2.0-only
/*
 * mapped RAW: which files the programs in a file raw had mapped, a line for each
 * mapping: path, major:minor, inode, mtime in ns, generation, build-id; or "unknown"
 * behind the path. raw has checked the file; nothing of it is checked here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "raw_format.h"

static char *image;
static size_t bytes;

/* The next record of a kind; NULL: there is none. */
static const struct sp_raw_record *next(const struct sp_raw_record *record, uint32_t kind)
{
	const char *at = record ? (const char *)(record + 1) + (record->bytes + 7) / 8 * 8 :
				  image;

	for (; at < image + bytes; at = (const char *)(record + 1) + (record->bytes + 7) / 8 * 8) {
		record = (const void *)at;
		if (record->kind == kind)
			return record;
	}
	return NULL;
}

/* Of a mapping, by its place in the file. */
static uint32_t number_of(uint32_t mapping)
{
	const struct sp_raw_record *record = NULL;

	while ((record = next(record, SP_RAW_FILES))) {
		const struct sp_raw_files *files = (const void *)(record + 1);

		if (mapping >= files->first && mapping - files->first < files->count)
			return ((const uint32_t *)(files + 1))[mapping - files->first];
	}
	return 0;
}

static const struct sp_raw_file *file_of(uint32_t number)
{
	const struct sp_raw_record *record = NULL;

	while ((record = next(record, SP_RAW_FILE)))
		if (((const struct sp_raw_file *)(record + 1))->number == number)
			return (const void *)(record + 1);
	return NULL;
}

static void print(const struct sp_raw_record *record, const struct sp_raw_file *file)
{
	const struct sp_raw_mapping *mapping = (const void *)(record + 1);
	uint32_t i;

	printf("%.*s", (int)(record->bytes - sizeof(*mapping)), (const char *)(mapping + 1));
	if (!file) {
		puts(" unknown");
		return;
	}
	printf(" %u:%u %" PRIu64 " %" PRIu64 " %u ", file->device_major,
	       file->device_minor, (uint64_t)file->inode, (uint64_t)file->mtime_ns,
	       file->generation);
	for (i = 0; i < file->build_id_bytes; i++)
		printf("%02x", file->build_id[i]);
	puts(file->build_id_bytes ? "" : "-");
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	const struct sp_raw_record *record = NULL;
	uint32_t number = 0;
	size_t got;

	if (!file) {
		fprintf(stderr, "usage: mapped RAW\n");
		return 2;
	}
	do {
		image = realloc(image, bytes + 65536);
		got = image ? fread(image + bytes, 1, 65536, file) : 0;
		bytes += got;
	} while (got);
	while ((record = next(record, SP_RAW_MAPPING))) {
		const struct sp_raw_mapping *mapping = (const void *)(record + 1);

		if (mapping->kind == SP_RAW_MAPPING_FILE)
			print(record, file_of(number_of(number)));
		number++;
	}
	fclose(file);
	return 0;
}
