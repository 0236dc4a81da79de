/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall - entry and return of each system call
 *
 * Two raw tracepoints see all calls of all tasks, those of 32-bit tasks too,
 * which the kernel's own system call events miss.  The program looks its probe
 * up by number in a table:
 *
 *     0 ... 511    native calls
 *   512 ... 1023   calls of the 32-bit table
 *
 * A third program, at the returns, goes on with what clauses at entries had to put aside because
 * memory was absent (codegen/wait.c).  It is attached before that of the returns, and so runs
 * first.
 *
 * A call of both tables is one probe with two places; one of the 32-bit table
 * only is a probe of its own.  Attaching costs the same for one call and for
 * all: never an event for each (closing 720 of them takes over a minute).
 */
#include <string.h>

#include "arch/arch.h"
#include "kernel/kernel.h"
#include "provider/provider.h"

/* clang-format off */
#define ENTRY_PLACES                                                                               \
	{                                                                                          \
		{ ARG_SYSCALL_ARGUMENT, 0 }, { ARG_SYSCALL_ARGUMENT, 1 },                          \
		{ ARG_SYSCALL_ARGUMENT, 2 }, { ARG_SYSCALL_ARGUMENT, 3 },                          \
		{ ARG_SYSCALL_ARGUMENT, 4 }, { ARG_SYSCALL_ARGUMENT, 5 },                          \
	}
/* clang-format on */

static const struct probe_args untyped_args = { .arg = ENTRY_PLACES };

/* arg0 is -1 on error, as on Solaris; arg1 is what the kernel answered. */
static const struct probe_args return_args = {
	.arg = { { ARG_SYSCALL_STATUS, 0 }, { ARG_SYSCALL_RESULT, 0 } },
	.types = (const char *const[]) { "long", "long", NULL },
};

static const struct typed_call {
	const char *name;
	struct probe_args args;
} typed_calls[] = {
#define CALL(name, ...)                                                                            \
	{ #name,                                                                                   \
	  { .arg = ENTRY_PLACES,                                                                   \
	    .types = (const char *const[]) { __VA_ARGS__, NULL },                                  \
	    .user_pointers = true } },
#include "provider/syscall_types.def"
#undef CALL
};

static const struct probe_args *entry_args(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(typed_calls); i++)
		if (string_equal(typed_calls[i].name, name))
			return &typed_calls[i].args;
	return &untyped_args;
}

static bool ends_thread(const char *call)
{
	return string_equal(call, "exit") || string_equal(call, "exit_group");
}

static void call_add(struct probe_db *db, const char *name, unsigned index)
{
	struct probe *entry =
		probe_db_add(db, &provider_syscall, "syscall", "vmlinux", name, "entry");
	entry->event = EVENT_SYSCALL_ENTRY;
	entry->args = entry_args(name);
	entry->number = index;
	entry->no_return = ends_thread(name);

	struct probe *leave =
		probe_db_add(db, &provider_syscall, "syscall", "vmlinux", name, "return");
	leave->event = EVENT_SYSCALL_RETURN;
	leave->args = &return_args;
	leave->number = index;
}

/* Where native call N stands in the 32-bit table, or -1; and where each compat call natively. */
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

static const struct partners *partners(void)
{
	static struct partners p;
	static bool known;
	if (!known)
		partners_fill(&p, arch_host());
	known = true;
	return &p;
}

/* The set is fixed: all of it is made at the first question, which is the one for everything. */
static struct error *syscall_discover(struct probe_db *db, const struct probe_desc *desc)
{
	if (probe_db_find(db, "syscall", "vmlinux", "read", "entry"))
		return NULL;
	const struct arch *a = arch_host();
	for (unsigned i = 0; i < a->calls.count; i++)
		if (a->calls.names[i])
			call_add(db, a->calls.names[i], SYSCALL_INDEX(i));
	for (unsigned i = 0; i < a->compat_calls.count; i++)
		if (a->compat_calls.names[i] && !partners()->compat_is_native[i])
			call_add(db, a->compat_calls.names[i], SYSCALL_COMPAT_INDEX(i));
	return NULL;
}

static unsigned syscall_table_index(const struct probe *probe, unsigned which, bool *more)
{
	unsigned first = (unsigned)probe->number;
	int other = first < SYSCALL_NUMBERS ? partners()->of_native[first] : -1;
	*more = which == 0 && other >= 0;
	return which == 0 ? first : SYSCALL_COMPAT_INDEX((unsigned)other);
}

/* The kernel's events have names of their own for some calls. */
static const char *syscall_alias(const char *function)
{
	static const struct {
		const char *event, *call;
	} aliases[] = {
		{ "newstat", "stat" },	 { "newlstat", "lstat" },      { "newfstat", "fstat" },
		{ "newuname", "uname" }, { "sendfile64", "sendfile" }, { "umount", "umount2" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (string_equal(aliases[i].event, function))
			return aliases[i].call;
	return NULL;
}

static struct error *syscall_attach(const struct attach_request *request, struct link_set *links)
{
	bool entry = request->event == EVENT_SYSCALL_ENTRY; /* else RESUME or RETURN */
	return link_typed_tracepoint(request->program, entry ? "sys_enter" : "sys_exit", links);
}

const struct provider provider_syscall = {
	.name = "syscall",
	.provider = EVOLVING_COMMON,
	.module = PRIVATE_UNKNOWN,
	.function = EVOLVING_COMMON,
	.probe = EVOLVING_COMMON,
	.args = PRIVATE_ISA,
	.discover = syscall_discover,
	.attach = syscall_attach,
	.table_index = syscall_table_index,
	.function_alias = syscall_alias,
};
