/* SPDX-License-Identifier: BSD-2-Clause */
/* action_memory - actions that print memory: print(), tracemem(), pcap() */
#include "sema/clause/action.h"

/* --- print() --- */

/* Typedefs stay: their names are shown. */
static const struct type *without_qualifiers(const struct type *type)
{
	while (type->kind == TYPE_QUALIFIED)
		type = type->target;
	return type;
}

/*
 * Memory of alloca() and copyin() is printed as the pointer's target, of any type; other pointers
 * are followed only to types with members or elements.
 */
static bool is_followed(const struct texpr *e)
{
	if (e->type->kind != TYPE_POINTER)
		return false;
	const struct type *target = type_resolve(e->type->target);
	return type_is_struct(target) || target->kind == TYPE_ARRAY ||
	       target->kind == TYPE_FORWARD || texpr_is_alloca(e);
}

static bool can_print(struct sema *s, const struct texpr *e)
{
	switch (e->type->kind) {
	case TYPE_VOID:
		diagnose(s->diagnostics, e->range, D_PRINT_VOID, "a void value cannot be printed");
		return false;
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		diagnose(s->diagnostics, e->range, D_OP_ACT,
			 "the result of this action cannot be printed by print(): make it a "
			 "statement");
		return false;
	default:
		return true;
	}
}

/* The memory at an address: its bytes are copied, at most printsize. */
static bool print_check_pointed(struct sema *s, struct call *c, const struct texpr *e)
{
	const struct type *target = without_qualifiers(e->type->target);
	uint32_t size = type_size(target);
	if (size == 0) {
		diagnose(s->diagnostics, e->range, D_PRINT_SIZE,
			 "print() of a %s: the size of its target is unknown",
			 type_text(s, e->type));
		return false;
	}
	c->stmt->action.at_address = true;
	c->stmt->action.type = target;
	c->stmt->action.size = MIN(size, s->env->print_size);
	return true;
}

/* A translated value is printed as the struct that it would be. */
static bool print_translated(struct sema *s, struct call *c, const struct texpr *e)
{
	const struct type *shown;
	struct texpr *object = translator_whole(s, e, &shown);
	if (texpr_is_poison(object))
		return false;
	call_add_value(c, object);
	c->stmt->action.type = shown;
	c->stmt->action.size = MIN(type_size(shown), s->env->print_size);
	return true;
}

/* --- strings that parts of a printed value stand for --- */

#define TEXTS_MOST 16
#define TEXTS_DEPTH 6

/* Those of OBJECT, at OFFSET of the whole, as further arguments. */
static void print_texts(struct sema *s, struct call *c, struct texpr *object, uint32_t offset,
			uint32_t depth)
{
	struct tstmt *t = c->stmt;
	if (t->action.text_count == TEXTS_MOST || depth > TEXTS_DEPTH)
		return;
	struct texpr *text = s->text_of_struct(s, object);
	if (text && !texpr_is_poison(text)) {
		call_add_value(c, text);
		t->action.texts[t->action.text_count++] = (struct printed_text) { offset, depth };
		return;
	}
	const struct type *type = type_resolve(object->type);
	for (unsigned i = 0; i < type_member_count(s->types, type); i++) {
		const struct member *m = type_member_at(s->types, type, i);
		bool is_part = !m->bit_size && !m->absent && !m->variant && type_is_struct(m->type);
		if (is_part)
			print_texts(s, c, memory_member_of(s, object, m, object->range),
				    offset + m->bit_offset / 8, depth + 1);
	}
}

/* Of a struct in the process's memory or registers: only there are types with such strings. */
static void print_add_texts(struct sema *s, struct call *c, struct texpr *e)
{
	bool is_pointer = c->stmt->action.at_address && type_is_user_pointer(e->type);
	bool is_object = (e->kind == TEXPR_LOAD && e->load.user) || e->is_translated;
	if (!type_is_struct(c->stmt->action.type) || (!is_pointer && !is_object))
		return;
	c->stmt->action.texts = arena_alloc(s->arena, TEXTS_MOST * sizeof(struct printed_text));
	print_texts(s, c, is_pointer ? memory_dereference(s, e, e->range) : e, 0, 0);
}

