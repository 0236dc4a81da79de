/* SPDX-License-Identifier: BSD-2-Clause */
/* table - the rows of all entries of a file, sorted, with their index */
#include <string.h>

#include "object/frames/go_frames.h"
#include "unwind/unwind_internal.h"

/* Gaps that are shorter are padding between functions. */
#define PADDING 16

#define KNOWN_MOST 8

struct row {
	uint64_t offset; /* in the file */
	uint32_t rule;
	uint8_t saved;
};

struct making {
	struct rules rules;
	const struct elf_file *elf;
	bool has_saved;
	VECTOR(struct row) rows;
	uint64_t entry; /* where the file begins to run; UINT64_MAX: nowhere */
	uint64_t end;	/* of the code that rows describe so far */
	/* Of the current entry: */
	uint64_t delta; /* offset in the file - link-time address */
	bool is_signal_frame;
	/* Code without entries whose rows are known, by address; from `known_next` on not added
	 * yet. */
	struct known_code {
		uint64_t begin, end;
		uint32_t rule;
	} known[KNOWN_MOST];
	unsigned known_count, known_next;
};

static void row_add(struct making *m, uint64_t offset, uint32_t rule, uint8_t saved)
{
	struct row *last = m->rows.count ? &m->rows.items[m->rows.count - 1] : NULL;
	if (last && last->offset == offset) {
		last->rule = rule;
		last->saved = saved;
		return;
	}
	if (!last || last->rule != rule || last->saved != saved)
		vector_push(&m->rows, ((struct row) { offset, rule, saved }));
}

static void cfi_row_visit(void *arg, const struct cfi_row *row)
{
	struct making *m = arg;
	uint8_t saved = m->has_saved ? saved_slot(&m->rules, row) : UNWIND_SAVED_SAME;
	row_add(m, row->begin + m->delta, rule_word(&m->rules, row, m->is_signal_frame), saved);
	m->end = row->end + m->delta;
}

#define ENTRY_MOST 256 /* bytes of code without an entry of its own that begins a program */

static void add_plain(struct making *m, uint64_t offset, enum unwind_kind kind)
{
	row_add(m, offset, unwind_rule_word(kind, 0, 0), UNWIND_SAVED_UNKNOWN);
}

#define THUNK_SIZE 4  /* bytes */
#define GAP_MOST 4096 /* bytes that are searched for such code */

/*
 * Code without an entry from offset FROM to TO.  That of C's start files has some of the functions
 * that give 32-bit code its address: much of a program's time is there.
 */
static void add_nameless(struct making *m, uint64_t from, uint64_t to, enum unwind_kind kind)
{
	const struct arch *a = m->rules.arch;
	uint64_t address;
	add_plain(m, from, kind);
	if (!a->returns_its_place || !elf_file_address(m->elf, from, &address))
		return;
	struct bytes code = elf_file_code(m->elf, address, MIN(to - from, (uint64_t)GAP_MOST));
	for (uint64_t at = 0; at + THUNK_SIZE <= code.size; at++) {
		struct bytes here = bytes_slice(&code, at, THUNK_SIZE);
		if (!a->returns_its_place(&here))
			continue;
		row_add(m, from + at, unwind_rule_word(UNWIND_STACK, 1, 0), UNWIND_SAVED_SAME);
		add_plain(m, from + at + THUNK_SIZE, kind);
	}
}

#define START_MOST 512 /* bytes that are searched for the functions of C's start files */

/* Those that begin at FROM, if any, before TO; the result is where they end.  They run first and
 * last in a file: often it is they that wait for a page. */
static uint64_t add_start_functions(struct making *m, uint64_t from, uint64_t to)
{
	const struct arch *a = m->rules.arch;
	struct start_functions f;
	uint64_t address;
	if (!a->start_functions || !elf_file_address(m->elf, from, &address))
		return from;
	struct bytes code = elf_file_code(m->elf, address, MIN(to - from, (uint64_t)START_MOST));
	if (!a->start_functions(&code, &f))
		return from;
	uint32_t plain = unwind_rule_word(UNWIND_STACK, 1, 0);
	row_add(m, from, plain, UNWIND_SAVED_SAME);
	row_add(m, from + f.push, unwind_rule_word(UNWIND_STACK, 2, 2), UNWIND_SAVED_SAME);
	row_add(m, from + f.pop, plain, UNWIND_SAVED_SAME);
	return from + f.end;
}

