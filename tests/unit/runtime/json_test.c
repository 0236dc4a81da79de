/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/string/json.c */
#include "host.h"

#include "runtime/string/json.c"

static const struct {
	const char *text, *path, *found; /* NULL: none */
} cases[] = {
	{ "{\"a\":1}", "a", "1" },
	{ " { \"a\" : 1 } ", "a", "1" },
	{ "{\"a\":1,\"b\":2}", "b", "2" },
	{ "{\"a\":1,\"a\":2}", "a", "1" },
	{ "{\"a\":\"x\"}", "a", "x" },
	{ "{\"a\":\"\"}", "a", "" },
	{ "{\"a\":\"x\\\"y\\\\\"}", "a", "x\\\"y\\\\" }, /* as written */
	{ "{\"a\":\"{[,:\"}", "a", "{[,:" },
	{ "{\"a\":{\"b\":{\"c\":true}}}", "a.b.c", "true" },
	{ "{\"a\":{\"b\":{\"c\":true}}}", "a.b", "{\"c\":true}" },
	{ "{\"x\":{\"b\":1},\"a\":{\"b\":2}}", "a.b", "2" },
	{ "{\"b\":0,\"a\":{\"b\":[]}}", "a.b", "[]" },
	{ "[1,2,3]", "[0]", "1" },
	{ "[1,2,3]", "[2]", "3" },
	{ "[[1,2],[3,[4,5]]]", "[1][1][0]", "4" },
	{ "[{\"a\":[{},{\"b\":-7.5e+3}]}]", "[0].a[1].b", "-7.5e+3" },
	{ "{\"a\":[0,0,0,0,0,0,0,0,0,0,0,11]}", "a[11]", "11" },
	{ "{\"a\":null,\"b\":false}", "b", "false" },
	{ "{\"a\": [ 1 , [ 2 ] ]\n}", "a", "[ 1 , [ 2 ] ]" },
	{ "{\"a\":{},\"b\":[],\"c\":5}", "c", "5" },
	{ "7", "", "7" },
	{ "{\"a\":1}", "", "{\"a\":1}" },
	{ "{\"ab\":1,\"a\":2,\"abc\":3}", "a", "2" },
	{ "{\"ab\":1,\"a\":2,\"abc\":3}", "abc", "3" },

	{ "{\"a\":1}", "b", NULL },
	{ "{\"a\":1}", "a.b", NULL },
	{ "{\"a\":1}", "[0]", NULL },
	{ "{\"a\":1}", "a[0]", NULL },
	{ "[1,2,3]", "[3]", NULL },
	{ "[1,2,3]", "a", NULL },
	{ "[1,2,3]", "[", NULL },
	{ "[1,2,3]", "[]", NULL },
	{ "[1,2,3]", "[1", NULL },
	{ "[1,2,3]", "[x]", NULL },
	{ "{\"a\":{\"b\":1}}", "b", NULL },
	{ "{\"a\":{},\"c\":1}", "a.c", NULL },
	{ "", "a", NULL },
	{ "", "", NULL },
	{ "{", "", NULL },
	{ "{\"a\":", "a", NULL },
	{ "{\"a\":\"x", "a", NULL },
	{ "{\"a\":tru}", "a", NULL },
	{ "{\"a\":12x}", "a", NULL },
	{ "{\"a\":wrong,\"b\":1}", "b", NULL },
	{ "{\"a\" 1}", "a", NULL },
	{ "{a:1}", "a", NULL },
	{ "{\"x\":1 \"a\":1}", "a", NULL },
	{ "{\"x\":],\"a\":1}", "a", NULL },
	{ "{\"x\":[1},\"a\":1}", "a", NULL },
	{ "{\"a\":[1}", "a", NULL },
	{ "[1}", "", NULL },
	{ "{\"x\":1,,\"a\":1}", "a", NULL },

	/* an element before the damage is a result; one after or around it is not */
	{ "{\"a\":1,}", "a", "1" },
	{ "{\"a\":[1,}", "a[0]", "1" },
	{ "{\"a\":[1,}", "a", NULL },
	{ "1 2", "", "1" },
	{ "", "", NULL },
	{ " ", "", NULL },
	{ "{\"a\":\v1}", "a", NULL },
	{ "{\"a\":\f1}", "a", NULL },
	{ "{\"a\"\t:\r\n1}", "a", "1" },

	/*
	 * a string between quotes: control characters are not allowed, and only some characters
	 * after a backslash
	 */
	{ "{\"a\":\"\t\"}", "a", NULL },
	{ "{\"x\":\"\x1f\",\"a\":1}", "a", NULL },
	{ "{\"x\x01\":2,\"a\":1}", "a", NULL },
	{ "{\"a\":\"\x7f\xff\"}", "a", "\x7f\xff" },
	{ "{\"a\":\"\\/\\b\\f\\n\\r\\t\\u00e9\\uABCD\"}", "a", "\\/\\b\\f\\n\\r\\t\\u00e9\\uABCD" },
	{ "{\"a\\\"b\":1,\"a\":2}", "a", "2" },
	{ "{\"a\\\"b\":1,\"a\":2}", "a\\\"b", "1" },
	{ "{\"a\":\"\\x41\"}", "a", NULL },
	{ "{\"a\":\"\\u12\"}", "a", NULL },
	{ "{\"a\":\"\\u00g0\"}", "a", NULL },
	{ "{\"a\":\"\\\"}", "a", NULL },

	/* paths */
	{ "{\"a.b\":1,\"a\":{\"b\":2}}", "a.b", "2" },
	{ "{\"a[0]\":1,\"a\":[2]}", "a[0]", "2" },
	{ "{\"\":{\"a\":1}}", ".a", NULL },
	{ "{\"a\":{\"\":1}}", "a.", "1" },
	{ "[0,1,2,3]", "[03]", "3" },
	{ "[0,1,2,3]", "[-1]", NULL },
	{ "[0,1,2,3]", "[18446744073709551616]", NULL },
	{ "{\"a\":{}}", "a.b", NULL },
	{ "{\"a\":[]}", "a[0]", NULL },
};

