# What: a program that computes has ticks, one that calls the kernel all the time has them in the kernel, and each CPU has 100 ticks a
# second.  Needs: btf.
. "$LIB"
must_trace -n 'sysinfo:::cpu_ticks_user /pid == $target/ { @["user"] = sum(arg0); }
	sysinfo:::cpu_ticks_kernel /pid == $target/ { @["kernel"] = sum(arg0); }
	sysinfo:::cpu_ticks_idle /pid == $target/ { @["idle"] = sum(arg0); }
	sysinfo:::cpu_ticks_user,sysinfo:::cpu_ticks_kernel,sysinfo:::cpu_ticks_idle { @["all"] = sum(1); }
	syscall:::entry /pid == $target && !began/ { began = timestamp; }
	proc:::exit /pid == $target/ { @t = sum((timestamp - began) / 10000000); } END { printa("time %@d\n", @t); }' -c "$TRIGGERS/lives spin 600"
[ $(($(value_of user) + $(value_of kernel))) -ge 20 ] || fail "$(value_of user) and $(value_of kernel) ticks of 600 ms"
[ "$(value_of user)" -ge 1 ] || fail "no tick in user mode"
same "$(value_of idle)" 0 "idle ticks of a process"
cpus=$(nproc)
[ "$(value_of all)" -ge $((cpus * $(value_of time) / 2)) ] && [ "$(value_of all)" -le $((cpus * ($(value_of time) * 5 / 4 + 50))) ] || fail "$(value_of all) ticks of $cpus CPUs in $(value_of time)0 ms"
must_trace -n 'sysinfo:::cpu_ticks_kernel /progenyof($target)/ { @["kernel"] = sum(arg0); }' -c 'dd if=/dev/zero of=/dev/null bs=1M count=20000 status=none'
[ "$(value_of kernel)" -ge 5 ] || fail "$(value_of kernel) ticks in the kernel"
