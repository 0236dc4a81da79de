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

/*
 * Fields of Intel's VMCS, by the manual's numbers (volume 3, appendix B).  One number is that of a
 * register in uregs[], too, R_R15: here it has another one, which no field has.
 */
inline int VMX_VIRTUAL_PROCESSOR_ID = 0x10000;
inline int VMX_GUEST_ES_SELECTOR = 0x800;
inline int VMX_GUEST_CS_SELECTOR = 0x802;
inline int VMX_GUEST_SS_SELECTOR = 0x804;
inline int VMX_GUEST_DS_SELECTOR = 0x806;
inline int VMX_GUEST_FS_SELECTOR = 0x808;
inline int VMX_GUEST_GS_SELECTOR = 0x80a;
inline int VMX_GUEST_LDTR_SELECTOR = 0x80c;
inline int VMX_GUEST_TR_SELECTOR = 0x80e;
inline int VMX_HOST_ES_SELECTOR = 0xc00;
inline int VMX_HOST_CS_SELECTOR = 0xc02;
inline int VMX_HOST_SS_SELECTOR = 0xc04;
inline int VMX_HOST_DS_SELECTOR = 0xc06;
inline int VMX_HOST_FS_SELECTOR = 0xc08;
inline int VMX_HOST_GS_SELECTOR = 0xc0a;
inline int VMX_HOST_TR_SELECTOR = 0xc0c;
inline int VMX_IO_BITMAP_A = 0x2000;
inline int VMX_IO_BITMAP_A_HIGH = 0x2001;
inline int VMX_IO_BITMAP_B = 0x2002;
inline int VMX_IO_BITMAP_B_HIGH = 0x2003;
inline int VMX_MSR_BITMAP = 0x2004;
inline int VMX_MSR_BITMAP_HIGH = 0x2005;
inline int VMX_VM_EXIT_MSR_STORE_ADDR = 0x2006;
inline int VMX_VM_EXIT_MSR_STORE_ADDR_HIGH = 0x2007;
inline int VMX_VM_EXIT_MSR_LOAD_ADDR = 0x2008;
inline int VMX_VM_EXIT_MSR_LOAD_ADDR_HIGH = 0x2009;
inline int VMX_VM_ENTRY_MSR_LOAD_ADDR = 0x200a;
inline int VMX_VM_ENTRY_MSR_LOAD_ADDR_HIGH = 0x200b;
inline int VMX_TSC_OFFSET = 0x2010;
inline int VMX_TSC_OFFSET_HIGH = 0x2011;
inline int VMX_VIRTUAL_APIC_PAGE_ADDR = 0x2012;
inline int VMX_VIRTUAL_APIC_PAGE_ADDR_HIGH = 0x2013;
inline int VMX_APIC_ACCESS_ADDR = 0x2014;
inline int VMX_APIC_ACCESS_ADDR_HIGH = 0x2015;
inline int VMX_EPT_POINTER = 0x201a;
inline int VMX_EPT_POINTER_HIGH = 0x201b;
inline int VMX_GUEST_PHYSICAL_ADDRESS = 0x2400;
inline int VMX_GUEST_PHYSICAL_ADDRESS_HIGH = 0x2401;
inline int VMX_VMCS_LINK_POINTER = 0x2800;
inline int VMX_VMCS_LINK_POINTER_HIGH = 0x2801;
inline int VMX_GUEST_IA32_DEBUGCTL = 0x2802;
inline int VMX_GUEST_IA32_DEBUGCTL_HIGH = 0x2803;
inline int VMX_GUEST_IA32_PAT = 0x2804;
inline int VMX_GUEST_IA32_PAT_HIGH = 0x2805;
inline int VMX_GUEST_IA32_EFER = 0x2806;
inline int VMX_GUEST_IA32_EFER_HIGH = 0x2807;
inline int VMX_GUEST_PDPTR0 = 0x280a;
inline int VMX_GUEST_PDPTR0_HIGH = 0x280b;
inline int VMX_GUEST_PDPTR1 = 0x280c;
inline int VMX_GUEST_PDPTR1_HIGH = 0x280d;
inline int VMX_GUEST_PDPTR2 = 0x280e;
inline int VMX_GUEST_PDPTR2_HIGH = 0x280f;
inline int VMX_GUEST_PDPTR3 = 0x2810;
inline int VMX_GUEST_PDPTR3_HIGH = 0x2811;
inline int VMX_HOST_IA32_PAT = 0x2c00;
inline int VMX_HOST_IA32_PAT_HIGH = 0x2c01;
inline int VMX_HOST_IA32_EFER = 0x2c02;
inline int VMX_HOST_IA32_EFER_HIGH = 0x2c03;
inline int VMX_PIN_BASED_VM_EXEC_CONTROL = 0x4000;
inline int VMX_CPU_BASED_VM_EXEC_CONTROL = 0x4002;
inline int VMX_EXCEPTION_BITMAP = 0x4004;
inline int VMX_PAGE_FAULT_ERROR_CODE_MASK = 0x4006;
inline int VMX_PAGE_FAULT_ERROR_CODE_MATCH = 0x4008;
inline int VMX_CR3_TARGET_COUNT = 0x400a;
inline int VMX_VM_EXIT_CONTROLS = 0x400c;
inline int VMX_VM_EXIT_MSR_STORE_COUNT = 0x400e;
inline int VMX_VM_EXIT_MSR_LOAD_COUNT = 0x4010;
inline int VMX_VM_ENTRY_CONTROLS = 0x4012;
inline int VMX_VM_ENTRY_MSR_LOAD_COUNT = 0x4014;
inline int VMX_VM_ENTRY_INTR_INFO_FIELD = 0x4016;
inline int VMX_VM_ENTRY_EXCEPTION_ERROR_CODE = 0x4018;
inline int VMX_VM_ENTRY_INSTRUCTION_LEN = 0x401a;
inline int VMX_TPR_THRESHOLD = 0x401c;
inline int VMX_SECONDARY_VM_EXEC_CONTROL = 0x401e;
inline int VMX_PLE_GAP = 0x4020;
inline int VMX_PLE_WINDOW = 0x4022;
inline int VMX_VM_INSTRUCTION_ERROR = 0x4400;
inline int VMX_VM_EXIT_REASON = 0x4402;
inline int VMX_VM_EXIT_INTR_INFO = 0x4404;
inline int VMX_VM_EXIT_INTR_ERROR_CODE = 0x4406;
inline int VMX_IDT_VECTORING_INFO_FIELD = 0x4408;
inline int VMX_IDT_VECTORING_ERROR_CODE = 0x440a;
inline int VMX_VM_EXIT_INSTRUCTION_LEN = 0x440c;
inline int VMX_VMX_INSTRUCTION_INFO = 0x440e;
inline int VMX_EXIT_REASON = VMX_VM_EXIT_REASON;
inline int VMX_INSTRUCTION_LEN = VMX_VM_EXIT_INSTRUCTION_LEN;
inline int VMX_GUEST_ES_LIMIT = 0x4800;
inline int VMX_GUEST_CS_LIMIT = 0x4802;
inline int VMX_GUEST_SS_LIMIT = 0x4804;
inline int VMX_GUEST_DS_LIMIT = 0x4806;
inline int VMX_GUEST_FS_LIMIT = 0x4808;
inline int VMX_GUEST_GS_LIMIT = 0x480a;
inline int VMX_GUEST_LDTR_LIMIT = 0x480c;
inline int VMX_GUEST_TR_LIMIT = 0x480e;
inline int VMX_GUEST_GDTR_LIMIT = 0x4810;
inline int VMX_GUEST_IDTR_LIMIT = 0x4812;
inline int VMX_GUEST_ES_AR_BYTES = 0x4814;
inline int VMX_GUEST_CS_AR_BYTES = 0x4816;
inline int VMX_GUEST_SS_AR_BYTES = 0x4818;
inline int VMX_GUEST_DS_AR_BYTES = 0x481a;
inline int VMX_GUEST_FS_AR_BYTES = 0x481c;
inline int VMX_GUEST_GS_AR_BYTES = 0x481e;
inline int VMX_GUEST_LDTR_AR_BYTES = 0x4820;
inline int VMX_GUEST_TR_AR_BYTES = 0x4822;
inline int VMX_GUEST_INTERRUPTIBILITY_INFO = 0x4824;
inline int VMX_GUEST_ACTIVITY_STATE = 0x4826;
inline int VMX_GUEST_SYSENTER_CS = 0x482a;
inline int VMX_HOST_IA32_SYSENTER_CS = 0x4c00;
inline int VMX_CR0_GUEST_HOST_MASK = 0x6000;
inline int VMX_CR4_GUEST_HOST_MASK = 0x6002;
inline int VMX_CR0_READ_SHADOW = 0x6004;
inline int VMX_CR4_READ_SHADOW = 0x6006;
inline int VMX_CR3_TARGET_VALUE0 = 0x6008;
inline int VMX_CR3_TARGET_VALUE1 = 0x600a;
inline int VMX_CR3_TARGET_VALUE2 = 0x600c;
inline int VMX_CR3_TARGET_VALUE3 = 0x600e;
inline int VMX_EXIT_QUALIFICATION = 0x6400;
inline int VMX_GUEST_LINEAR_ADDRESS = 0x640a;
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
inline int VMX_GUEST_DR7 = 0x681a;
inline int VMX_GUEST_RSP = 0x681c;
inline int VMX_GUEST_RIP = 0x681e;
inline int VMX_GUEST_RFLAGS = 0x6820;
inline int VMX_GUEST_PENDING_DBG_EXCEPTIONS = 0x6822;
inline int VMX_GUEST_SYSENTER_ESP = 0x6824;
inline int VMX_GUEST_SYSENTER_EIP = 0x6826;
inline int VMX_HOST_CR0 = 0x6c00;
inline int VMX_HOST_CR3 = 0x6c02;
inline int VMX_HOST_CR4 = 0x6c04;
inline int VMX_HOST_FS_BASE = 0x6c06;
inline int VMX_HOST_GS_BASE = 0x6c08;
inline int VMX_HOST_TR_BASE = 0x6c0a;
inline int VMX_HOST_GDTR_BASE = 0x6c0c;
inline int VMX_HOST_IDTR_BASE = 0x6c0e;
inline int VMX_HOST_IA32_SYSENTER_ESP = 0x6c10;
inline int VMX_HOST_IA32_SYSENTER_EIP = 0x6c12;
inline int VMX_HOST_RSP = 0x6c14;
inline int VMX_HOST_RIP = 0x6c16;

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
inline uint64_t kvm_limit[int r] = !kvm_is_svm ? kvm_no_register :
	r == VMX_GUEST_ES_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.es.limit :
	r == VMX_GUEST_CS_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.cs.limit :
	r == VMX_GUEST_SS_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ss.limit :
	r == VMX_GUEST_DS_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ds.limit :
	r == VMX_GUEST_FS_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.fs.limit :
	r == VMX_GUEST_GS_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gs.limit :
	r == VMX_GUEST_LDTR_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ldtr.limit :
	r == VMX_GUEST_TR_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.tr.limit :
	r == VMX_GUEST_GDTR_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gdtr.limit :
	r == VMX_GUEST_IDTR_LIMIT ? ((struct vcpu_svm *)curvcpu)->vmcb->save.idtr.limit :
	kvm_no_register;
