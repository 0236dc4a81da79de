# What: executor=process and a probe of the kernel on the same function, in both orders: both count, and the program goes on. Needs: uprobe x86_64 cc.
# Executors: usual (it names them).
. "$LIB"
cat >work.c <<'C'
#include <stdio.h>
#include <unistd.h>
/* Its window is after the first instruction, where the kernel's probe is. */
static __attribute__((noinline, noclone)) long work(long n) { volatile long k = n; __asm__ volatile("" : "+r"(n) : : "rbx", "r12"); return n * 3 + k; }
int main(int argc, char **argv)
{
	long s = 0, n = 0;
	FILE *runs = fopen("starts", "w");
	fprintf(runs, "%d\n", getpid());
	fclose(runs);
	rename("starts", "runs");
	while (access("end", F_OK) != 0) /* and some more, for whoever looks at most */
		for (int i = 0; i < 1000; i++, n++)
			s += work(i);
	FILE *said = fopen("said", "w");
	fprintf(said, "%ld %ld\n", n, n);
	return fclose(said) || s == 1;
}
C
cc -O2 -falign-functions=16 -o work work.c || fail 'the program'
inside() {
	"$DTRACE" -qx executor=process -n 'pid$target:a.out:work:entry { @ = count(); } pid$target:a.out:work:return { @r = count(); }
		END { printa("%@d %@d\n", @, @r); }' -c ./work >inside 2>&1
}
finished() {
	wait "$1" || fail "$2: status $?: $(cat inside)"
	[ "$(head -n 1 inside)" = "$(cat said)" ] || fail "$2: $(cat inside), wanted $(cat said)"
}

# the jumps first
inside &
tracer=$!
until_true 10 test -e runs || fail 'it never ran'
must_trace -n 'pid$target:a.out:work:entry { @ = count(); } tick-1s { exit(0); }' -p "$(cat runs)"
touch end
finished "$tracer" 'jumps first'
[ "$(tr -d ' \n' <out)" -gt 0 ] || fail 'what the second one sees'

# the kernel's probe first
rm -f end runs said
"$DTRACE" -qn "pid*:$PWD/work:work:entry { @ = count(); } END { printa(\"%@d\n\", @); }" >outside 2>&1 &
other=$!
sleep 2
inside &
tracer=$!
until_true 10 test -e runs || fail 'it never ran'
sleep 1
touch end
finished "$tracer" "the kernel's probe first"
kill -TERM "$other"
wait "$other"
[ "$(tr -d ' \n' <outside)" -gt 0 ] || fail "what the first one sees: $(cat outside)"
