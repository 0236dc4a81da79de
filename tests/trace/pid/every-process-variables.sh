# What: `x at a source line in every process is where each build of the file has it: of builds that run when tracing begins, and of later ones; a build that has it in another register of the caller's is left out and named.  Needs: uprobe cc.
# Executors: kernel (every process).
. "$LIB"
name=libvars$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
cat >library.c <<'C'
static volatile long sink;
__attribute__((noinline, noclone, noipa)) void use(long x) { sink += x; }
#if V == 2
__attribute__((noinline, noclone, noipa)) void vars_run(long n, long pad)
#else
__attribute__((noinline, noclone, noipa)) void vars_run(long pad, long n)
#endif
{
	__asm__ volatile("nop" : : "r"(n), "r"(pad));
	use(1);
	use(2); use(V);
}
C
cat >program.c <<'C'
#include <stdlib.h>
#include <unistd.h>
void vars_run(long, long);
int main(int count, char **values)
{
	while (access(values[1], F_OK)) usleep(5000);
	for (int i = 0; i < 3; i++) vars_run(atoi(values[2]), atoi(values[3]));
	while (count > 4 && access(values[4], F_OK)) usleep(5000);
	return 0;
}
C
build() {
	mkdir "$1"
	gcc -g -O1 -shared -fPIC -DV="$2" -Wl,-soname,"$name.so" -o "$1/$name.so" library.c && gcc -o "p$1" program.c "$1/$name.so" -Wl,-rpath,"$PWD/$1" || fail "cannot compile"
}
build 1 1
build 2 2
build 3 3
trap 'touch gate done; kill "$pid" $all 2>/dev/null' EXIT
all=
begin() { # the running programs, the tracer
	rm -f gate done
	./p1 gate 11 12 done & all="$all $!"
	wait_for_program $! p1
	./p2 gate 21 22 done & all="$all $!"
	wait_for_program $! p2
	background -n "pid*:$name:library.c@$1: { printf(\"value %d\\n\", \`n); } BEGIN { printf(\"begun\\n\"); }"
	until_true 30 grep -qs begun out || fail "tracing has not begun: $(cat err)"
	touch gate
	until_true 20 grep -qs "value $2" out || fail "not seen: $2: $(cat err)"
}
finish() {
	kill -INT "$pid"
	wait "$pid"
	touch done
	grep value out | sort | uniq -c | tr -s ' \n' ' ' >values
}
third() { ./p3 gate 31 32; grep -qs 'value 32' out; }
begin 9 21
until_true 20 grep -qs 'value 12' out || fail "not seen: 12"
until_true 20 third || fail "a later build was never traced"
finish
contains '^ 3 value 12 3 value 21 [0-9]* value 32 $' values
# At the line after it, only the caller's register had it, which differs.
begin 11 12
until_true 20 third || fail "a later build with the same register was never traced"
finish
contains '^ 3 value 12 [0-9]* value 32 $' values
contains 'library.c@11:line of .* cannot be probed: .*another register of the caller' err
