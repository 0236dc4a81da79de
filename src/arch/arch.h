/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch - x86_64, with its programs of 32 bits, and aarch64 as data
 *
 * In:   queries: where is the second argument, which call is 39.
 * Out:  struct arch.  All of them are compiled on every machine, so code for
 *       aarch64 is tested on x86_64 too.
 *
 * Places are byte offsets into struct pt_regs as the kernel saves it for a task
 * and as BPF programs of uprobes and perf events get it; each register has 8
 * bytes.  The order is ABI (asm/ptrace.h).
 *
 * To add an architecture: a file arch_NAME.c, a row in arch_all, its system
 * calls by tools/gen-syscalls.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/base.h"

#define ARCH_ARGUMENTS 8
#define ARCH_SYSCALL_ARGUMENTS 6
#define ARCH_ON_STACK UINT16_MAX

/* Names by number; NULL if the number is not a call. */
struct arch_calls {
	const char *const *names;
	unsigned count;
};

/* The target of an instruction, if its bytes determine it. */
enum flow {
	FLOW_NEXT,     /* on, also calls through pointers */
	FLOW_CALL,     /* on, after a call of `target` */
	FLOW_RETURN,   /* out of the function */
	FLOW_JUMP,     /* always to `target` */
	FLOW_BRANCH,   /* there, or on */
	FLOW_TABLE,    /* to one of several places: mostly of the function, a switch */
	FLOW_POINTER,  /* to an address in memory: out of the function */
	FLOW_REGISTER, /* to an address in a register: one of the last two */
};

/* As struct flag_test of abi/exit.h; all 0: unknown, a register is tested. */
struct branch_test {
	uint16_t any, differ;
	bool is_not;
};

/* As struct exit_operand of abi/exit.h, with its displacement from the sum of the registers. */
struct jump_operand {
	bool is_known;
	uint8_t base, index, scale, word;
	int32_t displacement;
};
#define JUMP_NO_REGISTER 255

struct instruction {
	unsigned length;
	enum flow flow;
	int64_t target;		 /* from its first byte; if instruction_has_target() */
	bool is_call;		 /* also through a pointer or register */
	struct branch_test test; /* of FLOW_BRANCH: when it jumps */
	/* Of FLOW_POINTER and FLOW_REGISTER: where it jumps; of FLOW_TABLE: unknown, if it is
	 * marked as a switch. */
	struct jump_operand operand;
	/*
	 * Bits of the instruction that hold a displacement from its address (aarch64, where adr's
	 * lowest two are bits 29 and 30) or from its end (x86): the first, and how many; none: 0.
	 * Code that moves the instruction must change them.
	 */
	uint8_t displacement_at, displacement_bits;
	bool is_sum; /* adds registers: a jump by register after it is mostly a switch */
	/*
	 * Numbers of words of struct pt_regs, or JUMP_NO_REGISTER: the two that is_sum adds, the
	 * first of which gets the sum (aarch64: none; one of them is multiplied by 4 there, as only
	 * switches do); and the register that gets the displacement's address, nothing else.
	 */
	uint8_t summands[2], address_register;
	int64_t literal; /* from its first byte: data among the code that it loads, so many bytes */
	unsigned literal_size;
	/* An exception between the two, as a probe is, makes the store fail. */
	enum { EXCLUSIVE_NO, EXCLUSIVE_LOAD, EXCLUSIVE_STORE } exclusive;
	bool is_below_stack; /* may use memory below the stack pointer, by that register */
};

static inline bool instruction_has_target(const struct instruction *i)
{
	return i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH || i->flow == FLOW_CALL;
}

/* What an instruction changes; more than what it says is not changed. */
struct instruction_effects {
	uint32_t words;	     /* of struct pt_regs, a bit each; not the stack pointer, if */
	bool is_stack_known; /* it is known what is added to it: */
	int32_t stack;
	bool memory; /* other than below the stack pointer, by a push */
};

