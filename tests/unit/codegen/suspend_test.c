/* SPDX-License-Identifier: BSD-2-Clause */
/* Firings suspended at a system call's entry and resumed at its return (codegen/suspend.c) */
#include "codegen/run.h"

#define READ 0 /* the call's number; 3 for 32-bit code */
#define ABSENT 0x7070000000

static void set_argument(struct run *r, unsigned n, uint64_t value)
{
	r->machine.user_registers[arch_x86_64.syscall_argument[n] / 8] = value;
}

static void come_back(struct run *r, uint64_t call)
{
	r->machine.user_registers[arch_x86_64.syscall_number / 8] = call;
	fire(r, EVENT_SYSCALL_RESUME, call);
}

/* One number of user memory, absent until put_in_place(). */
struct page {
	struct run *run;
	long *number;
};

static struct page entry_without_memory(struct run *r, const char *script)
{
	run_init(r, script);
	struct page page = { r, mem_zalloc(sizeof(long)) };
	set_argument(r, 1, (uintptr_t)page.number);
	set_argument(r, 2, 33);
	fire(r, EVENT_SYSCALL_ENTRY, READ);
	return page;
}

static void put_in_place(const struct page *page, long number)
{
	*page->number = number;
	bench_own(&page->run->machine, page->number, sizeof(long), true);
}

/* A clause that counts in n and reads the page into x: nothing before it is there, all after. */
static void check_waits_once(const struct page *page)
{
	struct run *r = page->run;
	CHECK_INT(global(r, "n"), 0);
	CHECK_INT(r->machine.control->suspended, 1);
	put_in_place(page, 4);
	come_back(r, READ);
	CHECK_GLOBALS(r, "n=1 x=4");
	CHECK_INT(r->machine.faults.count, 0);
}

#define READS "*(long *)copyin(arg1, 8)"

TEST(clauses_from_the_read_on_run_at_the_return)
{
	auto_run struct run r;
	struct page page = entry_without_memory(&r, "long a, b, c, x; syscall::read:entry { a++; }"
						    "syscall::read:entry { x = " READS "; b++; }"
						    "syscall::read:entry { c++; }");
	CHECK_GLOBALS(&r, "a=1 b=0 c=0");
	CHECK_INT(r.machine.faults.count, 0);
	CHECK_INT(r.machine.control->suspended, 1);
	put_in_place(&page, 12);
	for (int i = 0; i < 2; i++) /* the second one finds nothing */
		come_back(&r, READ);
	CHECK_GLOBALS(&r, "a=1 x=12 b=1 c=1");
	CHECK_INT(r.machine.control->suspended, 0);
}

/* Counted at the entry or at the return, not at both: p's target is not memory of the firing. */
TEST(what_is_written_through_a_pointer_is_written_once)
{
	auto_run struct run r;
	struct page page =
		entry_without_memory(&r, "long c[2], *p, x;"
					 "syscall::read:entry { p = c; *p += 1; x = " READS "; }");
	put_in_place(&page, 12);
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "c=1 x=12");
}

TEST(a_firing_that_needs_not_wait_leaves_nothing_for_the_return)
{
	RUN(r, "long x, n; syscall::read:entry { x = " READS "; n++; }");
	struct page page = { &r, mem_zalloc(sizeof(long)) };
	put_in_place(&page, 5);
	set_argument(&r, 1, (uintptr_t)page.number);
	fire(&r, EVENT_SYSCALL_ENTRY, READ);
	uint64_t calls = r.machine.calls, steps = r.machine.steps;
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "x=5 n=1");
	CHECK_INT(r.machine.calls - calls, 0);
	CHECK(r.machine.steps - steps <= 6); /* the context, the counter, a jump, the result */
}

/* The kernel skipped the program at the return: the thread's next return is not taken for it. */
TEST(one_that_was_skipped_does_not_go_on_after_the_next_firing)
{
	auto_run struct run r;
	struct page page =
		entry_without_memory(&r, "long x, n; syscall::read:entry { n++; }"
					 "syscall::read:entry /arg2 != 34/ { x = " READS "; }");
	put_in_place(&page, 12);
	set_argument(&r, 2, 34);
	fire(&r, EVENT_SYSCALL_ENTRY, READ);
	CHECK_INT(r.machine.control->suspended, 0);
	CHECK_INT(r.machine.control->overtaken, 1);
	set_argument(&r, 2, 33);
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "x=0 n=2");
}

