/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process that runs, or hangs: its memory is read as it is, and the process is not stopped
 *
 * Its firings may write meanwhile.  A recorder is copied from its head on, upwards: what the head
 * has not claimed is not looked at, and a record whose first word says that it is whole was
 * complete when the rest was copied.  Records that were claimed while we copied have taken the
 * place of the oldest ones: those are left out (recorders_limit()).  The word of an element is
 * copied before the element.
 */
#include <errno.h>

#include "postmortem/internal.h"

static bool is_shared_memory(const struct mapping *m)
{
	return m->shared && m->readable && strncmp(m->path, "/memfd:dtrace ", 14) == 0;
}

static struct error *memory_refused(int pid, int errnum)
{
	if (errnum == ENOENT || errnum == ESRCH)
		return error_new("there is no process %d", pid);
	return error_sys(errnum,
			 "cannot read the memory of process %d: be its owner, or root "
			 "(/proc/sys/kernel/yama/ptrace_scope above 0 needs root)",
			 pid);
}

struct error *living_open(int pid, struct remains *ret)
{
	struct mapping *list;
	size_t count;
	*ret = (struct remains) { .name = mem_printf("process %d", pid) };
	ret->fd = process_open_memory(pid);
	if (ret->fd < 0)
		return memory_refused(pid, errno);
	struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return err;
	for (size_t i = 0; i < count; i++)
		if (is_shared_memory(&list[i]))
			vector_push(&ret->parts, ((struct remains_part) {
							 list[i].start, list[i].end - list[i].start,
							 list[i].start }));
	process_mappings_free(list, count);
	return NULL;
}

#define COPIES_MOST 20

/*
 * How many of UNITS were claimed since the recorder at offset AT was copied.  If we were not
 * scheduled meanwhile most of it has gone: it is copied again.
 */
static uint64_t claimed_since(struct post_mortem *p, uint64_t base, uint64_t at, uint64_t units)
{
	char *copy = p->view.memory + at;
	const uint64_t *before = &((const struct flight *)(void *)copy)->word;
	uint64_t claimed = 0;
	for (unsigned i = 0; i < COPIES_MOST && *before; i++) {
		uint64_t after = *before;
		if (i)
			remains_copy(&p->remains, base + at, copy, p->layout.head.flight_stride);
		remains_copy(&p->remains, base + at, &after, sizeof(after));
		claimed = MIN((after - *before) & FLIGHT_MASK, units);
		if (claimed <= units / 2)
			break;
	}
	return claimed;
}

void recorders_limit(struct post_mortem *p, uint64_t base)
{
	const struct process_head *h = &p->layout.head;
	uint64_t units = h->ring_size / 8;
	for (uint64_t n = 0; n < h->area_count; n++) {
		uint64_t at = h->flight + n * h->flight_stride;
		uint64_t claimed = claimed_since(p, base, at, units);
		uint64_t word = ((const struct flight *)(void *)(p->view.memory + at))->word;
		if (word)
			p->view.flight.read[n] = (word - (units - claimed)) & FLIGHT_MASK;
	}
}
