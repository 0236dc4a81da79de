/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broken programs end with diagnostics: no text may crash or hang the compiler.
 *
 * The texts are made from the golden programs of this folder and of sema: truncated at each token,
 * or with tokens removed, doubled, swapped and replaced at random (seeded, so a failure can be
 * repeated).  Each goes through parser, sema and codegen, from memory that ends with the text, so
 * that a sanitizer detects reads after its end.
 */
#include <sys/time.h>
#include <time.h>

#include "compile.h"
#include "golden.h"

#define SECONDS_MAX 100 /* of CPU time, all tests of this file; under a sanitizer they take 20 */

__attribute__((constructor)) static void end_hangs(void)
{
	setitimer(ITIMER_PROF, &(struct itimerval) { .it_value = { SECONDS_MAX, 0 } }, NULL);
}

/* --- one text ------------------------------------------------------------------------------- */

/* Has TEXT a control line with the number 0? Preprocessors write such: # 0 "<built-in>". */
static bool has_line_0(const char *text, size_t len)
{
	bool is_control = false;
	for (size_t i = 0; i < len; i++) {
		size_t digits = i;
		bool is_zero = true;
		for (; digits < len && text[digits] >= '0' && text[digits] <= '9'; digits++)
			is_zero &= text[digits] == '0';
		if (is_control && digits > i && is_zero)
			return true;
		i = digits > i ? digits - 1 : i;
		is_control = text[i] == '#' || (is_control && text[i] != '\n');
	}
	return false;
}

static void diagnostic_check(const struct diagnostic *d, const char *text, size_t len,
			     const char *what)
{
	if (d->text && *d->text && d->range.begin <= d->range.end && d->range.end <= len &&
	    (d->range.line || has_line_0(text, len)))
		return;
	printf("%s: a diagnostic is malformed: [%s] %s\n", what, diagnostic_tag_name(d->tag),
	       d->text);
	test_failed_now = true;
}

/* How many mistakes it has. */
static size_t compile_any(const char *what, const char *text, size_t len)
{
	char *exact = malloc(len ? len : 1);
	if (len)
		memcpy(exact, text, len);
	struct compiled c;
	bool good = compile_bytes(&c, "x.d", exact, len, &compile_defaults);
	size_t count = c.mistakes.list.count;
	if (good != (count == 0)) {
		printf("%s: refused without a word:\n%.*s\n", what, (int)MIN(len, (size_t)400),
		       text);
		test_failed_now = true;
	}
	for (size_t i = 0; i < count; i++)
		diagnostic_check(&c.mistakes.list.items[i], text, len, what);
	auto_strbuf struct strbuf out = { 0 };
	if (count)
		compiled_mistakes(&c, &out);
	compiled_deinit(&c);
	free(exact);
	return count;
}

static void must_fail(const char *what, const char *text, size_t len)
{
	if (compile_any(what, text, len))
		return;
	printf("%s: has no mistake:\n%.*s\n", what, (int)MIN(len, (size_t)400), text);
	test_failed_now = true;
}

/* --- texts split into tokens ----------------------------------------------------------------- */

struct cut {
	const char *text;
	size_t len;
};
typedef VECTOR(struct cut) pieces;

static int letter_kind(char c)
{
	bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    c == '_';
	return c == ' ' || c == '\t' || c == '\n' ? 0 : word ? 1 : 2;
}

/* Roughly tokens: words, blanks, and each other character for itself. */
static void cut(const struct strbuf *text, pieces *ret)
{
	const char *s = strbuf_text(text);
	for (size_t i = 0; i < text->len;) {
		size_t begin = i++;
		int kind = letter_kind(s[begin]);
		while (kind < 2 && i < text->len && letter_kind(s[i]) == kind)
			i++;
		vector_push(ret, (struct cut) { s + begin, i - begin });
	}
}

static void join(const pieces *p, size_t count, struct strbuf *ret)
{
	strbuf_clear(ret);
	for (size_t i = 0; i < count; i++)
		strbuf_add(ret, p->items[i].text, p->items[i].len);
}

