/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/unwind*.c, in a process made of test structs: its stack is ours, its code is numbers */
#include <stddef.h>

#include "arch/arch.h"
#include "host.h"

#define POOL 65536
static uint64_t host_rt_pool_mask = POOL - 1, host_rt_context_registers = 1, host_rt_namespace;
static uint64_t host_rt_walks_end = HOST_AREAS * WALKS_PER_AREA * sizeof(struct stack_walk);
static char rt_walks[(HOST_AREAS * WALKS_PER_AREA + 1) * sizeof(struct stack_walk)]
	__attribute__((aligned(8)));
static char rt_unwind_pool[POOL + UNWIND_POOL_SLACK] __attribute__((aligned(8)));
static char rt_unwind_files[1], rt_arrivals[1], rt_stack_copies[1];
static uint64_t host_rt_copy_pages;

/* --- the kernel's structs --- */

struct fake_sb {
	uint32_t device;
};
struct fake_inode {
	struct fake_sb *sb;
	uint64_t number;
	uint32_t generation, seconds, parts;
};
struct fake_file {
	struct fake_inode *inode;
};
struct fake_vma {
	uint64_t begin, end, flags, page;
	struct fake_file *file;
	struct fake_memory *memory;
	char more[WALK_VMA];
};
struct fake_node {
	uint64_t parent, pivots[15], slots[16];
};
struct fake_area {
	uint64_t address;
};
struct fake_memory {
	uint64_t root, vdso;
	struct fake_area *area;
	uint32_t sequence;
};
struct fake_return {
	struct fake_return *next;
	uint64_t stack, address;
};
struct fake_probes {
	struct fake_return *returns;
};
struct fake_task {
	struct fake_memory *memory;
	struct fake_probes *probes;
	uint32_t executed;
};

#define PLACE(name, type, member) host_rt_offset_##name = offsetof(struct type, member)
enum { FRAME = 4, PC = 16, SEGMENT = 17, STACK = 19 }; /* in struct pt_regs of x86_64 */

static void choose_places(void)
{
	PLACE(sb_device, fake_sb, device);
	PLACE(inode_sb, fake_inode, sb);
	PLACE(inode_number, fake_inode, number);
	PLACE(inode_generation, fake_inode, generation);
	PLACE(inode_changed_s, fake_inode, seconds);
	PLACE(inode_changed_ns, fake_inode, parts);
	PLACE(file_inode, fake_file, inode);
	PLACE(vma_begin, fake_vma, begin);
	PLACE(vma_end, fake_vma, end);
	PLACE(vma_flags, fake_vma, flags);
	PLACE(vma_page, fake_vma, page);
	PLACE(vma_memory, fake_vma, memory);
	PLACE(vma_file, fake_vma, file);
	PLACE(memory_tree, fake_memory, root);
	PLACE(memory_vdso, fake_memory, vdso);
	PLACE(memory_probes, fake_memory, area);
	PLACE(memory_sequence, fake_memory, sequence);
	PLACE(area_address, fake_area, address);
	PLACE(return_next, fake_return, next);
	PLACE(return_stack, fake_return, stack);
	PLACE(return_address, fake_return, address);
	PLACE(probes_returns, fake_probes, returns);
	PLACE(task_memory, fake_task, memory);
	PLACE(task_probes, fake_task, probes);
	PLACE(task_exec_id, fake_task, executed);
}

/* The process is one of this machine. */
static void choose_machine(const struct arch *a)
{
#define MACHINE(name, value) host_rt_##name = value;
#include "abi/machine.def"
#undef MACHINE
}

/* --- the executor's functions --- */

static struct fake_task fake_task;
static struct unwind_file
	known_file; /* what is known of the only file; state UNWIND_ASKED: nothing */
static unsigned times_asked;
static bool is_list_full;   /* of known files */
static bool removes_tables; /* while the stack is read */

static void *port_task(void)
{
	return &fake_task;
}

static void *port_user_regs(void *of)
{
	return NULL;
}

static uint64_t port_pid_tgid(void)
{
	return 7ull << 32 | 7;
}

static long rt_namespace_pid_tgid(void)
{
	return 0;
}

static void *port_map_lookup(void *map, const void *key)
{
	const struct unwind_key *k = key;
	CHECK(k->device == 8 && k->inode == 99 && k->generation == 3);
	CHECK(k->changed_s == 5 && k->changed_ns == 6);
	return known_file.state == UNWIND_ASKED ? NULL : &known_file;
}

