/* SPDX-License-Identifier: BSD-2-Clause */
/* The embedded run-time library */
#include <stdlib.h>
#include <string.h>

#include "loader/internal.h"

/* How an instruction is written: a byte for its form, one for its registers, numbers if not 0. */
struct runtime_form {
	uint8_t code;
	bool has_off, has_imm;
};

#include "runtime_object.inc"

const struct runtime_function *runtime_function(unsigned index)
{
	return &runtime_functions[index];
}

unsigned runtime_function_count(void)
{
	return ARRAY_SIZE(runtime_functions);
}

static int name_compare(const void *name, const void *function)
{
	return strcmp(name, ((const struct runtime_function *)function)->name);
}

int runtime_find(const char *name)
{
	const struct runtime_function *found =
		bsearch(name, runtime_functions, ARRAY_SIZE(runtime_functions),
			sizeof(*runtime_functions), name_compare);
	return found ? (int)(found - runtime_functions) : -1;
}

int runtime_row(enum rt_function function)
{
	return runtime_rows[function];
}

const unsigned char *runtime_code(const struct runtime_function *f)
{
	return &runtime_insns[f->at];
}

struct bytes runtime_bytes(void)
{
	return bytes_of(runtime_insns, sizeof(runtime_insns));
}

struct bytes runtime_form_bytes(void)
{
	return bytes_of(runtime_forms, sizeof(runtime_forms));
}

/* A signed number, its sign last; seven bits in each byte, the low ones first. */
static int32_t runtime_number(const unsigned char **at)
{
	uint32_t n = 0;
	unsigned shift = 0;
	do
		n |= (uint32_t)(**at & 127) << shift;
	while (shift += 7, *(*at)++ & 128);
	return (int32_t)(n >> 1 ^ -(n & 1));
}

struct bpf_insn runtime_insn(const unsigned char **at)
{
	const struct runtime_form *form = &runtime_forms[*(*at)++];
	unsigned registers = *(*at)++;
	struct bpf_insn insn = { .code = form->code,
				 .dst_reg = registers & 15,
				 .src_reg = registers >> 4 };
	if (form->has_off)
		insn.off = (int16_t)runtime_number(at);
	if (form->has_imm)
		insn.imm = runtime_number(at);
	return insn;
}

const struct runtime_reference *runtime_references_from(uint32_t instruction,
							const struct runtime_reference **end)
{
	const struct runtime_reference *list = runtime_references;
	size_t low = 0, high = ARRAY_SIZE(runtime_references);
	*end = list + high;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (list[middle].instruction < instruction)
			low = middle + 1;
		else
			high = middle;
	}
	return list + low;
}

const char *runtime_extern_name(int index)
{
	return runtime_externs[index];
}
