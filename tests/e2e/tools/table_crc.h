/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checksum of unwind tables, for programs that write such as libschedprof would not.
 */
#ifndef TABLE_CRC_H
#define TABLE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* As zlib's crc32(). */
static inline uint32_t table_crc(const void *data, size_t bytes)
{
	const uint8_t *at = data;
	uint32_t crc = ~0u;
	unsigned int bit;

	while (bytes--) {
		crc ^= *at++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

#endif
