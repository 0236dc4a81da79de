/* SPDX-License-Identifier: BSD-2-Clause */
/* declare - declarations and names of types: declare.c, declarator.c, tag.c, vector.c
 */
#ifndef SEMA_DECLARE_H
#define SEMA_DECLARE_H

#include "sema/sema_internal.h"

#define WORD_TAGS (WORD_STRUCT | WORD_UNION | WORD_ENUM)

#define poison_type(s) intrinsic((s), INTRINSIC_POISON)

#define type_mistake(s, range, tag, ...)                                                           \
	({                                                                                         \
		diagnose((s)->diagnostics, (range), (tag), __VA_ARGS__);                           \
		poison_type(s);                                                                    \
	})

void declaration_check(struct sema *s, const struct declaration_node *node, struct range range);
const struct type *specifier_type(struct sema *s, const struct type_spec *spec);
enum type_kind tag_kind(const struct type_spec *spec); /* of struct, union, enum */
/* `struct x`, with or without a body. */
const struct type *tag_type(struct sema *s, const struct type_spec *spec);
/* Diagnose that SPEC does not name a type; if it has a module, perhaps the module is unknown. */
const struct type *type_unknown(struct sema *s, const struct type_spec *spec);
/* The alignment that the attributes of a declaration demand, or 0. */
uint32_t declared_align(struct sema *s, const struct type_spec *spec, const struct declarator *d);
/* A part of a declarator, or NULL: `[n]` or `[]`; the second alone; `[int, string]`. */
bool part_is_array(const struct declarator_part *part);
bool part_is_unsized(const struct declarator_part *part);
bool part_is_associative(const struct declarator_part *part);
const struct type *declarator_type(struct sema *s, const struct declarator *d,
				   const struct declarator_part *parts, const struct type *base);
const struct type *type_name_check(struct sema *s, const struct type_name *name);
/* The same without * and [], or NULL if there is no such type; nothing is declared or diagnosed. */
const struct type *type_if_known(struct sema *s, const struct type_name *name);
/* The types of parameters; NULL if one has a mistake. */
const struct type **params_check(struct sema *s, const struct param_node *params, unsigned *count);

/* BASE, changed by GNU's attributes mode and vector_size. */
const struct type *attributed_type(struct sema *s, const struct type_spec *spec,
				   const struct declarator *d, const struct type *base);

/* --- translator.c, translated.c --- */
struct translator {
	struct translator *next; /* defined before */
	const struct translator_node *node;
	const struct type *output, *input;
	enum declarer declarer;
	struct unit *unit; /* of DECLARED_BY_FILE */
	uint32_t since;	   /* version of D; 0: always */
};

/* M's expression with INPUT for T's parameter, and no other parameter in sight; COST: see binding.
 */
struct texpr *translator_value(struct sema *s, const struct translator *t,
			       const struct translator_member *m, struct texpr *input,
			       unsigned cost);

/* --- text_rule.c --- */
void text_rule_define(struct sema *s, const struct translator_node *node, struct range range);
struct texpr *text_rule_apply(struct sema *s, struct texpr *e);

#endif
