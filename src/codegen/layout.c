/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sizes and places, before any code: variables, keys, aggregations, records.
 *
 * Keys have exactly the size that their components need: a string component
 * that is only ever a literal or execname is as long as the longest of these,
 * which a first walk over the whole program finds out.
 */
#include "abi/llquantize.h"
#include "codegen/gen.h"

/* --- walking ------------------------------------------------------------------ */

typedef void visit_fn(struct gen *g, const struct texpr *e);

static void walk_expr(struct gen *g, const struct texpr *e, visit_fn *visit);

static void walk_list(struct gen *g, const struct texpr *e, visit_fn *visit)
{
	for (; e; e = e->next)
		walk_expr(g, e, visit);
}

static void walk_expr(struct gen *g, const struct texpr *e, visit_fn *visit)
{
	if (!e)
		return;
	visit(g, e);
	switch (e->kind) {
	case TEXPR_ELEMENT:
		walk_list(g, e->element.keys, visit);
		break;
	case TEXPR_FIELD:
		walk_expr(g, e->field.base, visit);
		walk_expr(g, e->field.index, visit);
		break;
	case TEXPR_LOAD:
		walk_expr(g, e->load.address, visit);
		break;
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
	case TEXPR_STRING_AT:
		walk_expr(g, e->operand, visit);
		break;
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_COMMA:
		walk_expr(g, e->binary.left, visit);
		walk_expr(g, e->binary.right, visit);
		break;
	case TEXPR_CONDITIONAL:
		walk_expr(g, e->conditional.condition, visit);
		walk_expr(g, e->conditional.then, visit);
		walk_expr(g, e->conditional.otherwise, visit);
		break;
	case TEXPR_ASSIGN:
		walk_expr(g, e->assign.target, visit);
		walk_expr(g, e->assign.value, visit);
		break;
	case TEXPR_UPDATE:
		walk_expr(g, e->update.target, visit);
		walk_expr(g, e->update.value, visit);
		break;
	case TEXPR_CALL:
		walk_list(g, e->call.args, visit);
		break;
	case TEXPR_SYMBOL:
		walk_expr(g, e->symbol.address, visit);
		break;
	default:
		break;
	}
}

static void see_aggregate(struct gen *g, const struct tstmt *s);

static void walk_statements(struct gen *g, const struct tstmt *s, visit_fn *visit)
{
	for (; s; s = s->next) {
		switch (s->kind) {
		case TSTMT_EXPRESSION:
			walk_expr(g, s->expr, visit);
			break;
		case TSTMT_IF:
			walk_expr(g, s->if_.condition, visit);
			walk_statements(g, s->if_.then, visit);
			walk_statements(g, s->if_.otherwise, visit);
			break;
		case TSTMT_ACTION:
			walk_list(g, s->action.args, visit);
			break;
		case TSTMT_SPECULATION:
			walk_expr(g, s->speculation.id, visit);
			break;
		case TSTMT_AGGREGATE:
			see_aggregate(g, s);
			walk_list(g, s->aggregate.keys, visit);
			walk_expr(g, s->aggregate.value, visit);
			walk_expr(g, s->aggregate.weight, visit);
			break;
		}
	}
}

/* --- strings in keys --------------------------------------------------------------- */

uint32_t string_room(const struct gen *g)
{
	return (uint32_t)sizeof(struct rt_string) + ALIGN_UP(g->options->string_size + 1, 8);
}

uint32_t string_bound(const struct gen *g, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_STRING:
		return MIN(e->string.len, g->options->string_size);
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_execname ? MIN(15, g->options->string_size)
						      : g->options->string_size;
	case TEXPR_CONDITIONAL:
		return MAX(string_bound(g, e->conditional.then),
			   string_bound(g, e->conditional.otherwise));
	default:
		return g->options->string_size;
	}
}

