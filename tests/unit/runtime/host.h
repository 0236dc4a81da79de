/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host - the rest of runtime/port_native.h for unit tests: an environment that the test defines,
 * in the test's memory.  Include this before any file of runtime/.
 */
#ifndef TESTS_RUNTIME_HOST_H
#define TESTS_RUNTIME_HOST_H

#include <limits.h>
#include <stdint.h>

#include "runtime/port_native.h"
#include "test.h"

#pragma GCC diagnostic ignored "-Wunused-variable"

#define HOST_SLOT 65536
#define HOST_AREAS 2

static uint64_t host_rt_areas = HOST_AREAS;
static uint64_t host_rt_slot_size = HOST_SLOT;
static uint64_t host_rt_slots_end = HOST_SLOT * SLOTS_PER_AREA * HOST_AREAS;
static uint64_t host_rt_string_size = 256;
static uint64_t host_rt_frames = 127;
static uint64_t host_rt_wall_offset = 1000;
static uint64_t host_rt_stub_begin, host_rt_stub_end, host_rt_callers_seen;
static uint64_t host_rt_iterator_begin, host_rt_iterator_end;
/* The tests choose the offsets of members. */
#define OFFSET(name, type, member) static uint64_t host_rt_offset_##name;
#include "abi/offset.def"
#undef OFFSET
#define MACHINE(name, value) static uint64_t host_rt_##name;
#include "abi/machine.def"
#undef MACHINE
static uint64_t host_rt_page_size = 4096;

static char rt_scratch[HOST_SLOT * (SLOTS_PER_AREA * HOST_AREAS + 1)]
	__attribute__((aligned(HOST_SLOT)));
static char rt_control[sizeof(struct control)] __attribute__((aligned(8)));
static char rt_counters[HOST_AREAS * sizeof(struct area_counters)] __attribute__((aligned(8)));
static char rt_constants[8192] __attribute__((aligned(8)));

/* Addresses from here on cannot be read; those of HOST_ABSENT pages once they are touched. */
static uint64_t host_bad_from = UINT64_MAX, host_bad_end = UINT64_MAX;
static uint64_t host_absent_from = UINT64_MAX;
static const char *host_comm = "test";
static uint64_t host_task;
static uint64_t host_frames[300];
static uint64_t host_frame_count, host_walked = UINT64_MAX; /* kernel.perf_event_max_stack */

static inline long host_read(void *to, uint32_t size, const void *at)
{
	uint64_t from = (uint64_t)at;
	uint64_t limit = host_bad_from < host_absent_from ? host_bad_from : host_absent_from;
	if (size == 0)
		return 0;
	if (from < 4096 || (from + size > limit && from < host_bad_end)) {
		memset(to, 0, size);
		return -EFAULT;
	}
	memmove(to, (void *)from, size);
	return 0;
}

static inline long port_read_kernel(void *to, uint32_t size, const void *from)
{
	return host_read(to, size, from);
}

static inline long port_read_kernel_text(void *to, uint32_t size, const void *from)
{
	return native_read_text(host_read, to, size, from);
}

static bool host_is_old; /* as on Linux 6.1, which returns 0 for a user's empty string */

static inline long port_read_user_text(void *to, uint32_t size, const void *from)
{
	long got = native_read_text(host_read, to, size, from);
	return host_is_old && got == 1 && !*(char *)to ? 0 : got;
}

static char *host_shortens; /* where the process puts a NUL before the next read; NULL */

/* The memory that is present. */
static inline long port_read_user(void *to, uint32_t size, const void *from)
{
	uint64_t end = (uint64_t)from + size;
	if (host_shortens)
		*host_shortens = 0;
	host_shortens = NULL;
	if (end > host_absent_from)
		return -1;
	return host_read(to, size, from);
}

static inline long port_read_user_sleepable(void *to, uint32_t size, const void *from)
{
	uint64_t end = (uint64_t)from + size;
	if ((uint64_t)from >= 4096 && end <= host_bad_from && end > host_absent_from)
		host_absent_from = (end + 4095) & ~4095ull;
	return host_read(to, size, from);
}

static uint32_t host_cpu;
static uint64_t host_area;

static inline uint32_t port_cpu(void)
{
	return host_cpu;
}

static inline uint64_t port_area(void)
{
	return host_area;
}

static inline uint64_t port_area_on(uint64_t cpu)
{
	return host_area;
}

static uint64_t host_time = 42;

static inline uint64_t port_time(void)
{
	return host_time;
}

static uint32_t host_preempt_count;

static inline uint32_t port_preempt_count(void)
{
	return host_preempt_count;
}

static inline long port_comm(void *to, uint32_t size)
{
	memset(to, 0, size);
	strncpy(to, host_comm, size - 1);
	return 0;
}

static inline uint64_t port_task_number(void)
{
	return host_task;
}

static inline long port_stack(void *context, void *to, uint32_t size, uint64_t flags)
{
	uint64_t skip = flags & 255;
	uint64_t walked = host_frame_count < host_walked ? host_frame_count : host_walked;
	uint64_t frames = walked > skip ? walked - skip : 0;
	if (frames > size / 8)
		frames = size / 8;
	memset(to, 0, size);
	memcpy(to, host_frames + skip, frames * 8);
	return frames * 8;
}

