# What: pid*:libx.so:f:entry means the function in each process that maps the library: present ones, later ones, those that load it with dlopen(), of two copies of one name, of a replaced file, of other mount namespaces; an absolute path means the file that each process sees there; what it costs is said before.  Needs: uprobe cc unshare python3.
# Executors: kernel (every process).
. "$LIB"
# A name of this test and this run alone: nobody else maps it.
name=libevery$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
cat >library.c <<'C'
#include <unistd.h>
__attribute__((noinline)) long every_add(long a, long b) { return a + b; }
#ifdef NEW
__attribute__((noinline)) long every_new(long a) { return a * 3; }
#endif
/* As often as it is said; then waits, still mapping the file. */
void every_run(long n)
{
	for (long i = 1; i <= n; i++) {
		every_add(i, BY);
#ifdef NEW
		every_new(i);
#endif
	}
}
C
cat >linked.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void every_run(long);
/* linked N [GATE...]: waits for each gate, a file, before so many calls; without one calls at once */
int main(int count, char **values)
{
	for (int i = 2; i < count; i++) {
		while (access(values[i], F_OK)) usleep(5000);
		every_run(atol(values[1]));
	}
	if (count == 2) every_run(atol(values[1]));
	return 0;
}
C
cat >loads.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
/* loads N LIBRARY [GATE [GATE]]: of the file that is there once the first gate is; calls after the second */
int main(int count, char **values)
{
	while (count > 3 && access(values[3], F_OK)) usleep(5000);
	void *library = dlopen(values[2], RTLD_NOW);
	while (count > 4 && access(values[4], F_OK)) usleep(5000);
	((void (*)(long))dlsym(library, "every_run"))(atol(values[1]));
	return 0;
}
C
library() { gcc -O1 -w -shared -fPIC -Wl,-soname,"$name.so.1" "$@" library.c || fail "cannot compile"; }
mkdir one two
library -DBY=1 -o "one/$name.so.1"
library -DBY=2 -o "two/$name.so.1"
library -DBY=5 -DNEW -o newer
for d in one two; do gcc -O1 -w -o linked-$d linked.c "$d/$name.so.1" -Wl,-rpath,"$PWD/$d" || fail "cannot compile"; done
gcc -O1 -w -o loads loads.c || fail "cannot compile"
trap 'touch g1 g2 g3 begun; kill "$pid" "$a" "$b" 2>/dev/null' EXIT # also when it fails

# --- nobody has mapped it
trace -n "pid*:$name:every_add:entry"
same "$status" 1 "status without a file"
contains "no process has mapped $name: -Z waits for one that does" err
trace -n "pid*:$PWD/none.so:every_add:entry"
contains "there is no file $PWD/none.so: -Z waits" err

# --- a list has a row for each process
./linked-one 100 g1 g3 & a=$!
./linked-two 200 g1 & b=$!
wait_for_program $a linked-one
wait_for_program $b linked-two
must_trace -ln "pid*:$name:every_add:entry,pid*:$name:every_add:return"
same "$(grep -c "^ *[0-9]* *pid\($a\|$b\) *$name.so.1 *every_add \(entry\|return\)\$" out)" 4 "listed rows"
same "$(wc -l <out)" 5 "lines of the list"
must_trace -ln "pid*:$PWD/one/$name.so.1:every_*:entry"
same "$(grep -c " pid$a " out)$(grep -c " pid$b " out)" 20 "rows of one file"
timeout 60 "$DTRACE" -n "pid*:$name:every_add:entry,pid*:$name:every_add:return,pid*:$PWD/one/$name.so.1:every_run:entry { } BEGIN { exit(0); }" >out 2>err
contains '^dtrace: pid\*: 2 files, mapped by 2 processes, 5 sites ([0-9] single-stepped); the processes. copies of the pages with sites: 8 KiB$' err
trace -n "pid*:$name:every_new:entry"
contains "failed to lookup 'every_new' in module '$name'" err

# --- all at once
script="pid*:$name:every_add:entry { @n[probeprov, probemod, probefunc] = count(); @s = sum(arg0); }
	pid*:$name:every_add:return { @r[pid] = sum(arg1); }
	pid*:$PWD/one/$name.so.1:every_*:entry { @path[pid, probefunc] = count(); }
	BEGIN { printf(\"begun\\n\"); }
	tick-100ms, END { printa(\"fired %s %s %s %@d\\n\", @n); printa(\"returned %d %@d\\n\", @r); printa(\"path %d %s %@d\\n\", @path); }"
background -n "$script"
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
fired() { grep -qs "^fired pid$1 $name.so.1 every_add $2\$" out; }
all_of() { until_true 10 fired "$1" "$2" || fail "process $1 and $2 firings"; }
touch g1
./linked-one 300 & c=$! # a known file: from its first instruction on
./loads 400 "$PWD/two/$name.so.1" & d=$!
all_of $a 100
all_of $b 200
all_of $c 300
all_of $d 400
# Replaced on the disk: the old file in $a, the new one in a new process, once its probes are there.
mv newer "one/$name.so.1"
./loads 500 "$PWD/one/$name.so.1" one g2 & e=$!
# has_breakpoints PID - in the library
has_breakpoints() { grep -q "/$name.so.1\$" "/proc/$1/maps" && ! text_is_clean "$1" && grep -q "$name" why; }
until_true 10 has_breakpoints $e || fail "the new file is not probed"
touch g2
all_of $e 500
# In another mount namespace the path is another file, which is meant, too.
unshare -m --propagation private sh -c "mount -t tmpfs none one && cp two/$name.so.1 one/ && exec ./loads 600 $PWD/one/$name.so.1 one g4" & f=$!
until_true 10 has_breakpoints $f || fail "the file in the namespace is not probed"
touch g4
all_of $f 600
touch g3
all_of $a 200
until_true 10 gone $a || fail "the program has not ended"
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
[ ! -s err ] || fail "something on standard error"
contains "^returned $a $((2 * (5050 + 100)))\$"
contains "^returned $b $((20100 + 2 * 200))\$"
contains "^returned $c $((45150 + 300))\$"
contains "^returned $d $((80200 + 2 * 400))\$"
contains "^returned $e $((125250 + 5 * 500))\$"
contains "^returned $f $((180300 + 2 * 600))\$"
for row in "$a every_add 200" "$a every_run 2" "$c every_add 300" "$c every_run 1" "$e every_add 500" "$e every_new 500" "$e every_run 1" "$f every_add 600" "$f every_run 1"; do
	contains "^path $row\$"
done
same "$(awk '$1 == "path" { print $2 }' out | sort -u | wc -l)" 4 "processes with the file of the path"
