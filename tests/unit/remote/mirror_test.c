/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mirror_test - what an agent has is what the asker's copy has; what the asker changes is changed
 * there; frames that are truncated or damaged are refused, and touch nothing else (as the address
 * sanitizer sees)
 */
#include "remote/relay.h"

static const char script[] =
	"BEGIN { printf(\"%s %d\", \"text\", n++); @[n % 3, \"key\"] = count(); @q = quantize(n); "
	"}\n"
	"BEGIN { @s[probename, n] = max(n); @m = max(n); trunc(@s); clear(@m); }";

struct seen {
	unsigned count;
	uint64_t sum;
};

static struct error *see(void *arg, const void *key, const void *value)
{
	struct seen *s = arg;
	uint64_t word;
	memcpy(&word, value, sizeof(word));
	s->count++;
	s->sum += word;
	return NULL;
}

static struct seen elements_of(const struct record_source *s, unsigned map)
{
	struct seen seen = { 0 };
	CHECK(is_fine(s->reader->visit(s->self, map, see, &seen)));
	return seen;
}

static void check_alike(struct relay *r)
{
	struct record_source mirror = remote_source(r->host);
	const struct program *p = &r->compiled.program;
	for (unsigned i = 0; i < p->map_count; i++) {
		struct seen a = elements_of(&r->source, i), b = elements_of(&mirror, i);
		CHECK_INT(a.count, b.count);
		CHECK_INT(a.sum, b.sum);
	}
	CHECK(memcmp(mirror.keyless, r->source.keyless, p->keyless_size * p->area_count) == 0);
	CHECK(memcmp(mirror.control, r->source.control, sizeof(struct control)) == 0);
}

TEST(the_copy_is_what_the_agent_has)
{
	struct relay r;
	CHECK(relay_init(&r, script));
	relay_ready(&r);
	for (int i = 0; i < 5; i++) {
		relay_fire(&r);
		relay_send(&r);
		CHECK(is_fine(relay_take(&r, r.frames.text, r.frames.len)));
		strbuf_clear(&r.frames);
		check_alike(&r);
	}
	size_t options;
	CHECK_INT(r.records, 10);
	CHECK_INT(remote_records(r.host), 10);
	CHECK_STR(remote_options(r.host, &options)[1], "aggsize=1m");
	CHECK_INT(options, 2);
	/* What has not changed is not sent again. */
	relay_send(&r);
	CHECK_INT(r.frames.len, 0);
	relay_deinit(&r);
}

/* The map of @s, whose keys have a probe. */
static unsigned map_of(const struct relay *r, const char *name)
{
	const struct program *p = &r->compiled.program;
	for (unsigned i = 0; i < p->aggregation_count; i++)
		if (string_equal(p->aggregations[i].name, name))
			return (unsigned)p->aggregations[i].map;
	return UINT32_MAX;
}

struct removing {
	const struct record_source *mirror;
	unsigned map;
	VECTOR(char *) keys;
};

static struct error *collect(void *arg, const void *key, const void *value)
{
	struct removing *r = arg;
	uint32_t size = r->mirror->program->maps[r->map].key_size;
	char *copy = mem_alloc(size);
	memcpy(copy, key, size);
	vector_push(&r->keys, copy);
	return NULL;
}

