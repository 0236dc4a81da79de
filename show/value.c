/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/frames.h"

#define FRAMES_SHOWN 100	      /* of a stack in text */
#define EXACT_MOST ((int64_t)1 << 53) /* dtrace writes larger integers as digits in a string */

struct json_object *value_member(struct json_object *v, const char *name)
{
	struct json_object *ret = NULL;
	if (json_object_is_type(v, json_type_object))
		json_object_object_get_ex(v, name, &ret);
	return ret;
}

size_t value_count(struct json_object *v)
{
	return json_object_is_type(v, json_type_array) ? json_object_array_length(v) : 0;
}

/* The digits of an integer that a double cannot hold; NULL: V is something else. */
static const char *value_digits(struct json_object *v)
{
	struct json_object *integer = value_member(v, "integer");
	if (integer)
		v = integer;
	const char *text =
		json_object_is_type(v, json_type_string) ? json_object_get_string(v) : "";
	const char *digits = *text == '-' ? text + 1 : text;
	size_t count = strspn(digits, "0123456789");
	return count && !digits[count] ? text : NULL;
}

bool value_signed(struct json_object *v, int64_t *ret)
{
	if (json_object_is_type(v, json_type_int)) {
		int64_t number = json_object_get_int64(v);
		bool is_exact = number >= -EXACT_MOST && number <= EXACT_MOST;
		*ret = is_exact ? number : *ret;
		return is_exact;
	}
	const char *digits = value_digits(v);
	errno = 0;
	int64_t number = digits ? strtoll(digits, NULL, 10) : 0;
	if (!digits || errno)
		return false;
	*ret = number;
	return true;
}

bool value_unsigned(struct json_object *v, uint64_t *ret)
{
	int64_t number;
	if (value_signed(v, &number)) {
		*ret = (uint64_t)number;
		return number >= 0;
	}
	const char *digits = value_digits(v);
	errno = 0;
	uint64_t large = digits && *digits != '-' ? strtoull(digits, NULL, 10) : 0;
	if (!large || errno)
		return false;
	*ret = large;
	return true;
}

bool value_wide(struct json_object *v, unsigned __int128 *ret)
{
	uint64_t number;
	if (value_unsigned(v, &number)) {
		*ret = number;
		return true;
	}
	const char *digits = value_digits(v);
	unsigned __int128 sum = 0;
	if (!digits || *digits == '-')
		return false;
	for (; *digits; digits++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (unsigned)(*digits - '0'), &sum))
			return false;
	*ret = sum;
	return true;
}

uint64_t member_unsigned(struct json_object *v, const char *name)
{
	uint64_t ret;
	return value_unsigned(value_member(v, name), &ret) ? ret : 0;
}

const char *value_word(struct json_object *v)
{
	return json_object_is_type(v, json_type_string) ? json_object_get_string(v) : "";
}

/* The bytes of the control character at TEXT; 0: it is another one. */
static size_t control_length(const char *text, size_t left)
{
	unsigned char c = (unsigned char)*text;
	if (c < 0x20 || c == 0x7f)
		return 1;
	return left > 1 && c == 0xc2 && (unsigned char)text[1] < 0xa0 ? 2 : 0; /* C1 */
}

/* Text in which nothing controls a terminal or ends a string, nor a line, unless it KEEPS lines. */
static void text_add(const char *text, size_t left, bool keeps, struct strbuf *ret)
{
	size_t plain = 0; /* bytes before TEXT that are to be added */
	for (size_t len; left; text += len, left -= len) {
		len = control_length(text, left);
		if (!len || (keeps && (*text == '\n' || *text == '\t'))) {
			plain++;
			len = 1;
			continue;
		}
		strbuf_add(ret, text - plain, plain);
		plain = 0;
		strbuf_puts(ret, *text == '\n' || *text == '\t' ? " " : "\uFFFD");
	}
	strbuf_add(ret, text - plain, plain);
}

static void string_add(struct json_object *v, bool keeps, struct strbuf *ret)
{
	text_add(json_object_get_string(v), (size_t)json_object_get_string_len(v), keeps, ret);
}

/* Strings that are not UTF-8, and large integers, are objects. */
static struct json_object *text_of_object(struct json_object *v)
{
	static const char *const forms[] = { "text", "enumerator", "integer", "float", "bytes" };
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct json_object *ret = value_member(v, forms[i]);
		if (json_object_is_type(ret, json_type_string))
			return ret;
	}
	return NULL;
}

/* A number; arrays and objects as JSON. */
static void other_add(struct json_object *v, struct strbuf *ret)
{
	const char *text = json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN);
	text_add(text, strlen(text), false, ret);
}

