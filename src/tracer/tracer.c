/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/tracer.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "loader/loader.h"
#include "tracer/internal.h"

extern char **environ;

static bool kernel_symbol(void *arg, const char *module, const char *name, struct sema_symbol *ret)
{
	struct tracer *t = arg;
	struct kernel_symbol symbol;
	if (!symbols_kernel_lookup(symbols_kernel(t->symbols), module, name, &symbol))
		return false;
	*ret = (struct sema_symbol) { symbol.address, symbol.module, symbol.is_function,
				      symbol.size };
	return true;
}

static uint64_t kernel_function_alone(void *arg, const char *name)
{
	(void)arg;
	return kernel_address(name);
}

static const char *kernel_symbols_problem(void *arg)
{
	struct tracer *t = arg;
	return symbols_kernel_problem(symbols_kernel(t->symbols));
}

/* As debug information has it. */
static uint64_t link_address_of(const struct user_symbol *symbol)
{
	return symbol->link_address | (symbol->is_thread_local ? DEBUG_INFO_THREAD_LOCAL : 0);
}

static enum sema_user_found user_symbol(void *arg, const char *module, const char *name,
					struct sema_user_symbol *ret)
{
	static const enum sema_user_found found[] = {
		[USER_SYMBOL_FOUND] = SEMA_USER_FOUND,
		[USER_SYMBOL_NO_MODULE] = SEMA_USER_NO_MODULE,
		[USER_SYMBOL_UNKNOWN] = SEMA_USER_UNKNOWN,
		[USER_SYMBOL_THREAD_LOCAL] = SEMA_USER_THREAD_LOCAL,
	};
	struct tracer *t = arg;
	struct symbols_process *process = symbols_of(t->symbols, (int)t->sema_env.target);
	struct user_symbol symbol;
	enum user_symbol_found answer = symbols_process_lookup(process, module, name, &symbol);
	if (answer != USER_SYMBOL_FOUND)
		return found[answer];
	*ret = (struct sema_user_symbol) {
		.address = symbol.address,
		.size = symbol.size,
		.is_function = symbol.is_function,
		.is_thread_local = symbol.is_thread_local,
	};
	struct debug_info *info = symbol.is_function ? NULL : image_debug_info(symbol.image);
	if (info)
		ret->type = types_object_variable(t->types, info, link_address_of(&symbol), name);
	if (info && !ret->type)
		ret->missing = debug_info_first_missing_file(info);
	return SEMA_USER_FOUND;
}

static struct file_types file_types_of(void *arg, int pid, const char *module)
{
	struct tracer *t = arg;
	const struct probe *p = pid || !t->sema ? NULL : sema_probe_of_module(t->sema, module);
	if (p)
		return probe_file_types(p);
	int process = pid ? pid : (int)t->sema_env.target;
	struct image *i =
		process ? symbols_process_image(symbols_of(t->symbols, process), module) : NULL;
	struct elf_file *elf = i ? image_elf(i) : NULL;
	const char *why; /* damaged BTF is as none here: args[] have the reason */
	if (!elf)
		return (struct file_types) { .btf = bytes_of(NULL, 0) };
	return (struct file_types) {
		.info = image_debug_info(i),
		.btf = image_btf(i, &why),
		.is_narrow = elf_file_word(elf) == 4,
	};
}

struct tracer *tracer_new(void)
{
	struct tracer *t = mem_zalloc(sizeof(*t));
	tracer_split_init(t);
	t->options = options_new();
	auto_error struct error *refused = kernel_executor.outside->check();
	t->has_privileges = !refused;
	tracer_choose_executor(t);
	t->arena = arena_new();
	t->types = types_new(NULL);
	types_set_objects(t->types, file_types_of, t);
	t->images = images_new();
	images_set_interrupts(t->images, &t->signals.interrupts);
	t->symbols = symbols_new(t->images);
	t->probes = probe_db_new(providers);
	probe_db_lend_types(t->probes, t->types);
	probe_db_announce(t->probes, later_providers);
	t->sema_env = (struct sema_env) { .arg = t,
					  .kernel_symbol = kernel_symbol,
					  .kernel_function = kernel_function_alone,
					  .kernel_symbols_problem = kernel_symbols_problem,
					  .user_symbol = user_symbol,
					  .parse_note = tracer_parse_note,
					  .library_mistakes = &t->compiling.library_mistakes };
	wings_new(t);
	t->sema = sema_new(t->arena, t->types, t->probes, &t->sema_env);
	t->request.output_fd = STDOUT_FILENO;
	t->request.output_name = "<stdout>";
	tracer_init_macros(t);
	t->signals.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return t;
}

