/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * targets - the processes of -c and -p as a set of trees
 *
 * A tree is such a process, its root, and all that descend from it.  BPF keeps the set of members:
 * children join before they run (runtime/process/member.c).  The variable target reads it, and -x
 * follow says in which members the probes of pid$target fire:
 *
 *   fork   children, until they execute a program
 *   exec   children, from the program on that they execute
 *   all    both
 *   tree   both, and those that are there when tracing begins
 *   private  both, each member by its own links
 *
 * Events of followed processes are in all processes that run the file (event_code.target), as a
 * child inherits breakpoints, but a link with a process number refuses to fire there.  So strangers
 * that run the file stop there, too; how many there are is reported beforehand.  Under private a
 * child waits before its first instruction until it has its own links (loader/attach/members.c).
 *
 * The tracer knows of members only what it needs: those that were there, and those that have
 * reported new code.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/internal.h"

/* In the order of the option's words. */
enum follow {
	FOLLOWS_NONE,
	FOLLOWS_FORK,
	FOLLOWS_EXEC,
	FOLLOWS_ALL,
	FOLLOWS_TREE,
	FOLLOWS_PRIVATE
};

bool tracer_follows(const struct tracer *t)
{
	return option_number(t->options, OPTION_follow) != FOLLOWS_NONE && t->targets.count;
}

uint32_t tracer_follow_flags(const struct tracer *t)
{
	static const uint32_t flags[] = {
		[FOLLOWS_FORK] = FOLLOW_FORK,
		[FOLLOWS_EXEC] = FOLLOW_EXEC,
		[FOLLOWS_ALL] = FOLLOW_FORK | FOLLOW_EXEC,
		[FOLLOWS_TREE] = FOLLOW_FORK | FOLLOW_EXEC,
		[FOLLOWS_PRIVATE] = FOLLOW_FORK | FOLLOW_EXEC | FOLLOW_PRIVATE,
	};
	return flags[option_number(t->options, OPTION_follow)];
}

bool tracer_has_private_members(const struct tracer *t)
{
	return tracer_follows(t) && tracer_follow_flags(t) & FOLLOW_PRIVATE;
}

bool tracer_has_trees(const struct tracer *t)
{
	return t->targets.count &&
	       (tracer_follows(t) || sema_result(t->sema)->uses_target || t->task_tests.count);
}

/* --- members that are there ------------------------------------------------------------------ */

static int root_of(const struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->targets.count; i++)
		if (t->targets.items[i] == pid)
			return pid;
	for (size_t i = 0; i < t->descendants.count; i++)
		if (t->descendants.items[i].pid == pid)
			return t->descendants.items[i].root;
	return 0;
}

bool tracer_is_member(const struct tracer *t, int pid)
{
	return root_of(t, pid) != 0;
}

/* *IS_NEW: it may have children that are not members yet. */
typedef struct error *found_fn(struct tracer *t, struct descendant d, bool *is_new);

/* Processes found by one pass over /proc; their children may come before them. */
static struct error *find_more(struct tracer *t, found_fn *found, bool *any)
{
	size_t count;
	auto_free int *all = process_all(&count);
	struct error *err = NULL;
	*any = false;
	for (size_t i = 0; i < count && !err; i++) {
		if (root_of(t, all[i]))
			continue;
		struct descendant d = { all[i], root_of(t, process_parent(all[i])) };
		if (!d.root)
			continue;
		bool is_new;
		vector_push(&t->descendants, d);
		err = found(t, d, &is_new);
		*any |= !err && is_new;
	}
	return err;
}

static struct error *match_in(struct tracer *t, struct descendant d, bool *is_new)
{
	probe_db_code_join(t->probes, d.root, d.pid);
	*is_new = true;
	return NULL;
}

/* Those that are missed are found when all join. */
void tracer_find_descendants(struct tracer *t)
{
	bool any;
	if (option_number(t->options, OPTION_follow) == FOLLOWS_TREE)
		error_free(find_more(t, match_in, &any));
}

/* --- the set --------------------------------------------------------------------------------- */

static struct error *join(struct tracer *t, int pid, int root, uint32_t flags, bool *is_new)
{
	flags |= tracer_watched(t, pid) ? MEMBER_NAMED : 0;
	return t->executor->join(t->executing, pid, root, flags, is_new);
}

