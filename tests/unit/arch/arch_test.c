/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/arch.h"

#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/utsname.h>

#ifdef __x86_64__
#include <asm/ptrace.h>
#endif

#include "test.h"

TEST(host_is_this_machine)
{
	struct utsname u;
	uname(&u);
	CHECK_STR(arch_host()->name, u.machine);
}

TEST(calls_agree_with_libc)
{
	const struct arch_calls *calls = &arch_host()->calls;
	CHECK_STR(arch_call_name(calls, SYS_read), "read");
	CHECK_STR(arch_call_name(calls, SYS_openat), "openat");
	CHECK_STR(arch_call_name(calls, SYS_exit_group), "exit_group");
	CHECK_STR(arch_call_name(calls, SYS_futex_waitv), "futex_waitv");
	CHECK_STR(arch_call_name(calls, SYS_getpid), "getpid");
	CHECK(arch_call_name(calls, 511) == NULL);
	CHECK(arch_call_name(calls, 1u << 31) == NULL);
}

TEST(calls_of_each_architecture)
{
	/* ABI names, not those of the kernel's events. */
	CHECK_STR(arch_call_name(&arch_x86_64.calls, 4), "stat");
	CHECK_STR(arch_call_name(&arch_x86_64.calls, 40), "sendfile");
	CHECK_STR(arch_call_name(&arch_x86_64.calls, 166), "umount2");
	CHECK_STR(arch_call_name(&arch_x86_64.calls, 336), "uprobe");
	CHECK_STR(arch_call_name(&arch_x86_64.calls, 462), "mseal");
	CHECK_STR(arch_call_name(&arch_x86_64.compat_calls, 20), "getpid");
	CHECK_STR(arch_call_name(&arch_x86_64.compat_calls, 7), "waitpid");
	CHECK_STR(arch_call_name(&arch_aarch64.calls, 63), "read");
	CHECK_STR(arch_call_name(&arch_aarch64.calls, 221), "execve");
	CHECK_STR(arch_call_name(&arch_aarch64.compat_calls, 3), "read");
	for (const struct arch *const *a = arch_all; *a; a++)
		CHECK((*a)->calls.count <= 512 && (*a)->compat_calls.count <= 512);
}

/* Names of both tables are counted once. */
static unsigned count_names(const struct arch *a)
{
	unsigned names = 0;
	for (unsigned i = 0; i < a->calls.count; i++)
		names += a->calls.names[i] != NULL;
	for (unsigned i = 0; i < a->compat_calls.count; i++) {
		const char *name = a->compat_calls.names[i];
		bool is_new = name;
		for (unsigned k = 0; is_new && k < a->calls.count; k++)
			is_new = !a->calls.names[k] || strcmp(a->calls.names[k], name) != 0;
		names += is_new;
	}
	return names;
}

TEST(different_names_of_calls)
{
	CHECK_INT(count_names(&arch_x86_64), arch_x86_64.call_names);
	CHECK_INT(count_names(&arch_aarch64), arch_aarch64.call_names);
}

#ifdef __x86_64__
TEST(registers_agree_with_the_header)
{
	const struct arch *a = &arch_x86_64;
	CHECK_INT(a->uregs_count * 8, sizeof(struct pt_regs));
	CHECK_INT(a->pc, offsetof(struct pt_regs, rip));
	CHECK_INT(a->syscall_number, offsetof(struct pt_regs, orig_rax));
	CHECK_INT(a->argument[0], offsetof(struct pt_regs, rdi));
	CHECK_INT(a->argument[3], offsetof(struct pt_regs, rcx));
	CHECK_INT(a->syscall_argument[3], offsetof(struct pt_regs, r10));
	CHECK_INT(a->compat_argument[0], offsetof(struct pt_regs, rbx));
	CHECK_INT(a->result, offsetof(struct pt_regs, rax));
	CHECK_INT(a->stack_pointer, offsetof(struct pt_regs, rsp));
	CHECK_INT(a->mode, offsetof(struct pt_regs, cs));
	CHECK_INT(848, offsetof(struct user, u_debugreg)); /* x86_64_set_breakpoint() */
}
#endif

TEST(uregs)
{
	CHECK_INT(arch_ureg_offset(&arch_x86_64, 10), 80); /* R_RAX */
	CHECK_INT(arch_ureg_offset(&arch_x86_64, 20), 160);
	CHECK_INT(arch_ureg_offset(&arch_x86_64, 21), -1); /* R_DS */
	CHECK_INT(arch_ureg_offset(&arch_x86_64, -1), -1);
	CHECK_INT(arch_ureg_offset(&arch_aarch64, 33), 264); /* R_PSTATE */
	CHECK_INT(arch_ureg_offset(&arch_aarch64, 34), -1);
	CHECK_INT(arch_aarch64.stack_pointer, 31 * 8);
}

#define CODE(text) (&(struct bytes) { .data = (const void *)text, .size = sizeof(text) - 1 })

TEST(entry_site_x86_64)
{
	CHECK_INT(arch_x86_64.entry_site(CODE("\x55\x48\x89\xe5")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa\x55\x48")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa\x41\x57")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa\x41\x89")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa\x90")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa\x0f\x1f\x44\x00\x00")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f\x1e\xfa")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xf3\x0f")), 0);
	/* vmovd %esi, %xmm0, %xmm9; vmovq %rsi, %xmm16; vpxor of ymm0 */
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\xf9\x6e\xc6\x48\x89\xf8")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\x79\x6e\xce\x48\x89\xf8")), 4);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc4\xe1\xf9\x6e\xc6\x48")), 5);
	CHECK_INT(arch_x86_64.entry_site(CODE("\x62\xe1\xfd\x08\x6e\xc6\x48")), 6);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\xfd\xef\xc0\x48")), 4);
	/* of memory; to a general register; cut; vpsrlw, whose prefix is long */
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\xf9\x6e\x06\x48")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\xf9\x7e\xc6\x48")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc5\xf9\x6e")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\xc4\xe2\xf9\x6e\xc6\x48")), 0);
	/* In 32-bit code: the same; lds */
	CHECK_INT(arch_i386.entry_site(CODE("\xc5\xf9\x6e\xc6\x89\xf8")), 4);
	CHECK_INT(arch_i386.entry_site(CODE("\xc5\x79\x6e\xce\x89\xf8")), 0);
	/* vpbroadcastb %esi, %ymm16; vpbroadcastq of memory; vpaddd */
	CHECK_INT(arch_x86_64.entry_site(CODE("\x62\xe2\x7d\x28\x7a\xc6\x48\x89\xf8")), 6);
	CHECK_INT(arch_x86_64.entry_site(CODE("\x62\xe2\x7d\x28\x7a\x06\x48\x89\xf8")), 0);
	CHECK_INT(arch_x86_64.entry_site(CODE("\x62\xf1\x7d\x28\xfe\xc0\x48\x89\xf8")), 0);
}

