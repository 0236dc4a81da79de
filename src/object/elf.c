/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf - programs and libraries: segments, symbols, code
 *
 * The file is mapped and read through struct bytes; tables that do not lie
 * inside the file are as if they were not there, since a damaged section
 * header should not keep us from the symbols that can be read.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "object/object.h"

struct elf_file {
	struct bytes image;
	Elf64_Ehdr header;
	VECTOR(Elf64_Phdr) segments; /* PT_LOAD only */
	bool symbols_read, has_symtab;
	VECTOR(struct elf_symbol) symbols;
	VECTOR(const char *) thread_locals; /* names */
	uint64_t *highest_end;		    /* of symbols[0 ... i] */
};

/* --- opening --- */

static struct error *read_header(struct elf_file *e)
{
	if (e->image.size < sizeof(e->header))
		return error_new("not an ELF file");
	memcpy(&e->header, e->image.data, sizeof(e->header));
	const unsigned char *ident = e->header.e_ident;
	if (memcmp(ident, ELFMAG, SELFMAG) != 0)
		return error_new("not an ELF file");
	if (ident[EI_CLASS] == ELFCLASS32)
		return error_new("32-bit programs are not supported");
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
		return error_new("not a 64-bit little-endian ELF file");
	return NULL;
}

/* Item INDEX of a table in the file, or false.  An item may be longer than we know. */
static bool table_item(const struct elf_file *e, uint64_t table, uint64_t item_size, uint64_t index,
		       void *ret, size_t ret_size)
{
	uint64_t offset;
	if (item_size < ret_size || __builtin_mul_overflow(index, item_size, &offset) ||
	    __builtin_add_overflow(offset, table, &offset))
		return false;
	struct bytes item = bytes_slice(&e->image, offset, ret_size);
	if (item.failed)
		return false;
	memcpy(ret, item.data, ret_size);
	return true;
}

static bool section_at(const struct elf_file *e, uint64_t index, Elf64_Shdr *ret)
{
	const Elf64_Ehdr *h = &e->header;
	return h->e_shoff && table_item(e, h->e_shoff, h->e_shentsize, index, ret, sizeof(*ret));
}

/* Counts that do not fit into the header's 16 bits stand in section 0. */
static uint64_t section_count(const struct elf_file *e)
{
	Elf64_Shdr zero;
	if (e->header.e_shnum || !section_at(e, 0, &zero))
		return e->header.e_shnum;
	return MIN(zero.sh_size, (uint64_t)e->image.size / sizeof(zero));
}

static uint64_t segment_count(const struct elf_file *e)
{
	Elf64_Shdr zero;
	if (e->header.e_phnum != PN_XNUM || !section_at(e, 0, &zero))
		return e->header.e_phnum;
	return zero.sh_info;
}

static void read_segments(struct elf_file *e)
{
	uint64_t count = segment_count(e);
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr p;
		if (!table_item(e, e->header.e_phoff, e->header.e_phentsize, i, &p, sizeof(p)))
			return;
		if (p.p_type == PT_LOAD)
			vector_push(&e->segments, p);
	}
}

static struct error *map_file(struct elf_file *e, const char *path, const char *name)
{
	/* Not blocking: a path may turn out to be a pipe. */
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_sys(errno, "cannot open %s", name);
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return error_new("%s: not an ELF file", name);
	/* Our own copy of it: libelf notes in the headers which sections it has decompressed. */
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return error_sys(errno, "cannot map %s", name);
	e->image = bytes_of(p, (size_t)st.st_size);
	return NULL;
}

struct error *elf_file_open_named(const char *path, const char *name, struct elf_file **ret)
{
	struct elf_file *e = mem_zalloc(sizeof(*e));
	struct error *err = map_file(e, path, name);
	if (!err) {
		err = read_header(e);
		if (err)
			err = error_wrap(err, "%s", name);
	}
	if (err) {
		elf_file_free(e);
		return err;
	}
	read_segments(e);
	*ret = e;
	return NULL;
}

struct error *elf_file_open(const char *path, struct elf_file **ret)
{
	return elf_file_open_named(path, path, ret);
}

void elf_file_free(struct elf_file *e)
{
	if (!e)
		return;
	if (e->image.data)
		munmap((void *)e->image.data, e->image.size);
	vector_free(&e->segments);
	vector_free(&e->symbols);
	vector_free(&e->thread_locals);
	free(e->highest_end);
	free(e);
}

/* --- addresses --- */

