/* SPDX-License-Identifier: BSD-2-Clause */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <glob.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "test.h"
#include "unwind/unwind.h"

/* --- libdw as oracle -------------------------------------------------------------------------- */

struct oracle {
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
	const struct arch *arch;
};

static const struct arch *arch_of(Elf *elf)
{
	GElf_Ehdr header;
	if (!gelf_getehdr(elf, &header))
		return NULL;
	for (unsigned i = 0; arch_all[i]; i++)
		if (arch_all[i]->elf_machine == header.e_machine)
			return arch_all[i];
	return header.e_machine == EM_386 ? &arch_i386 : NULL;
}

static bool oracle_open(const char *path, struct oracle *ret)
{
	elf_version(EV_CURRENT);
	ret->fd = open(path, O_RDONLY);
	ret->elf = elf_begin(ret->fd, ELF_C_READ_MMAP, NULL);
	ret->cfi = dwarf_getcfi_elf(ret->elf);
	ret->arch = arch_of(ret->elf);
	return ret->cfi && ret->arch;
}

static void oracle_close(struct oracle *o)
{
	dwarf_cfi_end(o->cfi);
	elf_end(o->elf);
	close(o->fd);
}

/* One of our rules, decoded. */
struct answer {
	enum unwind_kind kind;
	int64_t cfa;			/* kinds STACK and FRAME: offset */
	int64_t frame;			/* offset from the CFA; 0: unchanged */
	const struct unwind_rule *rule; /* kind RULE */
};

static struct answer answer_of(const struct arch *arch, const struct unwind_table *t, uint32_t word)
{
	int64_t size = arch->word;
	uint32_t cfa = word >> UNWIND_CFA_AT & ((1 << UNWIND_CFA_BITS) - 1);
	uint32_t frame = word >> UNWIND_FRAME_AT;
	struct answer a = { .kind = word >> UNWIND_KIND_AT & 7 };
	a.cfa = cfa * size;
	a.frame = -size * (int64_t)frame;
	if (a.kind == UNWIND_RULE)
		a.rule = &t->rules[cfa | frame << UNWIND_CFA_BITS];
	return a;
}

/* Does OPS say CFA + OFFSET, or for 0 that the register is unchanged? */
static bool is_at(const Dwarf_Op *ops, size_t count, int64_t offset)
{
	if (!offset)
		return count == 0;
	return count == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
	       ops[1].atom == DW_OP_plus_uconst && (int64_t)ops[1].number == offset;
}

static bool is_cfa(const Dwarf_Op *ops, size_t count, unsigned number, int64_t offset)
{
	return count == 1 && ops[0].atom == DW_OP_bregx && ops[0].number == number &&
	       (int64_t)ops[0].number2 == offset;
}

/* A register + offset; what else is, loads from there. */
static bool is_value(const struct arch *a, const struct unwind_value *v, const Dwarf_Op *ops,
		     size_t count)
{
	unsigned number = ops[0].atom == DW_OP_bregx ? (unsigned)ops[0].number
						     : (unsigned)ops[0].atom - DW_OP_breg0;
	int64_t offset = (int64_t)(ops[0].atom == DW_OP_bregx ? ops[0].number2 : ops[0].number);
	unsigned base = number == a->dwarf_stack_pointer ? UNWIND_BASE_STACK
			: number == a->dwarf_frame_pointer
				? UNWIND_BASE_FRAME
				: UNWIND_BASE_REGISTER + a->dwarf_registers[number] / 8;
	return v->base == base && v->offset == offset && (v->loads > 0) == (count > 1);
}

/* Where calls put the return address into a register, it is in the word after the frame pointer. */
static int64_t return_address_at(const struct arch *arch, int64_t frame)
{
	if (!arch_has_link(arch))
		return -(int64_t)arch->word;
	return frame ? frame + 8 : 0;
}

/* Of the stub for lazy binding, whose return address is above its CFA, we know better. */
static bool is_above(const struct arch *arch, const Dwarf_Op *ra, size_t count)
{
	return arch_has_link(arch) && is_at(ra, count, 8);
}