TEST(memory_that_stays_absent_is_a_fault_at_the_return)
{
	auto_run struct run r;
	struct page page = entry_without_memory(&r, "long x, n; syscall::read:entry { x = 1; } "
						    "syscall::read:entry { x = " READS
						    "; } syscall::read:entry { n++; }");
	come_back(&r, READ);
	CHECK_INT(r.machine.faults.count, 1);
	CHECK_INT(r.machine.faults.items[0].code, FAULT_BADADDR);
	CHECK_INT(r.machine.faults.items[0].address, (uintptr_t)page.number);
	CHECK_INT(global(&r, "n"), 1);
	free(page.number);
}

TEST(what_is_known_of_the_firing_is_what_it_was)
{
	auto_run struct run r;
	struct page page = entry_without_memory(
		&r,
		"long t, w, e, g; syscall::read:entry /(" READS ")/ "
		"{ t = timestamp; w = walltimestamp; e = errno; g = arg2; @[execname] = count();"
		"  trace(g); }");
	r.machine.time = 7000;
	r.machine.name = "other";
	r.machine.context[1] = (uint64_t)-2;
	put_in_place(&page, 1);
	come_back(&r, READ);
	CHECK_INT(global(&r, "t"), BENCH_TIME);
	CHECK_INT(global(&r, "w"), BENCH_TIME + BENCH_WALL);
	CHECK_GLOBALS(&r, "e=0 g=33");
	CHECK_INT(r.machine.elements.count, 1);
	CHECK_STR(r.machine.elements.items[0].key, "machine");
	CHECK_INT(r.machine.records.count, 1);
	CHECK_INT(header(&r, 0)->time, 7000); /* records are in the order they were left in */
}

/* a, b: numbers in the frame; p: in the slot */
TEST(this_variables_are_kept)
{
	auto_run struct run r;
	struct page page = entry_without_memory(
		&r, "struct pair { long x, y; }; this struct pair p; long total, q; "
		    "syscall::read:entry { this->a = 5; this->p.y = 100; }"
		    "syscall::read:entry { this->b = 7;"
		    "  total = " READS " + this->a + this->b + this->p.y; this->a++; }"
		    "syscall::read:entry { q = this->a; }");
	put_in_place(&page, 1000);
	memset(r.machine.scratch, 0xa5, r.compiled.program.slot_size); /* others' since */
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "total=1112 q=6");
}

TEST(memory_of_another_address_space_is_never_read)
{
	static const char script[] =
		"long x, g, n; syscall::read:entry { x = " READS "; }"
		"syscall::read:entry { g = arg2; } syscall::read:entry { x = " READS "; }";
	for (unsigned elsewhere = 0; elsewhere < 3; elsewhere++) { /* memory, argument, call */
		auto_run struct run r;
		struct page page = entry_without_memory(&r, script);
		put_in_place(&page, 9);
		r.machine.memory_gone = !elsewhere;
		set_argument(&r, 2, 33 + (elsewhere == 1));
		come_back(&r, elsewhere == 2 ? READ + 1 : READ);
		CHECK_INT(global(&r, "x"), 0);
		CHECK_INT(global(&r, "g"), 33);
		CHECK_INT(r.machine.faults.count, 2);
		CHECK_INT(r.machine.faults.items[1].address, (uintptr_t)page.number);
	}
}

TEST(calls_of_32_bit_code_wait_with_their_own_registers)
{
	RUN(r, "long x; syscall::read:entry { x = " READS "; } syscall::read:entry { x = arg0; }");
	r.machine.task[2] = arch_x86_64.compat_mask;
	r.machine.user_registers[arch_x86_64.compat_argument[0] / 8] = 17;
	r.machine.user_registers[arch_x86_64.compat_argument[1] / 8] = ABSENT & UINT32_MAX;
	fire(&r, EVENT_SYSCALL_ENTRY, 3);
	CHECK_INT(r.machine.control->suspended, 1);
	come_back(&r, 3);
	CHECK_INT(global(&r, "x"), 17);
}

TEST(nothing_goes_on_when_tracing_has_ended)
{
	auto_run struct run r;
	struct page page =
		entry_without_memory(&r, "long x; syscall::read:entry { x = " READS "; }");
	put_in_place(&page, 9);
	r.machine.control->activity = ACTIVITY_DRAINING;
	come_back(&r, READ);
	CHECK_INT(global(&r, "x"), 0);
	CHECK_INT(r.machine.control->suspended, 1);
}

/* --- which clauses wait ----------------------------------------------------------------------- */