bool check_print(struct sema *s, struct call *c)
{
	if (c->args->kind == NODE_AGGREGATION) {
		diagnose(s->diagnostics, c->args->range, D_PRINT_AGG,
			 "print() cannot show an aggregation: use printa()");
		return false;
	}
	unsigned effects = s->effects;
	struct texpr *e =
		args_is_name(s, c->args) ? args_all(s, c->args) : expression_any(s, c->args);
	bool may_repeat = s->effects == effects || e->is_translated;
	if (e->kind == TEXPR_TRANSLATED)
		return print_translated(s, c, e);
	e = memory_typed(s, e);
	bool is_wide = e->type->kind == TYPE_INTEGER && e->type->size > 8;
	if (e->type->kind == TYPE_FUNCTION || is_wide)
		e = memory_decay(s, e); /* which refuses the latter */
	if (texpr_is_poison(e) || !can_print(s, e))
		return false;
	call_add_value(c, e);
	if (is_followed(e)) {
		if (!print_check_pointed(s, c, e))
			return false;
		if (may_repeat)
			print_add_texts(s, c, e);
		return true;
	}
	/* Some conversions change the type alone. */
	bool is_current = type_same(type_resolve(e->declared), e->type);
	c->stmt->action.type = is_current ? without_qualifiers(e->declared) : e->type;
	if (type_is_struct(e->type) || e->type->kind == TYPE_ARRAY)
		c->stmt->action.size = MIN(type_size(e->type), s->env->print_size);
	if (may_repeat)
		print_add_texts(s, c, e);
	return true;
}

/* --- tracemem() --- */

bool check_tracemem(struct sema *s, struct call *c)
{
	static const struct constant_range sizes = { 1, INT32_MAX, D_TRACEMEM_SIZE, D_PROTO_ARG };
	struct texpr *address = expression_value(s, c->args);
	if (!type_is_scalar(address->type)) {
		diagnose(s->diagnostics, c->args->range, D_TRACEMEM_ADDR,
			 "the address must be a pointer or integer, not %s",
			 type_text(s, address->type));
		return false;
	}
	call_add_value(c, address);
	int64_t size;
	if (!constant_argument(s, c->args->next, "the size", &sizes, &size))
		return false;
	c->stmt->action.size = (uint32_t)size;
	if (c->count < 3)
		return !texpr_is_poison(address);
	struct texpr *shown = expression_value(s, c->args->next->next);
	if (!type_is_scalar(shown->type)) {
		diagnose(s->diagnostics, shown->range, D_TRACEMEM_DYNSIZE,
			 "the size to show must be an integer, not %s", type_text(s, shown->type));
		return false;
	}
	call_add_value(c, shown);
	return !texpr_is_poison(address) && !texpr_is_poison(shown);
}

/* --- pcap() --- */

#define LINK_TYPE_MAX 0xffff

static bool packet_member(struct sema *s, const struct type *type, const char *name, uint32_t *ret)
{
	struct member m;
	if (!type_member(s->types, type, name, &m))
		return false;
	*ret = m.bit_offset / 8;
	return true;
}

/* Where a packet and its sizes are in a struct sk_buff. */
static bool packet_layout(struct sema *s, const struct texpr *e, struct packet_layout *ret)
{
	const struct type *type =
		e->type->kind == TYPE_POINTER ? type_resolve(e->type->target) : e->type;
	return e->type->kind == TYPE_POINTER && type->kind == TYPE_STRUCT && type->name &&
	       string_equal(type->name, "sk_buff") && !type_is_userland(e->type) &&
	       packet_member(s, type, "data", &ret->data) &&
	       packet_member(s, type, "len", &ret->length) &&
	       packet_member(s, type, "data_len", &ret->elsewhere);
}

bool check_pcap(struct sema *s, struct call *c)
{
	static const struct constant_range links = { 0, LINK_TYPE_MAX, D_PCAP_PROTO, D_PROTO_ARG };
	struct texpr *packet = expression_value(s, c->args);
	const struct type *packets = library_type(s, "struct sk_buff *", false);
	if (texpr_is_zero(packet) && packets) /* a null pointer, whose reading is a fault */
		packet = texpr_integer(s, 0, packets, packet->range);
	if (texpr_is_poison(packet))
		return false;
	if (!packet_layout(s, packet, &c->stmt->action.packet)) {
		diagnose(s->diagnostics, c->args->range, D_PCAP_ADDR,
			 "the packet must be a struct sk_buff *, not %s",
			 type_text(s, packet->type));
		return false;
	}
	call_add_value(c, packet);
	c->stmt->action.size = s->env->packet_size;
	int64_t link;
	if (!constant_argument(s, c->args->next, "the protocol, PCAP_ETHER or another,", &links,
			       &link))
		return false;
	c->stmt->action.packet.link = (uint32_t)link;
	return true;
}
