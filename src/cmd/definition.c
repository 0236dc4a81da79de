/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "usdt/usdt.h"

struct maker {
	const struct arguments *arguments;
	struct options *options;
	struct definition *definition;
	VECTOR(const char *) scripts;
	VECTOR(struct strbuf) texts;	 /* of the scripts */
	VECTOR(struct source *) sources; /* of the definition */
};

/* --- the command line ------------------------------------------------------------------------- */

/* "gcc -E" of the environment, as SystemTap's script does; -x cpppath counts more. */
static const char *set_preprocessor(struct options *o, char *words)
{
	char *save, *word = strtok_r(words, " \t", &save);
	if (!word)
		return NULL;
	const char *why = options_set(o, "cpppath", word, OPTION_BY_COMMAND);
	while (!why && (word = strtok_r(NULL, " \t", &save)))
		why = options_set(o, "cppargs", word, OPTION_BY_COMMAND);
	return why;
}

static int maker_set_options(struct maker *m)
{
	const char *variable, *cpp = getenv("CPP");
	auto_free char *words = mem_strdup(cpp ? cpp : "");
	const char *why = set_preprocessor(m->options, words);
	if (why)
		return fatal("CPP: %s", why);
	why = options_set_from_environment(m->options, environ, &variable);
	if (why)
		return fatal("%s: %s", variable, why);
	for (size_t i = 0; i < m->arguments->settings.count; i++) {
		const struct setting *s = &m->arguments->settings.items[i];
		/* SystemTap's script takes -x and ignores it: builds pass options of other systems'
		 * linkers. */
		if (s->letter == 'x' && option_by_name(s->name) == OPTION_COUNT)
			continue;
		why = options_set(m->options, s->name, s->value, OPTION_BY_COMMAND);
		if (why)
			return fatal("failed to set -%c %s: %s", s->letter,
				     s->letter == 'x' ? s->name : s->value, why);
	}
	return STATUS_OK;
}

/* -fpic and -fPIC are a compiler's, for SystemTap's script. */
static bool is_code_model(const struct program_request *p)
{
	return p->kind == PROGRAM_FUNCTION &&
	       (string_equal(p->text, "pic") || string_equal(p->text, "PIC"));
}

static int find_scripts(struct maker *m)
{
	const struct arguments *a = m->arguments;
	for (size_t i = 0; i < a->programs.count; i++) {
		const struct program_request *p = &a->programs.items[i];
		if (p->kind == PROGRAM_SCRIPT)
			vector_push(&m->scripts, p->text);
		else if (!is_code_model(p))
			return fatal("-%c makes a file from definitions in files (-s), not from "
				     "probe descriptions",
				     a->mode);
	}
	if (!m->scripts.count)
		return fatal("-%c needs a file of provider definitions: -s FILE (for help: %s "
			     "--help)",
			     a->mode, message_program());
	return STATUS_OK;
}

/* NAME.h of dir/NAME.d, in the current directory.  NULL: there is no such name. */
static char *default_output(const char *script, char suffix)
{
	const char *name = path_base_name(script), *dot = strrchr(name, '.');
	if (!*name || string_equal(script, "-") || string_equal(script, "/dev/stdin"))
		return NULL;
	return mem_printf("%.*s.%c", dot && dot > name ? (int)(dot - name) : (int)strlen(name),
			  name, suffix);
}

static int choose_output(const struct maker *m, char **ret)
{
	char mode = (char)m->arguments->mode;
	if (m->arguments->output) {
		*ret = mem_strdup(m->arguments->output);
		return STATUS_OK;
	}
	if (m->scripts.count > 1)
		return fatal("-%c requires an output file if multiple scripts are specified", mode);
	*ret = default_output(m->scripts.items[0], mode == MODE_HEADER ? 'h' : 'o');
	return *ret ? STATUS_OK
		    : fatal("-%c requires an output file (-o) if the script has no name", mode);
}

