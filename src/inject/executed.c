/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that the process executes, and children that share its memory until they do
 *
 * A jump at the C library's calls leads to the agent.  Before vfork() and its like it notes that
 * the thread's area may be a child's, too (agent/inside/area.c).  At execve() and execveat(), also
 * by their numbers in syscall(), the thread of a process of -c asks for the tracer and waits
 * (agent/inside/execute.c).  The tracer seizes it, and holds the process in the new program as it
 * held it at first (process/executed.c). There the process gets the same memory again, the jumps of
 * files that it had before, and the probes that descriptions find in the new ones (tracer/live/).
 * Then it is released.
 *
 * All threads but one have ended, also in the middle of a firing, so their areas become free.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/attaching.h"

/* --- the jumps -------------------------------------------------------------------------------- */

/* The C library, or a program that has it inside. */
static bool has_c_library(const struct mapping *m, bool is_static, uint64_t program)
{
	static const char *const beginnings[] = { "libc.", "libc-", "ld-musl" };
	size_t len;
	const char *name = mapping_base_name(m->path, &len);
	bool has = is_static && m->inode == program;
	for (unsigned i = 0; i < ARRAY_SIZE(beginnings); i++)
		has |= !strncmp(name, beginnings[i], strlen(beginnings[i]));
	return has && m->executable && m->inode;
}

#define STEPS_MOST 8 /* instructions */

/* The first of a function's that is as long as a jump: nothing leads into it.  0: there is none. */
static uint64_t long_instruction(const struct code_file *f, uint64_t at)
{
	uint64_t address;
	struct instruction i = { 0 };
	if (!elf_file_address(f->elf, at, &address))
		return 0;
	for (unsigned n = 0; n < STEPS_MOST; n++) {
		struct bytes code = elf_file_code(f->elf, address, 16);
		if (code_is_long(f, at))
			return at;
		if (!arch_host()->decode(&code, &i) || i.flow != FLOW_NEXT)
			return 0;
		at += i.length;
		address += i.length;
	}
	return 0;
}

/* A static program exports none. */
static bool exported_find(struct elf_file *elf, const char *name, uint64_t *address, uint64_t *size)
{
	if (elf_file_exported(elf, name, address, size))
		return true;
	const struct elf_symbol *s =
		elf_file_has_section(elf, ".dynsym") ? NULL : elf_file_symbol_named(elf, name);
	*address = s ? s->address : 0;
	*size = s ? s->size : 0;
	return *address;
}

static void agent_site(struct site_file *f, uint32_t group, uint64_t cookie, uint64_t function,
		       uint64_t size, uint64_t at)
{
	struct code_site site = { .patch = { .at = at,
					     .kind = PATCH_INSIDE,
					     .may_take_first = true,
					     .reads = UINT64_MAX },
				  .function = function,
				  .function_size = (uint32_t)size,
				  .group = group,
				  .cookie = cookie,
				  .at = at };
	vector_push(&f->sites, site);
}

static void agent_exec(struct site_file *f, const char *name, uint32_t group)
{
	uint64_t address, size, begin;
	if (!exported_find(f->file.elf, name, &address, &size) ||
	    !elf_file_offset(f->file.elf, address, &begin))
		return;
	uint64_t at = long_instruction(&f->file, begin);
	if (at)
		agent_site(f, group, CALL_ANY, begin, size, at);
}

/*
 * The instruction before the system call NUMBER in SIZE bytes from ADDRESS on: what a probe fires
 * after the mark, as at the function's entry, would end it.
 */
static void agent_call(struct site_file *f, unsigned number, uint64_t address, uint64_t size)
{
	const unsigned char low = number & 0xff, high = (number >> 8) & 0xff;
	const unsigned char code[] = { 0xb8, low, high, 0, 0, 0x0f, 5 }; /* mov, syscall */
	struct bytes all = elf_file_code(f->file.elf, address, size);
	const unsigned char *at = all.size ? memmem(all.data, all.size, code, sizeof(code)) : NULL;
	uint64_t place;
	bool has_prefix = at && at > all.data && (at[-1] & 0xf0) == 0x40;
	if (at && !has_prefix &&
	    elf_file_offset(f->file.elf, address + (uint64_t)(at - all.data), &place))
		agent_site(f, FORK_GROUP, number, place, sizeof(code), place);
}

static void agent_fork(struct site_file *f, const char *name, unsigned number)
{
	uint64_t address, size;
	if (exported_find(f->file.elf, name, &address, &size))
		agent_call(f, number, address, size);
}

/*
 * posix_spawn() and system() call clone3() by a function without a name.  Their children run
 * nothing but the C library, so this matters only if that has probes.
 */
static void agent_clone3(struct site_file *f)
{
	uint64_t offset, address;
	for (size_t n = 0; elf_file_segment(f->file.elf, n, &offset, &address); n++)
		if (elf_file_is_code(f->file.elf, address))
			agent_call(f, CALL_CLONE3, address, UINT32_MAX);
}

static bool has_agents_sites(const struct injector *i, const struct mapping *m)
{
	bool has = false;
	for (size_t k = 0; i->jumped && k < i->jumped->list.count; k++) {
		const struct site_file *f = &i->jumped->list.items[k];
		for (size_t n = 0; n < f->sites.count && site_file_maps(f, m); n++)
			has |= f->sites.items[n].group == EXEC_GROUP ||
			       f->sites.items[n].group == FORK_GROUP;
	}
	return has;
}

