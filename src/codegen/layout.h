/* SPDX-License-Identifier: BSD-2-Clause */
/* layout - what the files that decide sizes and places share, before any code; see gen.h */
#ifndef CODEGEN_LAYOUT_H
#define CODEGEN_LAYOUT_H

#include "codegen/gen.h"

/*
 * One component of an aggregation's key over all its uses.  If it is a probe name here and
 * another string there it is kept as text everywhere; otherwise four bytes, the probe's id,
 * stand for it.  Stacks have room for the longest, strings for the longest that can come.
 */
struct component {
	const struct texpr *sample; /* the first use, for what types do not tell; NULL: none */
	bool is_mixed;		    /* not the same probe name everywhere */
	uint32_t frames, bound;
};

/* --- survey.c --- */
/* The walk.  The answer is the bytes of alloca memory that constant sizes take. */
uint32_t survey(struct gen *g);
/* For COUNT components, made when *PLACE is NULL. */
uint32_t *bounds_of(struct gen *g, uint32_t **place, unsigned count);
bool is_probe_name(const struct texpr *e);

/* --- look.c, for the survey --- */
/* VALUE was assigned, NULL: what nobody knows. */
void look_assigned(struct gen *g, const struct texpr *target, const struct texpr *value);
/* What follows is reached only if the condition E HOLDS, or does not. */
void condition_enter(struct gen *g, const struct texpr *e, bool holds);
void condition_leave(struct gen *g);
/* E reads user memory; SIZE bytes at the address E are read. */
void look_at_read(struct gen *g, const struct texpr *e);
void look_at_bytes(struct gen *g, const struct texpr *e, uint32_t size);

/* --- layout.c --- */
uint32_t aligned_to(uint32_t offset, uint32_t size);
/* A component: its kind and size.  BOUND is of strings; SAMPLE may be NULL. */
struct value_field key_field(const struct type *type, const struct texpr *sample, uint32_t bound);
/*
 * Places for the fields of a key, and the map that it is a key of: M has kind, name, value size
 * and shards, and gets the rest.  ROOM bytes are there for all elements of each shard.
 */
struct key_place {
	int map;
	uint32_t size, id;
	uint32_t shard_offset; /* 0: elements are not told apart */
};
struct key_place place_key(struct gen *g, struct value_field *fields, unsigned count,
			   struct map_layout m, bool has_shard, uint64_t room);

/* --- layout_aggregation.c --- */
void layout_aggregation(struct gen *g, struct aggregation *a, struct aggregation_layout *ret);

#endif
