# What: `x at a source line or an offset is the variable that x means there: in memory, in a register, a constant; as gdb has it.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >work.c <<'C'
#include <stdio.h>
struct pt { long a, b; };
int total = 7;
static volatile int shared = 3;
static volatile long sink;
static inline __attribute__((always_inline)) int inner(int p)
{
	int twice = p * 2;
	sink += twice;
	return twice + 1;
}
__attribute__((noinline)) int work(int n, const char *name, struct pt q, unsigned char c)
{
	int total = n * 3;
	static int count = 40;
	short low = (short)(sink - 5);
	for (int i = 0; i < n; i++) {
		long total = i + 100;
		sink += total;
		count++;
	}
	long last = sink * 2 + low;
	sink += inner(n + 4) + name[0] + q.b;
	sink += last + c;
	return total + count;
}
int main(int argc, char **argv)
{
	(void)argv;
	total += argc + shared;
	return work(argc + 2, "hello", (struct pt){ argc, 9 }, 200) == 0;
}
C
for options in "-O0" "-O1" "-O2" "-O2 -gdwarf-4" "-O2 -no-pie"; do
	# shellcheck disable=SC2086 # the words
	gcc -g $options -o work work.c || fail "cannot compile"
	must_trace -n 'pid$target:a.out:work.c@19: { printf("%d %d %d %d\n", `total, `i, `n, a.out``total); }' -c ./work
	same "$(grep . out | tr '\n' ' ')" '100 0 3 11 101 1 3 11 102 2 3 11 ' "variables of the block with $options"
	must_trace -n 'pid$target:a.out:work.c@23: { printf("%d %s %d\n", `count, stringof(`name), ``shared); }' -c ./work
	same "$(grep . out)" '43 hello 3' "a static variable, a pointer with $options"
	# With -O2, gcc says that code of line 9 is outside of the inlined function.
	case $options in -O2*) continue ;; esac
	must_trace -n 'pid$target:a.out:work.c@9: { printf("%d %d\n", `p, `twice); }' -c ./work
	same "$(grep . out)" '7 14' "variables of an inlined function with $options"
	trace -n 'pid$target:a.out:work.c@9: { trace(`last); }' -c ./work
	same "$status" 1 "status: a variable of the function around the inlined one, with $options"
done
if command -v clang >/dev/null; then
	for options in "-O0" "-O1"; do
		clang -g $options -o work work.c || fail "cannot compile"
		must_trace -n 'pid$target:a.out:work.c@19: { @[`i, a.out``total] = count(); } END { printa("%d %d %@d\n", @); }' -c ./work
		same "$(grep . out | tr '\n' ' ')" '0 11 1 1 11 1 2 11 1 ' "clang $options"
	done
fi

# Without optimization all of an object is in memory; at offsets, too.
gcc -g -O0 -o work work.c || fail "cannot compile"
# The arguments are stored there: compilers may have left room before.
for offset in $("$DTRACE" -ln 'pid$target:a.out:work:' -c ./work | awk '$NF ~ /^[0-9a-f]+$/ { print $NF }'); do
	[ $((0x$offset)) -lt 56 ] || break
done
must_trace -n 'pid$target:a.out:work.c@23: { printf("%d %d %d\n", `q.b, `total, `c); } pid$target:a.out:work:'"$offset"' /!done++/ { printf("%s\n", stringof(`name)); }' -c ./work
same "$(grep . out | tr '\n' ' ')" 'hello 9 9 200 ' "objects, offsets"

# What is not there is a mistake, as gdb says <optimized out>.
gcc -g -O2 -o work work.c || fail "cannot compile"
trace -n 'pid$target:a.out:work.c@25: { trace(`i); }' -c ./work
same "$status" 1 "status: not in scope"
trace -n 'pid$target:a.out:work.c@24: { trace(`q); }' -c ./work
contains '`q cannot be read at pid[0-9]*:work:work.c@24:line: it was optimized away' err
must_trace -n 'pid$target:a.out:work.c@24: { printf("%d\n", `n); }' -c ./work
same "$(grep . out)" 3 "what a register contained at the entry"

# All lines and variables, compared with gdb: an int3 at the place, in a copy of the program, ends it there with a core.
command -v gdb >/dev/null || exit 0
ulimit -c unlimited
[ "$(cat /proc/sys/kernel/core_pattern)" = core ] || exit 0
compared=0
for options in "-O1" "-O2"; do
	gcc -g $options -no-pie -o work work.c || fail "cannot compile"
	for line in 8 9 10 14 16 18 19 20 22 23 24 25; do
		for variable in n total low i last p twice c name; do
			trace -n "pid\$target:a.out:work.c@$line: { printf(\"%x %d\n\", uregs[R_PC], (int64_t)\`$variable); exit(0); }" -c ./work
			[ "$status" -eq 0 ] || continue
			read -r pc value <<E
$(grep '^[0-9a-f]* -*[0-9]*$' out)
E
			[ -n "$value" ] || continue
			case $(od -An -tx1 -j$((0x$pc - 0x400000)) -N1 work) in
			' 5'? | ' c3' | ' 90') continue ;; # of one byte: the core is after it
			esac
			cp work trap
			printf '\314' | dd of=trap bs=1 seek=$((0x$pc - 0x400000)) conv=notrunc 2>/dev/null
			rm -f core
			./trap 2>/dev/null
			case $line in 8 | 9 | 10) of=inner ;; *) of=work ;; esac
			gdb -q -batch -ex "python f = gdb.selected_frame(); f.name() == 'inner' and '$of' == 'work' and f.older().select()" -ex "printf \"=%ld\\n\", (long)$variable" work core >gdb.out 2>gdb.err
			theirs=$(sed -n 's/^=//p' gdb.out)
			[ -n "$theirs" ] || continue # <optimized out>, or in no frame
			same "$value" "$theirs" "$variable at line $line with $options"
			compared=$((compared + 1))
		done
	done
done
echo "$compared values as gdb has them"
[ "$compared" -ge 20 ] || fail "only $compared values were compared"
