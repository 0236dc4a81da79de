/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/arch.h"

#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
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
	CHECK(arch_by_name("aarch64") == &arch_aarch64);
	CHECK(arch_by_name("vax") == NULL);
}

TEST(calls_agree_with_libc)
{
	const struct arch_calls *calls = &arch_host()->calls;
	CHECK_INT(arch_call_number(calls, "read"), SYS_read);
	CHECK_INT(arch_call_number(calls, "openat"), SYS_openat);
	CHECK_INT(arch_call_number(calls, "exit_group"), SYS_exit_group);
	CHECK_INT(arch_call_number(calls, "futex_waitv"), SYS_futex_waitv);
	CHECK_STR(arch_call_name(calls, SYS_getpid), "getpid");
	CHECK_INT(arch_call_number(calls, "no_such_call"), -1);
	CHECK(arch_call_name(calls, 511) == NULL);
	CHECK(arch_call_name(calls, 1u << 31) == NULL);
}

TEST(calls_of_each_architecture)
{
	/* ABI names, not those of the kernel's events (spec/providers.md 5). */
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

#ifdef __x86_64__
TEST(registers_agree_with_the_header)
{
	const struct arch *a = &arch_x86_64;
	CHECK_INT(a->register_count * 8, sizeof(struct pt_regs));
	CHECK_INT(arch_register_offset(a, "rip"), offsetof(struct pt_regs, rip));
	CHECK_INT(arch_register_offset(a, "orig_rax"), offsetof(struct pt_regs, orig_rax));
	CHECK_INT(a->argument[0], offsetof(struct pt_regs, rdi));
	CHECK_INT(a->argument[3], offsetof(struct pt_regs, rcx));
	CHECK_INT(a->syscall_argument[3], offsetof(struct pt_regs, r10));
	CHECK_INT(a->compat_argument[0], offsetof(struct pt_regs, rbx));
	CHECK_INT(a->result, offsetof(struct pt_regs, rax));
	CHECK_INT(a->stack_pointer, offsetof(struct pt_regs, rsp));
	CHECK_INT(a->mode, offsetof(struct pt_regs, cs));
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
	CHECK_INT(arch_register_offset(&arch_aarch64, "sp"), 31 * 8);
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
}

TEST(can_probe)
{
	CHECK(arch_x86_64.can_probe(CODE("\x55")));
	CHECK(arch_x86_64.can_probe(CODE("\xf3\x0f\x1e\xfa")));
	CHECK(arch_x86_64.can_probe(CODE("\x64\x48\x8b\x04\x25")));	     /* mov %fs:... */
	CHECK(!arch_x86_64.can_probe(CODE("\x66\x2e\x0f\x1f\x84\x00\x00"))); /* nop10 */
	CHECK(!arch_x86_64.can_probe(CODE("\xf0\x48\x0f\xb1\x0f")));	     /* lock */
	CHECK(!arch_x86_64.can_probe(CODE("\xf4")));			     /* hlt */
	CHECK(!arch_x86_64.can_probe(CODE("")));
	CHECK(arch_aarch64.can_probe(CODE("\xfd\x7b\xbf\xa9")));  /* stp x29, x30, [sp, -16]! */
	CHECK(arch_aarch64.can_probe(CODE("\x1f\x20\x03\xd5")));  /* nop */
	CHECK(!arch_aarch64.can_probe(CODE("\x01\x00\x00\xd4"))); /* svc */
	CHECK(!arch_aarch64.can_probe(CODE("\x1f\x20\x03")));
}

TEST_MAIN
