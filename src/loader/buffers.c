/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where records go: a ring buffer for each CPU, flight recorders (bufpolicy=ring), speculations
 *
 * All are made when the first function that needs them is linked.
 */
#include <errno.h>
#include <sys/mman.h>
#include <time.h>

#include "loader/internal.h"

#define SPECULATION_LEAST 512u
#define RECORD_OVERHEAD FLIGHT_OVERHEAD /* a ring buffer's is smaller */

bool is_too_much(const struct error *err)
{
	return error_errno(err) == ENOMEM || error_errno(err) == E2BIG;
}

/* A committed speculation passes through a buffer, with its own header and the buffer's. */
static uint32_t speculation_most(const struct maps *m)
{
	return (uint32_t)MIN(m->options->speculation_size, m->loaded->ring_size - 64) & ~7u;
}

/*
 * A principal buffer is a power of two of whole pages, and no larger than all
 * records that can ever come: a script of BEGIN alone needs a page, not 4 MiB.
 */
#define RING_LARGEST (1u << 30) /* the kernel takes no more */

static uint32_t ring_size(const struct maps *m)
{
	uint64_t wanted = MIN(m->options->buffer_size, m->program->records_at_most);
	uint64_t size = 4096;
	while (size < wanted && size < RING_LARGEST)
		size *= 2;
	return (uint32_t)size;
}

static struct error *memory_make(struct maps *m, enum library_map which, const char *name,
				 uint32_t size, uint32_t flags)
{
	const struct map_request request = { BPF_MAP_TYPE_ARRAY, name, 4, size, 1, flags };
	return map_make(m, &request, &m->loaded->library[which]);
}

static struct error *make_ring(struct maps *m, int *ret)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_RINGBUF,
		.name = "buffer",
		.max_entries = m->loaded->ring_size,
	};
	return map_make(m, &request, ret);
}

/*
 * The kernel frees a map a grace period later, by a worker.  Smaller ones made before that would
 * find no more memory than there was, and where a control group limits it we would be killed.
 */
static void close_rings(struct maps *m, unsigned count)
{
	struct loaded *l = m->loaded;
	for (unsigned i = 0; i < count; i++) {
		close(l->rings[i]);
		l->rings[i] = -1;
	}
	l->descriptors.count -= count;
	if (count)
		nanosleep(&(struct timespec) { .tv_nsec = 100000000 }, NULL);
}

/*
 * A limit of address space (ulimit -v) is checked now, while the buffers can still be made
 * smaller: the consumer maps each of them twice in a row, and the copies of their records, for
 * sorting, may take as much again.
 */
static struct error *find_addresses(const struct loaded *l)
{
	size_t size = 4ull * l->ring_size * l->ring_count;
	void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return error_sys(errno, "cannot map them");
	munmap(p, size);
	return NULL;
}

static struct error *try_rings(struct maps *m)
{
	struct loaded *l = m->loaded;
	struct error *err = find_addresses(l);
	for (unsigned i = 0; i < l->ring_count && !err; i++) {
		err = make_ring(m, &l->rings[i]);
		if (err)
			close_rings(m, i);
	}
	return err;
}

/*
 * Flight recorders, all in one region.  After each is space for the largest record, which may
 * extend beyond the end: a committed speculation is one, too.
 */
static struct error *try_flight(struct maps *m)
{
	struct loaded *l = m->loaded;
	uint32_t slack = m->program->slot_size;
	if (m->options->speculation_size)
		slack = MAX(slack, speculation_most(m));
	l->flight_stride =
		ALIGN_UP((uint32_t)sizeof(struct flight) + l->ring_size + slack + 64, 64);
	uint64_t size = (uint64_t)l->flight_stride * l->flight_count;
	if (size > REGION_LIMIT)
		return error_sys(ENOMEM, "%u buffers of %u bytes are too much", l->flight_count,
				 l->ring_size);
	return memory_make(m, LIBRARY_flight, "flight", (uint32_t)size, BPF_F_MMAPABLE);
}

/*
 * All buffers have one size, which is halved until there is memory for all of them.  TRY leaves no
 * buffers if it fails.
 */
static struct error *halve_until_they_fit(struct maps *m, struct error *(*try)(struct maps *m))
{
	struct loaded *l = m->loaded;
	struct error *err = try(m);
	while (err && is_too_much(err) && m->options->halve &&
	       l->ring_size / 2 >= MAX(m->program->largest_record + RECORD_OVERHEAD, 4096u)) {
		error_free(err);
		l->ring_size /= 2;
		l->ring_lowered = true;
		err = try(m);
	}
	return err ? error_wrap(err, "cannot make a buffer of %u bytes for each CPU", l->ring_size)
		   : NULL;
}

/* One for each CPU that is online. */
static unsigned buffers_wanted(const struct maps *m)
{
	unsigned cpus;
	kernel_cpus_online(&cpus);
	return MIN(MAX(cpus, 1u), m->program->area_count);
}

static struct error *flight_make(struct maps *m)
{
	struct loaded *l = m->loaded;
	l->flight_count = buffers_wanted(m);
	struct error *err = halve_until_they_fit(m, try_flight);
	if (err)
		return err;
	l->flight_size = (size_t)l->flight_stride * l->flight_count;
	return map_memory(l->library[LIBRARY_flight], l->flight_size, &l->flight);
}

/* Each program may refer to 64 maps, so beyond this many CPUs share buffers. */
#define RINGS_AT_MOST 16

struct error *bind_rings(struct maps *m)
{
	struct loaded *l = m->loaded;
	if (l->ring_count || l->library[LIBRARY_flight] >= 0)
		return NULL;
	l->ring_size = ring_size(m);
	l->ring_lowered = l->ring_size < MIN(m->options->buffer_size, m->program->records_at_most);
	if (m->options->buffer_size > RING_LARGEST && !m->options->halve)
		return error_new(
			"the kernel has no buffers of more than 1g (bufresize=auto takes what it "
			"has)");
	if (m->options->policy == POLICY_RING)
		return flight_make(m);
	l->ring_count = MIN(buffers_wanted(m), RINGS_AT_MOST);
	return halve_until_they_fit(m, try_rings);
}

static struct error *try_speculations(struct maps *m)
{
	uint32_t slack = m->program->slot_size + 16; /* any record after the end */
	m->speculation_stride = ALIGN_UP(
		(uint32_t)sizeof(struct speculation) + m->loaded->speculation_size + slack, 64);
	uint64_t size = (uint64_t)m->speculation_stride * m->options->speculation_count;
	if (size > REGION_LIMIT)
		return error_sys(ENOMEM, "%u speculations of %u bytes are too much",
				 m->options->speculation_count, m->loaded->speculation_size);
	return memory_make(m, LIBRARY_speculations, "speculations", (uint32_t)size, 0);
}

struct error *bind_speculations(struct maps *m)
{
	struct loaded *l = m->loaded;
	if (l->library[LIBRARY_speculations] >= 0)
		return NULL;
	struct error *err = bind_rings(m);
	if (err)
		return err;
	l->speculation_size = speculation_most(m);
	err = try_speculations(m);
	while (err && is_too_much(err) && m->options->halve &&
	       l->speculation_size / 2 >= SPECULATION_LEAST) {
		error_free(err);
		l->speculation_size = l->speculation_size / 2 & ~7u;
		l->speculation_lowered = true;
		err = try_speculations(m);
	}
	return err ? error_wrap(err, "cannot make speculations (use a smaller nspec or specsize)")
		   : NULL;
}