static void add_unknown(struct making *m, uint64_t from, uint64_t to)
{
	uint64_t next = add_start_functions(m, from, to);
	if (next < to)
		add_nameless(m, next, to, UNWIND_NONE);
}

/*
 * The bytes between the code of the rows and NEXT: padding, or code without an entry.  Where the
 * program begins is the outermost function, but code far after that is not.
 */
static void add_gap(struct making *m, uint64_t next, uint64_t entry)
{
	bool has_entry = entry >= m->end && entry < next;
	if (m->rows.count && (has_entry || next - m->end >= PADDING))
		add_unknown(m, m->end, has_entry ? entry : next);
	if (has_entry)
		add_nameless(m, entry, MIN(next, entry + ENTRY_MOST), UNWIND_END);
	if (has_entry && next - entry > ENTRY_MOST)
		add_nameless(m, entry + ENTRY_MOST, next, UNWIND_NONE);
}

/* Where the file begins to run; libraries have 0 there. */
static uint64_t entry_of(const struct elf_file *elf)
{
	uint64_t entry;
	return elf_file_entry(elf) && elf_file_offset(elf, elf_file_entry(elf), &entry)
		       ? entry
		       : UINT64_MAX;
}

/* Rows of the code from BEGIN to END come next; false: they are not wanted. */
static bool begin_code(struct making *m, const struct elf_file *elf, uint64_t begin, uint64_t end)
{
	uint64_t offset, last, size = end - begin;
	if (!elf_file_offset(elf, begin, &offset) || !elf_file_offset(elf, end - 1, &last) ||
	    last - offset != size - 1)
		return false; /* not code of the file */
	if (offset < m->end)
		return false; /* two entries for one place: the first counts */
	if (!m->rows.count && m->entry < offset)
		m->end = m->entry; /* the program's first code may be its entry */
	add_gap(m, offset, m->entry);
	m->delta = offset - begin;
	m->end = offset;
	return true;
}

static void entry_rows_add(struct making *m, const struct elf_file *elf,
			   const struct frames *frames, const struct frame_range *range)
{
	struct frame_entry e;
	const struct arch *a = m->rules.arch;
	if (!begin_code(m, elf, range->begin, range->end))
		return;
	uint64_t offset = m->end;
	bool is_whole = frames_entry(frames, range, &e);
	m->is_signal_frame = is_whole && e.is_signal_frame;
	if (is_whole)
		is_whole = cfi_run(&e, a->dwarf_frame_pointer, a->dwarf_saved, cfi_row_visit, m);
	if (!is_whole)
		add_plain(m, MAX(m->end, offset), UNWIND_NONE);
	m->end = range->end + m->delta;
}

/* --- code without entries -------------------------------------------------------------------- */

#define PLT_FIRST 32	/* bytes of the first entry of .plt */
#define SIGNAL_RETURN 8 /* bytes of what arch.is_signal_return() knows */

static void add_known(struct making *m, uint64_t begin, uint64_t end, uint32_t rule)
{
	if (begin < end && m->known_count < KNOWN_MOST)
		m->known[m->known_count++] = (struct known_code) { begin, end, rule };
}

/* The end of the instruction that pushes two words, in the first entry; 0: there is none. */
static uint64_t plt_pushed_at(const struct arch *a, struct bytes code)
{
	for (uint64_t at = 0; at < PLT_FIRST && bytes_left(&code) >= 4;) {
		at += 4;
		if (bytes_u32(&code) == a->plt_push)
			return at;
	}
	return 0;
}

/* Entries have no frame.  The first one has, after its push. */
static void know_plt(struct making *m, const struct elf_file *elf)
{
	struct bytes code;
	uint64_t begin;
	const struct arch *a = m->rules.arch;
	if (!a->plt_push || !elf_file_section(elf, ".plt", &code, &begin))
		return;
	uint32_t plain = unwind_rule_word(UNWIND_STACK, 0, 0);
	uint64_t pushed = plt_pushed_at(a, code), end = begin + code.size;
	add_known(m, begin, begin + pushed, plain);
	if (pushed && begin + PLT_FIRST <= end)
		add_known(m, begin + pushed, begin + PLT_FIRST, plt_rule_word(&m->rules));
	add_known(m, begin + (pushed ? PLT_FIRST : 0), end, plain);
}