static bool is_probe_name(const struct texpr *e)
{
	return e->kind == TEXPR_BUILTIN &&
	       (e->builtin == BUILTIN_probeprov || e->builtin == BUILTIN_probemod ||
		e->builtin == BUILTIN_probefunc || e->builtin == BUILTIN_probename);
}

static uint32_t *bounds_of(struct gen *g, uint32_t **place, unsigned count)
{
	if (!*place)
		*place = arena_alloc(g->arena, (count + 1) * sizeof(**place));
	return *place;
}

static void see_keys(struct gen *g, const struct texpr *keys, uint32_t *bounds)
{
	for (unsigned i = 0; keys; keys = keys->next, i++)
		if (keys->type->kind == TYPE_STRING)
			bounds[i] = MAX(bounds[i], string_bound(g, keys));
}

/* What an aggregation's key holds in each component: remembered by its first use's expressions. */
static void see_aggregate(struct gen *g, const struct tstmt *s)
{
	struct aggregation *a = s->aggregate.aggregation;
	see_keys(g, s->aggregate.keys, bounds_of(g, &a->key_bounds, a->key_count));
}

static bool is_constant_size(const struct texpr *size)
{
	return size && size->kind == TEXPR_INTEGER && size->integer >= 0 && size->integer <= 65536;
}

/* Alloca memory that one clause needs: constant sizes have places of their own. */
static void see_alloca(struct gen *g, const struct texpr *e)
{
	const struct texpr *size = e->call.args;
	if (e->call.function == SUBROUTINE_copyin && size)
		size = size->next;
	else if (e->call.function != SUBROUTINE_alloca)
		return;
	if (is_constant_size(size))
		g->alloca_used += ALIGN_UP((uint32_t)size->integer, 8);
	else
		g->alloca_dynamic = 2 * ALIGN_UP(g->options->scratch_size, 8);
}

static void see_expression(struct gen *g, const struct texpr *e)
{
	if (e->kind == TEXPR_BUILTIN) {
		g->reads_user |= e->builtin == BUILTIN_execargs;
	} else if (e->kind == TEXPR_ELEMENT) {
		struct variable *v = e->element.variable;
		see_keys(g, e->element.keys, bounds_of(g, &v->key_bounds, v->key_count));
	} else if (e->kind == TEXPR_LOAD) {
		g->reads_user |= e->load.user;
	} else if (e->kind == TEXPR_STRING_AT) {
		g->reads_user |= e->load.user;
	} else if (e->kind == TEXPR_CALL) {
		see_alloca(g, e);
		g->reads_user |= e->call.function == SUBROUTINE_copyin ||
				 e->call.function == SUBROUTINE_copyinstr ||
				 e->call.function == SUBROUTINE_copyinto;
		if (e->call.function == SUBROUTINE_strtok)
			g->token_at = 1;
	}
}

/* --- keys ------------------------------------------------------------------------------ */

static uint32_t aligned_to(uint32_t offset, uint32_t size)
{
	uint32_t align = size >= 8 || (size & (size - 1)) ? 8 : size ? size : 1;
	return ALIGN_UP(offset, align);
}

/* A component: its kind and size.  BOUND is of strings; SAMPLE may be NULL. */
static struct value_field key_field(const struct type *type, const struct texpr *sample,
				    uint32_t bound)
{
	struct value_field f = { .kind = VALUE_INTEGER, .size = type_size(type) };
	f.is_signed = type_is_signed(type);
	switch (type->kind) {
	case TYPE_STRING:
		f.kind = VALUE_STRING;
		f.size = ALIGN_UP(bound + 1, 8);
		if (sample && is_probe_name(sample)) {
			f.kind = VALUE_PROBE_PROVIDER + (sample->builtin == BUILTIN_probemod) +
				 2 * (sample->builtin == BUILTIN_probefunc) +
				 3 * (sample->builtin == BUILTIN_probename);
			f.size = 4;
		}
		break;
	case TYPE_STACK:
		f.kind = sample && sample->stack.user ? VALUE_USTACK : VALUE_STACK;
		f.size = 8 * ((sample ? sample->stack.frames : 0) + (f.kind == VALUE_USTACK));
		break;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		f.kind = sample ? sample->symbol.kind : VALUE_SYM;
		f.size = type->kind == TYPE_USYMADDR ? 16 : 8;
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ARRAY:
		f.kind = VALUE_BYTES;
		break;
	default:
		break;
	}
	return f;
}

