/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch - accesses of memory, by the debug registers of CPUs:  watch:MODULE:PLACE[+LENGTH]:ACCESS
 *
 *   PLACE    `symbol, or an address
 *   LENGTH   1, 2, 4 or 8 bytes, aligned; without it the symbol's size, or as many as the
 *            alignment allows
 *   ACCESS   w, rw, r (where CPUs can), or x: the instruction there is executed; without it w
 *
 * `watch` means addresses of the kernel, watch123 those of the process 123, whoever accesses them
 * for it: arg1 is the kernel's instruction if a system call does.  The two are two providers, as
 * probes of processes are found in another way.  A probe is made when it is named in full, and its
 * name has the length.  probe->data is a struct watched.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "kernel/kernel.h"
#include "provider/process/pid.h"
#include "provider/provider.h"
#include "symbol/symbol.h"

#define LONGEST 8
#define EXECUTED 8 /* perf_event_open(2): the length is sizeof(long) */

/* PLACE[+LENGTH], taken apart. */
struct place {
	const char *symbol; /* NULL: an address */
	size_t symbol_length;
	uint64_t address;
	uint32_t length; /* 0: not given */
};

struct watched {
	char *symbol; /* NULL: an address */
	uint64_t address;
	uint32_t length;
	bool by_default; /* its length was not given */
};

static const struct access {
	const char *name;
	uint32_t bits;
} accesses[] = {
	{ "w", WATCH_WRITES },
	{ "rw", WATCH_READS | WATCH_WRITES },
	{ "r", WATCH_READS },
	{ "x", WATCH_EXECUTION },
};

/* --- names ---------------------------------------------------------------------------------- */

static const struct access *access_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++)
		if (string_equal(accesses[i].name, *name ? name : "w"))
			return &accesses[i];
	return NULL;
}

static bool number_parse(const char *text, const char *end, uint64_t *ret)
{
	char *stop;
	errno = 0;
	*ret = strtoull(text, &stop, 0);
	return *text >= '0' && *text <= '9' && !errno && stop == end;
}

static bool place_parse(const char *text, struct place *ret)
{
	const char *plus = strrchr(text, '+');
	const char *end = plus ? plus : text + strlen(text);
	uint64_t length = 0;
	*ret = (struct place) { 0 };
	if (plus && (!number_parse(plus + 1, plus + strlen(plus), &length) || !length ||
		     length > UINT32_MAX))
		return false;
	ret->length = (uint32_t)length;
	if (number_parse(text, end, &ret->address))
		return true;
	ret->symbol = text + (*text == '`');
	ret->symbol_length = (size_t)(end - ret->symbol);
	return end > ret->symbol && (*text < '0' || *text > '9');
}

static bool watched_is_symbol(const struct watched *w, const struct place *place)
{
	return strlen(w->symbol) == place->symbol_length &&
	       strncmp(w->symbol, place->symbol, place->symbol_length) == 0;
}

static bool is_place(const struct probe *probe, const char *text)
{
	const struct watched *w = probe->data;
	struct place place;
	if (!w || !place_parse(text, &place) || !place.symbol != !w->symbol)
		return false;
	if (w->symbol ? !watched_is_symbol(w, &place) : w->address != place.address)
		return false;
	return place.length ? place.length == w->length : w->by_default;
}

/* watch:::PLACE is watch::PLACE:w. */
static bool watch_name_alias(const struct probe *probe, const char *name)
{
	return string_equal(probe->name, "w") && is_place(probe, name);
}

/* --- a description -------------------------------------------------------------------------- */

struct search {
	struct probe_db *db;
	const struct provider *owner;
	const struct probe_desc *desc;
	int pid; /* 0: the kernel */
	struct place place;
	const struct access *access;
	const char *module; /* of the place; "": unknown */
	uint64_t size;	    /* of the symbol; 0: unknown */
};

static struct error *watch_refuse(int tag, const struct search *s, struct error *why)
{
	const struct probe_desc *d = s->desc;
	return error_tag(error_wrap(why, "there is no probe %s:%s:%s:%s", d->provider, d->module,
				    d->function, d->name),
			 tag);
}

static struct error *search_parse(struct search *s)
{
	const struct probe_desc *d = s->desc;
	const char *place = *d->function ? d->function : d->name;
	s->access = access_of(*d->function ? d->name : "w");
	if (s->access && place_parse(place, &s->place))
		return NULL;
	return watch_refuse(
		D_PDESC_ZERO, s,
		error_new("it is written %s:MODULE:PLACE+LENGTH:ACCESS; PLACE is `SYMBOL or "
			  "an address, LENGTH 1, 2, 4 or 8, ACCESS w, r, rw or x",
			  d->provider));
}

/* --- symbols -------------------------------------------------------------------------------- */

static void *watch_symbols_new(struct probe_db *db)
{
	return symbols_new(probe_db_settings(db)->images);
}

static void watch_symbols_free(void *state)
{
	symbols_free(state);
}

