/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest OUTS INS WRITES READS MSRS CALLS INTERRUPTS - a virtual machine in real mode, which
 *
 *   writes OUTS times to port 0x210, at `guest_out`: the numbers OUTS to 1, one byte each
 *   reads INS times from port 0x212, two bytes each, that are 0x5a5a
 *   writes WRITES times to 0xe0034, at `guest_write`: the numbers WRITES to 1, one byte each
 *   reads READS times from 0xe0038, four bytes each, that are 0x12345678
 *   reads MSRS times the model-specific register 0x1b, and writes 1 to 0x4b564d05 as often
 *   calls its host CALLS times with the number 0x1234 and arguments 1 to 4, which KVM may refuse
 *   asks INTERRUPTS times for interrupt 0x21, by writing a byte to port 0x214
 *
 * and halts.  Status 2: there is no KVM here, or it does not run such a machine.
 */
#include "trigger.h"

#ifdef __x86_64__

#include <fcntl.h>
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define MEMORY 0x10000
#define CODE 0x1000
#define COUNTS                                                                                     \
	0x500 /* seven, 16 bits each; then interrupts that arrived, vendor, refused calls          \
	       */
#define VECTOR 0x21

/* Only 16-bit registers are counters, so no count is above 65,535. */
__asm__(".section .rodata\n"
	".code16\n"
	".globl guest_begin, guest_out, guest_write, guest_interrupt, guest_refused, guest_end\n"
	"guest_begin:\n"
	"	mov 0x500, %cx\n"
	"	mov $0x210, %dx\n"
	"	jcxz 2f\n"
	"1:	mov %cl, %al\n"
	"guest_out:\n"
	"	out %al, %dx\n"
	"	loop 1b\n"
	"2:	mov 0x502, %cx\n"
	"	mov $0x212, %dx\n"
	"	jcxz 2f\n"
	"1:	in %dx, %ax\n"
	"	loop 1b\n"
	"2:	mov $0xe000, %ax\n"
	"	mov %ax, %es\n"
	"	mov 0x504, %cx\n"
	"	jcxz 2f\n"
	"guest_write:\n"
	"	mov %cl, %es:0x34\n"
	"	loop guest_write\n"
	"2:	mov 0x506, %cx\n"
	"	jcxz 2f\n"
	"1:	movl %es:0x38, %eax\n"
	"	loop 1b\n"
	"2:	mov 0x508, %si\n"
	"1:	test %si, %si\n"
	"	jz 2f\n"
	"	mov $0x1b, %ecx\n"
	"	rdmsr\n"
	"	mov $0x4b564d05, %ecx\n"
	"	mov $1, %eax\n"
	"	xor %edx, %edx\n"
	"	wrmsr\n"
	"	dec %si\n"
	"	jmp 1b\n"
	"2:	mov 0x50a, %di\n"
	"1:	test %di, %di\n"
	"	jz 2f\n"
	"	mov $0x1234, %eax\n"
	"	mov $1, %ebx\n"
	"	mov $2, %ecx\n"
	"	mov $3, %edx\n"
	"	mov $4, %esi\n"
	"	cmpb $0, 0x510\n"
	"	jne 3f\n"
	"	.byte 0x0f, 0x01, 0xc1\n" /* vmcall */
	"	jmp 4f\n"
	"3:	.byte 0x0f, 0x01, 0xd9\n" /* vmmcall */
	"4:	dec %di\n"
	"	jmp 1b\n"
	"2:	mov 0x50c, %cx\n"
	"	mov $0x214, %dx\n"
	"	jcxz 2f\n"
	"	push %ax\n" /* the page of the stack is there */
	"	pop %ax\n"
	"	sti\n"
	"1:	out %al, %dx\n"
	"	loop 1b\n"
	"2:	cli\n"
	"	hlt\n"
	"guest_interrupt:\n"
	"	incw 0x50e\n"
	"	iret\n"
	"guest_refused:\n"
	"	incw 0x512\n"
	"	mov %sp, %bp\n"
	"	addw $3, (%bp)\n"
	"	iret\n"
	"guest_end:\n"
	".code64\n"
	".previous\n");

extern const char guest_begin[], guest_out[], guest_write[], guest_interrupt[];
extern const char guest_refused[], guest_end[];

