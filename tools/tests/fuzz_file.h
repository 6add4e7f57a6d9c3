/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_file: files for fuzzers, in a directory of their own that is removed at the end.
 * One thread.
 */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

const char *fuzz_directory(void);
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
void fuzz_checksums(uint8_t *at, size_t size);

#endif
