/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address - the address of one function of the kernel
 *
 * The kernel needs 50 ms to print its symbols, all of them, but finds one in its own index of names
 * in some microseconds (6.2; before, it walks them, without printing).  A program of BPF asks; on
 * 6.18 its load and its run take 0.2 ms together.
 */
#include <string.h>

#include "kernel/insn.h"
#include "kernel/kernel.h"

/* In the program's stack of 512 bytes, in front of the address that is found. */
#define NAME_SIZE 504
#define FOUND_AT (-8)
#define NAME_AT (FOUND_AT - NAME_SIZE)

#define STORE(size, offset, number) INSN(BPF_ST | BPF_MEM | (size), 10, 0, offset, number)
#define ADD(dst, number) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, number)

/* Writes the name, LENGTH bytes with its end, into the stack. */
static unsigned insn_write_name(struct bpf_insn *code, const char *name, size_t length)
{
	unsigned count = 0;
	for (size_t at = 0; at < length; at += sizeof(int32_t)) {
		int32_t bytes = 0;
		memcpy(&bytes, name + at, MIN(length - at, sizeof(bytes)));
		code[count++] = STORE(BPF_W, (int16_t)(NAME_AT + (int)at), bytes);
	}
	return count;
}

/* The program writes the address, or 0, to its context. */
static struct error *load_finder(const char *name, int *ret)
{
	size_t length = strlen(name) + 1;
	const struct bpf_insn find[] = {
		INSN_COPY(6, 1),
		STORE(BPF_DW, FOUND_AT, 0),
		INSN_COPY(1, 10),
		ADD(1, NAME_AT),
		INSN_SET(2, (int32_t)length),
		INSN_SET(3, 0),
		INSN_COPY(4, 10),
		ADD(4, FOUND_AT),
		INSN_CALL(BPF_FUNC_kallsyms_lookup_name),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, FOUND_AT, 0),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 6, 1, 0, 0),
		INSN_SET(0, 0),
		INSN_EXIT,
	};
	struct bpf_insn code[NAME_SIZE / sizeof(int32_t) + ARRAY_SIZE(find)];
	unsigned count = insn_write_name(code, name, length);
	memcpy(code + count, find, sizeof(find));
	const struct prog_request request = {
		.type = BPF_PROG_TYPE_SYSCALL,
		.name = "dtrace_address",
		.code = code,
		.count = count + ARRAY_SIZE(find),
		.may_sleep = true,
	};
	return prog_load(&request, ret);
}

static struct error *symbol_address_find(const char *name, uint64_t *ret)
{
	auto_close int prog = -1;
	struct error *err = load_finder(name, &prog);
	return err ? err : prog_test_run(prog, ret, sizeof(*ret), -1);
}

uint64_t kernel_address(const char *name)
{
	uint64_t address = 0;
	if (strlen(name) >= NAME_SIZE)
		return 0;
	struct error *err = symbol_address_find(name, &address);
	if (err)
		log_debug("%s", error_text(err));
	error_free(err);
	return address;
}
