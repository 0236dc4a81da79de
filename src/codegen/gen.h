/* SPDX-License-Identifier: BSD-2-Clause */
/* gen - what the files of codegen/ share while a program is made; see codegen.h */
#ifndef CODEGEN_GEN_H
#define CODEGEN_GEN_H

#include "codegen/codegen.h"
#include "codegen/emit.h"
#include "plan/group.h"

/* Memory at a place known to the compiler: in the frame (FP) or in the slot (R7). */
struct place {
	enum reg base;
	int offset;
};

/* The field F of what begins at BASE. */
static inline struct place field_place(struct place base, const struct value_field *f)
{
	return (struct place) { base.base, base.offset + (int)f->offset };
}

/* Code behind a clause, for what hardly ever happens. */
struct stub {
	enum stub_kind {
		STUB_FAULT,	 /* code; the address is in the frame */
		STUB_SLOT_FAULT, /* code and address are in the slot */
		STUB_LOOKAHEAD,	 /* suspend the firing, or go on at `resume` */
		STUB_INSERT,	 /* a new key of an aggregation */
		STUB_DELETE,	 /* an element could not be deleted */
	} kind;
	label at;
	label resume, done; /* STUB_INSERT: with the new value in R0; without one */
	enum fault code;
	bool suspends; /* of user memory: suspend the firing, if possible */
	unsigned action;
	int map; /* STUB_INSERT, STUB_DELETE ... */
	struct place key;
	enum rt_function drop;
};

/* One clause while it is generated. */
struct clause_state {
	const struct tclause *clause;
	const struct clause_layout *layout;
	label end;	      /* the record is out: release and go on */
	label skip;	      /* predicate false, no room */
	label unclaimed;      /* no slot was free */
	unsigned action;      /* number of the action at hand, for faults; 0: predicate */
	unsigned next_layout; /* of layout->actions */
	bool in_body;
	bool suspends;	 /* a stub of it suspends the firing (suspend.c) */
	bool has_effect; /* something outside the firing may have been changed by now (suspend.c) */
	struct place record;
	int wake; /* frame offset: what RT_room said */
	enum speculates speculates;
	int speculation; /* frame offset: the id that is written to; 0 in it: none */
	int run_time;	 /* frame offset: vtimestamp */
	int tail;	 /* frame offset: where the record's tail ends, an `at`; 0: none */
	VECTOR(struct stub) stubs;
	struct needs needs;				 /* as planned ... */
	enum moment used_slot, used_time, used_run_time; /* ... and so far */
	bool has_slot, has_time;			 /* at this point of the code */
	bool may_lack_slot; /* a fault came to the clause's end before the slot was claimed */
};

/* Where a firing keeps what all its clauses share: offsets in the frame. */
struct firing {
	int entry;   /* the probe table's entry */
	int slot_at; /* offset of the slot in scratch memory */
	int time;
	int fault_where, fault_address;
	int compat;	/* not 0: a 32-bit system call; 0 offset: not known here */
	int task;	/* the thread, typed; 0 offset: not there */
	int error_info; /* in ERROR clauses: pointer to struct error_info */
	int this_frame; /* this variables of 8 bytes */
	int suspended;	/* resumed: pointer to the thread's struct suspended */
};

/* What the ERROR subprogram gets from the clause that failed; in the caller's frame. */
struct error_info {
	uint64_t argument[5]; /* arg1 ... arg5 */
};

/* A group while its code is made. */
struct group_state {
	const struct event_group *group;
	int main_frame, error_frame; /* bytes */
};

/* Bytes that D may write, from the address on of the region that they lie in (pointer.c). */
struct extent {
	uint32_t begin, end;
	uint32_t most; /* at once, if how many is known at run time only */
};

/* Where the next piece goes: a constant size from alloca_begin, and the number of the next call. */
struct alloca_next {
	uint32_t at;
	unsigned call;
};

struct gen {
	struct arena *arena;
	const struct plan *plan;
	struct diagnostics *diagnostics;
	struct program *program;

	/* program-wide */
	struct strbuf constants;
	struct hash *literals;	  /* text -> offset in constants */
	struct plan_limits found; /* what this plan did not know of: it is planned again */
	uint32_t slot_max;
	unsigned temps_used;

	/* the group at hand */
	struct code code;
	const struct event_group *group;
	uint32_t part;	       /* the group's, that is generated */
	enum event_kind event; /* the group's, or syscall-resume of syscall-entry */
	bool in_error;	       /* generating the group's ERROR clauses */
	bool names_used;
	VECTOR(label *) long_jumps; /* long_jump.c */
	uint32_t long_jumps_at;
	uint32_t entry_size, table_indexes; /* there are group->passes entries for each index */
	struct firing firing;
	label *aside;		/* the code of gen_save_firing() */
	unsigned clause_number; /* of the group's clauses, from 0 */
	struct clause_state *state;
	uint32_t slot_used;
	struct alloca_next alloca_next;
	VECTOR(struct extent) pieces; /* of constant sizes that the clause has so far */
};

