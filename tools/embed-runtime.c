/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-runtime - BPF objects of src/runtime/ into C tables for src/loader/
 *
 * embed-runtime OBJECT... > runtime_object.inc
 *
 * Each function becomes a separate piece, with the places that refer to other functions or to
 * symbols of the loader, so that a program gets only the functions that it calls and start-up
 * reads no ELF.  Its `stack` is the size of the deepest chain of calls from it: codegen (frame.c)
 * has 512 bytes for all.
 */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/object.h"

struct function {
	const char *name;
	int object;	       /* functions that are not global are known only there */
	uint64_t start, count; /* in instructions */
	bool global;
	unsigned params;
	bool numbers_only;
	unsigned first_insn, at; /* instructions, bytes of print_code() */
	unsigned frame;		 /* bytes, as the kernel counts them */
	bool on_the_way;	 /* while stacks are measured */
	VECTOR(int) callees;
	VECTOR(int) callbacks; /* whose address it takes: of bpf_loop(), of task work */
};

struct unit {
	const char *path;
	Elf *elf;
	Elf_Data *text, *symbols, *relocations;
	size_t text_index, strings_index;
	struct btf *btf;
};

static VECTOR(struct function) functions;
static VECTOR(const char *) externs;
static VECTOR(struct bpf_insn) insns;

static void die(const char *path, const char *what)
{
	fprintf(stderr, "embed-runtime: %s: %s\n", path, what);
	exit(1);
}

static void read_sections(struct unit *u)
{
	size_t names;
	if (elf_getshdrstrndx(u->elf, &names))
		die(u->path, "no section names");
	for (Elf_Scn *s = NULL; (s = elf_nextscn(u->elf, s));) {
		GElf_Shdr h;
		gelf_getshdr(s, &h);
		const char *name = elf_strptr(u->elf, names, h.sh_name);
		Elf_Data *data = elf_rawdata(s, NULL);
		if (string_equal(name, ".text")) {
			u->text = data;
			u->text_index = elf_ndxscn(s);
		} else if (h.sh_type == SHT_SYMTAB) {
			u->symbols = elf_getdata(s, NULL);
			u->strings_index = h.sh_link;
		} else if (string_equal(name, ".rel.text")) {
			u->relocations = elf_getdata(s, NULL);
		} else if (string_equal(name, ".BTF")) {
			if (btf_of_bytes(data->d_buf, data->d_size, &u->btf))
				die(u->path, "unreadable BTF");
		}
	}
	if (!u->text || !u->symbols || !u->btf)
		die(u->path, "no .text, symbols or .BTF");
}

static enum btf_kind resolved_kind(struct btf *b, uint32_t id)
{
	struct btf_type t = { .kind = BTF_VOID };
	while (id && btf_type_at(b, id, &t) &&
	       (t.kind == BTF_TYPEDEF || t.kind == BTF_CONST || t.kind == BTF_VOLATILE))
		id = t.size_or_type;
	return id ? t.kind : BTF_VOID;
}

/* Parameters, from BTF: a function without pointers can be verified apart from its callers. */
static void read_prototype(struct unit *u, struct function *f)
{
	struct btf_type func, proto;
	uint32_t id = btf_find(u->btf, BTF_FUNC, f->name);
	if (!id || !btf_type_at(u->btf, id, &func) ||
	    !btf_type_at(u->btf, func.size_or_type, &proto))
		die(u->path, f->name);
	f->params = proto.vlen;
	f->numbers_only = resolved_kind(u->btf, proto.size_or_type) != BTF_PTR;
	for (unsigned i = 0; i < proto.vlen; i++) {
		bytes_u32(&proto.extra);
		f->numbers_only &= resolved_kind(u->btf, bytes_u32(&proto.extra)) != BTF_PTR;
	}
}

/*
 * A function's frame: as far as it reaches below R10, by accesses or by addresses that it makes
 * from R10.  Rounded up as the kernel does (6.1: to 32; later ones to less).
 */
static unsigned frame_of(const struct bpf_insn *code, uint64_t count)
{
	int lowest = 0;
	bool is_frame[11] = { [10] = true };
	for (uint64_t k = 0; k < count; k++) {
		const struct bpf_insn *n = &code[k];
		int class = BPF_CLASS(n->code), reach = 0;
		if (class == BPF_ALU64 && BPF_OP(n->code) == BPF_ADD && BPF_SRC(n->code) == BPF_K &&
		    is_frame[n->dst_reg])
			reach = n->imm;
		else if (class == BPF_LDX && is_frame[n->src_reg])
			reach = n->off;
		else if ((class == BPF_STX || class == BPF_ST) && is_frame[n->dst_reg])
			reach = n->off;
		if (reach < lowest)
			lowest = reach;
		if ((class == BPF_ALU64 || class == BPF_ALU || class == BPF_LDX ||
		     class == BPF_LD) &&
		    n->dst_reg < 10)
			is_frame[n->dst_reg] =
				n->code == (BPF_ALU64 | BPF_MOV | BPF_X) && n->src_reg == 10;
	}
	unsigned bytes = lowest ? (unsigned)-lowest : 1;
	return (bytes + 31) / 32 * 32;
}

