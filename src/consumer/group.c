/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * group - the records of a commit(), one by one
 *
 * CPU by CPU, as in the classic systems, which keep a speculation in a buffer for each CPU: first
 * the CPU that called commit(), then the others by number; each CPU's records in their order.
 */
#include <string.h>

#include "consumer/internal.h"

#define NO_CPU UINT32_MAX

struct walk {
	const unsigned char *data;
	uint32_t size, at;
};

/* The next record; a size of 0 ends the group before its last byte. */
static bool walk_next(struct walk *w, const void **record, uint32_t *size)
{
	uint64_t n;
	if (w->size - w->at < sizeof(n))
		return false;
	memcpy(&n, w->data + w->at, sizeof(n));
	w->at += (uint32_t)sizeof(n);
	if (n == 0 || n > w->size - w->at)
		return false;
	*record = w->data + w->at;
	*size = (uint32_t)n;
	w->at = (uint32_t)MIN(ALIGN_UP(w->at + n, 8), w->size);
	return true;
}

static uint32_t cpu_of(const void *record, uint32_t size)
{
	struct record_header header = { 0 };
	memcpy(&header, record, MIN(size, sizeof(header)));
	return header.cpu;
}

/*
 * Visit the records of CPU.  *CPU becomes the least of those that have some and whose turn has
 * not come: all but FIRST come in ascending order.
 */
static struct error *visit_cpu(const struct consumer *c, const struct lane *lane, struct walk w,
			       uint32_t first, uint32_t *cpu, record_visit_fn *visit, void *arg)
{
	const void *data;
	uint32_t size, next = NO_CPU;
	int64_t done = *cpu == first ? -1 : (int64_t)*cpu;
	while (walk_next(&w, &data, &size)) {
		uint32_t of = cpu_of(data, size);
		if (of != first && (int64_t)of > done && of < next)
			next = of;
		if (of != *cpu)
			continue;
		struct record r;
		record_check(c, lane, data, size, &r);
		struct error *err = visit(arg, &r);
		if (err)
			return err;
	}
	*cpu = next;
	return NULL;
}

struct error *group_visit(const struct consumer *c, const struct lane *lane, const void *data,
			  uint32_t size, record_visit_fn *visit, void *arg)
{
	struct record_header group;
	memcpy(&group, data, sizeof(group));
	struct walk w = { .data = data, .size = size, .at = sizeof(group) };
	struct error *err = NULL;
	for (uint32_t cpu = group.seq; cpu != NO_CPU && !err;)
		err = visit_cpu(c, lane, w, group.seq, &cpu, visit, arg);
	return err;
}