static struct error *join_descendant(struct tracer *t, struct descendant d, bool *is_new)
{
	bool follows = option_number(t->options, OPTION_follow) == FOLLOWS_TREE;
	uint32_t flags = follows ? MEMBER_TRACED | MEMBER_WATCHED : 0;
	struct error *err = join(t, d.pid, d.root, flags, is_new);
	if (!err && follows && *is_new)
		probe_db_code_join(t->probes, d.root, d.pid);
	return err;
}

/*
 * Until a pass finds none that has not joined by itself, as children of members do: a tree that
 * forks all the time has new ones in each pass.
 */
static struct error *join_all_descendants(struct tracer *t)
{
	struct error *err = NULL;
	for (bool any = true; any && !err;)
		err = find_more(t, join_descendant, &any);
	return err;
}

static void warn_of_no_target(const struct tracer *t)
{
	static const char why[] = "because no process was given by -c COMMAND or -p PID";
	if (t->targets.count || t->restored)
		return;
	if (option_number(t->options, OPTION_follow) != FOLLOWS_NONE)
		message("warning: follow has no effect, %s", why);
	if (sema_result(t->sema)->uses_target && !option_number(t->options, OPTION_defaultargs))
		message("warning: target is always 0, %s", why);
}

/* Roots first: from then on their new children join by themselves, so no child is missed. */
struct error *tracer_join_targets(struct tracer *t)
{
	bool is_new, traces = tracer_follows(t);
	uint32_t flags = MEMBER_IS_ROOT | (traces ? MEMBER_TRACED | MEMBER_WATCHED : 0);
	struct error *err = NULL;
	warn_of_no_target(t);
	if (!tracer_has_trees(t))
		return NULL;
	if (!t->executor->join)
		return tracer_lacks(t, false, "follow children of processes");
	for (size_t i = 0; i < t->targets.count && !err; i++)
		err = join(t, t->targets.items[i], t->targets.items[i], flags, &is_new);
	for (size_t i = 0; i < t->descendants.count && !err; i++)
		err = join_descendant(t, t->descendants.items[i], &is_new);
	if (!err)
		err = join_all_descendants(t);
	t->match_again |= traces && t->descendants.count;
	return err ? error_wrap(err, "cannot follow children of processes") : NULL;
}

bool tracer_has_members(const struct tracer *t)
{
	const struct control *c = t->source.control;
	return tracer_follows(t) && c && __atomic_load_n(&c->members, __ATOMIC_SEQ_CST);
}

void tracer_report_missed_members(struct tracer *t)
{
	uint32_t missed = __atomic_load_n(&t->source.control->members_missed, __ATOMIC_RELAXED);
	if (missed == t->members_reported)
		return;
	message_loss("%u processes forked by traced ones are not followed: more than %u lived at "
		     "once, or memory was short",
		     missed - t->members_reported, MEMBERS_MOST);
	t->members_reported = missed;
}

/* --- a warning about predicates -------------------------------------------------------------- */

static bool is_pid(const struct node *n)
{
	return n->kind == NODE_IDENT && string_equal(n->ident.name, "pid");
}

static bool is_first_target(const struct node *n)
{
	static const char name[] = "$target", braced[] = "${target}";
	const struct range *r = &n->range;
	size_t len = r->end - r->begin;
	if (n->kind != NODE_INTEGER || r->end > r->source->len)
		return false;
	const char *text = r->source->text + r->begin;
	return (len == strlen(name) && memcmp(text, name, len) == 0) ||
	       (len == strlen(braced) && memcmp(text, braced, len) == 0);
}

/* The comparison `pid == $target` in N; NULL: there is none. */
static const struct node *comparison_in(const struct node *n)
{
	if (n->kind != NODE_BINARY)
		return NULL;
	const struct node *left = n->binary.left, *right = n->binary.right;
	if (n->binary.op == OP_EQ &&
	    ((is_pid(left) && is_first_target(right)) || (is_first_target(left) && is_pid(right))))
		return n;
	const struct node *found = comparison_in(left);
	return found ? found : comparison_in(right);
}

void tracer_warn_of_first_target(const struct tracer *t, const struct program_node *program)
{
	if ((t->targets.count < 2 && !tracer_follows(t)) || option_number(t->options, OPTION_quiet))
		return;
	for (const struct node *item = program->items; item; item = item->next) {
		const struct node *predicate =
			item->kind == NODE_CLAUSE ? item->clause->predicate : NULL;
		const struct node *found = predicate ? comparison_in(predicate) : NULL;
		if (found)
			message("warning: line %u: pid == $target is true in process %d only; "
				"/target/ is true in all -c and -p processes and their children",
				found->range.line, t->targets.items[0]);
	}
}
