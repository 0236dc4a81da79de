# What: each probe of plockstat fires as often as a program with threads causes it, for the lock that it is about, with the right arguments; in programs that are dynamic, static, or that unwind their stacks.  Needs: uprobe btf cc.
# Executors: kernel (it needs system calls of locks).
. "$LIB"
source=$checkout/tests/trace/triggers/locks.c
cc="${CC:-cc} -O2 -D_GNU_SOURCE -I${source%/*}"
$cc -o static -static "$source" -pthread || fail "no static program"
$cc -o unwinds -Wl,--no-as-needed "$source" -pthread -lgcc_s || fail "no program that unwinds"
# The N-th lock of the program, the probe, arg1 and arg2 as far as the probe has them.
cat >test.d <<'E2'
pid$target:a.out:name:entry { names[arg1] = arg0 + 1; }
plockstat$target:::mutex-*,plockstat$target:::rw-* /names[arg0]/ { @[names[arg0] - 1, probename, arg1, arg2] = count(); }
END { printa("%d %s %d %d: %@d\n", @); }
E2
cat >wanted <<'E2'
0 mutex-acquire 0 0: 3
0 mutex-release 0 0: 3
1 mutex-acquire 0 0: 6
1 mutex-block 0 0: 3
1 mutex-blocked 1 0: 3
1 mutex-release 0 0: 6
2 mutex-acquire 0 0: 3
2 mutex-error 16 0: 3
2 mutex-release 0 0: 3
3 mutex-acquire 0 0: 3
3 mutex-block 0 0: 3
3 mutex-blocked 0 0: 3
3 mutex-error 110 0: 3
3 mutex-release 0 0: 3
4 mutex-acquire 0 0: 3
4 mutex-error 1 0: 3
4 mutex-error 35 0: 3
4 mutex-release 0 0: 3
5 mutex-acquire 0 0: 3
5 mutex-acquire 1 0: 3
5 mutex-release 0 0: 3
5 mutex-release 1 0: 3
6 mutex-acquire 0 0: 6
6 mutex-block 0 0: 3
6 mutex-blocked 1 0: 3
6 mutex-release 0 0: 6
6 mutex-spin 0 0: 3
6 mutex-spun 0 0: 3
7 mutex-acquire 0 0: 9
7 mutex-release 0 0: 9
8 rw-acquire 0 0: 6
8 rw-acquire 1 0: 3
8 rw-block 1 0: 3
8 rw-blocked 1 1: 3
8 rw-release 0 0: 6
8 rw-release 1 0: 3
9 rw-acquire 0 0: 3
9 rw-acquire 1 0: 3
9 rw-block 0 0: 3
9 rw-blocked 0 1: 3
9 rw-error 0 35: 3
9 rw-error 1 16: 3
9 rw-release 0 0: 3
9 rw-release 1 0: 3
E2
for program in "$TRIGGERS/locks" ./static ./unwinds; do
	must_trace -s test.d -c "$program 3"
	same "$(counted rounds)" 3 "rounds"
	rm counts
	sort -n out | grep . >sorted
	cmp -s sorted wanted || fail "$program: $(diff sorted wanted)"
done
# A probe alone, its lock as a struct, and nothing attached that it does not need.
must_trace -n 'plockstat$target:::mutex-acquire { @[args[0]->owner == tid, args[0]->lock != 0, args[1], args[2]] = count(); }' -c "$TRIGGERS/locks 2"
contains '^ *1  *1  *0  *0  *[0-9]*$'
contains '^ *1  *1  *1  *0  *2$'
"$DTRACE" -xdump=plan -en 'plockstat$target:::mutex-acquire' -c true >out 2>err || fail "$(cat err)"
grep -q 'syscall-entry' out && fail "system calls are traced for an acquisition"
must_trace -n 'plockstat$target:::mutex-block { @ = count(); } plockstat$target:::rw-block { @r[args[1]] = count(); }' -c "$TRIGGERS/locks 5"
contains '^ *15$'
contains '^ *0  *5$'
contains '^ *1  *5$'
