/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcap - packets: into a file that packet tools read, or as a hex dump
 *
 * After freopen() to a regular file, packets go there in the pcap format (magic
 * 0xa1b23c4d: times in nanoseconds); one file holds packets of one link type.
 * Use -q, or the text of other actions gets between them.
 */
#include <sys/stat.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "output/internal.h"

#define PCAP_MAGIC 0xa1b23c4du
#define PCAP_LONGEST 65535

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

/* A file that has something in it is taken for one of packets: it is appended to. */
static void file_begin(struct output *o, uint32_t link, off_t size)
{
	struct file_header h = {
		.magic = PCAP_MAGIC, .major = 2, .minor = 4, .longest = PCAP_LONGEST, .link = link
	};
	o->packets_begun = true;
	o->packet_link = link;
	if (size == 0 && o->file.used == 0)
		writer_add(o->out, &h, sizeof(h));
}

static void packet_write(struct output *o, const struct record *r, uint32_t length,
			 const struct value *bytes)
{
	uint64_t time = r->header->time + clock_wall_offset(); /* files want the time of day */
	struct packet_header h = { (uint32_t)(time / NS_PER_SECOND),
				   (uint32_t)(time % NS_PER_SECOND), bytes->size, length };
	writer_add(o->out, &h, sizeof(h));
	writer_add(o->out, bytes->bytes, bytes->size);
}

void pcap_print(struct output *o, const struct record *r, const struct action_layout *action)
{
	if (action->field_count < 2)
		return;
	struct value length = value_of_record(r, &action->fields[0]);
	struct value bytes = value_of_record(r, &action->fields[1]);
	off_t size;
	if (!is_packet_file(o, &size)) {
		dump_print(o, bytes.bytes, bytes.size);
		return;
	}
	if (!o->packets_begun)
		file_begin(o, action->link, size);
	if (o->packet_link == action->link)
		packet_write(o, r, (uint32_t)value_unsigned(&length), &bytes);
	else
		message_library_fault(o, r,
				      "couldn't write a packet of link type %u to \"%s\", whose "
				      "packets have link type %u",
				      action->link, o->reopened_name, o->packet_link);
}
