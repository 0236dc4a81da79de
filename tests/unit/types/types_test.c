/* SPDX-License-Identifier: BSD-2-Clause */
#include "types/types.h"

#include <stdlib.h>
#include <unistd.h>

#include "object/btf_bytes.h"
#include "test.h"
#include "types/type_text.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"
#define NEED_KERNEL(t)                                                                             \
	if (types_kernel_problem(t)) {                                                             \
		types_free(t);                                                                     \
		SKIP("needs the kernel's BTF");                                                    \
	}

TEST(intrinsics_need_no_kernel)
{
	struct types *t = types_new("/nonexistent");
	CHECK_INT(type_size(types_find(t, "uint64_t")), 8);
	CHECK(!type_is_signed(types_find(t, "uint64_t")));
	CHECK_INT(type_size(types_find(t, "int16_t")), 2);
	CHECK(type_is_signed(types_find(t, "pid_t")));
	CHECK(type_is_string_like(types_find(t, "caddr_t")));
	CHECK(!type_is_string_like(types_parse(t, "uint8_t [6]")));
	CHECK(type_is_string_like(types_parse(t, "const char [6]")));
	CHECK(types_is_typedef(t, "hrtime_t"));
	CHECK(!types_is_typedef(t, "no_such_t"));
	CHECK(types_find(t, "struct task_struct") == NULL);
	CHECK_STR(types_kernel_problem(t),
		  "this needs the kernel's type data (CONFIG_DEBUG_INFO_BTF): "
		  "cannot open /nonexistent: No such file or directory");
	CHECK_INT(type_size(types_intrinsic(t, INTRINSIC_STRING)), 256);
	types_set_string_size(t, 512);
	CHECK_INT(type_size(types_find(t, "string")), 512);
	types_free(t);
}

