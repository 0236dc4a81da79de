/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/exit.c, exit_process.c: which probes fire at the exits of functions that end by
 * jumps */
#include "host.h"

#include <errno.h>

#include "abi/program.h"

/* --- the table of places --- */

#define PLACES 4

static char rt_exit_places[1], rt_exit_counts[1], rt_exit_functions[1], rt_exit_files[1];
static struct exit_function host_function; /* the only covered one that is looked up */
static struct exit_file host_file;	   /* the only one; its number is */
static uint32_t host_file_number;
static struct host_place {
	bool used;
	struct exit_key key;
	struct exit_place place;
} host_places[PLACES];
static struct host_process {
	uint32_t tgid; /* 0: none */
	uint64_t places;
} host_processes[3];
static unsigned host_walks; /* of all places */

static struct host_place *host_place(const struct exit_key *key)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (host_places[i].used && memcmp(&host_places[i].key, key, sizeof(*key)) == 0)
			return &host_places[i];
	return NULL;
}

static struct host_process *host_process(uint32_t tgid)
{
	for (unsigned i = 0; i < 3; i++)
		if (host_processes[i].tgid == tgid)
			return &host_processes[i];
	return NULL;
}

static void *port_map_lookup(void *map, const void *key)
{
	if (map == rt_exit_counts) {
		struct host_process *p = host_process(*(const uint32_t *)key);
		return p ? &p->places : NULL;
	}
	if (map == rt_exit_files)
		return memcmp(key, &host_file, sizeof(host_file)) ? NULL : &host_file_number;
	if (map == rt_exit_functions)
		return memcmp(key, &host_function, sizeof(host_function)) ? NULL : &host_function;
	struct host_place *p = host_place(key);
	return p ? &p->place : NULL;
}

static long process_update(uint32_t tgid, uint64_t count)
{
	struct host_process *p = host_process(0);
	if (!p)
		return -E2BIG;
	*p = (struct host_process) { tgid, count };
	return 0;
}

static long port_map_update(void *map, const void *key, const void *value, uint64_t flags)
{
	if (map == rt_exit_counts)
		return process_update(*(const uint32_t *)key, *(const uint64_t *)value);
	struct host_place *p = host_place(key);
	for (unsigned i = 0; i < PLACES && !p; i++)
		p = host_places[i].used ? NULL : &host_places[i];
	if (!p)
		return -E2BIG;
	p->used = true;
	memcpy(&p->key, key, sizeof(p->key));
	memcpy(&p->place, value, sizeof(p->place));
	return 0;
}

static long port_map_remove(void *map, const void *key)
{
	if (map == rt_exit_counts) {
		struct host_process *p = host_process(*(const uint32_t *)key);
		if (p)
			p->tgid = 0;
		return p ? 0 : -ENOENT;
	}
	struct host_place *p = host_place(key);
	if (p)
		p->used = false;
	return p ? 0 : -ENOENT;
}

typedef long place_visit_fn(void *map, const void *key, void *value, void *arg);

static long port_for_each(void *map, void *body, void *arg, uint64_t flags)
{
	host_walks++;
	struct host_place before[PLACES];
	memcpy(before, host_places, sizeof(before));
	for (unsigned i = 0; i < PLACES; i++)
		if (before[i].used)
			((place_visit_fn *)body)(map, &before[i].key, &before[i].place, arg);
	return 0;
}

static uint64_t host_pid_tgid = 7ull << 32;

static uint64_t port_pid_tgid(void)
{
	return host_pid_tgid;
}

/* --- the only mapping --- */

static struct {
	uint64_t begin, page, file, inode, number, size; /* of a mapping, a file and an inode */
} host_mapping;
static long host_vma_error;

static void *port_task(void)
{
	return NULL;
}

typedef long vma_visit_fn(void *task, void *mapping, void *arg);

static long port_find_vma(void *task, uint64_t address, void *found, void *arg, uint64_t flags)
{
	if (host_vma_error)
		return host_vma_error;
	((vma_visit_fn *)found)(task, &host_mapping, arg);
	return 0;
}

/* --- functions and their exits --- */

#define JUMPS 8

static uint64_t host_rt_exit_group = 1, host_rt_table_entries = JUMPS;
static uint64_t host_rt_table_entry_size = sizeof(struct exit_jump);
static struct exit_jump rt_jumps[JUMPS];
#define rt_table ((char *)rt_jumps)

#include "runtime/process/exit.c"
#include "runtime/process/exit_process.c"

