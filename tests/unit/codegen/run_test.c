/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiled scripts run in the interpreter: their effects, and their cost */
#include "codegen/run.h"
#include "golden.h"

static uint64_t flags(const struct run *r, size_t record)
{
	uint64_t word;
	memcpy(&word, header(r, record) + 1, sizeof(word));
	return word;
}

/* --- records --------------------------------------------------------------------------------- */

TEST(a_record_tells_clause_probe_and_time)
{
	RUN(r, "BEGIN { x = 1; } syscall::write:entry { printf(\"%d %d\", pid, arg2); }");
	r.machine.user_registers[arch_x86_64.syscall_argument[2] / 8] = 77;
	fire(&r, EVENT_SYSCALL_ENTRY, 1);
	CHECK_INT(r.machine.records.count, 1);
	CHECK_INT(header(&r, 0)->kind, RECORD_DATA);
	CHECK_INT(header(&r, 0)->clause, 1);
	CHECK_INT(header(&r, 0)->probe, 6);
	CHECK_INT(header(&r, 0)->time, BENCH_TIME);
	CHECK_INT(field(&r, 0, 0, 0), BENCH_PID);
	CHECK_INT(field(&r, 0, 0, 1), 77);
}

TEST(a_flag_says_which_action_ran)
{
	static const char script[] = "long x; BEGIN { if (x > 5) { trace(x); } else { trace(1); if "
				     "(x) { trace(2); } } trace(3);"
				     " x += 3; }";
	RUN(r, script);
	for (int i = 0; i < 3; i++)
		fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(flags(&r, 0) & 7, 2); /* x is 0, 3, 6 */
	CHECK_INT(flags(&r, 1) & 7, 6);
	CHECK_INT(flags(&r, 2) & 7, 1);
	CHECK_INT(field(&r, 2, 0, 0), 6);
}

/* a: a predicate's work; b: with a record in the frame, c: in a slot, d: without one; e: next */
TEST(a_clause_without_room_does_nothing)
{
	RUN(r, "BEGIN /a++, 1/ { b++; trace(b); } BEGIN { c++; trace(strjoin(\"x\", \"y\")); } "
	       "BEGIN { d++; @[d] = count(); } BEGIN { e++; exit(0); }");
	r.machine.full = true;
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "a=1 b=0 c=0 d=1 e=0");
	CHECK_INT(r.machine.refused, 3);
	CHECK_INT(r.machine.records.count, 0);
	CHECK_INT(r.machine.control->activity, ACTIVITY_ACTIVE);
}

TEST(a_record_wakes_as_it_was_told_before)
{
	RUN(r, "BEGIN { x = 1; trace(x); }" /* in the frame; in a slot */
	       "BEGIN { printf(\"%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\", x, x, x, x, x,"
	       "x, x, x, x, x, x, x, x, x, x, x, x, x); }");
	r.machine.mischief = 1;
	for (int i = 0; i < 50; i++)
		fire(&r, EVENT_BEGIN, 0);
	CHECK(r.machine.records.count > 20);
	CHECK(!r.machine.wake_lost);
}

/* N times TEXT */
static void repeat(struct strbuf *s, const char *text, unsigned n)
{
	while (n--)
		strbuf_puts(s, text);
}

/* Far more than the 32,767 instructions that a jump reaches, between all that jumps. */
TEST(long_clauses_jump_as_short_ones)
{
	auto_strbuf struct strbuf s = { 0 };
	strbuf_puts(&s, "long x, y, never; BEGIN /never/ { x = 1000000; ");
	repeat(&s, "x++; @[x] = count(); ", 3000);
	strbuf_puts(&s, "trace(x); } BEGIN { if (never) { ");
	repeat(&s, "x += 3; @[x] = count(); ", 3000);
	strbuf_puts(&s, "} else { ");
	repeat(&s, "x += 1; @[x] = count(); ", 3000);
	strbuf_puts(&s, "} trace(x); y = x / never; ");
	repeat(&s, "y += 1; @[y] = count(); ", 3000);
	strbuf_puts(&s, "} BEGIN { y += 7; }");
	RUN(r, strbuf_text(&s));
	CHECK(compiled_group(&r.compiled, EVENT_BEGIN)->count > 200000);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "x=3000 y=7");
	CHECK_INT(r.machine.elements.count, 3000);
	CHECK_INT(r.machine.faults.count, 1);
	CHECK_INT(r.machine.records.count, 0);
}

