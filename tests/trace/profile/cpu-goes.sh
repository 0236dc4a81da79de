# What: ticks continue on another CPU when theirs goes offline, and stay there when it comes back. Needs: two-cpus unshare.
. "$LIB"
# A list of CPUs made by the test: no CPU really comes or goes, so the old timer continues as well.
echo 0-1 >online
cat >inside <<'END'
mount --bind online /sys/devices/system/cpu/online || exit 77
exec env --default-signal=INT "$DTRACE" -x statusrate=50ms -n 'profile-97 { @p[cpu] = count(); }
	tick-50 { @t[cpu] = count(); n++; } tick-50 /n == 3/ { printf("begun"); }
	tick-50 /cpu == 1 && !moved/ { moved = 1; printf("moved"); } BEGIN { moved = 0; }
	END { printf("\n"); printa("profile %d %@d\n", @p); printa("tick %d %@d\n", @t); }'
END
unshare -m true 2>/dev/null || skip "no mount namespaces here"
unshare -m sh inside >out 2>err &
pid=$!
until_true 10 grep -q begun out || fail "it does not begin"
echo 1 >online
until_true 10 grep -q moved out || fail "no tick on the CPU that is left"
echo 0-1 >online
sleep 0.5
kill -INT "$pid"
wait "$pid"
same $? 0 status
contains 'tick probes continue on CPU 1: their CPU went offline' err
same "$(grep -c 'went offline' err)" 1 "moves: a CPU that comes back gets none"
