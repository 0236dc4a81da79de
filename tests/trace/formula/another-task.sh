# What: with task =, pid, tid, execname, curthread and curpsinfo are another thread's; its stacks and self variables, and actions on it, are refused; `target`
# and -x target are of that thread.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe next () {
		on tp sched_switch(bool preempted, struct task_struct *prev, struct task_struct *next, ...) { task = next; }
	}
	probe previous () {
		on tp sched_switch(bool preempted, struct task_struct *prev, ...) { }
	}
	probe asked-by-child () {
		on syscall getppid entry () { task = ((struct task_struct *)curthread)->real_parent; }
	}
}
END
must_trace -xprovdir=providers -n 'mine:::next /pid == $target/ { @[execname, tid == $target, curthread->pid == $target, curpsinfo->pr_pid == $target, uid == curthread->cred->uid.val, gid, ppid == curpsinfo->pr_ppid] = count(); }' \
	-c "$TRIGGERS/lives sleep 20"
contains '^ *lives  *1  *1  *1  *1  *0  *1  *[0-9]'
# A sleep may be over before the thread gives way.
[ "$(awk '$1 == "lives" { print $NF }' out)" -ge 15 ] || fail "too few arrivals"
for body in 'stack()' 'raise(SIGUSR1)' 'stop()' 'trace(usym(16))' 'trace(cgroupname)' 'ustack()' 'self->a = 1' '@[stack()] = count()' 'trace(ustackdepth)' 'trace(copyinstr(16))' 'trace(uregs[R_SP])'; do
	trace -w -xprovdir=providers -n "mine:::next { $body; }"
	same "$status" 1 "status of $body"
	contains 'is of the thread that runs' err
done

must_trace -xprovdir=providers -n 'mine:::next /tid == $target/ { @["thread"] = count(); } mine:::next /target == $target/ { @["target"] = count(); }
	mine:::previous /tid == $target/ { @["previous"] = count(); } mine:::previous /target/ { @["previous-target"] = count(); }' -c "$TRIGGERS/lives sleep 20"
[ "$(value_of target)" -ge 15 ] || fail "too few arrivals of the target"
same "$(value_of target) $(value_of previous-target)" "$(value_of thread) $(value_of previous)" "arrivals and departures of the target"

# Of the program alone, though others run before it; at one event with a clause about the thread that runs.
trace -xprovdir=providers -x target=exec:lives -n 'mine:::next { @[execname == "lives" ? "lives" : "others"] = count(); }
	mine:::previous { @[execname == "lives" ? "previous" : "other-previous"] = count(); }' -c "$TRIGGERS/lives sleep 20"
same "$status $(value_of others) $(value_of other-previous)" "0 0 0" "status, and other programs"
[ "$(value_of lives)" -ge 15 ] && [ "$(value_of previous)" -ge 15 ] || fail "too few of the program"

# asks TARGET PARENTS CHILDREN [COMMAND...] - seven calls of a child, of another program than its parent, which COMMAND starts
cp /bin/sh parent
asks() {
	target=$1 parents=$2 children=$3
	shift 3
	trace -xprovdir=providers -x target="$target" -n 'mine:::asked-by-child /execname == "parent"/ { @["parent"] = count(); }
		syscall::getppid:entry /execname == "syscalls"/ { @["child"] = count(); }' -c "$* ./parent -c '$child_in $TRIGGERS/syscalls 7; true'"
	same "$status $(value_of parent) $(value_of child)" "0 $parents $children" "status, parents and children of $target"
}
asks exec:parent 7 0
asks exec:syscalls 0 7
asks user:root 7 7
asks user:nobody 0 0
own_group
child_in='/bin/dash ./within c' # which calls it, too
asks "cgroup:$path/p" 8 0 /bin/sh ./within p
asks "cgroup:$path/c" 0 7 /bin/sh ./within p
