/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print - the tree as text: items and statements
 *
 * One line per item, statement or member, indented by its depth.  Expressions
 * are written as D with all their parentheses, types as sentences:
 *
 *   clause
 *     probe syscall::read:entry
 *     predicate (pid == 12)
 *     do (self->x = cast<pointer to struct foo>(arg0)->y)
 */
#include "syntax/print/print.h"

static void line_begin(struct printer *pr)
{
	strbuf_fill(pr->out, ' ', (size_t)pr->indent * 2);
}

static void line_print(struct printer *pr, const char *word, const struct node *expr)
{
	line_begin(pr);
	puts_out(pr, word);
	expr_print(pr, expr);
	puts_out(pr, "\n");
}

static void word_line_print(struct printer *pr, const char *word)
{
	line_begin(pr);
	puts_out(pr, word);
	puts_out(pr, "\n");
}

static void statements_print(struct printer *pr, const struct node *n);

static void if_print(struct printer *pr, const struct node *n)
{
	line_print(pr, "if ", n->if_.condition);
	statements_print(pr, n->if_.then);
	if (!n->if_.otherwise)
		return;
	word_line_print(pr, "else");
	statements_print(pr, n->if_.otherwise);
}

static void loop_print(struct printer *pr, const struct node *n)
{
	line_print(pr, "while ", n->if_.condition);
	statements_print(pr, n->if_.then);
	if (!n->if_.otherwise)
		return;
	word_line_print(pr, "after each pass");
	statements_print(pr, n->if_.otherwise);
}

static void foreach_print(struct printer *pr, const struct node *n)
{
	line_begin(pr);
	puts_out(pr, "foreach ");
	for (const struct member_name *name = n->if_.names; name; name = name->next) {
		puts_out(pr, name->name);
		puts_out(pr, name->next ? ", " : " in ");
	}
	expr_print(pr, n->if_.condition);
	puts_out(pr, "\n");
	statements_print(pr, n->if_.then);
}

static void statements_print(struct printer *pr, const struct node *n)
{
	pr->indent++;
	for (; n; n = n->next) {
		if (n->kind == NODE_IF)
			if_print(pr, n);
		else if (n->kind == NODE_LOOP)
			loop_print(pr, n);
		else if (n->kind == NODE_FOREACH)
			foreach_print(pr, n);
		else if (n->kind == NODE_BREAK || n->kind == NODE_CONTINUE)
			word_line_print(pr, n->kind == NODE_BREAK ? "break" : "continue");
		else
			line_print(pr, "do ", n->statement.expr);
	}
	pr->indent--;
}

static void pdesc_print(struct printer *pr, const struct pdesc_node *pdesc)
{
	if (pdesc->by_id && pdesc->first_id == pdesc->last_id)
		strbuf_printf(pr->out, "  probe id %u\n", pdesc->first_id);
	else if (pdesc->by_id)
		strbuf_printf(pr->out, "  probe id %u-%u\n", pdesc->first_id, pdesc->last_id);
	else
		strbuf_printf(pr->out, "  probe %s:%s:%s:%s\n", pdesc->provider, pdesc->module,
			      pdesc->function, pdesc->name);
}

static void clause_print(struct printer *pr, const struct clause_node *clause)
{
	puts_out(pr, "clause\n");
	for (const struct pdesc_node *pdesc = clause->pdescs; pdesc; pdesc = pdesc->next)
		pdesc_print(pr, pdesc);
	pr->indent = 1;
	if (clause->predicate)
		line_print(pr, "predicate ", clause->predicate);
	pr->indent = 0;
	if (clause->has_body && !clause->body)
		puts_out(pr, "  empty body\n");
	statements_print(pr, clause->body);
}

static void declaration_print(struct printer *pr, const struct declaration_node *declaration)
{
	const char *word = declaration->in_header ? "declaration in header" : "declaration";
	const struct declarator *d = declaration->declarators;
	do {
		strbuf_printf(pr->out, "%s %s%s", word, d && d->name ? d->name : "", d ? ": " : "");
		type_node_print(pr, declaration->spec, d);
		puts_out(pr, "\n");
		d = d ? d->next : NULL;
	} while (d);
}

static void inline_print(struct printer *pr, const struct inline_node *n)
{
	strbuf_printf(pr->out, "inline %s: ", n->declarator->name ? n->declarator->name : "?");
	type_node_print(pr, n->spec, n->declarator);
	puts_out(pr, " = ");
	expr_print(pr, n->value);
	puts_out(pr, "\n");
}

static void translator_print(struct printer *pr, const struct translator_node *t)
{
	puts_out(pr, "translator ");
	type_node_print(pr, t->output->spec, t->output->declarator);
	strbuf_printf(pr->out, " from %s: ", t->input_name);
	if (t->pattern) {
		strbuf_printf(pr->out, "\"%s\" = ", t->pattern);
		expr_print(pr, t->value);
	} else {
		type_node_print(pr, t->input->spec, t->input->declarator);
	}
	puts_out(pr, "\n");
	for (const struct translator_member *m = t->members; m; m = m->next) {
		strbuf_printf(pr->out, "  %s = ", m->name);
		expr_print(pr, m->value);
		puts_out(pr, "\n");
	}
}

static void provider_print(struct printer *pr, const struct provider_node *provider)
{
	strbuf_printf(pr->out, "provider %s\n", provider->name);
	for (const struct provider_probe_node *probe = provider->probes; probe;
	     probe = probe->next) {
		strbuf_printf(pr->out, "  probe %s (", probe->name);
		params_print(pr, probe->input, false);
		puts_out(pr, probe->has_output ? ") : (" : ")");
		params_print(pr, probe->output, false);
		puts_out(pr, probe->has_output ? ")\n" : "\n");
	}
}

static void item_print(struct printer *pr, const struct node *n)
{
	switch (n->kind) {
	case NODE_CLAUSE:
		clause_print(pr, n->clause);
		break;
	case NODE_DECLARATION:
		declaration_print(pr, n->declaration);
		break;
	case NODE_INLINE:
		inline_print(pr, n->inline_);
		break;
	case NODE_TRANSLATOR:
		translator_print(pr, n->translator);
		break;
	case NODE_PROVIDER:
		provider_print(pr, n->provider);
		break;
	case NODE_FORMULA:
		formulas_print(pr, n->formula);
		break;
	default: /* others are inside items */
		break;
	}
}

void syntax_print(const struct program_node *p, struct strbuf *out)
{
	struct printer pr = { .out = out };
	for (const struct pragma_node *pragma = p->pragmas; pragma; pragma = pragma->next) {
		puts_out(&pr, "pragma");
		for (size_t i = 0; i < ARRAY_SIZE(pragma->words) && pragma->words[i]; i++)
			strbuf_printf(out, " %s", pragma->words[i]);
		puts_out(&pr, "\n");
	}
	for (const struct node *n = p->items; n; n = n->next)
		item_print(&pr, n);
}