/* Lengths as in objdump's output; WANTED 0: not an instruction. */
#define ENDS_CALL(arch, text) ends_call(&(arch), CODE(text))

static bool ends_call(const struct arch *a, const struct bytes *before)
{
	return arch_ends_call(a, before);
}

static void check_decode(const struct arch *a, const struct bytes *code, unsigned wanted,
			 enum flow flow, long long target)
{
	struct instruction i = { 0 };
	bool known = a->decode(code, &i);
	CHECK_INT(known ? i.length : 0, wanted);
	CHECK_INT(i.flow, flow);
	CHECK_INT(i.target, target);
}

#define X86(text, wanted, flow, target) check_decode(&arch_x86_64, CODE(text), wanted, flow, target)
#define ARM(text, flow, target) check_decode(&arch_aarch64, CODE(text), 4, flow, target)

TEST(instruction_lengths_x86_64)
{
	X86("\x90", 1, FLOW_NEXT, 0);
	X86("\x55", 1, FLOW_NEXT, 0);
	X86("\x48\x89\xe5", 3, FLOW_NEXT, 0);				   /* mov %rsp,%rbp */
	X86("\x48\x83\xec\x40", 4, FLOW_NEXT, 0);			   /* sub $0x40,%rsp */
	X86("\x48\x81\xec\x00\x01\x00\x00", 7, FLOW_NEXT, 0);		   /* sub $0x100,%rsp */
	X86("\x66\x81\xfb\x34\x12", 5, FLOW_NEXT, 0);			   /* cmp $0x1234,%bx */
	X86("\x8b\x44\x24\x08", 4, FLOW_NEXT, 0);			   /* mov 8(%rsp),%eax */
	X86("\x8b\x04\x25\x00\x00\x00\x00", 7, FLOW_NEXT, 0);		   /* mov 0,%eax */
	X86("\x8b\x05\x00\x00\x00\x00", 6, FLOW_NEXT, 0);		   /* mov 0(%rip),%eax */
	X86("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, FLOW_NEXT, 0); /* movabs */
	X86("\xb8\x01\x02\x03\x04", 5, FLOW_NEXT, 0);
	X86("\xf6\xc1\x01", 3, FLOW_NEXT, 0);			      /* test $1,%cl */
	X86("\xf6\xd9", 2, FLOW_NEXT, 0);			      /* neg %cl */
	X86("\xf7\xc1\x01\x00\x00\x00", 6, FLOW_NEXT, 0);	      /* test $1,%ecx */
	X86("\xc8\x10\x00\x00", 4, FLOW_NEXT, 0);		      /* enter */
	X86("\x0f\x05", 2, FLOW_NEXT, 0);			      /* syscall */
	X86("\xf3\x0f\x1e\xfa", 4, FLOW_NEXT, 0);		      /* endbr64 */
	X86("\x66\x0f\x1f\x84\x00\x00\x00\x00\x00", 9, FLOW_NEXT, 0); /* nop */
	X86("\x66\x0f\x3a\x0f\xc1\x08", 6, FLOW_NEXT, 0);	      /* palignr */
	X86("\x66\x0f\x38\x00\xc1", 5, FLOW_NEXT, 0);		      /* pshufb */
	X86("\xc5\xf8\x77", 3, FLOW_NEXT, 0);			      /* vzeroupper */
	X86("\xc5\xfd\x6f\x06", 4, FLOW_NEXT, 0);		      /* vmovdqa */
	X86("\xc4\xe3\x7d\x39\xc1\x01", 6, FLOW_NEXT, 0);	      /* vextracti128 */
	X86("\x62\xf1\xfe\x48\x6f\x46\x01", 7, FLOW_NEXT, 0);	      /* vmovdqu64 */
	X86("\xe8\x10\x00\x00\x00", 5, FLOW_CALL, 0x15);	      /* call */
}

TEST(ways_out_of_functions_x86_64)
{
	X86("\xc3", 1, FLOW_RETURN, 0);
	X86("\xf3\xc3", 2, FLOW_RETURN, 0);
	X86("\xc2\x08\x00", 3, FLOW_RETURN, 0);
	X86("\xe9\x10\x00\x00\x00", 5, FLOW_JUMP, 21);
	X86("\xeb\xfe", 2, FLOW_JUMP, 0);
	X86("\x74\x10", 2, FLOW_BRANCH, 18);
	X86("\x0f\x84\xfa\xff\xff\xff", 6, FLOW_BRANCH, 0);
	X86("\xff\xe0", 2, FLOW_REGISTER, 0);		       /* jmp *%rax */
	X86("\x3e\xff\xe0", 3, FLOW_TABLE, 0);		       /* notrack jmp *%rax */
	X86("\xff\x24\xc5\x00\x00\x00\x00", 7, FLOW_TABLE, 0); /* jmp *0(,%rax,8) */
	X86("\xff\x25\x00\x00\x00\x00", 6, FLOW_POINTER, 0);   /* jmp *0(%rip) */
	X86("\xff\x60\x10", 3, FLOW_POINTER, 0);	       /* jmp *0x10(%rax) */
	X86("\xff\xd0", 2, FLOW_NEXT, 0);		       /* call *%rax */
}

static void check_operand(const struct arch *a, struct bytes code, const char *wanted)
{
	struct instruction i;
	CHECK(a->decode(&code, &i));
	const struct jump_operand *o = &i.operand;
	char text[80] = "unknown";
	if (o->is_known)
		snprintf(text, sizeof(text), "%d %d*%d %d: %d", o->base,
			 o->index == JUMP_NO_REGISTER ? -1 : o->index, o->scale, o->displacement,
			 o->word);
	CHECK_STR(text, wanted);
}
#define TO_X86(text, wanted) check_operand(&arch_x86_64, *CODE(text), wanted)
#define TO_X32(text, wanted) check_operand(&arch_i386, *CODE(text), wanted)
#define TO_ARM(text, wanted) check_operand(&arch_aarch64, *CODE(text), wanted)

/* Registers by their places among struct pt_regs, then index * scale, displacement: bytes. */
TEST(where_jumps_read_their_destination)
{
	TO_X86("\xff\xe0", "10 -1*0 0: 0");			  /* jmp *%rax */
	TO_X86("\x41\xff\xe3", "6 -1*0 0: 0");			  /* jmp *%r11 */
	TO_X86("\xff\x60\x10", "10 -1*0 16: 8");		  /* jmp *0x10(%rax) */
	TO_X86("\xff\xa7\xf0\xff\xff\xff", "14 -1*0 -16: 8");	  /* jmp *-0x10(%rdi) */
	TO_X86("\xff\x25\xfa\xff\xff\xff", "16 -1*0 0: 8");	  /* jmp *-6(%rip) */
	TO_X86("\xff\x24\xc2", "12 10*8 0: 8");			  /* jmp *(%rdx,%rax,8) */
	TO_X86("\x43\xff\x64\xa5\x08", "2 3*4 8: 8");		  /* jmp *8(%r13,%r12,4) */
	TO_X86("\x41\xff\x24\x24", "3 -1*0 0: 8");		  /* jmp *(%r12) */
	TO_X86("\xff\x64\x24\x08", "19 -1*0 8: 8");		  /* jmp *8(%rsp) */
	TO_X86("\xff\x24\xc5\x10\x00\x00\x00", "255 10*8 16: 8"); /* jmp *0x10(,%rax,8) */
	TO_X86("\x3e\xff\x24\xc5\x10\x00\x00\x00", "unknown");	  /* notrack, so a switch */
	TO_X86("\x64\xff\x60\x10", "unknown");			  /* jmp *%fs:0x10(%rax) */
	TO_X86("\x67\xff\x60\x10", "unknown");			  /* jmp *0x10(%eax) */
	TO_X32("\xff\xe0", "10 -1*0 0: 0");			  /* jmp *%eax */
	TO_X32("\xff\x25\x10\x00\x00\x00", "255 -1*0 16: 4");	  /* jmp *0x10 */
	TO_X32("\xff\xa3\x10\x00\x00\x00", "5 -1*0 16: 4");	  /* jmp *0x10(%ebx) */
	TO_ARM("\x00\x02\x1f\xd6", "16 -1*0 0: 0");		  /* br x16 */
	TO_ARM("\x31\x0a\x1f\xd7", "unknown");			  /* braa x17, x17 */
}

static void check_moved(const struct arch *a, struct bytes code, bool is_call, unsigned at,
			unsigned bits)
{
	struct instruction i;
	CHECK(a->decode(&code, &i));
	CHECK_INT(i.is_call, is_call);
	CHECK_INT(i.displacement_at, at);
	CHECK_INT(i.displacement_bits, bits);
}
#define MOVED_X86(text, ...) check_moved(&arch_x86_64, *CODE(text), __VA_ARGS__)
#define MOVED_ARM(text, ...) check_moved(&arch_aarch64, *CODE(text), __VA_ARGS__)

/* Does the conditional jump with this condition (the low bits of its opcode) jump? */
static bool jumps_if(unsigned condition, uint64_t flags)
{
	unsigned char code[] = { (unsigned char)(0x70 | condition), 0x10 };
	struct bytes b = bytes_of(code, sizeof(code));
	struct instruction i;
	CHECK(arch_x86_64.decode(&b, &i));
	uint64_t two = flags & i.test.differ;
	bool holds = (flags & i.test.any) || (two && two != i.test.differ);
	return holds != i.test.is_not;
}

/* What the processor itself does after popfq. */
static bool processor_jumps(unsigned condition, uint64_t flags)
{
	bool set = false;
#ifdef __x86_64__
#define CASE(n, cc)                                                                                \
	case n:                                                                                    \
		__asm__("push %1; popfq; set" cc " %0" : "=q"(set) : "r"(flags | 2) : "cc");       \
		break;
	switch (condition) {
		CASE(0, "o")
		CASE(1, "no")
		CASE(2, "b")
		CASE(3, "ae")
		CASE(4, "e")
		CASE(5, "ne")
		CASE(6, "be")
		CASE(7, "a")
		CASE(8, "s")
		CASE(9, "ns")
		CASE(10, "p")
		CASE(11, "np") CASE(12, "l") CASE(13, "ge") CASE(14, "le") CASE(15, "g")
	}
#else
	set = jumps_if(condition, flags);
#endif
	return set;
}

TEST(conditions_of_jumps_x86_64)
{
	static const uint64_t bits[] = { 0x1, 0x4, 0x40, 0x80, 0x800 };
	for (unsigned condition = 0; condition < 16; condition++)
		for (unsigned set = 0; set < 32; set++) {
			uint64_t flags = 0;
			for (unsigned i = 0; i < 5; i++)
				flags |= set >> i & 1 ? bits[i] : 0;
			CHECK_INT(jumps_if(condition, flags), processor_jumps(condition, flags));
		}
	struct bytes loop = bytes_of("\xe2\x10", 2);
	struct instruction i;
	CHECK(arch_x86_64.decode(&loop, &i));
	CHECK(!i.test.any && !i.test.differ); /* rcx is tested */
}

TEST(calls_and_displacements_that_count_from_the_instruction)
{
	MOVED_X86("\xe8\x10\x00\x00\x00", true, 8, 32);		  /* call 0x15 */
	MOVED_X86("\xff\xd0", true, 0, 0);			  /* call *%rax */
	MOVED_X86("\xff\x15\x01\x00\x00\x00", true, 16, 32);	  /* call *1(%rip) */
	MOVED_X86("\xff\x25\x01\x00\x00\x00", false, 16, 32);	  /* jmp *1(%rip) */
	MOVED_X86("\x41\xff\xe3", false, 0, 0);			  /* jmp *%r11 */
	MOVED_X86("\xeb\x02", false, 8, 8);			  /* jmp 4 */
	MOVED_X86("\x0f\x84\x02\x00\x00\x00", false, 16, 32);	  /* je 8 */
	MOVED_X86("\x8b\x04\x25\x00\x00\x00\x00", false, 0, 0);	  /* mov 0,%eax */
	MOVED_X86("\x48\x8b\x05\x00\x00\x00\x00", false, 24, 32); /* mov 0(%rip),%rax */
	MOVED_X86("\x48\xc7\x05\x01\x00\x00\x00\x07\x00\x00\x00", false, 24,
		  32);						      /* movq $7,1(%rip) */
	MOVED_X86("\xc5\xfd\x6f\x05\x01\x00\x00\x00", false, 32, 32); /* vmovdqa 1(%rip) */
	MOVED_ARM("\x04\x00\x00\x94", true, 0, 26);		      /* bl */
	MOVED_ARM("\x20\x00\x3f\xd6", true, 0, 0);		      /* blr x1 */
	MOVED_ARM("\x22\x08\x3f\xd7", true, 0, 0);		      /* blraa x1, x2 */
	MOVED_ARM("\x20\x00\x1f\xd6", false, 0, 0);		      /* br x1 */
	MOVED_ARM("\x40\x00\x00\x54", false, 5, 19);		      /* b.eq */
	MOVED_ARM("\x40\x00\x18\x37", false, 5, 14);		      /* tbnz w0, #3 */
	MOVED_ARM("\x00\x00\x00\x90", false, 5, 19);		      /* adrp x0 */
	MOVED_ARM("\x40\x00\x00\x58", false, 5, 19);		      /* ldr x0, 8 */
	MOVED_ARM("\xc0\x03\x5f\xd6", false, 0, 0);		      /* ret */
}

TEST(no_instructions_x86_64)
{
	X86("", 0, FLOW_NEXT, 0);
	X86("\x06", 0, FLOW_NEXT, 0);
	X86("\x0f\x04", 0, FLOW_NEXT, 0);
	X86("\x48\x81\xec\x00\x01\x00", 0, FLOW_NEXT, 0); /* truncated */
	X86("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", 0, FLOW_NEXT, 0);
	X86("\x62\xf4\x7c\x08\x01\xc0", 0, FLOW_NEXT, 0); /* APX, map 4 */
}

#define X32(text, wanted, flow, target) check_decode(&arch_i386, CODE(text), wanted, flow, target)

TEST(instructions_of_32_bit_code)
{
	X32("\x40", 1, FLOW_NEXT, 0);			      /* inc %eax */
	X32("\x60", 1, FLOW_NEXT, 0);			      /* pusha */
	X32("\x06", 1, FLOW_NEXT, 0);			      /* push %es */
	X32("\xa1\x01\x02\x03\x04", 5, FLOW_NEXT, 0);	      /* mov 0x4030201,%eax */
	X32("\x8b\x05\x01\x02\x03\x04", 6, FLOW_NEXT, 0);     /* the same */
	X32("\xc5\x01", 2, FLOW_NEXT, 0);		      /* lds (%ecx),%eax */
	X32("\xc5\xf8\x77", 3, FLOW_NEXT, 0);		      /* vzeroupper */
	X32("\x62\xf1\xfe\x48\x6f\x46\x01", 7, FLOW_NEXT, 0); /* vmovdqu64 */
	X32("\x62\x01", 2, FLOW_NEXT, 0);		      /* bound */
	X32("\x65\xff\x15\x10\x00\x00\x00", 7, FLOW_NEXT, 0); /* call *%gs:16 */
	X32("\x9a\x01\x02\x03\x04\x05\x06", 7, FLOW_NEXT, 0); /* lcall */
	X32("\xc3", 1, FLOW_RETURN, 0);
	X32("\xe8\x10\x00\x00\x00", 5, FLOW_CALL, 0x15);
	X32("\xff\x24\x85\x00\x00\x00\x00", 7, FLOW_TABLE, 0); /* jmp *0(,%eax,4) */
	X32("\xff\xa3\x10\x00\x00\x00", 6, FLOW_POINTER, 0);   /* jmp *16(%ebx) */
	X32("\x67\x8b\x07", 0, FLOW_NEXT, 0);		       /* mov (%bx),%eax */
	struct instruction i;
	CHECK(arch_i386.decode(CODE("\x01\xd8"), &i) && i.is_sum); /* add %ebx,%eax */
	CHECK(arch_i386.decode(CODE("\x8b\x05\x01\x02\x03\x04"), &i) && !i.displacement_at);
}

TEST(places_of_probes_in_32_bit_code)
{
	const struct arch *a = &arch_i386;
	CHECK_INT(a->entry_site(CODE("\xf3\x0f\x1e\xfb\x55\x89")), 4);
	CHECK_INT(a->entry_site(CODE("\xf3\x0f\x1e\xfb\x41\x57")), 0); /* inc %ecx */
	CHECK_INT(a->entry_site(CODE("\xf3\x0f\x1e\xfa\x55\x89")), 0);
	CHECK(a->can_probe(CODE("\x41")) && a->can_probe(CODE("\x06")) &&
	      a->can_probe(CODE("\x60")));
	CHECK(!a->can_probe(CODE("\xcd\x80")) && !a->can_probe(CODE("\xf0\x0f\xb1\x0a")));
	CHECK(a->is_emulated(CODE("\x55")) && !a->is_emulated(CODE("\x41\x55")));
	CHECK(a->returns_its_place(CODE("\x8b\x1c\x24\xc3")));
	CHECK(!a->returns_its_place(CODE("\x8b\x5c\x24\x04")) && !arch_x86_64.returns_its_place);
	CHECK(arch_ends_call(a, CODE("\xff\x93\x10\x00\x00\x00")));
	CHECK(a->is_signal_return(CODE("\xb8\xad\x00\x00\x00\xcd\x80")));
}

TEST(programs_of_a_machine)
{
	CHECK(arch_of_program(&arch_x86_64, 8, 62) == &arch_x86_64);
	CHECK(arch_of_program(&arch_x86_64, 4, 3) == &arch_i386);
	CHECK(!arch_of_program(&arch_x86_64, 4, 62)); /* x32 */
	CHECK(!arch_of_program(&arch_aarch64, 4, 40));
	CHECK(arch_of_program(&arch_aarch64, 8, 183) == &arch_aarch64);
}

/* What an instruction adds, and the register that it loads an address into, as numbers of words. */
static void check_parts(const struct arch *a, struct bytes code, int to, int from, int address)
{
	struct instruction i;
	CHECK(a->decode(&code, &i));
	CHECK_INT(i.is_sum ? i.summands[0] : -1, to);
	CHECK_INT(i.is_sum ? i.summands[1] : -1, from);
	CHECK_INT(i.address_register == JUMP_NO_REGISTER ? -1 : i.address_register, address);
}

TEST(parts_of_jumps_by_tables)
{
	check_parts(&arch_x86_64, *CODE("\x48\x01\xd0"), 10, 12, -1);	/* add %rdx,%rax */
	check_parts(&arch_x86_64, *CODE("\x48\x03\xc2"), 10, 12, -1);	/* the same */
	check_parts(&arch_x86_64, *CODE("\x4d\x01\xc8"), 9, 8, -1);	/* add %r9,%r8 */
	check_parts(&arch_x86_64, *CODE("\x48\x03\x02"), 255, 255, -1); /* add (%rdx),%rax */
	check_parts(&arch_x86_64, *CODE("\x01\xd0"), -1, -1, -1);	/* add %edx,%eax */
	check_parts(&arch_x86_64, *CODE("\x48\x8d\x0d\x55\x08\x00\x00"), -1, -1,
		    11); /* lea (%rip) */
	check_parts(&arch_x86_64, *CODE("\x4c\x8d\x3d\x55\x08\x00\x00"), -1, -1, 0); /* to r15 */
	check_parts(&arch_x86_64, *CODE("\x48\x8d\x4a\x08"), -1, -1, -1); /* lea 8(%rdx),%rcx */
	check_parts(&arch_i386, *CODE("\x01\xd8"), 10, 5, -1);		  /* add %ebx,%eax */
	/* add x1, x2, w1, sxth #2; lsl #2; lsl #3; no shift */
	check_parts(&arch_aarch64, *CODE("\x41\xa8\x21\x8b"), 255, 255, -1);
	check_parts(&arch_aarch64, *CODE("\x41\x08\x01\x8b"), 255, 255, -1);
	check_parts(&arch_aarch64, *CODE("\x41\x0c\x01\x8b"), -1, -1, -1);
	check_parts(&arch_aarch64, *CODE("\x41\x00\x01\x8b"), -1, -1, -1);
}

TEST(instructions_aarch64)
{
	ARM("\xc0\x03\x5f\xd6", FLOW_RETURN, 0);
	ARM("\xff\x0b\x5f\xd6", FLOW_RETURN, 0); /* retaa */
	ARM("\x02\x00\x00\x14", FLOW_JUMP, 8);
	ARM("\xff\xff\xff\x17", FLOW_JUMP, -4);
	ARM("\x40\x00\x00\x54", FLOW_BRANCH, 8);  /* b.eq */
	ARM("\xe0\xff\xff\xb4", FLOW_BRANCH, -4); /* cbz x0 */
	ARM("\x40\x00\x18\x37", FLOW_BRANCH, 8);  /* tbnz w0, #3 */
	ARM("\x00\x02\x1f\xd6", FLOW_POINTER, 0); /* br x16 */
	ARM("\x20\x00\x1f\xd6", FLOW_TABLE, 0);	  /* br x1 */
	ARM("\x04\x00\x00\x94", FLOW_CALL, 16);	  /* bl */
	ARM("\x1f\x0a\x1f\xd6", FLOW_POINTER, 0); /* braaz x16 */
	ARM("\x31\x0a\x1f\xd7", FLOW_POINTER, 0); /* braa x17, x17 */
	ARM("\x22\x0c\x1f\xd7", FLOW_POINTER, 0); /* brab x1, x2 */
	ARM("\x22\x08\x3f\xd7", FLOW_NEXT, 0);	  /* blraa x1, x2 */
	check_decode(&arch_aarch64, CODE("\x04\x00\x00"), 0, FLOW_NEXT, 0);
}

/* The pointer of a stub; 0: it is none. */
static uint64_t stub_pointer(struct bytes code, uint64_t address)
{
	uint64_t pointer = 0;
	return arch_aarch64.stub_pointer(&code, address, &pointer) ? pointer : 0;
}

TEST(stubs_of_library_functions_aarch64)
{
	/* adrp x16, 20000; ldr x17, [x16] */
	CHECK_INT(stub_pointer(*CODE("\x10\x01\x00\x90\x11\x02\x40\xf9"), 0x340), 0x20000);
	/* adrp x16, 1f000; ldr x17, [x16, #4088]; the same after bti c */
	CHECK_INT(stub_pointer(*CODE("\xf0\x00\x00\xf0\x11\xfe\x47\xf9"), 0x328), 0x1fff8);
	CHECK_INT(stub_pointer(*CODE("\x5f\x24\x03\xd5\xf0\x00\x00\xf0\x11\xfe\x47\xf9"), 0xffc),
		  0x20ff8);
	/* a page before */
	CHECK_INT(stub_pointer(*CODE("\xf0\xff\xff\xf0\x11\x02\x40\xf9"), 0x5123), 0x4000);
	/* ldr x17, [x15]; of 4 bytes; no adrp; too short */
	CHECK_INT(stub_pointer(*CODE("\x10\x01\x00\x90\xf1\x01\x40\xf9"), 0x340), 0);
	CHECK_INT(stub_pointer(*CODE("\x10\x01\x00\x90\x11\x02\x40\xb9"), 0x340), 0);
	CHECK_INT(stub_pointer(*CODE("\x10\x01\x00\x10\x11\x02\x40\xf9"), 0x340), 0);
	CHECK_INT(stub_pointer(*CODE("\x10\x01\x00\x90"), 0x340), 0);
}

/* The instructions of the COUNT of CODE that are between an exclusive load and its store: bits. */
static unsigned exclusive_bits(const char *code, unsigned count)
{
	unsigned left = 0, bits = 0;
	for (unsigned n = 0; n < count; n++) {
		struct instruction i = { 0 };
		const struct bytes at = { .data = (const void *)(code + 4 * n), .size = 4 };
		CHECK(arch_aarch64.decode(&at, &i));
		bits |= (unsigned)instruction_is_exclusive(&i, &left) << n;
	}
	return bits;
}

#define NOP "\x1f\x20\x03\xd5"
#define LDXR "\x01\x7c\x5f\x88"
#define STXR "\x01\x7c\x02\x88"

TEST(probes_that_would_break_exclusive_stores_aarch64)
{
	CHECK_INT(exclusive_bits(NOP LDXR NOP NOP STXR NOP, 6), 0x0c);
	/* ldaxrb, cmp, stlxrb */
	CHECK_INT(exclusive_bits("\x01\xfc\x5f\x08" NOP "\x01\xfc\x02\x08" NOP, 4), 2);
	/* ldaxp x2, x3, [x0]; stlxp w4, x2, x3, [x0] */
	CHECK_INT(exclusive_bits("\x02\x8c\x7f\xc8" NOP "\x02\x8c\x24\xc8" NOP, 4), 2);
	CHECK_INT(exclusive_bits(LDXR NOP "\x5f\x3f\x03\xd5" NOP, 4), 2); /* clrex */
	/* ldar, stlr, cas and casp need no store */
	CHECK_INT(exclusive_bits("\x01\xfc\xdf\x88" NOP, 2), 0);
	CHECK_INT(exclusive_bits("\x01\xfc\x9f\x88" NOP, 2), 0);
	CHECK_INT(exclusive_bits("\x01\x7c\xa2\x88" NOP, 2), 0);
	CHECK_INT(exclusive_bits("\x02\x7c\x60\x48" NOP, 2), 0);
}

TEST(an_exclusive_load_without_a_store_is_forgotten_aarch64)
{
	char code[40 * 4];
	for (int i = 0; i < 40; i++)
		memcpy(code + 4 * i, i ? NOP : LDXR, 4);
	CHECK_INT(exclusive_bits(code, 32), 0xfffffffe);
	unsigned left = 0, between = 0;
	for (int n = 0; n < 40; n++) {
		struct instruction i = { 0 };
		const struct bytes at = { .data = (const void *)(code + 4 * n), .size = 4 };
		arch_aarch64.decode(&at, &i);
		between += instruction_is_exclusive(&i, &left);
	}
	CHECK_INT(between, 32);
}

TEST(literals_aarch64)
{
	static const struct {
		const char *code;
		long long literal;
		unsigned size;
	} rows[] = {
		{ "\x40\x00\x00\x58", 8, 8 },  /* ldr x0 */
		{ "\xe0\xff\xff\x18", -4, 4 }, /* ldr w0 */
		{ "\x40\x00\x00\x98", 8, 4 },  /* ldrsw x0 */
		{ "\x40\x00\x00\x1c", 8, 4 },  /* ldr s0 */
		{ "\x40\x00\x00\x5c", 8, 8 },  /* ldr d0 */
		{ "\x40\x00\x00\x9c", 8, 16 }, /* ldr q0 */
		{ "\x40\x00\x00\xd8", 0, 0 },  /* prfm */
		{ "\x40\x00\x40\xf9", 0, 0 },  /* ldr x0, [x2] */
	};
	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		struct instruction i = { 0 };
		const struct bytes code = { .data = (const void *)rows[n].code, .size = 4 };
		CHECK(arch_aarch64.decode(&code, &i));
		CHECK_INT(i.literal, rows[n].literal);
		CHECK_INT(i.literal_size, rows[n].size);
	}
}

