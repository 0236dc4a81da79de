/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel_symbols - /proc/kallsyms in compact form
 *
 * The kernel needs some 40 ms to write its 122,000 lines, which is most of the time of loading;
 * code that will need names announces it early (prefetch).  Names stay in the text that was read;
 * in addition there are two arrays, the addresses (for a binary search) and the offset of each
 * name.
 *
 * kallsyms has no sizes: a symbol ends at the next one.  The ranges of modules come from
 * /proc/modules, so that an address after the end of a module does not belong to its last symbol.
 */
#include <errno.h>

#include "base/clock.h"
#include "base/sort.h"
#include "base/thread.h"
#include "base/time_unit.h"
#include "symbol/symbol.h"

#define KALLSYMS "/proc/kallsyms"
#define FIRST_KERNEL_ADDRESS 0x8000000000000000u
/* The greatest size of the last symbol of a module of unknown size, or of the kernel. */
#define LAST_SYMBOL_SIZE 0x10000
/* Between two loads, at least; doubled each time, to half an hour: each takes 40 ms. */
#define RELOAD_NS (2 * NS_PER_SECOND)
#define RELOAD_DOUBLINGS 10

struct kernel_entry {
	const char *name;
	uint16_t module; /* in modules; 0: vmlinux */
	char type;	 /* as nm writes it */
};

struct kernel_module {
	const char *name;
	uint64_t begin, end; /* 0: unknown */
};

struct symbols_kernel {
	pthread_t reader;
	bool reading;	  /* the rest is the reader's */
	const char *path; /* a constant */
	bool loaded;
	unsigned doublings; /* of RELOAD_NS */
	uint64_t load_time; /* CLOCK_MONOTONIC */
	struct error *problem;
	uint64_t *addresses;
	struct kernel_entry *entries;
	size_t count, capacity;
	VECTOR(struct kernel_module) modules;
	VECTOR(char *) texts; /* names point into them; old ones stay */
};

struct symbols_kernel *symbols_kernel_of_file(const char *path)
{
	struct symbols_kernel *s = mem_zalloc(sizeof(*s));
	s->path = path;
	return s;
}

struct symbols_kernel *symbols_kernel_new(void)
{
	return symbols_kernel_of_file(KALLSYMS);
}

static void join_reader(struct symbols_kernel *s)
{
	if (s->reading)
		pthread_join(s->reader, NULL);
	s->reading = false;
}

void symbols_kernel_free(struct symbols_kernel *s)
{
	if (!s)
		return;
	join_reader(s);
	for (size_t i = 0; i < s->texts.count; i++)
		free(s->texts.items[i]);
	vector_free(&s->texts);
	vector_free(&s->modules);
	free(s->addresses);
	free(s->entries);
	error_free(s->problem);
	free(s);
}

/* --- reading --- */

static int address_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static uint64_t read_hex(char **p)
{
	uint64_t v = 0;
	for (int digit; (digit = address_digit(**p)) >= 0; ++*p)
		v = v << 4 | (unsigned)digit;
	return v;
}

/* Modules are in blocks, so the last one is tried first. */
static uint16_t module_index(struct symbols_kernel *s, const char *name)
{
	for (size_t i = s->modules.count; i-- > 0;)
		if (string_equal(s->modules.items[i].name, name))
			return (uint16_t)i;
	if (s->modules.count == UINT16_MAX)
		return 0;
	vector_push(&s->modules, (struct kernel_module) { .name = name });
	return (uint16_t)(s->modules.count - 1);
}

static void kernel_entry_add(struct symbols_kernel *s, uint64_t address, char type,
			     const char *name, const char *module)
{
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? s->capacity * 2 : 1 << 17;
		s->addresses = mem_realloc(s->addresses, s->capacity * sizeof(*s->addresses));
		s->entries = mem_realloc(s->entries, s->capacity * sizeof(*s->entries));
	}
	s->addresses[s->count] = address;
	s->entries[s->count++] = (struct kernel_entry) {
		.name = name,
		.type = type,
		.module = module ? module_index(s, module) : 0,
	};
}

