/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The current thread and its process, interrupts, and the time */
#include "runtime/process/ancestor.h"
#include "runtime/string/scan.h"

static always_inline uint32_t task_tgid(uint64_t task)
{
	return half_at(task + NUMBER(rt_offset_task_tgid));
}

long rt_ppid(void)
{
	uint64_t parent = task_parent(port_task_number());
	return parent ? task_tgid(parent) : 0;
}

static long task_ancestor(uint32_t i, struct ancestry *a)
{
	return next_ancestor(a, task_tgid(a->task));
}

long rt_progenyof(uint64_t pid)
{
	struct ancestry a = { .task = port_task_number(), .wanted = pid };
	port_loop(ANCESTORS, task_ancestor, &a, 0);
	return a.found;
}

/*
 * The depth of interrupts: 0 a thread, 1 a softirq, 2 an interrupt, 3 an NMI.  Bits of the count
 * (include/linux/preempt.h): 8 softirq being served, 16-19 interrupts, 20-23 NMIs.  OWN: the
 * program runs in its own interrupt, which does not count, because the result is about the
 * interrupted code.
 */
long rt_ipl(uint64_t own)
{
	uint64_t count = port_preempt_count();
	if (count & 0xf00000) {
		if (!own)
			return 3;
		own = 0; /* it is the NMI */
	}
	if (count & 0xf0000 && !own)
		return 2;
	return count >> 8 & 1;
}

/*
 * The kernel calls us before it moves the timer on: when that was to expire is still there.  It
 * counts CLOCK_MONOTONIC, as we do.
 */
long rt_lateness(void *context)
{
	uint64_t event = 0, expires = 0;
	port_read_kernel(&event, sizeof(event),
			 (void *)((uint64_t)context + NUMBER(rt_offset_perf_event)));
	if (!event || port_read_kernel(&expires, sizeof(expires),
				       (void *)(event + NUMBER(rt_offset_event_expires))) < 0)
		return 0;
	uint64_t now = port_time();
	return now > expires ? now - expires : 0;
}

/* --- execargs --- */

/* The bytes of WORD that are zero become blanks. */
static always_inline uint64_t blanks_for_nuls(uint64_t word)
{
	uint64_t low = (word & 0x7f7f7f7f7f7f7f7full) + 0x7f7f7f7f7f7f7f7full;
	uint64_t zeros = ~(low | word) & 0x8080808080808080ull;
	return word | zeros >> 2;
}

struct arguments {
	char *text;
};

static long join_arguments(uint32_t i, struct arguments *a)
{
	uint64_t offset = (uint64_t)i * 8;
	OPAQUE(offset);
	if (offset > NUMBER(rt_string_size))
		return 1;
	uint64_t *word = (uint64_t *)(a->text + offset);
	*word = blanks_for_nuls(*word);
	return 0;
}

/* The LEN bytes at S contain arguments, a NUL after each. */
static always_inline void arguments_end(struct rt_string *s, uint64_t len)
{
	struct scan last = { .text = s->text, .blur = unknown_zero(&s->tag) };
	scan_set(&last, 0);
	len = at_most(len - scan_back(&last, len, 0), NUMBER(rt_string_size));
	struct arguments a = { s->text };
	port_loop((len + 7) / 8, join_arguments, &a, 0);
	string_end(s, len);
}

/* Where the current process's arguments are. */
struct place {
	uint64_t begin, end;
	uint64_t more; /* after the bytes checked: not only NULs */
	uint64_t blur; /* a zero, see unknown_zero() */
};

static always_inline struct place arguments_place(void)
{
	struct place p = { 0 };
	uint64_t memory = word_at(port_task_number() + NUMBER(rt_offset_task_memory));
	if (memory) { /* threads of the kernel have none */
		p.begin = word_at(memory + NUMBER(rt_offset_memory_arguments));
		p.end = word_at(memory + NUMBER(rt_offset_memory_arguments_end));
	}
	return p;
}

/*
 * Programs that overwrite their arguments fill the rest with NULs, which are not part of the
 * string.
 */
#define NULS_MAX 4096

static long look_behind(uint32_t i, struct place *p)
{
	uint64_t at = p->begin + NUMBER(rt_string_size) + (uint64_t)i * 8;
	if (at >= p->end)
		return 1;
	uint64_t word = 0;
	if (port_read_user(&word, at_most(p->end - at, sizeof(word)), (void *)at) < 0 || word)
		p->more = 1 + p->blur;
	return p->more != 0;
}

/* The arguments at P, of which S has what fits, become one text. */
static always_inline void join_and_count(uint64_t at, struct rt_string *s, struct place *p,
					 uint64_t counts)
{
	uint64_t len = p->end - p->begin;
	p->more = p->blur = unknown_zero(&s->tag);
	arguments_end(s, at_most(len, NUMBER(rt_string_size)));
	if (len <= NUMBER(rt_string_size) || !counts)
		return;
	port_loop(NULS_MAX / 8, look_behind, p, 0);
	if (p->more)
		rt_truncated(at);
}

/* At most strsize bytes. */
long rt_execargs(uint64_t at, uint64_t counts)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	struct place p = arguments_place();
	s->tag = 0;
	if (port_read_user(s->text, at_most(p.end - p.begin, NUMBER(rt_string_size)),
			   (void *)p.begin) < 0)
		return fault(at, FAULT_BADADDR, p.begin);
	join_and_count(at, s, &p, counts);
	return 0;
}

/* At most strsize bytes. */
long rt_execargs_sleepable(uint64_t at, uint64_t counts)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	struct place p = arguments_place();
	s->tag = 0;
	if (port_read_user_sleepable(s->text, at_most(p.end - p.begin, NUMBER(rt_string_size)),
				     (void *)p.begin) < 0)
		return fault(at, FAULT_BADADDR, p.begin);
	join_and_count(at, s, &p, counts);
	return 0;
}

/*
 * The clause's `timestamp`, moved: so `walltimestamp` stays the same throughout a clause as well.
 * A clock set while tracing is not followed.
 */
long rt_wall_time(uint64_t time)
{
	return time + NUMBER(rt_wall_offset);
}
