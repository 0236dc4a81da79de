# What: a function with several names is one probe, the global name's; a library has several names, too.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >aliased.c <<'C'
__attribute__((noinline)) int work(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((weak, alias("work"))) int _work(int x);
static int work_too(int) __attribute__((alias("work"), used));
int main(void) { int sum = work(1) + _work(2) + work_too(3); return sum == 9 ? 0 : 1; }
C
gcc -O1 -o aliased aliased.c || fail "cannot compile"
for name in work _work work_too '_w*' '*_too' 'w*'; do
	must_trace -c ./aliased -n 'pid$target:a.out:'"$name"':entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }'
	same "$(cat out)" "work 3" "$name"
done
must_trace -c ./aliased -n 'pid$target:a.out:work:entry { a++; } pid$target:a.out:_w*:return { b++; }
	pid$target:a.out:_work:entry { printf("%s %d %d\n", probefunc, a, b); }'
same "$(cat out)" "work 1 0
work 2 1
work 3 2" "two clauses at one function"
"$DTRACE" -ln 'pid$target:a.out:*work*:entry' -c ./aliased >out 2>err || fail "-l"
same "$(grep -c work out)" 1 "probes listed"

# The fewest leading underscores count before the binding, the binding before the length.
cat >bound.c <<'C'
__attribute__((noinline)) int __bound(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((weak, alias("__bound"))) int bound_weakly(int x);
static int bound(int) __attribute__((alias("__bound"), used));
int main(void) { return __bound(1) + bound_weakly(2) + bound(3) == 9 ? 0 : 1; }
C
gcc -O1 -o bound bound.c || fail "cannot compile"
must_trace -c ./bound -n 'pid$target:a.out:*bound:entry { printf("\n%s", probefunc); ustack(1); }'
same "$(grep -c '^bound_weakly$' out)" 3 "a weak name without underscores"
same "$(grep -c '`bound_weakly$' out)" 3 "the same in stacks"
trace -ln 'pid$target:libc:__read:entry' -c ./aliased
same "$(awk '$NF == "entry" { print $4 }' out)" read "the name of __read"

# A path as the process sees it names its file.
for path in "$PWD/aliased" "$PWD/./other"; do
	ln -sf aliased other
	must_trace -c ./aliased -n 'pid$target:'"$path"':work:entry { @[probemod] = count(); } END { printa("%s %@d\n", @); }'
	same "$(cat out)" "aliased 3" "$path"
done
cp aliased copy
trace -c ./aliased -n 'pid$target:'"$PWD"'/copy:work:entry'
same "$status" 1 "a file that is not mapped"

# libc, libc.so, libc.so.6
for name in libc libc.so libc.so.6; do
	must_trace -c "$TRIGGERS/mallocs" -n 'pid$target:'"$name"':malloc:entry { @ = count(); } END { printa("%@d\n", @); }'
	[ "$(cat out)" -gt 0 ] || fail "no malloc in $name"
done