inline uint64_t kvm_attributes[int r] = !kvm_is_svm ? kvm_no_register :
	r == VMX_GUEST_ES_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.es.attrib :
	r == VMX_GUEST_CS_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.cs.attrib :
	r == VMX_GUEST_SS_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ss.attrib :
	r == VMX_GUEST_DS_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ds.attrib :
	r == VMX_GUEST_FS_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.fs.attrib :
	r == VMX_GUEST_GS_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.gs.attrib :
	r == VMX_GUEST_LDTR_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.ldtr.attrib :
	r == VMX_GUEST_TR_AR_BYTES ? ((struct vcpu_svm *)curvcpu)->vmcb->save.tr.attrib :
	kvm_no_register;
/* AMD's bits of a segment as Intel's: what is no part of a byte is 4 bits further up; 16: unusable. */
inline uint64_t kvm_rights_of[uint64_t bits] =
	(bits & 0xff) | (bits & 0xf00) << 4 | (bits & 0x80 ? 0 : 0x10000);
inline uint64_t kvm_control_register[int r] =
	r == VMX_GUEST_CR0 ? curvcpu->arch.cr0 :
	r == VMX_GUEST_CR3 ?
	(kvm_is_svm || kvm_was_read[kvm_cr3_bit] ? curvcpu->arch.cr3 : kvm_no_register) :
	r == VMX_GUEST_CR4 ? curvcpu->arch.cr4 : r == VMX_GUEST_DR7 ? curvcpu->arch.dr7 :
	r == VMX_TSC_OFFSET ? curvcpu->arch.tsc_offset :
	r == VMX_GUEST_IA32_PAT ? curvcpu->arch.pat :
	r == VMX_GUEST_IA32_EFER ? curvcpu->arch.efer : kvm_no_register;

