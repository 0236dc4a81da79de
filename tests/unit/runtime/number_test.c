/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/string/number.c, task.c and stack.c */
#include "host.h"

#include "runtime/process/task.c"
#include "runtime/stack/stack.c"
#include "runtime/string/number.c"

#include <arpa/inet.h>

static char buffer[8192];

static const char *plain_digits(uint64_t value, unsigned base, const char *prefix)
{
	char digits[65];
	int n = sizeof(digits);
	digits[--n] = 0;
	do {
		digits[--n] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % base];
		value /= base;
	} while (value);
	snprintf(buffer, sizeof(buffer), "%s%s", prefix, digits + n);
	return cut(buffer);
}

static int64_t some_number(int i)
{
	const int64_t special[] = { 0, 1, -1, INT64_MIN, INT64_MAX, 9, 10, 35, 36, 7, 8, 255 };
	if (i < 12)
		return special[i];
	uint64_t x = (uint64_t)test_random() << 32 | test_random();
	return x >> test_random() % 64;
}

TEST(to_text)
{
	FOR_SIZES
	{
		for (int i = 0; i < 300; i++) {
			int64_t value = some_number(i);
			for (unsigned base = 2; base <= 36; base++) {
				rt_lltostr(ROOM(0), value, base);
				const char *prefix = base == 16		  ? "0x"
						     : base == 8 && value ? "0"
									  : "";
				if (base == 10 && value < 0)
					CHECK_TEXT(0, plain_digits(-(uint64_t)value, 10, "-"));
				else
					CHECK_TEXT(0, plain_digits(value, base, prefix));
			}
			rt_lltostr(ROOM(0), value, LLTOSTR_UNSIGNED);
			CHECK_TEXT(0, plain_digits(value, 10, ""));
		}
		CHECK_CUTS();
		CHECK_NO_FAULT();
		const uint64_t bad[] = { 0, 1, 37, -1 };
		for (int i = 0; i < 4; i++) {
			rt_lltostr(ROOM(0), 5, bad[i]);
			CHECK_FAULT(FAULT_ILLOP, 0);
			put_text(1, "5");
			rt_strtoll(ROOM(1), bad[i]);
			CHECK_FAULT(FAULT_ILLOP, 0);
		}
	}
}

TEST(from_text)
{
	host_rt_string_size = 256;
	slot_reset();
	static const char *const texts[] = {
		"",
		" ",
		"0",
		"-",
		"+",
		"- 5",
		"+7",
		" \t\n\v\f\r42z",
		"-42-",
		"0x",
		"0x1f",
		"0xg",
		"-0X1F",
		"zz",
		"077",
		"9223372036854775807",
		"-9223372036854775808",
		"12 34",
	};
	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (unsigned base = 2; base <= 36; base++) {
			long long wanted;
			errno = 0;
			wanted = strtoll(texts[i], NULL, base);
			put_text(0, texts[i]);
			if (!errno) /* the C library saturates */
				CHECK_INT(rt_strtoll(ROOM(0), base), wanted);
		}
	for (int i = 0; i < 5000; i++) {
		random_text(buffer, 14, i % 2 ? " -+0123456789" : " 0xfz9-");
		unsigned base = 2 + test_random() % 35;
		put_text(0, buffer);
		errno = 0;
		long long wanted = strtoll(buffer, NULL, base);
		if (!errno)
			CHECK_INT(rt_strtoll(ROOM(0), base), wanted);
	}
	put_text(0, "18446744073709551621");
	CHECK_INT(rt_strtoll(ROOM(0), 10), 5);
	CHECK_NO_FAULT();
	put_text(0, NULL);
	rt_strtoll(ROOM(0), 10);
	CHECK_FAULT(FAULT_BADADDR, 0);
}