/* --- frame.c --- */
/*
 * A value kept while others are computed: in R8, R9, the frame or the slot.  Pushed and popped
 * like a stack.
 */
struct temp {
	enum reg reg; /* R8, R9; FP: in the frame, R7: in the slot */
	int offset;
	int frame_mark;
	unsigned mark; /* of gen.temps_used */
};
struct temp temp_push(struct gen *g, enum reg value);
struct temp temp_push_pointer(struct gen *g, enum reg value); /* never into the slot */
void temp_pop(struct gen *g, struct temp t, enum reg into);
/* Read it and keep it. */
void temp_read(struct gen *g, struct temp t, enum reg into);
#define STACK_OF_A_CHAIN 512
/* Stack that the longest chain of calls needs: main, the ERROR clauses, run-time functions. */
int chain_size(const struct gen *g, int main_frame, int error_frame, size_t error_entry);

/* --- constant.c --- */
uint32_t constant_string(struct gen *g, const char *text, uint32_t len); /* struct rt_string */

/* --- expression.c --- */
/* E's value into R0.  E is an integer, a pointer, or a string (its address; see string.c). */
void gen_value(struct gen *g, const struct texpr *e);
int alu_code(enum op op); /* BPF_ADD ...; -1: none */
/* R0 = R0 op R1 in 64 bits; division by zero faults. */
void gen_arithmetic(struct gen *g, enum op op, bool is_signed);
/* Jump to FALSE_TO if E is zero, else fall through. */
void gen_condition(struct gen *g, const struct texpr *e, label false_to);

/* --- builtin.c --- */
void gen_builtin(struct gen *g, const struct texpr *e);
void gen_argument(struct gen *g, unsigned index);
/*
 * Frames of the user's or the kernel's stack to R2 = `at`, at most R3 bytes; R0 = bytes written, 0
 * when there are none.  Those that belong to tracing itself are left out.
 */
void gen_frames(struct gen *g, bool user);
/* R0 = 0 if it is negative: what could not be had counts as nothing. */
void gen_not_negative(struct gen *g);
/* The user's registers, in R0; lost are R1 to R5. */
void gen_registers(struct gen *g);
/* The system call's argument N as the registers have it, in R0. */
void gen_syscall_register(struct gen *g, unsigned n);

/* --- memory.c --- */
void gen_load(struct gen *g, const struct texpr *e);
/* Copy SIZE bytes of memory at ADDRESS to TO, or fault with BADADDR. */
void gen_copy(struct gen *g, const struct texpr *address, bool user, struct place to,
	      uint32_t size);
/* The same from the address R0. */
void gen_copy_from_r0(struct gen *g, bool user, struct place to, uint32_t size);
/* SIZE zeros to the address R1. */
void gen_zeros(struct gen *g, uint32_t size);
/* R1, R2, R3 are set: read, or fault with BADADDR. */
void gen_read(struct gen *g, bool user);
/* R0 = the number of SIZE bytes at the address R3; it faults as gen_read() does. */
void gen_word(struct gen *g, uint32_t size, bool user);

/* --- variable.c --- */
/*
 * The address of an lvalue in R0, for reading: false means it is always there;
 * true that R0 may be NULL, which means that all of it is zero.
 */
bool gen_address(struct gen *g, const struct texpr *e);
/* The same, but what is not there is read from the zeros of the constants. */
void gen_readable_address(struct gen *g, const struct texpr *e);
/* ... as a number that D may compute with; that of what a struct's assignment E assigns. */
void gen_address_number(struct gen *g, const struct texpr *e);
/* The same for &E, where more than reading may follow. */
void gen_kept_address(struct gen *g, const struct texpr *e);
void gen_pointer_number(struct gen *g); /* R0, a pointer to memory of maps, becomes a number */
void gen_variable_value(struct gen *g, const struct texpr *e);

/* --- assign.c --- */
void gen_assign(struct gen *g, const struct texpr *e);
/* The assignment E of a string, whose value comes to the slot's OFFSET, too. */
void gen_assigned_string(struct gen *g, const struct texpr *e, uint32_t offset);
/* The assignment E of a struct, and in R0, as a number, the address of what was assigned. */
void gen_assigned_struct(struct gen *g, const struct texpr *e);
void gen_update(struct gen *g, const struct texpr *e);

/* --- field.c --- */
/* Key fields into memory; the place lasts until the frame and slot are released. */
struct place gen_key(struct gen *g, const struct texpr *keys, const struct key_place *place);
/* E as field F of a record or key that begins at BASE. */
void gen_field(struct gen *g, const struct texpr *e, const struct value_field *f, struct place base,
	       bool in_key);
