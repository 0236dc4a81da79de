/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_inlined - the entry probe of a function at its inlined copies
 *
 * A compiler that puts a function into its caller leaves no call there, and often no function.  For
 * a function that is named in full, the probe has an event at each copy, too; a pattern means
 * functions with code, and -x pidinline=off leaves copies out.  Copies that begin at one
 * instruction are a firing each.  A copy has no return.
 *
 * At a copy there is no calling convention: arg0, arg1 ... are where DWARF says that the copy's
 * parameters are at its first instruction; what is not there cannot be read, which is a fault.  So
 * the events are of the kind of static probes, whose arguments are wherever the compiler has them.
 *
 * DWARF names one place for a copy.  Where a loop is unrolled, or the first part of a copy has
 * moved out of the loop, that place runs less often than the function.
 */
#include "provider/process/pid.h"

#include <inttypes.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/message.h"
#include "object/dwarf/inlined.h"
#include "object/dwarf/parameter.h"
#include "object/frames/cfi.h"
#include "provider/process/pid_object.h"
#include "provider/provider.h"

/* Those of an object, by the function as it was named. */
struct pid_inlined {
	struct hash *by_name; /* -> struct inlined_copies */
	VECTOR(struct inlined_copies *) all;
};

/* An event of a probe: the copies that have their parameters at the same places. */
struct copies_event {
	struct event *event;
	VECTOR(struct event_site) sites;
};

#define COPY_ARGUMENTS (EVENT_ARGS - EVENT_COPY_ARGUMENT)

struct pid_copies {
	struct event_args own; /* of the function's own code, once args[] is asked for */
	VECTOR(struct copies_event *) events;
	const struct inlined_copy *first;
	struct strbuf note;
};

void pid_copies_free(struct pid_copies *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->events.count; i++) {
		vector_free(&c->events.items[i]->sites);
		free(c->events.items[i]);
	}
	vector_free(&c->events);
	strbuf_deinit(&c->note);
	free(c);
}

void pid_inlined_free(struct pid_inlined *i)
{
	if (!i)
		return;
	for (size_t k = 0; k < i->all.count; k++) {
		vector_free(&i->all.items[k]->list);
		free(i->all.items[k]);
	}
	vector_free(&i->all);
	hash_free(i->by_name);
	free(i);
}

static bool is_function_named(const void *function, const char *name)
{
	return pid_name_is(function, name);
}

/* The copies of FUNCTION, which is named in full; reading them takes a while, so once. */
static const struct inlined_copies *copies_named(struct pid_object *object, const char *function)
{
	if (!object->inlined) {
		object->inlined = mem_zalloc(sizeof(*object->inlined));
		object->inlined->by_name = hash_new();
	}
	void **place = hash_place(object->inlined->by_name, function, strlen(function));
	if (*place)
		return *place;
	struct inlined_copies *copies = mem_zalloc(sizeof(*copies));
	vector_push(&object->inlined->all, copies);
	*place = copies;
	struct debug_info *d = image_debug_info(object->image);
	if (d)
		inlined_find(d, is_function_named, function, copies);
	return copies;
}

/* --- arguments -------------------------------------------------------------------------------- */

struct frame_place pid_frame_at(const struct pid_object *object, uint64_t address)
{
	struct cfi_rule rule;
	bool is_known = cfi_cfa_at(image_frames(object->image), address, &rule) &&
			rule.kind == CFI_IN_REGISTER;
	if (!is_known)
		return (struct frame_place) { .is_known = false };
	return (struct frame_place) { true, (unsigned)rule.number, rule.offset };
}

/* The register of DWARF's number is at *RET of the context; false: it is not there. */
static bool context_register(const struct arch *arch, unsigned number, uint16_t *ret)
{
	if (number >= arch->dwarf_count)
		return false;
	*ret = arch->dwarf_registers[number];
	return true;
}

/* Its value is one number that an argument of an event can be; else its address may be one. */
static bool is_value(const struct variable_type *type)
{
	bool is_whole = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
	return is_whole && (type->is_scalar || type->is_struct);
}

static const struct arg_location unreadable = { .kind = ARG_UNREADABLE };