TEST(is_emulated)
{
	CHECK(arch_x86_64.is_emulated(CODE("\x55\x48")));
	CHECK(arch_x86_64.is_emulated(CODE("\x41\x57")));
	CHECK(!arch_x86_64.is_emulated(CODE("\x41\x89")));
	CHECK(arch_x86_64.is_emulated(CODE("\x90")));
	CHECK(arch_x86_64.is_emulated(CODE("\x66\x90")));
	CHECK(arch_x86_64.is_emulated(CODE("\x0f\x1f\x44\x00\x00")));
	CHECK(arch_x86_64.is_emulated(CODE("\xe9\0\0\0\0")));
	CHECK(arch_x86_64.is_emulated(CODE("\xe8\0\0\0\0")));
	CHECK(arch_x86_64.is_emulated(CODE("\x74\x02")));
	CHECK(arch_x86_64.is_emulated(CODE("\x0f\x84\0\0\0\0")));
	CHECK(!arch_x86_64.is_emulated(CODE("\x66\xe9\0\0")));
	CHECK(!arch_x86_64.is_emulated(CODE("\xf3\x0f\x1e\xfa\x55"))); /* endbr64 */
	CHECK(!arch_x86_64.is_emulated(CODE("\x48\x83\xec\x08")));     /* sub $8, %rsp */
	CHECK(!arch_x86_64.is_emulated(CODE("\x31\xc0")));
	CHECK(!arch_x86_64.is_emulated(CODE("\xc3")));
	CHECK(!arch_x86_64.is_emulated(CODE("\x0f\x05")));
	CHECK(!arch_x86_64.is_emulated(CODE("\x66")));

	CHECK(arch_aarch64.is_emulated(CODE("\x01\0\0\x14")));	    /* b */
	CHECK(arch_aarch64.is_emulated(CODE("\xc0\x03\x5f\xd6")));  /* ret */
	CHECK(arch_aarch64.is_emulated(CODE("\0\0\0\xb0")));	    /* adrp */
	CHECK(!arch_aarch64.is_emulated(CODE("\xfd\x7b\xbf\xa9"))); /* stp x29, x30 */
	CHECK(!arch_aarch64.is_emulated(CODE("\x5f\x24\x03\xd5"))); /* bti c */
	CHECK(!arch_aarch64.is_emulated(CODE("\xc0")));
}

