/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header - a definition as a header of C and C++ (dtrace -h)
 *
 * The macros have the names that the classic tool and SystemTap's script give them.  Sites and
 * tests are <dtrace/sdt.h>'s; provider and probe are passed as strings, so that the program's own
 * macros (unix, linux) do not change them.
 */
#include <ctype.h>
#include <string.h>

#include "usdt/internal.h"

/* go__fast as GO_FAST: as the classic tool does from go-fast. */
static void macro_name(struct strbuf *out, const char *name)
{
	for (const char *p = name; *p; p++) {
		bool is_dash = p[0] == '_' && p[1] == '_';
		strbuf_putc(out,
			    isalnum((unsigned char)*p) ? (char)toupper((unsigned char)*p) : '_');
		p += is_dash;
	}
}

/* _PROBES_H of dir/probes.h */
static char *guard_of(const char *path)
{
	struct strbuf out = { 0 };
	strbuf_putc(&out, '_');
	for (const char *p = path_base_name(path); *p; p++)
		strbuf_putc(&out,
			    isalnum((unsigned char)*p) ? (char)toupper((unsigned char)*p) : '_');
	return strbuf_take(&out);
}

struct site {
	const struct definition_provider *provider;
	const struct definition_probe *probe;
	const char *macro; /* PROVIDER_PROBE */
};

static void parameters_print(struct strbuf *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(out, "%sarg%u", i ? ", " : "", i);
}

static void site_print(struct strbuf *out, const struct site *s)
{
	const char *provider = s->provider->name, *name = s->probe->name;
	strbuf_printf(out, "#define %s(", s->macro);
	parameters_print(out, s->probe->input_count);
	strbuf_printf(out, ") \\\n\t_DTRACE_SDT_SITE%u(\"%s\", \"%s\", \"%s_%s_semaphore\"",
		      s->probe->input_count, provider, name, provider, name);
	for (unsigned i = 0; i < s->probe->input_count; i++)
		strbuf_printf(out, ", %s(arg%u)", s->probe->input[i].cast, i);
	strbuf_printf(out,
		      ")\n#define %s_ENABLED() \\\n"
		      "\t_DTRACE_SDT_ENABLED(%s_%s_semaphore, \"%s_%s_semaphore\")\n",
		      s->macro, provider, name, provider, name);
}

static void empty_print(struct strbuf *out, const struct site *s)
{
	strbuf_printf(out, "#define %s(", s->macro);
	parameters_print(out, s->probe->input_count);
	strbuf_printf(out, ") do { } while (0)\n#define %s_ENABLED() (0)\n", s->macro);
}

static void sites_print(struct strbuf *out, const struct definition *d,
			void (*print)(struct strbuf *, const struct site *))
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++) {
			const struct definition_probe *probe = &provider->probes.items[j];
			auto_strbuf struct strbuf macro = { 0 };
			macro_name(&macro, provider->name);
			strbuf_putc(&macro, '_');
			macro_name(&macro, probe->name);
			print(out, &(struct site) { provider, probe, strbuf_text(&macro) });
		}
	}
}

/* --- notes ------------------------------------------------------------------------------------ */

#define LINE_BYTES 48 /* of a note, in a line of the header */

/* Bytes as lines of assembler, inside a string of C: both read \\ooo. */
static void assembler_bytes_print(struct strbuf *out, const struct strbuf *bytes)
{
	for (size_t i = 0; i < bytes->len; i += LINE_BYTES) {
		strbuf_puts(out, "\t\".ascii \\\"");
		for (size_t j = i; j < MIN(i + LINE_BYTES, bytes->len); j++) {
			unsigned char c = (unsigned char)bytes->text[j];
			if (c < ' ' || c > '~' || strchr("\\\"?", c))
				strbuf_printf(out, "\\\\%03o", c);
			else
				strbuf_putc(out, (char)c);
		}
		strbuf_puts(out, "\\\"\\n\"\n");
	}
}

static void notes_print(struct strbuf *out, const struct definition *d)
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		auto_strbuf struct strbuf bytes = { 0 };
		notes_of_provider(d, provider, &bytes);
		strbuf_printf(out, "\n_DTRACE_SDT_NOTES(\"%s\",\n", provider->name);
		assembler_bytes_print(out, &bytes);
		strbuf_puts(out, ")\n");
	}
}

/* --- what waits for the probes ---------------------------------------------------------------- */

static void waits_print(struct strbuf *out, const struct definition *d)
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		size_t count = provider->probes.count;
		if (!count)
			continue;
		strbuf_printf(out, "\n_DTRACE_WAIT(%s, \"%s\", %zu", provider->name, provider->name,
			      count);
		for (size_t j = 0; j < count; j++)
			strbuf_printf(
				out,
				",\n\t_DTRACE_WAIT_COUNTER(%s_%s_semaphore, \"%s_%s_semaphore\")",
				provider->name, provider->probes.items[j].name, provider->name,
				provider->probes.items[j].name);
		strbuf_puts(out, ")\n");
	}
}

/* What the classic tool's headers include, on which programs rely. */
#define INCLUDED "#include <unistd.h>\n"

/* A compiler that does not find it says what to do. */
static const char sites_included[] =
	"#ifdef __has_include\n"
	"#if !__has_include(<dtrace/sdt.h>)\n"
	"#error dtrace/sdt.h is not installed: compile with -I, and the folder include of dtrace\n"
	"#endif\n"
	"#endif\n"
	"#include <dtrace/sdt.h>\n"
	"#include <dtrace/wait.h>\n\n";

/* --- the header ------------------------------------------------------------------------------- */

static struct error *sites_check(const struct definition *d)
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++) {
			const struct definition_probe *probe = &provider->probes.items[j];
			if (probe->input_count > SITE_ARGUMENTS)
				return error_new("probe %s of provider %s has %u arguments: a site "
						 "has at most %u",
						 probe->name, provider->name, probe->input_count,
						 SITE_ARGUMENTS);
		}
	}
	return NULL;
}

struct error *definition_header(const struct definition *d, const char *from, const char *name,
				struct strbuf *ret)
{
	struct error *err = sites_check(d);
	if (err)
		return err;
	auto_free char *guard = guard_of(name);
	strbuf_printf(ret, "/* Generated by dtrace -h from %s: changes are lost. */\n",
		      path_base_name(from));
	strbuf_printf(ret, "#ifndef %s\n#define %s\n\n", guard, guard);
	strbuf_puts(ret, INCLUDED "\n#ifndef DTRACE_DISABLED\n\n");
	strbuf_puts(ret, sites_included);
	sites_print(ret, d, site_print);
	notes_print(ret, d);
	waits_print(ret, d);
	strbuf_puts(ret, "\n#else\n\n");
	sites_print(ret, d, empty_print);
	strbuf_puts(ret, "\n#endif\n\n#endif\n");
	return NULL;
}