static bool agrees(const struct arch *arch, const struct answer *a, Dwarf_Frame *frame)
{
	Dwarf_Op *cfa, *ra, *fp, ra_memory[3], fp_memory[3];
	size_t cfa_count, ra_count, fp_count;
	int ra_number = (int)(arch_has_link(arch) ? arch->dwarf_saved : arch->dwarf_pc);
	if (dwarf_frame_cfa(frame, &cfa, &cfa_count) ||
	    dwarf_frame_register(frame, ra_number, ra_memory, &ra, &ra_count) ||
	    dwarf_frame_register(frame, (int)arch->dwarf_frame_pointer, fp_memory, &fp, &fp_count))
		return false;
	switch (a->kind) {
	case UNWIND_STACK:
	case UNWIND_FRAME:
		return is_cfa(cfa, cfa_count,
			      a->kind == UNWIND_STACK ? arch->dwarf_stack_pointer
						      : arch->dwarf_frame_pointer,
			      a->cfa) &&
		       is_at(ra, ra_count, return_address_at(arch, a->frame)) &&
		       is_at(fp, fp_count, a->frame);
	case UNWIND_REFUSE: /* six rows of libcrypto, where the return address is computed */
		return ra_count != 2 || cfa_count > 1;
	case UNWIND_END: /* undefined: no operations, but not the "same value" of no list */
		return ra_count == 0 && ra == ra_memory;
	case UNWIND_PLT:
		return cfa_count == 9 && cfa[0].atom == DW_OP_breg0 + arch->dwarf_stack_pointer &&
		       cfa[4].atom == DW_OP_lit0 + (unsigned)a->cfa / arch->word &&
		       is_at(ra, ra_count, return_address_at(arch, 0));
	case UNWIND_RULE:
		return is_above(arch, ra, ra_count) ||
		       is_value(arch, &a->rule->cfa, cfa, cfa_count);
	default:
		return false;
	}
}

struct tally {
	unsigned rows, wrong, rules, ends, plt, refused;
};

static void compare_at(const struct arch *arch, const struct unwind_table *t, uint64_t offset,
		       Dwarf_Frame *frame, struct tally *tally)
{
	struct answer a = answer_of(arch, t, unwind_table_rule(t, offset));
	tally->rows++;
	tally->rules += a.kind == UNWIND_RULE;
	tally->ends += a.kind == UNWIND_END;
	tally->plt += a.kind == UNWIND_PLT;
	tally->refused += a.kind == UNWIND_REFUSE;
	if (!agrees(arch, &a, frame) && tally->wrong++ < 3)
		printf("at offset %#llx: kind %d, CFA %lld, frame pointer %lld\n",
		       (unsigned long long)offset, a.kind, (long long)a.cfa, (long long)a.frame);
}

/* The first and last byte of each of libdw's rows. */
static void compare_range(const struct unwind_table *t, const struct elf_file *elf,
			  const struct oracle *o, const struct frame_range *range,
			  struct tally *tally)
{
	for (Dwarf_Addr at = range->begin, begin, end; at < range->end; at = end) {
		Dwarf_Frame *frame;
		uint64_t offset;
		if (dwarf_cfi_addrframe(o->cfi, at, &frame) ||
		    dwarf_frame_info(frame, &begin, &end, NULL) < 0 || end <= at) {
			tally->wrong++;
			return;
		}
		if (elf_file_offset(elf, at, &offset)) {
			compare_at(o->arch, t, offset, frame, tally);
			compare_at(o->arch, t, offset + (end - 1 - at), frame, tally);
		}
		free(frame);
	}
}

static uint64_t now_us(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) / 1000;
}

