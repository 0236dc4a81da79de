/* SPDX-License-Identifier: BSD-2-Clause */
/* processor - what its translator of sched.d says of every CPU of this machine */
inline string type_of_cpus = "x86_64";
