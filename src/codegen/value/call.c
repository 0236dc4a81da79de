/* SPDX-License-Identifier: BSD-2-Clause */
/* Subroutines */
#include <net/if_arp.h>
#include <sys/socket.h>

#include "codegen/gen.h"

/* What is read at the addresses that subroutines take, in bytes. */
#define PATH_SIZE 16 /* struct path */
#define LOCK_WORD 8  /* at its begin */
#define INET_SHORT_FAMILY AF_INET
#define INET_SHORT 4
#define INET_LONG 16
#define LINK_SHORT_TYPE ARPHRD_ETHER
#define LINK_SHORT 6
#define LINK_LONG 20 /* of InfiniBand */

static const struct texpr *argument_number(const struct texpr *e, unsigned n)
{
	const struct texpr *a = e->call.args;
	while (a && n--)
		a = a->next;
	return a;
}

/*
 * Arguments of a run-time function whose parameters, from R2 on, are given by
 * KINDS: 's' a string, 'n' a number; DEFAULT_NUMBER for omitted numbers.
 */
struct rt_call {
	enum rt_function function;
	const char *kinds;
	int64_t default_number;
};

/* For subroutines that are only such a call; NULL: E's is not. */
static const struct rt_call *rt_call_of(const struct texpr *e)
{
	static const struct {
		enum subroutine subroutine;
		struct rt_call call;
	} calls[] = {
		{ SUBROUTINE_strlen, { RT_strlen, "s", 0 } },
		{ SUBROUTINE_index, { RT_index, "ssn", 0 } },
		{ SUBROUTINE_rindex, { RT_rindex, "ssn", INT64_MAX } },
		{ SUBROUTINE_strtoll, { RT_strtoll, "sn", 10 } },
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
		if (calls[i].subroutine == e->call.function)
			return &calls[i].call;
	return NULL;
}

/* E's two arguments, numbers, in A and B. */
static void gen_two_numbers(struct gen *g, const struct texpr *e, enum reg a, enum reg b)
{
	gen_value(g, argument_number(e, 0));
	struct temp first = temp_push(g, R0);
	gen_value(g, argument_number(e, 1));
	emit_mov(&g->code, b, R0);
	temp_pop(g, first, a);
}

/* The function of one or two numbers that E is; RT_COUNT: it is something else. */
static enum rt_function numbers_function(const struct texpr *e)
{
	switch (e->call.function) {
	case SUBROUTINE_getf:
		return RT_getf;
	case SUBROUTINE_progenyof:
		return RT_progenyof;
	case SUBROUTINE_target_of:
		return RT_target_of;
	case SUBROUTINE_real_of:
		return RT_real_of;
	case SUBROUTINE_real_order:
		return RT_real_order;
	case SUBROUTINE_real_widen:
		return RT_real_widen;
	case SUBROUTINE_list_node:
		return RT_list_node;
	case SUBROUTINE_tree_node:
		return RT_tree_node;
	default:
		return RT_COUNT;
	}
}

static void gen_numbers_call(struct gen *g, const struct texpr *e, enum rt_function function)
{
	if (e->call.count == 2) {
		gen_two_numbers(g, e, R1, R2);
	} else {
		gen_value(g, argument_number(e, 0));
		emit_mov(&g->code, R1, R0);
	}
	emit_call(&g->code, function);
}

static void gen_fixed(struct gen *g, const struct texpr *e)
{
	gen_two_numbers(g, e, R2, R3);
	emit_number(&g->code, R4, e->call.function == SUBROUTINE_fixed);
	gen_at(g, R1, 0);
	emit_call(&g->code, RT_fixed);
	gen_slot_check(g);
}

/* substr(execargs, 0, 79): nothing is lost if execargs is longer than a string. */
static bool takes_beginning(const struct gen *g, const struct texpr *e)
{
	const struct texpr *text = argument_number(e, 0), *start = argument_number(e, 1),
			   *size = argument_number(e, 2);
	return e->call.function == SUBROUTINE_substr && text->kind == TEXPR_BUILTIN && size &&
	       start->kind == TEXPR_INTEGER && !start->integer && size->kind == TEXPR_INTEGER &&
	       size->integer >= 0 && size->integer <= g->plan->options->string_size;
}

/* Strings become temporaries, numbers are kept; then all are put in place, the result in R1. */
static void gen_rt_call(struct gen *g, const struct texpr *e, const struct rt_call *call,
			uint32_t result)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot.used;
	uint32_t strings[4] = { 0 };
	struct temp numbers[4];
	bool present[4] = { false };
	unsigned count = (unsigned)strlen(call->kinds);

	for (unsigned i = 0; i < count; i++) {
		const struct texpr *a = argument_number(e, i);
		if (call->kinds[i] == 's') {
			g->cuts_arguments = takes_beginning(g, e);
			strings[i] = gen_string_temp(g, a);
			g->cuts_arguments = false;
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

static void gen_swapped(struct gen *g, const struct texpr *e, int bits)
{
	gen_value(g, argument_number(e, 0));
	emit_swap(&g->code, R0, bits);
}

/* Of data at a kernel address; the read may fault. */
static void gen_lock(struct gen *g, const struct texpr *e)
{
	static const uint8_t functions[SUBROUTINE_COUNT] = {
		[SUBROUTINE_mutex_owned] = RT_mutex_owned,
		[SUBROUTINE_mutex_owner] = RT_mutex_owner,
		[SUBROUTINE_rw_read_held] = RT_rw_read_held,
		[SUBROUTINE_rw_write_held] = RT_rw_write_held,
		[SUBROUTINE_rw_iswriter] = RT_rw_iswriter,
	};
	gen_source(g, argument_number(e, 0), false, LOCK_WORD);
	emit_mov(&g->code, R2, R0);
	gen_at(g, R1, 0);
	emit_call(&g->code, functions[e->call.function]);
	gen_slot_check(g);
}

static void gen_stack_equal(struct gen *g, const struct texpr *first)
{
	uint32_t mark = g->slot.used;
	uint32_t a = gen_stack_temp(g, first), b = gen_stack_temp(g, first->next);
	gen_at(g, R1, a);
	gen_at(g, R2, b);
	emit_number(&g->code, R3, type_size(first->type));
	emit_call(&g->code, RT_bytes_equal);
	slot_release(g, mark);
}

void gen_call(struct gen *g, const struct texpr *e)
{
	const struct texpr *first = argument_number(e, 0);
	struct code *c = &g->code;
	const struct rt_call *call = rt_call_of(e);
	if (call) {
		gen_rt_call(g, e, call, 0);
		return;
	}
	if (numbers_function(e) != RT_COUNT) {
		gen_numbers_call(g, e, numbers_function(e));
		return;
	}
	switch (e->call.function) {
	case SUBROUTINE_alloca:
		gen_alloca(g, first);
		return;
	case SUBROUTINE_copyin:
		gen_copyin(g, first, argument_number(e, 1));
		return;
	case SUBROUTINE_copyinto:
		gen_copy_into(g, first, argument_number(e, 2), argument_number(e, 1), true);
		return;
	case SUBROUTINE_bcopy:
		gen_copy_into(g, first, argument_number(e, 1), argument_number(e, 2), false);
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
		gen_value(g, first);
		emit_alu_number(c, BPF_RSH, R0, 20);
		return;
	case SUBROUTINE_getminor:
		gen_value(g, first);
		emit_alu_number(c, BPF_AND, R0, 0xfffff);
		return;
	case SUBROUTINE_stop:
		gen_raise(g, NULL);
		return;
	case SUBROUTINE_raise:
		gen_raise(g, first);
		return;
	case SUBROUTINE_copyout:
		gen_copyout(g, e->call.args);
		return;
	case SUBROUTINE_copyoutstr:
		gen_copyoutstr(g, e->call.args);
		return;
	case SUBROUTINE_mutex_owned:
	case SUBROUTINE_mutex_owner:
	case SUBROUTINE_rw_read_held:
	case SUBROUTINE_rw_write_held:
	case SUBROUTINE_rw_iswriter:
		gen_lock(g, e);
		return;
	case SUBROUTINE_is_traced:
		gen_value(g, first);
		gen_other_task_test(g);
		return;
	case SUBROUTINE_fixed:
	case SUBROUTINE_real_integer:
		gen_fixed(g, e);
		return;
	case SUBROUTINE_stack_equal:
		gen_stack_equal(g, first);
		return;
	case SUBROUTINE_entry_seen:
	case SUBROUTINE_entry_end:
	case SUBROUTINE_register_save:
	case SUBROUTINE_register_saved:
		gen_entry_call(g, e);
		return;
	case SUBROUTINE_rand:
		emit_call(c, RT_random);
		emit_alu_number(c, BPF_AND, R0, 0x7fffffff);
		return;
	case SUBROUTINE_speculation:
		emit_call(c, RT_speculation);
		gen_effect(g);
		return;
	case SUBROUTINE_breakpoint:
	case SUBROUTINE_chill:
	case SUBROUTINE_panic:
		break; /* -S may print such a program; it is never enabled
			* (typed_program.impossible)
			*/
	default:
		unsupported(g, e->range, "this subroutine");
	}
}

void gen_copyinstr(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *max = argument_number(e, 1);
	gen_value(g, argument_number(e, 0));
	struct temp address = temp_push(g, R0);
	if (max) {
		gen_value(g, max);
		emit_mov(c, R3, R0);
	} else {
		emit_number(c, R3, TEXT_TO_ITS_END);
	}
	temp_pop(g, address, R2);
}

/* strtok(s, delim): if s is NULL it continues the string begun before. */
static void gen_strtok(struct gen *g, const struct texpr *e, uint32_t offset)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot.used;
	uint32_t text = gen_string_temp(g, argument_number(e, 0));
	uint32_t delimiters = gen_string_temp(g, argument_number(e, 1));
	gen_at(g, R1, offset);
	gen_at(g, R2, text);
	gen_at(g, R3, delimiters);
	gen_at(g, R4, g->plan->token_at);
	emit_call(c, RT_strtok);
	gen_effect(g);
	gen_slot_check(g);
	slot_release(g, mark);
}

static void gen_json(struct gen *g, const struct texpr *e, uint32_t offset)
{
	uint32_t mark = g->slot.used;
	uint32_t text = gen_string_temp(g, argument_number(e, 0));
	uint32_t path = gen_string_temp(g, argument_number(e, 1));
	uint32_t room = slot_alloc(g, JSON_ROOM);
	gen_at(g, R1, offset);
	gen_at(g, R2, text);
	gen_at(g, R3, path);
	gen_at(g, R4, room);
	emit_call(&g->code, RT_json);
	gen_slot_check(g);
	slot_release(g, mark);
}

/*
 * The test of the address R0, the value of E: FAMILY says how many bytes are read there.  R0 is
 * kept.
 */
static void gen_sized_source_test(struct gen *g, const struct texpr *e, struct temp family,
				  enum rt_function f)
{
	struct code *c = &g->code;
	bool is_link = f == RT_link_ntop;
	if (!plan_may_be_scratch(g->plan, e))
		return;
	label is_long = label_new(c);
	temp_read(g, family, R1);
	emit_mov(c, R3, R0);
	emit_number(c, R2, is_link ? LINK_LONG : INET_LONG);
	emit_jump_if_number(c, BPF_JNE, R1, is_link ? LINK_SHORT_TYPE : INET_SHORT_FAMILY, is_long);
	emit_number(c, R2, is_link ? LINK_SHORT : INET_SHORT);
	label_place(c, is_long);
	gen_source_test(g, e);
	emit_mov(c, R0, R3);
}

/* The address is argument ADDRESS, 0 or 1; the other one is a number, 0 when it is left out. */
static void gen_address_text(struct gen *g, const struct texpr *e, uint32_t offset,
			     enum rt_function f, unsigned address)
{
	struct code *c = &g->code;
	const struct texpr *second = argument_number(e, 1);
	if (address == 0)
		gen_source(g, argument_number(e, 0), false,
			   f == RT_inet_ntoa ? INET_SHORT : INET_LONG);
	else
		gen_value(g, argument_number(e, 0));
	struct temp t = temp_push(g, R0);
	if (second)
		gen_value(g, second);
	else
		emit_number(c, R0, 0);
	if (address == 1)
		gen_sized_source_test(g, second, t, f);
	emit_mov(c, address == 0 ? R3 : R2, R0);
	temp_pop(g, t, address == 0 ? R2 : R3);
	gen_at(g, R1, offset);
	emit_call(c, f);
	gen_slot_check(g);
}

/* F of the bytes at E's address, as many as its second argument is. */
static void gen_bytes_text(struct gen *g, const struct texpr *e, uint32_t offset,
			   enum rt_function f)
{
	gen_two_numbers(g, e, R3, R2);
	gen_source_test(g, argument_number(e, 0));
	gen_at(g, R1, offset);
	emit_call(&g->code, f);
	gen_slot_check(g);
}

static void gen_d_path(struct gen *g, const struct texpr *e, uint32_t offset)
{
	uint32_t mark = g->slot.used;
	uint32_t names = slot_alloc(g, path_names(g->plan->options->string_size) * 8);
	gen_source(g, argument_number(e, 0), false, PATH_SIZE);
	emit_mov(&g->code, R2, R0);
	gen_at(g, R1, offset);
	gen_at(g, R3, names);
	emit_call(&g->code, RT_d_path);
	gen_slot_check(g);
	slot_release(g, mark);
}

void gen_string_call(struct gen *g, const struct texpr *e, uint32_t offset)
{
	const struct rt_call *call = rt_call_of(e);
	if (call) {
		gen_rt_call(g, e, call, offset);
		return;
	}
	switch (e->call.function) {
	case SUBROUTINE_d_path:
		gen_d_path(g, e, offset);
		return;
	case SUBROUTINE_strtok:
		gen_strtok(g, e, offset);
		return;
	case SUBROUTINE_inet_ntoa:
		gen_address_text(g, e, offset, RT_inet_ntoa, 0);
		return;
	case SUBROUTINE_inet_ntoa6:
		gen_address_text(g, e, offset, RT_inet_ntoa6, 0);
		return;
	case SUBROUTINE_json:
		gen_json(g, e, offset);
		return;
	case SUBROUTINE_hex:
		gen_bytes_text(g, e, offset, RT_hex);
		return;
	case SUBROUTINE_dnsname:
		gen_bytes_text(g, e, offset, RT_dnsname);
		return;
	case SUBROUTINE_inet_ntop:
		gen_address_text(g, e, offset, RT_inet_ntop, 1);
		return;
	case SUBROUTINE_link_ntop:
		gen_address_text(g, e, offset, RT_link_ntop, 1);
		return;
	default:
		unsupported(g, e->range, "this subroutine");
	}
}
