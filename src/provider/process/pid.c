/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid - the functions of one process
 *
 *   pid.c          from a description to the functions that it means
 *   pid_make.c     their probes: entry, return, offsets
 *   pid_object.c   the files that a process runs
 *   pid_files.c    those of every process: pid*:libx.so:f:entry
 *   pid_ifunc.c    functions with several implementations
 *   pid_site.c     the place of an entry probe in a file, also in Go, and forbidden places
 *   pid_code.c     instructions: offsets, and the steps by which code leads elsewhere
 *   pid_red_zone.c places where a probe would overwrite a function's variables
 *   pid_exits.c    the places of return probes: also where functions end by a jump
 *   pid_parts.c    the ranges of a function's code
 *   pid_arguments.c, pid_call.c  args[] by debug information and calling convention
 *   pid_frames.c   functions without a name
 *   pid_lines.c    lines of source files
 *   pid_inlined.c  copies of functions that the compiler has put into others
 *   pid_missing.c  messages if there are none
 *   pid_watch.c    detects that the process runs new code
 *
 * A function is one probe, by the best of its names (object/object.h); its other names, in
 * full or by a pattern, match this probe.  probe->data is a struct pid_probe.
 *
 * A return is seen by a probe at each instruction that leaves the function.  The process runs as
 * it does without us, and arg0 is that instruction's offset.  On x86_64 such a probe costs five
 * times as much as a return probe of the kernel, as the kernel single-steps a `ret`.  A function
 * that ends by a jump to another one returns when that does, if its exits are known, too
 * (pid_exits.c).
 *
 * A return probe of the kernel replaces the return address on the stack, and keeps the addresses of
 * a thread in the order of its calls.  So it ends or changes a program that switches stacks
 * (fibers, coroutines, signal handlers on a stack of their own), unwinds them (exceptions) or moves
 * them (Go).  No analysis can tell which programs do: the code that switches may be loaded when
 * addresses are already replaced, and nearly every server maps a library that could.  So only the
 * user can choose this way (-x pidret=kernel).
 *
 * Cheaper exact ways were sought in vain: session links of uprobe_multi place the same return
 * probe; the caller's return address as a place of a probe is a place in each caller, known only
 * when the call happens; and the kernel emulates no `ret` (uprobe_xol_ops of x86_64 has jumps,
 * calls, pushes and nops).
 *
 * At the site of a static probe with a semaphore, a probe raises that, too: the kernel keeps one
 * semaphore for a place, and would refuse (EINVAL) whoever attaches there later with another one,
 * us and other tracers.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "provider/process/mapped_files.h"
#include "provider/process/pid.h"
#include "provider/process/pid_code.h"
#include "provider/provider.h"

#define SITES_MOST 250000  /* of one description: what Solaris allowed in all */
#define INSIDE_MOST 100000 /* of them inside functions: pid123::: means every instruction */
#define FILE_MOST 200	   /* places in one file, of every process that maps it */

bool pid_module_wanted(const struct pid_search *s, const struct pid_object *object)
{
	const char *module = s->desc->module;
	return probe_field_match(module, object->module) ||
	       (glob_is_plain(module) && pid_object_alias(object, module));
}

/* --- objects ---------------------------------------------------------------------------------- */

static bool symbol_wanted(const struct pid_search *s, const struct elf_symbol *symbol)
{
	const char *pattern = s->desc->function;
	if (!symbol->is_function)
		return false;
	return s->function_is_plain ? pid_name_is(pattern, symbol->name)
				    : pid_name_match(pattern, symbol->name);
}

/* The probes of FUNCTION, whose FDE has the length if its symbol has none; entries need none. */
static void function_make(struct pid_search *s, struct pid_object *object,
			  struct elf_symbol function)
{
	if (!function.size && (s->leave || s->inside))
		function.size = frames_function_size(image_frames(object->image), function.address);
	pid_function_make(s, object, &function);
}

/* The probes of the code at ADDRESS that IFUNC chooses: its own symbol has the length. */
static void implementation_make(struct pid_search *search, struct pid_object *object,
				struct elf_symbol ifunc, uint64_t address)
{
	const struct elf_symbol *s = elf_file_symbol_at(pid_object_elf(object), address);
	ifunc.address = address;
	ifunc.is_ifunc = false;
	ifunc.size = s && s->address == address ? s->size : 0;
	function_make(search, object, ifunc);
}

/* The function at FIRST, the first of COUNT symbols of one address, by its best name, if one of its
 * names is wanted; else NULL. */
static const struct elf_symbol *wanted(const struct pid_search *s, const struct elf_symbol *first,
				       size_t count)
{
	const struct elf_symbol *best = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!best && first[i].is_function)
			best = &first[i];
		if (symbol_wanted(s, &first[i]))
			return best;
	}
	return NULL;
}

