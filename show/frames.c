/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/frames.h"

#include <string.h>

#include "show/value.h"

struct visit {
	frame_visit_fn *call;
	void *arg;
	struct strbuf name;
};

/* The function whose name is in V->name. */
static void frame_end(struct visit *v, enum frame_kind kind, size_t index,
		      struct json_object *frame)
{
	if (!v->name.len)
		strbuf_puts(&v->name, "[no name]");
	struct seen_frame seen = { kind, strbuf_text(&v->name), v->name.len, index, frame };
	v->call(v->arg, &seen);
	strbuf_clear(&v->name);
}

/* Frames that ran in the frame above, innermost first in LIST, each named by its MEMBER. */
static void visit_nested(struct visit *v, struct json_object *list, const char *member,
			 enum frame_kind kind)
{
	for (size_t i = value_count(list); i-- > 0;) {
		struct json_object *frame = json_object_array_get_idx(list, i);
		struct json_object *name = value_member(frame, member);
		if (name)
			value_text(name, &v->name);
		else
			strbuf_puts(&v->name, "[unknown]");
		frame_end(v, kind, i, frame);
	}
}

/* LIST has the innermost frame first. */
static void visit_list(struct visit *v, struct json_object *list, enum frame_kind kind)
{
	for (size_t i = value_count(list); i-- > 0;) {
		struct json_object *frame = json_object_array_get_idx(list, i);
		value_frame(frame, &v->name);
		frame_end(v, kind, i, frame);
		visit_nested(v, value_member(frame, "inlined"), "symbol", FRAME_INLINED);
		visit_nested(v, value_member(frame, "interpreted"), "function", FRAME_INTERPRETED);
	}
}

static void visit_user(struct visit *v, struct json_object *stack)
{
	if (value_member(stack, "truncated")) {
		strbuf_puts(&v->name, "[callers missing]");
		frame_end(v, FRAME_MISSING, 0, NULL);
	}
	visit_list(v, value_member(stack, "ustack"), FRAME_USER);
}

void frames_visit(struct json_object *stack, frame_visit_fn *visit, void *arg)
{
	struct visit v = { visit, arg };
	visit_user(&v, stack);
	visit_list(&v, value_member(stack, "stack"), FRAME_KERNEL);
	strbuf_deinit(&v.name);
}

void frames_visit_all(struct json_object *values, frame_visit_fn *visit, void *arg)
{
	struct visit v = { visit, arg };
	size_t count = value_count(values);
	for (size_t i = 0; i < count; i++) {
		struct json_object *key = json_object_array_get_idx(values, i);
		if (value_is_stack(key))
			continue;
		value_text(key, &v.name);
		frame_end(&v, FRAME_KEY, i, key);
	}
	for (size_t i = 0; i < count; i++)
		visit_user(&v, json_object_array_get_idx(values, i));
	for (size_t i = 0; i < count; i++)
		visit_list(&v, value_member(json_object_array_get_idx(values, i), "stack"),
			   FRAME_KERNEL);
	strbuf_deinit(&v.name);
}

/* --- as text --------------------------------------------------------------------------------- */

static void frame_line(void *arg, const struct seen_frame *frame)
{
	struct strbuf *lines = arg;
	struct json_object *file = value_member(frame->v, "file");
	strbuf_putc(lines, '\n');
	strbuf_add(lines, frame->name, frame->len);
	if (!file)
		return;
	strbuf_puts(lines, " (");
	value_text(file, lines);
	strbuf_putc(lines, ':');
	value_text(value_member(frame->v, "line"), lines);
	strbuf_putc(lines, ')');
}

void frames_text(struct json_object *stack, size_t most, struct strbuf *ret)
{
	auto_strbuf struct strbuf lines = { 0 };
	frames_visit(stack, frame_line, &lines);
	size_t end = lines.len;
	for (size_t count = 0; end && count < most; count++) {
		const char *line = memrchr(strbuf_text(&lines), '\n', end);
		size_t begin = (size_t)(line - strbuf_text(&lines));
		strbuf_puts(ret, count ? "\n" : "");
		strbuf_add(ret, line + 1, end - begin - 1);
		end = begin;
	}
	if (end)
		strbuf_puts(ret, "\n..");
}