static void end_processes(struct tracer *t)
{
	bool keep = option_number(t->options, OPTION_childkeep);
	for (size_t i = 0; i < t->processes.list.count; i++) {
		if (!keep)
			process_kill(t->processes.list.items[i]);
		process_free(t->processes.list.items[i]);
	}
	vector_free(&t->processes.list);
	vector_free(&t->processes.pids);
	vector_free(&t->refusals.trampolines);
}

void tracer_free(struct tracer *t)
{
	if (!t)
		return;
	wings_do(end, t);
	if (t->executing && t->executor->outside)
		t->executor->outside->detach(t->executing);
	if (t->beside.executing)
		t->beside.executor->outside->detach(t->beside.executing);
	end_processes(t);
	output_free(t->output);
	consumer_free(t->consumer);
	vector_free(&t->running);
	vector_free(&t->watched.list);
	t->signals.firing[0] = t->signals.firing[1] = NULL;
	if (t->executing)
		t->executor->free(t->executing);
	if (t->beside.executing)
		t->beside.executor->free(t->beside.executing);
	sema_free(t->sema);
	probe_db_free(t->probes);
	types_free(t->types); /* which may have types of images */
	symbols_free(t->symbols);
	wings_free(t);
	images_free(t->images);
	options_free(t->options);
	diagnostics_deinit(&t->compiling.library_mistakes);
	vector_free(&t->compiling.done);
	arena_free(t->arena);
	if (t->signals.wake >= 0)
		close(t->signals.wake);
	free(t);
}

/* --- options ------------------------------------------------------------------------- */

static void take_options(struct tracer *t)
{
	if (option_number(t->options, OPTION_debug))
		log_enabled = true;
	message_set_raw(option_number(t->options, OPTION_rawterminal));
}

const char *tracer_set_option(struct tracer *t, const char *name, const char *value)
{
	const char *why = options_set(t->options, name, value, OPTION_BY_COMMAND);
	take_options(t);
	return why;
}

bool tracer_option_is_set(const struct tracer *t, const char *name)
{
	enum option id = option_by_name(name);
	return id != OPTION_COUNT && option_is_set(t->options, id);
}

struct error *tracer_set_options_from_environment(struct tracer *t)
{
	const char *variable;
	const char *why = options_set_from_environment(t->options, environ, &variable);
	if (getenv("DTRACE_DEBUG"))
		log_enabled = true;
	t->request.testing = getenv("_DTRACE_TESTING") != NULL;
	if (t->request.testing)
		options_set(t->options, "quietresize", NULL, OPTION_BY_COMMAND);
	return why ? error_new("%s: %s", variable, why) : NULL;
}

const struct options *tracer_options(const struct tracer *t)
{
	return t->options;
}

void tracer_set_args(struct tracer *t, const char *const *args, unsigned count)
{
	t->request.args = args;
	t->request.arg_count = count;
}

void tracer_args_are_of(struct tracer *t, const char *program)
{
	t->request.args_are_of = program;
}

void tracer_set_output(struct tracer *t, int fd, const char *name)
{
	t->request.output_fd = fd;
	t->request.output_name = name;
}

bool tracer_is_for_programs(const struct tracer *t)
{
	uint64_t form = option_number(t->options, OPTION_oformat);
	return form == FORM_JSON || form >= FORM_STREAM;
}

int tracer_command_output(const struct tracer *t)
{
	struct stat data, ours;
	bool is_mixed = tracer_is_for_programs(t) && fstat(t->request.output_fd, &data) == 0 &&
			fstat(STDOUT_FILENO, &ours) == 0 && stat_is_same_file(&data, &ours);
	return is_mixed ? STDERR_FILENO : 0;
}

/* --- processes ------------------------------------------------------------------------- */

static struct error *add_process(struct tracer *t, struct process *p)
{
	vector_push(&t->processes.list, p);
	vector_push(&t->processes.pids, process_pid(p));
	return NULL;
}

/* A program that ptrace(2) follows through exec gets no privileges from its file, unless the tracer
 * has CAP_SYS_PTRACE. */