TEST(what_the_asker_changes_changes_there)
{
	struct relay r;
	CHECK(relay_init(&r, script));
	relay_ready(&r);
	relay_fire(&r);
	relay_fire(&r);
	relay_send(&r);
	CHECK(is_fine(relay_take(&r, r.frames.text, r.frames.len)));
	strbuf_clear(&r.frames);
	struct record_source mirror = remote_source(r.host);
	struct removing removing = { &mirror, map_of(&r, "s"), { 0 } };
	CHECK(is_fine(mirror.reader->visit(mirror.self, removing.map, collect, &removing)));
	CHECK_INT(removing.keys.count, 2);
	uint64_t value[2] = { 77, 1 };
	CHECK(is_fine(
		mirror.reader->update(mirror.self, removing.map, removing.keys.items[0], value)));
	CHECK(is_fine(mirror.reader->remove(mirror.self, removing.map, removing.keys.items[1])));
	__atomic_add_fetch((uint64_t *)mirror.keyless, 5, __ATOMIC_RELAXED);

	bool all = true;
	CHECK(is_fine(mirror.reader->settle(mirror.self, &all)));
	CHECK(!all);
	auto_strbuf struct strbuf changes = { 0 };
	remote_send_changes(r.host, &changes);
	struct frame_reader reader = { .is_greeted = true };
	struct frame f;
	bool found = true;
	unsigned settles = 0;
	frame_reader_add(&reader, changes.text, changes.len);
	while (found && is_fine(frame_next(&reader, &f, &found)) && found) {
		settles += f.kind == FRAME_SETTLE;
		if (f.kind != FRAME_SETTLE)
			CHECK(is_fine(state_change(r.sender, &f)));
	}
	frame_reader_deinit(&reader);
	CHECK_INT(settles, 1);
	struct seen there = elements_of(&r.source, removing.map);
	CHECK_INT(there.count, 1);
	CHECK_INT(there.sum, 77);
	check_alike(&r);
	auto_strbuf struct strbuf settled = { 0 };
	frame_put_number(&settled, FRAME_SETTLED, 1);
	CHECK(is_fine(relay_take(&r, settled.text, settled.len)));
	CHECK(is_fine(mirror.reader->settle(mirror.self, &all)));
	CHECK(all);
	for (size_t i = 0; i < removing.keys.count; i++)
		free(removing.keys.items[i]);
	vector_free(&removing.keys);
	relay_deinit(&r);
}

/* Frames of a whole run. */
static void frames_of_run(struct relay *r, struct strbuf *ret)
{
	relay_ready(r);
	relay_fire(r);
	relay_send(r);
	strbuf_add(ret, r->frames.text, r->frames.len);
}

static void take_damaged(struct relay *r, const char *bytes, size_t size)
{
	relay_asker_deinit(r);
	relay_asker_init(r);
	error_free(relay_take(r, bytes, size));
}

TEST(truncated_and_damaged_frames_are_refused)
{
	struct relay r;
	auto_strbuf struct strbuf frames = { 0 };
	CHECK(relay_init(&r, script));
	frames_of_run(&r, &frames);
	for (size_t len = 0; len < frames.len; len += 1 + frames.len / 500)
		take_damaged(&r, frames.text, len);
	for (size_t at = 0; at < frames.len; at += 1 + frames.len / 2000) {
		char was = frames.text[at];
		for (int bit = 0; bit < 8; bit += 3) {
			frames.text[at] = (char)(was ^ 1 << bit);
			take_damaged(&r, frames.text, frames.len);
		}
		frames.text[at] = was;
	}
	take_damaged(&r, frames.text, frames.len);
	CHECK_INT(r.records, 2);
	relay_deinit(&r);
}

TEST(banners_precede_the_greeting)
{
	struct frame_reader r = { 0 };
	auto_strbuf struct strbuf bytes = { 0 };
	struct frame f;
	bool found;
	strbuf_puts(&bytes, "Welcome\nto this machine\n");
	greeting_add(&bytes, "x");
	frame_put(&bytes, FRAME_GO);
	for (size_t i = 0; i < bytes.len; i++) {
		frame_reader_add(&r, bytes.text + i, 1);
		CHECK(is_fine(frame_next(&r, &f, &found)));
		CHECK_INT(found, i == bytes.len - 1);
	}
	CHECK_INT(f.kind, FRAME_GO);
	frame_reader_deinit(&r);

	struct frame_reader other = { 0 };
	frame_reader_add(&other, "dtrace-agent 77 x\n", 18);
	struct error *err = frame_next(&other, &f, &found);
	CHECK(err && strstr(error_text(err), "version 77"));
	error_free(err);
	frame_reader_deinit(&other);
}

TEST_MAIN
