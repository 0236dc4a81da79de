/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code of groups whose returns follow jumps (abi/exit.h)
 *
 * The group's code is called for each probe that fires, as bpf_loop() does in the kernel: with the
 * number of its turn and struct exit_firing.  So between the trampoline and it is a loop:
 *
 *     n = agent_exits(frame, context, cookie, process_exits)
 *     for (i = 0; i < n; i++) group(i, &frame.firing)
 */
#include "inject/attaching.h"

#include <stddef.h>

#include "abi/exit.h"
#include "inject/code/trampoline.h"

#define PUT(to, bytes) patch_put(to, bytes, sizeof(bytes) - 1)

/* A pointer and struct exit_firing, after which the stack is aligned. */
_Static_assert(8 + sizeof(struct exit_firing) <= 0x38, "the loop's frame");
_Static_assert(offsetof(struct firing, cookie) == 8, "the loop reads it");

static void put_exits_loop(struct patch_code *to, const struct exits_group *g, uint64_t data)
{
	PUT(to, "\x53\x55"		 /* push %rbx; push %rbp */
		"\x48\x83\xec\x38"	 /* sub $0x38,%rsp */
		"\x48\x89\xfe"		 /* mov %rdi,%rsi */
		"\x48\x89\xe7"		 /* mov %rsp,%rdi */
		"\x49\x8b\x54\x24\x08"); /* mov 8(%r12),%rdx */
	PUT(to, "\x48\xb9");		 /* movabs $DATA,%rcx */
	patch_put_number(to, data, 8);
	PUT(to, "\x48\xb8"); /* movabs $AGENT_EXITS,%rax */
	patch_put_number(to, g->agent_exits, 8);
	PUT(to, "\xff\xd0"	       /* call *%rax */
		"\x89\xc3"	       /* mov %eax,%ebx */
		"\x31\xed"	       /* xor %ebp,%ebp */
		"\x39\xdd"	       /* again: cmp %ebx,%ebp */
		"\x73\x10"	       /* jae out */
		"\x89\xef"	       /* mov %ebp,%edi */
		"\x48\x8d\x74\x24\x08" /* lea 8(%rsp),%rsi */
		"\xe8");	       /* call FUNCTION */
	patch_put_distance(to, g->function);
	PUT(to, "\xff\xc5"	   /* inc %ebp */
		"\xeb\xec"	   /* jmp again */
		"\x48\x83\xc4\x38" /* out: add $0x38,%rsp */
		"\x5d\x5b\xc3");   /* pop %rbp; pop %rbx; ret */
}

uint64_t exits_put(struct patch_code *to, const struct exits_group *g)
{
	while (to->used % 8)
		patch_put_number(to, 0, 1);
	uint64_t data = to->address + to->used;
	patch_put(to, &g->head, sizeof(g->head));
	patch_put(to, g->covered, g->head.covered_count * sizeof(*g->covered));
	uint64_t loop = to->address + to->used;
	put_exits_loop(to, g, data);
	return loop;
}

/* --- functions that jumps are looked up in --- */

static bool group_looks_up(const struct group_code *g)
{
	bool any = false;
	for (uint32_t i = 0; i < g->event_count; i++)
		for (uint32_t k = 0; k < g->events[i].code.site_count; k++)
			any |= g->events[i].code.sites[k].is_followed;
	return any && g->follows_jumps;
}

static void covered_take(struct attaching *a, const struct site_file *f, const struct code_site *s)
{
	for (size_t i = 0; i < a->space.count; i++) {
		const struct mapping *m = &a->list[i];
		if (site_file_maps(f, m) && s->function - m->offset < m->end - m->start)
			vector_push(&a->covered[s->group], m->start + (s->function - m->offset));
	}
}

void covered_collect(struct attaching *a)
{
	const struct program *p = attaching_program(a);
	auto_free bool *wanted = mem_zalloc(p->group_count + 1);
	for (unsigned i = 0; i < p->group_count; i++) {
		wanted[i] = group_looks_up(&p->groups[i]);
		a->covered[i].count = 0;
	}
	for (size_t i = 0; i < a->files.count; i++) {
		const struct site_file *f = &a->files.items[i];
		for (size_t k = 0; k < f->sites.count; k++)
			if (!group_is_agents(f->sites.items[k].group) &&
			    wanted[f->sites.items[k].group] &&
			    f->sites.items[k].patch.kind == PATCH_EXIT)
				covered_take(a, f, &f->sites.items[k]);
	}
	for (unsigned i = 0; i < p->group_count; i++)
		offsets_sort(&a->covered[i]);
}
