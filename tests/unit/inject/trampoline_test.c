/* SPDX-License-Identifier: BSD-2-Clause */
/* A firing changes nothing of the program, and is counted once, whatever comes between */
#include <linux/futex.h>
#include <sys/auxv.h>

#include "base/clock.h"
#include "fired.h"

#ifdef __x86_64__

/* --- functions that are probed ------------------------------------------------------------------
 */

/* What is live at live_site: registers by their numbers in instructions, flags, the red zone. */
struct live {
	uint64_t registers[16], flags, zone[16], vectors[32];
};
struct live live_in, live_out;
uint64_t live_shift, live_stack; /* the stack pointer is lower by the first */

void live_call(void);
extern const unsigned char live_site[], live_end[];

uint64_t plain_call(uint64_t a, uint64_t b);
extern const unsigned char plain_end[];

/* Calls it while the thread pointer is 0. */
void call_without_tls(uint64_t (*function)(uint64_t, uint64_t));

/* A translated group that is curious: what it sees, what it leaves. */
void spy_code(void);
struct spy {
	uint64_t firing[2 + CONTEXT_WORDS], stack;
} spy_seen;

/* clang-format off */
#define EACH_REGISTER(F) \
	F(rcx, 8) F(rdx, 16) F(rbx, 24) F(rbp, 40) F(rsi, 48) F(rdi, 56) F(r8, 64) F(r9, 72) \
	F(r10, 80) F(r11, 88) F(r12, 96) F(r13, 104) F(r14, 112) F(r15, 120)
#define FROM_IN(r, at) "mov live_in+" #at "(%rip),%" #r "\n"
#define TO_OUT(r, at) "mov %" #r ",live_out+" #at "(%rip)\n"
#define VECTORS ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
__asm__(".pushsection .text\n.balign 16\n"
	".globl live_call, live_site, live_end, plain_call, plain_end, call_without_tls, spy_code\n"
	"live_call: .cfi_startproc\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"mov %rsp,live_stack(%rip)\nsub live_shift(%rip),%rsp\n"
	VECTORS "movups live_in+264+16*\\i(%rip),%xmm\\i\n.endr\n"
	"pushq live_in+128(%rip)\npopfq\n"
	VECTORS "mov live_in+136+8*\\i(%rip),%rax\nmov %rax,-128+8*\\i(%rsp)\n.endr\n"
	"mov live_in(%rip),%rax\n" EACH_REGISTER(FROM_IN)
	"live_site: .byte 0x0f,0x1f,0x44,0,0\n"
	"mov %rax,live_out(%rip)\nmov %rsp,live_out+32(%rip)\n" EACH_REGISTER(TO_OUT)
	VECTORS "mov -128+8*\\i(%rsp),%rax\nmov %rax,live_out+136+8*\\i(%rip)\n.endr\n"
	"lea -128(%rsp),%rsp\npushfq\npopq live_out+128(%rip)\ncld\n"
	VECTORS "movups %xmm\\i,live_out+264+16*\\i(%rip)\n.endr\n"
	"mov live_stack(%rip),%rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n"
	".cfi_endproc\nlive_end:\n.fill 16,1,0x90\n"
	".balign 16\nplain_call: .cfi_startproc\npush %rbp\nmov %rsp,%rbp\nlea (%rdi,%rsi,2),%rax\npop %rbp\nret\n"
	".cfi_endproc\nplain_end:\n.fill 16,1,0x90\n"
	".balign 16\ncall_without_tls: .cfi_startproc\n"
	"push %rbx\nrdfsbase %rbx\nxor %ecx,%ecx\nwrfsbase %rcx\ncall *%rdi\nwrfsbase %rbx\npop %rbx\nret\n"
	".cfi_endproc\n"
	/* a C function's freedom: other registers, flags, the stack below */
	".balign 16\nspy_code: .cfi_startproc\nmov %rsp,spy_seen+8*23(%rip)\ncmpq $0,spy_words(%rip)\nje 1f\n"
	"mov (%r12),%rax\nmov %rax,spy_seen(%rip)\nmov 8(%r12),%rax\nmov %rax,spy_seen+8(%rip)\n"
	".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20\n"
	"mov 8*\\i(%rdi),%rax\nmov %rax,spy_seen+16+8*\\i(%rip)\n.endr\n"
	"1: .irp r,rax,rcx,rdx,rsi,rdi,r8,r9,r10,r11\nmov $0x5a5a5a5a,%\\r\n.endr\n"
	".rept 40\npush %rax\n.endr\nadd $320,%rsp\ncmp $0x5a5a5a5a,%rax\nret\n"
	".cfi_endproc\n.popsection\n");
/* clang-format on */

uint64_t spy_words = 1;

