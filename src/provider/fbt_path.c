/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/fbt_path.h"

#include "probe/probe.h"

struct fbt_path {
	struct arena *arena;
	struct hash *reasons;			  /* of addresses */
	VECTOR(const struct text_symbol *) found; /* the first `done` were walked */
};

struct row {
	const char *pattern, *why;
};

static const struct row begins[] = {
#define OWN_BEGIN(pattern, why) { pattern, why },
#include "provider/own_path.def"
#undef OWN_BEGIN
};
static const struct row ends[] = {
#define OWN_END(pattern, why) { pattern, why },
#include "provider/own_path.def"
#undef OWN_END
};
static const struct row names[] = {
#define OWN_NAME(pattern, why) { pattern, why },
#include "provider/own_path.def"
#undef OWN_NAME
};
static const struct row forbidden[] = {
#define FORBIDDEN(pattern, why) { pattern, why },
#include "provider/own_path.def"
#undef FORBIDDEN
};

static const char *reason_in(const struct row *rows, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (glob_match(rows[i].pattern, name))
			return rows[i].why;
	return NULL;
}

const char *fbt_path_name_reason(const char *function)
{
	const char *why = reason_in(begins, ARRAY_SIZE(begins), function);
	return why ? why : reason_in(names, ARRAY_SIZE(names), function);
}

const char *fbt_forbidden_reason(const char *function)
{
	return reason_in(forbidden, ARRAY_SIZE(forbidden), function);
}

static void find(struct fbt_path *p, const struct text_symbol *s, const char *why)
{
	void **place = hash_place(p->reasons, &s->address, sizeof(s->address));
	if (*place)
		return;
	*place = (void *)why;
	vector_push(&p->found, s);
}

struct walk {
	struct fbt_path *path;
	const struct kernel_text *text;
	const struct text_symbol *of;
	const char *why; /* of what it calls */
};

/* Code in the middle of another symbol is not a function: it is a part of one (.cold). */
static bool follow(void *arg, uint64_t address, const struct instruction *i)
{
	struct walk *w = arg;
	uint64_t target = address + (uint64_t)i->target;
	if (!instruction_has_target(i) || target - w->of->address < text_size(w->text, w->of))
		return true;
	const struct text_symbol *s = text_symbol_at(w->text, target);
	if (!s || s->address != target || reason_in(ends, ARRAY_SIZE(ends), s->name))
		return true;
	if (!w->why)
		w->why = arena_printf(w->path->arena, "called by %s", w->of->name);
	find(w->path, s, w->why);
	return true;
}

struct fbt_path *fbt_path_new(const struct kernel_text *t)
{
	struct fbt_path *p = mem_zalloc(sizeof(*p));
	p->arena = arena_new();
	p->reasons = hash_new();
	for (size_t i = 0; i < t->symbols.count; i++) {
		const struct text_symbol *s = &t->symbols.items[i];
		const char *why = reason_in(begins, ARRAY_SIZE(begins), s->name);
		if (why)
			find(p, s, why);
	}
	for (size_t i = 0; i < p->found.count; i++) {
		struct walk w = { p, t, p->found.items[i], NULL };
		text_walk(t, w.of, follow, &w);
	}
	return p;
}

void fbt_path_free(struct fbt_path *p)
{
	if (!p)
		return;
	vector_free(&p->found);
	hash_free(p->reasons);
	arena_free(p->arena);
	free(p);
}

const char *fbt_path_reason(const struct fbt_path *p, uint64_t address)
{
	return hash_get(p->reasons, &address, sizeof(address));
}

size_t fbt_path_count(const struct fbt_path *p)
{
	return p->found.count;
}
