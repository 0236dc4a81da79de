/* SPDX-License-Identifier: BSD-2-Clause */
/* description - the probes that match a description, or why none match */
#include "sema/sema_internal.h"

static const char *probe_desc_text(struct sema *s, const struct probe_desc *d)
{
	return arena_printf(s->arena, "%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
}

/* Was N written with $target, without a target? */
static bool lacks_target(const struct sema *s, const struct pdesc_node *n)
{
	static const char target[] = "$target";
	size_t len = n->range.end - n->range.begin;
	return !s->env->target && n->range.end <= n->range.source->len &&
	       memmem(n->range.source->text + n->range.begin, len, target, sizeof(target) - 1);
}

/* Is ERR only the reason why there is no such probe? -Z and -l accept that. */
static bool means_nothing(const struct error *err)
{
	int tag = error_tag_of(err);
	return tag == D_PDESC_ZERO || tag == D_PROC_FUNC || tag == D_PROC_LIB;
}

static void desc_refused(struct sema *s, const struct pdesc_node *n, const struct error *err)
{
	int tag = error_tag_of(err);
	const char *foreign = foreign_provider(s, n->provider);
	const char *target = !lacks_target(s, n) ? ""
			     : s->env->tests_tasks
				     ? ": $target is set by -c COMMAND or -p PID, not by -x target"
				     : ": $target is set by -c COMMAND or -p PID";
	diagnose(s->diagnostics, n->range,
		 tag == D_UNKNOWN ? D_PDESC_ZERO : (enum diagnostic_tag)tag, "%s%s",
		 foreign ? foreign : error_text(err), foreign ? "" : target);
}

char *sema_why_unmatched(struct sema *s, const struct probe_desc *desc)
{
	const char *remedy = foreign_probe(s, desc);
	return remedy ? mem_printf(": %s", remedy) : probe_db_why_unmatched(s->probes, desc);
}

static void desc_unmatched(struct sema *s, const struct pdesc_node *n,
			   const struct probe_desc *desc)
{
	auto_free char *why = sema_why_unmatched(s, desc);
	diagnose(s->diagnostics, n->range, D_PDESC_ZERO,
		 "probe description %s does not match any probes%s", probe_desc_text(s, desc), why);
}

/*
 * With several processes, $target means those that have such probes.  Does one of the others have
 * some?
 */
static bool another_matches(struct sema *s, const struct pdesc_node *n)
{
	bool found = false;
	for (const struct pdesc_node *o = n->first; o && o->first == n->first && !found;
	     o = o->next) {
		const struct probe_desc d = { o->provider, o->module, o->function, o->name };
		probe_vector probes = { 0 };
		auto_error struct error *err =
			o == n ? NULL : probe_db_match(s->probes, &d, &probes);
		found = !err && probes.count;
		vector_free(&probes);
	}
	return found;
}

/* DESC with the names that this kernel has for its module and its system call.  False: the same. */
static bool find_alias(struct sema *s, const struct probe_desc *desc, struct probe_desc *ret)
{
	bool is_kernel = module_is_kernel_elsewhere(desc->module);
	const char *call = string_equal(desc->provider, "syscall")
				   ? foreign_call_alias(s, desc->function)
				   : NULL;
	*ret = *desc;
	ret->module = is_kernel ? "vmlinux" : desc->module;
	ret->function = call ? call : desc->function;
	return is_kernel || call;
}

/* As probe_db_match(); if nothing has the names of *DESC, their aliases replace them. */
static struct error *description_match(struct sema *s, struct probe_desc *desc, probe_vector *ret)
{
	struct probe_desc alias;
	struct error *err = probe_db_match(s->probes, desc, ret);
	bool is_missing = err ? means_nothing(err) : !ret->count;
	if (!is_missing || !find_alias(s, desc, &alias))
		return err;
	auto_error struct error *no_alias = probe_db_match(s->probes, &alias, ret);
	if (no_alias || !ret->count)
		return err;
	error_free(err);
	*desc = alias;
	return NULL;
}

static bool find_by_desc(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
			 probe_vector *ret)
{
	*desc = (struct probe_desc) { n->provider, n->module, n->function, n->name };
	auto_error struct error *err = description_match(s, desc, ret);
	if (err) {
		if (means_nothing(err) && (s->env->zdefs || another_matches(s, n)))
			return true;
		desc_refused(s, n, err);
		return false;
	}
	formulas_check(s, ret);
	if (ret->count || s->env->zdefs || another_matches(s, n))
		return true;
	desc_unmatched(s, n, desc);
	return false;
}

/* Ids are those of -l, which lists all probes of fixed providers. */
static const struct probe *probe_by_id(struct sema *s, uint32_t id)
{
	const struct probe *p = probe_db_get(s->probes, id);
	if (!p && !s->discovered_all) {
		s->discovered_all = true;
		error_free(probe_db_discover_all(s->probes));
		p = probe_db_get(s->probes, id);
	}
	return p;
}

/* Is P on this kernel?  A look-up of its names makes its provider decide. */
static bool probe_is_there(struct sema *s, const struct probe *p, const struct probe_desc *names)
{
	if (p->events)
		return !p->is_hidden && !p->is_retired;
	probe_vector same = { 0 };
	error_free(probe_db_match(s->probes, names, &same));
	bool found = false;
	for (size_t i = 0; i < same.count; i++)
		found |= same.items[i] == p;
	vector_free(&same);
	return found;
}

static bool unknown_id(struct sema *s, const struct pdesc_node *n, uint64_t id)
{
	diagnose(s->diagnostics, n->range, D_PDESC_INVAL,
		 "invalid probe identifier %llu: Unknown probe identifier", (unsigned long long)id);
	return false;
}

/* Of several identifiers those are meant that are probes of this kernel. */
static bool find_by_id(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
		       probe_vector *ret)
{
	static const struct probe_desc any = { "", "", "", "" };
	*desc = any;
	for (uint64_t id = n->first_id; id <= n->last_id; id++) {
		const struct probe *p = probe_by_id(s, (uint32_t)id);
		if (!p)
			return unknown_id(s, n, id);
		*desc = (struct probe_desc) { p->provider, p->module, p->function, p->name };
		if (probe_is_there(s, p, desc))
			vector_push(ret, p);
	}
	formulas_check(s, ret);
	if (!ret->count && !s->env->zdefs) {
		desc_unmatched(s, n, desc);
		return false;
	}
	if (ret->count > 1)
		*desc = any;
	return true;
}

bool description_find(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
		      probe_vector *ret)
{
	return n->by_id ? find_by_id(s, n, desc, ret) : find_by_desc(s, n, desc, ret);
}
