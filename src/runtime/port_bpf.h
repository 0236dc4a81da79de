/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * port_bpf - the run-time library's interface to its executor, in the kernel
 *
 * BPF helpers, by number (include/uapi/linux/bpf.h).  In a process the same names are
 * defined by port_native.h and the header that includes it; nothing else in runtime/
 * depends on the executor.
 */
#ifndef RUNTIME_PORT_BPF_H
#define RUNTIME_PORT_BPF_H

#include <linux/bpf.h>

#include "abi/record.h"

/* Memory and numbers that the executor's loader fills in. */
extern char rt_scratch[];	 /* slots */
extern char rt_control[];	 /* struct control */
extern char rt_counters[];	 /* struct area_counters [] */
extern char rt_constants[];	 /* begins with program.zeros_size zero bytes */
extern char rt_self[];		 /* self variables of threads */
extern char rt_threads[];	 /* struct self_thread by the serial numbers of blocks */
extern char rt_vtimes[];	 /* struct vtime of threads */
extern char rt_suspended[];	 /* struct suspended of threads */
extern char rt_watched[];	 /* numbers of processes whose new code is reported */
extern char rt_task_waits[];	 /* struct task_wait of processes that wait, by number */
extern char rt_arrivals[];	 /* the ring buffer of struct arrival */
extern char rt_clause_drops[];	 /* struct clause_drops [areas][clauses] */
extern char rt_flight[];	 /* struct flight and its data, again and again */
extern char rt_speculations[];	 /* struct speculation and its records, again and again */
extern char rt_cgroup_cells[];	 /* uint64_t [CGROUP_CELLS] */
extern char rt_cgroup_rules[];	 /* struct cgroup_rules */
extern char rt_cgroups[];	 /* the ids of all that are traced */
extern char rt_walks[];		 /* struct stack_walk [areas][WALKS_PER_AREA], and one more */
extern char rt_unwind_pool[];	 /* tables for walks (abi/unwind.h) */
extern char rt_unwind_files[];	 /* struct unwind_file by struct unwind_key */
extern char rt_stack_copies[];	 /* the ring buffer of struct stack_copy */
extern char rt_interpreters[];	 /* struct interpreted_process by process number */
extern char rt_codes[];		 /* places in the texts by struct code_key */
extern char rt_code_texts[];	 /* struct code_texts, and those of code */
extern char rt_calls[];		 /* tags of cells, then struct call_cell and values */
extern char rt_exit_places[];	 /* struct exit_place by struct exit_key */
extern char rt_exit_counts[];	 /* of the places of each process, by its number */
extern char rt_exit_functions[]; /* of the program: struct exit_function that are covered */
extern char rt_exit_files[];	 /* the same: numbers of files by struct exit_file */
extern char rt_table[];		 /* the group's probe table */

/* Numbers, as addresses of symbols that the loader chooses: constants to the verifier. */
extern const char rt_areas[];	    /* program.area_count */
extern const char rt_slot_size[];   /* a power of two */
extern const char rt_slots_end[];   /* bytes of all slots; the memory has one slot more */
extern const char rt_ring_size[];   /* bytes of each buffer, a power of two */
extern const char rt_string_size[]; /* strsize */
extern const char rt_frames[];	    /* the most frames of the kernel's stack walk:
				     * kernel.perf_event_max_stack */
extern const char rt_clauses[];	    /* the number of clauses whose drops are counted: all, or 0 */
extern const char rt_policy[];	    /* enum buffer_policy */
extern const char rt_walks_end[];   /* bytes of all walks; the memory has one walk more */
extern const char rt_pool_mask[];   /* bytes of the pool, a power of two, less one */
extern const char rt_copy_pages[];  /* the most of a stack that are copied; 0: no stack is */
/* Is the context struct pt_regs, and nothing else has the registers at the probe? */
extern const char rt_context_registers[];
extern const char rt_flight_count[];
extern const char rt_flight_stride[];
extern const char rt_speculation_count[];
extern const char rt_speculation_size[];   /* bytes of records in each */
extern const char rt_speculation_stride[]; /* with space for the largest record after them */
/*
 * The range of the kernel's code that calls programs at this event; both 0: there is none, or it
 * is unknown.  rt_stub is __bpf_trace_X(), rt_iterator __traceiter_X() (runtime/stack/stack.c).
 */
