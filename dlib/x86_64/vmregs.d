/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmregs - virtual CPUs of x86_64: which one the thread runs, its registers, names of its exits
 *
 * A thread runs a virtual CPU by ioctl(2) with KVM_RUN (0xae80) on its descriptor; the registers
 * with which it made the call say so at any time until it returns.
 *
 * General registers are in vcpu->arch.regs since the last exit.  On Intel's CPUs KVM reads some of
 * the others only on demand: regs_avail has a bit for each one that was read.  Elsewhere all are
 * there.  Segments and others are read where only one vendor's type is known.
 */
inline struct kvm_vcpu *curvcpu =
	uregs[R_ERR] == 16 && (unsigned int)uregs[R_RSI] == 0xae80 &&
	file_of_descriptor[(int)uregs[R_RDI]] != NULL ?
	(struct kvm_vcpu *)file_of_descriptor[(int)uregs[R_RDI]]->private_data :
	(struct kvm_vcpu *)NULL;

/* The number of a register, as uregs[] has it, in vcpu->arch.regs; -1: it is not there. */
inline int kvm_register_index[int r] =
	r == R_RAX ? 0 : r == R_RCX ? 1 : r == R_RDX ? 2 : r == R_RBX ? 3 : r == R_RSP ? 4 :
	r == R_RBP ? 5 : r == R_RSI ? 6 : r == R_RDI ? 7 : r == R_R8 ? 8 : r == R_R9 ? 9 :
	r == R_R10 ? 10 : r == R_R11 ? 11 : r == R_R12 ? 12 : r == R_R13 ? 13 : r == R_R14 ? 14 :
	r == R_R15 ? 15 : r == R_RIP ? 16 : -1;

/* Fields of Intel's VMCS that are registers of the guest. */
inline int VMX_GUEST_ES_SELECTOR = 0x800;
inline int VMX_GUEST_CS_SELECTOR = 0x802;
inline int VMX_GUEST_SS_SELECTOR = 0x804;
inline int VMX_GUEST_DS_SELECTOR = 0x806;
inline int VMX_GUEST_FS_SELECTOR = 0x808;
inline int VMX_GUEST_GS_SELECTOR = 0x80a;
inline int VMX_GUEST_LDTR_SELECTOR = 0x80c;
inline int VMX_GUEST_TR_SELECTOR = 0x80e;
inline int VMX_GUEST_IA32_EFER = 0x2806;
inline int VMX_GUEST_CR0 = 0x6800;
inline int VMX_GUEST_CR3 = 0x6802;
inline int VMX_GUEST_CR4 = 0x6804;
inline int VMX_GUEST_ES_BASE = 0x6806;
inline int VMX_GUEST_CS_BASE = 0x6808;
inline int VMX_GUEST_SS_BASE = 0x680a;
inline int VMX_GUEST_DS_BASE = 0x680c;
inline int VMX_GUEST_FS_BASE = 0x680e;
inline int VMX_GUEST_GS_BASE = 0x6810;
inline int VMX_GUEST_LDTR_BASE = 0x6812;
inline int VMX_GUEST_TR_BASE = 0x6814;
inline int VMX_GUEST_GDTR_BASE = 0x6816;
inline int VMX_GUEST_IDTR_BASE = 0x6818;
inline int VMX_GUEST_RSP = 0x681c;
inline int VMX_GUEST_RIP = 0x681e;
inline int VMX_GUEST_RFLAGS = 0x6820;

inline int kvm_was_read[int i] = (curvcpu->arch.regs_avail & (1 << i)) != 0;
inline uint64_t kvm_known_pc[struct kvm_vcpu *V] =
	V->arch.regs_avail & (1 << 16) ? V->arch.regs[16] : 0;
inline uint64_t kvm_general_register[int i] =
	kvm_was_read[i] ? curvcpu->arch.regs[i] : kvm_no_register;
/*
 * AMD's CPUs keep what KVM reads only on demand in a block of memory.  Segments and flags are there;
 * on Intel's CPUs, flags, if they were read.
 */
inline int kvm_cr3_bit =
	(enum kvm_reg)18 == VCPU_EXREG_CR3 ? 18 : (enum kvm_reg)19 == VCPU_EXREG_CR3 ? 19 : 20;
inline int kvm_rflags_bit =
	(enum kvm_reg)20 == VCPU_EXREG_RFLAGS ? 20 : (enum kvm_reg)21 == VCPU_EXREG_RFLAGS ? 21 : 22;