/* More arrays and aggregations than a program may have maps, with equal keys. */
TEST(what_cannot_be_deleted_becomes_zero)
{
	RUN(r, "long one, two, three; string s[int]; long a[int]; char c[int];"
	       "BEGIN { a[1] = 5; a[2] = 6; c[1] = 7; s[1] = 0; a[3] = 0; }"
	       "BEGIN { a[1] = 0; a[2] = one; c[1] = 0; } BEGIN { one = a[1] + a[2] + c[1]; "
	       "two = 1; }");
	r.machine.delete_fails = true;
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "one=0 two=1");
	CHECK_INT(r.machine.elements.count, 3);
	CHECK_INT(r.machine.faults.count, 0);
}

/* The interpreter's words are not torn, but neighbours must stay, and values wrap as they should.
 */
TEST(short_numbers_change_by_wide_instructions)
{
	RUN(r, "char c; unsigned char u; short s; unsigned short w; short a[int]; long all, got;"
	       "BEGIN { c = 127; u = 255; s = -1; w = 3; a[1] = 32767; }"
	       "BEGIN { got = c++; c += 1; u++; s += 2; w -= 4; a[1]++; c |= 2; u |= 0x80; w &= "
	       "0xff0f; a[1] ^= 1; }"
	       "BEGIN { all = c * 1000000000 + u * 1000000 + s * 100000; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "got"), 127);
	CHECK_INT(global(&r, "all"), -125ll * 1000000000 + 128 * 1000000 + 1 * 100000);
	CHECK_INT(global(&r, "w") & 0xffff, 0xff0f);
	CHECK_INT(*(int16_t *)r.machine.elements.items[0].value, -32767);
}

TEST(many_arrays_share_maps_and_keep_apart)
{
	auto_strbuf struct strbuf s = { 0 };
	strbuf_puts(&s, "long total; BEGIN { ");
	for (int i = 0; i < 60; i++)
		strbuf_printf(&s, "long%d[7, pid] = %d; @a%d[pid] = sum(%d); name%d[\"n\"] = %d; ",
			      i, i, i, i, i, i);
	strbuf_puts(&s, "} BEGIN { ");
	for (int i = 0; i < 60; i++)
		strbuf_printf(&s, "total += long%d[7, pid] * name%d[\"n\"]; name%d[\"n\"] = 0; ", i,
			      i, i);
	strbuf_puts(&s, "}");
	RUN(r, strbuf_text(&s));
	CHECK_INT(r.compiled.program.map_count, 2); /* arrays, aggregations */
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "total"), 59 * 60 * 119 / 6);
	unsigned elements = 0;
	for (size_t i = 0; i < r.machine.elements.count; i++)
		elements += r.machine.elements.items[i].key != NULL;
	CHECK_INT(elements, 119); /* not long0, which is 0, nor name0 ... */
}

TEST(clauses_run_where_they_are_enabled)
{
	RUN(r, "syscall::read:entry { a++; } syscall::write:entry { b++; }"
	       "syscall:::entry { c++; } syscall::read:entry, syscall::openat:entry { d++; }");
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	fire(&r, EVENT_SYSCALL_ENTRY, 257);
	fire(&r, EVENT_SYSCALL_ENTRY, 39); /* no probe */
	fire(&r, EVENT_SYSCALL_ENTRY, UINT64_MAX);
	CHECK_GLOBALS(&r, "a=1 b=0 c=2 d=2");
}

TEST(calls_of_32_bit_code_have_their_own_numbers_and_registers)
{
	RUN(r, "syscall::write:entry { x = arg0; }");
	r.machine.user_registers[arch_x86_64.compat_argument[0] / 8] = 0xffffffff00000005;
	fire(&r, EVENT_SYSCALL_ENTRY, 4); /* natively something else */
	CHECK_INT(global(&r, "x"), 0);
	r.machine.task[2] = arch_x86_64.compat_mask;
	fire(&r, EVENT_SYSCALL_ENTRY, 1);
	CHECK_INT(global(&r, "x"), 0);
	fire(&r, EVENT_SYSCALL_ENTRY, 4);
	CHECK_INT(global(&r, "x"), 5);
}

