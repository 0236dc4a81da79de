/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_sites - instructions of the kernel by what they do: calls of one function in another, and
 * additions to a per-CPU counter
 *
 * A function is meant with those that the compiler has made of it (NAME.isra.0), but not with code
 * that it has moved elsewhere (NAME.cold).
 */
#include "provider/kernel/fbt_text.h"

#define CHUNK (1u << 20) /* bytes of code that are read at once */

static bool is_function(const struct text_symbol *s, const char *name)
{
	size_t len = strlen(name);
	return strncmp(s->name, name, len) == 0 &&
	       (!s->name[len] || (s->name[len] == '.' && strncmp(s->name + len, ".cold", 5) != 0));
}

static void kernel_site_add(kernel_site_vector *ret, const struct text_symbol *in, uint64_t address)
{
	vector_push(ret, ((struct kernel_site) { .function = in->name,
						 .address = address,
						 .offset = (uint32_t)(address - in->address) }));
}

/* --- at an offset ----------------------------------------------------------------------------- */

static const char *sites_at(const struct kernel_text *t, struct arena *a,
			    const struct site_query *q, kernel_site_vector *ret)
{
	const char *problem = NULL;
	bool found = false;
	for (size_t i = 0; i < t->symbols.count && !problem; i++) {
		const struct text_symbol *s = &t->symbols.items[i];
		if (!string_equal(s->name, q->function))
			continue;
		found = true;
		problem = fbt_offset_problem(t, s, (uint64_t)q->number);
		if (!problem)
			kernel_site_add(ret, s, s->address + (uint64_t)q->number);
	}
	if (!found)
		return arena_printf(a, "there is no function %s", q->function);
	return problem ? arena_printf(a, "offset %llx of %s: %s", (unsigned long long)q->number,
				      q->function, problem)
		       : NULL;
}

/* --- calls ------------------------------------------------------------------------------------ */

struct calls {
	const struct kernel_text *text;
	const struct text_symbol *in;
	const struct site_query *query;
	int64_t seen;
	VECTOR(uint64_t) targets; /* of jumps in the function */
	kernel_site_vector *ret;
};

/* Is the code at ADDRESS the function CALLEE, by one of its names? */
static bool is_callee(const struct calls *c, uint64_t address)
{
	const struct text_symbol *s = text_symbol_at(c->text, address);
	const struct text_symbol *end = c->text->symbols.items + c->text->symbols.count;
	for (; s && s < end && s->address == address; s++)
		if (is_function(s, c->query->function))
			return true;
	return false;
}

static bool look_for_call(void *arg, uint64_t address, const struct instruction *i)
{
	struct calls *c = arg;
	uint64_t target = address + (uint64_t)i->target;
	if (i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH)
		vector_push(&c->targets, target);
	/* A jump is the last call of a function, which returns in its place. */
	bool is_call = i->flow == FLOW_CALL || (i->flow == FLOW_JUMP && !c->query->is_after);
	if (!is_call || !is_callee(c, target))
		return true;
	c->seen++;
	if (!c->query->number || c->query->number == c->seen)
		kernel_site_add(c->ret, c->in, c->query->is_after ? address + i->length : address);
	return true;
}

/* After a call, a probe would also see those that jump there. */
static const char *check_jumps(const struct calls *c, size_t first)
{
	for (size_t i = first; i < c->ret->count && c->query->is_after; i++)
		for (size_t k = 0; k < c->targets.count; k++)
			if (c->targets.items[k] == c->ret->items[i].address)
				return "the instruction after the call is reached without it, too";
	return NULL;
}

static const char *calls_in(struct calls *c, const struct text_symbol *s)
{
	size_t first = c->ret->count;
	c->in = s;
	c->seen = 0;
	text_walk(c->text, s, look_for_call, c); /* padding after it may be no instruction */
	const char *problem = check_jumps(c, first);
	vector_free(&c->targets);
	return problem;
}

static const char *sites_of_calls(const struct kernel_text *t, struct arena *a,
				  const struct site_query *q, kernel_site_vector *ret)
{
	struct calls c = { .text = t, .query = q, .ret = ret };
	const char *problem = NULL;
	bool found = false;
	for (size_t i = 0; i < t->symbols.count && !problem; i++) {
		if (!is_function(&t->symbols.items[i], q->caller))
			continue;
		found = true;
		problem = calls_in(&c, &t->symbols.items[i]);
	}
	if (!found)
		return arena_printf(a, "there is no function %s", q->caller);
	if (problem || ret->count)
		return problem;
	return q->number > 1 ? arena_printf(a, "%s does not call %s %lld times", q->caller,
					    q->function, (long long)q->number)
			     : arena_printf(a, "%s does not call %s", q->caller, q->function);
}