TEST(what_is_parsed_prints_as_it_was)
{
	static const char *const same[] = {
		"int",
		"unsigned long long",
		"const char *",
		"char *const",
		"uint64_t",
		"const volatile unsigned int *",
		"char [16]",
		"char *[4]",
		"int (*)[4]",
		"int [2][3]",
		"void (*)(int, char *)",
		"int (*(*)(void))[3]",
		"void *(*)(...)",
		"int (*)(const char *, ...)",
		"userland char *",
		"string",
		"_Bool",
		"long double",
		"void (*[2])(int)",
		"int (int)",
	};
	struct types *t = types_new("/nonexistent");
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		CHECK_STR(text_of(types_parse(t, same[i])), same[i]);
	CHECK_STR(text_of(types_parse(t, " unsigned ")), "unsigned int");
	CHECK_STR(text_of(types_parse(t, "long int unsigned")), "unsigned long");
	CHECK_STR(text_of(types_parse(t, "char const*")), "const char *");
	CHECK_STR(text_of(types_parse(t, "void*")), "void *");

	static const char *const wrong[] = {
		"",
		"*",
		"int int",
		"unsigned signed",
		"int x",
		"char [",
		"char [9999999999]",
		"no_such_t",
		"struct",
		"int (*",
		"int )",
		"short long",
		"void (*)(int",
		"((((((((",
		"a`b`c",
		"int (*)(((((((((((((((((((((((((((((((((((((((((((((((",
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK_STR(text_of(types_parse(t, wrong[i])), "(none)");
	types_free(t);
}

TEST(derived_types_are_one_object)
{
	struct types *t = types_new("/nonexistent");
	CHECK(types_parse(t, "char *") == types_parse(t, "char*"));
	CHECK(types_parse(t, "char [3]") != types_parse(t, "char [4]"));
	CHECK(type_same(types_parse(t, "uint64_t *"), types_parse(t, "unsigned long long *")));
	CHECK(!type_same(types_parse(t, "uint64_t *"), types_parse(t, "long *")));
	CHECK(type_pointers_compatible(types_parse(t, "void *"), types_parse(t, "char *")));
	CHECK(!type_pointers_compatible(types_parse(t, "int *"), types_parse(t, "char *")));
	CHECK(!type_pointers_compatible(types_parse(t, "int *"), types_parse(t, "int")));
	CHECK(type_is_userland(types_parse(t, "userland char *")));
	CHECK(!type_is_userland(types_parse(t, "char *")));
	types_free(t);
}

/* --- layout, held against the compiler of this test --- */

struct mixed {
	char c;
	int a : 3, b : 7;
	short s;
	unsigned long wide : 40, next : 30;
	_Bool flag : 1;
	char last[3];
};

struct padded {
	char c;
	int : 5;
	unsigned u : 6;
};

union either {
	char c[5];
	int i;
	short bits : 9;
};

static struct type *declare(struct types *t, enum type_kind kind, const char *tag,
			    const struct member *members, unsigned count)
{
	struct type *type = types_declare_tag(t, kind, tag);
	types_complete_struct(t, type, members, count, 0);
	return type;
}

/* The first bit that is set after ASSIGNMENT to a zeroed object. */
#define BIT_OFFSET(type, assignment)                                                               \
	({                                                                                         \
		type v;                                                                            \
		memset(&v, 0, sizeof(v));                                                          \
		assignment;                                                                        \
		unsigned char raw[sizeof(v)];                                                      \
		memcpy(raw, &v, sizeof(v));                                                        \
		unsigned bit = 0;                                                                  \
		while (!(raw[bit / 8] >> bit % 8 & 1))                                             \
			bit++;                                                                     \
		bit;                                                                               \
	})

static unsigned bit_offset_of(struct types *t, const struct type *type, const char *name)
{
	struct member m = { 0 };
	return type_member(t, type, name, &m) ? m.bit_offset : UINT32_MAX;
}

TEST(layout_is_the_compilers)
{
	struct types *t = types_new("/nonexistent");
	const struct type *i = types_find(t, "int"), *c = types_find(t, "char");
	const struct type *ul = types_parse(t, "unsigned long"), *s = types_find(t, "short");
	const struct type *type = declare(t, TYPE_STRUCT, "mixed",
					  (struct member[]) {
						  { "c", c },
						  { "a", i, .bit_size = 3 },
						  { "b", i, .bit_size = 7 },
						  { "s", s },
						  { "wide", ul, .bit_size = 40 },
						  { "next", ul, .bit_size = 30 },
						  { "flag", types_find(t, "bool"), .bit_size = 1 },
						  { "last", types_parse(t, "char [3]") },
					  },
					  8);
	CHECK_INT(type_size(type), sizeof(struct mixed));
	CHECK_INT(type_align(type), _Alignof(struct mixed));
	CHECK_INT(bit_offset_of(t, type, "a"), BIT_OFFSET(struct mixed, v.a = 1));
	CHECK_INT(bit_offset_of(t, type, "b"), BIT_OFFSET(struct mixed, v.b = 1));
	CHECK_INT(bit_offset_of(t, type, "s"), 8 * offsetof(struct mixed, s));
	CHECK_INT(bit_offset_of(t, type, "wide"), BIT_OFFSET(struct mixed, v.wide = 1));
	CHECK_INT(bit_offset_of(t, type, "next"), BIT_OFFSET(struct mixed, v.next = 1));
	CHECK_INT(bit_offset_of(t, type, "flag"), BIT_OFFSET(struct mixed, v.flag = 1));
	CHECK_INT(bit_offset_of(t, type, "last"), 8 * offsetof(struct mixed, last));

	type = declare(t, TYPE_STRUCT, "padded",
		       (struct member[]) {
			       { "c", c },
			       { NULL, i, .bit_size = 5 },
			       { "u", types_find(t, "uint32_t"), .bit_size = 6 },
		       },
		       3);
	CHECK_INT(type_size(type), sizeof(struct padded));
	CHECK_INT(bit_offset_of(t, type, "u"), BIT_OFFSET(struct padded, v.u = 1));
	CHECK_INT(type_member_count(t, type), 2);

	type = declare(t, TYPE_UNION, "either",
		       (struct member[]) {
			       { "c", types_parse(t, "char [5]") },
			       { "i", i },
			       { "bits", s, .bit_size = 9 },
		       },
		       3);
	CHECK_INT(type_size(type), sizeof(union either));
	CHECK_INT(bit_offset_of(t, type, "i"), 0);
	types_free(t);
}

TEST(unnamed_members_are_looked_into)
{
	struct types *t = types_new("/nonexistent");
	const struct type *i = types_find(t, "int");
	const struct type *inner =
		declare(t, TYPE_UNION, NULL, (struct member[]) { { "x", i }, { "y", i } }, 2);
	const struct type *outer = declare(t, TYPE_STRUCT, "outer",
					   (struct member[]) { { "a", i }, { NULL, inner } }, 2);
	CHECK_INT(bit_offset_of(t, outer, "y"), 32);
	struct member m;
	CHECK(!type_member(t, outer, "z", &m));
	CHECK(!type_member(t, i, "z", &m));
	CHECK_STR(text_of(inner), "union <anonymous>");
	types_free(t);
}

TEST(a_forward_becomes_its_body)
{
	struct types *t = types_new("/nonexistent");
	struct type *node = types_declare_tag(t, TYPE_STRUCT, "node");
	CHECK_INT(node->kind, TYPE_FORWARD);
	const struct type *pointer = types_pointer(t, node);
	CHECK_INT(type_size(node), 0);
	CHECK(types_declare_tag(t, TYPE_STRUCT, "node") == node);
	types_complete_struct(t, node, (struct member[]) { { "next", pointer } }, 1, 0);
	CHECK_INT(type_size(pointer->target), 8);
	struct member m;
	CHECK(type_member(t, pointer->target, "next", &m));
	CHECK(m.type == pointer);
	CHECK_STR(text_of(types_find(t, "struct node")), "struct node");
	CHECK_STR(text_of(types_find(t, "D`struct node")), "struct node");
	types_free(t);
}

static void declare_struct(struct types *t, enum declarer who, const char *member)
{
	enum declarer before = types_speak_for(t, who);
	struct type *type = types_declare_tag(t, TYPE_STRUCT, "shared");
	CHECK(type->kind == TYPE_FORWARD);
	struct member m = { .name = member, .type = types_intrinsic(t, INTRINSIC_INT) };
	types_complete_struct(t, type, &m, 1, 0);
	types_speak_for(t, before);
}

static const char *member_seen_by(struct types *t, enum declarer who)
{
	enum declarer before = types_speak_for(t, who);
	const struct type *type = types_find_tag(t, TYPE_STRUCT, "shared");
	types_speak_for(t, before);
	return type ? type_member_at(t, type, 0)->name : "none";
}

TEST(each_declarer_finds_his_own_names_first_and_none_of_those_above)
{
	struct types *t = types_new("/nonexistent");
	declare_struct(t, DECLARED_BY_SITE, "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_D), "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_C), "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_SITE), "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_LIBRARY), "none");
	declare_struct(t, DECLARED_BY_LIBRARY, "library");
	CHECK_STR(member_seen_by(t, DECLARED_BY_SITE), "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_LIBRARY), "library");
	CHECK_STR(member_seen_by(t, DECLARED_BY_US), "none");
	declare_struct(t, DECLARED_BY_C, "header");
	CHECK_STR(member_seen_by(t, DECLARED_BY_D), "header");
	CHECK_STR(member_seen_by(t, DECLARED_BY_SITE), "site");
	types_free(t);
}

