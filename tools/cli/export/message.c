// SPDX-License-Identifier: GPL-2.0-only
/*
 * message: messages of protobuf in memory. What is written is so short that nanopb's
 * encoder of single fields is all that is needed: no descriptions, no generated code.
 * One thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include <pb_encode.h>

#include "message.h"

static bool add_bytes(pb_ostream_t *stream, const pb_byte_t *bytes, size_t size)
{
	struct cli_message *message = stream->state;
	uint8_t *at;
	size_t room;

	if (message->room - message->size < size) {
		room = 2 * message->room + size + 64;
		at = realloc(message->at, room);
		if (!at) {
			message->failed = true;
			return false;
		}
		message->at = at;
		message->room = room;
	}
	if (size)
		memcpy(message->at + message->size, bytes, size);
	message->size += size;
	return true;
}

static pb_ostream_t stream_to(struct cli_message *message)
{
	return (pb_ostream_t){
		.callback = add_bytes, .state = message, .max_size = SIZE_MAX,
	};
}

/**
 * cli_put_number() - add a number
 * @message: the message
 * @field: its number; none of one field can be told from a 0
 * @value: of the field
 */
void cli_put_number(struct cli_message *message, uint32_t field, uint64_t value)
{
	if (value)
		cli_put_any_number(message, field, value);
}

/* As cli_put_number(), where a 0 is something else than none of that field. */
void cli_put_any_number(struct cli_message *message, uint32_t field, uint64_t value)
{
	pb_ostream_t stream = stream_to(message);

	if (pb_encode_tag(&stream, PB_WT_VARINT, field))
		pb_encode_varint(&stream, value);
}

/* Adds a number of 8 bytes, as cli_put_number() does one of as many as it needs. */
void cli_put_fixed64(struct cli_message *message, uint32_t field, uint64_t value)
{
	pb_ostream_t stream = stream_to(message);

	if (value && pb_encode_tag(&stream, PB_WT_64BIT, field))
		pb_encode_fixed64(&stream, &value);
}

/**
 * cli_put_bytes() - add bytes, which may be a message
 * @message: the message
 * @field: its number
 * @at: the bytes
 * @size: of them
 */
void cli_put_bytes(struct cli_message *message, uint32_t field, const void *at, size_t size)
{
	pb_ostream_t stream = stream_to(message);

	if (pb_encode_tag(&stream, PB_WT_STRING, field))
		pb_encode_string(&stream, at, size);
}

/**
 * cli_put_text() - add a text, which has to be UTF-8
 * @message: the message
 * @field: its number
 * @text: "" is added, too, as strings in tables have numbers
 */
void cli_put_text(struct cli_message *message, uint32_t field, const char *text)
{
	cli_put_bytes(message, field, text, strlen(text));
}

/**
 * cli_put_message() - add a message as a field of another
 * @message: the other
 * @field: its number
 * @part: is empty then, and can be filled again
 */
void cli_put_message(struct cli_message *message, uint32_t field, struct cli_message *part)
{
	cli_put_bytes(message, field, part->at, part->size);
	message->failed |= part->failed;
	part->size = 0;
}

/* Adds all fields of another message. */
void cli_add_message(struct cli_message *message, const struct cli_message *more)
{
	pb_ostream_t stream = stream_to(message);

	add_bytes(&stream, more->at, more->size);
	message->failed |= more->failed;
}

/* Adds an element of a packed list, which is a message without the numbers of fields. */
void cli_put_plain_number(struct cli_message *message, uint64_t value)
{
	pb_ostream_t stream = stream_to(message);

	pb_encode_varint(&stream, value);
}

/* Frees what a message has. */
void cli_message_free(struct cli_message *message)
{
	free(message->at);
	message->at = NULL;
}