static long port_map_update(void *map, const void *key, const void *value, uint64_t flags)
{
	return is_list_full ? -E2BIG : 0;
}

static long port_map_remove(void *map, const void *key)
{
	return 0;
}

static long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	const struct arrival *a = data;
	CHECK(a->kind == ARRIVAL_TABLE && a->tgid == 7 && a->key.inode == 99);
	times_asked++;
	return 0;
}

static struct {
	struct stack_copy copy;
	char bytes[COPY_PAGES_MOST * COPY_PAGE];
} copied; /* the only one; its number is 0 while it is not submitted */
static bool is_ring_full;

static void *port_reserve(void *ring, uint64_t size, uint64_t flags)
{
	CHECK(ring == rt_stack_copies && size <= sizeof(copied));
	memset(&copied, 0xa5, sizeof(copied));
	return is_ring_full ? NULL : &copied;
}

static unsigned times_copied;

static void port_submit(void *data, uint64_t flags)
{
	CHECK(data == &copied);
	times_copied++;
}

static long read_stack(void *to, uint32_t size, const void *from)
{
	((struct unwind_pool *)(void *)rt_unwind_pool)->evictions += removes_tables;
	return port_read_user(to, size, from);
}
#define port_read_user read_stack

static struct fake_node node __attribute__((aligned(256)));
static struct fake_node later __attribute__((aligned(256))); /* which replaces it */
static unsigned nodes_replaced; /* so many times, before the next read of one */

/* As the kernel does: the old node gets a link for its removal, in place of its first pivots. */
static void replace_node(struct fake_node *old)
{
	struct fake_node *now = old == &node ? &later : &node;
	*now = *old;
	fake_task.memory->root = (uint64_t)now | (fake_task.memory->root & 255);
	old->pivots[0] = old->pivots[1] = 0xffff888000001000;
}

static long read_node(void *to, uint32_t size, const void *from)
{
	if (nodes_replaced && (from == &node || from == &later)) {
		nodes_replaced--;
		replace_node(from == &node ? &node : &later);
	}
	return host_read(to, size, from);
}
#define port_read_kernel read_node

#include "runtime/stack/stack.c"
#include "runtime/stack/unwind.c"
#include "runtime/stack/unwind_copy.c"
#include "runtime/stack/unwind_frame.c"
#include "runtime/stack/unwind_mapping.c"

/* --- the process --- */

#define CODE 0x10000ull	 /* of the file, from its byte 0x2000 on */
#define OTHER 0x40000ull /* code that is in no file */
#define TRAP 0x70000ull	 /* where return probes return to */

static struct fake_vma vmas[4];
static struct fake_memory memory;
static uint64_t registers[64];
/* The stack, of two pages; its lowest part is not used yet. */
static uint64_t words[1024] __attribute__((aligned(COPY_PAGE)));

static uint64_t *stack_begin(void)
{
	return words + 256;
}

static void add_vma(unsigned i, uint64_t begin, uint64_t end, uint64_t flags, struct fake_file *of)
{
	vmas[i] = (struct fake_vma) { begin, end, flags, of ? 2 : 0, of, &memory, { 0 } };
	node.pivots[2 * i] = begin - 1;
	node.slots[2 * i] = 0;
	node.pivots[2 * i + 1] = end - 1;
	node.slots[2 * i + 1] = (uint64_t)&vmas[i];
}

/*
 * Rows of the file's code, from CODE on:
 *   +0x00  CFA = stack + 8       +0x10  CFA = stack + 24, frame pointer at CFA - 16
 *   +0x20  CFA = frame + 16      +0x30  nothing known
 *   +0x40  the end               +0x50  a rule: a signal's frame
 *   +0x180 CFA = stack + 8
 */
