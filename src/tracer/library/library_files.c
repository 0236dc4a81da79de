/* SPDX-License-Identifier: BSD-2-Clause */
/* library_files - which files D libraries are, and the names in them; the theory is in library.h */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/utsname.h>

#include "tracer/library/library_file.h"

struct embedded_file {
	const char *base; /* "io.d" */
	struct packed text;
	const struct outline_item *items;
	size_t item_count;
	const char *names; /* of the items */
};

/* All of their names, sorted. */
struct embedded_name {
	uint16_t file, item;
};

#define TEXT(number, size, ...) static const unsigned char text_##number[] = { __VA_ARGS__ };
#include "embedded_dlib.inc"
#undef TEXT

/* --- files --------------------------------------------------------------------------------- */

static struct library_file *find_file(const struct library *l, const char *base)
{
	for (size_t i = 0; i < l->files.count; i++)
		if (string_equal(l->files.items[i]->base, base))
			return l->files.items[i];
	return NULL;
}

static struct library_file *file_new(struct library *l, const char *path, const char *base)
{
	struct library_file *f = ARENA_NEW(l->arena, struct library_file);
	f->source.kind = SOURCE_LIBRARY;
	f->source.name = arena_strdup(l->arena, path);
	f->base = arena_strdup(l->arena, base);
	f->hidden = find_file(l, base);
	vector_push(&l->files, f);
	return f;
}

/* Do we have a file BASE? Then it, or the file that hides it, is DECLARED_BY_LIBRARY. */
static void mark_ours(struct library *l, const char *base)
{
	struct library_file *f = find_file(l, base);
	if (f)
		f->source.is_ours = true;
}

static void file_items(struct library *l, struct library_file *f, const struct outline_item *items,
		       size_t count, const char *names)
{
	f->items = items;
	f->item_count = count;
	f->names = names;
	f->fetched = arena_alloc(l->arena, count + 1);
}

static void add_embedded(struct library *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(embedded_files); i++) {
		const struct embedded_file *e = &embedded_files[i];
		struct library_file *f = file_new(l, e->base, e->base);
		f->packed = &e->text;
		f->source.len = e->text.whole;
		file_items(l, f, e->items, e->item_count, e->names);
		l->embedded[i] = f;
		mark_ours(l, e->base);
	}
}

void library_file_unpack(struct library *l, struct library_file *f)
{
	if (f->source.text)
		return;
	char *text = arena_alloc(l->arena, f->source.len + 1);
	packed_read(f->packed, text);
	f->source.text = text;
}

static void add_name(struct library *l, struct library_file *f, size_t item)
{
	const char *name = library_item_name(f, item);
	struct place *p = ARENA_NEW(l->arena, struct place);
	p->file = f;
	p->item = item;
	struct place **end = (struct place **)hash_place(l->names, name, strlen(name));
	while (*end)
		end = &(*end)->next;
	*end = p;
}

/* F's text is there: take it apart. */
static void read_outline(struct library *l, struct library_file *f)
{
	outline_read(f->source.text, f->source.len, &f->read);
	file_items(l, f, f->read.items.items, f->read.items.count, strbuf_text(&f->read.names));
	for (size_t i = 0; i < f->item_count && !f->hidden; i++)
		if (f->items[i].kind != OUTLINE_CHECK)
			add_name(l, f, i);
	if (f->read.problem && !f->is_named)
		message("D library %s, line %u: %s; what follows is left out", f->source.name,
			f->read.problem_line, f->read.problem);
}

/* The origin of the file; all mistakes of the user's files are reported. */
enum giver { GIVEN_BY_USER, GIVEN_BY_SITE, GIVEN_BY_SYSTEM };

static void add_text(struct library *l, const char *path, const char *base, enum giver giver,
		     char *text, size_t len)
{
	struct library_file *f = file_new(l, path, base);
	f->is_named = giver == GIVEN_BY_USER;
	f->text = text;
	f->source.text = text;
	f->source.len = len;
	read_outline(l, f);
}

/* Of the user's folders (-L) this is an answer; the system's may lack what they like. */
static void report_unread(const char *path, const char *why, enum giver giver)
{
	if (giver == GIVEN_BY_USER)
		message("D library %s is left out: it cannot be read: %s", path, why);
	else
		log_debug("D library %s cannot be read: %s", path, why);
}

static void add_path(struct library *l, const char *path, const char *base, enum giver giver)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read_regular(path, &text);
	if (err) {
		report_unread(path, error_text(err), giver);
		return;
	}
	size_t len = text.len;
	add_text(l, path, base, giver, strbuf_take(&text), len);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All NAME.d of DIRECTORY, by name. */
static void add_directory(struct library *l, const char *directory, enum giver giver)
{
	DIR *d = opendir(directory);
	if (!d) {
		log_debug("directory of D libraries %s: %s", directory, strerror(errno));
		return;
	}
	VECTOR(char *) names = { 0 };
	for (struct dirent *e; (e = readdir(d));) {
		size_t len = strlen(e->d_name);
		if (len > 2 && string_equal(e->d_name + len - 2, ".d") && e->d_name[0] != '.')
			vector_push(&names, mem_strdup(e->d_name));
	}
	closedir(d);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.count; i++) {
		auto_free char *base = names.items[i];
		auto_free char *path = mem_printf("%s/%s", directory, base);
		if (!find_file(l, base))
			add_path(l, path, base, giver);
		if (giver == GIVEN_BY_SYSTEM)
			mark_ours(l, base);
	}
	vector_free(&names);
}

