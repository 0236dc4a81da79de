# What: with task =, pid, tid, execname, curthread and curpsinfo are another thread's; its stacks and self variables are refused.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe next () {
		on tp sched_switch(bool preempted, struct task_struct *prev, struct task_struct *next, ...) { task = next; }
	}
}
END
must_trace -xprovdir=providers -n 'mine:::next /pid == $target/ { @[execname, tid == $target, curthread->pid == $target, curpsinfo->pr_pid == $target, uid == curthread->cred->uid.val, gid, ppid == curpsinfo->pr_ppid] = count(); }' \
	-c "$TRIGGERS/lives sleep 20"
contains '^ *lives  *1  *1  *1  *1  *0  *1  *[0-9]'
# A sleep may be over before the thread gives way.
[ "$(awk '$1 == "lives" { print $NF }' out)" -ge 15 ] || fail "too few arrivals"
for body in 'stack()' 'ustack()' 'self->a = 1' '@[stack()] = count()' 'trace(ustackdepth)' 'trace(copyinstr(16))' 'trace(uregs[R_SP])'; do
	trace -xprovdir=providers -n "mine:::next { $body; }"
	same "$status" 1 "status of $body"
	contains 'is of the thread that runs' err
done
