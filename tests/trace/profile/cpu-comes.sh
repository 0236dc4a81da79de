# What: profile probes sample a CPU that comes online later, ticks stay where they are.  Needs: two-cpus unshare.
. "$LIB"
# A list of CPUs made by the test: no CPU really comes or goes.
echo 0 >online
cat >inside <<'END'
mount --bind online /sys/devices/system/cpu/online || exit 77
exec env --default-signal=INT "$DTRACE" -x statusrate=100ms -qn 'profile-97 { @p[cpu] = count(); } tick-97 { @t[cpu] = count(); n++; }
	tick-97 /n % 10 == 1/ { printf("."); } END { printa("profile %d %@d\n", @p); printa("tick %d %@d\n", @t); }'
END
unshare -m true 2>/dev/null || skip "no mount namespaces here"
unshare -m sh inside >out 2>err &
pid=$!
until_true 10 test -s out || fail "it does not begin"
echo 0-1 >online
"$TRIGGERS/spin" 1500 & # an idle CPU other than the first may take no samples
one=$!
"$TRIGGERS/spin" 1500 &
wait "$one" "$!"
kill -INT "$pid"
wait "$pid"
same $? 0 status
[ -s err ] && fail "something on standard error"
contains '^[.]*profile 0 '
contains 'profile 1 '
contains '^tick 0 '
grep -q 'tick 1' out && fail "a tick on a CPU that came"
true