/*
 * .init and .fini: time passes in the first bytes of a file's code, because its page is absent yet,
 * and in what the programs of OpenSSL and Node call there.
 */
static void know_start(struct making *m, const struct elf_file *elf, const char *section)
{
	struct bytes code;
	uint64_t begin;
	const struct arch *a = m->rules.arch;
	if (!a->start_push || !elf_file_section(elf, section, &code, &begin))
		return;
	uint64_t end = begin + code.size;
	unsigned pushed = a->start_push(&code);
	uint32_t plain = unwind_rule_word(UNWIND_STACK, 1, 0);
	if (!pushed)
		return;
	add_known(m, begin, begin + pushed, plain);
	add_known(m, begin + pushed, end - 1, unwind_rule_word(UNWIND_STACK, 2, 0));
	add_known(m, end - 1, end, plain);
}

#define VDSO_MOST (256u << 10) /* bytes: symbols of larger files are not looked at */

static void know_signal_frame(struct making *m, struct elf_file *elf)
{
	size_t size;
	const struct arch *a = m->rules.arch;
	if (!a->signal_frame.name || !elf_file_image(elf, &size) || size > VDSO_MOST)
		return;
	const struct elf_symbol *s = elf_file_symbol_named(elf, a->signal_frame.name);
	if (!s)
		return;
	struct bytes code = elf_file_code(elf, s->address, SIGNAL_RETURN);
	if (a->is_signal_return(&code))
		add_known(m, s->address - a->signal_frame.before, s->address + SIGNAL_RETURN,
			  signal_rule_word(&m->rules));
}

static void add_known_before(struct making *m, const struct elf_file *elf, uint64_t limit)
{
	for (; m->known_next < m->known_count; m->known_next++) {
		const struct known_code *k = &m->known[m->known_next];
		if (k->begin >= limit)
			break;
		if (!begin_code(m, elf, k->begin, k->end))
			continue;
		row_add(m, m->end, k->rule, UNWIND_SAVED_UNKNOWN);
		m->end = k->end + m->delta;
	}
}

/* --- functions of Go -------------------------------------------------------------------------- */

static void add_distance(void *arg, uint64_t begin, uint64_t end, int64_t distance)
{
	struct making *m = arg;
	row_add(m, begin + m->delta, go_rule_word(&m->rules, distance), UNWIND_SAVED_UNKNOWN);
	m->end = end + m->delta;
}

static void add_go_function(struct making *m, const struct elf_file *elf, const struct go_frames *g,
			    const struct go_function *f)
{
	if (!begin_code(m, elf, f->begin, f->end))
		return;
	uint64_t offset = m->end, end = f->end + m->delta;
	if (f->is_outermost)
		add_plain(m, offset, UNWIND_END);
	else if (f->moves_stack)
		add_plain(m, offset, UNWIND_NONE);
	else if (!go_frames_visit(g, f, add_distance, m) || m->end < end)
		add_plain(m, MAX(m->end, offset), UNWIND_NONE);
	m->end = end;
}

/* Those before LIMIT, from number FIRST on; the result is the number of the next one. */
static uint32_t add_go_before(struct making *m, const struct elf_file *elf,
			      const struct go_frames *g, uint32_t first, uint64_t limit)
{
	uint32_t i = first;
	for (struct go_function f; i < g->count; i++) {
		if (!go_frames_function(g, i, &f))
			continue;
		if (f.begin >= limit)
			break;
		add_known_before(m, elf, f.begin);
		add_go_function(m, elf, g, &f);
	}
	return i;
}

/* --- all -------------------------------------------------------------------------------------- */

static uint64_t page_of(uint64_t offset)
{
	return offset >> UNWIND_PAGE_BITS;
}

