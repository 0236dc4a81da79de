/* SPDX-License-Identifier: BSD-2-Clause */
/* system - this processor: system calls, the thread pointer, exchanges that only signals see */
#ifndef AGENT_SYSTEM_H
#define AGENT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Up to six numbers; a result of the kernel, so negative for errors. */
#define SYSTEM(n, ...) system_call_of(n, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define system_call_of(n, a, b, c, d, e, f, ...)                                                   \
	system_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#if defined(__x86_64__)

static inline long system_call(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long result;
	asm volatile("syscall"
		     : "=a"(result)
		     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		     : "rcx", "r11", "memory");
	return result;
}

static inline uint32_t thread_word(uint64_t offset)
{
	uint32_t word;
	asm volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"(offset));
	return word;
}

static inline uint64_t thread_pointer(void)
{
	uint64_t pointer;
	asm volatile("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* Of a call of the system, and the stack pointer: CONTEXT is struct pt_regs of the kernel. */
static inline uint64_t context_argument(const void *context)
{
	return ((const uint64_t *)context)[14];
}

static inline uint64_t context_number(const void *context)
{
	return ((const uint64_t *)context)[10];
}

static inline uint64_t context_stack(const void *context)
{
	return ((const uint64_t *)context)[19];
}

/* One instruction, so a signal handler of this thread comes before or after it (5 ns for each
 * `lock`). */
static inline uint64_t own_exchanged(uint64_t *word, uint64_t from, uint64_t to)
{
	asm volatile("cmpxchgq %2, %0" : "+m"(*word), "+a"(from) : "r"(to) : "memory", "cc");
	return from;
}

/* The same of additions (runtime/runtime.h). */
#define ADD_OWN(word, n) asm volatile("addq %1, %0" : "+m"(*(word)) : "er"((uint64_t)(n)) : "cc")

static inline uint64_t own_fetch_add(uint64_t *word, uint64_t n)
{
	asm volatile("xaddq %0, %1" : "+r"(n), "+m"(*word) : : "cc");
	return n;
}
#define FETCH_OWN(word, n) own_fetch_add(word, n)
#define EXCHANGE_OWN own_exchanged

#else
#error "agent: this processor is not supported yet"
#endif

#endif
