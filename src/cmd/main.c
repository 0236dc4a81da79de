/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace - the command
 *
 * Works in five passes, so that options act on all programs wherever they are
 * on the command line:
 *
 *   1. arguments_parse()      letters and words, in order
 *   2. command_set_options()  environment, then -x and its letters; later ones win
 *   3. start_processes()      -c, -p and -W, in order
 *   4. compile_programs()     each program, in order; the first mistaken one ends the run
 *   5. trace(), command_list(), or anonymous_save()
 *
 * Claiming (-a) compiles no programs: command_claim() replaces the last two.
 *
 * A function returns the exit code and has printed the reason, if it is not STATUS_OK.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "tracer/tracer.h"

/* What this version cannot do is refused, never ignored. */
static int refuse_unsupported(const struct arguments *a)
{
	if (a->data_model_32 && a->mode != MODE_LINK && a->mode != MODE_HEADER)
		return fatal("32-bit data model is not supported");
	return anonymous_check(a);
}

static int set_one(struct command *c, const struct setting *s)
{
	const char *why = tracer_set_option(c->tracer, s->name, s->value);
	if (!why)
		return STATUS_OK;
	const char *shown = s->letter == 'x' ? s->name : s->value;
	return fatal("failed to set -%c%s%s: %s", s->letter, shown ? " " : "", shown ? shown : "",
		     why);
}

static int command_set_options(struct command *c)
{
	struct error *err = tracer_set_options_from_environment(c->tracer);
	if (err)
		return fatal_error(err);
	if (c->arguments->mode == MODE_LIST)
		tracer_only_list(c->tracer);
	for (size_t i = 0; i < c->arguments->settings.count; i++) {
		int status = set_one(c, &c->arguments->settings.items[i]);
		if (status)
			return status;
	}
	tracer_set_args(c->tracer, c->arguments->words.items, (unsigned)c->arguments->words.count);
	return STATUS_OK;
}