/*
 * What Intel's CPUs report with an exit; of some, KVM asks only on demand.  Since 6.16 a part that is
 * common to other machines has it.
 */
inline int kvm_exit_info_bit =
	(enum kvm_reg)22 == VCPU_EXREG_EXIT_INFO_1 ? 22 :
	(enum kvm_reg)23 == VCPU_EXREG_EXIT_INFO_1 ? 23 : 24;
inline int kvm_has_vt = has(struct vcpu_vmx.vt.exit_reason);
inline uint64_t kvm_exit_field[int r] = !kvm_is_vmx ? kvm_no_register :
	r == VMX_VIRTUAL_PROCESSOR_ID ? ((struct vcpu_vmx *)curvcpu)->vpid :
	r == VMX_VM_EXIT_REASON ?
	(kvm_has_vt ? ((struct vcpu_vmx *)curvcpu)->vt.exit_reason.full :
	((struct vcpu_vmx *)curvcpu)->exit_reason.full) :
	r == VMX_IDT_VECTORING_INFO_FIELD ? ((struct vcpu_vmx *)curvcpu)->idt_vectoring_info :
	r == VMX_EXIT_QUALIFICATION && kvm_was_read[kvm_exit_info_bit] ?
	(kvm_has_vt ? ((struct vcpu_vmx *)curvcpu)->vt.exit_qualification :
	((struct vcpu_vmx *)curvcpu)->exit_qualification) :
	r == VMX_VM_EXIT_INTR_INFO && kvm_was_read[kvm_exit_info_bit + 1] ?
	(kvm_has_vt ? ((struct vcpu_vmx *)curvcpu)->vt.exit_intr_info :
	((struct vcpu_vmx *)curvcpu)->exit_intr_info) : kvm_no_register;

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
	r >= VMX_GUEST_ES_BASE && r <= VMX_GUEST_IDTR_BASE ? kvm_base[r] :
	r >= VMX_GUEST_ES_LIMIT && r <= VMX_GUEST_IDTR_LIMIT ? kvm_limit[r] :
	r >= VMX_GUEST_ES_AR_BYTES && r <= VMX_GUEST_TR_AR_BYTES ? kvm_rights_of[kvm_attributes[r]] :
	r == VMX_VIRTUAL_PROCESSOR_ID || r == VMX_VM_EXIT_REASON || r == VMX_EXIT_QUALIFICATION ||
	r == VMX_VM_EXIT_INTR_INFO || r == VMX_IDT_VECTORING_INFO_FIELD ? kvm_exit_field[r] :
	kvm_control_register[r];

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
