/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace/wait.h - a program waits for its probes, if a dtrace says that it traces them
 *
 * Included by the headers of dtrace -h.  A dtrace finds probes of every process (myapp:::) in a
 * program when the program is mapped; a short program would have ended by then.  So a dtrace gives
 * its commands a variable,
 *
 *	DTRACE_WAITS_FOR=PID WORD...	WORD: a provider, or with a * how its name begins
 *
 * and a constructor looks for it.  If it names our provider, and the process PID is there, we wait
 * until a counter of our probes says that one is traced and for 1 ms no other has become so, at
 * most 10 ms in all.  Without the variable nothing is read or called, and a setuid program never
 * looks.
 *
 * Nothing depends on the program's feature macros: the C library's functions are declared here, and
 * their names are in no program's way.
 */
#ifndef _DTRACE_WAIT_H
#define _DTRACE_WAIT_H

#include <sys/syscall.h>

#if defined(__linux__) && defined(SYS_clock_gettime) && defined(SYS_nanosleep) &&                  \
	!defined(_SDT_HAS_SEMAPHORES) && !defined(DTRACE_NO_WAIT)

#ifdef __cplusplus
extern "C" {
#endif
extern char *_dtrace_getenv(const char *name) __asm__("secure_getenv");
extern long _dtrace_syscall(long number, ...) __asm__("syscall");
#ifdef __cplusplus
}
#endif

#define _DTRACE_WAIT_MOST 9800000L   /* ns, with the last sleep less than 10 ms */
#define _DTRACE_WAIT_SETTLE 1000000L /* without another counter that is set */
#define _DTRACE_WAIT_SLEEP 100000L

typedef const volatile unsigned short *_dtrace_counter;

struct _dtrace_time {
	long seconds, nanoseconds;
};

static __inline__ int _dtrace_wait_is_for(const char *words, const char *provider)
{
	while (*words) {
		const char *p = provider;
		while (*words == ' ')
			words++;
		for (; *p && *words == *p; words++)
			p++;
		if (*words == '*' || (!*p && (!*words || *words == ' ')))
			return 1;
		while (*words && *words != ' ')
			words++;
	}
	return 0;
}

/* How many of the counters are set. */
static __inline__ unsigned _dtrace_wait_set(const _dtrace_counter *counters, unsigned count)
{
	unsigned set = 0, i;
	for (i = 0; i < count; i++)
		set += *counters[i] != 0;
	return set;
}

static __inline__ long _dtrace_wait_since(const struct _dtrace_time *start)
{
	struct _dtrace_time now = { 0, 0 };
	_dtrace_syscall(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, &now);
	if (now.seconds - start->seconds > 1)
		return 2000000000L;
	return (now.seconds - start->seconds) * 1000000000L + now.nanoseconds - start->nanoseconds;
}

static __inline__ void _dtrace_wait(const char *provider, const _dtrace_counter *counters,
				    unsigned count)
{
	const char *words = _dtrace_getenv("DTRACE_WAITS_FOR");
	struct _dtrace_time start = { 0, 0 };
	const struct _dtrace_time pause = { 0, _DTRACE_WAIT_SLEEP };
	long pid = 0, now = 0, changed = 0;
	unsigned set = 0;
	if (!words)
		return;
	for (; *words >= '0' && *words <= '9'; words++)
		pid = pid * 10 + (*words - '0');
	/* Counters that are set now were so before: all are in place. */
	if (!_dtrace_wait_is_for(words, provider) || _dtrace_syscall(SYS_getpgid, pid) < 0 ||
	    _dtrace_wait_set(counters, count))
		return;
	_dtrace_syscall(SYS_clock_gettime, 1, &start);
	while (now < _DTRACE_WAIT_MOST && (!set || now - changed < _DTRACE_WAIT_SETTLE)) {
		unsigned before = set;
		_dtrace_syscall(SYS_nanosleep, &pause, (void *)0);
		now = _dtrace_wait_since(&start);
		set = _dtrace_wait_set(counters, count);
		if (set != before)
			changed = now;
	}
}

/* A counter of PROVIDER_NAME, defined here if the program does not ask for it elsewhere. */
#define _DTRACE_WAIT_COUNTER(variable, semaphore)                                                  \
	__extension__({                                                                            \
		extern unsigned short _dtrace_##variable __asm__(semaphore)                        \
			__attribute__((visibility("hidden")));                                     \
		_DTRACE_SDT_ASM(_DTRACE_SDT_COUNTER(semaphore)::);                                 \
		(_dtrace_counter)&_dtrace_##variable;                                              \
	})

/*
 * Before other constructors, which may fire.  Each file of a program that includes the header
 * brings one; the first one that runs waits for all.
 */
#define _DTRACE_WAIT(name, provider, count, ...)                                                   \
	__attribute__((weak, visibility("hidden"))) unsigned char _dtrace_waited_##name = 0;       \
	static __attribute__((constructor(101))) void _dtrace_wait_for_##name(void)                \
	{                                                                                          \
		const _dtrace_counter counters[count] = { __VA_ARGS__ };                           \
		if (!_dtrace_waited_##name) {                                                      \
			_dtrace_waited_##name = 1;                                                 \
			_dtrace_wait(provider, counters, count);                                   \
		}                                                                                  \
	}

#else

#define _DTRACE_WAIT(name, provider, count, ...)

#endif

#endif
