/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of aarch64, on any machine, in a small file whose code has each form */
#include <elf.h>
#include <sys/mman.h>

#include "test.h"
#include "unwind/unwind_internal.h"

#define BASE 0x10000
#define CODE 64 /* bytes of each function */

/* Section numbers. */
enum { NAMES = 1, FRAMES, PLT, SYMBOLS, STRINGS, TEXT, SECTIONS };

struct program {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[SECTIONS];
	char names[64], strings[32];
	Elf64_Sym symbols[2];
	unsigned char frames[512];
	size_t used; /* of frames */
	uint32_t plt[16];
	uint32_t text[6][CODE / 4];
	uint32_t nop, signal_return[3];
};

#define AT(field) offsetof(struct program, field)

static void section(struct program *p, unsigned number, unsigned type, size_t at, size_t size,
		    const char *name)
{
	static const size_t names_at[SECTIONS] = { 0, 1, 10, 20, 30, 40, 50 };
	strcpy(p->names + names_at[number], name);
	p->sections[number] = (Elf64_Shdr) { .sh_type = type,
					     .sh_name = (uint32_t)names_at[number],
					     .sh_addr = BASE + at,
					     .sh_offset = at,
					     .sh_size = size };
}

static void program_init(struct program *p)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->header.e_ident, ELFMAG "\2\1\1", 7);
	p->header.e_machine = EM_AARCH64;
	p->header.e_phoff = AT(segment);
	p->header.e_phentsize = sizeof(Elf64_Phdr);
	p->header.e_phnum = 1;
	p->header.e_shoff = AT(sections);
	p->header.e_shentsize = sizeof(Elf64_Shdr);
	p->header.e_shnum = SECTIONS;
	p->header.e_shstrndx = NAMES;
	p->segment = (Elf64_Phdr) { .p_type = PT_LOAD,
				    .p_vaddr = BASE,
				    .p_filesz = sizeof(*p),
				    .p_memsz = sizeof(*p),
				    .p_flags = PF_R | PF_X };
	section(p, NAMES, SHT_STRTAB, AT(names), sizeof(p->names), "");
	section(p, FRAMES, SHT_PROGBITS, AT(frames), sizeof(p->frames), ".eh_frame");
	section(p, PLT, SHT_PROGBITS, AT(plt), sizeof(p->plt), ".plt");
	section(p, SYMBOLS, SHT_DYNSYM, AT(symbols), sizeof(p->symbols), ".dynsym");
	section(p, STRINGS, SHT_STRTAB, AT(strings), sizeof(p->strings), ".dynstr");
	section(p, TEXT, SHT_PROGBITS, AT(text), sizeof(p->text), ".text");
	p->sections[SYMBOLS].sh_link = STRINGS;
	p->sections[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
	strcpy(p->strings + 1, "__kernel_rt_sigreturn");
	p->symbols[1] = (Elf64_Sym) { .st_name = 1,
				      .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				      .st_shndx = TEXT,
				      .st_value = BASE + AT(signal_return),
				      .st_size = 8 };
	p->plt[1] = 0xa9bf7bf0;		  /* after bti c: stp x16, x30, [sp, #-16]! */
	p->signal_return[0] = 0xd2801168; /* mov x8, #139 */
	p->signal_return[1] = 0xd4000001; /* svc #0 */
}

static uint32_t add(struct program *p, const void *bytes, uint32_t len)
{
	uint32_t at = (uint32_t)p->used;
	memcpy(p->frames + at, &len, 4);
	memcpy(p->frames + at + 4, bytes, len);
	p->used += 4 + len;
	return at;
}

/* zR: relative addresses of 32 bits; code factor 4, data factor -8, column 30; CFA = sp. */
static const unsigned char cie[] = { 0,	 0, 0,	  0,	1,  'z', 'R', 0, 4, 0x78,
				     30, 1, 0x1b, 0x0c, 31, 0,	 0,   0, 0, 0 };

#define INSTRUCTIONS 15

static void add_function(struct program *p, unsigned number, const unsigned char *instructions)
{
	unsigned char fde[13 + INSTRUCTIONS] = { 0 };
	uint32_t id_at = (uint32_t)p->used + 4, size = CODE;
	int32_t distance = (int32_t)(AT(text[number]) - (AT(frames) + id_at + 4));
	memcpy(fde, &id_at, 4); /* back to the only CIE, at 0 */
	memcpy(fde + 4, &distance, 4);
	memcpy(fde + 8, &size, 4);
	memcpy(fde + 13, instructions, INSTRUCTIONS);
	add(p, fde, sizeof(fde));
}

