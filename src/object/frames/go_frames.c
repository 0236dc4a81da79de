/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/frames/go_frames.h"

#define MAGIC_1_18 0xfffffff0u
#define MAGIC_1_20 0xfffffff1u

/* struct _func: offsets of members */
#define NUMBERS_AT 16	/* pcsp */
#define FLAG_1_18_AT 37 /* flag; 1.20 has startLine before it */
#define FLAG_1_20_AT 41
#define FLAG_OUTERMOST 1
#define FLAG_MOVES_STACK 2

static bool find_section(const struct elf_file *elf, struct bytes *ret)
{
	uint64_t address;
	return elf_file_section(elf, ".gopclntab", ret, &address) ||
	       elf_file_section(elf, ".data.rel.ro.gopclntab", ret, &address);
}

/* In a file that can be loaded anywhere the header has no address: the linker fills it in. */
static uint64_t find_text(struct elf_file *elf, uint64_t known)
{
	const struct elf_symbol *symbol = known ? NULL : elf_file_symbol_named(elf, "runtime.text");
	struct bytes section;
	uint64_t address = 0;
	if (known || symbol)
		return known ? known : symbol->address;
	return elf_file_section(elf, ".text", &section, &address) ? address : 0;
}

static bool read_magic(struct go_frames *g, struct bytes *b)
{
	uint32_t magic = bytes_u32(b);
	uint16_t zero = bytes_u16(b);
	g->quantum = bytes_u8(b);
	unsigned word = bytes_u8(b);
	g->flag_at = magic == MAGIC_1_18 ? FLAG_1_18_AT : FLAG_1_20_AT;
	return (magic == MAGIC_1_18 || magic == MAGIC_1_20) && !zero && word == 8 && g->quantum;
}

static struct bytes go_table_rest(const struct bytes *table, uint64_t offset)
{
	return offset > table->size ? (struct bytes) { .failed = true }
				    : bytes_slice(table, offset, table->size - offset);
}

struct go_frames go_frames_read(struct elf_file *elf)
{
	struct go_frames g = { 0 }, none = { 0 };
	if (!find_section(elf, &g.table))
		return none;
	struct bytes b = g.table;
	if (!read_magic(&g, &b))
		return none;
	uint64_t count = bytes_u64(&b);
	bytes_take(&b, 8); /* files */
	g.text = find_text(elf, bytes_u64(&b));
	bytes_take(&b, 3 * 8); /* names, units, files */
	uint64_t numbers = bytes_u64(&b), functions = bytes_u64(&b);
	g.numbers = go_table_rest(&g.table, numbers);
	g.functions = go_table_rest(&g.table, functions);
	if (b.failed || g.numbers.failed || g.functions.failed || g.functions.size < 4 ||
	    count > (g.functions.size - 4) / 8)
		return none;
	g.count = (uint32_t)count;
	return g;
}

static uint32_t go_table_word(const struct bytes *b, uint64_t offset, bool *failed)
{
	struct bytes word = bytes_slice(b, offset, 4);
	*failed |= word.failed;
	return word.failed ? 0 : bytes_u32(&word);
}

bool go_frames_function(const struct go_frames *g, uint32_t index, struct go_function *ret)
{
	bool failed = index >= g->count;
	uint64_t at = (uint64_t)index * 8;
	uint32_t begin = go_table_word(&g->functions, at, &failed);
	uint32_t function = go_table_word(&g->functions, at + 4, &failed);
	uint32_t end = go_table_word(&g->functions, at + 8, &failed);
	struct bytes flag = bytes_slice(&g->functions, (uint64_t)function + g->flag_at, 1);
	uint8_t flags = bytes_u8(&flag);
	*ret = (struct go_function) {
		.begin = g->text + begin,
		.end = g->text + end,
		.is_outermost = flags & FLAG_OUTERMOST,
		.moves_stack = flags & FLAG_MOVES_STACK,
		.numbers = go_table_word(&g->functions, (uint64_t)function + NUMBERS_AT, &failed),
	};
	return !failed && !flag.failed && begin < end && ret->begin < ret->end;
}

bool go_frames_visit(const struct go_frames *g, const struct go_function *f, go_distance_fn *visit,
		     void *arg)
{
	struct bytes b = go_table_rest(&g->numbers, f->numbers);
	uint64_t at = f->begin;
	int64_t distance = -1;
	if (!f->numbers || b.failed)
		return false;
	for (bool is_first = true; at < f->end; is_first = false) {
		uint64_t difference = bytes_uleb(&b);
		if (!difference && !is_first)
			return true; /* nothing is known of the rest */
		uint64_t size = bytes_uleb(&b) * g->quantum;
		distance += (int64_t)(difference & 1 ? ~(difference >> 1) : difference >> 1);
		if (b.failed || !size)
			return false;
		uint64_t end = at + MIN(size, f->end - at);
		visit(arg, at, end, distance);
		at = end;
	}
	return true;
}
