/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/library.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tracer/internal.h"
#include "tracer/library_file.h"

struct embedded_file {
	const char *base; /* "io.d" */
	const char *text;
	size_t len;
	const struct outline_item *items;
	size_t item_count;
	const char *names; /* of the items */
};

/* All of their names, sorted. */
struct embedded_name {
	uint16_t file, item;
};

#include "embedded_dlib.inc"

/* A definition. */
struct place {
	struct library_file *file;
	size_t item;
	struct place *next; /* of the same name */
};

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
		f->source.text = e->text;
		f->source.len = e->len;
		file_items(l, f, e->items, e->item_count, e->names);
		l->embedded[i] = f;
		mark_ours(l, e->base);
	}
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
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool is_there = fd >= 0 && fstat(fd, &st) == 0;
	if (!is_there || !S_ISREG(st.st_mode)) {
		report_unread(path, is_there ? "it is not a regular file" : strerror(errno), giver);
		return;
	}
	auto_strbuf struct strbuf text = { 0 };
	int errnum = fd_read_all(fd, (size_t)st.st_size, &text);
	if (errnum) {
		report_unread(path, strerror(errnum), giver);
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
		diagnose(&l->tracer->library_mistakes, library_item_range(f, item), D_PRAGMA_OPTSET,
			 "option %s: %s", name, why);
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

static struct library *library_new(struct tracer *t)
{
	struct library *l = mem_zalloc(sizeof(*l));
	l->tracer = t;
	l->arena = arena_new();
	l->names = hash_new();
	l->embedded = arena_alloc(l->arena, ARRAY_SIZE(embedded_files) * sizeof(*l->embedded));
	if (option_number(t->options, OPTION_nolibs))
		return l;
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
	return l;
}

void library_free(struct library *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->files.count; i++) {
		outline_deinit(&l->files.items[i]->read);
		free(l->files.items[i]->text);
	}
	vector_free(&l->files);
	hash_free(l->names);
	arena_free(l->arena);
	free(l);
}

/* --- finding ------------------------------------------------------------------------------- */

static const char *embedded_name(size_t i)
{
	const struct embedded_file *f = &embedded_files[embedded_names[i].file];
	return f->names + f->items[embedded_names[i].item].name;
}

/* The first of the sorted names that is not before NAME. */
static size_t lower_bound(const char *name)
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

typedef VECTOR(struct place) place_vector;

static void take_place(struct library *l, enum declarer who, struct library_file *f, size_t item,
		       bool pragmas, place_vector *ret)
{
	if (source_declarer(&f->source) != who)
		return;
	bool is_pragma = f->items[item].kind == OUTLINE_PRAGMA;
	if (f->items[item].kind == OUTLINE_DEPEND || f->items[item].kind == OUTLINE_OPTION ||
	    is_pragma != pragmas)
		return;
	if (!f->hidden && !f->fetched[item] && library_dependencies_met(l, f))
		vector_push(ret, (struct place) { f, item, NULL });
}

/* Translators to one type add up; of anything else the first definition counts. */
static bool adds_up(const char *name)
{
	return strncmp(name, "xlate ", 6) == 0;
}

/*
 * Is F, of which a definition was read, DECLARED_BY_LIBRARY, so that a search in files of the site
 * ends?
 */
static bool is_in_place_of_ours(struct library *l, enum declarer who, struct library_file *f)
{
	return who == DECLARED_BY_SITE && f->source.is_ours && library_dependencies_met(l, f);
}

/* The item of WHO's files that defines NAME and was not fetched yet; or the pragmas about NAME. */
static void find_all(struct library *l, enum declarer who, const char *name, bool pragmas,
		     place_vector *ret)
{
	for (struct place *p = hash_get_string(l->names, name); p; p = p->next) {
		if (!adds_up(name) && is_in_place_of_ours(l, who, p->file))
			return;
		take_place(l, who, p->file, p->item, pragmas, ret);
	}
	bool is_ours = who == DECLARED_BY_LIBRARY;
	size_t count = is_ours && l->embedded[0] ? ARRAY_SIZE(embedded_names) : 0;
	for (size_t i = count ? lower_bound(name) : 0; i < count; i++) {
		if (!string_equal(embedded_name(i), name))
			return;
		take_place(l, who, l->embedded[embedded_names[i].file], embedded_names[i].item,
			   pragmas, ret);
	}
}

static void add_topology(struct library *l, const struct tracer *t)
{
	auto_strbuf struct strbuf text = { 0 };
	l->has_topology = true;
	topology_print(&text, t->boot_wall_ns);
	size_t len = text.len;
	add_text(l, "<topology>", "<topology>", GIVEN_BY_SYSTEM, strbuf_take(&text), len);
	mark_ours(l, "<topology>");
}

static struct library *opened(struct tracer *t)
{
	if (!t->library)
		t->library = library_new(t);
	return t->library;
}

void library_open_named(struct tracer *t)
{
	size_t count;
	option_list(t->options, OPTION_libdir, &count);
	if (count || option_text(t->options, OPTION_syslibdir))
		opened(t);
}

