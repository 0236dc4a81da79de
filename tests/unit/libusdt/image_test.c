/* SPDX-License-Identifier: BSD-2-Clause */
#include <unistd.h>

#include "../../../lib/usdt/internal.h"
#include "arch/arch.h"
#include "arch/operand.h"
#include "base/cleanup.h"
#include "object/frames/frames.h"
#include "object/note/declared.h"
#include "object/note/usdt.h"
#include "object/object.h"
#include "test.h"
#include "unwind/unwind.h"

/* Images of these probes for every machine, read by what reads all files. */
static struct dtusdt_probe *probe_make(const char *function, const char *name, const char *types)
{
	struct arguments a;
	CHECK_INT(declaration_parse(types, &a), 0);
	struct dtusdt_probe *p = probe_new(function, name, &a);
	CHECK(p);
	return p;
}

struct fixture {
	struct dtusdt_probe *probes[3];
	struct image image;
	char path[32];
	struct elf_file *elf;
};

static bool fixture_open(struct fixture *f, const struct machine *m, size_t page)
{
	f->probes[0] = probe_make("first", "one", "int8_t,uint16_t,int,uint64_t,char *s,long");
	f->probes[1] = probe_make("first", "tw__o", "");
	f->probes[2] = probe_make(
		"empty?", "many",
		"int8_t,int,short,long,char *,bool,int8_t,uint16_t,int32_t,uint64_t,void *,int");
	if (image_make(m, "prov", f->probes, 3, page, &f->image) < 0)
		return false;
	strcpy(f->path, "/tmp/image_test-XXXXXX");
	int fd = mkstemp(f->path);
	bool is_written = write(fd, f->image.bytes, f->image.size) == (ssize_t)f->image.size;
	close(fd);
	auto_error struct error *err = elf_file_open(f->path, &f->elf);
	if (err)
		printf("%s\n", error_text(err));
	return is_written && !err;
}

static void fixture_close(struct fixture *f)
{
	elf_file_free(f->elf);
	unlink(f->path);
	free(f->image.bytes);
	for (int i = 0; i < 3; i++)
		probe_release(f->probes[i]);
}

static const struct {
	const struct machine *machine;
	const struct arch *arch;
} both[] = { { &machine_x86_64, &arch_x86_64 }, { &machine_aarch64, &arch_aarch64 } };

TEST(notes_name_sites_and_semaphores)
{
	for (int i = 0; i < 2; i++) {
		const struct machine *m = both[i].machine;
		struct fixture f = { 0 };
		CHECK(fixture_open(&f, m, 4096));
		usdt_note_vector notes = { 0 };
		auto_error struct error *err = elf_file_usdt(f.elf, &notes);
		CHECK(!err);
		CHECK_INT(notes.count, 3);
		for (size_t n = 0; n < notes.count; n++) {
			const struct usdt_note *note = &notes.items[n];
			uint64_t at;
			CHECK_STR(note->provider, "prov");
			CHECK_STR(note->name, f.probes[n]->name);
			CHECK_INT(note->site, f.image.functions + n * m->function_size);
			CHECK(memcmp(f.image.bytes + note->site, m->function, m->function_size) ==
			      0);
			CHECK(note->site + m->code_size <= f.image.code_size);
			CHECK(usdt_is_countable(f.elf, note->semaphore, &at));
			CHECK_INT(at, f.image.data_at + 2 * n);
		}
		vector_free(&notes);
		fixture_close(&f);
	}
}

