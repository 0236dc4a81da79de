/* SPDX-License-Identifier: BSD-2-Clause */
/* action_value - the arguments of actions, and stack(), sym() and similar ones as values */
#include <inttypes.h>

#include "sema/sema_internal.h"

/* --- arguments -------------------------------------------------------------------------------- */

struct call call_of_node(const struct node *n)
{
	const char *name = n->call.callee->ident.name;
	return (struct call) { .name = name,
			       .row = action_find(name),
			       .node = n,
			       .args = n->call.args,
			       .count = node_count(n->call.args) };
}

void call_wrong_count(struct sema *s, const struct call *c, enum diagnostic_tag tag,
		      const char *wanted)
{
	diagnose(s->diagnostics, c->node->range, tag, "%s() takes %s, not %u", c->name, wanted,
		 c->count);
}

const char *arguments_text(struct sema *s, unsigned least, unsigned most)
{
	static const char *const numbers[] = { "no", "one", "two", "three", "four", "five", "six" };
	const char *plural = (most == UINT32_MAX ? least : most) == 1 ? "" : "s";
	if (most == UINT32_MAX)
		return arena_printf(s->arena, "at least %s argument%s", numbers[least], plural);
	if (least == most)
		return arena_printf(s->arena, "%s argument%s", numbers[least], plural);
	if (least == 0)
		return arena_printf(s->arena, "at most %s argument%s", numbers[most], plural);
	return arena_printf(s->arena, "%s %s %s arguments", numbers[least],
			    most == least + 1 ? "or" : "to", numbers[most]);
}

bool call_count_fits(struct sema *s, const struct call *c)
{
	const struct action_row *row = c->row;
	if (c->count >= row->least && c->count <= row->most)
		return true;
	if (row->kind == ACTION_PRINT && c->args && c->args->kind == NODE_AGGREGATION)
		diagnose(s->diagnostics, c->node->range, D_PROTO_LEN,
			 "print() cannot show an aggregation: use printa(), after trunc(@%s, N) if "
			 "only the first N keys are wanted",
			 c->args->aggregation.name);
	else
		call_wrong_count(s, c, D_PROTO_LEN, arguments_text(s, row->least, row->most));
	return false;
}

bool constant_argument(struct sema *s, const struct node *n, const char *what,
		       const struct constant_range *range, int64_t *ret)
{
	struct texpr *e = expression_number(s, n);
	if (texpr_is_poison(e))
		return false;
	*ret = e->integer;
	bool constant = e->kind == TEXPR_INTEGER && type_is_integer(e->type);
	if (constant && *ret >= range->low && *ret <= range->high)
		return true;
	enum diagnostic_tag tag = type_is_integer(e->type) ? range->tag : range->kind_tag;
	if (constant && *ret > range->high)
		diagnose(s->diagnostics, n->range, tag, "%s must be at most %" PRId64, what,
			 range->high);
	else
		diagnose(s->diagnostics, n->range, tag, "%s must be %s integer constant", what,
			 range->low > 0 ? "a positive" : "a non-negative");
	return false;
}

/* --- values ----------------------------------------------------------------------------------- */

static struct texpr *stack_value(struct sema *s, const struct call *c)
{
	bool user = c->name[0] != 's';
	int64_t frames = c->name[0] == 's'   ? s->env->stack_frames
			 : c->name[0] == 'u' ? s->env->ustack_frames
					     : s->env->jstack_frames;
	int64_t string_size = c->name[0] == 'j' ? s->env->jstack_strings : 0;
	enum diagnostic_tag tag = user ? D_USTACK_FRAMES : D_STACK_SIZE;
	const struct constant_range most_frames = { 1, INT32_MAX, tag, D_PROTO_ARG };
	const struct constant_range sizes = { 0, INT32_MAX, D_USTACK_STRSIZE, D_PROTO_ARG };
	if (c->count > 0 &&
	    !constant_argument(s, c->args, "the number of frames", &most_frames, &frames))
		return texpr_poison(s, c->node->range);
	if (c->count > 1 &&
	    !constant_argument(s, c->args->next, "the size of strings", &sizes, &string_size))
		return texpr_poison(s, c->node->range);
	if (formula_refuses(s, "a stack", c->node->range))
		return texpr_poison(s, c->node->range);
	struct texpr *e = texpr_new(s, TEXPR_STACK, intrinsic(s, INTRINSIC_STACK), c->node->range);
	e->stack.user = user;
	s->result.walks_user |= user;
	uint32_t most = user ? s->env->max_user_frames : s->env->max_frames;
	most = most ? most : UINT32_MAX;
	e->stack.frames = MIN((uint32_t)frames, most);
	e->stack.strings = (uint32_t)string_size;
	e->stack.interpreted = string_size ? e->stack.frames : 0;
	e->stack.wants_more = frames > most && !s->env->max_frames_chosen;
	if (e->stack.wants_more && (uint32_t)frames > s->result.frames_asked) {
		s->result.frames_asked = (uint32_t)frames;
		s->result.frames_given = most;
	}
	return e;
}

static enum value_kind symbol_kind(const char *name, bool *user)
{
	static const struct {
		const char *name;
		enum value_kind kind;
	} kinds[] = {
		{ "sym", VALUE_SYM },	  { "func", VALUE_SYM },   { "mod", VALUE_MOD },
		{ "usym", VALUE_USYM },	  { "ufunc", VALUE_USYM }, { "umod", VALUE_UMOD },
		{ "uaddr", VALUE_UADDR },
	};
	unsigned i = 0;
	while (!string_equal(kinds[i].name, name))
		i++;
	*user = i >= 3;
	return kinds[i].kind;
}

static struct texpr *symbol_value(struct sema *s, const struct call *c)
{
	struct texpr *address = expression_argument(s, c->args, D_PROTO_ARG);
	address = expression_operand(s, expression_plain(s, address, D_OP_DYN));
	if (texpr_is_poison(address))
		return address;
	if (!type_is_scalar(address->type))
		return mistake(s, c->args->range, D_PROTO_ARG,
			       "the argument of %s() must be an address, not %s", c->name,
			       type_text(s, address->type));
	bool user;
	enum value_kind kind = symbol_kind(c->name, &user);
	if (user && formula_refuses(s, c->name, c->node->range))
		return texpr_poison(s, c->node->range);
	struct texpr *e = texpr_new(s, TEXPR_SYMBOL,
				    intrinsic(s, user ? INTRINSIC_USYMADDR : INTRINSIC_SYMADDR),
				    c->node->range);
	e->symbol.kind = kind;
	e->symbol.address = address;
	return e;
}

struct texpr *action_value(struct sema *s, const struct node *n)
{
	struct call c = call_of_node(n);
	if (!c.row || !action_has_value(c.row->kind))
		return NULL;
	if (!call_count_fits(s, &c))
		return texpr_poison(s, n->range);
	return c.row->kind == ACTION_SYMBOL ? symbol_value(s, &c) : stack_value(s, &c);
}