extern const char rt_stub_begin[], rt_stub_end[], rt_iterator_begin[], rt_iterator_end[];
extern const char rt_callers_seen[]; /* the index in control's callers_seen */
extern const char rt_follow[];	     /* enum follow_flag */
extern const char rt_namespace[];    /* inode of the tracer's PID namespace */
extern const char rt_table_entries[], rt_table_entry_size[];
extern const char rt_call_mask[];     /* the number of buckets, a power of two, less one */
extern const char rt_call_cells[];    /* bytes of all tags */
extern const char rt_call_size[];     /* of a cell with its value */
extern const char rt_call_values[];   /* how many there are */
extern const char rt_exit_group[];    /* a number of the program's, among all loaded ones */
extern const char rt_wall_offset[];   /* CLOCK_REALTIME - CLOCK_MONOTONIC, ns */
extern const char rt_preempt_place[]; /* address of its preempt count (loader/kernel_offsets.c) */
extern const char rt_preempt_fair_queue[], rt_preempt_queue[], rt_preempt_offset[];
#define OFFSET(name, type, member) extern const char rt_offset_##name[];
#include "abi/offset.def"
#undef OFFSET
#define MACHINE(name, value) extern const char rt_##name[];
#include "abi/machine.def"
#undef MACHINE
extern const char rt_page_size[];
#define NUMBER(symbol) ((uint64_t)(symbol))

/* An area's buffer.  The loader generates this function from the buffers (loader/link.c). */
void *rt_ring(uint64_t area);

static void *(*const port_map_lookup)(void *map,
				      const void *key) = (void *)BPF_FUNC_map_lookup_elem;
static long (*const port_map_update)(void *map, const void *key, const void *value,
				     uint64_t flags) = (void *)BPF_FUNC_map_update_elem;
static long (*const port_map_remove)(void *map, const void *key) = (void *)BPF_FUNC_map_delete_elem;
/*
 * A copy within our own memory: it cannot fail.  The helper that reads kernel memory is used,
 * because BPF has no other instruction or helper with a size known only at run time.
 */
static long (*const port_copy)(void *to, uint32_t size,
			       const void *from) = (void *)BPF_FUNC_probe_read_kernel;
/* The same up to the first NUL; the result is the number of bytes with the NUL. */
static long (*const port_copy_text)(void *to, uint32_t size,
				    const void *from) = (void *)BPF_FUNC_probe_read_kernel_str;
/* Read from an address that may be anything but user memory. */
static long (*const port_read_kernel)(void *to, uint32_t size,
				      const void *from) = (void *)BPF_FUNC_probe_read_kernel;
static long (*const port_read_user)(void *to, uint32_t size,
				    const void *from) = (void *)BPF_FUNC_probe_read_user;
static long (*const port_read_user_sleepable)(void *to, uint32_t size,
					      const void *from) = (void *)BPF_FUNC_copy_from_user;
static long (*const port_read_kernel_text)(void *to, uint32_t size, const void *from) = (void *)
	BPF_FUNC_probe_read_kernel_str;
static long (*const port_read_user_text)(void *to, uint32_t size,
					 const void *from) = (void *)BPF_FUNC_probe_read_user_str;
static void *(*const port_user_regs)(void *task) = (void *)BPF_FUNC_task_pt_regs;
static long (*const port_read_task)(void *to, uint32_t size, const void *from, void *task,
				    uint64_t flags) = (void *)BPF_FUNC_copy_from_user_task;