static void ifunc_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol)
{
	static const char in_vdso[] = "its code is in the vdso, where uprobes cannot be placed";
	uint64_t address;
	switch (pid_ifunc_chosen(object, symbol->name, &address)) {
	case PID_CHOICE_KNOWN:
		implementation_make(s, object, *pid_ifunc_at(object, address), address);
		return;
	case PID_CHOICE_VDSO:
		if (!s->function_is_plain)
			pid_leave_out(s, object, symbol->name, in_vdso, true);
		s->danger = in_vdso;
		s->danger_tag = D_PROC_CREATEFAIL;
		return;
	case PID_CHOICE_UNKNOWN:
		if (!s->function_is_plain)
			pid_leave_out(s, object, symbol->name,
				      "the implementation in use is unknown", false);
		s->ifunc = object->module;
		return;
	}
}

/* The probes of SYMBOL, one of whose names is wanted, by the best name of the code that runs. */
static void symbol_make(struct pid_search *s, struct pid_object *object,
			const struct elf_symbol *symbol)
{
	s->named_at = symbol->address;
	if (symbol->is_ifunc) {
		ifunc_make(s, object, symbol);
		return;
	}
	const struct elf_symbol *ifunc = pid_ifunc_at(object, symbol->address);
	if (ifunc)
		implementation_make(s, object, *ifunc, symbol->address);
	else
		function_make(s, object, *symbol);
}

static struct error *too_many(const struct pid_search *s)
{
	uint64_t allowed = probe_db_settings(s->db)->most;
	uint64_t most = allowed ? allowed : s->inside ? INSIDE_MOST : SITES_MOST;
	if (s->of_every_process)
		most = s->sites_before + (allowed ? allowed : FILE_MOST);
	if (s->sites <= most)
		return NULL;
	if (s->of_every_process)
		return error_tag(error_new("%s:%s:%s:%s means more than %" PRIu64
					   " places in one file, in each process that maps it (-x "
					   "pidmax=N allows more)",
					   s->desc->provider, s->desc->module, s->desc->function,
					   s->desc->name, most - s->sites_before),
				 D_PROC_CREATEFAIL);
	return error_tag(error_new("%s:%s:%s:%s means more than %" PRIu64 " probes (-x pidmax=N "
				   "allows more)",
				   s->desc->provider, s->desc->module, s->desc->function,
				   s->desc->name, most),
			 D_PROC_CREATEFAIL);
}

/* Symbols come by address, the best name of each first. */
static struct error *symbols_search(struct pid_search *s, struct pid_object *object)
{
	const struct elf_symbol *symbols;
	size_t count;
	struct error *err = elf_file_symbols(pid_object_elf(object), &symbols, &count);
	for (size_t i = 0, next; i < count && !err; i = next) {
		for (next = i + 1; next < count && symbols[next].address == symbols[i].address;)
			next++;
		const struct elf_symbol *symbol = wanted(s, &symbols[i], next - i);
		if (!symbol)
			continue;
		symbol_make(s, object, symbol);
		err = too_many(s);
	}
	return err;
}

/* The same for the plain name of a function, which is its symbol's. */
static struct error *named_search(struct pid_search *s, struct pid_object *object)
{
	struct elf_file *elf = pid_object_elf(object);
	struct elf_named named = elf_file_named(elf, s->desc->function);
	const struct elf_symbol *before = NULL, *of_name;
	struct error *err = NULL;
	for (; !err && (of_name = elf_named_next(&named)); before = of_name) {
		size_t count;
		const struct elf_symbol *first = elf_file_symbols_at(elf, of_name->address, &count);
		const struct elf_symbol *symbol = wanted(s, first, count);
		if (!symbol || (before && before->address == of_name->address))
			continue;
		symbol_make(s, object, symbol);
		err = too_many(s);
	}
	return err;
}

static struct error *nameless_make(struct pid_search *s, struct pid_object *object,
				   const struct elf_symbol *function)
{
	s->named_at = function->address;
	pid_function_make(s, object, function);
	return too_many(s);
}

static struct error *pid_object_search(struct pid_search *s, struct pid_object *object)
{
	if (pid_lines_wanted(s->desc->function)) {
		pid_lines_search(s, object);
		return too_many(s);
	}
	s->is_go = elf_file_is_go(pid_object_elf(object));
	if (pid_frames_wanted(s->desc->function))
		return pid_frames_search(s, object, nameless_make);
	if (pid_stubs_wanted(s->desc->function))
		return pid_stubs_search(s, object, nameless_make);
	bool by_symbol = s->function_is_plain && !elf_file_has_unscoped(pid_object_elf(object));
	struct error *err = by_symbol ? named_search(s, object) : symbols_search(s, object);
	if (err || !s->function_is_plain)
		return err;
	pid_inlined_search(s, object);
	return too_many(s);
}