static const Elf64_Phdr *segment_of(const struct elf_file *e, uint64_t address)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const Elf64_Phdr *p = &e->segments.items[i];
		if (address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
			return p;
	}
	return NULL;
}

bool elf_file_offset(const struct elf_file *e, uint64_t address, uint64_t *ret)
{
	const Elf64_Phdr *p = segment_of(e, address);
	if (!p)
		return false;
	*ret = address - p->p_vaddr + p->p_offset;
	return true;
}

bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const Elf64_Phdr *p = &e->segments.items[i];
		if (offset >= p->p_offset && offset - p->p_offset < p->p_filesz) {
			*ret = offset - p->p_offset + p->p_vaddr;
			return true;
		}
	}
	return false;
}

bool elf_file_segment(const struct elf_file *e, size_t index, uint64_t *offset, uint64_t *address)
{
	size_t left = index;
	for (size_t i = 0; i < e->segments.count; i++) {
		const Elf64_Phdr *p = &e->segments.items[i];
		if (p->p_filesz == 0 || left-- > 0)
			continue;
		*offset = p->p_offset;
		*address = p->p_vaddr;
		return true;
	}
	return false;
}

struct bytes elf_file_code(const struct elf_file *e, uint64_t address, size_t len)
{
	const Elf64_Phdr *p = segment_of(e, address);
	if (!p)
		return bytes_of(NULL, 0);
	uint64_t skip = address - p->p_vaddr;
	uint64_t offset = skip + p->p_offset;
	if (offset < skip || offset >= e->image.size)
		return bytes_of(NULL, 0);
	uint64_t have = MIN(p->p_filesz - skip, e->image.size - offset);
	return bytes_of(e->image.data + offset, MIN(have, len));
}

void *elf_file_image(const struct elf_file *e, size_t *size)
{
	*size = e->image.size;
	return (void *)e->image.data;
}

uint64_t elf_file_entry(const struct elf_file *e)
{
	return e->header.e_entry;
}

size_t elf_file_memory(const struct elf_file *e)
{
	return e->symbols.capacity * sizeof(*e->symbols.items) +
	       e->symbols.count * sizeof(*e->highest_end) +
	       e->thread_locals.capacity * sizeof(*e->thread_locals.items);
}

/* --- parts --- */

static bool name_is(const struct bytes *names, const Elf64_Shdr *s, const char *name)
{
	const char *its = bytes_string_at(names, s->sh_name);
	return its && string_equal(its, name);
}

bool elf_file_section(const struct elf_file *e, const char *name, struct bytes *ret,
		      uint64_t *address)
{
	Elf64_Shdr s, zero;
	uint64_t names_at = e->header.e_shstrndx;
	if (names_at == SHN_XINDEX && section_at(e, 0, &zero))
		names_at = zero.sh_link;
	if (!section_at(e, names_at, &s))
		return false;
	struct bytes names = bytes_slice(&e->image, s.sh_offset, s.sh_size);
	uint64_t count = section_count(e);
	for (uint64_t i = 1; i < count && section_at(e, i, &s); i++) {
		if (!name_is(&names, &s, name))
			continue;
		*ret = bytes_slice(&e->image, s.sh_offset, s.sh_size);
		*address = s.sh_addr;
		return s.sh_type != SHT_NOBITS && !(s.sh_flags & SHF_COMPRESSED) && !ret->failed;
	}
	return false;
}

/* The bytes of the INDEXth part of the file whose header is of TYPE; empty: there is none. */
static struct bytes part_of(const struct elf_file *e, uint32_t type, size_t index,
			    uint64_t *address)
{
	uint64_t count = segment_count(e);
	Elf64_Phdr p;
	for (uint64_t i = 0; i < count; i++) {
		if (!table_item(e, e->header.e_phoff, e->header.e_phentsize, i, &p, sizeof(p)))
			break;
		if (p.p_type != type || index-- > 0)
			continue;
		*address = p.p_vaddr;
		return bytes_slice(&e->image, p.p_offset, p.p_filesz);
	}
	return bytes_of(NULL, 0);
}

struct bytes elf_file_frame_header(const struct elf_file *e, uint64_t *address)
{
	return part_of(e, PT_GNU_EH_FRAME, 0, address);
}