static const struct fired_site at_live = { live_call, 0, 0, PATCH_INSIDE };
static const struct fired_site at_plain = { plain_call, 0, 0, PATCH_ENTRY };
static const struct fired_site at_return = { plain_call, 0, 9, PATCH_EXIT };

static void fire_at(struct fired *f, const struct fired_site *s, struct trampoline *t)
{
	struct fired_site site = *s;
	bool is_live = s == &at_live;
	site.size =
		(uint64_t)((is_live ? live_end : plain_end) - (const unsigned char *)s->function);
	if (is_live)
		site.at = (uint64_t)(live_site - (const unsigned char *)s->function);
	t->pc = (uintptr_t)s->function + site.at;
	fired_at(f, &site, t);
	fired_jumps(f, true);
}

#define SPIED(words)                                                                               \
	{                                                                                          \
		.context_words = words, .takes_context = true, .owner_words = 3,                   \
		.registers = 0xfc7                                                                 \
	}

/* --- all of the processor's state is kept ------------------------------------------------------
 */

#define FLAGS_KEPT 0xcd5ull /* overflow, direction, sign, zero, adjust, parity, carry */
#define FLAG_DIRECTION 0x400ull

static void live_randomize(uint64_t *state, bool has_direction)
{
	uint64_t *words = (uint64_t *)&live_in;
	for (size_t i = 0; i < sizeof(live_in) / sizeof(uint64_t); i++)
		words[i] = next_random(state) * 0x9e3779b97f4a7c15ull;
	live_in.flags &= has_direction ? FLAGS_KEPT : FLAGS_KEPT & ~FLAG_DIRECTION;
	live_in.flags |= 0x202; /* interrupts, and a bit that is always set */
	live_shift = 128 + (*state & 8);
}

static bool live_is_kept(void)
{
	bool same = live_out.registers[4] == live_stack - live_shift;
	live_out.registers[4] = live_in.registers[4];
	same &= (live_out.flags & FLAGS_KEPT) == (live_in.flags & FLAGS_KEPT);
	live_out.flags = live_in.flags;
	return same && memcmp(&live_in, &live_out, sizeof(live_in)) == 0;
}

/* Returns how many of COUNT calls found something changed. */
static uint64_t live_calls(uint64_t count, bool has_direction)
{
	uint64_t state = 4711, wrong = 0;
	for (uint64_t i = 0; i < count; i++) {
		if (i % 16 == 0)
			live_randomize(&state, has_direction);
		live_call();
		wrong += !live_is_kept();
	}
	return wrong;
}

