/* SPDX-License-Identifier: BSD-2-Clause */
/* Which clauses one executor must run together */
#include "compile.h"

/* NEEDS: a digit for each clause, 1: it needs the other executor.  WANTED: those that move. */
static void moved_are(const char *script, const char *needs, const char *wanted)
{
	auto_compiled struct compiled c;
	auto_strbuf struct strbuf text = { 0 };
	CHECK(compile(&c, "place.d", script, &compile_defaults));
	const struct typed_program *typed = c.plan->typed;
	bool needed[16] = { false };
	CHECK(strlen(needs) == typed->clause_count && typed->clause_count <= 16);
	for (unsigned i = 0; i < typed->clause_count; i++)
		needed[i] = needs[i] == '1';
	const struct clause_place *places = plan_places(c.arena, typed, needed);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (places[i].moves && places[i].shares)
			strbuf_printf(&text, "%s%u (%s with %u)", text.len ? ", " : "", i,
				      places[i].shares, places[i].because);
		else if (places[i].moves)
			strbuf_printf(&text, "%s%u", text.len ? ", " : "", i);
	CHECK_STR(strbuf_text(&text), wanted);
}

TEST(a_clause_that_shares_nothing_stays)
{
	moved_are("fun:program:first:entry { @a = count(); } syscall::read:entry { @b = count(); }",
		  "01", "1");
	moved_are("fun:program:first:entry { printf(\"a\"); } tick-1 { printf(\"b\"); } "
		  "syscall::read:entry { printf(\"c\"); }",
		  "001", "2");
}

TEST(clauses_that_share_what_one_changes_move_together)
{
	moved_are("fun:program:first:entry { n++; } syscall::read:entry { trace(n); }", "01",
		  "0 (n with 1), 1");
	moved_are("fun:program:first:entry { trace(n[1]); } syscall::read:entry { n[1] = 2; }",
		  "01", "0 (n with 1), 1");
	moved_are("fun:program:first:entry { self->x = 1; } syscall::read:entry /self->x/ { }",
		  "01", "0 (self->x with 1), 1");
	moved_are("fun:program:first:entry { @a[1] = sum(1); } syscall::read:entry { @a[2] = "
		  "sum(2); }",
		  "01", "0 (@a with 1), 1");
	moved_are("fun:program:first:entry { speculate(1); } "
		  "syscall::read:entry { commit(1); }",
		  "01", "0 (speculations with 1), 1");
}

TEST(what_is_shared_moves_others_in_turn)
{
	moved_are("fun:program:first:entry { a = 1; } fun:program:second:entry { b = a; } "
		  "tick-1 { trace(b); c = 1; } syscall::read:entry { trace(c); } "
		  "fun:program:first:return { d = 1; }",
		  "00010", "0 (a with 1), 1 (b with 2), 2 (c with 3), 3");
}

TEST(clauses_of_one_probe_move_together)
{
	moved_are("fun:program:first:entry { @a = count(); } fun:program:first:entry { stack(); }",
		  "01", "0 (a probe with 1), 1");
}

TEST(what_only_begin_assigns_is_copied)
{
	const char *script = "BEGIN { t = timestamp; } fun:program:first:entry { trace(t); } "
			     "syscall::read:entry { trace(t); }";
	moved_are(script, "001", "2");
	/* by others, too; and what has no copy */
	moved_are("BEGIN { t = 1; } fun:program:first:entry { t = 2; } "
		  "syscall::read:entry { trace(t); }",
		  "001", "0 (t with 2), 1 (t with 2), 2");
	moved_are("BEGIN { t[1] = 1; } fun:program:first:entry { trace(t[1]); } "
		  "syscall::read:entry { trace(t[1]); }",
		  "001", "0 (t with 2), 1 (t with 2), 2");
}

TEST(printing_clearing_and_truncating_are_the_consumers)
{
	moved_are("fun:program:first:entry { @a = count(); } syscall::read:entry { @b = count(); } "
		  "tick-1 { printa(@a); printa(@b); clear(@a); trunc(@b); }",
		  "010", "1");
}

TEST(error_is_in_both_unless_it_has_variables)
{
	moved_are("ERROR { @e = count(); } fun:program:first:entry { @a = count(); } "
		  "syscall::read:entry { @b = count(); }",
		  "001", "2");
	moved_are("ERROR { n++; } fun:program:first:entry { @a = count(); } "
		  "syscall::read:entry { @b = count(); }",
		  "001", "0 (the clause of ERROR with 2), 1 (the clause of ERROR with 2), 2");
}

TEST_MAIN
