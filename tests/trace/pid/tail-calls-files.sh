# What: where a function ends by a jump to a function of another file whose return is traced, it returns with that one, with its result; likewise
# in a file whose code is in several segments. Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >library.c <<'C'
#define F __attribute__((noinline, noclone))
int F l_three(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int F l_four(int x) { __asm__ volatile("" : "+r"(x)); return x * 4; }
typedef int function(int);
int F l_back(function *to, int x) { return to(x + 1); }
int F l_loop(function *to, int x) { int r = to(x) + 1; __asm__ volatile("" : "+r"(r)); return r; }
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define ELSEWHERE __attribute__((section("elsewhere"), noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
typedef int function(int);
int l_three(int x);
int l_four(int x);
int l_back(function *to, int x);
int l_loop(function *to, int x);
static FILE *said; /* what callers get is what dtrace must print */
static int say(const char *name, int result) { fprintf(said, "%s %d\n", name, result); return result; }

int F m_two(int x) { HIDE(x); return x * 2; }
int ELSEWHERE m_seven(int x) { HIDE(x); return x * 7; }
function *volatile pointer = l_three;
function *table[] = { m_two, l_four, l_three, m_seven };
int F m_stub(int x) { HIDE(x); return l_three(x + 1); }
int F m_pointer(int x) { HIDE(x); return pointer(x + 2); }
int F m_table(long n, int x) { HIDE(x); return table[n](x + 3); }
int F m_round(int x) { HIDE(x); return l_back(m_two, x); }
int ELSEWHERE m_from(int x) { HIDE(x); return pointer(x + 4); }
int F m_deep(int x) { HIDE(x); return table[x & 3](x); }
int F m_call(int x) { HIDE(x); return l_loop(m_deep, x); }

static int calls(void)
{
	for (int i = 0; i < 9; i++) {
		function *const to[] = { l_three, m_two, m_seven };
		pointer = to[i % 3];
		say("m_stub", m_stub(i));
		say("m_pointer", m_pointer(i));
		say("m_table", m_table(i & 3, i));
		say("l_back", say("m_round", m_round(i)));
		say("m_from", m_from(i));
		int result = m_call(i);
		say("m_deep", result - 1);
		say("l_loop", result);
		say("m_call", result);
	}
	return fclose(said);
}

int main(int argc, char **argv)
{
	said = fopen(argv[1], "w");
	if (argc < 3)
		return calls();
	if (!fork())
		return calls();
	wait(NULL);
	return 0;
}
C
gcc -O2 -g -fPIC -shared -o libother.so library.c || fail "no library"
gcc -O2 -c main.c && gcc -Wl,-z,now -o one main.o ./libother.so && gcc -o lazy main.o ./libother.so || fail "cannot compile"
# Its code is in two segments, whose distance in memory is not that in the file.  (A program that is not position
# independent has pointers to its own stubs on aarch64.)
cat >apart.ld <<'L'
SECTIONS { elsewhere 0x2000000 : { *(elsewhere) } } INSERT AFTER .bss;
L
gcc -Wl,-z,now -pie -Wl,-T,apart.ld -o two main.o ./libother.so || fail "cannot link"
same "$(readelf -lW two | grep -c 'LOAD.* R E ')" 2 "segments with code"
same "$(jump_of one m_stub)" "<l_three@plt>" "it ends by a jump to a stub"

probes='pid$target:a.out:m_*:return, pid$target:libother.so:l_*:return'
others='/probefunc != "m_two" && probefunc != "m_seven" && probefunc != "l_three" && probefunc != "l_four"/'
for file in one two; do
	for way in "" "child"; do
		[ "$way" ] && [ "$EXECUTOR" = process ] && continue
		must_trace -x pidret=insn ${way:+-x follow=fork} -c "./$file said $way" -n "$probes $others { printf(\"%s %d\n\", probefunc, (int)arg1); }"
		sed '/^$/d' out | sort >got
		sort said >wanted
		cmp -s wanted got || fail "$file $way: $(diff wanted got | head -n 20)"
	done
done

# What the dynamic linker has not resolved yet is not known; nor is the result where only one of the files is traced.
trace -x pidret=insn -c './lazy said' -n "$probes"' /probefunc == "m_round"/ { n++; printf("%d\n", (int)arg1); } END { printf("%d times\n", n); }'
same "$(sed '/^$/d' out)" "$(sed -n 's/^m_round //p' said | sed 1d)
9 times" "a stub that is resolved at its first call"
contains 'm_round:return): result unknown' err
trace -x pidret=insn -c './one said' -n 'pid$target:a.out:m_stub:return { n++; printf("%d\n", (int)arg1); } END { printf("%d times\n", n); }'
same "$(sed '/^$/d' out)" "9 times" "one file"
contains 'm_stub:return): result unknown' err
