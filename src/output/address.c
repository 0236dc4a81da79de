/* SPDX-License-Identifier: BSD-2-Clause */
/* address - the text of an address, by way of symbol/ */
#include <string.h>

#include "output/internal.h"
#include "symbol/symbol.h"

static void kernel_text(struct output *o, enum symbol_form form, uint64_t address,
			struct strbuf *out)
{
	if (o->setup.symbols)
		symbol_print_kernel(out, o->setup.symbols, form, address);
	else
		symbol_print(out, form, address, NULL);
}

/* Modules are files, whose names need no symbols: noresolve leaves them. */
static void user_text(struct output *o, enum symbol_form form, uint32_t tgid, uint64_t address,
		      struct strbuf *out)
{
	if (o->options.noresolve && form != SYMBOL_MODULE)
		form = SYMBOL_RAW;
	if (o->setup.symbols && tgid)
		symbol_print_user(out, o->setup.symbols, form, (int)tgid, address);
	else
		symbol_print(out, form, address, NULL);
}

void address_text_kernel(struct output *o, uint64_t address, struct strbuf *out)
{
	kernel_text(o, SYMBOL_OFFSET, address, out);
}

void address_text_user(struct output *o, uint32_t tgid, uint64_t address, struct strbuf *out)
{
	user_text(o, SYMBOL_OFFSET, tgid, address, out);
}

static enum symbol_form value_symbol_form(enum value_kind kind, bool with_offset)
{
	if (kind == VALUE_MOD || kind == VALUE_UMOD)
		return SYMBOL_MODULE;
	return kind == VALUE_UADDR || with_offset ? SYMBOL_OFFSET : SYMBOL_NAME;
}

void address_text(struct output *o, const struct value *v, bool with_offset, struct strbuf *out)
{
	uint32_t tgid = 0;
	uint64_t address = value_address(v, &tgid);
	enum symbol_form form = value_symbol_form(v->field->kind, with_offset);
	if (value_is_user(v))
		user_text(o, form, tgid, address, out);
	else
		kernel_text(o, form, address, out);
}

static bool address_find(struct symbols *s, uint32_t tgid, uint64_t address,
			 struct symbol_name *ret)
{
	if (tgid)
		return symbols_process_find(symbols_of(s, (int)tgid), address, ret);
	return symbols_kernel_find(symbols_kernel(s), address, ret);
}

uint64_t output_symbol_start(struct symbols *s, uint32_t tgid, uint64_t address)
{
	struct symbol_name name;
	if (!address_find(s, tgid, address, &name) || !name.name)
		return address;
	return address - name.offset;
}

/* Found by frame pointers, which may not have been such, it must be where a call returns to. */
static bool may_be_frame(struct symbols_process *process, uint64_t word)
{
	return frame_how(word) != FRAME_POINTER || !process ||
	       symbols_process_may_return(process, word);
}

unsigned output_stack_frames(struct symbols *s, uint32_t tgid, const void *pcs, unsigned count)
{
	struct symbols_process *process = s && tgid ? symbols_of(s, (int)tgid) : NULL;
	unsigned i = 0;
	for (uint64_t word; i < count; i++) {
		memcpy(&word, (const char *)pcs + i * sizeof(word), sizeof(word));
		/* The first one was executed, not returned to. */
		if (!word || frame_how(word) == FRAME_END || (i && !may_be_frame(process, word)))
			break;
	}
	return i;
}

bool output_place_identity(struct symbols *s, uint32_t tgid, uint64_t address, bool file_alone,
			   struct strbuf *ret)
{
	return s && tgid &&
	       symbols_process_identity(symbols_of(s, (int)tgid), address, file_alone, ret);
}

const char *output_module_name(struct symbols *s, uint32_t tgid, uint64_t address)
{
	struct symbol_name name;
	return address_find(s, tgid, address, &name) ? symbol_module(&name) : NULL;
}

bool address_name(struct output *o, uint32_t tgid, uint64_t address, struct symbol_name *ret)
{
	if (!o->setup.symbols || !address_find(o->setup.symbols, tgid, address, ret))
		return false;
	symbols_demangle(o->setup.symbols, ret);
	if (tgid && o->options.noresolve)
		ret->name = NULL;
	return true;
}
