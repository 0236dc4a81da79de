/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each form of an instruction, with all registers that it can have, against interpreter/machine.c
 *
 * A program loads R0 to R9 from the context, runs the instruction and stores all of them after it;
 * both must leave the same bytes.  What the machine does not have is compared with C.
 */
#ifdef __x86_64__
#include "translate/native.h"

#define REGISTERS 10
#define WORDS 32
#define RESULT 10 /* the words that get the registers afterwards */
#define BUFFER 24 /* words for loads and stores */

struct one {
	struct bpf_insn code[64];
	struct relocation relocations[2];
	struct group_code group;
	uint64_t before[WORDS], expected[WORDS], words[WORDS];
	struct machine machine;
	void (*run)(const void *);
	uint64_t runs;
};

/* clang-format off */
static const uint64_t values[] = {
	0, 1, 2, 7, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
	0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffff80000000, 0xfffffffffffffffe, 0xffffffffffffffff,
};
static const int32_t numbers[] = { 0, 1, 2, 7, 31, 32, 63, 127, 128, -1, -2, -128, -129, 0x7fffffff, INT32_MIN };
/* clang-format on */

static void add(struct one *o, int code, int dst, int src, int off, int32_t imm)
{
	o->code[o->group.count++] = (struct bpf_insn) { (uint8_t)code, (uint8_t)(dst & 15),
							(uint8_t)(src & 15), (int16_t)off, imm };
}

static bool refer_never(void *arg, const struct relocation *r, uint64_t *ret)
{
	return false;
}

/* R0 to R9 from the context, R1 last, and the context's address to the frame. */
static void one_begin(struct one *o)
{
	o->group.count = o->group.relocation_count = 0;
	o->group.code = o->code;
	o->group.relocations = o->relocations;
	add(o, BPF_STX | BPF_MEM | BPF_DW, 10, 1, -8, 0);
	for (int i = REGISTERS - 1; i >= 0; i--)
		if (i != 1)
			add(o, BPF_LDX | BPF_MEM | BPF_DW, i, 1, i * 8, 0);
	add(o, BPF_LDX | BPF_MEM | BPF_DW, 1, 1, 8, 0);
}

/* All of them to the words; then the code is ready. */
static void one_end(struct one *o)
{
	for (int i = 0; i < REGISTERS; i++)
		add(o, BPF_STX | BPF_MEM | BPF_DW, 10, i, -16 - i * 8, 0);
	add(o, BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0);
	for (int i = 0; i < REGISTERS; i++) {
		add(o, BPF_LDX | BPF_MEM | BPF_DW, 2, 10, -16 - i * 8, 0);
		add(o, BPF_STX | BPF_MEM | BPF_DW, 1, 2, (RESULT + i) * 8, 0);
	}
	add(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	struct native_place *p = native_place_of(false);
	struct translate_owner owner = { NULL, refer_never, native_bind, false };
	auto_translation struct translation t;
	p->used = 0;
	o->run = (void (*)(const void *))p->bytes;
	native_translate(&o->group, &owner, p, &t);
	o->machine.steps_most = 1000;
}

static void one_differs(const struct one *o, unsigned word)
{
	const struct bpf_insn *n = &o->code[REGISTERS + 1];
	for (int i = 0; i < 2; i++, n++)
		printf("code 0x%02x R%u R%u %d %d\n", n->code, n->dst_reg, n->src_reg, n->off,
		       n->imm);
	printf("word %u is %llx, wanted %llx; R0 to R9 were", word,
	       (unsigned long long)o->words[word], (unsigned long long)o->expected[word]);
	for (unsigned i = 0; i < REGISTERS; i++)
		printf(" %llx", (unsigned long long)o->before[i]);
	printf("\n");
	test_failed_now = true;
}

static void one_compare(struct one *o)
{
	o->runs++;
	for (unsigned i = 0; i < WORDS && !test_failed_now; i++)
		if (o->words[i] != o->expected[i])
			one_differs(o, i);
}

/* With these registers, and everything else the same. */
static void one_run(struct one *o)
{
	memcpy(o->words, o->before, sizeof(o->words));
	size_t region = machine_allow(&o->machine, o->words, sizeof(o->words), false);
	machine_run(&o->machine, &o->group, o->words);
	machine_forbid(&o->machine, region);
	if (o->machine.problem) {
		printf("the machine %s\n", o->machine.problem);
		exit(1);
	}
	memcpy(o->expected, o->words, sizeof(o->words));
	memcpy(o->words, o->before, sizeof(o->words));
	o->run(o->words);
	one_compare(o);
}

static void one_fill(struct one *o)
{
	for (unsigned i = 0; i < WORDS; i++)
		o->before[i] = 0x1111111111111111ull * (i & 15) + i;
}

/* The values of DST and SRC, all pairs of them. */
static void run_values(struct one *o, int dst, int src)
{
	for (size_t i = 0; i < ARRAY_SIZE(values) && !test_failed_now; i++)
		for (size_t k = 0; k < (dst == src ? 1 : ARRAY_SIZE(values)); k++) {
			one_fill(o);
			o->before[src] = values[k];
			o->before[dst] = values[i];
			one_run(o);
		}
}

/* With all pairs of registers, and with all numbers. */
static void run_forms(int code, void (*put)(struct one *o, int code, int dst, int src, int32_t n))
{
	struct one o = { 0 };
	for (int dst = 0; dst < REGISTERS && !test_failed_now; dst++) {
		for (int src = 0; src < REGISTERS; src++) {
			one_begin(&o);
			put(&o, code | BPF_X, dst, src, 0);
			one_end(&o);
			run_values(&o, dst, src);
		}
		for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
			one_begin(&o);
			put(&o, code | BPF_K, dst, 0, numbers[i]);
			one_end(&o);
			run_values(&o, dst, dst);
		}
	}
	machine_deinit(&o.machine);
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static void put_plain(struct one *o, int code, int dst, int src, int32_t n)
{
	add(o, code, dst, src, 0, n);
}

TEST(arithmetic_is_that_of_the_machine)
{
	static const uint8_t all[] = { BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD, BPF_OR,
				       BPF_AND, BPF_XOR, BPF_LSH, BPF_RSH, BPF_MOV, BPF_ARSH };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		run_forms(BPF_ALU64 | all[i], put_plain);
		run_forms(BPF_ALU | all[i], put_plain);
	}
}

