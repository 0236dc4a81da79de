/* SPDX-License-Identifier: BSD-2-Clause */
/* Each kind of instruction does the same at its moved place: registers, flags, memory, stack. */
#include <sys/mman.h>

#include "patch/patch.h"
#include "test.h"

#ifdef __x86_64__

/* Registers as in instructions (rax, rcx, rdx, rbx, rsp, ...), flags, and was a target jumped to?
 */
struct state {
	uint64_t r[16], flags, marker;
};
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 };

extern struct state state_in, state_out;
extern unsigned char move_data[256];
extern const struct move_case {
	const unsigned char *begin, *end;
	const char *text;
} move_cases[];
void run_code(const void *code);
void came_here(void);
void came_to_target(void);

#define CASE(text)                                                                                 \
	".pushsection .text\n1:" text "\n2: jmp came_here\n9: jmp came_to_target\n.popsection\n"   \
	".pushsection .rodata\n3: .asciz \"" text "\"\n.popsection\n.quad 1b, 2b, 3b\n"
#define LOAD(n, r) "movq state_in+8*" n "(%rip), %" r "\n"
#define SAVE(n, r) "movq %" r ", state_out+8*" n "(%rip)\n"
#define EACH(x)                                                                                    \
	x("0", "rax") x("1", "rcx") x("2", "rdx") x("3", "rbx") x("4", "rsp") x("5", "rbp")        \
		x("6", "rsi") x("7", "rdi") x("8", "r8") x("9", "r9") x("10", "r10")               \
			x("11", "r11") x("12", "r12") x("13", "r13") x("14", "r14") x("15", "r15")

/* clang-format off */
__asm__(
	".pushsection .data\n.balign 16\n"
	".globl state_in, state_out, move_data, move_cases\n"
	"state_in: .zero 144\nstate_out: .zero 144\nmove_data: .zero 256\n"
	"move_pointer: .quad came_to_target\nmove_stack: .quad 0\nmove_code: .quad 0\n"
	".popsection\n"
	".pushsection .text\n.globl run_code, came_here, came_to_target\n"
	"run_code: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	"mov %rdi, move_code(%rip)\nmov %rsp, move_stack(%rip)\n"
	"push state_in+128(%rip)\npopfq\n" EACH(LOAD) "jmp *move_code(%rip)\n"
	"came_to_target: movq $1, state_out+136(%rip)\n"
	"came_here:\n" EACH(SAVE) "mov move_stack(%rip), %rsp\npushfq\npop state_out+128(%rip)\n"
	"cld\npop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n"
	".popsection\n"
	".pushsection .data.rel.ro,\"aw\"\n.balign 8\nmove_cases:\n"
	/* moved as they are */
	CASE("nop") CASE("push %rbx") CASE("push %r12") CASE("pop %r13") CASE("push $-7")
	CASE("mov %rsp,%rbp") CASE("sub $0x28,%rsp") CASE("add $0x18,%rsp") CASE("mov %rdi,%rax")
	CASE("mov $0x71,%eax") CASE("movabs $0x123456789abcdef0,%r11") CASE("xor %eax,%eax")
	CASE("test %rdi,%rdi") CASE("cmp $5,%cl") CASE("adc %rcx,%rdx") CASE("imul $-3,%rax,%r10")
	CASE("mov 8(%rdi),%rax") CASE("mov %al,3(%rsi,%rdx,8)") CASE("movzbl 1(%rbp),%ecx")
	CASE("lea -16(%rsp,%rcx,4),%r14") CASE("shl %cl,%r15") CASE("bsr %rdi,%rax")
	CASE("cmove %rbx,%rax") CASE("setg %r9b") CASE("lock xadd %rax,(%rbx)")
	CASE("lock cmpxchg %rcx,(%r8)") CASE("mul %r9") CASE("cqto") CASE("xchg %rax,%r10")
	CASE("mov %rdi,-8(%rsp)") CASE("pushfq") CASE("bswap %r11") CASE("movq %xmm0,%rax")
	CASE("stosb") CASE("leave")
	/* displacements from the pc */
	CASE("lea move_data(%rip),%rax") CASE("mov move_data+8(%rip),%r12")
	CASE("movb $3,move_data+5(%rip)") CASE("movl $0x12345678,move_data+16(%rip)")
	CASE("cmpl $0x55,move_data+20(%rip)") CASE("cmpq $0x7,move_data(%rip)")
	CASE("addq $0x11111111,move_data+32(%rip)") CASE("imul $100000,move_data(%rip),%ebx")
	CASE("movups move_data(%rip),%xmm1") CASE("movw $0x1234,move_data(%rip)")
	CASE("push move_data+40(%rip)") CASE("pop move_data+48(%rip)")
	CASE("shldl $3,%eax,move_data+4(%rip)") CASE("testb $1,move_data(%rip)")
	CASE("vmovdqu move_data(%rip),%xmm2")
	/* branches */
	CASE("jmp 9f") CASE(".byte 0xe9; .long came_to_target-.-4") CASE("ret") CASE("ret $16")
	CASE("jo 9f") CASE("jno 9f") CASE("jb 9f") CASE("jae 9f") CASE("je 9f") CASE("jne 9f")
	CASE("jbe 9f") CASE("ja 9f") CASE("js 9f") CASE("jns 9f") CASE("jp 9f") CASE("jnp 9f")
	CASE("jl 9f") CASE("jge 9f") CASE("jle 9f") CASE("jg 9f")
	CASE(".byte 0x0f, 0x84; .long came_to_target-.-4")
	CASE(".byte 0x0f, 0x8f; .long came_to_target-.-4") CASE(".byte 0x3e; jne 9f")
	CASE("loop 9f") CASE("loope 9f") CASE("loopne 9f") CASE("jrcxz 9f") CASE("jecxz 9f")
	CASE("jmp *%r13") CASE("jmp *move_pointer(%rip)") CASE("notrack jmp *%r13")
	CASE("jmp *(%r14,%rcx,8)")
	/* calls */
	CASE("call 9f") CASE("call *%r13") CASE("call *move_pointer(%rip)") CASE("call *(%r14)")
	CASE("call *(%r14,%rcx,8)") CASE("notrack call *%r13") CASE("call *8(%r14)")
	".quad 0, 0, 0\n.popsection\n");
