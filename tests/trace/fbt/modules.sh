# What: functions of a module that is loaded while tracing are traced from then on; what came before is reported.  Needs: kprobe btf ip python3.
. "$LIB"
grep -q '^dummy ' /proc/modules && skip "the module dummy is loaded already"
module find dummy || skip "there is no module dummy"
"$DTRACE" -n 'fbt:dummy::entry' >out 2>err && fail "enabled before it is there"
grep -q 'no module dummy is loaded (-Z waits for it)' err || fail "$(cat err)"
background -Zn 'BEGIN { printf("begun\n"); }
	fbt:dummy:dummy_setup:entry { printf("setup with %d\n", ((struct net_device *)arg0)->mtu); @n[probefunc] = count(); }
	fbt:dummy::return { @n[probemod] = count(); }
	fbt:vmlinux:do_exit:entry /pid == $pid/ { exit(1); }
	END { printa("%s %@d\n", @n); }'
until_true 60 grep -qs begun out || fail "never began"
module load dummy numdummies=0 || fail "not loaded"
until_true 60 grep -q 'modules of the kernel were loaded: what they called before' err || fail "not seen: $(cat err)"
for i in 1 2 3; do
	ip link add "dtrace$i" type dummy
	ip link del "dtrace$i"
done
kill -INT "$pid"
wait "$pid" || fail "status $?: $(cat err)"
module unload dummy
contains "^setup with [0-9]*$"
contains '^dummy_setup 3$'
contains '^dummy [1-9][0-9]*$'
exit 0
