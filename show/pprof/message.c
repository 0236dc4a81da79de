/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/pprof/message.h"

#include <pb_encode.h>

static bool message_add(pb_ostream_t *stream, const pb_byte_t *data, size_t len)
{
	strbuf_add(stream->state, data, len);
	return true;
}

static pb_ostream_t stream_of(struct strbuf *m)
{
	return (pb_ostream_t) { .callback = message_add, .state = m, .max_size = SIZE_MAX };
}

void message_number(struct strbuf *m, uint32_t field, uint64_t number)
{
	pb_ostream_t stream = stream_of(m);
	if (!number)
		return;
	pb_encode_tag(&stream, PB_WT_VARINT, field);
	pb_encode_varint(&stream, number);
}

void message_bytes(struct strbuf *m, uint32_t field, const void *data, size_t len)
{
	pb_ostream_t stream = stream_of(m);
	pb_encode_tag(&stream, PB_WT_STRING, field);
	pb_encode_string(&stream, data, len);
}

void message_message(struct strbuf *m, uint32_t field, const struct strbuf *part)
{
	message_bytes(m, field, strbuf_text(part), part->len);
}

void message_numbers(struct strbuf *m, uint32_t field, const uint64_t *numbers, size_t count)
{
	auto_strbuf struct strbuf packed = { 0 };
	pb_ostream_t stream = stream_of(&packed);
	for (size_t i = 0; i < count; i++)
		pb_encode_varint(&stream, numbers[i]);
	if (count)
		message_message(m, field, &packed);
}
