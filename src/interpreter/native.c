/* SPDX-License-Identifier: BSD-2-Clause */
/* The library except its strings (native_string.c), and replacements of BPF helpers */
#include "interpreter/host.h"

#include <signal.h>
#include <stdlib.h>

#include "runtime/aggregate.c"
#include "runtime/deadman.c"
#include "runtime/nodes.c"
#include "runtime/piece.c"
#include "runtime/process/task.c"
#include "runtime/real.c"
#include "runtime/self.c"
#include "runtime/slot.c"
#include "runtime/speculation.c"
#include "runtime/stack/stack.c"
#include "runtime/string/arithmetic.c"
#include "runtime/truncation.c"
#include "runtime/words.c"

struct native native;

static bool is_within(uint64_t address, size_t size, uint64_t begin, uint64_t end)
{
	return address >= begin && address < end && size <= end - address;
}

bool native_owns(const void *address, size_t size)
{
	uint64_t at = (uintptr_t)address, task = (uintptr_t)&native.task;
	return is_within(at, size, task, task + sizeof(native.task)) ||
	       native.owns(native.owner, at, size);
}

/* D's own is no user memory, as it is in the kernel; for a shared memory: interpreter.h. */
bool native_is_user(const void *address, size_t size, bool write)
{
	const struct native_task *task = &native.task;
	if (native.memory.is_shared)
		return !write &&
		       is_within((uintptr_t)address, size, task->arguments, task->arguments_end);
	return !native_owns(address, 1);
}

/* --- what BPF has helpers for ----------------------------------------------------------------- */

#define ROW(name) uint64_t native_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)

ROW(time)
{
	return port_time();
}

/* Nothing fires while the consumer gets no CPU: it is this thread. */
ROW(ticks)
{
	return 0;
}

ROW(pid_tgid)
{
	return port_pid_tgid();
}

ROW(uid_gid)
{
	return (uint64_t)getgid() << 32 | getuid();
}

ROW(cpu)
{
	uint64_t cpu = port_cpu();
	return cpu < native.program->cpu_count ? cpu : 0;
}

ROW(area)
{
	return port_area();
}

ROW(interpreted)
{
	return 0; /* no stack is walked here (port_stack()) */
}

ROW(random)
{
	return (uint32_t)random();
}

ROW(copy)
{
	return (uint64_t)port_copy((void *)a, (uint32_t)b, (const void *)c);
}

ROW(read_kernel)
{
	return (uint64_t)port_read_kernel((void *)a, (uint32_t)b, (const void *)c);
}

ROW(read_user)
{
	return (uint64_t)port_read_user((void *)a, (uint32_t)b, (const void *)c);
}

ROW(comm)
{
	return (uint64_t)port_comm((void *)a, (uint32_t)b);
}

ROW(write_user)
{
	struct iovec here = { (void *)b, c }, there = { (void *)a, c };
	if (!native_is_user((void *)a, c, true) ||
	    process_vm_writev(getpid(), &here, 1, &there, 1, 0) != (ssize_t)c)
		return (uint64_t)-EFAULT;
	return 0;
}

ROW(raise)
{
	if (native.memory.is_shared)
		return (uint64_t)-EPERM;
	return kill(getpid(), (int)a) == 0 ? 0 : (uint64_t)-errno;
}

/* We are in no process's tree. */
ROW(target)
{
	return 0;
}

ROW(vtime)
{
	struct timespec run;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &run);
	return (uint64_t)run.tv_sec * 1000000000 + (uint64_t)run.tv_nsec;
}
