/* SPDX-License-Identifier: BSD-2-Clause */
/* note - providers as notes of section .note.dtrace (object/note/dtrace_note.h has the bytes) */
#include <assert.h>
#include <string.h>

#include "usdt/internal.h"

static void u8_add(struct strbuf *out, unsigned value)
{
	strbuf_putc(out, (char)value);
}

static void u16_add(struct strbuf *out, uint16_t value)
{
	strbuf_add(out, &value, sizeof(value));
}

static void u32_add(struct strbuf *out, uint32_t value)
{
	strbuf_add(out, &value, sizeof(value));
}

static void note_string_add(struct strbuf *out, const char *text)
{
	strbuf_add(out, text, strlen(text) + 1);
}

static void padding_add(struct strbuf *out)
{
	strbuf_fill(out, '\0', ALIGN_UP(out->len, 4) - out->len);
}

/* False: it is too long, and not there. */
static bool dtrace_note_add(struct strbuf *out, enum dtrace_note_type type,
			    const struct strbuf *body)
{
	if (body->len > DTRACE_NOTE_LENGTH)
		return false;
	u32_add(out, sizeof(DTRACE_NOTE_OWNER));
	u32_add(out, (uint32_t)body->len);
	u32_add(out, type);
	note_string_add(out, DTRACE_NOTE_OWNER);
	padding_add(out);
	strbuf_add(out, body->text, body->len);
	padding_add(out);
	return true;
}

static bool types_add(struct strbuf *out, const struct strbuf *types)
{
	auto_strbuf struct strbuf body = { 0 };
	u16_add(&body, DTRACE_NOTE_VERSION);
	u16_add(&body, DTRACE_NOTE_PLAIN);
	u32_add(&body, (uint32_t)types->len);
	strbuf_add(&body, types->text, types->len);
	return dtrace_note_add(out, DTRACE_NOTE_D, &body);
}

static void provider_note_add(struct strbuf *out, const struct definition_provider *provider)
{
	auto_strbuf struct strbuf body = { 0 };
	u16_add(&body, DTRACE_NOTE_VERSION);
	u16_add(&body, 0);
	for (unsigned i = 0; i < DTRACE_NOTE_PARTS; i++) {
		u8_add(&body, provider->attributes[i].name);
		u8_add(&body, provider->attributes[i].data);
		u8_add(&body, provider->attributes[i].class);
	}
	u8_add(&body, 0);
	note_string_add(&body, provider->name);
	bool fits = dtrace_note_add(out, DTRACE_NOTE_PROVIDER, &body);
	assert(fits); /* names are short */
	(void)fits;
}

static bool probe_note_add(struct strbuf *out, struct arena *a,
			   const struct definition_provider *provider,
			   const struct definition_probe *probe)
{
	auto_strbuf struct strbuf body = { 0 };
	u16_add(&body, DTRACE_NOTE_VERSION);
	u8_add(&body, probe->input_count);
	u8_add(&body, probe->output_count);
	strbuf_add(&body, probe->map, probe->output_count);
	padding_add(&body);
	note_string_add(&body, provider->name);
	char *name = arena_strdup(a, probe->name);
	probe_name_hyphenate(name);
	note_string_add(&body, name);
	for (unsigned i = 0; i < probe->input_count; i++)
		note_string_add(&body, probe->input[i].text);
	for (unsigned i = 0; i < probe->output_count; i++)
		note_string_add(&body, probe->output[i].text);
	return dtrace_note_add(out, DTRACE_NOTE_PROBE, &body);
}

void notes_of_provider(const struct definition *d, const struct definition_provider *provider,
		       struct strbuf *ret)
{
	bool whole = !d->types.len || types_add(ret, &d->types);
	provider_note_add(ret, provider);
	for (size_t i = 0; i < provider->probes.count; i++)
		whole &= probe_note_add(ret, d->arena, provider, &provider->probes.items[i]);
	if (!whole)
		message("provider %s: types that need more than %u bytes of text are left out of "
			"its notes",
			provider->name, DTRACE_NOTE_LENGTH);
}
