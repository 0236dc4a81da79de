/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite - calls of probe functions become sites (dtrace -G with objects)
 *
 * Code compiled for the classic tool has calls of __dtrace_PROVIDER___NAME(), which are not
 * defined. In place, each call becomes a nop, its relocation none, and a note says where it is and
 * where a call has its arguments.  The tests, calls of __dtraceenabled_PROVIDER___NAME(), stay: the
 * object that -G makes has these functions, which return the counter that the notes name.
 *
 * An object that was rewritten has no such relocations any more: nothing happens to it.
 */
#include <string.h>

#include "arch/arch.h"
#include "arch/site.h"
#include "usdt/internal.h"
#include "usdt/relocatable.h"

static const char site_prefix[] = "__dtrace_", asked_prefix[] = "__dtraceenabled_";

struct rewriter {
	struct definition *definition;
	struct relocatable *object;
	const struct arch_sites *sites;
	const char *path;
	unsigned count; /* of rewritten calls */
};

struct target {
	const struct definition_provider *provider;
	struct definition_probe *probe;
	bool is_asked;
};

/* The notes of one section of code. */
struct notes {
	struct strbuf bytes, relocations;
	unsigned code; /* the section */
};

/* --- which probe ------------------------------------------------------------------------------ */

/* What is after the provider's name and three underscores, or NULL. */
static const char *after_provider(const char *text, const char *provider)
{
	size_t len = strlen(provider);
	bool same = strncmp(text, provider, len) == 0 && strncmp(text + len, "___", 3) == 0;
	return same ? text + len + 3 : NULL;
}

/* The probe of the symbol TEXT without its prefix. */
static struct error *find_probe(const struct rewriter *w, const char *text, struct target *ret)
{
	const char *name = NULL;
	for (size_t i = 0; i < w->definition->providers.count; i++) {
		const struct definition_provider *provider = w->definition->providers.items[i];
		const char *probe = after_provider(text, provider->name);
		for (size_t j = 0; probe && j < provider->probes.count; j++)
			if (string_equal(provider->probes.items[j].name, probe)) {
				ret->provider = provider;
				ret->probe = &provider->probes.items[j];
				return NULL;
			}
		name = probe ? probe : name;
	}
	if (name)
		return error_new("%s: no such probe %s", w->path, name);
	return error_new("%s: no such provider %.*s", w->path, (int)(strstr(text, "___") - text),
			 text);
}

/* *IS_SITE: the symbol is a probe's function. */
static struct error *call_target_find(const struct rewriter *w, unsigned symbol, struct target *ret,
				      bool *is_site)
{
	const char *name = relocatable_symbol_name(w->object, symbol), *rest = NULL;
	*is_site = false;
	if (strncmp(name, asked_prefix, strlen(asked_prefix)) == 0) {
		rest = name + strlen(asked_prefix);
		ret->is_asked = true;
	} else if (strncmp(name, site_prefix, strlen(site_prefix)) == 0) {
		rest = name + strlen(site_prefix);
		ret->is_asked = false;
	}
	if (!rest || !strstr(rest, "___") ||
	    relocatable_symbol(w->object, symbol).st_shndx != SHN_UNDEF)
		return NULL;
	*is_site = true;
	return find_probe(w, rest, ret);
}

/* --- notes ------------------------------------------------------------------------------------ */

static void relocation_add(struct strbuf *out, uint64_t at, unsigned symbol, uint32_t type,
			   int64_t addend)
{
	const Elf64_Rela r = { at, ELF64_R_INFO((uint64_t)symbol, type), addend };
	strbuf_add(out, &r, sizeof(r));
}

/* A symbol that is defined in section CODE, for the addresses there: the section's own, if it has
 * one. */
static bool find_symbol(struct relocatable *r, unsigned code, unsigned *ret)
{
	bool found = false;
	unsigned count = relocatable_symbols(r);
	for (unsigned i = 1; i < count; i++) {
		Elf64_Sym s = relocatable_symbol(r, i);
		if (s.st_shndx != code)
			continue;
		bool is_section = ELF64_ST_TYPE(s.st_info) == STT_SECTION;
		if (is_section || !found)
			*ret = i;
		found = true;
		if (is_section)
			break;
	}
	return found;
}