TEST(can_probe_aarch64)
{
	static const struct {
		const char *code;
		bool yes;
	} rows[] = {
		{ "\x40\xd0\x3b\xd5", true },  /* mrs x0, tpidr_el0 */
		{ "\x20\x42\x3b\xd5", false }, /* mrs x0, daif */
		{ "\x40\xd0\x1b\xd5", false }, /* msr tpidr_el0, x0 */
		{ "\xdf\x42\x03\xd5", false }, /* msr daifset, #2 */
		{ "\xbf\x3b\x03\xd5", true },  /* dmb ish */
		{ "\xdf\x3f\x03\xd5", true },  /* isb */
		{ "\x20\x74\x0b\xd5", true },  /* dc zva, x0 */
		{ "\x3f\x20\x03\xd5", false }, /* yield */
		{ "\x9f\x22\x03\xd5", false }, /* csdb */
		{ "\x5f\x24\x03\xd5", true },  /* bti c */
		{ "\x3f\x23\x03\xd5", true },  /* paciasp */
		{ "\xbf\x23\x03\xd5", false }, /* autiasp */
		{ "\x40\x00\x00\x58", false }, /* ldr x0, literal */
		{ "\x40\x00\x00\x5c", false }, /* ldr d0, literal */
		{ "\x40\x00\x00\x9c", false }, /* ldr q0, literal */
		{ "\x40\x00\x00\xd8", false }, /* prfm literal */
		{ "\x40\x00\x40\xf9", true },  /* ldr x0, [x2] */
		{ "\x40\x00\x40\xfd", true },  /* ldr d0, [x2] */
		{ "\x22\x08\x1f\xd7", false }, /* braa */
		{ "\x22\x08\x3f\xd7", false }, /* blraa */
		{ "\xff\x0b\x5f\xd6", false }, /* retaa */
		{ "\xc0\x03\x5f\xd6", true },  /* ret */
		{ "\x01\x7c\x5f\x88", false }, /* ldxr */
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct bytes code = { .data = (const void *)rows[i].code, .size = 4 };
		if (arch_aarch64.can_probe(&code) != rows[i].yes)
			printf("row %zu\n", i);
		CHECK(arch_aarch64.can_probe(&code) == rows[i].yes);
	}
}

