/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small_kernel - type data of a kernel with two modules, as files
 *
 *	struct task_struct;  struct queue {
 *		unsigned int count;
 *		unsigned int low : 3, high : 5;
 *		enum state state;
 *		__int128 wide;
 *		double load;
 *		union { int number; char bytes[4]; };
 *		char name[8];
 *		struct queue *next;
 *		struct ext4_info *info;      known to the module only
 *		int (*call)(struct queue *);
 *		enum huge huge;
 *		int tail[];
 *	};
 *	DEFINE_PER_CPU(struct queue, counts);  unsigned long max_pfn;  int schedule(struct queue
 **q);
 *
 * ext4 and xfs both have a struct twin, of 4 and of 8 bytes; ext4 has more.
 */
#ifndef TESTS_UNIT_SEMA_SMALL_KERNEL_H
#define TESTS_UNIT_SEMA_SMALL_KERNEL_H

#include <stdlib.h>
#include <unistd.h>

#include "object/btf_bytes.h"

struct small_kernel {
	char folder[32];
	char *path; /* of its vmlinux */
};

static inline void small_kernel_write(const struct small_kernel *k, const char *name,
				      struct btf_bytes *w)
{
	size_t size;
	auto_free void *data = btf_bytes_finish(w, &size);
	auto_free char *path = mem_printf("%s/%s", k->folder, name);
	auto_fclose FILE *f = fopen(path, "w");
	fwrite(data, 1, size, f);
}

#define WORDS(...) (uint32_t[]) { __VA_ARGS__ }, sizeof((uint32_t[]) { __VA_ARGS__ }) / 4
#define SIGNED_INT (1u << 24)

static inline uint32_t small_kernel_types(struct btf_bytes *w)
{
	uint32_t int_id = btf_bytes_type(w, "int", BTF_INT, 0, 0, 4, WORDS(SIGNED_INT | 32));
	uint32_t uint_id = btf_bytes_type(w, "unsigned int", BTF_INT, 0, 0, 4, WORDS(32));
	uint32_t ulong_id = btf_bytes_type(w, "unsigned long", BTF_INT, 0, 0, 8, WORDS(64));
	uint32_t char_id = btf_bytes_type(w, "char", BTF_INT, 0, 0, 1, WORDS(SIGNED_INT | 8));
	uint32_t wide = btf_bytes_type(w, "__int128", BTF_INT, 0, 0, 16, WORDS(SIGNED_INT | 128));
	uint32_t real = btf_bytes_type(w, "double", BTF_FLOAT, 0, 0, 8, NULL, 0);
	uint32_t running = btf_bytes_string(w, "RUNNING"), dead = btf_bytes_string(w, "DEAD");
	uint32_t state = btf_bytes_type(w, "state", BTF_ENUM, 0, 2, 4, WORDS(running, 0, dead, 16));
	uint32_t huge_one = btf_bytes_string(w, "HUGE_ONE");
	uint32_t huge = btf_bytes_type(w, "huge", BTF_ENUM64, 0, 1, 8, WORDS(huge_one, 5, 256));
	uint32_t bytes = btf_bytes_type(w, "", BTF_ARRAY, 0, 0, 0, WORDS(char_id, uint_id, 4));
	uint32_t name = btf_bytes_type(w, "", BTF_ARRAY, 0, 0, 0, WORDS(char_id, uint_id, 8));
	uint32_t tail = btf_bytes_type(w, "", BTF_ARRAY, 0, 0, 0, WORDS(int_id, uint_id, 0));
	uint32_t number_name = btf_bytes_string(w, "number"),
		 bytes_name = btf_bytes_string(w, "bytes");
	uint32_t either = btf_bytes_type(w, "", BTF_UNION, 0, 2, 4,
					 WORDS(number_name, int_id, 0, bytes_name, bytes, 0));
	uint32_t forward = btf_bytes_type(w, "ext4_info", BTF_FWD, 0, 0, 0, NULL, 0);
	uint32_t info = btf_bytes_type(w, "", BTF_PTR, 0, 0, forward, NULL, 0);
	/* The struct comes three types later. */
	uint32_t queue = w->count + 4;
	uint32_t next = btf_bytes_type(w, "", BTF_PTR, 0, 0, queue, NULL, 0);
	uint32_t q = btf_bytes_string(w, "q");
	uint32_t prototype = btf_bytes_type(w, "", BTF_FUNC_PROTO, 0, 1, int_id, WORDS(q, next));
	uint32_t call = btf_bytes_type(w, "", BTF_PTR, 0, 0, prototype, NULL, 0);
	const struct {
		const char *name;
		uint32_t type, place;
	} members[] = {
		{ "count", uint_id, 0 },
		{ "low", uint_id, 3u << 24 | 32 },
		{ "high", uint_id, 5u << 24 | 35 },
		{ "state", state, 64 },
		{ "wide", wide, 128 },
		{ "load", real, 256 },
		{ "", either, 320 },
		{ "name", name, 352 },
		{ "next", next, 448 },
		{ "info", info, 512 },
		{ "call", call, 576 },
		{ "huge", huge, 640 },
		{ "tail", tail, 704 },
	};
	uint32_t words[3 * ARRAY_SIZE(members)];
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		words[3 * i] = btf_bytes_string(w, members[i].name);
		words[3 * i + 1] = members[i].type;
		words[3 * i + 2] = members[i].place;
	}
	btf_bytes_type(w, "queue", BTF_STRUCT, 1, ARRAY_SIZE(members), 96, words,
		       ARRAY_SIZE(words));
	uint32_t counts = btf_bytes_type(w, "counts", BTF_VAR, 0, 0, queue, WORDS(1));
	btf_bytes_type(w, "max_pfn", BTF_VAR, 0, 0, ulong_id, WORDS(1));
	btf_bytes_type(w, ".data..percpu", BTF_DATASEC, 0, 1, 96, WORDS(counts, 0, 96));
	btf_bytes_type(w, "schedule", BTF_FUNC, 0, 1, prototype, NULL, 0);
	btf_bytes_type(w, "u64", BTF_TYPEDEF, 0, 0, ulong_id, NULL, 0);
	return queue;
}

