# What: writes and reads of a process's variables, by its threads and by system calls; lengths; instructions.  Needs: uprobe watchpoints.
# Executors: kernel (its probes are of the processor).
. "$LIB"
"$DTRACE" -xerrtags -ln 'watch$target:::total:w' -c "$TRIGGERS/watched" 2>&1 | grep -q 'no debug registers' &&
	skip "this machine has no debug registers"

# Each thread's writes, no child's; the address, the instruction and the new value are right.
must_trace -n 'watch$target:a.out:`total:w { @n[probefunc] = count(); @at = sum(arg0 == (uint64_t)&``total); last = *(long *)copyin(arg0, 8);
	@in[usym(arg1)] = count(); @t[tid] = count(); }
	END { printa("at %@d\n", @at); printf("last %d\n", last); printa(@n); printa("%A %@d\n", @in); printa("thread %@d\n", @t); }' -c "$TRIGGERS/watched 25"
same "$(counted total)" 100 "the program's sum"
same "$(value_of '`total+8')" 100 "writes"
same "$(value_of at)" 100 "addresses"
wanted_last=100
[ "$(uname -m)" = x86_64 ] || wanted_last=99 # aarch64 stops before the access
same "$(value_of last)" $wanted_last "the last value"
contains '^watched`add 100$'
same "$(grep -c '^thread 25$' out)" 4 "threads"

# The same of a process that runs, with threads that wait.
TRIGGER_GATE=$PWD/gate "$TRIGGERS/watched" 30 &
child=$!
trap 'kill $child 2>/dev/null' EXIT
has_threads() { [ "$(ls "/proc/$child/task" | wc -l)" -eq 3 ]; }
until_true 10 has_threads || fail "no threads"
background -n 'BEGIN { printf("traced\n"); } watch$target:::total { @ = count(); } END { printa("writes %@d\n", @); }' -xswitchrate=10ms -p "$child"
until_true 10 grep -q traced out || fail "not traced"
: >gate
wait "$pid" || fail "status $?"
same "$(value_of writes)" 120 "writes of threads that were there"

# Children, if they are followed.
must_trace -xfollow=all -n 'watch$target:::total { @ = count(); } END { printa("writes %@d\n", @); }' -c "$TRIGGERS/watched 20"
same "$(value_of writes)" 100 "writes with the child's"

# Accesses that also read, one element, bytes, a system call's write.
must_trace -n 'watch$target::total:rw { @["rw"] = count(); } watch$target:::bytes+4:w { @["bytes"] = count(); }' -c "$TRIGGERS/watched 10"
same "$(value_of bytes)" 4 "bytes written"
[ "$(value_of rw)" -ge 80 ] || fail "only $(value_of rw) reads and writes"
must_trace -n 'watch$target:::`copied { @k["in the kernel"] = sum(arg1 < 0); @v["value"] = max(copied = *(long *)copyin(arg0, 8)); }
	watch$target:::pair { @f["both"] = count(); } watch$target:::pair+4 { @f["first"] = count(); }' -c "$TRIGGERS/watched 1"
if [ "$(uname -m)" = x86_64 ]; then # QEMU's aarch64 does not report the kernel's writes
	[ "$(awk '/in the kernel/ { print $NF }' out)" -gt 0 ] || fail "no write by a system call"
	same "$(value_of value)" 42 "what was copied"
fi
same "$(value_of both)" 1 "an array of eight bytes"
grep -q first out && fail "an element that nobody writes"
must_trace -n 'watch$target::add:x { @[probename] = count(); @a["same"] = sum(arg0 == arg1); }' -c "$TRIGGERS/watched 1"
same "$(value_of x)" 4 "executions"
same "$(value_of same)" 4 "their address"
exit 0
