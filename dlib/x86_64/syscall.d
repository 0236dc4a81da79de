/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall - by which table the current system call is numbered: "64", "32" (of 32-bit code, or
 * int 0x80) or "x32"
 *
 * TS_COMPAT in the thread's status; bit 30 in the number as the kernel keeps it (orig_ax).
 */
inline string syscallabi =
    curthread->thread_info.status & 2 ? "32" : uregs[R_ERR] & 0x40000000 ? "x32" : "64";