/* "ffffffff81000000 T name" and, of a module, a tab and "[module]". */
static void read_line(struct symbols_kernel *s, char *line, char *end)
{
	char *p = line;
	uint64_t address = read_hex(&p);
	if (end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return;
	char type = p[1], *name = p + 3;
	char *tab = memchr(name, '\t', (size_t)(end - name));
	char *module = NULL;
	if (tab && tab[1] == '[' && end[-1] == ']') {
		module = tab + 2;
		end[-1] = 0;
	}
	if (tab)
		*tab = 0;
	kernel_entry_add(s, address, type, name, module);
}

static void read_lines(struct symbols_kernel *s, char *text, size_t len)
{
	for (char *line = text, *last = text + len; line < last;) {
		char *end = memchr(line, '\n', (size_t)(last - line));
		if (!end)
			end = last;
		*end = 0;
		read_line(s, line, end);
		line = end + 1;
	}
}

/* "ext4 983040 1 - Live 0xffffffffc0400000"; without it, sizes stay unknown. */
static void read_modules(struct symbols_kernel *s)
{
	auto_fclose FILE *f = fopen("/proc/modules", "re");
	auto_free char *line = NULL; /* of any length: it names all users of a module */
	size_t capacity = 0;
	char name[64];
	unsigned long long size, begin;
	while (f && getline(&line, &capacity, f) >= 0) {
		if (sscanf(line, "%63s %llu %*s %*s %*s 0x%llx", name, &size, &begin) != 3)
			continue;
		for (size_t i = 0; i < s->modules.count; i++) {
			struct kernel_module *m = &s->modules.items[i];
			if (string_equal(m->name, name) && begin) {
				m->begin = begin;
				m->end = begin + size;
			}
		}
	}
}

struct numbered {
	uint64_t address;
	struct kernel_entry entry;
};

/* The core kernel is sorted, modules may not be. */
static void sort_entries(struct symbols_kernel *s)
{
	size_t sorted = 1;
	while (sorted < s->count && s->addresses[sorted - 1] <= s->addresses[sorted])
		sorted++;
	if (sorted >= s->count)
		return;
	struct numbered *all = mem_alloc(s->count * sizeof(*all));
	for (size_t i = 0; i < s->count; i++)
		all[i] = (struct numbered) { s->addresses[i], s->entries[i] };
	sort_by_number(all, s->count, sizeof(*all), offsetof(struct numbered, address), NULL);
	for (size_t i = 0; i < s->count; i++) {
		s->addresses[i] = all[i].address;
		s->entries[i] = all[i].entry;
	}
	free(all);
}

static void kernel_symbols_load(struct symbols_kernel *s)
{
	auto_strbuf struct strbuf text = { 0 };
	s->loaded = true;
	s->load_time = clock_ns(CLOCK_MONOTONIC);
	error_free(s->problem);
	s->problem = file_read(s->path, SIZE_MAX, &text);
	if (s->problem)
		return;
	s->count = 0;
	s->modules.count = 0;
	vector_push(&s->modules, (struct kernel_module) { .name = "vmlinux" });
	size_t len = text.len;
	vector_push(&s->texts, strbuf_take(&text));
	read_lines(s, s->texts.items[s->texts.count - 1], len);
	sort_entries(s);
	if (string_equal(s->path, KALLSYMS))
		read_modules(s);
	if (!s->count)
		s->problem = error_new(KALLSYMS " is empty");
	else if (!s->addresses[s->count - 1])
		s->problem = error_new(KALLSYMS " hides addresses (kernel.kptr_restrict): "
						"needs CAP_SYSLOG: run as root");
}

static void *read_ahead(void *arg)
{
	kernel_symbols_load(arg);
	return NULL;
}

void symbols_kernel_prefetch(struct symbols_kernel *s)
{
	if (!s->reading && !s->loaded)
		s->reading = thread_start(&s->reader, 0, read_ahead, s);
}

const char *symbols_kernel_problem(struct symbols_kernel *s)
{
	join_reader(s);
	if (!s->loaded)
		kernel_symbols_load(s);
	return s->problem ? error_text(s->problem) : NULL;
}

/* --- functions alone --- */

/* Symbols with one address are one function: it ends where the next address begins. */
struct function_search {
	const char *const *names;
	unsigned count, ended;
	struct address_range *found;
};

static void search_line(struct function_search *f, char *line)
{
	char *p = line;
	uint64_t address = read_hex(&p);
	char *name = p[0] == ' ' && p[1] && p[2] == ' ' ? p + 3 : NULL;
	if (!name || address < FIRST_KERNEL_ADDRESS)
		return;
	name[strcspn(name, "\t\n")] = 0;
	for (unsigned i = 0; i < f->count; i++) {
		struct address_range *function = &f->found[i];
		if (function->begin && !function->end && address > function->begin) {
			function->end = address;
			f->ended++;
		}
		if (!function->begin && string_equal(f->names[i], name))
			function->begin = address;
	}
}

void symbols_kernel_functions(const struct symbols_kernel *s, const char *const *names,
			      unsigned count, struct address_range *ret)
{
	memset(ret, 0, count * sizeof(*ret));
	auto_fclose FILE *f = fopen(s->path, "re");
	struct function_search search = { names, count, 0, ret };
	char line[1024];
	while (f && search.ended < count && fgets(line, sizeof(line), f))
		search_line(&search, line);
	for (unsigned i = 0; i < count; i++)
		if (!ret[i].end)
			ret[i] = (struct address_range) { 0 };
}

/* --- finding --- */

static size_t count_until(const struct symbols_kernel *s, uint64_t address)
{
	return sorted_until(s->addresses, s->count, sizeof(*s->addresses), 0, address);
}

static int symbol_type_rank(char type)
{
	return type >= 'A' && type <= 'V' ? 0 : type == 'W' ? 1 : 2;
}

static bool is_better(const struct kernel_entry *a, const struct kernel_entry *b)
{
	size_t a_bars = strspn(a->name, "_"), b_bars = strspn(b->name, "_");
	if (a_bars != b_bars)
		return a_bars < b_bars;
	if (symbol_type_rank(a->type) != symbol_type_rank(b->type))
		return symbol_type_rank(a->type) < symbol_type_rank(b->type);
	return strlen(a->name) < strlen(b->name);
}

/* The module whose range holds ADDRESS, or NULL. */
static const struct kernel_module *module_of(const struct symbols_kernel *s, uint64_t address)
{
	for (size_t i = 1; i < s->modules.count; i++) {
		const struct kernel_module *m = &s->modules.items[i];
		if (address >= m->begin && address < m->end)
			return m;
	}
	return NULL;
}

/* May symbol I, the last one before ADDRESS, reach it? */
static bool reaches(const struct symbols_kernel *s, size_t i, uint64_t address)
{
	const struct kernel_module *m = &s->modules.items[s->entries[i].module];
	if (m->end)
		return address >= m->begin && address < m->end;
	bool last = i + 1 == s->count || s->entries[i + 1].module != s->entries[i].module;
	return !last || address - s->addresses[i] < LAST_SYMBOL_SIZE;
}

static bool kernel_symbol_find(const struct symbols_kernel *s, uint64_t address,
			       struct symbol_name *ret)
{
	size_t until = count_until(s, address);
	if (!until || !reaches(s, until - 1, address)) {
		const struct kernel_module *m = module_of(s, address);
		if (m)
			*ret = (struct symbol_name) { .module = m->name };
		return m;
	}
	const struct kernel_entry *best = &s->entries[until - 1];
	uint64_t begin = s->addresses[until - 1];
	for (size_t i = until - 1; i > 0 && s->addresses[i - 1] == begin; i--)
		if (!is_better(best, &s->entries[i - 1]))
			best = &s->entries[i - 1];
	*ret = (struct symbol_name) {
		.module = s->modules.items[best->module].name,
		.name = best->name,
		.offset = address - begin,
	};
	return true;
}

bool symbols_kernel_find(struct symbols_kernel *s, uint64_t address, struct symbol_name *ret)
{
	if (address < FIRST_KERNEL_ADDRESS || symbols_kernel_problem(s))
		return false;
	if (kernel_symbol_find(s, address, ret))
		return true;
	/* Perhaps of a module that was loaded since.  Wild addresses must not cost a load each. */
	if (clock_ns(CLOCK_MONOTONIC) - s->load_time < RELOAD_NS << s->doublings)
		return false;
	s->doublings += s->doublings < RELOAD_DOUBLINGS;
	kernel_symbols_load(s);
	return !s->problem && kernel_symbol_find(s, address, ret);
}

static uint64_t kernel_symbol_size(const struct symbols_kernel *s, size_t i)
{
	uint64_t begin = s->addresses[i];
	size_t next = count_until(s, begin);
	if (next < s->count && s->entries[next].module == s->entries[i].module)
		/* the last one of those that each CPU has is followed by the kernel's first */
		return (begin ^ s->addresses[next]) & FIRST_KERNEL_ADDRESS
			       ? 0
			       : s->addresses[next] - begin;
	uint64_t end = s->modules.items[s->entries[i].module].end;
	return end > begin ? end - begin : 0;
}

bool symbols_kernel_lookup(struct symbols_kernel *s, const char *module, const char *name,
			   struct kernel_symbol *ret)
{
	if (symbols_kernel_problem(s))
		return false;
	size_t found = s->count;
	for (size_t i = 0; i < s->count; i++) {
		const struct kernel_entry *e = &s->entries[i];
		if (!string_equal(e->name, name) ||
		    (module && !string_equal(s->modules.items[e->module].name, module)))
			continue;
		/* The core kernel before modules, then global before local. */
		if (found == s->count || (!e->module && s->entries[found].module) ||
		    (!e->module == !s->entries[found].module &&
		     symbol_type_rank(e->type) < symbol_type_rank(s->entries[found].type)))
			found = i;
	}
	if (found == s->count)
		return false;
	char type = s->entries[found].type;
	*ret = (struct kernel_symbol) {
		.address = s->addresses[found],
		.size = kernel_symbol_size(s, found),
		.module = s->modules.items[s->entries[found].module].name,
		.is_function = type == 't' || type == 'T' || type == 'w' || type == 'W',
	};
	return true;
}
