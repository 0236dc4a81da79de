/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt - timers of the kernel */

typedef struct callout {
	uintptr_t c_func; /* what is called */
	uintptr_t c_arg;  /* with this: the timer */
} callout_t;

#pragma D binding "1.6.3" translator
translator callout_t < struct timer_list *T > {
	c_func = (uintptr_t)T->function;
	c_arg = (uintptr_t)T;
};

#pragma D binding "1.6.3" translator
translator callout_t < struct hrtimer *T > {
	c_func = (uintptr_t)T->function;
	c_arg = (uintptr_t)T;
};
