/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codegen - plan to program
 *
 * In:   struct typed_program (sema/typed.h) and its plan (plan/plan.h), which has decided where
 *       each value is.  What each clause needs is added to the plan (needs.c).
 * Out:  struct program (abi/program.h): one piece of code for each group, and the layouts of all
 *       data that the clauses record.
 *
 * All clauses of a group, or of a part of it where the group is split (plan/split.c), are compiled
 * into one function, in program order.  Its prologue finds the
 * probe that fired (an index into the group's probe table); each clause then tests one bit of the
 * table's entry, or nothing when it is enabled at every probe of the group.  So 700 system calls
 * cost as much as one, and clauses share the values of the firing.
 *
 * Registers: R6 the context, R7 the firing's scratch slot, R8 and R9 hold
 * values across calls, R0-R5 belong to the current expression.  An expression
 * of integer or pointer type leaves its value in R0.  One of type string is
 * generated *into* a place of the slot known at compile time (string.c), so
 * strings need no allocation at run time.
 *
 * A fault jumps to a stub after the clause, which writes a fault record, runs the ERROR clauses (a
 * subprogram of the same group) and continues with the next clause.
 *
 * A fault of user memory at a system call's entry suspends the firing if the clause has had no
 * effect yet; the group syscall-resume has the same clauses and resumes the firing at the return
 * (suspend.c).
 *
 * A program that exceeds 512 bytes of stack (frame.c) or 64 maps (plan/key.c) is planned and
 * generated again; jumps of more than 16 bits: long_jump.c.  Programs that fit pay nothing.
 *
 *   the whole         codegen.c
 *   what clauses need needs.c
 *   a group           group.c; its prologue (prologue.c), its table (probe_table.c), each clause
 *                     (clause.c) with its stubs (slot.c); suspended firings: suspend.c,
 *                     what is saved and restored: resume.c; tests before the body: lookahead.c;
 *                     from one part to the next, where it is split: part.c; whether the clauses
 *                     see the current task (-x target): task_test.c
 *   statements        action.c, action_memory.c, destructive.c, speculation.c, aggregate.c;
 *                     fields of records and keys: field.c
 *                     loops: loop.c, foreach.c
 *   expressions       expression.c, string.c, variable.c, assign.c, pointer.c; subroutines:
 *                     call.c, alloca.c; built-in variables: builtin.c; loads: memory.c; pieces of
 *                     scratch memory: piece.c
 *   arguments         argument.c; literals: constant.c
 *   instructions      emit.c; frame.c, long_jump.c, drops.c, move_out.c; dead_code.c
 *                     takes out unreachable code, disassemble.c prints the rest, operand.c names
 *                     its operands
 *
 * Always true:
 *   1. Code refers to its executor only by relocations: nothing here knows a
 *      helper's number or a map's descriptor.
 *   2. Unfinished values of a firing are in its frame or its slot; aggregations,
 *      x++ and x op= n (+ - & | ^) are changed by one atomic instruction.  Any interleaving
 *      on a CPU is safe; other assignments to global variables race as D says they do.
 *   3. A clause that leaves a record begins (its predicate excepted) only when the largest
 *      it can leave has room; otherwise the clause is one drop, and changes nothing.
 */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "abi/abi.h"
#include "arch/arch.h"
#include "base/base.h"
#include "base/diagnostic.h"
#include "plan/plan.h"
#include "sema/typed.h"

/*
 * Compile T.  Programs that cannot be compiled are diagnosed in D (and the result is false).  *RET
 * points into A, which must outlive it, and into T; *PLAN is its plan.
 */
MUST_CHECK bool codegen_program(struct arena *a, const struct typed_program *t,
				const struct plan_options *options, struct diagnostics *d,
				struct program *ret, const struct plan **plan);

/* Code that was linked, as text: no references are left, no lines are known. */
void codegen_disassemble_raw(const char *name, const struct bpf_insn *code, uint32_t count,
			     struct strbuf *out);
/* One group's code, with the source line above its instructions (-S). */
void codegen_disassemble(const struct program *p, const struct group_code *group,
			 struct strbuf *out);
/* The same without numbers that change when instructions and fields move. */
void codegen_list(const struct program *p, const struct group_code *group, bool with_prologue,
		  struct strbuf *out);

#endif