struct arch;
/* The effects of the instruction at CODE; false: unknown, as all of aarch64. */
bool arch_effects(const struct arch *a, const struct bytes *code, struct instruction_effects *ret);

/*
 * May an instruction of CODE have the target TARGET, a distance from its first byte?  Much faster
 * than to decode it all; true, if that is not known of A.
 */
bool arch_may_branch(const struct arch *a, const struct bytes *code, int64_t target);

struct per_cpu_add {
	uint64_t variable; /* the address of the 8 bytes, before a CPU's offset is added */
	int64_t amount;	   /* that is added, if it is known; */
	int ureg;	   /* else it is in this register of uregs[]; -1: it is known */
};

enum leaving {
	LEAVES_NEVER,
	LEAVES_ALWAYS,
	LEAVES_SOMETIMES, /* a probe there would fire when the branch is not taken, too */
};
/*
 * Does I leave its function?  AFTER_SUM: the instruction before it is_sum; IS_OUTSIDE: its target
 * is not in the function, if it jumps to one.
 */
enum leaving instruction_leaves(const struct instruction *i, bool after_sum, bool is_outside);

struct operand;
struct operand_text;
struct call;
struct call_value;
struct call_place;

struct arch_sites;

/*
 * deregister_tm_clones(), register_tm_clones(), __do_global_dtors_aux() and frame_dummy(), from the
 * first byte on: only the third keeps something on the stack, the frame pointer.
 */
struct start_functions {
	unsigned push, pop; /* after these instructions of the third function */
	unsigned end;
};

/* How a program makes a system call; the first argument is where functions have theirs. */
struct arch_syscall {
	unsigned char code[4]; /* the instruction */
	uint8_t size;	       /* of it; 0: unknown */
	uint8_t number_size;   /* bytes of arch.syscall_number */
	uint16_t made_by;      /* the register that has the number before the call */
};

struct arch {
	const char *name;		      /* as uname -m says */
	const struct arch_sites *sites;	      /* calls of probe functions (site.h) */
	uint16_t elf_machine, elf_machine_32; /* EM_*; of the programs of 32 bits that it runs */
	const struct arch *narrow; /* of those programs; NULL: we know nothing of their code */
	unsigned word;		   /* bytes of an address, and of an argument on the stack */

	/*
	 * uregs[] of D (regs.d) counts in the order of pt_regs, as far as this: index * 8 is the
	 * offset.  Those after them (segment registers) are the thread's: rt_thread_register().
	 */
	unsigned uregs_count;
	unsigned uregs_names; /* how many numbers regs.d has names for */
	/*
	 * uregs[]'s number of the thread pointer, from which thread-local variables are counted: of
	 * no name.  0: a program can change it, and the kernel sees that only when the thread
	 * leaves the CPU (aarch64's tpidr_el0).
	 */
	unsigned thread_pointer;
	/*
	 * Blocks of thread-local variables (object/elf/elf_thread.c).  Between the thread pointer
	 * and the program's block are so many bytes; 0: that block ends at the thread pointer.  And
	 * the type of relocation (R_*) of a word that gets a variable's distance from there.
	 */
	struct {
		unsigned control_size;
		uint32_t distance_relocation;
	} thread_block;

	/* Addresses of a process have so many bits, unless the process asks for higher ones. */
	unsigned user_bits;
	/* The return address of the call that a tracer puts into a function of the kernel is at
	 * most so many bytes after the function's first one. */
	unsigned tracer_call_end;

	/* Function calls. */
	uint16_t argument[ARCH_ARGUMENTS];
	unsigned argument_count;
	uint16_t result;
	uint16_t stack_pointer, frame_pointer, pc;
	uint16_t flags;		 /* that struct branch_test is about; 0: they are not read */
	uint16_t goroutine;	 /* Go's struct g; of 32 bits: not known */
	uint16_t stack_argument; /* of the first stack argument from the stack pointer, at entry */
	/* Registers of arguments and of results of Go's functions. */
	const uint16_t *go_registers;
	unsigned go_register_count;
	uint16_t return_address; /* at entry: a register, or ARCH_ON_STACK: at the stack pointer */

