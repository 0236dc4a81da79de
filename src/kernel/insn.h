/* SPDX-License-Identifier: BSD-2-Clause */
/* insn - instructions of the few programs that are written by hand */
#ifndef KERNEL_INSN_H
#define KERNEL_INSN_H

#include <linux/bpf.h>

#define INSN(op, dst, src, offset, number)                                                         \
	((struct bpf_insn) { .code = (op),                                                         \
			     .dst_reg = (dst),                                                     \
			     .src_reg = (src),                                                     \
			     .off = (offset),                                                      \
			     .imm = (number) })
#define INSN_COPY(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define INSN_SET(dst, number) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, number)
#define INSN_CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define INSN_EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* Two: the MAP itself (BPF_PSEUDO_MAP_FD), or the byte AT of its value (BPF_PSEUDO_MAP_VALUE). */
#define INSN_MAP(dst, kind, map, at)                                                               \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, map), INSN(0, 0, 0, 0, at)

#endif
