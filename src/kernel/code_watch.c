/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_watch - what processes map as code, as the kernel reports it
 *
 * A perf event without samples on each CPU makes the kernel write a record (MMAP2) for each mapping
 * with PROT_EXEC, by mmap(2), mprotect(2) or execve(2), into a ring that we map; and records of
 * forks and ends, which it adds unasked, and of programs that are executed (COMM).  It costs other
 * system calls nothing, and an executable mapping 1 us.
 *
 *   ring: a page of positions, then pages of records; records may wrap
 *
 * Whatever all processes do in the time in which we do not read must fit: while we attach probes,
 * and wait for the last firings at the end, and for a CPU on a busy machine.  Next to two programs
 * that mapped code each 20 to 100 us, on 2 CPUs for which 20 threads waited, rings of 32 pages
 * overflowed in 5 of 60 runs of half a second, rings of 256 pages in none (6.18).  So few CPUs have
 * large rings.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel/kernel.h"

/* Powers of two.  32 pages are 1,000 mappings. */
#define RING_LEAST 32 /* pages of a ring */
#define RING_MOST 256
#define RINGS_PAGES 512 /* of all CPUs, unless they have the least */
#define WAKE_PAGES 16	/* so many are full: time to read */

struct cpu_ring {
	int cpu, event;
	struct perf_event_mmap_page *page; /* the records come after it */
	uint64_t tail, head;		   /* of what is there to be read */
	uint64_t next;			   /* the time of its first */
};

struct code_watch {
	int poll; /* an epoll instance of all events */
	VECTOR(struct cpu_ring) rings;
	bool at_once;
	struct cpus_seen cpus;
	size_t page_size;
	size_t ring_pages;    /* of records */
	struct strbuf record; /* one that was in two pieces */
};

/* --- opening --- */

static size_t code_ring_size(const struct code_watch *w)
{
	return (1 + w->ring_pages) * w->page_size;
}

static size_t choose_pages(unsigned cpus)
{
	size_t pages = RING_MOST;
	while (pages > RING_LEAST && pages * cpus > RINGS_PAGES)
		pages /= 2;
	return pages;
}

/* Fewer pages, from the first ring on, if we may not lock so many in memory. */
static void *map_ring(struct code_watch *w, int event)
{
	for (;;) {
		void *page =
			mmap(NULL, code_ring_size(w), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
		if (page != MAP_FAILED || w->rings.count || w->ring_pages == RING_LEAST)
			return page;
		w->ring_pages /= 2;
	}
}

static struct error *ring_add(struct code_watch *w, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.mmap = 1,
		.mmap2 = 1,
		.comm = w->at_once,
		.comm_exec = w->at_once,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = w->at_once ? 1 : (uint32_t)(WAKE_PAGES * w->page_size),
	};
	auto_close int event =
		(int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return error_sys(errno, "cannot open an event on CPU %d", cpu);
	void *page = map_ring(w, event);
	if (page == MAP_FAILED)
		return error_sys(errno, "cannot map the buffer of an event");
	struct epoll_event wanted = { .events = EPOLLIN | EPOLLET };
	if (epoll_ctl(w->poll, EPOLL_CTL_ADD, event, &wanted) < 0) {
		munmap(page, code_ring_size(w));
		return error_sys(errno, "cannot wait for an event");
	}
	struct cpu_ring ring = { .cpu = cpu, .event = take_fd(event), .page = page };
	vector_push(&w->rings, ring);
	return NULL;
}

static void cpu_ring_close(const struct code_watch *w, const struct cpu_ring *r)
{
	munmap(r->page, code_ring_size(w));
	close(r->event);
}

struct error *code_watch_open(bool at_once, struct code_watch **ret)
{
	unsigned count;
	const int *cpus = kernel_cpus_online(&count);
	struct code_watch *w = mem_zalloc(sizeof(*w));
	w->at_once = at_once;
	w->page_size = (size_t)sysconf(_SC_PAGESIZE);
	w->ring_pages = choose_pages(count);
	w->poll = epoll_create1(EPOLL_CLOEXEC);
	struct error *err = w->poll < 0 ? error_sys(errno, "cannot wait for events") : NULL;
	cpus_seen_init(&w->cpus);
	for (unsigned i = 0; i < count && !err; i++)
		err = ring_add(w, cpus[i]);
	if (err) {
		code_watch_close(w);
		return error_wrap(err, "following what processes map as code");
	}
	*ret = w;
	return NULL;
}

void code_watch_close(struct code_watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->rings.count; i++)
		cpu_ring_close(w, &w->rings.items[i]);
	if (w->poll >= 0)
		close(w->poll);
	vector_free(&w->rings);
	cpus_seen_deinit(&w->cpus);
	strbuf_deinit(&w->record);
	free(w);
}

/* An event ends when its CPU goes offline, and does not begin again with the CPU. */
static void ring_remove(struct code_watch *w, int cpu)
{
	for (size_t i = 0; i < w->rings.count; i++)
		if (w->rings.items[i].cpu == cpu) {
			cpu_ring_close(w, &w->rings.items[i]);
			w->rings.items[i] = w->rings.items[--w->rings.count];
			return;
		}
}

struct error *code_watch_follow_cpus(struct code_watch *w, bool *any)
{
	unsigned count;
	const int *arrived = kernel_cpus_arrived(&w->cpus, &count);
	struct error *err = NULL;
	*any = count > 0;
	for (unsigned i = 0; i < count && !err; i++) {
		ring_remove(w, arrived[i]);
		err = ring_add(w, arrived[i]);
	}
	return err;
}

