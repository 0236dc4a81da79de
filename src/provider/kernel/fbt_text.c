/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/kernel/fbt_text.h"

#include "base/sort.h"

#define FUNCTION_MOST (256 << 10) /* bytes; the largest of Debian's kernels has 60 KiB */

void text_init(struct kernel_text *t, const struct arch *arch, text_read_fn *read, void *arg)
{
	*t = (struct kernel_text) { .arch = arch, .read = read, .arg = arg, .names = arena_new() };
}

void text_deinit(struct kernel_text *t)
{
	vector_free(&t->symbols);
	arena_free(t->names);
	t->names = NULL;
}

void text_add(struct kernel_text *t, uint64_t address, const char *name)
{
	vector_push(&t->symbols, ((struct text_symbol) { address, arena_strdup(t->names, name) }));
}

static int symbols_by_name(const void *a, const void *b)
{
	const struct text_symbol *x = a, *y = b;
	return strcmp(x->name, y->name);
}

void text_sort(struct kernel_text *t)
{
	sort_by_number(t->symbols.items, t->symbols.count, sizeof(*t->symbols.items),
		       offsetof(struct text_symbol, address), symbols_by_name);
}

const struct text_symbol *text_symbol_at(const struct kernel_text *t, uint64_t address)
{
	size_t after = vector_until(&t->symbols, address, address);
	if (!after)
		return NULL;
	uint64_t begin = t->symbols.items[after - 1].address;
	const struct text_symbol *ret =
		&t->symbols.items[begin ? vector_until(&t->symbols, address, begin - 1) : 0];
	return address - begin < text_size(t, ret) ? ret : NULL;
}

size_t text_size(const struct kernel_text *t, const struct text_symbol *symbol)
{
	size_t next = vector_until(&t->symbols, address, symbol->address);
	uint64_t size = next < t->symbols.count ? t->symbols.items[next].address - symbol->address
						: FUNCTION_MOST;
	return MIN(size, FUNCTION_MOST);
}

/* The last functions of a section: pages after them may be absent. */
size_t text_read(const struct kernel_text *t, uint64_t address, void *ret, size_t size)
{
	while (size && !t->read(t->arg, address, ret, size))
		size /= 2;
	return size;
}

bool text_walk(const struct kernel_text *t, const struct text_symbol *symbol, text_visit_fn *visit,
	       void *arg)
{
	size_t size = text_size(t, symbol);
	auto_free unsigned char *code = mem_alloc(size + 1);
	size_t got = text_read(t, symbol->address, code, size);
	for (size_t at = 0; at < got;) {
		struct bytes rest = bytes_of(code + at, got - at);
		struct instruction i;
		if (!t->arch->decode(&rest, &i) || !visit(arg, symbol->address + at, &i))
			return false;
		at += i.length;
	}
	return got == size;
}

/* --- where instructions begin ----------------------------------------------------------------- */

struct boundary {
	uint64_t wanted;
	unsigned exclusive;
	bool found, is_exclusive;
};

static bool visit_until(void *arg, uint64_t address, const struct instruction *i)
{
	struct boundary *b = arg;
	bool is_exclusive = instruction_is_exclusive(i, &b->exclusive);
	b->found = address == b->wanted;
	b->is_exclusive = b->found && is_exclusive;
	return address < b->wanted;
}

bool text_begins_instruction(const struct kernel_text *t, const struct text_symbol *symbol,
			     uint64_t address, bool *exclusive)
{
	struct boundary b = { .wanted = address };
	text_walk(t, symbol, visit_until, &b);
	if (exclusive)
		*exclusive = b.is_exclusive;
	return b.found;
}
