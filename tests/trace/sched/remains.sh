# What: a thread that yields to nobody remains on its CPU.  Needs: btf python3
. "$LIB"
"$DTRACE" -ln sched:::remain-cpu >out 2>&1
grep -q ' remain-cpu$' out || skip "this kernel does not report it"
cat >child.py <<'E2'
import os
os.sched_get_priority_max(0)
for i in range(200):
    os.sched_yield()
os.sched_get_priority_max(0)
E2
# Each yield ends in one of both.
must_trace -n 'syscall::sched_get_priority_max:entry /pid == $target/ { on++; }
	syscall::sched_yield:entry /pid == $target && on == 1/ { self->yields = 1; @n["yields"] = sum(1); }
	sched:::remain-cpu /self->yields/ { @n["remains"] = sum(1); self->ended = 1; }
	sched:::off-cpu /self->yields/ { @n["leaves"] = sum(1); self->ended = 1; }
	syscall::sched_yield:return /self->yields/ { @n["ended"] = sum(self->ended); self->yields = 0; self->ended = 0; }
	END { printa("%s %@d\n", @n); }' -c "$(command -v python3) child.py"
same "$(value_of yields) $(value_of ended)" "200 200" "yields"
[ $(($(value_of remains) + $(value_of leaves))) -ge 200 ] || fail "ends"
[ "$(value_of remains)" -gt 0 ] || fail "the thread never remains"
