/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Walks of the thread's own stack by tables of .eh_frame (runtime/stack/unwind.h)
 *
 * The library's walk is the kernel's.  Only the way from an address to a file's table is another:
 * the tracer writes down what the process has mapped (struct process_mappings).
 */
#include "agent/inside/host.h"

#define rt_walks (agent_memory + HEAD->walks)
#define rt_unwind_pool (agent_memory + HEAD->pool)
#define host_rt_walks_end (HEAD->area_count * WALKS_PER_AREA * sizeof(struct stack_walk))
#define host_rt_pool_mask (HEAD->pool_size - 1)
#define host_rt_context_registers 1
#define host_rt_namespace 0

#define host_rt_has_link (HEAD->machine.has_link)
#define host_rt_registers_size (HEAD->machine.registers_size)
#define host_rt_register_pc (HEAD->machine.register_pc)
#define host_rt_register_stack (HEAD->machine.register_stack)
#define host_rt_register_frame (HEAD->machine.register_frame)
#define host_rt_register_saved (HEAD->machine.register_saved)
#define host_rt_register_mode (HEAD->machine.register_mode)
#define host_rt_mode_mask (HEAD->machine.mode_mask)
#define host_rt_mode_64 (HEAD->machine.mode_64)
#define host_rt_mode_32 (HEAD->machine.mode_32)
#define host_rt_code_mask (HEAD->machine.code_mask)

/* Mappings that a walk remembers are right until the pool's generation changes. */
#define host_rt_offset_memory_tree (offsetof(struct process_task, self))
#define host_rt_offset_memory_sequence (offsetof(struct process_task, sequence))
#define host_rt_offset_task_exec_id (offsetof(struct process_task, flags))
#define host_rt_offset_task_probes (offsetof(struct process_task, returns))
/* Of return probes of the kernel, and of its files: not here. */
#define host_rt_offset_probes_returns 0
#define host_rt_offset_memory_probes 0
#define host_rt_offset_area_address 0
#define host_rt_offset_return_stack 0
#define host_rt_offset_return_address 0
#define host_rt_offset_return_next 0
#define host_rt_offset_vma_file 0
#define host_rt_offset_file_inode 0
#define host_rt_offset_inode_sb 0
#define host_rt_offset_inode_number 0
#define host_rt_offset_inode_generation 0
#define host_rt_offset_inode_changed_s 0
#define host_rt_offset_inode_changed_ns 0
#define host_rt_offset_sb_device 0

/* What is read so are the registers alone: the trampoline's, on the thread's stack. */
#define port_read_kernel agent_read_user

static inline void *port_user_regs(void *task)
{
	return NULL;
}

#include "runtime/stack/unwind.c"
#include "runtime/stack/unwind_frame.c"

long rt_namespace_pid_tgid(void)
{
	return (long)port_pid_tgid();
}

long rt_walk_vma(uint64_t at, uint64_t address)
{
	return -1;
}

/* No stack waits for a table: it ends where there is none, and says so. */
long rt_walk_copy(uint64_t at, uint64_t address)
{
	return 0;
}

long rt_walk_map(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	const struct process_mappings *all =
		(const struct process_mappings *)(void *)(agent_memory + agent_own.mappings);
	if (!w || !agent_own.mappings || agent_own.program != HEAD->program)
		return -1;
	uint64_t current = __atomic_load_n(&all->current, __ATOMIC_ACQUIRE) & 1;
	const struct walk_mapping *list = all->lists[current];
	uint64_t low = 0, high = all->counts[current], count = high;
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == count || list[low].begin > address)
		return -1;
	uint64_t number = w->next_mapping++ & (WALK_MAPPINGS - 1);
	w->mappings[number] = list[low];
	return (long)number;
}
