/* SPDX-License-Identifier: BSD-2-Clause */
/* Where things lie in the running kernel: members of its structs, its count of interrupts */
#include "loader/internal.h"

static const struct offset {
	const char *name, *type, *member;
} offsets[] = {
#define OFFSET(name, type, member) { "rt_offset_" #name, type, member },
#include "abi/offset.def"
#undef OFFSET
};

static const struct offset *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		if (string_equal(offsets[i].name, name))
			return &offsets[i];
	return NULL;
}

struct error *bind_offset(const struct linker *k, const char *name, struct bpf_insn *at)
{
	const struct offset *o = find(name);
	if (!o)
		return error_new("the run-time library refers to %s, which nobody knows", name);
	int32_t offset = k->options->offset(k->options->arg, o->type, o->member);
	if (offset < 0)
		return error_new("the kernel's type data (/sys/kernel/btf/vmlinux) does not say "
				 "where %s of struct %s is",
				 o->member, o->type);
	set_number(at, (uint64_t)offset);
	return NULL;
}

static const struct {
	const char *variable, *member;
} preempt_variables[] = {
	{ "__preempt_count", NULL },	 /* until 6.1, and since 6.15 */
	{ "pcpu_hot", "preempt_count" }, /* between */
};

static struct preempt preempt_find(const struct loader_options *o)
{
	struct preempt p = { .offset = o->offset(o->arg, "task_struct",
						 "thread_info.preempt_count") };
	if (p.offset >= 0) {
		p.place = 1;
		return p;
	}
	p.fair_queue = o->offset(o->arg, "task_struct", "se.cfs_rq");
	p.queue = o->offset(o->arg, "cfs_rq", "rq");
	int64_t base = o->variable(o->arg, "runqueues");
	for (size_t i = 0; i < ARRAY_SIZE(preempt_variables); i++) {
		const char *name = preempt_variables[i].variable;
		const char *member = preempt_variables[i].member;
		int64_t variable = o->variable(o->arg, name);
		int32_t inside = member ? o->offset(o->arg, name, member) : 0;
		if (p.fair_queue < 0 || p.queue < 0 || base < 0 || variable < 0 || inside < 0)
			continue;
		p.place = 2;
		p.offset = variable + inside - base;
		return p;
	}
	return (struct preempt) { 0 };
}

bool bind_preempt(const struct linker *k, const char *name, struct bpf_insn *at)
{
	if (strncmp(name, "rt_preempt_", strlen("rt_preempt_")) != 0)
		return false;
	struct preempt *known = &k->maps->preempt;
	if (!known->is_known)
		*known = preempt_find(k->options);
	known->is_known = true;
	struct preempt p = *known;
	const char *what = name + strlen("rt_preempt_");
	set_number(at, string_equal(what, "place")	  ? p.place
		       : string_equal(what, "fair_queue") ? (uint64_t)p.fair_queue
		       : string_equal(what, "queue")	  ? (uint64_t)p.queue
							  : (uint64_t)p.offset);
	return true;
}