/* "6.1" or "6.1.12" as a number to compare, and what follows it; 0: TEXT begins with neither. */
static uint64_t version_read(const char *text, const char **rest)
{
	uint64_t version = 0;
	unsigned parts = 0;
	for (const char *p = text; parts < 3 && isdigit((unsigned char)*p); p++) {
		char *end;
		version = version << 16 | MIN(strtoul(p, &end, 10), 0xffffu);
		parts++;
		p = *rest = end;
		if (*p != '.')
			break;
	}
	return parts < 2 ? 0 : version << 16 * (3 - parts);
}

/* The subdirectory for the newest kernel that is not newer than ours, and then DIRECTORY itself. */
static void add_system_path(struct library *l, const char *directory)
{
	struct utsname u;
	const char *rest = "";
	uname(&u);
	uint64_t ours = version_read(u.release, &rest), best = 0;
	auto_free char *name = NULL;
	DIR *d = opendir(directory);
	for (struct dirent *e; d && (e = readdir(d));) {
		uint64_t version = version_read(e->d_name, &rest);
		if (!version || *rest || version > ours || version <= best)
			continue;
		best = version;
		free(name);
		name = mem_strdup(e->d_name);
	}
	if (d)
		closedir(d);
	if (name) {
		auto_free char *path = mem_printf("%s/%s", directory, name);
		add_directory(l, path, GIVEN_BY_SYSTEM);
	}
	add_directory(l, directory, GIVEN_BY_SYSTEM);
}

/* PREFIX/lib/dtrace when we are PREFIX/sbin/dtrace. */
static void add_system_directory(struct library *l)
{
	auto_free char *path = own_program_path();
	char *slash = strrchr(path, '/');
	if (!slash)
		return;
	*slash = '\0';
	auto_free char *directory = mem_printf("%s/../lib/dtrace", path);
	add_system_path(l, directory);
}

void library_add_topology(struct library *l)
{
	auto_strbuf struct strbuf text = { 0 };
	l->has_topology = true;
	topology_print(&text, &l->tracer->request, l->boot_wall_ns);
	size_t len = text.len;
	add_text(l, "<topology>", "<topology>", GIVEN_BY_SYSTEM, strbuf_take(&text), len);
	mark_ours(l, "<topology>");
}

/* --- ours, by their names --------------------------------------------------------------------- */

static const char *embedded_name(size_t i)
{
	const struct embedded_file *f = &embedded_files[embedded_names[i].file];
	return f->names + f->items[embedded_names[i].item].name;
}

size_t library_embedded_first(const char *name)
{
	size_t low = 0, high = ARRAY_SIZE(embedded_names);
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(embedded_name(middle), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool library_embedded_at(const struct library *l, size_t i, const char *name, struct place *ret)
{
	if (!l->embedded[0] || i >= ARRAY_SIZE(embedded_names) ||
	    !string_equal(embedded_name(i), name))
		return false;
	*ret = (struct place) { l->embedded[embedded_names[i].file], embedded_names[i].item, NULL };
	return true;
}

/* --- options that libraries set ------------------------------------------------------------ */

struct range library_item_range(const struct library_file *f, size_t item)
{
	const struct outline_item *i = &f->items[item];
	return (struct range) {
		.source = &f->source, .begin = i->begin, .end = i->end, .line = i->line
	};
}

static void set_option(struct library *l, const struct library_file *f, size_t item)
{
	auto_free char *name = mem_strdup(library_item_name(f, item));
	char *value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	const char *why = options_set(l->tracer->options, name, value, OPTION_BY_PROGRAM);
	if (why && f->is_named)
		diagnose(&l->tracer->compiling.library_mistakes, library_item_range(f, item),
			 D_PRAGMA_OPTSET, "option %s: %s", name, why);
	else if (why)
		message("D library %s, line %u: option %s: %s", f->source.name, f->items[item].line,
			name, why);
}

static void set_options(struct library *l)
{
	for (size_t i = 0; i < l->files.count; i++) {
		const struct library_file *f = l->files.items[i];
		for (size_t j = 0; f->text && !f->hidden && j < f->item_count; j++)
			if (f->items[j].kind == OUTLINE_OPTION)
				set_option(l, f, j);
	}
}

/* --- the handle ---------------------------------------------------------------------------- */

static void library_open(struct tracer *t)
{
	struct library *l = t->library;
	l->tracer = t;
	l->arena = arena_new();
	l->names = hash_new();
	l->embedded = arena_alloc(l->arena, ARRAY_SIZE(embedded_files) * sizeof(*l->embedded));
	if (option_number(t->options, OPTION_nolibs))
		return;
	size_t count;
	const char *const *directories = option_list(t->options, OPTION_libdir, &count);
	for (size_t i = 0; i < count; i++)
		add_directory(l, directories[i], GIVEN_BY_USER);
	add_directory(l, "/etc/dtrace/lib", GIVEN_BY_SITE);
	const char *system = option_text(t->options, OPTION_syslibdir);
	if (system)
		add_system_path(l, system);
	else
		add_embedded(l);
	if (!system)
		add_system_directory(l);
	set_options(l);
}

void library_close(struct library *l)
{
	if (!l->tracer)
		return;
	for (size_t i = 0; i < l->files.count; i++) {
		outline_deinit(&l->files.items[i]->read);
		free(l->files.items[i]->text);
	}
	vector_free(&l->files);
	hash_free(l->names);
	arena_free(l->arena);
}

struct library *library_opened(struct tracer *t)
{
	if (!t->library->tracer)
		library_open(t);
	return t->library;
}

void library_open_named(struct tracer *t)
{
	size_t count;
	option_list(t->options, OPTION_libdir, &count);
	if (count || option_text(t->options, OPTION_syslibdir))
		library_opened(t);
}
