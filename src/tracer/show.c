/* SPDX-License-Identifier: BSD-2-Clause */
/* What -S, -x dump, -x disasm and -x bpflog show, on standard error */
#include "output/json_text.h"
#include "tracer/internal.h"

/* The bits of -x disasm. */
enum {
	DISASM_CLAUSE = 1, /* clauses are in line, so both of these are each group's program */
	DISASM_PROGRAM = 2,
	DISASM_LINKED = 4, /* with the run-time library; both of these are the loaded code */
	DISASM_FINAL = 8,
	DISASM_TYPED = 16, /* what code is made from */
};

/* The bits of -x tree: after the first pass of the compiler of old, after its third. */
enum { TREE_PARSED = 1, TREE_TYPED = 4 };

bool tracer_dump_wanted(const struct tracer *t, const char *stage)
{
	uint64_t tree = option_number(t->options, OPTION_tree);
	if ((string_equal(stage, "ast") && (tree & TREE_PARSED)) ||
	    (string_equal(stage, "typed") && (tree & TREE_TYPED)))
		return true;
	size_t count;
	const char *const *list = option_list(t->options, OPTION_dump, &count);
	for (size_t i = 0; i < count; i++)
		if (string_equal(list[i], stage))
			return true;
	return false;
}

static bool disasm_wanted(const struct tracer *t, unsigned bits)
{
	return option_number(t->options, OPTION_verbose) &&
	       (option_number(t->options, OPTION_disasm) & bits);
}

/* A line for programs; the place is left out of one that has none. */
static void mistake_write(struct writer *w, const struct diagnostic *m)
{
	const struct range *r = &m->range;
	const struct source *src = r->source;
	json_line_open(w, "mistake");
	json_text_member(w, "tag", diagnostic_tag_name(m->tag));
	json_text_member(w, "text", m->text);
	auto_free char *remedy = diagnostic_remedy(m);
	if (remedy)
		json_text_member(w, "remedy", remedy);
	if (src && src->kind == SOURCE_SPECIFIER)
		json_text_member(w, "specifier", src->name);
	else if (src)
		json_text_member(w, "file", r->file ? r->file : src->name);
	if (src && src->text && r->line && r->begin <= src->len) {
		uint32_t begin = r->begin;
		while (begin && src->text[begin - 1] != '\n')
			begin--;
		json_unsigned_member(w, "line", r->line);
		json_unsigned_member(w, "column", r->begin - begin + 1);
		json_unsigned_member(w, "length", MAX(r->end, r->begin) - r->begin);
	}
	writer_puts(w, "}\n");
}

static void show_mistakes_to_programs(const struct tracer *t, const struct diagnostics *d)
{
	struct writer line, out;
	writer_init(&line, -1);
	writer_init(&out, t->request.output_fd);
	for (size_t i = 0; i < d->list.count; i++) {
		mistake_write(&line, &d->list.items[i]);
		writer_add(&out, line.buffer, line.used);
	}
	int errnum = writer_flush(&out);
	if (errnum)
		message("failed to write %s: %s", t->request.output_name, strerror(errnum));
	writer_deinit(&out);
	writer_deinit(&line);
}

void tracer_show_mistakes(const struct tracer *t, struct diagnostics *d)
{
	auto_strbuf struct strbuf name = { 0 };
	message_add_name(&name, MESSAGE_ERROR, STDERR_FILENO);
	if (d->list.count)
		diagnostics_print(d, stderr, strbuf_text(&name),
				  option_number(t->options, OPTION_errtags), DIAGNOSTICS_SHOWN);
}

/* Those who start dtrace see them in any case: nobody may read the lines. */
void tracer_refuse(const struct tracer *t, struct diagnostics *d)
{
	tracer_show_mistakes(t, d);
	if (tracer_writes_lines(t))
		show_mistakes_to_programs(t, d);
}

void tracer_show_typed(const struct tracer *t)
{
	auto_strbuf struct strbuf text = { 0 };
	typed_print(sema_result(t->sema), &text);
	message_listing(stderr, strbuf_text(&text));
}

void tracer_show_plan(const struct tracer *t, const struct plan *plan)
{
	auto_strbuf struct strbuf text = { 0 };
	if (!tracer_dump_wanted(t, "plan"))
		return;
	plan_print(plan, &text);
	message_listing(stderr, strbuf_text(&text));
}

static void show_program(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++) {
		auto_strbuf struct strbuf text = { 0 };
		codegen_disassemble(p, &p->groups[i], &text);
		message_listing(stderr, strbuf_text(&text));
	}
}

void tracer_show_code(struct tracer *t)
{
	if (disasm_wanted(t, DISASM_TYPED))
		tracer_show_typed(t);
	bool wanted =
		tracer_dump_wanted(t, "asm") || disasm_wanted(t, DISASM_CLAUSE | DISASM_PROGRAM);
	for (unsigned n = 0; wanted && n < tracer_halves(t); n++)
		show_program(tracer_half(t, n).program);
}

static void show_loaded(void *arg, const char *name, const struct bpf_insn *code, uint32_t count)
{
	auto_strbuf struct strbuf text = { 0 };
	codegen_disassemble_raw(name, code, count, &text);
	message_listing(stderr, strbuf_text(&text));
}

static void show_log(void *arg, const char *name, const char *log)
{
	auto_free char *text =
		mem_printf("%s: the verifier's log of %s:\n%s", message_program(), name, log);
	message_listing(stderr, text);
}

struct executor_viewer tracer_viewer(struct tracer *t)
{
	return (struct executor_viewer) {
		.arg = t,
		.too_large = tracer_too_large,
		.no_trampoline = tracer_no_trampoline,
		.code = disasm_wanted(t, DISASM_LINKED | DISASM_FINAL) ? show_loaded : NULL,
		.log = option_number(t->options, OPTION_bpflog) ? show_log : NULL,
	};
}