static void truncations(const char *file, const struct strbuf *text, struct strbuf *out)
{
	pieces p = { 0 };
	cut(text, &p);
	/* Long programs are truncated at every fifth token only. */
	size_t step = p.count > 300 ? 5 : 1;
	for (size_t i = 0; i < p.count; i += step) {
		join(&p, i, out);
		compile_any(file, strbuf_text(out), out->len);
	}
	vector_free(&p);
}

TEST(programs_that_end_too_early)
{
	CHECK(golden_scripts("tests/golden/sema", truncations, false) > 100);
}

/* --- chance --------------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 4) * below >> 28);
}

static const char *const tokens[] = {
	"(",
	")",
	"[",
	"]",
	"{",
	"}",
	";",
	",",
	"->",
	".",
	"*",
	"&",
	"&&",
	"!",
	"~",
	"++",
	"--",
	"=",
	"+=",
	"?",
	":",
	"/",
	"%",
	"<<",
	"==",
	"self->",
	"this->",
	"@",
	"@a",
	"$target",
	"$1",
	"$",
	"`",
	"``",
	"`max_pfn",
	"vmlinux`",
	"0x",
	"089",
	"1.5",
	"'",
	"\"",
	"'ab'",
	"\"s\"",
	"string",
	"struct",
	"union",
	"enum",
	"typedef",
	"sizeof",
	"offsetof(",
	"stringof",
	"(char *)",
	"(string)",
	"(struct s *)",
	"xlate <int>(",
	"inline",
	"if",
	"else",
	"int",
	"void",
	"extern",
	"printf(\"%d\",",
	"trace(",
	"count()",
	"quantize(",
	"args[",
	"arg0",
	"curthread",
	"stack()",
	"exit(",
	"9223372036854775808",
	"-1",
	"#",
	"\n#line 3\n",
	"\n# 0\n",
	"/*",
	"*/",
	"//",
	"\\",
	"\xff",
	"strlen(",
	"__attribute__((",
	"_Static_assert(",
	"alloca(",
	"copyin(",
	"float",
	"userland",
	"\x01",
	"NULL",
};

static void mutate(pieces *p)
{
	if (!p->count)
		return;
	size_t at = chance((uint32_t)p->count), other = chance((uint32_t)p->count);
	const char *token = tokens[chance(ARRAY_SIZE(tokens))];
	struct cut new = { token, strlen(token) }, old = p->items[at];
	switch (chance(5)) {
	case 0:
		p->items[at].len = 0;
		break;
	case 1:
		p->items[at] = p->items[other];
		p->items[other] = old;
		break;
	case 2:
		p->items[at] = p->items[other];
		break;
	default:
		p->items[at] = new;
	}
}

static void mutations(const char *file, const struct strbuf *text, struct strbuf *out)
{
	for (int round = 0; round < 12; round++) {
		pieces p = { 0 };
		cut(text, &p);
		for (uint32_t n = 1 + chance(4); n; n--)
			mutate(&p);
		join(&p, p.count, out);
		compile_any(file, strbuf_text(out), out->len);
		vector_free(&p);
	}
}

TEST(programs_with_wrong_tokens)
{
	seed = 20261121;
	CHECK(golden_scripts("tests/golden/sema", mutations, false) > 100);
	CHECK(golden_scripts("tests/golden/codegen", mutations, false) > 20);
	CHECK(golden_scripts("tests/unit/codegen/scripts", mutations, false) > 50);
	CHECK(golden_scripts("tests/golden/syntax", mutations, false) > 30);
}

TEST(programs_of_nothing_but_tokens)
{
	seed = 7;
	auto_strbuf struct strbuf text = { 0 };
	for (int i = 0; i < 3000; i++) {
		strbuf_clear(&text);
		strbuf_puts(&text, i % 3 == 0 ? "# 1 \"header.h\" 1\n" : "");
		strbuf_puts(&text, i % 2 ? "BEGIN { " : "");
		for (uint32_t n = chance(30); n; n--)
			strbuf_printf(&text, "%s ", tokens[chance(ARRAY_SIZE(tokens))]);
		compile_any("tokens", strbuf_text(&text), text.len);
	}
}