TEST(names_of_a_file_are_its_own)
{
	struct types *t = types_new("/nonexistent");
	struct btf_bytes w = { 0 };
	uint32_t number =
		btf_bytes_type(&w, "int", BTF_INT, 0, 0, 4, (uint32_t[]) { 1u << 24 | 32 }, 1);
	uint32_t name = btf_bytes_string(&w, "btf");
	btf_bytes_type(&w, "only", BTF_STRUCT, 0, 1, 4, (uint32_t[]) { name, number, 0 }, 3);
	btf_bytes_type(&w, "only_t", BTF_TYPEDEF, 0, 0, number, NULL, 0);
	size_t size;
	auto_free void *data = btf_bytes_finish(&w, &size);
	struct types_scope *one, *two;
	CHECK(!types_scope_new(t, bytes_of(data, size), NULL, NULL, &one));
	CHECK(!types_scope_new(t, bytes_of(NULL, 0), NULL, NULL, &two));
	auto_error struct error *err = types_scope_new(t, bytes_of(data, 7), NULL, NULL, &two);
	CHECK(err);

	types_enter(t, one);
	declare_struct(t, DECLARED_BY_FILE, "one");
	CHECK(types_enter(t, two) == one);
	declare_struct(t, DECLARED_BY_FILE, "two");
	enum declarer before = types_speak_for(t, DECLARED_BY_FILE);
	struct type *forward = types_declare_tag(t, TYPE_STRUCT, "later");
	types_speak_for(t, before);
	types_enter(t, one);
	CHECK_STR(member_seen_by(t, DECLARED_BY_FILE), "one");
	CHECK_STR(member_seen_by(t, DECLARED_BY_D), "none");
	CHECK_STR(member_seen_by(t, DECLARED_BY_SITE), "none");
	before = types_speak_for(t, DECLARED_BY_FILE);
	const struct type *only = types_find(t, "struct only");
	CHECK_STR(only ? type_member_at(t, only, 0)->name : "none", "btf");
	CHECK(only && !only->btf_id);
	CHECK(types_find(t, "only_t"));
	types_declare_tag(t, TYPE_STRUCT, "later"); /* another one */
	types_enter(t, two);
	CHECK(!types_find(t, "struct only"));
	CHECK(!types_find(t, "only_t"));
	declare_struct(t, DECLARED_BY_SITE, "site");
	CHECK_STR(member_seen_by(t, DECLARED_BY_FILE), "two");
	const struct member m = { .name = "m", .type = types_intrinsic(t, INTRINSIC_INT) };
	types_speak_for(t, DECLARED_BY_FILE);
	types_complete_struct(t, types_declare_tag(t, TYPE_STRUCT, "later"), &m, 1, 0);
	types_speak_for(t, before);
	types_enter(t, NULL);
	CHECK_INT(type_size(forward), 4);
	CHECK_STR(member_seen_by(t, DECLARED_BY_FILE), "site");
	types_free(t);
}

