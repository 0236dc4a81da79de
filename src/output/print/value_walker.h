/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_walker - a value of a C type, part by part
 *
 * In:   a type, and the bytes of one value of it or of its beginning.
 * Out:  calls of a visitor, in the order in which the type names its parts.
 *
 * A struct is visited as begin(), its members, end(); so are unions and arrays.
 * Everything else is a leaf, and so are members that are absent; variants that the value does not
 * have are not visited.  The printers of values are such visitors: print.c,
 * print_pointed.c, json_print.c.
 */
#ifndef OUTPUT_PRINT_VALUE_WALKER_H
#define OUTPUT_PRINT_VALUE_WALKER_H

#include "base/base.h"
#include "output/writer.h"
#include "types/types.h"

struct action_layout;
struct output;
struct record;
struct value;
struct value_field;

struct part {
	const struct type *type; /* as declared, typedefs and all */
	const struct type *resolved;
	const char *name; /* of a member; NULL: the whole, an element, an unnamed member */
	const unsigned char *bytes;
	uint32_t size;		      /* that it has */
	uint32_t there;		      /* of these bytes, how many there are */
	uint8_t bit_offset, bit_size; /* bit_size 0: no bit-field */
	unsigned depth;		      /* 0: the whole */
	bool is_element, is_last;     /* of an array; the last one */
	const char *absent;	      /* why the bytes are not its value; NULL: they are */
};

struct value_walker {
	void *arg;
	void (*leaf)(void *arg, const struct part *p);
	/* Of a struct, union or array.  False: do not go in, and no end(). */
	bool (*begin)(void *arg, const struct part *p);
	void (*end)(void *arg, const struct part *p);
	/*
	 * The bytes end here: what follows in WHOLE, and in all that it is a part of, is
	 * unknown.  WHOLE may be a leaf, which is then not visited.
	 */
	void (*cut)(void *arg, const struct part *whole);
};

struct part part_whole(const struct type *type, const void *bytes, uint32_t there);

/* False: the bytes were truncated. */
bool value_walk(struct types *t, const struct part *p, const struct value_walker *v);

/* The value that ACTION, a print(), has left in R; it is the one that is shown now (o->printed).
 * *ADDRESS: where it was, if the field is there; else NULL. */
struct value printed_value(struct output *o, const struct record *r,
			   const struct action_layout *action, const struct value_field **address);
/* The string that P, of the value that print() shows now, stands for; false: none. */
bool part_text_of(struct output *o, const struct part *p, struct value *ret);

/* Integers, enums, pointers, bit-fields: extended by their sign.  Up to 8 bytes. */
int64_t part_number(const struct part *p);
/* A float, double or long double. */
long double part_float(const struct part *p);
/* What part_number() extends, without sign. */
uint64_t part_bits(const struct part *p);
/* A number of up to 128 bits, as 0x1f; zero is 0. */
void part_hexadecimal(const struct part *p, struct writer *w);
bool part_is_zero(const struct part *p);

/* An array of char, with no other bytes than text before its first NUL: LEN of them. */
bool part_text(const struct part *p, uint32_t *len);

/* A string of D: LEN bytes before its NUL, or all bytes.  False: not a string. */
bool part_string(const struct part *p, uint32_t *len);

/* The type for the output: without a tag it is only `struct`.  Appended to OUT. */
void part_type(const struct part *p, struct strbuf *out);

/*
 * The enumerator of VALUE, appended to OUT; of an enum of flags (at least three enumerators, all
 * powers of two) A|B|0x40.  False: TYPE is no enum, or has no name for VALUE.
 */
bool enumerator_name(struct types *t, const struct type *type, int64_t value, struct strbuf *out);

/* The same of P; OUT is emptied first. */
bool part_enumerator(struct types *t, const struct part *p, struct strbuf *out);

#endif
