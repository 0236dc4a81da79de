# What: where a function ends by a jump through a pointer to a function whose return is traced, it returns once, with the result; else at the jump. Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >tail.c <<'C'
#include <setjmp.h>
#include <stdio.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
static FILE *said; /* what callers get is what dtrace must print */
static int say(const char *name, int result) { fprintf(said, "%s %d\n", name, result); return result; }
static jmp_buf out;
static int jumps_out;

int F f_five(int x) { HIDE(x); return x * 5; }
int F f_two(int x) { HIDE(x); return x * 2; }
int F f_leaves(int x) { HIDE(x); if (jumps_out) longjmp(out, 1); return x * 3; }
int F untraced(int x) { HIDE(x); return x * 7; }
int F f_deeper(int n);
int F f_deep(int n);
int F f_odd(int n);
int F f_even(int n);
int (*volatile pointer)(int) = f_five;
int (*table[])(int) = { f_five, f_two, untraced, f_two };
static int (*const constant[])(int) = { f_two, f_five };
int (*volatile deeper)(int) = f_deeper;
int (*volatile odd)(int) = f_odd;
int (*volatile even)(int) = f_even;
struct object { int (*go)(struct object *, int); int much; };

int F f_method(struct object *o, int x) { HIDE(x); return x + o->much; }
int F f_by_pointer(int x) { HIDE(x); return pointer(x + 1); }
int F f_by_table(long n, int x) { HIDE(x); return table[n & 3](x); }
int F f_by_constant(long n, int x) { HIDE(x); return constant[n & 1](x); }
int F f_by_member(struct object *o, int x) { HIDE(x); return o->go(o, x); }
int F f_by_two(struct object *o, int x) { HIDE(x); return f_by_member(o, x + 1); }
int F f_deeper(int n) { HIDE(n); int r = n ? f_deep(n - 1) + 1 : 0; HIDE(r); return r; }
int F f_deep(int n) { HIDE(n); return deeper(n); }
int F f_even(int n) { HIDE(n); return n ? odd(n - 1) : 1; }
int F f_odd(int n) { HIDE(n); return n ? even(n - 1) : 0; }

int main(int argc, char **argv)
{
	struct object o = { f_method, 100 };
	if (argc > 2)
		return f_even(10001);
	said = fopen(argv[1], "w");
	for (int i = 0; i < 9; i++) {
		pointer = i & 1 ? f_five : f_two;
		say("f_by_pointer", f_by_pointer(i));
		say("f_by_table", f_by_table(i & 1, i));
		say("f_by_constant", f_by_constant(i & 1, i));
		say("f_by_member", f_by_member(&o, i));
		say("f_by_member", say("f_by_two", f_by_two(&o, i)));
	}
	pointer = f_leaves;
	for (int i = 0; i < 4; i++) { /* the same call again */
		jumps_out = i < 2;
		if (!setjmp(out))
			say("f_by_pointer", f_by_pointer(i));
	}
	for (int i = f_deep(300); i >= 0; i--)
		say("f_deep", i);
	fclose(said);
	f_by_table(2, 1);
	return 0;
}
C
gcc -O2 -o pie tail.c && gcc -O2 -no-pie -fno-pie -o fixed tail.c && gcc -O2 -static -o static tail.c || fail "cannot compile"
objdump -d pie >code
if [ "$(uname -m)" = x86_64 ]; then
	contains 'jmp  *\*%r' code
	contains 'jmp  *\*(%r' code
	objdump -d fixed >code
	contains 'jmp  *\*0x[0-9a-f]*(,%r' code
else
	contains 'br	x1[67]' code
fi

by='pid$target:a.out:f_by_*:return, pid$target:a.out:f_deep:return'
others='pid$target:a.out:f_five:return, pid$target:a.out:f_two:return, pid$target:a.out:f_method:return, pid$target:a.out:f_leaves:return, pid$target:a.out:f_deeper:return'
# The last call of f_by_table leads to code that is not traced.
# check FILE ARGUMENT...
check() {
	file=$1
	shift
	trace "$@" -x pidret=insn -x bufsize=16m -c "./$file said" -n "$by { @n[probefunc] = count(); }
		$by"' { printf("%s %d\n", probefunc, (int)arg1); } '"$others { @ = count(); } END { printa(\"times %s %@d\\n\", @n); }"
	contains 'f_by_table:return): result unknown' err
	grep '^f_' out | sort >got
	sort said >wanted
	cmp -s wanted got || fail "$*: $(diff wanted got | head -n 20)"
	same "$(grep '^times' out | sort)" "$(
		echo 'times f_by_constant 9
times f_by_member 18
times f_by_pointer 11
times f_by_table 10
times f_by_two 9
times f_deep 301'
	)" "each fires once"
}
check pie
check static
if [ "$EXECUTOR" = process ]; then
	check fixed
else
	check fixed -x follow=fork
fi

# A loop of tail calls through pointers.
must_trace -x pidret=insn -c './pie said loop' -n 'pid$target:a.out:f_even:return,pid$target:a.out:f_odd:return { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }'
same "$(sed '/^$/d' out)" "f_even 5001
f_odd 5001" "a loop"

# Where nothing at the pointer is traced.
trace -x pidret=insn -c './pie said' -n 'pid$target:a.out:f_by_pointer:return { n++; printf("%d\n", (int)arg1); } END { printf("%d times\n", n); }'
# Also where longjmp() leaves what was jumped to: that is not known.
same "$(sed "/^$/d" out)" "13 times" "not traced"
contains 'f_by_pointer:return): result unknown' err