/* BTF of a kernel whose plain char is unsigned, as all are from 6.2 on: "struct s { char c; }". */
static struct types *types_of_unsigned_char(char *path)
{
	struct btf_bytes w = { 0 };
	uint32_t letter = btf_bytes_type(&w, "char", BTF_INT, 0, 0, 1, (uint32_t[]) { 8 }, 1);
	uint32_t name = btf_bytes_string(&w, "c");
	btf_bytes_type(&w, "s", BTF_STRUCT, 0, 1, 1, (uint32_t[]) { name, letter, 0 }, 3);
	size_t size;
	auto_free void *data = btf_bytes_finish(&w, &size);
	auto_close int fd = mkstemp(path);
	CHECK(write(fd, data, size) == (ssize_t)size);
	return types_new(path);
}

TEST(char_is_signed_in_d_and_what_the_kernel_says_in_its_members)
{
	char path[] = "/tmp/types_test.XXXXXX";
	struct types *t = types_of_unsigned_char(path);
	const struct type *ours = types_parse(t, "char"), *s = types_find(t, "struct s");
	CHECK(type_is_signed(ours));
	struct member m = { 0 };
	CHECK(s && type_member(t, s, "c", &m));
	CHECK(m.type && !type_is_signed(m.type));
	CHECK(m.type && type_is_character(m.type) && type_is_character(ours));
	CHECK(m.type && type_same(m.type, ours));
	CHECK(m.type && type_is_string_like(types_pointer(t, m.type)));
	CHECK(type_is_character(types_parse(t, "signed char")));
	CHECK(!type_is_character(types_parse(t, "unsigned char")));
	CHECK(!type_same(types_parse(t, "unsigned char"), ours));
	types_free(t);
	unlink(path);
}

TEST(enumerators_are_global)
{
	struct types *t = types_new("/nonexistent");
	struct type *e = types_declare_tag(t, TYPE_ENUM, "colour");
	types_complete_enum(t, e, (struct enumerator[]) { { "RED", 1 }, { "BLUE", -5 } }, 2);
	int64_t value;
	CHECK(types_declared_enumerator(t, DECLARED_BY_D, "BLUE", &value));
	CHECK_INT(value, -5);
	CHECK(!types_declared_enumerator(t, DECLARED_BY_D, "GREEN", &value));
	CHECK(!types_declared_enumerator(t, DECLARED_BY_LIBRARY, "BLUE", &value));
	CHECK_INT(type_enumerator_count(t, e), 2);
	CHECK_STR(type_enumerator_at(t, e, 0)->name, "RED");
	CHECK(type_enumerator_at(t, e, 2) == NULL);
	types_free(t);
}

/* --- the running kernel --- */

