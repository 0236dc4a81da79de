/* SPDX-License-Identifier: BSD-2-Clause */
/* pid_make - the probes of one function: entry, return, instructions */
#include <stdio.h>

#include "base/diagnostic.h"
#include "provider/process/pid.h"
#include "provider/process/pid_code.h"
#include "provider/process/pid_object.h"
#include "provider/provider.h"

/* clang-format off */
static const struct event_args entry_args = {
	.arg = {
		{ ARG_FUNCTION_ARGUMENT, .value = 0 }, { ARG_FUNCTION_ARGUMENT, .value = 1 },
		{ ARG_FUNCTION_ARGUMENT, .value = 2 }, { ARG_FUNCTION_ARGUMENT, .value = 3 },
		{ ARG_FUNCTION_ARGUMENT, .value = 4 }, { ARG_FUNCTION_ARGUMENT, .value = 5 },
		{ ARG_FUNCTION_ARGUMENT, .value = 6 }, { ARG_FUNCTION_ARGUMENT, .value = 7 },
		{ ARG_FUNCTION_ARGUMENT, .value = 8 }, { ARG_FUNCTION_ARGUMENT, .value = 9 },
		[EVENT_FRAME] = { ARG_FRAME },
	},
};
/* clang-format on */

/* Which instruction returns is not known to a return probe of the kernel: arg0 is -1. */
static const struct event_args return_args = {
	.arg = { { ARG_CONSTANT, .value = -1 },
		 { ARG_FUNCTION_RESULT },
		 [EVENT_FRAME] = { ARG_FRAME } },
};

/* Returns by their instructions; at others both mean nothing in particular. */
static const struct event_args inside_args = {
	.arg = { { ARG_SITE_OFFSET }, { ARG_FUNCTION_RESULT }, [EVENT_FRAME] = { ARG_FRAME } },
};

/*
 * Programs of 32 bits pass arguments on the stack and have results in 4 bytes: pointers are whole,
 * negative numbers are to be cast.
 */
static struct arg_location narrow_place(const struct arch *a, struct arg_location at)
{
	if (at.kind == ARG_FUNCTION_ARGUMENT)
		return (struct arg_location) {
			.kind = ARG_USER_MEMORY,
			.size = (uint8_t)a->word,
			.base = a->stack_pointer,
			.index = ARG_NO_REGISTER,
			.value = a->stack_argument + at.value * a->word,
		};
	if (at.kind == ARG_FUNCTION_RESULT)
		return (struct arg_location) {
			.kind = ARG_CONTEXT,
			.size = (uint8_t)a->word,
			.value = a->result,
		};
	return at;
}

/* ARGS, one of the three above, in the code of OBJECT. */
static const struct event_args *args_in(const struct pid_object *object,
					const struct event_args *args)
{
	unsigned which = args == &entry_args ? 0 : args == &return_args ? 1 : 2;
	struct event_args *ret = &object->table->narrow_args[which];
	struct elf_file *elf = pid_object_elf(object);
	const struct arch *a = pid_arch(elf);
	if (a == arch_host() && !elf_file_is_go(elf))
		return args;
	if (a == arch_host()) {
		ret = &object->table->go_args[which];
		*ret = *args;
		ret->arg[EVENT_FRAME] =
			(struct arg_location) { ARG_FRAME_OF_GO, .base = a->goroutine };
		return ret;
	}
	for (unsigned i = 0; i < EVENT_ARGS; i++)
		ret->arg[i] = narrow_place(a, args->arg[i]);
	if (args == &return_args) /* its return address is shorter */
		ret->arg[EVENT_FRAME].value = arch_host()->stack_argument - a->stack_argument;
	return ret;
}

bool process_site_returns(const struct probe *leave, size_t site)
{
	const struct event *e = &leave->events->event;
	const struct event_site *s = &e->code.sites[site];
	return event_is_return(e->kind) || s->role < SITE_LOOKUP || s->of_destination;
}

/* The provider of the probes that are made: those of every process have no number. */
static const char *probe_provider_name(const struct pid_search *s)
{
	return s->of_every_process ? "pid" : s->desc->provider;
}

/*
 * The names' probe in OBJECT.  They may have been another file's: of a program before exec, or of
 * another process.
 */
static struct probe *name_take(const struct pid_search *s, const struct pid_object *object,
			       const char *function, const char *name)
{
	struct probe *last = probe_db_add(s->db, &provider_pid, probe_provider_name(s),
					  object->module, function, name);
	for (struct probe *p = last; p; p = p->before)
		if (p->data && pid_object_of(p) == object)
			return p;
	if (!last->data)
		return last;
	bool hides = pid_object_of(last)->is_mapped && !s->of_every_process &&
		     !pid_is_followed(object->table, s->pid);
	return hides ? last : probe_db_succeed(s->db, last);
}

