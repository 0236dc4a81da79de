# What: `x at a source line and arguments of inlined copies that are only what a register contained at the entry (DW_OP_entry_value) have these
# values: in recursion, threads, several functions, at offsets.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >work.c <<'C'
#include <pthread.h>
#define F __attribute__((noinline, noclone, noipa))
static volatile long sink;
static volatile int turns;
F void use(long x) { sink += x; }
static inline __attribute__((always_inline)) long note(long p, int q, const char *s)
{
	use(9);
	return sink;
}
F long first(long n, int m, const char *name)
{
	use(1);
	return note(n, m, name) + 1;
}
F long second(const char *name, long n)
{
	use(2);
	return note(n + 5, 3, name) + 1;
}
F long deep(long n, int m)
{
	use(n);
	long r = m ? deep(n + 1, m - 1) : 0;
	use(r);
	return sink + 1;
}
F long thread(long number, short of)
{
	use(1);
	turns++;
	return sink;
}
static void *run(void *arg)
{
	for (long i = 0; i < 500; i++)
		thread((long)arg * 1000 + i, (short)(long)arg);
	return arg;
}
F long twice(long n)
{
	use(1);
	use(2);
	use(3);
	return sink;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 3; i++) {
		first(100 + i, -i, "one");
		second("two", 200 + i);
	}
	deep(1000, 4);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	twice(77);
	return twice(78) == 0;
}
C
line() { grep -n "$1" work.c | tail -1 | cut -d: -f1; }
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	$cc -g -O2 -fno-optimize-sibling-calls -pthread -o work work.c 2>/dev/null || fail "$cc cannot compile"
	l=$(line 'use(r)')
	must_trace -n "pid\$target:a.out:work.c@$l: { printf(\"%d %d %d\\n\", \`n, \`m, \`n + \`m); }" -c ./work
	same "$(grep . out | tr '\n' ' ')" '1004 0 1004 1003 1 1004 1002 2 1004 1001 3 1004 1000 4 1004 ' "recursion, $cc"
	same "$(cat err)" "" "all entries were seen, $cc"
done
gcc -g -O2 -fno-optimize-sibling-calls -pthread -o work work.c || fail "cannot compile"
must_trace -n 'pid$target:a.out:note:entry /execname == "work"/ { printf("%d %d %s, %d %d %s\n", arg0, arg1, copyinstr(arg2), args[0], args.q, stringof(args.s)); }' -c ./work
same "$(grep . out | sort)" "100 0 one, 100 0 one
101 -1 one, 101 -1 one
102 -2 one, 102 -2 one
205 3 two, 205 3 two
206 3 two, 206 3 two
207 3 two, 207 3 two" "arguments of inlined copies in two functions"
# Each thread's own calls; a predicate that reads one; the entry's clause sees the same number.
l=$(line 'turns++')
must_trace -n "pid\$target:a.out:thread:entry { @[\"entered\", arg0 / 1000] = sum(arg0); }
	pid\$target:a.out:work.c@$l: /\`number % 1000 < 500 && probefunc == \"work.c@$l\"/ { @[\"line\", \`number / 1000] = sum(\`number); @b = sum(\`number / 1000 != \`of); }
	END { printa(\"%s %d %@d\\n\", @); printa(\"%@d\\n\", @b); }" -c ./work
same "$(grep . out | sort)" "0
entered 1 624750
entered 2 1124750
line 1 624750
line 2 1124750" "two threads"
# At an offset: the one of the line; and at the first instruction, where no entry need be seen.
must_trace -n 'pid$target:a.out:twice:0 { printf("%d\n", `n); }' -c ./work
same "$(grep . out | tr '\n' ' ')" "77 78 " "the first instruction"
at=$("$DTRACE" -qn "pid\$target:a.out:work.c@$(line 'use(3)'): /!n++/ { printf(\"%x\\n\", arg0); }" -c ./work | grep .)
must_trace -n "pid\$target:a.out:twice:$at { printf(\"%d\\n\", \`n); }" -c ./work
same "$(grep . out | tr '\n' ' ')" "77 78 " "an offset"
# Both at one instruction: the line's frame is not the offset's, which reads none.
must_trace -n "pid\$target:a.out:twice:$at { printf(\"%s \", probename); } pid\$target:a.out:work.c@$(line 'use(3)'): { printf(\"%d\\n\", \`n); }" -c ./work
same "$(tr -d ' \n' <out | sed "s/$at//g")" "7778" "an offset and a line at one instruction"