/* Where a value of TYPE that is at P is at SITE, an address; unless IS_VALUE its address. */
static struct arg_location location_of(const struct arch *arch, const struct parameter_place *p,
				       uint64_t site, const struct variable_type *type,
				       bool is_value)
{
	struct arg_location ret = { .base = arch->pc, .index = ARG_NO_REGISTER };
	bool has_register = p->kind == PARAMETER_REGISTERS || p->kind == PARAMETER_MEMORY ||
			    p->kind == PARAMETER_SUM;
	if (has_register && !context_register(arch, p->registers[0], &ret.base))
		return unreadable;
	if (is_value) {
		ret.size = type->size == 8 ? 0 : (uint8_t)type->size;
		ret.is_signed = type->is_signed;
	}
	ret.value = has_register ? p->offset : p->value - (int64_t)site;
	if (p->of_entry && p->kind == PARAMETER_MEMORY)
		return unreadable;
	switch (p->kind) {
	case PARAMETER_MEMORY:
	case PARAMETER_STATIC:
		ret.kind = is_value ? ARG_USER_MEMORY : ARG_USER_ADDRESS;
		return ret;
	case PARAMETER_SUM:
		if (p->of_entry) {
			ret.kind = ARG_ENTRY_REGISTER;
			return is_value ? ret : unreadable;
		}
		/* fall through */
	case PARAMETER_ADDRESS:
		ret.kind = ARG_USER_ADDRESS;
		return is_value && type->size == 8 ? ret : unreadable;
	case PARAMETER_CONSTANT:
		ret = (struct arg_location) { .kind = ARG_CONSTANT, .value = p->value };
		return is_value ? ret : unreadable;
	case PARAMETER_REGISTERS:
		ret.kind = ARG_CONTEXT;
		ret.value = ret.base;
		ret.base = ret.index = 0;
		return is_value && p->count == 1 ? ret : unreadable;
	default:
		return unreadable;
	}
}

static void parameter_locations(struct pid_object *object, const struct inlined_copy *copy,
				const struct parameter_entry *parameter, unsigned index,
				struct event_args *ret)
{
	const struct arch *arch = pid_arch(pid_object_elf(object));
	Dwarf_Die entry = parameter->entry, within = copy->within;
	const struct frame_place cfa = pid_frame_at(object, copy->address);
	const struct arg_location frame = pid_frame_location(object, &cfa);
	if (parameter->is_missing)
		return;
	struct variable_type type = variable_type(&entry);
	struct parameter_place p = variable_place(&within, &entry, copy->address, &cfa);
	pid_place_at_entry(object, copy->address, &p);
	struct arg_location at = location_of(arch, &p, copy->address, &type, is_value(&type));
	if (at.kind == ARG_ENTRY_REGISTER && frame.kind == ARG_UNREADABLE)
		at = unreadable;
	else if (at.kind == ARG_ENTRY_REGISTER)
		ret->arg[EVENT_FRAME] = frame;
	ret->arg[EVENT_COPY_ARGUMENT + index] = at;
	if (type.is_scalar)
		ret->arg[index] = at;
}

static struct event_args copy_arguments(struct pid_object *object, const struct inlined_copy *copy)
{
	struct event_args ret;
	parameter_entries parameters = { 0 };
	Dwarf_Die entry = copy->entry;
	for (unsigned i = 0; i < EVENT_ARGS; i++)
		ret.arg[i] = unreadable;
	ret.arg[EVENT_FRAME] = (struct arg_location) { .kind = ARG_FRAME };
	size_t count = parameter_list(&entry, &parameters) ? parameters.count : 0;
	for (unsigned i = 0; i < COPY_ARGUMENTS && i < count; i++)
		parameter_locations(object, copy, &parameters.items[i], i, &ret);
	vector_free(&parameters);
	return ret;
}

/* --- events ----------------------------------------------------------------------------------- */

/* The event of P whose arguments are at ARGS. */
static struct copies_event *event_of_copies(struct probe_db *db, struct probe *p,
					    struct pid_copies *c, const struct event_args *args)
{
	for (size_t i = 0; i < c->events.count; i++)
		if (memcmp(c->events.items[i]->event->args, args, sizeof(*args)) == 0)
			return c->events.items[i];
	struct copies_event *e = mem_zalloc(sizeof(*e));
	e->event = probe_db_add_event(db, p, EVENT_STATIC_PROBE, args);
	vector_push(&c->events, e);
	return e;
}