static uint32_t place_fields(struct value_field *fields, unsigned count)
{
	uint32_t offset = 0;
	for (unsigned i = 0; i < count; i++) {
		offset = aligned_to(offset, fields[i].size);
		fields[i].offset = offset;
		offset += fields[i].size;
	}
	return offset;
}

static void layout_array(struct gen *g, struct variable *v)
{
	uint32_t *bounds = bounds_of(g, &v->key_bounds, v->key_count);
	unsigned count = v->key_count + (v->scope == SCOPE_SELF);
	struct value_field *fields = arena_alloc(g->arena, count * sizeof(*fields));
	for (unsigned i = 0; i < v->key_count; i++)
		fields[i] = key_field(type_resolve(v->key_types[i]), NULL, bounds[i]);
	if (v->scope == SCOPE_SELF) /* the thread, behind the keys */
		fields[v->key_count] = (struct value_field) { .kind = VALUE_INTEGER, .size = 8 };
	v->key_size = place_fields(fields, count);
	v->key_fields = fields;
	v->map = (int)g->maps.count;
	uint32_t value =
		v->type->kind == TYPE_STRING ? string_room(g) : ALIGN_UP(type_size(v->type), 8);
	uint64_t room = v->key_size + value + 64; /* 64: the kernel's own for each element */
	vector_push(&g->maps,
		    (struct map_layout) {
			    .kind = MAP_ARRAY_VARIABLE,
			    .name = v->name,
			    .key_size = v->key_size,
			    .value_size = value,
			    .max_entries = (uint32_t)MAX(g->options->dynamic_size / room, 1u),
		    });
	g->program->zeros_size = MAX(g->program->zeros_size, value);
}

/* --- variables --------------------------------------------------------------------------- */

bool variable_in_frame(const struct variable *v)
{
	return type_is_scalar(v->type) && v->offset != UINT32_MAX && v->map == -2;
}

#define THIS_IN_FRAME 16

static uint32_t variable_size(const struct gen *g, const struct variable *v)
{
	return v->type->kind == TYPE_STRING ? string_room(g) : ALIGN_UP(type_size(v->type), 8);
}

static void layout_this(struct gen *g, struct variable *v)
{
	if (!g->spill && type_is_scalar(v->type) && g->this_frame_size < THIS_IN_FRAME * 8) {
		v->map = -2;
		v->offset = g->this_frame_size;
		g->this_frame_size += 8;
	} else {
		v->map = -1;
		v->offset = g->this_slot_size;
		g->this_slot_size += variable_size(g, v);
	}
}

/* A thread's block begins with its serial number, which names it in the keys of self arrays. */
static void layout_serial(struct gen *g)
{
	if (g->typed->variable_count[SCOPE_SELF])
		g->program->self_size = 8;
}

static void layout_variables(struct gen *g)
{
	layout_serial(g);
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++) {
		for (unsigned i = 0; i < g->typed->variable_count[scope]; i++) {
			struct variable *v = g->typed->variables[scope][i];
			uint32_t *size = scope == SCOPE_GLOBAL ? &g->program->globals_size
							       : &g->program->self_size;
			if (v->is_array) {
				layout_array(g, v);
			} else if (scope == SCOPE_THIS) {
				layout_this(g, v);
			} else {
				v->offset = *size;
				v->map = -1;
				*size += variable_size(g, v);
			}
		}
	}
}

