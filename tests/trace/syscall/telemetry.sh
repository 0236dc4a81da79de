# What: a telemetry script: printa each second, then clear; the sum of all lines is the number of writes.
. "$LIB"
cat >telemetry.d <<'D'
syscall::write:entry /pid == $target && arg0 == $1/ { @w = sum(arg2); }
tick-1s, END { printa("dtrace.host.write %@u", @w); printf(" %d\n", walltimestamp / 1000000000); clear(@w); }
D
must_trace -s telemetry.d -c "$TRIGGERS/syscalls 2000 1000" 4
grep -Eq '^dtrace\.host\.write [0-9]+ 1[0-9]{9}$' out || fail "no line of telemetry"
same "$(awk '/^dtrace/ { n += $2 } END { print n }' out)" $((16 * $(counted write))) "bytes"
[ "$(grep -c '^dtrace' out)" -ge 2 ] || fail "too few lines"