static inline void small_kernel_twin(struct btf_bytes *w, uint32_t type, uint32_t size)
{
	uint32_t x = btf_bytes_string(w, "x");
	btf_bytes_type(w, "twin", BTF_STRUCT, 0, 1, size, WORDS(x, type, 0));
}

static inline struct small_kernel small_kernel_new(void)
{
	struct small_kernel k = { .folder = "/tmp/small-kernel-XXXXXX" };
	if (!mkdtemp(k.folder))
		abort();
	k.path = mem_printf("%s/vmlinux", k.folder);
	struct btf_bytes kernel = { 0 };
	uint32_t queue = small_kernel_types(&kernel);
	btf_bytes_string(&kernel, "");
	struct btf_bytes ext4 = btf_bytes_module(&kernel), xfs = btf_bytes_module(&kernel);

	uint32_t pointer = btf_bytes_type(&ext4, "", BTF_PTR, 0, 0, queue, NULL, 0);
	uint32_t limit = btf_bytes_string(&ext4, "limit"), owner = btf_bytes_string(&ext4, "owner");
	uint32_t info = btf_bytes_type(&ext4, "ext4_info", BTF_STRUCT, 0, 2, 16,
				       WORDS(limit, 1, 0, owner, pointer, 64));
	btf_bytes_type(&ext4, "ext4_limit", BTF_VAR, 0, 0, info, WORDS(1));
	btf_bytes_type(&ext4, "ext4_id_t", BTF_TYPEDEF, 0, 0, 2, NULL, 0);
	small_kernel_twin(&ext4, 1, 4);
	small_kernel_twin(&xfs, 3, 8);

	small_kernel_write(&k, "ext4", &ext4);
	small_kernel_write(&k, "xfs", &xfs);
	small_kernel_write(&k, "vmlinux", &kernel);
	return k;
}

static inline void small_kernel_free(struct small_kernel *k)
{
	static const char *const files[] = { "vmlinux", "ext4", "xfs" };
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *path = mem_printf("%s/%s", k->folder, files[i]);
		unlink(path);
	}
	rmdir(k->folder);
	free(k->path);
}

#endif