TEST(can_probe)
{
	CHECK(arch_x86_64.can_probe(CODE("\x55")));
	CHECK(arch_x86_64.can_probe(CODE("\xf3\x0f\x1e\xfa")));
	CHECK(arch_x86_64.can_probe(CODE("\x64\x48\x8b\x04\x25")));	     /* mov %fs:... */
	CHECK(!arch_x86_64.can_probe(CODE("\x66\x2e\x0f\x1f\x84\x00\x00"))); /* nop10 */
	CHECK(!arch_x86_64.can_probe(CODE("\xf0\x48\x0f\xb1\x0f")));	     /* lock */
	/* The kernel looks for the opcodes of AVX in the table of the plain ones. */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf9\x6e\xc6")));	 /* vmovd: outs */
	CHECK(!arch_x86_64.can_probe(CODE("\xc4\xe1\xf9\x6e\xc6")));	 /* vmovq */
	CHECK(!arch_x86_64.can_probe(CODE("\x62\xf1\x7d\x48\xef\xc0"))); /* vpxord: out */
	CHECK(!arch_x86_64.can_probe(CODE("\xc4\xe3\xf9\x69\xc2\x10"))); /* vfmaddpd of FMA4 */

	/* The kernel emulates these as jnp, jp, jz, nop, call, jmp and jmp. */
	CHECK(!arch_x86_64.can_probe(CODE("\x62\xf2\x7d\x28\x7b\xc6"))); /* vpbroadcastw */
	CHECK(!arch_x86_64.can_probe(CODE("\x62\xe2\x7d\x28\x7a\xc6"))); /* vpbroadcastb */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf9\x74\xc0")));	 /* vpcmpeqb */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf8\x90\xc1")));	 /* kmovw */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf1\xe8\xc1")));	 /* vpsubsb */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf1\xe9\xc1")));	 /* vpsubsw */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf1\xeb\xc1")));	 /* vpor */
	CHECK(arch_x86_64.can_probe(CODE("\x74\x10")));			 /* jz itself */
	CHECK(arch_x86_64.can_probe(CODE("\xc5\xf8\x57\xc0")));	    /* vxorps: no push is as long */
	CHECK(arch_x86_64.can_probe(CODE("\xc4\xe2\xf1\x98\xc2"))); /* that of FMA3 */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf8\x77")));	    /* vzeroupper: ja */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf8\xc2\xc0\x00"))); /* vcmpps: ret */
	CHECK(!arch_x86_64.can_probe(CODE("\xc5\xf8")));	     /* truncated */
	CHECK(!arch_x86_64.can_probe(CODE("\xf4")));		     /* hlt */
	CHECK(!arch_x86_64.can_probe(CODE("")));
	CHECK(arch_aarch64.can_probe(CODE("\xfd\x7b\xbf\xa9")));  /* stp x29, x30, [sp, -16]! */
	CHECK(arch_aarch64.can_probe(CODE("\x1f\x20\x03\xd5")));  /* nop */
	CHECK(!arch_aarch64.can_probe(CODE("\x01\x00\x00\xd4"))); /* svc */
	CHECK(!arch_aarch64.can_probe(CODE("\x1f\x20\x03")));
}

