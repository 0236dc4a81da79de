# What: dtrace --core prints what dtrace has printed, of programs with entry(), ERROR and #pragma, of a process that executes another program, and of a core that is cut anywhere; what a core does not have is reported.  Needs: cc python3.
# Executors: usual (it names them).
. "$LIB"
cores_here
cat >fire.c <<-'END'
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/mman.h>
	#include <sys/syscall.h>
	#include <sys/prctl.h>
	#include <unistd.h>

	__attribute__((noinline)) long fired(long n)
	{
		__asm__ volatile("" : : "r"(n) : "memory");
		return n + 1;
	}

	/* fire COUNT END: abort; exec: COUNT times again, then abort; full: no mapping is left; strict */
	int main(int argc, char **argv)
	{
		long count = atol(argv[1]);
		if (!strcmp(argv[2], "full"))
			for (long i = 0; mmap(0, 4096, i % 2 ? PROT_READ : PROT_NONE,
					      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED; i++)
				;
		if (!strcmp(argv[2], "strict"))
			prctl(PR_SET_SECCOMP, 1); /* SECCOMP_MODE_STRICT */
		for (long i = 0; i < count; i++)
			fired(i);
		if (!strcmp(argv[2], "strict"))
			syscall(SYS_exit, 0);
		if (!strcmp(argv[2], "exec"))
			execl("./again", "again", argv[1], "abort", (char *)0);
		raise(SIGABRT);
		return 0;
	}
END
cc -g -O1 -o fire fire.c || fail "cc"
cp fire again
ring="-x executor=process -x bufpolicy=ring -b 64k"

# same_in_core WHAT - the core has what was printed
same_in_core() {
	mv out printed
	trace --core core
	same "$status" 0 "reading the core of $1"
	cmp out printed || fail "$1: the core has other records than dtrace has printed"
}
trace $ring -qn 'pid$target:a.out:fired:return { printf("r %d\n", entry(arg0)); }' -c './fire 5 abort'
same "$(grep -c '^r' out)" 5 "entry()"
same_in_core "entry()"

trace $ring -qn 'pid$target:a.out:fired:entry { printf("%s", copyinstr(8)); } ERROR { printf("%s %d\n", probename, arg4); }' -c './fire 5 abort'
same "$(grep -c '^ERROR 1$' out)" 5 "ERROR"
same_in_core ERROR
contains 'invalid address (0x8)' err

rm -f core
trace $ring -qn 'pid$target:a.out:fired:entry /arg0 == 3/ { printf("r %d\n", arg0); exit(3); }' -c './fire 5 wait'
same "$status" 3 "the status of exit()"
trace --core core
same "$status" 3 "the status of exit() in the core"
trace --core core foo
contains 'what is foo' err
trace --core core --core core
contains 'core is given twice: core and core' err
trace --core core --top
contains 'prints once' err

cat >pragma.d <<-'END'
	#pragma D option quiet
	#pragma D option aggsortrev
	pid$target:a.out:fired:entry { printf("r %d\n", arg0); @[arg0 % 2] = count(); }
END
trace $ring -s pragma.d -c './fire 5 abort'
same_in_core "#pragma"
trace --core core -x aggsortrev=no
cmp -s out printed && fail "an option with --core is not that of the output"

trace $ring -n 'pid$target:a.out:fired:entry { printf("r %d\n", arg0); @[arg0] = count(); @f[probefunc] = count(); }' -c './fire 3 exec'
same "$(grep -c '^r [0-9]$' out)" 6 "records of both programs"
trace --core core
same "$status" 0 "reading the core of an executed program"
same "$(grep -c '^r [0-9]$' out)" 6 "records of both programs in the core"
same "$(grep -c '^ *[0-2] *2$' out)" 3 "elements of both programs in the core"
contains 'probes of libraries and programs that the process loaded later have no names here' err
grep -q truncated err && fail "the core is called truncated"

# What the kernel refuses is counted.  The first thread needs no system call for its recorder.
if [ "$(cat /proc/sys/vm/max_map_count)" -le 100000 ]; then
	trace $ring -qn 'pid$target:a.out:fired:entry { @[arg0] = count(); }' -c './fire 100 full'
	trace --core core
	contains 'times the process could not add memory to its core (vm.max_map_count' err
fi
trace $ring -qn 'pid$target:a.out:fired:entry { @ = count(); }' -c './fire 5 strict'
same "$status" 0 "a process under SECCOMP_MODE_STRICT"
contains ' 5$' out

# Cut in what comes after the recorder: the records are there, names of functions are not.
trace $ring -b 1m -n 'pid$target:a.out:fired:entry { printf("r %d\n", arg0); ustack(1); }' -c './fire 20000 abort'
last=$(readelf -lW core | awk '$1 == "LOAD" && $5 != "0x000000" { at = $2 } END { print at }')
head -c $((last)) core >cut && mv cut core
grep '^r [0-9]' out >printed
trace --core core
same "$status" 0 "reading a core without its last part"
grep '^r [0-9]' out | cmp - printed || fail "a core without its last part has other records"

# Text of a foreign program's formats does not reach a terminal as it is.
trace $ring -qn 'pid$target:a.out:fired:entry { printf("\033]0;TITLE\007%d\n", arg0); trace("\033[1m"); }' -c './fire 1 abort'
terminal 0 --core core
grep -q TITLE out || fail "nothing on a terminal: $(cat out)"
grep -q "$(printf '\033')" out && fail "an escape sequence reached the terminal"
exit 0
