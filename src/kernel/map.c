/* SPDX-License-Identifier: BSD-2-Clause */
/* map - BPF maps: made, filled, mapped, and read as a whole */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/uapi.h"

struct error *map_create(const struct map_request *request, int *ret)
{
	union bpf_attr attr = {
		.map_type = request->type,
		.key_size = request->key_size,
		.value_size = request->value_size,
		.max_entries = request->max_entries,
		.map_flags = request->flags,
		.inner_map_fd = (uint32_t)request->inner,
		.btf_fd = (uint32_t)request->btf,
		.btf_key_type_id = (uint32_t)request->btf_key,
		.btf_value_type_id = (uint32_t)request->btf_value,
	};
	bpf_name(attr.map_name, request->name);
	int fd = bpf_call(BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd < 0)
		return bpf_error(errno, "cannot make map %s (%u entries of %u + %u bytes)",
				 request->name, request->max_entries, request->key_size,
				 request->value_size);
	*ret = fd;
	return NULL;
}

static int element_call(enum bpf_cmd command, int map, const void *key, const void *value,
			uint64_t flags)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)map,
		.key = pointer_number(key),
		.value = pointer_number(value),
		.flags = flags,
	};
	return bpf_call(command, &attr, sizeof(attr));
}

struct error *map_update(int map, const void *key, const void *value, uint64_t flags)
{
	if (element_call(BPF_MAP_UPDATE_ELEM, map, key, value, flags) < 0)
		return bpf_error(errno, "cannot write to a map");
	return NULL;
}

bool map_lookup(int map, const void *key, void *value)
{
	return element_call(BPF_MAP_LOOKUP_ELEM, map, key, value, 0) == 0;
}

struct error *map_remove(int map, const void *key)
{
	if (element_call(BPF_MAP_DELETE_ELEM, map, key, NULL, 0) < 0 && errno != ENOENT)
		return bpf_error(errno, "cannot delete an element of a map");
	return NULL;
}

struct error *map_freeze(int map)
{
	if (element_call(BPF_MAP_FREEZE, map, NULL, NULL, 0) < 0)
		return bpf_error(errno, "cannot freeze a map");
	return NULL;
}

struct error *map_memory(int map, size_t size, void **ret)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (p == MAP_FAILED)
		return error_sys(errno, "cannot map %zu bytes shared with the kernel", size);
	*ret = p;
	return NULL;
}

/*
 * The writer to an array of maps continues when no program can be using the previous map.  The
 * barrier of membarrier(2), which waits for the same, is refused where some CPUs have no ticks
 * (nohz_full).
 */
struct error *programs_settle(void)
{
	auto_close int inner = -1;
	auto_close int outer = -1;
	struct map_request request = {
		.type = BPF_MAP_TYPE_ARRAY,
		.name = "settle",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = 1,
	};
	struct error *err = map_create(&request, &inner);
	if (err)
		return err;
	request.type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
	request.inner = inner;
	err = map_create(&request, &outer);
	uint32_t key = 0;
	return err ? err : map_update(outer, &key, &inner, BPF_ANY);
}

/* --- visiting all entries ------------------------------------------------------------ */

struct walk {
	int map;
	uint32_t key_size, value_bytes, max_entries;
	map_visit_fn *visit;
	void *arg;
};

static struct error *visit_one_by_one(const struct walk *w)
{
	auto_free char *key = mem_zalloc(w->key_size);
	auto_free char *next = mem_zalloc(w->key_size);
	auto_free char *value = mem_zalloc(w->value_bytes);
	const char *last = NULL;
	/* The bound holds also while keys are added and deleted. */
	for (uint32_t i = 0; i < w->max_entries; i++) {
		if (element_call(BPF_MAP_GET_NEXT_KEY, w->map, last, next, 0) < 0)
			return errno == ENOENT ? NULL : bpf_error(errno, "cannot read a map");
		memcpy(key, next, w->key_size);
		last = key;
		if (!map_lookup(w->map, key, value))
			continue;
		struct error *err = w->visit(w->arg, key, value);
		if (err)
			return err;
	}
	return NULL;
}

struct batch {
	char *keys, *values;
	uint32_t room;	  /* entries */
	uint64_t in, out; /* the kernel's position; it fills 4 bytes for hashes and arrays */
	bool started;
};

static void batch_resize(struct batch *b, const struct walk *w, uint32_t room)
{
	b->room = room;
	b->keys = mem_realloc(b->keys, (size_t)room * w->key_size);
	b->values = mem_realloc(b->values, (size_t)room * w->value_bytes);
}

/* Returns 0 (more to come), ENOENT (these were the last) or another errno. */
static int batch_next(struct batch *b, const struct walk *w, uint32_t *count)
{
	union bpf_attr attr = {
		.batch = {
			.in_batch = b->started ? pointer_number(&b->in) : 0,
			.out_batch = pointer_number(&b->out),
			.keys = pointer_number(b->keys),
			.values = pointer_number(b->values),
			.count = b->room,
			.map_fd = (uint32_t)w->map,
		},
	};
	int result = bpf_call(BPF_MAP_LOOKUP_BATCH, &attr, sizeof(attr)) < 0 ? errno : 0;
	*count = result == 0 || result == ENOENT ? attr.batch.count : 0;
	if (result == 0) {
		b->started = true;
		b->in = b->out;
	}
	return result;
}

static struct error *batch_visit(const struct batch *b, const struct walk *w, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct error *err = w->visit(w->arg, b->keys + (size_t)i * w->key_size,
					     b->values + (size_t)i * w->value_bytes);
		if (err)
			return err;
	}
	return NULL;
}

/* ENOSPC: a chain of the hash is longer than our room; it is read whole or not at all. */
static struct error *visit_in_batches(const struct walk *w, struct batch *b, bool *supported)
{
	for (;;) {
		uint32_t count;
		int result = batch_next(b, w, &count);
		if (result == ENOSPC && b->room < w->max_entries) {
			batch_resize(b, w, MIN(b->room * 2, w->max_entries));
			continue;
		}
		if (result && result != ENOENT) {
			if (!b->started && (result == EINVAL || result == UAPI_ENOTSUPP ||
					    result == EOPNOTSUPP || result == ENOSPC)) {
				*supported = false;
				return NULL;
			}
			return bpf_error(result, "cannot read a map");
		}
		struct error *err = batch_visit(b, w, count);
		if (err || result == ENOENT)
			return err;
	}
}

/* As many entries as fit in 256 KiB, so that large values do not eat our memory. */
static uint32_t batch_room(const struct walk *w)
{
	uint32_t room = (256u << 10) / (w->key_size + w->value_bytes);
	return MIN(MAX(room, 64), w->max_entries);
}

struct error *map_visit(int map, uint32_t key_size, uint32_t value_bytes, uint32_t max_entries,
			map_visit_fn *visit, void *arg)
{
	if (max_entries == 0)
		return NULL;
	struct walk w = { map, key_size, value_bytes, max_entries, visit, arg };
	bool supported = true;
	struct batch b = { 0 };
	batch_resize(&b, &w, batch_room(&w));
	struct error *err = visit_in_batches(&w, &b, &supported);
	free(b.keys);
	free(b.values);
	if (err || supported)
		return err;
	return visit_one_by_one(&w);
}