/* Every argument is in a register or on the stack, with its size and sign. */
TEST(operands_are_understood)
{
	static const int sizes[] = { -1, -4, -2, -8, 8, 1, -1, 2, -4, 8, 8, -4 };
	for (int i = 0; i < 2; i++) {
		struct fixture f = { 0 };
		struct operand operands[OPERANDS_MOST];
		CHECK(fixture_open(&f, both[i].machine, 4096));
		usdt_note_vector notes = { 0 };
		auto_error struct error *err = elf_file_usdt(f.elf, &notes);
		CHECK(!err && notes.count == 3);
		CHECK_INT(operands_parse(both[i].arch, notes.items[1].operands, operands), 0);
		CHECK_INT(operands_parse(both[i].arch, notes.items[2].operands, operands), 12);
		for (unsigned n = 0; n < 12; n++) {
			const struct operand *o = &operands[n];
			unsigned in_registers = both[i].machine->registers;
			CHECK_INT(o->kind, n < in_registers ? OPERAND_REGISTER : OPERAND_MEMORY);
			CHECK_INT(o->is_signed ? -o->size : o->size, sizes[n]);
			if (n < in_registers)
				CHECK_INT(o->base, both[i].arch->argument[n]);
		}
		vector_free(&notes);
		fixture_close(&f);
	}
}

TEST(functions_have_names)
{
	struct fixture f = { 0 };
	CHECK(fixture_open(&f, &machine_x86_64, 4096));
	const struct elf_symbol *s = elf_file_symbol_at(f.elf, f.image.functions + 2 * 8);
	CHECK(s && s->is_function);
	CHECK_STR(s ? s->name : NULL, "empty?");
	fixture_close(&f);
}

TEST(a_stack_can_be_walked_from_each_site)
{
	struct fixture f = { 0 };
	CHECK(fixture_open(&f, &machine_x86_64, 4096));
	struct frames *frames = frames_read(f.elf);
	CHECK(frames);
	struct unwind_table *t = unwind_table_new(&arch_x86_64, f.elf, frames);
	CHECK(t);
	for (int n = 0; t && n < 3; n++)
		CHECK_INT(unwind_table_rule(t, f.image.functions + (size_t)n * 8),
			  unwind_rule_word(UNWIND_STACK, 1, 0));
	unwind_table_free(t);
	frames_free(frames);
	fixture_close(&f);
}

TEST(large_pages_have_code_and_data_apart)
{
	struct fixture f = { 0 };
	CHECK(fixture_open(&f, &machine_aarch64, 65536));
	CHECK_INT(f.image.data_at, 65536);
	CHECK(f.image.size > f.image.data_at + f.image.data_size);
	fixture_close(&f);
}

TEST(equal_probes_are_equal_bytes)
{
	struct fixture a = { 0 }, b = { 0 };
	CHECK(fixture_open(&a, &machine_x86_64, 4096) && fixture_open(&b, &machine_x86_64, 4096));
	CHECK_INT(a.image.size, b.image.size);
	CHECK(memcmp(a.image.bytes, b.image.bytes, a.image.size) == 0);
	CHECK_INT(elf_file_build_id(a.elf).size, 20);
	fixture_close(&a);
	fixture_close(&b);
}

TEST(declarations_are_in_notes)
{
	struct fixture f = { 0 };
	struct bytes section;
	struct declarations d = { 0 };
	uint64_t address;
	CHECK(fixture_open(&f, &machine_x86_64, 4096));
	CHECK(elf_file_section(f.elf, ".note.dtrace", &section, &address));
	auto_error struct error *err = declarations_read(section, &d);
	CHECK(!err);
	CHECK(declarations_provider(&d, "prov"));
	const struct declared_probe *p = declarations_probe(&d, "prov", "one");
	CHECK(p && p->native_count == 6 && p->output_count == 6);
	CHECK_STR(p ? p->natives[4] : NULL, "char *s");
	CHECK_STR(p ? p->outputs[5] : NULL, "long");
	CHECK(p && p->map[5] == 5);
	p = declarations_probe(&d, "prov", "tw-o");
	CHECK(p && p->native_count == 0);
	p = declarations_probe(&d, "prov", "many");
	CHECK(p && p->native_count == 12);
	declarations_deinit(&d);
	fixture_close(&f);
}

TEST_MAIN
