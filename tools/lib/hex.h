/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hex: build-ids as text and as bytes. Pure functions.
 */
#ifndef LIBSP_HEX_H
#define LIBSP_HEX_H

#include <stddef.h>

void libsp_hex(char *text, const unsigned char *bytes, size_t count);
size_t libsp_unhex(const char *text, unsigned char *bytes, size_t room);

#endif
