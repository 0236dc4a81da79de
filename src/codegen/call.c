/* SPDX-License-Identifier: BSD-2-Clause */
/* Subroutines */
#include "codegen/gen.h"

static const struct texpr *argument(const struct texpr *e, unsigned n)
{
	const struct texpr *a = e->call.args;
	while (a && n--)
		a = a->next;
	return a;
}

/*
 * Arguments of a run-time function whose parameters are, from R2 on, what KINDS
 * says: 's' a string, 'n' a number; DEFAULTS for numbers that were left out.
 * Strings become temporaries, numbers are kept; then all are put in place.
 * R1 is the result's place when RESULT is not 0; else parameters begin at R1.
 */
struct rt_call {
	enum rt_function function;
	const char *kinds;
	int64_t default_number;
};

static void gen_rt_call(struct gen *g, const struct texpr *e, const struct rt_call *call,
			uint32_t result)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot_used;
	uint32_t strings[4] = { 0 };
	struct temp numbers[4];
	bool present[4] = { false };
	unsigned count = (unsigned)strlen(call->kinds);

	for (unsigned i = 0; i < count; i++) {
		const struct texpr *a = argument(e, i);
		if (call->kinds[i] == 's') {
			strings[i] = gen_string_temp(g, a);
		} else if (a) {
			gen_value(g, a);
			numbers[i] = temp_push(g, R0);
			present[i] = true;
		}
	}
	enum reg first = result ? R2 : R1;
	for (int i = (int)count - 1; i >= 0; i--) {
		enum reg r = first + (unsigned)i;
		if (call->kinds[i] == 's')
			gen_at(g, r, strings[i]);
		else if (present[i])
			temp_pop(g, numbers[i], r);
		else
			emit_number(c, r, call->default_number);
	}
	if (result)
		gen_at(g, R1, result);
	emit_call(c, call->function);
	gen_slot_check(g);
	slot_release(g, mark);
}

/* The alloca memory at the address in R0, as a pointer in R1. */
void gen_alloca_pointer(struct gen *g, uint32_t size)
{
	struct code *c = &g->code;
	need_slot(g);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_SUB, R0, R1);
	label bad = fault_label(g, FAULT_BADADDR);
	uint32_t end = g->alloca_end;
	if (g->alloca_begin + size > end) {
		emit_jump(c, bad);
		return;
	}
	emit_jump_if_number(c, BPF_JLT, R0, (int32_t)g->alloca_begin, bad);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)(end - size), bad);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
}

/*
 * Room in alloca memory for SIZE bytes: its pointer in R1 and the size in R2.
 * Constant sizes have places of their own; others share what follows.
 */
static void gen_room(struct gen *g, const struct texpr *size, struct temp *offset)
{
	struct code *c = &g->code;
	need_slot(g);
	if (size->kind == TEXPR_INTEGER && size->integer >= 0 && size->integer <= 65536) {
		emit_number(c, R0, g->alloca_begin + g->alloca_used);
		g->alloca_used += ALIGN_UP((uint32_t)size->integer, 8);
		*offset = temp_push(g, R0);
		temp_read(g, *offset, R1);
		emit_alu(c, BPF_ADD, R1, R7);
		emit_number(c, R2, size->integer);
		return;
	}
	uint32_t limit = g->options->scratch_size;
	uint32_t begin = g->alloca_end - g->alloca_dynamic;
	label full = fault_label(g, FAULT_NOSCRATCH);
	gen_value(g, size);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_mov(c, R2, R0);
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)limit, full);
	emit_load(c, 4, R0, R7, offsetof(struct slot, alloca_used));
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)limit, full);
	emit_mov(c, R1, R0);
	emit_alu(c, BPF_ADD, R1, R2);
	emit_jump_if_number(c, BPF_JGT, R1, (int32_t)limit, full);
	emit_alu_number(c, BPF_ADD, R1, 7);
	emit_alu_number(c, BPF_AND, R1, -8);
	emit_store(c, 4, R7, offsetof(struct slot, alloca_used), R1);
	emit_alu_number(c, BPF_ADD, R0, (int32_t)begin);
	*offset = temp_push(g, R0);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
}