/* Function n is 256 bytes of code; its probe has number n. */
enum { A = 1, B, C, D };
#define CODE(n) (0x555500000000 + (uint64_t)(n)*256)
enum { OWN, OF_DESTINATION };

static uint64_t stack[8]; /* return addresses: a place each */
static struct exit_firing firing;
static uint64_t firing_context; /* struct pt_regs */
static char fired[64];		/* by the last exit: "B A?": A's result is unknown */

static void set_up(void)
{
	memset(host_places, 0, sizeof(host_places));
	memset(host_processes, 0, sizeof(host_processes));
	host_walks = 0;
	memset(rt_control, 0, sizeof(rt_control));
	host_rt_has_link = 0;
	host_pid_tgid = 7ull << 32;
	shared()->activity = ACTIVITY_ACTIVE;
	for (unsigned i = 0; i < 8; i++)
		stack[i] = 0x555600000000 + i;
}

/* As the program does that bpf_loop() calls. */
static const char *run(uint64_t cookie, uint64_t pc, unsigned place)
{
	firing = (struct exit_firing) { firing_context, (uint64_t)&stack[place], { 0 }, 0, 0 };
	char *to = fired;
	*to = 0;
	long count = rt_exits(&firing, cookie, pc, 0);
	for (long i = 0; i < count; i++) {
		if (i && !rt_exit_next(&firing))
			break;
		to += sprintf(to, "%s%c%s", i ? " " : "", '@' + (int)firing.note.index,
			      firing.unknown ? "?" : "");
	}
	return fired;
}

static const char *leaves(unsigned function, unsigned place, bool of_destination)
{
	uint64_t role = of_destination ? EXIT_RETURN_OF_DESTINATION : EXIT_RETURN;
	return run(200ull << 32 | role << EXIT_INDEX_BITS | function, CODE(function) + 200, place);
}

static const char *jumps(unsigned from, unsigned to, unsigned place, bool of_destination)
{
	rt_jumps[from] = (struct exit_jump) {
		.inside = 100,
		.destination = (int32_t)(CODE(to) - CODE(from) - 100),
		.kind = to ? JUMP_FOLLOWED : JUMP_AWAY,
		.of_destination = of_destination,
		.test.is_not = true,
	};
	return run((uint64_t)from << 32 | EXIT_JUMP << EXIT_INDEX_BITS | from, CODE(from) + 100,
		   place);
}

TEST(returns_fire_alone)
{
	set_up();
	CHECK_STR(leaves(A, 0, OWN), "A");
	CHECK_INT(firing.note.inside, 200);
	CHECK_STR(leaves(A, 0, OF_DESTINATION), "");
	CHECK_STR(run(200ull << 32 | 5, CODE(A), 0), "E"); /* a plain site */
	shared()->activity = ACTIVITY_DRAINING;
	CHECK_STR(leaves(A, 0, OWN), "");
}

TEST(jumps_fire_at_the_return_own_first_then_the_newest)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, C, 0, OWN), "");
	CHECK_INT(shared()->exit_places, 1);
	CHECK_STR(leaves(C, 1, OWN), "C"); /* called from elsewhere */
	CHECK_STR(leaves(C, 0, OWN), "C B A");
	CHECK_INT(firing.note.inside, 100);
	CHECK_INT(shared()->exit_places, 0);
	CHECK_STR(leaves(C, 0, OWN), "C");
}

TEST(destinations_that_are_not_traced_pass_notes_on)
{
	set_up();
	CHECK_STR(jumps(B, C, 0, OF_DESTINATION), "");
	CHECK_INT(shared()->exit_places, 0);
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, C, 0, OF_DESTINATION), "");
	CHECK_STR(leaves(C, 0, OF_DESTINATION), "A");
	CHECK_INT(shared()->exit_places, 0);
}

TEST(a_jump_elsewhere_fires_all_without_a_result)
{
	set_up();
	CHECK_STR(jumps(A, 0, 0, OWN), "A?");
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, 0, 0, OWN), "B? A?");
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, 0, 0, OF_DESTINATION), "A?");
	CHECK_INT(shared()->exit_places, 0);
}

