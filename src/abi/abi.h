/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abi - the contract of compiled programs and all who run or read them
 *
 *   program.h  code, layouts, maps: codegen writes it, everybody else reads it
 *   state.h    the memory that programs and consumer share
 *   region.h   how large the parts of that memory are, and where each is
 *   record.h   the records
 *   aggregate.def  the aggregating functions
 *   llquantize.h  where the buckets of llquantize() lie
 *   action.def what a record's actions can be
 *   rt.def     what compiled code may call
 *   offset.def what the run-time library reads of the kernel's structs
 *   event.h    where code can run, event.def its kinds
 *
 * Headers only.  Nothing here is specific to the kernel as executor: an
 * executor brings a context for each kind of event it supports, the functions of rt.def,
 * and memory laid out as state.h says.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "abi/program.h"
#include "abi/record.h"
#include "abi/region.h"
#include "abi/state.h"

#endif