TEST(nothing_changes_in_ten_million_firings)
{
	struct fired f;
	fired_init(&f,
		   "fun:program:first:entry { @ = count(); @q = quantize(arg0); @k[arg1 & 7] = "
		   "count(); }",
		   64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	fire_at(&f, &at_live, &t);
	CHECK_INT(live_calls(10000000, false), 0);
	CHECK_INT(fired_count(&f, 0), 10000000);
	CHECK_INT(fired_keyed(&f, 2), 10000000);
	fired_deinit(&f);
}

/* With what T has; the code gives other values to all registers that it may. */
static void check_spied(void (*change)(struct fired *f, struct trampoline *t), bool fires)
{
	struct fired f;
	struct translation spied = SPIED(TRANSLATE_ALL_WORDS);
	fired_init(&f, "fun:program:first:entry { @ = count(); }", 2);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	t.function = (uintptr_t)spy_code;
	t.code = &spied;
	t.cookie = 77;
	change(&f, &t);
	spy_seen = (struct spy) { 0 };
	fire_at(&f, &at_live, &t);
	CHECK_INT(live_calls(100000, true), 0);
	CHECK_INT(spy_seen.firing[1], fires ? 77 : 0);
	fired_deinit(&f);
}

static void as_it_is(struct fired *f, struct trampoline *t)
{
}

static void always_finds_the_area(struct fired *f, struct trampoline *t)
{
	t->thread_number = 0;
}

static void does_not_know_the_thread(struct fired *f, struct trampoline *t)
{
	t->thread_number = f->placed.own->thread_number = 0;
}

static void may_lack_tls(struct fired *f, struct trampoline *t)
{
	t->may_lack_tls = getauxval(AT_HWCAP2) & 2;
}

static void reads_little_of_it(struct fired *f, struct trampoline *t)
{
	static const struct translation reads_little = SPIED(1 << 14);
	t->code = &reads_little;
}

static void is_a_child(struct fired *f, struct trampoline *t)
{
	f->placed.own->process = 0;
}

static void tracer_has_ended(struct fired *f, struct trampoline *t)
{
	((struct process_head *)(void *)f->placed.memory)->tracer = FUTEX_OWNER_DIED | 17;
}

static void areas_are_of_others(struct fired *f, struct trampoline *t)
{
	for (unsigned n = 0; n < 2; n++)
		area_of(&f->memory, n)->owner = area_key(f->placed.own->process + 1, n + 1);
}

TEST(nothing_changes_whatever_the_firing_does)
{
	check_spied(as_it_is, true);
	check_spied(always_finds_the_area, true);
	check_spied(does_not_know_the_thread, true);
	check_spied(may_lack_tls, true);
	check_spied(reads_little_of_it, true);
	check_spied(is_a_child, false);
	check_spied(tracer_has_ended, false);
	check_spied(areas_are_of_others, false);
}

/* --- the context --------------------------------------------------------------------------------
 */

TEST(the_context_is_the_sites)
{
	static const uint8_t words[16] = { 10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0 };
	struct fired f;
	struct translation spied = SPIED(TRANSLATE_ALL_WORDS);
	uint64_t state = 17;
	fired_init(&f, "fun:program:first:entry { @ = count(); }", 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	t.function = (uintptr_t)spy_code;
	t.code = &spied;
	fire_at(&f, &at_live, &t);
	live_randomize(&state, false);
	live_call();
	const uint64_t *context = spy_seen.firing + 2;
	live_in.registers[4] = live_stack - live_shift;
	for (unsigned r = 0; r < 16; r++)
		CHECK_INT(context[words[r]], live_in.registers[r]);
	CHECK_INT(context[15], -1);
	CHECK_INT(context[16], (uintptr_t)live_site);
	CHECK_INT(context[17], 0x33);
	CHECK_INT(context[18] & FLAGS_KEPT, live_in.flags & FLAGS_KEPT);
	CHECK_INT(context[20], 0x2b);
	CHECK_INT(spy_seen.stack % 16, 8);
	CHECK_INT(spy_seen.firing[0], (uint64_t)gettid() % 64);
	fired_deinit(&f);
}

/* The window is behind `push`; the context is that of the function's first byte. */
TEST(the_stack_pointer_is_that_of_the_function)
{
	struct fired f;
	struct translation spied = SPIED(TRANSLATE_ALL_WORDS);
	fired_init(&f, "fun:program:first:entry { @ = count(); }", 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	t.function = (uintptr_t)spy_code;
	t.code = &spied;
	fire_at(&f, &at_plain, &t);
	CHECK_INT(plain_call(3, 4), 11);
	uint64_t *stack = (uint64_t *)spy_seen.firing[2 + 19];
	CHECK_INT((uintptr_t)stack % 16, 8); /* as a call leaves it */
	CHECK_INT(spy_seen.firing[2 + 14], 3);
	CHECK_INT(spy_seen.firing[2 + 16], (uintptr_t)plain_call);
	fired_deinit(&f);
}

/* --- who does not fire --------------------------------------------------------------------------
 */

TEST(a_forked_child_does_not_count)
{
	struct fired f;
	fired_init(&f, "fun:program:first:entry { @ = count(); }", 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	fire_at(&f, &at_plain, &t);
	pid_t child = fork();
	for (int i = 0; i < 1000; i++)
		plain_call(1, 2);
	if (child == 0)
		_exit(0);
	CHECK(waitpid(child, NULL, 0) == child);
	CHECK_INT(fired_count(&f, 0), 1000);
	((struct process_head *)(void *)f.placed.memory)->tracer = FUTEX_OWNER_DIED;
	plain_call(1, 2);
	CHECK_INT(fired_count(&f, 0), 1000);
	fired_deinit(&f);
}

TEST(without_a_thread_pointer_a_firing_is_a_drop)
{
	struct fired f;
	if (!(getauxval(AT_HWCAP2) & 2))
		SKIP("needs rdfsbase");
	fired_init(&f, "fun:program:first:entry { @ = count(); }", 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	t.may_lack_tls = true;
	fire_at(&f, &at_plain, &t);
	call_without_tls(plain_call);
	call_without_tls(plain_call);
	CHECK_INT(fired_count(&f, 0), 0);
	CHECK_INT(control_of(&f.memory)->no_area, 2);
	plain_call(1, 2);
	CHECK_INT(fired_count(&f, 0), 1);
	fired_deinit(&f);
}

/* --- each once ----------------------------------------------------------------------------------
 */

#define THREADS 8

static __thread volatile uint64_t thread_calls;

static void call_in_handler(int signal)
{
	plain_call(5, 6);
	thread_calls++;
}

struct caller {
	uint64_t least, calls;
};

/* With a handler every 100 microseconds. */
static void *call_many(void *arg)
{
	struct caller *c = arg;
	struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	struct itimerspec every = { { 0, 100000 }, { 0, 100000 } };
	timer_t timer;
	e._sigev_un._tid = gettid();
	CHECK(timer_create(CLOCK_MONOTONIC, &e, &timer) == 0);
	CHECK(timer_settime(timer, 0, &every, NULL) == 0);
	for (uint64_t i = 0; i < c->least; i++)
		plain_call(i, i * 7);
	timer_delete(timer);
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	c->calls = c->least + thread_calls;
	return NULL;
}

static uint64_t call_in_threads(uint64_t each)
{
	struct sigaction a = { .sa_handler = call_in_handler, .sa_flags = SA_RESTART };
	struct caller callers[THREADS];
	pthread_t threads[THREADS];
	uint64_t calls = 0;
	sigaction(SIGRTMIN, &a, NULL);
	for (unsigned i = 0; i < THREADS; i++) {
		callers[i] = (struct caller) { each, 0 };
		CHECK(pthread_create(&threads[i], NULL, call_many, &callers[i]) == 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		calls += callers[i].calls;
	}
	printf("%lu calls, %lu of handlers\n", calls, calls - each * THREADS);
	return calls;
}

TEST(each_call_of_threads_and_handlers_is_counted_once)
{
	struct fired f;
	fired_init(&f,
		   "fun:program:first:entry { @ = count(); @k[arg0 & 31] = count(); @q[arg1 & 3] = "
		   "quantize(arg0); }\n"
		   "fun:program:first:return { @r = count(); }",
		   64);
	struct trampoline entry = fired_trampoline(&f, EVENT_FUNCTION_ENTRY),
			  end = fired_trampoline(&f, EVENT_FUNCTION_RETURN);
	fire_at(&f, &at_plain, &entry);
	fire_at(&f, &at_return, &end);
	uint64_t calls = call_in_threads(500000);
	CHECK_INT(fired_count(&f, 0), calls);
	CHECK_INT(fired_keyed(&f, 1), calls);
	CHECK_INT(fired_count(&f, 3), calls);
	CHECK_INT(COUNTED(&f.memory, principal), 0);
	fired_deinit(&f);
}

/* --- strings ------------------------------------------------------------------------------------
 */

/* What is after a string's end is no part of a key: on the stack, and in other memory. */
TEST(a_string_is_one_key_whatever_is_after_it)
{
	static char elsewhere[512];
	char here[512], *texts[] = { here, elsewhere };
	struct fired f;
	fired_init(&f, "fun:program:first:entry { @[copyinstr(arg0)] = count(); }", 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	fire_at(&f, &at_plain, &t);
	for (unsigned i = 0; i < 400; i++) {
		char *text = texts[i & 1];
		memset(text, (int)i, sizeof(here));
		strcpy(text, "/usr/lib/x86_64-linux-gnu/libc.so.6");
		plain_call((uintptr_t)text, 0);
	}
	CHECK_INT(fired_keyed(&f, 0), 400);
	const struct process_map *map =
		(const void *)(f.memory.view.memory + f.memory.layout.head.maps);
	CHECK_INT(map->count, 1);
	fired_deinit(&f);
}

/* --- what it costs ------------------------------------------------------------------------------
 */

#define PASSES 200000
#define BATCHES 21

static int double_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Median of batches, in ns of thread time for each call. */
static double call_cost(void)
{
	double ns[BATCHES];
	for (unsigned b = 0; b < BATCHES; b++) {
		uint64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		for (uint64_t i = 0; i < PASSES; i++)
			plain_call(i & 1023, b);
		ns[b] = (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin) / PASSES;
	}
	qsort(ns, BATCHES, sizeof(*ns), double_compare);
	return ns[BATCHES / 2];
}

static void print_cost(const char *clause)
{
	struct fired f;
	auto_free char *script = mem_printf("fun:program:first:entry %s", clause);
	fired_init(&f, script, 64);
	struct trampoline t = fired_trampoline(&f, EVENT_FUNCTION_ENTRY);
	double before = call_cost();
	fire_at(&f, &at_plain, &t);
	plain_call(0, 0);
	double with = call_cost();
	printf("%-50s %5.1f ns over a call of %.1f\n", clause, with - before, before);
	fired_deinit(&f);
}

TEST(what_firings_cost)
{
	print_cost("{ @ = count(); }");
	print_cost("{ @ = sum(arg0); }");
	print_cost("/arg0 == 3/ { @ = count(); }");
	print_cost("{ @ = quantize(arg0); }");
	print_cost("{ @[arg0] = count(); }");
	print_cost("{ @[arg1] = count(); }");
	print_cost("{ @[probefunc] = count(); }");
	print_cost("{ @ = max(timestamp); }");
}

#else

TEST(firings)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
