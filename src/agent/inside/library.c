/* SPDX-License-Identifier: BSD-2-Clause */
/* The run-time library except its strings (library_string.c) */
#include "agent/inside/host.h"

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
