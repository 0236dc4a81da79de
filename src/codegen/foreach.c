/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreach: the keys of an element into this variables, at the beginning of each pass
 *
 * The kernel walks the array (bpf_for_each_map_elem()) and calls the body, as that of other loops
 * (loop.c), with the element's key and value.  In no order; elements that are added or deleted
 * meanwhile may be walked or not.
 */
#include "codegen/gen.h"

void gen_each(struct gen *g, const struct tstmt *s, label body)
{
	struct code *c = &g->code;
	const struct variable_place *array = plan_variable(g->plan, s->if_.array);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)array->key.map, 0);
	emit_function(c, R2, body);
	emit_mov(c, R3, FP);
	emit_number(c, R4, 0);
	emit_call(c, RT_for_each);
}

/* The string in the key at R8 into the variable at OFFSET of the slot. */
static void gen_key_text(struct gen *g, const struct value_field *f, uint32_t offset)
{
	struct code *c = &g->code;
	emit_mov(c, R0, R8);
	emit_alu_number(c, BPF_ADD, R0, (int32_t)f->offset);
	gen_pointer_number(g);
	emit_mov(c, R2, R0);
	emit_number(c, R3, f->size);
	gen_read_text(g, offset + (uint32_t)sizeof(struct rt_string), false);
	emit_store(c, 8, R7, (int)offset, R0); /* the tag */
}

/* R2 is the key, R3 the value.  On to SKIP if it is no element: another array's, or zero. */
void gen_each_key(struct gen *g, const struct tstmt *s, label skip)
{
	struct code *c = &g->code;
	const struct key_place *place = &plan_variable(g->plan, s->if_.array)->key;
	const struct texpr *key = s->if_.keys;
	emit_mov(c, R8, R2);
	c->in_r8 = true;
	if (place->id) {
		emit_load(c, 8, R0, R8, 0);
		emit_jump_if_number(c, BPF_JNE, R0, (int32_t)place->id, skip);
	}
	if (type_is_scalar(s->if_.array->type)) { /* one that could not be deleted */
		emit_load(c, 8, R0, R3, 0);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, skip);
	}
	for (unsigned i = 0; key; key = key->next, i++) {
		const struct value_field *f = &place->fields[i];
		uint32_t offset = (uint32_t)sizeof(struct slot) +
				  plan_variable(g->plan, key->variable)->offset;
		need_slot(g);
		if (f->kind == VALUE_STRING) {
			gen_key_text(g, f, offset);
		} else {
			emit_load(c, (int)f->size, R0, R8, (int)f->offset);
			emit_store(c, (int)f->size, R7, (int)offset, R0);
		}
	}
	c->in_r8 = false;
}