TEST(stale_notes_are_dropped)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), ""); /* then longjmp() */
	stack[0]++;
	CHECK_STR(leaves(B, 0, OWN), "B"); /* called by another */
	CHECK_INT(shared()->exit_places, 0);
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(leaves(C, 0, OWN), "C"); /* the same caller's next call */
	CHECK_INT(shared()->exit_places, 0);
	CHECK_STR(jumps(A, B, 0, OWN), ""); /* the same call again */
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(leaves(B, 0, OWN), "B A");
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(C, B, 0, OF_DESTINATION), ""); /* C was called, by the same caller */
	CHECK_STR(leaves(B, 0, OWN), "B");
}

TEST(loops_of_tail_calls_do_not_grow)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	for (int i = 0; i < 1000; i++) {
		CHECK_STR(jumps(B, A, 0, OF_DESTINATION), "");
		CHECK_STR(jumps(A, B, 0, OWN), "A?");
	}
	CHECK_STR(leaves(B, 0, OF_DESTINATION), "A");
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, C, 0, OWN), "");
	CHECK_STR(jumps(C, A, 0, OWN), "");
	CHECK_STR(jumps(A, B, 0, OWN), "A?");
	CHECK_STR(jumps(B, C, 0, OWN), "B?");
	CHECK_STR(leaves(C, 0, OWN), "C B A C");
	CHECK_INT(shared()->exit_places, 0);
	CHECK_INT(shared()->exit_notes_missed, 0);
}

TEST(a_function_that_jumps_to_itself)
{
	set_up();
	CHECK_STR(jumps(A, A, 0, OWN), "");
	CHECK_STR(jumps(A, A, 0, OWN), "A?");
	CHECK_STR(leaves(A, 0, OWN), "A A");
}

TEST(two_probes_of_one_jump)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	uint64_t cookie = (uint64_t)A << 32 | EXIT_JUMP << EXIT_INDEX_BITS | D;
	CHECK_STR(run(cookie, CODE(A) + 100, 0), "");
	CHECK_STR(leaves(B, 0, OWN), "B D A");
}

TEST(recursion_has_a_place_for_each_frame)
{
	set_up();
	for (unsigned i = 0; i < PLACES; i++)
		CHECK_STR(jumps(A, B, i, OWN), "");
	CHECK_STR(jumps(A, B, PLACES, OWN), "A?"); /* no room */
	CHECK_INT(shared()->exit_notes_missed, 1);
	for (unsigned i = PLACES + 1; i-- > 0;)
		CHECK_STR(leaves(B, i, OWN), i < PLACES ? "B A" : "B");
	CHECK_INT(shared()->exit_places, 0);
}

TEST(a_place_has_room_for_so_many_probes)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	for (unsigned i = 1; i <= EXIT_NOTES; i++) {
		uint64_t cookie = (uint64_t)A << 32 | EXIT_JUMP << EXIT_INDEX_BITS | (A + i);
		run(cookie, CODE(A) + 100, 0);
		CHECK_STR(fired, i < EXIT_NOTES ? "" : "Q?");
	}
	CHECK_INT(shared()->exit_notes_missed, 1);
	leaves(B, 0, OWN);
	CHECK_STR(fired, "B P O N M L K J I H G F E D C B A");
}

TEST(processes_and_programs_have_their_own_notes)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	host_pid_tgid = 8ull << 32 | 9;
	CHECK_STR(leaves(B, 0, OWN), "B");
	host_pid_tgid = 7ull << 32 | 9; /* another thread, on the same stack */
	host_rt_exit_group = 2;
	CHECK_STR(leaves(B, 0, OWN), "B");
	host_rt_exit_group = 1;
	CHECK_STR(leaves(B, 0, OWN), "B A");
}

/* --- processes --- */

static struct {
	uint64_t signal, memory;
	uint32_t tgid, live;
} tasks[2];

static void ends(uint64_t pid_tgid, uint32_t live)
{
	host_pid_tgid = pid_tgid;
	host_task = (uint64_t)&tasks[0];
	host_rt_offset_task_signal = offsetof(typeof(tasks[0]), signal);
	host_rt_offset_signal_live = offsetof(typeof(tasks[0]), live);
	tasks[0].signal = (uint64_t)&tasks[0];
	tasks[0].live = live;
	rt_exits_ended();
}

