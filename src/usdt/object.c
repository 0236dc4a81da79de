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
#include <string.h>

#include "arch/arch.h"
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

static void notes_write(struct elf_writer *w, const struct definition *d)
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

static void counters_write(struct elf_writer *w, const struct definition *d, unsigned section)
{
	uint64_t at = 0;
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++, at += COUNTER_BYTES) {
			const char *name = arena_printf(d->arena, "%s_%s_semaphore", provider->name,
							provider->probes.items[j].name);
			elf_writer_symbol(w, &(struct elf_symbol_made) {
						     .name = name,
						     .binding = STB_WEAK,
						     .type = STT_OBJECT,
						     .visibility = STV_HIDDEN,
						     .section = (uint16_t)section,
						     .value = at,
						     .size = COUNTER_BYTES,
					     });
		}
	}
}

void definition_object(const struct definition *d, const char *from, bool is_32, struct strbuf *ret)
{
	const struct arch *arch = arch_host();
	struct elf_writer *w =
		elf_writer_new(is_32 ? arch->elf_machine_32 : arch->elf_machine, is_32);
	const char *slash = strrchr(from, '/');
	auto_strbuf struct strbuf counters = { 0 }, nothing = { 0 };
	strbuf_fill(&counters, '\0', (size_t)count_probes(d) * COUNTER_BYTES);
	unsigned section =
		elf_writer_section(w,
				   &(struct elf_section) { ".probes", SHT_PROGBITS,
							   SHF_ALLOC | SHF_WRITE, COUNTER_BYTES },
				   &counters);
	/* Without it linkers take the stack for executable. */
	elf_writer_section(w, &(struct elf_section) { ".note.GNU-stack", SHT_PROGBITS, 0, 1 },
			   &nothing);
	elf_writer_symbol(w, &(struct elf_symbol_made) { .name = slash ? slash + 1 : from,
							 .type = STT_FILE,
							 .section = SHN_ABS });
	notes_write(w, d);
	counters_write(w, d, section);
	elf_writer_finish(w, ret);
	elf_writer_free(w);
}
