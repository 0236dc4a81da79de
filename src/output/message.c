/* SPDX-License-Identifier: BSD-2-Clause */
/* message - reports on standard error: drops and faults */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/escape.h"
#include "output/internal.h"

/* LINE after the name.  There is no way to report that standard error does not work. */
static void message_write(struct output *o, enum message_kind kind, struct strbuf *line)
{
	writer_flush(&o->file);
	o->messages_too_soon += o->file.used > 0;
	struct writer messages;
	writer_init(&messages, o->setup.message_fd);
	strbuf_clear(&o->shown);
	message_add_name(&o->shown, kind, o->setup.message_fd);
	strbuf_puts(&o->shown, ": ");
	escape_add(&o->shown, strbuf_text(line), line->len, message_escapes(o->setup.message_fd));
	strbuf_putc(&o->shown, '\n');
	writer_add(&messages, strbuf_text(&o->shown), o->shown.len);
	writer_flush(&messages);
	writer_deinit(&messages);
}

static __attribute__((format(printf, 3, 4))) void
message_print(struct output *o, enum message_kind kind, const char *fmt, ...)
{
	auto_strbuf struct strbuf line = { 0 };
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&line, fmt, ap);
	va_end(ap);
	message_write(o, kind, &line);
}

void message_drop(struct output *o, const struct drop *drop)
{
	auto_free char *text = drop_text(drop);
	if (o->options.droptags)
		message_print(o, MESSAGE_LOSS, "[%s] %s", drop_tag(drop->kind), text);
	else
		message_print(o, MESSAGE_LOSS, "%s", text);
}

/* --- faults ------------------------------------------------------------------------------- */

enum fault_detail { DETAIL_NONE, DETAIL_HEX, DETAIL_DECIMAL };

static const struct fault_row {
	enum fault fault;
	const char *text;
	enum fault_detail detail;
} fault_rows[] = {
	{ FAULT_UNKNOWN, "unknown fault", DETAIL_NONE },
	{ FAULT_BADADDR, "invalid address", DETAIL_HEX },
	{ FAULT_BADALIGN, "invalid alignment", DETAIL_HEX },
	{ FAULT_ILLOP, "illegal operation", DETAIL_NONE },
	{ FAULT_DIVZERO, "divide-by-zero", DETAIL_NONE },
	{ FAULT_NOSCRATCH, "out of scratch space", DETAIL_NONE },
	{ FAULT_KPRIV, "invalid kernel access", DETAIL_HEX },
	{ FAULT_UPRIV, "invalid user access", DETAIL_HEX },
	{ FAULT_TUPOFLOW, "tuple stack overflow", DETAIL_NONE },
	{ FAULT_BADSTACK, "bad stack", DETAIL_HEX },
	{ FAULT_BADSIZE, "invalid size", DETAIL_HEX },
	{ FAULT_BADINDEX, "index out of bounds", DETAIL_DECIMAL },
	{ FAULT_BADSPEC, "illegal speculation id", DETAIL_DECIMAL },
	{ FAULT_TAILCALL,
	  "result unknown: the function ends by a jump to code whose return is not traced "
	  "(-x pidret=kernel knows it)",
	  DETAIL_NONE },
	{ FAULT_LOOP,
	  "more passes of a loop than -x maxloop allows, or of nested ones than 8388608",
	  DETAIL_DECIMAL },
	{ FAULT_UNREADABLE, "the argument cannot be read here", DETAIL_NONE },
	{ FAULT_NOINTEGER, "no int64_t has the value of this float or double", DETAIL_NONE },
	{ FAULT_LIBRARY, "library-level fault", DETAIL_NONE },
};

static const struct fault_row *fault_row_of(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_SIZE(fault_rows); i++)
		if ((uint32_t)fault_rows[i].fault == code)
			return &fault_rows[i];
	return &fault_rows[0];
}

static void fault_begin(struct strbuf *line, const struct record *r)
{
	strbuf_printf(line, "error on enabled probe ID %u (ID %u: %s:%s:%s:%s): ", r->clause->epid,
		      r->header->probe, r->probe->provider, r->probe->module, r->probe->function,
		      r->probe->name);
}

