/* SPDX-License-Identifier: BSD-2-Clause */
/* Where control comes to in functions of this program, of assembly */
#include "inject/code/code.h"

#include <link.h>
#include <unistd.h>

#include "test.h"

#ifdef __x86_64__

/* Labels that a table leads to have names that begin with .L: nothing else leads to them. */
/* clang-format off */
__asm__(".pushsection .text\n.balign 16\n"
	".globl by_distances, by_addresses, by_label, by_argument, by_sum, with_pad, with_inner, inner, restarted\n"
	"by_distances: .cfi_startproc\nlea .Ldistances(%rip),%rdx\nmovslq (%rdx,%rdi,4),%rax\nadd %rdx,%rax\n"
	"jmp *%rax\n.Ld0: mov $1,%eax\nret\n.Ld1: mov $2,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"by_addresses: .cfi_startproc\nlea .Laddresses(%rip),%rdx\njmp *(%rdx,%rdi,8)\n"
	".La0: mov $1,%eax\nret\n.La1: mov $2,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"by_label: .cfi_startproc\nlea .Llabel(%rip),%rdx\nmov %rdx,(%rdi)\nmov (%rdi),%rax\njmp *%rax\n"
	".Llabel: mov $1,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"by_argument: .cfi_startproc\nmov %rdi,%rax\njmp *%rax\nmov $1,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"by_sum: .cfi_startproc\nmovslq (%rdx,%rdi,4),%rax\nadd %rdx,%rax\njmp *%rax\nmov $1,%eax\nret\n"
	".cfi_endproc\n.balign 16\n"
	"with_pad: .cfi_startproc\n.cfi_lsda 0x1b,.Lpads\ncall by_label\n.Lreturns: mov $1,%eax\nret\n"
	".Lpad: mov $2,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"with_inner: .cfi_startproc\nmov $1,%eax\ninner: mov $2,%eax\nret\n.cfi_endproc\n.balign 16\n"
	"restarted: .cfi_startproc\nmov $1,%eax\n.Lrestart: mov $2,%eax\n.Lcommit: ret\n.Labort: ret\n.cfi_endproc\n"
	".popsection\n"
	".pushsection .rodata\n.balign 4\n.Ldistances: .long .Ld0-.Ldistances,.Ld1-.Ldistances,0\n.popsection\n"
	".pushsection .data.rel.ro,\"aw\"\n.balign 8\n.Laddresses: .quad .La0,.La1,0\n.popsection\n"
	".pushsection .gcc_except_table,\"a\"\n.Lpads: .byte 0xff,0xff,1\n.uleb128 .Lpads_end-.Lpads_begin\n"
	".Lpads_begin: .uleb128 0\n.uleb128 .Lreturns-with_pad\n.uleb128 .Lpad-with_pad\n.uleb128 0\n.Lpads_end:\n.popsection\n"
	".pushsection __rseq_cs,\"aw\"\n.balign 32\n.long 0,0\n.quad .Lrestart,.Lcommit-.Lrestart,.Labort\n.popsection\n");
/* clang-format on */

void by_distances(void), by_addresses(void), by_label(void), by_argument(void), by_sum(void),
	with_pad(void), with_inner(void), restarted(void);

/* Of this program. */
struct own {
	struct images *images;
	struct mapping *list;
	size_t count;
	struct code_file file;
	uint64_t base;
};

static int find_base(struct dl_phdr_info *info, size_t size, void *ret)
{
	*(uint64_t *)ret = info->dlpi_addr; /* the program is the first one */
	return 1;
}

static bool own_open(struct own *o)
{
	*o = (struct own) { .images = images_new() };
	dl_iterate_phdr(find_base, &o->base);
	auto_error struct error *err = process_mappings(getpid(), &o->list, &o->count);
	const struct mapping *m =
		err ? NULL : mappings_find(o->list, o->count, (uint64_t)by_distances);
	struct image *image = m ? images_find(o->images, getpid(), m) : NULL;
	if (!image)
		return false;
	code_file_init(&o->file, image, "this program");
	code_file_targets(&o->file);
	return !o->file.problem;
}

static void own_close(struct own *o)
{
	code_file_deinit(&o->file);
	process_mappings_free(o->list, o->count);
	images_free(o->images);
}

struct known {
	enum patch_refusal why;
	bool anywhere;
	unsigned inside; /* targets after its first byte */
	uint64_t first;	 /* of them, from the first byte */
};

static struct known known_of(const struct own *o, void (*function)(void))
{
	struct known ret = { 0 };
	struct patch_function f = { 0 };
	offset_vector local = { 0 };
	uint64_t begin;
	CHECK(elf_file_offset(o->file.elf, (uint64_t)function - o->base, &begin));
	ret.why = code_function(&o->file, begin, 0, true, &local, &f);
	ret.anywhere = f.jumps_anywhere;
	for (size_t i = 0; i < f.target_count; i++) {
		if (f.targets[i] <= f.begin || f.targets[i] >= f.end)
			continue;
		if (!ret.inside++)
			ret.first = f.targets[i] - f.begin;
	}
	vector_free(&local);
	return ret;
}

TEST(places_in_tables_are_targets)
{
	struct own o;
	CHECK(own_open(&o));
	struct known k = known_of(&o, by_distances);
	CHECK(!k.anywhere);
	CHECK_INT(k.inside, 2);
	CHECK_INT(k.first, 16);
	k = known_of(&o, by_addresses);
	CHECK(!k.anywhere);
	CHECK_INT(k.inside, 2);
	CHECK_INT(k.first, 10);
	k = known_of(&o, by_label);
	CHECK(!k.anywhere);
	CHECK_INT(k.inside, 1);
	own_close(&o);
}

TEST(jumps_without_a_table_are_calls_or_lead_anywhere)
{
	struct own o;
	CHECK(own_open(&o));
	CHECK(!known_of(&o, by_argument).anywhere);
	CHECK(known_of(&o, by_sum).anywhere);
	own_close(&o);
}

TEST(landing_pads_and_inner_symbols_are_targets)
{
	struct own o;
	CHECK(own_open(&o));
	CHECK(!o.file.pads_unknown);
	struct known k = known_of(&o, with_pad);
	CHECK_INT(k.inside, 1);
	CHECK_INT(k.first, 11);
	k = known_of(&o, with_inner);
	CHECK_INT(k.inside, 1);
	CHECK_INT(k.first, 5);
	own_close(&o);
}

TEST(restartable_sequences_stay_where_they_are)
{
	struct own o;
	CHECK(own_open(&o));
	CHECK_INT(known_of(&o, with_pad).why, PATCH_FITS);
	CHECK_INT(known_of(&o, restarted).why, PATCH_RESTARTABLE);
	own_close(&o);
}

#else

TEST(places_in_tables_are_targets)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
