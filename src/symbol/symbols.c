/* SPDX-License-Identifier: BSD-2-Clause */
/* symbols - the kernel's table and those of processes, kept; names as text */
#include "symbol/files.h"

struct symbols {
	struct symbols_kernel *kernel;
	struct symbol_files *files;
	struct hash *processes; /* pid -> struct symbols_process */
};

struct symbols *symbols_new(void)
{
	struct symbols *s = mem_zalloc(sizeof(*s));
	s->kernel = symbols_kernel_new();
	s->files = symbol_files_new();
	s->processes = hash_new();
	return s;
}

static void free_process(void *arg, const void *key, size_t key_len, void *value)
{
	symbols_process_free(value);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	hash_visit(s->processes, free_process, NULL);
	hash_free(s->processes);
	symbol_files_free(s->files);
	symbols_kernel_free(s->kernel);
	free(s);
}

struct symbols_kernel *symbols_kernel(struct symbols *s)
{
	return s->kernel;
}

struct symbols_process *symbols_of(struct symbols *s, int pid)
{
	void **place = hash_place(s->processes, &pid, sizeof(pid));
	if (!*place)
		*place = symbols_process_new(pid, s->files);
	return *place;
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

void symbol_print(struct strbuf *out, enum symbol_form form, uint64_t address,
		  const struct symbol_name *name)
{
	if (!name || !name->module)
		return print_address(out, address);
	switch (form) {
	case SYMBOL_MODULE:
		return strbuf_puts(out, name->module);
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
	symbol_print(out, form, address, known ? &name : NULL);
}
