/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotkernel - functions of the kernel that use the CPUs
 *
 * Usage: [-p PID | -c COMMAND] [ROWS]
 *
 * Looks 997 times a second at what each CPU executes, until ^C or until the command has ended, and
 * counts the functions of the kernel. It needs no kprobes.
 *
 * Arguments:
 *   ROWS  functions that are shown, by default 30
 *
 * Columns:
 *   FUNCTION  the function, with its module
 *   SAMPLES   how often a CPU was in it: at 997, a CPU was in it for a second
 *
 * See: hotuser, offcpu, dtrace-provider-profile
 */
#pragma D option quiet
#pragma D option defaultargs

int64_t rows;

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	rows = $$1 == "" ? 30 : strtoll($$1);
	is_refused = $$1 != "" && (rows < 1 || rows > 1000000000 || lltostr(rows) != $$1);
}

BEGIN
/is_refused/
{
	printf("hotkernel needs ROWS as a number from 1 to 1000000000\n");
	exit(1);
}

BEGIN
/!is_refused/
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
/!is_refused/
{
	trunc(@functions, rows);
	printf("\n%-48s %10s\n", "FUNCTION", "SAMPLES");
	printa("%-48a %@10d\n", @functions);
	printa("\n%@d of", @kernel);
	printa(" %@d samples were in the kernel\n", @all);
}
