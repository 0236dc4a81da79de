/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/note/declared.h"

#include <zlib.h>

/* --- the parts of a descriptor ---------------------------------------------------------------- */

static const char *const *strings_read(struct declarations *d, struct bytes *b, unsigned count)
{
	const char **list = arena_alloc(d->arena, (count + 1) * sizeof(*list));
	for (unsigned i = 0; i < count; i++)
		list[i] = bytes_string(b);
	return list;
}

static const struct declared_provider *declared_provider_named(const struct declarations *d,
							       const char *name)
{
	for (size_t i = 0; i < d->providers.count; i++)
		if (string_equal(d->providers.items[i].name, name))
			return &d->providers.items[i];
	return NULL;
}

/* --- notes: NULL, or why it is damaged -------------------------------------------------------- */

#define STABILITIES 8 /* enum stability, enum dependency (probe/probe.h) */
#define CLASSES 6

static bool attributes_are_good(const struct declared_provider *p)
{
	for (unsigned i = 0; i < DTRACE_NOTE_PARTS; i++)
		if (p->attributes[i][0] >= STABILITIES || p->attributes[i][1] >= STABILITIES ||
		    p->attributes[i][2] >= CLASSES)
			return false;
	return true;
}

static const char *read_provider(struct declarations *d, struct bytes b, unsigned unit)
{
	struct declared_provider p = { .unit = unit, .flags = bytes_u16(&b) };
	const void *attributes = bytes_take(&b, sizeof(p.attributes));
	if (attributes)
		memcpy(p.attributes, attributes, sizeof(p.attributes));
	bytes_u8(&b);
	p.name = bytes_string(&b);
	if (b.failed || !*p.name)
		return "has a provider that is cut off";
	if (!attributes_are_good(&p))
		return "has a provider with unknown attributes";
	if (!declared_provider_named(d, p.name))
		vector_push(&d->providers, p);
	return NULL;
}

static bool map_is_good(const struct declared_probe *p)
{
	for (unsigned i = 0; i < p->output_count; i++)
		if (p->map[i] >= p->native_count)
			return false;
	return true;
}

static const char *read_probe(struct declarations *d, struct bytes b, unsigned unit)
{
	struct declared_probe p = { .native_count = bytes_u8(&b), .output_count = bytes_u8(&b) };
	/* The map is padded to a multiple of 4 from the descriptor's begin, where 4 bytes are
	 * before it. */
	p.map = bytes_take(&b, ALIGN_UP(p.output_count, 4u));
	p.provider = bytes_string(&b);
	p.name = bytes_string(&b);
	p.natives = strings_read(d, &b, p.native_count);
	p.outputs = strings_read(d, &b, p.output_count);
	if (b.failed || !*p.provider || !*p.name)
		return "has a probe that is cut off";
	if (!map_is_good(&p))
		return "has a probe with an argument that comes from none";
	const struct declared_provider *provider = declared_provider_named(d, p.provider);
	p.unit = provider ? provider->unit : unit;
	if (!declarations_probe(d, p.provider, p.name))
		vector_push(&d->probes, p);
	return NULL;
}

/* The text's bytes, which the caller frees; NULL: damaged. */
static char *declared_text_read(struct bytes *b, unsigned encoding, uint32_t length)
{
	char *text = mem_alloc((size_t)length + 1);
	uLongf size = length;
	const void *plain = encoding == DTRACE_NOTE_PLAIN ? bytes_take(b, length) : NULL;
	if (plain)
		memcpy(text, plain, length);
	bool fine = plain || (encoding == DTRACE_NOTE_ZLIB &&
			      uncompress((Bytef *)text, &size, b->data + b->pos,
					 (uLong)bytes_left(b)) == Z_OK &&
			      size == length);
	text[fine ? length : 0] = '\0';
	if (fine && !memchr(text, 0, length))
		return text;
	free(text);
	return NULL;
}