static const struct waits {
	const char *clause;
	bool waits;
} waits[] = {
	{ "{ trace(copyinstr(arg1)); }", true },
	{ "/copyinstr(arg1) == \"x\"/ { trace(1); }", true },
	{ "{ trace(arg0); printf(\"%s\", copyinstr(arg1)); }", true },
	{ "{ trace(args[1][0]); }", true },
	{ "{ trace(stringof(args[1])); }", true },
	{ "{ copyinto(arg1, 8, alloca(8)); }", true },
	{ "{ tracemem(copyin(arg1, 8), 8); }", true },
	{ "{ trace(*(int *)arg1); }", false }, /* the kernel's memory */
	{ "{ @[copyinstr(arg1)] = count(); }", true },
	{ "{ trace(copyinstr(arg1)); @ = count(); }", true },
	{ "{ @ = count(); trace(copyinstr(arg1)); }", true },
	{ "{ self->x = copyinstr(arg1); }", true },
	{ "{ x = 1; trace(copyinstr(arg1)); }", true },
	{ "{ x[copyinstr(arg1)] = 1; }", true },
	{ "{ x[1]++; trace(copyinstr(arg1)); }", true },
	{ "{ x[1]++; trace(copyinstr(arg1 + x[1])); }", false },
	{ "{ x[1]++; if (arg0) trace(copyinstr(arg1)); }", true },
	{ "{ x[1]++; trace(arg0 && *(char *)copyin(arg1, 1)); }", true },
	{ "{ x[1]++; trace(arg0 ? copyinstr(arg1) : \"\"); }", true },
	{ "{ x[1]++; trace(copyinstr(arg1 / arg2)); }", false },
	{ "{ x[1]++; trace(args[1][0]); }", true },
	{ "{ x[1]++; tracemem(args[1], 8); }", true },
	{ "{ x[1]++; tracemem(args[1] + x[1], 8); }", false },
	{ "{ x[1]++; copyinto(arg1, arg2, alloca(8)); }", true },
	{ "{ x[1]++; if (x[1]) trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; if (x[1]) trace(1); else trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; if (execname == \"a\" || pid == 1) trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; if (strlen(execname)) trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; trace(x[1] ^^ copyinstr(arg1)[0]); }", true },
	{ "{ x[1]++; trace(copyinstr(*(long *)arg0)); }", false },
	{ "{ x[1]++; if (arg0) { this->x = arg1; } trace(copyinstr(this->x)); }", false },
	{ "{ this->x = arg1; x[1]++; trace(copyinstr(this->x = this->x + 8)); }", false },
	{ "{ x[1]++; this->x = x[2]; trace(copyinstr(this->x)); }", false },
	{ "{ x[1] = 5; x[arg0] = arg1; trace(copyinstr(x[1])); }", false },
	{ "{ x[1] = arg1; x[2] = 5; trace(copyinstr(x[1])); }", false },
	{ "{ x[1] = arg1; @ = count(); x[1] = rand(); trace(copyinstr(x[1])); }", false },
	{ "{ this->x = arg1; x[1]++; trace(copyinstr(this->x + 8)); }", true },
	{ "{ this->x = arg1; x[1]++; this->x = arg0; trace(copyinstr(this->x)); }", false },
	{ "{ if (arg0) { this->x = arg1; x[1]++; trace(copyinstr(this->x)); } }", true },
	{ "{ x[1]++; trace(copyinstr(probefunc == \"read\" ? arg1 : arg0)); }", true },
	{ "{ x[1]++; trace(copyinstr(arg1 / 2)); }", true },
	{ "{ x[1]++; trace(copyinstr(uregs[4])); }", true },
	{ "{ x[1]++; trace(copyinstr(arg1 + rand())); }", false },
	{ "{ x[1]++; if (rand()) trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; if (strtok(execname, \"a\") != NULL) trace(copyinstr(arg1)); }", false },
	{ "{ x[1]++; if (arg0) { this->x = rand(); } trace(copyinstr(this->x)); }", false },
	{ "{ x[1]++; this->pair.x = arg1; trace(copyinstr(this->pair.x)); }", false },
	{ "{ x[1]++; trace(copyinstr(pair.x)); }", false },
	{ "{ x[1]++; if (copyinstr(arg1) == \"x\") trace(1); }", true },
	{ "{ x[1]++; trace(copyinstr((uintptr_t)alloca(8))); }", false },
	{ "{ if (arg0) { x[1]++; trace(copyinstr(arg1)); } }", true },
	{ "{ this->x = *(long *)copyin(arg1, 8); x[1]++; trace(copyinstr(this->x)); }", true },
	{ "{ trace(copyinstr(arg1)); x[1]++; trace(copyinstr(x[1])); }", true },
	{ "{ self->s = arg0; trace(copyinstr(self->s)); }", true },
	{ "{ self->y = timestamp; self->x = copyinstr(arg1); }", true },
	{ "{ self->s = self->s + 1; trace(copyinstr(self->s)); }", false },
	{ "/!self->s/ { self->s = arg0; trace(copyinstr(self->s)); }", false },
	{ "{ if (arg0 > 1) { x = 1; } trace(copyinstr(x)); }", false },
	{ "/x++/ { trace(copyinstr(arg1)); }", false },
	{ "{ this->x = arg0; trace(copyinstr(arg1)); }", true },
	{ "{ this->x = arg0; trace(copyinstr(this->x)); }", true },
	{ "{ this->x = 0; trace(copyinstr(arg1)); }", true },
	{ "{ this->x++; trace(copyinstr(this->x)); }", false },
	{ "{ this->x = this->x + 1; trace(copyinstr(this->x)); }", false },
	{ "{ if (arg0) { this->x = 1; } trace(copyinstr(this->x)); }", false },
	{ "/this->x/ { this->x = 1; trace(copyinstr(this->x)); }", true },
	{ "/(this->x = arg0)/ { trace(copyinstr(arg1)); }", false },
	{ "{ exit(0); trace(copyinstr(arg1)); }", true },
	{ "{ raise(9); trace(copyinstr(arg1)); }", true },
	{ "{ trace(speculation()); trace(copyinstr(arg1)); }", true },
	{ "{ speculate(1); trace(copyinstr(this->x)); }", true },
	{ "{ discard(1); trace(copyinstr(this->x)); }", false },
	{ "{ trace(strtok(\"a b\", \" \")); trace(copyinstr(this->x)); }", false },
	{ "{ trace(strtok(copyinstr(arg1), \" \")); }", true },
	{ "{ trace(copyinstr(arg1)); copyoutstr(\"\", arg1, 1); }", false },
	{ "{ trace(execargs); }", false },
	{ "{ self->pair = *(struct pair *)copyin(arg1, 16); }", true },
	{ "{ this->pair = *(struct pair *)copyin(arg1, 16); }", true },
	{ "{ trace(named.name = \"a\"); trace(copyinstr(this->x)); }", false },
	{ "{ trace(named.name = copyinstr(arg1)); }", true },
	{ "{ copyinto(arg1, 8, pair.text); }", true },
	{ "{ this->p = &this->pair.text[1]; trace(copyinstr(arg1)); }", false },
	{ "{ trace(stringof(this->pair.text)); trace(copyinstr(arg1)); }", true },
};

