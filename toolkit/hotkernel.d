/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotkernel - functions of the kernel that use the CPUs
 *
 * Usage: [-p PID | -c COMMAND] [-n ROWS]
 *
 * Looks 997 times a second at what each CPU executes, until ^C or until the command has ended, and
 * counts the functions of the kernel. It needs no kprobes.
 *
 * Columns:
 *   FUNCTION  the function, with its module
 *   SAMPLES   how often a CPU was in it: at 997, a CPU was in it for a second
 *
 * See: hotuser, offcpu, dtrace-provider-profile
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument rows "-n ROWS" "functions that are shown" default 30 from 1 to 1000000000

BEGIN
{
	printf("Sampling the kernel. ^C ends it.\n");
}

profile-997hz
/!$target || target/
{
	@all = count();
	@kernel = sum(arg0 != 0);
}

profile-997hz
/arg0 && (!$target || target)/
{
	@functions[func(arg0)] = count();
}

END
{
	trunc(@functions, $rows);
	printf("\n%-48s %10s\n", "FUNCTION", "SAMPLES");
	printa("%-48a %@10d\n", @functions);
	printa("\n%@d of", @kernel);
	printa(" %@d samples were in the kernel\n", @all);
}
