/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites without a jump: to the tracer, if they are named in full, else counted by reason */
#include <stdlib.h>
#include <string.h>

#include "inject/attaching.h"

static void reason_count(struct attaching *a, const char *words)
{
	size_t i = 0;
	while (i < a->reasons.count && strcmp(a->reasons.items[i].words, words) != 0)
		i++;
	if (i == a->reasons.count)
		vector_push(&a->reasons, ((struct reason) { words, 0 }));
	a->reasons.items[i].count++;
	a->refused++;
}

static const char *site_function_name(const struct site_file *f, const struct code_site *s)
{
	uint64_t address;
	const struct elf_symbol *symbol = NULL;
	if (f->file.elf && elf_file_address(f->file.elf, s->function, &address))
		symbol = elf_file_symbol_at(f->file.elf, address);
	return symbol ? symbol->name : "a function";
}

void linker_refuse(const struct injector *i, const char *why)
{
	message_loss("functions of libraries that process %d loads later may not be traced: %s",
		     i->target.pid, why);
}

static struct error *site_refuse(struct attaching *a, const struct site_file *f,
				 const struct code_site *s)
{
	const char *words = f->file.problem ? f->file.problem
					    : patch_refusal_words((enum patch_refusal)s->refusal);
	if (s->group == LINKER_GROUP)
		linker_refuse(a->injector, words);
	if (s->group != LINKER_GROUP && group_is_agents(s->group))
		log_debug("process: execve() and vfork() are not seen at %#llx: %s",
			  (unsigned long long)s->at, words);
	if (group_is_agents(s->group))
		return NULL;
	log_debug("process: no jump for %s of %s at %#llx: %s", site_function_name(f, s),
		  f->file.name, (unsigned long long)s->at, words);
	if (!s->is_named) {
		reason_count(a, words);
		return NULL;
	}
	return a->request->refused(a->request->arg, s->group, s->event, true,
				   error_new("%s (-x executor=kernel can probe it)", words));
}

struct error *sites_report(struct attaching *a, const struct site_file *f,
			   const code_site_vector *sites)
{
	struct error *err = NULL;
	for (size_t i = 0; i < sites->count && !err; i++) {
		const struct code_site *s = &sites->items[i];
		a->sites += !group_is_agents(s->group);
		if (f->file.problem || s->refusal != PATCH_FITS)
			err = site_refuse(a, f, s);
		else if (s->safety == PATCH_FATAL && !group_is_agents(s->group) && !a->fatal++)
			a->fatal_name =
				mem_printf("%s of %s", site_function_name(f, s), f->file.name);
	}
	return err;
}

static int reason_compare(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;
	return (a->count < b->count) - (a->count > b->count);
}

void report_refused(struct attaching *a)
{
	auto_strbuf struct strbuf text = { 0 };
	if (a->reasons.count)
		qsort(a->reasons.items, a->reasons.count, sizeof(*a->reasons.items),
		      reason_compare);
	for (size_t i = 0; i < a->reasons.count; i++)
		strbuf_printf(&text, "%s%s (%u)", i ? "; " : "", a->reasons.items[i].words,
			      a->reasons.items[i].count);
	if (a->refused)
		message_loss("%u of %u places of probes are left out, which the process cannot "
			     "run (-x executor=kernel can, -x debug lists them): %s",
			     a->refused, a->sites, strbuf_text(&text));
	if (a->fatal && !a->injector->options.quiet)
		message("a second tracer's probe at the entry of %s%s would kill the process, as "
			"the jump has its first instruction",
			a->fatal_name, a->fatal > 1 ? " or of others" : "");
}

/* What is refused in each mapping alone; all else was reported at first. */
void renewed_report(struct site_file *f, int pid)
{
	unsigned count = 0;
	for (size_t k = 0; k < f->sites.count; k++) {
		enum patch_refusal why = (enum patch_refusal)f->sites.items[k].refusal;
		count += why == PATCH_BREAKPOINT || why == PATCH_FOREIGN_JUMP ||
			 why == PATCH_TEXT_DIFFERS;
	}
	if (f->file.problem)
		message_loss("functions of %s, which process %d has loaded again, are not traced: "
			     "%s",
			     f->file.name, pid, f->file.problem);
	else if (count)
		message_loss("%u of %zu places of probes of %s, which process %d has loaded again, "
			     "are left out: its memory is not as its file",
			     count, f->sites.count, f->file.name, pid);
	f->file.problem = NULL;
}
