/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a clause will read of user memory, told at its begin (wait.c looks there first): addresses,
 * and the conditions that the reads stand in, put in terms of the begin (steady.c)
 */
#include "codegen/layout.h"

void condition_enter(struct gen *g, struct steady value, bool holds)
{
	struct condition *c = arena_alloc(g->arena, sizeof(*c));
	*c = (struct condition) { holds ? value : steady_denied(g, value), g->conditions };
	g->conditions = c;
}

void condition_leave(struct gen *g)
{
	g->conditions = g->conditions->outer;
}

static bool conditions_known(const struct gen *g)
{
	for (const struct condition *c = g->conditions; c; c = c->outer)
		if (!c->holds.value)
			return false;
	return true;
}

static void add(struct gen *g, const struct texpr *address, int32_t offset, bool is_text)
{
	struct steady_read read = {
		.clause = g->surveyed,
		.statement = g->statement,
		.address = address,
		.offset = offset,
		.is_text = is_text,
		.conditions = g->conditions,
	};
	vector_push(&g->steady, read);
}

/* The last of SIZE bytes at ADDRESS. */
static void add_end(struct gen *g, const struct texpr *address, const struct texpr *size)
{
	struct texpr *end = expression_copy(g, address);
	end->kind = TEXPR_BINARY;
	end->binary.op = OP_ADD;
	end->binary.left = (struct texpr *)address;
	end->binary.right = (struct texpr *)size;
	end->binary.is_signed = false;
	add(g, end, -1, false);
}

static void add_bytes(struct gen *g, const struct texpr *address, uint64_t size)
{
	add(g, address, 0, false);
	if (size > 1 && size <= INT32_MAX)
		add(g, address, (int32_t)size - 1, false);
}

static void add_call(struct gen *g, const struct texpr *address, const struct texpr *call)
{
	if (call->call.function == SUBROUTINE_copyinstr) {
		add(g, address, 0, true);
		return;
	}
	const struct texpr *size = steady_value(g, call->call.args->next).value;
	bool is_number = size && size->kind == TEXPR_INTEGER;
	add_bytes(g, address, is_number ? (uint64_t)size->integer : 1);
	if (size && !is_number)
		add_end(g, address, size);
}

void see_steady_read(struct gen *g, const struct texpr *e)
{
	bool is_call = e->kind == TEXPR_CALL;
	if (e->kind == TEXPR_BUILTIN || !conditions_known(g))
		return;
	const struct texpr *address =
		steady_value(g, is_call ? e->call.args : e->load.address).value;
	if (!address)
		return;
	if (is_call)
		add_call(g, address, e);
	else if (e->kind == TEXPR_STRING_AT)
		add(g, address, 0, true);
	else
		add_bytes(g, address, type_size(e->type));
}

void see_steady_bytes(struct gen *g, const struct texpr *e, uint32_t size)
{
	const struct texpr *address = steady_value(g, e).value;
	if (address && conditions_known(g))
		add_bytes(g, address, size);
}
