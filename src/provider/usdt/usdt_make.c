/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt_make - a note of a static probe to a site of a probe, with its arguments */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "provider/process/pid.h"
#include "provider/process/pid_object.h"
#include "provider/provider.h"
#include "provider/usdt/usdt.h"

#define PROVIDER_NAME_MOST 64 /* bytes, with the NUL: DTRACE_PROVNAMELEN */

const char *usdt_provider_name(const struct usdt_note *note)
{
	return *note->provider ? note->provider : "usdt";
}

static struct usdt_probe *usdt_probe_new(struct pid_object *object, const struct usdt_note *note)
{
	struct usdt_probe *p = mem_zalloc(sizeof(*p));
	p->object = object;
	object->probes++;
	p->raw_name = mem_strdup(note->name);
	p->raw_provider = mem_strdup(usdt_provider_name(note));
	p->args.types = p->types;
	return p;
}

void usdt_probe_free(void *probe)
{
	struct usdt_probe *p = probe;
	p->object->probes--;
	for (size_t i = 0; i < p->events.count; i++)
		vector_free(&p->events.items[i].sites);
	for (unsigned i = 0; i < OPERANDS_MOST; i++)
		free(p->unreadable[i]);
	vector_free(&p->events);
	free(p->raw_name);
	free(p->raw_provider);
	free(p);
}

/* --- arguments -------------------------------------------------------------------------------- */

/*
 * The place of a symbol is known from where the thread is, which is the site: so wherever the file
 * is mapped, the distance is the same.
 */
static bool symbol_place(struct elf_file *elf, const struct operand *o, uint64_t site,
			 struct arg_location *ret)
{
	auto_free char *name = mem_strndup(o->symbol, o->symbol_length);
	const struct elf_symbol *symbol = elf_file_symbol_sole(elf, name);
	bool is_relative = o->base == OPERAND_NO_REGISTER || o->base == pid_arch(elf)->pc;
	if (!symbol || !is_relative || o->index != OPERAND_NO_REGISTER)
		return false;
	ret->base = pid_arch(elf)->pc;
	ret->value = o->value + (int64_t)(symbol->address - site);
	return true;
}

/* Where the operand O of the note at SITE is when the probe fires. */
static struct arg_location operand_place(struct elf_file *elf, const struct operand *o,
					 uint64_t site)
{
	struct arg_location ret = { .value = o->value,
				    .size = o->size == 8 ? 0 : o->size,
				    .is_signed = o->is_signed };
	switch (o->kind) {
	case OPERAND_CONSTANT:
		return (struct arg_location) { .kind = ARG_CONSTANT, .value = o->value };
	case OPERAND_REGISTER:
		ret.kind = ARG_CONTEXT;
		ret.value = o->base;
		return ret;
	case OPERAND_MEMORY:
		ret.kind = ARG_USER_MEMORY;
		ret.shift = o->shift;
		ret.base = o->base;
		ret.index = o->index;
		if (!o->symbol || symbol_place(elf, o, site, &ret))
			return ret;
		break;
	case OPERAND_UNREADABLE:
		break;
	}
	return (struct arg_location) { .kind = ARG_UNREADABLE };
}

/* The operand O, and why it cannot be read if we know. */
static char *unreadable_text(struct elf_file *elf, const struct operand *o)
{
	auto_free char *text = mem_strndup(o->text, o->text_length);
	if (o->kind != OPERAND_MEMORY || !o->symbol)
		return take(text);
	auto_free char *name = mem_strndup(o->symbol, o->symbol_length);
	struct elf_named named = elf_file_named(elf, name);
	const char *why = elf_file_symbol_sole(elf, name) ? "is not used as we can follow it"
			  : elf_named_next(&named)
				  ? "means several places in the file"
				  : "is not in the file (stripped, or a label of the compiler's)";
	return mem_printf("%s: the symbol %s %s", text, name, why);
}

/* A type that has the values of all sites, each extended by its own sign. */
static void argument_add(struct usdt_argument *a, const struct operand *o)
{
	if (!a->size) {
		a->size = o->size;
		a->is_signed = o->is_signed;
		a->is_float = o->is_float;
		return;
	}
	bool differs = a->is_signed != o->is_signed || a->is_float != o->is_float;
	a->size = differs ? 8 : MAX(a->size, o->size);
	a->is_signed |= o->is_signed;
	a->is_float &= o->is_float;
}

static const char *operand_type(const struct usdt_argument *a)
{
	static const char *const names[][4] = {
		{ "uint8_t", "uint16_t", "uint32_t", "uint64_t" },
		{ "int8_t", "int16_t", "int32_t", "int64_t" },
	};
	return names[a->is_signed][__builtin_ctz(a->size)];
}

static struct event_args site_arguments(struct usdt_probe *p, struct elf_file *elf,
					const struct usdt_note *note)
{
	struct operand operands[OPERANDS_MOST];
	struct event_args args;
	memset(&args, 0, sizeof(args));
	unsigned count = operands_parse(pid_arch(elf), note->operands, operands);
	for (unsigned i = 0; i < count && i < EVENT_ARGS; i++) {
		args.arg[i] = operand_place(elf, &operands[i], note->site);
		if (args.arg[i].kind != ARG_UNREADABLE)
			free(take(p->unreadable[i]));
		else if (!p->arguments[i].size)
			p->unreadable[i] = unreadable_text(elf, &operands[i]);
		argument_add(&p->arguments[i], &operands[i]);
	}
	for (unsigned i = 0; i < OPERANDS_MOST; i++)
		p->types[i] = p->arguments[i].size ? operand_type(&p->arguments[i]) : NULL;
	return args;
}

