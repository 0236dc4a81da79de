# What: a process may load more libraries than files may be open at first; if no more are allowed this is reported. Needs: uprobe_multi cc.
# Executors: kernel (more libraries than descriptors).
. "$LIB"
cat >library.c <<'C'
__attribute__((noinline)) int loaded_f(int x) { __asm__ volatile(""); return x + 1; }
C
gcc -O1 -shared -fPIC -o lib0.so library.c || fail "cannot compile"
libraries=./lib0.so
for i in $(seq 59); do
	cp lib0.so "lib$i.so"
	libraries="$libraries ./lib$i.so"
done
program='pid$target:lib[0-9]*.so:loaded_f:entry { @ = count(); } END { printa("calls %@d\n", @); }'
(
	ulimit -Sn 100
	must_trace -Z -n "$program" -c "$TRIGGERS/loads $libraries"
	contains '^calls 6000$'
) || exit 1
(
	ulimit -n 100
	trace -Z -n "$program" -c "$TRIGGERS/loads $libraries"
	same "$status" 0 status
	[ "$(sed -n 's/^calls //p' out)" -lt 6000 ] || skip "more files may be opened than the limit says"
	same "$(grep -c '^dtrace: the limit of open files is reached: .* (allow more: ulimit -n)$' err)" 1 "messages"
) || exit $?
