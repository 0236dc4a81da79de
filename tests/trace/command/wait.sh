# What: -W NAME waits for the next start of a program, by base name or absolute path, of scripts, too, and holds it before its first instruction; $target is it; it lives on when dtrace ends, also by a mistake or a kill; others of like names run.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
name=waits$(tr -dc a-f <"/proc/sys/kernel/random/uuid") # longer than the kernel keeps it
short=w$(tr -dc a-f <"/proc/sys/kernel/random/uuid" | head -c 8)
cat >program.c <<'C'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int begin(int a) { asm volatile(""); return a; }
__attribute__((constructor)) static void first(void) { begin(1); }
int main(int n, char **v) { begin(2); while (n > 1 && access(v[1], F_OK)) usleep(5000); return 3; }
C
gcc -g -o "$name" program.c && cp "$name" "$short" && cp "$name" "${name}2" || fail "cannot compile"
printf '#!%s\n' "$PWD/$short" >script.$short
chmod 755 script.$short
trap 'touch gate gone; kill "$pid" $a 2>/dev/null' EXIT
waits() { grep -q "waiting for the next start of $1\$" err; }
# await NAME ARGUMENT... - dtrace waits for NAME in the background
await() {
	awaited=$1
	shift
	: >err
	"$DTRACE" -W "$awaited" "$@" >out 2>err & pid=$!
	until_true 20 waits "$awaited" || fail "does not wait"
	sleep 0.3 # its program is attached just after
}
script='pid$target:a.out:begin:entry { printf("begin %d %d\n", arg0, pid == $target); }'
for path in "$name" "$PWD/$name" "$short"; do
	await "$path" -x quiet=0 -n "$script"
	"./${name}2" # is not meant, though its name begins alike
	[ $? = 3 ] || fail "status of the other program"
	"./${path##*/}"
	[ $? = 3 ] || fail "status of the program"
	wait $pid || fail "status $? of dtrace"
	same "$(grep -o 'begin [12] [01]' out | tr '\n' ' ')" "begin 1 1 begin 2 1 " "calls of $path"
done
await script.$short -n "$script"
./script.$short
wait $pid || fail "status $? of dtrace"
same "$(grep -o 'begin [12] [01]' out | tr '\n' ' ')" "begin 1 1 begin 2 1 " "calls of a script"

# It lives on: after exit(), after a mistake, and after dtrace was killed.
await $short -n 'pid$target:a.out:begin:entry /arg0 == 2/ { exit(0); }'
./$short gone & a=$!
wait $pid || fail "status $? of dtrace"
await $short -n 'pid$target:a.out:nothing:entry { }'
./$short gone & a="$a $!"
wait $pid
same $? 1 "status after a mistake"
await $short -x switchrate=10ms -n "$script"
./$short gone & a="$a $!"
traced() { grep -q 'begin 2 1' out; }
until_true 20 traced || fail "not traced"
kill -9 $pid
wait $pid
for p in $a; do kill -0 "$p" 2>/dev/null || fail "process $p has ended"; done
stopped() { for p in $a; do grep -q '^State:.[tT]' "/proc/$p/status" && return 0; done; return 1; }
runs() { ! stopped; }
until_true 10 runs || fail "a process is stopped"
touch gone
for p in $a; do wait "$p"; same $? 3 "status of $p"; done

trace -W ./x -n BEGIN
contains 'failed to wait for ./x: it is neither a program.s base name nor an absolute path' err
same "$status" 1 "status of a relative path"

# A program that a debugger starts has its tracer already.
if command -v gdb >/dev/null; then
	: >err
	"$DTRACE" -W "$name" -n "$script" >out 2>err & pid=$!
	until_true 20 waits "$name" || fail "does not wait"
	sleep 0.3
	gdb -q -batch -ex run -ex continue "./$name" >gdb.out 2>&1
	wait $pid && fail "status 0 of dtrace with gdb as the starter"
	contains 'failed to wait for .*: gdb (process [0-9]*) traces it, and a process has one tracer: start it without that, or use -p when it runs' err
	contains 'exited with code 03' gdb.out
fi
