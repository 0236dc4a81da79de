/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typed_print - the typed tree as text, for -xdump=typed and golden tests
 *
 * Expressions look like C, with a pair of parentheses around each operator.
 * What C would not say is written out:
 *
 *   *(struct foo *)(x + 8)   a load; `user *` from the process
 *   (int)x                   a conversion that changes bits
 *   string(x)                the text at an address; userstring(x)
 *   x s/ u/ y                signed and unsigned division, >>, comparison
 */
#include "sema/name/builtin.h"
#include "sema/sema.h"

static const char *const symbol_names[] = {
	[VALUE_SYM] = "sym",   [VALUE_MOD] = "mod",	[VALUE_USYM] = "usym",
	[VALUE_UMOD] = "umod", [VALUE_UADDR] = "uaddr",
};

static const char *const scope_prefixes[] = { "", "self->", "this->" };

static void print_expr(struct strbuf *out, const struct texpr *e);

static void print_list(struct strbuf *out, const struct texpr *list)
{
	for (; list; list = list->next) {
		print_expr(out, list);
		if (list->next)
			strbuf_puts(out, ", ");
	}
}

static void print_quoted(struct strbuf *out, const char *text, size_t len)
{
	strbuf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\n')
			strbuf_puts(out, "\\n");
		else if (c == '"' || c == '\\')
			strbuf_printf(out, "\\%c", c);
		else if (c < ' ' || c > '~')
			strbuf_printf(out, "\\x%02x", c);
		else
			strbuf_putc(out, (char)c);
	}
	strbuf_putc(out, '"');
}

static void print_bits(struct strbuf *out, unsigned offset, unsigned size)
{
	if (size)
		strbuf_printf(out, "{%u:%u}", offset, size);
}

static bool sign_matters(enum op op)
{
	return op == OP_DIV || op == OP_MOD || op == OP_SHR || (op >= OP_LT && op <= OP_GE);
}

static const char *sign_text(enum op op, bool is_signed)
{
	return !sign_matters(op) ? "" : is_signed ? "s" : "u";
}

/* (LEFT SIGN OP RIGHT BEHIND) */
static void print_pair(struct strbuf *out, const struct texpr *left, const char *sign,
		       const char *op, const struct texpr *right, const char *behind)
{
	strbuf_putc(out, '(');
	print_expr(out, left);
	strbuf_printf(out, " %s%s ", sign, op);
	print_expr(out, right);
	strbuf_printf(out, "%s)", behind);
}

static void print_binary(struct strbuf *out, const struct texpr *e)
{
	bool is_number = e->kind == TEXPR_BINARY;
	print_pair(out, e->binary.left,
		   is_number ? sign_text(e->binary.op, e->binary.is_signed) : "",
		   op_text(e->binary.op), e->binary.right, "");
}

static void print_field(struct strbuf *out, const struct texpr *e)
{
	print_expr(out, e->field.base);
	strbuf_printf(out, ".[%u", e->field.offset);
	if (e->field.index) {
		strbuf_puts(out, " + ");
		print_expr(out, e->field.index);
		strbuf_printf(out, " < %u * %u", e->field.count, e->field.stride);
	}
	strbuf_puts(out, ": ");
	type_print(e->type, out);
	strbuf_putc(out, ']');
	print_bits(out, e->field.bit_offset, e->field.bit_size);
}

static void print_load(struct strbuf *out, const struct texpr *e)
{
	strbuf_printf(out, "%s*(", e->load.user ? "user " : "");
	type_print(e->type, out);
	strbuf_puts(out, " *)");
	print_expr(out, e->load.address);
	print_bits(out, e->load.bit_offset, e->load.bit_size);
}

static void print_conditional(struct strbuf *out, const struct texpr *e)
{
	strbuf_putc(out, '(');
	print_expr(out, e->conditional.condition);
	strbuf_puts(out, " ? ");
	print_expr(out, e->conditional.then);
	strbuf_puts(out, " : ");
	print_expr(out, e->conditional.otherwise);
	strbuf_putc(out, ')');
}

static void print_update(struct strbuf *out, const struct texpr *e)
{
	char op[8];
	snprintf(op, sizeof(op), "%s=", op_text(e->update.op));
	print_pair(out, e->update.target, sign_text(e->update.op, e->update.is_signed), op,
		   e->update.value, e->update.old ? ", old" : "");
}

static void print_unary(struct strbuf *out, const char *op, const struct texpr *e)
{
	strbuf_puts(out, op);
	print_expr(out, e->operand);
}

static void print_wrapped(struct strbuf *out, const char *name, const struct texpr *args)
{
	strbuf_printf(out, "%s(", name);
	print_list(out, args);
	strbuf_putc(out, ')');
}