static bool compare_file(const char *path, struct tally *all)
{
	struct oracle o;
	struct elf_file *elf = NULL;
	error_free(elf_file_open(path, &elf));
	if (!elf || !oracle_open(path, &o)) {
		elf_file_free(elf);
		return false;
	}
	struct tally tally = { 0 };
	uint64_t before = now_us();
	struct frames *frames = frames_read(elf);
	struct unwind_table *t = unwind_table_new(o.arch, elf, frames);
	uint64_t took = now_us() - before;
	size_t count;
	const struct frame_range *ranges = frames_ranges(frames, &count);
	for (size_t i = 0; t && i < count; i++)
		compare_range(t, elf, &o, &ranges[i], &tally);
	if (t && getenv("VERBOSE"))
		printf("%-40s %6u rows %4u rules %5zu KB %6llu us; compared %u, %u by rules\n",
		       path, t->row_count, t->rule_count, unwind_table_size(t) / 1024,
		       (unsigned long long)took, tally.rows, tally.rules);
	if (tally.wrong)
		printf("%s: %u of %u differ\n", path, tally.wrong, tally.rows);
	CHECK_INT(tally.wrong, 0);
	all->rows += tally.rows;
	all->ends += tally.ends;
	all->rules += tally.rules;
	all->plt += tally.plt;
	all->refused += tally.refused;
	unwind_table_free(t);
	frames_free(frames);
	elf_file_free(elf);
	oracle_close(&o);
	return true;
}

/* Those of these files that exist; each has forms that others lack.  Of either machine. */
static const char *const files[] = {
	"/proc/self/exe",
	"/lib/x86_64-linux-gnu/libc.so.6",
	"/lib64/ld-linux-x86-64.so.2",
	"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
	"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
	"/lib/x86_64-linux-gnu/libm.so.6",
	"/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0",
	"/bin/bash",
	"/usr/bin/python3",
	"/usr/bin/perl",
	"/usr/bin/git",
	"/usr/bin/sqlite3",
	"/usr/bin/gdb",
};

TEST(rows_are_those_of_libdw)
{
	struct tally all = { 0 };
	unsigned compared = 0;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		compared += compare_file(files[i], &all);
	CHECK(compared > 0);
	CHECK(all.rows > 1000 && all.rules < all.rows / 50 && all.refused < 1 + all.rows / 1000);
	CHECK(all.ends > 0);
}

/* As the cross-compiler's packages have them, or a machine itself. */
static const char *const files_of_aarch64[] = {
	"/usr/aarch64-linux-gnu/lib/libc.so.6",
	"/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1",
	"/usr/aarch64-linux-gnu/lib/libstdc++.so.6",
	"/usr/aarch64-linux-gnu/lib/libm.so.6",
	"/lib/aarch64-linux-gnu/libc.so.6",
	"/lib/ld-linux-aarch64.so.1",
};

TEST(rows_of_aarch64_are_those_of_libdw)
{
	struct tally all = { 0 };
	unsigned compared = 0;
	for (size_t i = 0; i < ARRAY_SIZE(files_of_aarch64); i++)
		compared += compare_file(files_of_aarch64[i], &all);
	if (!compared)
		SKIP("needs libraries of aarch64");
	CHECK(all.rows > 1000 && all.rules < all.rows / 30 && all.refused < 1 + all.rows / 1000);
	CHECK(all.ends > 0 && all.plt == 0);
}

/* Debian's gcc-12-multilib has these; ld.so and libgcc_s among them, as they are everywhere. */
static const char *const narrow_files[] = {
	"/lib32/libc.so.6",	"/lib/ld-linux.so.2",	    "/usr/lib32/libstdc++.so.6",
	"/lib32/libgcc_s.so.1", "/usr/lib32/libgcc_s.so.1", "/usr/lib32/libubsan.so.1",
};

TEST(rows_of_32_bit_files_are_those_of_libdw)
{
	struct tally all = { 0 };
	unsigned compared = 0;
	for (size_t i = 0; i < ARRAY_SIZE(narrow_files); i++)
		compared += compare_file(narrow_files[i], &all);
	if (!compared)
		SKIP("needs libraries of 32 bits");
	CHECK(all.rows > 1000 && all.rules < all.rows / 100 && all.refused < 1 + all.rows / 1000);
	CHECK(all.plt > 0 && all.ends > 0);
}