TEST(binary_data)
{
	seed = 99;
	char bytes[4096];
	for (int i = 0; i < 50; i++) {
		uint32_t len = 1 + chance(sizeof(bytes) - 1);
		for (uint32_t j = 0; j < len; j++)
			bytes[j] = (char)chance(256);
		must_fail("binary data", bytes, len);
	}
	memset(bytes, 0, sizeof(bytes));
	must_fail("zeroes", bytes, sizeof(bytes));
	must_fail("a NUL in a clause", "BEGIN { x = 1; \0 y = 2; }", 26);
	must_fail("a NUL in a name", "BEGIN { trace(pi\0d); }", 22);
}

/* --- size and depth ------------------------------------------------------------------------- */

TEST(deep_nesting)
{
	static const struct {
		const char *head, *open, *middle, *close, *tail;
	} nests[] = {
		{ "BEGIN { x = ", "(", "1", ")", "; }" },
		{ "BEGIN { x = ", "!", "1", "", "; }" },
		{ "BEGIN { x = ", "-", "1", "", "; }" },
		{ "BEGIN { x = ", "a[", "1", "]", "; }" },
		{ "BEGIN { x = ", "*&", "x", "", "; }" },
		{ "BEGIN { x = ", "1 + ", "1", "", "; }" },
		{ "BEGIN { x = ", "pid ? 1 : ", "1", "", "; }" },
		{ "BEGIN { x = ", "strlen(", "\"\"", ")", "; }" },
		{ "BEGIN { x = ", "(int)", "1", "", "; }" },
		{ "BEGIN { ", "if (pid) { ", "", "}", " }" },
		{ "BEGIN { ", "if (pid) ; else ", ";", "", " }" },
		{ "", "struct { ", "int x; ", "} s; ", ";" },
		{ "int ", "(*", "x", ")", ";" },
		{ "int x", "[2]", "", "", ";" },
		{ "int x", "", "", "(int)", ";" },
		{ "", "{", "", "}", "" },
		{ "", "/*", "", "*/", "" },
	};
	auto_strbuf struct strbuf text = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(nests); i++) {
		strbuf_clear(&text);
		strbuf_puts(&text, nests[i].head);
		for (int n = 0; n < 100000; n++)
			strbuf_puts(&text, nests[i].open);
		strbuf_puts(&text, nests[i].middle);
		for (int n = 0; n < 100000; n++)
			strbuf_puts(&text, nests[i].close);
		strbuf_puts(&text, nests[i].tail);
		must_fail(nests[i].open, strbuf_text(&text), text.len);
	}
}

/* PIECE again and again, up to a mebibyte. */
static void fill(struct strbuf *text, const char *head, const char *piece, const char *tail)
{
	strbuf_clear(text);
	strbuf_puts(text, head);
	while (text->len < 1 << 20)
		strbuf_puts(text, piece);
	strbuf_puts(text, tail);
}

TEST(a_mebibyte_of_source)
{
	auto_strbuf struct strbuf text = { 0 };
	fill(&text, "BEGIN { ", "  \n", "x = 1; }");
	CHECK_INT(compile_any("blanks", strbuf_text(&text), text.len), 0);
	fill(&text, "/* ", "comment ", "*/ BEGIN { x = 1; }");
	CHECK_INT(compile_any("comment", strbuf_text(&text), text.len), 0);
	fill(&text, "", "#define\n", "BEGIN { x = 1; }");
	must_fail("control lines", strbuf_text(&text), text.len);
	fill(&text, "", "typedef int i_t; struct s;\n", "BEGIN { x = 1; }");
	CHECK_INT(compile_any("declarations", strbuf_text(&text), text.len), 0);
	fill(&text, "", "BEGIN { nonsense(1); }\n", "");
	must_fail("clauses with mistakes", strbuf_text(&text), text.len);
}

