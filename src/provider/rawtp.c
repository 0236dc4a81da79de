/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawtp - the kernel's tracepoints, each with its own arguments
 *
 * A tracepoint exists if the kernel's type data, or a module's, have a typedef btf_trace_NAME: a
 * pointer to a function of its arguments, preceded by a void *.  Tracepoints that are not in
 * tracefs (their names end in _tp) are included.  The context of a program is an array of 64-bit
 * words, one for each argument, zero-extended.
 *
 * All names are known at once, so ids do not depend on the descriptions; types are read when a
 * description matches the tracepoint.
 *
 * Tracepoints that tracing itself fires (tracepoint.def) are matched only by their full names:
 * programs at one of them fire it again, and the kernel skips nested firings.
 */
#include <ctype.h>
#include <string.h>

#include "base/diagnostic.h"
#include "provider/provider.h"
#include "provider/tracefs.h"

#define PREFIX "btf_trace_"
#define CONTEXT_WORD 8

/* What hangs on a probe. */
struct tracepoint {
	const struct type *type;
	struct probe_args args;
	char *types[EVENT_ARGS + 1];
};

struct tracepoints {
	bool listed;
	VECTOR(struct probe *) probes;
};

static void *tracepoints_new(struct probe_db *db)
{
	return mem_zalloc(sizeof(struct tracepoints));
}

static void tracepoints_free(void *state)
{
	struct tracepoints *t = state;
	vector_free(&t->probes);
	free(t);
}

static void tracepoint_free(void *data)
{
	struct tracepoint *t = data;
	for (unsigned i = 0; t->types[i]; i++)
		free(t->types[i]);
	free(t);
}

/* --- the list ------------------------------------------------------------------------------- */

struct listing {
	struct probe_db *db;
	struct tracepoints *tracepoints;
	struct arena *names;
	struct hash *groups; /* name of an event -> its group */
};

static void group_remember(void *arg, const char *group, const char *name)
{
	struct listing *l = arg;
	if (!hash_get_string(l->groups, name))
		hash_put_string(l->groups, name, arena_strdup(l->names, group));
}

static void tracepoint_list_one(void *arg, const char *module, const char *name,
				const struct type *type)
{
	const struct listing *l = arg;
	name += strlen(PREFIX);
	const char *group = hash_get_string(l->groups, name);
	struct probe *p =
		probe_db_add(l->db, &provider_rawtp, "rawtp", group ? group : "vmlinux", "", name);
	if (p->data) /* two modules have one of this name */
		return;
	struct tracepoint *t = mem_zalloc(sizeof(*t));
	t->type = type;
	p->data = t;
	vector_push(&l->tracepoints->probes, p);
}

static void tracepoints_list(struct probe_db *db, struct tracepoints *tracepoints)
{
	struct arena *names = arena_new();
	struct listing l = { db, tracepoints, names, hash_new() };
	tracefs_events(group_remember, &l);
	types_kernel_typedefs(probe_db_types(db), PREFIX, tracepoint_list_one, &l);
	hash_free(l.groups);
	arena_free(names);
	tracepoints->listed = true;
}

/* --- arguments ------------------------------------------------------------------------------ */

char *argument_type_text(const struct type *type)
{
	auto_strbuf struct strbuf text = { 0 };
	type_print(type, &text);
	if (!strchr(strbuf_text(&text), '<'))
		return mem_strdup(strbuf_text(&text));
	if (type_is_pointer(type))
		return mem_strdup("void *");
	return mem_strdup(type_is_signed(type) ? "long" : "unsigned long");
}

static struct arg_location tracepoint_argument_place(const struct type *type, unsigned number)
{
	uint32_t size = type_size(type);
	struct arg_location ret = { .kind = ARG_CONTEXT,
				    .value = (int32_t)(number * CONTEXT_WORD) };
	if (type_is_integer(type) && (size == 1 || size == 2 || size == 4)) {
		ret.size = (uint8_t)size;
		ret.is_signed = type_is_signed(type);
	}
	return ret;
}

/* The function that TYPE, a btf_trace_NAME, points to, or NULL.  Its first argument is not the
 * tracepoint's. */
