/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native - compiled groups run as machine code, in the place of the interpreter's machine
 *
 * Include it before a test of codegen/: its benches run translated code.  Every second bench has
 * its code near this program's, the others far from it.
 */
#ifndef TESTS_UNIT_TRANSLATE_NATIVE_H
#define TESTS_UNIT_TRANSLATE_NATIVE_H

#include <sys/mman.h>

#include "codegen/interpreter.h"
#include "translate/translate.h"

#define NATIVE_ROOM (64u << 20)
#define NATIVE_STACK 65536

static struct native_place {
	char *bytes;
	size_t used;
} native_places[2]; /* near, far */

static struct {
	uint64_t serial; /* of the bench that the code is for */
	VECTOR(struct native_code {
		const struct group_code *group;
		void (*run)(const void *context);
	})
	codes;
	struct bench *bench; /* which runs now */
} native;

typedef uint64_t native_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/* --- functions for the program ---------------------------------------------------------------- */

/* Slots are given back by a store, which nobody sees. */
static inline void native_slots_settle(struct bench *m)
{
	for (unsigned i = 0; i < 64; i++) { /* as many as `claimed` has */
		uint64_t offset = (uint64_t)i * m->program->slot_size;
		const struct slot *slot = (const struct slot *)(m->scratch + offset);
		if (m->claimed >> i & 1 && !slot->busy)
			bench_slot_release(m, offset);
	}
}

static inline uint64_t native_loop(const uint64_t *r)
{
	uint64_t i = 0;
	if (r[1] > LOOP_PASSES_MOST || r[4])
		return bench_stop(native.bench, "loops otherwise than the kernel can");
	while (i < r[1] && !((native_function *)r[2])(i++, r[3], 0, 0, r[5]))
		continue;
	return i;
}

static inline uint64_t native_call(enum rt_function f, const uint64_t *r)
{
	struct bench *m = native.bench;
	native_slots_settle(m);
	if (f == RT_loop)
		return native_loop(r);
	if (f == RT_next_part)
		return m->machine.next_part = (uint32_t)r[3];
	return bench_rt(m, f, r);
}

#define RT(name, where, what)                                                                      \
	static uint64_t row_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)     \
	{                                                                                          \
		return native_call(RT_##name, (uint64_t[]) { 0, a, b, c, d, e });                  \
	}
#include "abi/rt.def"
#undef RT

static native_function *const native_functions[] = {
#define RT(name, where, what) row_##name,
#include "abi/rt.def"
#undef RT
};

/* --- translation ------------------------------------------------------------------------------ */

static inline bool native_bind(void *bench, enum rt_function f, struct translate_binding *ret)
{
	*ret = (struct translate_binding) { TRANSLATE_CALL, (uintptr_t)native_functions[f] };
	return true;
}

/* Memory for code: as near to this program as there is room, or anywhere, which is far. */
static inline struct native_place *native_place_of(bool is_far)
{
	struct native_place *p = &native_places[is_far];
	void *hint = is_far ? NULL
			    : (void *)(((uintptr_t)native_call & ~0xfffffull) - NATIVE_ROOM * 4ull);
	if (!p->bytes)
		p->bytes = mmap(hint, NATIVE_ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p->bytes == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return p;
}

/* A mistake in the test ends it. */
static inline void native_translate(const struct group_code *group,
				    const struct translate_owner *owner, struct native_place *p,
				    struct translation *ret)
{
	struct translate_place place = { p->bytes + p->used, NATIVE_ROOM - p->used,
					 (uintptr_t)p->bytes + p->used };
	auto_error struct error *err = translate(group, owner, &place, ret);
	if (err) {
		printf("%s\n", error_text(err));
		exit(1);
	}
	p->used += ALIGN_UP(ret->size, 16u);
}

static inline void (*native_code_of(struct bench *m, const struct group_code *group))(const void *)
{
	struct native_place *p = native_place_of(m->serial & 1);
	if (native.serial != m->serial) {
		native.serial = m->serial;
		native.codes.count = p->used = 0;
	}
	for (size_t i = 0; i < native.codes.count; i++)
		if (native.codes.items[i].group == group)
			return native.codes.items[i].run;
	struct translate_owner owner = { m, bench_refer, native_bind, m->serial & 2 };
	auto_translation struct translation t;
	void (*run)(const void *) = (void (*)(const void *))(p->bytes + p->used);
	m->machine.group = group; /* bench_refer() asks for its table */
	native_translate(group, &owner, p, &t);
	vector_push(&native.codes, (struct native_code) { group, run });
	return run;
}

static inline bool native_run(struct bench *m, const struct group_code *group)
{
	char *stack = (char *)__builtin_frame_address(0) - NATIVE_STACK;
	size_t region = machine_allow(&m->machine, stack, NATIVE_STACK, false);
	uint32_t part = group->part;
	native.bench = m;
	m->machine.steps = 0;
	do {
		m->machine.next_part = 0;
		native_code_of(m, group - group->part + part)(m->context);
		part = m->machine.next_part;
	} while (part && !m->machine.problem);
	native_slots_settle(m);
	machine_forbid(&m->machine, region);
	return !m->machine.problem;
}

__attribute__((constructor)) static void native_begin(void)
{
	bench_run = native_run;
}

#endif