static const unsigned char functions[][INSTRUCTIONS] = {
	/* paciasp; stp x29, x30, [sp, #-32]!: negate_ra_state, CFA = sp + 32, x29 at CFA - 32 */
	{ 0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 },
	/* str x30, [sp, #-16]!: x30 alone */
	{ 0x41, 0x0e, 16, 0x9e, 2 },
	/* the CFA by x29 */
	{ 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x41, 0x0c, 29, 32 },
	/* x30 undefined: nobody has called it */
	{ 0x07, 30 },
	/* as _dl_runtime_resolve() begins: x30 at CFA + 8, then CFA = sp + 208 */
	{ 0x41, 0x11, 30, 0x7f, 0x41, 0x0e, 0xd0, 1 },
	/* the return address is in x0 */
	{ 0x09, 30, 0 },
};

struct made {
	struct elf_file *elf;
	struct frames *frames;
	struct unwind_table *table;
};

static struct made made_of(const struct program *p)
{
	struct made m = { 0 };
	char path[64];
	auto_close int fd = memfd_create("aarch64", MFD_CLOEXEC);
	CHECK(write(fd, p, sizeof(*p)) == (ssize_t)sizeof(*p));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	error_free(elf_file_open(path, &m.elf));
	m.frames = frames_read(m.elf);
	m.table = unwind_table_new(&arch_aarch64, m.elf, m.frames);
	CHECK(m.table != NULL);
	return m;
}

static void made_free(struct made *m)
{
	unwind_table_free(m->table);
	frames_free(m->frames);
	elf_file_free(m->elf);
}

static struct made whole(void)
{
	struct program p;
	program_init(&p);
	add(&p, cie, sizeof(cie));
	for (unsigned i = 0; i < ARRAY_SIZE(functions); i++)
		add_function(&p, i, functions[i]);
	return made_of(&p);
}

#define WORD_OF(kind, cfa, frame) unwind_rule_word(kind, (cfa) / 8, (frame) / 8)
#define RULE(m, at) unwind_table_rule((m).table, at)

static const struct unwind_rule *rule_at(const struct made *m, uint64_t at)
{
	uint32_t word = RULE(*m, at), cfa = word >> UNWIND_CFA_AT & ((1 << UNWIND_CFA_BITS) - 1);
	CHECK_INT(word >> UNWIND_KIND_AT & 7, UNWIND_RULE);
	CHECK(cfa < m->table->rule_count && !(word >> UNWIND_FRAME_AT));
	return &m->table->rules[cfa];
}

#define CHECK_VALUE(v, b, l, o)                                                                    \
	do {                                                                                       \
		CHECK_INT((v).base, b);                                                            \
		CHECK_INT((v).loads, l);                                                           \
		CHECK_INT((v).offset, o);                                                          \
	} while (0)

enum { X0 = UNWIND_BASE_REGISTER, X30 = UNWIND_BASE_REGISTER + 30 };

TEST(usual_rows_are_words)
{
	struct made m = whole();
	uint32_t plain = WORD_OF(UNWIND_STACK, 0, 0), saved = WORD_OF(UNWIND_STACK, 32, 32);
	CHECK_INT(RULE(m, AT(text[0])), plain);
	CHECK_INT(RULE(m, AT(text[0]) + 4), plain); /* the signature changes nothing */
	CHECK_INT(RULE(m, AT(text[0]) + 8), saved);
	CHECK_INT(RULE(m, AT(text[1])), plain);
	CHECK_INT(RULE(m, AT(text[2]) + 7), saved);
	CHECK_INT(RULE(m, AT(text[2]) + 8), WORD_OF(UNWIND_FRAME, 32, 32));
	CHECK_INT(RULE(m, AT(text[3])), WORD_OF(UNWIND_END, 0, 0));
	CHECK(!m.table->saved);
	made_free(&m);
}

TEST(other_rows_are_rules)
{
	struct made m = whole();
	const struct unwind_rule *alone = rule_at(&m, AT(text[1]) + 4);
	CHECK_VALUE(alone->cfa, UNWIND_BASE_STACK, 0, 16);
	CHECK_VALUE(alone->return_address, UNWIND_BASE_CFA, 1, -16);
	CHECK_VALUE(alone->frame_pointer, UNWIND_UNCHANGED, 0, 0);
	const struct unwind_rule *elsewhere = rule_at(&m, AT(text[5]));
	CHECK_VALUE(elsewhere->return_address, X0, 0, 0);
	made_free(&m);
}

