/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched - CPUs
 *
 * chip_of_cpu, node_of_cpu and clock_of_cpus are made from /sys when they are used.
 */
typedef struct processor_info {
	int pi_state;
	char pi_processor_type[16];
	char pi_fputypes[32];
	int pi_clock;
} processor_info_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
} cpuinfo_t;

inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

/* pi_clock is in MHz, 0 where the kernel does not say; the floating point unit has no name here. */
translator processor_info_t < int C > {
	pi_state = P_ONLINE;
	pi_processor_type = type_of_cpus;
	pi_fputypes = "";
	pi_clock = clock_of_cpus;
};

translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = chip_of_cpu[C];
	cpu_lgrp = node_of_cpu[C];
	cpu_info = xlate <processor_info_t>(C);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>(cpu);
inline chipid_t chip = curcpu->cpu_chip;
inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
inline psetid_t pset = curcpu->cpu_pset;
