/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that entries save for returns */
#include "agent/inside/host.h"

#define rt_calls (agent_memory + HEAD->calls)
#define host_rt_call_mask (HEAD->call_mask)
#define host_rt_call_cells (HEAD->call_cells)
#define host_rt_call_size (HEAD->call_size)
#define host_rt_call_values (HEAD->call_values)
/* Of ends of threads, which no event here is. */
#define host_rt_offset_task_signal 0
#define host_rt_offset_signal_live 0

/* Calls that nest are of a thread; the number of the task is the process's here. */
#define port_task_number port_pid_tgid

#include "runtime/process/call.c"
