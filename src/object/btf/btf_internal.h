/* SPDX-License-Identifier: BSD-2-Clause */
/* btf_internal - shared by btf.c and btf_find.c */
#ifndef OBJECT_BTF_BTF_INTERNAL_H
#define OBJECT_BTF_BTF_INTERNAL_H

#include "object/object.h"

/* From here on the types of a kind have an index of their names: see btf_find.c. */
#define SCANS_BEFORE_INDEX 8
#define KINDS (BTF_ENUM64 + 1)

/* One of the types of a kind: its name is here, too, because a search reads all of them. */
struct named {
	uint32_t at;   /* its offset in the types */
	uint32_t name; /* its name's offset in the strings */
};

struct name_slot {
	uint32_t hash;
	uint32_t nth; /* 1 + the place in of_kind.types; 0: free */
};

/* The types of one kind. */
struct of_kind {
	struct named *types; /* in their order; NULL if not listed yet */
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
	uint32_t *groups;      /* the offset of each GROUP_TYPES-th own type */
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

static inline uint32_t info_kind(uint32_t info)
{
	return info >> 24 & 0x1f;
}

/* btf_string(), for loops over names. */
static inline const char *btf_string_at(const struct btf *b, uint32_t offset)
{
	if (offset < b->first_string)
		return b->base ? btf_string(b->base, offset) : "";
	offset -= b->first_string;
	/* The section ends with a NUL: any place inside begins a string that ends. */
	return offset < b->strings.size ? (const char *)b->strings.data + offset : "";
}

/* btf.c: the offset of own type I; that of the type after the one at AT. */
#define GROUP_TYPES 16
size_t btf_offset(const struct btf *b, uint32_t i);
size_t btf_next(const struct btf *b, size_t at);

/* btf_find.c: what is known of names. */
void btf_names_free(struct of_kind *k);

#endif
