/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_code - code of this process that no uprobe reaches
 *
 * A probe that is in all processes which run a file is in us, too, if we run it: think of the C
 * library.  dtrace then stops at each call of its own.  A copy of the code in anonymous memory, at
 * the same address, has no file, so the kernel sets no breakpoint in it.
 */
#ifndef PROCESS_OWN_CODE_H
#define PROCESS_OWN_CODE_H

#include "base/base.h"

struct mapping;

/*
 * Replace M, a mapping of code of this process, by a copy of its file's bytes.  False: it stays as
 * it is (memory is short, or a security module forbids code without a file).
 */
bool own_code_copy(const struct mapping *m);

#endif
