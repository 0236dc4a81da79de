/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capable - privileges that processes are tested for
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each test of a capability by the kernel: what a service needs, and what it lacks. It
 * needs the tracepoint cap_capable (Linux 6.14).
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user
 *   PID      process number
 *   COMM     name of the program
 *   CAP      number of the capability
 *   NAME     its name, without CAP_
 *   RESULT   granted or denied
 *
 * See: setuids, dtrace-provider-rawtp
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;
inline string cap_name[int c] =
	c == 0 ? "CHOWN" : c == 1 ? "DAC_OVERRIDE" : c == 2 ? "DAC_READ_SEARCH" :
	c == 3 ? "FOWNER" : c == 4 ? "FSETID" : c == 5 ? "KILL" : c == 6 ? "SETGID" :
	c == 7 ? "SETUID" : c == 8 ? "SETPCAP" : c == 9 ? "LINUX_IMMUTABLE" :
	c == 10 ? "NET_BIND_SERVICE" : c == 11 ? "NET_BROADCAST" : c == 12 ? "NET_ADMIN" :
	c == 13 ? "NET_RAW" : c == 14 ? "IPC_LOCK" : c == 15 ? "IPC_OWNER" :
	c == 16 ? "SYS_MODULE" : c == 17 ? "SYS_RAWIO" : c == 18 ? "SYS_CHROOT" :
	c == 19 ? "SYS_PTRACE" : c == 20 ? "SYS_PACCT" : c == 21 ? "SYS_ADMIN" :
	c == 22 ? "SYS_BOOT" : c == 23 ? "SYS_NICE" : c == 24 ? "SYS_RESOURCE" :
	c == 25 ? "SYS_TIME" : c == 26 ? "SYS_TTY_CONFIG" : c == 27 ? "MKNOD" : c == 28 ? "LEASE" :
	c == 29 ? "AUDIT_WRITE" : c == 30 ? "AUDIT_CONTROL" : c == 31 ? "SETFCAP" :
	c == 32 ? "MAC_OVERRIDE" : c == 33 ? "MAC_ADMIN" : c == 34 ? "SYSLOG" :
	c == 35 ? "WAKE_ALARM" : c == 36 ? "BLOCK_SUSPEND" : c == 37 ? "AUDIT_READ" :
	c == 38 ? "PERFMON" : c == 39 ? "BPF" : c == 40 ? "CHECKPOINT_RESTORE" : lltostr(c);

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %-16s %3s %-18s %s\n", "TIME(s)", "UID", "PID", "COMM", "CAP", "NAME", "RESULT");
}

/* arg3 is the capability, arg4 0 or minus the error. */
rawtp:::cap_capable
/is_ours/
{
	printf("%5d.%03d %6d %7d %-16s %3d %-18s %s\n", ms / 1000, ms % 1000, uid, pid, execname, (int)arg3,
	    cap_name[(int)arg3], (int)arg4 ? "denied" : "granted");
	@tests[execname, cap_name[(int)arg3], (int)arg4 ? "denied" : "granted"] = count();
}

END
{
	printf("\n%-16s %-18s %-8s %8s\n", "COMM", "NAME", "RESULT", "COUNT");
	printa("%-16s %-18s %-8s %@8d\n", @tests);
}