static void operands_print(struct strbuf *out, const struct rewriter *w,
			   const struct definition_probe *probe, bool is_tail)
{
	for (unsigned i = 0; i < probe->input_count; i++) {
		strbuf_printf(out, "%s%d@", i ? " " : "", probe->input[i].size);
		if (i < w->sites->register_count) {
			strbuf_puts(out, w->sites->registers[i]);
			continue;
		}
		unsigned offset = (i - w->sites->register_count) * 8;
		strbuf_printf(out, w->sites->stack, offset + (is_tail ? w->sites->tail_offset : 0));
	}
}

static struct error *site_note_add(struct rewriter *w, struct notes *notes, const struct target *t,
				   const struct site_call *call)
{
	unsigned symbol;
	if (!find_symbol(w->object, notes->code, &symbol))
		return error_new("%s: no symbol is in the code that has a site", w->path);
	auto_strbuf struct strbuf strings = { 0 };
	strbuf_add(&strings, t->provider->name, strlen(t->provider->name) + 1);
	strbuf_add(&strings, t->probe->name, strlen(t->probe->name) + 1);
	operands_print(&strings, w, t->probe, call->is_tail);
	strbuf_putc(&strings, '\0');

	const uint64_t words[3] = { 0 };
	const uint32_t head[] = { 8, (uint32_t)(sizeof(words) + strings.len), 3 };
	strbuf_add(&notes->bytes, head, sizeof(head));
	strbuf_add(&notes->bytes, "stapsdt", 8);
	uint64_t at = notes->bytes.len;
	strbuf_add(&notes->bytes, words, sizeof(words));
	strbuf_add(&notes->bytes, strings.text, strings.len);
	strbuf_fill(&notes->bytes, '\0', ALIGN_UP(notes->bytes.len, 4) - notes->bytes.len);

	const char *counter = arena_printf(w->definition->arena, "%s_%s_semaphore",
					   t->provider->name, t->probe->name);
	uint32_t type = w->sites->address;
	uint64_t value = relocatable_symbol(w->object, symbol).st_value;
	relocation_add(&notes->relocations, at, symbol, type, (int64_t)(call->at - value));
	relocation_add(&notes->relocations, at + 8, relocatable_refer(w->object, "_.stapsdt.base"),
		       type, 0);
	relocation_add(&notes->relocations, at + 16, relocatable_refer(w->object, counter), type,
		       0);
	return NULL;
}

static void site_notes_write(struct rewriter *w, const struct notes *notes)
{
	if (!notes->bytes.len)
		return;
	unsigned symbols = 0;
	for (unsigned i = 0; i < relocatable_sections(w->object); i++)
		if (relocatable_section(w->object, i)->sh_type == SHT_SYMTAB)
			symbols = i;
	unsigned section = relocatable_add(w->object, ".note.stapsdt",
					   (Elf64_Shdr) { .sh_type = SHT_NOTE, .sh_addralign = 4 },
					   &notes->bytes, notes->code);
	relocatable_add(w->object, ".rela.note.stapsdt",
			(Elf64_Shdr) { .sh_type = SHT_RELA,
				       .sh_flags = SHF_INFO_LINK,
				       .sh_link = symbols,
				       .sh_info = section,
				       .sh_addralign = 8,
				       .sh_entsize = sizeof(Elf64_Rela) },
			&notes->relocations, notes->code);
}

/* --- calls ------------------------------------------------------------------------------------ */

static struct error *check_arguments(const struct rewriter *w, const struct target *t)
{
	for (unsigned i = 0; i < t->probe->input_count; i++)
		if (!t->probe->input[i].size)
			return error_new("%s: argument %u of probe %s is of floating point: a call "
					 "has it where no tracer can read it",
					 w->path, i, t->probe->name);
	return NULL;
}