/* --- aggregations ---------------------------------------------------------------------- */

/* A keyless value of these may be all zeros and yet a result. */
bool aggregate_needs_mark(enum aggregate function)
{
	return function == AGGREGATE_SUM || function == AGGREGATE_MIN || function == AGGREGATE_MAX;
}

static uint32_t aggregate_words(const struct aggregation *a)
{
	switch (a->function) {
	case AGGREGATE_AVG:
		return 2;
	case AGGREGATE_STDDEV:
		return 4;
	case AGGREGATE_QUANTIZE:
		return QUANTIZE_BUCKETS;
	case AGGREGATE_LQUANTIZE:
		return a->levels + 2;
	case AGGREGATE_LLQUANTIZE:
		return (uint32_t)llquantize_buckets(&a->ll);
	default:
		return 1;
	}
}

/* Per-CPU values may have 32 KiB (facts/kernel.md 2); larger ones are shared, still atomic. */
#define PER_CPU_LIMIT 32768

static int aggregation_map(struct gen *g, const struct aggregation_layout *a)
{
	uint64_t room = a->key_size + a->value_size + 64;
	vector_push(&g->maps,
		    (struct map_layout) {
			    .kind = MAP_AGGREGATION,
			    .name = a->name,
			    .key_size = a->key_size,
			    .value_size = a->value_size,
			    .max_entries = (uint32_t)MAX(g->options->aggregation_size / room, 1u),
			    .per_cpu = a->value_size <= PER_CPU_LIMIT,
		    });
	g->program->zeros_size = MAX(g->program->zeros_size, a->value_size);
	return (int)g->maps.count - 1;
}

/* The first use of A with keys, for what types do not tell: stacks, symbols, probe names. */
static const struct texpr *first_keys(const struct tstmt *s, const struct aggregation *a)
{
	for (; s; s = s->next) {
		const struct texpr *found = NULL;
		if (s->kind == TSTMT_AGGREGATE && s->aggregate.aggregation == a)
			return s->aggregate.keys;
		if (s->kind == TSTMT_IF) {
			found = first_keys(s->if_.then, a);
			found = found ? found : first_keys(s->if_.otherwise, a);
		}
		if (found)
			return found;
	}
	return NULL;
}

static const struct texpr *sample_keys(const struct gen *g, const struct aggregation *a)
{
	const struct texpr *keys = NULL;
	for (unsigned i = 0; i < g->typed->clause_count && !keys; i++)
		keys = first_keys(g->typed->clauses[i]->body, a);
	return keys;
}

/*
 * One component over all uses of an aggregation.  If it is a probe name here
 * and another string there it is kept as text everywhere; otherwise four bytes,
 * the probe's id, stand for it.  Stacks have room for the longest.
 */
struct component {
	const struct aggregation *aggregation;
	unsigned number;
	const struct texpr *sample; /* the first use */
	bool is_mixed;		    /* not the same probe name everywhere */
	uint32_t frames;
};

static const struct texpr *nth(const struct texpr *e, unsigned n)
{
	while (e && n--)
		e = e->next;
	return e;
}

/* Does KEY leave what the first use leaves: a stack of the same side, a symbol of the same kind? */
static bool same_kind(const struct texpr *key, const struct texpr *first)
{
	if (key->kind != first->kind)
		return key->kind != TEXPR_STACK && key->kind != TEXPR_SYMBOL;
	if (key->kind == TEXPR_STACK)
		return key->stack.user == first->stack.user;
	return key->kind != TEXPR_SYMBOL || key->symbol.kind == first->symbol.kind;
}

