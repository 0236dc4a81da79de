/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of one firing, for x86_64 (Intel SDM volume 2) */
#include "inject/code/trampoline.h"

#include <linux/futex.h>
#include <stddef.h>

#include "abi/state.h"

/* By their numbers in instructions. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, REGISTERS };

/* Their words in struct pt_regs, and other words of it. */
static const uint8_t register_word[REGISTERS] = {
	[RAX] = 10, [RCX] = 11, [RDX] = 12, [RBX] = 5, [RSP] = 19, [RBP] = 4,
	[RSI] = 13, [RDI] = 14, [R8] = 9,   [R9] = 8,  [R10] = 7,  [R11] = 6,
	[R12] = 3,  [R13] = 2,	[R14] = 1,  [R15] = 0,
};
#define WORD_ORIG_AX 15
#define WORD_PC 16
#define WORD_CS 17
#define WORD_FLAGS 18
#define WORD_SS 20

#define USER_CS 0x33 /* of 64-bit programs, as the kernel has it (__USER_CS, __USER_DS) */
#define USER_SS 0x2b

#define FLAGS_AT (offsetof(struct firing, context) + WORD_FLAGS * sizeof(uint64_t))
_Static_assert(FLAGS_AT > 127, "displacements have 4 bytes");

#define RED_ZONE 128
#define FRAME ALIGN_UP(sizeof(struct firing), 16u)

/* The agent's memory, from its own page. */
#define FROM_OWN(offset) ((int64_t)(PROCESS_MEMORY_AT - PROCESS_OWN_AT + (offset)))

#define BIT(n) (1u << (n))
#define SCRATCH (BIT(RAX) | BIT(RDI)) /* of the trampoline itself, with r12 */
#define OF_CALLS                                                                                   \
	(BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) | BIT(R10) |     \
	 BIT(R11))

/* What a trampoline does of what it may have to do. */
struct shape {
	const struct trampoline *t;
	uint32_t frame;
	int32_t stack;	    /* added to the stack pointer with the frame: that at the site */
	uint32_t registers; /* saved, and restored */
	uint64_t words;	    /* of the context, that the code reads */
	bool calls;	    /* C functions */
	bool saves_flags, restores_flags;
	size_t out[4]; /* jumps to the end */
	unsigned out_count;
	size_t begin; /* a jump to the search for an area; 0: there is none */
};

/* --- instructions ----------------------------------------------------------------------------- */

/* Of a register and memory; the high byte is REX. */
enum memory_operation {
	STORE = 0x4889,
	LOAD = 0x488b,
	LOAD_4 = 0x408b, /* clears the upper half */
	LOAD_ADDRESS = 0x488d,
	NUMBER_STORE = 0x48c7, /* register: 0; a number of 4 bytes follows */
	NUMBER_TEST_4 = 0x40f7,
};

static void firing_memory(struct patch_code *to, enum memory_operation op, unsigned r,
			  unsigned base, int64_t offset)
{
	bool is_short = offset == (int8_t)offset;
	to->is_far |= offset != (int32_t)offset;
	patch_put_number(to, (unsigned)op >> 8 | r >> 3 << 2 | base >> 3, 1);
	patch_put_number(to, (unsigned)op & 0xff, 1);
	patch_put_number(to, (is_short ? 0x40u : 0x80u) | (r & 7) << 3 | (base & 7), 1);
	if ((base & 7) == RSP)
		patch_put_number(to, 0x24, 1);
	patch_put_number(to, (uint64_t)offset, is_short ? 1 : 4);
}

/* Of a word of the context; the stack pointer is the frame's. */
static void firing_word(struct patch_code *to, enum memory_operation op, unsigned r, unsigned word)
{
	firing_memory(to, op, r, RSP,
		      (int64_t)(offsetof(struct firing, context) + word * sizeof(uint64_t)));
}

static void firing_constant(struct patch_code *to, unsigned r, uint64_t value)
{
	patch_put_number(to, 0x48, 1);
	patch_put_number(to, 0xb8 | r, 1);
	patch_put_number(to, value, 8);
}

/* By a register, if a displacement does not fit. */
static void firing_call(struct patch_code *to, unsigned r, uint64_t address)
{
	int64_t distance = (int64_t)(address - (to->address + to->used + 5));
	if (distance == (int32_t)distance) {
		patch_put_number(to, 0xe8, 1);
		patch_put_distance(to, address);
	} else {
		firing_constant(to, r, address);
		patch_put_number(to, 0xd0ff | r << 8, 2);
	}
}

enum condition { IF_EQUAL = 0x84, IF_NOT_EQUAL = 0x85, IF_NEGATIVE = 0x88 };

/* A jump to what firing_land() says later. */
static size_t firing_jump(struct patch_code *to, enum condition when)
{
	patch_put_number(to, 0x0f | when << 8, 2);
	patch_put_number(to, 0, 4);
	return to->used;
}

