/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names - lines of `-x oformat=stream` as those of `-x oformat=json` (docs/json.md)
 *
 * In a stream, probes, threads, frames and stacks are described once, and are numbers from then on.
 */
#ifndef SHOW_NAMES_H
#define SHOW_NAMES_H

#include <json-c/json.h>

#include "base/base.h"

struct names;

struct names *names_new(void);
void names_free(struct names *n);

/*
 * LINE, of TYPE, with what its numbers stand for in their places, and maybe of another type; lines
 * of JSON stay as they are.  NULL: it was a description.  LINE is ours, the result the caller's.
 */
struct json_object *names_expand(struct names *n, struct json_object *line, const char *type);

/*
 * What the first line says of the action that left ITEM, of a record's data; NULL: nothing, or the
 * stream is one of JSON.  Valid during the line.
 */
struct json_object *names_action(struct json_object *item);

/*
 * What a stream says of the thread that left RECORD, the same object for all its records until it
 * is said again; NULL: nothing.  Its userdata is the form's.  Valid during the line.
 */
struct json_object *names_thread(struct json_object *record);

uint64_t names_unknown(const struct names *n); /* numbers without a description, so far */

#endif