/* call near, through registers and memory; what only looks so does not end there. */
TEST(bytes_before_a_return_address)
{
	CHECK(ENDS_CALL(arch_x86_64, "\x90\xe8\x01\x02\x03\x04"));
	CHECK(ENDS_CALL(arch_x86_64, "\xff\xd0"));
	CHECK(ENDS_CALL(arch_x86_64, "\x41\xff\xd4"));
	CHECK(ENDS_CALL(arch_x86_64, "\xff\x15\x01\x02\x03\x04"));
	CHECK(ENDS_CALL(arch_x86_64, "\x3e\x42\xff\x94\xd8\x10\x20\x30\x40"));
	CHECK(ENDS_CALL(arch_x86_64, "\x67\xe8\x01\x02\x03\x04"));
	CHECK(!ENDS_CALL(arch_x86_64, "\xe8\x01\x02\x03\x04\x90"));
	CHECK(!ENDS_CALL(arch_x86_64, "\xff\xe0"));
	CHECK(!ENDS_CALL(arch_x86_64, "\x90\x90\x55\x48\x89\xe5"));
	CHECK(!ENDS_CALL(arch_x86_64, "\xe8"));
	CHECK(ENDS_CALL(arch_aarch64, "\x01\x00\x00\x94"));
	CHECK(ENDS_CALL(arch_aarch64, "\x1f\x20\x03\xd5\x00\x00\x3f\xd6"));
	CHECK(ENDS_CALL(arch_aarch64, "\x1f\x08\x3f\xd6")); /* blraaz x0 */
	CHECK(!ENDS_CALL(arch_aarch64, "\x01\x00\x00\x94\x1f\x20\x03\xd5"));
	CHECK(!ENDS_CALL(arch_aarch64, "\x00\x00\x1f\xd6")); /* br x0 */
	CHECK(arch_x86_64.is_signal_return(CODE("\x48\xc7\xc0\x0f\0\0\0\x0f\x05\x90")));
	CHECK(!arch_x86_64.is_signal_return(CODE("\x48\xc7\xc0\x0e\0\0\0\x0f\x05\x90")));
	CHECK(arch_aarch64.is_signal_return(CODE("\x68\x11\x80\xd2\x01\0\0\xd4")));
}

