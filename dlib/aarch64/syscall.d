/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall - by which table the current system call is numbered: "64" or "32" (TIF_32BIT) */
inline string syscallabi = curthread->thread_info.flags & (1 << 22) ? "32" : "64";