/* An unreadable file is an error only if the description names it, or if it is the program. */
static struct error *object_visit(struct pid_search *s, struct pid_object *object)
{
	s->sites_before = s->sites;
	struct error *err = pid_object_open(object);
	if (!err)
		err = pid_object_search(s, object);
	if (!err || error_tag_of(err) == D_PROC_CREATEFAIL)
		return err;
	if (!s->sites && (!*s->desc->module || !glob_is_plain(s->desc->module))) {
		log_debug("pid: %s", error_text(err));
		if (object->is_main)
			s->unreadable = err;
		else
			error_free(err);
		return NULL;
	}
	return error_tag(err, D_PROC_LIB);
}

/* --- descriptions -------------------------------------------------------------------------- */

static bool offset_parse(const char *name, uint64_t *ret)
{
	char *end;
	if (!*name || name[strspn(name, "0123456789abcdefABCDEF")])
		return false;
	errno = 0;
	*ret = strtoull(name, &end, 16);
	return !errno;
}

static struct error *line_name_check(const char *name)
{
	if (probe_field_match(name, PID_LINE_NAME))
		return NULL;
	return error_tag(
		error_new("'%s' is an invalid probe name: of a source line it is " PID_LINE_NAME,
			  name),
		D_PROC_NAME);
}

static struct error *pid_name_check(struct pid_search *s)
{
	const char *name = s->desc->name;
	bool plain = *name && glob_is_plain(name);
	if (pid_lines_wanted(s->desc->function))
		return line_name_check(name);
	s->entry = probe_field_match(name, "entry");
	s->leave = probe_field_match(name, "return");
	s->offset_is_plain = offset_parse(name, &s->offset);
	/* A pattern that begins or ends like a word means no offsets: entry*, *urn. */
	s->inside = s->offset_is_plain || (!plain && !s->entry && !s->leave) ||
		    probe_field_match(name, "0");
	if (!plain || s->entry || s->leave || s->inside)
		return NULL;
	return error_tag(error_new("'%s' is an invalid probe name: it may be entry, return, or an "
				   "offset in hexadecimal digits",
				   name),
			 D_PROC_NAME);
}

/* pid123:a.out:-:7f001234, an address in the process. */
static struct error *address_search(struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	if (*d->module && !string_equal(d->module, "a.out"))
		return error_tag(error_new("only the a.out module is valid with the '-' function"),
				 D_PROC_LIB);
	if (!s->offset_is_plain)
		return error_tag(error_new("only individual addresses may be specified with the "
					   "'-' function"),
				 D_PROC_NAME);
	struct event_site site = { 0 };
	uint64_t address;
	struct pid_object *object = pid_object_at(pid_table_of(s->db), s->pid, s->offset, &site.at);
	struct error *err = object ? pid_object_open(object) : NULL;
	if (err)
		return error_tag(err, D_PROC_LIB);
	if (!object || !elf_file_address(pid_object_elf(object), site.at, &address) ||
	    pid_code_is_exclusive(pid_object_elf(object), address) ||
	    !pid_site_exact(pid_object_elf(object), address, &site.at))
		return error_tag(error_new("failed to create probes at 0x%llx: %s",
					   (unsigned long long)s->offset,
					   object ? "the kernel cannot probe this instruction"
						  : "no code is mapped there"),
				 D_PROC_CREATEFAIL);
	pid_probe_make(s, object, "-", d->name, site);
	return NULL;
}

/* Why nothing of PID can be traced although its mappings can be read, or NULL. */
static struct error *closed_error(int pid)
{
	static const char *const why[] = {
		[PROCESS_ENDED] = "it has ended",
		[PROCESS_KERNEL] = "it is a thread of the kernel, which runs no program",
		[PROCESS_CLOSED] =
			"its files cannot be opened: needs CAP_SYS_PTRACE, or to be its owner",
	};
	enum process_state state = process_state(pid);
	return why[state] ? error_new("failed to grab process %d: %s", pid, why[state]) : NULL;
}

static struct error *grab_error(struct error *err, int pid)
{
	int errnum = error_errno(err);
	if (errnum == ENOENT && access("/proc/self", F_OK) < 0) {
		error_free(err);
		err = error_new("failed to grab process %d: /proc is not mounted here", pid);
	} else if ((errnum == ENOENT || errnum == ESRCH) && (kill(pid, 0) == 0 || errno == EPERM)) {
		error_free(err);
		err = error_new("failed to grab process %d: it is there, but /proc hides it "
				"(mount option hidepid): needs CAP_SYS_PTRACE",
				pid);
	} else if (errnum == ENOENT || errnum == ESRCH) {
		error_free(err);
		err = error_new("failed to grab process %d: no such process", pid);
	} else if (errnum == EACCES || errnum == EPERM) {
		error_free(err);
		err = error_new("failed to grab process %d: its memory map cannot be read: needs "
				"CAP_SYS_PTRACE, or to be its owner",
				pid);
	} else {
		err = error_wrap(err, "failed to grab process %d", pid);
	}
	return error_tag(err, D_PROC_GRAB);
}

