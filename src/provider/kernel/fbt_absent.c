/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_absent - why a function of the kernel has no probe
 *
 * Probes are in the functions that the kernel's function tracer lists.  Others are written in
 * assembly, are compiled without the tracer's call (lib/string.c), are noinstr, or are gone since
 * the kernel has booted.
 */
#include "provider/kernel/fbt_functions.h"

#include "kernel/kernel.h"

static bool absence_is_of(const struct absence *a, const char *module, const char *name)
{
	return string_equal(name, a->desc->function) && probe_field_match(a->desc->module, module);
}

void absence_see_listed(void *arg, const char *module, const char *name, uint64_t address)
{
	struct absence *a = arg;
	a->is_listed |= absence_is_of(a, module, name);
}

void absence_see_symbol(void *arg, const char *module, const char *name, uint64_t address)
{
	struct absence *a = arg;
	if (string_equal(name, "_sinittext"))
		a->boot_begin = address;
	if (string_equal(name, "_einittext"))
		a->boot_end = address;
	if (!absence_is_of(a, module, name))
		return;
	a->is_there = true;
	a->address = address;
}

void absence_see_forbidden(void *arg, const char *module, const char *name, uint64_t address)
{
	struct absence *a = arg;
	a->is_forbidden |= absence_is_of(a, module, name);
}

char *absence_text(const struct absence *a)
{
	if (!a->is_there || a->is_listed)
		return NULL;
	if (a->is_forbidden)
		return mem_strdup(": the kernel has this function, but forbids probes in it");
	if (a->address >= a->boot_begin && a->address < a->boot_end)
		return mem_strdup(
			": the kernel runs this function at boot, and has freed its code");
	return mem_printf(": the kernel has this function, but its function tracer cannot see it; "
			  "watch:%s:`%s:x does%s",
			  a->desc->module, a->desc->function,
			  a->forbidden_are_known ? "" : ", unless the kernel forbids probes in it");
}

char *fbt_why_absent(struct probe_db *db, const struct probe_desc *desc)
{
	struct absence a = { .desc = desc };
	if (!*desc->function || !glob_is_plain(desc->function) || kernel_functions_problem())
		return NULL;
	kernel_functions(absence_see_listed, &a);
	kernel_function_addresses(absence_see_symbol, &a);
	a.forbidden_are_known = kernel_forbidden_functions(absence_see_forbidden, &a);
	return absence_text(&a);
}
