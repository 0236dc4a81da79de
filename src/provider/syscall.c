/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall - entry and return of each system call
 *
 * Two raw tracepoints see all calls of all tasks, including those of 32-bit tasks, which the
 * kernel's own system call events miss.  Programs look up the probe by the call's number
 * (codegen/probe_table.c).
 *
 * A call of both tables is one probe with two numbers; one of only the 32-bit table is a separate
 * probe.
 */
#include <string.h>

#include "arch/arch.h"
#include "provider/provider.h"

static const struct event_args entry_places = {
	.arg = {
		{ ARG_SYSCALL_ARGUMENT, .value = 0 },
		{ ARG_SYSCALL_ARGUMENT, .value = 1 },
		{ ARG_SYSCALL_ARGUMENT, .value = 2 },
		{ ARG_SYSCALL_ARGUMENT, .value = 3 },
		{ ARG_SYSCALL_ARGUMENT, .value = 4 },
		{ ARG_SYSCALL_ARGUMENT, .value = 5 },
	},
};

static const struct probe_args untyped_args;

/* arg0 is -1 on error, as on Solaris; arg1 is the kernel's result.  The call's registers are still
 * there. */
static const struct event_args return_places = {
	.arg = {
		{ ARG_SYSCALL_STATUS },
		{ ARG_SYSCALL_RESULT },
		[EVENT_ENTRY_ARGUMENT + 0] = { ARG_SYSCALL_ARGUMENT, .value = 0 },
		[EVENT_ENTRY_ARGUMENT + 1] = { ARG_SYSCALL_ARGUMENT, .value = 1 },
		[EVENT_ENTRY_ARGUMENT + 2] = { ARG_SYSCALL_ARGUMENT, .value = 2 },
		[EVENT_ENTRY_ARGUMENT + 3] = { ARG_SYSCALL_ARGUMENT, .value = 3 },
		[EVENT_ENTRY_ARGUMENT + 4] = { ARG_SYSCALL_ARGUMENT, .value = 4 },
		[EVENT_ENTRY_ARGUMENT + 5] = { ARG_SYSCALL_ARGUMENT, .value = 5 },
	},
};
static const struct probe_args return_args = {
	.types = (const char *const[]) { "long", "long", NULL },
};

static const struct typed_call {
	const char *name;
	struct probe_args args;
} typed_calls[] = {
#define CALL(name, ...)                                                                            \
	{ #name, { .types = (const char *const[]) { __VA_ARGS__, NULL }, .user_pointers = true } },
#include "provider/syscall_types.def"
#undef CALL
};

/* From names of calls to their struct probe_args. */
static struct hash *typed_by_name(void)
{
	struct hash *h = hash_new();
	for (size_t i = 0; i < ARRAY_SIZE(typed_calls); i++)
		hash_put_string(h, typed_calls[i].name, (void *)&typed_calls[i].args);
	return h;
}

static bool ends_thread(const char *call)
{
	return string_equal(call, "exit") || string_equal(call, "exit_group");
}

/* A call at NATIVE in the native table, at COMPAT in the 32-bit one; -1: not in the table. */
static void syscall_add(struct probe_db *db, const struct hash *typed, const char *name, int native,
			int compat)
{
	struct event_call call = { .native = native, .compat = compat };
	struct probe *leave,
		*entry = probe_db_add(db, &provider_syscall, "syscall", "vmlinux", name, "entry");
	leave = probe_db_add(db, &provider_syscall, "syscall", "vmlinux", name, "return");
	leave->args = &return_args;
	probe_db_add_event(db, leave, EVENT_SYSCALL_RETURN, &return_places)->call = call;
	call.no_return = ends_thread(name);
	const struct probe_args *args = hash_get_string(typed, name);
	entry->args = args ? args : &untyped_args;
	probe_db_add_event(db, entry, EVENT_SYSCALL_ENTRY, &entry_places)->call = call;
}

/*
 * The index of native call N in the 32-bit table, or -1; and of each compat call in the native
 * table.
 */
struct partners {
	int of_native[SYSCALL_NUMBERS];
	bool compat_is_native[SYSCALL_NUMBERS];
};

static void partners_fill(struct partners *p, const struct arch *a)
{
	struct hash *numbers = hash_new(); /* of compat calls, + 1 */
	for (unsigned i = 0; i < a->compat_calls.count; i++)
		if (a->compat_calls.names[i])
			hash_put_string(numbers, a->compat_calls.names[i],
					(void *)(uintptr_t)(i + 1));
	for (unsigned i = 0; i < SYSCALL_NUMBERS; i++) {
		const char *name = arch_call_name(&a->calls, i);
		uintptr_t found = name ? (uintptr_t)hash_get_string(numbers, name) : 0;
		p->of_native[i] = (int)found - 1;
		if (found)
			p->compat_is_native[found - 1] = true;
	}
	hash_free(numbers);
}

/* The set is fixed: all of it is made at the first question, which is the one for everything. */
static struct error *syscall_discover(const struct provider *self, struct probe_db *db,
				      const struct probe_desc *desc)
{
	if (probe_db_find(db, "syscall", "vmlinux", "read", "entry"))
		return NULL;
	const struct arch *a = arch_host();
	struct hash *typed = typed_by_name();
	struct partners partners = { 0 };
	partners_fill(&partners, a);
	for (unsigned i = 0; i < a->calls.count; i++)
		if (a->calls.names[i])
			syscall_add(db, typed, a->calls.names[i], (int)i, partners.of_native[i]);
	for (unsigned i = 0; i < a->compat_calls.count; i++)
		if (a->compat_calls.names[i] && !partners.compat_is_native[i])
			syscall_add(db, typed, a->compat_calls.names[i], -1, (int)i);
	hash_free(typed);
	return NULL;
}

/* An entry and a return of each name. */
static unsigned syscall_count(void)
{
	return 2 * arch_host()->call_names;
}

static int number_in(const struct arch_calls *calls, const char *name)
{
	for (unsigned i = 0; i < calls->count; i++)
		if (calls->names[i] && string_equal(calls->names[i], name))
			return (int)i;
	return -1;
}

bool syscall_numbers(struct probe_db *db, const char *name, struct event_call *ret)
{
	const struct arch *a = asked_arch(db);
	*ret = (struct event_call) { number_in(&a->calls, name), number_in(&a->compat_calls, name),
				     ends_thread(name) };
	return ret->native >= 0 || ret->compat >= 0;
}

const struct event_args *syscall_places(bool is_return)
{
	return is_return ? &return_places : &entry_places;
}

/* The kernel's events have other names for some calls. */
static bool syscall_alias(const struct probe *probe, const char *function)
{
	static const struct {
		const char *event, *call;
	} aliases[] = {
		{ "newstat", "stat" },	 { "newlstat", "lstat" },      { "newfstat", "fstat" },
		{ "newuname", "uname" }, { "sendfile64", "sendfile" }, { "umount", "umount2" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (string_equal(aliases[i].event, function))
			return string_equal(aliases[i].call, probe->function);
	return false;
}

const struct provider provider_syscall = {
	.name = "syscall",
	.attributes = { EVOLVING_COMMON, PRIVATE_UNKNOWN, EVOLVING_COMMON, EVOLVING_COMMON,
			PRIVATE_ISA },
	.discover = syscall_discover,
	.count = syscall_count,
	.aliases = &(const struct provider_aliases) { .function = syscall_alias },
};
