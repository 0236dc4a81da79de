/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt_fuzz - any bytes as a program, and as a section of notes: its static probes, their operands,
 * and what it declares of them
 */
#include "arch/operand.h"
#include "fuzz_elf.h"
#include "object/note/declared.h"
#include "object/note/usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_operands(const char *text)
{
	for (const struct arch *const *a = arch_all; *a; a++) {
		struct operand o[OPERANDS_MOST];
		unsigned count = operands_parse(*a, text, o);
		for (unsigned i = 0; i < count; i++) {
			bool inside = o[i].text >= text &&
				      o[i].text + o[i].text_length <= text + strlen(text);
			bool has_size = o[i].size && o[i].size <= 8;
			if (!inside || !has_size)
				__builtin_trap();
		}
	}
}

static void use_notes(const usdt_note_vector *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		const struct usdt_note *n = &notes->items[i];
		if (!*n->name)
			__builtin_trap();
		use_operands(n->operands);
	}
}

static void use_section(const uint8_t *data, size_t size, unsigned word)
{
	usdt_note_vector notes = { 0 };
	error_free(usdt_notes_read(bytes_of(data, size), word, 0x1000, &notes));
	use_notes(&notes);
	vector_free(&notes);
}

static size_t strings_length(const char *const *list, unsigned count)
{
	size_t length = 0;
	for (unsigned i = 0; i < count; i++)
		length += strlen(list[i]);
	return length;
}

static void use_declarations(const uint8_t *data, size_t size)
{
	struct declarations d;
	auto_error struct error *err = declarations_read(bytes_of(data, size), &d);
	size_t length = 0;
	for (size_t i = 0; i < d.probes.count; i++) {
		const struct declared_probe *p = &d.probes.items[i];
		length += strings_length(p->natives, p->native_count);
		length += strings_length(p->outputs, p->output_count);
		for (unsigned j = 0; j < p->output_count; j++)
			if (p->map[j] >= p->native_count)
				__builtin_trap();
		if (p->unit > d.units.count || !*p->name)
			__builtin_trap();
	}
	for (size_t i = 0; i < d.units.count; i++)
		if (strlen(d.units.items[i].text) != d.units.items[i].length)
			__builtin_trap();
	if (length > DTRACE_NOTE_MOST * (size_t)DTRACE_NOTE_LENGTH || (err && d.probes.count))
		__builtin_trap();
	declarations_deinit(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	use_declarations(data, size);
	use_section(data, size, 8);
	use_section(data, size, 4);
	char *text = mem_strndup((const char *)data, size);
	use_operands(text);
	free(text);
	struct elf_file *e = fuzz_elf(data, size);
	usdt_note_vector notes = { 0 };
	if (e)
		error_free(elf_file_usdt(e, &notes));
	use_notes(&notes);
	vector_free(&notes);
	elf_file_free(e);
	return 0;
}
