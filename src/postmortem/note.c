/* SPDX-License-Identifier: BSD-2-Clause */
/* The note in the shared memory: one description for writing and reading */
#include "base/archive.h"
#include "postmortem/postmortem.h"

static void archive_probe(struct archive *a, void *item, void *arg)
{
	struct recorded_probe *p = item;
	ARCHIVE(a, p->id);
	for (size_t i = 0; i < ARRAY_SIZE(p->names); i++)
		p->names[i] = archive_string(a, p->names[i]);
}

static void archive_note(struct archive *a, struct post_mortem_note *n)
{
	ARCHIVE(a, n->pid);
	n->text = archive_string(a, n->text);
	ARCHIVE(a, n->program_size);
	n->program = archive_bytes(a, n->program, n->program_size);
	ARCHIVE(a, n->probe_count);
	n->probes = archive_items(a, n->probes, n->probe_count, sizeof(*n->probes), archive_probe,
				  NULL);
}

void post_mortem_write(const struct post_mortem_note *note, struct strbuf *out)
{
	struct archive a = { .out = out };
	struct post_mortem_note copy = *note;
	archive_note(&a, &copy);
}

/* They are in the order of their ids, and no name but the last is missing. */
static bool probes_are_sound(const struct post_mortem_note *n)
{
	bool sound = true;
	for (uint64_t i = 0; i < n->probe_count && sound; i++) {
		const struct recorded_probe *p = &n->probes[i];
		sound = !i || p[-1].id < p->id;
		for (size_t k = 0; k + 1 < ARRAY_SIZE(p->names); k++)
			sound &= p->names[k] != NULL;
	}
	return sound;
}

bool post_mortem_read(const void *bytes, size_t size, struct arena *arena,
		      struct post_mortem_note *ret)
{
	struct archive a = { .in = bytes_of(bytes, size), .arena = arena };
	struct post_mortem_note n = { 0 };
	archive_note(&a, &n);
	if (a.failed || !n.text || !probes_are_sound(&n))
		return false;
	*ret = n;
	return true;
}
