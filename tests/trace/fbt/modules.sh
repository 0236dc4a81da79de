# What: functions of a module that is loaded while tracing are traced from then on; what came before is reported.  Needs: kprobe btf ip python3.
. "$LIB"
grep -q '^dummy ' /proc/modules && skip "the module dummy is loaded already"
module=$(find -L "/lib/modules/$(uname -r)" -name "dummy.ko*" 2>/dev/null | head -n 1)
[ "$module" ] || skip "there is no module dummy"
case $module in
*.xz) xz -dc "$module" >dummy.ko ;;
*) cp "$module" dummy.ko ;;
esac
cat >module.py <<'END'
import ctypes, os, platform, sys
load, unload = (313, 176) if platform.machine() == "x86_64" else (273, 106) # finit_module, delete_module
syscall = ctypes.CDLL(None).syscall
if sys.argv[1] == "load":
    sys.exit(syscall(load, os.open("dummy.ko", os.O_RDONLY), b"numdummies=0", 0) != 0)
sys.exit(syscall(unload, b"dummy", os.O_NONBLOCK) != 0)
END
"$DTRACE" -n 'fbt:dummy::entry' >out 2>err && fail "enabled before it is there"
grep -q 'no module dummy is loaded (-Z waits for it)' err || fail "$(cat err)"
background -Zn 'BEGIN { printf("begun\n"); }
	fbt:dummy:dummy_setup:entry { printf("setup with %d\n", ((struct net_device *)arg0)->mtu); @n[probefunc] = count(); }
	fbt:dummy::return { @n[probemod] = count(); }
	fbt:vmlinux:do_exit:entry /pid == $pid/ { exit(1); }
	END { printa("%s %@d\n", @n); }'
until_true 60 grep -qs begun out || fail "never began"
/usr/bin/python3 module.py load || fail "not loaded"
until_true 60 grep -q 'modules of the kernel were loaded: what they called before' err || fail "not seen: $(cat err)"
for i in 1 2 3; do
	ip link add "dtrace$i" type dummy
	ip link del "dtrace$i"
done
kill -INT "$pid"
wait "$pid" || fail "status $?: $(cat err)"
/usr/bin/python3 module.py unload
contains "^setup with [0-9]*$"
contains '^dummy_setup 3$'
contains '^dummy [1-9][0-9]*$'
exit 0
