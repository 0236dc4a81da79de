/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of each kind of expression, in the order of the text: the only list of them */
#include "sema/typed.h"

struct part {
	enum { PART_NONE, PART_ONE, PART_OPTIONAL, PART_LIST } kind;
	size_t offset; /* of its pointer in struct texpr */
};

#define ONE(member) ((struct part) { PART_ONE, offsetof(struct texpr, member) })
#define OPTIONAL(member) ((struct part) { PART_OPTIONAL, offsetof(struct texpr, member) })
#define LIST(member) ((struct part) { PART_LIST, offsetof(struct texpr, member) })

static const struct part parts[TEXPR_TRANSLATED + 1][4] = {
	[TEXPR_ELEMENT] = { LIST(element.keys) },
	[TEXPR_FIELD] = { ONE(field.base), OPTIONAL(field.index) },
	[TEXPR_LOAD] = { ONE(load.address) },
	[TEXPR_NEGATE] = { ONE(operand) },
	[TEXPR_COMPLEMENT] = { ONE(operand) },
	[TEXPR_NOT] = { ONE(operand) },
	[TEXPR_BINARY] = { ONE(binary.left), ONE(binary.right) },
	[TEXPR_LOGICAL] = { ONE(binary.left), ONE(binary.right) },
	[TEXPR_COMPARE_STRINGS] = { ONE(binary.left), ONE(binary.right) },
	[TEXPR_CONDITIONAL] = { ONE(conditional.condition), ONE(conditional.then),
				ONE(conditional.otherwise) },
	[TEXPR_COMMA] = { ONE(binary.left), ONE(binary.right) },
	[TEXPR_CONVERT] = { ONE(operand) },
	[TEXPR_ADDRESS] = { ONE(operand) },
	[TEXPR_STRING_AT] = { ONE(load.address) },
	[TEXPR_ASSIGN] = { ONE(assign.target), ONE(assign.value) },
	[TEXPR_UPDATE] = { ONE(update.target), ONE(update.value) },
	[TEXPR_CALL] = { LIST(call.args) },
	[TEXPR_SYMBOL] = { ONE(symbol.address) },
};

struct texpr **texpr_part(struct texpr *e, unsigned n)
{
	const struct part *part = &parts[e->kind][n];
	return part->kind == PART_NONE ? NULL : (struct texpr **)((char *)e + part->offset);
}

void texpr_each_part(const struct texpr *e, texpr_visit_fn *visit, void *arg)
{
	for (const struct part *part = parts[e->kind]; part->kind != PART_NONE; part++) {
		const struct texpr *child =
			*(struct texpr *const *)((const char *)e + part->offset);
		if (part->kind == PART_LIST)
			for (; child; child = child->next)
				visit(arg, child);
		else if (child || part->kind == PART_ONE)
			visit(arg, child);
	}
}
