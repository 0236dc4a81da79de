# What: threads that wait for a mutex and for a reader-writer lock: as often as a program makes them wait, as long as it lets
# them, for the lock that the kernel names.  Needs: btf python3.
. "$LIB"
# A thread that writes from a page that is not there yet holds the lock of the pipe or the file: until the page is filled.
cp "$checkout/tests/trace/lockstat/contends.py" child.py
cat >test.d <<'E2'
/* Threads that begin and end may wait shortly for the lock of the memory. */
lockstat:::adaptive-block,lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ {
	@n[probename] = count(); @most[probename] = max(arg1); }
lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ { @how["writer"] = sum(args[2] == RW_WRITER); }
/* The lock of the wait is the one that the kernel reports at the end. */
lockstat:::adaptive-block,lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ { self->lock = arg0; self->kind = probename == "rw-block"; }
rawtp:::contention_end /pid == $target && tid != pid && self->lock/ { @same[self->kind ? "rw" : "mutex"] = sum(arg0 == self->lock); self->lock = 0; }
rawtp:::contention_begin /pid == $target && tid != pid && arg1 == 33/ { @spins["begun"] = count(); }
lockstat:::adaptive-spin /pid == $target && tid != pid/ { @spins["spun"] = count(); @little = max(arg1); }
END { printa("%s %@d\n", @n); printa("most-%s %@d\n", @most); printa("%s %@d\n", @how); printa("same-%s %@d\n", @same);
	printa("%s %@d\n", @spins); printa("longest %@d\n", @little); }
E2
trace_often -s test.d -c "$(command -v python3) child.py"
[ ! -f skipped ] || skip "$(cat skipped)"
same "$(value_of adaptive-block) $(value_of rw-block) $(value_of writer)" "3 4 4" "waits"
same "$(value_of same-mutex) $(value_of same-rw)" "3 4" "waits for the lock of the kernel"
for kind in adaptive-block rw-block; do
	[ "$(value_of most-$kind)" -lt 30000000000 ] || fail "a wait of $(value_of most-$kind) ns"
done
# where the owner sleeps, a thread spins only shortly, once
same "$(value_of spun)" "$(value_of begun)" "times of spinning"
[ "$(value_of longest)" -lt "$(value_of most-adaptive-block)" ] || fail "$(value_of longest) ns of spinning"
