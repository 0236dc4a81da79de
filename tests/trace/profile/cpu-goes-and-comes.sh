# What: a CPU that goes offline and comes back between two looks gets its timers again.  Needs: two-cpus unshare.
. "$LIB"
# No CPU really goes: the folder that the kernel makes for each CPU that comes is replaced, so the old timers continue as well.
mkdir topology
cat >inside <<'END'
( until [ -s out ]; do sleep 0.05; done; exec mount --bind topology /sys/devices/system/cpu/cpu0/topology ) &
exec env --default-signal=INT "$DTRACE" -x statusrate=50ms -n 'tick-50 { @[cpu] = count(); n++; } tick-50 /n == 3/ { printf("begun\n"); }
	END { printf("\n"); printa("tick %d %@d\n", @); }'
END
unshare -m true 2>/dev/null || skip "no mount namespaces here"
unshare -m sh inside >out 2>err &
pid=$!
until_true 10 grep -q 'went offline' err || fail "nobody notices: $(cat err)"
sleep 0.5
kill -INT "$pid"
wait "$pid"
same $? 0 status
grep -q 'tick probes continue on CPU 0: their CPU went offline' err || fail "$(cat err)"
same "$(grep -c 'went offline' err)" 1 "moves"
contains "^tick 0 "