/* R0 = the address of the slot's offset that T holds */
static void gen_slot_address(struct gen *g, struct temp t)
{
	struct code *c = &g->code;
	temp_pop(g, t, R0);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_ADD, R0, R1);
}

static void gen_alloca(struct gen *g, const struct texpr *e)
{
	struct temp offset;
	gen_room(g, argument(e, 0), &offset);
	emit_address(&g->code, R3, RELOCATE_CONSTANTS, 0, 0);
	emit_call(&g->code, RT_read_kernel);
	gen_slot_address(g, offset);
}

static void gen_copyin(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	gen_value(g, argument(e, 0));
	struct temp address = temp_push(g, R0);
	struct temp offset;
	gen_room(g, argument(e, 1), &offset);
	temp_read(g, address, R3);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_read(g, true);
	gen_slot_address(g, offset);
	temp_pop(g, address, R1);
}

/*
 * The alloca memory at the address in R0 as a pointer in R1, with room for what T holds,
 * which comes into R2.  Sizes that no alloca memory has are BADSIZE.
 */
static void gen_alloca_part(struct gen *g, struct temp size)
{
	struct code *c = &g->code;
	uint32_t room = g->alloca_end - g->alloca_begin;
	need_slot(g);
	temp_pop(g, size, R2);
	if (!room) { /* the program has none: no address can be right */
		emit_store(c, 8, FP, g->firing.fault_address, R0);
		emit_jump(c, fault_label(g, FAULT_BADADDR));
		return;
	}
	emit_store(c, 8, FP, g->firing.fault_address, R2);
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)room, fault_label(g, FAULT_BADSIZE));
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_SUB, R0, R1);
	label bad = fault_label(g, FAULT_BADADDR);
	emit_jump_if_number(c, BPF_JLT, R0, (int32_t)g->alloca_begin, bad);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)g->alloca_end, bad);
	emit_mov(c, R1, R0);
	emit_alu(c, BPF_ADD, R1, R2);
	emit_jump_if_number(c, BPF_JGT, R1, (int32_t)g->alloca_end, bad);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
}

static bool is_small_constant(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER && e->integer >= 0 && e->integer <= 65536;
}

/* copyinto(addr, n, dst) and bcopy(src, dst, n) */
static void gen_copy_into(struct gen *g, const struct texpr *from, const struct texpr *to,
			  const struct texpr *size, bool user)
{
	struct code *c = &g->code;
	gen_value(g, from);
	struct temp address = temp_push(g, R0);
	if (is_small_constant(size)) {
		gen_value(g, to);
		gen_alloca_pointer(g, (uint32_t)size->integer);
		emit_number(c, R2, size->integer);
	} else {
		gen_value(g, size);
		struct temp t = temp_push(g, R0);
		gen_value(g, to);
		gen_alloca_part(g, t);
	}
	temp_pop(g, address, R3);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_read(g, user);
	emit_number(c, R0, 0);
}

static void gen_swapped(struct gen *g, const struct texpr *e, int bits)
{
	gen_value(g, argument(e, 0));
	emit_swap(&g->code, R0, bits);
}

/* Of what lies at a kernel address, which may fault. */
static void gen_lock(struct gen *g, const struct texpr *e, enum rt_function f)
{
	gen_value(g, argument(e, 0));
	emit_mov(&g->code, R2, R0);
	gen_at(g, R1, 0);
	emit_call(&g->code, f);
	gen_slot_check(g);
}