static bool is_frame(struct json_object *v)
{
	return value_member(v, "address") || value_member(v, "symbol");
}

static void value_add(struct json_object *v, bool keeps, struct strbuf *ret)
{
	struct json_object *text = text_of_object(v);
	if (json_object_is_type(v, json_type_string))
		string_add(v, keeps, ret);
	else if (text)
		string_add(text, keeps, ret);
	else if (is_frame(v))
		value_frame(v, ret);
	else
		other_add(v, ret);
}

void value_text(struct json_object *v, struct strbuf *ret)
{
	value_add(v, false, ret);
}

void value_lines(struct json_object *v, struct strbuf *ret)
{
	value_add(v, true, ret);
}

void value_frame(struct json_object *v, struct strbuf *ret)
{
	const char *known = json_object_get_userdata(v);
	if (known) {
		strbuf_puts(ret, known);
		return;
	}
	struct json_object *module = value_member(v, "module"), *symbol = value_member(v, "symbol");
	if (module) {
		value_text(module, ret);
		strbuf_putc(ret, '`');
	}
	if (symbol)
		value_text(symbol, ret);
	else
		strbuf_puts(ret, "[unknown]");
}

void value_probe(struct json_object *probe, struct strbuf *ret)
{
	static const char *const members[] = { "provider", "module", "function", "name" };
	for (size_t i = 0; probe && i < ARRAY_SIZE(members); i++) {
		struct json_object *member = value_member(probe, members[i]);
		strbuf_puts(ret, i ? ":" : "");
		if (member)
			value_text(member, ret);
	}
}

bool value_is_stack(struct json_object *v)
{
	return value_member(v, "stack") || value_member(v, "ustack");
}

bool values_have_stack(struct json_object *list)
{
	for (size_t i = 0; i < value_count(list); i++)
		if (value_is_stack(json_object_array_get_idx(list, i)))
			return true;
	return false;
}

bool action_prints(const char *action)
{
	static const char *const actions[] = { "trace",	   "stack", "ustack", "symbol",
					       "tracemem", "print", "printf" };
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (string_equal(action, actions[i]))
			return true;
	return false;
}

static bool names_list(struct json_object *list, const char *name)
{
	for (size_t i = 0; i < value_count(list); i++)
		if (string_equal(value_word(json_object_array_get_idx(list, i)), name))
			return true;
	return false;
}

char *values_names(struct json_object *values)
{
	auto_strbuf struct strbuf ret = { 0 };
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		strbuf_puts(&ret, value_word(value_member(value, "name")));
		strbuf_putc(&ret, ',');
	}
	return strbuf_take(&ret);
}

/* --- what a record prints ----------------------------------------------------------------------
 */

static void line_begin(struct strbuf *text)
{
	if (text->len && text->text[text->len - 1] != '\n')
		strbuf_putc(text, '\n');
}

static void shown_add(struct json_object *v, struct strbuf *ret)
{
	if (value_is_stack(v)) {
		line_begin(ret);
		frames_text(v, FRAMES_SHOWN, ret);
		strbuf_putc(ret, '\n');
		return;
	}
	if (ret->len && ret->text[ret->len - 1] != '\n')
		strbuf_putc(ret, ' ');
	value_lines(v, ret);
}

/* What print() shows: a type and its value. */
static void printed_add(struct json_object *item, struct strbuf *ret)
{
	line_begin(ret);
	value_text(value_member(item, "type"), ret);
	strbuf_putc(ret, ' ');
	value_text(value_member(item, "value"), ret);
	strbuf_putc(ret, '\n');
}

void item_text(struct json_object *item, struct strbuf *ret)
{
	struct json_object *text = value_member(item, "text"),
			   *values = value_member(item, "values");
	if (!action_prints(value_word(value_member(item, "action"))))
		return;
	if (text)
		value_lines(text, ret);
	else if (value_member(item, "type"))
		printed_add(item, ret);
	for (size_t i = 0; !text && i < value_count(values); i++)
		shown_add(json_object_array_get_idx(values, i), ret);
}

bool record_clears(struct json_object *record, const char *name)
{
	struct json_object *data = value_member(record, "data");
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		const char *action = value_word(value_member(item, "action"));
		bool empties = string_equal(action, "clear") ||
			       (string_equal(action, "trunc") && !value_member(item, "values"));
		if (empties && (!name || names_list(value_member(item, "aggregations"), name)))
			return true;
	}
	return false;
}

uint64_t line_printing(struct json_object *line)
{
	struct json_object *number = value_member(line, "printing");
	uint64_t ret;
	return value_unsigned(number ? number : value_member(line, "time"), &ret) ? ret : 0;
}