static void firing_land(struct patch_code *to, size_t jump)
{
	for (unsigned i = 0; i < 4 && jump <= to->size; i++)
		to->bytes[jump - 4 + i] = (unsigned char)((to->used - jump) >> 8 * i);
}

#define PUT(to, bytes) patch_put(to, bytes, sizeof(bytes) - 1)

static void firing_out(struct shape *s, struct patch_code *to, enum condition when)
{
	s->out[s->out_count++] = firing_jump(to, when);
}

/* --- before the firing ------------------------------------------------------------------------ */

static void firing_flags(const struct shape *s, struct patch_code *to)
{
	if (!s->saves_flags)
		return;
	PUT(to, "\x9c\x58"); /* pushf; pop %rax */
	firing_word(to, STORE, RAX, WORD_FLAGS);
	PUT(to, "\xf6\xc4\x04\x74\x01\xfc"); /* test $DIRECTION,%ah; je 1f; cld; 1: */
}

static void firing_number(const struct shape *s, struct patch_code *to, unsigned word,
			  uint64_t value)
{
	if (!(s->words >> word & 1))
		return;
	firing_constant(to, RAX, value);
	firing_word(to, STORE, RAX, word);
}

static void firing_frame(const struct shape *s, struct patch_code *to)
{
	firing_memory(to, LOAD_ADDRESS, RSP, RSP, -(int64_t)s->frame);
	for (unsigned r = 0; r < REGISTERS; r++)
		if (r != RSP && (s->registers >> r & 1 || s->words >> register_word[r] & 1))
			firing_word(to, STORE, r, register_word[r]);
	firing_flags(s, to);
	if (s->words >> register_word[RSP] & 1) {
		firing_memory(to, LOAD_ADDRESS, RAX, RSP, s->stack);
		firing_word(to, STORE, RAX, register_word[RSP]);
	}
	firing_number(s, to, WORD_ORIG_AX, UINT64_MAX);
	firing_number(s, to, WORD_PC, s->t->pc);
	firing_number(s, to, WORD_CS, USER_CS);
	firing_number(s, to, WORD_SS, USER_SS);
}

/* --- the area --------------------------------------------------------------------------------- */

static void firing_test_tls(struct shape *s, struct patch_code *to)
{
	PUT(to, "\xf3\x48\x0f\xae\xc7\x48\x85\xff"); /* rdfsbase %rdi; test %rdi,%rdi */
	size_t has_tls = firing_jump(to, IF_NOT_EQUAL);
	PUT(to, "\xf0\x48\xff\x80"); /* lock incq OFFSET(%rax); not zero afterwards */
	patch_put_number(
		to, (uint64_t)FROM_OWN(s->t->head->control + offsetof(struct control, no_area)), 4);
	firing_out(s, to, IF_NOT_EQUAL);
	firing_land(to, has_tls);
}

static void firing_test_number(struct patch_code *to)
{
	PUT(to, "\x45\x85\xe4"); /* test %r12d,%r12d */
}

/* rax: the own page; r12: the process's number, 0 in a child of fork(). */
static void firing_tests(struct shape *s, struct patch_code *to)
{
	bool begins = s->t->head->follows; /* then the agent knows what to do */
	firing_constant(to, RAX, s->t->base + PROCESS_OWN_AT);
	firing_memory(to, LOAD_4, R12, RAX, (int64_t)offsetof(struct process_own, process));
	if (!begins) {
		firing_test_number(to);
		firing_out(s, to, IF_EQUAL);
	}
	firing_memory(to, NUMBER_TEST_4, 0, RAX, FROM_OWN(offsetof(struct process_head, tracer)));
	patch_put_number(to, FUTEX_OWNER_DIED, 4);
	firing_out(s, to, IF_NOT_EQUAL);
	if (s->t->needs_no_area)
		return;
	if (s->t->may_lack_tls)
		firing_test_tls(s, to);
	if (begins && s->t->thread_number) {
		firing_test_number(to);
		s->begin = firing_jump(to, IF_EQUAL);
	}
}

/* The owner of the area that the thread's number names is compared with the thread. */
static size_t firing_usual_area(const struct shape *s, struct patch_code *to)
{
	const struct process_head *head = s->t->head;
	int64_t areas = FROM_OWN(head->areas + offsetof(struct process_area, owner));
	to->is_far |= areas != (int32_t)areas;
	PUT(to, "\x49\xc1\xe4\x20"); /* shl $32,%r12 */
	PUT(to, "\x64\x8b\x3c\x25"); /* mov %fs:NUMBER,%edi */
	patch_put_number(to, s->t->thread_number, 4);
	PUT(to, "\x49\x09\xfc\x81\xe7"); /* or %rdi,%r12; and $NUMBER,%edi */
	patch_put_number(to, head->area_count - 1, 4);
	firing_memory(to, STORE, RDI, RSP, offsetof(struct firing, area));
	_Static_assert(sizeof(struct process_area) == 1 << 8, "as the next instruction has it");
	PUT(to, "\xc1\xe7\x08\x4c\x39\xa4\x38"); /* shl $8,%edi; cmp %r12,OFFSET(%rax,%rdi) */
	patch_put_number(to, (uint64_t)areas, 4);
	return firing_jump(to, IF_EQUAL);
}

