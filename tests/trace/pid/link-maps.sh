# What: libraries of a link map that dlmopen() has made are modules LM1`NAME: listed, traced, of static probes, too; what is in both is one.
# Needs: uprobe cc.  Executors: kernel (libraries that dlmopen() loads have no place).
. "$LIB"
cat >inner.c <<'C'
#include <dtrace/sdt.h>
__attribute__((noinline)) int work(int n)
{
	DTRACE_PROBE1(inner, step, n);
	return n + 1;
}
C
cat >outer.c <<'C'
__attribute__((noinline)) int work_outside(int n) { return n + 1; }
C
cat >opens.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int work_outside(int n);
int main(int argc, char **argv)
{
	int n = work_outside(0);
	void *inner = dlmopen(LM_ID_NEWLM, "./libinner.so", RTLD_NOW);
	if (!inner) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	int (*work)(int) = (int (*)(int))dlsym(inner, "work");
	if (argc > 1) {
		printf("open\n");
		fflush(stdout);
		getchar();
	}
	for (; n < 4; n = work(n))
		;
	return 0;
}
C
gcc -O1 -shared -fPIC -I"$checkout/include" -o libinner.so inner.c && gcc -O1 -shared -fPIC -o libouter.so outer.c &&
	gcc -O1 -o opens opens.c ./libouter.so -ldl || fail "cannot compile"

# A link map that comes while we trace.
count='{ @[probemod, probefunc, probename] = count(); }'
must_trace -Z -n 'pid$target:LM1`libinner.so:work:entry,pid$target:LM1`libinner:work:return,inner$target:LM1`libinner.so::,pid$target:libouter.so:work_outside:entry,pid$target:LM0`libouter:work_outside:return '"$count" -c ./opens
same "$(grep . out | awk '{ print $1, $2, $3, $4 }' | sort)" 'LM1`libinner.so work entry 3
LM1`libinner.so work return 3
LM1`libinner.so work step 3
libouter.so work_outside entry 1
libouter.so work_outside return 1' "a link map made while tracing"
# A pattern means it by its whole name; all modules are all.
must_trace -Z -n 'pid$target:LM*inner*:wor*:entry,pid$target::work:return '"$count" -c ./opens
same "$(grep . out | awk '{ print $1, $2, $3, $4 }' | sort)" 'LM1`libinner.so work entry 3
LM1`libinner.so work return 3' "patterns"
must_trace -Z -n 'pid$target:lib*:wor*:entry '"$count" -c ./opens
same "$(grep . out | awk '{ print $1, $2, $3, $4 }')" 'libouter.so work_outside entry 1' "a pattern without a link map"

# One that is there: listed, suggested, and refused by what it is.
mkfifo go
./opens wait <go >opened &
opens=$!
exec 3>go
until_true 10 grep -q open opened || fail "it does not open"
must_trace -l -n "pid$opens::work*:entry" -n "inner$opens:::"
same "$(awk '/work/ { print $3, $4, $5 }' out | sort)" 'LM1`libinner.so work entry
LM1`libinner.so work step
libouter.so work_outside entry' "the list"
trace -n "pid$opens:LM1\`libc.so.6:getpid:entry {}"
same "$status" 1 "status"
contains 'has no module LM1`libc.so.6: it has libc.so.6, and the probes of a file fire in each of its copies' err
trace -n "pid$opens:libinner.so:work:entry {}"
contains 'has no module libinner.so: it has LM1`libinner.so, and the probes' err
echo >&3
exec 3>&-
wait $opens
exit 0
