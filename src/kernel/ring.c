/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring - the consumer's side of BPF_MAP_TYPE_RINGBUF
 *
 *   map offset 0       consumer position, a page that we write
 *              page    producer position, read-only
 *              2*page  data, mapped twice in a row, so that no record wraps
 *
 *   record: u32 length with two flag bits, u32 the kernel's own, data, padding to 8
 *
 * The producer moves its position when it reserves and clears BUSY when it
 * commits, so we stop at the first busy record: order is reservation order
 * (Documentation/bpf/ringbuf.rst).
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/kernel.h"

#define RECORD_BUSY (1u << 31)
#define RECORD_DISCARDED (1u << 30)
#define RECORD_HEADER 8

struct ring {
	uint64_t *consumer;
	const uint64_t *producer;
	const unsigned char *data;
	size_t size, page;
};

struct error *ring_open(int map, size_t size, struct ring **ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (consumer == MAP_FAILED)
		return error_sys(errno, "cannot map the position of a principal buffer");
	void *producer = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, map, (off_t)page);
	if (producer == MAP_FAILED) {
		int errnum = errno;
		munmap(consumer, page);
		return error_sys(errnum, "cannot map a principal buffer of %zu bytes", size);
	}
	struct ring *r = mem_zalloc(sizeof(*r));
	r->consumer = consumer;
	r->producer = producer;
	r->data = (const unsigned char *)producer + page;
	r->size = size;
	r->page = page;
	*ret = r;
	return NULL;
}

void ring_close(struct ring *r)
{
	if (!r)
		return;
	munmap(r->consumer, r->page);
	munmap((void *)(uintptr_t)r->producer, r->page + 2 * r->size);
	free(r);
}

size_t ring_waiting(const struct ring *r)
{
	return (size_t)(__atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - *r->consumer);
}

/*
 * Room goes back after each record: a full buffer drops nothing longer than it must.  What
 * arrives during this is read, too, but no more than a buffer's size, so that a busy CPU does
 * not keep us from the others.
 */
struct error *ring_consume(struct ring *r, ring_visit_fn *visit, void *arg, uint64_t *count)
{
	uint64_t at = *r->consumer, limit = at + r->size;
	struct error *err = NULL;
	while (!err && at < limit && at < __atomic_load_n(r->producer, __ATOMIC_ACQUIRE)) {
		const unsigned char *record = r->data + (at & (r->size - 1));
		uint32_t word =
			__atomic_load_n((const uint32_t *)(const void *)record, __ATOMIC_ACQUIRE);
		if (word & RECORD_BUSY)
			break;
		uint32_t len = word & ~(RECORD_BUSY | RECORD_DISCARDED);
		if (!(word & RECORD_DISCARDED)) {
			err = visit(arg, record + RECORD_HEADER, len);
			(*count)++;
		}
		at += ALIGN_UP((uint64_t)len + RECORD_HEADER, 8);
		__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
	}
	return err;
}
