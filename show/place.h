/* SPDX-License-Identifier: BSD-2-Clause */
/* place - what the stream knows of a frame beside its name: its file, its line, its code */
#ifndef SHOW_PLACE_H
#define SHOW_PLACE_H

#include "show/frames.h"

struct tree;

/* Strings are the tree's, NULL if they are not known. */
struct place {
	const char *symbol, *module, *build_id, *file;
	uint64_t line;	  /* 0: not known */
	uint64_t address; /* of the call in a caller; 0: not known */
	uint64_t begin;	  /* address of the file's first byte, as far as it is mapped there */
	uint64_t index;	  /* of a key */
};

/* That of FRAME, owned by T. */
const struct place *place_read(struct tree *t, const struct seen_frame *frame);

/* An order of two places. */
int place_compare(const struct place *a, const struct place *b);

#endif
