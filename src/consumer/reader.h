/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader - the calls by which the consumer reaches buffers and maps
 *
 * An executor other than the kernel, or a test, brings its own.  The functions
 * are those of kernel/kernel.h.
 */
#ifndef CONSUMER_READER_H
#define CONSUMER_READER_H

#include "kernel/kernel.h"

struct consumer_reader {
	uint64_t (*now)(void); /* the clock of record_header.time */
	struct error *(*drain)(struct ring *ring, ring_visit_fn *visit, void *arg, uint64_t *count);
	struct error *(*visit)(int map, uint32_t key_size, uint32_t value_bytes,
			       uint32_t max_entries, map_visit_fn *visit, void *arg);
	struct error *(*update)(int map, const void *key, const void *value, uint64_t flags);
	struct error *(*remove)(int map, const void *key);
	struct error *(*settle)(void);
	void (*pause)(void); /* for about as long as a firing takes that brings no page in */
};

extern const struct consumer_reader consumer_kernel_reader;

#endif
