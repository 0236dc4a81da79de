/* SPDX-License-Identifier: BSD-2-Clause */
/* fired - a script's clauses in functions of this process, as the executor would place them */
#ifndef TESTS_INJECT_FIRED_H
#define TESTS_INJECT_FIRED_H

#include "agent/placed.h"
#include "compile.h"
#include "inject/code/trampoline.h"
#include "inject/internal.h"
#include "patch/live.h"

struct fired {
	struct compiled compiled;
	struct memory memory;
	struct placed placed;
	struct injector injector;
	unsigned char *room;
	size_t used; /* of it */
	struct translation code[8];
	uint64_t functions[8]; /* of each group */
	VECTOR(struct patch_write) writes;
};

/* A function of this program, and where something shall happen. */
struct fired_site {
	const void *function;
	uint64_t size, at;
	enum patch_kind kind;
};

static inline void fired_translate(struct fired *f, unsigned group)
{
	struct injected_program program = { &f->compiled.program, f->memory.layout.head.constants };
	struct group_owner g = { &f->injector, &program, group };
	struct translate_owner owner = group_owner(&g);
	struct translate_place place = { f->room + f->used, ROOM - f->used,
					 (uintptr_t)f->room + f->used };
	f->functions[group] = place.address;
	check_holds("translate",
		    translate(&f->compiled.program.groups[group], &owner, &place, &f->code[group]));
	f->used += ALIGN_UP(f->code[group].size, 16u);
}

static inline bool group_is_of_functions(const struct group_code *g)
{
	return g->kind == EVENT_FUNCTION_ENTRY || g->kind == EVENT_FUNCTION_RETURN;
}

/* Room for code is near this program. */
static inline void fired_init(struct fired *f, const char *script, uint32_t areas)
{
	struct plan_options o = compile_defaults;
	o.area_count = areas;
	o.never_starves = true;
	*f = (struct fired) { 0 };
	if (!compile(&f->compiled, "fired.d", script, &o)) {
		diagnostics_print(&f->compiled.mistakes, stdout, "fired", true, 20);
		exit(1);
	}
	f->memory.program = f->compiled.program;
	memory_begin(&f->memory);
	image_place(&f->placed, &f->memory);
	f->injector = (struct injector) { .program = &f->memory.program,
					  .layout = f->memory.layout,
					  .target.base = (uintptr_t)f->placed.code };
	uint64_t here = (uintptr_t)fired_init & ~0xfffffull;
	f->room = room_map((struct address_range) { here, here + (64u << 20) });
	if (!f->room) {
		printf("no room for code near this program\n");
		exit(1);
	}
	for (unsigned i = 0; i < f->compiled.program.group_count; i++)
		if (group_is_of_functions(&f->compiled.program.groups[i]))
			fired_translate(f, i);
}

static inline struct trampoline fired_trampoline(const struct fired *f, enum event_kind kind)
{
	const struct program *p = &f->compiled.program;
	unsigned n = 0;
	while (n + 1 < p->group_count && p->groups[n].kind != kind)
		n++;
	return (struct trampoline) {
		.function = f->functions[n],
		.code = &f->code[n],
		.base = f->injector.target.base,
		.head = &f->memory.layout.head,
		.thread_number = f->placed.own->thread_number,
		.find_area = f->injector.target.base + agent_symbol("agent_area_kept"),
	};
}

static inline void fired_jumps(struct fired *f, bool are_in)
{
	for (size_t i = 0; i < f->writes.count; i++) {
		const struct patch_write *w = &f->writes.items[i];
		CHECK(write_text(w->address, are_in ? w->new_bytes : w->old_bytes, w->size));
	}
}

/* T fires at the site. */
static inline void fired_at(struct fired *f, const struct fired_site *s, struct trampoline *t)
{
	const struct patch_machine *m = patch_machine(&arch_x86_64);
	struct patch_function function = { .code = bytes_of(s->function, s->size + 16),
					   .end = s->size };
	struct patch_site site = { s->at, s->kind, true, t->code->context_words };
	struct patch_plan plan = { 0 };
	patch_plan_make(m, &function, &site, 1, &plan);
	CHECK_INT(plan.refusals.items[0], PATCH_FITS);
	const struct patch_window *w = plan.windows.items;
	struct bytes old = bytes_slice(&function.code, w->at, w->size);
	uint64_t address = (uintptr_t)s->function + w->at;
	struct patch_code code = { .bytes = f->room + f->used,
				   .size = ROOM - f->used,
				   .address = (uintptr_t)f->room + f->used };
	struct patch_write write;
	CHECK_INT(patch_emit(m, &plan, w, &old, address, trampoline_fire, t, &code), PATCH_FITS);
	CHECK_INT(patch_write_make(m, &old, address, code.address, &write), PATCH_FITS);
	CHECK(code.used < code.size);
	f->used += ALIGN_UP(code.used, 16u);
	vector_push(&f->writes, write);
	patch_plan_deinit(&plan);
}

static inline void fired_deinit(struct fired *f)
{
	fired_jumps(f, false);
	vector_free(&f->writes);
	for (unsigned i = 0; i < f->compiled.program.group_count; i++)
		translation_deinit(&f->code[i]);
	munmap(f->room, ROOM);
	image_remove(&f->placed);
	memory_end(&f->memory);
	compiled_deinit(&f->compiled);
}

/* --- what the aggregations have ----------------------------------------------------------------
 */

/* The first word of the keyless aggregation N, of all areas. */
static inline uint64_t fired_count(struct fired *f, unsigned n)
{
	const struct program *p = &f->memory.program;
	uint64_t sum = 0;
	for (uint64_t area = 0; area < p->area_count; area++)
		sum += *(uint64_t *)(void *)(f->memory.view.memory + f->memory.layout.head.keyless +
					     area * p->keyless_size +
					     p->aggregations[n].keyless_offset);
	return sum;
}

/* All words of the values of a keyed one. */
static inline struct error *words_add(void *fired_map, const void *key, const void *value)
{
	struct {
		uint64_t sum;
		uint32_t words;
	} *m = fired_map;
	for (uint32_t i = 0; i < m->words; i++)
		m->sum += ((const uint64_t *)value)[i];
	return NULL;
}

static inline uint64_t fired_keyed(struct fired *f, unsigned n)
{
	const struct aggregation_layout *a = &f->memory.program.aggregations[n];
	struct {
		uint64_t sum;
		uint32_t words;
	} m = { 0, a->value_size / 8 };
	check_holds("visit", agent_visit(&f->memory.view, (unsigned)a->map, words_add, &m));
	return m.sum;
}

#endif