static void table_fill(const struct making *m, struct unwind_table *t)
{
	uint32_t page = 0;
	for (uint32_t i = 0; i < m->rows.count; i++) {
		const struct row *row = &m->rows.items[i];
		while (page + t->first_page <= page_of(row->offset))
			t->index[page++] = i;
		t->rows[i] = row->rule | (uint8_t)row->offset;
		if (t->saved)
			t->saved[i] = row->saved;
	}
	while (page <= t->page_count)
		t->index[page++] = (uint32_t)m->rows.count;
}

static struct unwind_table *table_finish(struct making *m)
{
	size_t count = m->rows.count;
	if (!count)
		return NULL;
	uint64_t first = page_of(m->rows.items[0].offset);
	uint64_t pages = page_of(m->rows.items[count - 1].offset) - first + 1;
	if (pages > UNWIND_PAGES_MOST || first > UINT32_MAX - pages || count > UINT32_MAX / 8)
		return NULL;
	struct unwind_table *t = mem_zalloc(sizeof(*t));
	*t = (struct unwind_table) {
		.first_page = (uint32_t)first,
		.page_count = (uint32_t)pages,
		.row_count = (uint32_t)count,
		.rule_count = (uint32_t)m->rules.list.count,
		.index = mem_alloc((pages + 1) * sizeof(uint32_t)),
		.rows = mem_alloc(count * sizeof(uint32_t)),
		.rules = m->rules.list.items,
		.saved = m->has_saved ? mem_alloc(count) : NULL,
	};
	table_fill(m, t);
	m->rules.list.items = NULL;
	return t;
}

static struct unwind_table *table_make(struct making *m, struct elf_file *elf,
				       const struct frames *frames)
{
	/* Where entries are lost, the entry may be far from its function's end. */
	m->entry = frames_damage(frames) == UINT64_MAX ? entry_of(elf) : UINT64_MAX;
	m->elf = elf;
	size_t count;
	const struct frame_range *ranges = frames_ranges(frames, &count);
	struct go_frames go = { 0 };
	if (m->rules.arch->word == 8) /* of 32-bit code they count otherwise */
		go = go_frames_read(elf);
	uint32_t next = 0;
	m->rules.by_content = hash_new();
	know_start(m, elf, ".init");
	know_plt(m, elf);
	know_signal_frame(m, elf);
	know_start(m, elf, ".fini");
	for (size_t i = 0; i < count; i++) {
		next = add_go_before(m, elf, &go, next, ranges[i].begin);
		add_known_before(m, elf, ranges[i].begin);
		entry_rows_add(m, elf, frames, &ranges[i]);
	}
	add_go_before(m, elf, &go, next, UINT64_MAX);
	add_known_before(m, elf, UINT64_MAX);
	/* Code after the last entry has none. */
	if (m->rows.count)
		add_nameless(m, m->end, m->end + GAP_MOST, UNWIND_NONE);
	struct unwind_table *t = table_finish(m);
	hash_free(m->rules.by_content);
	vector_free(&m->rules.list);
	vector_free(&m->rows);
	return t;
}

/* A file that needs `saved` is read again. */
struct unwind_table *unwind_table_new(const struct arch *arch, struct elf_file *elf,
				      const struct frames *frames)
{
	struct making m = { .rules = { .arch = arch } };
	if (!elf || !arch)
		return NULL;
	struct unwind_table *t = table_make(&m, elf, frames);
	if (!t || !m.rules.needs_saved)
		return t;
	unwind_table_free(t);
	struct making again = { .rules = { .arch = arch }, .has_saved = true };
	return table_make(&again, elf, frames);
}

void unwind_table_free(struct unwind_table *t)
{
	if (!t)
		return;
	free(t->index);
	free(t->rows);
	free(t->rules);
	free(t->saved);
	free(t);
}

size_t unwind_table_size(const struct unwind_table *t)
{
	return ((size_t)t->page_count + 1 + t->row_count) * sizeof(uint32_t) +
	       t->rule_count * sizeof(*t->rules) + (t->saved ? t->row_count : 0);
}

uint32_t unwind_table_rule(const struct unwind_table *t, uint64_t offset)
{
	uint64_t page = page_of(offset) - t->first_page;
	if (page >= t->page_count)
		return 0;
	uint32_t low = t->index[page], high = t->index[page + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if ((uint8_t)t->rows[middle] <= (uint8_t)offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? t->rows[low - 1] & ~(uint32_t)UINT8_MAX : 0;
}