static void make_table(void)
{
	static const uint32_t rows[] = {
		1 << UNWIND_KIND_AT | 1 << UNWIND_CFA_AT,
		1 << UNWIND_KIND_AT | 3 << UNWIND_CFA_AT | 2u << UNWIND_FRAME_AT | 0x10,
		2 << UNWIND_KIND_AT | 2 << UNWIND_CFA_AT | 2u << UNWIND_FRAME_AT | 0x20,
		0x30,
		UNWIND_END << UNWIND_KIND_AT | 0x40,
		UNWIND_RULE << UNWIND_KIND_AT | 0x50,
		1 << UNWIND_KIND_AT | 1 << UNWIND_CFA_AT | 0x80,
	};
	static const uint32_t index[] = { 0, 6, 7 };
	static const struct unwind_rule rules[] = { {
		.cfa = { UNWIND_BASE_STACK, 1, 0, 16 },
		.return_address = { UNWIND_BASE_STACK, 1, 0, 24 },
		.frame_pointer = { UNWIND_BASE_STACK, 1, 0, 32 },
		.is_signal = 1,
	} };
	memcpy(rt_unwind_pool + 64, index, sizeof(index));
	memcpy(rt_unwind_pool + 256, rows, sizeof(rows));
	memcpy(rt_unwind_pool + 512, rules, sizeof(rules));
	known_file = (struct unwind_file) { .index = 64,
					    .rows = 256,
					    .rules = 512,
					    .first_page = 0x20,
					    .page_count = 2,
					    .state = UNWIND_TABLE };
}

static void begin(uint64_t pc)
{
	static struct fake_sb sb = { 8 };
	static struct fake_inode inode = { &sb, 99, 3, 5, 1u << 31 | 6 };
	static struct fake_file code = { &inode };
	static struct fake_area area = { TRAP };
	choose_places();
	choose_machine(&arch_x86_64);
	slot_reset();
	memset(rt_walks, 0, sizeof(rt_walks));
	memset(rt_unwind_pool, 0, sizeof(rt_unwind_pool));
	memset(words, 0, sizeof(words));
	memset(&node, 0, sizeof(node));
	host_bad_from = host_bad_end = UINT64_MAX;
	times_asked = times_copied = 0;
	is_list_full = is_ring_full = false;
	host_rt_copy_pages = 0;
	add_vma(0, CODE, CODE + 0x1000, VMA_EXECUTABLE, &code);
	add_vma(1, CODE + 0x1000, CODE + 0x2000, 0, &code);
	add_vma(2, OTHER, OTHER + 0x1000, VMA_EXECUTABLE, NULL);
	add_vma(3, (uint64_t)words, (uint64_t)(words + 1024), 0, NULL);
	memory = (struct fake_memory) { (uint64_t)&node | NODE_IS_ROOT | 1 << 3, 0, &area, 1 };
	fake_task = (struct fake_task) { .memory = &memory };
	registers[PC] = pc;
	registers[SEGMENT] = 0x33;
	registers[STACK] = (uint64_t)stack_begin();
	registers[FRAME] = 0;
	make_table();
}

/* How the stack ended; its frames are in rt_scratch at ROOM(0). */
static int walked(unsigned most)
{
	long got = rt_cfi_ustack(registers, ROOM(0), most * 8);
	const uint64_t *frames = (const uint64_t *)(void *)(rt_scratch + ROOM(0));
	if (got < 8)
		return -1;
	uint64_t last = frames[got / 8 - 1];
	return frame_how(last) == FRAME_END ? (int)(frame_address(last) & 255) : -1;
}

static uint64_t frame_at(unsigned i)
{
	return ((const uint64_t *)(void *)(rt_scratch + ROOM(0)))[i];
}

#define CHECK_FRAME(i, how, pc)                                                                    \
	do {                                                                                       \
		CHECK_INT(frame_address(frame_at(i)), pc);                                         \
		CHECK_INT(frame_how(frame_at(i)), how);                                            \
	} while (0)

TEST(a_stack_is_walked_to_its_end)
{
	begin(CODE + 5);
	uint64_t *at = stack_begin();
	at[0] = CODE + 0x11; /* CFA = stack + 24 there */
	at[2] = (uint64_t)(at + 10);
	at[3] = CODE + 0x21; /* CFA = frame + 16 */
	at[11] = CODE + 0x181;
	at[12] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_FRAME(0, FRAME_FIRST, CODE + 5);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x11);
	CHECK_FRAME(2, FRAME_TABLE, CODE + 0x21);
	CHECK_FRAME(3, FRAME_TABLE, CODE + 0x181);
	CHECK_FRAME(4, FRAME_TABLE, CODE + 0x41);
	CHECK_INT(walked(5), -1); /* full: no room for its end */
	CHECK_FRAME(4, FRAME_TABLE, CODE + 0x41);
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 8000 | STACK_COUNTS), 5 * 8);
	CHECK_INT(rt_cfi_ucaller(registers), CODE + 0x11);
	CHECK_INT(times_asked, 0);
}

