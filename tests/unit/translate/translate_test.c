/* SPDX-License-Identifier: BSD-2-Clause */
/* What is refused, what a translation says of its code, calls, the bounds of the place */
#include "translate/translate.h"

#include <sys/mman.h>

#include "test.h"

#define PLACE 4096

struct small {
	struct bpf_insn code[300];
	struct relocation relocations[4];
	struct group_code group;
	struct translate_owner owner;
	char *bytes; /* where it may run */
	struct translation translation;
	struct error *err;
};

#define ALU(op, dst, number)                                                                       \
	(struct bpf_insn)                                                                          \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_##op | BPF_K, .dst_reg = dst, .imm = number                \
	}
#define CODE(opcode, dst, src, offset, number)                                                     \
	(struct bpf_insn)                                                                          \
	{                                                                                          \
		.code = (uint8_t)(opcode), .dst_reg = dst, .src_reg = src, .off = offset,          \
		.imm = number                                                                      \
	}
#define EXIT                                                                                       \
	(struct bpf_insn)                                                                          \
	{                                                                                          \
		.code = BPF_JMP | BPF_EXIT                                                         \
	}
#define CALL                                                                                       \
	(struct bpf_insn)                                                                          \
	{                                                                                          \
		.code = BPF_JMP | BPF_CALL                                                         \
	}

/* --- an owner --------------------------------------------------------------------------------- */

static uint64_t sum(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	return a + b * 10 + c * 100 + d * 1000 + e * 10000;
}

/* Bodies are called three times, with a number and the argument. */
static uint64_t thrice(uint64_t a, uint64_t body, uint64_t argument, uint64_t d, uint64_t e)
{
	uint64_t (*call)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) =
		(uint64_t(*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t))body;
	uint64_t ret = 0;
	for (uint64_t i = 1; i <= 3; i++) {
#ifdef __x86_64__
		__asm__ volatile("mov $-1, %%r12" ::: "r12"); /* as any function may */
#endif
		ret += call(i, argument, 0, 0, e);
	}
	return ret;
}

static bool small_refer(void *arg, const struct relocation *r, uint64_t *ret)
{
	*ret = r->addend;
	return r->kind == RELOCATE_CONTROL;
}

static bool small_bind(void *arg, enum rt_function f, struct translate_binding *ret)
{
	switch (f) {
	case RT_cookie:
		*ret = (struct translate_binding) { TRANSLATE_WORD, 16 };
		return true;
	case RT_area:
		*ret = (struct translate_binding) { TRANSLATE_OWNER, 0 };
		return true;
	case RT_cpu:
		*ret = (struct translate_binding) { TRANSLATE_NUMBER, 7 };
		return true;
	case RT_loop:
		*ret = (struct translate_binding) { TRANSLATE_CALL, (uintptr_t)thrice };
		return true;
	case RT_task:
		return false;
	default:
		*ret = (struct translate_binding) { TRANSLATE_CALL, (uintptr_t)sum };
		return true;
	}
}

/* --- small programs --------------------------------------------------------------------------- */

static void small_deinit(struct small *s)
{
	translation_deinit(&s->translation);
	error_free(s->err);
	if (s->bytes)
		munmap(s->bytes, PLACE);
}

static void small_put(struct small *s, const struct bpf_insn *code, uint32_t count)
{
	memcpy(s->code + s->group.count, code, count * sizeof(*code));
	s->group.count += count;
}
#define SMALL(s, ...)                                                                              \
	__attribute__((cleanup(small_deinit))) struct small s = {                                  \
		.owner = { NULL, small_refer, small_bind, false }                                  \
	};                                                                                         \
	small_put(&s, (const struct bpf_insn[]) { __VA_ARGS__ },                                   \
		  sizeof((const struct bpf_insn[]) { __VA_ARGS__ }) / sizeof(struct bpf_insn))

static void small_relocate(struct small *s, uint32_t at, enum relocation_kind kind, uint32_t index,
			   uint32_t addend)
{
	s->relocations[s->group.relocation_count++] =
		(struct relocation) { at, kind, index, addend };
}

