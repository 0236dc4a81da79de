/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/internal.h"

const struct arch *const arch_all[] = { &arch_x86_64, &arch_aarch64, NULL };

const struct arch *arch_host(void)
{
#if defined(__x86_64__)
	return &arch_x86_64;
#elif defined(__aarch64__)
	return &arch_aarch64;
#else
#error "src/arch has no file for this machine yet"
#endif
}

const struct arch *arch_of_program(const struct arch *a, unsigned word, uint16_t machine)
{
	if (word == a->word)
		return a;
	return machine == a->elf_machine_32 ? a->narrow : NULL;
}

/* After so many instructions the kernel, too, looks for no store any more (arm64's kprobes). */
#define EXCLUSIVE_MOST 32

bool instruction_is_exclusive(const struct instruction *i, unsigned *left)
{
	if (i->exclusive == EXCLUSIVE_STORE)
		*left = 0;
	bool is_between = *left > 0;
	if (i->exclusive == EXCLUSIVE_LOAD)
		*left = EXCLUSIVE_MOST;
	else if (*left)
		--*left;
	return is_between;
}

const char *arch_call_name(const struct arch_calls *calls, unsigned number)
{
	return number < calls->count ? calls->names[number] : NULL;
}

int arch_ureg_offset(const struct arch *a, int64_t index)
{
	return index >= 0 && index < a->uregs_count ? (int)index * 8 : -1;
}

bool arch_ends_call(const struct arch *a, const struct bytes *before)
{
	for (unsigned length = 2; length <= MIN(before->size, ARCH_CALL_MOST); length++) {
		struct bytes code = bytes_slice(before, before->size - length, length);
		struct instruction i;
		if (a->decode(&code, &i) && i.length == length && i.is_call)
			return true;
	}
	return false;
}

enum leaving instruction_leaves(const struct instruction *i, bool after_sum, bool is_outside)
{
	switch (i->flow) {
	case FLOW_NEXT:
	case FLOW_CALL:
	case FLOW_TABLE:
		return LEAVES_NEVER;
	case FLOW_RETURN:
	case FLOW_POINTER:
		return LEAVES_ALWAYS;
	case FLOW_REGISTER:
		return after_sum ? LEAVES_NEVER : LEAVES_ALWAYS;
	case FLOW_JUMP:
		return is_outside ? LEAVES_ALWAYS : LEAVES_NEVER;
	case FLOW_BRANCH:
		return is_outside ? LEAVES_SOMETIMES : LEAVES_NEVER;
	}
	return LEAVES_NEVER;
}

bool arch_effects(const struct arch *a, const struct bytes *code, struct instruction_effects *ret)
{
	return a == &arch_x86_64 && x86_64_effects(code, ret);
}
