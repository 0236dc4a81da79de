# What: a thread that makes itself nice: its new priority, before it has it; one that changes nothing is not seen where there are kprobes.  Needs: btf.
. "$LIB"
old=$(($(nice) + 120))
new=$((old + 7 > 139 ? 139 : old + 7))
[ "$old" -lt 139 ] || skip "nobody is nicer than this process"
must_trace -n 'sched:::change-pri /pid == $target/ { @["change", args[2], args[0]->pr_pri, args[0]->pr_lwpid == tid, args[1]->pr_pid == pid, arg0 == (long)curthread] = count(); }' \
	-c '/usr/bin/nice -n 7 /bin/true'
contains "^ *change  *$new  *$old  *1  *1  *1  *1\$"
