# What: calls may be as deep as they like; where the kernel's return probes follow no more of them, that is said.  Needs: uprobe.
# Executors: kernel (pidret=kernel).
. "$LIB"
cat >deep.c <<'C'
__attribute__((noinline)) int self(int n) { int r = n ? self(n - 1) + 1 : 0; __asm__ volatile("" : "+r"(r)); return r; }
int two(int);
__attribute__((noinline)) int one(int n) { int r = n ? two(n - 1) + 1 : 0; __asm__ volatile("" : "+r"(r)); return r; }
__attribute__((noinline)) int two(int n) { int r = n ? one(n - 1) + 1 : 0; __asm__ volatile("" : "+r"(r)); return r; }
int main(int argc, char **argv) { return argc > 1 ? one(argv[1][0] == 'f' ? 59 : 199) < 59 : self(199) != 199; }
C
gcc -O1 -fno-optimize-sibling-calls -o deep deep.c || fail "no program"
for description in self 's*'; do
	must_trace -c ./deep -n 'pid$target:a.out:'"$description"':return /probefunc == "self"/ { @n = count(); @v = sum(arg1); }
		END { printa("%@d\n", @n); printa("%@d\n", @v); }'
	same "$(cat out)" "200
19900" "$description"
done
must_trace -c './deep other' -n 'pid$target:a.out:one:return,pid$target:a.out:two:return { @ = count(); } END { printa("%@d\n", @); }'
same "$(cat out)" 200 "exits"
# The kernel's log has ten messages in 5 s: most of these runs find none there.
for i in 1 2 3 4; do
	trace -x pidret=kernel -c './deep other' -n 'pid$target:a.out:one:return,pid$target:a.out:two:return { @ = count(); } END { printa("%@d\n", @); }'
	same "$(cat out)" 64 "as many as the kernel follows"
	contains '^dtrace: returns of functions in process [0-9]* \(are\|may be\) missing: .* 64 .*(without -x pidret=kernel all are traced)$' err
	same "$(grep -vc pidret=kernel.replaces err)" 1 "reported once"
done
trace -x pidret=kernel -c './deep few' -n 'pid$target:a.out:one:return,pid$target:a.out:two:return { @ = count(); } END { printa("%@d\n", @); }'
same "$(cat out)" 60 "fewer than that"
same "$(grep -v pidret=kernel.replaces err)" "" "nothing is missing"