/* The same rows, of words of 4 bytes; the last one is in the last bytes of a page. */
TEST(a_stack_of_32_bit_code)
{
	begin(CODE + 5);
	registers[SEGMENT] = 0x23;
	uint64_t first = ((uint64_t)words + 4096 + 4095) / 4096 * 4096 - 4096;
	uint32_t *at = (uint32_t *)(first > (uint64_t)words ? first : first + 4096) - 11;
	registers[STACK] = (uint64_t)at;
	at[0] = CODE + 0x11; /* CFA = stack + 3 words there */
	at[2] = 0;
	at[3] = CODE + 0x181;
	at[4] = 0xffffffff; /* not a part of what is before */
	at[5] = 0xffffffff;
	CHECK(walked(20) != STACK_END_KERNEL);
	CHECK_FRAME(0, FRAME_FIRST, CODE + 5);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x11);
	CHECK_FRAME(2, FRAME_TABLE, CODE + 0x181);
	CHECK_INT(rt_cfi_ucaller(registers), CODE + 0x11);
}

/* A call may be a function's last instruction: the row is that of the byte before. */
TEST(a_return_address_counts_one_less)
{
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x50; /* still in what is the end */
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_INT(frame_address(frame_at(1)), CODE + 0x50);
}

TEST(the_frame_behind_a_signal_was_interrupted)
{
	begin(CODE + 5);
	uint64_t *at = stack_begin();
	at[0] = CODE + 0x51; /* its row: all is loaded from stack + 16 ... */
	at[3] = (uint64_t)(at + 40);
	at[4] = CODE + 0x180; /* the first byte of a function */
	at[40] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_FRAME(2, FRAME_SIGNAL, CODE + 0x180);
	CHECK_FRAME(3, FRAME_TABLE, CODE + 0x41);
}

TEST(without_rows_frame_pointers_lead_on)
{
	begin(CODE + 0x35);
	uint64_t *at = stack_begin();
	registers[FRAME] = (uint64_t)(at + 2);
	at[2] = (uint64_t)(at + 6);
	at[3] = OTHER + 5;
	at[6] = 0;
	at[7] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_FRAME(1, FRAME_POINTER, OTHER + 5);
	CHECK_FRAME(2, FRAME_POINTER, CODE + 0x41);
	at[7] = CODE + 0x1005; /* data */
	CHECK_INT(walked(20), STACK_END_NO_CALL);
	registers[FRAME] = 5;
	CHECK_INT(walked(20), STACK_END_NO_ROW);
	CHECK_FRAME(0, FRAME_FIRST, CODE + 0x35);
}

TEST(at_entry_nothing_is_saved_yet)
{
	begin(OTHER + 5);
	uint64_t *at = stack_begin();
	registers[FRAME] = 12345;
	at[0] = CODE + 0x41;
	CHECK_INT(rt_cfi_ustack_entry(registers, ROOM(0), 160, 0, 0), 3 * 8);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x41);
	CHECK_INT(walked(20), STACK_END_NO_FILE); /* elsewhere in it, nobody knows */
}

TEST(a_file_that_is_met_first_is_asked_for)
{
	begin(CODE + 5);
	known_file.state = UNWIND_ASKED;
	registers[FRAME] = 1;
	CHECK_INT(walked(20), STACK_END_NO_TABLE);
	CHECK_INT(times_asked, 1);
	make_table();
	stack_begin()[0] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_NO_TABLE); /* what is remembered is true still */
	((struct unwind_pool *)(void *)rt_unwind_pool)->generation++;
	CHECK_INT(walked(20), STACK_END_WHOLE);
}

static void begin_copying(void)
{
	begin(CODE + 5);
	known_file.state = UNWIND_ASKED;
	host_rt_copy_pages = COPY_PAGES_MOST;
}

