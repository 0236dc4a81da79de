# What: pid*:libx.so:f:entry where nothing is mapped yet: -Z waits, a command misses nothing of a library that it loads, a file that was only touched is not counted twice, what nobody maps any more is let go; dtrace itself is not traced.  Needs: uprobe cc python3.
# Executors: kernel (every process).
. "$LIB"
name=liblater$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
cat >library.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) long later_add(long a) { return a + 1; }
__attribute__((constructor)) static void first(void) { for (int i = 0; i < 10 && !getenv("QUIET"); i++) later_add(i); }
void later_run(long n) { for (long i = 10; i < n; i++) later_add(i); }
/* Calls of whoever has this library preloaded: of dtrace, if it would trace itself. */
int getpagesize(void) { later_add(0); return 4096; }
ssize_t read(int fd, void *to, size_t size) { later_add(0); return syscall(SYS_read, fd, to, size); }
ssize_t write(int fd, const void *from, size_t size) { later_add(0); return syscall(SYS_write, fd, from, size); }
C
cat >loads.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
/* loads N LIBRARY [GATE]: its calls after the gate, a file, is there */
int main(int count, char **values)
{
	void *library = dlopen(values[2], RTLD_NOW);
	while (count > 3 && access(values[3], F_OK)) usleep(5000);
	((void (*)(long))dlsym(library, "later_run"))(atol(values[1]));
	return 0;
}
C
gcc -O1 -w -shared -fPIC -o "$name.so" library.c && gcc -O1 -w -o loads loads.c || fail "cannot compile"

# --- a command waits for its library: not even the constructor's calls are missed
must_trace -Zn "pid*:$name:later_add:entry { @ = count(); @first = min(arg0); } pid*:$name:later_add:return { @last = max(arg1); }
	END { printa(\"%@d \", @); printa(\"%@d \", @first); printa(\"%@d\\n\", @last); }" -c "./loads 100 ./$name.so"
same "$(cat out)" "100 0 100" "calls of a command"

# --- the file is dtrace's, too
LD_PRELOAD="$PWD/$name.so" "$DTRACE" -Zqn "pid*:$name:later_add:entry { @[pid == \$pid ? \"dtrace\" : \"command\"] = count(); }" -c "./loads 50 ./$name.so" >out 2>err ||
	fail "status $?"
same "$(awk 'NF { print $1 }' out)" command "who fires"

# --- a process that is there before, whose file is touched, and that is run again; then nobody has it
export QUIET=1 # whether its probes are there before the constructor is a race
background -Zn "BEGIN { printf(\"begun\\n\"); } pid*:$name:later_add:entry { @[pid] = count(); } tick-100ms, END { printa(\"%d %@d\\n\", @); }"
trap 'kill "$pid" "$a" 2>/dev/null; touch gate2' EXIT
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
./loads 300 "./$name.so" gate2 & a=$!
has_breakpoints() { grep -q "$name" "/proc/$a/maps" && ! text_is_clean "$a"; }
until_true 20 has_breakpoints || fail "the library is not traced"
held() { ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "$name"; }
held || fail "the library's file is not held"
touch "$name.so"
chmod 711 "$name.so"
./loads 200 "./$name.so" & b=$!
counted_in() { grep -qs "^$1 $2\$" out; }
until_true 10 counted_in $b 190 || fail "the second process"
touch gate2
until_true 10 counted_in $a 290 || fail "the first process"
rm "$name.so"
not_held() { ! held; }
until_true 60 not_held || fail "a deleted library that nobody maps is held"
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
same "$(awk 'NF == 2 { n[$1] = $2 } END { print n['$a'], n['$b'] }' out)" "290 190" "calls of both at the end"
exit 0
