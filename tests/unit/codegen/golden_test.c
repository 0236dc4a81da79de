/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every tests/golden/codegen/NAME.d must give NAME.out: the layouts of the
 * program, then each group's code.  With GOLDEN_WRITE=1 in the environment the .out
 * files are written.  A first line may hold options: those of tests/unit/compile.h; prologue=1
 * shows what firings begin with, code=0 only layouts.
 */
#include "compile.h"
#include "golden.h"

#define DIRECTORY "tests/golden/codegen"

/* --- layouts as text ---------------------------------------------------------------------- */

/* " integer@24+4s": kind, offset, size, signed or text */
static void print_fields(const struct value_field *fields, unsigned count, struct strbuf *out)
{
	for (unsigned i = 0; i < count; i++) {
		const struct value_field *f = &fields[i];
		strbuf_printf(out, " %s@%u+%u%s%s", value_kind_name(f->kind), f->offset, f->size,
			      f->is_signed ? "s" : "", f->is_text ? " text" : "");
		if (f->text)
			strbuf_printf(out, "=\"%s\"", f->text);
	}
}

/* As it stood in the script: a line break is \n. */
static void print_format(const char *format, struct strbuf *out)
{
	strbuf_puts(out, " \"");
	for (; *format; format++)
		if (*format == '\n')
			strbuf_puts(out, "\\n");
		else
			strbuf_putc(out, *format);
	strbuf_putc(out, '"');
}

static void print_action(const struct program *p, const struct action_layout *a, struct strbuf *out)
{
	strbuf_printf(out, "  %s", action_name(a->kind));
	if (a->flag >= 0)
		strbuf_printf(out, " flag %d", a->flag);
	if (a->format)
		print_format(a->format, out);
	for (unsigned i = 0; i < a->aggregation_count; i++)
		strbuf_printf(out, " @%s", p->aggregations[a->aggregations[i]].name);
	print_fields(a->fields, a->field_count, out);
	strbuf_putc(out, '\n');
}

static void print_clauses(const struct program *p, struct strbuf *out)
{
	for (unsigned i = 0; i < p->clause_count; i++) {
		const struct clause_layout *c = &p->clauses[i];
		strbuf_printf(out, "clause %u line %u:", i + 1, c->line);
		if (c->records)
			strbuf_printf(out, " record of %u bytes, %u flag words\n", c->fixed_size,
				      c->flag_words);
		else
			strbuf_puts(out, " no record\n");
		for (unsigned j = 0; j < c->action_count; j++)
			print_action(p, &c->actions[j], out);
	}
}

static void print_aggregations(const struct program *p, struct strbuf *out)
{
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		const struct aggregation_layout *a = &p->aggregations[i];
		strbuf_printf(out, "aggregation @%s %s: value %u", a->name,
			      aggregate_row(a->function)->name, a->value_size);
		if (a->function == AGGREGATE_LQUANTIZE)
			strbuf_printf(out, " base %lld step %u levels %u", (long long)a->base,
				      a->step, a->levels);
		if (a->function == AGGREGATE_LLQUANTIZE)
			strbuf_printf(out, " factor %u from %u to %u steps %u", a->ll.factor,
				      a->ll.low, a->ll.high, a->ll.steps);
		if (a->map < 0)
			strbuf_printf(out, " keyless at %u\n", a->keyless_offset);
		else
			strbuf_printf(out, " map %d key %u:", a->map, a->key_size);
		if (a->shard_offset)
			strbuf_printf(out, " shard@%u of %u CPUs", a->shard_offset,
				      a->areas_per_shard);
		print_fields(a->keys, a->key_count, out);
		strbuf_puts(out, a->map < 0 ? "" : "\n");
	}
}

static void print_maps(const struct program *p, struct strbuf *out)
{
	for (unsigned i = 0; i < p->map_count; i++) {
		const struct map_layout *m = &p->maps[i];
		strbuf_printf(out, "map %u %s: %s, key %u value %u, %u entries", i, m->name,
			      m->kind == MAP_AGGREGATION ? "aggregation" : "array", m->key_size,
			      m->value_size, m->max_entries);
		if (m->shards > 1)
			strbuf_printf(out, " in %u shards", m->shards);
		strbuf_putc(out, '\n');
	}
}

static void print_sizes(const struct program *p, struct strbuf *out)
{
	strbuf_printf(out, "globals %u, keyless %u, self %u, slot %u, largest record %llu",
		      p->globals_size, p->keyless_size, p->self_size, p->slot_size,
		      (unsigned long long)p->largest_record);
	if (p->records_at_most != UINT64_MAX)
		strbuf_printf(out, ", records at most %llu",
			      (unsigned long long)p->records_at_most);
	strbuf_putc(out, '\n');
}

static const char *entry_name(const struct program *p, const struct probe_entry *entry, int i)
{
	const struct rt_string *text =
		(const struct rt_string *)((const char *)p->constants + entry->names[i]);
	return entry->names[i] ? text->text : "";
}

/* "0: probe 4 mask 3", for indexes that have a probe */
static void print_table(const struct program *p, const struct group_code *h, struct strbuf *out)
{
	strbuf_printf(out, "\n%s: %u entries%s\n", event_name(h->kind), h->table_entries,
		      h->may_sleep ? ", may sleep" : "");
	for (uint32_t i = 0; i < h->table_entries; i++) {
		const struct probe_entry *e =
			(const void *)((const char *)h->probe_table + i * h->table_entry_size);
		if (!e->probe)
			continue;
		const struct fake_probe *probe = &fake_probes[e->probe - 1];
		strbuf_printf(out, "  %u: %s:%s:%s:%s mask", i, probe->provider, probe->module,
			      probe->function, probe->name);
		uint32_t words = (h->table_entry_size - (uint32_t)sizeof(*e)) / 4;
		while (words > 1 && !e->mask[words - 1])
			words--;
		for (uint32_t j = 0; j < words; j++)
			strbuf_printf(out, " %x", e->mask[j]);
		if (e->names[3])
			strbuf_printf(out, ", its names %s:%s:%s:%s", entry_name(p, e, 0),
				      entry_name(p, e, 1), entry_name(p, e, 2),
				      entry_name(p, e, 3));
		strbuf_putc(out, '\n');
	}
}

static void give(const char *file, const struct strbuf *text, struct strbuf *out)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_options_of(text);
	if (!compile(&c, file, strbuf_text(text), &options)) {
		compiled_mistakes(&c, out);
		return;
	}
	const struct program *p = &c.program;
	bool with_code = !strstr(strbuf_text(text), " code=0");
	bool with_prologue = strstr(strbuf_text(text), " prologue=1") != NULL;
	print_sizes(p, out);
	print_maps(p, out);
	print_aggregations(p, out);
	print_clauses(p, out);
	for (unsigned i = 0; i < p->group_count && with_code; i++) {
		print_table(p, &p->groups[i], out);
		codegen_list(p, &p->groups[i], with_prologue, out);
	}
}

TEST(golden_scripts_give_their_layouts_and_code)
{
	CHECK(golden_scripts(DIRECTORY, give, true) > 20);
}

TEST_MAIN