/* clang-format on */

#define AREA 4096
static unsigned char *areas; /* stack, scratch memory, pointers to the target */
static unsigned char before[2 * AREA], original[2 * AREA], data_before[256], data_original[256];

static uint64_t random_number(void)
{
	static uint64_t x = 88172645463325252ull;
	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

#define FLAGS_TESTED 0xcd5 /* carry, parity, adjust, zero, sign, direction, overflow */

static void make_state(void)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t r = random_number();
		state_in.r[i] = r & 1 ? r : r >> 60;
	}
	static const unsigned pointers[] = { RBX, RSI, RDI, RBP, R8 };
	for (unsigned i = 0; i < ARRAY_SIZE(pointers); i++)
		state_in.r[pointers[i]] =
			(uint64_t)areas + AREA + AREA / 2 + random_number() % 64 * 8;
	state_in.r[RCX] = random_number() % 3;
	state_in.r[RDX] = random_number() % 3;
	state_in.r[RSP] = (uint64_t)areas + AREA / 2;
	state_in.r[13] = (uint64_t)came_to_target;
	state_in.r[14] = (uint64_t)areas + 2 * AREA;
	state_in.flags = (random_number() & FLAGS_TESTED) | 0x202;
	for (unsigned i = 0; i < sizeof(before); i++)
		before[i] = (unsigned char)random_number();
	for (unsigned i = 0; i < sizeof(data_before); i++)
		data_before[i] = (unsigned char)(random_number() % 9);
	uint64_t back = (uint64_t)came_here;
	memcpy(before + AREA / 2, &back, 8); /* of ret */
}

static struct state run(const void *code)
{
	memcpy(areas, before, sizeof(before));
	memcpy(move_data, data_before, sizeof(data_before));
	state_out = (struct state) { 0 };
	run_code(code);
	return state_out;
}

static void no_firing(void *arg, const struct patch_firing *f, struct patch_code *to)
{
}

static unsigned char *near_room;

static bool emit_case(const struct move_case *c, unsigned char *room, size_t size)
{
	struct patch_plan plan = { 0 };
	struct patch_window w = { .size = (uint8_t)(c->end - c->begin) };
	struct bytes old = bytes_of(c->begin, w.size);
	struct patch_code code = { .bytes = room, .size = size, .address = (uint64_t)room };
	return patch_emit(patch_machine(&arch_x86_64), &plan, &w, &old, (uint64_t)c->begin,
			  no_firing, NULL, &code) == PATCH_FITS &&
	       code.used <= size;
}

/* arch_effects(), from what the instruction did: nothing else has changed. */
static void check_effects(const struct move_case *c, const struct state *out)
{
	static const uint8_t words[] = { 10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0 };
	struct bytes code = bytes_of(c->begin, (size_t)(c->end - c->begin));
	struct instruction_effects e;
	struct instruction i;
	if (!arch_x86_64.decode(&code, &i) || i.flow != FLOW_NEXT || i.is_call ||
	    !arch_effects(&arch_x86_64, &code, &e))
		return;
	uint32_t changed = 0;
	for (unsigned r = 0; r < 16; r++)
		if (r != RSP && out->r[r] != state_in.r[r])
			changed |= 1u << words[r];
	changed |= (out->flags ^ state_in.flags) & FLAGS_TESTED ? 1u << 18 : 0;
	bool is_stack_right =
		!e.is_stack_known || out->r[RSP] == state_in.r[RSP] + (uint64_t)(int64_t)e.stack;
	/* A push changes what is below the stack pointer. */
	memset(original + AREA / 2 - 8, 0, 8);
	memset(before + AREA / 2 - 8, 0, 8);
	bool is_memory_right = e.memory || (memcmp(before, original, sizeof(before)) == 0 &&
					    memcmp(data_before, data_original, 256) == 0);
	if (changed & ~e.words || !is_stack_right || !is_memory_right)
		printf("other effects: %s\n", c->text);
	CHECK(!(changed & ~e.words));
	CHECK(is_stack_right);
	CHECK(is_memory_right);
}

