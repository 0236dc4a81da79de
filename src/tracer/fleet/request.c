/* SPDX-License-Identifier: BSD-2-Clause */
/* What is requested: the text for all agents, and how each host is reached (fleet.h) */
#include <string.h>
#include <sys/utsname.h>

#include "base/escape.h"
#include "tracer/anonymous/anonymous.h"
#include "tracer/fleet/internal.h"

static struct error *text_make(struct tracer *t, const struct tracer_program *programs,
			       size_t count)
{
	struct asking *a = t->fleet->asking;
	struct error *err = NULL;
	saved_begin(&a->text);
	anonymous_write_environment(t, true, &a->text);
	for (size_t i = 0; i < count && !err; i++)
		err = anonymous_write_program(&programs[i], &a->text);
	saved_end(&a->text);
	return err;
}

/* WORD for the shell, whatever is in it. */
static void shell_quote(struct strbuf *out, const char *word)
{
	strbuf_putc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_puts(out, "'\\'");
		strbuf_putc(out, *word);
	}
	strbuf_putc(out, '\'');
}

/* VIA with the host's name, and the constant command.  "." is this machine. */
static char *command_make(const struct tracer *t, const char *name, const char *via)
{
	auto_strbuf struct strbuf command = { 0 };
	auto_free char *own = own_program_path();
	bool is_here = string_equal(name, ".");
	for (const char *c; !is_here && (c = strstr(via, "{}")); via = c + 2) {
		strbuf_add(&command, via, (size_t)(c - via));
		shell_quote(&command, name);
	}
	if (is_here)
		shell_quote(&command, own);
	else
		strbuf_printf(&command, "%s dtrace", via);
	strbuf_puts(&command, " --agent");
	if (option_number(t->options, OPTION_destructive))
		strbuf_puts(&command, " -w");
	return strbuf_take(&command);
}

static struct error *host_check(const struct asking *a, const char *name)
{
	for (size_t i = 0; i < a->hosts.count; i++)
		if (string_equal(a->hosts.items[i].name, name))
			return error_new("--on names %s twice", name);
	if (!*name || *name == '-' || strlen(name) > HOST_NAME_MOST ||
	    escape_changes(name, strlen(name), ESCAPE_NEWLINES | ESCAPE_CONTROLS | ESCAPE_TABS))
		return error_new("--on: '%s' cannot be the name of a host", name);
	return NULL;
}

static void record_arrived(void *arg, struct remote_host *r, const void *record, uint32_t size)
{
	struct host *h = arg;
	rounds_take(h->asking->rounds, h, record, size);
}

/* "." is this machine, by its name. */
static const char *shown_name(struct tracer *t, const char *name)
{
	struct utsname own;
	bool is_here = string_equal(name, ".") && uname(&own) == 0;
	return is_here ? arena_strdup(t->arena, own.nodename) : name;
}

static struct error *host_make(struct tracer *t, const struct fleet_host *h)
{
	struct asking *a = t->fleet->asking;
	const char *name = shown_name(t, h->name);
	const char *via = h->command ? h->command : option_text(t->options, OPTION_via);
	struct error *err = host_check(a, name);
	if (err)
		return err;
	vector_push(&a->hosts, ((struct host) { .name = name,
						.command = command_make(t, h->name, via),
						.asking = a,
						.in = -1,
						.out = -1,
						.err = -1 }));
	return NULL;
}

static struct error *hosts_make(struct tracer *t, const struct fleet_host *hosts, size_t count)
{
	struct asking *a = t->fleet->asking;
	struct error *err = NULL;
	for (size_t i = 0; i < count && !err; i++)
		err = host_make(t, &hosts[i]);
	for (size_t i = 0; i < a->hosts.count; i++) { /* they do not move any more */
		struct host *h = &a->hosts.items[i];
		h->remote = remote_new(&(struct remote_setup) { h->name, t->types, &a->probes,
								record_arrived, h });
	}
	return err;
}

void request_put(const struct tracer *t, struct host *h)
{
	const struct asking *a = t->fleet->asking;
	size_t width = 0;
	for (size_t i = 0; i < a->hosts.count; i++)
		width = MAX(width, strlen(a->hosts.items[i].name));
	size_t begun = frame_open(&h->to_send, FRAME_REQUEST);
	frame_put_u32(&h->to_send, tracer_is_for_programs(t));
	frame_put_u32(&h->to_send, (uint32_t)width);
	frame_put_string(&h->to_send, h->name);
	frame_put_string(&h->to_send, strbuf_text(&a->text));
	frame_close(&h->to_send, begun);
}

struct error *request_make(struct tracer *t, const struct fleet_host *hosts, size_t host_count,
			   const struct tracer_program *programs, size_t count)
{
	struct error *err = text_make(t, programs, count);
	return err ? err : hosts_make(t, hosts, host_count);
}
