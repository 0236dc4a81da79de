/* SPDX-License-Identifier: BSD-2-Clause */
/* compile - the programs of the command line: their texts, which files or tools may have */
#include <string.h>

#include "cmd/command.h"

static int read_script(struct command *c, const char *path, struct strbuf *ret)
{
	const struct options *options = tracer_options(c->tracer);
	auto_strbuf struct strbuf text = { 0 };
	struct error *err = script_read(path, &text);
	if (err)
		return fatal_error(err);
	if (!option_number(options, OPTION_cpp)) {
		strbuf_add(ret, strbuf_text(&text), text.len);
		return STATUS_OK;
	}
	err = cpp_run(options, path, &text, ret);
	if (err)
		return fatal_error(error_wrap(err, "failed to compile script %s", path));
	return STATUS_OK;
}

static int find_and_read_script(struct command *c, size_t i)
{
	const char *name = c->arguments->programs.items[i].text;
	struct error *err = tool_find(tracer_options(c->tracer), name, &c->paths[i]);
	return err ? fatal_error(err) : read_script(c, strbuf_text(&c->paths[i]), &c->scripts[i]);
}

static int read_program(struct command *c, size_t i)
{
	const struct program_request *request = &c->arguments->programs.items[i];
	struct tracer_program *program = &c->programs[i];
	program->kind = request->kind;
	program->name = request->text;
	program->text = request->text;
	program->len = strlen(request->text);
	if (request->kind == PROGRAM_SCRIPT) {
		int status = find_and_read_script(c, i);
		if (status)
			return status;
		program->name = strbuf_text(&c->paths[i]);
		program->text = strbuf_text(&c->scripts[i]);
		program->len = c->scripts[i].len;
	}
	return STATUS_OK;
}

static int check_words(struct command *c)
{
	int status = tool_find_declarer(c);
	for (size_t i = 0; i < c->arguments->programs.count && !status && !c->shows_usage; i++)
		status = tool_check_words(c, &c->arguments->programs.items[i], &c->programs[i]);
	return status;
}

static int compile_one(struct command *c, size_t i)
{
	const struct program_request *request = &c->arguments->programs.items[i];
	struct tracer_program *program = &c->programs[i];
	auto_free char *usage = request->kind == PROGRAM_SCRIPT
					? tool_usage(request->text, program->name, program->text)
					: NULL;
	if (!tracer_compile(c->tracer, program)) {
		if (usage)
			message("%s", usage);
		return STATUS_FATAL;
	}
	c->matched += program->matched;
	return STATUS_OK;
}

static bool creates_process(const struct arguments *a)
{
	for (size_t i = 0; i < a->processes.count; i++)
		if (a->processes.items[i].letter == 'c')
			return a->mode == MODE_TRACE && !a->compile_only;
	return false;
}

int read_programs(struct command *c)
{
	size_t count = c->arguments->programs.count;
	int status = STATUS_OK;
	for (size_t i = 0; i < count && !status; i++)
		status = read_program(c, i);
	status = status ? status : check_words(c);
	if (status || c->shows_usage)
		return status;
	tracer_args_are_of(c->tracer, c->declarer);
	if (creates_process(c->arguments))
		tracer_announce(c->tracer, c->programs, count);
	return STATUS_OK;
}

int compile_programs(struct command *c)
{
	for (size_t i = 0; i < c->arguments->programs.count; i++) {
		int status = compile_one(c, i);
		if (status)
			return status;
	}
	return STATUS_OK;
}
