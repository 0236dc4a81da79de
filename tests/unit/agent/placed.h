/* SPDX-License-Identifier: BSD-2-Clause */
/* placed - the agent's image in this process, as a tracer would place it */
#ifndef TESTS_AGENT_PLACED_H
#define TESTS_AGENT_PLACED_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "test.h"

#define SLOT 4096
#define RING 65536

static const struct map_layout test_maps[] = {
	{ .name = "words", .key_size = 8, .value_size = 8, .max_entries = 4096, .shards = 1 },
	{ .name = "pairs", .key_size = 16, .value_size = 8, .max_entries = 4096, .shards = 1 },
	{ .name = "odd", .key_size = 45, .value_size = 20, .max_entries = 200, .shards = 1 },
};

static char test_constants[SLOT];

static inline struct program test_program(uint32_t areas)
{
	return (struct program) {
		.maps = test_maps,
		.map_count = ARRAY_SIZE(test_maps),
		.constants = test_constants,
		.constants_size = sizeof(test_constants),
		.globals_size = 64,
		.keyless_size = 64,
		.self_size = 24,
		.slot_size = SLOT,
		.string_size = 256,
		.area_count = areas,
		.cpu_count = 4096,
	};
}

struct memory {
	struct program program;
	struct agent_layout layout;
	struct agent_view view;
	int fd;
};

/* What a program would have; the memory's program is one for tests, or has been set. */
static inline void memory_begin(struct memory *m)
{
	struct executor_options o = { .policy = POLICY_SWITCH,
				      .buffer_size = RING,
				      .dynamic_size = 1 << 20,
				      .speculation_count = 2,
				      .speculation_size = 4096 };
	struct error *err = agent_layout_init(&m->layout, &m->program, &o);
	CHECK(!err);
	m->fd = memfd_create("agent", MFD_CLOEXEC);
	CHECK(ftruncate(m->fd, (off_t)m->layout.head.size) == 0);
	char *memory =
		mmap(NULL, m->layout.head.size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	agent_layout_write(&m->layout, memory);
	((struct control *)(void *)(memory + m->layout.head.control))->activity = ACTIVITY_ACTIVE;
	agent_view_init(&m->view, &m->layout, memory);
}

static inline void memory_make(struct memory *m, uint32_t areas)
{
	m->program = test_program(areas);
	memory_begin(m);
}

static inline void memory_end(struct memory *m)
{
	munmap(m->view.memory, m->layout.head.size);
	agent_view_deinit(&m->view);
	agent_layout_deinit(&m->layout);
	close(m->fd);
}

static inline struct control *control_of(struct memory *m)
{
	return (struct control *)(void *)(m->view.memory + m->layout.head.control);
}

static inline struct process_area *area_of(struct memory *m, unsigned n)
{
	return (struct process_area *)(void *)(m->view.memory + m->layout.head.areas) + n;
}

/* A counter of all areas. */
#define COUNTED(m, counter)                                                                        \
	({                                                                                         \
		uint64_t sum_ = 0;                                                                 \
		const struct area_counters *c_ =                                                   \
			(const void *)((m)->view.memory + (m)->layout.head.counters);              \
		for (unsigned i_ = 0; i_ < (m)->program.area_count; i_++)                          \
			sum_ += c_[i_].counter;                                                    \
		sum_;                                                                              \
	})

/* The first word of each area's keyless aggregations, added up. */
static inline uint64_t keyless_sum(struct memory *m)
{
	uint64_t sum = 0;
	for (unsigned n = 0; n < m->program.area_count; n++)
		sum += *(uint64_t *)(void *)(m->view.memory + m->layout.head.keyless + n * 64);
	return sum;
}

/* --- the image -------------------------------------------------------------------------------- */

struct placed {
	char *code, *memory;
	size_t size;
	struct process_own *own;
	long (*area)(void);
	long (*slot_claim)(void);
	long (*slot_release)(uint64_t at);
	long (*output)(void *data, uint64_t size, uint64_t wake);
	char *(*lookup)(void *map, const void *key);
	long (*update)(void *map, const void *key, const void *value, uint64_t flags);
	long (*remove)(void *map, const void *key);
};

#define FUNCTION(p, name) ((void *)((p)->code + agent_symbol(name)))

static inline uint64_t vdso_function(const char *name)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
	return vdso ? (uintptr_t)dlsym(vdso, name) : 0;
}

static inline uint64_t main_stack_end(void)
{
	uint64_t begin, end = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "[stack]"))
			sscanf(line, "%lx-%lx", &begin, &end);
	fclose(f);
	return end;
}