static void see_component(struct gen *g, struct component *c, const struct texpr *key)
{
	if (!key)
		return;
	if (!same_kind(key, c->sample))
		diagnose(g->diagnostics, key->range, D_PROTO_ARG,
			 "key %u of @%s is another kind of stack or symbol than before",
			 c->number + 1, c->aggregation->name);
	if (key->kind != TEXPR_BUILTIN || c->sample->kind != TEXPR_BUILTIN ||
	    key->builtin != c->sample->builtin)
		c->is_mixed = true;
	if (key->kind == TEXPR_STACK)
		c->frames = MAX(c->frames, key->stack.frames);
}

static void see_uses(struct gen *g, struct component *c, const struct tstmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == TSTMT_IF) {
			see_uses(g, c, s->if_.then);
			see_uses(g, c, s->if_.otherwise);
		} else if (s->kind == TSTMT_AGGREGATE &&
			   s->aggregate.aggregation == c->aggregation) {
			see_component(g, c, nth(s->aggregate.keys, c->number));
		}
	}
}

static struct value_field component_field(struct gen *g, const struct aggregation *a,
					  const struct texpr *sample, unsigned number,
					  uint32_t bound)
{
	struct component c = { .aggregation = a, .number = number, .sample = sample };
	for (unsigned i = 0; sample && i < g->typed->clause_count; i++)
		see_uses(g, &c, g->typed->clauses[i]->body);
	bool as_text = sample && is_probe_name(sample) && c.is_mixed;
	struct value_field f =
		key_field(type_resolve(a->key_types[number]), as_text ? NULL : sample, bound);
	if (c.frames)
		f.size = 8 * (c.frames + (f.kind == VALUE_USTACK));
	return f;
}

static void layout_aggregation(struct gen *g, struct aggregation *a, struct aggregation_layout *ret)
{
	*ret = (struct aggregation_layout) {
		.name = a->name,
		.function = a->function,
		.base = a->base,
		.step = a->step,
		.levels = a->levels,
		.ll = a->ll,
		.key_count = a->key_count,
		.value_size = aggregate_words(a) * 8,
		.map = -1,
	};
	if (!a->key_count) {
		ret->value_size += aggregate_needs_mark(a->function) ? 8 : 0;
		ret->keyless_offset = g->program->keyless_size;
		g->program->keyless_size += ret->value_size;
		return;
	}
	struct value_field *fields = arena_alloc(g->arena, a->key_count * sizeof(*fields));
	const struct texpr *sample = sample_keys(g, a);
	uint32_t *bounds = bounds_of(g, &a->key_bounds, a->key_count);
	for (unsigned i = 0; i < a->key_count; i++)
		fields[i] = component_field(g, a, nth(sample, i), i, bounds[i]);
	ret->key_size = place_fields(fields, a->key_count);
	ret->keys = fields;
	ret->map = aggregation_map(g, ret);
}

/* --- records ------------------------------------------------------------------------------- */

/* A literal as long as a string can be. */
static const char *cut_literal(const struct gen *g, const char *text)
{
	return arena_strndup(g->arena, text, strnlen(text, g->options->string_size));
}

static struct value_field record_field(const struct gen *g, const struct texpr *e)
{
	struct value_field f = key_field(type_resolve(e->type), e, g->options->string_size);
	switch (f.kind) {
	case VALUE_STRING:
		if (e->kind == TEXPR_STRING && e->string.text) {
			f = (struct value_field) { .kind = VALUE_STRING_CONST,
						   .text = cut_literal(g, e->string.text) };
		} else if (e->kind == TEXPR_BUILTIN && e->builtin == BUILTIN_execname &&
			   g->options->string_size >= 15) {
			f = (struct value_field) { .kind = VALUE_STRING_INLINE, .size = 16 };
		} else {
			f.size = sizeof(struct record_ref);
		}
		break;
	case VALUE_STACK:
	case VALUE_USTACK:
		f.size = sizeof(struct record_ref);
		break;
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		f.size = 0;
		break;
	case VALUE_BYTES:
		f.is_text = type_resolve(e->type)->kind == TYPE_ARRAY &&
			    type_resolve(type_resolve(e->type)->target)->is_char;
		break;
	default:
		if (type_resolve(e->type)->kind == TYPE_FLOAT)
			f.kind = VALUE_FLOAT;
	}
	return f;
}