int code_watch_poll_fd(const struct code_watch *w)
{
	return w->poll;
}

/* --- reading --- */

/* SIZE bytes at position AT, in one piece: they may be at the ring's end and its beginning. */
static const void *ring_bytes(struct code_watch *w, const struct cpu_ring *r, uint64_t at,
			      size_t size)
{
	size_t room = w->ring_pages * w->page_size, from = at & (room - 1), first = room - from;
	const char *data = (const char *)r->page + w->page_size;
	if (size <= first)
		return data + from;
	strbuf_clear(&w->record);
	strbuf_add(&w->record, data + from, first);
	strbuf_add(&w->record, data, size - first);
	return strbuf_text(&w->record);
}

/* struct perf_record_mmap2, which no header of the kernel declares. */
struct record_mmap {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint32_t dev_major, dev_minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

static void visit_mapping(const struct perf_event_header *header, uint64_t when,
			  const struct code_watch_visitor *visitor)
{
	const struct record_mmap *m = (const struct record_mmap *)header;
	if (header->size <= sizeof(*m) ||
	    !memchr(m->path, 0, header->size - offsetof(struct record_mmap, path)))
		return;
	const struct code_mapped mapped = {
		.pid = (int)m->pid,
		.address = m->address,
		.length = m->length,
		.offset = m->offset,
		.dev_major = m->dev_major,
		.dev_minor = m->dev_minor,
		.inode = m->inode,
		.path = m->path,
		.when = when,
	};
	visitor->mapped(visitor->arg, &mapped);
}

struct record_fork {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

static void visit_fork(const struct perf_event_header *header, uint64_t when,
		       const struct code_watch_visitor *visitor)
{
	const struct record_fork *f = (const struct record_fork *)header;
	if (header->size >= sizeof(*f) && f->pid != f->parent)
		visitor->forked(visitor->arg, (int)f->parent, (int)f->pid, when);
}

/* Both begin with the number of the process. */
struct record_left {
	struct perf_event_header header;
	uint32_t pid, other;
};

static void visit_left(const struct perf_event_header *header, uint64_t when,
		       const struct code_watch_visitor *visitor)
{
	const struct record_left *l = (const struct record_left *)header;
	bool by_exec = header->type == PERF_RECORD_COMM;
	if (header->size >= sizeof(*l) && (!by_exec || header->misc & PERF_RECORD_MISC_COMM_EXEC))
		visitor->left(visitor->arg, (int)l->pid, by_exec, when);
}

/* Some were lost before it: the result. */
static bool visit_report(const struct perf_event_header *header, uint64_t when,
			 const struct code_watch_visitor *visitor)
{
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		visit_mapping(header, when, visitor);
		return false;
	case PERF_RECORD_FORK:
		visit_fork(header, when, visitor);
		return false;
	case PERF_RECORD_EXIT:
	case PERF_RECORD_COMM:
		visit_left(header, when, visitor);
		return false;
	}
	return header->type == PERF_RECORD_LOST;
}

/* --- the records of all CPUs by time --- */

#define NEVER UINT64_MAX

/* The header of the record at R's position; records and the ring are of whole 8 bytes. */
static struct perf_event_header next_header(struct code_watch *w, const struct cpu_ring *r)
{
	return *(const struct perf_event_header *)ring_bytes(w, r, r->tail, sizeof(uint64_t));
}

/* The time is each record's last word. */
static uint64_t next_time(struct code_watch *w, const struct cpu_ring *r)
{
	if (r->tail == r->head)
		return NEVER;
	uint16_t size = next_header(w, r).size;
	if (size < sizeof(struct perf_event_header) + sizeof(uint64_t))
		return 0;
	uint64_t last = r->tail + size - sizeof(uint64_t);
	return *(const uint64_t *)ring_bytes(w, r, last, sizeof(uint64_t));
}

static struct cpu_ring *earliest(struct code_watch *w)
{
	struct cpu_ring *found = NULL;
	for (size_t i = 0; i < w->rings.count; i++) {
		struct cpu_ring *r = &w->rings.items[i];
		if (r->next < (found ? found->next : NEVER))
			found = r;
	}
	return found;
}

/* Visit R's next record.  True: some were lost before it. */
static bool take_next(struct code_watch *w, struct cpu_ring *r,
		      const struct code_watch_visitor *visitor)
{
	uint16_t size = next_header(w, r).size;
	bool is_damaged = size < sizeof(struct perf_event_header); /* never seen */
	const struct perf_event_header *header =
		is_damaged ? NULL : ring_bytes(w, r, r->tail, size);
	bool lost = !header || visit_report(header, r->next, visitor);
	r->tail = is_damaged ? r->head : r->tail + size;
	r->next = next_time(w, r);
	return lost;
}

bool code_watch_read(struct code_watch *w, const struct code_watch_visitor *visitor)
{
	struct epoll_event events[16];
	bool lost = false;
	while (epoll_wait(w->poll, events, ARRAY_SIZE(events), 0) > 0)
		continue;
	for (size_t i = 0; i < w->rings.count; i++) {
		struct cpu_ring *r = &w->rings.items[i];
		r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
		r->next = next_time(w, r);
	}
	for (struct cpu_ring *r = earliest(w); r; r = earliest(w))
		lost |= take_next(w, r, visitor);
	for (size_t i = 0; i < w->rings.count; i++)
		__atomic_store_n(&w->rings.items[i].page->data_tail, w->rings.items[i].tail,
				 __ATOMIC_RELEASE);
	return lost;
}