	/* DWARF's numbers of registers, and where each of those below dwarf_count is. */
	const uint16_t *dwarf_registers;
	unsigned dwarf_count, dwarf_stack_pointer, dwarf_frame_pointer, dwarf_pc;
	/*
	 * That which walks know beyond the first frame (abi/unwind.h): x86_64's rbx, where the
	 * dynamic linker's stub keeps its CFA; on aarch64 the one of return addresses.
	 */
	unsigned dwarf_saved;
	/* Bits of a code address; those above may be a signature of a return address. */
	uint64_t (*code_mask)(void);
	/* What has no call frame information; 0: it has. */
	struct {
		const char *name; /* the vdso's function that signal handlers return to, and */
		unsigned before;  /* bytes before it that belong to it; */
		/* from the stack pointer there: the interrupted registers, also link_at */
		uint16_t pc_at, stack_at, frame_at, link_at;
	} signal_frame;
	uint32_t plt_push; /* the first entry of .plt pushes two words, the link register above */

	/* System calls, native and of 32-bit tasks (whose registers are zero-extended). */
	uint16_t syscall_argument[ARCH_SYSCALL_ARGUMENTS];
	uint16_t compat_argument[ARCH_SYSCALL_ARGUMENTS];
	uint16_t syscall_number; /* while in the call, and at its return */
	struct arch_syscall syscall;
	struct arch_calls calls, compat_calls;
	unsigned call_names;  /* so many different names are in both tables together */
	uint64_t number_mask; /* bits of the number that count: x32 marks its calls by bit 30 */
	/* A task's call is of the compat table if this field & mask is not 0. */
	const char *compat_field; /* of struct task_struct, in BTF's names */
	uint64_t compat_mask;	  /* one bit */

	/* So many frames of the kernel come before a program's own, where it walks its stack. */
	unsigned walker_frames;
	/* So many are between bpf_trace_runN() and the code with the tracepoint. */
	unsigned tracepoint_frames;

	/* An address of code that no process can map, and that no other value in memory looks like.
	 */
	uint64_t never_mapped;
	/*
	 * Of `narrow` alone: where each of the 4-byte words is that ptrace has for a thread's
	 * registers (struct user_regs_struct of its programs).
	 */
	const uint16_t *saved_registers;
	unsigned saved_count;

	const char *const *cpp_symbols; /* options for a C preprocessor; ends with NULL */

	/* Was user code interrupted?  (register at mode) & mode_mask == mode_user. */
	uint16_t mode;
	uint64_t mode_mask, mode_user;
	uint64_t mode_narrow; /* what is there in programs of 32 bits, if there is `narrow` */
	/* In code of 64 bits: register at mode & mode_64_mask == mode_64. */
	uint64_t mode_64_mask, mode_64;

	/*
	 * The kernel's JIT compiler: how many BPF instructions a program may have before one that a
	 * conditional jump goes back to; 0: no limit.
	 */
	uint32_t back_reach;

