/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Anonymous tracing: tracing without a process that reads
 *
 *   tracer_save()    dtrace -A: the D text, its options, arguments and macros, as text
 *   tracer_leave()   an early service: compile it, load, attach, BEGIN; pin all that, and end
 *   (the kernel)     probes fire, buffers fill by bufpolicy; records that do not fit are counted
 *   tracer_claim()   dtrace -a: compile the same text again, open the pins, remove them;
 *                    from here on like tracing that we started
 *
 * The text is pinned with the kernel's objects, so that claiming needs no file: the file that -A
 * wrote may be in an initial RAM disk, or have changed.  Data that were only in memory (probes by
 * number, formats, layouts) are compiled again, and a fingerprint over code, layouts and the
 * probes' names shows whether they are the same (loader/pin.c).
 *
 * Always true:
 *   1. The folder with the pins' name is complete: it is made under another name and renamed.
 *   2. Only one process claims it: a lock is held until all pins are removed.
 *   3. From then on everything belongs to the claimer's descriptors: kill -9 ends tracing.
 *
 * Not followed until tracing is claimed: CPUs that come and go (timers), changes of
 * the clock (walltimestamp counts from the clock at the start).
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "tracer/anonymous/anonymous.h"
#include "tracer/anonymous/saved.h"
#include "tracer/internal.h"
#include "tracer/library/library.h"

struct anonymous {
	struct saved *restored; /* the saved programs that it runs, or NULL */
};

static void anonymous_free(struct tracer *t)
{
	saved_free(t->anonymous->restored);
}

const struct wing anonymous_wing = {
	.size = sizeof(struct anonymous),
	.free = anonymous_free,
};

/* --- saving -------------------------------------------------------------------------------- */

static struct error *check_probes(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		int pid;
		bool of_process = tracer_process_of(&c->desc, &pid);
		for (unsigned k = 0; k < c->probe_count && !of_process; k++)
			of_process = c->probes[k]->owner->process;
		if (of_process)
			return error_new("probes of a process (%s) cannot be saved: when they are "
					 "enabled, it will be another one",
					 c->desc.provider);
	}
	return NULL;
}

/* Directories are looked for from another one. */
static void save_option(const char *given, struct strbuf *ret)
{
	static const char *const paths[] = { "libdir=", "syslibdir=" };
	char whole[PATH_MAX];
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		size_t len = strlen(paths[i]);
		if (strncmp(given, paths[i], len) == 0 && realpath(given + len, whole)) {
			auto_free char *option = mem_printf("%s%s", paths[i], whole);
			saved_add(ret, "option", option, strlen(option));
			return;
		}
	}
	saved_add(ret, "option", given, strlen(given));
}

struct error *anonymous_write_program(const struct tracer_program *p, struct strbuf *ret)
{
	const char *keyword = saved_keyword(p->kind);
	if (!keyword)
		return error_new("probe %s cannot be saved by its number, which may be another "
				 "probe's by then: name it",
				 p->name);
	if (p->kind != PROGRAM_SCRIPT) {
		saved_add(ret, keyword, p->text, p->len);
		return NULL;
	}
	saved_add(ret, keyword, p->name, strlen(p->name));
	saved_add(ret, "text", p->text, p->len);
	return NULL;
}

static bool setting_may_travel(const char *setting)
{
	auto_free char *name = mem_strndup(setting, strcspn(setting, "="));
	return option_may_travel(option_by_name(name));
}

void anonymous_write_environment(const struct tracer *t, bool travels, struct strbuf *ret)
{
	size_t count;
	const char *const *given = options_given(t->options, &count);
	for (size_t i = 0; i < count; i++)
		if (!travels || setting_may_travel(given[i]))
			save_option(given[i], ret);
	for (unsigned i = 0; i < t->request.arg_count; i++)
		saved_add(ret, "argument", t->request.args[i], strlen(t->request.args[i]));
	for (size_t i = 0; i < ARRAY_SIZE(t->request.macros); i++) {
		auto_free char *macro = mem_printf("%s=%lld", t->request.macros[i].name,
						   (long long)t->request.macros[i].value);
		saved_add(ret, "macro", macro, strlen(macro));
	}
}

struct error *anonymous_write(const struct tracer *t, bool is_compiled, struct strbuf *ret)
{
	struct error *err = NULL;
	size_t count;
	const char *const *options = options_by_program(t->options, &count);
	saved_begin(ret);
	anonymous_write_environment(t, false, ret);
	for (size_t i = 0; i < count && is_compiled; i++)
		save_option(options[i], ret);
	for (size_t i = 0; i < t->compiling.done.count && !err; i++)
		err = anonymous_write_program(t->compiling.done.items[i].program, ret);
	saved_end(ret);
	return err;
}

