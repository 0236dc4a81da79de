# What: what refuses the shared memory of -x executor=process is named, and nothing is left of it.  Needs: cc.  Executors: usual (it names them).
. "$LIB"
refused() {
	words=$1
	shift
	trace -x executor=process -n 'BEGIN { printf("begun\n"); }' "$@"
	[ "$status" -eq 1 ] || fail "status $status: $words"
	contains "$words" err
	grep -q begun out && fail "BEGIN ran: $words"
	true
}
# A limit of the address space, which it has from dtrace.
(ulimit -v 400000; refused 'may have 390 MiB of address space (ulimit -v) and has [0-9]*, and the shared memory needs [0-9]* more: lower bufsize' -c true) || exit 1
# Two processes, a 32-bit program.
refused 'executor=process traces one process so far' -c true -c true
if echo 'int main(void) { return 0; }' | cc -m32 -xc -o narrow - 2>/dev/null; then
	refused 'it has a 32-bit program: use executor=kernel' -c ./narrow
fi
# Filters of system calls.
cat >filter.c <<-'END'
	#include <linux/audit.h>
	#include <linux/filter.h>
	#include <linux/seccomp.h>
	#include <stddef.h>
	#include <stdlib.h>
	#include <sys/prctl.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	/* filter ANSWER NUMBER COMMAND...: system call NUMBER gets ANSWER */
	int main(int argc, char **argv)
	{
		unsigned answer = (unsigned)strtoul(argv[1], 0, 0);
		struct sock_filter code[] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[2]), 0, 1),
			BPF_STMT(BPF_RET | BPF_K, answer),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		};
		struct sock_fprog program = { sizeof(code) / sizeof(*code), code };
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
			return 3;
		execv(argv[3], argv + 3);
		return 4;
	}
	END
cc -O -o filter filter.c || fail "cc"
memfd=319
filtered() {
	words=$1 answer=$2
	shift 2
	timeout 60 ./filter "$answer" $memfd "$DTRACE" -q -x executor=process -n 'BEGIN { printf("begun\n"); }' -c true >out 2>err
	status=$?
	[ $status -eq 1 ] || fail "status $status: $words"
	contains "$words" err
}
filtered 'a filter of system calls (seccomp) that it has from dtrace kills at memfd_create' 0x80000000
filtered 'a filter of system calls (seccomp) that it has from dtrace refuses memfd_create.*: Operation not permitted' 0x50001
# A filter that does not mind.
memfd=400
timeout 60 ./filter 0x80000000 $memfd "$DTRACE" -q -x executor=process -n 'BEGIN { printf("begun\n"); }' -c true >out 2>err || fail "status $?"
contains begun out
# A process that filters later.
cat >later.c <<-'END'
	#include <linux/filter.h>
	#include <linux/seccomp.h>
	#include <sys/prctl.h>
	#include <unistd.h>
	int main(void)
	{
		struct sock_filter code[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
		struct sock_fprog program = { 1, code };
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
			return 3;
		usleep(500000);
		return 0;
	}
	END
cc -O -o later later.c || fail "cc"
trace -x executor=process -x statusrate=100ms -n 'BEGIN { @ = count(); }' -c ./later
[ "$status" -eq 0 ] || fail "status $status"
contains 'process [0-9]* filters its system calls now (seccomp), which may end it' err
