/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object - a definition as an object to be linked (dtrace -G)
 *
 * Programs with our header do not need it: their sites' counters (semaphores) and notes are their
 * own.  It is for builds that make and link such an object, and for code that was compiled with a
 * header of SystemTap's script, whose counters are defined nowhere else.
 *
 * Counters are weak, so that it links next to objects that define them, too; notes are in groups
 * by provider, as those of headers are, so that one copy remains.
 */
#include <elf.h>

#include "arch/arch.h"
#include "arch/site.h"
#include "usdt/elf_writer.h"
#include "usdt/internal.h"

#define COUNTER_BYTES 2

static unsigned count_probes(const struct definition *d)
{
	size_t count = 0;
	for (size_t i = 0; i < d->providers.count; i++)
		count += d->providers.items[i]->probes.count;
	return (unsigned)count;
}

static void definition_notes_write(struct elf_writer *w, const struct definition *d)
{
	const struct elf_section section = { DTRACE_NOTE_SECTION, SHT_NOTE, 0, 4 };
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		auto_strbuf struct strbuf bytes = { 0 };
		notes_of_provider(d, provider, &bytes);
		const char *signature =
			arena_printf(d->arena, "%s.%s", DTRACE_NOTE_SECTION, provider->name);
		elf_writer_once(w, signature, &section, &bytes);
	}
}

/* --- what is-enabled calls -------------------------------------------------------------------- */

static const struct arch *arch_of(const struct definition *d)
{
	for (const struct arch *const *a = arch_all; *a && d->machine; a++)
		if ((*a)->elf_machine == d->machine)
			return *a;
	return arch_host();
}

#define READER_ALIGN 16

/* A function for each is-enabled probe, before their addresses are known. */
static void readers_code(const struct definition *d, const struct arch_sites *sites,
			 struct strbuf *out)
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++) {
			if (!provider->probes.items[j].is_asked)
				continue;
			strbuf_fill(out, '\0', ALIGN_UP(out->len, READER_ALIGN) - out->len);
			strbuf_add(out, sites->reader, sites->reader_size);
		}
	}
}

struct readers {
	const struct arch_sites *sites;
	unsigned section;
	uint64_t end; /* of those that have a symbol */
	struct strbuf relocations;
};

static void reader_write(struct elf_writer *w, const char *name, unsigned counter,
			 struct readers *r)
{
	uint64_t at = ALIGN_UP(r->end, READER_ALIGN);
	for (unsigned i = 0; i < r->sites->reader_relocation_count; i++) {
		const struct site_relocation *s = &r->sites->reader_relocations[i];
		const Elf64_Rela rela = { at + s->at, ELF64_R_INFO((uint64_t)counter, s->type),
					  s->addend };
		strbuf_add(&r->relocations, &rela, sizeof(rela));
	}
	elf_writer_symbol(w, &(struct elf_symbol_made) {
				     .name = name,
				     .binding = STB_WEAK,
				     .type = STT_FUNC,
				     .visibility = STV_HIDDEN,
				     .section = (uint16_t)r->section,
				     .value = at,
				     .size = r->sites->reader_size,
			     });
	r->end = at + r->sites->reader_size;
}

/* --- counters --------------------------------------------------------------------------------- */

static void counters_write(struct elf_writer *w, const struct definition *d, unsigned section,
			   struct readers *readers)
{
	uint64_t at = 0;
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++, at += COUNTER_BYTES) {
			const struct definition_probe *probe = &provider->probes.items[j];
			const struct elf_symbol_made counter = {
				.name = arena_printf(d->arena, "%s_%s_semaphore", provider->name,
						     probe->name),
				.binding = STB_WEAK,
				.type = STT_OBJECT,
				.visibility = STV_HIDDEN,
				.section = (uint16_t)section,
				.value = at,
				.size = COUNTER_BYTES,
			};
			unsigned number = elf_writer_symbol(w, &counter);
			const char *reader = arena_printf(d->arena, "__dtraceenabled_%s___%s",
							  provider->name, probe->name);
			if (probe->is_asked)
				reader_write(w, reader, number, readers);
		}
	}
}

static unsigned counters_section(struct elf_writer *w, const struct definition *d)
{
	auto_strbuf struct strbuf counters = { 0 };
	strbuf_fill(&counters, '\0', (size_t)count_probes(d) * COUNTER_BYTES);
	return elf_writer_section(w,
				  &(struct elf_section) { ".probes", SHT_PROGBITS,
							  SHF_ALLOC | SHF_WRITE, COUNTER_BYTES },
				  &counters);
}

void definition_object(const struct definition *d, const char *from, bool is_32, struct strbuf *ret)
{
	const struct arch *arch = arch_of(d);
	is_32 = is_32 && !d->machine;
	struct elf_writer *w =
		elf_writer_new(is_32 ? arch->elf_machine_32 : arch->elf_machine, is_32);
	struct readers readers = { .sites = arch->sites };
	auto_strbuf struct strbuf code = { 0 }, nothing = { 0 };
	unsigned counters = counters_section(w, d);
	/* Without it linkers take the stack for executable. */
	elf_writer_section(w, &(struct elf_section) { ".note.GNU-stack", SHT_PROGBITS, 0, 1 },
			   &nothing);
	readers_code(d, arch->sites, &code);
	if (code.len)
		readers.section = elf_writer_section(
			w,
			&(struct elf_section) { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
						READER_ALIGN },
			&code);
	elf_writer_symbol(w, &(struct elf_symbol_made) { .name = path_base_name(from),
							 .type = STT_FILE,
							 .section = SHN_ABS });
	definition_notes_write(w, d);
	counters_write(w, d, counters, &readers);
	if (code.len)
		elf_writer_relocations(w, ".rela.text", readers.section, &readers.relocations);
	elf_writer_finish(w, ret);
	elf_writer_free(w);
	strbuf_deinit(&readers.relocations);
}
