/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * json(): one element of a string, found in one pass without a tree
 *
 * The text is read character by character; `state` has the characters allowed
 * next, `kinds` is the stack of open braces and brackets, a bit each.  The
 * path is followed meanwhile: a value is `selected` if the part of the path
 * read so far leads to it.  Either the path ends there, and the value is the
 * result; or the value must be an object or array, in which the next part of
 * the path is searched: the container at depth `inside`.
 *
 *	{"a": 1, "b": [7, {"c": "x"}]}		b[1].c
 *	^             ^   ^     ^
 *	inside 1      2   3     selected, at the end of the path
 *
 * The state of text and path is in scratch memory, whose contents the verifier
 * does not know, and the larger steps are separate functions: with all of it on
 * the stack there are too many cases ("The sequence of 8193 jumps is too
 * complex").
 */
#include "runtime/string/text.h"

enum json_state {
	JSON_VALUE,	/* a value */
	JSON_FIRST,	/* a value or ] */
	JSON_FIRST_KEY, /* a key or } */
	JSON_KEY,	/* a key */
	JSON_COLON,
	JSON_AFTER, /* , or what closes */
	JSON_STRING,
	JSON_KEY_STRING,
	JSON_WORD, /* in a number, true, false, null */
	JSON_STOP, /* found, or there is nothing to find */
};

#define DEPTH_MAX 64

struct json {
	uint64_t path, path_len; /* `at` of the string */
	uint64_t state;
	uint64_t depth, kinds; /* of the open containers; bit: an object */
	uint64_t escaped;      /* characters of an escape still to come, see escape_char() */
	uint64_t word;	       /* the JSON_WORD read so far, see word_with() */
	uint64_t path_at;      /* the next part of the path */
	uint64_t selected;
	uint64_t inside; /* depth of the container to look in; 0: none */
	uint64_t index;	 /* values that come before the one looked for */
	uint64_t differs, key_at;
	uint64_t too_deep;
	uint64_t found; /* the result begins at START, in START_DEPTH containers */
	uint64_t start, start_depth, end;
};
_Static_assert(sizeof(struct json) <= JSON_ROOM, "the room that the compiler gives");

#define ESCAPE_DIGITS 4 /* and less: of them are left */
#define ESCAPE 5

#define STEP __attribute__((noinline)) long

/* Where the character AT of the string is that begins at STRING; NULL: outside of the slot. */
static always_inline const unsigned char *char_at(uint64_t string, uint64_t at)
{
	const unsigned char *s = scratch(string + at);
	return s ? s + __builtin_offsetof(struct rt_string, text) : 0;
}

static always_inline uint64_t path_char(const struct json *j, uint64_t at)
{
	const unsigned char *c = char_at(j->path, at);
	return at < j->path_len && c ? *c : 0;
}

/* --- the path --- */

struct json_loop {
	uint64_t work, text;
};

static long index_digit(uint32_t i, struct json_loop *l)
{
	struct json *j = scratch(l->work);
	uint64_t digit = j ? path_char(j, j->path_at) - '0' : 10;
	if (digit > 9)
		return 1;
	j->index = j->index * 10 + digit;
	j->path_at++;
	return 0;
}

/* "[12]" at the path's next part was read.  0: it is not an index, and the search ends. */
STEP rt_json_index(uint64_t work)
{
	struct json *j = scratch(work);
	if (!j || path_char(j, j->path_at) != '[')
		return 0;
	uint64_t begin = ++j->path_at;
	j->index = 0;
	struct json_loop l = { .work = work };
	port_loop(10, index_digit, &l, 0);
	if (path_char(j, j->path_at) != ']' || j->path_at == begin)
		return 0;
	j->path_at++;
	return 1;
}

/* The selected value begins with C: it is the result, or the search continues in it. */
STEP rt_json_select(uint64_t work, uint64_t at, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	j->selected = 0;
	if (j->path_at >= j->path_len) {
		j->found = 1;
		j->start = at + (c == '"');
		j->start_depth = j->depth;
	} else if (c == '[' && rt_json_index(work)) {
		j->inside = j->depth + 1;
	} else if (c == '{' && path_char(j, j->path_at) != '[') {
		j->path_at += path_char(j, j->path_at) == '.';
		j->inside = j->depth + 1;
	} else {
		j->state = JSON_STOP;
	}
	return 0;
}

/* One more character of a key: that of the container to look in is compared with the path. */
STEP rt_json_key_char(uint64_t work, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	uint64_t wanted = path_char(j, j->path_at + j->key_at);
	if (wanted != c || wanted == '.' || wanted == '[')
		j->differs = 1;
	j->key_at++;
	return 0;
}

STEP rt_json_key_end(uint64_t work)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	uint64_t next = j->path_at + j->key_at;
	uint64_t behind = path_char(j, next);
	j->state = JSON_COLON;
	if (j->inside != j->depth || j->differs || (behind && behind != '.' && behind != '['))
		return 0;
	j->selected = 1;
	j->inside = 0;
	j->path_at = next;
	return 0;
}