TEST(functions_are_told_apart_by_cookie)
{
	RUN(r, "fun::first:entry { a = arg1; } fun::second:entry { b = arg1; }");
	r.machine.context[arch_x86_64.argument[1] / 8] = 9;
	fire(&r, EVENT_FUNCTION_ENTRY, 1);
	fire(&r, EVENT_FUNCTION_ENTRY, 2); /* no such index */
	CHECK_GLOBALS(&r, "a=0 b=9");
}

/* The upper halves of the context's words are not part of the values: sizes and signs matter. */
TEST(arguments_of_tracepoints_have_their_sizes)
{
	RUN(r, "fun:::switch { a = arg0; b = arg1; c = arg2; d = arg3; }");
	r.machine.context[0] = 0x1f01;
	r.machine.context[1] = 0x123456789abc;
	r.machine.context[2] = 0xfffffffe;
	r.machine.context[3] = 7; /* of another tracepoint */
	fire(&r, EVENT_TRACEPOINT, 0);
	CHECK_INT(global(&r, "a"), 1);
	CHECK_INT(global(&r, "b"), 0x123456789abc);
	CHECK_GLOBALS(&r, "c=-2 d=0");
}

/* tick-1 has the lower id: its clauses come first, wherever the others are. */
TEST(probes_of_one_event_fire_by_id_then_in_the_order_of_the_text)
{
	RUN(r, "long x; fun:::tick-one { x = x * 10 + 1; } profile:::tick-1 { x = x * 10 + 2; } "
	       "fun:::tick-one { x = x * 10 + 3; } profile:::tick-1 { x = x * 10 + 4; } "
	       "tick-1, tick-one { x = x * 10 + 5; }");
	CHECK_INT(r.compiled.program.group_count, 1);
	fire(&r, EVENT_TIMER, 0);
	CHECK_INT(global(&r, "x"), 245135);
}

/* Where the second probe is not enabled, at another event of the group, nothing runs. */
TEST(an_event_may_fire_fewer_probes_than_others)
{
	RUN(r, "long a, b, c; fun:::tick-one { a++; } tick-1 { b++; } profile-97 { c++; }");
	for (unsigned i = 0; i < 2; i++)
		fire(&r, EVENT_TIMER, i);
	CHECK_GLOBALS(&r, "a=1 b=1 c=1");
}

TEST(each_probe_of_an_event_begins_with_empty_this_variables)
{
	RUN(r, "this long n; fun:::tick-one { b = this->n; } "
	       "tick-1 { this->n = 5; a = this->n; }");
	fire(&r, EVENT_TIMER, 0);
	CHECK_GLOBALS(&r, "a=5 b=0");
}

TEST(exit_keeps_later_probes_of_an_event_from_firing)
{
	RUN(r, "fun:::tick-one { b = 1; } tick-1 { exit(0); }");
	fire(&r, EVENT_TIMER, 0);
	CHECK_INT(r.machine.control->exited, 1);
	CHECK_INT(global(&r, "b"), 0);
}

/* --- activity --------------------------------------------------------------------------------- */

TEST(only_begin_runs_before_and_only_end_after)
{
	RUN(r, "BEGIN { a++; } END { b++; } syscall::read:entry { c++; }");
	r.machine.control->activity = ACTIVITY_INACTIVE;
	fire(&r, EVENT_BEGIN, 0);
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	r.machine.control->activity = ACTIVITY_DRAINING;
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	fire(&r, EVENT_END, 0);
	CHECK_GLOBALS(&r, "a=1 b=1 c=0");
}