/* --- what no libdw says ----------------------------------------------------------------------- */

static struct unwind_table *table_of(const char *path, struct elf_file **elf,
				     struct frames **frames)
{
	error_free(elf_file_open(path, elf));
	*frames = frames_read(*elf);
	return unwind_table_new(arch_host(), *elf, *frames);
}

static enum unwind_kind kind_at(const struct unwind_table *t, uint64_t offset)
{
	return unwind_table_rule(t, offset) >> UNWIND_KIND_AT & 7;
}

/*
 * __restore_rt, where signal handlers return to: all registers are loaded from those that the
 * kernel has saved.
 */
TEST(signal_frames_have_a_rule)
{
	struct elf_file *elf = NULL;
	struct frames *frames;
	struct unwind_table *t = table_of("/lib/x86_64-linux-gnu/libc.so.6", &elf, &frames);
	unsigned signals = 0;
	for (uint32_t i = 0; t && i < t->rule_count; i++) {
		const struct unwind_rule *r = &t->rules[i];
		if (!r->is_signal)
			continue;
		signals++;
		CHECK_INT(r->cfa.base, UNWIND_BASE_STACK);
		CHECK_INT(r->cfa.offset, 160); /* of ucontext_t: uc_mcontext.gregs[REG_RSP] */
		CHECK_INT(r->cfa.loads, 1);
		CHECK_INT(r->return_address.offset, 168);
		CHECK_INT(r->return_address.loads, 1);
		CHECK_INT(r->frame_pointer.offset, 120);
	}
	unwind_table_free(t);
	frames_free(frames);
	elf_file_free(elf);
	if (!t)
		SKIP("needs the C library of x86_64");
	CHECK_INT(signals, 1);
}

/* ld.so's stub for lazy binding has its CFA in rbx, so rows of that file know where rbx is. */
TEST(only_the_dynamic_linker_needs_one_more_register)
{
	struct elf_file *elf = NULL, *libc = NULL;
	struct frames *frames, *libc_frames;
	struct unwind_table *t = table_of("/lib64/ld-linux-x86-64.so.2", &elf, &frames);
	struct unwind_table *c = table_of("/lib/x86_64-linux-gnu/libc.so.6", &libc, &libc_frames);
	bool is_there = t && c;
	if (is_there) {
		unsigned saved = 0;
		for (uint32_t i = 0; t->saved && i < t->row_count; i++)
			saved += t->saved[i] && t->saved[i] != UNWIND_SAVED_UNKNOWN;
		CHECK(saved > 100);
		CHECK(!c->saved);
	}
	unwind_table_free(t);
	unwind_table_free(c);
	frames_free(frames);
	frames_free(libc_frames);
	elf_file_free(elf);
	elf_file_free(libc);
	if (!is_there)
		SKIP("needs the C library of x86_64");
}

TEST(the_entry_is_an_end)
{
	static const char *const with_entry[] = { "/proc/self/exe", "/lib64/ld-linux-x86-64.so.2",
						  "/lib/ld-linux-aarch64.so.1" };
	for (size_t i = 0; i < ARRAY_SIZE(with_entry); i++) {
		struct elf_file *elf = NULL;
		struct frames *frames;
		uint64_t offset = 0;
		struct unwind_table *t = table_of(with_entry[i], &elf, &frames);
		if (t) {
			CHECK(elf_file_offset(elf, elf_file_entry(elf), &offset));
			CHECK_INT(kind_at(t, offset), UNWIND_END);
			CHECK_INT(kind_at(t, offset + 5), UNWIND_END);
		}
		unwind_table_free(t);
		frames_free(frames);
		elf_file_free(elf);
	}
}