/* --- the text --- */

/* A value ended before END. */
static always_inline void json_after(struct json *j, uint64_t end)
{
	j->state = JSON_AFTER;
	if (j->found && j->depth == j->start_depth) {
		j->end = end;
		j->state = JSON_STOP;
	}
}

static always_inline void json_open(struct json *j, uint64_t is_object)
{
	if (j->depth >= DEPTH_MAX) {
		j->state = JSON_STOP;
		j->too_deep = 1;
		return;
	}
	j->kinds = j->kinds << 1 | is_object;
	j->depth++;
	j->state = is_object ? JSON_FIRST_KEY : JSON_FIRST;
}

static always_inline void json_close(struct json *j, uint64_t at, uint64_t is_object)
{
	if (!j->depth || (j->kinds & 1) != is_object || j->depth == j->inside) {
		j->state = JSON_STOP; /* another container was open, or this one does not have the
				       * element */
		return;
	}
	j->kinds >>= 1;
	j->depth--;
	json_after(j, at + 1);
}

static always_inline uint64_t is_letter(uint64_t c)
{
	return c - 'a' < 26;
}

static always_inline uint64_t is_digit(uint64_t c)
{
	return c - '0' < 10;
}

static always_inline uint64_t is_json_word_char(uint64_t c)
{
	return is_digit(c) || is_letter(c) || c == '-' || c == '+' || c == '.' || c == 'E';
}

/* "true" as the number that its characters make. */
#define WORD_TRUE 0x74727565
#define WORD_NULL 0x6e756c6c
#define WORD_FALSE 0x66616c7365

/* Of a number: the kind of the last character.  Less than any word of letters. */
enum json_number {
	NUMBER_SIGN,
	NUMBER_ZERO, /* which no digit may follow */
	NUMBER_DIGIT,
	NUMBER_POINT,
	NUMBER_FRACTION,
	NUMBER_E,
	NUMBER_E_SIGN,
	NUMBER_EXPONENT,
	NUMBER_WRONG, /* also a word that is too long */
};

static always_inline uint64_t is_json_word(uint64_t word)
{
	return word == WORD_TRUE || word == WORD_NULL || word == WORD_FALSE ||
	       word == NUMBER_ZERO || word == NUMBER_DIGIT || word == NUMBER_FRACTION ||
	       word == NUMBER_EXPONENT;
}

/* A digit or a letter of a number after the characters read. */
static always_inline uint64_t number_with(uint64_t read, uint64_t c)
{
	uint64_t may_end = read == NUMBER_ZERO || read == NUMBER_DIGIT;
	if (c == '.')
		return may_end ? NUMBER_POINT : NUMBER_WRONG;
	if (c == 'e' || c == 'E')
		return may_end || read == NUMBER_FRACTION ? NUMBER_E : NUMBER_WRONG;
	if (c == '+' || c == '-')
		return read == NUMBER_E ? NUMBER_E_SIGN : NUMBER_WRONG;
	if (!is_digit(c) || read == NUMBER_ZERO || read == NUMBER_WRONG)
		return NUMBER_WRONG;
	if (read == NUMBER_SIGN)
		return c == '0' ? NUMBER_ZERO : NUMBER_DIGIT;
	if (read == NUMBER_POINT)
		return NUMBER_FRACTION;
	return read == NUMBER_E || read == NUMBER_E_SIGN ? NUMBER_EXPONENT : read;
}

/* WORD and one more character: letters side by side, or a number. */
static always_inline uint64_t word_with(uint64_t word, uint64_t c)
{
	if (word <= NUMBER_WRONG)
		return number_with(word, c);
	return is_letter(c) && word >> 48 == 0 ? word << 8 | c : NUMBER_WRONG;
}

static always_inline uint64_t json_word_begin(uint64_t c)
{
	if (is_letter(c))
		return c;
	return c == '-' ? NUMBER_SIGN : number_with(NUMBER_SIGN, c);
}

/* A value begins with C. */
STEP rt_json_value(uint64_t work, uint64_t at, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	/* In an array to look in each value is one that comes before, or the one. */
	if (j->inside && j->inside == j->depth && !(j->kinds & 1) && j->index-- == 0) {
		j->selected = 1;
		j->inside = 0;
	}
	if (j->selected)
		rt_json_select(work, at, c);
	if (j->state == JSON_STOP)
		return 0;
	if (c == '{' || c == '[') {
		json_open(j, c == '{');
	} else if (c == '"') {
		j->state = JSON_STRING;
	} else if (is_digit(c) || c == '-' || is_letter(c)) {
		j->word = json_word_begin(c);
		j->state = JSON_WORD;
	} else {
		j->state = JSON_STOP;
	}
	return 0;
}

