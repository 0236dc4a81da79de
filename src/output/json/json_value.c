/* SPDX-License-Identifier: BSD-2-Clause */
/* json_value - data of records and keys as JSON */
#include <string.h>

#include "output/json/json.h"
#include "symbol/code_names.h"
#include "symbol/symbol.h"

/* --- addresses ------------------------------------------------------------------------------ */

/* By which names can be found elsewhere, and later. */
static void place_in_file(struct writer *w, const struct symbol_name *name)
{
	if (!name->is_in_file)
		return;
	json_unsigned_member(w, "file_offset", name->file_offset);
	struct bytes id = symbol_build_id(name);
	if (!id.size)
		return;
	json_member(w, "build_id");
	json_hexadecimal(w, id.data, id.size);
}

/* The number of the mapping that NAME is in, for a stream. */
static void mapping_number(struct output *o, struct writer *w, struct writer *mapping,
			   const struct symbol_name *name)
{
	const char *module = symbol_module(name);
	struct bytes id = symbol_build_id(name);
	writer_puts(mapping, "{\"begin\":");
	json_address(mapping, name->mapping);
	if (name->mapping_end)
		json_address_member(mapping, "end", name->mapping_end);
	if (name->path)
		json_text_member(mapping, "path", name->path);
	if (module)
		json_text_member(mapping, "module", module);
	if (id.size) {
		json_member(mapping, "build_id");
		json_hexadecimal(mapping, id.data, id.size);
	}
	writer_putc(mapping, '}');
	json_member(w, "mapping");
	json_number_of_room(o, JSON_MAPPING, w);
	if (name->is_in_file)
		json_unsigned_member(w, "file_offset", name->file_offset);
}

/* As far as they are known, in each line. */
static void mapping_members(struct writer *w, const struct symbol_name *name)
{
	const char *module = symbol_module(name);
	if (module)
		json_text_member(w, "module", module);
	if (!name->name && name->mapping)
		json_address_member(w, "mapping", name->mapping);
	place_in_file(w, name);
}

/* An object that says what is at ADDRESS, as far as it is known; left open.  NAME NULL: unknown. */
static void address_open(struct output *o, struct writer *w, uint64_t address,
			 const struct symbol_name *name)
{
	struct writer *mapping = json_room(o, JSON_MAPPING);
	writer_puts(w, "{\"address\":");
	json_address(w, address);
	if (!name)
		return;
	if (name->name) {
		json_text_member(w, "symbol", name->name);
		json_unsigned_member(w, "offset", name->offset);
	}
	if (mapping && name->mapping)
		mapping_number(o, w, mapping, name);
	else
		mapping_members(w, name);
}

static void symbol(struct output *o, struct writer *w, const struct value *v)
{
	uint32_t tgid = 0;
	uint64_t address = value_address(v, &tgid);
	struct symbol_name name;
	address_open(o, w, address, address_name(o, tgid, address, &name) ? &name : NULL);
	if (value_is_user(v))
		json_unsigned_member(w, "pid", tgid);
	writer_putc(w, '}');
}

/* Where the thread was has no such member. */
static void found_by(struct writer *w, enum frame_how how)
{
	static const char *const names[] = {
		[FRAME_POINTER] = "pointer",
		[FRAME_TABLE] = "table",
		[FRAME_RETURNED] = "returned",
		[FRAME_SIGNAL] = "signal",
	};
	if (how >= ARRAY_SIZE(names) || !names[how])
		return;
	json_text_member(w, "found", names[how]);
}

static void json_place(struct writer *w, const struct source_place *p)
{
	if (!p->file)
		return;
	json_text_member(w, "file", p->file);
	json_unsigned_member(w, "line", (uint64_t)p->line);
}

static void inlined(struct output *o, struct writer *w, const struct source_place *p)
{
	struct symbol_name name = { .name = p->function };
	symbols_demangle(o->setup.symbols, &name);
	json_separate(w);
	writer_puts(w, "{\"symbol\":");
	json_text(w, name.name, strlen(name.name));
	json_place(w, p);
	writer_putc(w, '}');
}

/* "file" and "line" of the function with the symbol; "inlined", the innermost first. */
static void json_places(struct output *o, struct writer *w, const struct source_place *list,
			unsigned count)
{
	if (!count)
		return;
	json_place(w, &list[count - 1]);
	if (count == 1)
		return;
	json_list_member(w, "inlined");
	for (unsigned i = 0; i + 1 < count; i++)
		inlined(o, w, &list[i]);
	writer_putc(w, ']');
}

