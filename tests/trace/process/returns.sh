# What: executor=process: functions that end by jumps return once, with their results, also through pointers; entry() is of the same call.
# Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >returns.c <<'C'
#include <stdio.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
static FILE *said;
static long say(const char *name, long result) { fprintf(said, "%s %ld\n", name, result); return result; }
typedef long fn(long);
long F f_leaf(long n) { HIDE(n); return n + 1; }
long F f_mid(long n) { HIDE(n); return f_leaf(n * 2); }
long F f_cond(long n) { HIDE(n); if (n & 1) return f_mid(n); return n - 5; }
fn *volatile pointer = f_mid;
long F f_pointer(long n) { HIDE(n); return pointer(n + 3); }
long F f_deep(long n) { HIDE(n); if (n < 2) return 1; volatile long k = n; return k + f_deep(n - 1); }
int main(void)
{
	said = fopen("said", "w");
	for (long i = 0; i < 50; i++) {
		pointer = i % 3 ? f_mid : f_cond;
		say("f_leaf", f_leaf(i)); say("f_mid", f_mid(i)); say("f_cond", f_cond(i)); say("f_pointer", f_pointer(i));
	}
	say("f_deep", f_deep(10));
	return fclose(said);
}
C
cc -O2 -fno-ipa-icf -falign-functions=16 -o returns returns.c || fail 'the program'
must_trace -x executor=process -x processsites=all -n 'pid$target:a.out:f_*:return { printf("%s %d\n", probefunc, arg1); }' -c ./returns
[ ! -s err ] || fail 'all places'
for f in f_leaf f_mid f_cond f_pointer; do
	# what its caller got is what it returned, in order; functions that jump to it are other probes
	grep "^$f " said >wanted
	grep "^$f " out >got
	[ "$(grep -c . wanted)" = 50 ] || fail "$f is said"
	[ "$f" = f_pointer ] && { cmp -s wanted got || fail "$f"; }
done
must_trace -x executor=process -n 'pid$target:a.out:f_deep:return { printf("%d %d\n", entry(arg0), arg1); }' -c ./returns
[ "$(head -n 3 out | tr '\n' ' ')" = '1 1 2 3 3 6 ' ] && grep -q "^10 55$" out || fail 'entry()'