void gen_call(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	switch (e->call.function) {
	case SUBROUTINE_strlen:
		gen_rt_call(g, e, &(struct rt_call) { RT_strlen, "s", 0 }, 0);
		return;
	case SUBROUTINE_index:
		gen_rt_call(g, e, &(struct rt_call) { RT_index, "ssn", 0 }, 0);
		return;
	case SUBROUTINE_rindex:
		gen_rt_call(g, e, &(struct rt_call) { RT_rindex, "ssn", INT64_MAX }, 0);
		return;
	case SUBROUTINE_strtoll:
		gen_rt_call(g, e, &(struct rt_call) { RT_strtoll, "sn", 10 }, 0);
		return;
	case SUBROUTINE_alloca:
		gen_alloca(g, e);
		return;
	case SUBROUTINE_copyin:
		gen_copyin(g, e);
		return;
	case SUBROUTINE_copyinto:
		gen_copy_into(g, argument(e, 0), argument(e, 2), argument(e, 1), true);
		return;
	case SUBROUTINE_bcopy:
		gen_copy_into(g, argument(e, 0), argument(e, 1), argument(e, 2), false);
		return;
	case SUBROUTINE_htons:
	case SUBROUTINE_ntohs:
		gen_swapped(g, e, 16);
		return;
	case SUBROUTINE_htonl:
	case SUBROUTINE_ntohl:
		gen_swapped(g, e, 32);
		return;
	case SUBROUTINE_htonll:
	case SUBROUTINE_ntohll:
		gen_swapped(g, e, 64);
		return;
	case SUBROUTINE_getmajor:
		gen_value(g, argument(e, 0));
		emit_alu_number(c, BPF_RSH, R0, 20);
		return;
	case SUBROUTINE_getminor:
		gen_value(g, argument(e, 0));
		emit_alu_number(c, BPF_AND, R0, 0xfffff);
		return;
	case SUBROUTINE_stop:
		gen_raise(g, NULL);
		return;
	case SUBROUTINE_raise:
		gen_raise(g, argument(e, 0));
		return;
	case SUBROUTINE_copyout:
		gen_copyout(g, e->call.args);
		return;
	case SUBROUTINE_copyoutstr:
		gen_copyoutstr(g, e->call.args);
		return;
	case SUBROUTINE_breakpoint:
	case SUBROUTINE_chill:
	case SUBROUTINE_panic:
		break; /* -S may show such a program; nobody enables it (typed_program.impossible)
			*/
	case SUBROUTINE_mutex_owned:
		gen_lock(g, e, RT_mutex_owned);
		return;
	case SUBROUTINE_mutex_owner:
		gen_lock(g, e, RT_mutex_owner);
		return;
	case SUBROUTINE_rw_read_held:
		gen_lock(g, e, RT_rw_read_held);
		return;
	case SUBROUTINE_rw_write_held:
		gen_lock(g, e, RT_rw_write_held);
		return;
	case SUBROUTINE_rw_iswriter:
		gen_lock(g, e, RT_rw_iswriter);
		return;
	case SUBROUTINE_getf:
		gen_value(g, argument(e, 0));
		emit_mov(c, R1, R0);
		emit_call(c, RT_getf);
		return;
	case SUBROUTINE_progenyof:
		gen_value(g, argument(e, 0));
		emit_mov(c, R1, R0);
		emit_call(c, RT_progenyof);
		return;
	case SUBROUTINE_rand:
		emit_call(c, RT_random);
		emit_alu_number(c, BPF_AND, R0, 0x7fffffff);
		return;
	case SUBROUTINE_speculation:
		emit_call(c, RT_speculation);
		return;
	default:
		unsupported(g, e->range, "this subroutine");
	}
}

static void gen_copyinstr(struct gen *g, const struct texpr *e, uint32_t offset)
{
	struct code *c = &g->code;
	const struct texpr *max = argument(e, 1);
	gen_value(g, argument(e, 0));
	struct temp address = temp_push(g, R0);
	if (max) {
		gen_value(g, max);
		emit_mov(c, R3, R0);
	} else {
		emit_number(c, R3, g->options->string_size);
	}
	temp_pop(g, address, R2);
	gen_at(g, R1, offset);
	emit_call(c, g->may_sleep ? RT_string_user_wait : RT_string_user);
	gen_slot_check(g);
}

/* strtok(s, delim): s may be NULL, which goes on with the string begun before. */
static void gen_strtok(struct gen *g, const struct texpr *e, uint32_t offset)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot_used;
	uint32_t text = gen_string_temp(g, argument(e, 0));
	uint32_t delimiters = gen_string_temp(g, argument(e, 1));
	gen_at(g, R1, offset);
	gen_at(g, R2, text);
	gen_at(g, R3, delimiters);
	gen_at(g, R4, g->token_at);
	emit_call(c, RT_strtok);
	gen_slot_check(g);
	slot_release(g, mark);
}