static bool small_translate(struct small *s)
{
	s->group.code = s->code;
	s->group.relocations = s->relocations;
	s->bytes = mmap(NULL, PLACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct translate_place place = { s->bytes, PLACE, (uintptr_t)s->bytes };
	s->err = translate(&s->group, &s->owner, &place, &s->translation);
	return !s->err;
}

static void check_refused(struct small *s, const char *why, int line)
{
	bool is_refused = !small_translate(s);
	if (is_refused && strstr(error_text(s->err), why))
		return;
	printf("line %d: %s, wanted %s\n", line, is_refused ? error_text(s->err) : "translated",
	       why);
	test_failed_now = true;
}
#define CHECK_REFUSED(why, ...)                                                                    \
	do {                                                                                       \
		SMALL(refused_, __VA_ARGS__);                                                      \
		check_refused(&refused_, why, __LINE__);                                           \
	} while (0)

/* The result of the code, with the context in R1 and OWNER in r12. */
static uint64_t small_execute(struct small *s, const void *context, const void *owner)
{
	uint64_t ret = 0;
#ifdef __x86_64__
	if (s->err || mprotect(s->bytes, PLACE, PROT_READ | PROT_EXEC) < 0)
		return 0;
	register uint64_t r12 __asm__("r12") = (uintptr_t)owner;
	register uint64_t rdi __asm__("rdi") = (uintptr_t)context;
	__asm__ volatile("mov %%rsp, %%rbx; and $-16, %%rsp; call *%3; mov %%rbx, %%rsp"
			 : "=a"(ret), "+r"(rdi), "+r"(r12)
			 : "r"(s->bytes)
			 : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");
	CHECK(r12 == (uintptr_t)owner);
#endif
	return ret;
}

#ifdef __x86_64__
#define NEEDS_THE_MACHINE
#else
#define NEEDS_THE_MACHINE SKIP("code is translated for x86_64 only")
#endif

static uint64_t small_run(struct small *s, const void *context, const void *owner)
{
	CHECK(small_translate(s));
	return small_execute(s, context, owner);
}

/* --- refused ---------------------------------------------------------------------------------- */

TEST(what_is_unknown_is_refused)
{
	CHECK_REFUSED("instruction 1: an arithmetic instruction that is unknown", ALU(MOV, 0, 0),
		      CODE(0xe7, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("arithmetic", CODE(BPF_ALU64 | BPF_DIV | BPF_X, 0, 1, 1, 0), EXIT);
	CHECK_REFUSED("arithmetic", CODE(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 8, 0), EXIT);
	CHECK_REFUSED("three operands", CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 1, 0, 5), EXIT);
	CHECK_REFUSED("three operands", CODE(BPF_ALU64 | BPF_ADD | BPF_K, 0, 1, 0, 5), EXIT);
	CHECK_REFUSED("order of bytes", CODE(BPF_ALU | BPF_END | BPF_TO_LE, 0, 0, 0, 16), EXIT);
	CHECK_REFUSED("order of bytes", CODE(BPF_ALU64 | BPF_END, 0, 0, 0, 16), EXIT);
	CHECK_REFUSED("order of bytes", CODE(BPF_ALU | BPF_END | BPF_TO_BE, 0, 0, 0, 8), EXIT);
	CHECK_REFUSED("register", CODE(BPF_ALU64 | BPF_MOV | BPF_X, 11, 0, 0, 0), EXIT);
	CHECK_REFUSED("register", CODE(BPF_ALU64 | BPF_MOV | BPF_X, 0, 15, 0, 0), EXIT);
	CHECK_REFUSED("arithmetic", ALU(ADD, 10, 8), EXIT); /* FP is read only */
	CHECK_REFUSED("a load", CODE(BPF_LDX | BPF_MEM | BPF_DW, 10, 1, 0, 0), EXIT);
	CHECK_REFUSED("a load", CODE(BPF_LDX | 0x80 | BPF_DW, 0, 1, 0, 0), EXIT);
	CHECK_REFUSED("a load", CODE(BPF_LDX | 0xa0 | BPF_W, 0, 1, 0, 0), EXIT);
	CHECK_REFUSED("a store", CODE(BPF_ST | BPF_ATOMIC | BPF_W, 1, 0, 0, 0), EXIT);
	CHECK_REFUSED("an atomic", CODE(BPF_STX | BPF_ATOMIC | BPF_H, 1, 0, 0, BPF_ADD), EXIT);
	CHECK_REFUSED("an atomic", CODE(BPF_STX | BPF_ATOMIC | BPF_W, 1, 0, 0, BPF_SUB), EXIT);
	CHECK_REFUSED("a jump", CODE(BPF_JMP32 | BPF_JA, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("a jump", CODE(BPF_JMP | 0xf0, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("a jump", CODE(BPF_JMP32 | BPF_EXIT, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("an instruction", CODE(BPF_LD | BPF_ABS | BPF_W, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("16-byte", CODE(BPF_LD | BPF_DW | BPF_IMM, 0, BPF_PSEUDO_MAP_FD, 0, 3),
		      CODE(0, 0, 0, 0, 0), EXIT);
}

TEST(control_stays_in_the_code)
{
	CHECK_REFUSED("a jump out of its function", CODE(BPF_JMP | BPF_JA, 0, 0, 1, 0), EXIT);
	CHECK_REFUSED("a jump out of its function", CODE(BPF_JMP | BPF_JA, 0, 0, -2, 0), EXIT);
	CHECK_REFUSED("a jump out of its function", CODE(BPF_JMP | BPF_JEQ, 0, 0, 1, 0),
		      CODE(BPF_LD | BPF_DW | BPF_IMM, 0, 0, 0, 0), CODE(0, 0, 0, 0, 0), EXIT);
	CHECK_REFUSED("over the end", ALU(MOV, 0, 0));
	CHECK_REFUSED("over the end", ALU(MOV, 0, 0), CODE(BPF_JMP | BPF_JEQ, 0, 0, -2, 0));
	CHECK_REFUSED("half of an instruction", EXIT, CODE(BPF_LD | BPF_DW | BPF_IMM, 0, 0, 0, 0));
	CHECK_REFUSED("calls nothing", CALL, EXIT);
	CHECK_REFUSED("outside of the frame", CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -520, 1),
		      EXIT);
	CHECK_REFUSED("outside of the frame", CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 10, -7, 0), EXIT);
	SMALL(none, EXIT);
	none.group.count = 0;
	check_refused(&none, "no code", __LINE__);
	SMALL(error, ALU(MOV, 0, 0), EXIT, EXIT);
	error.code[1] = error.code[0]; /* runs into the ERROR clauses */
	error.group.error_entry = 2;
	check_refused(&error, "over the end", __LINE__);
}

TEST(references_are_checked)
{
	SMALL(missing, CALL, EXIT);
	small_relocate(&missing, 0, RELOCATE_CALL, RT_task, 0);
	check_refused(&missing, "does not have the function task", __LINE__);
	SMALL(unknown, CALL, EXIT);
	small_relocate(&unknown, 0, RELOCATE_CALL, RT_COUNT, 0);
	check_refused(&unknown, "a function that is not there", __LINE__);
	SMALL(part, ALU(MOV, 0, 0), EXIT, CALL, EXIT);
	part.group.error_entry = 2;
	small_relocate(&part, 2, RELOCATE_CALL, RT_next_part, 0);
	check_refused(&part, "to the next part", __LINE__);
	SMALL(other, CALL, EXIT);
	small_relocate(&other, 0, RELOCATE_CONTROL, 0, 0);
	check_refused(&other, "of another instruction", __LINE__);
	SMALL(error, CALL, EXIT);
	small_relocate(&error, 0, RELOCATE_ERROR, 0, 0);
	check_refused(&error, "calls nothing", __LINE__);
	SMALL(order, CALL, CALL, EXIT);
	small_relocate(&order, 1, RELOCATE_CALL, RT_time, 0);
	small_relocate(&order, 0, RELOCATE_CALL, RT_time, 0);
	check_refused(&order, "out of order", __LINE__);
	SMALL(address, CODE(BPF_LD | BPF_DW | BPF_IMM, 0, 0, 0, 0), CODE(0, 0, 0, 0, 0), EXIT);
	small_relocate(&address, 0, RELOCATE_GLOBALS, 0, 0);
	check_refused(&address, "an address that this executor does not have", __LINE__);
	SMALL(function, CODE(BPF_LD | BPF_DW | BPF_IMM, 0, 0, 0, 0), CODE(0, 0, 0, 0, 0), EXIT);
	small_relocate(&function, 0, RELOCATE_FUNCTION, 0, 1);
	check_refused(&function, "a function that is not there", __LINE__);
}

/* Whatever the bytes are: it ends, and nothing outside of the place is written. */
TEST(any_bytes_are_translated_or_refused)
{
	uint64_t random = 1;
	unsigned translated = 0;
	for (unsigned i = 0; i < 200000; i++) {
		SMALL(s, EXIT);
		s.group.count = 1 + i % 12;
		for (uint32_t k = 0; k < s.group.count * 2; k++) {
			random = random * 6364136223846793005ull + 1442695040888963407ull;
			uint64_t word = random >> 20;
			memcpy((char *)s.code + k * 4, &word, 4);
			if (k % 2 == 0 && i % 3) /* no register that is unknown, near jumps */
				s.code[k / 2].dst_reg &= 7, s.code[k / 2].src_reg &= 7,
					s.code[k / 2].off %= 4;
			if (k % 2 && i % 5)
				s.code[k / 2].imm &= 0xf1;
		}
		s.code[s.group.count - 1] = EXIT;
		char bytes[200];
		memset(bytes, 0x5a, sizeof(bytes));
		size_t size = (random >> 33) % 190;
		struct translate_place place = { bytes, size, 0x400000 };
		s.group.code = s.code;
		s.err = translate(&s.group, &s.owner, &place, &s.translation);
		translated += !s.err;
		for (size_t k = size; k < sizeof(bytes); k++)
			if (bytes[k] != 0x5a)
				test_failed_now = true;
	}
	CHECK(translated > 1000);
}

TEST(a_place_that_is_too_small_is_refused_and_not_left)
{
	SMALL(s, CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 1), ALU(DIV, 0, 3), CALL,
	      CODE(BPF_JMP | BPF_JEQ, 0, 0, -3, 5), EXIT);
	small_relocate(&s, 2, RELOCATE_CALL, RT_time, 0);
	CHECK(small_translate(&s));
	uint32_t needed = s.translation.size;
	for (uint32_t size = 0; size <= needed; size++) {
		char bytes[PLACE];
		memset(bytes, 0x5a, sizeof(bytes));
		struct translate_place place = { bytes, size, (uintptr_t)s.bytes };
		struct translation t = { 0 };
		auto_error struct error *err = translate(&s.group, &s.owner, &place, &t);
		CHECK((err == NULL) == (size == needed));
		CHECK(!err || strstr(error_text(err), "its place has"));
		CHECK_INT(bytes[size], 0x5a);
		translation_deinit(&t);
	}
}

/* --- running ---------------------------------------------------------------------------------- */

TEST(rows_are_called_or_in_line)
{
	NEEDS_THE_MACHINE;
	static const uint64_t words[] = { 11, 12, 0x1300000013, 14 };
	static const struct {
		enum rt_function f;
		uint64_t result;
	} rows[] = { { RT_time, 54321 },
		     { RT_cookie, 0x1300000013 },
		     { RT_area, (uintptr_t)words },
		     { RT_cpu, 7 } };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		SMALL(s, ALU(MOV, 1, 1), ALU(MOV, 2, 2), ALU(MOV, 3, 3), ALU(MOV, 4, 4),
		      ALU(MOV, 5, 5), CALL, EXIT);
		small_relocate(&s, 5, RELOCATE_CALL, rows[i].f, 0);
		CHECK(small_run(&s, NULL, words) == rows[i].result);
	}
}

/* Of every distance around 128, forward and back. */
TEST(jumps_reach_their_targets)
{
	NEEDS_THE_MACHINE;
	for (int16_t n = 30; n < 50; n++) {
		SMALL(s, ALU(MOV, 0, 0), ALU(MOV, 2, 3),
		      CODE(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 0, 0));
		for (int i = 0; i < n; i++)
			s.code[s.group.count++] = ALU(ADD, 0, 1);
		s.code[2].off = (int16_t)(n + 2);
		s.code[s.group.count++] = ALU(SUB, 2, 1);
		s.code[s.group.count++] = CODE(BPF_JMP | BPF_JA, 0, 0, (int16_t)(-n - 3), 0);
		s.code[s.group.count++] = EXIT;
		CHECK_INT(small_run(&s, NULL, NULL), n * 3);
		const uint32_t *at = s.translation.offsets; /* 3 bytes are the test's */
		CHECK_INT(at[3] - at[2], at[n + 5] - at[3] < 128 ? 5 : 9);
	}
}

/* A body adds its number to a word of its caller's frame. */
TEST(bodies_of_loops_use_the_frame_of_their_caller)
{
	NEEDS_THE_MACHINE;
	SMALL(s, CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 100),
	      CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0),
	      CODE(BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0), CALL,
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 1, 0, 0), EXIT,
	      /* the body */
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 2, -8, 0),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 1, 0, 0),
	      CODE(BPF_STX | BPF_MEM | BPF_DW, 2, 0, -8, 0),
	      CODE(BPF_STX | BPF_MEM | BPF_DW, 2, 0, -48, 0), ALU(MOV, 0, 1000), EXIT);
	small_relocate(&s, 1, RELOCATE_FUNCTION, 0, 8);
	small_relocate(&s, 4, RELOCATE_CALL, RT_loop, 0);
	CHECK_INT(small_run(&s, NULL, NULL), 3000 + 106);
	/* the body's deepest word, and the body's own */
	CHECK_INT(s.translation.stack, 8 + 8 + 48 + 8 + 8);
}

/* Which the function that calls them has used. */
TEST(bodies_of_loops_have_the_owners_register)
{
	NEEDS_THE_MACHINE;
	static const uint64_t words[] = { 11, 12, 1000, 14 };
	SMALL(s, CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0), CALL, EXIT, CALL,
	      EXIT);
	small_relocate(&s, 0, RELOCATE_FUNCTION, 0, 4);
	small_relocate(&s, 2, RELOCATE_CALL, RT_loop, 0);
	small_relocate(&s, 4, RELOCATE_CALL, RT_cookie, 0);
	CHECK_INT(small_run(&s, NULL, words), 3000);
}

TEST(error_clauses_are_a_function)
{
	NEEDS_THE_MACHINE;
	SMALL(s, ALU(MOV, 6, 5), ALU(MOV, 2, 9), CALL,
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 6, 0, 0), EXIT,
	      CODE(BPF_ALU64 | BPF_MOV | BPF_X, 0, 2, 0, 0), ALU(MOV, 6, 1), EXIT);
	s.group.error_entry = 5;
	small_relocate(&s, 2, RELOCATE_ERROR, 0, 0);
	CHECK_INT(small_run(&s, NULL, NULL), 14);
}