/* Valid and invalid numbers and words. */
static const char *const values[] = { "0",    "-0",	"10",	 "-7",	 "0.5",	  "-10.25", "1e5",
				      "1E-5", "0.1e+9", "12e00", "true", "false", "null" };
static const char *const no_values[] = {
	"01",  "-",	"-01",	 "+1",	     "1.",	   ".5",    "1.e5",  "1e",    "1e+",
	"1-2", "1.2.3", "1e5.5", "1e5e5",    "--1",	   "0x1f",  "1true", "true1", "True",
	"nul", "nulll", "NaN",	 "truetrue", "falsefalse", "-true", "1e-",   "\xe9"
};

static void check_value(const char *value, const char *wanted)
{
	char text[64];
	sprintf(text, "{\"x\":%s,\"a\":%s}", value, value);
	put_text(1, text);
	put_text(2, "a");
	rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
	CHECK_TEXT(0, wanted);
	put_text(1, value);
	put_text(2, "");
	rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
	CHECK_TEXT(0, wanted);
	if (test_failed_now)
		printf("the value %s\n", value);
}

TEST(numbers_and_words)
{
	host_rt_string_size = 256;
	slot_reset();
	for (unsigned i = 0; i < sizeof(values) / sizeof(*values); i++)
		check_value(values[i], values[i]);
	for (unsigned i = 0; i < sizeof(no_values) / sizeof(*no_values); i++)
		check_value(no_values[i], NULL);
	CHECK_NO_FAULT();
}

TEST(elements)
{
	host_rt_string_size = 256;
	slot_reset();
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put_text(1, cases[i].text);
		put_text(2, cases[i].path);
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		CHECK_TEXT(0, cases[i].found);
		CHECK_NO_FAULT();
		if (test_failed_now) {
			printf("%s of %s\n", cases[i].path, cases[i].text);
			return;
		}
	}
}