inline int kvm_is_svm = has(struct vcpu_svm.vmcb) && !has(struct vcpu_vmx);
inline int kvm_is_vmx = has(struct vcpu_vmx.rflags) && !has(struct vcpu_svm);
inline uint64_t kvm_flags =
	kvm_is_svm ? ((struct vcpu_svm *)curvcpu)->vmcb->save.rflags :
	kvm_is_vmx ? (kvm_was_read[kvm_rflags_bit] ? ((struct vcpu_vmx *)curvcpu)->rflags : kvm_no_register) :
	kvm_no_register;
inline uint64_t kvm_selector[int r] = !kvm_is_svm ? kvm_no_register :
	r == VMX_GUEST_ES_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.es.selector :
	r == VMX_GUEST_CS_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.cs.selector :
	r == VMX_GUEST_SS_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ss.selector :
	r == VMX_GUEST_DS_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ds.selector :
	r == VMX_GUEST_FS_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.fs.selector :
	r == VMX_GUEST_GS_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gs.selector :
	r == VMX_GUEST_LDTR_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ldtr.selector :
	r == VMX_GUEST_TR_SELECTOR ? ((struct vcpu_svm *)curvcpu)->vmcb->save.tr.selector :
	kvm_no_register;
inline uint64_t kvm_base[int r] = !kvm_is_svm ? kvm_no_register :
	r == VMX_GUEST_ES_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.es.base :
	r == VMX_GUEST_CS_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.cs.base :
	r == VMX_GUEST_SS_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ss.base :
	r == VMX_GUEST_DS_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ds.base :
	r == VMX_GUEST_FS_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.fs.base :
	r == VMX_GUEST_GS_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gs.base :
	r == VMX_GUEST_LDTR_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ldtr.base :
	r == VMX_GUEST_TR_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.tr.base :
	r == VMX_GUEST_GDTR_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gdtr.base :
	r == VMX_GUEST_IDTR_BASE ? ((struct vcpu_svm *)curvcpu)->vmcb->save.idtr.base :
	kvm_no_register;
inline uint64_t kvm_control_register[int r] =
	r == VMX_GUEST_CR0 ? curvcpu->arch.cr0 :
	r == VMX_GUEST_CR3 ?
	(kvm_is_svm || kvm_was_read[kvm_cr3_bit] ? curvcpu->arch.cr3 : kvm_no_register) :
	r == VMX_GUEST_CR4 ? curvcpu->arch.cr4 :
	r == VMX_GUEST_IA32_EFER ? curvcpu->arch.efer : kvm_no_register;

/* A register of the virtual CPU that the thread runs: of uregs[]'s names, and of the VMCS. */
inline uint64_t vmregs[int r] =
	kvm_register_index[r] >= 0 ? kvm_general_register[kvm_register_index[r]] :
	r == VMX_GUEST_RIP ? kvm_general_register[16] :
	r == VMX_GUEST_RSP ? kvm_general_register[4] :
	r == VMX_GUEST_RFLAGS || r == R_RFL ? kvm_flags :
	r == R_CS ? kvm_selector[VMX_GUEST_CS_SELECTOR] :
	r == R_SS ? kvm_selector[VMX_GUEST_SS_SELECTOR] :
	r == R_DS ? kvm_selector[VMX_GUEST_DS_SELECTOR] :
	r == R_ES ? kvm_selector[VMX_GUEST_ES_SELECTOR] :
	r == R_FS ? kvm_selector[VMX_GUEST_FS_SELECTOR] :
	r == R_GS ? kvm_selector[VMX_GUEST_GS_SELECTOR] :
	r >= VMX_GUEST_ES_SELECTOR && r <= VMX_GUEST_TR_SELECTOR ? kvm_selector[r] :
	r >= VMX_GUEST_ES_BASE && r <= VMX_GUEST_IDTR_BASE ? kvm_base[r] : kvm_control_register[r];

/* Names of exits, as the kernel prints them: on Intel's CPUs, where the upper half has flags, and on
 * AMD's. Of others, and of new ones, the number. */
