/* SPDX-License-Identifier: BSD-2-Clause */
/* What the code in the process knows of its process: struct process_own */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "inject/internal.h"

/* --- the vdso --------------------------------------------------------------------------------- */

static uint64_t function_at(struct elf_file *vdso, uint64_t base, const char *name)
{
	const struct elf_symbol *symbol = elf_file_symbol_named(vdso, name);
	return symbol && symbol->address ? base + symbol->address : 0;
}

/* Its link-time addresses begin at 0. */
static void own_vdso(const struct injector *i, const struct mapping *m, struct process_own *own)
{
	struct image *image = images_find(i->options.images, i->target.pid, m);
	struct elf_file *elf = image ? image_elf(image) : NULL;
	if (!elf)
		return;
	own->clock_gettime = function_at(elf, m->start, "__vdso_clock_gettime");
	own->getcpu = function_at(elf, m->start, "__vdso_getcpu");
}

/* --- a thread's number ------------------------------------------------------------------------ */

/*
 * From the thread pointer: glibc (2.4 to 2.41), musl from 1.1.20 on, and before.  Where the
 * process has a thread pointer already, its own number must be there.  Else a program with glibc
 * linked in statically is known by the function that will set the pointer.
 */
#define GLIBC_NUMBER 720
static const unsigned number_places[] = { GLIBC_NUMBER, 48, 56 };

static bool is_number_at(const struct injector *i, uint64_t pointer, unsigned place)
{
	uint64_t word, self;
	return process_read_word(i->target.pid, pointer, &self) && self == pointer &&
	       process_read_word(i->target.pid, pointer + place, &word) &&
	       (uint32_t)word == (uint32_t)process_caller(i->target.process);
}

static bool has_glibc(const struct injector *i, const struct mapping *list, size_t count)
{
	uint64_t inode = process_program(i->target.pid);
	const struct mapping *m = list;
	while (m < list + count && m->inode != inode)
		m++;
	struct image *image =
		m < list + count ? images_find(i->options.images, i->target.pid, m) : NULL;
	struct elf_file *elf = image ? image_elf(image) : NULL;
	return elf && elf_file_symbol_named(elf, "__libc_setup_tls");
}

static uint64_t number_place(const struct injector *i, const struct mapping *list, size_t count)
{
	uint64_t pointer = process_thread_pointer(i->target.process);
	for (size_t k = 0; pointer && k < ARRAY_SIZE(number_places); k++)
		if (is_number_at(i, pointer, number_places[k]))
			return number_places[k];
	return !pointer && has_glibc(i, list, count) ? GLIBC_NUMBER : 0;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void own_mapped(struct injector *i, struct process_own *own)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(i->target.pid, &list, &count);
	if (err) /* all of it has another, slower way */
		return;
	for (size_t k = 0; k < count; k++) {
		if (string_equal(list[k].path, "[vdso]")) {
			i->target.vdso = (struct address_range) { list[k].start, list[k].end };
			own_vdso(i, &list[k], own);
		}
		if (string_equal(list[k].path, "[stack]"))
			own->stack_end = list[k].end;
	}
	own->thread_number = number_place(i, list, count);
	process_mappings_free(list, count);
}

/* The process and those that it comes from. */
static void own_tasks(const struct injector *i, uint64_t address, struct process_own *own)
{
	uint64_t at = address + offsetof(struct process_own, tasks);
	int pid = i->target.pid;
	for (unsigned n = 0; n < PROCESS_ANCESTORS && pid; n++) {
		int parent = process_parent(pid);
		uint64_t here = at + n * sizeof(own->tasks[0]);
		bool has_more = parent && n + 1 < PROCESS_ANCESTORS;
		own->tasks[n] = (struct process_task) {
			.self = here,
			.parent = has_more ? here + sizeof(own->tasks[0]) : 0,
			.tgid = (uint32_t)pid,
		};
		pid = parent;
	}
	own->tasks[0].arguments = process_stat_number(i->target.pid, 48);
	own->tasks[0].arguments_end = process_stat_number(i->target.pid, 49);
}

/* By which children of fork() begin. */
static struct error *kept_write(struct injector *i, const struct process_own *own)
{
	auto_free char *path = mem_printf("/proc/%d/ns/pid", i->target.pid);
	struct process_kept kept = { .task = own->tasks[0] };
	struct stat st;
	memcpy(&kept.first, own, offsetof(struct process_own, tasks));
	kept.pid_namespace = stat(path, &st) < 0 ? 0 : st.st_ino;
	for (unsigned n = PROCESS_ANCESTORS; n--;)
		if (own->tasks[n].tgid)
			kept.lineage[kept.lineage_count++] = own->tasks[n].tgid;
	return process_write(i->target.process, i->target.base + PROCESS_KEPT_AT, &kept,
			     sizeof(kept));
}

/* For writes, too, which need the right to trace the process when it is opened, not later. */
void own_open(struct injected *t)
{
	auto_free char *path = mem_printf("/proc/%d/mem", t->pid);
	if (t->memory < 0)
		t->memory = open(path, O_RDWR | O_CLOEXEC);
	if (t->memory < 0)
		t->memory = process_open_memory(t->pid);
}

struct error *own_write(struct injector *i)
{
	uint64_t address = i->target.base + PROCESS_OWN_AT;
	struct process_head *head = (struct process_head *)(void *)i->view.memory;
	struct process_own own = { .process = (uint32_t)i->target.pid,
				   .pid = (uint32_t)i->target.pid,
				   .mappings = i->layout.head.mappings };
	own.program = ++head->program;
	own_mapped(i, &own);
	own_tasks(i, address, &own);
	i->target.seccomp = process_status_number(i->target.pid, "Seccomp");
	own_open(&i->target);
	struct error *err = i->layout.head.follows ? kept_write(i, &own) : NULL;
	return err ? err : process_write(i->target.process, address, &own, sizeof(own));
}