TEST(places_end_with_their_process)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(A, B, 1, OWN), "");
	host_pid_tgid = 8ull << 32 | 8;
	CHECK_STR(jumps(A, B, 0, OWN), "");
	ends(7ull << 32 | 8, 1); /* a thread */
	CHECK_INT(shared()->exit_places, 3);
	ends(7ull << 32 | 7, 0);
	CHECK_INT(shared()->exit_places, 1);
	host_pid_tgid = 7ull << 32 | 7; /* another process, on an equal stack */
	CHECK_STR(leaves(B, 0, OWN), "B");
	host_pid_tgid = 8ull << 32 | 8;
	CHECK_STR(leaves(B, 0, OWN), "B A");
	CHECK_INT(shared()->exit_places, 0);
	CHECK_STR(jumps(A, B, 0, OWN), "");
	rt_exits_executed();
	CHECK_STR(leaves(B, 0, OWN), "B");
	CHECK_INT(host_walks, 2);
	CHECK_INT(shared()->exit_places, 0);
}

TEST(processes_without_places_end_without_a_walk)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(leaves(B, 0, OWN), "B A");
	ends(7ull << 32 | 7, 0);
	ends(9ull << 32 | 9, 0);
	CHECK_INT(host_walks, 0);
	for (unsigned i = 0; i < 3; i++)
		CHECK_INT(host_processes[i].tgid, 0);
}

TEST(children_return_as_their_parents)
{
	set_up();
	CHECK_STR(jumps(A, B, 0, OWN), "");
	CHECK_STR(jumps(B, C, 0, OWN), "");
	uint64_t parent = (uint64_t)&tasks[0], child = (uint64_t)&tasks[1];
	host_rt_offset_task_memory = offsetof(typeof(tasks[0]), memory);
	host_rt_offset_task_tgid = offsetof(typeof(tasks[0]), tgid);
	tasks[0].memory = tasks[1].memory = 1;
	tasks[1].tgid = 8;
	rt_exits_forked(parent, child); /* vfork() */
	CHECK_INT(shared()->exit_places, 1);
	tasks[1].memory = 2;
	rt_exits_forked(parent, child);
	CHECK_INT(shared()->exit_places, 2);
	CHECK_STR(leaves(C, 0, OWN), "C B A");
	host_pid_tgid = 8ull << 32 | 8;
	CHECK_STR(leaves(C, 0, OWN), "C B A");
	CHECK_INT(shared()->exit_places, 0);
	ends(host_pid_tgid, 0);
	CHECK_INT(host_walks, 1);
}

TEST(conditional_jumps_are_exits_when_they_jump)
{
	enum { CARRY = 1, ZERO = 0x40, SIGN = 0x80, OVERFLOW = 0x800 };
	const struct flag_test equal = { .any = ZERO }, above = { CARRY | ZERO, 0, true },
			       less = { 0, SIGN | OVERFLOW, false };
	CHECK(is_true(&equal, ZERO) && !is_true(&equal, CARRY));
	CHECK(is_true(&above, SIGN) && !is_true(&above, CARRY) && !is_true(&above, ZERO));
	CHECK(is_true(&less, SIGN) && is_true(&less, OVERFLOW));
	CHECK(!is_true(&less, 0) && !is_true(&less, SIGN | OVERFLOW));
	set_up();
	jumps(A, 0, 0, OWN);
	rt_jumps[A].test = equal;
	uint64_t cookie = (uint64_t)A << 32 | EXIT_JUMP << EXIT_INDEX_BITS | A;
	CHECK_STR(run(cookie, CODE(A) + 100, 0), "");
}

/* --- destinations that are looked up --- */

static uint64_t registers[4];

/* As jumps(), by OPERAND. */
static int32_t jump_pid = EXIT_NO_PROCESS;

static const char *jumps_by(struct exit_operand operand, int displacement)
{
	rt_jumps[A] = (struct exit_jump) {
		.inside = 100,
		.destination = displacement,
		.kind = JUMP_LOOKED_UP,
		.test.is_not = true,
		.operand = operand,
		.file = 3,
		.at = 0x1000 + 100,
		.extent = { 200, 0x7000, 50 },
		.pid = jump_pid,
	};
	firing_context = (uint64_t)registers;
	return run((uint64_t)A << 32 | EXIT_JUMP << EXIT_INDEX_BITS | A, CODE(A) + 100, 0);
}

