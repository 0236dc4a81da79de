/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_ifunc - functions with several implementations
 *
 * The code at the symbol of an ifunc (strlen of the C library) runs once, when the program starts,
 * and chooses one of several implementations for this processor.  Calls reach only that one, so
 * that is where the probes are.
 *
 * An implementation often has a local name, too (__strlen_evex), which a stripped file lacks.  Its
 * code is one function with several names, as with aliases: the ifunc's name is the better one, and
 * of several ifuncs that choose the same code (memcpy, memmove) the one with the best name.
 */
#include "provider/process/pid_object.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "process/process.h"

/* Our own mappings do not move. */
static void read_ours(struct pid_table *t)
{
	if (!t->ours)
		error_free(process_mappings(getpid(), &t->ours, &t->our_count));
}

static bool has_name_of(const struct mapping *m, const struct image *image)
{
	size_t len, its;
	const char *name = mapping_base_name(m->path, &len);
	const char *other = mapping_base_name(image_name(image), &its);
	return len == its && memcmp(name, other, len) == 0;
}

/* Is O's file the one of our mapping M, or a copy of it, as in a container? */
static bool image_is_ours(const struct pid_object *o, const struct mapping *m)
{
	if (pid_object_is(o, o->pid, m))
		return true;
	if (!m->inode || !o->image || !has_name_of(m, o->image))
		return false;
	struct image *ours = images_find(o->table->images, getpid(), m);
	struct bytes id = image_build_id(o->image);
	struct bytes our_id = ours ? image_build_id(ours) : (struct bytes) { 0 };
	return id.size && id.size == our_id.size && memcmp(id.data, our_id.data, id.size) == 0;
}

static bool we_use(const struct pid_object *o)
{
	for (size_t i = 0; i < o->table->our_count; i++)
		if (image_is_ours(o, &o->table->ours[i]))
			return true;
	return false;
}

enum pid_choice pid_ifunc_chosen(const struct pid_object *object, const char *name,
				 uint64_t *address)
{
	struct pid_table *t = object->table;
	uint64_t ours = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, name);
	read_ours(t);
	if (!ours || !we_use(object))
		return PID_CHOICE_UNKNOWN;
	const struct mapping *m = t->ours, *end = m + t->our_count;
	while (m < end && (ours < m->start || ours >= m->end))
		m++;
	if (m < end && string_equal(m->path, "[vdso]"))
		return PID_CHOICE_VDSO;
	bool known = m < end && image_is_ours(object, m) &&
		     elf_file_address(pid_object_elf(object), ours - m->start + m->offset, address);
	return known ? PID_CHOICE_KNOWN : PID_CHOICE_UNKNOWN;
}

static struct pid_ifunc *choice_of(struct pid_object *object, uint64_t implementation)
{
	for (size_t i = 0; i < object->choices.count; i++)
		if (object->choices.items[i].implementation == implementation)
			return &object->choices.items[i];
	return NULL;
}

/* The best name of the symbols at ADDRESS that can be called. */
static const struct elf_symbol *ifunc_function_at(const struct pid_object *object, uint64_t address)
{
	size_t count;
	const struct elf_symbol *s = elf_file_symbols_at(pid_object_elf(object), address, &count);
	for (size_t i = 0; i < count; i++)
		if (s[i].is_function)
			return &s[i];
	return NULL;
}

static void choice_add(struct pid_object *object, const struct elf_symbol *ifunc)
{
	uint64_t address;
	if (pid_ifunc_chosen(object, ifunc->name, &address) != PID_CHOICE_KNOWN)
		return;
	struct pid_ifunc *same = choice_of(object, address);
	if (!same)
		vector_push(&object->choices, ((struct pid_ifunc) { address, ifunc->address }));
	else if (elf_symbol_compare_names(ifunc, ifunc_function_at(object, same->ifunc)) < 0)
		same->ifunc = ifunc->address;
}

/* Of the C library some 70.  In objects that our own process does not use none is known. */
static void choices_make(struct pid_object *object)
{
	object->choices_known = true;
	read_ours(object->table);
	if (!we_use(object))
		return;
	const struct elf_symbol *symbols;
	size_t count;
	auto_error struct error *err = elf_file_symbols(pid_object_elf(object), &symbols, &count);
	for (size_t i = 0; !err && i < count; i++)
		if (symbols[i].is_ifunc &&
		    ifunc_function_at(object, symbols[i].address) == &symbols[i])
			choice_add(object, &symbols[i]);
}

const struct elf_symbol *pid_ifunc_at(struct pid_object *object, uint64_t address)
{
	if (!object->choices_known)
		choices_make(object);
	const struct pid_ifunc *choice = choice_of(object, address);
	return choice ? ifunc_function_at(object, choice->ifunc) : NULL;
}