TEST(a_firing_looks_for_the_consumer_when_it_is_time)
{
	RUN(r, "BEGIN { a++; } syscall::read:entry { b++; } END { c++; }");
	r.machine.control->deadman.look_at = 10;
	r.machine.ticks = 9;
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	CHECK_INT(r.machine.looks, 0);
	r.machine.ticks = 10;
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	CHECK_INT(r.machine.looks, 1);
	CHECK_INT(global(&r, "b"), 2);
	r.machine.is_abandoned = true;
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	CHECK_INT(global(&r, "b"), 2);
	fire(&r, EVENT_BEGIN, 0);
	fire(&r, EVENT_END, 0);
	CHECK_INT(r.machine.looks, 2);
	CHECK_INT(global(&r, "a") + global(&r, "c"), 2);
}

TEST(exit_ends_later_clauses_but_not_its_own)
{
	RUN(r, "long x, y; BEGIN { exit(3); x = 1; } BEGIN { y = 1; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.control->exited, 1);
	CHECK_INT(field(&r, 0, 0, 0), 3);
	CHECK_GLOBALS(&r, "x=1 y=0");
}

/* --- faults ----------------------------------------------------------------------------------- */

TEST(a_fault_ends_its_clause_only)
{
	RUN(r, "long zero, a, b, d, e; BEGIN /1 % zero/ { a = 1; } BEGIN { b = 1; trace(b); "
	       "c = b / zero; d = 1; }"
	       "BEGIN { e = 1; zero = 0; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.faults.count, 2);
	CHECK_INT(r.machine.faults.items[0].code, FAULT_DIVZERO);
	CHECK_INT(r.machine.faults.items[0].action, 0);
	CHECK_INT(r.machine.faults.items[1].action, 3);
	CHECK_INT(r.machine.records.count, 0);
	CHECK_INT(global(&r, "a") + global(&r, "d"), 0);
	CHECK_INT(global(&r, "b") + global(&r, "e"), 2);
}

TEST(an_error_clause_sees_the_fault)
{
	RUN(r, "BEGIN { a = 1; } BEGIN { a = 2; b = *(int *)0x40; }"
	       "ERROR { x1 = arg1; x2 = arg2; x4 = arg4; x5 = arg5; n++; }"
	       "BEGIN { after = 1; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=1 x1=2 x2=2");
	CHECK_INT(global(&r, "x4"), FAULT_BADADDR);
	CHECK_INT(global(&r, "x5"), 0x40);
	CHECK_INT(global(&r, "after"), 1);
}

TEST(a_fault_of_an_error_clause_is_counted)
{
	auto_run struct run r;
	run_init(
		&r,
		"int z; long c; BEGIN { a = 1 / z; } ERROR { b = 1 / z; c = 1; } ERROR { d = 1; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.faults.count, 2);
	CHECK(!r.machine.faults.items[0].in_error);
	CHECK(r.machine.faults.items[1].in_error);
	CHECK_GLOBALS(&r, "c=0 d=1");
}

TEST(an_index_behind_an_array_faults)
{
	RUN(r, "struct s { long pad; int many[4]; }; struct s v;"
	       "BEGIN { v.many[3] = 7; i = 3; x = v.many[i]; i = 4; v.many[i] = 9; }"
	       "BEGIN { i = -1; x = v.many[i]; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "x"), 7);
	CHECK_INT(r.machine.faults.count, 2);
	CHECK_INT(r.machine.faults.items[0].code, FAULT_BADINDEX);
	CHECK_INT(r.machine.faults.items[0].address, 4);
	CHECK_INT(r.machine.faults.items[1].address, -1);
}

/* --- variables and aggregations --------------------------------------------------------------- */

static unsigned elements(const struct run *r)
{
	unsigned count = 0;
	for (size_t i = 0; i < r->machine.elements.count; i++)
		count += r->machine.elements.items[i].key != NULL;
	return count;
}

TEST(elements_are_made_counted_and_deleted)
{
	RUN(r, "long x[int]; BEGIN { x[1]++; x[2] += 5; a = x[2]++; b = ++x[2]; c = x[3]; "
	       "x[1] = 0;"
	       " x[4] = c; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(elements(&r), 1);
	CHECK_GLOBALS(&r, "a=5 b=7 c=0");
}

TEST(bit_fields_leave_their_neighbours_alone)
{
	RUN(r, "struct s { unsigned int a : 3; int b : 13; unsigned int c : 16; }; struct s v;"
	       "BEGIN { v.a = 7; v.b = -2; v.c = 65535; v.a = 9; v.b++; a = v.a; b = v.b;"
	       " c = v.c; d = (v.c += 2); e = (v.a = 10); }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT((uint32_t)global(&r, "a"), 1);
	CHECK_INT((int32_t)global(&r, "b"), -1);
	CHECK_INT((uint32_t)global(&r, "c"), 65535);
	CHECK_INT((uint32_t)global(&r, "d"), 1);
	CHECK_INT((uint32_t)global(&r, "e"), 2);
}

TEST(a_bool_is_0_or_1_however_it_was_made)
{
	RUN(r, "_Bool b, m[int], c; struct { _Bool f : 1; _Bool g; } v; this _Bool t; long all, "
	       "old;"
	       "BEGIN { b = 2; b += 5; v.f = 1; v.f += 3; v.g |= 4; m[1] += 256; this->t -= 1; c "
	       "= ~b;"
	       "all = b + v.f * 10 + v.g * 100 + m[1] * 1000 + this->t * 10000 + c * 100000; }"
	       "BEGIN { b--; old = b++; c = 1 << 3; c = all ? c << 1 : 6; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "all=111111 old=0");
	CHECK_INT(global(&r, "b") & 0xff, 1);
	CHECK_INT(global(&r, "c") & 0xff, 1);
}

/* The type of a ?: is that of both branches; a cast narrows the branch that is taken. */
TEST(a_cast_narrows_the_branches_of_a_conditional)
{
	RUN(r, "char c; unsigned char u; long yes, no, last; BEGIN { c = -1; u = 200;"
	       "yes = (unsigned char)(c ? c : u); no = (char)(u == 0 ? c : u);"
	       "last = (unsigned char)(u, c); }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "yes"), 255);
	CHECK_INT(global(&r, "no"), 200 - 256);
	CHECK_INT(global(&r, "last"), 255);
}

TEST(a_text_is_read_when_somebody_wants_it)
{
	RUN(r, "long x; char n[4]; BEGIN { stringof(8); (string)16; stringof(n); x = 1; }"
	       "BEGIN { s = stringof(24); x = 2; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "x"), 1);
	CHECK_INT(r.machine.faults.count, 1);
	CHECK_INT(r.machine.faults.items[0].address, 24);
}

/* Before: an unsigned argument made the inline's own comparison unsigned. */
TEST(an_inline_computes_with_the_types_of_its_parameters)
{
	RUN(r, "inline int before[long n] = n - 1 < 0; inline int size[long n] = sizeof(n);"
	       "inline int low[char c] = c; unsigned u; long w, x, y, z; int i;"
	       "struct out { int before; }; translator struct out < long n > { before = n - "
	       "1 < 0; };"
	       "BEGIN { i = 511; x = before[u]; y = size[(char)1]; z = low[i];"
	       "w = xlate <struct out>(u).before; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "x=1 y=8 z=-1 w=1");
}

TEST(stacks_and_symbols_of_two_kinds_are_no_key)
{
	static const char *const scripts[] = {
		"BEGIN { @a[sym(1)] = count(); @a[usym(1)] = count(); }",
		"BEGIN { @a[stack()] = count(); @a[ustack()] = count(); }",
	};
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		auto_compiled struct compiled c;
		auto_strbuf struct strbuf why = { 0 };
		CHECK(!compile(&c, "keys.d", scripts[i], &compile_defaults));
		compiled_mistakes(&c, &why);
		CHECK(strstr(strbuf_text(&why), "D_PROTO_ARG"));
	}
}

TEST(sizeof_computes_nothing)
{
	RUN(r, "long i, n; BEGIN { n = sizeof(i++) + sizeof(1 / i) + sizeof(*(char *)8); }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "i"), 0);
	CHECK_INT(global(&r, "n"), 8 + 8 + 1);
	CHECK_INT(r.machine.faults.count, 0);
}

TEST(operands_go_from_left_to_right)
{
	RUN(r, "long i, all, last, a[long]; BEGIN { i = 1; all = i++ * 10 + i++ * 100 + i++;"
	       "last = (i = 7, i++, i + 1); a[i++] = i++; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "all"), 10 + 200 + 3);
	CHECK_GLOBALS(&r, "last=9 i=10");
}

TEST(this_begins_as_zero_in_each_firing)
{
	RUN(r, "this short n; long total; BEGIN { this->n -= 1; total += this->n--; } BEGIN "
	       "{ x = this->n; }");
	fire(&r, EVENT_BEGIN, 0);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "total"), -2);
	CHECK_INT((int16_t)global(&r, "x"), -2);
}

static uint64_t word(const void *bytes, unsigned i)
{
	return ((const uint64_t *)bytes)[i];
}

TEST(keyless_aggregations_are_the_areas_own)
{
	RUN(r, "BEGIN { @c = count(); @s = sum(-5); @a = avg(7); }");
	fire(&r, EVENT_BEGIN, 0);
	fire(&r, EVENT_BEGIN, 0);
	const struct program *p = &r.compiled.program;
	const char *mine = r.machine.keyless + p->keyless_size; /* area 1 */
	CHECK_INT(word(mine + p->aggregations[0].keyless_offset, 0), 2);
	CHECK_INT(word(mine + p->aggregations[1].keyless_offset, 0), -10);
	CHECK_INT(word(mine + p->aggregations[1].keyless_offset, 1), 1);
	CHECK_INT(word(mine + p->aggregations[2].keyless_offset, 0), 2);
	CHECK_INT(word(mine + p->aggregations[2].keyless_offset, 1), 14);
	CHECK_INT(word(r.machine.keyless, 0), 0);
}

TEST(a_firing_without_an_area_is_a_drop)
{
	RUN(r, "BEGIN { @c = count(); x++; }");
	r.machine.area = r.compiled.program.area_count;
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.control->no_area, 1);
	CHECK_INT(global(&r, "x"), 0);
	r.machine.area--;
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.control->no_area, 1);
	CHECK_INT(global(&r, "x"), 1);
}

TEST(cpu_is_not_the_area)
{
	RUN(r, "BEGIN { x = cpu; @c = count(); }");
	r.machine.cpu = 77;
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "x"), 77);
	CHECK_INT(word(r.machine.keyless + r.compiled.program.keyless_size, 0), 1);
}

TEST(keys_have_no_garbage_between_components)
{
	RUN(r, "char c; BEGIN { @[c, (long)5, execname, c] = count(); }");
	for (int i = 0; i < 3; i++)
		fire(&r, EVENT_BEGIN, 0);
	const struct aggregation_layout *a = &r.compiled.program.aggregations[0];
	CHECK_INT(elements(&r), 1);
	char wanted[64] = { [8] = 5 };
	memcpy(wanted + a->keys[2].offset, "machine", 7);
	memcpy(wanted + a->shard_offset, &(struct key_shard) { 1 }, sizeof(struct key_shard));
	CHECK(a->key_size <= sizeof(wanted) &&
	      memcmp(r.machine.elements.items[0].key, wanted, a->key_size) == 0);
	CHECK_INT(word(r.machine.elements.items[0].value, 0), 3);
}

/* How many elements come of as many areas as there are, one after the other. */
static size_t elements_of_areas(const char *script, uint32_t areas, bool parts)
{
	struct plan_options options = compile_defaults;
	options.area_count = areas;
	options.cpu_parts = parts;
	auto_run struct run r;
	run_init_with(&r, script, &options);
	for (r.machine.area = 0; r.machine.area < areas; r.machine.area++)
		fire(&r, EVENT_BEGIN, 0);
	return elements(&r);
}

TEST(areas_add_to_elements_of_their_own)
{
	const char *small = "BEGIN { @[pid] = avg(1); }",
		   *large = "BEGIN { @[pid] = lquantize(1, 0, 100); }";
	CHECK_INT(elements_of_areas(small, 1, false), 1);
	CHECK_INT(elements_of_areas(small, 9, false), 9);
	CHECK_INT(elements_of_areas(small, 65, false), 33); /* 64 at most: two areas share */
	CHECK_INT(elements_of_areas(large, 8, false), 1);
	CHECK_INT(elements_of_areas(large, 9, false), 2);
	CHECK_INT(elements_of_areas(large, 65, false), 9);
	CHECK_INT(elements_of_areas(large, 65, true), 65);
	CHECK_INT(elements_of_areas(large, 1, true), 1);
}

/* How many elements SCRIPT has of two generations. */
static size_t elements_of_generations(const char *script)
{
	RUN(r, script);
	for (int i = 0; i < 4; i++) {
		const struct aggregation_layout *a = &r.compiled.program.aggregations[0];
		if (a->has_generations)
			memcpy(r.machine.globals + a->generation_offset, &(uint64_t) { i / 2 }, 8);
		fire(&r, EVENT_BEGIN, 0);
	}
	return elements(&r);
}

TEST(what_is_truncated_has_generations)
{
	CHECK_INT(elements_of_generations("BEGIN { @[pid] = count(); trunc(@); }"), 2);
	CHECK_INT(elements_of_generations("BEGIN { @[pid] = max(1); } END { clear(@); }"), 2);
	CHECK_INT(elements_of_generations("BEGIN { @[pid] = min(1); } END { trunc(@, 3); }"), 2);
	CHECK_INT(elements_of_generations("BEGIN { @[pid] = count(); clear(@); }"), 1);
	CHECK_INT(elements_of_generations("BEGIN { @[pid] = max(1); printa(@); }"), 1);
}

/* The process's memory at arg0; the region owns TEXT. */
static void set_text(struct run *r, const char *text)
{
	char *copy = mem_strdup(text);
	bench_own(&r->machine, copy, strlen(copy) + 1, true);
	r->machine.user_registers[arch_x86_64.syscall_argument[0] / 8] = (uintptr_t)copy;
}

/* Slots are full of rubbish when they are claimed. */
TEST(text_in_keys_has_zeros_behind)
{
	static const char *const scripts[] = {
		"syscall::read:entry { @[pid, copyinstr(arg0), 5] = count(); }",
		"syscall::read:entry { @[pid, copyinstr(arg0, 4), 5] = count(); }",
		"syscall::read:entry { x[pid, copyinstr(arg0), 5]++; }",
	};
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		auto_run struct run r;
		run_init(&r, scripts[i]);
		static const char *const texts[] = { "/etc", "", "/etc", "/bin" };
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++) {
			set_text(&r, texts[j]);
			fire(&r, EVENT_SYSCALL_ENTRY, 0);
		}
		CHECK_INT(elements(&r), 3);
		char wanted[512] = { 0 };
		memcpy(wanted, &(uint32_t) { BENCH_PID }, 4);
		memcpy(wanted + 8, "/etc", 4);
		memcpy(wanted + 8 + 264, &(uint32_t) { 5 }, 4);
		CHECK(memcmp(r.machine.elements.items[0].key, wanted, 8 + 264 + 4) == 0);
		CHECK_INT(word(r.machine.elements.items[0].value, 0), 2);
	}
}

/* --- every golden script, with calls that fail ------------------------------------------------ */

static void fire_all(struct bench *m, const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++) {
		const struct group_code *h = &p->groups[i];
		if (h->part) /* the part before runs it */
			continue;
		static const uint64_t calls[] = { 0, 1, 257, 3, 4, 295 };
		bool is_call = h->kind == EVENT_SYSCALL_ENTRY || h->kind == EVENT_SYSCALL_RETURN;
		uint64_t index = bench_mischief(m, 2);
		if (is_call)
			index = calls[bench_mischief(m, ARRAY_SIZE(calls))];
		m->control->activity = ACTIVITY_ACTIVE;
		m->steps = 0;
		for (unsigned j = 0; j < ARRAY_SIZE(m->user_registers); j++)
			m->user_registers[j] = bench_mischief(m, 4);
		memcpy(m->context, m->user_registers, sizeof(m->context));
		m->user_registers[arch_x86_64.syscall_number / 8] = index;
		m->task[2] = bench_mischief(m, 2) ? arch_x86_64.compat_mask : 0;
		bench_fire(m, h, index);
	}
}

#define MISCHIEFS 200

static void survive(const char *file, const struct strbuf *text, struct strbuf *out)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_options_of(text);
	if (!compile(&c, file, strbuf_text(text), &options))
		return;
	for (uint64_t seed = 1; seed <= MISCHIEFS; seed++) {
		auto_bench struct bench m;
		bench_init(&m, &c.program);
		m.mischief = seed * 0x9e3779b97f4a7c15;
		for (int i = 0; i < 4 && !m.problem; i++)
			fire_all(&m, &c.program);
		if (!m.problem && !m.claimed)
			continue;
		printf("%s, seed %llu: the program %s\n", file, (unsigned long long)seed,
		       m.problem ? m.problem : "keeps a slot");
		test_failed_now = true;
		break;
	}
}

TEST(whatever_fails_all_slots_come_back)
{
	golden_scripts("tests/golden/codegen", survive, false);
	CHECK(golden_scripts("tests/unit/codegen/scripts", survive, false) > 50);
}

/* --- what it costs ---------------------------------------------------------------------------- */

static const struct cost {
	const char *script;
	enum event_kind event;
	uint64_t index;
	/* of the second firing, at most; 4 and 1, which the kernel has in line, are the deadman's
	 */
	unsigned steps, calls;
} costs[] = {
	{ "syscall:::entry /pid == $target/ { @[probefunc] = count(); }", EVENT_SYSCALL_ENTRY, 0,
	  49, 5 },
	{ "syscall:::entry /pid == 1/ { @[probefunc] = count(); }", EVENT_SYSCALL_ENTRY, 0, 34, 3 },
	{ "syscall:::entry { @ = count(); }", EVENT_SYSCALL_ENTRY, 1, 40, 3 },
	{ "syscall::read:entry { x = 1; }", EVENT_SYSCALL_ENTRY, 1, 30, 2 }, /* another call */
	{ "syscall::read:entry /pid == $target/ { @[copyinstr(arg0)] = count(); }",
	  EVENT_SYSCALL_ENTRY, 0, 105, 7 },
	{ "fun::first:entry { @[execname] = count(); }", EVENT_FUNCTION_ENTRY, 0, 34, 5 },
	{ "fun::first:entry { self->ts = timestamp; }", EVENT_FUNCTION_ENTRY, 0, 28, 4 },
	{ "syscall::write:entry { printf(\"%d %d\", pid, arg2); }", EVENT_SYSCALL_ENTRY, 1, 66, 8 },
};

TEST(hot_paths_are_short)
{
	for (size_t i = 0; i < ARRAY_SIZE(costs); i++) {
		auto_run struct run r;
		run_init(&r, costs[i].script);
		set_text(&r, "/etc/passwd");
		fire(&r, costs[i].event, costs[i].index);
		r.machine.steps = r.machine.calls = 0;
		fire(&r, costs[i].event, costs[i].index);
		if (getenv("VERBOSE"))
			printf("%llu steps, %llu calls: %s\n", (unsigned long long)r.machine.steps,
			       (unsigned long long)r.machine.calls, costs[i].script);
		if (r.machine.steps <= costs[i].steps && r.machine.calls <= costs[i].calls)
			continue;
		printf("%llu instructions (%u at most) and %llu calls (%u): %s\n",
		       (unsigned long long)r.machine.steps, costs[i].steps,
		       (unsigned long long)r.machine.calls, costs[i].calls, costs[i].script);
		test_failed_now = true;
	}
}

/* Firings in a thread that ends, after the program that counts it out, still have its variables. */
TEST(self_arrays_are_found_while_the_thread_ends)
{
	RUN(r, "long x; syscall::read:entry { self->a[7] = 5; }"
	       "syscall::read:return { x = self->a[7]; }");
	uint64_t serial = 3;
	memcpy(r.machine.self, &serial, sizeof(serial));
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	serial |= SELF_RELEASED;
	memcpy(r.machine.self, &serial, sizeof(serial));
	fire(&r, EVENT_SYSCALL_RETURN, 0);
	CHECK_INT(global(&r, "x"), 5);
}

TEST_MAIN
