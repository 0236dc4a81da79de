/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Cookies of places that are one event (kernel/link/place_event.c)
 *
 * The event's cookie asks for the place's own, the constant that is the place's argument.  While
 * our program runs, the thread knows the place:
 *
 *    task.utask --> uprobe_task.vaddr --> uprobe_dispatch_data.tu --> trace_uprobe.tp.args
 *                                              probe_arg.code --> fetch_insn.immediate
 */
#include "abi/exit.h"
#include "runtime/runtime.h"

long rt_site_cookie(void *context)
{
	uint64_t cookie = port_attach_cookie(context);
	if (cookie != COOKIE_OF_PLACE)
		return cookie;
	uint64_t probes = word_at(port_task_number() + NUMBER(rt_offset_task_probes));
	uint64_t dispatch = word_at(probes + NUMBER(rt_offset_probes_dispatch));
	uint64_t place = word_at(dispatch + NUMBER(rt_offset_dispatch_place));
	uint64_t code = word_at(place + NUMBER(rt_offset_place_arguments) +
				NUMBER(rt_offset_argument_code));
	return code ? word_at(code + NUMBER(rt_offset_code_number)) : COOKIE_OF_PLACE;
}