static void read_functions(struct unit *u, int object)
{
	GElf_Sym sym;
	for (int i = 0; gelf_getsym(u->symbols, i, &sym); i++) {
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx != u->text_index)
			continue;
		struct function f = {
			.name = elf_strptr(u->elf, u->strings_index, sym.st_name),
			.object = object,
			.start = sym.st_value / 8,
			.count = sym.st_size / 8,
			.global = GELF_ST_BIND(sym.st_info) == STB_GLOBAL,
		};
		read_prototype(u, &f);
		f.frame = frame_of((struct bpf_insn *)u->text->d_buf + f.start, f.count);
		vector_push(&functions, f);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->object - y->object;
}

/* By name: runtime_find() searches by halves.  References are ordered by instruction, too. */
static void order_functions(const struct unit *units)
{
	qsort(functions.items, functions.count, sizeof(*functions.items), by_name);
	for (size_t i = 0; i < functions.count; i++) {
		struct function *f = &functions.items[i];
		const struct bpf_insn *code = units[f->object].text->d_buf;
		f->first_insn = (unsigned)insns.count;
		for (uint64_t k = 0; k < f->count; k++)
			vector_push(&insns, code[f->start + k]);
	}
}

#define RING_FRAME 32 /* of rt_ring(), which the loader writes */

static unsigned stack_of(struct function *f)
{
	unsigned most = 0;
	if (f->on_the_way)
		die(f->name, "calls itself");
	f->on_the_way = true;
	for (size_t i = 0; i < f->callees.count; i++) {
		int callee = f->callees.items[i];
		unsigned stack = callee < 0 ? RING_FRAME : stack_of(&functions.items[callee]);
		most = stack > most ? stack : most;
	}
	/* Task work may schedule itself: that run is later, on a stack of its own. */
	for (size_t i = 0; i < f->callbacks.count; i++) {
		struct function *callback = &functions.items[f->callbacks.items[i]];
		unsigned stack = callback->on_the_way ? 0 : stack_of(callback);
		most = stack > most ? stack : most;
	}
	f->on_the_way = false;
	return f->frame + most;
}

static int function_at(struct unit *u, int object, uint64_t at)
{
	for (size_t i = 0; i < functions.count; i++)
		if (functions.items[i].object == object && functions.items[i].start == at)
			return (int)i;
	die(u->path, "a call into the middle of a function");
	return -1;
}

static int global_named(const char *name)
{
	for (size_t i = 0; i < functions.count; i++)
		if (functions.items[i].global && string_equal(functions.items[i].name, name))
			return (int)i;
	return -1;
}

static int extern_named(const char *name)
{
	for (size_t i = 0; i < externs.count; i++)
		if (string_equal(externs.items[i], name))
			return (int)i;
	vector_push(&externs, name);
	return (int)externs.count - 1;
}

static bool symbol_of(struct unit *u, uint64_t offset, GElf_Sym *ret)
{
	GElf_Rel rel;
	for (int i = 0; u->relocations && gelf_getrel(u->relocations, i, &rel); i++)
		if (rel.r_offset == offset)
			return gelf_getsym(u->symbols, (int)GELF_R_SYM(rel.r_info), ret) != NULL;
	return false;
}

static void print_callee(struct function *f, unsigned at, const char *kind, int target)
{
	printf("\t{ %u, %d, %s },\n", at, target, kind);
	vector_push(&f->callees, target);
}

static void print_callback(struct function *f, unsigned at, int target)
{
	printf("\t{ %u, %d, RUNTIME_FUNCTION },\n", at, target);
	vector_push(&f->callbacks, target);
}

/* Print the reference that the instruction holds, if any. */
static void print_reference(struct unit *u, int object, struct function *f, uint64_t k)
{
	const struct bpf_insn *insn = (const struct bpf_insn *)u->text->d_buf + f->start + k;
	bool call = insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL;
	bool wide = insn->code == (BPF_LD | BPF_DW | BPF_IMM);
	GElf_Sym sym;
	bool has_symbol = (call || wide) && symbol_of(u, (f->start + k) * 8, &sym);
	unsigned at = f->first_insn + (unsigned)k;
	const char *name = has_symbol ? elf_strptr(u->elf, u->strings_index, sym.st_name) : "";

	if (call && has_symbol && sym.st_shndx == SHN_UNDEF) {
		int target = global_named(name);
		if (string_equal(name, "rt_ring")) {
			printf("\t{ %u, 0, RUNTIME_RING },\n", at);
			vector_push(&f->callees, -1);
			return;
		}
		if (target < 0)
			die(u->path, name);
		print_callee(f, at, "RUNTIME_CALL", target);
	} else if (call) {
		int64_t base = has_symbol ? (int64_t)sym.st_value / 8 : (int64_t)(f->start + k);
		print_callee(f, at, "RUNTIME_CALL",
			     function_at(u, object, (uint64_t)(base + insn->imm + 1)));
	} else if (wide && has_symbol && sym.st_shndx == SHN_UNDEF) {
		if (insn->imm || insn[1].imm)
			die(u->path, "an address inside what the loader supplies");
		printf("\t{ %u, %d, RUNTIME_EXTERN },\n", at, extern_named(name));
	} else if (wide && has_symbol && sym.st_shndx == u->text_index) {
		print_callback(f, at,
			       function_at(u, object, (sym.st_value + (uint64_t)insn->imm) / 8));
	} else if (has_symbol) {
		die(u->path, "refers to data: the run-time library may have none");
	}
}

