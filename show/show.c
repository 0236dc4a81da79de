/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "show/names.h"
#include "show/stream.h"
#include "show/value.h"

void show_note(struct show *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vector_push(&s->notes, mem_vprintf(fmt, ap));
	va_end(ap);
}

bool show_is_wanted(const struct show *s, const char *name)
{
	return !s->wanted || string_equal(s->wanted, name);
}

bool show_wants_any(const struct show *s, struct json_object *values)
{
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		if (show_is_wanted(s, value_word(value_member(value, "name"))))
			return true;
	}
	return false;
}

struct json_object *show_aggregation(const struct show *s, const char *name)
{
	struct json_object *list = value_member(s->start, "aggregations");
	for (size_t i = 0; i < value_count(list); i++) {
		struct json_object *item = json_object_array_get_idx(list, i);
		if (string_equal(value_word(value_member(item, "name")), name))
			return item;
	}
	return NULL;
}

bool show_key_name(const struct show *s, const char *name, size_t place, struct strbuf *ret)
{
	struct json_object *keys = value_member(show_aggregation(s, name), "key");
	if (place >= value_count(keys))
		return false;
	value_text(json_object_array_get_idx(keys, place), ret);
	return true;
}

const struct show_unit *show_unit(const struct show *s, const char *name)
{
	static const struct show_unit units[] = {
		{ "ns", "nanoseconds", "seconds", 1e9 },  { "us", "microseconds", "seconds", 1e6 },
		{ "ms", "milliseconds", "seconds", 1e3 }, { "s", "seconds", "seconds", 1 },
		{ "bytes", "bytes", "bytes", 1 },
	};
	const char *unit = value_word(value_member(show_aggregation(s, name), "unit"));
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (string_equal(units[i].name, unit))
			return &units[i];
	return NULL;
}

char *show_title(const struct show *s, const char *name, const char *function)
{
	struct json_object *a = show_aggregation(s, name), *keys = value_member(a, "key");
	auto_strbuf struct strbuf ret = { 0 };
	strbuf_printf(&ret, "@%s", string_equal(name, "_") ? "" : name);
	for (size_t i = 0; i < value_count(keys); i++) {
		strbuf_puts(&ret, i ? ", " : "[");
		value_text(json_object_array_get_idx(keys, i), &ret);
	}
	strbuf_printf(&ret, "%s = %s(", value_count(keys) ? "]" : "", function);
	if (value_member(a, "value"))
		value_text(value_member(a, "value"), &ret);
	strbuf_putc(&ret, ')');
	if (value_member(a, "unit")) {
		strbuf_puts(&ret, " in ");
		value_text(value_member(a, "unit"), &ret);
	}
	return strbuf_take(&ret);
}

/* Quoted where a shell needs it: for people, who may copy it. */
static void word_add(struct strbuf *line, const char *word)
{
	bool quotes = !*word || strpbrk(word, " $\"'\\&|;<>()*?[]{}`#~!") != NULL;
	strbuf_puts(line, line->len ? " " : "");
	strbuf_puts(line, quotes ? "'" : "");
	for (; *word; word++)
		if (*word == '\'')
			strbuf_puts(line, "'\\''");
		else
			strbuf_putc(line, *word);
	strbuf_puts(line, quotes ? "'" : "");
}

/* WORDS in one line, the first without its folder. */
static char *command_line(struct json_object *words)
{
	auto_strbuf struct strbuf ret = { 0 };
	for (size_t i = 0; i < value_count(words); i++) {
		auto_strbuf struct strbuf word = { 0 };
		value_text(json_object_array_get_idx(words, i), &word);
		word_add(&ret, i ? strbuf_text(&word) : path_base_name(strbuf_text(&word)));
	}
	return strbuf_take(&ret);
}