TEST(a_stack_without_a_table_is_copied)
{
	begin_copying();
	stack_begin()[0] = 4711;
	registers[FRAME] = 12;
	for (unsigned n = 1; n <= 2; n++) {
		CHECK_INT(walked(20), STACK_END_NO_TABLE);
		CHECK_INT(frame_copy(frame_at(1)), n);
		CHECK_INT(times_copied, n);
		CHECK_INT(copied.copy.number, n);
	}
	const struct stack_copy *c = &copied.copy;
	CHECK(stack_copy_is_valid(c, sizeof(*c) + 2 * COPY_PAGE));
	CHECK_INT(c->begin, (uint64_t)words);
	CHECK_INT(c->page_count, 2);
	CHECK(memcmp(copied.bytes, words, sizeof(words)) == 0);
	CHECK_INT(c->process, 7);
	CHECK_INT(c->mapped_at, CODE);
	CHECK_INT(c->key.inode, 99);
	CHECK_INT(c->pc, CODE + 5);
	CHECK_INT(c->stack, (uint64_t)stack_begin());
	CHECK_INT(c->frame, 12);
	CHECK_INT(c->count, 1);
	CHECK_INT(c->most, 20);
	CHECK_INT(c->wants_more, 0);
	CHECK_INT(c->registers[PC], CODE + 5);
	CHECK_INT(c->returns[0].place, 0);
	rt_cfi_ustack(registers, ROOM(0), 160 | STACK_WANTS_MORE);
	CHECK_INT(c->wants_more, STACK_WANTS_MORE);
}

TEST(depths_and_callers_are_not_copied)
{
	begin_copying();
	rt_cfi_ustack(registers, ROOM(0), 8000 | STACK_COUNTS);
	rt_cfi_ucaller(registers);
	CHECK_INT(walked(1), -1); /* nor what is full */
	host_rt_copy_pages = 0;
	CHECK_INT(walked(20), STACK_END_NO_TABLE);
	CHECK_INT(frame_copy(frame_at(1)), 0);
	CHECK_INT(times_copied, 0);
}

TEST(a_copy_ends_with_what_is_there)
{
	begin_copying();
	host_bad_from = (uint64_t)(words + 512);
	host_bad_end = host_bad_from + 4096;
	walked(20);
	CHECK_INT(copied.copy.page_count, 1);
	host_bad_from = (uint64_t)words;
	walked(20);
	CHECK_INT(copied.copy.page_count, 0);
	host_bad_end = (uint64_t)(words + 512);
	walked(20);
	CHECK_INT(copied.copy.page_count, 2);
	CHECK_INT(copied.copy.absent, 1);
	CHECK(memcmp(copied.bytes + COPY_PAGE, words + 512, COPY_PAGE) == 0);
	CHECK(stack_copy_is_valid(&copied.copy, sizeof(copied)));
}

TEST(a_copy_without_room_is_counted)
{
	begin_copying();
	is_ring_full = true;
	counters()->uncopied_stacks = 0;
	stack_begin()[3] = OTHER + 5;
	registers[FRAME] = (uint64_t)(stack_begin() + 2); /* followed, as there is nothing else */
	CHECK_INT(walked(20), STACK_END_NO_FILE);
	CHECK_FRAME(1, FRAME_POINTER, OTHER + 5);
	CHECK_INT(counters()->uncopied_stacks, 1);
	CHECK_INT(times_copied, 0);
}

TEST(a_copy_has_pending_return_probes)
{
	static struct fake_return list[COPY_RETURNS + 1];
	begin_copying();
	for (unsigned i = 0; i <= COPY_RETURNS; i++)
		list[i] =
			(struct fake_return) { i < COPY_RETURNS ? &list[i + 1] : NULL, 100 + i, i };
	struct fake_probes probes = { &list[COPY_RETURNS - 2] };
	fake_task.probes = &probes;
	walked(20);
	const struct copied_return *r = copied.copy.returns;
	CHECK_INT(copied.copy.trampoline, TRAP);
	CHECK_INT(r[0].place, 100 + COPY_RETURNS - 2);
	CHECK_INT(r[2].address, COPY_RETURNS);
	CHECK_INT(r[3].place, 0);
	probes.returns = list; /* more than there are */
	walked(20);
	CHECK_INT(r[COPY_RETURNS - 1].place, 100 + COPY_RETURNS - 1);
}

TEST(of_a_full_list_of_files_nobody_is_asked)
{
	begin(CODE + 5);
	known_file.state = UNWIND_ASKED;
	is_list_full = true;
	registers[FRAME] = 1;
	CHECK_INT(walked(20), STACK_END_NO_ROOM);
	CHECK_INT(times_asked, 0);
	begin(CODE + 5);
	known_file = (struct unwind_file) { .state = UNWIND_NO_ROOM };
	registers[FRAME] = 1;
	CHECK_INT(walked(20), STACK_END_NO_ROOM);
}

