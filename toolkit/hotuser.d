/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotuser - functions of programs that use the CPUs
 *
 * Usage: [-p PID | -c COMMAND] [-n ROWS]
 *
 * Looks 997 times a second at what each CPU executes, until ^C or until the command has ended, and
 * counts the functions of programs and libraries.
 *
 * Columns:
 *   COMM      name of the program
 *   FUNCTION  the function, with its file
 *   SAMPLES   how often a CPU was in it: at 997, a CPU was in it for a second
 *
 * See: hotkernel, cpudist, funccount, dtrace-provider-profile
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument rows "-n ROWS" "functions that are shown" default 30 from 1 to 1000000000

BEGIN
{
	printf("Sampling programs. ^C ends it.\n");
}

profile-997hz
/!$target || target/
{
	@all = count();
	@programs = sum(arg1 != 0);
}

profile-997hz
/arg1 && (!$target || target)/
{
	@functions[execname, ufunc(arg1)] = count();
}

END
{
	trunc(@functions, $rows);
	printf("\n%-16s %-48s %10s\n", "COMM", "FUNCTION", "SAMPLES");
	printa("%-16s %-48A %@10d\n", @functions);
	printa("\n%@d of", @programs);
	printa(" %@d samples were in programs\n", @all);
}
