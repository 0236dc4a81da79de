/* SPDX-License-Identifier: BSD-2-Clause */
/* print_formula - providers as data, as text */
#include "syntax/formula.h"

#include "syntax/print/print.h"

static void labelled_print(struct printer *pr, const char *label, const struct node *expr)
{
	if (!expr)
		return;
	puts_out(pr, label);
	expr_print(pr, expr);
}

static void event_print(struct printer *pr, const struct formula_event *e)
{
	puts_out(pr, formula_event_word(e->kind));
	for (const struct formula_name *n = e->names; n; n = n->next)
		strbuf_printf(pr->out, " %s", n->text);
	if (e->kind == FORMULA_CALL)
		strbuf_printf(pr->out, " #%lld %s", (long long)e->number,
			      e->is_after ? "after" : "before");
	if (e->kind == FORMULA_INSN)
		strbuf_printf(pr->out, " +%lld", (long long)e->number);
	strbuf_puts(pr->out, e->is_return ? " return (" : " (");
	params_print(pr, e->params, e->varargs);
	strbuf_puts(pr->out, ")");
	if (e->result)
		strbuf_printf(pr->out, " = %s", e->result);
}

static void field_print(struct printer *pr, const struct formula_field *f)
{
	strbuf_printf(pr->out, "          %s: ", f->name);
	type_node_print(pr, f->param->spec, f->param->declarator);
	labelled_print(pr, " = ", f->value);
	strbuf_puts(pr->out, "\n");
}

static void statement_print(struct printer *pr, const struct formula_statement *s)
{
	static const char *const words[] = {
		[FORMULA_LET] = "let",	     [FORMULA_OUTPUT] = "argument",
		[FORMULA_SELF] = "self",     [FORMULA_TASK] = "task",
		[FORMULA_DROP] = "drop",     [FORMULA_RAW] = "raw",
		[FORMULA_SAVE] = "save",     [FORMULA_LOAD] = "load",
		[FORMULA_DELETE] = "delete", [FORMULA_SILENT] = "silent",
		[FORMULA_KEEP] = "keep",
	};
	strbuf_printf(pr->out, "        %s", words[s->kind]);
	if (s->name)
		strbuf_printf(pr->out, " %s", s->name);
	if (s->kind == FORMULA_RAW)
		strbuf_printf(pr->out, " %lld", (long long)s->number);
	labelled_print(pr, " ", s->value);
	strbuf_puts(pr->out, "\n");
	for (const struct formula_field *f = s->fields; f; f = f->next)
		field_print(pr, f);
}

static void source_print(struct printer *pr, const struct formula_source *s)
{
	strbuf_puts(pr->out, s->optional ? "      perhaps " : "      on ");
	event_print(pr, &s->event);
	labelled_print(pr, " if ", s->condition);
	labelled_print(pr, " when ", s->when);
	strbuf_puts(pr->out, "\n");
	for (const struct formula_statement *t = s->statements; t; t = t->next)
		statement_print(pr, t);
}

void formulas_print(struct printer *pr, const struct formula_provider *f)
{
	strbuf_printf(pr->out, "formulas %s, module %s%s\n", f->name, f->module,
		      f->per_process ? ", of processes" : "");
	for (unsigned i = 0; i < FORMULA_ATTRIBUTES && f->attributes[i]; i++)
		strbuf_printf(pr->out, "  attributes %s\n", f->attributes[i]);
	for (const struct formula_probe *p = f->probes; p; p = p->next) {
		strbuf_printf(pr->out, "  probe %s (", p->name);
		params_print(pr, p->outputs, false);
		strbuf_puts(pr->out, ")");
		labelled_print(pr, " needs ", p->needs);
		strbuf_puts(pr->out, "\n");
		for (const struct formula_alternative *a = p->alternatives; a; a = a->next) {
			strbuf_printf(pr->out, "    alternative%s%s\n", a->note ? " " : "",
				      a->note ? a->note : "");
			for (const struct formula_source *s = a->sources; s; s = s->next)
				source_print(pr, s);
		}
	}
}