/* Frame pointers that end with 0 prove nothing: there may be a table later. */
TEST(a_chain_of_frame_pointers_that_ends_says_why_it_was_followed)
{
	begin(CODE + 5);
	known_file.state = UNWIND_ASKED;
	registers[FRAME] = (uint64_t)(stack_begin() + 2);
	CHECK_INT(walked(20), STACK_END_NO_TABLE);
	begin(OTHER + 5);
	registers[FRAME] = (uint64_t)(stack_begin() + 2);
	CHECK_INT(walked(20), STACK_END_NO_FILE);
}

/* For jstack(): what is below the frame pointers of code in no file, with the frames' numbers. */
TEST(words_of_frames_in_no_file_are_kept)
{
	begin(CODE + 5);
	uint64_t *at = stack_begin();
	at[0] = CODE + 0x11;
	at[2] = (uint64_t)(at + 8); /* the frame pointer of the next three frames: a chain */
	at[3] = OTHER + 5;
	at[5] = 0x7f0000001000; /* below at + 8 */
	at[8] = (uint64_t)(at + 14);
	at[9] = OTHER + 9;
	at[11] = 1ull << 48; /* no address */
	at[14] = (uint64_t)(at + 20);
	at[15] = OTHER + 13;
	at[17] = 0x7f0000002000;
	at[20] = 0;
	at[21] = CODE + 0x41;
	uint64_t *kept = (uint64_t *)(void *)(rt_scratch + ROOM(0)) + 20;
	kept[0] = kept[1] = kept[2] = kept[3] = 7;
	long got = rt_cfi_ustack(registers, ROOM(0), 20 * 8 | STACK_METHODS);
	CHECK_INT(got, 7 * 8);
	CHECK_FRAME(5, FRAME_POINTER, CODE + 0x41);
	CHECK_INT(frame_address(frame_at(6)), STACK_END_WHOLE);
	CHECK_INT(kept[0], frame_method(2, 0x7f0000001000));
	CHECK_INT(frame_method_frame(kept[1]), 4);
	CHECK_INT(frame_method_word(kept[1]), 0x7f0000002000);
	CHECK_INT(kept[2], 0);
	CHECK_INT(kept[3], 7);
	/* the list is as long as there are frames, and ends where its room does */
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 4 * 8 | STACK_METHODS), 4 * 8);
	kept = (uint64_t *)(void *)(rt_scratch + ROOM(0)) + 4;
	CHECK_INT(kept[0], frame_method(2, 0x7f0000001000));
	CHECK_INT(kept[1], 0);
	/* nothing is kept that nobody wants, nor by the kernel's walk */
	kept[0] = 7;
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 4 * 8), 4 * 8);
	CHECK_INT(kept[0], 7);
	rt_ustack(registers, ROOM(0), 4 * 8 | STACK_METHODS);
	CHECK_INT(kept[0], 0);
}

/* Read without the lock, a mapping may be one that another process has by now. */
TEST(mappings_of_another_process_are_not_used)
{
	static struct fake_memory another;
	begin(CODE + 5);
	vmas[0].memory = &another;
	CHECK_INT(walked(20), STACK_END_NO_CODE);
}

/* The memory of a table that is removed may be another one's at once. */
TEST(a_walk_ends_where_tables_are_removed_meanwhile)
{
	struct unwind_pool *pool = (struct unwind_pool *)(void *)rt_unwind_pool;
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x181;
	stack_begin()[1] = CODE + 0x41;
	pool->epoch = 7;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_INT(*(uint32_t *)(void *)(rt_unwind_pool + known_file.index - UNWIND_USED_SIZE), 7);
	pool->evictions++; /* before it begins: of no importance */
	CHECK_INT(walked(20), STACK_END_WHOLE);
	removes_tables = true;
	CHECK_INT(walked(20), STACK_END_NO_TABLE);
	CHECK_INT(frame_how(frame_at(1)), FRAME_END);
	removes_tables = false;
}

static uint64_t unproven(void)
{
	struct area_counters *c = counters();
	uint64_t ret = c->unproven_depths;
	c->unproven_depths = 0;
	return ret;
}