struct error *tracer_save(struct tracer *t, struct strbuf *ret)
{
	struct error *err = check_probes(t);
	if (!err)
		err = tracer_permit(t);
	if (!err)
		err = tracer_lacks(t, t->executor->pin, "continue without dtrace");
	if (!err)
		err = tracer_generate(t);
	return err ? err : anonymous_write(t, false, ret);
}

/* --- compiling saved programs ---------------------------------------------------------------- */

static struct error *check_option(const char *name)
{
	return option_may_travel(option_by_name(name))
		       ? NULL
		       : error_new("-x %s cannot be set from another machine", name);
}

static struct error *restore_option(struct tracer *t, char *text, bool is_foreign)
{
	char *equals = strchr(text, '=');
	if (equals)
		*equals = 0;
	struct error *err = is_foreign ? check_option(text) : NULL;
	if (err)
		return err;
	const char *why = tracer_set_option(t, text, equals ? equals + 1 : NULL);
	return why ? error_new("failed to set -x %s: %s", text, why) : NULL;
}

static struct error *restore_macro(struct tracer *t, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->request.macros); i++) {
		struct macro_value *m = &t->request.macros[i];
		size_t len = strlen(m->name);
		if (strncmp(text, m->name, len) == 0 && text[len] == '=') {
			m->value = strtoll(text + len + 1, NULL, 10);
			return NULL;
		}
	}
	return error_new("there is no macro %s", text);
}

static void restore_arguments(struct tracer *t, const struct saved *s)
{
	const char **args = arena_alloc(t->arena, (s->arguments.count + 1) * sizeof(*args));
	for (size_t i = 0; i < s->arguments.count; i++)
		args[i] = s->arguments.items[i].text;
	tracer_set_args(t, args, (unsigned)s->arguments.count);
}

static struct error *restore_program(struct tracer *t, const struct saved_program *saved)
{
	struct tracer_program *program = ARENA_NEW(t->arena, struct tracer_program);
	program->kind = saved->kind;
	program->name = saved->name.text;
	program->text = saved->text.text;
	program->len = saved->text.len;
	return tracer_compile(t, program) ? NULL : error_new("a program has mistakes here");
}

struct error *anonymous_restore(struct tracer *t, const char *text, size_t len, bool is_foreign)
{
	struct error *err = saved_parse(text, len, &t->anonymous->restored);
	if (err)
		return err;
	const struct saved *s = t->anonymous->restored;
	for (size_t i = 0; i < s->options.count && !err; i++)
		err = restore_option(t, s->options.items[i].text, is_foreign);
	for (size_t i = 0; i < s->macros.count && !err; i++)
		err = restore_macro(t, s->macros.items[i].text);
	restore_arguments(t, s);
	for (size_t i = 0; i < s->programs.count && !err; i++)
		err = restore_program(t, &s->programs.items[i]);
	return err;
}

static struct error *restore(struct tracer *t, const char *text, size_t len)
{
	struct error *err = anonymous_restore(t, text, len, false);
	return err ? err : check_probes(t);
}

/* --- leaving --------------------------------------------------------------------------------- */

/* Pinned as saved-0, followed by the text. */
struct left {
	uint64_t missed_before; /* firings, see struct tracer */
	int64_t boot_wall_ns;	/* is in the code, and the clock may have been set since */
};

/* A hash of the names of all groups' probes. */
static uint64_t names_of_probes(const struct tracer *t)
{
	uint64_t sum = HASH_OF_NOTHING;
	for (unsigned i = 0; i < t->program.group_count; i++)
		for (uint32_t k = 0; k < group_probe_count(&t->program.groups[i]); k++) {
			const struct probe *p =
				probe_db_get(t->probes, t->program.groups[i].probe_ids[k]);
			if (!p)
				continue;
			const char *const names[] = { p->provider, p->module, p->function,
						      p->name };
			for (size_t n = 0; n < ARRAY_SIZE(names); n++)
				sum = hash_more(sum, names[n], strlen(names[n]) + 1);
		}
	return sum;
}

static struct error *pin_text(struct tracer *t, const struct strbuf *saved, const char *dir)
{
	struct left left = { t->progress.missed_before, *library_boot_wall_ns(t) };
	auto_strbuf struct strbuf bytes = { 0 };
	strbuf_add(&bytes, &left, sizeof(left));
	strbuf_add(&bytes, strbuf_text(saved), saved->len);
	struct pin_name name = { dir, "saved", 0 };
	return pin_bytes(&name, strbuf_text(&bytes), (uint32_t)bytes.len);
}

static struct error *pin_everything(struct tracer *t, const struct strbuf *saved, const char *dir)
{
	struct error *err = pins_make(dir);
	if (!err)
		err = pin_text(t, saved, dir);
	return err ? err : t->executor->pin->pin(t->executing, names_of_probes(t), dir);
}

