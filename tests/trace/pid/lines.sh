# What: lines of source files are probes (file.c@12): each execution is one firing, wherever the compiler has put the code.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >main.c <<'C'
#include <stdio.h>
#include "part.h"
int calls(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += i;
		if (i % 3 == 0)
			sum += twice(i);
	}

	return sum;
}
int main(void)
{
	printf("%d\n", calls(9) + twice(4));
	return 0;
}
C
cat >part.h <<'C'
static inline __attribute__((always_inline)) int twice(int x)
{
	return x * 2 + getchar();
}
C

# count DESCRIPTION WANTED - firings of each line
count() {
	must_trace -n "pid\$target:$1 { @[probefunc] = count(); } END { printa(\"%s=%@d\\n\", @); }" -c ./main </dev/null
	same "$(grep = out | LC_ALL=C sort | tr '\n' ' ')" "$2" "$1 with $options"
}
for options in "-O0" "-O2" "-O2 -gdwarf-4" "-O1 -gz"; do
	# shellcheck disable=SC2086 # the words
	gcc -g $options -o main main.c || fail "cannot compile"
	count 'a.out:main.c@8:' 'main.c@8=9 '
	count 'a.out:main.c@9:line' 'main.c@9=3 '
	count 'a.out:part.h@3:' 'part.h@3=4 ' # in two functions
	count ':main.c@16:' 'main.c@16=1 '
	count 'a.out:ma*.c@[78]:' 'main.c@7=9 main.c@8=9 '
	count 'a.out:part.?@*3:' 'part.h@3=4 '
done

# Templates: one line, several functions.
if command -v g++ >/dev/null; then
	printf '%s\n' 'template <class T>' 'T add(T a, T b)' '{' '	return a + b;' '}' \
		'int main() { int n = 0; for (int i = 0; i < 5; i++) n += add(i, 2) + (int)add(1.5, 2.0) + (int)add(1L, 2L); return n == 0; }' >template.cc
	g++ -g -O0 -o template template.cc || fail "cannot compile"
	must_trace -n 'pid$target:a.out:template.cc@4: { @n = count(); } END { printa("n %@d\n", @n); }' -c ./template
	contains '^n 15$'
fi

# refused DESCRIPTION PATTERN - the message
refused() {
	trace -n "pid\$target:$1 { trace(1); }" -c ./main </dev/null
	same "$status" 1 "status of $1"
	contains "$2" err
}
gcc -g -O0 -o main main.c
refused a.out:main.c@11: 'line 11 of main.c has no code, lines 9 and 12 have'
refused a.out:main.c@900: 'line 900 of main.c has no code, line 18 has'
refused a.out:mein.c@8: 'did you mean main.c?'
refused a.out:main.c@8:entry "'entry' is an invalid probe name"
trace -n 'pid$target:a.out:main.c@8: { trace(args.sum); }' -c ./main </dev/null
contains 'at a source line, variables are `NAME' err
trace -n 'pid$target:a.out:main.c@8: { trace(subtotal); }' -c ./main </dev/null
contains 'subtotal is unknown: at a source line, variables are `NAME' err
strip -g main
refused a.out:main.c@8: 'there is no debug information'
