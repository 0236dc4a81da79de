/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/note/declared.h"

#include <zlib.h>

#include "test.h"

struct section {
	unsigned char bytes[4096];
	size_t used;
};

static void add_bytes(struct section *s, const void *bytes, size_t len)
{
	memcpy(s->bytes + s->used, bytes, len);
	s->used += len;
}

static void add_note(struct section *s, uint32_t type, const void *descriptor, size_t len)
{
	const uint32_t header[3] = { 7, (uint32_t)len, type };
	add_bytes(s, header, sizeof(header));
	add_bytes(s, "DTrace\0", 8);
	add_bytes(s, descriptor, len);
	while (s->used % 4)
		s->bytes[s->used++] = 0;
}

#define TEXT(text) text, sizeof(text)
#define PROVIDER_RX TEXT("\1\0\1\0\5\5\5\0\0\0\0\0\0\5\5\4\7\7\5\0rx")
#define PROBE_DONE                                                                                 \
	TEXT("\1\0\2\3\1\0\1\0rx\0conn-done\0struct conn *c\0int n\0int n\0conninfo_t *c\0int m")

static void add_text(struct section *s, unsigned encoding, uint32_t length, const void *text,
		     size_t len)
{
	unsigned char descriptor[512] = { 1, 0, (unsigned char)encoding };
	memcpy(descriptor + 4, &length, 4);
	memcpy(descriptor + 8, text, len);
	add_note(s, DTRACE_NOTE_D, descriptor, len + 8);
}

static struct error *read_all(const struct section *s, size_t size, struct declarations *d)
{
	return declarations_read(bytes_of(s->bytes, size), d);
}

TEST(a_provider_with_text_and_probe)
{
	struct section s = { 0 };
	struct declarations d;
	add_text(&s, DTRACE_NOTE_PLAIN, 6, "int x;", 6);
	add_note(&s, DTRACE_NOTE_PROVIDER, PROVIDER_RX);
	add_note(&s, DTRACE_NOTE_PROBE, PROBE_DONE);
	CHECK(!read_all(&s, s.used, &d));
	CHECK_INT(d.units.count, 1);
	CHECK_STR(d.units.items[0].text, "int x;");
	const struct declared_provider *rx = declarations_provider(&d, "rx");
	CHECK(rx);
	CHECK_INT(rx->unit, 1);
	CHECK_INT(rx->flags, DTRACE_NOTE_IN_SIGNAL);
	CHECK_INT(rx->attributes[3][1], 5);
	CHECK_INT(rx->attributes[4][0], 7);
	const struct declared_probe *p = declarations_probe(&d, "rx", "conn-done");
	CHECK(p);
	CHECK_INT(p->unit, 1);
	CHECK_INT(p->native_count, 2);
	CHECK_STR(p->natives[0], "struct conn *c");
	CHECK_INT(p->output_count, 3);
	CHECK_INT(p->map[0], 1);
	CHECK_STR(p->outputs[1], "conninfo_t *c");
	CHECK(!declarations_probe(&d, "rx", "other"));
	declarations_deinit(&d);
}

TEST(units_are_of_the_providers_after_them_and_equal_ones_are_one)
{
	struct section s = { 0 };
	struct declarations d;
	static const char other[] = "\1\0\0\0\4\4\5\4\4\5\4\4\5\4\4\5\4\4\5\0other";
	add_note(&s, DTRACE_NOTE_PROVIDER, PROVIDER_RX);
	add_text(&s, DTRACE_NOTE_PLAIN, 6, "int x;", 6);
	add_text(&s, DTRACE_NOTE_PLAIN, 6, "int y;", 6);
	add_text(&s, DTRACE_NOTE_PLAIN, 6, "int x;", 6);
	add_note(&s, DTRACE_NOTE_PROVIDER, TEXT(other));
	add_note(&s, DTRACE_NOTE_PROVIDER, PROVIDER_RX); /* the first one counts */
	add_note(&s, DTRACE_NOTE_PROBE, PROBE_DONE);
	CHECK(!read_all(&s, s.used, &d));
	CHECK_INT(d.units.count, 2);
	CHECK_INT(d.providers.count, 2);
	CHECK_INT(declarations_provider(&d, "rx")->unit, 0);
	CHECK_INT(declarations_provider(&d, "other")->unit, 1);
	CHECK_INT(d.probes.items[0].unit, 0);
	declarations_deinit(&d);
}

