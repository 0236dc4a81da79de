# What: where functions of the kernel can be probed, spin locks are seen to be taken and released: that of a process's table of files,
# once for each open(2), and once for each close(2).  A pattern leaves them out.  Needs: btf kprobe python3.
. "$LIB"
"$DTRACE" -ln 'lockstat:::spin-acquire, lockstat:::spin-release' >list 2>err
grep -q spin-acquire list && grep -q spin-release list || skip "no function of the locks can be probed: $(head -n 1 err)"
cat >child.py <<'E2'
import os
def calls(n):
    os.getpgid(0)
    for i in range(n):
        os.close(os.open("/dev/null", os.O_RDONLY))
    os.getpgid(0)
calls(100)
calls(431)
E2
count() { # how often the lock is taken, released more for 431 calls than for 100
	trace -qn "int round, on; syscall::getpgid:entry /pid == \$target/ { on = !on; round += on; }
		lockstat:::spin-$1 /pid == \$target && on && arg0 == (uintptr_t)&curthread->files->file_lock/ { @n[round] = count(); }
		END { printa(\"%d %@d\n\", @n); }" -c "$(command -v python3) child.py"
	[ "$status" -eq 0 ] || fail "status $status"
	awk '{ n[$1] = $2 } END { print n[2] - n[1] }' out
}
for way in acquire release; do
	for try in 1 2 3 4 5 6; do # a firing that meets our own program is missed, and said
		more=$(count "$way")
		grep -v 'firings* missed: the program was already running' err && fail "$way"
		[ "$more" != 662 ] && grep -q 'firings* missed' err || break
	done
	same "$more" 662 "locks, $way"
done
"$DTRACE" -xdebug -n 'lockstat:::spin-* { } BEGIN { exit(0); }' >out 2>err
contains 'spin-acquire.*programs call' err
# An interrupt takes locks, too, while a function that takes one is at work: each return has its own lock.
trace -qn 'BEGIN { @["none"] = sum(0); } lockstat:::spin-acquire { @["all"] = sum(1); } lockstat:::spin-acquire /!args[0]/ { @["none"] = sum(1); } tick-3s { exit(0); }' \
	-c "$(command -v python3) child.py"
missed=$(awk '/firings* missed/ { n += $2 } END { print n + 0 }' err)
[ "$(value_of all)" -ge 1000 ] || fail "$(value_of all) locks taken: $(cat err)"
[ "$(value_of none)" -le "$missed" ] || fail "$(value_of none) of $(value_of all) without a lock, $missed firings missed"
