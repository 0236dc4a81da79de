/* SPDX-License-Identifier: BSD-2-Clause */
#include "inject/code/groups.h"

#include "inject/code/trampoline.h"

#define FIRING_MOST 1024u /* bytes of a firing and of what it moves */
#define CONTEXT_ALL ((1ull << CONTEXT_WORDS) - 1)

uint64_t placed_room(const struct program *p, const offset_vector *covered, size_t sites)
{
	uint64_t ret = sites * (uint64_t)FIRING_MOST;
	for (unsigned n = 0; n < p->group_count; n++)
		ret += translate_room(&p->groups[n]) + EXITS_CODE_SIZE +
		       covered[n].count * sizeof(uint64_t);
	return ret;
}

void placed_deinit(struct placed *p)
{
	for (unsigned i = 0; p->groups && i < p->program->program->group_count; i++)
		if (p->groups[i].function)
			translation_deinit(&p->groups[i].code);
	free(p->groups);
	code_place_deinit(&p->place);
}

/* --- groups --- */

static bool group_reads_memory(const struct group_code *g)
{
	for (uint32_t i = 0; i < g->relocation_count; i++)
		if (g->relocations[i].kind == RELOCATE_CALL &&
		    rt_row((enum rt_function)g->relocations[i].index)->where == WHERE_USER)
			return true;
	return false;
}

/* Of all programs: notes of returns are of one group. */
#define GROUP_NUMBER(p, n) ((uint32_t)((p)->program - (p)->injector->programs.items) << 16 | (n))

/* The loop around the code of group N.  What jumps are made by is in any register. */
static bool group_exits_put(struct placed *p, unsigned n, const struct translate_owner *owner)
{
	const struct group_code *g = &p->program->program->groups[n];
	const struct relocation table = { .kind = RELOCATE_PROBES };
	struct placed_group *placed = &p->groups[n];
	struct exits_group e = { .function = placed->function,
				 .agent_exits = target_function(p->injector, "agent_exits"),
				 .covered = p->covered[n].items };
	e.head = (struct process_exits) { .entries = g->table_entries,
					  .entry_size = g->table_entry_size,
					  .group = GROUP_NUMBER(p, n),
					  .covered_count = (uint32_t)p->covered[n].count };
	if (!owner->refer(owner->arg, &table, &e.head.table))
		return false;
	placed->function = exits_put(&p->place.code, &e);
	placed->reads = placed->code.context_words = CONTEXT_ALL;
	placed->code.takes_context = true;
	placed->code.owner_words = 1u << offsetof(struct firing, cookie) / 8;
	placed->code.stack += EXITS_STACK;
	return true;
}

static struct error *group_put(struct placed *p, unsigned n)
{
	const struct group_code *g = &p->program->program->groups[n];
	struct group_owner named = { p->injector, p->program, n };
	const struct translate_owner owner = group_owner(&named);
	struct patch_code *to = &p->place.code;
	to->used = MIN(ALIGN_UP(to->used, (size_t)16), to->size);
	const struct translate_place at = { to->bytes + to->used, to->size - to->used,
					    to->address + to->used };
	struct error *err = translate(g, &owner, &at, &p->groups[n].code);
	if (err)
		return err;
	p->groups[n].function = at.address;
	p->groups[n].reads = p->groups[n].code.context_words;
	to->used += p->groups[n].code.size;
	bool has_exits = !g->follows_jumps || group_exits_put(p, n, &owner);
	if (has_exits && group_reads_memory(g))
		p->groups[n].reads |= PATCH_READS_MEMORY;
	if (!has_exits)
		return error_new("a group that follows jumps has no table of probes");
	return NULL;
}

struct error *placed_groups(struct placed *p, code_site_vector *sites)
{
	struct error *err = NULL;
	p->groups = mem_zalloc(p->program->program->group_count * sizeof(*p->groups));
	for (size_t i = 0; i < sites->count && !err; i++) {
		struct code_site *s = &sites->items[i];
		if (group_is_agents(s->group))
			continue;
		struct placed_group *g = &p->groups[s->group];
		if (!g->function)
			err = group_put(p, s->group);
		s->patch.reads = g->reads;
	}
	return err;
}

/* --- firings --- */

#define OF_C_CALLS 0x0fc7

static const struct translation agent_code = { .registers = OF_C_CALLS };
static const struct translation agent_code_of_context = { .registers = OF_C_CALLS,
							  .context_words = CONTEXT_ALL,
							  .takes_context = true };

static const char *agent_function(const struct code_site *s)
{
	if (s->group == LINKER_GROUP)
		return "agent_arrived";
	if (s->group == EXEC_GROUP)
		return "agent_executes";
	return s->cookie == CALL_ANY	  ? "agent_calls"
	       : s->cookie == CALL_CLONE  ? "agent_clones"
	       : s->cookie == CALL_CLONE3 ? "agent_clones_by_flags"
					  : "agent_forks";
}

void placed_fire(void *arg, const struct code_site *s, uint64_t pc, const struct patch_firing *f,
		 struct patch_code *to)
{
	const struct placed *p = arg;
	const struct injector *i = p->injector;
	bool is_agents = group_is_agents(s->group);
	const struct translation *agents =
		s->group == FORK_GROUP ? &agent_code_of_context : &agent_code;
	struct trampoline t = { .function = is_agents ? target_function(i, agent_function(s))
						      : p->groups[s->group].function,
				.code = is_agents ? agents : &p->groups[s->group].code,
				.cookie = s->cookie,
				.pc = pc,
				.base = i->target.base,
				.head = &i->layout.head,
				.thread_number = p->thread_number,
				.find_area = target_function(i, "agent_area_kept"),
				.may_lack_tls = p->may_lack_tls,
				.needs_no_area = is_agents };
	trampoline_fire(&t, f, to);
}
