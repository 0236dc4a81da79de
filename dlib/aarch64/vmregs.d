/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmregs - virtual CPUs of aarch64: which one the thread runs, its registers, names of its exits
 *
 * A thread runs a virtual CPU by ioctl(2), call 29, with KVM_RUN (0xae80) on its descriptor; the
 * registers with which it made the call say so at any time until it returns.
 */
inline struct kvm_vcpu *curvcpu =
	uregs[R_X8] == 29 && (unsigned int)uregs[R_X1] == 0xae80 &&
	file_of_descriptor[(int)uregs[R_X0]] != NULL ?
	(struct kvm_vcpu *)file_of_descriptor[(int)uregs[R_X0]]->private_data :
	(struct kvm_vcpu *)NULL;
inline uint64_t kvm_known_pc[struct kvm_vcpu *V] = V->arch.ctxt.regs.pc;

/* A register of the virtual CPU that the thread runs, by uregs[]'s names. */
inline uint64_t vmregs[int r] =
	r >= R_X0 && r <= R_X30 ? curvcpu->arch.ctxt.regs.regs[r] :
	r == R_SP ? curvcpu->arch.ctxt.regs.sp : r == R_PC ? curvcpu->arch.ctxt.regs.pc :
	r == R_PSTATE ? curvcpu->arch.ctxt.regs.pstate : kvm_no_register;

/* Names of exits: of a trap (2) its class, as the kernel names ESR_ELx_EC_...; else what the kernel
 * prints. */
inline string kvm_trap_name[unsigned int class] =
	class == 0x00 ? "UNKNOWN" : class == 0x01 ? "WFx" : class == 0x03 ? "CP15_32" :
	class == 0x04 ? "CP15_64" : class == 0x05 ? "CP14_MR" : class == 0x06 ? "CP14_LS" :
	class == 0x07 ? "FP_ASIMD" : class == 0x08 ? "CP10_ID" : class == 0x09 ? "PAC" :
	class == 0x0c ? "CP14_64" : class == 0x0d ? "BTI" : class == 0x0e ? "ILL" :
	class == 0x11 ? "SVC32" : class == 0x12 ? "HVC32" : class == 0x13 ? "SMC32" :
	class == 0x15 ? "SVC64" : class == 0x16 ? "HVC64" : class == 0x17 ? "SMC64" :
	class == 0x18 ? "SYS64" : class == 0x19 ? "SVE" : class == 0x1a ? "ERET" :
	class == 0x1c ? "FPAC" : class == 0x1d ? "SME" : class == 0x1f ? "IMP_DEF" :
	class == 0x20 ? "IABT_LOW" : class == 0x21 ? "IABT_CUR" : class == 0x22 ? "PC_ALIGN" :
	class == 0x24 ? "DABT_LOW" : class == 0x25 ? "DABT_CUR" : class == 0x26 ? "SP_ALIGN" :
	class == 0x27 ? "MOPS" : class == 0x28 ? "FP_EXC32" : class == 0x2c ? "FP_EXC64" :
	class == 0x2f ? "SERROR" : class == 0x30 ? "BREAKPT_LOW" : class == 0x31 ? "BREAKPT_CUR" :
	class == 0x32 ? "SOFTSTP_LOW" : class == 0x33 ? "SOFTSTP_CUR" :
	class == 0x34 ? "WATCHPT_LOW" : class == 0x35 ? "WATCHPT_CUR" : class == 0x38 ? "BKPT32" :
	class == 0x3a ? "VECTOR32" : class == 0x3c ? "BRK64" : strjoin("class ", lltostr(class));
inline string kvm_exit_name[int how, unsigned int class] =
	how == 2 ? kvm_trap_name[class] : how == 0 ? "IRQ" : how == 1 ? "SERROR" :
	how == 3 ? "ILLEGAL" : strjoin("reason ", lltostr(how));
