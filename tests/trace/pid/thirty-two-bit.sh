# What: functions of a 32-bit program: arguments from the stack, results, exits, offsets; held at each point.  Needs: uprobe x86_64.
# Executors: kernel (32 bits).
. "$LIB"
cat >narrow.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ALONE __attribute__((noipa))
ALONE int add(int a, unsigned b, const char *text, long long wide, short last)
{
	return a + (int)b + (int)strlen(text) + (int)wide + last;
}
ALONE const char *parity(int n) { return n & 1 ? "odd" : "even"; }
ALONE __attribute__((optimize("O0"))) int fall(int n) { return n ? parity(n)[0] + fall(n - 1) * 3 : 0; }
ALONE int choose(int n)
{
	switch (n) {
	case 0: return fall(1) + 1;
	case 1: return 7;
	case 2: return add(1, 2, "x", 3, 4);
	case 3: return 12;
	case 4: return 99;
	default: return -3;
	}
}
int main(int count, char **words)
{
	int sum = 0;
	for (int i = 0; i < 6; i++)
		sum += choose(i) + add(i, 4000000000u, parity(i), (7LL << 32) + 5, -1) + fall(3);
	if (count > 1) {
		void *library = dlopen(words[1], RTLD_NOW);
		int (*of_library)(int) = library ? (int (*)(int))dlsym(library, "of_library") : 0;
		sum += of_library ? of_library(41) : -1;
	}
	printf("%d\n", sum);
	return 0;
}
C
echo 'int of_library(int n) { return n + 1; }' >library.c
gcc -m32 -g -O2 -o narrow narrow.c 2>/dev/null && ./narrow >right || skip "no 32-bit programs here"
gcc -m32 -shared -fPIC -o library.so library.c && gcc -m32 -g -O2 -fno-pie -no-pie -static -o static narrow.c 2>/dev/null ||
	fail "cannot compile"

for program in ./narrow ./static; do
	must_trace -qn 'pid$target:a.out:add:entry /arg1 == 4000000000/
		{ @a[arg0, copyinstr(arg2), arg3, arg4, (int)arg5] = count(); }
		pid$target:a.out:parity:return { @p[copyinstr(arg1)] = count(); }
		pid$target:a.out:choose:return { @c[(int)arg1] = count(); }
		END { printa("a %d %s %d %d %d %@d\n", @a); printa("p %s %@d\n", @p); printa("c %d %@d\n", @c); }' -c $program
	same "$(head -n 1 out)" "$(cat right)" "what $program does"
	for n in 0 1 2 3 4 5; do
		contains "^a $n $([ $((n % 2)) = 0 ] && echo even || echo odd) 5 7 -1 1$"
	done
	same "$(grep -c ^a out)" 6 "$program: calls of add()"
	contains '^p odd 16$'
	contains '^p even 9$'
	same "$(grep '^c' out | sort | tr '\n' ';')" 'c -3 1;c 11 1;c 112 1;c 12 1;c 7 1;c 99 1;' "$program: results of choose()"
done

# Each exit of a switch has its own return; functions that call themselves, and those that read their return address, have theirs.
must_trace -qx pidret=insn -n 'pid$target:a.out:choose:return { @[arg0] = count(); } END { printa("exit %d %@d\n", @); }' -c ./narrow
same "$(awk '/^exit/ { n += $3 } END { print n, (NR > 3) }' out)" '6 1' 'exits of choose()'
for way in auto insn; do
	trace -qx pidret=$way -n 'pid$target:a.out::return { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./narrow
	same "$status $(head -n 1 out)" "0 $(cat right)" "the program with all its returns ($way)"
	contains '^fall 26$'
	contains '^add 7$'
done
trace -qx pidret=kernel -n 'pid$target:a.out:__x86.get_pc_thunk.bx:return { }' -c ./narrow
same "$status" 1 'a return probe that would change the program'
contains 'its result is its return address, which a return probe replaces' err

trace -qn 'pid$target:::entry, pid$target:::return { @ = count(); }' -c ./narrow
same "$status $(head -n 1 out)" "0 $(cat right)" 'the program with entries and returns of all its libraries'
must_trace -qn 'pid$target:a.out:choose: { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c ./narrow
same "$(head -n 1 out)" "$(cat right)" 'the program with all instructions of a function'
contains '^0 6$'
contains '^entry 6$'
contains '^return 6$'

for evaltime in exec preinit postinit main; do
	must_trace -x evaltime=$evaltime -qn 'pid$target:a.out:choose:entry { @ = count(); } END { printa("%@d\n", @); }' -c ./narrow
	contains '^6$'
	must_trace -x evaltime=$evaltime -qn 'pid$target:a.out:choose:entry { @ = count(); } END { printa("%@d\n", @); }' -c ./static
	contains '^6$'
done

# What it maps while it is traced; an absolute address; registers.
must_trace -Zqn 'pid$target:library.so:of_library:entry { printf("library %d %x\n", arg0, uregs[R_ESP] >> 32); }' -c './narrow ./library.so'
contains '^library 41 0$'
address=$(nm static | awk '$3 == "choose" { print $1 }')
must_trace -qn "pid\$target::-:$address { @[uregs[R_EIP] == 0x$address] = count(); } END { printa(\"%d %@d\n\", @); }" -c ./static
contains '^1 6$'
