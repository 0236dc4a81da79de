/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provcheck - providers as data, checked against the description of a kernel
 *
 * A description is a folder that tools/describe-kernel writes: what probe_settings.described and
 * the types of btf/ are for providers.  Each probe is printed with the events that it has there, or
 * with the reason why it has none; all its expressions are checked, those of translators, too.
 * Nothing is generated or loaded, as both are for this machine.
 */
#include <unistd.h>

#include "formula/formula.h"
#include "tracer/library/library_file.h"

static void print_one_line(FILE *f, const char *text)
{
	for (; text && *text; text++)
		if (*text != '\n')
			fputc(*text, f);
		else if (text[1])
			fputs("; ", f);
}

static void print_probe(struct tracer *t, FILE *f, const struct probe *p)
{
	fprintf(f, "%s:::%s%s", p->provider, p->name, p->events ? ":" : "");
	list_events(f, asked_arch(t->probes), p);
	if (p->events && p->note)
		fprintf(f, " (%s)", p->note);
	if (!p->events)
		fputs(" is not there: ", f);
	else if (p->not_chosen)
		fputs("; not chosen: ", f);
	print_one_line(f, p->not_chosen);
	fputs(p->events && p->is_hidden ? ": wrong\n" : "\n", f);
}

/* All probes of PROVIDER (one in C may have its name). */
static struct error *check_provider(struct tracer *t, FILE *f, const struct provider *provider)
{
	const struct probe_desc desc = { provider->name, "", "", "" };
	probe_vector probes = { 0 };
	struct error *err = probe_db_match(t->probes, &desc, &probes);
	for (size_t i = 0; i < probes.count && !err; i++)
		if (probes.items[i]->owner == provider)
			sema_formula_is_right(t->sema, probes.items[i]);
	vector_free(&probes);
	for (const struct probe *p = NULL; !err && (p = probe_db_next(t->probes, p));)
		if (p->owner == provider)
			print_probe(t, f, p);
	return err;
}

/* Of a function that the described types have: descriptions have no addresses, and any will do. */
static uint64_t some_address(void *arg, const char *name)
{
	return 1;
}

/* A folder without an architecture that we know, or without types, describes nothing. */
static struct error *open_description(struct tracer *t, const char *folder)
{
	auto_free char *btf = mem_printf("%s/btf/vmlinux", folder);
	types_set_btf(t->types, btf);
	tracer_refresh_env(t);
	if (access(btf, R_OK) != 0)
		return error_new("%s does not describe a kernel: btf/vmlinux is not there "
				 "(tools/describe-kernel writes it)",
				 folder);
	if (!asked_arch(t->probes))
		return error_new("%s does not describe a kernel: arch names none that we know",
				 folder);
	const char *problem = types_kernel_problem(t->types);
	return problem ? error_new("%s", problem) : NULL;
}

struct error *tracer_check_providers(struct tracer *t, FILE *f, bool *right)
{
	struct error *err = open_description(t, option_text(t->options, OPTION_provcheck));
	if (err)
		return err;
	t->sema_env.checks_translated = true;
	t->sema_env.kernel_function = some_address;
	t->sema_env.kernel_symbol = NULL;	  /* of this machine's kernel */
	if (asked_arch(t->probes) != arch_host()) /* its own definitions are not here */
		t->sema_env.library_mistakes = NULL;
	t->sema_env.uregs_count = asked_arch(t->probes)->uregs_names;
	formulas_open(t);
	const struct provider *p;
	for (size_t i = 0; !err && (p = formulas_provider(t->library->formulas, i)); i++)
		if (p->process)
			fprintf(f, "%s::: is not checked: its events are in processes\n", p->name);
		else
			err = check_provider(t, f, p);
	*right = !t->library->formulas_are_wrong;
	return err;
}
