/* SPDX-License-Identifier: BSD-2-Clause */
/* gen - declarations shared by the files of codegen/; see codegen.h */
#ifndef CODEGEN_GEN_H
#define CODEGEN_GEN_H

#include "codegen/codegen.h"
#include "codegen/emit/emit.h"
#include "plan/group.h"

/* Memory at a place known to the compiler: in the frame (FP) or in the slot (R7). */
struct place {
	enum reg base;
	int offset;
};

/* The field F of the object at BASE. */
static inline struct place field_place(struct place base, const struct value_field *f)
{
	return (struct place) { base.base, base.offset + (int)f->offset };
}

/* Code after a clause, for rare cases. */
struct stub {
	enum stub_kind {
		STUB_FAULT,	  /* code; the address is in the frame */
		STUB_SLOT_FAULT,  /* code and address are in the slot */
		STUB_ENTRY_FAULT, /* the same in the cell of a call, R0 */
		STUB_BODY_FAULT,  /* a loop's body has written where */
		STUB_LOOKAHEAD,	  /* suspend the firing, or continue at `resume` */
		STUB_INSERT,	  /* a new key of an aggregation */
		STUB_DELETE,	  /* an element could not be deleted */
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

/* What is known of the code at a point (struct code, holds). */
enum fact {
	FACT_BLOCK_FOUND = 1, /* clause_state.block is the block, NULL if the thread has none */
	FACT_BLOCK_MADE = 2,  /* NULL: there was no memory */
};

/* The loops around the current statement (loop.c). */
struct loop_state {
	unsigned depth;
	int cells, thread; /* frame offsets; this one's number, of foreach over its array */
	uint32_t block;	   /* in the slot: of foreach (self->x), the variables; or 0 */
	uint32_t passes;   /* in the slot: of loops in loops together; 0: they are not counted */
	const label *leave, *again; /* of the innermost: where break and continue lead */
};

/* One clause while it is generated. */
struct clause_state {
	const struct tclause *clause;
	const struct clause_layout *layout;
	label end;	      /* the record is committed: release and continue */
	label skip;	      /* predicate false, or no space */
	label unclaimed;      /* no slot was free */
	unsigned action;      /* number of the current action, for faults; 0: predicate */
	unsigned next_layout; /* of layout->actions */
	bool in_body;
	bool has_effect; /* something outside the firing may have been changed by now (suspend.c) */
	unsigned effect_at; /* ... since this statement; 0: the predicate */
	bool reads_late;    /* user memory is read after an effect */
	struct place record;
	int wake; /* frame offset: the result of RT_room */
	enum speculates speculates;
	int speculation; /* frame offset: the id of the speculation written to; the value 0: none */
	int run_time;	 /* frame offset: vtimestamp */
	int block;	 /* frame offset: the thread's block of self variables; 0: not kept */
	int cells;	 /* frame offset: the addresses of cells of calls (entry.c); 0: not kept */
	int tail;	 /* frame offset: where the record's tail ends, an `at`; 0: none */
	struct loop_state loop;
	const label *quiet; /* where faults go instead, see gen_quiet_string(); or NULL */
	VECTOR(struct stub) stubs;
	struct needs needs;	 /* found by earlier rounds ... */
	struct needs found;	 /* ... and by this one so far (needs.c) */
	bool has_slot, has_time; /* at this point of the code */
	bool may_lack_slot; /* a fault may jump to the clause's end before the slot is claimed */
};

/* The data of a firing that its clauses share: offsets in the frame. */
struct firing {
	int entry;   /* the probe table's entry */
	int slot_at; /* offset of the slot in scratch memory */
	int time;
	int fault_where, fault_address;
	int compat;	/* not 0: a 32-bit system call; offset 0: unknown here */
	int task;	/* the thread, typed; offset 0: absent */
	int error_info; /* in ERROR clauses: pointer to struct error_info */
	int this_frame; /* this variables of 8 bytes */
	int target;	/* of events of trees: the root of the process's tree */
	int suspended;	/* resumed: pointer to the thread's struct suspended */
	int exits;	/* where returns follow jumps: pointer to the struct exit_firing */
};

/* The failed clause's data for the ERROR subprogram; in the caller's frame. */
struct error_info {
	uint64_t argument[5]; /* arg1 ... arg5 */
};

/* A group while its code is made. */
struct group_state {
	const struct event_group *group;
	int main_frame, error_frame; /* bytes */
};

/* Of the next allocation: the place of constant size, the call's number, its piece's. */
struct alloca_next {
	uint32_t at;
	unsigned call, piece;
};

struct constants {
	struct strbuf bytes;
	struct hash *literals; /* text -> offset in bytes */
};

/* Of the slot in scratch memory, in bytes. */
struct slot_use {
	uint32_t used; /* at this point */
	uint32_t max;  /* by all groups */
};

struct long_jumps {
	VECTOR(label *) labels; /* long_jump.c */
	uint32_t placed_at;
};

/* The group's probe table: each index has group->passes entries. */
struct table_size {
	uint32_t entry_size, indexes;
	uint32_t call_at; /* in an entry: the number of the function, for cells of calls; 0: none */
	uint32_t jumps;	  /* entries after all others, in the order of the events' sites */
	uint32_t *files;  /* where there are some: exit_function.file of each event; */
	bool has_files;	  /* these are several */
};

struct gen {
	struct arena *arena;
	struct plan *plan;
	bool again; /* the code of this round is not kept (needs.c) */
	struct diagnostics *diagnostics;
	struct program *program;

