/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A group's code and the library functions that it needs, in one program
 *
 *   head | main | bodies of loops | ERROR subprogram | the same | library functions, in the order
 * they were met
 *
 * Where returns follow jumps (abi/exit.h), the head is the program, and main a function that
 * bpf_loop() calls for each probe that fires.
 */
#include <stddef.h>
#include <unistd.h>

#include "arch/arch.h"
#include "loader/internal.h"

static void set_call(struct linker *k, uint32_t at, uint32_t target)
{
	struct bpf_insn *insn = &k->code.items[at];
	insn->src_reg = BPF_PSEUDO_CALL;
	insn->imm = (int32_t)target - (int32_t)at - 1;
}

static void set_function(struct linker *k, uint32_t at, uint32_t target)
{
	struct bpf_insn *insn = &k->code.items[at];
	insn[0].src_reg = BPF_PSEUDO_FUNC;
	insn[0].imm = (int32_t)target - (int32_t)at - 1;
	insn[1].imm = 0;
}

static void push(struct linker *k, int opcode, int dst, int src, int off, int imm)
{
	vector_push(&k->code, (struct bpf_insn) { (uint8_t)opcode, (uint8_t)(dst & 15),
						  (uint8_t)(src & 15), (int16_t)off, imm });
}

/*
 * Linux 6.13 and later give functions with 64 bytes of stack or more a stack of their own, one for
 * each CPU: programs cannot be interrupted by themselves.  But at uprobes they can: they are
 * preempted, and some sleep.  Of two threads that are in one program on one CPU, each overwrote
 * what the other one kept (seen on 6.18: keys with another thread's arguments, a wait of 10 s).
 * Programs with a tail call keep the thread's stack.  So here is one, which is never reached: the
 * verifier looks for it before it knows that, and removes it then.
 */