static unsigned count_actions(const struct tstmt *s)
{
	unsigned n = 0;
	for (; s; s = s->next) {
		if (s->kind == TSTMT_ACTION)
			n++;
		else if (s->kind == TSTMT_IF)
			n += count_actions(s->if_.then) + count_actions(s->if_.otherwise);
	}
	return n;
}

/* Fields that are not simply the action's arguments: enum action_kind says what they are. */
static unsigned layout_memory(const struct tstmt *s, struct value_field *fields)
{
	const struct value_field bytes = { .kind = VALUE_BYTES, .size = s->action.size };
	switch (s->action.kind) {
	case ACTION_TRACEMEM:
		fields[0] = bytes;
		return s->action.count;
	case ACTION_PRINT:
		if (!s->action.at_address) {
			if (s->action.size) /* printsize may cut it */
				fields[0].size = s->action.size;
			return s->action.count;
		}
		fields[0] = (struct value_field) { .kind = VALUE_INTEGER, .size = 8 };
		fields[1] = bytes;
		return 2;
	case ACTION_PCAP:
		fields[0] = (struct value_field) { .kind = VALUE_INTEGER, .size = 4 };
		fields[1] = (struct value_field) { .kind = VALUE_MEMORY,
						   .size = sizeof(struct record_ref) };
		return 2;
	default:
		return s->action.count;
	}
}

static void layout_action(struct gen *g, const struct tstmt *s, struct action_layout *ret)
{
	*ret = (struct action_layout) { .kind = s->action.kind, .flag = -1 };
	ret->format = s->action.format;
	ret->type = s->action.type;
	ret->link = s->action.packet.link;
	struct value_field *fields = arena_alloc(g->arena, (s->action.count + 2) * sizeof(*fields));
	const struct texpr *arg = s->action.args;
	for (unsigned i = 0; arg; arg = arg->next, i++)
		fields[i] = record_field(g, arg);
	ret->field_count = layout_memory(s, fields);
	ret->fields = fields;
	uint32_t *list = arena_alloc(g->arena, (s->action.aggregation_count + 1) * sizeof(*list));
	for (unsigned i = 0; i < s->action.aggregation_count; i++)
		list[i] = s->action.aggregations[i]->index;
	ret->aggregations = list;
	ret->aggregation_count = s->action.aggregation_count;
}

static void layout_actions(struct gen *g, const struct tstmt *s, bool conditional,
			   struct action_layout *actions, unsigned *next)
{
	for (; s; s = s->next) {
		if (s->kind == TSTMT_IF) {
			layout_actions(g, s->if_.then, true, actions, next);
			layout_actions(g, s->if_.otherwise, true, actions, next);
		} else if (s->kind == TSTMT_ACTION) {
			layout_action(g, s, &actions[*next]);
			actions[*next].flag = conditional ? (int)*next : -1;
			(*next)++;
		}
	}
}

