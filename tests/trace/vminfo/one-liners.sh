# What: one-liners for memory: faults by process.  Needs: btf
. "$LIB"
"$DTRACE" -ln vminfo:::as_fault >out 2>&1
grep -q ' as_fault$' out || skip "this kernel does not count faults"
must_trace -n 'vminfo:::as_fault /pid == $target/ { @[execname] = sum(arg0); }' -c "$TRIGGERS/syscalls 1"
[ "$(value_of syscalls)" -ge 10 ] || fail "$(value_of syscalls) faults of a program that starts"
must_trace -n 'vminfo:::as_fault /pid == $target && execname == "syscalls"/ { @f[probename] = count(); }' -c "$TRIGGERS/syscalls 1"
[ "$(value_of as_fault)" -ge 10 ] || fail "faults"
