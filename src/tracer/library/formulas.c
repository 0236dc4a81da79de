/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where providers as data come from: directories of the user (-x provdir) and of the site, then
 * those that are built in.  Of two files with one name the first one counts.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "formula/formula.h"
#include "tracer/library/library_file.h"

#define SUFFIX ".prov"

#define FORMULA(name, probes, of_processes, size, ...)                                             \
	static const unsigned char name##_bytes[] = { __VA_ARGS__ };
#include "embedded_providers.inc"
#undef FORMULA

static const struct embedded_formulas embedded[] = {
#define FORMULA(name, probes, of_processes, size, ...)                                             \
	{ #name, probes, of_processes, { name##_bytes, sizeof(name##_bytes), size } },
#include "embedded_providers.inc"
#undef FORMULA
};

static bool is_type(void *arg, enum declarer who, const char *name)
{
	struct tracer *t = arg;
	enum declarer before = types_speak_for(t->types, who);
	bool answer = sema_is_type(t->sema, name);
	types_speak_for(t->types, before);
	return answer;
}

void formulas_mistakes(void *tracer, struct diagnostics *d)
{
	struct tracer *t = tracer;
	if (!d->list.count)
		return;
	t->library->formulas_are_wrong = true;
	/* Without privileges all files that use the kernel's symbols would be wrong. */
	bool is_hidden =
		t->request.only_lists && symbols_kernel_problem(symbols_kernel(t->symbols));
	if (!is_hidden || option_is_set(t->options, OPTION_provdir))
		tracer_show_mistakes(t, d);
}

/* Declarations of D are those of a library. */
static void declare(void *arg, const struct program_node *file)
{
	struct tracer *t = arg;
	struct diagnostics d = { 0 };
	sema_library(t->sema, file, &d);
	formulas_mistakes(t, &d);
	diagnostics_deinit(&d);
}

/* "io" of "io.prov"; NULL: not such a file. */
static char *provider_of(const char *file)
{
	size_t len = strlen(file), suffix = strlen(SUFFIX);
	if (file[0] == '.' || len <= suffix || strcmp(file + len - suffix, SUFFIX) != 0)
		return NULL;
	return mem_strndup(file, len - suffix);
}

/* A name with a number at its end is that of a provider of a process. */
static bool has_number(const char *name)
{
	return isdigit((unsigned char)name[strlen(name) - 1]);
}

static void add_file(struct tracer *t, const char *directory, const char *file)
{
	auto_free char *name = provider_of(file);
	if (!name)
		return;
	auto_free char *path = mem_printf("%s/%s", directory, file);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = has_number(name)
					       ? error_new("a provider's name ends in no digit")
					       : file_read_regular(path, &text);
	if (err) {
		message("providers of %s are left out: %s", path, error_text(err));
		return;
	}
	const char *copy = arena_strndup(t->arena, strbuf_text(&text), text.len);
	if (!formulas_add(t->library->formulas, t->probes, name, path, copy, text.len))
		message("providers of %s are left out: the provider %s is not made by formulas",
			path, name);
}

static void add_directory(struct tracer *t, const char *directory, bool by_user)
{
	struct dirent **files = NULL;
	int count = scandir(directory, &files, NULL, alphasort);
	if (count < 0 && by_user)
		message("directory of providers %s cannot be read: %s", directory, strerror(errno));
	for (int i = 0; i < count; i++) {
		add_file(t, directory, files[i]->d_name);
		free(files[i]);
	}
	free(files);
}

void formulas_open(struct tracer *t)
{
	if (t->library->formulas)
		return;
	const struct formulas_env env = {
		.arg = t, .is_type = is_type, .report = formulas_mistakes, .declare = declare
	};
	t->library->formulas = formulas_new(&env);
	size_t count;
	const char *const *directories = option_list(t->options, OPTION_provdir, &count);
	for (size_t i = 0; i < count; i++)
		add_directory(t, directories[i], true);
	add_directory(t, "/etc/dtrace/providers", false);
	for (size_t i = 0; i < ARRAY_SIZE(embedded); i++)
		formulas_add_embedded(t->library->formulas, t->probes, &embedded[i]);
}
