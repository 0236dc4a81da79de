/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults - metrics of page faults
 *
 * dtrace_page_faults_total{program}        memory without a page was touched
 * dtrace_major_page_faults_total{program}  those for which a disk had to be read
 */
#pragma D option quiet
#pragma D option oformat=openmetrics
#pragma D option listen=9405
#pragma D option labels=program

vminfo:::as_fault
{
	@page_faults[execname] = sum(arg0);
}

vminfo:::maj_fault
{
	@major_page_faults[execname] = sum(arg0);
}