/* Is it the address of a model that each CPU has a copy of? */
static bool is_of_each_cpu(struct symbols_kernel *kernel, uint64_t address)
{
	struct kernel_symbol start, end;
	return symbols_kernel_lookup(kernel, NULL, "__per_cpu_start", &start) &&
	       symbols_kernel_lookup(kernel, NULL, "__per_cpu_end", &end) &&
	       address >= start.address && address < end.address;
}

static struct error *no_kernel_symbol(struct symbols_kernel *kernel, const char *module,
				      const char *name)
{
	struct kernel_symbol a_variable;
	if (symbols_kernel_lookup(kernel, NULL, "init_task", &a_variable))
		return error_new("%s has no symbol '%s'", module ? module : "the kernel", name);
	return error_new("the kernel has no symbol '%s', as it lists no variables "
			 "(CONFIG_KALLSYMS_ALL is off): give the address",
			 name);
}

static struct error *kernel_find(struct search *s)
{
	struct symbols_kernel *kernel = symbols_kernel(probe_db_state(s->db, s->owner));
	auto_free char *name = mem_strndup(s->place.symbol, s->place.symbol_length);
	const char *module = *s->desc->module ? s->desc->module : NULL;
	const char *problem = symbols_kernel_problem(kernel);
	struct kernel_symbol found;
	if (problem)
		return error_new("%s", problem);
	if (!symbols_kernel_lookup(kernel, module, name, &found))
		return no_kernel_symbol(kernel, module, name);
	if (is_of_each_cpu(kernel, found.address))
		return error_new("each CPU has its own '%s'", name);
	s->place.address = found.address;
	s->module = found.module;
	return NULL;
}

static struct error *process_symbol_find(struct search *s)
{
	struct symbols *symbols = probe_db_state(s->db, s->owner);
	struct symbols_process *process = symbols_of(symbols, s->pid);
	auto_free char *name = mem_strndup(s->place.symbol, s->place.symbol_length);
	const char *module = *s->desc->module ? s->desc->module : NULL;
	struct user_symbol found;
	struct symbol_name name_there;
	switch (symbols_process_lookup(process, module, name, &found)) {
	case USER_SYMBOL_FOUND:
		break;
	case USER_SYMBOL_NO_MODULE:
		return error_new("process %d has not mapped %s", s->pid,
				 module ? module : "a file");
	case USER_SYMBOL_UNKNOWN:
		return error_new("%s has no symbol '%s'", module ? module : "the process", name);
	case USER_SYMBOL_THREAD_LOCAL:
		return error_new("each thread has its own '%s'", name);
	}
	s->place.address = found.address;
	s->size = found.size;
	if (symbols_process_find(process, found.address, &name_there) && name_there.module)
		s->module = name_there.module;
	return NULL;
}

/* --- what debug registers can do -------------------------------------------------------------- */

static bool is_length(uint64_t length)
{
	return length && length <= LONGEST && !(length & (length - 1));
}

/* As the symbol is, or the first bytes of it that one register covers. */
static uint32_t default_length(const struct search *s)
{
	uint32_t length = LONGEST;
	if (s->access->bits == WATCH_EXECUTION)
		return EXECUTED;
	while (length > 1 && (s->place.address % length || (s->size && length > s->size)))
		length /= 2;
	return length;
}

static struct error *length_check(const struct search *s)
{
	uint32_t length = s->place.length;
	if (s->access->bits == WATCH_EXECUTION)
		return length ? error_new("an instruction has no LENGTH") : NULL;
	if (length && !is_length(length))
		return error_new("the length is 1, 2, 4 or 8");
	if (length && s->place.address % length)
		return error_new("0x%llx is not a multiple of the length, %u",
				 (unsigned long long)s->place.address, length);
	return NULL;
}

static struct error *address_check(const struct search *s)
{
	bool of_kernel = s->place.address >> 63;
	if (!s->pid && !of_kernel)
		return error_new("0x%llx is not an address of the kernel; those of a process are "
				 "watch$target:::, with -c COMMAND or -p PID",
				 (unsigned long long)s->place.address);
	if (s->pid && of_kernel)
		return error_new("0x%llx is an address of the kernel: watch:::",
				 (unsigned long long)s->place.address);
	return NULL;
}

static struct error *access_check(const struct search *s)
{
	uint32_t bits = s->access->bits;
	if (bits == WATCH_EXECUTION && !s->pid && !kernel_has(FEATURE_KPROBE))
		return error_new("this kernel has no kprobes, without which it refuses to watch "
				 "its own code");
	int errnum = kernel_watches(WATCH_WRITES, LONGEST);
	if (errnum == EIO)
		return error_new("the debug registers of this machine do not work: a write of our "
				 "own was not reported (some virtual machines are so)");
	if (errnum)
		return error_sys(errnum,
				 "this machine, or its kernel, has no debug registers for it");
	if (kernel_watches(bits, bits == WATCH_EXECUTION ? EXECUTED : LONGEST) != 0)
		return error_new("CPUs of this kind cannot watch %s",
				 bits == WATCH_READS ? "reads alone: rw" : "it");
	return NULL;
}

