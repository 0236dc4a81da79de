/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * members - links of each member of a tree alone (FOLLOW_PRIVATE)
 *
 * Events of trees are otherwise in all processes that run the file.  Here each member has links
 * with its process number, so no stranger stops.  A child has inherited its parent's breakpoints,
 * but no link for them yet: it waits before its first instruction (runtime/process/arrival.c), gets
 * the links of all programs, and of all dynamic linkers that are watched, and goes on.
 *
 * A link puts breakpoints into whatever its process maps of the file later, also after exec.  So a
 * member has links for all files of its tree, and a file that is new to the tree gets a link in
 * each member.
 *
 * Links are closed by a thread (release.c) when their process has ended: while a child waits,
 * closing waits, too.
 */
#include <stdlib.h>

#include "loader/internal.h"
#include "process/process.h"

bool members_are_private(const struct kernel_run *run)
{
	return run->options.follow & FOLLOW_PRIVATE;
}

static bool group_is_of_tree(const struct group_code *group, int target)
{
	for (uint32_t i = 0; event_is_function(group->kind) && i < group->event_count; i++)
		if (group->events[i].code.target == target)
			return true;
	return false;
}

bool members_have(const struct kernel_run *run, const struct group_code *group)
{
	return members_are_private(run) && group->event_count && event_of_tree(&group->events[0]);
}

/* The first member has reported it. */
static struct error *reported(void *arg, unsigned group, uint32_t event, bool alone,
			      struct error *why)
{
	error_free(why);
	return NULL;
}

/* R in one member. */
static struct error *member_attach(struct traced_process *member, struct attach_request r)
{
	r.pid = member->pid;
	r.tree = member->target;
	struct error *err =
		group_is_of_tree(r.group, r.tree) ? loader_attach(&r, &member->links) : NULL;
	if (!err || process_state(member->pid) != PROCESS_ENDED)
		return err;
	error_free(err);
	return NULL;
}

struct error *members_attach(struct kernel_run *run, const struct attach_request *r)
{
	struct attach_request request = *r;
	struct error *err = NULL;
	for (size_t i = 0; i < run->processes.count && !err; i++) {
		struct traced_process *p = &run->processes.items[i];
		if (!p->target || !group_is_of_tree(r->group, p->target))
			continue;
		err = member_attach(p, request);
		request.refused = reported;
	}
	return err;
}

/* --- dynamic linkers -------------------------------------------------------------------------- */

static struct error *attach_linker(struct kernel_run *run, struct traced_process *member,
				   const struct event_code *linker)
{
	const struct event event = { .kind = EVENT_FUNCTION_ENTRY, .code = *linker };
	const struct group_code group = { .kind = event.kind, .events = &event, .event_count = 1 };
	const struct attach_request request = {
		.group = &group,
		.program = run->loaded.code_mapped,
		.refused = reported,
	};
	return member_attach(member, request);
}

/* Members come later, when the caller's is gone. */
static struct event_code linker_copy(const struct event_code *linker)
{
	struct event_code copy = *linker;
	struct event_site *sites = mem_zalloc((linker->site_count + 1) * sizeof(*sites));
	for (uint32_t i = 0; i < linker->site_count; i++)
		sites[i] = linker->sites[i];
	copy.sites = sites;
	copy.path = mem_strdup(linker->path);
	copy.name = mem_strdup(linker->name);
	return copy;
}

void members_deinit(struct kernel_run *run)
{
	for (size_t i = 0; i < run->linkers.count; i++) {
		struct event_code *linker = &run->linkers.items[i];
		free((void *)linker->sites);
		free((void *)linker->path);
		free((void *)linker->name);
	}
	vector_free(&run->linkers);
}

struct error *members_watch(struct kernel_run *run, const struct event_code *linker)
{
	struct error *err = NULL;
	vector_push(&run->linkers, linker_copy(linker));
	for (size_t i = 0; i < run->processes.count && !err; i++)
		if (run->processes.items[i].target == linker->target)
			err = attach_linker(run, &run->processes.items[i], linker);
	return err;
}

/* --- who comes -------------------------------------------------------------------------------- */

static struct error *attach_programs(struct kernel_run *run, struct traced_process *member)
{
	struct error *err = NULL;
	for (size_t n = 0; n < run->running.count; n++) {
		const struct running *r = &run->running.items[n];
		for (unsigned i = 0; r->program && i < r->program->group_count && !err; i++) {
			struct attach_request request = attach_request_of(run, r, i);
			request.refused = reported;
			err = member_attach(member, request);
		}
	}
	return err;
}

/*
 * It may be known: another process had its number, or another thread than its first has executed a
 * program, which leaves links that put no probe anywhere, but fire where others do.
 */
struct traced_process *members_begin(struct kernel_run *run, int pid, int target)
{
	struct traced_process *p = traced_process_of(run, pid);
	if (p->target && process_start_time(pid) == p->start_time)
		link_set_silence(&p->links);
	link_set_move(&run->releasing.ended, &p->links);
	p->target = target;
	p->start_time = process_start_time(pid);
	return p;
}

struct error *members_add(void *self, int pid, int target)
{
	struct kernel_run *run = self;
	struct traced_process *p = members_begin(run, pid, target);
	struct error *err = attach_programs(run, p);
	for (size_t i = 0; i < run->linkers.count && !err; i++)
		if (run->linkers.items[i].target == target)
			err = attach_linker(run, p, &run->linkers.items[i]);
	return err;
}