static const struct type *tracepoint_prototype(const struct type *type)
{
	type = type_resolve(type);
	const struct type *function =
		type->kind == TYPE_POINTER ? type_resolve(type->target) : NULL;
	return function && function->kind == TYPE_FUNCTION ? function : NULL;
}

static unsigned tracepoint_argument_places(const struct type *function, struct event_args *ret)
{
	unsigned count = 0;
	*ret = (struct event_args) { 0 };
	for (uint32_t i = 1; function && i < function->count && i <= EVENT_ARGS; i++, count++)
		ret->arg[i - 1] = tracepoint_argument_place(function->params[i], i - 1);
	return count;
}

/* A look-up that fails reads all modules. */
static const struct type *typedef_of(struct probe_db *db, const char *name)
{
	auto_free char *typedef_name = mem_printf("%s%s", PREFIX, name);
	const struct type *type = types_vmlinux_typedef(probe_db_types(db), typedef_name);
	return type ? type : types_find(probe_db_types(db), typedef_name);
}

int tracepoint_places(struct probe_db *db, const char *name, struct event_args *ret)
{
	const struct type *type = typedef_of(db, name);
	return type ? (int)tracepoint_argument_places(tracepoint_prototype(type), ret) : -1;
}

const struct type *tracepoint_type(struct probe_db *db, const char *name)
{
	const struct type *type = typedef_of(db, name);
	return type ? tracepoint_prototype(type) : NULL;
}

static void tracepoint_describe(struct probe_db *db, struct probe *p)
{
	struct tracepoint *t = p->data;
	const struct type *function = tracepoint_prototype(t->type);
	struct event_args args;
	unsigned count = tracepoint_argument_places(function, &args);
	for (unsigned i = 0; i < count; i++)
		t->types[i] = argument_type_text(function->params[i + 1]);
	t->args.types = (const char *const *)t->types;
	p->args = &t->args;
	probe_db_add_event(db, p, EVENT_TRACEPOINT, &args)->tracepoint.name = p->name;
}

/* --- the provider ----------------------------------------------------------------------------- */

bool tracepoint_may_mean(const struct provider *self, const struct probe_desc *desc)
{
	if (string_equal(desc->provider, self->name))
		return true;
	if (!probe_field_match(desc->function, ""))
		return false;
	if (!glob_is_plain(desc->name))
		return true;
	for (const char *c = desc->name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	return true;
}

static struct error *rawtp_discover(const struct provider *self, struct probe_db *db,
				    const struct probe_desc *desc)
{
	struct tracepoints *t = probe_db_state(db, &provider_rawtp);
	struct types *types = probe_db_types(db);
	const char *problem = types ? types_kernel_problem(types) : "";
	if (problem && string_equal(desc->provider, "rawtp"))
		return error_tag(error_new("there are no rawtp probes: %s", problem), D_PDESC_ZERO);
	if (problem)
		return NULL;
	if (!t->listed) {
		tracepoints_list(db, t);
		return NULL; /* the next description that matches one reads again */
	}
	for (size_t i = 0; i < t->probes.count; i++)
		if (!t->probes.items[i]->events &&
		    probe_field_match(desc->name, t->probes.items[i]->name))
			tracepoint_describe(db, t->probes.items[i]);
	return NULL;
}

static bool rawtp_module_alias(const struct probe *probe, const char *module)
{
	return string_equal(module, "vmlinux");
}

const char *tracepoint_only_in_full(const struct probe *probe)
{
	static const struct {
		const char *pattern, *why;
	} rows[] = {
#define TRACEPOINT(pattern, why) { pattern, why },
#include "provider/tracepoint.def"
#undef TRACEPOINT
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (glob_match(rows[i].pattern, probe->name))
			return rows[i].why;
	return NULL;
}

const struct provider provider_rawtp = {
	.name = "rawtp",
	.attributes = { PRIVATE_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, PRIVATE_ISA, PRIVATE_ISA },
	.state_new = tracepoints_new,
	.state_free = tracepoints_free,
	.discover = rawtp_discover,
	.may_mean = tracepoint_may_mean,
	.only_in_full = tracepoint_only_in_full,
	.aliases = &(const struct provider_aliases) { .module = rawtp_module_alias },
	.free_data = tracepoint_free,
};