TEST(a_clause_waits_before_its_first_effect_or_looks_first)
{
	for (size_t i = 0; i < ARRAY_SIZE(waits); i++) {
		auto_strbuf struct strbuf script = { 0 };
		strbuf_printf(
			&script,
			"struct pair { long x; char text[8]; }; struct pair pair; this "
			"struct pair pair; struct named { string name; }; struct named named; "
			"self struct pair pair; this long x; self long s; syscall::read:entry %s",
			waits[i].clause);
		auto_run struct run r;
		run_init(&r, strbuf_text(&script));
		bool has = compiled_group(&r.compiled, EVENT_SYSCALL_RESUME) != NULL;
		if (has == waits[i].waits)
			continue;
		printf("%s: %s\n", waits[i].clause, has ? "waits" : "does not wait");
		test_failed_now = true;
	}
}

/* Memory to be read is tried before the effect. */
TEST(an_effect_before_the_read_waits_with_it)
{
	auto_run struct run r;
	struct page page = entry_without_memory(
		&r, "long n, x; syscall::read:entry { n++; @ = count(); x = " READS "; }");
	CHECK_INT(global(&r, "n"), 0);
	CHECK_INT(r.machine.faults.count, 0);
	put_in_place(&page, 4);
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "n=1 x=4");
}

TEST(looking_at_a_bad_address_is_no_fault)
{
	RUN(r, "long n; syscall::read:entry { n++; trace(*(int *)copyin(8, 4)); }");
	fire(&r, EVENT_SYSCALL_ENTRY, READ);
	CHECK_INT(global(&r, "n"), 1);
	CHECK_INT(r.machine.control->suspended, 0);
	CHECK_INT(r.machine.faults.count, 1);
}