#define JSON_ROOM 192 /* as in runtime/json.c */

static void gen_json(struct gen *g, const struct texpr *e, uint32_t offset)
{
	uint32_t mark = g->slot_used;
	uint32_t text = gen_string_temp(g, argument(e, 0));
	uint32_t path = gen_string_temp(g, argument(e, 1));
	uint32_t room = slot_alloc(g, JSON_ROOM);
	gen_at(g, R1, offset);
	gen_at(g, R2, text);
	gen_at(g, R3, path);
	gen_at(g, R4, room);
	emit_call(&g->code, RT_json);
	gen_slot_check(g);
	slot_release(g, mark);
}

/* The address is one argument, a number may be the other; it is left out: 0. */
static void gen_address_text(struct gen *g, const struct texpr *e, uint32_t offset,
			     enum rt_function f, unsigned address, unsigned number)
{
	struct code *c = &g->code;
	const struct texpr *n = argument(e, number);
	gen_value(g, argument(e, address));
	struct temp t = temp_push(g, R0);
	if (n)
		gen_value(g, n);
	else
		emit_number(c, R0, 0);
	emit_mov(c, R3, R0);
	temp_pop(g, t, R2);
	gen_at(g, R1, offset);
	emit_call(c, f);
	gen_slot_check(g);
}

#define D_PATH_LEVELS 64 /* as in runtime/dentry.c */

static void gen_d_path(struct gen *g, const struct texpr *e, uint32_t offset)
{
	uint32_t mark = g->slot_used;
	uint32_t names = slot_alloc(g, D_PATH_LEVELS * 8);
	gen_value(g, argument(e, 0));
	emit_mov(&g->code, R2, R0);
	gen_at(g, R1, offset);
	gen_at(g, R3, names);
	emit_call(&g->code, RT_d_path);
	gen_slot_check(g);
	slot_release(g, mark);
}

void gen_string_call(struct gen *g, const struct texpr *e, uint32_t offset)
{
	static const struct {
		enum subroutine subroutine;
		struct rt_call call;
	} calls[] = {
		{ SUBROUTINE_basename, { RT_basename, "s", 0 } },
		{ SUBROUTINE_dirname, { RT_dirname, "s", 0 } },
		{ SUBROUTINE_cleanpath, { RT_cleanpath, "s", 0 } },
		{ SUBROUTINE_lltostr, { RT_lltostr, "nn", 10 } },
		{ SUBROUTINE_strchr, { RT_strchr, "sn", 0 } },
		{ SUBROUTINE_strrchr, { RT_strrchr, "sn", 0 } },
		{ SUBROUTINE_strstr, { RT_strstr, "ss", 0 } },
		{ SUBROUTINE_strjoin, { RT_strjoin, "ss", 0 } },
		{ SUBROUTINE_substr, { RT_substr, "snn", INT64_MAX } },
		{ SUBROUTINE_tolower, { RT_tolower, "s", 0 } },
		{ SUBROUTINE_toupper, { RT_toupper, "s", 0 } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].subroutine == e->call.function) {
			gen_rt_call(g, e, &calls[i].call, offset);
			return;
		}
	switch (e->call.function) {
	case SUBROUTINE_copyinstr:
		gen_copyinstr(g, e, offset);
		return;
	case SUBROUTINE_d_path:
		gen_d_path(g, e, offset);
		return;
	case SUBROUTINE_strtok:
		gen_strtok(g, e, offset);
		return;
	case SUBROUTINE_inet_ntoa:
		gen_address_text(g, e, offset, RT_inet_ntoa, 0, 1);
		return;
	case SUBROUTINE_inet_ntoa6:
		gen_address_text(g, e, offset, RT_inet_ntoa6, 0, 1);
		return;
	case SUBROUTINE_json:
		gen_json(g, e, offset);
		return;
	case SUBROUTINE_inet_ntop:
		gen_address_text(g, e, offset, RT_inet_ntop, 1, 0);
		return;
	case SUBROUTINE_link_ntop:
		gen_address_text(g, e, offset, RT_link_ntop, 1, 0);
		return;
	default:
		unsupported(g, e->range, "this subroutine");
	}
}
