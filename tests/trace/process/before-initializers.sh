# What: a command is held before the initializers of its libraries, as root and as nobody, whether its linker uses its cache or not; signals and
# a library in LD_PRELOAD change nothing.  Executors: kernel process.  Needs: uprobe setpriv cc.
. "$LIB"
cp "$DTRACE" dtrace
chmod 755 . dtrace
cat >library.c <<'C'
#include <stdio.h>
__attribute__((noipa)) int early(int n) { char text[64]; return snprintf(text, sizeof(text), "%d", n) + n; }
__attribute__((constructor)) static void begin(void) { early(1); }
C
cat >program.c <<'C'
int early(int n);
int main(void) { return early(2) != 3; }
C
gcc -O1 -shared -fPIC -o library.so library.c && gcc -O1 -o program program.c ./library.so || fail "cannot compile"
counted='pid$target:library.so:early:entry { @[arg0] = count(); } END { printa("%d:%@d ", @); }'

must_trace -q -n "$counted" -c ./program
same "$(tr -d '\n' <out)" '1:1 2:1 ' "calls as root"
must_trace -q -n "$counted" -x setenv=LD_PRELOAD=./library.so -c ./program
same "$(tr -d '\n' <out)" '1:1 2:1 ' "calls with LD_PRELOAD"
# It may run on the processors that it had.
for cpus in 0 $(nproc --all | awk '$1 > 1 { print 1, "0-" $1 - 1 }'); do
	taskset -c "$cpus" "$DTRACE" -q -n 'BEGIN { }' -c 'grep Cpus_allowed_list /proc/self/status' >out 2>err || continue
	same "$(awk '/Cpus/ { print $2 }' out)" "$cpus" "processors of the command"
done
# All libraries are found without the cache: the kernel's stop point.
libc=$(gcc -print-file-name=libc.so.6)
must_trace -q -n "$counted" -x setenv=LD_LIBRARY_PATH="${libc%/*}" -c ./program
same "$(tr -d '\n' <out)" '1:1 2:1 ' "calls without the cache"
setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --no-new-privs \
	timeout 60 ./dtrace -x executor=process -q -n "$counted" -c ./program >out 2>err || fail "status as nobody"
same "$(tr -d '\n' <out)" '1:1 2:1 ' "calls as nobody"

# A linker that makes no call to be known by: the program is held at its entry, also one that is executed.
echo 'void _start(void) { __asm__ volatile("syscall" ::"a"(231L), "D"(3L)); }' >alone.c
gcc -nostdlib -nostartfiles -pie -Wl,-z,norelro -o alone alone.c || fail "cannot compile"
for command in ./alone "env ./alone"; do
	"$DTRACE" -n 'BEGIN { printf("begun"); }' -c "$command" >out 2>err || fail "status of $command"
	contains 'exited with status 3' err
	contains begun
done