static void fault_detail(struct strbuf *line, const struct fault_row *row, uint64_t address)
{
	if (row->detail == DETAIL_DECIMAL)
		strbuf_printf(line, " (%" PRId64 ")", (int64_t)address);
	else if (row->detail == DETAIL_HEX && address != UINT64_MAX)
		strbuf_printf(line, " (0x%" PRIx64 ")", address);
}

const char *fault_name(uint32_t code)
{
	return fault_row_of(code)->text;
}

static void fault_place(struct strbuf *line, const struct clause_layout *clause, uint32_t action,
			int32_t pc)
{
	if (action)
		strbuf_printf(line, " in action #%u", action);
	else
		strbuf_puts(line, " in predicate");
	if (pc >= 0)
		strbuf_printf(line, " at DIF offset %" PRId32, pc);
	if (clause->line)
		strbuf_printf(line, " (line %u)", clause->line);
}

void fault_text(struct strbuf *line, const struct record *r, const struct record_fault *fault)
{
	const struct fault_row *row = fault_row_of(fault->code);
	strbuf_puts(line, row->text);
	fault_detail(line, row, fault->address);
	fault_place(line, r->clause, fault->action, fault->pc);
}

/* --- directories, which calls like openat() have where older ones have a path --- */

/* Those whose paths are elsewhere than in arg1. */
static const struct {
	const char *call, *paths;
} other_paths[] = {
	{ "symlinkat", "path is arg2" },
	{ "fanotify_mark", "path is arg4" },
	{ "linkat", "paths are arg1 and arg3" },
	{ "renameat", "paths are arg1 and arg3" },
	{ "renameat2", "paths are arg1 and arg3" },
	{ "move_mount", "paths are arg1 and arg3" },
};

static const char *paths_of(const char *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_paths); i++)
		if (string_equal(other_paths[i].call, call))
			return other_paths[i].paths;
	return "path is arg1";
}

/* Callers may extend the int by its sign, or by zeros. */
static bool is_at_fdcwd(const struct probe_names *probe, uint64_t address)
{
	return (address == (uint64_t)AT_FDCWD || address == (uint32_t)AT_FDCWD) &&
	       !strcmp(probe->provider, "syscall") && !strcmp(probe->name, "entry");
}

/* Calls whose arg0 is the descriptor of a directory; their names alone do not say (fstat, shmat).
 */
static const char *const of_directories[] = {
	"openat",     "openat2",	   "mknodat",	 "mkdirat",    "unlinkat",  "linkat",
	"renameat",   "renameat2",	   "faccessat",	 "faccessat2", "fchmodat",  "fchmodat2",
	"fchownat",   "readlinkat",	   "newfstatat", "statx",      "utimensat", "futimesat",
	"move_mount", "name_to_handle_at", "execveat",	 "open_tree",
};

static bool begins_with_directory(const char *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_directories); i++)
		if (string_equal(of_directories[i], call))
			return true;
	return false;
}

/* As addresses descriptors are in the first page, where no process has memory. */
#define DESCRIPTORS 4096

static bool is_descriptor(const struct probe_names *probe, uint64_t address)
{
	return address < DESCRIPTORS && !strcmp(probe->provider, "syscall") &&
	       !strcmp(probe->name, "entry") && begins_with_directory(probe->function);
}

/* By where it fired: what hinders waiting for a page, where that could be done. */
enum remedy { REMEDY_BROUGHT_IN, REMEDY_AT_ENTRY, REMEDY_IN_DTRACE, REMEDY_IN_MEMORY };

static const char *const remedies[] = {
	[REMEDY_BROUGHT_IN] = "",
	[REMEDY_AT_ENTRY] =
		"; if it was read so, its page is not in memory: read before the clause "
		"changes anything, or at a pid probe (the guide's page on errors says when a "
		"clause waits for it)",
	[REMEDY_IN_DTRACE] = ", but this probe fires in dtrace itself",
	[REMEDY_IN_MEMORY] = ", and only where its page is in memory (probes of pid bring it in)",
};

static bool fires_in_dtrace(const struct probe_names *probe)
{
	return !strcmp(probe->provider, "dtrace");
}

static enum remedy remedy_at(const struct probe_names *probe)
{
	if (!strncmp(probe->provider, "pid", 3))
		return REMEDY_BROUGHT_IN;
	if (fires_in_dtrace(probe))
		return REMEDY_IN_DTRACE;
	return !strcmp(probe->provider, "syscall") && !strcmp(probe->name, "entry")
		       ? REMEDY_AT_ENTRY
		       : REMEDY_IN_MEMORY;
}