static void print_expr(struct strbuf *out, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER:
		strbuf_printf(out, "%lld", (long long)e->integer);
		return;
	case TEXPR_STRING:
		if (e->string.text)
			print_quoted(out, e->string.text, e->string.len);
		else
			strbuf_puts(out, "NULL");
		return;
	case TEXPR_BUILTIN:
		strbuf_puts(out, builtin_rows[e->builtin].name);
		return;
	case TEXPR_ARGUMENT:
		strbuf_printf(out, "arg%u", e->argument.index);
		return;
	case TEXPR_UREG:
		strbuf_printf(out, "uregs[%u]", e->argument.index);
		return;
	case TEXPR_VARIABLE:
		strbuf_printf(out, "%s%s", scope_prefixes[e->variable->scope], e->variable->name);
		return;
	case TEXPR_ELEMENT:
		strbuf_printf(out, "%s%s[", scope_prefixes[e->element.variable->scope],
			      e->element.variable->name);
		print_list(out, e->element.keys);
		strbuf_putc(out, ']');
		return;
	case TEXPR_FIELD:
		print_field(out, e);
		return;
	case TEXPR_LOAD:
		print_load(out, e);
		return;
	case TEXPR_NEGATE:
		print_unary(out, "-", e);
		return;
	case TEXPR_COMPLEMENT:
		print_unary(out, "~", e);
		return;
	case TEXPR_NOT:
		print_unary(out, "!", e);
		return;
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_COMMA:
		print_binary(out, e);
		return;
	case TEXPR_CONDITIONAL:
		print_conditional(out, e);
		return;
	case TEXPR_ADDRESS:
		print_unary(out, "&", e);
		return;
	case TEXPR_CONVERT:
		strbuf_putc(out, '(');
		type_print(e->type, out);
		print_unary(out, ")", e);
		return;
	case TEXPR_STRING_AT:
		print_unary(out, e->load.user ? "userstring(" : "string(", e);
		strbuf_putc(out, ')');
		return;
	case TEXPR_ASSIGN:
		print_pair(out, e->assign.target, "", "=", e->assign.value, "");
		return;
	case TEXPR_UPDATE:
		print_update(out, e);
		return;
	case TEXPR_CALL:
		print_wrapped(out, subroutine_rows[e->call.function].name, e->call.args);
		return;
	case TEXPR_STACK:
		strbuf_printf(out, e->stack.strings ? "%s(%u, %u)" : "%s(%u)",
			      e->stack.user ? "ustack" : "stack", e->stack.frames,
			      e->stack.strings);
		return;
	case TEXPR_SYMBOL:
		print_wrapped(out, symbol_names[e->symbol.kind], e->symbol.address);
		return;
	case TEXPR_TRANSLATED: /* never in a result */
		return;
	}
}

static void print_typed(struct strbuf *out, const struct texpr *e)
{
	print_expr(out, e);
	strbuf_puts(out, " : ");
	type_print(e->type, out);
}

/* --- statements --- */

static void print_statements(struct strbuf *out, const struct tstmt *t, unsigned depth);

static void print_aggregate(struct strbuf *out, const struct tstmt *t)
{
	strbuf_printf(out, "#%u @%s[", t->number, t->aggregate.aggregation->name);
	print_list(out, t->aggregate.keys);
	strbuf_printf(out, "] = %s(", aggregate_row(t->aggregate.aggregation->function)->name);
	if (t->aggregate.value)
		print_expr(out, t->aggregate.value);
	if (t->aggregate.weight) {
		strbuf_puts(out, ", weight ");
		print_expr(out, t->aggregate.weight);
	}
	strbuf_puts(out, ")\n");
}

static void print_action(struct strbuf *out, const struct tstmt *t)
{
	const char *separator = "";
	strbuf_printf(out, "#%u %s(", t->number, action_name(t->action.kind));
	if (t->action.format) {
		print_quoted(out, t->action.format, strlen(t->action.format));
		separator = ", ";
	}
	for (unsigned i = 0; i < t->action.aggregation_count; i++) {
		strbuf_printf(out, "%s@%s", separator, t->action.aggregations[i]->name);
		separator = ", ";
	}
	for (const struct texpr *e = t->action.args; e; e = e->next) {
		strbuf_puts(out, separator);
		print_typed(out, e);
		separator = ", ";
	}
	if (t->action.at_address) {
		strbuf_printf(out, "%sat it ", separator);
		type_print(t->action.type, out);
	}
	if (t->action.size)
		strbuf_printf(out, "%ssize %u", separator, t->action.size);
	if (t->action.kind == ACTION_PCAP)
		strbuf_printf(out, ", link %u", t->action.packet.link);
	strbuf_puts(out, ")\n");
}

static void print_if(struct strbuf *out, const struct tstmt *t, unsigned depth)
{
	strbuf_puts(out, "if ");
	print_typed(out, t->if_.condition);
	strbuf_putc(out, '\n');
	print_statements(out, t->if_.then, depth + 1);
	if (!t->if_.otherwise)
		return;
	strbuf_fill(out, ' ', depth * 2);
	strbuf_puts(out, "else\n");
	print_statements(out, t->if_.otherwise, depth + 1);
}

