/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt_fuzz - any bytes as a program, and as a section of notes: its static probes, their operands
 */
#include "arch/operand.h"
#include "fuzz_elf.h"
#include "object/usdt.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
