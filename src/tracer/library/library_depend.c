/* SPDX-License-Identifier: BSD-2-Clause */
/* library_depend - `#pragma D depends_on`: a library with a missing dependency is left out */
#include <unistd.h>

#include "tracer/library/library_file.h"

static bool is_there(const char *name, const char *file)
{
	auto_free char *path = mem_printf("/sys/module/%s%s", name, file);
	return !strchr(name, '/') && access(path, F_OK) == 0;
}

/* Is module NAME there with its type data?  Those of one that is built in are the kernel's. */
static bool has_module(struct tracer *t, const char *name)
{
	if (is_there(name, "/initstate"))
		return types_has_scope(t->types, name);
	bool of_kernel = string_equal(name, "vmlinux") || string_equal(name, "kernel");
	return (of_kernel || is_there(name, "")) && !types_kernel_problem(t->types);
}

bool library_dependency(void *arg, const char *kind, const char *name)
{
	struct tracer *t = arg;
	return string_equal(kind, "provider") ? probe_db_has_provider(t->probes, name)
					      : has_module(t, name);
}

/* "a.d => b.d => " if A depends on B, which depends on FILE. */
static void chain_print(const struct library_file *file, const struct library_file *first,
			struct strbuf *out)
{
	if (file != first)
		chain_print(file->asked_by, first, out);
	strbuf_printf(out, "%s => ", file->base);
}

/* ITEM of FILE depends on FIRST again, which depends on FILE. */
static void circle_report(struct library *l, const struct library_file *file, size_t item,
			  const struct library_file *first)
{
	auto_strbuf struct strbuf chain = { 0 };
	chain_print(file, first, &chain);
	diagnose(&l->tracer->compiling.library_mistakes, library_item_range(file, item),
		 D_PRAGMA_DEPEND, "libraries depend on each other in a circle: %s%s",
		 strbuf_text(&chain), first->base);
}

static bool is_library(struct library *l, const struct library_file *asking, size_t item,
		       const char *base)
{
	for (size_t i = 0; i < l->files.count; i++) {
		struct library_file *f = l->files.items[i];
		if (!string_equal(f->base, base))
			continue;
		if (f->dependencies == ASKING) {
			circle_report(l, asking, item, f);
			return false;
		}
		if (f->dependencies == UNKNOWN)
			f->asked_by = asking;
		return library_dependencies_met(l, f);
	}
	if (asking->is_named)
		diagnose(&l->tracer->compiling.library_mistakes, library_item_range(asking, item),
			 D_PRAGMA_DEPEND, "there is no library %s in the directories of libraries",
			 base);
	return false;
}

/* ITEM of F: "module M", "provider P" or "library L". */
static bool is_met(struct library *l, const struct library_file *f, size_t item)
{
	const char *text = library_item_name(f, item), *name = text + strcspn(text, " \t");
	auto_free char *kind = mem_strndup(text, (size_t)(name - text));
	name += strspn(name, " \t");
	if (string_equal(kind, "library"))
		return is_library(l, f, item, name);
	return library_dependency(l->tracer, kind, name);
}

static bool all_met(struct library *l, struct library_file *f)
{
	for (size_t i = 0; i < f->item_count; i++)
		if (f->items[i].kind == OUTLINE_DEPEND && !is_met(l, f, i)) {
			log_debug("D library %s is left out: it depends on %s", f->source.name,
				  library_item_name(f, i));
			f->missing = library_item_name(f, i);
			return false;
		}
	return true;
}

/*
 * Our libraries have no order, so a circle would be harmless; but it is reported and its files are
 * left out, because other DTraces refuse circles.
 */
bool library_dependencies_met(struct library *l, struct library_file *f)
{
	if (f->dependencies == UNKNOWN) {
		f->dependencies = ASKING;
		f->dependencies = all_met(l, f) ? MET : MISSING;
	}
	return f->dependencies != MISSING;
}