struct probe *pid_probe_take(struct pid_search *s, struct pid_object *object, const char *function,
			     const char *name)
{
	if (!image_path(object->image)) {
		pid_leave_out(s, object, function, "its file no longer exists", true);
		return NULL;
	}
	struct probe *p = name_take(s, object, function, name);
	if (!p->data)
		p->data = pid_probe_new(object);
	if (pid_object_of(p) != object) {
		log_debug("pid: a second %s hides %s", object->module, function);
		return NULL;
	}
	object->has_probes = true;
	p->is_named |= s->function_is_plain && *s->desc->name && glob_is_plain(s->desc->name);
	return p;
}

struct probe *pid_probe_make(struct pid_search *s, struct pid_object *object, const char *function,
			     const char *name, struct event_site site)
{
	struct probe *p = pid_probe_take(s, object, function, name);
	if (!p)
		return NULL;
	if (!p->events)
		probe_db_add_event(s->db, p, EVENT_FUNCTION_INSIDE, args_in(object, &inside_args));
	struct pid_probe *data = p->data;
	site.semaphore = image_semaphore(object->image, site.at);
	pid_probe_add_site(data, site, s->named_at);
	struct event_code *code = &p->events->event.code;
	*code = pid_object_code(object);
	code->sites = data->sites.items;
	code->site_count = (uint32_t)data->sites.count;
	s->sites += s->of_every_process || !site.of_destination;
	return p;
}

static struct event_site site_in(const struct pid_object *object, const struct elf_symbol *function)
{
	struct event_site site = { .function_size = (uint32_t)function->size };
	elf_file_offset(pid_object_elf(object), function->address, &site.function);
	return site;
}

/* Static functions of one name are one probe with several sites. */
static void whole_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *function, const char *name, uint64_t at)
{
	struct event_site site = site_in(object, function);
	site.at = at;
	struct probe *p = pid_probe_make(s, object, function->name, name, site);
	if (!p)
		return;
	bool is_entry = name[0] == 'e';
	struct event *event = &p->events->event;
	enum event_kind kind = is_entry ? EVENT_FUNCTION_ENTRY : EVENT_FUNCTION_RETURN;
	if (event->kind != kind) /* else it may have places of its own (pid_inlined.c) */
		event->args = args_in(object, is_entry ? &entry_args : &return_args);
	event->kind = kind;
}

static void function_refuse(struct pid_search *s, const struct pid_object *object,
			    const char *function, int tag, const char *why)
{
	s->danger = why;
	s->danger_tag = tag;
	s->exits_unknown = false;
	log_debug("pid: no probe on %s of %s: %s", function, object->module, why);
}

void pid_leave_out(const struct pid_search *s, const struct pid_object *object,
		   const char *function, const char *why, bool by_name)
{
	const struct probe_desc d = { probe_provider_name(s), object->module, function, "" };
	probe_db_leave_out(s->db, &d, why, by_name);
}

/* --- exits --- */

static const char *exits_find(const struct pid_search *s, struct pid_object *object,
			      const struct elf_symbol *symbol, site_vector *ret)
{
	bool fast = probe_db_settings(s->db)->only_emulated && !s->function_is_plain;
	return pid_exits(object, symbol, fast, ret);
}

/* Which of P's jumps lead to code that is not followed. */
static void note_jumps(struct probe *p)
{
	struct pid_probe *data = p->data;
	auto_strbuf struct strbuf text = { 0 };
	bool any = false;
	for (size_t i = 0; i < data->sites.count; i++) {
		const struct event_site *s = &data->sites.items[i];
		bool is_unsure = s->role >= SITE_LOOKUP;
		any |= is_unsure;
		if (is_unsure && !s->of_destination)
			strbuf_printf(&text, "%s +%x", text.len ? "," : " at", s->inside);
	}
	free(data->note);
	data->note = any ? mem_printf("the result is unknown where a jump%s leads to code that is "
				      "not followed",
				      strbuf_text(&text))
			 : NULL;
	p->note = data->note;
}

static void exits_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol)
{
	site_vector exits = { 0 };
	const char *why = exits_find(s, object, symbol, &exits);
	struct probe *p = NULL;
	for (size_t i = 0; i < exits.count && !why; i++)
		p = pid_probe_make(s, object, symbol->name, "return", exits.items[i]);
	if (p)
		note_jumps(p);
	bool is_slow = why == pid_exits_are_slow, is_unknown = why && !is_slow;
	s->slow += is_slow;
	if (why && !s->function_is_plain)
		pid_leave_out(s, object, symbol->name, why, false);
	if (!why && !exits.count)
		why = "it never returns";
	if (why)
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL, why);
	s->exits_unknown = is_unknown;
	vector_free(&exits);
}