TEST(destinations_are_looked_up)
{
	static uint64_t table[3];
	const struct exit_operand in_register = { 1, EXIT_NO_REGISTER, 0, 0 },
				  in_memory = { 2, EXIT_NO_REGISTER, 0, 8 },
				  in_table = { 2, 3, 8, 8 };
	set_up();
	host_function = (struct exit_function) { .at = 0x1000 + CODE(C) - CODE(A), .file = 3 };
	registers[1] = table[1] = CODE(C);
	registers[2] = (uint64_t)table;
	registers[3] = 3;
	CHECK_STR(jumps_by(in_register, 0), "");
	CHECK_STR(leaves(C, 0, OWN), "C A");
	CHECK_STR(jumps_by(in_memory, 8), "");
	CHECK_STR(leaves(C, 0, OWN), "C A");
	CHECK_STR(jumps_by(in_memory, 0), "A?");
	CHECK_STR(jumps_by(in_table, -16), "");
	CHECK_STR(leaves(C, 0, OWN), "C A");
	CHECK_STR(jumps_by(in_table, -24), "A?");
	registers[1]++; /* into its middle */
	CHECK_STR(jumps_by(in_register, 0), "A?");
	registers[1]--;
	host_function.file = 2;
	CHECK_STR(jumps_by(in_register, 0), "A?");
	CHECK_INT(shared()->exit_places, 0);
}

TEST(destinations_in_other_files)
{
	const struct exit_operand in_register = { 1, EXIT_NO_REGISTER, 0, 0 };
	const uint64_t to = 0x7f0000001234;
	set_up();
	host_rt_offset_vma_begin = offsetof(typeof(host_mapping), begin);
	host_rt_offset_vma_page = offsetof(typeof(host_mapping), page);
	host_rt_offset_vma_file = offsetof(typeof(host_mapping), file);
	host_rt_offset_file_inode = offsetof(typeof(host_mapping), inode);
	host_rt_offset_inode_number = offsetof(typeof(host_mapping), number);
	host_rt_offset_inode_size = offsetof(typeof(host_mapping), size);
	host_mapping.begin = to & ~0xfffull;
	host_mapping.page = 3;
	host_mapping.file = host_mapping.inode = (uint64_t)&host_mapping;
	host_mapping.number = 77;
	host_mapping.size = 9999;
	host_file = (struct exit_file) { 77, 9999, 5, 0 };
	host_file_number = 8;
	host_function = (struct exit_function) { .at = 0x3234, .file = 8 };
	registers[1] = to;
	jump_pid = 5;
	CHECK_STR(jumps_by(in_register, 0), "");
	CHECK_STR(run(0x34ull << 32 | EXIT_RETURN << EXIT_INDEX_BITS | C, to + 0x34, 0), "C A");
	jump_pid = EXIT_NO_PROCESS;
	CHECK_STR(jumps_by(in_register, 0), "A?");
	jump_pid = 6; /* another process's probes */
	CHECK_STR(jumps_by(in_register, 0), "A?");
	jump_pid = 5;
	host_mapping.size++; /* another file */
	CHECK_STR(jumps_by(in_register, 0), "A?");
	host_mapping.size--;
	host_vma_error = -EBUSY;
	CHECK_STR(jumps_by(in_register, 0), "A?");
	host_vma_error = 0;
	host_mapping.file = 0; /* code in no file */
	CHECK_STR(jumps_by(in_register, 0), "A?");
	jump_pid = EXIT_NO_PROCESS;
}

TEST(jumps_to_labels_of_the_function_are_no_returns)
{
	const struct exit_operand in_register = { 1, EXIT_NO_REGISTER, 0, 0 };
	const uint64_t inside[] = { 1, 100, 199, 0x7000, 0x7000 + 49 };
	const uint64_t outside[] = { 200, 0x7000 - 1, 0x7000 + 50, -1ull };
	set_up();
	host_function = (struct exit_function) { .at = 0x1000, .file = 3 }; /* itself */
	for (unsigned i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		registers[1] = CODE(A) + inside[i];
		CHECK_STR(jumps_by(in_register, 0), "");
		CHECK_INT(shared()->exit_places, 0);
	}
	for (unsigned i = 0; i < sizeof(outside) / sizeof(*outside); i++) {
		registers[1] = CODE(A) + outside[i];
		CHECK_STR(jumps_by(in_register, 0), "A?");
	}
	/* Where it begins, it is called. */
	registers[1] = CODE(A);
	CHECK_STR(jumps_by(in_register, 0), "");
	CHECK_STR(leaves(A, 0, OWN), "A A");
}

TEST(a_return_address_in_a_register)
{
	set_up();
	host_rt_has_link = 1;
	CHECK_STR(jumps(A, B, 0, OWN), "");
	stack[0]++;
	CHECK_STR(leaves(B, 0, OWN), "B A");
}

TEST_MAIN