TEST(negation_and_the_order_of_bytes_are_those_of_the_machine)
{
	static const struct bpf_insn forms[] = {
		{ BPF_ALU64 | BPF_NEG },
		{ BPF_ALU | BPF_NEG },
		{ .code = BPF_ALU | BPF_END | BPF_TO_BE, .imm = 16 },
		{ .code = BPF_ALU | BPF_END | BPF_TO_BE, .imm = 32 },
		{ .code = BPF_ALU | BPF_END | BPF_TO_BE, .imm = 64 },
	};
	struct one o = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		for (int dst = 0; dst < REGISTERS; dst++) {
			one_begin(&o);
			add(&o, forms[i].code, dst, 0, 0, forms[i].imm);
			one_end(&o);
			run_values(&o, dst, dst);
		}
	machine_deinit(&o.machine);
}

TEST(long_numbers_are_whole)
{
	struct one o = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		for (int dst = 0; dst < REGISTERS; dst++) {
			one_begin(&o);
			add(&o, BPF_LD | BPF_DW | BPF_IMM, dst, 0, 0, (int32_t)values[i]);
			add(&o, 0, 0, 0, 0, (int32_t)(values[i] >> 32));
			one_end(&o);
			one_fill(&o);
			one_run(&o);
			CHECK(o.words[RESULT + dst] == values[i]);
		}
	machine_deinit(&o.machine);
}

/* --- jumps ------------------------------------------------------------------------------------ */

static void put_mark(struct one *o, int code, int dst, int src, int32_t n)
{
	add(o, code, dst, src, 3, n);
	add(o, BPF_ST | BPF_MEM | BPF_DW, 10, 0, -104, 1);
	add(o, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, 77);
	add(o, BPF_JMP | BPF_JA, 0, 0, 0, 0); /* nowhere */
}

TEST(jumps_are_those_of_the_machine)
{
	static const uint8_t all[] = { BPF_JEQ,	 BPF_JNE,  BPF_JGT,  BPF_JGE,  BPF_JLT, BPF_JLE,
				       BPF_JSET, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		run_forms(BPF_JMP | all[i], put_mark);
		run_forms(BPF_JMP32 | all[i], put_mark);
	}
}

/* --- memory ----------------------------------------------------------------------------------- */

/* BASE points to a word, from DISTANCE on; other registers have values. */
static void run_at(struct one *o, int base, int distance)
{
	for (size_t i = 0; i < ARRAY_SIZE(values) && !test_failed_now; i++) {
		one_fill(o);
		for (int r = 0; r < REGISTERS; r++)
			o->before[r] = values[(i + (size_t)r) % ARRAY_SIZE(values)];
		for (int w = BUFFER; w < WORDS; w++)
			o->before[w] = values[(i + (size_t)w * 3) % ARRAY_SIZE(values)];
		o->before[base] = (uintptr_t)&o->words[BUFFER + 2] - (uint64_t)(int64_t)distance;
		one_run(o);
	}
}

static const int distances[] = { 0, 1, -1, 8, 127, -128, 128, -129, 32767, -32768 };

static void run_accesses(int code, bool is_load, bool has_number)
{
	struct one o = { 0 };
	for (int base = 0; base < REGISTERS; base++)
		for (int other = 0; other < (has_number ? 1 : REGISTERS); other++)
			for (size_t i = 0; i < ARRAY_SIZE(distances); i++) {
				int at = distances[i];
				one_begin(&o);
				add(&o, code, is_load ? other : base, is_load ? base : other, at,
				    has_number ? numbers[i] : 0);
				one_end(&o);
				run_at(&o, base, at);
			}
	machine_deinit(&o.machine);
}

static const uint8_t sizes[] = { BPF_B, BPF_H, BPF_W, BPF_DW };

TEST(loads_and_stores_are_those_of_the_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		run_accesses(BPF_LDX | BPF_MEM | sizes[i], true, false);
		run_accesses(BPF_STX | BPF_MEM | sizes[i], false, false);
		run_accesses(BPF_ST | BPF_MEM | sizes[i], false, true);
	}
}

/* --- atomic instructions ---------------------------------------------------------------------- */

static void run_atomic(int size, int32_t op)
{
	struct one o = { 0 };
	for (int base = 0; base < REGISTERS; base++)
		for (int src = 0; src < REGISTERS; src++) {
			one_begin(&o);
			add(&o, BPF_STX | BPF_ATOMIC | size, base, src, -40, op);
			one_end(&o);
			run_at(&o, base, -40);
		}
	machine_deinit(&o.machine);
}

TEST(atomic_instructions_are_those_of_the_machine)
{
	static const int32_t all[] = { BPF_ADD, BPF_ADD | BPF_FETCH, BPF_OR | BPF_FETCH,
				       BPF_AND | BPF_FETCH, BPF_XOR | BPF_FETCH };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		run_atomic(BPF_DW, all[i]);
		run_atomic(BPF_W, all[i]);
	}
}

TEST_MAIN
#else
#include "test.h"

TEST(instructions_are_those_of_the_machine)
{
	SKIP("code is translated for x86_64 only");
}

TEST_MAIN
#endif
