# What: with target=cgroup each kind of event is of processes in the group and below only; BEGIN, END, ERROR and tick have no process.
# Needs: uprobe.  Executors: kernel (its probes are of system calls).
. "$LIB"
own_group
cat >both.sh <<'S'
sh within wanted/below "$TRIGGERS/calls" 10
sh within other "$TRIGGERS/calls" 100
S
mkdir "$group/wanted"
# counts WANTED CLAUSES [COMMAND] - with the group; then without, which must count more
counts() {
	must_trace -x target=cgroup:$path/wanted -n "$2 { @ = count(); } END { printa(\"%@u\\n\", @); }" -c "sh both.sh"
	same "$(grep . out)" "$1" "$2"
	must_trace -n "$2 { @ = count(); } END { printa(\"%@u\\n\", @); }" -c "sh both.sh"
	[ "$(grep . out)" -gt "$1" ] || fail "$2 counts no more without target"
}
counts 1 'syscall::exit_group:entry /execname == "calls" && progenyof($target)/'
counts 1 'rawtp:::sched_process_exit /execname == "calls" && progenyof($target)/'
# inside WANTED CLAUSES COMMAND - dtrace and its process are in the group; then in another
inside() {
	for in in wanted other; do
		[ $in = wanted ] && wanted=$1 || wanted=
		TRIGGER_COUNTS=counts sh within $in "$DTRACE" -q -x target=cgroup:$path/wanted -n "$2 { @ = count(); }
			END { printa(\"%@u\\n\", @); }" -c "$3" >out 2>err
		same "$? $(grep . out) $(cat err)" "0 $wanted " "$2 in $in"
	done
}
inside 10 'pid$target:calls:some_function:entry' "$TRIGGERS/calls 10"
inside 10 'pid$target:calls:some_function:return' "$TRIGGERS/calls 10"
inside 10 'pid$target:calls:some_function:4' "$TRIGGERS/calls 10"
inside 1 'trig$target:::constants' "$TRIGGERS/statics 1"
for in in wanted other; do
	must_trace -x target=cgroup:$path/wanted -n 'profile-997 /execname == "spin"/ { @ = count(); } END { printa("some\n", @); }' \
		-c "sh within $in $TRIGGERS/spin 200"
	same "$(grep . out)" "$([ $in = wanted ] && echo some)" "profile in $in"
done

# A system call that returns after the process has joined the group is one of the group's.
must_trace -x target=cgroup:$path/wanted -n 'syscall::write:entry { @["entry"] = count(); } syscall::write:return { @["return"] = count(); }
	END { printa("%s %@u\n", @); }' -c "sh within wanted true"
same "$(cat out)" "return 1" "the write that moves the process"

trace -x target=cgroup:$path/none -x target=exec:dtrace-none -n 'BEGIN { printf("BEGIN\n"); } BEGIN { this->x = *(int *)8; }
	ERROR { printf("ERROR\n"); } tick-10ms { printf("tick\n"); exit(0); } END { printf("END\n"); }'
same "$status $(echo $(cat out))" "0 BEGIN ERROR tick END" "events without a process"