/* --- increments ------------------------------------------------------------------------------- */

struct search {
	const struct kernel_text *text;
	uint64_t variable;
	kernel_site_vector *ret;
};

/* The function with an instruction that begins at ADDRESS, or NULL. */
static const struct text_symbol *function_with(const struct kernel_text *t, uint64_t address)
{
	const struct text_symbol *s = text_symbol_at(t, address);
	return s && text_begins_instruction(t, s, address, NULL) ? s : NULL;
}

static struct arg_location amount_of(const struct arch *arch, const struct per_cpu_add *a)
{
	if (a->ureg < 0)
		return (struct arg_location) { .kind = ARG_CONSTANT, .value = a->amount };
	return (struct arg_location) { .kind = ARG_CONTEXT,
				       .value = arch_ureg_offset(arch, a->ureg) };
}

static void search_chunk(const struct search *s, uint64_t begin, const struct bytes *code)
{
	struct per_cpu_add add_to;
	for (size_t i = 0; s->text->arch->find_per_cpu_add(code, begin, &i, &add_to); i++) {
		if (add_to.variable != s->variable)
			continue;
		const struct text_symbol *in = function_with(s->text, begin + i);
		if (!in)
			continue;
		kernel_site_add(s->ret, in, begin + i);
		s->ret->items[s->ret->count - 1].amount = amount_of(s->text->arch, &add_to);
	}
}

/* The end of the code that is read with symbol number I: of symbols that follow closely. */
static uint64_t chunk_end(const struct kernel_text *t, size_t i, size_t *next)
{
	uint64_t begin = t->symbols.items[i].address, end = begin;
	for (; i < t->symbols.count; i++) {
		const struct text_symbol *s = &t->symbols.items[i];
		uint64_t its_end = s->address + text_size(t, s);
		if (s->address > end || (end > begin && its_end - begin > CHUNK))
			break;
		end = MAX(end, its_end);
	}
	*next = i;
	return end;
}

/* The code from symbol number I on, into CODE; of it alone, if what follows cannot be read. */
static size_t read_chunk(const struct kernel_text *t, size_t i, unsigned char **code, size_t *next)
{
	const struct text_symbol *s = &t->symbols.items[i];
	size_t size = (size_t)(chunk_end(t, i, next) - s->address);
	*code = mem_alloc(size + 1);
	if (t->read(t->arg, s->address, *code, size))
		return size;
	for (*next = i + 1; *next < t->symbols.count; ++*next)
		if (t->symbols.items[*next].address != s->address)
			break;
	return text_read(t, s->address, *code, text_size(t, s));
}

static const char *sites_of_increments(const struct kernel_text *t, const struct site_query *q,
				       uint64_t variable, kernel_site_vector *ret)
{
	const struct search s = { t, variable + q->element, ret };
	if (!t->arch->find_per_cpu_add)
		return "increments are not found in the code of this machine";
	for (size_t i = 0, next; i < t->symbols.count; i = next) {
		auto_free unsigned char *code = NULL;
		size_t size = read_chunk(t, i, &code, &next);
		const struct bytes all = bytes_of(code, size);
		search_chunk(&s, t->symbols.items[i].address, &all);
	}
	return ret->count ? NULL : "no instruction increments it";
}

/* ---------------------------------------------------------------------------------------------- */

static const char *find(const struct kernel_text *t, struct arena *a, const struct site_query *q,
			uint64_t variable, kernel_site_vector *ret)
{
	switch (q->kind) {
	case SITE_OFFSET:
		return sites_at(t, a, q, ret);
	case SITE_CALL:
		return sites_of_calls(t, a, q, ret);
	default:
		return sites_of_increments(t, q, variable, ret);
	}
}

/* The answer outlives the text, which is read again when modules are loaded. */
const char *fbt_sites(const struct kernel_text *t, struct arena *a, const struct site_query *q,
		      uint64_t variable, kernel_site_vector *ret)
{
	const char *problem = find(t, a, q, variable, ret);
	for (size_t i = 0; i < ret->count; i++)
		ret->items[i].function = arena_strdup(a, ret->items[i].function);
	return problem;
}