inline string kvm_number[unsigned int code] = strjoin("reason ", lltostr(code));
inline string kvm_vmx_exit[unsigned int code] =
	code == 0 ? "EXCEPTION_NMI" : code == 1 ? "EXTERNAL_INTERRUPT" :
	code == 2 ? "TRIPLE_FAULT" : code == 3 ? "INIT_SIGNAL" : code == 4 ? "SIPI_SIGNAL" :
	code == 7 ? "INTERRUPT_WINDOW" : code == 8 ? "NMI_WINDOW" : code == 9 ? "TASK_SWITCH" :
	code == 10 ? "CPUID" : code == 12 ? "HLT" : code == 13 ? "INVD" : code == 14 ? "INVLPG" :
	code == 15 ? "RDPMC" : code == 16 ? "RDTSC" : code == 18 ? "VMCALL" :
	code == 19 ? "VMCLEAR" : code == 20 ? "VMLAUNCH" : code == 21 ? "VMPTRLD" :
	code == 22 ? "VMPTRST" : code == 23 ? "VMREAD" : code == 24 ? "VMRESUME" :
	code == 25 ? "VMWRITE" : code == 26 ? "VMOFF" : code == 27 ? "VMON" :
	code == 28 ? "CR_ACCESS" : code == 29 ? "DR_ACCESS" : code == 30 ? "IO_INSTRUCTION" :
	code == 31 ? "MSR_READ" : code == 32 ? "MSR_WRITE" : code == 33 ? "INVALID_STATE" :
	code == 34 ? "MSR_LOAD_FAIL" : code == 36 ? "MWAIT_INSTRUCTION" :
	code == 37 ? "MONITOR_TRAP_FLAG" : code == 39 ? "MONITOR_INSTRUCTION" :
	code == 40 ? "PAUSE_INSTRUCTION" : code == 41 ? "MCE_DURING_VMENTRY" :
	code == 43 ? "TPR_BELOW_THRESHOLD" : code == 44 ? "APIC_ACCESS" :
	code == 45 ? "EOI_INDUCED" : code == 46 ? "GDTR_IDTR" : code == 47 ? "LDTR_TR" :
	code == 48 ? "EPT_VIOLATION" : code == 49 ? "EPT_MISCONFIG" : code == 50 ? "INVEPT" :
	code == 51 ? "RDTSCP" : code == 52 ? "PREEMPTION_TIMER" : code == 53 ? "INVVPID" :
	code == 54 ? "WBINVD" : code == 55 ? "XSETBV" : code == 56 ? "APIC_WRITE" :
	code == 57 ? "RDRAND" : code == 58 ? "INVPCID" : code == 59 ? "VMFUNC" :
	code == 60 ? "ENCLS" : code == 61 ? "RDSEED" : code == 62 ? "PML_FULL" :
	code == 63 ? "XSAVES" : code == 64 ? "XRSTORS" : code == 67 ? "UMWAIT" :
	code == 68 ? "TPAUSE" : code == 74 ? "BUS_LOCK" : code == 75 ? "NOTIFY" :
	code == 77 ? "TDCALL" : code == 84 ? "MSR_READ_IMM" : code == 85 ? "MSR_WRITE_IMM" :
	kvm_number[code];
inline string kvm_svm_register_exit[unsigned int code] =
	code == 0x00 ? "read_cr0" : code == 0x02 ? "read_cr2" : code == 0x03 ? "read_cr3" :
	code == 0x04 ? "read_cr4" : code == 0x08 ? "read_cr8" : code == 0x10 ? "write_cr0" :
	code == 0x12 ? "write_cr2" : code == 0x13 ? "write_cr3" : code == 0x14 ? "write_cr4" :
	code == 0x18 ? "write_cr8" : code == 0x20 ? "read_dr0" : code == 0x21 ? "read_dr1" :
	code == 0x22 ? "read_dr2" : code == 0x23 ? "read_dr3" : code == 0x24 ? "read_dr4" :
	code == 0x25 ? "read_dr5" : code == 0x26 ? "read_dr6" : code == 0x27 ? "read_dr7" :
	code == 0x30 ? "write_dr0" : code == 0x31 ? "write_dr1" : code == 0x32 ? "write_dr2" :
	code == 0x33 ? "write_dr3" : code == 0x34 ? "write_dr4" : code == 0x35 ? "write_dr5" :
	code == 0x36 ? "write_dr6" : code == 0x37 ? "write_dr7" : kvm_number[code];