static struct bytes build_id_of(struct bytes notes)
{
	while (bytes_left(&notes) >= sizeof(Elf64_Nhdr)) {
		uint32_t name_len = bytes_u32(&notes), len = bytes_u32(&notes);
		uint32_t type = bytes_u32(&notes);
		const char *name = bytes_take(&notes, ALIGN_UP((size_t)name_len, 4));
		struct bytes id = bytes_slice(&notes, notes.pos, len);
		bytes_take(&notes, ALIGN_UP((size_t)len, 4));
		if (name && !id.failed && type == NT_GNU_BUILD_ID && name_len == 4 &&
		    memcmp(name, "GNU", 4) == 0)
			return id;
		if (notes.failed)
			break;
	}
	return bytes_of(NULL, 0);
}

struct bytes elf_file_build_id(const struct elf_file *e)
{
	struct bytes notes, id = { 0 };
	uint64_t address;
	if (elf_file_section(e, ".note.gnu.build-id", &notes, &address))
		id = build_id_of(notes);
	for (size_t i = 0; !id.size; i++) {
		notes = part_of(e, PT_NOTE, i, &address);
		if (!notes.size)
			break;
		id = build_id_of(notes);
	}
	return id;
}

const char *elf_file_debug_link(const struct elf_file *e, uint32_t *checksum)
{
	struct bytes link;
	uint64_t address;
	if (!elf_file_section(e, ".gnu_debuglink", &link, &address))
		return NULL;
	const char *name = bytes_string_at(&link, 0);
	if (!name || !*name)
		return NULL;
	bytes_take(&link, ALIGN_UP(strlen(name) + 1, 4));
	*checksum = bytes_u32(&link);
	return link.failed ? NULL : name;
}

/* --- symbols --- */

static bool is_wanted(const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);
	if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || s->st_shndx == SHN_COMMON)
		return false;
	/* $x and $d mark code and data for disassemblers of aarch64. */
	if (!name || !*name || (type == STT_NOTYPE && *name == '$'))
		return false;
	return type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE ||
	       type == STT_GNU_IFUNC;
}

static void read_table(struct elf_file *e, const Elf64_Shdr *table)
{
	Elf64_Shdr names;
	if (!section_at(e, table->sh_link, &names) || names.sh_type != SHT_STRTAB)
		return;
	struct bytes strings = bytes_slice(&e->image, names.sh_offset, names.sh_size);
	struct bytes symbols = bytes_slice(&e->image, table->sh_offset, table->sh_size);
	size_t count = symbols.size / sizeof(Elf64_Sym);
	for (size_t i = 0; i < count; i++) {
		Elf64_Sym s;
		memcpy(&s, symbols.data + i * sizeof(s), sizeof(s));
		const char *name = bytes_string_at(&strings, s.st_name);
		unsigned type = ELF64_ST_TYPE(s.st_info);
		if (type == STT_TLS && name)
			vector_push(&e->thread_locals, name);
		if (!is_wanted(&s, name))
			continue;
		unsigned bind = ELF64_ST_BIND(s.st_info);
		vector_push(&e->symbols,
			    (struct elf_symbol) {
				    .name = name,
				    .address = s.st_value,
				    .size = s.st_size,
				    .is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
				    .is_ifunc = type == STT_GNU_IFUNC,
				    .global = bind == STB_GLOBAL || bind == STB_GNU_UNIQUE,
				    .weak = bind == STB_WEAK,
			    });
	}
}

static int rank(const struct elf_symbol *s)
{
	return s->global ? 0 : s->weak ? 1 : 2;
}

/* By address, then the better name first. */
static int compare_symbols(const void *left, const void *right)
{
	const struct elf_symbol *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	size_t a_bars = strspn(a->name, "_"), b_bars = strspn(b->name, "_");
	if (a_bars != b_bars)
		return a_bars < b_bars ? -1 : 1;
	size_t a_len = strlen(a->name), b_len = strlen(b->name);
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return strcmp(a->name, b->name);
}

static uint64_t end_of(const struct elf_symbol *s)
{
	return s->address + s->size < s->address ? UINT64_MAX : s->address + s->size;
}

