# What: prov::: without a process means every process, present and future: programs, libraries, memfd and deleted files, other mount namespaces; each firing once, by its process's number.  Needs: uprobe.
# Executors: kernel (every process).
. "$LIB"
# Waits until it is traced, fires so often, and says when the semaphore is 0 again.  Its own names: nobody else has them.
cat >fires.h <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "notes.h"
SEMAPHORE(mine_semaphore) __attribute__((visibility("hidden")));
__attribute__((noinline)) static void fire(long n, const char *from)
{
	STATIC_PROBE(PROVIDER, "fi__red", "mine_semaphore", "8@%0 8@%1", "nor"(n), "nor"(from));
}
static long fires(long n, const char *from)
{
	const char *gate = getenv("GATE"); /* a file; without one the semaphore is enough */
	for (int i = 0; i < 12000 && (!mine_semaphore || (gate && access(gate, F_OK))); i++) usleep(5000);
	for (long i = 1; i <= n; i++) fire(i, from);
	for (int i = 0; i < 12000 && mine_semaphore; i++) usleep(5000);
	return mine_semaphore;
}
C
cat >program.c <<'C'
#include "fires.h"
int main(int count, char **values) { return fires(atol(values[1]), "program"); }
C
cat >library.c <<'C'
#include "fires.h"
long run(long n) { return fires(n, "library"); }
C
cat >loads.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
/* loads N LIBRARY [memfd] */
int main(int count, char **values)
{
	char path[64];
	if (count > 3) {
		int to = memfd_create("everylib", 0), from = open(values[2], O_RDONLY);
		while (sendfile(to, from, NULL, 1 << 20) > 0) {}
		snprintf(path, sizeof path, "/proc/self/fd/%d", to);
		values[2] = path;
	}
	void *library = dlopen(values[2], RTLD_NOW);
	long (*run)(long) = dlsym(library, "run");
	return run(atol(values[1]));
}
C
# Names of this test and this run alone: another run must not see them.
name=every$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
build() { gcc -O1 -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" "$@" || fail "cannot compile"; }
build -o program program.c
build -static -o alone program.c
build -shared -fPIC -o library.so library.c
build -o loads loads.c
cp program deleted
cp alone other

script='BEGIN { printf("begun\n"); } '$name':::fi-red { @n[probeprov, execname] = count(); @s = sum(arg0); @first = min(arg0); }
	'$name':::fi__red /copyinstr(arg1) == "library"/ { @l[pid] = count(); }
	tick-100ms, END { printa("fired %s %s %@d\n", @n); printa("sum %@d\n", @s); printa("library %@d\n", @l); }'

# Semaphores are raised before tracing begins: who is there already waits for the file.
export GATE=$PWD/begun
./program 100 & a=$!
./deleted 200 & b=$!
./loads 300 ./library.so memfd & c=$!
wait_for_program $a program
wait_for_program $b deleted
rm deleted
has_memfd() { grep -q 'memfd:everylib' "/proc/$c/maps"; }
until_true 20 has_memfd || fail "no memfd is mapped"
must_trace_all -ln "$name:::"
same "$(grep -c " $name[0-9][0-9]*  *[a-z:]*  *fire fi-red\$" out)" 3 "listed files"
must_trace_all -ln "*${name#e}:::fi-red"
same "$(grep -c " $name[0-9][0-9]*  *[a-z:]*  *fire fi-red\$" out)" 3 "files of a pattern"
must_trace_all -ln "$name:program::"
same "$(grep -c fi-red out)" 1 "listed files of one name"
must_trace_all -lvn "$name:::"
contains '^		args\[1\]: uint64_t$'

# Everything at once: present processes, a new one of a known file, new files, a library of a new process,
# a file of another root.
background -n "$script"
trap 'kill "$pid" 2>/dev/null' EXIT # also when it fails
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
touch begun
unset GATE
./program 400 & d=$!
./other 500 & e=$!
./loads 600 ./library.so & f=$!
unshare -m --propagation private sh -c 'mkdir -p root && mount -t tmpfs none root && cp alone root/inside && exec chroot root /inside 700' & g=$!
fired() { grep -qs "fired $name$1 [a-z]* $2\$" out; }
for pair in "$a 100" "$b 200" "$c 300" "$d 400" "$e 500" "$f 600" "$g 700"; do
	until_true 5 fired ${pair% *} ${pair#* } || fail "process and firings: $pair"
done
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
none_of_ours err || fail "something on standard error"
# Its semaphore is 0 again in all.
for p in $a $b $c $d $e $f $g; do
	wait "$p"
	same "$?" 0 "semaphore of $p at the end"
done
for line in "$a program 100" "$b deleted 200" "$c loads 300" "$d program 400" "$e other 500" "$f loads 600" "$g inside 700"; do
	contains "^fired $name$line\$"
done
same "$(grep ^fired out | sort -u | grep -c "$name.* [1-7]00\$")" 7 "processes"
same "$(grep '^sum' out | tail -n 1)" "sum $((5050 + 20100 + 45150 + 80200 + 125250 + 180300 + 245350))" "sum"
contains '^library 300$'
contains '^library 600$'

# A process of -c waits for its libraries' probes: nothing is missed, not even in their constructors.
cat >early.c <<'C'
#include "notes.h"
__attribute__((noinline)) static void go(long n) { STATIC_PROBE(PROVIDER, "early", "0", "8@%0", "nor"(n)); }
__attribute__((constructor)) static void first(void) { for (long i = 0; i < 10; i++) go(i); }
long run(long n) { for (long i = 10; i < n; i++) go(i); return 0; }
C
build -shared -fPIC -o early.so early.c
must_trace_all -Zn "$name"':::early { @ = count(); @least = min(arg0); } END { printa("early %@d\n", @); printa("least %@d\n", @least); }' \
	-c './loads 100 ./early.so'
contains '^early 100$'
contains '^least 0$'
exit 0