/* --- what a translation says ------------------------------------------------------------------ */

TEST(a_function_takes_the_stack_that_it_uses)
{
	SMALL(none, ALU(MOV, 0, 0), EXIT);
	CHECK(small_translate(&none));
	CHECK_INT(none.translation.stack, 8);
	SMALL(word, CODE(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0), EXIT);
	CHECK(small_translate(&word));
	CHECK_INT(word.translation.stack, 8 + 8 + 8);
	SMALL(moved, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0), ALU(ADD, 1, -40), CALL, EXIT);
	small_relocate(&moved, 2, RELOCATE_CALL, RT_time, 0);
	CHECK(small_translate(&moved));
	CHECK_INT(moved.translation.stack, 8 + 8 + 48); /* 40, and aligned */
	SMALL(unknown, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 1, 0, 0, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_B, 0, 1, 0, 0), EXIT);
	CHECK(small_translate(&unknown));
	CHECK_INT(unknown.translation.stack, 8 + 8 + 512);
	SMALL(loop, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0), ALU(ADD, 1, -8),
	      CODE(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 0, 0),
	      CODE(BPF_JMP | BPF_JNE | BPF_K, 0, 0, -3, 5), EXIT);
	CHECK(small_translate(&loop));
	CHECK_INT(loop.translation.stack, 8 + 8 + 512);
}