inline string kvm_svm_exception_exit[unsigned int code] =
	code == 0x40 ? "DE excp" : code == 0x41 ? "DB excp" : code == 0x43 ? "BP excp" :
	code == 0x44 ? "OF excp" : code == 0x45 ? "BR excp" : code == 0x46 ? "UD excp" :
	code == 0x47 ? "NM excp" : code == 0x48 ? "DF excp" : code == 0x4a ? "TS excp" :
	code == 0x4b ? "NP excp" : code == 0x4c ? "SS excp" : code == 0x4d ? "GP excp" :
	code == 0x4e ? "PF excp" : code == 0x50 ? "MF excp" : code == 0x51 ? "AC excp" :
	code == 0x52 ? "MC excp" : code == 0x53 ? "XF excp" : kvm_number[code];
inline string kvm_svm_instruction_exit[unsigned int code] =
	code == 0x60 ? "interrupt" : code == 0x61 ? "nmi" : code == 0x62 ? "smi" :
	code == 0x63 ? "init" : code == 0x64 ? "vintr" : code == 0x65 ? "cr0_sel_write" :
	code == 0x66 ? "read_idtr" : code == 0x67 ? "read_gdtr" : code == 0x68 ? "read_ldtr" :
	code == 0x69 ? "read_rt" : code == 0x6a ? "write_idtr" : code == 0x6b ? "write_gdtr" :
	code == 0x6c ? "write_ldtr" : code == 0x6d ? "write_rt" : code == 0x6e ? "rdtsc" :
	code == 0x6f ? "rdpmc" : code == 0x70 ? "pushf" : code == 0x71 ? "popf" :
	code == 0x72 ? "cpuid" : code == 0x73 ? "rsm" : code == 0x74 ? "iret" :
	code == 0x75 ? "swint" : code == 0x76 ? "invd" : code == 0x77 ? "pause" :
	code == 0x78 ? "hlt" : code == 0x79 ? "invlpg" : code == 0x7a ? "invlpga" :
	code == 0x7b ? "io" : code == 0x7c ? "msr" : code == 0x7d ? "task_switch" :
	code == 0x7e ? "ferr_freeze" : code == 0x7f ? "shutdown" : code == 0x80 ? "vmrun" :
	code == 0x81 ? "hypercall" : code == 0x82 ? "vmload" : code == 0x83 ? "vmsave" :
	code == 0x84 ? "stgi" : code == 0x85 ? "clgi" : code == 0x86 ? "skinit" :
	code == 0x87 ? "rdtscp" : code == 0x88 ? "icebp" : code == 0x89 ? "wbinvd" :
	code == 0x8a ? "monitor" : code == 0x8b ? "mwait" : code == 0x8d ? "xsetbv" :
	code == 0x8f ? "write_efer_trap" : code == 0x90 ? "write_cr0_trap" :
	code == 0x94 ? "write_cr4_trap" : code == 0x98 ? "write_cr8_trap" :
	code == 0xa2 ? "invpcid" : code == 0xa5 ? "buslock" : code == 0xa6 ? "idle-halt" :
	kvm_number[code];
inline string kvm_svm_other_exit[unsigned int code] =
	code == 0x400 ? "npf" : code == 0x401 ? "avic_incomplete_ipi" :
	code == 0x402 ? "avic_unaccelerated_access" : code == 0x403 ? "vmgexit" :
	code == 0x80000001 ? "vmgexit_mmio_read" : code == 0x80000002 ? "vmgexit_mmio_write" :
	code == 0x80000003 ? "vmgexit_nmi_complete" : code == 0x80000004 ? "vmgexit_ap_hlt_loop" :
	code == 0x80000005 ? "vmgexit_ap_jump_table" :
	code == 0x80000010 ? "vmgexit_page_state_change" :
	code == 0x80000011 ? "vmgexit_guest_request" :
	code == 0x80000012 ? "vmgexit_ext_guest_request" :
	code == 0x80000013 ? "vmgexit_ap_creation" :
	code == 0x8000fffd ? "vmgexit_hypervisor_feature" :
	code == 0xffffffff ? "invalid_guest_state" : kvm_number[code];
inline string kvm_svm_exit[unsigned int code] =
	code < 0x40 ? kvm_svm_register_exit[code] : code < 0x60 ? kvm_svm_exception_exit[code] :
	code < 0x400 ? kvm_svm_instruction_exit[code] : kvm_svm_other_exit[code];
inline string kvm_exit_name[unsigned int isa, unsigned int code] =
	isa == 1 ? kvm_vmx_exit[code & 0xffff] : isa == 2 ? kvm_svm_exit[code] : kvm_number[code];