static void copy_note(struct strbuf *out, struct pid_object *object,
		      const struct inlined_copy *copy)
{
	const struct elf_symbol *f = elf_file_symbol_at(pid_object_elf(object), copy->address);
	strbuf_printf(out, "%sinlined at ", out->len ? "\n" : "");
	if (f)
		strbuf_printf(out, "%s+%" PRIx64, f->name, copy->address - f->address);
	else
		strbuf_printf(out, "%" PRIx64, copy->address);
	if (copy->place.file)
		strbuf_printf(out, ", %s:%d", path_base_name(copy->place.file), copy->place.line);
	if (copy->place.function)
		strbuf_printf(out, ", as a part of %s", copy->place.function);
}

static void copy_make(struct pid_search *s, struct pid_object *object, struct probe *p,
		      const struct inlined_copy *copy)
{
	struct pid_copies *c = ((struct pid_probe *)p->data)->copies;
	struct event_site site = { 0 };
	const char *danger = pid_place_danger(object, copy->address, &site.at);
	if (danger) {
		s->danger = danger;
		s->danger_tag = D_PROC_CREATEFAIL;
		message_loss("a copy of %s, inlined in %s, cannot be probed: %s", copy->function,
			     object->module, danger);
		return;
	}
	const struct event_args args = copy_arguments(object, copy);
	struct copies_event *e = event_of_copies(s->db, p, c, &args);
	site.semaphore = image_semaphore(object->image, site.at);
	vector_push(&e->sites, site);
	e->event->code = pid_object_code(object);
	e->event->code.sites = e->sites.items;
	e->event->code.site_count = (uint32_t)e->sites.count;
	copy_note(&c->note, object, copy);
	if (!c->first)
		c->first = copy;
}

/* The copies that have P's name. */
static void copies_make(struct pid_search *s, struct pid_object *object, struct probe *p,
			const struct inlined_copies *copies)
{
	struct pid_probe *data = p->data;
	if (!data->copies) {
		data->copies = mem_zalloc(sizeof(*data->copies));
		for (size_t i = 0; i < copies->list.count; i++)
			if (string_equal(copies->list.items[i].function, p->function))
				copy_make(s, object, p, &copies->list.items[i]);
		p->note = data->copies->note.len ? strbuf_text(&data->copies->note) : NULL;
	}
	for (size_t i = 0; i < data->copies->events.count; i++)
		s->sites += data->copies->events.items[i]->sites.count;
}

static bool is_first_of_name(const struct inlined_copies *copies, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (string_equal(copies->list.items[i].function,
				 copies->list.items[index].function))
			return false;
	return true;
}

static void entries_make(struct pid_search *s, struct pid_object *object,
			 const struct inlined_copies *copies)
{
	for (size_t i = 0; i < copies->list.count; i++) {
		struct probe *p =
			is_first_of_name(copies, i)
				? pid_probe_take(s, object, copies->list.items[i].function, "entry")
				: NULL;
		if (p)
			copies_make(s, object, p, copies);
	}
}

/* --- args[] ----------------------------------------------------------------------------------- */

/* A of the function's own code, as the copies have it. */
static struct arg_location own_location(const struct probe_argument *a, bool is_value)
{
	struct arg_location ret = { .index = ARG_NO_REGISTER };
	uint32_t size = type_size(a->type);
	const struct probe_word *w = a->in_memory ? &a->base : &a->words[0];
	if (a->problem || (is_value && a->by_address) || (!is_value && !a->in_memory))
		return unreadable;
	ret.base = (uint16_t)(w->value * 8);
	ret.value = a->offset;
	if (is_value && a->in_memory) {
		ret.kind = ARG_USER_MEMORY;
		ret.size = size == 8 ? 0 : (uint8_t)size;
	} else if (is_value && w->kind == WORD_CONSTANT) {
		ret = (struct arg_location) { .kind = ARG_CONSTANT, .value = w->value };
	} else if (is_value) {
		ret = (struct arg_location) { .kind = ARG_CONTEXT, .value = w->value * 8 };
	} else {
		ret.kind = a->by_address ? ARG_USER_MEMORY : ARG_USER_ADDRESS;
	}
	return ret;
}

