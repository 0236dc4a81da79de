/* SPDX-License-Identifier: BSD-2-Clause */
/* frames - the functions of a call stack, by their names */
#ifndef SHOW_FRAMES_H
#define SHOW_FRAMES_H

#include <json-c/json.h>

#include "base/base.h"

enum frame_kind {
	FRAME_ALL,
	FRAME_KEY,	   /* a key of the aggregation that is no stack */
	FRAME_MISSING,	   /* callers that are not known */
	FRAME_USER,	   /* a function of a process */
	FRAME_INLINED,	   /* into its parent */
	FRAME_INTERPRETED, /* run by its parent: Python, Java */
	FRAME_KERNEL,
	FRAME_KINDS
};

/* A function that is visited; all is valid during the call. */
struct seen_frame {
	enum frame_kind kind;
	const char *name; /* of LEN bytes, and a NUL */
	size_t len;
	size_t index;	       /* in its list: of keys, or of frames, 0: the innermost */
	struct json_object *v; /* what the stream says of it, NULL: nothing */
};

typedef void frame_visit_fn(void *arg, const struct seen_frame *frame);

/* Visit the functions of the stack V, outermost first; none if it is no stack. */
void frames_visit(struct json_object *v, frame_visit_fn *visit, void *arg);

/*
 * Visit all that VALUES, the key of a row, say about where: first those that are no stacks, then
 * the functions of the process, then those of the kernel.
 */
void frames_visit_all(struct json_object *values, frame_visit_fn *visit, void *arg);

/*
 * The stack V as lines, added to RET: the innermost MOST frames, innermost first, with file and
 * line if they are known; ".." if there are more.
 */
void frames_text(struct json_object *v, size_t most, struct strbuf *ret);

#endif