static void check_case(const struct move_case *c, unsigned *jumps)
{
	CHECK(emit_case(c, near_room, 64));
	for (unsigned i = 0; i < 200; i++) {
		make_state();
		struct state wanted = run(c->begin);
		memcpy(original, areas, sizeof(original));
		memcpy(data_original, move_data, sizeof(data_original));
		struct state got = run(near_room);
		bool is_same = memcmp(&wanted, &got, sizeof(got)) == 0 &&
			       memcmp(original, areas, sizeof(original)) == 0 &&
			       memcmp(data_original, move_data, sizeof(data_original)) == 0;
		if (!is_same)
			printf("differs: %s\n", c->text);
		CHECK(is_same);
		check_effects(c, &wanted);
		*jumps += wanted.marker;
		if (test_failed_now)
			return;
	}
}

static bool prepare(void)
{
	uint64_t text = (uint64_t)came_here & ~4095ull;
	for (uint64_t at = text - (64u << 20); at > text - (1ull << 30) && !near_room;
	     at -= 1 << 20) {
		void *got = mmap((void *)at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		near_room = got == MAP_FAILED ? NULL : got;
	}
	areas = mmap(NULL, 3 * AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t target = (uint64_t)came_to_target;
	for (unsigned i = 0; i < 8; i++)
		memcpy(areas + 2 * AREA + 8 * i, &target, 8);
	return near_room && areas != MAP_FAILED;
}

TEST(moved_instructions_do_the_same)
{
	if (!prepare())
		SKIP("needs memory near the program that can be written and run");
	unsigned cases = 0, jumps = 0;
	for (const struct move_case *c = move_cases; c->begin; c++, cases++)
		check_case(c, &jumps);
	printf("%u instructions, each with 200 states; %u jumps\n", cases, jumps);
	CHECK(cases > 80 && jumps > 3000);
}

/* Displacements that do not fit are refused: of data, of calls, of the jump back. */
TEST(code_too_far_away_is_refused)
{
	struct patch_plan plan = { 0 };
	unsigned char room[64];
	static const char *const texts[] = { "\x48\x8d\x05\0\0\0", "\xe8\0\0\0", "\x0f\x84\0\0\0",
					     "\x90\x90\x90\x90" };
	for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
		struct patch_window w = { .size = i == 0 ? 7 : i == 1 ? 5 : i == 2 ? 6 : 4 };
		unsigned char bytes[8] = { 0 };
		memcpy(bytes, texts[i], i == 0 ? 3 : i == 2 ? 2 : i == 1 ? 1 : 4);
		struct bytes old = bytes_of(bytes, w.size);
		for (unsigned far = 0; far < 2; far++) {
			struct patch_code to = { .bytes = room,
						 .size = sizeof(room),
						 .address = far ? 0x90000000 : 0x70000000 };
			enum patch_refusal why = patch_emit(patch_machine(&arch_x86_64), &plan, &w,
							    &old, 0x1000, no_firing, NULL, &to);
			CHECK_INT(why, far ? PATCH_FAR : PATCH_FITS);
		}
	}
	struct patch_write write;
	struct bytes old = bytes_of("\x90\x90\x90\x90\x90", 5);
	const struct patch_machine *m = patch_machine(&arch_x86_64);
	CHECK_INT(patch_write_make(m, &old, 0x1000, 0x90000000, &write), PATCH_FAR);
	CHECK_INT(patch_write_make(m, &old, 0x1000, 0x2000, &write), PATCH_FITS);
	CHECK_INT(write.size, 5);
	CHECK(memcmp(write.new_bytes, "\xe9\xfb\x0f\0\0", 5) == 0);
	CHECK(memcmp(write.old_bytes, old.data, 5) == 0);
}

/* Return addresses above 2 GiB are stored in two halves; the test program's are, if it is PIE. */
TEST(calls_push_the_original_return_address)
{
	struct patch_plan plan = { 0 };
	unsigned char room[64];
	struct patch_window w = { .size = 5 };
	struct bytes old = bytes_of("\xe8\x10\0\0\0", 5);
	struct patch_code to = { .bytes = room, .size = sizeof(room), .address = 0x401000 };
	patch_emit(patch_machine(&arch_x86_64), &plan, &w, &old, 0x400000, no_firing, NULL, &to);
	CHECK_INT(to.used, 10); /* push, jmp; nothing follows */
	CHECK(memcmp(room, "\x68\x05\x00\x40\x00\xe9", 6) == 0);
	to = (struct patch_code) { .bytes = room, .size = sizeof(room), .address = 0x80401000 };
	patch_emit(patch_machine(&arch_x86_64), &plan, &w, &old, 0x80400000, no_firing, NULL, &to);
	CHECK_INT(to.used, 18);
	CHECK(memcmp(room, "\x68\x05\x00\x40\x80\xc7\x44\x24\x04\0\0\0\0\xe9", 14) == 0);
}

#else

TEST(moved_instructions_do_the_same)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