TEST(depths_and_callers_that_are_not_proven_are_counted)
{
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x41;
	unproven();
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 8000 | STACK_COUNTS), 2 * 8);
	CHECK_INT(rt_cfi_ucaller(registers), CODE + 0x41);
	CHECK_INT(unproven(), 0);
	stack_begin()[0] = CODE + 0x31; /* nothing known, no frame pointer */
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 8000 | STACK_COUNTS), 2 * 8);
	CHECK_INT(unproven(), 1);
	CHECK_INT(rt_cfi_ucaller(registers), CODE + 0x31); /* it was found by a table */
	CHECK_INT(unproven(), 0);
	registers[PC] = CODE + 0x35;
	CHECK_INT(rt_cfi_ucaller(registers), 0);
	CHECK_INT(unproven(), 1);
	registers[PC] = CODE + 0x45;
	CHECK_INT(rt_cfi_ucaller(registers), 0); /* the outermost function has none */
	CHECK_INT(unproven(), 0);
}

TEST(the_kernels_walk_proves_nothing)
{
	begin(CODE + 5);
	registers[SEGMENT] = 0x10; /* nothing that we know */
	host_frames[0] = 1000;
	host_frames[1] = 2000;
	host_frame_count = 2;
	unproven();
	CHECK_INT(walked(20), STACK_END_KERNEL);
	CHECK_FRAME(1, FRAME_POINTER, 2000);
	CHECK_INT(walked(2), -1); /* full */
	CHECK_INT(unproven(), 0);
	CHECK_INT(rt_cfi_ucaller(registers), 2000);
	CHECK_INT(unproven(), 1);
	rt_cfi_ustack(registers, ROOM(0), 8000 | STACK_COUNTS);
	CHECK_INT(unproven(), 1);
	((struct unwind_pool *)(void *)rt_unwind_pool)->disabled = 1; /* reported before */
	CHECK_INT(walked(20), -1);
	CHECK_INT(rt_cfi_ucaller(registers), 2000);
	CHECK_INT(unproven(), 0);
	host_frame_count = 0;
}

/* The mapping changes: what is remembered of it is not true any more. */
TEST(changed_mappings_are_seen)
{
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	vmas[0].flags = 0;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	memory.sequence++;
	CHECK_INT(walked(20), STACK_END_NO_CODE);
	vmas[0].flags = VMA_EXECUTABLE;
	memory.sequence++;
	CHECK_INT(walked(20), STACK_END_WHOLE);
}

TEST(pending_return_probes_are_seen_through)
{
	begin(CODE + 5);
	uint64_t *at = stack_begin();
	/* Of two calls with the same place the second one returns to the first one's trampoline. */
	struct fake_return third = { NULL, (uint64_t)&at[0], CODE + 0x181 };
	struct fake_return second = { &third, (uint64_t)&at[0], TRAP };
	struct fake_return first = { &second, (uint64_t)&words[3], CODE + 1 };
	struct fake_probes probes = { &first };
	fake_task.probes = &probes;
	at[0] = TRAP;
	at[1] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_FRAME(1, FRAME_RETURNED, CODE + 0x181);
	third.stack = 1;
	CHECK_INT(walked(20), STACK_END_RETURN);
}

TEST(bad_stacks_end)
{
	begin(CODE + 5);
	uint64_t *at = stack_begin();
	at[0] = 0x999999; /* no code */
	CHECK_INT(walked(20), STACK_END_NO_CODE);
	host_bad_from = (uint64_t)at;
	host_bad_end = (uint64_t)(words + 1024);
	CHECK_INT(walked(20), STACK_END_UNREADABLE);
	begin(CODE + 0x21);			   /* CFA = frame + 16, below the stack */
	registers[FRAME] = (uint64_t)(words + 16); /* a piece begins below it */
	words[17] = CODE + 0x41;
	CHECK_INT(walked(20), STACK_END_RULE);
	begin(0x5000);
	CHECK_INT(walked(20), STACK_END_NO_CODE);
	CHECK_FRAME(0, FRAME_FIRST, 0x5000);
}

/* Whoever interrupts a walk has another one; the fifth is the kernel's. */
TEST(walks_are_claimed)
{
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x41;
	for (unsigned i = 0; i < WALKS_PER_AREA; i++) {
		CHECK_INT(walked(20), STACK_END_WHOLE);
		((struct stack_walk *)(void *)rt_walks)[i].busy = 1;
	}
	host_frame_count = 1;
	host_frames[0] = 4711;
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 160), 2 * 8);
	CHECK_INT(frame_at(0), 4711);
	registers[SEGMENT] = 0x10;
	memset(rt_walks, 0, sizeof(rt_walks));
	CHECK_INT(rt_cfi_ustack(registers, ROOM(0), 160), 2 * 8);
	CHECK_INT(((struct stack_walk *)(void *)rt_walks)[0].busy, 0);
}