/* In the ERROR clauses, which save theirs: &frame.2 is the argument. */
TEST(pointers_that_are_saved_in_the_frame_are_known)
{
	SMALL(s, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0), ALU(ADD, 2, -16), CALL, EXIT,
	      CODE(BPF_STX | BPF_MEM | BPF_DW, 10, 2, -24, 0),
	      CODE(BPF_STX | BPF_MEM | BPF_DW, 10, 1, -32, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 3, 10, -24, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 3, -8, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 4, 10, -32, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 4, 40, 0), EXIT);
	s.group.error_entry = 4;
	small_relocate(&s, 2, RELOCATE_ERROR, 0, 0);
	CHECK(small_translate(&s));
	/* 16, and what is 8 below; the frame of the ERROR clauses */
	CHECK_INT(s.translation.stack, 8 + 8 + 24 + 8 + 8 + 32 - 8);
	CHECK_INT(s.translation.context_words, 1 << 5);
	SMALL(half, CODE(BPF_STX | BPF_MEM | BPF_W, 10, 10, -4, 0), EXIT);
	CHECK(small_translate(&half));
	CHECK_INT(half.translation.stack, 8 + 8 + 512);
}

TEST(the_words_of_the_context_that_are_read_are_known)
{
	SMALL(none, ALU(MOV, 0, 0), EXIT);
	CHECK(small_translate(&none));
	CHECK_INT(none.translation.context_words, 0);
	SMALL(two, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_W, 2, 6, 12, 0), ALU(ADD, 6, 8),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 6, 104, 0),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 2, 0, 0), EXIT);
	CHECK(small_translate(&two));
	CHECK_INT(two.translation.context_words, 1 << 1 | 1 << 14);
	SMALL(either, CODE(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 1, 0), ALU(ADD, 1, 8),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 1, 8, 0), EXIT);
	CHECK(small_translate(&either));
	CHECK(either.translation.context_words == TRANSLATE_ALL_WORDS);
	SMALL(passed, CALL, EXIT);
	small_relocate(&passed, 0, RELOCATE_CALL, RT_ustack, 0);
	CHECK(small_translate(&passed));
	CHECK(passed.translation.context_words == TRANSLATE_ALL_WORDS);
	SMALL(in_line, CALL, EXIT);
	small_relocate(&in_line, 0, RELOCATE_CALL, RT_cookie, 0);
	CHECK(small_translate(&in_line));
	CHECK_INT(in_line.translation.context_words, 0);
}