TEST(ipv4)
{
	FOR_SIZES
	{
		for (int i = 0; i < 2000; i++) {
			uint32_t address = test_random() & test_random() & test_random();
			rt_inet_ntoa(ROOM(0), (uint64_t)&address);
			inet_ntop(AF_INET, &address, buffer, sizeof(buffer));
			CHECK_TEXT(0, cut(buffer));
			CHECK_CUTS();
		}
		CHECK_NO_FAULT();
		rt_inet_ntoa(ROOM(0), 0);
		CHECK_TEXT(0, NULL);
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(ipv6)
{
	FOR_SIZES
	{
		for (int i = 0; i < 20000; i++) {
			struct in6_addr a;
			for (int k = 0; k < 8; k++) {
				uint32_t group = test_random() >> test_random() % 32;
				a.s6_addr16[k] = test_random() % 3 ? 0 : htons(group);
			}
			rt_inet_ntoa6(ROOM(0), (uint64_t)&a, 1);
			inet_ntop(AF_INET6, &a, buffer, sizeof(buffer));
			if (IN6_IS_ADDR_V4COMPAT(&a) ||
			    (a.s6_addr32[0] == 0 && a.s6_addr32[1] == 0 && a.s6_addr32[2] == 0 &&
			     a.s6_addr[15] > 1)) {
				cuts_taken(); /* less: the C library needs more */
				continue;
			}
			CHECK_TEXT(0, cut(buffer));
			CHECK_CUTS();
		}
		CHECK_NO_FAULT();
		rt_inet_ntoa6(ROOM(0), 99, 0);
		CHECK_FAULT(FAULT_BADADDR, 99);
	}
}

static const struct {
	const char *address, *plain, *strict;
} ipv6_cases[] = {
	{ "::", "::", "::" },
	{ "::1", "::1", "::1" },
	{ "::2", "0.0.0.2", "::0.0.0.2" },
	{ "::127.0.0.1", "127.0.0.1", "::127.0.0.1" },
	{ "::ffff:127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1" },
	{ "::ffff:0:0", "0.0.0.0", "::ffff:0.0.0.0" },
	{ "::fffe:1:2", "::fffe:1:2", "::fffe:1:2" },
	{ "2001:db8::1", "2001:db8::1", "2001:db8::1" },
	{ "1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0" },
	{ "1:0:0:2:0:0:3:4", "1::2:0:0:3:4", "1::2:0:0:3:4" },
	{ "1:0:0:2:0:0:0:3", "1:0:0:2::3", "1:0:0:2::3" },
	{ "1:2:3:4:5:6:0:0", "1:2:3:4:5:6::", "1:2:3:4:5:6::" },
	{ "fe80::abcd:ef", "fe80::abcd:ef", "fe80::abcd:ef" },
};

TEST(ipv6_with_ipv4)
{
	host_rt_string_size = 64;
	slot_reset();
	for (unsigned i = 0; i < sizeof(ipv6_cases) / sizeof(*ipv6_cases); i++) {
		struct in6_addr a;
		CHECK_INT(inet_pton(AF_INET6, ipv6_cases[i].address, &a), 1);
		rt_inet_ntoa6(ROOM(0), (uint64_t)&a, 0);
		CHECK_TEXT(0, ipv6_cases[i].plain);
		rt_inet_ntoa6(ROOM(0), (uint64_t)&a, 1);
		CHECK_TEXT(0, ipv6_cases[i].strict);
	}
}

TEST(addresses_by_family)
{
	unsigned char bytes[20] = { 0x00, 0x1a, 0xff, 0x09, 0xa0, 0x0b, 1,  2,	3,  4,
				    5,	  6,	7,    8,    9,	  10,	11, 12, 13, 14 };
	uint64_t at = (uint64_t)bytes;
	FOR_SIZES
	{
		rt_link_ntop(ROOM(0), at, 1);
		CHECK_TEXT(0, cut("00:1a:ff:09:a0:0b"));
		rt_link_ntop(ROOM(0), at, 32);
		CHECK_TEXT(0, cut("00:1a:ff:09:a0:0b:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e"));
		unsigned char v4[4] = { 10, 0, 255, 7 };
		rt_inet_ntop(ROOM(0), (uint64_t)v4, 2);
		CHECK_TEXT(0, cut("10.0.255.7"));
		unsigned char mapped[16] = { [10] = 0xff, 0xff, 127, 0, 0, 1 };
		rt_inet_ntop(ROOM(0), (uint64_t)mapped, 10);
		CHECK_TEXT(0, cut("::ffff:127.0.0.1"));
		CHECK_CUTS();
		CHECK_NO_FAULT();
		rt_link_ntop(ROOM(0), at, 2);
		CHECK_FAULT(FAULT_ILLOP, 0);
		rt_inet_ntop(ROOM(0), at, 1);
		CHECK_FAULT(FAULT_ILLOP, 0);
		rt_link_ntop(ROOM(0), 9, 1);
		CHECK_FAULT(FAULT_BADADDR, 9);
		rt_inet_ntop(ROOM(0), 9, 10);
		CHECK_FAULT(FAULT_BADADDR, 9);
	}
}

struct fake_task {
	struct fake_task *parent;
	uint64_t tgid;
};

TEST(tasks)
{
	static struct fake_task tasks[400];
	for (int i = 0; i < 400; i++)
		tasks[i] = (struct fake_task) { &tasks[i ? i - 1 : 0], i };
	host_rt_offset_task_parent = 0;
	host_rt_offset_task_tgid = 8;
	host_task = (uint64_t)&tasks[5];
	CHECK_INT(rt_ppid(), 4);
	CHECK_INT(rt_wall_time(42), 1042);
	for (int pid = 0; pid < 10; pid++)
		CHECK_INT(rt_progenyof(pid), pid <= 5);
	CHECK_INT(rt_progenyof(-1), 0);
	host_task = (uint64_t)&tasks[399];
	CHECK_INT(rt_progenyof(0), 1);
	CHECK_INT(rt_progenyof(400), 0);
	tasks[0].parent = &tasks[399]; /* no such list, but it must have an end */
	CHECK_INT(rt_progenyof(400), 0);
}

TEST(interrupt_levels)
{
	static const struct {
		uint32_t count;
		int level, interrupted;
	} cases[] = {
		{ 0, 0, 0 },	    { 3, 0, 0 },	{ 0x200, 0, 0 },    { 0x100, 1, 1 },
		{ 0x301, 1, 1 },    { 0x10000, 2, 0 },	{ 0x10100, 2, 1 },  { 0x100000, 3, 0 },
		{ 0x110000, 3, 2 }, { 0x110100, 3, 2 }, { 0x100100, 3, 1 }, { 0x80000000, 0, 0 },
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		host_preempt_count = cases[i].count;
		CHECK_INT(rt_ipl(0), cases[i].level);
		CHECK_INT(rt_ipl(1), cases[i].interrupted);
	}
}

static const struct {
	const char *bytes;
	unsigned size;
	const char *text;
} argument_cases[] = {
	{ "sh\0-c\0ls\0", 9, "sh -c ls" },
	{ "a\0", 2, "a" },
	{ "a\0\0b\0", 5, "a  b" },			    /* an empty argument */
	{ "daemon: idle\0\0\0\0\0\0", 18, "daemon: idle" }, /* its own text over them */
	{ "", 0, "" },
	{ "no end", 6, "no end" },
	{ "\0\0\0", 3, "" },
};

TEST(arguments_of_processes)
{
	static uint64_t memory[2], task[1];
	host_rt_offset_task_memory = 0;
	host_rt_offset_memory_arguments = 0;
	host_rt_offset_memory_arguments_end = 8;
	host_task = (uint64_t)task;
	task[0] = (uint64_t)memory;
	FOR_SIZES
	{
		for (unsigned i = 0; i < sizeof(argument_cases) / sizeof(*argument_cases); i++) {
			memory[0] = (uint64_t)argument_cases[i].bytes;
			memory[1] = memory[0] + argument_cases[i].size;
			/* Truncated before a blank: the blank is not printed. */
			strcpy(buffer, cut(argument_cases[i].text));
			for (size_t n = strlen(buffer); n && buffer[n - 1] == ' '; n--)
				buffer[n - 1] = 0;
			rt_execargs(ROOM(0), 1);
			CHECK_TEXT(0, buffer);
			uint64_t cuts = cuts_taken();
			rt_execargs_sleepable(ROOM(1), 1);
			CHECK_TEXT(1, buffer);
			CHECK_INT(cuts, cuts_wanted);
			CHECK_CUTS();
			rt_execargs(ROOM(1), 0);
			CHECK_TEXT(1, buffer);
			CHECK_INT(cuts_taken(), 0);
		}
		CHECK_NO_FAULT();
		memory[0] = 16;
		memory[1] = 24;
		rt_execargs(ROOM(0), 1);
		CHECK_FAULT(FAULT_BADADDR, 16);
		task[0] = 0; /* a thread of the kernel */
		rt_execargs(ROOM(0), 1);
		CHECK_TEXT(0, "");
		CHECK_NO_FAULT();
		task[0] = (uint64_t)memory;
	}
}

/* The number of truncated stacks, which is reset. */
static uint64_t stacks_cut(void)
{
	struct area_counters *c = (struct area_counters *)(void *)rt_counters;
	uint64_t n = c->truncated_stacks;
	CHECK_INT(test_slot()->truncated_stacks, n);
	c->truncated_stacks = test_slot()->truncated_stacks = 0;
	return n;
}

TEST(stacks)
{
	host_rt_string_size = 256;
	slot_reset();
	for (int i = 0; i < 300; i++)
		host_frames[i] = 100 + i;
	host_frame_count = 10;
	uint64_t *got = (uint64_t *)(rt_scratch + ROOM(0));
	CHECK_INT(rt_stack(NULL, ROOM(0), 40, 0), 40);
	CHECK_INT(got[0], 100);
	CHECK_INT(got[5], (int64_t)0xa5a5a5a5a5a5a5a5);
	CHECK_INT(rt_stack(NULL, ROOM(0), 160, 3), 56);
	CHECK_INT(got[0], 103);
	CHECK_INT(got[7], 0);
	CHECK_INT(rt_ustack(NULL, ROOM(0), 160), 80);
	CHECK_INT(rt_stack(NULL, ROOM(0), 160, 1), 72);
	CHECK_INT(rt_caller(NULL, 0), 101);
	CHECK_INT(rt_caller(NULL, 2), 103);
	CHECK_INT(rt_ucaller(NULL), 101);
	host_frame_count = 1;
	CHECK_INT(rt_caller(NULL, 0), 0);
	host_frame_count = 300;
	CHECK_INT(rt_stack(NULL, ROOM(0), 2048, 0), 256 * 8);
	CHECK_INT(got[255], 355);
	CHECK_INT(rt_ustack(NULL, ROOM(0), 1 << 20), 300 * 8); /* the size of the slot */
	CHECK_INT(rt_stack(NULL, HOST_SLOT * 100, 4096, 0), -1);
	stacks_cut();
}

/* A stack continues where the walk ended, and more frames were requested: this is counted. */
TEST(stacks_that_are_cut)
{
	enum { MORE = STACK_WANTS_MORE };
	slot_reset();
	stacks_cut();
	/* The kernel walks 20; of 30 frames, 3 are skipped. */
	host_rt_frames = 20;
	host_frame_count = 30;
	host_walked = 20;
	CHECK_INT(rt_stack(NULL, ROOM(0), 17 * 8, 3), 17 * 8);
	CHECK_INT(stacks_cut(), 0);
	CHECK_INT(rt_stack(NULL, ROOM(0), 17 * 8 | MORE, 3), 17 * 8);
	CHECK_INT(stacks_cut(), 1);
	CHECK_INT(rt_stack(NULL, ROOM(0), 18 * 8, 3), 17 * 8);
	CHECK_INT(stacks_cut(), 1);
	CHECK_INT(rt_stack(NULL, ROOM(0), 20 * 8 | MORE, 3), 17 * 8);
	CHECK_INT(stacks_cut(), 1);
	CHECK_INT(rt_ustack(NULL, ROOM(0), 20 * 8), 20 * 8);
	CHECK_INT(stacks_cut(), 0);
	CHECK_INT(rt_ustack(NULL, ROOM(0), 20 * 8 | MORE), 20 * 8);
	CHECK_INT(rt_ustack_entry(NULL, ROOM(0), 20 * 8 | MORE, 0, 0), 20 * 8);
	CHECK_INT(stacks_cut(), 2);
	/* It ends before. */
	host_frame_count = 19;
	CHECK_INT(rt_stack(NULL, ROOM(0), 18 * 8, 3), 16 * 8);
	CHECK_INT(rt_stack(NULL, ROOM(0), 18 * 8 | MORE, 3), 16 * 8);
	CHECK_INT(rt_ustack(NULL, ROOM(0), 20 * 8 | MORE), 19 * 8);
	CHECK_INT(stacks_cut(), 0);
	/* The kernel walks more than there is room for. */
	host_rt_frames = host_walked = 200;
	host_frame_count = 130;
	CHECK_INT(rt_stack(NULL, ROOM(0), 127 * 8, 3), 127 * 8);
	CHECK_INT(rt_stack(NULL, ROOM(0), 120 * 8, 3), 120 * 8);
	CHECK_INT(stacks_cut(), 0);
	CHECK_INT(rt_stack(NULL, ROOM(0), 127 * 8 | MORE, 3), 127 * 8);
	CHECK_INT(stacks_cut(), 1);
	host_frame_count = 129;
	CHECK_INT(rt_stack(NULL, ROOM(0), 127 * 8 | MORE, 3), 126 * 8);
	CHECK_INT(stacks_cut(), 0);
	host_rt_frames = 127;
	host_walked = UINT64_MAX;
}

/* What calls programs is left out, whether it has frames or not: code begins at 50 here. */
static void check_without_callers(const uint64_t *callers, unsigned count)
{
	for (unsigned i = 0; i < 20; i++)
		host_frames[i] = i < count ? callers[i] : 50 + i - count;
	host_frame_count = count + 10;
	uint64_t *got = (uint64_t *)(rt_scratch + ROOM(0));
	CHECK_INT(rt_stack(NULL, ROOM(0), 160, 1), 80);
	CHECK_INT(rt_caller(NULL, 1), 51);
	got[-1] = 7;
	CHECK_INT(rt_stack(NULL, ROOM(0), 24, 1), 24);
	CHECK_INT(got[-1], 7);
	CHECK_INT(got[0], 50);
	CHECK_INT(got[2], 52);
	CHECK_INT(rt_stack(NULL, ROOM(0), 8, 1), 8);
	CHECK_INT(got[0], 50);
	CHECK_INT(rt_stack(NULL, ROOM(0), 0, 1), 0);
}

TEST(stacks_without_what_calls_programs)
{
	struct control *control = (struct control *)rt_control;
	slot_reset();
	host_rt_stub_begin = 200, host_rt_stub_end = 210;
	host_rt_iterator_begin = 210, host_rt_iterator_end = 220;
	memset(rt_control, 0, sizeof(rt_control));
	/* No stub: a jump; with another tracer or without. */
	for (int i = 0; i < 3; i++) {
		check_without_callers((const uint64_t[]) { 900 }, 1);
		CHECK_INT(control->callers_seen[0], 0);
		check_without_callers((const uint64_t[]) { 900, 220 }, 2);
		CHECK_INT(control->callers_seen[0], CALLER_HAS_ITERATOR);
	}
	/* A kernel with one, whose call is its last instruction; entries and returns may differ. */
	host_rt_callers_seen = 1;
	for (int i = 0; i < 3; i++) {
		check_without_callers((const uint64_t[]) { 900, 210, 215 }, 3);
		CHECK_INT(control->callers_seen[1], CALLER_HAS_STUB | CALLER_HAS_ITERATOR);
		check_without_callers((const uint64_t[]) { 900, 205 }, 2);
		CHECK_INT(control->callers_seen[1], CALLER_HAS_STUB);
	}
	CHECK_INT(control->callers_seen[0], CALLER_HAS_ITERATOR);
	host_rt_stub_begin = host_rt_stub_end = host_rt_iterator_begin = host_rt_iterator_end = 0;
	host_rt_callers_seen = 0;
}

/* A user stack at a function's entry: where it returns to, then a chain of frames. */
struct user_frame {
	struct user_frame *next;
	uint64_t caller;
};

#define DEEPEST 140

static void check_entry_stack(const uint64_t *callers, unsigned count, bool kernel_knows,
			      uint64_t room)
{
	static struct user_frame frames[DEEPEST];
	for (unsigned i = 1; i < count; i++)
		frames[i] =
			(struct user_frame) { i + 1 < count ? &frames[i + 1] : NULL, callers[i] };
	host_frame_count = 0;
	host_frames[host_frame_count++] = 1; /* the function */
	for (unsigned i = kernel_knows ? 0 : 1; i < count; i++)
		host_frames[host_frame_count++] = callers[i];

	uint64_t wanted = count + 1 < room ? count + 1 : room;
	uint64_t *got = (uint64_t *)(rt_scratch + ROOM(0));
	uint64_t pointer = count > 1 ? (uint64_t)&frames[1] : 0;
	CHECK_INT(rt_ustack_entry(NULL, ROOM(0), room * 8, callers[0], pointer), wanted * 8);
	CHECK_INT(got[0], 1);
	for (unsigned i = 1; i < wanted; i++)
		CHECK_INT(got[i], callers[i - 1]);
}

TEST(callers_at_entry)
{
	uint64_t callers[DEEPEST];
	host_rt_string_size = 256;
	slot_reset();
	for (unsigned round = 0; round < 3000; round++) {
		unsigned count = 1 + test_random() % (round % 50 ? 12 : DEEPEST - 1);
		unsigned alphabet = 1 + test_random() % 3; /* a function that calls itself */
		for (unsigned i = 0; i < count; i++)
			callers[i] = 100 + test_random() % alphabet;
		check_entry_stack(callers, count, round % 2, 1 + test_random() % 15);
		check_entry_stack(callers, count, round % 2, 127);
	}
	/* Nothing at the stack pointer, no frames at all. */
	host_frame_count = 4;
	CHECK_INT(rt_ustack_entry(NULL, ROOM(0), 160, 0, 0), 32);
	host_frame_count = 0;
	CHECK_INT(rt_ustack_entry(NULL, ROOM(0), 160, 77, 0), 0);
	host_frame_count = 1;
	CHECK_INT(rt_ustack_entry(NULL, ROOM(0), 8, 77, 0), 8);
}

TEST_MAIN