/* A process of -p ends as far as we are concerned when it executes another program. */
static void agent_sites(struct site_file *f, bool is_created)
{
	static const char *const execs[] = { "execve", "execveat", "fexecve" };
	if (f->sites.count)
		agent_clone3(f);
	for (unsigned k = 0; k < ARRAY_SIZE(execs) && is_created; k++)
		agent_exec(f, execs[k], EXEC_GROUP);
	if (is_created)
		agent_exec(f, "syscall", FORK_GROUP);
	agent_fork(f, "vfork", CALL_VFORK);
	agent_fork(f, "clone", CALL_CLONE);
}

void agent_collect(struct attaching *a)
{
	struct injector *i = a->injector;
	bool is_static = !process_auxiliary(i->target.pid, AT_BASE);
	uint64_t program = process_program(i->target.pid);
	bool may_add = a->holds || process_is_held(i->target.process);
	for (size_t n = 0; n < a->space.count && may_add; n++) {
		const struct mapping *m = &a->list[n];
		struct image *image =
			has_c_library(m, is_static, program) && !has_agents_sites(i, m)
				? images_find(i->options.images, i->target.pid, m)
				: NULL;
		if (!image || !image_path(image))
			continue;
		const struct event_code code = { .path = image_path(image),
						 .name = path_base_name(image_path(image)) };
		struct site_file *f = site_file_of(a, &code);
		if (!f->file.problem)
			agent_sites(f, process_is_created(i->target.process));
		return;
	}
}

/* --- the new program -------------------------------------------------------------------------- */

static struct process_exec *exec_words(const struct injector *i)
{
	return &((struct process_head *)(void *)i->view.memory)->exec;
}

static void exec_answer(struct process_exec *e)
{
	__atomic_store_n(&e->state, EXEC_ANSWERED, __ATOMIC_RELEASE);
	syscall(SYS_futex, &e->state, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static bool has_ended_by_exec(void *injector, uint32_t process, uint32_t thread, uint64_t own)
{
	return process == (uint32_t)((const struct injector *)injector)->target.pid;
}

/* What the process had is gone. */
static void target_forget(struct injector *i)
{
	agent_release(&i->view, has_ended_by_exec, i);
	exec_words(i)->state = EXEC_NONE;
	((struct process_head *)(void *)i->view.memory)->errand.state = ERRAND_NONE;
	jumps_forget(&i->target);
	if (i->target.memory >= 0)
		close(i->target.memory);
	i->target.memory = -1;
	i->target.has_filters = false;
}

static struct error *target_again(struct injector *i)
{
	target_forget(i);
	struct error *err = memory_enter_again(i);
	if (!err)
		err = own_write(i);
	if (!err)
		stacks_look(i);
	return err ? err : jumps_again(i);
}

static void not_traced(struct injector *i, struct error *err)
{
	message("process %d has executed another program, which is not traced: %s", i->target.pid,
		error_text(err));
	error_free(err);
	i->target.has_ended = true;
	agent_seal(&i->view);
	error_free(process_run(i->target.process));
}

/* The thread waits. */
static void exec_catch(struct injector *i)
{
	struct process_exec *e = exec_words(i);
	struct process *p = i->target.process;
	int thread = (int)e->thread;
	bool executed = false, seized = process_seize_caller(p, thread);
	exec_answer(e);
	struct error *err = seized ? process_hold_executed(p, thread, &executed) : NULL;
	if (!err && executed)
		err = target_again(i);
	if (err) {
		not_traced(i, err);
		return;
	}
	if (!executed) {
		uint32_t answered = EXEC_ANSWERED; /* it has left without an end */
		__atomic_compare_exchange_n(&e->state, &answered, EXEC_NONE, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		return;
	}
	i->executed = EXECUTED_HELD;
}

/* Its probes are in place. */
static void exec_release(struct injector *i)
{
	auto_error struct error *err = jumps_of_agent(i);
	if (err)
		linker_refuse(i, error_text(err));
	i->executed = EXECUTED_NONE;
	error_free(process_run(i->target.process));
}

struct error *executed_report(struct injector *i, bytes_visit_fn *visit, void *arg)
{
	struct arrival a = { .tgid = (uint32_t)i->target.pid,
			     .kind = ARRIVAL_PROGRAM,
			     .waits = 1,
			     .cpu = UINT32_MAX };
	if (i->executed != EXECUTED_HELD)
		return NULL;
	i->executed = EXECUTED_REPORTED;
	i->arrival.ticket = __atomic_load_n(&injector_control(i)->arrivals, __ATOMIC_ACQUIRE);
	eventfd_write(i->waker.news, 1); /* the next round releases it */
	struct error *err = visit(arg, &a, sizeof(a));
	a.kind = ARRIVAL_CODE; /* names of its functions */
	return err ? err : visit(arg, &a, sizeof(a));
}

void executed_step(struct injector *i)
{
	const struct process_exec *e = exec_words(i);
	bool is_active = injector_control(i)->activity == ACTIVITY_ACTIVE;
	if (i->executed == EXECUTED_REPORTED || (i->executed && !is_active))
		exec_release(i);
	else if (is_active && !i->target.has_ended && !i->executed &&
		 __atomic_load_n(&e->state, __ATOMIC_ACQUIRE) == EXEC_ASKED)
		exec_catch(i);
}