TEST(init_and_fini_begin_and_end_in_known_ways)
{
	static const char both[] =
		"\xf3\x0f\x1e\xfa\x48\x83\xec\x08\xe8\x01\x02\x03\x04\x48\x83\xc4\x08\xc3";
	struct bytes whole = bytes_of(both, sizeof(both) - 1),
		     plain = bytes_of(both + 4, whole.size - 4);
	struct bytes endless = bytes_of(both, whole.size - 1), push = bytes_of(both, 8),
		     none = bytes_of(both, 0);
	CHECK_INT(arch_x86_64.start_push(&whole), 8);
	CHECK_INT(arch_x86_64.start_push(&plain), 4);
	CHECK_INT(arch_x86_64.start_push(&endless), 0);
	CHECK_INT(arch_x86_64.start_push(&push), 0);
	CHECK_INT(arch_x86_64.start_push(&none), 0);
}

TEST(functions_of_the_start_files_are_known_by_the_third)
{
	/* as in libraries, and as in programs that are not position independent */
	static const char library[] =
		"\xc3\x0f\x1f\x00\xf3\x0f\x1e\xfa\x80\x3d\x01\x02\x03\x04\x00\x75\x0b\x55"
		"\x48\x89\xe5\xe8\x01\x02\x03\x04\x5d\xc3\xc3\x0f\x1f\x00\xf3\x0f\x1e\xfa\xe9\x01"
		"\x02\x03\x04\x53";
	char program[sizeof(library)];
	memcpy(program, library, sizeof(library));
	program[36] = (char)0xeb;
	struct start_functions f = { 0 };
	struct bytes code = bytes_of(library, sizeof(library) - 1);
	CHECK(arch_x86_64.start_functions(&code, &f));
	CHECK_INT(f.push, 18);
	CHECK_INT(f.pop, 27);
	CHECK_INT(f.end, 41);
	struct bytes short_jump = bytes_of(program, sizeof(program) - 1);
	CHECK(arch_x86_64.start_functions(&short_jump, &f) && f.end == 38);
	for (size_t size = 0; size < 29; size++) {
		struct bytes part = bytes_of(library, size);
		CHECK(!arch_x86_64.start_functions(&part, &f));
	}
	program[28] = 0; /* no return there */
	CHECK(!arch_x86_64.start_functions(&short_jump, &f));
}