#include "runtime/truncation.c"

/* --- strings of the test's slot --------------------------------------------------- */

enum { SLOT_AT = HOST_SLOT }; /* the second slot: no offset of it is 0 */
#define ROOM(n) (SLOT_AT + 64 + (uint64_t)(n)*4200)

static inline struct slot *test_slot(void)
{
	return (struct slot *)(rt_scratch + SLOT_AT);
}

static inline struct rt_string *string_in(uint64_t at)
{
	return (struct rt_string *)(rt_scratch + at);
}

static uint64_t cuts_wanted; /* since the last CHECK_CUTS(), see cut() */

/* All rooms full of rubbish, no fault, nothing started. */
static inline void slot_reset(void)
{
	memset(rt_scratch, 0xa5, sizeof(rt_scratch));
	memset(test_slot(), 0, sizeof(struct slot));
	memset(rt_counters, 0, sizeof(rt_counters));
	cuts_wanted = 0;
	test_slot()->unknown = 7;
}

static inline uint64_t put_bytes(unsigned room, const char *text, size_t len)
{
	struct rt_string *s = string_in(ROOM(room));
	s->tag = len + 1;
	memcpy(s->text, text, len);
	s->text[len] = 0;
	return ROOM(room);
}

/* TEXT as a string in room number ROOM; NULL is the NULL string. */
static inline uint64_t put_text(unsigned room, const char *text)
{
	if (text)
		return put_bytes(room, text, strlen(text));
	string_in(ROOM(room))->tag = 0;
	return ROOM(room);
}

/* The value in a room, or NULL; checks what must hold of every string. */
static inline const char *text_in(unsigned room)
{
	struct rt_string *s = string_in(ROOM(room));
	if (s->tag == 0)
		return NULL;
	CHECK(s->tag <= NUMBER(rt_string_size) + 1);
	if (s->tag > NUMBER(rt_string_size) + 1)
		return "(bad tag)";
	CHECK_INT(strnlen(s->text, s->tag), s->tag - 1);
	/* nothing was written after its memory */
	uint64_t room_size = (NUMBER(rt_string_size) + 1 + 7) / 8 * 8;
	CHECK_INT((unsigned char)s->text[room_size], 0xa5);
	CHECK_INT((unsigned char)s->text[room_size + 1], 0xa5);
	return s->text;
}

#define CHECK_TEXT(room, wanted)                                                                   \
	do {                                                                                       \
		const char *got_text = text_in(room), *wanted_text = (wanted);                     \
		if (!wanted_text)                                                                  \
			CHECK(got_text == NULL);                                                   \
		else                                                                               \
			CHECK_STR(got_text, wanted_text);                                          \
	} while (0)

/* The fault that was set, which is taken away; FAULT_NONE. */
static inline int fault_taken(void)
{
	int code = (int)test_slot()->fault - 1;
	test_slot()->fault = 0;
	return code;
}

/* TEXT as a string.  If it was truncated, CHECK_CUTS() expects one. */
static inline const char *cut(const char *text)
{
	static char buffer[8192];
	snprintf(buffer, sizeof(buffer), "%.*s", (int)NUMBER(rt_string_size), text);
	cuts_wanted += strlen(text) > NUMBER(rt_string_size);
	return buffer;
}

/* The number of truncated strings, which is reset. */
static inline uint64_t cuts_taken(void)
{
	struct area_counters *c = (struct area_counters *)(void *)rt_counters;
	uint64_t n = c->truncated_strings;
	CHECK_INT(test_slot()->truncated_strings, n);
	c->truncated_strings = test_slot()->truncated_strings = 0;
	return n;
}

#define CHECK_CUTS()                                                                               \
	do {                                                                                       \
		CHECK_INT(cuts_taken(), cuts_wanted);                                              \
		cuts_wanted = 0;                                                                   \
	} while (0)
#define CHECK_NO_FAULT() CHECK_INT(fault_taken(), FAULT_NONE)
#define CHECK_FAULT(code, where)                                                                   \
	do {                                                                                       \
		CHECK_INT(test_slot()->fault_address, where);                                      \
		CHECK_INT(fault_taken(), code);                                                    \
	} while (0)

static const uint64_t host_sizes[] = { 2, 16, 31, 256, 4096 };
#define FOR_SIZES                                                                                  \
	for (unsigned size_i = 0; size_i < sizeof(host_sizes) / sizeof(*host_sizes) &&             \
				  (host_rt_string_size = host_sizes[size_i], slot_reset(), true);  \
	     size_i++)

/* Numbers that are the same in every run. */
static inline uint32_t test_random(void)
{
	static uint64_t state = 88172645463325252ull;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 16;
}

/* A string of at most MAX bytes from ALPHABET. */
static inline const char *random_text(char *to, uint32_t max, const char *alphabet)
{
	uint32_t len = test_random() % (max + 1), letters = strlen(alphabet);
	for (uint32_t i = 0; i < len; i++)
		to[i] = alphabet[test_random() % letters];
	to[len] = 0;
	return to;
}

/* A string of LEN bytes, all of them C. */
static inline const char *long_text(char *to, uint32_t len, char c)
{
	memset(to, c, len);
	to[len] = 0;
	return to;
}

#endif
