# What: switches of a program are counted as the kernel counts them in its thread, forced ones apart, and those to the idle thread.
# Needs: btf.
. "$LIB"
must_trace -n 'int on; syscall:::entry /tid == $target && !on/ { all = curthread->nvcsw + curthread->nivcsw; forced = curthread->nivcsw; on = 1; }
	sysinfo:::pswitch /tid == $target && on/ { @n["pswitch"] = sum(arg0); }
	sysinfo:::inv_swtch /tid == $target && on/ { @n["inv_swtch"] = sum(arg0); }
	sysinfo:::idlethread /tid == $target && on/ { @n["idlethread"] = sum(arg0); }
	rawtp:::sched_switch /tid == $target && on && ((struct task_struct *)arg2)->pid == 0/ { @n["idle"] = sum(1); }
	proc:::lwp-exit /tid == $target/ { on = 0; @n["all"] = sum(curthread->nvcsw + curthread->nivcsw - all);
		@n["forced"] = sum(curthread->nivcsw - forced); }' -c "$TRIGGERS/lives sleep 40 spin 200"
same "$(value_of pswitch)" "$(value_of all)" "switches"
same "$(value_of inv_swtch)" "$(value_of forced)" "forced switches"
[ "$(value_of pswitch)" -ge 40 ] || fail "only $(value_of pswitch) switches"
idle=$(value_of idle)
same "$(value_of idlethread)" "$(value_of idle)" "switches to the idle thread"
must_trace -n 'sysinfo:::inv_swtch /pid == $target/ { @ = count(); }' -c "$TRIGGERS/lives spin 20"
[ "$idle" -ge 1 ] || skip "no CPU was idle"