/* The ending of PATH says what it is, unless an option does. */
static void choose_form(struct command *c, const char *path)
{
	static const char *const forms[][2] = { { ".svg", "flamegraph" },
						{ ".html", "html" },
						{ ".prom", "openmetrics" } };
	size_t len = strlen(path);
	if (c->arguments->mode != MODE_TRACE || tracer_option_is_set(c->tracer, "oformat"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t ending = strlen(forms[i][0]);
		if (len > ending && string_equal(path + len - ending, forms[i][0]))
			tracer_set_option(c->tracer, "oformat", forms[i][1]);
	}
}

/*
 * Records are appended as they come: a trace is followed while it grows, and may never end.  What
 * is replaced whole instead: -A, -h, -G (base/file.h).
 */
int open_output(struct command *c)
{
	const char *path = c->arguments->output;
	if (!path || c->arguments->mode == MODE_ANONYMOUS)
		return STATUS_OK;
	choose_form(c, path);
	c->creates_output = access(path, F_OK) < 0 && errno == ENOENT;
	c->output = fopen(path, "ae");
	if (!c->output)
		return fatal("failed to open output file '%s': %s", path, strerror(errno));
	c->output_name = path;
	tracer_set_output(c->tracer, fileno(c->output), path);
	return STATUS_OK;
}

/* A run that failed leaves no empty file: it was not there before. */
static void close_output(struct command *c, int status)
{
	if (!c->output || c->output == stdout)
		return;
	struct stat opened, named;
	if (status && c->creates_output && fstat(fileno(c->output), &opened) == 0 &&
	    opened.st_size == 0 && lstat(c->output_name, &named) == 0 &&
	    stat_is_same_file(&named, &opened))
		unlink(c->output_name);
	fclose(c->output);
}

static int grab(struct command *c, const char *text)
{
	char *end;
	const char *digits = text + strspn(text, " \t");
	errno = 0;
	long pid = strtol(digits, &end, 10);
	if (errno || end[strspn(end, " \t\n")] || *digits < '0' || *digits > '9' || pid > INT_MAX)
		return fatal("invalid pid: %s", text);
	struct error *err = tracer_grab(c->tracer, (int)pid);
	return err ? fatal_error(err) : STATUS_OK;
}

static int start_process(struct command *c, const struct process_request *request)
{
	if (request->letter == 'p')
		return grab(c, request->text);
	struct error *err = request->letter == 'c' ? tracer_create_process(c->tracer, request->text)
						   : tracer_await_process(c->tracer, request->text);
	return err ? fatal_error(err) : STATUS_OK;
}

static int start_processes(struct command *c)
{
	for (size_t i = 0; i < c->arguments->processes.count; i++) {
		int status = start_process(c, &c->arguments->processes.items[i]);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static void say_matched(struct command *c, const struct tracer_program *program)
{
	if (tracer_option_is_set(c->tracer, "quiet"))
		return;
	message("%s '%.*s' matched %u probe%s",
		program->kind == PROGRAM_SCRIPT ? "script" : "description",
		(int)tracer_program_title(program), program->name, program->matched,
		program->matched == 1 ? "" : "s");
}

static int finish_output(struct command *c)
{
	if (fflush(c->output) == 0 && !ferror(c->output))
		return STATUS_OK;
	return fatal_write(c->output_name, errno);
}

static int command_list(struct command *c)
{
	if (c->arguments->words.count > 1 && !c->arguments->programs.count)
		return fatal("nothing uses the argument '%s': a description of probes follows -n "
			     "(-l alone lists all)",
			     c->arguments->words.items[1]);
	struct error *err = tracer_list(c->tracer, c->output, c->arguments->verbosity);
	return err ? fatal_error(err) : finish_output(c);
}

/* The "matched" notices, and with -v a report on each program. */
static int command_report(struct command *c)
{
	for (size_t i = 0; i < c->arguments->programs.count; i++) {
		if (!c->arguments->compile_only)
			say_matched(c, &c->programs[i]);
		if (c->arguments->verbosity)
			tracer_report(c->tracer, c->output, &c->programs[i],
				      c->arguments->compile_only);
	}
	return finish_output(c);
}

/* With -v: who runs which clause. */
static int report_executors(struct command *c)
{
	if (c->arguments->verbosity)
		tracer_report_executors(c->tracer, c->output);
	return finish_output(c);
}

/* Until the end. */
static int consume(struct command *c)
{
	if (tracer_option_is_set(c->tracer, "destructive") &&
	    !tracer_option_is_set(c->tracer, "quiet"))
		message("allowing destructive actions");
	int status;
	struct error *err = tracer_run(c->tracer, &status);
	return err ? fatal_error(err) : status & 0xff;
}

static int check_matched(const struct command *c)
{
	if (c->matched == 0 && !tracer_option_is_set(c->tracer, "zdefs"))
		return fatal("no probes matched");
	return STATUS_OK;
}

static int check_programs(const struct command *c)
{
	if (tracer_option_is_set(c->tracer, "grabanon"))
		return fatal("could not enable tracing: Can't claim anonymous state and enable "
			     "probes");
	if (c->arguments->programs.count == 0)
		return fatal(
			"no probes specified: a program follows -n, a script's name follows -s");
	return check_matched(c);
}

static int trace(struct command *c)
{
	if (c->arguments->compile_only && !c->arguments->programs.count &&
	    c->arguments->words.count > 1) {
		fatal("no probes specified (-e only compiles; a program's text follows -n)");
		return STATUS_USAGE;
	}
	int status = command_report(c);
	if (status)
		return status;
	if (c->arguments->compile_only) {
		struct error *err = tracer_generate(c->tracer);
		return err ? fatal_error(err) : report_executors(c);
	}
	status = check_programs(c);
	if (status)
		return status;

	tracer_announce_compiled(c->tracer);
	signals_catch_show(c->tracer);
	struct error *err = tracer_prepare(c->tracer);
	if (err)
		return fatal_error(err);
	status = report_executors(c);
	if (status)
		return status;
	signals_catch(c->tracer);
	err = tracer_go(c->tracer);
	return err ? fatal_error(err) : consume(c);
}

static bool claims(const struct command *c)
{
	return c->arguments->mode == MODE_TRACE && c->arguments->programs.count == 0 &&
	       tracer_option_is_set(c->tracer, "grabanon");
}

/* The options that were saved replace ours. */
static int command_claim(struct command *c)
{
	auto_free char *pins = NULL;
	anonymous_renew(&c->tracer, &pins);
	int status = open_output(c);
	if (!status)
		status = start_processes(c);
	if (status)
		return status;
	signals_catch_show(c->tracer);
	signals_catch(c->tracer);
	struct error *err = tracer_claim(c->tracer, pins);
	if (err)
		return fatal_error(err);
	if (c->arguments->verbosity)
		tracer_report_all(c->tracer, c->output);
	status = finish_output(c);
	if (status)
		return status;
	if (c->arguments->compile_only)
		tracer_finish(c->tracer);
	return consume(c);
}

static int work_on_programs(struct command *c)
{
	int status = open_output(c);
	if (!status)
		status = read_programs(c);
	if (!status && c->shows_usage)
		return finish_output(c);
	if (!status)
		status = start_processes(c);
	if (!status)
		status = compile_programs(c);
	if (status)
		return status;
	switch (c->arguments->mode) {
	case MODE_LIST:
		return command_list(c);
	case MODE_ANONYMOUS:
		status = c->arguments->programs.count ? check_matched(c) : STATUS_OK;
		return status ? status : anonymous_save(c->tracer, c->arguments);
	default:
		return trace(c);
	}
}

/* -x provcheck */
static int check_providers(struct command *c)
{
	bool right;
	int status = open_output(c);
	if (status)
		return status;
	struct error *err = tracer_check_providers(c->tracer, c->output, &right);
	if (err)
		return fatal_error(err);
	status = finish_output(c);
	return right ? status : STATUS_FATAL;
}

/* What --core cannot be combined with; 0: nothing of it is there. */
static int refuse_core(struct command *c)
{
	const struct arguments *a = c->arguments;
	const char *form = option_text(tracer_options(c->tracer), OPTION_oformat);
	if (a->programs.count || a->processes.count || a->mode != MODE_TRACE || a->compile_only)
		return fatal("--core prints what a process has recorded: it takes no programs, no "
			     "processes and no mode");
	if (a->words.count > 1)
		return fatal("--core takes one core file or process: what is %s?",
			     a->words.items[1]);
	if (form && string_equal(form, "top"))
		return fatal(
			"--core prints once, and a page of -x oformat=top would be gone at once");
	return 0;
}

/* --core */
static int command_core(struct command *c)
{
	int status = refuse_core(c);
	if (!status)
		status = open_output(c);
	if (status)
		return status;
	signals_catch(c->tracer);
	struct error *err = tracer_core(c->tracer, c->arguments->core, &status);
	return err ? fatal_error(err) : status;
}

static int work(struct command *c)
{
	int status = command_set_options(c);
	if (status)
		return status;
	if (option_text(tracer_options(c->tracer), OPTION_provcheck))
		return check_providers(c);
	if (c->arguments->core)
		return command_core(c);
	if (c->arguments->is_agent)
		return command_serve(c);
	if (c->arguments->fleet.count)
		return command_ask(c);
	if (anonymous_is_asked(c->tracer))
		return anonymous_control(&c->tracer, c->arguments);
	return claims(c) ? command_claim(c) : work_on_programs(c);
}

static int command_run(const struct arguments *a)
{
	int status = refuse_unsupported(a);
	if (status)
		return status;
	if (a->mode == MODE_HEADER || a->mode == MODE_LINK)
		return definition_make(a);

	size_t count = a->programs.count;
	struct command c = {
		.arguments = a,
		.tracer = tracer_new(),
		.output = stdout,
		.output_name = "<stdout>",
		.programs = mem_zalloc((count + 1) * sizeof(*c.programs)),
		.scripts = mem_zalloc((count + 1) * sizeof(*c.scripts)),
		.paths = mem_zalloc((count + 1) * sizeof(*c.paths)),
	};
	status = work(&c);

	signals_forget();
	tracer_free(c.tracer);
	for (size_t i = 0; i < count; i++) {
		strbuf_deinit(&c.scripts[i]);
		strbuf_deinit(&c.paths[i]);
	}
	free(c.scripts);
	free(c.paths);
	free(c.programs);
	close_output(&c, status);
	return status;
}

/*
 * A standard descriptor that is closed would become the next file or map we open, and records or
 * messages would be written into that.  Instead it gets a file that refuses them: the null
 * device, opened the wrong way round.  Commands that we start find it closed as we did.
 */
static void occupy_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

static int tell(const struct arguments *a)
{
	if (a->mode == MODE_VERSION)
		version(a->verbosity);
	else
		help();
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_OK;
	return fatal_write("<stdout>", errno);
}

int main(int argc, char **argv)
{
	occupy_standard_descriptors();
	message_init(argc > 0 ? argv[0] : "dtrace");
	signals_survive_failed_writes();

	if (argc > 1 && saved_is_wanted(argv[1]))
		return show_saved(argc, argv);
	struct arguments a;
	int status = STATUS_USAGE;
	if (arguments_parse(&a, argc, argv)) {
		bool asked = a.mode == MODE_VERSION || a.mode == MODE_HELP;
		status = asked ? tell(&a) : command_run(&a);
	}
	arguments_deinit(&a);
	if (status == STATUS_PIPE)
		signals_end_by_pipe();
	return status;
}