static void show_start(struct show *s, struct json_object *line)
{
	s->runs++;
	s->is_ended = false;
	s->first_time = s->last_time = 0;
	json_object_put(s->start);
	s->start = json_object_get(line);
	if (member_unsigned(line, "version") > 1)
		show_note(s, "the stream is of a later version of dtrace: some of it may be "
			     "missing here");
	if (!value_signed(value_member(line, "wall_offset"), &s->wall_offset))
		s->wall_offset = 0;
	struct json_object *words = value_member(line, "command");
	if (value_count(words) && !s->command)
		s->command = command_line(words);
}

static void show_time(struct show *s, struct json_object *v, const char *member)
{
	uint64_t time = member_unsigned(v, member);
	if (!time)
		return;
	s->first_time = s->first_time ? MIN(s->first_time, time) : time;
	s->last_time = MAX(s->last_time, time);
}

/* When something was recorded, printed, or began to be counted. */
static void show_times(struct show *s, const char *type, struct json_object *line)
{
	show_time(s, line, "time");
	if (string_equal(type, "record"))
		return;
	show_time(s, line, "to");
	struct json_object *values = value_member(line, "values");
	for (size_t i = 0; i < value_count(values); i++)
		show_time(s, json_object_array_get_idx(values, i), "from");
}

/* What each form must know of the run. */
static void show_line(struct show *s, const char *type, struct json_object *line)
{
	if (string_equal(type, "start"))
		show_start(s, line);
	show_times(s, type, line);
	if (string_equal(type, "exit")) {
		s->is_ended = true;
		s->drops += member_unsigned(line, "drops");
		s->cuts += member_unsigned(line, "cuts");
		s->errors += member_unsigned(line, "errors");
	}
}

static void notes_of_stream(struct show *s, const struct stream *stream)
{
	uint64_t damaged = stream_damaged(stream);
	if (s->runs > 1)
		show_note(s,
			  "the file has %" PRIu64 " runs: rows are of the last one that printed "
			  "them, records of all",
			  s->runs);
	if (s->drops)
		show_note(s, "%" PRIu64 " drop%s: data are missing", s->drops,
			  s->drops == 1 ? "" : "s");
	if (s->errors)
		show_note(s, "%" PRIu64 " fault%s ended clauses: their data are missing", s->errors,
			  s->errors == 1 ? "" : "s");
	if (s->cuts)
		show_note(s, "stacks or strings were truncated: %" PRIu64, s->cuts);
	if (damaged)
		show_note(s, "%" PRIu64 " line%s of the stream %s damaged", damaged,
			  damaged == 1 ? "" : "s", damaged == 1 ? "is" : "are");
	if (stream_errno(stream))
		show_note(s, "the stream cannot be read to its end: %s",
			  strerror(stream_errno(stream)));
	else if (!s->is_ended)
		show_note(s, s->start ? "the stream has no end: dtrace did not end properly"
				      : "there is no run in it");
}

static struct error *document_write(struct show *s, FILE *out)
{
	struct error *err = s->form->end(s, out);
	if (err)
		return err;
	if (fflush(out) || ferror(out))
		return error_sys(errno, "cannot write the document");
	return NULL;
}

static void form_wait(void *arg, int fd)
{
	struct show *s = arg;
	s->form->wait(s, fd);
}

struct error *show_draw(struct show *s, int fd, FILE *out)
{
	struct stream *stream = stream_new(fd);
	struct names *names = names_new();
	const char *type;
	if (s->form->wait)
		stream_set_wait(stream, form_wait, s);
	s->form->begin(s);
	for (struct json_object *line; (line = stream_next(stream, &type));) {
		line = names_expand(names, line, type);
		if (!line)
			continue;
		type = value_word(value_member(line, "type"));
		show_line(s, type, line);
		s->form->line(s, type, line);
		json_object_put(line);
	}
	notes_of_stream(s, stream);
	if (names_unknown(names))
		show_note(s, "%" PRIu64 " numbers in the stream have no description",
			  names_unknown(names));
	names_free(names);
	stream_free(stream);
	return document_write(s, out);
}

void show_deinit(struct show *s)
{
	for (size_t i = 0; i < s->notes.count; i++)
		free(s->notes.items[i]);
	vector_free(&s->notes);
	vector_free(&s->labels);
	free(s->command);
	json_object_put(s->start);
}