static void print_loop(struct strbuf *out, const struct tstmt *t, unsigned depth)
{
	if (t->if_.keys) {
		strbuf_puts(out, "foreach ");
		print_list(out, t->if_.keys);
		strbuf_puts(out, " in ");
		if (t->if_.array)
			strbuf_printf(out, "%s%s", scope_prefixes[t->if_.array->scope],
				      t->if_.array->name);
		else
			strbuf_printf(out, "@%s", t->if_.aggregation->name);
	} else {
		strbuf_puts(out, "while ");
		print_typed(out, t->if_.condition);
	}
	if (t->if_.passes_known)
		strbuf_printf(out, " (%u passes)", t->if_.passes);
	strbuf_putc(out, '\n');
	print_statements(out, t->if_.then, depth + 1);
	if (!t->if_.otherwise)
		return;
	strbuf_fill(out, ' ', depth * 2);
	strbuf_puts(out, "after each pass\n");
	print_statements(out, t->if_.otherwise, depth + 1);
}

static void print_statement(struct strbuf *out, const struct tstmt *t, unsigned depth)
{
	strbuf_fill(out, ' ', depth * 2);
	switch (t->kind) {
	case TSTMT_EXPRESSION:
		print_typed(out, t->expr);
		strbuf_putc(out, '\n');
		return;
	case TSTMT_IF:
		print_if(out, t, depth);
		return;
	case TSTMT_LOOP:
		print_loop(out, t, depth);
		return;
	case TSTMT_BREAK:
	case TSTMT_CONTINUE:
		strbuf_puts(out, t->kind == TSTMT_BREAK ? "break\n" : "continue\n");
		return;
	case TSTMT_ACTION:
		print_action(out, t);
		return;
	case TSTMT_AGGREGATE:
		print_aggregate(out, t);
		return;
	case TSTMT_SPECULATION:
		strbuf_printf(out, "%s(", speculation_name(t->speculation.verb));
		print_typed(out, t->speculation.id);
		strbuf_puts(out, ")\n");
		return;
	}
}

static void print_statements(struct strbuf *out, const struct tstmt *t, unsigned depth)
{
	for (; t; t = t->next)
		print_statement(out, t, depth);
}

/* --- the program --- */

static void print_key_types(struct strbuf *out, const struct type *const *types, unsigned count)
{
	strbuf_putc(out, '[');
	for (unsigned i = 0; i < count; i++) {
		strbuf_puts(out, i ? ", " : "");
		type_print(types[i], out);
	}
	strbuf_putc(out, ']');
}

static void print_typed_variable(struct strbuf *out, const struct variable *v)
{
	strbuf_printf(out, "variable %s%s", scope_prefixes[v->scope], v->name);
	if (v->is_array)
		print_key_types(out, (const struct type *const *)v->key_types, v->key_count);
	strbuf_puts(out, " : ");
	type_print(v->type, out);
	strbuf_putc(out, '\n');
}

static void print_lquantize(struct strbuf *out, const struct aggregation *a)
{
	strbuf_printf(out, " base %lld limit %lld step %u levels %u", (long long)a->base,
		      (long long)a->limit, a->step, a->levels);
}

static void print_llquantize(struct strbuf *out, const struct aggregation *a)
{
	strbuf_printf(out, " factor %u low %u high %u steps %u", a->ll.factor, a->ll.low,
		      a->ll.high, a->ll.steps);
}

#define print_none NULL
#define print_quantize NULL
static void (*const print_parameters[])(struct strbuf *out, const struct aggregation *a) = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	print_##buckets,
#include "abi/aggregate.def"
#undef AGGREGATE
};

static void print_typed_aggregation(struct strbuf *out, const struct aggregation *a)
{
	strbuf_printf(out, "aggregation @%s", a->name);
	print_key_types(out, (const struct type *const *)a->key_types, a->key_count);
	strbuf_printf(out, " %s", aggregate_row(a->function)->name);
	if (print_parameters[a->function])
		print_parameters[a->function](out, a);
	strbuf_putc(out, '\n');
}

static void print_typed_clause(struct strbuf *out, const struct tclause *c)
{
	strbuf_printf(out, "clause %u %s:%s:%s:%s, %u probe%s%s\n", c->index, c->desc.provider,
		      c->desc.module, c->desc.function, c->desc.name, c->probe_count,
		      c->probe_count == 1 ? "" : "s", c->default_action ? ", default action" : "");
	const struct attributes *a = &c->attributes;
	if (a->name < STABILITY_STABLE || a->data < STABILITY_STABLE || a->class < CLASS_COMMON)
		strbuf_printf(out, "  attributes %s/%s/%s\n", stability_text(a->name),
			      stability_text(a->data), class_text(a->class));
	if (c->predicate) {
		strbuf_puts(out, "  / ");
		print_typed(out, c->predicate);
		strbuf_puts(out, " /\n");
	}
	print_statements(out, c->body, 1);
}

void typed_print(const struct typed_program *p, struct strbuf *out)
{
	for (unsigned scope = 0; scope < ARRAY_SIZE(p->variables); scope++)
		for (unsigned i = 0; i < p->variable_count[scope]; i++)
			print_typed_variable(out, p->variables[scope][i]);
	for (unsigned i = 0; i < p->aggregation_count; i++)
		print_typed_aggregation(out, p->aggregations[i]);
	for (unsigned i = 0; i < p->clause_count; i++)
		print_typed_clause(out, p->clauses[i]);
}
