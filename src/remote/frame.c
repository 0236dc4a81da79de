/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames and the greeting (remote.h) */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "remote/remote.h"

#define GREETING "dtrace-agent "

struct frame_head {
	uint32_t size, kind;
};

void greeting_add(struct strbuf *out, const char *words)
{
	strbuf_printf(out, "%s%d %s\n", GREETING, REMOTE_VERSION, words);
}

size_t frame_open(struct strbuf *out, enum frame_kind kind)
{
	size_t begun = out->len;
	strbuf_add(out, &(struct frame_head) { 0, kind }, sizeof(struct frame_head));
	return begun;
}

void frame_close(struct strbuf *out, size_t begun)
{
	uint32_t size = (uint32_t)(out->len - begun - sizeof(struct frame_head));
	memcpy(out->text + begun, &size, sizeof(size));
}

void frame_put_u32(struct strbuf *out, uint32_t x)
{
	strbuf_add(out, &x, sizeof(x));
}

void frame_put_u64(struct strbuf *out, uint64_t x)
{
	strbuf_add(out, &x, sizeof(x));
}

void frame_put_string(struct strbuf *out, const char *text)
{
	strbuf_add(out, text, strlen(text) + 1);
}

void frame_put(struct strbuf *out, enum frame_kind kind)
{
	frame_close(out, frame_open(out, kind));
}

void frame_put_number(struct strbuf *out, enum frame_kind kind, uint64_t x)
{
	size_t begun = frame_open(out, kind);
	frame_put_u64(out, x);
	frame_close(out, begun);
}

/* --- reading ---------------------------------------------------------------------------------- */

void frame_reader_deinit(struct frame_reader *r)
{
	strbuf_deinit(&r->bytes);
}

void frame_reader_add(struct frame_reader *r, const void *data, size_t size)
{
	if (r->used) {
		memmove(r->bytes.text, r->bytes.text + r->used, r->bytes.len - r->used);
		r->bytes.len -= r->used;
		r->used = 0;
	}
	strbuf_add(&r->bytes, data, size);
}

/* The text with the last bytes that it had before the greeting: what the host printed. */
static struct error *no_greeting(const struct frame_reader *r)
{
	size_t len = strnlen(strbuf_text(&r->bytes), MIN(r->bytes.len, (size_t)256));
	return error_new("no agent answers, but this: %.*s", (int)len, strbuf_text(&r->bytes));
}

/* It begins a line, and a digit follows; else it is a word of a banner. */
static const char *greeting_in(const char *text, size_t len)
{
	const size_t size = strlen(GREETING);
	const char *from = text, *found;
	while ((found = memmem(from, len - (size_t)(from - text), GREETING, size))) {
		if ((found == text || found[-1] == '\n') && found[size] >= '0' &&
		    found[size] <= '9')
			return found;
		from = found + size;
	}
	return NULL;
}

static struct error *find_greeting(struct frame_reader *r)
{
	const char *text = strbuf_text(&r->bytes);
	const char *found = greeting_in(text, r->bytes.len);
	const char *end = found ? memchr(found, '\n', r->bytes.len - (size_t)(found - text)) : NULL;
	if (!end)
		return r->bytes.len > REMOTE_BANNER_MOST ? no_greeting(r) : NULL;
	long version = strtol(found + strlen(GREETING), NULL, 10);
	if (version != REMOTE_VERSION)
		return error_new("its dtrace speaks version %ld of the frames, and this one "
				 "version %d: both must have the same (%.*s)",
				 version, REMOTE_VERSION, (int)MIN(end - found, (ptrdiff_t)80),
				 found);
	r->used = (size_t)(end - text) + 1;
	r->is_greeted = true;
	return NULL;
}

struct error *frame_next(struct frame_reader *r, struct frame *ret, bool *found)
{
	struct frame_head head;
	struct error *err = r->is_greeted ? NULL : find_greeting(r);
	*found = false;
	if (err || !r->is_greeted || r->bytes.len - r->used < sizeof(head))
		return err;
	memcpy(&head, r->bytes.text + r->used, sizeof(head));
	if (head.kind >= FRAME_KINDS || head.size > REMOTE_FRAME_MOST)
		return error_new("it sends what is no frame of dtrace (kind %" PRIu32 ", %" PRIu32
				 " bytes)",
				 head.kind, head.size);
	if (r->bytes.len - r->used < sizeof(head) + head.size)
		return NULL;
	*ret = (struct frame) { (enum frame_kind)head.kind,
				bytes_of(r->bytes.text + r->used + sizeof(head), head.size) };
	r->used += sizeof(head) + head.size;
	*found = true;
	return NULL;
}
