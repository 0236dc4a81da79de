/* SPDX-License-Identifier: BSD-2-Clause */
/* host - a traced process as the run-time library's executor: the rest of runtime/port_native.h */
#ifndef AGENT_HOST_H
#define AGENT_HOST_H

#include <linux/prctl.h>
#include <linux/time_types.h>

#include "agent/inside/inside.h"

#define rt_scratch (agent_memory + HEAD->scratch)
#define rt_control (agent_memory + HEAD->control)
#define rt_counters (agent_memory + HEAD->counters)
#define rt_constants (agent_memory + HEAD->constants)
#define rt_clause_drops (agent_memory + HEAD->clause_drops)
#define rt_flight (agent_memory + HEAD->flight)
#define rt_speculations (agent_memory + HEAD->speculations)
#define rt_self NULL
#define host_rt_areas (HEAD->area_count)
#define host_rt_slot_size (HEAD->slot_size)
#define host_rt_slots_end (HEAD->slots_end)
#define host_rt_string_size (HEAD->string_size)
#define host_rt_ring_size (HEAD->ring_size)
#define host_rt_frames STACK_FRAMES_USUAL
#define host_rt_clauses (HEAD->clauses)
#define host_rt_policy (HEAD->policy)
#define host_rt_flight_count (HEAD->area_count)
#define host_rt_flight_stride (HEAD->flight_stride)
#define host_rt_speculation_count (HEAD->speculation_count)
#define host_rt_speculation_size (HEAD->speculation_size)
#define host_rt_speculation_stride (HEAD->speculation_stride)
#define host_rt_wall_offset (HEAD->wall_offset)
/* No code of the kernel is between the program and the probed code. */
#define host_rt_stub_begin 0
#define host_rt_stub_end 0
#define host_rt_iterator_begin 0
#define host_rt_iterator_end 0
#define host_rt_callers_seen 0
/* The library reads a struct process_task instead of the kernel's structures. */
#define host_rt_offset_task_parent (offsetof(struct process_task, parent))
#define host_rt_offset_task_tgid (offsetof(struct process_task, tgid))
#define host_rt_offset_task_flags (offsetof(struct process_task, flags))
#define host_rt_offset_task_memory (offsetof(struct process_task, self))
#define host_rt_offset_memory_arguments (offsetof(struct process_task, arguments))
#define host_rt_offset_memory_arguments_end (offsetof(struct process_task, arguments_end))
/* Of timers, which do not fire here. */
#define host_rt_offset_perf_event 0
#define host_rt_offset_event_expires 0

/* --- memory ----------------------------------------------------------------------------------- */

static inline long port_read_kernel(void *to, uint32_t size, const void *from)
{
	if (agent_owns(from, size))
		return port_copy(to, size, from);
	memset(to, 0, size);
	return -EFAULT;
}

static inline long port_read_kernel_text(void *to, uint32_t size, const void *from)
{
	return native_read_text(port_read_kernel, to, size, from);
}

#define port_read_user agent_read_user
#define port_read_user_sleepable agent_read_user
#define port_read_user_text agent_read_user_text

/* --- process and time ------------------------------------------------------------------------- */

static inline uint32_t port_cpu(void)
{
	uint32_t cpu = 0;
	if (agent_own.getcpu)
		((long (*)(uint32_t *, void *, void *))agent_own.getcpu)(&cpu, NULL, NULL);
	else
		SYSTEM(SYS_getcpu, &cpu);
	return cpu;
}

static inline uint64_t port_area_on(uint64_t cpu)
{
	return port_area();
}

static inline uint64_t port_pid_tgid(void)
{
	if (agent_own.has_shared && HEAD->follows)
		return sharing_numbers();
	return (uint64_t)agent_own.process << 32 | thread_number();
}

static inline uint64_t clock_now(int clock)
{
	struct __kernel_timespec now;
	typedef long clock_fn(int, struct __kernel_timespec *);
	if (agent_own.clock_gettime)
		((clock_fn *)agent_own.clock_gettime)(clock, &now);
	else
		SYSTEM(SYS_clock_gettime, clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#define CLOCK_OF_TIME 1	  /* CLOCK_MONOTONIC */
#define CLOCK_OF_THREAD 3 /* CLOCK_THREAD_CPUTIME_ID */

static inline uint64_t port_time(void)
{
	return clock_now(CLOCK_OF_TIME);
}

static inline long port_comm(void *to, uint32_t size)
{
	char name[16] = "";
	SYSTEM(SYS_prctl, PR_GET_NAME, name);
	memset(to, 0, size);
	memcpy(to, name, size < sizeof(name) ? size : sizeof(name));
	return 0;
}

static inline void *port_task(void)
{
	return (void *)&agent_own.tasks[0];
}

static inline uint64_t port_task_number(void)
{
	return (uintptr_t)&agent_own.tasks[0];
}

static inline uint32_t port_preempt_count(void)
{
	return 0;
}

/* A thread's block is its area's. */
static inline void *port_task_storage(void *map, void *task, void *value, uint64_t flags)
{
	uint64_t n = port_area();
	if (n >= HEAD->area_count)
		return NULL;
	if (flags == BPF_LOCAL_STORAGE_GET_F_CREATE)
		area_at(n)->has_self = 1;
	return area_at(n)->has_self ? agent_memory + HEAD->self + n * HEAD->self_size : NULL;
}

/* --- records, stacks -------------------------------------------------------------------------- */

static inline void *rt_ring(uint64_t area)
{
	return area < HEAD->area_count ? area_at(area) : NULL;
}

#define port_output agent_output
#define port_large_record dump_recorder

static inline uint64_t port_output_query(void *ring, uint64_t flags)
{
	const struct process_area *area = ring;
	return area ? area->head - __atomic_load_n(&area->tail, __ATOMIC_ACQUIRE) : 0;
}

#define port_find_vma(task, address, found, arg, flags)                                            \
	native_find_vma(port_read_user, task, address, found, arg)

static inline long port_stack(void *context, void *to, uint32_t size, uint64_t flags)
{
	return agent_stack(context, to, size, flags);
}

#endif
