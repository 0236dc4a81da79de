# What: args[] of a tracepoint are typed, argN has sign and size, different tracepoints are distinguished. Needs: btf
. "$LIB"
must_trace -n 'rawtp:::sched_process_exec /pid == $target/ { printf("exec %s %d\n", stringof(args[2]->filename), args[0]->pid == pid); }
	rawtp:::sched_process_exit /pid == $target/ { printf("exit %d %s\n", args[0]->pid == pid, probename); }
	rawtp:::sys_exit /pid == $target && args[1] == -9/ { printf("failed %d\n", arg1); }' \
	-c "/bin/sh -c 'exec <&-; read x; exec /bin/true'"
contains '^exec /bin/true 1$'
contains '^exit 1 sched_process_exit$'
contains '^failed -9$'
