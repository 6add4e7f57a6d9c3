/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * message: messages of protobuf in memory, written by nanopb. One thread, so nothing is
 * locked.
 */
#ifndef CLI_EXPORT_MESSAGE_H
#define CLI_EXPORT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero at first. */
struct cli_message {
	uint8_t *at;
	size_t size, room;
	bool failed;			/* there was no memory; what is in it is wrong */
};

void cli_put_number(struct cli_message *message, uint32_t field, uint64_t value);
void cli_put_any_number(struct cli_message *message, uint32_t field, uint64_t value);
void cli_put_fixed64(struct cli_message *message, uint32_t field, uint64_t value);
void cli_put_text(struct cli_message *message, uint32_t field, const char *text);
void cli_put_bytes(struct cli_message *message, uint32_t field, const void *at, size_t size);
void cli_put_message(struct cli_message *message, uint32_t field, struct cli_message *part);
void cli_add_message(struct cli_message *message, const struct cli_message *more);
void cli_put_plain_number(struct cli_message *message, uint64_t value);
void cli_message_free(struct cli_message *message);

#endif