enum library_kind library_find(void *arg, enum declarer who, const char *name)
{
	struct library *l = opened(arg);
	if (who == DECLARED_BY_LIBRARY && topology_defines(name) && !l->has_topology &&
	    l->embedded[0])
		add_topology(l, arg);
	place_vector places = { 0 };
	find_all(l, who, name, false, &places);
	enum library_kind kind =
		!places.count ? LIBRARY_NOTHING
		: places.items[0].file->items[places.items[0].item].kind == OUTLINE_TYPE
			? LIBRARY_TYPE
			: LIBRARY_VALUE;
	vector_free(&places);
	return kind;
}

bool library_left_out(void *arg, const char *name, const char **file, const char **needed)
{
	const struct library *l = opened(arg);
	for (struct place *p = hash_get_string(l->names, name); p; p = p->next)
		if (p->file->dependencies == MISSING) {
			*file = p->file->source.name;
			*needed = p->file->missing;
			return true;
		}
	return false;
}

/* --- fetching ------------------------------------------------------------------------------ */

/* All rows of one item are fetched together. */
static void mark_fetched(struct library_file *f, size_t item)
{
	uint32_t begin = f->items[item].begin;
	while (item > 0 && f->items[item - 1].begin == begin)
		item--;
	for (; item < f->item_count && f->items[item].begin == begin; item++)
		f->fetched[item] = true;
}

static void compile(struct library *l, const struct library_file *f, size_t item)
{
	const struct outline_item *i = &f->items[item];
	tracer_compile_library(l->tracer, &f->source, i->begin, i->end, i->line);
}

static void fetch(struct library *l, const struct place *p)
{
	struct library_file *f = p->file;
	if (f->fetched[p->item])
		return;
	mark_fetched(f, p->item);
	f->used = true;
	compile(l, f, p->item);
}

/* The file's pragmas about NAME come first. */
static void fetch_pragmas(struct library *l, const char *name, const struct library_file *f)
{
	place_vector places = { 0 };
	find_all(l, source_declarer(&f->source), name, true, &places);
	for (size_t i = 0; i < places.count; i++)
		if (places.items[i].file == f)
			fetch(l, &places.items[i]);
	vector_free(&places);
}

void library_define(void *arg, enum declarer who, const char *name)
{
	struct library *l = opened(arg);
	place_vector places = { 0 };
	find_all(l, who, name, false, &places);
	size_t count = adds_up(name) ? places.count : MIN(places.count, 1u);
	for (size_t i = count; i < places.count; i++)
		places.items[i].file->fetched[places.items[i].item] = true;
	for (size_t i = 0; i < count; i++) {
		fetch_pragmas(l, name, places.items[i].file);
		fetch(l, &places.items[i]);
	}
	vector_free(&places);
}

/* --- clauses ------------------------------------------------------------------------------- */

/* Our own libraries (without text) have none. */
static bool has_unchecked(const struct library_file *f)
{
	return f->text && f->used && !f->clauses_checked;
}

void library_check_clauses(struct tracer *t)
{
	struct library *l = t->library;
	/* A clause may use other files: the files before are checked again. */
	for (size_t i = 0; l && i < l->files.count; i++) {
		struct library_file *f = l->files.items[i];
		if (!has_unchecked(f))
			continue;
		f->clauses_checked = true;
		for (size_t j = 0; j < f->item_count; j++)
			if (f->items[j].kind == OUTLINE_CHECK)
				compile(l, f, j);
		i = (size_t)-1;
	}
}

/* --- all of a file --------------------------------------------------------------------------- */

/* The meaning of its names.  If a name is defined twice, the first definition is used. */
static void check_items(struct library *l, struct library_file *f)
{
	for (size_t i = 0; i < f->item_count; i++) {
		enum outline_kind kind = f->items[i].kind;
		if (kind <= OUTLINE_OTHER && !f->fetched[i])
			library_define(l->tracer, source_declarer(&f->source),
				       library_item_name(f, i));
	}
	for (size_t i = 0; i < f->item_count; i++)
		if (f->items[i].kind == OUTLINE_PRAGMA)
			fetch(l, &(struct place) { f, i, NULL });
}

static void check_file(struct library *l, struct library_file *f)
{
	const struct outline *read = &f->read;
	if (!library_dependencies_met(l, f))
		return;
	check_items(l, f);
	f->used = true; /* its clauses are checked, too */
	if (read->problem)
		diagnose(&l->tracer->library_mistakes,
			 (struct range) { .source = &f->source, .line = read->problem_line },
			 D_SYNTAX, "%s", read->problem);
}

void library_check_named(struct tracer *t)
{
	struct library *l = t->library;
	const struct typed_program before = *sema_result(t->sema);
	for (size_t i = 0; l && i < l->files.count; i++) {
		struct library_file *f = l->files.items[i];
		if (f->is_named && !f->hidden)
			check_file(l, f);
		f->is_named = false;
	}
	library_check_clauses(t);
	*sema_result(t->sema) = before; /* files that were only checked are not in use */
}