TEST(registers_that_change_are_known)
{
	SMALL(none, ALU(ADD, 0, 1), EXIT);
	CHECK(small_translate(&none));
	CHECK_INT(none.translation.registers, 1 << 0);
	SMALL(divides, ALU(DIV, 1, 3), CODE(BPF_STX | BPF_MEM | BPF_DW, 1, 1, 0, 0), EXIT);
	CHECK(small_translate(&divides));
	CHECK_INT(divides.translation.registers, 1 << 0 | 1 << 2 | 1 << 7 | 7 << 9);
	SMALL(calls, CALL, EXIT);
	small_relocate(&calls, 0, RELOCATE_CALL, RT_time, 0);
	CHECK(small_translate(&calls));
	CHECK_INT(calls.translation.registers, 0xfc7);
	SMALL(saves, ALU(MOV, 6, 1), EXIT);
	CHECK(small_translate(&saves));
	CHECK_INT(saves.translation.registers, 0);
}

static bool has_lock(const struct small *s)
{
	return memchr(s->bytes, 0xf0, s->translation.size) != NULL;
}

TEST(private_adds_have_no_lock)
{
	SMALL(private, CODE(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 2, 0, BPF_ADD), EXIT);
	CHECK(small_translate(&private));
	CHECK(!has_lock(&private));
	SMALL(shared, CODE(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 2, 0, BPF_ADD), EXIT);
	shared.owner.is_shared = true;
	CHECK(small_translate(&shared));
	CHECK(has_lock(&shared));
	SMALL(fetches, CODE(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 2, 0, BPF_ADD | BPF_FETCH), EXIT);
	CHECK(small_translate(&fetches));
	CHECK(has_lock(&fetches));
}

