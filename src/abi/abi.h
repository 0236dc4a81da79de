/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abi - the contract between compiled programs and the code that runs or reads them
 *
 *   program.h  code, layouts, maps: written by codegen, read by all others
 *   state.h    the memory that programs and consumer share
 *   region.h   size and place of each part of that memory
 *   record.h   the records
 *   aggregate.def  the aggregating functions
 *   llquantize.h  the buckets of llquantize()
 *   action.def the actions of records
 *   rt.def     the functions that compiled code may call
 *   offset.def the members of kernel structs that the run-time library reads
 *   exit.h     functions that end by a jump
 *   call.h     values that a call's entry saves for its return
 *   process.h  the memory of processes that run the probes themselves
 *   event.h    events at which code can run, event.def their kinds
 *
 * Headers only.  Nothing here is specific to the kernel as executor: an
 * executor brings a context for each kind of event it supports, the functions of rt.def,
 * and memory in the layout of state.h.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "abi/program.h"
#include "abi/record.h"
#include "abi/region.h"
#include "abi/state.h"

#endif