TEST(kernel_structs)
{
	struct types *t = types_new(NULL);
	NEED_KERNEL(t);
	const struct type *task = types_find(t, "struct task_struct");
	CHECK_STR(text_of(task), "struct task_struct");
	CHECK(task->btf_id != 0);
	CHECK(task == types_find_tag(t, TYPE_STRUCT, "task_struct"));
	CHECK(task == types_find(t, "vmlinux`struct task_struct"));
	CHECK(task == types_find(t, "struct vmlinux`task_struct"));
	CHECK(types_find(t, "D`struct task_struct") == NULL);
	CHECK(types_find(t, "no_such_module`struct task_struct") == NULL);
	CHECK_INT(type_size(task) % type_align(task), 0);

	struct member m;
	CHECK(type_member(t, task, "comm", &m));
	CHECK_STR(text_of(m.type), "char [16]");
	CHECK(type_is_string_like(m.type));
	CHECK(type_member(t, task, "real_parent", &m));
	CHECK(type_resolve(type_resolve(m.type)->target) == task);
	CHECK(type_member(t, task, "tgid", &m));
	CHECK_STR(text_of(m.type), "pid_t");
	CHECK_STR(text_of(types_parse(t, "struct task_struct *")), "struct task_struct *");
	CHECK_STR(text_of(types_parse(t, "vmlinux`struct task_struct *")), "struct task_struct *");

	/* Bit-fields, and members of unnamed unions. */
	const struct type *skb = types_find(t, "struct sk_buff");
	CHECK(type_member(t, skb, "len", &m));
	CHECK(type_member(t, skb, "pkt_type", &m));
	CHECK_INT(m.bit_size, 3);
	CHECK(type_member(t, skb, "dev", &m));
	CHECK_STR(text_of(m.type), "struct net_device *");
	CHECK(types_is_typedef(t, "loff_t"));
	CHECK(types_is_typedef(t, "dev_t"));
	CHECK_INT(type_size(types_find(t, "dev_t")), 4);
	types_free(t);
}

TEST(kernel_functions)
{
	struct types *t = types_new(NULL);
	NEED_KERNEL(t);
	const struct type *read = types_kernel_function(t, "vfs_read");
	CHECK_STR(text_of(read), "ssize_t (struct file *, char *, size_t, loff_t *)");
	CHECK(types_kernel_function(t, "no such function") == NULL);
	CHECK_STR(text_of(types_find(t, "btf_trace_sched_switch")), "btf_trace_sched_switch");
	types_free(t);
}

TEST(d_hides_the_kernel)
{
	struct types *t = types_new(NULL);
	NEED_KERNEL(t);
	/* A forward means the kernel's struct until the program declares its own. */
	struct type *mine = types_declare_tag(t, TYPE_STRUCT, "file");
	CHECK(type_resolve(mine)->btf_id != 0);
	/* In its own body it is neither. */
	types_open_tag(mine);
	CHECK(type_resolve(mine)->kind == TYPE_FORWARD);
	types_complete_struct(t, mine, (struct member[]) { { "x", types_find(t, "int") } }, 1, 0);
	CHECK_INT(type_size(types_find(t, "struct file")), 4);
	CHECK(type_size(types_find(t, "vmlinux`struct file")) > 4);
	types_free(t);
}

/* Every type of the kernel can be made, asked and printed. */
TEST(all_kernel_types)
{
	struct btf *b = NULL;
	auto_error struct error *err = btf_open(VMLINUX, &b);
	if (err)
		SKIP("needs the kernel's BTF");
	struct types *t = types_new(NULL);
	auto_strbuf struct strbuf out = { 0 };
	unsigned structs = 0;
	for (uint32_t id = 1; id <= btf_count(b); id++) {
		struct btf_type raw;
		CHECK(btf_type_at(b, id, &raw));
		if (raw.kind == BTF_FUNC && id % 8 == 0) {
			strbuf_clear(&out);
			type_print(types_kernel_function(t, raw.name), &out);
		}
		if (raw.kind != BTF_STRUCT || !*raw.name || btf_find(b, BTF_STRUCT, raw.name) != id)
			continue;
		structs++;
		const struct type *type = types_find_tag(t, TYPE_STRUCT, raw.name);
		CHECK_INT(type->btf_id, id);
		CHECK_INT(type_size(type), raw.size_or_type);
		CHECK_INT(type_size(type) % type_align(type), 0);
		CHECK_INT(type_member_count(t, type), raw.vlen);
		for (unsigned i = 0; i < raw.vlen; i++)
			type_print(type_member_at(t, type, i)->type, &out);
	}
	CHECK(structs > 1000);
	types_free(t);
	btf_free(b);
}

/* Each question about a type follows its typedefs. */
TEST(a_chain_of_typedefs_has_one_link)
{
	struct types *t = types_new(NULL);
	const struct type *base = types_intrinsic(t, INTRINSIC_INT);
	const struct type *type = types_typedef(t, "t0", base, 16);
	for (int i = 1; i < 100; i++) {
		char name[16];
		snprintf(name, sizeof(name), "t%d", i);
		type = types_typedef(t, name, types_qualified(t, type, i == 50 ? TYPE_CONST : 0),
				     0);
	}
	CHECK_STR(type->name, "t99");
	CHECK_INT(type->target->kind, TYPE_QUALIFIED);
	CHECK(type->target->target == base);
	CHECK_INT(type_align(type), 16);
	CHECK_INT(type_size(type), 4);
	types_free(t);
}

TEST_MAIN