static inline void own_fill(struct process_own *own)
{
	/* size, count, offset of a thread's number: glibc's own table for debuggers */
	const uint32_t *tid = dlvsym(RTLD_DEFAULT, "_thread_db_pthread_tid", "GLIBC_PRIVATE");
	*own = (struct process_own) {
		.process = (uint32_t)getpid(),
		.pid = (uint32_t)getpid(),
		.clock_gettime = vdso_function("__vdso_clock_gettime"),
		.getcpu = vdso_function("__vdso_getcpu"),
		.thread_number = tid ? tid[2] : 0,
		.stack_end = main_stack_end(),
	};
	own->tasks[0] = (struct process_task) { .self = (uintptr_t)&own->tasks[0],
						.parent = (uintptr_t)&own->tasks[1],
						.tgid = (uint32_t)getpid() };
	own->tasks[1].tgid = (uint32_t)getppid();
}

/* Of the image at p->code. */
static inline void image_bind(struct placed *p)
{
	p->own = (struct process_own *)(void *)(p->code + PROCESS_OWN_AT);
	p->memory = p->code + PROCESS_MEMORY_AT;
	p->area = FUNCTION(p, "agent_area");
	p->slot_claim = FUNCTION(p, "rt_slot_claim");
	p->slot_release = FUNCTION(p, "rt_slot_release");
	p->output = FUNCTION(p, "rt_output");
	p->lookup = FUNCTION(p, "rt_map_lookup");
	p->update = FUNCTION(p, "rt_map_update");
	p->remove = FUNCTION(p, "rt_map_delete");
}

static inline void image_place(struct placed *p, struct memory *m)
{
	struct agent_image image;
	struct error *err = agent_image(&image);
	CHECK(!err);
	p->size = PROCESS_MEMORY_AT + m->layout.head.size;
	p->code =
		mmap(NULL, p->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(p->code != MAP_FAILED);
	mprotect(p->code, PROCESS_MEMORY_AT, PROT_READ | PROT_WRITE);
	CHECK(!agent_image_read(p->code));
	mprotect(p->code, PROCESS_CODE_SIZE, PROT_READ | PROT_EXEC);
	p->own = (struct process_own *)(void *)(p->code + PROCESS_OWN_AT);
	CHECK(madvise(p->own, PROCESS_OWN_SIZE, MADV_WIPEONFORK) == 0);
	own_fill(p->own);
	p->memory = mmap(p->code + PROCESS_MEMORY_AT, m->layout.head.size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, m->fd, 0);
	CHECK(p->memory == p->code + PROCESS_MEMORY_AT);
	image_bind(p);
}

static inline void image_remove(struct placed *p)
{
	munmap(p->code, p->size);
}

static inline void *map_of(struct placed *p, unsigned n)
{
	const struct process_head *h = (const void *)p->memory;
	return p->memory + h->maps + n * sizeof(struct process_map);
}

/* --- firings, as translated code has them ----------------------------------------------------- */

/* One instruction without lock: a signal handler comes before or after it. */
static inline void private_add(void *word)
{
	asm volatile("incq %0" : "+m"(*(uint64_t *)word));
}

static inline char *value_of(struct placed *p, unsigned map, const void *key)
{
	static const char zeros[64];
	char *value = p->lookup(map_of(p, map), key);
	if (!value) {
		p->update(map_of(p, map), key, zeros, BPF_NOEXIST);
		value = p->lookup(map_of(p, map), key);
	}
	return value;
}

/* @ = count(); @[n % 32] = count(); in a slot.  False: the firing had no area, and is counted. */
static inline bool fire(struct placed *p, uint64_t n)
{
	const struct process_head *h = (const void *)p->memory;
	long area = p->area();
	if (area < 0)
		return false;
	private_add(p->memory + h->keyless + (uint64_t)area * 64);
	long at = p->slot_claim();
	if (at < 0)
		return true;
	uint64_t *key = (uint64_t *)(void *)(p->memory + h->scratch + at + 64);
	key[0] = n % 32;
	key[1] = (uint64_t)area;
	char *value = value_of(p, 1, key);
	if (value)
		private_add(value);
	p->slot_release((uint64_t)at);
	return true;
}

static inline struct error *value_add(void *sum, const void *key, const void *value)
{
	uint64_t n;
	memcpy(&n, value, sizeof(n));
	*(uint64_t *)sum += n;
	return NULL;
}

/* All values of a map. */
static inline uint64_t map_sum(struct memory *m, unsigned map)
{
	uint64_t sum = 0;
	struct error *err = agent_visit(&m->view, map, value_add, &sum);
	CHECK(!err);
	return sum;
}

/* Numbers that are the same in every run. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

#endif
