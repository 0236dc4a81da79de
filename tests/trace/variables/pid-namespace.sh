# What: in a PID namespace, pid, tid, ppid, $target, progenyof() and the names of user stacks are as /proc has them there.
# Needs: unshare uprobe.  Executors: kernel (threads have other numbers in a PID namespace).
. "$LIB"
unshare -p -f --mount-proc true 2>/dev/null || skip "no PID namespaces here"
cat >inside <<'END'
"$DTRACE" -n 'syscall::getppid:entry /pid == $target/
	{ @[pid == $target, tid == $target, ppid == $pid, progenyof($pid), progenyof($target), progenyof(1 << 20)] = count(); }' \
	-c "$TRIGGERS/syscalls 7" >numbers 2>notice
"$DTRACE" -qn 'pid$target::main:entry { ustack(1); }' -c "$TRIGGERS/syscalls 1" >stack 2>>err
# Of a process in a namespace further inside, our number, not its own, which is 1.
"$DTRACE" -qn 'syscall::getppid:entry /progenyof($target)/ { @[pid == 1, pid > $target, ppid >= $target] = count(); }' \
	-c "unshare -p -f $TRIGGERS/syscalls 5" >nested 2>>err
# Members of translated processes, of the current one and of a child that begins, are such numbers, too.
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @[curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curlwpsinfo->pr_lwpid == tid,
	curthread->t_procp->p_pid == pid] = count(); }
	proc:::create /pid == $target/ { @child[args[0]->pr_ppid == pid, args[0]->pr_pid > pid, args[0]->pr_pid < pid + 100] = count(); }' \
	-c "sh -c '$TRIGGERS/syscalls 5; exec $TRIGGERS/syscalls 4'" >members 2>>err
END
unshare -p -f --mount-proc sh inside || fail "status $?"
[ -s err ] && fail "something on standard error"
same "$(tr -s ' ' <numbers | grep -v '^$')" ' 1 1 1 1 1 0 7' "numbers inside"
contains 'numbers of the PID namespace that dtrace is in: 0 for processes outside' notice
contains 'syscalls`main' stack
same "$(tr -s ' ' <nested | grep -v '^$')" ' 0 1 1 5' "numbers further inside"
same "$(tr -s ' ' <members | grep -v '^$' | sed 's/ [0-9]*$//')" "$(printf ' 1 1 1 1\n 1 1 1')" "members of psinfo_t inside"
# Where /proc is the outer one, its numbers are not ours: nothing is traced rather than another process.
unshare -p -f sh -c '"$DTRACE" -qn "BEGIN { exit(0); }" -c true' >out 2>err && fail "-c with the outer /proc"
contains '/proc shows another PID namespace' err
unshare -p -f sh -c '"$DTRACE" -qn "BEGIN { exit(0); }" -p 1' >out 2>err && fail "-p with the outer /proc"
contains 'failed to grab pid 1: /proc shows another' err
unshare -p -f sh -c '"$DTRACE" -qn "pid1::main:entry"' >out 2>err && fail "pid probes with the outer /proc"
contains 'failed to grab process 1: /proc shows another' err