/* An empty object: a frame whose names are not known. */
static void interpreted_frame(struct output *o, struct writer *w, uint64_t word)
{
	struct code_place p;
	json_separate(w);
	if (!interpreted_place_of(o, word, &p)) {
		writer_puts(w, "{}");
		return;
	}
	writer_puts(w, "{\"function\":");
	json_text(w, p.function, strlen(p.function));
	if (p.file)
		json_text_member(w, "file", p.file);
	if (p.line)
		json_unsigned_member(w, "line", p.line);
	writer_putc(w, '}');
}

static void interpreted(struct output *o, struct writer *w, const struct value *v, uint64_t method,
			uint32_t from, uint32_t end)
{
	while (from < end && !interpreted_is_frame(value_word(v, from)))
		from++;
	if (from == end && !method)
		return;
	json_list_member(w, "interpreted");
	if (method)
		interpreted_frame(o, w, method);
	for (; from < end; from++)
		if (interpreted_is_frame(value_word(v, from)))
			interpreted_frame(o, w, value_word(v, from));
	writer_putc(w, ']');
}

/* A stack that is being written: the words of V, and how far its interpreter's frames are. */
struct shown_stack {
	struct output *o;
	const struct value *v;
	struct frames_shown f;
	struct interpreted_cursor cursor;
};

static void frame(struct shown_stack *s, struct writer *w, uint32_t i)
{
	struct source_place list[SOURCE_PLACES_MAX];
	struct symbol_name room;
	const struct symbol_name *name = stack_name(s->o, &s->f, s->v, i, &room);
	address_open(s->o, w, stack_address(&s->f, s->v, i), name);
	uint64_t method = interpreted_method_of(&s->f, s->v, i, &s->cursor);
	if (!method)
		interpreted_count_jit(s->o, &s->f, s->v, name);
	if (s->f.first && i > s->f.first)
		found_by(w, frame_how(value_word(s->v, i)));
	json_places(s->o, w, list, stack_places(s->o, &s->f, s->v, i, list));
	uint32_t from, end = interpreted_after(s->o, &s->f, s->v, i, &s->cursor, &from);
	interpreted(s->o, w, s->v, method, from, end);
	writer_putc(w, '}');
}

static void stack_write(struct shown_stack *s, struct writer *w)
{
	const struct frames_shown *f = &s->f;
	struct writer *one = json_room(s->o, JSON_FRAME);
	writer_puts(w, f->first ? "{\"ustack\":[" : "{\"stack\":[");
	for (uint32_t i = f->first; i < f->end; i++) {
		json_separate(w);
		frame(s, one ? one : w, i);
		if (one)
			json_number_of_room(s->o, JSON_FRAME, w);
	}
	writer_putc(w, ']');
	if (f->first)
		json_unsigned_member(w, "pid", f->tgid);
	if (f->ends_early)
		json_true_member(w, "truncated");
	if (f->knows_end)
		json_text_member(w, "ended", stack_end_row(f->ended)->name);
	writer_putc(w, '}');
}

static void stack(struct output *o, struct writer *w, const struct value *of)
{
	struct value whole = *of;
	struct shown_stack s = { .o = o, .v = &whole };
	s.f = stack_frames(o, &whole);
	s.cursor = interpreted_begin(o, &s.f, &whole);
	struct writer *one = json_room(o, JSON_STACK);
	stack_write(&s, one ? one : w);
	if (!one)
		return;
	writer_puts(w, s.f.first ? "{\"ustack\":" : "{\"stack\":");
	json_number_of_room(o, JSON_STACK, w);
	writer_putc(w, '}');
}

/* --- all ------------------------------------------------------------------------------------ */

/* Both, as a reader may want to compute. */
static void enumerator(struct output *o, struct writer *w, const struct value *v)
{
	writer_puts(w, "{\"enumerator\":");
	json_string(w, strbuf_text(&o->scratch));
	json_member(w, "number");
	json_integer_value(w, (uint64_t)value_integer(v), v->field->is_signed);
	writer_putc(w, '}');
}

void json_value(struct output *o, struct writer *w, const struct value *v)
{
	if (value_enumerator(o, v))
		enumerator(o, w, v);
	else if (v->field->kind == VALUE_INTEGER)
		json_integer_value(w, (uint64_t)value_integer(v), v->field->is_signed);
	else if (v->field->kind == VALUE_FLOAT)
		json_float(w, float_read(v->bytes, v->size, v->size), v->size);
	else if (value_is_stack(v))
		stack(o, w, v);
	else if (value_is_symbol(v))
		symbol(o, w, v);
	else if (value_is_text(v))
		json_text(w, v->bytes, v->size);
	else if (v->field->is_text)
		json_text(w, v->bytes, strnlen((const char *)v->bytes, v->size));
	else
		json_bytes(w, v->bytes, v->size);
}