static char *making(const char *pins)
{
	return mem_printf("%s-making", pins);
}

static struct error *leave(struct tracer *t, const struct strbuf *saved, const char *pins)
{
	if (pins_exist(pins))
		return error_new("anonymous tracing is running already: %s -a claims it, "
				 "%s -x anon=stop ends it",
				 message_program(), message_program());
	auto_free char *beside = making(pins);
	struct error *err = pins_remove(beside); /* of one that was killed */
	if (!err)
		err = restore(t, strbuf_text(saved), saved->len);
	if (!err)
		err = tracer_lacks(t, t->executor->pin, "continue without dtrace");
	if (!err)
		err = tracer_enable(t);
	if (err)
		return err;
	tracer_activate(t);
	err = pin_everything(t, saved, beside);
	if (!err)
		err = pins_rename(beside, pins);
	if (err)
		error_free(pins_remove(beside));
	return err;
}

struct error *tracer_leave(struct tracer *t, const struct strbuf *saved, const char *pins)
{
	int lock = -1;
	t->request.is_anonymous = true;
	struct error *err = kernel_check_privileges();
	if (!err)
		err = pins_lock(pins, true, &lock);
	if (!err)
		err = leave(t, saved, pins);
	pins_unlock(pins, lock);
	return err ? error_wrap(err, "could not enable tracing") : NULL;
}

/* --- claiming -------------------------------------------------------------------------------- */

/* The caller frees *RET, the header of the text. */
static struct error *read_text(const char *pins, struct left **ret, struct strbuf *text)
{
	struct pin_name name = { pins, "saved", 0 };
	auto_free void *bytes = NULL;
	uint32_t size;
	struct error *err = pin_read_bytes(&name, &bytes, &size);
	if (err)
		return err;
	if (size < sizeof(struct left))
		return error_new("the objects pinned in %s are not dtrace's", pins);
	strbuf_add(text, (const char *)bytes + sizeof(struct left), size - sizeof(struct left));
	*ret = take(bytes);
	return NULL;
}

static struct error *adopt(struct tracer *t, const struct left *left, const char *pins)
{
	struct error *err = tracer_generate(t);
	struct executor_options options = tracer_executor_options(t);
	if (!err)
		err = tracer_lacks(t, t->executor->pin, "claim what the kernel runs");
	if (!err)
		err = t->executor->pin->adopt(&t->program, &options, names_of_probes(t), pins,
					      &t->executing);
	if (err)
		return err;
	vector_push(&t->running, &t->program);
	t->progress.missed_before = left->missed_before;
	return tracer_connect(t);
}

static struct error *claim(struct tracer *t, const char *pins)
{
	auto_free struct left *left = NULL;
	auto_strbuf struct strbuf text = { 0 };
	struct error *err = read_text(pins, &left, &text);
	if (!err)
		*library_boot_wall_ns(t) = left->boot_wall_ns;
	if (!err)
		err = restore(t, strbuf_text(&text), text.len);
	if (!err)
		err = adopt(t, left, pins);
	if (err)
		return error_wrap(err,
				  "anonymous tracing is running (%s -x anon=stop ends it), and "
				  "cannot be claimed",
				  message_program());
	t->signals.firing[0] = t->source.control;
	wings_do(begin, t);
	return pins_remove(pins);
}

static struct error *lock_what_is_there(const char *pins, int *lock)
{
	struct error *err = kernel_check_privileges();
	if (!err)
		err = pins_lock(pins, false, lock);
	bool none = err ? error_errno(err) == ENOENT : !pins_exist(pins);
	if (!none)
		return err;
	error_free(err);
	return error_new("No anonymous tracing state");
}

struct error *tracer_claim(struct tracer *t, const char *pins)
{
	t->request.is_anonymous = true;
	int lock = -1;
	struct error *err = lock_what_is_there(pins, &lock);
	if (!err)
		err = claim(t, pins);
	pins_unlock(pins, lock);
	err = err ? error_wrap(err, "could not enable tracing") : tracer_release_processes(t);
	return err ? tracer_written(t, err) : NULL;
}

void tracer_finish(struct tracer *t)
{
	uint32_t active = ACTIVITY_ACTIVE;
	__atomic_compare_exchange_n(&t->source.control->activity, &active, ACTIVITY_DRAINING, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

struct error *tracer_stop_anonymous(const char *pins, bool *found)
{
	int lock = -1;
	auto_free char *beside = making(pins);
	struct error *err = kernel_check_privileges();
	if (!err)
		err = pins_lock(pins, false, &lock);
	*found = !err && (pins_exist(pins) || pins_exist(beside));
	if (!err)
		err = pins_remove(beside);
	if (!err)
		err = pins_remove(pins);
	pins_unlock(pins, lock);
	if (!err || error_errno(err) != ENOENT)
		return err;
	error_free(err);
	return NULL;
}
