# What: what functions of the kernel show: new pages, pages copied after fork, not those that are shared; paths looked up.
# Needs: btf kprobe python3
. "$LIB"
"$DTRACE" -ln vminfo:::zfod 2>&1 | grep -q ' zfod$' || zfod=none # 6.1 has no function of its own for it
must_trace -Zn 'syscall::sched_get_priority_max:entry /progenyof($target)/ { on++; }
	vminfo:::zfod /progenyof($target) && on % 2/ { @n["zfod", on] = sum(arg0); }
	vminfo:::cow_fault /progenyof($target) && on % 2/ { @n["cow", on] = sum(arg0); }
	END { printa("%s-%d %@d\n", @n); }' -c "$TRIGGERS/pages 200"
same "$(value_of cow-3)" 200 "copied pages"
same "$(value_of cow-1) $(value_of cow-5)" "0 0" "copied pages elsewhere"
[ "${zfod-}" ] || same "$(value_of zfod-1) $(value_of zfod-3) $(value_of zfod-5)" "200 0 0" "new pages"
cat >child.py <<'E2'
import os
os.sched_get_priority_max(0)
for i in range(10):
    try:
        os.stat("/nonexistent")
    except FileNotFoundError:
        pass
os.sched_get_priority_max(0)
E2
must_trace -n 'syscall::sched_get_priority_max:entry /pid == $target/ { on++; }
	sysinfo:::namei /pid == $target && on == 1/ { @n["namei"] = sum(arg0); } END { printa("%s %@d\n", @n); }' -c "$(command -v python3) child.py"
same "$(value_of namei)" 10 "paths"