static void link_head(struct linker *k)
{
	push(k, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
	push(k, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0);
	push(k, BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_tail_call);
	push(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	k->head = (uint32_t)k->code.count;
}

/* --- the head where returns follow jumps --- */

#define FIRING (-(int)sizeof(struct exit_firing)) /* in the frame */

static void push_store(struct linker *k, size_t member, int reg)
{
	push(k, BPF_STX | BPF_MEM | BPF_DW, 10, reg, FIRING + (int)member, 0);
}

static void push_store_zero(struct linker *k, size_t member)
{
	push(k, BPF_ST | BPF_MEM | BPF_DW, 10, 0, FIRING + (int)member, 0);
}

/* REG = the word at OFFSET of the registers, which R6 points to. */
static void push_register(struct linker *k, int reg, unsigned offset)
{
	push(k, BPF_LDX | BPF_MEM | BPF_DW, reg, 6, (int)offset, 0);
}

/* Calls of library functions, which have no places yet. */
struct head_calls {
	uint32_t member, cookie, exits; /* member 0: it is not called */
};

static uint32_t push_call(struct linker *k)
{
	push(k, BPF_JMP | BPF_CALL, 0, 0, 0, 0);
	return (uint32_t)k->code.count - 1;
}

/* R1 to R4: the arguments of rt_exits(). */
static void push_firing(struct linker *k, struct head_calls *calls)
{
	const struct arch *a = arch_host();
	calls->cookie = push_call(k); /* R1: the context */
	push_store(k, offsetof(struct exit_firing, context), 6);
	push_register(k, 1, a->stack_pointer);
	push_store(k, offsetof(struct exit_firing, stack_pointer), 1);
	push_store_zero(k, offsetof(struct exit_firing, note));
	push_store_zero(k, offsetof(struct exit_firing, tgid)); /* and `unknown` */
	push(k, BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0);
	push(k, BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, FIRING);
	push(k, BPF_ALU64 | BPF_MOV | BPF_X, 2, 0, 0, 0);
	push_register(k, 3, a->pc);
	push_register(k, 4, arch_has_link(a) ? a->return_address : a->flags);
}

static struct head_calls link_jump_head(struct linker *k)
{
	struct head_calls calls = { 0 };
	push(k, BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0);
	if (k->group->events[0].code.target) { /* other processes leave no notes */
		calls.member = push_call(k);
		push(k, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 1, 0);
		push(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		push(k, BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0);
	}
	push_firing(k, &calls);
	calls.exits = push_call(k);
	push(k, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 7, 0);
	push(k, BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0);
	push(k, BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_FUNC, 0, 7); /* main */
	push(k, 0, 0, 0, 0, 0);
	push(k, BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0);
	push(k, BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, FIRING);
	push(k, BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0);
	push(k, BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_loop);
	push(k, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
	push(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	k->head = (uint32_t)k->code.count;
	return calls;
}

/* The function's place; it is appended when it has none yet. */
static uint32_t function_place(struct linker *k, int function)
{
	if (k->placed[function] >= 0)
		return (uint32_t)k->placed[function];
	const struct runtime_function *f = runtime_function((unsigned)function);
	k->placed[function] = (int)k->code.count;
	vector_push(&k->order, function);
	const unsigned char *at = runtime_code(f);
	for (uint32_t i = 0; i < f->count; i++)
		vector_push(&k->code, bind_kernel_call(k->maps, runtime_insn(&at)));
	return (uint32_t)k->placed[function];
}

/*
 * rt_ring(area): AREA's buffer, by a chain of comparisons.  An array of maps would
 * do, but each update of one waits 10 ms for a grace period (measured on 6.18).
 */
static struct error *place_ring(struct linker *k)
{
	struct error *err = bind_rings(k->maps);
	if (err)
		return err;
	struct loaded *l = k->loaded;
	k->ring = (uint32_t)k->code.count;
	if (l->ring_count == 0) { /* flight recorders: never called */
		push(k, BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0);
		push(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	}
	for (unsigned i = 0; i < l->ring_count; i++) {
		bool last = i + 1 == l->ring_count;
		for (unsigned area = i; area < l->program->area_count && !last;
		     area += l->ring_count)
			push(k, BPF_JMP | BPF_JEQ | BPF_K, 1, 0,
			     (int)((l->program->area_count - 1 - area) / l->ring_count) + 1,
			     (int)area);
		if (!last)
			push(k, BPF_JMP | BPF_JA, 0, 0, 3, 0);
		push(k, BPF_LD | BPF_DW | BPF_IMM, 0, BPF_PSEUDO_MAP_FD, 0, l->rings[i]);
		push(k, 0, 0, 0, 0, 0);
		push(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	}
	return NULL;
}

static struct error *link_reference(struct linker *k, const struct runtime_reference *r,
				    uint32_t at)
{
	if (r->kind == RUNTIME_EXTERN)
		return bind_extern(k, runtime_extern_name(r->target), &k->code.items[at]);
	if (r->kind == RUNTIME_RING) {
		struct error *err = k->ring ? NULL : place_ring(k);
		if (!err)
			set_call(k, at, k->ring);
		return err;
	}
	uint32_t target = function_place(k, r->target);
	if (r->kind == RUNTIME_CALL) {
		set_call(k, at, target);
		return NULL;
	}
	set_function(k, at, target);
	return NULL;
}

static struct error *link_function(struct linker *k, int function)
{
	const struct runtime_function *f = runtime_function((unsigned)function);
	uint32_t base = (uint32_t)k->placed[function];
	const struct runtime_reference *end, *r = runtime_references_from(f->first, &end);
	for (; r < end && r->instruction < f->first + f->count; r++) {
		struct error *err = link_reference(k, r, base + r->instruction - f->first);
		if (err)
			return err;
	}
	return NULL;
}

/* The call at AT. */
static void link_cookie(struct linker *k, uint32_t at)
{
	if (finds_places(k->options, k->group))
		set_call(k, at, function_place(k, runtime_find("rt_site_cookie")));
	else
		k->code.items[at].imm = bind_helper(RT_cookie);
}

/* AT: of the code. */
static struct error *link_call(struct linker *k, const struct relocation *r, uint32_t at)
{
	int helper = bind_helper((enum rt_function)r->index);
	if (r->index == RT_cookie) {
		link_cookie(k, at);
		return NULL;
	}
	if (helper) {
		k->code.items[at].imm = helper;
		return NULL;
	}
	int function = library_function((enum rt_function)r->index, k->options->unwind_pool > 0);
	if (function < 0)
		return error_new("the run-time library has no %s",
				 rt_name((enum rt_function)r->index));
	set_call(k, at, function_place(k, function));
	return NULL;
}

static struct error *link_relocation(struct linker *k, const struct relocation *r)
{
	uint32_t at = k->head + r->instruction;
	if (r->kind == RELOCATE_CALL)
		return link_call(k, r, at);
	if (r->kind == RELOCATE_ERROR) {
		set_call(k, at, k->head + k->group->error_entry);
		return NULL;
	}
	if (r->kind == RELOCATE_FUNCTION) {
		set_function(k, at, k->head + r->addend);
		return NULL;
	}
	return bind_relocation(k, r, &k->code.items[at]);
}

bool finds_places(const struct executor_options *o, const struct group_code *group)
{
	static const char *const members[] = {
		"rt_offset_task_probes",    "rt_offset_probes_dispatch",
		"rt_offset_dispatch_place", "rt_offset_place_arguments",
		"rt_offset_argument_code",  "rt_offset_code_number"
	};
	if (!event_is_function(group->kind) || o->stays || kernel_has(FEATURE_UPROBE_MULTI))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!kernel_has_member(&o->kernel, members[i]))
			return false;
	return true;
}

struct error *link_group(struct linker *k)
{
	unsigned functions = runtime_function_count();
	k->placed = mem_alloc(functions * sizeof(*k->placed));
	for (unsigned i = 0; i < functions; i++)
		k->placed[i] = -1;
	struct head_calls calls = { 0 };
	if (event_is_function(k->group->kind))
		link_head(k);
	if (k->group->follows_jumps)
		calls = link_jump_head(k);
	for (uint32_t i = 0; i < k->group->count; i++)
		vector_push(&k->code, k->group->code[i]);
	if (calls.member)
		set_call(k, calls.member, function_place(k, library_function(RT_member, false)));
	if (k->group->follows_jumps)
		link_cookie(k, calls.cookie);
	if (calls.exits)
		set_call(k, calls.exits, function_place(k, runtime_find("rt_exits")));
	for (uint32_t i = 0; i < k->group->relocation_count; i++) {
		struct error *err = link_relocation(k, &k->group->relocations[i]);
		if (err)
			return err;
	}
	for (size_t i = 0; i < k->order.count; i++) { /* grows on the way */
		struct error *err = link_function(k, k->order.items[i]);
		if (err)
			return err;
	}
	return NULL;
}

void linker_deinit(struct linker *k)
{
	vector_free(&k->code);
	vector_free(&k->order);
	free(k->placed);
	if (k->functions > 0)
		close(k->functions);
	if (k->files > 0)
		close(k->files);
}

const uint16_t *loader_runtime_stack(void)
{
	static uint16_t stacks[RT_COUNT];
	for (unsigned i = 0; i < RT_COUNT; i++) {
		if (bind_helper(i) && i != RT_cookie)
			continue;
		int function = i == RT_cookie ? runtime_find("rt_site_cookie")
					      : library_function(i, false);
		int walk = library_function(i, true);
		uint32_t stack = 0;
		if (function >= 0)
			stack = runtime_function((unsigned)function)->stack;
		if (walk >= 0)
			stack = MAX(stack, runtime_function((unsigned)walk)->stack);
		stacks[i] = (uint16_t)stack;
	}
	return stacks;
}
