/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print - types in C's syntax
 *
 * A C declaration is read from its name outwards; a type, which has no name, is written the same
 * way: first the part on the left of the name, then the part on the right.
 */
#include <ctype.h>

#include "types/model.h"

#define DEPTH_MAX 64

static void print_qualifiers(unsigned qualifiers, const char *after, struct strbuf *out)
{
	static const struct {
		unsigned bit;
		const char *word;
	} words[] = {
		{ TYPE_USERLAND, "userland" },
		{ TYPE_CONST, "const" },
		{ TYPE_VOLATILE, "volatile" },
	};
	bool any = false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!(qualifiers & words[i].bit))
			continue;
		strbuf_printf(out, "%s%s", any ? " " : "", words[i].word);
		any = true;
	}
	strbuf_puts(out, after);
}

static bool binds_tighter(const struct type *target)
{
	if (target->kind == TYPE_QUALIFIED)
		target = target->target;
	return target->kind == TYPE_ARRAY || target->kind == TYPE_FUNCTION;
}

/* A blank between words, and between a word and what follows it. */
static void print_gap(struct strbuf *out)
{
	char last = out->len ? out->text[out->len - 1] : ' ';
	if (isalnum((unsigned char)last) || last == '_' || last == '>')
		strbuf_putc(out, ' ');
}

static void print_tag(const struct type *type, struct strbuf *out)
{
	if (type->is_time)
		strbuf_puts(out, "int64_t");
	else
		strbuf_printf(out, "%s %s", tag_keyword(type->body->kind),
			      type->name ? type->name : "<anonymous>");
}

static void print_left(const struct type *type, unsigned depth, struct strbuf *out)
{
	if (!depth) {
		strbuf_puts(out, "...");
		return;
	}
	switch (type->kind) {
	case TYPE_POINTER:
		print_left(type->target, depth - 1, out);
		print_gap(out);
		strbuf_puts(out, binds_tighter(type->target) ? "(*" : "*");
		break;
	case TYPE_ARRAY:
	case TYPE_FUNCTION:
		print_left(type->target, depth - 1, out);
		break;
	case TYPE_QUALIFIED:
		if (type->target->kind == TYPE_POINTER) {
			print_left(type->target, depth - 1, out);
			print_qualifiers(type->qualifiers, "", out);
		} else {
			print_qualifiers(type->qualifiers, type->qualifiers ? " " : "", out);
			print_left(type->target, depth - 1, out);
		}
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FORWARD:
		print_tag(type, out);
		break;
	default:
		strbuf_puts(out, type->name ? type->name : "<anonymous>");
	}
}

static void print_params(const struct type *type, unsigned depth, struct strbuf *out);

static void print_right(const struct type *type, unsigned depth, struct strbuf *out)
{
	if (!depth)
		return;
	switch (type->kind) {
	case TYPE_POINTER:
		if (binds_tighter(type->target))
			strbuf_putc(out, ')');
		break;
	case TYPE_ARRAY:
		if (type->count)
			strbuf_printf(out, "[%u]", type->count);
		else
			strbuf_puts(out, "[]");
		break;
	case TYPE_FUNCTION:
		print_params(type, depth - 1, out);
		break;
	case TYPE_QUALIFIED:
		break;
	default:
		return;
	}
	print_right(type->target, depth - 1, out);
}

static void print_to_depth(const struct type *type, unsigned depth, struct strbuf *out)
{
	print_left(type, depth, out);
	if (binds_tighter(type))
		print_gap(out);
	print_right(type, depth, out);
}

static void print_params(const struct type *type, unsigned depth, struct strbuf *out)
{
	strbuf_putc(out, '(');
	/* Nested prototypes of damaged BTF could multiply: inner ones are kept short. */
	for (uint32_t i = 0; i < type->count; i++) {
		strbuf_puts(out, i ? ", " : "");
		print_to_depth(type->params[i], MIN(depth, 8u), out);
	}
	if (type->varargs)
		strbuf_puts(out, type->count ? ", ..." : "...");
	else if (!type->count)
		strbuf_puts(out, "void");
	strbuf_putc(out, ')');
}

void type_print(const struct type *type, struct strbuf *out)
{
	print_to_depth(type, DEPTH_MAX, out);
}