/* Of the first and the last section of code, which C's start files begin and end. */
TEST(init_and_fini_have_rows)
{
	static const char *const names[] = { ".init", ".fini" };
	struct elf_file *elf = NULL;
	struct frames *frames;
	struct unwind_table *t = table_of("/proc/self/exe", &elf, &frames);
	unsigned known = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct bytes code;
		uint64_t begin, offset;
		if (!arch_host()->start_push || !elf_file_section(elf, names[i], &code, &begin) ||
		    !elf_file_offset(elf, begin, &offset))
			continue;
		unsigned pushed = arch_host()->start_push(&code);
		const struct {
			uint64_t at;
			int64_t cfa;
		} rows[] = { { 0, 8 },
			     { pushed - 1, 8 },
			     { pushed, 16 },
			     { code.size - 2, 16 },
			     { code.size - 1, 8 } };
		CHECK(pushed > 0);
		known++;
		for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
			struct answer a = answer_of(arch_host(), t,
						    unwind_table_rule(t, offset + rows[n].at));
			CHECK_INT(a.kind, UNWIND_STACK);
			CHECK_INT(a.cfa, rows[n].cfa);
		}
	}
	unwind_table_free(t);
	frames_free(frames);
	elf_file_free(elf);
	if (!known)
		SKIP("needs code whose start is known: x86_64");
	CHECK_INT(known, ARRAY_SIZE(names));
}

/* The functions that crtbegin.o adds to each file. */
TEST(functions_of_the_start_files_have_rows)
{
	static const struct {
		const char *function;
		uint64_t at;
		int64_t cfa, frame;
	} wanted[] = { { "register_tm_clones", 0, 8, 0 },
		       { "__do_global_dtors_aux", 0, 8, 0 },
		       { "__do_global_dtors_aux", 13, 8, 0 },
		       { "__do_global_dtors_aux", 14, 16, -16 },
		       { "frame_dummy", 0, 8, 0 },
		       { "frame_dummy", 4, 8, 0 } };
	struct elf_file *elf = NULL;
	struct frames *frames;
	struct unwind_table *t = table_of("/proc/self/exe", &elf, &frames);
	unsigned known = 0;
	for (size_t i = 0; arch_host()->start_functions && i < ARRAY_SIZE(wanted); i++) {
		const struct elf_symbol *s = elf_file_symbol_named(elf, wanted[i].function);
		uint64_t offset;
		if (!s || !elf_file_offset(elf, s->address + wanted[i].at, &offset))
			continue;
		known++;
		struct answer a = answer_of(arch_host(), t, unwind_table_rule(t, offset));
		CHECK_INT(a.kind, UNWIND_STACK);
		CHECK_INT(a.cfa, wanted[i].cfa);
		CHECK_INT(a.frame, wanted[i].frame);
	}
	unwind_table_free(t);
	frames_free(frames);
	elf_file_free(elf);
	if (!known)
		SKIP("needs start files that are known: x86_64");
}

TEST(outside_of_the_rows_is_nothing)
{
	struct elf_file *elf = NULL;
	struct frames *frames;
	struct unwind_table *t = table_of("/proc/self/exe", &elf, &frames);
	if (!t)
		SKIP("needs a program with .eh_frame");
	uint64_t first = (uint64_t)t->first_page << UNWIND_PAGE_BITS;
	uint64_t end = first + ((uint64_t)t->page_count << UNWIND_PAGE_BITS);
	CHECK_INT(unwind_table_rule(t, first - 1), 0);
	CHECK_INT(unwind_table_rule(t, end), 0);
	CHECK_INT(kind_at(t, end - 1), UNWIND_NONE); /* after the last entry */
	CHECK_INT(unwind_table_rule(t, 0), 0);
	CHECK_INT(unwind_table_rule(t, UINT64_MAX), 0);
	for (uint32_t i = 0; i + 1 < t->page_count; i++)
		CHECK(t->index[i] <= t->index[i + 1]);
	CHECK_INT(t->index[t->page_count], t->row_count);
	CHECK(!unwind_table_new(&arch_x86_64, NULL, frames));
	unwind_table_free(t);
	unwind_table_free(NULL);
	frames_free(frames);
	elf_file_free(elf);
}

TEST_MAIN