TEST(memory_below_the_stack_pointer_x86_64)
{
	static const struct {
		const char *code;
		size_t size;
		bool below;
	} rows[] = {
		{ "\x48\x89\x7c\x24\xf8", 5, true },		 /* mov %rdi, -8(%rsp) */
		{ "\x48\x89\x7c\x24\x08", 5, false },		 /* mov %rdi, 8(%rsp) */
		{ "\x48\x8d\xa4\x24\x80\xff\xff\xff", 8, true }, /* lea -128(%rsp), %rsp */
		{ "\x48\x89\x3c\x24", 4, false },		 /* mov %rdi, (%rsp) */
		{ "\x48\x89\x7d\xf8", 4, false },		 /* mov %rdi, -8(%rbp) */
		{ "\xc5\xfa\x7f\x44\x24\xf0", 6, true },	 /* vmovdqu %xmm0, -16(%rsp) */
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bytes code = bytes_of(rows[i].code, rows[i].size);
		struct instruction found;
		CHECK(arch_x86_64.decode(&code, &found));
		CHECK_INT(found.length, rows[i].size);
		CHECK_INT(found.is_below_stack, rows[i].below);
	}
}

/* The psABIs of both; the kernel's Documentation/arch/arm64/memory.rst, arch/x86/x86_64/mm.rst. */
TEST(thread_blocks_and_addresses)
{
	CHECK_INT(arch_x86_64.thread_block.control_size, 0);
	CHECK_INT(arch_x86_64.thread_block.distance_relocation, 18);
	CHECK_INT(arch_aarch64.thread_block.control_size, 16);
	CHECK_INT(arch_aarch64.thread_block.distance_relocation, 1030);
	CHECK_INT(arch_x86_64.user_bits, 47);
	CHECK_INT(arch_aarch64.user_bits, 48);
	CHECK_INT((uintptr_t)&arch_all >> arch_host()->user_bits, 0);
	for (const struct arch *const *a = arch_all; *a; a++)
		CHECK((*a)->tracer_call_end >= 9);
}

TEST_MAIN
