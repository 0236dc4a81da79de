/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the wing of advice; see advice.h */
#include "tracer/advice/advice.h"

static void advice_checked(struct tracer *t, const struct program_node *program, bool is_right)
{
	if (!is_right || t->request.only_lists)
		return;
	unset_start_warn(program);
	loop_variable_warn(program);
}

static struct error *advice_enable(struct tracer *t)
{
	for (unsigned n = 0; n < tracer_halves(t); n++) {
		const struct half h = tracer_half(t, n);
		struct error *err = detach_check(t, h.program);
		if (err)
			return err;
		if (!h.executor->enter) { /* by the kernel's probes */
			cost_report(t, h.program);
			jumps_report(t, h.program);
		}
		kernel_cost_report(t, h.program);
		tracer_report_returns(t, h.program);
	}
	compat_calls_report(t);
	unbuilt_report(t);
	return NULL;
}

static void advice_report(struct tracer *t)
{
	quiet_calls_report(t);
	unseen_entries_report(t);
}

const struct wing advice_wing = {
	.checked = advice_checked,
	.enable = advice_enable,
	.report = advice_report,
};