/* --- sites ------------------------------------------------------------------------------------ */

/* Of a probe, with what distinguishes its sites or events; bytes to compare. */
struct site_key {
	uint64_t probe, at;
};
struct event_key {
	uint64_t probe;
	struct event_args args;
};

static struct hash *made(struct hash **h)
{
	if (!*h)
		*h = hash_new();
	return *h;
}

/* False: P, of OBJECT, has the site already. */
static bool is_new_site(struct pid_object *object, const struct probe *p, uint64_t at)
{
	const struct site_key key = { p->id, at };
	void **place = hash_place(made(&object->usdt_sites), &key, sizeof(key));
	bool is_new = !*place;
	*place = object;
	return is_new;
}

/* The event of P whose arguments are at ARGS. */
static struct usdt_event *site_event(struct probe_db *db, struct probe *probe,
				     const struct event_args *args)
{
	struct usdt_probe *p = probe->data;
	const struct event_key key = { probe->id, *args };
	void **place = hash_place(made(&p->object->usdt_events), &key, sizeof(key));
	if (!*place) {
		struct event *event = probe_db_add_event(db, probe, EVENT_STATIC_PROBE, args);
		vector_push(&p->events, ((struct usdt_event) { .event = event }));
		*place = (void *)(uintptr_t)p->events.count;
	}
	return &p->events.items[(uintptr_t)*place - 1];
}

static void usdt_site_add(struct probe_db *db, struct probe *probe, const struct usdt_note *note,
			  struct event_site site)
{
	struct usdt_probe *p = probe->data;
	struct event_args args = site_arguments(p, pid_object_elf(p->object), note);
	struct usdt_event *e = site_event(db, probe, &args);
	vector_push(&e->sites, site);
	e->event->code = pid_object_code(p->object);
	e->event->code.sites = e->sites.items;
	e->event->code.site_count = (uint32_t)e->sites.count;
}

/* --- probes ----------------------------------------------------------------------------------- */

char *usdt_shown_name(const char *raw)
{
	char *name = mem_strdup(raw);
	probe_name_hyphenate(name);
	return name;
}

static struct pid_object *object_of(const struct probe *p)
{
	return ((const struct usdt_probe *)p->data)->object;
}

/* The names' probe in OBJECT; they may have been another file's, of a program before exec. */
static struct probe *probe_take(struct probe_db *db, struct pid_object *object,
				const struct usdt_note *note, const char *function)
{
	auto_free char *provider =
		object->pid ? mem_printf("%s%d", usdt_provider_name(note), object->pid)
			    : mem_strdup(usdt_provider_name(note));
	auto_free char *name = usdt_shown_name(note->name);
	struct probe *last =
		probe_db_add(db, &provider_usdt, provider, object->module, function, name);
	for (struct probe *p = last; p; p = p->before)
		if (p->data && object_of(p) == object)
			return p;
	if (last->data)
		last = probe_db_succeed(db, last);
	struct usdt_probe *data = usdt_probe_new(object, note);
	last->data = data;
	last->args = &data->args;
	last->unreadable = (const char *const *)data->unreadable;
	return last;
}

/* pid1234 is the pid provider's; after a digit nobody knows where a process's number begins. */
static bool is_possible_provider(const char *name)
{
	size_t len = strlen(name);
	return !string_equal(name, "pid") && len < PROVIDER_NAME_MOST &&
	       !isdigit((unsigned char)name[len - 1]);
}

/* Why the note's site cannot be probed; NULL: it can, *RET. */
static const char *site_of(struct pid_object *object, const struct usdt_note *note,
			   struct event_site *ret)
{
	struct elf_file *elf = image_elf(object->image);
	*ret = (struct event_site) { 0 };
	if (!is_possible_provider(usdt_provider_name(note)))
		return "no provider can have the name that its note has";
	if (!pid_site_exact(elf, note->site, &ret->at))
		return "there is no instruction at its site that the kernel can probe";
	if (note->semaphore && !usdt_is_countable(elf, note->semaphore, &ret->semaphore))
		return "its semaphore is not where the kernel can count";
	return pid_red_zone_danger(object, note->site);
}

const char *usdt_note_function(struct pid_object *object, const struct usdt_note *note)
{
	const struct elf_symbol *symbol = elf_file_symbol_at(pid_object_elf(object), note->site);
	return symbol && symbol->is_function ? symbol->name : "";
}

const char *usdt_note_make(struct probe_db *db, struct pid_object *object,
			   const struct usdt_note *note)
{
	struct event_site site;
	const char *why = site_of(object, note, &site);
	if (!image_path(object->image))
		why = "its file no longer exists";
	if (why)
		return why;
	struct probe *probe = probe_take(db, object, note, usdt_note_function(object, note));
	if (is_new_site(object, probe, site.at))
		usdt_site_add(db, probe, note, site);
	return NULL;
}
