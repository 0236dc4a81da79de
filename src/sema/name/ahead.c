/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ahead - variables that are read before the text assigns to them
 *
 *     END { trace(n); }
 *     syscall:::entry { n++; }
 *
 * The type of such a variable is that of the first assignment to it.  The type of the assigned
 * value may depend on all of its clause (args[], this->x), so the clause is checked as a whole, and
 * what that check has done is undone, but for the variable.  If it needs definitions that come
 * after the read, all of the program's are made, and the clause of the read is checked again
 * (sema.c).
 *
 * Such a clause may read other variables of this kind, and each of them needs a check of its own.
 * CHECKS_MAX bounds programs that would need a check for each combination.
 */
#include "sema/declare/declare.h"

#define CHECKS_MAX 1000

struct sought_variable {
	enum scope scope;
	const char *name;
	const struct sought_variable *outer;
};

static bool is_variable(const struct node *n, const struct sought_variable *v)
{
	if (n->kind == NODE_INDEX)
		n = n->index.base;
	enum scope scope = n->kind == NODE_SCOPED ? n->ident.scope : SCOPE_GLOBAL;
	return (n->kind == NODE_IDENT || n->kind == NODE_SCOPED) && scope == v->scope &&
	       string_equal(n->ident.name, v->name);
}

static bool is_assignment(const void *variable, const struct node *n)
{
	const struct sought_variable *v = variable;
	if (n->kind == NODE_ASSIGN)
		return is_variable(n->assign.left, v);
	return n->kind == NODE_UNARY &&
	       (n->unary.op == OP_PREINC || n->unary.op == OP_PREDEC || n->unary.op == OP_POSTINC ||
		n->unary.op == OP_POSTDEC) &&
	       is_variable(n->unary.operand, v);
}

static bool clause_assigns(const struct clause_node *c, const struct sought_variable *v)
{
	return node_find(c->predicate, is_assignment, v) || node_find(c->body, is_assignment, v);
}

/* Is N the declaration of V?  It is made if the clause that reads V is checked again. */
static bool declares(const struct node *n, const struct sought_variable *v)
{
	if (n->kind != NODE_DECLARATION)
		return false;
	unsigned storage = n->declaration->spec->storage;
	enum scope scope = storage & STORAGE_SELF   ? SCOPE_SELF
			   : storage & STORAGE_THIS ? SCOPE_THIS
						    : SCOPE_GLOBAL;
	for (const struct declarator *d = n->declaration->declarators; d; d = d->next)
		if (scope == v->scope && string_equal(d->name, v->name))
			return true;
	return false;
}

/* Is V sought already, by a check that needs V itself? */
static bool is_sought(const struct sema *s, const struct sought_variable *v)
{
	for (const struct sought_variable *o = s->sought; o; o = o->outer)
		if (o->scope == v->scope && string_equal(o->name, v->name))
			return true;
	return false;
}

struct attempt {
	const struct clause_node *clause;
	const struct sought_variable *wanted;
	struct variable *found; /* or NULL */
};

static void attempt_run(struct sema *s, void *arg)
{
	struct attempt *a = arg;
	a->found = s->variable_of_clause(s, a->clause, a->wanted->scope, a->wanted->name);
}

static struct variable *found_by_check(struct sema *s, const struct clause_node *clause,
				       const struct sought_variable *v)
{
	struct attempt a = { clause, v, NULL };
	const struct sought_variable *outer = s->sought;
	const char *where = s->diagnostics->where;
	bool in_units = s->differs_in_units, in_files = s->differs_in_files;
	unsigned effects = s->effects;
	s->sought = v;
	library_apart(s, attempt_run, &a);
	s->sought = outer;
	s->diagnostics->where = where;
	s->differs_in_units = in_units;
	s->differs_in_files = in_files;
	s->effects = effects;
	return a.found;
}

bool variable_is_assigned(const struct sema *s, const char *name)
{
	const struct sought_variable v = { SCOPE_GLOBAL, name, NULL };
	for (const struct node *n = s->program ? s->program->items : NULL; n; n = n->next)
		if (declares(n, &v) || (n->kind == NODE_CLAUSE && clause_assigns(n->clause, &v)))
			return true;
	return false;
}

struct variable *variable_ahead(struct sema *s, enum scope scope, const char *name)
{
	const struct sought_variable v = { scope, name, s->sought };
	if (!s->program || speaker(s) != DECLARED_BY_D || s->formula || is_sought(s, &v))
		return NULL;
	for (const struct node *n = s->program->items; n; n = n->next) {
		if (declares(n, &v))
			return NULL;
		if (n->kind != NODE_CLAUSE || item_is_broken(s->program, n) ||
		    !clause_assigns(n->clause, &v))
			continue;
		if (++s->clauses_sought > CHECKS_MAX)
			return NULL;
		struct variable *found = found_by_check(s, n->clause, &v);
		if (found && found->type->kind != TYPE_POISON && type_is_complete(found->type))
			return variable_keep(s, found);
		if (s->definitions_wait)
			return NULL;
	}
	return NULL;
}

struct variable *variable_read(struct sema *s, enum scope scope, const char *name)
{
	struct variable *v = variable_find(s, scope, name);
	return v ? v : variable_ahead(s, scope, name);
}