static bool any_copy_has(const struct pid_copies *c, unsigned index)
{
	for (size_t i = 0; i < c->events.count; i++)
		if (c->events.items[i]->event->args->arg[index].kind != ARG_UNREADABLE)
			return true;
	return false;
}

/* A, number I, which has its place in the function's own code, if there is any: in all of them. */
static void argument_join(struct pid_copies *c, struct probe_argument *a, unsigned i)
{
	const struct type *type = type_resolve(a->type);
	const struct variable_type t = { .size = type_size(type),
					 .is_scalar =
						 type_is_scalar(type) && type->kind != TYPE_FLOAT,
					 .is_struct = type_is_struct(type) };
	bool by_value = is_value(&t);
	struct probe_argument joined = { .name = a->name, .type = a->type, .word = 8 };
	const struct probe_word word = { WORD_ARGUMENT, EVENT_COPY_ARGUMENT + i };
	if (i >= COPY_ARGUMENTS)
		joined.problem = "is the tenth or a later one of a function with inlined copies";
	else if (!by_value && !a->problem && !a->in_memory)
		joined.problem = "is in several registers, but elsewhere in inlined copies (-x "
				 "pidinline=off leaves these out)";
	if (!joined.problem)
		c->own.arg[word.value] = own_location(a, by_value);
	if (!joined.problem && a->problem && !any_copy_has(c, (unsigned)word.value))
		joined.problem = a->problem;
	joined.in_memory = !by_value;
	joined.count = by_value;
	joined.base = joined.words[0] = word;
	*a = joined;
}

static void list_of_copy(struct types *t, const struct pid_copies *c,
			 const struct pid_object *object, struct probe_args *ret)
{
	const struct object_function *f =
		types_inlined_function(t, image_debug_info(object->image), c->first);
	struct probe_argument *list = mem_zalloc(((f ? f->count : 0) + 1) * sizeof(*list));
	for (unsigned i = 0; f && i < f->count; i++) {
		list[i].name = f->parameters[i].name;
		list[i].type = f->parameters[i].type;
		list[i].problem = "was optimized away";
	}
	ret->list = list;
	ret->count = f ? f->count : 0;
}

void pid_copies_arguments(struct types *t, const struct probe *probe, struct probe_args *args)
{
	const struct pid_probe *p = probe->data;
	if (!args->list)
		list_of_copy(t, p->copies, p->object, args);
	struct event *own = &probe->events->event;
	p->copies->own = *own->args;
	for (unsigned i = 0; i < args->count; i++)
		argument_join(p->copies, (struct probe_argument *)&args->list[i], i);
	if (event_is_function_entry(own->kind))
		own->args = &p->copies->own;
}

/* --- searches --------------------------------------------------------------------------------- */

/* Returns and offsets are those of the function's own code. */
static void copies_refuse(struct pid_search *s, struct pid_object *object,
			  const struct inlined_copies *copies, bool has_code)
{
	size_t count = copies->list.count;
	if (has_code && s->leave && !probe_db_lists(s->db))
		message_loss("%s:return of %s is at the function's own code: %zu inlined cop%s no "
			     "return",
			     s->desc->function, object->module, count,
			     count == 1 ? "y has" : "ies have");
	if (has_code || s->entry)
		return;
	s->danger = "the compiler has left only inlined copies of it, which have an entry alone";
	s->danger_tag = D_PROC_CREATEFAIL;
}

void pid_inlined_search(struct pid_search *s, struct pid_object *object)
{
	bool has_code = s->sites > s->sites_before || s->danger;
	bool leaves_out = probe_db_settings(s->db)->without_copies;
	if (has_code && leaves_out)
		return;
	const struct inlined_copies *copies = copies_named(object, s->desc->function);
	if (!copies->list.count && copies->is_known)
		s->inlined = "the compiler has inlined it, and left no code of it";
	if (copies->list.count && leaves_out)
		s->inlined = "it has only inlined copies, which -x pidinline=off leaves out";
	if (!copies->list.count || leaves_out)
		return;
	if (s->entry)
		entries_make(s, object, copies);
	if (s->leave || s->inside)
		copies_refuse(s, object, copies, has_code);
}
