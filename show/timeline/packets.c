/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages and packets; numbers of fields are those of Perfetto's trace format */
#include <pb_encode.h>
#include <string.h>

#include "show/timeline/timeline.h"

#define SEQUENCE 1 /* all packets are of one */
#define CLOCK_OF_WALL 1
#define CLOCK_OF_TIMES 3 /* CLOCK_MONOTONIC */

static bool message_write(pb_ostream_t *stream, const uint8_t *bytes, size_t len)
{
	strbuf_add(stream->state, bytes, len);
	return true;
}

static pb_ostream_t message_stream(struct message *m)
{
	return (pb_ostream_t) { message_write, &m->bytes, SIZE_MAX, 0, NULL };
}

#define VARINT_MOST 10

/* By way of a buffer: these are most of the fields. */
void message_number(struct message *m, uint32_t field, uint64_t number)
{
	uint8_t bytes[2 * VARINT_MOST];
	pb_ostream_t stream = pb_ostream_from_buffer(bytes, sizeof(bytes));
	pb_encode_tag(&stream, PB_WT_VARINT, field);
	pb_encode_varint(&stream, number);
	strbuf_add(&m->bytes, bytes, stream.bytes_written);
}

void message_text(struct message *m, uint32_t field, const char *text, size_t len)
{
	pb_ostream_t stream = message_stream(m);
	pb_encode_tag(&stream, PB_WT_STRING, field);
	pb_encode_string(&stream, (const uint8_t *)text, len);
}

void message_double(struct message *m, uint32_t field, double number)
{
	pb_ostream_t stream = message_stream(m);
	pb_encode_tag(&stream, PB_WT_64BIT, field);
	pb_encode_fixed64(&stream, &number);
}

void message_part(struct message *m, uint32_t field, struct message *part)
{
	message_text(m, field, strbuf_text(&part->bytes), part->bytes.len);
	strbuf_clear(&part->bytes);
}

/* PACKET is empty afterwards. */
static void packet_add(struct timeline *t, struct message *packet)
{
	message_number(packet, 10, SEQUENCE); /* trusted_packet_sequence_id */
	message_part(&t->trace, 1, packet);
}

void packet_event(struct timeline *t, uint64_t time)
{
	message_number(&t->packet, 8, time);
	message_number(&t->packet, 58, CLOCK_OF_TIMES);
	message_part(&t->packet, 11, &t->event);
	packet_add(t, &t->packet);
	t->events++;
}

void packet_track(struct timeline *t, struct message *descriptor)
{
	message_part(&t->packet, 60, descriptor);
	packet_add(t, &t->packet);
}

static void clock_add(struct message *snapshot, uint64_t id, uint64_t time)
{
	struct message clock = { 0 };
	message_number(&clock, 1, id);
	message_number(&clock, 2, time);
	message_part(snapshot, 1, &clock);
	strbuf_deinit(&clock.bytes);
}

void packet_clocks(struct timeline *t, uint64_t time, int64_t wall_offset)
{
	struct message snapshot = { 0 };
	clock_add(&snapshot, CLOCK_OF_TIMES, time);
	clock_add(&snapshot, CLOCK_OF_WALL, time + (uint64_t)wall_offset);
	message_number(&snapshot, 2, CLOCK_OF_TIMES); /* the trace's own */
	message_part(&t->packet, 6, &snapshot);
	packet_add(t, &t->packet);
	strbuf_deinit(&snapshot.bytes);
}
