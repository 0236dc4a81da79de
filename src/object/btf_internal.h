/* SPDX-License-Identifier: BSD-2-Clause */
/* btf_internal - shared by btf.c and btf_find.c */
#ifndef OBJECT_BTF_INTERNAL_H
#define OBJECT_BTF_INTERNAL_H

#include "object/object.h"

/* From here on the types of a kind have an index of their names: see btf_find.c. */
#define SCANS_BEFORE_INDEX 8
#define KINDS (BTF_ENUM64 + 1)

struct name_slot {
	uint32_t hash;
	uint32_t id; /* 0: free */
};

/* The types of one kind. */
struct of_kind {
	uint32_t *types; /* numbers in places, in their order; NULL: nobody asked yet */
	uint32_t count;
	unsigned scans;
	struct hash *scanned; /* from names to answers */
	uint32_t answers[SCANS_BEFORE_INDEX];
	struct name_slot *index;
	size_t index_size; /* a power of two; 0: not built */
};

struct btf {
	const struct btf *base; /* NULL: the kernel itself; a loan */
	struct bytes types, strings;
	uint32_t first_id;     /* 1, or the base's count + 1 */
	uint32_t first_string; /* 0, or the size of the base's strings */
	uint32_t *places;      /* of id first_id + i: see place_of() */
	uint32_t count;	       /* own types */
	struct of_kind kinds[KINDS];
	void *mapped, *allocated; /* what holds the bytes, when we own them */
	size_t mapped_size;
};

static inline uint32_t u32_at(const struct bytes *b, size_t offset)
{
	uint32_t v;
	memcpy(&v, b->data + offset, sizeof(v));
	return v;
}

/* The offset of a type in the types, a multiple of 4, and its kind. */
#define PLACE_SHIFT 2
#define PLACE_BITS 27
#define PLACE_MOST ((1u << PLACE_BITS) - 1)
_Static_assert(KINDS <= 32, "a kind has five bits");

static inline uint32_t place_of(size_t offset, uint32_t kind)
{
	return (uint32_t)(offset >> PLACE_SHIFT) | kind << PLACE_BITS;
}

static inline size_t place_offset(uint32_t place)
{
	return (size_t)(place & PLACE_MOST) << PLACE_SHIFT;
}

static inline uint32_t place_kind(uint32_t place)
{
	return place >> PLACE_BITS;
}

/* btf_find.c: what is known of names. */
void btf_names_free(struct of_kind *k);

#endif
