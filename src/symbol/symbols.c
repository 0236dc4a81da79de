/* SPDX-License-Identifier: BSD-2-Clause */
/* symbols - the kernel's table and those of processes, kept; names as text */
#include "object/demangle.h"
#include "symbol/symbol_internal.h"

/*
 * Processes are removed by generations.  A process that is looked up belongs to the young one;
 * when that is full it becomes the old one, and processes of the old one that were not looked up
 * meanwhile are removed.  So at least this many are kept, and at most twice as many: 3 KB for a
 * process with 25 mappings.
 */
#define GENERATION 4096

struct symbols {
	struct symbols_kernel *kernel;
	struct images *images;	 /* the caller's */
	struct mapping_log *log; /* the caller's, or NULL */
	struct hash *young,
		*old; /* pid -> struct symbols_process; in old NULL: it is young again */
	size_t young_count;
	enum name_form names;
	struct hash *texts; /* of mangled names */
	struct arena *text_memory;
	size_t text_count;
};

static void texts_init(struct symbols *s)
{
	s->texts = hash_new();
	s->text_memory = arena_new();
	s->text_count = 0;
}

static void texts_deinit(struct symbols *s)
{
	hash_free(s->texts);
	arena_free(s->text_memory);
}

struct symbols *symbols_new(struct images *images)
{
	struct symbols *s = mem_zalloc(sizeof(*s));
	s->kernel = symbols_kernel_new();
	s->images = images;
	s->young = hash_new();
	s->old = hash_new();
	texts_init(s);
	return s;
}

static void free_process(void *arg, const void *key, size_t key_len, void *value)
{
	symbols_process_free(value);
}

static void free_generation(struct hash *processes)
{
	hash_visit(processes, free_process, NULL);
	hash_free(processes);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	free_generation(s->young);
	free_generation(s->old);
	symbols_kernel_free(s->kernel);
	texts_deinit(s);
	free(s);
}

struct symbols_kernel *symbols_kernel(struct symbols *s)
{
	return s->kernel;
}

void symbols_set_log(struct symbols *s, struct mapping_log *log)
{
	s->log = log;
}

/* --- names as they were written --- */

#define TEXTS_MOST 65536 /* of 100 bytes, say: 6 MB */

void symbols_set_names(struct symbols *s, enum name_form names)
{
	s->names = names;
}

static void texts_trim(struct symbols *s)
{
	if (s->text_count < TEXTS_MOST)
		return;
	texts_deinit(s);
	texts_init(s);
}

static const char *demangled_text(struct symbols *s, const char *name)
{
	void **place = hash_place(s->texts, name, strlen(name));
	if (!*place) {
		auto_strbuf struct strbuf text = { 0 };
		bool known = demangle(
			name, s->names == NAMES_SHORT ? DEMANGLE_SHORT : DEMANGLE_WHOLE, &text);
		*place = arena_strdup(s->text_memory, known ? strbuf_text(&text) : name);
		s->text_count++;
	}
	return *place;
}

void symbols_demangle(struct symbols *s, struct symbol_name *name)
{
	if (s->names != NAMES_OF_FILES && name->name && is_mangled(name->name))
		name->name = demangled_text(s, name->name);
}

/* --- processes begin and end --- */

static struct symbols_process *take_old(struct symbols *s, int pid)
{
	struct symbols_process *p = hash_get(s->old, &pid, sizeof(pid));
	if (p)
		*hash_place(s->old, &pid, sizeof(pid)) = NULL;
	return p;
}

static struct symbols_process *make_young(struct symbols *s, int pid)
{
	struct symbols_process *p = take_old(s, pid);
	if (s->young_count == GENERATION) {
		free_generation(s->old);
		s->old = s->young;
		s->young = hash_new();
		s->young_count = 0;
	}
	s->young_count++;
	return p ? p : symbols_process_new(pid, s->images, s->log);
}

struct symbols_process *symbols_of(struct symbols *s, int pid)
{
	images_trim(s->images);
	texts_trim(s);
	struct symbols_process *p = hash_get(s->young, &pid, sizeof(pid));
	if (!p)
		p = make_young(s, pid);
	if (symbols_process_is_other(p)) {
		symbols_process_free(p);
		p = symbols_process_new(pid, s->images, s->log);
	}
	*hash_place(s->young, &pid, sizeof(pid)) = p;
	return p;
}

void symbols_set_mappings(struct symbols *s, int pid, const struct mapping *list, size_t count)
{
	symbols_process_set_mappings(symbols_of(s, pid), list, count);
}

/* --- text --- */

static void print_address(struct strbuf *out, uint64_t address)
{
	strbuf_printf(out, "0x%llx", (unsigned long long)address);
}

static void print_named(struct strbuf *out, bool with_offset, uint64_t address,
			const struct symbol_name *name)
{
	strbuf_printf(out, "%s`", name->module);
	if (!name->name)
		return print_address(out, address);
	strbuf_puts(out, name->name);
	if (with_offset && name->offset)
		strbuf_printf(out, "+0x%llx", (unsigned long long)name->offset);
}

struct bytes symbol_build_id(const struct symbol_name *name)
{
	return name->image ? image_build_id(name->image) : bytes_of(NULL, 0);
}

const char *symbol_module(const struct symbol_name *name)
{
	return name->is_anonymous ? SYMBOL_ANONYMOUS : name->module;
}

void symbol_print(struct strbuf *out, enum symbol_form form, uint64_t address,
		  const struct symbol_name *name)
{
	if (name && form == SYMBOL_MODULE && symbol_module(name))
		return strbuf_puts(out, symbol_module(name));
	if (!name || !name->module)
		return print_address(out, address);
	switch (form) {
	case SYMBOL_MODULE:
		return;
	case SYMBOL_RAW:
		return strbuf_printf(out, "%s:0x%llx", name->module,
				     (unsigned long long)(address - name->mapping));
	case SYMBOL_NAME:
		return print_named(out, false, address, name);
	case SYMBOL_OFFSET:
		return print_named(out, true, address, name);
	}
}

void symbol_print_kernel(struct strbuf *out, struct symbols *s, enum symbol_form form,
			 uint64_t address)
{
	struct symbol_name name;
	bool known = symbols_kernel_find(s->kernel, address, &name);
	symbol_print(out, form, address, known ? &name : NULL);
}

void symbol_print_user(struct strbuf *out, struct symbols *s, enum symbol_form form, int pid,
		       uint64_t address)
{
	struct symbol_name name;
	bool known = symbols_process_find(symbols_of(s, pid), address, &name);
	if (known)
		symbols_demangle(s, &name);
	symbol_print(out, form, address, known ? &name : NULL);
}