/* R0 bytes were put at the record's end: FIELD refers to them, and they belong to it. */
void gen_tail_ref(struct gen *g, struct place field);

/* R0 = the address of the text that the slot's offset AT holds; 0 for NULL. */
void gen_text_number(struct gen *g, uint32_t at);

/* --- string.c --- */
/* The string E into the slot at OFFSET, which has string_room() bytes. */
void gen_string(struct gen *g, const struct texpr *e, uint32_t offset);
/* E is plan_is_text(): its bytes into the slot at OFFSET; R0 as above. */
void gen_text(struct gen *g, const struct texpr *e, uint32_t offset);
/* The string E into a new temporary, released with slot_release(). */
uint32_t gen_string_temp(struct gen *g, const struct texpr *e);
void gen_compare_strings(struct gen *g, const struct texpr *e);

/* --- call.c --- */
void gen_call(struct gen *g, const struct texpr *e); /* subroutines with a number as result */
void gen_string_call(struct gen *g, const struct texpr *e, uint32_t offset);
/* R2 and R3 of copyinstr() for gen_read_text(). */
void gen_copyinstr(struct gen *g, const struct texpr *e);

/* --- pointer.c: writing through pointers --- */
/*
 * R0 = SIZE bytes of memory of D's own at the address in R0, as a pointer that may be written
 * through; a fault if they are not.  Lost are R1 to R5.
 */
void gen_own_pointer(struct gen *g, uint32_t size);
/*
 * The same in R1 of as many bytes as SIZE, which is popped, holds; they come into R2.  A number
 * that D's memory has nowhere is BADSIZE.
 */
void gen_own_bytes(struct gen *g, struct temp size);

/* --- alloca.c: alloca(), copyin() and what copies to their memory --- */
void gen_alloca(struct gen *g, const struct texpr *size);
void gen_copyin(struct gen *g, const struct texpr *from, const struct texpr *size);
/* copyinto(from, size, to) when USER, else bcopy(from, to, size) */
void gen_copy_into(struct gen *g, const struct texpr *from, const struct texpr *to,
		   const struct texpr *size, bool user);

/* --- action.c --- */
/* From here on, instructions belong to the text at RANGE. */
void mark_line(struct gen *g, struct range range);
/* Behind this the code belongs to no clause; TEXT (not copied) is its heading. */
void mark_part(struct gen *g, const char *text);
void gen_statements(struct gen *g, const struct tstmt *list);
/* E for what it does: the value is not wanted. */
void gen_discarded(struct gen *g, const struct texpr *e);

/* --- action_memory.c: fields that are more than a value --- */
void gen_print_pointed(struct gen *g, const struct tstmt *s, const struct action_layout *layout);
void gen_pcap(struct gen *g, const struct tstmt *s, const struct action_layout *layout);

/* --- destructive.c --- */
void gen_raise(struct gen *g, const struct texpr *signal); /* NULL: stop() */
void gen_copyout(struct gen *g, const struct texpr *args);
void gen_copyoutstr(struct gen *g, const struct texpr *args);

/* --- aggregate.c --- */
void gen_aggregate(struct gen *g, const struct tstmt *s);

/* --- drops.c: for dropsby=clause; nothing otherwise --- */
/* The clause has lost something: count it, too.  R0 is lost. */
void gen_drop(struct gen *g, enum clause_drop kind);
/* The same if R0 is 0, or negative; R0 stays what it is. */
void gen_drop_if_zero(struct gen *g, enum clause_drop kind);
void gen_drop_if_negative(struct gen *g, enum clause_drop kind);
/* At the end of a clause that has a slot. */
void gen_drop_truncations(struct gen *g);

/* --- speculation.c --- */
void gen_speculation(struct gen *g, const struct tstmt *s);

/* --- clause.c --- */
void gen_clause(struct gen *g, const struct tclause *clause);
/* The time that the record at hand bears, in R0. */
void gen_record_time(struct gen *g);
/* R7 = a slot of this area. */
void gen_slot_claim(struct gen *g, label unclaimed);
/* The same of the slot at R0, which is negative if there is none. */
void gen_slot_pointer(struct gen *g, label none);

/* --- codegen.c --- */
/* SIZE bytes of ITEMS in the program's arena. */
void *gen_keep(struct gen *g, const void *items, size_t size);

