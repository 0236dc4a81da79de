/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - what the files of usdt/ share: the definition, as read */
#ifndef USDT_INTERNAL_H
#define USDT_INTERNAL_H

#include "object/note/dtrace_note.h"
#include "probe/probe.h"
#include "syntax/syntax.h"
#include "usdt/usdt.h"

#define SITE_ARGUMENTS 12u /* <dtrace/sdt.h> has macros for so many */

struct definition_parameter {
	const char *text; /* in one line, without comments: "const char *name" */
	const char *cast; /* what makes an expression of its size and sign, or "" */
	int size;	  /* negative: signed; 0: of floating point */
};

struct definition_probe {
	const char *name; /* as declared: query__start */
	struct range range;
	unsigned input_count, output_count;
	struct definition_parameter *input, *output;
	unsigned char *map; /* output to input */
	bool is_asked;	    /* an object calls its is-enabled function */
};

struct definition_provider {
	const char *name;
	struct attributes attributes[DTRACE_NOTE_PARTS];
	VECTOR(struct definition_probe) probes;
};

struct definition {
	struct arena *arena;
	struct hash *typedefs; /* name to struct declared_type */
	uint16_t machine;      /* of the objects; 0: there are none */
	VECTOR(struct definition_provider *) providers;
	struct strbuf types; /* D text: the declarations that the parameters' types need */
};

/* declared_type.c: a type as it is written */
struct declared_type {
	const struct type_spec *spec;
	const struct declarator *declarator;
};

/* Note the typedefs of PROGRAM. */
void declared_types_add(struct definition *d, const struct program_node *program);
/* Cast and size for PARAM: "(int)", -4; "" and a word if the type is another one.  *IS_STRUCT: it
 * cannot be passed. */
void declared_parameter(const struct definition *d, const struct param_node *param,
			struct definition_parameter *ret, bool *is_struct);

/* declared_text.c: pieces of the source */
/* TEXT in one line: comments and lines of the preprocessor become blanks. */
void text_squeeze(struct strbuf *out, const char *text, size_t len);
const char *range_squeezed(struct arena *a, struct range range);
/* The items of PROGRAM that the parameters of D's probes need, added to D's types. */
void declared_text_add(struct definition *d, const struct program_node *program);

/* note.c: section .note.dtrace of PROVIDER.  What does not fit is left out, and reported. */
void notes_of_provider(const struct definition *d, const struct definition_provider *provider,
		       struct strbuf *ret);

#endif
