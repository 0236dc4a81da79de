# What: a thread whose real-time priority falls is put at the head of its queue, one whose priority rises at the end.
# Needs: btf kprobe python3.
. "$LIB"
cat >child.py <<'E2'
import os
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
os.sched_get_priority_max(0)
for i in range(15):
    os.sched_setparam(0, os.sched_param(30))
    os.sched_setparam(0, os.sched_param(20))
os.sched_get_priority_max(0)
E2
must_trace -n 'syscall::sched_get_priority_max:entry /pid == $target/ { on++; }
	sched:::enqueue /args[0]->pr_lwpid == $target && on == 1/ { @[args[3] ? "head" : "end"] = count(); }' -c "$(command -v python3) child.py"
same "$(value_of head)" 15 "at the head"
[ "$(value_of end)" -ge 15 ] || fail "only $(value_of end) at the end"