/* Nodes of all sizes, of both kinds, against the search one by one. */
TEST(nodes_are_searched)
{
	begin(CODE);
	for (unsigned kind = 1; kind <= NODE_ARANGE_64; kind += 2)
		for (unsigned count = 1; count < (kind == 1 ? 16u : 10u); count++)
			for (uint64_t address = 4096; address < 4096 + 100 * (count + 1);
			     address += 50) {
				uint64_t *all = &node.parent;
				unsigned slots = kind == 1 ? 16 : 10, i = 0;
				memset(&node, 0, sizeof(node));
				for (unsigned k = 0; k < count; k++)
					all[1 + k] = 4096 + 100 * k + 99;
				for (unsigned k = 0; k <= count; k++)
					all[slots + k] = 0xffff888000000000 + k;
				while (i < count && all[1 + i] < address)
					i++;
				CHECK_INT(rt_walk_descend(0, (uint64_t)&node | kind << 3, address),
					  0xffff888000000000 + i);
			}
}

/* Another thread maps and unmaps all the time: a node is replaced between the reads of two. */
TEST(nodes_are_replaced)
{
	for (unsigned times = 0; times <= TRIES_MOST; times++) {
		begin(CODE + 5);
		stack_begin()[0] = CODE + 0x41;
		nodes_replaced = times;
		CHECK_INT(walked(20), times < TRIES_MOST ? STACK_END_WHOLE : STACK_END_NO_CODE);
		CHECK_INT(nodes_replaced, 0);
	}
}

/* A mapping is removed, and its memory is another process's (6.1): the new one is found. */
TEST(mappings_are_replaced)
{
	static struct fake_memory other;
	begin(CODE + 5);
	stack_begin()[0] = CODE + 0x41;
	later = node;
	vmas[0].memory = &other;
	static struct fake_vma again;
	again = vmas[0];
	again.memory = &memory;
	later.slots[1] = (uint64_t)&again;
	struct stack_walk *w = walk_of(0);
	CHECK(check_memory(w) == 0);
	memory.root = (uint64_t)&later | NODE_IS_ROOT | 1 << 3;
	CHECK_INT(rt_walk_vma(0, CODE + 5), 0);
	memory.root = w->root = (uint64_t)&node | NODE_IS_ROOT | 1 << 3;
	CHECK_INT(rt_walk_vma(0, CODE + 5), -1);
	CHECK_INT(walked(20), STACK_END_NO_CODE);
}

/* --- aarch64: tests/unit/rewalk/ has the frames ---------------------------------------------- */

enum { LINK = 30, SP_64 = 31, PC_64 = 32, PSTATE = 33 }; /* in struct pt_regs of aarch64 */

static void begin_aarch64(uint64_t pc, uint64_t link)
{
	begin(pc);
	choose_machine(&arch_aarch64);
	memset(registers, 0, sizeof(registers));
	registers[PC_64] = pc;
	registers[LINK] = link;
	registers[SP_64] = (uint64_t)stack_begin();
}

TEST(a_walk_begins_with_the_link_register)
{
	begin_aarch64(OTHER + 5, CODE + 0x44);
	CHECK_INT(rt_cfi_ustack_entry(registers, ROOM(0), 160, 0, 0), 3 * 8);
	CHECK_FRAME(0, FRAME_FIRST, OTHER + 5);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x44);
	CHECK_INT(walked(20), STACK_END_NO_FILE); /* elsewhere in it, nobody knows */
	begin_aarch64(CODE + 0x185, CODE + 0x44); /* CFA = stack + 8 there, nothing saved */
	CHECK_INT(walked(20), STACK_END_WHOLE);
	CHECK_INT(rt_cfi_ucaller(registers), CODE + 0x44);
	registers[PSTATE] = 1u << 31; /* flags */
	CHECK_INT(walked(20), STACK_END_WHOLE);
	registers[PSTATE] = 1 << 4; /* 32 bits */
	CHECK(walked(20) != STACK_END_WHOLE);
}

TEST(pages_may_be_larger)
{
	begin_aarch64(CODE + 5, CODE + 0x44);
	host_rt_page_size = 16384;
	known_file.first_page = (uint32_t)(vmas[0].page * 16384 >> UNWIND_PAGE_BITS);
	CHECK_INT(walked(20), STACK_END_WHOLE);
	host_rt_page_size = 4096;
}

TEST_MAIN