/* Relative to the code, where that is shorter. */
TEST(addresses_near_the_code_are_whole)
{
	NEEDS_THE_MACHINE;
	static const int64_t distances[] = { 0, 5, -5, 1 << 20, INT32_MAX, INT32_MIN, 1ll << 40 };
	for (size_t i = 0; i < ARRAY_SIZE(distances); i++) {
		SMALL(s, CODE(BPF_LD | BPF_DW | BPF_IMM, 0, 0, 0, 0), CODE(0, 0, 0, 0, 0), EXIT);
		CHECK(small_translate(&s));
		char bytes[32];
		uint64_t address = (uintptr_t)s.bytes + (uint64_t)distances[i];
		struct translate_place place = { bytes, sizeof(bytes), (uintptr_t)s.bytes };
		s.code[0].imm = (int32_t)address;
		s.code[1].imm = (int32_t)(address >> 32);
		struct translation near;
		auto_error struct error *err = translate(&s.group, &s.owner, &place, &near);
		CHECK(!err);
		CHECK_INT(near.size, 1 + (i < 5 ? 7 : 10));
		memcpy(s.bytes, bytes, near.size); /* it is right there */
		CHECK(small_execute(&s, NULL, NULL) == address);
		translation_deinit(&near);
	}
}

TEST(instructions_are_found_in_the_code)
{
	SMALL(s, ALU(MOV, 0, 5), CODE(BPF_LD | BPF_DW | BPF_IMM, 1, 0, 0, 1), CODE(0, 0, 0, 0, 1),
	      ALU(NEG, 0, 0), CODE(BPF_STX | BPF_MEM | BPF_DW, 1, 0, 0, 0), EXIT);
	static const uint32_t wanted[] = { 0, 5, 15, 15, 18, 21, 22 };
	CHECK(small_translate(&s));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		CHECK_INT(s.translation.offsets[i], wanted[i]);
	CHECK_INT(s.translation.size, 22);
}