/* Each once: faults may be many. */
static void report_remedy(struct output *o, const struct record *r, struct strbuf *line)
{
	enum remedy remedy = remedy_at(r->probe);
	if (o->remedies_reported & 1u << remedy)
		return;
	o->remedies_reported |= 1u << remedy;
	strbuf_puts(line, ": user memory is read by copyin(), copyinstr() and userland pointers");
	strbuf_puts(line, remedies[remedy]);
}

static void report_cause(struct output *o, const struct record *r, const struct record_fault *fault,
			 struct strbuf *line)
{
	if (is_at_fdcwd(r->probe, fault->address))
		strbuf_printf(line, ": that is AT_FDCWD, a directory; %s's %s", r->probe->function,
			      paths_of(r->probe->function));
	else if (is_descriptor(r->probe, fault->address))
		strbuf_printf(line, ": that may be a directory's descriptor; %s's %s",
			      r->probe->function, paths_of(r->probe->function));
	else if (fault->memory == MEMORY_UNMAPPED)
		strbuf_puts(line,
			    fires_in_dtrace(r->probe)
				    ? ": the process, which is dtrace itself, has no memory there"
				    : ": the process has no memory there");
	/* By far the most bad addresses are those of the process, taken for the kernel's. */
	else if (fault->address >= 0x10000 && fault->address >> arch_host()->user_bits == 0)
		report_remedy(o, r, line);
}

/* --- the same fault of the same clause, again and again --- */

#define FAULTS_SHOWN 10

struct fault_key {
	uint32_t clause, code, action;
};

/* Counts FAULT.  Is it one of the first of its kind, which are shown?  *IS_LAST of them? */
static bool fault_is_shown(struct output *o, const struct record *r,
			   const struct record_fault *fault, bool *is_last)
{
	struct fault_key key = { r->header->clause, fault->code, fault->action };
	if (!o->faults)
		o->faults = hash_new();
	void **place = hash_place(o->faults, &key, sizeof(key));
	uintptr_t count = (uintptr_t)*place + 1;
	*place = (void *)count;
	*is_last = count == FAULTS_SHOWN;
	return count <= FAULTS_SHOWN;
}

static void tell_more(void *output, const void *bytes, size_t size, void *value)
{
	struct output *o = output;
	struct fault_key key;
	memcpy(&key, bytes, sizeof(key));
	uintptr_t count = (uintptr_t)value;
	if (count <= FAULTS_SHOWN)
		return;
	const struct clause_layout *clause =
		&consumer_program(o->setup.consumer)->clauses[key.clause];
	auto_strbuf struct strbuf where = { 0 };
	fault_place(&where, clause, key.action, -1);
	message_print(o, MESSAGE_ERROR, "%ju more error%s on enabled probe ID %u: %s%s",
		      (uintmax_t)count - FAULTS_SHOWN, count == FAULTS_SHOWN + 1 ? "" : "s",
		      clause->epid, fault_name(key.code), strbuf_text(&where));
}

void message_more_faults(struct output *o)
{
	if (o->faults)
		hash_visit(o->faults, tell_more, o);
	hash_free(o->faults);
	o->faults = NULL;
}

void message_fault(struct output *o, const struct record *r, const struct record_fault *fault)
{
	auto_strbuf struct strbuf line = { 0 };
	bool is_last;
	if (!fault_is_shown(o, r, fault, &is_last))
		return;
	fault_begin(&line, r);
	fault_text(&line, r, fault);
	if (fault->code == FAULT_BADADDR)
		report_cause(o, r, fault, &line);
	if (is_last)
		strbuf_puts(&line, " (further ones are counted)");
	message_write(o, MESSAGE_ERROR, &line);
}

void message_problem(struct output *o, const struct record *r, const char *text)
{
	auto_strbuf struct strbuf line = { 0 };
	if (!r->problem)
		fault_begin(&line, r);
	strbuf_puts(&line, text);
	message_write(o, MESSAGE_ERROR, &line);
}

void message_library_fault(struct output *o, const struct record *r, const char *fmt, ...)
{
	auto_strbuf struct strbuf line = { 0 };
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&line, fmt, ap);
	va_end(ap);
	o->ops->problem(o, r, strbuf_text(&line));
}