static void firing_area(struct shape *s, struct patch_code *to)
{
	size_t found = s->t->thread_number ? firing_usual_area(s, to) : 0;
	if (s->begin)
		firing_land(to, s->begin);
	firing_call(to, RDI, s->t->find_area);
	PUT(to, "\x48\x85\xc0"); /* test %rax,%rax */
	firing_out(s, to, IF_NEGATIVE);
	firing_memory(to, STORE, RAX, RSP, offsetof(struct firing, area));
	if (found)
		firing_land(to, found);
}

/* --- the firing, and after it ----------------------------------------------------------------- */

/* Numbers of 32 bits are stored sign-extended. */
static void firing_cookie(struct patch_code *to, uint64_t cookie)
{
	firing_memory(to, NUMBER_STORE, 0, RSP, offsetof(struct firing, cookie));
	patch_put_number(to, cookie, 4);
	if (cookie == (uint64_t)(int64_t)(int32_t)cookie)
		return;
	PUT(to, "\xc7\x44\x24"); /* movl $N,(offset)(%rsp) */
	patch_put_number(to, offsetof(struct firing, cookie) + 4, 1);
	patch_put_number(to, cookie >> 32, 4);
}

static void firing_run(const struct shape *s, struct patch_code *to)
{
	if (s->t->code->owner_words >> offsetof(struct firing, cookie) / 8 & 1)
		firing_cookie(to, s->t->cookie);
	PUT(to, "\x49\x89\xe4"); /* mov %rsp,%r12 */
	if (s->t->code->takes_context)
		firing_memory(to, LOAD_ADDRESS, RDI, RSP, offsetof(struct firing, context));
	if (s->calls)
		PUT(to, "\x48\x83\xe4\xf0"); /* and $-16,%rsp */
	firing_call(to, RAX, s->t->function);
	if (s->calls)
		PUT(to, "\x4c\x89\xe4"); /* mov %r12,%rsp */
}

/* popf takes 6 ns, so only where the direction flag is set. Else the sign, zero, carry flags are
 * loaded from %ah, and the overflow is made again. */
static void firing_restore_flags(struct patch_code *to)
{
	PUT(to, "\x0f\xb6\x84\x24"); /* movzbl FLAGS+1(%rsp),%eax */
	patch_put_number(to, FLAGS_AT + 1, 4);
	PUT(to, "\xa8\x04\x74\x0c"); /* test $DIRECTION,%al; je 1f */
	firing_word(to, LOAD, RAX, WORD_FLAGS);
	PUT(to, "\x50\x9d\xeb\x0c"); /* push %rax; popf; jmp 2f */
	PUT(to, "\x24\x08\x04\x78"); /* 1: and $OVERFLOW,%al; add $(128-OVERFLOW),%al */
	PUT(to, "\x8a\xa4\x24");     /* mov FLAGS(%rsp),%ah */
	patch_put_number(to, FLAGS_AT, 4);
	PUT(to, "\x9e"); /* sahf; 2: */
}

static void firing_end(const struct shape *s, struct patch_code *to)
{
	for (unsigned i = 0; i < s->out_count; i++)
		firing_land(to, s->out[i]);
	if (s->restores_flags)
		firing_restore_flags(to);
	for (unsigned r = 0; r < REGISTERS; r++)
		if (s->registers >> r & 1)
			firing_word(to, LOAD, r, register_word[r]);
	firing_memory(to, LOAD_ADDRESS, RSP, RSP, s->frame);
}

void trampoline_fire(void *arg, const struct patch_firing *f, struct patch_code *to)
{
	const struct trampoline *t = arg;
	struct shape s = { .t = t,
			   .frame = FRAME + (f->below_live ? RED_ZONE : 0),
			   .words = t->code->context_words };
	s.stack = (int32_t)s.frame + f->stack;
	s.registers = t->code->registers | SCRATCH | BIT(R12);
	s.calls = (s.registers & OF_CALLS) == OF_CALLS;
	s.restores_flags = f->flags_live;
	s.saves_flags = s.restores_flags || s.words >> WORD_FLAGS & 1;
	firing_frame(&s, to);
	firing_tests(&s, to);
	if (!t->needs_no_area)
		firing_area(&s, to);
	firing_run(&s, to);
	firing_end(&s, to);
}