/* --- definitions ------------------------------------------------------------------------------ */

static int definition_text_read(const struct maker *m, const char *path, struct strbuf *ret)
{
	auto_strbuf struct strbuf text = { 0 };
	struct error *err = script_read(path, &text);
	if (!err && option_number(m->options, OPTION_cpp))
		err = cpp_run(m->options, path, &text, ret);
	else if (!err)
		strbuf_add(ret, strbuf_text(&text), text.len);
	return err ? fatal_error(err) : STATUS_OK;
}

/* The probes of SCRIPT.  Their names point into its text, which the maker keeps. */
static int read_definition(struct maker *m, const char *script)
{
	struct strbuf *text = vector_extend(&m->texts);
	*text = (struct strbuf) { 0 };
	int status = definition_text_read(m, script, text);
	if (status)
		return status;
	struct source *source = mem_zalloc(sizeof(*source));
	*source = (struct source) { .name = script, .text = strbuf_text(text), .len = text->len };
	vector_push(&m->sources, source);

	struct diagnostics mistakes = { .program = source };
	definition_read(m->definition, source, &mistakes);
	auto_strbuf struct strbuf name = { 0 };
	message_add_name(&name, MESSAGE_ERROR, STDERR_FILENO);
	if (mistakes.list.count) {
		diagnostics_print(&mistakes, stderr, strbuf_text(&name),
				  option_number(m->options, OPTION_errtags), DIAGNOSTICS_SHOWN);
		if (!strstr(source->text, "provider"))
			message("-%c -s reads definitions of providers, as in provider app { probe "
				"start(int); };%s",
				m->arguments->mode,
				m->arguments->mode == MODE_LINK ? " objects are operands" : "");
		status = STATUS_FATAL;
	}
	diagnostics_deinit(&mistakes);
	return status;
}

static int read_definitions(struct maker *m)
{
	for (size_t i = 0; i < m->scripts.count; i++) {
		int status = read_definition(m, m->scripts.items[i]);
		if (status)
			return status;
	}
	if (!definition_has_provider(m->definition))
		return fatal("%s declares no provider", m->scripts.items[0]);
	return STATUS_OK;
}

/* --- the file --------------------------------------------------------------------------------- */

/* -G: the words are objects, whose calls of probe functions become sites. */
static struct error *make_object(struct maker *m, struct strbuf *ret)
{
	const struct arguments *a = m->arguments;
	for (size_t i = 1; i < a->words.count; i++) {
		struct error *err = definition_rewrite(m->definition, a->words.items[i]);
		if (err)
			return err;
	}
	definition_object(m->definition, m->scripts.items[0], a->data_model_32, ret);
	return NULL;
}

static int definitions_make(struct maker *m)
{
	auto_free char *output = NULL;
	int status = maker_set_options(m);
	if (!status)
		status = find_scripts(m);
	if (!status)
		status = choose_output(m, &output);
	if (!status)
		status = read_definitions(m);
	if (status)
		return status;
	auto_strbuf struct strbuf text = { 0 };
	struct error *err =
		m->arguments->mode == MODE_LINK
			? make_object(m, &text)
			: definition_header(m->definition, m->scripts.items[0], output, &text);
	if (err)
		return fatal_error(err);
	int errnum = file_replace(output, &text, 0);
	return errnum ? fatal_write(output, errnum) : STATUS_OK;
}

int definition_make(const struct arguments *a)
{
	struct maker m = {
		.arguments = a,
		.options = options_new(),
		.definition = definition_new(),
	};
	int status = definitions_make(&m);
	definition_free(m.definition);
	options_free(m.options);
	for (size_t i = 0; i < m.texts.count; i++)
		strbuf_deinit(&m.texts.items[i]);
	for (size_t i = 0; i < m.sources.count; i++)
		free(m.sources.items[i]);
	vector_free(&m.texts);
	vector_free(&m.sources);
	vector_free(&m.scripts);
	return status;
}
