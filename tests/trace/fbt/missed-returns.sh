# What: returns of functions that too many threads were in at once are counted and reported, none is lost silently.  Needs: kprobe btf python3
. "$LIB"
has_feature kprobe_multi || skip "this kernel does not count them (without kprobe.multi)"
# More functions than those whose returns are traced by fexit, which has room for all calls. The kernel has room for two calls of
# each function for each CPU, wherever they are.
others=$("$DTRACE" -ln 'fbt:vmlinux:vfs_*:return' | awk '$2 == "fbt" { print "fbt:vmlinux:" $4 ":return" }' | head -n 21)
[ "$(echo "$others" | wc -l)" -eq 21 ] || fail "no 21 functions"
threads=$((22 * 2 * $(getconf _NPROCESSORS_CONF) + 100))
cat >child.py <<'END'
import sys, threading, time
gate = threading.Barrier(int(sys.argv[1]))
def sleep():
    gate.wait()
    time.sleep(2)
threads = [threading.Thread(target=sleep) for i in range(gate.parties)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
trace -n "$(echo $others | tr ' ' ','),fbt:vmlinux:hrtimer_nanosleep:return { @n[\"all\"] = count(); }
	fbt:vmlinux:hrtimer_nanosleep:return /pid == \$target/ { @n[\"seen\"] = count(); }" -c "$(command -v python3) child.py $threads"
[ "$status" -eq 0 ] || fail "status $status"
seen=$(value_of seen)
missed=$(sed -n 's/^dtrace: \([0-9]*\) firings* missed: the kernel was in a probe already, or too many calls .*/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
[ "$seen" -lt "$threads" ] && [ "$missed" -gt 0 ] || fail "all of $threads returns are seen, $seen, or none is reported as missed, $missed"
# Others sleep, too.
[ $((seen + missed)) -ge "$threads" ] || fail "of $threads returns $seen are seen, and $missed reported as missed"