/* Nobody defines the function: what still refers to it does not matter. */
static void forget_function(struct rewriter *w, unsigned symbol)
{
	Elf64_Sym s = relocatable_symbol(w->object, symbol);
	s.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(s.st_info));
	s.st_other = STV_HIDDEN;
	relocatable_symbol_set(w->object, symbol, &s);
}

static struct error *rewrite_call(struct rewriter *w, struct notes *notes, Elf64_Rela *r,
				  const struct target *t)
{
	size_t size;
	unsigned char *code = relocatable_body(w->object, notes->code, &size);
	const struct bytes bytes = bytes_of(code, size);
	struct site_call call;
	if (!w->sites->find(&bytes, r->r_offset, (uint32_t)ELF64_R_TYPE(r->r_info), &call))
		return error_new("%s: the function of probe %s is used other than by a call",
				 w->path, t->probe->name);
	struct error *err = check_arguments(w, t);
	if (!err)
		err = site_note_add(w, notes, t, &call);
	if (err)
		return err;
	w->sites->clear(code, &call);
	forget_function(w, (unsigned)ELF64_R_SYM(r->r_info));
	r->r_info = ELF64_R_INFO(0, 0); /* none, on both machines */
	r->r_addend = 0;
	w->count++;
	return NULL;
}

static struct error *rewrite_relocation(struct rewriter *w, struct notes *notes, Elf64_Rela *r)
{
	unsigned symbol = (unsigned)ELF64_R_SYM(r->r_info);
	struct target t = { 0 };
	bool is_site = false;
	if (symbol >= relocatable_symbols(w->object))
		return error_new("%s is damaged: it has no symbol %u", w->path, symbol);
	struct error *err = call_target_find(w, symbol, &t, &is_site);
	if (err || !is_site)
		return err;
	t.probe->is_asked |= t.is_asked;
	return t.is_asked ? NULL : rewrite_call(w, notes, r, &t);
}

static struct error *rewrite_section(struct rewriter *w, unsigned index)
{
	const Elf64_Shdr header = *relocatable_section(w->object, index);
	if (header.sh_type != SHT_RELA ||
	    !(relocatable_section(w->object, header.sh_info)->sh_flags & SHF_ALLOC))
		return NULL;
	struct notes notes = { .code = header.sh_info };
	struct error *err = NULL;
	for (uint64_t at = 0; at < header.sh_size && !err; at += sizeof(Elf64_Rela)) {
		size_t size;
		Elf64_Rela r;
		memcpy(&r, relocatable_body(w->object, index, &size) + at, sizeof(r));
		err = rewrite_relocation(w, &notes, &r);
		memcpy(relocatable_body(w->object, index, &size) + at, &r, sizeof(r));
	}
	if (!err)
		site_notes_write(w, &notes);
	strbuf_deinit(&notes.bytes);
	strbuf_deinit(&notes.relocations);
	return err;
}

static struct error *rewrite_all(struct rewriter *w)
{
	for (const struct arch *const *a = arch_all; *a; a++)
		if ((*a)->elf_machine == relocatable_machine(w->object))
			w->sites = (*a)->sites;
	if (!w->sites)
		return error_new("incorrect ELF class/machine type for object file: %s", w->path);
	unsigned count = relocatable_sections(w->object);
	for (unsigned i = 0; i < count; i++) {
		struct error *err = rewrite_section(w, i);
		if (err)
			return err;
	}
	return w->count ? relocatable_write(w->object, w->path) : NULL;
}

struct error *definition_rewrite(struct definition *d, const char *path)
{
	struct rewriter w = { .definition = d, .path = path };
	struct error *err = relocatable_read(path, &w.object);
	if (err || !w.object)
		return err;
	uint16_t machine = relocatable_machine(w.object);
	if (d->machine && d->machine != machine)
		err = error_new("incorrect ELF class/machine type for object file: %s", path);
	else
		err = rewrite_all(&w);
	d->machine = machine;
	relocatable_free(w.object);
	return err;
}
