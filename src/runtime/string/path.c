/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Path names, as text: the file system is not asked */
#include "runtime/string/scan.h"

/*
 *	/usr/lib//	the last component begins at START and ends at END;
 *	    ^  ^	an empty one: nothing but slashes
 */
struct last_component {
	struct rt_string *to; /* where the result goes */
	const struct rt_string *path;
	struct scan scan;
	uint64_t start, end;
};

/* 0: there is no memory to write to, or nothing to read. */
static always_inline long find_last_component(uint64_t to_at, uint64_t path_at,
					      struct last_component *c)
{
	c->to = scratch(to_at);
	c->path = string_at(path_at);
	if (!c->to || !c->path)
		return 0;
	c->scan.blur = unknown_zero(&c->to->tag);
	uint64_t len = string_length(c->path);
	c->scan.text = c->path->text;
	scan_set(&c->scan, '/');
	c->end = at_most(len - scan_back(&c->scan, len, 0), NUMBER(rt_string_size));
	c->start = at_most(c->end - scan_back(&c->scan, c->end, 1), NUMBER(rt_string_size));
	return 1;
}

/* A path without components: "." when it is empty, else "/". */
static always_inline long no_component(const struct last_component *c)
{
	string_character(c->to, c->path->tag == 1 ? '.' : '/');
	return 0;
}

/* At most strsize bytes. */
long rt_basename(uint64_t to_at, uint64_t path_at)
{
	struct last_component last;
	if (!find_last_component(to_at, path_at, &last))
		return 0;
	if (!last.end)
		return no_component(&last);
	string_part(last.to, last.path, last.start, last.end - last.start);
	return 0;
}

/* At most strsize bytes. */
long rt_dirname(uint64_t to_at, uint64_t path_at)
{
	struct last_component last;
	if (!find_last_component(to_at, path_at, &last))
		return 0;
	if (!last.end)
		return no_component(&last);
	uint64_t len = last.start - scan_back(&last.scan, last.start, 0);
	if (len)
		string_part(last.to, last.path, 0, len);
	else /* in the root directory, or in the current one */
		string_character(last.to, last.start ? '/' : '.');
	return 0;
}

/*
 * cleanpath() reads the characters from the last one, so that `..` is found
 * before the component that it removes, and writes the result from right to
 * left into as much memory as the path itself would take:
 *
 *	a/./bc/../d	end: of the current component
 *	........a/d	write: the begin of the result so far
 */
struct clean {
	const char *path;
	char *out;
	uint64_t end;
	uint64_t len; /* of the path: where the result ends */
	uint64_t write;
	uint64_t above; /* components that are taken away by a `..` seen before */
	uint64_t blur;	/* a zero, see unknown_zero() */
};

/* Write a slash, unless the result is still empty; then move the begin by LEN bytes. */
static always_inline uint64_t clean_room(struct clean *c, uint64_t len)
{
	uint64_t write = c->write + c->blur;
	if (write < c->len + c->blur) {
		write = at_most(write - 1, NUMBER(rt_string_size));
		c->out[write] = '/';
	}
	write = at_most(write - len, NUMBER(rt_string_size));
	c->write = write + c->blur;
	return write;
}

static long clean_above(uint32_t i, struct clean *c)
{
	uint64_t at = clean_room(c, 2);
	c->out[at] = '.';
	c->out[at + 1] = '.';
	return 0;
}

/* The I-th character from the end; before the first one we take a slash for granted. */
static long clean_character(uint32_t i, struct clean *c)
{
	uint64_t start = at_most(c->len + c->blur - i, NUMBER(rt_string_size));
	const char *name = c->path + start;
	if (start && name[-1] != '/')
		return 0;
	uint64_t len = at_most(c->end + c->blur - start, NUMBER(rt_string_size));
	c->end = start - 1 + c->blur;
	uint64_t two = port_word(name) & 0xffff;
	if (len == 0 || (len == 1 && (two & 0xff) == '.'))
		return 0;
	if (len == 2 && two == ('.' | '.' << 8)) {
		c->above += c->blur + 1;
	} else if (c->above + c->blur) {
		c->above += c->blur - 1;
	} else {
		uint64_t at = clean_room(c, len);
		port_copy(c->out + at, len, name);
	}
	return 0;
}

/* The result to the front of its string, a word at a time. */
static long clean_shift(uint32_t i, struct clean *c)
{
	uint64_t to = (uint64_t)i * 8;
	OPAQUE(to);
	if (to > NUMBER(rt_string_size))
		return 1;
	uint64_t from = at_most(c->write, NUMBER(rt_string_size)) + to;
	*(uint64_t *)(c->out + to) = port_word(c->out + from);
	return 0;
}

/* At most strsize characters, each read once; the result is not longer than the path. */
long rt_cleanpath(uint64_t to_at, uint64_t path_at)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *path = string_at(path_at);
	if (!to || !path)
		return 0;
	uint64_t len = string_length(path);
	if (len == 0) {
		string_end(to, 0);
		return 0;
	}
	struct clean c = { .path = path->text, .out = to->text };
	c.above = unknown_zero(&to->tag);
	c.blur = unknown_zero(&to->tag); /* another copy: otherwise the verifier applies what it
					  * learns about one to both */
	c.len = c.end = c.write = len + c.blur;
	port_loop(c.len + 1, clean_character, &c, 0);

	if (path->text[0] == '/') {
		c.write = at_most(c.write - 1, NUMBER(rt_string_size));
		to->text[c.write] = '/';
	} else {
		port_loop(at_most(c.above, NUMBER(rt_string_size)), clean_above, &c, 0);
	}
	uint64_t clean_len = at_most(len - c.write, NUMBER(rt_string_size));
	if (clean_len == 0) {
		string_character(to, '.');
		return 0;
	}
	if (c.write)
		port_loop((clean_len + 7) / 8, clean_shift, &c, 0);
	string_end(to, clean_len);
	return 0;
}
