/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * multi PROGRAM REPORT NAME...    a bare link to the functions of PROGRAM that begin with NAME
 *
 * What a tracer cannot do without: while PROGRAM runs, for each NAME a multi-uprobe link (Linux
 * 6.6) of a BPF program that does nothing.  The report: NAME_functions, NAME_ms that the link took.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

#define LINK_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI, which Debian's header does not know */
#define MOST 20000

static uint64_t offsets[MOST];

/* Where FILE has the code at ADDRESS. */
static uint64_t offset_of(Elf *elf, uint64_t address)
{
	size_t count = 0;
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && address >= p.p_vaddr &&
		    address < p.p_vaddr + p.p_filesz)
			return address - p.p_vaddr + p.p_offset;
	}
	return 0;
}

static unsigned functions_named(Elf *elf, const char *name)
{
	unsigned count = 0;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Sym s;
		for (int i = 0; count < MOST && gelf_getsym(data, i, &s); i++) {
			const char *own = elf_strptr(elf, header.sh_link, s.st_name);
			if (GELF_ST_TYPE(s.st_info) == STT_FUNC && s.st_size && own &&
			    strncmp(own, name, strlen(name)) == 0)
				offsets[count++] = offset_of(elf, s.st_value);
		}
	}
	return count;
}

static int load_program(void)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr a = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.expected_attach_type = LINK_UPROBE_MULTI,
		.insns = (uintptr_t)code,
		.insn_cnt = 2,
		.license = (uintptr_t) "GPL",
	};
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &a, sizeof(a));
}

/* link_create of struct bpf_attr, as Linux 6.6 has it. */
struct link_create {
	uint32_t program, target, type, flags;
	uint64_t path, offsets, reference_offsets, cookies;
	uint32_t count, link_flags, pid;
};

static double attach_ms(int program, const char *path, unsigned count)
{
	char attribute[128] = { 0 };
	const struct link_create l = {
		.program = (uint32_t)program,
		.type = LINK_UPROBE_MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)offsets,
		.count = count,
	};
	memcpy(attribute, &l, sizeof(l));
	long long start = target_now(CLOCK_MONOTONIC);
	int link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, attribute, sizeof(attribute));
	double ms = (double)(target_now(CLOCK_MONOTONIC) - start) / 1e6;
	if (link < 0) {
		perror("link");
		exit(1);
	}
	return ms; /* the link stays: taking one away would slow the next one down */
}

/* PATH runs: a breakpoint is written into each process that maps its place. */
static pid_t run(const char *path)
{
	int ready[2];
	char byte;
	if (pipe2(ready, O_CLOEXEC) != 0)
		exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 0) /* ends when exec() closes the other end */
		exit(1);
	return pid;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	elf_version(EV_CURRENT);
	char path[4096];
	int fd = open(argv[1], O_RDONLY), program = load_program();
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	FILE *report = fopen(argv[2], "w");
	if (!elf || program < 0 || !report || !realpath(argv[1], path))
		return 1;
	pid_t running = run(path);
	for (int i = 3; i < argc; i++) {
		unsigned count = functions_named(elf, argv[i]);
		fprintf(report, "%s_functions %u\n%s_ms %.3f\n", argv[i], count, argv[i],
			attach_ms(program, path, count));
	}
	kill(running, SIGKILL);
	waitpid(running, NULL, 0);
	return fclose(report) != 0;
}
