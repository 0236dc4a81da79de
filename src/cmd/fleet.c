/* SPDX-License-Identifier: BSD-2-Clause */
/* fleet - dtrace --on HOSTS and dtrace --agent: the command lines of both sides */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"

#define FILE_MOST (16u << 20)

/* Their texts live as long as `owned`. */
struct fleet_list {
	VECTOR(struct fleet_host) hosts;
	VECTOR(char *) owned;
};

static void fleet_list_deinit(struct fleet_list *l)
{
	for (size_t i = 0; i < l->owned.count; i++)
		free(l->owned.items[i]);
	vector_free(&l->owned);
	vector_free(&l->hosts);
}

/* "web1,web2" */
static void take_names(struct fleet_list *l, const char *names)
{
	char *text = mem_strdup(names);
	vector_push(&l->owned, text);
	for (char *name; (name = strsep(&text, ","));)
		vector_push(&l->hosts, ((struct fleet_host) { name, NULL }));
}

/* "NAME", or "NAME COMMAND"; empty lines and those that begin with a # are none. */
static void take_host_line(struct fleet_list *l, char *line)
{
	char *name = line + strspn(line, " \t\r"), *end = name + strcspn(name, " \t\r");
	char *command = end + strspn(end, " \t\r");
	if (!*name || *name == '#')
		return;
	*end = 0;
	vector_push(&l->hosts, ((struct fleet_host) { name, *command ? command : NULL }));
}

static int take_file(struct fleet_list *l, const char *path)
{
	auto_strbuf struct strbuf text = { 0 };
	bool is_stdin = string_equal(path, "-");
	struct error *err = is_stdin ? NULL : file_read(path, FILE_MOST, &text);
	int errnum = is_stdin ? fd_read_all(STDIN_FILENO, FILE_MOST, &text) : 0;
	if (errnum)
		err = error_sys(errnum, "cannot read the hosts on standard input");
	if (err)
		return fatal_error(err);
	char *rest = strbuf_take(&text);
	vector_push(&l->owned, rest);
	for (char *line; (line = strsep(&rest, "\n"));)
		take_host_line(l, line);
	return STATUS_OK;
}

static int take_hosts(const struct arguments *a, struct fleet_list *l)
{
	int status = STATUS_OK;
	for (size_t i = 0; i < a->fleet.count && !status; i++) {
		const struct fleet_request *r = &a->fleet.items[i];
		if (r->is_file)
			status = take_file(l, r->text);
		else
			take_names(l, r->text);
	}
	if (!status && !l->hosts.count)
		return fatal("--on names no host");
	return status;
}

static int refuse_ask(const struct command *c)
{
	const struct arguments *a = c->arguments;
	if (a->mode != MODE_TRACE || a->compile_only)
		return fatal("--on traces: it cannot be used with -l, -e and -A");
	if (a->processes.count)
		return fatal("-%c cannot be used with --on yet: name processes by -x target",
			     a->processes.items[0].letter);
	if (tracer_option_is_set(c->tracer, "grabanon"))
		return fatal("-a cannot be used with --on");
	return STATUS_OK;
}

int command_ask(struct command *c)
{
	struct fleet_list list = { 0 };
	int status = refuse_ask(c);
	if (!status)
		status = take_hosts(c->arguments, &list);
	if (!status)
		status = open_output(c);
	if (!status)
		status = read_programs(c);
	if (!status && !c->arguments->programs.count)
		status = fatal("no probes specified: a program follows -n, a script's name follows "
			       "-s");
	if (!status) {
		signals_catch_show(c->tracer);
		signals_catch(c->tracer);
		struct error *err = tracer_ask(c->tracer, list.hosts.items, list.hosts.count,
					       c->programs, c->arguments->programs.count, &status);
		status = err ? fatal_error(err) : status & 0xff;
	}
	fleet_list_deinit(&list);
	return status;
}

static bool has_other_settings(const struct arguments *a)
{
	bool any = false;
	for (size_t i = 0; i < a->settings.count; i++)
		any |= a->settings.items[i].letter != 'w';
	return any;
}

int command_serve(struct command *c)
{
	const struct arguments *a = c->arguments;
	if (a->mode != MODE_TRACE || a->compile_only || a->processes.count || a->programs.count ||
	    a->words.count > 1 || a->fleet.count || a->output || has_other_settings(a))
		return fatal("--agent takes nothing but -w: what it does comes on standard input");
	int status;
	bool destroys = tracer_option_is_set(c->tracer, "destructive");
	tracer_set_option(c->tracer, "destructive", "off");
	signals_catch(c->tracer);
	struct error *err = tracer_serve(c->tracer, destroys, &status);
	return err ? fatal_error(err) : STATUS_OK;
}
