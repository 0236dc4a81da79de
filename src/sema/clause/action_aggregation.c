/* SPDX-License-Identifier: BSD-2-Clause */
/* action_aggregation - actions on aggregations: printa(), clear(), trunc(), normalize() ... */
#include "sema/clause/action.h"

struct aggregation_tags {
	enum diagnostic_tag not_aggregation, undefined;
};

static bool aggregation_argument(struct sema *s, struct call *c, const struct node *n,
				 struct aggregation_tags tags)
{
	if (!n || n->kind != NODE_AGGREGATION || n->aggregation.has_keys) {
		diagnose(s->diagnostics, n ? n->range : c->node->range, tags.not_aggregation,
			 "an argument of %s() must be an aggregation's name without keys", c->name);
		return false;
	}
	struct aggregation *a = aggregation_find(s, n->aggregation.name);
	if (!a || !a->defined) {
		diagnose(s->diagnostics, n->range, tags.undefined,
			 "nothing was aggregated in @%s so far", n->aggregation.name);
		return false;
	}
	struct tstmt *t = c->stmt;
	struct aggregation **list = arena_alloc(s->arena, (t->action.aggregation_count + 1) *
								  sizeof(struct aggregation *));
	if (t->action.aggregation_count)
		memcpy(list, t->action.aggregations,
		       t->action.aggregation_count * sizeof(struct aggregation *));
	list[t->action.aggregation_count++] = a;
	t->action.aggregations = list;
	return true;
}

static bool compatible_keys(struct sema *s, const struct aggregation *a,
			    const struct aggregation *b, struct range range)
{
	if (a->key_count != b->key_count) {
		diagnose(s->diagnostics, range, D_PRINTA_AGGKEY, "@%s has %u key%s, but @%s has %u",
			 a->name, a->key_count, a->key_count == 1 ? "" : "s", b->name,
			 b->key_count);
		return false;
	}
	for (unsigned i = 0; i < a->key_count; i++) {
		bool integers =
			type_is_integer(a->key_types[i]) && type_is_integer(b->key_types[i]);
		if (integers || type_same(a->key_types[i], b->key_types[i]))
			continue;
		diagnose(s->diagnostics, range, D_PRINTA_AGGPROTO,
			 "key %u of @%s has type %s, but that of @%s has type %s", i + 1, a->name,
			 type_text(s, a->key_types[i]), b->name, type_text(s, b->key_types[i]));
		return false;
	}
	return true;
}

bool check_printa(struct sema *s, struct call *c)
{
	static const struct aggregation_tags tags = { D_PRINTA_AGGARG, D_PRINTA_AGGBAD };
	const struct node *n = c->args;
	if (n && n->kind == NODE_STRING) {
		if (n->string.len == 0) {
			diagnose(s->diagnostics, n->range, D_PRINTF_FMT_EMPTY,
				 "the format is empty");
			return false;
		}
		c->stmt->action.format = n->string.text;
		n = n->next;
	}
	if (!n) {
		call_wrong_count(s, c, D_PRINTA_PROTO, "an aggregation, after an optional format");
		return false;
	}
	for (; n; n = n->next)
		if (!aggregation_argument(s, c, n, tags))
			return false;
	struct aggregation **list = c->stmt->action.aggregations;
	for (unsigned i = 1; i < c->stmt->action.aggregation_count; i++)
		if (!compatible_keys(s, list[0], list[i], c->node->range))
			return false;
	if (c->stmt->action.format)
		printa_check(s, c->stmt->action.format, list, c->stmt->action.aggregation_count,
			     c->args->range);
	return true;
}

bool check_clear(struct sema *s, struct call *c)
{
	static const struct aggregation_tags tags = { D_CLEAR_AGGARG, D_CLEAR_AGGBAD };
	return aggregation_argument(s, c, c->args, tags);
}

static bool scalar_argument(struct sema *s, struct call *c, const struct node *n)
{
	struct texpr *e = expression_number(s, n);
	if (!type_is_scalar(e->type)) {
		diagnose(s->diagnostics, n->range, D_PROTO_ARG,
			 "the value given to %s() must be scalar, not %s", c->name,
			 type_text(s, e->type));
		return false;
	}
	call_add_value(c, e);
	return !texpr_is_poison(e);
}

bool check_trunc(struct sema *s, struct call *c)
{
	static const struct aggregation_tags tags = { D_TRUNC_AGGARG, D_TRUNC_AGGBAD };
	if (!aggregation_argument(s, c, c->args, tags))
		return false;
	if (c->count == 1)
		return true;
	struct aggregation *a = c->stmt->action.aggregations[0];
	a->is_shortened = true;
	if (a->is_walked)
		diagnose(s->diagnostics, c->node->range, D_SYNTAX,
			 "foreach does not see what trunc(@%s, n) removes: all is removed by "
			 "trunc(@%s)",
			 a->name, a->name);
	return scalar_argument(s, c, c->args->next);
}

static const struct aggregation_tags normalize_tags = { D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD };

bool check_normalize(struct sema *s, struct call *c)
{
	return aggregation_argument(s, c, c->args, normalize_tags) &&
	       scalar_argument(s, c, c->args->next);
}

bool check_denormalize(struct sema *s, struct call *c)
{
	return aggregation_argument(s, c, c->args, normalize_tags);
}
