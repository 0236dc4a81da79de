/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory at an address, as fields of a record: print(), tracemem() and pcap() */
#include "codegen/gen.h"

/* The address, and the bytes there. */
static void gen_print_pointed(struct gen *g, const struct tstmt *s,
			      const struct action_layout *layout)
{
	const struct texpr *address = s->action.args;
	struct place where = field_place(g->state->record, &layout->fields[0]);
	bool user = type_is_userland(address->type);
	gen_source(g, address, user, layout->fields[1].size);
	emit_store(&g->code, 8, where.base, where.offset, R0);
	gen_copy_from_r0(g, user, field_place(g->state->record, &layout->fields[1]),
			 layout->fields[1].size);
}

/* The value, and the strings that parts of it stand for. */
static void gen_print(struct gen *g, const struct tstmt *s, const struct action_layout *layout)
{
	const struct value_field *texts = layout->fields + layout->field_count - layout->text_count;
	if (s->action.at_address)
		gen_print_pointed(g, s, layout);
	else
		gen_field(g, s->action.args, &layout->fields[0], g->state->record, false);
	const struct texpr *text = s->action.args->next;
	for (unsigned i = 0; i < layout->text_count; i++, text = text->next)
		gen_quiet_string(g, text, field_place(g->state->record, &texts[i]));
}

/* The bytes at the address, and how many of them are shown. */
static void gen_tracemem(struct gen *g, const struct tstmt *s, const struct action_layout *layout)
{
	const struct texpr *address = s->action.args;
	const struct value_field *bytes = &layout->fields[0];
	gen_copy(g, address, type_is_userland(address->type), field_place(g->state->record, bytes),
		 bytes->size);
	if (address->next)
		gen_field(g, address->next, &layout->fields[1], g->state->record, false);
}

/* R0 = the member of SIZE bytes at OFFSET of the struct at BASE. */
static void gen_packet_member(struct gen *g, struct temp base, uint32_t offset, uint32_t size)
{
	temp_read(g, base, R3);
	emit_alu_number(&g->code, BPF_ADD, R3, (int32_t)offset);
	gen_word(g, size, false);
}

/* The test of R3 bytes at R2, where the packet E has its data; both are kept. */
static void gen_data_test(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (!plan_may_be_scratch(g->plan, e))
		return;
	emit_mov(c, R0, R2);
	emit_mov(c, R2, R3);
	emit_mov(c, R3, R0);
	gen_source_test(g, e);
	emit_mov(c, R0, R2);
	emit_mov(c, R2, R3);
	emit_mov(c, R3, R0);
}

/*
 * The packet's length and the bytes at its `data`, at most pcapsize.  Bytes of a packet in
 * fragments elsewhere are not captured; the length shows this.
 */
static void gen_pcap(struct gen *g, const struct tstmt *s, const struct action_layout *layout)
{
	struct code *c = &g->code;
	const struct packet_layout *packet = &s->action.packet;
	struct place length = field_place(g->state->record, &layout->fields[0]);
	label fits = label_new(c), is_packet = label_new(c);

	/* The bytes from the packet to the last of its members that are read. */
	gen_source(g, s->action.args, false,
		   MAX(MAX(packet->length, packet->elsewhere) + 4, packet->data + 8));
	struct temp base = temp_push(g, R0);
	gen_packet_member(g, base, packet->length, 4);
	emit_store(c, 4, length.base, length.offset, R0);
	struct temp captured = temp_push(g, R0);
	gen_packet_member(g, base, packet->elsewhere, 4);
	temp_pop(g, captured, R1);
	emit_alu(c, BPF_SUB, R1, R0);
	emit_jump_if_number(c, BPF_JSGE, R1, 0, is_packet);
	emit_number(c, R1, 0); /* of memory that is not a packet, or no longer */
	label_place(c, is_packet);
	captured = temp_push(g, R1);
	gen_packet_member(g, base, packet->data, 8);
	emit_mov(c, R2, R0);
	temp_pop(g, captured, R3);
	emit_jump_if_number(c, BPF_JLE, R3, (int32_t)s->action.size, fits);
	emit_number(c, R3, s->action.size);
	label_place(c, fits);
	gen_data_test(g, s->action.args);
	emit_load(c, 8, R1, FP, g->state->tail);
	emit_call(c, RT_memory_record);
	temp_pop(g, base, R1);
	struct temp bytes = temp_push(g, R0);
	gen_slot_check(g);
	temp_pop(g, bytes, R0);
	gen_tail_ref(g, field_place(g->state->record, &layout->fields[1]));
}

bool gen_memory_fields(struct gen *g, const struct tstmt *s, const struct action_layout *layout)
{
	switch (s->action.kind) {
	case ACTION_PRINT:
		gen_print(g, s, layout);
		return true;
	case ACTION_TRACEMEM:
		gen_tracemem(g, s, layout);
		return true;
	case ACTION_PCAP:
		gen_pcap(g, s, layout);
		return true;
	default:
		return false;
	}
}