static const char *description_of(const struct gen *g, const struct probe_desc *d)
{
	return arena_printf(g->arena, "%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
}

void layout_clause(struct gen *g, const struct tclause *clause, struct clause_layout *ret)
{
	unsigned count = count_actions(clause->body) + clause->default_action;
	struct action_layout *actions = arena_alloc(g->arena, (count + 1) * sizeof(*actions));
	unsigned next = 0;
	layout_actions(g, clause->body, false, actions, &next);
	if (clause->default_action)
		actions[next++] = (struct action_layout) { .kind = ACTION_DEFAULT, .flag = -1 };
	bool conditional = false;
	for (unsigned i = 0; i < next; i++)
		conditional |= actions[i].flag >= 0;
	*ret = (struct clause_layout) {
		.epid = clause->index + 1,
		.description = description_of(g, &clause->desc),
		.source = clause->range.source->name,
		.line = clause->range.line,
		.records = next > 0,
		.flag_words = conditional ? (next + 63) / 64 : 0,
		.actions = actions,
		.action_count = next,
	};
	uint32_t offset = (uint32_t)sizeof(struct record_header) + 8 * ret->flag_words;
	for (unsigned i = 0; i < next; i++)
		for (unsigned j = 0; j < actions[i].field_count; j++) {
			struct value_field *f = (struct value_field *)&actions[i].fields[j];
			offset = aligned_to(offset, f->kind == VALUE_STRING ? 4 : f->size);
			f->offset = offset;
			offset += f->size;
		}
	ret->fixed_size = ALIGN_UP(offset, 8);
}

/* --- the whole ------------------------------------------------------------------------------- */

static uint32_t literal_place(struct gen *g, const char *text, uint32_t len)
{
	strbuf_fill(&g->constants, 0, ALIGN_UP(g->constants.len, 8) - g->constants.len);
	uint32_t offset = (uint32_t)g->constants.len;
	uint64_t tag = (uint64_t)len + 1;
	strbuf_add(&g->constants, &tag, sizeof(tag));
	strbuf_add(&g->constants, text, len);
	strbuf_putc(&g->constants, 0);
	return offset;
}

uint32_t constant_string(struct gen *g, const char *text, uint32_t len)
{
	len = (uint32_t)strnlen(text, MIN(len, g->options->string_size));
	void **place = hash_place(g->literals, text, len);
	if (!*place)
		*place = (void *)(uintptr_t)literal_place(g, text, len);
	return (uint32_t)(uintptr_t)*place;
}

/* The largest alloca need of all clauses, and what see_expression() notes on the way. */
static uint32_t survey(struct gen *g)
{
	uint32_t alloca_size = 0;
	for (unsigned i = 0; i < g->typed->clause_count; i++) {
		const struct tclause *clause = g->typed->clauses[i];
		g->alloca_used = 0;
		walk_expr(g, clause->predicate, see_expression);
		walk_statements(g, clause->body, see_expression);
		alloca_size = MAX(alloca_size, g->alloca_used);
	}
	return alloca_size;
}

static void layout_slot(struct gen *g, uint32_t alloca_size)
{
	uint32_t next = (uint32_t)sizeof(struct slot) + g->this_slot_size;
	if (g->token_at) {
		g->token_at = next;
		next += string_room(g);
	}
	if (g->spill) {
		g->spill_at = next;
		next += 8 * g->temps_max;
	}
	g->alloca_begin = next;
	g->alloca_end = next + alloca_size + g->alloca_dynamic;
	g->slot_first = g->slot_max = g->alloca_end;
	g->program->zeros_size = MAX(g->program->zeros_size, g->this_slot_size);
	if (alloca_size + g->alloca_dynamic)
		g->program->zeros_size =
			MAX(g->program->zeros_size, MAX(g->options->scratch_size, alloca_size));
}

void layout_program(struct gen *g)
{
	uint32_t alloca_size = survey(g);
	g->program->zeros_size = string_room(g) + 16;
	layout_variables(g);
	unsigned count = g->typed->aggregation_count;
	g->aggregations = arena_alloc(g->arena, (count + 1) * sizeof(*g->aggregations));
	for (unsigned i = 0; i < count; i++)
		layout_aggregation(g, g->typed->aggregations[i], &g->aggregations[i]);
	g->program->keyless_size = ALIGN_UP(g->program->keyless_size, 64);
	layout_slot(g, alloca_size);
	g->program->zeros_size = ALIGN_UP(g->program->zeros_size, 8);
	strbuf_fill(&g->constants, 0, g->program->zeros_size);
	g->clauses = arena_alloc(g->arena, (g->typed->clause_count + 1) * sizeof(*g->clauses));
}