TEST(nulls)
{
	FOR_SIZES
	{
		put_text(1, NULL);
		put_text(2, "a");
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_json(ROOM(0), ROOM(2), ROOM(1), ROOM(3));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

/* Values made at random, with the place of one of them. */
struct writer {
	char text[4096];
	size_t len;
	unsigned left; /* values until the one that is looked for */
	char path[512], found_path[512];
	const char *begin, *end;
};

static void put_value(struct writer *w, unsigned depth);

static void put_members(struct writer *w, unsigned depth, bool object)
{
	unsigned count = test_random() % 4;
	size_t path_len = strlen(w->path);
	w->len += sprintf(w->text + w->len, object ? "{" : "[");
	for (unsigned i = 0; i < count; i++) {
		if (object) {
			sprintf(w->path + path_len, "%sk%u", path_len ? "." : "", i);
			w->len += sprintf(w->text + w->len, "%s\"k%u\":", i ? ", " : "", i);
		} else {
			sprintf(w->path + path_len, "[%u]", i);
			w->len += sprintf(w->text + w->len, i ? "," : "");
		}
		put_value(w, depth - 1);
	}
	w->path[path_len] = 0;
	w->len += sprintf(w->text + w->len, object ? "}" : "]");
}

static void put_value(struct writer *w, unsigned depth)
{
	static const char *const plain[] = { "1",    "-20",  "3.5e7",	      "true",
					     "null", "\"\"", "\"a,b]\\\"}\"", "\"k1\"" };
	bool wanted = w->left-- == 0;
	char *begin = w->text + w->len;
	if (wanted)
		strcpy(w->found_path, w->path);
	if (depth && test_random() % 2)
		put_members(w, depth, test_random() % 2);
	else
		w->len += sprintf(begin, "%s", plain[test_random() % 8]);
	if (wanted) {
		w->begin = begin;
		w->end = w->text + w->len;
		if (*begin == '"') {
			w->begin++;
			w->end--;
		}
	}
}

TEST(random_texts)
{
	static struct writer w;
	char wanted[4096];
	unsigned found = 0;
	host_rt_string_size = 4096;
	slot_reset();
	for (unsigned round = 0; round < 4000; round++) {
		memset(&w, 0, sizeof(w));
		w.left = test_random() % 6;
		put_members(&w, 5, round % 2);
		if (!w.begin)
			continue;
		found++;
		snprintf(wanted, sizeof(wanted), "%.*s", (int)(w.end - w.begin), w.begin);
		put_text(1, w.text);
		put_text(2, w.found_path);
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		CHECK_TEXT(0, wanted);
		/* Truncated anywhere, the result is the right one or none. */
		w.text[test_random() % (w.len + 1)] = 0;
		put_text(1, w.text);
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		const char *got = text_in(0);
		CHECK(!got || strcmp(got, wanted) == 0 || *w.begin == '-' ||
		      (*wanted >= '0' && *wanted <= '9'));
		if (test_failed_now) {
			printf("%s of %s\n", w.found_path, w.text);
			return;
		}
	}
	CHECK(found > 800);
	CHECK_NO_FAULT();
}

TEST(deep_texts)
{
	char text[300];
	host_rt_string_size = 4096;
	slot_reset();
	for (unsigned depth = 63; depth <= 65; depth++) {
		memset(text, '[', depth);
		sprintf(text + depth, "1");
		memset(text + depth + 1, ']', depth);
		text[2 * depth + 1] = 0;
		put_text(1, text);
		put_text(2, "");
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		CHECK_TEXT(0, depth <= 64 ? text : NULL);
		if (depth > 64)
			CHECK_FAULT(FAULT_NOSCRATCH, 0);
		/* elements before the damage are results */
		memcpy(text + 1, "2,", 2);
		put_text(1, text);
		put_text(2, "[0]");
		rt_json(ROOM(0), ROOM(1), ROOM(2), ROOM(3));
		CHECK_TEXT(0, "2");
		CHECK_NO_FAULT();
	}
}

TEST_MAIN