	/*
	 * Where to put an entry probe, from a function's first byte: 0, or the offset of a
	 * near instruction that means the same and costs less, or can be probed at all.
	 */
	unsigned (*entry_site)(const struct bytes *code);
	/* Does the kernel accept a probe on this instruction, and execute it right then? */
	bool (*can_probe)(const struct bytes *code);
	/*
	 * Does the kernel emulate this instruction at a probe?  All others are single-stepped,
	 * which takes an exception more.
	 */
	bool (*is_emulated)(const struct bytes *code);
	/*
	 * May the kernel replace this instruction by a call, which writes below the stack pointer?
	 * NULL: it replaces none.
	 */
	bool (*may_become_call)(const struct bytes *code);
	/*
	 * A function whose instruction at red_zone_site is one of these; the result is its
	 * argument, which it keeps below the stack pointer meanwhile.  NULL: not of this machine.
	 */
	uint64_t (*red_zone_keeps)(uint64_t value);
	const char *red_zone_site;
	/* What a probe adds to a call, as measured (docs/kernel.md); NULL: it was not. */
	const char *emulated_cost, *stepped_cost, *return_cost;
	/*
	 * Does the function that begins with CODE return its own return address, by its first 4
	 * bytes?  A return probe would change its result.  NULL: none does.
	 */
	bool (*returns_its_place)(const struct bytes *code);
	/* The instruction at CODE; false: unknown.  The caller decides about FLOW_REGISTER. */
	bool (*decode)(const struct bytes *code, struct instruction *ret);
	/*
	 * The address of the pointer by which CODE at ADDRESS jumps, the stub of a function of a
	 * library; false: it is none.  NULL: the displacement of the jump says it.
	 */
	bool (*stub_pointer)(const struct bytes *code, uint64_t address, uint64_t *ret);
	/*
	 * The first bytes from *AT on that add something positive to 8 bytes of a per-CPU variable
	 * of the kernel, which they name, if an instruction begins there: *AT is set.  CODE is at
	 * ADDRESS.  False: there are none.  NULL: no single instruction does.
	 */
	bool (*find_per_cpu_add)(const struct bytes *code, uint64_t address, size_t *at,
				 struct per_cpu_add *ret);
	/* Is this where signal handlers return to, which nothing has called? */
	bool (*is_signal_return)(const struct bytes *code);
	/*
	 * CODE is the section .init or .fini, whose first and last instructions C's start files
	 * have, without call frame information: after how many of its bytes has it a word more on
	 * the stack, until its last byte, which returns?  0: unknown.
	 */
	unsigned (*start_push)(const struct bytes *code);
	/*
	 * Does CODE begin with the four functions that C's start files add to each file, also
	 * without such information?  NULL: unknown.
	 */
	bool (*start_functions)(const struct bytes *code, struct start_functions *ret);
	/* Where TEXT, an operand in a static probe's note, is (operand.h); RET has its size. False:
	 * we do not know it. */
	bool (*operand)(struct operand_text text, struct operand *ret);
	/*
	 * Where C's calling convention passes the next argument (call.h); and the result:
	 * TAKES_ARGUMENT: the first argument's place has the address for it.
	 */
	void (*call_argument)(struct call *c, const struct call_value *v, struct call_place *ret);
	void (*call_result)(const struct call_value *v, struct call_place *ret,
			    bool *takes_argument);
};

extern const struct arch arch_x86_64, arch_aarch64;
extern const struct arch *const arch_all[]; /* NULL-ended */

/*
 * Programs of 32 bits on x86_64: places are in the kernel's struct pt_regs, as of any task there.
 * Not a machine by itself, so it has no system calls and no registers by number.
 */
extern const struct arch arch_i386;

/* Do calls put the return address into a register? */
static inline bool arch_has_link(const struct arch *a)
{
	return a->return_address != ARCH_ON_STACK;
}

/* The machine that we were compiled for. */
const struct arch *arch_host(void);
/*
 * What programs of WORD bytes for the ELF machine number MACHINE are for A: A itself, its `narrow`;
 * NULL: not known.
 */
const struct arch *arch_of_program(const struct arch *a, unsigned word, uint16_t machine);

/*
 * Is I between an exclusive load and its store? Called for all instructions of a function, one
 * after the other; *LEFT is 0 before the first.
 */
bool instruction_is_exclusive(const struct instruction *i, unsigned *left);

/* Can the bytes BEFORE a return address be the end of a call? */
#define ARCH_CALL_MOST 10 /* bytes */
bool arch_ends_call(const struct arch *a, const struct bytes *before);

const char *arch_call_name(const struct arch_calls *calls, unsigned number); /* NULL: none */

/* Offset into pt_regs of uregs[INDEX], or -1. */
int arch_ureg_offset(const struct arch *a, int64_t index);

#endif
