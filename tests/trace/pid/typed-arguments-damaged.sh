# What: debug information that is damaged is reported as such, by the file's name: args[] is refused, arg1 and stacks are as ever, lost source
# lines are reported once; bytes damaged anywhere are survived.  Needs: uprobe cc.  Executors: kernel (its probes are of system calls).
. "$LIB"
cat >main.c <<'C'
#include <unistd.h>
struct item { int a; long b; };
__attribute__((noinline)) int f(struct item *item, int n) { getppid(); __asm__ volatile(""); return item->a + n; }
int main(void)
{
	struct item item = { 1, 2 };
	return f(&item, 3) == 4 && f(&item, 4) == 5 ? 0 : 1;
}
C
gcc -gdwarf-5 -O1 -o good main.c || fail "cannot compile"
bytes_of() { # SECTION: its offset in the file and its size
	readelf -SW good | sed -n "s/^.*\] $1  *[A-Z]*  *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p"
}
damage() { # SECTION OFFSET BYTES
	cp good wrong
	set -- $(bytes_of "$1") "$2" "$3"
	printf "$4" | dd of=wrong bs=1 seek=$((0x$1 + $3)) conv=notrunc 2>/dev/null
}
typed='pid$target:a.out:f:entry { printf("%d %d\n", args[1], args[0]->a); }'
lines='syscall::getppid:entry /pid == $target/ { ustack(); }'
must_trace -n "$typed" -c ./good
same "$(grep . out | tr "\n" " ")" "3 1 4 1 " "values"
trace -x ustacklines -n "$lines" -c ./good
same "$status $(cat err)" "0 " "lines without damage"

# An unknown version; the first entry's abbreviation is none; no abbreviations; of a function's parameters on.
parameters=$(($(readelf --debug-dump=info good | sed -n 's/^ *<[0-9a-f]*><\([0-9a-f]*\)>: .*(DW_TAG_formal_parameter)$/0x\1/p' | head -n 1)))
for place in ".debug_info 4 c" ".debug_info 12 \\377\\377" ".debug_abbrev 0 \\0" ".debug_info $parameters \\377\\377"; do
	damage $place
	trace -n "$typed" -c ./wrong
	same "$status" 1 "status of args[], $place"
	contains 'args\[1\] has no type: the debug information of wrong is damaged (arg0, arg1 \.\.\. are known without it)' err
	must_trace -n 'pid$target:a.out:f:entry { printf("%d\n", arg1); }' -c ./wrong
	same "$(grep . out | tr "\n" " ")" "3 4 " "arg1, $place"
done
for place in ".debug_info 4 c" ".debug_info 12 \\377\\377" ".debug_line 0 \\377\\377\\377\\177"; do
	damage $place
	trace -x ustacklines -n "$lines" -c ./wrong
	same "$status $(grep -c 'wrong`f+' out) $(grep -c 'wrong`main+' out)" "0 2 2" "stacks, $place"
	same "$(cat err)" "dtrace: the debug information of $PWD/wrong is damaged: some of its source lines and inlined functions are missing" "$place"
done
for section in .debug_info .debug_abbrev .debug_line .debug_str; do
	size=$((0x$(bytes_of $section | cut -d ' ' -f 2)))
	for part in 1 3 5 7; do
		damage $section $((size * part / 9)) '\377\376\200\1'
		trace -x ustacklines -n "$typed $lines" -c ./wrong
		[ "$status" -le 1 ] || fail "status $status, $section damaged in its ninth $part"
	done
done
exit 0