static unsigned declared_unit_find(const struct declarations *d, const char *text, size_t length)
{
	for (size_t i = 0; i < d->units.count; i++)
		if (d->units.items[i].length == length &&
		    memcmp(d->units.items[i].text, text, length) == 0)
			return (unsigned)i + 1;
	return 0;
}

static const char *declared_unit_read(struct declarations *d, struct bytes b, unsigned *unit)
{
	unsigned encoding = bytes_u16(&b);
	uint32_t length = bytes_u32(&b);
	d->text_bytes += length;
	if (d->text_bytes > DTRACE_NOTE_BYTES)
		return "has too much D text";
	char *text = b.failed ? NULL : declared_text_read(&b, encoding, length);
	if (!text)
		return "has a D text that is cut off, or of an unknown encoding";
	*unit = declared_unit_find(d, text, length);
	if (*unit) {
		free(text);
		return NULL;
	}
	vector_push(&d->units, ((struct declared_unit) { text, length }));
	*unit = (unsigned)d->units.count;
	return NULL;
}

static const char *read_btf(struct declarations *d, struct bytes b)
{
	bytes_u16(&b);
	uint32_t length = bytes_u32(&b);
	const void *data = bytes_take(&b, length);
	if (!data)
		return "has types (BTF) that are cut off";
	if (!d->btf.size)
		d->btf = bytes_of(data, length);
	return NULL;
}

static const char *read_descriptor(struct declarations *d, uint32_t type, struct bytes b,
				   unsigned *unit)
{
	unsigned version = bytes_u16(&b);
	if (b.failed)
		return "has an empty note";
	if (version != DTRACE_NOTE_VERSION)
		return NULL;
	switch (type) {
	case DTRACE_NOTE_PROVIDER:
		return read_provider(d, b, *unit);
	case DTRACE_NOTE_PROBE:
		return read_probe(d, b, *unit);
	case DTRACE_NOTE_D:
		return declared_unit_read(d, b, unit);
	case DTRACE_NOTE_BTF:
		return read_btf(d, b);
	default:
		return NULL;
	}
}

/* --- the section ------------------------------------------------------------------------------ */

static const char *read_note(struct declarations *d, struct bytes *section, unsigned *unit)
{
	struct elf_note note;
	if (!elf_note_next(section, &note))
		return "is cut off";
	if (!elf_note_is_of(&note, DTRACE_NOTE_OWNER))
		return NULL;
	if (note.descriptor.size > DTRACE_NOTE_LENGTH)
		return "has a note that is too long";
	return read_descriptor(d, note.type, note.descriptor, unit);
}

static const char *read_section(struct declarations *d, struct bytes *section)
{
	const char *why = NULL;
	unsigned unit = 0;
	if (section->size > DTRACE_NOTE_BYTES)
		return "is too large";
	for (unsigned i = 0; bytes_left(section) && !why; i++)
		why = i == DTRACE_NOTE_MOST ? "has too many notes" : read_note(d, section, &unit);
	return why;
}

struct error *declarations_read(struct bytes section, struct declarations *d)
{
	*d = (struct declarations) { .arena = arena_new() };
	const char *why = read_section(d, &section);
	if (!why)
		return NULL;
	declarations_deinit(d);
	return error_new("section " DTRACE_NOTE_SECTION " %s (up to byte %zu of %zu)", why,
			 section.pos, section.size);
}

void declarations_deinit(struct declarations *d)
{
	for (size_t i = 0; i < d->units.count; i++)
		free(d->units.items[i].text);
	vector_free(&d->units);
	vector_free(&d->providers);
	vector_free(&d->probes);
	if (d->arena)
		arena_free(d->arena);
	*d = (struct declarations) { 0 };
}

const struct declared_probe *declarations_probe(const struct declarations *d, const char *provider,
						const char *name)
{
	for (size_t i = 0; i < d->probes.count; i++)
		if (string_equal(d->probes.items[i].provider, provider) &&
		    string_equal(d->probes.items[i].name, name))
			return &d->probes.items[i];
	return NULL;
}

const struct declared_provider *declarations_provider(const struct declarations *d,
						      const char *name)
{
	return declared_provider_named(d, name);
}
