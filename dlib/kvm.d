/* SPDX-License-Identifier: BSD-2-Clause */
/* kvm - virtual CPUs; registers and names of exits are in the files of each machine */

/* A register that cannot be read is an error: a read at address 0. */
inline uint64_t kvm_no_register = *(uint64_t *)NULL;

/* The guest's program counter since its last exit; 0: it is not known. */
inline uint64_t kvm_pc[struct kvm_vcpu *V] = V == NULL ? 0 : kvm_known_pc[V];

/* What a guest writes or has read, of LEN bytes. */
inline uint64_t kvm_value[void *data, int len] =
	data == NULL ? 0 : len == 1 ? *(uint8_t *)data : len == 2 ? *(uint16_t *)data :
	len == 4 ? *(uint32_t *)data : len == 8 ? *(uint64_t *)data : 0;

/* Why a virtual CPU goes back to its process: KVM_EXIT_... of <linux/kvm.h>; an error has no such
 * reason: 4 is EINTR. */
inline string kvm_userspace_exit_name[unsigned int code, int error] =
	error == -4 ? "restart" : error < 0 ? "error" :
	code == 0 ? "UNKNOWN" : code == 1 ? "EXCEPTION" : code == 2 ? "IO" :
	code == 3 ? "HYPERCALL" : code == 4 ? "DEBUG" : code == 5 ? "HLT" : code == 6 ? "MMIO" :
	code == 7 ? "IRQ_WINDOW_OPEN" : code == 8 ? "SHUTDOWN" : code == 9 ? "FAIL_ENTRY" :
	code == 10 ? "INTR" : code == 11 ? "SET_TPR" : code == 12 ? "TPR_ACCESS" :
	code == 13 ? "S390_SIEIC" : code == 14 ? "S390_RESET" : code == 15 ? "DCR" :
	code == 16 ? "NMI" : code == 17 ? "INTERNAL_ERROR" : code == 18 ? "OSI" :
	code == 19 ? "PAPR_HCALL" : code == 20 ? "S390_UCONTROL" : code == 21 ? "WATCHDOG" :
	code == 22 ? "S390_TSCH" : code == 23 ? "EPR" : code == 24 ? "SYSTEM_EVENT" :
	code == 25 ? "S390_STSI" : code == 26 ? "IOAPIC_EOI" : code == 27 ? "HYPERV" :
	code == 28 ? "ARM_NISV" : code == 29 ? "X86_RDMSR" : code == 30 ? "X86_WRMSR" :
	code == 31 ? "DIRTY_RING_FULL" : code == 32 ? "AP_RESET_HOLD" :
	code == 33 ? "X86_BUS_LOCK" : code == 34 ? "XEN" : code == 35 ? "RISCV_SBI" :
	code == 36 ? "RISCV_CSR" : code == 37 ? "NOTIFY" : code == 38 ? "LOONGARCH_IOCSR" :
	code == 39 ? "MEMORY_FAULT" : code == 40 ? "TDX" : strjoin("reason ", lltostr(code));