	/* program-wide */
	VECTOR(struct group_code) groups; /* that are complete */
	struct constants constants;
	struct plan_limits found; /* limits that this plan exceeds: the program is planned again */
	struct slot_use slot;
	unsigned temps_used;

	/* the current group */
	struct code code;
	const struct event_group *group;
	uint32_t part;	       /* the group's part being generated */
	enum event_kind event; /* the group's, or syscall-resume of syscall-entry */
	bool in_error;	       /* generating the group's ERROR clauses */
	bool names_used;
	bool cuts_arguments; /* of execargs, that part is asked for which a string has room for */
	struct long_jumps long_jumps;
	struct table_size table;
	unsigned loops_nested[2]; /* at most, in the current part; in its ERROR clauses */
	struct firing firing;
	label *aside;		/* the code of gen_save_firing() */
	unsigned clause_number; /* of the group's clauses, from 0 */
	struct clause_state *state;
	struct alloca_next alloca;
};

/* Do the group's returns follow jumps (abi/exit.h)? */
static inline bool gen_follows_jumps(const struct gen *g)
{
	return plan_follows_jumps(g->plan, g->event);
}

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
/* Read the temporary without popping it. */
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
/* R0 = R0 op R1 in 64 bits; division by zero faults, if it MAY (plan_may_divide_by_zero()). */
void gen_arithmetic(struct gen *g, enum op op, bool is_signed, bool may_fault);
/* Jump to FALSE_TO if E is zero, else fall through. */
void gen_condition(struct gen *g, const struct texpr *e, label false_to);
/* E for its side effects: the value is not used. */
void gen_discarded(struct gen *g, const struct texpr *e);

/* --- builtin.c --- */
void gen_builtin(struct gen *g, const struct texpr *e);
void gen_argument(struct gen *g, unsigned index);
/* A fault if the result of the function that is left is not known here.  R0 is lost. */
void gen_result_test(struct gen *g);
/*
 * Write the frames of the user's or the kernel's stack to R2 = `at`, at most R3 bytes; R0 = bytes
 * written, 0 if there are none.  The frames of tracing itself are left out.
 */
void gen_frames(struct gen *g, bool user);
/* R0 = 0 if R0 is negative: an error counts as 0 bytes. */
void gen_not_negative(struct gen *g);
/* The user's registers, in R0; R1 to R5 are lost. */
void gen_registers(struct gen *g);
/* The system call's argument N, as in the registers, in R0. */
void gen_syscall_register(struct gen *g, unsigned n);

/* --- memory.c --- */
/* R0 = RT_piece_test's answer on R3 bytes at the address in the frame. */
void gen_piece_test(struct gen *g);
/*
 * R0 = the address E, from which SIZE bytes will be read, USER: as of a process.  A fault if they
 * are scratch memory, but not in one piece; a string's end is not counted.
 */
void gen_source(struct gen *g, const struct texpr *e, bool user, uint32_t size);
/* The same test of R2 bytes at R3, the value of E; both are kept, R0, R1, R4 and R5 are lost. */
void gen_source_test(struct gen *g, const struct texpr *e);
void gen_load(struct gen *g, const struct texpr *e);
/* Copy SIZE bytes of memory at ADDRESS to TO, or fault with BADADDR. */
void gen_copy(struct gen *g, const struct texpr *address, bool user, struct place to,
	      uint32_t size);
/* The same, from the address in R0. */
void gen_copy_from_r0(struct gen *g, bool user, struct place to, uint32_t size);
/* Write SIZE zeros to the address in R1. */
void gen_zeros(struct gen *g, uint32_t size);
/* R1, R2, R3 are set: read, or fault with BADADDR. */
void gen_read(struct gen *g, bool user);
/* R0 = the number of SIZE bytes at the address R3; it faults as gen_read() does. */
void gen_word(struct gen *g, uint32_t size, bool user);

/* --- variable.c --- */
/*
 * R0 = the thread's block of self variables, or NULL; MAKE: it is made if there is none.  Each way
 * through a clause finds it once.
 */
void gen_block(struct gen *g, bool make);
/*
 * The address of an lvalue in R0, for reading.  False: the lvalue always
 * exists; true: R0 may be NULL, which means that all its bytes are zero.
 */
bool gen_address(struct gen *g, const struct texpr *e);
/* The same, but a missing lvalue is read from the zeros of the constants. */
void gen_readable_address(struct gen *g, const struct texpr *e);
/* ... as a number that D may compute with; for the assignment E of a struct, the address of the
 * assigned value. */
void gen_address_number(struct gen *g, const struct texpr *e);
/* The same for &E, which may be used for more than reading. */
void gen_kept_address(struct gen *g, const struct texpr *e);
void gen_pointer_number(struct gen *g); /* R0, a pointer to memory of maps, becomes a number */
void gen_variable_value(struct gen *g, const struct texpr *e);

/* --- entry.c: values that entries save (abi/call.h) --- */
void gen_entry_begin(struct gen *g);			   /* of a clause */
void gen_entry_make(struct gen *g);			   /* of its body, if it saves one */
void gen_entry_call(struct gen *g, const struct texpr *e); /* of a subroutine that sema calls */
void gen_register_at_entry(struct gen *g, const struct arg_location *where);
/* R0 = the address of V; a fault if the evaluation at the entry was one. */
void gen_entry_address(struct gen *g, const struct entry_value *v);

/* --- assign.c --- */
void gen_assign(struct gen *g, const struct texpr *e);
/* The assignment E of a string; its value is also written to the slot's OFFSET. */
void gen_assigned_string(struct gen *g, const struct texpr *e, uint32_t offset);
/* The assignment E of a struct; R0 is the address of the assigned value, as a number. */
void gen_assigned_struct(struct gen *g, const struct texpr *e);
void gen_update(struct gen *g, const struct texpr *e);

/* --- field.c --- */
/* Write key fields to memory; the place is valid until the frame and slot are released. */
struct place gen_key(struct gen *g, const struct texpr *keys, const struct key_place *place);
/* Write E as field F of a record or key at BASE. */
void gen_field(struct gen *g, const struct texpr *e, const struct value_field *f, struct place base,
	       bool in_key);
uint32_t gen_stack_temp(struct gen *g, const struct texpr *e); /* a kept stack, to the slot */
/* R0 bytes were written at the record's end: make FIELD refer to them, and the record include
 * them. */
void gen_tail_ref(struct gen *g, struct place field);

/* R0 = the address of the string at the slot's offset AT; 0 for NULL. */
void gen_text_number(struct gen *g, uint32_t at);

/* --- string.c --- */
/* Write the string E to the slot at OFFSET, where plan_string_room() bytes are free. */
void gen_string(struct gen *g, const struct texpr *e, uint32_t offset);
/* E is plan_is_text(): write its bytes to the slot at OFFSET; R0 as above. */
void gen_text(struct gen *g, const struct texpr *e, uint32_t offset);
/* Write the string E to a new temporary, released with slot_release(). */
uint32_t gen_string_temp(struct gen *g, const struct texpr *e);
void gen_compare_strings(struct gen *g, const struct texpr *e);

/* --- call.c --- */
void gen_call(struct gen *g, const struct texpr *e); /* subroutines with a number as result */
void gen_string_call(struct gen *g, const struct texpr *e, uint32_t offset);
/* R2 and R3 of copyinstr() for gen_read_text(). */
void gen_copyinstr(struct gen *g, const struct texpr *e);

/* --- pointer.c: writing through pointers --- */
/*
 * R0 = a pointer for writing SIZE bytes of D's memory at the address in R0; a fault if they
 * are not D's.  R1 to R5 are lost.
 */
void gen_own_pointer(struct gen *g, uint32_t size);
/*
 * The same in R1, for the number of bytes in SIZE, which is popped into R2. A size larger than
 * all of D's memory is BADSIZE.
 */
void gen_own_bytes(struct gen *g, struct temp size);

/* --- piece.c --- */
/* The address of V is taken: if it is a this variable in the slot, pointers may lead to it from now
 * on, in this firing.  R7 is the slot. */
void gen_this_piece(struct gen *g, const struct variable *v);
/* Before the clause's first allocation: its pieces do not exist yet. */
void gen_pieces_begin(struct gen *g);
/* The next allocation is from BEGIN to END of the slot; or from R0 on, of R2 bytes.  R4 is lost. */
void gen_known_piece(struct gen *g, uint32_t begin, uint32_t end);
void gen_piece_of_any_size(struct gen *g);

/* --- alloca.c: alloca(), copyin() and copies to their memory --- */
void gen_alloca(struct gen *g, const struct texpr *size);
void gen_copyin(struct gen *g, const struct texpr *from, const struct texpr *size);
/* copyinto(from, size, to) when USER, else bcopy(from, to, size) */
void gen_copy_into(struct gen *g, const struct texpr *from, const struct texpr *to,
		   const struct texpr *size, bool user);

/* --- action.c --- */
/* From here on, instructions belong to the text at RANGE. */
void mark_line(struct gen *g, struct range range);
/* From here on the code belongs to no clause; TEXT (not copied) is its heading. */
void mark_part(struct gen *g, const char *text);
void gen_statements(struct gen *g, const struct tstmt *list);

/* --- action_memory.c: fields with more data than a value --- */
/* Of print(), tracemem() and pcap(); false: the action is another. */
bool gen_memory_fields(struct gen *g, const struct tstmt *s, const struct action_layout *layout);
void gen_quiet_string(struct gen *g, const struct texpr *e, struct place to);

/* --- destructive.c --- */
void gen_raise(struct gen *g, const struct texpr *signal); /* NULL: stop() */
void gen_copyout(struct gen *g, const struct texpr *args);
void gen_copyoutstr(struct gen *g, const struct texpr *args);

/* --- aggregate.c --- */
void gen_aggregate(struct gen *g, const struct tstmt *s);

/* --- drops.c: for dropsby=clause; no code otherwise --- */
/* Count a drop for the clause, too.  R0 is lost. */
void gen_drop(struct gen *g, enum clause_drop kind);
/* The same if R0 is 0, or negative; R0 is not changed. */
void gen_drop_if_zero(struct gen *g, enum clause_drop kind);
void gen_drop_if_negative(struct gen *g, enum clause_drop kind);
/* At the end of a clause that has a slot. */
void gen_drop_truncations(struct gen *g);

/* --- speculation.c --- */
void gen_speculation(struct gen *g, const struct tstmt *s);

/* --- clause.c --- */
void gen_clause(struct gen *g, const struct tclause *clause);
/* Of a clause whose loops have actions: leave the record, if an action has run since it began, and
 * begin it again. */
void gen_record_flush(struct gen *g);
/* The time stamp of the current record, in R0. */
void gen_record_time(struct gen *g);
/* R7 = a slot of this area. */
void gen_slot_claim(struct gen *g, label unclaimed);
/* The same for the slot at R0, which is negative if there is none. */
void gen_slot_pointer(struct gen *g, label none);

/* --- needs.c --- */
/* The clause's code, from this RELOCATION and INSTRUCTION on, is complete: its needs are added to
 * the plan. */
void gen_needs_found(struct gen *g, size_t relocation, size_t instruction);

/* --- codegen.c --- */
/* A copy of SIZE bytes of ITEMS in the program's arena. */
void *gen_keep(struct gen *g, const void *items, size_t size);

/* --- suspend.c --- */
/* The last instruction has an effect on others: no later fault suspends the clause. */
void gen_effect(struct gen *g);
/* The same for the assignment E, unless the resumed clause assigns again. */
void gen_assign_effect(struct gen *g, const struct texpr *e);
/* User memory is read here: does a fault suspend the firing? */
bool gen_suspends(struct gen *g);
/* May firings of the current group be suspended? */
bool group_may_suspend(const struct gen *g);
/* Is a clause, not one of ERROR, being generated for the return of its system call? */
bool is_resumed(const struct gen *g);
/* Suspend the firing, from this clause on, or jump to FAULT. */
void gen_suspend(struct gen *g, label fault);
/* R1 = the address for 16 bytes, R2 = 16: execname, as RT_comm. */
void gen_comm(struct gen *g);
/* Read BYTES at OFFSET of the thread's struct suspended into REG. */
void gen_suspended(struct gen *g, enum reg r, int bytes, size_t offset);
/* Jump to GONE if the firing is resumed and its user memory no longer exists.  R5 is lost. */
void gen_gone_test(struct gen *g, label gone);
/* The same, to a fault with a known address. */
void gen_gone_fault(struct gen *g);

/* --- lookahead.c --- */
/* At the begin of the body: check that the memory read after the clause's first effect is
 * present. */
void gen_lookaheads(struct gen *g);

/* --- resume.c --- */
/* The target of all gen_suspend() of the group (g->aside). */
void gen_save_firing(struct gen *g);
/* Before the clauses: a suspended firing of an earlier call of the thread is counted as a drop. */
void gen_overtaken(struct gen *g);
void gen_resume_prologue(struct gen *g, label out);
/* FUNCTION returns the continued firing: its slot, and the probe's entry. */
void gen_resumed_entry(struct gen *g, enum rt_function function, label out);
void gen_resume_test(struct gen *g, label next);
/* On to NONE if the firing had been suspended less than PASS passes before the last one. */
void gen_resumed_pass_test(struct gen *g, uint32_t pass, label none);

/* --- task_test.c --- */
/* On to OUT unless the task passes the tests of -x target, if there are any. */
void gen_task_test(struct gen *g, label out);
void gen_other_task_test(struct gen *g); /* R0 = does the task R0 pass -x target? */

/* --- prologue.c --- */
void gen_prologue(struct gen *g, label out);
/* Move to the next probe that the same event fires; to OUT if there is none. */
void gen_next_probe(struct gen *g, label out);
void gen_table_entry(struct gen *g, uint32_t size, label out);
void gen_find_entry(struct gen *g, label out); /* the entry of the firing */
void gen_syscall_number(struct gen *g);	       /* into R0 */
void begin_frame(struct gen *g);
/* Jump to OUT if no clause may begin. */
void gen_activity_test(struct gen *g, label out);
void gen_this_variables(struct gen *g, label out);

/* --- probe_table.c --- */
/* The group's entries, one more for ERROR after them, and those of jumps. */
void *probe_table_make(struct gen *g);
/* Fill table.files and .has_files: all events are of one tree, or of none. */
void number_files(struct gen *g);
/* Each jump at which a function of the group ends: the number of its event, of its site there, and
 * its entry in the table. */
typedef void jump_fn(void *arg, uint32_t event, uint32_t site, uint32_t entry);
void visit_jumps(const struct gen *g, jump_fn *visit, void *arg);

/* --- long_jump.c --- */
/* L is open from here on: it may be moved to a long jump. */
void long_jump_push(struct gen *g, label *l);
/* Place the last open label here. */
void long_jump_pop(struct gen *g, label l);
/* Place the open long jumps if they are due; between statements. */
void long_jumps_place(struct gen *g);

/* --- loop.c --- */
void gen_loop(struct gen *g, const struct tstmt *s);
void gen_loop_leave(struct gen *g, const struct tstmt *s); /* break, continue */

/* --- foreach.c --- */
void gen_each_thread(struct gen *g,
		     const struct tstmt *s); /* before the label of the body is made */
void gen_each(struct gen *g, const struct tstmt *s, label body); /* call BODY for each element */
void gen_each_key(struct gen *g, const struct tstmt *s, label skip);

/* --- part.c --- */
uint32_t part_pass(const struct gen *g); /* the pass of the entry when the part begins */
bool part_is_last(const struct gen *g);
void gen_part_begin(struct gen *g, label out);
/* Continue in the next part that has a clause for the probe, if there is one. */
void gen_part_end(struct gen *g, label out);

/* --- group.c --- */
/* The programs of KIND for GROUP, one for each of its parts. */
void gen_group(struct gen *g, const struct event_group *group, enum event_kind kind);
uint32_t table_entries(const struct gen *g); /* of the group's probe table, without ERROR's */
/* Release the slot that the prologue claimed for all clauses. */
void gen_release(struct gen *g);

/* --- slot.c: slots and faults --- */
/* Read the string at R2, R3 bytes at most, into the slot at OFFSET; R0 = its bytes with the NUL. */
void gen_read_text(struct gen *g, uint32_t offset, bool user);
uint32_t slot_alloc(struct gen *g, uint32_t size);
void slot_release(struct gen *g, uint32_t mark);
/* The slot, the time, the run time is used here. */
void need_slot(struct gen *g);
void need_time(struct gen *g);
void need_run_time(struct gen *g);
/* REG = the `at` of the slot's OFFSET. */
void gen_at(struct gen *g, enum reg r, uint32_t offset);
/* Release the slot at R7. */
void gen_slot_free(struct gen *g);
/* The probe table's entry into REG. */
void gen_entry(struct gen *g, enum reg r);
/* R = the member of BYTES at OFFSET of the firing's struct exit_firing. */
void gen_exits(struct gen *g, enum reg r, int bytes, size_t offset);
/* The label for a fault with this code; the address must be at firing.fault_address. */
label fault_label(struct gen *g, enum fault code);
label entry_fault_label(struct gen *g); /* one that an entry has left in the cell R0 */
/* The same for user memory that could not be read. */
label user_fault_label(struct gen *g);
/* For a fault whose code and action are in the frame. */
label body_fault_label(struct gen *g);
/* After a run-time function that may fault: check the slot. */
void gen_slot_check(struct gen *g);
/* The value under KEY in R0, inserted as zeros if absent; on failure (a counted drop) jump to
 * DONE. */
void gen_lookup_or_insert(struct gen *g, int map, struct place key, enum rt_function drop,
			  label done);
/* R0 is the result of RT_map_delete for V's element KEY: if it failed, set the element to zero. */
void gen_delete_check(struct gen *g, const struct variable *v, struct place key);
void gen_stubs(struct gen *g);
void gen_place_address(struct gen *g, enum reg r, struct place p);
/* Diagnose something that cannot be compiled. */
void unsupported(struct gen *g, struct range range, const char *what);

#endif
