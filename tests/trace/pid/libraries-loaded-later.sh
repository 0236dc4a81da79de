# What: functions of libraries that are loaded later are traced from their first call on, with -Z or by a pattern.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
cat > library.c <<'C'
__attribute__((noinline)) int loaded_inner(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int loaded_f(int x) { return loaded_inner(x) * 2; }
__attribute__((constructor)) static void first(void) { loaded_f(1000); }
C
for name in one two three; do
	gcc -O1 -fno-optimize-sibling-calls -shared -fPIC -o "lib$name.so" library.c || fail "cannot compile"
done

# What none has yet needs -Z; a pattern that means something already does not.  Constructors count.
trace -n 'pid$target:libone:loaded_f:entry { @ = count(); }' -c "$TRIGGERS/loads ./libone.so"
same "$status" 1 "status without -Z"
must_trace -Z -n 'pid$target:libone:loaded_f:entry { @f = count(); } pid$target:libone:loaded_inner:return { @v = sum(arg1); }
	END { printa("f %@d\n", @f); printa("v %@d\n", @v); }' -c "$TRIGGERS/loads ./libone.so"
contains '^f 101$'
contains "^v $((99 * 100 / 2 + 100 + 1001))$"
must_trace -n 'pid$target::load*:entry { @[probemod, probefunc] = count(); } END { printa("%s %s %@d\n", @); }' \
	-c "$TRIGGERS/loads ./libone.so ./libtwo.so ./libone.so ./libthree.so"
for name in one:201 two:101 three:101; do
	contains "^lib${name%:*}.so loaded_f ${name#*:}\$"
	contains "^lib${name%:*}.so loaded_inner ${name#*:}\$"
done
contains '^loads load 4$'

# Variables, records, strings and ERROR of clauses that had no probe before.
must_fault -Z -n 'int calls; self int before;
	pid$target:libone:loaded_f:entry { self->before = arg0; calls++; @keys[execname, probefunc] = max(arg0); }
	pid$target:libone:loaded_f:return /self->before >= 98/ { printf("%s %s %d %d\n", execname, stringof("text"), self->before, arg1); self->before = 0; }
	pid$target:libone:loaded_inner:entry /arg0 == 7/ { copyinstr(8); printf("never\n"); }
	dtrace:::ERROR { printf("error %d\n", arg4); }
	END { printf("calls %d\n", calls); printa("%s %s %@d\n", @keys); }' -c "$TRIGGERS/loads ./libone.so"
contains '^loads text 98 198$'
contains '^loads text 99 200$'
contains '^loads text 1000 2002$'
contains '^error 1$'
contains '^calls 101$'
contains '^loads loaded_f 1000$'
grep -q never out && fail "the clause went on behind its fault"

# A process that runs already.
mkfifo in
"$TRIGGERS/loads" wait ./libone.so ./libtwo.so <in &
target=$!
exec 3>in
wait_for_program $target loads
background -Z -n 'BEGIN { printf("begun\n"); } pid$target:lib*:loaded_f:entry { @[probemod] = count(); }
	END { printa("%s %@d\n", @); }' -p "$target"
until_true 20 grep -qs begun out || fail "never began"
printf x >&3
exec 3>&-
wait "$pid"
contains '^libone.so 101$'
contains '^libtwo.so 101$'
[ -s err ] && fail "something on standard error"
exit 0
