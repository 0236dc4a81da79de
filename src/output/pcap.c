/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcap - packets: into a file for packet tools, in words, or as a hex dump
 *
 * After freopen() to a regular file, packets go there in the pcap format (magic 0xa1b23c4d: times
 * in nanoseconds); one file has packets of one link type.  Use -q, or the text of other actions is
 * mixed with them.  Otherwise they go to a packet decoder in the same format, whose text is
 * printed; if none is installed the bytes are printed.
 */
#include <sys/stat.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "output/internal.h"

#define PCAP_MAGIC 0xa1b23c4du

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy;
	uint32_t longest, link;
};

struct packet_header {
	uint32_t seconds, nanoseconds;
	uint32_t captured, length;
};

/* Does the output go to a file of freopen(), and is that one on a disk? */
static bool is_packet_file(const struct output *o, off_t *size)
{
	struct stat about;
	if (o->reopened_fd < 0 || fstat(o->reopened_fd, &about) < 0 || !S_ISREG(about.st_mode))
		return false;
	*size = about.st_size;
	return true;
}

static struct file_header file_header_of(uint32_t link)
{
	return (struct file_header) { .magic = PCAP_MAGIC,
				      .major = 2,
				      .minor = 4,
				      .longest = PACKET_SIZE_MAX,
				      .link = link };
}

static struct packet_header packet_header_of(const struct record *r, uint32_t length,
					     const struct value *bytes)
{
	uint64_t time = r->header->time + clock_wall_offset(); /* files need the time of day */
	return (struct packet_header) { (uint32_t)(time / NS_PER_SECOND),
					(uint32_t)(time % NS_PER_SECOND), bytes->size, length };
}

/* --- into a file --- */

static void packet_write(struct output *o, const struct record *r, uint32_t link, uint32_t length,
			 const struct value *bytes)
{
	if (o->packet_link != link) {
		message_library_fault(o, r,
				      "couldn't write a packet of link type %u to \"%s\", whose "
				      "packets have link type %u",
				      link, o->reopened_name, o->packet_link);
		return;
	}
	struct packet_header h = packet_header_of(r, length, bytes);
	writer_add(o->out, &h, sizeof(h));
	writer_add(o->out, bytes->bytes, bytes->size);
}

/* --- in words --- */

/* The reader of packets of a link type; no decoder: none is installed, or it has ended. */
struct packet_reader {
	struct packet_reader *next;
	uint32_t link;
	struct decoder *decoder;
};

static struct packet_reader *reader_of(struct output *o, uint32_t link)
{
	for (struct packet_reader *p = o->packet_readers; p; p = p->next)
		if (p->link == link)
			return p;
	struct packet_reader *p = mem_zalloc(sizeof(*p));
	*p = (struct packet_reader) { o->packet_readers, link, decoder_new(o->setup.interrupts) };
	o->packet_readers = p;
	struct file_header h = file_header_of(link);
	if (p->decoder)
		decoder_send(p->decoder, &h, sizeof(h));
	return p;
}

/* False: no decoder gave a text. */
static bool packet_tell(struct output *o, const struct record *r, uint32_t link, uint32_t length,
			const struct value *bytes)
{
	struct packet_reader *p = reader_of(o, link);
	if (!p->decoder)
		return false;
	auto_strbuf struct strbuf text = { 0 };
	struct packet_header h = packet_header_of(r, length, bytes);
	decoder_send(p->decoder, &h, sizeof(h));
	decoder_send(p->decoder, bytes->bytes, bytes->size);
	bool told = decoder_answer(p->decoder, &text);
	if (text.len)
		writer_add_shown(o->out, show_text(o, text.text, text.len, SHOW_LINES));
	if (!told) {
		message_library_fault(o, r,
				      "%s does not read packets of link type %u: bytes are shown",
				      decoder_name(p->decoder), p->link);
		decoder_free(take(p->decoder));
	}
	return told;
}

void pcap_end(struct output *o)
{
	for (struct packet_reader *p = o->packet_readers; p; p = p->next) {
		if (!p->decoder)
			continue;
		auto_strbuf struct strbuf text = { 0 };
		decoder_end(p->decoder, &text);
		if (text.len)
			writer_add_shown(o->out, show_text(o, text.text, text.len, SHOW_LINES));
		decoder_free(take(p->decoder));
	}
}

void pcap_free(struct output *o)
{
	while (o->packet_readers) {
		struct packet_reader *p = o->packet_readers;
		o->packet_readers = p->next;
		if (p->decoder)
			decoder_free(p->decoder);
		free(p);
	}
}

/* --- the action --- */

void pcap_print(struct output *o, const struct record *r, const struct action_layout *action)
{
	if (action->field_count < 2)
		return;
	struct value whole = value_of_record(o, r, &action->fields[0]);
	uint32_t length = (uint32_t)value_unsigned(&whole);
	struct value bytes = value_of_record(o, r, &action->fields[1]);
	off_t size;
	if (is_packet_file(o, &size)) {
		if (!o->packets_begun) {
			/* A file that has something in it is taken for one of packets: it is
			 * appended to. */
			struct file_header h = file_header_of(action->link);
			o->packets_begun = true;
			o->packet_link = action->link;
			if (size == 0 && o->file.used == 0)
				writer_add(o->out, &h, sizeof(h));
		}
		packet_write(o, r, action->link, length, &bytes);
	} else if (!packet_tell(o, r, action->link, length, &bytes)) {
		dump_print(o, bytes.bytes, bytes.size);
	}
}
