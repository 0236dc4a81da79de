/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/symbol_internal.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"

#define MAGIC 0x4a695444u /* of a writer with our order of bytes */
#define VERSION 1
#define HEADER_LEAST 40
#define RECORD_LEAST 16

enum record_id { RECORD_LOAD, RECORD_MOVE };

/* What is read of a record: names that are longer end here. */
#define BEGIN_MOST 2048

struct piece {
	unsigned char data[BEGIN_MOST + 1];
	struct bytes bytes;
};

static bool dump_read_piece(int fd, uint64_t at, struct piece *ret)
{
	ssize_t got = pread(fd, ret->data, BEGIN_MOST, (off_t)at);
	if (got < 0)
		return false;
	ret->data[got] = '\0';
	ret->bytes = bytes_of(ret->data, (size_t)got);
	return true;
}

/* The header's length; 0: it is not there yet; UINT64_MAX: it is another file's. */
static uint64_t dump_read_header(int fd)
{
	struct piece p;
	if (!dump_read_piece(fd, 0, &p))
		return UINT64_MAX;
	uint32_t magic = bytes_u32(&p.bytes), version = bytes_u32(&p.bytes),
		 size = bytes_u32(&p.bytes);
	if (p.bytes.failed)
		return 0;
	return magic == MAGIC && version == VERSION && size >= HEADER_LEAST ? size : UINT64_MAX;
}

/* Behind id, size and time: process, thread, address, address of the code, its size and number. */
static bool read_load(struct piece *p, struct jit_code *ret)
{
	bytes_u64(&p->bytes);
	bytes_u64(&p->bytes);
	ret->start = bytes_u64(&p->bytes);
	ret->size = bytes_u64(&p->bytes);
	ret->index = bytes_u64(&p->bytes);
	ret->name = (const char *)p->data + p->bytes.pos;
	return !p->bytes.failed;
}

/* The same with two addresses of the code, the earlier one first. */
static bool read_move(struct piece *p, struct jit_code *ret)
{
	bytes_u64(&p->bytes);
	bytes_u64(&p->bytes);
	bytes_u64(&p->bytes);
	ret->start = bytes_u64(&p->bytes);
	ret->size = bytes_u64(&p->bytes);
	ret->index = bytes_u64(&p->bytes);
	ret->name = NULL;
	return !p->bytes.failed;
}

uint64_t jit_dump_read(int fd, uint64_t at, jit_code_fn *found, void *arg)
{
	struct stat st;
	struct piece p;
	if (!at)
		at = dump_read_header(fd);
	if (!at || at == UINT64_MAX || fstat(fd, &st) < 0)
		return at;
	while (at < (uint64_t)st.st_size && dump_read_piece(fd, at, &p)) {
		struct jit_code code;
		uint32_t id = bytes_u32(&p.bytes), size = bytes_u32(&p.bytes);
		bytes_u64(&p.bytes);
		if (p.bytes.failed || size > (uint64_t)st.st_size - at)
			return at;
		if (size < RECORD_LEAST)
			return UINT64_MAX;
		p.bytes.size = MIN(p.bytes.size, size);
		p.data[p.bytes.size] = '\0';
		if ((id == RECORD_LOAD && read_load(&p, &code)) ||
		    (id == RECORD_MOVE && read_move(&p, &code)))
			found(arg, &code);
		at += size;
	}
	return at;
}