TEST(very_long_tokens)
{
	auto_strbuf struct strbuf text = { 0 };
	fill(&text, "BEGIN { ", "a", " = 1; }");
	CHECK_INT(compile_any("name", strbuf_text(&text), text.len), 0);
	fill(&text, "BEGIN { x = ", "1", "; }");
	must_fail("number", strbuf_text(&text), text.len);
	fill(&text, "BEGIN { x = '", "a", "'; }");
	must_fail("character", strbuf_text(&text), text.len);
	fill(&text, "BEGIN { x = \"", "a", "; }");
	must_fail("open string", strbuf_text(&text), text.len);
	fill(&text, "BEGIN { x = ", "+", "; }");
	must_fail("operators", strbuf_text(&text), text.len);
	fill(&text, "BEGIN { trace(", "m`", "x); }");
	must_fail("backquotes", strbuf_text(&text), text.len);
	fill(&text, "syscall", ":", " { }");
	must_fail("description", strbuf_text(&text), text.len);
	fill(&text, "#pragma D option ", "x", "\nBEGIN { }");
	compile_any("pragma", strbuf_text(&text), text.len);
	fill(&text, "#line 1 \"", "x", "\"\nBEGIN { nonsense; }");
	must_fail("line", strbuf_text(&text), text.len);
	fill(&text, "BEGIN { @", "a", " = count(); }");
	CHECK_INT(compile_any("aggregation", strbuf_text(&text), text.len), 0);
}

/* What no kernel would take is refused by us, in words. */
/* Aggregations of one size share a map when there are many; here are 11 sizes of values by 5 of
 * keys. */
TEST(too_many_maps)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	strbuf_puts(&text, "BEGIN { ");
	for (int levels = 2; levels <= 4096; levels *= 2)
		for (int keys = 2; keys <= 16; keys *= 2) {
			strbuf_printf(&text, "@a%d_%d[timestamp", levels, keys);
			for (int i = 1; i < keys; i++)
				strbuf_puts(&text, ", timestamp");
			strbuf_printf(&text, "] = lquantize(pid, 0, %d, 1); ", levels);
		}
	strbuf_puts(&text, "}");
	auto_compiled struct compiled c;
	CHECK(!compile(&c, "maps.d", strbuf_text(&text), &compile_defaults));
	compiled_mistakes(&c, &out);
	CHECK(strstr(strbuf_text(&out), "[D_UNKNOWN]"));
	CHECK(strstr(strbuf_text(&out), "of 48 different sizes"));
}

/* --- other people's editors ----------------------------------------------------------------- */

TEST(line_ends_of_other_systems)
{
	static const char crlf[] = "#pragma D option quiet\r\n"
				   "BEGIN\r\n/pid == 1 ||\\\r\n 1/\r\n{\r\n"
				   "\tx = \"a\"; /* b\r\n c */ // d\r\n\ttrace(x);\r\n}\r\n";
	CHECK_INT(compile_any("CRLF", crlf, sizeof(crlf) - 1), 0);
	static const char bom[] = "\xef\xbb\xbf"
				  "#pragma D option quiet\nBEGIN { trace(1); }\n";
	CHECK_INT(compile_any("UTF-8 with a byte order mark", bom, sizeof(bom) - 1), 0);
	static const char later[] = "BEGIN { trace(1); \xef\xbb\xbf }\n";
	must_fail("a byte order mark inside", later, sizeof(later) - 1);
	static const char wide[] = "\xff\xfe"
				   "B\0E\0G\0I\0N\0{\0}\0";
	must_fail("UTF-16", wide, sizeof(wide) - 1);
	static const char text[] = "BEGIN { trace(\"gr\xc3\xbc\xc3\x9f\"); /* \xe2\x82\xac */ }\n";
	CHECK_INT(compile_any("UTF-8 in strings", text, sizeof(text) - 1), 0);
}

TEST_MAIN