static void warn_of_privileges(int pid)
{
	char program[PATH_MAX] = "";
	struct stat file;
	struct statvfs mount;
	auto_free char *path = mem_printf("/proc/%d/exe", pid);
	if (stat(path, &file) < 0 || statvfs(path, &mount) < 0 || mount.f_flag & ST_NOSUID ||
	    process_status_number(pid, "NoNewPrivs") > 0)
		return;
	bool user = file.st_mode & S_ISUID && process_auxiliary(pid, AT_EUID) != file.st_uid;
	bool group = (file.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
		     process_auxiliary(pid, AT_EGID) != file.st_gid;
	if ((user || group) && readlink(path, program, sizeof(program) - 1) > 0)
		message("warning: %s runs without the privileges of its %s (set%s), as it is "
			"traced: "
			"dtrace must be run as root",
			program, user ? "owner" : "group", user ? "uid" : "gid");
}

static struct error *add_held_process(struct tracer *t, struct process *p)
{
	warn_of_privileges(process_pid(p));
	const char *why = process_held_late(p);
	if (why)
		message("warning: process %d waits at its entry, not before the initializers of "
			"its libraries: %s",
			process_pid(p), why);
	return add_process(t, p);
}

static void warn_of_no_shell(const char *command)
{
	auto_free char *word = command_shell_operator(command);
	if (word)
		message("warning: no shell reads -c, and %s is an argument: -c 'sh -c \"%s\"'",
			word, command);
}

struct error *tracer_create_process(struct tracer *t, const char *command)
{
	warn_of_no_shell(command);
	enum process_hold hold = (enum process_hold)option_number(t->options, OPTION_evaltime);
	struct process_start start = {
		.quotes_are_ordinary = option_number(t->options, OPTION_cshell),
		.outlives_us = option_number(t->options, OPTION_childkeep),
		.must_hold = option_is_set(t->options, OPTION_evaltime),
		.output = tracer_command_output(t),
	};
	start.set = option_list(t->options, OPTION_setenv, &start.set_count);
	start.unset = option_list(t->options, OPTION_unsetenv, &start.unset_count);
	struct process *p;
	struct error *err = wings_try(command, t, &start);
	if (!err)
		err = process_create(&start, command, hold, &p);
	if (err)
		return err;
	return add_held_process(t, p);
}

struct error *tracer_await_process(struct tracer *t, const char *name)
{
	enum process_hold hold = (enum process_hold)option_number(t->options, OPTION_evaltime);
	struct process *p;
	if (!option_number(t->options, OPTION_quiet))
		message("waiting for the next start of %s", name);
	struct error *err =
		process_await(name, hold, option_is_set(t->options, OPTION_evaltime), &p);
	return err ? err : add_held_process(t, p);
}

struct error *tracer_grab(struct tracer *t, int pid)
{
	struct process *p;
	struct error *err = process_grab(pid, &p);
	if (err)
		return err;
	return add_process(t, p);
}

static void wake(struct tracer *t)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t ignored = write(t->signals.wake, &one, sizeof(one));
	(void)ignored;
	errno = saved;
}

/*
 * Signals that belong together are closer: timeout(1) sends one to its child and one to the group,
 * a terminal and a shell may both send one.
 */
#define APART_NS 500000000ull

void tracer_interrupt(struct tracer *t, bool at_once)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!t->signals.interrupts)
		t->signals.interrupted_at = now;
	if (at_once || now - t->signals.interrupted_at >= APART_NS)
		t->signals.interrupts = 2;
	else if (!t->signals.interrupts)
		t->signals.interrupts = 1;
	/* Now, not after the present data are printed: that may take long (system()). */
	for (unsigned n = 0; n < ARRAY_SIZE(t->signals.firing); n++) {
		struct control *firing = t->signals.firing[n];
		uint32_t active = ACTIVITY_ACTIVE;
		if (firing)
			__atomic_compare_exchange_n(&firing->activity, &active, ACTIVITY_DRAINING,
						    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
	wake(t);
}

void tracer_show_now(struct tracer *t)
{
	t->signals.show_now = 1;
	wake(t);
}

/* --- the kernel ------------------------------------------------------------------------ */

void tracer_describe_kernel(FILE *f)
{
	for (int i = 0; i < FEATURE_COUNT; i++)
		if (kernel_has((enum kernel_feature)i))
			fprintf(f, " %s", kernel_feature_name((enum kernel_feature)i));
}