/* Both have their values at the place of the read, not those at the clause's begin. */
TEST(addresses_and_conditions_are_followed_through_the_clause)
{
	static const char *const reads[] = {
		"this->p = arg1 + 8; n++; x = *(long *)copyin(this->p - 8, 8);",
		"this->p = arg1; n++; if (arg2 == 33) x = *(long *)copyin(this->p, 8);",
		"n++; if (arg2 != 33) x = -1; else x = arg2 ? *(long *)copyin(arg1, 8) : 0;",
		"this->p = 1; n++; if (this->p == 1) x = *(long *)copyin(arg1, arg2 - 25);",
		"this->p = arg2 == 33 ? arg1 : 0; n++; if (!(arg2 > 33)) { x = *(long "
		"*)copyin(this->p, 8); }",
		"if (arg2) { this->p = arg1; n++; x = *(long *)copyin(this->p, 8); }",
	};
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		auto_free char *script = mem_printf("long n, x, p; this long p; self long p; "
						    "syscall::read:entry { %s }",
						    reads[i]);
		auto_run struct run r;
		struct page page = entry_without_memory(&r, script);
		check_waits_once(&page);
	}
}

/* If the condition is false, nothing is tried. */
TEST(a_read_that_is_not_done_is_not_waited_for)
{
	static const char *const reads[] = {
		"n++; if (arg2 == 34) x = " READS ";",
		"n++; if (arg2 == 33) x = 0; else x = " READS ";",
		"this->p = arg2 + 1; n++; x = this->p == 34 ? 0 : " READS ";",
		"n++; x = arg2 == 34 && " READS ";",
		"n++; x = arg2 == 34 && (arg2 == 33 || " READS ");",
		"n++; x = !(arg2 == 33 || " READS ");",
	};
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		auto_free char *script = mem_printf("long n, x; this long p; "
						    "syscall::read:entry { %s }",
						    reads[i]);
		auto_run struct run r;
		struct page page = entry_without_memory(&r, script);
		CHECK_INT(global(&r, "n"), 1);
		CHECK_INT(global(&r, "x"), 0);
		CHECK_INT(r.machine.control->suspended, 0);
		CHECK_INT(r.machine.faults.count, 0);
		free(page.number);
	}
}

/* The address comes from memory, a variable of another kind, or one that was assigned twice. */
TEST(an_address_that_is_not_plain_is_not_looked_at)
{
	static const char *const reads[] = {
		"n++; p = arg1; x = *(long *)copyin(p, 8);",
		"self->p = arg1; n++; x = *(long *)copyin(self->p, 8);",
		"this->p = 0; this->p = arg1; n++; x = *(long *)copyin(this->p, 8);",
		"this->p = arg1 - 1; n++; this->p++; x = *(long *)copyin(this->p, 8);",
		"n++; if (arg2) { this->p = arg1; } x = *(long *)copyin(this->p, 8);",
		"n++; if (n) x = " READS ";",
		"n++; x = *(long *)copyin(arg1 + n - 1, 8);",
	};
	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		auto_free char *script = mem_printf("long n, x, p; this long p; self long p; "
						    "syscall::read:entry { %s }",
						    reads[i]);
		auto_run struct run r;
		struct page page = entry_without_memory(&r, script);
		CHECK_INT(global(&r, "n"), 1);
		CHECK_INT(r.machine.control->suspended, 0);
		CHECK_INT(r.machine.faults.count, 1);
		CHECK_INT(r.machine.faults.items[0].address, (uintptr_t)page.number);
		free(page.number);
	}
}

/* p[arg2] might be p[1]. */
TEST(an_effect_before_a_read_at_an_address_that_cannot_be_told_comes_once)
{
	auto_run struct run r;
	struct page page =
		entry_without_memory(&r, "long n, x, y, p[int]; syscall::read:entry { p[1] = arg1; "
					 "p[arg2] = 5; n++; x = *(long *)copyin(p[1], 8); }"
					 "syscall::read:entry { y = " READS "; }");
	CHECK_INT(global(&r, "n"), 1);
	CHECK_INT(r.machine.faults.count, 1);
	put_in_place(&page, 4);
	come_back(&r, READ);
	CHECK_GLOBALS(&r, "n=1 x=0 y=4");
	CHECK_INT(r.machine.faults.count, 1);
}

TEST_MAIN