/* --- probes ----------------------------------------------------------------------------------- */

static struct watched *watched_new(const struct search *s, uint32_t length)
{
	struct watched *w = mem_zalloc(sizeof(*w));
	const struct place *p = &s->place;
	w->symbol = p->symbol ? mem_strndup(p->symbol, p->symbol_length) : NULL;
	w->address = p->address;
	w->length = length;
	return w;
}

static void watched_free(void *data)
{
	struct watched *w = data;
	free(w->symbol);
	free(w);
}

static char *function_name(const struct search *s, uint32_t length)
{
	const struct place *p = &s->place;
	auto_strbuf struct strbuf name = { 0 };
	if (p->symbol)
		strbuf_printf(&name, "`%.*s", (int)p->symbol_length, p->symbol);
	else
		strbuf_printf(&name, "0x%llx", (unsigned long long)p->address);
	if (s->access->bits != WATCH_EXECUTION)
		strbuf_printf(&name, "+%u", length);
	return mem_strdup(strbuf_text(&name));
}

static void watch_add_event(const struct search *s, struct probe *p, uint32_t length)
{
	const struct event_args args = {
		.arg = { { ARG_CONSTANT, .value = (int64_t)s->place.address },
			 { ARG_CONTEXT, .value = arch_host()->pc } },
	};
	bool follows = probe_db_follows(s->db, s->pid);
	probe_db_add_event(s->db, p, EVENT_WATCH, &args)->watch =
		(struct event_watch) { s->place.address, length, s->access->bits, s->pid, follows };
}

/* The symbol's object may be at another address than before: the process runs another program. */
static struct probe *watch_probe_take(const struct search *s, struct probe *p)
{
	const struct watched *w = p->data;
	return w && w->address != s->place.address ? probe_db_succeed(s->db, p) : p;
}

static void watch_make(struct search *s)
{
	static const char *const types[] = { "uintptr_t", "uintptr_t", NULL };
	static const struct probe_args typed = { .types = types };
	const struct probe_desc *d = s->desc;
	uint32_t length = s->place.length ? s->place.length : default_length(s);
	auto_free char *function = function_name(s, length);
	struct probe *p = watch_probe_take(s, probe_db_add(s->db, s->owner, d->provider,
							   *d->module ? d->module : s->module,
							   function, s->access->name));
	if (!p->data) {
		p->data = watched_new(s, length);
		p->args = &typed;
		watch_add_event(s, p, length);
	}
	((struct watched *)p->data)->by_default |= !s->place.length;
}

static struct error *watch_search(struct search *s)
{
	struct error *err = search_parse(s);
	if (err)
		return err;
	s->module = "";
	if (s->place.symbol)
		err = s->pid ? process_symbol_find(s) : kernel_find(s);
	if (err)
		return watch_refuse(s->pid ? D_PROC_FUNC : D_PDESC_ZERO, s, err);
	err = address_check(s);
	if (!err)
		err = length_check(s);
	if (!err)
		err = access_check(s);
	if (err)
		return watch_refuse(D_PDESC_ZERO, s, err);
	watch_make(s);
	return NULL;
}

/* Is a probe named at all, and in full? */
static bool desc_names_place(const struct probe_desc *desc)
{
	return (*desc->function || *desc->name) && glob_is_plain(desc->function) &&
	       glob_is_plain(desc->name) && glob_is_plain(desc->module);
}

/* --- the two providers ------------------------------------------------------------------------ */

static bool watch_may_mean(const struct provider *self, const struct probe_desc *desc)
{
	return string_equal(desc->provider, "watch");
}

static struct error *watch_discover(const struct provider *self, struct probe_db *db,
				    const struct probe_desc *desc)
{
	struct search s = { .db = db, .owner = &provider_watch, .desc = desc };
	return desc_names_place(desc) ? watch_search(&s) : NULL;
}

static struct error *process_discover(const struct provider *self, struct probe_db *db,
				      const struct probe_desc *desc)
{
	struct search s = { .db = db, .owner = &provider_process_watch, .desc = desc };
	pid_object_vector objects = { 0 };
	probe_provider_pid(desc->provider, "watch", &s.pid);
	struct error *err = pid_grab(db, desc->provider, s.pid, &objects);
	vector_free(&objects);
	return err || !desc_names_place(desc) ? err : watch_search(&s);
}

static const struct provider_aliases aliases = { .function = is_place, .name = watch_name_alias };

#define WATCH                                                                                      \
	.name = "watch",                                                                           \
	.attributes = { EVOLVING_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_ISA,              \
			PRIVATE_ISA },                                                             \
	.state_new = watch_symbols_new, .state_free = watch_symbols_free, .aliases = &aliases,     \
	.free_data = watched_free

const struct provider provider_watch = {
	WATCH,
	.discover = watch_discover,
	.may_mean = watch_may_mean,
};

const struct provider provider_process_watch = {
	WATCH,
	.process = &provider_by_number,
	.discover = process_discover,
};
