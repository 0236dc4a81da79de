/* SPDX-License-Identifier: BSD-2-Clause */
/* pid_site - the file offsets of a function's probes, and whether probes are possible there */
#include "provider/process/pid.h"

#include <string.h>

#include "probe/probe.h"
#include "provider/process/pid_code.h"
#include "provider/process/pid_object.h"

struct pid_probe *pid_probe_new(struct pid_object *object)
{
	struct pid_probe *p = mem_zalloc(sizeof(*p));
	p->object = object;
	object->probes++;
	return p;
}

void pid_probe_free(void *probe)
{
	struct pid_probe *p = probe;
	p->object->probes--;
	vector_free(&p->sites);
	vector_free(&p->functions);
	vector_free(&p->around);
	free(p->note);
	pid_arguments_free(p->arguments);
	pid_copies_free(p->copies);
	pid_variables_free(p->variables);
	free(p);
}

static void probe_add_function(struct pid_probe *p, uint64_t function)
{
	for (size_t i = 0; i < p->functions.count; i++)
		if (p->functions.items[i] == function)
			return;
	vector_push(&p->functions, function);
}

void pid_probe_add_site(struct pid_probe *p, struct event_site site, uint64_t function)
{
	if (function)
		probe_add_function(p, function);
	for (size_t i = 0; i < p->sites.count; i++) {
		struct event_site *same = &p->sites.items[i];
		if (same->at != site.at)
			continue;
		if (same->of_destination) /* of a function with the probe's name */
			*same = site;
		return;
	}
	vector_push(&p->sites, site);
}

bool pid_site(const struct elf_file *elf, uint64_t address, uint64_t *ret)
{
	const struct arch *a = pid_arch(elf);
	struct bytes code = elf_file_code(elf, address, 32);
	unsigned shift = a->entry_site(&code);
	struct bytes at_site = bytes_slice(&code, shift, code.size - shift);
	return a->can_probe(&at_site) && elf_file_offset(elf, address + shift, ret);
}

bool pid_site_exact(const struct elf_file *elf, uint64_t address, uint64_t *ret)
{
	struct bytes code = elf_file_code(elf, address, 16);
	return pid_arch(elf)->can_probe(&code) && elf_file_offset(elf, address, ret);
}

bool pid_site_is_emulated(const struct elf_file *elf, uint64_t address, bool exact)
{
	const struct arch *a = pid_arch(elf);
	struct bytes code = elf_file_code(elf, address, 32);
	unsigned shift = exact ? 0 : a->entry_site(&code);
	struct bytes at_site = bytes_slice(&code, shift, code.size - shift);
	return a->is_emulated(&at_site);
}

/*
 * A return probe replaces the return address that it expects on the stack (or in
 * a register).  Code that is not entered by a call has something else there, and
 * code that keeps the address for later keeps the wrong one:
 *
 *   _start, signal trampolines  the stack begins with argc, or with a signal frame
 *   _dl_runtime_resolve         ... with arguments of the dynamic linker
 *   setjmp, getcontext          keep the address; coming back a second time kills
 */
static const struct danger {
	const char *name; /* a pattern */
	const char *why;
	bool returns;
} dangers[] = {
	{ "_start", "it is not called" },
	{ "_dl_start_user", "it is not called" },
	{ "_dl_runtime_*", "it is not called" },
	{ "__restore*", "it is not called" },
	{ "*setjmp", "it returns twice", true },
	{ "*getcontext", "it returns twice", true },
	{ "*swapcontext", "it returns twice", true },
};

static bool returns_its_place(const struct elf_file *elf, uint64_t address)
{
	const struct arch *a = pid_arch(elf);
	struct bytes code = elf_file_code(elf, address, 8);
	return a->returns_its_place && a->returns_its_place(&code);
}

const char *pid_return_danger(const struct elf_file *elf, const struct elf_symbol *symbol,
			      bool *returns)
{
	*returns = returns_its_place(elf, symbol->address);
	if (*returns)
		return "its result is its return address, which a return probe replaces";
	if (symbol->address == elf_file_entry(elf))
		return "it is not called";
	for (size_t i = 0; i < ARRAY_SIZE(dangers); i++)
		if (glob_match(dangers[i].name, symbol->name)) {
			*returns = dangers[i].returns;
			return dangers[i].why;
		}
	return NULL;
}

/* --- the prologue of Go's functions ----------------------------------------------------------- */

/*
 * Go moves the stacks of goroutines, so return probes of the kernel would write to a place where no
 * return address is any more.  A function first compares the stack with what its frame needs:
 *
 *	cmp 0x10(%r14), %rsp
 *	jbe more	-> call runtime.morestack_noctxt; jmp to the first byte
 *	sub $0x38, %rsp
 *
 * When the stack has grown the function begins again.  So an entry probe is after the comparison,
 * where arguments and the return address still are as at the first byte.
 */
#define CHECK_MOST 8 /* instructions: large frames need two comparisons */
#define MORE_MOST 48 /* that save arguments before the call */

/* Does code at ADDRESS have the stack grown? */
static bool asks_for_stack(struct elf_file *elf, uint64_t address)
{
	static const char more[] = "runtime.morestack";
	struct instruction i = { 0 };
	for (unsigned n = 0; n < MORE_MOST && pid_instruction_at(elf, address, &i); n++) {
		if (i.flow == FLOW_CALL) {
			const struct elf_symbol *s =
				elf_file_symbol_at(elf, address + (uint64_t)i.target);
			return s && strncmp(s->name, more, sizeof(more) - 1) == 0;
		}
		if (i.flow != FLOW_NEXT)
			return false;
		address += i.length;
	}
	return false;
}

uint64_t pid_go_begin(struct elf_file *elf, uint64_t address)
{
	uint64_t begin = address, at = address;
	struct instruction i;
	for (unsigned n = 0; n < CHECK_MOST && pid_instruction_at(elf, at, &i); n++) {
		bool is_check =
			i.flow == FLOW_BRANCH && asks_for_stack(elf, at + (uint64_t)i.target);
		if (i.flow != FLOW_NEXT && !is_check)
			break;
		at += i.length;
		if (is_check)
			begin = at;
	}
	return begin;
}
