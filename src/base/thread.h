/* SPDX-License-Identifier: BSD-2-Clause */
/* thread - threads that work for the main one */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Start a thread that no signal interrupts: signals are the main thread's.  STACK: bytes, 0: the
 * usual size.  False: there is no thread.
 */
bool thread_start(pthread_t *ret, size_t stack, void *(*run)(void *arg), void *arg);

#endif
