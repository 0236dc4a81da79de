/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt_declared - the types that files themselves declare of their static probes
 *
 * The notes (object/note/declared.h) of a file are read when args[] of one of its probes is first
 * used. They are copied, for files may be closed.  Two files of one build id and equal notes have
 * one set of units, so a program in ten containers has its text compiled once; a file without build
 * id has its own.
 */
#include <string.h>

#include "object/note/declared.h"
#include "provider/provider.h"
#include "provider/usdt/usdt.h"

/* The declarations of equal files. */
struct file_declarations {
	struct declarations notes;
	struct probe_unit *units; /* [0]: of providers without D text, then one for each text */
	struct image *image;	  /* held: its debug information has the other types */
	struct file_declarations *next;
};

struct usdt_declared {
	struct arena *arena;
	struct hash *by_content; /* build id and section -> file_declarations */
	struct file_declarations *all;
};

static struct usdt_declared *declared_new(void)
{
	struct usdt_declared *d = mem_zalloc(sizeof(*d));
	d->arena = arena_new();
	d->by_content = hash_new();
	return d;
}

void usdt_declared_free(struct usdt_declared *d)
{
	if (!d)
		return;
	for (struct file_declarations *f = d->all; f; f = f->next) {
		declarations_deinit(&f->notes);
		image_release(f->image);
	}
	hash_free(d->by_content);
	arena_free(d->arena);
	free(d);
}

/* --- a file ----------------------------------------------------------------------------------- */

static struct debug_info *debug_info_of(void *image)
{
	return image_debug_info(image);
}

static struct error *units_make(struct usdt_declared *d, struct types *t,
				struct file_declarations *f)
{
	size_t count = f->notes.units.count + 1;
	const char *file = arena_strdup(d->arena, image_name(f->image));
	struct probe_unit *units = arena_alloc(d->arena, count * sizeof(*units));
	for (size_t i = 0; i < count; i++) {
		const struct declared_unit *text = i ? &f->notes.units.items[i - 1] : NULL;
		units[i] = (struct probe_unit) { file, text ? text->text : "",
						 text ? text->length : 0, NULL };
		struct error *err =
			types_scope_new(t, f->notes.btf, debug_info_of, f->image, &units[i].types);
		if (err)
			return err;
	}
	f->units = units;
	return NULL;
}

/* The declarations in SECTION, a copy, of the object's file; without units if they are damaged. */
static struct file_declarations *declarations_of_file(struct usdt_declared *d, struct types *t,
						      const struct pid_object *object,
						      struct bytes section)
{
	struct file_declarations *f = ARENA_NEW(d->arena, struct file_declarations);
	f->image = image_refer(object->image);
	f->next = d->all;
	d->all = f;
	struct error *err = declarations_read(section, &f->notes);
	if (!err)
		err = units_make(d, t, f);
	if (!err)
		return f;
	message("%s: the types and translators in the file are not used, and its static probes "
		"have those of their operands: %s",
		image_name(object->image), error_text(err));
	error_free(err);
	return f;
}

/* --- which file ------------------------------------------------------------------------------- */

/* The declarations with the same content as those in SECTION, made if there are none. */
static struct file_declarations *file_of_content(struct usdt_declared *d, struct types *t,
						 const struct pid_object *object,
						 struct bytes section)
{
	struct bytes id = image_build_id(object->image);
	size_t size = id.size + section.size;
	unsigned char *key = arena_alloc(d->arena, size + 1);
	if (id.size)
		memcpy(key, id.data, id.size);
	memcpy(key + id.size, section.data, section.size);
	struct bytes copy = bytes_of(key + id.size, section.size);
	if (!id.size)
		return declarations_of_file(d, t, object, copy);
	struct file_declarations *f = hash_get(d->by_content, key, size);
	if (!f)
		f = *hash_place(d->by_content, key, size) =
			declarations_of_file(d, t, object, copy);
	return f;
}

static struct file_declarations *object_declarations(struct probe_db *db, struct pid_object *object)
{
	struct usdt_table *table = usdt_table_of(db);
	struct elf_file *elf = pid_object_elf(object);
	struct types *t = probe_db_types(db);
	struct bytes section;
	uint64_t address;
	if (!elf || !t || !elf_file_section(elf, DTRACE_NOTE_SECTION, &section, &address))
		return NULL;
	if (!table->declared)
		table->declared = declared_new();
	if (!object->declared)
		object->declared = file_of_content(table->declared, t, object, section);
	return object->declared;
}

static const struct attributes *attributes_of(struct usdt_declared *d,
					      const struct declared_provider *provider)
{
	struct attributes *ret = arena_alloc(d->arena, PROVIDER_PARTS * sizeof(*ret));
	for (unsigned i = 0; i < PROVIDER_PARTS; i++)
		ret[i] = (struct attributes) {
			(enum stability)provider->attributes[i][0],
			(enum stability)provider->attributes[i][1],
			(enum dependency)provider->attributes[i][2],
		};
	return ret;
}

/* --- probes ----------------------------------------------------------------------------------- */

const struct probe_declaration *usdt_declaration(struct probe_db *db, const struct usdt_probe *p,
						 const char *name)
{
	if (probe_db_settings(db)->no_declarations)
		return NULL;
	const struct file_declarations *f = object_declarations(db, p->object);
	const struct declared_probe *probe =
		f && f->units ? declarations_probe(&f->notes, p->raw_provider, name) : NULL;
	const struct declared_provider *provider =
		probe ? declarations_provider(&f->notes, p->raw_provider) : NULL;
	if (!provider)
		return NULL;
	struct probe_declaration *ret =
		ARENA_NEW(usdt_table_of(db)->declared->arena, struct probe_declaration);
	*ret = (struct probe_declaration) {
		.unit = &f->units[probe->unit],
		.native_count = probe->native_count,
		.output_count = probe->output_count,
		.natives = probe->natives,
		.outputs = probe->outputs,
		.map = probe->map,
		.attributes = attributes_of(usdt_table_of(db)->declared, provider),
	};
	return ret;
}