TEST(instructions_without_a_use_are_left_out)
{
	NEEDS_THE_MACHINE;
	SMALL(s, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
	      CODE(BPF_STX | BPF_MEM | BPF_DW, 10, 1, -8, 0),
	      CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -16, 9),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 7, 10, -16, 0),
	      CODE(BPF_LD | BPF_DW | BPF_IMM, 1, 0, 0, 5), CODE(0, 0, 0, 0, 0), ALU(ADD, 1, 3),
	      ALU(MOV, 0, 3), EXIT);
	CHECK_INT(small_run(&s, NULL, NULL), 3);
	CHECK_INT(s.translation.size, 6); /* mov $3,%eax; ret */
	CHECK_INT(s.translation.stack, 8);
	SMALL(cookie, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
	      CODE(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0), CALL, EXIT);
	small_relocate(&cookie, 2, RELOCATE_CALL, RT_cpu, 0);
	CHECK_INT(small_run(&cookie, NULL, NULL), 7);
	CHECK_INT(cookie.translation.size, 6);
}

TEST(what_a_later_pass_or_another_function_reads_is_not_left_out)
{
	NEEDS_THE_MACHINE;
	/* the register, and the word, of the pass before */
	SMALL(loop, ALU(MOV, 0, 0), ALU(MOV, 2, 3), ALU(MOV, 3, 0),
	      CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 100),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 3, 0, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 4, 10, -8, 0),
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 4, 0, 0), ALU(MOV, 3, 7),
	      CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 1000), ALU(SUB, 2, 1),
	      CODE(BPF_JMP | BPF_JNE | BPF_K, 2, 0, -7, 0), EXIT);
	CHECK_INT(small_run(&loop, NULL, NULL), 7 + 7 + 100 + 1000 + 1000);
	/* half of a word, by a load of the other width */
	SMALL(half, CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 77),
	      CODE(BPF_LDX | BPF_MEM | BPF_B, 0, 10, -8, 0), EXIT);
	CHECK_INT(small_run(&half, NULL, NULL), 77);
	/* by a pointer */
	SMALL(pointer, CODE(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 78),
	      CODE(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 2, -8, 0), EXIT);
	CHECK_INT(small_run(&pointer, NULL, NULL), 78);
}