struct error *pid_grab(struct probe_db *db, const char *provider, int pid, pid_object_vector *ret)
{
	if (pid == 0)
		return error_tag(error_new("%s does not contain a valid pid", provider),
				 D_PROC_BADPID);
	if (pid == getpid())
		return error_tag(error_new("process %d is dtrace itself", pid), D_PROC_GRAB);
	struct pid_table *t = pid_table_of(db);
	if (pid_objects_of_round(t, pid, ret))
		return NULL;
	struct error *err = pid_objects(t, pid, ret);
	if (err)
		return grab_error(err, pid);
	struct error *closed = pid_is_followed(t, pid) ? NULL : closed_error(pid);
	if (closed)
		return error_tag(closed, D_PROC_GRAB);
	pid_objects_keep(t, pid, ret);
	return NULL;
}

static struct error *pid_objects_search(struct pid_search *s)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		if (!pid_module_wanted(s, s->objects.items[i]))
			continue;
		s->found_object = true;
		struct error *err = object_visit(s, s->objects.items[i]);
		if (err)
			return err;
	}
	if (!s->sites && s->unreadable)
		return error_tag(take(s->unreadable), D_PROC_LIB);
	return pid_nothing_found(s);
}

struct error *process_check(struct probe_db *db, const char *provider, int pid)
{
	pid_object_vector objects = { 0 };
	struct error *err = pid_grab(db, provider, pid, &objects);
	vector_free(&objects);
	return err;
}

static struct error *pid_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	struct pid_search s = { .db = db, .desc = desc };
	s.of_every_process = pid_of_every_process(self, db, desc->provider);
	probe_provider_pid(desc->provider, "pid", &s.pid);
	s.function_is_plain = pid_name_is_plain(desc->function);
	bool by_address = string_equal(desc->function, "-");
	bool is_possible = s.of_every_process || (s.pid && s.pid != getpid());
	struct error *name_err = is_possible ? pid_name_check(&s) : NULL;
	if (name_err && !by_address)
		return name_err;
	error_free(name_err);

	struct error *err = s.of_every_process ? pid_files_find(&s)
					       : pid_grab(db, desc->provider, s.pid, &s.objects);
	if (!err)
		err = by_address ? address_search(&s) : pid_objects_search(&s);
	vector_free(&s.objects);
	error_free(s.unreadable);
	return err;
}

static bool pid_module_alias(const struct probe *probe, const char *module)
{
	return pid_object_alias(pid_object_of(probe), module);
}

static bool pid_function_alias(const struct probe *probe, const char *function)
{
	const struct pid_probe *p = probe->data;
	struct elf_file *elf = pid_object_elf(p->object);
	if (p->copies && pid_name_match(function, probe->function))
		return true;
	for (size_t i = 0; elf && i < p->functions.count; i++) {
		size_t count;
		const struct elf_symbol *names =
			elf_file_symbols_at(elf, p->functions.items[i], &count);
		for (size_t k = 0; k < count; k++)
			if (names[k].is_function && pid_name_match(function, names[k].name))
				return true;
	}
	return false;
}

/* Patterns mean functions with code. */
static const char *pid_only_in_full(const struct probe *probe)
{
	const struct pid_probe *p = probe->data;
	return p->copies && !p->sites.count ? "its function has only inlined copies" : NULL;
}

static const struct provider_aliases aliases = { .function = pid_function_alias,
						 .module = pid_module_alias };

static const struct provider_code code = {
	.watch = pid_code_watch,
	.unwatch = pid_code_unwatch,
	.join = pid_code_join,
	.has_changed = pid_code_has_changed,
};

MAPPED_FILES_OF(struct pid_table, struct pid_probe);

static const struct provider_process process = {
	.name_means = pid_names_mean,
	.variable = pid_variable,
	.functions_around = pid_functions_around,
	.code = &code,
	.files = &mapped_files_of_provider,
	.files_are_meant = pid_of_every_process,
};

const struct provider provider_pid = {
	.name = "pid",
	.attributes = { EVOLVING_ISA, EVOLVING_ISA, EVOLVING_ISA, EVOLVING_ISA, PRIVATE_UNKNOWN },
	.state_new = pid_table_new,
	.state_free = pid_table_free,
	.discover = pid_discover,
	.aliases = &aliases,
	.arguments = pid_arguments,
	.only_in_full = pid_only_in_full,
	.free_data = pid_probe_free,
	.process = &process,
};