TEST(compressed_text)
{
	struct section s = { 0 };
	struct declarations d;
	unsigned char packed[256];
	char text[200];
	uLongf size = sizeof(packed);
	memset(text, ' ', sizeof(text));
	CHECK_INT(compress(packed, &size, (const Bytef *)text, sizeof(text)), Z_OK);
	add_text(&s, DTRACE_NOTE_ZLIB, sizeof(text), packed, size);
	CHECK(!read_all(&s, s.used, &d));
	CHECK_INT(d.units.items[0].length, sizeof(text));
	declarations_deinit(&d);
}

static void check_refused(const struct section *s, const char *why)
{
	struct declarations d;
	auto_error struct error *err = read_all(s, s->used, &d);
	CHECK(err);
	CHECK(err && strstr(error_text(err), why));
	CHECK_INT(d.units.count + d.probes.count + d.providers.count, 0);
	declarations_deinit(&d);
}

TEST(damage_is_refused)
{
	struct section s = { 0 };
	add_note(&s, DTRACE_NOTE_PROBE, TEXT("\1\0\1\1\1\0\0\0rx\0p\0int n\0int n"));
	check_refused(&s, "an argument that comes from none");
	s.used = 0;
	add_note(&s, DTRACE_NOTE_PROVIDER, TEXT("\1\0\0\0\x8\5\5\5\5\5\5\5\5\5\5\5\5\5\5\0rx"));
	check_refused(&s, "unknown attributes");
	s.used = 0;
	add_text(&s, DTRACE_NOTE_PLAIN, 60, "int x;", 6);
	check_refused(&s, "cut off");
	s.used = 0;
	add_text(&s, DTRACE_NOTE_ZLIB, 60, "int x;", 6);
	check_refused(&s, "cut off");
	s.used = 0;
	add_text(&s, DTRACE_NOTE_PLAIN, 5, "i\0t x", 5);
	check_refused(&s, "cut off");
	s.used = 0;
	add_text(&s, DTRACE_NOTE_PLAIN, UINT32_MAX, "int x;", 6);
	check_refused(&s, "too much");
	s.used = 0;
	add_note(&s, DTRACE_NOTE_BTF, TEXT("\1\0\0\0\x40\0\0\0"));
	check_refused(&s, "BTF");
	s.used = 0;
	add_note(&s, DTRACE_NOTE_D, "\1", 1);
	check_refused(&s, "empty");
}

TEST(others_notes_and_later_versions_are_passed_over)
{
	struct section s = { 0 };
	struct declarations d;
	add_note(&s, DTRACE_NOTE_D, TEXT("\2\0\0\0?"));
	add_note(&s, DTRACE_NOTE_DOFREF, TEXT("\1\0?"));
	add_note(&s, 77, TEXT("\1\0?"));
	memcpy(s.bytes + 12, "XTrace", 6);
	CHECK(!read_all(&s, s.used, &d));
	CHECK_INT(d.units.count + d.probes.count + d.providers.count, 0);
	declarations_deinit(&d);
}

/* Cut anywhere, the section is refused or has fewer notes; nothing is read outside of it. */
TEST(any_length)
{
	struct section s = { 0 };
	add_text(&s, DTRACE_NOTE_PLAIN, 6, "int x;", 6);
	add_note(&s, DTRACE_NOTE_PROVIDER, PROVIDER_RX);
	add_note(&s, DTRACE_NOTE_PROBE, PROBE_DONE);
	for (size_t size = 0; size < s.used; size++) {
		struct declarations d;
		auto_free unsigned char *copy = mem_alloc(size + 1);
		memcpy(copy, s.bytes, size);
		auto_error struct error *err = declarations_read(bytes_of(copy, size), &d);
		CHECK(d.probes.count == 0 || size + 4 > s.used);
		CHECK(!err || d.units.count == 0);
		declarations_deinit(&d);
	}
}

TEST_MAIN