/* --- suspend.c --- */
/* The last instruction has an effect on others: no later fault suspends the clause. */
void gen_effect(struct gen *g);
/* The same for the assignment E, unless the resumed clause assigns again. */
void gen_assign_effect(struct gen *g, const struct texpr *e);
/* Is a fault of user memory here a reason to wait? */
bool may_suspend(const struct gen *g);
/* May firings of the group at hand wait? */
bool group_may_suspend(const struct gen *g);
/* At the body's begin: look whether what is read behind the clause's first effect is there. */
void gen_lookaheads(struct gen *g);
/* Suspend the firing, from this clause on, or go to FAULT. */
void gen_suspend(struct gen *g, label fault);
/* The target of all gen_suspend() of the group (g->aside). */
void gen_save_firing(struct gen *g);
/* Before the clauses: a firing of the thread that waits since an earlier call is counted out. */
void gen_overtaken(struct gen *g);
/* Generating a clause, not one of ERROR, for the return of the call that it fired at? */
bool is_resumed(const struct gen *g);
/* R1 = where 16 bytes go, R2 = 16: execname, as RT_comm. */
void gen_comm(struct gen *g);
/* BYTES at OFFSET of the thread's struct suspended into REG. */
void gen_suspended(struct gen *g, enum reg r, int bytes, size_t offset);
/* To GONE if the firing is resumed and its user memory is gone.  R5 is lost. */
void gen_gone_test(struct gen *g, label gone);
/* The same to a fault, whose address is known. */
void gen_gone_fault(struct gen *g);
void gen_resume_prologue(struct gen *g, label out);
/* FUNCTION answers the firing that goes on: where it is, and the probe's entry. */
void gen_resumed_entry(struct gen *g, enum rt_function function, label out);
void gen_resume_test(struct gen *g, label next);

/* --- prologue.c --- */
void gen_prologue(struct gen *g, label out);
/* On to the next probe that the same event fires; OUT: there is none. */
void gen_next_probe(struct gen *g, label out);
void gen_table_entry(struct gen *g, label out);
void gen_find_entry(struct gen *g, label out); /* of the firing, wherever it is known from */
void gen_syscall_number(struct gen *g);	       /* into R0 */
void begin_frame(struct gen *g);
/* On to OUT when no clause may begin. */
void gen_activity_test(struct gen *g, label out);
void gen_this_variables(struct gen *g, label out);

/* --- probe_table.c --- */
/* The group's entries, and one more for ERROR behind them. */
void *make_table(struct gen *g);

/* --- long_jump.c --- */
/* L is open from here on: it may be renewed. */
void long_jump_push(struct gen *g, label *l);
/* The last label that is open is here. */
void long_jump_pop(struct gen *g, label l);
/* Place the open long jumps if they are due; between statements. */
void long_jumps_place(struct gen *g);

/* --- part.c --- */
uint32_t part_pass(const struct gen *g); /* the pass that the entry is of when the part begins */
bool part_is_last(const struct gen *g);
void gen_part_begin(struct gen *g, label out);
/* Go on in the next part that has a clause for the probe, if there is one. */
void gen_part_end(struct gen *g, label out);

/* --- group.c --- */
/* The programs of KIND for GROUP, one for each of its parts, into *RET and what follows. */
void gen_group(struct gen *g, const struct event_group *group, enum event_kind kind,
	       struct group_code *ret);
uint32_t table_entries(const struct gen *g); /* of the group's probe table, ERROR's not counted */
/* Of the slot that the head claimed for all clauses. */
void gen_release(struct gen *g);

/* --- slots and faults: slot.c --- */
/* The text at R2, R3 bytes at most, into the slot at OFFSET; R0 = its bytes with the NUL. */
void gen_read_text(struct gen *g, uint32_t offset, bool user);
uint32_t slot_alloc(struct gen *g, uint32_t size);
void slot_release(struct gen *g, uint32_t mark);
/* Here the slot, the time, the run time is used: the plan must have said so. */
void need_slot(struct gen *g);
void need_time(struct gen *g);
void need_run_time(struct gen *g);
bool is_checked(const struct gen *g); /* options.checks, and there is no mistake in the script */
/* REG = the `at` of the slot's OFFSET. */
void gen_at(struct gen *g, enum reg r, uint32_t offset);
/* Give the slot at R7 back. */
void gen_slot_free(struct gen *g);
/* The probe table's entry into REG. */
void gen_entry(struct gen *g, enum reg r);
/* Where to jump for a fault with this code; the address must be at firing.fault_address. */
label fault_label(struct gen *g, enum fault code);
/* The same for user memory that could not be read. */
label user_fault_label(struct gen *g);
/* After a run-time function that may fault: look at the slot. */
void gen_slot_check(struct gen *g);
/* The value under KEY in R0, made of zeros when absent; NULL (a counted drop) goes to DONE. */
void gen_lookup_or_insert(struct gen *g, int map, struct place key, enum rt_function drop,
			  label done);
/* R0 is what RT_map_delete said of V's element KEY: if it failed, make it zero. */
void gen_delete_check(struct gen *g, const struct variable *v, struct place key);
void gen_stubs(struct gen *g);
void gen_place_address(struct gen *g, enum reg r, struct place p);
/* Something that cannot be compiled. */
void unsupported(struct gen *g, struct range range, const char *what);

#endif