/* By the owner's register, if it is the context for certain: then no register has its address. */
TEST(the_context_is_read_where_the_owner_has_it)
{
	NEEDS_THE_MACHINE;
	static const uint64_t words[] = { 10, 11, 12, 13, 14, 15 }, context[] = { 1, 2, 3, 4 };
	SMALL(s, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0), ALU(ADD, 6, 8),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 6, 8, 0), EXIT);
	s.owner.context_at = 24;
	CHECK_INT(small_run(&s, context, words), 15);
	CHECK_INT(s.translation.size, 6); /* mov 40(%r12),%rax; ret */
	CHECK_INT(s.translation.context_words, 1 << 2);
	CHECK_INT(s.translation.takes_context, false);
	CHECK_INT(s.translation.owner_words, 0);
	SMALL(passed, CODE(BPF_LDX | BPF_MEM | BPF_DW, 6, 1, 8, 0), CALL,
	      CODE(BPF_ALU64 | BPF_ADD | BPF_X, 0, 6, 0, 0), EXIT);
	small_relocate(&passed, 1, RELOCATE_CALL, RT_cookie, 0);
	passed.owner.context_at = 24;
	CHECK_INT(small_run(&passed, context, words), 14 + 12);
	CHECK_INT(passed.translation.takes_context, false);
	CHECK_INT(passed.translation.owner_words, 1 << 2);
	/* one of two addresses */
	SMALL(either, CODE(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
	      CODE(BPF_JMP | BPF_JNE | BPF_K, 1, 0, 2, 0),
	      CODE(BPF_LD | BPF_DW | BPF_IMM, 6, 0, 0, 1), CODE(0, 0, 0, 0, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_DW, 0, 6, 8, 0), EXIT);
	either.owner.context_at = 24;
	CHECK_INT(small_run(&either, context, words), 2);
	CHECK(either.translation.takes_context);
}

TEST(what_is_left_out_may_be_refused)
{
	SMALL(s, CODE(BPF_ALU64 | 0xe0 | BPF_K, 6, 0, 0, 0), ALU(MOV, 0, 0), EXIT);
	CHECK(!small_translate(&s));
}

TEST(the_stack_is_that_of_all_functions)
{
	SMALL(s, CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0), CALL, EXIT,
	      CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0), CALL, EXIT,
	      CODE(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
	      CODE(BPF_LDX | BPF_MEM | BPF_W, 0, 10, -4, 0), EXIT);
	small_relocate(&s, 0, RELOCATE_FUNCTION, 0, 4);
	small_relocate(&s, 2, RELOCATE_CALL, RT_loop, 0);
	small_relocate(&s, 4, RELOCATE_FUNCTION, 0, 8);
	small_relocate(&s, 6, RELOCATE_CALL, RT_loop, 0);
	s.owner.call_stack = 1000;
	CHECK(small_translate(&s));
	/* each has a return address; bodies save r12, and the last one rbp, and has 8 bytes */
	CHECK_INT(s.translation.stack, 16 + 1000 + 16 + 1000 + 8 + 8 + 8 + 8);
	SMALL(circle, CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0), CALL, EXIT,
	      CODE(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, 0), CODE(0, 0, 0, 0, 0), CALL, EXIT);
	small_relocate(&circle, 0, RELOCATE_FUNCTION, 0, 4);
	small_relocate(&circle, 2, RELOCATE_CALL, RT_loop, 0);
	small_relocate(&circle, 4, RELOCATE_FUNCTION, 0, 4);
	small_relocate(&circle, 6, RELOCATE_CALL, RT_loop, 0);
	CHECK(!small_translate(&circle));
}

TEST_MAIN