/* What is counted, in the order of the arguments. */
enum { OUTS, INS, WRITES, READS, MSRS, CALLS, INTERRUPTS, TAKEN };

static _Noreturn void no_guest(const char *what)
{
	perror(what);
	exit(2);
}

static int control(int fd, unsigned long request, void *value, const char *what)
{
	int result = ioctl(fd, request, value);
	if (result < 0)
		no_guest(what);
	return result;
}

/* Its memory: counts, the interrupt's place, the code. */
static uint16_t *fill(char *memory, int argc, char **argv)
{
	uint16_t *counts = (uint16_t *)(memory + COUNTS);
	for (int i = 0; i < TAKEN; i++)
		counts[i] = (uint16_t)trigger_argument(argc, argv, i + 1, 0);
	unsigned vendor = 0, a = 0, c = 0, d = 0;
	__asm__("cpuid" : "+a"(a), "=b"(vendor), "+c"(c), "=d"(d));
	memory[0x510] = vendor == 0x68747541 || vendor == 0x6f677948; /* Auth, Hygo */
	uint16_t *vectors = (uint16_t *)memory; /* an offset and a segment each */
	vectors[2 * VECTOR] = (uint16_t)(CODE + (guest_interrupt - guest_begin));
	vectors[2 * 6] = (uint16_t)(CODE + (guest_refused - guest_begin)); /* no such instruction */
	memcpy(memory + CODE, guest_begin, (size_t)(guest_end - guest_begin));
	return counts;
}

static int vcpu_new(int machine)
{
	int vcpu = control(machine, KVM_CREATE_VCPU, NULL, "KVM_CREATE_VCPU");
	struct kvm_sregs special;
	control(vcpu, KVM_GET_SREGS, &special, "KVM_GET_SREGS");
	special.cs.base = special.cs.selector = 0;
	control(vcpu, KVM_SET_SREGS, &special, "KVM_SET_SREGS");
	struct kvm_regs registers = { .rip = CODE, .rsp = 0x8000, .rflags = 2 };
	control(vcpu, KVM_SET_REGS, &registers, "KVM_SET_REGS");
	return vcpu;
}

static void access_port(int vcpu, struct kvm_run *run)
{
	if (run->io.direction == KVM_EXIT_IO_IN)
		memset((char *)run + run->io.data_offset, 0x5a, run->io.size);
	struct kvm_interrupt interrupt = { VECTOR };
	if (run->io.port == 0x214)
		control(vcpu, KVM_INTERRUPT, &interrupt, "KVM_INTERRUPT");
}

static void access_memory(struct kvm_run *run)
{
	uint32_t value = 0x12345678;
	if (!run->mmio.is_write)
		memcpy(run->mmio.data, &value, sizeof(value));
}

static void run_until_halt(int vcpu, struct kvm_run *run)
{
	for (;;) {
		control(vcpu, KVM_RUN, NULL, "KVM_RUN");
		if (run->exit_reason == KVM_EXIT_HLT)
			return;
		if (run->exit_reason == KVM_EXIT_IO)
			access_port(vcpu, run);
		else if (run->exit_reason == KVM_EXIT_MMIO)
			access_memory(run);
		else {
			fprintf(stderr, "the machine has stopped: %u\n", run->exit_reason);
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (kvm < 0)
		no_guest("/dev/kvm");
	int machine = control(kvm, KVM_CREATE_VM, NULL, "KVM_CREATE_VM");
	char *memory =
		mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		no_guest("mmap");
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY,
						      .userspace_addr = (uintptr_t)memory };
	control(machine, KVM_SET_USER_MEMORY_REGION, &region, "KVM_SET_USER_MEMORY_REGION");
	uint16_t *counts = fill(memory, argc, argv);
	int vcpu = vcpu_new(machine), size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, NULL);
	struct kvm_run *run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
	if (run == MAP_FAILED)
		no_guest("mmap");
	trigger_wait();
	run_until_halt(vcpu, run);
	trigger_count("interrupts", counts[TAKEN]);
	trigger_count("refused-calls", counts[9]);
	trigger_count("pc-of-out", CODE + (guest_out - guest_begin));
	trigger_count("pc-of-write", CODE + (guest_write - guest_begin));
	return 0;
}

#else

int main(void)
{
	fprintf(stderr, "the guest's code is for x86_64\n");
	return 2;
}

#endif