/* --- offsets --- */

static void offset_make(struct pid_search *s, struct pid_object *object,
			const struct elf_symbol *symbol, struct pid_instruction i)
{
	struct event_site site = site_in(object, symbol);
	site.inside = i.offset;
	uint64_t address = symbol->address + i.offset;
	char name[16];
	snprintf(name, sizeof(name), "%x", i.offset);
	if (!s->offset_is_plain && !probe_field_match(s->desc->name, name))
		return;
	const char *danger = pid_red_zone_danger(object, address);
	if (i.is_exclusive)
		danger = "it is between an exclusive load and its store, which would never succeed";
	else if (!pid_site_exact(pid_object_elf(object), address, &site.at))
		danger = "the kernel cannot probe this instruction";
	if (danger)
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL, danger);
	else /* an offset named in full may have zeros in front */
		pid_probe_make(s, object, symbol->name, s->offset_is_plain ? s->desc->name : name,
			       site);
}

static void inside_make(struct pid_search *s, struct pid_object *object,
			const struct elf_symbol *symbol)
{
	instruction_vector code = { 0 };
	bool readable = pid_code_instructions(pid_object_elf(object), symbol, &code), found = false;
	if (s->offset_is_plain && s->offset >= symbol->size) {
		function_refuse(s, object, symbol->name, D_PROC_OFF, "outside of function");
	} else if (!readable) {
		if (!s->function_is_plain)
			pid_leave_out(s, object, symbol->name, pid_code_unreadable(symbol), false);
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL,
				pid_code_unreadable(symbol));
	} else {
		for (size_t i = 0; i < code.count; i++) {
			if (s->offset_is_plain && code.items[i].offset != s->offset)
				continue;
			found = true;
			offset_make(s, object, symbol, code.items[i]);
		}
		if (s->offset_is_plain && !found)
			function_refuse(s, object, symbol->name, D_PROC_ALIGN,
					"is not aligned on an instruction of function");
	}
	vector_free(&code);
}

/* --- functions --- */

/* The place of probes at the entry of SYMBOL; false: none can be there. */
static bool entry_site(struct pid_search *s, const struct pid_object *object,
		       const struct elf_symbol *symbol, uint64_t *ret)
{
	static const char single_stepped[] =
		"its first instruction would be single-stepped (pidfast)";
	struct elf_file *elf = pid_object_elf(object);
	uint64_t begin = s->is_go ? pid_go_begin(elf, symbol->address) : symbol->address;
	bool possible = pid_site(elf, begin, ret), is_slow = false;
	if (!possible)
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL,
				"its first instruction cannot be probed");
	else if (probe_db_settings(s->db)->only_emulated && !s->function_is_plain)
		is_slow = !pid_site_is_emulated(elf, begin, false);
	s->slow += is_slow;
	if (!s->function_is_plain && (!possible || is_slow))
		pid_leave_out(s, object, symbol->name, is_slow ? single_stepped : s->danger, false);
	return possible && !is_slow;
}

static void entry_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol)
{
	uint64_t site;
	if (entry_site(s, object, symbol, &site))
		whole_make(s, object, symbol, "entry", site);
}

/* By a return probe of the kernel, which is at the entry. */
static void kernel_return_make(struct pid_search *s, struct pid_object *object,
			       const struct elf_symbol *symbol)
{
	uint64_t site;
	bool returns;
	if (!entry_site(s, object, symbol, &site))
		return;
	const char *danger = pid_return_danger(pid_object_elf(object), symbol, &returns);
	if (!danger)
		whole_make(s, object, symbol, "return", site);
	else
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL, danger);
	if (danger && returns && !s->function_is_plain)
		pid_leave_out(s, object, symbol->name, danger, false);
}

/* Parts of functions have their exits with the whole; a function that never returns has none. */
static bool is_part(const char *name)
{
	return glob_match("*.cold", name) || glob_match("*.cold.*", name);
}

static void return_make(struct pid_search *s, struct pid_object *object,
			const struct elf_symbol *symbol)
{
	if (is_part(symbol->name))
		function_refuse(s, object, symbol->name, D_PROC_CREATEFAIL,
				"it is a part of another function");
	else if (probe_db_settings(s->db)->kernel_returns)
		kernel_return_make(s, object, symbol);
	else
		exits_make(s, object, symbol);
}

void pid_function_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol)
{
	if (s->inside)
		inside_make(s, object, symbol);
	if (s->entry)
		entry_make(s, object, symbol);
	if (s->leave)
		return_make(s, object, symbol);
}
