# What: a function whose implementation is chosen at run time is found by its name and by patterns.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
trace -c "$TRIGGERS/calls 100 1" -n 'pid$target:libc:strlen:entry { @ = count(); }'
same "$status" 0 "status: $(cat err)"
grep -Eq '^ +[1-9][0-9]*$' out || fail "strlen was never seen"

trace -l -n 'pid$target:libc::entry' -c true
# whether or not libc's debug symbols (libc6-dbg) name the implementations
for function in strlen memcpy memset strcmp strchr; do
	same "$(grep -c " libc.so.6  *$function entry" out)" 1 "$function by a pattern"
done
# its code is that of memcpy where both choose the same
trace -l -n 'pid$target:libc:memmove:entry' -c true
contains ' libc.so.6  *mem[a-z]* entry' out
trace -n 'pid$target:libc:str[l]en:entry, pid$target:libc:strlen:entry { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c "$TRIGGERS/calls 100 1"
same "$(grep -c '^strlen ' out)" 1 "strlen by pattern and by name is one probe"

# code in the kernel's vdso has no place for a probe: reported by name
trace -n 'pid$target:libc::entry { @ = count(); }' -c true
contains '^dtrace: .*gettimeofday of libc.so.6 cannot be probed: .*vdso' err
contains '^dtrace: [0-9]* probes that a pattern matches are left out' err
if [ "$(uname -m)" = x86_64 ]; then # elsewhere it is a function that calls another one
	contains '^dtrace: time of libc.so.6 cannot be probed: .*vdso' err
	trace -n 'pid$target:libc:time:entry { }' -c true
	contains "failed to create entry probe for 'time': its code is in the vdso" err
fi

# An implementation's own name, which a stripped file lacks, is another name of the ifunc: one probe.
cat >pick.c <<'C'
__attribute__((noinline)) static int pick_quickly(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
__attribute__((noinline, used)) static int pick_slowly(int n) { __asm__ volatile("" : "+r"(n)); return n + 2; }
static void *choose_pick(void) { return pick_quickly; }
static void *choose_other(void) { return pick_quickly; }
int pick(int n) __attribute__((ifunc("choose_pick")));
int pick_other(int n) __attribute__((ifunc("choose_other")));
C
cat >main.c <<'C'
int pick(int), pick_other(int);
int main(void) { return pick(1) + pick(2) + pick(3) + pick_other(4) + pick_other(5) != 20; }
C
cc -O1 -shared -fPIC -o libpick.so pick.c && cc -O1 -o main main.c -L. -lpick -Wl,-rpath,. || fail "cannot compile"
count_picks() { # LIST OF DESCRIPTIONS: dtrace itself uses the library, so the choice is known
	LD_PRELOAD=$PWD/libpick.so trace -n "$1"' { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./main
	[ "$status" -eq 0 ] || fail "$1: $(cat err)"
	grep '^pick' out
}
for functions in '*pick*' pick pick_quickly pick_other 'pick_*'; do
	picked=$(count_picks "pid\$target:libpick.so:$functions:entry" | grep -v '^pick_slowly')
	same "$picked" "pick 5" "$functions"
done
LD_PRELOAD=$PWD/libpick.so trace -l -n 'pid$target:libpick.so:pick_quickly:entry, pid$target:libpick.so:*pick*:entry, pid$target:libpick.so:pick_other:entry' -c true
same "$(awk '$4 == "pick" { print $1 }' out | sort -u | wc -l) $(grep -c 'pick_[qo]' out)" "1 0" "several descriptions"
same "$(count_picks 'pid$target:libpick.so:pick_quickly:return')" "pick 5" "its return"
strip libpick.so
same "$(count_picks 'pid$target:libpick.so::entry')" "pick 5" "stripped"
same "$(count_picks 'pid$target:libpick.so:pick_other:entry')" "pick 5" "stripped, by name"
trace -n 'pid$target:libpick.so:pick_quickly:entry { }' -c ./main
[ "$status" -ne 0 ] || fail "a name that the stripped file does not have"

# A copy of the C library, as a container has: the one that chooses as ours does.
cat >copies.c <<'C'
#include <string.h>
volatile int n = 20;
char from[30], to[30];
int main(void) { for (int i = 0; i < 50; i++) memset(to, i, (unsigned)n); return 0; }
C
cc -O1 -fno-builtin -o copies copies.c && mkdir copied && cp "$(ldd copies | awk '$1 == "libc.so.6" { print $3 }')" copied || fail "cannot compile"
trace -n 'pid$target:libc:memset:entry /arg2 == 20/ { @ = count(); } END { printa("%@d\n", @); }' -c "env LD_LIBRARY_PATH=$PWD/copied ./copies"
same "$status $(grep -c '^50$' out)" "0 1" "by the program that is executed in the copy: $(cat err)"