static void read_symbols(struct elf_file *e)
{
	static const uint32_t kinds[] = { SHT_SYMTAB, SHT_DYNSYM };
	e->symbols_read = true;
	uint64_t sections = section_count(e);
	for (size_t k = 0; k < ARRAY_SIZE(kinds) && !e->symbols.count; k++) {
		for (uint64_t i = 0; i < sections; i++) {
			Elf64_Shdr s;
			if (!section_at(e, i, &s))
				break;
			if (s.sh_type != kinds[k])
				continue;
			/* A file has one such table; more would only multiply the work. */
			read_table(e, &s);
			e->has_symtab |= kinds[k] == SHT_SYMTAB && e->symbols.count;
			break;
		}
	}
	if (!e->symbols.count)
		return;
	qsort(e->symbols.items, e->symbols.count, sizeof(*e->symbols.items), compare_symbols);
	e->highest_end = mem_alloc(e->symbols.count * sizeof(*e->highest_end));
	uint64_t highest = 0;
	for (size_t i = 0; i < e->symbols.count; i++) {
		highest = MAX(highest, end_of(&e->symbols.items[i]));
		e->highest_end[i] = highest;
	}
}

bool elf_file_is_stripped(struct elf_file *e)
{
	if (!e->symbols_read)
		read_symbols(e);
	return !e->has_symtab;
}

struct error *elf_file_symbols(struct elf_file *e, const struct elf_symbol **ret, size_t *count)
{
	if (!e->symbols_read)
		read_symbols(e);
	*ret = e->symbols.items;
	*count = e->symbols.count;
	return NULL;
}

/* How many symbols begin at ADDRESS or before. */
static size_t count_until(const struct elf_file *e, uint64_t address)
{
	size_t low = 0, high = e->symbols.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (e->symbols.items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct elf_symbol *elf_file_symbols_at(struct elf_file *e, uint64_t address, size_t *count)
{
	if (!e->symbols_read)
		read_symbols(e);
	size_t first = address ? count_until(e, address - 1) : 0;
	*count = count_until(e, address) - first;
	return e->symbols.items + first;
}

/*
 * Of the symbols that cover ADDRESS, the one that begins last; of its aliases
 * the first.  Looking back ends where nothing before reaches so far.
 */
static const struct elf_symbol *covering(const struct elf_file *e, size_t until, uint64_t address,
					 bool function)
{
	const struct elf_symbol *best = NULL;
	for (size_t i = until; i > 0 && e->highest_end[i - 1] > address; i--) {
		const struct elf_symbol *s = &e->symbols.items[i - 1];
		if (best && s->address != best->address)
			break;
		if (s->is_function == function && end_of(s) > address)
			best = s;
	}
	return best;
}

/* The last symbol before ADDRESS, if it has no size and both are in the same code. */
static const struct elf_symbol *sizeless_before(const struct elf_file *e, size_t until,
						uint64_t address)
{
	if (!until)
		return NULL;
	const struct elf_symbol *s = &e->symbols.items[until - 1];
	const Elf64_Phdr *p = segment_of(e, address);
	if (s->size || !p || !(p->p_flags & PF_X) || segment_of(e, s->address) != p)
		return NULL;
	while (s > e->symbols.items && s[-1].address == s->address && !s[-1].size)
		s--;
	return s;
}

/* How far S is from the one that NAME means, 0: it is that; -1: its name is another one. */
static int distance(const struct elf_symbol *s, const char *name, size_t len)
{
	if (strncmp(s->name, name, len) != 0)
		return -1;
	const char *version = s->name + len;
	if (*version && *version != '@')
		return -1;
	int from_default = !*version ? 0 : version[1] == '@' ? 1 : 2;
	return 3 * rank(s) + from_default;
}

const struct elf_symbol *elf_file_symbol_named(struct elf_file *e, const char *name)
{
	if (!e->symbols_read)
		read_symbols(e);
	const struct elf_symbol *best = NULL;
	int nearest = INT_MAX;
	size_t len = strlen(name);
	for (size_t i = 0; i < e->symbols.count && nearest > 0; i++) {
		int d = distance(&e->symbols.items[i], name, len);
		if (d < 0 || d >= nearest)
			continue;
		nearest = d;
		best = &e->symbols.items[i];
	}
	return best;
}

bool elf_file_is_thread_local(struct elf_file *e, const char *name)
{
	if (!e->symbols_read)
		read_symbols(e);
	for (size_t i = 0; i < e->thread_locals.count; i++)
		if (string_equal(e->thread_locals.items[i], name))
			return true;
	return false;
}

const struct elf_symbol *elf_file_symbol_at(struct elf_file *e, uint64_t address)
{
	if (!e->symbols_read)
		read_symbols(e);
	size_t until = count_until(e, address);
	const struct elf_symbol *s = covering(e, until, address, true);
	if (!s)
		s = covering(e, until, address, false);
	return s ? s : sizeless_before(e, until, address);
}
