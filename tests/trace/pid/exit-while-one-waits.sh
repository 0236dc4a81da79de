# What: exit() while a process waits for the probes of a library that it loads: we end as always.  Executors: kernel process.  Needs: uprobe.
. "$LIB"
command -v gcc >/dev/null || skip "no C compiler"
echo 'int late(void) { return 7; }' >late.c
cat >main.c <<'C'
#include <dlfcn.h>
__attribute__((noinline, noclone)) void done(void) { __asm__ volatile("" : : : "memory"); }
int main(void)
{
	done();
	return !dlopen("./late.so", RTLD_NOW);
}
C
gcc -shared -fPIC -o late.so late.c || fail "no library"
gcc -o program main.c || fail "no program"
# The library comes while the command runs: in the same round, after what has arrived was served.
for i in 1 2 3 4 5 6 7 8; do
	must_trace -Zwqn 'pid$target:a.out:done:entry { system("sleep 0.2"); exit(0); }
		pid$target:late.so::entry { @ = count(); }' -c ./program
done
exit 0