/* Where the functions of abi/rt.def are, so that a start searches for none of them by name. */
static void print_rows(void)
{
	static const char *const rows[] = {
#define RT(name, where, what) #name,
#include "abi/rt.def"
#undef RT
	};
	printf("\nstatic const int16_t runtime_rows[RT_COUNT] = {\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char name[80];
		snprintf(name, sizeof(name), "rt_%s", rows[i]);
		printf("\t[RT_%s] = %d,\n", rows[i], global_named(name));
	}
	printf("};\n");
}

/* --- instructions as loader/runtime.c reads them: a third of their size ----------------------- */

static struct form {
	uint8_t code;
	bool has_off, has_imm;
} forms[256];
static unsigned form_count;

static unsigned form_of(const struct bpf_insn *n)
{
	struct form wanted = { n->code, n->off != 0, n->imm != 0 };
	for (unsigned i = 0; i < form_count; i++)
		if (memcmp(&forms[i], &wanted, sizeof(wanted)) == 0)
			return i;
	if (form_count == ARRAY_SIZE(forms))
		die("the library", "has more forms of instructions than a byte can name");
	forms[form_count] = wanted;
	return form_count++;
}

static unsigned print_number(int32_t number)
{
	uint32_t n = (uint32_t)number << 1 ^ (uint32_t)(number >> 31);
	unsigned bytes = 1;
	for (; n > 127; n >>= 7, bytes++)
		printf("%u,", (n & 127) | 128);
	printf("%u,", n);
	return bytes;
}

static unsigned print_insn(const struct bpf_insn *n)
{
	unsigned bytes = 2;
	printf("%u,%u,", form_of(n), n->dst_reg | n->src_reg << 4);
	if (n->off)
		bytes += print_number(n->off);
	if (n->imm)
		bytes += print_number(n->imm);
	return bytes;
}

static void print_code(void)
{
	unsigned at = 0;
	printf("static const unsigned char runtime_insns[] = {\n");
	for (size_t i = 0; i < functions.count; i++) {
		struct function *f = &functions.items[i];
		f->at = at;
		for (uint64_t k = 0; k < f->count; k++)
			at += print_insn(&insns.items[f->first_insn + k]);
		printf("\n");
	}
	printf("};\n\nstatic const struct runtime_form runtime_forms[] = {\n");
	for (unsigned i = 0; i < form_count; i++)
		printf("\t{ %u, %d, %d },\n", forms[i].code, forms[i].has_off, forms[i].has_imm);
	printf("};\n");
}

static void print_tables(struct unit *units, int count)
{
	if (insns.count > UINT16_MAX)
		die("the library",
		    "has more instructions than struct runtime_reference can number");
	printf("static const struct runtime_reference runtime_references[] = {\n");
	for (size_t i = 0; i < functions.count; i++) {
		struct function *f = &functions.items[i];
		for (uint64_t k = 0; k < f->count; k++)
			print_reference(&units[f->object], f->object, f, k);
	}
	printf("};\n\n");
	print_code();
	printf("\nstatic const struct runtime_function runtime_functions[] = {\n");
	for (size_t i = 0; i < functions.count; i++) {
		struct function *f = &functions.items[i];
		printf("\t{ \"%s\", %u, %u, %u, %u, %d, %u },\n", f->name, f->first_insn,
		       (unsigned)f->count, f->at, f->params, f->global && f->numbers_only,
		       stack_of(f));
	}
	printf("};\n\nstatic const char *const runtime_externs[] = {\n");
	for (size_t i = 0; i < externs.count; i++)
		printf("\t\"%s\",\n", externs.items[i]);
	printf("};\n");
	print_rows();
	(void)count;
}

int main(int argc, char **argv)
{
	struct unit *units = calloc((size_t)argc, sizeof(*units));
	elf_version(EV_CURRENT);
	for (int i = 1; i < argc; i++) {
		struct unit *u = &units[i - 1];
		u->path = argv[i];
		int fd = open(argv[i], O_RDONLY);
		u->elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
		if (!u->elf)
			die(argv[i], "cannot read");
		read_sections(u);
		read_functions(u, i - 1);
	}
	order_functions(units);
	printf("/* made by tools/embed-runtime */\n");
	print_tables(units, argc - 1);
	return 0;
}
