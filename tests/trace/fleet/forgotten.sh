# What: clear() and trunc() act on the merged values: what ticks print is in sum what the hosts have counted, also for the greatest value.  Needs: python3.
. "$LIB"
via="env PATH=${DTRACE%/*}:$PATH H={}"
for act in clear trunc; do
	mkfifo "go.$act"
	/usr/bin/python3 -c '
import os, sys, time
sys.stdin.readline()
for i in range(25):
    for _ in range(4000):
        os.getppid()
    time.sleep(0.08)
time.sleep(0.5)' <"go.$act" &
	calls=$!
	exec 7>"go.$act"
	wait_for_program "$calls" python3.11 2>/dev/null || sleep 1
	background --on a,b,c -x via="$via" -n "BEGIN { printf(\"begun\\n\"); } syscall::getppid:entry /pid == $calls/ { @c[probefunc, cpu] = count(); @m[1] = max(1); }
		tick-150ms { printf(\"tick\\n\"); printa(\"%s %d %@d\\n\", @c); $act(@c); printa(\"most %d %@d\\n\", @m); $act(@m); }
		END { printa(\"%s %d %@d\\n\", @c); }"
	until_true 10 grep -q begun out || fail "it does not begin"
	echo >&7
	wait "$calls"
	kill -INT "$pid"
	wait "$pid"
	same "$?$(cat err)" 0 "$act"
	same "$(awk '/^getppid/ { n += $3 } END { print n }' out)" 300000 "calls, by $act"
	[ "$(grep -c tick out)" -gt 10 ] || fail "too few ticks"
	exec 7>&-
done