static uint32_t (*const port_cpu)(void) = (void *)BPF_FUNC_get_smp_processor_id;
static uint64_t (*const port_pid_tgid)(void) = (void *)BPF_FUNC_get_current_pid_tgid;
static uint64_t (*const port_time)(void) = (void *)BPF_FUNC_ktime_get_ns;

static long (*const port_comm)(void *to, uint32_t size) = (void *)BPF_FUNC_get_current_comm;
static void *(*const port_task)(void) = (void *)BPF_FUNC_get_current_task_btf;
static uint64_t (*const port_task_number)(void) = (void *)BPF_FUNC_get_current_task;
static uint64_t (*const port_attach_cookie)(void *context) = (void *)BPF_FUNC_get_attach_cookie;
static void *(*const port_task_storage)(void *map, void *task, void *value,
					uint64_t flags) = (void *)BPF_FUNC_task_storage_get;
static long (*const port_output)(void *ring, void *data, uint64_t size,
				 uint64_t flags) = (void *)BPF_FUNC_ringbuf_output;
static void *(*const port_reserve)(void *ring, uint64_t size,
				   uint64_t flags) = (void *)BPF_FUNC_ringbuf_reserve;
static void (*const port_submit)(void *data, uint64_t flags) = (void *)BPF_FUNC_ringbuf_submit;
static void (*const port_discard)(void *data, uint64_t flags) = (void *)BPF_FUNC_ringbuf_discard;
static uint64_t (*const port_output_query)(void *ring,
					   uint64_t flags) = (void *)BPF_FUNC_ringbuf_query;
static long (*const port_loop)(uint32_t count, void *body, void *arg,
			       uint64_t flags) = (void *)BPF_FUNC_loop;
static long (*const port_for_each)(void *map, void *body, void *arg,
				   uint64_t flags) = (void *)BPF_FUNC_for_each_map_elem;
static long (*const port_find_vma)(void *task, uint64_t address, void *found, void *arg,
				   uint64_t flags) = (void *)BPF_FUNC_find_vma;
static long (*const port_stack)(void *context, void *to, uint32_t size,
				uint64_t flags) = (void *)BPF_FUNC_get_stack;

/*
 * Kernel functions without a number: the loader replaces our number by their BTF ids (abi/state.h).
 * This one runs FUNCTION(map, its key, its value), which may sleep, before TASK returns to user
 * space; WORK is in the value.
 */
static long (*const port_before_user)(void *task, void *work, void *map, void *function,
				      void *unused) = (void *)KERNEL_TASK_WORK;

/* The area whose memory this firing adds to (abi/state.h): the CPU. */
static inline uint64_t port_area(void)
{
	return port_cpu();
}

/* The same if the CPU is known. */
static inline uint64_t port_area_on(uint64_t cpu)
{
	return cpu;
}

/* Eight bytes from any address: our kernels' architectures all load unaligned words. */
static inline uint64_t port_word(const void *at)
{
	return *(const uint64_t *)at;
}

static inline void port_put_word(void *at, uint64_t word)
{
	*(uint64_t *)at = word;
}

/* The depth of interrupts, see rt_ipl(); 0 if it is unknown. */
static inline uint32_t port_preempt_count(void)
{
	uint64_t at = port_task_number();
	uint32_t count = 0;
	if (NUMBER(rt_preempt_place) == 0)
		return 0;
	if (NUMBER(rt_preempt_place) == 2) {
		port_read_kernel(&at, sizeof(at), (void *)(at + NUMBER(rt_preempt_fair_queue)));
		port_read_kernel(&at, sizeof(at), (void *)(at + NUMBER(rt_preempt_queue)));
	}
	port_read_kernel(&count, sizeof(count), (void *)(at + NUMBER(rt_preempt_offset)));
	return count;
}

#define PORT_USER_STACK BPF_F_USER_STACK
#define PORT_NO_VMA -2	/* -ENOENT */
#define PORT_EXISTS -17 /* -EEXIST */
#define PORT_WAKE BPF_RB_FORCE_WAKEUP
#define PORT_NO_WAKE BPF_RB_NO_WAKEUP

#endif