/*
 * The characters still to come after C of an escape: one, or four digits of \u.  Otherwise the
 * search ends.
 */
static always_inline void escape_char(struct json *j, uint64_t c)
{
	uint64_t letter = (c | 0x20) - 'a';
	uint64_t simple = c == '"' || c == '\\' || c == '/' || c == 'b' || c == 'f' || c == 'n' ||
			  c == 'r' || c == 't';
	if (j->escaped == ESCAPE && c == 'u')
		j->escaped = ESCAPE_DIGITS;
	else if (j->escaped == ESCAPE ? !simple : !is_digit(c) && letter >= 6)
		j->state = JSON_STOP;
	else if (j->escaped == ESCAPE)
		j->escaped = 0;
	else
		j->escaped--;
}

/* A character of a string or key. */
STEP rt_json_string_char(uint64_t work, uint64_t at, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	uint64_t is_key = j->state == JSON_KEY_STRING;
	if (!j->escaped && c == '"') {
		if (is_key)
			rt_json_key_end(work);
		else
			json_after(j, at);
		return 0;
	}
	if (j->escaped)
		escape_char(j, c);
	else if (c == '\\')
		j->escaped = ESCAPE;
	else if (c < ' ')
		j->state = JSON_STOP;
	if (is_key)
		rt_json_key_char(work, c);
	return 0;
}

/*
 * What may come where no value need begin.  1: one begins here.  (We do not call rt_json_value():
 * from an ERROR clause that would be one frame more than the eight that the kernel allows.)
 */
STEP rt_json_mark(uint64_t work, uint64_t at, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	uint64_t state = j->state;
	if (state == JSON_COLON) {
		j->state = c == ':' ? JSON_VALUE : JSON_STOP;
	} else if (state == JSON_AFTER && c == ',' && j->depth) {
		j->state = j->kinds & 1 ? JSON_KEY : JSON_VALUE;
	} else if ((state == JSON_FIRST_KEY || state == JSON_KEY) && c == '"') {
		j->state = JSON_KEY_STRING;
		j->key_at = j->differs = 0;
	} else if ((state == JSON_AFTER || state == JSON_FIRST_KEY) && c == '}') {
		json_close(j, at, 1);
	} else if ((state == JSON_AFTER || state == JSON_FIRST) && c == ']') {
		json_close(j, at, 0);
	} else if (state == JSON_FIRST) {
		return 1;
	} else {
		j->state = JSON_STOP;
	}
	return 0;
}

/* A character of a number, true, false or null.  1: C is after the word. */
STEP rt_json_word_char(uint64_t work, uint64_t at, uint64_t c)
{
	struct json *j = scratch(work);
	if (!j)
		return 0;
	if (is_json_word_char(c)) {
		j->word = word_with(j->word, c);
		return 0;
	}
	if (is_json_word(j->word)) {
		json_after(j, at);
		return 1;
	}
	j->state = JSON_STOP;
	j->found = 0;
	return 0;
}

static long json_char(uint32_t i, struct json_loop *l)
{
	struct json *j = scratch(l->work);
	const unsigned char *at = char_at(l->text, i);
	if (!j || !at)
		return 1;
	uint64_t c = *at;
	if (j->state == JSON_STRING || j->state == JSON_KEY_STRING) {
		rt_json_string_char(l->work, i, c);
		return 0;
	}
	if (j->state == JSON_WORD && !rt_json_word_char(l->work, i, c))
		return 0;
	if (j->state == JSON_STOP)
		return 1;
	if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		return 0;
	if (j->state == JSON_VALUE || rt_json_mark(l->work, i, c))
		rt_json_value(l->work, i, c);
	return 0;
}

/*
 * At most strsize characters, each read once; at most DEPTH_MAX open containers, else a fault.
 * WORK: memory for struct json.
 */
long rt_json(uint64_t to_at, uint64_t text_at, uint64_t path_at, uint64_t work)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *text = string_at(text_at), *path = string_at(path_at);
	struct json *j = scratch(work);
	if (!to || !text || !path || !j)
		return 0;
	to->tag = 0;
	*j = (struct json) { .path = path_at, .path_len = string_length(path), .selected = 1 };
	uint64_t len = string_length(text);
	struct json_loop l = { work, text_at };
	port_loop(len, json_char, &l, 0);
	if (j->state == JSON_WORD)
		rt_json_word_char(work, len, 0);
	uint64_t start = j->start, end = j->end;
	if (j->too_deep) /* else it would look like an element that is not there */
		return fault(to_at, FAULT_NOSCRATCH, 0);
	if (j->found && end && end >= start)
		string_part(to, text, start, end - start);
	return 0;
}