/* The caller's stack pointer is above the return address, whatever the CFA is. */
TEST(the_stub_for_lazy_binding_has_its_caller)
{
	struct made m = whole();
	CHECK_INT(RULE(m, AT(text[4])), WORD_OF(UNWIND_STACK, 0, 0));
	const struct unwind_rule *pushed = rule_at(&m, AT(text[4]) + 4);
	CHECK_VALUE(pushed->cfa, UNWIND_BASE_STACK, 0, 16);
	CHECK_VALUE(pushed->return_address, UNWIND_BASE_CFA, 1, -8);
	CHECK_VALUE(rule_at(&m, AT(text[4]) + 8)->cfa, UNWIND_BASE_STACK, 0, 224);
	made_free(&m);
}

TEST(entries_of_the_plt_have_no_frame_but_the_first)
{
	struct made m = whole();
	uint32_t plain = WORD_OF(UNWIND_STACK, 0, 0);
	CHECK_INT(RULE(m, AT(plt)), plain);
	CHECK_INT(RULE(m, AT(plt) + 7), plain);
	const struct unwind_rule *first = rule_at(&m, AT(plt) + 8);
	CHECK_VALUE(first->cfa, UNWIND_BASE_STACK, 0, 16);
	CHECK_VALUE(first->return_address, UNWIND_BASE_CFA, 1, -8);
	CHECK(rule_at(&m, AT(plt) + 31) == first);
	CHECK_INT(RULE(m, AT(plt) + 32), plain);
	CHECK_INT(RULE(m, AT(plt) + 63), plain);
	made_free(&m);
	struct program p;
	program_init(&p);
	p.plt[1] = 0; /* of a linker that does it in another way */
	m = made_of(&p);
	CHECK_INT(RULE(m, AT(plt) + 8), plain);
	made_free(&m);
}

TEST(signal_handlers_return_to_a_frame_with_all_registers)
{
	struct made m = whole();
	const struct unwind_rule *r = rule_at(&m, AT(signal_return));
	CHECK(rule_at(&m, AT(nop)) == r); /* the byte before the return address is there */
	CHECK(rule_at(&m, AT(signal_return) + 7) == r);
	CHECK_INT(RULE(m, AT(signal_return) + 8), 0);
	CHECK_INT(r->is_signal, 1);
	/* from the frame's first byte, where struct siginfo is */
	CHECK_VALUE(r->cfa, UNWIND_BASE_STACK, 1, 560);
	CHECK_VALUE(r->return_address, UNWIND_BASE_STACK, 1, 568);
	CHECK_VALUE(r->frame_pointer, UNWIND_BASE_STACK, 1, 544);
	CHECK_INT(r->saved_at, 552);
	made_free(&m);
	struct program p;
	program_init(&p);
	p.signal_return[1] = 0; /* only its name is the same */
	m = made_of(&p);
	CHECK_INT(RULE(m, AT(signal_return)), 0);
	made_free(&m);
}

/* Go has x30 at a frame's lower end and x29 below it; on x86_64 both are above it. */
TEST(frames_of_go)
{
	struct rules r = { .arch = &arch_aarch64, .by_content = hash_new() };
	CHECK_INT(go_rule_word(&r, 0), WORD_OF(UNWIND_STACK, 0, 0));
	CHECK_INT(go_rule_word(&r, 64), WORD_OF(UNWIND_STACK, 64, 72));
	CHECK_INT(go_rule_word(&r, -8), WORD_OF(UNWIND_REFUSE, 0, 0));
	CHECK_INT(go_rule_word(&r, 40016), WORD_OF(UNWIND_RULE, 0, 0));
	const struct unwind_rule *large = &r.list.items[0];
	CHECK_VALUE(large->cfa, UNWIND_BASE_STACK, 0, 40016);
	CHECK_VALUE(large->return_address, UNWIND_BASE_CFA, 1, -40016);
	CHECK_VALUE(large->frame_pointer, UNWIND_BASE_CFA, 1, -40024);
	r.arch = &arch_x86_64;
	CHECK_INT(go_rule_word(&r, 0), WORD_OF(UNWIND_STACK, 8, 0));
	CHECK_INT(go_rule_word(&r, 32), WORD_OF(UNWIND_STACK, 40, 16));
	hash_free(r.by_content);
	vector_free(&r.list);
}

#if defined(__aarch64__)
#include <asm/sigcontext.h>
#include <signal.h>
#include <ucontext.h>
/* What the kernel's headers say. */
TEST(the_signal_frame_is_that_of_the_kernel)
{
	size_t at = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext);
	CHECK_INT(arch_aarch64.signal_frame.pc_at, at + offsetof(mcontext_t, pc));
	CHECK_INT(arch_aarch64.signal_frame.stack_at, at + offsetof(mcontext_t, sp));
	CHECK_INT(arch_aarch64.signal_frame.frame_at, at + offsetof(mcontext_t, regs[29]));
	CHECK_INT(arch_aarch64.signal_frame.link_at, at + offsetof(mcontext_t, regs[30]));
}
#endif

TEST_MAIN
